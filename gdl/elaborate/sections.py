"""The sections of a file that declare something: sides, options, board, pieces, state, words.

In: the document of a game, its variants applied. Out: `Declarations`, ready for programs. Each
function reads one section; errors go to the report and the section goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from typing import Any, TypeVar

from gdl.core.nodes import Const, Expression, Slot
from gdl.core.nodes import Value as CoreValue
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.diagnostic import Report, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar, Sequence
from gdl.elaborate import coerce
from gdl.elaborate import expressions as ex
from gdl.elaborate.builtins import meaning
from gdl.elaborate.domains import unrolled
from gdl.elaborate.move_words import word_for
from gdl.elaborate.scope import (
    PARAMETER_TYPES,
    Action,
    Declarations,
    Definition,
    Kind,
    Problem,
    Scope,
    Silent,
    StateVariable,
    problem,
)
from gdl.elaborate.values import Value
from gdl.syntax import tree as t
from gdl.syntax.parser import SyntaxProblem, keywords, parse

Item = TypeVar("Item")


def parsed(node: Node | None, entry: str, report: Report) -> Any:
    """Parse a text of the document; None, and a diagnostic, if it can't be read."""
    if not isinstance(node, Scalar):
        return None
    return parsed_span(node.span, entry, report)


def parsed_span(span: Span, entry: str, report: Report) -> Any:
    """Parse a stretch of a source; None, and a diagnostic, if it can't be read."""
    try:
        return parse(span, entry)
    except SyntaxProblem as error:
        report.add(error.diagnostic)
        return None


def entries(document: Document, section: str) -> Iterator[tuple[Scalar, Node]]:
    """Yield the entries of a section that is a mapping."""
    node = document.get(section)
    if isinstance(node, Document):
        yield from node.entries


def document_keys(document: Document, section: str) -> list[str]:
    """Return the keys of a section."""
    return [key.text for key, _ in entries(document, section)]


def texts(node: Node | None) -> list[Scalar]:
    """Return the texts of a list, or the one text that stands alone."""
    if isinstance(node, Scalar):
        return [node] if node.text.strip() else []
    if isinstance(node, Sequence):
        return [item for item in node.items if isinstance(item, Scalar)]
    return []


# ----------------------------------------------------------------------- pieces

DEFAULT_KIND = "Stone"


def read_sides(document: Document, report: Report) -> Type:
    """Read the names of the sides."""
    node = document.get("players")
    names = parsed(node, "names", report) if node is not None else None
    if node is None:
        report.error(
            "missing-key",
            "A game needs `players`.",
            document.span,
            "Write for instance `players: White, Black`.",
        )
    found: list[str] = []
    for name in names or ():
        if name.name in found:
            report.error(
                "duplicate-name",
                f"`{name.name}` plays already.",
                name.span,
                "Give each player a name of its own.",
            )
        else:
            found.append(name.name)
    if len(found) > 8:
        report.error(
            "out-of-range",
            f"There are {len(found)} players, and 8 is the most.",
            node.span if node is not None else document.span,
            "Name fewer players.",
        )
    return Type("side", tuple(found) or ("First", "Second"))


def read_kinds(document: Document, sides: Type, report: Report) -> tuple[Kind, ...]:
    """Read the kinds of piece and who has them."""
    node = document.get("pieces")
    everyone = tuple(range(len(sides.values)))
    if node is None:
        return (Kind(DEFAULT_KIND, everyone, document.span),)
    listed: list[t.PieceEntry] = []
    if isinstance(node, Scalar):
        listed = list(parsed(node, "piece_list", report) or ())
    elif isinstance(node, Document):
        for key, value in node.entries:
            listed += parsed(key, "piece_list", report) or ()
            if isinstance(value, Scalar) and value.text.strip():
                report.error(
                    "wrong-shape",
                    "A kind of piece has no settings.",
                    value.span,
                    "Its symbols stand under `display`.",
                )
    found: list[Kind] = []
    for entry in listed:
        *before, name = entry.words
        owners = everyone
        for word in before:
            if word.name == "neutral":
                owners = ()
            elif word.name in sides.values:
                owners = (sides.values.index(word.name),)
            else:
                report.error(
                    "unknown-name",
                    f"`{word.name}` is no player.",
                    word.span,
                    suggest(word.name, [*sides.values, "neutral"])
                    or f"Before a kind stands `neutral` or one of: {', '.join(sides.values)}.",
                )
        if any(kind.name == name.name for kind in found):
            report.error(
                "duplicate-name",
                f"There is a piece `{name.name}` already.",
                name.span,
                "Name each kind of piece once.",
            )
        else:
            found.append(Kind(name.name, owners, name.span))
    return tuple(found) or (Kind(DEFAULT_KIND, everyone, document.span),)


