"""What a tree tells of the position at its root: values, moves with bounds, likely lines.

In: a tree, and the rules that its moves are of. Out: numbers and moves, for an `Analysis`. What
then holds: parts of a turn (see `splitting`) are left out; their moves are those of the node that
they are in.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position
from gdl.interpreter.search.analysis import MoveAnalysis
from gdl.interpreter.search.memory.tree import (
    CHANCE,
    EMPTY,
    KNOWN,
    OVER,
    PEAK,
    ROOT,
    Tree,
    children,
    is_part,
    numbers_of_moves,
)

_LONGEST_LINE = 12
_SHARE_OF_BEST = 0.25
"""Which part of all games the best move needs, to say what the position is worth."""
_MOST_SEATS_PROVEN = 2
"""With more seats, the tree keeps no bounds."""


def values_of(tree: Tree, position: Position) -> dict[str, float]:
    """Return what the position at the root is worth to each side, from 0 to 1.

    Where a side decides, that is what its best move is worth, if that is known well enough: the
    mean of all games has those in it that were played to see that other moves are worse.
    """
    node = int(tree.state[ROOT])
    if tree.seats > _MOST_SEATS_PROVEN:
        node = next(_won_at_once(tree, node), node)
    best = [child for _, child in _ordered(tree, node)[:1]] if tree.choosers[node] >= 0 else []
    if best and tree.visits[best[0]] >= _SHARE_OF_BEST * tree.visits[node]:
        node = best[0]
    return {side: _value(tree, node, position.seat_of(side) - 1) for side in position.rules.sides}


def _won_at_once(tree: Tree, node: int) -> Iterator[int]:
    """Yield the children of a node in which the game is over, and won by who has moved there."""
    chooser = int(tree.choosers[node])
    for _, child in _ordered(tree, node) if chooser >= 0 else ():
        if tree.known[child] == OVER and _value(tree, child, chooser) == 1:
            yield child


def payoffs_of(tree: Tree, position: Position, unit: int) -> dict[str, float]:
    """Return what the game is worth to each side; nothing where the `unit` of payoffs is 0."""
    if not unit:
        return {}
    peak = int(tree.state[PEAK]) / unit
    return {side: peak * (2 * value - 1) for side, value in values_of(tree, position).items()}


def moves_of(
    tree: Tree, position: Position, native: NativeRules, lines: int
) -> Iterator[MoveAnalysis]:
    """Yield the moves at the root, from best to worst; so many of them with a line of moves."""
    root = int(tree.state[ROOT])
    legal = native.legal(position.state)
    for rank, (number, child) in enumerate(_ordered(tree, root)):
        chooser = int(tree.choosers[root])
        bounds = _bounds(tree, child, chooser)
        is_proven = bounds[0] == bounds[1]
        move = legal[number]
        line: tuple[Move, ...] = (move,)
        if rank < lines:
            line += tuple(_line(tree, child, native.apply(position.state, move), native))
        yield MoveAnalysis(
            move,
            int(tree.visits[child]),
            _value(tree, child, max(chooser, 0)),
            bounds,
            int(tree.plies[child]) + 1 if is_proven else None,
            line,
        )


def numbers_from_best(tree: Tree) -> list[int]:
    """Return the numbers of the moves at the root that were tried, from best to worst."""
    return [number for number, _ in _ordered(tree, int(tree.state[ROOT]))]


def _line(tree: Tree, node: int, state: State, native: NativeRules) -> Iterator[Move]:
    """Yield the moves that are likely to follow a node."""
    for _ in range(_LONGEST_LINE):
        if tree.choosers[node] == CHANCE:
            return
        ordered = _ordered(tree, node)
        if not ordered:
            return
        number, node = ordered[0]
        move = native.legal(state)[number]
        yield move
        state = native.apply(state, move)


def children_with_moves(tree: Tree, node: int) -> list[tuple[int, int]]:
    """Return the children of a node: the number of the move that leads to each, and its own."""
    if not tree.tried[node]:
        return []
    branches = int(tree.moves[node] if tree.choosers[node] == CHANCE else tree.tried[node])
    begin = int(tree.begin[node])
    numbers = numbers_of_moves(tree, node, branches)
    places = tree.places[begin : begin + branches].tolist()
    found: list[tuple[int, int]] = []
    for number, child in zip(numbers, places, strict=True):
        if child == EMPTY or tree.known[child] < KNOWN:
            continue
        found += children_with_moves(tree, child) if is_part(tree, child) else [(number, child)]
    return found


def _visits(tree: Tree, node: int) -> dict[int, tuple[int, ...]]:
    """Return of each child how often it was visited; before that, the parts that it is in."""
    found: dict[int, tuple[int, ...]] = {}
    begin = int(tree.begin[node])
    for child in tree.places[begin : begin + int(children(tree, node))].tolist():
        if child != EMPTY and is_part(tree, child):
            for below, visits in _visits(tree, child).items():
                found[below] = (int(tree.visits[child]), *visits)
        elif child != EMPTY:
            found[child] = (int(tree.visits[child]),)
    return found


def _ordered(tree: Tree, node: int) -> list[tuple[int, int]]:
    """Return the children of a node from best to worst, as it sees them who decides there."""
    chooser = int(tree.choosers[node])
    certain = _bounds(tree, node, chooser)[0]
    visits = _visits(tree, node)

    def worth(entry: tuple[int, int]) -> tuple[int, float, tuple[int, ...], float]:
        child = entry[1]
        low, high = _bounds(tree, child, chooser)
        value, plies = _value(tree, child, max(chooser, 0)), int(tree.plies[child])
        if low == high == 1:
            return 1, -plies, (), 0.0
        if low == high == 0:
            return -1, plies, (), 0.0
        is_good_enough = low >= certain or (high > certain and value >= certain)
        return 0, is_good_enough, visits[child], value

    return sorted(children_with_moves(tree, node), key=worth, reverse=True)


def _bounds(tree: Tree, node: int, seat: int) -> tuple[float, float]:
    """Return the bounds of what a node is worth for a seat."""
    low, high = int(tree.low[node]) / 2, int(tree.high[node]) / 2
    if tree.known[node] == OVER and low != high:
        return (_value(tree, node, seat),) * 2
    return (1 - high, 1 - low) if seat == 1 else (low, high)


def _value(tree: Tree, node: int, seat: int) -> float:
    """Return what a node is worth for a seat: the mean of what was found, within what is proven."""
    mean = float(tree.totals[node * tree.apart + seat]) / max(1, int(tree.visits[node]))
    if tree.low[node] == 0 and tree.high[node] == 2:
        return mean
    low, high = _bounds(tree, node, seat)
    return min(max(mean, low), high)
