"""A game compiled to machine code, as an evaluator.

In: a `Game`. Out: the same states, moves and outcomes as the reference interpreter's, sooner.
What then holds: nothing is approximated. Where the rules fail (a number too large, a loop
without end), the reference interpreter is asked to say why.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import replace
from functools import lru_cache, partial, wraps
from itertools import accumulate, chain
from typing import Any, Concatenate, ParamSpec, TypeVar, Unpack, overload

from gdl.analysis.ranges import Uncovered
from gdl.core.nodes import Choose, Decide, Expression, Say, SitesOf
from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.evaluator import Outcome, State
from gdl.interpreter.evaluation.moves import FORCED_PASS, PASS, Move
from gdl.interpreter.evaluation.word_orders import Spot, neighbours, other_orders
from gdl.interpreter.native.emit.ir import WORD_BYTES
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.calling import USUAL_WORK
from gdl.interpreter.native.runtime.compiled import ClosedAtLast, Options
from gdl.interpreter.native.runtime.exchange import Exchange, World
from gdl.interpreter.native.runtime.line import NativeLine
from gdl.interpreter.native.runtime.random_games import RandomGames
from gdl.interpreter.native.turns.endings import PASSES
from gdl.interpreter.reference.history import History
from gdl.model import Game, OfAGame
from gdl.resources.budget import budget

_USUAL_LIST = 4096
_NO_SUCH_MOVE = -1
_MOST_KEPT = 1 << 14
"""How many moves are kept that were made of their traces."""
_MOST_MOVES = 1 << 62
_DEEPEST = 1 << 62  # moves: no game is as long, and machine code has no larger number

Given = ParamSpec("Given")
Result = TypeVar("Result")


class _LeftToReference(Exception):
    """Native code has no answer: memory has no room for all of a state, or the rules fail."""


def _or_reference(
    method: Callable[Concatenate[NativeRules, Given], Result],
) -> Callable[Concatenate[NativeRules, Given], Result]:
    """Let the method of the reference interpreter answer what this one leaves to it."""

    @wraps(method)
    def answer(rules: NativeRules, /, *given: Given.args, **named: Given.kwargs) -> Result:
        try:
            return method(rules, *given, **named)
        except _LeftToReference:
            found: Result = getattr(rules.reference, method.__name__)(*given, **named)
            return found

    return answer


class _Desk(threading.local):
    """What a thread works with in single calls: its world, and memory for lists of moves."""

    def __init__(self, exchange: Exchange) -> None:
        self.world = exchange.world()
        self.list = exchange.memory.words(_USUAL_LIST)


def _made_anew(kind: type[NativeRules], game: Game, options: Options) -> NativeRules:
    """Return what plays a game out of a pickle, by code that is written anew."""
    return kind(game, **options)


class NativeRules(RandomGames, ClosedAtLast):
    """Plays a game by machine code made from its program.

    `code` is what it plays with, and `reference` answers what that can't. Several threads may use a
    `NativeRules` at once; `playouts` and `perft` use threads of their own. An interrupt (control C)
    ends what runs in them at once.
    """

    def __init__(self, given: Game | OfAGame, /, **options: Unpack[Options]) -> None:
        """Write the code for a game, or for that of its rules.

        Raises Uncovered where there is no native code for a construct, TypeError for what is no
        game.
        """
        super().__init__(given, **options)
        code = self.code.written
        self._traces = Traces(
            code.searches.words.statements, tuple(site.name for site in self.game.board.sites)
        )
        self._desk = _Desk(self._exchange)

    def __reduce__(self) -> tuple[Callable[..., NativeRules], tuple[Any, Game, Options]]:
        # Machine code goes into no pickle: it is made anew, without limits, when it is needed.
        return _made_anew, (type(self), self.game, self._options)

    def line(self) -> NativeLine:
        """Return what plays games move by move in memory, one at a time."""
        return NativeLine(self.code, self._exchange, self._caller, self._traces.move)

    def limit(self, *, work: int | None = None, deadline: float | None = None) -> None:
        """Set how much work a turn may take, and the moment at which all that runs is stopped.

        Without `work` it is as much as the budget allows. The moment is one of `time.monotonic`;
        what is stopped then raises TimeIsUp.
        """
        self._caller.work = budget().of_turn(USUAL_WORK) if work is None else work
        self._caller.deadline = deadline

    def compile(self) -> None:
        """Compile well all that playing may need, so that no later call has to."""
        self.code.compile()

    def close(self) -> None:
        """Free the machine code; nothing can be played any more."""
        self.code.close()

    # -------------------------------------------------------------------- evaluator

    def start(self) -> State:
        """Return the state that the game begins with."""
        return self.reference.start()

    def _written(self, state: State) -> Any:
        """Return memory with a state, for single calls in this thread. Raises _LeftToReference."""
        if not self._exchange.holds(state):
            raise _LeftToReference
        world = self._desk.world
        world.clear()
        position = self._exchange.buffer()
        self._exchange.write(state, position, world)
        world.make_room(2 * _USUAL_LIST)
        return position

    def _asked(self, name: str, position: Any, *more: Any) -> int:
        """Return what a function says of a position. Raises _LeftToReference where it fails."""
        found = self._caller.call(name, position, self._desk.world, *more)
        if self._desk.world.error:
            raise _LeftToReference
        return found

    @_or_reference
    def settle(self, values: Sequence[Any]) -> State:
        """Return the state with these values of the slots, as if the side before had just moved."""
        program = self.game.program
        places = {slot: place for place, slot in enumerate(program.state)}
        before = list(values)
        for memory in program.memories:
            before[places[memory.slot]] = History()
        mover_place = places[program.system.mover]
        mover = int(before[mover_place])
        before[mover_place] = (mover - 1) % len(self.game.sides)
        start = State(tuple(before))
        position = self._written(start)
        self._asked("settle", position)
        found = self._exchange.read(position, start, self._desk.world)
        changed = list(found.values)
        changed[mover_place] = mover
        return State(tuple(changed), found.ended)

    @_or_reference
    def legal(self, state: State) -> Sequence[Move]:
        """Return the legal moves, ordered by decisions; none when the game is over."""
        if state.ended is not None:
            return ()
        desk, position = self._desk, self._written(state)
        used = self._asked("listed", position, desk.list, len(desk.list))
        if used > len(desk.list):
            desk.list = self.code.memory.words(2 * used)
            used = self._asked("listed", position, desk.list, len(desk.list))
        if used:
            return self._traces.moves(desk.list[:used])
        return (FORCED_PASS,) if self._asked("stuck", position) == PASSES else ()

    def named(self, state: State, text: str) -> Sequence[Move]:
        """Return the legal moves that read just so; the reference looks for them."""
        return self.reference.named(state, text)

    @_or_reference
    def apply(self, state: State, move: Move) -> State:
        """Return the state after a legal move; raises ValueError for one that can't be made."""
        position = self._written(state)
        if move == FORCED_PASS:
            self._asked("pass_on", position)
        else:
            count = len(move.decisions)
            decisions = self.code.memory.words(count + 1)
            decisions[:count] = move.decisions
            if not self._asked("make", position, decisions, count):
                raise ValueError("the move's decisions can't be made here")
        return self._exchange.read(position, state, self._desk.world)

    @_or_reference
    def outcome(self, state: State) -> Outcome | None:
        """Return how the game has ended, or None if it goes on."""
        if state.ended is not None:
            return state.ended
        position = self._written(state)
        if self._asked("count", position) or self._asked("stuck", position) == PASSES:
            return None
        return self._exchange.outcome(position, state.values)

    def value(self, state: State, expression: Expression) -> Any:
        """Return what an expression of the core is worth in a state."""
        return self.reference.value(state, expression)

    def hash(self, state: State) -> int:
        """Return 128 bits that equal states share, by whichever clause the game has ended."""
        if not self._exchange.holds(state):
            return _digest(repr(list(map(_sorted, state.values))).encode())
        if state.ended is not None:
            state = replace(state, ended=replace(state.ended, ending=0))
        position = self._written(state)
        total = _digest(bytes(position[: self.code.written.layout.state_bytes]))
        for number, size in enumerate(self._exchange.key_bytes):
            keys = self._exchange.keys_of(number, position, self._desk.world)
            for begin in range(0, len(keys), size):
                total += _digest(bytes((number,)) + keys[begin : begin + size])
        return total % (1 << 128)

    # ---------------------------------------------------------------- counting moves

    def perft(self, state: State, depth: int, threads: int = 1) -> int:
        """Return the number of sequences of `depth` moves; a game that ends earlier has none.

        Several threads share out the first moves.
        """
        if threads > 1 and depth > 1:
            return self._perft_by_moves(state, depth, threads)
        return self.perfts([state], depth)[0]

    def perfts(self, states: Sequence[State], depth: int, threads: int = 1) -> list[int]:
        """Return the number of sequences of `depth` moves from each state."""
        depth = min(depth, _DEEPEST)
        kept = [self._exchange.holds(state) for state in states]
        counts = [
            0 if is_kept else self.reference.perft(state, depth)
            for state, is_kept in zip(states, kept, strict=True)
        ]
        pending = [place for place, is_kept in enumerate(kept) if is_kept]
        failed: list[tuple[int, int]] = []

        def work(places: Iterator[int], world: World) -> list[int]:
            position, done = self._exchange.buffer(), list[int]()
            for place in places:
                self._exchange.write(states[place], position, world)
                counts[place] = self._caller.within(
                    self.code.calls, "perft", world, position, world.memory, depth
                )
                if world.error == w.STOPPED:
                    break
                self._caller.refuse_long(world)
                if world.error:
                    failed.append((place, world.error))
                done.append(place)
            return done

        while pending:
            self._caller.ready(self.code.calls)
            places = iter(pending)
            tasks = [(self.new_world(), partial(work, places)) for _ in range(threads)]
            turning_point = self.code.turning_point(self._caller.deadline)
            done = set(chain(*self._caller.threads(tasks, turning_point)))
            pending = [place for place in pending if place not in done]
        for place, error in failed:
            count = self.reference.perft if error == w.LEFT_TO_REFERENCE else self._perft_by_moves
            counts[place] = count(states[place], depth)
        return counts

    def _perft_by_moves(self, state: State, depth: int, threads: int = 1) -> int:
        """Count sequences from each state after a move: so the rules fail as soon as they do."""
        if depth <= 1:
            return self.reference.perft(state, depth)
        after = [self.apply(state, move) for move in self.legal(state)]
        return sum(self.perfts(after, depth - 1, threads))

    # ------------------------------------------------------------ many positions at once

    def step(self, states: Sequence[State], picks: Sequence[int]) -> list[State]:
        """Return the states after one move each: that with the number picked, of the legal ones.

        Numbers begin at 0. Raises IndexError where there is no such move, RuleError where the
        rules fail, ValueError where there are not as many numbers as states.
        """
        if len(states) != len(picks):
            raise ValueError(f"{len(states)} positions, but {len(picks)} numbers of moves")
        for state, pick in zip(states, picks, strict=True):
            if state.ended is not None or not 0 <= pick < _MOST_MOVES:
                raise IndexError(f"there is no legal move with the number {pick}")
        alone = self._exchange.key_bytes or not self._caller.is_short
        if alone or not all(map(self._exchange.holds, states)):
            return [self._after(*one) for one in zip(states, picks, strict=True)]
        world, exchange, last = self._desk.world, self._exchange, len(states)
        size = exchange.frame_bytes
        positions = exchange.buffer(last + 1)
        numbers = self.code.memory.words(last + 1)
        numbers[:] = (*picks, _NO_SUCH_MOVE)
        world.clear()
        for place, state in enumerate((*states, *states[:1])):
            exchange.write(state, positions, world, place * size)
        begin, by_single = 0, {}
        while begin < last:
            address = self.code.memory.within(positions, begin * size)
            picks_left = self.code.memory.within(numbers, begin * WORD_BYTES)
            begin += self._caller.call_briefly(
                "step", world, address, world.memory, picks_left, last + 1 - begin
            )
            if begin <= last:
                by_single[begin - 1] = self._after(states[begin - 1], picks[begin - 1])
                world.clear()
        return [
            by_single[place]
            if place in by_single
            else exchange.read(positions, state, world, place * size)
            for place, state in enumerate(states)
        ]

    def _after(self, state: State, pick: int) -> State:
        moves = self.legal(state)
        if pick >= len(moves):
            raise IndexError(f"there is no legal move with the number {pick}")
        return self.apply(state, moves[pick])


