"""What a file says in words, held against its rules.

In: the texts of a game: `about`, `rules`, and the captions of clauses and variables.
Out: notes. What then holds: the words that are told stand in a text of the file, and no rule has
what they speak of. English words are understood, and few of them: what is not said plainly is not
held against the rules.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator

from gdl.board.relation import bits
from gdl.codes import Code
from gdl.core.nodes import Assign, AssignAt, Ending, Op
from gdl.core.types import NUMBER
from gdl.core.walk import program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping, Node, Scalar, Sequence
from gdl.interpreter.check.definitions import words_in
from gdl.interpreter.check.places import (
    RULES,
    key_or_file_span,
    key_span,
    note,
    parsed_rules,
    rule_texts,
    statements_by_place,
    turn_span,
    without_comments,
)
from gdl.interpreter.english import does
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in

_NUMBERS = {
    **{"three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10},
    **{"twelve": 12, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100},
}
_SIZES = {**{"one": 1, "two": 2, "eleven": 11, "thirteen": 13, "fourteen": 14}, **_NUMBERS}
_SIZES |= {"fifteen": 15, "sixteen": 16, "eighteen": 18}
SIZE = rf"({'|'.join(_SIZES)}|\d+)"
_BY = re.compile(
    rf"\b(?<! by )(?<! x ){SIZE}(?: by | ?[x×] ?){SIZE}\b(?! by | x )"
    r"(?= (?:\w+ )?(?:squares?|cells|points|fields|board|grid)\b)",
    re.IGNORECASE,
)
_OF_BOARD = re.compile(
    rf"\bboard (?:has|is|of)(?: \w+)? {SIZE}(?: by | ?[x×] ?){SIZE}\b", re.IGNORECASE
)
_WIDE = re.compile(rf"\b{SIZE}(?: squares| cells)? (?:columns|files|wide)\b", re.IGNORECASE)
_HIGH = re.compile(rf"\b{SIZE}(?: squares| cells)? (?:rows|ranks|high|deep)\b", re.IGNORECASE)
_SQUARE = re.compile(r"square\((?P<wide>[^(),]+),(?P<high>[^(),]+)\)")
_EACH_HAS = re.compile(
    rf"\beach (?:side|player) (?:has|begins with|starts with|plays with) {SIZE} (\w+)\b",
    re.IGNORECASE,
)
_ANY_PIECES = ("pieces", "men", "stones", "discs", "checkers", "counters", "tokens", "marbles")
_TURNED = re.compile(
    r"\b(?:flip(?:s|ped)?|turn(?:s|ed|ing)? over|(?:is|are) turned(?! up| round| about| by)"
    r"|chang\w+ (?:sides?|colou?rs?))\b",
    re.IGNORECASE,
)
_CAPTURED = re.compile(r"\bcaptur(?:e|es|ed|ing)\b", re.IGNORECASE)
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
_LIMIT = re.compile(r"([<>]=?)\s*(\d+)(?![\w.])")
_DIGITS = re.compile(r"(?<![\w.])\d+(?![\w.])")
_STUCK = re.compile(
    r"\b(?:can(?:'t|not| not)(?: (?:move|go on|play)\b|,?(?= loses\b))|no room\b"
    r"|has none(?: left)?\b|(?:without a|no)(?: legal)? moves?(?: left)?\b|stalemate\b)"
    r"(?P<between>[^.;:]{0,40}?)\b(?P<what>loses|wins|passes|draws?|drawn)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(r"\b(?:not|never|nobody|neither|unless)\b|n't\b", re.IGNORECASE)
_EXCEPTED = re.compile(r"\b(?:unless|except)\b", re.IGNORECASE)
_OTHER_SIDE = re.compile(r"\b(?:other|others|opponent|enemy|rival)\b", re.IGNORECASE)
_LEAVES = re.compile(r"\bleav(?:es|ing)(?: \w+){1,3} $", re.IGNORECASE)
_OF_EACH = re.compile(r"\bmoves (?:of|by) each (?:side|player)\b")
_TIMES_IN_A_ROW = re.compile(
    r"\b(?:once|twice|times|turns|moves|throws)(?: each)? in (?:a row|succession)\b", re.IGNORECASE
)
_SINCE = re.compile(r"\b(?:since|without|in a row)\b")
_PROGRAMS = ("turn", "phases", "actions")
_NUMBERING = (*_PROGRAMS, "define", "options", "state", "setup", "end", "stuck")
_ENDS = ("end", "stuck", "phases")


def check_captions(game: Game) -> Iterator[Diagnostic]:
    """Yield where texts and rules say different things."""
    for about in texts_of_game(game):
        yield from _results(game, about)
        yield from _stuck(game, about)
        yield from _goals(game, about)
        yield from _turns(game, about)
        yield from _rows(game, about)
        yield from _sizes(game, about)
        yield from _pieces_of_each(game, about)
        yield from _fates(game, about)
        yield from _bounds(game, about)
    yield from _next_numbers(game)
    yield from _clauses(game)
    yield from _joining(game)
    yield from _quantities(game)
    yield from _never_set_back(game)


def texts_of_game(game: Game) -> Iterator[Span]:
    """Yield the texts that tell of the whole game."""
    for key in ("rules", "about"):
        node = game.document.get(key)
        if isinstance(node, Scalar):
            yield node.span


def code_of(game: Game, *keys: str) -> str:
    """Return the texts of some sections, without comments."""
    nodes = (game.document.get(key) for key in keys)
    return "\n".join(without_comments(node.span.text) for node in nodes if node is not None)


def _line(span: Span) -> str:
    """Return a text without the breaks of its lines."""
    return " ".join(span.text.split())


def text_differs(message: str, place: Span, about: Span, *added: Span) -> Diagnostic:
    """Return a note at a rule that a text says something else, with places that add to it."""
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
    text, ends = _line(about), code_of(game, *_ENDS)
    for key in ("end", "stuck"):
        for clause in rule_texts(game.document.get(key)):
            if "lowest" in clause.text and _MOST.search(text) and not _LEAST.search(text):
                yield text_differs(
                    "What is lowest counts here, and the text speaks of what is highest.",
                    clause.span,
                    about,
                )
    wins = re.search(r"\bwins?\b", text) and not re.search(r"\bloses?\b", text)
    if wins and not _EXCEPTED.search(text) and not re.search(r"\b(?:wins|highest|lowest)\b", ends):
        for clause in rule_texts(game.document.get("end")):
            if "loses" in clause.text:
                yield text_differs(
                    "The text says who wins, and this who loses.", clause.span, about
                )
    if _DRAWN.search(_NOT_DRAWN.sub("", text)) and not re.search(r"\bdraw\b", ends):
        place = key_or_file_span(game, "end", "stuck", "game")
        yield text_differs("The text speaks of a draw, and no clause has one.", place, about)


def _stuck(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield where the text says of a side that can't move what no clause of `stuck` has."""
    clauses = [ending for turn in game.program.turns for ending in turn.stuck]
    found = _STUCK.search(_line(about))
    if found is None or not clauses or _NEGATED.search(found["between"]):
        return
    what = _RESULTS.get(found["what"].lower(), "draw")
    if _OTHER_SIDE.search(found["between"]) or _LEAVES.search(found.string[: found.start()]):
        what = _OPPOSITE.get(what, what)
    if any(ending.kind in (what, "highest", "lowest") for ending in clauses):
        return
    if any(_is_for_others(ending, what, len(game.sides)) for ending in clauses):
        return
    span = next((ending.span for ending in clauses if ending.span is not None), None)
    if span is not None:
        yield text_differs(f"The text says that who can't move {_SAID[what]}.", span, about)


