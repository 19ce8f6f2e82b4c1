"""The names of what a file can have drawn: figures of pieces, and signs on sites.

In: nothing. Out: the names, which the language accepts and pictures know how to draw.
"""

FIGURES = (
    *("disc", "man", "crowned", "ring", "ball", "peg", "cross", "star"),
    *("pawn", "knight", "bishop", "rook", "queen", "king"),
    *("cube", "tile", "wall", "cone", "pyramid", "wedge", "card", "ship"),
    *("die", "seeds", "levels", "number"),
)
"""The shapes of pieces and of numbers.

Of these, `man` is a grooved disc and `crowned` one with a crown, `wedge` a piece whose shape points
forward, `wall` one that stands on its edge. `die`, `seeds` and `levels` show a number by
pips, by as many seeds, by the storeys of a tower; `number` by nothing but its digits.
"""

SIGNS = ("point", "star", "rosette", "throne", "cross", "trap", "ring", "square", "hill")
"""The marks that may lie on a site, under its piece."""
