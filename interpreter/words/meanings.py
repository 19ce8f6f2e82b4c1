"""What words of a file mean that sentences use by name.

In: a `Game`, and sentences about it. Out: a sentence for each such word, in the order of the file.
What then holds: nothing is told of a word with a caption, nor of one whose meaning can't be told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import product

from gdl.core.nodes import Expression, Get, Slot
from gdl.core.types import NUMBER, SITES, Type
from gdl.elaborate.scope import Declarations, Definition, Scope
from gdl.elaborate.values import RelationValue, Value
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.words.context import IT, YOU, Context, Spoken, Voice, context_of
from interpreter.words.elements import times_named
from interpreter.words.english import in_words, single
from interpreter.words.phrases import Phrases

_SAY = Phrases()
_LONGEST = 240
_MOST_TRIED = 27
_UNTOLD = re.compile(
    r"a part of the board|related to|as the file says|\bthe value\b|\ba number\b"
    r"|that (is|are) (not )?an? (site|piece) (that|in)\b"
)


def meanings(declarations: Declarations, turns: str, ends: str) -> tuple[str, ...]:
    """Return what the words mean that the sentences of turns and of ends use by name."""
    told: dict[str, str] = {}
    pending = [(turns, YOU), (ends, IT)]
    while pending:
        text, voice = pending.pop(0)
        for name, cases in declarations.definitions.items():
            if name not in told and not cases[0].from_prelude and _is_used(name, cases, text):
                told[name] = _meaning(name, cases, declarations, voice)
                pending.append((told[name], voice))
    return tuple(told[name] for name in declarations.definitions if told.get(name))


def _is_used(name: str, cases: Sequence[Definition], text: str) -> bool:
    """Return whether a text has a word by its name: those that are no nouns are quoted there."""
    if any(case.says for case in cases):
        return False
    words = re.escape(in_words(name).removesuffix(" of"))
    if f"“{words}”" in text:
        return True
    if cases[0].result == "relation":
        return re.search(rf"\b{words} steps?\b", text) is not None
    is_noun = cases[0].result is not None or isinstance(cases[0].body, t.TableOf)
    return (is_noun or len(cases) > 1) and re.search(rf"\b{words}\b", text) is not None


def _meaning(
    name: str, cases: Sequence[Definition], declarations: Declarations, voice: Voice
) -> str:
    """Return what a word means; nothing if that can't be told."""
    at = context_of(Scope(declarations, 0, 0), voice)
    words = in_words(name).removesuffix(" of")
    if len({len(case.head.parameters) for case in cases}) > 1:
        return ""
    first = cases[0]
    if isinstance(first.body, t.TableOf) and len(cases) == 1:
        of = [p.name for p in first.head.parameters if p.name != first.body.asked.name]
        told = None if of else list(_entries(first.body.entries, at))
    elif len(cases) > 1:
        heads = [case.head.parameters[0].word for case in cases if len(case.head.parameters) == 1]
        pairs = zip(heads, (case.body for case in cases), strict=False)
        told = list(_entries((t.Entry(h.span, h, body) for h, body in pairs), at))
        told = told if len(heads) == len(cases) else None
    else:
        return _of_parameters(words, first, at)
    if told is None or not all(told):
        return ""
    return _checked(f"“{words}”{_steps(first, at)}: {'; '.join(told)}.")


def _entries(entries: Iterable[t.Entry], at: Context) -> Iterator[str]:
    """Yield what a table has for each of its keys; nothing where that can't be told."""
    for entry in entries:
        value = _value(entry.value, at)
        if entry.key is None:
            yield value and f"otherwise {value}"
        elif at.value(entry.key) is None:
            yield ""
        else:
            key = entry.key
            told = in_words(key.name) if isinstance(key, t.Name) else _SAY.thing(key, at)
            yield value and f"for {told} {value}"


def _of_parameters(words: str, one: Definition, at: Context) -> str:
    """Return what a word means of its parameters, which are called by their names."""
    names = [parameter.name for parameter in one.head.parameters]
    sorts = (SITES, at.scope.declarations.side_type, NUMBER)
    for types in list(product(sorts, repeat=len(names)))[:_MOST_TRIED]:
        inner = at
        for name, of in zip(names, types, strict=True):
            inner = inner.named(name, _parameter(name, of), Get(Slot(name, of)))
        value = _value(one.body, inner)
        if any(f"{name} if it is" in value for name in names):
            return ""
        if value:
            of_what = f" of {', '.join(names)}" if names else ""
            return _checked(f"“{words}”{_steps(one, inner)}{of_what}: {value}.")
    return ""


def _parameter(name: str, of: Type) -> Spoken:
    return Spoken(name, noun=single(name) if of == SITES else None)


def _steps(one: Definition, at: Context) -> str:
    """Return the word for what a relation leads along."""
    body = one.body.entries[0].value if isinstance(one.body, t.TableOf) else one.body
    return " step" if one.result == "relation" or at.is_relation(body) else ""


def _value(node: t.Expression, at: Context) -> str:
    """Return what something stands for; nothing if its value can't be worked out."""
    value: Value | None = at.value(node)
    if any(_loses_variable(one) for one in nodes_in([node])):
        return ""
    if isinstance(value, RelationValue):
        return _SAY.way(node, at).along
    if not isinstance(value, Expression):
        return ""
    if value.type.name == "flag":
        return f"that {_SAY.holds(node, at)}"
    return _SAY.thing(node, at)


def _loses_variable(node: t.Node) -> bool:
    """Return whether it is told of any element of a domain what is so of one and the same."""
    if not isinstance(node, t.Quantified) or node.word not in ("union", "intersection"):
        return False
    return node.word == "intersection" or times_named(node.body, node.variable.name) > 1


def _checked(text: str) -> str:
    """Return a sentence if it tells all that it should."""
    return "" if len(text) > _LONGEST or _UNTOLD.search(text) else text
