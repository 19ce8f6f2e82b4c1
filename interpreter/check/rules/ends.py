"""Clauses that end the game: is there one, can each be reached, do two say the same?

In: the program of a game. Out: warnings. What then holds: each is proved by the program.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from itertools import chain

from gdl.analysis.number_ranges import NumberRanges
from gdl.codes import Code
from gdl.core.merging import equal_up_to_names
from gdl.core.nodes import Assign, AssignAt, Const, Ending, Expression, Get, Op, Slot, Times
from gdl.core.types import NUMBER, SITES
from gdl.core.walk import assigned_slots, expressions_in, program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Scalar
from gdl.elaborate.sections.sections import readable, texts
from gdl.interpreter.check.definitions import defined_names
from gdl.interpreter.check.places import key_span, note, parsed_rules, turn_span, warning
from gdl.interpreter.check.rules.numbers import range_in, ranges_of
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in


def check_clauses(game: Game) -> Iterator[Diagnostic]:
    """Yield what is wrong with the clauses of a game."""
    yield from _no_end(game)
    same_goals = list(_same_goals(game))
    yield from same_goals
    yield from _never_wins(game)
    yield from _out_of_reach(game, {found.span for found in same_goals})
    yield from _draws_first(game)
    yield from _loses_first(game)


def _clauses(game: Game) -> list[Ending]:
    """Return the clauses of `end` and `stuck` of all turns."""
    return [ending for turn in game.program.turns for ending in turn.clauses]


def _no_end(game: Game) -> Iterator[Diagnostic]:
    """A game needs a clause that ends it: in `end`, or in `stuck` if a side can't move."""
    if all(ending.kind == "passes" for ending in _clauses(game)):
        yield warning(
            Code.NO_END,
            "No rule ends the game.",
            turn_span(game),
            "Write under `end` who wins and when, or under `stuck` what happens to a side that"
            " can't move.",
        )


def _same_goals(game: Game) -> Iterator[Diagnostic]:
    """Two sides that win by different clauses on the same condition: one was copied."""
    told: set[Span] = set()
    for turn in game.program.turns:
        winning = [e for e in turn.endings if e.kind == "wins" and len(e.sides) == 1]
        for number, ending in enumerate(winning):
            state = game.program.state
            first = next((e for e in winning[:number] if _is_same_goal(e, ending, state)), None)
            if first is None or ending.span is None or ending.span in told:
                continue
            told.add(ending.span)
            one, other = (game.sides[e.sides[0]] for e in (first, ending))
            yield warning(
                Code.SAME_GOAL,
                f"{one} and {other} win on the same condition.",
                ending.span,
                "Give each its own, or let `mover` or `any` win if it is meant for all.",
                (("The other clause is here.", first.span),) if first.span else (),
            )


def _is_same_goal(one: Ending, other: Ending, state: tuple[Slot, ...]) -> bool:
    if isinstance(one.condition, Const) or one.sides == other.sides:
        return False
    return equal_up_to_names(one.condition, other.condition, state)


def _never_wins(game: Game) -> Iterator[Diagnostic]:
    """A side for which no clause is, where another has one."""
    sides = range(len(game.sides))
    clauses = _clauses(game)
    winning = {side for ending in clauses for side in _may_win(ending, sides)}
    for side in sides:
        if (winning or len(sides) == 1) and side not in winning:
            spans = dict.fromkeys(e.span for e in clauses if e.kind in ("wins", "loses") and e.span)
            first, *more = spans or (None,)
            yield warning(
                Code.NEVER_WINS,
                f"No rule lets {game.sides[side]} win.",
                first or key_span(game, "end"),
                f"Say when it does, as in `{game.sides[side]} wins when …`.",
                [("This one is for another side, too.", span) for span in more if span],
            )


def _may_win(ending: Ending, sides: Iterable[int]) -> set[int]:
    match ending.kind:
        case "wins":
            return set(ending.sides)
        case "loses":
            return set(sides) - set(ending.sides)
        case "highest" | "lowest":
            return set(sides)
    return set()


def _out_of_reach(game: Game, told: set[Span | None]) -> Iterator[Diagnostic]:
    """Clauses that come after one that always holds, or that holds whenever they do."""
    above: dict[Span, list[Ending | None]] = defaultdict(list)
    for turn in game.program.turns:
        for clauses in (turn.endings, turn.stuck):
            for number, ending in enumerate(clauses):
                if ending.span is not None:
                    one = _first_above(clauses[:number], ending, game.program.state)
                    above[ending.span].append(one)
    for span, found in above.items():
        first = found[0]
        if first is None or not all(found) or span in told or first.span is None:
            continue
        always = isinstance(first.condition, Const)
        yield warning(
            Code.NEVER_REACHED,
            "This clause is never asked: the one above "
            + ("always holds." if always else "holds whenever this one would."),
            span,
            "Remove it, give it a condition of its own, or change the order.",
            (("This clause is first.", first.span),),
        )


