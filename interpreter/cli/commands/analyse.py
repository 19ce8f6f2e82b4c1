"""`gdl analyse`: the best moves of a position, and what they are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli.beginning import begin, led_by_request, refuse_others
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.drawing import (
    ColourBlind,
    Flip,
    Look,
    Png,
    Svg,
    Themed,
    ThemeName,
    Turn,
    draw,
)
from gdl.interpreter.cli.failures import Stoppable, results_first
from gdl.interpreter.cli.output import print_message, timed, write, write_json, write_table
from gdl.interpreter.cli.parameters import (
    AsJson,
    AsSide,
    Request,
    Seed,
    Threads,
    drawn_seed,
    finite,
)
from gdl.interpreter.cli.picture import to_move_json
from gdl.interpreter.english import does
from gdl.interpreter.positions.information import information
from gdl.interpreter.positions.meant import meant
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.position_text import turn_text
from gdl.interpreter.positions.view import ALL_SIDES

if TYPE_CHECKING:
    from gdl.interpreter.search.analysis import Analysis

_USUAL_NUMBER = 10


def analyse(
    *,
    request: Request,
    as_side: AsSide = None,
    seconds: Annotated[
        float | None,
        option(min=0.001, check=finite, help="How long to search.", show_default="1"),
    ] = None,
    iterations: Annotated[
        int | None,
        option(min=1, help="How many iterations to search.", show_default=False),
    ] = None,
    number: Annotated[
        int | None,
        option(
            "--number",
            "-n",
            min=1,
            help="How many moves to show.",
            show_default=f"{_USUAL_NUMBER}, and all with --json",
        ),
    ] = None,
    untuned: Annotated[
        bool, option("--untuned", help="Do without what `gdl tune` has learned.")
    ] = False,
    threads: Threads = 1,
    seed: Seed = None,
    as_json: AsJson = False,
    svg: Svg = None,
    png: Png = None,
    theme: Themed = ThemeName.LIGHT,
    colour_blind: ColourBlind = False,
    flip: Flip = False,
) -> None:
    """Search for the best moves of a position.

    Values are chances of the side on turn: a draw counts half between two. `wins in 5` is proven:
    five moves of both together, at most. `≤ 40 %` is no more than that; `, 9 ahead` was looked at
    less deep than moves above it. A search of many iterations with the same seed finds the same, on
    one thread. Where something is hidden, the search knows what the side on turn knows; before
    chance decides, what all sides know. Of a saved game that hides something, it is for the side
    on turn alone (`--as`) until it is over. A picture, with `--svg` or `--png`, shows the best
    move, as an arrow where a piece goes. The last line says by which search, and whether by tuned
    values: your own, or those that are shipped.
    """
    from gdl.interpreter.search.analysis import Interrupted
    from gdl.interpreter.search.engine import USUAL_SECONDS
    from gdl.interpreter.solve.store import engine_for, tuned_by

    played = begin(request, hides=True)
    refuse_others(played, as_side)
    position, most = played.last, number or _USUAL_NUMBER
    drawn = drawn_seed(seed)
    engine = engine_for(position.rules, seed=drawn, threads=threads, is_tuned=not untuned)
    tuned = None if untuned else tuned_by(engine)
    found: Analysis | None = None
    game = position.rules.game
    asks = position.mover if position.seat is not None or position.over else ALL_SIDES
    stoppable = Stoppable()
    usual = None if iterations is not None else seconds or USUAL_SECONDS
    with stoppable, timed(usual, "searching"):
        if position.is_secret:
            known = information(played.positions, played.moves, asks)
            found = engine.analyse_known(known, seconds=seconds, iterations=iterations)
        else:
            try:
                with led_by_request(request, played):
                    found = engine.analyse(
                        position, seconds=seconds, iterations=iterations, lines=most
                    )
            except Interrupted as interrupted:
                found, stoppable.is_stopped = interrupted.found, True
    if found is None:
        stoppable.end()
    if found is None:
        message = f"No position was found that agrees with what {does([asks], 'knows')}."
        hint = "It is looked for by chance: with another --seed there may be one."
        raise refused(Code.NO_GUESS, message, hint)
    shown = position.view(asks) if game.hides else position
    scene = shown.scene() if isinstance(shown, Position) else shown.scene
    if found.best_move is not None:
        scene = meant(position, found.best_move).on(scene)
    look = Look.asked(theme, colour_blind, flip, Turn.NONE, None)
    with results_first() as tried:
        tried(lambda: draw(scene, look, svg, png))
        if as_json:
            asked = {"game": game.name, "to_move": to_move_json(position)}
            how = {"seed": drawn, "threads": threads, "search": engine.search, "tuned": tuned}
            told = found.to_json()
            write_json(asked | how | told | {"moves": told["moves"][:number]})
        else:
            print_message(turn_text(position))
            _tell(
                found, most, drawn, _how(engine.search, tuned), is_stored=engine.known is not None
            )
    stoppable.end()


def _tell(found: Analysis, most: int, seed: int, how: str, *, is_stored: bool) -> None:
    """Print what was found out, of so many moves at most, and how."""
    from gdl.interpreter.search.analysis_text import ROW_HEADS, rows, values_text

    if not found.moves:
        return
    write(values_text(found))
    write_table(ROW_HEADS, rows(found, most))
    if not found.iterations:
        write("from the table of solved positions" if is_stored else "solved")
        return
    write(
        f"{found.iterations} iterations in {found.seconds:.2f} s:"
        f" {found.iterations_per_second:,.0f} a second (seed {seed}), {how}"
    )


def _how(search: str, tuned: str | None) -> str:
    """Return by what an engine has found out what it tells."""
    from gdl.interpreter.search.worth import ALPHA_BETA, OWN

    how = "by alpha-beta" if search == ALPHA_BETA else "by tree search"
    if tuned is None:
        return how
    return f"{how} with tuned values ({'your own' if tuned == OWN else 'shipped'})"
