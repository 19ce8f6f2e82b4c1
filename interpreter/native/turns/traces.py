"""The code of traces: what has been decided and said on the way to a point of a turn.

In: decisions and words, one after the other. Out: code that notes them. What then holds: the
trace of a completed way tells its move, and the frame how many decisions it has, and whether all
of it is a pass.

Each decision, and each word said without one, is an entry of the *trace*: the number of its
statement above 32 bits, and the decision below; the sign is that of a word without a decision.

Two choices of a turn may be made in any order: they are partners, and only one of the two orders
of a pair counts. Where partners are known to commute, that is the one in which the second is above
the first. Other pairs are noted in the context: when a way is completed, each has to be in that
order, and to be legal in the other one with the same result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gdl.core.nodes import Choose, Decide, Say, Slot
from gdl.interpreter.evaluation.moves import PASS
from gdl.interpreter.native.emit.ir import CONTEXT, FRAME, FRAME_TYPE, Function
from gdl.interpreter.native.emit.kinds import I1, I32, I64, NULL, PTR, Address, Bit, Integer, Word
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory import context as c
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.turns.shared_code import SharedCode

_DECISION = (1 << 32) - 1
"""The bits of an entry of the trace that are its decision."""


class TraceWords:
    """The entries that traces are made of: `statements` has the statement of each number."""

    def __init__(self) -> None:
        self.statements: list[Choose | Decide | Say] = []

    def number(self, statement: Choose | Decide | Say) -> int:
        """Return the number of a statement; the same one for the same statement."""
        for number, known in enumerate(self.statements):
            if known is statement:
                return number
        self.statements.append(statement)
        return len(self.statements) - 1


class Entries:
    """Writes the entries of a turn's traces, of which none is longer than `most`.

    Of its `choices`, those that are `proven` are known to commute with their partners.
    """

    def __init__(
        self, words: TraceWords, shared: SharedCode, choices: Iterable[Choose], most: int
    ) -> None:
        self._words = words
        self._expressions = shared.expressions
        self._layout = shared.layout
        self._proven = shared.plan.proven
        self._most = most
        partner_of = {
            choice.slot: choice.unordered_with
            for choice in choices
            if choice.unordered_with is not None
        }
        self._places = {slot: self._layout.add(32) for slot in partner_of.values()}

    def say(self, p: Place, statement: Say) -> None:
        """Write that a word is said without a decision."""
        self._said(p, statement.token)
        self._add(p, (self._words.number(statement) << 32) - (1 << 63))

    def first(self, statement: Decide) -> int:
        """Return the entry of a decision's first alternative; the others' follow."""
        return self._words.number(statement) << 32

    def decide(self, p: Place, token: str | None, entry: int) -> None:
        """Write that an alternative is taken, and its word, if any, said."""
        if token is not None:
            self._said(p, token)
        self._add(p, entry)
        self._layout.made.add(p.f, 1, p.frame)

    def choose(self, p: Place, statement: Choose, number: Word) -> None:
        """Write that a site or number (i64) is chosen, and that its partner, if any, was."""
        f, layout = p.f, self._layout
        above = self._words.number(statement) << 32
        entry = f.binary("or", I64, f.binary("and", I64, number, _DECISION), above)
        layout.said.put(f, 2, p.frame)
        place = self._add(p, entry)
        layout.made.add(f, 1, p.frame)
        if statement.slot in self._places:
            after = f.binary("add", I32, place, 1)
            self._places[statement.slot].put(f, after, p.frame)
        if statement.unordered_with is not None and statement.slot not in self._proven:
            self._pair(p, statement.unordered_with, place)

    def kept(self, p: Place) -> Callable[[], None]:
        """Keep what was decided so far; return what writes that no more was."""
        fields = (self._layout.depth, self._layout.made, self._layout.said)
        before = [(field, field.get(p.f, p.frame)) for field in fields]

        def put_back() -> None:
            for field, value in before:
                field.put(p.f, value, p.frame)

        return put_back

    def _said(self, p: Place, token: str) -> None:
        f, said = p.f, self._layout.said
        if token == PASS:
            is_first = f.compare("eq", I32, said.get(f, p.frame), 0)
            said.put(f, f.select(is_first, I32, 1, 2), p.frame)
        else:
            said.put(f, 2, p.frame)

    def _add(self, p: Place, entry: int | Word) -> Integer:
        """Write an entry of the trace; return its place (i32)."""
        f = p.f
        depth = self._layout.depth.at(f, p.frame)
        place = f.get(I32, depth)
        w.refuse(f, p.world, f.compare("uge", I32, place, self._most), w.LEFT_TO_REFERENCE)
        f.put(I64, entry, f.word_at(c.TRACE.get(f, CONTEXT), f.convert("zext", I32, place, I64)))
        f.put(I32, f.binary("add", I32, place, 1), depth)
        return place

    def _pair(self, p: Place, partner: Slot, place: Integer) -> None:
        """Write that the choice at a place (i32) and an earlier one may change places."""
        f = p.f
        earlier = self._places[partner].get(f, p.frame)
        with f.when(f.compare("ne", I32, earlier, 0)):
            count = self._layout.pairs.at(f, p.frame)
            number = f.get(I32, count)
            w.refuse(f, p.world, f.compare("uge", I32, number, w.MOST_PAIRS), w.LEFT_TO_REFERENCE)
            entry = f.word_at(c.PAIRS.get(f, CONTEXT), f.convert("zext", I32, number, I64))
            f.put(I32, f.binary("sub", I32, earlier, 1), entry)
            f.put(I32, place, f.at(entry, 4))
            f.put(I32, f.binary("add", I32, number, 1), count)

    def in_one_order(self, p: Place, choice: Choose, candidates: Sites) -> Sites:
        """Leave out the second of two orders of a pair that is known to commute."""
        partner = choice.unordered_with
        if partner is None or choice.slot not in self._proven:
            return candidates
        f, sets = p.f, self._expressions.sets
        earlier = self._places[partner].get(f, p.frame)
        decisions = c.DECISIONS.get(f, CONTEXT)
        was_made = f.compare("ne", I32, earlier, 0)
        is_free = f.compare("eq", PTR, decisions, NULL)
        first = self._expressions.read(p, partner)
        assert isinstance(first, Sites), "both choices are of sites"
        index = sets.one(sets.index(f, first), is_there=False)
        later = sets.later(f, candidates, index)
        return sets.choose(f, f.binary("and", I1, was_made, is_free), later, candidates)


def write_in_any_order(shared: SharedCode, name: str) -> None:
    """Write `NAME(frame, context)`: whether each pair is in order, and might be in the other."""
    f = shared.module.function(name, "internal i1", ["ptr %frame", "ptr %context"], "noinline ")
    world = f.world = c.WORLD.get(f, CONTEXT)
    trace = c.TRACE.get(f, CONTEXT)
    pairs = c.PAIRS.get(f, CONTEXT)
    root = c.ROOT.get(f, CONTEXT)
    number = shared.layout.pairs.get(f, FRAME)
    depth = shared.layout.depth.get(f, FRAME)
    decisions = f.room(f"[{w.MOST_TRACED} x i64]")
    scratch = w.scratch_ahead(f, world, in_other_order=True)
    other, inner = f.room(FRAME_TYPE), f.room(f"[{c.BYTES} x i8]")
    with f.rounds(f.convert("zext", I32, number, I64), w.MOST_PAIRS) as loop:
        pair = f.word_at(pairs, loop.number)
        i = f.unsigned(I32, pair)
        j = f.unsigned(I32, f.at(pair, 4))
        first = f.word_at(trace, i)
        second = f.word_at(trace, j)
        a = f.binary("and", I64, f.get(I64, first), _DECISION)
        b = f.binary("and", I64, f.get(I64, second), _DECISION)
        f.give_if(f.compare("sge", I64, a, b), "i1 false")
        count = _exchanged(f, trace, depth, decisions, {i: b, j: a})
        c.begin(f, inner, root, world, scratch)
        c.DECISIONS.put(f, decisions, inner)
        c.DECISION_COUNT.put(f, count, inner)
        c.OUT.put(f, other, inner)
        f.do(f"call i1 @search(ptr {root}, ptr {inner})")
        f.give_if(f.compare("eq", I32, c.FOUND.get(f, inner), 0), "i1 false")
        with f.unless(_same_result(shared, f, other)):
            f.give("i1 false")
    f.give("i1 true")


def _exchanged(
    f: Function, trace: Address, depth: Integer, decisions: Address, others: dict[Word, Word]
) -> Word:
    """Write the decisions of a trace, with `others` at their places; return how many they are."""
    made = f.variable(I64, 0)
    with f.rounds(f.convert("zext", I32, depth, I64), w.MOST_TRACED) as loop:
        entry = f.get(I64, f.word_at(trace, loop.number))
        with f.when(f.compare("slt", I64, entry, 0)):
            f.jump(loop.head)
        value = f.convert("sext", I32, f.convert("trunc", I64, entry, I32), I64)
        for place, other in others.items():
            value = f.select(f.compare("eq", I64, loop.number, place), I64, other, value)
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
