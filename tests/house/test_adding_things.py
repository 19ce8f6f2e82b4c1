"""`Adding things` in CONTRIBUTING.md names places that there are, and following it is enough.

Two made-up operations of the core are added at the places that the page names, and at no other:
one on sets, one on numbers. What then holds: both evaluators play a game that uses them, the
listing shows them, and none of the places could have been left out.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from doc_pages import DOCS, ROOT

from gdl.analysis.ranges import COMBINED, Range
from gdl.core import build
from gdl.core.listing import Names, listing
from gdl.core.operations import OPERATIONS
from gdl.core.types import SITES
from gdl.diagnostic import Source
from gdl.elaborate.expressions import builtins, expressions
from gdl.interpreter.evaluation.evaluator import Evaluator
from gdl.interpreter.native.emit import arithmetic
from gdl.interpreter.native.emit.arithmetic import widened
from gdl.interpreter.native.emit.ir import width_of
from gdl.interpreter.native.emit.kinds import Integer, integer
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.examples import run_examples
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_source
from gdl.model import Game

SECTION = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Adding things")[1]
SECTION = SECTION.split("\n## ")[0]
_PLACE = re.compile(r"`(\w+)`(?: of `(\w+)`)? in `([\w/.-]+)`")
_PATH = re.compile(
    r"`((?:gdl|interpreter|tests|docs|games)/[\w/.*-]*|[\w.-]+\.(?:py|md|toml|yaml))`"
)
_STEP = re.compile(r"(?:^|\s)(\d)\.(?: and \d\.)* ")


@dataclass(frozen=True)
class Place:
    """A name in a file, perhaps that of a method of a class."""

    name: str
    of: str
    path: str

    @property
    def exists(self) -> bool:
        """Whether there is such a name."""
        path = ROOT / self.path
        if path.is_dir():
            return any(Place(self.name, self.of, str(p)).exists for p in path.glob("*.py"))
        if not path.is_file():
            return False
        defined = set(names_in(ast.parse(path.read_text("utf-8")).body, ""))
        return (f"{self.of}.{self.name}" if self.of else self.name) in defined


def names_in(body: list[ast.stmt], before: str) -> Iterator[str]:
    """Yield the names that statements define, those in a class after its name and a dot."""
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield before + node.name
            if isinstance(node, ast.ClassDef):
                yield from names_in(node.body, f"{node.name}.")
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield before + node.target.id
        elif isinstance(node, ast.Assign):
            yield from (before + n.id for n in node.targets if isinstance(n, ast.Name))


def plain(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def places(text: str) -> list[Place]:
    """Return the names with their files in a text, in order."""
    return [Place(name, of, path) for name, of, path in _PLACE.findall(plain(text))]


def steps(kind: str) -> list[list[Place]]:
    """Return for each step of adding a kind of thing the places in the code that it names."""
    (text,) = re.findall(rf"\*\*{kind}\*\*:(.*?)(?=\n\n)", SECTION, re.DOTALL)
    _, *parts = _STEP.split(plain(text))
    return [
        [place for place in places(part) if not place.path.startswith("tests")]
        for part in parts[1::2]
    ]


PAGES = [ROOT / "CONTRIBUTING.md", *(DOCS / f"{name}.md" for name in ("design", "glossary", "api"))]


@pytest.mark.parametrize("page", [p for p in PAGES if p.exists()], ids=lambda page: page.name)
def test_every_place_that_a_page_names_is_there(page: Path) -> None:
    text = page.read_text("utf-8")
    found = places(text)
    assert [place for place in found if not place.exists] == []
    paths = {path for path in _PATH.findall(plain(text)) if "*" not in path}
    known = {path.name for path in ROOT.glob("gdl/**/*")} | {p.name for p in ROOT.iterdir()}
    assert [p for p in sorted(paths) if not (ROOT / p).exists() and p not in known] == []


def test_many_places_are_named() -> None:
    assert len(places(SECTION)) > 25
    assert len(_PATH.findall(plain(SECTION))) > 50


def test_a_place_that_is_not_there_would_be_found() -> None:
    assert Place("OPERATIONS", "", "gdl/core/operations.py").exists
    assert not Place("OPERATION", "", "gdl/core/operations.py").exists
    assert not Place("OPERATIONS", "", "gdl/core/operation.py").exists
    assert Place("hull", "Range", "gdl/analysis/ranges.py").exists
    assert not Place("hull", "Uncovered", "gdl/analysis/ranges.py").exists


# --------------------------------------------------------------- made-up operations


GAME = """
game: Adding
players: White, Black
board: square(3, 3)
state: {n: number in -9..9 = 0}
turn: |
  choose s in EXPRESSION
  place Stone at s
  set n = NUMBER
stuck: draw
examples:
"""
SECOND = (
    GAME.replace("EXPRESSION", "second(empty)").replace("NUMBER", "count second(own)")
    + """
  - legal: b1
    illegal: a1
  - play: b1, c1, a2
    values: {n: 1, second(White): a2, count second(Black): 0, second(corners): c1}
    legal: b2
"""
)
GAP = (
    GAME.replace("EXPRESSION", "empty where gap(row(s), n) > 1").replace("NUMBER", "gap(n, row(s))")
    + """
  - illegal: a1
    legal: a2
  - play: a3
    values:
      n: 3
      gap(n, 5): 2
      gap(1, -1): 2
      gap(n, n): 0
    legal: b1
    illegal: b2
