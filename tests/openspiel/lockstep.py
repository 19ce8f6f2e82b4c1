"""One random game played in our interpreter and in OpenSpiel at the same time.

In: an `Adapter`, a game of ours and a seed. Out: the winner, or that the game was cut off.
Then: at every ply the pieces, the side on turn and the legal moves were the same, and so was the
outcome; the first difference raises `DifferenceError`, which tells the moves that lead to it.
"""

from collections.abc import Sequence
from random import Random
from typing import Any, Protocol

from .adapter import Adapter, Orientation, Pieces, Sites, State, Turn


class Outcome(Protocol):
    """How a game of ours ended: the sides that won, none if it was a draw."""

    @property
    def winners(self) -> tuple[str, ...]: ...


class Position(Protocol):
    """What is asked of a position of ours."""

    @property
    def mover(self) -> Any: ...

    @property
    def seat(self) -> int | None: ...

    @property
    def over(self) -> bool: ...

    @property
    def outcome(self) -> Outcome | None: ...

    def pieces(self) -> dict[str, str]: ...

    def moves(self) -> Sequence[Any]: ...

    def play(self, move: Any) -> "Position": ...


class Startable(Protocol):
    """What is asked of a game of ours."""

    @property
    def sides(self) -> tuple[str, ...]: ...

    def start(self) -> Position: ...


WANDERING = 0.2
"""How often any move is made in games that have a distance to a goal."""


class DifferenceError(AssertionError):
    """Our game and OpenSpiel's differ."""


def play_in_lockstep(adapter: Adapter, game: Startable, seed: int) -> bool:
    """Play one random game in both and compare them at every ply.

    Gives whether the game came to its end, false where one of the two cut it off as a draw by a
    rule on its length (only where the adapter says that draws are that). The same seed gives the
    same game. Raises `DifferenceError`.
    """
    return Lockstep(adapter, game, seed).play()


class Lockstep:
    """A game that is played in both programs at once; what differs is an error."""

    def __init__(self, adapter: Adapter, game: Startable, seed: int) -> None:
        self.adapter = adapter
        self.seed = seed
        self.random = Random(f"{adapter.game} {seed}")
        self.history: list[str] = []
        self.position = game.start()
        self.state: State = adapter.start()
        first = game.sides.index(str(self.position.mover))
        self.sides = game.sides[first:] + game.sides[:first]
        self.orientation = self._fitting_orientation()

    def play(self) -> bool:
        """Play to the end; whether it was a real one."""
        while True:
            self._expect("pieces", _token_set(self._our_pieces()), _token_set(self._their_pieces()))
            if self._cut_off():
                return False
            self._expect("game over", self.position.over, self.state.is_terminal())
            if self.state.is_terminal():
                self._compare_ends()
                return True
            chance = self.state.is_chance_node()
            self._expect("turn of chance", self.position.seat is None, chance)
            if not chance:
                mover = self.sides.index(str(self.position.mover))
                self._expect("player on turn", mover, self.state.current_player())
            self._play_a_move(self._common_moves())

    def _cut_off(self) -> bool:
        if not self.adapter.draws_are_cut_offs:
            return False
        outcome = self.position.outcome
        ours = self.position.over and outcome is not None and not outcome.winners
        theirs = self.state.is_terminal() and not any(self.state.returns())
        return ours or theirs

    def _compare_ends(self) -> None:
        self._expect("number of moves after the end", len(self.position.moves()), 0)
        outcome = self.position.outcome
        if outcome is None:
            raise self._difference("the game is over without an outcome")
        winners = tuple(self.sides.index(str(side)) for side in outcome.winners)
        returns = enumerate(self.state.returns())
        self._expect("winners", winners, tuple(player for player, won in returns if won > 0))

    def _common_moves(self) -> list[tuple[Any, Turn]]:
        moves = [move for move in self.position.moves() if str(move) != self.adapter.left_out]
        ours = {self._our_key(move): move for move in moves}
        if not self.adapter.by_result:
            self._expect("number of different moves", len(ours), len(moves))
        theirs = {self._their_key(turn): turn for turn in self.adapter.turns(self.state)}
        self._expect("legal moves", set(ours), set(theirs))
        return [(ours[key], theirs[key]) for key in sorted(theirs)]

    def _play_a_move(self, pairs: list[tuple[Any, Turn]]) -> None:
        move, turn = self._chosen(pairs)
        self.history.append(str(move))
        self.position = self.position.play(move)
        self.state = turn.after

    def _chosen(self, pairs: list[tuple[Any, Turn]]) -> tuple[Any, Turn]:
        """A random move; mostly, where there is a distance, one that leads nearest to the goal."""
        if self.adapter.distance is None or self.random.random() < WANDERING:
            return self.random.choice(pairs)
        player = self.state.current_player()
        distances = [self.adapter.distance(turn.after, player) for _, turn in pairs]
        least = min(distances)
        nearest = [pair for pair, far in zip(pairs, distances, strict=True) if far == least]
        return self.random.choice(nearest)

    def _our_key(self, move: Any) -> Sites:
        if not self.adapter.by_result:
            return self.adapter.read_move(str(move))
        return _token_set(_tokens(self.position.play(move).pieces(), self.sides))

    def _their_key(self, turn: Turn) -> Sites:
        if not self.adapter.by_result:
            return tuple(map(self.orientation, turn.sites))
        return _token_set(_laid(self.adapter.pieces(turn.after), self.orientation))

    def _our_pieces(self) -> Pieces:
        return _tokens(self.position.pieces(), self.sides)

    def _their_pieces(self) -> Pieces:
        return _laid(self.adapter.pieces(self.state), self.orientation)

    def _fitting_orientation(self) -> Orientation:
        ours, theirs = self._our_pieces(), self.adapter.pieces(self.state)
        for orientation in self.adapter.orientations:
            if _laid(theirs, orientation) == ours:
                return orientation
        return self.adapter.orientations[0]

    def _expect(self, what: str, ours: Any, theirs: Any) -> None:
        if ours == theirs:
            return
        if isinstance(ours, (set, tuple)):
            surplus, missing = sorted(set(ours) - set(theirs)), sorted(set(theirs) - set(ours))
            raise self._difference(f"{what}: only ours {surplus}, only OpenSpiel's {missing}")
        raise self._difference(f"{what}: ours {ours}, OpenSpiel's {theirs}")

    def _difference(self, what: str) -> DifferenceError:
        played = ", ".join(self.history) or "no move"
        return DifferenceError(
            f"{self.adapter.game}, game {self.seed}, after {played}: {what}\n{self.state}"
        )


def _tokens(pieces: dict[str, str], sides: Sequence[str]) -> Pieces:
    """Our pieces' texts (side and kind, or a kind alone) as tokens."""
    return {site: _token(text, sides) for site, text in pieces.items()}


def _token(text: str, sides: Sequence[str]) -> str:
    side, _, kind = text.partition(" ")
    if not kind:
        return "#"
    return str(sides.index(side)) + ("K" if "King" in kind else "")


def _laid(pieces: Pieces, orientation: Orientation) -> Pieces:
    return {orientation(site): token for site, token in pieces.items()}


def _token_set(pieces: Pieces) -> Sites:
    return tuple(sorted(f"{site}={token}" for site, token in pieces.items()))
