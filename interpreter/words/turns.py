"""Turns in words, step by step.

In: a program of the syntax, in its context. Out: steps, each a sentence with the steps within it.
What then holds: each decision has a sentence of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gdl.core.nodes import Get, Slot
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.elaborate.values import RelationValue
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import is_assigned, names_made
from interpreter.words.choices import Names, choice
from interpreter.words.context import THAT_WAY, Argument, Context, Spoken
from interpreter.words.effects import effect
from interpreter.words.elements import element
from interpreter.words.english import amount, in_words, plural, sentence, several, single
from interpreter.words.keeping import keeps_for_sure
from interpreter.words.numbers import over
from interpreter.words.phrases import Phrases

_SAY = Phrases()
_DEEPEST_ACTIONS = 8
_LONGEST_ARGUMENT = 60


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


def steps_of(program: Sequence[t.Statement], at: Context) -> tuple[Step, ...]:
    """Return the steps of a turn's program."""
    names = Names()
    _Teller(names).block(program, at)
    names.is_known = True
    return _Teller(names).block(program, at)


class _Teller:
    """Tells a program."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._actions = 0
        self._is_kept = False
        self._is_kept_later = False

    def block(self, statements: Sequence[t.Statement], at: Context) -> tuple[Step, ...]:
        """Return the steps of a block."""
        known, is_kept_later = len(self._names.before), self._is_kept_later
        actions = at.scope.declarations.actions
        told: list[Step] = []
        for index, statement in enumerate(statements):
            rest = statements[index + 1 :]
            self._is_kept_later = is_kept_later or keeps_for_sure(rest, actions)
            found, at = self._statement(statement, rest, at)
            told += found
        self._is_kept_later = is_kept_later
        del self._names.before[known:]
        return tuple(told)

    def _ways(self, blocks: Iterable[Sequence[t.Statement]], at: Context) -> list[tuple[Step, ...]]:
        """Return the steps of blocks of which one is carried out."""
        before, found, is_kept = self._is_kept, list[tuple[Step, ...]](), self._is_kept
        for block in blocks:
            self._is_kept = before
            found.append(self.block(block, at))
            is_kept |= self._is_kept
        self._is_kept = is_kept
        return found

    # -------------------------------------------------------------------- statements

    def _statement(
        self, statement: t.Statement, rest: Sequence[t.Statement], at: Context
    ) -> tuple[list[Step], Context]:
        match statement:
            case t.Choose() | t.ChooseSet():
                told, inner = choice(statement, at, self._names)
                return [Step(told, is_decision=True)], inner
            case t.LetStatement():
                return self._let(statement, rest, at)
            case t.Either(_, alternatives):
                return self._either(alternatives, at)
            case t.If():
                return self._if(statement, at)
            case _:
                return list(self._plain(statement, at)), at

    def _let(
        self, node: t.LetStatement, rest: Sequence[t.Statement], at: Context
    ) -> tuple[list[Step], Context]:
        name, words = node.name.name, in_words(node.name.name)
        changes = is_assigned(name, rest)
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
        kept = single(text, noun.kind) if noun.is_one else several(text, noun.kind)
        inner = at.named(name, Spoken(text, noun=kept), Get(Slot(name, SITES)))
        return [Step(sentence(f"note as “{words}”: {noun.many}"))], inner

    def _either(
        self, alternatives: Sequence[t.Alternative], at: Context
    ) -> tuple[list[Step], Context]:
        ways: list[Step] = []
        open_ways = [way for way in alternatives if not _is_closed(way.body, at)]
        if len(open_ways) == 1:
            after = _known_after([open_ways[0].body], at)
            return list(self.block(open_ways[0].body, at)), after
        bodies = self._ways([way.body for way in open_ways], at)
        for way, told in zip(open_ways, bodies, strict=True):
            label = f" “{in_words(way.label.name)}”" if way.label is not None else ""
            ways.append(Step(f"{'Or' if ways else 'Either'}{label}:", told))
        after = _known_after([way.body for way in alternatives], at)
        return [Step("Do one of these:", tuple(ways), is_decision=True)], after

    def _if(self, node: t.If, at: Context) -> tuple[list[Step], Context]:
        settled = at.settled(node.condition)
        after = _known_after([node.then, node.otherwise], at)
        if isinstance(settled, bool):
            return list(self.block(node.then if settled else node.otherwise, at)), after
        then, otherwise = self._ways([node.then, node.otherwise], at)
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

    def _plain(self, node: t.PlainStatement, at: Context) -> Iterator[Step]:
        match node:
            case t.Optionally(_, label, body):
                name = f" “{in_words(label.name)}”" if label is not None else ""
                yield Step(f"You may{name}:", self.block(body, at), is_decision=True)
            case t.Require(_, condition):
                if at.settled(condition) is not True:
                    text = f"this is allowed only if {_SAY.holds(condition, at)}"
                    yield Step(sentence(text), is_decision=True)
            case t.Keep(_, extreme, value):
                if not self._is_kept_later:
                    degree = "greatest" if extreme == "most" else "least"
                    only = f"only those for which {_SAY.number(value, at)} is {degree} are allowed"
                    instead = "instead of those, " if self._is_kept else ""
                    self._is_kept = True
                    yield Step(sentence(f"{instead}of all such moves, {only}"), is_decision=True)
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
                number = _SAY.number(count, at)
                if number == "one":
                    yield from self.block(body, at)
                else:
                    often = "twice" if number == "two" else amount(number, "time")
                    yield Step(f"Do this {often}:", self.block(body, at))
            case _:
                text = effect(node, at)
                if text:
                    yield Step(sentence(text))

    def _do(self, name: str, arguments: Sequence[t.Expression], at: Context) -> Iterator[Step]:
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
                    kept = several(f"what is noted as “{words}”", noun.kind)
                    inner = inner.named(parameter.name, Spoken(kept.many, noun=kept), value)
                    continue
            bound = inner.named(parameter.name, Spoken(parameter.name), value)
            inner_words = {**bound.words, parameter.name: Argument(argument, at)}
            inner = replace(bound, words=inner_words)
        self._actions += 1
        yield from self.block(action.body, inner)
        self._actions -= 1

    def _for_each(self, node: t.ForEach, at: Context) -> Iterator[Step]:
        if at.is_relation(node.domain):
            family = _SAY.way(node.domain, at).along
            head = f"for each direction{'' if family == 'in any direction' else f', {family}'}"
            inner = at.named(
                node.variable.name,
                Spoken("that direction", way=THAT_WAY),
                at.value(node.domain),
            )
        else:
            head = f"for {self._each(node.domain, at)}"
            inner = element(node.domain, node.variable.name, at, _SAY)
        if node.condition is not None and inner.settled(node.condition) is not True:
            head += f" for which {_SAY.holds(node.condition, inner)}"
        yield Step(f"{_capital(head)}:", self.block(node.body, inner))

    def _each(self, domain: t.Expression, at: Context) -> str:
        if isinstance(domain, t.Range):
            return f"each number from {over(domain, at, _SAY).removeprefix('the numbers ')}"
        if isinstance(domain, t.Name) and domain.name in ("players", "kinds"):
            return f"each {'side' if domain.name == 'players' else 'kind of piece'}"
        if isinstance(domain, t.Listing):
            return f"each of {over(domain, at, _SAY)}"
        every = _SAY.noun(domain, at).every
        return every.replace("every one of", "each of").replace("every ", "each ")


def _is_closed(block: Sequence[t.Statement], at: Context) -> bool:
    """Return whether a way can't be taken, whatever the position is."""
    required = (one.condition for one in block if isinstance(one, t.Require))
    return any(at.settled(condition) is False for condition in required)


def _is_chain(steps: Sequence[Step]) -> bool:
    """Return whether steps are an `if` with what else holds, and nothing more."""
    return all(step.text.startswith("Otherwise") for step in steps[1:])


def _known_after(blocks: Sequence[Sequence[t.Statement]], at: Context) -> Context:
    """Return the context after ways of which one was taken: what all name is known by its name."""
    made = [names_made(tuple(block)) for block in blocks]
    for name in made[0]:
        if all(name in others for others in made):
            at = at.named(
                name,
                Spoken(f"the {in_words(name)}", noun=single("what was chosen")),
                Get(Slot(name, SITES)),
            )
    return at


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"
