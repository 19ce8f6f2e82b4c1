"""Which moves a search comes to prefer, and what it thought of them at first.

In: an engine whose tree orders moves. Out: `EngineChoice`s: positions of its games against itself,
with the visits of each move of the root. What then holds: the same seed gives the same choices,
where no time ran out; there are none of games whose moves the engine does not order.
"""

from __future__ import annotations

import random
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gdl.data_classes import dataclass
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.memory.proofs import is_proven
from gdl.interpreter.search.memory.tree import ROOT, Tree
from gdl.interpreter.tune.samples import drawn_move
from gdl.interpreter.verify.deadline import Deadline

_EARLY = 400
"""After how many iterations first values are taken down: what they are worth is known by then."""
_OPENING = 8
_STRAY = 0.1
"""Games begin with so many random moves at most; later, one move in ten is random."""
_LONGEST_GAME = 300
_FEW = 4
"""In one of so many positions moves have to be in order, or they are taken to be in none."""


@dataclass(frozen=True)
class EngineChoice:
    """What a search came to in a position, as bytes; `before` has the last two, the last first.

    Of each move, `marks` has which bit of a position it sets, `first` its first value for the side
    on turn, and `visits` how often it was tried.
    """

    position: bytes
    before: tuple[bytes, ...]
    marks: NDArray[np.int64]
    first: NDArray[np.float64]
    visits: NDArray[np.float64]
    game: int


def orders_moves(engine: Engine, seed: int) -> bool:
    """Return whether an engine has first values of moves, in one of a few positions."""
    chance = random.Random(seed)
    position = Rules(engine.rules.game, engine.native).start()
    for _ in range(_FEW):
        if position.over:
            break
        engine.begin(seed)
        engine.analyse(position, iterations=_EARLY, lines=0)
        if _first_values(engine.tree):
            return True
        position = position.after(drawn_move(position, chance))
    return False


def of_own_choices(
    engine: Engine, iterations: int, seed: int, seconds: float
) -> list[EngineChoice]:
    """Return choices of an engine in games against itself, within so many seconds."""
    chance, deadline = random.Random(seed), Deadline(seconds, time.monotonic)
    rules = Rules(engine.rules.game, engine.native)
    exchange, size = engine.binding.exchange, engine.binding.fields.bytes
    world, memory = exchange.world(), exchange.buffer()
    found: list[EngineChoice] = []
    game = 0
    while not deadline.is_over:
        engine.begin(chance.getrandbits(32))
        position, before = rules.start(), list[bytes]()
        opening = chance.randint(0, _OPENING)
        for ply in range(_LONGEST_GAME):
            if position.over or deadline.is_over:
                break
            exchange.write(position.state, memory, world)
            here = bytes(memory[:size])
            if ply < opening or position.seat is None:
                move = drawn_move(position, chance)
            else:
                engine.forget()
                engine.analyse(position, iterations=_EARLY, lines=0)
                early = _first_values(engine.tree)
                best = engine.analyse(position, iterations=iterations - _EARLY, lines=0).best_move
                assert best is not None, "a position in which the game goes on has moves"
                choice = _choice(engine.tree, here, before, early, game)
                if choice is not None:
                    found.append(choice)
                move = best if chance.random() >= _STRAY else drawn_move(position, chance)
            before = [here, *before[:1]]
            position = position.after(move)
        game += 1
    return found


def _first_values(tree: Tree | None) -> dict[int, float]:
    """Return the first values of the root's moves by what these set.

    None if there is no order, or one of parts of its moves.
    """
    if tree is None:
        return {}
    root = tree.state[ROOT]
    if not tree.is_ordered[root] or tree.are_split[root]:
        return {}
    begin = tree.begin[root]
    places = range(begin, begin + tree.moves[root])
    return {tree.marks[n]: tree.priors[n] for n in places}


def _choice(
    tree: Tree | None, here: bytes, before: Sequence[bytes], early: dict[int, float], game: int
) -> EngineChoice | None:
    """Return what a tree tells of its root's moves; None where not all of them set one bit."""
    if tree is None or not early or is_proven(tree, tree.state[ROOT]):
        return None
    root = tree.state[ROOT]
    begin = tree.begin[root]
    places = range(begin, begin + tree.tried[root])
    marks = [tree.marks[n] for n in places]
    if len(marks) < 2 or any(mark < 0 or mark not in early for mark in marks):
        return None
    visits = [tree.visits[tree.places[n]] for n in places]
    first = [early[mark] for mark in marks]
    return EngineChoice(
        here,
        tuple(before),
        np.array(marks, np.int64),
        np.array(first, np.float64),
        np.array(visits, np.float64),
        game,
    )
