"""Sites asked for as if a piece still stood where it has left, or did not stand where it has come.

In: the texts of a game. Out: notes. What then holds: on the way to the place that is told, `move x
to y` comes before, and nothing gives `x` or `y` another value in between.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in
from interpreter.check.places import PROGRAMS, note, parsed_rules

_OTHERS = ("enemy", "empty")
_COME = "to {}"
"""How it is kept that a piece has come to a site."""
_OF_PIECES = ("own", "enemy", "occupied", "neutral")

Left = Mapping[str, Span]


def left_sites(game: Game) -> Iterator[Diagnostic]:
    """Yield where a turn asks what stands on a site that it has moved a piece away from."""
    if game.piles is not None:
        return
    finder = _Finder({*_OF_PIECES, *game.sides, *game.kinds})
    for block in parsed_rules(game, PROGRAMS):
        yield from finder.found(block, {})


class _Finder:
    """Goes through blocks; `pieces` are the words that say what stands on a site."""

    def __init__(self, pieces: set[str]) -> None:
        self._pieces = pieces

    def found(self, block: Iterable[t.Node], left: Left) -> Iterator[Diagnostic]:
        """Yield what is asked of the sites that are left, in a block and those inside."""
        now = dict(left)
        for statement in block:
            match statement:
                case t.If(condition=condition):
                    yield from self._conditions((condition,), now)
                case t.Require(condition=condition):
                    yield from self._conditions((condition,), now)
                case t.Choose(domain=domain, condition=condition):
                    yield from self._ways(domain, now)
                    yield from self._conditions(() if condition is None else (condition,), now)
                case t.Flip(sites=sites):
                    yield from self._ways(sites, now)
                case t.Remove(sites=t.Call() as sites):
                    yield from self._taken(sites, now)
            for inner in blocks_inside(statement):
                yield from self.found(inner, now)
            _gone_on(statement, now)

    def _ways(self, sites: t.Expression, left: Left) -> Iterator[Diagnostic]:
        for node in nodes_in((sites,)):
            if isinstance(node, t.Name) and node.name in left:
                yield _told(node, left[node.name])

    def _taken(self, sites: t.Call, left: Left) -> Iterator[Diagnostic]:
        """Yield what is told by a site that is left alone, not by the way from it as well."""
        names = {node.name for node in nodes_in((sites,)) if isinstance(node, t.Name)}
        for node in sites.arguments:
            if isinstance(node, t.Name) and node.name in left:
                come = {name for name, span in left.items() if span == left[node.name]}
                if not names & {name.removeprefix(_COME.format("")) for name in come} - {node.name}:
                    yield _told(node, left[node.name])

    def _conditions(self, conditions: Iterable[t.Expression], left: Left) -> Iterator[Diagnostic]:
        for node in nodes_in(conditions):
            match node:
                case t.Operation(operator="in" | "&", operands=(t.Name() as site, t.Name() as of)):
                    if site.name in left and of.name in self._pieces:
                        yield _told(site, left[site.name])
                    elif _COME.format(site.name) in left and of.name in _OTHERS:
                        yield _told_of_come(node, site, left[_COME.format(site.name)])


def _gone_on(statement: t.Node, left: dict[str, Span]) -> None:
    """Change which sites are left, by a statement."""
    for node in nodes_in((statement,)):
        match node:
            case t.Choose(variable=name) | t.ChooseSet(variable=name) | t.LetStatement(name=name):
                _forget(name.name, left)
            case t.Assign(target=target) | t.Add(target=target):
                _forget(target.name.name, left)
            case t.Remove() | t.Flip() | t.Change() | t.Shift():
                for come in [name for name in left if name.startswith(_COME.format(""))]:
                    del left[come]
            case t.Place(sites=t.Name(name=filled)):
                left.pop(filled, None)
            case t.MovePiece(destination=t.Name(name=filled)):
                left.pop(filled, None)
    match statement:
        case t.MovePiece(count=None, source=t.Name() as source, way="to", destination=to):
            if not (isinstance(to, t.Name) and to.name in (source.name, "hand")):
                left[source.name] = statement.span
                if isinstance(to, t.Name):
                    left[_COME.format(to.name)] = statement.span


def _forget(name: str, left: dict[str, Span]) -> None:
    left.pop(name, None)
    left.pop(_COME.format(name), None)


def _told_of_come(asked: t.Node, site: t.Name, move: Span) -> Diagnostic:
    return note(
        "left-site",
        f"The piece that has come to `{site.name}` stands there when this is asked.",
        asked.span,
        "Ask before it is moved, or keep the answer by `let`.",
        (("It comes there here.", move),),
    )


def _told(site: t.Name, move: Span) -> Diagnostic:
    return note(
        "left-site",
        f"No piece stands on `{site.name}` any more when this is asked.",
        site.span,
        "Name the site that the piece went to; or ask before it is moved.",
        (("It is moved away here.", move),),
    )
