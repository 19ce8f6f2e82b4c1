"""A game as what is to be solved: its code, its symmetries, and a place to work at.

In: rules, and the position to solve. Out: a `Subject`. What then holds: the game is one that can be
solved exactly: one side or two, no chance, nothing that is remembered of earlier positions.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any, NoReturn

from gdl.board.symmetries import Permutation, moved_set
from gdl.codes import Code
from gdl.core.types import SITES
from gdl.diagnostic import Diagnostic, GameError, Span
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.native.memory.fields import Field
from gdl.interpreter.native.runtime.exchange import NativeFault, World
from gdl.interpreter.native.runtime.rules import NativeRules, native_or_refused
from gdl.interpreter.native.runtime.threads import TimeIsUp
from gdl.interpreter.positions.position import Position, Rules, rules_of
from gdl.interpreter.search.binding import Binding
from gdl.interpreter.search.engine import Engine
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.machine.instructions import Record, array
from gdl.interpreter.solve.backwards import (
    draw_the_rest,
    lay_out,
    turn_round,
    value_backwards,
    value_by_plies,
)
from gdl.interpreter.solve.clock import Clock, OutOfTime
from gdl.interpreter.solve.enumeration import MOST_MOVES, add_first, enumerate_more, find
from gdl.interpreter.solve.forced import find_forced, open_ways
from gdl.interpreter.solve.graph import fill_slots
from gdl.interpreter.solve.images import images_at, key_at
from gdl.interpreter.solve.proof import prove
from gdl.interpreter.solve.proof_table import pack, recall, spread_out, unpack
from gdl.interpreter.solve.solution import Result
from gdl.interpreter.solve.symmetries import symmetries
from gdl.interpreter.solve.tables import Head, fill_proven, fill_table
from gdl.interpreter.solve.workspace import DRAWN, LOST, WON, WORD_BYTES, Bench
from gdl.model import Game

_BITS = 8
_NO_PLIES = 4
_FOUND = 8


class Subject:
    """A game that can be solved.

    `position` is the one to solve, `symmetries` those of the rules (none, unless they are wanted).
    """

    def __init__(
        self,
        rules: Rules | Game,
        *,
        with_symmetries: bool = True,
        engine: Engine | None = None,
        native: NativeRules | None = None,
        is_exact: bool = True,
    ) -> None:
        """Compile the game, unless an engine has, or it is there as `native` code, for brief use.

        If a position is not to have an exact value by itself, chance may decide in the game, and
        its rules may ask for earlier positions. Raises GameError (`not-solvable`, `not-native`),
        TypeError for what are no rules.
        """
        rules = rules_of(rules)
        _refuse(rules.game, engine)
        if is_exact:
            _refuse_inexact(rules.game, engine)
        self.rules = rules
        if engine is not None:
            native = engine.native
        self.native = native or native_or_refused(rules.game, "So the game can't be solved.")
        self.binding = (
            Binding(rules.game, self.native.code, is_brief=native is not None)
            if engine is None
            else engine.binding
        )
        self.symmetries = symmetries(rules.game) if with_symmetries else ()
        self.seat = self.binding.seat(rules.start().state, 0, 0, _NO_PLIES)
        self.bench = self.bench_of(self.symmetries)

    def result(self, value: int, plies: int) -> Result:
        """Return the result that native code tells by two numbers; a puzzle is won or lost."""
        if len(self.rules.sides) == 1 and value == DRAWN:
            return Result(0.0, None)
        return Result.of(value, plies)

    @property
    def words(self) -> int:
        """How many words a position takes."""
        return int(self.binding.fields.bytes) // WORD_BYTES

    @cached_property
    def layout(self) -> str:
        """What the bytes of a position mean, as text: keys are the same only where this is."""
        layout = self.native.code.written.layout
        state = [slot for slot in self.rules.game.program.state if slot in layout.fields]
        fields = [layout.fields[slot] for slot in state]
        parts = [(field.offset, field.bits, field.count) for field in fields]
        return repr((layout.state_bytes, parts))

    # ----------------------------------------------------------------- positions

    def stand_at(self, state: State) -> None:
        """Put a state in front of the thread. Raises GameError where it can't be kept."""
        self._refuse_unheld(state)
        self.binding.exchange.write(state, self.seat.memory, self.seat.world)

    def begin_at(self, state: State, plies: int) -> None:
        """Put a state in front of the thread, and what is remembered of the game before it.

        It may be gone on with for so many plies. Raises GameError where it can't be kept.
        """
        self._refuse_unheld(state)
        self.seat = self.binding.seat(state, 0, 0, plies)

    def _refuse_unheld(self, state: State) -> None:
        if not self.binding.exchange.holds(state):
            message = "This position has numbers that native code can't keep."
            raise GameError([Diagnostic(Code.NOT_NATIVE, message, self.rules.game.document.span)])

    def state(self, words: Sequence[int]) -> State:
        """Return the state that the words of a position stand for."""
        memory = self.binding.exchange.buffer()
        data = b"".join((word % (1 << 64)).to_bytes(WORD_BYTES, "little") for word in words)
        memory[: len(data)] = data
        return self.binding.exchange.read(memory, None, self.seat.world)

    def after(self, position: Position) -> list[tuple[Any, Position]]:
        """Return the moves of a position, each with the position after it."""
        native = self.native
        return [
            (move, Position(position.rules, native.apply(position.state, move)))
            for move in native.legal(position.state)
        ]

    def key(self, position: Position, bench: Bench) -> int:
        """Return the key of a position in tables."""
        self.stand_at(position.state)
        self.call(key_at, self.seat.desk, bench)
        return int(bench.found[0])

    def head(self, used: Sequence[Permutation], positions: int, *, is_exact: bool) -> Head:
        """Return what a table says of itself that is made with these symmetries."""
        game = self.rules.game
        return Head(game.title, game.digest, self.layout, tuple(used), positions, is_exact)

    def fail_at(self, words: Sequence[int]) -> NoReturn:
        """Have the reference raise what the rules raise in a position where a call failed."""
        self.fail_after(self.state(words), ())

    def fail_after(self, state: State, numbers: Sequence[int]) -> NoReturn:
        """Have the reference raise what the rules raise after these moves, or one or two more."""
        for number in numbers:
            state = self.native.apply(state, self.native.legal(state)[number])
        for move in self.native.legal(state):
            after = self.native.apply(state, move)
            for answer in [] if self.native.outcome(after) else self.native.legal(after):
                self.native.apply(after, answer)
        raise NativeFault("a call failed in a position where the rules do not")

    # -------------------------------------------------------------------- calling

    def call(self, function: Callable[..., Any], *arguments: Record | int) -> int:
        """Call a compiled function that takes no longer than a moment."""
        return self.binding.compiled.users.call(compiled(function), function, *arguments)

    def run(self, function: Callable[..., Any], *arguments: Record | int, clock: Clock) -> int:
        """Call a compiled function in a thread of its own, so that it can be interrupted.

        At a pause of the clock it is stopped, and returns. Raises OutOfTime, KeyboardInterrupt.
        """

        def work(world: World) -> int:
            return self.call(function, *arguments)

        caller = self.binding.caller
        caller.deadline = clock.deadline
        self.seat.world.clear()
        try:
            (found,) = caller.threads([(self.seat.world, work)], clock.pause)
        except TimeIsUp:
            raise OutOfTime from None
        finally:
            caller.deadline = None
            self.seat.world.clear()
        return found

    # ----------------------------------------------------------------- symmetries

    def keeping(self, state: State) -> tuple[Permutation, ...]:
        """Return the symmetries that leave a state as it is."""
        kept = []
        for symmetry in self.symmetries:
            self.stand_at(state)
            if self.call(images_at, self.seat.desk, self.bench_of((symmetry,))) == 1:
                kept.append(symmetry)
        return tuple(kept)

    def bench_of(self, used: Sequence[Permutation]) -> Bench:
        """Return a place to work at which uses these symmetries: with the identity, a group."""
        size = len(self.rules.game.board.sites)
        set_bytes = -(-size // _BITS)
        sets, numbers = self._fields()
        image = array("Words", self.words)
        return Bench(
            words=self.words,
            seats=self.binding.seats,
            size=size,
            images=len(used),
            set_bytes=set_bytes,
            number_of_sets=len(sets),
            number_of_numbers=len(numbers),
            sets=_words(sets),
            numbers=_words([offset for offset, _ in numbers]),
            number_sizes=_words([entry for _, entry in numbers]),
            targets=_words([target for symmetry in used for target in symmetry]),
            tables=_tables(used, set_bytes),
            here=array("Words", self.words),
            least=array("Words", self.words),
            image=image,
            image_bytes=image.cast("B"),
            source_bytes=array("Bytes", self.words * WORD_BYTES),
            found=array("Words", _FOUND),
            children=array("Shorts", MOST_MOVES + 1),
        )

    def _fields(self) -> tuple[list[int], list[tuple[int, int]]]:
        """Return where sets begin in a position, and numbers, one a site, with their sizes."""
        layout = self.native.code.written.layout
        sets: list[int] = []
        numbers: list[tuple[int, int]] = []
        for slot in self.native.code.written.shared.program.state:
            field: Field[Any] = layout.fields[slot]
            if slot.type == SITES:
                assert field.bits > 16, "a set in a position is kept as a set"
                sets += [field.offset + n * field.entry_bytes for n in range(field.count)]
            if slot.per_site:
                numbers.append((field.offset, field.entry_bytes))
        return sets, numbers


def value_at_end(position: Position) -> int:
    """Return what a game that is over is worth for the first seat."""
    outcome = position.outcome
    seats = set() if outcome is None else set(outcome.seats)
    if not seats or len(seats) == len(position.rules.sides) > 1:
        return DRAWN
    return WON if 1 in seats else LOST


def _refuse(game: Game, engine: Engine | None) -> None:
    """Raise GameError, with the reason, where wins can't even be looked for."""
    if game.hides:
        reason = "the sides don't see all of a position when they decide"
        hint = "`gdl analyse` tells what its positions are worth on average."
        raise _refusal(game, reason, hint if engine or _has_engine(game) else "")
    if len(game.sides) > 2:
        hint = "Games of two sides, and puzzles of one, can be solved."
        raise _refusal(game, f"it has {len(game.sides)} sides", hint)


def _refuse_inexact(game: Game, engine: Engine | None) -> None:
    """Raise GameError, with the reason, where a position has no exact value by itself.

    The hint tells what can be had instead, by native code, where there is some.
    """
    program = game.program
    by_chance = next((phase for phase in program.phases if phase.by_chance), None)
    if program.memories:
        reason = "its rules ask for earlier positions, so a position alone has no value"
        hint = "`gdl solve --plies 5` looks for a win within five moves."
        span = program.memories[0].span
    elif by_chance is not None:
        reason = "chance decides in it"
        hint = (
            "`gdl analyse` tells what its positions are worth on average; `gdl solve --plies 5` "
            "looks for a win within five moves, whatever chance does."
        )
        span = by_chance.span
    else:
        return
    raise _refusal(game, reason, hint if engine or _has_engine(game) else "", span)


def _has_engine(game: Game) -> bool:
    """Return whether there is native code of a game, which the engine and searches need."""
    try:
        native_or_refused(game, "")
    except GameError:
        return False
    return True


def _refusal(game: Game, reason: str, hint: str, span: Span | None = None) -> GameError:
    message = f"{game.title} can't be solved: {reason}."
    return GameError([Diagnostic(Code.NOT_SOLVABLE, message, span or game.document.span, hint)])


_TOGETHER = (
    (images_at, key_at),
    (
        *(add_first, find, enumerate_more, fill_slots, fill_table),
        *(value_backwards, lay_out, turn_round, value_by_plies, draw_the_rest),
    ),
    (prove, recall, fill_proven, pack, unpack, spread_out),
    (open_ways, find_forced),
)
"""Functions that are compiled together, when one of them is first needed."""


def compiled(function: Callable[..., Any]) -> Compiled:
    """Return a function, with others, as machine code: the same for all games."""
    return _compiled(next(n for n, group in enumerate(_TOGETHER) if function in group))


@cache
def _compiled(number: int) -> Compiled:
    return Compiled(*_TOGETHER[number])


def _words(values: Sequence[int]) -> memoryview:
    found: memoryview[int] = array("Words", len(values))
    for place, value in enumerate(values):
        found[place] = value
    return found


def _tables(used: Sequence[Permutation], set_bytes: int) -> memoryview:
    """Return where the bits of each value of each byte of a set go, for each symmetry."""
    found: memoryview[int] = array("Bytes", len(used) * set_bytes * 256 * set_bytes)
    place = 0
    for symmetry in used:
        size = len(symmetry)
        for byte in range(set_bytes):
            for value in range(256):
                sites = value << _BITS * byte & (1 << size) - 1
                data = moved_set(sites, symmetry).to_bytes(set_bytes, "little")
                found[place : place + set_bytes] = data
                place += set_bytes
    return found
