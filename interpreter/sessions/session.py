"""A game in progress: its positions and moves, going back and forth, resigning, keeping.

In: a start, and moves. Out: the position now, and the record of the game up to there. What then
holds: a move that was made is never lost: who goes back and makes another one begins a variation,
and can go to the first one again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property

from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position, plies
from gdl.interpreter.positions.position_text import mover_does
from gdl.interpreter.sessions.clock import Clock, TimeControl
from gdl.interpreter.sessions.judging import given_up, result_read
from gdl.interpreter.sessions.notation import spelled
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import Replay

_MOST_VARIATIONS = 100


@dataclass(eq=False)
class _Ply:
    """A position of the game: the move that leads there, and what was played from there.

    `last` is the one of `then` that was looked at last; `resigned` how the game has ended here,
    if a side has given up; `withdrawn` how it had ended, if that was taken back; `remark` what a
    record says here.
    """

    position: Position
    before: _Ply | None = None
    move: Move | None = None
    then: list[_Ply] = field(default_factory=list)
    last: _Ply | None = None
    remark: str = ""
    resigned: Outcome | None = None
    withdrawn: Outcome | None = None

    @cached_property
    def text(self) -> str:
        """What means the move alone where it was made; empty at the start."""
        if self.before is None or self.move is None:
            return ""
        return spelled(self.move, self.before.position)

    @property
    def goes_on(self) -> bool:
        """Whether a seat has moved after this move, not only chance."""
        open_plies = [self]
        while open_plies:
            ply = open_plies.pop()
            if ply.then and ply.position.seat is not None:
                return True
            open_plies += ply.then
        return False

    def path(self) -> list[_Ply]:
        """Return the plies that lead here, without the start."""
        found, ply = [], self
        while ply.before is not None:
            found.append(ply)
            ply = ply.before
        return found[::-1]

    def plies_to_redo(self) -> list[_Ply]:
        """Return the plies of the line that follow."""
        found, ply = [], self.last
        while ply is not None:
            found.append(ply)
            ply = ply.last
        return found


class Session:
    """A game that is being played."""

    def __init__(
        self,
        played: Replay,
        seed: int | None = None,
        seats: Mapping[int, str] | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Go on where `played` has come to; `seed` and who sits at `seats` are kept in the record.

        So is the digest of the rules that the game was begun with, even if these are others now,
        and that a side has given up. A `clock`, by default that of the course's record, stands
        still until `run_clock`.
        """
        kept = played.record
        self._digest = "" if kept is None or kept.is_signed else kept.digest
        self.seed = seed
        self.seats = dict(seats or {})
        self.clock = clock or _kept_clock(played.record)
        self._start = self._now = _Ply(played.positions[0])
        main = tuple(zip(played.moves, played.positions[1:], strict=True))
        asides = played.asides or ({},) * len(played.variations)
        lines, remarks = (*played.variations, main), (*asides, played.remarks)
        for line, told in zip(lines, remarks, strict=True):
            self._now = self._start
            for number, (move, position) in enumerate(line):
                self._now.remark = told.get(number, self._now.remark)
                self._follow(move, position)
            self._now.remark = told.get(len(line), self._now.remark)
        if played.record is not None:
            self._now.resigned = result_read(self.position, played.record.result)

    def again(self, seats: Mapping[int, str], seed: int) -> Session:
        """Return a new game that begins as this one did, with its clock wound up."""
        clock = None if self.clock is None else Clock(self.clock.control)
        return Session(Replay((self.start,), ()), seed, seats, clock)

    @property
    def start(self) -> Position:
        """The position that the game began with."""
        return self._start.position

    @property
    def position(self) -> Position:
        """The position now."""
        return self._now.position

    @property
    def positions(self) -> Sequence[Position]:
        """The positions so far, from the first to that now."""
        return (self.start, *(ply.position for ply in self._now.path()))

    @property
    def remark(self) -> str:
        """What the record that this was read from says of the position now."""
        return self._now.remark

    @property
    def moves(self) -> Sequence[Move]:
        """The moves that were made up to now."""
        return tuple(ply.move for ply in self._now.path() if ply.move is not None)

    @property
    def later(self) -> Sequence[Move]:
        """The moves that were made from here on, and gone back from."""
        return tuple(ply.move for ply in self._now.plies_to_redo() if ply.move is not None)

    @property
    def line(self) -> Sequence[tuple[str, Move]]:
        """All moves of the line, those that were gone back from as well, and who made each."""
        plies = [*self._now.path(), *self._now.plies_to_redo()]
        return tuple(
            (ply.before.position.mover, ply.move)
            for ply in plies
            if ply.before is not None and ply.move is not None
        )

    @property
    def line_positions(self) -> Sequence[Position]:
        """All positions of the line, from the first to the last."""
        return (
            self.start,
            *(ply.position for ply in (*self._now.path(), *self._now.plies_to_redo())),
        )

    @property
    def plies(self) -> Sequence[int]:
        """How many moves sides have made before each position of the line."""
        return plies(self.line_positions)

    @property
    def ply(self) -> int:
        """How many moves sides have made before the position now."""
        return self.plies[len(self.moves)]

    @property
    def variations(self) -> Sequence[Move]:
        """The moves that were made here, each of them the beginning of a line of its own."""
        return tuple(ply.move for ply in self._now.then if ply.move is not None)

    @property
    def branches(self) -> Iterator[tuple[int, Move]]:
        """The moves that were made instead of those of the line, each with how many come before.

        One that was taken back before anybody moved after it is none of them.
        """
        own = [*self._now.path(), *self._now.plies_to_redo()]
        for number, (before, ply) in enumerate(zip((self._start, *own), (*own, None), strict=True)):
            for other in before.then:
                if other is not ply and other.move is not None and other.goes_on:
                    yield number, other.move

    def vary(self) -> bool:
        """Go to the next move that was made instead of the last; return whether there is one."""
        before = self._now.before
        if before is None or len(before.then) < 2:
            return False
        place = before.then.index(self._now) + 1
        self._now = before.last = before.then[place % len(before.then)]
        return True

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended, also by resigning; None if it goes on."""
        return self._now.resigned or self.position.outcome

    def play(self, move: Move) -> None:
        """Make a legal move; one that was made here before leads into its line again."""
        self._now.resigned = self._now.withdrawn = None
        if self.clock is not None:
            self.clock.moved(self.position.seat)
        self._follow(move, None)

    def _follow(self, move: Move, position: Position | None) -> None:
        """Go to where a move leads, which is `position` if that is known."""
        ply = next((ply for ply in self._now.then if ply.move == move), None)
        if ply is None:
            ply = _Ply(position or self.position.play(move), self._now, move)
            self._now.then.append(ply)
        self._now.last = ply
        self._now = ply

    def go_to(self, number: int) -> None:
        """Go to the position after so many moves of the line, or as near to it as there is one."""
        line = [self._start, *self._now.path(), *self._now.plies_to_redo()]
        self._now = line[max(0, min(number, len(line) - 1))]

    def take_back(self, seats: frozenset[int]) -> int:
        """Go back to the last position but this in which one of the seats was on turn.

        Returns the number of moves of sides taken back: 0 if there is no such position.
        """
        number = 0
        for ply in reversed(self._now.path()):
            before = ply.before
            number += before is not None and before.position.seat is not None
            if before is not None and before.position.seat in seats:
                self._now = before
                return number
        return 0

    def forget_last(self) -> None:
        """Take the last move back for good, as if it had never been made."""
        before = self._now.before
        if before is not None:
            before.then.remove(self._now)
            before.last, self._now = None, before

    def redo(self, seats: frozenset[int]) -> int:
        """Go forward to the next position in which one of the seats is on turn, or to the last.

        Returns the number of moves of sides made again: 0 if none was taken back, or the game is
        given up; 1 if there were those of chance alone.
        """
        number, is_made = 0, False
        while self._now.resigned is None and self._now.last is not None:
            number, is_made = number + (self.position.seat is not None), True
            self._now = self._now.last
            if self.position.seat in seats:
                break
        return number or int(is_made)

    def resign(self) -> Outcome:
        """End the game: the side on turn gives up, and all the others win."""
        resigned = given_up(self.position, self._seat_giving_up)
        self._now.resigned, self._now.withdrawn = resigned, None
        return resigned

    def withdraw(self) -> bool:
        """Go on with a game that was given up; return whether it was, by will and not by time."""
        if not self.is_given_up:
            return False
        self._now.resigned, self._now.withdrawn = None, self._now.resigned
        return True

    def resign_again(self) -> bool:
        """Give up as was taken back here; return whether that was so."""
        if self._now.withdrawn is None:
            return False
        self._now.resigned, self._now.withdrawn = self._now.withdrawn, None
        return True

    @property
    def is_given_up(self) -> bool:
        """Whether the game has ended since a side gave it up that still had time."""
        clock = self.clock
        return self._now.resigned is not None and (
            clock is None or clock.left(self._seat_giving_up) > 0
        )

    @property
    def ended_early(self) -> str:
        """How the game has ended where its rules have not ended it; empty if it has not."""
        outcome = self._now.resigned
        if outcome is None:
            return ""
        how = "was given up" if self.is_given_up else "was lost on time"
        return f"The game {how}: {outcome.text}."

    @property
    def _seat_giving_up(self) -> int:
        """The seat that gives up where one does: that of the side on turn."""
        return self.position.seat_of(self.position.mover)

    def run_clock(self) -> None:
        """Let the time of the seat on turn run, if there is a clock."""
        if self.clock is not None:
            self.clock.run(self.position.seat if self.outcome is None else None)

    def lose_on_time(self) -> str:
        """End the game if the time of the side on turn is up; return what is then told."""
        if self.clock is None or not self.clock.is_up or self.outcome is not None:
            return ""
        self.resign()
        self.run_clock()
        return f"{mover_does(self.position, 'has')} no time left."

    def record(self) -> Record:
        """Return the record of the game up to now."""
        outcome = self.outcome
        result = "" if outcome is None else outcome.text
        texts = [ply.text for ply in self._now.path()]
        record = Record.told(
            self.start,
            texts,
            seed=self.seed,
            result=result,
            seats=self.seats,
            variations=[[ply.text for ply in end.path()] for end in self._other_ends()],
        )
        if self.clock is not None:
            left = self.clock.all_left()
            record = replace(record, clock=self.clock.control.text, left=left)
        return record.with_digest(self._digest) if self._digest else record

    def _other_ends(self) -> Sequence[_Ply]:
        """Return the ends of all lines but that up to now; of very many, the newest."""
        ends, open_plies = [], [self._start]
        while open_plies:
            ply = open_plies.pop()
            open_plies += reversed(ply.then)
            if not ply.then and ply is not self._now:
                ends.append(ply)
        return ends[-_MOST_VARIATIONS:]


def _kept_clock(record: Record | None) -> Clock | None:
    control = None if record is None else TimeControl.of(record.clock)
    return None if control is None or record is None else Clock(control, record.left)
