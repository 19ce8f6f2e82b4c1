"""How moves are written elsewhere: the section `notation`.

In: the section, and the declarations. Out: a `Notation` for each entry. What then holds: each site
has one name in each, and each condition has a meaning for every side.

A form is a text with parts in braces, each of which is here what it is, and its sign:

| part              | what     | is                                                             |
|-------------------|----------|----------------------------------------------------------------|
| `{first}`, `{2}`  | `site`   | the site that the move names first, second and so on           |
| `{last}`          | `last`   | the site that it names last                                    |
| `{first?}`        | `needed` | as much of the first site as tells the move from others        |
| `{via?}`          | `via`    | the sites between, where the move is told from others by them  |
| `{piece}`         | `piece`  | the letter of what stands on the first site                    |
| `{piece 3}`       | `piece`  | the letter of what stands on the third site                    |
| `{1>2}`           | `way`    | the sign of the direction from one of its sites to another     |
| `{beside}`        | `beside` | the last site, by a piece beside it and the sign of the way    |
| `{kind}`          | `kind`   | the letter of the kind that the move names                     |
| `{KIND}`          | `capital`| the same in capitals                                           |
| `{kind?}`         | `choice` | the same, where the move names a kind                          |
| `{=kind}`         | `choice` | the same with a sign before it                                 |
| `{words}`         | `words`  | the signs of the words that the move has                       |
| `{numbers}`       | `number` | the numbers that the move names, run together                  |
| `{steps /*}`      | `steps`  | all its steps, with the first sign between the ends of each,   |
|                   |          | and the second behind one that takes                           |
| `{x}`, `{-x}`     | `taken`  | a sign where something is taken, perhaps another where nothing |
| any other text    | `text`   | itself                                                         |
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from gdl.board.board import Board, Site, column_letters
from gdl.codes import Code
from gdl.core.nodes import Expression, Get, Slot
from gdl.core.types import SITES
from gdl.diagnostic import Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Scope
from gdl.elaborate.sections import sections
from gdl.elaborate.sections.forms import PIECES, VARIABLES, Forms
from gdl.elaborate.sections.looks import for_each_side, report_unknown
from gdl.model import HERE, Form, FormPart, Notation, PositionNotation

_LETTERS = "letters"
_LINE = re.compile(r"(?P<form>.*?)(?:\s+with\s+(?P<word>\S+))?(?:\s+when\s+(?P<when>.+))?\s*")
_PART = re.compile(r"\{([^{}]*)\}")
_FIELDS = ("rows", "mover", "hands", "counts", "move")
_NAMED = {"first": ("site", "1"), "last": ("last", ""), "first?": ("needed", "1")}
_NAMED |= {
    "via?": ("via", ""),
    "beside": ("beside", ""),
    "piece": ("piece", "1"),
    "kind": ("kind", ""),
    "words": ("words", ""),
    "numbers": ("number", ""),
}
_NAMED |= {"KIND": ("capital", ""), "kind?": ("choice", "")}
_CHOICE = re.compile(r"(\W)kind")
_PIECE = re.compile(r"piece ([1-9]\d*)")
_STEPS = re.compile(r"steps ([^\w\s(){}]{1,2})")
_WAY = re.compile(r"[1-9]\d*>[1-9]\d*")
_SIGNS = re.compile(r"x|[^\w\s]x|[^\w\s][^\w\s]")
_AXIS = re.compile(
    r"(?P<style>letters|capitals|numbers)(?: without (?P<left_out>[a-z]))?"
    r"(?: from (?P<side>left|right|top|bottom))?(?P<is_from_0> beginning with 0)?"
)
_NUMBERED = re.compile(r"numbers(?: from (?P<corner>(?:top|bottom) (?:left|right)))?")
_BY_VALUE = re.compile(r"\s*numbers\s+by\s+(?=\S)")
_OWN_NAME = re.compile(r"([a-z]+)([0-9]+)", re.IGNORECASE)


def read_notations(document: Document, scope: Scope, forms: Forms) -> tuple[Notation, ...]:
    """Read `notation`; errors go to the report.

    What is said of kinds and words that only another form of the game has is left out.
    """
    section = document.get("notation")
    if not isinstance(section, Document):
        return ()
    common = dict(_letters(section.get(_LETTERS), scope, forms))
    return tuple(
        _notation(key.text.strip(), node, common, scope, forms)
        for key, node in section.entries
        if key.text != _LETTERS
    )


def _notation(
    name: str, node: Node, common: Mapping[str, str], scope: Scope, forms: Forms
) -> Notation:
    settings = node if isinstance(node, Document) else None

    def setting(key: str) -> Node | None:
        return None if settings is None else settings.get(key)

    first, last = Slot("first", SITES), Slot("last", SITES)
    inner = scope.bind("first", Get(first)).bind("last", Get(last))
    site, sites = Slot("site", SITES), setting("sites")
    numbers = _numbers_by_side(sites, scope.bind("site", Get(site)), forms)
    columns, rows = _names_of_sites(None if numbers is not None else sites, scope)
    own = setting(_LETTERS)
    letters = common if own is None else dict(_letters(own, scope, forms))
    check, agreed = setting("check"), setting("agreed")
    return Notation(
        name,
        columns,
        rows,
        letters,
        dict(_entries(setting("words"))),
        tuple(_forms(node if settings is None else settings.get("moves"), inner, forms)),
        () if check is None else _for_each_side(check.span, scope, forms),
        _texts(setting("skips")),
        _texts(setting("mirrors")),
        {tag: tuple(map(str.strip, said.split(","))) for tag, said in _entries(setting("tags"))},
        dict(_options(setting("options"), scope, forms)),
        _position(setting("position"), letters, scope, forms),
        first,
        last,
        dict(_known_keys(setting("sides"), scope.declarations.sides, "side", scope, forms)),
        dict(
            _known_keys(
                setting("directions"),
                (*scope.declarations.board.relations, HERE),
                "direction",
                scope,
                forms,
            )
        ),
        _texts(setting("unsaid")),
        tuple(_forms(setting("effects"), inner, forms)),
        numbers or (),
        site,
        () if agreed is None else _for_each_side(agreed.span, scope, forms),
    )


def _texts(node: Node | None) -> tuple[str, ...]:
    return tuple(node.text.replace(",", " ").split()) if isinstance(node, Scalar) else ()


def _entries(table: Node | None) -> Iterator[tuple[str, str]]:
    for key, node in table.entries if isinstance(table, Document) else ():
        if isinstance(node, Scalar):
            yield key.text.strip(), node.text.strip()


def _position(
    node: Node | None, letters: Mapping[str, str], scope: Scope, forms: Forms
) -> PositionNotation | None:
    if not isinstance(node, Document):
        return None
    d = scope.declarations
    fields, movers, own = node.get("fields"), node.get("movers"), node.get(_LETTERS)
    named = fields.text if isinstance(fields, Scalar) else ""
    known = {
        *_FIELDS,
        *(slot.name for variable in d.state.values() for slot in variable.slots.values()),
    }
    for name in _PART.findall(named):
        if name not in known:
            message = f"There is no variable `{name}`."
            hint = suggest(name, known) or f"Fields are: {', '.join(sorted(known))}."
            key = Scalar(name, (fields or node).span)
            report_unknown(key, message, hint, scope.report, forms, VARIABLES)
    signs = node.get("signs")
    tables = signs.entries if isinstance(signs, Document) else ()
    return PositionNotation(
        tuple(named.split()),
        letters if own is None else dict(_letters(own, scope, forms)),
        tuple(movers.text.split()) if isinstance(movers, Scalar) else d.sides,
        {key.text: dict(_entries(table)) for key, table in tables},
        dict(_entries(node.get("marks"))),
    )


def _options(
    table: Node | None, scope: Scope, forms: Forms
) -> Iterator[tuple[str, tuple[tuple[str, ...], str]]]:
    """Yield the options that a tag sets, and its value where it is missing.

    A tag with a value, such as `GameType 26`, sets its options where it has that.
    """
    known = tuple(scope.declarations.options)
    for key, node in table.entries if isinstance(table, Document) else ():
        if not isinstance(node, Scalar):
            continue
        said, _, usual = node.text.partition("=")
        names = tuple(said.replace(",", " ").split())
        for name in names:
            if name not in known:
                hint = suggest(name, known) or f"The options are: {', '.join(known) or 'none'}."
                message = f"There is no option `{name}`."
                report_unknown(
                    Scalar(name, node.span), message, hint, scope.report, forms, ("options",)
                )
        yield key.text.strip(), (names, usual.strip())


def _known_keys(
    table: Node | None, known: Sequence[str], what: str, scope: Scope, forms: Forms
) -> Iterator[tuple[str, str]]:
    """Yield the entries of a table whose keys are known; others are reported."""
    for key, node in table.entries if isinstance(table, Document) else ():
        if key.text not in known:
            hint = suggest(key.text, known) or f"The {what}s are: {', '.join(known)}."
            message = f"There is no {what} `{key.text}`."
            report_unknown(key, message, hint, scope.report, forms, ("players", "board"))
        elif isinstance(node, Scalar):
            yield key.text, node.text.strip()


def _letters(table: Node | None, scope: Scope, forms: Forms) -> Iterator[tuple[str, str]]:
    known = scope.declarations.kind_type.values
    for key, node in table.entries if isinstance(table, Document) else ():
        if key.text not in known:
            message = f"There is no kind `{key.text}`."
            hint = suggest(key.text, known) or f"The kinds are: {', '.join(known)}."
            report_unknown(key, message, hint, scope.report, forms, PIECES)
        elif isinstance(node, Scalar):
            yield key.text, node.text.strip()


def _for_each_side(span: Span, scope: Scope, forms: Forms) -> tuple[Expression, ...]:
    """Return what a condition means for each side; nothing where it means nothing."""
    text = sections.parsed_span(span, "expression", scope.report)
    return for_each_side(text, ex.flag, scope, forms)


# ------------------------------------------------------------------------------------------- forms


def _forms(node: Node | None, scope: Scope, forms: Forms) -> Iterator[Form]:
    """Yield the forms of a text, one a line."""
    if not isinstance(node, Scalar):
        return
    start = node.span.start
    for line in node.span.text.splitlines(keepends=True):
        text = line.strip()
        begin = start + line.find(text)
        span = replace(node.span, start=begin, end=begin + len(text))
        start += len(line)
        found = _LINE.fullmatch(text)
        if not text or text.startswith("#") or found is None:
            continue
        parts = _parts(found["form"], span, scope)
        conditions: tuple[Expression, ...] = ()
        if found["when"] is not None:
            begin, end = (span.start + place for place in found.span("when"))
            conditions = _for_each_side(replace(span, start=begin, end=end), scope, forms)
            if not conditions:
                continue
        if parts:
            yield Form(parts, found["word"] or "", conditions)


def _parts(text: str, span: Span, scope: Scope) -> tuple[FormPart, ...]:
    """Return the parts of a form, none where one is unknown, which is reported."""
    parts: list[FormPart] = []
    done = 0
    for found in _PART.finditer(text):
        if found.start() > done:
            parts.append(("text", text[done : found.start()]))
        done = found.end()
        part = _part(found[1].strip())
        if part is None:
            begin, end = (span.start + place for place in found.span())
            scope.report.error(
                Code.WRONG_VALUE,
                f"`{found[0]}` is no part of a move.",
                replace(span, start=begin, end=end),
                suggest(found[1], _NAMED)
                or "The parts are {first}, {last}, {2} and so on, {first?}, {via?}, {piece},"
                " {piece 2}, {1>2}, {beside}, {kind}, {KIND}, {kind?}, {=kind}, {words},"
                " {numbers}, {steps /*}, {x} and {-x}.",
            )
            return ()
        parts.append(part)
    if done < len(text):
        parts.append(("text", text[done:]))
    return tuple(parts)


def _part(name: str) -> FormPart | None:
    if name in _NAMED:
        return _NAMED[name]
    if name.isdecimal() and int(name):
        return "site", name
    if choice := _CHOICE.fullmatch(name):
        return "choice", choice[1]
    if piece := _PIECE.fullmatch(name):
        return "piece", piece[1]
    if steps := _STEPS.fullmatch(name):
        return "steps", steps[1]
    if _WAY.fullmatch(name):
        return "way", name
    return ("taken", name) if _SIGNS.fullmatch(name) else None


# ------------------------------------------------------------------------------------------- sites


def _numbers_by_side(
    node: Node | None, scope: Scope, forms: Forms
) -> tuple[Expression, ...] | None:
    """Return for each side the number by which it calls `site`; None if sites are called else."""
    found = _BY_VALUE.match(node.span.text) if isinstance(node, Scalar) else None
    if node is None or found is None:
        return None
    span = replace(node.span, start=node.span.start + found.end())
    text = sections.parsed_span(span, "expression", scope.report)
    return for_each_side(text, ex.number, scope, forms)


def _names_of_sites(node: Node | None, scope: Scope) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the two halves of the name of each site of the board, in their order."""
    board = scope.declarations.board
    if not isinstance(node, Scalar):
        halves = [_OWN_NAME.fullmatch(site.name) for site in board.sites]
        columns = (
            site.name if h is None else h[1] for site, h in zip(board.sites, halves, strict=True)
        )
        return tuple(columns), tuple("" if h is None else h[2] for h in halves)
    text = " ".join(node.text.split())
    if numbered := _NUMBERED.fullmatch(text):
        return _numbers(board, numbered["corner"] or "top left"), ("",) * board.size
    column, _, row = text.partition(",")
    axes = _AXIS.fullmatch(column.strip()), _AXIS.fullmatch(row.strip())
    if axes[0] is None or axes[1] is None:
        scope.report.error(
            Code.WRONG_VALUE,
            f"`{text}` doesn't say how sites are called.",
            node.span,
            "Write how columns are and how rows are, as in `letters without i, numbers` or"
            " `numbers from right, letters from top`; or `numbers from bottom right`, or"
            " `numbers by` and a value of `site`.",
        )
        return ("",) * board.size, ("",) * board.size
    return (
        _half(board, axes[0], lambda site: site.column, is_turned=axes[0]["side"] == "right"),
        _half(board, axes[1], lambda site: site.row, is_turned=_is_turned(axes[1]["side"], board)),
    )


