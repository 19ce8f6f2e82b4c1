"""Hey, That's My Fish!, from the rules in words, on floes that are given.

In: the sides. Out: an oracle. What then holds: a floe is a pair of its place across, in half floes,
and its row; penguins go by repeated steps, and a floe that is gone is no key any more.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from oracles.oracle import Point, letters

FLOES = """
 1 2 1 3 1 2 1
2 1 1 2 1 3 1 2
 1 3 2 1 1 2 1
1 1 2 3 1 2 2 1
 2 1 3 1 3 2 1
1 2 1 2 1 2 3 1
 3 1 2 1 2 1 2
1 2 1 3 1 2 3 1
"""
WAYS = ((2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1), (1, -1))
PENGUINS = {2: 4, 3: 3, 4: 2}
NAMES = ("Blue", "Red", "Green", "Yellow")


def _floes() -> dict[Point, int]:
    rows = FLOES.strip("\n").splitlines()[::-1]
    return {
        (across, row): int(fish)
        for row, text in enumerate(rows, start=1)
        for across, fish in enumerate(text)
        if fish != " "
    }


def _name(floe: Point) -> str:
    """Columns slant to the left: the first of row 1 is the fourth."""
    across, row = floe
    return f"{letters((across - row + 1) // 2 + 4)}{row}"


@dataclass(frozen=True)
class State:
    """The floes that are left, who stands where, what each side has, how many are placed."""

    floes: Mapping[Point, int]
    stands: Mapping[Point, int]
    caught: tuple[tuple[int, ...], ...]
    side: int = 0
    placed: int = 0


@dataclass(frozen=True)
class Fish:
    """Two to four sides."""

    sides: int = 2

    def start(self) -> State:
        return State(_floes(), {}, ((),) * self.sides)

    @staticmethod
    def _goals(state: State, floe: Point) -> Iterator[Point]:
        for across, up in WAYS:
            goal = (floe[0] + across, floe[1] + up)
            while goal in state.floes and goal not in state.stands:
                yield goal
                goal = (goal[0] + across, goal[1] + up)

    def _moves_of(self, state: State, side: int) -> Iterator[tuple[Point, Point]]:
        for floe, owner in state.stands.items():
            if owner == side:
                yield from ((floe, goal) for goal in self._goals(state, floe))

    def _all_placed(self, state: State) -> bool:
        return state.placed == self.sides * PENGUINS[self.sides]

    def _is_over(self, state: State) -> bool:
        every = range(self.sides)
        return self._all_placed(state) and not any(
            next(self._moves_of(state, side), None) for side in every
        )

    def moves(self, state: State) -> dict[str, State]:
        following = (state.side + 1) % self.sides
        if self._is_over(state):
            return {}
        if not self._all_placed(state):
            return {
                _name(floe): State(
                    state.floes,
                    {**state.stands, floe: state.side},
                    state.caught,
                    following,
                    state.placed + 1,
                )
                for floe, fish in state.floes.items()
                if fish == 1 and floe not in state.stands
            }
        found = {}
        for floe, goal in self._moves_of(state, state.side):
            floes = {place: fish for place, fish in state.floes.items() if place != floe}
            stands = {place: side for place, side in state.stands.items() if place != floe}
            caught = list(state.caught)
            caught[state.side] = (*caught[state.side], state.floes[floe])
            stands[goal] = state.side
            key = f"{_name(floe)}-{_name(goal)}"
            found[key] = State(floes, stands, tuple(caught), following, state.placed)
        if not found:
            found["pass"] = State(state.floes, state.stands, state.caught, following, state.placed)
        return found

    def outcome(self, state: State) -> str | None:
        if not self._is_over(state):
            return None
        catches = []
        for side, caught in enumerate(state.caught):
            own = [state.floes[floe] for floe, owner in state.stands.items() if owner == side]
            catches.append((sum(caught) + sum(own), len(caught) + len(own)))
        return " ".join(NAMES[i] for i, got in enumerate(catches) if got == max(catches))

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return {_name(floe): NAMES[side] for floe, side in state.stands.items()}

    def turn(self, state: State) -> tuple[str, int]:
        return NAMES[state.side], state.side + 1
