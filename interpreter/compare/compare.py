"""Two games compared: all short games, random games, and games that head for the difference.

In: the rules of two games. Out: a `Comparison`. What then holds: if a difference is told, the
moves lead to it in both; if none is told, as much was compared as is said.

Random games are played in both, move by move; where that shows nothing, native code plays many
more, of which only the ends are compared.
"""

from __future__ import annotations

import random
import time

from gdl.data_classes import dataclass
from gdl.diagnostic import Span, wanted, whole_number
from gdl.elaborate.names.origins import Origins
from gdl.interpreter.compare.guided import head_for
from gdl.interpreter.compare.shorten import shortened
from gdl.interpreter.compare.texts import TextDifference, text_differences
from gdl.interpreter.compare.two_games import Near, TwoGames
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.expressions.counting import Watched
from gdl.interpreter.native.runtime.rules import Uncovered
from gdl.interpreter.native.runtime.watched import WatchedGame, WatchedRules
from gdl.interpreter.positions.position import Rules, rules_of
from gdl.interpreter.verify.breadth import look_at_all
from gdl.interpreter.verify.deadline import Deadline, TimeUp
from gdl.interpreter.verify.lockstep import Difference, Differs, Failed
from gdl.model import Game

_OF_SHORT_GAMES = 0.25
_OF_RANDOM_GAMES = 0.1
_OF_NATIVE_GAMES = 0.15
_OF_GUIDED_GAMES = 0.4
_OF_SHORTENING = 0.1
_FRUITLESS = 4  # random games that differ, none sooner than another one
_MOST_IN_STEP = 300  # random games that are played in both, move by move


@dataclass(frozen=True)
class Limits:
    """How much is compared: positions and random games at most, moves in a game, seconds in all.

    The seconds are those of the processor.
    """

    positions: int = 4_000
    games: int = 3_000
    max_plies: int = 600
    seconds: float = 30.0


@dataclass(frozen=True)
class Comparison:
    """What was found: the difference, if there is one, and what was compared.

    `is_shortest`: no shorter game differs. `is_all`: every position of both games was compared;
    else `stopped_by` has the limits of `Limits` that ended the short games or the random ones,
    each of which has a share of the seconds. Of the random `games`, `finished` came to an end.
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


def compare(first: Rules | Game, second: Rules | Game, limits: Limits, seed: int) -> Comparison:
    """Compare two games, by each way of looking for a share of the time.

    Raises TypeError for what are no rules, no limits and no number.
    """
    first, second = rules_of(first), rules_of(second)
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
    in_time = True

    def count(played: Played) -> None:
        nonlocal games, moves, finished, in_time
        games, moves = games + played.games, moves + played.moves
        finished += played.finished
        if played.cut:
            stopped_by.add("max_plies")
        in_time &= played.in_time

    deadline = _share(limits, _OF_RANDOM_GAMES)
    most = min(limits.games, _MOST_IN_STEP)
    while games < most and fruitless < _FRUITLESS and not deadline.is_over:
        rest = most - games
        played = play_random(two_games, rest, limits.max_plies, seed + games, deadline)
        count(played)
        if played.difference is None:
            break
        shorter = shortened(two_games, played.difference, _share(limits, _OF_SHORTENING))
        fruitless += 1
        if best is None or len(shorter.moves) < len(best.moves):
            best, fruitless = shorter, 0
    in_time &= not deadline.is_over
    if best is None and games < limits.games:
        deadline = _share(limits, _OF_NATIVE_GAMES)
        played = play_natively(two_games, limits.games - games, limits.max_plies, seed, deadline)
        count(played)
        if played.difference is not None:
            left = _share(limits, _OF_SHORTENING)
            best = shortened(two_games, played.difference, left)
    if not in_time and games < limits.games:
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


# ---------------------------------------- native random games, whose ends alone are compared

_AT_FIRST, _MOST_AT_ONCE = 4, 256
_MOST_REPLAYED = 3


def play_natively(
    two_games: TwoGames, games: int, max_plies: int, seed: int, deadline: Deadline
) -> Played:
    """Play random games of both by native code until one ends differently, or the time is up.

    The code that watches is used, with nothing to count: it draws from the list of all legal moves,
    so both games go the same way as long as these are the same. One that ends differently is
    played in both, move by move, to see where. None are played where one of the two has no such
    code.
    """
    played = made = finished = cut = 0
    try:
        both = [_unwatched(rules.game) for rules in two_games.rules]
    except Uncovered:
        return Played(None, 0, 0)
    starts = [rules.start() for rules in both]
    many = _AT_FIRST
    while played < games and not deadline.is_over:
        numbers = range(played, min(games, played + many))
        one, other = (
            rules.watch(start, numbers, seed, max_plies)
            for rules, start in zip(both, starts, strict=True)
        )
        played += len(one)
        made += sum(game.playout.moves for game in one)
        finished += sum(game.playout.outcome is not None for game in one)
        cut += sum(game.playout.moves == max_plies for game in one)
        differ = [
            game for game, there in zip(one, other, strict=False) if _end(game) != _end(there)
        ]
        for game in sorted(differ, key=lambda game: game.playout.moves)[:_MOST_REPLAYED]:
            found = _replayed(two_games, Chance(seed, game.number), max_plies)
            if found is not None:
                return Played(found, played, made, finished, cut)
        if differ or len(one) < len(numbers):
            break  # moves stand in another order, or code is not up to a game: it tells nothing
        many = min(2 * many, _MOST_AT_ONCE)
    return Played(None, played, made, finished, cut, played == games or not deadline.is_over)


def _unwatched(game: Game) -> WatchedRules:
    """Return code that watches, with nothing to count. Raises Uncovered."""
    none = frozenset[Span]()
    return WatchedRules(game, Watched(game.program, Origins(), {}, none, none, none, none))


def _end(game: WatchedGame) -> tuple[object, ...]:
    """Return what is compared of a game: how long it was, whether it failed, who won."""
    whole = game.playout
    return whole.moves, game.has_failed, game.is_cut, whole.outcome and whole.outcome.text


def _replayed(two_games: TwoGames, chance: Chance, max_plies: int) -> Difference | None:
    """Return where the two differ in a game that native code has drawn."""
    try:
        pair = two_games.begin()
        for _ in range(max_plies + 1):
            legal = two_games.look(pair)
            if not legal:
                return None
            is_drawn = WatchedRules.is_drawn([one for one, _ in legal])
            pair = two_games.advance(pair, legal[chance.below(len(legal)) if is_drawn else 0])
    except Differs as found:
        return found.difference
    except Failed:
        pass
    return None
