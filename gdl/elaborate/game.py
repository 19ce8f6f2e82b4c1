"""The whole: from a game's document, with its variants applied, to the model of the game.

In: a document that has the right shape. Out: a `Game`, or diagnostics in the report. The order
is that of dependence: sides, options, board, pieces, state, words; then programs and endings.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from importlib import resources

from gdl.board.board import Board
from gdl.board.relation import Relation
from gdl.core.nodes import (
    Const,
    Expression,
    Phase,
    Program,
    Slot,
    SystemSlots,
    Turn,
)
from gdl.core.prune import prune, slots_used
from gdl.core.types import NUMBER, SITES, Type
from gdl.diagnostic import GameError, Report, Source, Span
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar, Sequence
from gdl.document.reader import read_document
from gdl.elaborate import expressions as ex
from gdl.elaborate import pictures, sections
from gdl.elaborate.boards import read_board, stand_in_board
from gdl.elaborate.endings import endings
from gdl.elaborate.scope import Declarations, Problem, Scope, Silent, System
from gdl.elaborate.statements import ProgramElaborator
from gdl.elaborate.unused import check_unused
from gdl.elaborate.values import Known, RelationValue
from gdl.model import Game, Layer
from gdl.syntax import tree as t


@dataclass(frozen=True)
class Request:
    """What a user asks for: a name, the options as text, the names of variants."""

    name: str
    options: Mapping[str, str]
    variants: tuple[str, ...]


def elaborate_game(document: Document, whole: Document, request: Request, report: Report) -> Game:
    """Return the game of a document; `whole` is the document before variants were applied.

    Raises GameError with all that is wrong.
    """
    side_type = sections.read_sides(document, report)
    options = sections.read_options(document, request.options, side_type, report)
    kinds = sections.read_kinds(document, side_type, report)
    system = System(
        Slot("mover", side_type, is_state=True),
        Slot("following", side_type),
        seats=tuple(Slot(f"seat of {name}", NUMBER, is_state=True) for name in side_type.values),
    )

    def declarations_on(board: Board) -> Declarations:
        made = Declarations(
            report,
            side_type,
            Type("kind", tuple(kind.name for kind in kinds)),
            board,
            kinds,
            sections.make_layers(kinds, side_type),
            system,
            options={name: option.value for name, option in options.items()},
            option_pictures={n: o.picture for n, o in options.items() if o.picture is not None},
            broken=set(sections.document_keys(document, "options")) - set(options),
        )
        sections.read_definitions(_prelude(), made, prelude=True)
        return made

    known = read_board(document, lambda b: Scope(declarations_on(b), None, None), report)
    board = known or stand_in_board()
    d = declarations_on(board)
    d.board_is_known = known is not None
    initial = sections.read_state(document, d)
    sections.read_definitions(document, d)
    sections.read_actions(document, d)
    d.phases = tuple(key.text for key, _ in sections.entries(document, "phases"))
    if d.phases:
        system.phase = Slot("phase", NUMBER, is_state=True)
    sections.check_names(d, document)
    phases = _phases(document, d)
    initial |= _setup(document, d)
    check_unused(d)
    report.raise_errors()
    layers = _layers(document, d)
    program = _program(d, phases, initial)
    info = tuple(option.info for option in options.values())
    game = Game(
        name=request.name,
        title=_text(whole, "game") or request.name,
        credits={k: _text(document, k) for k in _CREDITS if document.get(k) is not None},
        other_names=tuple(_list(whole.get("also"))),
        sides=d.sides,
        kinds=d.kind_type.values,
        board=board,
        layers=layers,
        marks=tuple(slot for mark in d.marks() for slot in mark.slots.values()),
        relations=_named_relations(d),
        regions=_named_regions(d),
        program=program,
        options=info,
        variants=request.variants,
        all_variants=_variants(whole),
        digest=_digest(document, {o.name: o.value for o in info}),
        style=_display_text(document, "style") or "cells",
        colours=_display_table(document, "colours"),
        examples=_examples(whole),
        document=whole,
        expression=_expression_compiler(d),
        state_slots={name: s for name, v in d.state.items() for s in v.slots.values()},
        warnings=report.diagnostics,
    )
    report.raise_errors()
    return game


_CREDITS = ("author", "year", "source", "about", "family")


def _prelude() -> Document:
    text = resources.files("gdl").joinpath("prelude.yaml").read_text("utf-8")
    report = Report()
    document = read_document(Source(ex.PRELUDE, text), report)
    report.raise_errors()
    assert document is not None
    return document


# --------------------------------------------------------------------- programs


def _phases(document: Document, d: Declarations) -> tuple[Phase, ...]:
    common = {key: document.get(key) for key in ("turn", "swap", "stuck", "end")}
    section = document.get("phases")
    if not isinstance(section, Document):
        if common["turn"] is None:
            d.report.error(
                "missing-key",
                "A game needs a `turn`.",
                document.span,
                "The steps of a turn stand in a block after `turn: |`.",
            )
        return (_phase("play", common, d),)
    made = []
    for key, node in section.entries:
        own = dict(common)
        if isinstance(node, Scalar):
            own["turn"] = node
        elif isinstance(node, Document):
            own |= {entry.text: value for entry, value in node.entries}
        if own["turn"] is None:
            d.report.error(
                "missing-key",
                f"The phase `{key.text}` needs a `turn`.",
                key.span,
                "Write one in the phase, or one for all phases beside `phases`.",
            )
        made.append(_phase(key.text, own, d))
    return tuple(made)


def _phase(name: str, parts: Mapping[str, Node | None], d: Declarations) -> Phase:
    program = _with_swap(sections.parsed(parts["turn"], "program", d.report), parts["swap"], d)
    stuck = _clauses(parts["stuck"], "stuck_clause", d)
    end = _clauses(parts["end"], "clause", d)
    seat, by_chance = _seat(parts.get("seat"), d)
    turns = []
    for side in range(len(d.sides)):
        scope = Scope(d, side, side)
        block = prune(ProgramElaborator(seat).block(program, scope))
        turns.append(Turn(block, endings(stuck, scope), endings(end, scope)))
    return Phase(name, tuple(turns), seat, by_chance)


def _with_swap(
    program: tuple[t.Statement, ...] | None, node: Node | None, d: Declarations
) -> tuple[t.Statement, ...]:
    """Return the program with `swap` as another way on, where its condition holds."""
    condition = sections.parsed(node, "expression", d.report)
    if not program or condition is None:
        return program or ()
    swap = (t.Require(condition.span, condition), t.Simple(condition.span, "swap"))
    return (t.Either(condition.span, ((None, program), (None, swap))),)


def _clauses(node: Node | None, entry: str, d: Declarations) -> list[t.Clause]:
    parsed = [sections.parsed(text, entry, d.report) for text in sections.texts(node)]
    return [clause for clause in parsed if clause is not None]


def _seat(node: Node | None, d: Declarations) -> tuple[int | None, bool]:
    if not isinstance(node, Scalar):
        return None, False
    if node.text.strip() == "nobody":
        return None, True
    if node.text.strip().isdigit() and 1 <= int(node.text) <= len(d.sides):
        return int(node.text) - 1, False
    d.report.error(
        "wrong-value",
        "A seat is a number, or `nobody`.",
        node.span,
        f"The seats are 1 to {len(d.sides)}; the turns of `nobody` are left to chance.",
    )
    return None, False


def _program(d: Declarations, phases: tuple[Phase, ...], initial: dict[Slot, object]) -> Program:
    system = _system_used(d.system, slots_used(phases))
    values: dict[Slot, object] = {slot: initial.get(slot, 0) for slot in d.layers.values()}
    values |= {s: initial[s] for v in d.state.values() for s in v.slots.values()}
    values[system.mover] = 0
    if system.phase is not None:
        values[system.phase] = 0
    if system.seats_change:
        values |= {slot: seat for seat, slot in enumerate(system.seats)}
    for counter in (system.turns, system.passes):
        if counter is not None:
            values[counter] = 0
    for memory in system.memories:
        values[memory.slot] = None
    slots = SystemSlots(
        system.mover,
        system.following,
        system.phase,
        system.seats if system.seats_change else (),
        system.turns,
        system.passes,
        system.best,
    )
    state = tuple(values)
    return Program(state, tuple(values.values()), slots, phases, tuple(system.memories))


def _system_used(system: System, used: frozenset[Slot]) -> System:
    """Return the system slots without those that the rules, as they are here, never ask for."""
    return replace(
        system,
        turns=system.turns if system.turns in used else None,
        passes=system.passes if system.passes in used else None,
        memories=[memory for memory in system.memories if memory.slot in used],
        seats_change=any(slot in used for slot in system.seats),
    )


# ----------------------------------------------------------------------- set-up


def _setup(document: Document, d: Declarations) -> dict[Slot, object]:
    section = document.get("setup")
    found: dict[Slot, object] = {}
    if not isinstance(section, Document) or not d.board_is_known:
        return found
    scope = Scope(d, None, None)
    occupied = 0
    for key, node in section.entries:
        if not isinstance(node, Scalar):
            continue
        if key.text == "rows":
            placed = _picture_setup(node, document, d)
        else:
            placed = _set_setup(key, node, scope)
        for slot, sites in placed.items():
            if sites & occupied:
                site = d.board.sites[(sites & occupied).bit_length() - 1].name
                d.report.error(
                    "site-taken", f"Two pieces are set up on {site}.", node.span, "Take the site out of one of the two sets."
                )
            occupied |= sites
            found[slot] = int(str(found.get(slot, 0))) | sites
    return found


def _picture_setup(node: Scalar, document: Document, d: Declarations) -> dict[Slot, int]:
    text, span = node.text, node.span
    if text.strip() in d.option_pictures:
        d.used.add(text.strip())
        text, span = d.option_pictures[text.strip()]
    symbols = {layer.symbol: layer.slot for layer in _layers(document, d)}
    return pictures.read_picture(text, span, d.board, symbols, d.report)


def _set_setup(key: Scalar, node: Scalar, scope: Scope) -> dict[Slot, int]:
    d = scope.declarations
    entry = sections.parsed(key, "piece_list", d.report)
    body = sections.parsed(node, "expression", d.report)
    if entry is None or body is None:
        return {}
    words = [word.name for word in entry[0].words]
    kinds = [i for i, kind in enumerate(d.kinds) if kind.name == words[-1]]
    sides = [d.sides.index(word) for word in words[:-1] if word in d.sides]
    layer = (kinds[0] if kinds else -1, sides[0] if sides else None)
    if layer not in d.layers or len(sides) < len(words) - 1:
        names = [slot.name for slot in d.layers.values()]
        d.report.error(
            "no-such-piece",
            f"There is no piece `{key.text}`.",
            key.span,
            f"The pieces are: {', '.join(names[:12])}.",
        )
        return {}
    try:
        value = ex.sites(body, scope)
    except Problem as error:
        d.report.add(error.diagnostic)
        return {}
    except Silent:
        return {}
    if not isinstance(value, Const):
        d.report.error(
            "not-constant",
            "The set-up must be known before play, but this depends on the position.",
            node.span,
            "Name sites by regions, rows, columns, or one by one.",
        )
        return {}
    return {d.layers[layer]: int(value.value)}


# ------------------------------------------------------------ names and display


def _layers(document: Document, d: Declarations) -> tuple[Layer, ...]:
    given = _display_table(document, "symbols")
    names = {layer: slot.name for layer, slot in d.layers.items()}
    owned = [kind for kind in d.kinds if not kind.is_neutral]
    chosen: dict[tuple[int, int | None], str] = {}
    for layer, name in names.items():
        if name in given:
            chosen[layer] = given[name]
    for layer in names:
        if layer not in chosen:
            chosen[layer] = _symbol(layer, d, len(owned) == 1, set(chosen.values()))
    return tuple(
        Layer(slot, layer[0], layer[1], chosen[layer], names[layer])
        for layer, slot in d.layers.items()
    )


def _symbol(layer: tuple[int, int | None], d: Declarations, single: bool, taken: set[str]) -> str:
    kind, side = layer
    if side is None:
        wanted = d.kinds[kind].name[0].lower() + "*#+%"
    elif single:
        wanted = "XO" + d.sides[side][0]
        wanted = ("X", "O", "A", "B", "C", "D", "E", "F")[side] + wanted
    else:
        letter = d.kinds[kind].name[0]
        wanted = letter.upper() if side == 0 else letter.lower() if side == 1 else str(side)
    letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    return next(char for char in wanted + letters if char not in taken)


def _named_relations(d: Declarations) -> dict[str, Relation]:
    found = dict(d.board.relations)
    for name, definitions in d.definitions.items():
        if definitions[0].from_prelude:
            continue
        for definition in definitions:
            label = definition.head.span.text
            if definition.result == "relation" and _is_named(definition.head, d):
                value = _quietly(definition.body, d)
                if isinstance(value, RelationValue) and isinstance(value.tree, Known):
                    found[label if definition.head.parameters else name] = value.tree.relation
    return found


def _named_regions(d: Declarations) -> dict[str, int]:
    found = dict(d.board.regions)
    for name, definitions in d.definitions.items():
        if definitions[0].from_prelude or definitions[0].head.parameters:
            continue
        if definitions[0].result == "sites":
            value = _quietly(definitions[0].body, d)
            if isinstance(value, Const) and value.type == SITES:
                found[name] = int(value.value)
    return found


def _is_named(head: t.Head, d: Declarations) -> bool:
    from gdl.elaborate.calls import constant_parameter

    scope = Scope(d, None, None)
    return all(constant_parameter(p, scope) is not None for p in head.parameters)


def _quietly(body: t.Expression, d: Declarations) -> object:
    try:
        return ex.elaborate(body, Scope(d, None, None))
    except (Problem, Silent):
        return None


def _expression_compiler(d: Declarations) -> Callable[[Span, int | None], Expression]:
    def compile_text(span: Span, side: int | None) -> Expression:
        report = Report()
        node = sections.parsed_span(span, "expression", report)
        report.raise_errors()
        try:
            value = ex.elaborate(node, Scope(d, side, side))
        except Problem as error:
            raise GameError((error.diagnostic,)) from None
        if isinstance(value, Expression):
            return value
        report.error("wrong-type", "This has no value in a position.", span)
        raise GameError(report.diagnostics)

    return compile_text


def _text(document: Document, key: str) -> str:
    return ", ".join(_list(document.get(key)))


def _list(node: Node | None) -> list[str]:
    if isinstance(node, Scalar):
        return [" ".join(node.text.split())] if node.text.strip() else []
    if isinstance(node, Sequence):
        return [" ".join(i.text.split()) for i in node.items if isinstance(i, Scalar)]
    return []


def _display_text(document: Document, key: str) -> str:
    display = document.get("display")
    node = display.get(key) if isinstance(display, Document) else None
    return node.text.strip() if isinstance(node, Scalar) else ""


def _display_table(document: Document, key: str) -> dict[str, str]:
    display = document.get("display")
    table = display.get(key) if isinstance(display, Document) else None
    if not isinstance(table, Document):
        return {}
    return {k.text: v.text.strip() for k, v in table.entries if isinstance(v, Scalar)}


def _variants(document: Document) -> dict[str, str]:
    found = {}
    for key, node in sections.entries(document, "variants"):
        about = node.get("about") if isinstance(node, Document) else None
        found[key.text] = " ".join(about.text.split()) if isinstance(about, Scalar) else ""
    return found


def _examples(document: Document) -> tuple[Document, ...]:
    node = document.get("examples")
    items = node.items if isinstance(node, Sequence) else ()
    return tuple(item for item in items if isinstance(item, Document))


def _digest(document: Document, options: Mapping[str, str]) -> str:
    parts: list[str] = []

    def add(node: Node) -> None:
        if isinstance(node, Scalar):
            parts.append(" ".join(node.text.split(" ")))
        elif isinstance(node, Sequence):
            for item in node.items:
                add(item)
        else:
            for key, value in node.entries:
                parts.append(key.text)
                add(value)

    for key, value in document.entries:
        if key.text not in ("examples", "variants", "display", "about", "source", "author", "year"):
            parts.append(key.text)
            add(value)
    add(_prelude())
    parts += [f"{name}={value}" for name, value in sorted(options.items())]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]
