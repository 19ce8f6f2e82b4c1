"""Arimaa, held against pyrimaa's rules (the package `aei`): random games, step by step."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from library_games import deep_marks
from pyrimaa import board as pyrimaa  # type: ignore[import-not-found]

from gdl.interpreter import Position, load

MOST_STEPS = 400
PIECES = {
    "Rabbit": pyrimaa.Piece.GRABBIT,
    "Cat": pyrimaa.Piece.GCAT,
    "Dog": pyrimaa.Piece.GDOG,
    "Horse": pyrimaa.Piece.GHORSE,
    "Camel": pyrimaa.Piece.GCAMEL,
    "Elephant": pyrimaa.Piece.GELEPHANT,
}


def pieces_of(position: Any) -> dict[str, str]:
    """Return what stands where on the other program's board, as ours names it."""
    found = {}
    for kind, piece in PIECES.items():
        for side, colour in (("Gold", 0), ("Silver", pyrimaa.Piece.COLOR)):
            for square in range(64):
                if position.bitBoards[piece | colour] >> square & 1:
                    found[pyrimaa.index_to_alg(square)] = f"{side} {kind}"
    return found


class Turn:
    """The steps of a turn so far, as the other program sees them.

    What stood at the ends of turns, and who moves next, is counted in `past`.
    """

    def __init__(self, start: Any, past: Counter[Any]) -> None:
        self.start = start
        self.past = past

    def may_end(self, position: Any) -> bool:
        """Tell whether the turn may end here: something has changed, and not to a third time."""
        after = position if position.color != self.start.color else position.get_null_move()
        return (
            not position.inpush
            and position.bitBoards != self.start.bitBoards
            and self.past[after.bitBoards, after.color] < 2
        )

    def can_end(self, position: Any) -> bool:
        """Tell whether the turn may end here, or after further steps."""
        if position.color != self.start.color or self.may_end(position):
            return self.may_end(position)
        return any(self.can_end(after) for _, after in position.get_steps())

    def steps(self, position: Any) -> dict[str, Any]:
        """Return the legal steps, as ours writes them, and `done`, with what follows.

        Who follows a piece that is pushed is named with it.
        """
        found = {}
        for step, after in position.get_steps():
            text = "-".join(map(pyrimaa.index_to_alg, step))
            if after.inpush:
                for (pusher, _), end in after.get_steps():
                    found[f"{text} {pyrimaa.index_to_alg(pusher)}"] = end
            else:
                found[text] = after
        found = {text: after for text, after in found.items() if self.can_end(after)}
        if position.stepsLeft < 4 and self.may_end(position):
            found["done"] = position.get_null_move()
        return found


def winner(position: Any) -> str | None:
    """Return who has won after a turn, by a rabbit on the far side or by taking all of them."""
    told = position.is_goal() or position.is_rabbit_loss()
    return ("Gold" if told > 0 else "Silver") if told else None


def set_up(chance: Random) -> tuple[Position, Any]:
    """Return a random beginning: the pieces were placed, in ours one after the other."""
    position = load("arimaa").start()
    boards = [0] * pyrimaa.Piece.COUNT
    for side, rows in enumerate(("12", "78")):
        squares = [f"{column}{row}" for row in rows for column in "abcdefgh"]
        kinds = [
            kind for kind, many in zip(PIECES, (8, 2, 2, 2, 1, 1), strict=True) for _ in range(many)
        ]
        chance.shuffle(kinds)
        chance.shuffle(squares)
        for kind, square in zip(kinds, squares, strict=True):
            position = position.play(f"{kind} {square}")
            boards[PIECES[kind] | side * pyrimaa.Piece.COLOR] |= 1 << pyrimaa.alg_to_index(square)
    boards[pyrimaa.Piece.EMPTY] = pyrimaa.ALL_BITS & ~sum(boards)
    return position, pyrimaa.Position(pyrimaa.Color.GOLD, 4, boards)


def play_in_lockstep(seed: int) -> None:
    """Play a random game on both sides and compare all that can be seen at every step."""
    chance = Random(seed)
    ours, theirs = set_up(chance)
    past = Counter([(theirs.bitBoards, theirs.color)])
    turn = Turn(theirs, past)
    for _ in range(MOST_STEPS):
        assert ours.pieces() == pieces_of(theirs)
        won = winner(theirs) if theirs.stepsLeft == 4 else None
        steps = turn.steps(theirs) if won is None else {}
        if won is None and not steps:
            won = ("Silver", "Gold")[theirs.color]
        assert (None if ours.outcome is None else ours.outcome.winners[0]) == won
        assert {str(move) for move in ours.moves()} == steps.keys()
        if won is not None:
            return
        assert ours.mover == ("Gold", "Silver")[theirs.color]
        step = chance.choice(sorted(steps))
        ours, theirs = ours.play(step), steps[step]
        if theirs.stepsLeft == 4:
            past[theirs.bitBoards, theirs.color] += 1
            turn = Turn(theirs, past)


@pytest.mark.parametrize("seed", [pytest.param(1, marks=deep_marks("arimaa")), 2])
def test_random_games_agree(seed: int) -> None:
    play_in_lockstep(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 20))
def test_many_random_games_agree(seed: int) -> None:
    play_in_lockstep(seed)
