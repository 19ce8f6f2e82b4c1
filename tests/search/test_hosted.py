"""The engine in a game's module finds what it finds natively: the same moves, visits, values."""

from __future__ import annotations

import ctypes
import math
import random
from collections.abc import Iterator
from typing import Any

import pytest
from library_games import FEWEST, deep_games, shipped

from gdl.interpreter.native.runtime.machine_code import this_machine
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.analysis import Analysis
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.hosted import hosted_engine
from gdl.interpreter.search.machine.elementary import exp, log
from gdl.interpreter.search.machine.image import Image
from gdl.interpreter.search.machine.instructions import (
    Doubles,
    Outside,
    Record,
    Shorts,
    Words,
    array,
    filled,
)
from gdl.interpreter.search.worth import kept_worth
from gdl.load import shipped_names

MEMORY = 1 << 24
"""Bytes of memory for a search: enough for what is searched here."""
ITERATIONS, PART = 400, 130
PLIES = (0, 5, 14)


# ------------------------------------------------------------------------------- memory as data


class Inner(Record):
    """A record within another."""

    size: int
    numbers: Shorts


class Outer(Record):
    """A record with all that there may be in one."""

    number: int
    part: float
    whole: Words
    same: Doubles
    inner: Inner
    function: int


def laid_out(data: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
    """Return pieces of memory as an image tells of them, and the data."""
    pieces = [ctypes.create_string_buffer(size) for size in data["pieces"]]
    content, at = bytes.fromhex(data["bytes"]), 0
    for piece, offset, size in data["filled"]:
        ctypes.memmove(ctypes.addressof(pieces[piece]) + offset, content[at : at + size], size)
        at += size
    assert at == len(content)
    for piece, offset, target, there in data["links"]:
        address = ctypes.addressof(pieces[target]) + there
        ctypes.c_int64.from_buffer(pieces[piece], offset).value = address
    return pieces, data


def test_a_host_lays_out_what_records_have() -> None:
    whole = filled("Words", [1, 0, -3, 0, 0])
    inner = Inner(size=3, numbers=filled("Shorts", [7, 8, 9]))
    outer = Outer(
        number=-5,
        part=0.25,
        whole=whole,
        same=whole.cast("B").cast("d"),
        inner=inner,
        function=Outside("count"),
    )
    data = Image({"outer": outer}).data({"outer": ("number", "whole", "same")})
    pieces, _ = laid_out(data)
    piece, offset = data["records"]["outer"]
    words = (ctypes.c_int64 * 6).from_buffer(pieces[piece], offset)
    assert words[0] == -5
    assert ctypes.c_double.from_buffer(pieces[piece], offset + 8).value == 0.25
    assert words[2] == words[3], "arrays that share memory share it there, too"
    assert list((ctypes.c_int64 * 5).from_address(words[2])) == [1, 0, -3, 0, 0]
    size, numbers = (ctypes.c_int64 * 2).from_address(words[4])
    assert size == 3
    assert list((ctypes.c_int32 * 3).from_address(numbers)) == [7, 8, 9]
    assert data["functions"] == [[piece, offset + 40, "count"]]
    told = data["fields"]["outer"]
    assert told["number"] == [piece, offset]
    assert told["whole"] == [*told["same"][:2], "Words", 8, 5]


def test_what_was_never_used_takes_no_room_in_an_image() -> None:
    large: memoryview[int] = array("Words", 1 << 20)
    large[1 << 19] = 1
    data = Image({"inner": Inner(size=0, numbers=large.cast("B").cast("i"))}).data({})
    assert max(data["pieces"]) == 8 << 20
    assert len(data["bytes"]) < 100
    pieces, _ = laid_out(data)
    assert sum(any(piece.raw) for piece in pieces) == 2


def test_logarithms_without_a_library_are_those_of_a_library() -> None:
    chance = random.Random(1)
    for _ in range(2000):
        x = chance.choice((chance.random(), 1 + chance.random() / 1000, chance.random() * 1e9))
        assert log(x) == pytest.approx(math.log(x), rel=1e-15, abs=1e-18)
        y = chance.uniform(-700, 700)
        assert exp(y) == pytest.approx(math.exp(y), rel=1e-15)
    assert (log(1.0), exp(0.0), exp(-1000.0)) == (0.0, 1.0, 0.0)
    assert 1e307 < exp(1000.0) < math.inf


# -------------------------------------------------------------------------------- what is found


def positions(rules: Rules) -> Iterator[Position]:
    """Yield the first position and some later ones, as far as the game goes."""
    position = rules.start()
    for ply in range(max(PLIES) + 1):
        if position.over:
            return
        if ply in PLIES:
            yield position
        moves = position.moves()
        position = position.play(moves[(ply * 7919 + 13) % len(moves)])


def told(found: Analysis) -> list[Any]:
    """Return what an analysis tells of exactly, but its time and its lines."""
    moves = [
        (one.move.text, one.visits, one.bounds, one.plies, one.is_bound, one.depth)
        for one in found.moves
    ]
    return [found.iterations, found.depth, found.verdict, moves]


def values(found: Analysis) -> list[float]:
    """Return all that an analysis tells that may differ in its last digits."""
    return [*found.value.values(), *found.payoffs.values(), *(one.value for one in found.moves)]


def check(name: str, iterations: int) -> None:
    """Hold the engine in the module of a game against the native one."""
    pytest.importorskip("wasmtime")
    from tests.hosted import HostedAnalyser

    rules, worth = Rules(shipped(name)), kept_worth(shipped(name))
    if rules.game.hides:
        pytest.skip("what a side can't see is guessed by Python")
    hosted = HostedAnalyser(rules, worth, MEMORY)
    for seed, position in enumerate(positions(rules)):
        engine = Engine(rules, seed=seed, worth=worth, memory=MEMORY)
        here = engine.analyse(position, iterations=iterations, lines=0)
        assert hosted.data["search"] == engine.search
        there = hosted.analyse(position, seed, iterations, PART)
        assert told(there) == told(here), f"{name}: {position}"
        assert values(there) == pytest.approx(values(here), abs=1e-9), f"{name}: {position}"


@pytest.mark.at_night("dvonn", "[go]", "minichess", "havannah")
@pytest.mark.parametrize("name", deep_games(shipped_names(), FEWEST))
def test_a_module_finds_what_native_code_finds(name: str) -> None:
    check(name, ITERATIONS)


@pytest.mark.at_night("breakthrough", "hex")
@pytest.mark.parametrize("name", ["connect-four", "breakthrough", "hex"])
def test_so_does_a_longer_search(name: str) -> None:
    check(name, 30 * ITERATIONS)


def test_a_game_with_something_hidden_has_no_engine_there_and_says_so() -> None:
    rules = Rules(shipped("dark-hex"))
    code = NativeRules(rules.game).code
    engine = hosted_engine(rules.game, code, rules.start().state, this_machine(), None)
    assert engine.data["search"] is None
    assert "guessed" in engine.data["why"]
    assert not engine.texts
