"""Turns in words, step by step.

In: a program of the syntax, in its context. Out: steps, each a sentence with the steps within it.
What then holds: each decision has a sentence of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import reduce

from gdl.core.nodes import Expression, Get, Slot
from gdl.core.types import NUMBER, SITES, Type
from gdl.data_classes import dataclass
from gdl.elaborate.names.scope import Action
from gdl.elaborate.names.values import Joined, ListValue, RangeValue, RelationValue, Value
from gdl.interpreter.english import (
    Noun,
    a,
    amount,
    common,
    in_words,
    listed,
    number_word,
    ordinal,
    plural,
    possessive,
    sentence,
    several,
    single,
    verb_of,
    verb_of_value,
)
from gdl.interpreter.words.captions import called
from gdl.interpreter.words.context import THAT_WAY, Argument, Context, Spoken, Way
from gdl.interpreter.words.elements import element
from gdl.interpreter.words.numbers import over, side
from gdl.interpreter.words.phrases import Phrases
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import is_assigned, names_made, nodes_in

_SAY = Phrases()
_DEEPEST_ACTIONS = 8
_LONGEST_ARGUMENT = 60


@dataclass(frozen=True)
class Step:
    """A sentence of a turn, and the steps within it.

    In one that `leads_on`, a site is chosen by what was chosen before, as a piece's way is.
    """

    text: str
    inner: tuple[Step, ...] = ()
    leads_on: bool = False

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
                return [Step(told, leads_on=_leads_on(statement, at))], inner
            case t.LetStatement():
                return self._let(statement, rest, at)
            case t.Either(_, alternatives):
                return self._either(alternatives, at)
            case t.If():
                return self._if(statement, at)
            case _:
                return list(self._plain(statement, at)), _left_by(statement, at)

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
        return [Step("Do one of these:", tuple(ways))], after

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
                yield Step(f"You may{name}:", self.block(body, at))
            case t.Require(_, condition):
                if at.settled(condition) is not True:
                    text = f"this is allowed only if {_SAY.holds(condition, at)}"
                    yield Step(sentence(text))
            case t.Keep(_, extreme, value):
                if not self._is_kept_later:
                    degree = "greatest" if extreme == "most" else "least"
                    only = f"only those for which {_SAY.number(value, at)} is {degree} are allowed"
                    instead = "instead of those, " if self._is_kept else ""
                    self._is_kept = True
                    yield Step(sentence(f"{instead}of all such moves, {only}"))
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
    left = [reduce(lambda inner, one: _left_by(one, inner), block, at).words for block in blocks]
    for name, word in at.words.items():
        gone = left[0][name]
        if isinstance(gone, Spoken) and all(words[name] is not word for words in left):
            at = at.called(name, gone)
    return at


def _left_by(node: t.Statement, at: Context) -> Context:
    """Return the context after a statement: a site whose piece has gone from it is called so.

    What `let` names keeps its name, as that may be set to where the piece is now.
    """
    match node:
        case t.MovePiece(_, None, t.Name() as gone) | t.Remove(_, None, t.Name() as gone):
            word, noun = at.words.get(gone.name), _SAY.noun(gone, at)
            is_let = isinstance(word, Spoken) and word.text == f"the {in_words(gone.name)}"
            if word is not None and not is_let and noun.is_one and noun.kind == "piece":
                text = f"the site where {noun.many} stood"
                return at.called(gone.name, Spoken(text, noun=single(text)))
    return at


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


# -------------------------------- choices in words, and what a chosen thing is called from there on


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


def _leads_on(node: t.Choose | t.ChooseSet, at: Context) -> bool:
    asked = [node.domain, *(() if node.condition is None else (node.condition,))]
    return at.type_of(node.domain) == SITES and any(
        isinstance(one, t.Name) and one.name in at.words for one in nodes_in(asked)
    )


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


# ------------------------------------------------------- what the statements of a turn do, in words


def effect(node: t.PlainStatement, at: Context) -> str:
    """Return what a statement does; nothing of one that is told step by step."""
    match node:
        case t.Pass():
            return "pass"
        case t.Place(_, piece, source, way, sites):
            where = {"at": "on", "onto": "on top of", "under": "under"}[way]
            noun = _SAY.noun(sites, at)
            is_many = not noun.is_one
            place = noun.many if way == "at" else f"what is on {noun.many}"
            what = _piece(piece, at)
            if source is not None:
                what += f" from {_hand(source, at, _owner(piece, at))}"
            if is_many:
                return (
                    f"put {what} {where} each of {place}"
                    if not noun.many.startswith("the rows")
                    else f"put {what} {where} {place}"
                )
            return f"put {what} {where} {place}"
        case t.Remove(_, count, sites):
            noun = _SAY.noun(sites, at)
            if count is not None:
                return f"take {_uppermost(count, 'off', noun.many, at)}"
            return f"remove {_what_stands(noun)}"
        case t.MovePiece(_, count, source, way, destination):
            what = _what_stands(_SAY.noun(source, at))
            if count is not None:
                noun = _SAY.noun(source, at)
                what = _uppermost(count, "of", noun.many, at)
            where = {"to": "to", "onto": "on top of", "under": "under"}[way]
            if _is_hand(destination):
                is_own = what.startswith((f"{at.voice.owns} ", f"one of {at.voice.owns} "))
                return f"take {what} into {_hand(destination, at, '' if is_own else 'the owner')}"
            return f"move {what} {where} {_SAY.noun(destination, at).many}"
        case t.Flip(_, sites):
            return f"flip {_what_stands(_SAY.noun(sites, at))}"
        case t.Change(_, sites, piece):
            noun = _SAY.noun(sites, at)
            are_many = noun.kind == "piece" and not noun.is_one
            becomes, told = "becomes", _piece(piece, at)
            if are_many:
                becomes, told = "become", told.removeprefix("one of ")
            return f"{_what_stands(noun)} {becomes} {told}"
        case t.Shift(_, sites, relation):
            return f"shift {_SAY.noun(sites, at).many} {_SAY.way(relation, at).along}"
        case t.Assign(_, target, value):
            return _assigned(target, value, at)
        case t.Add(_, amount, target):
            return _added(amount, target, at)
        case t.Again():
            return f"{at.voice.own} {at.voice.has} another turn"
        case t.NextSide(_, who):
            name = side(who, at, _SAY)
            return f"{name} {verb_of([name], 'is')} on turn next"
        case t.Swap():
            return "the players exchange sides"
        case t.Take(_, who):
            return f"from now on, {at.voice.own} play {side(who, at, _SAY)}"
        case t.GoTo(_, phase):
            return f"the phase “{in_words(phase.name)}” begins"
    return ""


def _uppermost(count: t.Expression, off: str, pile: str, at: Context) -> str:
    """Return so many pieces from the top of a pile."""
    told = amount(_SAY.number(count, at), "piece")
    if told == "one piece" and pile == "the piece":
        return pile
    if told == "one piece":
        return f"the uppermost piece {off} {pile}"
    if told.startswith(("that ", "as ", "the ")):
        return f"{told} from the top of {pile}"
    return f"the uppermost {told} {off} {pile}"


def _is_hand(node: t.Expression) -> bool:
    function = node.function if isinstance(node, t.Call) else node
    return isinstance(function, t.Name) and function.name == "hand"


def _hand(node: t.Expression, at: Context, owner: str = "") -> str:
    """Return whose hand pieces come from or go to: that of their `owner` if none is named."""
    arguments = node.arguments if isinstance(node, t.Call) else ()
    if arguments:
        return called("hand", arguments, at, _SAY)
    return f"{possessive(owner)} hand" if owner else f"{at.voice.owns} hand"


def _owner(piece: t.Piece, at: Context) -> str:
    """Return whose a piece is that a statement names; nothing if it is one's own."""
    words = [*piece.words, *([piece.owner] if piece.owner is not None else [])]
    sides = [one for one in words if (of := at.type_of(one)) is not None and of.name == "side"]
    owner = side(sides[-1], at, _SAY) if sides else at.voice.own
    return "" if owner == at.voice.own else owner


