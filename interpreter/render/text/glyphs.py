"""The characters of a text picture.

In: a scene and a set of characters. Out: a `Lettering`: the text of each mark, the character of an
empty site, and the style of each. Different sides and kinds never share a text, so the sides can
be told apart without colour; with `ASCII` every character is below 128.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import field
from itertools import count

from rich.cells import cell_len

from gdl.data_classes import dataclass
from gdl.interpreter.render.arrangement import HIGH
from gdl.interpreter.render.palette import side_colours
from gdl.interpreter.render.scene import UNKNOWN_KIND, Mark, Scene
from gdl.interpreter.render.theme import LIGHT, Theme


@dataclass(frozen=True)
class CharacterSet:
    """The characters that lines, empty sites and pieces are made of.

    `fills` cover the parts of cells in the colours of their corners, one a side.

    `arms` has 16 characters, indexed by the sum of 1 (up), 2 (right), 4 (down) and 8 (left).
    `discs` are a dark and a light piece and pieces of further sides; none if letters are used.
    `crossings` are where slanting lines meet, of one colour and of others.
    `hole` fills what is cut out of a board, `borders` are upright and level ones,
    `arrows` eight, from the one to the right against the clock. `signs` are the
    characters of marks that have a name, `figures` those of a dark and a light piece.
    `empty` are characters for an empty site, in order of preference.
    """

    arms: str
    rising: str
    falling: str
    crossings: str
    empty: str
    corner: str
    discs: str
    block: str
    fills: str = "•◦x+%#&@"
    hole: str = "░"
    borders: str = "┃━"
    arrows: str = "→↗↑↖←↙↓↘"
    signs: Mapping[str, str] = field(default_factory=dict)
    figures: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_ascii(self) -> bool:
        """Whether every character drawn is below 128."""
        return self.arms.isascii()


_SIGNS = {
    "point": "•",
    "star": "★",
    "rosette": "✽",
    "throne": "⊠",
    "cross": "×",
    "trap": "⊕",
    "ring": "◯",
    "square": "▫",
    "hill": "▲",
}
_PLAIN_SIGNS = {
    "point": ".",
    "star": "*",
    "rosette": "*",
    "throne": "#",
    "cross": "x",
    "trap": "+",
    "ring": "o",
    "square": "'",
    "hill": "^",
}
_FIGURES = {
    "disc": "●○",
    "dot": "●○",
    "man": "●○",
    "crowned": "♛♕",
    "ball": "●○",
    "cross": "XX",
    "ring": "OO",
    "star": "★☆",
    "pawn": "♟♙",
    "knight": "♞♘",
    "bishop": "♝♗",
    "rook": "♜♖",
    "queen": "♛♕",
    "king": "♚♔",
    "cube": "■□",
    "tile": "■□",
    "wall": "▮▯",
    "card": "▮▯",
    "cone": "▲△",
    "pyramid": "▲△",
}
UNICODE = CharacterSet(
    " ╵╶└╷│┌├╴┘─┴┐┤┬┼", "╱", "╲", "╳×", "·+:", "+", "●○▲△■□◆◇", "■", signs=_SIGNS, figures=_FIGURES
)
ASCII = CharacterSet(
    *(" ||+||++-+-+++++", "/", "\\", "Xx", ".+:", "+", "", ""),
    hole=":",
    fills=".ox+%#&@",
    borders="#=",
    arrows=">/^\\</v\\",
    signs=_PLAIN_SIGNS,
)

_ROUND = "O"
"""A figure that looks like a disc: where sides have discs, a piece of no side does not have it."""

Key = tuple[int | None, str]


@dataclass(frozen=True)
class Lettering:
    """How the sites of one scene are written: `texts` by site index, `width` of the widest.

    `flags` stand before the texts of sites. `glyphs` are the texts of pieces alone, by side and
    kind; `theme` has the colours.
    """

    characters: CharacterSet
    texts: Mapping[int, str]
    width: int
    empty: str
    glyphs: Mapping[Key, str]
    theme: Theme = LIGHT
    flags: Mapping[int, str] = field(default_factory=dict)

    def glyph(self, mark: Mark) -> str:
        """Return the text of a piece, without its number."""
        return self.glyphs[mark.side, mark.kind]


def lettering(scene: Scene, characters: CharacterSet, theme: Theme = LIGHT) -> Lettering:
    """Choose a text for every mark of `scene`."""
    glyphs = _glyphs(scene, characters)
    texts = {
        site: glyphs[mark.side, mark.kind]
        if scene.is_row(site) and len(mark.under) < HIGH
        else _with_count(mark, glyphs[mark.side, mark.kind])
        for site, mark in scene.marks.items()
    }
    used = set(texts.values())
    empty = next((c for c in characters.empty if c not in used), characters.empty[0])
    numbers = {site: text for site, text in scene.highlights.items() if text.isdigit()}
    sites = (texts.keys() | numbers.keys()) - scene.tiles.keys()
    flags = {s: flag_text(mark.flag, characters) for s, mark in scene.marks.items() if mark.flag}
    written_there = (flags.get(s, "") + texts.get(s, "") + numbers.get(s, "") for s in sites)
    alone = max((cell_len(glyphs[m.side, m.kind]) for m in scene.stock), default=1)
    width = max([alone + scene.spare, *map(cell_len, written_there)])
    return Lettering(characters, texts, max(1, width), empty, glyphs, theme, flags)


def fill_of(scene: Scene, side: int, characters: CharacterSet) -> str:
    """Return what fills the part of a cell that is a side's: the darker of two has the first."""
    return characters.fills[_ranks(scene).get(side, side) % len(characters.fills)]


