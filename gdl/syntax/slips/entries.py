"""Entries: what is said of the entries of a file whose shape, or whose words, are another's."""

from __future__ import annotations

import re

from gdl.document.shape import LIST, SETTINGS
from gdl.syntax.slips import shapes
from gdl.syntax.slips.patterns import DIE, SEEN, TOGETHER, UNSEEN
from gdl.syntax.slips.place import Place
from gdl.syntax.slips.sentences import said
from gdl.syntax.slips.sets import lines

_PAIR = re.compile(r"\b(\w+)(?: ?(?:-|->|--|<->|–) ?|, ?(?=\w+[\])]))(\w+)\b")
"""Two sites, as in `a1-b2` or `[a1, b2]`."""


def key(at: Place) -> str:
    """Say where it is said what a key says elsewhere."""
    value = at.behind.partition(":")[2].strip()
    if at.facts.of == "a phase":
        return said_of_phase(at.words, value)
    if at.facts.of == "an option":
        return said_of_option(at.words)
    if at.facts.of == "an example":
        return said_of_example(at.words)
    if at.facts.of not in ("a game", "a variant"):
        return ""
    if at.section == "variants" and at.words in at.options:
        return f"Options are set in a section of their own: `options: {{{at.words}: {value}}}`."
    return said_of_key(at.words, value, at.extends)


def pairs(at: Place) -> str:
    """Say how a relation is written that leads between sites that are listed by twos."""
    text = at.line.partition(":")[2] or at.block
    both = re.findall(_PAIR, text)
    if at.section != "relations" or len(both) < 2 or re.search(r"[|&^]", text):
        return ""
    listed = ", ".join(f"{one} {other}" for one, other in both)
    one, other = both[0]
    return (
        f"What leads from one site to another that is listed is a path: `{{path: [{listed}]}}`;"
        f" what leads back as well, `{one} {other} {one}`."
    )


def swapped(at: Place) -> str:
    """Say that `swap` is a condition alone."""
    asked = re.fullmatch(r"swap *: *(?:if|when) (.+?)(?: then .*)?", at.line)
    return f"`swap` is the condition alone: `swap: {asked[1]}`." if asked is not None else ""


def together(at: Place) -> str:
    """Say how sides decide at once, where a way of a turn has such a name."""
    way = re.match(r"(simultaneous(?:ly)?|together|both|secret(?:ly)?) *:", at.line)
    return TOGETHER if at.section == "turn" and way is not None else ""


def placed_by_sides(at: Place) -> str:
    """Say how a game begins in which the sides put up their pieces themselves."""
    if at.section != "setup" or at.words not in ("place", "choose", "put", "each"):
        return ""
    return (
        "What the sides place themselves is a phase, the first of several, and in hand before:"
        f" `hands: {{{at.kind}: 3}}`, and `phases: {{placing: …, moving: …}}`."
    )


def flag_for_number(at: Place) -> str:
    """Say what stands where yes or no does not say enough."""
    if re.match(r"stacks? *: *(?:yes|no|true|false|on|unlimited|any)\b", at.line):
        return "How many pieces a pile may have is a number, as in `stacks: 12`; without it, one."
    if re.match(r"swap *: *(?:1|true|on|once|allowed|enabled|pie|always|permitted)\b", at.line):
        return "`swap` says when sides may be exchanged, as in `swap: turns = 1`."
    return ""


def hand(at: Place) -> str:
    """Say how pieces in hand are listed."""
    if at.section != "hands":
        return ""
    amount = re.search(r": *(\d+) ([A-Z]\w*?)s?\b", at.line)
    each = re.fullmatch(r"hands *: *(\d+)\b.*", at.line)
    if each is not None:
        return f"Hands are told by kind: `hands: {{{at.kind}: {each[1]}}}`."
    if amount is not None:
        return f"How many a hand has follows the kind: `hands: {{{amount[2]}: {amount[1]}}}`."
    if at.words in ("size", "count", "number", "limit", "max", "hidden", "all", "each", "both"):
        return f"Hands are told by kind: `hands: {{{at.kind}: 3}}` gives three to each side."
    if at.words not in at.sides:
        return ""
    kind = at.kind
    return (
        f"Hands are told by kind: `hands: {{{kind}: 3}}` gives three to each side,"
        f" `hands: {{{at.words} {kind}: 3}}` to {at.words} alone."
    )


