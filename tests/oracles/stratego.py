"""Stratego, from the game rules of the International Stratego Federation, and what each side knows.

In: nothing. Out: an oracle. What then holds: a piece knows whether its kind is known to both sides,
and each side keeps a record of its own moves, of which the last ones are looked through for moves
to and fro.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial

from oracles.oracle import DRAW, Point, Turns, beside, site, square

RED, BLUE = "Red", "Blue"
ARMY = (
    "Marshal General Colonel Colonel Major Major Major Captain Captain Captain Captain "
    "Lieutenant Lieutenant Lieutenant Lieutenant Sergeant Sergeant Sergeant Sergeant "
    "Miner Miner Miner Miner Miner Scout Scout Scout Scout Scout Scout Scout Scout Spy "
    "Bomb Bomb Bomb Bomb Bomb Bomb Flag"
)
BARRAGE = "Marshal General Miner Scout Scout Spy Bomb Flag"
DUEL = "Marshal General Miner Miner Scout Scout Spy Bomb Bomb Flag"
OFFICERS = ("Sergeant", "Lieutenant", "Captain", "Major", "Colonel", "General", "Marshal")
RANKS = ("Spy", "Scout", "Miner", *OFFICERS)
KINDS = [*RANKS, "Bomb", "Flag"]
LAKES = {(column, row) for column in (3, 4, 7, 8) for row in (5, 6)}
LAND = set(square(10)) - LAKES

Move = tuple[Point, Point]


def enemy_of(side: str) -> str:
    return BLUE if side == RED else RED


@dataclass(frozen=True)
class Piece:
    """A piece, and whether both sides know its kind."""

    side: str
    kind: str
    known: bool = False


@dataclass(frozen=True)
class State:
    """The pieces, what each side has yet to place, each side's moves, and what has fallen."""

    pieces: Mapping[Point, Piece]
    reserves: Mapping[str, tuple[str, ...]]
    side: str = RED
    made: Mapping[str, tuple[Move, ...]] = field(default_factory=lambda: {RED: (), BLUE: ()})
    fallen: tuple[Piece, ...] = ()
    quiet: int = 0


@dataclass(frozen=True)
class Stratego:
    """An army, how many rows it is set up in, and the options of the game."""

    army: str = ARMY
    rows: int = 4
    repeats: int = 5
    patience: int = 200

    def start(self) -> State:
        return State({}, {side: tuple(self.army.split()) for side in (RED, BLUE)})

    def key(self, text: str) -> str:
        return text

    def turn(self, state: State) -> tuple[str, int | None]:
        return state.side, 1 if state.side == RED else 2

    def pieces(self, state: State) -> dict[str, str]:
        return {site(point): piece.side for point, piece in state.pieces.items()}

    def seen(self, state: State, side: str) -> tuple[dict[str, str], dict[str, str], bool]:
        """Return what a side sees: pieces, what fell and is known, and if it was told the move."""
        pieces = {
            site(point): f"{p.side} {p.kind}" if p.known or p.side == side else p.side
            for point, p in state.pieces.items()
        }
        lost = Counter((piece.side, piece.kind) for piece in state.fallen)
        values = {f"hand({s}, {k})": str(lost[s, k]) for s in (RED, BLUE) for k in KINDS}
        by_rows = sorted(state.pieces, key=lambda point: point[::-1])
        known = " ".join(site(point) for point in by_rows if state.pieces[point].known)
        values |= {"quiet": str(state.quiet), "known": known or "none"}
        return pieces, values, bool(state.made[RED])

    def moves(self, state: State) -> Mapping[str, State]:
        if self.outcome(state) is not None:
            return {}
        if any(state.reserves.values()):
            return Turns(dict(self._placings(state)))
        return Turns(
            {
                f"{site(start)}-{site(end)}": partial(self._moved, state, start, end)
                for start, end in self._steps(state, state.side)
                if not self._is_to_and_fro(state, (start, end))
            }
        )

    def outcome(self, state: State) -> str | None:
        if any(state.reserves.values()):
            return None
        mover = enemy_of(state.side)
        if any(p.kind == "Flag" and p.side == state.side for p in state.fallen):
            return mover
        if state.quiet >= self.patience:
            return DRAW
        steps = list(self._steps(state, state.side))
        if all(self._is_to_and_fro(state, step) for step in steps):
            return mover if any(True for _ in self._steps(state, mover)) else DRAW
        return None

    def _placings(self, state: State) -> Iterator[tuple[str, partial[State]]]:
        first = 1 if state.side == RED else 11 - self.rows
        for kind in dict.fromkeys(state.reserves[state.side]):
            for point in square(10):
                if first <= point[1] < first + self.rows and point not in state.pieces:
                    yield f"{kind} {site(point)}", partial(self._placed, state, kind, point)

    def _placed(self, state: State, kind: str, point: Point) -> State:
        left = list(state.reserves[state.side])
        left.remove(kind)
        reserves = {**state.reserves, state.side: tuple(left)}
        pieces = {**state.pieces, point: Piece(state.side, kind)}
        side = state.side if left else enemy_of(state.side)
        return replace(state, pieces=pieces, reserves=reserves, side=side)

    def _steps(self, state: State, side: str) -> Iterator[Move]:
        """Yield where the pieces of a side can go, with no regard to what was moved before."""
        for point, piece in state.pieces.items():
            if piece.side != side or piece.kind in ("Bomb", "Flag"):
                continue
            for near in beside(point):
                way = near[0] - point[0], near[1] - point[1]
                end = near
                while end in LAND:
                    there = state.pieces.get(end)
                    if there is None or there.side != side:
                        yield point, end
                    if there is not None or piece.kind != "Scout":
                        break
                    end = end[0] + way[0], end[1] + way[1]

    def _is_to_and_fro(self, state: State, step: Move) -> bool:
        """Whether it is one too many of a row of moves between the same two squares."""
        before = state.made[state.side][-self.repeats :]
        turned = (step[1], step[0])
        wanted = [turned if number % 2 == 0 else step for number in range(self.repeats)]
        return list(reversed(before)) == wanted

    def _moved(self, state: State, start: Point, end: Point) -> State:
        pieces = dict(state.pieces)
        piece = pieces.pop(start)
        if abs(start[0] - end[0]) + abs(start[1] - end[1]) > 1:
            piece = replace(piece, known=True)
        fallen, quiet = list(state.fallen), state.quiet + 1
        there = pieces.get(end)
        if there is None:
            pieces[end] = piece
        else:
            quiet = 0
            pieces[end] = replace(there, known=True)
            wins = self._wins(piece.kind, there.kind)
            if wins is not False:
                fallen.append(pieces.pop(end))
            if wins is True:
                pieces[end] = replace(piece, known=True)
            else:
                fallen.append(piece)
        made = {**state.made, state.side: (*state.made[state.side], (start, end))}
        return State(pieces, state.reserves, enemy_of(state.side), made, tuple(fallen), quiet)

    def _wins(self, attacker: str, defender: str) -> bool | None:
        """Whether a piece that attacks wins; None if both fall."""
        if defender == "Flag":
            return True
        if defender == "Bomb":
            return attacker == "Miner"
        if (attacker, defender) == ("Spy", "Marshal"):
            return True
        if attacker == defender:
            return None
        return RANKS.index(attacker) > RANKS.index(defender)
