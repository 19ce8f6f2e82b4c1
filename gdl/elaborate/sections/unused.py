"""What is declared and never used, and whether it has a meaning all the same.

In: the declarations after all programs were elaborated. Out: warnings, and the errors inside
definitions that nobody called.
"""

from __future__ import annotations

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Get, Slot
from gdl.core.types import SITES, Type
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Declarations, Definition, Problem, Scope, Silent
from gdl.elaborate.names.values import Value
from gdl.elaborate.pieces.hand_words import HAND, OUT_OF_HAND
from gdl.elaborate.relations.directions import board_relation

_FATAL = (Code.UNKNOWN_NAME, Code.WRONG_NUMBER_OF_ARGUMENTS, Code.RECURSIVE_DEFINITION)


def _gives_names(type_: Type, scope: Scope) -> bool:
    """Whether names are used that only a variable of this type lists, which nothing else uses."""
    d, used = scope.declarations, scope.elaboration.used
    alike = [name for name, variable in d.state.items() if variable.type == type_]
    return type_.name == "name" and used.isdisjoint(alike) and not used.isdisjoint(type_.values)


def check_unused(scope: Scope, elsewhere: frozenset[str]) -> None:
    """Warn of definitions that nothing uses, here or `elsewhere`; report errors in any of them.

    What an unused definition uses counts as used: there is one to be removed at a time.
    """
    d, report, used = scope.declarations, scope.report, scope.elaboration.used
    if report.failed:
        return
    own = {name: found for name, found in d.definitions.items() if not found[0].from_prelude}
    left = [name for name in own if name not in used]
    for name in left:
        for definition in own[name]:
            _try(definition, scope)
    for name in left:
        found = own[name]
        if found[0].result is None and name not in used and name not in elsewhere:
            report.warning(
                Code.UNUSED,
                f"`{name}` is defined, but nothing uses it.",
                found[0].head.span,
                "Remove it, or use it.",
            )
    for name, variable in d.state.items():
        if name not in used and name not in elsewhere and not _gives_names(variable.type, scope):
            report.warning(
                Code.UNUSED,
                f"`{name}` is declared, but nothing uses it.",
                variable.span,
                OUT_OF_HAND if name == HAND else "Remove it, or use it.",
            )
    for name, action in d.actions.items():
        if name not in used and name not in elsewhere:
            report.warning(
                Code.UNUSED,
                f"The action `{name}` is never done.",
                action.head.span,
                f"Remove it, or write `do {name}` in a turn.",
            )


def _try(definition: Definition, whole: Scope) -> None:
    """Elaborate a body with stand-ins for its parameters; report what is wrong with any."""
    problems: list[Problem] = []
    stand_ins = _stand_ins(whole.declarations)
    for stand_in in stand_ins if definition.head.parameters else stand_ins[:1]:
        words: dict[str, Value] = {p.name: stand_in for p in definition.head.parameters}
        scope = whole.turn_of(0).only(words, (definition.head.span, definition.head.span))
        try:
            ex.elaborate(definition.body, scope)
            return
        except Problem as error:
            problems.append(error)
        except Silent:
            return
    fatal = [p for p in problems if p.diagnostic.code in _FATAL]
    if fatal:
        whole.report.add(fatal[0].diagnostic)
    elif not definition.head.parameters:
        whole.report.add(problems[0].diagnostic)


def _stand_ins(d: Declarations) -> list[Value]:
    directions = [n for n in d.board.relations if n not in d.board.families]
    found: list[Value] = [Get(Slot("any", SITES)), build.number(1), Const(0, d.side_type)]
    if directions:
        found.append(board_relation(directions[0], d.board))
    return found
