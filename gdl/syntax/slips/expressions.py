"""Slips of expressions: signs and words of other languages between names and numbers.

They may be parts of any text. They are tried in this order, each alone, then all at once.
"""

from __future__ import annotations

import re

from gdl.syntax.slips.patterns import (
    ALONE,
    AMOUNT,
    APPLIED,
    ARGUMENTS,
    ASKED,
    BESIDE,
    CALL,
    DIRECTIONS,
    EITHER,
    IN_SET,
    NUMBERS,
    QUANTIFIED,
    RELATIONS,
    ROUND,
    SIGNS,
    SITE_WORD,
    SOME,
    SUM,
    WHERE,
    WORD,
    Slip,
    slip,
)
from gdl.syntax.slips.patterns import NUMBER_OR_CALL as _TERM

# --------------------------------------------------------------------------------- slips of choices

_PART = rf"(?:[^(),]|{ARGUMENTS})+?"
_MIRRORED = rf"({_PART}) if ({_PART}) else ({_PART})"

_SWAPPED = r"\1if \3 then \2 else \4"

CHOICES = (
    slip(
        rf"((?:choose|for each) {WORD} in )(.+?) if (.+?) else ((?:(?! where ).)+)(.*)",
        r"\1(if \3 then \2 else \4)\5",
        EITHER,
    ),
    slip(r"(choose .+? where |require |if )(.+?) if (.+?) else (.+)", _SWAPPED, EITHER),
    slip(
        r"((?:move|change|flip|shift) .+? (?:to|onto|under|by) |next |take )"
        r"(.+?) if (.+?) else (.+)",
        _SWAPPED,
        EITHER,
    ),
)
"""What one line of a turn means that ends in such a choice."""

PARTS = (
    slip(rf"(?<=\(){_MIRRORED}(?=\))", r"if \2 then \1 else \3", EITHER),
    slip(rf"(?<=,\s){_MIRRORED}(?=[,)])", r"if \2 then \1 else \3", EITHER),
    slip(rf"(?<=\(){_MIRRORED}(?=,)", r"if \2 then \1 else \3", EITHER),
)
"""Such choices among arguments, or in parentheses of their own."""


# --------------------------------------------------------------------------------- slips of amounts

_NUMERALS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6"}
_NUMERAL = rf"(\d+|{'|'.join(_NUMERALS)})"

SIGN_OF = {
    "less than": "<",
    "fewer than": "<",
    "more than": ">",
    "at least": ">=",
    "at most": "<=",
    "exactly": "=",
}
THAN = rf"({'|'.join(SIGN_OF)})"
"""The pattern of words that compare a number."""


def _exactly(number: int) -> str:
    return f"in_a_row(own, {number}) and not in_a_row(own, {number + 1})"


AMOUNTS = (
    slip(
        rf"\bcount ({CALL}) in (?:(\d+)|(\d+(?:, ?\d+)+)|\((\d+(?:, ?\d+)+)\))"
        r"(?! where|\w|,? ?[\d.])",
        lambda m: f"count({m[1]}) {f'= {m[2]}' if m[2] else f'in ({m[3] or m[4]})'}",
        "`count x in S where C` counts what a condition holds for. A number is one of a list by"
        " `n in (3, 4)`, or one alone by `=`.",
    ),
    slip(
        rf"\b({ASKED} (?!count ){CALL} in) (\d+(?:, ?\d+)+)(?![\w.])",
        r"\1 (\3)",
        "Whether it is one of several is `x in (a, b)`.",
    ),
    slip(
        rf"\bcount ({WORD}) in ({_TERM}) (?=[=<>!])",
        r"count(\1 & \2) ",
        "Two sets are joined by `&`, and `count` takes in the next word alone.",
    ),
    slip(
        rf"\b(?:there (?:is|are) )?{THAN} (\d+) ({_TERM})",
        lambda m: f"count {m[3]} {SIGN_OF[m[1]]} {m[2]}",
        AMOUNT,
    ),
    slip(
        rf"\bexactly {_NUMERAL} (?:own )?in (?:an? )?(?:row|line)\b(?: of own)?",
        lambda m: _exactly(int(_NUMERALS.get(m[1], m[1]))),
        "Whether S has n in a row is `in_a_row(S, n)`.",
    ),
    slip(rf"({_TERM}) at least (\d+)", r"\1 >= \2", SIGNS),
    slip(rf"({_TERM}) at most (\d+)", r"\1 <= \2", SIGNS),
    slip(rf"({_TERM}) = (\d+) or more", r"\1 >= \2", SIGNS),
    slip(rf"({_TERM}) = (\d+) or (?:less|fewer)", r"\1 <= \2", SIGNS),
    slip(
        rf"(?<![\w.]){_NUMERAL} (?:(?:own|pieces|stones|([A-Z]\w*?(?:ss)?)s?) )?in (?:an? )?"
        r"(?:row|line|diagonal|column)\b"
        rf"|\b(?:an? )?(?:row|line) of {_NUMERAL}(?: of)?(?: own)?(?: ([A-Z]\w*?(?:ss)?)s?\b)?"
        r"(?: in any direction)?",
        lambda m: (
            f"in_a_row(own{f' & {m[2] or m[4]}' if m[2] or m[4] else ''},"
            f" {_NUMERALS.get(m[1] or m[3], m[1] or m[3])})"
        ),
        "Whether S has n in a row is `in_a_row(S, n)`.",
    ),
)
"""Parts of any text that compare a number."""


