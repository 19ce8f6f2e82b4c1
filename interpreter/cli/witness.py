"""The game that shows a finding of `gdl check`, asked for by the finding's code.

In: a request for a game, and a code, or a code and a line (`never-ends:12`). Out: a request for the
position after the witness. What then holds: the game was checked just now, as `gdl check` does.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, refused
from interpreter.check import check_game
from interpreter.cli.output import print_diagnostics, print_message
from interpreter.cli.parameters import CHECKED_SECONDS, Request


def with_witness(request: Request, wanted: str) -> Request:
    """Return what to show of a game to see a finding; tell the finding and its moves.

    Raises GameError where there is no such finding, or none that a game shows.
    """
    if request.options or request.variants or request.after or request.example or request.position:
        raise refused(
            Code.WRONG_OPTION,
            "A witness has its options, variants and moves already.",
            "Leave them out beside `--witness`.",
        )
    code, _, line = wanted.partition(":")
    findings = check_game(request.game, CHECKED_SECONDS)
    shown = [found for found in findings if found.witness is not None]
    for found in shown:
        if found.diagnostic.code != code or not _stands_in(found.diagnostic, line):
            continue
        assert found.witness is not None
        witness = found.witness
        print_diagnostics([found.diagnostic])
        moves = ", ".join(witness.moves)
        print_message(f"  after: {moves}" if moves else "  at the start")
        return replace(
            request,
            options=[f"{name}={value}" for name, value in witness.combination.options.items()],
            variants=list(witness.combination.variants),
            after=moves or None,
        )
    codes = ", ".join(dict.fromkeys(f"`{found.diagnostic.code}`" for found in shown))
    raise refused(
        Code.NO_WITNESS,
        f"No finding `{wanted}` of this game has a game that shows it.",
        f"These have one: {codes}." if codes else "`gdl check` tells what is found.",
    )


def _stands_in(found: Diagnostic, line: str) -> bool:
    return not line or (found.span is not None and str(found.span.line) == line)
