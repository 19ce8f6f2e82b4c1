"""Slips of statements: a line of a turn as other languages, or plain English, would have it."""

from __future__ import annotations

import re

from gdl.syntax.slips.blocks import BLOCKS, SIMPLE, TARGET
from gdl.syntax.slips.decisions import DECISIONS
from gdl.syntax.slips.patterns import WORD, slip
from gdl.syntax.slips.piece_statements import PIECES
from gdl.syntax.slips.wording import AGAIN, END, PASS, QUANTIFIED, RULED_OUT, STUCK_PASSES
from gdl.syntax.slips.wording import NAME_OR_CALL as _TERM

_INDEXED = rf"({WORD})\[([^][]*)\]"
_SET = r"\w+(?:\((?:[^()]|\([^()]*\))*\))*"
_SITES = rf"{_SET}(?:, ?{_SET})+"

_GREATEST = ("highest", "greatest", "most", "largest")
_ADDED = "A number is changed by `add N to x`."
_GIVEN = "A variable is given a value by `set x = …`."
_NAMED = "A new word is made by `let x = …`."
_REQUIRED = "What must hold is said by `require C`."
_NO_BRACES = "A block has no braces: its lines stand below its heading, deeper."
_ENDED = "A block ends where its lines do: nothing closes it."
_COMMENT = "A comment begins with `#`, and a blank before it."
_BETWEEN = "Statements that share a line have `;` between them."

