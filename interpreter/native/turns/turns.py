"""The code of turns: functions that walk through all ways in which a turn can be completed.

In: the program of one side's turn in one phase. Out: functions of a frame and a context that
return whether the search is to stop. What then holds: ways are completed in the order of their
decisions, as the reference interpreter lists them.

A turn is cut at its decisions. What follows a decision is a function of its own, called once for
each choice with a frame of its own, as continuations are (J. C. Reynolds, "The discoveries of
continuations", 1993): so loops with decisions in them need no stack but the machine's.
"""

from __future__ import annotations

from gdl.analysis.plan import TurnPlan
from gdl.core.nodes import (
    Block,
    Choose,
    Decide,
    ForEach,
    Repeat,
    Require,
    Say,
)
from gdl.core.walk import decisions_in, is_effect, looks_ahead, statements_in
from interpreter.native.expressions.places import Place, for_side
from interpreter.native.memory import context as c
from interpreter.native.memory.polls import look_here
from interpreter.native.turns.continuations import Continuation
from interpreter.native.turns.decisions import Decisions
from interpreter.native.turns.effects import Effects
from interpreter.native.turns.shared_code import SharedCode
from interpreter.native.turns.shortcuts import Shortcuts
from interpreter.native.turns.traces import Entries, TraceWords
from interpreter.native.turns.unordered_choices import UnorderedChoices
from interpreter.native.turns.walk import Walk

_MOST_STACK = 1 << 22
_SETS_A_CALL = 24
"""How much stack the functions of a turn may take, and how many sets in memory each has there."""


class TurnCode(Walk[Continuation]):
    """Writes the functions of one turn.

    `name` begins their names, and `block` is the turn.

    `keeps`: only ways with the best value are legal; `exchanges`: of ways that differ in the
    order of choices alone, one. `exchange` is the function that has been called of each frame in
    which the later of two sides is on turn, if one block serves both.
    """

    def __init__(self, shared: SharedCode, words: TraceWords, plan: TurnPlan) -> None:
        expressions, program = shared.expressions, shared.program
        super().__init__(Effects(expressions, program.system.best))
        self._module = shared.module
        self._layout = shared.layout
        self._both = plan.both
        self.exchange = "" if plan.both is None else f"exchange_{plan.phase}"
        self.name = f"turn_{plan.phase}_{plan.side}"
        self.block = program.phases[plan.phase].turns[plan.side].program
        if plan.both is not None:
            self.block = plan.both.block
        self._points = 0
        most_traced = c.MOST_TRACED
        if self.sets.floods_by_site:
            most_traced = min(most_traced, _MOST_STACK // (_SETS_A_CALL * self.sets.bytes))
        choices = (s for s in statements_in(self.block) if isinstance(s, Choose))
        partners = UnorderedChoices(expressions, choices, shared.plan.proven)
        self.keeps, self.exchanges = plan.keeps_best, plan.exchanges
        self._entries = Entries(words, shared.layout, shared.site_names, most_traced)
        self._shortcuts = Shortcuts(plan.ways_on, keeps=self.keeps, exchanges=self.exchanges)
        self._decisions = Decisions(expressions, self._entries, partners, self._shortcuts)

    @property
    def draws_likely(self) -> bool:
        """Whether a way is best drawn among those that may still fail, and then tried."""
        return self._shortcuts.draws_likely

    # -------------------------------------------------------------- the functions

    def write(self, completed: str) -> None:
        """Write all functions; `completed` is that for completed ways."""
        self.go(self._function(self.name), self.block, Continuation(completed))

    def _function(self, name: str) -> Place:
        """Begin a function of a frame and a context; return the place where its code begins."""
        parameters = ["ptr %frame", "ptr %context"]
        f = self._module.function(name, "internal i1", parameters, "nounwind ")
        world = f.world = f.get("ptr", f.at("%context", c.WORLD))
        c.refuse_deep(f, world)
        p = Place(f, "%frame", world, {})
        if self._both is None:
            return p
        later = f.ins(f"icmp ne i64 {f.get('i64', f.at('%context', c.IS_LATER))}, 0")
        return for_side(p, self._both, self._layout, later, self.exchange)

    def _next_name(self) -> str:
        self._points += 1
        return f"{self.name}_{self._points}"

    def after(self, block: Block, way: Continuation) -> Continuation:
        """Return a function for what follows: a block, and then what follows that."""
        if not block:
            return way
        name = self._next_name()
        self.go(self._function(name), block, way)
        settled = way.is_settled and all(is_effect(s) for s in block)
        return Continuation(name, settled, _decides(block, way))

    # ------------------------------------------------------------- the statements

    def say(self, p: Place, statement: Say) -> None:
        """Write that a word is said."""
        self._entries.say(p, statement)

    def require(self, p: Place, statement: Require, way: Continuation) -> None:
        """Write that the search does not go on from here unless a condition holds.

        What looks ahead is not asked within a search that does so already.
        """
        if looks_ahead(statement):
            ahead = p.f.get("i64", p.f.at(p.world, c.AHEAD))
            with p.f.when(p.f.ins(f"icmp eq i64 {ahead}, 0")):
                self._go_on_if(p, statement)
        else:
            self._go_on_if(p, statement)

    def _go_on_if(self, p: Place, statement: Require) -> None:
        with p.f.unless(self.expressions.flag(p, statement.condition)):
            p.f.give("i1 false")

    def choose(self, p: Place, statement: Choose, way: Continuation) -> None:
        """Write a choice of a site or a number."""
        self._decisions.choose(p, statement, way)

    def decide(self, p: Place, statement: Decide, way: Continuation) -> None:
        """Write a decision between alternatives."""
        self._decisions.decide(p, statement, lambda body: self.after(body, way))

    def loop(self, p: Place, statement: ForEach | Repeat, way: Continuation) -> None:
        """Write a loop: its beginning, and the function of a round, which its body ends with."""
        name = self._next_name()
        onward = Continuation(name, False, _decides(statement.body, way))
        inside = self._function(name)
        rounds = self.effects.rounds
        if isinstance(statement, ForEach):
            begin = rounds.each(p, statement)
        else:
            begin = rounds.repeat(p, statement)
        onward.go(p)

        def leave_unless(goes_on: str) -> None:
            with inside.f.unless(goes_on):
                way.go(inside)

        inside.f.note(statement.span)
        look_here(self._module, inside.f)
        begin(inside, leave_unless)
        self.go(inside, statement.body, onward)

    def end(self, p: Place, effects: Block, way: Continuation) -> None:
        """Write the last effects of a block, and the call of what follows."""
        if self._shortcuts.ends_settled(effects, way):
            self._shortcuts.pass_over(p)
        self.effects.effects(p, effects)
        way.go(p)


def _decides(block: Block, onward: Continuation) -> bool:
    """Return whether there are decisions in a block, or in what follows it."""
    return onward.decides or bool(decisions_in(block))
