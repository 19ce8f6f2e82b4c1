"""Sides that may have no legal move, where no clause of `stuck` says what happens then.

In: the program of a game. Out: notes. What then holds: in the turn that is told nothing shows that
there is always a way through it, and what is chosen first is among the side's own pieces.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.core.nodes import (
    Block,
    Branch,
    Choose,
    Const,
    Decide,
    Expression,
    ForEach,
    Get,
    If,
    Let,
    Op,
    RangeOf,
    Repeat,
    Require,
    Select,
    Slot,
    Statement,
    Turn,
)
from gdl.core.walk import decisions_in
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.places import note, turn_span


def may_be_stuck(game: Game) -> Iterator[Diagnostic]:
    """Yield the turns that move pieces, and may have no way through."""
    told: set[Span] = set()
    layers = set(game.program.layers)
    for phase in game.program.phases:
        for side, turn in enumerate(phase.turns):
            if phase.by_chance or turn.stuck or not moves_pieces(turn, layers):
                continue
            if always_goes_through(turn.program):
                continue
            place = phase.span if len(game.program.phases) > 1 and phase.span else turn_span(game)
            if place not in told:
                told.add(place)
                yield note(
                    "may-be-stuck",
                    f"Should {game.sides[side]} have no legal move here, no clause of `stuck` says"
                    " what happens, and nothing shows that there always is one.",
                    place,
                    "Write `stuck: loses`, `stuck: draw` or `stuck: passes`; where there is always"
                    " a move, `# fine: may-be-stuck` says so.",
                )


def moves_pieces(turn: Turn, layers: set[Slot]) -> bool:
    """Return whether each way through a turn begins with a choice among pieces on the board."""
    first = list(_first_decisions(turn.program))
    return bool(first) and all(_is_among(one, layers) for one in first)


def _first_decisions(block: Block) -> Iterator[Choose | Decide]:
    """Yield what is decided first, in each alternative of a turn."""
    first = next(iter(decisions_in(block)), None)
    if isinstance(first, Decide):
        for way in first.alternatives:
            yield from _first_decisions(way.body)
    elif first is not None:
        yield first


def _is_among(first: Choose | Decide, layers: set[Slot]) -> bool:
    return (
        isinstance(first, Choose)
        and not isinstance(first.domain, RangeOf)
        and bool(first.domain.parts())
        and _is_of_pieces(first.domain.parts()[0], layers)
    )


def _is_of_pieces(sites: Expression, layers: set[Slot]) -> bool:
    """Return whether a set has no site without a piece."""
    match sites:
        case Get(slot):
            return slot in layers
        case Op("union", parts):
            return all(_is_of_pieces(part, layers) for part in parts)
        case Op("intersection", parts):
            return any(_is_of_pieces(part, layers) for part in parts)
        case Op("difference", (of, _)) | Select(_, of) | Let(_, _, of):
            return _is_of_pieces(of, layers)
        case If(_, then, otherwise):
            return all(_is_of_pieces(one, layers) for one in (then, otherwise))
    return False


def always_goes_through(block: Block) -> bool:
    """Return whether there is a way through a block in each position."""
    return all(map(_always_goes_on, block))


def _always_goes_on(statement: Statement) -> bool:
    match statement:
        case Decide(_, alternatives):
            return any(always_goes_through(way.body) for way in alternatives)
        case Require(_, condition):
            return isinstance(condition, Const) and bool(condition.value)
        case Choose(domain=RangeOf(low=Const(value=low), high=Const(value=high))):
            return low <= high
        case Choose():
            return False
        case Branch(_, _, then, otherwise):
            return always_goes_through(then) and always_goes_through(otherwise)
        case ForEach() | Repeat():
            return always_goes_through(statement.body)
    return True
