"""Cases by the thousand, in processes of their own: so that a crash is a finding.

In: a script that plays cases of a number each, and how many. Out: what came of each, counted; the
findings, printed with their numbers. What then holds: a process that ends early, or is busy for
minutes, costs one case; the next one goes on behind it.

A script calls `main` with its function from a number to what came of it: a dictionary with the
`result`, perhaps a `finding`, and numbers, which are added up. Processes are forked from one that
has everything loaded: to begin one takes a few thousandths of a second.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection, wait

Found = dict[str, object]
Play = Callable[[int], Found]

CHUNK = 100
MOST_SECONDS = 600.0
"""How long a case may keep its process, by the clock: other work may keep the machine busy."""
MOST_MEMORY = 6 << 30
_FORKING = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Script:
    """What plays cases: the text of a case, bad results, and what to load before.

    `play_wholly` does with a case what `play` does with a part of them.
    """

    play: Play
    show: Callable[[int], str]
    bad: Collection[str]
    what: str
    prepare: Callable[[], object] = lambda: None
    play_wholly: Play | None = None


class _Worker:
    """A process that plays cases one after the other, and what it has not told yet."""

    def __init__(self, script: Script, seeds: range) -> None:
        self.left = seeds
        self.connection, theirs = _FORKING.Pipe(duplex=False)
        self.process = _FORKING.Process(target=_play_here, args=(script, seeds, theirs))
        self.process.start()
        theirs.close()
        self.late_at = time.monotonic() + MOST_SECONDS
        self.is_killed = False

    def next_found(self) -> Found | None:
        """Return what came of the next case; None if there is none any more."""
        try:
            found: Found = self.connection.recv()
        except EOFError:
            self.process.join()
            self.connection.close()
            return None
        self.left = self.left[1:]
        self.late_at = time.monotonic() + MOST_SECONDS
        return found

    def kill_if_late(self) -> None:
        """End the process if its case takes too long."""
        if time.monotonic() > self.late_at and not self.is_killed:
            self.is_killed = True
            self.process.kill()

    def crash(self) -> Found:
        """Return the case with which the process has ended."""
        reason = f"the process ended with status {self.process.exitcode}"
        if self.is_killed:
            reason = "the time was over"
        return {"seed": self.left.start, "result": "crash", "finding": reason}


def _play_here(script: Script, seeds: range, connection: Connection) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
    for seed in seeds:
        connection.send({"seed": seed} | script.play(seed))


def play(script: Script, seeds: range, processes: int) -> Iterator[Found]:
    """Yield what came of each case; each process that ends early gets a successor."""
    script.prepare()
    chunks = deque(seeds[first : first + CHUNK] for first in range(0, len(seeds), CHUNK))
    workers: dict[Connection, _Worker] = {}
    while chunks or workers:
        while chunks and len(workers) < processes:
            worker = _Worker(script, chunks.popleft())
            workers[worker.connection] = worker
        for worker in workers.values():
            worker.kill_if_late()
        for ready in _ready(workers):
            worker = workers[ready]
            found = worker.next_found()
            if found is not None:
                yield found
                continue
            del workers[ready]
            if worker.left:
                yield worker.crash()
                chunks.appendleft(worker.left[1:])


def _ready(workers: dict[Connection, _Worker]) -> list[Connection]:
    return [one for one in wait(list(workers), timeout=1) if isinstance(one, Connection)]


def play_all(script: Script, seeds: range, processes: int, *, as_json: bool) -> bool:
    """Play cases in several processes, and print what came of them; whether all went well."""
    results: Counter[str] = Counter()
    compared: Counter[str] = Counter()
    begun = time.monotonic()
    for one in play(script, seeds, processes):
        results[str(one["result"])] += 1
        compared.update({k: v for k, v in one.items() if isinstance(v, int) and k != "seed"})
        if as_json:
            print(json.dumps(one), flush=True)
        elif "finding" in one:
            print(f"seed {one['seed']}: {one['result']}: {one['finding']}", flush=True)
        if results.total() % (10 * CHUNK) == 0:
            print(f"{results.total()} {script.what}: {dict(results)}", file=sys.stderr, flush=True)
    summary = (
        f"{results.total()} {script.what} in {time.monotonic() - begun:.0f} s: {dict(results)}\n"
        f"compared: {dict(compared)}"
    )
    print(summary, file=sys.stderr if as_json else sys.stdout)
    return not any(results[bad] for bad in ("crash", *script.bad))


def main(
    script: Script, description: str | None, number: int, arguments: Sequence[str] | None = None
) -> int:
    """Do what the command line says; return the exit status."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("-n", "--number", type=int, default=number, help="how many")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--processes", type=int, default=1, help="how many at once")
    if script.play_wholly is not None:
        parser.add_argument("--all", action="store_true", help="do everything with each case")
    parser.add_argument("--json", action="store_true", help="print each case as a line of JSON")
    parser.add_argument("--show", type=int, metavar="SEED", help="print a case")
    asked = parser.parse_args(arguments)
    seeds = range(asked.first, asked.first + asked.number)
    if asked.show is not None:
        print(script.show(asked.show))
        return 0
    if script.play_wholly is not None and asked.all:
        script = replace(script, play=script.play_wholly)
    return 0 if play_all(script, seeds, asked.processes, as_json=asked.json) else 1