# ------------------------------------------------------------------------------ slips of conditions

_IF_A_SET = "{}, if that is a set; whether a site is empty is `s in empty`."
_ONE_EACH = "One comparison has two sides."
_COMPARED = "Conditions that are compared stand in parentheses."
_PIECE_AT = "Whether such a piece is there is {}; a kind or side is compared by `=`."
_WORD_FOR_SITE = r"(?!(?:mover|enemy|own|k|[a-z_]*(?:kind|side|type|owner|player|piece))\b)[a-z]\w*"
"""A word that stands for a site, as far as its name tells: not for a side or kind."""
_WORD_FOR_SET = (
    r"(?!(?:own|enemy|site|cell|square|target|goal|dest\w*|spot|place|field|point|node|pit)\b)"
    r"[a-z]\w{2,}(?![\w(])"
)
"""A word that stands for a set, as far as its name tells: not for a site, as short ones do."""
_A_SET = rf"(?!{RELATIONS}\()(own|enemy|occupied|[a-z]\w+{ARGUMENTS})"
"""What has no sites if it is empty; of the sites next to another one, each is empty then."""
_PASSED = "How many turns in a row were `pass` is `passed`."
_MEN = r"(?:stones?|pieces?|men|man|discs?|counters?)"
_OR = {"fewer": "at most", "less": "at most", "more": "at least"}
_IN_HAND = "How many pieces a side has in hand is `hand(mover)`."
_WHO = r"(?:the )?(?:opponent|other player|other side|player|mover)"
_SETS_OF = {"opponent": "enemy", "player": "own", "mover": "own", "side": "enemy"}

_QUANTITY = {"no": "no ", "some": "some ", "any": "some ", "a": "some ", "an": "some "}

