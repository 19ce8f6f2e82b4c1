"""Turns in words, step by step.

In: a program of the syntax, in its setting. Out: steps, each a sentence with the steps within it.
What then holds: each decision has a sentence of its own; what a decision has chosen is called by
the same words from there on, and things of one sort are told apart by their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from gdl.core.nodes import Expression, Get, Slot
from gdl.core.types import NUMBER, SITES, Type
from gdl.elaborate.values import Joined, ListValue, RangeValue, RelationValue, Value
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import is_given
from interpreter.words.effects import effect
from interpreter.words.elements import element
from interpreter.words.english import (
    Noun,
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
from interpreter.words.relations import running
from interpreter.words.setting import Given, Setting, Spoken, Way

_SAY = Phrases()


_DEEPEST_ACTIONS = 8


_LONGEST_ARGUMENT = 60


_THAT_WAY = Way("next to {} in that direction", "in that direction", leads_to_one=True)


@dataclass(frozen=True)
class Step:
    """A sentence of a turn, and the steps within it; a decision is left to the player."""

    text: str
    inner: tuple[Step, ...] = ()
    is_decision: bool = False

    def lines(self, indent: str = "") -> Iterator[str]:
        """Yield the step and those within it as lines, deeper ones further in."""
        yield f"{indent}{self.text}"
        for step in self.inner:
            yield from step.lines(f"{indent}  ")

    def all(self) -> Iterator[Step]:
        """Yield the step and those within it."""
        yield self
        for step in self.inner:
            yield from step.all()


@dataclass
class _Names:
    """What chosen things are called: counted while a turn is told once, used when it is again."""

    companions: dict[object, set[int]] = field(default_factory=dict)
    is_known: bool = False

    def of(self, key: object, word: str, before: Sequence[tuple[object, str]]) -> str:
        """Return what a thing is called that comes after others."""
        same = [other for other, called in before if called == word and other != key]
        for number, other in enumerate([*same, key], 1):
            if same:
                self.companions.setdefault(other, set()).add(number)
        numbers = self.companions.get(key)
        if not self.is_known or not numbers:
            return f"the {word}"
        return f"the {ordinal(max(numbers))} {word}"


def steps_of(program: Sequence[t.Statement], at: Setting) -> tuple[Step, ...]:
    """Return the steps of a turn's program."""
    names = _Names()
    _Teller(names).block(program, at)
    names.is_known = True
    return _Teller(names).block(program, at)


