"""What each side sees: the section `sees`, as expressions for every side.

In: the document and its declarations. Out: a `Sight` a side, in the order of sides; none where the
file hides nothing. What then holds: what a side sees depends on the position alone, and in its
expressions `own` is that side.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Expression, Get
from gdl.diagnostic import Report
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Problem, Scope, Silent, problem
from gdl.elaborate.names.values import describe
from gdl.elaborate.relations.variables import whole_variable
from gdl.elaborate.sections import sections
from gdl.model import Sight
from gdl.syntax import tree as t


def read_sights(document: Document, whole: Scope) -> tuple[Sight, ...]:
    """Read `sees` in the scope of the whole file; errors go to the report."""
    section = document.get("sees")
    if not isinstance(section, Document):
        return ()
    pieces = sections.parsed(section.get("pieces"), "expression", whole.report)
    kinds = sections.parsed(section.get("kinds"), "expression", whole.report)
    moves = sections.parsed(section.get("moves"), "expression", whole.report)
    values = _values(section.get("values"), whole.report)
    everywhere = build.sites(whole.declarations.board.all_sites)
    sights = []
    for side in range(len(whole.declarations.sides)):
        scope = replace(whole, own=side)

        def read(
            node: t.Expression | None,
            means: Callable[[t.Expression, Scope], Expression],
            unsaid: Expression,
            scope: Scope = scope,
        ) -> Expression:
            return unsaid if node is None else _tried(node, means, scope) or unsaid

        seen = [named for value in values for named in _seen(value, scope)]
        sights.append(
            Sight(
                read(pieces, ex.sites, build.NOWHERE),
                read(kinds, ex.sites, everywhere),
                tuple((text, value) for text, value in seen if value is not None),
                read(moves, ex.flag, build.NO),
            )
        )
    return tuple(sights)


def _values(node: Node | None, report: Report) -> list[t.Expression]:
    """Return the values that are listed, in one text or several."""
    lists = [sections.parsed(text, "arguments", report) for text in sections.texts(node)]
    return [value for listed in lists for value in listed or ()]


def _tried(
    node: t.Expression, means: Callable[[t.Expression, Scope], Expression], scope: Scope
) -> Expression | None:
    try:
        return means(node, scope)
    except Problem as error:
        scope.report.add(error.diagnostic)
    except Silent:
        pass
    return None


def _seen(node: t.Expression, scope: Scope) -> list[tuple[str, Expression | None]]:
    """Return the values that an entry means, each with the text that asks for it.

    A variable without its last indices, or its site, is all that they leave.
    """
    try:
        slots = whole_variable(node, scope, ex.elaborate)
    except (Problem, Silent):
        slots = None  # it is told where the value is read
    if slots is not None:
        return [(slot.name, Get(slot)) for slot in slots]
    return [(" ".join(node.span.text.split()), _tried(node, _value, scope))]


def _value(node: t.Expression, scope: Scope) -> Expression:
    """Return what has a value in a position."""
    value = ex.elaborate(node, scope)
    if isinstance(value, Expression):
        return value
    raise problem(
        Code.WRONG_TYPE,
        f"A side sees values, but this is {describe(value)}.",
        node.span,
        "Name a variable at its indices, such as `hand(own)`, or a number, side or set of sites.",
    )
