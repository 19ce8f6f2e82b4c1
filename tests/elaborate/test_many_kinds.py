"""Games with hundreds of kinds of piece: they load, are checked, played natively, and drawn."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from gdl.core.nodes import Expression
from gdl.core.walk import program_expressions
from gdl.diagnostic import GameError, Source
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_game, load_source
from gdl.model import Game

DIRECTIONS = (
    *("north", "south", "east", "west"),
    *("northeast", "northwest", "southeast", "southwest"),
)
WAYS = {
    "by its kind": "goals(s, kind(s))",
    "by each kind": "(union k in kinds of goals(s, k) when s in k)",
}
"""How a file may say where a piece goes by its kind."""
LARGE, LARGEST = (120, 40), (300, 40)
"""How many kinds there are, and the size of their board, by day and at night."""


def letters(number: int) -> str:
    """Return the name of a column."""
    return (letters(number // 26 - 1) if number >= 26 else "") + chr(97 + number % 26)


def sites(number: int, width: int, size: int) -> str:
    """Return two sites of a square board, a part of it apart, counted from a corner."""
    return " | ".join(
        f"{letters(one % size)}{one // size + 1}" for one in (number, number + size * size // width)
    )


def large_game(kinds: int, size: int, way: str) -> str:
    """Return a game like the largest ones of shogi, in which each kind moves in its own way."""
    chance = Random(1)
    names = ["King", *(f"P{number}" for number in range(1, kinds))]
    defined, setup, symbols = [], [], []
    for number, name in enumerate(names):
        steps = " | ".join(chance.sample(DIRECTIONS, chance.randint(2, 6)))
        slides = " | ".join(chance.sample(DIRECTIONS, chance.randint(1, 3)))
        goals = f"({steps})(s) | (union d in ({slides}) of ray(s, d, empty))"
        defined.append(f"  goals(s, {name}): {goals}")
        own, other = sites(number, 4, size), sites(size * size // 2 + number, 4, size)
        setup += [f"  White {name}: {own}", f"  Black {name}: {other}"]
        pair = (chr(0x4E00 + 2 * number), chr(0x4E01 + 2 * number))
        symbols += [f"    White {name}: {pair[0]}", f"    Black {name}: {pair[1]}"]
    return "\n".join(
        [
            *("game: Many kinds", "players: White, Black", f"pieces: {', '.join(names)}"),
            *(f"board: square({size}, {size})", "define:", *defined, f"  goals(s): {way} - own"),
            *("setup:", *setup),
            *("turn: |", "  choose s in own", "  choose t in goals(s)", "  move s to t"),
            *("stuck: loses", "end: [mover wins when no enemy & King, draw when turns >= 2000]"),
            *("display:", "  symbols:", *symbols, ""),
        ]
    )


@pytest.fixture(
    scope="module",
    params=[
        (*LARGE, "by its kind"),
        *(pytest.param((*LARGEST, way), marks=pytest.mark.slow) for way in WAYS),
    ],
    ids=lambda param: f"{param[0]} {param[2]}",
)
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file with a large game."""
    kinds, size, way = request.param
    path = tmp_path_factory.mktemp("large") / "many.yaml"
    path.write_text(large_game(kinds, size, WAYS[way]), "utf-8")
    return path


@pytest.fixture(scope="module")
def game(file: Path) -> Game:
    """A game with hundreds of kinds."""
    return load_game(str(file))


def gdl(*arguments: object) -> str:
    result = CliRunner().invoke(make_app(), [str(one) for one in arguments])
    assert result.exit_code == 0, result.output
    return result.stdout


def depth(root: Expression) -> int:
    """Return how many expressions stand one inside the other, at most."""
    deepest = {id(root): 1}
    level, found = [root], 1
    while level:
        following = {id(part): part for node in level for part in node.parts()}
        level = list(following.values())
        deepest.update(dict.fromkeys(following, found))
        found += bool(level)
    return found


def test_its_expressions_are_not_as_deep_as_it_has_kinds(game: Game) -> None:
    assert max(map(depth, program_expressions(game.program))) < 50


@pytest.mark.slow
def test_it_is_played_alike_by_both_evaluators(game: Game) -> None:
    rules = NativeRules(game)
    assert rules.playout(rules.start(), Chance(0, 0), 20).moves == 20
    verdict = verify(ReferenceRules(game), rules, limits=Limits(games=1, max_plies=2, seconds=600))
    assert verdict.difference is None and verdict.failures == ()
    assert verdict.compared.positions == 6 and verdict.compared.moves > 1000


