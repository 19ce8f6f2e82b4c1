"""Changed games and positions by the thousand: refused with a diagnostic, or played right.

Run as `python tests/mutated_nightly.py -n 100000 --processes 2` in the project's folder. Each case
is `mutant(Random(seed))` of a seed of its own. All are loaded, and what loads is played a few plies
by the reference. What takes longer is done with a part of them (with all by `--all`): every fourth
position is drawn, kept as JSON, and read again, whole and changed; every fiftieth game is compiled
and played as `gdl verify` plays it, from changed positions as well, and every fiftieth file is
checked as `gdl check` checks it. What was done to how many is printed.

A finding is: another exception than a diagnostic, a crash, a difference between the evaluators, a
load that takes longer than two seconds of the processor (`slow`), a case that takes the process
beyond 500 MB without native code (`large`), and rules that fail without a place in the file (`no
place`). Ends with status 1 if there are findings.
"""

from __future__ import annotations

import json
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Set
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from generated_nightly import rules_of, told
from mutated import damaged, mutant, originals
from nightly import Found, Script, main

from gdl.diagnostic import Diagnostic, GameError, Source
from gdl.interpreter.check import Effort, check_game
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.render.text.text import render_text
from gdl.interpreter.verify import Limits, Pair, TwoEvaluators, verify
from gdl.interpreter.verify.deadline import TimeUp, limited
from gdl.interpreter.verify.lockstep import Differs, Failed
from gdl.load import load_source
from gdl.model import Game
from gdl.resources.budget import Budget, allowed

SHOWN_EACH, COMPILED_EACH, CHECKED_EACH = 4, 50, 50
LIMITS = Limits(games=1, max_plies=5, seconds=2)
PLIES = 4
MANY_MOVES = 1000
"""Where a position has more, play ends: to list them again takes as long as many other cases."""
PART_OF_BUDGET = Budget(0.05)
"""What a turn of the reference may take: a message of too much work needs a place as well."""
SECONDS_OF_CASE = 60.0
LOAD_SECONDS = 2.0
EFFORT = Effort(0.025)
MOST_KILOBYTES = 500 << 10
POSITIONS = 6
SIDE_BY_SIDE = 3
"""How many changed positions of a game are read, and how many of those accepted are played on."""


ALL_STEPS = frozenset(("show", "compile", "check"))


class NoPlaceError(Exception):
    """The rules have failed, and the failure names no place in the file."""


@dataclass
class Case:
    """A case while it is tried: its number, the stage, and what was done so far."""

    seed: int
    stage: str = "loading"
    done: dict[str, int] = field(default_factory=dict)

    def begin(self, stage: str) -> None:
        """Say what is done now."""
        self.stage = stage
        self.count(stage)

    def count(self, what: str, number: int = 1) -> None:
        """Count what was done."""
        self.done[what] = self.done.get(what, 0) + number


def tried(seed: int) -> Found:
    """Return what came of a case; what takes long is done with a part of the cases."""
    steps = {
        "show": seed % SHOWN_EACH == 0,
        "compile": seed % COMPILED_EACH == 1,
        "check": seed % CHECKED_EACH == 2,
    }
    return _tried(seed, {step for step, is_its_turn in steps.items() if is_its_turn})


def tried_wholly(seed: int) -> Found:
    """Return what came of a case with which everything is done."""
    return _tried(seed, ALL_STEPS)


def _tried(seed: int, steps: Set[str]) -> Found:
    case, begun, kilobytes = Case(seed), time.process_time(), _peak()
    try:
        with limited(SECONDS_OF_CASE):
            found = _load_and_play(case, steps)
            if _peak() > MOST_KILOBYTES >= kilobytes:
                found = {"result": "large", "finding": f"{_peak() >> 10} MB at {case.stage}"}
            if found["result"] == "played" and "compile" in steps:
                found = _compared(case)
            if "check" in steps:
                _check(case)
    except TimeUp:
        seconds = time.process_time() - begun
        found = {"result": "not in time"}
        if seconds > SECONDS_OF_CASE / 3:
            found = {"result": "slow", "finding": f"{case.stage} goes on after {seconds:.1f} s"}
    except NoPlaceError as error:
        found = {"result": "no place", "finding": f"{case.stage}: {error}"}
    except Differs as error:
        one = error.difference
        finding = f"position {one.kind}: {one.first} / {one.second}"
        found = {"result": "different", "finding": finding}
    except Exception:
        problem = f"{case.stage}: {traceback.format_exc(limit=-4)}"
        found = {"result": "fault", "finding": problem}
    return case.done | found


