"""What was seen of one combination of variants and options, while it was played.

In: what happens in games. Out: counts, and the games that show what happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import field

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.finding import WitnessGame
from interpreter.check.play.lasting import Lasting
from interpreter.check.play.staying import Staying
from interpreter.evaluation.evaluator import State
from interpreter.evaluation.playout import Statistics
from interpreter.verify.combinations import Combination


@dataclass(frozen=True)
class Kept:
    """A position that was met; `way` finds the moves that lead there."""

    state: State
    way: Callable[[], tuple[str, ...]]


@dataclass
class Seen:
    """What was seen of one combination of variants and options.

    `statistics` count whole games. `failures` have the shortest game to each error of the rules;
    `same_text` is a position in which two moves read the same, `idle` one with a move that changes
    nothing, `apart` one with two sites that can be chosen in one order only; `short` games are over
    after one move, by a clause. `entered` are the sites that pieces came to. `in_phase` counts
    positions, `left` are the phases that moves led out of, `ended_in` those in which games ended.
    `lost` counts the moves after which the side that made them had fewer pieces, and those after
    which another side had; `touched` those after which pieces of the one, or of the other, were
    elsewhere than before; `moved` and `taking` those by which a kind of piece moved, and took one
    by it; `own_taken` those onto an own piece, which is gone then. `kept` are some of the
    positions, evenly drawn from all. `lasting` knows which variables turns leave changed,
    `staying` which pieces can't move; `nothing` has the statements that moved no piece, with how
    often, a move, and the way there.
    `other_order` has two moves of a position that differ in the order of their words alone.
    `standstill` is a game that came to where nobody can do anything but pass, for ever.
    Where the text says that who can take must, `spared` counts the positions with moves that take
    something and moves that don't, with a game. `held_before` counts how often a goal ended a game,
    and how often it had held before the last turn, with the moves of a game.
    """

    combination: Combination
    game: Game
    statistics: Statistics
    failures: dict[Diagnostic, WitnessGame] = field(default_factory=dict)
    same_text: tuple[str, WitnessGame] | None = None
    idle: tuple[str, WitnessGame] | None = None
    apart: tuple[str, WitnessGame] | None = None
    short: dict[Span, WitnessGame] = field(default_factory=dict)
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
    nothing: dict[Span, tuple[int, str, WitnessGame]] = field(default_factory=dict)
    other_order: tuple[str, WitnessGame] | None = None
    spared: tuple[int, WitnessGame | None] = 0, None
    standstill: WitnessGame | None = None
    held_before: dict[Span, tuple[int, int, tuple[str, ...]]] = field(default_factory=dict)
    lasting: Lasting = field(init=False)
    staying: Staying = field(init=False)

    def __post_init__(self) -> None:
        self.lasting = Lasting(self.game)
        self.staying = Staying(self.game)
