"""The sections of a file that declare something: sides, pieces, definitions and actions.

In: the document of a game, its variants applied, and the scope of what is declared so far. Out:
`Declarations` that have more. Each function reads one section; errors go to the report and the
section goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gdl.codes import Code
from gdl.core.nodes import Slot
from gdl.core.types import NUMBER, SITES, Type
from gdl.diagnostic import Facts, Report, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar, Sequence
from gdl.elaborate.expressions.names import OF_PRELUDE, meaning
from gdl.elaborate.names.scope import (
    PARAMETER_TYPES,
    Action,
    Declarations,
    Kind,
    Scope,
    System,
)
from gdl.syntax import tree as t
from gdl.syntax.further import read_on
from gdl.syntax.parser import SyntaxProblem, parse, reserved_words


def parsed(node: Node | None, entry: str, report: Report) -> Any:
    """Parse a text of the document; None, and a diagnostic, if it can't be read."""
    if not isinstance(node, Scalar):
        return None
    return parsed_span(node.span, entry, report)


def parsed_span(span: Span, entry: str, report: Report) -> Any:
    """Parse a stretch of a source; None, and a diagnostic, if it can't be read.

    Of a program, the lines that can be read are read on.
    """
    try:
        return parse(span, entry)
    except SyntaxProblem as error:
        report.add(error.diagnostic)
        if entry != "program":
            return None
        found = read_on(span, error.diagnostic)
        for one in found.mistakes:
            report.add(one)
        for part in found.lost if found.statements else (span,):
            report.lose(part, span)
        return found.statements or None


def readable(node: Node | None, entry: str) -> Any:
    """Parse a text of the document; None if it can't be read, and nothing is told of it."""
    return readable_span(node.span, entry) if isinstance(node, Scalar) else None


def readable_span(span: Span, entry: str) -> Any:
    """Parse a stretch of a source; None if it can't be read, and nothing is told of it."""
    try:
        return parse(span, entry)
    except SyntaxProblem:
        return None


def entries(document: Document, section: str) -> Iterator[tuple[Scalar, Node]]:
    """Yield the entries of a section that is a mapping."""
    node = document.get(section)
    if isinstance(node, Document):
        yield from node.entries


def document_keys(document: Document, section: str) -> list[str]:
    """Return the keys of a section."""
    return [key.text for key, _ in entries(document, section)]


def state_names(document: Document) -> list[str]:
    """Return the names of a file's variables, whether what they are can be read or not."""
    return [key.partition("(")[0].strip() for key in document_keys(document, "state")]


def texts(node: Node | None) -> list[Scalar]:
    """Return the texts of a list, or the one text that stands alone."""
    return [text for text, _ in clauses(node)]


def ruling(node: Node, key: str) -> tuple[Node, str]:
    """Return what is a rule and its caption, of a definition (`key` is `is`) or a `clause`.

    A mapping that has the key alone, or with `says`, names the rule so; any other node is the rule
    itself, without a caption.
    """
    rule = node.get(key) if isinstance(node, Document) else None
    if rule is not None and isinstance(node, Document) and {key, "says"}.issuperset(node.keys):
        says = node.get("says")
        return rule, " ".join(says.text.split()) if isinstance(says, Scalar) else ""
    return node, ""


def clauses(node: Node | None) -> list[tuple[Scalar, str]]:
    """Return the clauses of a list, or the one that stands alone, each with its caption."""
    if node is None:
        return []
    if isinstance(node, Document) and node.get("says") is None:
        items = tuple(part for _, part in node.entries)
    else:
        items = node.items if isinstance(node, Sequence) else (node,)
    found = [ruling(item, "clause") for item in items]
    return [(rule, says) for rule, says in found if isinstance(rule, Scalar) and rule.text.strip()]


# ----------------------------------------------------------------------- pieces


_MOST_READ = 32
"""How many sides are gone on with, though there are too many: what else is wrong is told, too."""


def read_sides(document: Document, report: Report) -> Type:
    """Read the names of the sides."""
    node = document.get("players")
    names = parsed(node, "names", report) if node is not None else None
    if node is None:
        report.error(
            Code.MISSING_KEY,
            "A game needs `players`.",
            document.span,
            "Write for instance `players: White, Black`.",
            facts=Facts("players", "a game"),
        )
    found: dict[str, None] = {}
    for name in names or ():
        if name.name in found:
            report.error(
                Code.DUPLICATE_NAME,
                f"`{name.name}` plays already.",
                name.span,
                "Give each player a name of its own.",
            )
        found[name.name] = None
    if len(found) > 8:
        report.error(
            Code.OUT_OF_RANGE,
            f"There are {len(found)} players, and 8 is the most.",
            node.span if node is not None else document.span,
            "Name fewer players.",
        )
    return Type("side", tuple(found)[:_MOST_READ] or ("First", "Second"))


def read_teams(document: Document, side_type: Type, report: Report) -> tuple[tuple[int, ...], ...]:
    """Return the team of each side, by number; empty where the file has no teams."""
    declared: tuple[tuple[t.Name, ...], ...] = parsed(document.get("teams"), "teams", report) or ()
    sides = side_type.values
    found: dict[int, tuple[int, ...]] = {}
    for names in declared:
        team = []
        for name in names:
            if name.name not in sides:
                hint = suggest(name.name, sides) or f"The sides are: {', '.join(sides)}."
                report.error(Code.UNKNOWN_NAME, f"`{name.name}` is no side.", name.span, hint)
                continue
            side = sides.index(name.name)
            if side in found or side in team:
                hint = "Name each side once."
                report.error(
                    Code.DUPLICATE_NAME, f"`{name.name}` is in a team already.", name.span, hint
                )
                continue
            team.append(side)
        found |= dict.fromkeys(team, tuple(sorted(team)))
    teams = tuple(found.get(side, (side,)) for side in range(len(sides)))
    if declared and len(set(teams)) < 2:
        span = declared[0][0].span
        hint = "Name those that play together, with commas between the teams: `A and C, B and D`."
        report.error(Code.WRONG_VALUE, "All sides are in one team: nobody could lose.", span, hint)
    return teams if declared else ()


