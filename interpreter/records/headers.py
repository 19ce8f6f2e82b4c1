"""What headers of records are called, in the formats of others.

In: a recorded game. Out: its headers by their names in portable game notation. What then holds:
those of White and Black are of the sides that portable games call so, whatever the record does.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from gdl.interpreter.records.recorded import BLACK, DRAW, WHITE, Recorded

OPTIONS = "Options"
"""The header with the options of a game, as in `size=13, komi=0.5`."""

SMART: Mapping[str, str] = {  # what headers are called in smart game format
    **{"Event": "EV", "Site": "PC", "Date": "DT", "Round": "RO", "White": "PW", "Black": "PB"},
    **{"WhiteElo": "WR", "BlackElo": "BR", "Annotator": "AN", "Opening": "ON"},
    **{"GameName": "GN", "Handicap": "HA", "Rules": "RU"},
}
_PORTABLE = {key: name for name, key in SMART.items()} | {
    **{"先手": "Black", "後手": "White", "棋戦": "Event", "場所": "Site", "開始日時": "Date"},
    **{"戦型": "Opening"},
}
_NAME = re.compile(r"[A-Za-z0-9_]+")
_DAY = re.compile(r"(\d{4})/(\d\d)/(\d\d)\b.*")


def colour_of(side: str, sides: Sequence[str], format: str) -> str:
    """Return the colour that stands for a side: its name, or by who begins."""
    if side in (WHITE, BLACK, DRAW, "") or len(sides) != 2:
        return side
    first, second = (BLACK, WHITE) if format == "sgf" else (WHITE, BLACK)
    return first if side == sides[0] else second


def headers_of(
    game: Recorded, sides: Sequence[str], is_mirrored: bool = False
) -> Mapping[str, str]:
    """Return the headers of a record by their names in portable game notation.

    Where `is_mirrored`, its players have kept their colours after a swap, so each has the other
    side from then on.
    """
    told: dict[str, str] = {}
    for tag, value in game.tags.items():
        name = _PORTABLE.get(tag, tag)
        if name == tag and (game.format in ("sgf", "kif") or _NAME.fullmatch(tag) is None):
            continue  # a property of a tree, or a name that portable games can't have
        colour = next((one for one in (WHITE, BLACK) if name.startswith(one)), "")
        if colour and len(sides) == 2:
            side = game.side_of(colour, sides)
            if is_mirrored and side in sides:
                side = sides[1 - sides.index(side)]
            name = colour_of(side, sides, "pgn") + name[len(colour) :]
        told[name] = _DAY.sub(r"\1.\2.\3", value) if name == "Date" else value
    return told
