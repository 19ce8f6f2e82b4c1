"""Games changed where it may hurt, and positions: numbers, bounds, operators, boards, options.

In: a source of chance. Out: the text of a shipped game or of a case of `tests/conformance` with
one to three changes, and values for its options; or plain data of a position with a
value changed. What then holds: a good part of it still is a game, so that what follows
loading is tried.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from gdl.load import games_folder

ROOT = Path(__file__).parent
_LONGEST = 6000

NUMBERS = (
    *("0", "1", "-1", "2", "7", "63", "64", "65", "600", "601", "1000", "1/2", "-5/3", "0.5"),
    *("2^31", "2147483648", "2^62", "9223372036854775807", "9223372036854775808", "-2^63"),
    *("18446744073709551616", "10^30", "2^4096", "10^9", "(1/3)", "turns", "count own", "size"),
)
OPERATORS = (
    *("+", "-", "*", "div", "mod", "/", "^", "<", "<=", ">", ">=", "=", "!=", "and", "or"),
    *("|", "&", "max", "min", "some", "no", "count", "every", "sum", "..", "any", "not"),
)
WORDS = (
    *("own", "enemy", "empty", "all", "none", "top", "mover", "next", "adjacent", "orthogonal"),
    *("diagonal", "compass", "number", "fraction", "flag", "sites", "side", "mark", "kind"),
    *("reach", "groups", "row", "column", "owner", "first", "seen", "passed", "turns", "again"),
)
BOARDS = (
    *("square(25, 25)", "square(30, 21)", "square(1, 601)", "square(40, 40)", "square(2, 2)"),
    *("hex rhombus(25, 25)", "hex hexagon(15)", "hex triangle(35)", "square(1, 1)"),
    *(
        "vertices of square(24, 25)",
        "edges of square(18, 18)",
        "cells and vertices of square(18, 18)",
    ),
    *("square(26, 26) wrapping", "triangles hexagon(11)", "square(30, 30) without a1"),
)

_NUMBER = re.compile(r"(?<![\w.])\d+(?![\w.])")
_OPERATOR = re.compile(rf"(?<=\s)(?:{'|'.join(map(re.escape, OPERATORS))})(?=[\s(])|\.\.")
_WORD = re.compile(rf"\b(?:{'|'.join(WORDS)})\b")
_BOUNDS = re.compile(r"([\w-]+)\.\.([\w-]+)")
_BOARD = re.compile(r"(?m)^board: (?![\[{|>]).+$")
_OPTION = re.compile(r"(?m)^options:(.*(?:\n[ \t]+.*)*)")


@cache
def originals() -> tuple[str, ...]:
    """Return the texts that are changed."""
    folders = (games_folder(), ROOT / "conformance")
    texts = [path.read_text("utf-8") for one in folders for path in sorted(one.glob("*.yaml"))]
    return tuple(text for text in texts if len(text) <= _LONGEST)


def mutant(random: Random) -> tuple[str, dict[str, str]]:
    """Return the text of a changed game, and values for some of its options."""
    text = random.choice(originals())
    for _ in range(random.randint(1, 3)):
        text = random.choice(_CHANGES)(text, random)
    return text, _options(text, random)


def _replaced(text: str, random: Random, pattern: re.Pattern[str], by: tuple[str, ...]) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text
    one = random.choice(found)
    return text[: one.start()] + random.choice(by) + text[one.end() :]


def _number(text: str, random: Random) -> str:
    return _replaced(text, random, _NUMBER, NUMBERS)


def _near_number(text: str, random: Random) -> str:
    found = list(_NUMBER.finditer(text))
    if not found:
        return text
    one = random.choice(found)
    near = int(one[0]) + random.choice((-2, -1, 1, 2, int(one[0])))
    return text[: one.start()] + str(near) + text[one.end() :]


def _operator(text: str, random: Random) -> str:
    return _replaced(text, random, _OPERATOR, OPERATORS)


def _word(text: str, random: Random) -> str:
    return _replaced(text, random, _WORD, WORDS)


def _bounds(text: str, random: Random) -> str:
    found = list(_BOUNDS.finditer(text))
    if not found:
        return text
    one = random.choice(found)
    return f"{text[: one.start()]}{one[2]}..{one[1]}{text[one.end() :]}"


def _board(text: str, random: Random) -> str:
    return _replaced(text, random, _BOARD, tuple(f"board: {board}" for board in BOARDS))


def _line(text: str, random: Random) -> str:
    lines = text.split("\n")
    at, to = random.randrange(len(lines)), random.randrange(len(lines))
    kept = lines[at]
    if random.random() < 0.5:
        del lines[at]
    if random.random() < 0.5:
        lines.insert(min(to, len(lines)), kept)
    return "\n".join(lines)


_CHANGES: tuple[Callable[[str, Random], str], ...] = (
    *(_number, _number, _near_number, _near_number),
    *(_operator, _operator, _word, _word, _bounds, _board, _line),
)


def _options(text: str, random: Random) -> dict[str, str]:
    """Return values for some options: numbers at their edges and beyond, and other texts."""
    section = _OPTION.search(text)
    names = re.findall(r"(\w+):", section[1]) if section else []
    known = [name for name in names if name not in ("default", "in", "about")]
    if not known or random.random() < 0.6:
        return {}
    values = ("0", "1", "2", "3", "25", "26", "30", "yes", "no", *NUMBERS, *WORDS, "")
    return {random.choice(known): random.choice(values)}


# --------------------------------------------------------------------------- positions

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 2**31, 2**63 - 1, 2**63, -(2**63) - 1, 2**64, 2**4097),
    *(0.5, 1e308, float("inf"), "", "a1", "a1 a1", "zz", "a1 b2 c3", "1/2", "1/0", "-7/3", "none"),
    *("9" * 3000, [], {}, [[]], ["a1"], [0], {"a": 1}, [["a1", 1]], [[[""], 1]], [[[], 1_000_000]]),
)


def damaged(data: Any, random: Random) -> Any:
    """Return plain data with one value changed, left out, doubled, or moved to another's place."""
    if isinstance(data, dict) and data and random.random() < 0.95:
        key = random.choice(list(data))
        match random.randrange(8):
            case 0:
                return {name: value for name, value in data.items() if name != key}
            case 1:
                return {**data, key: data[random.choice(list(data))]}
            case 2:
                return {**data, f"{key} 2": data[key]}
        return {**data, key: damaged(data[key], random)}
    if isinstance(data, list) and data and random.random() < 0.9:
        at = random.randrange(len(data))
        match random.randrange(6):
            case 0:
                return data[:at] + data[at + 1 :]
            case 1:
                return [*data, data[at]]
        return [*data[:at], damaged(data[at], random), *data[at + 1 :]]
    if isinstance(data, str) and " " in data and random.random() < 0.5:
        words = data.split()
        words[random.randrange(len(words))] = random.choice(("a1", "b2", "zz", words[0], ""))
        return " ".join(words)
    if type(data) is int and random.random() < 0.5:
        return data + random.choice((-1, 1, 1000, -1000))
    return random.choice(VALUES)
