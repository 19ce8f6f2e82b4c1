"""Foreign words: what a word that nothing here is called means in other languages.

In: a name that has no meaning. Out: a hint that names the word of this language, or says how the
same is said here. What then holds: a hint that names one word names one that may stand there.
"""

from __future__ import annotations

from gdl.diagnostic import Hint, Suggestion

_SAME = {
    "yes": ("true", "on"),
    "no": ("false", "off"),
    "none": ("null", "nil", "nothing", "undefined", "void"),
    "mover": ("me", "self", "current_player", "currentplayer", "active_player", "myself"),
    "enemy": (
        "opponent", "opponents", "enemies", "opponent_pieces", "next_player", "foe", "them",
    ),
    "own": ("mine", "my_pieces", "friend", "friends", "friendly", "ally", "own_pieces"),
    "occupied": ("pieces", "nonempty", "non_empty", "not_empty", "filled"),
    "empty": ("vacant", "empty_sites", "empties", "unoccupied", "blank"),
    "all": ("board_sites", "everywhere", "everything", "anywhere"),
    "adjacent": ("neighbours", "neighbors", "neighbour", "neighbor", "neighboring", "adj"),
    "turns": ("turn", "rounds", "round", "turn_number", "move_number", "ply", "plies"),
    "orthogonal": ("cardinal", "orthogonally", "straight"),
    "diagonal": ("diagonals", "diagonally"),
    "compass": ("directions", "all_directions", "alldirections"),
    "border": ("edge", "rim", "perimeter", "outer"),
    "corners": ("corner",),
    "row": ("rank", "row_of"),
    "column": ("file", "col", "column_of"),
    "owner": ("who", "owner_of", "side_of", "player_of", "colour_of", "color_of"),
    "kind": ("type", "piece_type", "kind_of", "type_of", "what"),
}  # fmt: skip
"""The words of this language, each with others that mean the same."""

