"""What a match is: who plays which game against whom, from which opening.

In: a game, players, a number of games, a seed. Out: for each game its line-up and its opening. What
then holds: all of it follows from the seed and the number of the game, so a game can be played
anywhere, at any time, and players that think by iterations play the same one.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from itertools import combinations
from math import comb

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import refused
from gdl.interpreter.sessions.seats import HUMAN

USUAL_PLIES = 2000
USUAL_OPENING = 2


@dataclass(frozen=True)
class Match:
    """A match of `games` games between players, which are texts such as `engine:3`.

    `game` is a name or a path, as `load_game` takes it; `seats` how many sides it has. Each
    opening has so many random moves; it is played once in each line-up of the same players.
    A game that has no end after `plies` moves counts as a draw, a puzzle as lost.
    """

    game: str
    players: tuple[str, ...]
    games: int
    seats: int
    seed: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    opening: int = USUAL_OPENING
    plies: int = USUAL_PLIES

    def __post_init__(self) -> None:
        """Refuse a match that can't be played. Raises GameError."""
        if len(self.players) < self.seats:
            number = len(self.players)
            named = "1 player is" if number == 1 else f"{number} players are"
            message = f"The game has {self.seats} sides, but {named} named."
            hint = "Name more; one may be named several times."
            raise refused(Code.WRONG_PLAYERS, message, hint)
        pairings = comb(len(self.players), self.seats)
        if self.games < pairings:
            number = len(self.players)
            message = f"{number} players need {pairings} games or more, one for each pairing."
            hint = f"`-n {len(self.lineups)}` has each pairing in all seats."
            raise refused(Code.WRONG_PLAYERS, message, hint)
        if HUMAN in self.players:
            message = "People don't play in a match."
            hint = "`gdl play` is for people; name engine:3, greedy or random."
            raise refused(Code.WRONG_PLAYERS, message, hint)

    @cached_property
    def lineups(self) -> tuple[tuple[int, ...], ...]:
        """The ways to sit: for each seat the number of a player.

        Each choice of players sits in all rotations, one after another.
        """
        return tuple(
            chosen[turn:] + chosen[:turn]
            for chosen in combinations(range(len(self.players)), self.seats)
            for turn in range(self.seats)
        )

    def lineup(self, number: int) -> tuple[int, ...]:
        """Return who sits where in a game, by its number from 0."""
        return self.lineups[number % len(self.lineups)]

    def chance(self, number: int, who: int | None = None) -> random.Random:
        """Return where chance begins: for the moves of nobody in a game, or for a seat of it."""
        return random.Random(f"{self.seed}:{number}:{'' if who is None else who}")

    def opening_chance(self, number: int) -> random.Random:
        """Return what draws the opening of a game: the same in all line-ups."""
        return random.Random(f"{self.seed}:opening:{number // len(self.lineups)}")


@dataclass(frozen=True)
class Played:
    """A game of a match: its number, its moves, and the points of each player who sat there.

    Winners share a point, all share one where nobody wins; a puzzle that nobody wins gives none.
    `seats` are the numbers of players; `result` tells in words how it ended, or is empty if it has
    come to no end; `payoffs` has what it was worth to each seat, where the rules say so.
    """

    number: int
    seats: tuple[int, ...]
    moves: tuple[str, ...]
    result: str
    points: tuple[float, ...]
    payoffs: tuple[float, ...] = ()

    @property
    def is_drawn(self) -> bool:
        """Whether all that took part have the same points; a puzzle is won or lost."""
        return len(self.points) > 1 and len(set(self.points)) == 1


def points(winners: Sequence[int], seats: int) -> tuple[float, ...]:
    """Return the points of seats, from 1 in `winners`: they share one, or all do.

    A puzzle, which has one seat, is lost where nobody wins.

    >>> points((2,), 2), points((), 2), points((1, 3), 3)
    ((0.0, 1.0), (0.5, 0.5), (0.5, 0.0, 0.5))
    >>> points((1,), 1), points((), 1)
    ((1.0,), (0.0,))
    """
    if seats == 1:
        return (float(1 in winners),)
    sharing = winners or range(1, seats + 1)
    return tuple(1 / len(sharing) if seat in sharing else 0.0 for seat in range(1, seats + 1))
