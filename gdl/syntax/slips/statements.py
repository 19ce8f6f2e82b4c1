"""Slips of statements: a line of a turn as other languages, or plain English, would have it."""

from __future__ import annotations

import re

from gdl.syntax.slips.decisions import DECISIONS
from gdl.syntax.slips.patterns import WORD, slip
from gdl.syntax.slips.wording import (
    AGAIN,
    EITHER,
    END,
    PASS,
    PILE,
    QUANTIFIED,
    RULED_OUT,
    STEPS,
    STUCK_PASSES,
)
from gdl.syntax.slips.wording import NAME_OR_CALL as _TERM

_TARGET = rf"({WORD}(?: ?\((?:[^()]|\([^()]*\))*\))?)"
_INDEXED = rf"({WORD})\[([^][]*)\]"
_SIMPLE = (
    r"(?:add|again|change|choose|do|flip|go to|keep|let|move|next|pass|place|remove|require|set"
    r"|shift|swap|take)\b"
)
_DIRECTION = (
    r"((?:north|south)(?:east|west)?|east|west|(?:up|down)(?:_\w+)?|(?:for|back)wards?|left|right)"
)
_VALUED = rf"(?:set {_TARGET} =|let {WORD} =|require|add|remove|flip|place .+ at) "
_SET = r"\w+(?:\((?:[^()]|\([^()]*\))*\))*"
_SITES = rf"{_SET}(?:, ?{_SET})+"
_ARTICLE = r"(?:an?|the|one|new|a new|another)"

_GREATEST = ("highest", "greatest", "most", "largest")
_ADDED = "A number is changed by `add N to x`."
_GIVEN = "A variable is given a value by `set x = …`."
_NAMED = "A new word is made by `let x = …`."
_MOVED = "A piece is moved by `move A to B`."
_REMOVED = "Pieces are taken off by `remove S`."
_PLACED = "A piece is put on sites by `place P at S`."
_CHANGED = "Pieces become others by `change S to P`."
_LOOP = "A loop over elements is `for each x in D`."
_REQUIRED = "What must hold is said by `require C`."
_NO_COLON = "The heading of a block has no colon."
_ENDED = "A block ends where its lines do: nothing closes it."
_COMMENT = "A comment begins with `#`, and a blank before it."
_BETWEEN = "Statements that share a line have `;` between them."


def _last(found: re.Match[str]) -> str:
    return f"for each {found[1]} in 0..{int(found[2]) - 1}"


