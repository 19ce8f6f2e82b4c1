"""Numbers that a game doesn't come to, and numbers that a variable can't hold.

In: the program of a game, and the ranges that analysis finds for its numbers. Out: findings. What
then holds: a value that is told to be out of bounds is so whenever it is stored; a clause that is
told to be far off needs that many moves at least.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import Range, Uncovered
from gdl.codes import Code
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Const,
    Expression,
    ForEach,
    Get,
    If,
    Op,
    Program,
    Repeat,
    Slot,
    Times,
)
from gdl.core.walk import program_statements, statements_in
from gdl.diagnostic import Diagnostic, GameError, Span
from gdl.document.nodes import Mapping, Scalar
from gdl.interpreter.check.places import PROGRAMS, RULES, note, parsed_rules, warning
from gdl.model import Game
from gdl.resources.scoped_cache import shared
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in

MOST_MOVES = 2_000
"""Moves of a game that nobody plays to its end."""


@shared
def ranges_of(game: Game) -> NumberRanges:
    """Return the ranges of the numbers in a game's program, the same for all that ask for them."""
    return NumberRanges(game.program, game.board.size)


def range_in(ranges: NumberRanges, node: Expression) -> Range | None:
    """Return the range of a whole number; None if it is not known."""
    try:
        found = ranges.of(node)
    except (Uncovered, TypeError):
        return None
    return found if found.denominator == 1 else None


def check_numbers(game: Game) -> Iterator[Diagnostic]:
    """Yield what is stored out of bounds, then the clauses that are far off."""
    yield from _out_of_bounds(game)
    yield from _far_off(game.program)


def _out_of_bounds(game: Game) -> Iterator[Diagnostic]:
    ranges = ranges_of(game)
    told: set[Span] = set()
    for statement in program_statements(game.program):
        if not isinstance(statement, Assign | AssignAt) or statement.span in told:
            continue
        slot, span = statement.slot, statement.span
        if span is None or slot.span is None or slot.low is None or slot.high is None:
            continue
        found = range_in(ranges, statement.value)
        if found is not None and (found.low > slot.high or found.high < slot.low):
            told.add(span)
            number = f"{found.low}" if found.low == found.high else f"{found.low} to {found.high}"
            yield warning(
                Code.OUT_OF_BOUNDS,
                f"This stores {number} in `{slot.name}`, which holds {slot.low} to {slot.high}.",
                span,
                "Declare wider bounds, or store another number.",
                [("It is declared here.", slot.span)],
            )


# ----------------------------------------------------------------------- far off


def _far_off(program: Program) -> Iterator[Diagnostic]:
    slow = _slow_slots(program)
    moves: dict[Span, list[int]] = {}
    parts: dict[Span, list[int]] = {}
    for turn in program.turns:
        for ending in turn.endings:
            if ending.span is not None:
                needed = [_needed(part, slow) for part in _alternatives(ending.condition)]
                moves.setdefault(ending.span, []).append(min(needed))
                parts.setdefault(ending.span, []).append(max(needed))
    for span in moves:
        if min(parts[span]) > MOST_MOVES:
            is_all = min(moves[span]) > MOST_MOVES
            least = min(moves[span] if is_all else parts[span])
            what = "this" if is_all else "a part of this"
            yield note(
                Code.FAR_OFF,
                f"No game of fewer than {least:,} moves comes to {what}.",
                span,
                "See whether the number is the one that is meant.",
            )


def _alternatives(condition: Expression) -> Iterator[Expression]:
    if isinstance(condition, Op) and condition.name == "or":
        for part in condition.arguments:
            yield from _alternatives(part)
    else:
        yield condition


def _needed(condition: Expression, slow: set[Slot]) -> int:
    match condition:
        case Op("and", parts):
            return max(_needed(part, slow) for part in parts)
        case Op("or", parts):
            return min(_needed(part, slow) for part in parts)
        case Op("equal", (node, Const(value=int() as value))) if _is_slow(node, slow):
            return value
        case Op("not_more" | "less" as name, (Const(value=int() as value), node)):
            return value + (name == "less") if _is_slow(node, slow) else 0
    return 0


def _is_slow(node: Expression, slow: set[Slot]) -> bool:
    return isinstance(node, Times) or (isinstance(node, Get) and node.slot in slow)


