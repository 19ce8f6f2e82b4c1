"""Slips of sections: variables, options and sets of sites as others write them."""

from __future__ import annotations

import re

from gdl.syntax.slips.ends import CLAUSES, STUCK
from gdl.syntax.slips.patterns import SITES, WORD, Slip, slip
from gdl.syntax.slips.sets import SETS

# ---------------------------------------------------------------------------------- slips of boards

_SIZE = r"(\d+|[A-Za-z_]\w*)"
_BY = r" ?(?:[xX×*,;/]| by | ) ?"
_SQUARE = r"(?:square|grid|board|rectangle|rectangular|rect|chessboard)"
_SHAPED = (
    r"(?:hex|square|triangles)"
    r" (?:rhombus|hexagon|triangle|rectangle|star|endless|diamond)"
)
_ROWS = "Columns come first, then rows."
_CHANGES = r"((?: wrapping .+| without .+| rows from .+)?)"

BOARD = (
    slip(
        rf"(\d+){_BY}(\d+),? (?:on |with )?(?:only )?(?:the )?(dark|light) (?:squares|cells)"
        r"(?: only)?",
        lambda m: f"square({m[1]}, {m[2]}) without {'light' if m[3] == 'dark' else 'dark'}",
        "Sites are left out by `without S`.",
    ),
    slip(
        r"hex\w*(?: board| grid)?,? (?:with|of) (\d+)(?: cells| hexes| hexagons)?"
        r" (?:per|a|on a|on each|along each|to a) side",
        r"hex hexagon(\1)",
        "",
    ),
    slip(rf"(?:an? )?(?:grid|board|square) of (\d+){_BY}(\d+)(?: \w+)?", r"square(\1, \2)", ""),
    slip(
        r"(?:none|no|no board|nothing|null|empty)",
        "square(1, 1)",
        "A game that needs no board has one of a single site.",
    ),
    slip(
        rf"(?:{_SQUARE} )?\(?(\d+){_BY}(\d+)\)?(?: (?:board|grid|squares?|cells))?{_CHANGES}",
        r"square(\1, \2)\3",
        "",
    ),
    slip(
        rf"{_SQUARE} ?[(\[]{_SIZE}{_BY}{_SIZE}[)\]]{_CHANGES}",
        r"square(\1, \2)\3",
        "",
    ),
    slip(
        r"(.+\)),? (?:wrap|wraps|wrapped|wrapping)(?: around)? (.+)",
        r"\1 wrapping \2",
        "Changes follow the sizes, without a comma.",
    ),
    slip(
        r"(.+\)),? ?(?:without|minus|except|excluding|-) ?(.+)",
        lambda m: f"{m[1]} without {' | '.join(re.split(r',? and |, ', m[2]))}",
        "Sites are left out by `without S`.",
    ),
    slip(
        r"(.+\)),? with (?:the |all )?(?:diagonals?|diagonal (?:lines|moves|adjacency))",
        r"\1",
        "Which sites are next to one another is for the rules to say, by `orthogonal(s)`,"
        " `diagonal(s)` or `compass(s)`.",
    ),
    slip(
        r"(.+\)),? (?:where|with|if|when|only|for which) (.*[=<>].*|.*\b(?:row|column)\b.*)",
        "",
        "Sites are left out by `without S`, as in `without light`, `without a1 | a2` or `without"
        " sites s in all where C`.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)),? (?:only )?(?:the )?(dark|light)(?: (?:squares|cells))?"
        r"(?: only)?",
        lambda m: f"{m[1]} without {'light' if m[2] == 'dark' else 'dark'}",
        "Sites are left out by `without S`.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)),? (?:with |and )?(?:walls|fences)"
        r"(?: (?:on|along|between) (?:the )?(?:edges|cells|squares))?",
        r"cells and edges of \1",
        "Walls stand on sites of their own, the edges between cells.",
    ),
    slip(
        r"(?:a )?(?:ring|circle|loop|circular track|round track)(?: of | ?\( ?)(\d+)(?: \w+| ?\))?",
        r"square(\1, 1) wrapping columns",
        "A ring is a row that goes round.",
    ),
    slip(
        r"(?:a )?(?:track|path|strip|line|row)(?: of | ?\( ?)(\d+)(?: \w+| ?\))?",
        r"square(\1, 1)",
        _ROWS,
    ),
    slip(
        rf"mancala(?: board)? ?\( ?(\d+){_BY}(\d+) ?\).*",
        r"square(\1, \2)",
        "Pits are cells, with as many seeds as a `number per site` says; a store is a number of"
        " each side, as in `state: {store(players): number}`.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)|{_SHAPED} ?\(.+\)) (?:on |of |with )?(?:the )?"
        r"(?:cells|squares|tiles|hexes|hexagons|triangles|fields)",
        r"\1",
        "The sites of a board are its cells, unless others are named.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)|{_SHAPED} ?\(.+\)) (?:on |of |with )?(?:the )?"
        r"(?:points|intersections|crossings)",
        r"\1",
        "A game on crossings of lines has cells, too: `display: {style: points}` draws them so.",
    ),
    slip(
        rf"({_SQUARE} ?\(.+\)|{_SHAPED} ?\(.+\)) (?:on |of |with )?(?:the )?"
        r"(edges|vertices|cells and vertices|vertices and edges)",
        r"\2 of \1",
        "The kind of sites stands first.",
    ),
    slip(
        rf"{_SQUARE} ?\((?:columns?|width|w|cols?) ?[=:]? ?{_SIZE},"
        rf" ?(?:rows?|height|h) ?[=:]? ?{_SIZE}\)",
        r"square(\1, \2)",
        "",
    ),
    slip(rf"torus ?\({_SIZE}, ?{_SIZE}\)", r"square(\1, \2) wrapping columns and rows", ""),
    slip(
        r"triang(?:le|ular) ?\((\d+)\)",
        "",
        r"`hex triangle(\1)` is made of hexagons, `triangles triangle(\1)` of triangles.",
    ),
    slip(rf"(?:{_SQUARE} ?)?[(\[]?(\d+)[)\]]?", r"square(\1, \1)", _ROWS),
    slip(rf"{_SQUARE} ?[(\[]{_SIZE}[)\]]", r"square(\1, \1)", _ROWS),
    slip(r"rows:? (\d+),? (?:and )?columns:? (\d+)", r"square(\2, \1)", _ROWS),
    slip(r"columns:? (\d+),? (?:and )?rows:? (\d+)", r"square(\1, \2)", _ROWS),
    slip(r"(\d+) rows,? (?:and )?(\d+) columns", r"square(\2, \1)", _ROWS),
    slip(r"(\d+) columns,? (?:and )?(\d+) rows", r"square(\1, \2)", _ROWS),
    slip(r"(?:hex(?:agon|hex)?|hexagonal) ?[(\[]?(\d+)[)\]]?", r"hex hexagon(\1)", ""),
    slip(rf"(?:hex(?:agon|hex)?|hexagonal) ?[(\[]{_SIZE}[)\]]", r"hex hexagon(\1)", ""),
    slip(
        rf"(?:hex(?:agonal|agon)?s? )?(\d+){_BY}(\d+) (?:hex(?:agonal|agons?)? ?)?"
        rf"(?:rhombus|parallelogram|hex\w*)(?: board| grid)?",
        r"hex rhombus(\1, \2)",
        "",
    ),
    slip(rf"(?:hex|rhombus) ?[(\[]?(\d+){_BY}(\d+)[)\]]?", r"hex rhombus(\1, \2)", ""),
    slip(rf"({_SHAPED})[\s(\[]+(\d+)[)\]]?", r"\1(\2)", "Sizes stand in parentheses."),
    slip(
        rf"({_SHAPED})[\s(\[]+(\d+){_BY}(\d+)[)\]]?",
        r"\1(\2, \3)",
        "Sizes stand in parentheses.",
    ),
    slip(
        r".+",
        "",
        "A board has its sizes in parentheses, as in `square(8, 8)` or `hex hexagon(5)`; any other"
        " graph is `board: {points: …, lines: …}`.",
    ),
)
"""Boards by their sizes."""


