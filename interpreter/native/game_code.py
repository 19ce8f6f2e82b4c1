"""The whole code of a game: what turns lead to, how the game ends, and many moves at once.

In: a program. Out: a module with the functions below, for a binding to call. What then holds:
they agree with interpreter/reference/rules.py, which says what each of them means.

All take the address of a position (with room for a frame) and that of the world; those that can
fail leave the reason in the world.

| function | gives |
|---|---|
| `count(position, world)` | the number of legal moves |
| `listed(position, world, list, size)` | the size of the list of legal moves, put into the list |
| `followers(position, world, list, size)` | how large the list is of positions after moves |
| `make(position, world, decisions, n)` | 1 if the turn with these decisions is completed: made |
| `pick(position, world, k)` | 1 if there is a k-th legal move: made |
| `pass_on(position, world)` | nothing: a side without a move has passed |
| `settle(position, world)` | nothing: the endings of the side before are tried |
| `stuck(position, world)` | -1: the side may pass; else the clause (0: none) that ends the game |
| `perft(position, world, depth)` | the number of sequences of moves |
| `step(positions, world, picks, n)` | how many positions were tried: in each, a move is picked |
| `ply_listed(position, world, random)` | whether there is a random move, found by search: made |
| `playout(position, world, random, plies)` | the number of moves of a random game |
| `playouts(position, world, first, n, seed, plies, tally, rows)` | how many random games |
| `go_on(position, world, random, plies, views, is_begun)` | how many moves were made then |
| `prepare(world, work, room)` | nothing: what a turn may take is set, before every other call |
| `reach(position, world, counts)` | nothing: the sites that each side reaches first are counted |
| `outlook(position, world, out)` | nothing: what the position promises is put there, in numbers |
| `asked(position, world, out)` | nothing: the answers to questions are put there |
| `ask(position, world, question)` | whether a turn goes on after decisions; see `turns.asking` |
| `seen_S(position, world, planes, scalars)` | whether the last move is told to the side S; `seen` |

`playout`, `playouts` and `go_on` make up one part of the module, `reach`, `outlook`, `asked`, and
`ask` with `seen` others, where they are asked for, and the others the main one; each has `prepare`.
Which of them is needed is compiled; or all of them as one part, the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager

from gdl.analysis.plan import Plan
from gdl.analysis.ranges import Uncovered
from gdl.analysis.rows import Rows
from gdl.core.nodes import Expression
from gdl.interpreter.native.asked import Answer, Question, write_asked
from gdl.interpreter.native.choices import CONNECTIONS, HARMLESS, ROWS
from gdl.interpreter.native.emit.ir import Module
from gdl.interpreter.native.emit.stack import Need, need_of
from gdl.interpreter.native.emit.target import Target
from gdl.interpreter.native.expressions.counting import Counters, Watched
from gdl.interpreter.native.expressions.expressions import Expressions
from gdl.interpreter.native.games.moves_in_place import GamesInPlace
from gdl.interpreter.native.games.playouts import RandomGameCode
from gdl.interpreter.native.games.searched_moves import write_ply_listed
from gdl.interpreter.native.games.watched_games import write_watched
from gdl.interpreter.native.memory.frame import FrameLayout
from gdl.interpreter.native.memory.work_checks import text_of, write_look, write_prepare
from gdl.interpreter.native.races import Race, write_reach
from gdl.interpreter.native.seen import PlaneSource, Scale, write_seen
from gdl.interpreter.native.sets import SetCode
from gdl.interpreter.native.sets.arrays import ArraySets
from gdl.interpreter.native.sets.registers import RegisterSets
from gdl.interpreter.native.turns.asking import PlaceOf, Questions
from gdl.interpreter.native.turns.endings import Endings
from gdl.interpreter.native.turns.history import Past
from gdl.interpreter.native.turns.looking_ahead import CanCode
from gdl.interpreter.native.turns.search_calls import EntryPoints
from gdl.interpreter.native.turns.searches import Searches
from gdl.interpreter.native.turns.shared_code import SharedCode
from gdl.interpreter.native.turns.turn_ends import TurnEnds
from gdl.interpreter.native.views.views import Views

MOST_REGISTER_SITES = 768
"""From some 700 sites on, arrays are as quick as registers, or quicker, whatever the rules; and the
larger the board is, the longer it takes to compile what is done with registers."""

_CALLS = (
    *("count", "listed", "followers", "make", "pick", "pass_on", "settle", "stuck", "perft"),
    *("step", "ply_listed", "prepare"),
)
_GAMES = ("playout", "playouts", "go_on", "prepare")
AROUND = ("count", "pick", "pass_on", "stuck", "prepare")
"""What an environment calls between turns."""
WHOLE = tuple(dict.fromkeys((*_CALLS, *_GAMES)))
"""All functions but those that are asked for."""


class GameCode:
    """Writes the whole module of a game: `calls` and `games` are the texts of its two parts."""

    def __init__(
        self,
        plan: Plan,
        sides: int,
        *,
        target: Target,
        choices: AbstractSet[str],
        checked: bool,
        most_register_sites: int,
        watched: Watched | None = None,
    ) -> None:
        """Write the code for a target in the ways that `choices` name. Raises Uncovered.

        What is `watched` is counted, by code that plays games for that: `counters` has it.

        On boards of more than `most_register_sites`, sets are arrays in memory: `FrameLayout`
        gives those of a position room, and `ArraySets` others, on the stack.
        """
        if HARMLESS not in choices:
            plan = plan.without_harmless
        module = Module(target)
        self._asked_for: dict[str, None] = {}
        with _told_where(module):
            sets = _sets_of(plan, module, most_register_sites)
            write_look(module)
            write_prepare(module)
            kept = tuple(
                one
                for one in plan.kept
                if (ROWS if isinstance(one.asks, Rows) else CONNECTIONS) in choices
            )
            pools = plan.pools
            slots = (*(one.slot for one in kept), *(pool.slot for pool in pools.values()))
            needed = None if sets.are_arrays else plan.needed_over_decisions
            self.layout = FrameLayout(plan, sets.bits, dict.fromkeys(slots), needed)
            self.counters = None if watched is None else Counters(watched, module, sets)
            expressions = Expressions(
                sets,
                self.layout,
                plan.ranges,
                lambda p, node: questions.can(p, node),
                lambda p, node: self.past.times(p, node),
                choices,
                checked=checked,
                looks_ahead=plan.looks_ahead,
                counters=self.counters,
            )
            self.shared = SharedCode(plan, sides, expressions)
            self._questions = questions = CanCode(self.shared)
            self.past = Past(expressions, plan.program.memories)
            self.endings = Endings(self.shared)
            self.searches = Searches(self.shared, sum(self.past.key_bytes))
            self.searches.write_turns()
            self.endings.write()
            ends = TurnEnds(self.shared, self.endings, self.past)
            views = Views(expressions, kept, pools)
            self.games_in_place = GamesInPlace(self.shared, self.endings, ends, views)
            self.searches.write()
            ends.write()
            self.games_in_place.write()
            EntryPoints(self.shared, self.endings, self.past).write()
            write_ply_listed(self.shared, self.searches, self.games_in_place)
            RandomGameCode(self.shared, self.endings, self.games_in_place).write()
            questions.write()
            if self.counters is not None:
                for name in write_watched(self.shared, self.counters):
                    self._asked_for[name] = None

    def reach(self, races: Sequence[Race]) -> str:
        """Return the text of the function that lets sides race. Raises Uncovered."""
        with self._writing_more():
            name = write_reach(self.shared.expressions, races)
        self._asked_for[name] = None
        return self._text((name, "prepare"))

    def outlook(self, terms: Sequence[Expression]) -> str:
        """Return the text of the function that tells what a position promises. Raises Uncovered."""
        with self._writing_more():
            name, _ = write_asked(self.shared.expressions, terms, "outlook")
        self._asked_for[name] = None
        return self._text((name, "prepare"))

    def ask(self, questions: Sequence[Question]) -> tuple[Answer, ...]:
        """Write the function that answers questions; return where. Raises Uncovered."""
        with self._writing_more():
            name, answers = write_asked(self.shared.expressions, questions)
        self._asked_for[name] = None
        return answers

    def environment(
        self,
        place_of: PlaceOf,
        actions: int,
        seen: Sequence[tuple[Sequence[PlaneSource], Sequence[Scale], Expression]],
        blank: tuple[int, int],
    ) -> tuple[str, ...]:
        """Write what decisions go on, and what each side sees; return the names. Raises Uncovered.

        Of what is seen, so many planes and scalars at the end are `blank`.
        It is to be called before any text is asked for: frames become larger by it.
        """
        with self._writing_more():
            Questions(self.shared, self.searches, place_of, actions).write()
            for side, sources in enumerate(seen):
                write_seen(self.shared.expressions, f"seen_{side}", *sources, blank)
        names = ("ask", *(f"seen_{side}" for side in range(len(seen))))
        self._asked_for.update(dict.fromkeys(names))
        return names

    def environment_text(self, names: Sequence[str]) -> str:
        """Return the text of these functions, and of what leads from one turn to the next."""
        return self._text((*names, *AROUND))

    @contextmanager
    def _writing_more(self) -> Iterator[None]:
        """Let more be written; what it looks ahead for is known to searches from then on."""
        with _told_where(self.shared.module):
            yield
            self._questions.write_looked_for()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all functions: also of those that were asked for."""
        return *WHOLE, *self._asked_for

    @property
    def calls(self) -> str:
        """The text of the functions that search."""
        return self._text((*_CALLS, *self._asked_for) if self.counters else _CALLS)

    @property
    def games(self) -> str:
        """The text of the functions that play random games."""
        return self._text(_GAMES)

    @property
    def whole(self) -> str:
        """The text of all functions, as one part."""
        return self._text(self.names)

    @property
    def annotated(self) -> str:
        """The text of all functions, with the place in the game's file of what they carry out."""
        return "\n".join(self._text(names, with_notes=True) for names in (_GAMES, _CALLS))

    @property
    def tables(self) -> Mapping[str, int]:
        """Where the tables lie that the functions read, by their names."""
        return self.shared.module.tables.addresses

    @property
    def stack(self) -> Need:
        """How much of the stack the functions need."""
        functions, calls = self.shared.module.reached(self.names)
        return need_of(functions, calls, self.layout.frame_bytes, self.shared.module.target)

    def _text(self, names: Sequence[str], *, with_notes: bool = False) -> str:
        module, rounds = self.shared.module, self.shared.sets.size
        work_at = "" if self.counters is None else self.counters.work
        bytes_ = self.layout.frame_bytes
        return text_of(module, names, bytes_, rounds, with_notes=with_notes, work_at=work_at)


@contextmanager
def _told_where(module: Module) -> Iterator[None]:
    """Say of what cannot be written where in the game's file it stands."""
    try:
        yield
    except Uncovered as problem:
        raise problem.at(module.newest_place) from None


def form_of_sets(size: int) -> str:
    """Return in words which form sets have on a board of so many sites, and why."""
    if size <= MOST_REGISTER_SITES:
        return f"each is one register, since the board has at most {MOST_REGISTER_SITES} sites"
    return f"each is an array in memory, since the board has more than {MOST_REGISTER_SITES} sites"


def _sets_of(plan: Plan, module: Module, most_register_sites: int) -> SetCode:
    """Return what writes sets on the plan's board: registers, or arrays in memory."""
    if plan.size <= most_register_sites:
        return RegisterSets(module, plan.size)
    assert plan.size < 1 << 15, "a site's number is kept in 16 bits, and no board has so many"
    return ArraySets(module, plan.size, plan.set_bounds)
