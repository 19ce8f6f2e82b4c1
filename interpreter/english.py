"""English: nouns in the forms that sentences need, traits, articles, plurals, numbers.

In: words. Out: words. What then holds: nothing here knows of games.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal

from gdl.data_classes import dataclass

_NUMBERS = (
    *("zero", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_LONG = 28
"""How long both of two parts are, at least, between which a reader needs a comma."""
_TIMES = {1: "once", 2: "twice"}


@dataclass(frozen=True)
class Noun:
    """What a set of sites is called, in the forms that a sentence may need.

    `one` is any element, `many` all of them, `none` no element, `every` each; `bare` stands after
    `the number of`, `part` after a number. `kind` is what an element is. A noun that `is_one` is
    a single element that is known; one that `is_part` names a part of the board.
    """

    one: str
    many: str
    none: str
    every: str
    bare: str
    part: str
    kind: Literal["piece", "site"] = "site"
    is_one: bool = False
    is_part: bool = False

    def after(self, words: str, comma: str = " ") -> Noun:
        """Return the noun with words behind it, perhaps with a `comma` between."""
        if not words:
            return self
        several = words
        if not (self.is_one or self.is_part):
            several = re.sub(r"^that holds\b", "that hold", words)
            several = re.sub(r"\bthat is\b", "that are", several)
        return replace(
            self,
            one=f"{self.one}{comma}{words}",
            many=f"{self.many}{comma}{several}",
            none=f"{self.none}{comma}{words}",
            every=f"{self.every}{comma}{words}",
            bare=f"{self.bare}{comma}{several}",
            part=f"{self.part}{comma}{several}",
        )

    @property
    def verb(self) -> str:
        """The verb that goes with `many`."""
        return "is" if self.is_one or self.is_part else "are"

    @property
    def name(self) -> str:
        """What an element is called when it is spoken of again."""
        return self.kind


def common(word: str, kind: Literal["piece", "site"] = "site") -> Noun:
    """Return the noun of things of a sort.

    >>> common("empty site").one, common("empty site").none
    ('an empty site', 'no empty site')
    """
    many = plural(word)
    return Noun(a(word), f"the {many}", f"no {word}", f"every {word}", many, many, kind)


def owned(whose: str, word: str) -> Noun:
    """Return the noun of pieces that belong to somebody.

    >>> owned("your", "stone").one, owned("Red's", "man").none
    ('one of your stones', "none of Red's men")
    """
    return several(f"{whose} {plural(word)}", "piece")


def single(text: str, kind: Literal["piece", "site"] = "site") -> Noun:
    """Return the noun of one thing that is known."""
    return Noun(text, text, f"not {text}", text, text, f"of {text}", kind, is_one=True)


def region(text: str) -> Noun:
    """Return the noun of the sites of a part of the board.

    >>> region("the top side").one
    'a site of the top side'
    """
    return replace(common("site").after(f"of {text}"), many=text, is_part=True)


def several(text: str, kind: Literal["piece", "site"] = "site") -> Noun:
    """Return the noun of things that are called by one text together.

    >>> several("the marked sites").one
    'one of the marked sites'
    """
    return Noun(
        f"one of {text}", text, f"none of {text}", f"every one of {text}", text, f"of {text}", kind
    )


def either(nouns: Iterable[Noun]) -> Noun:
    """Return the noun of what is one or another."""
    parts = list(nouns)
    return Noun(
        joined((noun.one for noun in parts), "or"),
        joined((noun.many for noun in parts), "and"),
        joined((noun.none for noun in parts), "and"),
        joined((noun.every for noun in parts), "and"),
        joined((noun.bare for noun in parts), "and"),
        joined((noun.part for noun in parts), "or"),
        "piece" if all(noun.kind == "piece" for noun in parts) else "site",
    )


@dataclass(frozen=True)
class Trait:
    """What something is, said after `is`; a `place` may also stand right behind a noun.

    `otherwise` is what it is if that is not so, where this is more than `not`.
    """

    text: str
    is_place: bool = False
    clause: str = ""
    otherwise: str = ""

    @property
    def behind(self) -> str:
        """The words that say it behind a noun: a `clause` of its own, if it has one."""
        if self.clause:
            return self.clause
        return self.text if self.is_place else f"that is {self.text}"

    @property
    def negated(self) -> Trait:
        """The trait of what is not so.

        >>> Trait("beside own men, and beside no enemy's").negated.text
        "not both beside own men and beside no enemy's"
        """
        if self.otherwise:
            return Trait(self.otherwise, self.is_place, otherwise=self.text)
        first, comma, second = self.text.partition(", and ")
        told = f"both {first} and {second}" if comma else self.text
        return Trait(f"not {told}", self.is_place)


def a(word: str) -> str:
    """Return a word with its article.

    >>> a("empty site"), a("stone"), a("X Cube")
    ('an empty site', 'a stone', 'an X Cube')
    """
    is_vowel = word[:1].lower() in "aeiou" or re.match(r"[FHLMNRSX]\b", word)
    return f"an {word}" if is_vowel else f"a {word}"


_PLURALS = {
    **{"child": "children", "die": "dice", "foot": "feet", "goose": "geese", "louse": "lice"},
    **{"mouse": "mice", "ox": "oxen", "person": "people", "tooth": "teeth", "vertex": "vertices"},
    **{"calf": "calves", "elf": "elves", "knife": "knives", "leaf": "leaves", "thief": "thieves"},
    **{"wife": "wives", "wolf": "wolves"},
    **{word: word for word in ("deer", "fish", "geese", "mice", "sheep", "wolves")},
}
"""The plurals of nouns, likely to name pieces, that have another one than an ending makes."""


def plural(word: str) -> str:
    """Return the plural of a noun.

    >>> plural("man"), plural("Fox"), plural("die"), plural("Geese"), plural("army")
    ('men', 'Foxes', 'dice', 'Geese', 'armies')
    >>> plural("Mouse"), plural("wolf"), plural("Sheep"), plural("Human"), plural("day")
    ('Mice', 'wolves', 'Sheep', 'Humans', 'days')
    """
    head, of, rest = word.partition(" of ")
    if of:
        return f"{plural(head)}{of}{rest}"
    known = _PLURALS.get(word.lower())
    if known is not None:
        return known.capitalize() if word[:1].isupper() else known
    if word.lower().endswith("man") and not word.lower().endswith(("human", "shaman")):
        return f"{word[:-2]}en"
    if re.search(r"[^aeiou]y$", word):
        return f"{word[:-1]}ies"
    return f"{word}es" if re.search(r"(s|x|ch|sh)$", word) else f"{word}s"


_SEVERAL = {*_PLURALS.values(), "men", "women", "cattle", "police"} - {"deer", "fish"}
"""Names of sides that are plurals though they don't end as such."""
_IN_PLURAL = {
    "does": "do",
    "goes": "go",
    "has": "have",
    "is": "are",
    "passes": "pass",
    "was": "were",
}


