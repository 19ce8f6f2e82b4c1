"""What every evaluator of games offers, and the values that they exchange.

In: a `Game`. Out: states, moves and outcomes. What then holds: two evaluators of one game give
equal states, the same legal moves in the same order, and equal outcomes.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from fractions import Fraction
from itertools import pairwise
from typing import Any, Protocol, runtime_checkable

from gdl.board.relation import bits
from gdl.codes import Code
from gdl.core.nodes import Expression
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.moves import Move
from gdl.model import Game


class RuleError(Exception):
    """The rules themselves fail in a position that play has reached; `diagnostic` says how.

    `moves` are those of a random game that leads there; None where who asked knows the position.
    `move` is the next one, if it is known that the rules fail while that is made.
    """

    def __init__(
        self,
        diagnostic: Diagnostic,
        moves: Sequence[str] | None = None,
        move: str | None = None,
    ) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic
        self.moves = moves
        self.move = move

    def __reduce__(
        self,
    ) -> tuple[type[RuleError], tuple[Diagnostic, Sequence[str] | None, str | None]]:
        """Return what it is made of, so that a process can tell it to another."""
        return RuleError, (self.diagnostic, self.moves, self.move)


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the sides that won (none: a draw) and the seats, from 1, that play them.

    `payoffs` has what the game is worth to each side, in their order, where the rules say so.
    `span` is the clause of the rules that ended the game, if it is known, and `ending` the number
    that the program has for it (0 if it isn't known): the same for sides whose clauses are equal,
    or another for each. A game of one side `is_puzzle`: it is won or lost.
    """

    winners: tuple[str, ...]
    seats: tuple[int, ...]
    payoffs: tuple[int | Fraction, ...] = ()
    span: Span | None = field(default=None, compare=False, repr=False)
    ending: int = field(default=0, compare=False, repr=False)
    is_puzzle: bool = field(default=False, compare=False, repr=False)

    @property
    def text(self) -> str:
        """The outcome in words.

        >>> Outcome(("Red",), (1,)).text, Outcome(("Tigers",), (2,)).text, Outcome((), ()).text
        ('Red wins', 'Tigers win', 'draw')
        >>> Outcome(("Red",), (1,), (3, -3)).text, Outcome(("Red",), (1,), (12, 7, 9)).text
        ('Red wins by 3', 'Red wins, 12 : 7 : 9')
        """
        if not self.winners:
            return "lost" if self.is_puzzle else "draw"
        told = does(self.winners, "wins")
        if not self.payoffs:
            return told
        if len(self.payoffs) == 2 and not sum(self.payoffs):
            return f"{told} by {max(self.payoffs)}"
        return f"{told}, {' : '.join(map(str, self.payoffs))}"

    def __str__(self) -> str:
        return self.text

    def is_told_by(self, text: str) -> bool:
        """Return whether a text tells this outcome, in whichever number and case its words are.

        >>> Outcome(("Geese",), (1,)).is_told_by("Geese wins"), Outcome((), ()).is_told_by("Red")
        (True, False)
        """
        return _in_one_number(text) == _in_one_number(self.text)


def _in_one_number(told: str) -> str:
    return re.sub(r"\bwins\b", "win", " ".join(told.lower().split()))


def usual_payoffs(winners: Sequence[int], sides: int) -> tuple[int, ...]:
    """Return what a game is worth to each side where a clause doesn't say: 1, 0 or -1."""
    if not winners or len(winners) == sides > 1:
        return (0,) * sides if sides > 1 else (-1,)
    return tuple(1 if side in winners else -1 for side in range(sides))


@dataclasses.dataclass(frozen=True, slots=True)
class State:
    """A position as evaluators keep it.

    `values` has the value of each slot of the program's state, in its order; `ended` the
    outcome if an ending has held. A game that ends because the side on turn is stuck is found
    out by `Evaluator.outcome`.
    """

    values: tuple[Any, ...]
    ended: Outcome | None = None


@dataclass(frozen=True)
class Playout:
    """A random game: its number of moves, its last state, its outcome (None: not finished)."""

    moves: int
    outcome: Outcome | None
    state: State


class MakesMoves(Protocol):
    """Lists moves and makes them. Every method may raise `RuleError` where the rules fail."""

    def legal(self, state: State) -> Sequence[Move]:
        """Return the legal moves, ordered by decisions; none when the game is over."""
        ...

    def apply(self, state: State, move: Move) -> State:
        """Return the state after a legal move; raises ValueError for one that can't be made."""
        ...


