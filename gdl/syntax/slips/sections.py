"""Slips of sections: ends, variables, options and sets of sites as others write them."""

from __future__ import annotations

import re

from gdl.syntax.slips.boards import BOARD
from gdl.syntax.slips.patterns import WORD, Slip, slip

_DECLARED = "A variable has a type, its bounds after `in`, its first value after `=`."
_OPTION = "An option is its value, and after `in` what is allowed."
_BOUNDS = "Bounds are a range, as in `0..9`."
_CLAUSE = "A clause begins with the side, and its condition follows `when`."
_ITEMS = "Each end is an item of its own: one a line, after `- `."
_SITES = "A set of sites is joined by `|`."
_FLAGS = {"true": "yes", "false": "no"}

TYPES = {
    "int": "number",
    "integer": "number",
    "num": "number",
    "long": "number",
    "counter": "number",
    "count": "number",
    "score": "number",
    "float": "fraction",
    "double": "fraction",
    "decimal": "fraction",
    "bool": "flag",
    "boolean": "flag",
    "set": "sites",
    "site": "sites",
    "cell": "sites",
    "region": "sites",
    "player": "side",
    "players": "side",
    "piece": "kind",
    "colour": "side",
    "color": "side",
}
"""Words of other languages for the types of this one."""


def _flag(word: str) -> str:
    return _FLAGS.get(word.lower(), word)


def _typed(found: re.Match[str]) -> str:
    """Write a declaration in words of other languages in those of this one."""
    word, rest = TYPES.get(found[1].lower(), found[1]), found[2]
    return word + re.sub(r"\b(?:[Tt]rue|[Ff]alse)\b", lambda m: _flag(m[0]), rest)


def _outcome(found: re.Match[str]) -> str:
    side, outcome, condition = found[1], found[2].lower(), found[3] or ""
    word = "loses" if outcome.startswith("lo") else "wins"
    return f"{side} {word}{condition}"


STUCK = (
    slip(r"(?:[Ll]oses?|[Ll]oose|[Ll]ooses|[Ll]oss|[Ll]ost|[Ll]osing)(?: the game)?", "loses", ""),
    slip(r"(?:[Ww]ins?|[Ww]on|[Ww]inner|[Vv]ictory)(?: the game)?", "wins", ""),
    slip(r"(?:[Pp]ass|skips?|skip turn|[Pp]assed|must pass|pass turn)", "passes", ""),
    slip(r"(?:[Dd]raws?|[Dd]rawn?|[Tt]ied?|[Ss]talemate|nobody wins|no winner)", "draw", ""),
    slip(r"(?:[Ll]ose|[Ll]oose|[Ll]ooses)( when .*)", r"loses\1", ""),
    slip(r"[Ww]in( when .*)", r"wins\1", ""),
    slip(r"(?:[Pp]ass|skips?)( .*)", r"passes\1", ""),
    slip(r"(?:the )?(?:other (?:side|player)|opponent|enemy) (wins|loses)", r"enemy \1", ""),
)
"""What may stand under `stuck` besides a clause of `end`."""

