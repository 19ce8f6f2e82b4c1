"""A game solved by proof: what a seat can force is proven, without looking at all positions.

In: a subject, and how much memory there is. Out: the value of each position that is asked for. What
then holds: as in `proof`; where positions can come again, a value that can't be proven is not told.
"""

from __future__ import annotations

from gdl.interpreter.positions.position import Position
from gdl.interpreter.solve.clock import Clock, Progress
from gdl.interpreter.solve.proof import prove
from gdl.interpreter.solve.proof_table import (
    ABORTED,
    DN,
    DRAWS,
    NODES,
    PLIES,
    PN,
    REPEATED,
    STORED,
    WIDEN_AT,
    Proof,
    new_proof,
    recall,
    widened,
)
from gdl.interpreter.solve.subject import Subject, value_at_end
from gdl.interpreter.solve.tables import Head, Places, fill_proven, new_places
from gdl.interpreter.solve.workspace import DRAWN, LOST, WON


class Unsettled(Exception):
    """Neither side was proven to win, and positions came again: it may be a draw."""

    def __str__(self) -> str:
        return "No win can be proven, and positions come again: it may be a draw."


class ProofSearch:
    """Solves positions by proofs that one seat or the other can force a win."""

    name = "proof"

    def __init__(self, subject: Subject, memory: int) -> None:
        """Prepare; of `memory` bytes, nothing is taken before it is needed."""
        self.subject = subject
        self.bench = subject.bench
        self.symmetries = subject.symmetries
        self.proofs: dict[int, Proof] = {}
        self.memory = memory // 2

    @property
    def positions(self) -> int:
        """How many positions were gone on from."""
        return sum(int(proof.state[NODES]) for proof in self.proofs.values())

    # ------------------------------------------------------------------ what is known

    def look_up(self, position: Position) -> tuple[int, int] | None:
        """Return the value of a position for the first seat, and in how many plies at most.

        None if it is not known, or was forgotten.
        """
        if position.over:
            return value_at_end(position), 0
        lost = 0
        for goal, proof in self.proofs.items():
            self.subject.stand_at(position.state)
            if not self.subject.call(recall, proof, self.subject.seat.desk, self.bench):
                continue
            plies = int(proof.state[PLIES])
            if int(proof.state[PN]) == 0:
                return _won_by(goal), plies
            if int(proof.state[DN]) == 0:
                value = self._lost(proof)
                if value is not None:
                    return value, plies
                lost += not proof.state[REPEATED]
        return (DRAWN, 0) if lost == self.subject.binding.seats else None

    def _lost(self, proof: Proof) -> int | None:
        """Return the value where a seat can't win; None where that may be a draw."""
        if self.subject.binding.seats == 1 or proof.state[DRAWS] or proof.state[REPEATED]:
            return None
        return _won_by(1 - proof.goal)

    # ------------------------------------------------------------------------ the work

    def settle(self, position: Position, clock: Clock) -> tuple[int, int]:
        """Return the value of a position for the first seat, and in how many plies at most.

        Raises OutOfTime, Unsettled, RuleError, KeyboardInterrupt.
        """
        if position.over:
            return value_at_end(position), 0
        seats = self.subject.binding.seats
        first = (position.seat or 1) - 1
        for goal in (first, 1 - first)[:seats]:
            proof = self._prove(position, goal, clock)
            if int(proof.state[PN]) == 0:
                return _won_by(goal), int(proof.state[PLIES])
            if self._lost(proof) is not None:
                return _won_by(1 - goal), int(proof.state[PLIES])
        if any(proof.state[REPEATED] for proof in self.proofs.values()):
            raise Unsettled
        return DRAWN, 0

    def proof(self, goal: int) -> Proof:
        """Return what is known of a seat's wins."""
        if goal not in self.proofs:
            self.proofs[goal] = new_proof(goal, self.memory, self.subject.words)
        return self.proofs[goal]

    def made_room(self, goal: int, stored: int) -> Proof:
        """Return what is known of a seat's wins, with room for so many positions, if there is."""
        self.proofs[goal] = widened(self.proof(goal), self.subject.call, stored)
        return self.proofs[goal]

    def _prove(self, position: Position, goal: int, clock: Clock) -> Proof:
        """Search until a win of a seat is proven or disproven; return what was found out."""
        subject = self.subject
        proof = self.proof(goal)
        place = subject.seat.desk, subject.binding.code, subject.binding.fields, self.bench
        with clock.watching(lambda: Progress("positions examined", self.positions)):
            while True:
                subject.stand_at(position.state)
                if subject.run(prove, proof, *place, clock=clock):
                    subject.fail_at(self.bench.here.tolist())
                if not proof.state[ABORTED]:
                    return proof
                if proof.state[STORED] >= proof.state[WIDEN_AT]:
                    proof = self.made_room(goal, int(proof.state[STORED]))
                clock.keep_if_due()

    # ------------------------------------------------------------------------- tables

    def table(self) -> tuple[Head, Places]:
        """Return what is proven as a table."""
        places = new_places(sum(int(proof.state[STORED]) for proof in self.proofs.values()))
        for goal, proof in self.proofs.items():
            won, lost = _won_by(goal), self._lost(proof)
            kept = -1 if lost is None else lost
            self.subject.run(fill_proven, places, proof, won, kept, clock=Clock())
        return self.subject.head(self.symmetries, int(places.state[0]), is_exact=False), places


def _won_by(seat: int) -> int:
    """Return the value of a game that a seat wins."""
    return WON if seat == 0 else LOST
