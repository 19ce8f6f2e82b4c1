"""What a file says of its looks: symbols, areas, signs, lines, figures, captions.

In: the `display` section, the declarations and the phases. Out: `Looks`. What then holds: an area
and a sign is a set of sites, a line a relation; either may depend on the position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from string import ascii_lowercase

from gdl.board.relation import Relation
from gdl.codes import Code
from gdl.core.nodes import Choose, Const, Expression, Get, Phase, Slot, Statement
from gdl.core.types import FLAG, SITES
from gdl.core.walk import statements_in
from gdl.data_classes import dataclass
from gdl.diagnostic import Facts, Hint, Report, Source, Span, first_names, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.nodes import Sequence as Items
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import (
    Declarations,
    Problem,
    Scope,
    Silent,
    Written,
    problem,
    written_in,
)
from gdl.elaborate.names.values import Known, RelationTree
from gdl.elaborate.relations import relations
from gdl.elaborate.relations.formula import known
from gdl.elaborate.relations.variables import rows_of_variables
from gdl.elaborate.sections import sections
from gdl.elaborate.sections.forms import PIECES, VARIABLES, WORDS, Forms
from gdl.elaborate.sections.sections import entries, readable
from gdl.model import COLOURS, Layer, Leading, Looks, Notice, Steps
from gdl.syntax import tree as t


def read_looks(
    document: Document,
    scope: Scope,
    phases: Sequence[Phase],
    seen: Listed,
    forms: Forms,
) -> Looks:
    """Read what `display` says besides symbols and scores; errors go to the report.

    `seen` are the values that sides see, which may have captions.

    A name that is unknown is an error in the file itself, and only if it means nothing in any of
    its `forms`: where a variant or a file that extends another takes something away, what was said
    of its looks is of no use.
    """
    display = document.get("display")
    if not isinstance(display, Document):
        return Looks()
    # Where a turn has a mistake, what it chooses may be missing.
    of_turns = None if scope.report.failed else forms
    captions = tuple(_read_captions(display.get("captions"), scope.declarations, seen))
    return Looks(
        tuple(_sets(display.get("colours"), scope, forms, is_colour=True)),
        tuple(_sets(display.get("signs"), scope, forms, is_colour=False)),
        tuple(_links(display.get("lines"), scope, forms)),
        tuple(_links(display.get("arrows"), scope, forms)),
        tuple(_links(display.get("borders"), scope, forms)),
        tuple(_links(display.get("bridges"), scope, forms)),
        tuple(_loops(display.get("loops"), scope, forms)),
        tuple(_gaps(display.get("gaps"), scope, forms)),
        tuple(_fields(display.get("fields"), scope, forms)),
        dict(_places(display.get("places"), scope, forms)),
        dict(_numbers(display.get("numbers"), scope, forms)),
        dict(_cards(display.get("cards"), scope, forms)),
        dict(read_figures(display.get("figures"), scope, forms)),
        dict(_captions(captions, scope, forms)),
        tuple(_notices(captions, scope, forms)),
        dict(_prompts(display.get("prompts"), scope, phases, of_turns)),
        dict(_phases(display.get("phases"), scope, forms)),
    )


def _sets(
    table: Node | None, scope: Scope, forms: Forms, *, is_colour: bool
) -> Iterator[tuple[str, Expression]]:
    for key, parsed in _formulas(table, scope.report):
        if is_colour:
            _check_colour(key, scope, forms)
        try:
            yield key.text.strip(), ex.sites(parsed, scope)
        except Problem as error:
            report_unless_elsewhere(error, scope.report, forms)
        except Silent:
            pass


def _links(
    table: Node | None, scope: Scope, forms: Forms
) -> Iterator[tuple[str, Relation | Leading]]:
    for key, parsed in _formulas(table, scope.report):
        _check_colour(key, scope, forms)
        try:
            tree, name = ex.relation(parsed, scope).tree, key.text.strip()
            yield name, tree.relation if isinstance(tree, Known) else _led(tree, scope)
        except Problem as error:
            report_unless_elsewhere(error, scope.report, forms)
        except Silent:
            pass


def _led(tree: RelationTree, scope: Scope) -> Leading:
    """Return a relation that the position cuts, as what leads from one site to others."""
    start = Slot("start", SITES)
    everywhere = Const(scope.declarations.board.all_sites, SITES)
    sources = relations.image(relations.inverse(tree), everywhere)
    return Leading(start, relations.image(tree, Get(start)), sources)


def _known_relations(
    table: Node | None, scope: Scope, forms: Forms
) -> Iterator[tuple[Scalar, Relation]]:
    for key, parsed in _formulas(table, scope.report):
        try:
            yield key, known(ex.relation(parsed, scope).tree, parsed.span)
        except Problem as error:
            report_unless_elsewhere(error, scope.report, forms)
        except Silent:
            pass


def _loops(table: Node | None, scope: Scope, forms: Forms) -> Iterator[tuple[str, Relation]]:
    for key, relation in _known_relations(table, scope, forms):
        _check_colour(key, scope, forms)
        yield key.text.strip(), relation


def _gaps(table: Node | None, scope: Scope, forms: Forms) -> Iterator[tuple[float, Relation]]:
    for key, relation in _known_relations(table, scope, forms):
        if _WIDTH.fullmatch(key.text.strip()):
            yield float(key.text), relation
        else:
            message = f"`{key.text}` is not the width of a gap."
            hint = (
                "It is a number of cells from 0.1 to 9, as in `gaps: {0.5: east from columns(3)}`."
            )
            scope.report.error(Code.WRONG_VALUE, message, key.span, hint)


def _fields(table: Node | None, scope: Scope, forms: Forms) -> Iterator[tuple[str, int]]:
    for key, parsed in _formulas(table, scope.report):
        name = key.text.strip()
        if name not in FIELDS:
            _report_no_such("field", name, FIELDS, key.span, scope.report)
            continue
        try:
            sites = ex.sites(parsed, scope)
            if not isinstance(sites, Const):
                message, hint = (
                    "Fields are known before play.",
                    "`colours` and `signs` need not be.",
                )
                raise problem(Code.NOT_CONSTANT, message, parsed.span, hint)
            yield name, int(sites.value)
        except Problem as error:
            report_unless_elsewhere(error, scope.report, forms)
        except Silent:
            pass


def _places(table: Node | None, scope: Scope, forms: Forms) -> Iterator[tuple[str, str]]:
    slots = {name: (*v.slots.values(),) for name, v in scope.declarations.state.items()}
    named = {slot.name: (slot,) for of in slots.values() for slot in of}
    for key, node in table.entries if isinstance(table, Document) else ():
        meant = slots.get(key.text.strip()) or named.get(key.text.strip())
        if meant is None:
            hint = suggest(key.text, named) or f"There are: {', '.join(list(named)[:8]) or 'none'}."
            message = f"There is no variable `{key.text}`."
            report_unknown(key, message, hint, scope.report, forms, VARIABLES)
        elif isinstance(node, Scalar) and node.text.strip() in PLACES:
            yield from ((slot.name, node.text.strip()) for slot in meant)
        elif isinstance(node, Scalar):
            _report_no_such("place", node.text.strip(), PLACES, node.span, scope.report)


def _numbers(
    table: Node | None, scope: Scope, forms: Forms
) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Yield the numbers that are written on a piece, by site: what a word of sites says of each."""
    d = scope.declarations
    for key, parsed in _formulas(table, scope.report):
        name = key.text.strip()
        meant = [
            s.name for (kind, _), s in d.layers.items() if name in (d.kinds[kind].name, s.name)
        ]
        if not meant:
            known = [kind.name for kind in d.kinds]
            hint = suggest(name, known) or f"The kinds are: {first_names(known)}."
            message = f"There is no piece and no kind `{name}`."
            report_unknown(key, message, hint, scope.report, forms, PIECES)
            continue
        if d.board.size > _MOST_NUMBERED:
            message = f"Numbers are written on boards of up to {_MOST_NUMBERED:,} sites."
            scope.report.error(Code.TOO_LARGE, message, key.span, "Leave them out.")
            return
        try:
            found = []
            for site in d.board.sites:
                value = ex.whole(_of(parsed, site.name), scope)
                if not isinstance(value, Const):
                    message, hint = "These numbers are known before play.", "State is drawn itself."
                    raise problem(Code.NOT_CONSTANT, message, parsed.span, hint)
                found.append(int(value.value))
            yield from ((one, tuple(found)) for one in meant)
        except Problem as error:
            report_unless_elsewhere(error, scope.report, forms)
        except Silent:
            pass


