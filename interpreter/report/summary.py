"""A report in short: the lines that stand at its top.

In: a `Report`. Out: what was measured, in a few words and figures each. What then holds: each line
is told in full further down; what was not measured has no line.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from interpreter.report.guided import Tension
from interpreter.report.measured import Climb, Report
from interpreter.report.numbers import Mean, Share
from interpreter.report.sampled import MOST_PLIES, Whole


def in_short(report: Report) -> Iterator[tuple[str, str]]:
    """Yield what a line is about, and what it says."""
    whole, tension = report.whole, report.tension
    engine = tension if tension is not None and tension.games else None
    if whole.games and not whole.finished:
        yield "random games", f"{none_ended(whole)}: they tell nothing of who wins"
    if len(report.game.sides) == 2 and whole.finished:
        yield (
            "first seat's share of the points",
            _both(whole.first, engine.first if engine else None),
        )
    if len(report.game.sides) > 1 and whole.finished:
        drawn = Share(whole.draws, whole.finished)
        yield "draws", _both(drawn, engine.draws if engine else None)
    if whole.length is not None and whole.finished:
        random = f"{whole.length.value:.0f} moves in random games"
        guided = engine.length if engine else None
        yield "length", random + (f", {guided.value:.0f} in those of the engine" if guided else "")
    if report.branching is not None:
        told = report.branching
        yield "moves to choose from", f"{told.value:.0f}; at most {told.most:.0f}"
    if engine is not None and engine.drama is not None:
        yield "course", _run_of_play(engine, engine.drama)
    if report.climb is not None and len(report.climb.rungs) > 1:
        yield "skill ladder", _rungs(report.climb)
    idle = sum(not clause.held.count for clause in report.clauses)
    if report.clauses and whole.games:
        number = len(report.clauses)
        yield "clauses that ended a random game", f"{number - idle} of {number}"
    kinds = Counter(found.diagnostic.severity for found in report.findings)
    told_kinds = [f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in sorted(kinds.items())]
    yield "findings of gdl check", ", ".join(told_kinds) or "none"


def none_ended(whole: Whole) -> str:
    """Return that no random game has come to an end."""
    games = "The only one" if whole.games == 1 else f"None of {whole.games:,}"
    return f"{games} had {'not ' * (whole.games == 1)}ended after {MOST_PLIES:,} moves"


def _both(random: Share, engine: Share | None) -> str:
    told = f"{_interval(random)} in random games"
    return told + (f", {_interval(engine)} in those of the engine" if engine is not None else "")


def _interval(share: Share) -> str:
    low, high = share.interval
    return f"{share.value:.0%} ({low:.0%} to {high:.0%})"


def _run_of_play(tension: Tension, drama: Mean) -> str:
    told = [f"drama {drama.value:.2f}"]
    if tension.lead_changes is not None:
        told.append(f"the lead changes with {tension.lead_changes.value:.0%} of the moves")
    if tension.decisiveness is not None:
        told.append(f"decided after {tension.decisiveness.value:.0%} of a game")
    return ", ".join(told)


def _rungs(climb: Climb) -> str:
    number = len(climb.rungs) - 1
    least = "" if climb.is_whole else "at least "
    return f"{least}{number} rung{'' if number == 1 else 's'}"
