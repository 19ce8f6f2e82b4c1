"""The numbers by which `priors` judges a site: where each stands, and what it is called.

In: what lies around the sites of a board, and by which turns all of it is worth the same. Out:
`Patterns`: a table of numbers for one side. What then holds: each number has a name that a person
can read; those that a turn brings to each other have one name, and are the same.

Of a pattern, each sign is what stands on one site: `o` an own piece, `x` an enemy's, `.` nothing,
`#` that there is no such site. Near sites are told against the clock, the first on the right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.board.symmetries import Permutation
from gdl.interpreter.search.first_moves.priors import BESIDE_STATES, BETWEEN_STATES, BEYOND_STATES
from gdl.interpreter.search.first_moves.surroundings import STATES, Surroundings

Indices = NDArray[np.int64]

NEAR, BEYOND, ANSWER, ANSWER_BEYOND, OWN, OWN_BEYOND, SITE = range(7)
PARTS = ("near", "beyond", "answer", "answer beyond", "follow", "follow beyond", "site")
"""The parts of a table: what is near a site; what lies beyond; that the last move was near it, or
beyond; that the side's own last one was; and the site itself."""
_SIGNS = ".ox#"


class Patterns:
    """What stands where in a table of `size` numbers; a part begins at its place in `begins`."""

    def __init__(
        self, around: Surroundings, turns: Sequence[Permutation], sites: Sequence[str]
    ) -> None:
        """Take what lies around sites, the turns of it but for none at all, and sites' names."""
        self.around = around
        self.sites = sites
        neighbours, beyond = len(around.near), len(around.beyond)
        sizes = (
            STATES**neighbours,
            beyond * BEYOND_STATES,
            neighbours * BESIDE_STATES,
            beyond * BETWEEN_STATES,
            neighbours,
            beyond,
            len(sites),
        )
        self.begins = tuple(accumulate(sizes, initial=0))
        self.size = self.begins[-1]
        whole = tuple(range(neighbours))
        self._turns = [(turn, _known(around.beyond_turned(turn))) for turn in (whole, *turns)]

    # --------------------------------------------------------------------- by turns

    @cached_property
    def images(self) -> Indices:
        """For each turn a row: to which index each is brought."""
        rows = [self._image(turn, beyond) for turn, beyond in self._turns]
        return np.array(rows)

    @cached_property
    def first(self) -> Indices:
        """For each index the least of those that turns bring it to, which stands for all."""
        found: Indices = self.images.min(axis=0)
        return found

    def _image(self, turn: Permutation, beyond_turn: Permutation) -> Indices:
        around, neighbours = self.around, len(self.around.near)
        patterns = np.arange(STATES**neighbours)
        parts = [sum((_digit(patterns, n) << 2 * to) for n, to in enumerate(turn))]
        between = np.arange(BETWEEN_STATES)
        for n, to in enumerate(beyond_turn):
            turned = np.zeros_like(between)
            for place, near in enumerate(around.between[n]):
                target = around.between[to].index(turn[near])
                turned |= _digit(between, place) << 2 * target
            # The state itself is in the two lowest bits; what no direction needs goes nowhere.
            parts.append(to * BEYOND_STATES + (np.repeat(turned, STATES) << 2 | _tiled_states()))
        for n, to in enumerate(turn):
            beside = np.arange(BESIDE_STATES)
            is_same = turn[around.beside[n][0]] == around.beside[to][0]
            swapped = _digit(beside, 1) | _digit(beside, 0) << 2
            parts.append(to * BESIDE_STATES + (beside if is_same else swapped))
        for n, to in enumerate(beyond_turn):
            turned = np.zeros_like(between)
            for place, near in enumerate(around.between[n]):
                target = around.between[to].index(turn[near])
                turned |= _digit(between, place) << 2 * target
            parts.append(to * BETWEEN_STATES + turned)
        parts += [np.array(turn), np.array(beyond_turn), np.arange(len(self.sites))]
        begins = [self.begins[NEAR]]
        begins += [self.begins[BEYOND]] * len(beyond_turn)
        begins += [self.begins[ANSWER]] * len(turn)
        begins += [self.begins[ANSWER_BEYOND]] * len(beyond_turn)
        begins += [self.begins[part] for part in (OWN, OWN_BEYOND, SITE)]
        shifted = [np.array(part) + begin for part, begin in zip(parts, begins, strict=True)]
        return np.concatenate(shifted).astype(np.int64)

    # --------------------------------------------------------------------- of positions

    @cached_property
    def _rows(self) -> tuple[Indices, Indices]:
        around = self.around
        near = np.array(around.near_sites).T
        beyond = np.array(around.beyond_sites).reshape(len(around.beyond), around.sites).T
        return near, beyond

    def columns(
        self, states: Indices, sites: Indices, last: int | None, own: int | None
    ) -> Indices:
        """Return for each of some sites a row of the indices of numbers by which it is judged.

        `states` has what stands on each site of the board, and at last OFF; `last` and `own` are
        where the enemy's and the side's last moves were. Where there is no number for something,
        the index is `size`.
        """
        near_rows, beyond_rows = self._rows
        around = self.around
        near, beyond = states[near_rows[sites]], states[beyond_rows[sites]]
        pattern = sum(near[:, n] << 2 * n for n in range(len(around.near)))
        found = [np.asarray(pattern)]
        between = [
            sum((near[:, k] << 2 * place for place, k in enumerate(through)), np.zeros_like(sites))
            for through in around.between
        ]
        for n, through in enumerate(between):
            found.append(self.begins[BEYOND] + n * BEYOND_STATES + (through << 2) + beyond[:, n])
        answer = np.full(len(sites), self.size)
        follow = np.full(len(sites), self.size)
        for n, (right, left) in enumerate(around.beside):
            beside = near[:, right] + STATES * near[:, left]
            index = self.begins[ANSWER] + n * BESIDE_STATES + beside
            answer = np.where(near_rows[sites, n] == _or_none(last), index, answer)
            follow = np.where(near_rows[sites, n] == _or_none(own), self.begins[OWN] + n, follow)
        for n, through in enumerate(between):
            index = self.begins[ANSWER_BEYOND] + n * BETWEEN_STATES + through
            answer = np.where(beyond_rows[sites, n] == _or_none(last), index, answer)
            index = np.full(len(sites), self.begins[OWN_BEYOND] + n)
            follow = np.where(beyond_rows[sites, n] == _or_none(own), index, follow)
        return np.stack([*found, answer, follow, self.begins[SITE] + sites], axis=1)

    # --------------------------------------------------------------------- by name

    def told(self, index: int) -> tuple[str, str]:
        """Return the part of an index, and its name there."""
        part = max(n for n in range(len(PARTS)) if self.begins[n] <= index)
        rest = index - self.begins[part]
        return PARTS[part], self._names(part)[rest]

    @cached_property
    def named(self) -> Mapping[tuple[str, str], int]:
        """The index of each name of a part."""
        found: dict[tuple[str, str], int] = {}
        for part, name in enumerate(PARTS):
            for rest, text in enumerate(self._names(part)):
                found.setdefault((name, text), self.begins[part] + rest)
        return found

    def _names(self, part: int) -> Sequence[str]:
        if part not in self._kept_names:
            self._kept_names[part] = list(self._new_names(part))
        return self._kept_names[part]

    @cached_property
    def _kept_names(self) -> dict[int, list[str]]:
        return {}

    def _new_names(self, part: int) -> Iterator[str]:
        around, neighbours = self.around, len(self.around.near)
        if part == NEAR:
            yield from (_signs(n, neighbours) for n in range(STATES**neighbours))
        elif part == SITE:
            yield from self.sites
        elif part in (ANSWER, OWN):
            for x, y in around.near:
                for n in range(BESIDE_STATES if part == ANSWER else 1):
                    beside = f" {_signs(n, 2)}" if part == ANSWER else ""
                    yield f"{x:.1f},{y:.1f}{beside}"
        else:
            states = {BEYOND: BEYOND_STATES, ANSWER_BEYOND: BETWEEN_STATES}.get(part, 1)
            for (x, y), through in zip(around.beyond, around.between, strict=True):
                for n in range(states):
                    signs = len(through) + (1 if part == BEYOND else 0)
                    there = f" {_signs(n, signs)}" if states > 1 else ""
                    yield f"{x:.1f},{y:.1f}{there}"


def _known(turn: Permutation | None) -> Permutation:
    if turn is None:
        raise ValueError("this is no turn of what lies beyond")
    return turn


def _digit(numbers: Any, place: int) -> Any:
    return numbers >> 2 * place & 3


def _tiled_states() -> Indices:
    return np.tile(np.arange(STATES), BETWEEN_STATES)


def _or_none(site: int | None) -> int:
    return -1 if site is None else site


def _signs(number: int, neighbours: int) -> str:
    return "".join(_SIGNS[number >> 2 * n & 3] for n in range(neighbours))