_SAID = {
    ("len", "size", "length", "number_of", "amount", "total", "num"): (
        "How many sites a set has is `count S`."
    ),
    ("range",): "A range is written `1..5`.",
    ("a", "an", "the"): "Words such as `{}` are left out.",
    ("random", "rand", "dice", "roll", "randint", "shuffle"): (
        "What chance decides is a phase with `seat: nobody`."
    ),
    ("forward", "forwards", "ahead", "backward", "backwards"): (
        "Which way a side goes is said under `define`, as in"
        " `forward: {{White: north, Black: south}}`; `forward(mover)(s)` is then the site ahead."
    ),
    ("it", "this", "here", "that"): (
        "A piece is told by the site that it stands on: the word after `choose`."
    ),
    ("piece", "piece_at", "piece_on", "figure", "man_at"): (
        "A piece is told by the site that it stands on: its kind is `kind(s)`, and whether a king"
        " is there, `s in King`."
    ),
    ("down", "up", "above", "below", "upward", "downward", "upwards", "downwards", "under_it"): (
        "A step is a direction that is applied to a site, as in `north(s)` or `south(s)`."
    ),
    (
        "queen_moves", "rook_moves", "bishop_moves", "king_moves", "knight_moves", "sliding",
        "queen_move", "rook_move", "bishop_move", "lines_from", "ray", "rays", "slide",
    ): (
        "The free sites along lines are `slides(s, R, empty)`, with `orthogonal`, `diagonal` or"
        " `compass` for R; one step is `compass(s)`, a knight's move `leaper(1, 2)(s)`."
    ),
    ("done", "finished", "wants_to_stop", "wants", "chooses_to_stop"): (
        "How long a side goes on is its decision where one way of its turn ends by `again`, and"
        " another one does not."
    ),
    ("last", "end_of", "farthest", "furthest", "last_of"): (
        "The last site of a row of sites S in direction d is `sites x in S where no d(x) & S`."
    ),
    ("floor", "round_down", "int"): "Division rounded down is `a div b`.",
    ("connects", "is_connected", "connection"): (
        "Whether sites of S join A with B is `joined(A, B, adjacent, S)`."
    ),
    ("line_of", "in_line", "inline", "is_line", "three_in_a_row", "rowof"): (
        "Whether S has n in a row is `in_a_row(S, n)`."
    ),
    ("is_empty", "isempty", "exists", "is_occupied"): (
        "Whether a site is empty is `s in empty`; whether a set is, `no S`."
    ),
    ("promoted", "last_move", "lastmove", "previous", "captured"): (
        "What a position remembers is a variable under `state`."
    ),
    ("repeated", "repetition", "repeats", "threefold", "superko", "ko"): (
        "How often the same was there after earlier turns is `seen(…)`, as in `draw when"
        " seen(board) >= 2`, or `require seen(board) = 0` in a turn."
    ),
    ("nobody", "noone", "no_one"): "What nobody wins is a `draw`.",
    ("stalemate", "no_moves", "nomoves", "stuck", "can_move"): (
        "What happens to a side without a move is said by `stuck`."
    ),
    ("moves",): (
        "How many turns were made is `turns`; what happens to a side without a move is said by"
        " `stuck`."
    ),
    ("player",): "The side on turn, or that has just moved, is `mover`; all sides are `players`.",
    ("checkmate", "checkmated", "check", "in_check", "is_check", "mate"): (
        "Whether a king could be taken next is a condition such as `can enemy make no own & King`;"
        " a side without a move that is in check loses by `stuck: loses when` that condition."
    ),
    ("center", "centre", "middle", "central"): (
        "The middle of a board has no word: which sites it has is said under `regions`."
    ),
    (
        "last_row", "lastrow", "first_row", "back_row", "back_rank", "last_rank", "final_row",
        "far_row", "home_row", "promotion_row", "last_column",
    ): (
        "Rows are `top`, `bottom` and `rows(n)`. What differs by side is a table under `define`, as"
        " in `{0}: {{White: top, Black: bottom}}`, and asked for as `{0}(mover)`."
    ),
    ("phase", "current_phase"): (
        "What differs by phase stands in each phase by itself; `go to` begins another one."
    ),
    ("winner", "victory", "game_over", "gameover"): (
        "Who wins is said by the clauses of `end`, as in `mover wins when C`."
    ),
    ("tops", "top_piece", "top_pieces"): (
        "`own`, a side or a kind means the uppermost piece of each pile; `holding(P)` the piles"
        " that have P anywhere."
    ),
    ("position", "pos", "index", "index_of", "coordinate", "coordinates", "location"): (
        "Where a site is is told by `row(s)` and `column(s)`; n steps along a direction, or a path"
        " of your own, lead to `(d^n)(s)`."
    ),
    ("step",): (
        "A step is a direction that is applied to a site, as in `north(s)`, or `d(s)` after"
        " `choose d in orthogonal`."
    ),
    ("dice_roll", "die_roll", "roll_dice", "d6", "coin", "chance"): (
        "What chance decides is a phase with `seat: nobody`."
    ),
    ("edges", "vertices"): (
        "Sites are the cells of the board, unless it says which others there are, as in"
        " `board: edges of square(5, 5)` or `board: cells and edges of square(5, 5)`. Those at the"
        " rim of a board are `border`."
    ),
    ("torus", "toroidal", "cylinder", "wrap", "wraps", "wrapped", "wraparound", "circular"): (
        "A board goes round by words behind its sizes: `square(9, 9) wrapping columns and rows`."
    ),
    ("unlimited", "infinity", "infinite", "inf"): "How many there may be at most is a number.",
    ("group", "chain_of", "group_of"): (
        "The group of a site is `reach(s, R within S)`; all of them are `groups(S, R)`."
    ),
    ("sqrt", "log", "sin", "cos"): "There are `+ - * / div mod ^`, `abs`, `max` and `min`.",
}  # fmt: skip
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")

_WORDS = {other: word for word, others in _SAME.items() for other in others}
_HINTS = {other: hint for others, hint in _SAID.items() for other in others}


def known_elsewhere(name: str) -> Hint:
    """Return a hint for a word that other languages have, or nothing.

    >>> str(known_elsewhere("true"))
    'Did you mean `yes`?'
    >>> known_elsewhere("two")
    'Numbers are written in digits: `2`.'
    >>> known_elsewhere("castle")
    ''
    """
    word = name.lower()
    if word in _WORDS:
        return Suggestion(_WORDS[word])
    if word in _DIGITS:
        return f"Numbers are written in digits: `{_DIGITS.index(word)}`."
    return _HINTS.get(word, "").format(name)
