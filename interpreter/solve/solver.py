"""Solving: the method is chosen by the game, the work can be interrupted, the result is kept.

In: rules, and a position. Out: a `Solution`. What then holds: it is exact, whichever method found
it.

By all positions, if there is memory for them: a million of them are found first, and how their
number grows tells how many there will be. Else by proof, which examines only what it needs.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Protocol

from gdl.board.symmetries import Permutation
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, whole_number
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.files import write_file
from gdl.interpreter.positions.position import Position, Rules, rules_of
from gdl.interpreter.solve.clock import Clock, OutOfTime, Progress, Tell, refuse_no_time
from gdl.interpreter.solve.enumeration import enumerate_more
from gdl.interpreter.solve.graph import USED, fill_slots, is_crowded, with_more_slots
from gdl.interpreter.solve.proof import prove
from gdl.interpreter.solve.proof_table import STORED, WORDS_OF_ENTRY, new_packed, pack, unpack
from gdl.interpreter.solve.proving import ProofSearch, Unsettled
from gdl.interpreter.solve.retrograde import NoRoom, Retrograde, Stage
from gdl.interpreter.solve.solution import Result, Solution, SolvedMove, ranked
from gdl.interpreter.solve.subject import Subject, compiled, value_at_end
from gdl.interpreter.solve.tables import Head, Places, usual_path
from gdl.interpreter.solve.workspace import DRAWN, LOST, WON
from gdl.interpreter.workers import packed as packed_game
from gdl.interpreter.workers.packed import Packed
from gdl.interpreter.workers.run import Run
from gdl.kept import is_own
from gdl.model import Game

METHODS = ("auto", "retrograde", "proof")
USUAL_MEMORY = 2 << 30
_TRIAL = 1 << 20
"""How many positions are found before it is judged how many there will be."""
_LONGEST_LINE = 200
_WORTH_KEEPING = 100_000
"""Fewer positions are found again in no time."""


Lookup = Callable[[Position], tuple[int, int] | None]
"""What tells the value of a position for the first seat and its plies, if they are known."""


class Method(Protocol):
    """What the two methods have in common."""

    name: str

    @property
    def symmetries(self) -> Sequence[Permutation]:
        """The symmetries that were used, the identity left out."""

    @property
    def positions(self) -> int:
        """How many positions were reached or examined."""

    def look_up(self, position: Position) -> tuple[int, int] | None:
        """Return the value and the plies of a position, if they are known."""

    def table(self) -> tuple[Head, Places] | None:
        """Return what is known as a table."""


class Solver:
    """Solves positions of one game, by `method`; `used` is the method that was used last.

    It is that which is being used, too, while the work is not done.
    """

    def __init__(
        self,
        rules: Rules | Game,
        *,
        method: str = "auto",
        memory: int = USUAL_MEMORY,
        with_symmetries: bool = True,
        tell: Tell | None = None,
        is_kept: bool = False,
        run: Run | None = None,
    ) -> None:
        """Compile the game; `tell` is called with the progress, several times a second.

        With `run`, which may be on other machines, the openings are proven one by one where each
        move is asked for. If it `is_kept`, unfinished work goes into a file, now and then and when
        it is interrupted, and what such a file tells is used. Raises GameError
        (`not-solvable`, `not-native`), ValueError for a method that there is not and for no
        memory, TypeError for what are no rules and no number.
        """
        if method not in METHODS:
            raise ValueError(f"method: {method!r} is none of {', '.join(METHODS)}")
        whole_number("memory", memory, 1)
        self.rules = rules = rules_of(rules)
        self.used: Method | None = None
        self.subject = Subject(rules, with_symmetries=with_symmetries)
        self._method = method
        self._memory = memory
        self._tell = tell
        self._is_kept = is_kept
        self._run = run
        self._with_symmetries = with_symmetries
        self._retrograde: Retrograde | None = None
        self._proofs: ProofSearch | None = None
        self._too_many = 0
        self.not_kept: GameError | None = None
        """Why unfinished work could not be written, if that was so the last time."""

    @property
    def looked_at(self) -> int:
        """How many positions were looked at so far, also in work that was gone on with.

        Where there were too many to look at all, those that were found until then count, too.
        """
        return self._too_many + (0 if self.used is None else self.used.positions)

    def solve(
        self, position: Position, *, seconds: float | None = None, each_move: bool = False
    ) -> Solution:
        """Solve a position, within so many seconds; with `each_move`, also each move's position.

        What was found out before is used: after OutOfTime or KeyboardInterrupt, the work goes on
        where it stood. Raises besides NoRoom where there are too many positions for retrograde
        analysis, Unsettled where nothing can be proven, RuleError where the rules fail, ValueError
        for a position of another game, and for no time. A move of which nothing can be proven is
        left out.
        """
        self.rules.state_of(position)
        refuse_no_time(seconds)
        self.not_kept = None
        self._look_for_kept_proofs(position)
        self.prepare()
        keep = partial(self._keep, position) if self._is_kept else None
        clock = Clock(seconds, self._tell, keep)
        try:
            found = self._solved(position, clock, each_move)
        except (OutOfTime, KeyboardInterrupt):
            if self._is_kept:
                try:
                    self._keep(position)
                except GameError as error:
                    self.not_kept = error
            raise
        if self._is_kept:
            drop(path_of(position))
        return found

    def _look_for_kept_proofs(self, position: Position) -> None:
        """Go on with a proof, if one is kept that was begun since there were too many positions."""
        if self._method == "auto" and self._is_kept and self._retrograde is None:
            path = path_of(position)
            self._too_many = found_too_many(path, self._new_proofs())
            self._method = "proof" if self._too_many else "auto"

    def prepare(self) -> None:
        """Compile what is needed, before time is taken."""
        compiled(prove if self._method == "proof" else enumerate_more)

    def _solved(self, position: Position, clock: Clock, each_move: bool) -> Solution:
        retrograde = self._enumerated(position, clock)
        if retrograde is not None:
            self.used = retrograde
            found = retrograde.look_up(position)
            assert found is not None, "it has just been solved"
            return self._told(position, found, retrograde, clock, retrograde.look_up)
        if each_move and self._run is not None:
            openings = self.used = Openings(
                self.subject, self._run, self._memory, with_symmetries=self._with_symmetries
            )
            found = openings.settle(position, clock)
            return self._told(position, found, openings, clock, openings.look_up)
        proofs = self.used = self._proven(position)
        found = proofs.settle(position, clock)
        wanted: Lookup = proofs.look_up
        if each_move:
            wanted = partial(_settled, proofs, clock)
        return self._told(position, found, proofs, clock, wanted)

    def _keep(self, position: Position) -> None:
        """Write unfinished work into a file, if there is enough of it."""
        path = path_of(position)
        if self._proofs is not None:
            keep_proofs(path, self._proofs, self._too_many)
        elif self._retrograde is not None and self._retrograde.positions > _WORTH_KEEPING:
            keep_retrograde(path, self._retrograde)

    def _proven(self, position: Position) -> ProofSearch:
        compiled(prove)
        if self._proofs is None:
            self._proofs = self._new_proofs()
            if self._is_kept:
                resume_proofs(path_of(position), self._proofs)
        return self._proofs

    def _new_proofs(self) -> ProofSearch:
        return ProofSearch(self.subject, self._memory)

    def value(self, position: Position, seconds: float | None = None) -> Result:
        """Return the result of a position that can be reached from the one solved last."""
        if self.used is self._retrograde and self._retrograde is not None:
            found = self._retrograde.look_up(position)
            if found is not None:
                return self.subject.result(*found)
        if self._proofs is None:
            return self.solve(position, seconds=seconds).result
        return self.subject.result(*self._proofs.settle(position, Clock(seconds)))

    def _enumerated(self, position: Position, clock: Clock) -> Retrograde | None:
        """Return all positions with their values; None if there are too many for that."""
        if self._method == "proof":
            return None
        known = self._retrograde
        if known is None or known.position != position:
            known = self._retrograde = Retrograde(self.subject, position, self._memory)
            if self._is_kept:
                resume_retrograde(path_of(position), known)
        self.used = known
        try:
            if self._method == "auto" and not known.is_solved:
                known.work(clock, _TRIAL)
                if not known.is_solved and known.estimate() > known.room:
                    raise NoRoom
            known.work(clock)
        except NoRoom:
            self._retrograde = None
            if self._method == "retrograde":
                raise
            self._method, self._too_many = "proof", known.positions
            self.used = None
            return None
        return known

    # ------------------------------------------------------------- what was found out

    def _told(
        self,
        position: Position,
        found: tuple[int, int],
        method: Method,
        clock: Clock,
        wanted: Lookup,
    ) -> Solution:
        retrograde = method if isinstance(method, Retrograde) else None
        seat = position.seat or 1
        moves = ranked(self._moves(position, wanted), seat)
        return Solution(
            position=position,
            result=self.subject.result(*found),
            moves=moves,
            line=tuple(self._line(position, method)),
            method=method.name,
            positions=method.positions,
            symmetries=1 + len(method.symmetries),
            is_shortest=retrograde is not None,
            endless=0 if retrograde is None else retrograde.endless or 0,
            seconds=clock.seconds,
        )

    def _moves(self, position: Position, wanted: Lookup) -> Iterator[SolvedMove]:
        """Yield the moves of a position whose results are known."""
        if position.over:
            return
        for move, after in self.subject.after(position):
            found = wanted(after)
            if found is not None:
                result = self.subject.result(*found)
                plies = None if result.plies is None else result.plies + 1
                yield SolvedMove(move, Result(result.value, plies))

    def _line(self, position: Position, method: Method) -> Iterator[Move]:
        """Yield the moves of a game that is played well, as far as it is known."""
        seen = {position}
        while not position.over and len(seen) < _LONGEST_LINE:
            moves = ranked(self._moves(position, method.look_up), position.seat or 1)
            if not moves:
                return
            best = moves[0]
            now = method.look_up(position)
            if now is not None and self.subject.result(*now).value != best.result.value:
                return
            yield best.move
            position = Position(
                position.rules, self.subject.native.apply(position.state, best.move)
            )
            if position in seen:
                return
            seen.add(position)


def _settled(proofs: ProofSearch, clock: Clock, position: Position) -> tuple[int, int] | None:
    """Return the value of a position; None where nothing can be proven. Raises OutOfTime."""
    try:
        return proofs.settle(position, clock)
    except Unsettled:
        return None


# ----- a position solved by its openings, each of which is proven apart, perhaps by another process


@dataclass(frozen=True)
class Proven:
    """What an opening came to: its value for the first seat, and in how many plies at most.

    `positions` were gone on from.
    """

    value: int
    plies: int
    positions: int


@dataclass(frozen=True)
class Share:
    """What each worker has: bytes of memory, whether to use symmetries, seconds (None: no end)."""

    memory: int
    with_symmetries: bool
    seconds: float | None


class Openings:
    """Solves a position by its openings; as a method it knows these, and no other positions."""

    name = "proof"

    def __init__(self, subject: Subject, run: Run, memory: int, *, with_symmetries: bool) -> None:
        """Share `memory`, in bytes, among those that work at once."""
        self.subject = subject
        self.symmetries = subject.symmetries
        self.positions = 0
        self._run = run
        self._memory = memory // run.at_once
        self._with_symmetries = with_symmetries
        self._known: dict[State, tuple[int, int]] = {}

    def settle(self, position: Position, clock: Clock) -> tuple[int, int]:
        """Return the value of a position for the first seat, and in how many plies at most.

        Raises OutOfTime, Unsettled, RuleError, KeyboardInterrupt.
        """
        if position.over:
            return value_at_end(position), 0
        openings = {after.state: after for _, after in self.subject.after(position)}
        apart: dict[int, list[Position]] = {}
        for after in openings.values():
            apart.setdefault(self.subject.key(after, self.subject.bench), []).append(after)
        share = Share(self._memory, self._with_symmetries, clock.left)
        task = partial(_prove, packed_game.pack(position.rules.game), share)
        done = 0
        with clock.watching(lambda: Progress("openings proven", done, len(apart))):
            found = self._run(task, [group[0].state for group in apart.values()])
            for group, proven in zip(apart.values(), found, strict=True):
                done += 1
                if proven is None:
                    continue
                self.positions += proven.positions
                for after in group:
                    self._known[after.state] = proven.value, proven.plies
        return self._best(position, openings)

    def _best(self, position: Position, openings: dict[State, Position]) -> tuple[int, int]:
        """Return the value of a position whose openings are known, and its plies."""
        known = [self._known[state] for state in openings if state in self._known]
        choose, win = (max, WON) if (position.seat or 1) == 1 else (min, LOST)
        best = choose((value for value, _ in known), default=None)
        if best is None or (best != win and len(known) < len(openings)):
            raise Unsettled
        plies = [1 + plies for value, plies in known if value == best]
        return best, 0 if best == DRAWN else min(plies) if best == win else max(plies)

    def look_up(self, position: Position) -> tuple[int, int] | None:
        """Return what is known of a position: the end of a game, or an opening."""
        if position.over:
            return value_at_end(position), 0
        return self._known.get(position.state)

    def table(self) -> tuple[Head, Places] | None:
        """Return nothing: what was proven below the openings is not sent back."""
        return None


def _prove(packed: Packed, share: Share, state: State) -> Proven | None:
    """Prove one opening; nothing where it can't be. Raises OutOfTime, RuleError."""
    with packed.opened() as game:
        subject = _subject(game, share.with_symmetries)
        search = ProofSearch(subject, share.memory)
        try:
            value, plies = search.settle(Position(subject.rules, state), Clock(share.seconds))
        except Unsettled:
            return None
        return Proven(value, plies, search.positions)


