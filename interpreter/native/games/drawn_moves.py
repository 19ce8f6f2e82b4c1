"""The code of a random move that a number draws: the way that it names, made in place.

In: the statements after the first choice of a plain turn, and a number below the bound of the ways
on from there. Out: the way that it names. What then holds: each way is named by one number at most;
where a number names none, or a condition fails, the code goes on at a label.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from itertools import compress
from operator import not_

from gdl.analysis.changes import Done
from gdl.analysis.plain_turns import Plain
from gdl.analysis.set_sizes import Part
from gdl.core.nodes import Block, Branch, Choose, Decide, Decision, Require, Say, Statement
from gdl.core.walk import is_effect, numbered
from gdl.data_classes import dataclass
from interpreter.native.emit.blocks import ENDLESS, Label
from interpreter.native.emit.kinds import I64, Address, Bit, Word
from interpreter.native.expressions.places import Place
from interpreter.native.games.draws import part_with
from interpreter.native.games.walk_in_place import EffectsInPlace, WalkInPlace, WayInPlace

_NONE = Word("0")


@dataclass(frozen=True)
class DrawnWay(WayInPlace):
    """A way that a number names: `number` (i64) is what is left of it, after all choices 0.

    It is below `bound`. `done` are the statements so far, but for words and requirements. The code
    goes on at `again` if there is no such way; once a statement has had an effect, at `put_back`.
    It `passed` if it said no more than that, and decided nothing since. With `meets`, the ways
    through the next statement that divides them meet behind it.
    """

    number: Word = _NONE
    bound: int = 1
    again: Label | None = None
    put_back: Label | None = None
    done: Done = field(default_factory=Done)
    passed: bool = False
    meets: bool = False

    def decided(self, statement: Statement, number: Word = _NONE, bound: int = 1) -> DrawnWay:
        """Return the way behind a decision, with what that leaves of the number."""
        done = self.done.and_then(statement)
        return replace(self, number=number, bound=bound, done=done, passed=False)


@dataclass(frozen=True)
class Tried:
    """Where the number that is tried is (i64), and the next one to try: one more already."""

    number: Address
    following: Address


class Drawing(WalkInPlace[DrawnWay]):
    """Writes the ways of a turn that a number names; `made` writes what a completed one is for.

    Choices with `parts` are drawn from those.
    """

    def __init__(
        self,
        effects: EffectsInPlace,
        parts: Mapping[Decision, tuple[Part, ...]],
        turn: Plain,
        made: Callable[[Place, DrawnWay], None],
        tried: Tried | None = None,
    ) -> None:
        super().__init__(effects)
        self._parts = parts
        self.turn = turn
        self._made = made
        self._tried = tried

    def _need(self, p: Place, condition: Bit, way: DrawnWay) -> None:
        """Write that the number names no way unless a condition holds."""
        assert way.again is not None, "a way that may fail is tried"
        if way.bound == 1 or self._tried is None:
            p.f.need(condition, way.again)
            return
        with p.f.unless(condition):
            self._refuse(p, way)

    def _refuse(self, p: Place, way: DrawnWay) -> None:
        """Write that the number names no way, nor do those after it that begin as it does."""
        assert way.again is not None, "a way that may fail is tried"
        if way.bound > 1 and self._tried is not None:
            f, tried = p.f, self._tried
            left = f.binary("sub", I64, way.bound, way.number)
            f.put(I64, f.binary("add", I64, f.get(I64, tried.number), left), tried.following)
        p.f.jump(way.again)

    def do(self, p: Place, effects: Block, way: DrawnWay) -> DrawnWay:
        """Write statements without decisions, if anything comes of them."""
        done = way.done.and_then(*effects)
        written = tuple(compress(effects, map(not_, done.idle[len(way.done.idle) :])))
        self.effects.effects(p, written)
        return replace(way, done=done, again=way.put_back if written else way.again)

    def require(self, p: Place, statement: Require, way: DrawnWay) -> None:
        """Write that another way is drawn unless a condition holds."""
        self._need(p, self.expressions.flag(p, statement.condition), way)

    def fork(self, p: Place, statement: Statement, way: DrawnWay) -> None:
        """Write a statement with decisions, and the ways behind it, once if they meet there."""
        divides = isinstance(statement, Branch | Decide) and numbered(statement) is None
        if way.meets and divides:
            way = replace(way, meets=False)
            self.meet(p, statement, way)
            behind = way.decided(statement)
            self.go_on(p, replace(behind, again=way.put_back, passed=way.passed))
        else:
            super().fork(p, statement, way)

    def choose(self, p: Place, statement: Choose, way: DrawnWay) -> None:
        """Write a further choice: the one that the number names, if there is such a one."""
        f, weight = p.f, self.turn.ways_on[statement.decision]
        assert isinstance(weight, int), "the ways after the choice have a bound"
        number, below = _divided(p, way.number, weight)
        after = way.decided(statement, below, weight)
        parts = self._parts.get(statement.decision, ())
        if parts and statement.unordered_with is None:
            refused: dict[int, Label] = {}
            index = self._nth_of_parts(p, parts, number, refused)
            value = self.sets.one(index, is_there=True)
            self.go_on(self.effects.draws.known(p, statement, value, way.rest), after)
            for end, label in refused.items():
                f.label(label)
                self._refuse(p, replace(way, bound=min(way.bound, end * weight)))
            return
        drawn = self.effects.draws.of(p, statement)
        self._need(p, f.compare("ult", I64, number, drawn.count), way)
        self.go_on(self.effects.draws.choose(p, statement, drawn, number, way.rest), after)

    def _nth_of_parts(
        self, p: Place, parts: Sequence[Part], number: Word, refused: dict[int, Label]
    ) -> Word:
        """Write which site (i64) a number is, where only the part that has it is worked out.

        Parts are numbered one behind the other, each as if it were as large as it can be; where
        none has the number, the code goes on at the label that is `refused` for the end of the part
        whose numbers it is among.
        """
        f, sets = p.f, self.sets
        index, end = f.variable(I64), 0
        with f.block() as chosen:
            for which, place in part_with(f, number, [part.most for part in parts], is_sure=False):
                part = parts[which]
                end += part.most
                sites = self.expressions.sites(p, part.sites)
                if part.most > 1:
                    has_it = f.compare("ult", I64, place, sets.count(f, sites))
                else:
                    has_it = sets.some(f, sites)
                f.need(has_it, refused.setdefault(end, f.new_label()))
                found = sets.nth(f, sites, place) if part.most > 1 else sets.index(f, sites)
                f.put(I64, found, index)
                f.jump(chosen)
            refused[ENDLESS] = f.new_label()
            f.jump(refused[ENDLESS])
        return f.get(I64, index)

    def decide(self, p: Place, statement: Decide, way: DrawnWay) -> None:
        """Write a further decision: the alternative that the number names."""
        f = p.f
        gains = way.done.one_gains(statement)
        is_last = all(is_effect(further) or isinstance(further, Say) for further in way.rest)
        if gains is not None and is_last and not self.sets.are_arrays:
            layers, site = gains
            if way.again is not None:
                self._need(p, f.compare("ult", I64, way.number, len(layers)), way)
            self.effects.gain_one(p, layers, site, way.number)
            self.go_on(p, replace(way.decided(statement), again=way.put_back))
            return
        weights = self.turn.ways_on[statement.decision]
        assert isinstance(weights, tuple), "all alternatives have a bound"
        if numbered(statement) is not None:
            assert way.again is not None, "a way that may fail is tried"
            weight = max(weights)
            case, below = _divided(p, way.number, weight)
            inner = self.effects.draws.decide(p, statement, case, way.again)
            self.go_on(inner, way.decided(statement, below, weight))
            return
        for place, left in part_with(f, way.number, weights, is_sure=way.again is None):
            way_on = replace(way, number=left, bound=weights[place], passed=False)
            self.go(p, statement.alternatives[place].body, way_on)
        if way.again is not None:
            self._refuse(p, way)

    def go_on(self, p: Place, way: DrawnWay) -> None:
        """Write what follows on a way, which must not leave anything of the number."""
        if not way.rest and way.again is not None and way.number != "0":
            self._need(p, p.f.compare("eq", I64, way.number, 0), way)
        super().go_on(p, way)

    def complete(self, p: Place, way: DrawnWay) -> None:
        """Write what the way is for."""
        self._made(p, way)


def _divided(p: Place, number: Word, weight: int) -> tuple[Word, Word]:
    """Return which choice a number (i64) names, each having so many ways on, and which way on."""
    if weight <= 1:
        return number, _NONE
    f = p.f
    return f.binary("udiv", I64, number, weight), f.binary("urem", I64, number, weight)
