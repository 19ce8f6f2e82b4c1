"""The code of random moves made in place, and what is kept for them beside a position.

In: the turns of a game. Out: `ply_P_S` for each turn of which moves are made in place: it makes a
random move in a position, and returns whether there was one and the game goes on. What then holds:
the move is the one that a search for it would have found with the same random number; no frame was
copied on the way, and no list made; what is kept is that of the position after each move.

One random number draws all choices of a way. Where it draws a way that does not exist, or a
condition fails, the position is put back and another way is drawn. Where that fails too often, all
numbers are tried in order, first to count the ways and then to make the one that is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce

from gdl.analysis.bounds_of_ways import MOST_DRAWS
from gdl.analysis.changes import Changes, Done
from gdl.analysis.open_lines import last_choice
from gdl.analysis.plain_turns import MOST_ENDINGS, Plain, Way, endings_of
from gdl.analysis.plan import Plan, TurnPlan
from gdl.analysis.random_moves import Counted, InPlace, has_searched_case, may_fail
from gdl.analysis.side_symmetry import BothSides
from gdl.core.nodes import Assign, Block, Choose, Closure, Require, Slot, Statement
from gdl.core.types import SITES
from gdl.core.walk import (
    assigned_slots,
    block_expressions,
    expressions_in,
    filled_slots,
    is_effect,
    number_of_nodes,
    slots_of,
    slots_read_outside_turns,
)
from gdl.interpreter.evaluation.moves import PASS
from gdl.interpreter.native.emit.blocks import ENDLESS
from gdl.interpreter.native.emit.ir import COPIED_HERE, FRAME, WORD, Function
from gdl.interpreter.native.emit.kinds import FALSE, I64, TRUE, Address, Bit, Word
from gdl.interpreter.native.emit.values import known_number
from gdl.interpreter.native.expressions.closures import direction_of
from gdl.interpreter.native.expressions.places import Place, for_side
from gdl.interpreter.native.games.draws import Draw, part_with
from gdl.interpreter.native.games.random_numbers import RandomNumbers
from gdl.interpreter.native.games.walk_in_place import (
    Drawing,
    DrawnWay,
    EffectsInPlace,
    Tried,
    write_counted,
)
from gdl.interpreter.native.memory.work_checks import is_short
from gdl.interpreter.native.sets import SetCode
from gdl.interpreter.native.sets.registers import RegisterSets
from gdl.interpreter.native.turns.endings import Endings
from gdl.interpreter.native.turns.shared_code import SharedCode
from gdl.interpreter.native.turns.turn_ends import TurnEnds
from gdl.interpreter.native.views.views import Views

PARAMETERS = ("frame", "world", "random", "views", "home")
"""What the functions are given: addresses of what they work with."""
_MOST_INLINED = 600
_MOST_IN_LOOP = 2500
"""How many instructions a function has at most that is copied to where games are played: there a
position lives in registers. Where all ways are tried, it is called."""
_MANY_ENDINGS, _MUCH_LAST = 2, 40
"""From how many ways on, and from how much on, what all end with stands once: expressions of the
last statements, and parts of the position that are remembered."""
_MORE_DRAWS_SHIFT = 9
"""`MOST_DRAWS` ways are drawn once more for each 2 to this numbers."""
_WIDEST_IN_REGISTER = 256
"""How many bits a set has at most that lives in a register of the machine."""
SEARCH, TRY_ALL = 1, 2
"""In the frame where drawing has been given up: a search is needed, or all numbers are tried."""
_IS_LATER = Bit("%is_later")
"""Whether the later of the two sides that share a function is on turn (i1)."""
_TRIES = Bit("%tries")
"""Whether all numbers are tried (i1)."""


class GamesInPlace:
    """Random games as far as their moves are made in place.

    `in_place` are the turns whose moves are, by phase and side; `all_in_place` says whether all
    are. Nothing looks at `unread_layers` meanwhile. `random` writes the random numbers. Functions
    of the turns `in_loop` are copied to where games are played.
    """

    def __init__(self, shared: SharedCode, endings: Endings, ends: TurnEnds, views: Views) -> None:
        """Write the quick endings of such turns."""
        self.shared = shared
        self.ends = ends
        self.views = views
        self.in_place = {
            (turn.phase, turn.side): turn.in_place
            for turn in shared.plan.turns
            if turn.in_place is not None
        }
        self.all_in_place = len(self.in_place) == len(shared.pairs)
        self.random = RandomNumbers(is_ahead=self.all_in_place)
        self.in_loop: set[tuple[int, int]] = set()
        read: list[object] = []
        for phase, side in self.in_place:
            turn = shared.program.phases[phase].turns[side]
            endings.write_quick(phase, side, turn.endings, views)
            read.append(endings.quick.get((phase, side), turn.endings))
        self.unread_layers = _unread_layers(shared.plan, shared.sets, views, read)

    def write(self) -> None:
        """Write `ply_P_S`: make a random move of a side in a phase."""
        self.random.write(self.shared.module)
        system = self.shared.program.system
        effects = EffectsInPlace(
            self.shared.expressions, system.best, self.views, self.unread_layers
        )
        for turn in self.shared.plan.turns:
            if turn.in_place is not None and not (turn.draws_both and turn.is_later):
                _PlyCode(self, effects, turn).write()
        if self.in_place and self.views.all:
            self.views.write()

    def ply(
        self, phase: int, side: int, addresses: Sequence[Address], *, tries: bool = False
    ) -> str:
        """Return the call that makes a random move; where it `tries`, of all that are possible."""
        arguments = [f"ptr {one}" for one in addresses]
        if may_fail(self.in_place[phase, side]):
            arguments.append(f"i1 {TRUE if tries else FALSE}")
        turn = self.shared.plan.turn(phase, side)
        if turn.draws_both:
            arguments.append(f"i1 {TRUE if turn.is_later else FALSE}")
            side = 0
        is_copied = (phase, side) in self.in_loop and not tries
        return f"@ply_{phase}_{side}({', '.join(arguments)}){COPIED_HERE * is_copied}"

    def keep(self, f: Function, position: Address, views: Address) -> None:
        """Write that all views are made from a position."""
        if self.in_place and self.views.all:
            f.do(f"call void @keep(ptr {position}, ptr %world, ptr {views})")

    def is_short(self, phase: int, side: int) -> bool:
        """Whether moves of a turn, which are all written, cannot fail nor take long."""
        is_shared = self.shared.plan.turn(phase, side).draws_both
        module, rounds = self.shared.module, self.shared.sets.size
        return not is_shared and is_short(module, f"ply_{phase}_{side}", rounds)

    def next_turn(self, phase: int, side: int) -> tuple[int, int] | None:
        """Return the turn that always comes after a turn in which the game goes on, if one does."""
        next_ = self.ends.next_side(phase, side)
        return None if next_ is None or self.shared.program.system.phase else (phase, next_)


class _PlyCode:
    """Writes the function of one of the `games`' turns, with its `effects`."""

    def __init__(self, games: GamesInPlace, effects: EffectsInPlace, turn: TurnPlan) -> None:
        self._games = games
        self._effects = effects
        self._expressions = effects.expressions
        self._layout = effects.layout
        self._following = games.shared.program.system.following
        self._turn = turn
        self._block = games.shared.turn(turn.phase, turn.side).program

    def write(self) -> None:
        """Write `ply_P_S`, which takes `PARAMETERS`, and whether to try all if a way may fail.

        If it is for both sides, it also takes whether the later one is on turn. Where it gives up
        looking for a move, it says so in the frame.
        """
        turn = self._turn
        both = turn.both if turn.draws_both else None
        parameters = [f"ptr %{name}" for name in PARAMETERS]
        if may_fail(turn.in_place):
            parameters.append(f"i1 {_TRIES}")
        if both is not None:
            parameters.append(f"i1 {_IS_LATER}")
        module, name = self._expressions.sets.module, f"ply_{turn.phase}_{turn.side}"
        f = module.function(name, "internal i1", parameters)
        p = Place(f)
        if both is not None:
            p = for_side(p, both, self._layout, _IS_LATER)
        p = replace(p, own=self._own(f, both))
        self._expressions.write(p, self._following, known_number(-1))
        self._draw(p, turn.in_place)
        if len(f.body) <= _MOST_INLINED:
            f.inline()
        elif len(f.body) <= _MOST_IN_LOOP and self._may_live_in_registers():
            self._games.in_loop.add((turn.phase, turn.side))

    def _own(self, f: Function, both: BothSides | None) -> dict[Slot, Address]:
        """Return where the turn's own variables lie: nobody asks for them when it is over."""
        program, sets = self._games.shared.program, self._expressions.sets
        if sets.are_arrays:
            return {}
        own = filled_slots(self._block if both is None else both.block)
        if self._turn.in_place is not None:
            own |= filled_slots(self._turn.in_place.before)
        own = own - program.lasting_slots - slots_read_outside_turns(program)
        if both is not None:
            own -= {*both.exchanged, *both.exchanged.values()}
        fields = self._layout.fields
        return {slot: f.room(f"[{fields[slot].bytes} x i8]") for slot in fields if slot in own}

    def _may_live_in_registers(self) -> bool:
        """Whether the position does while the game's moves are made, and is not copied often.

        It is copied before a search. A flood takes the registers for itself.
        """
        shared, turn = self._games.shared, self._turn
        nodes = (node for root in block_expressions(self._block) for node in expressions_in(root))
        floods = (isinstance(node, Closure) and direction_of(node) is None for node in nodes)
        return not (
            shared.sets.are_arrays
            or shared.sets.bits > _WIDEST_IN_REGISTER
            or any(slot.per_site for slot in shared.program.state)
            or has_searched_case(turn.in_place)
            or any(floods)
        )

    def _draw(self, p: Place, turn: InPlace | None) -> None:
        """Write that a move is drawn, and the end of the function."""
        if turn is None:
            self._give_up(p)
            return
        self._effects.effects(p, turn.before)
        if isinstance(turn, Plain):
            self._draw_plain(p, turn)
        elif isinstance(turn, Counted):
            self._draw_counted(p, turn)
        else:
            holds = self._expressions.flag(p, turn.condition)
            for part in p.f.either(holds, turn.then, turn.otherwise):
                self._draw(p, part)

    def _give_up(self, p: Place, needs: int = SEARCH) -> None:
        """Write that a search is needed, or that all numbers have to be tried."""
        self._layout.given_up.put(p.f, str(needs), FRAME)
        p.f.give("i1 false")

    def _end(self, p: Place, done: Changes, passed: bool) -> None:
        """Write what follows a move; whether the game goes on is a branch, for LLVM to follow."""
        turn = self._turn
        self._games.views.follow(p, done)
        sides, is_later = ((0, 1), _IS_LATER) if turn.draws_both else ((turn.side,), None)
        was_pass = TRUE if passed else FALSE
        is_over = self._games.ends.finish(
            p, turn.phase, sides, was_pass, is_later=is_later, has_views=True
        )
        with p.f.when(is_over):
            p.f.give("i1 false")
        p.f.give("i1 true")

    def _draw_counted(self, p: Place, turn: Counted) -> None:
        put_back = self._effects.keep(p, ())
        with p.f.block() as give_up:
            write_counted(p, self._effects, turn, give_up)
            done = Changes((), frozenset(assigned_slots(turn.block)), frozenset())
            self._end(p, done, False)
        put_back()
        self._give_up(p)

    # -------------------------------------------------------------------- plain turns

    def _draw_plain(self, p: Place, turn: Plain) -> None:
        f = p.f
        draws = [self._open(p, turn, way) for way in turn.ways]
        if not draws:
            f.give("i1 false")
            return
        total = reduce(lambda a, b: f.binary("add", I64, a, b), (drawn.count for drawn in draws))
        if all(way.choice is not None or way.guards or way.may_fail for way in turn.ways):
            with f.when(f.compare("eq", I64, total, 0)):
                f.give("i1 false")
        if may_fail(turn):
            self._try(p, turn, draws, total)
        else:
            number = f.call(I64, f"@next_below(ptr %random, i64 {total})")
            last = self._last(turn)
            drawing = Drawing(self._effects, self._turn.parts, turn, self._made, last=last)
            self._take(p, drawing, draws, number, DrawnWay())

    def _made(self, p: Place, way: DrawnWay) -> None:
        """Write that a move is made."""
        self._end(p, way.done.changes, way.passed)

    def _open(self, p: Place, turn: Plain, way: Way) -> Draw:
        """Return what can be drawn on a way, in all of its cases: nothing if it is closed."""
        if way.cases is not None:
            in_case = replace(way, cases=None)
            return self._effects.draws.cases(
                p, way.cases, lambda case: self._open(case, turn, in_case).count
            )
        if way.choice is not None:
            p.f.note(way.choice.span)
        drawn = self._effects.draws.first(p, way)
        count = drawn.count
        if way.choice is None and way.may_fail:
            count = self._is_legal(p, turn, way)
        weight = self._weight(p, way)
        if weight != 1:
            count = p.f.binary("mul", I64, count, weight)
        for guard in way.guards:
            count = p.f.select(self._expressions.flag(p, guard), I64, count, 0)
        return replace(drawn, count=count, weight=weight)

    def _weight(self, p: Place, way: Way) -> Word | int:
        """Return how many ways on a way has at most, where its lines are as open as they are."""
        last = last_choice(way)
        lines = None if last is None else self._turn.lines.get(last.decision)
        sets = self._expressions.sets
        if lines is None or not isinstance(sets, RegisterSets) or sets.bits > _WIDEST_IN_REGISTER:
            return way.weight
        within = self._expressions.sites(p, lines.within)
        longest = (sets.most_in_line(p.f, within, step) for step in lines.steps)
        return p.f.at_most(reduce(lambda a, b: p.f.binary("add", I64, a, b), longest), way.weight)

    def _is_legal(self, p: Place, turn: Plain, way: Way) -> Word:
        """Write a trial of a way without a choice; return how many moves (i64) it is."""
        f = p.f
        following = {self._following} & assigned_slots(way.after)
        put_back = self._effects.keep(p, following)
        legal = f.variable(I64, 0)
        with f.block() as tried:

            def made(inner: Place, path: DrawnWay) -> None:
                f.put(I64, 1, legal)
                f.jump(tried)

            drawing = Drawing(self._effects, self._turn.parts, turn, made)
            drawing.go(p, way.after, DrawnWay(again=tried, put_back=tried))
        put_back()
        return f.get(I64, legal)

    def _try(self, p: Place, turn: Plain, draws: list[Draw], total: Word) -> None:
        """Draw until a way does not fail, if that comes soon; else say that all are to be tried.

        If all are, one number after the other is tried, and then the way that is drawn among those
        that do not fail is tried for; `over` is how many are passed over meanwhile.
        """
        f = p.f
        assigned = assigned_slots(tuple(s for way in turn.ways for s in way.after))
        own = [slot for slot in assigned_slots(turn.before) if slot in assigned]
        put_back = self._effects.keep(p, (*own, *{self._following} & assigned))
        over, next_ = f.variable(I64, ENDLESS), f.variable(I64, 0)
        number = f.variable(I64)

        def made(inner: Place, way: DrawnWay) -> None:
            assert way.put_back is not None, "the way is put back"
            with f.when(_TRIES):
                left = f.get(I64, over)
                with f.unless(f.compare("eq", I64, left, 0)):
                    f.put(I64, f.binary("sub", I64, left, 1), over)
                    f.put(I64, f.binary("add", I64, f.get(I64, number), 1), next_)
                    f.jump(way.put_back)
            self._made(inner, way)

        tried, last = Tried(number, next_), self._last(turn)
        drawing = Drawing(self._effects, self._turn.parts, turn, made, tried, last)
        at_least = f.at_most(total, MOST_DRAWS)
        more = f.variable(I64, f.binary("lshr", I64, total, _MORE_DRAWS_SHIFT))
        with f.loop() as all_:
            with f.rounds(at_least, MOST_DRAWS) as loop:
                f.seldom.add(loop.head)
                for tries in f.either(_TRIES, then=True, otherwise=False):
                    if tries:
                        f.put(I64, f.get(I64, next_), number)
                        with f.unless(f.compare("ult", I64, f.get(I64, next_), total)):
                            legal = f.binary("sub", I64, ENDLESS, f.get(I64, over))
                            f.leave_if(f.compare("eq", I64, legal, 0), all_.done)
                            drawn = f.call(I64, f"@next_below(ptr %random, i64 {legal})")
                            f.put(I64, drawn, over)
                            f.put(I64, 0, number)
                    else:
                        drawn = f.call(I64, f"@next_below(ptr %random, i64 {total})")
                        f.put(I64, drawn, number)
                now = f.get(I64, number)
                f.put(I64, f.binary("add", I64, now, 1), next_)
                with f.block() as again:
                    with f.block() as changed:
                        begun = DrawnWay(again=changed if own else again, put_back=changed)
                        self._take(p, drawing, draws, now, begun)
                    put_back()
            with f.unless(_TRIES):
                left = f.add(I64, -1, more)
                with f.when(f.compare("slt", I64, left, 0)):
                    self._give_up(p, TRY_ALL)
        f.give("i1 false")

    def _take(
        self, p: Place, drawing: Drawing, draws: list[Draw], number: Word, begun: DrawnWay
    ) -> None:
        """Write each way, and which of them a number of what can be drawn picks."""
        f, turn = p.f, drawing.turn
        for place, left in part_with(f, number, [drawn.count for drawn in draws], is_sure=True):
            way, drawn, inner, below = turn.ways[place], draws[place], p, Word("0")
            if way.cases is not None:
                inner, left = self._effects.draws.take_case(p, way.cases, drawn, left)
                drawn = self._open(inner, turn, replace(way, cases=None))
            if way.choice is not None:
                f.note(way.choice.span)
                if drawn.weight != 1:
                    below = f.binary("urem", I64, left, drawn.weight)
                    left = f.binary("udiv", I64, left, drawn.weight)
                if way.is_pair:
                    inner = self._effects.draws.choose_pair(inner, way, drawn, left)
                else:
                    inner = self._effects.draws.choose(inner, way.choice, drawn, left, way.after)
            begins = replace(
                begun,
                number=below,
                bound=drawn.weight,
                done=Done(way.choices),
                passed=way.choice is None and way.says in ((), (PASS,)),
                meets=endings_of(way.rest) > MOST_ENDINGS,
            )
            needed = way.needed_for_more
            if needed is not None:
                with f.unless(f.compare("eq", I64, below, 0)):
                    drawing.need(inner, self._expressions.flag(inner, needed), begins)
            drawing.go(inner, way.rest, begins)
        drawing.write_last(p)

    def _last(self, turn: Plain) -> Block | None:
        """Return what all ways of a turn end with, if it is much to write it for each of them.

        What is kept in views depends on the way.
        """
        blocks = [way.rest for way in turn.ways]
        written = [1 if endings_of(one) > MOST_ENDINGS else endings_of(one) for one in blocks]
        if self._games.views.all or sum(written) < _MANY_ENDINGS:
            return None
        last: list[Statement] = []
        for one, *others in zip(*map(reversed, blocks), strict=False):
            if not (isinstance(one, Require) or is_effect(one)) or any(one != o for o in others):
                break
            last.insert(0, one)
        much = sum(len(memory.key) for memory in self._games.shared.program.memories)
        much += sum(map(number_of_nodes, block_expressions(tuple(last))))
        return tuple(last) if much >= _MUCH_LAST else None