CLAUSES = (
    slip(
        r".*\b(?:can't|cannot|can not|can’t) move\b.*|.*\bno (?:legal )?moves\b.*|.*\bstuck\b.*",
        "",
        "What happens to a side without a move is said by `stuck`, as in `stuck: loses`.",
    ),
    slip(r"(.+?[^\s,;]) ?(?:;|,| or| and|\n) ?((?:\w+ )?(?:wins|loses|draw)\b.*)", "", _ITEMS),
    slip(r"(?:[Dd]raws?|[Dd]rawn?|[Tt]ied?|nobody wins|no winner)( when .*)?", r"draw\1", ""),
    slip(
        r"(?:if|when) (.+?)(?:,| then|:|,? then) (.*\S) (wins?|loses?)",
        lambda m: f"{m[2]} {m[3].rstrip('s')}s when {m[1]}",
        _CLAUSE,
    ),
    slip(
        rf"(?:if|when) (.+?) ({WORD}) (wins?|loses?)",
        lambda m: f"{m[2]} {m[3].rstrip('s')}s when {m[1]}",
        _CLAUSE,
    ),
    slip(
        r"(?:if|when) (.+?)(?:,| then|:|,? then|) draws?",
        r"draw when \1",
        "The condition follows `when`.",
    ),
    slip(
        r"(?:[Ww]ins?|[Vv]ictory|you win)(?:,? (?:if|when)|:) (.+)", r"mover wins when \1", _CLAUSE
    ),
    slip(r"(?:[Ll]oses?|you lose)(?:,? (?:if|when)|:) (.+)", r"mover loses when \1", _CLAUSE),
    slip(
        r"(?:the )?(?:current |active |moving )?(?:player|mover|side) (wins?|loses?)( .+)?",
        lambda m: f"mover {m[1].rstrip('s')}s{m[2] or ''}",
        "Whoever has just moved is `mover`.",
    ),
    slip(
        rf"({WORD}) (?:is|are) (?:the )?winners?(?: (?:if|when)|:) (.+)",
        r"\1 wins when \2",
        _CLAUSE,
    ),
    slip(
        rf"(?:the )?winner (?:is|=|:) ?({WORD})(?: (?:if|when)|:) (.+)",
        r"\1 wins when \2",
        _CLAUSE,
    ),
    slip(rf"({WORD}) (win|won|lose|lost|loose|looses)( .*)?", _outcome, ""),
    slip(
        rf"({WORD}) and ({WORD}) (wins?|loses?)( .*)?",
        lambda m: f"{m[1]}, {m[2]} {m[3].rstrip('s')}s{m[4] or ''}",
        "",
    ),
    slip(
        r"(.+ (?:wins|loses)|draw)(?:, ?| ?: ?| )when:? (.+)",
        r"\1 when \2",
        "The condition follows `when`.",
    ),
    slip(
        r"(.+ (?:wins|loses)|draw)(?:[,:]| if|, if|, when|: when| where| once) (.+)",
        r"\1 when \2",
        "The condition follows `when`.",
    ),
    slip(
        r"(.+ (?:wins|loses)|draw) unless (.+)",
        r"\1 when not (\2)",
        "The condition follows `when`.",
    ),
    slip(
        r"(?:most|max|greatest) (\w+) (wins|loses)( .*)?",
        lambda m: f"highest count({m[1]}) {m[2]}{m[3] or ''}",
        "",
    ),
    slip(
        r"(?:least|min|fewest) (\w+) (wins|loses)( .*)?",
        lambda m: f"lowest count({m[1]}) {m[2]}{m[3] or ''}",
        "",
    ),
    slip(r"(.+ (?:wins|loses)|draw) (when .*?)(?: else| otherwise| ,else) .+", "", _ITEMS),
    slip(
        r"(.+ (?:wins|loses)|draw) (when )?(.+?) ?:", r"\1 when \3", "The condition follows `when`."
    ),
)
"""Clauses of `end`."""

