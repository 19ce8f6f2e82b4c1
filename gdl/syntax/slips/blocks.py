"""Slips of blocks: loops, conditions before steps, and choices between two values."""

from __future__ import annotations

import re

from gdl.syntax.slips.patterns import WORD, slip
from gdl.syntax.slips.wording import EITHER

TARGET = rf"({WORD}(?: ?\((?:[^()]|\([^()]*\))*\))?)"
"""The pattern of a variable, perhaps with an index."""
SIMPLE = (
    r"(?:add|again|change|choose|do|flip|go to|keep|let|move|next|pass|place|remove|require|set"
    r"|shift|swap|take)\b"
)
"""The pattern of the word that a step in one line begins with."""
_VALUED = rf"(?:set {TARGET} =|let {WORD} =|require|add|remove|flip|place .+ at) "
_LOOP = "A loop over elements is `for each x in D`."
_NO_COLON = "The heading of a block has no colon."


def _last(found: re.Match[str]) -> str:
    return f"for each {found[1]} in 0..{int(found[2]) - 1}"


BLOCKS = (
    # Loops.
    slip(
        rf"for(?: each| every| all|each)? ({WORD}) (?:in|of|from) range\((\d+)\) ?:?", _last, _LOOP
    ),
    slip(
        rf"for(?: each| every| all|each)? ({WORD}) (?:in|of|from|:) (.+?) ?(?::| do)?",
        r"for each \1 in \2",
        _LOOP,
    ),
    slip(
        rf"for(?: each| every| all)? ({WORD}) ?(?:=|in|from) ?(\w+) (?:to|until) (\w+) ?:?",
        r"for each \1 in \2..\3",
        _LOOP,
    ),
    slip(
        rf"for(?: each| every| all|each) [a-z]+ ({WORD}) (?:in|of|from) (.+?) ?(?::| do)?",
        r"for each \1 in \2",
        _LOOP,
    ),
    *(
        slip(
            rf"for(?: each| every| all|each) {kind} ({WORD}) ?:?",
            rf"for each \1 in {among}",
            _LOOP,
        )
        for kind, among in (
            ("direction", "compass"),
            ("(?:player|side)", "players"),
            ("(?:kind|piece type)", "kinds"),
            ("(?:site|cell|square)", "all"),
            ("(?:piece|stone|man)", "own"),
        )
    ),
    slip(r"for(?: each| every| all|each) (\w+) ?:?", r"for each x in \1", _LOOP),
    slip(r"(?:repeat|loop|do) (\w+)(?: ?x| times?)? ?:?", r"repeat \1 times", ""),
    slip(r"(?:repeat )?(\d+) times ?:?", r"repeat \1 times", ""),
    slip(
        r"repeat until (.+?) ?:?",
        "",
        r"`repeat` stands alone above the block, and `until \1` below it, in the same column.",
    ),
    slip(r"(?:loop |repeat )?(?:while|as long as) (.+?) ?(?::| do)?", r"repeat while \1", ""),
    slip(
        r"(?:loop|do|forever|repeat forever) ?:?", "", "A loop is `repeat`, and below it `until C`."
    ),
    # Conditions.
    slip(
        r"(?:elif|elsif|elseif|otherwise if|or if|else if) (.+?)(?: then)? ?:?", r"else if \1", ""
    ),
    slip(r"(?:otherwise|or else) ?:?", "else", ""),
    slip(
        r"(?:otherwise|or else) ?:?",
        "",
        "`else` follows the block of an `if`, in its column; ways that one may choose are `either`"
        " and `or`.",
    ),
    slip(r"or else ?:?", "or", ""),
    slip(
        r"if (.+?),? then ?:?",
        r"if \1",
        "A statement `if C` has no `then`: what it does stands below it, deeper.",
    ),
    slip(
        r"if (.+?),? then (.+?),? else (.+)",
        "",
        r"A statement `if C` has no `then`. Write `if \1 \2`, and in the line below `else \3`.",
    ),
    slip(r"if (.+?),? then (.+)", r"if \1 \2", "A statement `if C` has no `then`."),
    slip(rf"if (.+?)[:,] ?({SIMPLE}.*)", r"if \1 \2", "After the condition stands no sign."),
    slip(r"(?:when|unless|whenever) .+", "", "A condition before statements is `if C`."),
    slip(r"(optionally|either|or|else) ?:", r"\1", _NO_COLON),
    slip(r"(.+?) ?:", r"\1", _NO_COLON),
    slip(r"(?:optional|maybe|perhaps|may) ?:?", "optionally", ""),
    slip(
        rf"({_VALUED})(.+?) if (.+?) else (.+)",
        r"\1if \4 then \3 else \5",
        EITHER,
    ),
    slip(
        rf"({_VALUED})(.+?) ?\? ?(.+?) ?: ?(.+)",
        r"\1if \3 then \4 else \5",
        EITHER,
    ),
)
"""What a line of a turn means that is the heading of a block, or has a choice between values."""