"""
)

Patch = Callable[[pytest.MonkeyPatch], None]
Added = Mapping[Place, Patch]


def second(sites: int) -> int:
    """Return the set of the site with the second-lowest index, or the empty set."""
    rest = sites & (sites - 1)
    return rest & -rest


def second_word(node: Any, scope: Any, elaborate: Any) -> Any:
    """Elaborate `second(S)`."""
    (argument,) = node.arguments
    return build.op("second", (expressions.sites(argument, scope),), SITES)


def second_code(p: pytest.MonkeyPatch) -> None:
    """Let the code of operations know `second`."""
    known = Expressions._op

    def _op(self: Expressions, p: Any, node: Any) -> Any:
        if node.name != "second":
            return known(self, p, node)
        sites = self.sites(p, node.arguments[0])
        rest = self.sets.difference(p.f, sites, self.sets.first(p.f, sites))
        return self.sets.first(p.f, rest)

    p.setattr(Expressions, "_op", _op)


def gap_word(node: Any, scope: Any, elaborate: Any) -> Any:
    """Elaborate `gap(a, b)`."""
    a, b = (expressions.whole(argument, scope) for argument in node.arguments)
    return build.numeric("gap", a, b)


def gap_range(p: pytest.MonkeyPatch) -> None:
    """Let the ranges of operations know the difference without its sign."""

    def between(a: Range, b: Range) -> Range:
        return Range(0, max(a.high - b.low, b.high - a.low))

    p.setitem(COMBINED, "gap", between)


def gap_code(p: pytest.MonkeyPatch) -> None:
    """Let the code of numbers know the difference without its sign."""
    known = arithmetic.result

    def result(f: Any, name: str, a: Any, b: Any, found: Range) -> Integer:
        if name != "gap":
            return known(f, name, a, b, found)
        both = Range(-found.high, found.high)
        type_ = integer(width_of(found))
        first, second = widened(f, a, both), widened(f, b, both)
        there = f.binary("sub", type_, first, second)
        back = f.binary("sub", type_, second, first)
        return Integer(f.select(f.compare("slt", type_, there, 0), type_, back, there))

    p.setattr(arithmetic, "result", result)


_MEANING = Place("OPERATIONS", "", "gdl/core/operations.py")
_WORD = Place("FUNCTIONS", "", "gdl/elaborate/expressions/builtins.py")
ON_SETS: Added = {
    _MEANING: lambda p: p.setitem(OPERATIONS, "second", second),
    _WORD: lambda p: p.setitem(builtins.FUNCTIONS, "second", second_word),
    Place("_op", "Expressions", "interpreter/native/expressions/expressions.py"): second_code,
}
ON_NUMBERS: Added = {
    _MEANING: lambda p: p.setitem(OPERATIONS, "gap", lambda a, b: abs(a - b)),
    _WORD: lambda p: p.setitem(builtins.FUNCTIONS, "gap", gap_word),
    Place("COMBINED", "", "gdl/analysis/ranges.py"): gap_range,
    Place("result", "", "interpreter/native/emit/arithmetic.py"): gap_code,
}
BOTH = pytest.mark.parametrize(
    ("kind", "added", "text", "name"),
    [
        ("A core operation on sets", ON_SETS, SECOND, "second"),
        ("A core operation on numbers", ON_NUMBERS, GAP, "gap"),
    ],
)


def load(text: str) -> Game:
    """Return a game without a file."""
    return load_source(Source("adding.yaml", text))


def failures(game: Game, evaluator: Callable[[Game], Evaluator]) -> list[str]:
    """Return what fails in the examples of a game."""
    return [d.message for r in run_examples(game, evaluator=evaluator) for d in r.diagnostics]


@BOTH
def test_the_places_are_those_of_the_page(kind: str, added: Added, text: str, name: str) -> None:
    named = steps(kind)
    if kind.endswith("numbers"):
        named[0] = steps("A core operation on sets")[0]
        named.insert(1, steps("A core operation on sets")[1])
    asked = [step for step in named if step]
    assert all(any(place in added for place in step) for step in asked), asked
    assert set(added) <= {place for step in asked for place in step}


@BOTH
def test_an_operation_that_was_added_is_played(
    kind: str, added: Added, text: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for patch in added.values():
        patch(monkeypatch)
    game = load(text)
    reference, native = ReferenceRules(game), NativeRules(game)
    for evaluator in (ReferenceRules, NativeRules):
        assert failures(game, evaluator) == []
    counts = [e.perft(e.start(), 2) for e in (reference, native)]
    assert counts[0] == counts[1] > 0
    names = tuple(site.name for site in game.board.sites)
    told = listing(game.program, Names(names, game.sides, game.relations, game.regions))
    assert f"{name}(" in told


@BOTH
def test_no_place_could_have_been_left_out(
    kind: str, added: Added, text: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for left_out in added:
        with monkeypatch.context() as partly:
            for place, patch in added.items():
                if place != left_out:
                    patch(partly)
            with pytest.raises(Exception):  # noqa: B017 (each place fails in its own way)
                game = load(text)
                assert failures(game, ReferenceRules) == []
                assert failures(game, NativeRules) == []
