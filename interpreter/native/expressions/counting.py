"""Counters in the code of a game: how often what its rules say has come about, and when at first.

In: the parts of a program that are watched, as code is written for them. Out: instructions that
count, and the function `watched`, which plays random games meanwhile. What then holds: counts are
those of the reference interpreter's watch over the same games; and code that nobody watches has no
counters.

A count is a word in memory of the module itself. When it is counted for the first time, the number
of the game and of the move are kept beside it. Rows of counts are asked for by what is counted and
where that stands in the game's file: sides and phases that share a place share its counts.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from dataclasses import field

from gdl.core.nodes import (
    Assign,
    AssignAt,
    Choose,
    Const,
    Ending,
    Expression,
    Program,
    Slot,
    Statement,
)
from gdl.core.types import NUMBER, SITES
from gdl.core.walk import slots_of
from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.elaborate.names.origins import JoinedSets, Origins
from gdl.interpreter.native.emit.ir import WORD_BYTES, Function, Module, number_type
from gdl.interpreter.native.emit.kinds import FALSE, I1, I64, Address, Bit, Word
from gdl.interpreter.native.emit.values import Flag, Number, Sites, Value
from gdl.interpreter.native.expressions.places import Place
from gdl.interpreter.native.memory.frame import FrameLayout
from gdl.interpreter.native.sets import SetCode

Worked = Callable[[Place, Expression], Value]
Read = Callable[[Place, Slot], Value]

MOST_COMPARED = 20_000
"""How often a part of joined sets is looked at that never makes a difference."""
PLIES_A_GAME = 1 << 24
"""A moment is the number of a game, so many times, and the number of the move in it."""


@dataclass(frozen=True)
class LayerOfPieces:
    """Pieces of one `kind` and `side` (None: nobody's); `number` is their place in the game."""

    number: int
    kind: int
    side: int | None


@dataclass(frozen=True)
class Watched:
    """What of a program is watched.

    `origins` knows the places of its conditions; `layers` are those of pieces. Of the places of its
    statements, some are `moving` pieces on the board, `taking` some away, or `naming` a value; of
    those of parts of joined sets, some are `idle` so far, so that it is seen whether they ever make
    a difference.
    """

    program: Program
    origins: Origins
    layers: Mapping[Slot, LayerOfPieces]
    moving: AbstractSet[Span]
    taking: AbstractSet[Span]
    naming: AbstractSet[Span]
    idle: AbstractSet[Span]


@dataclass(frozen=True)
class Row:
    """Counts that stand side by side: the number of the first, and how many they are."""

    begin: int
    size: int


@dataclass
class Counters:
    """Writes what counts, in a module on whose board `sets` are; `rows` has what is counted."""

    watched: Watched
    module: Module
    sets: SetCode
    rows: dict[tuple[str, Hashable], Row] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._size = 0
        self._is_looking = False
        self.heading = Heading(self.watched, self.sets.bytes)
        self._write_counted()
        self.module.globals.append(self._globals)

    # ---------------------------------------------------------------------- memory

    @property
    def work(self) -> str:
        """Where the work is added up: an address that stands in instructions."""
        return f"getelementptr (i8, ptr @watched_heading, i64 {WORD_BYTES * WORK})"

    @property
    def size(self) -> int:
        """How many counts there are."""
        return self._size

    def _globals(self) -> str:
        kinds = {"watched_counts": self._size, "watched_first": self._size}
        words = {**kinds, "watched_heading": self.heading.words}
        return "\n".join(
            f"@{name} = internal global [{max(1, number)} x i64] zeroinitializer, align 64"
            for name, number in words.items()
        )

    def row(self, what: str, where: Hashable, size: int) -> int:
        """Return the number of the first of some counts that stand side by side."""
        known = self.rows.get((what, where))
        if known is None:
            known = self.rows[what, where] = Row(self._size, size)
            self._size += size
        return known.begin

    def _write_counted(self) -> None:
        """`counted(count)`: one more."""
        f = self.module.function("counted", "internal void", ["i64 %count"], "noinline ")
        address = f.word_at(Address("@watched_counts"), Word("%count"))
        before = f.get(I64, address)
        f.give_if(f.compare("ne", I64, f.get(I64, self.heading.word(f, PAUSED)), 0), "void")
        f.put(I64, f.binary("add", I64, before, 1), address)
        with f.when(f.compare("eq", I64, before, 0)):
            now = f.get(I64, self.heading.word(f, NOW))
            f.put(I64, now, f.word_at(Address("@watched_first"), Word("%count")))
        f.give("void")

    # -------------------------------------------------------------------- counting

    def add(self, f: Function, count: Word | int) -> None:
        """Write that there is one more of a count."""
        f.do(f"call void @counted(i64 {count})")

    def add_if(self, f: Function, condition: Bit, count: Word | int) -> None:
        """Write that there is one more of a count if a condition holds."""
        with f.when(condition):
            self.add(f, count)

    def either(self, f: Function, begin: int, condition: Bit) -> None:
        """Write that there is one more of two counts: of the second if a condition holds."""
        self.add(f, f.binary("add", I64, f.convert("zext", I1, condition, I64), begin))

    def value(self, p: Place, node: Expression, value: Value, worked: Worked) -> None:
        """Write that a condition holds, or not, or that sets are joined; `worked` writes others."""
        if self._is_looking:
            return
        if isinstance(value, Flag):
            for place in self.watched.origins.places(node):
                self.either(p.f, self.row("conditions", place, 2), value.register)
        if isinstance(value, Sites):
            for joined in self.watched.origins.joined(node):
                self._joined(p, joined, worked)

    def _joined(self, p: Place, joined: JoinedSets, worked: Worked) -> None:
        """Write whether idle parts of sets that `|` joins add a site here.

        No more is worked out once each has, or never does.
        """
        f, sets, parts = p.f, self.sets, enumerate(joined.parts)
        numbers = [number for number, (place, _) in parts if place in self.watched.idle]
        counts = {n: self.row("parts", joined.parts[n][0], 2) for n in numbers}
        pending = FALSE
        for begin in counts.values():
            tried, told = (f.get(I64, self._count_at(f, begin + n)) for n in (0, 1))
            few = f.compare("ult", I64, tried, MOST_COMPARED)
            none = f.compare("eq", I64, told, 0)
            pending = f.binary("or", I1, pending, f.binary("and", I1, few, none))
        if not counts:
            return
        with f.when(pending):
            self._is_looking = True
            made = [worked(p, part) for _, part in joined.parts]
            self._is_looking = False
            found = [Sites(sets.mask(f, part)) for part in made if isinstance(part, Sites)]
            for number, begin in counts.items():
                self.add(f, begin)
                self.add_if(f, _adds(f, sets, found, number), begin + 1)

    def _count_at(self, f: Function, number: int) -> Address:
        return f.at(Address("@watched_counts"), 8 * number)

    @contextmanager
    def paused(self, f: Function, condition: Bit) -> Iterator[None]:
        """Let nothing count that is done inside, if a condition holds."""
        word = self.heading.word(f, PAUSED)
        before = f.get(I64, word)
        f.put(I64, f.binary("or", I64, before, f.convert("zext", I1, condition, I64)), word)
        yield
        f.put(I64, before, word)

    def choice(self, p: Place, statement: Choose, count: Word) -> None:
        """Write how many candidates there are for a choice: none, one, several."""
        if statement.span is not None:
            begin = self.row("choices", statement.span, 3)
            self.add(p.f, p.f.binary("add", I64, p.f.at_most(count, 2), begin))

    def elements(self, p: Place, statement: Statement, some: Bit) -> None:
        """Write whether there is something to go through."""
        if statement.span is not None:
            self.either(p.f, self.row("loops", statement.span, 2), some)

    def ending(self, f: Function, ending: Ending) -> None:
        """Write that an ending is the first to hold."""
        if ending.span is not None:
            self.add(f, self.row("endings", ending.span, 1))

    def alternative(self, f: Function, statement: Statement, place: int, count: int) -> None:
        """Write that one of several alternatives is tried."""
        if statement.span is not None:
            self.add(f, self.row("alternatives", statement.span, count) + place)

    # --------------------------------------------------------------------- effects

    def effect(
        self,
        p: Place,
        statement: Assign | AssignAt,
        layout: FrameLayout,
        read: Read,
        write: Callable[[], None],
    ) -> None:
        """Write an effect, and what it changes; `write` writes it, `read` reads a slot."""
        span, slot = statement.span, statement.slot
        if span is None:
            write()
        elif slot not in self.watched.program.state:
            write()
            is_named = span in self.watched.naming and not slot.type.is_choice
            if is_named and not isinstance(statement.value, Const):
                self.either(
                    p.f, self.row("named", span, 2), _is_something(p.f, self.sets, read(p, slot))
                )
        elif slot in self.watched.layers and not slot.per_site:
            self._of_layer(p, span, statement, read, write)
        else:
            f, row = p.f, self.row("effects", span, 3)
            now, size = p.address(slot, layout.fields[slot]), layout.fields[slot].bytes
            before = f.room(f"[{size} x i8]")
            f.copy(now, before, size)
            write()
            self.add(f, row)
            self.add_if(f, f.memory_differs(now, before, size), row + 1)

    def _of_layer(
        self,
        p: Place,
        span: Span,
        statement: Assign | AssignAt,
        read: Read,
        write: Callable[[], None],
    ) -> None:
        f, sets, row = p.f, self.sets, self.row("effects", span, 3)
        slot, is_move = statement.slot, span in self.watched.moving
        layer = self.watched.layers[slot]
        kept = f.room(f"[{sets.bytes} x i8]")
        sets.write(f, _sites(read(p, slot)), kept)
        write()
        before, after = sets.read(f, kept), _sites(read(p, slot))
        self.add(f, row)
        gained, lost = sets.difference(f, after, before), sets.difference(f, before, after)
        has_gained, has_lost = sets.some(f, gained), sets.some(f, lost)
        mine = self._is_mine(p, layer, read)
        if is_move and (named := [_sites(read(p, one)) for one in sites_named(statement)]):
            stood = sets.intersection(f, [before, sets.union(f, named)])
            with f.when(sets.some(f, stood)):
                f.put(I64, 1, self.heading.word(f, FOUND))
        with f.when(f.binary("or", I1, has_gained, has_lost)):
            self.add(f, row + 1)
            f.put(I64, 1, self.heading.word(f, FOUND))
            for what, has in (("gained", has_gained), ("lost", has_lost)):
                with f.when(has):
                    self.either(f, self.row("layers", (span, layer.number, what), 2), mine)
            if layer.side is not None and (is_move or span in self.watched.taking):
                with f.when(has_gained if is_move else has_lost):
                    self.either(f, self.row("touched", span, 2), mine)
            with f.when(has_gained):
                self.add(f, row + 2)
                entered = self.heading.set(f, ENTERED)
                sets.write(f, sets.union(f, [sets.read(f, entered), gained]), entered)

    def _is_mine(self, p: Place, layer: LayerOfPieces, read: Read) -> Bit:
        if layer.side is None:
            return FALSE
        mover = read(p, self.watched.program.system.mover)
        assert isinstance(mover, Number), "a side is a number"
        return p.f.compare("eq", number_type(mover.range), mover.register, layer.side)

    def effects(
        self, p: Place, block: Sequence[Statement], write: Callable[[Statement], None]
    ) -> None:
        """Write statements without decisions; see whether those that move pieces find any."""
        carried: list[Slot] = []
        of: Span | None = None
        for statement in block:
            is_carrying = (
                isinstance(statement, Assign)
                and statement.span in self.watched.moving
                and statement.slot in self.watched.layers
            )
            slot = statement.slot if isinstance(statement, Assign) else None
            if not is_carrying or statement.span != of or slot in carried:
                self._carried(p, of)
                carried, of = [], None
            if is_carrying and slot is not None:
                if of is None:
                    p.f.put(I64, 0, self.heading.word(p.f, FOUND))
                of = statement.span
                carried.append(slot)
            write(statement)
        self._carried(p, of)

    def _carried(self, p: Place, span: Span | None) -> None:
        """Write that a statement that moves a piece is done, and whether there was none."""
        if span is not None:
            found = p.f.get(I64, self.heading.word(p.f, FOUND))
            idle = p.f.compare("eq", I64, found, 0)
            self.add_if(p.f, idle, self.row("nothing", span, 1))

    # ------------------------------------------------------------- what is chosen in moves made

    def chosen(
        self, p: Place, statement: Choose, index: Word, root: Address, is_given: Bit
    ) -> None:
        """Write what stood on a site (i64) before the turn that a move chooses which is made."""
        if statement.span is None:
            return
        f = p.f
        layers, sides = len(self.watched.layers), self.heading.sides
        begin = self.row("chosen", statement.span, (layers + 1) * sides)
        making = f.compare("ne", I64, f.get(I64, self.heading.word(f, MAKING)), 0)
        with f.when(f.binary("and", I1, making, is_given)):
            f.do(f"call void @stood_on(ptr {root}, i64 {index}, i64 {begin})")

    def write_stood_on(self, read: Read, which_side: Callable[[Place], Word]) -> None:
        """`stood_on(root, site, begin)`: what stands on a site is counted, from a count on."""
        parameters = ["ptr %root", "i64 %site", "i64 %begin"]
        f = self.module.function("stood_on", "internal void", parameters, "noinline ")
        p, sets = Place(f, Address("%root")), self.sets
        site = Sites(sets.mask(f, sets.one(Word("%site"), is_there=True)))
        named = self.heading.set(f, NAMED)
        sets.write(f, sets.union(f, [sets.read(f, named), site]), named)
        layers = self.watched.layers
        first = f.binary("mul", I64, which_side(p), len(layers) + 1)
        first = f.binary("add", I64, first, Word("%begin"))
        for place, slot in enumerate(layers):
            with f.when(sets.some(f, sets.intersection(f, [_sites(read(p, slot)), site]))):
                self.add(f, f.binary("add", I64, first, place))
                f.give("void")
        self.add(f, f.binary("add", I64, first, len(layers)))
        f.give("void")


def sites_named(statement: Assign | AssignAt) -> list[Slot]:
    """Return the words of a turn for sites on which the value of an effect depends."""
    free = statement.value.free
    return [
        slot
        for slot in slots_of(statement.value)
        if slot in free and slot.type == SITES and not slot.is_state
    ]


def _sites(value: Value) -> Sites:
    assert isinstance(value, Sites), "a layer is a set"
    return value


def _is_something(f: Function, sets: SetCode, value: Value) -> Bit:
    """Return whether a value is neither none, nor false, nor an empty set."""
    if isinstance(value, Sites):
        return sets.some(f, value)
    if isinstance(value, Flag):
        return value.register
    return f.compare("ne", number_type(value.range), value.register, 0)


def _adds(f: Function, sets: SetCode, parts: Sequence[Sites], number: int) -> Bit:
    """Return whether one of several sets has a site that no other has."""
    rest = sets.union(f, [part for place, part in enumerate(parts) if place != number])
    return sets.some(f, sets.difference(f, parts[number], rest))


# ------------------------------------------------ what else is kept while games are watched

NOW, MAKING, FOUND, MOST_WAYS_ON, LISTED, PAUSED, WORK, LINES, END_OF_LINES = range(9)
"""Words: the moment; whether a move is made; whether a statement has found a piece; the most
moves of a position; how many moves were listed; whether nothing counts; how much work was done,
counted or not; where the trace of the next move that is made is kept, and where the room for them
ends."""
_WORDS = 16
ENTERED, NAMED = "entered", "named"
"""Sets: the sites that pieces came to, and those that the move that is made names."""


class Heading:
    """Where that lies which is no count: words, sets, and the bounds of numbers."""

    def __init__(self, watched: Watched, set_bytes: int) -> None:
        program = watched.program
        self.sides = len(program.phases[0].turns)
        self.set_words = -(-set_bytes // 8)
        self.sets: dict[Hashable, int] = {}
        for name in (ENTERED, NAMED, *watched.layers):
            self.sets[name] = _WORDS + len(self.sets) * self.set_words
        begin = _WORDS + len(self.sets) * self.set_words
        histories = {memory.slot for memory in program.memories}
        numbers = [
            slot
            for slot in program.state
            if slot.type == NUMBER and not slot.per_site and slot not in histories
        ]
        self.numbers = {slot: begin + 2 * place for place, slot in enumerate(numbers)}
        self.words = begin + 2 * len(numbers)

    def word(self, f: Function, number: int) -> Address:
        """Return the address of a word."""
        return f.at(Address("@watched_heading"), 8 * number)

    def set(self, f: Function, name: Hashable) -> Address:
        """Return the address of a set."""
        return self.word(f, self.sets[name])


__all__ = ["Counters", "Heading", "LayerOfPieces", "Row", "Watched"]
