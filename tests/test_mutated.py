"""A few changed games and positions, of the thousands that `tests/mutated_nightly.py` plays."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

from mutated import damaged, mutant, originals
from mutated_nightly import SCRIPT
from nightly import play_all, play_apart

_CASES = range(40)


def test_some_changed_games() -> None:
    found = list(play_apart(SCRIPT, _CASES))
    assert [one for one in found if "finding" in one and one["result"] != "slow"] == []
    assert [one["seed"] for one in found] == list(_CASES)
    results = Counter(str(one["result"]) for one in found)
    assert results["same"] >= 5 and results["refused"] >= 5
    accepted = [one.get("positions accepted", 0) for one in found]
    assert sum(map(int, accepted)) >= 10  # type: ignore[call-overload]


def test_changes_are_of_many_kinds() -> None:
    texts = {mutant(Random(seed))[0] for seed in range(200)}
    assert len(texts) > 180
    assert sum("square(25, 25)" in text or "square(30, 21)" in text for text in texts)
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

sys.exit(main(Script(__file__, play, str, (), "cases"), None, 5))
"""


def test_a_crash_is_a_finding_and_costs_one_case(tmp_path: Path) -> None:
    path = tmp_path / "crashing.py"
    path.write_text(CRASHING.format(tests=str(Path(__file__).parent)))
    script = replace(SCRIPT, file=str(path), bad=())
    found = list(play_apart(script, range(6)))
    assert [one["result"] for one in found] == ["same"] * 3 + ["crash"] + ["same"] * 2
    assert "status -6" in str(found[3]["finding"])
    assert not play_all(script, range(6), 1)
    assert play_all(script, range(3), 1)


def test_a_case_is_shown() -> None:
    assert SCRIPT.show(0).startswith("# options: ")
