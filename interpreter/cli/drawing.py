"""Pictures that commands write to files: in which form, and how they look.

In: a position, or all positions of a game, and what a user asked for. Out: a file. The ending of
its name says what it becomes.
"""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Annotated

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, refused
from gdl.interpreter.cli.backend import made_natively
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.output import print_message
from gdl.interpreter.cli.parameters import finite
from gdl.interpreter.english import sentence
from gdl.interpreter.files import write_result
from gdl.interpreter.positions.position import plies
from gdl.interpreter.positions.position_text import turn_text
from gdl.interpreter.records.writing import FORMATS, Told, text_of, told
from gdl.interpreter.render.image import NoPixels, png_of
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.theme import Theme, theme_named
from gdl.interpreter.sessions.notation import spelled
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import Replay
from gdl.visible import visible_line

_SIZE_OF_FILM = 480


class ThemeName(StrEnum):
    """The colours of the board."""

    LIGHT = "light"
    DARK = "dark"
    PAPER = "paper"


class Turn(StrEnum):
    """How far a picture is turned, in degrees, clockwise."""

    NONE = "0"
    QUARTER = "90"
    HALF = "180"
    THREE_QUARTERS = "270"


Themed = Annotated[
    ThemeName, option("--theme", help="The colours: light, dark, or paper for printing.")
]
ThemedTerminal = Annotated[
    ThemeName | None,
    option(
        "--theme",
        help="The colours: light, dark, or paper for greys. The usual: a light board on a dark"
        " screen.",
        show_default=False,
    ),
]
ColourBlind = Annotated[
    bool, option("--colour-blind", help="Colours that colour-blind people tell apart.")
]
Flip = Annotated[bool, option("--flip", help="See the board from the other side.")]
Rotate = Annotated[Turn, option("--rotate", help="Turn a picture, clockwise.")]
Size = Annotated[
    int | None,
    option(min=16, max=8192, help="Pixels of a picture's longer side.", show_default=False),
]
Svg = Annotated[
    Path | None, option(metavar="FILE", help="Draw to an SVG file.", show_default=False)
]
Png = Annotated[Path | None, option(metavar="FILE", help="Draw to a PNG file.", show_default=False)]
Export = Annotated[
    Path | None,
    option(
        "--export",
        metavar="FILE",
        help="Write the whole game: an animated .svg, a .gif, an .html that plays it, or its moves"
        " as .pgn, .pdn or .sgf.",
        show_default=False,
    ),
]
Seconds = Annotated[
    float,
    option("--pace", min=0.05, max=60.0, check=finite, help="With --export: seconds a move."),
]


@dataclass(frozen=True)
class Look:
    """How pictures look."""

    theme: Theme
    turned: int = 0
    size: int | None = None

    @classmethod
    def asked(
        cls, theme: ThemeName, colour_blind: bool, flip: bool, rotate: Turn, size: int | None
    ) -> Look:
        """Return what the options of a command ask for."""
        turned = (int(rotate) + 180 * flip) % 360
        return cls(theme_named(theme, colour_blind=colour_blind), turned, size)

    def svg(self, scene: Scene) -> str:
        """Return a scene as an SVG document."""
        from gdl.interpreter.render.svg import render_svg

        return render_svg(scene, theme=self.theme, turned=self.turned, size=self.size)


def terminal_theme(theme: ThemeName | None, colour_blind: bool) -> Theme | None:
    """Return the theme that was asked for, if one was."""
    if theme is None and not colour_blind:
        return None
    return theme_named(theme or ThemeName.LIGHT, colour_blind=colour_blind)


def draw(scene: Scene, look: Look, svg: Path | None, png: Path | None) -> None:
    """Draw a scene to the files that are named. Raises GameError."""
    if svg is not None:
        write_result(svg, look.svg(scene))
        print_message(f"Drawn to {svg}.")
    if png is not None:
        try:
            write_result(png, png_of(look.svg(scene)))
        except NoPixels as error:
            raise _without_extra(str(error)) from None
        print_message(f"Drawn to {png}.")


