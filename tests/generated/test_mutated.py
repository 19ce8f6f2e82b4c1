"""A few changed games and positions, of the thousands that `tests/mutated_nightly.py` plays."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from mutated import damaged, mutant, originals
from mutated_nightly import SCRIPT

TESTS = Path(__file__).parents[1]
_CASES = 12


def told(file: Path, *options: str) -> tuple[int, list[dict[str, Any]]]:
    """Run a script of cases; return its status, and what came of each, by number."""
    done = subprocess.run(
        [sys.executable, str(file), "--json", *options], capture_output=True, text=True
    )
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found, done.stderr
    return done.returncode, sorted(found, key=lambda one: int(one["seed"]))


@pytest.mark.slow
def test_some_changed_games() -> None:
    _, found = told(TESTS / "mutated_nightly.py", "-n", str(_CASES), "--all")
    assert [one for one in found if "finding" in one and one["result"] != "slow"] == []
    assert [one["seed"] for one in found] == list(range(_CASES))
    results = Counter(one["result"] for one in found)
    assert results["same"] >= 3 and results["refused"] >= 3
    done = Counter[str]()
    for one in found:
        done.update({what: number for what, number in one.items() if isinstance(number, int)})
    assert done["loaded"] == done["checked"] == _CASES
    assert done["compiled"] >= done["compared"] >= 3 and done["shown"] >= 3
    assert done["positions accepted"] >= 5 and done["positions compared"] >= 3


def test_most_steps_are_for_a_part_of_the_cases() -> None:
    found = [SCRIPT.play(seed) for seed in range(4)]
    assert all("loaded" in one and "finding" not in one for one in found)
    assert not any("compiled" in one for one in (found[0], *found[2:]))
    assert not any("shown" in one for one in found[1:])


def test_changes_are_of_many_kinds() -> None:
    texts = {mutant(Random(seed))[0] for seed in range(200)}
    assert len(texts) > 180
    assert any("board: square(25, 25)" in mutant(Random(seed))[0] for seed in range(2000))
    assert any(mutant(Random(seed))[1] for seed in range(50))
    assert len(originals()) > 150
    data = {"state": {"a": "a1 b2", "n": 3}, "list": [1, 2]}
    changed = [damaged(data, Random(seed)) for seed in range(50)]
    assert sum(one != data for one in changed) > 40
    assert data == {"state": {"a": "a1 b2", "n": 3}, "list": [1, 2]}


CRASHING = """\
import os, sys
sys.path.insert(0, {tests!r})
from nightly import Script, main

def play(seed):
    if seed == 3:
        os.abort()
    return {{"result": "same", "plies": 2}}

sys.exit(main(Script(play, str, (), "cases"), None, 5))
"""


def test_a_crash_is_a_finding_and_costs_one_case(tmp_path: Path) -> None:
    path = tmp_path / "crashing.py"
    path.write_text(CRASHING.format(tests=str(TESTS)))
    status, found = told(path, "-n", "6")
    assert [one["result"] for one in found] == ["same"] * 3 + ["crash"] + ["same"] * 2
    assert found[3]["finding"] == "the process ended with status -6"
    assert status == 1
    assert told(path, "-n", "3", "--processes", "2")[0] == 0


def test_a_case_is_shown() -> None:
    assert SCRIPT.show(0).startswith("# options: ")
