"""The code of a random move that a number draws: the way that it names, made in place.

In: the statements after the first choice of a plain turn, and a number below the bound of the ways
on from there. Out: the way that it names. What then holds: each way is named by one number at most;
where a number names none, or a condition fails, the code goes on at a label.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from gdl.analysis.changes import changes, one_gains
from gdl.analysis.set_sizes import Part
from gdl.analysis.ways_on import After
from gdl.core.nodes import Branch, Choose, Decide, Decision, Require, Say, Statement
from gdl.core.walk import is_effect, numbered
from interpreter.native.expressions.places import Place
from interpreter.native.games.cases import CaseCode
from interpreter.native.games.draws import DrawCode
from interpreter.native.games.effects_in_place import EffectsInPlace
from interpreter.native.games.walk_in_place import WalkInPlace, WayInPlace


@dataclass(frozen=True)
class DrawnWay(WayInPlace):
    """A way that a number names: `number` (i64) is what is left of it, after all choices 0.

    `done` are the statements so far, but for words and requirements. The code goes on at `again`
    if there is no such way. It `passed` if it said no more than that, and decided nothing since.
    With `meets`, the ways through the next statement that divides them meet behind it.
    """

    number: str = "0"
    again: str = ""
    done: tuple[Statement, ...] = ()
    passed: bool = False
    meets: bool = False


class Drawing(WalkInPlace[DrawnWay]):
    """Writes the ways of a turn that a number names; `made` writes what a completed one is for.

    `ways_on` bounds the ways on from each decision; choices with `parts` are drawn from those.
    """

    def __init__(
        self,
        effects: EffectsInPlace,
        draws: DrawCode,
        parts: Mapping[Decision, tuple[Part, ...]],
        ways_on: After,
        made: Callable[[Place, DrawnWay], None],
    ) -> None:
        super().__init__(effects)
        self._effects = effects
        self._draws = draws
        self._parts = parts
        self._ways_on = ways_on
        self._made = made

    def effect(self, p: Place, statement: Statement, way: DrawnWay) -> DrawnWay:
        """Write a statement without decisions, if anything comes of it."""
        done = (*way.done, statement)
        if len(done) - 1 not in changes(done).idle:
            self.effects.effect(p, statement)
        return replace(way, done=done)

    def require(self, p: Place, statement: Require, way: DrawnWay) -> None:
        """Write that another way is drawn unless a condition holds."""
        assert way.again, "a way that may fail is tried"
        p.f.need(self.expressions.flag(p, statement.condition), way.again)

    def fork(self, p: Place, statement: Statement, way: DrawnWay) -> None:
        """Write a statement with decisions, and the ways behind it, once if they meet there."""
        divides = isinstance(statement, Branch | Decide) and numbered(statement) is None
        if way.meets and divides:
            self.meet(p, statement, replace(way, meets=False))
            done = (*way.done, statement)
            self.go_on(p, replace(way, meets=False, number="0", done=done))
        else:
            super().fork(p, statement, way)

    def choose(self, p: Place, statement: Choose, way: DrawnWay) -> None:
        """Write a further choice: the one that the number names, if there is such a one."""
        assert way.again, "a choice that may fail is tried"
        f, weight = p.f, self._ways_on[statement.decision]
        assert isinstance(weight, int), "the ways after the choice have a bound"
        number, below = way.number, "0"
        if weight > 1:
            number = f.ins(f"udiv i64 {way.number}, {weight}")
            below = f.ins(f"urem i64 {way.number}, {weight}")
        after = replace(way, number=below, done=(*way.done, statement), passed=False)
        parts = self._parts.get(statement.decision, ())
        if parts and statement.unordered_with is None:
            given = (p, statement, parts, number, way.statements, way.again)
            self.go_on(self._draws.choose_of_parts(*given), after)
            return
        drawn = self._draws.later(p, statement)
        f.need(f.ins(f"icmp ult i64 {number}, {drawn.count}"), way.again)
        self.go_on(self._draws.choose(p, statement, drawn, number, way.statements), after)

    def decide(self, p: Place, statement: Decide, way: DrawnWay) -> None:
        """Write a further decision: the alternative that the number names."""
        gains = one_gains(way.done, statement)
        is_last = all(is_effect(further) or isinstance(further, Say) for further in way.statements)
        if gains is not None and is_last and not self.sets.floods_by_site:
            layers, site = gains
            if way.again:
                p.f.need(p.f.ins(f"icmp ult i64 {way.number}, {len(layers)}"), way.again)
            self._effects.gain_one(p, layers, site, way.number)
            done = (*way.done, statement)
            self.go_on(p, replace(way, number="0", done=done, passed=False))
            return
        f, weights = p.f, self._ways_on[statement.decision]
        assert isinstance(weights, tuple), "all alternatives have a bound"
        if numbered(statement) is not None:
            number = (way.number, max(weights), way.again)
            case, below = CaseCode(self.expressions).decide(p, statement, *number)
            done = (*way.done, statement)
            self.go_on(case, replace(way, number=below, done=done, passed=False))
            return
        left = way.number
        ways = list(zip(statement.alternatives, weights, strict=True))
        for alternative, weight in ways if way.again else ways[:-1]:
            with f.when(f.ins(f"icmp ult i64 {left}, {weight}")):
                self.go(p, alternative.body, replace(way, number=left, passed=False))
            left = f.ins(f"sub i64 {left}, {weight}")
        if way.again:
            f.jump(way.again)
        else:
            self.go(p, ways[-1][0].body, replace(way, number=left, passed=False))

    def go_on(self, p: Place, way: DrawnWay) -> None:
        """Write what follows on a way, which must not leave anything of the number."""
        if not way.rest and way.again and way.number != "0":
            p.f.need(p.f.ins(f"icmp eq i64 {way.number}, 0"), way.again)
        super().go_on(p, way)

    def complete(self, p: Place, way: DrawnWay) -> None:
        """Write what the way is for."""
        self._made(p, way)
