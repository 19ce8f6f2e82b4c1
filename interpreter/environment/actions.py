"""Actions: decisions with fixed numbers, and moves read in both directions.

In: a game. Out: its `Actions`. What then holds: every decision that the rules can ask has a number
of its own, the same for all sides and in all phases; a move is the numbers of its decisions, in
order, and these name no other move of the same position.

Each decision of the rules, such as `choose a`, is a group of numbers: an action is the group's
`offset`, and the site, number or alternative that is decided, counted from the group's lowest.
Decisions of one name are one group. The number 0 is for a turn without a decision: a side that
can't move passes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gdl.analysis.number_ranges import NumberRanges
from gdl.codes import Code
from gdl.core.nodes import (
    Block,
    Branch,
    Choose,
    Decide,
    Decision,
    ForEach,
    Repeat,
    SitesOf,
)
from gdl.core.walk import blocks_of, program_statements, statements_in
from gdl.diagnostic import Diagnostic, GameError
from gdl.interpreter.evaluation.moves import FORCED_PASS, PASS, IllegalMoveError, Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.reference.steps import Path
from gdl.interpreter.reference.ways import decisions_of, move_of
from gdl.model import Game, OfAGame, game_of

NO_DECISION = 0
"""The number of a turn in which nothing is decided: a pass that the rules force."""
MOST_NUMBERS = 1 << 16
"""How many numbers one decision may choose from."""

Kind = Literal["site", "number", "alternative"]


class Group(NamedTuple):
    """One decision that the rules can ask: an action is `offset` + what is decided - `low`.

    `name` is the variable that is chosen, or the words of the alternatives; `words` has the text of
    each of the `size` values.
    """

    name: str
    kind: Kind
    offset: int
    size: int
    low: int
    words: tuple[str, ...]


class Actions:
    """The actions of a game; `size` is how many there are.

    `group_of` has the number of each action's group (-1 for the one without a decision), `site_of`
    the index of its site (-1 if it is none). `longest` is how many decisions a turn has at most;
    None where that has no bound.

    >>> from gdl.interpreter import load
    >>> actions = Actions(load("hex", options={"size": 3}).game)
    >>> [(group.name, group.offset, group.size) for group in actions.groups], actions.longest
    ([('s', 1, 9)], 1)
    >>> actions.text(1), actions.text(9), actions.text(0)
    ('a1', 'c3', 'pass')
    """

    def __init__(self, game: Game) -> None:
        """Number the decisions of a game. Raises GameError where a choice has too many numbers."""
        self._game = game
        self._ranges = NumberRanges(game.program, game.board.size, in_play=True)
        self._groups: dict[tuple[object, ...], int] = {}
        self._group_of: dict[Decision, int] = {}
        groups: list[Group] = []
        for statement in program_statements(game.program):
            if isinstance(statement, Choose | Decide):
                key = _key_of(statement)
                if key not in self._groups:
                    self._groups[key] = len(groups)
                    end = groups[-1].offset + groups[-1].size if groups else NO_DECISION + 1
                    groups.append(self._group(statement, end))
                self._group_of[statement.decision] = self._groups[key]
        self.groups = tuple(groups)
        self.size = NO_DECISION + 1 + sum(group.size for group in groups)
        self.group_of = np.full(self.size, -1, np.int16)
        self.site_of = np.full(self.size, -1, np.int32)
        for number, group in enumerate(groups):
            own = slice(group.offset, group.offset + group.size)
            self.group_of[own] = number
            if group.kind == "site":
                self.site_of[own] = np.arange(group.size)

    def _group(self, statement: Choose | Decide, offset: int) -> Group:
        """Return the group of a decision, which begins at an offset."""
        if isinstance(statement, Decide):
            tokens = [alternative.token for alternative in statement.alternatives]
            words = tuple(t or f"either {n}" for n, t in enumerate(tokens, 1))
            return Group(" | ".join(words), "alternative", offset, len(words), 0, words)
        if isinstance(statement.domain, SitesOf):
            names = tuple(site.name for site in self._game.board.sites)
            return Group(statement.slot.name, "site", offset, len(names), 0, names)
        same = (s for s in program_statements(self._game.program) if isinstance(s, Choose))
        domains = [s.domain for s in same if _key_of(s) == _key_of(statement)]
        bounds = [self._ranges.of_domain(domain) for domain in domains]
        low, high = min(found.low for found in bounds), max(found.high for found in bounds)
        if high - low >= MOST_NUMBERS:
            name = statement.slot.name
            raise GameError(
                [
                    Diagnostic(
                        Code.NO_ACTIONS,
                        f"The numbers that `{name}` can be have no bound, or are more than"
                        f" {MOST_NUMBERS:,}, so they cannot be actions.",
                        statement.span,
                        "Let the range of the choice, or the variables that it is made of, have "
                        "bounds: `heap: number in 0..20`.",
                    )
                ]
            )
        words = tuple(str(number) for number in range(low, high + 1))
        return Group(statement.slot.name, "number", offset, len(words), low, words)

    def group(self, statement: Choose | Decide) -> int:
        """Return the number of a statement's group, in whatever form of the program it stands."""
        known = self._group_of.get(statement.decision)
        return self._groups[_key_of(statement)] if known is None else known

    def id_of(self, statement: Choose | Decide, value: int) -> int:
        """Return the action that decides a value at a statement."""
        group = self.groups[self.group(statement)]
        return group.offset + value - group.low

    def __repr__(self) -> str:
        return f"<{self.size} actions of {self._game.title} in {len(self.groups)} groups>"

    @cached_property
    def longest(self) -> int | None:
        """How many decisions a turn has at most; None where that has no bound."""
        return _most(self._longest(turn.program) for turn in self._game.program.turns)

    def longest_in(self, phase: int) -> int | None:
        """Return how many decisions a turn of a phase has at most; None where there is no bound."""
        turns = self._game.program.phases[phase].turns
        return _most(self._longest(turn.program) for turn in turns)

    def _longest(self, block: Block) -> int | None:
        """Return how many decisions a block leads to at most, if that is bounded."""
        total = 0
        for statement in block:
            most: int | None = 0
            match statement:
                case Choose():
                    most = 1
                case Decide():
                    most = _most(self._longest(each.body) for each in statement.alternatives)
                    most = None if most is None else most + 1
                case Branch():
                    most = _most(map(self._longest, blocks_of(statement)))
                case ForEach() | Repeat():
                    inside = self._longest(statement.body)
                    rounds = self._rounds(statement)
                    if inside != 0:
                        most = None if inside is None or rounds is None else inside * rounds
            if most is None:
                return None
            total += most
        return total

    def _rounds(self, loop: ForEach | Repeat) -> int | None:
        """Return how many rounds a loop has at most, if that is known and less than its limit."""
        if isinstance(loop, ForEach):
            return self._ranges.elements(loop.domain)
        if loop.mode != "times" or loop.bound is None:
            return None
        return max(0, min(self._ranges.of(loop.bound).high, loop.limit))

    # ----------------------------------------------------------------- texts and moves

    def text(self, action: int) -> str:
        """Return how people call an action: a site's name, a word, a number.

        Numbers of whole moves (`by="move"`) are told by their actions, which `decisions_of` gives.
        Raises IndexError for a number of no action.
        """
        if not 0 <= action < self.size:
            raise IndexError(f"actions are numbers from 0 to {self.size - 1}, and {action} is none")
        if action == NO_DECISION:
            return PASS
        group = self.groups[int(self.group_of[action])]
        return group.words[action - group.offset]

    @cached_property
    def _rules(self) -> ReferenceRules:
        return ReferenceRules(self._game)

    def _path(self, position: Position) -> Path:
        """Return the way of the turn that begins in a position, before its first decision."""
        machine = self._rules.machine
        machine.begin_turn()
        frame = machine.frame(position.state.values)
        mover = self._game.program.system.mover
        side = int(position.state.values[self._game.program.state.index(mover)])
        return Path(frame, machine.turn(machine.phase(frame), side).rest)

    def ids(self, position: Position, move: Move | str) -> NDArray[np.int32]:
        """Return the actions of a legal move of a position, or of its text, in order.

        Raises IllegalMoveError where its decisions can't be made there.
        """
        if isinstance(move, str):
            move = position.parse(move)
        if move == FORCED_PASS:
            return np.array([NO_DECISION], np.int32)
        found: list[int] = []
        path, pending = self._path(position), iter(move.decisions)
        for decision in decisions_of(path):
            value = next(pending, None)
            if value is None or not decision.admits(path, value):
                raise IllegalMoveError(f"`{move}` is not a legal move.")
            assert isinstance(decision.statement, Choose | Decide)
            found.append(self.id_of(decision.statement, value))
            decision.take(path, value)
        if path.rest is not None or next(pending, None) is not None:
            raise IllegalMoveError(f"`{move}` is not a legal move.")
        return np.array(found or [NO_DECISION], np.int32)

    def move(self, position: Position, ids: Sequence[int]) -> Move:
        """Return the legal move of a position that actions make.

        Legal moves are listed only where they depend on one another. Raises IllegalMoveError where
        the actions are no whole legal move.
        """
        pending = [int(action) for action in ids]
        told = " ".join(map(self._told, pending))
        illegal = IllegalMoveError(f"`{told}` is not a legal move.")
        if pending == [NO_DECISION]:
            if position.moves() and position.moves()[0].decisions in ((), FORCED_PASS.decisions):
                return position.moves()[0]
            raise illegal
        path, left = self._path(position), iter(pending)
        if position.state.ended is not None:
            raise illegal
        for decision in decisions_of(path):
            assert isinstance(decision.statement, Choose | Decide)
            group = self.groups[self.group(decision.statement)]
            value = next(left, -1) - group.offset
            if not 0 <= value < group.size or not decision.admits(path, value + group.low):
                raise illegal
            decision.take(path, value + group.low)
        if path.rest is not None or next(left, None) is not None:
            raise illegal
        move = move_of(path)
        machine = self._rules.machine
        side, phase = position.side, machine.phase(machine.frame(position.state.values))
        if machine.turn(phase, side).is_compared and move not in position.moves():
            raise illegal
        return move

    def _told(self, action: int) -> str:
        return self.text(action) if 0 <= action < self.size else str(action)

    # ------------------------------------------------------------------- whole moves

    @cached_property
    def sequences(self) -> tuple[tuple[int, ...], ...]:
        """The series of groups that a whole turn can be made of, if turns are bounded.

        Raises ValueError where there are too many.
        """
        found: dict[tuple[int, ...], None] = {}
        for turn in self._game.program.turns:
            found.update(dict.fromkeys(self._series(turn.program)))
        found.pop((), None)
        return tuple(sorted(found, key=lambda series: (len(series), series)))

    def _series(self, block: Block) -> list[tuple[int, ...]]:
        """Return the series of groups that a block can ask."""
        found: dict[tuple[int, ...], None] = {(): None}
        for statement in block:
            ways: list[tuple[int, ...]] = [()]
            match statement:
                case Choose():
                    ways = [(self.group(statement),)]
                case Decide():
                    own = self.group(statement)
                    bodies = (self._series(each.body) for each in statement.alternatives)
                    ways = [(own, *series) for body in bodies for series in body]
                case Branch():
                    ways = [
                        series for each in blocks_of(statement) for series in self._series(each)
                    ]
                case ForEach() | Repeat():
                    ways = self._series_of_rounds(statement)
            found = dict.fromkeys((*a, *b) for a in found for b in dict.fromkeys(ways))
            if len(found) > _MOST_SERIES:
                raise ValueError("turns have too many forms for their moves to be numbered")
        return list(found)

    def _series_of_rounds(self, loop: ForEach | Repeat) -> list[tuple[int, ...]]:
        if not any(isinstance(s, Choose | Decide) for s in statements_in(loop.body)):
            return [()]
        rounds = self._rounds(loop)
        if rounds is None:
            raise ValueError("a turn has no bound, so its moves cannot be numbered")
        one = self._series(loop.body)
        found: dict[tuple[int, ...], None] = {(): None}
        last: Iterable[tuple[int, ...]] = list(found)
        for _ in range(rounds):
            last = dict.fromkeys((*a, *b) for a in last for b in one)
            found.update(dict.fromkeys(last))
            if len(found) > _MOST_SERIES:
                raise ValueError("turns have too many forms for their moves to be numbered")
        return list(found)

    def flat(self, most: int = MOST_NUMBERS) -> int:
        """Return how many numbers there are for whole moves.

        Raises ValueError if they are more than `most`, or a turn has no bound.
        """
        total = NO_DECISION + 1
        for series in self.sequences:
            product = 1
            for group in series:
                product *= self.groups[group].size
            total += product
            if total > most:
                raise ValueError(
                    f"{self._game.title} has more than {most:,} numbers for whole moves;"
                    " take a decision at a time"
                )
        return total

    # ------------------------------------------------------ numbers of whole moves

    @cached_property
    def _series_offsets(self) -> NDArray[np.int64]:
        """The first number of each form of a turn, and the end of all."""
        sizes = [NO_DECISION + 1]
        for series in self.sequences:
            sizes.append(int(np.prod([self.groups[group].size for group in series])))
        return np.cumsum(sizes)

    def flat_of(self, moves: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the numbers of whole moves [M] that are given by their actions [M, K].

        What stands behind the end of a move is -1. Raises ValueError as `flat` does.
        """
        result = np.zeros(len(moves), np.int32)
        padded = np.where(moves > NO_DECISION, moves, NO_DECISION)
        groups = self.group_of[padded]
        known = {series: number for number, series in enumerate(self.sequences)}
        for row in np.unique(groups, axis=0):
            series = tuple(int(group) for group in row if group >= 0)
            if not series:
                continue
            own = (groups == row).all(axis=1)
            total = np.zeros(int(own.sum()), np.int64)
            for place, number in enumerate(series):
                group = self.groups[number]
                total = total * group.size + (moves[own, place] - group.offset)
            result[own] = total + self._series_offsets[known[series]]
        return result

    def decisions_of(self, flat: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the actions of whole moves [M, K] that are given by their numbers [M].

        A number less than 0 has none: only -1. Raises IndexError for numbers of no move.
        """
        flat = np.asarray(flat)
        if flat.size and flat.max() >= self._series_offsets[-1]:
            raise IndexError(f"moves are numbers from 0 to {self._series_offsets[-1] - 1}")
        longest = max((len(series) for series in self.sequences), default=1)
        result = np.full((len(flat), longest), -1, np.int32)
        result[flat == NO_DECISION, 0] = NO_DECISION
        form = np.searchsorted(self._series_offsets, flat, side="right") - 1
        for number in np.unique(form[flat > NO_DECISION]):
            own = (form == number) & (flat > NO_DECISION)
            left = flat[own].astype(np.int64) - self._series_offsets[number]
            for place, group_number in reversed(list(enumerate(self.sequences[number]))):
                group = self.groups[group_number]
                result[own, place] = left % group.size + group.offset
                left //= group.size
        return result


_MOST_SERIES = 256
"""How many forms the turns of a game may have, if whole moves are to be numbered."""


def _most(found: Iterable[int | None]) -> int | None:
    """Return the greatest of numbers, or None if one of them is None."""
    numbers = list(found)
    known = [number for number in numbers if number is not None]
    return max(known, default=0) if len(known) == len(numbers) else None


def _key_of(statement: Choose | Decide) -> tuple[object, ...]:
    """Return what all decisions of a group have in common."""
    if isinstance(statement, Decide):
        return ("alternative", *(alternative.token for alternative in statement.alternatives))
    return ("site" if isinstance(statement.domain, SitesOf) else "number", statement.slot.name)


_known: WeakKeyDictionary[Game, Actions] = WeakKeyDictionary()


def actions_of(given: Game | OfAGame, /) -> Actions:
    """Return the actions of a game, or of that of its rules, which are made once.

    Raises GameError as `Actions` does, TypeError for what is neither.
    """
    game = game_of(given)
    if game not in _known:
        _known[game] = Actions(game)
    return _known[game]
