"""Slips of conditions: what is said of sites, sets and sides in the words of other languages."""

from __future__ import annotations

import re

from gdl.syntax.slips.amounts import SIGN_OF, THAN
from gdl.syntax.slips.patterns import WORD, slip
from gdl.syntax.slips.wording import (
    ALONE,
    AMOUNT,
    ARGUMENTS,
    ASKED,
    BESIDE,
    CALL,
    IN_SET,
    RELATIONS,
    SIGNS,
    SITE_WORD,
    SOME,
)
from gdl.syntax.slips.wording import NUMBER_OR_CALL as _TERM

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
