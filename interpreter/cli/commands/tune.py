"""`gdl tune`: what is worth something in a game, learned by play, for the engine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from click.exceptions import Exit

from gdl.interpreter.cli.beginning import begin
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.failures import results_first
from gdl.interpreter.cli.output import (
    INTERRUPTED,
    print_message,
    timed,
    write,
    write_json,
    write_table,
)
from gdl.interpreter.cli.parameters import AsJson, Request, Seed, drawn_seed, finite
from gdl.interpreter.files import Kind, refuse_other, write_file, write_result
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.verify.deadline import stopped_by_interrupt

if TYPE_CHECKING:
    from gdl.interpreter.tune.tuner import Tuned

_USUAL_SECONDS = 300.0


def tune(
    *,
    request: Request,
    seconds: Annotated[
        float,
        option(min=1.0, check=finite, help="How long to learn, and to try what was learned."),
    ] = _USUAL_SECONDS,
    output: Annotated[
        Path | None,
        option("--output", "-o", metavar="FILE", help="Write it there.", show_default=False),
    ] = None,
    seed: Seed = None,
    as_json: AsJson = False,
) -> None:
    """Learn by play what is worth something, for the engine.

    Random games, and then games of the engine against itself, show what pieces and numbers are
    worth, and where. Engines that judge positions by it play against the engine that plays random
    games to their ends, and alpha-beta against the best of them; what wins more is what the engine
    plays like from then on. Where moves set pieces that stay, what stands around a site may tell
    which moves to look at first, and is tried before. What was learned is kept as a text in the
    user's cache, for these rules and options. If there was too little time to tell, the engine
    plays as before.
    """
    from gdl.interpreter.search.worth import usual_path
    from gdl.interpreter.tune import tune as tuned_by

    if output is not None:
        refuse_other(output, Kind.WORTH)
    rules = begin(request).last.rules
    drawn = drawn_seed(seed)
    with stopped_by_interrupt() as is_stopped, timed(seconds, "…") as tell:
        found = tuned_by(rules, seconds=seconds, seed=drawn, tell=tell)
        was_stopped = is_stopped()
    target = None if output is None and not found.is_decided else output or usual_path(rules.game)
    put = write_file if output is None else write_result
    with results_first() as tried:
        if target is not None:
            tried(lambda: put(target, found.worth.text, makes_folder=True))
        _tell(rules, found, drawn, target, as_json=as_json)
    if target is not None and not as_json:
        print_message(f"It is kept in {target}.")
    if was_stopped:
        raise Exit(INTERRUPTED)


def _tell(rules: Rules, found: Tuned, seed: int, target: Path | None, *, as_json: bool) -> None:
    """Print what was learned, and how the engine plays by it."""
    from gdl.interpreter.search.worth import TREE
    from gdl.interpreter.tune import FEWEST_GAMES

    trials = [
        {
            key: getattr(one, key)
            for key in ("search", "plies", "first", "against", "points", "games")
        }
        for one in found.trials
    ]
    if as_json:
        kept = {"search": found.worth.search, "plies": found.worth.plies}
        file = None if target is None else str(target)
        chosen = kept | {"decided": found.is_decided, "file": file, "worth": dict(found.worth.each)}
        games = {"random_games": found.random_games, "own_games": found.own_games}
        write_json({"game": rules.game.name, "seed": seed} | games | chosen | {"trials": trials})
        return
    write_table(
        ("search", "against", "points", "of"),
        [
            (
                _search_text(t.search, t.plies, t.first),
                _search_text(TREE, t.against),
                f"{t.points:g}",
                f"{t.games}",
            )
            for t in found.trials
        ],
    )
    search, plies = found.worth.search, found.worth.plies
    if not found.is_decided:
        write(
            f"There was too little time to tell: each has to play {FEWEST_GAMES} games. The engine"
            " plays as before; --seconds allows more."
        )
    elif not found.worth.is_used:
        write("None of these plays better than random games to their ends, which stay.")
    else:
        has_first = search == TREE and found.worth.first is not None
        kind = " with first values of moves" if has_first else ""
        write(f"The engine plays by this: {_search_text(search, plies)}{kind}.")
        told = found.worth.each.items() if search != TREE or plies is not None else ()
        worths = sorted(told, key=lambda entry: -entry[1])
        if worths:
            write_table(("worth to the first side", ""), [(n, f"{w:+.2f}") for n, w in worths])


def _search_text(search: str, plies: int | None, first: float | None = None) -> str:
    """Return a search in words; a tree search judges positions after so many random plies.

    It may have first values of moves, which are multiplied by a factor.
    """
    from gdl.interpreter.search.worth import TREE

    if search != TREE:
        return search
    if first is not None:
        return f"tree, random games, first values times {first:g}"
    return "tree, random games" if plies is None else f"tree, judged after {plies} random plies"
