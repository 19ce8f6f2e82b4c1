"""What clauses of texts and parts of rules speak of, and which of two opposites they name.

In: the texts of a game, and its rules as they are written. Out: clauses and rules, each with stems
of words and poles. What then holds: nothing is compared yet.

`DIMENSIONS` has the opposites; the sides, kinds of pieces and regions of a game are added to them.
What a rule is about is found by the stems of words: of the names in it, with their captions and
prompts, and of where it stands. No list of words that mean the same is needed: authors say in
captions and prompts what they call things.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.nodes import Sequence as Items
from gdl.elaborate.sections.sections import readable
from gdl.interpreter.check.definitions import words_in
from gdl.interpreter.check.places import without_comments
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside

DIMENSIONS: dict[str, dict[str, tuple[str, str]]] = {
    "whose": {
        "own": (
            r"own|mover|(?<!following\()owner(?=\()",
            r"own(?! sides?\b)|one's|friend(?:ly|s)?|himself|itself|of the same (?:side|colou?r)"
            r"|yours?|you|whose|of (?:its|his|her|their) side",
        ),
        "enemy": (
            r"enemy|following(?=\()",
            r"enem(?:y|ies)|opponents?|opposing|hostile|rivals?|foes?|another side"
            r"|(?<!each )other(?:'s)?(?! own\b| \w+s\b)",
        ),
    },
    "which counts": {
        "most": (
            r"highest|most|max(?!\()",
            r"most|more|highest|(?<!next )higher|largest|larger|greatest|greater|biggest|longest"
            r"|best",
        ),
        "least": (
            r"lowest|least|min(?!\()",
            r"least|less|lowest|(?<!next )lower|smallest|smaller|fewest|fewer|shortest",
        ),
    },
    "up or down": {
        "up": (r"top|north", r"top|up|upper|uppermost|upwards?|north\w*|highest row"),
        "down": (r"bottom|south", r"bottom|down|lower|lowermost|downwards?|south\w*|lowest row"),
    },
    "left or right": {
        "left": (r"left|west", r"left(?! over)|west\w*"),
        "right": (r"right|east", r"right|east\w*"),
    },
    "which lines": {
        "straight": (
            r"orthogonal",
            r"orthogonal\w*|side by side|rows? (?:or|and) (?:an? |its )?columns?|as (?:a )?rooks?"
            r"|sides",
        ),
        "slanting": (
            r"diagonal",
            r"diagonal\w*|aslant|as (?:a )?bishops?|at (?:a|its|their) corners?",
        ),
        "all": (
            r"compass",
            r"eight (?:directions|ways)|(?:any|all) directions?|as (?:a )?queens?|around"
            r"|diagonal\w*",
        ),
    },
}
"""By dimension and pole: the words of rules, and the words of texts, that name it."""

Poles = Mapping[str, frozenset[str]]
Words = Mapping[str, Mapping[str, re.Pattern[str]]]

IN_RULES, IN_TEXTS = (
    {
        dimension: {pole: re.compile(rf"\b(?:{of[at]})\b", re.I) for pole, of in poles.items()}
        for dimension, poles in DIMENSIONS.items()
    }
    for at in (0, 1)
)
OF_NAMES = ("side", "kind", "region")


def poles_of(text: str, words: Words) -> dict[str, frozenset[str]]:
    """Return the poles that a text names, by dimension."""
    return {
        dimension: frozenset(pole for pole, named in poles.items() if named.search(text))
        for dimension, poles in words.items()
    }


def with_names(game: Game) -> tuple[Words, Words]:
    """Return the words of all dimensions, in rules and in texts, with the names of the game."""
    rules, texts = dict(IN_RULES), dict(IN_TEXTS)
    regions = {head_name(head) for head, _ in entries_of(game.document.get("regions"))}
    for dimension, names in zip(OF_NAMES, (game.sides, game.kinds, regions), strict=True):
        rules[dimension] = {name: re.compile(rf"\b{re.escape(name)}\b") for name in names}
        flags = 0 if dimension == "side" else re.IGNORECASE
        texts[dimension] = {
            name: re.compile(rf"\b{re.escape(apart(name))}(?:e?s)?\b", flags) for name in names
        }
    return rules, texts


# ----------------------------------------------------------------------------- what words are about

_A_WORD = re.compile(r"[A-Za-z]+(?:'t)?")
_STOP = frozenset(
    _A_WORD.findall(
        """
        a an the of to in on at by for from with without and or but if when where while as is are
        be was were has have had it its they them their he she his her him who whose whom which
        that this these those there then than so such each every all any some no not none nor
        never may must can cannot can't don't doesn't do does one ones other others own enemy side
        sides player players turn into onto over up down out off also only just both same another
        after before until again still first last more most less least two three four five six
        seven eight nine ten mover add set choose let require highest lowest max min top bottom
        left right north south east west orthogonal diagonal compass count sites number following
        owner empty
        """
    )
)
_IRREGULAR = dict(
    re.findall(
        r"(\S+) (\S+)",
        """
        men man, dice die, taken take, took take, built build, sold sell, won win, bought buy,
        drawn draw, lost lose, paid pay, thrown throw, stood stand, begun begin, went go, gone go,
        goes go, made make, held hold, fed feed, put place, kept keep, got get, given give,
        gave give, caught catch, dealt deal, shot shoot, sewn sew, fallen fall, driven drive,
        hidden hide, stolen steal, broken break, frozen freeze, sunk sink, grown grow, spent spend
        """.replace(",", ""),
    )
)
_ENDINGS = re.compile(r"(?:ings?|ed|ers?|est|ies|es|s|y|e|ly)$")


def stem(word: str) -> str:
    """Return what a word has in common with its other forms.

    >>> stem("capturing"), stem("captured"), stem("ships"), stem("footmen")
    ('captur', 'captur', 'ship', 'footman')
    """
    word = re.sub(r"men$", "man", word.lower())
    word = _IRREGULAR.get(word, word)
    while (shorter := _ENDINGS.sub("", word)) != word and len(shorter) >= 3:
        word = shorter
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] else word


def stems(text: str) -> frozenset[str]:
    """Return the stems of the words of a text, or of names, that tell what it is about."""
    words = (word.lower() for word in _A_WORD.findall(apart(text)))
    return frozenset(stem(word) for word in words if word not in _STOP and len(word) > 2)


def apart(name: str) -> str:
    """Return a name as words: `lowRow` and `low_row` are two."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|[_\d]", " ", name).strip()


