"""Why a game is over, what sides still need, and why a side has no move.

In: a position, and the one before it with the move between them. Out: an `Explanation`, or rulings
about the clauses of `end` and `stuck`. What then holds: each clause is asked in the frame in which
the reference interpreter asks it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gdl.board.relation import bits
from gdl.core.evaluate import Frame
from gdl.core.nodes import Choose, Ending
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.elaborate.names.scope import Scope, written_in
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.moves import Move, words
from gdl.interpreter.explain.explanation import Explanation, Ruling
from gdl.interpreter.explain.moment import Moment, rules_of
from gdl.interpreter.explain.reasons import Reason, Reasons, witness_of
from gdl.interpreter.explain.sources import demanded, line_of, source_of, without
from gdl.interpreter.explain.turn import Stop, Turns
from gdl.interpreter.explain.witness import NOTHING, Witness
from gdl.interpreter.positions.position import Position
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.words.clauses import clause_condition
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import condition_of

_MOST_DEAD_ENDS = 6
_MOST_REFUSED = 3  # sites of which it is told why none can be chosen
_NOT_YET = "not yet: "


@dataclass(frozen=True)
class Made:
    """A move that led to a position, and the position in which it was made."""

    before: Position
    move: Move


def over(position: Position, made: Made | None) -> Explanation:
    """Return why a game is over: the clause, who wins by it, and what makes it true.

    `made` is the last move; None where the position was described, not played.
    """
    outcome = position.outcome
    assert outcome is not None, "the game is over"
    sentence = f"{outcome.text[0].upper()}{outcome.text[1:]}."
    if position.state.ended is None:
        found = stuck(position)
        return Explanation("over", sentence, position, found.rulings, drawn=found.drawn)
    rules = rules_of(position)
    frame, phase, side = _turn_that_led_to(position, made)
    found_clause = rules.ended_by(frame, phase, side)
    if found_clause is None:
        return Explanation("over", sentence, position)
    before = None if made is None else Moment(rules, rules.machine.frame(made.before.state.values))
    ruling = _clause(rules, found_clause[0].ending, frame, before)
    return Explanation("over", sentence, position, (ruling,))


def _turn_that_led_to(position: Position, made: Made | None) -> tuple[Frame, int, int]:
    """Return the frame in which endings were tried last, with its phase and its side."""
    rules = rules_of(position)
    if made is None:
        return rules.described(position.state.values)
    return rules.turn_made(made.before.state, made.move)


def end_after(rules: ReferenceRules, position: Position, move: Move) -> Iterator[Ruling]:
    """Yield the clause that ends the game after a legal move, if one does."""
    frame, phase, side = rules.turn_made(position.state, move)
    found = rules.ended_by(frame, phase, side)
    if found is not None:
        ruling = _clause(rules, found[0].ending, frame)
        ended = position.play(move).outcome
        yield replace(ruling, sentence=f"that ends the game: {ended}")


def needs(position: Position, made: Made | None) -> Explanation:
    """Return what each clause of `end` says now, of a game that goes on.

    It is asked as if each side had just come here, that which has first: the position itself is not
    one of those that came before it.
    """
    rules = rules_of(position)
    places, program = rules.machine.places, rules.game.program
    phase = rules.machine.phase(rules.machine.frame(position.state.values))
    before, _, last = _turn_that_led_to(position, made)
    rulings = []
    told: set[tuple[object, tuple[int, ...]]] = set()
    for side in sorted(range(len(rules.game.sides)), key=lambda side: side != last):
        frame = rules.machine.frame(position.state.values)
        frame[places[program.system.mover]] = side
        stuck_in = list(frame)
        for memory in program.memories:
            frame[places[memory.slot]] = before[places[memory.slot]]
        for ending in rules.game.program.phases[phase].turns[side].endings:
            sides = ending.sides or _all_sides(rules, ending)
            if (ending.span, sides) not in told:
                told.add((ending.span, sides))
                rulings.append(_clause(rules, ending, frame))
        rulings += _without_a_move(rules, phase, side, stuck_in, told)
    return Explanation(
        "open",
        f"The game goes on: {does([position.decider], 'is')} to move.",
        position,
        tuple(rulings),
    )


def _without_a_move(
    rules: ReferenceRules,
    phase: int,
    side: int,
    frame: list[Any],
    told: set[tuple[object, tuple[int, ...]]],
) -> Iterator[Ruling]:
    """Yield how the game would end if a side had no move: the clauses of `stuck`."""
    for ending in rules.game.program.phases[phase].turns[side].stuck:
        ruling = _clause(rules, ending, frame)
        is_of_side = bool(ending.sides or ruling.caption)
        key = (ending.span, (side,) if is_of_side else ())
        if ending.kind != "passes" and key not in told:
            told.add(key)
            who = rules.game.sides[side] if is_of_side else "a side"
            result = ruling.sentence.removeprefix(_NOT_YET)
            yield replace(ruling, sentence=f"{_NOT_YET}if {does([who], 'has')} no move, {result}")


def _all_sides(rules: ReferenceRules, ending: Ending) -> tuple[int, ...]:
    return tuple(range(len(rules.game.sides))) if ending.values else ()


def stuck(position: Position) -> Explanation:
    """Return why the side on turn has no legal move, and what the rules say of it then."""
    rules = rules_of(position)
    stops = Turns(rules).dead_ends(position.state)
    is_forbidden = any(stop.why == "condition" for stop in stops)
    # What forbids ways that could go on says more than that others can't: it comes first.
    groups = sorted(_by_statement(stops), key=lambda group: group[0].why != "condition")
    rulings = [
        _blocked(group) if is_forbidden and group[0].why != "condition" else _dead_end(rules, group)
        for group in groups
    ]
    frame = rules.machine.frame(position.state.values)
    clause = rules.stuck_by(frame)
    rulings.append(_clause(rules, clause.ending, frame))
    sentence = f"{does([position.mover], 'has')} no legal move."
    return Explanation("stuck", sentence, position, tuple(rulings))


# ----------------------------------------------------------------------------- clauses


def _clause(
    rules: ReferenceRules, ending: Ending, frame: list[Any], before: Moment | None = None
) -> Ruling:
    """Return what a clause says: whether it holds, of whom, and by what; and what was `before`."""
    node, scope = written_in(ending.origin)
    text = "" if ending.span is None else " ".join(ending.span.text.split())
    if node is None or scope is None:
        return Ruling("this clause ends the game", ending.span, text)
    if len(ending.sides) == 1:
        scope = replace(scope, own=ending.sides[0])
    reasons = Reasons(Moment(rules, frame), before)
    condition = condition_of(node)
    reason = None if condition is None else reasons.of(condition, scope)
    holds = reason is None or bool(reason.value)
    told = [] if reason is None else [reason]
    drawn = witness_of(reason) if holds else NOTHING
    if isinstance(node, t.Ranking):
        compared = list(_ranked(rules, reasons, node, scope))
        told += compared
        if holds:
            drawn |= _best(ending, compared)
    result = _result(rules, ending)
    sentence = f"{'' if holds else _NOT_YET}{result} by this clause"
    own = rules.game.sides[scope.own] if scope.own is not None else "the side"
    return Ruling(
        sentence,
        ending.span,
        text,
        tuple(told),
        witness=drawn,
        caption=clause_condition(ending, reasons.moment, own),
    )


def _result(rules: ReferenceRules, ending: Ending) -> str:
    sides = rules.game.sides
    named = [sides[side] for side in ending.sides]
    match ending.kind:
        case "wins":
            return does(named, "wins")
        case "loses":
            return does(named, "loses")
        case "passes":
            return "the turn passes"
        case "highest" | "lowest":
            which = "every" if ending.is_shared else "the"
            return (
                f"{which} side with the {ending.kind} value {'lose' if ending.inverted else 'win'}s"
            )
    return "the game is a draw"


def _ranked(
    rules: ReferenceRules, reasons: Reasons, node: t.Ranking, scope: Scope
) -> Iterator[Reason]:
    """Yield the number of each side that a clause compares."""
    for side, name in enumerate(rules.game.sides):
        found = reasons.of(node.value, replace(scope, own=side))
        if found is not None:
            yield replace(found, text=f"{found.text}, for {name}")


def _best(ending: Ending, compared: list[Reason]) -> Witness:
    """Return what the number is about that is the highest, or the lowest; nothing of several."""
    numbers = [reason.value for reason in compared]
    best = (max if ending.kind == "highest" else min)(numbers, default=None)
    of_best = [reason for reason in compared if reason.value == best]
    return witness_of(of_best[0]) if len(of_best) == 1 else NOTHING


# --------------------------------------------------------------------------- dead ends


def _by_statement(stops: list[Stop]) -> list[list[Stop]]:
    """Return the dead ends at each of some statements."""
    found: dict[object, list[Stop]] = {}
    for stop in stops:
        found.setdefault(stop.statement and stop.statement.span, []).append(stop)
    return list(found.values())[:_MOST_DEAD_ENDS]


def _ways_told(stops: list[Stop]) -> str:
    """Return what was said before one dead end, and how many others there are like it."""
    said = list(dict.fromkeys(stop.said for stop in stops))
    if not said[0]:
        return ""
    if len(said) == 1:
        return f"after `{said[0]}` "
    others = "another way" if len(said) == 2 else f"{len(said) - 1} other ways"
    return f"after `{said[0]}`, as after {others} to begin, "


def _blocked(stops: list[Stop]) -> Ruling:
    """Return that ways end at a statement, briefly: others could go on, but are forbidden."""
    statement = stops[0].statement
    what = "nothing to choose" if isinstance(statement, Choose) else "no way on"
    sentence = f"{_ways_told(stops)}there is {what}"
    node = None if statement is None else source_of(statement)[0]
    return Ruling(sentence) if node is None else Ruling(sentence, node.span, line_of(node))


def _dead_end(rules: ReferenceRules, stops: list[Stop]) -> Ruling:
    """Return why ways through the turn can't go on at a statement; what was chosen is drawn."""
    board = rules.game.board
    chosen = {board.index(word) for stop in stops for word in words(stop.said)} - {None}
    drawn = Witness(sum(1 << index for index in chosen if index is not None))
    if stops[0].why == "condition":
        drawn = NOTHING
    refused: tuple[Reason, ...] = ()
    stop, said = stops[0], _ways_told(stops)
    if stop.statement is None:
        return Ruling(f"{said}the turn can't go on")
    node, scope = source_of(stop.statement)
    if node is None or scope is None:
        return Ruling(f"{said}the turn can't go on here", stop.statement.span)
    reasons = Reasons(Moment(rules, stop.frame))
    if stop.why == "condition":
        condition = condition_of(node)
        reason = None if condition is None else reasons.of(condition, scope)
        sentence = f"{said}{demanded(node)}"
    elif isinstance(node, t.Choose):
        inner = {n: v for n, v in scope.locals.items() if n != node.variable.name}
        reason = reasons.as_sites(node.domain, replace(scope, locals=inner))
        is_bare = reason is None or not reason.value
        if is_bare:
            drawn |= reasons.witnesses.of_emptiness(node.domain, replace(scope, locals=inner))
        sentence = (
            f"{said}there is nothing to choose" if is_bare else f"{said}none of these may be chosen"
        )
        if not is_bare:
            refused = _refused(rules, stop, node, scope)
    else:
        reason, sentence = None, f"{said}there is no way on"
    return Ruling(
        sentence,
        node.span,
        line_of(node),
        (*(() if reason is None else (reason,)), *refused),
        witness=drawn | witness_of(reason),
    )


def _refused(rules: ReferenceRules, stop: Stop, node: t.Choose, scope: Scope) -> tuple[Reason, ...]:
    """Return the conditions that don't hold of the first sites that might be chosen."""
    statement = stop.statement
    if node.condition is None or not isinstance(statement, Choose):
        return ()
    asked = Moment(rules, stop.frame)
    among = asked.sites(node.domain, asked.scope(without(scope, node.variable.name))) or 0
    if statement.slot.type != SITES or among.bit_count() > _MOST_REFUSED:
        return ()
    found = []
    for index in bits(among):
        frame = list(stop.frame)
        frame[rules.machine.places[statement.slot]] = 1 << index
        reason = Reasons(Moment(rules, frame)).of(node.condition, scope)
        if reason is not None and not reason.value:
            found.append(reason)
    return tuple(found)
