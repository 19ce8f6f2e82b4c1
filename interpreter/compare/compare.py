"""Two games compared: all short games, random games, and games that head for the difference.

In: the rules of two games. Out: a `Comparison`. What then holds: if a difference is told, the
moves lead to it in both; if none is told, as much was compared as is said.
"""

from __future__ import annotations

import random
import time

from gdl.data_classes import dataclass
from gdl.diagnostic import wanted, whole_number
from gdl.interpreter.compare.guided import head_for
from gdl.interpreter.compare.shorten import shortened
from gdl.interpreter.compare.texts import TextDifference, text_differences
from gdl.interpreter.compare.two_games import Near, TwoGames
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.verify.breadth import look_at_all
from gdl.interpreter.verify.deadline import Deadline, TimeUp
from gdl.interpreter.verify.lockstep import Difference, Differs, Failed

_OF_SHORT_GAMES = 0.3
_OF_RANDOM_GAMES = 0.2
_OF_GUIDED_GAMES = 0.4
_OF_SHORTENING = 0.1
_FRUITLESS = 4  # random games that differ, none sooner than another one


@dataclass(frozen=True)
class Limits:
    """How much is compared: positions and random games at most, moves in a game, seconds in all.

    The seconds are those of the processor.
    """

    positions: int = 4_000
    games: int = 300
    max_plies: int = 600
    seconds: float = 30.0


@dataclass(frozen=True)
class Comparison:
    """What was found: the difference, if there is one, and what was compared.

    `is_shortest`: no shorter game differs. `is_all`: every position of both games was compared;
    else `stopped_by` has the limits of `Limits` that ended the short games or the random ones. Of
    the random `games`, `finished` came to an end.
    """

    difference: Difference | None
    is_shortest: bool
    is_all: bool
    positions: int
    depth: int
    games: int
    moves: int
    texts: tuple[TextDifference, ...]
    finished: int = 0
    stopped_by: tuple[str, ...] = ()


def compare(first: Rules, second: Rules, limits: Limits, seed: int) -> Comparison:
    """Compare two games, by each way of looking for a share of the time.

    Raises TypeError for what are no rules, no limits and no number.
    """
    for rules in (first, second):
        wanted(rules, Rules, "Rules, as `load` gives them,")
    wanted(limits, Limits, "`Limits`")
    seed = whole_number("seed", seed)
    texts = tuple(text_differences(first.game, second.game))
    try:
        two_games = TwoGames(first, second)
    except Differs as found:
        return Comparison(found.difference, True, False, 0, 0, 0, 0, texts)
    looked = look_at_all(two_games, limits.positions, _share(limits, _OF_SHORT_GAMES))
    if looked.difference is not None or looked.is_all:
        return Comparison(
            looked.difference, True, looked.is_all, looked.positions, looked.depth, 0, 0, texts
        )
    end = time.process_time() + limits.seconds * (1 - _OF_SHORT_GAMES)
    best: Difference | None = None
    games = moves = finished = fruitless = 0
    stopped_by = {"seconds"} if not looked.in_time else {"positions"}
    deadline = _share(limits, _OF_RANDOM_GAMES)
    while games < limits.games and fruitless < _FRUITLESS and not deadline.is_over:
        rest = limits.games - games
        played = play_random(two_games, rest, limits.max_plies, seed + games, deadline)
        games, moves = games + played.games, moves + played.moves
        finished += played.finished
        if played.cut:
            stopped_by.add("max_plies")
        if not played.in_time:
            stopped_by.add("seconds")
        if played.difference is None:
            break
        shorter = shortened(two_games, played.difference, _share(limits, _OF_SHORTENING))
        fruitless += 1
        if best is None or len(shorter.moves) < len(best.moves):
            best, fruitless = shorter, 0
    if games < limits.games and deadline.is_over:
        stopped_by.add("seconds")
    if best is None or len(best.moves) > looked.depth + 1:
        deadline = _share(limits, _OF_GUIDED_GAMES)
        best = head_for(two_games, limits.max_plies, seed, deadline, best)
    if best is not None and len(best.moves) > looked.depth + 1:
        left = Deadline(max(0.0, end - time.process_time()), time.process_time)
        best = shortened(two_games, best, left)
    is_shortest = best is not None and len(best.moves) <= looked.depth + 1
    return Comparison(
        *(best, is_shortest, False, looked.positions, looked.depth, games, moves, texts, finished),
        tuple(sorted(stopped_by)),
    )


def _share(limits: Limits, share: float) -> Deadline:
    """Return the end of a share of the time: that of the processor, whatever else it does."""
    return Deadline(limits.seconds * share, time.process_time)


# --------------------------------------------------------------------- random games, played in both

_TOGETHER = 0.9


@dataclass(frozen=True)
class Played:
    """How many games were played, with how many moves in all.

    `finished` of them came to an end, `cut` were left where they had as many moves as a game may
    have. `in_time`: it was not the time that ended it; moves of the game that it stopped count.
    """

    difference: Difference | None
    games: int
    moves: int
    finished: int = 0
    cut: int = 0
    in_time: bool = True


def play_random(
    two_games: TwoGames, games: int, max_plies: int, seed: int, deadline: Deadline
) -> Played:
    """Play random games until one differs, all are played, or the time is up."""
    chance = random.Random(seed)
    near = Near(two_games.first.game.board)
    played = made = finished = cut = 0
    try:
        for number in range(games):
            try:
                pair = two_games.begin()
                met = 0
                for _ in range(max_plies):
                    deadline.check()
                    legal = two_games.look(pair)
                    if not legal:
                        finished += 1
                        break
                    if (seed + number) % 2 and chance.random() < _TOGETHER:
                        legal = near.those(legal, met) or legal
                    both = chance.choice(legal)
                    met |= near.sites(both[0].text)
                    pair = two_games.advance(pair, both)
                    made += 1
                else:
                    cut += 1
            except Failed:
                pass
            played += 1
    except Differs as found:
        return Played(found.difference, played + 1, made, finished, cut)
    except TimeUp:
        return Played(None, played, made, finished, cut, in_time=False)
    return Played(None, played, made, finished, cut)
