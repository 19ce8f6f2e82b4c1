"""Sides that are never on turn, and sides that may exchange what they began with.

In: the program of a game. Out: warnings. What then holds: whatever is played, no turn leads to one
of a side that is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.core.nodes import (
    Assign,
    Block,
    Const,
    Decide,
    ForEach,
    Phase,
    Repeat,
    Statement,
    Turn,
)
from gdl.core.types import NUMBER
from gdl.core.walk import blocks_of, statements_in
from gdl.diagnostic import Diagnostic, Span
from gdl.elaborate.sections import readable
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.check.places import PROGRAMS, note, parsed_rules, turn_span, warning
from interpreter.words.english import does


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
            f"{does([name], 'is')} on turn only where another side has no legal move."
            if side in at_all
            else f"{does([name], 'is')} never on turn: each turn leads to another side's.",
            place,
            "See where a turn says `again` or `next`, and whether that is meant each time.",
        )


def swap_by_first(game: Game) -> Iterator[Diagnostic]:
    """Yield where the side may exchange sides that made the first move, where they take turns."""
    swap = readable(game.document.get("swap"), "expression")
    if len(game.sides) != 2 or swap is None or game.document.get("phases") is not None:
        return
    parts = (node for rules in parsed_rules(game, PROGRAMS) for node in nodes_in(rules))
    if any(isinstance(part, t.Again | t.NextSide | t.Take | t.Swap) for part in parts):
        return
    is_all = isinstance(swap, t.Operation) and swap.operator == "and"
    for part in swap.operands if is_all else (swap,):
        match part:
            case t.Operation(operator="=", operands=(t.Name(name="turns"), t.Number(text=text))):
                if text.isdigit() and int(text) > 0 and int(text) % 2 == 0:
                    yield note(
                        "swap-by-first",
                        f"After {text} turns {game.sides[0]} is to move, which began: who made the"
                        " first move may exchange the sides.",
                        part.span,
                        "So that the second side may take over the first move, write `turns = 1`.",
                    )


def endless_turns(game: Game) -> Iterator[Diagnostic]:
    """Yield where a side is on turn again whatever happens, and may be so as often as it likes."""
    told: dict[Span, str] = {}
    for phase in game.program.phases:
        for side, turn in enumerate(phase.turns):
            for span, why in _always_again(game, turn, side):
                told.setdefault(span, why)
    for span, why in told.items():
        yield note(
            "always-again",
            why,
            span,
            "Write it under an `if` that says when, or count how often; or see whether it should"
            " stand here at all.",
        )


def _always_again(game: Game, turn: Turn, side: int) -> Iterator[tuple[Span, str]]:
    system = game.program.system
    apart = {*game.program.layers, *(s for of in game.hands.values() for s in of.values())}

    def is_again(statement: Statement) -> bool:
        return (
            isinstance(statement, Assign)
            and statement.slot is system.following
            and isinstance(statement.value, Const)
            and statement.value.value == side
        )

    def counts(block: Block) -> bool:
        return any(
            isinstance(s, Assign)
            and s.slot.is_state
            and s.slot not in apart
            and (s.slot is system.phase or (s.slot.type == NUMBER and not _is_const(s)))
            for s in statements_in(block)
        )

    def in_loops(block: Block, is_inside: bool) -> Iterator[Span]:
        for statement in block:
            if is_again(statement) and is_inside and statement.span is not None:
                yield statement.span
            is_loop = isinstance(statement, Repeat | ForEach)
            for inner in blocks_of(statement):
                yield from in_loops(inner, is_inside or is_loop)

    for span in in_loops(turn.program, False):
        yield span, "This stands in a loop, and says who is on turn when the whole turn is over."
    if len(game.sides) < 2 or system.phase is not None:
        return
    for body in _ways(turn.program):
        for inner in body:
            if is_again(inner) and inner.span is not None and not counts(body):
                yield (
                    inner.span,
                    "By this way of the turn a side is always on turn again, as often as it likes.",
                )


def _ways(block: Block) -> Iterator[Block]:
    """Yield what the alternatives in a block are, and the alternatives in them."""
    for statement in block:
        for way in statement.alternatives if isinstance(statement, Decide) else ():
            yield way.body
            yield from _ways(way.body)


def _is_const(statement: Assign) -> bool:
    return isinstance(statement.value, Const)


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
