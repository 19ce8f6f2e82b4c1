"""What stands in statements, at any depth: the names that they give values to, make, and use.

In: statements of the syntax tree. Out: names. Nothing is resolved here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gdl.syntax.tree.expressions import Expression, LetIn, Name, Node, Pairs, Quantified
from gdl.syntax.tree.statements import (
    Add,
    Assign,
    Block,
    Choose,
    ChooseSet,
    Either,
    ForEach,
    If,
    LetStatement,
    Optionally,
    RepeatSettled,
    RepeatTimes,
    RepeatUntil,
    RepeatWhile,
    Require,
    Statement,
)
from gdl.syntax.tree.texts import Draw, Outcome, Passes, Ranking


def parts_of(node: Node) -> Iterator[object]:
    """Yield the fields of a node in their order, but not where it stands."""
    return (value for name, value in vars(node).items() if name != "span")


def nodes_in(parts: Iterable[Node]) -> Iterator[Node]:
    """Yield nodes and all that is inside them, each before its parts."""
    pending = list(parts)[::-1]
    while pending:
        node = pending.pop()
        yield node
        inside: list[Node] = []
        for value in vars(node).values():  # Where it stands is neither a node nor several.
            if isinstance(value, Node):
                inside.append(value)
            elif isinstance(value, tuple):
                inside += [part for part in value if isinstance(part, Node)]
        pending += reversed(inside)


def is_assigned(name: str, statements: Iterable[Statement]) -> bool:
    """Return whether `set` or `add` gives a value to a name in the statements."""
    return any(
        isinstance(node, Assign | Add) and node.target.name.name == name
        for node in nodes_in(statements)
    )


def names_made(block: Block) -> tuple[str, ...]:
    """Return the names that are known at the end of a block because of it."""
    found: dict[str, None] = {}
    for statement in block:
        if isinstance(statement, Choose | ChooseSet):
            found[statement.variable.name] = None
        elif isinstance(statement, LetStatement):
            found[statement.name.name] = None
        elif isinstance(statement, Either | If):
            ways = blocks_of(statement)
            made = [names_made(way) for way in ways]
            found |= {name: None for name in made[0] if all(name in way for way in made[1:])}
    return tuple(found)


def blocks_of(statement: Either | If) -> tuple[Block, ...]:
    """Return the blocks of which a statement goes on with one."""
    if isinstance(statement, If):
        return (statement.then, statement.otherwise)
    return tuple(way.body for way in statement.alternatives)


def blocks_inside(statement: Node) -> tuple[Block, ...]:
    """Return the blocks that stand in a statement: its ways, or what is done again and again."""
    match statement:
        case Either() | If():
            return blocks_of(statement)
        case (
            ForEach(body=body)
            | RepeatUntil(body=body)
            | RepeatSettled(body=body)
            | RepeatWhile(body=body)
            | RepeatTimes(body=body)
            | Optionally(body=body)
        ):
            return (body,)
        case _:
            return ()


def names_used(statements: Iterable[Statement]) -> frozenset[str]:
    """Return the names in statements but those that these give a meaning themselves."""
    used: set[str] = set()
    made: set[str] = set()
    for node in nodes_in(statements):
        match node:
            case Name(name=name):
                used.add(name)
            case Choose(variable=variable) | ChooseSet(variable=variable):
                made.add(variable.name)
            case ForEach(variable=variable):
                made.add(variable.name)
            case Quantified(variable=variable) | LetStatement(name=variable) | LetIn(name=variable):
                made.add(variable.name)
            case Pairs(first=first, second=second):
                made |= {first.name, second.name}
    return frozenset(used - made)


# ----------------------------------------------------------- parts that nodes of several kinds have


def condition_of(node: Node) -> Expression | None:
    """Return the condition under which a statement or clause holds, if it has one."""
    match node:
        case Choose() | ChooseSet() | ForEach() | If() | Require() | RepeatUntil() | RepeatWhile():
            return node.condition
        case Outcome() | Draw() | Ranking() | Passes():
            return node.condition
    return None


def name_of(node: Node) -> str:
    """Return the word that a node is, or "" if it is more than a word."""
    return node.name if isinstance(node, Name) else ""
