"""Choices in words, and what a chosen thing is called from there on.

In: a `choose` of a turn, in its context. Out: a sentence, and the context after it. What then
holds: what was chosen is called by the same words as long as it is known, and things of one sort
are told apart by their order.
"""

from __future__ import annotations

from dataclasses import field, replace

from gdl.core.nodes import Expression, Get, Slot
from gdl.core.types import NUMBER, SITES, Type
from gdl.data_classes import dataclass
from gdl.elaborate.values import Joined, ListValue, RangeValue, RelationValue, Value
from gdl.syntax import tree as t
from interpreter.words.context import THAT_WAY, Context, Spoken, Way
from interpreter.words.english import (
    a,
    common,
    in_words,
    listed,
    ordinal,
    plural,
    sentence,
    single,
)
from interpreter.words.numbers import over
from interpreter.words.phrases import Phrases

_SAY = Phrases()


@dataclass
class Names:
    """What chosen things are called: counted while a turn is told once, used when it is again.

    `before` are the things that are known where the telling is now, each with its word.
    """

    before: list[tuple[object, str]] = field(default_factory=list)
    companions: dict[object, set[int]] = field(default_factory=dict)
    is_known: bool = False

    def called(self, node: t.Choose, word: str) -> str:
        """Return what a chosen thing is called, which is known from now on."""
        key = node.variable.span
        same = [other for other, called in self.before if called == word and other != key]
        for number, other in enumerate([*same, key], 1):
            if same:
                self.companions.setdefault(other, set()).add(number)
        self.before.append((key, word))
        numbers = self.companions.get(key)
        if not self.is_known or not numbers:
            return f"the {word}"
        return f"the {ordinal(max(numbers))} {word}"


def choice(node: t.Choose | t.ChooseSet, at: Context, names: Names) -> tuple[str, Context]:
    """Return what is chosen, as a sentence, and the context in which it is known."""
    if isinstance(node, t.Choose):
        return _choose(node, at, names)
    return _choose_set(node, at)


def _choose(node: t.Choose, at: Context, names: Names) -> tuple[str, Context]:
    what, inner = _chosen(node, at, names)
    head, colon, list_of = what.partition(": ")
    text = f"choose {head}"
    if node.condition is not None and inner.settled(node.condition) is not True:
        text += f" for which {_SAY.holds(node.condition, inner)}"
    text += f"{colon}{list_of}"
    if node.unordered_with is not None:
        text += "; the two may be chosen in either order"
    return sentence(text), inner


def _chosen(node: t.Choose, at: Context, names: Names) -> tuple[str, Context]:
    """Return what is chosen, and the context after it."""
    name, domain = node.variable.name, node.domain
    value = at.value(domain)
    if isinstance(value, RelationValue):
        family = _SAY.way(domain, at).along
        spoken = _direction(node, names)
        return f"a direction{'' if family == 'in any direction' else f', {family}'}", at.named(
            name, spoken, value
        )
    if isinstance(domain, t.Range) or isinstance(value, RangeValue):
        text = names.called(node, _number_name(name))
        return f"a number: {over(domain, at, _SAY).removeprefix('the numbers ')}", at.named(
            name, Spoken(text), Get(Slot(name, NUMBER))
        )
    if isinstance(value, ListValue) or isinstance(domain, t.Listing):
        return _chosen_name(node, value, at, names)
    noun = _SAY.noun(domain, at)
    text = names.called(node, noun.name)
    slot: Expression = Get(Slot(name, SITES))
    return noun.one, at.named(name, Spoken(text, noun=single(text, noun.kind)), slot)


def _chosen_name(
    node: t.Choose, value: Value | None, at: Context, names: Names
) -> tuple[str, Context]:
    items = value.items if isinstance(value, ListValue) else ()
    if items and all(isinstance(item, RelationValue) for item in items):
        parts = tuple(item.tree for item in items if isinstance(item, RelationValue))
        among = (
            listed((_SAY.way(item, at).along for item in node.domain.items), "or")
            if isinstance(node.domain, t.Listing)
            else ""
        )
        spoken = _direction(node, names)
        what = f"a direction: {among}" if among else "a direction"
        return what, at.named(node.variable.name, spoken, RelationValue(Joined(parts)))
    kind = items[0].type if items and isinstance(items[0], Expression) else Type("name")
    name = in_words(node.variable.name)
    named = name if len(name) > 2 else "thing"
    what = {"side": "side", "kind": "kind of piece"}.get(kind.name, named)
    is_plain = what != "thing" or isinstance(node.domain, t.Listing)
    text = names.called(node, "kind" if kind.name == "kind" else what) if is_plain else what
    element: Value = Get(Slot(node.variable.name, kind))
    noun = common("piece of that kind", "piece")
    if kind.name == "side":
        noun = common(f"{at.kind_word()} of that side", "piece")
    spoken = Spoken(text, noun=noun)
    if isinstance(node.domain, t.Name) and node.domain.name in ("players", "kinds"):
        return a(what), at.named(node.variable.name, spoken, element)
    among = over(node.domain, at, _SAY)
    if isinstance(node.domain, t.Name) and what == "thing":
        what = in_words(node.domain.name).removesuffix("s")
        text = names.called(node, what)
        return f"one of {among}", at.named(node.variable.name, replace(spoken, text=text), element)
    if isinstance(node.domain, t.Listing):
        among = listed((_SAY.thing(item, at) for item in node.domain.items), "or")
    return f"{a(what)}: {among}", at.named(node.variable.name, spoken, element)


def _direction(node: t.Choose, names: Names) -> Spoken:
    """Return what a chosen direction is called: several of a turn by their order."""
    text = names.called(node, "direction")
    if text == "the direction":
        return Spoken("that direction", way=THAT_WAY)
    return Spoken(text, way=Way(f"next to {{}} in {text}", f"in {text}", leads_to_one=True))


def _choose_set(node: t.ChooseSet, at: Context) -> tuple[str, Context]:
    noun = _SAY.noun(node.domain, at)
    if isinstance(node.number, t.Range):
        low, high = (_SAY.number(n, at) for n in (node.number.low, node.number.high))
        amount = f"{low} to {high}"
        is_one = False
    else:
        amount = _SAY.number(node.number, at)
        is_one = amount == "one"
    what = noun.one if is_one else f"{amount} {noun.part}"
    text = f"the chosen {noun.name if is_one else plural(noun.name)}"
    chosen = replace(single(text, noun.kind), is_one=is_one)
    inner = at.named(
        node.variable.name, Spoken(text, noun=chosen), Get(Slot(node.variable.name, SITES))
    )
    said = f"choose {what}"
    if node.condition is not None and inner.settled(node.condition) is not True:
        said += f" so that {_SAY.holds(node.condition, inner)}"
    return sentence(said), inner


def _number_name(name: str) -> str:
    return in_words(name) if len(name) > 2 else "number"
