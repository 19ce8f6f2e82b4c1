"""Random games by the thousand: native code held against the reference interpreter.

Run as `python tests/generated_nightly.py -n 10000 --processes 2` in the project's folder. Each
program is `game_text(Random(seed))` of a seed of its own. It is played as `gdl verify` plays a
file; some with sets as arrays in memory, some by checked code. `--quick` leaves LLVM's
optimisation out but for each fifth program: half the time for the same code as it is written.
Programs are played by the dozen
in processes of their own, so that a crash is a finding, and is told by its seed; so is a program
that keeps its process busy for minutes.

Prints each finding with its seed, and how much was compared. `python tests/generated_nightly.py
--show SEED` prints a program. Ends with status 1 if there are findings.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from random import Random

from generated import game_text

from gdl.diagnostic import GameError, Source
from gdl.load import load_source
from interpreter.native.runtime import engine
from interpreter.native.runtime.rules import NativeRules, Uncovered
from interpreter.reference.rules import ReferenceRules
from interpreter.verify import Limits, Verdict, verify

LIMITS = Limits(games=2, max_plies=8, seconds=2, shrink_seconds=5)
MANNERS = ("registers", "registers", "registers", "arrays", "checked")
"""How a program is played, by its seed: sets in registers, in arrays, by checked code."""

_USUAL = engine._PASSES, engine._CODE_LEVEL
_CHUNK = 40
_MOST_SECONDS = 60
"""How long a program may keep its process busy, on average over a chunk."""


_OPTIMISED_EVERY = 5


def rules_of(seed: int, is_quick: bool) -> NativeRules:
    """Return the native code of a program. Raises GameError and Uncovered."""
    is_optimised = not is_quick or seed // len(MANNERS) % _OPTIMISED_EVERY == 0
    engine._PASSES, engine._CODE_LEVEL = _USUAL if is_optimised else ((), 0)
    game = load_source(Source(f"{seed}.yaml", game_text(Random(seed))))
    manner = MANNERS[seed % len(MANNERS)]
    if manner == "arrays":
        return NativeRules(game, most_register_sites=0)
    return NativeRules(game, checked=manner == "checked")


def played(seed: int, is_quick: bool) -> dict[str, object]:
    """Return what came of a program: its `result`, how much was compared, the finding if any."""
    try:
        rules = rules_of(seed, is_quick)
    except GameError:
        return {"result": "refused"}
    except Uncovered:
        return {"result": "not native"}
    except Exception:
        return {"result": "fault", "finding": traceback.format_exc(limit=-4)}
    try:
        verdict = verify(ReferenceRules(rules.game), rules, seed, LIMITS)
        return told(verdict)
    except Exception:
        return {"result": "fault", "finding": traceback.format_exc(limit=-4)}
    finally:
        rules.close()


def told(verdict: Verdict) -> dict[str, object]:
    """Return a verdict as plain data."""
    found = {"result": "same"} | verdict.compared.to_json()
    if verdict.difference is not None:
        difference = verdict.difference
        after = ", ".join(move.text for move in difference.moves)
        finding = f"{difference.kind} after [{after}]: {difference.reference} / {difference.other}"
        return found | {"result": "different", "finding": finding}
    if verdict.failures:
        return found | {"result": "rules fail"}
    return found if verdict.compared.positions else {"result": "nothing compared"}


# ----------------------------------------------------------------------- processes


def play_here(seeds: Sequence[int], is_quick: bool) -> None:
    """Play programs in this process; print a line when one begins, and one when it is played."""
    for seed in seeds:
        print(json.dumps({"seed": seed}), flush=True)
        print(json.dumps({"seed": seed} | played(seed, is_quick)), flush=True)


def play_apart(seeds: range, is_quick: bool) -> Iterator[dict[str, object]]:
    """Yield what came of each program; each process that ends early gets a successor."""
    first = seeds.start
    while first < seeds.stop:
        command = [sys.executable, __file__, "--first", str(first), "-n", str(seeds.stop - first)]
        command += ["--here", "--quick"] if is_quick else ["--here"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                output, _ = process.communicate(timeout=_MOST_SECONDS * (seeds.stop - first))
                reason = f"the process ended with status {process.returncode}"
            except subprocess.TimeoutExpired:
                process.kill()
                output, _ = process.communicate()
                reason = "the time was over"
        begun = first
        for line in output.splitlines():
            found = json.loads(line)
            begun = found["seed"]
            if "result" in found:
                yield found
                first = begun + 1
        if first < seeds.stop:
            yield {"seed": begun, "result": "crash", "finding": reason}
            first = begun + 1


def play_all(seeds: range, processes: int, is_quick: bool) -> bool:
    """Play programs in several processes, and print what came of them; whether all went well."""
    results: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    begun = time.monotonic()
    chunks = [
        range(first, min(first + _CHUNK, seeds.stop))
        for first in range(seeds.start, seeds.stop, _CHUNK)
    ]
    with ThreadPoolExecutor(processes) as pool:
        played = pool.map(lambda chunk: list(play_apart(chunk, is_quick)), chunks)
        for number, found in enumerate(played, 1):
            for one in found:
                results[str(one["result"])] += 1
                compared.update({k: v for k, v in one.items() if isinstance(v, int)})
                if "finding" in one:
                    print(f"seed {one['seed']}: {one['result']}: {one['finding']}", flush=True)
            if number % 10 == 0:
                print(f"{results.total()} programs: {dict(results)}", file=sys.stderr, flush=True)
    del compared["seed"]
    print(f"{results.total()} programs in {time.monotonic() - begun:.0f} s: {dict(results)}")
    print(f"compared: {dict(compared)}")
    return not (results["different"] or results["crash"] or results["fault"])


def main() -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-n", "--number", type=int, default=10_000, help="how many programs")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--processes", type=int, default=1, help="how many at once")
    parser.add_argument("--quick", action="store_true", help="LLVM optimises each fifth alone")
    parser.add_argument("--here", action="store_true", help="in this process, as lines of JSON")
    parser.add_argument("--show", type=int, metavar="SEED", help="print a program")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.number)
    if asked.show is not None:
        print(game_text(Random(asked.show)))
    elif asked.here:
        play_here(seeds, asked.quick)
    else:
        return 0 if play_all(seeds, asked.processes, asked.quick) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