_DECLARED = "A variable has a type, its bounds after `in`, its first value after `=`."
_PER_SITE = "A variable of one number a site has `per site`."
_DIE = (
    "A die is a number that chance chooses, in a phase with `seat: nobody`: here it is"
    " `number in 0..6`."
)
_OPTION = "An option is its value, and after `in` what is allowed."
_BOUNDS = "Bounds are a range, as in `0..9`."
_FLAGS = {"true": "yes", "false": "no"}

TYPES = {
    "int": "number",
    "integer": "number",
    "num": "number",
    "long": "number",
    "counter": "number",
    "count": "number",
    "score": "number",
    "float": "fraction",
    "double": "fraction",
    "decimal": "fraction",
    "bool": "flag",
    "boolean": "flag",
    "set": "sites",
    "site": "sites",
    "cell": "sites",
    "region": "sites",
    "player": "side",
    "players": "side",
    "piece": "kind",
    "colour": "side",
    "color": "side",
}
"""Words of other languages for the types of this one."""


def _flag(word: str) -> str:
    return _FLAGS.get(word.lower(), word)


def _typed(found: re.Match[str]) -> str:
    """Write a declaration in words of other languages in those of this one."""
    word, rest = TYPES.get(found[1].lower(), found[1]), found[2]
    return word + re.sub(r"\b(?:[Tt]rue|[Ff]alse)\b", lambda m: _flag(m[0]), rest)


