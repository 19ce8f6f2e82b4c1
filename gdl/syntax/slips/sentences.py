"""Sentences: what is said of words for which no text can be put in place.

They stand for a construct that needs more than the words tell: a relation, a region, a piece. Where
a text has such words, nothing that reads alike is proposed: it would mean something else.
"""

from __future__ import annotations

import re

from gdl.syntax.slips.patterns import (
    CHANCE,
    CHOSEN_FIRST,
    DIE,
    EACH_DECISION,
    STUCK_PASSES,
    TOGETHER,
    UNSEEN,
)

_SIDE_OF_BOARD = r"(top|bottom|left|right|corners|border)"
_SAID: tuple[tuple[str, str], ...] = (
    (
        rf"\bin (?:the )?{_SIDE_OF_BOARD} or (?:in )?(?:the )?{_SIDE_OF_BOARD}"
        r"\b(?! ?(?:in\b|[(=]))",
        r"The sites of two sets are `A | B`, as in `in \1 | \2`.",
    ),
    (
        r"\b(?:has|have) no (?:more |legal |possible )*moves?\b(?! ?\()",
        "What happens to a side without a move is said by `stuck`: `stuck: loses`, `draw` or"
        " `passes`.",
    ),
    (
        r"^(?:set |add 1 to |increment |increase )?turns? ?(?:\+= ?1|\+\+|= ?turns? ?\+ ?1)$",
        "`turns` counts by itself: leave this out.",
    ),
    (
        r"^number(?: in [^=]+)? ?= ?[\[(]?(\d+)(?:, ?\d+){2,}[\])]?$",
        "One first value is for all indices, or comes from a word of yours: `heap(i in 1..3):"
        r" number = first(i)`, and `first: {1: \1, else: 2}` under `define`.",
    ),
    (
        r"^(?:move|slide|step) (?!(?:own|enemy|piece|stone|man)\b)([a-z]\w*) (?:to|into|onto)"
        r" (?:an? |any |the |some )?"
        r"(?:adjacent|neighbou?ring) (?:empty|free|own|enemy)\b",
        r"Where to is chosen first: `choose t in adjacent(\1) & empty`, and below it `move \1 to"
        " t`.",
    ),
    (
        r"\bpath\b(?! ?:).* (?:from|to|between|joining)\b|\b(?:path|way) exists\b",
        "Whether sites of S join A with B by a relation R is `joined(A, B, R, S)`.",
    ),
    (
        r"\bknight(?:'s|s)? (?:move|jump|step|leap)s?\b",
        "A knight's move is the relation `leaper(1, 2)`: `t in leaper(1, 2)(s)`.",
    ),
    (
        r"^choose (\w+) in ([^,]+), ?(?:choose )?(\w+) in (.+)$",
        EACH_DECISION,
    ),
    (
        r"^(?:place|put|drop)(?: \w+)? (?:at|on|in|into) (?:any|an?|some|one|each) (\w+)"
        r"(?: \w+)?$",
        CHOSEN_FIRST.format(r"\1"),
    ),
    (
        r"^(?:drop|place|put)(?: (?:an?|the))? \w+ (?:in|into|down|to|at) (?:the |an? |any )?"
        r"(?:bottom of |lowest |(?:column|col|file)\b).*|^(?:drop|fall)s?(?: \w+)? down\b.*",
        "Where pieces fall to is a set to choose from: `choose s in empty & (bottom |"
        " north(occupied))`, and in the line below `place PIECE at s`.",
    ),
    (
        r"\b([a-z]\w*) and ([a-z]\w*) (?:are )?(?:connected|joined|linked)\b",
        r"Whether sites of S join A with B by a relation R is `joined(\1, \2, adjacent, own)`.",
    ),
    (
        r"\b(?:connects?|joins?|links?) (?:any |two |both )*opposite (?:sides|edges|borders)\b",
        "Whether sites of S join A with B by a relation R is `joined(A, B, R, S)`:"
        " `joined(top, bottom, adjacent, own) or joined(left, right, adjacent, own)`.",
    ),
    (
        r"\b(?:own|enemy|enemy's|opponent's) (?:border|edge|side|goal|base|camp|home|home row)\b",
        "What differs by side is a table, as in `goal: {White: top, Black: bottom}` under"
        " `regions`, and asked for as `goal(mover)` or `goal(enemy)`.",
    ),
    (
        r"\b(?:\w*th|\d*1st|\d*2nd|\d*3rd) (?:site|cell|square|step|field) (?:of|from|in|along)\b",
        "So many steps in a direction are a power, as in `(north^n)(s)`.",
    ),
    (
        r"^\w+(?:[\[(].*[\])])?\.(?:remove|append|add|pop|push|insert|discard|extend)\(",
        "A set changes by `set x = x | s` or `set x = x - s`; pieces go into a hand by `move S to"
        " hand`, and come out of it by `place P from hand at S`.",
    ),
    (
        r"^(?:place|put|drop)(?: \w+){0,3} (?:at|on|in|into)(?: the| any| an?)? (?:empty|free)"
        r" (?:cell|site|square|space|point|field)\b",
        CHOSEN_FIRST.format("empty"),
    ),
    (
        r"\blegal_?[mM]oves\(",
        STUCK_PASSES,
    ),
    (
        r"\blambda\b",
        "The greatest of several values is `max x in D of E`; who has most of a thing wins by a"
        " clause of `end` such as `highest E wins`.",
    ),
    (
        r"\b(?:queen|rook|bishop|sliding) (?:moves?|steps?|lines?)\b"
        r"|\breach(?:es|able)? (?:by|from)\b",
        "The free sites along lines from s are `slides(s, R, empty)`, with `orthogonal`, `diagonal`"
        " or `compass` for R.",
    ),
    (
        r"^random\b|\brandom(?:ly)? (?:\d+|sites?|cells?|empty|piece)",
        f"{CHANCE} `choose s in empty; place PIECE at s`.",
    ),
    (
        r"\b(?:is|are) (?:all )?(?:not )?(?:all )?connected\b(?! ?\()",
        "Whether a set S hangs together by a relation R is `count groups(S, R) = 1`.",
    ),
    (
        r"\b(?:in|into|gives?|out of) check\b|\b(?:checkmate[sd]?|attacked|threatened)\b(?! ?\()",
        "Whether a king could be taken next is a condition such as"
        " `can enemy make no own & King`: `require not …` forbids it, and `stuck: loses when …`"
        " is the end.",
    ),
    (
        r"\b(?:last|back|far|farthest|final|opposite|home) (?:row|rank|line)\b",
        "Rows are `top`, `bottom` and `rows(n)`. What differs by side is a table under `define`,"
        " as in `goal: {White: top, Black: bottom}`, and asked for as `goal(mover)`.",
    ),
    (
        r"(?<![=!<>] )\b(?:is|are) (?:completely |fully )?"
        r"(?:stuck|trapped|immobile|immobili[sz]ed|surrounded|blocked|enclosed)\b(?! ?\()",
        "No free site next to the sites of S is `no adjacent(S) & empty`.",
    ),
    (
        r"\b(?:last|farthest|furthest) (?:empty|free) .*\bdirection\b"
        r"|\bas far as (?:possible|it can)\b",
        "The last free site in each direction from s is `union d in compass of sites t in"
        " run(s, d, empty) where no d(t) & empty`.",
    ),
    (
        r"(?<!\d )(?<!three )(?<!four )(?<!five )\bin (?:an? |the )?(?:same )?line"
        r" (?:from|with|where)\b"
        r"|\bfrom \w+ (?:in|along) (?:the )?(?:direction )?\w+ (?:until|while|to|up to)\b",
        "The sites of S that follow one another from s in a direction d are `run(s, d, S)`; with"
        " the site behind them, `ray(s, d, S)`.",
    ),
    (
        r"^(?:move|slide|step|jump) (?:an? |one |any |the )?(?:own|piece|stone|man|[A-Z]\w*)"
        r" (?:(?:to|into|onto) (?:an? |any |the |some )?"
        r"(?:adjacent|neighbou?ring|orthogonal|diagonal) (?:empty|own|enemy)\b"
        r"|(?:(?:one|1|a) (?:step|square|site|cell) )?"
        r"(?:diagonally|orthogonally|straight|sideways|forwards?|in any direction)\b)",
        "What is moved, and where to, is chosen first: `choose s in own`, and below it `choose t in"
        " adjacent(s) & empty`, then `move s to t`.",
    ),
    (
        r"\b(?:previous|last|earlier|prior|old|former) (?:board|position|state)s?\b"
        r"|\bboard (?:repeats|was seen|has been)\b",
        "How often the board stood so after earlier turns is `seen(board)`: `require seen(board) ="
        " 0` forbids that it comes again.",
    ),
    (
        r"\b(?:random|rand|randint|roll|dice)\(",
        DIE,
    ),
    (
        r"^(?:reveal|show|unveil|uncover|hide|conceal)\b",
        f"{UNSEEN} {TOGETHER}",
    ),
    (
        r"^(?:simultaneous(?:ly)?|at the same time|secret(?:ly)?|hidden|together)\b"
        r"(?! (?:number|flag|side|kind|sites|name|fraction|int)\b)",
        TOGETHER,
    ),
    (
        r"^(?:set \w+ ?|let \w+ ?)?(?:number|int|fraction)? ?= ?\[ ?(-?\d+), ?(-?\d+) ?\]$",
        r"A number has bounds after `in`, and one value after `=`: `number in \1..\2 = \1`.",
    ),
)


def said(text: str) -> str:
    """Return what is said of words in a text, or nothing.

    >>> said("require own is connected")
    'Whether a set S hangs together by a relation R is `count groups(S, R) = 1`.'
    >>> said("require count own = 1")
    ''
    """
    for pattern, sentence in _SAID:
        found = re.search(pattern, text)
        if found is not None:
            return found.expand(sentence)
    return ""