_UNITS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60}
_NUMBERS = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{"fifteen": 15, "sixteen": 16, "hundred": 100, "both": 2, "twice": 2},
    **_TENS,
    **{
        f"{ten}-{word}": n + number
        for ten, n in _TENS.items()
        for number, word in enumerate(_UNITS)
    },
}
_TOKENS = re.compile(r"[A-Za-z'-]+|\d+")


def claims_in(text: str) -> Iterator[tuple[int, str]]:
    """Yield the numbers that a text names, each with the stems of the three words behind it."""
    words = _TOKENS.findall(text)
    for at, word in enumerate(words):
        number = number_of(word)
        for following in words[at + 1 : at + 4] if number > 1 else ():
            if number_of(following):
                break
            yield number, "times" if following == "times" else "".join(stems(following))


def number_of(word: str) -> int:
    """Return the number that a word is; 0 if it is none."""
    return int(word) if word.isdigit() else _NUMBERS.get(word.lower(), 0)


def numbers_said(text: str) -> frozenset[int]:
    """Return the numbers above one that a text names."""
    return frozenset(number for word in _TOKENS.findall(text) if (number := number_of(word)) > 1)


# --------------------------------------------------------------------------------- clauses of texts

_NEGATIVE_TEXT = re.compile(
    r"\b(?:no|not|never|nobody|nothing|none|nor|neither|without|cannot|unless)\b|n't\b", re.I
)
_NEGATIVE_RULE = re.compile(r"\b(?:no|not)\b|!=| - ")
_ADDED = re.compile(r"\b(?:too|also|as well)\b", re.I)
_THAT_ONE = re.compile(r"\s*(?:and |then )*that one\b", re.I)


