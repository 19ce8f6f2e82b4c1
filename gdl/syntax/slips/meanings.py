"""Second looks: what is said of texts that can be read, but mean nothing where they stand.

In: the errors of a file. Out: the same, each with a better hint where its words are a known guess.
What then holds: a finding keeps its code, its place and its sentence; one that only follows from
another, such as that of a key which has another name here, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Span
from gdl.syntax.slips import entries
from gdl.syntax.slips.patterns import STEPS
from gdl.syntax.slips.place import LONGEST, Place, Reads

# -------------------------------------------------------------------------------------------- words

_TERM = r"[^(),]+(?:\([^()]*\))?"
_SITES = (
    r"(?:all|sites?|cells?|squares?|board|spaces?|points?|edge|vertex|pit|hole|empty|occupied"
    r"|[a-z])"
)
_REGIONS = (
    "goal", "goals", "start", "home", "homes", "camp", "base", "target", "finish", "exit", "zone",
    "palace", "castle", "river", "throne", "base_line", "baseline", "promotion_zone",
)  # fmt: skip
_EACH_SIDE = ("side", "sides", "player", "seat", "color", "colour", "team", "own", "p", "mover")
_EACH_KIND = ("pieces", "piece", "kind", "types", "units", "type", "piece_type")
_COUNTS = ("score", "scores", "points", "captured", "prisoners", "counter")
"""Words that stand for numbers, with or without a side behind them."""
_PILES = (
    "`own`, a side or a kind means the uppermost piece of each pile: `s in own`, `s in King`;"
    " `holding(P)` are the piles that have P anywhere."
)


def joined(at: Place) -> str:
    """Say how two sets are joined, where the words for what hangs together were taken for it."""
    if at.found.code == Code.WRONG_TYPE and at.facts.subject != "link":
        return ""
    called = re.search(
        rf"\b(?:connected|joined)\((?:own, )?({_TERM}), ({_TERM})(?:, own)?\)", at.line
    )
    if called is None or at.words not in ("connected", "joined", called[1], called[2]):
        return ""
    return (
        "Whether sites of S join A with B by a relation R is `joined(A, B, R, S)`, as in"
        f" `joined({called[1]}, {called[2]}, adjacent, own)`."
    )


def neutral(at: Place) -> str:
    """Say where a kind of piece is declared that belongs to nobody."""
    kind = re.match(r"neutral ([A-Z]\w*)\b", at.behind)
    if kind is None or at.section == "pieces":
        return ""
    return (
        f"`neutral` stands before a kind under `pieces`, as in `pieces: neutral {kind[1]}`; in a"
        f" turn that piece is `{kind[1]}`."
    )


def side_for_condition(at: Place) -> str:
    """Say how it is asked whose turn it is, or whose a site is."""
    if at.words not in at.sides or at.facts.found != "a side":
        return ""
    return f"Whose turn it is, is asked by `mover = {at.words}`."


def chosen_from_hand(at: Place) -> str:
    """Say how one of the kinds in hand is chosen."""
    choice = re.search(r"\bchoose (\w+) in hand\b", at.line)
    if choice is None or not at.words.startswith("hand"):
        return ""
    word = choice[1]
    return f"A kind is chosen: `choose {word} in kinds where hand(mover, {word}) > 0`."


def in_a_row(at: Place) -> str:
    """Say how it is asked whether a set has so many in a row."""
    asked = re.search(rf"\b{re.escape(at.words)}\((\w+), ?(\w+)\)", at.line)
    if at.words not in ("line", "row", "column", "diagonal") or asked is None:
        return ""
    return (
        f"Whether a set has so many in a row is `in_a_row({asked[1]}, {asked[2]})`; in one"
        f" direction it is `line({asked[1]}, d, {asked[2]})`."
    )


def moved_from(at: Place) -> str:
    """Say how a piece is moved where its kind, or how many there are, stands before its site."""
    pile = re.search(r"\bmove (\d+) from (\w+) to (\w+)", at.line)
    if pile is not None:
        return f"As many from the top of a pile are `move {pile[1]} of {pile[2]} onto {pile[3]}`."
    moved = re.search(r"\bmove ([A-Z]\w*) from (\w+) to (\w+)", at.line)
    return f"A piece is told by its site: `move {moved[2]} to {moved[3]}`." if moved else ""


def taken_from_number(at: Place) -> str:
    """Say how a number becomes less, where `take` stands, which is for pieces."""
    taken = re.search(r"\btake ([\w()]+) from (\w+(?:\([^()]*\))?)$", at.line)
    if taken is None:
        return ""
    amount, variable = taken[1], taken[2]
    if variable.startswith("hand"):
        return f"A piece comes out of a hand by `place {amount} from {variable} at S`."
    if amount.isdigit():
        return f"A number is changed by `add -{amount} to {variable}`."
    return f"A number is changed by `set {variable} = {variable} - {amount}`."


def exchanged_arguments(at: Place) -> str:
    """Say that a set stands before a number."""
    asked = re.search(r"\bin_a_row\((\d+), ?([^()]+)\)", at.line)
    return f"The set stands first: `in_a_row({asked[2]}, {asked[1]})`." if asked else ""


def from_hand(at: Place) -> str:
    """Say how a piece is taken out of a hand."""
    placed = re.search(r"\bplace (.+) at (.+) from (?:the |own )?hand\b", at.line)
    if placed is None:
        return ""
    return f"A piece comes out of a hand by `place {placed[1]} from hand at {placed[2]}`."


def from_board(at: Place) -> str:
    """Say how pieces are taken off the board, which has no name in a turn."""
    taken = re.search(r"\bremove (.+) from board\b", at.line)
    return "" if taken is None else f"Pieces are taken off by `remove S`: `remove {taken[1]}`."


def ranked_twice(at: Place) -> str:
    """Say how ties are broken, where two numbers are to rank sides."""
    ranked = re.search(r"\b(highest|lowest) \(([^(),]+(?:\([^()]*\))?),", at.line)
    if ranked is None or at.facts.found != "a list":
        return ""
    return (
        f"One number ranks the sides, as in `{ranked[1]} {ranked[2]} wins when …`; where several"
        " are level, the next clause is asked, so another one below breaks ties."
    )


def given_anew(at: Place) -> str:
    """Say how a word gets another value that has one already."""
    given = re.search(rf"\blet {re.escape(at.words)} = (.+)", at.line)
    has_index = re.search(rf"\b{re.escape(at.words)}\(", at.text) is not None
    is_variable = at.facts.found == "a variable" and not has_index
    if given is None or not (is_variable or at.facts.found == "a local word"):
        return ""
    return f"It gets another value by `set {at.words} = {given[1]}`; a new word needs another name."


def set_phase(at: Place) -> str:
    """Say what is not done by giving a variable a value."""
    given = re.search(rf"\bset {re.escape(at.words)} = (\w+)", at.line)
    if given is None:
        return ""
    if at.words in ("phase", "current_phase"):
        return f"Another phase begins by `go to {given[1]}`."
    if at.words in ("winner", "loser", "game_over", "over"):
        return "How the game ends is not said in a turn, but under `end`: `mover wins when C`."
    if at.words in ("mover", "turn", "player", "current_player"):
        return f"Who has the next turn is said by `next {given[1]}`."
    return ""


def per_site(at: Place) -> str:
    """Say how a variable of each site, or of each side, is declared."""
    if at.section != "state":
        return ""
    if at.facts.expected == "per site":
        is_site = re.fullmatch(_SITES, at.words)
        return "Cells, points and edges are all sites: `number per site`." if is_site else ""
    is_index = re.search(rf"\w+\({re.escape(at.words)}\) *:", at.line) is not None
    if is_index and at.words in _EACH_SIDE:
        return "A variable of each side has the sides as its index, as in `score(players): number`."
    if is_index and at.words in _EACH_KIND:
        return "A variable of each kind has the kinds as its index, as in `worth(kinds): number`."
    declared = re.search(
        r"(\w+)\((\w+)\) *: *(number|int|integer|flag|bool|boolean)\b((?: *=? *\w+| in [^{}]*)?)",
        at.line,
    )
    if declared is None or not re.fullmatch(_SITES, declared[2]):
        return ""
    if at.words not in (declared[2], ")"):
        return ""
    if declared[3] in ("number", "int", "integer"):
        return f"One number a site is kept by `{declared[1]}: number per site{declared[4]}`."
    return f"A yes or no for each site is a set of sites: `{declared[1]}: sites`."


def counted(at: Place) -> str:
    """Say that a word that is compared, or added to, is a variable for the author to declare."""
    word = at.words
    called = rf"\b{re.escape(word)}(\([^()]*\))?"
    is_number = rf"(?:\badd .+ to |\bset |\bhighest |\blowest ){called}|{called} ?[<>=!+-]+ ?\d"
    found = re.search(is_number, at.line)
    if found is None or at.found.edit is not None or word[:1].isupper():
        return ""
    is_guess = bool(at.facts.meant) or at.facts.expected == "a word"
    if not is_guess or not (found[1] or found[2] or word.lower() in _COUNTS):
        return ""
    return f"A number that a game keeps is a variable, as in `state: {{{word}(players): number}}`."


def region(at: Place) -> str:
    """Say that a word is for the author to explain; a word that is spelled alike may be his."""
    word = at.words
    if word.lower() not in _REGIONS or at.found.edit is not None:
        return ""
    return (
        f"Sites of your own are an entry of `regions`, as in `{word}: top`; what differs by side is"
        f" `{word}: {{White: top, Black: bottom}}`, and asked for as `{word}(mover)`."
    )


def applied(at: Place) -> str:
    """Say what is meant where the name of a region is used like that of a step, or with a size."""
    argument = re.match(rf"{re.escape(at.words)} ?\(([^()]*)\)", at.behind)
    if at.words == "top" and re.search(r"^stacks *:", at.text, re.MULTILINE):
        return _PILES
    step = STEPS.get(at.words, "")
    if argument is None:
        return ""
    if re.fullmatch(r"[\d, ]*", argument[1]):
        return f"`{at.words}` has no size; other sites are listed, as in `a1 | b1 | a2`."
    if step:
        return f"`{at.words}` is a set of sites; a step from a site is `{step}({argument[1]})`."
    return ""


def indexed(at: Place) -> str:
    """Say how a variable of each side is ranked by."""
    ranked = re.search(rf"\b(highest|lowest) {re.escape(at.words)} wins\b", at.line)
    if ranked is None:
        return ""
    if re.search(rf"\b{re.escape(at.words)} *: *number per site\b", at.text):
        return (
            "A number of each site is summed, over the sites of each side in turn, which is `own`"
            f" there: `{ranked[1]} (sum s in S of {at.words}(s)) wins`."
        )
    return f"`own` is each side in turn there: `{ranked[1]} {at.words}(own) wins`."


def next_side(at: Place) -> str:
    """Say that the next side is on turn by itself."""
    if not re.fullmatch(r"next (?:player|side|turn|opponent)", at.line):
        return ""
    return "The sides take their turns in order, by themselves: leave this out."


def no_value(at: Place) -> str:
    """Say what a variable begins with."""
    if at.section != "state" or at.words not in ("None", "null", "nil"):
        return ""
    return "A variable always has a value: a number begins with 0 if nothing is said."


def each(at: Place) -> str:
    """Say how a condition about each site of a set is written, where the whole set has one."""
    whole = re.search(r"(\S+) when .*\bit\b", at.line)
    return (
        f"The sites that a condition holds for: `sites s in {whole[1]} where C`." if whole else ""
    )


_MOST = 60
"""How many findings are looked at: nobody reads more hints at once."""

_LOOKS: dict[str, tuple[Callable[[Place], str], ...]] = {
    Code.UNKNOWN_KEY: (entries.board_table, entries.of_display, entries.key),
    Code.MISSING_KEY: (entries.board_table,),
    Code.MISSING_VALUE: (entries.braced,),
    Code.WRONG_SHAPE: (entries.pairs, entries.shape),
    Code.WRONG_NUMBER_OF_ARGUMENTS: (
        chosen_from_hand,
        in_a_row,
        joined,
        per_site,
        indexed,
    ),
    Code.WRONG_TYPE: (
        entries.pairs,
        chosen_from_hand,
        side_for_condition,
        moved_from,
        exchanged_arguments,
        taken_from_number,
        from_hand,
        from_board,
        ranked_twice,
        joined,
        neutral,
        per_site,
        entries.flag_for_number,
    ),
    Code.NAME_TAKEN: (entries.without_pieces, entries.described, given_anew),
    Code.NOT_A_VARIABLE: (set_phase, counted),
    Code.UNKNOWN_NAME: (
        no_value,
        next_side,
        entries.settings_of_word,
        each,
        per_site,
        counted,
        region,
        entries.flag_for_number,
        entries.hand,
    ),
    Code.DUPLICATE_NAME: (entries.kinds,),
    Code.WRONG_VALUE: (entries.kinds,),
    Code.NOT_APPLICABLE: (applied,),
    Code.SYNTAX: (
        entries.pairs,
        entries.swapped,
        entries.together,
        entries.placed_by_sides,
        entries.listed_in_setup,
        entries.clause_key,
        entries.site_first,
        entries.kind_first,
        per_site,
        entries.hand,
        entries.described,
    ),
}
"""Who looks at what is found again, by its code; the first that knows better is heard."""


def looked_at_again(found: Iterable[Diagnostic], reads: Reads) -> Iterator[Diagnostic]:
    """Yield the findings, with better hints where it is known what is meant.

    `reads` tells whether a text can be read from an entry point of the grammar.
    """
    told = _Told()
    for number, one in enumerate(found):
        if number >= _MOST or one.severity != "error" or not _is_short(one.span):
            yield one
            continue
        place = Place(one, reads)
        if told.causes(one) or _stands_there_as_key(one, place):
            continue
        hint = next((hint for look in _LOOKS.get(one.code, ()) if (hint := look(place))), "")
        if not told.says_already(one, hint, place):
            yield one.with_hint(hint) if hint else one


def _is_short(span: Span | None) -> bool:
    """Return whether something is found in a line that is short enough to be looked at."""
    return span is not None and len(span.source.line(span.line)) <= LONGEST


def _stands_there_as_key(one: Diagnostic, place: Place) -> bool:
    """Return whether a key is told to be missing that stands where it can't be read."""
    missing = one.facts.subject
    is_missing = one.code == Code.MISSING_KEY and missing in ("game", "points")
    return is_missing and bool(re.search(rf"\b{missing} *:", place.text))


