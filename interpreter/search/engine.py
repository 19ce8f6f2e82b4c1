"""A player of any game that has native code: `Engine`.

In: rules, and positions. Out: an `Analysis` of each. What then holds: the same seed, positions and
numbers of iterations give the same analyses on one thread; an interrupt ends a search at once, and
what it found out is kept.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial, wraps
from itertools import count
from numbers import Integral, Real
from threading import Lock
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError, wanted, whole_number
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.compiled import CompiledGame
from gdl.interpreter.native.runtime.exchange import World
from gdl.interpreter.native.runtime.rules import NativeRules, native_or_refused
from gdl.interpreter.native.runtime.uninterruptible import renew_in_child
from gdl.interpreter.positions.information import Information
from gdl.interpreter.positions.position import Position, Rules, rules_of
from gdl.interpreter.positions.view import ALL_SIDES
from gdl.interpreter.search.alpha_beta.deepening import Deepening, serves
from gdl.interpreter.search.analysis import Analysis, Interrupted, MoveAnalysis, end_values
from gdl.interpreter.search.binding import Binding, Seat
from gdl.interpreter.search.evaluation.estimate import Estimate, no_estimate
from gdl.interpreter.search.hidden.information_sets import InformationSearch
from gdl.interpreter.search.long_games import GamesBrokenOff, guessed_estimate
from gdl.interpreter.search.machine.compiled import Compiled
from gdl.interpreter.search.memory.policy import Policy, new_policy
from gdl.interpreter.search.memory.proofs import is_proven
from gdl.interpreter.search.memory.tree import (
    NEVER,
    ROOT,
    Tree,
    is_part,
    numbers_of_moves,
)
from gdl.interpreter.search.tree_reuse import KeptTree, move_nodes, move_tables, number_anew
from gdl.interpreter.search.tree_search.findings import (
    moves_of,
    numbers_from_best,
    payoffs_of,
    values_of,
)
from gdl.interpreter.search.tree_search.iterations import end_search, search
from gdl.interpreter.search.tree_search.splitting import FEWEST_MOVES
from gdl.interpreter.search.worth import ALPHA_BETA, SEARCHES, TREE, Worth
from gdl.model import Game

# ------------- how many iterations the threads of a search make before they look at the clock again

_STRETCH = 0.004
"""Seconds that a thread searches before it looks at the clock."""
_FIRST_STRETCH = 8
_LONGEST_STRETCH = 1 << 16


class IterationPool:
    """Shares iterations out among threads, as long as there are some and time is left.

    The time is up at the moment `end`, which may be put off between two searches.
    """

    def __init__(self, end: float | None, iterations: int | None) -> None:
        self.made = 0
        self.end = end
        self._left = iterations
        self._lock = Lock()

    def stretches(self) -> Iterator[int]:
        """Yield how many iterations a thread is to make next."""
        number = _FIRST_STRETCH
        while True:
            begun = time.perf_counter()
            if self.end is not None and begun >= self.end and self.made:
                return
            with self._lock:
                if self._left is not None:
                    number = min(number, self._left)
                    self._left -= number
            if not number:
                return
            yield number
            spent = time.perf_counter() - begun
            stretch = _STRETCH
            if self.end is not None:
                stretch = min(stretch, self.end - time.perf_counter())
            if spent > 0:
                number = int(number * min(8.0, stretch / spent))
            number = max(1, min(number, _LONGEST_STRETCH))

    def note(self, made: int) -> None:
        """Note that so many iterations were made."""
        with self._lock:
            self.made += made


# ----------------------------------- how many random games the tree search plays from each new node

GAMES_IF_SHORT = 4
_MOST_INSTRUCTIONS = 30_000
"""What a short random game takes at most: its moves, times the lines of code that draw one."""
FEWEST_PLIES = 12
SAMPLE, _SEED = 32, 1


def most_plies_of_short_games(code: CompiledGame) -> int:
    """Return how many moves a game may have that takes little; 0 where none does."""
    if code.needs_search:
        return 0
    return max(1, _MOST_INSTRUCTIONS // code.games.text.count("\n"))


def games_from_node(native: NativeRules, start: State) -> int:
    """Return how many random games are to be played from a new node: more if they take little.

    One where the rules fail in a game that is tried: the search tells where.
    """
    plies = most_plies_of_short_games(native.code)
    if not plies:
        return 1
    try:
        sample = native.playouts(start, SAMPLE, _SEED, 2 * plies)
    except RuleError:
        return 1
    return GAMES_IF_SHORT if FEWEST_PLIES <= sample.moves / SAMPLE <= plies else 1


# ---------- when a search looks for quick wins by every way, and how much of its time that may take

PART_BEFORE = 0.1
"""Quick wins are looked for when this part of the time is over, and nothing is proven."""
_LONG_ENOUGH = 0.2
"""How many seconds a search must have to look for quick wins."""
_PLIES, _PART = 3, 0.05
_FEW_ITERATIONS = 2000
_PLIES_IF_SLOW, _PART_IF_SLOW = 9, 0.2
"""How long a win may be, and which part of the time it may take to find it; more of both in a
search that has made fewer iterations by then, since it proves little by itself."""
_LEAST_SECONDS = 0.001


class Wins(Protocol):
    """What finds quick wins by every way."""

    def find(
        self, position: Position, plies: int, seconds: float, first: Sequence[int] = ()
    ) -> MoveAnalysis | None:
        """Return the move that begins the quickest win of so many plies, if it is found in time.

        The moves with the numbers in `first` are tried before the others.
        """

    def forget(self) -> None:
        """Forget all that was found out so far."""


def has_time_for_wins(seconds: float | None, iterations: int | None) -> bool:
    """Return whether a search that may take so long looks for quick wins: only if time counts."""
    return iterations is None and seconds is not None and seconds >= _LONG_ENOUGH


def quick_win(
    wins: Wins, position: Position, made: int, seconds: float, best: Sequence[int]
) -> MoveAnalysis | None:
    """Return a move that wins soon, if it is found by a search that has made so many iterations.

    All the search may take so many seconds; `best` are the numbers of moves that it has seen, from
    best to worst.
    """
    if made < _FEW_ITERATIONS:
        return wins.find(position, _PLIES_IF_SLOW, seconds * _PART_IF_SLOW, best)
    return wins.find(position, _PLIES, seconds * _PART, best)


def deepened_with_wins(
    deepen: Callable[..., Analysis],
    best: Callable[[], Sequence[int]],
    wins: Wins,
    position: Position,
    seconds: float,
) -> Analysis:
    """Search for so many seconds by alpha-beta, and between for quick wins, which it may prune.

    `deepen` goes on with the same search, for so many seconds more; `best` are the numbers of the
    moves, from best to worst as far as it has come.
    """
    begun = time.perf_counter()
    found, win = deepen(seconds=seconds * PART_BEFORE, iterations=None), None
    if found.best is not None and not found.verdict:
        win = quick_win(wins, position, found.iterations, seconds, best())
        if win is None:
            left = max(_LEAST_SECONDS, seconds - (time.perf_counter() - begun))
            later = deepen(seconds=left, iterations=None)
            found = replace(later, iterations=found.iterations + later.iterations)
    found = replace(found, seconds=time.perf_counter() - begun)
    return found if win is None else found.with_win(win)


# ---------------------- methods of an object of which one runs at a time, whichever thread calls it

_P = ParamSpec("_P")
_T = TypeVar("_T")


class _HasLock(Protocol):
    @property
    def lock(self) -> threading.RLock: ...


_S = TypeVar("_S", bound=_HasLock)


def one_at_a_time(method: Callable[Concatenate[_S, _P], _T]) -> Callable[Concatenate[_S, _P], _T]:
    """Let the method wait until no other thread is in such a method of the object."""

    @wraps(method)
    def waiting(self: _S, /, *args: _P.args, **named: _P.kwargs) -> _T:
        with self.lock:
            return method(self, *args, **named)

    return waiting


USUAL_MEMORY = 256 << 20
"""Bytes for a tree; more are never used."""
_MANY_ITERATIONS = 500_000
"""With so many iterations, or with time alone, small games are solved first."""
USUAL_SECONDS = 1.0
MOST_PLIES = 2000
"""How long a random game may be; where it comes to no end, it counts as a draw."""
EXPLORATION = 0.4
URGENCY = 1.0
"""The weight of what is not known yet, and the value of a move that was not tried.

