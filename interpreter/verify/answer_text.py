"""What two evaluators say of one position, in words that show where they differ.

In: two answers to the same question. Out: a text for each. What then holds: answers that differ
have texts that differ, unless only a place in the rules is different, which is told as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from gdl.board.relation import bits
from gdl.core.nodes import Slot
from gdl.core.types import SITES
from gdl.model import Game
from interpreter.evaluation.evaluator import Outcome, State
from interpreter.evaluation.moves import Move

Told = tuple[str, str]
"""What the reference says, and what the other evaluator says."""

_MOST_SITES = 40
_LONGEST_VALUE = 200


def moves_told(one: Sequence[Move], two: Sequence[Move]) -> Told:
    """Return the number of moves of each list, and its first move that the other has not there."""
    shared = min(len(one), len(two))
    at = next((i for i in range(shared) if one[i] != two[i]), shared)
    return _list_told(one, at), _list_told(two, at)


def _list_told(moves: Sequence[Move], at: int) -> str:
    number = f"{len(moves)} move{'' if len(moves) == 1 else 's'}"
    if at >= len(moves):
        return number
    decisions = ", ".join(map(str, moves[at].decisions))
    return f"{number}; number {at + 1} is `{moves[at].text}` (decisions {decisions})"


def outcome_told(outcome: Outcome | None) -> str:
    """Return an outcome with its seats and the clause that made it."""
    if outcome is None:
        return "the game goes on"
    seats = " and ".join(map(str, outcome.seats)) or "none"
    return f"{outcome.text} (seats: {seats}; clause: {outcome.span or 'none'})"


def states_told(game: Game) -> Callable[[State, State], Told]:
    """Return the function that tells in what two states of a game differ first."""

    def told(one: State, two: State) -> Told:
        if len(one.values) != len(two.values):
            return f"{len(one.values)} values", f"{len(two.values)} values"
        for slot, *values in zip(game.program.state, one.values, two.values, strict=True):
            if values[0] != values[1]:
                ours, theirs = (_value_told(game, slot, value) for value in values)
                return f"{slot.name} is {ours}", f"{slot.name} is {theirs}"
        return outcome_told(one.ended), outcome_told(two.ended)

    return told


def _value_told(game: Game, slot: Slot, value: Any) -> str:
    if slot.type == SITES and not slot.per_site and isinstance(value, int) and value >= 0:
        sites = game.board.sites
        names = [sites[i].name if i < len(sites) else f"#{i}" for i in bits(value)]
        more = f" | … ({len(names)} sites)" if len(names) > _MOST_SITES else ""
        return (" | ".join(names[:_MOST_SITES]) or "none") + more
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[:_LONGEST_VALUE]}…"


def plain_told(one: Any, two: Any) -> Told:
    """Return two values as they are."""
    return str(one), str(two)


def outcomes_told(one: Outcome | None, two: Outcome | None) -> Told:
    """Return two outcomes in words."""
    return outcome_told(one), outcome_told(two)