def test_it_is_checked_and_drawn(file: Path, game: Game, tmp_path: Path) -> None:
    assert gdl("check", file, "--no-play").endswith(": fine\n")
    shown = gdl("show", file)
    drawn = tmp_path / "many.svg"
    gdl("show", file, "--svg", drawn)
    svg = drawn.read_text("utf-8")
    for number in range(2 * len(game.kinds)):
        symbol = chr(0x4E00 + number)
        assert symbol in shown and symbol in svg


def test_more_kinds_than_there_may_be_are_told_once(tmp_path: Path) -> None:
    path = tmp_path / "more.yaml"
    names = ", ".join(f"P{number}" for number in range(530))
    path.write_text(
        f"game: More\nplayers: White, Black\npieces: {names}\nboard: square(2, 2)\n"
        "turn: |\n  choose s in empty\n  place P529 at s\nend: draw when full\n",
        "utf-8",
    )
    with pytest.raises(GameError) as found:
        load_game(str(path))
    assert [one.code for one in found.value.diagnostics] == ["too-large"]


# ------------------------------------------------------------------------ cases of all kinds

STEPS = {1: "identity", 2: "north"}


def small_game(kinds: int, said: str) -> str:
    """Return a game in which every other piece stays, and the others go one row up."""
    names = [f"P{number}" for number in range(kinds)]
    rows = [number % 2 + 1 for number in range(kinds)]
    cells = [f"{letters(number)}{row}" for number, row in enumerate(rows)]
    chain = "".join(f"if s in {n} then {cell} else " for n, cell in zip(names, cells, strict=True))
    defined = [
        *(f"  target({n}): {cell}" for n, cell in zip(names, cells, strict=True)),
        *(f"  number({n}): {row}" for n, row in zip(names, rows, strict=True)),
        *(f"  steps({n}): {STEPS[row]}" for n, row in zip(names, rows, strict=True)),
    ]
    return "\n".join(
        [
            *("game: Cases", "players: White, Black", f"pieces: {', '.join(names)}"),
            *(f"board: square({kinds}, 2)", "state: {kept(k in kinds): number = number(k)}"),
            *("define:", *defined, f"  placed(s): {chain}none", "setup:"),
            *(f"  White {name}: {letters(number)}1" for number, name in enumerate(names)),
            *("turn: |", "  choose s in own", f"  choose t in {said}", "  move s to t"),
            *("stuck: draw", "end: draw when turns > 30", "display:", "  symbols:"),
            *(f"    White {name}: {chr(0x4E00 + n)}" for n, name in enumerate(names)),
            *(f"    Black {name}: {chr(0x5E00 + n)}" for n, name in enumerate(names)),
            "",
        ]
    )


@pytest.mark.parametrize("kinds", [3, 16, 17, 40])
@pytest.mark.parametrize(
    "said",
    [
        "target(kind(s))",
        "(union k in kinds of target(k) when s in k)",
        "placed(s)",
        "steps(kind(s))(s)",
        "s | north(s) where row(t) = number(kind(s))",
        "s | north(s) where row(t) = kept(kind(s))",
    ],
)
def test_few_kinds_and_many_are_told_apart_alike(said: str, kinds: int, tmp_path: Path) -> None:
    path = tmp_path / "cases.yaml"
    path.write_text(small_game(kinds, said), "utf-8")
    game = load_game(str(path))
    goes = [f"{letters(n)}1-{letters(n)}{n % 2 + 1}" for n in range(kinds)]
    for rules in (ReferenceRules(game), NativeRules(game)):
        assert [move.text for move in rules.legal(rules.start())] == goes


def test_both_sides_of_a_kind_share_a_letter_at_any_number_of_kinds() -> None:
    names = [f"K{one}{other}" for one in "abcdef" for other in "abcdefgh"]
    lines = ["game: Many", "players: White, Black", f"pieces: {', '.join(names)}"]
    lines += ["board: square(8, 8)", "turn: |", "  choose k in kinds", "  choose s in empty"]
    game = load_source(Source("many.yaml", "\n".join([*lines, "  place k at s", "stuck: draw"])))
    pairs = list(zip(game.layers[::2], game.layers[1::2], strict=True))
    assert all(one.symbol != other.symbol == one.symbol.lower() for one, other in pairs)
    assert len({layer.symbol for layer in game.layers}) == 2 * len(names)