def kinds(at: Place) -> str:
    """Say how kinds of piece are listed, and where the rest is said of them."""
    if at.section != "pieces":
        return ""
    if hint := described(at) or shapes.kinds(at.table.strip("{}"), at.sides):
        return hint
    if at.words in ("neutral", "nobody", "none") and at.key:
        return f"`neutral` stands before a kind, as in `pieces: neutral {at.key}`."
    kind = re.search(r"(\w+) *: *$", at.before)
    if kind is not None and at.words in at.sides:
        return f"A side stands before a kind that only it has: `{at.words} {kind[1]}`."
    amount = re.match(r"\d+\b", at.words)
    if kind is not None and amount is not None:
        return (
            "How many there are is not said here: `setup` says where they are, and"
            f" `hands: {{{kind[1]}: {amount[0]}}}` how many are in each side's hand."
        )
    return ""


def board_table(at: Place) -> str:
    """Say how a board of a lattice is written, where its shape and its sizes are settings."""
    return shapes.board(at.table) if at.section == "board" else ""


def _ends(at: Place) -> str:
    if not at.facts.expected.startswith("a clause"):
        return ""
    if at.facts.subject == "end":
        outcome = re.match(r"\s*-? *(\w+ (?:wins|loses)|draw) *:", at.behind)
        told = outcome[1] if outcome is not None else "mover wins"
        return f"Each end is an item of its own, with its condition: `- {told} when C`."
    return said(at.block) or shapes.clause(at.block, at.reads_as_clause)


def _turn(at: Place) -> str:
    if at.facts.expected.endswith("one a line") and at.facts.found == SETTINGS:
        return "A turn has its steps below `turn: |`, one a line, as in `choose s in own`."
    if at.facts.subject != "turn":
        return ""
    if at.facts.found == LIST:
        return "Write `|` behind `turn:`, and the steps below it, one a line and without dashes."
    if is_statement(at.words):
        return "Write `|` behind `turn:`, and the steps below it; no heading has a colon."
    return ""


def _settings(at: Place) -> str:
    """Say how a variable, or pieces, are written that have settings."""
    if at.facts.found != SETTINGS:
        return ""
    if at.section == "state":
        return shapes.variable(at.key, at.block, at.sides)
    if at.section == "setup" or at.section in STARTS:
        return shapes.piece(at.key, at.block, at.sides)
    if at.section == "hands" and at.key in at.sides:
        both = [(f"{at.key} {kind}", number) for kind, number in shapes.pairs(at.block)]
        listed = ", ".join(f"{kind}: {number}" for kind, number in both)
        return f"A side stands before the kind: `hands: {{{listed}}}`." if both else ""
    return ""


def _list(at: Place) -> str:
    """Say how the values of an option, or the parts of a set, are listed."""
    listing = re.match(r"\[([^\]]*)\]", at.behind)
    if at.facts.found != LIST or listing is None:
        return ""
    values = [value.strip() for value in listing[1].split(",")]
    if at.section in ("define", "regions"):
        return _listed(listing[1])
    if at.section == "teams":
        return f"Teams are told by their sides: `teams: {' and '.join(values)}, …`."
    if at.section == "board" and at.facts.subject == "points":
        places = ", ".join(f"{name}: {n} 0" for n, name in enumerate(values[:3]))
        return f"Each point has a place, across and up: `points: {{{places}, …}}`."
    if at.section == "board":
        if re.fullmatch(r"(?:[a-z]+ )*[a-z]+\(.*\).*", listing[1].strip()):
            return f"The board is one text: `board: {listing[1].strip()}`."
        return f"A line has its points with blanks between them: `{' '.join(values)}`."
    if at.section != "options":
        return ""
    listed = ", ".join(values)
    if at.key == "in":
        return f'What is allowed is one text: `in: "{listed}"`.'
    if {value.lower() for value in values} <= {"true", "false", "yes", "no"}:
        return f"An option of yes or no is its value: `{at.key}: no`."
    return f'Values are listed so: `{at.key}: {{default: {values[0]}, in: "{listed}"}}`.'


