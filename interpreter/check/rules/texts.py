"""What a file says in words, held against its rules.

In: the texts of a game: `about`, `rules`, and the captions of clauses, definitions and variables.
Out: notes. What then holds: the words that are told stand in a text of the file, and no rule has
what they speak of. English words are understood, and few of them: what is not said plainly is not
held against the rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.codes import Code
from gdl.core.nodes import Assign, AssignAt, Op
from gdl.core.walk import program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping, Node, Scalar, Sequence
from gdl.model import Game
from interpreter.check.places import (
    key_or_file_span,
    key_span,
    note,
    rule_texts,
    turn_span,
    without_comments,
)

_NUMBERS = {
    **{"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10},
    **{"twelve": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100},
}
_AGAIN = re.compile(
    r"\b(?:draws|plays|moves|throws|goes|on turn|turn) again\b|\banother (?:turn|move)\b"
)
_DRAWN = re.compile(r"\b(?:is|are) (?:a )?draws?\b|\b(?:is|are) drawn\b")
_NOT_DRAWN = re.compile(r"\b(?:no|never|cannot|can't)\b[^.;]*\bdraws?n?\b", re.IGNORECASE)
_MOST = re.compile(r"\b(?:most|highest|largest|greatest)\b", re.IGNORECASE)
_LEAST = re.compile(r"\b(?:least|lowest|smallest|fewest|fewer|less)\b", re.IGNORECASE)
_ROW = re.compile(rf"\b({'|'.join(_NUMBERS)}|\d+)\b(?: \w+){{0,4}}? in a row\b", re.IGNORECASE)
_IN_A_ROW = re.compile(r"\bin_a_row\(\s*\w+,\s*(\d+)\s*\)")
_NUMBER = re.compile(rf"\b({'|'.join(_NUMBERS)}|\d+)\b", re.IGNORECASE)
_BOUND = re.compile(
    rf"\b(fewer than|less than|at most|more than|at least) ({'|'.join(_NUMBERS)}|\d+)\b",
    re.IGNORECASE,
)
_LIMIT = re.compile(r"([<>]=?)\s*(\d+)(?![\w.])")
_STRICT = ("fewer than", "less than", "more than", "<", ">")
_FROM_ABOVE = ("fewer than", "less than", "at most", "<", "<=")
_DIGITS = re.compile(r"(?<![\w.])\d+(?![\w.])")
_STUCK_LOSES = re.compile(
    r"\b(?:can't|cannot)(?: (?:move|go on|play))?\b,?[^.;:]{0,30}?\bloses\b"
    r"|\b(?:no room|without a move|no (?:legal )?moves?|has none(?: left)?)\b[^.;]*\bloses\b"
)
_OF_EACH = re.compile(r"\bmoves (?:of|by) each (?:side|player)\b")
_SINCE = re.compile(r"\b(?:since|without|in a row)\b")
_PROGRAMS = ("turn", "phases", "actions")
_ENDS = ("end", "stuck", "phases")


def check_captions(game: Game) -> Iterator[Diagnostic]:
    """Yield where texts and rules say different things."""
    about = _said(game)
    if about is not None:
        yield from _results(game, about)
        yield from _turns(game, about)
        yield from _rows(game, about)
        yield from unmade_captures(game, about)
    yield from _clauses(game)
    yield from told_of_the_other(game)
    yield from misquantified(game)
    yield from _never_set_back(game)


def _said(game: Game) -> Span | None:
    """Return the text that tells of the whole game."""
    for key in ("rules", "about"):
        node = game.document.get(key)
        if isinstance(node, Scalar):
            return node.span
    return None


def _code(game: Game, *keys: str) -> str:
    """Return the texts of some sections, without comments."""
    nodes = (game.document.get(key) for key in keys)
    return "\n".join(without_comments(node.span.text) for node in nodes if node is not None)


def _line(span: Span) -> str:
    """Return a text without the breaks of its lines."""
    return " ".join(span.text.split())


def _told(message: str, place: Span, about: Span, *added: Span) -> Diagnostic:
    return note(
        Code.TEXT_DIFFERS,
        message,
        place,
        "Mend the rule, or the text.",
        (
            ("The text says so here.", about),
            *(("It is added to here.", span) for span in added),
        ),
    )


def _results(game: Game, about: Span) -> Iterator[Diagnostic]:
    text, ends = _line(about), _code(game, *_ENDS)
    for key in ("end", "stuck"):
        for clause in rule_texts(game.document.get(key)):
            if "lowest" in clause.text and _MOST.search(text) and not _LEAST.search(text):
                yield _told(
                    "What is lowest counts here, and the text speaks of what is highest.",
                    clause.span,
                    about,
                )
    stuck = list(rule_texts(game.document.get("stuck")))
    if _STUCK_LOSES.search(text) and not any("loses" in clause.text for clause in stuck):
        for clause in stuck:
            if "wins" in clause.text:
                yield _told("The text says that who can't move loses.", clause.span, about)
    wins = re.search(r"\bwins?\b", text) and not re.search(r"\bloses?\b", text)
    if wins and not re.search(r"\b(?:wins|highest|lowest)\b", ends):
        for clause in rule_texts(game.document.get("end")):
            if "loses" in clause.text:
                yield _told("The text says who wins, and this who loses.", clause.span, about)
    if _DRAWN.search(_NOT_DRAWN.sub("", text)) and not re.search(r"\bdraw\b", ends):
        place = key_or_file_span(game, "end", "stuck", "game")
        yield _told("The text speaks of a draw, and no clause has one.", place, about)


def _turns(game: Game, about: Span) -> Iterator[Diagnostic]:
    if _AGAIN.search(_line(about)) and not re.search(
        r"\b(?:again|next)\b", _code(game, *_PROGRAMS)
    ):
        yield _told(
            "The text says that a side is on turn again, and no turn says `again` or `next`.",
            turn_span(game),
            about,
        )


def _rows(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield rows of another length than the text speaks of, where that is said in digits."""
    said = {_number(found[1]) for found in _ROW.finditer(_line(about))}
    for key in ("end", "define", "turn"):
        node = game.document.get(key)
        if node is None or not said:
            continue
        for found in _IN_A_ROW.finditer(node.span.text):
            if int(found[1]) not in said:
                place = node.span
                yield _told(
                    f"This asks for {found[1]} in a row, and the text speaks of"
                    f" {' and '.join(map(str, sorted(said)))}.",
                    Span(place.source, place.start + found.start(), place.start + found.end()),
                    about,
                )


