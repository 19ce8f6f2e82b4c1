"""Where a phrase stands: what words mean there, what is settled, and who is spoken of.

In: a scope, and a voice. Out: a `Context`, which knows what a local word stands for, what a
definition's body is, and which parts are the same in every position. What then holds: asking
changes nothing of what the file declares.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Protocol

from gdl.core.memo import Memo
from gdl.core.nodes import Const, Expression
from gdl.core.types import SITES, Type
from gdl.data_classes import dataclass
from gdl.elaborate.names.scope import Definition, Scope
from gdl.elaborate.names.values import ListValue, RelationValue, Unknown, Value
from gdl.elaborate.relations import cases
from gdl.interpreter.english import Noun, Trait, common, in_words, possessive
from gdl.interpreter.words.asker import NO_VALUE, Asker
from gdl.syntax import tree as t

_DEEPEST = 12


@dataclass(frozen=True)
class Voice:
    """How the side is called that a rule is about, and its opponents.

    Where it `is_known` which side it is, what differs by side is told as it is for that one.
    """

    own: str
    owns: str
    enemy: str
    has: str = "has"
    is_known: bool = False

    @property
    def enemies(self) -> str:
        """Whose the pieces of the opponents are."""
        return possessive(self.enemy)

    @property
    def team(self) -> str:
        """How the sides are called that win with it."""
        return f"{self.owns} team"


YOU = Voice("you", "your", "the enemy", "have")
IT = Voice("it", "its", "the enemy")
MOVER = Voice("the mover", "the mover's", "the other side")


@dataclass(frozen=True)
class Way:
    """How a relation is called: `near` with `{}` for where it begins; `along` in what direction."""

    near: str
    along: str
    leads_to_one: bool = False

    def of(self, what: str) -> str:
        """Return where the relation leads to from something."""
        return self.near.replace("{}", what)


THAT_WAY = Way("next to {} in that direction", "in that direction", leads_to_one=True)
THIS_WAY = Way("next to {} in this direction", "in this direction", leads_to_one=True)


@dataclass(frozen=True)
class Spoken:
    """What a local word is called: as a noun, as a way, or as a text."""

    text: str
    noun: Noun | None = None
    way: Way | None = None


ITS_KIND = Spoken("its kind", noun=common("piece of its kind", "piece"))
"""The kind of the piece that is spoken of."""


@dataclass(frozen=True)
class Argument:
    """An argument that a local word stands for: the node, in its own context."""

    node: t.Expression
    at: Context


@dataclass(frozen=True)
class Context:
    """The scope of a phrase, its voice, and what local words are called.

    `nouns` and `values` are those that were found here: a phrase asks for the same several times,
    and so do the phrases within it.
    """

    asker: Asker
    scope: Scope
    voice: Voice
    words: Mapping[str, Spoken | Argument] = field(default_factory=dict)
    depth: int = 0
    nouns: Memo[t.Expression, Noun] = field(
        default_factory=Memo, init=False, compare=False, repr=False
    )
    values: Memo[t.Expression, Value | None] = field(
        default_factory=Memo, init=False, compare=False, repr=False
    )

    # ------------------------------------------------------------------ what is settled

    def value(self, node: t.Expression) -> Value | None:
        """Return what a node stands for before play; None if there is no saying."""
        return self.values.of(node, self._before_play)

    def _before_play(self, node: t.Expression) -> Value | None:
        return self.asker.before_play(node, self.scope)

    def settled(self, node: t.Expression) -> Any:
        """Return the value that a node has in every position; None if it has none such."""
        value = self.value(node)
        return value.value if isinstance(value, Const) else None

    def is_nothing(self, node: t.Expression) -> bool:
        """Return whether a node is a set that is empty in every position."""
        return self.type_of(node) == SITES and self.settled(node) == 0

    def is_everything(self, node: t.Expression) -> bool:
        """Return whether a node is all sites of the board."""
        everything = self.scope.declarations.board.all_sites
        return self.type_of(node) == SITES and self.settled(node) == everything

    def type_of(self, node: t.Expression) -> Type | None:
        """Return the type of a node's value; None of a relation, a list, and where unknown."""
        value = self.value(node)
        return value.type if isinstance(value, Expression) else None

    def is_relation(self, node: t.Expression) -> bool:
        """Return whether a node is a relation."""
        return isinstance(self.value(node), RelationValue)

    def items(self, node: t.Expression) -> tuple[Value, ...] | None:
        """Return the elements of a list; None of anything else."""
        value = self.value(node)
        return value.items if isinstance(value, ListValue) else None

    # -------------------------------------------------------------------- inner settings

    def named(self, name: str, spoken: Spoken, value: Value | None = None) -> Context:
        """Return the context with one more local word."""
        scope = self.scope.bind(name, Unknown() if value is None else value)
        return replace(self, scope=scope, words={**self.words, name: spoken})

    def called(self, name: str, spoken: Spoken) -> Context:
        """Return the context in which a local word that is known is called something else."""
        return replace(self, words={**self.words, name: spoken})

    def defined_as(self, name: str, node: t.Expression) -> Context:
        """Return the context with one more local word, which stands for a node."""
        value = self.value(node)
        scope = self.scope.bind(name, Unknown() if value is None else value)
        return replace(self, scope=scope, words={**self.words, name: Argument(node, self)})

    def opened(
        self, name: str, arguments: Sequence[t.Expression]
    ) -> tuple[Definition, Context] | None:
        """Return the definition that a call means and the context of its body; None if none."""
        candidates = self.scope.declarations.definitions.get(name)
        if candidates is None or name in self.words or self.depth >= _DEEPEST:
            return None
        fitting = [c for c in candidates if len(c.head.parameters) == len(arguments)]
        values: list[Value] = [self.value(argument) or Unknown() for argument in arguments]
        chosen = self._matching(name, fitting, values)
        if chosen is None:
            return None
        heads = [parameter.name for parameter in chosen.head.parameters]
        words = {
            head: Argument(argument, self) for head, argument in zip(heads, arguments, strict=True)
        }
        call = (chosen.head.span, chosen.head.span)
        scope = self.scope.only(dict(zip(heads, values, strict=True)), call)
        inner = Context(self.asker, scope, self.voice, words, self.depth + 1)
        if isinstance(chosen.body, t.TableOf) and not self.differs_by_side(name, len(arguments)):
            entry = inner._entry(chosen.body)
            chosen = chosen if entry is None else replace(chosen, body=entry)
        return chosen, inner

    def _entry(self, table: t.TableOf) -> t.Expression | None:
        """Return what a table has for a word that is known before play; None of any other."""
        asked = self.value(table.asked)
        if not isinstance(asked, Const) or asked.type == SITES:
            return None
        names = asked.type.values
        name = names[int(asked.value)] if 0 <= int(asked.value) < len(names) else ""
        for entry in table.entries:
            if entry.key is None:
                return entry.value
            of_name = isinstance(entry.key, t.Name) and entry.key.name == name
            if of_name or (not names and self.settled(entry.key) == asked.value):
                return entry.value
        return None

    def differs_by_side(self, name: str, number: int, *, as_table: bool = True) -> bool:
        """Return whether a relation or region of the file is another one for each side.

        So is a table by side, if `as_table`.
        """
        d = self.scope.declarations
        return not self.voice.is_known and any(
            len(one.head.parameters) == number
            and (
                (one.result is not None and any(p.name in d.sides for p in one.head.parameters))
                or (as_table and isinstance(one.body, t.TableOf) and _is_by_side(one.body, d.sides))
            )
            for one in d.definitions.get(name, ())
        )

    def is_quoted(self, name: str) -> bool:
        """Return whether a word is shown to be one of the file: it need not read as English."""
        found = self.scope.declarations.definitions.get(name)
        if not found or found[0].from_prelude or name in self.scope.declarations.state:
            return False
        is_table = len(found) > 1 or isinstance(found[0].body, t.TableOf)
        return found[0].result is None and not is_table

    def _matching(
        self, name: str, fitting: Sequence[Definition], values: list[Value]
    ) -> Definition | None:
        if not fitting:
            return None
        node = t.Name(fitting[0].head.span, name)
        try:
            if cases.place_of_cases(list(fitting), values, self.scope) is not None:
                return None
            return cases.matching(node, list(fitting), values, self.scope)
        except NO_VALUE:
            return None

    def how_many(self, kind: str, *, of_each: bool = False) -> int:
        """Return how many pieces of a kind there are at the start, at most; of each side, or all.

        0 where pieces of the kind enter the board in play alone.
        """
        d = self.scope.declarations
        number = d.kind_type.values.index(kind) if kind in d.kind_type.values else -1
        counts = []
        for (which, _), slot in d.layers.items():
            at_start = self.asker.at_start.get(slot, 0)
            if which == number and isinstance(at_start, int):
                counts.append(at_start.bit_count())
        return max(counts, default=0) if of_each else sum(counts)

    def kind_word(self) -> str:
        """Return what any piece is called: by its kind, if there is one kind only."""
        kinds = self.scope.declarations.kinds
        return in_words(kinds[0].name).lower() if len(kinds) == 1 else "piece"


def _is_by_side(table: t.TableOf, sides: Sequence[str]) -> bool:
    """Return whether a table has an entry for a side."""
    return any(isinstance(e.key, t.Name) and e.key.name in sides for e in table.entries)


def context_of(asker: Asker, scope: Scope, voice: Voice) -> Context:
    """Return the context of a rule of the game that is asked."""
    return Context(asker, asker.scope(replace(scope, locals={}, calls=())), voice)


class Say(Protocol):
    """What says the parts of a phrase that stand within it."""

    def noun(self, node: t.Expression, at: Context) -> Noun:
        """Return what a set is called."""

    def trait(self, node: t.Expression, at: Context, *, of_piece: bool = False) -> Trait:
        """Return what a thing is that is in a set."""

    def way(self, node: t.Expression, at: Context) -> Way:
        """Return how a relation is called."""

    def number(self, node: t.Expression, at: Context) -> str:
        """Return a number in words."""

    def thing(self, node: t.Expression, at: Context) -> str:
        """Return a value of any type in words."""

    def holds(self, node: t.Expression, at: Context, *, is_so: bool = True) -> str:
        """Return what is true if a condition holds, or, if not `is_so`, if it does not."""
