"""Two games played side by side.

In: the rules of both. Out: pairs of states, their legal moves, and the first thing that differs.
What then holds: sites, sides, pieces and variables are compared by their names, so the order in
which a file lists them makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NoReturn

from gdl.board.board import Board
from gdl.board.relation import bits
from gdl.core.nodes import Slot
from gdl.core.types import SITES
from gdl.interpreter.english import verb_of
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.moves import Move, words
from gdl.interpreter.positions.encoding import write_plain
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.verify.lockstep import Answer, Difference, Differs, Lockstep, Pair

MovePair = tuple[Move, Move]
"""The move of each game that one text means, in one position."""


class TwoGames(Lockstep[MovePair]):
    """Plays two games side by side.

    The kinds of difference are `board`, `position`, `turn`, `moves`, `outcome` and `failure`.
    """

    def __init__(self, first: Rules, second: Rules) -> None:
        """Compare the rules of two games. Raises Differs if they can't be played side by side."""
        super().__init__(first.evaluator, second.evaluator)
        self.rules = (first, second)
        self._check_boards()
        self._mover = first.places[first.game.program.system.mover]
        self._layers = list(self._named_layers())
        self._state = list(self._named_state())
        names = [tuple(site.name for site in rules.game.board.sites) for rules in self.rules]
        self._moved = None if names[0] == names[1] else [names[1].index(name) for name in names[0]]

    def _check_boards(self) -> None:
        one, other = (rules.game for rules in self.rules)
        if one.sides != other.sides:
            told = [f"the sides are {', '.join(game.sides)}" for game in (one, other)]
            raise Differs(Difference("board", told[0], told[1]))
        sites = [{site.name for site in game.board.sites} for game in (one, other)]
        if sites[0] != sites[1]:
            told = [
                f"{len(here)} sites" + (f", with {', '.join(more[:6])}" if more else "")
                for here, more in (
                    (sites[0], sorted(sites[0] - sites[1])),
                    (sites[1], sorted(sites[1] - sites[0])),
                )
            ]
            raise Differs(Difference("board", told[0], told[1]))

    def _named_layers(self) -> Iterator[tuple[str, int | None, int | None]]:
        places = [
            {layer.name: rules.places[layer.slot] for layer in rules.game.layers}
            for rules in self.rules
        ]
        for name in dict.fromkeys((*places[0], *places[1])):
            yield name, places[0].get(name), places[1].get(name)

    def _named_state(self) -> Iterator[tuple[str, Slot, int, Slot, int]]:
        """Yield each variable that the rules of both keep under one name."""
        first, second = self.rules
        for name, slot in first.game.state_slots.items():
            other = second.game.state_slots.get(name)
            if other is None or slot.type != other.type or slot.per_site != other.per_site:
                continue
            if slot in first.places and other in second.places:
                yield name, slot, first.places[slot], other, second.places[other]

    # --------------------------------------------------------------------- play

    def look(self, pair: Pair) -> list[MovePair]:
        """Return the legal moves of both in a state."""
        self._compare_positions(pair)
        first, second = self.both(
            "moves",
            pair.moves,
            lambda: list(self.first.legal(pair.first)),
            lambda: list(self.second.legal(pair.second)),
        )
        found = self._matched(first, second, pair.moves)
        if not found:
            self.agreed("outcome", pair, lambda rules, state: rules.outcome(state), _outcomes)
        return found

    def moves_of(self, step: MovePair) -> MovePair:
        """Return the move of each game."""
        return step

    def side(self, pair: Pair) -> int:
        """Return the side on turn, by number."""
        return int(pair.first.values[self._mover])

    def judge(self, kind: str, moves: tuple[Move, ...], one: Answer, two: Answer) -> None:
        """Raise Differs if the rules of one game fail alone."""
        if bool(one.error) != bool(two.error):
            told = [
                f"the rules fail: {x.error}" if x.error else "the rules go on" for x in (one, two)
            ]
            raise Differs(Difference("failure", told[0], told[1], moves))

    # ------------------------------------------------------------------ comparing

    def _compare_positions(self, pair: Pair) -> None:
        for name, here, there in self._layers:
            one = 0 if here is None else pair.first.values[here]
            other = 0 if there is None else pair.second.values[there]
            if self._renamed(one) != other:
                told = map(self._sites_text, self.rules, (one, other))
                self._differs("position", pair, *(f"{name}: {text}" for text in told))
        for name, slot, here, other_slot, there in self._state:
            one_value, other_value = pair.first.values[here], pair.second.values[there]
            if one_value == other_value and self._moved is None:
                continue
            texts = [
                write_plain(rules.game, kept.type, value)
                for rules, kept, value in zip(
                    self.rules, (slot, other_slot), (one_value, other_value), strict=True
                )
            ]
            same = sorted(texts[0].split()) == sorted(texts[1].split())
            if not (same if slot.type == SITES or slot.per_site else texts[0] == texts[1]):
                self._differs("position", pair, *(f"{name}: {text}" for text in texts))
        ended = [pair.first.ended, pair.second.ended]
        if ended[0] != ended[1]:
            self._differs("outcome", pair, *_outcomes(*ended))
        turns = list(map(self._turn, self.rules, (pair.first, pair.second)))
        if ended[0] is None and turns[0] != turns[1]:
            self._differs("turn", pair, *turns)

    def _differs(self, kind: str, pair: Pair, first: str, second: str) -> NoReturn:
        raise Differs(Difference(kind, first, second, pair.moves))

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
        self, first: Sequence[Move], second: Sequence[Move], moves: tuple[Move, ...]
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
            only = tuple(only_first), tuple(only_second)
            raise Differs(Difference("moves", numbers[0], numbers[1], moves, *only))
        return both


def _outcomes(one: object, other: object) -> tuple[str, str]:
    """Return two outcomes in words."""
    first, second = ("the game goes on" if told is None else str(told) for told in (one, other))
    return first, second


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
