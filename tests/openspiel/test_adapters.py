"""The adapters and the comparison themselves, tested on OpenSpiel alone.

`Mirror` shows OpenSpiel's own game as if it were one of ours, so that a game must be found equal to
itself and each kind of tampering must be found out.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import pytest

from .adapter import Adapter, Pieces, State, Turn, half_turn, unchanged, upside_down
from .adapters import ADAPTERS
from .lockstep import DifferenceError, play_in_lockstep

BY_NAME = {adapter.game: adapter for adapter in ADAPTERS}
TOLD_BY_SITES = [
    adapter
    for adapter in ADAPTERS
    if not (
        adapter.by_result or adapter.by_ends or adapter.by_moves or adapter.start().is_chance_node()
    )
]
WHOLE_TURNS = [one for one in ADAPTERS if one.quick_games and not one.action_is_turn]
GAMES = 3
"""So many games are played, at most, until one is decided."""
GAME_OVER = -4  # the player that OpenSpiel names then


@dataclass(frozen=True)
class MirrorOutcome:
    winners: tuple[str, ...]


@dataclass(frozen=True)
class Mirror:
    """A position of OpenSpiel's with the face of one of ours; the sides are First, Second …"""

    adapter: Adapter
    state: State
    first: str = "First"
    second: str = "Second"

    def start(self) -> "Mirror":
        return self

    @property
    def sides(self) -> tuple[str, ...]:
        further = ("Third", "Fourth", "Fifth", "Sixth")
        return (self.first, self.second, *further)[: self.state.num_players()]

    @property
    def mover(self) -> str:
        return self.sides[max(0, self.state.current_player())]

    @property
    def seat(self) -> int | None:
        return None if self.state.is_chance_node() else 1

    @property
    def over(self) -> bool:
        return bool(self.state.is_terminal())

    @property
    def outcome(self) -> MirrorOutcome | None:
        returns = self.state.returns()
        won = (side for side, value in zip(self.sides, returns, strict=True) if value > 0)
        return MirrorOutcome(tuple(won)) if self.over else None

    def pieces(self) -> dict[str, str]:
        names = {str(number): f"{side} Man" for number, side in enumerate(self.sides)}
        names |= {f"{number}K": f"{side} King" for number, side in enumerate(self.sides)}
        return {
            site: names.get(token, "Arrow")
            for site, token in self.adapter.pieces(self.state).items()
        }

    def moves(self) -> tuple[str, ...]:
        return tuple(self._turns())

    def play(self, move: str) -> "Mirror":
        return replace(self, state=self._turns()[move].after)

    def _turns(self) -> dict[str, Turn]:
        return {"-".join(turn.sites) or "pass": turn for turn in self.adapter.turns(self.state)}


def mirror(adapter: Adapter) -> Mirror:
    return Mirror(adapter, adapter.start())


@pytest.mark.at_night("chinese-checkers three", "breakthrough")
@pytest.mark.parametrize(
    "adapter", [one for one in ADAPTERS if one.quick_games], ids=lambda adapter: adapter.title
)
def test_a_game_is_the_same_as_itself(adapter: Adapter) -> None:
    assert any(play_in_lockstep(adapter, mirror(adapter), seed) for seed in range(GAMES))


class FewerMoves(Mirror):
    def moves(self) -> tuple[str, ...]:
        return super().moves()[1:]


class MoveTwice(Mirror):
    def moves(self) -> tuple[str, ...]:
        return super().moves() + super().moves()[:1]


class MissingPiece(Mirror):
    def pieces(self) -> dict[str, str]:
        return dict(list(super().pieces().items())[1:])


class WrongSides(Mirror):
    def pieces(self) -> dict[str, str]:
        return dict.fromkeys(super().pieces(), "First Man")


class AlwaysFirst(Mirror):
    @property
    def mover(self) -> str:
        return self.first


class AlwaysChance(Mirror):
    @property
    def seat(self) -> int | None:
        return None


class NeverOver(Mirror):
    @property
    def over(self) -> bool:
        return False


class LoserWins(Mirror):
    @property
    def outcome(self) -> MirrorOutcome | None:
        won = super().outcome
        return won and MirrorOutcome((self.second if won.winners == (self.first,) else self.first,))


class EarlyDraw(Mirror):
    @property
    def over(self) -> bool:
        return len(super().pieces()) > 4

    @property
    def outcome(self) -> MirrorOutcome | None:
        return MirrorOutcome(()) if self.over else None


@pytest.mark.parametrize(
    ("kind", "what"),
    [
        (FewerMoves, "legal moves: only ours"),
        (MoveTwice, "number of different moves"),
        (MissingPiece, "pieces: only ours"),
        (WrongSides, "pieces: only ours"),
        (AlwaysFirst, "player on turn: ours 0, OpenSpiel's 1"),
        (AlwaysChance, "turn of chance: ours True, OpenSpiel's False"),
        (NeverOver, "game over: ours False, OpenSpiel's True"),
        (LoserWins, "winners: only ours"),
        (EarlyDraw, "game over: ours True, OpenSpiel's False"),
    ],
)
def test_a_difference_is_found(kind: type[Mirror], what: str) -> None:
    adapter = BY_NAME["tic-tac-toe"]
    with pytest.raises(DifferenceError, match=what):
        play_in_lockstep(adapter, kind(adapter, adapter.start()), seed=1)


