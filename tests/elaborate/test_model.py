"""The model of a game: it can be pickled, threads may share it, and its slots know their place."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from library_games import deep_games, shipped

from gdl.board.board import Board
from gdl.core.listing import Names, listing
from gdl.core.walk import slots_of
from gdl.diagnostic import GameError, Source, Span
from gdl.elaborate.names.elaboration import Elaboration
from gdl.elaborate.sections.vocabulary import DeclaredWords
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.words.asker import Asker
from gdl.interpreter.words.rules import rules_in_words
from gdl.load import load_game, shipped_names
from gdl.model import Game
from gdl.syntax.parser import parse

PLIES = 12


def listed(game: Game) -> str:
    names = [site.name for site in game.board.sites]
    return listing(game.program, Names(names, game.sides, game.relations, game.regions))


def board_data(board: Board) -> dict[str, object]:
    kept = {f.name: getattr(board, f.name) for f in fields(board) if f.name != "draw"}
    return kept | {"outlines": board.outlines, "lines": board.lines}


def played(rules: Rules, seed: int, plies: int = PLIES) -> Iterator[object]:
    chance = Random(seed)
    position = rules.start()
    for _ in range(plies):
        moves = position.moves()
        yield position.rows(), [move.text for move in moves], str(position.outcome)
        if not moves:
            return
        position = position.play(chance.choice(moves))


def read(game: Game, text: str) -> object:
    return game.words.expression(Span(Source("a text", text), 0, len(text)), 0)


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_a_game_can_be_pickled(name: str) -> None:
    game = load_game(name)
    if len(game.board.sites) < 1000:
        assert game.graph.number_of_nodes() == len(game.board.sites)
    copy = pickle.loads(pickle.dumps(game))
    assert listed(copy) == listed(game)
    assert board_data(copy.board) == board_data(game.board)
    assert set(slots_of(copy.program)) >= {layer.slot for layer in copy.layers}
    assert set(copy.program.state).isdisjoint(game.program.state)
    assert copy.words.expression(Span(Source("", "some empty"), 0, 10), 0).free <= set(
        copy.program.state
    )
    plies = 2 if len(game.board.sites) > 1000 else PLIES
    assert list(played(Rules(copy), 1, plies)) == list(played(Rules(game), 1, plies))


@pytest.mark.parametrize("name", ["draughts", "nine-mens-morris", "go"])
def test_threads_load_and_play_at_once(name: str) -> None:
    alone = list(played(Rules(load_game(name)), 3))
    shared = Rules(load_game(name))
    with ThreadPoolExecutor(4) as pool:
        loaded = [pool.submit(lambda: list(played(Rules(load_game(name)), 3))) for _ in range(2)]
        together = [pool.submit(lambda: list(played(shared, 3))) for _ in range(2)]
    assert [run.result() for run in (*loaded, *together)] == [alone] * 4


def test_threads_read_texts_in_the_words_of_one_game() -> None:
    game = load_game("go")
    texts = ["some own", "count(empty) > 3", "seen(board)", "some groups(own, adjacent)"] * 10

    def outcome(text: str) -> str:
        try:
            return repr(read(game, text))
        except GameError as error:
            return repr(error.diagnostics)

    expected = [outcome(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(outcome, texts)) == expected


def test_a_text_leaves_no_trace_in_the_words_of_a_game() -> None:
    game = load_game("hex")
    words = game.words
    assert isinstance(words, DeclaredWords)
    elaboration = words.scope.elaboration
    before = _as_it_is(elaboration)
    with pytest.raises(GameError):
        read(game, "seen(board) > 0 and passed > 3")
    read(game, "some g in groups(own, adjacent) where count(g) > 2")
    assert rules_in_words(game).turns
    asker, span = Asker(game), Span(Source("a text", "passed > 3"), 0, 10)
    asker.before_play(parse(span, "expression"), asker.scope(words.scope.turn_of(0)))
    assert _as_it_is(elaboration) == before


def _as_it_is(elaboration: Elaboration) -> dict[str, Any]:
    return {
        **{name: copy(value) for name, value in vars(elaboration).items()},
        "report": elaboration.report.diagnostics,
        "spent": elaboration.spent.so_far(),
        "within": dict(elaboration.within.items()),
        "asked_for": replace(elaboration.asked_for, memories=list(elaboration.asked_for.memories)),
    }


@pytest.mark.parametrize("name", deep_games(shipped_names()))
def test_a_slot_of_the_position_knows_where_it_is_declared(name: str) -> None:
    game = shipped(name)
    for name, slot in game.state_slots.items():
        assert slot.span is not None
        word = name.partition("(")[0]
        told = game.document.get("hands") if word == "hand" else None
        # What a hand has of a kind stands where that kind is listed.
        assert slot.span.text == word if told is None else slot.span.text in told.span.text
    if game.document.get("pieces") is not None:
        for layer in game.layers:
            assert layer.slot.span is not None
            kind, told = game.kinds[layer.kind], game.document.get("pieces")
            assert told is not None
            # A kind that is one of many by its traits stands where these are declared.
            if kind in re.findall(r"\w+", told.span.text):
                assert layer.slot.span.text == kind
            else:
                assert layer.slot.span.text in told.span.text


def test_a_local_slot_knows_where_it_is_declared() -> None:
    for slot in slots_of(load_game("othello").program):
        if slot.span is not None and not slot.is_state:
            assert slot.span.text.split()[-1] == slot.name


def test_what_is_remembered_twice_is_kept_once() -> None:
    game = load_game(str(Path(__file__).parents[1] / "conformance" / "seen-quantifier.yaml"))
    assert len(game.program.memories) == 2, "rows and columns, for both sides alike"