CONDITIONS = (
    slip(
        rf"\bit (?:is|= ?) ?(?:the )?({WORD})(?:'s|s')? turn\b",
        r"mover = \1",
        "Whose turn it is, is asked by `mover = SIDE`.",
    ),
    slip(
        r"\b(\d+) of (?:its|their|his|her|your|the) (?:pieces|stones|men|\w+s) (?:are |is )?"
        rf"(?:in|on|at) (?:the )?({_TERM})",
        r"count(own & \2) >= \1",
        AMOUNT,
    ),
    slip(
        r"\bnot any (?=[\w(])|\b(if|require|when|and|or|where|until|while) any (?=[\w(])",
        lambda m: f"{m[1]} some " if m[1] else "no ",
        SOME,
    ),
    slip(
        rf"(?<![\w)])({CALL}) (?:is |= ?)?occupied by (?:an? |the )?"
        rf"(own|enemy|{CALL})\b",
        r"\1 in \2",
        IN_SET,
    ),
    slip(
        r"\b(row|column)s? ?\(? ?(\w+) ?\.\. ?(\w+) ?\)?",
        r"\1s(\2, \3)",
        "The sites of several rows are `rows(m, n)`.",
    ),
    slip(
        rf"\b(own|enemy|[A-Z]\w*) (?:connects?|joins?|links?) (?:the )?({CALL})"
        rf" (?:and|to|with)(?: the)? ({CALL})"
        rf"(?: or(?: the)? ({CALL}) (?:and|to|with)(?: the)? ({CALL}))?",
        lambda m: (
            f"joined({m[2]}, {m[3]}, adjacent, {m[1]})"
            + (f" or joined({m[4]}, {m[5]}, adjacent, {m[1]})" if m[4] else "")
        ),
        "Whether sites of S join A with B by a relation R is `joined(A, B, R, S)`.",
    ),
    slip(
        rf"\b{ASKED} ({CALL}) ?(?:=+|is) ?\[ ?({_TERM}(?:, ?{_TERM})+) ?\]",
        lambda m: f"{m[1]} {m[2]} in ({', '.join(re.split(', ?', m[3]))})",
        "Whether it is one of several is `x in (a, b)`.",
    ),
    slip(r"\b(?:num_|number_of_)?passes (?=[=<>!])", "passed ", _PASSED),
    slip(r"\b(?:both|two|2) (?:players |sides )?pass(?:es|ed)?\b", "passed = 2", _PASSED),
    slip(
        r"\b(?:all|every|each|everyone|everybody)(?: players?| sides?)? pass(?:es|ed)?\b",
        "passed = count players",
        _PASSED,
    ),
    slip(
        rf"\b({WORD}) (?:has (?:an? |any |some )?(?:adjacent|neighbou?ring)"
        r"|(?:is|=) (?:adjacent|next) to)"
        r" (?:an? |any |some |the )?(own|enemy|empty|occupied|[A-Z]\w*)\b",
        r"some adjacent(\1) & \2",
        BESIDE,
    ),
    slip(rf"\b({WORD}) (?:is|=) (?:adjacent|next) to ({WORD})", r"\1 in adjacent(\2)", BESIDE),
    slip(r"\bthere (?:is|are) (?:an? |any )?(?=[\w(])", "some ", SOME),
    slip(rf"\b{_A_SET} (?:is|are) empty\b", r"no \1", SOME),
    slip(rf"\b{_A_SET} (?:is|are) not empty\b", r"some \1", SOME),
    slip(
        rf"(?<![\w)])({_WORD_FOR_SET}) (?:is|are) (not )?empty\b",
        lambda m: f"{'some' if m[2] else 'no'} {m[1]}",
        _IF_A_SET,
    ),
    slip(rf"\b{ASKED} ({_WORD_FOR_SET}) not empty\b", r"\1 some \2", _IF_A_SET),
    slip(
        rf"(?<![\w)])({CALL}) (?:is|=) (?:an? |the )?(empty|occupied|own|enemy)\b",
        r"\1 in \2",
        IN_SET,
    ),
    slip(
        rf"\b{ASKED} (?!(?:some|no|not|count|every|all|any)\b)({CALL})"
        r" (empty|occupied|own|enemy)\b",
        r"\1 \2 in \3",
        IN_SET,
    ),
    slip(
        rf"(?<![\w)])({CALL}) (?:is|=) not (?:an? |the )?(empty|occupied|own|enemy)\b",
        r"not \1 in \2",
        IN_SET,
    ),
    slip(
        rf"\b({WORD}) (?:is|==?|!=) (not )?(?:None|null|nil|nothing)\b",
        lambda m: f"{'some' if m[2] or '!=' in m[0] else 'no'} {m[1]}",
        SOME,
    ),
    slip(r"\b(?:own |the )?hands? (?:is |are |= ?)?empty\b", "hand(mover) = 0", _IN_HAND),
    slip(
        rf"\b(mover|own|player|enemy|I) (?:has|have) (no |any )?(?:{_MEN} )?(?:left )?in hand\b",
        lambda m: (
            f"hand({'enemy' if m[1] == 'enemy' else 'mover'}) {'=' if m[2] == 'no ' else '>'} 0"
        ),
        _IN_HAND,
    ),
    slip(r"\ball (own|enemy)(?: \w+)? (?:are |is )?off(?: the)? board\b", r"no \1", SOME),
    slip(
        r"\b(?:every|all|each|the) (dark|light) (?:sites?|cells?|squares?)\b",
        r"\1",
        ALONE,
    ),
    slip(
        r"\bnext\((mover|p|q|player|side|who|own|[A-Z]\w*)\)",
        r"following(\1)",
        "The side after p is `following(p)`.",
    ),
    slip(
        r"\bin (?:the )?(?:sites|cells|squares) (?=where\b)",
        "in all ",
        "All sites of the board are `all`.",
    ),
    slip(
        rf"\b{ASKED} (?!(?:own|enemy|empty|all|some|no|not|count|every|any)\b)({CALL})"
        r" not (?:an? )?(empty|occupied|own|enemy)\b",
        r"\1 not \2 in \3",
        IN_SET,
    ),
    slip(
        rf"\b(?:(no|some|any|an?|the) )?(?:(own|enemy|empty|occupied|[A-Z]\w*?)s? )?"
        rf"between ({WORD}) and ({WORD})\b",
        lambda m: f"{_QUANTITY.get(m[1], '')}between({m[3]}, {m[4]}){f' & {m[2]}' if m[2] else ''}",
        "The sites between two sites are `between(s, t)`.",
    ),
    slip(
        r"\b(?:top|upper|topmost|uppermost) (own|enemy)\b",
        r"\1",
        "In piles, a side means the uppermost pieces; what it has in the top row is `own & top`.",
    ),
    slip(rf"(?<![\w)])({_WORD_FOR_SITE}) is not (?:an? )?([A-Z]\w*)\b", r"not \1 in \2", _PIECE_AT),
    slip(
        rf"\b({WORD}) in ({_TERM}) and not (?:on|in|at) (?:the )?({_TERM})",
        r"\1 in \2 and not \1 in \3",
        "`not` stands before the whole condition.",
    ),
    slip(
        r"(\b(?:own|enemy|empty|occupied|all)|\)) (?:but )?not (?=(?:own|enemy|empty|[A-Z]\w*)\b)",
        r"\1 - ",
        "What is not in a set is left out by `-`.",
    ),
    slip(r" is not in ", " not in "),
    slip(rf"({_TERM}) not in ", r"not \1 in ", "`not` stands before the whole condition."),
    slip(r" is in ", " in ", IN_SET),
    slip(
        r"\b(own|enemy|[A-Z]\w*)(?: ([A-Z]\w*))?(?: (?:is|are|was|were))?"
        r" (?:captured|taken|dead|removed|killed|gone|eliminated|eaten)\b",
        lambda m: f"no {m[1]}{' & ' if m[2] else ''}{m[2] or ''}",
        SOME,
    ),
    slip(r" (?:is not|isnt|is not equal to|does not equal) ", " != ", SIGNS),
    slip(r" (?:is greater than|is more than|is above) ", " > ", SIGNS),
    slip(r" (?:is less than|is fewer than|is below) ", " < ", SIGNS),
    slip(r" is at least ", " >= ", SIGNS),
    slip(r" is at most ", " <= ", SIGNS),
    slip(
        rf"\b(?:all|every)(?: the)? {SITE_WORD}"
        rf"(?: (?:except|but|other than)(?: for)?(?: the)? ({_TERM}))?"
        r" (?:is|are) (?:full|occupied|taken|filled)\b",
        lambda m: f"no empty - {m[1]}" if m[1] else "full",
        "Whether all sites are taken is `full`; all but some, `no empty - S`.",
    ),
    slip(
        rf"\b(own|enemy|{_WHO}|[A-Z]\w*) (?:has|have) (?:only )?(?:{THAN} )?(\d+)"
        rf"(?: or (fewer|less|more))?(?: {_MEN})?(?: left| on the board)?\b",
        lambda m: (
            f"count {_SETS_OF.get(m[1].split()[-1], m[1])}"
            f" {SIGN_OF[m[2] or _OR.get(m[4], 'exactly')]} {m[3]}"
        ),
        AMOUNT,
    ),
    slip(
        r"\ball(?: of)?(?: the)? ([a-z]\w*) (?:is|are) empty\b",
        r"\1 in empty",
        r"Of a set of sites, it is {}; of a number a site, `no s in all where \1(s) > 0`.",
    ),
    slip(
        r"\b([a-z]\d+) (?:is|was) (?:captured|taken|eaten|gone|removed)\b",
        r"\1 in empty",
        IN_SET,
    ),
    slip(
        rf"\ball(?: of)?(?: the)? ({CALL}) (?:in|is|are)(?: in)?"
        r" (own|enemy|empty|occupied|[A-Z]\w*)\b",
        r"\1 in \2",
        "Whether all sites of a set are in another is `A in B`.",
    ),
    slip(
        rf"\(({WORD}(?:\^\w+)?)(?: |, ?)({WORD}(?:\^\w+)?)\)(?=\()",
        r"chain(\1, \2)",
        "A step and then another is `chain(north, east)`.",
    ),
    slip(
        r"\bwhere (?:it is |they are )?adjacent to (own|enemy|[A-Z]\w*)\b",
        r"& adjacent(\1)",
        "The sites next to those of a set are `adjacent(S)`.",
    ),
    slip(r"\b(?:the )?board (?:is )?full\b", "full", "Whether all sites are taken is `full`."),
    slip(rf"(?<![\w)])({_WORD_FOR_SITE}) is (?:an? |the )?([A-Z]\w*)\b", r"\1 in \2", _PIECE_AT),
    slip(r" (?:is equal to|equals|is|eq) ", " = ", SIGNS),
    slip(rf"({CALL} in {CALL}) (!?=) ({CALL} in {CALL})", r"(\1) \2 (\3)", _COMPARED),
    slip(
        rf"({_TERM} ?)(<=|<) ?({_TERM}) ?(<=|<)( ?{_TERM})",
        lambda m: f"{m[1]}{m[2]} {m[3]} and {m[3]} {m[4]}{m[5]}",
        _ONE_EACH,
    ),
    slip(
        rf"({_TERM})( ?(?:=|!=|<=|>=|<|>) ?{_TERM}) (and|or) (?=(?:=|!=|<=|>=|<|>))",
        r"\1\2 \3 \1 ",
        _ONE_EACH,
    ),
    slip(
        rf"({_TERM}) in (\d+|{WORD})\.\.(\d+|{WORD})",
        r"\2 <= \1 and \1 <= \3",
        "A range is for what is run over; a number lies between two others.",
    ),
)
"""Parts of any text that say whether something holds."""


