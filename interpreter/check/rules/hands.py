"""Hands that are empty and stay so, and hands of two sides that differ by little.

In: the programs of a game and its variants. Out: notes and warnings. What then holds: of a hand
that is told to be empty, no rule ever puts a piece into it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.core.nodes import Assign, Get, Op, Slot
from gdl.core.walk import program_statements
from gdl.diagnostic import Diagnostic
from gdl.model import Game
from interpreter.check.places import key_or_file_span, note, warning

_NEARLY = 0.34


def never_filled(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield that pieces are taken out of hands, and none ever is in any."""
    taken = False
    for game in games:
        hands = {slot for of_kinds in game.hands.values() for slot in of_kinds.values()}
        at_start = dict(zip(game.program.state, game.program.initial, strict=True))
        if any(at_start.get(slot) for slot in hands):
            return
        for statement in program_statements(game.program):
            if isinstance(statement, Assign) and statement.slot in hands:
                if not _is_taking(statement, statement.slot):
                    return
                taken = True
    if taken:
        yield warning(
            "never-written",
            "Pieces are to come out of hands, and no hand ever has one.",
            key_or_file_span(games[0], "hands"),
            "Say how many there are at the start, as in `hands: {Stone: 9}`, or let a turn"
            " `move s to hand(mover)`.",
        )


def _is_taking(statement: Assign, hand: Slot) -> bool:
    match statement.value:
        case Op("subtract", (Get(slot), _)):
            return slot is hand
    return False


def uneven_hands(game: Game) -> Iterator[Diagnostic]:
    """Yield that two sides begin with hands that are nearly alike, but not quite."""
    if len(game.sides) != 2:
        return
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    first, second = (
        {kind: _number(at_start.get(slot)) for kind, slot in game.hands.get(side, {}).items()}
        for side in game.sides
    )
    numbers = sum(first.values()), sum(second.values())
    missing = sum(abs(number - second.get(kind, 0)) for kind, number in first.items())
    if first.keys() == second.keys() and 0 < missing <= _NEARLY * max(numbers):
        yield note(
            "uneven-setup",
            f"{game.sides[0]} begins with {numbers[0]} pieces in its hand, {game.sides[1]} with"
            f" {numbers[1]}.",
            key_or_file_span(game, "hands", "setup"),
            "See whether both should have as many.",
        )


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
