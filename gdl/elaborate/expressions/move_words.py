"""The words of a move: what a chosen side, kind, name or direction is called in its text.

In: the choice as it stands in the program. Out: its word, or a Problem if there is none; and
whether a site is where a piece goes, so that the move reads `a-b`.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.codes import Code
from gdl.core.nodes import Const, Expression
from gdl.core.types import SITES
from gdl.elaborate.expressions.names import meaning
from gdl.elaborate.names.scope import Scope, problem
from gdl.elaborate.names.values import Known, RelationValue, Value, describe
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in


def is_destination(name: str, statements: Sequence[t.Statement], scope: Scope) -> bool:
    """Return whether a piece is moved to the site of this name: then the move reads `a-b`.

    It may be moved there by an action. A piece that is called by words of the file alone, as in
    `move Duck to b`, comes from no site that the move names.
    """
    return _is_moved_in(name, statements, scope, set())


def _is_moved_in(
    name: str,
    statements: Sequence[t.Statement],
    scope: Scope,
    known: set[tuple[str, str]],
) -> bool:
    """Return the same, without a second look at parameters of actions that are `known`."""
    for statement in statements:
        match statement:
            case t.MovePiece(source=source, destination=t.Name(name=destination)):
                found = destination == name and _has_word_of_turn(source, scope)
            case t.If():
                both = (*statement.then, *statement.otherwise)
                found = _is_moved_in(name, both, scope, known)
            case t.Either():
                found = any(
                    _is_moved_in(name, way.body, scope, known) for way in statement.alternatives
                )
            case (
                t.Optionally()
                | t.ForEach()
                | t.RepeatUntil()
                | t.RepeatSettled()
                | t.RepeatWhile()
                | t.RepeatTimes()
            ):
                found = _is_moved_in(name, statement.body, scope, known)
            case t.Do():
                found = _is_moved_by(name, statement, scope, known)
            case _:
                found = False
        if found:
            return True
    return False


def _has_word_of_turn(source: t.Expression, scope: Scope) -> bool:
    names = (node.name for node in nodes_in((source,)) if isinstance(node, t.Name))
    return any(not meaning(name, scope) for name in names)


def _is_moved_by(name: str, statement: t.Do, scope: Scope, known: set[tuple[str, str]]) -> bool:
    """Return whether an action is given the site of this name, and moves a piece there."""
    called = statement.name.name
    action = scope.declarations.actions.get(called)
    if action is None or len(action.head.parameters) != len(statement.arguments):
        return False
    for parameter, argument in zip(action.head.parameters, statement.arguments, strict=True):
        key = called, parameter.name
        if isinstance(argument, t.Name) and argument.name == name and key not in known:
            known.add(key)
            if _is_moved_in(parameter.name, action.body, scope, known):
                return True
    return False


def word_for(item: Value, domain: t.Expression, index: int, scope: Scope) -> str:
    """Return the word for a chosen side, kind, name or direction."""
    if isinstance(item, Const):
        if item.type.is_choice:
            return item.type.values[int(item.value)]
        if item.type == SITES:
            sites = scope.declarations.board.sites
            return "+".join(s.name for s in sites if int(item.value) >> s.index & 1)
        return str(item.value)
    if isinstance(domain, t.Listing) and isinstance(domain.items[index], t.Name):
        return domain.items[index].span.text
    if isinstance(item, RelationValue):
        if item.name:
            return item.name
        board = scope.declarations.board
        for name, relation in board.relations.items():
            if name not in board.families and RelationValue(Known(relation)) == item:
                return name
        if item.part_of and not isinstance(domain, t.Listing):
            return item.part_of
    if isinstance(item, Expression):
        raise problem(
            Code.NO_WORD,
            "There is no word for this choice: the elements of this list are worked out in play.",
            domain.span,
            "Choose from all that there are: `choose r in orthogonal where r = a or r = b`.",
        )
    raise problem(
        Code.NO_WORD,
        f"There is no word for this choice: it is {describe(item)}.",
        domain.span,
        f"To choose a site, apply it, as in `{domain.span.text}(s)`."
        if isinstance(item, RelationValue) and isinstance(domain, t.Name | t.Call)
        else "Choose from a list of names, or label the alternatives of `either` with `as NAME`.",
    )
