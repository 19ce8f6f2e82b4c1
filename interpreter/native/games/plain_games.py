"""The code of random moves that are made in place, and what is kept for them beside a position.

In: the turns of a game. Out: `ply_P_S` for each turn of which moves are made in place. What then
holds: conditions and pools that are kept are those of the position after each move.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.analysis.plain_turns import Plain
from gdl.analysis.random_moves import may_fail
from gdl.core.nodes import Slot
from interpreter.native.emit.ir import WORD, Function
from interpreter.native.emit.kinds import Address
from interpreter.native.games.moves_in_place import InPlaceCode
from interpreter.native.games.random_numbers import write_next_below, write_random_below
from interpreter.native.games.walk_in_place import EffectsInPlace
from interpreter.native.memory.polls import is_short
from interpreter.native.sets.arrays import ArraySets
from interpreter.native.turns.endings import Endings
from interpreter.native.turns.shared_code import SharedCode
from interpreter.native.turns.turn_ends import TurnEnds
from interpreter.native.views.unread_layers import unread_layers
from interpreter.native.views.views import Views


class PlainGames:
    """Random games as far as their moves are made in place.

    `plain` are the turns whose moves are, by phase and side; `unread_layers` what nothing looks at
    meanwhile.
    """

    def __init__(
        self,
        shared: SharedCode,
        endings: Endings,
        ends: TurnEnds,
        views: Views,
    ) -> None:
        """Write the quick endings of such turns."""
        self._shared = shared
        self._endings = endings
        self._ends = ends
        self.views = views
        self.plain = {
            (turn.phase, turn.side): turn.in_place
            for turn in shared.plan.turns
            if turn.in_place is not None
        }
        for phase, side in self.plain:
            turn = shared.program.phases[phase].turns[side]
            endings.write_quick(phase, side, turn.endings, views)
        self.unread_layers = self._find_unread_layers()

    @property
    def is_plain(self) -> bool:
        """Whether all random moves are made in place."""
        return len(self.plain) == len(self._shared.pairs)

    @property
    def may_fail(self) -> bool:
        """Whether a number that is drawn may name no way."""
        return any(map(may_fail, self.plain.values()))

    def ply(
        self, phase: int, side: int, addresses: Sequence[Address], *, tries: bool = False
    ) -> str:
        """Return the call that makes a random move; where it `tries`, of all that are possible."""
        arguments = [f"ptr {one}" for one in addresses]
        if may_fail(self.plain[phase, side]):
            arguments.append(f"i1 {'true' if tries else 'false'}")
        turn = self._shared.plan.turn(phase, side)
        if turn.draws_both:
            arguments.append(f"i1 {'true' if turn.is_later else 'false'}")
            side = 0
        return f"@ply_{phase}_{side}({', '.join(arguments)})"

    def short_turns(self) -> Iterator[tuple[int, int]]:
        """Yield the turns whose moves need no look at the world: they cannot fail, nor take long.

        All functions have to be written before.
        """
        module, rounds = self._shared.module, self._shared.sets.size
        for phase, side in self.plain:
            is_shared = self._shared.plan.turn(phase, side).draws_both
            if not is_shared and is_short(module, f"ply_{phase}_{side}", rounds):
                yield phase, side

    def next_turn(self, phase: int, side: int) -> tuple[int, int] | None:
        """Return the turn that always comes after a turn in which the game goes on, if one does."""
        next_ = self._ends.next_side(phase, side)
        return None if next_ is None or self._shared.program.system.phase else (phase, next_)

    def keep(self, f: Function, position: Address, views: Address) -> None:
        """Write that all views are made from a position."""
        if self.plain and self.views.all:
            f.do(f"call void @keep(ptr {position}, ptr %world, ptr {views})")

    def _find_unread_layers(self) -> frozenset[Slot]:
        """The layers that random moves in place never look at."""
        if (
            self._shared.sets.bits <= WORD
            or isinstance(self._shared.sets, ArraySets)
            or self._shared.program.memories
            or any(turn.draws_both for turn in self._shared.plan.turns)
        ):
            return frozenset()
        phases, quick = self._shared.program.phases, self._endings.quick
        endings = [quick.get((p, s), phases[p].turns[s].endings) for p, s in self.plain]
        turns = [turn for turn in self.plain.values() if isinstance(turn, Plain)]
        if len(turns) < len(self.plain):
            return frozenset()
        return unread_layers(self._shared.program.state, turns, self.views, endings)

    def write(self) -> None:
        """`ply_P_S`: make a random move of a side in a phase; see `moves_in_place`."""
        write_random_below(self._shared.module)
        write_next_below(self._shared.module, is_ahead=self.is_plain)
        system = self._shared.program.system
        effects = EffectsInPlace(self._shared.expressions, system.best, self.unread_layers)
        for turn in self._shared.plan.turns:
            if turn.in_place is not None and not (turn.draws_both and turn.is_later):
                InPlaceCode(effects, system.following, turn, self.views, self._ends).write()
        if self.plain and self.views.all:
            self.views.write()