def _first_above(
    clauses: tuple[Ending, ...], ending: Ending, state: tuple[Slot, ...]
) -> Ending | None:
    """Return the clause above that holds whenever an ending does, if there is one."""
    for one in clauses:
        if one.span == ending.span or one.kind in ("highest", "lowest"):
            continue
        is_always = isinstance(one.condition, Const) and bool(one.condition.value)
        if is_always or follows(one.condition, ending.condition, state):
            return one
    return None


def _draws_first(game: Game) -> Iterator[Diagnostic]:
    """Yield draws that are asked for before a win that the same move may bring about.

    A position that was there before, or a pass, wins nothing that it did not win then; a draw in
    which the win holds as well is meant to come first.
    """
    told: dict[Span, Span] = {}
    meant: set[Span] = set()
    for turn in game.program.turns:
        for number, draw in enumerate(turn.endings):
            if draw.kind != "draw" or draw.span is None:
                continue
            if _looks_back(game, draw.condition) or _is_of_one(game, draw.condition):
                continue
            for win in turn.endings[number + 1 :]:
                if win.kind not in ("wins", "loses") or win.span in (None, draw.span):
                    continue
                if follows(win.condition, draw.condition, game.program.state):
                    meant.add(draw.span)
                elif win.span is not None and not isinstance(win.condition, Const):
                    told.setdefault(draw.span, win.span)
    for span, win_span in told.items():
        if span not in meant:
            yield note(
                Code.DRAW_FIRST,
                "A move after which both this and a clause below hold draws: this is asked first.",
                span,
                "Put it below, if a move that wins should win even then.",
                (("This one would win or lose.", win_span),),
            )


def _loses_first(game: Game) -> Iterator[Diagnostic]:
    """Yield the clauses by which a side loses that the move may have won by one below.

    Where the win holds whenever the loss does, or the pieces of others tell the loss, it is meant.
    """
    told: dict[Span, Span] = {}
    ranges = ranges_of(game)
    for turn in game.program.turns:
        for number, loss in enumerate(turn.endings):
            if loss.kind != "loses" or loss.span is None or isinstance(loss.condition, Const):
                continue
            if _is_of_others(game, loss) or looks_back(loss.condition):
                continue
            for win in turn.endings[number + 1 :]:
                if win.kind != "wins" or win.sides != loss.sides or win.span in (None, loss.span):
                    continue
                both = [*_parts(loss.condition), *_parts(win.condition)]
                if isinstance(win.condition, Const) or follows(
                    win.condition, loss.condition, game.program.state
                ):
                    break
                if not _Bounds(game.board.all_sites, both, ranges).fail() and win.span:
                    told.setdefault(loss.span, win.span)
    for span, win_span in told.items():
        yield note(
            Code.LOSES_FIRST,
            "A move after which both this and a clause below hold loses: this is asked first.",
            span,
            "Put it below, if a move that wins should win even then.",
            (("This one would win.", win_span),),
        )


def _is_of_others(game: Game, loss: Ending) -> bool:
    """Return whether the pieces of others alone tell that a side loses."""
    sides = {layer.side for layer in game.layers if layer.slot in loss.condition.free}
    return bool(sides) and sides.isdisjoint(loss.sides)


def _is_of_one(game: Game, condition: Expression) -> bool:
    """Return whether a condition asks for the pieces of some sides, and not of all."""
    sides = {layer.side for layer in game.layers if layer.slot in condition.free}
    return bool(sides) and not sides >= set(range(len(game.sides)))


def _looks_back(game: Game, condition: Expression) -> bool:
    """Return whether a condition is a constant, or asks for passes or earlier positions."""
    if isinstance(condition, Const):
        return True
    passes = game.program.system.passes
    if passes is not None and passes in condition.free:
        return True
    return any(isinstance(node, Times) for node in expressions_in(condition))


# --------------- whether a condition holds whenever another one does, as far as their texts show it

Fixed = Collection[Slot]


