"""A layer of checking: does what a side may play tell what it does not see?

In: a game in which something is hidden, with each variant as well. Out: a warning if `sees` tells
what chance has drawn and hides it elsewhere, or if two games are alike to a side that is on turn,
and other moves are legal for it. What then holds: both games are told, move by move. The games are
random ones, and at each of their positions other moves that could have been made there, up to a
number of positions in all, and to some work; more is not looked at.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from gdl.codes import Code
from gdl.core.nodes import Assign, AssignAt, Const, Slot
from gdl.core.walk import statements_in
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span
from gdl.interpreter.check.effort import Part, Work
from gdl.interpreter.check.finding import Finding, in_all_variants
from gdl.interpreter.check.places import warning
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.information import Information
from gdl.interpreter.positions.position import Position, Rules
from gdl.model import Game

_MOST_POSITIONS = 1000
_MOST_PLIES = 40
_MOST_INSTEAD = 12
"""How many other moves are tried at each position of a random game."""
_A_POSITION = 200
"""Units of work to compare what a side sees, besides what the rules are asked."""


def check_leaks(subject: Subject) -> Iterator[Finding]:
    """Yield a warning for a game whose moves give away what is hidden, then for variants."""
    work = subject.work
    part = work.part(work.effort.leaks)
    return in_all_variants(subject, lambda game: _found(game, work, part))


def _drawn_and_told(game: Game) -> Iterator[Diagnostic]:
    """Yield a warning where a side is told all moves, and chance draws what it is not to see."""
    drawn = {
        s.slot
        for phase in game.program.phases
        for turn in (phase.turns if phase.by_chance else ())
        for s in statements_in(turn.program)
        if isinstance(s, Assign | AssignAt) and any(not one.is_state for one in s.value.free)
    }
    for number, name in enumerate(game.sides):
        sight = game.sight(number)
        if sight is None or not isinstance(sight.moves, Const) or not sight.moves.value:
            continue
        seen = frozenset[Slot]().union(*(value.free for _, value in sight.values))
        hidden = [word for word, slot in game.state_slots.items() if slot in drawn - seen]
        if hidden:
            yield warning(
                Code.LEAKING_MOVES,
                f"{name} is told all moves, so also what chance draws, such as `{hidden[0]}`, which"
                " `sees` hides.",
                _place(game),
                "Say under `moves` when a side is told them, as by `turns > 1` after a deal.",
            )
            return


@dataclass(frozen=True)
class _GameSoFar:
    """A game so far: its position, what each side knows, its moves as texts."""

    position: Position
    known: tuple[Information, ...]
    moves: tuple[str, ...] = ()

    def after(self, move: Move) -> _GameSoFar:
        position = self.position.play(move)
        known = tuple(one.after(self.position, move, position) for one in self.known)
        return _GameSoFar(position, known, (*self.moves, move.text))


def _found(game: Game, work: Work, part: Part) -> Iterator[Diagnostic]:
    if not game.hides_by_sight:
        return
    yield from _drawn_and_told(game)
    search = _Search(Rules(game, work.rules(game)), work, part)
    try:
        leak = search.leak()
    except RuleError:
        return  # That rules fail in play is for other layers to tell.
    if leak is not None:
        yield _told(leak, game)


@dataclass(frozen=True)
class _Leak:
    """Two games that are alike to a side, and a move that is legal after the first alone."""

    side: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    move: str


class _Search:
    """Looks for a leak in random games, the same ones each time."""

    def __init__(self, rules: Rules, work: Work, part: Part) -> None:
        self._rules = rules
        self._work = work
        self._part = part
        self._random = random.Random(0)
        self._left = _MOST_POSITIONS
        self._legal: dict[Information, _GameSoFar] = {}

    def leak(self) -> _Leak | None:
        """Return the first leak that is found."""
        while self._left > 0 and self._part.left > 0:
            found = self._leak_in_a_game()
            if found is not None:
                return found
            self._left -= 1
        return None

    def _leak_in_a_game(self) -> _Leak | None:
        start = self._rules.start()
        known = tuple(Information.at(start, side) for side in self._rules.sides)
        so_far = _GameSoFar(start, known)
        for _ in range(_MOST_PLIES):
            moves = list(so_far.position.moves())
            if not moves or self._left <= 0 or self._part.left <= 0:
                return None
            self._random.shuffle(moves)
            for move in moves[:_MOST_INSTEAD]:
                self._work.count(_A_POSITION)
                found = self._compared(so_far.after(move))
                if found is not None:
                    return found
            so_far = so_far.after(moves[0])
        return None

    def _compared(self, so_far: _GameSoFar) -> _Leak | None:
        """Compare the moves of the side on turn with those of a game that is alike to it."""
        self._left -= 1
        position = so_far.position
        if position.seat is None or position.over:
            return None
        other = self._legal.setdefault(so_far.known[position.side], so_far)
        here, there = _texts(position), _texts(other.position)
        for one, two, first, second in ((here, there, so_far, other), (there, here, other, so_far)):
            only = [text for text in one if text not in two]
            if only:
                return _Leak(position.mover, first.moves, second.moves, only[0])
        return None


def _texts(position: Position) -> dict[str, None]:
    return dict.fromkeys(move.text for move in position.moves())


def _told(leak: _Leak, game: Game) -> Diagnostic:
    first, second = (", ".join(moves) or "no move" for moves in (leak.first, leak.second))
    return Diagnostic(
        Code.LEAKING_MOVES,
        f"What {leak.side} may play tells what it does not see: after `{first}` and after"
        f" `{second}` it knows the same, but `{leak.move}` is legal after the first alone.",
        _place(game),
        "Let it try what it can't know to be forbidden, and find out; or let it see more.",
        "warning",
    )


def _place(game: Game) -> Span:
    entry = game.document.entry("sees")
    return game.document.span if entry is None else entry[0].span
