"""What may stand in a game file, as one table.

In: the tree of one file. Out: diagnostics about keys and shapes (see `gdl.document.shape`), and the
tree without what is wrong. To give the language a new setting, add one line here.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.codes import Code
from gdl.diagnostic import Report
from gdl.document.nodes import Mapping, Scalar
from gdl.document.shape import (
    Entries,
    Listing,
    OneOf,
    OneWord,
    Picture,
    Prose,
    Settings,
    Shape,
    Symbol,
    Verbatim,
    check,
)

_NAMES = Verbatim("names with commas between them")
_PROGRAM = Verbatim("the steps of a turn, one a line")
_NAMES_TO_REMOVE = Verbatim("sections or their entries, as in `options size`")
_CAPTION = Prose("a short text for players")
_CAPTIONS = dict.fromkeys(("say", "said", "about", "caption", "text"), "says")
_CELLS = Entries(OneOf((Verbatim(), Entries(Verbatim()))), "a table")
_PATH = Verbatim("names of sites, each of which leads to the next")
_TABLE = Entries(
    OneOf((Verbatim(), _CELLS)),
    "a table",
    special={"rows": Picture(), "path": OneOf((_PATH, Listing(_PATH, "a list of paths")))},
)
_WORD = Settings(
    "a definition",
    {"is": OneOf((Verbatim(), _TABLE)), "says": _CAPTION},
    required=("is",),
    meant=_CAPTIONS,
    sign="says",
)
_WORDS = Entries(OneOf((Verbatim(), _TABLE, _WORD)))
_CLAUSE = OneOf(
    (
        Verbatim("a clause"),
        Settings(
            "a clause",
            {"clause": Verbatim("a clause"), "says": _CAPTION},
            required=("clause",),
            meant=_CAPTIONS,
            sign="says",
        ),
    )
)
_CLAUSES = OneOf(
    (*_CLAUSE.shapes, Entries(_CLAUSE, words=True), Listing(_CLAUSE, "a list of clauses"))
)
_TURN = OneOf((_PROGRAM, Entries(_PROGRAM, "a table of programs", words=True)))
_MOVES = OneOf(
    (
        Verbatim("moves with commas between them", may_be_empty=True),
        Listing(Verbatim("a move"), "a list of moves"),
    )
)
_CREDIT = OneOf((Prose(), Listing(Prose(), "a list of texts")))

_OPTION = Settings(
    "an option",
    {"default": Verbatim("a value"), "in": Verbatim("the allowed values"), "about": Prose()},
    required=("default",),
)

_BOARD = Settings(
    "a board",
    {
        "points": OneOf(
            (Verbatim("names of points"), Entries(Verbatim("a position such as `0 3`")))
        ),
        "lines": Listing(Verbatim("names of points in a row"), "a list of lines"),
        "sites": Verbatim("`vertices`, `edges`, or `vertices and edges`"),
    },
    required=("points",),
)

_PHASE = Settings(
    "a phase",
    {
        "seat": Verbatim("a seat"),
        "together": _PROGRAM,
        "turn": _TURN,
        "swap": Verbatim("when a side may swap seats instead of its turn"),
        "stuck": _CLAUSES,
        "end": _CLAUSES,
    },
)

_DISPLAY = Settings(
    "a display",
    {
        "symbols": Entries(Symbol()),
        "scores": Verbatim("a number for each side"),
        "style": OneWord(("cells", "points", "arcs")),
        "numbered": OneWord(("yes", "no")),
        "colours": Entries(Verbatim("a set of sites")),
        "signs": Entries(Verbatim("a set of sites")),
        "lines": Entries(Verbatim("a relation")),
        "arrows": Entries(Verbatim("a relation")),
        "borders": Entries(Verbatim("a relation")),
        "bridges": Entries(Verbatim("a relation")),
        "loops": Entries(Verbatim("a relation")),
        "gaps": Entries(Verbatim("a relation")),
        "fields": Entries(Verbatim("a set of sites")),
        "places": Entries(Prose("the name of a place")),
        "numbers": Entries(Verbatim("a number of a site")),
        "cards": Entries(Verbatim("relations by name")),
        "figures": Entries(Prose("the name of a figure, perhaps with letters")),
        "captions": Entries(
            Prose("a text, in which {} is the value; what a piece does, or what a condition means")
        ),
        "prompts": Entries(_CAPTION),
        "phases": Entries(_CAPTION),
    },
)

_LETTERS = Entries(Prose("a letter"))
_WRITTEN_POSITION = Settings(
    "a notation of positions",
    {
        "fields": Prose("the parts of a text, as `{rows} {mover}`"),
        "letters": _LETTERS,
        "movers": Prose("a letter for each side"),
        "signs": Entries(Entries(Prose("a sign"))),
        "marks": Entries(Prose("a text, in which {} is the letter")),
    },
    required=("fields",),
)
_FORMS = Verbatim("how moves are written, a form a line")
_NOTATION = Entries(
    OneOf(
        (
            _FORMS,
            Settings(
                "a notation",
                {
                    "moves": _FORMS,
                    "sites": Verbatim("how sites are called, as `letters, numbers from top`"),
                    "letters": _LETTERS,
                    "words": _LETTERS,
                    "check": Verbatim("when the side on turn is in check"),
                    "agreed": Verbatim("when the players of a game that has ended agree who won"),
                    "skips": Prose("texts for a turn that is left out"),
                    "mirrors": Prose(
                        "texts for a swap after which records have the board mirrored"
                    ),
                    "sides": Entries(Prose("a text, in which {} is the letter")),
                    "directions": Entries(Prose("a sign, perhaps with {} for a piece")),
                    "unsaid": Prose("words that are left out where another side goes on"),
                    "effects": _FORMS,
                    "position": _WRITTEN_POSITION,
                    "tags": Entries(Prose("values with commas between them")),
                    "options": Entries(Prose("options, perhaps with `=` and a value")),
                },
            ),
        )
    ),
    "notations, each by its name",
    special={"letters": _LETTERS},
)

_SEES = Settings(
    "what a side sees",
    {
        "pieces": Verbatim("a set of sites"),
        "kinds": Verbatim("a set of sites"),
        "values": OneOf((Verbatim("a value"), Listing(Verbatim("a value"), "a list of values"))),
        "moves": Verbatim("whether moves of others are told"),
    },
)

_SETUP = Entries(Verbatim(), special={"rows": Picture()})

_RULES: dict[str, Shape] = {
    "options": Entries(OneOf((Verbatim("a default value"), _OPTION))),
    "players": _NAMES,
    "teams": Verbatim("sides that win together, as `A and C, B and D`"),
    "board": OneOf((Verbatim("a board such as `square(8, 8)`"), _BOARD)),
    "relations": _WORDS,
    "regions": _WORDS,
    "pieces": OneOf((_NAMES, Entries(OneOf((Verbatim(may_be_empty=True), Entries(Verbatim())))))),
    "stacks": Verbatim("how many pieces a pile may have, as `12`"),
    "hands": OneOf((_NAMES, Entries(Verbatim("how many there are at the start")))),
    "state": Entries(Verbatim()),
    "define": _WORDS,
    "actions": Entries(_PROGRAM),
    "setup": _SETUP,
    "together": _PROGRAM,
    "turn": _TURN,
    "swap": Verbatim("when a side may swap seats instead of its turn"),
    "phases": Entries(OneOf((_PROGRAM, _PHASE))),
    "stuck": _CLAUSES,
    "end": _CLAUSES,
    "sees": _SEES,
    "display": _DISPLAY,
    "notation": _NOTATION,
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

_MEANT = {
    **dict.fromkeys(("start", "initial", "position", "init"), "setup"),
    **dict.fromkeys(("goal", "win", "ends", "result", "ending"), "end"),
    **dict.fromkeys(("move", "moves", "play", "turns"), "turn"),
    **dict.fromkeys(("sides", "colours", "colors"), "players"),
    **dict.fromkeys(("kinds", "piece", "men"), "pieces"),
    **dict.fromkeys(("definitions", "functions", "let"), "define"),
    **dict.fromkeys(("variables", "vars", "counters"), "state"),
    **dict.fromkeys(("stack", "piles", "stacking"), "stacks"),
    **dict.fromkeys(("hand", "reserve", "reserves", "supply"), "hands"),
    **dict.fromkeys(("name", "title"), "game"),
    **dict.fromkeys(("tests", "positions"), "examples"),
    **dict.fromkeys(("description", "summary"), "about"),
}
"""Settings as others call them, each with its name here."""
_VARIANT = Settings("a variant", {**_CREDITS, **_RULES}, meant=_MEANT)

_CHECKS: dict[str, Shape] = {
    "name": Prose(),
    "about": Prose(),
    "play": _MOVES,
    "legal": _MOVES,
    "illegal": _MOVES,
    "only": _MOVES,
    "count": Verbatim("a number"),
    "winner": Verbatim("a side"),
    "payoffs": Entries(Verbatim("a number")),
    "board": Picture(),
    "values": Entries(Verbatim("a value")),
    "to_move": Verbatim("a side"),
    "stuck": Verbatim(),
    "sees": Entries(OneOf((Picture(), Entries(Verbatim("a value"), special={"board": Picture()})))),
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
        "options": Entries(Verbatim("a value")),
        "variant": _NAMES,
        "variants": _NAMES,
        "rows": Picture(),
        "setup": _SETUP,
        "state": Entries(Verbatim("a value")),
        "mover": Verbatim("a side"),
        "phase": Verbatim("a phase"),
        "seats": _NAMES,
        "turns": Verbatim("a number"),
        "passed": Verbatim("a number"),
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
        "language": Verbatim("the version of the language, as `1`"),
        "also": OneOf((Prose("names with commas between them"), Listing(Prose("a name")))),
        "extends": Prose("the name of a game"),
        **_CREDITS,
        **_RULES,
        "variants": Entries(_VARIANT),
        "examples": Listing(_EXAMPLE, "a list of examples"),
        "fine": OneOf((Prose("codes with commas between them"), Listing(Prose("a code")))),
    },
    required=("game",),
    meant=_MEANT,
)
_EXTENSION = replace(_GAME, required=())

VERSIONS = ("1",)
"""The versions of the language that this program reads."""


def is_of_a_known_version(document: Mapping, report: Report) -> bool:
    """Return whether a file says nothing of its version, or one that is read; report another."""
    said = document.get("language")
    if not isinstance(said, Scalar) or said.text.strip() in VERSIONS:
        return True
    report.error(
        Code.LANGUAGE_VERSION,
        f"This program does not read version {said.text.strip() or 'nothing'} of the language.",
        said.span,
        f"It reads {' and '.join(VERSIONS)}: write `language: {VERSIONS[-1]}`, or use a program"
        " that reads the other.",
    )
    return False


def check_shape(document: Mapping, report: Report) -> Mapping:
    """Report each key that one file's tree should not have, lacks, or gives a wrong kind of value.

    Returns the tree without them. A file with `extends` may lack `game`.
    """
    shape = _GAME if document.get("extends") is None else _EXTENSION
    kept = check(document, shape, "A game", report)
    assert isinstance(kept, Mapping), "the whole of a game is kept"
    return kept