They won 140 points of 240 against 0.7 and 0.6, in four games, with 2,000 iterations a move.
"""


def policy_for(
    binding: Binding,
    *,
    exploration: float = EXPLORATION,
    urgency: float = URGENCY,
    plies: int = MOST_PLIES,
    split: int = FEWEST_MOVES,
    games: int = 1,
) -> Policy:
    """Return how a search of a game chooses: see `Engine` for what the numbers are."""
    return new_policy(
        exploration,
        urgency,
        plies,
        proves=binding.seats <= 2 and not binding.payoff_unit,
        split=split if binding.has_long_turns else NEVER,
        games=games,
    )


_MOST_LINES = 5
_MOST_LEFT_OUT = 100


class SolvesSmallGames(Protocol):
    """What solves games that are small enough for that."""

    def solved(self, position: Position, lines: int, seconds: float) -> Analysis | None:
        """Return what is proven of a position in a part of the time; None if it was too little."""

    def forget(self) -> None:
        """Forget all that was found out so far."""


class Known(Protocol):
    """What is known of a game's positions without a search."""

    def analysis(self, position: Position, lines: int) -> Analysis | None:
        """Return what is known of a position, with lines of so many moves; None if too little."""


class NetworkSearch(Protocol):
    """What searches by a network, in place of the engine's own search."""

    def begin(self, seed: int) -> None:
        """Draw by this seed from now on."""

    def analyse(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        lines: int = _MOST_LINES,
    ) -> Analysis:
        """Return what it finds out within so many seconds or iterations, as `Engine` does."""


