"""Wording: what is said of slips of several kinds, and patterns of their parts."""

from __future__ import annotations

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