def _cards(
    table: Node | None, scope: Scope, forms: Forms
) -> Iterator[tuple[str, dict[str, Steps]]]:
    """Yield what is drawn of each variable that is a name, or goes by names: where these lead."""
    for key, parsed in _formulas(table, scope.report):
        variable = scope.declarations.state.get(key.text.strip())
        slots = [] if variable is None else list(variable.slots.values())
        if not slots:
            known = list(scope.declarations.state)
            hint = suggest(key.text, known) or f"There are: {', '.join(known[:8]) or 'none'}."
            message = f"There is no variable `{key.text}`."
            report_unknown(key, message, hint, scope.report, forms, VARIABLES)
        try:
            for slot in slots:
                index = slot.name.partition("(")[2].rstrip(")").rpartition(",")[2].strip()
                names = slot.type.values if slot.type.name == "name" else (index,)
                if names == ("",):
                    message, hint = f"`{slot.name}` is no name.", "Cards show what a name means."
                    raise problem(Code.WRONG_TYPE, message, key.span, hint)
                yield slot.name, {name: _steps(_of(parsed, name), scope) for name in names}
        except Problem as error:
            report_unless_elsewhere(error, scope.report, forms)
        except Silent:
            pass


def _of(word: t.Expression, argument: str) -> t.Call:
    return t.Call(word.span, word, (t.Name(word.span, argument),))


