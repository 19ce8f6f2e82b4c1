"""Moves of one position that read the same, or that are the same in another order.

In: the legal moves of a position. Out: those that are told, in words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from interpreter.evaluation.evaluator import RuleError, State
from interpreter.evaluation.moves import Move
from interpreter.reference.rules import ReferenceRules

_WORD = re.compile(r"\w+")
_MOST = 400


def read_alike(legal: Sequence[Move]) -> str | None:
    """Return a text that two moves have."""
    if len(legal) < 2:
        return None
    text, count = Counter(move.text for move in legal).most_common(1)[0]
    return text if count > 1 else None


def in_two_orders(rules: ReferenceRules, state: State, legal: Sequence[Move]) -> str | None:
    """Return two moves that name the same sites, in another order, and lead to one position."""
    board = rules.game.board
    by_sites: dict[tuple[int, ...], Move] = {}
    for move in legal[:_MOST]:
        sites = [board.index(word) for word in _WORD.findall(move.text)]
        known = tuple(sorted(index for index in sites if index is not None))
        other = by_sites.setdefault(known, move) if len(known) == len(sites) else move
        if other.text == move.text:
            continue
        try:
            one, two = (rules.apply(state, each) for each in (other, move))
        except RuleError:
            return None
        return f"`{other.text}` and `{move.text}`" if one.values == two.values else None
    return None