def make_layers(kinds: tuple[Kind, ...], sides: Type) -> dict[tuple[int, int | None], Slot]:
    """Return a slot for the pieces of each kind and side."""
    layers: dict[tuple[int, int | None], Slot] = {}
    for index, kind in enumerate(kinds):
        if kind.is_neutral:
            layers[index, None] = Slot(kind.name, SITES, is_state=True, span=kind.span)
        for side in kind.sides:
            name = f"{sides.values[side]} {kind.name}"
            layers[index, side] = Slot(name, SITES, is_state=True, span=kind.span)
    return layers


# --------------------------------------------------------------- words of the file


def check_names(declarations: Declarations, document: Document) -> None:
    """Report names that hide another or are reserved, over all that the file declares."""
    scope = Scope(declarations, None, None)
    report = declarations.report
    seen: dict[str, Span] = {}
    for name, span in _declared_names(declarations, document):
        if not name.isidentifier() or not name.isascii():
            report.error(
                "syntax",
                f"`{name}` can't be a name.",
                span,
                "A name has letters, digits and `_`, and no digit at its beginning.",
            )
        elif name in keywords():
            report.error(
                "reserved-word",
                f"`{name}` is a word of the language and can't be a name.",
                span,
                "Choose another name.",
            )
        elif name in seen:
            report.error(
                "duplicate-name",
                f"`{name}` has a meaning already.",
                span,
                "Choose another name.",
                [("It is declared here first.", seen[name])],
            )
        else:
            what = meaning(name, scope)
            if what.startswith(("a word", "a site")):
                report.error(
                    "name-taken",
                    f"`{name}` is {what} and can't be declared.",
                    span,
                    "Choose another name.",
                )
            seen[name] = span


def _declared_names(d: Declarations, document: Document) -> Iterator[tuple[str, Span]]:
    node = document.get("players")
    if isinstance(node, Scalar):
        for name in d.sides:
            yield name, node.span
    if document.get("pieces") is not None:
        for kind in d.kinds:
            yield kind.name, kind.span
    for key, _ in entries(document, "options"):
        yield key.text, key.span
    for variable in d.state.values():
        yield variable.name, variable.span
    for name, found in d.definitions.items():
        if not found[0].from_prelude:
            yield name, found[0].head.name.span
    for name, action in d.actions.items():
        yield name, action.head.name.span


def read_definitions(document: Document, declarations: Declarations) -> None:
    """Read `relations`, `regions` and `define`."""
    report = declarations.report
    for section, result in (("relations", "relation"), ("regions", "sites"), ("define", None)):
        for key, node in entries(document, section):
            head = parsed(key, "head", report)
            body = parsed(node, "expression", report)
            if head is None:
                declarations.broken.add(key.text.partition("(")[0].strip())
                continue
            if not _check_parameters(head, report) or body is None:
                declarations.broken.add(head.name.name)
                continue
            found = declarations.definitions.setdefault(head.name.name, [])
            if found and found[0].from_prelude:
                report.error(
                    "name-taken",
                    f"`{head.name.name}` is a word of the prelude and can't be defined anew.",
                    head.name.span,
                    "Choose another name.",
                )
                continue
            found.append(Definition(head, body, result))


def _check_parameters(head: t.Head, report: Report) -> bool:
    """Return whether the types of a head's parameters are known; report those that aren't."""
    unknown = [p for p in head.parameters if p.type is not None and p.type not in PARAMETER_TYPES]
    for parameter in unknown:
        report.error(
            "unknown-type",
            f"`{parameter.type}` is no type.",
            parameter.span,
            suggest(parameter.type or "", PARAMETER_TYPES)
            or f"The types are: {', '.join(PARAMETER_TYPES)}.",
        )
    return not unknown


def read_actions(document: Document, declarations: Declarations) -> None:
    """Read `actions`."""
    for key, node in entries(document, "actions"):
        head = parsed(key, "head", declarations.report)
        body = parsed(node, "program", declarations.report)
        known = head is not None and _check_parameters(head, declarations.report)
        if known and body is not None:
            declarations.actions[head.name.name] = Action(head, body)
        else:
            declarations.broken.add(key.text.partition("(")[0].strip())


# ------------------------------------------------------------------------ state

_MOST_COMBINATIONS = 1000


def read_state(document: Document, declarations: Declarations) -> dict[Slot, object]:
    """Read `state`; return the initial value of each slot."""
    initial: dict[Slot, object] = {}
    for key, node in entries(document, "state"):
        report = declarations.report
        head = parsed(key, "state_head", report)
        declared = parsed(node, "state_type", report)
        name = key.text.partition("(")[0].strip()
        if head is None or declared is None:
            declarations.broken.add(name)
            continue
        try:
            _state_variable(head, declared, declarations, initial)
        except (Problem, Silent) as error:
            declarations.broken.add(name)
            if isinstance(error, Problem):
                report.add(error.diagnostic)
    return initial


