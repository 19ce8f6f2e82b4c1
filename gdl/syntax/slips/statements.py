"""Slips of statements: a line of a turn as other languages, or plain English, would have it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.syntax.slips.patterns import (
    AGAIN,
    ARGUMENTS,
    CALL,
    DIRECTIONS,
    EACH_DECISION,
    EITHER,
    END,
    PASS,
    PILE,
    QUANTIFIED,
    RULED_OUT,
    STEPS,
    STUCK_PASSES,
    WHERE,
    WORD,
    slip,
)
from gdl.syntax.slips.patterns import NAME_OR_CALL as _TERM

# ---------------------------------------------------------------------------------- slips of blocks

TARGET = rf"({WORD}(?: ?\((?:[^()]|\([^()]*\))*\))?)"
"""The pattern of a variable, perhaps with an index."""
SIMPLE = (
    r"(?:add|again|change|choose|do|flip|go to|keep|let|move|next|pass|place|remove|require|set"
    r"|shift|swap|take)\b"
)
"""The pattern of the word that a step in one line begins with."""
_VALUED = rf"(?:set {TARGET} =|let {WORD} =|require|add|remove|flip|place .+ at) "
_LOOP = "A loop over elements is `for each x in D`."
_NO_COLON = "The heading of a block has no colon."


def _last(found: re.Match[str]) -> str:
    return f"for each {found[1]} in 0..{int(found[2]) - 1}"


BLOCKS = (
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
        r"repeat until (.+?) ?:?",
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
    slip(rf"if (.+?)[:,] ?({SIMPLE}.*)", r"if \1 \2", "After the condition stands no sign."),
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
)
"""What a line of a turn means that is the heading of a block, or has a choice between values."""


# ------------------------------------------------------------------------------- slips of decisions

_CHOSEN = "A decision is `choose x in S where C`."
_JOINED = "Sets are joined by `&` and `|`; what is not in a set is left out by `-`."
_BOUND = (
    r"(?!(?:adjacent|orthogonal|diagonal|compass|touching|next|north|south|east|west)\b)"
    + rf"(?:\d+|{CALL})"
)
_AMOUNTS = {"any": "", "some": "", "one": "", "two": "2 ", "three": "3 "}
_RANGE = "A range is written `1..5`."
_SIMPLE_SET = r"(?:empty|occupied|own|enemy|[A-Z]\w*)"
_APART = re.compile(
    r"[a-z]+\d+(?: and [a-z]+\d+)+|own and enemy|enemy and own"
    r"|(?:rows|columns)\(\d+\)(?: and (?:rows|columns)\(\d+\))+"
)
"""Sets without a site in common: `and` between them means the sites of all of them."""
_TIGHT = re.compile(rf"(?:[^()|+-]|{ARGUMENTS})*")
"""A set that needs no parentheses behind `-` or beside `&`."""
_TIGHT_MEET = re.compile(rf"not ((?:[^()&|+-]|{ARGUMENTS})+?) ?& ?(.+)")
"""Sets joined by `&` of which `not` before the first leaves out that one alone."""


def _unions_of(sets: str) -> Iterator[str]:
    """Yield what `or` joins, and what `|` does where `not` leaves out one set of several by `&`."""
    for union in re.split(r" or ", sets):
        if _TIGHT_MEET.fullmatch(union) and " and " not in union:
            yield from map(str.strip, re.findall(rf"(?:[^()|]|{ARGUMENTS})+", union))
        else:
            yield union


def _parts_of(union: str) -> Iterator[str]:
    """Yield what `and` joins, and the rest of what `&` joins behind a set with `not` before it."""
    for part in re.split(r" and ", union):
        meet = _TIGHT_MEET.fullmatch(part)
        if meet is None or not _TIGHT.fullmatch(part):
            yield part
        else:
            yield from (f"not {meet[1]}", meet[2])


def _and(found: re.Match[str]) -> str:
    """Write sets that words of conditions join with the signs for sets."""
    first, sets, rest = found[1], found[2], found[3] or ""
    unions: list[str] = []
    for union in _unions_of(re.sub(r"(?:-|&|\||\bbut) not ", "and not ", sets)):
        whole = ""
        if _APART.fullmatch(union):
            unions += union.split(" and ")
            continue
        for part in _parts_of(union):
            is_not = part.startswith("not ")
            part = part.removeprefix("not ")
            loose = not _TIGHT.fullmatch(part)
            if not whole:
                part = f"({part})" if is_not and loose else part
                whole = f"all - {part}" if is_not else part
                continue
            part = f"({part})" if loose else part
            if not is_not and not _TIGHT.fullmatch(whole):
                whole = f"({whole})"
            whole = f"{whole} - {part}" if is_not else f"{whole} & {part}"
        unions.append(whole)
    return f"{first}{' | '.join(unions)}{rest}"


def _listed(kinds: str) -> str:
    return f"({', '.join(re.split(r',? or |, ?', kinds))})"


DECISIONS = (
    slip(
        rf"(?:choose|select|pick) (?:(?:an?|the|one|any|some) )?(empty|own|enemy|occupied)"
        rf"(?: (?:site|square|cell|space|point|piece|stone|man))? (?!or\b|and\b|in\b)({WORD})",
        r"choose \2 in \1",
        _CHOSEN,
    ),
    slip(
        r"choose (?:an?|one|the|any) .+ (?:and|then) (?:move|place|put|flip|remove|jump|step)\b.*",
        "",
        "Each step is a line of its own: `choose s in own`, below it `choose t in adjacent(s) &"
        " empty`, then `move s to t`.",
    ),
    slip(
        rf"((?:choose|for each) {WORD} in )[\[{{]([A-Z]\w*(?:, ?[A-Z]\w*)+)[\]}}]",
        r"\1(\2)",
        "Several kinds to choose from stand in parentheses.",
    ),
    slip(
        rf"choose ({WORD}) in ({CALL}) (?:that (?:is|are) )?not in ({CALL})",
        r"choose \1 in \2 - \3",
        _JOINED,
    ),
    slip(
        rf"choose ({WORD}) (?:in|from|between|of) (?:range)?[(\[]?(\d+)"
        r" ?(?:-|to|and|\.\.\.?|until) ?(\w+)[)\]]?",
        r"choose \1 in \2..\3",
        _RANGE,
    ),
    slip(
        rf"choose ({WORD}) (?:(?:in|from) (?P<a>{_BOUND}) ?(?:to|until|\.\.\.)"
        rf"|(?:from|between) (?P<b>{_BOUND}) ?and) ?({_BOUND})",
        lambda m: f"choose {m[1]} in {m['a'] or m['b']}..{m[4]}",
        _RANGE,
    ),
    slip(
        rf"choose ({WORD}) in (.+?),? (?:that|which|who) (?:is|are)(?: an?)? (not )?"
        rf"({_SIMPLE_SET})",
        lambda m: f"choose {m[1]} in {m[2]} {'-' if m[3] else '&'} {m[4]}",
        _JOINED,
    ),
    slip(
        r"choose (?:(?:an?|one|any|the) )?(own|enemy|empty|occupied)"
        r"(?:(?:,| or| and) (own|enemy|empty))?(?: (?:site|square|cell|piece))?",
        lambda m: f"choose s in {m[1]}{f' | {m[2]}' if m[2] else ''}",
        _CHOSEN,
    ),
    slip(
        r"choose (?!own\b|enemy\b|empty\b|all\b)([a-z]\w*)(?: ?, ?[a-z]\w*)*,? or ([a-z]\w*)",
        "",
        r"Ways of a turn are blocks: `either as \1`, and below it, deeper, its steps; then"
        r" `or as \2`, and below it its own.",
    ),
    slip(
        rf"choose ({WORD}) in ([A-Z]\w*(?:(?:, ?|,? or )[A-Z]\w*)+)",
        lambda m: f"choose {m[1]} in {_listed(m[2])}",
        "Several kinds to choose from stand in parentheses.",
    ),
    slip(
        r"choose (\d+) ?(?:to|-|or|and) ?(\d+) (.+)",
        r"choose \1..\2 \3",
        "How many are chosen is a range, as in `choose 1..3 stones in empty`.",
    ),
    slip(
        rf"choose ({WORD}) in ({_TERM}) ?[,:] ?(.+)",
        r"choose \1 in \2 where \3",
        WHERE,
    ),
    slip(
        rf"choose ({WORD}) where (.+)",
        r"choose \1 in all where \2",
        _CHOSEN,
    ),
    slip(
        rf"choose (?:(?:an?|the|one) )?(?:[a-z]+ )?({WORD}) (?:from|in|of)"
        r" (?:the |own |their )?hand",
        r"choose \1 in kinds where hand(mover, \1) > 0",
        "What is in hand has a kind.",
    ),
    slip(
        rf"choose ({WORD}) in (.+?),? and ({WORD}) in (.+)",
        "",
        EACH_DECISION,
    ),
    slip(
        rf"choose (?:an? |the |one )?(?:(?:free|any) )?direction ({WORD})",
        r"choose \1 in compass",
        DIRECTIONS,
    ),
    slip(
        r"choose (?:the|an?|one|any)(?: own| of (?:his|your|their))?"
        r" (?:piece|stone|man|disc|counter)",
        r"choose s in own",
        _CHOSEN,
    ),
    slip(
        r"choose (?:the|an?|one|any) (?:free )?(?:site|cell|square|space|point|field)",
        "choose s in empty",
        _CHOSEN,
    ),
    slip(
        r"choose (?:the|an?|one|any)(?: own| of (?:his|your|their))?"
        r" (?!(?:site|cell|square|space|point|field|number|direction)\b)([a-z]+)",
        lambda m: f"choose s in own & {m[1].title()}",
        _CHOSEN,
    ),
    slip(
        rf"choose ({WORD})",
        "",
        "What is chosen has a name, and a set that it is chosen from: `choose s in empty`.",
    ),
    slip(
        r"choose (?:one|any|some|an?|the)?(?: kind)?(?: of| in| from)? ?"
        r"\(?([A-Z]\w*(?:(?:, ?|,? or )[A-Z]\w*)+)\)?",
        lambda m: f"choose k in {_listed(m[1])}",
        _CHOSEN,
    ),
    slip(r"choose (?:one|any|some) (?:of|in|from) (.+)", r"choose x in \1", _CHOSEN),
    slip(
        rf"(?:select|pick) (?!{WORD} (?:in|of|from)\b).*",
        "",
        _CHOSEN,
    ),
    slip(rf"choose {WORD} in .*\b(?:pass|skip)\b.*", "", PASS),
    slip(
        rf"choose ({WORD}) (?:from(?: the)?|of|among|out of|between|=|:|from among) ?(.+)",
        r"choose \1 in \2",
        _CHOSEN,
    ),
    slip(rf"choose ({WORD}) ?[:=] ?(.+)", r"choose \1 in \2", _CHOSEN),
    slip(rf"choose (?:one|an?|any) ({WORD}) (?:in|of|from) (.+)", r"choose \1 in \2", _CHOSEN),
    slip(
        rf"(?:pick|select|let player choose|player chooses) ({WORD}) (?:in|of|from) (.+)",
        r"choose \1 in \2",
        _CHOSEN,
    ),
    slip(
        rf"choose ({WORD}) in (.+?),? (?:such that|so that|with|if|when|provided|that|which) (.+)",
        r"choose \1 in \2 where \3",
        WHERE,
    ),
    slip(
        rf"choose ({WORD}) in (.+?) and where (.+)",
        r"choose \1 in \2 where \3",
        WHERE,
    ),
    slip(
        r"choose (\d+(?:\.\.\d+)?|any|some|one|two|three)"
        r" (?:sites?|cells?|squares?|pieces?|points?) (?:in|from|of|among) (.+)",
        lambda m: f"choose {_AMOUNTS.get(m[1], f'{m[1]} ')}x in {m[2]}",
        "What is chosen needs a name that is no word of the language.",
    ),
    slip(r"choose (\d+(?:\.\.\d+)?) in (.+)", r"choose \1 x in \2", "What is chosen needs a name."),
    slip(
        rf"choose ({WORD}), ?({WORD}) in (.+)",
        "",
        r"Each decision is a line of its own: `choose \1 in \3`. Several sites at once are"
        r" `choose 2 x in \3`.",
    ),
    slip(rf"(choose {WORD} in )(.+?)( where .*)?", _and, _JOINED),
    slip(r"(for each \w+ in )(.+?)( where .*)?", _and, _JOINED),
)
"""What one line of a turn means that begins with `choose`."""


# ----------------------------------------------------------------- slips of statements about pieces

_DIRECTION = (
    r"((?:north|south)(?:east|west)?|east|west|(?:up|down)(?:_\w+)?|(?:for|back)wards?|left|right)"
)
_ARTICLE = r"(?:an?|the|one|new|a new|another)"
_MOVED = "A piece is moved by `move A to B`."
_REMOVED = "Pieces are taken off by `remove S`."
_PLACED = "A piece is put on sites by `place P at S`."
_CHANGED = "Pieces become others by `change S to P`."

PIECES = (
    slip(r"(\w+) ?(?:->|=>|-->|→) ?(\w+)", r"move \1 to \2", _MOVED),
    slip(
        r"(if .+? )set ([a-z]) to ([A-Z]\w*)",
        r"\1change \2 to \3",
        _CHANGED,
    ),
    slip(
        r"remove (?:the )?(?:jumped|captured|leaped|hopped|jumped-over)\b.*",
        "",
        "What is jumped over is told by where it stands, as in `remove between(s, t) & enemy`.",
    ),
    slip(
        r"(?:remove|flip|take|capture) (?:all |any |every |each |the )*(?:(own|enemy) )?"
        r"([A-Z]\w*?)?s? between (\w+) and (\w+)",
        lambda m: (
            f"{'flip' if m[0].startswith('flip') else 'remove'} between({m[3]}, {m[4]})"
            + "".join(f" & {part}" for part in (m[1], m[2]) if part)
        ),
        "The sites between two sites are `between(s, t)`.",
    ),
    slip(
        r"(?:pick up|lift|grab|pick) (\w+) (?:pieces? |discs? |stones? )?(?:from|of) (\w+)",
        "",
        r"As many from the top of a pile are moved at once: `move \1 of \2 onto t`.",
    ),
    slip(
        r"(\w+)\.(?:move_to|moveTo|move|go_to|goto|jump_to|step_to)\((\w+)\)",
        r"move \1 to \2",
        _MOVED,
    ),
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
)
"""What a line of a turn means that is about pieces."""


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
