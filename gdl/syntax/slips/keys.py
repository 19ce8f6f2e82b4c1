"""Slips of keys: settings that a game has in other languages, and where they are said here.

In: a key that no game has, and what stands behind it in its line. Out: a sentence, or nothing.
"""

from __future__ import annotations

import re

from gdl.syntax.slips.wording import DIE, SEEN, TOGETHER, UNSEEN

_FIRST = "The first of `players` begins, and the others follow in their order."
_ENDS = "How the game ends is said under `end`, as in `mover wins when C` or `draw when C`."
_NOT_AGAIN = f"{SEEN} `require seen(board) = 0`, at the end of the turn, rules it out."
_SAID = {
    ("dice", "die", "chance", "random", "roll", "coin", "rolls"): (
        DIE.replace("{", "{{").replace("}", "}}")
    ),
    ("neutral", "neutrals", "neutral_pieces", "obstacles"): (
        "Pieces that belong to nobody are listed under `pieces`, as `neutral {name}`."
    ),
    (
        "first", "starts", "begins", "starting_player", "first_player", "starting_side", "mover",
        "order", "turn_order", "to_move",
    ): _FIRST,
    (
        "winner", "wins", "victory", "over", "game_over", "gameover", "draw", "draws", "lose",
        "loses", "loser", "win_condition", "win_conditions", "winning", "end_when", "ends_when",
        "checkmate", "goal", "win", "result", "endgame",
    ): _ENDS,
    ("stalemate", "no_moves", "blocked"): (
        "What happens to a side without a move is said by `stuck`, as in `stuck: draw`."
    ),
    ("pass", "passing", "passes", "can_pass", "may_pass"): (
        "A turn may be passed where one way of it, after `either` or `or`, is `pass`."
    ),
    (
        "forbid", "forbidden", "illegal", "legal", "restriction", "restrictions", "require",
        "requires", "constraint", "constraints",
    ): "What must hold of a move is said in the turn, by `require C`.",
    ("ko", "superko", "repetition", "no_repetition", "positional_superko"): _NOT_AGAIN,
    ("timeout", "limit", "max_turns", "turn_limit", "max_moves", "move_limit", "length"): (
        "How many turns there are is told by `turns`, as in `draw when turns >= 100` under `end`."
    ),
    ("capture", "captures", "capturing", "promotion", "promotions", "promote"): (
        "What a move does is said in the turn, as in `remove S` or `change S to P`."
    ),
    (
        "center", "centre", "goals", "home", "homes", "camp", "camps", "zone", "zones", "area",
        "areas", "targets", "throne", "palace", "river",
    ): "A set of sites of your own is an entry of `regions`, as in `regions: {{{key}: …}}`.",
    ("tiles", "tile", "cards", "tokens", "units", "stones", "checkers", "men", "kinds"): (
        "Kinds of piece are listed under `pieces`, and those off the board under `hands`."
    ),
    ("symbols", "figures", "captions", "style", "signs", "prompts"): (
        "It is said under `display`, as in `display: {{{key}: …}}`."
    ),
    (
        "simultaneous", "simultaneously", "both", "after both", "after_both", "after", "reveal",
        "resolve",
    ): TOGETHER,
    ("hidden", "secret", "visible", "invisible", "visibility", "fog", "hides", "face_down"): (
        UNSEEN.replace("{", "{{").replace("}", "}}")
    ),
    ("score", "scores", "scoring", "points", "count", "counting"): (
        "Points are a variable, as in `state: {{score(players): number}}`; who has most of a thing"
        " wins by a clause of `end` such as `highest count(own) wins when C`."
    ),
    ("size", "grid", "dimensions"): "The board has its sizes in it, as in `board: square(8, 8)`.",
}  # fmt: skip
_HINTS = {key: hint for keys, hint in _SAID.items() for key in keys}
_IS_CLAUSE = re.compile(r"\b(?:wins|loses|draw)\b")
STARTS = ("start", "initial", "position", "starting_position", "initial_position", "init")
"""What is `setup` by another name."""
_MOVES = ("moves", "move", "movement")
_INSTEAD = {"goal", "win", "result"}
"""What is `end` by another name where a clause, or several, stand behind it."""


