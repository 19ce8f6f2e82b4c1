"""`gdl show`: a position, drawn."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import refused
from interpreter.cli.beginning import begin, refuse_secret
from interpreter.cli.declarations import option
from interpreter.cli.drawing import (
    ColourBlind,
    Export,
    Flip,
    Look,
    Png,
    Rotate,
    Seconds,
    Size,
    Svg,
    Themed,
    ThemeName,
    Turn,
    draw,
    export_game,
)
from interpreter.cli.failures import results_first
from interpreter.cli.output import print_diagnostics, write
from interpreter.cli.parameters import Ascii, AsJson, AsMail, AsSide, Request
from interpreter.cli.picture import write_position
from interpreter.cli.signatures import write_signatures
from interpreter.sessions.correspondence.mail import mail_line, mail_text
from interpreter.sessions.correspondence.seen import bareness, departure
from interpreter.sessions.replaying import Replay


def show(
    request: Request,
    as_side: AsSide = None,
    ascii: Ascii = False,
    svg: Svg = None,
    png: Png = None,
    export: Export = None,
    pace: Seconds = 1.0,
    theme: Themed = ThemeName.LIGHT,
    colour_blind: ColourBlind = False,
    flip: Flip = False,
    rotate: Rotate = Turn.NONE,
    size: Size = None,
    witness: Annotated[
        str | None,
        option(
            metavar="CODE[:LINE]",
            help="Check the game, and play what shows this finding.",
            show_default=False,
        ),
    ] = None,
    signatures: Annotated[
        bool,
        option("--signatures", help="Of a saved game, tell who has signed what instead."),
    ] = False,
    mail: AsMail = False,
    as_json: AsJson = False,
) -> None:
    """Draw a position.

    Of a game it is the first, or that after some moves, or that which shows a finding of
    `gdl check`; of a saved game where it stands. Of a saved game that hides something, only what a
    side sees is shown until it is over. `--export` draws all positions up to there.
    """
    if witness is not None:
        from interpreter.cli.witness import with_witness

        request = with_witness(request, witness)
    played = begin(request, hides=True)
    if played.record is not None:
        known = played.standing
        found = bareness(Path(request.game)) if known is None else departure(known)
        print_diagnostics([] if found is None else [replace(found, severity="warning")])
    if signatures or mail:
        _tell(played, request, mail=mail, as_json=as_json)
        return
    shown = played.last
    if as_side is None:
        refuse_secret(played, f"Say who looks: `--as {shown.mover}`.")
    look = Look.asked(theme, colour_blind, flip, rotate, size)
    scene = shown.scene() if as_side is None else shown.view(as_side).scene
    with results_first() as tried:
        tried(lambda: draw(scene, look, svg, png))
        if export is not None:
            tried(lambda: export_game(played, look, export, pace))
        if as_json or svg is png is export is None:
            write_position(
                shown,
                as_side=as_side,
                as_json=as_json,
                ascii=ascii,
                theme=look.theme,
                flip=flip,
                told="" if played.record is None or request.after else mail_line(played),
            )


def _tell(played: Replay, request: Request, *, mail: bool, as_json: bool) -> None:
    """Print a saved game as it is mailed, or who has signed what."""
    if played.record is None or request.after:
        hint = "`gdl new GAME -o FILE` begins one."
        raise refused(Code.WRONG_OPTION, "That is an option of a saved game.", hint)
    if mail:
        write(mail_text(played, played.record.to_text(), Path(request.game).name))
    else:
        write_signatures(played, as_json=as_json)