def _slow_slots(program: Program) -> set[Slot]:
    """Return the numbers that grow by one a turn at most, from one or less."""
    system = program.system
    found = {slot for slot in (system.turns, system.passes) if slot is not None}
    values: dict[Slot, list[Expression]] = {}
    often: set[Slot] = set()
    for statement in program_statements(program):
        if isinstance(statement, Assign):
            values.setdefault(statement.slot, []).append(statement.value)
        elif isinstance(statement, AssignAt):
            often.add(statement.slot)
        elif isinstance(statement, Repeat | ForEach):
            inner = statements_in(statement.body)
            often |= {one.slot for one in inner if isinstance(one, Assign)}
    at_start = dict(zip(program.state, program.initial, strict=True))
    for slot, assigned in values.items():
        begins = at_start.get(slot)
        if slot in often or not isinstance(begins, int) or begins > 1:
            continue
        if all(_grows_slowly(value, slot) for value in assigned):
            found.add(slot)
    return found


def _grows_slowly(value: Expression, slot: Slot) -> bool:
    match value:
        case Const(value=int() as number):
            return number <= 1
        case Get(slot=same) if same == slot:
            return True
        case Op("add", (Get(slot=same), Const(value=int() as number))) if same == slot:
            return number <= 1
        case Op("add", (Const(value=int() as number), Get(slot=same))) if same == slot:
            return number <= 1
        case If():
            return _grows_slowly(value.then, slot) and _grows_slowly(value.otherwise, slot)
    return False


# ---------------------------------------------------- rows and columns that the board does not have

_SECTIONS = {**RULES, **dict.fromkeys(("setup", "regions", "relations"), "expression")}
_COUNTED = {"rows": "row", "columns": "column"}


