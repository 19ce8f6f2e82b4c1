"""Slips: what a slip of the pen is, and how one is told of.

In: patterns of texts that authors write in the manner of other languages, or of plain English.
Out: for a text, what it may mean, in the spelling of this language, and why. What then holds:
nothing: whether a text that is proposed can be read is for the parser to find out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

WORD = r"[A-Za-z_]\w*"
"""The pattern of a name."""

Rewrite = str | Callable[[re.Match[str]], str]


class Slip(NamedTuple):
    """A pattern; what is meant by what it matches (nothing known: ""); and a sentence why.

    In the sentence, `{}` is what is meant; if there is none, `Write …` follows the sentence.
    """

    pattern: re.Pattern[str]
    meant: Rewrite = ""
    why: str = ""


class Proposal(NamedTuple):
    """A text that may be meant, and the hint that says so; no text if the hint has none."""

    text: str
    hint: str


def slip(pattern: str, meant: Rewrite = "", why: str = "") -> Slip:
    """Return a slip; a blank in the pattern stands for one or more blanks, ` ?` for any number."""
    spaced = re.sub(r" \??", lambda blank: r"[ \t]" + "+*"[len(blank[0]) - 1], pattern)
    return Slip(re.compile(spaced), meant, why)


def proposal(found: re.Match[str], known: Slip, text: str) -> Proposal:
    """Return what a slip says of what its pattern has found, where `text` is meant."""
    text = re.sub(r"[ \t]+", " ", text)
    text = re.sub(r"\b[Tt]rue\b", "yes", re.sub(r"\b[Ff]alse\b", "no", text))
    why = found.expand(known.why).replace("{}", f"`{text}`")
    if not text or "{}" in known.why:
        return Proposal(text, why)
    return Proposal(text, f"{why} Write `{text}`.".lstrip())


def whole(text: str, slips: tuple[Slip, ...]) -> Iterator[Proposal]:
    """Yield what is proposed by slips that are the whole text."""
    for known in slips:
        found = known.pattern.fullmatch(text)
        if found is not None:
            yield proposal(found, known, _meant(found, known))


def within(text: str, slips: tuple[Slip, ...]) -> Iterator[Proposal]:
    """Yield what is proposed by slips that are parts of the text: each alone, then more and more.

    The hint of several at once is that of the first of them.
    """
    for known in slips:
        found = known.pattern.search(text)
        if found is not None:
            yield proposal(found, known, _mended(text, known))
    first: tuple[re.Match[str], Slip] | None = None
    for known in slips:
        found = known.pattern.search(text)
        if found is not None:
            text = _mended(text, known)
            if first is not None:
                yield proposal(*first, text)
            first = first or (found, known)


def _mended(text: str, known: Slip) -> str:
    def meant(found: re.Match[str]) -> str:
        return _meant(found, known)

    return known.pattern.sub(meant, text).strip()


def _meant(found: re.Match[str], known: Slip) -> str:
    return known.meant(found) if callable(known.meant) else found.expand(known.meant)


# ------------------------------------------------------------------------------------------ wording

ARGUMENTS = r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)"
"""The pattern of arguments that may be calls of calls."""

CALL = rf"[A-Za-z_]\w*(?:{ARGUMENTS})*"
"""The pattern of a name, or of what is asked of something, which may be a call of calls."""
RELATIONS = (
    r"(?:adjacent|orthogonal|diagonal|compass|touching|hexagonal|incident"
    r"|(?:north|south)(?:east|west)?|east|west)"
)
"""The pattern of a word for a relation that boards have."""
SITE_WORD = r"(?:sites?|cells?|squares?|spaces?|points?)"
"""The pattern of a word for a site in other languages."""
ASKED = r"(if|require|when|and|or|not|where|until|while)"
"""The pattern of a word that a condition stands behind."""
NAME_OR_CALL = r"[A-Za-z_]\w*(?:\([^()]*\))*"
"""The pattern of a name, or of what is asked of something."""
NUMBER_OR_CALL = rf"(?:\d+|{NAME_OR_CALL})"
"""The pattern of a number, a name, or what is asked of something."""

STEPS = {"top": "north", "bottom": "south", "left": "west", "right": "east"}
"""Directions that authors call by the side of the board to which they lead."""

SOME = "Some or none: `some S`, `no S`."
BESIDE = "The sites next to a site are `adjacent(s)`."
AMOUNT = "How many there are is compared: `count S >= 3`."
SIGNS = "Signs of comparison are `= != < <= > >=`."
CHOSEN_FIRST = "A site is chosen first: `choose s in {}`, and in the line below `place PIECE at s`."
"""With the set from which it is chosen."""
EACH_DECISION = (
    r"Each decision is a line of its own: `choose \1 in \2`, and below it `choose \3 in \4`."
)
"""With two names and two sets that a pattern has found."""
AGAIN = "Who has moved has the next turn, too, by `again`."
RULED_OUT = "What a move must not do is ruled out by `require not C`, behind what it does."
DIRECTIONS = (
    "Directions are those of a family, such as `orthogonal`, `diagonal` or `compass` (all)."
)
SEEN = "How often the board stood so after earlier turns is `seen(board)`."
NUMBERS = "A list of numbers has parentheses."
IN_SET = "Whether a site is in a set is `s in S`."
ALONE = "A set stands alone."
WHERE = "A condition follows `where`."
WHEN = "The condition follows `when`."
PILE = "As many from the top of a pile are `move n of s onto t`."
APPLIED = "A relation is applied to a site, as in `adjacent(s)`."
SUM = "A sum over a set is `sum x in S of N`."
ROUND = "What is asked of something has round parentheses."
STUCK_PASSES = "What happens to a side without a move is said by `stuck`, as in `stuck: passes`."
SITES = "A set of sites is joined by `|`."
QUANTIFIED = "A set by condition is `sites x in S where C`."
EITHER = "A choice between two values is `if C then A else B`."
END = "How the game ends is not said in a turn, but under `end`, as in `mover wins when C`."
PASS = (
    "A turn may be passed where one way of it is `pass`: `either`, and below it the steps, then"
    " `or`, and below it `pass`. How many turns in a row were passed is `passed`."
)
CHANCE = "What chance decides is the turn of a phase with `seat: nobody`, as in"
"""An example follows."""
DIE = (
    f"{CHANCE} `phases: {{roll: {{seat: nobody, turn: choose n in 1..6; set die = n; go to walk}},"
    " walk: …}`, where `walk` has what else stands under `turn`, and `go to roll` as its last line."
)
TOGETHER = (
    "What the sides decide at the same time stands under `together`; what follows when all have"
    " decided, under `turn`."
)
UNSEEN = (
    "What a side sees, if not all, is said under `sees`: of pieces as in `sees: {pieces: own,"
    " kinds: own}`, of variables by `values`."
)
