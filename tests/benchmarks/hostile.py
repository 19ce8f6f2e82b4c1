"""How long files that are made to do harm take, and how much memory.

In: files of `tests/hostile/others` by name (none: those of the table in docs/security.md). Out: a
row a file: seconds of the processor and the peak of memory of each command, the start of the
program included. What then holds: no command had code that was kept from before.

Run it as `python -m tests.benchmarks.hostile [--all] [NAME ...]` on an idle machine.
`--all` measures every file, and tells at the end which took more than two seconds or 500 MB.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

OTHERS = Path(__file__).parent.parent / "hostile" / "others"
COMMANDS: dict[str, tuple[str, ...]] = {
    "moves": (),
    "playout": ("--seconds", "1"),
    "verify": ("--seconds", "1"),
    "check": (),
}
TOLD = (
    *("check-variants", "load-41s", "moves-deadend", "nest3-before", "board30000-quad"),
    *("board30000-cubic", "chain-memory", "keepmost", "can-heavy", "check-misspelt"),
)
MOST_SECONDS, MOST_MEGABYTES = 2.0, 500


def taken(command: str, file: Path) -> tuple[float, int]:
    """Return the seconds of the processor and the megabytes that a command takes on a file."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gdl.interpreter.cli", command, str(file), *COMMANDS[command]],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"GDL_CODE": "off"},
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss >> 10


def main(words: Sequence[str] | None = None) -> int:
    """Measure what the command line asks for; return 1 if something took too much."""
    parser = argparse.ArgumentParser(description="Measure files that are made to do harm.")
    parser.add_argument("names", nargs="*", metavar="NAME", help="files, without their endings")
    parser.add_argument("--all", action="store_true", help="measure every file")
    chosen = parser.parse_args(words)
    every = [path.stem for path in sorted(OTHERS.glob("*.yaml"))]
    too_much = []
    for name in every if chosen.all else chosen.names or TOLD:
        cells = []
        for command in COMMANDS:
            seconds, megabytes = taken(command, OTHERS / f"{name}.yaml")
            cells.append(f"{seconds:.1f} s, {megabytes} MB")
            if seconds > MOST_SECONDS or megabytes > MOST_MEGABYTES:
                too_much.append(f"{command} {name}: {cells[-1]}")
        print(f"| `{name}` | {' | '.join(cells)} |", flush=True)
    print("\n".join(too_much))
    return 1 if too_much else 0


if __name__ == "__main__":
    raise SystemExit(main())