DECLARATIONS = (
    slip(r"=? ?(-?\d+)", r"number = \1", _DECLARED),
    slip(r"=? ?(\d+\.\d+)", r"fraction = \1", _DECLARED),
    slip(r"=? ?(yes|no)", r"flag = \1", _DECLARED),
    slip(r"=? ?(?:([Tt]rue)|[Ff]alse)", lambda m: f"flag = {'yes' if m[1] else 'no'}", _DECLARED),
    slip(r"(?:number ?=? ?)?(-?\d+) in (.+)", r"number in \2 = \1", _DECLARED),
    slip(
        r"(?:number ?=? ?)?(\d+)[,;]? (?:from|between) (\w+) (?:to|and) (\w+)",
        r"number in \2..\3 = \1",
        _DECLARED,
    ),
    slip(r"in (.+)", r"number in \1", _DECLARED),
    slip(r"number,? ?=? ?[(\[]?(\d+) ?(?:\.\.|to|-) ?(\w+)[)\]]?", r"number in \1..\2", _DECLARED),
    slip(
        r"number,? (?:start(?:s|ing)?(?: at| with| from)?|default|initial(?:ly)?) (\d+)",
        r"number = \1",
        _DECLARED,
    ),
    slip(r"number ?>= ?(\d+)", r"number in \1..99", _BOUNDS),
    slip(r"number (?:<=|max|up to|at most) ?(\d+)", r"number in 0..\1", _BOUNDS),
    slip(r"(?:yes ?/ ?no|yes or no|flag in .+)", "flag", "A flag is yes or no."),
    slip(r"sites = (?:\[ ?\]|\{ ?\}|\( ?\))", "sites", "A set begins with no sites."),
    slip(
        r"sites = (\w+(?:, ?\w+)+)",
        lambda m: f"sites = {' | '.join(re.split(', ?', m[1]))}",
        _SITES,
    ),
    slip(
        rf"(?:name )?(?:in )?(?:\((?=.*\)))?({WORD}(?:(?: ?[,|/] ?| or ){WORD})+)\)?",
        lambda m: f"name in ({', '.join(re.split(r' or |[ ,|/]+', m[1]))})",
        "A variable of names lists them.",
    ),
    slip(r"(?:number ?=? ?)?(\w+\.\.\w+)", r"number in \1", _DECLARED),
    slip(r"number (\d+)", r"number = \1", _DECLARED),
    slip(
        rf"({WORD}) (?:in )?(?:from |between |in )?(\d+) ?(?:to|and|-|until|,|\.) ?(\d+)( ?=.*)?",
        lambda m: f"{TYPES.get(m[1].lower(), m[1])} in {m[2]}..{m[3]}{m[4] or ''}",
        _BOUNDS,
    ),
    slip(
        rf"({WORD}) in [\[(](\w+), ?(\w+)[\])]( ?=.*)?",
        lambda m: f"{TYPES.get(m[1].lower(), m[1])} in {m[2]}..{m[3]}{m[4] or ''}",
        _BOUNDS,
    ),
    slip(r"(.+?) ?:= ?(.+)", r"\1 = \2", ""),
    slip(
        rf"({WORD}) (?:for each|for every|per|for|each) (?:player|side)s?",
        "",
        r"A variable for each side has an index: `NAME(players): \1`.",
    ),
    slip(
        r"(?:string|str|text|char|enum)\b.*",
        "",
        "A variable of names lists them: `name in (idle, busy)`.",
    ),
    slip(
        r"(?:list|array|dict|map|table|object|tuple)\b.*",
        "",
        "A value for each side is `NAME(players): number`, one for each site `number per site`.",
    ),
    slip(
        rf"(?:name )?(?:in )?\(({WORD}(?: {WORD})+)\)",
        lambda m: f"name in ({', '.join(m[1].split())})",
        "A variable of names lists them.",
    ),
    slip(
        r"(?:positive|whole|natural) number",
        "",
        "A number is whole; its bounds follow `in`, as in `number in 0..99`.",
    ),
    slip(rf"({WORD})\b(.*)", _typed, ""),
)
"""What stands after the name of a variable under `state`."""

OPTIONS = (
    slip(r"[Tt]rue", "yes", ""),
    slip(r"[Ff]alse", "no", ""),
    slip(r"(?:yes or no|no or yes|yes, no|no, yes|flag|bool|boolean)", "no", _OPTION),
    slip(r"(\w+)\.\.(\w+)", r"\1 in \1..\2", _OPTION),
    slip(
        r"(\w+),? (?:in |from |between )+(\w+) ?(?:to|and|-|until) ?(\w+)", r"\1 in \2..\3", _OPTION
    ),
    slip(r"(?:int|integer|number) ?= ?(\d+)", r"\1", _OPTION),
    slip(r"(?:int|integer|number) in (.+?) ?= ?(\d+)", r"\2 in \1", _OPTION),
    slip(r"(?:bool|boolean|flag) ?= ?(\w+)", lambda m: _flag(m[1]), _OPTION),
)
"""What stands after the name of an option."""


def _row(found: re.Match[str]) -> str:
    return f"{found[1]}s({', '.join(re.findall(r'[0-9]+', found[2]))})"