def _made_anew(make: Callable[..., Engine], rules: Rules, settings: dict[str, Any]) -> Engine:
    return make(rules, **settings)


class Engine:
    """Searches for the best moves of one game.

    What it does not have to search is `known`: a table of solved positions, if there is one. By
    `wins`, if there is such, a search for so many seconds finds quick ones that it may overlook.
    The tree is kept from one position to the next: what was found out about a position that is
    reached then is not lost. It serves one thread at a time: others wait. A pickle gives one that
    is `made_by` the same function with the same `settings`, and has found out nothing yet.
    """

    def __init__(
        self,
        rules: Rules | Game,
        *,
        seed: int = 0,
        threads: int = 1,
        memory: int = USUAL_MEMORY,
        exploration: float = EXPLORATION,
        urgency: float = URGENCY,
        plies: int = MOST_PLIES,
        worth: Worth | None = None,
        amaf: bool = True,
        split: int = FEWEST_MOVES,
        games: int | None = None,
        search: str | None = None,
        breaks_off: bool = True,
        network: NetworkSearch | None = None,
    ) -> None:
        """Compile the game. Raises GameError (`not-native`) where that can't be.

        Raises ValueError for no threads, random games, plies or memory, and for a `search` that
        there is not; TypeError for what are no rules, no worth and no numbers.

        The `search` is `tree` or `alpha-beta`; if none is named, what the worth says, else `tree`.
        GameError (`no-alpha-beta`) where the game is none for it.

        The tree takes `memory` bytes at most: when they are used up, no nodes are added, but the
        search goes on. `exploration` and `urgency` are the constants of UCT, `plies` the length of
        a random game that is counted as a draw. With a `worth` of these rules, random games are
        cut short, and positions judged by it; ValueError if it is of others. With `amaf`, how
        random games end orders moves that were not tried, in games of two whose pieces stay. A node
        of `split` moves or more is gone through by the first decisions of its moves. From each new
        node, so many random `games` are played, each of which counts as an iteration; if none is
        told, one, or more where they are short and time counts alone. Unless it `breaks_off` random
        games that are long, and guesses what their positions are worth (see `long_games`), these
        are played to their ends. Given a `network`, which is a `NetworkSearch` of one game, that
        searches; nothing of the above is then asked.
        """
        rules = rules_of(rules)
        if worth is not None:
            wanted(worth, Worth, "a Worth, as `tune` finds one,")
        asked = {"threads": threads, "games": games, "plies": plies, "memory": memory}
        for name, number in asked.items():
            if number is not None:
                whole_number(name, number, 0 if name == "memory" else 1)
        for name, weight in (("exploration", exploration), ("urgency", urgency)):
            wanted(weight, Real, f"for `{name}`, a number")
        whole_number("split", split)
        if network is not None and not hasattr(network, "analyse"):
            raise TypeError(
                f"for `network`, a NetworkSearch of one game is wanted, not {network!r}"
            )
        if search not in (None, *SEARCHES):
            raise ValueError(f"search: {search!r} is none of {', '.join(SEARCHES)}")
        self.lock = threading.RLock()
        renew_in_child(self)
        self.made_by: Callable[..., Engine] = Engine
        self.settings: dict[str, Any] = {
            **{"threads": threads, "memory": memory, "exploration": exploration},
            **{"urgency": urgency, "plies": plies, "worth": worth, "amaf": amaf, "split": split},
            **{"games": games, "search": search, "breaks_off": breaks_off},
        }
        self.rules = rules
        self.network = network
        self.known: Known | None = None
        self.wins: Wins | None = None
        self.small_games: SolvesSmallGames | None = None
        hint = "So there is no engine for this game; a greedy player there is."
        self.native = native_or_refused(rules.game, hint)
        self.binding = Binding(rules.game, self.native.code)
        self._seed = whole_number("seed", seed)
        self._number = 0
        self._threads = threads
        self._memory = memory
        estimate = self.binding.estimate(worth)
        plain = worth is None or worth.plies is None
        self._policy = policy_for(
            self.binding,
            exploration=exploration,
            urgency=urgency,
            plies=plies,
            split=split,
            games=1 if games is None else games,
        )
        self._policy_in_time = self._policy
        if games is None and plain:
            from_node = games_from_node(self.native, rules.start().state)
            self._policy_in_time = self._policy.replaced(games=from_node)
        if search is None:
            search = TREE if worth is None else worth.search
        guesses = plain and breaks_off and search == TREE
        self._guessed = guessed_estimate(self.native, self.binding) if guesses else None
        self._worth = self._guessed or (no_estimate() if plain else estimate)
        self._deepening = self._alpha_beta(estimate) if search == ALPHA_BETA else None
        self._compiled = _compiled()
        self._kept = KeptTree(
            self.binding,
            self._compiled,
            memory,
            is_shared=threads > 1,
            has_order=amaf and self.binding.is_of_two,
            priors=self.binding.priors(worth),
        )
        self._by_information: InformationSearch | None = None

    def _alpha_beta(self, estimate: Estimate) -> Deepening:
        if not serves(self.rules.game, self.binding):
            raise GameError([_no_alpha_beta(self.rules.game)])
        return Deepening(self.native, self.binding, estimate, self._memory, threads=self._threads)

    @property
    def search(self) -> str:
        """By which search it plays: `tree` or `alpha-beta`."""
        return TREE if self._deepening is None else ALPHA_BETA

    @property
    def tree(self) -> Tree | None:
        """The tree of the last search by tree; it is used up by the next."""
        return self._kept.tree

    @property
    def breaks_off(self) -> bool:
        """Whether random games are so long that it breaks them off, and guesses how they end."""
        return self._guessed is not None

    @property
    def games_in_time(self) -> int:
        """How many random games it plays from a new node where time counts alone."""
        return self._policy_in_time.games

    def __reduce__(self) -> tuple[Callable[..., Engine], tuple[Any, ...]]:
        # What it has found out are trees in memory, and machine code: they stay here.
        if self.network is not None:
            raise TypeError(
                "an engine with a network can be no copy: send its rules and the network"
            )
        return _made_anew, (self.made_by, self.rules, {**self.settings, "seed": self._seed})

    def __repr__(self) -> str:
        return f"<Engine of {self.rules.name}>"

    def renew_locks(self) -> None:
        """In a process that was forked, go on alone; what another thread was at is forgotten."""
        if self.lock.acquire(blocking=False):
            self.lock.release()
            return
        self.lock = threading.RLock()
        self.forget()
        for finder in (self.wins, self.small_games):
            if finder is not None:
                finder.forget()

    @one_at_a_time
    def forget(self) -> None:
        """Forget all that was found out so far."""
        self._kept.forget()
        self._by_information = None
        if self._deepening is not None:
            self._deepening.forget()

    @one_at_a_time
    def begin(self, seed: int) -> None:
        """Forget all that was found out, and draw by this seed, as a new engine would."""
        self.forget()
        self._seed, self._number = seed, 0
        if self.network is not None:
            self.network.begin(seed)

    @one_at_a_time
    def analyse(
        self,
        position: Position,
        *,
        seconds: float | None = None,
        iterations: int | None = None,
        lines: int = _MOST_LINES,
        slack: float = 0.0,
    ) -> Analysis:
        """Return what a search finds out within so many seconds or iterations (usually a second).

        It looks at the whole position: where something is hidden, see `analyse_known`.
        It ends sooner where the value is proven. The first `lines` moves tell how the game may go
        on. Alpha-beta finds out what the best of them are worth, and those that are worse than the
        best by no more than `slack`. Raises GameError for a position that native code can't hold,
        RuleError where the rules fail in a game that is tried, ValueError for a position of another
        game, and where there is no time or no iteration to search; TypeError for what are no
        numbers; Interrupted, with what was found so far, where the program is interrupted.
        """
        begun = time.perf_counter()
        self.rules.state_of(position)
        _refuse(seconds, iterations)
        whole_number("lines", lines, 0)
        wanted(slack, Real, "for `slack`, a number")
        if seconds is None and iterations is None:
            seconds = USUAL_SECONDS
        if position.over:
            return self._finished(position, time.perf_counter() - begun)
        found = None if self.known is None else self.known.analysis(position, lines)
        if found is not None:
            return found
        if not self.binding.exchange.holds(position.state):
            raise GameError([_not_held(position)])
        if self.small_games is not None and (iterations is None or iterations >= _MANY_ITERATIONS):
            found = self.small_games.solved(position, lines, seconds or USUAL_SECONDS)
            if found is not None:
                return found
        if self.network is not None:
            return self.network.analyse(
                position, seconds=seconds, iterations=iterations, lines=lines
            )
        wins = self.wins if has_time_for_wins(seconds, iterations) else None
        if self._deepening is not None:
            deepen = partial(self._deepening.analyse, position, lines=lines, slack=slack)
            try:
                if wins is None or seconds is None:
                    return deepen(seconds=seconds, iterations=iterations)
                best = self._deepening.numbers_from_best
                return deepened_with_wins(deepen, best, wins, position, seconds)
            except KeyboardInterrupt as error:
                judged = self._deepening.judged
                found = deepen(seconds=None, iterations=1)
                all_judged, spent = judged + found.iterations, time.perf_counter() - begun
                whole = replace(found, iterations=all_judged, seconds=spent)
                raise Interrupted(whole) from error
        seats = self._seats(position.state)
        tree = self._kept.take(seats[0])
        pool = IterationPool(None if seconds is None else begun + seconds, iterations)
        policy = self._policy_in_time if iterations is None else self._policy
        win, interrupt = None, None
        try:
            if wins is not None and seconds is not None:
                pool.end = begun + seconds * PART_BEFORE
                self._search_on(tree, seats, pool, policy, position)
                pool.end = begun + seconds
                if not is_proven(tree, int(tree.state[ROOT])):
                    win = quick_win(wins, position, pool.made, seconds, numbers_from_best(tree))
            if win is None:
                self._search_on(tree, seats, pool, policy, position)
        except KeyboardInterrupt as error:
            interrupt = error
        moves = tuple(moves_of(tree, position, self.native, lines))
        spent = time.perf_counter() - begun
        payoffs = payoffs_of(tree, position, self.binding.payoff_unit)
        found = Analysis(position, pool.made, spent, values_of(tree, position), moves, payoffs)
        if interrupt is not None:
            raise Interrupted(found) from interrupt
        return found if win is None else found.with_win(win)

    def _search_on(
        self,
        tree: Tree,
        seats: Sequence[Seat],
        pool: IterationPool,
        policy: Policy,
        position: Position,
    ) -> None:
        """Search until time is up, and leave out games in which native code fails.

        Where it has not enough memory, it gets more.
        Raises RuleError where it is the rules that fail.
        """
        for left_out in count():
            failed = self._search(tree, seats, pool, policy)
            if failed is None or left_out >= _MOST_LEFT_OUT:
                break
            if failed.world.error == w.NO_ROOM:
                self.binding.make_room(failed)
            else:
                self._look_into(tree, failed, position.state)
            failed.world.clear()

    @one_at_a_time
    def analyse_known(
        self, known: Information, *, seconds: float | None = None, iterations: int | None = None
    ) -> Analysis | None:
        """Return what a search finds out that knows no more than a side that is on turn.

        Before chance decides, it knows what `ALL_SIDES` do. Its position is one in which the side
        may be, or one that looks so now if none was found; None if there is not even such. Raises
        ValueError for a side that is not on turn, TypeError for no Information.
        """
        wanted(known, Information, "what a side knows, as `information` tells it,")
        _refuse(seconds, iterations)
        if known.side != (ALL_SIDES if known.view.seat is None else known.view.mover):
            raise ValueError(f"{known.side} is not on turn")
        if seconds is None and iterations is None:
            seconds = USUAL_SECONDS
        seed = random.Random(f"{self._seed}:{self._number}").getrandbits(32)
        self._number += 1
        if self._by_information is None:
            broken_off = None
            if self._guessed is not None:
                broken_off = GamesBrokenOff(self.binding, self._guessed, self.rules.start().state)
            self._by_information = InformationSearch(
                self.rules, self.native, self._policy.plies, broken_off
            )
        return self._by_information.analyse(
            known, seed=seed, seconds=seconds, iterations=iterations
        )

    def _finished(self, position: Position, seconds: float) -> Analysis:
        outcome = position.outcome
        winners = () if outcome is None else outcome.winners
        values = end_values(winners, self.rules.sides, self.rules.game.number_of_teams)
        value = dict(zip(self.rules.sides, values, strict=True))
        return Analysis(position, 0, seconds, value, ())

    # --------------------------------------------------------------------- searching

    def _seats(self, state: State) -> list[Seat]:
        first = self._number
        self._number += self._threads
        return [
            self.binding.seat(state, self._seed, first + n, self._policy.plies)
            for n in range(self._threads)
        ]

    def _search(
        self, tree: Tree, seats: Sequence[Seat], pool: IterationPool, policy: Policy
    ) -> Seat | None:
        """Search until time is up; return the thread's place whose game failed, if one did."""
        binding = self.binding

        def iterate(seat: Seat) -> None:
            for number in pool.stretches():
                records = (
                    tree,
                    binding.code,
                    binding.fields,
                    seat.desk,
                    policy,
                    self._worth,
                    self._kept.tally,
                )
                made = self._compiled(search, *records, number)
                pool.note(made)
                if made < number:
                    break
            self._compiled(end_search, tree, seat.desk, policy, self._kept.tally)

        def task(seat: Seat) -> Callable[[World], bool]:
            def work(world: World) -> bool:
                binding.compiled.users.call(iterate, seat)
                return world.error not in (0, w.STOPPED)

            return work

        found = binding.caller.threads([(seat.world, task(seat)) for seat in seats])
        for seat in seats:
            if seat.world.error in (0, w.STOPPED):
                seat.world.clear()
        return next((seat for seat, failed in zip(seats, found, strict=True) if failed), None)

    def _look_into(self, tree: Tree, seat: Seat, state: State) -> None:
        """Play again what native code failed in: raises RuleError if it is the rules that fail."""
        depth, randomness = seat.desk.report
        made: list[str] = []
        try:
            for n in range(depth):
                node = int(seat.desk.path[n])
                place = int(seat.desk.steps[n + 1])
                if is_part(tree, int(seat.desk.path[n + 1])):
                    continue
                number = int(numbers_of_moves(tree, node, place + 1)[place])
                move = self.native.legal(state)[number]
                state = self.native.apply(state, move)
                made.append(move.text)
            if self.native.outcome(state) is None:
                chance = Chance(0)
                chance.state = randomness % (1 << 64)
                self.native.playout(state, chance, self._policy.plies)
        except RuleError as problem:
            moves = (*made, *(problem.moves or ()))
            raise RuleError(problem.diagnostic, moves, problem.move) from None


