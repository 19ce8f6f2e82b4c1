"""ZÈRTZ (Kris Burm), from the rules of https://gipf.com/zertz/rules/rules.html.

In: the rings that lie there at first, the marbles of the pool, and what is to be captured. Out: an
oracle. What then holds: rings and marbles are sets of spots, captured by the player who moves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from oracles.gipf_project import STEPS, Spot, hexagon, step
from oracles.oracle import DRAW, Turns, letters, reached

SIDES = ("First", "Second")


@dataclass(frozen=True)
class ZertzState:
    """Rings on the table, marbles on them, the pool, captures by side, and whose turn it is."""

    rings: frozenset[Spot]
    pool: Mapping[str, int]
    captured: tuple[Mapping[str, int], Mapping[str, int]] = (Counter(), Counter())
    marbles: Mapping[Spot, str] = field(default_factory=dict)
    side: int = 0
    passes: int = 0
    before: tuple[object, ...] = ()
    """What earlier positions were, in full."""

    def seen(self) -> object:
        """Return all that makes this position."""
        pools = [sorted((+Counter(pool)).items()) for pool in (self.pool, *self.captured)]
        return self.rings, self.marbles, self.side, pools


def tournament() -> dict[Spot, str]:
    """Return the 48 spots of sides of five and four in turn: a triangle of 11 without its tips."""
    return {
        (x, y): f"{letters(x + 1)}{y + 1}" for y in range(8) for x in range(8) if 3 <= x + y <= 10
    }


@dataclass(frozen=True)
class Zertz:
    """A board of rings, the pool at the start, so many marbles of one colour, or of each."""

    board: Mapping[Spot, str]
    pool: tuple[int, int, int] = (6, 8, 10)
    goals: tuple[int, int, int] = (4, 5, 6)
    each: int = 3

    def start(self) -> ZertzState:
        pool = dict(zip(("White", "Grey", "Black"), self.pool, strict=True))
        return ZertzState(frozenset(self.board), pool)

    def moves(self, state: ZertzState) -> Mapping[str, ZertzState]:
        if self.outcome(state) is not None:
            return {}
        jumps = {
            text: after for spot in state.marbles for text, after in self._jumps(state, spot, False)
        }
        if jumps:
            return {text: self._next(state, after) for text, after in jumps.items()}
        return self._placings(state) or {
            "pass": replace(self._next(state, state), passes=state.passes + 1)
        }

    @staticmethod
    def _next(state: ZertzState, after: ZertzState) -> ZertzState:
        return replace(after, side=1 - state.side, passes=0, before=(*state.before, state.seen()))

    @staticmethod
    def _capture(state: ZertzState, spots: set[Spot]) -> ZertzState:
        """Return what is when the player on turn has taken the marbles on some spots."""
        captured = list(state.captured)
        captured[state.side] = Counter(captured[state.side]) + Counter(
            state.marbles[s] for s in spots
        )
        left = {spot: colour for spot, colour in state.marbles.items() if spot not in spots}
        return replace(state, marbles=left, captured=(captured[0], captured[1]))

    def _jumps(
        self, state: ZertzState, spot: Spot, begun: bool
    ) -> Iterator[tuple[str, ZertzState]]:
        """Yield each row of jumps of one marble that goes on as long as it can."""
        stands = True
        for way in STEPS:
            over, goal = step(spot, way), step(spot, way, 2)
            if over in state.marbles and goal in state.rings and goal not in state.marbles:
                stands = False
                after = self._capture(state, {over})
                marbles = {s: colour for s, colour in after.marbles.items() if s != spot}
                after = replace(after, marbles={**marbles, goal: state.marbles[spot]})
                for rest, last in self._jumps(after, goal, True):
                    yield f"{self.board[spot]}-{rest}", last
        if stands and begun:
            yield self.board[spot], state

    def _placings(self, state: ZertzState) -> Mapping[str, ZertzState]:
        """Return what can be placed where, and which ring can be taken away then."""
        own = state.captured[state.side]
        stock = state.pool if any(state.pool.values()) else own
        found = {}
        vacant = state.rings - set(state.marbles)
        for colour in (colour for colour, number in stock.items() if number):
            for spot in vacant:
                placed = self._placed(state, colour, spot)
                text = f"{colour} {self.board[spot]}"
                free = [s for s in vacant if s != spot and self._is_free(state.rings, s)]
                for ring in free:
                    found[f"{text} {self.board[ring]}"] = (placed, state.rings - {ring})
                if not free:
                    found[text] = (placed, state.rings)

        def played(placed: ZertzState, rings: frozenset[Spot]) -> ZertzState:
            return self._next(state, self._isolated(replace(placed, rings=rings)))

        return Turns({text: (lambda a=after: played(*a)) for text, after in found.items()})

    @staticmethod
    def _placed(state: ZertzState, colour: str, spot: Spot) -> ZertzState:
        marbles = {**state.marbles, spot: colour}
        if any(state.pool.values()):
            pool = {**state.pool, colour: state.pool[colour] - 1}
            return replace(state, marbles=marbles, pool=pool)
        captured = list(state.captured)
        captured[state.side] = Counter(captured[state.side]) - Counter([colour])
        return replace(state, marbles=marbles, captured=(captured[0], captured[1]))

    @staticmethod
    def _is_free(rings: frozenset[Spot], spot: Spot) -> bool:
        """Tell whether a ring can be drawn away: beside it, two places in a row are bare."""
        bare = [step(spot, way) not in rings for way in STEPS]
        return any(bare[i] and bare[i - 1] for i in range(6))

    def _isolated(self, state: ZertzState) -> ZertzState:
        """Return what is when each part without a vacant ring has been claimed."""
        rings = state.rings
        todo = set(rings)
        while todo:
            part = reached(
                [todo.pop()], lambda spot: [s for way in STEPS if (s := step(spot, way)) in rings]
            )
            todo -= part
            if part <= set(state.marbles):
                state = replace(self._capture(state, part), rings=state.rings - part)
        return state

    def outcome(self, state: ZertzState) -> str | None:
        mover = 1 - state.side
        taken = [state.captured[mover].get(colour, 0) for colour in ("White", "Grey", "Black")]
        if any(n >= goal for n, goal in zip(taken, self.goals, strict=True)):
            return SIDES[mover]
        if min(taken) >= self.each or not state.rings:
            return SIDES[mover]
        repeated = state.before.count(state.seen()) >= 2
        return DRAW if repeated or state.passes == 2 else None

    def key(self, text: str) -> str:
        return text

    def pieces(self, state: ZertzState) -> dict[str, str]:
        return {self.board[spot]: colour for spot, colour in state.marbles.items()}

    def turn(self, state: ZertzState) -> tuple[str, int]:
        return SIDES[state.side], state.side + 1


BOARDS = {37: hexagon(4), 48: tournament()}
"""The boards of the rules, by how many rings they have."""
