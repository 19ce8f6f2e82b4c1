"""GIPF with GIPF-pieces, the standard and the tournament version, from their rules.

They are those of https://www.ultraboardgames.com/gipf/standard-rules.php, …/tournament-rules.php
and http://gipf.com/gipf/faq/faq.html.

In: which of the two is played. Out: an oracle. What then holds: a piece is worth as many pieces of
the reserve as it is made of, one or two.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import product

from oracles.gipf import CORNERS, DOTS_AND_SPOTS, LINES
from oracles.gipf_project import Spot
from oracles.oracle import Turns, other

ORDER = {spot: number for number, spot in enumerate(DOTS_AND_SPOTS)}
Piece = tuple[str, int]
"""The side, and 2 for a GIPF-piece."""
Words = tuple[str, ...]


@dataclass(frozen=True)
class GipfPiecesState:
    """The pieces by spot, the reserves, who may bring in GIPF-pieces, whose turn, turns made."""

    board: Mapping[Spot, Piece]
    reserve: Mapping[str, int]
    opening: Mapping[str, bool]
    side: str = "White"
    turns: int = 0


@dataclass(frozen=True)
class GipfPieces:
    """Three GIPF-pieces each stand at the corners, or, in a tournament, none at first."""

    tournament: bool = False
    reserve: int = 12

    def start(self) -> GipfPiecesState:
        sides = ("White", "Black")
        board = {spot: (sides[i % 2], 2) for i, spot in enumerate(CORNERS)}
        return GipfPiecesState(
            {} if self.tournament else board,
            dict.fromkeys(sides, self.reserve + 6 * self.tournament),
            dict.fromkeys(sides, self.tournament),
        )

    def moves(self, state: GipfPiecesState) -> Mapping[str, GipfPiecesState]:
        found = {}
        for before, cleared in self._cleared(state, frozenset()):
            for text, pushed in self._pushes(cleared):
                for after, last in self._cleared(pushed, frozenset()):
                    found[" ".join((*before, text, *after))] = replace(
                        last, side=other(state.side), turns=state.turns + 1
                    )
        return Turns({text: (lambda after=after: after) for text, after in found.items()})  # type: ignore[misc]

    def _rows(self, state: GipfPiecesState) -> Iterator[list[Spot]]:
        """Yield what stands without a gap in a line, if four of the side on turn follow in it."""
        for line in LINES:
            spots = "".join(state.board.get(spot, ".")[0][0] for spot in line)
            begin = 0
            for part in spots.split("."):
                if state.side[0] * 4 in part:
                    yield line[begin : begin + len(part)]
                begin += len(part) + 1

    def _cleared(
        self, state: GipfPiecesState, left: frozenset[Spot]
    ) -> Iterator[tuple[Words, GipfPiecesState]]:
        """Yield the ways to take rows until none has anything else than GIPF-pieces that stay."""
        rows = [row for row in self._rows(state) if not left.issuperset(row)]
        if not rows:
            yield (), state
        for row in rows:
            doubles = sorted((s for s in row if state.board[s][1] == 2), key=ORDER.__getitem__)
            for answers in product(("leave", "lift"), repeat=len(doubles)):
                stay = {s for s, word in zip(doubles, answers, strict=True) if word == "leave"}
                gone = [spot for spot in row if spot not in stay]
                back = sum(state.board[s][1] for s in gone if state.board[s][0] == state.side)
                after = replace(
                    state,
                    board={s: piece for s, piece in state.board.items() if s not in gone},
                    reserve={**state.reserve, state.side: state.reserve[state.side] + back},
                )
                words = (DOTS_AND_SPOTS[row[0]], DOTS_AND_SPOTS[row[-1]], *answers)
                for rest, last in self._cleared(after, left | stay):
                    yield (*words, *rest), last

    def _pushes(self, state: GipfPiecesState) -> Iterator[tuple[str, GipfPiecesState]]:
        """Yield the ways to bring a single piece or a GIPF-piece from a dot onto a spot."""
        side = state.side
        brought = []
        if state.turns > 1 or not state.opening[side]:
            brought.append(1)
        if state.opening[side]:
            brought.append(2)
        for line in (*LINES, *(line[::-1] for line in LINES)):
            vacant = next((i for i, spot in enumerate(line) if spot not in state.board), None)
            if vacant is None:
                continue
            dot = (2 * line[0][0] - line[1][0], 2 * line[0][1] - line[1][1])
            board = dict(state.board)
            for i in range(vacant, 0, -1):
                board[line[i]] = board[line[i - 1]]
            for worth in brought:
                if state.reserve[side] >= worth:
                    text = f"{DOTS_AND_SPOTS[dot]}-{DOTS_AND_SPOTS[line[0]]}" + " gipf" * (
                        worth - 1
                    )
                    yield (
                        text,
                        replace(
                            state,
                            board={**board, line[0]: (side, worth)},
                            reserve={**state.reserve, side: state.reserve[side] - worth},
                            opening={**state.opening, side: state.opening[side] and worth == 2},
                        ),
                    )

    def outcome(self, state: GipfPiecesState) -> str | None:
        last = other(state.side)
        have = {side for side, worth in state.board.values() if worth == 2}
        if state.turns > 1 and state.side not in have:
            return last
        if state.turns > 1 and last not in have:
            return state.side
        able = state.reserve[state.side] or any(self._rows(state))
        return None if able else last

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: GipfPiecesState) -> dict[str, str]:
        return {DOTS_AND_SPOTS[spot]: side for spot, (side, _) in state.board.items()}

    def turn(self, state: GipfPiecesState) -> tuple[str, int]:
        return state.side, 1 if state.side == "White" else 2
