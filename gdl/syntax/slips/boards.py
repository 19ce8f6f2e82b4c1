"""Slips of boards: sizes and shapes as other languages, or plain English, would have them."""

from __future__ import annotations

import re

from gdl.syntax.slips.patterns import slip

_SIZE = r"(\d+|[A-Za-z_]\w*)"
_BY = r" ?(?:[xX×*,;/]| by | ) ?"
_SQUARE = r"(?:square|grid|board|rectangle|rectangular|rect|chessboard)"
_SHAPED = (
    r"(?:hex|square|triangles)"
    r" (?:rhombus|hexagon|triangle|rectangle|star|endless|diamond)"
)
_ROWS = "Columns come first, then rows."
_CHANGES = r"((?: wrapping .+| without .+| rows from .+)?)"

BOARD = (
    slip(
        rf"(\d+){_BY}(\d+),? (?:on |with )?(?:only )?(?:the )?(dark|light) (?:squares|cells)"
        r"(?: only)?",
        lambda m: f"square({m[1]}, {m[2]}) without {'light' if m[3] == 'dark' else 'dark'}",
        "Sites are left out by `without S`.",
    ),
    slip(
        r"hex\w*(?: board| grid)?,? (?:with|of) (\d+)(?: cells| hexes| hexagons)?"
        r" (?:per|a|on a|on each|along each|to a) side",
        r"hex hexagon(\1)",
        "",
    ),
    slip(rf"(?:an? )?(?:grid|board|square) of (\d+){_BY}(\d+)(?: \w+)?", r"square(\1, \2)", ""),
    slip(
        r"(?:none|no|no board|nothing|null|empty)",
        "square(1, 1)",
        "A game that needs no board has one of a single site.",
    ),
    slip(
        rf"(?:{_SQUARE} )?\(?(\d+){_BY}(\d+)\)?(?: (?:board|grid|squares?|cells))?{_CHANGES}",
        r"square(\1, \2)\3",
        "",
    ),
    slip(
        rf"{_SQUARE} ?[(\[]{_SIZE}{_BY}{_SIZE}[)\]]{_CHANGES}",
        r"square(\1, \2)\3",
        "",
    ),
    slip(
        r"(.+\)),? (?:wrap|wraps|wrapped|wrapping)(?: around)? (.+)",
        r"\1 wrapping \2",
        "Changes follow the sizes, without a comma.",
    ),
    slip(
        r"(.+\)),? ?(?:without|minus|except|excluding|-) ?(.+)",
        lambda m: f"{m[1]} without {' | '.join(re.split(r',? and |, ', m[2]))}",
        "Sites are left out by `without S`.",
    ),
    slip(
        r"(.+\)),? with (?:the |all )?(?:diagonals?|diagonal (?:lines|moves|adjacency))",
        r"\1",
        "Which sites are next to one another is for the rules to say, by `orthogonal(s)`,"
        " `diagonal(s)` or `compass(s)`.",
    ),
    slip(
        r"(.+\)),? (?:where|with|if|when|only|for which) (.*[=<>].*|.*\b(?:row|column)\b.*)",
        "",
        "Sites are left out by `without S`, as in `without light`, `without a1 | a2` or `without"
        " sites s in all where C`.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)),? (?:only )?(?:the )?(dark|light)(?: (?:squares|cells))?"
        r"(?: only)?",
        lambda m: f"{m[1]} without {'light' if m[2] == 'dark' else 'dark'}",
        "Sites are left out by `without S`.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)),? (?:with |and )?(?:walls|fences)"
        r"(?: (?:on|along|between) (?:the )?(?:edges|cells|squares))?",
        r"cells and edges of \1",
        "Walls stand on sites of their own, the edges between cells.",
    ),
    slip(
        r"(?:a )?(?:ring|circle|loop|circular track|round track)(?: of | ?\( ?)(\d+)(?: \w+| ?\))?",
        r"square(\1, 1) wrapping columns",
        "A ring is a row that goes round.",
    ),
    slip(
        r"(?:a )?(?:track|path|strip|line|row)(?: of | ?\( ?)(\d+)(?: \w+| ?\))?",
        r"square(\1, 1)",
        _ROWS,
    ),
    slip(
        rf"mancala(?: board)? ?\( ?(\d+){_BY}(\d+) ?\).*",
        r"square(\1, \2)",
        "Pits are cells, with as many seeds as a `number per site` says; a store is a number of"
        " each side, as in `state: {store(players): number}`.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)|{_SHAPED} ?\(.+\)) (?:on |of |with )?(?:the )?"
        r"(?:cells|squares|tiles|hexes|hexagons|triangles|fields)",
        r"\1",
        "The sites of a board are its cells, unless others are named.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)|{_SHAPED} ?\(.+\)) (?:on |of |with )?(?:the )?"
        r"(?:points|intersections|crossings)",
        r"\1",
        "A game on crossings of lines has cells, too: `display: {style: points}` draws them so.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)|{_SHAPED} ?\(.+\)) (?:on |of |with )?(?:the )?"
        r"(edges|vertices|cells and vertices|vertices and edges)",
        r"\2 of \1",
        "The kind of sites stands first.",
    ),
    slip(
        rf"{_SQUARE} ?\((?:columns?|width|w|cols?) ?[=:]? ?{_SIZE},"
        rf" ?(?:rows?|height|h) ?[=:]? ?{_SIZE}\)",
        r"square(\1, \2)",
        "",
    ),
    slip(rf"torus ?\({_SIZE}, ?{_SIZE}\)", r"square(\1, \2) wrapping columns and rows", ""),
    slip(
        r"triang(?:le|ular) ?\((\d+)\)",
        "",
        r"`hex triangle(\1)` is made of hexagons, `triangles triangle(\1)` of triangles.",
    ),
    slip(rf"(?:{_SQUARE} ?)?[(\[]?(\d+)[)\]]?", r"square(\1, \1)", _ROWS),
    slip(rf"{_SQUARE} ?[(\[]{_SIZE}[)\]]", r"square(\1, \1)", _ROWS),
    slip(r"rows:? (\d+),? (?:and )?columns:? (\d+)", r"square(\2, \1)", _ROWS),
    slip(r"columns:? (\d+),? (?:and )?rows:? (\d+)", r"square(\1, \2)", _ROWS),
    slip(r"(\d+) rows,? (?:and )?(\d+) columns", r"square(\2, \1)", _ROWS),
    slip(r"(\d+) columns,? (?:and )?(\d+) rows", r"square(\1, \2)", _ROWS),
    slip(r"(?:hex(?:agon|hex)?|hexagonal) ?[(\[]?(\d+)[)\]]?", r"hex hexagon(\1)", ""),
    slip(rf"(?:hex(?:agon|hex)?|hexagonal) ?[(\[]{_SIZE}[)\]]", r"hex hexagon(\1)", ""),
    slip(
        rf"(?:hex(?:agonal|agon)?s? )?(\d+){_BY}(\d+) (?:hex(?:agonal|agons?)? ?)?"
        rf"(?:rhombus|parallelogram|hex\w*)(?: board| grid)?",
        r"hex rhombus(\1, \2)",
        "",
    ),
    slip(rf"(?:hex|rhombus) ?[(\[]?(\d+){_BY}(\d+)[)\]]?", r"hex rhombus(\1, \2)", ""),
    slip(rf"({_SHAPED})[\s(\[]+(\d+)[)\]]?", r"\1(\2)", "Sizes stand in parentheses."),
    slip(
        rf"({_SHAPED})[\s(\[]+(\d+){_BY}(\d+)[)\]]?",
        r"\1(\2, \3)",
        "Sizes stand in parentheses.",
    ),
    slip(
        r".+",
        "",
        "A board has its sizes in parentheses, as in `square(8, 8)` or `hex hexagon(5)`; any other"
        " graph is `board: {points: …, lines: …}`.",
    ),
)
"""Boards by their sizes."""