def _clauses(game: Game) -> Iterator[Diagnostic]:
    """Yield the clauses whose captions name a number that they don't have."""
    for key in ("end", "stuck"):
        for clause, says in captioned(game.document.get(key)):
            there = {int(found) for found in _DIGITS.findall(without_comments(clause.text))}
            said = {_number(found[1]) for found in _NUMBER.finditer(_line(says))}
            if _is_another_bound(without_comments(clause.text), _line(says)):
                yield _told(
                    "The caption of this clause says where another number begins or ends.",
                    clause,
                    says,
                )
                continue
            # Of each side is twice as many of both; fewer than three is two at most.
            meant = {value for n in said for value in (n, 2 * n, n - 1, n + 1)}
            if _OF_EACH.search(_line(says)):
                meant = {value for n in said for value in (2 * n - 1, 2 * n, 2 * n + 1)}
            if there and said and not there & meant:
                yield _told(
                    "The caption of this clause names a number that it does not have.",
                    clause,
                    says,
                )


def _is_another_bound(code: str, says: str) -> bool:
    """Return whether a caption says `fewer than 3`, and a clause another bound of that kind."""
    told, there = _BOUND.findall(says), _LIMIT.findall(code)
    if len(told) != 1 or len(there) != 1:
        return False
    (word, number), (sign, digits) = told[0], there[0]
    word = word.lower()
    if (word in _FROM_ABOVE) != (sign in _FROM_ABOVE):
        return False
    return _outermost(word, _number(number)) != _outermost(sign, int(digits))


def _outermost(word: str, number: int) -> int:
    """Return the largest or smallest number that is meant."""
    if word not in _STRICT:
        return number
    return number - 1 if word in _FROM_ABOVE else number + 1


def _never_set_back(game: Game) -> Iterator[Diagnostic]:
    """Yield counters of what has happened since something, which nothing ever sets back."""
    assigned: dict[str, list[bool]] = {}
    places: dict[str, dict[Span, None]] = {}
    for statement in program_statements(game.program):
        if isinstance(statement, Assign | AssignAt):
            is_added = isinstance(statement.value, Op) and statement.value.name == "add"
            assigned.setdefault(statement.slot.name, []).append(is_added)
            if statement.span is not None:
                places.setdefault(statement.slot.name, {})[statement.span] = None
    captions = game.document.get("display")
    place = captions.get("captions") if isinstance(captions, Mapping) else None
    for name, caption in game.looks.captions.items():
        slot = game.state_slots.get(name)
        if slot is None or slot.span is None or not _SINCE.search(caption):
            continue
        if assigned.get(name) and all(assigned[name]):
            yield _told(
                f"`{name}` is never set back, and its caption says since when it counts.",
                slot.span,
                place.span if place is not None else key_span(game, "display") or slot.span,
                *places.get(name, ()),
            )


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


# ---- captures that the text speaks of and no rule makes, and captions that speak of the wrong side

_TEXTS_OF_DEEDS = ("turn", "phases", "actions", "together")
_CAPTURED = re.compile(
    r"(?<!to )\b(?:captur(?:e[sd]?|ing)|(?:is|are) (?:removed|taken(?: off)?))\b", re.IGNORECASE
)
_NEGATED = re.compile(r"\b(?:no|not|never|nothing|without|cannot|can't|nobody)\b", re.IGNORECASE)
_TAKES = re.compile(r"\b(?:remove|flip|change|hand|shift|swap|take|keep)\b")
_PUTS = re.compile(r"\b(?:place|move)\b")
_CHOICE = re.compile(r"\bchoose\s+(?:\w+\s+)*?in\b([^\n]*)")
_FROM = re.compile(r"^\s*own\b")
_SIDES = {"own": "own", "mover": "own", "enemy": "enemy"}
_OTHER_SIDES = re.compile(r"\b(?:following|preceding)\b")
_ENEMY_HAS = re.compile(r"the enemy (?:has|owns|holds)\b", re.IGNORECASE)
_OWN_HAS = re.compile(r"\{own\} (?:has|owns|holds)\b")
_CLAUSE = re.compile(r"^\s*(?:mover|any)\s+(?:wins|loses)\b.*?\bwhen\b(.*)", re.DOTALL)