def rows_there_are_not(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the rows and columns that none of the boards has on which they are asked for."""
    told: dict[Span, Diagnostic | None] = {}
    for game in games:
        for rules in parsed_rules(game, _SECTIONS):
            for node in nodes_in(rules):
                if isinstance(node, t.Call) and (found := _asked(node)) is not None:
                    one = _missing(node.span, *found, game)
                    told[node.span] = told.get(node.span, one) and one
    yield from filter(None, told.values())


def _asked(node: t.Call) -> tuple[str, int, int] | None:
    """Return what is counted, and the first and last that is asked for, if they are numbers."""
    numbers = [part.text for part in node.arguments if isinstance(part, t.Number)]
    word = node.function.name if isinstance(node.function, t.Name) else ""
    if word not in _COUNTED or len(numbers) != len(node.arguments) or len(numbers) not in (1, 2):
        return None
    if not all(text.isdigit() for text in numbers):
        return None
    return _COUNTED[word], int(numbers[0]), int(numbers[-1])


def _missing(span: Span, what: str, first: int, last: int, game: Game) -> Diagnostic | None:
    there = sorted(set(game.board.numbers.get(what, ())))
    if not there or any(first <= number <= last for number in there):
        return None
    if first > last:
        turned = f"{what}s({last}, {first})"
        message, hint = f"No {what} is from {first} to {last}.", "The smaller number stands first"
        return warning(Code.NO_SUCH_ROW, message, span, f"{hint}: `{turned}`.")
    asked = f"{first}" if first == last else f"from {first} to {last}"
    hint = f"Its {what}s are {there[0]} to {there[-1]}."
    return warning(Code.NO_SUCH_ROW, f"The board has no {what} {asked}.", span, hint)


# -------------------------------------------------------- tables that number all their keys but one

_FEWEST = 4
_WHOLE = re.compile(r"-?\d{1,9}")


def uneven_tables(game: Game) -> Iterator[Diagnostic]:
    """Yield the tables in which one number comes twice, and the next one is missing."""
    section = game.document.get("define")
    for name, body in section.entries if isinstance(section, Mapping) else ():
        entries = _numbers(body)
        if len(entries) < _FEWEST:
            continue
        values = Counter(value for _, value in entries)
        missing = _key_left_out(values)
        twice = next((value for value, times in values.items() if times > 1), None)
        if missing is None or twice is None or _breaks_order(entries, twice, missing):
            continue
        first, second = (key for key, value in entries if value == twice)
        yield note(
            Code.NUMBER_TWICE,
            f"`{name.text}` is {twice} for {first.text} and for {second.text}, and {missing} for"
            " nothing; its other numbers come once each.",
            second.span,
            f"Write {missing} for one of them, if each should have its own.",
            (("The other one is here.", first.span),),
        )


def _breaks_order(entries: Sequence[tuple[Scalar, int]], twice: int, missing: int) -> bool:
    """Return whether a table is in order as it is, and not with the missing number for either."""
    values = [value for _, value in entries]
    if values != sorted(values):
        return False
    first = values.index(twice)
    mended = ([*values[:at], missing, *values[at + 1 :]] for at in (first, first + 1))
    return all(one != sorted(one) for one in mended)


def _numbers(body: object) -> list[tuple[Scalar, int]]:
    """Return the keys and numbers of a table that has nothing else."""
    if not isinstance(body, Mapping):
        return []
    found = [
        (key, int(value.text))
        for key, value in body.entries
        if isinstance(value, Scalar) and _WHOLE.fullmatch(value.text.strip())
    ]
    return found if len(found) == len(body.entries) else []


def _key_left_out(values: Counter[int]) -> int | None:
    """Return the one number that is missing from a row of numbers, of which another comes twice."""
    size = values.total()
    for first in (1, 0):
        missing = Counter(range(first, first + size)) - values
        if missing.total() == 1 and max(values) < first + size and min(values) >= first:
            return next(iter(missing))
    return None


# ------------------------------------------------------ conditions that keep to a variable's bounds

_MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def guards_of_bounds(game: Game) -> frozenset[Span]:
    """Return the comparisons that rule out no more than what would leave a variable's bounds.

    Where they hold, it gets another number: `if n < 3`, where `n` is 3 at most, and `add 1 to n`
    below. That they always do is no fault.
    """
    bounds = {
        slot.name.partition("(")[0]: (slot.low, slot.high)
        for slot in game.state_slots.values()
        if slot.low is not None and slot.high is not None
    }
    blocks = parsed_rules(game, PROGRAMS) if bounds else ()
    return frozenset(
        node.span
        for block in blocks
        for condition, guarded in _guarded(block)
        for node in nodes_in((condition,))
        if _is_of_bounds(game, node, guarded, bounds)
    )


def _guarded(block: Sequence[t.Node]) -> Iterator[tuple[t.Node, Sequence[t.Node]]]:
    """Yield the conditions in a block, each with what is done only if it holds."""
    for place, statement in enumerate(block):
        match statement:
            case t.If(condition=condition, then=then):
                yield condition, then
            case (
                t.Require(condition=t.Node() as condition)
                | t.Choose(condition=t.Node() as condition)
            ):
                yield condition, block[place + 1 :]
        for inner in blocks_inside(statement):
            yield from _guarded(inner)


def _is_of_bounds(
    game: Game, node: t.Node, guarded: Sequence[t.Node], bounds: dict[str, tuple[int, int]]
) -> bool:
    """Return whether a comparison keeps to the bounds of a variable that is changed below it."""
    if not isinstance(node, t.Operation) or node.operator not in _MIRRORED:
        return False
    (asked, other), sign = node.operands, str(node.operator)
    if _variable(asked) not in bounds:
        asked, other, sign = other, asked, _MIRRORED[sign]
    step = _step(guarded, _variable(asked)) if _variable(asked) in bounds else 0
    number = _number(game, other) if step else None
    if number is None:
        return False
    low, high = bounds[_variable(asked)]
    if sign.startswith("<"):
        return number - (sign == "<") >= high - step
    return number + (sign == ">") <= low + step


def _variable(asked: t.Node) -> str:
    """Return the name of the variable that an expression is, with or without an index."""
    name = asked.function if isinstance(asked, t.Call) else asked
    return name.name if isinstance(name, t.Name) else ""


def _number(game: Game, node: t.Node) -> int | None:
    """Return the whole number that an expression is; None if it is not known before play."""
    try:
        value = game.words.expression(node.span, None)
    except GameError:
        return None
    return value.value if isinstance(value, Const) and isinstance(value.value, int) else None


def _step(block: Sequence[t.Node], variable: str) -> int:
    """Return by how much a variable is changed at most; 1 if that can't be seen, 0 if it is not."""
    found = 0
    for node in nodes_in(block):
        match node:
            case (
                t.Add(amount=by, target=t.Target(name=name))
                | t.Assign(value=by, target=t.Target(name=name))
            ):
                if name.name == variable:
                    steps = [n.text for n in nodes_in((by,)) if isinstance(n, t.Number)]
                    found = max(1, found, *(int(step) for step in steps if step.isdigit()))
    return found