def flag_text(flag: str, characters: CharacterSet) -> str:
    """Return how the flag of a piece is written."""
    return written(characters.signs.get(flag, flag), characters)


def written(text: str, characters: CharacterSet) -> str:
    """`text` as the character set can write it on one line: what it cannot becomes `?`."""
    shown = "".join(c if c.isprintable() else "?" for c in text)
    return shown.encode("ascii", "replace").decode() if characters.is_ascii else shown


def _glyphs(scene: Scene, characters: CharacterSet) -> dict[Key, str]:
    marks = {(mark.side, mark.kind): mark for mark in (*scene.stock, *scene.pieces)}
    of_sides = {mark.kind for mark in marks.values() if mark.side is not None}
    kinds = of_sides if scene.stock else set(scene.kinds) or of_sides
    kinds = kinds - {scene.marks[site].kind for site in scene.tiles}
    neutral = {mark.kind for mark in marks.values() if mark.side is None and mark.kind}
    counted = {m.kind for m in scene.pieces if m.side is None and m.count is not None}
    counted -= {m.kind for m in scene.pieces if m.count is None or m.under}
    discs = _discs(scene, characters) if len(kinds) <= 1 else {}
    ranks, glyphs = _ranks(scene), dict[Key, str]()
    shapes = Counter((m.side is None, _shape(m, ranks, characters)) for m in marks.values())
    for key, mark in marks.items():
        if mark.side is None and len(mark.letters) > 1:
            taken = set(glyphs.values())
            glyphs[key] = next(text for text in _lettered(mark, characters) if text not in taken)
    # Where two kinds of a side would look alike, all have letters.
    of_side = Counter((m.side, _shape(m, ranks, characters)) for m in marks.values())
    is_mixed = any(n > 1 and shape and side is not None for (side, shape), n in of_side.items())
    others = marks.keys() - glyphs.keys()
    for key in sorted(others, key=lambda key: (key[0] is None, key[0] or 0, key[1])):
        side, kind = key
        mark = marks[key]
        if kind == UNKNOWN_KIND:
            glyphs[key] = mark.symbol if side is None else next(_choices(mark.symbol, kind, side))
        elif side is None and kind in counted and len(neutral) == 1:
            glyphs[key] = ""
        elif (
            (shape := _shape(mark, ranks, characters))
            and not (side is not None and is_mixed)
            and shapes[side is None, shape] == 1
            and shape not in glyphs.values()
            and not (side is None and discs and shape == _ROUND)
        ):
            glyphs[key] = shape
        elif side in discs:
            glyphs[key] = discs[side]
        elif side is None and characters.block and len(neutral) == 1 and not mark.symbol.isalnum():
            glyphs[key] = characters.block
        else:
            symbol = _symbol(mark, characters)
            taken = set(glyphs.values())
            glyphs[key] = next(c for c in _choices(symbol, kind, side) if c not in taken)
    return glyphs


def _discs(scene: Scene, characters: CharacterSet) -> Mapping[int | None, str]:
    """A disc for each side: of two, the darker has the filled one."""
    ranks = _ranks(scene)
    if len(ranks) > len(characters.discs):
        return {}
    return {side: characters.discs[rank] for side, rank in ranks.items()}


def _ranks(scene: Scene) -> dict[int, int]:
    """Which disc each side has: of two sides the darker has the first."""
    known = {mark.side for mark in scene.pieces if mark.side is not None}
    number = max(len(scene.sides), max(known, default=-1) + 1)
    order = list(range(number))
    if len(scene.sides) == 2 == number:
        colours = side_colours(scene.sides)
        order.sort(key=lambda side: colours[side].luminance)
    return {side: rank for rank, side in enumerate(order)}


def _shape(mark: Mark, ranks: Mapping[int, int], characters: CharacterSet) -> str:
    """The character of a piece's figure; empty if there is none for its side.

    A piece of no side has that of a dark one, unless it has letters of its own.
    """
    shapes = characters.figures.get(mark.figure, "")
    if mark.side is None:
        return "" if mark.letters else shapes[:1]
    rank = ranks[mark.side]
    return shapes[rank] if rank < len(shapes) else ""


def _lettered(mark: Mark, characters: CharacterSet) -> Iterator[str]:
    """Texts for a piece of no side that has letters of its own, best first, without end."""
    yield from (f"{shape}{mark.letters}" for shape in characters.figures.get(mark.figure, ""))
    yield mark.letters
    yield from (f"{mark.letters}{number}" for number in count(1))


def _symbol(mark: Mark, characters: CharacterSet) -> str:
    symbol = mark.symbol.strip()
    if symbol and symbol.isprintable() and (symbol.isascii() or not characters.is_ascii):
        return symbol
    return next((c.upper() for c in mark.kind if c.isascii() and c.isalnum()), "#")


def _choices(symbol: str, kind: str, side: int | None) -> Iterator[str]:
    """Texts for a piece, best first, without end: later ones serve when others are taken."""
    yield symbol
    if symbol.swapcase() != symbol:
        yield symbol.swapcase()
    if side is not None:
        yield f"{symbol}{side + 1}"
    yield from (letter for letter in kind if letter.isascii() and letter.isalnum())
    yield from (f"{symbol}{number}" for number in count(1))


def _with_count(mark: Mark, glyph: str) -> str:
    return glyph if mark.count is None else f"{glyph}{mark.count}"