class Evaluator(MakesMoves, Protocol):
    """Plays one game. Every method may raise `RuleError` where the rules fail."""

    @property
    def game(self) -> Game:
        """The game that is played."""
        ...

    def start(self) -> State:
        """Return the state that the game begins with."""
        ...

    def settle(self, values: Sequence[Any]) -> State:
        """Return the state with these values of the slots, as if the side before had just moved.

        Earlier positions are forgotten; an ending may hold.
        """
        ...

    def named(self, state: State, text: str) -> Sequence[Move]:
        """Return the legal moves that read just so, but for a pass that the rules force.

        Much quicker than all legal moves where a turn has several decisions.
        """
        ...

    def outcome(self, state: State) -> Outcome | None:
        """Return how the game has ended, or None if it goes on."""
        ...

    def value(self, state: State, expression: Expression) -> Any:
        """Return what an expression of the core is worth in a state."""
        ...

    def perft(self, state: State, depth: int) -> int:
        """Return the number of sequences of `depth` moves; a game that ends earlier has none."""
        ...

    def perfts(self, states: Sequence[State], depth: int) -> list[int]:
        """Return the number of sequences of `depth` moves from each state."""
        ...

    def playout(self, state: State, chance: Chance, max_plies: int) -> Playout:
        """Play equally likely legal moves to the end, or until `max_plies` are made.

        The same chance gives the same game, of this evaluator.
        """
        ...


# ------------------------------------------------ failures in play that every evaluator may come to


def is_about_work(diagnostic: Diagnostic) -> bool:
    """Return whether a failure is that of the budget, of which each evaluator counts its own."""
    return diagnostic.code == Code.TOO_MUCH_WORK


def too_much_work(span: Span | None) -> RuleError:
    """Return the error of a turn that takes more work at a place than the budget allows."""
    return RuleError(
        Diagnostic(
            Code.TOO_MUCH_WORK,
            "A turn takes more work here than the budget allows.",
            span,
            "Let a turn try fewer ways: choose first what has few values, and say behind `where` "
            "what a `require` would refuse later; or go through fewer sites, numbers and rounds. "
            "`--budget 10x` allows more.",
        )
    )


def failure_in_moves(rules: Evaluator, state: State) -> RuleError | None:
    """Return how the rules fail as each legal move is made, and in which; None if they don't."""
    begun: str | None = None
    try:
        for move in rules.legal(state):
            begun = move.text
            rules.apply(state, move)
    except RuleError as problem:
        return RuleError(problem.diagnostic, problem.moves, begun)
    return None


@runtime_checkable
class UnmadeMoves(Protocol):
    """A list of moves of which each is made when it is asked for."""

    def by_weight(self, weights: Mapping[int, int]) -> Sequence[Move]:
        """Return the moves, those first whose decisions weigh most together."""


def by_likelihood(legal: Sequence[Move], before: State, after: State) -> Sequence[Move]:
    """Return the moves, those first that name sites at which much has changed between two states.

    Most moves that may have led from the one to the other can be told apart so without being made.
    """
    changed: Counter[int] = Counter()
    for one, two in zip(before.values, after.values, strict=True):
        if isinstance(one, int) and isinstance(two, int) and one >= 0 and two >= 0:
            changed.update(bits(one ^ two))
    if isinstance(legal, UnmadeMoves):
        return legal.by_weight(changed)
    return sorted(legal, key=lambda move: -sum(changed[site] for site in set(move.decisions)))


def moves_between(
    rules: MakesMoves,
    states: Sequence[State],
    tell: Callable[[Sequence[Move]], object] = lambda _: None,
) -> tuple[Move, ...]:
    """Return moves that lead from each state to the next, as far as they can be told.

    Where the rules fail on another way than that of the game, they can't. `tell` is given the legal
    moves that are gone through.
    """
    found: list[Move] = []
    with suppress(RuleError):
        for before, after in pairwise(states):
            legal = rules.legal(before)
            tell(legal)
            likely = by_likelihood(legal, before, after)
            move = next((m for m in likely if rules.apply(before, m).values == after.values), None)
            if move is None:
                break
            found.append(move)
    return tuple(found)
