"""Sides that are never on turn.

In: the program of a game. Out: warnings. What then holds: whatever is played, no turn leads to one
of a side that is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.core.nodes import Assign, Const, Phase, Statement
from gdl.core.walk import statements_in
from gdl.diagnostic import Diagnostic
from gdl.model import Game
from interpreter.check.places import turn_span, warning


def never_on_turn(game: Game) -> Iterator[Diagnostic]:
    """Yield the sides to whose turn none leads, with the statement that says who is next."""
    if len(game.sides) < 2:
        return
    said: list[Statement] = []
    at_all = _reached(game, said, passes=True)
    by_turns = sides_by_turns(game)
    for side, name in enumerate(game.sides):
        if side in by_turns:
            continue
        place = next((one.span for one in said if one.span is not None), turn_span(game))
        yield warning(
            "never-on-turn",
            f"{name} is on turn only where another side has no legal move."
            if side in at_all
            else f"{name} is never on turn: each turn leads to another side's.",
            place,
            "See where a turn says `again` or `next`, and whether that is meant each time.",
        )


def sides_by_turns(game: Game) -> set[int]:
    """Return the sides to whose turn some turn may lead, by their numbers from 0."""
    return _reached(game, [], passes=False)


def _reached(game: Game, said: list[Statement], *, passes: bool) -> set[int]:
    """Return the sides that come to be on turn; `said` gets the statements that say who is next.

    With `passes`, those as well that are on turn because others pass where they have no move.
    """
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    first = at_start[game.program.system.mover]
    assert isinstance(first, int), "a side begins"
    reached, pending = {first}, [first]
    while pending:
        side = pending.pop()
        for phase in game.program.phases:
            following = _following(game, phase, side, said, passes)
            pending += following - reached
            reached |= following
    return reached


def _following(
    game: Game, phase: Phase, side: int, said: list[Statement], passes: bool
) -> set[int]:
    """Return the sides that may be on turn next; `said` gets the statements that say so."""
    number = len(game.sides)
    turn, slot = phase.turns[side], game.program.system.following
    saying = [s for s in statements_in(turn.program) if isinstance(s, Assign) and s.slot is slot]
    usual = {(side + 1) % number} | ({side} if phase.by_chance else set())
    if not saying:
        return usual
    said += saying
    last = saying[-1]
    may_pass = passes and any(ending.kind == "passes" for ending in turn.stuck)
    if len(saying) == 1 and last in turn.program and isinstance(last.value, Const):
        return {int(last.value.value)} | (usual if may_pass else set())
    return set(range(number))
