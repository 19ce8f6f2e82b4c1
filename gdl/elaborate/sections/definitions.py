"""The words of a file: `relations`, `regions` and `define`, also as tables and drawings.

In: the document of a game, its variants applied. Out: definitions by name. What then holds: a table
or drawing is a definition like others, with a parameter for each level of its keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from gdl.board.relation import Relation
from gdl.codes import Code
from gdl.core.nodes import Const
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.diagnostic import Report
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.nodes import Sequence as ListNode
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Definition, Problem, Scope, Silent
from gdl.elaborate.names.values import Known, RelationValue
from gdl.elaborate.relations.cases import constant_parameter
from gdl.elaborate.sections.sections import check_parameters, entries, parsed, ruling
from gdl.syntax import tree as t

_SECTIONS = (("relations", "relation"), ("regions", "sites"), ("define", None))
"""The sections of a file's own words, with what they must stand for."""


@dataclass
class Definitions:
    """The definitions of a file by name, and the names of those that can't be read.

    `hidden` are those of the prelude whose names the file gives to others.
    """

    by_name: dict[str, list[Definition]] = field(default_factory=dict)
    hidden: dict[str, list[Definition]] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)


def read_definitions(
    document: Document, prelude: Mapping[str, Sequence[Definition]], report: Report
) -> Definitions:
    """Read `relations`, `regions` and `define`; the words of the prelude are among the result."""
    found = Definitions({name: list(words) for name, words in prelude.items()})
    for section, result in _SECTIONS:
        for key, node in entries(document, section):
            head = parsed(key, "head", report)
            if head is None:
                found.broken.add(key.text.partition("(")[0].strip())
                continue
            rule, says = ruling(node, "is")
            head, body = _defined(head, rule, result, report)
            if not check_parameters(head, report) or body is None:
                found.broken.add(head.name.name)
                continue
            same = found.by_name.setdefault(head.name.name, [])
            if same and same[0].from_prelude:
                report.warning(
                    Code.NAME_TAKEN,
                    f"`{head.name.name}` is a word of the prelude too, and means this in the file.",
                    head.name.span,
                    f"Choose another name, or use `{same[0].head.span.text}` as it is there.",
                )
                found.hidden[head.name.name] = same
                same = found.by_name[head.name.name] = []
            same.append(Definition(head, body, result, says=says))
    return found


def _defined(
    head: t.Head, node: Node, result: str | None, report: Report
) -> tuple[t.Head, t.Expression | None]:
    """Return a definition's head and body; a table's head has a parameter for each level."""
    if not isinstance(node, Document):
        return head, parsed(node, "expression", report)
    path = node.get("path")
    if path is not None:
        lists = path.items if isinstance(path, ListNode) else (path,)
        return head, t.PathOf(path.span, tuple(one.span for one in lists))
    drawing = node.get("rows")
    if isinstance(drawing, Scalar):
        if result == "sites":
            return head, t.DrawingOf(drawing.span, None)
        asked = _asked(head, 1)
        return _with_parameters(head, (asked,)), t.DrawingOf(drawing.span, asked)
    levels = tuple(_asked(head, level + 1) for level in range(_depth(node)))
    return _with_parameters(head, levels), _table(node, levels, report)


def _asked(head: t.Head, level: int) -> t.Name:
    """Return the name of a table's parameter: no word that can be written."""
    return t.Name(head.span, "…" * level)


def _with_parameters(head: t.Head, names: tuple[t.Name, ...]) -> t.Head:
    more = tuple(t.Parameter(head.span, None, name) for name in names)
    return t.Head(head.span, head.name, (*head.parameters, *more))


def _depth(node: Node) -> int:
    """Return how many tables stand in one another."""
    if not isinstance(node, Document):
        return 0
    return 1 + max((_depth(value) for _, value in node.entries), default=0)


def _table(node: Document, levels: tuple[t.Name, ...], report: Report) -> t.Expression | None:
    made: list[t.Entry] = []
    complete = True
    for key, value in node.entries:
        is_other = key.text.strip() == "else"
        asked = None if is_other else parsed(key, "expression", report)
        of: t.Expression | None = (
            _table(value, levels[1:], report)
            if isinstance(value, Document)
            else parsed(value, "expression", report)
        )
        if of is None or (asked is None and not is_other):
            complete = False
        else:
            made.append(t.Entry(key.span, asked, of))
    return t.TableOf(node.span, levels[0], tuple(made)) if complete else None


# ------------------------------------------------------------ relations and regions that have names


def named_relations(scope: Scope) -> dict[str, Relation]:
    """Return the relations of the board and of the file that are known before play."""
    found = dict(scope.declarations.board.relations)
    for name, definitions in scope.declarations.definitions.items():
        if definitions[0].from_prelude:
            continue
        for definition in definitions:
            label = definition.head.span.text
            if definition.result == "relation" and _is_named(definition.head, scope):
                value = _quietly(definition.body, scope)
                if isinstance(value, RelationValue) and isinstance(value.tree, Known):
                    found[label if definition.head.parameters else name] = value.tree.relation
    return found


def named_regions(scope: Scope) -> dict[str, int]:
    """Return the regions of the board and of the file that are known before play."""
    found = dict(scope.declarations.board.regions)
    for name, definitions in scope.declarations.definitions.items():
        if definitions[0].from_prelude or definitions[0].head.parameters:
            continue
        if definitions[0].result == "sites":
            value = _quietly(definitions[0].body, scope)
            if isinstance(value, Const) and value.type == SITES:
                found[name] = int(value.value)
    return found


def _is_named(head: t.Head, scope: Scope) -> bool:
    return all(constant_parameter(p, scope) is not None for p in head.parameters)


def _quietly(body: t.Expression, scope: Scope) -> object:
    try:
        return ex.elaborate(body, scope)
    except (Problem, Silent):
        return None
