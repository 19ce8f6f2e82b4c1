"""`gdl solve`: what a position is worth if both sides play as well as can be."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from gdl.codes import Code
from gdl.diagnostic import GameError, refused
from gdl.interpreter.cli.beginning import begin, led_by_request
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.failures import results_first
from gdl.interpreter.cli.output import (
    FINDINGS,
    print_diagnostics,
    print_message,
    wants_progress,
    write,
    write_json,
    write_table,
)
from gdl.interpreter.cli.parameters import AsJson, Cluster, Processes, Request, finite
from gdl.interpreter.cli.picture import to_move_json
from gdl.interpreter.positions.position_text import turn_text
from gdl.interpreter.sessions.failing import led_from
from gdl.interpreter.solve.clock import OutOfTime, Progress

if TYPE_CHECKING:
    from gdl.interpreter.positions.position import Position
    from gdl.interpreter.solve.solution import Solution, SolvedMove, Unsolved
    from gdl.interpreter.solve.solver import Solver

_UNITS = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
_USUAL_MEMORY = "2G"
_LEAST_MEMORY = 16 << 20
_LONGEST_LINE = 40
_NOT_KEPT = "What was found out is not kept. `--no-keep` keeps nothing."
_MOST_PLIES = 60


class Method(StrEnum):
    """How a position is solved."""

    AUTO = "auto"
    RETROGRADE = "retrograde"
    PROOF = "proof"


def solve(
    *,
    request: Request,
    method: Annotated[Method, option(help="By all positions, or by proof.")] = Method.AUTO,
    memory: Annotated[
        str, option(metavar="SIZE", help="How much memory to take: such as 500M or 8G.")
    ] = _USUAL_MEMORY,
    seconds: Annotated[
        float | None,
        option(min=0.001, check=finite, help="How long to work at most.", show_default=False),
    ] = None,
    each_move: Annotated[
        bool, option("--each-move", help="Solve the position after each move, too.")
    ] = False,
    plies: Annotated[
        int | None,
        option(
            min=1,
            max=_MOST_PLIES,
            help="Look only for a win that can be forced in so many moves of both.",
            show_default=False,
        ),
    ] = None,
    verify: Annotated[
        bool, option("--verify", help="Replay good games by the reference interpreter.")
    ] = False,
    symmetry: Annotated[
        bool, option(help="Use the symmetries of the board that the rules respect.")
    ] = True,
    table: Annotated[
        Path | None,
        option(metavar="FILE", help="Write the table there.", show_default=False),
    ] = None,
    keep: Annotated[
        bool, option(help="Keep a table for `play` and `analyse`, and unfinished work.")
    ] = True,
    processes: Processes = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Solve a position: who wins if both play perfectly.

    All positions that can be reached are looked at where there is memory for them; else a proof
    is searched. A table of the values is kept, by which the strongest engine plays then. What is
    interrupted is gone on with when the same is asked for again; it is kept once a minute, too.
    Workers share what is proven of each move (`--each-move`); then there is no table.

    With `--plies`, every way of that length is looked at, also in games that are too large,
    where chance decides, and where rules ask for earlier positions. No table is kept then.
    """
    from gdl.interpreter.solve.proving import Unsettled
    from gdl.interpreter.solve.retrograde import NoRoom
    from gdl.interpreter.solve.solution import Unsolved
    from gdl.interpreter.solve.solver import Solver
    from gdl.interpreter.solve.store import keep_table, refuse_other_file
    from gdl.interpreter.workers.run import workers

    if table is not None:
        refuse_other_file(table)
    is_shared = processes > 1 or cluster is not None
    if is_shared and not each_move:
        hint = "Add `--each-move`: the position after each move is solved by itself then."
        raise refused(Code.WRONG_OPTION, "One position is not shared among workers.", hint)
    if plies is not None and (is_shared or each_move or verify or table or method != Method.AUTO):
        hint = "Leave `--method`, `--each-move`, `--verify`, `--table` and workers out."
        raise refused(Code.WRONG_OPTION, "`--plies` looks at every way of that length, once.", hint)
    played = begin(request)
    position = played.last
    if plies is not None:
        with led_by_request(request, played), led_from(position):
            _solve_within(position, plies, memory, seconds, as_json)
        return
    with _shown() as tell:
        solver = Solver(
            position.rules,
            method=method.value,
            memory=_bytes(memory),
            with_symmetries=symmetry,
            tell=tell,
            is_kept=keep,
            run=workers(processes, cluster) if is_shared else None,
        )
        reason, begun = "", time.perf_counter()
        try:
            with led_by_request(request, played), led_from(position):
                found = solver.solve(position, seconds=seconds, each_move=each_move)
        except NoRoom:
            reason = f"There are more positions than {memory} of memory hold."
        except Unsettled as unsettled:
            reason = str(unsettled)
        except OutOfTime:
            reason = f"Not solved within {seconds:g} s.{_later(position, keep)}"
        except KeyboardInterrupt:
            print_message(f"Interrupted.{_later(position, keep)}")
            _warn(solver.not_kept)
            raise
    if reason:
        used = None if solver.used is None else solver.used.name
        taken = time.perf_counter() - begun
        _tell_unsolved(position, Unsolved(reason, used, solver.looked_at, taken), as_json)
        _warn(solver.not_kept)
        raise Exit(FINDINGS)
    kept, not_kept = None, None
    with results_first() as tried:
        if table is not None and not position.over:
            kept = tried(lambda: keep_table(solver, table))
        elif not position.over:
            try:
                kept = keep_table(solver, is_usual=keep)
            except GameError as error:
                not_kept = error
        checked = _checked(solver, found) if verify else None
        _tell(solver, found, kept, checked, each_move=each_move, as_json=as_json)
        _warn(not_kept)