@dataclass(frozen=True)
class Clause:
    """A part of a sentence: what it and the sentence are about, and the poles that it names."""

    place: Span
    text: str
    stems: frozenset[str]
    sentence: frozenset[str]
    is_negative: bool
    is_added: bool
    poles: Poles


def clauses_of(game: Game, words: Words) -> Iterator[Clause]:
    """Yield the clauses of the texts that tell of the whole game.

    A clause that names no side is about the side that the one before it in its sentence names;
    `that one` is whose the one before it is.
    """
    for key in ("about", "rules"):
        node = game.document.get(key)
        for sentence in re.finditer(r"[^.;]+", node.span.text if isinstance(node, Scalar) else ""):
            whole, before = stems(sentence[0]), dict[str, frozenset[str]]()
            is_added = bool(_ADDED.search(sentence[0]))
            for part in re.finditer(r"(?:(?!,|:|\bbut\b).)+", sentence[0], re.DOTALL):
                text = " ".join(part[0].split())
                poles = poles_of(text, words)
                if before:
                    poles["side"] = poles["side"] or before["side"]
                if before and _THAT_ONE.match(text):
                    poles["whose"] = poles["whose"] or before["whose"]
                if text and node is not None:
                    before = poles
                    begin = node.span.start + sentence.start() + part.start()
                    place = Span(node.span.source, begin, begin + len(part[0]))
                    is_negative = bool(_NEGATIVE_TEXT.search(text))
                    yield Clause(place, text, stems(text), whole, is_negative, is_added, poles)


# ----------------------------------------------------------------------------------- parts of rules

_OWN, NAMED, _NEARBY = 1.0, 0.8, 0.4
"""How much stems weigh: of the names in a rule, of what it stands in, of what was asked before."""
_DOES: dict[type, str] = {
    t.Remove: "take capture remove lose kill",
    t.MovePiece: "move go step",
    t.Place: "place set lay enter build drop",
    t.Flip: "flip turn",
    t.Change: "change become promote",
    t.Shift: "push shift move",
    t.Swap: "swap exchange",
}
_BESIDE = "beside next adjacent touch neighbour"
_MEANS = {
    **dict.fromkeys(("orthogonal", "adjacent", "diagonal", "compass", "hexagonal"), stems(_BESIDE)),
    **{"empty": stems("empty free vacant"), "hand": stems("hand reserve"), "full": stems("full")},
    **{"groups": stems("group connected"), "reach": stems("connected joined reached")},
    **{"border": stems("border edge"), "between": stems("between"), "passed": stems("pass waits")},
}
"""What texts call words of the language."""
_CONSTANT = re.compile(r"(?:^|= *)(\d+)(?=\s*$|\s+in\b)")
DIGITS = re.compile(r"([<>]=?)?\s*(?<![\w.^])(\d+)(?![\w.])")
_FEW = 2
"""So many statements behind a condition tell what it is asked for."""
_OFTEN = 10
"""From this number on, a counter of turns may be compared with twice as many, or half."""


@dataclass(frozen=True)
class Rule:
    """A part of the rules: what it is about, by the weights of stems, and the poles that it names.

    `reaches` and `numbers` have what is named in it and in all definitions behind it. Beside a
    definition stand its `name`, and its caption.
    """

    place: Span
    text: str
    about: Mapping[str, float]
    poles: Poles
    reaches: Poles
    numbers: frozenset[int]
    is_negative: bool
    says: Span | None = None
    name: Span | None = None

    def word(self, of: re.Pattern[str]) -> Span:
        """Return where a word stands in it, else the whole of it."""
        found = of.search(self.text)
        if found is None:
            return self.place
        start = self.place.start
        return Span(self.place.source, start + found.start(), start + found.end())


