"""`gdl verify`: does native code play a game as the reference interpreter does?"""

from __future__ import annotations

import shlex
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from importlib import import_module
from itertools import count
from typing import Annotated, Any

from click.exceptions import Exit

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, refused
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.failures import Stoppable, status
from gdl.interpreter.cli.output import (
    FINDINGS,
    TOO_LITTLE,
    print_diagnostics,
    print_message,
    timed,
    write,
    write_json,
)
from gdl.interpreter.cli.parameters import (
    AsJson,
    Cluster,
    Options,
    Processes,
    Variants,
    finite,
    option_values,
)
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.sessions.notation import spelled
from gdl.interpreter.verify import Combination, Limits, Verdict, combinations_of
from gdl.interpreter.workers.packed import Packed, pack
from gdl.interpreter.workers.run import Here, Run, workers
from gdl.model import Game


class Backend(StrEnum):
    """What is held against the reference."""

    NATIVE = "native"
    WASM = "wasm"

    @property
    def words(self) -> str:
        """What it is called."""
        return "native code" if self is Backend.NATIVE else "the module"


Files = Annotated[
    list[str],
    argument("FILE|GAME...", help="Files of games, or shipped games.", offers=completion.games),
]

_USUAL = Limits()


@dataclass(frozen=True)
class Result:
    """What was found of one combination: a verdict, or why there is none."""

    combination: Combination
    game: Game
    verdict: Verdict | None = None
    uncovered: Diagnostic | None = None

    @property
    def word(self) -> str:
        """The result in a word."""
        verdict = self.verdict
        if verdict is None:
            return "not native"
        if verdict.difference is not None:
            return "different"
        if verdict.failures:
            return "rules fail"
        if not verdict.compared.positions:
            return "nothing compared"
        return "same" if verdict.compared.finished else "no end seen"

    @property
    def is_finding(self) -> bool:
        """Whether something is wrong."""
        return self.word in ("different", "rules fail")

    @property
    def is_too_little(self) -> bool:
        """Whether all is the same, but too little was compared to say so of the game."""
        return self.word in ("nothing compared", "no end seen")


@dataclass(frozen=True)
class Settings:
    """How a file is verified, as the command line says it."""

    limits: Limits
    seed: int
    backend: Backend
    edges: bool
    variants: tuple[str, ...]
    options: dict[str, str]

    def command(self, file: str, combination: Combination) -> str:
        """Return the command that plays the same games of one combination again."""
        backend = "" if self.backend is Backend.NATIVE else f"--backend {self.backend}"
        more = f"-n {self.limits.games} --max-plies {self.limits.max_plies} --seed {self.seed}"
        return _joined("gdl verify", shlex.quote(file), combination.arguments, more, backend)


