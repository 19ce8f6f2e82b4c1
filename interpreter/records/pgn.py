"""Portable game notation (PGN), and its kin with numbers of squares (PDN).

In: lines of a text. Out: games, one after the other, each as soon as it is read. What then holds:
comments, variations, clocks and numbers of moves are told from moves; a game that is cut off says
where, and the next one is read. Where each move has a number of its own, up to `8...` behind the
last one, all words up to the next number are one move.

After S. J. Edwards, "Portable Game Notation Specification", 1994, and W. Wesselink and A. Janson,
"PDN 3.0". A line of headers begins the next game, also within a remark that has no end.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Source, Span
from gdl.interpreter.records.recorded import DRAW, USUAL_START, Recorded, SetUpAs

RESULTS: Mapping[str, str] = {
    **{"1-0": "1-0", "0-1": "0-1", "1/2-1/2": DRAW, "½-½": DRAW, "1/2": DRAW, "*": ""},
    **{"2-0": "1-0", "0-2": "0-1", "1-1": DRAW},
}
_HEADER_LINE = re.compile(r'\s*\[\s*\w+\s*"')
_HEADER = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\\n]|\\.)*|[^\n]*?)"\s*\]')
_FIRST_MOVE = re.compile(r"\s*1\s?\.\s*[^\s.]")
_BETWEEN = re.compile(r"(?:\s+|^[%;][^\n]*\n?|\ufeff)+", re.MULTILINE)
_GAME_TYPE = re.compile(r"(?:\s*\[[^\n]*\]\s*\n)*?\s*\[GameType\s")
_FIRST_NUMBERED = re.compile(r"^1\.\s*\d", re.MULTILINE)
_NUMBERS = re.compile(r"(?<!\S)\d+\.+|\$\d+|(?<!\S)\.+(?!\S)|^%[^\n]*", re.MULTILINE)
_SECOND = re.compile(r"(?<!\S)\d+\.\s?\.\.")  # the number of a move by the second side
_TOKEN = re.compile(
    r"^%[^\n]*|\{(?P<remark>[^}]*)\}|(?P<cut>\{)|;(?P<aside>[^\n]*)|(?P<open>\()|(?P<close>\))"
    r"|\$\d+|(?P<number>\d{1,9}\.+(?:\s*\.\.+)?)|\d+\.+|\.\.+|(?P<word>[^\s{}();]+)|\}",
    re.MULTILINE,
)
_WORTH = r"\+-|-\+|±|∓|⩲|⩱|∞|\+/[-=]|[-=]/\+|\+=|=\+"  # what a position is worth
_MARKS = re.compile(rf"[!?]+|e\.p\.|<[^>]*>|=|{_WORTH}")
_BEHIND = re.compile(rf"[!?]*(?:{_WORTH})?[!?]*$")
_LEADING_ZEROS = re.compile(r"(?<!\d)0+(?=[1-9])")
_COMMANDS = re.compile(r"\[%[^\]]*\]")
_MOST_HEADERS = 200
_DEEPEST = 100  # variations within variations; deeper ones are passed over
_MOST_VARIED = 200_000  # moves in variations of a game


@dataclass(frozen=True)
class _Chunk:
    """The lines of one game, and the number of the first."""

    text: str
    line: int


def is_portable(text: str) -> bool:
    """Return whether a text begins with a header, or with the number of the first move."""
    begin = _begin(text)
    return any(one.match(text, begin) is not None for one in (_HEADER_LINE, _FIRST_MOVE))


def is_numbered(text: str) -> bool:
    """Return whether the first game of such a text has numbers of squares, by its headers.

    Where it has no `GameType` and a later one has, its first move tells.
    """
    if _GAME_TYPE.match(text, _begin(text)) is not None:
        return True
    first = _FIRST_NUMBERED.search(text)
    return "[GameType " in text and first is not None and first.start() < text.index("[GameType ")


def _begin(text: str) -> int:
    """Return where the first game begins, behind remarks of a line."""
    blank = _BETWEEN.match(text)
    return 0 if blank is None else blank.end()


def portable_games(lines: Iterable[str], name: str, format: str = "pgn") -> Iterator[Recorded]:
    """Yield the games of lines; `name` is that of their file, for messages."""
    for chunk in _chunks(lines):
        yield from _games(chunk, name, format)


def running_game(text: str, line: int) -> Recorded:
    """Return the game of words without headers and commas."""
    found = list(_played(text, 0, _Chunk(text, line), "", {}, ""))
    return found[0] if found else Recorded((), line=line, running=True)


def _chunks(lines: Iterable[str]) -> Iterator[_Chunk]:
    """Yield the lines of each game: headers after moves begin the next one.

    So does, where there are no headers, the number of the first move.
    """
    kept: list[str] = []
    begun, has_headers, has_moves, in_remark, was_blank = 1, False, False, False, True
    for number, line in enumerate(lines, start=1):
        is_header = line[:1] in "[ \t" and _HEADER_LINE.match(line) is not None
        begins = is_header or (not has_headers and line[0] in "1 " and _FIRST_MOVE.match(line))
        if begins and has_moves and ((was_blank and is_header) or not in_remark):
            yield _Chunk("".join(kept), begun)
            kept, begun, has_headers, has_moves, in_remark = [], number, False, False, False
        kept.append(line)
        was_blank = not line.strip()
        has_headers |= is_header
        has_moves |= not (is_header or was_blank or line[0] in "%;\ufeff")
        if ("{" in line or "}" in line) and line[0] not in "%;":
            in_remark = line.rfind("{") > line.rfind("}")
    if any(line.strip() for line in kept):
        yield _Chunk("".join(kept), begun)


def _games(chunk: _Chunk, name: str, format: str) -> Iterator[Recorded]:
    text, place, tags = chunk.text, 0, dict[str, str]()
    problem: tuple[int, str] | None = None
    while len(tags) < _MOST_HEADERS:
        if blank := _BETWEEN.match(text, place):
            place = blank.end()
        header = _HEADER.match(text, place)
        if header is None and _HEADER_LINE.match(text, place) is not None:
            problem = problem or (place, 'The header that begins here has no end, which is `"]`.')
            place = (text.find("\n", place) + 1) or len(text)
            continue
        if header is None:
            break
        tags[header[1]] = header[2].replace('\\"', '"').replace("\\\\", "\\")
        place = header.end()
    if tags.get("GameType"):
        format = "pdn"
    yield from _played(text, place, chunk, format, tags, name, problem)


def _played(
    text: str,
    place: int,
    chunk: _Chunk,
    format: str,
    tags: Mapping[str, str],
    name: str,
    problem: tuple[int, str] | None = None,
) -> Iterator[Recorded]:
    """Yield the games of the moves behind headers; without headers there may be several."""
    line = chunk.line + text.count("\n", 0, place)
    said = RESULTS.get(tags.get("Result", ""), "")
    is_plain = not any(sign in text[place:] for sign in "{(;") and not _SECOND.search(text, place)
    scan = _scan_plain(text[place:]) if is_plain else _scan(text, place)
    number = 0
    for found in scan:
        number += 1
        is_first = number == 1
        if not (is_first or found.moves or found.problem):
            continue
        if found.result is None and found.problem is None and "Result" in tags:
            end = len(text.rstrip())
            found.problem = end - 1, "The game is cut off here: no result stands behind its moves."
        if is_first and found.problem is None:
            found.problem = problem
        is_running = not found.join()
        yield Recorded(
            _numbered(found.moves) if format == "pdn" else tuple(found.moves),
            (),
            found.result if found.result is not None else said if is_first else "",
            line if is_plain or is_first else chunk.line + text.count("\n", 0, found.begin),
            running=is_running,
            format=format,
            ending=_ending(tags) if is_first else "",
            tags=tags if is_first else {},
            remarks=tuple(found.remarks),
            variations=tuple(map(_numbered, found.variations))
            if format == "pdn"
            else tuple(found.variations),
            asides=tuple(found.asides),
            setup=SetUpAs(tags["FEN"]) if is_first and "FEN" in tags else USUAL_START,
            claims_win=found.claims_win,
            problem=None if found.problem is None else _problem(chunk, name, *found.problem),
            text=text[place:] if is_first else "",
        )
    if not number and tags:
        yield Recorded((), (), said, chunk.line, running=True, format=format, tags=tags)


def _numbered(moves: Iterable[str]) -> tuple[str, ...]:
    """Return moves with numbers as they are called: `07-12` is `7-12`."""
    return tuple(_LEADING_ZEROS.sub("", move) for move in moves)


class _Found:
    """What a scan has found of one game."""

    def __init__(self, begin: int) -> None:
        self.begin = begin
        self.moves: list[str] = []
        self.remarks: list[tuple[int, str]] = []
        self.variations: list[tuple[str, ...]] = []
        self.asides: list[tuple[tuple[int, str], ...]] = []
        self.numbers: list[tuple[int, int]] = []
        self.varied_numbers: list[list[tuple[int, int]]] = []
        self.varied = 0
        self.result: str | None = None
        self.problem: tuple[int, str] | None = None
        self.claims_win = False

    def add_variation(
        self, line: list[str], remarks: list[tuple[int, str]], numbers: list[tuple[int, int]]
    ) -> None:
        """Add another line, unless there are very many."""
        self.varied += len(line)
        if self.varied <= _MOST_VARIED:
            self.variations.append(tuple(line))
            self.asides.append(tuple(remarks))
            self.varied_numbers.append(numbers)

    def join(self) -> bool:
        """Join the words of each move, if each has its number, and say so."""
        if not _is_each_numbered(self.numbers):
            return False
        lines = zip(self.variations, self.asides, self.varied_numbers, strict=True)
        told = [_joined(line, remarks, numbers) for line, remarks, numbers in lines]
        self.variations = [tuple(line) for line, _ in told]
        self.asides = [tuple(remarks) for _, remarks in told]
        self.moves, self.remarks = _joined(self.moves, self.remarks, self.numbers)
        return True

    def add(self, word: str, line: list[str]) -> None:
        """Add a move to a line, without what is thought of it."""
        bare = word if word[-1].isalnum() else _BEHIND.sub("", word) or word
        if line is self.moves:
            self.claims_win = bare.endswith("#")
        line.append(bare.rstrip("#"))


def _is_each_numbered(numbers: list[tuple[int, int]]) -> bool:
    """Return whether each move of a line has a number of its own, to the last one, `8...`.

    `numbers` are pairs: how many words come before, and twice the number, one more if dots say
    that the second side moves.

    >>> first, second, third = (0, 2), (3, 3), (5, 4)
    >>> _is_each_numbered([first, second]), _is_each_numbered([first, second, third])
    (True, False)
    """
    told = [number for _, number in numbers]
    return bool(told) and told[-1] % 2 == 1 and told == [*range(told[0], told[-1] + 1)]


def _joined(
    line: Sequence[str], remarks: Sequence[tuple[int, str]], numbers: Sequence[tuple[int, int]]
) -> tuple[list[str], list[tuple[int, str]]]:
    """Return a line with all words from one number to the next as one, and its remarks.

    >>> _joined(["a1", "b1", "c1"], [(2, "good")], [(0, 2), (2, 3)])
    (['a1 b1', 'c1'], [(1, 'good')])
    """
    begins = sorted({0, *(place for place, _ in numbers)} - {len(line)})
    moves = [" ".join(line[a:b]) for a, b in zip(begins, [*begins[1:], len(line)], strict=True)]
    return moves if line else [], [(bisect_left(begins, place), text) for place, text in remarks]


def _scan_plain(text: str) -> Iterator[_Found]:
    """Yield the games of a text without remarks and variations."""
    found = _Found(0)
    for word in _NUMBERS.sub(" ", text).split():
        if word in RESULTS:
            found.result = RESULTS[word]
            yield found
            found = _Found(0)
        elif not _MARKS.fullmatch(word):
            found.add(word, found.moves)
    if found.moves:
        yield found


def _scan(text: str, place: int) -> Iterator[_Found]:
    """Yield the games of a text, with what is said of them."""
    found = _Found(place)
    line, remarks, numbers = found.moves, found.remarks, found.numbers
    outer = list[tuple[list[str], list[tuple[int, str]], list[tuple[int, int]], int]]()
    begins = False  # whether a variation does
    for token in _TOKEN.finditer(text, place):
        kind = token.lastgroup
        if kind == "word":
            word, begins = token["word"], False
            if not outer and word in RESULTS:
                found.result = RESULTS[word]
                yield found
                found = _Found(token.end())
                line, remarks, numbers = found.moves, found.remarks, found.numbers
            elif word not in RESULTS and not _MARKS.fullmatch(word):
                found.add(word, line)
        elif kind == "number":
            told = 2 * int(token["number"].partition(".")[0]) + token["number"].endswith("..")
            if not numbers or numbers[-1][1] != told:
                numbers.append((len(line), told))
            elif begins:  # another move of several words for the last one
                del line[numbers[-1][0] :]
        elif kind in ("remark", "aside"):
            remark = " ".join(_COMMANDS.sub("", token[kind]).split())
            if remark:
                remarks.append((len(line), remark))
        elif kind == "open":
            outer.append((line, remarks, numbers, token.start()))
            line, remarks = line[:-1] if len(outer) <= _DEEPEST else [], []
            numbers, begins = [pair for pair in numbers if pair[0] <= len(line)], True
        elif kind == "close" and outer:
            if len(outer) <= _DEEPEST:
                found.add_variation(line, remarks, numbers)
            line, remarks, numbers, _ = outer.pop()
            begins = False
        elif kind == "cut":
            found.problem = token.start(), "The remark that begins here has no end, which is `}`."
            break
    if outer and found.problem is None:
        found.problem = outer[0][3], "The variation that begins here has no end, which is `)`."
    if outer:
        found.moves = outer[0][0]
    if found.moves or found.problem:
        yield found


def place_of_move(game: Recorded, number: int) -> tuple[int, int] | None:
    """Return the line and the column of a move of a game, counted from 0; None if not known."""
    depth, seen = 0, -1
    before_it = sum(len(move.split()) for move in game.moves[:number])
    for token in _TOKEN.finditer(game.text):
        depth += (token["open"] is not None) - (token["close"] is not None)
        word = token["word"]
        if depth or word is None or word in RESULTS or _MARKS.fullmatch(word):
            continue
        seen += 1
        if seen == before_it:
            before = game.text[: token.start()]
            return game.line + before.count("\n"), token.start() - before.rfind("\n")
    return None


def _problem(chunk: _Chunk, name: str, place: int, message: str) -> Diagnostic:
    begin = place + chunk.line - 1
    source = Source(name, "\n" * (chunk.line - 1) + chunk.text)
    return Diagnostic(Code.WRONG_RECORDED_GAME, message, Span(source, begin, begin + 1))


def _ending(tags: Mapping[str, str]) -> str:
    """Return how a game was ended, as far as its headers say so."""
    said = tags.get("Termination", "").lower()
    if "time" in said or "clock" in said:
        return "on time"
    if "adjud" in said:
        return "adjudicated"
    if "agree" in said:
        return "agreed"
    if "resign" in said or "gave up" in said:
        return "resigned"
    return "abandoned" if "abandon" in said or "forfeit" in said or "infraction" in said else ""
