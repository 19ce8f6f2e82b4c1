"""Turns: what a file says of them that nobody will play, or not only those whom it names.

In: a game as its file has it, without its variants. Out: warnings.
"""

from __future__ import annotations

from gdl.diagnostic import Report
from gdl.document.nodes import Mapping, Node, Scalar


def report_turns(document: Mapping, report: Report) -> None:
    """Warn of a turn that no phase has, and of ways and phases that have the names of sides."""
    _report_unread(document, report)
    _report_named_like_sides(document, report)


def _report_unread(document: Mapping, report: Report) -> None:
    turn, phases = document.entry("turn"), document.entry("phases")
    if turn is None or phases is None or not isinstance(phases[1], Mapping):
        return
    if turn[0].span.source is not phases[0].span.source or "phases" in _variants(document):
        return
    if not all(isinstance(p, Scalar) or _has_turn(p) for _, p in phases[1].entries):
        return
    report.warning(
        "unread-turn",
        "Nobody has this turn: each phase has a turn of its own.",
        turn[0].span,
        "Make it a phase, to which the others lead by `go to NAME`; or leave it out.",
    )


def _has_turn(phase: Node) -> bool:
    return isinstance(phase, Mapping) and phase.get("turn") is not None


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
