"""Games that native code plays and counts, told in the same words as what the reference watches.

In: a game, and the places of its conditions. Out: random games; their counts, added to a coverage
and to what was seen. What then holds: the counts are those of the reference's watch over the same
games (`tests/check/test_watched.py`), so that whoever reads them need not know who has watched.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from functools import partial
from typing import Any

from gdl.elaborate.names.origins import Origins
from gdl.interpreter.check.coverage import TAKING, Coverage, LayerChange, Stood, Whose
from gdl.interpreter.check.effort import Part, Work
from gdl.interpreter.check.places import moves_on_board, statements_by_place
from gdl.interpreter.check.play.seen import Seen
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.native.expressions.counting import LayerOfPieces, Watched
from gdl.interpreter.native.runtime.watched import Moment, WatchedGame, WatchedRules
from gdl.model import Game
from gdl.syntax import tree as t

TRIES = 3
_A_LINE_WRITTEN, _A_LINE_COMPILED = 4, 9
"""Units for a line of code."""
_A_GAME, _A_MOVE, _AN_INSTRUCTION = 60, 1, 0.0002
"""Units of a game that is watched, of each move of it, and of each instruction."""


def watched_of(game: Game, origins: Origins, coverage: Coverage) -> Watched:
    """Return what of a game is watched; `origins` knows where its conditions stand.

    Parts of joined sets are watched that have made no difference in the coverage.
    """
    written = statements_by_place(game)
    return Watched(
        game.program,
        origins,
        {
            layer.slot: LayerOfPieces(number, layer.kind, layer.side)
            for number, layer in enumerate(game.layers)
        },
        frozenset(span for span, node in written.items() if moves_on_board(node)),
        frozenset(span for span, node in written.items() if isinstance(node, TAKING)),
        frozenset(span for span, node in written.items() if isinstance(node, t.LetStatement)),
        frozenset(span for span, (_, told) in coverage.parts.items() if not told),
    )


class NativeWatch:
    """Plays random games of a seed by native code, and counts what happens in them."""

    def __init__(
        self, game: Game, origins: Origins, coverage: Coverage, work: Work, seed: int
    ) -> None:
        """Write the code. Raises Uncovered where there is no native code for a construct.

        It is made for what the coverage does not tell yet. In each position, some `tries` are made
        besides the move that is made.
        """
        self.rules = WatchedRules(game, watched_of(game, origins, coverage))
        self._game = game
        self._work = work
        self._seed = seed
        self.tries = TRIES
        self._instructions = 0
        self._known: dict[tuple[str, Hashable], tuple[int, ...]] = {}
        lines = self.rules.code.calls.text.count("\n")
        work.count(_A_LINE_WRITTEN * lines)
        self.units_of_compiling = _A_LINE_COMPILED * lines
        self.units_of_making = (_A_LINE_WRITTEN + _A_LINE_COMPILED) * lines
        self._is_compiled = False

    # ------------------------------------------------------------------------ games

    def compile(self) -> None:
        """Compile the code, if it isn't yet."""
        if not self._is_compiled:
            self._is_compiled = True
            self._work.count(self.units_of_compiling)
            self.rules.clear()

    def play(
        self,
        state: State,
        numbers: Sequence[int],
        max_plies: int,
        stop: int | None = None,
        part: Part | None = None,
    ) -> Sequence[WatchedGame]:
        """Play the games with these numbers from a state on; some states are kept with a `stop`.

        A game is left where the `part` of the work is done that it is for, and no other is begun.
        """
        self.compile()
        is_over = None if part is None else partial(self._is_over, part.left)
        games = self.rules.watch(
            state, numbers, self._seed, max_plies, tries=self.tries, stop=stop, is_over=is_over
        )
        self._count(len(games), sum(game.playout.moves for game in games))
        return games

    def _count(self, games: int, moves: int) -> None:
        """Count that so many games with so many moves were played, as work."""
        self._work.count(_A_GAME * games + _A_MOVE * moves + self._units_of_instructions)
        self._instructions = self.rules.work

    @property
    def instructions_a_way(self) -> float:
        """How many instructions there were for each move that was listed, on the average."""
        return self.rules.work / max(1, self.rules.listed)

    @property
    def _units_of_instructions(self) -> float:
        """How much work was done that is not counted yet."""
        return _AN_INSTRUCTION * (self.rules.work - self._instructions)

    def _is_over(self, units: float) -> bool:
        return self._units_of_instructions > units

    def state_at(self, state: State, moment: Moment) -> State:
        """Return the state at a moment of the games from a state on; what it meets is not told."""
        (game,) = self.rules.watch(state, [moment.number], self._seed, moment.ply, is_counted=False)
        self._count(1, moment.ply)
        return game.playout.state

    def way_to(self, state: State, moment: Moment) -> tuple[str, ...]:
        """Return the moves from a state on that lead to a moment of its games."""
        way = self.rules.kept_way(moment)
        if way is None:
            way = self.rules.way_to(state, moment, self._seed)
            self._count(1, moment.ply)
        return way

    # ----------------------------------------------------------------------- counts

    def include(self, coverage: Coverage, seen: Seen) -> None:
        """Add what was counted since this was asked last."""
        of_place: dict[str, Callable[[Any], list[int]]] = {
            "conditions": lambda span: coverage.conditions[span],
            "choices": lambda span: coverage.choices[span],
            "loops": lambda span: coverage.loops[span],
            "effects": lambda span: coverage.effects[span],
            "parts": lambda span: coverage.parts[span],
            "touched": lambda span: coverage.touched[span],
        }
        for what, where, counts, moments in self.rules.counts():
            known = self._known.get((what, where), (0,) * len(counts))
            if counts == known:
                continue
            self._known[what, where] = counts
            more = [now - before for now, before in zip(counts, known, strict=True)]
            span: Any = where
            if what in of_place:
                into = of_place[what](span)
                for place, number in enumerate(more):
                    into[place] += number
                    if number:
                        coverage.first.setdefault((what, span, place), moments[place])
            elif where is None:
                self._of_moves(what, more, moments, seen)
            else:
                self._of_statement(what, where, more, moments, coverage, seen)
        self._of_positions(seen)

    def _of_statement(
        self,
        what: str,
        where: Any,
        more: Sequence[int],
        moments: Sequence[Moment],
        coverage: Coverage,
        seen: Seen,
    ) -> None:
        layers, number = self._game.layers, more[0]
        if what == "endings":
            coverage.endings[where] += number
            coverage.first.setdefault((what, where, 0), moments[0])
        elif what == "named":
            named = coverage.named[where]
            named.times += sum(more)
            named.has_varied |= bool(more[1])
            named.value = 0
        elif what == "layers":
            span, layer, change = where
            for mine, times in enumerate(more):
                whose: Whose = "other"
                if layers[layer].side is None or mine:
                    whose = "none" if layers[layer].side is None else "own"
                key = LayerChange(layers[layer].kind, whose, change)
                if times:
                    coverage.layers[span][key] += times
                    coverage.first.setdefault((what, span, key), moments[mine])
        elif what == "chosen":
            for place, times in enumerate(more):
                mover, layer = divmod(place, len(layers) + 1)
                stood = Stood.of(layers[layer] if layer < len(layers) else None, mover)
                if times:
                    coverage.chosen[where][stood] += times
                    coverage.first.setdefault((what, where, stood), moments[place])
        elif what == "nothing":
            seen.found_nothing[where] += number
            seen.first.setdefault((what, where), moments[0])
        elif what == "differs":
            seen.lasting.differs(where)

    def _of_moves(
        self, what: str, more: Sequence[int], moments: Sequence[Moment], seen: Seen
    ) -> None:
        sides = len(self._game.sides)
        for place, times in enumerate(more):
            if not times:
                continue
            seen.first.setdefault((what, place), moments[place])
            phase, side = divmod(place, sides)
            match what:
                case "on turn":
                    seen.positions += times
                    seen.movers.add(side)
                    seen.phases.add(phase)
                    seen.in_phase[phase] += times
                case "ways":
                    seen.ways[place] += times
                case "stuck":
                    seen.stuck[side] += times
                case "ended":
                    seen.ended_in.add(phase)
                case "phases":
                    before, after = divmod(place, len(self._game.program.phases))
                    if before != after:
                        seen.left.add(before)
                case "next":
                    seen.moves += times
                    seen.again[phase, side] += times
                case "idle":
                    seen.passes += times
                case "lost":
                    seen.lost[place] += times
                case "touched pieces":
                    seen.touched[place] += times
                case "moved":
                    seen.moved[place] += times
                case "taking":
                    seen.taking[place] += times
                case "own taken":
                    seen.own_taken += times
                case "taken":
                    self._taken(place, len(more), times, seen)

    def _taken(self, place: int, size: int, times: int, seen: Seen) -> None:
        """Add that a kind took another: of kinds there are as many as make so many counts."""
        kinds = next(k for k in range(1, size + 1) if (k + 1) * k * 2 == size)
        pair, other = divmod(place, 2)
        moved, taken = divmod(pair, kinds)
        key = None if moved == kinds else moved, taken, "other" if other else "own"
        seen.taken[key] += times

    def _of_positions(self, seen: Seen) -> None:
        rules = self.rules
        seen.entered |= rules.entered
        seen.most_moves = max(seen.most_moves, rules.most_moves)
        for number, layer in enumerate(self._game.layers):
            seen.occupied[number] = seen.occupied.get(number, 0) | rules.occupied(layer.slot)
        for slot, (least, greatest) in rules.ranges().items():
            before = seen.range.get(slot, (least, greatest))
            seen.range[slot] = min(before[0], least), max(before[1], greatest)
