"""The word `seen`: how often the same was seen after earlier turns.

In: what has to be the same: the board, the mover, variables, any values, or all of the position.
Out: an expression of the core, and a memory of what it compares. What then holds: what is compared
can be asked of every position alike; memories that compare the same are one.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.core import build
from gdl.core.memo import Met
from gdl.core.nodes import Can, Const, Expression, Get, GetAt, Memory, Slot, Times
from gdl.core.sameness import equal_up_to_names
from gdl.core.types import NUMBER
from gdl.diagnostic import Span
from gdl.elaborate import coerce
from gdl.elaborate.coerce import Elaborate
from gdl.elaborate.scope import Declarations, Scope, problem
from gdl.elaborate.values import Value, describe
from gdl.elaborate.variables import whole_variable
from gdl.syntax import tree as t

_POSITION = "position"
_MOST_COMPARED = 2000


def seen(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    """Return how often the values of the arguments were the same after earlier turns."""
    if not node.arguments:
        raise problem(
            "wrong-number-of-arguments",
            "`seen` needs to know what must have been the same.",
            node.span,
            "Write `seen(board)`, or `seen(board, mover)`.",
        )
    d = scope.declarations
    key: list[Expression] = []
    for argument in node.arguments:
        if isinstance(argument, t.Name) and argument.name == "board":
            key += _board(d)
        elif isinstance(argument, t.Name) and _is_the_position(argument, scope):
            key += _position(argument.span, scope)
        elif isinstance(argument, t.Name) and argument.name == "mover":
            key.append(Get(d.system.mover))
        elif (slots := whole_variable(argument, scope, elaborate)) is not None:
            key += _all_of(slots, argument.span, scope)
        else:
            value = elaborate(argument, scope)
            if not isinstance(value, Expression):
                raise problem(
                    "wrong-type",
                    f"This should be a value of the position, but it is {describe(value)}.",
                    argument.span,
                    "Write for instance `seen(board)`, or `seen(board, mover)`.",
                )
            if isinstance(value, Const) and value.type in (d.side_type, d.kind_type):
                value = coerce.to_sites(value, argument.span, scope)
            _check_remembered(value, argument.span)
            key.append(value)
    for memory in d.system.memories:
        state = {slot for part in (*memory.key, *key) for slot in part.free}
        if equal_up_to_names(memory.key, tuple(key), state):
            return Times(memory.slot, memory.key)
    slot = Slot(f"history {len(d.system.memories) + 1}", NUMBER, is_state=True)
    d.system.memories.append(Memory(slot, tuple(key), node.span))
    return Times(slot, tuple(key))


def _board(d: Declarations) -> list[Expression]:
    """Return what the arrangement of pieces is made of."""
    marks = [Get(slot) for mark in d.marks() for slot in mark.slots.values()]
    piles = [] if d.piles is None else [Get(d.piles.under)]
    return [*map(Get, d.layers.values()), *marks, *piles]


def _is_the_position(name: t.Name, scope: Scope) -> bool:
    """Return whether a name is the word for all of the position, and no word of the file."""
    own = (*scope.locals, *scope.declarations.declared())
    return name.name == _POSITION and name.name not in own


def _position(span: Span, scope: Scope) -> list[Expression]:
    """Return all that a position is made of: pieces, variables, the mover and the phase."""
    d = scope.declarations
    variables = [variable for variable in d.state.values() if not variable.is_mark]
    d.used |= {variable.name for variable in variables}
    slots = [tuple(variable.slots.values()) for variable in variables]
    values = [value for of_one in slots for value in _all_of(of_one, span, scope)]
    phase = [] if d.system.phase is None else [Get(d.system.phase)]
    return [*_board(d), Get(d.system.mover), *phase, *values]


def _check_remembered(value: Expression, span: Span) -> None:
    """Raise a Problem if a value can't be asked of every position alike."""
    words = sorted(slot.name for slot in value.free if not slot.is_state)
    if words:
        raise problem(
            "wrong-type",
            f"This depends on `{words[0]}`, a word of this place that no earlier position knows.",
            span,
            "Write what can be asked of any position, for instance `seen(board, mover)`.",
        )
    pending, met = [value], Met[Expression]()
    while pending:
        part = pending.pop()
        if isinstance(part, Can | Times):
            raise problem(
                "wrong-type",
                "What was seen is compared as it stood, without a look at its past or future.",
                span,
                "Write no `seen` and no `can` in a `seen`.",
            )
        pending += filter(met.add, part.parts())


def _all_of(slots: Sequence[Slot], span: Span, scope: Scope) -> list[Expression]:
    """Return all values of a variable's slots: on each site, if they are kept per site."""
    if not slots[0].per_site:
        return [Get(slot) for slot in slots]
    size = scope.declarations.board.size
    if size * len(slots) > _MOST_COMPARED:
        raise problem(
            "too-large",
            f"These are more than {_MOST_COMPARED:,} numbers to be remembered of each turn.",
            span,
            "Ask for a value that is made of them, such as a sum.",
        )
    return [GetAt(slot, build.sites(1 << site)) for slot in slots for site in range(size)]
