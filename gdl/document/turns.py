"""Turns: what a file says of them that nobody will play, or not only those whom, or when, it means.

In: a game as its file has it, no variant applied. Out: warnings.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import Report
from gdl.document.nodes import Mapping, Node, Scalar


def report_turns(document: Mapping, report: Report) -> None:
    """Warn of a turn that no phase has, of ways and phases named like sides, and endless swaps."""
    swap = document.get("swap")
    if isinstance(swap, Scalar) and swap.text.strip() == "yes":
        report.warning(
            "swap-always",
            "The sides may be exchanged in every turn.",
            swap.span,
            "`swap` says when: after the first turn, `swap: turns = 1`.",
        )
    turn, phases = document.entry("turn"), document.entry("phases")
    if turn is not None and phases is not None and is_unread(document):
        is_of_one_file = turn[0].span.source is phases[0].span.source
        if is_of_one_file and "phases" not in _variants(document):
            report.warning(
                "unread-turn",
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
            "named-like-sides",
            f"This {what} has the name of a side, but is not that side's alone.",
            first.span,
            f"What a side does is asked for in one turn: `if mover = {first.text}`, and below it,"
            " deeper, its steps.",
        )