def native_or_refused(game: Game, hint: str) -> NativeRules:
    """Return the native code of a game. Raises GameError (`not-native`) with this hint."""
    try:
        return NativeRules(game)
    except Uncovered as problem:
        span = problem.diagnostic.span or game.document.span
        raise GameError([replace(problem.diagnostic, span=span, hint=hint)]) from None


def _sorted(value: Any) -> Any:
    """Return a slot's value, of a history its keys in an order of their own."""
    return sorted(map(repr, value.items())) if isinstance(value, History) else value


def _digest(data: bytes) -> int:
    return int.from_bytes(hashlib.blake2b(data, digest_size=16).digest(), "little")


__all__ = ["NativeRules", "Uncovered"]


# --------------------------------------------------------------- moves as native code tells of them

_Statement = Choose | Decide | Say


class ListedMoves(Sequence[Move]):
    """Moves, each made of its trace by `made` when first asked for; equal to a list of them."""

    def __init__(self, entries: Sequence[int], made: Callable[[Sequence[int]], Move]) -> None:
        self._entries = entries
        self._made = made
        self._ends = _ends(entries)
        self._order: Sequence[int] = range(len(self._ends))
        self._moves: list[Move | None] = [None] * len(self._ends)

    def __len__(self) -> int:
        return len(self._ends)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(list(self))

    @overload
    def __getitem__(self, place: int) -> Move: ...

    @overload
    def __getitem__(self, place: slice) -> list[Move]: ...

    def __getitem__(self, place: int | slice) -> Move | list[Move]:
        if isinstance(place, slice):
            return list(map(self._at, self._order[place]))
        return self._at(self._order[place])

    def __iter__(self) -> Iterator[Move]:
        return map(self._at, self._order)

    def by_weight(self, weights: Mapping[int, int]) -> Sequence[Move]:
        """Return the moves, those first whose decisions weigh most together; none is made yet."""
        sums = [0, *accumulate(weights.get(entry & 0xFFFFFFFF, 0) for entry in self._entries)]
        begins = [1, *(end + 1 for end in self._ends)]
        found = [sums[end] - sums[begin] for begin, end in zip(begins, self._ends, strict=False)]
        reordered = copy(self)
        reordered._order = sorted(self._order, key=lambda number: -found[number])
        return reordered

    def _at(self, number: int) -> Move:
        move = self._moves[number]
        if move is None:
            begin = self._ends[number - 1] if number else 0
            move = self._moves[number] = self._made(self._entries[begin + 1 : self._ends[number]])
        return move


