"""A game that shows a difference, made shorter.

In: two games side by side, and a game in which they differ. Out: one that is as short or shorter.
What then holds: its moves are legal in both, one after the other, and both differ after it.

The rest of a game is played as it was, by whichever side is on turn then; and, if it is short, also
so that each side makes its own moves in their order. A short game is also moved over the board as a
whole, beyond its edge: what falls off there is often not needed at the edge.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial
from itertools import chain, count, takewhile

from gdl.board.board import Board
from gdl.board.relation import bits
from gdl.interpreter.compare.two_games import MovePair, Near, TwoGames
from gdl.interpreter.evaluation.moves import PASS, words
from gdl.interpreter.verify.breadth import look_at_all
from gdl.interpreter.verify.deadline import Deadline
from gdl.interpreter.verify.lockstep import Difference, Differs, Failed, Pair
from gdl.interpreter.verify.shrink import made_shorter, shorter

_SHORT = 24  # moves of a game that is played in two ways
_FEW = 10  # moves of which all orders are tried
_FEWEST = 3
_MOST_ORDERS = 3_000  # positions
_FAMILIES = ("orthogonal", "hexagonal")
_WORD = re.compile(r"\w+")
_FARTHEST = 4  # steps from what differs
_MOST_LAST = 8  # moves that are kept at the end where all but lasting ones are left out

Played = tuple[str, int]
"""The text of a move, and the side that made it."""


def shortened(two_games: TwoGames, found: Difference, deadline: Deadline) -> Difference:
    """Leave out stretches of moves, and pairs of them, as long as what remains differs.

    Of a few moves, all orders are tried.
    """
    ways, shown = partial(_ways, two_games), partial(_replayed, two_games)
    best = made_shorter(found, ways, shown, nullcontext(deadline))
    if len(best.moves) <= _FEW:
        best = _in_any_order(two_games, best, deadline)
    return best


def _ways(two_games: TwoGames, best: Difference) -> Iterator[tuple[Sequence[Played], bool, int]]:
    """Yield moves to play, whether each side makes its own, and how many there may be."""
    before = _before_each(two_games, best.texts)
    played = [(text, two_games.side(pair)) for text, pair in zip(best.texts, before, strict=True)]
    for moves, keeps_sides in chain(
        _nearby(two_games, best, played),
        _lasting(two_games, best, played, before),
        _orders(played),
        _shifted(two_games, played),
    ):
        yield moves, keeps_sides, len(best.moves) - 1


def _in_any_order(two_games: TwoGames, found: Difference, deadline: Deadline) -> Difference:
    """Try all orders of a few moves, and of what is left of them when they are shifted."""
    best = found
    shifted = _shifted(two_games, [(text, 0) for text in found.texts])
    smaller = sorted({frozenset(text for text, _ in moves) for moves, _ in shifted}, key=_order)
    for only in (frozenset(found.texts), *smaller):
        if not _FEWEST <= len(only) <= len(best.moves) or deadline.is_over:
            continue
        again = look_at_all(two_games, _MOST_ORDERS, deadline, only=only).difference
        if again is not None and len(again.moves) < len(best.moves):
            best = again
    return best


def _order(moves: frozenset[str]) -> tuple[int, list[str]]:
    return len(moves), sorted(moves)


def _nearby(
    two_games: TwoGames, found: Difference, moves: Sequence[Played]
) -> Iterator[tuple[Sequence[Played], bool]]:
    """Yield the moves that are near to those that are legal in one game alone, farther and farther.

    What they depend on is most often there.
    """
    near = Near(two_games.first.game.board)
    sites = 0
    for text in (*found.only_first, *found.only_second)[:_FEW]:
        sites |= near.sites(text)
    for _ in range(_FARTHEST if sites else 0):
        sites = near.around(sites)
        yield [move for move in moves if near.sites(move[0]) & sites], True


def _lasting(
    two_games: TwoGames, found: Difference, moves: Sequence[Played], before: Sequence[Pair]
) -> Iterator[tuple[Sequence[Played], bool]]:
    """Yield the last moves, behind those alone by which pieces came that stood before them.

    Those near to what is legal in one game alone come first: the rest of a long game is most often
    in the way of nothing.
    """
    near = Near(two_games.first.game.board)
    standing = [_standing(two_games, pair) for pair in before]
    around = 0
    for text in (*found.only_first, *found.only_second)[:_FEW]:
        around |= near.sites(text)
    areas = [around := near.around(around) for _ in range(_FARTHEST if around else 0)]
    for area in (*areas, two_games.first.game.board.all_sites):
        for last in range(1, min(_MOST_LAST, len(moves)) + 1):
            begun = len(moves) - last
            came: dict[int, int] = {}
            for number, (text, side) in enumerate(moves[:begun]):
                sites = near.sites(text) & standing[begun][side] & area
                came.update(dict.fromkeys(bits(sites), number))
            lasting = [moves[number] for number in sorted(set(came.values()))]
            tail = [move for move in moves[begun:] if near.sites(move[0]) & area]
            yield [*lasting, *tail], True


def _standing(two_games: TwoGames, pair: Pair) -> list[int]:
    """Return where each side's pieces stand."""
    rules = two_games.rules[0]
    sites = [0] * len(rules.game.sides)
    for layer in rules.game.layers:
        if layer.side is not None:
            sites[layer.side] |= pair.first.values[rules.places[layer.slot]]
    return sites


