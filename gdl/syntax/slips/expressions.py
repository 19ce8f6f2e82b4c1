"""Slips of expressions: signs and words of other languages between names and numbers.

They may be parts of any text. They are tried in this order, each alone, then all at once.
"""

from __future__ import annotations

import re

from gdl.syntax.slips.amounts import AMOUNTS
from gdl.syntax.slips.choices import PARTS
from gdl.syntax.slips.patterns import WORD, Slip, slip
from gdl.syntax.slips.wording import AMOUNT, ARGUMENTS, QUANTIFIED, SIGNS
from gdl.syntax.slips.wording import NUMBER_OR_CALL as _TERM

_SOME = "Some or none: `some S`, `no S`."
_KEYS = "Signs are those of the keyboard."
_ONE_EACH = "One comparison has two sides."
_LISTED = "A set of sites has no brackets or braces: `|` joins its sites."
_REGION = r"(?:top|right|bottom|left|corners|border|interior|empty|occupied)"
_RELATIONS = (
    r"(?:adjacent|orthogonal|diagonal|compass|touching|hexagonal|incident"
    r"|(?:north|south)(?:east|west)?|east|west)"
)
_RELATION = rf"({_RELATIONS})"
_PIECE_AT = "Whether such a piece is there is {}; a kind or side is compared by `=`."
_WORD_FOR_SITE = r"(?!(?:mover|enemy|own|k|[a-z_]*(?:kind|side|type|owner|player|piece))\b)[a-z]\w*"
"""A word that stands for a site, as far as its name tells: not for a side or kind."""
_WORD_FOR_SET = (
    r"(?!(?:own|enemy|site|cell|square|target|goal|dest\w*|spot|place|field|point|node|pit)\b)"
    r"[a-z]\w{2,}(?![\w(])"
)
"""A word that stands for a set, as far as its name tells: not for a site, as short ones do."""
_DEEP_TERM = rf"{WORD}(?:{ARGUMENTS})*"
_A_SET = rf"(?!{_RELATIONS}\()(own|enemy|occupied|[a-z]\w+{ARGUMENTS})"
"""What has no sites if it is empty; of the sites next to another one, each is empty then."""
_GLUE = r"(?:and|or|where|has|of|in|from|into|within|when|then|else|to|at|by|onto|under)"
_ASKED = r"(if|require|when|and|or|not|where|until|while)"
_BOTH = "The pieces of a side and kind are in both sets."
_OF_SIDE = r"(own|enemy|[A-Z]\w*) (?!(?:And|Or)\b)([A-Z]\w*)\b(?! (?:wins?|loses?)\b)"
_PASSED = "How many turns in a row were `pass` is `passed`."
_BESIDE = "The sites next to a site are `adjacent(s)`."
_NEIGHBOUR = r"(?:neighbou?rs?|neighbou?ring)"
_SITE = r"(?:sites?|cells?|squares?|spaces?|points?)"
_MEN = r"(?:stones?|pieces?|men|man|discs?|counters?)"
_SIGN_OF = {
    "less than": "<",
    "fewer than": "<",
    "more than": ">",
    "at least": ">=",
    "at most": "<=",
    "fewer": "<=",
    "less": "<=",
    "more": ">=",
}
_THAN = r"(less than|fewer than|more than|at least|at most|exactly)"
_IN_HAND = "How many pieces a side has in hand is `hand(mover)`."
_WHO = r"(?:the )?(?:opponent|other player|other side|player|mover)"
_SETS_OF = {"opponent": "enemy", "player": "own", "mover": "own", "side": "enemy"}
_BOUNDED = r"\d+(?: ?\.\. ?\d+)?"
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
    slip(r"!==|<>|=/=|\/=(?==)", "!=", SIGNS),
    slip(r"=>", ">=", SIGNS),
    slip(r"=<", "<=", SIGNS),
    slip(r"\s*&&\s*", " and ", "Write `and` between conditions and `&` between sets."),
    slip(r"\s*\|\|\s*", " or ", "Write `or` between conditions and `|` between sets."),
    slip(
        rf"\b{_ASKED} ! ?(own|enemy|empty|occupied)\b(?! ?[&|(])",
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
        r"\bnot any (?=[\w(])|\b(if|require|when|and|or|where|until|while) any (?=[\w(])",
        lambda m: f"{m[1]} some " if m[1] else "no ",
        _SOME,
    ),
    slip(
        rf"(?<![\w)])({_DEEP_TERM}) (?:is |= ?)?occupied by (?:an? |the )?"
        rf"(own|enemy|{_DEEP_TERM})\b",
        r"\1 in \2",
        "Whether a site is in a set is `s in S`.",
    ),
    slip(
        r"\b(row|column)s? ?\(? ?(\w+) ?\.\. ?(\w+) ?\)?",
        r"\1s(\2, \3)",
        "The sites of several rows are `rows(m, n)`.",
    ),
    slip(
        rf"\b(own|enemy|[A-Z]\w*) (?:connects?|joins?|links?) (?:the )?({_DEEP_TERM})"
        rf" (?:and|to|with)(?: the)? ({_DEEP_TERM})"
        rf"(?: or(?: the)? ({_DEEP_TERM}) (?:and|to|with)(?: the)? ({_DEEP_TERM}))?",
        lambda m: (
            f"joined({m[2]}, {m[3]}, adjacent, {m[1]})"
            + (f" or joined({m[4]}, {m[5]}, adjacent, {m[1]})" if m[4] else "")
        ),
        "Whether sites of S join A with B by a relation R is `joined(A, B, R, S)`.",
    ),
    slip(
        rf"\b{_ASKED} ({_DEEP_TERM}) ?(?:=+|is) ?\[ ?({_TERM}(?:, ?{_TERM})+) ?\]",
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
        _BESIDE,
    ),
    slip(rf"\b({WORD}) (?:is|=) (?:adjacent|next) to ({WORD})", r"\1 in adjacent(\2)", _BESIDE),
    slip(r"\bthere (?:is|are) (?:an? |any )?(?=[\w(])", "some ", "Some or none: `some S`, `no S`."),
    slip(rf"\b{_A_SET} (?:is|are) empty\b", r"no \1", _SOME),
    slip(rf"\b{_A_SET} (?:is|are) not empty\b", r"some \1", _SOME),
    slip(
        rf"(?<![\w)])({_DEEP_TERM}) (?:is|=) (?:an? |the )?(empty|occupied|own|enemy)\b",
        r"\1 in \2",
        "Whether a site is in a set is `s in S`.",
    ),
    slip(
        rf"\b{_ASKED} (?!(?:some|no|not|count|every|all|any)\b)({_DEEP_TERM})"
        r" (empty|occupied|own|enemy)\b",
        r"\1 \2 in \3",
        "Whether a site is in a set is `s in S`.",
    ),
    slip(
        rf"(?<![\w)])({_WORD_FOR_SET}) (?:is|are) (not )?empty\b",
        lambda m: f"{'some' if m[2] else 'no'} {m[1]}",
        "{}, if that is a set; whether a site is empty is `s in empty`.",
    ),
    slip(
        rf"(?<![\w)])({_DEEP_TERM}) (?:is|=) not (?:an? |the )?(empty|occupied|own|enemy)\b",
        r"not \1 in \2",
        "Whether a site is in a set is `s in S`.",
    ),
    slip(
        rf"\b({WORD}) (?:is|==?|!=) (not )?(?:None|null|nil|nothing)\b",
        lambda m: f"{'some' if m[2] or '!=' in m[0] else 'no'} {m[1]}",
        _SOME,
    ),
    slip(r"\b(?:own |the )?hands? (?:is |are |= ?)?empty\b", "hand(mover) = 0", _IN_HAND),
    slip(
        rf"\b(mover|own|player|enemy|I) (?:has|have) (no |any )?(?:{_MEN} )?(?:left )?in hand\b",
        lambda m: (
            f"hand({'enemy' if m[1] == 'enemy' else 'mover'}) {'=' if m[2] == 'no ' else '>'} 0"
        ),
        _IN_HAND,
    ),
    slip(r"\ball (own|enemy)(?: \w+)? (?:are |is )?off(?: the)? board\b", r"no \1", _SOME),
    slip(
        r"\b(?:every|all|each|the) (dark|light) (?:sites?|cells?|squares?)\b",
        r"\1",
        "A set stands alone.",
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
    slip(r" is in ", " in ", "Whether a site is in a set is `s in S`."),
    slip(
        r"\b(own|enemy|[A-Z]\w*)(?: ([A-Z]\w*))?(?: (?:is|are|was|were))?"
        r" (?:captured|taken|dead|removed|killed|gone|eliminated|eaten)\b",
        lambda m: f"no {m[1]}{' & ' if m[2] else ''}{m[2] or ''}",
        _SOME,
    ),
    slip(r" (?:is not|isnt|is not equal to|does not equal) ", " != ", SIGNS),
    slip(r" (?:is greater than|is more than|is above) ", " > ", SIGNS),
    slip(r" (?:is less than|is fewer than|is below) ", " < ", SIGNS),
    slip(r" is at least ", " >= ", SIGNS),
    slip(r" is at most ", " <= ", SIGNS),
    slip(
        rf"\b(?:all|every)(?: the)? {_SITE}"
        rf"(?: (?:except|but|other than)(?: for)?(?: the)? ({_TERM}))?"
        r" (?:is|are) (?:full|occupied|taken|filled)\b",
        lambda m: f"no empty - {m[1]}" if m[1] else "full",
        "Whether all sites are taken is `full`; all but some, `no empty - S`.",
    ),
    slip(
        rf"\b(own|enemy|{_WHO}|[A-Z]\w*) (?:has|have) (?:only )?(?:{_THAN} )?(\d+)"
        rf"(?: or (fewer|less|more))?(?: {_MEN})?(?: left| on the board)?\b",
        lambda m: (
            f"count {_SETS_OF.get(m[1].split()[-1], m[1])}"
            f" {_SIGN_OF.get(m[2] or m[4] or '', '=')} {m[3]}"
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
        "Whether a site is in a set is `s in S`.",
    ),
    slip(
        rf"\ball(?: of)?(?: the)? ({_DEEP_TERM}) (?:in|is|are)(?: in)?"
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
    slip(
        rf"[\[{{]({WORD}) (?:for \1 )?in ([^\]}}]+?) (?:where|if) ([^\]}}]+)[\]}}]",
        r"(sites \1 in \2 where \3)",
        QUANTIFIED,
    ),
    slip(
        rf"\b({WORD})\[([^][]*)\]\[([^][]*)\]",
        r"\1(\2, \3)",
        "What is asked of something has round parentheses.",
    ),
    slip(rf"\[ ?({_BOUNDED}(?:, ?{_BOUNDED})+) ?\]", r"(\1)", "A list of numbers has parentheses."),
    slip(rf"\b({WORD})\[0\]", r"first(\1)", "The first site of a set is `first(S)`."),
    slip(
        rf"\b({WORD})\[([^][]*)\]", r"\1(\2)", "What is asked of something has round parentheses."
    ),
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
        "Directions are those of a family, such as `orthogonal`, `diagonal` or `compass` (all).",
    ),
    slip(
        r"\b(?:(?:all|any|each|every|the|8|eight) )*directions?\b(?! ?[=(])",
        "compass",
        "Directions are those of a family, such as `orthogonal`, `diagonal` or `compass` (all).",
    ),
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
        "A condition follows `where`.",
    ),
    slip(
        rf"\b(union|sum|max|min|product) ({WORD}) in ({_DEEP_TERM}) of ({_DEEP_TERM})"
        r" (?:where|if|when|with|such that) ([^()]*(?:\([^()]*\)[^()]*)*)",
        lambda m: (
            f"union {m[2]} in {m[3]} of {m[4]} when {m[5]}"
            if m[1] == "union"
            else f"{m[1]} {m[2]} in (sites {m[2]} in {m[3]} where {m[5]}) of {m[4]}"
        ),
        "",
    ),
    slip(
        rf"\b(sum|max|min) ?\(? ?({WORD}) ?\)?(?= ?[=<>!]| ?$)",
        r"(\1 s in all of \2(s))",
        "A sum over a set is `sum x in S of N`.",
    ),
    slip(
        rf"\bsum ?\(? ?({WORD})\(({_DEEP_TERM})\)\)?(?= ?[=<>!]| ?$)",
        r"(sum x in \2 of \1(x))",
        "A sum over a set is `sum x in S of N`.",
    ),
    slip(
        r"\b(?:(some|no|an?|the) )?([A-Z]\w*) (?:is )?(?:at|on) ([a-z]+\d+)\b",
        lambda m: f"{'no' if m[1] == 'no' else 'some'} {m[2]} & {m[3]}",
        _SOME,
    ),
    slip(r"\b(row|column) (\d+)\b", r"\1s(\2)", "The sites of a row are `rows(n)`."),
    slip(
        rf"\b(empty|own|enemy|occupied) (?:{_SITE} )?(?:next to|beside|adjacent to|from) ({WORD})"
        rf" in (?:the )?(?:direction )?(?:of )?({WORD})\b",
        r"\1 & \3(\2)",
        "A direction is applied to a site, as in `north(s)`.",
    ),
    slip(
        rf"\b(?:the )?{_SITE} (?:adjacent|next) to ({_TERM})",
        r"adjacent(\1)",
        _BESIDE,
    ),
    slip(
        rf"\b(?:an? |the |any )?(empty|own|enemy|occupied) (?:{_NEIGHBOUR}|{_RELATIONS})"
        rf"(?: {_SITE})? (?:of|to) ({WORD})\b(?!\()",
        r"adjacent(\2) & \1",
        _BESIDE,
    ),
    slip(
        rf"\b{_RELATION} (empty|own|enemy|occupied)(?: {_SITE})? (?:of|to|from) ({WORD})\b(?!\()",
        r"\1(\3) & \2",
        _BESIDE,
    ),
    slip(
        rf"\b{_RELATION} (?:of |to |from )?(?!{_GLUE}\b)({WORD})\b(?!\()",
        r"\1(\2)",
        "A relation is applied to a site, as in `adjacent(s)`.",
    ),
    slip(
        rf"\b(?:neighbou?rs?|neighbou?ring) (?:of |to )?({WORD})\b(?!\()",
        r"adjacent(\1)",
        "A relation is applied to a site, as in `adjacent(s)`.",
    ),
    slip(rf" next to ({WORD})", r" & adjacent(\1)", "Next to a site is `adjacent(s)`."),
    slip(
        rf"\b(any|some|no) (own|enemy|occupied|[A-Z]\w*) (?:in|on|at) (?:the )?({_TERM})",
        lambda m: f"{'no' if m[1] == 'no' else 'some'} {m[2]} & {m[3]}",
        _SOME,
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
        "A set stands alone.",
    ),
    slip(
        r"\b(own|enemy|empty|occupied|all)"
        r" (?:sites?|squares?|cells?|pieces?|points?|spaces?|fields?)\b",
        r"\1",
        "A set stands alone.",
    ),
    slip(r"(?<![\w.])(\d+) ?([a-z])\b", r"\1 * \2", "A product is `a * b`."),
    *AMOUNTS,
    slip(
        r"\b(own|enemy|[A-Z]\w*) (?:has|have) no (?:pieces|stones|men)\b"
        r"|\ball (enemy|own) (?:are|is) \w+",
        lambda m: f"no {m[1] or m[2]}",
        "Some or none: `some S`, `no S`.",
    ),
    slip(r"\bthere (?:are|is) no ", "no ", "Some or none: `some S`, `no S`."),
    slip(
        rf"\b(own|enemy) (?:has|have) no ({_TERM})",
        r"no \1 & \2",
        "Some or none: `some S`, `no S`.",
    ),
    slip(
        rf"\b(own|enemy) (?:has|have) (?:an? )?({_TERM})",
        r"some \1 & \2",
        "Some or none: `some S`, `no S`.",
    ),
    slip(
        rf"\b(own|enemy) (?:reaches|touches|reach|on|is on|at|is at) (?:the )?({_TERM})",
        r"some \1 & \2",
        "Some or none: `some S`, `no S`.",
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
        _SOME,
    ),
    slip(
        rf"\b(sum|max|min|product)\((.+?) for ({WORD}) in ([^()]+)\)",
        r"(\1 \3 in \4 of \2)",
        "A sum over a set is `sum x in S of N`.",
    ),
    slip(
        rf"\b(?:any|exists|there is an?|there is some) ({WORD}) in ([^:]+?)(?: where |: ?| with )",
        r"some \1 in \2 where ",
        "Whether there is one is `some x in S where C`.",
    ),
    slip(
        rf"\b(some|no|count|sites) ({WORD}) in ([^:,]+?)(?:: ?| with | if | such that )",
        r"\1 \2 in \3 where ",
        "A condition follows `where`.",
    ),
    slip(
        rf"\b(?:for all|for every|forall|all|every|each) ({WORD}) in ({_TERM})"
        r"(?:,? (?:where|has|is|with|:)|: ?|) ",
        r"every \1 in \2 has ",
        "For all of a set is `every x in S has C`.",
    ),
    slip(rf"({_TERM}(?: & {_TERM})*) exists?\b", r"some \1", "Some or none: `some S`, `no S`."),
    slip(
        rf"\b({WORD})\(({WORD})\) of \2\b",
        r"\1(\2)",
        "A relation is applied to a site, as in `adjacent(s)`.",
    ),
    slip(r",? (?:except(?: for)?|but not|minus|without|excluding) ", " - ", "Without is `-`."),
)
