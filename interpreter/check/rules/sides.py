"""Sides: what is said of one alone, in rules and at the start, where all else is fair.

In: a game of two sides. Out: warnings and notes, each with a pair of lines. What then holds: of two
goals or homes that are told, no symmetry of the board turns one into the other.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from fractions import Fraction

from gdl.analysis.side_symmetry import Comparison
from gdl.board.lattice import CLOCKWISE
from gdl.board.relation import Relation, bits
from gdl.board.symmetries import Permutation, moved_set, same_under, symmetries, with_shifts
from gdl.codes import Code
from gdl.core.merging import Unlike
from gdl.core.nodes import Const, Ending, Expression, Op
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.nodes import Sequence as Items
from gdl.elaborate.sections.sections import readable, texts
from gdl.interpreter.check.definitions import words_in
from gdl.interpreter.check.places import (
    PROGRAMS,
    key_span,
    known_sites,
    note,
    parsed_rules,
    said_by_side,
    warning,
    without_comments,
)
from gdl.interpreter.check.rules.copies import shape_of
from gdl.interpreter.check.rules.numbers import range_in, ranges_of
from gdl.interpreter.check.rules.texts import EDGES
from gdl.interpreter.check.rules.turns import moves_pieces
from gdl.interpreter.english import does
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in, parts_of

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
    if begins_even(game):
        yield from fair.goals()
        yield from fair.lonely_clauses()
        yield from lonely_rules(game)


def begins_even(game: Game) -> bool:
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


def goals_differ(game: Game) -> bool:
    """Return whether the clauses that name sides ask other things for one side than for another.

    What differs in names alone counts as the same.
    """
    asked: dict[str, list[str]] = {side: [] for side in game.sides}
    for rules in parsed_rules(game, {"end": "clause", "phases": "clause"}):
        for clause in (rule for rule in rules if isinstance(rule, t.Outcome)):
            for side in clause.sides:
                if side.name in asked:
                    asked[side.name].append(repr((clause.outcome, shape_of(clause.condition))))
    return len({tuple(sorted(shapes)) for shapes in asked.values()}) > 1


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
            for name, both in said_by_side(self._game, section).items():
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
                Code.NO_MIRROR_IMAGE,
                f"What mirrors all else that {one} and {other} have does not turn `{pair.name}` of"
                f" {one} into that of {other}.",
                pair.second,
                "See whether each side has what is meant.",
                (("The other one is here.", pair.first),),
            )

    def _compared(self, name: str, both: Mapping[str, tuple[Span, Scalar]]) -> Iterator[Diagnostic]:
        (one, (first, body)), (other, (second, copy)) = both.items()
        plain, plain_copy = (" ".join(text.text.split()) for text in (body, copy))
        own = [
            re.sub(rf"\b{re.escape(side)}\b", "mover", text)
            for side, text in ((one, plain), (other, plain_copy))
        ]
        names_edge = {*EDGES, *CLOCKWISE} & set(words_in(plain))
        how = ""
        if plain == plain_copy:
            if not any(word in plain.replace("(", " ").split() for word in _RELATIVE):
                how = "though each has its own"
        elif own[0] == own[1] and names_edge:
            how = "but for their names"
        if how:
            yield warning(
                Code.SAME_FOR_SIDES,
                f"`{name}` is the same for {one} and {other}, {how}.",
                second.to(copy.span),
                "Write what is meant for each side, or one definition for both.",
                (("The other one is here.", first.to(body.span)),),
            )
        if how or plain == plain_copy:
            return
        values = self._value(first.text, body), self._value(second.text, copy)
        if isinstance(values[0], int) and not begins_even(self._game):
            return  # where one side has more pieces, it may well have more sites
        if self._are_unmirrored(*values):
            yield note(
                Code.NO_MIRROR_IMAGE,
                f"No symmetry of the board turns `{name}` of {one} into that of {other}.",
                second.to(copy.span),
                "See whether each side has what is meant.",
                (("The other one is here.", first.to(body.span)),),
            )

    def _value(self, head: str, body: Scalar) -> object:
        """Return the region or relation of a definition, or None if it is not known."""
        if head in self._game.relations:
            return self._game.relations[head]
        return known_sites(self._game, body.span)

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
            same_shape = [
                two for two in second if shape_of(one.condition) == shape_of(two.condition)
            ]
            also = [two for two in first if shape_of(one.condition) == shape_of(two.condition)]
            if len(same_shape) == len(also) == 1:
                yield from self._mirrored(one, same_shape[0])

    def _mirrored(self, one: t.Outcome, other: t.Outcome) -> Iterator[Diagnostic]:
        if one.outcome != other.outcome:
            first, second = self._game.sides
            yield note(
                Code.NO_MIRROR_IMAGE,
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
            sets = (
                known_sites(self._game, left.span, 0),
                known_sites(self._game, right.span, 1),
            )
            names = left.span.text, right.span.text
            if sets[0] is not None and sets[1] is not None:
                ones.append(sets[0])
                others.append(sets[1])
            elif names[0] != names[1]:
                differ = self._unlike(*names)
                if differ is not None:
                    if differ:
                        yield self._of_another_measure(one, other, names)
                        return
                    continue
                about = [self._about(name, side) for side, name in enumerate(names)]
                if None in about:
                    return
                if about[0] != about[1]:
                    yield self._about_another(one, other)
                    return
        if ones and not self._some_symmetry(ones, others):
            yield note(
                Code.NO_MIRROR_IMAGE,
                f"No symmetry of the board turns the goal of {self._game.sides[0]} into that of"
                f" {self._game.sides[1]}.",
                other.span,
                "See whether each side has the goal that is meant.",
                (("The other goal is here.", one.span),),
            )

    def _unlike(self, one: str, other: str) -> bool | None:
        """Return whether two relations or numbers are no mirror images; None if they are neither.

        What one goal gives to a word of the language, the other gives to it, too.
        """
        if one.isdigit() and other.isdigit():
            return True
        relations = {**self._game.board.relations, **self._game.relations}
        if one in relations and other in relations:
            return self._are_unmirrored(relations[one], relations[other])
        return None

    def _of_another_measure(
        self, one: t.Outcome, other: t.Outcome, names: tuple[str, str]
    ) -> Diagnostic:
        first, second = self._game.sides
        return note(
            Code.NO_MIRROR_IMAGE,
            f"Of two goals that read alike, that of {first} has `{names[0]}` where that of"
            f" {second} has `{names[1]}`.",
            other.span,
            "See whether both should have the same.",
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
            Code.NO_MIRROR_IMAGE,
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
        about = {
            word for text in texts(self._game.document.get("about")) for word in words_in(text.text)
        }
        if len(sides) == 1 and neutral and sides.isdisjoint(about):
            for clause in named:
                yield note(
                    Code.FOR_ONE_SIDE,
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


# ---------------- a rule for one side that has no mirror image, where all other such rules have one

_LEAST_SIMILARITY = 0.6
_TOKEN = re.compile(r"\w+|[^\w\s]")
_LINE = re.compile(r"[^\n]+")
_ENDS = {"end": "clause"}
_CAPTIONS = ("says", "about")
_MOST_RULES = 60


@dataclass(frozen=True)
class _Rule:
    """A text that names one of the sides, with its words."""

    span: Span
    side: int
    tokens: tuple[str, ...]


def lonely_rules(game: Game) -> Iterator[Diagnostic]:
    """Yield the rules without a mirror image."""
    by_section = [list(_rules(game, _ENDS)), list(_rules(game, PROGRAMS))]
    paired = [_pairs(rules, game.sides) for rules in by_section]
    if not any(paired):
        return
    for rules, pairs in zip(by_section, paired, strict=True):
        alone = [rule for rule in rules if rule not in pairs]
        if len(alone) == 1 and len(rules) <= _MOST_RULES:
            (rule,) = alone
            name, other = game.sides[rule.side], game.sides[1 - rule.side]
            yield note(
                Code.NO_MIRROR_IMAGE,
                f"This is said of {name}, and nothing like it of {other}.",
                rule.span,
                f"See whether it should be said of {other}, too, or of whoever moves (`mover`).",
                _nearest(rule, [r for rs in by_section for r in rs], game.sides),
            )


def _rules(game: Game, entries: dict[str, str]) -> Iterator[_Rule]:
    """Yield the lines of some sections that name one side, without what comes after `#`.

    Of draws, of what has an answer for the other side, too, and of who leaves a phase for the next
    one or begins it there are none.
    """
    nodes: dict[int, t.Node] = {}
    for node in nodes_in(part for parts in parsed_rules(game, entries) for part in parts):
        nodes.setdefault(node.span.start, node)
    handing_over = [one.span for one in _handing_over(parsed_rules(game, entries))]
    for key in entries:
        section = game.document.get(key)
        for span in () if section is None else _lines(section):
            code = without_comments(span.text).rstrip()
            tokens = tuple(_TOKEN.findall(code))
            words = ((found[0], span.start + found.start()) for found in _TOKEN.finditer(code))
            named = [
                word
                for word, place in words
                if word in game.sides
                and not any(one.start <= place < one.end for one in handing_over)
            ]
            begun = nodes.get(span.start)
            is_answered = isinstance(begun, t.If) and bool(begun.otherwise)
            if not named or is_answered or isinstance(begun, t.Draw):
                continue
            says_who = isinstance(begun, t.Outcome) and begun.sides[:1]
            if len(set(named)) == 1 or (says_who and says_who[0].name == named[0]):
                whole = Span(span.source, span.start, span.start + len(code))
                yield _Rule(whole, game.sides.index(named[0]), tokens)


def _handing_over(blocks: Iterable[Iterable[t.Node]]) -> Iterator[t.Node]:
    """Yield statements by which the last side leaves a phase, or that say who begins another."""
    for block in map(tuple, blocks):
        goes_on = any(isinstance(one, t.GoTo) for one in block)
        for one in block:
            is_last = isinstance(one, t.If) and all(isinstance(s, t.GoTo) for s in one.then)
            if is_last or (goes_on and isinstance(one, t.NextSide)):
                yield one
            yield from _handing_over(blocks_inside(one))


def _lines(node: Node) -> Iterator[Span]:
    """Yield the lines of all texts in a part of a file, without the blanks before them."""
    if isinstance(node, Scalar):
        for line in _LINE.finditer(node.span.text):
            blanks = len(line.group()) - len(line.group().lstrip())
            start = node.span.start + line.start() + blanks
            yield Span(node.span.source, start, node.span.start + line.end())
    elif isinstance(node, Items):
        for item in node.items:
            yield from _lines(item)
    elif isinstance(node, Document):
        for key, value in node.entries:
            if key.text not in _CAPTIONS:
                yield from _lines(value)


def _pairs(rules: list[_Rule], sides: Sequence[str]) -> set[_Rule]:
    """Return the rules that have a mirror image, each another one, the most alike first."""
    likeness = sorted(
        (
            (-found, one, other)
            for one, first in enumerate(rules)
            for other, second in enumerate(rules[:one])
            if first.side != second.side
            and (found := _similarity(first, second, sides)) >= _LEAST_SIMILARITY
        ),
    )
    paired: set[_Rule] = set()
    for _, one, other in likeness:
        if rules[one] not in paired and rules[other] not in paired:
            paired |= {rules[one], rules[other]}
    return paired


def _similarity(one: _Rule, other: _Rule, sides: Sequence[str]) -> float:
    exchanged = dict(zip(sides, reversed(sides), strict=True))
    mirrored = [exchanged.get(token, token) for token in one.tokens]
    return SequenceMatcher(None, mirrored, other.tokens, autojunk=False).ratio()


def _nearest(rule: _Rule, rules: Sequence[_Rule], sides: Sequence[str]) -> list[tuple[str, Span]]:
    others = [other for other in rules if other.side != rule.side]
    best = max(others, key=lambda other: _similarity(rule, other, sides), default=None)
    return [] if best is None else [("This comes nearest.", best.span)]


# ----------------------------- set-ups, teams and payoffs that leave a side out, or turn against it

_NEARLY = 0.2
"""Of the pieces of the larger side: where more are missing, the sides are meant to be unequal."""

_SEVERAL = 3
"""Of so many pieces, one that is missing may have been forgotten."""
_MIRRORED = 0.6
_MOST_NAMED = 3
"""Where so many pieces are mirrored, the others are meant to be."""


def uneven_setup(game: Game) -> Iterator[Diagnostic]:
    """Yield that two sides are set up nearly alike, but not quite, or that a side is not."""
    place = key_span(game, "setup")
    if place is None:
        return
    yield from _without_pieces(game, place)
    if len(game.sides) != 2:
        return
    first, second = (_standing(game, side) for side in (0, 1))
    numbers = [sum(map(int.bit_count, each.values())) for each in (first, second)]
    missing = abs(numbers[0] - numbers[1])
    there = with_shifts(game.board)
    if not all(numbers) or not there or any(mirrors_setup(game, found) for found in there):
        return
    is_near = missing <= max(_NEARLY * max(numbers), max(numbers) >= _SEVERAL)
    nearest = max(there, key=lambda found: _mirrored(first, second, found))
    mirrored = _mirrored(first, second, nearest)
    if not is_near and mirrored < _MIRRORED * max(numbers):
        return
    what = (
        f"{does(game.sides[:1], 'begins')} with {numbers[0]} pieces,"
        f" {game.sides[1]} with {numbers[1]}."
        if missing
        else f"No symmetry of the board turns the pieces of {game.sides[0]} into those of"
        f" {game.sides[1]}."
    )
    yield note(
        Code.UNEVEN_SETUP,
        what + _alone(game, first, second, nearest),
        place,
        "See whether a site is missing, or a piece stands on another one than was meant.",
        [("Pieces are set up here.", span) for span in _said_of_setup(game)],
    )


def _alone(game: Game, first: dict[int, int], second: dict[int, int], symmetry: Permutation) -> str:
    """Return which pieces of both sides have no counterpart where nearly all have one."""
    told = []
    for side, (ones, others, turned) in enumerate(
        ((first, second, _inverse(symmetry)), (second, first, symmetry))
    ):
        sites = 0
        for kind, where in ones.items():
            sites |= where & ~moved_set(others.get(kind, 0), turned)
        names = [game.board.sites[index].name for index in bits(sites)]
        if len(names) > _MOST_NAMED:
            return ""
        told += [f"{game.sides[side]}'s on {' and '.join(names)}"] if names else []
    return f" The nearest leaves {' and '.join(told)} without a counterpart."


def _inverse(symmetry: Permutation) -> Permutation:
    back = [0] * len(symmetry)
    for index, image in enumerate(symmetry):
        back[image] = index
    return tuple(back)


def _said_of_setup(game: Game) -> Iterator[Span]:
    """Yield the entries by which pieces are set up."""
    section = game.document.get("setup")
    for key, value in section.entries if isinstance(section, Document) else ():
        yield key.span.to(value.span)


def _mirrored(first: dict[int, int], second: dict[int, int], symmetry: Permutation) -> int:
    """Return how many pieces of one side a symmetry turns into pieces of the other."""
    return sum(
        (moved_set(sites, symmetry) & second.get(kind, 0)).bit_count()
        for kind, sites in first.items()
    )


def _without_pieces(game: Game, place: Span) -> Iterator[Diagnostic]:
    """Yield the sides without a piece, where others have some and the first turn moves pieces."""
    standing = [_standing(game, side) for side in range(len(game.sides))]
    turns, layers = game.program.phases[0].turns, set(game.program.layers)
    for side, name in enumerate(game.sides):
        if any(standing) and not standing[side] and moves_pieces(turns[side], layers):
            yield note(
                Code.UNEVEN_SETUP,
                f"{name} begins without a piece, and its turn begins with a choice among pieces.",
                place,
                "Set up its pieces, or let its turn place some.",
            )


def _standing(game: Game, side: int) -> dict[int, int]:
    """Return where the pieces of a side are set up, by their kinds."""
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    found: dict[int, int] = {}
    for layer in game.layers:
        sites = at_start[layer.slot]
        if layer.side == side and isinstance(sites, int) and sites:
            found[layer.kind] = sites
    return found


def has_setup(game: Game) -> bool:
    """Return whether pieces of two sides are set up."""
    return all(_standing(game, side) for side in (0, 1))


def mirrors_setup(game: Game, symmetry: Permutation) -> bool:
    """Return whether a symmetry turns the pieces of one side into those of the other."""
    first, second = (_standing(game, side) for side in (0, 1))
    return {kind: moved_set(sites, symmetry) for kind, sites in first.items()} == second


def alone_in_team(game: Game) -> Iterator[Diagnostic]:
    """Yield a side that is in no team, where all others have partners."""
    alone = [side for side, team in enumerate(game.program.teams) if len(team) == 1]
    if len(alone) == 1 and len(game.program.teams) > 1:
        name = game.sides[alone[0]]
        yield note(
            Code.NO_TEAM,
            f"{name} is in no team, and all others are.",
            key_span(game, "teams"),
            f"Name {name} there, or see whether it is to play alone.",
        )


def losing_wins(game: Game) -> Iterator[Diagnostic]:
    """Yield clauses that are worth less than nothing to the side that wins."""
    ranges = ranges_of(game)
    told: set[Span] = set()
    for turn in game.program.turns:
        for ending in turn.clauses:
            if not ending.payoffs or ending.span is None or ending.span in told:
                continue
            if ending.kind == "wins":
                found = [range_in(ranges, ending.payoffs[side]) for side in ending.sides]
                is_loss = all(one is not None and one.high < 0 for one in found)
            else:
                is_loss = _pays_loser(ending)
            if is_loss:
                told.add(ending.span)
                yield warning(
                    Code.LOSING_WIN,
                    "Who wins here is paid less than nothing.",
                    ending.span,
                    "What stands after `by` is what the winner has; whoever loses has as much"
                    " less than nothing.",
                )


Linear = dict[Expression | None, Fraction]
"""A sum: by what is counted, how often; and under None what is added to it."""


def _pays_loser(ending: Ending) -> bool:
    """Return whether of two sides the one that a ranking lets win is paid less than nothing.

    That is so where the payoff is a multiple of the difference of what is compared: one that is
    below zero whenever the winner's is the lowest, or the highest.
    """
    if ending.kind not in ("highest", "lowest") or len(ending.values) != 2 or ending.inverted:
        return False
    return all(
        _is_multiple(ending.payoffs[side], ending.values[side], ending.values[1 - side], ending)
        for side in (0, 1)
    )


def _is_multiple(payoff: Expression, value: Expression, other: Expression, ending: Ending) -> bool:
    """Return whether a payoff is below zero wherever `value` wins over the other."""
    lead = _sum(_linear(value), _linear(other), Fraction(-1))
    paid = _sum(dict.fromkeys(lead, Fraction()), _linear(payoff), Fraction(1))
    named = next((part for part, times in lead.items() if part is not None and times), None)
    if named is None or not paid.get(named):
        return False
    times = paid[named] / lead[named]
    rest = _sum(paid, lead, -times)
    is_left = any(number for part, number in rest.items() if part is not None)
    turned = times > 0 if ending.kind == "lowest" else times < 0
    return turned and not is_left and rest.get(None, Fraction()) <= 0


def _linear(node: Expression) -> Linear:
    """Return a number as a sum of what it counts."""
    match node:
        case Const(value=int() | Fraction() as value):
            return {None: Fraction(value)}
        case Op("add", parts):
            found: Linear = {}
            for part in parts:
                found = _sum(found, _linear(part), Fraction(1))
            return found
        case Op("subtract", (first, second)):
            return _sum(_linear(first), _linear(second), Fraction(-1))
        case Op("multiply", (Const(value=int() | Fraction() as times), part)) | Op(
            "multiply", (part, Const(value=int() | Fraction() as times))
        ):
            return _sum({}, _linear(part), Fraction(times))
    return {node: Fraction(1)}


def _sum(one: Linear, other: Linear, times: Fraction) -> Linear:
    """Return a sum and so many times another; what is the same but for names counts once."""
    found = dict(one)
    for part, number in other.items():
        key = next((known for known in found if _are_same(known, part)), part)
        found[key] = found.get(key, Fraction()) + times * number
    return found


def _are_same(one: Expression | None, other: Expression | None) -> bool:
    if one is None or other is None or one is other:
        return one is other
    try:
        return Comparison({}, exactly=True).same(one, other)
    except Unlike:
        return False
