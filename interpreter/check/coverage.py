"""What of the rules has been seen at work, place by place in the file.

In: the reference interpreter's turns and endings, watched. Out: counts for each place: how often a
condition held, how many ways a choice had, whether an effect changed anything, which clause ended a
game. What then holds: what several sides, variants and options make of one place is counted as one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any, Literal

from gdl.core.evaluate import Evaluated, Frame
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Choose,
    Const,
    Ending,
    Expression,
    ForEach,
    SitesOf,
    Slot,
)
from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.elaborate.names.origins import Origins, makes_difference
from gdl.interpreter.check.places import moves_on_board, statements_by_place
from gdl.interpreter.native.expressions.counting import sites_named
from gdl.interpreter.native.runtime.watched import Moment
from gdl.interpreter.reference.steps import Effect
from gdl.interpreter.reference.watch import Candidates, Elements
from gdl.model import Game, Layer
from gdl.syntax import tree as t

_ASKED_AT_ONCE = 50
_MANY_ENDS = 2000
_MOST_COMPARED = 20_000
_ALL_COMPARED = 256
_EVERY = 8
"""Of so many comparisons, one is made after the first: each takes as long as the set itself."""
TAKING = (t.Remove, t.Flip, t.Change)


Whose = Literal["own", "other", "none"]
"""Whose pieces are meant: of the side on turn, of another one, or nobody's."""


@dataclass(frozen=True)
class LayerChange:
    """What became of pieces of a kind: their layer has `gained` sites, or `lost` some."""

    kind: int
    whose: Whose
    what: Literal["gained", "lost"]


@dataclass(frozen=True)
class Stood:
    """What stood on a site: a piece of a kind, or (None, `empty`) nothing."""

    kind: int | None = None
    whose: Whose | Literal["empty"] = "empty"

    @classmethod
    def of(cls, layer: Layer | None, mover: int) -> Stood:
        """Return that a piece of a layer stood there when a side was on turn."""
        return cls() if layer is None else cls(layer.kind, whose_is(layer.side, mover))


def whose_is(side: int | None, mover: int) -> Whose:
    """Return whose the pieces of a side (None: nobody's) are for the side on turn."""
    return "none" if side is None else "own" if side == mover else "other"


@dataclass
class Named:
    """What a word of turns stood for: the first value, and whether there was ever another one."""

    times: int = 0
    value: Any = None
    has_varied: bool = False

    def note(self, value: Any) -> None:
        """Take a value down."""
        if not self.times:
            self.value = value
        self.has_varied |= value != self.value
        self.times += 1


class Coverage:
    """Counts, by places in the file.

    `conditions`: how often each failed and held. `choices`: how often there was no way, one,
    several. `loops`: how often each had nothing, and something, to go through. `effects`: how often
    each was carried out, changed something, and brought a piece to a site. `endings`: how often
    each was the first to hold. `parts`: how often each set that `|` joins with others was looked
    at, and added a site; they are no longer counted once they have.
    `touched`: how often a statement moved or took pieces of another side, and of the side on turn.
    `named`: what a `let` stood for. `layers`: how often a statement changed a layer of pieces.
    `chosen`: in moves that were made, what stood on the site of a choice before the move. `near`
    has the clauses for which games began near what they ask for.

    `first` has, of games that native code watches, the moment at which something happened for the
    first time: by the name of the counts here, the place in the file, and the place in the list, or
    the key.
    """

    def __init__(self) -> None:
        self.conditions: dict[Span, list[int]] = defaultdict(lambda: [0, 0])
        self.choices: dict[Span, list[int]] = defaultdict(lambda: [0, 0, 0])
        self.loops: dict[Span, list[int]] = defaultdict(lambda: [0, 0])
        self.effects: dict[Span, list[int]] = defaultdict(lambda: [0, 0, 0])
        self.endings: Counter[Span] = Counter()
        self.parts: dict[Span, list[int]] = defaultdict(lambda: [0, 0])
        self.touched: dict[Span, list[int]] = defaultdict(lambda: [0, 0])
        self.named: dict[Span, Named] = defaultdict(Named)
        self.layers: dict[Span, Counter[LayerChange]] = defaultdict(Counter)
        self.chosen: dict[Span, Counter[Stood]] = defaultdict(Counter)
        self.near: set[Span] = set()
        self.first: dict[tuple[str, Span, object], Moment] = {}
        self._asked = 0

    def add_results(self, other: Coverage) -> None:
        """Add which conditions held and which endings, of games that are not told of otherwise."""
        self.endings.update(other.endings)
        for span, counts in other.conditions.items():
            own = self.conditions[span]
            for place, times in enumerate(counts):
                own[place] += times

    @property
    def met(self) -> int:
        """How many different things have happened at all."""
        counts = (
            *self.conditions.values(),
            *self.choices.values(),
            *self.loops.values(),
            *self.effects.values(),
        )
        return len(self.endings) + sum(len(found) - found.count(0) for found in counts)

    def is_complete(self) -> bool:
        """Return whether all that was tried has happened, often enough to be sure of the rest."""
        self._asked += 1
        if self._asked % _ASKED_AT_ONCE:
            return False
        return sum(self.endings.values()) >= _MANY_ENDS and self.is_met

    @property
    def is_met(self) -> bool:
        """Whether all that was tried has happened."""
        counts = (*self.conditions.values(), *self.loops.values())
        return (
            all(held for _, held in counts)
            and all(changed for _, changed, _ in self.effects.values())
            and all(failed for failed, _ in self.conditions.values())
            and all(one + several for _, one, several in self.choices.values())
        )


