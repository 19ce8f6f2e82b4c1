"""What can be done at once: by the side on turn, and by the others if it were their turn.

In: a position. Out: moves that win, the sites where others would win, the pieces that they could
take, and the moves that would take or score. What then holds: a threat is a legal move of the rules
in the same position with another side on turn; where a game has no such position, since a phase
belongs to a seat or the rules fail there, it has none.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

from gdl.data_classes import dataclass
from gdl.interpreter.english import verb_of
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position

_SECONDS = 3.0


@dataclass(frozen=True)
class Threats:
    """What the side `on_turn` and the `others` could do at once.

    `chances` are the moves by which the side on turn wins, `winning` those by which others would,
    on the `winning_sites`. `taken` are the pieces that others could take: by `taking`, at most so
    many at once (`most_taken`). Where most pieces could be taken, these are those of the moves that
    take the most, and none where these still are most: then there are so `many`. By `scoring` they
    would score, on the `scoring_sites`; they are left out where nearly any move does. `is_whole`
    tells whether there was time to try all moves.
    """

    on_turn: str
    others: tuple[str, ...]
    chances: tuple[Move, ...]
    winning: tuple[Move, ...]
    winning_sites: frozenset[int]
    scoring_sites: frozenset[int]
    taken: frozenset[int]
    taking: tuple[Move, ...]
    most_taken: int
    many: int
    scoring: tuple[Move, ...]
    is_whole: bool

    @property
    def marked(self) -> frozenset[int]:
        """The sites on which something is threatened."""
        return self.winning_sites | self.scoring_sites | self.taken

    @property
    def text(self) -> str:
        """What can be done at once and by whom, in sentences."""
        said = []
        if self.chances:
            said.append(f"{self.on_turn} can win at once by {_listed(self.chances)}.")
        told = []
        if self.winning:
            told.append(f"to win by {_listed(self.winning)}")
        if self.taken:
            told.append(f"to take {self._pieces} by {_listed(self.taking)}")
        if self.many:
            told.append(f"to take any of {self.many} pieces")
        if self.scoring:
            told.append(f"to score by {_listed(self.scoring)}")
        who = " or ".join(self.others)
        threatens = verb_of(self.others[-1:], "threatens")
        if told:
            said.append(f"{who} {threatens} {' and '.join(told)}.")
        elif self.others:
            nobody = f"Neither {' nor '.join(self.others)} threatens anything at once."
            only = f"{who} {threatens} nothing at once."
            sentence = only if len(self.others) < 2 else nobody
            said.append(sentence if self.is_whole else f"{sentence[:-1]}, as far as was seen.")
        elif not said:
            said.append("Nothing is threatened at once.")
        return " ".join(said if self.is_whole else [*said, "Not all moves were looked at."])

    @property
    def _pieces(self) -> str:
        """How many pieces could be taken, and how many of them at once if that is fewer."""
        whole = len(self.taken)
        if self.most_taken == whole:
            return f"{whole} piece{'s' if whole > 1 else ''}"
        return f"{'one' if self.most_taken == 1 else f'up to {self.most_taken}'} of {whole} pieces"


_MOST_SHOWN = 6
_FEW_TAKEN = 4  # pieces, of which each that could be taken is told


def threats(position: Position) -> Threats:
    """Return what can be done at once, as far as the time allows; each part has half of it."""
    begun = time.monotonic()
    on_turn = position.mover
    own = _sites_of(position, on_turn)
    chances: dict[Move, None] = {}
    winning: dict[Move, None] = {}
    sites: set[int] = set()
    losses: dict[Move, frozenset[int]] = {}
    scoring: dict[Move, None] = {}
    scoring_sites: set[int] = set()
    others: dict[str, None] = {}
    is_whole = True
    if not position.over and position.seat is not None:
        for move, after in _tried(position, begun + _SECONDS / 2):
            if after is None:
                is_whole = False
            elif _wins(position, after):
                chances[move] = None
    for other in _with_others_on_turn(position):
        others[other.mover] = None
        number, has_scored, scored = 0, _score(other), list[Move]()
        for move, after in _tried(other, begun + _SECONDS):
            if after is None:
                is_whole = False
                continue
            if _wins(other, after):
                winning[move] = None
                sites |= other.sites_of(move)
            lost = own - _sites_of(after, on_turn)
            if lost:
                losses[move] = lost
            elif has_scored(after):
                scored.append(move)
            number += 1
        if len(scored) <= max(_MOST_SHOWN, number // 2):  # else nearly any move does
            scoring.update(dict.fromkeys(scored))
            scoring_sites.update(*map(other.sites_of, scored))
    most_taken = max(map(len, losses.values()), default=0)
    taken, many = frozenset[int]().union(*losses.values()), 0
    if len(taken) > max(_FEW_TAKEN, len(own) // 2):
        losses = {move: lost for move, lost in losses.items() if len(lost) == most_taken}
        of_these = frozenset[int]().union(*losses.values())
        if len(of_these) > max(_FEW_TAKEN, len(own) // 2):
            losses, of_these, many = {}, frozenset(), len(taken)
        taken = of_these
    return Threats(
        on_turn,
        tuple(others),
        tuple(chances),
        tuple(winning),
        frozenset(sites),
        frozenset(scoring_sites),
        taken,
        tuple(losses),
        most_taken,
        many,
        tuple(scoring),
        is_whole,
    )


def _score(before: Position) -> Callable[[Position], bool]:
    """Return what tells whether the side on turn has a higher score after a move."""
    score = dict(zip(before.rules.sides, before.rules.game.scores, strict=False)).get(before.mover)
    if score is None:
        return lambda after: False
    had = before.value(score)
    return lambda after: bool(after.value(score) > had)


def _tried(position: Position, end: float) -> Iterator[tuple[Move, Position | None]]:
    """Yield each legal move and where it leads; nowhere, and no more, once the time is up."""
    for move in _legal(position):
        if time.monotonic() > end:
            yield move, None
            return
        try:
            yield move, position.play(move)
        except RuleError:
            continue


def _wins(position: Position, after: Position) -> bool:
    """Return whether the side on turn has won by the move that leads to `after`."""
    return after.outcome is not None and position.mover in after.outcome.winners


def _listed(moves: Sequence[Move]) -> str:
    more = " …" if len(moves) > _MOST_SHOWN else ""
    return f"{', '.join(move.text for move in moves[:_MOST_SHOWN])}{more}"


def _with_others_on_turn(position: Position) -> Iterator[Position]:
    """Yield the position with each other side on turn, where it may be."""
    if position.over or position.seat is None or len(position.rules.sides) < 2:
        return
    rules = position.rules
    place = rules.places[rules.game.program.system.mover]
    for side in range(len(rules.sides)):
        if side == position.side:
            continue
        values = list(position.state.values)
        values[place] = side
        try:
            other = Position(rules, rules.evaluator.settle(values))
            is_turn = not other.over and other.seat == other.seat_of(other.mover)
        except RuleError:
            continue
        if is_turn:
            yield other


def _legal(position: Position) -> tuple[Move, ...]:
    try:
        return position.moves()
    except RuleError:
        return ()


def _sites_of(position: Position, side: str) -> frozenset[int]:
    number = position.rules.sides.index(side)
    return frozenset(site for site, layer in position.occupied() if layer.side == number)
