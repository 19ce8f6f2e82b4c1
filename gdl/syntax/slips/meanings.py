"""Second looks: what is said of texts that can be read, but mean nothing where they stand.

In: the errors of a file. Out: the same, each with a better hint where its words are a known guess.
What then holds: a finding keeps its code, its place and its sentence; one that only follows from
another, such as that of a key which has another name here, is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from gdl.diagnostic import Diagnostic
from gdl.syntax.slips import keys, shapes
from gdl.syntax.slips.wording import STEPS, TOGETHER

_MOST = 60
"""How many findings are looked at: nobody reads more hints at once."""
_LONGEST = 300
"""How long a line may be that is looked at: patterns take long for longer ones."""
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
_COUNTS = ("score", "scores", "points", "captured", "prisoners", "counter")
"""Words that stand for numbers, with or without a side behind them."""
_PILES = (
    "`own`, a side or a kind means the uppermost piece of each pile: `s in own`, `s in King`;"
    " `holding(P)` are the piles that have P anywhere."
)
_GUESSES = ("Did you mean", "A word of your own", "Variables are declared")
"""How hints begin that know nothing of the word that they tell of."""

Reads = Callable[[str, str], bool]
"""Whether a text can be read from an entry point of the grammar."""


class Place:
    """Where a finding is: its words, its line, and the section in which it stands."""

    def __init__(self, found: Diagnostic, reads: Reads) -> None:
        assert found.span is not None, "it is somewhere"
        span, text = found.span, found.span.source.text
        self.found = found
        self.reads = reads
        self.words = span.text
        start = text.rfind("\n", 0, span.start) + 1
        end = text.find("\n", span.start)
        self.line = text[start : end if end >= 0 else len(text)].split(" #")[0].strip()
        self.behind = text[span.start : end if end >= 0 else len(text)].split(" #")[0].rstrip()
        self.before = text[start : span.start]
        self.text, self._start = text, start
        self._after = end + 1 if end >= 0 else len(text)

    def reads_as_clause(self, text: str) -> bool:
        """Return whether a text can be read as a clause of `end`."""
        return self.reads(text, "clause")

    @property
    def above(self) -> str:
        """The text above its line."""
        return self.text[: self._start]

    @property
    def section(self) -> str:
        """The key of the file below which the finding is."""
        found = re.findall(r"^(\w+) *:", self.text[: self._after], re.MULTILINE)
        return found[-1] if found else ""

    @property
    def sides(self) -> list[str]:
        """The names of the sides, as far as this file says them."""
        found = re.search(r"^players *:(.*)$", self.text, re.MULTILINE)
        return re.findall(r"\w+", found[1].split(" #")[0]) if found else []

    @property
    def kind(self) -> str:
        """The name of a kind of piece, as far as this file says one."""
        found = re.search(r"^pieces *:[\s{]*(\w+) *(?:[,:}].*)?$", self.text, re.MULTILINE)
        return found[1] if found and found[1] not in self.sides else "Stone"

    @property
    def extends(self) -> bool:
        """Whether the file changes another game."""
        return re.search(r"^extends *:", self.text, re.MULTILINE) is not None

    @property
    def key(self) -> str:
        """The key before what is wrong, in its line or above it."""
        before = self.before.strip() or self.above.rstrip().rpartition("\n")[2]
        found = re.search(r"([A-Za-z][\w ()]*?) *: *$", before.rstrip("{"))
        return found[1] if found else ""

    @property
    def block(self) -> str:
        """The words, with the lines behind them that belong to them."""
        depth = len(self.before)
        lines = [self.behind]
        for line in self.text[self._after :].split("\n")[:12]:
            if line.strip() and len(line) - len(line.lstrip(" ")) < depth:
                break
            lines.append(line)
        lines = [line[:_LONGEST] for line in lines]
        return "\n".join(lines) if "\n" in "\n".join(lines).strip() else self.words


def looked_at_again(found: Iterable[Diagnostic], reads: Reads) -> Iterator[Diagnostic]:
    """Yield the findings, with better hints where it is known what is meant.

    `reads` tells whether a text can be read from an entry point of the grammar.
    """
    told: set[str] = set()
    for number, one in enumerate(found):
        if one.span is None or one.severity != "error" or number >= _MOST:
            yield one
            continue
        if len(one.span.source.line(one.span.line)) > _LONGEST:
            yield one
            continue
        if any(
            one.message.startswith(before) or one.message.endswith(before) or before in one.hint
            for before in told
        ):
            continue
        place = Place(one, reads)
        hint = next((hint for look in _LOOKS.get(one.code, ()) if (hint := look(place))), "")
        if hint and one.code == "unknown-key":
            told.add(f"`{one.span.text}` should be")
        if hint.startswith(shapes.A_LATTICE):
            told.add("of a board.")
        elif hint and one.code == "duplicate-name":
            told |= {"What follows a kind of piece", "A kind of piece is declared under `pieces`"}
        if hint.startswith(shapes.A_NAME_ALONE):
            told |= {"A trait has two words", "`owner` is a word of the language"}
            told |= {"What follows a kind of piece", "The pieces are: "}
            told |= {f"`{side}` has a meaning already" for side in place.sides}
        yield replace(one, hint=hint, replacement=None) if hint else one


def _key(at: Place) -> str:
    value = at.behind.partition(":")[2].strip()
    if at.found.message.endswith("of a phase."):
        return keys.said_of_phase(at.words, value)
    if at.found.message.endswith("of an example."):
        return keys.said_of_example(at.words)
    if not re.search(r"of a (?:game|variant)\.", at.found.message):
        return ""
    return keys.said_of_key(at.words, value, at.extends)


def _joined(at: Place) -> str:
    """Say how two sets are joined, where the words for what hangs together were taken for it."""
    if at.found.code == "wrong-type" and "argument `link`" not in at.found.message:
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


def _neutral(at: Place) -> str:
    kind = re.match(r"neutral ([A-Z]\w*)\b", at.behind)
    if kind is None or at.section == "pieces":
        return ""
    return (
        f"`neutral` stands before a kind under `pieces`, as in `pieces: neutral {kind[1]}`; in a"
        f" turn that piece is `{kind[1]}`."
    )


def _together(at: Place) -> str:
    """Say how sides decide at once, where a way of a turn has such a name."""
    way = re.match(r"(simultaneous(?:ly)?|together|both|secret(?:ly)?) *:", at.line)
    return TOGETHER if at.section == "turn" and way is not None else ""


def _placed_by_sides(at: Place) -> str:
    """Say how a game begins in which the sides put up their pieces themselves."""
    if at.section != "setup" or at.words not in ("place", "choose", "put", "each"):
        return ""
    return (
        "What the sides place themselves is a phase, the first of several, and in hand before:"
        f" `hands: {{{at.kind}: 3}}`, and `phases: {{placing: …, moving: …}}`."
    )


def _set_phase(at: Place) -> str:
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


def _per_site(at: Place) -> str:
    if at.section != "state":
        return ""
    if at.found.message.startswith("A number is kept `per site`"):
        is_site = re.fullmatch(_SITES, at.words)
        return "Cells, points and edges are all sites: `number per site`." if is_site else ""
    if re.search(rf"\w+\({re.escape(at.words)}\) *:", at.line) and at.words in _EACH_SIDE:
        return "A variable of each side has the sides as its index, as in `score(players): number`."
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


def _counted(at: Place) -> str:
    """Say that a word that is compared, or added to, is a variable for the author to declare."""
    word = at.words
    called = rf"\b{re.escape(word)}(\([^()]*\))?"
    is_number = rf"(?:\badd .+ to |\bset |\bhighest |\blowest ){called}|{called} ?[<>=!+-]+ ?\d"
    found = re.search(is_number, at.line)
    if found is None or at.found.fix is not None or word[:1].isupper():
        return ""
    is_guess = at.found.hint.startswith(_GUESSES)
    if not is_guess or not (found[1] or found[2] or word.lower() in _COUNTS):
        return ""
    return f"A number that a game keeps is a variable, as in `state: {{{word}(players): number}}`."


def _region(at: Place) -> str:
    """Say that a word is for the author to explain; a word that is spelled alike may be his."""
    word = at.words
    if word.lower() not in _REGIONS or at.found.fix is not None:
        return ""
    return (
        f"Sites of your own are an entry of `regions`, as in `{word}: top`; what differs by side is"
        f" `{word}: {{White: top, Black: bottom}}`, and asked for as `{word}(mover)`."
    )


def _flag_for_number(at: Place) -> str:
    if re.match(r"stacks? *: *(?:yes|no|true|false|on|unlimited|any)\b", at.line):
        return "How many pieces a pile may have is a number, as in `stacks: 12`; without it, one."
    if re.match(r"swap *: *(?:1|true|on|once)\b", at.line):
        return "`swap` says when sides may be exchanged, as in `swap: turns = 1`."
    return ""


def _hand(at: Place) -> str:
    if at.section != "hands":
        return ""
    amount = re.search(r": *(\d+) ([A-Z]\w*?)s?\b", at.line)
    each = re.fullmatch(r"hands *: *(\d+)\b.*", at.line)
    if each is not None:
        return f"Hands are told by kind: `hands: {{{at.kind}: {each[1]}}}`."
    if amount is not None:
        return f"How many a hand has follows the kind: `hands: {{{amount[2]}: {amount[1]}}}`."
    if at.words not in at.sides:
        return ""
    kind = at.kind
    return (
        f"Hands are told by kind: `hands: {{{kind}: 3}}` gives three to each side,"
        f" `hands: {{{at.words} {kind}: 3}}` to {at.words} alone."
    )


def _kinds(at: Place) -> str:
    if at.section != "pieces":
        return ""
    table = re.search(r"^pieces *:(.*(?:\n[ \t]+.*)*)", at.text, re.MULTILINE)
    listed = table[1][:_LONGEST].strip() if table is not None else ""
    if hint := shapes.described(listed, at.sides) or shapes.kinds(listed.strip("{}"), at.sides):
        return hint
    if at.words in ("neutral", "nobody", "none") and at.key:
        return f"`neutral` stands before a kind, as in `pieces: neutral {at.key}`."
    kind = re.search(r"(\w+) *: *$", at.before)
    if kind is not None and at.words in at.sides:
        return f"A side stands before a kind that only it has: `{at.words} {kind[1]}`."
    amount = re.match(r"\d+\b", at.words)
    if kind is not None and amount is not None:
        return (
            "How many there are is not said here: `setup` says where they are, and"
            f" `hands: {{{kind[1]}: {amount[0]}}}` how many are in each side's hand."
        )
    return ""


def _board_table(at: Place) -> str:
    """Say how a board of a lattice is written, where its shape and its sizes are settings."""
    if at.section != "board":
        return ""
    table = re.search(r"^board *:(.*(?:\n[ \t]+.*)*)", at.text, re.MULTILINE)
    return shapes.board(table[1][:_LONGEST]) if table is not None else ""


def _shape(at: Place) -> str:
    message, section = at.found.message, at.section
    if "should be a clause" in message:
        return shapes.clause(at.block, at.reads_as_clause)
    if message.startswith("`turn` should be") and message.endswith("not a list."):
        return "Write `|` behind `turn:`, and the steps below it, one a line and without dashes."
    if message.startswith("`turn` should be") and keys.is_statement(at.words):
        return "Write `|` behind `turn:`, and the steps below it; no heading has a colon."
    if message.endswith("not a set of settings."):
        if section == "state":
            return shapes.variable(at.key, at.block, at.sides)
        if section == "setup" or section in keys.STARTS:
            return shapes.piece(at.key, at.block, at.sides)
        if section == "hands" and at.key in at.sides:
            both = [(f"{at.key} {kind}", number) for kind, number in shapes.pairs(at.block)]
            said = ", ".join(f"{kind}: {number}" for kind, number in both)
            return f"A side stands before the kind: `hands: {{{said}}}`." if both else ""
    if message.startswith("`rows` should be rows"):
        return "Write `|` behind `rows:`, and the rows below it, deeper and without dashes."
    if section == "options" and message.endswith("not a list."):
        values = [value.strip() for value in at.behind.strip(" []}").split(",")]
        if {value.lower() for value in values} <= {"true", "false", "yes", "no"}:
            return f"An option of yes or no is its value: `{at.key}: no`."
        listed = ", ".join(values)
        return f'Values are listed so: `{at.key}: {{default: {values[0]}, in: "{listed}"}}`.'
    if message.startswith("`players` should be"):
        names = [name for name, _ in shapes.pairs(at.block)]
        return f"The sides are names alone: `players: {', '.join(names)}`." if names else ""
    if message.startswith("`setup` should be"):
        lines = [line.strip().removeprefix("- ") for line in at.block.split("\n") if line.strip()]
        return shapes.placed(lines) or shapes.drawn(lines)
    if section == "pieces":
        return _kinds(at)
    given = re.fullmatch(r"(\w+) ?[=:] ?(\w+)", at.words)
    if section == "variants" and given is not None:
        return f"A variant has sections: `{at.key}: {{options: {{{given[1]}: {given[2]}}}}}`."
    return ""


def _clause_key(at: Place) -> str:
    """Say how a clause is written where its outcome is a key, and its condition the value."""
    if at.section not in ("end", "stuck", "goal"):
        return ""
    joins = re.fullmatch(r"(\w+) *: *(?:connects?|joins?) (\w+) (?:to|and|with) (\w+)", at.line)
    if joins is not None and joins[1] in at.sides:
        return (
            f"A clause begins with its outcome: `{joins[1]} wins when"
            f" joined({joins[2]}, {joins[3]}, adjacent, {joins[1]})`."
        )
    entry = re.fullmatch(
        r"(?:end *: *\{ *)?(draw|wins?|loses?|tie|stalemate) *: *([^{},]+?)[ }]*", at.line
    )
    if entry is None or re.search(r"\b(?:wins|loses|draw)\b", entry[2]):
        return ""
    return shapes.clause(f"{entry[1]}: {entry[2]}", at.reads_as_clause)


def _without_pieces(at: Place) -> str:
    if at.section != "pieces" or at.words.lower() not in ("none", "no", "nothing", "empty"):
        return ""
    return "A game in which no pieces are named has no `pieces`: leave the line out."


def _applied(at: Place) -> str:
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


def _indexed(at: Place) -> str:
    """Say how a variable of each side is ranked by."""
    ranked = re.search(rf"\b(highest|lowest) {re.escape(at.words)} wins\b", at.line)
    if ranked is None:
        return ""
    return f"`own` is each side in turn there: `{ranked[1]} {at.words}(own) wins`."


def _kind_first(at: Place) -> str:
    """Say how pieces are set up that are listed by side, without a colon behind the kind."""
    if at.section != "setup" and at.section not in keys.STARTS:
        return ""
    side = re.search(r"(\w+) *: *\n[^:]*$", at.above)
    piece = re.fullmatch(r"([A-Z]\w*) +([a-z]+\d+.*)", at.line)
    if side is None or piece is None or side[1] not in at.sides:
        return ""
    return f"The side stands before the kind: `{side[1]} {piece[1]}: {piece[2]}`."


def _each(at: Place) -> str:
    """Say how a condition about each site of a set is written, where the whole set has one."""
    whole = re.search(r"(\S+) when .*\bit\b", at.line)
    return (
        f"The sites that a condition holds for: `sites s in {whole[1]} where C`." if whole else ""
    )


def _site_first(at: Place) -> str:
    if at.section != "setup":
        return ""
    entry = re.search(r"\b([a-z]+\d+) *: *([A-Z]\w* [A-Z]\w*)\b", at.line)
    return f"The piece stands before its sites: `{entry[2]}: {entry[1]}`." if entry else ""


_LOOKS: dict[str, tuple[Callable[[Place], str], ...]] = {
    "unknown-key": (_board_table, _key),
    "missing-key": (_board_table,),
    "wrong-shape": (_shape,),
    "wrong-number-of-arguments": (_joined, _per_site, _indexed),
    "wrong-type": (_joined, _neutral, _per_site, _flag_for_number),
    "name-taken": (_without_pieces,),
    "not-a-variable": (_set_phase, _counted),
    "unknown-name": (_each, _per_site, _counted, _region, _flag_for_number, _hand),
    "duplicate-name": (_kinds,),
    "wrong-value": (_kinds,),
    "not-applicable": (_applied,),
    "syntax": (
        _together,
        _placed_by_sides,
        _clause_key,
        _site_first,
        _kind_first,
        _per_site,
        _hand,
    ),
}
"""Who looks at what is found again, by its code; the first that knows better is heard."""