def is_plural(name: str) -> bool:
    """Return whether the name of a side is a plural, as far as its letters tell.

    >>> [is_plural(name) for name in ("Tigers", "Mice", "Sea_Wolves", "Norsemen")]
    [True, True, True, True]
    >>> [is_plural(name) for name in ("Red", "Cross", "Zeus", "Warden")]
    [False, False, False, False]
    """
    last = re.split(r"[^a-z]+", in_words(name).lower())[-1]
    if last in _SEVERAL:
        return True
    return re.search("[^aio]men$|[^sui]s$", last) is not None


def does(names: Iterable[str], verb: str) -> str:
    """Return that those who are named do something, with the verb in the form that fits.

    >>> does(["Red"], "wins"), does(["Tigers"], "has"), does(["Red", "Blue", "Green"], "loses")
    ('Red wins', 'Tigers have', 'Red, Blue and Green lose')
    """
    found = list(names)
    return f"{listed(found, 'and')} {verb_of(found, verb)}"


def verb_of(names: Sequence[str], verb: str) -> str:
    """Return a verb in the form that fits those who do it.

    >>> verb_of(["Mice"], "resigns"), verb_of(["Red"], "resigns")
    ('resign', 'resigns')
    """
    if len(names) == 1 and not is_plural(names[0]):
        return verb
    return _IN_PLURAL.get(verb, verb.removesuffix("s"))


