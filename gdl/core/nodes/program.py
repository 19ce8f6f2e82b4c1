"""The program of a game: turns, phases, how it ends, and what a position is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from gdl.core.nodes.expressions import Expression, Origin, Slot
from gdl.core.nodes.statements import Block
from gdl.data_classes import dataclass
from gdl.diagnostic import Span


@dataclass(frozen=True)
class Ending:
    """A clause that may end the game: `condition`, and the result for each side.

    `kind` is `wins` (the `sides` win), `loses` (all others win), `draw`, `passes`, or
    `highest`/`lowest`, where `values` has an expression a side, and the one side whose value is the
    greatest or least wins (loses, if `sides` is empty and `inverted`); if several share it, the
    clause does not hold, or holds for all of them if it `is_shared`. `payoffs` has what the game is
    worth to each side then; empty where the rules don't say. The phase with the number `phase`
    begins with a side that passes. An ending that `yields` doesn't hold where the side on turn
    afterwards has no legal move and a clause of `stuck` ends the game for that. `number`, from 1,
    tells an ending from all others of its game; passes that change an ending keep it (by
    `dataclasses.replace`).
    """

    kind: str
    sides: tuple[int, ...]
    condition: Expression
    values: tuple[Expression, ...] = ()
    inverted: bool = False
    is_shared: bool = False
    payoffs: tuple[Expression, ...] = ()
    phase: int | None = None
    yields: bool = False
    number: int = field(default=0, compare=False, repr=False)
    span: Span | None = field(default=None, compare=False, repr=False)
    origin: Origin | None = field(default=None, compare=False, repr=False)
    says: str = field(default="", compare=False, repr=False)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """All its expressions: the condition first."""
        return (self.condition, *self.values, *self.payoffs)


@dataclass(frozen=True)
class Turn:
    """What one side does in one phase: its program, its `stuck` clauses, its endings.

    The endings are those tried after a move of this side.
    """

    program: Block
    stuck: tuple[Ending, ...]
    endings: tuple[Ending, ...]

    @property
    def clauses(self) -> tuple[Ending, ...]:
        """All its clauses: the endings first."""
        return (*self.endings, *self.stuck)


@dataclass(frozen=True)
class Phase:
    """A phase: a turn for each side, and the seat (0-based) that all turns belong to, if one.

    `by_chance` turns belong to nobody.
    """

    name: str
    turns: tuple[Turn, ...]
    seat: int | None = None
    by_chance: bool = False
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Memory:
    """A multiset of keys of earlier positions, kept in `slot` because the rules ask for it."""

    slot: Slot
    key: tuple[Expression, ...]
    span: Span | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class SystemSlots:
    """The slots that the course of the game is kept in.

    `mover` is the side on turn; `following` a local: the side that is to be on turn next
    (-1: the next in order); `phase`; `seats` has the seat of each side; `turns` and `passes`
    count, if the rules ask for them; `best` is the local that `keep` fills.
    """

    mover: Slot
    following: Slot
    phase: Slot | None
    seats: tuple[Slot, ...]
    turns: Slot | None
    passes: Slot | None
    best: Slot | None


@dataclass(frozen=True)
class Program:
    """The rules of a game, as both evaluators read them.

    `state` are the slots of a position, in the order in which it is kept; `initial` their
    values. The `layers` among them are sets of pieces: no two have a site in common. In
    `teams`, each side has those that win and lose with it, itself among them; it is empty where
    each plays alone.
    """

    state: tuple[Slot, ...]
    initial: tuple[object, ...]
    system: SystemSlots
    phases: tuple[Phase, ...]
    memories: tuple[Memory, ...]
    layers: tuple[Slot, ...] = ()
    teams: tuple[tuple[int, ...], ...] = ()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """The turns of all phases: those of each in the order of the sides."""
        return tuple(turn for phase in self.phases for turn in phase.turns)

    @property
    def has_chance(self) -> bool:
        """Whether chance decides in one of the phases."""
        return any(phase.by_chance for phase in self.phases)

    def together(self, sides: Iterable[int]) -> tuple[int, ...]:
        """Return sides with all that are in a team with one of them, in order."""
        if not self.teams:
            return tuple(sorted(set(sides)))
        return tuple(sorted({one for side in sides for one in self.teams[side]}))

    @property
    def lasting_slots(self) -> frozenset[Slot]:
        """The slots that are read when a turn is over: the position's, and what is said to its end.

        All others are variables of a turn.
        """
        said = (self.system.following, self.system.best)
        return frozenset(self.state).union(slot for slot in said if slot is not None)

    @property
    def has_payoffs(self) -> bool:
        """Whether the rules say what a game is worth beside who wins it."""
        return any(ending.payoffs for turn in self.turns for ending in turn.clauses)
