"""Slips of sets: expressions that are the whole of a text, as others write them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.syntax.slips.patterns import EITHER, NUMBERS, QUANTIFIED, SITES, WHERE, WORD, slip

_TURNS = "How many turns were made is `turns`."

_SITE = r"[a-z]\d+"
_STRETCH = r"([a-z])(\d+) ?(?:\.\.|to|through|-) ?([a-z])(\d+)"
_LONGEST_LINE, _MOST_LINES = 11, 99
_PART = r"\b(row|column)s?\b|\b(\d+)(?: ?(?:-|to|\.\.|through) ?(\d+))?\b|\b([a-z]+\d+)\b"
"""A word for lines, a number or a range of them, or a site."""


def lines(text: str) -> str:
    """Return rows, columns and single sites, as they are listed, as a set.

    >>> lines("rows 1 and 2, and c3")
    'rows(1, 2) | c3'
    """
    parts: list[str] = []
    word = ""
    listed: list[int] = []
    for line, first, last, site in re.findall(_PART, text):
        if line:
            parts += _runs(word, listed)
            word, listed = f"{line}s", []
        elif site:
            parts += [*_runs(word, listed), site]
            listed = []
        else:
            listed += range(int(first), min(int(last or first), int(first) + _MOST_LINES) + 1)
    return " | ".join([*parts, *_runs(word, listed)])


def _runs(word: str, numbers: Sequence[int]) -> list[str]:
    """Return lines by their numbers, those that follow one another as one."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return [f"{word}({', '.join(map(str, dict.fromkeys((run[0], run[-1]))))})" for run in runs]


def _stretch(found: re.Match[str]) -> str:
    """Return the sites from one to another in the same row or column; nothing for others."""
    columns = [chr(code) for code in range(ord(found[1]), ord(found[3]) + 1)]
    rows = range(int(found[2]), int(found[4]) + 1)
    is_line = 1 in (len(columns), len(rows)) and len(columns) + len(rows) <= _LONGEST_LINE
    return " | ".join(f"{column}{row}" for column in columns for row in rows) if is_line else ""


def _stretches(found: re.Match[str]) -> str:
    """Return the sites of several stretches and single sites; nothing if one is no stretch."""
    parts = []
    for part in re.finditer(rf"{_STRETCH}|{_SITE}", found[0]):
        parts.append(_stretch(part) if part[1] else part[0])
    return " | ".join(parts) if all(parts) else ""


def _of_elements(found: re.Match[str]) -> str:
    among = "all" if re.fullmatch(_ALL, found[1]) else found[1]
    condition = re.sub(r"\bit\b", "s", found[2])
    return f"sites s in {among} where {condition}"


_ALL = r"(?:all )?(?:sites|cells|squares|spaces|points|fields)"
_ELEMENT_OF = r"(?:all \w+|[^|&=()\s]+|[^|&=()\s]+\([^()]*\)|\w+ [&|-] \w+)"
_EACH_OR_ALL = (
    "The sites of a set that a condition holds for are `sites s in A where C`, with `s` in the"
    " condition; the whole set, or nothing, by a condition is `A when C`."
)

SETS = (
    slip(
        r"after (?:the )?(?:turn |move )?(\d)|after (\d) (?:turns?|moves?)",
        lambda m: f"turns = {m[1] or m[2]}",
        _TURNS,
    ),
    slip(
        r"(?:after )?(?:the )?(?:first|1st) (?:turn|move)|(?:turn|move) 1"
        r"|(?:on |in |at )?(?:the )?(?:(?:turn|move) 2|(?:second|2nd) (?:turn|move))",
        "turns = 1",
        _TURNS,
    ),
    slip(r"\d+(?:, ?\d+)+", r"(\g<0>)", NUMBERS),
    slip(r"[a-z]\d+(?:(?:, ?| )[a-z]\d+)+", lambda m: " | ".join(re.split(r"[ ,]+", m[0])), SITES),
    slip(
        rf"({WORD}(?:\([^()]*\))?)(?:, ?({WORD}(?:\([^()]*\))?))+",
        lambda m: " | ".join(re.split(r", ?(?![^()]*\))", m[0])),
        SITES,
    ),
    slip(_STRETCH, _stretch, SITES),
    slip(rf"(?:{_STRETCH}|{_SITE})(?:(?:, ?| )(?:{_STRETCH}|{_SITE}))+", _stretches, SITES),
    slip(r"(row|column)s? (\d+)", r"\1s(\2)", ""),
    slip(rf"(?=row|column)(?=.*\d)(?:{_PART}|\band\b|[\s(),|])+", lambda m: lines(m[0]), SITES),
    slip(
        rf"(.+?) (?:where|if|that are|which are) ({WORD})",
        r"\1 & \2",
        "Two sets are joined by `&`.",
    ),
    slip(
        r"([a-z]+\d+) ?(?:\.\.|to|through) ?([a-z]+\d+)",
        "",
        r"Sites are joined by `|`, as in `\1 | \2`; whole rows are `rows(1, 2)`.",
    ),
    slip(
        r"(.+?) if (.+?) else (.+)",
        r"if \2 then \1 else \3",
        EITHER,
    ),
    slip(
        r"if .+ then (?!.*\belse\b).+",
        "",
        "A value is chosen by `if C then A else B`; a set that there may be is `A when C`.",
    ),
    slip(
        rf"(?:all |every |the )?({WORD}) in (.+?) (?:where|with|if|such that) (.+)",
        r"sites \1 in \2 where \3",
        QUANTIFIED,
    ),
    slip(
        rf"sites ({WORD}) in (.+?) (?:with|if|such that|when) (.+)",
        r"sites \1 in \2 where \3",
        WHERE,
    ),
    slip(
        rf"({_ELEMENT_OF}) (?:where|with|if|when|that are|such that) (.*\bit\b.*)",
        _of_elements,
        _EACH_OR_ALL,
    ),
    slip(
        r"([^|&=()]+?) if (.+)",
        r"\1 when \2",
        "A set that is there by a condition is `A when C`.",
    ),
    slip(rf"{_ELEMENT_OF} where .+", "", _EACH_OR_ALL),
    slip(
        r"([A-Z]\w*) ?:[\s\S]*",
        "",
        r"What differs by kind is a definition for each, with the kind as a parameter:"
        r" `NAME(\1, s): …`, asked for as `NAME(kind(s), s)`.",
    ),
    slip(
        rf"let ({WORD}) = (.+?)(?: in |, ?)(.+)",
        r"let \1 = \2; \3",
        "A local word is `let x = E; F`.",
    ),
    slip(r"[a-z]\d+(?: ?; ?[a-z]\d+)+", lambda m: " | ".join(re.split(r"[ ;]+", m[0])), SITES),
    slip(r"(?:the )?(top|bottom|left|right) (?:row|column|side|edge)", r"\1", ""),
    slip(r"(?:the )?(?:first|lowest) row", "rows(1)", ""),
    slip(r"(?:the )?(?:first|leftmost) column", "columns(1)", ""),
    slip(r"return (.+)", r"\1", "A definition is the value itself."),
    slip(r"the (.+)", r"\1", ""),
)
"""Expressions as whole texts."""
