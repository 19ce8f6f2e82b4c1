"""What must be so in every random game of the shipped games, and what is kept of them."""

import json
import random
from pathlib import Path

import pytest
from board_graphs import read_graph
from library_games import deep_games

from gdl.board.export import FORMATS, Format, write_graph
from gdl.diagnostic import Source, Span
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move, words
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import parse_record, read_record, write_record
from gdl.load import OptionValue, load_game, shipped_names
from gdl.model import Game

SHIPPED = shipped_names()
MOST_PLIES = 40
MOST_MOVES = 5000

# Boards on which play, or the text of a graph, would take long.
SMALLER: dict[str, dict[str, OptionValue]] = {"trellis": {"size": 7}, "trichet": {"tiles": 8}}
READ_BACK = 10


def game_called(name: str) -> Game:
    return load_game(name, SMALLER.get(name))


def value(position: Position, text: str, side: int | None = None) -> object:
    span = Span(Source("test", text), 0, len(text))
    return position.value(position.rules.game.words.expression(span, side))


def random_game(start: Position, seed: int, plies: int) -> tuple[list[Position], list[Move]]:
    """Play moves until the game ends, `plies` are made, or there are too many to list often."""
    chance = random.Random(seed)
    positions = [start]
    played: list[Move] = []
    while len(played) < plies and not positions[-1].over:
        moves = positions[-1].moves()
        if len(moves) > MOST_MOVES:
            break
        played.append(chance.choice(moves))
        positions.append(positions[-1].play(played[-1]))
    return positions, played


@pytest.mark.parametrize("name", deep_games(SHIPPED))
def test_random_play_meets_no_error(name: str) -> None:
    positions, _ = random_game(Rules(game_called(name)).start(), 1, 4)
    most = 3 if len(positions[-1].moves()) > MOST_MOVES else 200
    evaluator = positions[-1].rules.evaluator
    result = evaluator.playout(positions[-1].state, Chance(1), most)
    assert result.outcome is not None or result.moves == most


@pytest.mark.parametrize("name", deep_games(SHIPPED))
def test_moves_and_positions_read_back(name: str) -> None:
    rules = Rules(game_called(name))
    chance = random.Random(2)
    positions, _ = random_game(rules.start(), 2, MOST_PLIES)
    for position in positions[::4]:
        moves = position.moves()
        assert len({move.decisions for move in moves}) == len(moves)
        assert len({words(move.text) for move in moves}) == len(moves)
        for move in chance.sample(moves, min(READ_BACK, len(moves))):
            assert position.parse(move.text) == move
        assert rules.from_json(json.loads(json.dumps(position.to_json()))) == position
        try:
            redrawn = rules.from_rows(position.rows(), mover=position.mover)
        except RuleError:  # The rest of the state is needed, too.
            continue
        assert redrawn.pieces() == position.pieces()
        assert redrawn.mover == position.mover


@pytest.mark.parametrize("name", deep_games(SHIPPED))
def test_a_record_leads_through_the_same_positions(name: str, tmp_path: Path) -> None:
    start = Rules(game_called(name)).start()
    positions, moves = random_game(start, 3, 12)
    record = Record.of(start, moves, seed=3)
    assert parse_record(Source("record", record.to_text())) == record
    write_record(record, tmp_path / "game.yaml")
    again = replay(read_record(tmp_path / "game.yaml"))
    assert again.positions == tuple(positions)
    assert again.moves == tuple(moves)
    assert again.warnings == ()


# ---------------------------------------------------------------------- boards


@pytest.mark.parametrize("name", deep_games(SHIPPED))
@pytest.mark.parametrize("format", FORMATS)
def test_the_graph_reads_back(name: str, format: Format) -> None:
    graph = game_called(name).graph
    again = read_graph(write_graph(graph, format), format)
    assert [*again.nodes(data=True)] == [*graph.nodes(data=True)]
    assert sorted(again.edges(keys=True)) == sorted(graph.edges(keys=True))


@pytest.mark.parametrize("name", deep_games(SHIPPED))
def test_the_graph_holds_the_packed_relations(name: str) -> None:
    game = game_called(name)
    names = [site.name for site in game.board.sites]
    assert list(game.graph) == names
    edges: dict[str, set[tuple[str, str]]] = {relation: set() for relation in game.relations}
    for source, target, key in game.graph.edges(keys=True):
        edges[key].add((source, target))
    for relation, pairs in game.relations.items():
        assert edges[relation] == {(names[a], names[b]) for a, b in pairs.pairs()}, relation


# ----------------------------------------------------------------- single games

WINS = {
    "hex": (
        "joined(top, bottom, adjacent, Red)",
        "joined(left, right, adjacent, Blue)",
    ),
    "y": (
        "some g in groups(Black, adjacent) where spans(g)",
        "some g in groups(White, adjacent) where spans(g)",
    ),
}


@pytest.mark.parametrize("name", WINS)
@pytest.mark.parametrize("size", [2, 3, 4, 7])
def test_a_full_board_has_exactly_one_winner(name: str, size: int) -> None:
    rules = Rules(load_game(name, {"size": size}))
    chance = random.Random(size)
    winners = set()
    for _ in range(25):
        symbols = chance.choice(["XO", "XXO", "XOO"])
        empty = rules.start().rows()
        drawn = "".join(chance.choice(symbols) if char == "." else char for char in empty)
        # Some rules ask only whether the side that has just moved has won.
        positions = [rules.from_rows(drawn, mover=mover) for mover in reversed(rules.sides)]
        joined = [bool(value(positions[0], text)) for text in WINS[name]]
        assert joined in ([True, False], [False, True])
        winner = joined.index(True)
        outcome = positions[winner].outcome
        assert outcome is not None
        assert outcome.winners == (rules.sides[winner],)
        winners.add(winner)
    assert winners == {0, 1}


CAUGHT = {
    "troll": "union s in {} of caught(s)",
    "othello": "union s in {} of caught(s, enemy, own)",
}


@pytest.mark.parametrize("name", CAUGHT)
@pytest.mark.parametrize("seed", range(3))
def test_a_drop_flips_all_that_it_catches_and_no_disc_vanishes(name: str, seed: int) -> None:
    positions, moves = random_game(Rules(load_game(name)).start(), seed, 70)
    flipped = 0
    for before, move, after in zip(positions, moves, positions[1:], strict=False):
        if move.text == "pass":
            assert after.pieces() == before.pieces()
            continue
        assert value(after, CAUGHT[name].format(move.text), before.side) == 0
        assert set(after.pieces()) == set(before.pieces()) | {move.text}
        changed = {s for s, disc in before.pieces().items() if after.pieces()[s] != disc}
        assert all(after.pieces()[site].startswith(before.mover) for site in changed)
        flipped += len(changed)
    assert flipped
