"""Sites that are worth the same, since a turn or reflection of the board brings one to the other.

In: the native rules of a game. Out: symmetries of its board that random games do not tell apart.
What then holds: that is no proof (`interpreter.solve.symmetries` has those), but what is learned of
a position may be taken to hold of its image. The game begins with a position that is its own image,
so images come about as often.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from gdl.board.symmetries import Permutation, moved_set, symmetries
from gdl.core.nodes import Program, Slot
from gdl.core.types import SITES
from interpreter.evaluation.evaluator import RuleError, State
from interpreter.native.runtime.rules import NativeRules

_GAMES, _POSITIONS = 8, 3
"""In how many random games images are compared, and in how many positions of each."""
_LONGEST_GAME = 400
_MOST_MOVES = 300
"""Of positions with more moves, nothing is compared but their number."""

Values = tuple[Any, ...]


def likely_symmetries(native: NativeRules, seed: int) -> list[Permutation]:
    """Return symmetries of the board by which moves stay moves, the identity left out.

    They are compared in positions of random games, which depend on the seed. Raises RuleError where
    the rules fail in one.
    """
    board, program = native.game.board, native.game.program
    if any(slot.type.name == "direction" for slot in program.state):
        return []
    start = native.start()
    found = [
        _Image(program, start.values, symmetry)
        for symmetry in map(tuple, symmetries(board))
        if symmetry != tuple(range(board.size))
    ]
    found = [image for image in found if image.of(start.values) == start.values]
    for state in _positions(native, Random(seed)):
        found = [image for image in found if image.is_symmetric(native, state)]
        if not found:
            break
    return [image.symmetry for image in found]


def _positions(native: NativeRules, chance: Random) -> Iterator[State]:
    """Yield positions of random games, the first of all the beginning."""
    start = native.start()
    yield start
    for _ in range(_GAMES):
        game: list[State] = []
        state = start
        while len(game) < _LONGEST_GAME and native.outcome(state) is None:
            game.append(state)
            moves = native.legal(state)
            state = native.apply(state, moves[chance.randrange(len(moves))])
        yield from chance.sample(game, min(_POSITIONS, len(game)))


class _Image:
    """Moves positions by a symmetry; earlier positions are forgotten."""

    def __init__(self, program: Program, start: Values, symmetry: Permutation) -> None:
        self.symmetry = symmetry
        memories = {memory.slot for memory in program.memories}
        self._forgotten = {
            place: start[place] for place, slot in enumerate(program.state) if slot in memories
        }
        self._moving = [self._value_of(slot) for slot in program.state]

    def _value_of(self, slot: Slot) -> Callable[[Any], Any]:
        """Return what gives the value of a slot in the image of a position."""

        def one(value: Any) -> Any:
            return moved_set(value, self.symmetry) if slot.type == SITES else value

        def each(values: Sequence[Any]) -> Values:
            found = list(values)
            for site, value in enumerate(values):
                found[self.symmetry[site]] = one(value)
            return tuple(found)

        return each if slot.per_site else one

    def without_past(self, values: Sequence[Any]) -> Values:
        """Return the values of a position that nothing came before."""
        return tuple(self._forgotten.get(place, value) for place, value in enumerate(values))

    def of(self, values: Sequence[Any]) -> Values:
        """Return the values of the image of a position."""
        moved = (move(value) for move, value in zip(self._moving, values, strict=True))
        return self.without_past(tuple(moved))

    def is_symmetric(self, native: NativeRules, state: State) -> bool:
        """Return whether moves lead to the images of where those of the image lead."""
        here, there = State(self.without_past(state.values)), State(self.of(state.values))
        try:
            moves, others = native.legal(here), native.legal(there)
            if len(moves) != len(others) or len(moves) > _MOST_MOVES:
                return len(moves) == len(others)
            led = (native.apply(here, move) for move in moves)
            answers = (native.apply(there, move) for move in others)
            return Counter((self.of(after.values), _winners(after)) for after in led) == Counter(
                (self.without_past(after.values), _winners(after)) for after in answers
            )
        except RuleError:
            return False


def _winners(state: State) -> tuple[str, ...] | None:
    return None if state.ended is None else state.ended.winners
