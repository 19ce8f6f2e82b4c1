"""Matches with dice (MAT): games in two columns, a turn of each side a line.

In: the text of a file. Out: its games. What then holds: throws and steps are moves of their own,
`31` and `8/5 6/5`; what is said of the stake is a remark.

After the files of Jellyfish, which other programs write, too. The first throw of a game is a die
of each side, and the side with the higher one begins with both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Source, Span
from gdl.interpreter.records.recorded import BLACK, WHITE, Recorded

_MATCH = re.compile(r"^[ \t]*(?:\d+ point match|Game \d+)[ \t]*$", re.MULTILINE)
_GAME = re.compile(r"\s*Game \d+\s*")
_HEADER = re.compile(r'\s*;\s*\[(?P<tag>\w[\w ]*)\s+"(?P<value>[^"\n]*)"\]')
_PLAYERS = re.compile(r"\s*(?P<left>\S.*?) ?: ?-?\d+\s{2,}(?P<right>\S.*?) ?: ?-?\d+\s*")
_PASSED_OVER = re.compile(r"\s*(?:;.*|\d+ point match\s*)?")
_NUMBER = re.compile(r"\s*\d+\)")
_STEP = r"(?:bar|\d+)(?:/(?:bar|off|\d+)\*?)+(?:\(\d\))?\*?"
_TURN = re.compile(
    rf"(?P<dice>[1-6]{{2}}):[ \t]*(?P<steps>{_STEP}(?:[ \t]+{_STEP})*)?(?P<cannot>cannot move)?"
    r"|doubles(?:\s*=>\s*(?P<stake>\d+))?|(?P<takes>takes|beavers)|(?P<drops>drops|passes)"
    r"|wins\s+(?P<points>\d+)\s+points?(?:\s+and\s+the\s+match)?|(?P<wrong>\S+)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:25(?=/)|(?<=/)0)\b")
_LEFT = 20  # characters within which what stands alone is the left side's


def is_match(text: str) -> bool:
    """Return whether a text begins as such a file does."""
    return _MATCH.search(text[: 1 << 12]) is not None


def match_games(source: Source) -> Iterator[Recorded]:
    """Yield the games of a text."""
    tags, game, start = dict[str, str](), None, 0
    for number, line in enumerate(source.text.splitlines(keepends=True), start=1):
        header, players = _HEADER.match(line), _PLAYERS.fullmatch(line)
        if header:
            tags[header["tag"]] = header["value"]
        elif _GAME.fullmatch(line):
            if game is not None:
                yield game.recorded(tags)
            game = _Game(number)
        elif players:
            tags[WHITE], tags[BLACK] = players["left"], players["right"]
        elif not _PASSED_OVER.fullmatch(line):
            game = game or _Game(number)
            game.add(line, number, Span(source, start, start + len(line)))
        start += len(line)
    if game is not None:
        yield game.recorded(tags)


class _Game:
    """A game as far as it is read."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._moves: list[tuple[str, str, tuple[int, int]]] = []
        self._remarks: dict[int, str] = {}
        self._waits: tuple[str, tuple[int, int]] | None = None  # who threw, and has not moved yet
        self._result = self._ending = ""
        self._problem: Diagnostic | None = None

    def add(self, line: str, number: int, span: Span) -> None:
        """Add what a line says, unless there was something wrong before."""
        begin = _NUMBER.match(line)
        first = True
        for found in _TURN.finditer(line, begin.end() if begin else 0):
            if self._problem is not None:
                return
            is_left = first and found.start() < _LEFT
            first = False
            self._say(found, WHITE if is_left else BLACK, (number, found.start() + 1), span)

    def _say(self, found: re.Match[str], side: str, place: tuple[int, int], span: Span) -> None:
        if found["wrong"] or self._result:
            begin = span.start + found.start()
            what = "a turn" if found["wrong"] else "a part of the game, which is over"
            message = f"`{found[0][:40]}` is not {what}."
            place_of = Span(span.source, begin, span.start + found.end())
            self._problem = Diagnostic(Code.WRONG_RECORDED_GAME, message, place_of)
        elif found["dice"]:
            self._throw(found["dice"], side, place)
            steps = found["steps"]
            if steps or found["cannot"]:
                at = place[0], place[1] + (found.start("steps") - found.start() if steps else 0)
                self._moves.append((_ENDS.sub(_end, steps.lower()) if steps else "pass", side, at))
                self._waits = None
        elif found["points"]:
            self._result = side
            self._ending = self._ending or ""
        else:
            told = "drops" if found["drops"] else "takes" if found["takes"] else "doubles"
            told = f"{side} {told}" + (f" to {found['stake']}." if found["stake"] else ".")
            before = self._remarks.get(len(self._moves))
            self._remarks[len(self._moves)] = f"{before} {told}" if before else told
            self._ending = "the double was refused" if found["drops"] else ""

    def _throw(self, dice: str, side: str, place: tuple[int, int]) -> None:
        if self._waits is not None:
            self._moves.append(("pass", *self._waits))
        if not self._moves:
            dice = "".join(sorted(dice, reverse=side == WHITE))
        self._moves.append((dice, "", place))
        self._waits = side, place

    def recorded(self, tags: dict[str, str]) -> Recorded:
        """Return the game."""
        return Recorded(
            tuple(text for text, _, _ in self._moves),
            (),
            self._result,
            self._line,
            format="mat",
            ending=self._ending,
            colours=tuple(side for _, side, _ in self._moves),
            tags=dict(tags),
            remarks=tuple(self._remarks.items()),
            places=tuple(place for _, _, place in self._moves),
            problem=self._problem,
        )


def _end(found: re.Match[str]) -> str:
    return "bar" if found[0] == "25" else "off"
