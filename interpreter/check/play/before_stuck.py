"""Clauses of `end` that come before a side without a move, though that has another result.

In: games that ended because a side could not move. Out: notes, each with such a game. What then
holds: where what a clause counts is set near its limit, the same last move is judged by the clause.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.codes import Code
from gdl.core.nodes import Assign, AssignAt, Const, Ending, Expression, Get, If, Op, Slot
from gdl.core.types import NUMBER
from gdl.core.walk import program_statements
from gdl.diagnostic import Span
from gdl.interpreter.check.effort import Work
from gdl.interpreter.check.finding import Finding, WitnessGame
from gdl.interpreter.check.places import note
from gdl.interpreter.check.play.seen import Kept, Seen
from gdl.interpreter.check.rules.ends import limits, looks_back
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.evaluator import Outcome, RuleError, State, by_likelihood
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.model import Game

_SHARE = 0.1
"""The part of what play may do that this may."""


def ends_before_stuck(seen: Seen, work: Work) -> Iterator[Finding]:
    """Yield the clauses that count something, and judge a last move otherwise than `stuck` does."""
    limited = dict(_limited(seen.game))
    if not limited or not seen.before_stuck:
        return
    rules, part = work.rules(seen.game), work.part(_SHARE * work.effort.play)
    for kept, after in seen.before_stuck:
        if part.left <= 0:
            return
        try:
            move, stuck = _last_move(rules, kept, after), rules.outcome(after)
        except RuleError:
            continue
        if move is None or stuck is None:
            continue
        for span, (slot, number) in tuple(limited.items()):
            ended = _with_count(rules, kept.state, move, slot, number, span)
            if ended is not None and ended.winners != stuck.winners:
                del limited[span]
                yield _found(seen, kept, move, (span, slot, number), (ended, stuck))


def _limited(game: Game) -> Iterator[tuple[Span, tuple[Slot, int]]]:
    """Yield the clauses of `end` that hold where a count has come to a number, whatever stands."""
    counts = _clocks(game)
    for turn in game.program.turns if any(turn.stuck for turn in game.program.turns) else ():
        for ending in turn.endings:
            found = _limit(ending, counts)
            if found is not None and ending.span is not None and not ending.yields:
                yield ending.span, found


def _clocks(game: Game) -> set[Slot]:
    """Return the numbers that go on by one, or begin anew: scores and hands do otherwise."""
    clocks = {slot for slot in game.program.state if slot.type == NUMBER and not slot.per_site}
    for statement in program_statements(game.program):
        if isinstance(statement, AssignAt) or (
            isinstance(statement, Assign) and not _is_step(statement.value, statement.slot)
        ):
            clocks.discard(statement.slot)
    return clocks


def _is_step(value: Expression, slot: Slot) -> bool:
    match value:
        case Const():
            return True
        case Op("add", (Get(same), Const(value=1))) | Op("add", (Const(value=1), Get(same))):
            return same is slot
        case If(_, one, other) | Op("minimum", (one, other)):
            return _is_step(one, slot) and _is_step(other, slot)
    return False


def _limit(ending: Ending, counts: set[Slot]) -> tuple[Slot, int] | None:
    """Return what a clause counts, and from which number on it holds, if that is all it asks."""
    condition = ending.condition
    if not condition.free <= counts or looks_back(condition):
        return None
    if isinstance(condition, Op) and condition.name in ("and", "or"):
        return None
    for node, least, _ in limits(condition):
        if isinstance(node, Get) and least > 0:
            return node.slot, int(least)
    return None


def _last_move(rules: ReferenceRules, kept: Kept, after: State) -> Move | None:
    """Return the move between two positions."""
    likely = by_likelihood(rules.legal(kept.state), kept.state, after)
    return next((m for m in likely if rules.apply(kept.state, m).values == after.values), None)


def _with_count(
    rules: ReferenceRules, state: State, move: Move, slot: Slot, number: int, span: Span
) -> Outcome | None:
    """Return how a move ends the game by a clause, if it makes what that counts come to a number.

    Set is the count before the move.
    """
    place = rules.machine.places[slot]
    values = (*state.values[:place], number - 1, *state.values[place + 1 :])
    try:
        ended = rules.apply(State(values), move).ended
    except RuleError:
        return None
    return ended if ended is not None and ended.span == span else None


def _found(
    seen: Seen,
    kept: Kept,
    move: Move,
    clause: tuple[Span, Slot, int],
    outcomes: tuple[Outcome, Outcome],
) -> Finding:
    span, slot, number = clause
    ended, stuck = map(_told, outcomes)
    higher = f", with {number + 1} in the range of `{slot.name}`" if slot.high == number else ""
    told = note(
        Code.BEFORE_STUCK,
        f"After `{move}` a side can't move, and {stuck}; with `{slot.name}` at {number - 1} before,"
        f" {ended}: this is asked first.",
        span,
        f"Write the entry `stuck` above it under `end`{higher}, so that a side without a move comes"
        " first; or see whether that is meant.",
        () if outcomes[1].span is None else (("This says what happens then.", outcomes[1].span),),
    )
    witness = WitnessGame(seen.combination, (*kept.way(), move.text))
    return Finding(told, None, "witnessed", witness)


def _told(outcome: Outcome) -> str:
    return does(outcome.winners, "wins") if outcome.winners else "it is a draw"
