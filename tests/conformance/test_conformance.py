"""What the language means, as small games with results worked out by hand.

In: the games of this folder, and evaluators. A line `# perft: 9 72` in a game gives the number
of sequences of 1, 2, … moves from the start; `# fails: CODE after MOVES` the error that play
runs into (`CODE at once` at the start); `# lockstep: 10` that random games, so many, have to end
just where the reference says so. Out: what then holds of every evaluator: the examples of
each game pass, also when their expressions are part of a turn; the counts are right; the errors
come. A further evaluator is one more line in `EVALUATORS`.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from textwrap import dedent

import pytest
from library_games import changed_files

from gdl.diagnostic import Report, Span
from gdl.document import read_document, read_source
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from gdl.document.nodes import Sequence as ListNode
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import Evaluator, RuleError
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.native.wasm.rules import WasmRules
from gdl.interpreter.positions.examples import run_examples
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, verify
from gdl.load import load_game
from gdl.model import Game
from gdl.resources.budget import Budget, allowed

MakeEvaluator = Callable[[Game], Evaluator]


def native(game: Game) -> Evaluator:
    """Return machine code for a game; where there is none, what serves in its place."""
    return compiled(NativeRules, game)


def wasm(game: Game) -> Evaluator:
    """Return a WebAssembly module for a game; where there is none, what serves in its place."""
    return compiled(WasmRules, game)


def compiled(kind: type[NativeRules], game: Game) -> Evaluator:
    """Return an evaluator of a kind; where there is none, what serves in its place."""
    try:
        return kind(game)
    except Uncovered:
        return ReferenceRules(game)


EVALUATORS: Mapping[str, MakeEvaluator] = {
    "reference": ReferenceRules,
    "native": native,
    "wasm": wasm,
}

UNCOVERED = {"fractions"}
"""Games without native code: here, a fraction whose denominator grows without end."""

FOLDER = Path(__file__).parent
FILES = sorted(FOLDER.glob("*.yaml"))

_PERFT = re.compile(r"^# perft: ([0-9 ]+)$", re.MULTILINE)
_WITHOUT_BUDGET = re.compile(r"^# budget: none$", re.MULTILINE)
_FAILS = re.compile(r"^# fails: ([a-z-]+) (?:at once|after (.+))$", re.MULTILINE)
_LOCKSTEP = re.compile(r"^# lockstep: ([0-9]+)$", re.MULTILINE)
_SET_UP = ("options", "variant", "variants", "rows", "setup", "state", "mover", "seats")
_MOST_PLIES = 40


@cache
def game_of(path: Path) -> Game:
    """Return the game of a file, loaded once for all that is asked of it."""
    return load_game(str(path))


@cache
def rules_of(path: Path, evaluator: MakeEvaluator) -> Evaluator:
    """Return an evaluator of the game of a file, made once for all that is asked of it."""
    return evaluator(game_of(path))


WITH_PERFT = [path for path in FILES if _PERFT.search(path.read_text("utf-8"))]
WITH_LOCKSTEP = [path for path in FILES if _LOCKSTEP.search(path.read_text("utf-8"))]
WITH_FAILURE = [path for path in FILES if _FAILS.search(path.read_text("utf-8"))]
PLAYABLE = [path for path in FILES if path not in WITH_FAILURE]


def has_values_to_require(path: Path) -> bool:
    """Return whether an example tells values without moves, in a game without phases."""
    document = read_document(read_source(path), Report())
    if document is None or document.get("phases") is not None:
        return False
    examples = document.get("examples")
    return isinstance(examples, ListNode) and any(
        isinstance(example, Document) and is_plain(example) for example in examples.items
    )


def is_plain(example: Document) -> bool:
    """Return whether an example tells values of the position that it describes."""
    told = example.get("play") is None and example.get("values") is not None
    return told and bool(required(example))


def required(example: Document) -> list[str]:
    """Return the values of an example as requirements of a turn.

    What asks what a turn can lead to is left out: this is another turn.
    """
    values = example.get("values")
    assert isinstance(values, Document)
    return [
        f"    require ({key.text}) = ({value.text})"
        for key, value in values.entries
        if isinstance(value, Scalar) and " make " not in key.text
    ]


WITH_VALUES = [path for path in PLAYABLE if has_values_to_require(path)]


@pytest.mark.parametrize("path", PLAYABLE, ids=lambda path: path.stem)
def test_there_is_native_code(path: Path) -> None:
    """All but few games are covered."""
    if path.stem in UNCOVERED:
        with pytest.raises(Uncovered, match="denominator"):
            NativeRules(game_of(path))
    else:
        assert isinstance(rules_of(path, native), NativeRules)


OF_MODULES = 16
"""Of so many games, one is played as a module by day; the text that is compiled for the others is
that of machine code, but for the target."""


def under_all_evaluators(paths: list[Path]) -> pytest.MarkDecorator:
    """Return what tries games under each evaluator, as modules by day a share of them.

    Those whose files differ from the main branch are in it.
    """
    changed = changed_files("tests/conformance")
    by_day = {*FILES[::OF_MODULES], *(path for path in FILES if path.name in changed)}
    cases = [
        pytest.param(
            path,
            made,
            id=f"{path.stem}-{name}",
            marks=[] if made is not wasm or path in by_day else [pytest.mark.slow],
        )
        for path in paths
        for name, made in EVALUATORS.items()
    ]
    return pytest.mark.parametrize(("path", "evaluator"), cases)


def failures(path: Path, evaluator: MakeEvaluator) -> list[str]:
    """Return all that fails in the examples of a file."""
    usual = game_of(path)

    def made(game: Game) -> Evaluator:
        return rules_of(path, evaluator) if game is usual else evaluator(game)

    return [
        f"{result.name}: {diagnostic.message} {diagnostic.hint}"
        for result in run_examples(usual, evaluator=made)
        for diagnostic in result.diagnostics
    ]


def stem(path: Path) -> str:
    """Return the name that a test has for a file."""
    return path.stem


@under_all_evaluators(FILES)
def test_examples(path: Path, evaluator: MakeEvaluator) -> None:
    assert failures(path, evaluator) == []


@under_all_evaluators(WITH_PERFT)
def test_number_of_moves(path: Path, evaluator: MakeEvaluator) -> None:
    match = _PERFT.search(path.read_text("utf-8"))
    assert match is not None
    counts = [int(word) for word in match[1].split()]
    rules = rules_of(path, evaluator)
    start = rules.start()
    assert [rules.perft(start, depth) for depth in range(1, len(counts) + 1)] == counts
    assert len(rules.legal(start)) == counts[0]


@pytest.mark.at_night(
    "too-many-moves-reference",
    "too-many-moves-native",
    "too-many-moves-compared-reference",
    "too-many-moves-compared-wasm",
)
@under_all_evaluators(WITH_FAILURE)
def test_failure(path: Path, evaluator: MakeEvaluator) -> None:
    match = _FAILS.search(path.read_text("utf-8"))
    assert match is not None
    code, moves = match.groups()
    budget = Budget(None) if _WITHOUT_BUDGET.search(path.read_text("utf-8")) else Budget()
    with allowed(budget), pytest.raises(RuleError) as caught:
        position = Rules(game := load_game(str(path)), evaluator(game)).start()
        for move in (moves or "").split(", "):
            position.moves()
            position = position.play(move)
        position.moves()
    assert caught.value.diagnostic.code == code
    assert caught.value.diagnostic.span is not None, "the error has a place in the file"


@pytest.mark.slow
def test_too_many_moves_are_not_counted() -> None:
    for budget, code in ((Budget(None), "too-many-moves"), (Budget(), "too-much-work")):
        with allowed(budget), pytest.raises(RuleError) as caught:
            rules = native(load_game(str(FOLDER / "too-many-moves.yaml")))
            rules.perft(rules.start(), 1)
        assert caught.value.diagnostic.code == code


@under_all_evaluators(PLAYABLE)
def test_random_games_end_as_they_are_told_to(path: Path, evaluator: MakeEvaluator) -> None:
    rules = rules_of(path, evaluator)
    for seed in range(3):
        playout = rules.playout(rules.start(), Chance(seed), _MOST_PLIES)
        assert playout.outcome == rules.outcome(playout.state)
        assert (playout.outcome is None) == bool(rules.legal(playout.state))


@pytest.mark.at_night(
    "repeat-times-decides-wasm", "one-site-or-none-wasm", "repeat-times-decides-native"
)
@pytest.mark.parametrize("made", [native, wasm])
@pytest.mark.parametrize("path", WITH_LOCKSTEP, ids=stem)
def test_random_games_end_where_the_reference_says_so(path: Path, made: MakeEvaluator) -> None:
    match = _LOCKSTEP.search(path.read_text("utf-8"))
    assert match is not None
    verdict = verify(
        rules_of(path, ReferenceRules),
        rules_of(path, made),
        limits=Limits(int(match[1]), _MOST_PLIES),
    )
    assert verdict.difference is None


def written(span: Span) -> str:
    """Return the text of a span as it stands in its lines, but as far to the left as can be."""
    line = span.source.text.rfind("\n", 0, span.start) + 1
    return dedent(" " * (span.start - line) + span.text.rstrip())


def with_values_required(game: Game, path: Path) -> str:
    """Return a game in whose turns the values of the examples are required.

    Each example becomes a way to pass: its text is `right` followed by its number.
    """
    lines = [f"extends: {path.name}", "turn: |"]
    examples = ["examples:"]
    for number, example in enumerate(game.examples):
        if is_plain(example):
            lines += [f"  {'or' if len(lines) > 2 else 'either'} as right{number}"]
            lines += required(example)
            examples += [f"  - legal: right{number}"]
            for key, node in example.entries:
                if key.text in _SET_UP:
                    text = written(node.span)
                    is_block = isinstance(node, Scalar) and node.style == "block"
                    examples += [f"    {key.text}: {'|' if is_block else ''}"]
                    examples += ["      " + line for line in text.splitlines()]
    lines += ["  or as nothing_right", "    pass"]
    return "\n".join([*lines, *examples, ""])


def copy(path: Path, folder: Path) -> None:
    """Copy a file, and those that it extends, into a folder."""
    shutil.copy(path, folder)
    for parent in re.findall(r"^extends: (.+\.yaml)$", path.read_text("utf-8"), re.MULTILINE):
        copy(path.parent / parent, folder)


@under_all_evaluators(WITH_VALUES)
def test_values_in_turns(path: Path, evaluator: MakeEvaluator, tmp_path: Path) -> None:
    copy(path, tmp_path)
    text = with_values_required(game_of(path), path)
    game = tmp_path / "required.yaml"
    game.write_text(text, "utf-8")
    assert failures(game, evaluator) == []


@pytest.mark.parametrize("evaluator", EVALUATORS.values(), ids=EVALUATORS)
def test_a_wrong_value_in_a_turn_is_found(evaluator: MakeEvaluator, tmp_path: Path) -> None:
    path = FOLDER / "numbers.yaml"
    copy(path, tmp_path)
    text = with_values_required(load_game(str(path)), path)
    game = tmp_path / "required.yaml"
    game.write_text(text.replace("(n + m) = (-5)", "(n + m) = (-6)"), "utf-8")
    assert len(failures(game, evaluator)) == 1