def _steps(node: t.Expression, scope: Scope) -> Steps:
    sites = scope.declarations.board.sites
    pairs = known(ex.relation(node, scope).tree, node.span).pairs()
    ends = ((sites[first], sites[second]) for first, second in pairs)
    return tuple(sorted({(b.column - a.column, b.row - a.row) for a, b in ends}))


def _report_no_such(what: str, name: str, known: Sequence[str], span: Span, report: Report) -> None:
    hint = suggest(name, known) or f"The {what}s are: {', '.join(known)}."
    report.error(Code.UNKNOWN_NAME, f"There is no {what} `{name}`.", span, hint)


def _formulas(table: Node | None, report: Report) -> Iterator[tuple[Scalar, t.Expression]]:
    for key, node in table.entries if isinstance(table, Document) else ():
        parsed = sections.parsed(node, "expression", report)
        if parsed is not None:
            yield key, parsed


def report_unless_elsewhere(error: Problem, report: Report, forms: Forms) -> None:
    """Report what is wrong with a text of the display, if it is no word of another form."""
    found = error.diagnostic
    is_unknown = found.code == Code.UNKNOWN_NAME and found.span is not None
    if not (is_unknown and found.span and forms.have(found.span.text, found.span, WORDS)):
        report.add(found)


def for_each_side(
    text: t.Expression | None,
    read: Callable[[t.Expression, Scope], Expression],
    scope: Scope,
    forms: Forms,
) -> tuple[Expression, ...]:
    """Return what a text means where each side is on turn; nothing where it means nothing."""
    if text is None:
        return ()
    try:
        sides = range(len(scope.declarations.sides))
        return tuple(read(text, scope.turn_of(side)) for side in sides)
    except Problem as error:
        report_unless_elsewhere(error, scope.report, forms)
    except Silent:
        pass
    return ()


