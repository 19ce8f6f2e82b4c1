"""Relations and regions that have names: those of the board, and those that the file adds.

In: the declarations of a file. Out: what is known before play, by name. What then holds: a relation
or region that depends on the position is left out.
"""

from __future__ import annotations

from gdl.board.relation import Relation
from gdl.core.nodes import Const
from gdl.core.types import SITES
from gdl.elaborate import expressions as ex
from gdl.elaborate.cases import constant_parameter
from gdl.elaborate.scope import Declarations, Problem, Scope, Silent
from gdl.elaborate.values import Known, RelationValue
from gdl.syntax import tree as t


def named_relations(d: Declarations) -> dict[str, Relation]:
    """Return the relations of the board and of the file that are known before play."""
    found = dict(d.board.relations)
    for name, definitions in d.definitions.items():
        if definitions[0].from_prelude:
            continue
        for definition in definitions:
            label = definition.head.span.text
            if definition.result == "relation" and _is_named(definition.head, d):
                value = _quietly(definition.body, d)
                if isinstance(value, RelationValue) and isinstance(value.tree, Known):
                    found[label if definition.head.parameters else name] = value.tree.relation
    return found


def named_regions(d: Declarations) -> dict[str, int]:
    """Return the regions of the board and of the file that are known before play."""
    found = dict(d.board.regions)
    for name, definitions in d.definitions.items():
        if definitions[0].from_prelude or definitions[0].head.parameters:
            continue
        if definitions[0].result == "sites":
            value = _quietly(definitions[0].body, d)
            if isinstance(value, Const) and value.type == SITES:
                found[name] = int(value.value)
    return found


def _is_named(head: t.Head, d: Declarations) -> bool:
    scope = Scope(d, None, None)
    return all(constant_parameter(p, scope) is not None for p in head.parameters)


def _quietly(body: t.Expression, d: Declarations) -> object:
    try:
        return ex.elaborate(body, Scope(d, None, None))
    except (Problem, Silent):
        return None
