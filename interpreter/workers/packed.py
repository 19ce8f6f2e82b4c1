"""A game as it is sent to workers: bytes, from which each process makes the game once.

In: a `Game`. Out: a `Packed`. What then holds: the game can go to a machine that has no file of it,
and is played there within the same budget.
"""

from __future__ import annotations

import pickle
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from gdl.data_classes import dataclass
from gdl.model import Game
from gdl.resources.budget import Budget, allowed, budget

_MOST_GAMES_KNOWN = 4


@dataclass(frozen=True)
class Packed:
    """A game, and how much work each of its turns is allowed."""

    data: bytes
    budget: Budget

    @contextmanager
    def opened(self) -> Iterator[Game]:
        """Give the game, within its budget: the same object for the same bytes in a process."""
        with allowed(self.budget):
            yield _unpacked(self.data)


def pack(game: Game) -> Packed:
    """Return a game as it is sent, with the budget that holds here."""
    return Packed(zlib.compress(pickle.dumps(game)), budget())


@lru_cache(maxsize=_MOST_GAMES_KNOWN)
def _unpacked(data: bytes) -> Game:
    game: Game = pickle.loads(zlib.decompress(data))
    return game
