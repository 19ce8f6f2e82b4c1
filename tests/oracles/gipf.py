"""GIPF, the basic game (Kris Burm), from its rules: http://www.gipf.com/gipf/rules/rules.html.

In: how many pieces the players have in reserve. Out: an oracle. What then holds: a line is a list
of spots from one end to the other, as they are drawn on the board.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from oracles.gipf_project import STEPS, Spot, hexagon, step
from oracles.oracle import Turns, other

DOTS_AND_SPOTS = hexagon(5)
SPOTS = {spot for spot in DOTS_AND_SPOTS if max(abs(spot[0]), abs(spot[1]), abs(sum(spot))) < 4}
CORNERS = [(3 * x, 3 * y) for x, y in STEPS]


def lines() -> Iterator[list[Spot]]:
    """Yield each line of spots: from the left, the lower left or the lower right end."""
    for way in STEPS[:3]:
        for spot in sorted(SPOTS):
            if step(spot, way, -1) not in SPOTS:
                line = [spot]
                while step(line[-1], way) in SPOTS:
                    line.append(step(line[-1], way))
                yield line


LINES = list(lines())


@dataclass(frozen=True)
class GipfState:
    """The pieces by spot, the reserves, and whose turn it is."""

    board: Mapping[Spot, str]
    reserve: Mapping[str, int]
    side: str = "White"


@dataclass(frozen=True)
class Gipf:
    """Three pieces of each side stand at the corners, so many are in reserve."""

    reserve: int = 12

    def start(self) -> GipfState:
        board = {spot: "White" if i % 2 == 0 else "Black" for i, spot in enumerate(CORNERS)}
        return GipfState(board, {"White": self.reserve, "Black": self.reserve})

    def moves(self, state: GipfState) -> Mapping[str, GipfState]:
        found = {}
        for before, cleared in self._cleared(state):
            for text, pushed in self._pushes(cleared):
                for after, last in self._cleared(pushed):
                    found[" ".join((*before, text, *after))] = last
        return Turns(
            {
                text: (lambda after=after: replace(after, side=other(state.side)))  # type: ignore[misc]
                for text, after in found.items()
            }
        )

    def _rows(self, state: GipfState) -> Iterator[list[Spot]]:
        """Yield rows of four pieces of the side on turn with what stands next to them in line."""
        for line in LINES:
            row: list[Spot] = []
            for spot in [*line, None]:
                if spot is not None and spot in state.board:
                    row.append(spot)
                    continue
                letters = "".join(state.board[s][0] for s in row)
                if state.side[0] * 4 in letters:
                    yield row
                row = []

    def _cleared(self, state: GipfState) -> Iterator[tuple[tuple[str, ...], GipfState]]:
        """Yield the ways to take rows, one after the other, until none is left."""
        stands = True
        for row in self._rows(state):
            stands = False
            mine = [spot for spot in row if state.board[spot] == state.side]
            board = {spot: side for spot, side in state.board.items() if spot not in row}
            reserve = {**state.reserve, state.side: state.reserve[state.side] + len(mine)}
            words = (DOTS_AND_SPOTS[row[0]], DOTS_AND_SPOTS[row[-1]])
            for rest, after in self._cleared(replace(state, board=board, reserve=reserve)):
                yield (*words, *rest), after
        if stands:
            yield (), state

    def _pushes(self, state: GipfState) -> Iterator[tuple[str, GipfState]]:
        """Yield the ways to bring a piece of the reserve from a dot onto a spot."""
        side = state.side
        if state.reserve[side] == 0:
            return
        for line in (*LINES, *(line[::-1] for line in LINES)):
            vacant = next((i for i, spot in enumerate(line) if spot not in state.board), None)
            if vacant is None:
                continue
            board = dict(state.board)
            for i in range(vacant, 0, -1):
                board[line[i]] = board[line[i - 1]]
            board[line[0]] = side
            dot = (2 * line[0][0] - line[1][0], 2 * line[0][1] - line[1][1])
            reserve = {**state.reserve, side: state.reserve[side] - 1}
            text = f"{DOTS_AND_SPOTS[dot]}-{DOTS_AND_SPOTS[line[0]]}"
            yield text, replace(state, board=board, reserve=reserve)

    def outcome(self, state: GipfState) -> str | None:
        able = state.reserve[state.side] or any(self._rows(state))
        return None if able else other(state.side)

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: GipfState) -> dict[str, str]:
        return {DOTS_AND_SPOTS[spot]: side for spot, side in state.board.items()}

    def turn(self, state: GipfState) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2