def _later(position: Position, keep: bool) -> str:
    """Return that the work is kept, if it is: too little of it, or an unwritable file, is not."""
    from gdl.interpreter.solve.solver import path_of

    return " The same command goes on with it." if keep and path_of(position).exists() else ""


def _warn(not_kept: GameError | None) -> None:
    """Say that what was found out could not be kept, if that is so."""
    found = () if not_kept is None else not_kept.diagnostics
    print_diagnostics(replace(one, severity="warning", hint=_NOT_KEPT) for one in found)


def _tell(
    solver: Solver,
    found: Solution,
    kept: Path | None,
    checked: int | None,
    *,
    each_move: bool,
    as_json: bool,
) -> None:
    """Print a solution, where its table is, and how many games it was held against."""
    position = found.position
    if as_json:
        where = {"table": None if kept is None else str(kept)}
        games = {} if checked is None else {"verified": checked}
        write_json(_asked(position) | where | found.to_json() | games)
        return
    _tell_solution(found)
    unknown = len(position.moves()) - len(found.moves) if each_move else 0
    if unknown:
        moves = "One move is" if unknown == 1 else f"{unknown} moves are"
        print_message(f"{moves} not settled: positions come again, and it may be a draw.")
    if solver.subject.binding.payoff_unit:
        print_message("Payoffs are left aside: this tells who can win, not how much it is worth.")
    if kept is not None:
        print_message(f"The table is {kept}.")
    if checked is not None:
        write(f"verified: {checked} games by the reference interpreter")


def _asked(position: Position) -> dict[str, object]:
    """Return what was to be solved, as plain data."""
    return {"game": position.rules.game.name, "to_move": to_move_json(position)}


def _bytes(text: str) -> int:
    """Return how many bytes a size means."""
    number, unit = text.strip().upper().removesuffix("B"), 1
    if number[-1:] in _UNITS:
        number, unit = number[:-1], _UNITS[number[-1]]
    if not number.replace(".", "", 1).isdigit() or float(number) * unit < _LEAST_MEMORY:
        message = f"`{text}` is no size of memory."
        least = f"{_LEAST_MEMORY // _UNITS['M']}M is the least."
        raise refused(
            Code.WRONG_OPTION, message, f"Write `--memory 500M` or `--memory 8G`; {least}"
        )
    return int(float(number) * unit)


