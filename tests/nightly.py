"""Cases by the thousand, in processes of their own: so that a crash is a finding.

In: a script that plays cases of a number each, and how many. Out: what came of each, counted; the
findings, printed with their numbers. What then holds: a process that ends early, or is busy for
minutes, costs one case; the next one goes on behind it.

A script calls `main` with its function from a number to what came of it: a dictionary with the
`result`, perhaps a `finding`, and numbers, which are added up.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

Found = dict[str, object]
Play = Callable[[int], Found]

CHUNK = 40
MOST_SECONDS = 60
"""How long a case may keep its process busy, on average over a chunk."""


@dataclass(frozen=True)
class Script:
    """What plays cases: the file that is run for that, the text of a case, and bad results."""

    file: str
    play: Play
    show: Callable[[int], str]
    bad: Collection[str]
    what: str


def play_here(script: Script, seeds: Sequence[int]) -> None:
    """Play cases in this process; print a line when one begins, and one when it is played."""
    for seed in seeds:
        print(json.dumps({"seed": seed}), flush=True)
        print(json.dumps({"seed": seed} | script.play(seed)), flush=True)


def play_apart(script: Script, seeds: range) -> Iterator[Found]:
    """Yield what came of each case; each process that ends early gets a successor."""
    first = seeds.start
    while first < seeds.stop:
        command = [sys.executable, script.file, "--first", str(first)]
        command += ["-n", str(seeds.stop - first), "--here"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            try:
                output, _ = process.communicate(timeout=MOST_SECONDS * (seeds.stop - first))
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


def play_all(script: Script, seeds: range, processes: int) -> bool:
    """Play cases in several processes, and print what came of them; whether all went well."""
    results: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    begun = time.monotonic()
    chunks = [
        range(first, min(first + CHUNK, seeds.stop))
        for first in range(seeds.start, seeds.stop, CHUNK)
    ]
    with ThreadPoolExecutor(processes) as pool:
        played = pool.map(lambda chunk: list(play_apart(script, chunk)), chunks)
        for number, found in enumerate(played, 1):
            for one in found:
                results[str(one["result"])] += 1
                compared.update({k: v for k, v in one.items() if isinstance(v, int)})
                if "finding" in one:
                    print(f"seed {one['seed']}: {one['result']}: {one['finding']}", flush=True)
            if number % 10 == 0:
                print(f"{results.total()} {script.what}: {dict(results)}", file=sys.stderr)
    del compared["seed"]
    print(f"{results.total()} {script.what} in {time.monotonic() - begun:.0f} s: {dict(results)}")
    print(f"compared: {dict(compared)}")
    return not any(results[bad] for bad in ("crash", *script.bad))


def main(script: Script, description: str | None, number: int) -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-n", "--number", type=int, default=number, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--processes", type=int, default=1, help="how many at once")
    parser.add_argument("--here", action="store_true", help="in this process, as lines of JSON")
    parser.add_argument("--show", type=int, metavar="SEED", help="print a case")
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.number)
    if asked.show is not None:
        print(script.show(asked.show))
    elif asked.here:
        play_here(script, seeds)
    else:
        return 0 if play_all(script, seeds, asked.processes) else 1
    return 0
