"""A game as somebody has written it down.

In: what a file says. Out: texts of moves, and what is said besides. What then holds: nothing is
known of the rules; moves are words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic
from gdl.interpreter.evaluation.moves import move_texts

WHITE, BLACK = "White", "Black"
DRAW = "draw"
FORMATS_BY_NAME = ("pdn", "sgf", "kif", "uhp", "turns", "mat")
"""Formats whose files only a notation of that name tells of."""


@dataclass(frozen=True)
class SetUpAs:
    """Where a record begins: a position as a text, or pieces of a colour on places.

    `mover` is the colour that is to move; all are empty where nothing is said.
    """

    text: str = ""
    pieces: tuple[tuple[str, str], ...] = ()
    mover: str = ""


USUAL_START = SetUpAs()


@dataclass(frozen=True)
class Recorded:
    """A game as somebody has written it down.

    `counts` are the numbers of legal moves before each move, as far as they are known. `result` is
    `draw`, `1-0`, `0-1`, or who has won; empty if that is not known. `line` is where it stands. If
    it is `running`, `moves` are words of which one or several make a move. A single text is moves
    with commas between.

    Of a file of a `format` with a name, the result may be agreed or given up: `ending` says how, in
    words. `colours` are those that made each move, where that is said; `tags` what stands in its
    headers; `remarks` texts, each with how many moves come before; `variations` other lines, each
    from the start, and `asides` the remarks of each. `places` are the line and the column of each
    move, where they are known.
    It `claims_win` if the sign of the last move says that it wins. `problem` is what kept the rest
    from being read, `text` what stands from `line` on, where places are found out later. It is `of`
    the game of that name, where its headers were looked at for one.
    """

    moves: tuple[str, ...]
    counts: tuple[int | None, ...] = ()
    result: str = ""
    line: int = 1
    running: bool = False
    format: str = ""
    ending: str = ""
    colours: tuple[str, ...] = ()
    tags: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[tuple[int, str], ...] = ()
    variations: tuple[tuple[str, ...], ...] = ()
    asides: tuple[tuple[tuple[int, str], ...], ...] = ()
    places: tuple[tuple[int, int], ...] = ()
    setup: SetUpAs = USUAL_START
    claims_win: bool = False
    problem: Diagnostic | None = None
    text: str = field(default="", compare=False, repr=False)
    of: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.moves, str):
            object.__setattr__(self, "moves", move_texts(self.moves))

    def side_of(self, colour: str, sides: Sequence[str]) -> str:
        """Return the side that a colour stands for: that of the name, or by who begins.

        In smart game format that is who made the first move, or Black, as in kifu format;
        elsewhere it is White.
        """
        if colour not in (WHITE, BLACK) or colour in sides or len(sides) != 2:
            return colour
        begins = BLACK if self.format in ("sgf", "kif") else WHITE
        if not self.setup.pieces:
            begins = next(filter(None, self.colours), begins)
        return sides[0 if colour == begins else 1]

    def winner(self, sides: Sequence[str]) -> str:
        """Return the side that won by the record, `draw`, or what else it says; empty if nothing.

        `1-0` are the points of White and Black, or of whom the headers name first.
        """
        if self.result not in ("1-0", "0-1"):
            return self.side_of(self.result, sides) if self.format else self.result
        if len(sides) != 2:
            return self.result
        if not self.format:
            return sides[self.result == "0-1"]
        named = next((tag for tag in self.tags if tag in (WHITE, BLACK, *sides)), WHITE)
        first = self.side_of(named, sides)
        return next(side for side in sides if (side == first) == (self.result == "1-0"))
