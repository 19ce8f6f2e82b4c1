"""The code of random games by the thousand.

In: the moves of a game. Out: `playout`, `playouts` and `go_on`, which a binding calls; see
`game_code`. What then holds: in a random game each legal complete move is equally likely, and the
game with a number depends on the seed and that number alone.

Where a move has to be found by search, the search is called at the address that the world has for
it: most games need none, so searches are compiled apart from games, when they are first needed.
The same is true of what follows such a move.
"""

from __future__ import annotations

from gdl.analysis.random_moves import may_fail
from gdl.interpreter.native.emit.blocks import Label
from gdl.interpreter.native.emit.ir import FRAME_TYPE, POSITION, RANDOM, VIEWS, WORLD, Function
from gdl.interpreter.native.emit.kinds import I1, I8, I32, I64, NULL, PTR, Address, Bit, Word
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.games.moves_in_place import SEARCH, TRY_ALL, GamesInPlace
from gdl.interpreter.native.games.random_numbers import STATE_BYTES, STATE_TYPE, first_state
from gdl.interpreter.native.games.records import TallyCode, row_words, write_row
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.turns.endings import PASSES, Endings
from gdl.interpreter.native.turns.shared_code import SharedCode

_IN_BOTH_PARTS = ("stuck", "pass_on")
"""If all moves are made in place, these are written here too: the other part is rarely needed."""
_PLIES = Word("%plies")
_PARAMETERS = ("ptr %position", "ptr %world", "ptr %random")
_OF_ONE_MOVE = (*_PARAMETERS, "ptr %views")
_SHORT_UNSEEN = 256
"""So many short moves are made between two looks at the world."""