def _peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _load_and_play(case: Case, steps: Set[str]) -> Found:
    begun = time.process_time()
    game = _loaded(case)
    seconds = time.process_time() - begun
    if seconds > LOAD_SECONDS:
        return {"result": "slow", "finding": f"loading took {seconds:.1f} s"}
    if game is None:
        return {"result": "refused"}
    with allowed(PART_OF_BUDGET):
        reader, random = Rules(game), Random(case.seed)
        case.begin("played")
        last = _played(case, reader, random)
        if last is not None and "show" in steps:
            case.begin("shown")
            _shown(reader, last)
            case.begin("changed")
            _changed(case, reader, last, random)
    return {"result": "played"}


def _loaded(case: Case) -> Game | None:
    """Return the game of a case, or None if it is refused, after a look at what is said of it."""
    text, options = mutant(Random(case.seed))
    case.begin("loaded")
    try:
        return load_source(Source(f"{case.seed}.yaml", text), options)
    except GameError as error:
        assert error.diagnostics
        for found in error.diagnostics:
            assert found.to_text() and json.dumps(found.to_json())
        return None


def _played(case: Case, reader: Rules, random: Random) -> Position | None:
    """Play a few plies at random; return the last position that the rules give moves for."""
    position = last = None
    try:
        position = reader.start()
        for _ in range(PLIES):
            moves = position.moves()
            last = position
            if position.outcome is not None or not 0 < len(moves) <= MANY_MOVES:
                break
            position = position.play(random.choice(moves))
            case.count("plies")
    except RuleError as error:
        _place_of(error.diagnostic)
        case.count("rules fail")
    return last


def _place_of(found: Diagnostic) -> None:
    """Raise NoPlaceError if a failure of the rules names no place in the file."""
    if found.span is None:
        raise NoPlaceError(f"{found.code}: {found.message}")
    assert found.to_text() and json.dumps(found.to_json())


def _shown(reader: Rules, position: Position) -> None:
    """Draw a position, and read it again as it is kept."""
    try:
        assert render_text(position.scene(), ascii=False)
    except RuleError as error:
        _place_of(error.diagnostic)
    again = reader.from_json(json.loads(json.dumps(position.to_json())))
    assert again.state == position.state, "a position is read other than it was kept"


def _changed(case: Case, reader: Rules, position: Position, random: Random) -> list[State]:
    """Read changed positions and list the moves of those accepted, which are returned."""
    data = json.loads(json.dumps(position.to_json()))
    accepted = []
    for _ in range(POSITIONS):
        changed = damaged(data, random)
        case.count("positions read")
        try:
            read = reader.from_json(json.loads(json.dumps(changed)))
        except GameError:
            continue
        case.count("positions accepted")
        accepted.append(read.state)
        if len(accepted) == 1:
            try:
                read.moves()
            except RuleError as error:
                _place_of(error.diagnostic)
    return accepted


def _check(case: Case) -> None:
    """Check the file of a case, without its options."""
    case.begin("checked")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{case.seed}.yaml"
        file.write_text(mutant(Random(case.seed))[0], encoding="utf-8")
        for finding in check_game(str(file), EFFORT):
            assert finding.diagnostic.to_text() and json.dumps(finding.to_json())


def _compared(case: Case) -> Found:
    """Hold native code against the reference, from the start and from changed positions."""
    text, options = mutant(Random(case.seed))
    game = load_source(Source(f"{case.seed}.yaml", text), options)
    case.begin("compiled")
    try:
        rules = rules_of(game, case.seed // COMPILED_EACH)
        rules.compile()
    except Uncovered as reason:
        return {"result": "not native", f"not native: {reason.diagnostic.code}": 1}
    try:
        case.begin("compared")
        verdict = verify(ReferenceRules(game), rules, case.seed, LIMITS)
        found = told(verdict)
        for failure in verdict.failures:
            _place_of(failure.diagnostic)
        if found["result"] != "different":
            _side_by_side(case, rules)
        return found
    finally:
        rules.close()


def _side_by_side(case: Case, rules: NativeRules) -> None:
    """Play a little with both evaluators from changed positions. Raises Differs."""
    reader, random = Rules(rules.game), Random(case.seed)
    last = _played(case, reader, random)
    if last is None:
        return
    for state in _changed(case, reader, last, random)[:SIDE_BY_SIDE]:
        case.count("positions compared")
        lockstep = TwoEvaluators(ReferenceRules(rules.game), rules)
        pair = Pair(state, state)
        try:
            for _ in range(3):
                legal = lockstep.look(pair)
                if not legal:
                    break
                pair = lockstep.advance(pair, random.choice(legal))
        except Failed:
            pass


def shown(seed: int) -> str:
    """Return the text of a case, with its options in a comment."""
    text, options = mutant(Random(seed))
    return f"# options: {options}\n{text}"


def prepare() -> None:
    """Load what every case needs, once for all processes."""
    for text in originals()[:5]:
        load_source(Source("original.yaml", text))


SCRIPT = Script(
    tried,
    shown,
    ("different", "fault", "slow", "large", "no place"),
    "cases",
    prepare,
    tried_wholly,
)

if __name__ == "__main__":
    sys.exit(main(SCRIPT, __doc__, 100_000))
