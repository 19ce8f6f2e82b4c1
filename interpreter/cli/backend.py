"""What a command counts and plays with: native code, or the reference interpreter.

In: the position that was asked for, and the backend if one was named. Out: an evaluator that is
ready, and how long it took to make it. What then holds: without a name, native code plays what
it can, and a message says why it does not play the rest.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, refused
from gdl.interpreter.cli.beginning import begin
from gdl.interpreter.cli.output import print_diagnostics
from gdl.interpreter.cli.parameters import Backend, StartRequest
from gdl.interpreter.evaluation.evaluator import Evaluator
from gdl.interpreter.positions.position import Position
from gdl.interpreter.sessions.replaying import Replay
from gdl.model import Game
from gdl.resources.timing import reading_timed

if TYPE_CHECKING:
    from gdl.interpreter.native.runtime.rules import NativeRules


Made = TypeVar("Made")


@dataclass(frozen=True)
class Settings:
    """How a command is to play: the backend (None: whichever can), how many threads, checks."""

    backend: Backend | None
    threads: int
    checked: bool


@dataclass(frozen=True)
class Prepared:
    """An evaluator that is ready, and the position that it begins with.

    `played` led to that position. `native` is the evaluator if it is native code. `times` are the
    seconds that each phase took, `seconds` those from the beginning until all was ready.
    """

    played: Replay
    evaluator: Evaluator
    native: NativeRules | None
    threads: int
    times: dict[str, float]
    seconds: float

    @property
    def root(self) -> Position:
        """The position that it begins with."""
        return self.played.last

    @property
    def backend(self) -> Backend:
        """What the evaluator is."""
        return Backend.REFERENCE if self.native is None else Backend.NATIVE

    @property
    def later_seconds(self) -> float:
        """The seconds that went into compiling code since, when it was needed."""
        return 0.0 if self.native is None else self.native.code.seconds["llvm"] - self.times["llvm"]

    def to_json(self) -> dict[str, object]:
        """Return as plain data what plays, and what it took to make it."""
        native = {} if self.native is None else self.native.code.seconds
        return {
            "compile_seconds": self.seconds + self.later_seconds,
            "times": self.times | native,
            "backend": self.backend.value,
            "threads": self.threads,
        }


def prepare(request: StartRequest, settings: Settings) -> Prepared:
    """Return the evaluator for what was asked for; native code is compiled when it is called.

    Raises GameError, MoveError and RuleError.
    """
    _refuse_contradictions(settings)
    begun = time.perf_counter()
    with reading_timed() as watch:
        played = begin(request)
    root = played.last
    times = {"parse": watch.seconds, "check": time.perf_counter() - begun - watch.seconds}
    if settings.backend is not Backend.REFERENCE:
        native = _native(root.rules.game, settings)
        if native is not None:
            times |= native.code.seconds
            spent = time.perf_counter() - begun
            return Prepared(played, native, native, settings.threads, times, spent)
    root.moves()
    return Prepared(played, root.rules.evaluator, None, 1, times, time.perf_counter() - begun)


def _refuse_contradictions(settings: Settings) -> None:
    if settings.backend is not Backend.REFERENCE:
        return
    if settings.threads > 1:
        raise refused(
            Code.WRONG_OPTION,
            "The reference backend plays on one thread.",
            "Leave `--threads` out.",
        )
    if settings.checked:
        raise refused(
            Code.WRONG_OPTION, "The reference backend checks all anyway.", "Leave `--checked` out."
        )


def _native(game: Game, settings: Settings) -> NativeRules | None:
    """Return the native code of a game; None if there is none and none was asked for."""
    try:
        return native_rules(game, checked=settings.checked)
    except GameError as error:
        if settings.backend is Backend.NATIVE:
            raise
        hint = "The reference interpreter plays instead: the same, but slower."
        print_diagnostics(
            replace(found, severity="warning", hint=hint) for found in error.diagnostics
        )
        return None


def native_rules(game: Game, *, checked: bool = False) -> NativeRules:
    """Return the native code of a game. Raises GameError where there is none."""
    try:
        from gdl.interpreter.native.runtime.rules import NativeRules
    except ImportError:
        raise refused(
            Code.NO_BACKEND,
            "Native code can't be made here: llvmlite is missing.",
            "Install the program with all that it depends on, or use `--backend reference`.",
        ) from None
    return made_natively(game, lambda: NativeRules(game, checked=checked))


def module_of(game: Game, *, checked: bool = False) -> bytes:
    """Return the WebAssembly module of a game. Raises GameError where there is none."""
    try:
        from gdl.interpreter.native.wasm.module import wasm_code, wasm_module
    except ImportError:
        raise refused(
            Code.NO_BACKEND,
            "A module can't be made here: llvmlite is missing.",
            "Install the program with all that it depends on.",
        ) from None
    return made_natively(game, lambda: wasm_module(wasm_code(game, checked=checked)).code)


def made_natively(game: Game, make: Callable[[], Made]) -> Made:
    """Return what is made of a game's native code. Raises GameError where there is none."""
    from gdl.analysis.ranges import Uncovered

    try:
        return make()
    except Uncovered as problem:
        raise GameError([_placed(problem.diagnostic, game)]) from None


def _placed(found: Diagnostic, game: Game) -> Diagnostic:
    """Return a diagnostic that stands somewhere: at the game's name, if it has no place."""
    if found.span is not None:
        return found
    title = game.document.get("game")
    return replace(found, span=game.document.span if title is None else title.span)