def follows(condition: Expression, other: Expression, fixed: Fixed) -> bool:
    """Return whether `condition` is known to hold wherever `other` does.

    Slots that are not `fixed` are the variables of each of them.
    """
    if isinstance(other, Op) and other.name == "or":
        return all(follows(condition, part, fixed) for part in other.arguments)
    if isinstance(condition, Op) and condition.name == "and":
        return all(follows(part, other, fixed) for part in condition.arguments)
    if isinstance(condition, Op) and condition.name == "or":
        if any(follows(part, other, fixed) for part in condition.arguments):
            return True
    elif equal_up_to_names(condition, other, fixed) or _is_wider(condition, other, fixed):
        return True
    if isinstance(other, Op) and other.name == "and":
        return any(follows(condition, part, fixed) for part in other.arguments)
    return False


def _is_wider(condition: Expression, other: Expression, fixed: Fixed) -> bool:
    """Return whether a comparison leaves a number all that another comparison leaves it."""
    for one, low, high in limits(condition):
        for node, least, most in limits(other):
            if low <= least and most <= high and equal_up_to_names(one, node, fixed):
                return True
    return False


_MANY_TURNS = 10


def is_late_draw(ending: Ending) -> bool:
    """Return whether a clause draws games that go on and on: by repetition, or after many turns.

    Games left to chance hardly ever come to that.
    """
    if ending.kind != "draw":
        return False
    counted = (low for node, low, _ in limits(ending.condition) if isinstance(node, Get))
    return looks_back(ending.condition) or any(low >= _MANY_TURNS for low in counted)


# ------- clauses of `end` of which one part rules out another, or that count more than there can be

_ENDLESS = 1 << 80


def contradictions(game: Game) -> Iterator[Diagnostic]:
    """Yield the clauses that no position meets."""
    found: dict[Span, list[bool]] = defaultdict(list)
    ranges = ranges_of(game)
    for turn in game.program.turns:
        for ending in turn.endings:
            if ending.span is not None and not isinstance(ending.condition, Const):
                parts = list(_parts(ending.condition))
                found[ending.span].append(_Bounds(game.board.all_sites, parts, ranges).fail())
    for span, fails in found.items():
        if all(fails):
            yield warning(
                Code.NEVER_TRUE,
                "No position meets this: its parts rule each other out, or ask for more than there"
                " can be.",
                span,
                "See whether it says what was meant.",
            )


def _parts(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, Op) and condition.name == "and":
        for part in condition.arguments:
            yield from _parts(part)
    else:
        yield condition


class _Bounds:
    """What sets and numbers can be where all of some conditions hold."""

    def __init__(self, everything: int, parts: list[Expression], ranges: NumberRanges) -> None:
        self._everything = everything
        self._ranges = ranges
        self._parts = parts
        self._empty: set[Slot] = set()
        for part in parts:
            match part:
                case Op("not", (Op("some", (sites,)),)):
                    self._empty |= set(_pieces(sites))

    def fail(self) -> bool:
        """Return whether one of the conditions can't hold."""
        return any(map(self._fails, self._parts)) or self._no_number_is_left()

    def _no_number_is_left(self) -> bool:
        """Return whether the conditions leave a number nothing that it can be."""
        left: dict[Expression, tuple[float, float]] = {}
        for part in self._parts:
            for node, least, most in limits(part):
                low, high = left.get(node, self._number(node))
                left[node] = max(low, least), min(high, most)
        return any(low > high for low, high in left.values())

    def _fails(self, part: Expression) -> bool:
        match part:
            case Op("not", (Op("some", (sites,)),)):
                return bool(self._sites(sites)[0])
            case Op("some", (sites,)):
                return not self._sites(sites)[1]
            case Op("not_more", (one, other)):
                return self._number(one)[0] > self._number(other)[1]
            case Op("less", (one, other)):
                return self._number(one)[0] >= self._number(other)[1]
            case Op("equal", (one, other)) if one.type.is_numeric:
                (low, high), (least, most) = self._number(one), self._number(other)
                return low > most or least > high
        return False

    def _number(self, node: Expression) -> tuple[float, float]:
        match node:
            case Const(value=int() as value):
                return value, value
            case Op("count", (sites,)) if sites.type == SITES:
                least, most = self._sites(sites)
                return least.bit_count(), most.bit_count()
        found = range_in(self._ranges, node)
        return (-_ENDLESS, _ENDLESS) if found is None else (found.low, found.high)

    def _sites(self, node: Expression) -> tuple[int, int]:
        """Return the sites that are surely in a set, and those that may be."""
        match node:
            case Const(value=int() as value):
                return value, value
            case Get(slot) if slot in self._empty:
                return 0, 0
            case Op("union", parts):
                least = most = 0
                for part in parts:
                    surely, perhaps = self._sites(part)
                    least, most = least | surely, most | perhaps
                return least, most
            case Op("intersection", parts):
                least = most = self._everything
                for part in parts:
                    surely, perhaps = self._sites(part)
                    least, most = least & surely, most & perhaps
                return least, most
            case Op("difference", (first, second)):
                one, other = self._sites(first), self._sites(second)
                return one[0] & ~other[1], one[1] & ~other[0]
        return 0, self._everything


