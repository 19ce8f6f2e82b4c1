"""`gdl check`: is a file a game, and do its rules say what is meant?"""

from __future__ import annotations

import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated

from click.exceptions import Exit

from gdl.codes import Code
from gdl.diagnostic import GameError, Source, refused
from gdl.document.files import BYTE_ORDER_MARK, GAME_FILE, too_large
from gdl.interpreter.check import Effort, Finding, Work, check_game, findings_of
from gdl.interpreter.check.effort import USUAL_SECONDS, WITHOUT_PLAY
from gdl.interpreter.check.finding import with_edits
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.failures import results_first, status
from gdl.interpreter.cli.output import (
    FINDINGS,
    INTERRUPTED,
    print_diagnostics,
    print_gap,
    print_message,
    told_meanwhile,
    write,
    write_json,
)
from gdl.interpreter.cli.parameters import AsJson, finite
from gdl.interpreter.files import write_file
from gdl.interpreter.records.files import foreign_kind, kind_of
from gdl.interpreter.verify.deadline import stopped_by_interrupt
from gdl.load import is_path

_MOST_ALIKE = 8
_STDIN = "-"
Files = Annotated[
    list[str],
    argument(
        "FILE...",
        help="Files of games, - for stdin, or names of shipped games.",
        offers=completion.games,
    ),
]
Play = Annotated[
    bool,
    option(
        "--play/--no-play", help="Run examples and play games; tell what happens or never does."
    ),
]
Seconds = Annotated[
    float,
    option(
        min=0.1,
        max=3600,
        check=finite,
        metavar="S",
        help="How long the check of a file may take at most. It tells if it was stopped.",
    ),
]
Times = Annotated[
    int,
    option(
        "--effort",
        min=1,
        max=5,
        metavar="N",
        help="How much is played: N times the usual, from 1 to 5.",
    ),
]
Strict = Annotated[
    bool,
    option("--strict", help="Exit with 1 for any finding that the file does not accept."),
]
Mend = Annotated[
    bool, option("--fix", help="Change files where what is meant is sure, such as a word.")
]
All = Annotated[
    bool, option("--all", help=f"Write all findings; else at most {_MOST_ALIKE} of a code.")
]
_MOST_ROUNDS = 20
_SEVERITIES = ("error", "warning", "note")
_SURE = {
    "proved": "proved: whatever is played",
    "witnessed": "seen in games that were played",
    "not seen": "not seen: no proof that it can't be",
}


def check(
    files: Files,
    play: Play = True,
    times: Times = 1,
    seconds: Seconds = USUAL_SECONDS,
    strict: Strict = False,
    fix: Mend = False,
    write_all: All = False,
    as_json: AsJson = False,
) -> None:
    """Check files of games.

    Tells what can't be understood, what can hardly be meant, and what random games show, in the
    game itself and with its variants and options: the same of the same file, each time. `# fine:
    CODE` beside a line accepts a finding.
    """
    found: list[tuple[str, list[Finding], Work]] = []
    whole = 0
    with results_first() as tried, stopped_by_interrupt() as is_stopped:
        for file in files:
            if is_stopped():
                break
            _refuse_foreign(file)
            game = _text_given() if file == _STDIN else file
            if fix:
                _refuse_shipped(file)
                tried(partial(_mend, file))
            findings: list[Finding] = []
            told = Counter[str]()
            work = Work(replace(Effort(times) if play else WITHOUT_PLAY, seconds=seconds))
            for layer in _shown_meanwhile(file, findings_of(game, work)):
                findings += layer
                if not as_json:
                    _write_findings(file, layer, told, None if write_all else _MOST_ALIKE)
            found.append((file, findings, work))
            whole += not is_stopped()
            if not as_json:
                if not write_all:
                    _write_left_out(told)
                write(f"{file}: {_counted(findings) or _fine(work)}")
        if is_stopped():
            print_message(f"Stopped: {whole} of {len(files)} were looked at as a whole.")
        if as_json:
            write_json(
                [
                    {
                        "file": file,
                        "findings": [finding.to_json() for finding in findings],
                        "played": {
                            "games": work.games,
                            "unwatched": work.unwatched,
                            "moves": work.moves,
                            "clauses": work.clauses,
                            "met": work.met,
                        },
                    }
                    for file, findings, work in found
                ]
            )
        was_stopped = is_stopped()
    if was_stopped:
        raise Exit(INTERRUPTED)
    errors = [f.diagnostic for _, fs, _ in found for f in fs if f.diagnostic.severity == "error"]
    if errors:
        raise Exit(status(errors))
    if strict and any(findings for _, findings, _ in found):
        raise Exit(FINDINGS)