class RandomGameCode:
    """Writes the functions that play random games."""

    def __init__(self, shared: SharedCode, endings: Endings, games: GamesInPlace) -> None:
        self._shared = shared
        self._endings = endings
        self._games = games
        self._module = shared.module
        self._layout = shared.layout

    def write(self) -> None:
        """Write all of them, and those that they call."""
        self._write_playout()
        self._write_play_on()
        self._write_try_all()
        self._write_at_limit()
        self._write_go_on()
        self._write_playouts()

    def _write_playout(self) -> None:
        """`playout(position, world, random, plies)`: the number of moves made, without failing."""
        f = self._module.function("playout", "i64", [*_PARAMETERS, "i64 %plies"])
        views = f.room(f"[{self._games.views.bytes} x i8]")
        self._games.keep(f, POSITION, views)
        made, random = self._played(f, views)
        self._stop(f, POSITION, random, made, views)
        f.give(f"i64 {made}")

    def _write_go_on(self) -> None:
        """`go_on(position, world, random, plies, views, is_begun)`: the number of moves made.

        A game that has not begun is the one that `playout` plays; called again with what it has
        left, it goes on with that game.
        """
        parameters = [*_PARAMETERS, "i64 %plies", "ptr %views", "i64 %is_begun"]
        f = self._module.function("go_on", "i64", parameters)
        f.world = None
        with f.when(f.compare("eq", I64, Word("%is_begun"), 0)):
            self._games.keep(f, POSITION, VIEWS)
        made, random = self._played(f, VIEWS)
        if self._endings.yielding:
            with f.when(self._endings.yields(f, POSITION)):
                _call_at_limit(f, POSITION, random, VIEWS)
        f.give(f"i64 {made}")

    def _played(self, f: Function, views: Address) -> tuple[Word, Address]:
        """Write that a game goes on; return how many moves were made, and the generator's place."""
        random = self._random(f, f.get(I64, RANDOM))
        made = _call_play_on(f, POSITION, random, views, begin=POSITION)
        f.put(I64, f.get(I64, random), RANDOM)
        return made, random

    def _random(self, f: Function, state: Word) -> Address:
        """Write that a generator is in a state; return its place."""
        random = f.room(STATE_TYPE)
        self._games.random.begin(f, state, random)
        return random

    def _write_try_all(self) -> None:
        """`try_all(position, world, random, views)`: make a random move if there is one.

        All numbers that may name a way are tried in order.
        """
        f = self._module.function("try_all", "internal i1", _OF_ONE_MOVE, "noinline cold ")
        random = self._random(f, f.get(I64, RANDOM))
        for phase, side in self._shared.turns(Place(f, POSITION)):
            made = "false"
            if (phase, side) in self._games.in_place:
                values = (POSITION, WORLD, random, VIEWS, POSITION)
                goes_on = f.call(I1, self._games.ply(phase, side, values, tries=True))
                made = f.binary("or", I1, goes_on, self._is_over(f, POSITION))
            f.put(I64, self._games.random.state(f, random), RANDOM)
            f.give(f"i1 {made}")

    def _is_over(self, f: Function, position: Address) -> Bit:
        return f.compare("ne", I32, self._layout.ended.get(f, position), 0)

    def _stop(
        self, f: Function, position: Address, random: Address, made: Word, views: Address
    ) -> None:
        """Write what follows a game: the side on turn may be stuck if it is not over, or yields."""
        is_open = f.compare("eq", I32, self._layout.ended.get(f, position), 0)
        is_asked = f.binary("and", I1, is_open, f.compare("sge", I64, made, _PLIES))
        if self._endings.yielding:
            is_asked = f.binary("or", I1, is_asked, self._endings.yields(f, position))
        with f.when(is_asked):
            _call_at_limit(f, position, random, views)

    def _write_at_limit(self) -> None:
        """`at_limit(position, world, random, views)`: a game ends by `stuck` if there is no move.

        One more move is tried, on a copy; where that fails, moves are counted.
        """
        f = self._module.function("at_limit", "internal void", _OF_ONE_MOVE, "noinline cold ")
        f.world = None
        with f.block() as done:
            f.leave_if(w.has_failed(f, WORLD), done)
            own, random = f.room(FRAME_TYPE), self._random(f, f.get(I64, RANDOM))
            f.copy(POSITION, own, self._layout.kept_bytes)
            results = (self._layout.ended, self._layout.winners, *self._layout.payoffs)
            for field in results:
                field.put(f, 0, own)
            made = _call_play_on(f, own, random, VIEWS, begin=own, plies=1)
            with f.unless(w.has_failed(f, WORLD)):
                f.leave_if(f.compare("ne", I64, made, 0), done)
                for field in results:
                    f.copy(field.at(f, own), field.at(f, POSITION), field.bytes)
                f.jump(done)
            error = f.at(WORLD, w.ERROR)
            f.leave_if(f.compare("eq", I64, f.get(I64, error), w.STOPPED), done)
            f.put(I64, 0, error)
            number = f.call(I64, self._outside(f, "count", done))
            f.leave_if(f.compare("ne", I64, number, 0), done)
            f.leave_if(w.has_failed(f, WORLD), done)
            f.do(f"call i32 {self._outside(f, 'stuck', done)}")
        f.give("void")

    def _write_play_on(self) -> None:
        """`play_on(position, world, random, plies, views, from)`: the number of moves made.

        The game begins as `%from`, with what is kept beside it. `%random` has what has been mixed
        ahead; afterwards, the state alone. The game ends in `%position`, where layers are that
        nobody reads meanwhile. Short turns follow one another directly; the world is looked at
        after some.
        """
        parameters = [*_PARAMETERS, "i64 %plies", "ptr %views", "ptr %from"]
        f = self._module.function("play_on", "internal i64", parameters, "noinline ")
        f.world = None
        made, own = f.variable(I64, 0), f.room(FRAME_TYPE)
        random = f.room(STATE_TYPE)
        given_up = self._layout.given_up.at(f, own)
        f.put(I8, 0, given_up)

        def copy(source: Address, target: Address) -> None:
            for offset, size in self._layout.kept_parts(self._games.unread_layers):
                f.copy(f.at(source, offset), f.at(target, offset), size)

        def enter() -> None:
            """Go on with a copy that nobody else sees, so that it may live in registers."""
            copy(POSITION, own)
            self._games.random.begin(f, f.get(I64, RANDOM), random)

        def leave() -> None:
            """Leave all there, the next word too: else LLVM would mix it only when it is needed."""
            copy(own, POSITION)
            f.copy(random, RANDOM, STATE_BYTES)
            f.put(I64, self._games.random.state(f, random), RANDOM)

        copy(Address("%from"), own)
        f.copy(RANDOM, random, STATE_BYTES)
        short = {turn for turn in self._games.in_place if self._games.is_short(*turn)}
        until = f.variable(I64)
        labels = {turn: f.new_label() for turn in self._shared.pairs}
        none, listed, outside, over = (f.new_label() for _ in range(4))
        with f.block() as finished:
            with f.loop() as loop:
                self._look(f, made, loop.done)
                f.leave_if(self._is_over(f, own), loop.done)
                f.need(f.compare("slt", I64, f.get(I64, made), _PLIES), loop.done)
                if short:
                    some = f.binary("add", I64, f.get(I64, made), _SHORT_UNSEEN)
                    f.put(I64, f.intrinsic("smin", I64, some, "i64 %plies"), until)
                with f.block() as moved:
                    with f.block() as stuck:
                        round_ = f.new_label()
                        f.label(round_)
                        for turn in self._shared.turns(Place(f, own)):
                            f.label(labels[turn])
                            if turn not in self._games.in_place:
                                f.jump(listed)
                                continue
                            values = (own, WORLD, random, VIEWS, POSITION)
                            goes_on = f.call(I1, self._games.ply(*turn, values))
                            if turn not in short:
                                f.branch(goes_on, moved, none)
                                continue
                            f.need(goes_on, over)
                            # The game goes on, so nothing has ended it: LLVM cannot see that.
                            for field in (self._layout.ended, self._layout.winners):
                                field.put(f, "0", own)
                            sum_ = f.add(I64, 1, made)
                            is_due = f.compare("eq", I64, sum_, f.get(I64, until))
                            next_ = self._games.next_turn(*turn)
                            f.branch(is_due, loop.head, labels[next_] if next_ else round_)
                        if short:
                            f.label(over)
                            f.need(self._is_over(f, own), none)
                            f.add(I64, 1, made)
                            f.jump(loop.done)
                        f.label(none)
                        f.leave_if(self._is_over(f, own), moved)
                        needs = f.get(I8, given_up)
                        leave()
                        f.put(I8, 0, given_up)
                        if any(map(may_fail, self._games.in_place.values())):
                            with f.when(f.compare("eq", I8, needs, TRY_ALL)):
                                is_made = f.call(I1, f"@try_all({', '.join(_OF_ONE_MOVE)})")
                                f.need(is_made, stuck)
                                enter()
                                f.jump(moved)
                        f.branch(f.compare("eq", I8, needs, SEARCH), outside, stuck)
                        f.label(listed)
                        leave()
                        f.label(outside)
                        ply = self._outside(f, "ply_listed", finished, more=", ptr %random")
                        f.need(f.call(I1, ply), stuck)
                        self._games.keep(f, POSITION, VIEWS)
                        enter()
                        f.jump(moved)
                    f.leave_if(w.has_failed(f, WORLD), finished)
                    clause = f.call(I32, self._outside(f, "stuck", finished))
                    f.need(f.compare("eq", I32, clause, PASSES), finished)
                    f.do(f"call void {self._outside(f, 'pass_on', finished)}")
                    enter()
                f.add(I64, 1, made)
            leave()
        f.give(f"i64 {f.get(I64, made)}")

    def _look(self, f: Function, made: Address, done: Label) -> None:
        """Write that the game goes on at a label if it is to stop: the last move does not count."""
        w.allow_a_turn(f, WORLD)
        with f.when(w.is_stopped(f, WORLD)):
            w.fail(f, WORLD, w.STOPPED)
        with f.when(w.has_failed(f, WORLD)):
            f.leave_if(f.compare("eq", I64, f.get(I64, made), 0), done)
            f.add(I64, -1, made)
            f.jump(done)

    def _outside(self, f: Function, name: str, finished: Label, *, more: str = "") -> str:
        """Return the call of a function of the other part, of a position, the world, and `more`.

        The game ends at `finished` if the other part is missing.
        """
        arguments = f"(ptr %position, ptr %world{more})"
        # What follows a pass may look for moves (`give_way`) where an ending yields.
        is_here = name in _IN_BOTH_PARTS and not (name == "pass_on" and self._endings.yielding)
        if (self._games.all_in_place and is_here) or not self._module.target.has_parts:
            return f"@{name}{arguments}"
        address = f.get(PTR, f.at(WORLD, w.OUTSIDE[name]))
        with f.when(f.compare("eq", PTR, address, NULL)):
            w.fail(f, WORLD, w.NO_SEARCHES)
            f.jump(finished)
        return f"{address}{arguments}"

    def _write_playouts(self) -> None:
        """`playouts(position, world, first, many, seed, plies, tally, rows)`: how many were made.

        `rows` is null, or memory for a row of each game.
        """
        parameters = ["ptr %position", "ptr %world", "i64 %first", "i64 %many", "i64 %seed"]
        parameters += ["i64 %plies", "ptr %tally", "ptr %rows"]
        f = self._module.function("playouts", "i64", parameters)
        f.world = None
        random, own = f.room(STATE_TYPE), f.room(FRAME_TYPE)
        tally = TallyCode(self._shared, f, Address("%tally"))
        size = self._games.views.bytes
        first, views = f.room(f"[{size} x i8]"), f.room(f"[{size} x i8]")
        self._games.keep(f, POSITION, first)
        next_random = self._random(f, first_state(f, Word("%seed"), Word("%first")))
        with f.rounds(Word("%many")) as loop:
            if self._games.unread_layers:  # these are written where they lie
                f.copy(POSITION, own, self._layout.kept_bytes)
            f.copy(first, views, size)
            f.copy(next_random, random, STATE_BYTES)
            following = f.binary("add", I64, Word("%first"), f.binary("add", I64, loop.number, 1))
            state = first_state(f, Word("%seed"), following)
            self._games.random.begin(f, state, next_random)
            moves = _call_play_on(f, own, random, views, begin=POSITION)
            self._stop(f, own, random, moves, views)
            with f.when(w.has_failed(f, WORLD)):
                f.copy(own, POSITION, self._layout.state_bytes)
                tally.write_back()
                f.give(f"i64 {loop.number}")
            tally.count(own, moves)
            with f.when(f.compare("ne", PTR, Address("%rows"), NULL)):
                offset = f.binary("mul", I64, loop.number, 8 * row_words(self._layout))
                write_row(self._shared, f, own, moves, f.at(Address("%rows"), offset))
        tally.write_back()
        f.give("i64 %many")


def _call_at_limit(f: Function, position: Address, random: Address, views: Address) -> None:
    f.do(f"call void @at_limit(ptr {position}, ptr %world, ptr {random}, ptr {views})")


def _call_play_on(
    f: Function,
    position: Address,
    random: Address,
    views: Address,
    *,
    begin: Address,
    plies: Word | int = _PLIES,
) -> Word:
    """Write that a game begins as a position and ends in another; return the number of moves."""
    arguments = f"ptr {position}, ptr %world, ptr {random}, i64 {plies}, ptr {views}, ptr {begin}"
    return f.call(I64, f"@play_on({arguments})")
