"""Pieces as statements name them: `Stone`, `White King`, `Man of owner(s)`.

In: the words of a statement. Out: the kind and the side, and statements for each side that may
be meant where it is known in play only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gdl.codes import Code
from gdl.core import build, nodes
from gdl.core.nodes import Const, Expression, Get, Slot, Statement
from gdl.diagnostic import Edit, Facts, Span, first_names
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Kind, Problem, Scope, problem
from gdl.elaborate.names.values import describe
from gdl.elaborate.relations import coerce
from gdl.syntax import tree as t


def by_side(
    span: Span, sides: Expression | None, make: Callable[[int | None], list[Statement]]
) -> list[Statement]:
    """Return the statements for a side, one case a side where it is known in play only."""
    if sides is None:
        return make(None)
    if isinstance(sides, Const):
        return make(int(sides.value))
    kept = Slot("side", sides.type)
    made: list[Statement] = [nodes.Assign(span, kept, sides)]
    for index in range(len(sides.type.values)):
        here = build.equal(Get(kept), Const(index, sides.type))
        made.append(nodes.Branch(span, here, tuple(make(index)), ()))
    return made


def piece_layer(
    piece: t.Piece, scope: Scope, *, complete: bool
) -> tuple[Expression | None, Expression | None]:
    """Return the kind and the side of a piece; each may be left out of a `change`.

    Raises Problem, also where it is known that there is no such piece.
    """
    kind, side = kind_and_side(piece, scope, complete=complete)
    if complete and isinstance(kind, Const) and isinstance(side, Const):
        d, which = scope.declarations, int(kind.value)
        if (which, int(side.value)) not in d.layers:
            raise _no_such_piece(piece, d.kinds[which], int(side.value), scope)
    return kind, side


def _no_such_piece(piece: t.Piece, kind: Kind, side: int, scope: Scope) -> Problem:
    """Return what is wrong with a piece that its side has not: one side alone has such pieces.

    Where no side was named, its name is put before the kind.
    """
    sides = scope.declarations.sides
    hint, edit = "Who has which pieces is declared under `pieces`.", None
    is_alone = piece.owner is None and len(piece.words) == 1
    if is_alone and isinstance(piece.words[0], t.Name) and piece.words[0].name == kind.name:
        named = f"{sides[kind.sides[0]]} {kind.name}"
        hint = (
            "A piece without a side is that of the side on turn, which may be any here. Name the "
            f"side that has it: `{named}`; or ask `if mover = {sides[kind.sides[0]]}` before."
        )
        edit = Edit(piece.span, named)
    error = problem(
        Code.NO_SUCH_PIECE,
        f"{sides[side]} has no {kind.name}.",
        piece.span,
        hint,
        see=[("It is declared here.", kind.span)],
    )
    return Problem(replace(error.diagnostic, edit=edit))


def is_named(piece: t.Piece, scope: Scope) -> bool:
    """Return whether the kind of a piece is named outright, and not by a variable."""
    words = [word.name for word in piece.words if isinstance(word, t.Name)]
    return any(word in scope.declarations.kind_type.values for word in words)


def kind_and_side(
    piece: t.Piece, scope: Scope, *, complete: bool
) -> tuple[Expression | None, Expression | None]:
    """Return the kind and the side of a piece that there may not be. Raises Problem."""
    d = scope.declarations
    kind: Expression | None = None
    side: Expression | None = None
    for word in piece.words:
        value = ex.elaborate(word, scope)
        if isinstance(value, Expression) and value.type == d.kind_type and kind is None:
            coerce.check_somebody(value, word.span)
            kind = value
        elif isinstance(value, Expression) and value.type == d.side_type and side is None:
            side = value
        else:
            raise problem(
                Code.WRONG_TYPE,
                f"A kind of piece should stand here, but this is {describe(value)}.",
                word.span,
                f"The kinds are: {first_names(d.kind_type.values)}.",
                facts=Facts(found=describe(value), sections=("pieces",)),
            )
    if piece.owner is not None:
        side = ex.of_type(piece.owner, d.side_type, scope)
    if side is not None:
        coerce.check_somebody(side, piece.span)
    if not complete:
        return kind, side
    if kind is None:
        raise problem(
            Code.WRONG_TYPE,
            "Which kind of piece?",
            piece.span,
            f"The kinds are: {first_names(d.kind_type.values)}.",
            facts=Facts(sections=("pieces",)),
        )
    which = int(kind.value) if isinstance(kind, Const) else None
    if all(k.is_neutral for k in (d.kinds if which is None else (d.kinds[which],))):
        return kind, None
    if side is None and scope.own is not None:
        side = Const(scope.own, d.side_type)
    if side is None:
        raise problem(Code.NO_SIDE_HERE, "Whose piece?", piece.span, "Name a side before the kind.")
    return kind, side
