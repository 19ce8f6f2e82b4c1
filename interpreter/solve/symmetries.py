"""Symmetries of the board that the rules respect: found by the drawing, and proved by the program.

In: a game. Out: for each symmetry besides the identity, where each site goes. What then holds: the
positions that one makes of one another have the same moves, up to the symmetry, and the same
value; together with the identity, the symmetries are a group.

Rotations and reflections of the drawing are tried. One is respected if the program, with all its
sets and relations moved, is the same program: the order of what can be exchanged, the names of
bound variables and the end from which a connection is followed make no difference. That is a
proof; where it fails, the rules may still be symmetric.
"""

from __future__ import annotations

from gdl.board.symmetries import Permutation, of_drawing
from gdl.core.types import SITES
from gdl.model import Game
from interpreter.solve.same_program import Canon

_MOST_SITES = 400
"""On larger boards there is nothing to solve that way."""


def symmetries(game: Game) -> tuple[Permutation, ...]:
    """Return the symmetries of the board that the rules respect, without the identity."""
    has_sets_by_site = any(slot.per_site and slot.type == SITES for slot in game.program.state)
    if len(game.board.sites) > _MOST_SITES or has_sets_by_site:
        return ()
    canon = Canon(game.program, len(game.board.sites))
    identity = tuple(range(len(game.board.sites)))
    wanted = canon.of_program(identity)
    if wanted is None:
        return ()
    return tuple(
        symmetry
        for symmetry in dict.fromkeys(of_drawing(game.board))
        if symmetry != identity and canon.of_program(symmetry) == wanted
    )
