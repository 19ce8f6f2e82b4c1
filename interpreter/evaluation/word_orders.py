"""The orders of a move's words: `unordered` choices may be typed in any of them.

In: the text of a move, where the words in it stand that may change places, and which with which.
Out: the texts in all other orders. What then holds: words that are linked in a row, each with the
next, are taken in every order; of very many orders, those of two words at a time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import islice, pairwise, permutations, product
from math import factorial, prod

Spot = tuple[int, int]
"""Where a word begins and ends in a text."""

_MOST_ORDERS = 120
_MOST_KEPT = 64


def other_orders(
    text: str, spots: Mapping[int, Spot], pairs: Sequence[tuple[int, int]]
) -> tuple[str, ...]:
    """Return a text with the words of linked decisions in all other orders.

    `spots` has the place of each decision's word, `pairs` the decisions that are linked.

    >>> other_orders("a1 b1 c1", {0: (0, 2), 1: (3, 5), 2: (6, 8)}, [(0, 1)])
    ('b1 a1 c1',)
    """
    return tuple(_text(text, spots, instead) for instead in _orders(tuple(pairs)))


@lru_cache(maxsize=_MOST_KEPT)
def _orders(pairs: tuple[tuple[int, int], ...]) -> tuple[Mapping[int, int], ...]:
    """Return which decision's word stands instead of which, in each order but the usual one."""
    groups = _linked(pairs)
    if not groups:
        return ()
    if prod(factorial(len(group)) for group in groups) > _MOST_ORDERS:
        return tuple({a: b, b: a} for a, b in pairs)
    orders = product(*([dict(zip(g, p, strict=True)) for p in permutations(g)] for g in groups))
    return tuple(
        {k: v for part in order for k, v in part.items()} for order in islice(orders, 1, None)
    )


def neighbours(ranked: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the pairs of decisions that follow each other in a set of sites chosen at once.

    Each decision comes with its rank in its set, from 1.

    >>> neighbours([(1, 0), (2, 2), (1, 3), (2, 4)])
    [(0, 2), (3, 4)]
    """
    return [(before, index) for (_, before), (rank, index) in pairwise(ranked) if rank > 1]


def _linked(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    """Return the decisions that hang together, each group in order."""
    groups: list[set[int]] = []
    for pair in pairs:
        met = [group for group in groups if not group.isdisjoint(pair)]
        groups = [group for group in groups if group.isdisjoint(pair)]
        groups.append(set(pair).union(*met))
    return [sorted(group) for group in groups]


def _text(text: str, spots: Mapping[int, Spot], instead: Mapping[int, int]) -> str:
    return "".join(_pieces(text, spots, instead))


def _pieces(text: str, spots: Mapping[int, Spot], instead: Mapping[int, int]) -> Iterator[str]:
    done = 0
    for place in sorted(instead):
        begin, end = spots[place]
        yield text[done:begin]
        yield text[slice(*spots[instead[place]])]
        done = end
    yield text[done:]
