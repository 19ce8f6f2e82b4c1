"""Slips of choices: `A if C else B`, wherever a value stands."""

from __future__ import annotations

from gdl.syntax.slips.patterns import WORD, slip
from gdl.syntax.slips.wording import ARGUMENTS, EITHER

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
