"""What an author says or names: captions with what stands in them, and words of the file.

In: a caption, or a word of the file with its arguments, in its context. Out: a text, or a `Noun`.
What then holds: no parameter or option is left in a caption by its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from gdl.core.nodes import Const
from gdl.core.types import Type
from gdl.interpreter.english import (
    Noun,
    common,
    in_words,
    listed,
    number_word,
    possessive,
    several,
    single,
)
from gdl.interpreter.words.context import ITS_KIND, Argument, Context, Say, Spoken
from gdl.syntax import tree as t

_HEADS = {
    "sites": "site",
    "pieces": "piece",
    "stones": "stone",
    "discs": "disc",
    "men": "man",
    "groups": "group",
}
"""Words that a caption may begin with, and what one such thing is called."""


def filled(caption: str, at: Context, say: Say) -> str:
    """Return an author's caption with what its parameters stand for in this place."""
    for name, spoken in at.words.items():
        if f"{{{name}}}" in caption:
            told = (
                say.thing(spoken.node, spoken.at) if isinstance(spoken, Argument) else spoken.text
            )
            if re.search(f"{{{name}}}[^']", caption) and "otherwise" not in told:
                told, has_condition, condition = told.partition(" if ")
                caption += has_condition + condition
            whose = at.voice.owns if told == at.voice.own else possessive(told)
            caption = caption.replace(f"{{{name}}}'s", whose).replace(f"{{{name}}}", told)
    if at.voice.own == "you":
        caption = re.sub(r"(?<!\bthe )\b(\w+ of) \{own\}(?!'s)", r"\1 yours", caption)
    return _with_options(
        caption.replace("{own}'s", at.voice.owns).replace("{own}", at.voice.own), at
    )


def _with_options(caption: str, at: Context) -> str:
    """Return a caption with the values of the options that it names."""
    for name, value in at.scope.declarations.options.items():
        if f"{{{name}}}" in caption and isinstance(value, Const):
            caption = caption.replace(f"{{{name}}}", write_option(value))
    return caption


def write_option(value: Const) -> str:
    """Return an option's value as people write it."""
    if value.type.values and int(value.value) >= 0:
        return in_words(value.type.values[int(value.value)])
    number = value.value
    return number_word(number) if isinstance(number, int) else str(number)


def captioned_noun(caption: str) -> Noun:
    """Return the noun of a caption, which says what the elements of a set are.

    >>> captioned_noun("the sites that a king can go to").none
    'no site that a king can go to'
    """
    head, _, rest = caption.removeprefix("the ").partition(" ")
    if head == "site":
        return single(caption)
    if head in _HEADS:
        word = _HEADS[head]
        kind: Literal["piece", "site"] = "site" if word == "site" else "piece"
        return replace(common(word, kind).after(rest), many=caption)
    return several(caption)


def called(
    name: str, arguments: Sequence[t.Expression], at: Context, say: Say, what: str = ""
) -> str:
    """Return a word of the file with its arguments: `your hand`, `the seeds of the site`.

    `what` stands behind the word.
    """
    whose, is_quoted = "", at.is_quoted(name)
    others = []
    for argument in arguments:
        of = at.type_of(argument)
        if of is not None and of.name == "side" and not whose:
            told = say.thing(argument, at)
            whose = at.voice.owns if told == at.voice.own else possessive(told)
        elif not (at.is_nothing(argument) or _is_flag(of)):
            spoken = at.words.get(argument.name) if isinstance(argument, t.Name) else None
            if spoken is ITS_KIND and len(arguments) > 1:
                is_quoted = True
                continue
            is_way = isinstance(spoken, Spoken) and spoken.way is not None
            told = spoken.text if isinstance(spoken, Spoken) and is_way else say.thing(argument, at)
            others.append(told)
    of_what = f" of {listed(others, 'and')}" if others else ""
    word = in_words(name).removesuffix(" of")
    words = " ".join(filter(None, (f"“{word}”" if is_quoted else word, what)))
    return f"{whose or 'the'} {words}{of_what}"


def _is_flag(of: Type | None) -> bool:
    return of is not None and of.name == "flag"
