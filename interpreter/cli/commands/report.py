"""`gdl report`: a game's rules and figures on one page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from click.exceptions import Exit

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli.beginning import load_requested
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.failures import results_first
from gdl.interpreter.cli.output import (
    FINDINGS,
    INTERRUPTED,
    print_message,
    timed,
    write,
    write_json,
)
from gdl.interpreter.cli.parameters import AsJson, GameRequest, finite
from gdl.interpreter.files import Kind, refuse_other, write_result
from gdl.interpreter.report.measured import measure, report_json
from gdl.interpreter.report.page import report_page
from gdl.interpreter.verify.deadline import stopped_by_interrupt

Output = Annotated[
    Path | None,
    option("-o", "--output", metavar="FILE", help="Write the page here.", show_default=False),
]
Seconds = Annotated[
    float,
    option(min=1, max=36000, check=finite, metavar="S", help="How long the game is measured."),
]
Seed = Annotated[int, option(help="Where chance begins.")]

RecordsFile = Annotated[
    Path | None,
    option(
        "--records",
        metavar="FILE",
        help="Put figures of recorded games (PGN, PDN, SGF) beside those of random ones.",
        show_default=False,
    ),
]


def report(
    request: GameRequest,
    output: Output = None,
    seconds: Seconds = 30.0,
    seed: Seed = 1,
    records: RecordsFile = None,
    as_json: AsJson = False,
) -> None:
    """Write a report of a game, to be read or printed.

    One page with rules in words, how random games and games of the engine end, heat maps, clauses
    by how often they held, the shortest and the longest game, the skill ladder, and what `gdl
    check` finds.
    """
    if output is None and not as_json:
        raise refused(
            Code.WRONG_OPTION, "A report is a page, which needs a file.", "Add `-o report.html`."
        )
    if output is not None:
        refuse_other(output, Kind.PAGE)
    game = load_requested(request)
    with stopped_by_interrupt() as is_stopped, timed(seconds, "…") as tell:
        found = measure(request.game, game, seconds, seed, tell, records)
        was_stopped = is_stopped()
    if was_stopped and not found.whole.games:
        print_message("Stopped before a game was played: nothing is written.")
        raise Exit(INTERRUPTED)
    with results_first() as tried:
        if output is not None:
            tried(lambda: write_result(output, report_page(found)))
        if as_json:
            write_json(report_json(found))
    if not as_json:
        write(f"{output}: {found.whole.games:,} random games in {found.seconds:.0f} s")
        if found.records is not None:
            write(found.records.told)
    if was_stopped:
        raise Exit(INTERRUPTED)
    if found.failure is not None:
        raise Exit(FINDINGS)
