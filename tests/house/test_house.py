"""The house rules that a program can check: imports, names, places."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path

import pytest
from hypothesis import settings

from gdl.diagnostic import Report, Source, Span
from gdl.document import load_document
from gdl.document.nodes import Mapping, Node, Scalar, Sequence
from gdl.document.parts import is_stuck
from gdl.load import find_game, games_folder, shipped_names
from gdl.syntax import tree
from gdl.syntax.parser import parse

ROOT = Path(__file__).parents[2]
CODE = [
    path
    for package in ("gdl", "interpreter")
    for path in sorted((ROOT / package).rglob("*"))
    if path.suffix in (".py", ".lark", ".yaml") and "games" not in path.parts
]


def imported_packages(path: Path) -> set[str]:
    """Return the top packages that a module imports anywhere in its text."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found.add(node.module.partition(".")[0])
    return found


def loaded_with(module: str) -> set[str]:
    """Return what is loaded with a module: itself, packages that it is in, what these import."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting.append(name.rpartition(".")[0] or name)
            waiting.extend(imports_of(name)[0])
    return found


@cache
def imports_of(module: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return what a module of the project imports as it is loaded, and in its functions."""
    path = ROOT.joinpath(*module.split("."))
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    at_once: set[str] = set()
    later: set[str] = set()

    def walk(node: ast.AST, found: set[str]) -> None:
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            inner = (f"{node.module}.{alias.name}" for alias in node.names)
            names = [name for name in inner if is_module(name)]
            found.update(names if len(names) == len(node.names) else [node.module, *names])
        elif not (isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)):
            is_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
            for child in ast.iter_child_nodes(node):
                walk(child, later if is_function else found)

    if path.is_file():
        walk(ast.parse(path.read_text("utf-8")), at_once)
    return frozenset(at_once), frozenset(later)


def is_module(name: str) -> bool:
    """Return whether a module or package of the project has this name."""
    path = ROOT.joinpath(*name.split("."))
    return path.is_dir() or path.with_suffix(".py").is_file()


def test_an_import_in_a_function_puts_off_something() -> None:
    """It is there for the time that loading takes, or for what need not be installed."""
    needless = []
    for path in CODE:
        if path.suffix == ".py":
            parts = path.relative_to(ROOT).with_suffix("").parts
            module = ".".join(part for part in parts if part != "__init__")
            if later := imports_of(module)[1]:
                needless += [f"{module}: {name}" for name in later & loaded_with(module)]
    assert needless == []


def test_the_language_does_not_import_its_interpreters() -> None:
    """The package's own names are the one exception: those that programs ask for."""
    modules = sorted({*(ROOT / "gdl").rglob("*.py")} - {ROOT / "gdl" / "__init__.py"})
    assert modules
    wrong = [str(path) for path in modules if "gdl.interpreter" in path.read_text("utf-8")]
    assert wrong == []


_PLAYS_BY_REFERENCE = """
import sys
from gdl.load import load_game
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.reference.rules import ReferenceRules
for name in ("draughts", "trellis", "go"):
    rules = ReferenceRules(load_game(name))
    start = rules.start()
    assert rules.perft(start, 1) > 0 and rules.playout(start, Chance(1), 3).moves == 3
print([name for name in sys.modules if name.startswith(("gdl.optimise", "gdl.analysis"))])
"""


def test_the_specification_uses_nothing_that_it_judges() -> None:
    """The reference interpreter plays, and draws, without any analysis or optimisation."""
    modules = sorted((ROOT / "interpreter" / "reference").rglob("*.py"))
    assert modules
    texts = [path.read_text("utf-8") for path in modules]
    assert not any("gdl.optimise" in text or "gdl.analysis" in text for text in texts)
    command = [sys.executable, "-c", _PLAYS_BY_REFERENCE]
    played = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    assert played.stdout.strip() == "[]"


_LISTED = (
    *("gdl/core", "gdl/elaborate", "gdl/syntax"),
    *("interpreter/cli", "interpreter/reference", "interpreter/render/svg"),
)
"""Packages whose docstring names all their modules in words."""


def packages_that_list_their_modules() -> list[Path]:
    """Return the packages whose docstring has a table of modules, or names them all in words."""
    packages = [path.parent for name in ("gdl", "interpreter") for path in all_packages(name)]
    return [p for p in packages if "|--" in about(p) or str(p.relative_to(ROOT)) in _LISTED]


def all_packages(name: str) -> list[Path]:
    """Return the files of the packages within a package."""
    return sorted((ROOT / name).rglob("__init__.py"))


def about(package: Path) -> str:
    """Return the docstring of a package."""
    text = (package / "__init__.py").read_text("utf-8")
    return (ast.get_docstring(ast.parse(text)) or "").replace("| --", "|--")


def test_a_package_that_lists_its_modules_lists_them_all() -> None:
    packages = packages_that_list_their_modules()
    assert len(packages) > len(_LISTED) + 8
    for package in packages:
        found = package.glob("*.py")
        modules = sorted(path.stem for path in found if not path.stem.startswith("__"))
        text = about(package)
        assert [name for name in modules if not re.search(rf"\b{name}\b", text)] == [], package


def test_no_two_modules_of_tests_have_one_name() -> None:
    """Python imports a file of a folder that is no package by its name alone."""
    paths = [*(ROOT / "tests").rglob("test_*.py")]
    names = [path.name for path in paths if not path.with_name("__init__.py").exists()]
    assert {name for name in names if names.count(name) > 1} == set()


def test_no_property_has_a_deadline() -> None:
    """A test of hypothesis may take as long as a busy machine needs."""
    assert settings.default is not None and settings.default.deadline is None
    texts = [path.read_text("utf-8") for path in sorted((ROOT / "tests").rglob("*.py"))]
    found = [
        after for text in texts for after in re.findall(r"settings\([^)]*deadline=(\w+)", text)
    ]
    assert found and set(found) == {"None"}


