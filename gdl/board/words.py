"""Words of boards: names that the board of some game may give to sites, steps and numbers.

In: nothing but the shapes that boards have. Out: names. What then holds: a name that is none of
them is of no board of a lattice, whichever it is.
"""

from __future__ import annotations

import re
from functools import cache

from gdl.board.board import BoardError
from gdl.board.lattice import KINDS
from gdl.board.make import SHAPES, BoardSpec, make_board

_SIZE = 3
_SITE = re.compile(r"v?[a-z]{1,2}\d+[a-z]?")


@cache
def _of_lattices() -> frozenset[str]:
    """Return the names of relations, regions and numbers of all lattices and shapes."""
    found: set[str] = set()
    for (lattice, shape), sizes in SHAPES.items():
        for kinds in (("cell",), KINDS):
            try:
                board = make_board(BoardSpec(lattice, shape, (_SIZE,) * sizes, kinds))
            except BoardError:
                continue
            found.update(board.relations, board.regions, board.numbers)
    return frozenset(found)


def may_be_of_a_lattice(name: str) -> bool:
    """Return whether a board of a lattice may give such a name to something.

    >>> [may_be_of_a_lattice(name) for name in ("d4", "upper_left", "hexagonal", "emty")]
    [True, True, True, False]
    """
    return _SITE.fullmatch(name) is not None or name in _of_lattices()
