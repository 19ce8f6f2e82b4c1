"""What is shown of positions: planes of sites and scalars, and where each of them comes from.

In: a game, its actions. Out: a `Showing`: planes and scalars by name, and for each side the sources
that native code fills them from. What then holds: what a side does not see is in none of its
sources; where it sees all, they tell the position.

Where it is `relative`, whatever belongs to sides is in the order in which they come from the side
that looks: its own pieces first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import Range
from gdl.core import build
from gdl.core.nodes import Block, Choose, Decide, Expression, Get, Slot, Times
from gdl.core.types import FLAG, SITES
from gdl.core.walk import blocks_of
from gdl.data_classes import dataclass
from gdl.interpreter.environment.actions import Actions
from gdl.interpreter.native.seen import BytesOf, Levels, PlaneSource, Scale, Spread
from gdl.model import Game, Layer, Sight

NOBODY = -1
"""The owner of planes of no side, and the kind of planes of no kind."""
_MOST_LEVELS = 8
"""So many levels of piles under their uppermost pieces have planes of their own."""
_WIDEST_SCALED = 512
"""A scalar is scaled if its range is no wider; one that is counts in steps of one."""

What = Literal["piece", "pile", "set", "number", "unseen", "last", "decided"]


class Plane(NamedTuple):
    """A number from 0 to 255 for each site.

    `what` it is: 1 where a `piece` of a kind and an owner stands; what lies in a `pile`; 1 where a
    `set` has sites; a `number` of each site, less the least that it may be; 1 on sites that are
    `unseen`, or that the `last` move named; and on sites that were `decided` in the turn so far,
    the number of the decision, from 1. A number that is too great for a byte has further planes for
    its higher ones (`heap, byte 2`): nothing is cut off. Of a choice, 0 is none.
    `owner` is a side, counted from the one that looks if the showing is relative; -1: nobody.
    """

    name: str
    what: What
    kind: int
    owner: int


class Scalar(NamedTuple):
    """A number within bounds, shown from 0 to 1; one without (-inf, inf) is shown as it is.

    Those count as bounds that follow from the rules and are at most 512 apart.
    """

    name: str
    low: float
    high: float


@dataclass(frozen=True)
class Decided:
    """Where what is decided in a turn is shown: by the action, a plane or a scalar; -1 none.

    A scalar that tells of a decision is 0 before it, and then goes up to 1 by `value`.
    """

    plane: tuple[int, ...]
    scalar: tuple[int, ...]
    value: tuple[float, ...]


@dataclass(frozen=True)
class Showing:
    """What arrays show; `sources` has for each side its planes, its scalars, and what is told.

    The plane of the `last` move and all behind it, and so many scalars at the end as `blank` says,
    come from no source: they tell of the row.
    """

    planes: tuple[Plane, ...]
    scalars: tuple[Scalar, ...]
    sources: tuple[tuple[tuple[PlaneSource, ...], tuple[Scale, ...], Expression], ...]
    last: int
    decided: Decided
    blank: tuple[int, int]


def showing_of(game: Game, actions: Actions, *, is_relative: bool) -> Showing:
    """Return what is shown of a game."""
    sides = range(len(game.sides))
    looks = [_Look(game, side, is_relative) for side in sides]
    parts = [look.parts() for look in looks]
    planes, scalars = parts[0].planes, parts[0].scalars
    assert all(each.names == parts[0].names for each in parts), "sides are shown alike"
    last = len(planes)
    planes.append(Plane("last move", "last", NOBODY, NOBODY))
    followed = set[int]()
    for turn in game.program.turns:
        _note_followed(turn.program, actions, False, followed)
    plane_of, scalar_of = [-1] * actions.size, [-1] * actions.size
    value_of, others = [0.0] * actions.size, len(scalars)
    for number in sorted(followed):
        group = actions.groups[number]
        own = range(group.offset, group.offset + group.size)
        for action in own:
            if group.kind == "site":
                plane_of[action] = len(planes)
            else:
                scalar_of[action] = len(scalars)
                value_of[action] = (action - group.offset + 1) / group.size
        if group.kind == "site":
            planes.append(Plane(f"decided {group.name}", "decided", NOBODY, NOBODY))
        else:
            scalars.append(Scalar(f"decided {group.name}", 0, group.size))
    decided = Decided(tuple(plane_of), tuple(scalar_of), tuple(value_of))
    blank = len(planes) - last, len(scalars) - others
    sources = tuple(each.sources for each in parts)
    return Showing(tuple(planes), tuple(scalars), sources, last, decided, blank)


def _note_followed(block: Block, actions: Actions, is_followed: bool, found: set[int]) -> bool:
    """Note the groups that another decision may follow; return whether the block has one."""
    for statement in reversed(block):
        bodies = blocks_of(statement)
        is_loop = len(bodies) == 1
        asks = False
        for body in bodies:
            inner = is_followed or (is_loop and _has_decision(body))
            asks |= _note_followed(body, actions, inner, found)
        if isinstance(statement, Choose | Decide):
            if is_followed or asks:
                found.add(actions.group(statement))
            asks = True
        is_followed |= asks
    return is_followed


def _has_decision(block: Block) -> bool:
    return any(
        isinstance(statement, Choose | Decide) or any(map(_has_decision, blocks_of(statement)))
        for statement in block
    )


class _Parts:
    """Planes and scalars with their sources, as they are gathered."""

    def __init__(self, is_told: Expression) -> None:
        self.planes: list[Plane] = []
        self.scalars: list[Scalar] = []
        self._plane_sources: list[PlaneSource] = []
        self._scales: list[Scale] = []
        self._is_told = is_told

    @property
    def names(self) -> tuple[object, ...]:
        """What must be the same of all sides."""
        return (*self.planes, *self.scalars)

    @property
    def sources(self) -> tuple[tuple[PlaneSource, ...], tuple[Scale, ...], Expression]:
        """The sources."""
        return tuple(self._plane_sources), tuple(self._scales), self._is_told

    def plane(self, source: PlaneSource, *planes: Plane) -> None:
        """Add planes that come from a source."""
        self._plane_sources.append(source)
        self.planes += planes

    def scalar(
        self, name: str, node: Expression, found: Range | None, sides: int, first: int
    ) -> None:
        """Add a scalar within a range (None: it has no bounds); of a side, if there are `sides`."""
        if found is None or found.denominator != 1 or found.high - found.low > _WIDEST_SCALED:
            self.scalars.append(Scalar(name, float("-inf"), float("inf")))
            self._scales.append(Scale(node, 0, 1, sides, first))
            return
        size = max(1, found.high - found.low)
        self.scalars.append(Scalar(name, found.low, found.low + size))
        self._scales.append(Scale(node, found.low, size, sides, first))


class _Look:
    """How one side looks at positions."""

    def __init__(self, game: Game, side: int, is_relative: bool) -> None:
        self._game = game
        self._looker = side
        self._side = side if is_relative else 0
        self._sides = len(game.sides)
        self._is_relative = is_relative
        self._sight: Sight | None = game.sight(side)
        self._has_limits = game.hides_by_sight
        self._ranges = NumberRanges(game.program, game.board.size, in_play=True)
        told = build.flag(True) if self._sight is None else self._sight.moves
        others = [build.equal(Get(slot), build.number(0)) for slot in game.undecided]
        self._parts = _Parts(build.conjunction(told, *others))

    def parts(self) -> _Parts:
        """Return all that is shown."""
        self._pieces()
        if not self._has_limits and self._game.piles is not None:
            self._piles()
        self._variables()
        self._course()
        return self._parts

    # ------------------------------------------------------------------------ pieces

    @property
    def _order(self) -> list[int]:
        """The sides in the order in which they are shown."""
        return [(self._side + n) % self._sides for n in range(self._sides)]

    def _seen(self, sites: Expression, *, of_kind: bool = True) -> Expression:
        """Return the sites of a set that are seen, where pieces' kinds are or are not."""
        if self._sight is None:
            return sites if of_kind else build.sites(0)
        seen = build.intersection(sites, self._sight.pieces)
        kinds = self._sight.kinds
        return build.intersection(seen, kinds) if of_kind else build.difference(seen, kinds)

    def _owners(self) -> Iterator[tuple[int, int | None]]:
        """Yield each owner as it is shown, and the side that it is: None is nobody."""
        yield from enumerate(self._order)
        yield NOBODY, None

    def _pieces(self) -> None:
        layers = {(layer.side, layer.kind): layer for layer in self._game.layers}
        kinds = sorted({layer.kind for layer in self._game.layers})
        for owner, side in self._owners():
            for kind in kinds:
                if not any((each is None) == (side is None) and k == kind for each, k in layers):
                    continue
                layer = layers.get((side, kind))
                if layer is None and not self._is_relative:
                    continue
                stands = build.sites(0) if layer is None else self._seen(Get(layer.slot))
                name = self._piece_name(owner, kind)
                self._parts.plane(Spread(stands), Plane(name, "piece", kind, owner))
            if self._has_limits:
                own = [Get(layer.slot) for layer in self._game.layers if layer.side == side]
                hidden = self._seen(build.union(*own), of_kind=False) if own else build.sites(0)
                name = f"{self._owner_name(owner)}, kind unknown"
                self._parts.plane(Spread(hidden), Plane(name, "piece", NOBODY, owner))
        if self._has_limits:
            everywhere = build.sites(self._game.board.all_sites)
            pieces = everywhere if self._sight is None else self._sight.pieces
            unseen = build.difference(everywhere, pieces)
            self._parts.plane(Spread(unseen), Plane("unseen", "unseen", NOBODY, NOBODY))

    def _owner_name(self, owner: int) -> str:
        if owner == NOBODY:
            return "nobody's"
        if not self._is_relative:
            return self._game.sides[owner]
        return "own" if owner == 0 else "enemy" if self._sides == 2 else f"side {owner} on"

    def _piece_name(self, owner: int, kind: int) -> str:
        name = self._game.kinds[kind] if self._game.kinds else "piece"
        return f"{self._owner_name(owner)} {name}"

    def _piles(self) -> None:
        piles, state = self._game.piles, set(self._game.program.state)
        assert piles is not None
        if piles.height not in state:
            return
        limits = self._ranges.limits_of(piles.height)
        plane = Plane("height", "pile", NOBODY, NOBODY)
        self._parts.plane(BytesOf(piles.height, limits.low, 1), plane)
        coverable = self._coverable(piles.coverable)
        if piles.under in state:
            levels = min(piles.most - 1, _MOST_LEVELS)
            left = (piles.most - 1 - levels) * piles.width
            places = [place for place, _, _ in coverable]
            order = tuple(places.index(digit) for digit in range(len(places)))
            source = Levels(*(piles.height, piles.under, piles.width, levels, order, -(-left // 8)))
            named = [
                Plane(f"{self._piece_name(owner, kind)} {level} under", "pile", kind, owner)
                for level in range(1, levels + 1)
                for _, owner, kind in coverable
            ]
            rest = [
                Plane(f"below, byte {n}", "pile", NOBODY, NOBODY) for n in range(1, source.rest + 1)
            ]
            self._parts.plane(source, *named, *rest)
        for place, owner, kind in coverable:
            slot = piles.beneath.get(piles.coverable[place])
            if slot in state and piles.under not in state:
                assert slot is not None
                name = f"{self._piece_name(owner, kind)} under another"
                self._parts.plane(Spread(Get(slot)), Plane(name, "pile", kind, owner))

    def _coverable(self, slots: Sequence[Slot]) -> list[tuple[int, int, int]]:
        """Return the layers that can lie under others, in the order shown: place, owner, kind."""
        layers: dict[Slot, Layer] = {layer.slot: layer for layer in self._game.layers}
        found = []
        for owner, side in self._owners():
            for place, slot in enumerate(slots):
                if layers[slot].side == side:
                    found.append((place, owner, layers[slot].kind))
        return found

    # --------------------------------------------------------------------- variables

    def _variables(self) -> None:
        """Add all variables of a position, or those that a side is let see."""
        game = self._game
        listed = dict(game.sights[self._looker].values) if game.sights else {}
        if self._has_limits:
            for text, node in self._listed_for_all():
                self._variable(text, node)
            return
        names = {slot: name for name, slot in game.state_slots.items()}
        for slot in self._plain_slots():
            shown = self._turned(slot)
            self._variable(names.get(slot, slot.name), Get(shown))
        for text, node in listed.items():
            if not isinstance(node, Get):
                self._variable(text, node)

    def _listed_for_all(self) -> Iterator[tuple[str, Expression]]:
        """Yield the values that this side sees, and each other one likewise, in their order."""
        values = [sight.values for sight in self._game.sights]
        for number, (text, node) in enumerate(values[self._looker]):
            others = [each[number] for each in values if number < len(each)]
            if len(others) == len(values) and all(o.type == node.type for _, o in others):
                texts = dict.fromkeys(text for text, _ in others)
                yield " / ".join(texts), node

    def _plain_slots(self) -> Iterator[Slot]:
        """Yield the variables of a position besides its pieces and its course."""
        game, system = self._game, self._game.program.system
        others = {layer.slot for layer in game.layers}
        others |= {memory.slot for memory in game.program.memories}
        others |= {system.mover, *system.seats, *game.undecided}
        others |= {slot for slot in (system.phase, system.turns, system.passes) if slot is not None}
        others |= set() if game.piles is None else set(game.piles.slots)
        for slot in game.program.state:
            if slot not in others and not _is_aside(slot):
                yield slot

    def _turned(self, slot: Slot) -> Slot:
        """Return the slot in which the same is kept for the side that is shown in its place."""
        if not slot.family or not slot.sides:
            return slot
        wanted = tuple((side + self._side) % self._sides for side in slot.sides)
        for other in self._game.program.state:
            if (other.family, other.sides) == (slot.family, wanted) and other.type == slot.type:
                return other
        return slot

    def _variable(self, name: str, node: Expression) -> None:
        slot = node.slot if isinstance(node, Get) else None
        parts = self._parts
        if slot is not None and slot.per_site:
            self._numbers(name, slot)
        elif node.type == SITES:
            parts.plane(Spread(node), Plane(name, "set", NOBODY, NOBODY))
        elif node.type == FLAG:
            parts.scalar(name, node, Range(0, 1), 0, 0)
        elif node.type.is_choice:
            is_side = node.type.values == self._game.sides
            found = Range(-1, len(node.type.values) - 1)
            parts.scalar(name, node, found, self._sides if is_side else 0, self._side)
        else:
            parts.scalar(name, node, self._bounds(name, node), 0, 0)

    def _bounds(self, name: str, node: Expression) -> Range | None:
        """Return between which bounds a number lies that is shown for whichever side."""
        found = self._ranges.of(node)
        if isinstance(node, Get):
            family = [
                self._ranges.of_slot(other)
                for other in self._game.program.state
                if other.family and other.family == node.slot.family
            ]
            for other in family:
                found = found.hull(other)
        return found

    def _numbers(self, name: str, slot: Slot) -> None:
        if slot.type == SITES:
            return
        if slot.type == FLAG:
            low, high = 0, 1
        elif slot.type.is_choice:
            low, high = -1, len(slot.type.values) - 1
        else:
            limits = self._ranges.limits_of(slot)
            low, high = limits.low, limits.high
        count = max(1, -(-(high - low).bit_length() // 8))
        named = [
            Plane(name if n == 0 else f"{name}, byte {n + 1}", "number", NOBODY, NOBODY)
            for n in range(count)
        ]
        self._parts.plane(BytesOf(slot, low, count), *named)

    # ------------------------------------------------------------------ course of the game

    def _course(self) -> None:
        """Add whose turn it is, the phase, who plays what, and how often the position was there."""
        program, parts, system = self._game.program, self._parts, self._game.program.system
        if self._sides > 1:
            last = Range(0, self._sides - 1)
            parts.scalar("side on turn", Get(system.mover), last, self._sides, self._side)
        if system.phase is not None and len(program.phases) > 1:
            parts.scalar("phase", Get(system.phase), Range(0, len(program.phases) - 1), 0, 0)
        for place, side in enumerate(self._order if system.seats else ()):
            name = (
                f"seat of {self._owner_name(place)}" if self._is_relative else f"seat {place + 1}"
            )
            parts.scalar(name, Get(system.seats[side]), Range(0, self._sides - 1), 0, 0)
        if self._has_limits:
            return
        for name, slot in (("turns made", system.turns), ("passes in a row", system.passes)):
            if slot is not None:
                parts.scalar(name, Get(slot), None, 0, 0)
        for number, memory in enumerate(program.memories):
            name = "times here" if number == 0 else f"times here {number + 1}"
            parts.scalar(name, Times(memory.slot, memory.key), None, 0, 0)


def _is_aside(slot: Slot) -> bool:
    """Whether a slot has what a side has decided in a round, before the others have."""
    return slot.family[:1] == ("decided",)
