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
from gdl.document.nodes import Scalar
from gdl.elaborate import expressions as ex
from gdl.elaborate import sections
from gdl.elaborate.scope import Declarations, Problem, Scope, Silent
from gdl.elaborate.values import Known
from gdl.model import COLOURS, Looks

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
        tuple(_lines(display, d)),
        dict(_captions(display.get("captions"), d)),
    )


def _sets(table: object, d: Declarations, *, is_colour: bool) -> Iterator[tuple[str, Expression]]:
    known = (*d.sides, *COLOURS)
    for key, node in table.entries if isinstance(table, Document) else ():
        name = key.text.strip()
        if is_colour and name not in known:
            hint = suggest(name, known) or f"The colours are: {', '.join(known)}."
            d.report.error(
                "unknown-name", f"There is no side and no colour `{name}`.", key.span, hint
            )
        parsed = sections.parsed(node, "expression", d.report)
        if parsed is None:
            continue
        try:
            yield name, ex.sites(parsed, Scope(d, None, None))
        except Problem as error:
            d.report.add(error.diagnostic)
        except Silent:
            pass


def _lines(display: Document, d: Declarations) -> Iterator[Relation]:
    for text in sections.texts(display.get("lines")):
        parsed = sections.parsed(text, "expression", d.report)
        if parsed is None:
            continue
        try:
            found = ex.relation(parsed, Scope(d, None, None))
        except Problem as error:
            d.report.add(error.diagnostic)
            continue
        except Silent:
            continue
        if isinstance(found.tree, Known):
            yield found.tree.relation
            continue
        d.report.error(
            "not-constant",
            "Lines must be known before play, but this depends on the position.",
            text.span,
            "Name a relation of the board, or one made of those.",
        )


def _captions(table: object, d: Declarations) -> Iterator[tuple[str, str]]:
    names = {slot.name: slot.name for v in d.state.values() for slot in v.slots.values()}
    for key, node in table.entries if isinstance(table, Document) else ():
        name = "".join(key.text.split())
        found = next((own for own in names if "".join(own.split()) == name), None)
        if found is None:
            hint = suggest(key.text, names) or f"The variables are: {', '.join(list(names)[:8])}."
            message = f"There is no variable `{key.text}`."
            d.report.error("unknown-name", message, key.span, hint)
        elif isinstance(node, Scalar):
            yield found, " ".join(node.text.split())