def export_game(played: Replay, look: Look, file: Path, pace: float) -> None:
    """Draw all positions of a game to a file. Raises GameError."""
    from gdl.interpreter.render.film import Still, animated, gif

    if played.last.is_secret:
        raise refused(
            Code.WRONG_OPTION,
            "This game hides something, and it is not over: pictures would show it.",
            "Export it when it has ended.",
        )
    kind = file.suffix.lower()
    if kind in (".html", ".htm"):
        _export_page(played, file)
        return
    if kind[1:] in FORMATS:
        write_result(file, text_of(_told(played), kind[1:]))
        print_message(f"{len(played.moves)} moves written to {file}.")
        return
    scenes = [position.scene() for position in played.positions]
    usual = Look(look.theme, look.turned, look.size or _SIZE_OF_FILM)
    captions = _captions(played)
    stills = [Still(usual.svg(s), told) for s, told in zip(scenes, captions, strict=True)]
    if kind == ".svg":
        write_result(file, animated(stills, pace))
    elif kind == ".gif":
        try:
            write_result(file, gif(stills, pace))
        except NoPixels as error:
            raise _without_extra(str(error)) from None
    else:
        raise refused(
            Code.WRONG_OPTION,
            f"A game can't be drawn to a file that ends in `{kind or file.name}`.",
            "Name one that ends in .svg, .gif, .html, .pgn, .pdn or .sgf.",
        )
    print_message(f"{len(stills)} pictures drawn to {file}.")


def _told(played: Replay) -> Told:
    """Return a game as it is written in formats of others."""
    result = "" if played.record is None else played.record.result
    players = _players(played)
    said = played.remarks, played.variations, played.asides
    headers = {} if played.record is None else played.record.headers
    return told(played.positions, played.moves, result, players, *said, headers)


def _players(played: Replay) -> dict[str, str]:
    """Return who played the sides of a game, as far as it is known: names, or kinds of players."""
    found = {} if played.record is None else dict(played.record.seats)
    if played.standing is not None:
        found |= {seat: played.standing.name(seat) for seat in played.standing.players}
    sides = played.positions[0].rules.sides
    return {sides[seat - 1]: name for seat, name in sorted(found.items()) if name}


def _heading(played: Replay) -> str:
    """Return the title of a game, and who played it."""
    players = ", ".join(f"{side} {name}" for side, name in _players(played).items())
    return visible_line(": ".join(filter(None, (played.last.rules.game.title, players))))


def _result(played: Replay) -> str:
    """Return how a game has ended; empty if it goes on."""
    if played.last.outcome is not None:
        return turn_text(played.last)
    kept = "" if played.record is None else played.record.result
    return visible_line(sentence(kept)) if kept else ""


def _export_page(played: Replay, file: Path) -> None:
    """Write a page in which a game can be looked through and gone on with. Raises GameError."""
    from gdl.interpreter.page.document import Held, page

    game, start = played.last.rules.game, played.positions[0]
    told = Record.told(
        start,
        [spelled(move, at) for move, at in zip(played.moves, played.positions, strict=False)],
        result="" if played.record is None else played.record.result,
        seats={} if played.record is None else played.record.seats,
        variations=() if played.record is None else played.record.variations,
    )
    held = Held(game, None if told.start is None else start)
    heading = f"{_heading(played)}. {_result(played)}".strip()
    write_result(file, made_natively(game, partial(page, (held,), told, heading)))
    print_message(f"A page of {len(played.moves)} moves written to {file}.")


def _captions(played: Replay) -> list[str]:
    """Return what stands under each picture of a game: who plays, the moves, the result."""
    told, numbers = [_heading(played)], plies(played.positions)[1:]
    for before, move, number in zip(played.positions, played.moves, numbers, strict=False):
        who = "Chance" if before.seat is None else f"{number}. {before.mover}"
        told.append(visible_line(f"{who}: {move}"))
    told[-1] = f"{told[-1]}. {_result(played)}".removesuffix(". ")
    return told


def _without_extra(message: str) -> GameError:
    return refused(Code.NO_PICTURES, message, "In gdl's folder: `pip install '.[pictures]'`.")
