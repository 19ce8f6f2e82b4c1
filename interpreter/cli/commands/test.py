"""`gdl test`: do a file's examples hold?"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

from click.exceptions import Exit

from gdl.diagnostic import Diagnostic, GameError
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.declarations import argument
from gdl.interpreter.cli.failures import status
from gdl.interpreter.cli.output import FINDINGS, print_diagnostics, write, write_json
from gdl.interpreter.cli.parameters import AsJson
from gdl.interpreter.explain.why_move import why_refused
from gdl.interpreter.positions.examples import ExampleResult, run_examples
from gdl.load import load_game

Games = Annotated[
    list[str],
    argument("FILE|GAME...", help="Files of games, or shipped games.", offers=completion.games),
]


def test(games: Games, as_json: AsJson = False) -> None:
    """Run the examples of games."""
    unreadable: list[Diagnostic] = []
    failed = False
    told = []
    for name in games:
        try:
            results = run_examples(load_game(name), why=why_refused)
        except GameError as error:
            unreadable += error.diagnostics
            told.append({"file": name, "diagnostics": [f.to_json() for f in error.diagnostics]})
            if not as_json:
                print_diagnostics(error.diagnostics)
            continue
        failed = failed or not all(result.passed for result in results)
        told.append({"file": name, "examples": list(_json(results))})
        if not as_json:
            _write_results(name, results)
    if as_json:
        write_json(told)
    if failed or unreadable:
        raise Exit(FINDINGS if failed else status(unreadable))


def _json(results: tuple[ExampleResult, ...]) -> Iterator[dict[str, object]]:
    for result in results:
        yield {
            "name": result.name,
            "passed": result.passed,
            "diagnostics": [found.to_json() for found in result.diagnostics],
        }


def _write_results(name: str, results: tuple[ExampleResult, ...]) -> None:
    for result in results:
        write(f"{name}: {result.name}: {'holds' if result.passed else 'FAILS'}")
        print_diagnostics(result.diagnostics)
    if not results:
        write(f"{name}: no examples")
        return
    passed = sum(result.passed for result in results)
    write(f"{name}: {passed} of {len(results)} examples hold")