_KEYS = "Signs are those of the keyboard."
_LISTED = "A set of sites has no brackets or braces: `|` joins its sites."
_REGION = r"(?:top|right|bottom|left|corners|border|interior|empty|occupied)"
_RELATION = rf"({RELATIONS})"
_GLUE = r"(?:and|or|where|has|of|in|from|into|within|when|then|else|to|at|by|onto|under)"
_BOTH = "The pieces of a side and kind are in both sets."
_OF_SIDE = r"(own|enemy|[A-Z]\w*) (?!(?:And|Or)\b)([A-Z]\w*)\b(?! (?:wins?|loses?)\b)"
_NEIGHBOUR = r"(?:neighbou?rs?|neighbou?ring)"
_BOUNDED = r"\d+(?: ?\.\. ?\d+)?"
_ASKED_OF = "What is asked of a site has that in parentheses, as in `kind(s)`."
_DOT = "What is asked of a site stands before it, and the site in parentheses."


def _sites(found: re.Match[str]) -> str:
    parts = [part.strip() for part in found[1].split(",")]
    sign = ", " if parts[0][:1].isdigit() else " | "
    return parts[0] if not parts[1:] else f"({sign.join(parts)})"


def _set_alone(found: re.Match[str]) -> str:
    quantifier = "" if found[1] == "sites" else f"{found[1]} "
    is_operand = found.string[: found.start()].rstrip().endswith(("&", "|", "-"))
    return f"({found[2]})" if is_operand and " " in found[2] else f"{quantifier}{found[2]}"


