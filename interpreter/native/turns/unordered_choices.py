"""The code of two choices of a turn that may be made in any order: each other's partners.

In: choices, and which of them are known to commute with their partners. Out: code that leaves
out one of two orders. What then holds: of two orders of a pair, one is counted. Of partners that
are known to commute, the second is above the first; other pairs are noted in the context. When a
way is completed, each of these is to be in order, and legal with the same result in the other.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.core.nodes import Choose, Slot
from interpreter.native.emit.ir import CONTEXT, FRAME, FRAME_TYPE, Function
from interpreter.native.emit.kinds import I1, I32, I64, NULL, PTR, Address, Bit, Integer, Word
from interpreter.native.emit.values import Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.turns.shared_code import SharedCode

_DECISION = (1 << 32) - 1
"""The bits of an entry of the trace that are its decision."""


class UnorderedChoices:
    """Writes what choices with partners need; `proven` are those that are known to commute."""

    def __init__(
        self,
        expressions: Expressions,
        choices: Iterable[Choose],
        proven: frozenset[Slot],
    ) -> None:
        self._expressions = expressions
        self._sets = expressions.sets
        self._layout = expressions.layout
        self._proven = proven
        partner_of = {
            choice.slot: choice.unordered_with
            for choice in choices
            if choice.unordered_with is not None
        }
        self._remembered = {slot: self._layout.add(32) for slot in partner_of.values()}

    def in_one_order(self, p: Place, choice: Choose, candidates: Sites) -> Sites:
        """Leave out the second of two orders of a pair that is known to commute."""
        if choice.unordered_with is None or choice.slot not in self._proven:
            return candidates
        f, sets = p.f, self._sets
        partner = choice.unordered_with
        earlier = self._remembered[partner].get(f, p.frame)
        decisions = c.DECISIONS.get(f, CONTEXT)
        was_made = f.compare("ne", I32, earlier, 0)
        is_free = f.compare("eq", PTR, decisions, NULL)
        first = self._expressions.read(p, partner)
        assert isinstance(first, Sites), "both choices are of sites"
        index = sets.one(sets.index(f, first), is_there=False)
        later = sets.intersection(f, [candidates, sets.above(f, index)])
        return sets.choose(f, f.binary("and", I1, was_made, is_free), later, candidates)

    def note(self, p: Place, choice: Choose, place: Integer) -> None:
        """Write that a choice was made: a pair, with its partner; `place` (i32) is in the trace."""
        f = p.f
        if choice.slot in self._remembered:
            field = self._remembered[choice.slot]
            field.put(f, f.binary("add", I32, place, 1), p.frame)
        if choice.unordered_with is not None and choice.slot not in self._proven:
            self._pair(p, choice.unordered_with, place)

    def _pair(self, p: Place, partner: Slot, place: Integer) -> None:
        """Write that this choice and an earlier one may change places."""
        f = p.f
        earlier = self._remembered[partner].get(f, p.frame)
        with f.when(f.compare("ne", I32, earlier, 0)):
            count = self._layout.pairs.at(f, p.frame)
            number = f.get(I32, count)
            c.refuse(f, p.world, f.compare("uge", I32, number, c.MOST_PAIRS), c.TOO_DEEP)
            entry = f.word_at(c.PAIRS.get(f, CONTEXT), f.convert("zext", I32, number, I64))
            f.put(I32, f.binary("sub", I32, earlier, 1), entry)
            f.put(I32, place, f.at(entry, 4))
            f.put(I32, f.binary("add", I32, number, 1), count)


def write_in_any_order(shared: SharedCode, name: str) -> None:
    """Write `NAME(frame, context)`: whether each pair is in order, and might be in the other."""
    f = shared.module.function(name, "internal i1", ["ptr %frame", "ptr %context"], "noinline ")
    world = f.world = c.WORLD.get(f, CONTEXT)
    trace = c.TRACE.get(f, CONTEXT)
    pairs = c.PAIRS.get(f, CONTEXT)
    root = c.ROOT.get(f, CONTEXT)
    number = shared.layout.pairs.get(f, FRAME)
    depth = shared.layout.depth.get(f, FRAME)
    decisions = f.room(f"[{c.MOST_TRACED} x i64]")
    scratch = c.scratch_ahead(f, world, in_other_order=True)
    other, inner = f.room(FRAME_TYPE), f.room(f"[{c.BYTES} x i8]")
    with f.rounds(f.convert("zext", I32, number, I64), c.MOST_PAIRS) as loop:
        pair = f.word_at(pairs, loop.number)
        i = f.unsigned(I32, pair)
        j = f.unsigned(I32, f.at(pair, 4))
        first = f.word_at(trace, i)
        second = f.word_at(trace, j)
        a = f.binary("and", I64, f.get(I64, first), _DECISION)
        b = f.binary("and", I64, f.get(I64, second), _DECISION)
        with f.when(f.compare("sge", I64, a, b)):
            f.give("i1 false")
        count = _exchanged(f, trace, depth, decisions, (i, a), (j, b))
        c.begin(f, inner, root, world, scratch)
        c.DECISIONS.put(f, decisions, inner)
        c.DECISION_COUNT.put(f, count, inner)
        c.OUT.put(f, other, inner)
        f.do(f"call i1 @search(ptr {root}, ptr {inner})")
        with f.when(f.compare("eq", I32, c.FOUND.get(f, inner), 0)):
            f.give("i1 false")
        with f.when(f.is_not(_same_result(shared, f, other))):
            f.give("i1 false")
    f.give("i1 true")


def _exchanged(
    f: Function,
    trace: Address,
    depth: Integer,
    decisions: Address,
    first: tuple[Word, Word],
    second: tuple[Word, Word],
) -> Word:
    """Write the decisions of a trace with two of them exchanged; return how many they are."""
    made = f.variable(I64, 0)
    with f.rounds(f.convert("zext", I32, depth, I64), c.MOST_TRACED) as loop:
        entry = f.get(I64, f.word_at(trace, loop.number))
        with f.when(f.compare("slt", I64, entry, 0)):
            f.jump(loop.head)
        value = f.convert("sext", I32, f.convert("trunc", I64, entry, I32), I64)
        for (here, _), (_, instead) in ((first, second), (second, first)):
            value = f.select(f.compare("eq", I64, loop.number, here), I64, instead, value)
        count = f.get(I64, made)
        f.put(I64, value, f.word_at(decisions, count))
        f.put(I64, f.binary("add", I64, count, 1), made)
    return f.get(I64, made)


def _same_result(shared: SharedCode, f: Function, other: Address) -> Bit:
    """Return whether two frames hold the same position and go on alike."""
    layout, system = shared.layout, shared.program.system
    result = f.is_not(f.memory_differs(FRAME, other, layout.state_bytes))
    fields = [layout.fields[slot] for slot in (system.following, system.best) if slot is not None]
    for field in (*fields, layout.has_best):
        a = field.get(f, FRAME)
        result = f.binary("and", I1, result, f.compare("eq", field.type, a, field.get(f, other)))
    return result