def _names(at: Place) -> str:
    """Say how the game, its sides and its phases are named."""
    subject = at.facts.subject
    name = re.search(r"\bname *: *([^,}\n]+)", at.block)
    if subject == "game" and name is not None:
        return (
            f"The game is its name alone, `game: {name[1].strip()}`; all else has a key beside it."
        )
    if subject == "players" and (names := shapes.sides(at.block)):
        return f"The sides are names alone: `players: {', '.join(names)}`."
    if subject == "phases" and (words := re.findall(r"\w+", at.words)):
        phases = ", ".join(f"{word}: {{turn: …}}" for word in words[:3])
        return f"Each phase is an entry with a turn: `phases: {{{phases}}}`."
    return ""


def _setup(at: Place) -> str:
    subject = at.facts.subject
    if subject == "rows" and at.facts.expected.startswith("rows"):
        return "Write `|` behind `rows:`, and the rows below it, deeper and without dashes."
    if subject != "setup":
        return ""
    if re.search(r"\b(?:empty|none|nothing)\b", at.words):
        return "A board is empty at the start if nothing is set up: leave `setup` out."
    lines = [line.strip().removeprefix("- ") for line in at.block.split("\n") if line.strip()]
    return shapes.placed(lines) or shapes.drawn(lines)


def _kinds_with_amounts(at: Place) -> str:
    """Say how kinds are listed of which it is said how many there are."""
    if at.section != "pieces" or not re.search(r"\b(?:one|two|three|\d+|\w+teen|an?)\b", at.block):
        return ""
    names = ", ".join(re.findall(r"\b[A-Z]\w*", at.block))
    told = "how many there are is told by `setup`, or by `hands`"
    return f"Kinds are names alone, `pieces: {names}`; {told}." if names else ""


def _variant(at: Place) -> str:
    if at.facts.subject == "variants" and "name:" in at.block:
        name = re.search(r"name: *(\w+)", at.block)
        return (
            "A variant is an entry under its name, with the sections that differ:"
            f" `{name[1] if name else 'fast'}: {{options: {{…}}}}`."
        )
    given = re.fullmatch(r"(\w+) ?[=:] ?(\w+)", at.words)
    if at.section != "variants" or given is None:
        return ""
    return f"A variant has sections: `{at.key}: {{options: {{{given[1]}: {given[2]}}}}}`."


def _moves_of_example(at: Place) -> str:
    """Say where the moves of an example stand that are written under `before` or `after`."""
    entry = re.fullmatch(r"-? *(?:before|after) *: *([^:{}]+)", at.line)
    if at.section != "examples" or entry is None:
        return ""
    return f"The moves that are made before it is looked stand under `play: {entry[1].strip()}`."


def _state_of_example(at: Place) -> str:
    """Say how an example gives values to sites or sides, where they stand under their variable."""
    entry = re.search(r"\bstate *: *\{.*?(\w+) *: *\{ *(\w+) *: *([^,{}]+)[,}]", at.line)
    if at.section != "examples" or entry is None:
        return ""
    named = f"{entry[1]}({entry[2]}): {entry[3].strip()}"
    return f"Each value has its site or side in its name: `{named}`."


_OF_SHAPES = (
    _moves_of_example,
    _state_of_example,
    _ends,
    _turn,
    _settings,
    _list,
    _names,
    _setup,
    _kinds_with_amounts,
    kinds,
    _variant,
)


def shape(at: Place) -> str:
    """Say in which shape an entry stands that has another one."""
    return next((hint for look in _OF_SHAPES if (hint := look(at))), "")


def clause_key(at: Place) -> str:
    """Say how a clause is written where its outcome is a key, and its condition the value."""
    if at.section not in ("end", "stuck", "goal"):
        return ""
    joins = re.fullmatch(r"(\w+) *: *(?:connects?|joins?) (\w+) (?:to|and|with) (\w+)", at.line)
    if joins is not None and joins[1] in at.sides:
        return (
            f"A clause begins with its outcome: `{joins[1]} wins when"
            f" joined({joins[2]}, {joins[3]}, adjacent, {joins[1]})`."
        )
    entry = re.fullmatch(
        r"(?:end *: *\{ *)?(draw|wins?|loses?|tie|stalemate) *: *([^{},]+?)[ }]*", at.line
    )
    if entry is None or re.search(r"\b(?:wins|loses|draw)\b", entry[2]):
        return ""
    return shapes.clause(f"{entry[1]}: {entry[2]}", at.reads_as_clause)


def described(at: Place) -> str:
    """Say that kinds of piece have no settings but traits."""
    return shapes.described(at.table, at.sides) if at.section == "pieces" else ""


