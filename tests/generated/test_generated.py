"""Random games, played in lockstep: whatever can be written, all evaluators take alike.

In: texts of games that hypothesis draws (`generated.py`). Out: what then holds: they load; the
reference and each further evaluator say the same in random games; a faulty evaluator is found,
and the game that shows it is a shortest one. A further evaluator is one more entry in
`EVALUATORS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from importlib import import_module
from random import Random

import pytest
from generated import game_text, games
from hypothesis import HealthCheck, assume, given, note, settings

from gdl.analysis.ranges import Uncovered
from gdl.core import nodes
from gdl.core.operations import OPERATIONS
from gdl.diagnostic import GameError, Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Evaluator, Outcome, Playout, RuleError, State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.encoding import decode, encode
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Difference, Limits, verify
from gdl.load import load_game, load_source
from gdl.model import Game

MakeEvaluator = Callable[[Game], Evaluator]

SHORT = Limits(games=2, max_plies=8, seconds=0.5)
QUICK = settings(
    max_examples=6,
    derandomize=True,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)
LONG = settings(QUICK, max_examples=1000, derandomize=False)


class Unavailable(Exception):
    """This evaluator does not play this game, or is not there."""


class Saved(ReferenceRules):
    """Plays by the reference, but saves each state and goes on from what was saved."""

    def apply(self, state: State, move: Move) -> State:
        after = super().apply(state, move)
        return replace(decode(self.game, encode(self.game, after)), ended=after.ended)


def optimised(game: Game) -> Evaluator:
    """Return the reference, playing the optimised program."""
    try:
        optimise = import_module("gdl.optimise").optimise
    except (ImportError, AttributeError) as error:
        raise Unavailable from error
    return ReferenceRules(replace(game, program=optimise(game.program, game.board.size)))


def native(game: Game) -> Evaluator:
    """Return native code."""
    return compiled("gdl.interpreter.native.runtime.rules", "NativeRules", game)


def wasm(game: Game) -> Evaluator:
    """Return a WebAssembly module."""
    return compiled("gdl.interpreter.native.wasm.rules", "WasmRules", game)


def compiled(name: str, kind: str, game: Game) -> Evaluator:
    """Return an evaluator of a kind, of the module of that name."""
    try:
        module = import_module(name)
    except ImportError as error:
        raise Unavailable from error
    try:
        rules: Evaluator = getattr(module, kind)(game)
    except Uncovered as error:
        raise Unavailable from error
    return rules


EVALUATORS: Mapping[str, MakeEvaluator] = {
    "saved": Saved,
    "optimised": optimised,
    "native": native,
    "wasm": wasm,
}


def loaded(text: str) -> Game:
    return load_source(Source("generated.yaml", text))


@pytest.fixture(params=list(EVALUATORS))
def evaluator(request: pytest.FixtureRequest) -> MakeEvaluator:
    """What makes an evaluator, if it is there at all."""
    make = EVALUATORS[request.param]
    try:
        make(load_game("tic-tac-toe"))
    except Unavailable:
        pytest.skip(f"there is no evaluator called {request.param}")
    return make


def told(difference: Difference | None) -> str:
    if difference is None:
        return ""
    moves = ", ".join(map(str, difference.moves))
    return (
        f"{difference.kind} after [{moves}]: {difference.first} / {difference.second}"
        f"{' (shortest)' if difference.is_shortest else ''}"
    )


def play_in_lockstep(text: str, make: MakeEvaluator) -> None:
    note(text)
    try:
        game = loaded(text)
        other = make(game)
    except (GameError, Unavailable):
        assume(False)
    verdict = verify(ReferenceRules(game), other, seed=1, limits=SHORT)
    assert told(verdict.difference) == ""


@pytest.mark.at_night("wasm")
@QUICK
@given(text=games)
def test_generated_games(evaluator: MakeEvaluator, text: str) -> None:
    play_in_lockstep(text, evaluator)


@pytest.mark.slow
@LONG
@given(text=games)
def test_many_generated_games(evaluator: MakeEvaluator, text: str) -> None:
    play_in_lockstep(text, evaluator)


# ------------------------------------------------------------ what the games are like

_SEEDS = 40
_MANY_SEEDS = 400


def drawn_games(number: int) -> Iterator[Game | None]:
    """Yield games of the first seeds; None for one that does not load."""
    for seed in range(number):
        try:
            yield loaded(game_text(Random(seed)))
        except GameError:
            yield None


@cache
def some_games() -> tuple[Game | None, ...]:
    return tuple(drawn_games(_SEEDS))


def test_nearly_all_generated_games_load() -> None:
    assert sum(game is None for game in some_games()) <= _SEEDS * 5 // 100


def is_of_core(cls: type) -> bool:
    return cls.__module__.startswith(f"{nodes.__name__}.")


def core_words(value: object, seen: set[int]) -> Iterator[str]:
    """Yield the nodes, operations and manners of a program."""
    if isinstance(value, tuple):
        for item in value:
            yield from core_words(item, seen)
    elif is_dataclass(value) and is_of_core(type(value)) and id(value) not in seen:
        seen.add(id(value))
        yield type(value).__name__
        for manner in ("name", "combine", "mode", "kind"):
            if hasattr(value, manner):
                yield f"{type(value).__name__} {getattr(value, manner)}"
        for field in fields(value):
            yield from core_words(getattr(value, field.name), seen)


@pytest.mark.slow
def test_all_of_the_core_comes_up() -> None:
    found: set[str] = set()
    for game in drawn_games(_MANY_SEEDS):
        if game is not None:
            found.update(core_words(game.program, set()))
    classes = {
        name
        for name, known in vars(nodes).items()
        if is_dataclass(known) and isinstance(known, type) and is_of_core(known)
    }
    assert classes - found == {"ExpressionNode", "StatementNode"}
    assert {f"Op {name}" for name in OPERATIONS} - found == set()
    modes = {f"Repeat {mode}" for mode in ("while", "until", "settled", "times")}
    kinds = ("wins", "loses", "draw", "passes", "highest", "lowest")
    endings = {f"Ending {kind}" for kind in kinds}
    folds = {f"Fold {how}" for how in ("union", "intersection", "sum", "product", "max", "or")}
    assert (modes | endings | folds) - found == set()


def test_generated_games_are_played() -> None:
    """At least half can be played for two moves; some fail in play, and some last long."""
    lengths = []
    errors = set()
    for game in some_games():
        if game is None:
            continue
        rules = ReferenceRules(game)
        try:
            lengths.append(rules.playout(rules.start(), Chance(1), 10).moves)
        except RuleError as error:
            errors.add(error.diagnostic.code)
    assert sum(length >= 2 for length in lengths) >= _SEEDS // 2
    assert 10 in lengths
    assert errors


# -------------------------------------------------------------------- faults are found


class DropsAMove(ReferenceRules):
    """Leaves out the last move where there are four or fewer."""

    def legal(self, state: State) -> Sequence[Move]:
        moves = super().legal(state)
        return moves[:-1] if len(moves) <= 4 else moves


class SwapsMoves(ReferenceRules):
    """Lists the moves in another order, once c3 is taken."""

    def legal(self, state: State) -> Sequence[Move]:
        moves = super().legal(state)
        taken = all(move.text != "c3" for move in moves)
        return moves[::-1] if taken else moves


class ForgetsADraw(ReferenceRules):
    """Never says that a game has ended in a draw."""

    def apply(self, state: State, move: Move) -> State:
        after = super().apply(state, move)
        return replace(after, ended=None) if after.ended == Outcome((), ()) else after


class NamesAnotherClause(ReferenceRules):
    """Knows who has won, but not by which clause."""

    def outcome(self, state: State) -> Outcome | None:
        outcome = super().outcome(state)
        return None if outcome is None else replace(outcome, span=None)


class Miscounts(ReferenceRules):
    """Counts one sequence of two moves too many."""

    def perft(self, state: State, depth: int) -> int:
        return super().perft(state, depth) + (depth == 2)


class Missettles(ReferenceRules):
    """Sets up positions without a look at whether they have ended."""

    def start(self) -> State:
        return super().settle(self.game.program.initial)

    def settle(self, values: Sequence[object]) -> State:
        return replace(super().settle(values), ended=None)


class HashesBadly(ReferenceRules):
    """Gives equal states different hashes."""

    def hash(self, state: State) -> int:
        return id(state)


class Crashes(ReferenceRules):
    """Breaks down at the third move."""

    def apply(self, state: State, move: Move) -> State:
        if len(self.legal(state)) == 7:
            raise ZeroDivisionError("inside")
        return super().apply(state, move)


class PlaysTooShort(ReferenceRules):
    """Ends its own random games early."""

    def playout(self, state: State, chance: Chance, max_plies: int) -> Playout:
        return super().playout(state, chance, max_plies - 1 if max_plies > 2 else max_plies)


class DrawsWhatIsTaken(ReferenceRules):
    """Now and then, its own random games put a second stone on a site."""

    def playout(self, state: State, chance: Chance, max_plies: int) -> Playout:
        played = super().playout(state, chance, max_plies)
        values = list(played.state.values)
        if max_plies > 2:
            values[0] |= values[1]
        return replace(played, state=State(tuple(values), played.state.ended))


class MissesTheEnd(ReferenceRules):
    """Its own random games go on for a move after somebody has won."""

    def playout(self, state: State, chance: Chance, max_plies: int) -> Playout:
        played = super().playout(state, chance, max_plies)
        if played.outcome is None or played.outcome.text == "draw":
            return played
        return replace(played, outcome=None, state=replace(played.state, ended=None))


FAULTS = {
    DropsAMove: ("moves", 5),
    SwapsMoves: ("moves", 1),
    ForgetsADraw: ("state", 9),
    NamesAnotherClause: ("outcome", 5),
    Miscounts: ("perft", 0),
    Missettles: ("settle", 5),
    HashesBadly: ("hash", 0),
    Crashes: ("state", 3),
}


@pytest.mark.parametrize("faulty", FAULTS, ids=lambda faulty: faulty.__name__)
def test_a_fault_is_found_and_shown_by_a_shortest_game(faulty: MakeEvaluator) -> None:
    game = load_game("tic-tac-toe")
    limits = Limits(games=40, max_plies=9, seconds=600)
    verdict = verify(ReferenceRules(game), faulty(game), seed=5, limits=limits)
    found = verdict.difference
    assert found is not None
    assert (found.kind, len(found.moves)) == FAULTS[faulty]
    assert found.is_shortest
    assert found.first != found.second


def test_a_playout_that_ends_early_is_found() -> None:
    game = load_game("tic-tac-toe")
    limits = Limits(games=1, max_plies=4)
    found = verify(ReferenceRules(game), PlaysTooShort(game), limits=limits).difference
    assert found is not None
    assert (found.kind, found.first, found.second) == ("playout", "3 moves", "2 moves")
    assert len(found.moves) == 2


@pytest.mark.parametrize("faulty", [DrawsWhatIsTaken, MissesTheEnd])
def test_a_random_game_against_the_rules_is_found(faulty: MakeEvaluator) -> None:
    game = load_game("tic-tac-toe")
    limits = Limits(games=10, max_plies=9)
    found = verify(ReferenceRules(game), faulty(game), limits=limits).difference
    assert found is not None
    assert found.kind == "playout" and found.first != found.second
    state = ReferenceRules(game).start()
    for move in found.moves:
        state = ReferenceRules(game).apply(state, move)
    assert len(found.moves) >= 2


def test_the_same_seed_plays_the_same_games() -> None:
    game = load_game("tic-tac-toe")
    verdicts = [verify(ReferenceRules(game), DropsAMove(game), seed=3) for _ in range(2)]
    assert verdicts[0] == verdicts[1]
