"""The board: from its text, or its points and lines, to a packed board.

In: the `board` section and the options. Out: a `Board`; where there is an error, none: then a
small board can stand in for it, so that the rest of the file can be looked at.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import assert_never

from gdl.board.board import Board, BoardError
from gdl.board.make import SHAPES, BoardSpec, make_board, make_graph_board
from gdl.codes import Code
from gdl.core.nodes import Const
from gdl.diagnostic import Report, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar, Sequence
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Problem, Scope, Silent, problem
from gdl.elaborate.relations.coerce import constant_number
from gdl.elaborate.sections.sections import parsed
from gdl.syntax import tree as t
from gdl.syntax.parser import meant_instead

_LATTICE_WORDS = {"square": "square", "hex": "hexagonal", "triangles": "triangular"}
_KIND_WORDS = {"cells": "cell", "vertices": "vertex", "edges": "edge"}
_DEFAULT_SHAPES = {("square", 2): "rectangle", ("square", 3): "box"}
"""Shapes that have no name, by their lattice and the number of their sizes."""

ScopeOn = Callable[[Board], Scope]


def stand_in_board() -> Board:
    """Return a small board that stands in for one that is not known."""
    return make_board(BoardSpec("square", "rectangle", (3, 3)))


def read_board(document: Document, scope_on: ScopeOn, report: Report) -> Board | None:
    """Read the board; `scope_on` gives the scope of its expressions on a board so far.

    Returns None after an error, which is in the report.
    """
    node = document.get("board")
    if node is None:
        report.error(
            Code.MISSING_KEY,
            "A game needs a `board`.",
            document.span,
            "Write for instance `board: square(8, 8)`; a game that needs none may have one of a"
            " single site, `board: square(1, 1)`.",
        )
        return None
    try:
        if isinstance(node, Scalar):
            text = parsed(node, "board", report)
            return None if text is None else _lattice_board(text, scope_on, stand_in_board())
        return _point_board(node)
    except Problem as error:
        report.add(error.diagnostic)
    except Silent:
        pass
    except BoardError as error:
        report.error(Code.IMPOSSIBLE_BOARD, _sentence(error.message), node.span, error.hint)
    return None


def _sentence(message: str) -> str:
    return f"{message[:1].upper()}{message[1:]}{'' if message.endswith(('.', '?')) else '.'}"


def _lattice_board(text: t.BoardText, scope_on: ScopeOn, stand_in: Board) -> Board:
    lattice = _LATTICE_WORDS.get(text.lattice.name)
    if lattice is None:
        raise problem(
            Code.UNKNOWN_BOARD,
            f"There is no board `{text.lattice.name}`.",
            text.lattice.span,
            meant_instead(text.span, "board")
            or suggest(text.lattice.name, _LATTICE_WORDS)
            or f"The lattices are: {', '.join(_LATTICE_WORDS)}; any other graph has settings,"
            " `points` and `lines`.",
        )
    shape = _shape(text, lattice)
    scope = scope_on(stand_in)
    scope = scope.declaring(replace(scope.declarations, board_is_asked_for=True))
    sizes = tuple(constant_number(ex.whole(size, scope), size.span) for size in text.sizes)
    if len(sizes) != SHAPES[lattice, shape]:
        raise problem(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            f"This board takes {SHAPES[lattice, shape]} sizes, not {len(sizes)}.",
            text.span,
            "Columns come first, then rows." if SHAPES[lattice, shape] == 2 else "",
        )
    spec = BoardSpec(lattice, shape, sizes, _kinds(text))
    for change in text.changes:
        spec = _changed(spec, change)
    board = make_board(spec)
    for change in text.changes:
        if isinstance(change, t.Without):
            value = ex.sites(change.sites, scope_on(board))
            if not isinstance(value, Const):
                raise problem(
                    Code.NOT_CONSTANT,
                    "A board is the same in every position, but this depends on it.",
                    change.sites.span,
                    "Name sites by regions, rows, columns, or one by one.",
                )
            board = board.without(int(value.value))
    return board


def _shape(text: t.BoardText, lattice: str) -> str:
    shapes = [shape for known, shape in SHAPES if known == lattice]
    if text.shape is None:
        default = _DEFAULT_SHAPES.get((lattice, len(text.sizes)))
        if default is None and lattice == "square":
            raise problem(
                Code.WRONG_NUMBER_OF_ARGUMENTS,
                f"This board takes 2 sizes, or 3, not {len(text.sizes)}.",
                text.span,
                meant_instead(text.span, "board") or "Columns come first, then rows, then levels.",
            )
        if default is not None:
            return default
        raise problem(
            Code.UNKNOWN_BOARD,
            "What shape has this board?",
            text.lattice.span,
            f"The shapes are: {', '.join(shapes)}. {meant_instead(text.span, 'board')}".rstrip(),
        )
    if text.shape.name not in shapes:
        raise problem(
            Code.UNKNOWN_BOARD,
            f"There is no shape `{text.shape.name}` of this lattice.",
            text.shape.span,
            suggest(text.shape.name, shapes) or f"The shapes are: {', '.join(shapes)}.",
        )
    return text.shape.name


def _kinds(text: t.BoardText) -> tuple[str, ...]:
    kinds = []
    for name in text.kinds or ():
        if name.name not in _KIND_WORDS:
            raise problem(
                Code.UNKNOWN_BOARD,
                f"`{name.name}` are no sites of a lattice.",
                name.span,
                suggest(name.name, _KIND_WORDS) or "Sites are cells, vertices or edges.",
            )
        kinds.append(_KIND_WORDS[name.name])
    order = list(_KIND_WORDS.values())
    return tuple(sorted(set(kinds), key=order.index)) or ("cell",)


def _changed(spec: BoardSpec, change: t.BoardChange) -> BoardSpec:
    match change:
        case t.Wrapping(names=names):
            for name in names:
                if name.name not in ("columns", "rows"):
                    raise problem(
                        Code.UNKNOWN_BOARD,
                        f"A board can't wrap `{name.name}`.",
                        name.span,
                        "It wraps `columns`, `rows`, or both: `wrapping columns and rows`.",
                    )
            return replace(spec, wrap=tuple(name.name for name in names))
        case t.RowsFrom():
            if (change.what.name, change.word, change.end.name) != ("rows", "from", "top"):
                raise problem(
                    Code.UNKNOWN_BOARD,
                    "This says nothing about a board.",
                    change.span,
                    "Row 1 is at the top of the board with `rows from top`.",
                )
            return replace(spec, top_first=True)
        case t.Without():
            return spec
        case _:
            assert_never(change)


def _point_board(node: Node) -> Board:
    assert isinstance(node, Document)
    points_node, lines_node = node.get("points"), node.get("lines")
    points: dict[str, tuple[float, float]] = {}
    if isinstance(points_node, Scalar):
        for name in points_node.text.replace(",", " ").split():
            points[name] = _place_by_name(name, points_node.span)
    elif isinstance(points_node, Document):
        for key, value in points_node.entries:
            _refuse_wrong_name(key)
            points[key.text] = _place(value)
    lines = []
    if isinstance(lines_node, Sequence):
        for item in lines_node.items:
            if isinstance(item, Scalar):
                lines.append(_line(item, points))
    return make_graph_board(points, lines, _graph_kinds(node.get("sites")))


def _graph_kinds(node: Node | None) -> tuple[str, ...]:
    """Read which of the points and the lines between them are sites; the points if it is unsaid."""
    if not isinstance(node, Scalar):
        return ("vertex",)
    words = node.text.replace(",", " ").split()
    for word in words:
        if word not in ("vertices", "edges", "and"):
            raise problem(
                Code.UNKNOWN_BOARD,
                f"`{word[:20]}` are no sites of a board of points and lines.",
                node.span,
                "Sites are its `vertices`, its `edges`, or `vertices and edges`.",
            )
    kinds = tuple(_KIND_WORDS[word] for word in ("vertices", "edges") if word in words)
    return kinds or ("vertex",)


def _refuse_wrong_name(key: Scalar) -> None:
    """Refuse a name that could not be told from others, or be a word of a move."""
    if re.fullmatch(r"\w+", key.text) is None:
        raise problem(
            Code.IMPOSSIBLE_BOARD,
            f"A point can't be called `{key.text[:20]}`.",
            key.span,
            "A name is made of letters and digits alone, such as `b4` or `north`.",
        )


def _line(node: Scalar, points: Collection[str]) -> list[str]:
    line = node.text.replace(",", " ").split()
    for name in line:
        if name not in points:
            raise problem(
                Code.IMPOSSIBLE_BOARD,
                f"There is no point `{name[:20]}` on this board.",
                node.span,
                suggest(name, points) or "The points of lines stand under `points`.",
            )
    return line


def _place_by_name(name: str, span: Span) -> tuple[float, float]:
    letters = name.rstrip("0123456789")
    if not letters.isalpha() or len(letters) != 1 or letters == name:
        raise problem(
            Code.IMPOSSIBLE_BOARD,
            f"Where is the point `{name[:20]}`?",
            span,
            "Give a place after the name (`north: 0 3`), or names such as b4.",
        )
    return (float(ord(letters.lower()) - ord("a") + 1), float(name[1:][:6]))


def _place(node: Node) -> tuple[float, float]:
    try:
        assert isinstance(node, Scalar)
        x, y = (float(part) for part in node.text.replace(",", " ").split())
    except (ValueError, AssertionError):
        raise problem(
            Code.IMPOSSIBLE_BOARD,
            "A point's place is two numbers.",
            node.span,
            "Write for instance `north: 0 3`.",
        ) from None
    if not (abs(x) < 1e6 and abs(y) < 1e6):
        raise problem(
            Code.IMPOSSIBLE_BOARD, "This place is too far away.", node.span, "Use small numbers."
        )
    return x, y
