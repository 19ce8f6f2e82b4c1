"""The whole: from a game's document, with its variants applied, to the model of the game.

In: a document that has the right shape. Out: a `Game`, or diagnostics in the report. The order
is that of dependence: sides, options, board, pieces, state, words; then programs and endings.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from gdl.board.board import Board
from gdl.codes import Code
from gdl.core.nodes import (
    Expression,
    Phase,
    Program,
    Slot,
    SystemSlots,
    Turn,
)
from gdl.core.piles import Piles
from gdl.core.prune import prune, slots_used, without_unread
from gdl.core.types import SITES, Type
from gdl.diagnostic import Report, Span
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.parts import is_unread
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.hints.words_out_of_reach import told_of_reach
from gdl.elaborate.names.can_depth import Foresight
from gdl.elaborate.names.elaboration import AskedFor, Elaboration
from gdl.elaborate.names.scope import Declarations, Scope, System
from gdl.elaborate.sections import sections
from gdl.elaborate.sections.about import (
    digests,
    examples_of,
    style_of,
    text_of,
    texts_of,
    variants_of,
    words_of_examples,
)
from gdl.elaborate.sections.boards import read_board, stand_in_board
from gdl.elaborate.sections.definitions import named_regions, named_relations, read_definitions
from gdl.elaborate.sections.forms import Forms
from gdl.elaborate.sections.hands import hands_by_name, read_hands
from gdl.elaborate.sections.kinds import read_kinds, read_stacks
from gdl.elaborate.sections.looks import (
    check_captions,
    check_symbols,
    display_layers,
    display_text,
    for_each_side,
    read_looks,
)
from gdl.elaborate.sections.notation import read_notations
from gdl.elaborate.sections.options import read_options
from gdl.elaborate.sections.prelude import prelude_definitions
from gdl.elaborate.sections.setup import read_setup
from gdl.elaborate.sections.sight import read_sights
from gdl.elaborate.sections.state import read_state
from gdl.elaborate.sections.unused import check_unused
from gdl.elaborate.sections.vocabulary import DeclaredWords
from gdl.elaborate.statements.endings import Ends, check_stuck_in_end, endings, read_clauses
from gdl.elaborate.statements.statements import ProgramElaborator
from gdl.elaborate.statements.together import Together, together_programs, when_all_have_decided
from gdl.model import Game, Looks, Notation, Notice, Sight
from gdl.syntax import tree as t


def elaborate_game(
    document: Document,
    whole: Document,
    report: Report,
    *,
    name: str,
    option_texts: Mapping[str, str],
    variants: tuple[str, ...],
) -> Game:
    """Return the game of a document; `whole` is the document before `variants` were applied.

    The game's `name` is that of its file; `option_texts` are the options that a user chose, as
    text. Raises GameError with all that is wrong.
    """
    side_type = sections.read_sides(document, report)
    teams = sections.read_teams(document, side_type, report)
    options = read_options(document, option_texts, side_type, report)
    pieces = read_kinds(document, side_type, report)
    kinds = tuple(pieces.listed)
    words = read_definitions(document, prelude_definitions(), report)
    unread_options = set(sections.document_keys(document, "options")) - set(options)
    declared = Declarations(
        side_type,
        Type("kind", tuple(kind.name for kind in kinds)),
        stand_in_board(),
        kinds,
        sections.make_layers(kinds, side_type),
        sections.system_of(side_type),
        pieces.traits,
        teams,
        options={name: option.value for name, option in options.items()},
        option_pictures={n: o.picture for n, o in options.items() if o.picture is not None},
        definitions=words.by_name,
        hidden=words.hidden,
        broken=frozenset(words.broken | pieces.unread | unread_options),
        read_later=frozenset(sections.state_names(document)),
    )
    used: set[str] = set()

    def scope_on(board: Board) -> Scope:
        return Scope(replace(declared, board=board), Elaboration(report, used))

    known = read_board(document, scope_on, report)
    board = known or declared.board
    scope = scope_on(board)
    d = replace(
        scope.declarations,
        board_is_known=known is not None,
        sites_have_any_name=isinstance(document.get("board"), Document),
    )
    for read in (read_stacks, read_state, read_hands):
        d = read(document, scope.declaring(d))
    d = replace(d, read_later=frozenset())
    for read in (sections.read_actions, sections.read_names_of_phases):
        d = read(document, scope.declaring(d))
    scope = scope.declaring(d)
    sections.check_names(document, scope)
    together: list[Together] = []
    phases = _phases(document, scope, together)
    initial = {**d.initial, **read_setup(document, scope)}
    sights = read_sights(document, scope)
    forms = Forms(whole, document, variants, options=bool(option_texts))
    seen = dict(value for sight in sights for value in sight.values)
    looks = read_looks(document, scope, phases, seen, forms)
    notations = read_notations(document, scope, forms)
    check_captions(document, scope, seen, None if variants else forms.own)
    scores = _scores(document, scope, forms)
    check_unused(scope, words_of_examples(whole))
    noticed = (notice.condition for notice in looks.notices)
    shown = (*scores, *chain(*(sight.expressions() for sight in sights)), *noticed)
    if d.piles is not None:
        phases = _without_unread_piles(scope, d.piles, phases, shown)
    if scope.elaboration.asked_for.looks_ahead:
        foresight = Foresight(phases, d.system.phase)
        for found in (*foresight.of_turns(), *chain(*map(foresight.of_value, shown))):
            report.add(found)
    style = style_of(document, known, report)
    report.raise_errors()
    layers = display_layers(document, d)
    check_symbols(document, layers, scope, forms)
    told = (*scores, *sights, looks, *looks.notices, *notations)
    program = _program(scope, phases, initial, together, told)
    info = tuple(option.info for option in options.values())
    short, whole_digest = digests(document, {o.name: o.value for o in info})
    game = Game(
        name=name,
        title=text_of(whole, "game") or name,
        credits={k: text_of(document, k) for k in _CREDITS if document.get(k) is not None},
        other_names=tuple(texts_of(whole.get("also"))),
        sides=d.sides,
        kinds=d.kind_type.values,
        board=board,
        layers=layers,
        marks=tuple(slot for mark in d.marks() for slot in mark.slots.values()),
        relations=named_relations(scope),
        regions=named_regions(scope),
        program=program,
        options=info,
        variants=variants,
        all_variants=variants_of(whole),
        digest=short,
        whole_digest=whole_digest,
        style=style,
        scores=scores,
        examples=examples_of(whole),
        document=whole,
        words=DeclaredWords(document, scope, initial, frozenset(program.state), phases),
        state_slots={s.name: s for v in d.state.values() for s in v.slots.values()},
        piles=d.piles,
        numbered=display_text(document, "numbered") == "yes",
        sights=sights,
        looks=looks,
        notations=notations,
        hands={} if d.hands is None else hands_by_name(d.hands, d),
        undecided=tuple(phase.decided for phase in together),
        warnings=report.diagnostics,
    )
    report.raise_errors()
    return game


_CREDITS = ("author", "year", "source", "about", "rules", "family")


# --------------------------------------------------------------------- programs


def _phases(document: Document, scope: Scope, together: list[Together]) -> tuple[Phase, ...]:
    """Return the phases; what those need in which the sides decide together is added to a list."""
    check_stuck_in_end(document, scope.report)
    common = {key: document.get(key) for key in ("turn", "together", "swap", "stuck", "end")}
    section = document.get("phases")
    if not isinstance(section, Document):
        if common["turn"] is None and common["together"] is None:
            scope.report.error(
                Code.MISSING_KEY,
                "A game needs a `turn`.",
                document.span,
                "The steps of a turn stand in a block after `turn: |`.",
            )
        entry = document.entry("turn")
        place = document.span if entry is None else entry[0].span
        return (_phase("play", place, common, scope, together),)
    made = []
    for key, node in section.entries:
        own = dict(common)
        if isinstance(node, Scalar):
            own["turn"] = node
        elif isinstance(node, Document):
            own |= {entry.text: value for entry, value in node.entries}
            _refuse_not_together(node, scope.report)
        if own["turn"] is None and own["together"] is None:
            scope.report.error(
                Code.MISSING_KEY,
                f"The phase `{key.text}` needs a `turn`.",
                key.span,
                "Write one in the phase, or one for all phases beside `phases`.",
            )
        made.append(_phase(key.text, key.span, own, scope, together))
    if is_unread(document):
        _ways(common["turn"], scope.report)  # nobody has it, but what is wrong there can be told
    return tuple(made)


def _phase(
    name: str,
    span: Span,
    parts: Mapping[str, Node | None],
    whole: Scope,
    together: list[Together],
) -> Phase:
    if parts["together"] is not None:
        return _phase_together(name, span, parts, whole, together)
    report, sides = whole.report, range(len(whole.declarations.sides))
    program = _with_swap(_ways(parts["turn"], report), parts["swap"], report)
    stuck = read_clauses(sections.clauses(parts["stuck"]), "stuck_clause", report)
    end = Ends.of(parts["end"], report)
    seat, by_chance = _seat(parts.get("seat"), len(sides), report)
    turns = []
    for scope in map(whole.turn_of, sides):
        block = prune(ProgramElaborator(seat).block(program, scope))
        turns.append(Turn(block, endings(stuck, scope), end.endings(scope)))
    if report.failed:
        report.tell(lambda found: told_of_reach(found, program, (*stuck, *end.clauses)))
    return Phase(name, tuple(turns), seat, by_chance, span)


def _phase_together(
    name: str,
    span: Span,
    parts: Mapping[str, Node | None],
    whole: Scope,
    together: list[Together],
) -> Phase:
    decisions = sections.parsed(parts["together"], "program", whole.report) or ()
    effects = sections.parsed(parts["turn"], "program", whole.report) or ()
    stuck = read_clauses(sections.clauses(parts["stuck"]), "stuck_clause", whole.report)
    end = Ends.of(parts["end"], whole.report)
    blocks, needed = together_programs(name, decisions, effects, span, whole)
    together.append(needed)
    turns = []
    for side, block in enumerate(blocks):
        scope = whole.turn_of(side)
        ends = (when_all_have_decided(e, needed.decided) for e in end.endings(scope))
        turns.append(Turn(prune(block), endings(stuck, scope), tuple(ends)))
    return Phase(name, tuple(turns), span=span)


def _refuse_not_together(phase: Document, report: Report) -> None:
    """Report what a phase can't have beside `together`."""
    for key in ("seat", "swap"):
        entry = phase.entry(key)
        if entry is not None and phase.get("together") is not None:
            report.error(
                Code.NOT_TOGETHER,
                f"A phase with `together` is for all sides alike, so it has no `{key}`.",
                entry[0].span,
                f"Take `{key}` away, or let the sides decide one after another in `turn`.",
            )


