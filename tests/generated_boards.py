"""Small boards of every sort for random games, and what there is on each.

In: a source of chance. Out: the text of a board, and its `Facts`: the words that it brings along.
What then holds: each word of the facts can be used in the rules of a game on that board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

from gdl.diagnostic import GameError, Source
from gdl.load import load_source

GRAPHS = (
    "points: {hub: 0 0, n: 0 1, e: 1 0, p: 0 -1, w: -1 0}\n  lines: [n hub p, w hub e, n e p w n]",
    "points: a1 b1 c1 a2 c2 b3\n  lines: [a1 b1 c1, a1 a2, c1 c2, a2 b3 c2]",
    "points: a1 b1 c1 d1\n  lines: [a1 b1 c1, c1 d1]",
    "points: a1 b1 b2 a2\n  lines: [a1 b1 b2 a2 a1, a1 b2]\n  sites: edges",
    "points: {p: 0 0, q: 2 0, r: 1 2}\n  lines: [p q r p]\n  sites: vertices and edges",
)
CUTS = (
    " without a1",
    " without b2 | a1",
    " without corners - a1",
    " without sites s in all where row(s) = 1 and column(s) = 2",
)
WRAPPING = (" wrapping columns", " wrapping rows", " wrapping columns and rows")


@dataclass(frozen=True)
class Facts:
    """The words that a board brings along; `symmetric` are relations that lead both ways."""

    sites: tuple[str, ...]
    families: dict[str, tuple[str, ...]]
    directions: tuple[str, ...]
    relations: tuple[str, ...]
    symmetric: tuple[str, ...]
    regions: tuple[str, ...]
    numbers: tuple[str, ...]


@cache
def facts_of(board: str) -> Facts | None:
    """Return what there is on a board; None if there is no such board."""
    text = f"game: X\nplayers: A, B\nboard: {board}\nturn: pass\n"
    try:
        game = load_source(Source("board.yaml", text))
    except GameError:
        return None
    made = game.board
    families = {name: tuple(found) for name, found in made.families.items()}
    directions = tuple(dict.fromkeys(d for family in families.values() for d in family))
    relations = tuple(sorted(made.relations, key=lambda name: (name not in families, name)))
    return Facts(
        sites=tuple(site.name for site in made.sites),
        families=families,
        directions=directions,
        relations=relations,
        symmetric=tuple(name for name in relations if name not in directions),
        regions=tuple(made.regions),
        numbers=tuple(made.numbers),
    )


def draw_board(random: Random) -> tuple[str, Facts]:
    """Return a random board: the text of the section, and its facts."""
    while True:
        text = _text(random)
        facts = facts_of(text)
        if facts is not None:
            return text, facts


def _text(random: Random) -> str:
    def size(least: int, most: int) -> int:
        return random.randint(least, most)

    shape = random.choice(
        (
            f"square({size(1, 4)}, {size(1, 4)})",
            f"square({size(2, 4)}, {size(2, 4)})",
            f"hex rhombus({size(1, 4)}, {size(1, 3)})",
            f"hex hexagon({size(1, 2)})",
            f"hex triangle({size(1, 4)})",
            f"hex rectangle({size(2, 4)}, {size(2, 3)})",
            f"triangles rhombus({size(1, 3)}, {size(1, 2)})",
            f"triangles triangle({size(1, 3)})",
            "triangles hexagon(1)",
            f"square diamond({size(1, 3)})",
            "hex star(1)",
            f"square({size(1, 3)}, {size(1, 2)}, {size(2, 3)})",
            f"{random.choice(('square', 'hex', 'triangles'))} endless({size(3, 4)})",
            "large",
            "graph",
        )
    )
    if shape == "graph":
        return "\n  " + random.choice(GRAPHS)
    if shape == "large":
        return random.choice(("square(9, 8)", "hex rhombus(8, 8)", "square(12, 11) wrapping rows"))
    kinds = random.choice(
        ("", "", "", "vertices of ", "edges of ", "cells and vertices of ", "cells and edges of ")
    )
    changes = random.choice(("", "", "", " rows from top", *WRAPPING))
    cut = random.choice(("", "", "", *CUTS))
    return f"{kinds}{shape}{changes}{cut}"
