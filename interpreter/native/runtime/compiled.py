"""A game as machine code: written at once, compiled part by part.

In: a `Game`. Out: its `Code`: functions to call, and their texts. What then holds: what plays
random games and what searches are compiled apart, each when it is first needed; and compiled well
if that is asked for, or pays later (see `part`).
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cached_property
from typing import Any, ParamSpec, TypedDict, TypeVar, Unpack

from gdl.analysis.plan import plan_as_written, plan_for_code
from gdl.analysis.random_moves import may_need_search
from gdl.analysis.ranges import Uncovered
from gdl.core.nodes import Expression, Program
from gdl.core.walk import program_statements
from gdl.interpreter.native.choices import chosen, core_passes
from gdl.interpreter.native.emit.target import Target
from gdl.interpreter.native.expressions.counting import Watched
from gdl.interpreter.native.game_code import MOST_REGISTER_SITES, GameCode
from gdl.interpreter.native.races import Race
from gdl.interpreter.native.runtime.exchange import Memory
from gdl.interpreter.native.runtime.machine_code import Effort, MachineCode, this_machine
from gdl.interpreter.native.runtime.refusals import told_at_its_expression
from gdl.interpreter.native.runtime.uninterruptible import renew_in_child
from gdl.model import Game
from gdl.resources.budget import budget
from gdl.resources.gc_pause import seldom_collected

Given = ParamSpec("Given")
Result = TypeVar("Result")

_P, _I = ctypes.c_void_p, ctypes.c_int64
_PREPARE = (None, _P, _I, _I)
_Signatures = Mapping[str, Sequence[Any]]
CALLS: _Signatures = {
    "count": (_I, _P, _P),
    "listed": (_I, _P, _P, _P, _I),
    "followers": (_I, _P, _P, _P, _I),
    "make": (_I, _P, _P, _P, _I),
    "pick": (_I, _P, _P, _I),
    "pass_on": (None, _P, _P),
    "settle": (None, _P, _P),
    "stuck": (ctypes.c_int32, _P, _P),
    "perft": (_I, _P, _P, _I),
    "step": (_I, _P, _P, _P, _I),
    "prepare": _PREPARE,
}
_REACH: _Signatures = {"reach": (None, _P, _P, _P), "prepare": _PREPARE}
_OUTLOOK: _Signatures = {"outlook": (None, _P, _P, _P), "prepare": _PREPARE}
GAMES: _Signatures = {
    "playout": (_I, _P, _P, _P, _I),
    "playouts": (_I, _P, _P, _I, _I, _I, _I, _P, _P),
    "go_on": (_I, _P, _P, _P, _I, _P, _I),
    "prepare": _PREPARE,
}
"""The functions of the two parts of a module: the types of their results and parameters."""
SIGNATURES: _Signatures = {**CALLS, **_REACH, **_OUTLOOK, **GAMES}
"""The same of all functions by their names."""


class Users:
    """The threads whose calls may be under way, each with a lock of its own.

    An interrupt may come between any two steps of Python's. A count of calls would then be wrong
    for ever; a lock that is held `with` a call is let go in any case.
    """

    def __init__(self) -> None:
        self._own = threading.local()
        self._locks: list[AbstractContextManager[bool]] = []
        self._is_closed = False

    def call(
        self, function: Callable[Given, Result], *args: Given.args, **kwargs: Given.kwargs
    ) -> Result:
        """Return what a function returns, during which the code is not freed.

        Raises RuntimeError if it has been freed.
        """
        with self._lock():
            if self._is_closed:
                raise RuntimeError("the code has been freed")
            return function(*args, **kwargs)

    def _lock(self) -> AbstractContextManager[bool]:
        """Return the lock of this thread, in which there may be a call within a call."""
        lock: AbstractContextManager[bool] | None = getattr(self._own, "lock", None)
        if lock is None:
            lock = threading.RLock()
            self._locks.append(lock)
            self._own.lock = lock
        return lock

    def renew_locks(self) -> None:
        """Let no call be under way: a process that was forked has no other thread."""
        self._own = threading.local()
        self._locks = []

    def end(self) -> None:
        """Wait until no call is under way, and let none begin any more."""
        self._is_closed = True
        for lock in [*self._locks]:
            with lock:
                pass


_MOST_STATEMENTS = 6_000
"""How many statements and endings native code is made of, written out for each side and phase."""


def _refuse_long(program: Program) -> None:
    """Raise Uncovered for a program of which it would take too long to make native code."""
    statements = sum(1 for _ in program_statements(program))
    statements += sum(len(turn.clauses) for turn in program.turns)
    if statements > budget().of(_MOST_STATEMENTS):
        raise Uncovered(
            f"a game of {statements:,} statements, written out for each side:"
            f" {_MOST_STATEMENTS:,} are the most",
            program.phases[0].span,
        )


_PROCESS = Memory()

_WORTH = 2
"""How many times as long must be left to play as it takes to compile code well."""


class Options(TypedDict, total=False):
    """How code is written.

    `checked` code tests what analysis says. `passes` are names of passes over the core and of
    choices of code; None: all. On boards of more than `most_register_sites`, sets are arrays in
    memory.
    """

    checked: bool
    passes: Collection[str] | None
    most_register_sites: int


def code_of(
    game: Game, target: Target, watched: Watched | None = None, **options: Unpack[Options]
) -> GameCode:
    """Write the code of a game for a target; of what is `watched` there are no passes.

    Raises Uncovered where there is no native code for a construct.
    """
    passes = options.get("passes") if watched is None else ()
    _refuse_long(game.program)
    try:
        with seldom_collected():
            return GameCode(
                plan_for_code(game.program, game.board.size, core_passes(passes))
                if watched is None
                else plan_as_written(game.program, game.board.size),
                len(game.sides),
                target=target,
                checked=options.get("checked", False),
                choices=chosen(passes),
                most_register_sites=options.get("most_register_sites", MOST_REGISTER_SITES),
                watched=watched,
            )
    except Uncovered as problem:
        raise told_at_its_expression(problem, game) from None
    except RecursionError:
        span = game.program.phases[0].span
        raise Uncovered("expressions that are nested so deep", span) from None


class ClosedAtLast:
    """What has machine code, which is freed at the latest when nobody has it any more."""

    def close(self) -> None:
        """Free the machine code."""
        raise NotImplementedError

    def __del__(self) -> None:
        # When the process ends, modules may be gone already, `contextlib` among them; and a thread
        # that was compiling then is never let go on, so that what it holds would be waited for.
        try:
            if not sys.is_finalizing():
                self.close()
        except Exception:
            pass


class CompiledGame:
    """The code of a game, in two parts: `games` plays random games, `calls` does all else.

    `written` is what wrote it, `memory` where that lies which it works with.
    """

    def __init__(self, game: Game, **options: Unpack[Options]) -> None:
        """Write the code. Raises Uncovered where there is no native code for a construct."""
        begun = time.perf_counter()
        self.written = self._write(game, **options)
        self.stack = self.written.stack
        self.users = Users()
        self.games, self.calls = self._made_parts()
        self._reach: Part | None = None
        self._outlook: Part | None = None
        self._lock = threading.Lock()
        self._has_run = 0.0
        self._lowered = time.perf_counter() - begun
        renew_in_child(self)

    def renew_locks(self) -> None:
        """Let no thread hold a lock, in a process that was forked."""
        self._lock = threading.Lock()
        self.users.renew_locks()
        for part in self._all_parts:
            part.renew_locks()

    def compile_reach(self, races: Sequence[Race]) -> Part:
        """Compile well what lets sides race for sites; of a game, these are always the same."""
        with self._lock:
            if self._reach is None:
                text = self.written.reach(races)  # which may need more tables
                self._reach = Part(lambda: text, _REACH, self.written.tables)
        self._reach.compile()
        return self._reach

    def compile_outlook(self, terms: Sequence[Expression]) -> Part:
        """Compile well what tells what positions promise; of a game, the terms are always the same.

        Raises Uncovered.
        """
        with self._lock:
            if self._outlook is None:
                text = self.written.outlook(terms)
                self._outlook = Part(lambda: text, _OUTLOOK, self.written.tables)
        self._outlook.compile()
        return self._outlook

    @property
    def _all_parts(self) -> tuple[Part, ...]:
        asked_for = (part for part in (self._reach, self._outlook) if part is not None)
        return (*self._parts, *asked_for)

    @property
    def target(self) -> Target:
        """What the code is written for."""
        return this_machine()

    def _write(self, game: Game, **options: Unpack[Options]) -> GameCode:
        """Write the code. Raises Uncovered."""
        return code_of(game, self.target, **options)

    def _made_parts(self) -> tuple[Part, Part]:
        """Return what plays random games, and what does all else."""
        tables = self.written.tables
        games = Part(lambda: self.written.games, GAMES, tables)
        return games, Part(lambda: self.written.calls, CALLS, tables)

    @property
    def memory(self) -> Memory:
        """Where that lies which the code works with."""
        return _PROCESS

    @property
    def _parts(self) -> tuple[Part, ...]:
        return tuple(dict.fromkeys((self.games, self.calls)))

    @property
    def ir(self) -> str:
        """LLVM's code as it was written: of random games, and of all else, with comments."""
        return self.written.annotated

    @property
    def optimised(self) -> str:
        """LLVM's code after its optimisation, as text."""
        return "\n".join(part.machine_code.optimised for part in self._parts)

    @property
    def assembly(self) -> str:
        """The machine code as text."""
        return "\n".join(part.machine_code.assembly for part in self._parts)

    @property
    def needs_search(self) -> bool:
        """Whether random games may need the searches."""
        return any(may_need_search(turn.in_place) for turn in self.written.shared.plan.turns)

    def compile(self) -> None:
        """Compile well all that playing may need."""
        for part in self._parts:
            part.compile()

    # ------------------------------------------------------------------ provisional code

    def took(self, seconds: float) -> None:
        """Take note that provisional code has run for so long."""
        self._has_run += seconds

    def turning_point(self, until: float | None) -> float | None:
        """Return the moment from which on it pays to compile provisional code well.

        By then it has run for as long as that takes. If the code is used until a moment of
        `time.monotonic` only, what is left must be worth it. None: the code can stay.
        """
        cost = sum(part.cost for part in self._parts)
        if not cost:
            return None
        moment = time.monotonic() + max(0.0, cost - self._has_run)
        is_worth_it = until is None or until - moment > _WORTH * cost
        return moment if is_worth_it else None

    def improve(self, until: float | None) -> None:
        """Compile well what is provisional, if its turning point has come."""
        moment = self.turning_point(until)
        if moment is not None and moment <= time.monotonic():
            for part in self._parts:
                if part.is_provisional:
                    part.compile()
            self._has_run = 0.0

    @property
    def seconds(self) -> dict[str, float]:
        """How long it took to write the code (`lower`), and to compile what was needed (`llvm`)."""
        return {"lower": self._lowered, "llvm": sum(part.seconds for part in self._parts)}

    def close(self) -> None:
        """Free the machine code; nothing can be played any more. Waits for what is played."""
        self.users.end()
        for part in self._all_parts:
            part.close()


