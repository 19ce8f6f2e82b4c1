"""Turns: what a file says of them that nobody will play, or not only those whom it names.

In: a game as its file has it, without its variants. Out: warnings.
"""

from __future__ import annotations

from gdl.diagnostic import Report
from gdl.document.nodes import Mapping, Scalar


def report_turns(document: Mapping, report: Report) -> None:
    """Warn of a turn that no phase has, and of ways and phases that have the names of sides."""
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


def _report_named_like_sides(document: Mapping, report: Report) -> None:
    """Warn of ways of a turn, or phases, that have the names of sides: they belong to no side."""
    players, phases = document.get("players"), document.get("phases")
    sides = set(players.text.replace(",", " ").split()) if isinstance(players, Scalar) else set()
    tables = [("way of a turn", "mover", document.get("turn")), ("phase", "go to", phases)]
    if isinstance(phases, Mapping):
        inner = [part.get("turn") for _, part in phases.entries if isinstance(part, Mapping)]
        tables += [("way of a turn", "mover", turn) for turn in inner]
    for what, chosen_by, table in tables:
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