FUNCTIONS = search, end_search, number_anew, move_nodes, move_tables
"""The functions of the tree search that are called from outside of them."""


@cache
def _compiled() -> Compiled:
    """Return the search as machine code: the same for all games."""
    return Compiled(*FUNCTIONS)


def _refuse(seconds: float | None, iterations: int | None) -> None:
    """Refuse to search for no time, and what is no number. Raises ValueError and TypeError."""
    for name, number, kind in (("seconds", seconds, Real), ("iterations", iterations, Integral)):
        if number is not None and not isinstance(number, kind):
            what = "whole number" if kind is Integral else "number"
            raise TypeError(f"{name}: {number!r}, and it must be a {what}")
    if seconds is not None and not 0 < seconds < float("inf"):
        raise ValueError(f"seconds: {seconds}, and they must be above 0")
    if iterations is not None and iterations < 1:
        raise ValueError(f"iterations: {iterations}, and 1 is the least")


def _not_held(position: Position) -> Diagnostic:
    return Diagnostic(
        Code.NOT_NATIVE,
        "This position has numbers that native code can't keep.",
        position.rules.game.document.span,
        "Fractions must be multiples of those that the rules have, and numbers less than 2^60.",
    )


def _no_alpha_beta(game: Game) -> Diagnostic:
    return Diagnostic(
        Code.NO_ALPHA_BETA,
        "Alpha-beta is for games of two sides in which nothing is hidden, left to chance or paid.",
        game.document.span,
        "The engine plays this one by tree search.",
    )
