"""Games that are played to see the rules at work.

In: a game, with a watch, and work to be done. Out: what was seen. What then holds: what went wrong
comes with the moves that lead there, and random games are those of `gdl playout` with the same
seed.

Positions come from random games, native ones where there is native code: each at some depth. There
the reference lists all moves and makes some of them, so that every rule that bears on the position
is gone through; how games end is counted over many more games, which nobody watches.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext, suppress
from functools import cached_property, partial
from random import Random

from gdl.board.relation import bits
from gdl.diagnostic import Diagnostic, Span
from gdl.interpreter.check.coverage import Coverage
from gdl.interpreter.check.effort import A_GAME, Part
from gdl.interpreter.check.finding import WitnessGame
from gdl.interpreter.check.play.counted import CountedNative
from gdl.interpreter.check.play.late_goals import note_goal
from gdl.interpreter.check.play.mishaps import in_two_orders, read_alike
from gdl.interpreter.check.play.said import counter_of_quiet, height_said, text_on_taking
from gdl.interpreter.check.play.seen import Kept, Seen, Short
from gdl.interpreter.check.play.standstill import may_stand_still, stands_still
from gdl.interpreter.check.play.watched import NativeWatch
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.evaluation.evaluator import (
    Evaluator,
    Playout,
    RuleError,
    State,
    failure_in_moves,
    is_about_work,
    moves_between,
)
from gdl.interpreter.evaluation.moves import FORCED_PASS, Move
from gdl.interpreter.evaluation.playout import Statistics
from gdl.interpreter.native.runtime.rules import Uncovered
from gdl.interpreter.native.runtime.watched import Moment, WatchedGame
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify.combinations import Combination
from gdl.interpreter.verify.shrink import made_shorter, shorter
from gdl.model import Game

SEED = 1
MOST_PLIES = 2000
_MOVES_A_POSITION = 12
_MOST_KEPT = 40
_ORDERS_LOOKED_AT, _MOST_ORDERED = 40, 2000
"""Positions in which moves in two orders are looked for, and how many moves they may have: it takes
long to tell the way to one with more."""
_UNFINISHED_LOOKED_AT = 20
_MOST_STUCK_KEPT = 24
_WORD, _SITE = re.compile(r"\w+"), "·"
_WITHOUT_NATIVE = 120_000
"""Units of work that a game must be worth before native code is made for it."""
_SHARE_WALKED = 0.15
"""The part of the work of games that is done by the reference; native games have what is left."""
_LEAST_SHARES, _LEAST_OF_WHOLE = (0.06, 0.25), 0.08
"""The part of what play may do that these of the file's own game may take in any case, and that the
first of them may: where that is done, it is left as it stands; and that others may that nobody
watches."""
_MOST_GAMES, _MOST_AT_ONCE, _FEWEST_WHOLE = 4000, 500, 2000
"""Native games that are watched for the usual effort, and how many of them before the next look;
where fewer were watched, so many are played to their ends."""
_FEW_WATCHED, _SHARE_IF_FEW = 12, 0.4
"""Where fewer games were watched to their end, others may take so large a part of the work."""
_LAST_MOVES_WATCHED = 8
_FIRST_UNWATCHED = 1 << 34
"""Where the numbers of games begin that nobody watches: they are none of those that are watched."""


_A_LAYER_COMPARED = 5
"""Units of work to see what a move has done to each layer of pieces."""


NativePlayer = NativeWatch | CountedNative
"""What plays random games natively, and finds what is met in them."""


class Games:
    """Plays a combination of variants and options of a game, and watches."""

    def __init__(
        self, subject: Subject, combination: Combination, game: Game, making: float = 0.0
    ) -> None:
        """Prepare games; native code to watch them is about so much work as `making` tells."""
        self.making = making
        self.watch, self.rules = subject.watched(game)
        self.watch.begin()
        self.coverage = subject.coverage
        self.work = subject.work
        self.has_no_native = False
        self._may_be_native = False
        self.watching: NativeWatch | None = None
        self._decisions = self._units_of_look = self.a_look = 0.0
        self._game = game
        self._origins = subject.origins
        self._must_take = text_on_taking(game) is not None
        counter = counter_of_quiet(game)
        self._has_heights = height_said(game) is not None
        self._quiet = None if counter is None else self.rules.machine.places[counter[0]]
        self._random = Random(SEED)
        self._drawing = Random(SEED)
        self._numbers = iter(range(_FIRST_UNWATCHED))
        self._unwatched_numbers = iter(range(_FIRST_UNWATCHED, 1 << 40))
        self.seen = Seen(combination, game, Statistics(game.sides, len(game.sides)))
        phase = game.program.system.phase
        self._mover_place = self.rules.machine.places[game.program.system.mover]
        self._phase_place = None if phase is None else self.rules.machine.places[phase]
        self._layers = [(layer, self.rules.machine.places[layer.slot]) for layer in game.layers]
        self._start: State | None = None
        self._listed = 0
        self._looked = 0

    @cached_property
    def _unwatched(self) -> ReferenceRules:
        """Rules at whose work nobody looks."""
        rules = ReferenceRules(self._game)
        rules.machine.tally = self.work.tally
        return rules

    def play(self, units: float, is_enough: Callable[[], bool]) -> None:
        """Play and watch for some units of work; by the reference, until it is enough."""
        part, begun = self.work.part(units), (self.work.done, self.work.tally.units)
        try:
            self._start = self.rules.start()
        except RuleError:
            return  # the layer before tells it
        self.look(self._start, tuple)
        self.a_look = self.work.done - begun[0]
        is_short = units < max(_WITHOUT_NATIVE, self.making)
        self._walk(part.left if is_short else part.left * _SHARE_WALKED, is_enough)
        looked = max(1, self._looked)
        self._decisions = self._listed / looked
        self._units_of_look = (self.work.tally.units - begun[1]) / looked
        if is_short or self._has_failed_at_once or self.is_slow:
            return
        self._may_be_native = True
        try:
            watch = NativeWatch(self._game, self._origins, self.coverage, self.work, SEED)
        except Uncovered:
            self.has_no_native = True
            self._walk(part.left, is_enough)
            return
        if self.seen.combination != Combination() and part.left < watch.units_of_compiling:
            self._walk(part.left, is_enough)
            return
        self.watching = watch
        self.making = watch.units_of_making
        if not self._count_games(self.watching, part.left):
            self.has_no_native = True
            self._walk(part.left, is_enough)

    @cached_property
    def native(self) -> CountedNative | None:
        """Native code that nobody watches, to head for something with; None: there is none."""
        if not self._may_be_native:
            return None
        try:
            way = 0.0 if self.watching is None else self.watching.instructions_a_way
            return CountedNative(
                self._game, self.work, self._decisions, self._units_of_look, way, SEED
            )
        except Uncovered:
            return None

    @property
    def is_slow(self) -> bool:
        """Whether a turn takes more work than the budget allows: each try would take as long."""
        return any(map(is_about_work, self.seen.failures))

    @property
    def _has_failed_at_once(self) -> bool:
        """Whether the rules fail so soon that there is nothing else to see."""
        return any(len(witness.moves) < 2 for witness in self.seen.failures.values())

    # ---------------------------------------------------------------- whole games

    def _count_games(self, watch: NativeWatch, units: float) -> bool:
        """Play native random games to their ends, and count what happens in them.

        Return whether native code can play them.
        """
        played, most = 0, int(_MOST_GAMES * self.work.effort.times)
        part = self.work.part(units)
        watch.compile()
        is_own = self.seen.combination == Combination()
        least, least_of_first = (share * is_own * self.work.effort.play for share in _LEAST_SHARES)
        # Nobody knows yet how long the first game is, and how much work each move of it.
        first = self.work.part(max(part.left, least_of_first))
        part = self.work.part(max(part.left, least))
        begun = self.work.done
        while (part.left > 0 or not played) and not self.is_slow and played < most:
            each = (self.work.done - begun) / played if played else units
            many = max(1, min(2 * played, _MOST_AT_ONCE, most - played, int(part.left / each)))
            numbers = [next(self._numbers) for _ in range(many)]
            games = watch.play(self.begin, numbers, MOST_PLIES, part=None if played else first)
            for game in games:
                self._note_whole(watch, game)
            if not played and all(game.is_cut for game in games):
                return False
            played += many
        watch.include(self.coverage, self.seen)
        return True

    def play_unwatched(self, units: float, most_units: float = 0.0) -> None:
        """Play games for how they end alone, where few were watched: that is less work by far.

        They may be some units of work, or more where that is enough for as many as are wanted. The
        last moves of games whose end is new are watched, too.
        """
        most = int(_FEWEST_WHOLE * self.work.effort.times)
        wanted = most - self.seen.statistics.playouts
        native = self.native if wanted > 0 else None
        if native is None:
            return
        needed = wanted * native.units_of_game(self.seen.statistics.mean_length)
        if self.seen.statistics.playouts < _FEW_WATCHED:
            least = _LEAST_OF_WHOLE * self.work.effort.play
            units = max(units, least, _SHARE_IF_FEW * most_units)
        part = self.work.part(most_units if units < needed <= most_units else units)
        native.make_well_for(min(needed, part.left))
        new: dict[Span, tuple[int, Playout]] = {}
        while part.left > 0 and self.seen.statistics.playouts < most:
            number = next(self._unwatched_numbers)
            whole = self._whole(native, number)
            if whole is None:
                break
            span = None if whole.outcome is None else whole.outcome.span
            if span is not None and whole.moves and not self.coverage.endings[span]:
                new.setdefault(span, (number, whole))
        for span, (number, whole) in new.items():
            before = native.state_at(self.begin, Moment(number, whole.moves - 1))
            if self.watching is not None:
                numbers = [next(self._numbers) for _ in range(_LAST_MOVES_WATCHED)]
                self.watch_from(self.watching, before, numbers, 1)
            if not self.coverage.endings[span]:
                moves_between(self.rules, [before, whole.state], self.work.count_listed)

    def watch_from(
        self, watch: NativeWatch, state: State, numbers: Sequence[int], plies: int
    ) -> None:
        """Watch games from a state on; what held in them is counted, and no more is taken down."""
        watch.play(state, numbers, plies)
        sides, found = self._game.sides, Coverage()
        aside = Seen(self.seen.combination, self._game, Statistics(sides, len(sides)))
        watch.include(found, aside)
        self.coverage.add_results(found)

    def _whole(self, native: CountedNative, number: int) -> Playout | None:
        """Play a game that nobody watches, and count how it ends; None where the rules fail."""
        try:
            whole = native.whole(self.begin, number, MOST_PLIES)
        except RuleError as error:
            self._failed(error.diagnostic, tuple(error.moves or ()))
            return None
        self.seen.unwatched += 1
        self._note_whole(native, WatchedGame(number, whole))
        return whole

    def _note_whole(self, player: NativePlayer, game: WatchedGame) -> None:
        """Take down how a native game has ended that was played by some code."""
        whole, number = game.playout, game.number
        if game.is_cut or game.is_left:
            return
        if game.has_failed:
            self._note_failure(player, game)
            return
        result = None if whole.outcome is None else whole.outcome.text
        self.seen.courses[number] = whole.moves, result
        self._note_end(whole)
        span = None if whole.outcome is None else whole.outcome.span
        if span is not None and whole.moves == 1:
            self._note_short(span, whole, lambda: player.way_to(self.begin, Moment(number, 1)))
        if whole.outcome is not None and whole.state.ended is None:
            self._note_stuck(player, game)
        unfinished = self.seen.statistics.unfinished
        if whole.outcome is None and unfinished <= _UNFINISHED_LOOKED_AT:
            self._look_for_standstill(player, game)

    def _note_stuck(self, player: NativePlayer, game: WatchedGame) -> None:
        """Take down where a side could not move, and, of some games, what was there before."""
        last, seen = game.playout.state, self.seen
        if self._phase_place:
            seen.ended_in.add(int(last.values[self._phase_place]))
        if game.playout.moves and len(seen.before_stuck) < _MOST_STUCK_KEPT:
            moment = Moment(game.number, game.playout.moves - 1)
            before = game.before or player.state_at(self.begin, moment)
            seen.before_stuck.append(
                (Kept(before, partial(player.way_to, self.begin, moment)), last)
            )

    def _note_end(self, whole: Playout) -> None:
        """Count a game that was played to its end, or for as long as any is."""
        self.seen.statistics.add(whole)
        if whole.outcome is not None:
            self.seen.lengths[whole.moves] += 1
            self.seen.ended_by[whole.outcome.span, whole.outcome.winners] += 1

    def _note_failure(self, player: NativePlayer, game: WatchedGame) -> None:
        """Take down how the rules fail in a game, if it is they that do."""
        moment = Moment(game.number, game.playout.moves)
        state = player.state_at(self.begin, moment)
        failure = failure_in_moves(self._unwatched, state)
        if failure is not None:
            self._failed(failure.diagnostic, player.way_to(self.begin, moment))

    def _note_short(self, span: Span, whole: Playout, way: Callable[[], tuple[str, ...]]) -> None:
        """Take down a game that is over after one move by a clause, and who won it."""
        short = self.seen.short.get(span)
        if short is None:
            short = self.seen.short[span] = Short(WitnessGame(self.seen.combination, way()))
        first = self._game.sides[int(self.begin.values[self._mover_place])]
        short.times += 1
        short.won += whole.outcome is not None and first in whole.outcome.winners

    def _look_for_standstill(self, player: NativePlayer, game: WatchedGame) -> None:
        """Take down where a game came to nothing but passes, if it did, and no rule counts them."""
        if self.seen.standstill is not None or not may_stand_still(self._game, game.playout.state):
            return
        last = game.playout.state
        try:
            if not stands_still(self.rules, last, self._is_idle):
                return
        except RuleError:
            return

        def is_there(plies: int) -> bool:
            return self._is_idle(player.state_at(self.begin, Moment(game.number, plies)), last)

        # Where it stands still, it does so ever after.
        first = bisect_left(range(game.playout.moves), True, key=is_there)
        way = player.way_to(self.begin, Moment(game.number, first))
        self.seen.standstill = WitnessGame(self.seen.combination, way)

    def _show_nothing(self, watch: NativeWatch) -> None:
        """Find a move by which each statement does nothing that was seen to find no piece."""
        for span, times in self.seen.found_nothing.items():
            moment = self.seen.first["nothing", span]
            state = watch.state_at(self.begin, moment)
            with suppress(RuleError):
                for move in self.rules.legal(state):
                    self.watch.idle.clear()
                    self.rules.apply(state, move)
                    if span in self.watch.idle:
                        way = (*watch.way_to(self.begin, moment), move.text)
                        witness = WitnessGame(self.seen.combination, way)
                        before = self.seen.nothing.get(span, (0, move.text, witness))
                        self.seen.nothing[span] = before[0] + times, *before[1:]
                        break

    @property
    def is_begun(self) -> bool:
        """Whether the game can begin at all, and was played."""
        return self._start is not None

    @property
    def begin(self) -> State:
        """The state that games begin with."""
        assert self._start is not None
        return self._start

    def _note_entered(self, before: State, after: State) -> None:
        """Take down the sites to which a piece came between two states, or on the way."""
        self.seen.entered |= self.watch.entered
        for _, place in self._layers:
            self.seen.entered |= int(after.values[place]) & ~int(before.values[place])

    # -------------------------------------------------------------------- positions

    def jump(self, units: float, is_enough: Callable[[], bool], *, is_watched: bool) -> None:
        """Look at positions of native random games: one of each, and the last but one.

        Unless each `is_watched`, they are played by code that nobody watches: that is less work.
        """
        watch, part = self.watching, self.work.part(units)
        native = None if is_watched else self.native
        if watch is None or self.has_no_native:
            return
        while part.left > self.a_look and not is_enough() and not self.is_slow:
            statistics = self.seen.statistics
            usual = statistics.moves // max(1, statistics.playouts)
            stop = self._random.randrange(min(usual, MOST_PLIES) + 1)
            kept = list(
                self._kept_of(native, stop) if native else self._kept_of_watched(watch, stop)
            )
            if not kept:
                break
            for one in kept:
                if one.state.ended is None and part.left > self.a_look:
                    self.look(one.state, one.way)
        if is_watched:
            watch.include(self.coverage, self.seen)
        self._show_nothing(watch)

    def _kept_of_watched(self, watch: NativeWatch, stop: int) -> Iterator[Kept]:
        """Watch a game; yield the position after so many moves, and that before the last."""
        for game in watch.play(self.begin, [next(self._numbers)], MOST_PLIES, stop):
            self._note_whole(watch, game)
            for depth, state in game.kept:
                moment = Moment(game.number, depth)
                yield Kept(state, partial(watch.way_to, self.begin, moment))

    def _kept_of(self, native: CountedNative, stop: int) -> Iterator[Kept]:
        """Play a game; yield the position after so many moves, and that before the last."""
        number = next(self._unwatched_numbers)
        whole = self._whole(native, number)
        plies = 0 if whole is None else whole.moves
        for depth in dict.fromkeys((min(stop, plies - 1), plies - 1)) if plies else ():
            moment = Moment(number, depth)
            state = native.state_at(self.begin, moment)
            yield Kept(state, partial(native.way_to, self.begin, moment))

    def _walk(self, units: float, is_enough: Callable[[], bool]) -> None:
        """Play random games by the reference, and look at each position of them."""
        part = self.work.part(units)
        while part.left > self.a_look and not is_enough() and not self.is_slow:
            state, moves = self.begin, list[str]()
            self.work.count(A_GAME)
            while part.left > 0 and len(moves) < MOST_PLIES:
                following = self.look(state, partial(tuple, tuple(moves)))
                if not following:
                    break
                move, state = self._random.choice(following)
                moves.append(move.text)
            else:
                if len(moves) == MOST_PLIES:
                    self.seen.statistics.add(Playout(MOST_PLIES, None, state))
                continue
            self._ended(state, tuple(moves))

    def _ended(self, state: State, moves: tuple[str, ...]) -> None:
        """Count a game of the reference that has come to its end."""
        try:
            outcome = self.rules.outcome(state)
        except RuleError:
            return
        if outcome is not None:
            whole = Playout(len(moves), outcome, state)
            self._note_end(whole)
            if len(moves) == 1 and outcome.span is not None:
                self._note_short(outcome.span, whole, lambda: moves)

    def look(self, state: State, way: Callable[[], tuple[str, ...]]) -> list[tuple[Move, State]]:
        """Look at a position, and make some of its moves; return them, and where each leads.

        `way` gives the moves that lead there. A move by which something happened for the first time
        comes first.
        """
        seen = self.seen
        seen.positions += 1
        self._looked += 1
        seen.movers.add(int(state.values[self._mover_place]))
        if self._phase_place is not None:
            phase = int(state.values[self._phase_place])
            seen.phases.add(phase)
            seen.in_phase[phase] += 1
        self._note_occupied(state)
        if self._has_heights:
            self._note_heights(state, way)
        self._keep(Kept(state, way))
        self._note_notices(state)
        try:
            legal = self.rules.legal(state)
            self._note_apart(way)
            self._listed += len(legal) * (1 + len(legal[-1].decisions)) if legal else 0
            if not legal:
                if state.ended is None:
                    self._note_ways(state, 0)
                self.rules.outcome(state)
                if self._phase_place is not None:
                    seen.ended_in.add(int(state.values[self._phase_place]))
                return []
        except RuleError as error:
            self._note_apart(way)
            self._failed(error.diagnostic, way())
            return []
        seen.most_moves = max(seen.most_moves, len(legal))
        self._note_ways(state, 0 if legal[0] == FORCED_PASS else len(legal))
        seen.staying.note(state, legal)
        if seen.same_text is None and (text := read_alike(legal)) is not None:
            seen.same_text = text, WitnessGame(seen.combination, way())
        is_small = self._looked <= _ORDERS_LOOKED_AT and len(legal) <= _MOST_ORDERED
        if seen.other_order is None and is_small:
            told = in_two_orders(self.rules, state, legal)
            if told is not None:
                seen.other_order = told, WitnessGame(seen.combination, way())
        found: list[tuple[Move, State]] = []
        took = [0, 0]
        tried = (
            legal
            if len(legal) <= _MOVES_A_POSITION
            else self._random.sample(legal, _MOVES_A_POSITION)
        )
        met = self.coverage.met
        for move in tried:
            before, taken = met, seen.lost[1]
            after = self.made(state, move, way)
            met = self.coverage.met
            took[seen.lost[1] > taken] += after is not None
            if after is not None:
                found.insert(0 if met > before else len(found), (move, after))
            elif self.is_slow:
                return []
        if self._must_take and all(took):
            times, witness = seen.spared
            seen.spared = times + 1, witness or WitnessGame(seen.combination, way())
        return found

    def _note_ways(self, state: State, ways: int) -> None:
        """Take down how many legal moves there were, and who had none."""
        self.seen.ways[min(ways, 2)] += 1
        if not ways:
            self.seen.stuck[int(state.values[self._mover_place])] += 1

    def _keep(self, kept: Kept) -> None:
        """Keep a position, instead of another one if there are many: but for the first."""
        if len(self.seen.kept) < _MOST_KEPT:
            self.seen.kept.append(kept)
        elif 0 < (place := self._drawing.randrange(self._looked)) < _MOST_KEPT:
            self.seen.kept[place] = kept

    def made(self, state: State, move: Move, way: Callable[[], tuple[str, ...]]) -> State | None:
        """Make a move, and take down what it does; return where it leads, None where it fails.

        `way` gives the moves that lead to the state before.
        """
        seen = self.seen
        self.watch.idle.clear()
        changes = self.watch.changes
        try:
            after = self.rules.apply(state, move)
        except RuleError as error:
            self._failed(error.diagnostic, way())
            return None
        seen.moves += 1
        self.work.count(_A_LAYER_COMPARED * len(self._layers))
        self._note_entered(state, after)
        taken = seen.lost[1]
        self._note_lost(state, move, after)
        if self._quiet is not None and seen.lost[1] > taken:
            self._note_counting(state, move, after, self._quiet, way)
        if after.ended is not None and after.ended.span is not None:
            span, moves = after.ended.span, lambda: (*way(), move.text)
            note_goal(seen, self._unwatched, state, span, moves)
        seen.lasting.note(after.values)
        movers = int(state.values[self._mover_place]), int(after.values[self._mover_place])
        seen.again[movers] += 1
        for span in self.watch.idle:
            times, text, witness = seen.nothing.get(span) or (
                0,
                move.text,
                WitnessGame(seen.combination, (*way(), move.text)),
            )
            seen.nothing[span] = times + 1, text, witness
        if self._phase_place is not None:
            phase = int(state.values[self._phase_place])
            if after.ended is not None:
                seen.ended_in.add(phase)
            if after.values[self._phase_place] != phase:
                seen.left.add(phase)
        is_idle, form = self._is_idle(state, after), self._form(move)
        seen.passes += is_idle
        if is_idle and _SITE in form:
            key = form if self.watch.changes > changes else None
            times, text, witness = seen.idle.get(key) or (
                0,
                move.text,
                WitnessGame(seen.combination, way()),
            )
            seen.idle[key] = times + 1, text, witness
        elif not is_idle and after.ended is None:
            seen.forms.add(form)
        return after

    def _note_notices(self, state: State) -> None:
        """Take note of the notices that hold, unless they have before; of a game that goes on."""
        if state.ended is not None:
            return
        self.seen.looked_for_notices += 1
        for notice in self.seen.game.looks.notices:
            if notice.span not in self.seen.noticed:
                with suppress(RuleError):
                    if self._unwatched.value(state, notice.condition):
                        self.seen.noticed.add(notice.span)

    def _note_heights(self, state: State, way: Callable[[], tuple[str, ...]]) -> None:
        """Take down how high piles are."""
        piles = self._game.piles
        assert piles is not None, "a text speaks of piles only if there are some"
        values = dict(zip(self._game.program.state, state.values, strict=True))
        for layer, place in self._layers:
            for site in bits(int(state.values[place])):
                height = len(piles.pile(values, site, layer.slot))
                self.seen.heights[height] += 1
                if height > self.seen.highest[0]:
                    self.seen.highest = height, WitnessGame(self.seen.combination, way())

    def _note_counting(
        self, state: State, move: Move, after: State, place: int, way: Callable[[], tuple[str, ...]]
    ) -> None:
        """Take down that a move took something, and a counter of moves without that went on."""
        before = int(state.values[place])
        if not 0 < before <= int(after.values[place]):
            return
        times, spans, witness = self.seen.counted_on
        if witness is None:
            known = self._losses_of_others()
            self.rules.apply(state, move)
            now = self._losses_of_others()
            spans = tuple(span for span, times in now.items() if times > known[span])
            witness = WitnessGame(self.seen.combination, (*way(), move.text))
        self.seen.counted_on = times + 1, spans, witness

    def _losses_of_others(self) -> Counter[Span]:
        """Return how often each statement took pieces of other sides."""
        return Counter(
            {
                span: sum(
                    n for key, n in changes.items() if key.whose == "other" and key.what == "lost"
                )
                for span, changes in self.coverage.layers.items()
            }
        )

    def _note_occupied(self, state: State) -> None:
        """Take down where pieces of each kind and side stand."""
        occupied = self.seen.occupied
        for number, (_, place) in enumerate(self._layers):
            occupied[number] = occupied.get(number, 0) | int(state.values[place])

    def _note_lost(self, before: State, move: Move, after: State) -> None:
        """Take down whose pieces became fewer, or are elsewhere, and which kinds have moved."""
        seen, mover = self.seen, int(before.values[self._mover_place])
        fewer, touched, moved, stood = [0, 0], [False, False], list[int](), [0, 0]
        less: list[tuple[int, str]] = []
        for layer, place in self._layers:
            if layer.side is None:
                continue
            one, other = int(before.values[place]), int(after.values[place])
            whose = layer.side != mover
            if other.bit_count() < one.bit_count():
                less.append((layer.kind, "other" if whose else "own"))
            fewer[whose] += one.bit_count() - other.bit_count()
            touched[whose] |= one != other
            if not whose:
                stood = [stood[0] | one, stood[1] | other]
                if one & ~other and other & ~one:
                    moved.append(layer.kind)
        for number in (0, 1):
            seen.lost[number] += fewer[number] > 0
            seen.touched[number] += touched[number]
        for kind in moved:
            seen.moved[kind] += 1
            if fewer[1] > 0:
                seen.taking[kind] += 1
        for kind, whose_piece in less:
            seen.taken[moved[-1] if moved else None, kind, whose_piece] += 1
        if fewer[0] == 1 and not touched[1]:
            named = {self._game.board.index(word) for word in _WORD.findall(move.text)}
            sites = sum(1 << index for index in named if index is not None)
            left, kept = stood[0] & ~stood[1], stood[0] & stood[1]
            seen.own_taken += bool(left & sites and kept & sites)

    def _is_idle(self, before: State, after: State) -> bool:
        """Return whether nothing but the course of the game has changed."""
        program = self._game.program
        system = program.system
        counters = {
            system.mover,
            system.turns,
            system.passes,
            *(m.slot for m in program.memories),
        }
        return after.ended is None and all(
            one == other
            for slot, one, other in zip(program.state, before.values, after.values, strict=True)
            if slot not in counters
        )

    def _form(self, move: Move) -> str:
        """Return the text of a move with a sign for each of its sites."""
        index = self._game.board.index
        return _WORD.sub(lambda word: word[0] if index(word[0]) is None else _SITE, move.text)

    def _note_apart(self, way: Callable[[], tuple[str, ...]]) -> None:
        """Take down two sites that were just met, of which one order alone can be chosen."""
        if self.seen.apart is None and self.watch.apart is not None:
            names = [self._game.board.sites[index].name for index in self.watch.apart]
            self.seen.apart = " and ".join(names), WitnessGame(self.seen.combination, way())

    # -------------------------------------------------------------------- witnesses

    def shorten(self, part: Part) -> None:
        """Make the games shorter that lead to errors of the rules, as long as work is left."""
        for problem, witness in list(self.seen.failures.items()):
            if not is_about_work(problem):
                shown = partial(_failing, self._unwatched, problem)
                moves = made_shorter(witness.moves, shorter, shown, nullcontext(part))
                self.seen.failures[problem] = WitnessGame(self.seen.combination, moves)

    def _failed(self, diagnostic: Diagnostic, moves: tuple[str, ...]) -> None:
        """Keep the shortest game that leads to an error of the rules."""
        if is_about_work(diagnostic) and diagnostic in self.seen.failures:
            return
        known = self.seen.failures.get(diagnostic)
        if known is None or len(moves) < len(known.moves):
            self.seen.failures[diagnostic] = WitnessGame(self.seen.combination, moves)


# ----------------------------------------------------- a game in which the rules fail, made shorter

_MOST_TRIED = 40
"""Moves of the last position that are made to see the error."""


def _failing(
    rules: Evaluator, problem: Diagnostic, moves: tuple[str, ...]
) -> tuple[str, ...] | None:
    """Return the moves if they can be played, and the rules fail then as they are said to."""
    try:
        state = _played(rules, moves)
    except RuleError:
        return None
    if state is None:
        return None
    try:
        legal = rules.legal(state)
        if not legal:
            rules.outcome(state)
        for move in legal[:_MOST_TRIED]:
            rules.apply(state, move)
    except RuleError as error:
        found = error.diagnostic
        if (found.code, found.span) == (problem.code, problem.span):
            return moves
    return None


def _played(rules: Evaluator, moves: tuple[str, ...]) -> State | None:
    """Return the state after moves; None if one of them is not legal."""
    state = rules.start()
    for text in moves:
        move = next((one for one in rules.legal(state) if one.text == text), None)
        if move is None:
            return None
        state = rules.apply(state, move)
    return state
