"""Slips of expressions: signs and words of other languages between names and numbers.

They may be parts of any text. They are tried in this order, each alone, then all at once.
"""

from __future__ import annotations

import re

from gdl.syntax.slips.amounts import AMOUNTS
from gdl.syntax.slips.choices import PARTS
from gdl.syntax.slips.conditions import CONDITIONS
from gdl.syntax.slips.patterns import WORD, Slip, slip
from gdl.syntax.slips.wording import (
    ALONE,
    APPLIED,
    ASKED,
    BESIDE,
    CALL,
    DIRECTIONS,
    NUMBERS,
    QUANTIFIED,
    RELATIONS,
    ROUND,
    SIGNS,
    SITE_WORD,
    SOME,
    SUM,
    WHERE,
)
from gdl.syntax.slips.wording import NUMBER_OR_CALL as _TERM

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