def _orders(moves: Sequence[Played]) -> Iterator[tuple[Sequence[Played], bool]]:
    """Yield shorter games, and whether each side makes its own moves in them."""
    halves = takewhile(bool, (len(moves) >> times for times in count(1)))
    for fewer in chain((moves[half:] for half in halves), shorter(moves)):
        yield fewer, False
        if len(moves) <= _SHORT:
            yield fewer, True


def _shifted(
    two_games: TwoGames, moves: Sequence[Played]
) -> Iterator[tuple[Sequence[Played], bool]]:
    """Yield a short game shifted over the board, without the moves that fall off."""
    board = two_games.first.game.board
    names = [site.name for site in board.sites]
    if len(moves) > _SHORT:
        return
    named = [[word for word in words(text) if board.index(word) is not None] for text, _ in moves]
    for there in _shifts(board):
        moved = {name: names[there[index]] for index, name in enumerate(names) if index in there}
        kept = [
            (_WORD.sub(partial(_moved_word, moved), text), side)
            for (text, side), sites in zip(moves, named, strict=True)
            if all(site in moved for site in sites)
        ]
        if len(kept) < len(moves):
            yield kept, True


def _moved_word(moved: Mapping[str, str], word: re.Match[str]) -> str:
    return moved.get(word[0], word[0])


def _shifts(board: Board) -> Iterator[dict[int, int]]:
    """Yield where sites come by steps in one direction, then in another."""
    family = next((name for name in _FAMILIES if name in board.families), None)
    steps = [_step(board, name) for name in (board.families[family] if family else ())]
    farthest = max(max(site.row, site.column) for site in board.sites)
    for number, first in enumerate(steps):
        one = {index: index for index in range(board.size)}
        for _ in range(farthest):
            for second in steps[:number]:
                both = one
                for _ in range(farthest):
                    both = {i: second[j] for i, j in both.items() if j in second}
                    yield both
            one = {i: first[j] for i, j in one.items() if j in first}
            yield one


def _step(board: Board, direction: str) -> dict[int, int]:
    """Return where each site leads to in a direction."""
    relation = board.relations[direction]
    found = ((index, relation.image(1 << index)) for index in range(relation.size))
    return {index: there.bit_length() - 1 for index, there in found if there}


def _before_each(two_games: TwoGames, moves: Sequence[str]) -> list[Pair]:
    """Return the states before each of some moves."""
    found = [two_games.begin()] if moves else []
    for text in moves[:-1]:
        both = next(both for both in two_games.look(found[-1]) if both[0].text == text)
        found.append(two_games.advance(found[-1], both))
    return found


def _replayed(two_games: TwoGames, way: tuple[Sequence[Played], bool, int]) -> Difference | None:
    """Play moves, each side its own or not; return the first difference of so many at most.

    A side that has none left while others have makes another move.
    """
    moves, keeps_sides, most = way
    queues: dict[int, list[str]] = {}
    for text, side in reversed(moves):
        queues.setdefault(side if keeps_sides else 0, []).append(text)
    try:
        pair = two_games.begin()
        while legal := two_games.look(pair):
            queue = queues.get(two_games.side(pair) if keeps_sides else 0)
            if not queue and not any(queues.values()):
                return None
            both = _named(legal, queue.pop()) if queue else _other(legal)
            if both is None or len(pair.moves) >= most:
                return None
            pair = two_games.advance(pair, both)
    except Differs as found:
        return found.difference
    except Failed:
        pass
    return None


def _named(legal: Sequence[MovePair], text: str) -> MovePair | None:
    return next((both for both in legal if both[0].text == text), None)


def _other(legal: Sequence[MovePair]) -> MovePair:
    """Return a move that disturbs little: to pass, or the last."""
    return next((both for both in legal if both[0].text == PASS), legal[-1])