STATEMENTS = (
    slip(
        r"require (\w+) (?:is )?(?:on|in|inside|within) (?:the )?board",
        r"require some \1",
        "Beyond the edge there is no site.",
    ),
    slip(r"(if .+?|else|either|or|repeat.*?) ?\{", r"\1", _NO_BRACES),
    slip(
        r"(?:go to |begin |start |enter )?(?:the )?next phase\b(?:,? (?:when|if|once) (.+))?",
        "",
        "Another phase begins by `go to PHASE`, as in `if C go to PHASE`.",
    ),
    slip(
        rf"for(?: each| every| all|each)? ({WORD}) in ([^:]+?)(?: ?:| do) ?({SIMPLE}.*)",
        "",
        r"A loop is a heading, `for each \1 in \2`, and below it, deeper, `\3`.",
    ),
    # What closes a block, or leaves it, in other languages.
    slip(r"(?:end|endif|end if|fi|done|end for|endfor|end while|endwhile|[})\]];?)", "", _ENDED),
    slip(
        r"remove (.+) from the board",
        r"remove \1",
        "Pieces are taken off by `remove S`.",
    ),
    slip(
        r"continue\b.*",
        "",
        "A side goes on by `again`; a loop by its own condition, as in `until C`.",
    ),
    slip(r"(?:break|exit)\b.*", "", "A loop ends by its own condition, as in `until C`."),
    slip(
        rf"(?:(?:let|set) )?({WORD}) ?:?= ?choose ?\((?:from )?(.+)\)",
        r"choose \1 in \2",
        "A decision is `choose x in S where C`.",
    ),
    slip(
        rf"let ({WORD}) = (?:the )?(highest|greatest|most|largest|lowest|least|smallest|fewest)"
        r" (\w+)",
        lambda m: f"let {m[1]} = {'max' if m[2] in _GREATEST else 'min'} p in players of {m[3]}(p)",
        "The greatest of several values is `max x in D of E`; whose it is, is asked of each p.",
    ),
    slip(
        r"(?:set )?(?:again|extra_turn|repeat_turn|go_again|another_turn) ?=+ ?(?:[Tt]rue|yes|1)",
        "again",
        AGAIN,
    ),
    slip(
        r".*\b(?:no (?:legal )?moves|(?:can't|cannot|can not) move(?!\s))\b.*",
        "",
        STUCK_PASSES,
    ),
    slip(
        r"(?:then|next|now|first|finally|afterwards|after that),?"
        r" ((?:choose|place|move|remove|flip)\b.*)",
        r"\1",
        "A step begins with its word.",
    ),
    slip(r"return again|again ?[.!]", "again", AGAIN),
    slip(
        r"(?:return|stop|finish|done|end (?:the )?turn|end move|next turn"
        r"|(?:change|switch|swap|next) (?:the )?(?:turns?|players?|sides?|mover))\b.*",
        "",
        "A turn is over after its last line, and a loop when its condition says so, as in `until"
        " C`: leave this out.",
    ),
    slip(
        r"(?:illegal|invalid|not allowed|forbidden|abort|fail|reject|cancel|undo)(?: move)?",
        "",
        "What must not be done is left out by `require C` above it, or by a condition of a choice.",
    ),
    slip(rf"(?:{WORD} )?(?:wins?|loses?|draws?|tie|win game|game over|victory)", "", END),
    slip(r"(?:print|log|echo|debug)\b.*", "", "Nothing is printed in a turn: leave this out."),
    slip(
        r"((?:choose|place|remove|move|flip|change|again|pass|next|go to|do)\b[^/]*?) ?// ?(.*)",
        r"\1 # \2",
        _COMMENT,
    ),
    slip(
        r"(?:set |add \d+ to |increase |increment )?(?:passes|pass_count|passed)\b.*"
        r"|if (?:not )?\(?(?:\w+ (?:=+|is) )?pass\)? ?:?",
        "",
        PASS,
    ),
    slip(
        rf"(?:set )?(?:current_|game_)?phase ?(?::=|=|to\b) ?({WORD})",
        r"go to \1",
        "Another phase begins by `go to PHASE`.",
    ),
    # Numbers and words.
    slip(rf"(?:set )?{TARGET} ?\+= ?(.+)", r"add \2 to \1", _ADDED),
    slip(rf"(?:set )?{TARGET} ?-= ?(\d+)", r"add -\2 to \1", _ADDED),
    slip(rf"(?:set )?{TARGET} ?-= ?({_TERM})", r"set \1 = \1 - \2", _GIVEN),
    slip(rf"(?:set )?{TARGET} ?-= ?(.+)", r"set \1 = \1 - (\2)", _GIVEN),
    slip(rf"(?:set )?{TARGET} ?([*/|&])= ?(\w+)", r"set \1 = \1 \2 \3", _GIVEN),
    slip(rf"(?:set )?{TARGET} ?([*/|&])= ?(.+)", r"set \1 = \1 \2 (\3)", _GIVEN),
    slip(
        rf"(?:set )?{TARGET} ?\+\+;?|\+\+ ?{TARGET}", lambda m: f"add 1 to {m[1] or m[2]}", _ADDED
    ),
    slip(rf"(?:set )?{TARGET} ?--;?|-- ?{TARGET}", lambda m: f"add -1 to {m[1] or m[2]}", _ADDED),
    slip(rf"{_INDEXED} ?\+= ?(.+)", r"add \3 to \1(\2)", _ADDED),
    slip(rf"{_INDEXED} ?-= ?(\d+)", r"add -\3 to \1(\2)", _ADDED),
    slip(rf"{_INDEXED} ?-= ?({_TERM})", r"set \1(\2) = \1(\2) - \3", _GIVEN),
    slip(rf"{_INDEXED} ?:?= ?(.+)", r"set \1(\2) = \3", _GIVEN),
    slip(rf"(?:increment|inc|increase|raise) {TARGET}", r"add 1 to \1", _ADDED),
    slip(rf"(?:decrement|dec|decrease|lower|reduce) {TARGET}", r"add -1 to \1", _ADDED),
    slip(rf"(?:increment|inc|increase|raise) {TARGET} by (.+)", r"add \2 to \1", _ADDED),
    slip(rf"(?:decrement|dec|decrease|lower|reduce) {TARGET} by (\d+)", r"add -\2 to \1", _ADDED),
    slip(
        rf"(?:decrement|dec|decrease|lower|reduce) {TARGET} by ({_TERM})",
        r"set \1 = \1 - \2",
        _GIVEN,
    ),
    slip(rf"(?:subtract|take|remove) (\d+) from {TARGET}", r"add -\1 to \2", _ADDED),
    slip(rf"(?:subtract|take|remove|delete) ({_TERM}) from {TARGET}", r"set \2 = \2 - \1", _GIVEN),
    slip(rf"add (.+?),? (?:into|in|on|onto) {TARGET}", r"add \1 to \2", "Write `add E to x`."),
    slip(r"add ([a-z].*) to (\d+)", r"add \2 to \1", "Write `add N to x`."),
    slip(rf"add (\w+) {TARGET}", r"add \1 to \2"),
    slip(rf"set {TARGET} ?(?::=| to | is | be | ) ?(.+)", r"set \1 = \2", _GIVEN),
    slip(rf"(?:assign|store|put) (.+?) (?:to|in|into) {TARGET}", r"set \2 = \1", _GIVEN),
    slip(rf"(?:set )?{TARGET} ?:= ?(.+)", r"set \1 = \2", _GIVEN),
    slip(rf"({WORD}) ?= ?((?!=)(?:.*\W)?\1\b.*)", r"set \1 = \2", _GIVEN),
    slip(
        rf"({WORD}) ?= ?([^=].*)",
        r"set \1 = \2",
        r"A variable is given a value by {}, a new word by `let \1 = \2`.",
    ),
    slip(rf"{TARGET} ?= ?([^=].*)", r"set \1 = \2", r"A variable is given a value by `set`."),
    slip(
        rf"(?:let|var|const|local|define|def|int|number|auto) ({WORD})"
        rf"(?: ?: ?{WORD})?(?: ?:?= ?| be | to | is )(.+)",
        r"let \1 = \2",
        _NAMED,
    ),
    *PIECES,
    *BLOCKS,
    *DECISIONS,
    # Sets.
    slip(
        rf"(?:remove|flip) ({_TERM}) and ({_TERM})",
        "",
        r"`\1 | \2` has the sites of either, `\1 & \2` those that are in both.",
    ),
    slip(rf"(place .+ at )({_TERM}) and ({_TERM})", r"\1\2 | \3", "`|` joins sites to a set."),
    slip(
        rf"((?:remove|flip|set {TARGET} =|place .+ at|choose {WORD} in) ){_SITES}",
        lambda m: m[1] + " | ".join(re.findall(_SET, m[0][len(m[1]) :])),
        "`|` joins sites to a set.",
    ),
    slip(
        r"(remove|flip) (?:(?:all|any|every|each|the) )?([a-z]\w\w+) where (.*\b\2\b.*)",
        lambda m: f"{m[1]} sites x in {m[2]} where " + re.sub(rf"\b{m[2]}\b", "x", m[3]),
        QUANTIFIED,
    ),
    slip(
        rf"(remove|flip) (?:all|any|every|each|the)? ?({WORD}) where (.+)",
        r"\1 sites \2 in all where \3",
        QUANTIFIED,
    ),
    slip(
        rf"push ({WORD})(?: away)?(?: in| by| to| towards?)? ({WORD})"
        r"(?: (?:by|for) (?:1|one)\b.*)?",
        r"shift \1 by \2",
        "All pieces of a set move at once by `shift S by R`.",
    ),
    slip(
        rf"remove ({WORD}) in (.+?) where (.+)",
        r"remove sites \1 in \2 where \3",
        QUANTIFIED,
    ),
    # Others.
    slip(
        r"(?:require|assert|must|ensure|need|check|demand)(?: that)?,? (.+)",
        r"require \1",
        _REQUIRED,
    ),
    slip(
        r"(\w+) (?:must|should|has to) (not )?be (?:in |on |at |an? |the )*(.+)",
        lambda m: f"require {m[2] or ''}{m[1]} in {m[3]}",
        _REQUIRED,
    ),
    slip(
        rf"(?:goto|go|go to phase|goto phase|phase|set phase(?: to| =)) ({WORD})", r"go to \1", ""
    ),
    slip(r"(?:skip|noop|no move|do nothing|nothing)", "pass", ""),
    slip(rf"({SIMPLE}[^#;]*?),? (?:if|when) (.+)", r"if \2 \1", "The condition stands first."),
    slip(rf"({SIMPLE}[^#;]*?),? unless (.+)", r"if not (\2) \1", "The condition stands first."),
    slip(
        rf"({SIMPLE}[^#;]*?)(?:,? and then|,? and|,? then|,|\.) ?({SIMPLE}[^#;]*)",
        r"\1; \2",
        _BETWEEN,
    ),
    slip(
        r"(?:def|function|fn) .*",
        "",
        "Words of your own are explained under `define`, parts of turns under `actions`.",
    ),
    slip(
        r"either (.+?) or (.+)",
        "",
        "`either` and `or` stand on lines of their own, each above its block.",
    ),
)
"""What one line of a turn means, tried before slips within it are."""

LATER_STATEMENTS = (
    slip(
        r".*\b(?:cannot|can't|may not|must not|can not|not allowed)\b.*",
        "",
        RULED_OUT,
    ),
    slip(
        r"(?:the|an?|you|each|every|two|both|all|players?|pieces?|it|they|there|at)\b.*",
        "",
        "A turn is told in steps, not in sentences: lines that begin with `choose`, `place`,"
        " `move`, `remove`, `if` and so on.",
    ),
    slip(r"(?://|/\*|--|;;).*", "", _COMMENT),
    slip(r".*?\S ?(?://|/\*|--).*", "", _COMMENT),
    slip(
        rf"(?:call |run |perform |execute )?({WORD}\(.*\))",
        r"do \1",
        "What stands under `actions` is done by {}.",
    ),
)
"""What a line may mean if it means nothing else."""
