"""Regions to which no piece ever came while games were watched.

In: what was seen of games, and the regions of a file. Out: notes. What then holds: of a region that
rules leave out, or that has no sites of the kind on which pieces stand, nothing is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.board.relation import bits
from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping
from gdl.elaborate.sections.sections import readable
from gdl.interpreter.check.coverage import Coverage
from gdl.interpreter.check.places import (
    PROGRAMS,
    RULES,
    known_sites,
    note,
    parsed_rules,
    rule_texts,
    said_by_side,
)
from gdl.interpreter.check.play.seen import Seen
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in, parts_of

_MANY_GAMES = 100
_OTHERWISE = {"in": "out", "out": "in"}


def regions_not_entered(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    """Yield the regions of the file to which no piece ever came, of those to which one may.

    None may come to where the rules leave sites out, and speak of them otherwise by relations
    alone, nor to sites of a kind that has no pieces, such as points in a game of edges.
    """
    seen, game = all_seen[0], all_seen[0].game
    section = game.document.get("regions")
    if seen.watched < _MANY_GAMES or not isinstance(section, Mapping):
        return
    stood = seen.entered | occupied_at_start(game)
    with_pieces = {game.board.sites[index].kind for index in bits(stood)}
    for key, _ in section.entries:
        sites = game.regions.get(key.text)
        if not sites or sites & stood or _is_left_out(game, key.text):
            continue
        if not with_pieces.isdisjoint(game.board.sites[index].kind for index in bits(sites)):
            yield note(
                Code.REGION_NEVER_ENTERED,
                f"No piece ever came to `{key.text}`, in {seen.watched:,} games.",
                key.span,
                "See whether the turn lets one come there, and whether these sites are meant.",
            )


def _is_left_out(game: Game, name: str) -> bool:
    """Return whether rules leave a named set out, or forbid it, and none has sites of it in a set.

    What is asked of its sites, such as where relations lead from there, does not count.
    """
    pending, uses, known = [name], set[str](), {name}
    while pending:
        wanted = pending.pop()
        for section, entry in {**RULES, "regions": "expression", "relations": "expression"}.items():
            for key, rule in _named_rules(game, section, entry):
                if key and _is_part(rule, wanted):
                    pending += {key} - known
                    known.add(key)
                else:
                    uses.update(_uses(rule, wanted, "in"))
    return "out" in uses and "in" not in uses


def _named_rules(game: Game, section: str, entry: str) -> Iterator[tuple[str, t.Node]]:
    """Yield the rules of a section, with the names of those that define one."""
    node = game.document.get(section)
    is_defined = entry == "expression" and isinstance(node, Mapping)
    parts = node.entries if is_defined and isinstance(node, Mapping) else ((None, node),)
    for key, body in parts:
        for text in rule_texts(body):
            found = readable(text, entry)
            for rule in found if isinstance(found, tuple) else (found,):
                if isinstance(rule, t.Node):
                    yield "" if key is None else key.text.partition("(")[0], rule


def _is_part(rule: t.Node, name: str) -> bool:
    """Return whether a rule is a set with a name, or is joined of it and others."""
    match rule:
        case t.Name():
            return rule.name == name
        case t.Operation(operator="|", operands=parts):
            return any(_is_part(part, name) for part in parts)
    return False


def _uses(rule: t.Node, name: str, use: str) -> Iterator[str]:
    """Yield how a rule uses a named set: its sites are `in` what it says, `out`, or asked `by`."""
    first, rest = use, use
    match rule:
        case t.Name():
            if rule.name == name:
                yield use
            return
        case t.Operation(operator="-"):
            rest = _OTHERWISE.get(use, use)
        case t.Operation(operator="not" | "no") | t.Quantified(word="no"):
            first = rest = _OTHERWISE.get(use, use)
        case t.Operation(operator="=" | "!="):
            first = rest = "by"
        case t.Call():
            rest = "by"
    parts = (part for value in parts_of(rule) for part in _nodes(value))
    for number, part in enumerate(parts):
        yield from _uses(part, name, rest if number else first)


def _nodes(value: object) -> Iterator[t.Node]:
    for part in value if isinstance(value, tuple) else (value,):
        if isinstance(part, t.Node):
            yield part


def own_regions_not_entered(all_seen: Sequence[Seen], coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the regions of the sides to which no piece of theirs came, though to all other sites.

    It is told where a rule names them, if one alone does. Nothing is told where a choice leaves
    out what another rule asks for, or a condition held that names it: a piece came and is gone.
    """
    seen = all_seen[0]
    game = seen.game
    if seen.watched < _MANY_GAMES:
        return
    by_side = [0] * len(game.sides)
    for number, stood in seen.occupied.items():
        if (owner := game.layers[number].side) is not None:
            by_side[owner] |= stood
    for name, found in said_by_side(game, "regions").items():
        own = {side: known_sites(game, body.span) for side, (_, body) in found.items()}
        if all(
            sites and by_side[game.sides.index(side)] == game.board.all_sites & ~sites
            for side, sites in own.items()
        ):
            named, (span, *_) = _named_in(game, name, PROGRAMS), [key for key, _ in found.values()]
            meant = [asked for asked, (_, times) in coverage.conditions.items() if times]
            if len(_named_in(game, name, RULES)) > len(named):
                meant += _left_out(game)
            if any(one.holds(place) for place in named for one in meant):
                continue
            yield note(
                Code.REGION_NEVER_ENTERED,
                f"No piece came to its own side's `{name}`, in {seen.watched:,} games, and to all"
                " other sites some did.",
                named[0] if len(named) == 1 else span,
                "See how a piece comes there, and whether these sites are meant.",
                [("It is defined here.", span)] if len(named) == 1 else (),
            )


def _left_out(game: Game) -> Iterator[Span]:
    """Yield what choices leave out, behind `-`."""
    for node in nodes_in(part for rules in parsed_rules(game, PROGRAMS) for part in rules):
        if isinstance(node, t.Operation) and node.operator == "-":
            yield from (one.span for one in node.operands[1:])


def _named_in(game: Game, name: str, sections: dict[str, str]) -> list[Span]:
    """Return where rules of some sections name a definition, or ask it for a side."""
    nodes = (node for rules in parsed_rules(game, sections) for node in nodes_in(rules))
    return [node.span for node in nodes if isinstance(node, t.Name) and node.name == name]


def occupied_at_start(game: Game) -> int:
    """Return the sites on which pieces stand where games begin."""
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    occupied = 0
    for layer in game.layers:
        sites = at_start[layer.slot]
        occupied |= sites if isinstance(sites, int) else 0
    return occupied