def _what_stands(noun: Noun) -> str:
    if noun.kind == "piece":
        return noun.many
    return f"what stands on {noun.many}"


def _piece(piece: t.Piece, at: Context) -> str:
    """Return what a piece is called that a statement names."""
    d = at.scope.declarations
    owner, kind = "", ""
    for word in piece.words:
        of = at.type_of(word)
        if of is not None and of.name == "side":
            owner = side(word, at, _SAY)
        elif isinstance(word, t.Name) and word.name in d.kind_type.values:
            kind = in_words(word.name) if len(d.kinds) > 1 else at.kind_word()
        else:
            kind = _kind(word, at)
    if piece.owner is not None:
        owner = side(piece.owner, at, _SAY)
    if not kind:
        return (
            f"{possessive(owner)} piece"
            if owner and owner != at.voice.own
            else "one of your pieces"
        )
    if kind.startswith("the "):
        kind = f"piece of {kind}" if "kind" in kind else kind
    if kind.startswith("the "):
        return kind
    neutral = any(one.name == kind and one.is_neutral for one in d.kinds)
    if neutral or len(d.sides) == 1:
        return a(kind)
    if not owner or owner == at.voice.own:
        return (
            f"{at.voice.owns} {kind}"
            if kind.startswith("piece of")
            else f"one of {at.voice.owns} {plural(kind)}"
        )
    return f"{a(kind)} of {owner}"