class _Told:
    """What hints have told so far, and what other findings come of the same mistakes."""

    def __init__(self) -> None:
        self._other_keys = set[str]()
        """Keys that have another name here: what stands under them is told once."""
        self._parts = set[str]()
        """What was told as a whole, so that its settings need not be told by themselves."""
        self._unread = set[str]()
        """The sections of which it was told that they can't be read, or not all of them."""
        self._sides = set[str]()
        """The sides that were told to be none of the names that `pieces` lists."""
        self._hints = set[tuple[int, str]]()
        """Hints by their lines."""
        self._lists_names = False
        """Whether it was told that `pieces` lists names alone."""

    def causes(self, one: Diagnostic) -> bool:
        """Return whether a finding only follows from what was told."""
        facts = one.facts
        if "players" in self._unread and "players" in facts.sections:
            return True
        if "pieces" in self._unread and "pieces" in facts.sections and not facts.meant:
            return True
        if facts.of in self._parts or (facts.expected and facts.subject in self._other_keys):
            return True
        return one.code == Code.DUPLICATE_NAME and facts.subject in self._sides

    def says_already(self, one: Diagnostic, hint: str, place: Place) -> bool:
        """Keep what a hint tells; return whether that, with what else is wrong there, was told."""
        self._keep(one, hint, place)
        key = (one.span.line, hint) if one.span is not None and hint else None
        if key in self._hints or (place.section == "pieces" and self._lists_names):
            return True
        if key is not None:
            self._hints.add(key)
        self._lists_names |= bool(hint) and hint == entries.described(place)
        is_unread = place.section == "players" and one.code in (Code.SYNTAX, Code.WRONG_SHAPE)
        if is_unread or (one.code == Code.MISSING_KEY and one.facts.subject == "players"):
            self._unread.add("players")
        return False

    def _keep(self, one: Diagnostic, hint: str, place: Place) -> None:
        """Keep by what findings are known that come of the mistake that a hint tells of."""
        if not hint:
            return
        if one.code == Code.UNKNOWN_KEY:
            self._other_keys.add(one.facts.subject)
        if hint == entries.board_table(place):
            self._parts.add("a board")
        elif one.code == Code.DUPLICATE_NAME:
            self._unread.add("pieces")
        if hint == entries.described(place):
            self._unread.add("pieces")
            self._sides.update(place.sides)