@lru_cache(maxsize=2)
def _subject(game: Game, with_symmetries: bool) -> Subject:
    """Return a game as what is to be solved: a process compiles it once, not for each opening."""
    return Subject(Rules(game), with_symmetries=with_symmetries)


# ------------------------------- work that was interrupted, kept in a file until it is gone on with

FORMAT = "gdl unfinished solving 2"
_RESUMED = (Stage.ENUMERATING, Stage.BACKWARDS)
_MOST_HEAD = 1 << 22
_CHECKSUM_BYTES = hashlib.sha256().digest_size
_MODE = 0o600


def path_of(position: Position) -> Path:
    """Return the file that keeps unfinished work on a position."""
    told = json.dumps(position.to_json(), sort_keys=True).encode()
    usual = usual_path(position.rules.game)
    return usual.with_name(f"{usual.stem}-{hashlib.blake2b(told, digest_size=6).hexdigest()}.part")


def drop(path: Path) -> None:
    """Remove the file of work that is done, if there is one that can be removed."""
    with suppress(OSError):
        path.unlink()


def keep_retrograde(path: Path, work: Retrograde) -> None:
    """Write how far an enumeration has come. Raises GameError."""
    graph, used = work.graph, int(work.graph.state[USED])
    head = {
        "kind": work.name,
        "layout": work.subject.layout,
        "symmetries": [list(symmetry) for symmetry in work.symmetries],
        "stage": (work.stage if work.stage in _RESUMED else Stage.TURNING).value,
        "levels": work.levels,
    }
    parts = (
        graph.state,
        graph.positions[: used * graph.words],
        graph.arrivals[:used],
        graph.results[:used],
    )
    _write(path, head, parts)