def speaks_of_stuck(game: Game) -> bool:
    """Return whether the text of a game tells what becomes of who can't move."""
    return any(_STUCK.search(_line(about)) for about in texts_of_game(game))


_RESULTS = {"loses": "loses", "wins": "wins", "passes": "passes"}
_OPPOSITE = {"loses": "wins", "wins": "loses"}
_SAID = {"loses": "loses", "wins": "wins", "passes": "passes", "draw": "draws"}


def _is_for_others(ending: Ending, what: str, sides: int) -> bool:
    """Return whether a clause names the winner among two, where the text names the loser."""
    return sides == 2 and ending.kind == _OPPOSITE.get(what) and _names_side(ending)


def _names_side(ending: Ending) -> bool:
    """Return whether a clause of `stuck` says whom it is for."""
    return ending.span is not None and not ending.span.text.startswith(ending.kind)


EDGES = {
    **dict.fromkeys(("top", "bottom", "north", "south"), "up"),
    **dict.fromkeys(("left", "right", "west", "east"), "across"),
}
"""Words for edges of the board, by the pair that they are of."""


def _goals(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield two goals of which the text says each of the other side: `White joins top and bottom`.

    Only pairs of opposite edges are understood.
    """
    if len(game.sides) != 2:
        return
    said = _said_of_edges(re.split(r"[.;,]", _line(about)), game.sides)
    clauses: dict[str, tuple[str, Span]] = {}
    for clause in rule_texts(game.document.get("end")):
        side, _, rest = clause.text.partition(" wins when ")
        pairs = _edges_in(rest)
        if side in game.sides and len(pairs) == 1:
            clauses.setdefault(side, (pairs.pop(), clause.span))
    if set(said) == set(clauses) == set(game.sides) and len(set(said.values())) == 2:
        one, other = game.sides
        if (said[one], said[other]) == (clauses[other][0], clauses[one][0]):
            for side in game.sides:
                _, span = clauses[side]
                yield text_differs(
                    f"The text gives this goal to the other side, not to {side}.", span, about
                )


def _said_of_edges(texts: Iterable[str], sides: Collection[str]) -> dict[str, str]:
    """Return which pair of edges is said of each side, where a text names one side and one pair."""
    found: dict[str, set[str]] = {}
    for text in texts:
        named, pairs = set(re.findall(r"\w+", text)) & set(sides), _edges_in(text)
        if len(named) == len(pairs) == 1:
            found.setdefault(named.pop(), set()).update(pairs)
    return {side: pairs.pop() for side, pairs in found.items() if len(pairs) == 1}


def _edges_in(text: str) -> set[str]:
    """Return the pairs of edges that a text names."""
    return {EDGES[word] for word in re.findall(r"\w+", text.lower()) if word in EDGES}


def _turns(game: Game, about: Span) -> Iterator[Diagnostic]:
    if _AGAIN.search(_line(about)) and not re.search(
        r"\b(?:again|next)\b", code_of(game, *_PROGRAMS)
    ):
        yield text_differs(
            "The text says that a side is on turn again, and no turn says `again` or `next`.",
            turn_span(game),
            about,
        )


def _rows(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield rows of another length than the text speaks of, where that is said in digits."""
    said, by_all = (
        {size_of(found[1]) for text in texts for found in _ROW.finditer(_line(text))}
        for texts in ([about], texts_of_game(game))
    )
    for key in ("end", "define", "turn"):
        node = game.document.get(key)
        if node is None or not said:
            continue
        for found in _IN_A_ROW.finditer(node.span.text):
            if int(found[1]) not in by_all:
                yield text_differs(
                    f"This asks for {found[1]} in a row, and the text speaks of"
                    f" {' and '.join(map(str, sorted(said)))}.",
                    part_of(node.span, found),
                    about,
                )


def _sizes(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield that the text speaks of a board of squares as wide as this one is high, or the like.

    It is one of so many squares by so many, or of so many columns and so many rows.
    """
    board, text = game.document.get("board"), _line(about)
    squares = None if board is None else _SQUARE.search(without_comments(board.span.text))
    if board is None or squares is None or any(s.kind != "cell" for s in game.board.sites):
        return
    pairs = _OF_BOARD.findall(text) or _BY.findall(text)
    said = {(size_of(one), size_of(other)) for one, other in pairs}
    columns, rows = (set(map(size_of, of.findall(text))) for of in (_WIDE, _HIGH))
    if len(columns) == len(rows) == 1:
        said.add((columns.pop(), rows.pop()))
    sites = game.board.sites
    is_now = max(site.column for site in sites), max(site.row for site in sites)
    if len(said) == 1 and is_now not in said:
        (meant,) = said
        yield text_differs(
            f"This board has {is_now[0]} columns and {is_now[1]} rows, and the text speaks of"
            f" {meant[0]} by {meant[1]}.",
            part_of(board.span, squares),
            about,
        )


def _pieces_of_each(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield that the text gives each side another number of pieces than it begins with."""
    at_start = _pieces_at_start(game)
    numbers = [int(found) for found in _DIGITS.findall(code_of(game, *_NUMBERING))]
    for number, word in _EACH_HAS.findall(_line(about)):
        kinds = [k for k, kind in enumerate(game.kinds) if _is_of(word, kind)]
        if word.lower() in _ANY_PIECES and not kinds:
            kinds = list(range(len(game.kinds)))
        for name, of_side in zip(game.sides, at_start or (), strict=False) if kinds else ():
            there, in_hand = (sum(of[kind] for kind in kinds) for of in of_side)
            message = f"{does([name], 'begins')} with {there + in_hand} {word}"
            if not there + in_hand:
                message = f"No rule gives {name} a number of {word}"
                if game.hands or sum(numbers) >= size_of(number):
                    continue
            if size_of(number) not in (there, in_hand, there + in_hand):
                yield text_differs(
                    f"{message}, and the text says {number}.",
                    key_or_file_span(game, "setup" if there else "hands", "pieces", "players"),
                    about,
                )
                break


def _pieces_at_start(game: Game) -> list[tuple[Counter[int], Counter[int]]] | None:
    """Return how many pieces of each kind each side begins with on the board, and in its hand.

    Of piles of which the rules ask for the height alone, that is not known: None.
    """
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    layers = {layer.slot: layer for layer in game.layers}
    there = [Counter[int]() for _ in game.sides]
    for layer in game.layers:
        sites = at_start[layer.slot]
        for site in bits(sites) if isinstance(sites, int) else ():
            pile = (
                (layer.slot,) if game.piles is None else game.piles.pile(at_start, site, layer.slot)
            )
            for slot in pile:
                if slot is None:
                    return None
                if (side := layers[slot].side) is not None:
                    there[side][layers[slot].kind] += 1
    in_hand = [Counter[int]() for _ in game.sides]
    for held, name in zip(in_hand, game.sides, strict=True):
        for kind, slot in game.hands.get(name, {}).items():
            number = at_start[slot]
            held[game.kinds.index(kind)] += number if isinstance(number, int) else 0
    return list(zip(there, in_hand, strict=True))


def _fates(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield that the text has pieces turned, or captured, and that no statement does so."""
    written = statements_by_place(game).values()
    has_pieces = any(isinstance(one, t.Place | t.MovePiece | t.Remove) for one in written)
    if not has_pieces or game.hands or game.piles is not None:
        return
    text = _line(about)
    if _TURNED.search(text) and not any(isinstance(one, t.Flip | t.Change) for one in written):
        yield text_differs(
            "The text says that pieces are turned, and no statement flips or changes one.",
            turn_span(game),
            about,
        )
    taking = (t.Remove, t.Flip, t.Change, t.MovePiece)
    if _CAPTURED.search(text) and not any(isinstance(one, taking) for one in written):
        yield text_differs(
            "The text says that pieces are captured, and no statement takes one.",
            turn_span(game),
            about,
        )


def _is_of(word: str, kind: str) -> bool:
    """Return whether a word is the name of a kind, or more than one of it."""
    return word.lower() in (f"{kind}{end}".lower() for end in ("", "s", "es"))


def size_of(word: str) -> int:
    """Return the number that a word is, one of those that `SIZE` finds."""
    return int(word) if word.isdigit() else _SIZES[word.lower()]


def part_of(span: Span, found: re.Match[str]) -> Span:
    """Return where in a place something was found."""
    return Span(span.source, span.start + found.start(), span.start + found.end())


def _clauses(game: Game) -> Iterator[Diagnostic]:
    """Yield the clauses whose captions name a number that they don't have.

    Of definitions, only another bound is told.
    """
    for key in ("end", "stuck", "define"):
        for clause, says in _captioned(game.document.get(key)):
            code = without_comments(clause.text)
            there = {int(found) for found in _DIGITS.findall(code)}
            said = {size_of(found[1]) for found in _NUMBER.finditer(_line(says))}
            if is_other := _is_another_bound(code, _line(says)):
                yield text_differs(
                    "The caption of this rule says where another number begins or ends.",
                    clause,
                    says,
                )
            if key == "define" or is_other:
                continue
            # Of each side is twice as many of both; fewer than three is two at most.
            meant = {value for n in said for value in (n, 2 * n, n - 1, n + 1)}
            if _OF_EACH.search(_line(says)):
                meant = {value for n in said for value in (2 * n - 1, 2 * n, 2 * n + 1)}
            if there and said and not there & meant:
                yield text_differs(
                    "The caption of this clause names a number that it does not have.",
                    clause,
                    says,
                )


_JOINING, _JOINED = re.compile(r"\b(?:and|or)\b"), re.compile(r", (and|or)\b")
_DENIES = r"\b(?:not|none|never|neither|nor|without|unless|but|if|else)\b|n't\b|\|"
_OTHERWISE, _OTHERWISE_SAID = (
    re.compile(rf"{_DENIES}|\bno\b"),
    re.compile(rf"{_DENIES}|\bno\b.*,"),
)


def _joining(game: Game) -> Iterator[Diagnostic]:
    """Yield the rules that join by `and` what their captions join by ", or", or turned about.

    Where a rule or its caption denies something, or joins sets, either may be right.
    """
    for key in ("define", "end", "stuck"):
        for rule, says in _captioned(game.document.get(key)):
            code, caption = without_comments(rule.text), _line(says)
            if _OTHERWISE.search(code) or _OTHERWISE_SAID.search(caption):
                continue
            used, said = set(_JOINING.findall(code)), set(_JOINED.findall(caption))
            are_clear = len(used) == 1 and said == set(_JOINING.findall(caption))
            if (
                are_clear
                and len(said) == 1
                and used != said
                and (said == {"or"} or "&" not in code)
            ):
                yield text_differs(
                    f'This joins by `{used.pop()}` what its caption joins by "{said.pop()}".',
                    rule,
                    says,
                )


_NUMERAL = re.compile(rf"\b({'|'.join({*_SIZES, 'twice'} - {'one'})}|\d+)\b", re.IGNORECASE)
_NO_RULES = ("about", "rules", "examples", "display", "source", "author", "year", "also", "game")
_CONSTANT = re.compile(r"\s*(\d+)(?=\s*$|\s+in\b)")
_FROM_NEXT = re.compile(r"(?:>|<=)\s*(\d+)(?![\w.])")
_COMPARED = re.compile(r"[<>=]\s*(\d+)(?![\w.])")


def _next_numbers(game: Game) -> Iterator[Diagnostic]:
    """Yield a constant that is one more or less than a number of the text that no rule has."""
    texts = list(texts_of_game(game))
    said = {
        2 if word.lower() == "twice" else size_of(word)
        for text in texts
        for word in _NUMERAL.findall(_line(text))
    }
    there = set[int]()
    for key, node in game.document.entries:
        code = "" if key.text in _NO_RULES else without_comments(node.span.text)
        there.update(map(int, _DIGITS.findall(code)))
        there.update(int(number) + 1 for number in _FROM_NEXT.findall(code))
    for place, number in _constants(game) if said - there else ():
        near = {one for one in said - there if abs(one - number) == 1 and one > 1}
        if len(near) == 1 and number not in said:
            yield text_differs(
                f"This is {number}; the text says {near.pop()}, which no rule has.", place, texts[0]
            )


def _constants(game: Game) -> Iterator[tuple[Span, int]]:
    """Yield the numbers that stand for themselves, and those that clauses and variables have."""
    for key in ("define", "options", "hands"):
        section = game.document.get(key)
        for _, value in section.entries if isinstance(section, Mapping) else ():
            body = value.get("default") if isinstance(value, Mapping) else value
            if isinstance(body, Scalar) and (found := _CONSTANT.match(body.text)):
                yield body.span, int(found[1])
    for key in ("end", "state"):
        for text in rule_texts(game.document.get(key)):
            for number in _COMPARED.findall(without_comments(text.text)):
                if int(number) > 2:  # smaller ones are said in other words
                    yield text.span, int(number)


PLACEHOLDER = re.compile(r"\{[^}]*\}")
_OF_ALL = re.compile(r"\s*(?:no|none|every|all|each)\b(?! more| longer)|.*\b(?:every|all)\b", re.I)


def _quantities(game: Game) -> Iterator[Diagnostic]:
    """Yield the rules that ask for `some` of what their captions say of all, or of none."""
    for key in ("define", "end"):
        for rule, says in _captioned(game.document.get(key)):
            _, _, condition = without_comments(rule.text).rpartition(" when ")
            first = words_in(condition)[:1]
            found = _OF_ALL.match(PLACEHOLDER.sub("", _line(says)))
            if found is not None and first == ("some",) and "," not in says.text:
                yield text_differs(
                    f'This asks for `some`, and its caption says "{words_in(found[0])[-1]}".',
                    rule,
                    says,
                )


def _is_another_bound(code: str, says: str) -> bool:
    """Return whether a caption says `fewer than 3`, and a rule another bound of that kind."""
    told, there = list(_CUT.finditer(says)), _LIMIT.findall(code)
    if len(told) != 1 or len(there) != 1:
        return False
    (sign, digits), (number, is_above) = there[0], _cut_of(told[0])
    between = number + is_above  # the smallest number on the upper side
    return abs(number - int(digits)) <= 1 and between != int(digits) + (sign in _ABOVE)


_CUT = re.compile(
    rf"\b(?P<word>fewer than|less than|at most|up to|more than|at least|over) (?P<number>{SIZE})\b"
    rf"|\b(?P<before>{SIZE})(?: \w+)? or (?P<after>more|fewer|less)\b",
    re.IGNORECASE,
)
_ABOVE = ("at most", "up to", "more than", "over", "fewer", "less", ">", "<=")
"""What tells a number from the next greater one; all others, from the next smaller."""
_COMPARING = ("<", ">", "<=", ">=")
_TURNED_ROUND = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def _bounds(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield the only comparison with a number where the text says another bound: `more than five`.

    What is compared may be an option, or a definition that is a number.
    """
    said: dict[int, set[bool]] = {}
    for found in _CUT.finditer(_line(about)):
        number, is_above = _cut_of(found)
        said.setdefault(number, set()).add(is_above)
    compared: dict[int, list[tuple[bool, Span]]] = {}
    for rules in parsed_rules(game, RULES) if said else ():
        for node in nodes_in(rules):
            if isinstance(node, t.Operation) and node.operator in _COMPARING:
                first, second = node.operands[0], node.operands[-1]
                for operator, one in (
                    (node.operator, second),
                    (_TURNED_ROUND[node.operator], first),
                ):
                    if (asked := _number_of(game, one)) is not None:
                        above = operator in _ABOVE
                        compared.setdefault(asked, []).append((above, node.span))
    for number, cuts in said.items():
        there = compared.get(number, ())
        if number > 1 and len(cuts) == len(there) == 1 and there[0][0] not in cuts:
            yield text_differs(
                f"This is another bound than that of {number} in the text.", there[0][1], about
            )


def _cut_of(found: re.Match[str]) -> tuple[int, bool]:
    """Return which number a text tells from another one, and whether from the next greater one."""
    word, number = found["word"] or found["after"], found["number"] or found["before"]
    return size_of(number), word.lower() in _ABOVE


def _number_of(game: Game, node: t.Node) -> int | None:
    """Return the number that an expression is, or the option, or definition, that it names."""
    match node:
        case t.Number(text=text):
            return int(text) if text.isdigit() else None
        case t.Name(name=name):
            values = [option.value for option in game.options if option.name == name]
            section = game.document.get("define")
            entry = section.get(name) if isinstance(section, Mapping) else None
            text = str(values[0]) if values else entry.text if isinstance(entry, Scalar) else ""
            return int(text) if text.strip().isdigit() else None
    return None


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
    yield from _more_in_a_row(game, assigned, places)
    captions = game.document.get("display")
    place = captions.get("captions") if isinstance(captions, Mapping) else None
    for name, caption in game.looks.captions.items():
        slot = game.state_slots.get(name)
        if slot is None or slot.span is None or not _SINCE.search(caption):
            continue
        if assigned.get(name) and all(assigned[name]):
            yield text_differs(
                f"`{name}` is never set back, and its caption says since when it counts.",
                slot.span,
                place.span if place is not None else key_span(game, "display") or slot.span,
                *places.get(name, ()),
            )


def _more_in_a_row(
    game: Game, assigned: dict[str, list[bool]], places: dict[str, dict[Span, None]]
) -> Iterator[Diagnostic]:
    """Yield the only counter, of those that nothing sets back, where a text speaks of rows.

    Such as `not more than twice in a row`; what counts for each side has no other one beside it.
    """
    names = {
        name
        for name, slot in game.state_slots.items()
        if slot.type == NUMBER and "(" not in name and all(assigned.get(name, (False,)))
    }
    for about in texts_of_game(game) if len(names) == 1 else ():
        (name,) = names
        slot = game.state_slots[name]
        if _TIMES_IN_A_ROW.search(_line(about)) and slot.span is not None:
            yield text_differs(
                f"`{name}` is never set back, and the text speaks of times in a row.",
                slot.span,
                about,
                *places.get(name, ()),
            )
            return


def _captioned(node: Node | None) -> Iterator[tuple[Span, Span]]:
    """Yield the rules in a part of a file that have captions, with these."""
    if isinstance(node, Sequence):
        for item in node.items:
            yield from _captioned(item)
    elif isinstance(node, Mapping):
        rule, says = node.get("clause") or node.get("is"), node.get("says")
        if rule is not None and says is not None:
            yield rule.span, says.span
        else:
            for _, value in node.entries:
                yield from _captioned(value)
