"""What may stand in a game file, as one table.

In: the tree of one file. Out: diagnostics about keys and shapes (see `gdl.document.shape`). To
give the language a new setting, add one line here.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.diagnostic import Report
from gdl.document.nodes import Mapping
from gdl.document.shape import (
    Choice,
    Code,
    Listing,
    OneOf,
    Picture,
    Prose,
    Settings,
    Shape,
    Symbol,
    Table,
    check,
)

_NAMES = Code("names with commas between them")
_PROGRAM = Code("the steps of a turn, one a line")
_NAMES_TO_REMOVE = Code("sections or their entries, as in `options size`")
_CAPTION = Prose("a short text for players")
_CELLS = Table(OneOf((Code(), Table(Code()))), "a table")
_PATH = Code("names of sites, each of which leads to the next")
_TABLE = Table(
    OneOf((Code(), _CELLS)),
    "a table",
    special={"rows": Picture(), "path": OneOf((_PATH, Listing(_PATH, "a list of paths")))},
)
_WORD = Settings(
    "a definition",
    {"is": OneOf((Code(), _TABLE)), "says": _CAPTION},
    required=("is",),
    sign="says",
)
_WORDS = Table(OneOf((Code(), _TABLE, _WORD)))
_CLAUSE = OneOf(
    (
        Code("a clause"),
        Settings(
            "a clause",
            {"clause": Code("a clause"), "says": _CAPTION},
            required=("clause",),
            sign="says",
        ),
    )
)
_CLAUSES = OneOf(
    (*_CLAUSE.shapes, Table(_CLAUSE, words=True), Listing(_CLAUSE, "a list of clauses"))
)
_TURN = OneOf((_PROGRAM, Table(_PROGRAM, "a table of programs", words=True)))
_MOVES = OneOf(
    (
        Code("moves with commas between them", may_be_empty=True),
        Listing(Code("a move"), "a list of moves"),
    )
)
_CREDIT = OneOf((Prose(), Listing(Prose(), "a list of texts")))

_OPTION = Settings(
    "an option",
    {"default": Code("a value"), "in": Code("the allowed values"), "about": Prose()},
    required=("default",),
)

_BOARD = Settings(
    "a board",
    {
        "points": OneOf((Code("names of points"), Table(Code("a position such as `0 3`")))),
        "lines": Listing(Code("names of points in a row"), "a list of lines"),
        "sites": Code("`vertices`, `edges`, or `vertices and edges`"),
    },
    required=("points",),
)

_PHASE = Settings(
    "a phase",
    {
        "seat": Code("a seat"),
        "together": _PROGRAM,
        "turn": _TURN,
        "swap": Code("when a side may swap seats instead of its turn"),
        "stuck": _CLAUSES,
        "end": _CLAUSES,
    },
)

_DISPLAY = Settings(
    "a display",
    {
        "symbols": Table(Symbol()),
        "scores": Code("a number for each side"),
        "style": Choice(("cells", "points", "arcs")),
        "numbered": Choice(("yes", "no")),
        "colours": Table(Code("a set of sites")),
        "signs": Table(Code("a set of sites")),
        "lines": Table(Code("a relation")),
        "arrows": Table(Code("a relation")),
        "borders": Table(Code("a relation")),
        "figures": Table(Prose("the name of a figure, perhaps with letters")),
        "captions": Table(Prose("a text, in which {} is the value")),
        "prompts": Table(_CAPTION),
        "phases": Table(_CAPTION),
    },
)

_SEES = Settings(
    "what a side sees",
    {
        "pieces": Code("a set of sites"),
        "kinds": Code("a set of sites"),
        "values": OneOf((Code("a value"), Listing(Code("a value"), "a list of values"))),
        "moves": Code("whether moves of others are told"),
    },
)

_SETUP = Table(Code(), special={"rows": Picture()})

_RULES: dict[str, Shape] = {
    "options": Table(OneOf((Code("a default value"), _OPTION))),
    "players": _NAMES,
    "teams": Code("sides that win together, as `A and C, B and D`"),
    "board": OneOf((Code("a board such as `square(8, 8)`"), _BOARD)),
    "relations": _WORDS,
    "regions": _WORDS,
    "pieces": OneOf((_NAMES, Table(OneOf((Code(may_be_empty=True), Table(Code())))))),
    "stacks": Code("how many pieces a pile may have, as `12`"),
    "hands": OneOf((_NAMES, Table(Code("how many there are at the start")))),
    "state": Table(Code()),
    "define": _WORDS,
    "actions": Table(_PROGRAM),
    "setup": _SETUP,
    "together": _PROGRAM,
    "turn": _TURN,
    "swap": Code("when a side may swap seats instead of its turn"),
    "phases": Table(OneOf((_PROGRAM, _PHASE))),
    "stuck": _CLAUSES,
    "end": _CLAUSES,
    "sees": _SEES,
    "display": _DISPLAY,
    "removes": OneOf((_NAMES_TO_REMOVE, Listing(_NAMES_TO_REMOVE, "a list of entries"))),
}
"""What a variant may change."""

_CREDITS: dict[str, Shape] = {
    "author": _CREDIT,
    "year": Prose(),
    "source": _CREDIT,
    "about": Prose(),
    "rules": Prose(),
    "family": Prose(),
}

_VARIANT = Settings("a variant", {**_CREDITS, **_RULES})

_CHECKS: dict[str, Shape] = {
    "name": Prose(),
    "about": Prose(),
    "play": _MOVES,
    "legal": _MOVES,
    "illegal": _MOVES,
    "only": _MOVES,
    "count": Code("a number"),
    "winner": Code("a side"),
    "payoffs": Table(Code("a number")),
    "board": Picture(),
    "values": Table(Code("a value")),
    "to_move": Code("a side"),
    "stuck": Code(),
    "sees": Table(OneOf((Picture(), Table(Code("a value"), special={"board": Picture()})))),
}
"""What an example says of a position, and which moves lead to it."""

_MOMENTS: dict[str, Shape] = {
    "before": Settings("a check", {k: v for k, v in _CHECKS.items() if k != "play"}),
    "after": Settings("a check", {k: v for k, v in _CHECKS.items() if k != "play"}),
}
_FURTHER = Listing(Settings("a further check", {**_CHECKS, **_MOMENTS}), "a list of further checks")
_FROM_HERE = Listing(
    Settings("a further check", {**_CHECKS, **_MOMENTS, "then": _FURTHER}),
    "a list of further checks",
)

_EXAMPLE = Settings(
    "an example",
    {
        "options": Table(Code("a value")),
        "variant": _NAMES,
        "variants": _NAMES,
        "rows": Picture(),
        "setup": _SETUP,
        "state": Table(Code("a value")),
        "mover": Code("a side"),
        "phase": Code("a phase"),
        "seats": _NAMES,
        "turns": Code("a number"),
        "passed": Code("a number"),
        **_CHECKS,
        **_MOMENTS,
        "then": _FURTHER,
        "cases": _FROM_HERE,
    },
)

_GAME = Settings(
    "a game",
    {
        "game": Prose("a name"),
        "also": OneOf((Prose("names with commas between them"), Listing(Prose("a name")))),
        "extends": Prose("the name of a game"),
        **_CREDITS,
        **_RULES,
        "variants": Table(_VARIANT),
        "examples": Listing(_EXAMPLE, "a list of examples"),
        "fine": OneOf((Prose("codes with commas between them"), Listing(Prose("a code")))),
    },
    required=("game",),
    meant={
        **dict.fromkeys(("start", "initial", "position"), "setup"),
        **dict.fromkeys(("goal", "win", "ends", "result"), "end"),
        **dict.fromkeys(("move", "moves", "play", "turns"), "turn"),
        **dict.fromkeys(("sides", "colours", "colors"), "players"),
        **dict.fromkeys(("kinds", "piece", "men"), "pieces"),
        **dict.fromkeys(("definitions", "functions", "let"), "define"),
        **dict.fromkeys(("variables", "counters"), "state"),
        **dict.fromkeys(("stack", "piles", "stacking"), "stacks"),
        **dict.fromkeys(("hand", "reserve", "reserves", "supply"), "hands"),
        **dict.fromkeys(("name", "title"), "game"),
        **dict.fromkeys(("tests", "positions"), "examples"),
        **dict.fromkeys(("description", "summary"), "about"),
    },
)
_EXTENSION = replace(_GAME, required=())


def check_shape(document: Mapping, report: Report) -> None:
    """Report each key that one file's tree should not have, lacks, or gives a wrong kind of value.

    A file with `extends` may lack `game`.
    """
    check(document, _GAME if document.get("extends") is None else _EXTENSION, "A game", report)
