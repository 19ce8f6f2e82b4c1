"""The pieces of a game: how each looks, what the rules say of it, where one goes in a picture.

In: a game. Out: its kinds of pieces in their order. What then holds: a picture is of a position
that play came to, and marks all sites to which the piece in brackets may go from there, and only
these.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Set
from contextlib import suppress
from dataclasses import replace
from textwrap import fill, indent

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.positions.drawing import stock
from gdl.interpreter.positions.meant import ADVISED
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.render.scene import Mark, Scene
from gdl.interpreter.render.text.glyphs import ASCII, UNICODE, lettering
from gdl.interpreter.render.text.text import render_text
from gdl.interpreter.words.rules import told_of_kind
from gdl.model import Game

_GAMES, _PLIES = 2, 120  # random games that are looked through, and how far
_MOST_MOVES = 24_000  # that are listed for it
_MANY = 16  # targets: no better picture is looked for
_MOST_SITES = 600  # of a board that is shown so


@dataclass(frozen=True)
class PieceTold:
    """A kind of piece: `marks` are one of each side, `told` is what the rules say of it.

    `scene` shows one on a site and marks where it may go; None of what does not move, or on a board
    that is too large.
    """

    kind: str
    marks: tuple[Mark, ...]
    told: tuple[str, ...]
    scene: Scene | None = None


def pieces_told(game: Game) -> tuple[PieceTold, ...]:
    """Return what there is to tell of each kind of piece of a game."""
    found = _most_mobile(game) if game.board.size <= _MOST_SITES else {}
    return tuple(
        PieceTold(
            kind,
            tuple(mark for mark in stock(game) if mark.kind == kind),
            told_of_kind(game, kind),
            _picture(*found[kind]) if kind in found else None,
        )
        for kind in game.kinds
    )


def pieces_text(game: Game, *, ascii: bool = False) -> Iterator[str]:
    """Yield each kind as lines for a terminal: how it looks, what the rules say, where it goes."""
    letters = lettering(Rules(game).start().scene(), ASCII if ascii else UNICODE)
    for piece in pieces_told(game):
        looks = (
            " ".join(
                (letters.glyph(mark), *(() if mark.side is None else (game.sides[mark.side],)))
            )
            for mark in piece.marks
        )
        yield f"\n{piece.kind.replace('_', ' ')}: {', '.join(looks)}"
        yield from (fill(text, initial_indent="  ", subsequent_indent="  ") for text in piece.told)
        if piece.scene is not None:
            yield "\n" + indent(render_text(piece.scene, ascii=ascii), "  ")


def _picture(position: Position, site: int, targets: Set[int]) -> Scene:
    scene = position.scene(dict.fromkeys(targets, ADVISED))
    nothing = frozenset[int]()
    return replace(scene, last=frozenset({site}), changed=nothing, way=(), beside=())


def _most_mobile(game: Game) -> dict[str, tuple[Position, int, Set[int]]]:
    """Return for each kind the position, of some random games, in which one of it has most ways."""
    best: dict[str, tuple[Position, int, Set[int]]] = {}
    # Rules that fail in play have shown by then what they can show.
    with suppress(RuleError):
        for position, site, targets in _mobile(Rules(game)):
            kind = position.kind_on(site)
            if kind and len(targets) > len(best[kind][2] if kind in best else ()):
                best[kind] = position, site, targets
            if len(best) == len(game.kinds) and all(len(to) >= _MANY for *_, to in best.values()):
                break
    return best


def _mobile(rules: Rules) -> Iterator[tuple[Position, int, Set[int]]]:
    """Yield each piece that may move in random games: its position, its site, where it may go."""
    chance, listed, index = random.Random(1), 0, rules.game.board.index
    for _ in range(_GAMES):
        position = rules.start()
        for _ in range(_PLIES):
            moves = () if position.over else position.moves()
            listed += len(moves)
            if not moves or listed > _MOST_MOVES:
                break
            ways: dict[int, set[int]] = {}
            for move in moves:
                named = [site for word in move.words if (site := index(word)) is not None]
                if len(named) > 1 and named[0] != named[1]:
                    ways.setdefault(named[0], set()).add(named[1])
            yield from ((position, site, targets) for site, targets in ways.items())
            position = position.after(chance.choice(moves))