_SITE = r"(?:sites?|cells?|squares?|spaces?|points?|fields?|pits?|holes?|vertex|vertices)"

DECLARATIONS = (
    slip(
        r"(number|int|integer)((?: in .+?)?) ?= ?(?:[Nn]one|null|nil|empty|nothing)",
        r"number\2 = 0",
        "A number always has a value, at first 0 if nothing is said.",
    ),
    slip(
        rf"(?:number|int|integer)s? ?(?:for |on |at |in |of |per )?(?:each |every |all )?"
        rf"(?:the )?{_SITE}((?: in .+?)?)((?: ?= ?.+)?)",
        r"number per site\1\2",
        _PER_SITE,
    ),
    slip(
        rf"(?:number|int|integer) (in .+?) (?:per|for each|on each) {_SITE}((?: ?= ?.+)?)",
        r"number per site \1\2",
        _PER_SITE,
    ),
    slip(
        rf"(\d+) (?:per|in|on|at|for) (?:each |every |all )?{_SITE}",
        r"number per site = \1",
        _PER_SITE,
    ),
    slip(rf"{_SITE} ?(?:->|=>|to) ?(?:number|int|integer)", "number per site", _PER_SITE),
    slip(r"(?:dice|die|d6|random)\b.*", "", _DIE),
    slip(
        r"(?:hidden|secret|private|public|visible|open) (.+)",
        r"\1",
        "What a side sees of it is said by `sees`.",
    ),
    slip(r"=? ?(-?\d+)", r"number = \1", _DECLARED),
    slip(r"=? ?(\d+\.\d+)", r"fraction = \1", _DECLARED),
    slip(r"=? ?(yes|no)", r"flag = \1", _DECLARED),
    slip(r"=? ?(?:([Tt]rue)|[Ff]alse)", lambda m: f"flag = {'yes' if m[1] else 'no'}", _DECLARED),
    slip(r"(?:number ?=? ?)?(-?\d+) in (.+)", r"number in \2 = \1", _DECLARED),
    slip(
        r"(?:number ?=? ?)?(\d+)[,;]? (?:from|between) (\w+) (?:to|and) (\w+)",
        r"number in \2..\3 = \1",
        _DECLARED,
    ),
    slip(r"in (.+)", r"number in \1", _DECLARED),
    slip(r"number,? ?=? ?[(\[]?(\d+) ?(?:\.\.|to|-) ?(\w+)[)\]]?", r"number in \1..\2", _DECLARED),
    slip(
        r"number,? (?:start(?:s|ing)?(?: at| with| from)?|default|initial(?:ly)?) (\d+)",
        r"number = \1",
        _DECLARED,
    ),
    slip(r"number ?>= ?(\d+)", r"number in \1..99", _BOUNDS),
    slip(r"number (?:<=|max|up to|at most) ?(\d+)", r"number in 0..\1", _BOUNDS),
    slip(r"(?:yes ?/ ?no|yes or no|flag in .+)", "flag", "A flag is yes or no."),
    slip(r"sites = (?:\[ ?\]|\{ ?\}|\( ?\))", "sites", "A set begins with no sites."),
    slip(
        r"sites = (\w+(?:, ?\w+)+)",
        lambda m: f"sites = {' | '.join(re.split(', ?', m[1]))}",
        SITES,
    ),
    slip(
        rf"(?:name )?(?:in )?(?:\((?=.*\)))?({WORD}(?:(?: ?[,|/] ?| or ){WORD})+)\)?",
        lambda m: f"name in ({', '.join(re.split(r' or |[ ,|/]+', m[1]))})",
        "A variable of names lists them.",
    ),
    slip(
        r"(?:number ?=? ?)?((\w+)\.\.\w+)",
        lambda m: f"number in {m[1]}{f' = {m[2]}' if m[2].isdigit() and m[2] != '0' else ''}",
        _DECLARED,
    ),
    slip(
        rf"({WORD}) ?[(\[](?:each |per )?(?:players?|sides?)[)\]]",
        "",
        r"A variable for each side has an index: `NAME(players): \1`.",
    ),
    slip(r"number (\d+)", r"number = \1", _DECLARED),
    slip(
        rf"({WORD}) (?:in )?(?:from |between |in )?(\d+) ?(?:to|and|-|until|,|\.) ?(\d+)( ?=.*)?",
        lambda m: f"{TYPES.get(m[1].lower(), m[1])} in {m[2]}..{m[3]}{m[4] or ''}",
        _BOUNDS,
    ),
    slip(
        rf"({WORD}) in [\[(](\w+), ?(\w+)[\])]( ?=.*)?",
        lambda m: f"{TYPES.get(m[1].lower(), m[1])} in {m[2]}..{m[3]}{m[4] or ''}",
        _BOUNDS,
    ),
    slip(r"(.+?) ?:= ?(.+)", r"\1 = \2", ""),
    slip(
        rf"({WORD}) (?:for each|for every|per|for|each) (?:player|side)s?",
        "",
        r"A variable for each side has an index: `NAME(players): \1`.",
    ),
    slip(
        r"(?:string|str|text|char|enum)\b.*",
        "",
        "A variable of names lists them: `name in (idle, busy)`.",
    ),
    slip(
        r"(?:list|array|dict|map|table|object|tuple)\b.*",
        "",
        "A value for each side is `NAME(players): number`, one for each site `number per site`.",
    ),
    slip(
        rf"(?:name )?(?:in )?\(({WORD}(?: {WORD})+)\)",
        lambda m: f"name in ({', '.join(m[1].split())})",
        "A variable of names lists them.",
    ),
    slip(
        r"(?:positive|whole|natural) number",
        "",
        "A number is whole; its bounds follow `in`, as in `number in 0..99`.",
    ),
    slip(rf"({WORD})\b(.*)", _typed, ""),
)
"""What stands after the name of a variable under `state`."""

