"""What a file says of its looks, besides symbols: areas, signs, lines, figures, captions.

In: the `display` section, the declarations and the phases. Out: `Looks`. What then holds: an area
and a sign is a set of sites, a line a relation; either may depend on the position.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gdl.board.relation import Relation
from gdl.core.nodes import Choose, Const, Expression, Get, Phase, Slot, Statement
from gdl.core.types import SITES
from gdl.core.walk import statements_in
from gdl.diagnostic import suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate import expressions as ex
from gdl.elaborate import relations, sections
from gdl.elaborate.figures import read_figures, report_unknown
from gdl.elaborate.forms import PIECES, VARIABLES, WORDS, Forms
from gdl.elaborate.scope import Declarations, Problem, Scope, Silent
from gdl.elaborate.values import Known, RelationTree
from gdl.elaborate.variables import rows_of_variables
from gdl.model import COLOURS, Leading, Looks
from gdl.syntax import tree as t


def read_looks(
    document: Document,
    d: Declarations,
    phases: Sequence[Phase],
    seen: Iterable[str],
    forms: Forms,
) -> Looks:
    """Read what `display` says besides symbols and scores; errors go to the report.

    `seen` are the texts of values that sides see, which may have captions.

    A name that is unknown is an error in the file itself, and only if it means nothing in any of
    its `forms`: where a variant or a file that extends another takes something away, what was said
    of its looks is of no use.
    """
    display = document.get("display")
    if not isinstance(display, Document):
        return Looks()
    # Where a turn has a mistake, what it chooses may be missing.
    of_turns = None if d.report.failed else forms
    return Looks(
        tuple(_sets(display.get("colours"), d, forms, is_colour=True)),
        tuple(_sets(display.get("signs"), d, forms, is_colour=False)),
        tuple(_links(display.get("lines"), d, forms)),
        tuple(_links(display.get("arrows"), d, forms)),
        tuple(_links(display.get("borders"), d, forms)),
        dict(read_figures(display.get("figures"), d, forms)),
        dict(_captions(display.get("captions"), d, seen, forms)),
        dict(_prompts(display.get("prompts"), d, phases, of_turns)),
        dict(_phases(display.get("phases"), d, forms)),
    )


def _sets(
    table: Node | None, d: Declarations, forms: Forms, *, is_colour: bool
) -> Iterator[tuple[str, Expression]]:
    for key, parsed in _formulas(table, d):
        if is_colour:
            _check_colour(key, d, forms)
        try:
            yield key.text.strip(), ex.sites(parsed, Scope(d, None, None))
        except Problem as error:
            report_unless_elsewhere(error, d, forms)
        except Silent:
            pass


def _links(
    table: Node | None, d: Declarations, forms: Forms
) -> Iterator[tuple[str, Relation | Leading]]:
    for key, parsed in _formulas(table, d):
        _check_colour(key, d, forms)
        try:
            found = ex.relation(parsed, Scope(d, None, None)).tree
            yield key.text.strip(), found.relation if isinstance(found, Known) else _led(found, d)
        except Problem as error:
            report_unless_elsewhere(error, d, forms)
        except Silent:
            pass


def _led(tree: RelationTree, d: Declarations) -> Leading:
    """Return a relation that the position cuts, as what leads from one site to others."""
    start = Slot("start", SITES)
    everywhere = Const(d.board.all_sites, SITES)
    sources = relations.image(relations.inverse(tree), everywhere)
    return Leading(start, relations.image(tree, Get(start)), sources)


def _formulas(table: Node | None, d: Declarations) -> Iterator[tuple[Scalar, t.Expression]]:
    for key, node in table.entries if isinstance(table, Document) else ():
        parsed = sections.parsed(node, "expression", d.report)
        if parsed is not None:
            yield key, parsed


def report_unless_elsewhere(error: Problem, d: Declarations, forms: Forms) -> None:
    """Report what is wrong with a text of the display, if it is no word of another form."""
    found = error.diagnostic
    is_unknown = found.code == "unknown-name" and found.span is not None
    if not (is_unknown and found.span and forms.have(found.span.text, found.span, WORDS)):
        d.report.add(found)


def _check_colour(key: Scalar, d: Declarations, forms: Forms) -> None:
    name, known = key.text.strip(), (*d.sides, *COLOURS)
    if name not in known and not forms.have(name, key.span, PIECES):
        message = f"There is no side and no colour `{name}`."
        hint = suggest(name, known) or f"The colours are: {', '.join(known)}."
        d.report.error("unknown-name", message, key.span, hint)


def _captions(
    table: Node | None, d: Declarations, seen: Iterable[str], forms: Forms
) -> Iterator[tuple[str, str]]:
    """Yield the texts of variables at their indices, what is said of more of them first.

    Then those of values that are `seen`.
    """
    slots = {name: [slot.name for slot in v.slots.values()] for name, v in d.state.items()}
    single = {
        "".join(name.split()): [name]
        for name in (*seen, *(name for names in slots.values() for name in names))
    }
    rows = {"".join(name.split()): names for name, names in rows_of_variables(d).items()}
    found: dict[tuple[bool, int], list[tuple[str, str]]] = {}
    for key, node in table.entries if isinstance(table, Document) else ():
        name = "".join(key.text.split())
        meant = slots.get(name) or rows.get(name) or single.get(name)
        if meant is None:
            names = [one for (one,) in single.values()]
            hint = suggest(key.text, names) or f"There are: {', '.join(names[:8]) or 'none'}."
            message = f"There is no variable `{key.text}`."
            whole = name.partition("(")[0]
            if of := slots.get(whole):
                message = f"`{key.text}` is not one of the numbers, sides or sets of `{whole}`."
                hint = f"Write `{whole}` for all of them, or one: {', '.join(of[:8])}."
            report_unknown(key, message, hint, d, forms, VARIABLES)
        elif isinstance(node, Scalar):
            text = " ".join(node.text.split())
            place = name not in slots, -len(meant)
            found.setdefault(place, []).extend((one, text) for one in meant)
    for _, said in sorted(found.items()):
        yield from said


def variable_chosen(statement: Statement) -> str:
    """Return the variable of which a statement chooses the value; empty for others."""
    if isinstance(statement, Choose):
        return statement.slot.name
    made_from = None if statement.origin is None else statement.origin.node
    return made_from.variable.name if isinstance(made_from, t.Choose) else ""


def _prompts(
    table: Node | None, d: Declarations, phases: Sequence[Phase], forms: Forms | None
) -> Iterator[tuple[str, str]]:
    asked, drawn = _chosen(phases, by_chance=False), _chosen(phases, by_chance=True)
    for key, node in table.entries if isinstance(table, Document) else ():
        *before, name = key.text.split() or [""]
        if name not in asked or len(before) > 1 or not set(before) <= set(d.phases):
            hint = suggest(name, asked) or f"Chosen are: {', '.join(sorted(asked))}."
            told = f"Nothing `{key.text}` is chosen."
            if name in drawn and name not in asked:
                told = f"Chance chooses `{name}`: nobody is asked for it."
            if forms is not None and not _may_be_asked(key, name, before, drawn, d, forms):
                report_unknown(key, told, hint, d, forms, ())
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


def _phases(table: Node | None, d: Declarations, forms: Forms) -> Iterator[tuple[str, str]]:
    for key, node in table.entries if isinstance(table, Document) else ():
        name = key.text.strip()
        if name not in d.phases:
            hint = suggest(name, d.phases) or f"The phases are: {', '.join(d.phases) or 'none'}."
            report_unknown(key, f"There is no phase `{name}`.", hint, d, forms, ("phases",))
        elif isinstance(node, Scalar):
            yield name, " ".join(node.text.split())
