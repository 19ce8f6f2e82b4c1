"""Slips of statements about pieces: how they are moved, taken off, changed and put on sites."""

from __future__ import annotations

from gdl.syntax.slips.patterns import WORD, slip
from gdl.syntax.slips.wording import PILE, STEPS

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