def _unread_layers(
    plan: Plan, sets: SetCode, views: Views, endings: Iterable[object]
) -> frozenset[Slot]:
    """Return the layers that random moves never look at; all that is in the `endings` is read.

    Such a layer only ever gains the sites that are chosen. It is right in the position that a
    random game was begun from, and nowhere else: it stays in memory, word by word. On boards of
    more than a word, where views stand for the layers, to write a whole set for each move would be
    most of the work.
    """
    drawn = [turn.in_place for turn in plan.turns if turn.in_place is not None]
    turns = [turn for turn in drawn if isinstance(turn, Plain)]
    ways = [way for turn in turns for way in turn.ways]
    if (
        sets.bits <= WORD
        or plan.program.memories
        or len(turns) < len(drawn)
        or any(turn.draws_both for turn in plan.turns)
        or any(way.may_fail or way.is_pair or way.cases is not None for way in ways)
    ):
        return frozenset()
    read = set(slots_of(tuple(endings)))
    changed: set[Slot] = set()
    for turn in turns:
        read |= set(slots_of((turn.before, *(way.guards for way in turn.ways))))
    for way in ways:
        for path in ((*way.choices, *path) for path in way.paths):
            done = Done(path).changes
            changed |= done.changed
            read |= {*views.looked_at(done), *_read_by(path, done, views)}
        read |= set(views.looked_at(Done((*way.choices, *way.rest)).changes))
    layers = {slot for slot in plan.program.state if slot.type == SITES and not slot.per_site}
    return frozenset(layers - read - changed)


def _read_by(path: Sequence[Statement], done: Changes, views: Views) -> Iterator[Slot]:
    gaining = {layer for gain in done.added for layer in gain.layers}
    for place, statement in enumerate(path):
        if isinstance(statement, Choose):
            if statement not in views.pool_of:
                yield from slots_of(statement.domain)
        elif isinstance(statement, Assign) and statement.slot in gaining:
            continue  # it adds a chosen site to a layer that nothing else changes
        elif place not in done.idle:
            yield from slots_of(statement)
