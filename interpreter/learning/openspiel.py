"""OpenSpiel: any game as one of its games, `gdl`.

In: parameters that name a game. Out: what `pyspiel.load_game("gdl", …)` gives (M. Lanctot et al.,
"OpenSpiel: A Framework for Reinforcement Learning in Games", 2019). What then holds: an action is
one decision of a turn; chance decides in nodes of its own, with exact shares; rounds in which each
side decides one thing, together with the others, are simultaneous nodes. If a side has several
things to decide, they are gone through side by side, none seeing what the others have chosen.

States keep the bytes of a position, not the position: copies of them are cheap. All states of a
game share one `Env` of a single row.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from gdl.analysis.number_ranges import NumberRanges
from gdl.analysis.ranges import Range, Uncovered
from gdl.core.nodes import GREATEST, LEAST, Const, Expression, Op
from gdl.interpreter.api import load
from gdl.interpreter.environment import Env
from gdl.model import Game

_SHORT_NAME = "gdl"
_USUAL = {"game": "", "options": "", "variants": "", "max_plies": 2000}
_MOST_DECISIONS = 64
"""How many decisions a turn is taken to have where the rules set no bound."""
_MOST_RECALLED = 1 << 14
_KEPT_GAMES = 64

_Type = pyspiel.GameType


def parameters(
    game: str,
    *,
    options: Mapping[str, object] | None = None,
    variants: Sequence[str] = (),
    max_plies: int = 2000,
) -> dict[str, str | int]:
    """Return the parameters of `pyspiel.load_game` for a game: its name or path, and the rest.

    They have no `=` of their own: OpenSpiel could not read a game that it has written down. A game
    is cut off after `max_plies` moves; so many longest turns are what OpenSpiel is told of its
    length (`max_game_length`, in decisions). Give less where you know that games are shorter.

    >>> parameters("hex", options={"size": 3})
    {'game': 'hex', 'options': 'size:3', 'variants': '', 'max_plies': 2000}
    """
    told = ";".join(f"{name}:{value}" for name, value in (options or {}).items())
    return {
        "game": game,
        "options": told,
        "variants": ";".join(variants),
        "max_plies": max_plies,
    }


class _Table:
    """What all states of a game share: the row in which positions are looked at."""

    def __init__(self, game: str, options: str, variants: str, max_plies: int) -> None:
        given = dict(re.split("[:=]", part, maxsplit=1) for part in options.split(";") if part)
        rules = load(game, given, tuple(part for part in variants.split(";") if part))
        self.max_plies = max_plies
        self.env = Env(
            rules,
            1,
            auto_reset=False,
            chance="explicit",
            max_plies=max_plies,
            recall=min(4 * max_plies, _MOST_RECALLED) if rules.game.hides else 0,
        )
        actions, phases = self.env.actions, self.env.phases_together
        self.is_simultaneous = bool(phases) and {*map(actions.longest_in, phases)} == {1}
        self.start = self.env.save([0])
        self._here = self.start

    def __deepcopy__(self, memo: dict[int, object]) -> _Table:
        return self

    def go_to(self, saved: NDArray[np.uint8]) -> None:
        """Let the row be at a state that was saved."""
        if saved is not self._here:
            self.env.load([0], saved)
            self._here = saved

    def after(self, action: int) -> NDArray[np.uint8]:
        """Take an action in the row; return the state that follows."""
        self.env.step(np.array([action], np.int32))
        self._here = self.env.save([0])
        return self._here

    def after_all(self, actions: Sequence[int]) -> NDArray[np.uint8]:
        """Take an action of each seat in the row, in a round; return the state that follows."""
        self.env.step_together(np.array([actions], np.int32))
        self._here = self.env.save([0])
        return self._here

    def type_of(self) -> Any:
        """Return what kind of game it is, as OpenSpiel tells them apart."""
        env = self.env
        return game_type(
            chance=env.has_chance,
            hides=env.hides,
            seats=env.seats,
            is_zero_sum=is_zero_sum(env.game),
            is_simultaneous=self.is_simultaneous,
        )

    def info(self) -> Any:
        """Return the numbers that OpenSpiel asks of a game."""
        env, size = self.env, self.env.actions.size
        least, most = payoffs_of(env.game)
        longest = env.actions.longest or _MOST_DECISIONS
        return pyspiel.GameInfo(
            num_distinct_actions=size,
            max_chance_outcomes=size if env.has_chance else 0,
            num_players=env.seats,
            min_utility=least,
            max_utility=most,
            utility_sum=0.0 if is_zero_sum(env.game) else None,
            max_game_length=self.max_plies * longest,
        )


def payoffs_of(game: Game) -> tuple[float, float]:
    """Return between which bounds what a game is worth lies, as far as the rules tell them."""
    program = game.program
    bounds = [-1.0, 1.0]
    ranges = NumberRanges(program, game.board.size, in_play=True)
    for worth in (one for turn in program.turns for end in turn.clauses for one in end.payoffs):
        try:
            found = ranges.of(worth)
        except Uncovered:
            found = Range(LEAST, GREATEST)
        low, high = found.low / found.denominator, found.high / found.denominator
        bounds += (low if low > LEAST else -np.inf, high if high < GREATEST else np.inf)
    return float(min(bounds)), float(max(bounds))


def is_zero_sum(game: Game) -> bool:
    """Return whether what a game is worth to its sides is proved to come to 0 in each ending.

    A win and a loss, where an ending doesn't say more, do between two sides. Payoffs do if all that
    is added in them is taken away as well.
    """
    endings = (end for turn in game.program.turns for end in turn.clauses)
    without = {"passes", "draw", *(("wins", "loses", "highest", "lowest") * (len(game.sides) == 2))}
    return len(game.sides) > 1 and all(
        _is_nothing(end.payoffs) if end.payoffs else end.kind in without for end in endings
    )


def _is_nothing(numbers: Iterable[Expression]) -> bool:
    """Whether the sum of numbers is 0, by what they are made of."""
    total: dict[Expression | None, int | Fraction] = {}
    parts: list[tuple[Expression, int | Fraction]] = [(number, 1) for number in numbers]
    while parts:
        node, times = parts.pop()
        match node:
            case Const(int() | Fraction() as value):
                total[None] = total.get(None, 0) + times * value
            case Op("add", (a, b)):
                parts += [(a, times), (b, times)]
            case Op("subtract", (a, b)):
                parts += [(a, times), (b, -times)]
            case Op("multiply", (Const(int() | Fraction() as value), a)):
                parts.append((a, times * value))
            case Op("multiply", (a, Const(int() | Fraction() as value))):
                parts.append((a, times * value))
            case Op("fraction", (a, Const(int() | Fraction() as value))) if value:
                parts.append((a, Fraction(times) / value))
            case _:
                total[node] = total.get(node, 0) + times
    return not any(total.values())


def game_type(
    *, chance: bool, hides: bool, seats: int, is_zero_sum: bool, is_simultaneous: bool
) -> Any:
    """Return what OpenSpiel is told of a game before it is played."""
    return _Type(
        short_name=_SHORT_NAME,
        long_name="A game whose rules are a file",
        dynamics=(_Type.Dynamics.SIMULTANEOUS if is_simultaneous else _Type.Dynamics.SEQUENTIAL),
        chance_mode=(
            _Type.ChanceMode.EXPLICIT_STOCHASTIC if chance else _Type.ChanceMode.DETERMINISTIC
        ),
        information=(
            _Type.Information.IMPERFECT_INFORMATION
            if hides
            else _Type.Information.PERFECT_INFORMATION
        ),
        utility=_Type.Utility.ZERO_SUM if is_zero_sum else _Type.Utility.GENERAL_SUM,
        reward_model=_Type.RewardModel.TERMINAL,
        max_num_players=seats,
        min_num_players=seats,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(_USUAL),
    )


@lru_cache(_KEPT_GAMES)
def _table(game: str, options: str, variants: str, max_plies: int) -> _Table:
    return _Table(game, options, variants, max_plies)


def _table_of(given: Mapping[str, Any] | None) -> _Table:
    """Return what is shared by the states of a game with these parameters.

    OpenSpiel may hand on a game without what was kept in it, so that it is found by them.
    """
    told = {**_USUAL, **(given or {})}
    return _table(*(told[name] for name in _USUAL))


class OpenSpielGame(pyspiel.Game):
    """A game as OpenSpiel has them; its parameters are those that `parameters` gives."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Load and compile the game. Raises GameError and Uncovered as `Env` does."""
        table = _table_of(params)
        super().__init__(table.type_of(), table.info(), dict(params or {}))

    def new_initial_state(self) -> OpenSpielState:
        """Return the state that the game begins with."""
        return OpenSpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """Return what tells states apart: by all that a player has seen, or by what it sees now."""
        table = _table_of(self.get_parameters())
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return _Recall(table)
        return _Observer(table)


