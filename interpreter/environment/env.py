"""Many games at once, as arrays: one environment for learning.

In: a game, and how many rows there are to be. Out: `Env`: arrays of what is seen, of which actions
are legal, of who is to decide, and of rewards. What then holds: no row is an object of Python's;
all that is done with rows is one call of native code, during which other threads go on; a row's
games depend on the seed and its own number alone.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NoReturn, Self

import numpy as np
from numpy.typing import NDArray

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError, whole_number
from gdl.interpreter.environment.actions import Actions, actions_of
from gdl.interpreter.environment.code import EnvironmentCode, Place, compiled_rows, view, zeros
from gdl.interpreter.environment.memory import RowMemory
from gdl.interpreter.environment.observations import Plane, Scalar, Showing, showing_of
from gdl.interpreter.environment.rows import (
    FULL,
    LISTS,
    LONG,
    MADE,
    MOST,
    NEEDED,
    NOBODY,
    REASON,
    act,
    begin_anew,
    illegal,
    look,
    observe,
    sample,
)
from gdl.interpreter.environment.sharing import Sharing
from gdl.interpreter.environment.whole_moves import count_moves, list_moves, play, sample_moves
from gdl.interpreter.evaluation.chance import GOLDEN, MIXING, Chance
from gdl.interpreter.evaluation.evaluator import failure_in_moves
from gdl.interpreter.evaluation.moves import IllegalMoveError
from gdl.interpreter.native.runtime.compiled import ClosedAtLast
from gdl.interpreter.native.runtime.exchange import World
from gdl.interpreter.positions.position import Position, rules_of
from gdl.interpreter.positions.position import Rules as GameRules
from gdl.model import Game

_SPARE_KEYS = 8
_LEFT_ALONE, _WRONG = -1, -2
_MOST_ACTION = np.int32(np.iinfo(np.int32).max)
_OPEN = ("_own", "_memory", "_sharing", "_places", "_record", "_rows", "_step")
"""What an `Env` has until it is closed."""


class Step(NamedTuple):
    """What `Env` gives: views of its arrays, which change with the next call that changes rows.

    `observation` [N, P, S] (uint8) and `scalars` [N, V] (float32) are what the seat on turn sees;
    `mask` [N, A] (uint8) is 1 for the actions that some legal move goes on with; `group` [N]
    (int32) is which decision is asked (-1: a turn without one), `seat` [N] (int8) who decides: from
    0; -1 chance; -2 nobody, the game is over. `reward` [N, seats] (float32) is what the last step
    brought; `terminated` and `truncated` [N] (bool) tell of games that it ended. Where they begin
    anew at once, all other arrays are of the new game. The letters are those of `Env`.
    """

    observation: NDArray[np.uint8]
    scalars: NDArray[np.float32]
    mask: NDArray[np.uint8]
    group: NDArray[np.int32]
    seat: NDArray[np.int8]
    reward: NDArray[np.float32]
    terminated: NDArray[np.bool_]
    truncated: NDArray[np.bool_]


class Env(ClosedAtLast):
    """Games of one kind, one a row, gone through a decision at a time.

    `n` rows of `game`, of which row i draws what chance decides from the `seed` and i; `threads`
    share the rows. Games that are over begin anew (`auto_reset`). Chance is `drawn`, or an own kind
    of decision (`explicit`). A step is a decision, or a whole move (`by="move"`), of which there
    may be 65,536 numbers: `mask` has one for each, and `Actions.decisions_of` tells the decisions.
    What is seen is `relative` to the seat that sees. After `max_plies` moves a game is cut off. An
    `illegal` action is refused, or loses. `recall` events are kept for `information`. Arrays of the
    caller's own can be given as `out`, by the names in `spec`.

    It has `n` and `recall` as given; its `rules` and their `game`; how many `seats` there are;
    whether the game `hides` something, and `has_chance`; `actions`: what their numbers mean;
    `planes` and `scalars`: what each of those shows; `arrays`: those of `now`, by name.

    Shapes are written in letters: N rows, P planes, S sites, V scalars, A actions. Where rows are
    asked for, there are R of them; they have M moves, of at most K decisions; a state has W bytes.

    >>> from gdl.interpreter import load
    >>> env = Env(load("hex", options={"size": 3}), 2)
    >>> step = env.step(np.array([1, 5], np.int32))
    >>> step.mask[:, 1:].tolist()
    [[0, 1, 1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 1, 0, 1, 1, 1, 1]]
    >>> step.seat.tolist(), step.observation.shape, env.actions.text(5)
    ([1, 1], (2, 3, 9), 'b2')
    """

    def __init__(
        self,
        game: GameRules | Game,
        n: int = 1,
        *,
        seed: int = 0,
        threads: int = 1,
        auto_reset: bool = True,
        chance: Literal["drawn", "explicit"] = "drawn",
        by: Literal["decision", "move"] = "decision",
        relative: bool = True,
        max_plies: int = 2000,
        illegal: Literal["raise", "lose"] = "raise",
        recall: int = 0,
        out: Mapping[str, NDArray[Any]] | None = None,
    ) -> None:
        """Compile the game and begin all rows.

        Raises Uncovered where there is no native code for the game, GameError where its decisions
        cannot be numbered, ValueError for arrays or numbers that do not fit, or where whole moves
        cannot be numbered.
        """
        n, threads = whole_number("n", n, 1), whole_number("threads", threads, 1)
        max_plies = whole_number("max_plies", max_plies, 1)
        recall = whole_number("recall", recall, 0)
        for name, choice, known in (
            ("chance", chance, ("drawn", "explicit")),
            ("by", by, ("decision", "move")),
            ("illegal", illegal, ("raise", "lose")),
        ):
            if choice not in known:
                raise ValueError(f"`{name}` is `{known[0]}` or `{known[1]}`, not {choice!r}")
        self.rules = rules_of(game)
        self.game: Game = self.rules.game
        self.n = n
        self.seats = len(self.game.sides)
        self.actions: Actions = actions_of(self.game)
        self._showing: Showing = showing_of(self.game, self.actions, is_relative=relative)
        self.planes: tuple[Plane, ...] = self._showing.planes
        self.scalars: tuple[Scalar, ...] = self._showing.scalars
        self.hides = self.game.hides
        self.has_chance = self.game.program.has_chance
        self.recall = recall
        self._max_plies = max_plies
        self._flat = self.actions.flat() if by == "move" else 0
        self._is_drawn = chance == "drawn"
        self._loses = illegal == "lose"
        self._code = EnvironmentCode(self.game, self.actions, self._showing)
        self._record, self._kept = self._code.rules(
            draws=int(self._is_drawn),
            resets=int(auto_reset),
            loses=int(self._loses),
            most_plies=max_plies,
            recall=recall,
        )
        self._native = compiled_rows()
        self._make_arrays(out or {})
        counts_ways = self.has_chance and not self._is_drawn
        self._memory = RowMemory(self._code, self._record, n, recall=recall, has_ways=counts_ways)
        self._own = self._memory.own
        shown = dict(self.arrays)
        if self._flat:
            shown["mask"] = np.zeros((n, self.actions.size), np.uint8)
        self._kept.append(shown)
        self._rows = self._memory.record(shown)
        self._places = [Place(self._code, self._record) for _ in range(threads)]
        self._sharing = Sharing(self._code.caller, self._places)
        self._has_moves = self._has_games = False
        self.reset(seed=seed)

    def close(self) -> None:
        """Free the machine code; what is asked of the rows raises ValueError from now on."""
        for name in _OPEN:
            self.__dict__.pop(name, None)
        if "_code" in self.__dict__:
            self._code.close()

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            """Say of what is gone after `close` that it is."""
            if name in _OPEN and "_code" in self.__dict__:
                raise ValueError("this `Env` is closed")
            raise AttributeError(f"`Env` has no attribute `{name}`", name=name, obj=self)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("an `Env` can't be copied or pickled: its rules and what `save` gives can")

    def __repr__(self) -> str:
        return f"<Env of {self.n} games of {self.game.title}>"

    # ------------------------------------------------------------------------ arrays

    @property
    def spec(self) -> Mapping[str, tuple[tuple[int, ...], np.dtype[Any]]]:
        """The shape and the type of each array, by the names of `Step`."""
        n, sites = self.n, self.game.board.size
        shapes: dict[str, tuple[tuple[int, ...], Any]] = {
            "observation": ((n, len(self.planes), sites), np.uint8),
            "scalars": ((n, len(self.scalars)), np.float32),
            "mask": ((n, self._flat or self.actions.size), np.uint8),
            "group": ((n,), np.int32),
            "seat": ((n,), np.int8),
            "reward": ((n, self.seats), np.float32),
            "terminated": ((n,), np.bool_),
            "truncated": ((n,), np.bool_),
        }
        return MappingProxyType(
            {name: (shape, np.dtype(kind)) for name, (shape, kind) in shapes.items()}
        )

    @property
    def now(self) -> Step:
        """The arrays as they are."""
        return self._step

    @property
    def decided(self) -> NDArray[np.int32]:
        """How many decisions of its turn each row has made [N]."""
        found: NDArray[np.int32] = self._own["numbers"][:, MADE].copy()
        return found

    def _make_arrays(self, out: Mapping[str, NDArray[Any]]) -> None:
        unknown = sorted(set(out) - set(self.spec))
        if unknown:
            raise ValueError(f"there is no array called `{unknown[0]}`")
        found: dict[str, NDArray[Any]] = {}
        for name, (shape, kind) in self.spec.items():
            given = out.get(name)
            if given is None:
                found[name] = zeros(shape, kind)
                continue
            fits = given.shape == shape and given.dtype == kind
            if not (fits and given.flags.c_contiguous and given.flags.writeable):
                raise ValueError(
                    f"`{name}` has to be a contiguous array of {kind} with the shape {shape}"
                )
            found[name] = given
        self.arrays: Mapping[str, NDArray[Any]] = MappingProxyType(found)
        self._step = Step(**found)

    # ------------------------------------------------------------------------- calls

    def _run(self, function: Callable[..., Any], count: int, *given: int) -> None:
        """Call a function over rows for `count` of them, shared out among the threads.

        It is given the records, what is `given`, and which of the rows it is for. Raises RuleError
        where the rules fail.
        """
        room = self._memory.key_room
        for begin, end in self._sharing.run(function, (self._record, self._rows), given, count):
            while begin < end:
                records = (self._record, self._rows)
                begin = self._sharing.alone(function, records, given, begin, end)
                if begin < end:
                    self._mend(begin, room, given)
                    room = self._memory.key_room

    def _mend(self, stop: int, key_room: int, given: Sequence[int]) -> None:
        """Make what lacks where a function has stopped; raise what is wrong if it is no room.

        There was room for so many earlier positions then.
        """
        report = self._places[0].report
        reason = int(report[REASON])
        if reason == FULL:
            self._memory.make_room(2 * key_room)
        elif reason == LISTS:
            self._sharing.make_list_room(2 * int(report[NEEDED]))
        else:
            chosen = next((each for each in given if isinstance(each, _Chosen)), None)
            self._fail(reason, stop if chosen is None else int(chosen.rows[stop]))

    def _fail(self, reason: int, row: int) -> None:
        """Raise why native code has stopped in a row."""
        title = self.game.title
        if reason == LONG:
            message = f"A turn of {title} has more than {self._memory.longest:,} decisions."
        else:
            position = self.positions([row])[0]
            problem = failure_in_moves(self.rules.evaluator, position.state)
            if problem is not None:
                raise problem
            message = f"A turn of {title} is too long or too deep, or a number is, for native code."
        raise GameError([Diagnostic(Code.NO_ACTIONS, f"{message} It is that of row {row}.")])

    def _chosen(self, rows: Any) -> _Chosen:
        """Return rows that somebody chose, by their numbers. Raises IndexError for others."""
        chosen = np.arange(self.n) if rows is None else np.asarray(rows)
        if chosen.dtype == np.bool_:
            chosen = np.flatnonzero(chosen)
        found = np.ascontiguousarray(chosen, np.int64).reshape(-1)
        if found.size and not (found.min() >= 0 and found.max() < self.n):
            raise IndexError(f"rows are numbers from 0 to {self.n - 1}")
        return _Chosen(found)

    # -------------------------------------------------------------------------- play

    def reset(self, rows: Any = None, seed: int | None = None) -> Step:
        """Begin new games in all rows, or in those that `rows` [N] says, perhaps from a seed."""
        chosen = self._chosen(rows)
        if seed is not None:
            seed = whole_number("seed", seed)
            states = [Chance(seed, int(row)).state for row in chosen.rows]
            self._own["random"][chosen.rows] = np.array(states, np.uint64).view(np.int64)
        self._run(begin_anew, len(chosen.rows), chosen)
        return self._look(chosen)

    def _look(self, chosen: _Chosen) -> Step:
        self._run(look, len(chosen.rows), chosen)
        return self._numbered()

    def _numbered(self) -> Step:
        """Return the arrays; where whole moves have numbers, fill their mask."""
        if self._flat:
            begins, moves = self.legal()
            mask = self._step.mask
            mask[:] = 0
            mask[np.repeat(np.arange(self.n), np.diff(begins)), self.actions.flat_of(moves)] = 1
        return self._step

    def step(self, actions: NDArray[Any]) -> Step:
        """Make an action [N] in each row; -1 leaves a row as it is. Whole numbers of any type do.

        Raises IllegalMoveError, and changes nothing, where one is not legal, or the game is over,
        and that is refused; TypeError for what are no whole numbers, ValueError for another shape.
        """
        given = self._given(actions, (self.n,))
        return self._step_by_moves(given) if self._flat else self._decide(given)

    def _given(self, actions: NDArray[Any], shape: tuple[int, ...]) -> NDArray[np.int32]:
        """Return actions as they were given, if they are whole numbers of this shape."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu":
            raise TypeError(f"actions are whole numbers, such as np.int32, not {given.dtype}")
        if given.shape != shape:
            raise ValueError(f"the actions have to have the shape {shape}, not {given.shape}")
        if given.dtype.itemsize >= _MOST_ACTION.itemsize and given.dtype != _MOST_ACTION.dtype:
            given = given.clip(0 if given.dtype.kind == "u" else _WRONG, int(_MOST_ACTION))
        return given.astype(np.int32, copy=False)

    def _step_by_moves(self, moves: NDArray[np.int32]) -> Step:
        """Make a whole move in each row, decision by decision."""
        rows = np.flatnonzero((moves != _LEFT_ALONE) & (self._step.seat != NOBODY))
        fits = (moves[rows] >= 0) & (moves[rows] < self._flat)
        fits[fits] = self._step.mask[rows[fits], moves[rows[fits]]] > 0
        wrong = rows[~fits]
        if wrong.size and not self._loses:
            row = int(wrong[0])
            raise IllegalMoveError(f"Move {moves[row]} is not legal in row {row}.")
        legal = np.full(self.n, -1, np.int32)
        legal[rows] = moves[rows]
        legal[wrong] = -1
        decisions = self.actions.decisions_of(legal)
        decisions[wrong, 0] = self.actions.size
        reward = np.zeros_like(self._step.reward)
        ended = [np.zeros(self.n, np.bool_) for _ in range(2)]
        for place in range(decisions.shape[1]):
            step = self._decide(decisions[:, place], are_checked=False)
            reward += step.reward
            ended[0] |= step.terminated
            ended[1] |= step.truncated
        for array, total in zip(self._step[5:], (reward, *ended), strict=True):
            np.copyto(array, total)
        return self._numbered()

    def _decide(self, actions: NDArray[np.int32], *, are_checked: bool = True) -> Step:
        own = self._own["actions"]
        np.copyto(own, actions)
        if are_checked and not self._loses:
            wrong = self._sharing.run(illegal, (self._record, self._rows), (), self.n)
            if wrong:
                bad = wrong[0][0]
                action = int(own[bad])
                known = f" ({self.actions.text(action)})" if 0 <= action < self.actions.size else ""
                why = ": its game is over" if self._step.seat[bad] == NOBODY else ""
                raise IllegalMoveError(f"Action {action}{known} is not legal in row {bad}{why}.")
        self._run(act, self.n)
        return self._step

    def sample(self, by: Literal["decision", "move"] = "decision") -> NDArray[np.int32]:
        """Return an action for each row [N], drawn at random; -1 where the game is over.

        Equally likely among those of the mask; `by="move"`, so that all moves of the turn are
        equally likely, which takes as long as to count them.
        """
        if by not in ("decision", "move"):
            raise ValueError(f"`by` is `decision` or `move`, not {by!r}")
        if self._flat:
            return self._sample_moves()
        self._run(sample if by == "decision" else sample_moves, self.n)
        found: NDArray[np.int32] = self._own["actions"].copy()
        return found

    def _sample_moves(self) -> NDArray[np.int32]:
        """Return the number of a move for each row, equally likely; -1 where the game is over."""
        mask, state = self._step.mask, self._own["random"].view(np.uint64)
        counts = mask.sum(axis=1, dtype=np.uint64)
        state += np.uint64(GOLDEN)
        words = state.copy()
        for shift, factor in MIXING:
            words = (words ^ words >> np.uint64(shift)) * np.uint64(factor)
        words ^= words >> np.uint64(31)
        chosen = (words >> np.uint64(32)) * counts >> np.uint64(32)
        passed = mask.cumsum(axis=1, dtype=np.uint64)
        found: NDArray[np.int32] = (passed <= chosen[:, None]).sum(axis=1).astype(np.int32)
        found[counts == 0] = -1
        return found

    def chance(self) -> NDArray[np.float32]:
        """Return how likely each action is where chance decides [N, A]; 0 elsewhere."""
        here = self._step.seat == -1
        if self._flat:
            here = self._step.mask * here[:, None]
            number = np.maximum(1, here.sum(axis=1, keepdims=True))
            shares: NDArray[np.float32] = (here / number).astype(np.float32)
            return shares
        result = np.zeros((self.n, self.actions.size), np.float32)
        if self.has_chance and not self._is_drawn:
            ways = self._own["ways"][here] * self._step.mask[here]
            result[here] = ways / np.maximum(1, ways.sum(axis=1, keepdims=True))
        return result

    # --------------------------------------------------------------- deciding together

    @property
    def phases_together(self) -> tuple[int, ...]:
        """The numbers of the phases in which the sides decide together."""
        names = {slot.name for slot in self.game.undecided}
        phases = enumerate(self.game.program.phases)
        return tuple(number for number, each in phases if f"decided in {each.name}" in names)

    @property
    def together(self) -> NDArray[np.bool_]:
        """Which rows are in a round in which the sides decide together [N]."""
        is_together = np.isin(self._phases(), self.phases_together)
        here: NDArray[np.bool_] = is_together & (self._step.seat >= 0)
        return here

    def _phases(self) -> NDArray[np.int64]:
        size, begin = self._record.phase_size, self._record.phase
        padded = np.zeros((self.n, 8), np.uint8)
        padded[:, :size] = self._own["frames"][:, begin : begin + size]
        return padded.view(np.int64).reshape(-1)

    def masks_together(self) -> NDArray[np.uint8]:
        """Return the mask of each seat [N, seats, A]: in a round that all decide together, of all.

        In other rows only the seat on turn has one. Raises ValueError where a step is a whole move.
        """
        self._refuse_moves()
        result = np.zeros((self.n, self.seats, self.actions.size), np.uint8)
        rows = np.flatnonzero(self._step.seat >= 0)
        result[rows, self._step.seat[rows]] = self._step.mask[rows]
        left = np.flatnonzero(self.together)
        if not left.size:
            return result
        state = self.save(left)
        kept = {name: array[left].copy() for name, array in self.arrays.items()}
        met = np.zeros((self.n, self.seats), np.bool_)
        met[left, self._step.seat[left]] = True
        open_ = left[~met[left].all(axis=1)]
        while open_.size:
            decided = np.full(self.n, -1, np.int32)
            decided[open_] = self._step.mask[open_].argmax(axis=1)
            self.step(decided)
            open_ = open_[self.together[open_]]
            seats = self._step.seat[open_]
            new = ~met[open_, seats]
            result[open_[new], seats[new]] = self._step.mask[open_[new]]
            met[open_, seats] = True
            open_ = open_[~met[open_].all(axis=1)]
        self._memory.restore(left, state)
        self._look(_Chosen(left))
        for name, array in self.arrays.items():
            array[left] = kept[name]
        return result

    def step_together(self, actions: NDArray[Any]) -> Step:
        """Make an action for each seat [N, seats] in the rounds that all decide together.

        In other rows only the action of the seat on turn is made. Each seat decides one thing.
        """
        self._refuse_moves()
        given = self._given(actions, (self.n, self.seats))
        is_open = self._step.seat >= 0
        may_go_on = self.together
        reward = np.zeros_like(self._step.reward)
        ended = [np.zeros(self.n, np.bool_) for _ in range(2)]
        done = np.zeros((self.n, self.seats), np.bool_)
        while is_open.any():
            rows = np.flatnonzero(is_open)
            seats = self._step.seat[rows]
            decided = np.full(self.n, -1, np.int32)
            decided[rows] = given[rows, seats]
            done[rows, seats] = True
            step = self.step(decided)
            reward += step.reward
            ended[0] |= step.terminated
            ended[1] |= step.truncated
            is_open &= may_go_on & self.together & ~(ended[0] | ended[1])
            rows = np.flatnonzero(is_open)
            is_open[rows] = ~done[rows, self._step.seat[rows]]
        for array, total in zip(self._step[5:], (reward, *ended), strict=True):
            np.copyto(array, total)
        return self._step

    def _refuse_moves(self) -> None:
        if self._flat:
            raise ValueError("sides decide together a decision at a time: not with `by='move'`")

    # ------------------------------------------------------------------- what is seen

    def observe(self, seat: int) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        """Return what a seat sees, whoever is on turn: planes [N, P, S] and scalars [N, V]."""
        self._refuse_seat(seat)
        planes = np.zeros_like(self._step.observation)
        scalars = np.zeros_like(self._step.scalars)
        self._run(observe, self.n, seat, _address(planes), _address(scalars))
        return planes, scalars

    def information(
        self, seat: int, length: int | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Return all that a seat was told, in order: events [N, length, 3], and how many [N].

        An event is who decided (-1: chance), the action, or -1 where that is not told, and a number
        for what the seat saw then (0 in games in which all see all). `Env` has to `recall` as many.
        """
        self._refuse_seat(seat)
        length = self.recall if length is None else length
        if not 0 < length <= self.recall:
            raise ValueError(f"`Env` keeps {self.recall} events: give it `recall={max(1, length)}`")
        counts = np.minimum(self._own["event_counts"][:, seat], length)
        events = self._own["events"][:, seat, :length].copy()
        events[np.arange(length) >= counts[:, None]] = -1
        return events, counts.astype(np.int32)

    def _refuse_seat(self, seat: int) -> None:
        if not 0 <= whole_number("seat", seat) < self.seats:
            raise IndexError(f"seats are numbers from 0 to {self.seats - 1}")

    # --------------------------------------------------------------------- whole moves

    def legal(self, rows: Any = None) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """Return the whole moves that go on in each row: where they begin [R+1], actions [M, K].

        A move is its actions from the beginning of the turn; those behind its end are -1.
        """
        begins, ids, _ = self._listed(self._chosen(rows), has_records=False)
        return begins, ids

    def expand(
        self, rows: Any = None
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]]:
        """Return the whole moves of rows, as `legal` does, and the states after them [M, W].

        What chance decides then is not drawn yet.
        """
        chosen = self._chosen(rows)
        begins, ids, records = self._listed(chosen, has_records=True)
        parents = np.repeat(chosen.rows, np.diff(begins))
        return begins, ids, self._memory.states_after(parents, ids, records)

    def _listed(
        self, chosen: _Chosen, *, has_records: bool
    ) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8]]:
        if not self._has_moves:
            self._record, self._has_moves = self._code.with_moves(self._record), True
        counts = np.zeros(len(chosen.rows), np.int64)
        for place in self._places:
            place.report[MOST] = 1
        self._run(count_moves, len(counts), chosen, _address(counts))
        width = max(int(place.report[MOST]) for place in self._places)
        begins = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
        total = int(begins[-1])
        ids = np.full((total, width), -1, np.int32)
        records = np.zeros((total if has_records else 0, self._code.record_bytes), np.uint8)
        given = (chosen, _address(begins), _address(ids), width, _address(records))
        self._run(list_moves, len(counts), *given, int(has_records))
        return begins, ids, records

    # -------------------------------------------------------------------------- states

    def save(self, rows: Any = None) -> NDArray[np.uint8]:
        """Return the states of rows as bytes [R, W]: plain data, with all that the rules remember.

        In games that remember positions, W grows with what there is to remember.
        """
        return self._memory.saved(self._chosen(rows).rows)

    def load(self, rows: Any, states: NDArray[np.uint8]) -> Step:
        """Put saved states into rows, one each; return all arrays.

        Raises ValueError for bytes that are no states of this game.
        """
        chosen = self._chosen(rows)
        self._memory.restore(chosen.rows, states)
        return self._look(chosen)

    # -------------------------------------------------------------------- random games

    def playout(self, rows: Any = None, games: int = 1) -> NDArray[np.float32]:
        """Play random games from rows; return what they are worth to each seat [R, seats].

        All moves are equally likely. A game that `max_plies` cuts off is worth nothing.
        """
        chosen, games = self._chosen(rows), whole_number("games", games, 1)
        worlds: list[World] = [place.world for place in self._places]
        if not self._has_games:
            self._record = self._code.with_games(self._record, worlds)
            self._has_games = True
        for place in self._places:
            place.world.make_room(self._memory.key_room + self._max_plies + _SPARE_KEYS)
            place.note_past()
        results = np.zeros((len(chosen.rows), self.seats), np.float32)
        self._run(play, len(chosen.rows), chosen, games, _address(results))
        return results / np.float32(games)

    # ----------------------------------------------------------------------- positions

    def positions(self, rows: Any = None) -> list[Position]:
        """Return the positions in which the turns of rows began."""
        return [
            Position(self.rules, self._memory.state(int(row))) for row in self._chosen(rows).rows
        ]

    def put(self, rows: Any, positions: Sequence[Position]) -> Step:
        """Put positions into rows, one each, with what is remembered of them; return all arrays.

        Raises ValueError for positions of other rules, or with numbers that there is no room for.
        """
        chosen = self._chosen(rows)
        if len(positions) != len(chosen.rows):
            raise ValueError(f"{len(chosen.rows)} positions are wanted, one a row")
        for row, position in zip(chosen.rows, positions, strict=True):
            self._memory.put(int(row), self.rules.state_of(position))
        return self._look(chosen)

    def render(self, row: int = 0) -> str:
        """Return the position of a row as lines of text, with what the turn has decided."""
        drawn = self.positions([row])[0].render()
        made = self._own["ids"][row, : self._own["numbers"][row, MADE]]
        decided = " ".join(self.actions.text(int(action)) for action in made)
        return f"{drawn}\n{decided}".rstrip()


class _Chosen(int):
    """The address of an array of rows, which it keeps."""

    rows: NDArray[np.int64]

    def __new__(cls, rows: NDArray[np.int64]) -> Self:
        """Return the address of rows."""
        made = super().__new__(cls, _address(rows))
        made.rows = rows
        return made


def _address(array: NDArray[Any]) -> int:
    return int(ctypes.addressof(ctypes.c_char.from_buffer(view(array)))) if array.size else 0