def test_a_difference_tells_the_moves_that_lead_to_it() -> None:
    adapter = BY_NAME["connect-four"]
    game = AlwaysFirst(adapter, adapter.start())
    with pytest.raises(DifferenceError, match=r"connect-four, game 7, after [a-g]: player on turn"):
        play_in_lockstep(adapter, game, seed=7)


@dataclass(frozen=True)
class Relaid(Mirror):
    """A mirror whose board lies otherwise."""

    lay: Callable[[str], str] = unchanged

    def pieces(self) -> Pieces:
        return {self.lay(site): text for site, text in super().pieces().items()}

    def _turns(self) -> dict[str, Turn]:
        return {
            "-".join(map(self.lay, turn.sites)): turn for turn in self.adapter.turns(self.state)
        }


@pytest.mark.parametrize(
    ("game", "lay"), [("breakthrough", upside_down(8)), ("draughts", half_turn(8, 8))]
)
def test_a_board_may_lie_otherwise(game: str, lay: Callable[[str], str]) -> None:
    adapter = BY_NAME[game]
    game_of_ours = Relaid(adapter, adapter.start(), lay=lay)
    assert any(play_in_lockstep(adapter, game_of_ours, seed) for seed in range(GAMES))


def turn_sequences(adapter: Adapter, state: State, depth: int) -> int:
    turns = adapter.turns(state)
    return (
        len(turns)
        if depth == 1
        else sum(turn_sequences(adapter, t.after, depth - 1) for t in turns)
    )


@pytest.mark.parametrize(
    ("game", "counts"),
    [
        ("tic-tac-toe", (9, 72, 504, 3024, 15120)),
        ("connect-four", (7, 49, 343, 2401)),
        ("hex", (121, 14520)),
        ("y", (45, 1980)),
        ("othello", (4, 12, 56, 244, 1396)),
        ("breakthrough", (22, 484, 11132)),
        ("amazons", (2176,)),
        ("go", (82, 6643)),
        ("nine-mens-morris", (24, 552, 12144)),
        ("draughts", (7, 49, 302, 1469, 7361, 36768)),
    ],
)
def test_the_number_of_whole_turns_is_the_known_one(game: str, counts: tuple[int, ...]) -> None:
    adapter = BY_NAME[game]
    depths = range(1, len(counts) + 1)
    assert tuple(turn_sequences(adapter, adapter.start(), depth) for depth in depths) == counts


@pytest.mark.at_night("chinese-checkers1")
@pytest.mark.parametrize("adapter", WHOLE_TURNS, ids=lambda adapter: adapter.game)
def test_a_turn_hands_over_or_ends_the_game(adapter: Adapter) -> None:
    random = Random(adapter.game)
    state = adapter.start()
    while turns := adapter.turns(state):
        for turn in turns:
            following = (state.current_player() + 1) % state.num_players()
            assert turn.after.current_player() in (following, GAME_OVER)
        state = random.choice(turns).after


@pytest.mark.parametrize("adapter", TOLD_BY_SITES, ids=lambda adapter: adapter.game)
def test_a_turn_changes_the_sites_that_it_names(adapter: Adapter) -> None:
    random = Random(adapter.game)
    state = adapter.start()
    while turns := adapter.turns(state):
        turn = random.choice(turns)
        before, after = adapter.pieces(state), adapter.pieces(turn.after)
        changed = {site for site in before | after if before.get(site) != after.get(site)}
        columns = {site[0] for site in changed}
        assert set(turn.sites) <= changed | columns
        state = turn.after


@pytest.mark.parametrize("adapter", TOLD_BY_SITES, ids=lambda adapter: adapter.game)
def test_different_turns_have_different_sites_and_results(adapter: Adapter) -> None:
    random = Random(adapter.game)
    state = adapter.start()
    while turns := adapter.turns(state):
        results = {tuple(sorted(adapter.pieces(turn.after).items())) for turn in turns}
        assert len(results) == len(turns) == len({turn.sites for turn in turns})
        state = random.choice(turns).after


def test_a_stone_that_brings_a_board_back_is_no_turn() -> None:
    adapter = BY_NAME["go"]
    state = adapter.start()
    for point in ["d2", "c2", "b2", "d1", "a2", "a1", "c1", "b1", "c1"]:
        (turn,) = (turn for turn in adapter.turns(state) if turn.sites == (point,))
        state = turn.after
    sites = {turn.sites for turn in adapter.turns(state)}
    assert 0 in state.legal_actions() and state.child(0).is_terminal()
    assert ("a1",) not in sites
    assert () in sites and len(sites) == len(state.legal_actions()) - 1