class Traces:
    """Reads traces; `statements` has the statement of each number, `site_names` the sites'."""

    def __init__(self, statements: Sequence[_Statement], site_names: Sequence[str]) -> None:
        self._statements = statements
        self._site_names = site_names
        # The same moves are asked for in one position after the other.
        self._move = lru_cache(_MOST_KEPT)(self._made)

    def moves(self, entries: Sequence[int]) -> Sequence[Move]:
        """Return the moves that a list of traces tells of."""
        return ListedMoves(entries, self.move)

    def move(self, trace: Sequence[int]) -> Move:
        """Return the move that a trace tells of."""
        return self._move(tuple(trace))

    def _made(self, trace: Sequence[int]) -> Move:
        decisions: list[int] = []
        exchangeable: list[tuple[int, int]] = []
        ranked: list[tuple[int, int]] = []
        places: dict[Any, int] = {}
        text = ""
        spots: dict[int, Spot] = {}  # where in the text the word of each entry stands
        for place, entry in enumerate(trace):
            statement, value = self._statements[entry >> 32 & 0x7FFFFFFF], _decision(entry)
            separator, word = " ", None
            match statement:
                case Say():
                    word = statement.token
                case Decide():
                    word = statement.alternatives[value].token
                case Choose():
                    separator, word = statement.separator, str(value)
                    if isinstance(statement.domain, SitesOf):
                        word = self._site_names[value]
                    if statement.unordered_with in places:
                        exchangeable.append((places[statement.unordered_with], place))
                    places[statement.slot] = place
                    if statement.rank:
                        ranked.append((statement.rank, place))
            if not isinstance(statement, Say):
                decisions.append(value)
            if word is not None:
                text = f"{text}{separator}{word}" if text else word
                spots[place] = (len(text) - len(word), len(text))
        pairs = (*exchangeable, *neighbours(ranked))
        return Move(tuple(decisions), text or PASS, other_orders(text, spots, pairs))


def _ends(entries: Sequence[int]) -> list[int]:
    """Return where each trace of a list ends."""
    ends: list[int] = []
    place = 0
    while place < len(entries):
        place += 1 + entries[place]
        ends.append(place)
    return ends


def _decision(entry: int) -> int:
    value = entry & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value