def _check_colour(key: Scalar, scope: Scope, forms: Forms) -> None:
    name, known = key.text.strip(), (*scope.declarations.sides, *COLOURS)
    if name not in known and not forms.have(name, key.span, PIECES):
        message = f"There is no side and no colour `{name}`."
        hint = suggest(name, known) or f"The colours are: {', '.join(known)}."
        scope.report.error(Code.UNKNOWN_NAME, message, key.span, hint)


_Named = Mapping[str, Sequence[str]]
Listed = Mapping[str, Expression]
"""The values that sides see, by the texts that ask for them."""


@dataclass(frozen=True)
class _Caption:
    """A caption: of what is `meant` by a name, or of a condition; of neither, it is a mistake.

    `named` are all names that may have captions, with what they mean; variables first.
    """

    key: Scalar
    text: str
    span: Span
    meant: Sequence[str]
    condition: t.Expression | None
    named: tuple[_Named, _Named, _Named]


def _read_captions(table: Node | None, d: Declarations, seen: Listed) -> Iterator[_Caption]:
    slots = {name: [slot.name for slot in v.slots.values()] for name, v in d.state.items()}
    rows = {"".join(name.split()): names for name, names in rows_of_variables(d).items()}
    of_slots = (name for names in slots.values() for name in names)
    single = {
        "".join(name.split()): [name]
        for name in (*seen, *(kind.name for kind in d.kinds), *of_slots)
    }
    told_while = {"".join(text.split()) for text, of in seen.items() if of.type == FLAG}
    for key, node in table.entries if isinstance(table, Document) else ():
        if isinstance(node, Scalar):
            name, text = "".join(key.text.split()), " ".join(node.text.split())
            meant = slots.get(name) or rows.get(name) or single.get(name) or ()
            is_told = not meant or (name in told_while and text and "{}" not in text)
            condition = _condition(key, d) if is_told else None
            yield _Caption(key, text, node.span, meant, condition, (slots, rows, single))


def _condition(key: Scalar, d: Declarations) -> t.Expression | None:
    """Return the expression that is captioned, if it can be a condition: more than a name."""
    parsed: t.Expression | None = readable(key, "expression")
    word = parsed.function if isinstance(parsed, t.Call) else parsed
    return parsed if not isinstance(word, t.Name) or word.name in d.definitions else None


def _captions(
    captions: Iterable[_Caption], scope: Scope, forms: Forms
) -> Iterator[tuple[str, str]]:
    """Yield the texts of variables at their indices, what is said of more of them first.

    Then those of values that sides see, and of kinds of pieces. What is told while a condition
    holds is not told as its value.
    """
    found: dict[tuple[bool, int], list[tuple[str, str]]] = {}
    for one in captions:
        key, (slots, _, single) = one.key, one.named
        name = "".join(key.text.split())
        if not one.meant and one.condition is None:
            names = [known for (known,) in single.values()]
            hint = suggest(key.text, names) or f"There are: {', '.join(names[:8]) or 'none'}."
            message = f"There is no variable and no piece `{key.text}`."
            whole = name.partition("(")[0]
            if of := slots.get(whole):
                message = f"`{key.text}` is not one of the numbers, sides or sets of `{whole}`."
                hint = f"Write `{whole}` for all of them, or one: {', '.join(of[:8])}."
            report_unknown(key, message, hint, scope.report, forms, VARIABLES)
        text = one.text if one.condition is None else ""
        place = name not in slots, -len(one.meant)
        found.setdefault(place, []).extend((meant, text) for meant in one.meant)
    for _, said in sorted(found.items()):
        yield from said


def _notices(captions: Iterable[_Caption], scope: Scope, forms: Forms) -> Iterator[Notice]:
    """Yield what captions of conditions tell, for each side as `own`."""
    for one in captions:
        found = for_each_side(one.condition, ex.flag, scope, forms)
        if one.condition is None or not one.text:
            continue
        for side, holds in enumerate(found):
            origin = Written(one.condition, scope.turn_of(side))
            yield Notice(one.text, side, holds, one.key.span, origin)