def _state_variable(
    head: t.StateHead, declared: t.StateType, d: Declarations, initial: dict[Slot, object]
) -> None:
    scope = Scope(d, None, None)
    type_, low, high = _state_type(declared, scope)
    is_mark = declared.type.name == "mark"
    if is_mark and declared.domain is not None:
        type_ = NUMBER
    per_site = declared.per is not None or (is_mark and type_ == NUMBER)
    if declared.per is not None and declared.per.name != "site":
        raise problem(
            "wrong-type",
            "A number is kept `per site`, and not per anything else.",
            declared.per.span,
            "A variable with an index is written `score(players): number`.",
        )
    if per_site and type_ != NUMBER:
        raise problem(
            "wrong-type",
            "Only numbers can be kept per site.",
            declared.type.span,
            "A set of sites is `sites`.",
        )
    indices = tuple(_index_items(index, scope) for index in head.indices)
    combinations = prod(map(len, indices))
    if combinations > _MOST_COMBINATIONS:
        raise problem(
            "too-large",
            f"This variable has {combinations:,} combinations of indices, "
            f"more than {_MOST_COMBINATIONS:,}.",
            head.span,
            "Use fewer indices, or keep a number `per site`.",
        )
    slots: dict[tuple[Value, ...], Slot] = {}
    words = tuple(
        tuple(_index_word(item, index, place, scope) for place, item in enumerate(items))
        for index, items in zip(head.indices, indices, strict=True)
    )
    for key, named in zip(_products(indices), _products(words), strict=True):
        name = f"{head.name.name}({', '.join(named)})" if named else head.name.name
        slot = Slot(name, type_, True, per_site, low, high, head.name.span)
        slots[key] = slot
        value = _initial_value(declared, type_, scope)
        coerce.check_bounds(slot, value, (declared.initial or declared).span)
        if is_mark and type_ == NUMBER:
            coerce.check_bounds(slot, 0, declared.span)
        initial[slot] = (value,) * d.board.size if per_site else value
    d.state[head.name.name] = StateVariable(
        head.name.name, type_, indices, slots, per_site, is_mark, head.name.span
    )


def _state_type(declared: t.StateType, scope: Scope) -> tuple[Type, int | None, int | None]:
    d = scope.declarations
    word = declared.type.name
    low = high = None
    if word == "name":
        items = declared.domain.items if isinstance(declared.domain, t.Listing) else ()
        names = tuple(item.name for item in items if isinstance(item, t.Name))
        if len(names) < 2 or len(names) != len(items):
            raise problem(
                "wrong-type",
                "A variable of names lists them.",
                declared.span,
                "Write `name in (idle, busy)`.",
            )
        return Type("name", names), None, None
    known = {
        "number": NUMBER,
        "fraction": FRACTION,
        "sites": SITES,
        "flag": FLAG,
        "side": d.side_type,
        "kind": d.kind_type,
        "mark": SITES,
    }
    if word not in known:
        raise problem(
            "unknown-type",
            f"`{word}` is no type.",
            declared.type.span,
            suggest(word, known) or f"The types are: {', '.join(known)}, name.",
        )
    if declared.domain is not None:
        if not isinstance(declared.domain, t.Range) or word not in ("number", "mark"):
            raise problem(
                "wrong-type",
                "Only a number has bounds, and they are a range.",
                declared.domain.span,
                "Write for instance `number in 0..9`.",
            )
        low = _constant(declared.domain.low, scope)
        high = _constant(declared.domain.high, scope)
        if low > high:
            raise problem(
                "out-of-range",
                f"Nothing lies within these bounds: {low} is more than {high}.",
                declared.domain.span,
                "The lower bound comes first.",
            )
    return known[word], low, high


def _constant(node: t.Expression, scope: Scope) -> int:
    return coerce.constant_number(ex.whole(node, scope), node.span)


def _index_items(node: t.Expression, scope: Scope) -> tuple[Value, ...]:
    items = unrolled(ex.elaborate(node, scope))
    if items is None:
        raise problem(
            "wrong-type",
            "A variable is indexed by sides, kinds, directions, or a short range of numbers.",
            node.span,
            "Write for instance `prisoners(players)` or `wall(orthogonal)`.",
        )
    return items


def _index_word(item: Value, index: t.Expression, place: int, scope: Scope) -> str:
    """Return what an author calls one value of an index."""
    if isinstance(index, t.Listing):
        return index.items[place].span.text
    try:
        return word_for(item, index, place, scope)
    except Problem:
        return index.span.text


def _products(indices: tuple[tuple[Item, ...], ...]) -> list[tuple[Item, ...]]:
    keys: list[tuple[Item, ...]] = [()]
    for items in indices:
        keys = [(*key, item) for key in keys for item in items]
    return keys


def _initial_value(declared: t.StateType, type_: Type, scope: Scope) -> CoreValue:
    if declared.initial is None:
        if type_.name == "name":
            return 0
        return -1 if type_.is_choice else False if type_ == FLAG else 0
    made: Expression = ex.of_type(declared.initial, type_, scope)
    if not isinstance(made, Const):
        raise problem(
            "not-constant",
            "The value at the start must be known before play.",
            declared.initial.span,
            "What depends on the position is given to a variable by `set` in a turn.",
        )
    return made.value