def said_of_key(key: str, value: str, extends: bool) -> str:
    """Return where it is said what a key says elsewhere, or nothing.

    `value` is what stands behind it in its line; `extends` whether the file changes another game.

    >>> said_of_key("first", "White", False)
    'The first of `players` begins, and the others follow in their order.'
    >>> said_of_key("frist", "White", False)
    ''
    """
    word = key.lower()
    if re.fullmatch(r"\w+ ?\([\w, ]*\)", key):
        return f"A word of your own is an entry of `define`, as in `define: {{{key}: …}}`."
    if word in STARTS:
        return _said_of_start(key, value, extends)
    if word in _MOVES and (not value or value.startswith("{")):
        return (
            "A word of your own, such as a table by kind, is an entry of `define`, and is asked for"
            f" in the turn, as in `choose t in {key}(kind(s))(s)`."
        )
    if word in _INSTEAD and (not value or value[:1] in "[{|" or _IS_CLAUSE.search(value)):
        return ""
    if word in ("forbid", "forbidden", "illegal") and re.search(r"repe|superko|\bko\b", value):
        return _NOT_AGAIN
    if word == "size" and extends:
        return f"Options of the game that is extended are set under `options`: `{{{key}: …}}`."
    name = re.fullmatch(r"[A-Z]\w*", value)
    return _HINTS.get(word, "").format(key=key, name=name[0] if name else "Stone")


def is_statement(key: str) -> bool:
    """Return whether a key is the heading of a block, or another line of a turn.

    >>> is_statement("if n = 1"), is_statement("place")
    (True, False)
    """
    return (
        re.match(r"(?:if|else|either|or|optional|optionally|while|for|repeat)\b", key) is not None
    )


_SAID_OF_EXAMPLES = {
    ("moves", "sequence", "line", "played", "plays", "after_moves", "game", "record"): (
        "The moves that lead to a position are its `play`, as in `play: a1, b2`."
    ),
    ("position", "diagram", "fen", "start", "initial", "picture", "setup_rows", "pieces"): (
        "A position is drawn as `rows`, with `/` between rows, or on lines behind `rows: |`."
    ),
    (
        "result", "holds", "that", "check", "expect", "expected", "outcome", "then_result",
        "output", "assert", "wins", "win",
    ): (
        "What is expected has a key of its own: `winner: SIDE` (or `draw`; `nobody`: it goes"
        " on), `legal: MOVES`, `illegal: MOVES`, `only: MOVES`, `count: N` or `values: {E: N}`."
    ),
    ("side", "player", "turn", "active", "who"): "Who is on turn in a position is its `to_move`.",
}  # fmt: skip
_HINTS_OF_EXAMPLES = {key: hint for keys, hint in _SAID_OF_EXAMPLES.items() for key in keys}


def said_of_option(key: str) -> str:
    """Return where it is said what a key of an option says elsewhere, or nothing.

    >>> said_of_option("max")
    'What is allowed is a range, as in `in: 3..9`, or a list, as in `in: "3, 5"`.'
    """
    if key.lower() in ("min", "max", "range", "from", "to", "values", "choices", "allowed", "low"):
        return 'What is allowed is a range, as in `in: 3..9`, or a list, as in `in: "3, 5"`.'
    return "An option is what its default is: leave this out." if key.lower() == "type" else ""


def said_of_example(key: str) -> str:
    """Return where it is said what a key of an example says elsewhere, or nothing.

    >>> said_of_example("moves")
    'The moves that lead to a position are its `play`, as in `play: a1, b2`.'
    """
    return _HINTS_OF_EXAMPLES.get(key.lower(), "")


def said_of_phase(key: str, value: str) -> str:
    """Return where it is said what a key of a phase says elsewhere, or nothing.

    >>> said_of_phase("next", "move")
    'Another phase begins by `go to move`, a line of its turn.'
    """
    if key.lower() in ("simultaneous", "simultaneously", "both", "secret", "at_once"):
        return TOGETHER
    if key.lower() in ("until", "ends", "end", "over", "ends_when"):
        return "Another phase begins by `if C go to NAME`, the last line of its turn."
    if key.lower() not in ("next", "then", "goto", "go to", "after", "next_phase"):
        return ""
    name = value if re.fullmatch(r"\w+", value) else "NAME"
    return f"Another phase begins by `go to {name}`, a line of its turn."


def _said_of_start(key: str, value: str, extends: bool) -> str:
    if re.fullmatch(r"[A-Z]\w*", value):
        return _FIRST
    drawn = "The pieces at the start are drawn under `setup`, as its entry `rows`."
    if extends and (value[:1] in "|>" or value) and not value.startswith("{"):
        return f"{drawn} If `{key}` is an option of the game that is extended: under `options`."
    return drawn if value[:1] in ("|", ">") or "/" in value else ""
