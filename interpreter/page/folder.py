"""An index of many games: a page with their pictures, families, and a search.

In: games. Out: a document of HTML that leads to the page of each. What then holds: it asks for
nothing from elsewhere, and whatever a game's file says stands there as text.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterable, Iterator
from html import escape
from itertools import groupby

from gdl.data_classes import dataclass
from gdl.interpreter.page.document import policy, read
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.render.svg import render_svg
from gdl.model import Game
from gdl.visible import visible_line

INDEX = "index.html"
_FEW_PIECES, _MOVES_SHOWN, _SEED = 4, 16, 7
_SIZE = 240
_OTHERS = "other games"
_UNSEEN = re.compile(r'<title>.*?</title>|\n| class="[^"]*"| data-site="[^"]*"| role="img"')
"""What of a small picture nobody sees."""


@dataclass(frozen=True)
class Entry:
    """A game in an index."""

    name: str
    title: str
    family: str
    about: str
    sides: int
    searched: str
    picture: str


def entry_of(game: Game) -> Entry:
    """Return what an index shows of a game."""
    about = " ".join(game.credits.get("about", "").split())
    family = game.credits.get("family", "") or _OTHERS
    names = (game.title, *game.other_names, game.name, family, game.credits.get("author", ""))
    return Entry(
        name=game.name,
        title=game.title,
        family=family,
        about=about,
        sides=len(game.sides),
        searched=" ".join(str(name) for name in names).lower(),
        picture=_UNSEEN.sub(
            "", render_svg(_shown_position(game).scene(), size=_SIZE, labels=False)
        ),
    )


def _shown_position(game: Game) -> Position:
    """Return the first position, or one after some random moves where hardly anything stands."""
    position, chance = Rules(game).start(), random.Random(_SEED)
    if game.hides or sum(1 for _ in position.standing()) > _FEW_PIECES:
        return position
    for _ in range(_MOVES_SHOWN):
        if position.over:
            break
        later = position.after(chance.choice(position.moves()))
        if later.over:
            break
        position = later
    return position


def index_page(entries: Iterable[Entry]) -> str:
    """Return the page of an index."""
    script, style = read("index.js"), read("index.css")
    ordered = sorted(entries, key=lambda one: (one.family == _OTHERS, one.family, one.title))
    return "\n".join(
        (
            '<!DOCTYPE html><html lang="en"><head><meta name="generator" content="gdl">',
            '<meta charset="utf-8">',
            f'<meta http-equiv="Content-Security-Policy" content="{policy(script, style)}">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>Games</title><style>{style}</style></head><body>",
            "<header><h1>Games</h1>",
            '<label>Search <input id="search" type="search" autocomplete="off"></label>',
            f'<p id="found" role="status">{len(ordered)} games</p></header><main>',
            *_families(ordered),
            f"</main><script>{script}</script></body></html>\n",
        )
    )


def _families(entries: list[Entry]) -> Iterator[str]:
    for family, members in groupby(entries, lambda one: one.family):
        yield f"<section><h2>{_shown(family.capitalize())}</h2><ul>"
        for entry in members:
            sides = "a puzzle" if entry.sides == 1 else f"{entry.sides} sides"
            yield f'<li data-searched="{_shown(entry.searched)}">'
            yield f'<a href="{_shown(entry.name)}.html">{entry.picture.strip()}'
            yield f"<strong>{_shown(entry.title)}</strong></a>"
            yield f"<small>{sides}</small><p>{_shown(entry.about)}</p></li>"
        yield "</ul></section>"


def _shown(text: str) -> str:
    return escape(visible_line(text))
