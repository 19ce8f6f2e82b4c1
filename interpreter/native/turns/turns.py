"""The code of turns: functions that walk through all ways in which a turn can be completed.

In: the program of one side's turn in one phase. Out: functions of a frame and a context that
return whether the search is to stop. What then holds: ways are completed in the order of their
decisions, as the reference interpreter lists them.

A turn is cut at its decisions. What follows a decision is a function of its own, called once for
each choice with a frame of its own, as continuations are (J. C. Reynolds, "The discoveries of
continuations", 1993): so loops with decisions in them need no stack but the machine's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from gdl.analysis.plan import TurnPlan
from gdl.core.nodes import (
    Block,
    Branch,
    Choose,
    Decide,
    ForEach,
    Repeat,
    Require,
    Say,
    Slot,
    Statement,
)
from gdl.core.walk import decisions_in, is_effect, looks_ahead, statements_in
from interpreter.native.emit.ir import Module
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.memory import context as c
from interpreter.native.memory.frame import FrameLayout
from interpreter.native.memory.polls import look_here
from interpreter.native.turns.continuations import Continuation
from interpreter.native.turns.decisions import Decisions
from interpreter.native.turns.effects import Effects
from interpreter.native.turns.rounds import Round, Rounds
from interpreter.native.turns.shortcuts import Shortcuts
from interpreter.native.turns.traces import Entries, TraceWords
from interpreter.native.turns.unordered_choices import UnorderedChoices

_MOST_STACK = 1 << 22
_SETS_A_CALL = 24
"""How much stack the functions of a turn may take, and how many sets in memory each has there."""

_Loop = TypeVar("_Loop", ForEach, Repeat)


class TurnCode:
    """Writes the functions of one turn.

    `name` begins their names, and `block` is the turn; `is_blind` is set within a `can`, where
    nothing looks further. `proven` are the choices whose order is known not to matter.

    `keeps`: only ways with the best value are legal; `exchanges`: of ways that differ in the
    order of choices alone, one.
    """

    def __init__(
        self,
        module: Module,
        expressions: Expressions,
        layout: FrameLayout,
        words: TraceWords,
        name: str,
        block: Block,
        site_names: Sequence[str],
        best: Slot | None,
        proven: frozenset[Slot],
        is_blind: bool,
        plan: TurnPlan,
    ) -> None:
        self._module = module
        self._expressions = expressions
        self.name = name
        self.block = block
        self._is_blind = is_blind
        self._points = 0
        sets = expressions.sets
        most_traced = c.MOST_TRACED
        if sets.floods_by_site:
            most_traced = min(most_traced, _MOST_STACK // (_SETS_A_CALL * sets.bytes))
        choices = (s for s in statements_in(block) if isinstance(s, Choose))
        partners = UnorderedChoices(expressions, layout, choices, proven)
        self.keeps, self.exchanges = plan.keeps_best, plan.exchanges
        self._entries = Entries(words, layout, site_names, most_traced)
        self._shortcuts = Shortcuts(plan.ways_on, keeps=self.keeps, exchanges=self.exchanges)
        self._effects = Effects(module, expressions, layout, best)
        self._rounds = Rounds(module, expressions, layout, self._effects)
        self._decisions = Decisions(
            module, expressions, layout, self._entries, partners, self._shortcuts
        )

    @property
    def draws_likely(self) -> bool:
        """Whether a way is best drawn among those that may still fail, and then tried."""
        return not self.keeps and (self.exchanges or self._shortcuts.is_bounded)

    # -------------------------------------------------------------- the functions

    def write(self, completed: str) -> None:
        """Write all functions; `completed` is that for completed ways."""
        self._run(self._function(self.name), self.block, Continuation(completed))

    def _function(self, name: str) -> Place:
        """Begin a function of a frame and a context; return the place where its code begins."""
        parameters = ["ptr %frame", "ptr %context"]
        f = self._module.function(name, "internal i1", parameters, "nounwind ")
        world = f.world = f.get("ptr", f.at("%context", c.WORLD))
        c.refuse_deep(self._module, f, world)
        return Place(f, "%frame", world, {}, self._is_blind)

    def _next_name(self) -> str:
        self._points += 1
        return f"{self.name}_{self._points}"

    def _point(self, block: Block, onward: Continuation) -> Continuation:
        """Return a function for what follows: a block, and then what follows that."""
        if not block:
            return onward
        name = self._next_name()
        self._run(self._function(name), block, onward)
        settled = onward.is_settled and all(is_effect(s) for s in block)
        return Continuation(name, settled, _decides(block, onward))

    # ------------------------------------------------------------- the statements

    def _run(self, p: Place, block: Block, onward: Continuation) -> None:
        """Write the statements of a block, and the way on."""
        for place, statement in enumerate(block):
            if is_effect(statement):
                if self._shortcuts.ends_settled(block, place, onward):
                    self._shortcuts.pass_over(p)
                self._effects.effect(p, statement)
            elif isinstance(statement, Require):
                if not (self._is_blind and looks_ahead(statement)):
                    self._require(p, statement)
            elif isinstance(statement, Say):
                self._entries.say(p, statement)
            else:
                self._fork(p, statement, self._point(block[place + 1 :], onward))
                return
        onward.go(p)

    def _require(self, p: Place, statement: Require) -> None:
        f = p.f
        f.note(statement.span)
        holds = self._expressions.flag(p, statement.condition)
        go_on, fail = f.new_label(), f.new_label()
        f.branch(holds, go_on, fail)
        f.label(fail)
        f.give("i1 false")
        f.label(go_on)

    def _fork(self, p: Place, statement: Statement, after: Continuation) -> None:
        """Write a statement with decisions, given what follows it."""
        p.f.note(statement.span)
        match statement:
            case Branch(_, condition, then, otherwise):
                f = p.f
                holds = self._expressions.flag(p, condition)
                first, second = f.new_label(), f.new_label()
                f.branch(holds, first, second)
                f.label(first)
                self._run(p, then, after)
                f.label(second)
                self._run(p, otherwise, after)
            case Choose():
                self._decisions.choose(p, statement, after)
            case Decide():
                self._decisions.decide(p, statement, lambda body: self._point(body, after))
            case ForEach():
                self._loop(p, statement, self._rounds.each, after)
            case Repeat():
                self._loop(p, statement, self._rounds.repeat, after)
            case _:
                raise TypeError(f"not a statement with decisions: {statement}")

    def _loop(
        self,
        p: Place,
        statement: _Loop,
        begin: Callable[[Place, _Loop], Round],
        after: Continuation,
    ) -> None:
        """Write a loop: its beginning, and the function of a round, which its body ends with."""
        name = self._next_name()
        onward = Continuation(name, False, _decides(statement.body, after))
        inside = self._function(name)
        next_round = begin(p, statement)
        onward.go(p)
        inside.f.note(statement.span)
        look_here(self._module, inside.f)
        next_round(inside, after)
        self._run(inside, statement.body, onward)


def _decides(block: Block, onward: Continuation) -> bool:
    """Return whether there are decisions in a block, or in what follows it."""
    return onward.decides or bool(decisions_in(block))