def _is_turned(side: str | None, board: Board) -> bool:
    """Return whether rows are counted from the other end than on the board itself."""
    return side == ("bottom" if board.top_first else "top")


def _half(
    board: Board, axis: re.Match[str], place: Callable[[Site], int], *, is_turned: bool
) -> tuple[str, ...]:
    """Return what each site is called along one axis of the board."""
    places = [place(site) for site in board.sites]
    most = max(places, default=0)
    numbers = [most + 1 - number if is_turned else number for number in places]
    if axis["style"] == "numbers":
        return tuple(str(number - bool(axis["is_from_0"])) for number in numbers)
    names = (column_letters(number) for number in range(1, 2 * most + 2))
    kept = [name for name in names if not axis["left_out"] or axis["left_out"] not in name]
    if axis["style"] == "capitals":
        kept = [name.upper() for name in kept]
    return tuple(kept[number - 1] if number > 0 else "" for number in numbers)


def _numbers(board: Board, corner: str) -> tuple[str, ...]:
    """Return the number of each site, counted row by row from a corner of the board."""
    from_top, from_left = corner.startswith("top"), corner.endswith("left")

    def rank(site: Site) -> tuple[int, int]:
        row = site.row if board.top_first == from_top else -site.row
        return row, site.column if from_left else -site.column

    ordered = sorted(board.sites, key=rank)
    numbers = {site.index: str(number) for number, site in enumerate(ordered, start=1)}
    return tuple(numbers[site.index] for site in board.sites)
