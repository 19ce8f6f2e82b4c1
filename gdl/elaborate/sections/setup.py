"""The set-up: where pieces stand at the start.

In: the `setup` section and the declarations. Out: the sites of each layer at the start, or in a
position that is described in the same words.
"""

from __future__ import annotations

from collections.abc import Mapping

from gdl.board.relation import bits
from gdl.codes import Code
from gdl.core.nodes import Const, Slot
from gdl.diagnostic import Facts
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Problem, Scope, Silent
from gdl.elaborate.relations import pictures
from gdl.elaborate.relations.coerce import check_bounds
from gdl.elaborate.relations.variables import (
    check_indices,
    index_value,
    split_arguments,
    state_cases,
)
from gdl.elaborate.sections import sections
from gdl.elaborate.sections.looks import display_layers
from gdl.syntax import tree as t

_NO_SITES = ("none", "nothing", "empty", "no")


def read_setup(document: Document, scope: Scope) -> dict[Slot, object]:
    """Return the sites of each layer that has pieces at the start."""
    section = document.get("setup")
    if not isinstance(section, Document) or not scope.declarations.board_is_known:
        return {}
    return read_arrangement(section, document, scope)


def read_arrangement(section: Document, document: Document, scope: Scope) -> dict[Slot, object]:
    """Return what a section like `setup` of a document gives to slots; it names all pieces."""
    found: dict[Slot, object] = {}
    d = scope.declarations
    standing: dict[int, pictures.Pieces[Slot]] = {}
    for key, node in section.entries:
        if not isinstance(node, Scalar):
            continue
        if key.text.partition("(")[0].strip() in d.state:
            _set_state(key, node, scope, found)
        elif key.text == "rows":
            _put(_picture_setup(node, document, scope), standing, node, scope)
        else:
            _put(_set_setup(key, node, scope), standing, node, scope)
    if d.piles is not None:
        found |= d.piles.values(standing, d.board.size)
    return found | pictures.uppermost(standing)


def _put(
    placed: Mapping[int, pictures.Pieces[Slot]],
    standing: dict[int, pictures.Pieces[Slot]],
    node: Scalar,
    scope: Scope,
) -> None:
    """Put pieces upon those that stand on their sites already, where that may be."""
    d = scope.declarations
    for site, pieces in placed.items():
        pile = (*standing.get(site, ()), *pieces)
        name = d.board.sites[site].name
        if d.piles is None and len(pile) > 1:
            scope.report.error(
                Code.SITE_TAKEN,
                f"Two pieces are set up on {name}.",
                node.span,
                "Take the site out of one of the two sets.",
            )
        elif d.piles is not None and (fault := d.piles.fault(pile)):
            scope.report.error(
                Code.WRONG_PILE,
                f"{fault.removesuffix('.')} ({name}).",
                node.span,
                "How high piles may be, and of which kinds, is said under `stacks`.",
            )
            return
        standing[site] = pile


def _set_state(key: Scalar, node: Scalar, scope: Scope, found: dict[Slot, object]) -> None:
    """Read what a variable holds at the start, at an index or on some sites."""
    d = scope.declarations
    target = sections.parsed(key, "expression", scope.report)
    body = sections.parsed(node, "expression", scope.report)
    if target is None or body is None:
        return
    arguments = target.arguments if isinstance(target, t.Call) else ()
    try:
        variable = d.state[key.text.partition("(")[0].strip()]
        check_indices(variable, arguments, key.span)
        indices, at = split_arguments(variable, arguments)
        keys = [index_value(index, variable, scope, ex.elaborate) for index in indices]
        cases = state_cases(variable, keys, key.span)
        value = ex.of_type(body, variable.type, scope)
        sites = None if at is None else ex.sites(at, scope)
    except Problem as error:
        scope.report.add(error.diagnostic)
        return
    except Silent:
        return
    for span, part in ((node.span, value), (key.span, sites)):
        if part is not None and not isinstance(part, Const):
            scope.report.error(
                Code.NOT_CONSTANT, "The set-up is known before play.", span, "Use what is known."
            )
            return
    slot = cases[0][1]
    assert isinstance(value, Const)
    try:
        check_bounds(slot, value.value, node.span)
    except Problem as error:
        scope.report.add(error.diagnostic)
        return
    if not isinstance(sites, Const):
        found[slot] = value.value
        return
    before = found.get(slot, d.initial[slot])
    assert isinstance(before, tuple)
    found[slot] = tuple(
        value.value if int(sites.value) >> index & 1 else number
        for index, number in enumerate(before)
    )


def _picture_setup(
    node: Scalar, document: Document, scope: Scope
) -> dict[int, pictures.Pieces[Slot]]:
    d = scope.declarations
    text, span = node.text, node.span
    if text.strip() in d.option_pictures:
        scope.elaboration.used.add(text.strip())
        text, span = d.option_pictures[text.strip()]
    symbols = {layer.symbol: layer.slot for layer in display_layers(document, d)}
    entry = document.entry("pieces")
    see = [] if entry is None else [("They follow from the kinds of piece.", entry[0].span)]
    return pictures.read_picture(
        text, span, d.board, symbols, scope.report, has_piles=d.piles is not None, see=see
    )


def _set_setup(key: Scalar, node: Scalar, scope: Scope) -> dict[int, pictures.Pieces[Slot]]:
    d = scope.declarations
    entry = sections.parsed(key, "piece_list", scope.report)
    body = sections.parsed(node, "expression", scope.report)
    if entry is None or body is None:
        return {}
    words = [word.name for word in entry[0].words]
    kinds = [i for i, kind in enumerate(d.kinds) if kind.name == words[-1]]
    sides = [d.sides.index(word) for word in words[:-1] if word in d.sides]
    layer = (kinds[0] if kinds else -1, sides[0] if sides else None)
    if layer not in d.layers or len(sides) < len(words) - 1:
        names = ", ".join([slot.name for slot in d.layers.values()][:12])
        neutral = f" A piece of nobody's is declared as `neutral {words[-1]}`, under `pieces`."
        if not kinds:
            neutral = f" Another kind is declared under `pieces`, as in `pieces: {words[-1]}`."
        elif words[0] == "neutral":
            neutral = f" What is nobody's is told by its kind alone: `{words[-1]}`."
        elif node.text.strip() in _NO_SITES:
            neutral = " Of what stands nowhere at first, `setup` has no entry."
        scope.report.error(
            Code.NO_SUCH_PIECE,
            f"There is no piece `{key.text}`.",
            key.span,
            f"The pieces are: {names}.{'' if sides and kinds else neutral}",
            facts=Facts(key.text, sections=("pieces", "players")[: len(words)]),
        )
        return {}
    try:
        value = ex.sites(body, scope)
    except Problem as error:
        scope.report.add(error.diagnostic)
        return {}
    except Silent:
        return {}
    if not isinstance(value, Const):
        scope.report.error(
            Code.NOT_CONSTANT,
            "The set-up must be known before play, but this depends on the position.",
            node.span,
            "Name sites by regions, rows, columns, or one by one.",
        )
        return {}
    return dict.fromkeys(bits(int(value.value)), (d.layers[layer],))
