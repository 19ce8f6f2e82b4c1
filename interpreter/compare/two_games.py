"""Two games played side by side.

In: the rules of both. Out: pairs of states, their legal moves, and the first thing that differs.
What then holds: sites, sides, pieces and variables are compared by their names, so the order in
which a file lists them makes no difference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar

from gdl.board.board import Board
from gdl.board.relation import bits
from gdl.core.nodes import Slot
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from interpreter.evaluation.evaluator import RuleError, State
from interpreter.evaluation.moves import Move, words
from interpreter.positions.encoding import write_plain
from interpreter.positions.position import Position, Rules
from interpreter.words.english import verb_of

Kind = Literal["board", "position", "turn", "moves", "outcome", "failure"]
MovePair = tuple[Move, Move]
"""The move of each game that one text means, in one position."""
Found = TypeVar("Found")


@dataclass(frozen=True)
class StatePair:
    """A state of each of the two games, after the same moves."""

    first: State
    second: State


@dataclass(frozen=True)
class RulesDifference:
    """What differs after some moves: a sentence for each of the two games.

    Of moves, `only_first` and `only_second` are the texts of those that are legal in one alone.
    """

    kind: Kind
    moves: tuple[str, ...]
    first: str
    second: str
    only_first: tuple[str, ...] = ()
    only_second: tuple[str, ...] = ()


class RulesDiffer(Exception):
    """The two games differ here."""

    def __init__(self, difference: RulesDifference) -> None:
        super().__init__(difference.kind)
        self.difference = difference


class BothFail(Exception):
    """The rules of both games fail here; there is nothing to compare."""


class TwoGames:
    """Plays two games side by side."""

    def __init__(self, first: Rules, second: Rules) -> None:
        """Compare the rules of two games. Raises Differs if they can't be played side by side."""
        self.first, self.second = first, second
        self._check_boards()
        self._mover = first.places[first.game.program.system.mover]
        self._layers = list(self._named_layers())
        self._state = list(self._named_state())
        names = [tuple(site.name for site in rules.game.board.sites) for rules in (first, second)]
        self._moved = None if names[0] == names[1] else [names[1].index(name) for name in names[0]]

    def _check_boards(self) -> None:
        one, other = self.first.game, self.second.game
        if one.sides != other.sides:
            told = [f"the sides are {', '.join(game.sides)}" for game in (one, other)]
            raise RulesDiffer(RulesDifference("board", (), told[0], told[1]))
        sites = [{site.name for site in game.board.sites} for game in (one, other)]
        if sites[0] != sites[1]:
            told = [
                f"{len(here)} sites" + (f", with {', '.join(more[:6])}" if more else "")
                for here, more in (
                    (sites[0], sorted(sites[0] - sites[1])),
                    (sites[1], sorted(sites[1] - sites[0])),
                )
            ]
            raise RulesDiffer(RulesDifference("board", (), told[0], told[1]))

    def _named_layers(self) -> Iterator[tuple[str, int | None, int | None]]:
        places = [
            {layer.name: rules.places[layer.slot] for layer in rules.game.layers}
            for rules in (self.first, self.second)
        ]
        for name in dict.fromkeys((*places[0], *places[1])):
            yield name, places[0].get(name), places[1].get(name)

    def _named_state(self) -> Iterator[tuple[str, Slot, int, Slot, int]]:
        """Yield each variable that the rules of both keep under one name."""
        for name, slot in self.first.game.state_slots.items():
            other = self.second.game.state_slots.get(name)
            if other is None or slot.type != other.type or slot.per_site != other.per_site:
                continue
            if slot in self.first.places and other in self.second.places:
                yield name, slot, self.first.places[slot], other, self.second.places[other]

    # --------------------------------------------------------------------- play

    def begin(self) -> StatePair:
        """Return the states that both games begin with. Raises Differs, BothFail."""
        first, second = self._both((), self.first.evaluator.start, self.second.evaluator.start)
        return StatePair(first, second)

    def look(self, pair: StatePair, moves: tuple[str, ...]) -> list[MovePair]:
        """Return the legal moves of both in a state. Raises Differs, BothFail.

        `moves` are those that lead there.
        """
        self._compare_positions(pair, moves)
        first, second = self._both(
            moves,
            lambda: list(self.first.evaluator.legal(pair.first)),
            lambda: list(self.second.evaluator.legal(pair.second)),
        )
        found = self._matched(first, second, moves)
        if not found:
            self._compare_outcomes(pair, moves)
        return found

    def advance(self, pair: StatePair, both: MovePair, moves: tuple[str, ...]) -> StatePair:
        """Return the states after a move. Raises Differs, BothFail."""
        first, second = self._both(
            moves,
            lambda: self.first.evaluator.apply(pair.first, both[0]),
            lambda: self.second.evaluator.apply(pair.second, both[1]),
        )
        return StatePair(first, second)

    def side(self, pair: StatePair) -> int:
        """Return the side on turn, by number."""
        return int(pair.first.values[self._mover])

    def _both(
        self, moves: tuple[str, ...], one: Callable[[], Found], other: Callable[[], Found]
    ) -> tuple[Found, Found]:
        """Return what both games answer; it is a difference if one fails alone."""
        found: list[Found] = []
        told: list[str] = []
        for ask in (one, other):
            try:
                found.append(ask())
                told.append("the rules go on")
            except RuleError as error:
                told.append(f"the rules fail: {error.diagnostic.message}")
        if not found:
            raise BothFail
        if len(found) == 1:
            raise RulesDiffer(RulesDifference("failure", moves, told[0], told[1]))
        return found[0], found[1]

    # ------------------------------------------------------------------ comparing

    def _compare_positions(self, pair: StatePair, moves: tuple[str, ...]) -> None:
        for name, here, there in self._layers:
            one = 0 if here is None else pair.first.values[here]
            other = 0 if there is None else pair.second.values[there]
            if self._renamed(one) != other:
                told = [self._sites_text(self.first, one), self._sites_text(self.second, other)]
                raise RulesDiffer(
                    RulesDifference("position", moves, f"{name}: {told[0]}", f"{name}: {told[1]}")
                )
        for name, slot, here, other_slot, there in self._state:
            one_value, other_value = pair.first.values[here], pair.second.values[there]
            if one_value == other_value and self._moved is None:
                continue
            texts = [
                write_plain(rules.game, kept.type, value)
                for rules, kept, value in (
                    (self.first, slot, one_value),
                    (self.second, other_slot, other_value),
                )
            ]
            same = sorted(texts[0].split()) == sorted(texts[1].split())
            if not (same if slot.type == SITES or slot.per_site else texts[0] == texts[1]):
                raise RulesDiffer(
                    RulesDifference("position", moves, f"{name}: {texts[0]}", f"{name}: {texts[1]}")
                )
        ended = [pair.first.ended, pair.second.ended]
        if ended[0] != ended[1]:
            raise RulesDiffer(
                RulesDifference("outcome", moves, _outcome(ended[0]), _outcome(ended[1]))
            )
        turns = [self._turn(self.first, pair.first), self._turn(self.second, pair.second)]
        if ended[0] is None and turns[0] != turns[1]:
            raise RulesDiffer(RulesDifference("turn", moves, turns[0], turns[1]))

    def _turn(self, rules: Rules, state: State) -> str:
        position = Position(rules, state)
        seat = position.seat
        if seat is None:
            return "chance is to move"
        return f"{position.mover} (seat {seat}) {verb_of([position.mover], 'is')} to move"

    def _renamed(self, sites: int) -> int:
        if self._moved is None:
            return sites
        return sum(1 << self._moved[index] for index in bits(sites))

    def _sites_text(self, rules: Rules, sites: int) -> str:
        return ", ".join(rules.game.board.sites[index].name for index in bits(sites)) or "nowhere"

    def _matched(
        self, first: Sequence[Move], second: Sequence[Move], moves: tuple[str, ...]
    ) -> list[MovePair]:
        if [move.text for move in first] == [move.text for move in second]:
            return list(zip(first, second, strict=True))
        there: dict[str, list[Move]] = {}
        for move in second:
            there.setdefault(move.text, []).append(move)
        both, only_first = [], []
        for move in first:
            found = there.get(move.text)
            if found:
                both.append((move, found.pop(0)))
            else:
                only_first.append(move.text)
        only_second = [move.text for rest in there.values() for move in rest]
        if only_first or only_second:
            numbers = [f"{len(legal)} legal moves" for legal in (first, second)]
            raise RulesDiffer(
                RulesDifference(
                    "moves", moves, numbers[0], numbers[1], tuple(only_first), tuple(only_second)
                )
            )
        return both

    def _compare_outcomes(self, pair: StatePair, moves: tuple[str, ...]) -> None:
        first, second = self._both(
            moves,
            lambda: self.first.evaluator.outcome(pair.first),
            lambda: self.second.evaluator.outcome(pair.second),
        )
        if first != second:
            raise RulesDiffer(RulesDifference("outcome", moves, _outcome(first), _outcome(second)))


def _outcome(outcome: object) -> str:
    return "the game goes on" if outcome is None else str(outcome)


# -------------------------------------------------------------------- which moves are near to sites


class Near:
    """Tells which moves are near to sites."""

    def __init__(self, board: Board) -> None:
        """Tell it of the moves of a game on this board."""
        self._board = board
        self._sites: dict[str, int] = {}
        relations = [board.relations.get(name) for name in ("adjacent", "compass", "incident")]
        self._relations = [relation for relation in relations if relation is not None]

    def sites(self, text: str) -> int:
        """Return the sites that a move names."""
        if text not in self._sites:
            found = (self._board.index(word) for word in words(text))
            self._sites[text] = sum(1 << index for index in set(found) if index is not None)
        return self._sites[text]

    def around(self, met: int) -> int:
        """Return sites with all that are next to one of them."""
        found = met
        for relation in self._relations:
            found |= relation.image(met)
        return found

    def those(self, legal: list[MovePair], met: int) -> list[MovePair]:
        """Return the moves that name a site next to those that were met, or one of them."""
        around = self.around(met)
        return [both for both in legal if self.sites(both[0].text) & around]
