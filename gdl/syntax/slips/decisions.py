"""Slips of decisions: what is chosen, as other languages, or plain English, have it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.syntax.slips.patterns import WORD, slip
from gdl.syntax.slips.wording import ARGUMENTS, CALL, DIRECTIONS, EACH_DECISION, PASS, WHERE
from gdl.syntax.slips.wording import NAME_OR_CALL as _TERM

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
