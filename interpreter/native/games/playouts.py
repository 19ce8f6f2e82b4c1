"""The code of random games by the thousand.

In: the moves of a game. Out: `playout` and `playouts`, which a binding calls; see `game_code`.
What then holds: in a random game each legal complete move is equally likely, and the game with a
number depends on the seed and that number alone.

Where a move has to be found by search, the search is called at the address that the world has for
it: most games need none, so searches are compiled apart from games, when they are first needed.
The same is true of what follows such a move.
"""

from __future__ import annotations

from interpreter.native.emit.ir import FRAME_TYPE, Function, copy_bytes
from interpreter.native.expressions.places import Place
from interpreter.native.games.plain_games import PlainGames
from interpreter.native.games.random_numbers import STATE_TYPE, first_state, mix_ahead
from interpreter.native.games.tallies import TallyCode
from interpreter.native.memory import context as c
from interpreter.native.turns.shared_code import SharedCode

_HERE = "(ptr %position, ptr %world)"
_ALSO_HERE = ("stuck", "pass_on")


class RandomGames:
    """Writes the functions that play random games."""

    def __init__(self, shared: SharedCode, plain: PlainGames) -> None:
        self._shared = shared
        self._plain = plain
        self._module = shared.module
        self._layout = shared.layout

    def write(self) -> None:
        """Write all of them."""
        self._write_playout()
        self._write_playouts()

    def _write_playout(self) -> None:
        """`playout(position, world, random, plies)`: the number of moves made, without failing."""
        parameters = ["ptr %position", "ptr %world", "ptr %random", "i64 %plies"]
        f = self._module.function("playout", "i64", parameters, "nounwind ")
        views = f.variable(f"[{self._plain.views.bytes} x i8]")
        self._plain.keep(f, "%position", views)
        given = "ptr %position, ptr %world, ptr %random, i64 %plies"
        f.give(f"i64 {f.ins(f'call i64 @play_on({given}, ptr {views})')}")
        parameters = [*parameters, "ptr %views"]
        play_on = self._module.function("play_on", "internal i64", parameters, "nounwind noinline ")
        play_on.world = ""
        self._write_play_on(play_on)

    def _write_play_on(self, f: Function) -> None:
        """Write a random game from a position with what is kept beside it."""
        made, own = f.variable("i64", "0"), f.variable(FRAME_TYPE)
        random = f.variable(STATE_TYPE)
        undrawn = f.at(own, self._layout.undrawn.offset)
        f.put("i8", "0", undrawn)

        def enter() -> None:
            """Go on with a copy that nobody else sees, so that it may live in registers."""
            copy_bytes(self._module, f, "%position", own, self._layout.kept_bytes)
            state = f.get("i64", "%random")
            f.put("i64", state, random)
            if self._plain.is_plain:
                mix_ahead(f, state, random)

        def leave() -> None:
            for offset, size in self._layout.kept_parts(self._plain.unread):
                source, target = f.at(own, offset), f.at("%position", offset)
                copy_bytes(self._module, f, source, target, size)
            f.put("i64", f.get("i64", random), "%random")

        enter()
        move, none, listed, outside, stuck, finished = (f.new_label() for _ in range(6))
        with f.loop():
            ended = f.get("i32", f.at(own, self._layout.ended.offset))
            c.allow_a_turn(f, "%world")
            with f.when(f.ins(f"icmp ne i64 {f.get('i64', '%world')}, 0")):
                c.fail(f, "%world", c.STOPPED)
            failed = c.has_failed(f, "%world")
            with f.when(f.ins(f"or i1 {f.ins(f'icmp ne i32 {ended}, 0')}, {failed}")):
                leave()
                is_counted = f.ins(f"icmp sgt i64 {f.get('i64', made)}, 0")
                with f.when(f.ins(f"and i1 {failed}, {is_counted}")):
                    f.add("i64", "-1", made)
                f.jump(finished)
            with f.unless(f.ins(f"icmp slt i64 {f.get('i64', made)}, %plies")):
                leave()
                many = f.ins(self._outside(f, "count", f"i64 {_HERE}", finished))
                f.leave_if(f.ins(f"icmp ne i64 {many}, 0"), finished)
                f.leave_if(c.has_failed(f, "%world"), finished)
                f.do(self._outside(f, "stuck", f"i32 {_HERE}", finished))
                f.jump(finished)
            for phase, side in self._shared.turns(Place(f, own, "%world", {})):
                if (phase, side) not in self._plain.plain:
                    f.jump(listed)
                    continue
                values = (own, "%world", random, "%views", "%position")
                given = ", ".join(f"ptr {value}" for value in values)
                f.branch(f.ins(f"call i1 @ply_{phase}_{side}({given})"), move, none)
            f.label(none)
            given_up = f.ins(f"icmp ne i8 {f.get('i8', undrawn)}, 0")
            leave()
            f.put("i8", "0", undrawn)
            f.branch(given_up, outside, stuck)
            f.label(listed)
            leave()
            f.label(outside)
            given = "(ptr %position, ptr %world, ptr %random)"
            f.need(f.ins(self._outside(f, "ply_listed", f"i1 {given}", finished)), stuck)
            self._plain.keep(f, "%position", "%views")
            enter()
            f.jump(move)
            f.label(stuck)
            f.leave_if(c.has_failed(f, "%world"), finished)
            clause = f.ins(self._outside(f, "stuck", f"i32 {_HERE}", finished))
            f.need(f.ins(f"icmp eq i32 {clause}, -1"), finished)
            f.do(self._outside(f, "pass_on", f"void {_HERE}", finished))
            enter()
            f.label(move)
            f.add("i64", "1", made)
        f.label(finished)
        f.give(f"i64 {f.get('i64', made)}")

    def _outside(self, f: Function, name: str, given: str, finished: str) -> str:
        """Return the call of a function of the other part; `given` is its result and arguments.

        The game ends at `finished` if the other part is missing. If all moves are made in place,
        what follows them is written here as well: then the other part is rarely needed.
        """
        result, arguments = given.split(" ", 1)
        if self._plain.is_plain and name in _ALSO_HERE:
            return f"call {result} @{name}{arguments}"
        address = f.get("ptr", f.at("%world", c.OUTSIDE[name]))
        with f.when(f.ins(f"icmp eq ptr {address}, null")):
            c.fail(f, "%world", c.NO_SEARCHES)
            f.jump(finished)
        return f"call {result} {address}{arguments}"

    def _write_playouts(self) -> None:
        f = self._module.function(
            "playouts",
            "i64",
            [
                "ptr %position",
                "ptr %world",
                "i64 %first",
                "i64 %many",
                "i64 %seed",
                "i64 %plies",
                "ptr %tally",
            ],
            "nounwind ",
        )
        f.world = ""
        random, own = f.variable("i64"), f.variable(FRAME_TYPE)
        tally = TallyCode(self._shared, f, "%tally")
        tally.begin()
        size = self._plain.views.bytes
        first, views = f.variable(f"[{size} x i8]"), f.variable(f"[{size} x i8]")
        self._plain.keep(f, "%position", first)
        with f.rounds("%many") as loop:
            copy_bytes(self._module, f, "%position", own, self._layout.kept_bytes)
            copy_bytes(self._module, f, first, views, size)
            game = f.ins(f"add i64 %first, {loop.number}")
            f.put("i64", first_state(f, "%seed", game), random)
            given = f"ptr {own}, ptr %world, ptr {random}, i64 %plies, ptr {views}"
            moves = f.ins(f"call i64 @play_on({given})")
            with f.when(c.has_failed(f, "%world")):
                copy_bytes(self._module, f, own, "%position", self._layout.state_bytes)
                tally.write_back()
                f.give(f"i64 {loop.number}")
            tally.count(own, moves)
        tally.write_back()
        f.give("i64 %many")