def _text_given() -> Source:
    """Return the file of a game that is read from stdin. Raises GameError if it is too large."""
    text = sys.stdin.read(GAME_FILE.bytes + 1)
    if len(text.encode(errors="replace")) > GAME_FILE.bytes:
        raise GameError([too_large("stdin", GAME_FILE)])
    return Source("stdin", text.removeprefix(BYTE_ORDER_MARK))


def _refuse_foreign(file: str) -> None:
    """Raise GameError for a file of another program, with what can be done with it."""
    kind = foreign_kind(file)
    if not kind:
        return
    can_be_read = kind_of(file) is not None
    hint = (
        f"`gdl trace {file}` holds the games against the rules, `gdl replay {file}` shows them."
        if can_be_read
        else "That is not read here. `gdl init` begins a file of rules, and `gdl trace` reads PGN,"
        " PDN, SGF, KIF, MAT and moves a line each."
    )
    raise refused(Code.WRONG_VALUE, f"`{file}` is no file of a game's rules: it has {kind}.", hint)


def _shown_meanwhile(
    file: str, layers: Iterator[tuple[Finding, ...]]
) -> Iterator[tuple[Finding, ...]]:
    """Yield what layers find, and show on a terminal that a file is being checked."""
    while True:
        with told_meanwhile(f"Checking {file} …"):
            layer = next(layers, None)
        if layer is None:
            return
        yield layer


def _refuse_shipped(file: str) -> None:
    """Raise GameError for a game that is none of the user's files."""
    if not is_path(file):
        what = "stdin is none" if file == _STDIN else f"`{file}` is a shipped game"
        raise refused(
            Code.WRONG_OPTION,
            f"`--fix` changes files, and {what}.",
            "Name a file of your own.",
        )


def _mend(file: str) -> None:
    """Change a file where it is sure what is meant, until nothing more is. Raises GameError."""
    mended = 0
    for _ in range(_MOST_ROUNDS):
        edits = [found.diagnostic.edit for found in check_game(file)]
        text, number = with_edits(file, [one for one in edits if one is not None])
        if not number:
            break
        write_file(file, text)
        mended += number
    if mended:
        print_message(f"{file}: {mended} place{'' if mended == 1 else 's'} mended.")


def _write_findings(
    file: str, findings: tuple[Finding, ...], told: Counter[str], most: int | None
) -> None:
    """Write findings, of each code at most so many; `told` counts all of them."""
    for finding in findings:
        told[finding.diagnostic.code] += 1
        if most is not None and told[finding.diagnostic.code] > most:
            continue
        if finding.variant is not None:
            print_message(f"In the variant {finding.variant}:")
        print_diagnostics([finding.diagnostic])
        if finding.diagnostic.severity != "error":
            print_message(f"  {_how_sure(file, finding)}")
        print_gap()


def _write_left_out(told: Counter[str]) -> None:
    for code, number in told.items():
        if number > _MOST_ALIKE:
            print_message(f"… and {number - _MOST_ALIKE} more of {code}; --all writes them.")
            print_gap()


def _how_sure(file: str, finding: Finding) -> str:
    """Return how sure a finding is, with the command that shows a game in which it was seen."""
    if finding.witness is not None and finding.witness.arguments():
        named = "FILE" if file == _STDIN else shlex.quote(file)
        return f"seen: gdl show {named} {finding.witness.arguments()}"
    return _SURE[finding.certainty]


def _counted(findings: list[Finding]) -> str:
    severities = [finding.diagnostic.severity for finding in findings]
    counts = [(severities.count(one), one) for one in _SEVERITIES if one in severities]
    told = [f"{number} {what}{'' if number == 1 else 's'}" for number, what in counts]
    return " and ".join(filter(None, (", ".join(told[:-1]), *told[-1:])))


def _fine(work: Work) -> str:
    """Return that nothing was found, and how much was seen."""
    if not work.moves:
        return "fine"
    games = f"{work.games:,} game{'' if work.games == 1 else 's'}"
    seen = f"fine: watched {games}, {work.moves:,} moves"
    if work.unwatched:
        seen += f", and played {work.unwatched:,} more"
    if work.has_no_native:
        seen += ", by the reference alone"
    if not work.clauses:
        return seen
    met = "all met" if work.met == work.clauses else f"{work.met:,} met"
    return f"{seen}; {work.clauses:,} clause{'' if work.clauses == 1 else 's'}, {met}"