class _Teller:
    """Tells a program."""

    def __init__(self, names: _Names) -> None:
        self._names = names
        self._before: list[tuple[object, str]] = []
        self._actions = 0

    def block(self, statements: Sequence[t.Statement], at: Setting) -> tuple[Step, ...]:
        """Return the steps of a block."""
        kept = list(self._before)
        told: list[Step] = []
        for index, statement in enumerate(statements):
            found, at = self._statement(statement, statements[index + 1 :], at)
            told += found
        self._before = kept
        return tuple(told)

    # -------------------------------------------------------------------- statements

    def _statement(
        self, statement: t.Statement, rest: Sequence[t.Statement], at: Setting
    ) -> tuple[list[Step], Setting]:
        match statement:
            case t.Choose():
                return self._choose(statement, at)
            case t.ChooseSet():
                return self._choose_set(statement, at)
            case t.LetStatement():
                return self._let(statement, rest, at)
            case t.Either(_, alternatives):
                return self._either(alternatives, at)
            case t.If():
                return self._if(statement, at)
            case _:
                return list(self._plain(statement, at)), at

    def _choose(self, node: t.Choose, at: Setting) -> tuple[list[Step], Setting]:
        what, inner = self._chosen(node, at)
        head, colon, list_of = what.partition(": ")
        text = f"choose {head}"
        if node.condition is not None and at_settled(inner, node.condition) is not True:
            text += f" for which {_SAY.holds(node.condition, inner)}"
        text += f"{colon}{list_of}"
        if node.unordered_with is not None:
            text += "; the two may be chosen in either order"
        return [Step(sentence(text), is_decision=True)], inner

    def _chosen(self, node: t.Choose, at: Setting) -> tuple[str, Setting]:
        """Return what is chosen, and the setting after it."""
        name, domain = node.variable.name, node.domain
        value = at.value(domain)
        if isinstance(value, RelationValue):
            family = _SAY.way(domain, at).along
            spoken = self._direction(node)
            return f"a direction{'' if family == 'in any direction' else f', {family}'}", at.named(
                name, spoken, value
            )
        if isinstance(domain, t.Range) or isinstance(value, RangeValue):
            text = self._called(node, _number_name(name))
            return f"a number: {over(domain, at, _SAY).removeprefix('the numbers ')}", at.named(
                name, Spoken(text), Get(Slot(name, NUMBER))
            )
        if isinstance(value, ListValue) or isinstance(domain, t.Listing):
            return self._chosen_name(node, value, at)
        noun = _SAY.noun(domain, at)
        text = self._called(node, noun.name)
        slot: Expression = Get(Slot(name, SITES))
        return noun.one, at.named(name, Spoken(text, noun=single(text, noun.kind)), slot)

    def _chosen_name(self, node: t.Choose, value: Value | None, at: Setting) -> tuple[str, Setting]:
        items = value.items if isinstance(value, ListValue) else ()
        if items and all(isinstance(item, RelationValue) for item in items):
            parts = tuple(item.tree for item in items if isinstance(item, RelationValue))
            among = (
                listed((_SAY.way(item, at).along for item in node.domain.items), "or")
                if isinstance(node.domain, t.Listing)
                else ""
            )
            spoken = self._direction(node)
            what = f"a direction: {among}" if among else "a direction"
            return what, at.named(node.variable.name, spoken, RelationValue(Joined(parts)))
        kind = items[0].type if items and isinstance(items[0], Expression) else Type("name")
        name = in_words(node.variable.name)
        named = name if len(name) > 2 else "thing"
        what = {"side": "side", "kind": "kind of piece"}.get(kind.name, named)
        is_plain = what != "thing" or isinstance(node.domain, t.Listing)
        text = self._called(node, "kind" if kind.name == "kind" else what) if is_plain else what
        given: Value = Get(Slot(node.variable.name, kind))
        noun = common("piece of that kind", "piece")
        if kind.name == "side":
            noun = replace(common(f"{at.kind_word()} of that side", "piece"))
        spoken = Spoken(text, noun=noun)
        if isinstance(node.domain, t.Name) and node.domain.name in ("players", "kinds"):
            return a(what), at.named(node.variable.name, spoken, given)
        among = over(node.domain, at, _SAY)
        if isinstance(node.domain, t.Name) and what == "thing":
            what = in_words(node.domain.name).removesuffix("s")
            text = self._called(node, what)
            return f"one of {among}", at.named(
                node.variable.name, replace(spoken, text=text), given
            )
        if isinstance(node.domain, t.Listing):
            among = listed((_SAY.thing(item, at) for item in node.domain.items), "or")
        return f"{a(what)}: {among}", at.named(node.variable.name, spoken, given)

    def _direction(self, node: t.Choose) -> Spoken:
        """Return what a chosen direction is called: several of a turn by their order."""
        text = self._called(node, "direction")
        if text == "the direction":
            return Spoken("that direction", way=_THAT_WAY)
        return Spoken(text, way=Way(f"next to {{}} in {text}", f"in {text}", leads_to_one=True))

    def _called(self, node: t.Choose | t.ForEach, word: str) -> str:
        key = node.variable.span
        text = self._names.of(key, word, self._before)
        self._before.append((key, word))
        return text

    def _choose_set(self, node: t.ChooseSet, at: Setting) -> tuple[list[Step], Setting]:
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
        chosen = (
            single(text, noun.kind) if is_one else replace(single(text, noun.kind), is_one=False)
        )
        inner = at.named(
            node.variable.name, Spoken(text, noun=chosen), Get(Slot(node.variable.name, SITES))
        )
        said = f"choose {what}"
        if node.condition is not None and at_settled(inner, node.condition) is not True:
            said += f" so that {_SAY.holds(node.condition, inner)}"
        return [Step(sentence(said), is_decision=True)], inner

    def _let(
        self, node: t.LetStatement, rest: Sequence[t.Statement], at: Setting
    ) -> tuple[list[Step], Setting]:
        name, words = node.name.name, in_words(node.name.name)
        changes = is_given(name, rest)
        if isinstance(node.value, t.Name) and not changes and node.value.name in at.words:
            return [], at.defined_as(name, node.value)
        value = at.value(node.value)
        if isinstance(value, RelationValue):
            way = _SAY.way(node.value, at)
            return [], at.named(name, Spoken(way.along, way=way), value)
        of = at.type_of(node.value)
        if of is not None and of.name == "flag":
            told = f"whether {_SAY.holds(node.value, at)}"
            settled = at.settled(node.value)
            if settled is not None:
                told = "yes" if settled else "no"
            inner = at.named(name, Spoken(words), Get(Slot(name, of)))
            return [Step(sentence(f"note as “{words}”: {told}"))], inner
        if of is not None and of != SITES:
            told = _SAY.thing(node.value, at)
            inner = at.named(name, Spoken(f"the {words}"), Get(Slot(name, of)))
            return [Step(sentence(f"note as “{words}”: {told}"))], inner
        noun = _SAY.noun(node.value, at)
        of_kind = plural("piece" if noun.kind == "piece" else "site")
        text = f"the {words}" if noun.is_one else f"the {words} {of_kind}"
        kept = single(text, noun.kind) if noun.is_one else _named_set(text, noun.kind)
        inner = at.named(name, Spoken(text, noun=kept), Get(Slot(name, SITES)))
        return [Step(sentence(f"note as “{words}”: {noun.many}"))], inner

    def _either(
        self, alternatives: Sequence[t.Alternative], at: Setting
    ) -> tuple[list[Step], Setting]:
        ways: list[Step] = []
        open_ways = [way for way in alternatives if not _is_closed(way.body, at)]
        if len(open_ways) == 1:
            after = _known_after([open_ways[0].body], at)
            return list(self.block(open_ways[0].body, at)), after
        for way in open_ways:
            told = self.block(way.body, at)
            label = f" “{in_words(way.label.name)}”" if way.label is not None else ""
            ways.append(Step(f"{'Or' if ways else 'Either'}{label}:", told))
        after = _known_after([way.body for way in alternatives], at)
        return [Step("Do one of these:", tuple(ways), is_decision=True)], after

    def _if(self, node: t.If, at: Setting) -> tuple[list[Step], Setting]:
        settled = at_settled(at, node.condition)
        after = _known_after([node.then, node.otherwise], at)
        if isinstance(settled, bool):
            return list(self.block(node.then if settled else node.otherwise, at)), after
        then = self.block(node.then, at)
        otherwise = self.block(node.otherwise, at)
        told = []
        if then:
            told.append(Step(f"{_capital(f'if {_SAY.holds(node.condition, at)}')}:", then))
            if otherwise and otherwise[0].text.startswith("If ") and _is_chain(otherwise):
                first = otherwise[0]
                told.append(Step(f"Otherwise, i{first.text[1:]}", first.inner))
                told += otherwise[1:]
            elif otherwise:
                told.append(Step("Otherwise:", otherwise))
        elif otherwise:
            condition = _SAY.holds(node.condition, at, is_so=False)
            told.append(Step(f"{_capital(f'if {condition}')}:", otherwise))
        return told, after

    # ------------------------------------------------------------- effects and control

    def _plain(self, node: t.PlainStatement, at: Setting) -> Iterator[Step]:
        match node:
            case t.Optionally(_, label, body):
                name = f" “{in_words(label.name)}”" if label is not None else ""
                yield Step(f"You may{name}:", self.block(body, at), is_decision=True)
            case t.Require(_, condition):
                if at_settled(at, condition) is not True:
                    text = f"this is allowed only if {_SAY.holds(condition, at)}"
                    yield Step(sentence(text), is_decision=True)
            case t.Keep(_, extreme, value):
                degree = "greatest" if extreme == "most" else "least"
                told = _SAY.number(value, at)
                yield Step(
                    sentence(
                        f"of all such moves, only those for which {told} is {degree} are allowed"
                    ),
                    is_decision=True,
                )
            case t.Do(_, name, arguments):
                yield from self._do(name.name, arguments, at)
            case t.ForEach():
                yield from self._for_each(node, at)
            case t.RepeatUntil(_, body, condition):
                yield Step("Do this:", self.block(body, at))
                inner = _known_after([body], at)
                yield Step(sentence(f"repeat it until {_SAY.holds(condition, inner)}"))
            case t.RepeatSettled(_, body):
                yield Step(
                    "Do this, again and again, until nothing changes any more:",
                    self.block(body, at),
                )
            case t.RepeatWhile(_, condition, body):
                yield Step(f"As long as {_SAY.holds(condition, at)}:", self.block(body, at))
            case t.RepeatTimes(_, count, body):
                amount = _SAY.number(count, at)
                if amount == "one":
                    yield from self.block(body, at)
                else:
                    often = "twice" if amount == "two" else f"{amount.removeprefix('the ')} times"
                    yield Step(f"Do this {often}:", self.block(body, at))
            case _:
                text = effect(node, at)
                if text:
                    yield Step(sentence(text))

    def _do(self, name: str, arguments: Sequence[t.Expression], at: Setting) -> Iterator[Step]:
        action = at.scope.declarations.actions.get(name)
        if action is None or self._actions >= _DEEPEST_ACTIONS:
            yield Step(sentence(f"do “{in_words(name)}”"))
            return
        inner = replace(at, words={}, scope=replace(at.scope, locals={}))
        for parameter, argument in zip(action.head.parameters, arguments, strict=False):
            value = at.value(argument)
            if at.type_of(argument) == SITES and not isinstance(argument, t.Name):
                noun = _SAY.noun(argument, at)
                if len(noun.many) > _LONGEST_ARGUMENT:
                    words = in_words(parameter.name if len(parameter.name) > 2 else name)
                    yield Step(sentence(f"note as “{words}”: {noun.many}"))
                    kept = _named_set(f"what is noted as “{words}”", noun.kind)
                    inner = inner.named(parameter.name, Spoken(kept.many, noun=kept), value)
                    continue
            given = Given(argument, at)
            bound = inner.named(parameter.name, Spoken(parameter.name), value)
            inner = replace(bound, words={**bound.words, parameter.name: given})
        self._actions += 1
        yield from self.block(action.body, inner)
        self._actions -= 1

    def _for_each(self, node: t.ForEach, at: Setting) -> Iterator[Step]:
        if at.is_relation(node.domain):
            family = _SAY.way(node.domain, at).along
            head = f"for each direction{'' if family == 'in any direction' else f', {family}'}"
            inner = at.named(
                node.variable.name,
                Spoken("that direction", way=_THAT_WAY),
                at.value(node.domain),
            )
        elif isinstance(node.domain, t.Range):
            head = (
                f"for each number from {over(node.domain, at, _SAY).removeprefix('the numbers ')}"
            )
            inner = at.named(
                node.variable.name, Spoken("that number"), Get(Slot(node.variable.name, NUMBER))
            )
        elif isinstance(node.domain, t.Name) and node.domain.name in ("players", "kinds"):
            head = f"for each {'side' if node.domain.name == 'players' else 'kind of piece'}"
            inner = element(node.domain, node.variable.name, at, _SAY)
        elif isinstance(node.domain, t.Listing):
            head = f"for each of {over(node.domain, at, _SAY)}"
            inner = element(node.domain, node.variable.name, at, _SAY)
        else:
            noun = _SAY.noun(node.domain, at)
            head = f"for {noun.every.replace('every one of', 'each of').replace('every ', 'each ')}"
            inner = element(node.domain, node.variable.name, at, _SAY)
        if node.condition is not None and at_settled(inner, node.condition) is not True:
            head += f" for which {_SAY.holds(node.condition, inner)}"
        yield Step(f"{_capital(head)}:", self.block(node.body, inner))


