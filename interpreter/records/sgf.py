"""Smart game format: trees of moves, with pieces that are set up.

In: the text of a file. Out: its games. What then holds: the first branch of a tree is the game, the
others are variations.

After A. Hollosi, "SGF File Format FF[4]", 2006. A game whose text is cut off says where.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Source, Span
from gdl.interpreter.records.recorded import BLACK, DRAW, USUAL_START, WHITE, Recorded, SetUpAs

_TOKEN = re.compile(
    r"\s+|(?P<sign>[();])|(?P<name>[A-Za-z]+)|\[(?P<value>(?:[^\]\\]|\\.)*)\]|(?P<wrong>.)",
    re.DOTALL,
)
_BEGIN = re.compile(r"\(\s*;")
_ESCAPE = re.compile(r"\\(\n?)(.?)", re.DOTALL)
_OTHER_GAME = re.compile(r'^\[\w+\s+"|^1\.\s*\w', re.MULTILINE)
_COLOURS = {"B": BLACK, "W": WHITE}
_SET_UP = {"AB": BLACK, "AW": WHITE, "AE": ""}
_RECTANGLE = re.compile(r"([a-zA-Z])([a-zA-Z]):([a-zA-Z])([a-zA-Z])")
_GIVEN_UP = ("resign", "forfeit")
_HOW = {"R": "resigned", "T": "on time", "F": "abandoned"}
_DEEPEST = 10_000
_SOON = 2000  # characters


@dataclass(frozen=True)
class _Node:
    """The properties of a node, each with its values, and where it stands in the text."""

    properties: Mapping[str, Sequence[str]]
    place: int

    @property
    def moves(self) -> Iterator[tuple[str, str]]:
        """The moves of the node: a colour, and where."""
        for key, colour in _COLOURS.items():
            for value in self.properties.get(key, ())[:1]:
                yield colour, value.strip()


def is_smart(text: str) -> bool:
    """Return whether a game in smart game format begins soon in a text."""
    return _BEGIN.search(text, 0, _SOON) is not None


def smart_games(text: str, name: str) -> Iterator[Recorded]:
    """Yield the games of a text; `name` is that of its file, for messages."""
    place = 0
    while begin := _BEGIN.search(text, place):
        tree = _Tree(text, begin.start())
        yield _game(tree, text, name)
        place = max(tree.end, begin.end())
    if other := _OTHER_GAME.search(text, place):
        yield _not_read(other.start(), Source(name, text))


def _not_read(place: int, source: Source) -> Recorded:
    told = "Games in another format begin here: only one format is read of a file."
    problem = Diagnostic(Code.WRONG_RECORDED_GAME, told, Span(source, place, place + 1))
    return Recorded((), line=source.position(place)[0], format="sgf", problem=problem)


class _Tree:
    """A tree of nodes as lines: the first is the main one, the others begin like one before."""

    def __init__(self, text: str, place: int) -> None:
        """Read the tree that begins at a place of a text."""
        self.lines: list[list[_Node]] = []
        self.problem: tuple[int, str] | None = None
        self.end = len(text)
        line: list[_Node] = []
        outer: list[int] = []
        properties: dict[str, list[str]] = {}
        key, has_branches = "", False
        for token in _TOKEN.finditer(text, place):
            if (sign := token["sign"]) is not None:
                key = ""
            if sign == ";":
                properties = {}
                line.append(_Node(properties, token.start()))
                has_branches = False
            elif sign == "(":
                outer.append(len(line))
                if len(outer) > _DEEPEST:
                    self.problem = token.start(), "Branches are too deep here."
                    break
            elif sign == ")":
                if not has_branches:
                    self.lines.append(list(line))
                has_branches = True
                del line[outer.pop() :]
                if not outer:
                    self.end = token.end()
                    break
            elif token["name"] is not None:
                key = "".join(sign for sign in token["name"] if sign.isupper())
                properties.setdefault(key, [])
            elif token["value"] is not None and key:
                properties[key].append(token["value"])
            elif token["wrong"] is not None or token["value"] is not None:
                told = f"`{token[0][:20]}` is no part of a node."
                if token[0] == "[" and key:
                    told = "The game is cut off here: behind this `[` stands no `]`."
                self.problem = token.start(), told
                self.end = token.start() + 1
                break
        else:
            end = len(text.rstrip()) - 1
            self.problem = end, "The game is cut off here: its end, which is `)`, is missing."
        if self.problem is not None and line:
            self.lines.append(line)


def _game(tree: _Tree, text: str, name: str) -> Recorded:
    source = Source(name, text)
    main = tree.lines[0] if tree.lines else []
    root = {} if not main else {k: v[0] for k, v in main[0].properties.items() if v}
    tags = {key: plain(value) for key, value in root.items()}
    moves, colours, places = list[str](), list[str](), list[tuple[int, int]]()
    result, how = _result(tags.get("RE", ""))
    problem = None
    for node in main:
        if moves and any(node.properties.get(key) for key in _SET_UP):
            problem = node.place, "Pieces are set up here, in the middle of a game."
            break
        for colour, value in node.moves:
            if value.lower() in _GIVEN_UP:
                how, result = "resigned", (WHITE if colour == BLACK else BLACK)
                continue
            moves.append(value or "tt")
            colours.append(colour)
            places.append(source.position(node.place))
    problem = problem or tree.problem
    begin = main[0].place if main else 0
    return Recorded(
        tuple(moves),
        (),
        result,
        source.position(begin)[0],
        format="sgf",
        ending=how,
        colours=tuple(colours),
        tags=tags,
        remarks=tuple(_remarks(main)),
        variations=tuple(
            tuple(value or "tt" for node in line for _, value in node.moves)
            for line in tree.lines[1:]
        ),
        asides=tuple(tuple(_remarks(line)) for line in tree.lines[1:]),
        places=tuple(places),
        setup=_set_up(main, colours),
        problem=None
        if problem is None
        else Diagnostic(
            Code.WRONG_RECORDED_GAME, problem[1], Span(source, problem[0], problem[0] + 1)
        ),
    )


def _remarks(line: Sequence[_Node]) -> Iterator[tuple[int, str]]:
    """Yield what is said along a line, each with how many moves come before."""
    number = 0
    for node in line:
        number += sum(value.lower() not in _GIVEN_UP for _, value in node.moves)
        for remark in node.properties.get("C", ()):
            yield number, " ".join(plain(remark).split())


def _set_up(main: Sequence[_Node], colours: Sequence[str]) -> SetUpAs:
    """Return what stands on the board before the first move, and who makes that."""
    standing: dict[str, str] = {}
    mover = ""
    for node in main:
        if any(True for _ in node.moves):
            break
        for key, colour in _SET_UP.items():
            for value in node.properties.get(key, ()):
                standing |= dict.fromkeys(_points(value.strip()), colour)
        for value in node.properties.get("PL", ()):
            mover = _COLOURS.get(value.strip().upper()[:1], "")
    pieces = tuple((colour, place) for place, colour in standing.items() if colour)
    if not pieces and not mover:
        return USUAL_START
    return SetUpAs("", pieces, mover or (colours[0] if colours else ""))


def _points(value: str) -> Iterator[str]:
    """Yield the points of a value: one, or those of a rectangle.

    >>> list(_points("aa:bb")), list(_points("c3"))
    (['aa', 'ab', 'ba', 'bb'], ['c3'])
    """
    corners = _RECTANGLE.fullmatch(value)
    if corners is None:
        yield value
        return
    for column in range(ord(corners[1]), ord(corners[3]) + 1):
        for row in range(ord(corners[2]), ord(corners[4]) + 1):
            yield chr(column) + chr(row)


def _result(text: str) -> tuple[str, str]:
    """Return who won by a result such as `B+R` or `W+3.5`, and how.

    >>> _result("B+R"), _result("W+3.5"), _result("0"), _result("Void"), _result("?")
    (('Black', 'resigned'), ('White', ''), ('draw', ''), ('', 'abandoned'), ('', ''))
    """
    said = text.strip()
    colour, plus, score = said.partition("+")
    if plus and colour.upper() in _COLOURS:
        return _COLOURS[colour.upper()], _HOW.get(score[:1].upper(), "")
    if said.lower() in ("0", "draw", "jigo"):
        return DRAW, ""
    return "", "abandoned" if said.lower() == "void" else ""


def plain(value: str) -> str:
    """Return the text of a value: signs behind a backslash are themselves.

    >>> plain("a\\\\]b\\\\\\\\c")
    'a]b\\\\c'
    """
    return _ESCAPE.sub(lambda found: found[2] if not found[1] else "", value)
