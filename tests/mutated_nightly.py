"""Changed games and positions by the thousand: refused with a diagnostic, or played right.

Run as `python tests/mutated_nightly.py -n 100000 --processes 2` in the project's folder. Each case
is `mutant(Random(seed))` of a seed of its own: it is loaded, and what loads is played as `gdl
verify` plays it; then positions of it are changed as JSON, and what is accepted is held against the
reference as well. The processes are those of `tests/generated_nightly.py`.

A finding is: another exception than a diagnostic, a crash, a difference between the evaluators, a
load that takes longer than two seconds of the processor (`slow`), and rules that fail without a
place in the file (`no place`). Ends with status 1 if there are findings.
"""

from __future__ import annotations

import json
import resource
import sys
import time
import traceback
from random import Random

from generated_nightly import rules_of, told
from mutated import damaged, mutant
from nightly import Found, Script, main

from gdl.diagnostic import GameError, Source
from gdl.load import load_source
from gdl.model import Game
from interpreter.evaluation.evaluator import RuleError, State
from interpreter.native.runtime.rules import NativeRules, Uncovered
from interpreter.positions.position import Position, Rules
from interpreter.reference.rules import ReferenceRules
from interpreter.verify import Limits, Lockstep, Pair, verify
from interpreter.verify.deadline import TimeUp, limited
from interpreter.verify.lockstep import Differs, Failed

LIMITS = Limits(games=1, max_plies=5, seconds=2)
MOST_MEMORY = 6 << 30
MOST_SECONDS = 60.0
MOST_PROCESSOR_SECONDS = 10.0
LOAD_SECONDS = 2.0
POSITIONS = 12
SIDE_BY_SIDE = 3
"""How many changed positions of a game are read, and how many of those accepted are played on."""


def played(seed: int) -> Found:
    """Return what came of a case."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    stage, begun = "loading", time.process_time()
    try:
        with limited(MOST_SECONDS):
            game = _loaded(seed)
            seconds = time.process_time() - begun
            if seconds > LOAD_SECONDS:
                return {"result": "slow", "finding": f"loading took {seconds:.1f} s"}
            if game is None:
                return {"result": "refused"}
            stage = "compiling"
            rules = rules_of(game, seed)
            rules.compile()
    except TimeUp:
        seconds = time.process_time() - begun
        if seconds < MOST_PROCESSOR_SECONDS:
            return {"result": "not in time"}
        return {"result": "slow", "finding": f"{stage} took longer than {seconds:.1f} s"}
    except Uncovered as reason:
        return {"result": "not native", f"not native: {reason.diagnostic.code}": 1}
    except Exception:
        return {"result": "fault", "finding": _problem(stage)}
    try:
        return _compared(game, rules, seed)
    except Exception:
        return {"result": "fault", "finding": _problem("playing")}
    finally:
        rules.close()


def _problem(stage: str) -> str:
    return f"{stage}: {traceback.format_exc(limit=-4)}"


def _loaded(seed: int) -> Game | None:
    """Return the game of a case, or None if it is refused, after a look at what is said of it."""
    text, options = mutant(Random(seed))
    try:
        return load_source(Source(f"{seed}.yaml", text), options)
    except GameError as error:
        assert error.diagnostics
        for found in error.diagnostics:
            assert found.to_text() and json.dumps(found.to_json())
        return None


def _compared(game: Game, rules: NativeRules, seed: int) -> Found:
    verdict = verify(ReferenceRules(game), rules, seed, LIMITS)
    found = told(verdict)
    if found["result"] == "different":
        return found
    for failure in verdict.failures:
        if failure.diagnostic.span is None:
            problem = f"{failure.diagnostic.code}: {failure.diagnostic.message}"
            return found | {"result": "no place", "finding": problem}
    try:
        with limited(MOST_SECONDS):
            return found | _positions(game, rules, Random(seed))
    except TimeUp:
        return found
    except Differs as error:
        one = error.difference
        finding = f"position {one.kind}: {one.reference} / {one.other}"
        return found | {"result": "different", "finding": finding}


def _positions(game: Game, rules: NativeRules, random: Random) -> Found:
    """Read changed positions of a game; play on in those that are accepted. Raises Differs."""
    reader = Rules(game)
    data = json.loads(json.dumps(_some_position(reader, random).to_json()))
    read = accepted = 0
    for _ in range(POSITIONS):
        changed = damaged(data, random)
        read += 1
        try:
            state = reader.from_json(json.loads(json.dumps(changed))).state
        except GameError:
            continue
        accepted += 1
        if accepted <= SIDE_BY_SIDE:
            _side_by_side(rules, state, random)
    return {"positions read": read, "positions accepted": accepted}


def _some_position(reader: Rules, random: Random) -> Position:
    position = reader.start()
    try:
        for _ in range(random.randrange(4)):
            moves = position.moves()
            if not moves:
                break
            position = position.play(random.choice(moves))
    except RuleError:
        pass
    return position


def _side_by_side(rules: NativeRules, state: State, random: Random) -> None:
    """Play a little with both evaluators from a state. Raises Differs."""
    lockstep = Lockstep(ReferenceRules(rules.game), rules)
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


SCRIPT = Script(__file__, played, shown, ("different", "fault", "slow", "no place"), "cases")

if __name__ == "__main__":
    sys.exit(main(SCRIPT, __doc__, 100_000))
