"""Turns: who has them, what they decide and where they end, and who may be stuck in them.

In: the program of a game. Out: warnings. What then holds: whatever is played, no turn leads to one
of a side that is told.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

from gdl.codes import Code
from gdl.core import build
from gdl.core.merging import equal_up_to_names
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Const,
    Decide,
    Ending,
    Expression,
    Fold,
    ForEach,
    Get,
    If,
    Let,
    Op,
    Phase,
    Program,
    RangeOf,
    Repeat,
    Require,
    Select,
    SitesOf,
    Slot,
    Statement,
    Turn,
)
from gdl.core.types import NUMBER
from gdl.core.walk import (
    blocks_of,
    decisions_in,
    expressions_of,
    filled_slots,
    program_statements,
    statements_in,
)
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping as Document
from gdl.elaborate.sections.sections import readable
from gdl.interpreter.check.definitions import definitions_behind, words_in
from gdl.interpreter.check.places import (
    PROGRAMS,
    RULES,
    key_or_file_span,
    note,
    parsed_rules,
    turn_span,
    warning,
)
from gdl.interpreter.check.rules.texts import code_of, speaks_of_stuck
from gdl.interpreter.english import does
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in


def never_on_turn(game: Game) -> Iterator[Diagnostic]:
    """Yield the sides to whose turn none leads, with the statement that says who is next."""
    if len(game.sides) < 2:
        return
    said: list[Statement] = []
    at_all = _reached(game, said, passes=True)
    by_turns = sides_by_turns(game)
    for side, name in enumerate(game.sides):
        if side in by_turns:
            continue
        place = next((one.span for one in said if one.span is not None), turn_span(game))
        yield warning(
            Code.NEVER_ON_TURN,
            f"{does([name], 'is')} on turn only where another side has no legal move."
            if side in at_all
            else f"{does([name], 'is')} never on turn: each turn leads to another side's.",
            place,
            "See where a turn says `again` or `next`, and whether that is meant each time.",
        )


def swap_by_first(game: Game) -> Iterator[Diagnostic]:
    """Yield where sides may be exchanged at the wrong turn, or at every one from some on.

    At the wrong turn it is the side that made the first move, or nothing was played that could be
    taken over.
    """
    swap = readable(game.document.get("swap"), "expression")
    if len(game.sides) != 2 or swap is None:
        return
    parts = [node for rules in parsed_rules(game, PROGRAMS) for node in nodes_in(rules)]
    is_in_turn = game.document.get("phases") is None and not any(
        isinstance(p, t.Again | t.NextSide | t.Take | t.Swap) for p in parts
    )
    is_all = isinstance(swap, t.Operation) and swap.operator == "and"
    asked = [found for part in (swap.operands if is_all else (swap,)) if (found := _turns_in(part))]
    for part, operator, number in asked:
        if operator in (">", ">=") and len(asked) == 1:
            yield warning(
                Code.SWAP_ALWAYS,
                "The sides may be exchanged in every turn from then on.",
                part.span,
                "So that the second side may take over the first move, write `turns = 1`.",
            )
        elif operator == "=" and number == 0:
            yield note(
                Code.SWAP_BY_FIRST,
                "Before the first turn nothing has been played that could be taken over.",
                part.span,
                "So that the second side may take over the first move, write `turns = 1`.",
            )
        elif operator == "=" and number % 2 == 0 and is_in_turn:
            yield note(
                Code.SWAP_BY_FIRST,
                f"After {number} turns {game.sides[0]} is to move, which began: who made the"
                " first move may exchange the sides.",
                part.span,
                "So that the second side may take over the first move, write `turns = 1`.",
            )


def _turns_in(part: t.Expression) -> tuple[t.Expression, str, int] | None:
    """Return how a part of a condition compares `turns` with a number, if it does."""
    match part:
        case t.Operation(operator=operator, operands=(t.Name(name="turns"), t.Number(text=text))):
            return (part, operator, int(text)) if text.isdigit() else None
    return None


_TWICE = re.compile(
    r"\b(?:twice(?! as\b)|again|double (?:moves?|turns?)|extra|another (?:move|turn)"
    r"|two (?:moves|turns|stones|pieces))\b",
    re.IGNORECASE,
)


def first_twice(game: Game) -> Iterator[Diagnostic]:
    """Yield where a side is on turn again at the beginning alone, and no text speaks of it."""
    if len(game.sides) != 2 or _TWICE.search(code_of(game, "about", "rules")):
        return
    parts = [node for rules in parsed_rules(game, PROGRAMS) for node in nodes_in(rules)]
    nexts = [one for one in parts if isinstance(one, t.Again | t.NextSide | t.Take)]
    for branch in (one for one in parts if isinstance(one, t.If)):
        asked = _turns_in(branch.condition)
        inside = [one for one in branch.then if isinstance(one, t.Again)]
        if asked is not None and asked[1] in ("=", "<", "<=") and inside and len(nexts) == 1:
            yield note(
                Code.FIRST_TWICE,
                "A side is on turn twice here, at the beginning alone, and no text says so.",
                inside[0].span,
                "Leave it out, or say under `about` that it is meant.",
            )


def uneven_phases(game: Game) -> Iterator[Diagnostic]:
    """Yield that the first phase is left after a number of turns of which a side has one more.

    So it is in no phase that is left after fewer turns than there are sides.
    """
    phases, sides = game.document.get("phases"), len(game.sides)
    if not isinstance(phases, Document) or not phases.entries or sides < 2:
        return
    name, body = phases.entries[0]
    seat = body.get("seat") if isinstance(body, Document) else None
    program = body.get("turn") if isinstance(body, Document) else body
    rules = readable(program, "program") if seat is None else None
    nodes = list(nodes_in(rules)) if isinstance(rules, tuple) else []
    if any(isinstance(one, t.Again | t.NextSide | t.Take | t.Swap) for one in nodes):
        return
    for branch in (one for one in nodes if isinstance(one, t.If)):
        asked = _turns_in(branch.condition)
        goes_on = any(isinstance(one, t.GoTo) for one in branch.then)
        if asked is None or asked[1] not in ("=", ">=") or not goes_on:
            continue
        turns = asked[2] + 1
        if turns > sides and turns % sides:
            yield note(
                Code.FIRST_TWICE,
                f"`{name.text}` is left after {turns} turns: of {sides} sides, not all have had as"
                " many.",
                branch.condition.span,
                f"`turns` counts those before this one: after {turns - turns % sides}, it is"
                f" {turns - turns % sides - 1}.",
            )


def endless_turns(game: Game) -> Iterator[Diagnostic]:
    """Yield where a side is on turn again whatever happens, and may be so as often as it likes."""
    told: dict[Span, str] = {}
    for phase in game.program.phases:
        for side, turn in enumerate(phase.turns):
            for span, why in _always_again(game, turn, side):
                told.setdefault(span, why)
    for span, why in told.items():
        yield note(
            Code.ALWAYS_AGAIN,
            why,
            span,
            "Write it under an `if` that says when, or count how often; or see whether it should"
            " stand here at all.",
        )


def _always_again(game: Game, turn: Turn, side: int) -> Iterator[tuple[Span, str]]:
    system = game.program.system
    apart = {*game.program.layers, *(s for of in game.hands.values() for s in of.values())}

    def is_again(statement: Statement) -> bool:
        return (
            isinstance(statement, Assign)
            and statement.slot is system.following
            and isinstance(statement.value, Const)
            and statement.value.value == side
        )

    def counts(block: Block) -> bool:
        asking = [s for s in statements_in(block) if isinstance(s, Choose | Require)]
        asked = {slot for s in asking for part in expressions_of(s) for slot in part.free}
        return any(
            isinstance(s, Assign)
            and s.slot.is_state
            and s.slot not in apart
            and (s.slot in (system.phase, *asked) or (s.slot.type == NUMBER and not _is_const(s)))
            for s in statements_in(block)
        )

    def in_loops(block: Block, is_inside: bool) -> Iterator[Span]:
        for statement in block:
            if is_again(statement) and is_inside and statement.span is not None:
                yield statement.span
            is_loop = isinstance(statement, Repeat | ForEach)
            for inner in blocks_of(statement):
                yield from in_loops(inner, is_inside or is_loop)

    for span in in_loops(turn.program, False):
        yield span, "This stands in a loop, and says who is on turn when the whole turn is over."
    if len(game.sides) < 2 or system.phase is not None:
        return
    for body in _ways(turn.program):
        for inner in body:
            if is_again(inner) and inner.span is not None and not counts(body):
                yield (
                    inner.span,
                    "By this way of the turn a side is always on turn again, as often as it likes.",
                )


def _ways(block: Block) -> Iterator[Block]:
    """Yield what the alternatives in a block are, and the alternatives in them."""
    for statement in block:
        for way in statement.alternatives if isinstance(statement, Decide) else ():
            yield way.body
            yield from _ways(way.body)


def _is_const(statement: Assign) -> bool:
    return isinstance(statement.value, Const)


def sides_by_turns(game: Game) -> set[int]:
    """Return the sides to whose turn some turn may lead, by their numbers from 0."""
    return _reached(game, [], passes=False)


def _reached(game: Game, said: list[Statement], *, passes: bool) -> set[int]:
    """Return the sides that come to be on turn; `said` gets the statements that say who is next.

    With `passes`, those as well that are on turn because others pass where they have no move.
    """
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    first = at_start[game.program.system.mover]
    assert isinstance(first, int), "a side begins"
    reached, pending = {first}, [first]
    while pending:
        side = pending.pop()
        for phase in game.program.phases:
            following = _following(game, phase, side, said, passes)
            pending += following - reached
            reached |= following
    return reached


def _following(
    game: Game, phase: Phase, side: int, said: list[Statement], passes: bool
) -> set[int]:
    """Return the sides that may be on turn next; `said` gets the statements that say so."""
    number = len(game.sides)
    turn, slot = phase.turns[side], game.program.system.following
    saying = [s for s in statements_in(turn.program) if isinstance(s, Assign) and s.slot is slot]
    usual = {(side + 1) % number} | ({side} if phase.by_chance else set())
    if not saying:
        return usual
    said += saying
    last = saying[-1]
    may_pass = passes and any(ending.kind == "passes" for ending in turn.stuck)
    if len(saying) == 1 and last in turn.program and isinstance(last.value, Const):
        return {int(last.value.value)} | (usual if may_pass else set())
    return set(range(number))


# ---------------------------------------------------------------- turns in which nothing is decided


def nothing_decided(game: Game) -> Iterator[Diagnostic]:
    """Yield that nobody ever decides anything, or nothing in a phase, which is a turn all the same.

    Where a phase says who has the next turn, or whose seat it is, that was thought of.
    """
    if not any(decisions_in(turn.program) for turn in game.program.turns):
        yield warning(
            Code.NOTHING_DECIDED,
            "In no turn is anything decided, so that all games are the same.",
            turn_span(game),
            "What a side decides is chosen, as in `choose s in empty`, and then used, as in `place"
            " Stone at s`; or it is one of the ways below `either` and `or`.",
        )
        return
    following = game.program.system.following
    for phase in game.program.phases if len(game.sides) > 1 else ():
        turns = [turn.program for turn in phase.turns]
        is_said = any(
            isinstance(s, Assign) and s.slot is following for p in turns for s in statements_in(p)
        )
        if phase.by_chance or phase.seat is not None or is_said or phase.span is None:
            continue
        if not any(decisions_in(block) for block in turns):
            yield warning(
                Code.NOTHING_DECIDED,
                f"Nothing is decided in `{phase.name}`, and yet it is the turn of the side that is"
                " next: another one has the turn after it.",
                phase.span,
                "Write `seat: nobody` beside its turn, and the same side goes on; or `again`.",
            )


# --------------- passes that stay in a phase which every turn leaves, and passes that nobody counts


def staying_passes(game: Game) -> Iterator[Diagnostic]:
    """Yield the clauses by which a side passes and the phase stays, where all turns leave it."""
    program, told = game.program, set[Span]()
    slot = program.system.phase
    for number, phase in enumerate(program.phases if slot is not None else ()):
        for turn in phase.turns:
            if always_goes_through(turn.program):
                continue
            assert slot is not None
            to = _phases_after(turn.program, slot, frozenset({number}), len(program.phases))
            for ending in turn.stuck if number not in to else ():
                if ending.kind != "passes" or ending.phase is not None or ending.span is None:
                    continue
                if ending.span not in told:
                    told.add(ending.span)
                    names = [program.phases[other].name for other in sorted(to)]
                    yield note(
                        Code.PASS_STAYS,
                        f"A pass here stays in `{phase.name}`; all other ways of its turn go to"
                        f" {' or '.join(f'`{name}`' for name in names)}.",
                        ending.span,
                        f"Write `passes then go to {names[0]}`; where the next side is to go on in"
                        f" `{phase.name}`, `# fine: pass-stays` says so.",
                    )


def free_passes(game: Game) -> Iterator[Diagnostic]:
    """Yield the ways of a turn that only pass, where no rule and no text speaks of passes.

    Nor where phases without such a way come between two passes.
    """
    code, said = code_of(game, *RULES), code_of(game, "about", "rules")
    if re.search(r"\b(?:passed|turns|seen)\b", code) or re.search(r"\bpass", said, re.IGNORECASE):
        return
    nodes = (node for rules in parsed_rules(game, PROGRAMS) for node in nodes_in(rules))
    ways = [node.body for node in nodes if isinstance(node, t.Alternative)]
    free = [way[0].span for way in ways if len(way) == 1 and isinstance(way[0], t.Pass)]
    for span in free if _may_follow(game, free) else ():
        yield note(
            Code.FREE_PASS,
            "A side may pass here whenever it likes, and no rule counts passes: all sides may pass"
            " for ever.",
            span,
            "Leave it out, say under `if` when one may, or let `passed >= 2` end the game.",
        )


def _may_follow(game: Game, free: Sequence[Span]) -> bool:
    """Return whether a turn with a free pass may lead to a phase with one."""
    phases, slot = game.program.phases, game.program.system.phase
    section = game.document.get("phases")
    if slot is None or not isinstance(section, Document):
        return True
    texts = {key.text: body.span for key, body in section.entries}
    passing = {
        number
        for number, phase in enumerate(phases)
        if phase.name in texts and any(map(texts[phase.name].holds, free))
    }
    return not passing or any(
        passing & _phases_after(turn.program, slot, frozenset({number}), len(phases))
        for number in passing
        for turn in phases[number].turns
    )


def _phases_after(block: Block, slot: Slot, before: frozenset[int], number: int) -> frozenset[int]:
    """Return the phases in which a block may end, of those in which it may begin."""
    now = before
    for statement in block:
        match statement:
            case Assign(slot=assigned, value=Const(value=int() as to)) if assigned is slot:
                now = frozenset({to})
            case Assign(slot=assigned) if assigned is slot:
                now = frozenset(range(number))
            case Branch() | Decide():
                ways = (_phases_after(way, slot, now, number) for way in blocks_of(statement))
                now = frozenset[int]().union(*ways)
            case ForEach() | Repeat():
                now |= _phases_after(statement.body, slot, now, number)
    return now


# -------------------------------------------------------------- loops and counters without progress


def endless_loops(game: Game) -> Iterator[Diagnostic]:
    """Yield the loops of which no round changes what is asked."""
    asked: dict[Span, list[bool]] = defaultdict(list)
    for statement in program_statements(game.program):
        if isinstance(statement, Repeat) and statement.span is not None:
            asked[statement.span].append(_is_endless(statement))
    for span, found in asked.items():
        if all(found):
            first = span.text.split("\n")[0].rstrip()
            yield warning(
                Code.ENDLESS_LOOP,
                "No round of this loop changes what it asks for, so that it never ends once it has"
                " gone on.",
                Span(span.source, span.start, span.start + len(first)),
                "Ask for something that the rounds change.",
            )


def _is_endless(loop: Repeat) -> bool:
    """Return whether a loop goes on, if it does after a round."""
    condition = loop.bound
    if loop.mode not in ("while", "until") or condition is None:
        return False
    if isinstance(condition, Const):
        return bool(condition.value) == (loop.mode == "while")
    return not condition.free & filled_slots(loop.body)


def counted_turns(game: Game) -> Iterator[Diagnostic]:
    """Yield the variables that are one more after each turn, whatever is played."""
    for slot in _growing(game.program):
        if slot.span is not None:
            name = slot.name.partition("(")[0]
            yield note(
                Code.COUNTS_TURNS,
                f"`{name}` counts the turns: each adds one, and none sets it back.",
                slot.span,
                "Ask for `turns`; or set it back where that is meant.",
            )


def _growing(program: Program) -> list[Slot]:
    assignments: dict[Slot, int] = defaultdict(int)
    for statement in program_statements(program):
        if isinstance(statement, Assign | AssignAt):
            assignments[statement.slot] += 1
    turns = program.turns
    found = []
    for slot in program.state:
        adding = [
            sum(
                isinstance(s, Assign) and s.slot is slot and _is_one_more(s.value, slot)
                for s in turn.program
            )
            for turn in turns
        ]
        if all(number == 1 for number in adding) and assignments[slot] == len(turns):
            found.append(slot)
    return found


def _is_one_more(value: Expression, slot: Slot) -> bool:
    match value:
        case Op("add", (Get(same), Const(value=1))) | Op("add", (Const(value=1), Get(same))):
            return same is slot
    return False


# ------------- sides that may have no legal move, where no clause of `stuck` says what happens then


def may_be_stuck(game: Game) -> Iterator[Diagnostic]:
    """Yield the turns that move pieces, and may have no way through."""
    told: set[Span] = set()
    layers = set(game.program.layers)
    for phase in game.program.phases:
        for side, turn in enumerate(phase.turns):
            if phase.by_chance or turn.stuck or not moves_pieces(turn, layers):
                continue
            if always_goes_through(turn.program):
                continue
            place = phase.span if len(game.program.phases) > 1 and phase.span else turn_span(game)
            if place not in told:
                told.add(place)
                yield note(
                    Code.MAY_BE_STUCK,
                    f"Should {game.sides[side]} have no legal move here, no clause of `stuck` says"
                    " what happens, and nothing shows that there always is one.",
                    place,
                    "Write `stuck: loses`, `stuck: draw` or `stuck: passes`; where there is always"
                    " a move, `# fine: may-be-stuck` says so.",
                )


def moves_pieces(turn: Turn, layers: set[Slot]) -> bool:
    """Return whether each way through a turn begins with a choice among pieces on the board."""
    first = list(_first_decisions(turn.program))
    return bool(first) and all(_is_among(one, layers) for one in first)


def _first_decisions(block: Block) -> Iterator[Choose | Decide]:
    """Yield what is decided first, in each alternative of a turn."""
    first = next(iter(decisions_in(block)), None)
    if isinstance(first, Decide):
        for way in first.alternatives:
            yield from _first_decisions(way.body)
    elif first is not None:
        yield first


def _is_among(first: Choose | Decide, layers: set[Slot]) -> bool:
    return (
        isinstance(first, Choose)
        and not isinstance(first.domain, RangeOf)
        and bool(first.domain.parts())
        and _is_of_pieces(first.domain.parts()[0], layers)
    )


def _is_of_pieces(sites: Expression, layers: set[Slot]) -> bool:
    """Return whether a set has no site without a piece."""
    match sites:
        case Get(slot):
            return slot in layers
        case Op("union", parts):
            return all(_is_of_pieces(part, layers) for part in parts)
        case Op("intersection", parts):
            return any(_is_of_pieces(part, layers) for part in parts)
        case Op("difference", (of, _)) | Select(_, of) | Let(_, _, of):
            return _is_of_pieces(of, layers)
        case If(_, then, otherwise):
            return all(_is_of_pieces(one, layers) for one in (then, otherwise))
    return False


# ------------------------------------------------- boards that may be full before there is a row

_OF_ROWS = frozenset(("in_a_row", "line", "run"))


def full_boards(game: Game) -> Iterator[Diagnostic]:
    """Yield what becomes of a full board without a winner, where nobody has thought of that.

    Told are turns that put pieces on empty sites, in games that rows alone decide: no row need be
    there when the last site is taken. Nothing is told where another clause ends the game as well.
    """
    layers, told = set(game.program.layers), set[tuple[Code, Span]]()
    for turn in game.program.turns if len(game.sides) > 1 else ():
        first = list(_first_decisions(turn.program))
        is_filling = any(_is_of_empty_sites(one, layers) for one in first)
        if not is_filling or not turn.endings or not all(map(partial(_is_row, game), turn.endings)):
            continue
        for found in _at_full_board(game, turn):
            if (found.code, found.span) not in told and found.span is not None:
                told.add((found.code, found.span))
                yield found


def _at_full_board(game: Game, turn: Turn) -> Iterator[Diagnostic]:
    """Yield what `stuck` makes of a full board: nothing, a win, or passes without an end."""
    hint = "Write `draw when full` under `end`, or whatever is meant for a full board."
    if not turn.stuck:
        yield note(
            Code.MAY_BE_STUCK,
            "The board may be full before there is a row, and neither `end` nor `stuck` says what"
            " happens then.",
            turn_span(game),
            hint,
        )
    for ending in turn.stuck:
        if ending.span is None or speaks_of_stuck(game):
            continue
        if ending.kind == "passes" and ending.phase is None:
            yield warning(
                Code.ENDLESS_PASSES,
                "The board may be full before there is a row: then all sides pass, and no rule ends"
                " the game.",
                key_or_file_span(game, "stuck"),
                hint,
            )
        elif ending.kind in ("wins", "loses"):
            yield note(
                Code.FULL_BOARD,
                f"The board may be full before there is a row: then who is on turn {ending.kind}.",
                ending.span,
                hint,
            )


def _is_of_empty_sites(first: Choose | Decide, layers: set[Slot]) -> bool:
    """Return whether a decision chooses among sites without a piece."""
    match first:
        case Choose(domain=SitesOf(sites=sites)):
            while isinstance(sites, Select):
                sites = sites.sites
            match sites:
                case Op("difference", (Const(), Op("union", parts))):
                    return layers <= {one.slot for one in parts if isinstance(one, Get)}
                case Op("difference", (Const(), Get(slot))):
                    return layers <= {slot}
    return False


def _is_row(game: Game, ending: Ending) -> bool:
    """Return whether a clause ends the game for pieces in a row."""
    if ending.kind not in ("wins", "loses", "draw") or ending.span is None:
        return False
    texts = [ending.span.text, *(one.text for one in definitions_behind(game, ending.span))]
    return any(not _OF_ROWS.isdisjoint(words_in(text)) for text in texts)


def always_goes_through(block: Block) -> bool:
    """Return whether there is a way through a block in each position."""
    return all(map(_always_goes_on, block))


def _always_goes_on(statement: Statement) -> bool:
    match statement:
        case Decide(_, alternatives):
            return any(always_goes_through(way.body) for way in alternatives)
        case Require(_, condition):
            return isinstance(condition, Const) and bool(condition.value)
        case Choose(domain=RangeOf(low=Const(value=low), high=Const(value=high))):
            return low <= high
        case Choose():
            return False
        case Branch(_, condition, then, otherwise):
            goes_on = always_goes_through(then) or _is_asked_before(condition, then)
            return goes_on and always_goes_through(otherwise)
        case ForEach() | Repeat():
            return always_goes_through(statement.body)
    return True


def _is_asked_before(condition: Expression, block: Block) -> bool:
    """Return whether a condition is that there is what a block chooses first, and all goes on then.

    It may be one choice, as in `some S`, or two, as in `some s in S where some R(s)`.
    """
    match block:
        case (Choose(slot=slot, domain=domain), Choose(domain=SitesOf(sites=to)), *rest) if (
            isinstance(condition, Fold)
        ):
            asked: Expression = Fold("or", slot, domain, build.some(to), False)
        case (Choose(domain=SitesOf(sites=sites)), *rest):
            asked = build.some(sites)
        case _:
            return False
    fixed = {one for one in condition.free | asked.free if one.is_state}
    return equal_up_to_names(condition, asked, fixed) and always_goes_through(tuple(rest))


# --- sites asked for as if a piece still stood where it has left

_OTHERS = ("enemy", "empty")
_COME = "to {}"
"""How it is kept that a piece has come to a site."""
_OF_PIECES = ("own", "enemy", "occupied", "neutral")

Left = Mapping[str, Span]


def left_sites(game: Game) -> Iterator[Diagnostic]:
    """Yield where a turn asks what stands on a site that it has moved a piece away from."""
    if game.piles is not None:
        return
    finder = _Finder({*_OF_PIECES, *game.sides, *game.kinds})
    for block in parsed_rules(game, PROGRAMS):
        yield from finder.found(block, {})


class _Finder:
    """Goes through blocks; `pieces` are the words that say what stands on a site."""

    def __init__(self, pieces: set[str]) -> None:
        self._pieces = pieces

    def found(self, block: Iterable[t.Node], left: Left) -> Iterator[Diagnostic]:
        """Yield what is asked of the sites that are left, in a block and those inside."""
        now = dict(left)
        for statement in block:
            match statement:
                case t.If(condition=condition):
                    yield from self._conditions((condition,), now)
                case t.Require(condition=condition):
                    yield from self._conditions((condition,), now)
                case t.Choose(domain=domain, condition=condition):
                    yield from self._ways(domain, now)
                    yield from self._conditions(() if condition is None else (condition,), now)
                case t.Flip(sites=sites):
                    yield from self._ways(sites, now)
                case t.Remove(sites=t.Call() as sites):
                    yield from self._taken(sites, now)
            for inner in blocks_inside(statement):
                yield from self.found(inner, now)
            _gone_on(statement, now)

    def _ways(self, sites: t.Expression, left: Left) -> Iterator[Diagnostic]:
        """Yield what is told by a site that is left, but not where that says where it went to."""
        nodes = list(nodes_in((sites,)))
        calls = [node.span for node in nodes if isinstance(node, t.Call)]
        for node in nodes:
            if isinstance(node, t.Name) and (move := left.get(node.name)) is not None:
                to = [call for call in calls if move.text.endswith(f" to {call.text}")]
                if not any(call.holds(node.span) for call in to):
                    yield _told(node, move)

    def _taken(self, sites: t.Call, left: Left) -> Iterator[Diagnostic]:
        """Yield what is told by a site that is left alone, not by the way from it as well."""
        names = {node.name for node in nodes_in((sites,)) if isinstance(node, t.Name)}
        for node in sites.arguments:
            if isinstance(node, t.Name) and node.name in left:
                come = {name for name, span in left.items() if span == left[node.name]}
                if not names & {name.removeprefix(_COME.format("")) for name in come} - {node.name}:
                    yield _told(node, left[node.name])

    def _conditions(self, conditions: Iterable[t.Expression], left: Left) -> Iterator[Diagnostic]:
        for node in nodes_in(conditions):
            match node:
                case t.Operation(operator="in" | "&", operands=(t.Name() as site, t.Name() as of)):
                    if site.name in left and of.name in self._pieces:
                        yield _told(site, left[site.name])
                    elif _COME.format(site.name) in left and of.name in _OTHERS:
                        yield _told_of_come(node, site, left[_COME.format(site.name)])


def _gone_on(statement: t.Node, left: dict[str, Span]) -> None:
    """Change which sites are left, by a statement."""
    for node in nodes_in((statement,)):
        match node:
            case t.Choose(variable=name) | t.ChooseSet(variable=name) | t.LetStatement(name=name):
                _forget(name.name, left)
            case t.Assign(target=target) | t.Add(target=target):
                _forget(target.name.name, left)
            case t.Remove() | t.Flip() | t.Change() | t.Shift():
                for come in [name for name in left if name.startswith(_COME.format(""))]:
                    del left[come]
            case t.Place(sites=t.Name(name=filled)):
                left.pop(filled, None)
            case t.MovePiece(destination=t.Name(name=filled)):
                left.pop(filled, None)
    match statement:
        case t.MovePiece(count=None, source=t.Name() as source, way="to", destination=to):
            if not (isinstance(to, t.Name) and to.name in (source.name, "hand")):
                left[source.name] = statement.span
                if isinstance(to, t.Name):
                    left[_COME.format(to.name)] = statement.span


def _forget(name: str, left: dict[str, Span]) -> None:
    left.pop(name, None)
    left.pop(_COME.format(name), None)


def _told_of_come(asked: t.Node, site: t.Name, move: Span) -> Diagnostic:
    return note(
        Code.LEFT_SITE,
        f"The piece that has come to `{site.name}` stands there when this is asked.",
        asked.span,
        "Ask before it is moved, or keep the answer by `let`.",
        (("It comes there here.", move),),
    )


def _told(site: t.Name, move: Span) -> Diagnostic:
    return note(
        Code.LEFT_SITE,
        f"No piece stands on `{site.name}` any more when this is asked.",
        site.span,
        "Name the site that the piece went to; or ask before it is moved.",
        (("It is moved away here.", move),),
    )