def _ways(node: Node | None, report: Report) -> tuple[t.Statement, ...]:
    """Return a turn's program; named ways of a turn are alternatives, if more than one is left."""
    if not isinstance(node, Document):
        return sections.parsed(node, "program", report) or ()
    bodies = [sections.parsed(way, "program", report) or () for _, way in node.entries]
    if not bodies:
        report.error(
            Code.MISSING_KEY,
            "A turn needs steps.",
            node.span,
            "The steps of a turn stand in a block after `turn: |`.",
        )
    if len(bodies) < 2:
        return bodies[0] if bodies else ()
    ways = (t.Alternative(node.span, None, body) for body in bodies)
    return (t.Either(node.span, tuple(ways)),)


def _with_swap(
    program: tuple[t.Statement, ...] | None, node: Node | None, report: Report
) -> tuple[t.Statement, ...]:
    """Return the program with `swap` as another way on, where its condition holds."""
    condition = sections.parsed(node, "expression", report)
    if not program or condition is None:
        return program or ()
    place = condition.span
    swap = (t.Require(place, condition), t.Swap(place))
    ways = (t.Alternative(place, None, program), t.Alternative(place, None, swap))
    return (t.Either(place, ways),)


def _seat(node: Node | None, number: int, report: Report) -> tuple[int | None, bool]:
    """Return which of a number of seats has the turns of a phase, and whether chance has them."""
    if not isinstance(node, Scalar):
        return None, False
    if node.text.strip() == "nobody":
        return None, True
    seats = [str(seat + 1) for seat in range(number)]
    if node.text.strip() in seats:
        return seats.index(node.text.strip()), False
    report.error(
        Code.WRONG_VALUE,
        "A seat is a number, or `nobody`.",
        node.span,
        f"The seats are 1 to {number}; the turns of `nobody` are left to chance.",
    )
    return None, False


