"""The code of turns: functions that walk through all ways in which a turn can be completed.

In: the program of one side's turn in one phase. Out: functions of a frame and a context that
return whether the search is to stop. What then holds: ways are completed in the order of their
decisions, as the reference interpreter lists them.

A turn is cut at its decisions. What follows a decision is a function of its own, called once for
each choice with a frame of its own, as continuations are (J. C. Reynolds, "The discoveries of
continuations", 1993): so loops with decisions in them need no stack but the machine's.

Each decision, and each word said without one, is an entry of the *trace*: the number of its
statement above 32 bits, and the decision below; the sign is that of a word without a decision.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gdl.core.nodes import (
    Block,
    Branch,
    Can,
    Choose,
    Decide,
    Expression,
    ForEach,
    RangeOf,
    Repeat,
    Require,
    Say,
    SitesOf,
    Slot,
    Statement,
)
from gdl.core.walk import changed_slots, expressions_in, is_effect, statements_in
from gdl.optimise.weights import MOST_WEIGHT, After
from interpreter.moves import PASS
from interpreter.native import context as c
from interpreter.native.arrays import ArraySets
from interpreter.native.code import (
    FRAME_BYTES,
    FRAME_TYPE,
    Function,
    Module,
    copy_bytes,
)
from interpreter.native.effects import Effects
from interpreter.native.expressions import Expressions, Place
from interpreter.native.layout import Field, Layout
from interpreter.native.ranges import Range
from interpreter.native.values import Number, Sites, Value
from interpreter.reference.steps import MOST_WAYS

_WORD = Range(-(2**63), 2**63 - 1)


_MOST_STACK = 1 << 22
_SETS_A_CALL = 24
"""How much stack the functions of a turn may take, and how many sets in memory each has there."""


@dataclass(frozen=True)
class Onward:
    """What follows a point of a turn: a function, and what is known of it.

    `is_settled`: it can neither fail nor ask; `decides`: it has decisions.
    """

    name: str
    is_settled: bool = True
    decides: bool = False


class Words:
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


class TurnCode(Effects):
    """Writes the functions of one turn.

    `name` begins their names, and `block` is the turn; `is_blind` is set within a `can`, where
    nothing looks further. `proven` are the choices whose order is known not to matter.
    """

    def __init__(
        self,
        module: Module,
        expressions: Expressions,
        layout: Layout,
        words: Words,
        name: str,
        block: Block,
        site_names: Sequence[str],
        best: Slot | None,
        proven: frozenset[Slot],
        is_blind: bool,
        weights: After,
    ) -> None:
        super().__init__(module, expressions, layout, best)
        self._words = words
        self.name = name
        self.block = block
        self._pass_site = PASS in site_names
        self._site_names = site_names
        self._proven = proven
        self._is_blind = is_blind
        self._weights = weights
        self._points = 0
        self._most_traced = c.MOST_TRACED
        if self._sets.floods_by_site:
            self._most_traced = min(c.MOST_TRACED, _MOST_STACK // (_SETS_A_CALL * self._sets.bytes))
        statements = list(statements_in(block))
        self.keeps = best is not None and best in set(changed_slots(block))
        partners = {
            s.slot: s.unordered_with
            for s in statements
            if isinstance(s, Choose) and s.unordered_with is not None
        }
        self.remembered = {slot: layout.add(32) for slot in partners.values()}
        self.exchanges = any(slot not in proven for slot in partners)
        self._shortcuts: set[int] = set()

    @property
    def draws_likely(self) -> bool:
        """Whether a way is best drawn among those that may still fail, and then tried."""
        return not self.keeps and (self.exchanges or c.LIKELY in self._shortcuts)

    # -------------------------------------------------------------- the functions

    def write(self, completed: str) -> None:
        """Write all functions; `completed` is that for completed ways."""
        _, p = self._function(self.name)
        self._run(p, self.block, Onward(completed))

    def _function(self, name: str) -> tuple[Function, Place]:
        parameters = ["ptr %frame", "ptr %context"]
        f = self._module.function(name, "internal i1", parameters, "nounwind ")
        world = f.get("ptr", f.at("%context", c.WORLD))
        return f, Place(f, "%frame", world, {}, self._is_blind)

    def _point(self, block: Block, onward: Onward) -> Onward:
        """Return a function for what follows: a block, and then what follows that."""
        if not block:
            return onward
        self._points += 1
        name = f"{self.name}_{self._points}"
        _, p = self._function(name)
        self._run(p, block, onward)
        return self._described(name, block, onward)

    def _described(self, name: str, block: Block, onward: Onward) -> Onward:
        decides = onward.decides or any(
            isinstance(s, Choose | Decide) for s in statements_in(block)
        )
        settled = onward.is_settled and all(is_effect(s) for s in block)
        return Onward(name, settled, decides)

    def _go_on(self, p: Place, onward: Onward) -> None:
        result = p.f.ins(f"call i1 @{onward.name}(ptr {p.frame}, ptr %context)")
        p.f.give(f"i1 {result}")

    def _run(self, p: Place, block: Block, onward: Onward) -> None:
        """Write the statements of a block, and the way on."""
        for place, statement in enumerate(block):
            rest = block[place + 1 :]
            if is_effect(statement):
                if self._ends_settled(block, place, onward):
                    self._pass_over(p)
                self.effect(p, statement)
            elif isinstance(statement, Require):
                if not (self._is_blind and looks_ahead(statement.condition)):
                    self._require(p, statement)
            elif isinstance(statement, Say):
                self._say(p, statement.token, (self._words.number(statement) << 32) - (1 << 63))
            else:
                self._fork(p, statement, rest, onward)
                return
        self._go_on(p, onward)

    def _ends_settled(self, block: Block, place: int, onward: Onward) -> bool:
        """Whether from a place in a block on, and only from there, a way is sure to be completed.

        What comes then must be worth being left out.
        """
        if self.keeps or self.exchanges or onward.decides or not onward.is_settled:
            return False
        if place > 0 and is_effect(block[place - 1]):
            return False
        rest = block[place:]
        loops = any(isinstance(s, ForEach | Repeat) for s in rest)
        return loops and all(is_effect(s) for s in rest)

    def _pass_over(self, p: Place) -> None:
        """Write that a way that is only counted is not carried out to its end."""
        f = p.f
        shortcut = f.get("i32", f.at("%context", c.SHORTCUT))
        address = f.at("%context", c.LEFT)
        left = f.get("i64", address)
        allowed = f.ins(f"icmp sge i32 {shortcut}, {c.SETTLED}")
        with f.when(f.ins(f"and i1 {allowed}, {f.ins(f'icmp ne i64 {left}, 0')}")):
            f.put("i64", f.ins(f"sub i64 {left}, 1"), address)
            f.give("i1 false")

    def _require(self, p: Place, statement: Require) -> None:
        f = p.f
        holds = self._expressions.flag(p, statement.condition)
        go_on, fail = f.new_label(), f.new_label()
        f.branch(holds, go_on, fail)
        f.label(fail)
        f.give("i1 false")
        f.label(go_on)

    def _fork(self, p: Place, statement: Statement, rest: Block, onward: Onward) -> None:
        match statement:
            case Branch(_, condition, then, otherwise):
                after = self._point(rest, onward)
                f = p.f
                holds = self._expressions.flag(p, condition)
                first, second = f.new_label(), f.new_label()
                f.branch(holds, first, second)
                f.label(first)
                self._run(p, then, after)
                f.label(second)
                self._run(p, otherwise, after)
            case Choose():
                self._choose(p, statement, rest, onward)
            case Decide():
                self._decide(p, statement, self._point(rest, onward))
            case ForEach():
                self._each(p, statement, self._point(rest, onward))
            case Repeat():
                self._repeat(p, statement, self._point(rest, onward))
            case _:
                raise TypeError(f"not a statement with decisions: {statement}")

    # ---------------------------------------------------------------------- words

    def _say(self, p: Place, token: str, entry: int | str) -> None:
        """Write that a word is said, and what stands for it in the trace."""
        f = p.f
        said = f.at(p.frame, self._layout.said.offset)
        if token == PASS:
            before = f.get("i32", said)
            nothing = f.ins(f"icmp eq i32 {before}, 0")
            f.put("i32", f.ins(f"select i1 {nothing}, i32 1, i32 2"), said)
        else:
            f.put("i32", "2", said)
        self._trace(p, entry)

    def _trace(self, p: Place, entry: int | str) -> str:
        """Write an entry of the trace; return its place (i32)."""
        f = p.f
        depth = f.at(p.frame, self._layout.depth.offset)
        place = f.get("i32", depth)
        with f.when(f.ins(f"icmp uge i32 {place}, {self._most_traced}")):
            self.fail(p, c.TOO_DEEP)
            f.give("i1 true")
        trace = f.get("ptr", f.at("%context", c.TRACE))
        offset = f.ins(f"zext i32 {place} to i64")
        f.put("i64", str(entry), f.ins(f"getelementptr i64, ptr {trace}, i64 {offset}"))
        f.put("i32", f.ins(f"add i32 {place}, 1"), depth)
        return place

    # ------------------------------------------------------------------- decisions

    def _own_frame(self, p: Place) -> Place:
        """Return a place with a copy of the frame; the frame, where changes are taken back."""
        if self._sets.floods_by_site:
            return p
        copy = p.f.variable(FRAME_TYPE)
        copy_bytes(self._module, p.f, p.frame, copy, FRAME_BYTES)
        return Place(p.f, copy, p.world, p.bound, p.is_blind)

    def _kept(self, p: Place) -> tuple[str, str] | None:
        """Keep what the frame is like, so that it can be put back."""
        if not isinstance(self._sets, ArraySets):
            return None
        copy = p.f.variable(FRAME_TYPE)
        p.f.do(f"call void @copy_other_parts(ptr {copy}, ptr {p.frame})")
        return copy, self._sets.trails.mark(p.f, p.world)

    def _put_back(self, p: Place, kept: tuple[str, str] | None) -> None:
        """Make the frame what it was when it was kept."""
        if kept is not None and isinstance(self._sets, ArraySets):
            copy, mark = kept
            p.f.do(f"call void @copy_other_parts(ptr {p.frame}, ptr {copy})")
            self._sets.trails.undo(p.f, p.world, mark)

    def _choose(self, p: Place, statement: Choose, rest: Block, onward: Onward) -> None:
        after = self._point(rest, onward)
        if isinstance(statement.domain, SitesOf):
            self._choose_site(p, statement, statement.domain, after)
        else:
            self._choose_number(p, statement, statement.domain, after)

    def _choose_site(self, p: Place, statement: Choose, domain: SitesOf, after: Onward) -> None:
        f, sets = p.f, self._sets
        candidates = self._expressions.sites(p, domain.sites)
        if candidates.mask is None:
            candidates = Sites(sets.mask(f, candidates))
        candidates = self._in_one_order(p, statement, candidates)
        candidates = self._given_site(p, candidates)

        def take(number: str) -> None:
            index = sets.nth(f, candidates, number)
            self._take(p, statement, index, sets.one(index, is_there=True), after)

        self._shortcut(p, statement, after, lambda: sets.count(f, candidates), take)
        kept = self._kept(p)
        loop = sets.each(f, candidates)
        own = self._own_frame(p)
        result = self._take(own, statement, loop.index, sets.one(loop.index, is_there=True), after)
        with f.when(result):
            f.give("i1 true")
        self._put_back(p, kept)
        loop.end()
        f.give("i1 false")

    def _choose_number(self, p: Place, statement: Choose, domain: RangeOf, after: Onward) -> None:
        f = p.f
        found = self._expressions.ranges.of_slot(statement.slot)
        low = self._expressions.word(p, domain.low)
        high = self._expressions.word(p, domain.high)
        if found.low < -(2**31) or found.high >= 2**31:
            self._refuse_large(p, low, high)
        span = f.ins(f"sub i64 {high}, {low}")
        is_some = f.ins(f"icmp sle i64 {low}, {high}")
        many = f.ins(f"icmp uge i64 {span}, {MOST_WAYS}")
        with f.when(f.ins(f"and i1 {many}, {is_some}")):
            self.fail(p, c.RULES_FAIL)
            f.give("i1 true")
        low, high = self._given_numbers(p, low, high)

        def number_at(index: str) -> Number:
            return Number(index, found.low, found.high)

        def take(number: str) -> None:
            value = f.ins(f"add i64 {low}, {number}")
            self._take(p, statement, value, number_at(value), after)

        def count() -> str:
            is_some = f.ins(f"icmp sle i64 {low}, {high}")
            several = f.ins(f"add i64 {f.ins(f'sub i64 {high}, {low}')}, 1")
            return f.ins(f"select i1 {is_some}, i64 {several}, i64 0")

        self._shortcut(p, statement, after, count, take)
        kept = self._kept(p)
        now = f.variable("i64")
        f.put("i64", low, now)
        head, body, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        value = f.get("i64", now)
        f.branch(f.ins(f"icmp sle i64 {value}, {high}"), body, done)
        f.label(body)
        own = self._own_frame(p)
        result = self._take(own, statement, value, number_at(value), after)
        with f.when(result):
            f.give("i1 true")
        self._put_back(p, kept)
        f.put("i64", f.ins(f"add i64 {value}, 1"), now)
        f.jump(head)
        f.label(done)
        f.give("i1 false")

    def _refuse_large(self, p: Place, low: str, high: str) -> None:
        """A trace has 32 bits for a decision."""
        f = p.f
        below = f.ins(f"icmp slt i64 {low}, {-(2**31)}")
        above = f.ins(f"icmp sge i64 {high}, {2**31}")
        with f.when(f.ins(f"or i1 {below}, {above}")):
            self.fail(p, c.TOO_DEEP)
            f.give("i1 true")

    def _take(self, p: Place, statement: Choose, number: str, value: Value, after: Onward) -> str:
        """Write that a choice is made, and the call of what follows; return its result."""
        f = p.f
        self._expressions.write(p, statement.slot, value)
        above = self._words.number(statement) << 32
        low = f.ins(f"and i64 {number}, 4294967295")
        entry = f.ins(f"or i64 {low}, {above}")
        f.put("i32", "2", f.at(p.frame, self._layout.said.offset))
        if self._pass_site:
            self._said_pass(p, number)
        place = self._trace(p, entry)
        self._count_decision(p)
        if statement.slot in self.remembered:
            field = self.remembered[statement.slot]
            f.put("i32", f.ins(f"add i32 {place}, 1"), f.at(p.frame, field.offset))
        if statement.unordered_with is not None and statement.slot not in self._proven:
            self._pair(p, statement.unordered_with, place)
        return f.ins(f"call i1 @{after.name}(ptr {p.frame}, ptr %context)")

    def _said_pass(self, p: Place, number: str) -> None:
        """A site may be called `pass`."""
        f = p.f
        said = f.at(p.frame, self._layout.said.offset)
        depth = f.get("i32", f.at(p.frame, self._layout.depth.offset))
        here = f.ins(f"icmp eq i64 {number}, {self._site_names.index(PASS)}")
        alone = f.ins(f"icmp eq i32 {depth}, 0")
        both = f.ins(f"and i1 {here}, {alone}")
        f.put("i32", f.ins(f"select i1 {both}, i32 1, i32 2"), said)

    def _count_decision(self, p: Place) -> None:
        f = p.f
        made = f.at(p.frame, self._layout.made.offset)
        f.put("i32", f.ins(f"add i32 {f.get('i32', made)}, 1"), made)

    def _pair(self, p: Place, partner: Slot, place: str) -> None:
        """Write that this choice and an earlier one may change places."""
        f = p.f
        earlier = f.get("i32", f.at(p.frame, self.remembered[partner].offset))
        with f.when(f.ins(f"icmp ne i32 {earlier}, 0")):
            count = f.at(p.frame, self._layout.pairs.offset)
            number = f.get("i32", count)
            with f.when(f.ins(f"icmp uge i32 {number}, {c.MOST_PAIRS}")):
                self.fail(p, c.TOO_DEEP)
                f.give("i1 true")
            pairs = f.get("ptr", f.at("%context", c.PAIRS))
            offset = f.ins(f"zext i32 {number} to i64")
            entry = f.ins(f"getelementptr i64, ptr {pairs}, i64 {offset}")
            f.put("i32", f.ins(f"sub i32 {earlier}, 1"), entry)
            f.put("i32", place, f.at(entry, 4))
            f.put("i32", f.ins(f"add i32 {number}, 1"), count)

    def _in_one_order(self, p: Place, statement: Choose, candidates: Sites) -> Sites:
        """Leave out the second of two orders of a pair that is known to commute."""
        if statement.unordered_with is None or statement.slot not in self._proven:
            return candidates
        f, sets = p.f, self._sets
        partner = statement.unordered_with
        earlier = f.get("i32", f.at(p.frame, self.remembered[partner].offset))
        given = f.get("ptr", f.at("%context", c.GIVEN))
        was_made = f.ins(f"icmp ne i32 {earlier}, 0")
        is_free = f.ins(f"icmp eq ptr {given}, null")
        first = self._expressions.read(p, partner)
        assert isinstance(first, Sites), "both choices are of sites"
        index = sets.one(sets.index(f, first), is_there=False)
        later = sets.intersection(f, [candidates, sets.above(f, index)])
        return sets.choose(f, f.ins(f"and i1 {was_made}, {is_free}"), later, candidates)

    def _decision_given(self, p: Place) -> tuple[str, str]:
        """Return whether decisions are given, and the present one (i64; -1: no more)."""
        f = p.f
        given = f.get("ptr", f.at("%context", c.GIVEN))
        is_given = f.ins(f"icmp ne ptr {given}, null")
        result = f.variable("i64")
        f.put("i64", "-1", result)
        with f.when(is_given):
            made = f.get("i32", f.at(p.frame, self._layout.made.offset))
            place = f.ins(f"zext i32 {made} to i64")
            many = f.get("i64", f.at("%context", c.GIVEN_COUNT))
            with f.when(f.ins(f"icmp ult i64 {place}, {many}")):
                address = f.ins(f"getelementptr i64, ptr {given}, i64 {place}")
                f.put("i64", f.get("i64", address), result)
        return is_given, f.get("i64", result)

    def _given_site(self, p: Place, candidates: Sites) -> Sites:
        """Leave only the site that is given, if decisions are."""
        f, sets = p.f, self._sets
        result = sets.variable(f)
        sets.write(f, candidates, result)
        is_given, decision = self._decision_given(p)
        with f.when(is_given):
            low = f.ins(f"icmp ult i64 {decision}, {sets.size}")
            index = f.ins(f"select i1 {low}, i64 {decision}, i64 -1")
            one = sets.intersection(f, [sets.one(index, is_there=False), candidates])
            sets.write(f, one, result)
        return sets.read(f, result)

    def _given_numbers(self, p: Place, low: str, high: str) -> tuple[str, str]:
        f = p.f
        is_given, decision = self._decision_given(p)
        above = f.ins(f"icmp sge i64 {decision}, {low}")
        below = f.ins(f"icmp sle i64 {decision}, {high}")
        inside = f.ins(f"and i1 {above}, {below}")
        first = f.ins(f"select i1 {inside}, i64 {decision}, i64 1")
        last = f.ins(f"select i1 {inside}, i64 {decision}, i64 0")
        return (
            f.ins(f"select i1 {is_given}, i64 {first}, i64 {low}"),
            f.ins(f"select i1 {is_given}, i64 {last}, i64 {high}"),
        )

    def _shortcut(
        self,
        p: Place,
        statement: Choose,
        after: Onward,
        count: Callable[[], str],
        take: Callable[[str], None],
    ) -> None:
        """Write that a last choice is counted or drawn from without trying all of it."""
        weight = self._weights[id(statement)]
        if self.keeps or not isinstance(weight, int) or weight > MOST_WEIGHT:
            return
        needed = c.SETTLED
        if not after.is_settled or self.exchanges or weight > 1:
            needed = c.LIKELY
        self._shortcuts.add(needed)
        f = p.f
        allowed = f.get("i32", f.at("%context", c.SHORTCUT))
        with f.when(f.ins(f"icmp sge i32 {allowed}, {needed}")):
            many = count()
            self._descend(p, weight, many, take)
            address = f.at("%context", c.LEFT)
            left = f.get("i64", address)
            total = many if weight == 1 else f.ins(f"mul i64 {many}, {weight}")
            with f.when(f.ins(f"icmp ule i64 {total}, {left}")):
                f.put("i64", f.ins(f"sub i64 {left}, {total}"), address)
                f.give("i1 false")
            f.put("i64", "0", address)
            number = left
            if weight > 1:
                number = f.ins(f"udiv i64 {left}, {weight}")
                f.put("i32", "1", f.at("%context", c.DESCENDING))
                below = f.ins(f"urem i64 {left}, {weight}")
                f.put("i64", below, f.at("%context", c.DESCENT))
            take(number)
            f.give("i1 true")

    def _descend(self, p: Place, weight: int, many: str, take: Callable[[str], None]) -> None:
        """Write how a choice is made on the way that an earlier one has drawn.

        The way's number, divided by the bound of what follows, is the number of the site; there
        may be no such site, and then the way does not exist.
        """
        f = p.f
        with f.when(f.ins(f"icmp ne i32 {f.get('i32', f.at('%context', c.DESCENDING))}, 0")):
            address = f.at("%context", c.DESCENT)
            number = f.get("i64", address)
            if weight > 1:
                below = f.ins(f"urem i64 {number}, {weight}")
                number = f.ins(f"udiv i64 {number}, {weight}")
                f.put("i64", below, address)
            else:
                f.put("i64", "0", address)
            with f.when(f.ins(f"icmp ult i64 {number}, {many}")):
                take(number)
            f.give("i1 true")

    def _decide(self, p: Place, statement: Decide, after: Onward) -> None:
        f = p.f
        is_given, decision = self._decision_given(p)
        above = self._words.number(statement) << 32
        kept = self._kept(p)
        ways = [self._point(way.body, after) for way in statement.alternatives]
        weights = self._weights[id(statement)]
        if isinstance(weights, tuple):
            is_given, decision = self._alternative_drawn(p, weights, is_given, decision)
        for place, alternative in enumerate(statement.alternatives):
            open_, closed = f.new_label(), f.new_label()
            same = f.ins(f"icmp eq i64 {decision}, {place}")
            free = f.ins(f"xor i1 {is_given}, true")
            f.branch(f.ins(f"or i1 {same}, {free}"), open_, closed)
            f.label(open_)
            own = self._own_frame(p)
            if alternative.token is None:
                self._trace(own, above | place)
            else:
                self._say(own, alternative.token, above | place)
            self._count_decision(own)
            result = f.ins(f"call i1 @{ways[place].name}(ptr {own.frame}, ptr %context)")
            with f.when(result):
                f.give("i1 true")
            if place < len(statement.alternatives) - 1:
                self._put_back(p, kept)
            f.label(closed)
        f.give("i1 false")

    def _alternative_drawn(
        self, p: Place, weights: tuple[int, ...], is_given: str, decision: str
    ) -> tuple[str, str]:
        """Write how an alternative is taken on the way that an earlier choice has drawn.

        Returns whether an alternative is settled, and which.
        """
        f = p.f
        settled, chosen = f.variable("i1"), f.variable("i64")
        f.put("i1", is_given, settled)
        f.put("i64", decision, chosen)
        with f.when(f.ins(f"icmp ne i32 {f.get('i32', f.at('%context', c.DESCENDING))}, 0")):
            f.put("i1", "true", settled)
            f.put("i64", "-1", chosen)
            address = f.at("%context", c.DESCENT)
            number = f.get("i64", address)
            begin = 0
            for place, weight in enumerate(weights):
                inside = f.ins(f"icmp ult i64 {f.ins(f'sub i64 {number}, {begin}')}, {weight}")
                with f.when(inside):
                    f.put("i64", str(place), chosen)
                    f.put("i64", f.ins(f"sub i64 {number}, {begin}"), address)
                begin += weight
        return f.get("i1", settled), f.get("i64", chosen)

    # ------------------------------------------------------- loops with decisions

    def _each(self, p: Place, statement: ForEach, after: Onward) -> None:
        """The elements that are left are kept in the frame."""
        f = p.f
        self._points += 1
        name = f"{self.name}_{self._points}"
        loop = self._described(name, statement.body, after)
        loop = Onward(name, False, loop.decides)
        _, q = self._function(name)
        domain = statement.domain
        if isinstance(domain, SitesOf):
            sites = self._expressions.sites(p, domain.sites)
            listed = self._sets.indices(p.f, sites)
            if listed is not None:
                self._each_listed(p, q, statement, listed, loop, after)
                return
            rest = self._layout.add_set()
            self._expressions.store(p, sites, f.at(p.frame, rest.offset))
            self._go_on(p, loop)
            self._next_site(q, statement, rest, loop, after)
        elif isinstance(domain, RangeOf):
            field = self._layout.add(64, 2)
            f.put("i64", self._expressions.word(p, domain.low), f.at(p.frame, field.offset))
            high = self._expressions.word(p, domain.high)
            f.put("i64", high, f.at(p.frame, field.offset + 8))
            self._go_on(p, loop)
            self._next_number(q, statement, field, loop, after)
        else:
            count = self._layout.add(64, 2)
            self.refuse_many_groups()
            groups = self._layout.add_set(self._sets.size)
            f.put("i64", "0", f.at(p.frame, count.offset + 8))
            self.store_groups(
                p, statement.slot, domain, f.at(p.frame, groups.offset), f.at(p.frame, count.offset)
            )
            self._go_on(p, loop)
            self._next_group(q, statement, groups, count, loop, after)

    def _each_listed(
        self,
        p: Place,
        q: Place,
        statement: ForEach,
        listed: tuple[str, ...],
        loop: Onward,
        after: Onward,
    ) -> None:
        """A list of indices is kept in the frame, and how many of them are done."""
        entries, done = self._layout.add(16, max(1, len(listed))), self._layout.add(16)
        for place, index in enumerate(listed):
            narrow = p.f.ins(f"trunc i64 {index} to i16")
            p.f.put("i16", narrow, p.f.at(p.frame, entries.offset + 2 * place))
        p.f.put("i16", "0", p.f.at(p.frame, done.offset))
        self._go_on(p, loop)
        f = q.f
        address = f.at(q.frame, done.offset)
        head, further, over, there = (f.new_label() for _ in range(4))
        f.label(head)
        number = f.get("i16", address)
        f.branch(f.ins(f"icmp ult i16 {number}, {len(listed)}"), further, over)
        f.label(over)
        self._go_on(q, after)
        f.label(further)
        f.put("i16", f.ins(f"add i16 {number}, 1"), address)
        offset = f.ins(f"mul i64 {f.ins(f'zext i16 {number} to i64')}, 2")
        index = f.get("i16", f.at(f.at(q.frame, entries.offset), offset))
        f.branch(f.ins(f"icmp sge i16 {index}, 0"), there, head)
        f.label(there)
        site = self._sets.one(f.ins(f"zext i16 {index} to i64"), is_there=True)
        self._expressions.write(q, statement.slot, site)
        self._run(q, statement.body, loop)

    def _next_site(
        self, p: Place, statement: ForEach, rest: Field, loop: Onward, after: Onward
    ) -> None:
        f, sets = p.f, self._sets
        address = f.at(p.frame, rest.offset)
        left = sets.read(f, address)
        go_on, done = f.new_label(), f.new_label()
        f.branch(sets.some(f, left), go_on, done)
        f.label(done)
        self._go_on(p, after)
        f.label(go_on)
        first = sets.first(f, left)
        self._expressions.store(p, sets.difference(f, left, first), address)
        self._expressions.write(p, statement.slot, sets.one(first.site or "", is_there=True))
        self._run(p, statement.body, loop)

    def _next_number(
        self, p: Place, statement: ForEach, field: Field, loop: Onward, after: Onward
    ) -> None:
        f = p.f
        address = f.at(p.frame, field.offset)
        now = f.get("i64", address)
        last = f.get("i64", f.at(p.frame, field.offset + 8))
        go_on, done = f.new_label(), f.new_label()
        f.branch(f.ins(f"icmp sle i64 {now}, {last}"), go_on, done)
        f.label(done)
        self._go_on(p, after)
        f.label(go_on)
        f.put("i64", f.ins(f"add i64 {now}, 1"), address)
        found = self._expressions.ranges.of_slot(statement.slot)
        self._expressions.write(p, statement.slot, Number(now, found.low, found.high))
        self._run(p, statement.body, loop)

    def _next_group(
        self,
        p: Place,
        statement: ForEach,
        groups: Field,
        count: Field,
        loop: Onward,
        after: Onward,
    ) -> None:
        f = p.f
        many = f.get("i64", f.at(p.frame, count.offset))
        address = f.at(p.frame, count.offset + 8)
        now = f.get("i64", address)
        go_on, done = f.new_label(), f.new_label()
        f.branch(f.ins(f"icmp slt i64 {now}, {many}"), go_on, done)
        f.label(done)
        self._go_on(p, after)
        f.label(go_on)
        f.put("i64", f.ins(f"add i64 {now}, 1"), address)
        offset = f.ins(f"mul i64 {now}, {groups.entry_bytes}")
        group = self._sets.read(f, f.at(f.at(p.frame, groups.offset), offset))
        self._expressions.write(p, statement.slot, group)
        self._run(p, statement.body, loop)

    def _repeat(self, p: Place, statement: Repeat, after: Onward) -> None:
        """How many rounds were made is kept in the frame."""
        f = p.f
        rounds = self._layout.add(64, 2)
        watched = self.watched(statement)
        earlier = [self._layout.add(8, field.bytes) for field in watched]
        self._points += 1
        name = f"{self.name}_{self._points}"
        loop = Onward(name, False, self._described(name, statement.body, after).decides)
        f.put("i64", "0", f.at(p.frame, rounds.offset))
        if statement.mode == "times":
            assert statement.bound is not None, "`times` has a bound"
            bound = self._expressions.word(p, statement.bound)
            with f.when(f.ins(f"icmp sgt i64 {bound}, {statement.limit}")):
                self.fail(p, c.RULES_FAIL)
                f.give("i1 true")
            f.put("i64", bound, f.at(p.frame, rounds.offset + 8))
        self._go_on(p, loop)
        _, q = self._function(name)
        self._next_round(
            q, statement, rounds, list(zip(watched, earlier, strict=True)), loop, after
        )

    def _next_round(
        self,
        p: Place,
        statement: Repeat,
        rounds: Field,
        watched: list[tuple[Field, Field]],
        loop: Onward,
        after: Onward,
    ) -> None:
        f = p.f
        address = f.at(p.frame, rounds.offset)
        made = f.get("i64", address)
        if statement.mode == "times":
            bound = f.get("i64", f.at(p.frame, rounds.offset + 8))
            goes_on = f.ins(f"icmp slt i64 {made}, {bound}")
        else:
            pairs = [(f.at(p.frame, a.offset), f.at(p.frame, b.offset), a) for a, b in watched]
            goes_on = self.goes_on(p, statement, made, pairs)
        go_on, done = f.new_label(), f.new_label()
        f.branch(goes_on, go_on, done)
        f.label(done)
        self._go_on(p, after)
        f.label(go_on)
        f.put("i64", f.ins(f"add i64 {made}, 1"), address)
        if statement.mode != "times":
            self.refuse_more(p, made, statement.limit)
        for field, copy in watched:
            source, target = f.at(p.frame, field.offset), f.at(p.frame, copy.offset)
            copy_bytes(self._module, f, source, target, field.bytes)
        self._run(p, statement.body, loop)


def looks_ahead(condition: Expression) -> bool:
    """Return whether a condition asks what could be done in the next turn."""
    return any(isinstance(part, Can) for part in expressions_in(condition))