STATEMENTS = (
    # What closes a block, or leaves it, in other languages.
    slip(r"(?:end|endif|end if|fi|done|end for|endfor|end while|endwhile|[})\]];?)", "", _ENDED),
    slip(r"(?:break|exit|continue)\b.*", "", "A loop ends by its own condition, as in `until C`."),
    slip(
        rf"(?:(?:let|set) )?({WORD}) ?:?= ?choose ?\((?:from )?(.+)\)",
        r"choose \1 in \2",
        "A decision is `choose x in S where C`.",
    ),
    slip(
        r"(\w+)\.(?:move_to|moveTo|move|go_to|goto|jump_to|step_to)\((\w+)\)",
        r"move \1 to \2",
        _MOVED,
    ),
    slip(
        rf"let ({WORD}) = (?:the )?(highest|greatest|most|largest|lowest|least|smallest|fewest)"
        r" (\w+)",
        lambda m: f"let {m[1]} = {'max' if m[2] in _GREATEST else 'min'} p in players of {m[3]}(p)",
        "The greatest of several values is `max x in D of E`.",
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
        r"|(?:change|switch|swap|next) (?:the )?(?:turns?|players?|sides?))\b.*",
        "",
        "A turn is over after its last line: leave this out.",
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
    slip(rf"(?:set )?{_TARGET} ?\+= ?(.+)", r"add \2 to \1", _ADDED),
    slip(rf"(?:set )?{_TARGET} ?-= ?(\d+)", r"add -\2 to \1", _ADDED),
    slip(rf"(?:set )?{_TARGET} ?-= ?({_TERM})", r"set \1 = \1 - \2", _GIVEN),
    slip(rf"(?:set )?{_TARGET} ?-= ?(.+)", r"set \1 = \1 - (\2)", _GIVEN),
    slip(rf"(?:set )?{_TARGET} ?([*/|&])= ?(\w+)", r"set \1 = \1 \2 \3", _GIVEN),
    slip(rf"(?:set )?{_TARGET} ?([*/|&])= ?(.+)", r"set \1 = \1 \2 (\3)", _GIVEN),
    slip(
        rf"(?:set )?{_TARGET} ?\+\+;?|\+\+ ?{_TARGET}", lambda m: f"add 1 to {m[1] or m[2]}", _ADDED
    ),
    slip(rf"(?:set )?{_TARGET} ?--;?|-- ?{_TARGET}", lambda m: f"add -1 to {m[1] or m[2]}", _ADDED),
    slip(rf"{_INDEXED} ?\+= ?(.+)", r"add \3 to \1(\2)", _ADDED),
    slip(rf"{_INDEXED} ?-= ?(\d+)", r"add -\3 to \1(\2)", _ADDED),
    slip(rf"{_INDEXED} ?-= ?({_TERM})", r"set \1(\2) = \1(\2) - \3", _GIVEN),
    slip(rf"{_INDEXED} ?:?= ?(.+)", r"set \1(\2) = \3", _GIVEN),
    slip(rf"(?:increment|inc|increase|raise) {_TARGET}", r"add 1 to \1", _ADDED),
    slip(rf"(?:decrement|dec|decrease|lower|reduce) {_TARGET}", r"add -1 to \1", _ADDED),
    slip(rf"(?:increment|inc|increase|raise) {_TARGET} by (.+)", r"add \2 to \1", _ADDED),
    slip(rf"(?:decrement|dec|decrease|lower|reduce) {_TARGET} by (\d+)", r"add -\2 to \1", _ADDED),
    slip(
        rf"(?:decrement|dec|decrease|lower|reduce) {_TARGET} by ({_TERM})",
        r"set \1 = \1 - \2",
        _GIVEN,
    ),
    slip(rf"(?:subtract|take|remove) (\d+) from {_TARGET}", r"add -\1 to \2", _ADDED),
    slip(rf"(?:subtract|take|remove|delete) ({_TERM}) from {_TARGET}", r"set \2 = \2 - \1", _GIVEN),
    slip(rf"add (.+?),? (?:into|in|on|onto) {_TARGET}", r"add \1 to \2", "Write `add E to x`."),
    slip(r"add ([a-z].*) to (\d+)", r"add \2 to \1", "Write `add N to x`."),
    slip(rf"add (\w+) {_TARGET}", r"add \1 to \2"),
    slip(rf"set {_TARGET} ?(?::=| to | is | be | ) ?(.+)", r"set \1 = \2", _GIVEN),
    slip(rf"(?:assign|store|put) (.+?) (?:to|in|into) {_TARGET}", r"set \2 = \1", _GIVEN),
    slip(rf"(?:set )?{_TARGET} ?:= ?(.+)", r"set \1 = \2", _GIVEN),
    slip(rf"({WORD}) ?= ?((?!=)(?:.*\W)?\1\b.*)", r"set \1 = \2", _GIVEN),
    slip(
        rf"({WORD}) ?= ?([^=].*)",
        r"set \1 = \2",
        r"A variable is given a value by {}, a new word by `let \1 = \2`.",
    ),
    slip(rf"{_TARGET} ?= ?([^=].*)", r"set \1 = \2", r"A variable is given a value by `set`."),
    slip(
        rf"(?:let|var|const|local|define|def|int|number|auto) ({WORD})"
        rf"(?: ?: ?{WORD})?(?: ?:?= ?| be | to | is )(.+)",
        r"let \1 = \2",
        _NAMED,
    ),
    # Pieces.
    slip(
        rf"(?:move|slide|step) ({WORD}) (?:(?:one|1) (?:step|site|cell|square) )?"
        rf"(?:to (?:the )?)?{_DIRECTION}(?: of \1| from \1| \1)?",
        lambda m: f"move {m[1]} to {STEPS.get(m[2], m[2])}({m[1]})",
        "A direction is applied to a site, as in `north(s)`.",
    ),
    slip(
        r"(?:move|slide|step|jump|go) (?:from )?(.+?) ?(?:->|=>|-->|→) ?(.+)",
        r"move \1 to \2",
        _MOVED,
    ),
    slip(r"move from (.+?) to (.+)", r"move \1 to \2", _MOVED),
    slip(
        r"move (?:the )?(?:piece|man|stone) (?:at|on|from) (.+?) to (.+)", r"move \1 to \2", _MOVED
    ),
    slip(
        r"move (?:the )?(?:top|upper|uppermost|topmost) (\w+)(?: pieces?)? (?:of|from) (\w+)"
        r" (?:to|onto|on) (.+)",
        r"move \1 of \2 onto \3",
        PILE,
    ),
    slip(r"move (.+?) (?:into|in|on|at|towards?|=) (.+)", r"move \1 to \2", _MOVED),
    slip(r"move (\w+),? (\w+)", r"move \1 to \2", _MOVED),
    slip(
        r"(?:slide|jump|step|hop|go|walk|leap|send|return|put|bring) (\w+)(?: back)?"
        r" (?:to|into|onto|over to) (.+)",
        r"move \1 to \2",
        _MOVED,
    ),
    slip(
        r"(?:remove|capture|take|flip|kill|move) (?:that|this|it|the)"
        r"(?: (?:enemy|own|piece|stone|man|one|pawn))*",
        "",
        "A piece is told by the site that it stands on: the word after `choose`, as in `remove s`.",
    ),
    slip(
        r"remove (?:all of|all|every|each|any|the)(?: the)?(?: pieces?)?(?: at| on| of| in)? (.+)",
        r"remove \1",
        "`remove S` takes off all pieces on S.",
    ),
    slip(r"remove (?:the )?(?:pieces?|stones?) (?:at|on|from|in) (.+)", r"remove \1", _REMOVED),
    slip(rf"remove {WORD} (?:at|on) (.+)", r"remove \1", _REMOVED),
    slip(
        r"(?:remove|capture|captures|take|jump) (?:all |any |every |each |the )*"
        r"(?:enemies|enemy|enemy pieces|pieces) between (\w+) and (\w+)",
        r"remove between(\1, \2) & enemy",
        _REMOVED,
    ),
    slip(
        r"(?:capture|captures|take|kill|delete|destroy|eliminate|eat|discard|clear|erase|del)"
        r" (?:all |the |pieces? (?:at|on) )?(.+)",
        r"remove \1",
        _REMOVED,
    ),
    slip(
        r"(?:swap|exchange|switch) (.+?)(?: and | with | for |, ?| )(.+)",
        r"let its_kind = kind(\1); let its_side = owner(\1); move \2 to \1;"
        r" place its_kind of its_side at \2",
        "`swap` alone exchanges the players' sides; two pieces change places by {}.",
    ),
    slip(
        r"flip (.+?) (?:to|into) (.+)",
        r"change \1 to \2",
        "`flip S` gives pieces to the other side, whichever it is.",
    ),
    slip(r"change (.+?) (?:into|=|as|for|->|=>|with) (?:an? )?(.+)", r"change \1 to \2", _CHANGED),
    slip(r"change (\w+) (\w+)", r"change \1 to \2", _CHANGED),
    slip(
        r"(?:promote|turn|transform|make|convert|upgrade|crown|replace|become) (.+?)"
        r" (?:to|into|with|by|as|in|=) (?:an? )?(.+)",
        r"change \1 to \2",
        _CHANGED,
    ),
    slip(
        r"(?:top\((\w+)\)|(\w+)) (?:becomes?|turns into|promotes to|is promoted to)"
        r" (?:an? |the )?([A-Z]\w*)",
        lambda m: f"change {m[1] or m[2]} to {m[3]}",
        _CHANGED,
    ),
    slip(
        rf"({WORD}) (?:becomes?|turns(?: to)?) (?:mover|own|mine|mover's|my (?:piece|own))",
        r"change \1 to kind(\1) of mover",
        _CHANGED,
    ),
    slip(
        r"place (.+) (?:at|on) (.+) (?:for|by) (?!nobody|neutral)(\w+)",
        r"place \1 of \3 at \2",
        "Whose piece it is stands behind its kind.",
    ),
    slip(rf"place {_ARTICLE} (.+?) (?:at|on|in|onto) (.+)", r"place \1 at \2", _PLACED),
    slip(
        rf"(?:place|put|drop|insert|lay|spawn|create|set|add|build)(?: {_ARTICLE})?"
        rf" ({WORD}(?: {WORD})?) (?:on top of|at|on|in|into|to|upon) (.+)",
        r"place \1 at \2",
        _PLACED,
    ),
    slip(rf"place ((?:{WORD} )?[A-Z]\w*),? ([a-z]\w*)", r"place \1 at \2", _PLACED),
    slip(r"place (?:at )?([a-z]\w*),? ([A-Z]\w*)", r"place \2 at \1", _PLACED),
    # Loops.
    slip(
        rf"for(?: each| every| all|each)? ({WORD}) (?:in|of|from) range\((\d+)\) ?:?", _last, _LOOP
    ),
    slip(
        rf"for(?: each| every| all|each)? ({WORD}) (?:in|of|from|:) (.+?) ?(?::| do)?",
        r"for each \1 in \2",
        _LOOP,
    ),
    slip(
        rf"for(?: each| every| all)? ({WORD}) ?(?:=|in|from) ?(\w+) (?:to|until) (\w+) ?:?",
        r"for each \1 in \2..\3",
        _LOOP,
    ),
    slip(
        rf"for(?: each| every| all|each) [a-z]+ ({WORD}) (?:in|of|from) (.+?) ?(?::| do)?",
        r"for each \1 in \2",
        _LOOP,
    ),
    *(
        slip(
            rf"for(?: each| every| all|each) {kind} ({WORD}) ?:?",
            rf"for each \1 in {among}",
            _LOOP,
        )
        for kind, among in (
            ("direction", "compass"),
            ("(?:player|side)", "players"),
            ("(?:kind|piece type)", "kinds"),
            ("(?:site|cell|square)", "all"),
            ("(?:piece|stone|man)", "own"),
        )
    ),
    slip(r"for(?: each| every| all|each) (\w+) ?:?", r"for each x in \1", _LOOP),
    slip(r"(?:repeat|loop|do) (\w+)(?: ?x| times?)? ?:?", r"repeat \1 times", ""),
    slip(r"(?:repeat )?(\d+) times ?:?", r"repeat \1 times", ""),
    slip(
        r"(?:repeat )?until (.+?) ?:?",
        "",
        r"`repeat` stands alone above the block, and `until \1` below it, in the same column.",
    ),
    slip(r"(?:loop |repeat )?(?:while|as long as) (.+?) ?(?::| do)?", r"repeat while \1", ""),
    slip(
        r"(?:loop|do|forever|repeat forever) ?:?", "", "A loop is `repeat`, and below it `until C`."
    ),
    # Conditions.
    slip(
        r"(?:elif|elsif|elseif|otherwise if|or if|else if) (.+?)(?: then)? ?:?", r"else if \1", ""
    ),
    slip(r"(?:otherwise|or else) ?:?", "else", ""),
    slip(
        r"(?:otherwise|or else) ?:?",
        "",
        "`else` follows the block of an `if`, in its column; ways that one may choose are `either`"
        " and `or`.",
    ),
    slip(r"or else ?:?", "or", ""),
    slip(
        r"if (.+?),? then ?:?",
        r"if \1",
        "A statement `if C` has no `then`: what it does stands below it, deeper.",
    ),
    slip(
        r"if (.+?),? then (.+?),? else (.+)",
        "",
        r"A statement `if C` has no `then`. Write `if \1 \2`, and in the line below `else \3`.",
    ),
    slip(r"if (.+?),? then (.+)", r"if \1 \2", "A statement `if C` has no `then`."),
    slip(rf"if (.+?)[:,] ?({_SIMPLE}.*)", r"if \1 \2", "After the condition stands no sign."),
    slip(r"(?:when|unless|whenever) .+", "", "A condition before statements is `if C`."),
    slip(r"(optionally|either|or|else) ?:", r"\1", _NO_COLON),
    slip(r"(.+?) ?:", r"\1", _NO_COLON),
    slip(r"(?:optional|maybe|perhaps|may) ?:?", "optionally", ""),
    slip(
        rf"({_VALUED})(.+?) if (.+?) else (.+)",
        r"\1if \4 then \3 else \5",
        EITHER,
    ),
    slip(
        rf"({_VALUED})(.+?) ?\? ?(.+?) ?: ?(.+)",
        r"\1if \3 then \4 else \5",
        EITHER,
    ),
    *DECISIONS,
    # Sets.
    slip(
        rf"(?:remove|flip) ({_TERM}) and ({_TERM})",
        "",
        r"`\1 | \2` has the sites of either, `\1 & \2` those that are in both.",
    ),
    slip(rf"(place .+ at )({_TERM}) and ({_TERM})", r"\1\2 | \3", "`|` joins sites to a set."),
    slip(
        rf"((?:remove|flip|set {_TARGET} =|place .+ at|choose {WORD} in) ){_SITES}",
        lambda m: m[1] + " | ".join(re.findall(_SET, m[0][len(m[1]) :])),
        "`|` joins sites to a set.",
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
    slip(rf"({_SIMPLE}[^#;]*?),? (?:if|when) (.+)", r"if \2 \1", "The condition stands first."),
    slip(rf"({_SIMPLE}[^#;]*?),? unless (.+)", r"if not (\2) \1", "The condition stands first."),
    slip(
        rf"({_SIMPLE}[^#;]*?)(?:,? and then|,? and|,? then|,|\.) ?({_SIMPLE}[^#;]*)",
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
