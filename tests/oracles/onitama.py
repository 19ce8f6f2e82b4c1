"""Onitama (Shimpei Sato), from the publisher's rules and the pictures of its sixteen cards.

In: nothing. Out: an oracle. What then holds: a card is drawn as one sees it, `o` the piece that
moves and `x` where it may go; squares are turned round for Red.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product

from oracles.oracle import Point, site

CARDS = {
    "tiger": "..x../...../..o../..x../.....",
    "dragon": "...../x...x/..o../.x.x./.....",
    "frog": "...../.x.../x.o../...x./.....",
    "rabbit": "...../...x./..o.x/.x.../.....",
    "crab": "...../..x../x.o.x/...../.....",
    "elephant": "...../.x.x./.xox./...../.....",
    "goose": "...../.x.../.xox./...x./.....",
    "rooster": "...../...x./.xox./.x.../.....",
    "monkey": "...../.x.x./..o../.x.x./.....",
    "mantis": "...../.x.x./..o../..x../.....",
    "horse": "...../..x../.xo../..x../.....",
    "ox": "...../..x../..ox./..x../.....",
    "crane": "...../..x../..o../.x.x./.....",
    "boar": "...../..x../.xox./...../.....",
    "eel": "...../.x.../..ox./.x.../.....",
    "cobra": "...../...x./.xo../...x./.....",
}
BLUE, RED = 0, 1
TEMPLES = ((3, 1), (3, 5))


def steps(card: str, side: int) -> list[Point]:
    """Return where a card leads, as columns to the right and rows up."""
    rows = CARDS[card].split("/")
    turned = 1 if side == BLUE else -1
    found = product(range(5), repeat=2)
    return [((x - 2) * turned, (2 - y) * turned) for x, y in found if rows[y][x] == "x"]


@dataclass(frozen=True)
class State:
    """The pieces and whether they are Masters, each side's cards, and the one beside the board."""

    pieces: Mapping[Point, tuple[int, bool]]
    side: int = BLUE
    hands: tuple[frozenset[str], frozenset[str]] = (frozenset(), frozenset())
    fifth: str = ""


@dataclass(frozen=True)
class Onitama:
    """Blue sits below."""

    sides = ("Blue", "Red")

    def start(self) -> State:
        places = product(range(1, 6), ((1, BLUE), (5, RED)))
        return State({(x, y): (side, x == 3) for x, (y, side) in places})

    def key(self, text: str) -> str:
        return text

    def moves(self, state: State) -> dict[str, State]:
        if self.outcome(state) is not None:
            return {}
        if not state.fifth:
            left = CARDS.keys() - state.hands[BLUE] - state.hands[RED]
            return {card: self._dealt(state, card) for card in left}
        found = {}
        for card in state.hands[state.side]:
            for here, (side, master) in state.pieces.items():
                for x, y in steps(card, state.side) if side == state.side else ():
                    there = (here[0] + x, here[1] + y)
                    own = state.pieces.get(there, (1 - side, False))[0] == side
                    if min(there) >= 1 and max(there) <= 5 and not own:
                        pieces = {p: who for p, who in state.pieces.items() if p != here}
                        pieces[there] = (side, master)
                        move = f"{card} {site(here)}-{site(there)}"
                        found[move] = self._exchanged(state, pieces, card)
        hand = state.hands[state.side]
        return found or {card: self._exchanged(state, state.pieces, card) for card in hand}

    @staticmethod
    def _with(state: State, hand: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
        return (hand, state.hands[RED]) if state.side == BLUE else (state.hands[BLUE], hand)

    def _dealt(self, state: State, card: str) -> State:
        if sum(map(len, state.hands)) == 4:
            return State(state.pieces, BLUE, state.hands, card)
        hands = self._with(state, state.hands[state.side] | {card})
        return State(state.pieces, 1 - state.side, hands)

    def _exchanged(
        self, state: State, pieces: Mapping[Point, tuple[int, bool]], card: str
    ) -> State:
        hands = self._with(state, state.hands[state.side] - {card} | {state.fifth})
        return State(pieces, 1 - state.side, hands, card)

    def outcome(self, state: State) -> str | None:
        last = 1 - state.side
        if (state.side, True) not in state.pieces.values():
            return self.sides[last]
        home = state.pieces.get(TEMPLES[state.side])
        return self.sides[last] if home == (last, True) else None

    def pieces(self, state: State) -> dict[str, str]:
        return {site(place): self.sides[side] for place, (side, _) in state.pieces.items()}

    def turn(self, state: State) -> tuple[str, int | None]:
        return self.sides[state.side], state.side + 1 if state.fifth else None
