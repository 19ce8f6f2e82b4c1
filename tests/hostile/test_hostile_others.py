"""Files that did harm once: each is refused, stopped, or played, and nothing else comes of it.

In: `tests/hostile/others`. What then holds: with a small part of the usual budget a file ends in a
diagnostic or plays the same under both evaluators, and takes no more memory than a game does.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from memory import peak_grows_by_less_than

from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_game
from gdl.resources.budget import Budget, allowed

FILES = sorted((Path(__file__).parents[1] / "hostile" / "others").glob("*.yaml"))
SMALL = Budget(0.02)
LIMITS = Limits(games=1, max_plies=2, seconds=2)
MOST_MEMORY = 500 << 20
REFUSED = {
    "check-misspelt": "unknown-name",
    "check-variants": "too-large",
    "choose-fraction": "wrong-type",
    "compile-1500MB": "too-large",
    "dvonn-overflow": "out-of-range",
    "extends-environ": "extends-elsewhere",
    "for-fraction-llvm": "wrong-type",
    "fraction-in-number": "wrong-type",
    "init-oob-wrong-sum": "out-of-range",
    "init-out-of-bounds": "out-of-range",
    "load-41s": "too-large",
    "load-forever": "too-large",
    "number-half-differs": "wrong-type",
    "number-half-differs2": "wrong-type",
    "repeat-fraction": "wrong-type",
    "set-number-fraction-json": "wrong-type",
    "take-none": "no-such-piece",
}
"""Those of which nothing can be played, and the code that says why."""


@pytest.fixture(autouse=True)
def memory_is_bound() -> Iterator[None]:
    with peak_grows_by_less_than(MOST_MEMORY):
        yield


@pytest.mark.at_night(
    "check-misspelt",
    "twixt-playout",
    "unordered-2GB",
    "board30000-quad",
    "board30000-cubic",
    "compile-1500MB",
)
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_no_harm_comes_of_a_file(file: Path) -> None:
    with allowed(SMALL):
        try:
            game = load_game(str(file))
        except GameError as problem:
            assert REFUSED[file.stem] in {found.code for found in problem.diagnostics}
            return
        assert file.stem not in REFUSED
        try:
            rules = NativeRules(game)
        except Uncovered as reason:
            assert reason.diagnostic.code
            return
        try:
            verdict = verify(ReferenceRules(game), rules, 1, LIMITS)
        except RuleError as problem:
            assert problem.diagnostic.span is not None
            return
        finally:
            rules.close()
    assert verdict.difference is None
    for failure in verdict.failures:
        assert failure.diagnostic.span is not None
