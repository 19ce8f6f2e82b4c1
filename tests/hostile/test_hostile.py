"""Files that are made to do harm: each of `tests/hostile` is stopped, at a place, with a way out.

In: files with `# COMMANDS: CODE` on a line: these commands end there with that diagnostic. What
then holds: so they do within a small part of the usual budget, and within little memory. That the
work is counted is tested, not the time that it takes; a hang is one of minutes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from forked_commands import Done
from forked_commands import run as run_forked

ROOT = Path(__file__).parents[2]
FILES = sorted((ROOT / "tests" / "hostile").glob("*.yaml"))
COMMANDS = {
    "moves": ("moves",),
    "after-a1": ("moves", "--after", "a1"),
    "perft": ("perft", "1"),
    "playout": ("playout", "-n", "2", "--seed", "1", "--max-plies", "3"),
    "one-game": ("playout", "-n", "1", "--max-plies", "3", "--backend", "reference"),
}
SMALL = "0.1x"
MOST_MEMORY = 4 << 30
"""Of addresses, of which the machinery that makes native code takes most."""

_STOPS = re.compile(r"# ([a-z0-9, -]+): ([a-z-]+)$")


def stops() -> Iterator[tuple[Path, str, int, str]]:
    """Yield each file with a command, and the line and the code that it is to stop with."""
    for file in FILES:
        for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
            found = _STOPS.search(line)
            if found is not None:
                for command in found[1].split(", "):
                    yield file, command, number, found[2]


def run(file: Path, command: str, budget: str, folder: Path) -> Done:
    """Run a command on a file within a budget, and within as much memory as there may be."""
    name, *rest = COMMANDS[command]
    arguments = (name, str(file), *rest, "--budget", budget, "--json")
    return run_forked(arguments, folder, memory=MOST_MEMORY)


@pytest.mark.parametrize(
    ("file", "command", "line", "code"),
    list(stops()),
    ids=[f"{file.stem}-{command}" for file, command, _, _ in stops()],
)
def test_what_never_ends_is_stopped_at_its_place(
    file: Path, command: str, line: int, code: str, tmp_path: Path
) -> None:
    done = run(file, command, SMALL, tmp_path)
    assert done.status == 1, done.errors
    (found,) = json.loads(done.output)["diagnostics"]
    assert (found["code"], found["line"]) == (code, line)
    assert "--budget" in found["hint"] or code == "endless-loop"


def test_every_file_is_stopped_somewhere() -> None:
    assert {file for file, *_ in stops()} == set(FILES)


def test_work_that_is_meant_is_allowed_by_a_larger_budget(tmp_path: Path) -> None:
    file = ROOT / "tests" / "hostile" / "more-than-usual.yaml"
    assert run(file, "moves", SMALL, tmp_path).status == 1
    done = run(file, "moves", "none", tmp_path)
    assert json.loads(done.output)["moves"] == ["300 300"]
