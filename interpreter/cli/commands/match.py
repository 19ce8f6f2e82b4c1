"""`gdl match`: many games between players, and who is stronger."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

from click.exceptions import Exit

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.beginning import load_requested
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.failures import results_first
from gdl.interpreter.cli.output import (
    INTERRUPTED,
    print_message,
    tracked,
    write,
    write_json,
    write_table,
)
from gdl.interpreter.cli.parameters import AsJson, Cluster, GameRequest, Processes, option_values
from gdl.interpreter.matches.ladder import SHARE, Rung, doubts, ladder
from gdl.interpreter.matches.match_file import Keeper, TextKeeper
from gdl.interpreter.matches.plan import USUAL_OPENING, USUAL_PLIES, Match, Played
from gdl.interpreter.matches.play import Games, games_by, quick_rules
from gdl.interpreter.matches.rating import MOST_ELO, Standing, standings
from gdl.interpreter.matches.sprt import ERROR, SequentialTest
from gdl.interpreter.sessions.record import from_anywhere
from gdl.interpreter.workers.run import workers
from gdl.model import Game

_USUAL_GAMES = 100
_USUAL_TRIAL = 40


def match(
    *,
    request: GameRequest,
    players: Annotated[
        list[str] | None,
        argument(
            "PLAYERS",
            help="Such as engine:3, engine:1000i, engine:1s, greedy, random; at least one a side.",
            offers=completion.players,
        ),
    ] = None,
    number: Annotated[
        int | None,
        option(
            "-n",
            min=1,
            max=1_000_000,
            help=f"How many games; {_USUAL_TRIAL} for each trial of the ladder.",
            show_default=str(_USUAL_GAMES),
        ),
    ] = None,
    seed: Annotated[int, option(help="Openings and players depend on it.")] = 0,
    opening: Annotated[
        int, option(min=0, max=100, help="How many random moves begin a game.")
    ] = USUAL_OPENING,
    plies: Annotated[
        int, option("--max-plies", min=1, help="After so many moves a game is drawn.")
    ] = USUAL_PLIES,
    sprt: Annotated[
        str | None,
        option(
            metavar="LESS:MORE",
            help="End when the first player is clearly stronger by MORE Elo, or only by LESS:"
            f" wrongly so in {ERROR:.0%} of matches at most.",
            show_default=False,
        ),
    ] = None,
    is_ladder: Annotated[
        bool, option("--ladder", help="Measure the skill ladder instead: no PLAYERS.")
    ] = False,
    output: Annotated[
        Path | None,
        option(
            "-o",
            metavar="FILE",
            help="Keep each game as a line there; or write games as .pgn, .pdn or .sgf.",
            show_default=False,
        ),
    ] = None,
    processes: Processes = 1,
    cluster: Cluster = None,
    as_json: AsJson = False,
) -> None:
    """Play a match: seats are exchanged, openings vary with the seed."""
    game = load_requested(request)
    games = games_by(workers(processes, cluster), game)
    asked = Match(
        from_anywhere(request.game),
        ("random",) * len(game.sides) if is_ladder else tuple(players or ()),
        number or (_USUAL_TRIAL if is_ladder else _USUAL_GAMES),
        len(game.sides),
        seed,
        option_values(request.options),
        tuple(request.variants or ()),
        opening,
        plies,
    )
    if is_ladder:
        if output is not None or sprt is not None:
            option = "-o" if sprt is None else "--sprt"
            raise refused(Code.WRONG_OPTION, f"The ladder has no `{option}`.", "Leave it out.")
        _climb(asked, games, players, as_json)
    else:
        _play(asked, game, games, _test(sprt, asked), output, as_json)


def _keeper(output: Path, asked: Match, game: Game) -> Keeper:
    """Return what keeps the games of a match in a file, in the format that its name says."""
    if TextKeeper.is_for(output):
        return TextKeeper(output, asked, quick_rules(game))
    return Keeper(output, asked, game.digest)


def _play(
    asked: Match,
    game: Game,
    games: Games,
    test: SequentialTest | None,
    output: Path | None,
    as_json: bool,
) -> None:
    begun = time.perf_counter()
    keeper = None if output is None else _keeper(output, asked, game)
    played: list[Played] = [] if keeper is None else list(keeper.earlier())
    del played[asked.games :]
    verdict, is_stopped = "" if test is None else test.verdict(_first(played)), False
    left = () if verdict else range(len(played), asked.games)
    with results_first() as tried:
        try:
            for one in tracked(games(asked, left), len(left), "games"):
                played.append(one)
                if keeper is not None:
                    tried(partial(keeper.keep, one))
                verdict = "" if test is None else test.verdict(_first(played))
                if verdict:
                    break
        except KeyboardInterrupt:
            print_message(f"Stopped after {len(played)} of {asked.games} games.")
            is_stopped = True
            if not played:
                raise
        finally:
            if keeper is not None:
                keeper.close()
        _tell(asked, game, played, verdict, time.perf_counter() - begun, as_json)
        if test is not None and not as_json:
            write(_decision(asked, test, verdict))
    if is_stopped:
        raise Exit(INTERRUPTED)


def _tell(
    asked: Match,
    game: Game,
    played: Sequence[Played],
    verdict: str,
    seconds: float,
    as_json: bool,
) -> None:
    """Print the standings after the games that were played."""
    found = standings(asked, played)
    if as_json:
        write_json(
            {
                "game": game.name,
                "games": len(played),
                "players": [standing.to_json() for standing in found],
                "unfinished": sum(not one.result for one in played),
                "seed": asked.seed,
                "sprt": verdict or None,
                "seconds": seconds,
            }
        )
        return
    has_payoffs = any(standing.payoff is not None for standing in found)
    heads = (*_HEADS, "payoff") if has_payoffs else _HEADS
    write_table(heads, [_row(standing)[: len(heads)] for standing in found])
    write(f"{len(played)} games in {seconds:.1f} s, seed {asked.seed}.")


def _decision(asked: Match, test: SequentialTest, verdict: str) -> str:
    """Return in words what the test says."""
    if not verdict:
        return "The sequential test has not decided."
    strengths = test.less, test.more
    other, one = strengths if verdict == "more" else strengths[::-1]
    return (
        f"The sequential test has decided: {asked.players[0]} is {one:g} Elo stronger rather than"
        f" {other:g} (error at most {ERROR:.0%})."
    )


_HEADS = ("player", "games", "won", "drawn", "lost", "points", "at 95 %", "Elo")


def _row(standing: Standing) -> tuple[str, ...]:
    low, high = standing.interval
    if not standing.games:
        return (standing.name, "0", *("",) * (len(_HEADS) - 1))
    return (
        standing.name,
        str(standing.games),
        str(standing.wins),
        str(standing.draws),
        str(standing.losses),
        f"{standing.score:.1%}",
        f"{low:.1%} to {high:.1%}",
        "" if standing.elo is None else f"{standing.elo:+.0f}",
        "" if standing.payoff is None else f"{standing.payoff:+.3f}",
    )


def _climb(asked: Match, games: Games, players: Sequence[str] | None, as_json: bool) -> None:
    if players or asked.seats != 2:
        reason = "names its players itself" if players else "is for games of two sides"
        raise refused(Code.WRONG_OPTION, f"The ladder {reason}.", "`gdl match GAME --ladder`")
    begun = time.perf_counter()
    rungs: list[Rung] = []
    for rung in ladder(asked, games):
        rungs.append(rung)
        if not as_json:
            against = f": {rung.text} against the rung below" if rung.text else ""
            write(f"{len(rungs) - 1:>3}  {rung.player}{against}")
    number, seconds = len(rungs) - 1, time.perf_counter() - begun
    if as_json:
        told = [
            {"player": r.player} | ({} if r.standing is None else r.standing.to_json())
            for r in rungs
        ]
        write_json({"game": asked.game, "rungs": number, "players": told, "seconds": seconds})
        return
    write(
        f"{number} rung{'' if number == 1 else 's'} of {SHARE:.0%}, of {asked.games} games each,"
        f" in {seconds:.1f} s; intervals at 95 %."
    )
    if doubts(asked.games):
        write(doubts(asked.games))


def _test(text: str | None, asked: Match) -> SequentialTest | None:
    if text is None:
        return None
    less, colon, more = text.partition(":")
    try:
        test = SequentialTest(float(less), float(more))
    except ValueError:
        test = None
    if test is None or not colon or not -MOST_ELO <= test.less < test.more <= MOST_ELO:
        hint = f"Write `--sprt 0:20`; up to {MOST_ELO:g} Elo."
        raise refused(Code.WRONG_OPTION, f"`{text}` is no pair of strengths.", hint)
    if len(asked.players) != 2 or asked.seats != 2:
        raise refused(Code.WRONG_OPTION, "The test is for two players.")
    return test


def _first(played: Sequence[Played]) -> list[float]:
    """Return the points of the first player."""
    return [one.points[one.seats.index(0)] for one in played]
