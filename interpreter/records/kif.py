"""Kifu format (KIF): a move a line, with its number, and headers in Japanese.

In: the text of a file. Out: its game. What then holds: squares are told by two digits, and a piece
that is promoted by what it was before, so that a notation of a game's file reads the moves.

After the files of Kakinoki (柿木). The first of its variations is the game.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Source, Span
from gdl.interpreter.records.recorded import BLACK, DRAW, WHITE, Recorded

ENCODING = "cp932"
_HEADS = ("手合割：", "手数----", "先手：", "開始日時：", "# KIF", "#KIF")
_SHORT = tuple("▲△▼▽☗☖")
_HEADER = re.compile(r"(?P<key>[^\s：]+)：(?P<value>.*)")
_MOVE = re.compile(
    r"\s*(?P<number>\d+)[ 　]+(?P<move>\S[^(\s]*(?:[ 　]+[^\s(\d]\S*)?(?:\(\d\d\))?)"
)
_BRANCH = re.compile(r"変化：\s*(\d+)手")
_USUAL = "平手"
_DIGITS = str.maketrans("一二三四五六七八九", "123456789")
_PROMOTED = {"成香": "香", "成桂": "桂", "成銀": "銀", "杏": "香", "圭": "桂", "全": "銀"}
_PROMOTED |= {"馬": "角", "龍": "飛", "竜": "飛", "と": "歩", "王": "玉"}
_LOSES = {"投了": "resigned", "切れ負け": "on time", "反則負け": "adjudicated", "詰み": ""}
_WINS = {"反則勝ち": "adjudicated", "入玉勝ち": "adjudicated"}
_OTHERWISE = {"千日手": (DRAW, ""), "持将棋": (DRAW, "agreed"), "中断": ("", "abandoned")}


def is_kifu(text: str) -> bool:
    """Return whether a text begins as such a file does."""
    lines = text.lstrip("\ufeff \t\r\n").splitlines()[:20]
    return any(line.startswith(_HEADS) for line in lines)


def is_encoded(data: bytes) -> bool:
    """Return whether bytes are such a file in the older encoding."""
    return any(head.encode(ENCODING) in data for head in _HEADS[:4])


def kifu_games(source: Source) -> Iterator[Recorded]:
    """Yield the game of a text."""
    tags = dict[str, str]()
    lines: list[_Line] = [_Line(1)]
    start, problem = 0, None
    for text in source.text.splitlines(keepends=True):
        branch, found, header = _BRANCH.match(text), _MOVE.match(text), _HEADER.match(text)
        if branch:
            lines.append(lines[0].until(lines, int(branch[1])))
        elif text.startswith("*"):
            lines[-1].remark(text[1:])
        elif found:
            lines[-1].add(found["move"], source.position(start + found.start("move")))
        elif header and not lines[0].moves:
            tags[header["key"]] = header["value"].strip()
        elif text.startswith(_SHORT) and problem is None:
            problem = start, "Moves of KI2 don't say where a piece comes from; only KIF is read."
        elif "|" in text and problem is None:
            problem = start, "A position is drawn here; only games from the usual one are read."
        start += len(text)
    if tags.get("手合割", _USUAL) != _USUAL:
        place = source.text.find("手合割")
        problem = place, f"The game begins with a handicap, `{tags['手合割'][:40]}`."
    main, *others = lines if problem is None else [_Line(1)]
    yield Recorded(
        tuple(main.moves),
        (),
        main.result,
        main.places[0][0] if main.places else 1,
        format="kif",
        ending=main.ending,
        tags=tags,
        remarks=tuple(main.remarks),
        variations=tuple(tuple(line.moves) for line in others),
        asides=tuple(tuple(line.remarks) for line in others),
        places=tuple(main.places),
        problem=None
        if problem is None
        else Diagnostic(
            Code.WRONG_RECORDED_GAME, problem[1], Span(source, problem[0], problem[0] + 1)
        ),
    )


class _Line:
    """The moves of a game or of a variation; those of the latter begin with a number."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.moves: list[str] = []
        self.places: list[tuple[int, int]] = []
        self.remarks: list[tuple[int, str]] = []
        self.result, self.ending = "", ""
        self.to = ""

    def until(self, lines: list[_Line], number: int) -> _Line:
        """Return a variation that begins with the move of a number: the last line that had it."""
        before = next((line for line in reversed(lines) if line.number <= number), self)
        line = _Line(number)
        line.moves = before.moves[: number - 1]
        line.to = line.moves[-1][:2] if line.moves else ""
        return line

    def add(self, text: str, place: tuple[int, int]) -> None:
        """Add a move, or how the game was ended."""
        mover, other = (BLACK, WHITE) if len(self.moves) % 2 == 0 else (WHITE, BLACK)
        if text in _LOSES:
            self.result, self.ending = other, _LOSES[text]
        elif text in _WINS:
            self.result, self.ending = mover, _WINS[text]
        elif text in _OTHERWISE:
            self.result, self.ending = _OTHERWISE[text]
        else:
            self.moves.append(self._plain(text))
            self.places.append(place)

    def _plain(self, text: str) -> str:
        """Return a move with digits for its squares, and pieces as they were before.

        `同`, the square of the move before, is that square.
        """
        told = "".join(unicodedata.normalize("NFKC", text).split())
        told = f"{self.to}{told[1:]}" if told[:1] == "同" else told
        self.to = told[:2].translate(_DIGITS)
        rest = told[2:].replace("不成", "")
        for name, before in _PROMOTED.items():
            if rest.startswith(name):
                rest = before + rest[len(name) :]
                break
        return self.to + rest

    def remark(self, text: str) -> None:
        """Add what is said behind the last move."""
        said = " ".join(text.split())
        if said and self.remarks and self.remarks[-1][0] == len(self.moves):
            said = f"{self.remarks.pop()[1]} {said}"
        if said:
            self.remarks.append((len(self.moves), said))