def _joined(sign: str) -> Slip:
    return slip(
        rf"\b{'union' if sign == '|' else 'intersection'}\(({_TERM}(?:, ?{_TERM})+)\)",
        lambda found: f"({f' {sign} '.join(part.strip() for part in found[1].split(','))})",
        f"Two sets are joined by `{sign}`.",
    )


EXPRESSIONS = (
    slip(r"\s*[∪∨]\s*", " | ", _KEYS),
    slip(r"\s*[∩∧]\s*", " & ", _KEYS),
    slip(r"≥", ">=", _KEYS),
    slip(r"≤", "<=", _KEYS),
    slip(r"≠", "!=", _KEYS),
    slip(r"×", "*", _KEYS),
    slip(r"\s*÷\s*", " div ", _KEYS),
    slip(r"[–−—]", "-", _KEYS),
    slip(r"[“”„‘’]", "", "Names need no quotes."),
    slip(r"\s*∈\s*", " in ", _KEYS),
    slip(r"¬\s*", "not ", _KEYS),
    slip(r"∅", "none", _KEYS),
    slip(r"==+", "=", "Equality is one `=`."),
    slip(rf"\b(kind|owner|height|row|column) of (?:the )?({CALL})", r"\1(\2)", _ASKED_OF),
    slip(r"!==|<>|=/=|\/=(?==)", "!=", SIGNS),
    slip(r"=>", ">=", SIGNS),
    slip(r"=<", "<=", SIGNS),
    slip(r"\s*&&\s*", " and ", "Write `and` between conditions and `&` between sets."),
    slip(r"\s*\|\|\s*", " or ", "Write `or` between conditions and `|` between sets."),
    slip(
        rf"\b{ASKED} ! ?(own|enemy|empty|occupied)\b(?! ?[&|(])",
        r"\1 no \2",
        "Whether a set is empty is `no S`; what is not in it is `all - S`.",
    ),
    slip(
        r"! ?(own|enemy|empty|occupied)\b",
        r"(all - \1)",
        "What is not in a set is `all - S`.",
    ),
    slip(r"!\s*(?=[\w(])", "not ", "For `not` there is no sign."),
    slip(r"\*\*", "^", "A power is `a ^ n`."),
    slip(r"\s*//\s*", " div ", "Division rounded down is `div`."),
    slip(r"\s*%\s*", " mod ", "The remainder of a division is `mod`."),
    slip(r"\s*\\+\s*", " - ", "The difference of two sets is `-`."),
    slip(rf"~\s*({_TERM})", r"(all - \1)", "The complement of a set is written `all - S`."),
    slip(r"([=(,] ?)\+(?=\d)", r"\1", "A number has no `+` before it."),
    slip(r"'s\b", "", "A side stands before a kind as it is."),
    slip(r"\"([^\"]*)\"|'([^']*)'", lambda m: m[1] or m[2] or "", "Names need no quotes."),
    slip(r"[$@](?=[A-Za-z_])", "", "Names have no sign before them."),
    *PARTS,
    slip(
        r"\b(?:the )?(top|bottom|left|right) (?:row|column|side|edge)\b",
        r"\1",
        "The sides of a board are `top`, `bottom`, `left` and `right`.",
    ),
    *CONDITIONS,
    slip(
        rf"[\[{{]({WORD}) (?:for \1 )?in ([^\]}}]+?) (?:where|if) ([^\]}}]+)[\]}}]",
        r"(sites \1 in \2 where \3)",
        QUANTIFIED,
    ),
    slip(
        rf"\b({WORD})\[([^][]*)\]\[([^][]*)\]",
        r"\1(\2, \3)",
        ROUND,
    ),
    slip(rf"\[ ?({_BOUNDED}(?:, ?{_BOUNDED})+) ?\]", r"(\1)", NUMBERS),
    slip(rf"\b({WORD})\[0\]", r"first(\1)", "The first site of a set is `first(S)`."),
    slip(rf"\b({WORD})\[([^][]*)\]", r"\1(\2)", ROUND),
    slip(rf"(?<![\w)])[\[{{] ?({_TERM}(?:, ?{_TERM})*) ?[\]}}]", _sites, _LISTED),
    slip(
        rf"(?<![.\w])({WORD})\.(?:size|length|count|len)\b(?:\(\))?",
        r"count(\1)",
        "How many there are is `count S`.",
    ),
    slip(rf"(?<![.\w])({WORD})\.(?!{_REGION}\b)({WORD})\b(?:\(\))?", r"\2(\1)", _DOT),
    slip(rf"(?<![.\w])({WORD})\.({_REGION})\b", r"\1 & \2", "Two sets are joined by `&`."),
    slip(
        r"\b(?:(?:all|any|each|every|the) )*(orthogonal|diagonal|hexagonal) directions?\b",
        r"\1",
        DIRECTIONS,
    ),
    slip(
        r"\b(?:(?:all|any|each|every|the|8|eight) )*directions?\b(?! ?[=(])",
        "compass",
        DIRECTIONS,
    ),
    slip(
        rf"\b(?:count|number)(?: of)? (own|enemy|empty|occupied) neighbou?rs\b(?: of ({WORD}))?",
        lambda m: f"count(adjacent({m[2] or 's'}) & {m[1]})",
        BESIDE,
    ),
    slip(rf"\|({CALL})\|", r"count \1", "How many there are is `count S`."),
    slip(
        r"\b(?:count|number|size|length) of (?=[\w(])", "count ", "How many there are is `count S`."
    ),
    slip(
        rf"\b(every {WORD} in {_TERM}) (?:is|are) ",
        lambda m: f"{m[1]} has {m[1].split()[1]} ",
        "After `every x in S` the condition follows `has`.",
    ),
    slip(
        rf"\b(some|no|count|sites) ({WORD}) in ({_TERM}) \| (?=\2\b)",
        r"\1 \2 in \3 where ",
        WHERE,
    ),
    slip(
        rf"\b(union|sum|max|min|product) ({WORD}) in ({CALL}) of ({CALL})"
        r" (?:where|if|when|with|such that) ([^()]*(?:\([^()]*\)[^()]*)*)",
        lambda m: (
            f"union {m[2]} in {m[3]} of {m[4]} when {m[5]}"
            if m[1] == "union"
            else f"{m[1]} {m[2]} in (sites {m[2]} in {m[3]} where {m[5]}) of {m[4]}"
        ),
        "",
    ),
    slip(
        rf"\b(sum|max|min)(?: ?\( ?({WORD}) ?\)| ({WORD}))(?= ?[=<>!]| ?$)",
        lambda m: f"({m[1]} s in all of {m[2] or m[3]}(s))",
        SUM,
    ),
    slip(
        rf"\bsum ?\(? ?({WORD})\(({CALL})\)\)?(?= ?[=<>!]| ?$)",
        r"(sum x in \2 of \1(x))",
        SUM,
    ),
    slip(
        r"\b(?:(some|no|an?|the) )?([A-Z]\w*) (?:is )?(?:at|on) ([a-z]+\d+)\b",
        lambda m: f"{'no' if m[1] == 'no' else 'some'} {m[2]} & {m[3]}",
        SOME,
    ),
    slip(r"\b(row|column) (\d+)\b", r"\1s(\2)", "The sites of a row are `rows(n)`."),
    slip(
        rf"\b(empty|own|enemy|occupied) (?:{SITE_WORD} )?"
        rf"(?:next to|beside|adjacent to|from) ({WORD})"
        rf" in (?:the )?(?:direction )?(?:of )?({WORD})\b",
        r"\1 & \3(\2)",
        "A direction is applied to a site, as in `north(s)`.",
    ),
    slip(
        rf"\b(?:the )?{SITE_WORD} (?:adjacent|next) to ({_TERM})",
        r"adjacent(\1)",
        BESIDE,
    ),
    slip(
        rf"\b(?:an? |the |any )?(empty|own|enemy|occupied) (?:{_NEIGHBOUR}|{RELATIONS})"
        rf"(?: {SITE_WORD})? (?:of|to) ({WORD})\b(?!\()",
        r"adjacent(\2) & \1",
        BESIDE,
    ),
    slip(
        rf"\b{_RELATION} (empty|own|enemy|occupied)(?: {SITE_WORD})?"
        rf" (?:of|to|from) ({WORD})\b(?!\()",
        r"\1(\3) & \2",
        BESIDE,
    ),
    slip(
        rf"\b{_RELATION} (?:of |to |from )?(?!{_GLUE}\b)({WORD})\b(?!\()",
        r"\1(\2)",
        APPLIED,
    ),
    slip(
        rf"\b{_NEIGHBOUR} (?:of |to )?({WORD})\b(?!\()",
        r"adjacent(\1)",
        APPLIED,
    ),
    slip(rf" next to ({WORD})", r" & adjacent(\1)", "Next to a site is `adjacent(s)`."),
    slip(
        rf"\b(any|some|no) (own|enemy|occupied|[A-Z]\w*) (?:in|on|at) (?:the )?({_TERM})",
        lambda m: f"{'no' if m[1] == 'no' else 'some'} {m[2]} & {m[3]}",
        SOME,
    ),
    slip(
        rf"\b(?:each|every|all) (own|enemy|occupied) (?:has|have|touch(?:es)?|is|are)"
        rf" (?:an? |some )?{_RELATION}\((\w+)\)",
        r"every x in \1 has some \2(x) & \3",
        "For all of a set is `every x in S has C`.",
    ),
    slip(
        r"\b(?:any|all|the|every|each|an?)(?: of)?(?: the)? (?=(?:own|enemy|empty|occupied)\b)",
        "",
        ALONE,
    ),
    slip(
        r"\b(own|enemy|empty|occupied|all)"
        r" (?:sites?|squares?|cells?|pieces?|points?|spaces?|fields?)\b",
        r"\1",
        ALONE,
    ),
    slip(r"(?<![\w.])(\d+) ?([a-z])\b", r"\1 * \2", "A product is `a * b`."),
    *AMOUNTS,
    slip(
        r"\b(own|enemy|[A-Z]\w*) (?:has|have) no (?:pieces|stones|men)\b"
        r"|\ball (enemy|own) (?:are|is) \w+",
        lambda m: f"no {m[1] or m[2]}",
        SOME,
    ),
    slip(r"\bthere (?:are|is) no ", "no ", SOME),
    slip(
        rf"\b(own|enemy) (?:has|have) no ({_TERM})",
        r"no \1 & \2",
        SOME,
    ),
    slip(
        rf"\b(own|enemy) (?:has|have) (?:an? )?({_TERM})",
        r"some \1 & \2",
        SOME,
    ),
    slip(
        rf"\b(own|enemy) (?:reaches|touches|reach|on|is on|at|is at) (?:the )?({_TERM})",
        r"some \1 & \2",
        SOME,
    ),
    slip(rf"\bcount {_OF_SIDE}", r"count(\1 & \2)", _BOTH),
    slip(rf"(?<!=\s)\b{_OF_SIDE}", r"\1 & \2", _BOTH),
    _joined("|"),
    _joined("&"),
    slip(
        rf"\b(any|all)\((.+?) for ({WORD}) in ([^()]+(?:\([^()]*\))?)\)",
        lambda m: (
            f"some {m[3]} in {m[4]} where {m[2]}"
            if m[1] == "any"
            else f"every {m[3]} in {m[4]} has {m[2]}"
        ),
        SOME,
    ),
    slip(
        rf"\b(sum|max|min|product)\((.+?) for ({WORD}) in ([^()]+)\)",
        r"(\1 \3 in \4 of \2)",
        SUM,
    ),
    slip(
        rf"\b(?:any|exists|there is an?|there is some) ({WORD}) in ([^:]+?)(?: where |: ?| with )",
        r"some \1 in \2 where ",
        "Whether there is one is `some x in S where C`.",
    ),
    slip(
        rf"\b(some|no|count|sites) ({WORD}) in ([^:,]+?)(?:: ?| with | if | such that )",
        r"\1 \2 in \3 where ",
        WHERE,
    ),
    slip(
        rf"\b(some|no|count|sites) {WORD} in ({_TERM}(?: [&|-] {_TERM})*) ?(?=[)\n;]|$)",
        _set_alone,
        "Behind `x in S` stands `where`, and a condition; without one, the set alone will do.",
    ),
    slip(
        rf"\b(?:for all|for every|forall|all|every|each) ({WORD}) in ({_TERM})"
        r"(?:,? (?:where|has|is|with|:)|: ?|) ",
        r"every \1 in \2 has ",
        "For all of a set is `every x in S has C`.",
    ),
    slip(rf"({_TERM}(?: & {_TERM})*) exists?\b", r"some \1", SOME),
    slip(
        rf"\b({WORD})\(({WORD})\) of \2\b",
        r"\1(\2)",
        APPLIED,
    ),
    slip(r",? (?:except(?: for)?|but not|minus|without|excluding) ", " - ", "Without is `-`."),
)
