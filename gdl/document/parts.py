"""Parts of sections that have names: clauses of ends, ways of a turn, what a file takes away.

In: a section as it was, and what a child or a variant says of it. Out: the section with parts
added, replaced or removed by name. What then holds: a part that has no name is called by its
number in a list of clauses, a turn that is one program `turn`. The entry `stuck` of `end`, which is
no clause, is called so, and is not counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import count, repeat

from gdl.codes import Code
from gdl.diagnostic import Report, Span, suggest
from gdl.document.nodes import Mapping, Node, Scalar, Sequence, key_identity

REMOVES = "removes"
STUCK = "stuck"

_WITH_PARTS = ("end", "stuck", "turn")
_TEXT = re.compile(r"(?:[^,()]|\([^()]*\))+")

Sections = dict[str, tuple[Scalar, Node]]


def is_of_parts(section: str, node: Node) -> bool:
    """Return whether a section is a table of named parts; a clause with a caption is none."""
    return section in _WITH_PARTS and isinstance(node, Mapping) and node.get("says") is None


def named_parts(section: str, node: Node) -> Mapping:
    """Return a section as a table of its parts."""
    if isinstance(node, Mapping) and is_of_parts(section, node):
        return node
    items = node.items if isinstance(node, Sequence) else (node,)
    names = repeat("turn") if section == "turn" else map(str, count(1))
    return Mapping(
        tuple(
            (Scalar(STUCK if section == "end" and is_stuck(item) else next(names), item.span), item)
            for item in items
        ),
        node.span,
    )


def is_stuck(node: Node) -> bool:
    """Return whether an entry of `end` is the word `stuck`: the place of what that section says."""
    return isinstance(node, Scalar) and node.text.partition("#")[0].strip() == STUCK


def with_parts(section: str, base: Node, change: Mapping) -> Mapping:
    """Return a section with parts replaced and added.

    New ways of a turn follow the others; new clauses are tried before them, since the last ones
    often hold for all that is left.
    """
    parts = {
        key_identity(key.text): (key, part) for key, part in named_parts(section, base).entries
    }
    new = {key_identity(key.text): (key, part) for key, part in change.entries}
    replaced = {name: new.get(name, part) for name, part in parts.items()}
    added = {name: part for name, part in new.items() if name not in parts}
    joined = {**replaced, **added} if section == "turn" else {**added, **replaced}
    return Mapping(tuple(joined.values()), change.span)


def removals(node: Node | None) -> Iterator[tuple[Scalar, str, str]]:
    """Yield what `removes` names: its text, a section, and an entry of it (empty: all of it)."""
    items = node.items if isinstance(node, Sequence) else (node,)
    for item in items:
        if not isinstance(item, Scalar):
            continue
        for found in _TEXT.finditer(item.text):
            section, _, part = found[0].strip().partition(" ")
            if section:
                yield _part_of(item, found), section, key_identity(part)


def _part_of(item: Scalar, found: re.Match[str]) -> Scalar:
    text = found[0].strip()
    start = item.span.text.find(text)
    if start < 0:
        return Scalar(text, item.span)
    start += item.span.start
    return Scalar(text, Span(item.span.source, start, start + len(text)))


def remove(node: Node | None, sections: Sections, report: Report | None) -> None:
    """Take away what `removes` names; what is not there goes to the report."""
    for text, section, part in removals(node):
        entry = sections.get(key_identity(section))
        left = None if entry is None or not part else _without(section, entry[1], part)
        if entry is not None and not part:
            del sections[key_identity(section)]
        elif entry is not None and left is not None:
            sections[key_identity(section)] = (entry[0], left)
        elif report is not None:
            _report_nothing(text, section, entry, report)


def _without(section: str, node: Node, part: str) -> Mapping | None:
    """Return a section without one of its entries, or None if it has none of this name."""
    table = named_parts(section, node) if section in _WITH_PARTS else node
    if not isinstance(table, Mapping):
        return None
    kept = tuple(entry for entry in table.entries if key_identity(entry[0].text) != part)
    return None if len(kept) == len(table.entries) else Mapping(kept, table.span)


def _report_nothing(
    text: Scalar, section: str, entry: tuple[Scalar, Node] | None, report: Report
) -> None:
    names: tuple[str, ...] = ()
    if entry is not None and (section in _WITH_PARTS or isinstance(entry[1], Mapping)):
        table = named_parts(section, entry[1]) if section in _WITH_PARTS else entry[1]
        assert isinstance(table, Mapping), "it has entries"
        names = table.keys
    named = text.text.partition(" ")[2]
    report.error(
        Code.NOTHING_TO_REMOVE,
        f"There is no `{' '.join(text.text.split())[:60]}` to take away.",
        text.span,
        suggest(named, names)
        or (
            f"`{section}` has: {', '.join(names[:12])}."
            if names
            else "Write a section, as in `swap`, or an entry of one, as in `options size`."
        ),
    )


# -------------------------------------------------------------------------------------------- turns


def report_turns(document: Mapping, report: Report) -> None:
    """Warn of a turn that no phase has, of ways and phases named like sides, and endless swaps."""
    swap = document.get("swap")
    if isinstance(swap, Scalar) and swap.text.strip() == "yes":
        report.warning(
            Code.SWAP_ALWAYS,
            "The sides may be exchanged in every turn.",
            swap.span,
            "`swap` says when: after the first turn, `swap: turns = 1`.",
        )
    turn, phases = document.entry("turn"), document.entry("phases")
    if turn is not None and phases is not None and is_unread(document):
        is_of_one_file = turn[0].span.source is phases[0].span.source
        if is_of_one_file and "phases" not in _variants(document):
            report.warning(
                Code.UNREAD_TURN,
                "Nobody has this turn: each phase has a turn of its own.",
                turn[0].span,
                "Make it a phase, to which the others lead by `go to NAME`; or leave it out.",
            )
    _report_named_like_sides(document, report)


def is_unread(document: Mapping) -> bool:
    """Return whether each phase has a turn of its own, so that none has the one beside them."""
    phases = document.get("phases")
    return isinstance(phases, Mapping) and all(
        isinstance(phase, Scalar) or (isinstance(phase, Mapping) and phase.get("turn") is not None)
        for _, phase in phases.entries
    )


def _variants(document: Mapping) -> str:
    """Return what the file says of its variants, as it is written."""
    variants = document.get("variants")
    return "" if variants is None else variants.span.text


def _tables(part: Mapping) -> Iterator[tuple[str, str, Node | None]]:
    """Yield what parts of a turn have names in a game or a variant, and what chooses among them."""
    phases = part.get("phases")
    yield "way of a turn", "mover", part.get("turn")
    yield "phase", "go to", phases
    for _, phase in phases.entries if isinstance(phases, Mapping) else ():
        if isinstance(phase, Mapping):
            yield "way of a turn", "mover", phase.get("turn")


def _report_named_like_sides(document: Mapping, report: Report) -> None:
    """Warn of ways of a turn, or phases, that have the names of sides: they belong to no side."""
    players, variants = document.get("players"), document.get("variants")
    sides = set(players.text.replace(",", " ").split()) if isinstance(players, Scalar) else set()
    parts = [document]
    if isinstance(variants, Mapping):
        parts += [variant for _, variant in variants.entries if isinstance(variant, Mapping)]
    for what, chosen_by, table in (table for part in parts for table in _tables(part)):
        if not isinstance(table, Mapping) or not table.entries or not sides.issuperset(table.keys):
            continue
        if chosen_by in table.span.text:
            continue
        first = table.entries[0][0]
        report.warning(
            Code.NAMED_LIKE_SIDES,
            f"This {what} has the name of a side, but is not that side's alone.",
            first.span,
            f"What a side does is asked for in one turn: `if mover = {first.text}`, and below it,"
            " deeper, its steps.",
        )
