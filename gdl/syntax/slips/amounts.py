"""Slips of amounts: how many there are, and how many stand in a row, in plain English."""

from __future__ import annotations

from gdl.syntax.slips.patterns import WORD, slip
from gdl.syntax.slips.wording import AMOUNT, ASKED, CALL, SIGNS
from gdl.syntax.slips.wording import NUMBER_OR_CALL as _TERM

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