def limits(part: Expression, holds: bool = True) -> Iterator[tuple[Expression, float, float]]:
    """Yield the whole numbers that a comparison with a constant limits, and how."""
    match part:
        case Op("not", (inner,)):
            yield from limits(inner, not holds)
        case Op("equal", (node, Const(value=int() as value))) if holds and _is_whole(node):
            yield node, value, value
        case Op("less" | "not_more" as name, (node, Const(value=int() as value))):
            if _is_whole(node):
                last = value - (name == "less")
                yield (node, -_ENDLESS, last) if holds else (node, last + 1, _ENDLESS)
        case Op("less" | "not_more" as name, (Const(value=int() as value), node)):
            if _is_whole(node):
                first = value + (name == "less")
                yield (node, first, _ENDLESS) if holds else (node, -_ENDLESS, first - 1)


def _is_whole(node: Expression) -> bool:
    return node.type == NUMBER


def _pieces(sites: Expression) -> Iterator[Slot]:
    """Yield the layers of which a set is made; none if it is made of anything else as well."""
    match sites:
        case Get(slot):
            yield slot
        case Op("union", parts) if all(isinstance(part, Get) for part in parts):
            yield from (part.slot for part in parts if isinstance(part, Get))


# ---------------------------------------------- goals that are told by the pieces of the wrong side

_OWN = frozenset(("own", "mover"))


def won_by_enemy(game: Game) -> Iterator[Diagnostic]:
    """Yield clauses by which the side that has moved wins, since the enemy has something.

    What a definition makes of a side that it is given is not known: it may ask what threatens it.
    Also clauses about `enemy` that ask for `enemy` alone, which there is who has moved.
    """
    defined = defined_names(game)
    for entry, text in _clauses_about_pieces(game):
        clause = readable(text, entry)
        if isinstance(clause, t.Ranking) and clause.rank == "highest" and clause.outcome == "wins":
            names = _names(clause.value, defined)
            if "enemy" in names and not _names(clause.value) & _OWN:
                yield note(
                    Code.WON_BY_ENEMY,
                    "Who has the highest wins, and it counts what the enemy has.",
                    clause.span,
                    "See whether `own` is meant, or `lowest`.",
                )
            continue
        if isinstance(clause, t.Outcome) and clause.condition is not None:
            yield from _enemy_of_enemy(clause, clause.condition, entry)
        if not isinstance(clause, t.Outcome) or clause.outcome != "wins":
            continue
        if {side.name for side in clause.sides} != {"mover"} or clause.condition is None:
            continue
        asked = _asked_for(clause.condition, defined)
        if "enemy" in asked and not _asked_for(clause.condition) & _OWN:
            yield note(
                Code.WON_BY_ENEMY,
                "Who has moved wins by this, and it asks for what the enemy has.",
                clause.span,
                "See whether `own` is meant, or `enemy wins`, or `mover loses`.",
            )


def _enemy_of_enemy(clause: t.Outcome, condition: t.Expression, entry: str) -> Iterator[Diagnostic]:
    """Yield the first `enemy` in a clause about `enemy` that does not ask for `own`."""
    names = [one for one in nodes_in((condition,)) if isinstance(one, t.Name)]
    asked = next((one for one in names if one.name == "enemy"), None)
    is_about = [side.name for side in clause.sides] == ["enemy"]
    if is_about and asked is not None and all(one.name != "own" for one in names):
        who = "the side that has moved" if entry == "clause" else "the side that is stuck"
        yield note(
            Code.WON_BY_ENEMY,
            f"In a clause about `enemy`, `own` is that side, and `enemy` is {who}.",
            asked.span,
            "Write `own` where the side is meant that the clause is about, `mover` for the other.",
        )


def _clauses_about_pieces(game: Game) -> Iterator[tuple[str, Scalar]]:
    """Yield the texts of the clauses of `end` and `stuck`, each with what it is in the grammar."""
    for section, entry in (("end", "clause"), ("stuck", "stuck_clause")):
        for text in texts(game.document.get(section)):
            yield entry, text


