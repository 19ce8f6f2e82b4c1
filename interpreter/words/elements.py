"""What a variable is called that runs over something.

In: a domain, and a word for its elements. Out: the context in which that word is spoken of.
"""

from __future__ import annotations

from dataclasses import replace

from gdl.core.nodes import Expression, Get, Slot
from gdl.core.types import NUMBER, SITES
from gdl.elaborate.names.values import GroupsValue, RelationValue
from gdl.interpreter.english import (
    common,
    region,
    single,
)
from gdl.interpreter.words.context import Context, Say, Spoken
from gdl.interpreter.words.relations import running
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in


def element(domain: t.Expression, name: str, at: Context, say: Say, word: str = "") -> Context:
    """Return the context in which a word stands for any element of a domain."""
    value = at.value(domain)
    if at.is_relation(domain):
        return running(name, domain, at, say)
    if isinstance(domain, t.Range):
        return at.named(name, Spoken("that number"), Get(Slot(name, NUMBER)))
    if isinstance(domain, t.Name) and domain.name in ("players", "team"):
        told = replace(common("piece", "piece").after("of that side"), many="that side's pieces")
        spoken = Spoken("that side", noun=told)
        return at.named(name, spoken, Get(Slot(name, at.scope.declarations.side_type)))
    if isinstance(domain, t.Name) and domain.name in ("kinds", "traits"):
        spoken = Spoken("that kind", noun=common("piece of that kind", "piece"))
        kind = Get(Slot(name, at.scope.declarations.kind_type))
        return at.named(name, spoken, kind if domain.name == "kinds" else None)
    items = at.items(domain) or ()
    if items and all(isinstance(item, RelationValue) for item in items):
        return running(name, domain, at, say)
    if items and all(isinstance(item, Expression) and item.type == SITES for item in items):
        return at.named(name, Spoken("that part", noun=region("that part")), items[0])
    if isinstance(domain, t.Listing) and at.items(domain) is not None:
        return at.named(name, Spoken("that one", noun=common("piece of that kind", "piece")))
    noun, is_group = say.noun(domain, at), isinstance(value, GroupsValue)
    text = f"that {word or ('group' if is_group else noun.name)}"
    told = single(text, noun.kind)
    if is_group:
        told = replace(told, one=f"a site of {text}", is_one=False)
    slot: Expression = Get(Slot(name, SITES))
    return at.named(name, Spoken(text, noun=told), slot)


def loses_variable(node: t.Node) -> bool:
    """Return whether it is told of any element of a domain what is so of one and the same."""
    return any(
        one.word == "intersection" or times_named(one.body, one.variable.name) > 1
        for one in nodes_in([node])
        if isinstance(one, t.Quantified) and one.word in ("union", "intersection")
    )


def times_named(node: t.Node, name: str) -> int:
    """Return how often a word stands in a node."""
    return sum(isinstance(one, t.Name) and one.name == name for one in nodes_in([node]))
