"""Figures: the shapes in which pieces and numbers are drawn.

In: the table `figures` of `display` and the declarations. Out: for each piece that it names, and
each piece of a kind, and each variable, the name of a figure and what is written on it.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.forms import VARIABLES, Forms
from gdl.elaborate.scope import Declarations
from gdl.elaborate.variables import rows_of_variables
from gdl.figures import FIGURES

_MOST_LETTERS = 3


def read_figures(
    table: Node | None, d: Declarations, forms: Forms
) -> Iterator[tuple[str, tuple[str, str]]]:
    """Yield the figure and the letters of each piece and variable; errors go to the report.

    What is said of a piece goes before what is said of its kind.
    """
    if not isinstance(table, Document):
        return
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
            figure = _figure(node, d) if name in names else None
            for called in names.get(name, ()) if figure is not None else ():
                assert figure is not None
                yield called, figure
    for name, (key, _) in named.items():
        if not any(name in names for names in (known, rows, single)):
            hint = suggest(name, (*known, *single)) or f"There are: {', '.join(known)}."
            message = f"There is no piece, no kind and no variable `{name}`."
            report_unknown(key, message, hint, d, forms, VARIABLES)


def report_unknown(
    key: Scalar,
    message: str,
    hint: str,
    d: Declarations,
    forms: Forms,
    sections: tuple[str, ...],
) -> None:
    """Report a name that is unknown, if it stands in the file itself, and no other form has it.

    `sections` are those that could declare it.
    """
    if key.span.source is forms.own and not forms.have(key.text, key.span, sections):
        d.report.error("unknown-name", message, key.span, hint)


def _figure(node: Node, d: Declarations) -> tuple[str, str] | None:
    """Return a figure's name and letters; None for what says neither, which is reported."""
    if not isinstance(node, Scalar):
        return None
    words = node.text.split()
    figure = words[0] if words and words[0] in FIGURES else ""
    letters = words[1:] if figure else words
    if not letters or (len(letters) == 1 and len(letters[0]) <= _MOST_LETTERS):
        return figure, letters[0] if letters else ""
    message = f"There is no figure `{letters[0]}`."
    hint = suggest(letters[0], FIGURES) or (
        f"The figures are: {', '.join(FIGURES)}; behind one, or alone, up to {_MOST_LETTERS}"
        " letters are written on the piece."
    )
    d.report.error("unknown-name", message, node.span, hint)
    return None
