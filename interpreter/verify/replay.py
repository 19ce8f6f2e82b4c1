"""Random games of an evaluator, move by move by the rules of the reference.

In: two evaluators in lockstep, and the chance that a game begins with. Out: whether the game came
to its end. What then holds: each move that was drawn was a legal one, each state was what the
reference says that the move leads to, and the game ended where and as the reference says.

Which move was drawn, an evaluator does not tell: the game is played again, by the same chance, to
each of its lengths, and the move is the one that leads from each state to the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NoReturn

from gdl.board.relation import bits
from interpreter.evaluation.chance import Chance
from interpreter.evaluation.evaluator import Evaluator, Playout, RuleError, State
from interpreter.evaluation.failures import is_about_work
from interpreter.evaluation.moves import Move
from interpreter.verify.answer_text import outcomes_told
from interpreter.verify.counts import Failure
from interpreter.verify.lockstep import (
    Difference,
    Differs,
    Failed,
    Lockstep,
    Pair,
    fault_told,
    same_outcome,
    same_state,
)


class RandomGameReplay:
    """The random game that the other evaluator plays, each time by a fresh `chance`."""

    def __init__(self, lockstep: Lockstep, chance: Callable[[], Chance]) -> None:
        self._lockstep = lockstep
        self._chance = chance

    def follow(self, max_plies: int, check: Callable[[], None]) -> bool:
        """Return whether the game has ended; `check` is called before every move.

        Raises Differs and Failed.
        """
        lockstep = self._lockstep
        start = pair = lockstep.begin()
        legal: Sequence[Move] = ()
        for plies in range(max_plies + 1):
            check()
            played = self._played(start, pair, legal, plies)
            if plies:
                pair = self._next(pair, legal, played.state)
                lockstep.notes.compared.random_plies += 1
            legal = lockstep.legal(pair)
            lockstep.notes.compared.saw(legal)
            outcome = lockstep.outcome(pair)
            if not same_outcome(outcome, played.outcome):
                self._differs(pair, *outcomes_told(outcome, played.outcome))
            if outcome is not None:
                whole = self._played(start, pair, (), max_plies)
                if (whole.moves, whole.state) != (plies, played.state):
                    self._differs(pair, f"{plies} moves", f"{whole.moves} moves, to the end")
                return True
        return False

    def _played(self, start: Pair, pair: Pair, legal: Sequence[Move], plies: int) -> Playout:
        """Return the game up to some length; `pair` is where its last move but one led to."""
        try:
            played = self._lockstep.other.playout(start.other, self._chance(), plies)
        except RuleError as error:
            if is_about_work(error.diagnostic):
                raise Failed(Failure(error.diagnostic, pair.moves)) from None
            after = [self._lockstep.advance(pair, move) for move in legal] if plies else [pair]
            for position in after:
                self._lockstep.legal(position)
                self._lockstep.outcome(position)
            self._differs(pair, "no failure", f"error `{error.diagnostic.code}`")
        except Exception as error:
            self._differs(pair, "no fault", fault_told(error))
        if played.moves < plies and legal:
            self._differs(pair, f"{plies} moves", f"{played.moves} moves")
        return played

    def _next(self, pair: Pair, legal: Sequence[Move], drawn: State) -> Pair:
        """Return the states after the legal move that leads to a state."""
        lockstep = self._lockstep
        likely = _by_likelihood(legal, pair.other, drawn)
        for evaluator, state in (
            (lockstep.other, pair.other),
            (lockstep.reference, pair.reference),
        ):
            for move in likely:
                if self._leads_to(evaluator, state, pair, move, drawn):
                    return lockstep.advance(pair, move)
        here = f"{len(legal)} legal moves, none of which leads there"
        told = lockstep.states_told(pair.reference, drawn)[1]
        self._differs(pair, here, f"a random move after which {told}")

    def _leads_to(
        self, evaluator: Evaluator, state: State, pair: Pair, move: Move, drawn: State
    ) -> bool:
        """Return whether a move leads to a state; one at which the rules fail does not.

        Where anything else goes wrong, both are asked: it is a fault of one of them.
        """
        try:
            return same_state(evaluator.apply(state, move), drawn)
        except RuleError:
            return False
        except Exception:
            self._lockstep.advance(pair, move)
            return False

    def _differs(self, pair: Pair, reference: str, other: str) -> NoReturn:
        raise Differs(Difference("playout", reference, other, pair.moves))


def _by_likelihood(legal: Sequence[Move], before: State, after: State) -> Sequence[Move]:
    """Return the moves, those first that name sites at which much has changed.

    Most moves can be told apart so without being made.
    """
    changed: Counter[int] = Counter()
    for one, two in zip(before.values, after.values, strict=True):
        if isinstance(one, int) and isinstance(two, int) and one >= 0 and two >= 0:
            changed.update(bits(one ^ two))
    return sorted(legal, key=lambda move: -sum(changed[site] for site in set(move.decisions)))