def _kind(word: t.Expression, at: Context) -> str:
    if (
        isinstance(word, t.Call)
        and isinstance(word.function, t.Name)
        and word.function.name == "kind"
    ):
        return f"piece like that of {_SAY.noun(word.arguments[0], at).one}"
    if isinstance(word, t.Name):
        spoken = at.words.get(word.name)
        if isinstance(spoken, Argument):
            return _kind(spoken.node, spoken.at)
        if spoken is not None:
            return "piece of that kind"
    if isinstance(word, t.Name) and word.name in at.scope.declarations.state:
        return f"the {in_words(word.name)} piece"
    return "piece of the kind it says" if not isinstance(word, t.Name) else in_words(word.name)


def _target(target: t.Target, at: Context) -> str:
    name = target.name.name
    spoken = at.words.get(name)
    if isinstance(spoken, Spoken) and not target.arguments:
        return spoken.text
    if not target.arguments:
        return f"“{in_words(name)}”"
    return called(name, target.arguments, at, _SAY)


def _assigned(target: t.Target, value: t.Expression, at: Context) -> str:
    told = _target(target, at)
    of = at.type_of(value)
    if of is not None and of.name == "flag":
        settled = at.settled(value)
        words = told.removeprefix("the ").strip("“”")
        if settled is None:
            return f"“{words}” holds from now on just if {_SAY.holds(value, at)}"
        return f"“{words}” {'holds from now on' if settled else 'no longer holds'}"
    becomes = verb_of_value(told, "becomes")
    if isinstance(value, t.Name) and value.name == "none":
        return f"{told} {becomes} nothing"
    return f"{told} {becomes} {_SAY.thing(value, at)}"


def _added(amount: t.Expression, target: t.Target, at: Context) -> str:
    told = _target(target, at)
    goes = verb_of_value(told, "goes")
    of = at.type_of(amount)
    known = at.settled(amount)
    if (of is not None and of.is_numeric) or (
        isinstance(known, int) and of is not None and of != SITES
    ):
        if isinstance(known, int) and known < 0:
            return f"{told} {goes} down by {number_word(-known)}"
        if isinstance(amount, t.Operation) and amount.operator == "-" and len(amount.operands) == 1:
            return f"{told} {goes} down by {_SAY.number(amount.operands[0], at)}"
        return f"{told} {goes} up by {_SAY.number(amount, at)}"
    if of is None and isinstance(amount, t.Operation) and amount.operator in ("count", "-", "+"):
        return f"{told} {goes} up by {_SAY.number(amount, at)}"
    what = _SAY.noun(amount, at).many
    sites = "" if told.endswith("sites") else " sites"
    return f"{told}{sites} now include {what}"


# ---------------------- which `keep` of a turn counts, where there are several on the way of a move


def keeps_for_sure(
    statements: Sequence[t.Statement],
    actions: Mapping[str, Action],
    deepest: int = _DEEPEST_ACTIONS,
) -> bool:
    """Return whether each way through statements comes by a `keep`, as far as their form tells."""

    def keeps(block: Sequence[t.Statement]) -> bool:
        return keeps_for_sure(block, actions, deepest)

    for one in statements:
        match one:
            case t.Keep():
                return True
            case t.If(_, _, then, otherwise) if keeps(then) and keeps(otherwise):
                return True
            case t.Either(_, ways) if all(keeps(way.body) for way in ways):
                return True
            case t.RepeatUntil(_, body, _) | t.RepeatSettled(_, body) if keeps(body):
                return True
            case t.Do(_, name, _):
                action = actions.get(name.name)
                body = () if action is None or not deepest else action.body
                if keeps_for_sure(body, actions, deepest - 1):
                    return True
    return False