def _without_unread_piles(
    scope: Scope, piles: Piles, phases: tuple[Phase, ...], shown: tuple[Expression, ...]
) -> tuple[Phase, ...]:
    """Return the phases without what keeps of piles more than the rules ask for."""
    asked_for = scope.elaboration.asked_for
    memories = (part for memory in asked_for.memories for part in memory.key)
    read = frozenset[Slot]().union(*(part.free for part in (*shown, *memories)))
    return without_unread(phases, {*piles.slots, *asked_for.pile_words}, read)


def _program(
    scope: Scope,
    phases: tuple[Phase, ...],
    initial: Mapping[Slot, object],
    together: Sequence[Together],
    shown: Iterable[Expression | Sight | Looks | Notice | Notation],
) -> Program:
    d, system = scope.declarations, scope.declarations.system
    used = slots_used(phases).union(*(part.free for part in shown))
    asked_for = _used_of(scope.elaboration.asked_for, system, used)
    for memory in asked_for.memories:
        used = used.union(*(part.free for part in memory.key))
    values: dict[Slot, object] = {slot: initial.get(slot, 0) for slot in d.layers.values()}
    values |= {
        slot: initial[slot]
        for variable in d.state.values()
        for slot in variable.slots.values()
        if slot in used
    }
    for phase in together:
        values |= {phase.decided: 0}
        for kept in phase.aside:
            values |= {aside: initial[slot] for slot, aside in kept.items()}
    size = d.board.size
    values |= {
        slot: initial.get(slot, 0 if slot.type == SITES else (0,) * size)
        for slot in (() if d.piles is None else d.piles.slots)
        if slot in used
    }
    values[system.mover] = 0
    if system.phase is not None:
        values[system.phase] = 0
    if asked_for.seats_change:
        values |= {slot: seat for seat, slot in enumerate(system.seats)}
    for counter in (asked_for.turns, asked_for.passes):
        if counter is not None:
            values[counter] = 0
    for memory in asked_for.memories:
        values[memory.slot] = None
    slots = SystemSlots(
        system.mover,
        system.following,
        system.phase,
        system.seats if asked_for.seats_change else (),
        asked_for.turns,
        asked_for.passes,
        asked_for.best,
    )
    state = tuple(values)
    memories, layers = tuple(asked_for.memories), tuple(d.layers.values())
    return Program(state, tuple(values.values()), slots, phases, memories, layers, d.teams)


def _used_of(asked_for: AskedFor, system: System, used: frozenset[Slot]) -> AskedFor:
    """Return what was asked for without what the rules, as they are here, never ask for."""
    return replace(
        asked_for,
        turns=asked_for.turns if asked_for.turns in used else None,
        passes=asked_for.passes if asked_for.passes in used else None,
        memories=[memory for memory in asked_for.memories if memory.slot in used],
        seats_change=any(slot in used for slot in system.seats),
    )


def _scores(document: Document, scope: Scope, forms: Forms) -> tuple[Expression, ...]:
    display = document.get("display")
    node = display.get("scores") if isinstance(display, Document) else None
    text = sections.parsed(node, "expression", scope.report)
    return for_each_side(text, ex.number, scope, forms)