def verify(
    *,
    number: Annotated[
        int, option("--number", "-n", min=1, help="How many games of each combination.")
    ] = _USUAL.games,
    files: Files,
    max_plies: Annotated[
        int, option(min=0, help="The moves after which a game is left unfinished.")
    ] = _USUAL.max_plies,
    seconds: Annotated[
        float,
        option(
            min=0,
            check=finite,
            help="The time after which a combination's games end; it begins with the first one.",
        ),
    ] = _USUAL.seconds,
    seed: Annotated[int, option(help="Where chance begins.")] = 0,
    backend: Annotated[
        Backend, option(help="What is compared: native code, or a module of WebAssembly.")
    ] = Backend.NATIVE,
    variants: Variants = None,
    options: Options = None,
    edges: Annotated[
        bool, option("--options", help="Also play with each option at its edges.")
    ] = False,
    processes: Processes = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Hold native code, or WebAssembly, against the reference.

    Both play random games in lockstep: with no variant, each, and each two that can be had
    together. A difference is told by the shortest game that shows it. It is a finding as well if
    the rules fail in a game, told by that game. Exits with 0 where all is the same and games were
    seen to their ends, and with 3 where there is no finding, but of some combination no game came
    to its end.
    """
    settings = Settings(
        Limits(number, max_plies, seconds),
        seed,
        backend,
        edges,
        tuple(variants or ()),
        option_values(options),
    )
    unreadable: list[Diagnostic] = []
    told: list[dict[str, Any]] = []
    found = is_too_little = False
    stoppable, results = Stoppable(), 0
    with stoppable:
        for file, result in _results(files, settings, workers(processes, cluster)):
            results += 1
            if isinstance(result, GameError):
                unreadable += result.diagnostics
                diagnostics = [d.to_json() for d in result.diagnostics]
                told.append({"file": file, "diagnostics": diagnostics})
                if not as_json:
                    print_diagnostics(result.diagnostics)
                continue
            found = found or result.is_finding
            is_too_little = is_too_little or result.is_too_little
            if as_json:
                told.append(_json(file, result, settings))
            else:
                _write(file, result, settings)
    if as_json:
        write_json(told)
    if stoppable.is_stopped:
        print_message(f"Stopped after {results} result{'' if results == 1 else 's'}.")
    stoppable.end()
    if found or unreadable:
        raise Exit(FINDINGS if found else status(unreadable))
    if is_too_little:
        raise Exit(TOO_LITTLE)


def _results(
    files: Sequence[str], settings: Settings, run: Run
) -> Iterator[tuple[str, Result | GameError]]:
    """Yield each file with the result of each combination, or with why it can't be loaded."""
    try:
        packed = import_module("gdl.interpreter.verify.packed")
        packed.evaluator_of(settings.backend)
    except ImportError:
        is_native = settings.backend is Backend.NATIVE
        raise refused(
            Code.NO_BACKEND,
            f"There is {'no native code' if is_native else 'nothing that plays a module'} to hold"
            " against the reference interpreter.",
            "Install the program with all that it depends on"
            + (
                "." if is_native else ", and in gdl's folder, with `wasm`: `pip install '.[wasm]'`."
            ),
        ) from None
    asked: deque[tuple[str, Combination, Game] | tuple[str, GameError]] = deque()

    def parts() -> Iterator[Packed | None]:
        for one in _asked(files, settings):
            asked.append(one)
            yield pack(one[2]) if len(one) == 3 else None

    def tell(number: int) -> None:
        one = asked[0]
        name = _named(one[0], one[1]) if len(one) == 3 else one[0]
        shown(f"{name}: games", number, settings.limits.games)

    work = partial(packed.verify_packed, settings.backend.value, settings.seed, settings.limits)
    if isinstance(run, Here):
        work = partial(work, tell=tell)
    verdicts = run(work, parts())
    for number in count(1):
        try:
            with timed(None, f"result {number}") as shown:
                verdict = next(verdicts)
        except StopIteration:
            return
        one = asked.popleft()
        if len(one) == 2:
            yield one
        elif isinstance(verdict, Diagnostic):
            yield one[0], Result(*one[1:], uncovered=_as_warning(verdict))
        else:
            yield one[0], Result(*one[1:], verdict)


def _as_warning(uncovered: Diagnostic) -> Diagnostic:
    """What is not native is no fault: every command plays it, and nothing can differ."""
    hint = "The reference interpreter plays it: the same, but slower."
    return replace(uncovered, severity="warning", hint=hint)


def _asked(
    files: Sequence[str], settings: Settings
) -> Iterator[tuple[str, Combination, Game] | tuple[str, GameError]]:
    """Yield each combination of each file with its game; or a file, and why it can't be loaded."""
    for file in files:
        try:
            for combination, game in combinations_of(
                file, settings.variants, settings.options, edges=settings.edges
            ):
                yield file, combination, game
        except GameError as error:
            yield file, error


def _named(file: str, combination: Combination) -> str:
    return f"{file} {combination.arguments}".strip()


def _write(file: str, result: Result, settings: Settings) -> None:
    name = _named(file, result.combination)
    if result.verdict is None:
        write(f"{name}: not native, nothing compared; the reference interpreter plays it")
        if result.uncovered is not None:
            print_diagnostics([result.uncovered])
        return
    verdict = result.verdict
    write(f"{name}: {result.word} ({verdict.compared.text})")
    if not verdict.in_time:
        over = f"the {settings.limits.seconds:g} s were over"
        ready = f"{settings.backend.words} was ready after {verdict.preparing:.1f} s"
        write(f"  not all games were played: {over}, which began when {ready}")
    if verdict.compared.cut:
        left = f"{verdict.compared.cut:,} of {verdict.compared.all_games:,} games"
        write(f"  left unfinished by `--max-plies {settings.limits.max_plies}`: {left}")
    if result.word == "rules fail" and not verdict.compared.finished:
        write("  no game came to its end")
    if result.is_too_little:
        print_diagnostics([_too_little(name, verdict, settings.limits)])
    for failure in verdict.failures:
        after = ", ".join(_spelled(result.game, failure.moves))
        write(f"  {failure.diagnostic.code} after: {after or 'no move'}")
        again = f"--after {shlex.quote(after)}" if after else ""
        arguments = result.combination.arguments
        write(f"  again: {_joined('gdl moves', shlex.quote(file), arguments, again)}")
        print_diagnostics([failure.diagnostic])
    difference = verdict.difference
    if difference is not None:
        after = ", ".join(_spelled(result.game, difference.moves)) or "no move"
        shortest = " (no shorter game differs)" if difference.is_shortest else ""
        write(f"  {difference.kind} after: {after}{shortest}")
        write(f"    reference: {difference.first}")
        write(f"    {settings.backend + ':':<10} {difference.second}")
        write(f"  again: {settings.command(file, result.combination)}")


def _joined(*parts: str) -> str:
    return " ".join(part for part in parts if part)


def _too_little(name: str, verdict: Verdict, limits: Limits) -> Diagnostic:
    """Return that too little of a game was compared, and what to do about the limits met."""
    hints = {
        "max_plies": f"Let games go on for more than `--max-plies {limits.max_plies}`.",
        "seconds": f"Give more time than `--seconds {limits.seconds:g}`.",
    }
    hint = " ".join(hints[limit] for limit in verdict.stopped_by)
    if not verdict.compared.positions:
        message = f"Nothing of {name} was compared before the time was over."
        return Diagnostic(Code.NOTHING_COMPARED, message, hint=hint)
    message = f"All that was compared of {name} is the same, but no game came to its end."
    return Diagnostic(Code.NO_END_COMPARED, message, hint=hint, severity="warning")


def _json(file: str, result: Result, settings: Settings) -> dict[str, Any]:
    data: dict[str, Any] = {
        "file": file,
        "variants": list(result.combination.variants),
        "options": dict(result.combination.options),
        "result": result.word,
    }
    diagnostics = [] if result.uncovered is None else [result.uncovered.to_json()]
    if result.verdict is not None and result.is_too_little:
        name = _named(file, result.combination)
        diagnostics.append(_too_little(name, result.verdict, settings.limits).to_json())
    if diagnostics:
        data["diagnostics"] = diagnostics
    if result.verdict is None:
        return data
    data |= result.verdict.compared.to_json() | {
        "in_time": result.verdict.in_time,
        "stopped_by": list(result.verdict.stopped_by),
        "preparing_seconds": result.verdict.preparing,
    }
    data["failures"] = [
        {"after": _spelled(result.game, one.moves), "diagnostic": one.diagnostic.to_json()}
        for one in result.verdict.failures
    ]
    difference = result.verdict.difference
    if difference is not None:
        data["difference"] = {
            "kind": difference.kind,
            "after": _spelled(result.game, difference.moves),
            "is_shortest": difference.is_shortest,
            "reference": difference.first,
            settings.backend.value: difference.second,
            "command": settings.command(file, result.combination),
        }
    return data


def _spelled(game: Game, moves: Sequence[Move]) -> list[str]:
    """Return the moves as `--after` takes them."""
    texts = []
    position = Rules(game).start()
    for number, move in enumerate(moves, start=1):
        texts.append(spelled(move, position))
        if number < len(moves):
            position = position.play(move)
    return texts