def braced(at: Place) -> str:
    """Say how a set, or a list of numbers, is written that stands in braces."""
    listed = re.search(r": *\{([^:{}]+)\}", at.line)
    if at.section not in ("define", "regions", "state", "options") or listed is None:
        return ""
    return _listed(listed[1])


def _listed(text: str) -> str:
    made = re.fullmatch(r"\s*(\w+) for \1 in (.+?)(?: if (.+))?\s*", text)
    described = re.fullmatch(r"\s*(\w+) in (.+?) *(?:\||:|where|if|with) *(.+)", text)
    if described is not None:
        return (
            "A set by condition is"
            f" `sites {described[1]} in {described[2]} where {described[3].strip()}`."
        )
    if made is not None:
        among = "all" if made[2] in ("board", "sites", "cells", "squares") else made[2]
        return f"A set by condition is `sites {made[1]} in {among} where {made[3] or 'C'}`."
    parts = [part.strip() for part in text.split(",")]
    if all(part[:1].isdigit() for part in parts):
        return f"A list of numbers has parentheses: `({', '.join(parts)})`."
    return f"The parts of a set are joined: `{' | '.join(parts)}`."


def settings_of_word(at: Place) -> str:
    """Say how a word is defined whose definition has settings."""
    defined = re.search(
        r"(\w+(?:\([^()]*\))?) *: *\{ *(?:expr|expression|formula|value|returns?|body|set|rule) *:"
        r" *([^{}]+)\}",
        at.line,
    )
    if at.section not in ("define", "regions", "relations") or defined is None:
        return ""
    return f"A definition is the expression alone: `{defined[1]}: {defined[2].strip()}`."


def without_pieces(at: Place) -> str:
    """Say how a game without pieces is written."""
    if at.section != "pieces" or at.words.lower() not in ("none", "no", "nothing", "empty"):
        return ""
    return "A game in which no pieces are named has no `pieces`: leave the line out."


def kind_first(at: Place) -> str:
    """Say how pieces are set up that are listed by side, without a colon behind the kind."""
    if at.section != "setup" and at.section not in STARTS:
        return ""
    side = re.search(r"(\w+) *: *\n[^:]*$", at.above)
    piece = re.fullmatch(r"([A-Z]\w*) +([a-z]+\d+.*)", at.line)
    if side is None or piece is None or side[1] not in at.sides:
        return ""
    return f"The side stands before the kind: `{side[1]} {piece[1]}: {piece[2]}`."


def of_display(at: Place) -> str:
    """Say where the sign of a piece is said."""
    if at.facts.of != "a display":
        return ""
    sign = re.match(r"([A-Z]\w*(?: [A-Z]\w*)?) *: *(\S+)", at.behind)
    if sign is None:
        return ""
    piece = f"{sign[1]} {at.kind}" if sign[1] in at.sides else "SIDE KIND"
    return f"The sign of a piece is one of `symbols`, as in `symbols: {{{piece}: X}}`."


def listed_in_setup(at: Place) -> str:
    """Say how pieces are set up that are listed in a sentence for each side."""
    side = re.match(r"(\w+) *: *(.*)", at.line)
    if at.section != "setup" or side is None or side[1] not in at.sides:
        return ""
    listed = re.findall(
        r"([A-Z]\w*) (?:on|at|in) (?:the )?([^,]+?)(?= *(?:,|$| and [A-Z]))", side[2]
    )
    if not listed:
        return ""
    both = ", ".join(f"`{side[1]} {kind}: {lines(sites) or sites}`" for kind, sites in listed)
    return f"A piece and its sites are an entry each: {both}."


def site_first(at: Place) -> str:
    """Say how pieces are set up where the site stands first."""
    if at.section != "setup":
        return ""
    stretch = re.search(r"[a-z]+(\d+)(?:-|\.\.)[a-z]+\1 *: *([A-Z]\w* [A-Z]\w*)\b", at.line)
    if stretch is not None:
        return f"The piece stands before its sites: `{stretch[2]}: rows({stretch[1]})`."
    entry = re.search(r"\b([a-z]+\d+) *: *([A-Z]\w* [A-Z]\w*)\b", at.line)
    return f"The piece stands before its sites: `{entry[2]}: {entry[1]}`." if entry else ""


# ------------------------------------------------------------------------------------ slips of keys

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