SETS = (
    slip(r"[a-z]\d+(?:(?:, ?| )[a-z]\d+)+", lambda m: " | ".join(re.split(r"[ ,]+", m[0])), _SITES),
    slip(
        rf"({WORD}(?:\([^()]*\))?)(?:, ?({WORD}(?:\([^()]*\))?))+",
        lambda m: " | ".join(re.split(r", ?(?![^()]*\))", m[0])),
        _SITES,
    ),
    slip(r"(row|column)s? (\d+(?:(?: and |, ?|-| to )\d+)?)", _row, ""),
    slip(
        r"([a-z]+\d+) ?(?:\.\.|to|through) ?([a-z]+\d+)",
        "",
        r"Sites are joined by `|`, as in `\1 | \2`; whole rows are `rows(1, 2)`.",
    ),
    slip(
        r"(.+?) if (.+?) else (.+)",
        r"if \2 then \1 else \3",
        "A choice between two values is `if C then A else B`.",
    ),
    slip(
        r"if .+ then (?!.*\belse\b).+",
        "",
        "A value is chosen by `if C then A else B`; a set that there may be is `A when C`.",
    ),
    slip(
        rf"(?:all |every |the )?({WORD}) in (.+?) (?:where|with|if|such that) (.+)",
        r"sites \1 in \2 where \3",
        "A set by condition is `sites x in S where C`.",
    ),
    slip(
        rf"sites ({WORD}) in (.+?) (?:with|if|such that|when) (.+)",
        r"sites \1 in \2 where \3",
        "A condition follows `where`.",
    ),
    slip(
        r"([^|&=()]+?) (?:where|if) (.+)",
        r"\1 when \2",
        "A set that is there by a condition is `A when C`.",
    ),
    slip(
        rf"let ({WORD}) = (.+?)(?: in |, ?)(.+)",
        r"let \1 = \2; \3",
        "A local word is `let x = E; F`.",
    ),
    slip(r"[a-z]\d+(?: ?; ?[a-z]\d+)+", lambda m: " | ".join(re.split(r"[ ;]+", m[0])), _SITES),
    slip(r"(?:the )?(top|bottom|left|right) (?:row|column|side|edge)", r"\1", ""),
    slip(r"(?:the )?(?:first|lowest) row", "rows(1)", ""),
    slip(r"(?:the )?(?:first|leftmost) column", "columns(1)", ""),
    slip(r"return (.+)", r"\1", "A definition is the value itself."),
    slip(r"the (.+)", r"\1", ""),
)
"""Expressions as whole texts."""


def _names(found: re.Match[str]) -> str:
    return ", ".join(re.split(r"\s+(?:and|or|vs\.?)\s+|\s*[|&/;+,]\s*|\s+", found[0]))


def _kinds(found: re.Match[str]) -> str:
    return ", ".join(re.split(r"\s+(?:and|or)\s+|\s*[|&/;+,]\s*", found[0]))


NAMES = (
    slip(
        r"(?:[2-8]|two|three|four|five|six|seven|eight)(?: players)?",
        "",
        "The sides have names, as in `players: White, Black`.",
    ),
    slip(r"[\w\s|&/;+,.]+", _names, "Commas stand between names."),
)
"""Names of sides."""

PIECES = (
    slip(rf"({WORD})\(({WORD})\)", r"\2 \1", "A side stands before a kind that only it has."),
    slip(r"[\w\s|&/;+,]+", _kinds, "Commas stand between kinds of piece."),
)
"""Kinds of piece."""

HEADS = (
    slip(
        rf"({WORD})((?: {WORD})+)",
        lambda m: f"{m[1]}({', '.join(m[2].split())})",
        "Parameters stand in parentheses.",
    ),
    slip(rf"({WORD})\(\)", r"\1", "What has no parameters has no parentheses either."),
)
"""Heads of definitions, actions and variables."""

VARIABLES = (
    slip(
        r"(number|int|flag|bool|sites|side|kind|set|var|let) (\w+)",
        "",
        r"The name comes first, and its type after the colon: `\2: number`.",
    ),
    *HEADS,
)
"""Names of variables, perhaps with indices."""

SECTIONS: dict[str, tuple[Slip, ...]] = {
    "board": BOARD,
    "stuck_clause": STUCK + CLAUSES,
    "clause": CLAUSES,
    "state_type": DECLARATIONS,
    "option": OPTIONS,
    "expression": SETS,
    "names": NAMES,
    "piece_list": PIECES,
    "head": HEADS,
    "state_head": VARIABLES,
}
"""The slips of a text by the entry point of its grammar."""