def keep_proofs(path: Path, work: ProofSearch, found: int = 0) -> None:
    """Write what has been proven, after so many positions were found to be too many to hold.

    Raises GameError.
    """
    head = {
        "kind": work.name,
        "layout": work.subject.layout,
        "symmetries": [list(symmetry) for symmetry in work.symmetries],
        "memory": work.memory,
        "goals": list(work.proofs),
        "found": found,
    }
    parts = []
    for proof in work.proofs.values():
        packed = new_packed(int(proof.state[STORED]))
        work.subject.call(pack, proof, packed)
        parts += [proof.state, packed.entries[: packed.count * WORDS_OF_ENTRY]]
    _write(path, head, parts)


def _write(path: Path, head: dict[str, Any], parts: Sequence[memoryview]) -> None:
    sizes = [part.nbytes for part in parts]
    line = json.dumps({"format": FORMAT, **head, "sizes": sizes}).encode() + b"\n"
    write_file(path, (line, *parts, _checksum(line, *parts)), mode=_MODE, makes_folder=True)


def _checksum(*parts: bytes | memoryview) -> bytes:
    """Return what a file ends with, so that it is known to be whole."""
    found = hashlib.sha256()
    for part in parts:
        found.update(part)
    return found.digest()


def resume_retrograde(path: Path, work: Retrograde) -> bool:
    """Go on where an enumeration stood, if a file tells; return whether it does."""
    found = _read(path, work)
    if found is None:
        return False
    head, (state, positions, arrivals, results) = found
    graph = work.graph
    used = int.from_bytes(state[8 * USED : 8 * USED + 8], "little")
    if used > graph.room:
        return False
    _fill(graph.state, state)
    _fill(graph.positions, positions)
    _fill(graph.arrivals, arrivals)
    _fill(graph.results, results)
    while is_crowded(graph):
        graph = with_more_slots(graph)
    graph.slots.cast("B")[:] = bytes(graph.slots.nbytes)
    work.subject.call(fill_slots, graph, work.bench)
    work.graph, work.levels, work.stage = graph, list(head["levels"]), Stage(head["stage"])
    return True


