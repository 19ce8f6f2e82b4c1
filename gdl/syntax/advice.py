"""Advice: what to say about typical slips of the pen.

In: the character or word that could not be read and the kinds of token that could have stood
there. Out: a sentence of help, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from gdl.diagnostic import Hint, Span, Suggestion

_CHARACTERS = {
    "!": "For `not equal` write `!=`; for `not` write `not`.",
    "=": "Equality is one `=`.",
    "[": "Lists and calls take round parentheses.",
    "{": "A set by condition is written `sites s in … where …`.",
    '"': "Names need no quotes.",
    "'": "Names need no quotes.",
    "%": "The remainder of a division is `mod`.",
    "~": "The complement of a set is written `all - S`.",
    ":": "No colon here: the heading of a block has none, and a condition follows `where` or `of`.",
    ".": "A range is written `1..5`.",
    "?": "A choice between two values is `if … then … else …`.",
    "\t": "Use spaces.",
}

_PAIRS = {
    "&&": "Write `and` between conditions and `&` between sets.",
    "||": "Write `or` between conditions and `|` between sets.",
    "==": "Equality is one `=`.",
    "()": "What has no parameters has no parentheses either: leave `()` out.",
}

_UNCLOSED = "A closing parenthesis is missing."
_TOKENS = {
    "WHERE": "A condition follows `where`.",
    "HAS": "After `every x in S` the condition follows `has`.",
    "OF": "After the domain comes `of` and the value.",
    "RPAR": _UNCLOSED,
    "SEMICOLON": "`let` in an expression is written `let x = value; body`.",
    "THEN": "A choice between two values is written `if … then … else …`.",
    "ELSE": "A choice between two values is written `if … then … else …`.",
    "UNTIL": "A `repeat` block ends with a line `until …`, in the column of `repeat`.",
    "AT": "Where to? Write `place PIECE at SITES`.",
    "TO": "What follows begins with `to`, as in `change S to P` or `add N to x`.",
    "BY": "A relation follows `by`: `shift S by R`.",
    "OUTCOME": "After the side comes `wins` or `loses`.",
    "_INDENT": "A block follows: indent the next line deeper.",
}

RESERVED = "a word of the language"
"""What is found where a name should be, which later lines may use as well."""

_IN_PARENTHESES = re.compile(r"\b(count|some|no|sites|sum|max|min)\s*\(\s*\w+ in [^,;]*$")
_OF_A_SET = re.compile(r"\b(some|no)\s+[^<>=]*$")
_UNORDERED = re.compile(r"\bunordered with \w+\s*$")
_ASSIGNED = re.compile(r"\s*(\([^()]*\)\s*)?=(?!=)")
_SIGN_APART = re.compile(r"([=<>!]) +$")
_FACTOR = re.compile(r"(?<![\w.])(\d+) *$")
_NAMED_WAY = re.compile(r"\s+as\s+\w+\s*")
_ASKED = re.compile(r"(?:else )?if \S.*")
_HEADS = ("if", "either", "optionally", "repeat", "for")
_STATEMENT_WORD = re.compile(
    "add|again|change|choose|do|either|flip|for|go|if|keep|let|move|next|optionally|pass|place"
    "|remove|repeat|require|set|shift|swap|take"
)

_LIKELY = (
    "WHERE",
    "HAS",
    "AT",
    "TO",
    "BY",
    "OF",
    "SEMICOLON",
    "THEN",
    "UNTIL",
    "OUTCOME",
    "_INDENT",
    "RPAR",
)
_COMPARISONS = ("=", "!=", "<", "<=", ">", ">=")
_CLAUSES = {
    "clause": "A clause reads `mover wins when C`, `highest E wins when C` or `draw when C`.",
    "stuck_clause": "A clause reads `passes`, `loses`, `draw` or like one of `end`, with `when C`.",
}
LIKE_NAMES = ("from", "to", "by", "at", "next", "take")
"""Words of the language that authors take for names, such as that of the site moved from."""
_STATEMENT = "A statement begins with a word such as `choose`, `place`, `move`, `set` or `let`."


class Meant(NamedTuple):
    """A hint, or ""; and the one word that is another in what is meant, if all else is the same."""

    hint: str = ""
    wrong: Span | None = None


def for_character(char: str, pair: str) -> str:
    """Return help for a character that no token begins with; `pair` has the next one too."""
    return _PAIRS.get(pair, _CHARACTERS.get(char, ""))


def for_place(before: str, word: str, after: str, entry: str) -> Hint:
    """Return help for a word that can't stand where it does, from what stands around it.

    `before` is the text in front of it, from the beginning of its statement, or of the whole text
    if that has no statements; `after` is what follows in its line.
    """
    if word in ("where", "of", "has") and (found := _IN_PARENTHESES.search(before)):
        quantifier = found[1]
        return f"A quantifier has its parentheses around it: `({quantifier} x in S {word} …)`."
    if word in _COMPARISONS and (asked_for := _OF_A_SET.search(before.rpartition("\n")[2])):
        return (
            f"`{asked_for[1]} S` asks whether a set has a site, and is not compared: leave out"
            f" `{asked_for[1]}`, count the sites (`count S > 1`), or ask of each of them, as in"
            f" `{asked_for[1]} x in S where row(x) = 1`."
        )
    if word == "=" and (apart := _SIGN_APART.search(before)):
        return for_pair(f"{apart[1]}=") or f"`{apart[1]}=` is written without a blank."
    is_last = entry != "program" and not after.strip()
    is_name = word.isidentifier() and word.islower() and word not in LIKE_NAMES
    if is_last and is_name and (factor := _FACTOR.search(before)):
        return f"A product has its sign: `{factor[1]} * {word}`."
    if word == "where" and _UNORDERED.search(before):
        return "`where` comes before `unordered with`."
    if entry != "program":
        return ""
    asked = _ASKED.fullmatch(before.rpartition("\n")[2].lstrip())
    if asked and word.isidentifier() and not _STATEMENT_WORD.fullmatch(word) and word != "then":
        return (
            f"The condition ends before `{word}`, which joins nothing: compare by `=`, ask"
            " `s in S`, or explain a word of your own under `define`."
        )
    if word == "then":
        return "A statement `if C` has no `then`: what it does follows, or stands below it, deeper."
    if word in ("elif", "elsif", "elseif"):
        return Suggestion("else if")
    begins = not before.rpartition("\n")[2].strip()
    if begins and word not in ("either", "or", "optionally") and _NAMED_WAY.fullmatch(after):
        return "The first way of a turn is `either as NAME`, each other `or as NAME` in its column."
    if begins and _ASSIGNED.match(after):
        return f"A variable is given a value by `set {word} = …`, a new word by `let {word} = …`."
    if "\n" in before and begins and _STATEMENT_WORD.fullmatch(word):
        return "This line is deeper than the statement above, and so belongs to it."
    return ""


def for_head(word: str, before: str) -> str:
    """Return help for a word that begins a block behind a character that ends a statement."""
    if word not in _HEADS or before != ";":
        return ""
    return f"`{word}` begins a line of its own, with what belongs to it below, deeper."


def for_pair(pair: str) -> str:
    """Return help for two characters of which the second can't stand behind the first."""
    return _PAIRS.get(pair, "")


