"""A boundless board held against a wrapping one, and games of tiles that always come to an end.

In: games of the shipped tile game, at random or stretched out as far as they go. Out: what holds
in all of them: the wrapping board plays as the boundless one of the oracle does, also beyond the
line where its columns and rows begin anew; no tile meets its own image; a game is undecided only
until the pool is used up.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from oracles.trichet import State, Trichet

from gdl.board.board import place_of
from gdl.interpreter import Position, Rules, load

GAMES = [range(6), pytest.param(range(6, 206), marks=pytest.mark.slow)]
"""The seeds of the games that are played in each run, and of those that take longer."""
SAMPLE = 12

Place = tuple[int, int]


def corners(tile: str) -> list[Place]:
    """Return the columns and rows of a tile's corners; they may lie beyond the last ones."""
    place = place_of(tile[:-1])
    assert place is not None
    x, y = place
    if tile.endswith("u"):
        return [(x, y), (x + 1, y), (x, y + 1)]
    return [(x + 1, y), (x, y + 1), (x + 1, y + 1)]


def tiles_of(position: Position) -> set[str]:
    return {name for name, piece in position.pieces().items() if piece == "Tile"}


def offered(position: Position) -> set[str]:
    return {move.text.split()[0] for move in position.moves()}


def near(a: int, b: int, period: int) -> int:
    """Return the way from a to b on a ring, the shorter way round."""
    return (b - a + period // 2) % period - period // 2


def lifted(cells: set[str], begin: str, period: int) -> dict[str, Place]:
    """Return where cells lie on the boundless board, as steps from one to the next lead there.

    Fails if two ways to a cell lead to different places: then it meets its own image.
    """
    at: dict[Place, set[str]] = {}
    for cell in cells:
        for x, y in corners(cell):
            at.setdefault((x % period, y % period), set()).add(cell)
    places: dict[str, Place] = {begin: corners(begin)[0]}
    waiting = [begin]
    while waiting:
        cell = waiting.pop()
        x, y = corners(cell)[0]
        for corner in corners(cell):
            for other in at[corner[0] % period, corner[1] % period]:
                x2, y2 = corners(other)[0]
                way = (near(x, x2, period), near(y, y2, period))
                place = (places[cell][0] + way[0], places[cell][1] + way[1])
                if other not in places:
                    places[other] = place
                    waiting.append(other)
                assert places[other] == place, (cell, other)
    assert places.keys() == cells
    return places


def extent(position: Position, axis: int, period: int) -> int:
    tiles = tiles_of(position)
    places = lifted(tiles, min(tiles), period).values()
    return max(place[axis] for place in places) - min(place[axis] for place in places)


def stretched(rules: Rules, seed: int, period: int) -> Iterator[Position]:
    """Yield the positions of a game in which each move makes the tiles longer, if it can."""
    chance = random.Random(seed)
    axis = seed % 2
    position = rules.start()
    yield position
    while not position.over:
        legal = position.moves()
        after = [position.play(move) for move in chance.sample(legal, min(SAMPLE, len(legal)))]
        going = [child for child in after if not child.over] or after
        position = max(going, key=lambda child: extent(child, axis, period))
        yield position


def at_random(rules: Rules, seed: int) -> Iterator[Position]:
    chance = random.Random(seed)
    position = rules.start()
    yield position
    while not position.over:
        position = position.play(chance.choice(position.moves()))
        yield position


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize("variants", [[], ["corner-auto"]])
def test_no_tile_meets_its_image(variants: list[str], seeds: range) -> None:
    widest = 0
    for seed in seeds:
        tiles = 6 + seed % 5
        rules = load("trichet", {"tiles": tiles}, variants)
        for position in stretched(rules, seed, tiles + 2):
            cells = tiles_of(position) | offered(position)
            places = lifted(cells, min(tiles_of(position)), tiles + 2)
            assert len({(place, cell[-1]) for cell, place in places.items()}) == len(cells)
            widest = max(widest, extent(position, seed % 2, tiles + 2))
    assert widest >= 4


@pytest.mark.parametrize("seeds", GAMES)
def test_games_that_go_round_are_those_of_the_boundless_board(seeds: range) -> None:
    beyond = 0
    for seed in seeds:
        rules, oracle = load("trichet", {"tiles": 10}), Trichet(10)
        state: State | None = oracle.start()
        chance, axis, sign = random.Random(seed), seed % 2, 1 - seed // 2 % 2 * 2
        position = rules.start()
        while state is not None:
            turns = oracle.moves(state)
            assert {move.text for move in position.moves()} == set(turns)
            assert {
                name: piece.split()[0] for name, piece in position.pieces().items()
            } == oracle.pieces(state)
            if position.over:
                break
            goals = {text: distance(turns[text], axis, sign) for text in turns}
            text = max(goals, key=lambda text: (goals[text] + chance.random(), text))
            position, state = position.play(text), turns[text]
        assert oracle.outcome(state) == (
            position.outcome.winners[0] if position.outcome.winners else "draw"
        )
        beyond += any(not -5 <= line <= 6 for corner in state.colours for line in corner)
    assert beyond


def distance(state: State, axis: int, sign: int) -> float:
    """Return how far tiles have come in a direction, less what the pool has been used for it."""
    return 1.8 * max(sign * corner[axis] for corner in state.colours) - len(state.tiles)


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize("variants", [[], ["corner-auto"], ["official"]])
def test_a_game_is_undecided_only_when_the_pool_is_used_up(
    variants: list[str], seeds: range
) -> None:
    tiles = 16
    rules = load("trichet", {"tiles": tiles, "enough": 1 + len(variants)}, variants)
    for seed in seeds:
        for position in at_random(rules, seed):
            placed = len(tiles_of(position))
            assert placed <= tiles
            assert position.over or (placed < tiles and position.moves())
        assert position.outcome is not None
        assert position.outcome.winners or placed == tiles