def _is_closed(block: Sequence[t.Statement], at: Setting) -> bool:
    """Return whether a way can't be taken, whatever the position is."""
    required = (one.condition for one in block if isinstance(one, t.Require))
    return any(at.settled(condition) is False for condition in required)


def _is_chain(steps: Sequence[Step]) -> bool:
    """Return whether steps are an `if` with what else holds, and nothing more."""
    return all(step.text.startswith("Otherwise") for step in steps[1:])


def at_settled(at: Setting, node: t.Expression) -> object:
    """Return the value that a node has in every position, or None."""
    return at.settled(node)


def _named_set(text: str, kind: str) -> Noun:
    return Noun(
        f"one of {text}", text, f"none of {text}", f"every one of {text}", text, f"of {text}",
        "piece" if kind == "piece" else "site",
    )  # fmt: skip


def _known_after(blocks: Sequence[Sequence[t.Statement]], at: Setting) -> Setting:
    """Return the setting after ways of which one was taken: what all name is known by its name."""
    from gdl.syntax.tree.walk import names_made

    made = [names_made(tuple(block)) for block in blocks]
    for name in made[0]:
        if all(name in others for others in made):
            at = at.named(
                name,
                Spoken(f"the {in_words(name)}", noun=single("what was chosen")),
                Get(Slot(name, SITES)),
            )
    return at


def _number_name(name: str) -> str:
    return in_words(name) if len(name) > 2 else "number"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


__all__ = ["Step", "running", "steps_of"]
