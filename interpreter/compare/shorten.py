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
from functools import partial
from itertools import chain

from gdl.board.board import Board
from gdl.board.relation import bits
from interpreter.compare.breadth import look_at_all
from interpreter.compare.two_games import (
    BothFail,
    MovePair,
    Near,
    RulesDiffer,
    RulesDifference,
    TwoGames,
)
from interpreter.evaluation.moves import PASS, words
from interpreter.verify.deadline import Deadline, TimeUp

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


def shortened(two_games: TwoGames, found: RulesDifference, deadline: Deadline) -> RulesDifference:
    """Leave out stretches of moves, and pairs of them, as long as what remains differs.

    Of a few moves, all orders are tried.
    """
    best = found
    try:
        improved = True
        while improved:
            improved = False
            played = _played(two_games, best.moves)
            ways = chain(
                _nearby(two_games, best, played),
                _lasting(two_games, best, played),
                _orders(played),
                _shifted(two_games, played),
            )
            for moves, keeps_sides in ways:
                deadline.check()
                again = _replayed(two_games, moves, keeps_sides, len(best.moves))
                if again is not None and len(again.moves) < len(best.moves):
                    best, improved = again, True
                    break
    except TimeUp:
        pass
    if len(best.moves) <= _FEW:
        best = _in_any_order(two_games, best, deadline)
    return best


def _in_any_order(
    two_games: TwoGames, found: RulesDifference, deadline: Deadline
) -> RulesDifference:
    """Try all orders of a few moves, and of what is left of them when they are shifted."""
    best = found
    shifted = _shifted(two_games, [(text, 0) for text in found.moves])
    smaller = sorted({frozenset(text for text, _ in moves) for moves, _ in shifted}, key=_order)
    for only in (frozenset(found.moves), *smaller):
        if not _FEWEST <= len(only) <= len(best.moves) or deadline.is_over:
            continue
        again = look_at_all(two_games, _MOST_ORDERS, deadline, only=only).difference
        if again is not None and len(again.moves) < len(best.moves):
            best = again
    return best


def _order(moves: frozenset[str]) -> tuple[int, list[str]]:
    return len(moves), sorted(moves)


def _nearby(
    two_games: TwoGames, found: RulesDifference, moves: Sequence[Played]
) -> Iterator[tuple[list[Played], bool]]:
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
    two_games: TwoGames, found: RulesDifference, moves: Sequence[Played]
) -> Iterator[tuple[list[Played], bool]]:
    """Yield the last moves, behind those alone by which pieces came that stood before them.

    Those near to what is legal in one game alone come first: the rest of a long game is most often
    in the way of nothing.
    """
    near = Near(two_games.first.game.board)
    standing = _standing(two_games, moves)
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


def _standing(two_games: TwoGames, moves: Sequence[Played]) -> list[list[int]]:
    """Return where each side's pieces stand before each move, and after the last."""
    game = two_games.first.game
    places = {slot: place for place, slot in enumerate(game.program.state)}
    pair, found = two_games.begin(), []
    for number in range(len(moves) + 1):
        sites = [0] * len(game.sides)
        for layer in game.layers:
            if layer.side is not None:
                sites[layer.side] |= pair.first.values[places[layer.slot]]
        found.append(sites)
        if number < len(moves):
            text = moves[number][0]
            both = next(b for b in two_games.look(pair, ()) if b[0].text == text)
            if number + 1 == len(moves):
                found.append(sites)
                break
            pair = two_games.advance(pair, both, ())
    return found


def _orders(moves: Sequence[Played]) -> Iterator[tuple[list[Played], bool]]:
    """Yield shorter games, and whether each side makes its own moves in them."""
    for shorter in _shorter(moves):
        yield shorter, False
        if len(moves) <= _SHORT:
            yield shorter, True


def _shifted(two_games: TwoGames, moves: Sequence[Played]) -> Iterator[tuple[list[Played], bool]]:
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


def _shorter(moves: Sequence[Played]) -> Iterator[list[Played]]:
    """Yield the moves without the first of them, without one stretch, the longest first, or two."""
    length = len(moves)
    while length := length // 2:
        yield list(moves[length:])
    length = len(moves)
    while length:
        for start in range(0, len(moves) - length + 1, max(1, length // 2)):
            yield [*moves[:start], *moves[start + length :]]
        length //= 2
    for first in range(len(moves)):
        for second in range(first + 1, len(moves)):
            yield [*moves[:first], *moves[first + 1 : second], *moves[second + 1 :]]


def _played(two_games: TwoGames, moves: Sequence[str]) -> list[Played]:
    """Return moves with the side that makes each."""
    pair, made = two_games.begin(), []
    for number, text in enumerate(moves):
        both = next(b for b in two_games.look(pair, ()) if b[0].text == text)
        made.append((text, two_games.side(pair)))
        if number + 1 < len(moves):
            pair = two_games.advance(pair, both, ())
    return made


def _replayed(
    two_games: TwoGames, moves: Sequence[Played], keeps_sides: bool, most: int
) -> RulesDifference | None:
    """Play moves, each side its own or not; return the first difference before `most` moves.

    A side that has none left while others have makes another move.
    """
    queues: dict[int, list[str]] = {}
    for text, side in reversed(moves):
        queues.setdefault(side if keeps_sides else 0, []).append(text)
    made: tuple[str, ...] = ()
    try:
        pair = two_games.begin()
        while True:
            legal = two_games.look(pair, made)
            if not legal:
                return None
            queue = queues.get(two_games.side(pair) if keeps_sides else 0)
            if not queue and not any(queues.values()):
                return None
            both = _named(legal, queue.pop()) if queue else _other(legal)
            if both is None or len(made) >= most:
                return None
            made = (*made, both[0].text)
            pair = two_games.advance(pair, both, made)
    except RulesDiffer as found:
        return found.difference
    except BothFail:
        return None


def _named(legal: Sequence[MovePair], text: str) -> MovePair | None:
    return next((both for both in legal if both[0].text == text), None)


def _other(legal: Sequence[MovePair]) -> MovePair:
    """Return a move that disturbs little: to pass, or the last."""
    return next((both for both in legal if both[0].text == PASS), legal[-1])