class Rules:
    """Finds the parts of a game's rules, and what they are about."""

    def __init__(self, game: Game, words: Words) -> None:
        """Read the captions, prompts and definitions of a game."""
        self._document, self._dimensions = game.document, words
        self._options = {one.name: one.default for one in game.options if one.default.isdigit()}
        self._sides = stems(" ".join(game.sides))
        self._words: dict[str, frozenset[str]] = {}
        self._bodies: dict[str, str] = {}
        self._behind: dict[str, frozenset[str]] = {}
        self._named: dict[str, tuple[Poles, frozenset[int]]] = {}
        for part in ("captions", "prompts"):
            for head, body in entries_of(inside(game.document.get("display"), part)):
                self._calls(head_name(head).rpartition(" ")[2], body)
        for section in ("define", "actions", "regions", "relations", "options"):
            for head, body in entries_of(game.document.get(section)):
                name = head_name(head)
                if section != "actions":  # what they do stands among the rules itself
                    before = self._bodies.get(name, "")
                    self._bodies[name] = f"{before} {without_comments(body.span.text)}"
                self._calls(name, inside(body, "says") or inside(body, "about"))

    def _calls(self, name: str, text: Node | None) -> None:
        """Note what a text calls a name."""
        if text is not None:
            known = self._words.get(name, frozenset())
            self._words[name] = known | (stems(without_values(text.span.text)) - self._sides)

    def _leads_to(self, name: str) -> frozenset[str]:
        """Return a name, and all definitions that it leads to."""
        if name not in self._behind:
            found, pending = {name}, [name]
            while pending:
                more = {
                    *words_in(self._bodies.get(pending.pop(), ""))
                } & self._bodies.keys() - found
                found |= more
                pending += more
            self._behind[name] = frozenset(found)
        return self._behind[name]

    def _of_body(self, name: str) -> tuple[Poles, frozenset[int]]:
        """Return the poles and numbers that a definition names itself."""
        if name not in self._named:
            body = self._bodies[name]
            self._named[name] = poles_of(body, self._dimensions), self._numbers(body)
        return self._named[name]

    def _numbers(self, text: str) -> frozenset[int]:
        """Return the numbers that a text of the rules may mean."""
        found = {int(self._options[word]) for word in words_in(text) if word in self._options}
        for sign, digits in DIGITS.findall(text):
            number = int(digits)
            found |= {number, number + (sign == ">") - (sign == "<")}
        twice = {m for n in found if n >= _OFTEN for m in (2 * n - 1, 2 * n, 2 * n + 1, n // 2)}
        return frozenset(found | twice) - {0}

    def _rule(
        self,
        span: Span,
        around: Mapping[str, float],
        doing: str = "",
        says: Span | None = None,
        name: Span | None = None,
    ) -> Rule:
        text, about = without_comments(span.text), dict(around)
        for word in stems(doing):
            about[word] = max(about.get(word, 0), _NEARBY)
        for word in words_in(text):
            for one in _MEANS.get(word, ()):
                about[one] = max(about.get(one, 0), _NEARBY)
            about |= dict.fromkeys(stems(word) | self._words.get(word, frozenset()), _OWN)
        poles, numbers = poles_of(text, self._dimensions), self._numbers(text)
        reaches = dict(poles)
        names = (
            name for word in words_in(text) if word in self._bodies for name in self._leads_to(word)
        )
        for behind in set(names):
            more, others = self._of_body(behind)
            numbers |= others
            reaches = {dimension: reaches[dimension] | of for dimension, of in more.items()}
        is_negative = bool(_NEGATIVE_RULE.search(text))
        return Rule(span, text, about, poles, reaches, numbers, is_negative, says, name)

    def __iter__(self) -> Iterator[Rule]:
        for key, node in self._document.entries:
            if key.text in ("turn", "together", "phases", "actions"):
                yield from self._programs(node, {})
            elif key.text in ("end", "stuck"):
                yield from self._ends(node)
            elif key.text in ("options", "state", "hands"):
                yield from self._constants(node)
            elif key.text == "define":
                for head, body in entries_of(node):
                    rule, says = inside(body, "is") or body, inside(body, "says")
                    if isinstance(rule, Scalar):
                        about = self._about(head, NAMED)
                        yield self._rule(
                            rule.span, about, "", says.span if says else None, head.span
                        )

    def _about(self, head: Scalar, weight: float) -> dict[str, float]:
        """Return what a definition, a variable or an option is about."""
        name = head_name(head)
        return dict.fromkeys(stems(name) | self._words.get(name, frozenset()), weight)

    def _constants(self, node: Node) -> Iterator[Rule]:
        for head, body in entries_of(node):
            value = inside(body, "default") or body
            found = _CONSTANT.search(value.span.text) if isinstance(value, Scalar) else None
            if found is not None:
                begin = value.span.start + found.start(1)
                place = Span(value.span.source, begin, begin + len(found[1]))
                yield self._rule(place, self._about(head, _OWN))

    def _ends(self, node: Node | None) -> Iterator[Rule]:
        if isinstance(node, Items):
            for item in node.items:
                yield from self._ends(item)
        elif isinstance(node, Scalar):
            yield self._rule(node.span, {})
        elif isinstance(rule := inside(node, "clause"), Scalar):
            says = inside(node, "says")
            about = dict.fromkeys(stems(without_values(says.span.text)) if says else (), NAMED)
            yield self._rule(rule.span, about, says=says.span if says else None)

    def _programs(self, node: Node | None, around: Mapping[str, float]) -> Iterator[Rule]:
        block = readable(node, "program")
        if isinstance(block, tuple):
            yield from self._block(block, around)
        for head, body in entries_of(node):
            if head.text in ("end", "stuck"):
                yield from self._ends(body)
            elif head.text not in ("seat", "says"):
                named = dict.fromkeys(stems(head_name(head)), NAMED)
                yield from self._programs(body, {**around, **named})

    def _block(self, block: Iterable[t.Node], around: Mapping[str, float]) -> Iterator[Rule]:
        around = dict(around)
        for statement in block:
            match statement:
                case t.Either(alternatives=ways):
                    for way in ways:
                        yield from self._block(way.body, {**around, **_of_label(way.label)})
                case t.Choose(domain=domain, condition=condition, variable=variable):
                    asked = dict.fromkeys(self._words.get(variable.name, ()), NAMED)
                    for part in (domain, *_conjuncts(condition)):
                        yield self._rule(part.span, {**around, **asked})
                    around |= dict.fromkeys(stems(domain.span.text) - around.keys(), _NEARBY)
                case t.Require(condition=condition):
                    for part in _conjuncts(condition):
                        yield self._rule(part.span, around)
                case _ if inner := blocks_inside(statement):
                    condition = getattr(statement, "condition", None)
                    done = stems(" ".join(one.span.text for one in inner[0][:_FEW]))
                    then = dict.fromkeys(done - around.keys(), _NEARBY)
                    for part in _conjuncts(condition):
                        yield self._rule(part.span, {**around, **then})
                    if isinstance(statement, t.ForEach):
                        yield self._rule(statement.domain.span, around)
                    asks = stems(condition.span.text) if condition is not None else frozenset[str]()
                    nearby = dict.fromkeys(asks - around.keys(), _NEARBY)
                    named = _of_label(getattr(statement, "label", None))
                    for body in inner:
                        yield from self._block(body, {**around, **nearby, **named})
                        nearby = {}
                case _:
                    yield self._rule(statement.span, around, _DOES.get(type(statement), ""))


def _of_label(label: t.Name | None) -> dict[str, float]:
    return dict.fromkeys(stems(label.name), NAMED) if label is not None else {}


def _conjuncts(condition: t.Node | None) -> Iterator[t.Node]:
    """Yield what is joined by `and`, each for itself."""
    if isinstance(condition, t.Operation) and condition.operator == "and":
        for operand in condition.operands:
            yield from _conjuncts(operand)
    elif condition is not None:
        yield condition


def entries_of(node: Node | None) -> Sequence[tuple[Scalar, Node]]:
    """Return the entries of a mapping; none of anything else."""
    return node.entries if isinstance(node, Document) else ()


def inside(node: Node | None, key: str) -> Node | None:
    """Return what a mapping has under a key; None if it is none, or has none."""
    return node.get(key) if isinstance(node, Document) else None


def head_name(head: Scalar) -> str:
    """Return the name of a definition, without its parameters."""
    return head.text.partition("(")[0].strip()


def without_values(says: str) -> str:
    """Return a caption without what is filled in."""
    return re.sub(r"\{[^}]*\}", " ", says)
