"""Games that begin late: near the bounds that clauses set to a number, or to how often a position
comes again; and where examples lead to.

In: positions that were met, or that examples show, and the clauses that have ended no game. Out:
random games of native code from these positions, whose counters stand near the bound that a clause
asks for; what ends them is added to the coverage. What then holds: a counter begins below its
bound, so that the clause holds only where the rules go on counting, and a position has to come once
more; nothing else is told of these games, which nobody can play from the beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gdl.core.nodes import Const, Ending, Expression, Get, Op, Slot, Times
from gdl.core.types import NUMBER
from gdl.core.walk import expressions_in
from gdl.interpreter.check.effort import Part
from gdl.interpreter.check.play.games import Games
from gdl.interpreter.check.play.unseen import clauses_of
from gdl.interpreter.check.play.watched import NativeWatch
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.reference.history import History
from gdl.interpreter.reference.rules import ReferenceRules

_NEAR = (1, 2, 4)
"""How far below its bound a counter begins."""
_MOST_BEGINNINGS, _FEWEST_BEGINNINGS = 12, 8
_GAMES_A_BEGINNING, _MOST_PLIES = 4, 30
_SHARE_OF_SHOWN, _GAMES_SHOWN = 0.3, 10
_MOST_REPEATED = 40
"""Moves of a position whose results are remembered as if they had been there before."""
_FIRST_NUMBER = 1 << 32
"""Where the numbers of these games begin: they are none of those from the beginning."""


class EndGames:
    """Plays games from late positions of one game."""

    def __init__(self, games: Games, watch: NativeWatch) -> None:
        self._games = games
        self._watch = watch
        self._rules = ReferenceRules(games.rules.game)
        self._rules.machine.tally = games.work.tally
        program = games.rules.game.program
        self._places = {slot: place for place, slot in enumerate(program.state)}
        self._numbers = iter(range(_FIRST_NUMBER, 1 << 40))

    def play(self, units: float) -> None:
        """Play games for each clause that has ended none, for some units of work."""
        games = self._games
        part = games.work.part(units)
        for clause in clauses_of([games.rules.game]):
            if clause.span is None or games.coverage.endings[clause.span]:
                continue
            begun = 0
            for state in self._beginnings(clause, part):
                if part.left <= 0 or games.coverage.endings[clause.span]:
                    break
                numbers = [next(self._numbers) for _ in range(_GAMES_A_BEGINNING)]
                games.watch_from(self._watch, state, numbers, _MOST_PLIES)
                begun += 1
            if begun >= _FEWEST_BEGINNINGS:
                games.coverage.near.add(clause.span)

    def play_shown(self, states: Sequence[State], units: float) -> None:
        """Play games from where examples lead to; where they lead to an end, that is met."""
        games = self._games
        part = games.work.part(units * _SHARE_OF_SHOWN)
        for state in states:
            if state.ended is not None and state.ended.span is not None:
                games.coverage.endings[state.ended.span] += 1
        for state in (one for one in states if one.ended is None):
            if part.left <= 0:
                return
            numbers = [next(self._numbers) for _ in range(_GAMES_SHOWN)]
            games.watch_from(self._watch, state, numbers, _MOST_PLIES)

    # ------------------------------------------------------------------ late positions

    def _beginnings(self, clause: Ending, part: Part) -> Iterator[State]:
        """Yield states in which what a clause counts stands near its bound."""
        late = [kept.state for kept in self._games.seen.kept if kept.state.ended is None]
        bounds = list(_bounds(clause.condition))
        for state in late[-_MOST_BEGINNINGS:]:
            for near in _NEAR if any(slot.type == NUMBER for slot, _ in bounds) else _NEAR[:1]:
                values = list(state.values)
                for slot, bound in bounds:
                    place = self._places.get(slot)
                    if place is None:
                        continue
                    if isinstance(values[place], History):
                        values[place] = self._repeated(state, place, bound, part)
                    else:
                        values[place] = _within(slot, bound - near, values[place])
                if tuple(values) != state.values:
                    yield replace(state, values=tuple(values))

    def _repeated(self, state: State, place: int, times: int, part: Part) -> History:
        """Return a history in which each position that follows a state has come so many times."""
        before: History = state.values[place]
        past = before
        try:
            for move in self._rules.legal(state)[:_MOST_REPEATED] if part.left > 0 else ():
                if part.left <= 0:
                    break
                after: History = self._rules.apply(state, move).values[place]
                for key, count in after.items():
                    if count > before.count(key):
                        for _ in range(max(0, times - past.count(key))):
                            past = past.adding(key)
        except RuleError:
            return before
        return past


def _bounds(condition: Expression) -> Iterator[tuple[Slot, int]]:
    """Yield what a condition counts, and the number that it compares that with.

    Of a memory of positions, it is how often one must have come before.
    """
    for node in expressions_in(condition):
        if isinstance(node, Op) and node.name in ("less", "not_more", "equal"):
            for one, other in (node.arguments, node.arguments[::-1]):
                if not isinstance(one, Const) or not isinstance(one.value, int):
                    continue
                bound = one.value + (node.name == "less")
                if isinstance(other, Times):
                    yield other.history, bound
                elif isinstance(other, Get) and other.slot.type == NUMBER:
                    yield other.slot, bound


def _within(slot: Slot, number: int, before: int) -> int:
    """Return a number that a slot may hold and a counter may have come to; else that before."""
    if number <= before or (slot.low is not None and number < slot.low):
        return before
    return before if slot.high is not None and number > slot.high else number
