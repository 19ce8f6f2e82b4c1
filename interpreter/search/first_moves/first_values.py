"""What was learned of surroundings: a text that anybody can read, and `Priors` for a search.

In: numbers by the names of `patterns`; or a part of a file of tuned data. Out: `Priors`. What then
holds: what is damaged, or does not fit a board, is refused.

    first values:
      turns: [123450, 234501]
      near: {o.x...: 0.04, oo....: [0.02, -0.01]}
      beyond: {'0.0,1.7 o..': 0.05}
      answer: {'1.0,0.0 oo': 0.1}
      site: {a1: -0.02}

A number is added to the first value of a move, from 0 to 1, for each name that fits its site; where
there are two, the one is for moves of the first side, the other for those of the second. What holds
of a pattern holds of those to which turns bring it: of each, this is where near sites go.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.board.symmetries import Permutation
from gdl.data_classes import dataclass
from gdl.interpreter.search.evaluation.features import Feature
from gdl.interpreter.search.first_moves.patterns import (
    ANSWER,
    ANSWER_BEYOND,
    BEYOND,
    OWN,
    OWN_BEYOND,
    PARTS,
    SITE,
    Patterns,
)
from gdl.interpreter.search.first_moves.priors import Priors
from gdl.interpreter.search.first_moves.surroundings import MOST_BETWEEN, Surroundings, surroundings
from gdl.interpreter.search.machine.instructions import array, filled
from gdl.model import Game

_WORD_BITS = 64
_MOST = 1.0

Numbers = Mapping[str, tuple[float, float]]


@dataclass(frozen=True)
class FirstValues:
    """By how much what surrounds a site changes the first value of a move that sets a piece there.

    For each part of `patterns`, `worth` has by name two numbers: for the first and the second side.
    """

    turns: tuple[Permutation, ...] = ()
    worth: Mapping[str, Numbers] = field(default_factory=dict)

    def times(self, factor: float) -> FirstValues:
        """Return all numbers multiplied by a factor."""
        return FirstValues(
            self.turns,
            {
                part: {name: (factor * a, factor * b) for name, (a, b) in numbers.items()}
                for part, numbers in self.worth.items()
            },
        )

    @property
    def told(self) -> dict[str, Any]:
        """What a file tells of it."""
        found: dict[str, Any] = {"turns": ["".join(map(str, turn)) for turn in self.turns]}
        for part, numbers in self.worth.items():
            rounded = {
                name: tuple(round(one, 3) + 0.0 for one in both) for name, both in numbers.items()
            }
            shown = {
                name: both[0] if both[0] == both[1] else list(both)
                for name, both in rounded.items()
                if any(both)
            }
            if shown:
                found[part] = shown
        return found

    @classmethod
    def of(cls, told: Any) -> FirstValues:
        """Return what a file tells. Raises ValueError, KeyError, TypeError if it is damaged."""
        turns = tuple(tuple(map(int, str(turn))) for turn in told["turns"])
        worth = {part: _numbers(told[part]) for part in PARTS if part in told}
        return cls(turns, worth)

    def table(self, patterns: Patterns) -> NDArray[np.float32]:
        """Return the numbers of both sides. Raises ValueError for a name that there is not."""
        found = np.zeros((2, patterns.size), np.float32)
        for part, numbers in self.worth.items():
            for name, both in numbers.items():
                index = patterns.named.get((part, name))
                if index is None:
                    raise ValueError(f"{part} has nothing by the name of {name}")
                for image in set(patterns.images[:, index]):
                    found[:, image] = both
        return found

    def priors(self, features: tuple[Feature, ...], masks: memoryview, game: Game) -> Priors:
        """Return what a search of a game needs. Raises ValueError if this is of another board."""
        around = surroundings(game.board)
        if around is None or any(sorted(t) != [*range(len(around.near))] for t in self.turns):
            raise ValueError("the board has no such surroundings")
        names = [site.name for site in game.board.sites]
        patterns = Patterns(around, self.turns, names)
        return priors_of(patterns, self.table(patterns), sets_of_sides(features), masks)


def sets_of_sides(features: tuple[Feature, ...]) -> list[tuple[int, int]]:
    """Return where each set of sites begins that has pieces of a side, in bits, and the side."""
    return [(8 * one.offset, one.side) for one in features if one.side is not None]


def priors_of(
    patterns: Patterns,
    table: NDArray[np.float32],
    sets: list[tuple[int, int]],
    masks: memoryview,
) -> Priors:
    """Return priors by a table of numbers for each side."""
    around, words = patterns.around, len(masks)
    site_of, side_of = array("Shorts", words * _WORD_BITS), [-1] * (words * _WORD_BITS)
    held = [0] * words
    for begin, side in sets:
        for site in range(around.sites):
            bit = begin + site
            site_of[bit], side_of[bit] = site, side
            held[bit // _WORD_BITS] |= 1 << bit % _WORD_BITS
    worth = array("Floats", table.size)
    for n, value in enumerate(table.ravel().tolist()):
        worth[n] = value
    between = [len(around.near)] * (MOST_BETWEEN * len(around.beyond))
    for n, through in enumerate(around.between):
        between[n * MOST_BETWEEN : n * MOST_BETWEEN + len(through)] = through
    begins = patterns.begins
    return Priors(
        sites=around.sites,
        near=len(around.near),
        beyond=len(around.beyond),
        near_sites=filled("Shorts", _by_site(around, around.near_sites)),
        beyond_sites=filled("Shorts", _by_site(around, around.beyond_sites)),
        between=filled("Signs", between),
        words=words,
        masks=filled("Words", [_signed(word) for word in held]),
        site_of=site_of,
        side_of=filled("Signs", side_of),
        size=patterns.size,
        of_beyond=begins[BEYOND],
        of_answer=begins[ANSWER],
        of_answer_beyond=begins[ANSWER_BEYOND],
        of_own=begins[OWN],
        of_own_beyond=begins[OWN_BEYOND],
        of_site=begins[SITE],
        worth=worth,
    )


def _by_site(around: Surroundings, rows: tuple[tuple[int, ...], ...]) -> list[int]:
    return [row[site] for site in range(around.sites) for row in rows]


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


def _numbers(told: Any) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}
    for name, value in told.items():
        one, other = map(float, value) if isinstance(value, list) else (float(value),) * 2
        if not (abs(one) <= _MOST and abs(other) <= _MOST) or math.isnan(one + other):
            raise ValueError("no number from -1 to 1")
        found[str(name)] = one, other
    return found
