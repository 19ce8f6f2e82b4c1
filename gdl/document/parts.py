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
        "nothing-to-remove",
        f"There is no `{' '.join(text.text.split())[:60]}` to take away.",
        text.span,
        suggest(named, names)
        or (
            f"`{section}` has: {', '.join(names[:12])}."
            if names
            else "Write a section, as in `swap`, or an entry of one, as in `options size`."
        ),
    )
