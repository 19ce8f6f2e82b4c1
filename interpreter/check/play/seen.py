"""What was seen of one combination of variants and options, while it was played.

In: what happens in games. Out: counts, and the games that show what happened.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import field
from typing import Any

from gdl.board.relation import bits, site_set
from gdl.codes import Code
from gdl.core.nodes import Assign, AssignAt, Get, GetAt, Slot
from gdl.core.walk import program_statements
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span
from gdl.interpreter.check.coverage import Coverage
from gdl.interpreter.check.finding import WitnessGame
from gdl.interpreter.check.places import key_or_file_span, note, word_in
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.evaluation.playout import Statistics
from gdl.interpreter.native.runtime.watched import Moment
from gdl.interpreter.verify.combinations import Combination
from gdl.model import Game


@dataclass(frozen=True)
class Kept:
    """A position that was met; `way` finds the moves that lead there."""

    state: State
    way: Callable[[], tuple[str, ...]]


@dataclass
class Short:
    """Games that are over after one move: one of them, how many, and won by who made the move."""

    witness: WitnessGame
    times: int = 0
    won: int = 0


@dataclass
class Seen:
    """What was seen of one combination of variants and options.

    `statistics` count whole games, of which some were `unwatched`. `failures` have the shortest
    game to each error of the rules;
    `same_text` is a position in which two moves read the same. `idle` has how often moves left all
    as it was, a move, and the way there: of None those of which no statement changed anything, of a
    form those of which one took back what another did; `forms` are those of other moves. `apart` is
    a position with two sites that can be chosen in one order only; `short` games are over after one
    move, by a clause. `entered` are the sites that pieces came to. `in_phase` counts
    positions, `left` are the phases that moves led out of, `ended_in` those in which games ended.
    `lost` counts the moves after which the side that made them had fewer pieces, and those after
    which another side had; `touched` those after which pieces of the one, or of the other, were
    elsewhere than before; `moved` and `taking` those by which a kind of piece moved, and took one
    by it; `own_taken` those onto an own piece, which is gone then. `kept` are some of the
    positions, evenly drawn from all. `lasting` knows which variables turns leave changed,
    `staying` which pieces can't move; `nothing` has the statements that moved no piece, with how
    often, a move, and the way there.
    `other_order` has two moves of a position that differ in the order of their words alone.
    `courses` has, by the numbers of whole games, how many moves each had and how it ended.
    `noticed` are the conditions with captions that held in one of those that were
    `looked_for_notices`.
    `before_stuck` are some positions one move before a game ended because a side could not move,
    each with the state after. `standstill` is a game that came to where nobody can do anything but
    pass, for ever. Where the text says that who can take must, `spared` counts the positions with
    moves that take something and moves that don't, with a game. Where a caption says that moves
    without a capture are counted, `counted_on` counts those with one after which it was not less,
    with what took something in the first, and a game; where a text says how high piles may be,
    `heights` counts those of each height, of which the `highest` has a game. `held_before` counts
    how often a goal ended a game, and how often it had held before the last turn, with some of the
    states before it and what finds the moves; nothing more is counted once it had not.

    Of whole games, `lengths` counts those of each number of moves that came to an end, `ended_by`
    the clauses with who won by them. `ways` counts the positions with no legal move, one, several,
    `stuck` those without, by side; `passes` the moves that changed nothing but the course of the
    game; `again` who moved, and who was on turn next; `taken` the kind that moved (None: none did),
    the kind that became less, and whether it was of the own side or an `other`. `range` has the
    least and the greatest number in variables; `found_nothing` counts the statements that moved no
    piece. `first` has the moments at which something of this happened first, where native code
    watches.
    """

    combination: Combination
    game: Game
    statistics: Statistics
    failures: dict[Diagnostic, WitnessGame] = field(default_factory=dict)
    same_text: tuple[str, WitnessGame] | None = None
    idle: dict[str | None, tuple[int, str, WitnessGame]] = field(default_factory=dict)
    forms: set[str] = field(default_factory=set)
    apart: tuple[str, WitnessGame] | None = None
    short: dict[Span, Short] = field(default_factory=dict)
    unwatched: int = 0
    positions: int = 0
    moves: int = 0
    most_moves: int = 0
    occupied: dict[int, int] = field(default_factory=dict)
    phases: set[int] = field(default_factory=set)
    movers: set[int] = field(default_factory=set)
    entered: int = 0
    in_phase: Counter[int] = field(default_factory=Counter)
    left: set[int] = field(default_factory=set)
    ended_in: set[int] = field(default_factory=set)
    lost: list[int] = field(default_factory=lambda: [0, 0])
    touched: list[int] = field(default_factory=lambda: [0, 0])
    moved: Counter[int] = field(default_factory=Counter)
    taking: Counter[int] = field(default_factory=Counter)
    own_taken: int = 0
    kept: list[Kept] = field(default_factory=list)
    noticed: set[Span] = field(default_factory=set)
    looked_for_notices: int = 0
    nothing: dict[Span, tuple[int, str, WitnessGame]] = field(default_factory=dict)
    other_order: tuple[str, WitnessGame] | None = None
    spared: tuple[int, WitnessGame | None] = 0, None
    heights: Counter[int] = field(default_factory=Counter)
    highest: tuple[int, WitnessGame | None] = 0, None
    counted_on: tuple[int, tuple[Span, ...], WitnessGame | None] = 0, (), None
    standstill: WitnessGame | None = None
    courses: dict[int, tuple[int, str | None]] = field(default_factory=dict)
    before_stuck: list[tuple[Kept, State]] = field(default_factory=list)
    held_before: dict[Span, tuple[int, int, list[Kept]]] = field(default_factory=dict)
    lengths: Counter[int] = field(default_factory=Counter)
    ended_by: Counter[tuple[Span | None, tuple[str, ...]]] = field(default_factory=Counter)
    ways: list[int] = field(default_factory=lambda: [0, 0, 0])
    stuck: Counter[int] = field(default_factory=Counter)
    passes: int = 0
    again: Counter[tuple[int, int]] = field(default_factory=Counter)
    taken: Counter[tuple[int | None, int, str]] = field(default_factory=Counter)
    range: dict[Slot, tuple[int, int]] = field(default_factory=dict)
    found_nothing: Counter[Span] = field(default_factory=Counter)
    first: dict[tuple[str, object], Moment] = field(default_factory=dict)
    lasting: Lasting = field(init=False)
    staying: Staying = field(init=False)

    def __post_init__(self) -> None:
        self.lasting = Lasting(self.game)
        self.staying = Staying(self.game)

    @property
    def watched(self) -> int:
        """How many whole games were watched."""
        return self.statistics.playouts - self.unwatched

    def ended_by_clause(self, span: Span) -> int:
        """Return how many whole games a clause ended."""
        return sum(times for (by, _), times in self.ended_by.items() if by == span)


# ------------------------------------ pieces that never move again once they stand on certain sites

_FEWEST_ON_A_SITE = 25
_FEWEST_STILL = 150
_MANY_MOVED = 1000
_MOST_NAMED = 6
_WORD = re.compile(r"\w+")


class Staying:
    """Counts, by layers of pieces and by sites, how often a piece could move, and could not."""

    def __init__(self, game: Game) -> None:
        self._game = game
        program = game.program
        places = {slot: place for place, slot in enumerate(program.state)}
        self._mover = places[program.system.mover]
        self._layers = [
            (number, layer.side, places[layer.slot]) for number, layer in enumerate(game.layers)
        ]
        self.still: Counter[tuple[int, int]] = Counter()
        self.movable: Counter[tuple[int, int]] = Counter()

    def note(self, state: State, legal: Sequence[Move]) -> None:
        """Look at a position; one in which no piece of the side on turn moves is left out."""
        board, mover = self._game.board, state.values[self._mover]
        words = {word for move in legal for word in _WORD.findall(move.text)}
        named = site_set(index for word in words if (index := board.index(word)) is not None)
        own = [
            (number, state.values[place]) for number, side, place in self._layers if side == mover
        ]
        if not any(sites & named for _, sites in own):
            return
        for number, sites in own:
            self.movable.update((number, index) for index in bits(sites & named))
            self.still.update((number, index) for index in bits(sites & ~named))

    def found(self, moved_kinds: Set[int]) -> Iterator[Diagnostic]:
        """Yield the kinds of pieces, of those that have moved, that some sites hold for good."""
        game = self._game
        for number, layer in enumerate(game.layers):
            if layer.kind not in moved_kinds:
                continue
            moved = sum(times for (which, _), times in self.movable.items() if which == number)
            held = {
                index: times
                for (which, index), times in self.still.items()
                if which == number
                and times >= _FEWEST_ON_A_SITE
                and not self.movable[number, index]
            }
            if moved < _MANY_MOVED or sum(held.values()) < _FEWEST_STILL:
                continue
            names = [game.board.sites[index].name for index in sorted(held)]
            where = ", ".join(names[:_MOST_NAMED]) + (" …" if len(names) > _MOST_NAMED else "")
            yield note(
                Code.NEVER_LEAVES,
                f"No {layer.name} ever had a move from {where}, where it stood in"
                f" {sum(held.values()):,} positions; elsewhere it had.",
                word_in(game, "pieces", game.kinds[layer.kind])
                or key_or_file_span(game, "pieces", "players"),
                "See whether it should become another kind there, or leave the board, or go back.",
            )


# --------------------- variables that never have another value between turns than where games begin

_FEWEST = 100
_MOST_VARIABLES_NAMED = 4


class Lasting:
    """The variables of a game that have had one value between turns alone: `constant`."""

    def __init__(self, game: Game) -> None:
        program = game.program
        variables = set(game.state_slots.values()) - set(game.marks) - _decided_together(game)
        self.variables = {slot for slot in program.state if slot in variables and slot.span}
        self._first = {
            slot: (place, value)
            for place, (slot, value) in enumerate(zip(program.state, program.initial, strict=True))
            if slot in self.variables
        }

    @property
    def constant(self) -> set[Slot]:
        """The variables that have not had another value."""
        return set(self._first)

    def differs(self, slot: Slot) -> None:
        """Learn that a variable had another value."""
        self._first.pop(slot, None)

    def note(self, values: Sequence[Any]) -> None:
        """Look at a position between turns."""
        for slot, (place, first) in tuple(self._first.items()):
            if values[place] != first:
                del self._first[slot]


def _decided_together(game: Game) -> set[Slot]:
    """Return the variables that get what sides have decided together: no `let` can do that.

    It is kept aside until then, in slots of the state that are no variables.
    """
    variables = set(game.state_slots.values())
    return {
        statement.slot
        for statement in program_statements(game.program)
        if game.undecided
        and isinstance(statement, Assign | AssignAt)
        and isinstance(statement.value, Get | GetAt)
        and statement.value.slot.is_state
        and statement.value.slot not in variables
    }


def never_lasting(
    all_lasting: Sequence[tuple[Game, Lasting]], coverage: Coverage
) -> Iterator[Diagnostic]:
    """Yield the variables that turns change, and that no turn leaves changed."""
    kept: dict[Span, bool] = {}
    places: dict[Span, dict[Span, None]] = defaultdict(dict)
    names: dict[Span, str] = {}
    for game, lasting in all_lasting:
        constant = lasting.constant
        for slot in lasting.variables:
            assert slot.span is not None
            kept[slot.span] = kept.get(slot.span, True) and slot in constant
            names[slot.span] = slot.name.partition("(")[0]
        for statement in program_statements(game.program):
            if isinstance(statement, Assign | AssignAt) and statement.slot in lasting.variables:
                assert statement.slot.span is not None
                if statement.span is not None:
                    places[statement.slot.span][statement.span] = None
    declared = {slot.span for slot in all_lasting[0][1].variables}
    for span, is_kept in kept.items():
        if span not in declared:
            continue  # a variant declares it anew, and what changed may be that of the game itself
        changed = sum(coverage.effects[place][1] for place in places[span])
        if is_kept and changed >= _FEWEST:
            yield note(
                Code.NEVER_LASTS,
                f"`{names[span]}` was changed {changed:,} times while turns were tried, and was the"
                " same after each that was played: another statement takes back what is set, or no"
                " move comes of it.",
                span,
                "See whether each statement that sets it stands under the condition that is meant,"
                " and a turn can go on from there; what is asked for within a turn alone is a"
                " `let`.",
                [("It is set here.", place) for place in [*places[span]][:_MOST_VARIABLES_NAMED]],
            )