class _Carrying:
    """A statement that moves pieces, made of an effect for each of its layers."""

    def __init__(self, span: Span) -> None:
        self.span = span
        self.slots: list[Slot] = []
        self._done = 0
        self._found_none = True

    def is_idle(self, finds_none: bool) -> bool:
        """Learn of the next effect; return whether it was the last, and none found a piece."""
        self._done += 1
        self._found_none &= finds_none
        if self._done < len(self.slots):
            return False
        idle, self._done, self._found_none = self._found_none, 0, True
        return idle


class CoverageWatch:
    """Counts what happens in a game into a coverage; `origins` knows where its conditions stand.

    `asked` has the conditions that are watched, `apart` two decisions that only one order may make,
    `entered` the sites to which a piece came, if only within a turn, `idle` the statements that
    moved pieces where none stood; `changes` counts what has changed the position.
    """

    def __init__(self, coverage: Coverage, origins: Origins, game: Game) -> None:
        program = game.program
        self._coverage = coverage
        self._origins = origins
        self._kept = len(program.state)
        of_pieces = {layer.slot: layer for layer in game.layers}
        self._layers: Mapping[Slot, Layer | None] = dict.fromkeys(program.layers) | of_pieces
        places = {slot: place for place, slot in enumerate(program.state)}
        self._standing = [(places[layer.slot], layer) for layer in game.layers]
        self._mover = places[program.system.mover]
        self._written = statements_by_place(game)
        self.asked: dict[Span, Expression] = {}
        self.apart: tuple[int, int] | None = None
        self.entered = 0
        self.changes = 0
        self.idle: set[Span] = set()
        self._carrying: _Carrying | None = None

    def begin(self) -> None:
        """Forget what was seen besides what is counted."""
        self.apart = None
        self.entered = self.changes = 0
        self.idle.clear()

    def value(
        self, node: Expression, function: Evaluated, of: Callable[[Expression], Evaluated]
    ) -> Evaluated:
        """Return a function that counts how often a condition holds, or a part of a set counts."""
        for joined in self._origins.joined(node):
            if joined.operator != "|":
                continue
            parts = [function if part is node else of(part) for _, part in joined.parts]
            counts = [self._coverage.parts[place] for place, _ in joined.parts]
            function = _comparing(parts, counts, function)
        places = self._origins.places(node)
        counts = [self._coverage.conditions[place] for place in places]
        if not counts:
            return function
        self.asked.update(dict.fromkeys(places, node))
        if len(counts) > 1:
            return _counting_all(counts, function)
        (only,) = counts

        def counted(frame: Frame) -> bool:
            value: bool = function(frame)
            only[value] += 1
            return value

        return counted

    def choice(self, statement: Choose, candidates: Candidates) -> Candidates:
        """Return a function that counts how many ways there are."""
        if statement.span is None:
            return candidates
        counts = self._coverage.choices[statement.span]

        def counted(frame: Frame) -> Sequence[int]:
            found = candidates(frame)
            counts[min(2, len(found))] += 1
            return found

        return counted

    def elements(self, statement: ForEach, elements: Elements) -> Elements:
        """Return a function that counts whether there is anything to go through."""
        if statement.span is None:
            return elements
        counts = self._coverage.loops[statement.span]

        def counted(frame: Frame) -> Sequence[Any]:
            found = elements(frame)
            counts[bool(found)] += 1
            return found

        return counted

    def chosen(self, statement: Choose, decision: int, before: Frame) -> None:
        """Count what stood on the site of a choice before the move."""
        if statement.span is None or not isinstance(statement.domain, SitesOf):
            return
        mover, site = before[self._mover], 1 << decision
        standing = (one for place, one in self._standing if before[place] & site)
        stood = Stood.of(next(standing, None), mover)
        self._coverage.chosen[statement.span][stood] += 1

    def one_order_only(self, decisions: Sequence[int], first: int, second: int) -> None:
        """Keep two decisions of which only one order is legal, or each leads elsewhere."""
        if self.apart is None:
            self.apart = decisions[first], decisions[second]

    def effect(
        self, statement: Assign | AssignAt, places: Mapping[Slot, int], effect: Effect
    ) -> Effect:
        """Return a function that counts how often an effect changes the position."""
        if statement.span is None:
            return effect
        place = places[statement.slot]
        if place >= self._kept:
            is_named = isinstance(self._written.get(statement.span), t.LetStatement)
            # The first of the kinds or sides is 0, too, and is not nothing.
            is_named &= not isinstance(statement.value, Const) and not statement.slot.type.is_choice
            return self._naming(statement.span, place, effect) if is_named else effect
        counts = self._coverage.effects[statement.span]
        is_layer = statement.slot in self._layers
        layer = self._layers.get(statement.slot)
        changes, mover = self._coverage.layers[statement.span], self._mover
        carrying = self._carried(statement.span, statement.slot) if is_layer else None
        named = [places[slot] for slot in sites_named(statement)] if carrying else []
        touches = self._touching(statement.span, statement.slot)

        def counted(frame: Frame) -> None:
            before = frame[place]
            effect(frame)
            after = frame[place]
            counts[0] += 1
            if carrying is not None:
                finds_none = after == before and not any((frame[at] or 0) & before for at in named)
                if carrying.is_idle(finds_none):
                    self.idle.add(carrying.span)
            if after != before:
                counts[1] += 1
                self.changes += 1
                touches(frame, before, after)
                if layer is not None:
                    whose = whose_is(layer.side, frame[mover])
                    if after & ~before:
                        changes[LayerChange(layer.kind, whose, "gained")] += 1
                    if before & ~after:
                        changes[LayerChange(layer.kind, whose, "lost")] += 1
                if is_layer and (brought := after & ~before):
                    counts[2] += 1
                    self.entered |= brought

        return counted

    def _naming(self, span: Span, place: int, effect: Effect) -> Effect:
        """Return a function that takes down what a word stands for."""
        named = self._coverage.named[span]

        def noted(frame: Frame) -> None:
            effect(frame)
            named.note(frame[place])

        return noted

    def _touching(self, span: Span, slot: Slot) -> Callable[[Frame, int, int], None]:
        """Return what counts whose pieces a change of a layer moves, or takes."""
        layer = self._layers.get(slot)
        side = None if layer is None else layer.side
        written = self._written.get(span)
        is_move = moves_on_board(written)
        if side is None or not (is_move or isinstance(written, TAKING)):
            return lambda frame, before, after: None
        counts, mover = self._coverage.touched[span], self._mover

        def touched(frame: Frame, before: int, after: int) -> None:
            if after & ~before if is_move else before & ~after:
                counts[frame[mover] == side] += 1

        return touched

    def _carried(self, span: Span, slot: Slot) -> _Carrying | None:
        """Return the statement that one of its effects belongs to, if it moves a piece.

        Its effects are asked for one after another; where a layer comes again, it is made anew.
        """
        if not moves_on_board(self._written.get(span)):
            return None
        last = self._carrying
        if last is None or last.span != span or slot in last.slots:
            self._carrying = last = _Carrying(span)
        last.slots.append(slot)
        return last

    def ending(self, ending: Ending) -> None:
        """Count an ending that holds."""
        if ending.span is not None:
            self._coverage.endings[ending.span] += 1


def _comparing(
    parts: Sequence[Evaluated], counts: Sequence[list[int]], function: Evaluated
) -> Evaluated:
    """Return a function that looks which parts add a site, until each has or never does."""
    pending = list(range(len(parts)))
    calls = count()

    def compared(frame: Frame) -> int:
        value: int = function(frame)
        if pending and ((call := next(calls)) < _ALL_COMPARED or call % _EVERY == 0):
            sets = [part(frame) for part in parts]
            for number in tuple(pending):
                tried = counts[number]
                if tried[1] or tried[0] >= _MOST_COMPARED:
                    pending.remove(number)
                else:
                    tried[0] += 1
                    tried[1] += makes_difference("|", sets, number)
        return value

    return compared


def _counting_all(counts: list[list[int]], function: Evaluated) -> Evaluated:
    """Return a function that counts at several places."""

    def counted(frame: Frame) -> bool:
        value: bool = function(frame)
        for one in counts:
            one[value] += 1
        return value

    return counted
