"""What a file says of its looks, besides symbols: coloured areas, signs on sites, lines, captions.

In: the `display` section and the declarations. Out: `Looks`. What then holds: an area and a sign is
a set of sites that may depend on the position, a line a relation that does not.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.board.relation import Relation
from gdl.core.nodes import Expression
from gdl.diagnostic import suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate import expressions as ex
from gdl.elaborate import sections
from gdl.elaborate.scope import Declarations, Problem, Scope, Silent
from gdl.elaborate.values import Known
from gdl.model import COLOURS, Looks
from gdl.syntax import tree as t

VALUE = "{}"
"""What stands for the value in a caption."""


def read_looks(document: Document, d: Declarations) -> Looks:
    """Read what `display` says of areas, signs, lines and captions; errors go to the report."""
    display = document.get("display")
    if not isinstance(display, Document):
        return Looks()
    return Looks(
        tuple(_sets(display.get("colours"), d, is_colour=True)),
        tuple(_sets(display.get("signs"), d, is_colour=False)),
        tuple(_lines(display.get("lines"), d)),
        dict(_captions(display.get("captions"), d)),
    )


def _sets(
    table: Node | None, d: Declarations, *, is_colour: bool
) -> Iterator[tuple[str, Expression]]:
    for key, parsed in _formulas(table, d):
        if is_colour:
            _check_colour(key, d)
        try:
            yield key.text.strip(), ex.sites(parsed, Scope(d, None, None))
        except Problem as error:
            d.report.add(error.diagnostic)
        except Silent:
            pass


def _lines(table: Node | None, d: Declarations) -> Iterator[tuple[str, Relation]]:
    for key, parsed in _formulas(table, d):
        _check_colour(key, d)
        try:
            found = ex.relation(parsed, Scope(d, None, None))
        except Problem as error:
            d.report.add(error.diagnostic)
            continue
        except Silent:
            continue
        if isinstance(found.tree, Known):
            yield key.text.strip(), found.tree.relation
            continue
        d.report.error(
            "not-constant",
            "Lines must be known before play, but this depends on the position.",
            parsed.span,
            "Name a relation of the board, or one made of those.",
        )


def _formulas(table: Node | None, d: Declarations) -> Iterator[tuple[Scalar, t.Expression]]:
    for key, node in table.entries if isinstance(table, Document) else ():
        parsed = sections.parsed(node, "expression", d.report)
        if parsed is not None:
            yield key, parsed


def _check_colour(key: Scalar, d: Declarations) -> None:
    name, known = key.text.strip(), (*d.sides, *COLOURS)
    if name not in known:
        message = f"There is no side and no colour `{name}`."
        hint = suggest(name, known) or f"The colours are: {', '.join(known)}."
        d.report.error("unknown-name", message, key.span, hint)


def _captions(table: Node | None, d: Declarations) -> Iterator[tuple[str, str]]:
    """Yield the texts of variables at their indices; what is said of one at all goes before."""
    slots = {name: [slot.name for slot in v.slots.values()] for name, v in d.state.items()}
    single = {"".join(name.split()): [name] for names in slots.values() for name in names}
    found: dict[bool, list[tuple[str, str]]] = {True: [], False: []}
    for key, node in table.entries if isinstance(table, Document) else ():
        name = "".join(key.text.split())
        meant = slots.get(name) or single.get(name)
        if meant is None:
            names = [own for (own,) in single.values()]
            hint = suggest(key.text, names) or f"The variables are: {', '.join(names[:8])}."
            message = f"There is no variable `{key.text}`."
            d.report.error("unknown-name", message, key.span, hint)
        elif isinstance(node, Scalar):
            text = " ".join(node.text.split())
            found[name in slots].extend((one, text) for one in meant)
    yield from found[True]
    yield from found[False]