OPTIONS = (
    slip(r"(\w+) in [\[({](.+)[\])}]", r"\1 in \2", _OPTION),
    slip(
        r"(\w+)((?:(?:, ?| or |/)\w+)+)",
        "",
        r'Values are listed so: `{default: \1, in: "\g<0>"}`.',
    ),
    slip(r"[Tt]rue", "yes", ""),
    slip(r"[Ff]alse", "no", ""),
    slip(r"(?:yes or no|no or yes|yes, no|no, yes|flag|bool|boolean)", "no", _OPTION),
    slip(r"(\w+)\.\.(\w+)", r"\1 in \1..\2", _OPTION),
    slip(
        r"(\w+),? (?:in |from |between )+(\w+) ?(?:to|and|-|until) ?(\w+)", r"\1 in \2..\3", _OPTION
    ),
    slip(r"(?:int|integer|number) ?= ?(\d+)", r"\1", _OPTION),
    slip(r"(?:int|integer|number) in (.+?) ?= ?(\d+)", r"\2 in \1", _OPTION),
    slip(r"(?:bool|boolean|flag) ?= ?(\w+)", lambda m: _flag(m[1]), _OPTION),
)
"""What stands after the name of an option."""


def _names(found: re.Match[str]) -> str:
    return ", ".join(re.split(r"\s+(?:and|or|vs\.?)\s+|\s*[|&/;+,]\s*|\s+", found[0]))