def variable_chosen(statement: Statement) -> str:
    """Return the variable of which a statement chooses the value; empty for others."""
    if isinstance(statement, Choose):
        return statement.slot.name
    node, _ = written_in(statement.origin)
    return node.variable.name if isinstance(node, t.Choose) else ""


def _prompts(
    table: Node | None, scope: Scope, phases: Sequence[Phase], forms: Forms | None
) -> Iterator[tuple[str, str]]:
    d = scope.declarations
    asked, drawn = _chosen(phases, by_chance=False), _chosen(phases, by_chance=True)
    for key, node in table.entries if isinstance(table, Document) else ():
        *before, name = key.text.split() or [""]
        if name not in asked or len(before) > 1 or not set(before) <= set(d.phases):
            hint = suggest(name, asked) or f"Chosen are: {', '.join(sorted(asked))}."
            told = f"Nothing `{key.text}` is chosen."
            if forms is None or _may_be_asked(key, name, before, drawn, d, forms):
                continue
            if name in asked or name not in drawn:
                report_unknown(key, told, hint, scope.report, forms, ())
            elif key.span.source is forms.own and not forms.have(key.text, key.span, ()):
                told = f"Chance chooses `{name}`: nobody is asked for it."
                scope.report.error(Code.NOBODY_ASKED, told, key.span, "Leave the prompt out.")
        elif isinstance(node, Scalar):
            yield " ".join((*before, name)), " ".join(node.text.split())


def _may_be_asked(
    key: Scalar, name: str, before: Sequence[str], drawn: set[str], d: Declarations, forms: Forms
) -> bool:
    """Return whether a variable may be chosen in another form, or with other options."""
    unknown = [phase for phase in before if phase not in d.phases]
    is_known = not unknown or forms.have(" ".join(unknown), key.span, ("phases",))
    return len(before) < 2 and is_known and name not in drawn and forms.choose(name)


def _chosen(phases: Sequence[Phase], *, by_chance: bool) -> set[str]:
    """Return the variables that are chosen in phases, by chance or by players."""
    return {
        variable_chosen(statement)
        for phase in phases
        if phase.by_chance is by_chance
        for turn in phase.turns
        for statement in statements_in(turn.program)
    } - {""}


def _phases(table: Node | None, scope: Scope, forms: Forms) -> Iterator[tuple[str, str]]:
    known = scope.declarations.phases
    for key, node in table.entries if isinstance(table, Document) else ():
        name = key.text.strip()
        if name not in known:
            hint = suggest(name, known) or f"The phases are: {', '.join(known) or 'none'}."
            message = f"There is no phase `{name}`."
            report_unknown(key, message, hint, scope.report, forms, ("phases",))
        elif isinstance(node, Scalar):
            yield name, " ".join(node.text.split())


# ------------------------------------------------------------------------------------------ figures

_MOST_LETTERS = 3


