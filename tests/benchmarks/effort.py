"""Units of work against time: `python -m tests.benchmarks.effort [GAME…]`.

For each game, or all, a line: how many units of work its check counted, the seconds of the
processor that it took, and seconds for a million units. `interpreter/check/effort.py` says what a
unit is; where a kind of game takes much longer than its units say, a constant is wrong.
"""

from __future__ import annotations

import sys
import time

from gdl.interpreter.check import Effort, Work, findings_of
from gdl.load import shipped_names


def main(arguments: list[str]) -> None:
    """Check games, and print a line for each."""
    for name in arguments or shipped_names():
        work, begun = Work(Effort()), time.process_time()
        found = sum(map(len, findings_of(name, work)))
        seconds = time.process_time() - begun
        ratio = seconds / work.done * 1_000_000
        print(
            f"{name:24} {work.done:12,.0f} units {seconds:6.2f} s {ratio:6.2f}"
            f" {work.games:8,} games {work.moves:8,} moves {found:4} findings",
            flush=True,
        )


if __name__ == "__main__":
    main(sys.argv[1:])