def for_token(word: str, expected: Iterable[str], entry: str) -> Hint:
    """Return help for a token that can't stand where it does."""
    kinds = set(expected)
    if (kinds == {"NAME"} and word.isidentifier()) or ("NAME" in kinds and word in LIKE_NAMES):
        return as_name(word)
    if word == "=" and "EQUAL" not in kinds and entry == "program":
        return "A variable is given a value by `set x = …`, a new word by `let x = …`."
    if word in ("else", "elif") and entry == "expression":
        return _TOKENS["ELSE"]
    if word == "if" and "WHEN" in kinds:
        return Suggestion("when")
    if word == "-" and entry == "clause":
        return "Each end is an item of its own."
    if word in _COMPARISONS and entry != "names":
        return "One comparison has two sides: write `a < b and b < c`."
    return ""


def as_name(word: str) -> str:
    """Return help for a reserved word that stands where a name would."""
    return f"`{word}` is a word of the language and can't be a name here; choose another one."


def spellings(expected: Iterable[str], known: Mapping[str, Sequence[str]]) -> list[str]:
    """Return how kinds of token are spelled: as they are `known` to be, else by their kind."""
    found: set[str] = set()
    for kind in expected:
        found.update(known.get(kind, (kind,) if kind in ("NAME", "NUMBER") else ()))
    return sorted(found)


def replacement(pair: str) -> str | None:
    """Return what should stand in the place of the second of two characters, if it is sure."""
    return "" if pair == "==" else None


def expectation(expected: Iterable[str], entry: str, before: str, line: int) -> str:
    """Return help that follows from what could have stood in a line, behind the text `before`."""
    told = _expectation(expected, entry)
    return _unclosed_above(before, line) or told if told == _UNCLOSED else told


def _unclosed_above(before: str, line: int) -> str:
    """Return help for a parenthesis that a line above opens, and none closes; or nothing."""
    opened: list[int] = []
    text = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), before)
    for place, char in enumerate(text):
        if char == "(":
            opened.append(place)
        elif char == ")" and opened:
            opened.pop()
    above = before[opened[-1] :].count("\n") if opened else 0
    return f"A parenthesis of line {line - above} is not closed." if above else ""


def _expectation(expected: Iterable[str], entry: str) -> str:
    kinds = set(expected)
    if entry in ("names", "piece_list"):
        return "Names have letters, digits and `_`; commas stand between them."
    if entry in _CLAUSES:
        return _CLAUSES[entry]
    if {"CHOOSE", "PLACE"} <= kinds:
        return _STATEMENT
    if {"TO", "ONTO"} <= kinds:
        return "Where to? Write `move A to B`."
    is_whole = "_NL" in kinds or "$END" in kinds
    for kind in _LIKELY:
        if kind in kinds and not (is_whole or (kind == "RPAR" and "NAME" in kinds)):
            return _TOKENS[kind]
    if "NAME" in kinds:
        return "A name, a number or an expression in parentheses should follow."
    return "What stands before it is complete: remove this, or join both by an operator or word."