def read_figures(
    table: Node | None, scope: Scope, forms: Forms
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the figure and the letters of each piece and variable; errors go to the report.

    What is said of a piece goes before what is said of its kind.
    """
    if not isinstance(table, Document):
        return
    d = scope.declarations
    named = {key.text.strip(): (key, node) for key, node in table.entries}
    known: dict[str, tuple[str, ...]] = {}
    for (kind, _), slot in d.layers.items():
        known[d.kinds[kind].name] = (*known.get(d.kinds[kind].name, ()), slot.name)
    for name, variable in d.state.items():
        known[name] = tuple(slot.name for slot in variable.slots.values())
    single = {name: (name,) for names in known.values() for name in names}
    rows = rows_of_variables(d)
    of_one = {name: own for name, own in single.items() if name not in known}
    for names in (known, rows, of_one):
        for name, (_, node) in named.items():
            figure = _figure(node, scope.report) if name in names else None
            for called in names.get(name, ()) if figure is not None else ():
                assert figure is not None
                yield called, figure
    for name, (key, _) in named.items():
        if not any(name in names for names in (known, rows, single)):
            hint = suggest(name, (*known, *single)) or f"There are: {', '.join(known)}."
            message = f"There is no piece, no kind and no variable `{name}`."
            report_unknown(key, message, hint, scope.report, forms, VARIABLES)


def report_unknown(
    key: Scalar,
    message: str,
    hint: Hint,
    report: Report,
    forms: Forms,
    sections: tuple[str, ...],
) -> None:
    """Report a name that is unknown, if it stands in the file itself, and no other form has it.

    `sections` are those that could declare it.
    """
    if key.span.source is forms.own and not forms.have(key.text, key.span, sections):
        report.error(Code.UNKNOWN_NAME, message, key.span, hint)


def _figure(node: Node, report: Report) -> tuple[str, str] | None:
    """Return a figure's name and letters; None for what says neither, which is reported.

    Behind the name of one that is drawn smaller stands how large, as `ring-40`.
    """
    if not isinstance(node, Scalar):
        return None
    words = node.text.split()
    figure = words[0] if words and words[0] in FIGURES else ""
    letters = words[1:] if figure else words
    share = _SHARE.fullmatch(letters[0]) if len(letters) == 1 else None
    if share and figure not in ("", *_COUNTED):
        return f"{figure}-{share[1]}", ""
    if not letters or (len(letters) == 1 and len(letters[0]) <= _MOST_LETTERS):
        return figure, letters[0] if letters else ""
    message = f"There is no figure `{letters[0]}`."
    hint = suggest(letters[0], FIGURES) or (
        f"The figures are: {', '.join(FIGURES)}; behind one, or alone, up to {_MOST_LETTERS}"
        " letters are written on the piece."
    )
    report.error(Code.UNKNOWN_NAME, message, node.span, hint)
    return None


# ----------------------------------------------------------------------------------------- captions

_NAMED = re.compile(r"\{([^{}\s]*)\}")


def check_captions(document: Document, scope: Scope, seen: Listed, own: Source | None) -> None:
    """Report what captions name that nothing stands for; of the texts of the source `own` alone.

    `seen` are as for `read_looks`.
    """
    options, report = tuple(scope.declarations.options), scope.report
    kinds = [kind.name for kind in scope.declarations.kinds]
    for section in ("relations", "regions", "define"):
        for key, node in entries(document, section):
            head = readable(key, "head") if isinstance(node, Document) else None
            parameters = () if head is None else tuple(p.name for p in head.parameters)
            _check(node, (*parameters, "own", *options), report, own)
    phases = [phase for _, phase in entries(document, "phases") if isinstance(phase, Document)]
    for part in (document, *phases):
        for section in ("end", "stuck"):
            _check(part.get(section), ("own", *options), report, own)
    display = document.get("display")
    captions = display.get("captions") if isinstance(display, Document) else None
    for one in _read_captions(captions, scope.declarations, seen):
        names: tuple[str, ...] = ("",)
        hint = "`{}` is the variable's value; nothing else can be named here."
        if one.condition is not None:
            names, hint = ("own",), "It may name `{own}`, the side that the condition is about."
        elif one.key.text.strip() in kinds:
            names, hint = (), "A caption of a piece is told as it stands."
        _report(one.text, one.span, names, hint, report, own)


def _check(node: Node | None, names: tuple[str, ...], report: Report, own: Source | None) -> None:
    known = ", ".join(f"`{{{name}}}`" for name in names)
    for text in _texts(node):
        _report(text.text, text.span, names, f"It may name {known}.", report, own)


def _texts(node: Node | None) -> Iterator[Scalar]:
    """Yield the captions of a definition or of clauses."""
    if isinstance(node, Items):
        for item in node.items:
            yield from _texts(item)
    elif isinstance(node, Document):
        says = node.get("says")
        if isinstance(says, Scalar):
            yield says
        elif says is None:
            for _, part in node.entries:
                yield from _texts(part)


def _report(
    text: str,
    span: Span,
    names: tuple[str, ...],
    allowed: str,
    report: Report,
    own: Source | None,
) -> None:
    for name in _NAMED.findall(text):
        if name not in names and span.source is own:
            message = f"Nothing stands for `{{{name}}}` in this caption."
            near = suggest(name, [one for one in names if one])
            hint = f"{near} {allowed}" if near else allowed
            report.error(Code.UNKNOWN_NAME, message, span, hint)


# ---------------------------------------------------------- the names of what a file can have drawn

_COUNTED = ("die", "seeds", "levels", "number")
_SHARE = re.compile(r"([1-9][0-9])%")

FIGURES = (
    *("disc", "dot", "man", "crowned", "ring", "ball", "peg", "cross", "star"),
    *("pawn", "knight", "bishop", "rook", "queen", "king"),
    *("cube", "tile", "wall", "cone", "pyramid", "wedge", "card", "ship"),
    *_COUNTED,
)
"""The shapes of pieces and of numbers.

Of these, `dot` is a small disc, `man` a grooved one and `crowned` one with a crown, `wedge` a piece
whose shape points forward, `wall` one that stands on its edge. `die`, `seeds` and `levels` show a
number by pips, by as many seeds, by the storeys of a tower; `number` by nothing but its digits.
"""

SIGNS = ("point", "star", "rosette", "throne", "cross", "trap", "ring", "square", "hill")
"""The marks that may lie on a site, under its piece."""


FIELDS = ("pit", "hole", "triangle")
"""The shapes of sites: a hollow for seeds, a hole that a piece fills, a point for a row of men."""

PLACES = ("left", "right", "gap")
"""Where beside the board something may lie; `gap` is the widest one between its columns."""

_MOST_NUMBERED = 1_000
_WIDTH = re.compile(r"0?\.[0-9]*[1-9]|[1-9](\.[0-9]+)?")


# -------------------------------------------------------------------------------------- the display

_Layer = tuple[int, int | None]
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
_FURTHER = "γδθλξπσφψωбдгжзилфцчшщыэюяæçðñøþäöüåéêëíîóôúûýăąćčďęěğłńňőřśšťůűźżž"
"""Letters in two cases that look like none of `a` to `z`, for games of very many kinds."""


def display_layers(document: Document, d: Declarations) -> tuple[Layer, ...]:
    """Return the layers of the position, each with its symbol and name.

    A symbol is that of a piece, as `White Knight`, or that of a kind: then the first side has it in
    upper case and the second in lower case. Where the file says none, both have one letter so, if
    there is one left: the first of the kind's name, or another.
    """
    symbols = display_table(document, "symbols")
    names = {layer: slot.name for layer, slot in d.layers.items()}
    chosen: dict[_Layer, str] = {}
    for layer, name in names.items():
        of_kind = symbols.get(d.kinds[layer[0]].name, "")
        if name in symbols:
            chosen[layer] = symbols[name]
        elif of_kind:
            chosen[layer] = _in_case(of_kind, layer, d)
    _choose_symbols([layer for layer in names if layer not in chosen], chosen, d)
    return tuple(
        Layer(slot, layer[0], layer[1], chosen[layer], names[layer])
        for layer, slot in d.layers.items()
    )


def _in_case(symbol: str, layer: tuple[int, int | None], d: Declarations) -> str:
    kind, side = layer
    if len(d.kinds[kind].sides) < 2:
        return symbol
    return symbol.upper() if side == 0 else symbol.lower() if side == 1 else str(side)


def _choose_symbols(missing: Sequence[_Layer], chosen: dict[_Layer, str], d: Declarations) -> None:
    """Choose symbols for layers that have none.

    First for all whose first choice is left, then for both sides of a kind together.
    """
    is_single = sum(not kind.is_neutral for kind in d.kinds) == 1
    wanted = {layer: _wanted(layer, d, is_single) for layer in missing}
    groups: list[list[_Layer]] = []
    for layer in missing:
        if layer[1] == 1 and groups[-1:] == [[(layer[0], 0)]] and not is_single:
            groups[-1].append(layer)
        else:
            groups.append([layer])
    for group in groups:
        _choose_free(group, [[wanted[layer][0] for layer in group]], chosen)
    for group in groups:
        if len(group) == 2 and group[0] not in chosen:
            letters = f"{d.kinds[group[0][0]].name}{ascii_lowercase}{_FURTHER}"
            pairs = [[letter.upper(), letter.lower()] for letter in letters if letter.isalpha()]
            _choose_free(group, pairs, chosen)
    further = f"{_FURTHER}{_FURTHER.upper()}"
    for layer in missing:
        if layer not in chosen:
            _choose_free(
                [layer], [[char] for char in (*wanted[layer], *_LETTERS, *further, "")], chosen
            )


def _choose_free(
    group: Sequence[_Layer], choices: Iterable[Sequence[str]], chosen: dict[_Layer, str]
) -> None:
    """Give layers the first of some choices of which nothing is taken, if there is one."""
    taken = set(chosen.values()) - {""}
    free = next((choice for choice in choices if taken.isdisjoint(choice)), ())
    chosen.update(zip(group, free, strict=False))


def _wanted(layer: _Layer, d: Declarations, is_single: bool) -> str:
    """Return the symbols that would suit a layer, the best first."""
    kind, side = layer
    if side is None:
        return d.kinds[kind].name[0].lower() + "*#+%"
    if is_single:
        return "XOABCDEF"[side] + "XO" + d.sides[side][0]
    letter = d.kinds[kind].name[0]
    return letter.upper() if side == 0 else letter.lower() if side == 1 else str(side)


def check_symbols(
    document: Document, layers: tuple[Layer, ...], scope: Scope, forms: Forms
) -> None:
    """Report pieces without a symbol or with that of another, and symbols of what is no piece."""
    d = scope.declarations
    seen: dict[str, Layer] = {}
    for layer in layers:
        first = seen.setdefault(layer.symbol, layer)
        if not layer.symbol:
            scope.report.error(
                Code.TOO_LARGE,
                f"`{layer.name}` has no symbol: letters and digits are taken by other pieces.",
                d.kinds[layer.kind].span,
                "Name fewer kinds, or give other symbols to pieces under `display`.",
            )
            break
        if first is not layer:
            scope.report.error(
                Code.WRONG_VALUE,
                f"`{first.name}` and `{layer.name}` have the same symbol, `{layer.symbol}`.",
                (_table(document, "symbols") or document).span,
                "Give each its own, as in `White King: K`. Of a kind's letter the first side has"
                " the upper case, the second the lower.",
            )
            break
    pieces = {*(layer.name for layer in layers), *(kind.name for kind in d.kinds)}
    table = _table(document, "symbols")
    for key, _ in () if table is None else table.entries:
        if key.text not in pieces and not forms.have(key.text, key.span, PIECES):
            scope.report.error(
                Code.UNKNOWN_NAME,
                f"There is no piece and no kind `{key.text}`.",
                key.span,
                suggest(key.text, pieces) or f"The kinds are: {first_names(d.kind_type.values)}.",
                facts=Facts(key.text, sections=("pieces",)),
            )


def display_text(document: Document, key: str) -> str:
    """Return a text of the `display` section, or an empty one."""
    display = document.get("display")
    node = display.get(key) if isinstance(display, Document) else None
    return node.text.strip() if isinstance(node, Scalar) else ""


def display_table(document: Document, key: str) -> dict[str, str]:
    """Return a table of the `display` section."""
    table = _table(document, key)
    entries = () if table is None else table.entries
    return {k.text: v.text.strip() for k, v in entries if isinstance(v, Scalar)}


def _table(document: Document, key: str) -> Document | None:
    display = document.get("display")
    table = display.get(key) if isinstance(display, Document) else None
    return table if isinstance(table, Document) else None