# ------------------------------------------------------------- functions that are compiled together

_SECONDS_A_CHARACTER = 2.5e-6
"""How long it takes to compile a text well, about."""
_TIMES_AS_LONG = 3
"""How much longer that takes than with little effort, about: so a busy machine is known."""


class Part:
    """Functions that are compiled together, as soon as one of them is asked for.

    Each is found by its name, as the best that there is by then. `seconds` is how long compiling
    took so far.
    """

    def __init__(
        self,
        write: Callable[[], str],
        signatures: _Signatures,
        tables: Mapping[str, int],
    ) -> None:
        """Take what writes the text, the types of results and parameters, and the tables."""
        self.seconds = 0.0
        self.is_provisional = False
        """Whether the functions can be called, and were compiled with little effort."""
        self._write = write
        self._signatures = signatures
        self._tables = tables
        self._lock = threading.Lock()
        self._functions: dict[str, Any] = {}
        self._versions: list[MachineCode] = []
        self._is_closed = False

    @cached_property
    def text(self) -> str:
        """LLVM's code as it was written."""
        return self._write()

    def __getitem__(self, name: str) -> Any:
        """Return a function as something to call."""
        self.begin()
        return self._functions[name]

    def address(self, name: str) -> int:
        """Return the address of a function, which is valid until all are freed."""
        self.begin()
        return self._versions[-1].address(name)

    @property
    def machine_code(self) -> MachineCode:
        """The code, compiled well."""
        self.compile()
        return self._versions[-1]

    @property
    def is_compiled(self) -> bool:
        """Whether the functions can be called."""
        return bool(self._functions)

    @property
    def cost(self) -> float:
        """The seconds that it takes, about, to compile the functions well; 0: it has been done."""
        if not self.is_provisional:
            return 0.0
        return max(len(self.text) * _SECONDS_A_CHARACTER, _TIMES_AS_LONG * self.seconds)

    def begin(self) -> None:
        """Make sure that the functions can be called."""
        if not self._functions:
            self._use(Effort.LITTLE)

    def compile(self) -> None:
        """Make sure that the functions are as quick as they can be."""
        self._use(Effort.FULL)

    def _use(self, effort: Effort) -> None:
        """Let the functions be compiled with so much effort, if they are not yet."""
        with self._lock:
            if self._is_closed:
                raise RuntimeError("the code has been freed")
            if self._functions and not (self.is_provisional and effort is Effort.FULL):
                return
            code = MachineCode(self.text, self._tables, effort)
            self.seconds += code.seconds
            self._versions.append(code)
            self.is_provisional = code.effort is Effort.LITTLE
            self._functions = {
                name: code.function(name, *types) for name, types in self._signatures.items()
            }

    def renew_locks(self) -> None:
        """Let no thread hold the lock: a process that was forked has no other one."""
        self._lock = threading.Lock()

    def close(self) -> None:
        """Free the code; none of its functions may be called any more."""
        with self._lock:
            self._is_closed = True
            self._functions = {}
            while self._versions:
                self._versions.pop().close()
