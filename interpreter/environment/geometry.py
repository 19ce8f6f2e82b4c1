"""Boards and their symmetries as arrays: for networks on graphs, and for more examples from one.

In: a game. Out: `GraphArrays` and `Symmetries`. What then holds: a symmetry leads positions to
positions with the same moves, up to the symmetry, and the same value; that is proved.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.board.board import Board
from gdl.board.relation import bits
from gdl.core.nodes import Choose
from gdl.core.walk import program_statements
from gdl.interpreter.environment.actions import actions_of
from gdl.interpreter.solve.symmetries import symmetries
from gdl.model import Game, OfAGame, game_of

_SPARSEST = 8
"""A grid has at most so many times as many places as there are sites."""


class GraphArrays(NamedTuple):
    """A board: `xy` [S, 2] where sites are drawn, neighbours about 1 apart, y upwards.

    `edges` [2, E] lead from sites to sites; `relation` [E] is by which of the relations `names`:
    the directions of the board, and `adjacent`. `grid` [rows, columns], the uppermost row first,
    has the site of each place, -1 for none; it is None where sites do not lie so. `regions` are
    sets of sites [S] by name.
    """

    xy: NDArray[np.float32]
    edges: NDArray[np.int32]
    relation: NDArray[np.int16]
    names: tuple[str, ...]
    grid: NDArray[np.int32] | None
    regions: Mapping[str, NDArray[np.bool_]]


class Symmetries(NamedTuple):
    """Symmetries of the board that the rules respect; the first one leaves all as it is.

    `sites` [G, S] and `actions` [G, A] are where each site and each action is led to: planes moved
    by one are `moved[..., sites[g]] = planes`. What is no site is led to itself.
    """

    sites: NDArray[np.int32]
    actions: NDArray[np.int32]


def arrays_of(given: Game | OfAGame, /) -> GraphArrays:
    """Return the board of a game, or of that of its rules, as arrays.

    Raises TypeError for what is neither.
    """
    game = game_of(given)
    board = game.board
    directions = (name for names in board.families.values() for name in names)
    names = tuple(dict.fromkeys((*directions, "adjacent")))
    pairs = [list(board.relations[name].pairs()) for name in names]
    edges = np.array([pair for each in pairs for pair in each], np.int32).reshape(-1, 2)
    regions = {**board.regions, **game.regions}
    return GraphArrays(
        xy=np.array([(site.x, site.y) for site in board.sites], np.float32),
        edges=np.ascontiguousarray(edges.T),
        relation=np.repeat(np.arange(len(names), dtype=np.int16), [len(each) for each in pairs]),
        names=names,
        grid=_grid_of(board),
        regions=MappingProxyType(
            {name: _flags(sites, board.size) for name, sites in regions.items()}
        ),
    )


def _grid_of(board: Board) -> NDArray[np.int32] | None:
    """Return which site lies in each row and column, if no two lie in the same place."""
    places = {(site.row, site.column): site.index for site in board.sites}
    rows = sorted({row for row, _ in places}, reverse=not board.top_first)
    columns = sorted({column for _, column in places})
    if len(places) < board.size or len(rows) * len(columns) > _SPARSEST * board.size:
        return None
    grid = np.full((len(rows), len(columns)), -1, np.int32)
    for (row, column), site in places.items():
        grid[rows.index(row), columns.index(column)] = site
    return grid


def _flags(sites: int, size: int) -> NDArray[np.bool_]:
    found = np.zeros(size, np.bool_)
    found[list(bits(sites))] = True
    return found


def symmetries_of(given: Game | OfAGame, /) -> Symmetries:
    """Return the symmetries of a game, or of that of its rules, which are proved to be some.

    There may be more: of a large board, and where a proof fails, there is only the first. So it is
    where choices are one move in either order: actions make them in that of the sites alone.
    Raises GameError as `Actions` does, TypeError for what is no game.
    """
    game = game_of(given)
    actions, size = actions_of(game), game.board.size
    chosen = (s for s in program_statements(game.program) if isinstance(s, Choose))
    is_ordered = not any(choice.unordered_with or choice.rank for choice in chosen)
    found = symmetries(game, with_memory=True) if is_ordered else ()
    sites = np.array([tuple(range(size)), *found], np.int32)
    moved = np.tile(np.arange(actions.size, dtype=np.int32), (len(sites), 1))
    for group in actions.groups:
        if group.kind == "site":
            moved[:, group.offset : group.offset + size] = sites + group.offset
    return Symmetries(sites, moved)
