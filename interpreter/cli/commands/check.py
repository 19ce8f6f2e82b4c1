"""`gdl check`: is a file a game?"""

from __future__ import annotations

from typing import Annotated

import typer

from interpreter.check import Finding, check_game
from interpreter.cli.failures import status
from interpreter.cli.output import (
    print_diagnostics,
    print_gap,
    print_message,
    tracked,
    write,
    write_json,
)
from interpreter.cli.parameters import AsJson

Files = Annotated[
    list[str], typer.Argument(metavar="FILE...", help="Files of games, or names of shipped games.")
]


def check(files: Files, as_json: AsJson = False) -> None:
    """Check files of games.

    Tells what can't be understood, in the game itself and in each of its variants.
    """
    checked = ((file, check_game(file)) for file in files)
    found = list(tracked(checked, len(files), "checking"))
    if as_json:
        write_json([{"file": file, "findings": _json(findings)} for file, findings in found])
    else:
        for file, findings in found:
            _write_findings(file, findings)
    errors = [f.diagnostic for _, fs in found for f in fs if f.diagnostic.severity == "error"]
    if errors:
        raise typer.Exit(status(errors))


def _json(findings: tuple[Finding, ...]) -> list[dict[str, object]]:
    return [finding.to_json() for finding in findings]


def _write_findings(file: str, findings: tuple[Finding, ...]) -> None:
    errors = sum(finding.diagnostic.severity == "error" for finding in findings)
    warnings = len(findings) - errors
    for finding in findings:
        if finding.variant is not None:
            print_message(f"In the variant {finding.variant}:")
        print_diagnostics([finding.diagnostic])
        print_gap()
    told = [_counted(errors, "error")] * bool(errors) + [_counted(warnings, "warning")] * bool(
        warnings
    )
    write(f"{file}: {' and '.join(told) or 'fine'}")


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