def resume_proofs(path: Path, work: ProofSearch) -> bool:
    """Go on with what has been proven, if a file tells; return whether it does."""
    found = _read(path, work)
    if found is None or found[0]["memory"] != work.memory:
        return False
    head, parts = found
    for place, goal in enumerate(head["goals"]):
        proof = work.proof(int(goal))
        _fill(proof.state, parts[2 * place])
        proof = work.made_room(int(goal), int(proof.state[STORED]))
        packed = new_packed(int(proof.state[STORED]))
        if len(parts[2 * place + 1]) > packed.entries.nbytes:
            return False
        _fill(packed.entries, parts[2 * place + 1])
        work.subject.call(unpack, proof, packed)
    return True


def found_too_many(path: Path, work: ProofSearch) -> int:
    """Return how many positions had been found when they turned out to be too many to hold.

    It is 0 where that is not known, or was with other memory than this work has.
    """
    kept = _read(path, work)
    return kept[0].get("found", 0) if kept is not None and kept[0]["memory"] == work.memory else 0


def _fill(target: memoryview, data: memoryview) -> None:
    target.cast("B")[: len(data)] = data


def _read(
    path: Path, work: Retrograde | ProofSearch
) -> tuple[dict[str, Any], list[memoryview]] | None:
    """Return what a file tells of such work, or None."""
    if not path.is_file():  # a pipe would keep whoever opens it waiting
        return None
    try:
        with path.open("rb") as file:
            if not is_own(os.fstat(file.fileno())):
                return None
            line = file.readline(_MOST_HEAD)
            whole = memoryview(file.read())
    except OSError:
        return None
    data, checksum = whole[:-_CHECKSUM_BYTES], whole[-_CHECKSUM_BYTES:]
    if checksum != _checksum(line, data):
        return None
    head = json.loads(line)
    wanted = {
        "format": FORMAT,
        "kind": work.name,
        "layout": work.subject.layout,
        "symmetries": [list(symmetry) for symmetry in work.symmetries],
    }
    if any(head.get(name) != wanted[name] for name in wanted):
        return None
    parts, begin = [], 0
    for size in head["sizes"]:
        parts.append(data[begin : begin + size])
        begin += size
    return head, parts
