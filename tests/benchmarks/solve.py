"""How fast games are solved.

In: nothing, or names of methods. Out: a table: how many positions were reached or examined, the
seconds of the processor that took, without compiling, and positions a second.

    python -m tests.benchmarks.solve
    python -m tests.benchmarks.solve proof
"""

from __future__ import annotations

import argparse
import time

from gdl.interpreter import load
from gdl.interpreter.solve.solver import Solver

_MEMORY = 8 << 30
GAMES = {
    "retrograde": (
        ("tic-tac-toe", {}),
        ("connect-four", {"columns_wide": 4, "rows_high": 4}),
        ("connect-four", {"columns_wide": 5, "rows_high": 4}),
        ("hex", {"size": 4}),
        ("bridg-it", {"order": 3}),
        ("blocs", {"size": 3}),
        ("taifas", {"size": 3}),
        ("clobber", {"width": 4, "height": 4}),
    ),
    "proof": (
        ("connect-four", {"columns_wide": 4, "rows_high": 4}),
        ("hex", {"size": 3}),
        ("hex", {"size": 4}),
        ("bridg-it", {"order": 3}),
        ("taifas", {"size": 3}),
    ),
}


def measured(method: str, name: str, options: dict[str, int]) -> tuple[str, int, float]:
    """Return the result of a game, its positions, and the seconds that solving it took."""
    rules = load(name, options=options)
    solver = Solver(rules, method=method, memory=_MEMORY)
    solver.prepare()
    begun = time.process_time()
    found = solver.solve(rules.start())
    return found.told, found.positions, time.process_time() - begun


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("methods", nargs="*", default=list(GAMES))
    for method in parser.parse_args().methods:
        print(f"\n| {method} | result | positions | seconds | positions a second |")
        print("|---|---|---|---|---|")
        for name, options in GAMES[method]:
            told, positions, seconds = measured(method, name, options)
            size = "".join(f" {key}={value}" for key, value in options.items())
            rate = positions / seconds
            print(f"| `{name}{size}` | {told} | {positions:,} | {seconds:.2f} | {rate:,.0f} |")


if __name__ == "__main__":
    main()