def unmade_captures(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield that a text speaks of captures, where turns only bring pieces to empty sites."""
    said = next(filter(_is_capture, re.split(r"[.;:]", about.text)), None)
    code = "\n".join(
        without_comments(node.span.text)
        for node in map(game.document.get, _TEXTS_OF_DEEDS)
        if node is not None
    )
    if said is None or not _PUTS.search(code) or _TAKES.search(code):
        return
    choices = [choice for choice in _CHOICE.findall(code) if not _FROM.search(choice)]
    if choices and all(re.search(r"\bempty\b", one) and "|" not in one for one in choices):
        yield note(
            Code.TEXT_DIFFERS,
            "The text speaks of what is captured, and no turn takes a piece.",
            turn_span(game),
            "Mend the rule, or the text.",
            (("The text says so here.", about),),
        )


def _is_capture(sentence: str) -> bool:
    return bool(_CAPTURED.search(sentence)) and not _NEGATED.search(sentence)


def told_of_the_other(game: Game) -> Iterator[Diagnostic]:
    """Yield clauses that ask for what one side has where their captions say that the other has it.

    Who has taken all leaves the enemy none: so `own` is only held against what is kept of a side.
    """
    kept = {name.partition("(")[0] for name in game.state_slots}
    for key in ("end", "stuck"):
        for clause, says in captioned(game.document.get(key)):
            found = _CLAUSE.match(without_comments(clause.text))
            if found is None or _OTHER_SIDES.search(found[1]):
                continue
            asked = {_SIDES[word] for word in re.findall(r"\b(own|mover|enemy)\b", found[1])}
            is_kept = any(name in kept for name in re.findall(r"(\w+)\(enemy\b", found[1]))
            said = says.text.strip("\"'")
            if asked == {"own"} and _ENEMY_HAS.match(said):
                told = "has, and its caption says that the enemy has it"
            elif asked == {"enemy"} and is_kept and _OWN_HAS.match(said):
                told = "has, and its caption says that `own` has it"
            else:
                continue
            yield note(
                Code.TEXT_DIFFERS,
                f"This asks for what `{asked.pop()}` {told}.",
                clause,
                "Mend the rule, or the text.",
                (("The text says so here.", says),),
            )


# ------------------- captions that speak of all, and rules that ask for one, or the other way round

_ALL_SAID = re.compile(r"\b(?:all|every)\b(?! the time)", re.IGNORECASE)
_ONE_SAID = re.compile(r"^(?:an? (?:side|player)\b|some\b|one of\b|any of\b)", re.IGNORECASE)
_SOME = re.compile(r"\bsome\s+\w+\s+in\b")
_EVERY = re.compile(r"\bevery\s+(?:\w+\s+)+?in\b")
_OTHERS_FOR_ALL = re.compile(r"\b(?:every|no|all|not|count|max|min|sum)\b")
_OTHERS_FOR_ONE = re.compile(r"\b(?:some|no|not|count|or)\b")


def misquantified(game: Game) -> Iterator[Diagnostic]:
    """Yield the rules that ask for one where their captions say all, or for all where one."""
    for section in ("end", "stuck", "define", "regions", "relations"):
        for rule, says in captioned(game.document.get(section)):
            code, said = rule.text, " ".join(says.text.strip("\"'").split())
            is_one = _ALL_SAID.search(said) and _SOME.search(code)
            is_all = _ONE_SAID.search(said) and _EVERY.search(code)
            if is_one and not _OTHERS_FOR_ALL.search(code):
                yield _one_for_all(
                    "The caption says that it is so of all, and this asks for one.", rule, says
                )
            elif is_all and not _OTHERS_FOR_ONE.search(code):
                yield _one_for_all(
                    "The caption speaks of one, and this asks for every one.", rule, says
                )


def captioned(node: Node | None) -> Iterator[tuple[Span, Span]]:
    """Yield the rules in a part of a file that have captions, with these."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from captioned(item)
    elif isinstance(node, Mapping):
        rule, says = node.get("clause") or node.get("is"), node.get("says")
        if rule is not None and says is not None:
            yield rule.span, says.span
        else:
            for _, value in node.entries:
                yield from captioned(value)


def _one_for_all(message: str, rule: Span, says: Span) -> Diagnostic:
    return note(
        Code.TEXT_DIFFERS,
        message,
        rule,
        "Mend the rule, or the text.",
        (("The text says so here.", says),),
    )