_SHORTEST_CLEAR_NAME = 4


@cache
def game_name() -> re.Pattern[str]:
    """Return what finds the name of a shipped game as a word of its own.

    Short names are also plain words of code (a coordinate, a verb, a lattice): they are looked
    for with a capital inside a sentence.
    """
    names = []
    for name in shipped_names():
        if len(name) < _SHORTEST_CLEAR_NAME:
            names.append(rf"(?:(?<=[a-z,] )|(?<=['`(])){name.capitalize()}")
        else:
            names.append(f"(?i:{re.escape(name).replace(chr(92) + '-', '[ _-]')})")
    return re.compile(rf"(?<![A-Za-z0-9])(?:{'|'.join(names)})(?![A-Za-z0-9])")


def test_no_shipped_game_is_named_in_the_code() -> None:
    named = []
    for path in CODE:
        text = path.read_text("utf-8")
        lines = text.split("\n")
        places = [text.count("\n", 0, found.start()) for found in game_name().finditer(text)]
        named += [f"{path.relative_to(ROOT)}:{line + 1}: {lines[line]}" for line in places]
    assert named == []


def test_the_names_of_games_would_be_found() -> None:
    for text in ("like Tic tac_toe but", "as in Hex", "(`Go`)", "OTHELLO"):
        assert game_name().search(text), text
    for text in ("y1 yes", "Go on", 'the lattice "hex"', "x, y"):
        assert not game_name().search(text), text


# ----------------------------------------------------------- places of syntax nodes

_TEXTS = {
    "players": "names",
    "board": "board",
    "turn": "program",
    "end": "clause",
    "stuck": "stuck_clause",
    "pieces": "piece_list",
}
_HEADS = {
    "define": ("head", "expression"),
    "relations": ("head", "expression"),
    "regions": ("head", "expression"),
    "state": ("state_head", "state_type"),
    "actions": ("head", "program"),
}


def nodes_of(value: object) -> Iterator[tree.Node]:
    """Yield a syntax node and all nodes in it."""
    if isinstance(value, tuple):
        for item in value:
            yield from nodes_of(item)
    elif isinstance(value, tree.Node) and is_dataclass(value):
        yield value
        for field in fields(value):
            yield from nodes_of(getattr(value, field.name))


def scalars(node: Node | None) -> Iterator[Scalar]:
    """Yield the texts of a setting that is a text or a list of texts."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from scalars(item)


def parsed_texts(part: Mapping) -> Iterator[tuple[Span, object]]:
    """Yield each text of a game, phase or variant that has a syntax, and its tree."""
    for section, entry in _TEXTS.items():
        for scalar in scalars(part.get(section)):
            if scalar.text.strip() and not (section == "end" and is_stuck(scalar)):
                yield scalar.span, parse(scalar.span, entry)
    for section, (head, body) in _HEADS.items():
        found = part.get(section)
        for key, value in found.entries if isinstance(found, Mapping) else ():
            yield key.span, parse(key.span, head)
            if isinstance(value, Scalar):
                yield value.span, parse(value.span, body)
    for section in ("phases", "variants"):
        inner = part.get(section)
        for _, value in inner.entries if isinstance(inner, Mapping) else ():
            if isinstance(value, Mapping):
                yield from parsed_texts(value)
            elif section == "phases" and isinstance(value, Scalar):
                yield value.span, parse(value.span, "program")


def _parent(name: str, child: Source) -> Source:
    return find_game(str(games_folder() / name) if name.endswith(".yaml") else name)


@pytest.mark.parametrize("name", shipped_names())
def test_every_syntax_node_of_a_game_knows_where_it_stands(name: str) -> None:
    report = Report()
    document = load_document(find_game(name), report, _parent)
    report.raise_errors()
    assert document is not None
    count = 0
    for text, syntax in parsed_texts(document):
        for node in nodes_of(syntax):
            count += 1
            assert node.span.source == text.source
            assert text.start <= node.span.start < node.span.end <= text.end, node
    assert count > 0


_BY_IDENTITY = {
    "gdl/core/memo.py": "keeps the nodes",
    "gdl/core/walk.py": "parts live as long as the whole that is walked through",
    "gdl/optimise/algebra/interner.py": "keeps each node that it has made",
    "gdl/optimise/algebra/terms.py": "interned nodes",
    "gdl/analysis/commuting.py": "interned nodes",
    "gdl/analysis/harmless.py": "interned nodes",
}
"""The modules that use the number by which `id` tells an object, each with why it can't be used by
another object meanwhile: as it can when the first is gone."""


def uses_identity(path: Path) -> bool:
    """Return whether a module calls `id`, or hands it on as a function."""
    tree = ast.parse(path.read_text("utf-8"))
    return any(
        isinstance(node, ast.Name) and node.id == "id" and isinstance(node.ctx, ast.Load)
        for node in ast.walk(tree)
    )


def test_what_is_kept_by_identity_stands_in_a_memo() -> None:
    modules = (path for path in CODE if path.suffix == ".py")
    found = {path.relative_to(ROOT).as_posix() for path in modules if uses_identity(path)}
    assert found == _BY_IDENTITY.keys(), "use `gdl.core.memo`, which keeps the nodes, too"


def test_each_package_tells_type_checkers_of_its_types() -> None:
    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]
    packages = wheel["targets"]["wheel"]["packages"]
    assert packages == ["gdl"] and (ROOT / "gdl" / "interpreter").is_symlink()
    assert [name for name in packages if not (ROOT / name / "py.typed").is_file()] == []
    assert "exclude" not in wheel and "exclude" not in wheel["targets"]["wheel"]
