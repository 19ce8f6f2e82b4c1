"""Slips of shapes: entries of a file as other languages nest them.

In: what stands where something else should: in the line of a finding, and behind it. Out: a
sentence that says it in the shape that it has here, or nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile

from gdl.syntax.slips.ends import CLAUSES
from gdl.syntax.slips.patterns import whole

_NUMBER = r"-?\d+"
_PAIR = re.compile(r"(?:^|[{,\n]) *([A-Za-z][\w ()]*?) *: *([^{},\n]*[^{},\n ])")
_STUCK = re.compile(
    r"(?:stalemate|no[_ ]moves|stuck|blocked|.*\b(?:can't|cannot|can not) move"
    r"|.*\bno (?:legal )?moves)"
)
_OTHERS = re.compile(r"\b(?:enemy|opponent|other)\b")
_LISTED = re.compile(
    r"(?:^|[{,\n]) *([A-Za-z][\w ()]*?) *: *"
    r"(\[[^\]]*\]|[^{}\[,\n:]+(?:, *[a-z]+\d*(?= *[,}\n]))*)"
)
"""A key with its value, which may be a list."""
_OUTCOME = re.compile(r"draw|\w+ (?:wins|loses)|(?:highest|lowest) .+ (?:wins|loses)")
_ALIKE = {
    **dict.fromkeys(("draw", "tie", "draws", "nobody", "none", "tied"), "draw"),
    **dict.fromkeys(("win", "wins", "victory", "player wins", "mover"), "mover wins"),
    **dict.fromkeys(("lose", "loses", "loss", "player loses"), "mover loses"),
}
_CONDITIONS = ("if", "when", "condition", "on", "where")
_RESULTS = ("then", "result", "outcome", "do", "winner", "wins", "win")
_CLAUSE = "A clause is one text."
_OUTCOME_FIRST = "The outcome stands first, as in `mover wins`, then `when` and the condition."
_IN_HAND = re.compile(r".*?\b(\d+) ([A-Z]\w*?)s?\b.*\b(?:off|hand|hands|reserve)\b")
_FEWEST_ROWS = 2
_OF_KINDS = (
    "owner", "side", "player", "symbol", "colou?r", "moves?", "count", "number", "amount", "value",
    "stackable", "blocks", "sign", "letter", "char", "image", "captures", "promotes", "per_player",
)  # fmt: skip
"""Settings that kinds of piece have in other languages."""
_OF_VARIABLES = {
    *("type", "kind", "initial", "default", "start", "value", "per", "each", "for", "of", "index"),
    *("min", "max"),
}
"""Settings that variables have in other languages."""
_SHAPE_KEYS = ("type", "shape", "kind", "lattice", "topology", "grid", "name")
_COLUMN_KEYS = ("columns", "width", "cols", "x", "w")
_ROW_KEYS = ("rows", "height", "y", "h")
_A_LATTICE = "A board has its sizes behind its shape"


def pairs(text: str) -> list[tuple[str, str]]:
    """Return the keys of a table with their values, of those that are plain texts.

    >>> pairs("{White: 0, Black: 1}")
    [('White', '0'), ('Black', '1')]
    """
    return [(found[1].strip(), found[2].strip()) for found in _PAIR.finditer(text)]


def listed_sites(text: str) -> list[tuple[str, str]]:
    """Return the keys of a table with their sites, also those that commas have made keys.

    >>> listed_sites("{Man: a1, b1, King: [c1, d1]}")
    [('Man', 'a1 | b1'), ('King', 'c1 | d1')]
    """
    return [
        (found[1].strip(), " | ".join(re.split(r" *, *", found[2].strip(" []"))))
        for found in _LISTED.finditer(text)
    ]


def sides(text: str) -> list[str]:
    """Return the names of sides that have settings of their own.

    >>> sides("{North: {team: A}, South: {team: B}}"), sides("[{name: Red}, {name: Blue, at: a1}]")
    (['North', 'South'], ['Red', 'Blue'])
    """
    if named := re.findall(r"\bname *: *(\w+)", text):
        return named
    if listed := re.search(r"\bnames *: *\[([^\]]*)\]", text):
        return [name.strip() for name in listed[1].split(",")]
    if nested := re.findall(r"(\w+) *:(?= *\{| *\n +)", text.lstrip("{ ")):
        return nested
    return [name for name, _ in pairs(text)]


def clause(text: str, reads: Callable[[str], bool]) -> str:
    """Return what is said of settings that stand for a clause.

    >>> clause("if full: draw", lambda text: True)
    'A clause is one text. Write `draw when full`.'
    """
    alone = re.fullmatch(r"(?:rule|is): *(.+)", text.strip())
    if alone is not None and reads(alone[1]):
        return f"A clause has no settings but `clause` and `says`: write `{alone[1]}` alone."
    nested = re.fullmatch(r"(.+?): *\{ *(?:when|if): *(.+?) *\}", text)
    entries = [(nested[1], nested[2])] if nested else _settings(text)
    written = dict(entries)
    first, value = entries[0] if entries else ("", "")
    condition = next((written[key] for key in _CONDITIONS if key in written), "")
    result = next(((key, written[key]) for key in _RESULTS if key in written), None)
    if _STUCK.fullmatch(first):
        outcome = _outcome(value).removeprefix("mover ")
        if _OTHERS.search(first) and outcome == "wins":
            outcome = "loses"
        return (
            "What happens to a side without a move is said by `stuck`, as in"
            f" `stuck: {outcome if outcome in ('draw', 'loses', 'wins') else 'loses'}`."
        )
    if len(entries) == 2 and condition and result is not None:
        key, named = result
        is_side = key.startswith("win") and re.fullmatch(r"\w+", named) and named not in _ALIKE
        outcome = f"{named} wins" if is_side else _outcome(named)
    elif len(entries) == 1 and (asked := re.fullmatch(r"(?:if|when) (.+)", first)):
        condition, outcome = asked[1], _outcome(value)
    elif len(entries) == 1:
        condition, outcome = value, _outcome(first.removesuffix(" when").removesuffix(" if"))
    else:
        return ""
    meant = f"{outcome} when {condition}"
    if outcome and condition and reads(meant):
        return f"{_CLAUSE} Write `{meant}`."
    for known in whole(f"{first} {value}", CLAUSES) if len(entries) == 1 else ():
        if not known.text or reads(known.text):
            return known.hint
    return f"{_CLAUSE} {_OUTCOME_FIRST}"


def _settings(text: str) -> list[tuple[str, str]]:
    lines = [line.strip() for line in text.strip().strip("{}").split("\n")]
    found = [re.fullmatch(r"([^:]+?) *: +(.*\S)", line) for line in lines if line]
    return [(one[1], one[2]) for one in found if one is not None]


def _outcome(text: str) -> str:
    word = text.strip()
    return word if _OUTCOME.fullmatch(word) and word not in _ALIKE else _ALIKE.get(word, "")


def variable(name: str, text: str, sides: Sequence[str]) -> str:
    """Return what is said of a variable that has a table of values by side.

    >>> variable("score", "{White: 0, Black: 0}", ["White", "Black"])
    'A value for each side is a variable with an index: `score(players): number = 0`.'
    """
    entries = pairs(text)
    if declared := _declared(name, dict(entries)):
        return declared
    values = {value for _, value in entries}
    if not entries or any(key not in sides for key, _ in entries):
        return ""
    name = name.partition("(")[0].strip()
    kind = "number" if all(re.fullmatch(_NUMBER, value) for value in values) else ""
    kind = kind or ("flag" if values <= {"yes", "no"} else "")
    if not kind:
        return (
            f"A value for each side is a variable with an index, as in `{name}(players): number`."
        )
    if len(values) == 1:
        meant = f"`{name}(players): {kind} = {entries[0][1]}`"
        return f"A value for each side is a variable with an index: {meant}."
    one = f"`{name}({entries[0][0]}): {entries[0][1]}`"
    return f"Write `{name}(players): {kind}`; what differs by side stands under `setup`, as {one}."


def _declared(name: str, written: Mapping[str, str]) -> str:
    """Return how a variable is declared whose type and first value are settings, or nothing."""
    kind = written.get("type", written.get("kind", ""))
    first = next((written[k] for k in ("initial", "default", "start", "value") if k in written), "")
    per = next(
        (written[key] for key in ("per", "each", "for", "of", "index") if key in written), ""
    )
    if not (kind or per) or written.keys() - _OF_VARIABLES:
        return ""
    is_of_sites = bool(re.match(r"site|cell|square", per))
    index = "" if is_of_sites or not per else "(players)"
    bounds = f" in {written['min']}..{written['max']}" if {"min", "max"} <= written.keys() else ""
    word = f"{kind or 'number'}{' per site' if is_of_sites else ''}{bounds}"
    return f"A variable is one text: `{name}{index}: {word}{f' = {first}' if first else ''}`."


def board(text: str) -> str:
    """Return what is said of a board that has its shape and its sizes as settings.

    >>> board("{type: square, size: 3x4}")
    'A board has its sizes behind its shape: `board: square(3, 4)`.'
    """
    written = {key.lower(): value for key, value in pairs(text)}
    if not written or written.keys() & {"points", "lines"}:
        return ""
    shape = next((written[key].lower() for key in _SHAPE_KEYS if key in written), "square")
    columns = next((written[key] for key in _COLUMN_KEYS if key in written), "")
    rows = next((written[key] for key in _ROW_KEYS if key in written), "")
    sizes = f"{columns} {rows}" if columns and rows else written.get("size", "")
    numbers = re.findall(r"\d+", sizes)
    known = re.match(r"square|grid|rect|hex|triang", shape)
    if not numbers or len(numbers) > 2 or known is None:
        return (
            f"{_A_LATTICE}, as in `board: square(8, 8)` or `board: hex hexagon(5)`; any other graph"
            " has `points` and `lines`."
        )
    is_hex, is_square = known[0] == "hex", known[0] in ("square", "grid", "rect")
    lattice = "square" if is_square else "hex" if is_hex else "triangles"
    if not is_square and " " in shape:
        lattice = f"{lattice} {shape.split()[-1]}"
    elif not is_square:
        lattice += " hexagon" if len(numbers) == 1 else " rhombus"
    both = numbers * 2 if is_square and len(numbers) == 1 else numbers
    return f"{_A_LATTICE}: `board: {lattice}({', '.join(both)})`."


def piece(name: str, text: str, sides: Sequence[str]) -> str:
    """Return what is said of pieces that are told by kind and then side, or the other way round.

    >>> piece("King", "{White: a1}", ["White", "Black"])
    'The side stands before the kind: `White King: a1`.'
    """
    entries = listed_sites(text)
    if not entries:
        return ""
    both = [
        (f"{name} {key}" if name in sides else f"{key} {name}", value) for key, value in entries
    ]
    if not all(name in sides or key in sides for key, _ in entries):
        return "A piece is told by its side and its kind in one key, as in `SIDE KIND: a1`."
    return f"The side stands before the kind: {_quoted(both)}."


def placed(texts: Sequence[str]) -> str:
    """Return what is said of pieces that are placed in sentences, not in a table.

    >>> placed(["White King at a1"])
    'A piece and its sites are an entry each: `White King: a1`.'
    """
    in_hand = [_IN_HAND.match(text) for text in texts]
    if texts and all(in_hand):
        table = ", ".join(f"{one[2]}: {one[1]}" for one in in_hand if one is not None)
        return f"Pieces that are not on the board are in the sides' hands: `hands: {{{table}}}`."
    steps = [text for text in texts if text.startswith("place ")]
    found = [
        re.fullmatch(r"(?:place )?(\w+(?: \w+)?) (?:at|on|in) (.+)", one) for one in steps or texts
    ]
    entries = [(one[1], one[2]) for one in found if one is not None]
    if not entries or len(entries) < len(found):
        return ""
    return f"A piece and its sites are an entry each: {_quoted(entries)}."


def drawn(texts: Sequence[str]) -> str:
    """Return what is said of rows that are drawn where the entries of a set-up should be.

    >>> drawn(["r . r", ". . .", "R . R"])
    'Rows that are drawn are an entry of `setup`: `rows: |`, and the rows below it, deeper.'
    >>> drawn(["rnr", "...", "RNR"]) == drawn(["r . r", ". . .", "R . R"])
    True
    """
    loose = list(takewhile(lambda text: all(len(word) <= 2 for word in text.split()), texts))
    length = len(texts[0]) if texts else 0
    dense = list(takewhile(re.compile(rf"[\w.*-]{{{length}}}").fullmatch, texts))
    if max(len(loose), len(dense)) < _FEWEST_ROWS:
        return ""
    return "Rows that are drawn are an entry of `setup`: `rows: |`, and the rows below it, deeper."


def described(text: str, sides: Sequence[str]) -> str:
    """Return what is said of kinds of piece that have settings of their own, not words of traits.

    >>> described("Fox: {owner: Red, symbol: F}", []).partition(":")[0]
    'A kind of piece is a name alone'
    """
    settings = "|".join((*_OF_KINDS, *sides))
    names = re.findall(rf"(\w+) *:(?: *\{{|\s*\n +)(?:{settings})\b(?! *: *\()", text)
    if not names:
        return ""
    return (
        f"A kind of piece is a name alone: `pieces: {', '.join(names)}`. Whose it is follows from"
        " `setup`, or from a side before it, how it is drawn from `display`, and how it moves from"
        " `turn`."
    )


def kinds(text: str, sides: Sequence[str]) -> str:
    """Return what is said of kinds of piece that are listed by side.

    >>> kinds("{White: Man, Black: King}", ["White", "Black"])
    'A side stands before a kind that only it has: `pieces: White Man, Black King`.'
    """
    entries = [
        (found[1], re.split(r" *[,|] *", found[2].strip(" []")))
        for found in re.finditer(r"(\w+) *: *(\[[^]\n]*\]|[^{},\n]+)", text)
    ]
    if not entries or any(side not in sides for side, _ in entries):
        return ""
    owners: dict[str, list[str]] = {}
    for side, listed in entries:
        for kind in listed:
            owners.setdefault(kind, []).append(side)
    if any(not re.fullmatch(r"[A-Za-z]\w*", kind) for kind in owners):
        return ""
    meant = [
        part
        for kind, by in owners.items()
        for part in ([kind] if len(by) == len(sides) else [f"{side} {kind}" for side in by])
    ]
    return f"A side stands before a kind that only it has: `pieces: {', '.join(meant)}`."


def _quoted(entries: Sequence[tuple[str, str]]) -> str:
    return ", ".join(f"`{key}: {value}`" for key, value in entries[:4])
