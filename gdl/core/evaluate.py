"""What every expression of the core means: each node made into a Python function.

In: an expression, and the place of each slot in a frame (a list of values). Out: a function
from a frame to a value. It serves for folding what is known before play and, in the reference
interpreter, for everything else: it is the specification of the language's values.

Bound variables are written into the frame; a bound slot's value means nothing outside.

Elements that are gone through are counted as work, so that no expression runs for ever.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from operator import itemgetter
from typing import Any, assert_never

from gdl.board.relation import Relation
from gdl.core.nodes import (
    Can,
    Closure,
    Const,
    Domain,
    Expression,
    Fold,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    RangeOf,
    Select,
    SitesOf,
    Slot,
    Times,
)
from gdl.core.operations import OPERATIONS, add, multiply
from gdl.core.walk import slots_in
from gdl.core.work import Sizes, counts_work, units_of_image
from gdl.resources.budget import Meter, TooMuchWork, meter_of_loading

Frame = list[Any]
Evaluated = Callable[[Frame], Any]
CanReach = Callable[[Can], Evaluated]

COMBINE: dict[str, Callable[[Any, Any], Any]] = {
    "union": lambda a, b: a | b,
    "intersection": lambda a, b: a & b,
    "sum": add,
    "product": multiply,
}

_COUNTED_AT_ONCE = 128
"""How many elements are counted before the first, though a fold may need fewer of them."""
_SITES_A_ROUND = 4
"""How many sites a flood usually adds in a round; one at least."""
_UNITS_BEFORE_PLAY = 8
"""An element takes so many times as long as what else is counted while a game is loaded."""
_SMALL_FLOOD = 8
"""A flood of so few sites is no more work than what stands around it."""


class ExpressionEvaluator:
    """Makes functions of expressions, for frames laid out by `places`.

    `can_reach` makes one of a `Can`: it needs a whole turn, which is not known here. `meter` counts
    the elements that they go through; an operation on sets is `units` of work. Without a meter,
    that of loading counts.
    """

    def __init__(
        self,
        places: Mapping[Slot, int],
        can_reach: CanReach | None = None,
        meter: Meter | None = None,
        units: int = 1,
    ) -> None:
        self._places = places
        self._can_reach = can_reach
        self._meter = meter_of_loading() if meter is None else meter
        self._units = _UNITS_BEFORE_PLAY if meter is None else units
        self.sizes = Sizes()

    def function(self, node: Expression) -> Evaluated:
        """Return the function that gives the node's value in a frame."""
        match node:
            case Const():
                return self._const(node)
            case Get():
                return self._get(node)
            case Op():
                return self._op(node)
            case If():
                return self._if(node)
            case Select():
                return self._select(node)
            case Fold():
                return self._fold(node)
            case Let():
                return self._let(node)
            case GetAt():
                return self._get_at(node)
            case Closure():
                return self._closure(node)
            case Times():
                return self._times(node)
            case Can():
                return self._can(node)
            case _:
                assert_never(node)

    def _const(self, node: Const) -> Evaluated:
        value = node.value
        return lambda frame: value

    def _get(self, node: Get) -> Evaluated:
        return itemgetter(self._places[node.slot])

    def _get_at(self, node: GetAt) -> Evaluated:
        place = self._places[node.slot]
        sites = self.function(node.sites)

        def number_at(frame: Frame) -> Any:
            found = sites(frame)
            return frame[place][(found & -found).bit_length() - 1] if found else 0

        return number_at

    def _op(self, node: Op) -> Evaluated:
        match node.name:
            case "image":
                return self._image(node)
            case "lookup":
                return self._lookup(node)
            case "entry":
                return self._entry(node)
            case "and":
                return self._and(node)
            case "or":
                return self._or(node)
        apply = OPERATIONS[node.name]
        arguments = [self.function(argument) for argument in node.arguments]
        if len(arguments) == 1:
            (only,) = arguments
            return lambda frame: apply(only(frame))
        if len(arguments) == 2:
            left, right = arguments
            return lambda frame: apply(left(frame), right(frame))

        slots = [argument.slot for argument in node.arguments if isinstance(argument, Get)]
        if len(slots) == len(arguments) and all(isinstance(one, itemgetter) for one in arguments):
            # All are slots that nobody watches: they are taken from the frame at once.
            values = itemgetter(*(self._places[slot] for slot in slots))
            return lambda frame: reduce(apply, values(frame))
        first, *others = arguments

        def folded(frame: Frame) -> Any:
            value = first(frame)
            for argument in others:
                value = apply(value, argument(frame))
            return value

        return folded

    def _image(self, node: Op) -> Evaluated:
        (argument,) = node.arguments
        sites = self.function(argument)
        relation = node.payload
        assert isinstance(relation, Relation)
        image = relation.image
        if not counts_work(node):
            return _stepped(relation, sites) or (lambda frame: image(sites(frame)))
        meter, units, classes = self._meter, self._units, len(relation.offset_classes)

        def counted(frame: Frame) -> int:
            found = sites(frame)
            meter.spend(units * units_of_image(classes, found.bit_count()))
            return image(found)

        return counted

    def _lookup(self, node: Op) -> Evaluated:
        (argument,) = node.arguments
        sites = self.function(argument)
        table = node.payload
        assert isinstance(table, tuple)

        def looked_up(frame: Frame) -> int:
            found = sites(frame)
            return table[(found & -found).bit_length() - 1] if found else 0

        return looked_up

    def _entry(self, node: Op) -> Evaluated:
        (argument,) = node.arguments
        which = self.function(argument)
        table = node.payload
        assert isinstance(table, tuple)
        *listed, otherwise = table
        size = len(listed)

        def entered(frame: Frame) -> int:
            place = which(frame)
            found: int = listed[place] if 0 <= place < size else otherwise
            return found

        return entered

    def _and(self, node: Op) -> Evaluated:
        arguments = [self.function(argument) for argument in node.arguments]
        if len(arguments) == 2:
            left, right = arguments
            return lambda frame: left(frame) and right(frame)
        return lambda frame: all(argument(frame) for argument in arguments)

    def _or(self, node: Op) -> Evaluated:
        arguments = [self.function(argument) for argument in node.arguments]
        if len(arguments) == 2:
            left, right = arguments
            return lambda frame: left(frame) or right(frame)
        return lambda frame: any(argument(frame) for argument in arguments)

    def _if(self, node: If) -> Evaluated:
        condition = self.function(node.condition)
        then, otherwise = self.function(node.then), self.function(node.otherwise)
        if not any(ways := self.sizes.units_of_ways(node)):
            return lambda frame: then(frame) if condition(frame) else otherwise(frame)
        meter, more, more_otherwise = self._meter, *(self._units * units for units in ways)

        def counted(frame: Frame) -> Any:
            if condition(frame):
                meter.spend(more)
                return then(frame)
            meter.spend(more_otherwise)
            return otherwise(frame)

        return counted

    def _let(self, node: Let) -> Evaluated:
        place = self._places[node.slot]
        value, body = self.function(node.value), self.function(node.body)

        def with_value(frame: Frame) -> Any:
            frame[place] = value(frame)
            return body(frame)

        return with_value

    def _closure(self, node: Closure) -> Evaluated:
        place = self._places[node.frontier]
        seed, step = self.function(node.seed), self.function(node.step)
        meter, units = self._meter, self._units_of(node.step)

        def closed(frame: Frame) -> int:
            reached: int = seed(frame)
            frontier = reached
            while frontier:
                frame[place] = frontier
                frontier = step(frame) & ~reached
                reached |= frontier
            if (sites := reached.bit_count()) > _SMALL_FLOOD:
                meter.spend(units * sites // _SITES_A_ROUND)
            return reached

        return closed

    def _select(self, node: Select) -> Evaluated:
        place = self._places[node.slot]
        sites, condition = self.function(node.sites), self.function(node.condition)
        meter, units = self._meter, self._units_of(node.condition)

        def selected(frame: Frame) -> int:
            rest = sites(frame)
            meter.left -= rest.bit_count() * units
            if meter.left < 0:
                raise TooMuchWork
            found = 0
            while rest:
                site = rest & -rest
                rest ^= site
                frame[place] = site
                if condition(frame):
                    found |= site
            return found

        return selected

    def domain(self, domain: Domain, units: int = 1) -> Callable[[Frame], Iterator[Any]]:
        """Return the function that gives the elements of a domain, one after the other.

        What is done for an element is so many `units` of work.
        """
        meter = self._meter
        if isinstance(domain, SitesOf):
            sites = self.function(domain.sites)

            def members(frame: Frame) -> Iterator[int]:
                found = sites(frame)
                number = found.bit_count()
                if number > _COUNTED_AT_ONCE:
                    return _counted(each_site(found), meter, units)
                meter.left -= number * units
                if meter.left < 0:
                    raise TooMuchWork
                return each_site(found)

            return members
        if isinstance(domain, RangeOf):
            low, high = self.function(domain.low), self.function(domain.high)

            def numbers(frame: Frame) -> Iterator[int]:
                found = range(low(frame), high(frame) + 1)
                number = found.stop - found.start
                if number > _COUNTED_AT_ONCE:
                    return _counted(iter(found), meter, units)
                meter.spend(max(0, number) * units)
                return iter(found)

            return numbers
        return self._groups(domain, units)

    def _groups(self, domain: GroupsOf, units: int) -> Callable[[Frame], Iterator[int]]:
        sites = self.function(domain.sites)
        place = self._places[domain.frontier]
        step = self.function(domain.step)
        meter, units = self._meter, units + self._units_of(domain.step)

        def groups(frame: Frame) -> Iterator[int]:
            members = rest = sites(frame)
            number = members.bit_count()
            if number <= _COUNTED_AT_ONCE:
                meter.spend(units * number // _SITES_A_ROUND)
            while rest:
                group = frontier = rest & -rest
                while frontier:
                    frame[place] = frontier
                    frontier = step(frame) & members & ~group
                    group |= frontier
                rest &= ~group
                if number > _COUNTED_AT_ONCE:
                    meter.spend(units * group.bit_count() // _SITES_A_ROUND)
                yield group

        return groups

    def _fold(self, node: Fold) -> Evaluated:
        place = self._places[node.slot]
        elements = self.domain(node.domain, self._units_of(node.body))
        body = self.function(node.body)
        initial = node.initial
        if node.combine in ("or", "and"):
            wanted = node.combine == "or"

            def decided(frame: Frame) -> bool:
                for element in elements(frame):
                    frame[place] = element
                    if body(frame) == wanted:
                        return wanted
                return not wanted

            return decided
        if node.combine in ("max", "min"):
            choose = max if node.combine == "max" else min

            def extreme(frame: Frame) -> Any:
                best = None
                for element in elements(frame):
                    frame[place] = element
                    value = body(frame)
                    best = value if best is None else choose(best, value)
                return initial if best is None else best

            return extreme
        combine = COMBINE[node.combine]

        def folded(frame: Frame) -> Any:
            result: Any = initial
            for element in elements(frame):
                frame[place] = element
                result = combine(result, body(frame))
            return result

        return folded

    def _units_of(self, body: Expression) -> int:
        """Return how many units of work it is to go through an element."""
        return self._units * self.sizes.units((body,))

    def _times(self, node: Times) -> Evaluated:
        place = self._places[node.history]
        key = [self.function(part) for part in node.key]
        return lambda frame: frame[place].count(tuple(part(frame) for part in key))

    def _can(self, node: Can) -> Evaluated:
        if self._can_reach is None:
            raise TypeError("`can` has no value outside a position")
        return self._can_reach(node)


def _stepped(relation: Relation, sites: Evaluated) -> Evaluated | None:
    """Return a function of an image that is one shift, as of a direction on most boards."""
    if len(relation.offset_classes) != 1:
        return None
    ((mask, shift),) = relation.offset_classes
    if shift < 0:
        down = -shift
        return lambda frame: (sites(frame) & mask) >> down
    return lambda frame: (sites(frame) & mask) << shift


def each_site(sites: int) -> Iterator[int]:
    """Yield each site of a set, as a set of one, in the order of the indices."""
    while sites:
        site = sites & -sites
        sites ^= site
        yield site


def _counted(elements: Iterator[int], meter: Meter, units: int) -> Iterator[int]:
    """Yield elements, each counted as so many units of work when it is asked for."""
    for element in elements:
        meter.spend(units)
        yield element


def evaluate(node: Expression) -> Any:
    """Return the value of an expression that depends on no slot."""
    places = {slot: index for index, slot in enumerate(slots_in(node))}
    return ExpressionEvaluator(places).function(node)([None] * len(places))