def verb_of_value(told: str, verb: str) -> str:
    """Return a verb in the form that fits a value by how it is called.

    >>> [verb_of_value(told, "is") for told in ("the seeds of a2", "your points", "the row of a2")]
    ['are', 'are', 'is']
    """
    found = re.fullmatch(r"(?:the|your|its|[\w ]+'s?) ([\w ]+?)(?: of .*)?", told)
    return verb if found is None else verb_of([found[1]], verb)


def number_word(number: int) -> str:
    """Return a number in words, if it is small.

    >>> number_word(3), number_word(40), number_word(0)
    ('three', '40', 'zero')
    """
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def amount(number: str, word: str) -> str:
    """Return so many things of a sort, the number of which is said in words.

    >>> amount("one", "step"), amount("two", "step"), amount("“quiet”", "step")
    ('one step', 'two steps', '“quiet” steps')
    >>> amount("the number", "piece"), amount("the reach", "step")
    ('that number of pieces', '“reach” steps')
    >>> amount("the number of your pieces", "step")
    'as many steps as the number of your pieces'
    """
    if number == "one":
        return f"one {word}"
    if number == "the number":
        number = "that number"
    if number.endswith(" number"):
        return f"{number} of {plural(word)}"
    if re.fullmatch(r"the \w+", number):
        number = f"“{number.removeprefix('the ')}”"
    if " " in number:
        return f"as many {plural(word)} as {number}"
    return f"{number} {plural(word)}"


def is_ordinal(name: str) -> bool:
    """Return whether a name says which one of several, as in `First`.

    >>> is_ordinal("Second"), is_ordinal("Black")
    (True, False)
    """
    return name.lower() in _ORDINALS


def ordinal(number: int) -> str:
    """Return which one of several something is, from 1.

    >>> ordinal(2)
    'second'
    """
    return _ORDINALS[number - 1] if number <= len(_ORDINALS) else f"{number}th"


def times(number: int) -> str:
    """Return how often, in words.

    >>> times(2), times(3)
    ('twice', 'three times')
    """
    return _TIMES.get(number, f"{number_word(number)} times")


def listed(words: Iterable[str], joint: str) -> str:
    """Return words in one line.

    >>> listed(["a", "b", "c"], "or")
    'a, b or c'
    """
    *others, last = dict.fromkeys(words)
    return f"{', '.join(others)} {joint} {last}" if others else last


def joined(words: Iterable[str], joint: str) -> str:
    """Return words in one line; long ones of them are kept apart by a comma.

    >>> joined(["a site next to the first piece", "a site behind the second one"], "or")
    'a site next to the first piece, or a site behind the second one'
    """
    found = list(dict.fromkeys(words))
    if len(found) == 2 and min(len(one) for one in found) >= _LONG:
        return f"{found[0]}, {joint} {found[1]}"
    return listed(found, joint)


def possessive(name: str) -> str:
    """Return whose something is.

    >>> possessive("Red"), possessive("Tigers"), possessive("the side")
    ("Red's", "Tigers'", "the side's")
    """
    return f"{name}'" if name.endswith("s") else f"{name}'s"


def in_words(name: str) -> str:
    """Return a name of a file as words.

    >>> in_words("next_lower"), in_words("turnRound")
    ('next lower', 'turn round')
    """
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).split("_")
    return " ".join(part.lower() if len(parts) > 1 else part for part in parts if part) or name


def sentence(text: str) -> str:
    """Return a text as a sentence.

    >>> sentence("the board is full")
    'The board is full.'
    """
    text = " ".join(text.split())
    return f"{text[:1].upper()}{text[1:]}{'' if text[-1:] in '.:!?' else '.'}"
