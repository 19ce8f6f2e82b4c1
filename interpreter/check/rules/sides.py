"""What is said of one side and has no mirror image for another, where all else is fair.

In: a game of two sides. Out: warnings and notes, each with a pair of lines. What then holds: of two
goals or homes that are told, no symmetry of the board turns one into the other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from gdl.board.relation import Relation
from gdl.board.symmetries import Permutation, moved_set, same_under, symmetries
from gdl.core.nodes import Const
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Span
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from gdl.elaborate.sections import readable, texts
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import parts_of
from interpreter.check.places import note, warning
from interpreter.check.rules.lonely import lonely_rules
from interpreter.check.rules.starts import has_setup, mirrors_setup

_RELATIVE = ("own", "enemy", "mover")
_NEUTRAL = ("mover", "any")
_FEWEST_TOGETHER = 3
"""Words that each side has, and its set-up: all but one word must be mirrored for it to be told."""


def check_sides(game: Game) -> Iterator[Diagnostic]:
    """Yield what two sides have that are no mirror images, or that should not be the same."""
    if len(game.sides) != 2:
        return
    fair = _Fairness(game)
    yield from fair.heads()
    if _begins_even(game):
        yield from fair.goals()
        yield from fair.lonely_clauses()
        yield from lonely_rules(game)


def _begins_even(game: Game) -> bool:
    """Return whether both sides begin with as many pieces: else they are hardly meant to be alike.

    Pieces of different kinds count alike.
    """
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    numbers = [0, 0]
    for layer in game.layers:
        sites = at_start[layer.slot]
        if layer.side is not None and isinstance(sites, int):
            numbers[layer.side] += sites.bit_count()
    return numbers[0] == numbers[1]


@dataclass(frozen=True)
class _Pair:
    """A word that each side has for itself: a set of sites, or a relation."""

    name: str
    first: Span
    second: Span
    one: object
    other: object

    def leads(self, symmetry: Permutation) -> bool:
        """Return whether a symmetry turns what the first side has into what the second has."""
        if isinstance(self.one, int) and isinstance(self.other, int):
            return moved_set(self.one, symmetry) == self.other
        if isinstance(self.one, Relation) and isinstance(self.other, Relation):
            return same_under(self.one, self.other, symmetry)
        return True


class _Fairness:
    """Compares what is said of both sides of a game."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._symmetries: list[Permutation] | None = None

    def _some_symmetry(self, ones: list[int], others: list[int]) -> bool:
        if self._symmetries is None:
            self._symmetries = symmetries(self._game.board)
        return not self._symmetries or any(
            sorted(moved_set(one, found) for one in ones) == sorted(others)
            for found in self._symmetries
        )

    # ------------------------------------------------------------- definitions

    def heads(self) -> Iterator[Diagnostic]:
        """Yield definitions for each side that say the same, or that don't mirror each other."""
        known: list[_Pair] = []
        for section in ("define", "regions", "relations"):
            node = self._game.document.get(section)
            if not isinstance(node, Document):
                continue
            bodies: dict[str, dict[str, tuple[Span, Scalar]]] = defaultdict(dict)
            for key, body in node.entries:
                name, _, rest = key.text.partition("(")
                side = rest.removesuffix(")").strip()
                if isinstance(body, Document):
                    body = body.get("is") or body
                if isinstance(body, Scalar) and side in self._game.sides:
                    bodies[name.strip()][side] = key.span, body
            for name, both in bodies.items():
                if len(both) == len(self._game.sides):
                    told = list(self._compared(name, both))
                    yield from told
                    if not told:
                        known += self._pair(name, both)
        yield from self._alone_among(known)

    def _pair(self, name: str, both: Mapping[str, tuple[Span, Scalar]]) -> Iterator[_Pair]:
        """Yield what a word is for the first side, and what for the second, if it is known."""
        (first, body), (second, copy) = both.values()
        values = self._value(first.text, body), self._value(second.text, copy)
        if values[0] is not None and values[1] is not None:
            yield _Pair(name, first.to(body.span), second.to(copy.span), *values)

    def _alone_among(self, pairs: list[_Pair]) -> Iterator[Diagnostic]:
        """Yield the one word that does not mirror, where some symmetry mirrors all others."""
        if len(pairs) + has_setup(self._game) < _FEWEST_TOGETHER:
            return
        self._some_symmetry([], [])
        mirrored = [s for s in self._symmetries or () if mirrors_setup(self._game, s)]
        failing = [[one for one in pairs if not one.leads(s)] for s in mirrored]
        fewest = min(failing, key=len, default=[])
        if len(fewest) == 1:
            (pair,) = fewest
            one, other = self._game.sides
            yield note(
                "no-mirror-image",
                f"What mirrors all else that {one} and {other} have does not turn `{pair.name}` of"
                f" {one} into that of {other}.",
                pair.second,
                "See whether each side has what is meant.",
                (("The other one is here.", pair.first),),
            )

    def _compared(self, name: str, both: Mapping[str, tuple[Span, Scalar]]) -> Iterator[Diagnostic]:
        (one, (first, body)), (other, (second, copy)) = both.items()
        plain = " ".join(body.text.split())
        if plain == " ".join(copy.text.split()):
            if not any(word in plain.replace("(", " ").split() for word in _RELATIVE):
                yield warning(
                    "same-for-sides",
                    f"`{name}` is the same for {one} and {other}, though each has its own.",
                    second.to(copy.span),
                    "Write what is meant for each side, or one definition for both.",
                    (("The other one is here.", first.to(body.span)),),
                )
            return
        values = self._value(first.text, body), self._value(second.text, copy)
        if self._are_unmirrored(*values):
            yield note(
                "no-mirror-image",
                f"No symmetry of the board turns `{name}` of {one} into that of {other}.",
                second.to(copy.span),
                "See whether each side has what is meant.",
                (("The other one is here.", first.to(body.span)),),
            )

    def _value(self, head: str, body: Scalar) -> object:
        """Return the region or relation of a definition, or None if it is not known."""
        if head in self._game.relations:
            return self._game.relations[head]
        return self._sites(body.span, None)

    def _sites(self, span: Span, side: int | None) -> int | None:
        """Return the set of sites that a text is, if it is known before play."""
        try:
            value = self._game.words.expression(span, side)
        except GameError:
            return None
        if isinstance(value, Const) and value.type == SITES:
            return int(value.value)
        return None

    def _are_unmirrored(self, one: object, other: object) -> bool:
        if isinstance(one, int) and isinstance(other, int):
            return not self._some_symmetry([one], [other])
        if isinstance(one, Relation) and isinstance(other, Relation):
            self._some_symmetry([], [])
            found = self._symmetries or []
            return bool(found) and not any(same_under(one, other, each) for each in found)
        return False

    # ------------------------------------------------------------------- goals

    def _clauses(self) -> Iterator[tuple[tuple[str, ...], t.Clause]]:
        """Yield the clauses of `end`, each with the sides that it names."""
        for text in texts(self._game.document.get("end")):
            clause = readable(text, "clause")
            if isinstance(clause, t.Outcome):
                yield tuple(side.name for side in clause.sides), clause

    def goals(self) -> Iterator[Diagnostic]:
        """Yield pairs of goals that differ in their regions alone, and don't mirror each other."""
        by_side: dict[str, list[t.Outcome]] = defaultdict(list)
        for sides, clause in self._clauses():
            if isinstance(clause, t.Outcome) and len(sides) == 1 and sides[0] in self._game.sides:
                by_side[sides[0]].append(clause)
        first, second = (by_side[side] for side in self._game.sides)
        for one in first:
            same_shape = [two for two in second if _shape(one.condition) == _shape(two.condition)]
            also = [two for two in first if _shape(one.condition) == _shape(two.condition)]
            if len(same_shape) == len(also) == 1:
                yield from self._mirrored(one, same_shape[0])

    def _mirrored(self, one: t.Outcome, other: t.Outcome) -> Iterator[Diagnostic]:
        if one.outcome != other.outcome:
            first, second = self._game.sides
            yield note(
                "no-mirror-image",
                f"Of two clauses that read alike, by one {first} {one.outcome}, and by one"
                f" {second} {other.outcome}.",
                one.span,
                "See whether both should win, or both lose.",
                (("The other clause is here.", other.span),),
            )
            return
        ones: list[int] = []
        others: list[int] = []
        leaves = zip(_leaves(one.condition), _leaves(other.condition), strict=True)
        for left, right in leaves:
            sets = self._sites(left.span, 0), self._sites(right.span, 1)
            names = left.span.text, right.span.text
            if sets[0] is not None and sets[1] is not None:
                ones.append(sets[0])
                others.append(sets[1])
            elif names[0] != names[1]:
                about = [self._about(name, side) for side, name in enumerate(names)]
                if None in about:
                    return
                if about[0] != about[1]:
                    yield self._about_another(one, other)
                    return
        if ones and not self._some_symmetry(ones, others):
            yield note(
                "no-mirror-image",
                f"No symmetry of the board turns the goal of {self._game.sides[0]} into that of"
                f" {self._game.sides[1]}.",
                other.span,
                "See whether each side has the goal that is meant.",
                (("The other goal is here.", one.span),),
            )

    def _about(self, name: str, side: int) -> str | None:
        """Return whom a word of a side's goal names: itself or another; None if no side."""
        if name == "mover":
            return name
        if name in ("own", self._game.sides[side]):
            return "own"
        return "enemy" if name in ("enemy", *self._game.sides) else None

    def _about_another(self, one: t.Outcome, other: t.Outcome) -> Diagnostic:
        first, second = self._game.sides
        return note(
            "no-mirror-image",
            f"Of two goals that read alike, that of {first} and that of {second} ask for the"
            " pieces of one side.",
            one.span,
            "See whether `own` is meant in both, or `enemy`.",
            (("The other goal is here.", other.span),),
        )

    def lonely_clauses(self) -> Iterator[Diagnostic]:
        """Yield a clause for one side where all others are for whoever has moved."""
        clauses = list(self._clauses())
        named = [c for sides, c in clauses if len(sides) == 1 and sides[0] in self._game.sides]
        neutral = [c for sides, c in clauses if sides and set(sides) <= set(_NEUTRAL)]
        for text in texts(self._game.document.get("stuck")):
            stuck = readable(text, "stuck_clause")
            if isinstance(stuck, t.Outcome) and not stuck.sides:
                neutral.append(stuck)
        sides = {c.sides[0].name for c in named if isinstance(c, t.Outcome)}
        if len(sides) == 1 and neutral:
            for clause in named:
                yield note(
                    "for-one-side",
                    f"This is for {next(iter(sides))} alone, and the other clauses are for both.",
                    clause.span,
                    "Write `mover` or `any` if it is meant for both.",
                    (("This one is for both.", neutral[0].span),),
                )


def _leaves(node: object) -> list[t.Name | t.Number]:
    """Return the names and numbers of an expression, in order, but not what is applied."""
    match node:
        case t.Name() | t.Number():
            return [node]
        case t.Call():
            return _leaves(node.arguments)
        case t.Node():
            return _leaves(tuple(parts_of(node)))
        case tuple():
            return [leaf for part in node for leaf in _leaves(part)]
    return []


def _shape(node: object) -> object:
    """Return an expression without its names."""
    match node:
        case t.Name():
            return "name"
        case t.Call():
            return ("call", node.function.span.text, *map(_shape, node.arguments))
        case t.Node():
            return (type(node).__name__, *map(_shape, parts_of(node)))
        case tuple():
            return tuple(map(_shape, node))
    return node