class OpenSpielState(pyspiel.State):
    """A state of a game: bytes, and what is asked of them most."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self._given = dict(game.get_parameters())
        table = self._table
        self.saved = table.start
        table.go_to(self.saved)
        self._returns = [0.0] * table.env.seats
        self._note()

    @property
    def _table(self) -> _Table:
        return _table_of(self._given)

    def _note(self) -> None:
        """Note what may be done in the row, and by whom."""
        table = self._table
        env, now = table.env, table.env.now
        self._seat = int(now.seat[0])
        self._is_cut = bool(now.truncated[0])
        self._is_round = table.is_simultaneous and not self._is_cut and bool(env.together[0])
        if self._is_round:
            self._legal = [np.flatnonzero(mask).tolist() for mask in env.masks_together()[0]]
        else:
            self._legal = [[] if self.is_terminal() else np.flatnonzero(now.mask[0]).tolist()]

    def current_player(self) -> int:
        """Return who decides."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        if self._is_round:
            return int(pyspiel.PlayerId.SIMULTANEOUS)
        return int(pyspiel.PlayerId.CHANCE) if self._seat < 0 else self._seat

    def _legal_actions(self, player: int) -> list[int]:
        return list(self._legal[player if self._is_round else 0])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance may decide, each with its share."""
        table = self._table
        table.go_to(self.saved)
        shares = table.env.chance()[0].astype(np.float64)
        shares /= shares.sum()
        return [(action, float(shares[action])) for action in self._legal[0]]

    def _apply_action(self, action: int) -> None:
        table = self._table
        table.go_to(self.saved)
        self._go_on(table.after(action))

    def _apply_actions(self, actions: Sequence[int]) -> None:
        table = self._table
        table.go_to(self.saved)
        self._go_on(table.after_all(actions))

    def _go_on(self, saved: NDArray[np.uint8]) -> None:
        """Be the state that the row is at, which was saved."""
        self.saved = saved
        rewards = self._table.env.now.reward[0]
        self._returns = [
            before + float(more) for before, more in zip(self._returns, rewards, strict=True)
        ]
        self._note()

    def _action_to_string(self, player: int, action: int) -> str:
        return self._table.env.actions.text(action)

    def is_terminal(self) -> bool:
        """Return whether the game is over, or was cut off."""
        return self._seat == -2 or self._is_cut

    def returns(self) -> list[float]:
        """Return what the game has come to for each player."""
        return list(self._returns)

    def __str__(self) -> str:
        table = self._table
        table.go_to(self.saved)
        return table.env.render(0)


class _Observer:
    """What a player sees now: `planes` [P, S] and `scalars` [V], and both in `tensor` (float32)."""

    def __init__(self, table: _Table) -> None:
        self._table = table
        planes, scalars = table.env.observe(0)
        count = planes[0].size
        self.tensor = np.zeros(count + scalars.shape[1], np.float32)
        self.dict = {
            "planes": self.tensor[:count].reshape(planes.shape[1:]),
            "scalars": self.tensor[count:],
        }

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """Fill the arrays with what a player sees of a state."""
        self._table.go_to(state.saved)
        planes, scalars = self._table.env.observe(player)
        self.dict["planes"][:] = planes[0]
        self.dict["scalars"][:] = scalars[0]

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what a player sees, as text that is equal where that is."""
        self._table.go_to(state.saved)
        if not self._table.env.hides:
            return str(state)
        planes, scalars = self._table.env.observe(player)
        return (planes.tobytes() + scalars.tobytes()).hex()


class _Recall:
    """All that a player has seen and done, as text that is equal where that is; no arrays."""

    def __init__(self, table: _Table) -> None:
        self._table = table
        self.tensor = None
        self.dict: dict[str, NDArray[np.float32]] = {}

    def set_from(self, state: OpenSpielState, player: int) -> None:
        """There is nothing to fill."""

    def string_from(self, state: OpenSpielState, player: int) -> str:
        """Return what tells the player's information states apart."""
        if not self._table.env.hides:
            told: str = state.history_str()
            return told
        self._table.go_to(state.saved)
        events, counts = self._table.env.information(player)
        return " ".join("/".join(map(str, event)) for event in events[0, : counts[0]])


@cache
def register() -> None:
    """Let `pyspiel.load_game` know the game `gdl`, once a process.

    Its parameters are `game` (a name or a path), `options` (`size:5;pie:yes`), `variants` (names
    with `;` between) and `max_plies`, as `parameters` gives them:
    `pyspiel.load_game("gdl", parameters("hex", options={"size": 3}))`.
    """
    told = game_type(chance=True, hides=True, seats=2, is_zero_sum=False, is_simultaneous=False)
    pyspiel.register_game(told, OpenSpielGame)
