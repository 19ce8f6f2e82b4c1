"""Pieces that are changed to the kind that they have, or to one that there is to be one of.

In: the turns and actions of a game. Out: notes. What then holds: a piece that is told to keep its
kind is changed only under a condition by which it has that kind; of a kind that is told to be the
only one, each side begins with one piece, and a goal or a `require` names it with its side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from gdl.diagnostic import Diagnostic
from gdl.document.nodes import Mapping as Entries
from gdl.document.nodes import Scalar
from gdl.elaborate.sections import readable
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in
from interpreter.check.definitions import definitions_behind
from interpreter.check.places import note, parsed_rules

Block = tuple[t.Node, ...]
Known = Mapping[str, frozenset[str]]

_TURNS = dict.fromkeys(("turn", "phases"), "program")
_CHANGE = re.compile(r"\bchange\b")
_SIGNATURE = re.compile(r"(\w+)\(([^)]*)\)")


def unlikely_kinds(game: Game) -> Iterator[Diagnostic]:
    """Yield changes of pieces to a kind that can hardly be meant."""
    programs = (game.document.get(key) for key in (*_TURNS, "actions"))
    if not any(node is not None and _CHANGE.search(node.span.text) for node in programs):
        return
    turns = list(parsed_rules(game, _TURNS))
    actions = dict(_actions(game))
    blocks = [*turns, *(block for _, block in actions.values())]
    finder = _Finder(game, actions, _royal(game, blocks))
    for block in turns:
        yield from finder.found(block, {}, {})
    for block in finder.not_asked():
        yield from finder.found(block, {}, {})


class _Finder:
    """Looks for changes, with what is known of the pieces that names stand for."""

    def __init__(
        self, game: Game, actions: Mapping[str, tuple[list[str], Block]], royal: frozenset[str]
    ) -> None:
        self._kinds = frozenset(game.kinds)
        self._actions = actions
        self._royal = royal
        self._done: set[str] = set()

    def not_asked(self) -> Iterator[Block]:
        """Yield the actions that were not come to so far."""
        for name, (_, block) in self._actions.items():
            if name not in self._done:
                yield block

    def found(
        self, block: Block, known: Known, choices: Mapping[str, tuple[t.Name, ...]]
    ) -> Iterator[Diagnostic]:
        """Yield what is told of a block, and of the actions that it does."""
        choices = dict(choices)
        for statement in block:
            match statement:
                case t.Choose(variable=variable, domain=t.Listing(items=items)):
                    names = tuple(item for item in items if isinstance(item, t.Name))
                    choices[variable.name] = names
                case t.Change(sites=sites, piece=t.Piece(words=(*_, t.Name() as word))):
                    has = known.get(sites.name, frozenset()) if isinstance(sites, t.Name) else ()
                    for kind in choices.get(word.name, (word,)):
                        yield from self._told(kind, frozenset(has))
                case t.Do(name=name, arguments=arguments) if (
                    name.name in self._actions and name.name not in self._done
                ):
                    self._done.add(name.name)
                    parameters, inner = self._actions[name.name]
                    passed_on = {
                        parameter: known[argument.name]
                        for parameter, argument in zip(parameters, arguments, strict=False)
                        if isinstance(argument, t.Name) and argument.name in known
                    }
                    yield from self.found(inner, passed_on, {})
                case t.If(condition=condition, then=then, otherwise=otherwise):
                    yield from self.found(then, {**known, **self._facts(condition)}, choices)
                    yield from self.found(otherwise, known, choices)
                    continue
            for inner in blocks_inside(statement):
                yield from self.found(inner, known, choices)

    def _told(self, kind: t.Name, has: frozenset[str]) -> Iterator[Diagnostic]:
        if has == {kind.name}:
            message = f"What is changed to `{kind.name}` here is one already."
        elif kind.name in self._royal:
            message = (
                f"This makes another `{kind.name}`, of which each side begins with one, and which"
                " the goal or a `require` asks for."
            )
        else:
            return
        yield note("unlikely-kind", message, kind.span, "See whether another kind was meant.")

    def _facts(self, condition: t.Expression) -> dict[str, frozenset[str]]:
        """Return the kinds that names have if a condition holds."""
        match condition:
            case t.Operation(operator="and", operands=operands):
                return {n: kinds for part in operands for n, kinds in self._facts(part).items()}
            case t.Operation(operator="in", operands=(t.Name(name=name), among)):
                kinds = self._kinds_of(among)
                return {name: kinds} if kinds else {}
        return {}

    def _kinds_of(self, among: t.Expression) -> frozenset[str]:
        match among:
            case t.Name(name=name):
                return frozenset({name}) & self._kinds
            case t.Operation(operator="&", operands=operands):
                return next(filter(None, map(self._kinds_of, operands)), frozenset())
        return frozenset()


def _actions(game: Game) -> Iterator[tuple[str, tuple[list[str], Block]]]:
    """Yield the actions that have a name and one text, with their parameters."""
    section = game.document.get("actions")
    for key, body in section.entries if isinstance(section, Entries) else ():
        if isinstance(body, Scalar):
            found = _SIGNATURE.match(key.text)
            name, inside = (found[1], found[2]) if found else (key.text, "")
            program = readable(body, "program")
            if isinstance(program, tuple):
                parameters = [word.split()[-1] for word in inside.split(",") if word.strip()]
                yield name, (parameters, tuple(p for p in program if isinstance(p, t.Node)))


def _royal(game: Game, blocks: list[Block]) -> frozenset[str]:
    """Return the kinds of which each side begins with one, and which a goal or demand names."""
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    single: dict[int, int] = {}
    for layer in game.layers:
        sites = at_start.get(layer.slot)
        if layer.side is not None and isinstance(sites, int) and sites.bit_count() == 1:
            single[layer.kind] = single.get(layer.kind, 0) + 1
    names = [game.kinds[kind] for kind, sides in single.items() if sides == len(game.sides)]
    if not names:
        return frozenset()
    places = [node.span for key in ("end", "stuck") if (node := game.document.get(key))]
    demands = (node for block in blocks for node in nodes_in(block))
    places += [node.span for node in demands if isinstance(node, t.Require)]
    texts = [place.text for place in places]
    texts += [span.text for place in places for span in definitions_behind(game, place)]
    return frozenset(name for name in names if any(_names_own(text, name) for text in texts))


def _names_own(text: str, kind: str) -> bool:
    whose = r"(?:own|enemy|mover)"
    return bool(re.search(rf"\b{whose} & {kind}\b|\b{kind} & {whose}\b", text))
