"""Where native code looks whether it is to stop, and counts how much it has worked.

In: the functions of a module, as they were written. Out: their instructions, with a look at the
world in each loop that may run long. What then holds: whatever the rules say, no more than some
hundred thousand instructions are carried out between two looks; and how often a turn looks depends
on the position alone, not on the time.

A loop is a jump back. It may run long if the instructions of a round, those of inner loops and of
functions called included, times the rounds that there may be, are many. What a look costs is then
nothing beside the loop.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.blocks import ENDLESS
from gdl.interpreter.native.emit.ir import FRAME_BYTES, WORD_BYTES, WORLD, Function, Module
from gdl.interpreter.native.emit.kinds import I1, I64, PTR, Word
from gdl.interpreter.native.memory import world as w

_MOST_UNSEEN = 1 << 15
"""How many instructions a loop may have in all without a look, on boards of usual size."""
_MOST_UNSEEN_IN_GAMES = 1 << 24
"""The same for a loop that is carried out once between other looks: that of drawing a move."""
_MOST_IN_SHORT = 1 << 15
"""How many instructions a function may have in all that is called many times between two looks."""
_USUAL_ROUNDS = 4
_INSTRUCTIONS_A_UNIT = 8
_FEWEST_ADDED = 6
_WORK_OF_COPYING, _COPIED_AT_ONCE = 6, 32
_WORK_OF_A_WORD, _WORD_BITS, _VECTOR_BITS = 2, 8 * WORD_BYTES, 256
_LAST_CALL = "musttail call"
_WIDE = re.compile(r"<(\d+) x i(\d+)>|\bi(\d{3,})\b|@llvm\.mem.*, i64 (\d+), i1 ")
_LABEL = re.compile(r"label %([\w.]+)")
_ENDS_OF_BLOCKS = ("  br ", "  switch ", "  ret ", "  unreachable")
_CALL = re.compile(r" @(\w+)\(")


@dataclass(frozen=True)
class _Cost:
    """How many instructions something takes at most, and how many it takes usually."""

    most: int = 0
    usual: int = 0

    def plus(self, other: _Cost) -> _Cost:
        return _Cost(min(ENDLESS, self.most + other.most), self.usual + other.usual)

    def times(self, rounds: int) -> _Cost:
        usual = self.usual * min(rounds, _USUAL_ROUNDS)
        return _Cost(min(ENDLESS, self.most * rounds), min(usual, w.UNITS_A_LOOK))


def text_of(
    module: Module,
    names: Collection[str],
    frame_bytes: int,
    rounds: int,
    *,
    with_notes: bool = False,
    work_at: str = "",
) -> str:
    """Return the functions of these names and all that they call, with their looks.

    Frames have so many bytes; loops have so many `rounds` at most unless they say so. `with_notes`,
    comments say where in the game's file that stands which the instructions carry out. `work_at` is
    where all the work is added up that is done, if it is.
    """
    functions, calls = module.reached((*names, "look"))
    polls = Polls(module, functions, rounds)
    texts = []
    for name, function in functions.items():
        body = polls.body(name)
        body = list(_adding_work(body, work_at)) if work_at and not with_notes else body
        is_called_once = calls[name] == 1
        texts.append(function.text(body, is_called_once=is_called_once, with_notes=with_notes))
    text = "\n\n".join((*module.declarations, *texts)) + "\n"
    return text.replace(FRAME_BYTES, str(frame_bytes))


def is_short(module: Module, name: str, rounds: int) -> bool:
    """Whether a function, which is written as are all that it calls, never fails nor takes long."""
    functions, calls = module.reached((name,))
    if calls.keys() - functions.keys():
        return False  # nobody knows how long what the module has not written may take
    lines = (line for function in functions.values() for line in function.body)
    if any(WORLD in line and "call" not in line for line in lines):
        return False
    return Polls(module, functions, rounds).cost_of(name).most <= _MOST_IN_SHORT


class Polls:
    """Puts looks into functions, whose loops have so many `rounds` at most unless they say so."""

    def __init__(self, module: Module, functions: Mapping[str, Function], rounds: int) -> None:
        self.module = module
        self.rounds = rounds
        self._functions = functions
        self._costs: dict[str, _Cost] = {}
        self._bodies: dict[str, list[str]] = {}

    def body(self, name: str) -> list[str]:
        """Return the instructions of a function, with its looks."""
        self.cost_of(name)
        return self._bodies[name]

    def cost_of(self, name: str) -> _Cost:
        """Return what a function costs, with those that it calls."""
        if name not in self._functions:
            return _Cost(1, 1)
        if name not in self._costs:
            function = self._functions[name]
            self._costs[name] = _Cost(ENDLESS, 1)  # as long as it is looked for: it calls itself
            cost, self._bodies[name] = _Looks(function, self).write()
            if function.is_called_seldom:
                cost = _Cost(1, 1)
            self._costs[name] = _Cost(cost.most, 1) if function.is_of_another_turn else cost
        return self._costs[name]

    def runs_long(self, function: Function, head: str, cost: _Cost) -> bool:
        """Whether a loop that costs so much is to be looked into."""
        if head in function.seldom:
            return cost.most > _MOST_UNSEEN_IN_GAMES
        return cost.most > max(_MOST_UNSEEN, 64 * self.rounds)


class _Ways:
    """What it usually costs to get where a stretch of instructions is read, by the dearest way."""

    def __init__(self) -> None:
        self.usual = 0
        self.dearest = 0
        self._at: dict[str, int] = {}

    def part(self, labels: Iterable[str]) -> None:
        """Go on at each of some labels, and nowhere else."""
        self.dearest = max(self.dearest, self.usual)
        for label in labels:
            self._at[label] = max(self._at.get(label, 0), self.usual)
        self.usual = 0

    def meet(self, label: str) -> None:
        """Come to a label, by any of the ways that lead to it."""
        self.usual = max(self.usual, self._at.get(label, 0))


class _Looks:
    """The loops of one function, and its looks."""

    def __init__(self, function: Function, polls: Polls) -> None:
        self._function = function
        self._polls = polls
        self._lines = list(function.body)
        self._added: list[str] = []
        labels = {line[:-1]: place for place, line in enumerate(self._lines) if line.endswith(":")}
        self._ends: dict[str, int] = {}
        for place, line in enumerate(self._lines):
            if line.startswith("  br "):
                back = (label for label in _LABEL.findall(line) if labels[label] <= place)
                self._ends.update(dict.fromkeys(back, place))

    def write(self) -> tuple[_Cost, list[str]]:
        """Add the looks; return what the function costs, and its instructions."""
        cost = self._stretch(0, len(self._lines))
        body = self._lines + self._added
        if self._added:
            body += ["stopped:", f"  ret {self._function.nothing}"]
        return cost, body

    def _stretch(self, begin: int, end: int) -> _Cost:
        """Return what instructions cost, inner loops included.

        Usually, that is what the dearest way through them costs: of two branches, one is taken.
        """
        function, polls = self._function, self._polls
        cost, plain, place = _Cost(), 0, begin
        ways = _Ways()
        while place < end:
            line = self._lines[place]
            head = line[:-1] if line.endswith(":") else ""
            place += 1
            if head:
                ways.meet(head)
            if head not in self._ends:
                plain += 1
                ways.usual += 1
                for name in _CALL.findall(line) if "@" in line else ():
                    called = polls.cost_of(name)
                    cost = cost.plus(called)
                    ways.usual += called.usual
                if line.startswith(_ENDS_OF_BLOCKS):
                    ways.part(_LABEL.findall(line))
                continue
            last = min(self._ends[head] + 1, end)
            round_ = self._stretch(place, last)
            loop = round_.times(function.most_rounds.get(head, polls.rounds))
            if polls.runs_long(function, head, loop) and function.world:
                self._look(head, place, last, round_)
                loop = _Cost(loop.most, 1)
            cost = cost.plus(loop)
            ways.usual += loop.usual
            ways.part(_LABEL.findall("\n".join(self._lines[place:last])))
            place = last
        ways.part(())
        return _Cost(min(ENDLESS, cost.most + plain), ways.dearest)

    def _look(self, head: str, begin: int, end: int, round_: _Cost) -> None:
        """Put a look into each jump back to the head of a loop."""
        world = self._function.world
        name = f"look{len(self._added)}"
        back = re.compile(rf"label %{head}\b")
        for place in range(begin, end):
            if self._lines[place].startswith("  br "):
                self._lines[place] = back.sub(f"label %{name}", self._lines[place])
        units = min(max(1, round_.usual // _INSTRUCTIONS_A_UNIT), w.UNITS_A_LOOK)
        number = self._polls.module.number_of(self._function.place_of(begin))
        self._added += [
            f"{name}:",
            f"  %{name}.at = getelementptr i8, ptr {world}, i64 {w.UNITS_LEFT}",
            f"  %{name}.now = load i64, ptr %{name}.at, align 1",
            f"  %{name}.left = sub i64 %{name}.now, {units}",
            f"  store i64 %{name}.left, ptr %{name}.at, align 1",
            f"  %{name}.none = icmp slt i64 %{name}.left, 0",
            f"  br i1 %{name}.none, label %{name}.out, label %{head}",
            f"{name}.out:",
            f"  %{name}.stop = call i1 @look(ptr {world}, i64 {number})",
            f"  br i1 %{name}.stop, label %stopped, label %{head}",
        ]


def _adding_work(body: Iterable[str], place: str) -> Iterator[str]:
    """Yield instructions, with others that add up at a place how much work they are.

    That is about how many the machine carries out of its own: for all that stand together up to a
    jump, unless they are few.
    """
    work, blocks = 0, 0
    for line in body:
        if line.startswith(_ENDS_OF_BLOCKS) or _LAST_CALL in line:
            if work >= _FEWEST_ADDED:
                yield f"  %work{blocks} = load i64, ptr {place}"
                yield f"  %work{blocks}.done = add i64 %work{blocks}, {work}"
                yield f"  store i64 %work{blocks}.done, ptr {place}"
            work, blocks = 0, blocks + 1
        elif not line.endswith(":"):
            wide = _WIDE.search(line)
            work += 1 if wide is None else _work_of(wide)
        yield line


def _work_of(wide: re.Match[str]) -> int:
    """Return how much work an instruction is whose type is wide, or one that copies memory."""
    lanes, lane_bits, bits, copied = (int(group or 0) for group in wide.groups())
    if copied:
        return _WORK_OF_COPYING + copied // _COPIED_AT_ONCE
    return 1 + lanes * lane_bits // _VECTOR_BITS + _WORK_OF_A_WORD * bits // _WORD_BITS


def look_here(module: Module, f: Function) -> None:
    """Write a unit of work, and a look if that is due, at the beginning of a function."""
    assert f.world is not None, "the world is known"
    left = w.charge(f, f.world, 1)
    with f.when(f.compare("slt", I64, left, 0)):
        number = module.number_of(f.place_of(len(f.body)))
        with f.when(f.call(I1, f"@look(ptr {f.world}, i64 {number})")):
            f.give(f.nothing)


def write_look(module: Module) -> None:
    """Write `look(world, place)`: whether work is to stop, at the place of this number.

    It is called when the units of work that were allowed since the last look are done; it allows
    more, if there are some left.
    """
    f = module.function("look", "internal i1", ["ptr %world", "i64 %place"], "noinline cold ")
    f.give_if(w.has_failed(f, WORLD), "i1 true")
    w.refuse(f, WORLD, w.is_stopped(f, WORLD), w.STOPPED)
    address = f.at(WORLD, w.WORK_LEFT)
    work = f.get(I64, address)
    with f.when(f.compare("sle", I64, work, 0)):
        w.fail(f, WORLD, w.TOO_LONG)
        f.put(I64, Word("%place"), f.at(WORLD, w.PLACE))
        f.give("i1 true")
    f.put(I64, f.binary("sub", I64, work, w.UNITS_A_LOOK), address)
    f.add(I64, w.UNITS_A_LOOK, f.at(WORLD, w.UNITS_LEFT))
    f.give("i1 false")


def write_prepare(module: Module) -> None:
    """Write `prepare(world, work, room)`, which comes before every other call.

    A turn may take so much work, and all calls of the same thread that come next so many bytes of
    the stack, to where they test it.
    """
    f = module.function("prepare", "void", ["ptr %world", "i64 %work", "i64 %room"])
    f.declare("ptr @llvm.frameaddress.p0(i32)")
    here = f.call(PTR, "@llvm.frameaddress.p0(i32 0)")
    f.put(PTR, f.at(here, f.binary("sub", I64, 0, Word("%room"))), f.at(WORLD, w.STACK_END))
    f.put(I64, Word("%work"), f.at(WORLD, w.WORK))
    w.allow_a_turn(f, WORLD)
    f.put(I64, 0, f.at(WORLD, w.ERROR))
    f.give("void")
