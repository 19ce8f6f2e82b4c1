"""The games of a match, played.

In: a match and the number of a game. Out: the game. What then holds: a process compiles a game
once for each kind of player, no game depends on those that were played before it, and the same
games come, in the same order, whoever plays them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from random import Random
from types import MappingProxyType

from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.matches.plan import Match, Played, points
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.sessions.notation import spelled
from gdl.interpreter.sessions.seats import Player, chosen, make_player
from gdl.interpreter.workers.packed import Packed, pack
from gdl.interpreter.workers.run import Run
from gdl.model import Game

_MOST_GAMES_KNOWN = 4
_MOST_PLAYERS_KNOWN = 32


Games = Callable[[Match, Sequence[int]], Iterator[Played]]
"""What plays the games of these numbers, in their order."""


def games_by(run: Run, game: Game) -> Games:
    """Return what plays the games of matches of one game where `run` does its work."""
    packed = pack(game)
    return lambda match, numbers: run(partial(_play_packed, packed, match), numbers)


def _play_packed(packed: Packed, match: Match, number: int) -> Played:
    with packed.opened() as game:
        return play_game(game, match, number)


def play_game(
    game: Game, match: Match, number: int, given: Mapping[str, Player] = MappingProxyType({})
) -> Played:
    """Play the game of this number, from 0. Raises GameError and RuleError.

    Players of the match may be `given` by their names; they are of any kind.
    """
    rules = quick_rules(game)
    lineup = match.lineup(number)
    named = ((seat, match.players[who]) for seat, who in enumerate(lineup, start=1))
    players = {seat: given.get(name) or _player(rules, name, seat) for seat, name in named}
    for seat, player in players.items():
        player.begin(match.chance(number, seat))
    chance, opening = match.chance(number), match.opening_chance(number)
    position = rules.start()
    positions, made = [position], list[Move]()
    while not position.over and len(made) < match.plies:
        if position.seat is None:
            move = chance.choice(position.moves())
        elif len(made) < match.opening:
            move = _opening_move(position, opening)
        else:
            move = chosen(players[position.seat], positions, made)
        made.append(move)
        position = position.after(move)
        positions.append(position)
    outcome = position.outcome
    winners = () if outcome is None else outcome.seats
    told = "" if outcome is None else outcome.text
    paid = () if outcome is None else zip(rules.sides, outcome.payoffs, strict=False)
    by_seat = {position.seat_of(side): float(payoff) for side, payoff in paid}
    payoffs = tuple(by_seat[seat] for seat in sorted(by_seat))
    moves = tuple(map(spelled, made, positions))
    return Played(number, lineup, moves, told, points(winners, match.seats), payoffs)


def _opening_move(position: Position, chance: Random) -> Move:
    """Return a random move that does not end the game, if there is one."""
    legal = list(position.moves())
    chance.shuffle(legal)
    return next((move for move in legal if not position.play(move).over), legal[0])


@lru_cache(maxsize=_MOST_GAMES_KNOWN)
def quick_rules(game: Game) -> Rules:
    """Return rules that native code plays, where there is some."""
    try:
        return Rules(game, NativeRules(game))
    except Uncovered:
        return Rules(game)


@lru_cache(maxsize=_MOST_PLAYERS_KNOWN)
def _player(rules: Rules, kind: str, seat: int) -> Player:
    """Return a player; two that sit at one table are two, even if they are of one kind."""
    player = make_player(kind, Random(seat), rules)
    assert player is not None
    player.prepare()
    return player