def _asked_for(condition: t.Expression, defined: Collection[str] = ()) -> frozenset[str]:
    """Return the names of what must be there for a condition to hold."""
    match condition:
        case t.Operation(operator="and" | "or", operands=operands):
            return frozenset().union(*(_asked_for(part, defined) for part in operands))
        case t.Operation(operator="some") | t.Call() | t.Quantified(word="some"):
            return _names(condition, defined)
    return frozenset()


def _names(node: t.Node, defined: Collection[str] = ()) -> frozenset[str]:
    """Return the names in an expression, but not what it gives to what the file defines."""
    inside = list(nodes_in((node,)))
    apart = [
        call.span
        for call in inside
        if isinstance(call, t.Call)
        and isinstance(call.function, t.Name)
        and call.function.name in defined
    ]
    names = (one for one in inside if isinstance(one, t.Name))
    return frozenset(one.name for one in names if not any(call.holds(one.span) for call in apart))


# ------------------- ends that ask where the pieces of all sides are, though those of one are meant

_ENTRIES = {"end": "clause", "stuck": "stuck_clause"}


def pieces_of_all_sides(game: Game) -> Iterator[Diagnostic]:
    """Yield the conditions that hold when the pieces of all sides are somewhere."""
    owners = Counter(game.kinds[layer.kind] for layer in game.layers if layer.side is not None)
    for rules in parsed_rules(game, _ENTRIES):
        for node in nodes_in(rules):
            match node:
                case t.Operation(operator="in", operands=(t.Name(name=kind), there)):
                    if owners[kind] < 2:
                        continue
                    text = there.span.text
                    place = f"({text})" if isinstance(there, t.Operation) else text
                    yield warning(
                        Code.OF_ALL_SIDES,
                        f"`{kind}` has the pieces of all sides: this holds when all of them are"
                        " there.",
                        node.span,
                        f"Whether one of a side is there is `some own & {kind} & {place}`; whether"
                        f" all of that side are, `own & {kind} in {place}`.",
                    )


# ----------------------------------- goals that are asked after a turn which can't bring them about

Goal = tuple[Span, int]


def asked_too_late(game: Game) -> Iterator[Diagnostic]:
    """Yield clauses of which a part can come true in turns of others alone."""
    phases = game.program.phases
    if len(game.sides) < 2 or any(phase.by_chance or phase.seat is not None for phase in phases):
        return
    changed = _changed(game)
    anywhere = frozenset(chain.from_iterable(changed))
    late: dict[Goal, list[bool]] = defaultdict(list)
    by_program = set(game.program.state) & anywhere
    asked_for: dict[Goal, frozenset[Slot]] = {}
    for phase in phases:
        for side, turn in enumerate(phase.turns):
            for ending in turn.endings:
                if ending.span is None or ending.kind not in ("wins", "loses"):
                    continue
                for number, goal in enumerate(_goals(ending)):
                    asked = goal.free & by_program
                    asked_for[ending.span, number] = asked
                    is_late = bool(asked) and goal.free <= by_program and not asked & changed[side]
                    late[ending.span, number].append(is_late and not looks_back(goal))
    told: set[Span] = set()
    for (span, number), found in late.items():
        if all(found) and span not in told:
            told.add(span)
            yield note(
                Code.ASKED_TOO_LATE,
                "This asks for what the turn before it never changes; only turns of others do.",
                span,
                "See whether `mover` and `enemy`, or `own` and `enemy`, are exchanged, here or"
                " where it is changed.",
                [
                    ("It is changed here.", place)
                    for place in dict.fromkeys(_places(game, asked_for[span, number]))
                ],
            )


def _changed(game: Game) -> list[frozenset[Slot]]:
    """Return what the turns of each side change, in any phase."""
    return [
        frozenset().union(
            *(assigned_slots(phase.turns[side].program) for phase in game.program.phases)
        )
        for side in range(len(game.sides))
    ]


def _places(game: Game, slots: frozenset[Slot]) -> Iterator[Span]:
    """Yield where turns change some variables."""
    for statement in program_statements(game.program):
        if isinstance(statement, Assign | AssignAt) and statement.slot in slots and statement.span:
            yield statement.span


def _goals(ending: Ending) -> list[Expression]:
    """Return the parts of a clause of which each is enough."""
    found, left = [], [ending.condition]
    while left:
        part = left.pop()
        if isinstance(part, Op) and part.name == "or":
            left += reversed(part.arguments)
        else:
            found.append(part)
    return found


def looks_back(goal: Expression) -> bool:
    """Return whether a goal asks for the past."""
    return any(isinstance(node, Times) for node in expressions_in(goal))
