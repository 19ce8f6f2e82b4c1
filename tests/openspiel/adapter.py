"""What it takes to read an OpenSpiel game: from its states and actions to sites, pieces and turns.

In: a `pyspiel.State`, whose board is text and whose turn may be several actions.
Out: the pieces by site name and the whole turns that are legal.
Then: site names are a letter and a number, a piece is one of the tokens below, and after the
actions of a turn the other player is to act or the game is over.

Piece tokens: `0` and `1` for the players' plain pieces, with a `K` behind for a king, `#` for a
piece that is nobody's.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import pyspiel  # type: ignore[import-not-found]

# OpenSpiel has no type information.
State = Any
Pieces = dict[str, str]
Sites = tuple[str, ...]
Orientation = Callable[[str], str]

SITE = re.compile(r"[a-z]+\d+")


@dataclass(frozen=True)
class Turn:
    """One whole turn: OpenSpiel's actions, the sites they name in order, and the state after."""

    actions: tuple[int, ...]
    sites: Sites
    after: State


def unchanged(site: str) -> str:
    """The board as OpenSpiel has it."""
    return site


def sites_in(text: str) -> Sites:
    """The site names in a move's text, in order."""
    return tuple(SITE.findall(text))


def never(turn: Turn) -> bool:
    """No turn."""
    return False


@dataclass(frozen=True)
class Adapter:
    """How one of our games is found in OpenSpiel."""

    game: str
    """Our name of it."""
    openspiel: str
    """OpenSpiel's name of it, with parameters as `pyspiel.load_game` takes them."""
    pieces: Callable[[State], Pieces]
    """Reads the board of a state between turns."""
    sites: Callable[[State, int], Sites]
    """Reads the sites that an action names: none for a pass."""
    options: Mapping[str, object] = field(default_factory=dict)
    """The options of ours that make it the same game."""
    forbidden: Callable[[Turn], bool] = never
    """Whether our rules forbid a turn that OpenSpiel allows."""
    left_out: str | None = None
    """A move that our rules allow and OpenSpiel does not know."""
    orientations: tuple[Orientation, ...] = (unchanged,)
    """Ways to lay OpenSpiel's board on ours; the first that fits the starting position is taken."""
    read_move: Callable[[str], Sites] = sites_in
    """The sites in the text of a move of ours, as those of a `Turn`."""
    action_is_turn: bool = False
    """Whether each action is a turn, also where the same player acts again."""
    by_moves: bool = False
    """Whether positions are compared by their moves alone, as no piece stands on the board."""
    by_result: bool = False
    """Whether turns are told apart by the positions they lead to and not by their sites."""
    by_ends: bool = False
    """Whether turns are told apart by the first and the last of their sites alone."""
    draws_are_cut_offs: bool = False
    """Whether a draw only ever comes from a bound on the game's length, which rules may lack."""
    distance: Callable[[State, int], int] | None = None
    """How far a player is from its goal, in games that would hardly ever end by chance."""
    variants: tuple[str, ...] = ()
    """The variants of ours that make it the same game."""
    quick_games: int = 100
    """How many games are played where slow tests are not."""

    @property
    def title(self) -> str:
        """Our name of it, with the variants."""
        return " ".join((self.game, *self.variants))

    @cached_property
    def _game(self) -> Any:
        return pyspiel.load_game(self.openspiel)

    def start(self) -> State:
        """OpenSpiel's starting position."""
        return self._game.new_initial_state()

    def turns(self, state: State) -> list[Turn]:
        """All whole turns that are legal in a state; none when the game is over."""
        if state.is_terminal():
            return []
        found = [turn for turn in self._expand(state, (), ()) if not self.forbidden(turn)]
        if not self.by_ends:
            return found
        ends = {(turn.sites[0], turn.sites[-1]): turn for turn in found}
        return [Turn(turn.actions, sites, turn.after) for sites, turn in ends.items()]

    def _expand(self, state: State, actions: tuple[int, ...], sites: Sites) -> Iterator[Turn]:
        player = state.current_player()
        for action in state.legal_actions():
            after = state.child(action)
            taken = (*actions, action)
            named = _continued(sites, self.sites(state, action))
            goes_on = after.current_player() == player and not self.action_is_turn
            if after.is_terminal() or not goes_on:
                yield Turn(taken, named, after)
            else:
                yield from self._expand(after, taken, named)


def _continued(sites: Sites, more: Sites) -> Sites:
    """The sites of a longer turn: a piece that goes on starts where it stands."""
    goes_on = len(sites) > 1 and len(more) > 1 and sites[-1] == more[0]
    return sites + more[1:] if goes_on else sites + more


def site_name(column: int, row: int) -> str:
    """A site's name from its column and row, both counted from 0: `a1` is (0, 0)."""
    return f"{chr(ord('a') + column)}{row + 1}"


def upside_down(rows: int) -> Orientation:
    """The board with its last row first."""

    def lay(site: str) -> str:
        return f"{site[0]}{rows + 1 - int(site[1:])}"

    return lay


def half_turn(columns: int, rows: int) -> Orientation:
    """The board turned by 180 degrees."""

    def lay(site: str) -> str:
        return site_name(columns - 1 - (ord(site[0]) - ord("a")), rows - int(site[1:]))

    return lay
