"""Sim, from the rules in words.

In: nothing. Out: an oracle. What then holds: a line is a pair of points, and a triangle is looked
for among all triples of points.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations

POINTS = "abcdef"
SIDES = ("Red", "Blue")


@dataclass(frozen=True)
class State:
    """Whose each line is that is drawn, and whose turn it is."""

    drawn: Mapping[str, str] = field(default_factory=dict)
    side: int = 0


class Sim:
    """Six points: who has a triangle of lines loses."""

    def start(self) -> State:
        return State()

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        lines = ("".join(pair) for pair in combinations(POINTS, 2))
        return {
            line: State({**state.drawn, line: SIDES[state.side]}, 1 - state.side)
            for line in lines
            if line not in state.drawn
        }

    def outcome(self, state: State) -> str | None:
        for triple in combinations(POINTS, 3):
            owners = {state.drawn.get("".join(pair), "") for pair in combinations(triple, 2)}
            if len(owners) == 1 and "" not in owners:
                return SIDES[1 - SIDES.index(owners.pop())]
        return None

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: State) -> dict[str, str]:
        return dict(state.drawn)

    def turn(self, state: State) -> tuple[str, int]:
        return SIDES[state.side], state.side + 1
