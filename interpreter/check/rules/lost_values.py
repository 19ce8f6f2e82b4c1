"""Values that a turn gives to a variable and takes back before anything asks for them.

In: the texts of a game. Out: warnings. What then holds: between a statement that is told and the
one that takes its value back, in the same block, nothing names the variable.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in
from interpreter.check.definitions import definitions_behind, words_in
from interpreter.check.places import PROGRAMS, parsed_rules, warning


def lost_values(game: Game) -> Iterator[Diagnostic]:
    """Yield values that are lost at once, and variables that are set to what they are."""
    for block in parsed_rules(game, PROGRAMS):
        yield from _in_block(game, block)


def _in_block(game: Game, block: tuple[t.Node, ...]) -> Iterator[Diagnostic]:
    set_at: dict[str, Span] = {}
    for statement in block:
        for inner in blocks_inside(statement):
            yield from _in_block(game, inner)
        if not isinstance(statement, t.Assign | t.Add):
            if isinstance(statement, t.If):
                for target in tuple(set_at):
                    if again := _setting(game, (statement,), target):
                        yield _lost(target, set_at.pop(target), again)
            for name in _words(game, statement):
                set_at.pop(name, None)
            if isinstance(statement, t.Do):
                set_at.clear()
            continue
        name, target = statement.target.name.name, " ".join(statement.target.span.text.split())
        value = statement.value if isinstance(statement, t.Assign) else statement.amount
        asked = _words(game, value) | (_words(game, statement.target) - {name})
        if isinstance(statement, t.Assign):
            if " ".join(value.span.text.split()) == target:
                yield warning(
                    "never-changes",
                    f"This sets `{target}` to what it is already.",
                    statement.span,
                    "See which value was meant; or leave it out.",
                )
            elif name not in asked and target in set_at:
                yield _lost(target, set_at[target], [statement.span])
        for word in (name, *asked):
            for kept in [kept for kept in set_at if kept.partition("(")[0] == word]:
                if word in asked or isinstance(statement, t.Assign):
                    del set_at[kept]
        set_at[target] = statement.span


def _lost(target: str, span: Span, again: list[Span]) -> Diagnostic:
    return warning(
        "lost-value",
        f"What `{target}` is given here is lost: it is set again before anything asks for it.",
        span,
        "See whether the other statement should stand above, or under an `if`.",
        [("It is set again here.", place) for place in again],
    )


def _setting(game: Game, block: tuple[t.Node, ...], target: str) -> list[Span]:
    """Return where a block sets a variable before it asks for it, if it does so on each way."""
    name = target.partition("(")[0]
    for statement in block:
        match statement:
            case t.Assign(target=changed, value=value):
                if " ".join(changed.span.text.split()) == target:
                    return [] if name in _words(game, value) else [statement.span]
            case t.If(condition=condition, then=then, otherwise=otherwise):
                if name not in _words(game, condition):
                    ways = [_setting(game, way, target) for way in (then, otherwise)]
                    if all(ways):
                        return [span for way in ways for span in way]
            case t.Do():
                return []
        if name in _words(game, statement):
            return []
    return []


def _words(game: Game, node: t.Node) -> set[str]:
    """Return the names in a part of a turn, and in the definitions that these stand for."""
    words = {inner.name for inner in nodes_in((node,)) if isinstance(inner, t.Name)}
    for definition in definitions_behind(game, node.span):
        words.update(words_in(definition.text))
    return words