def _kinds(found: re.Match[str]) -> str:
    return ", ".join(re.split(r"\s+(?:and|or)\s+|\s*[|&/;+,]\s*", found[0]))


_MANY = r"(?:[2-8]|two|three|four|five|six|seven|eight)"

NAMES = (
    slip(
        rf"{_MANY}(?: ?(?:\.\.|-|to|or) ?{_MANY})?(?: (?:players|sides))?",
        "",
        "The sides have names, as in `players: White, Black`.",
    ),
    slip(r"\d+(?:,? \d+)+", "", "A name begins with a letter, as in `players: White, Black`."),
    slip(r"[\w\s|&/;+,.]+", _names, "Commas stand between names."),
)
"""Names of sides."""


def _owned(found: re.Match[str]) -> str:
    return ", ".join(
        f"{side} {kind}" for kind, side in re.findall(r"(\w+) (?:for|of|by) (\w+)", found[0])
    )


PIECES = (
    slip(
        rf"{WORD} (?:for|of|by) {WORD}(?:, ?{WORD} (?:for|of|by) {WORD})*",
        _owned,
        "A side stands before a kind that only it has.",
    ),
    slip(
        r".*\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|each)\b.*",
        "",
        "How many pieces there are is told by `setup`, or of those in hand by a table, as in"
        " `hands: {Stone: 3}`.",
    ),
    slip(rf"({WORD})\(({WORD})\)", r"\2 \1", "A side stands before a kind that only it has."),
    slip(r"[\w\s|&/;+,]+", _kinds, "Commas stand between kinds of piece."),
)
"""Kinds of piece."""

TEAMS = (
    slip(
        rf"{WORD}(?: ?(?:[+&/,]|and|vs\.?|versus|against) ?{WORD})+",
        lambda m: ", ".join(
            " and ".join(re.findall(WORD, team))
            for team in re.split(r" (?:vs\.?|versus|against) ", re.sub(r" and ", "+", m[0]))
        ),
        "`and` stands between the sides of a team, a comma between teams.",
    ),
)
"""Teams of sides."""

HEADS = (
    slip(
        rf"({WORD}) ({WORD}\w\w)",
        r"\1_\2",
        r"A name is one word; parameters stand in parentheses, as in `\1(\2)`.",
    ),
    slip(
        rf"({WORD})((?: {WORD})+)",
        lambda m: f"{m[1]}({', '.join(m[2].split())})",
        "Parameters stand in parentheses.",
    ),
    slip(rf"({WORD})\(\)", r"\1", "What has no parameters has no parentheses either."),
)
"""Heads of definitions, actions and variables."""

VARIABLES = (
    slip(
        rf"({WORD}) ?[(\[](?:each |per |every )?(?:player|side|seat|own|mover|who|p)s?[)\]]",
        r"\1(players)",
        "A variable of each side has the sides as its index.",
    ),
    slip(
        rf"({WORD}) (?:per|for each|for every|each|by|at each) (?:site|cell|square|pit|space)s?",
        "",
        r"One for each site is told by the type: `\1: number per site`.",
    ),
    slip(
        rf"({WORD}) ?[(\[](?:per |each |every )?{_SITE}[)\]]",
        "",
        r"One number a site is kept by `\1: number per site`, a yes or no a site by"
        r" `\1: sites`.",
    ),
    slip(
        r"(number|int|flag|bool|sites|side|kind|set|var|let) (\w+)",
        "",
        r"The name comes first, and its type after the colon: `\2: number`.",
    ),
    *HEADS,
)
"""Names of variables, perhaps with indices."""

SECTIONS: dict[str, tuple[Slip, ...]] = {
    "teams": TEAMS,
    "board": BOARD,
    "stuck_clause": STUCK + CLAUSES,
    "clause": CLAUSES,
    "state_type": DECLARATIONS,
    "option": OPTIONS,
    "expression": SETS,
    "names": NAMES,
    "piece_list": PIECES,
    "head": HEADS,
    "state_head": VARIABLES,
}
"""The slips of a text by the entry point of its grammar."""