def system_of(sides: Type) -> System:
    """Return the slots of the course of a game of these sides."""
    seats = (
        Slot(f"seat of {name}", NUMBER, is_state=True, family=("seat",), sides=(side,))
        for side, name in enumerate(sides.values)
    )
    return System(Slot("mover", sides, is_state=True), Slot("following", sides), tuple(seats))


def make_layers(kinds: tuple[Kind, ...], sides: Type) -> dict[tuple[int, int | None], Slot]:
    """Return a slot for the pieces of each kind and side."""
    layers: dict[tuple[int, int | None], Slot] = {}
    for index, kind in enumerate(kinds):
        if kind.is_neutral:
            layers[index, None] = Slot(kind.name, SITES, is_state=True, span=kind.span)
        for side in kind.sides:
            name = f"{sides.values[side]} {kind.name}"
            layers[index, side] = Slot(
                name, SITES, is_state=True, span=kind.span, family=("pieces", index), sides=(side,)
            )
    return layers


# --------------------------------------------------------------- words of the file


def check_names(document: Document, scope: Scope) -> None:
    """Report names that hide another or are reserved, over all that the file declares."""
    declarations, report = scope.declarations, scope.report
    seen: dict[str, Span] = {}
    for name, span in _declared_names(declarations, document):
        if not name.isidentifier() or not name.isascii():
            report.error(
                Code.SYNTAX,
                f"`{name}` can't be a name.",
                span,
                "A name has letters, digits and `_`, and no digit at its beginning.",
            )
        elif name in reserved_words():
            report.error(
                Code.RESERVED_WORD,
                f"`{name}` is a word of the language and can't be a name.",
                span,
                "Choose another name.",
            )
        elif name in seen:
            report.error(
                Code.DUPLICATE_NAME,
                f"`{name}` has a meaning already.",
                span,
                "Choose another name.",
                [("It is declared here first.", seen[name])],
                Facts(name),
            )
        else:
            what = meaning(name, scope)
            if what.startswith(("a word", "a site")) and what != OF_PRELUDE:
                report.error(
                    Code.NAME_TAKEN,
                    f"`{name}` is {what} and can't be declared.",
                    span,
                    "Choose another name.",
                )
            seen[name] = span
    for name, span in _names_of_points(document):
        if declarations.board.index(name) is None:
            continue  # the board could not be made, and another one stands for it
        if name in reserved_words():
            message = f"`{name}` is a word of the language and can't be a name."
            report.error(Code.RESERVED_WORD, message, span, "Choose another name.")
        elif (what := meaning(name, scope)).startswith("a word") and what != OF_PRELUDE:
            message = f"`{name}` is {what}, and no point can be called so."
            report.error(Code.NAME_TAKEN, message, span, "Choose another name.")


def _names_of_points(document: Document) -> Iterator[tuple[str, Span]]:
    """Yield the names of points that a board made point by point has."""
    board = document.get("board")
    points = board.get("points") if isinstance(board, Document) else None
    if isinstance(points, Scalar):
        for name in points.text.replace(",", " ").split():
            yield name, points.span
    elif isinstance(points, Document):
        for key, _ in points.entries:
            yield key.text, key.span


def _declared_names(d: Declarations, document: Document) -> Iterator[tuple[str, Span]]:
    node = document.get("players")
    if isinstance(node, Scalar):
        for name in d.sides:
            yield name, node.span
    if document.get("pieces") is not None:
        for kind in d.kinds:
            yield kind.name, kind.span
        for word in (*d.traits, *d.groups_of_kinds):
            yield word, next(kind.span for kind in d.kinds if kind.groups)
    for key, _ in entries(document, "options"):
        yield key.text, key.span
    for variable in d.state.values():
        yield variable.name, variable.span
    for name, found in d.definitions.items():
        if not found[0].from_prelude:
            yield name, found[0].head.name.span
    for name, action in d.actions.items():
        yield name, action.head.name.span


def check_parameters(head: t.Head, report: Report) -> bool:
    """Return whether the types of a head's parameters are known; report those that aren't."""
    unknown = [p for p in head.parameters if p.type is not None and p.type not in PARAMETER_TYPES]
    for parameter in unknown:
        report.error(
            Code.UNKNOWN_TYPE,
            f"`{parameter.type}` is no type.",
            parameter.span,
            suggest(parameter.type or "", PARAMETER_TYPES)
            or f"The types are: {', '.join(PARAMETER_TYPES)}.",
        )
    return not unknown


def read_actions(document: Document, scope: Scope) -> Declarations:
    """Read `actions`; return the declarations with them."""
    actions: dict[str, Action] = {}
    broken: list[str] = []
    for key, node in entries(document, "actions"):
        head = parsed(key, "head", scope.report)
        body = parsed(node, "program", scope.report)
        known = head is not None and check_parameters(head, scope.report)
        if known and body is not None:
            actions[head.name.name] = Action(head, body)
        else:
            broken.append(key.text.partition("(")[0].strip())
    return replace(scope.declarations.without(*broken), actions=actions)


def read_names_of_phases(document: Document, scope: Scope) -> Declarations:
    """Return the declarations with the phases of a file, if it has any."""
    d, phases = scope.declarations, tuple(document_keys(document, "phases"))
    if not phases:
        return d
    phase = Slot("phase", NUMBER, is_state=True)
    return replace(d, phases=phases, system=replace(d.system, phase=phase))