def _solve_within(
    position: Position, plies: int, memory: str, seconds: float | None, as_json: bool
) -> None:
    """Look for a win within so many plies, and tell it."""
    from gdl.interpreter.solve.forced_wins import ForcedWins
    from gdl.interpreter.solve.retrograde import NoRoom
    from gdl.interpreter.solve.solution import Unsolved

    with _shown() as tell:
        search = ForcedWins(position.rules, memory=_bytes(memory), tell=tell)
        found, begun = None, time.perf_counter()
        reason = f"Nobody can force a win within {plies} move{'' if plies == 1 else 's'}."
        try:
            found = search.solve(position, plies, seconds=seconds)
        except NoRoom:
            reason = f"There are more positions than {memory} of memory hold."
        except OutOfTime:
            reason = f"It was not found out within {seconds:g} s."
    if found is None:
        taken = time.perf_counter() - begun
        _tell_unsolved(position, Unsolved(reason, search.name, search.positions, taken), as_json)
        raise Exit(FINDINGS)
    if as_json:
        write_json(_asked(position) | {"table": None} | found.to_json())
        return
    _tell_solution(found)


def _tell_unsolved(position: Position, found: Unsolved, as_json: bool) -> None:
    """Print why nothing is known, and what was done."""
    if as_json:
        write_json(_asked(position) | {"table": None} | found.to_json())
        return
    write(found.reason)
    if found.positions:
        write(f"{_positions(found.positions)} looked at{_by(found.method)}")


def _tell_solution(found: Solution) -> None:
    if not found.position.over:
        print_message(turn_text(found.position))
    write(_verdict(found))
    if found.moves:
        write_table(("move", "value", "plies"), [_row(one, found) for one in found.moves])
    if found.line:
        more = ", …" if len(found.line) > _LONGEST_LINE else ""
        write(f"line: {', '.join(map(str, found.line[:_LONGEST_LINE]))}{more}")
    told = _positions(found.positions)
    if found.method == "retrograde":
        told += f", with {found.symmetries} symmetries" if found.symmetries > 1 else ""
    else:
        told += " examined"
    write(f"{told}: {found.seconds:.2f} s{_by(found.method)}")


_WAYS = {
    "retrograde": " by retrograde analysis",
    "proof": " by proof",
    "plies": " by every way of that length",
}


def _by(method: str | None) -> str:
    return _WAYS.get(method or "", "")


def _positions(number: int) -> str:
    return f"{number:,} position{'' if number == 1 else 's'}"


def _verdict(found: Solution) -> str:
    told = found.told[0].upper() + found.told[1:]
    if found.winner is not None and found.position.rules.game.program.system.seats:
        told = f"Seat {found.seat}, which plays {found.winner} now, wins"
    plies = found.result.plies
    if found.position.over:
        return f"{told}; the game is over."
    if plies is None or found.winner is None:
        return f"{told}, because nobody can force an end." if found.endless else f"{told}."
    within = "" if found.is_shortest else " at most"
    return f"{told} in {plies} move{'' if plies == 1 else 's'}{within}."


def _row(one: SolvedMove, found: Solution) -> tuple[str, str, str]:
    value = one.result.for_seat(found.position.seat or 1)
    lost = "loses" if len(found.position.rules.sides) > 1 else "no solution"
    told = "wins" if value == 1 else lost if value == 0 else "draw"
    return str(one.move), told, "" if one.result.plies is None else str(one.result.plies)


def _checked(solver: Solver, found: Solution) -> int:
    from gdl.interpreter.solve.checking import replay_games
    from gdl.interpreter.solve.proving import Unsettled

    try:
        return replay_games(solver, found)
    except Unsettled:
        message = "`--verify` plays through positions of which nothing is proven."
        hint = "Look at all positions: `--method retrograde`."
        raise refused(Code.WRONG_OPTION, message, hint) from None


@contextmanager
def _shown() -> Iterator[Callable[[Progress], None] | None]:
    """Show on a terminal how far the work has come."""
    if not wants_progress():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("…") as status:

        def tell(progress: Progress) -> None:
            of = "" if progress.of is None else f" of {progress.of:,}"
            status.update(f"{progress.done:,}{of} {progress.what}")

        yield tell
