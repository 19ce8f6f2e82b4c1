"""The code of random moves that are made in place, and what is kept for them beside a position.

In: the turns of a game. Out: `ply_P_S` for each turn of which moves are made in place. What then
holds: conditions and pools that are kept are those of the position after each move.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.analysis.random_moves import may_fail
from interpreter.native.emit.ir import Function
from interpreter.native.emit.kinds import FALSE, TRUE, Address
from interpreter.native.games.moves_in_place import InPlaceCode
from interpreter.native.games.random_numbers import RandomNumbers
from interpreter.native.games.walk_in_place import EffectsInPlace
from interpreter.native.memory.polls import is_short
from interpreter.native.turns.endings import Endings
from interpreter.native.turns.shared_code import SharedCode
from interpreter.native.turns.turn_ends import TurnEnds
from interpreter.native.views.unread_layers import unread_layers
from interpreter.native.views.views import Views


class PlainGames:
    """Random games as far as their moves are made in place.

    `plain` are the turns whose moves are, by phase and side; `is_plain` says whether all are. Of
    `unread_layers`, nothing looks at them meanwhile; `random` writes the random numbers.
    """

    def __init__(self, shared: SharedCode, endings: Endings, ends: TurnEnds, views: Views) -> None:
        """Write the quick endings of such turns."""
        self._shared = shared
        self._ends = ends
        self.views = views
        self.plain = {
            (turn.phase, turn.side): turn.in_place
            for turn in shared.plan.turns
            if turn.in_place is not None
        }
        self.is_plain = len(self.plain) == len(shared.pairs)
        self.random = RandomNumbers(is_ahead=self.is_plain)
        read: list[object] = []
        for phase, side in self.plain:
            turn = shared.program.phases[phase].turns[side]
            endings.write_quick(phase, side, turn.endings, views)
            read.append(endings.quick.get((phase, side), turn.endings))
        self.unread_layers = unread_layers(shared.plan, shared.sets, views, read)

    def write(self) -> None:
        """`ply_P_S`: make a random move of a side in a phase; see `moves_in_place`."""
        self.random.write(self._shared.module)
        system = self._shared.program.system
        effects = EffectsInPlace(self._shared.expressions, system.best, self.unread_layers)
        for turn in self._shared.plan.turns:
            if turn.in_place is not None and not (turn.draws_both and turn.is_later):
                InPlaceCode(effects, system.following, turn, self.views, self._ends).write()
        if self.plain and self.views.all:
            self.views.write()

    def ply(
        self, phase: int, side: int, addresses: Sequence[Address], *, tries: bool = False
    ) -> str:
        """Return the call that makes a random move; where it `tries`, of all that are possible."""
        arguments = [f"ptr {one}" for one in addresses]
        if may_fail(self.plain[phase, side]):
            arguments.append(f"i1 {TRUE if tries else FALSE}")
        turn = self._shared.plan.turn(phase, side)
        if turn.draws_both:
            arguments.append(f"i1 {TRUE if turn.is_later else FALSE}")
            side = 0
        return f"@ply_{phase}_{side}({', '.join(arguments)})"

    def keep(self, f: Function, position: Address, views: Address) -> None:
        """Write that all views are made from a position."""
        if self.plain and self.views.all:
            f.do(f"call void @keep(ptr {position}, ptr %world, ptr {views})")

    def is_short(self, phase: int, side: int) -> bool:
        """Whether moves of a turn need no look at the world: they cannot fail, nor take long.

        All functions have to be written before.
        """
        is_shared = self._shared.plan.turn(phase, side).draws_both
        module, rounds = self._shared.module, self._shared.sets.size
        return not is_shared and is_short(module, f"ply_{phase}_{side}", rounds)

    def next_turn(self, phase: int, side: int) -> tuple[int, int] | None:
        """Return the turn that always comes after a turn in which the game goes on, if one does."""
        next_ = self._ends.next_side(phase, side)
        return None if next_ is None or self._shared.program.system.phase else (phase, next_)
