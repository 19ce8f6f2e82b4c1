"""Symmetries of the board that the rules respect: found by the drawing, and proved by the program.

In: a game. Out: for each symmetry besides the identity, where each site goes. What then holds: the
positions that one makes of one another have the same moves, up to the symmetry, and the same
value; together with the identity, the symmetries are a group.

Rotations and reflections of the drawing are tried. One is respected if the program, with all its
sets and relations moved, is the same program: the order of what can be exchanged, the names of
bound variables and the end from which a connection is followed make no difference. That is a
proof; where it fails, the rules may still be symmetric.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any

from gdl.board.relation import Relation, bits, site_set
from gdl.board.symmetries import Permutation, of_drawing
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Alternative,
    Assign,
    AssignAt,
    Branch,
    Can,
    Choose,
    Closure,
    Const,
    Decide,
    Ending,
    Expression,
    Fold,
    ForEach,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    Phase,
    Program,
    RangeOf,
    Repeat,
    Require,
    Say,
    Select,
    SitesOf,
    Slot,
    Times,
    Turn,
)
from gdl.core.singles import is_single, single_slots
from gdl.core.types import SITES, Type
from gdl.core.walk import binders_in, program_expressions
from gdl.model import Game
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.groups import begin_anywhere

_MOST_SITES = 400
"""On larger boards there is nothing to solve that way."""


def symmetries(game: Game, *, with_memory: bool = False) -> tuple[Permutation, ...]:
    """Return the symmetries of the board that the rules respect, without the identity.

    There is none where the rules ask for earlier positions, unless this is `with_memory`: then
    games are led to games, earlier positions among them.
    """
    has_sets_by_site = any(slot.per_site and slot.type == SITES for slot in game.program.state)
    has_memory = bool(game.program.memories) and not with_memory
    if len(game.board.sites) > _MOST_SITES or has_sets_by_site or has_memory:
        return ()
    canon = Canon(game.program, len(game.board.sites))
    identity = tuple(range(len(game.board.sites)))
    wanted = canon.of_program(identity)
    if wanted is None:
        return ()
    return tuple(
        symmetry
        for symmetry in dict.fromkeys(of_drawing(game.board))
        if symmetry != identity and canon.of_program(symmetry) == wanted
    )


# ----------------------------------- whether a program with all its sites moved is the same program

_JOINING = frozenset({"union", "intersection", "add", "multiply", "and", "or"})
"""Operations of any number of arguments, in any order."""
_SYMMETRIC = frozenset({"equal", "maximum", "minimum"})
_ORDERED = frozenset(
    {"difference", "some", "count", "subset", "less", "not_more", "subtract", "fraction"}
    | {"divide", "modulo", "power", "not", "image"}
)
_OF_ONE_SITE = frozenset({"first", "lookup"})
_PLAIN = (
    *(Alternative, Assign, AssignAt, Branch, Can, Choose, Closure, Decide, Ending, Get, GetAt),
    *(GroupsOf, If, Let, Phase, RangeOf, Repeat, Require, Say, Select, SitesOf, Times, Turn, Type),
)
"""What means the same of moved sites if its parts do; anything else is looked at, or refused."""


class _NotTold(Exception):
    """The program has what depends on the order of sites."""


class Canon:
    """Gives numbers to a program, over a board of `size` sites, and to its images."""

    def __init__(self, program: Program, size: int) -> None:
        self._program = program
        self._terms = Terms(size)
        self._numbers: dict[Hashable, int] = {}
        self._groups = Memo[Fold, bool]()
        self._from = Memo[Relation, "dict[int, int] | None"]()
        self._singles: set[Slot] = set(single_slots(program))
        for binder in binders_in(program_expressions(program)):
            if isinstance(binder, Select) or (
                isinstance(binder, Fold) and isinstance(binder.domain, SitesOf)
            ):
                self._singles.add(binder.slot)

    def of_program(self, targets: Sequence[int]) -> int | None:
        """Return the number of the program with its sites moved; None if that tells nothing."""
        try:
            parts = self._program.phases, tuple(each.key for each in self._program.memories)
            return _Image(self, targets).of(parts)
        except _NotTold:
            return None

    # ------------------------------------------------------- what all images have in common

    def number(self, structure: Hashable) -> int:
        """Return the number of a structure."""
        return self._numbers.setdefault(structure, len(self._numbers))

    def sites_before(self, relation: Relation) -> dict[int, int] | None:
        """Return by site the one that a relation leads from to it; None if there are several."""
        return self._from.of(relation, _sites_before)

    def begin_anywhere(self, fold: Fold) -> bool:
        """Return whether groups are known to be the same in whatever order sites are gone through.

        Steps that do not lead back make groups that depend on where they begin.
        """
        return self._groups.of(fold, lambda fold: begin_anywhere(self._terms, fold))

    def is_single(self, node: Expression) -> bool:
        """Return whether an expression is known to have one site at most."""
        return is_single(node, self._singles)


class _Image:
    """Numbers of the parts of a program whose sites are moved."""

    def __init__(self, canon: Canon, targets: Sequence[int]) -> None:
        self._canon = canon
        self._targets = targets
        self._known = Memo[Expression, dict[Hashable, int]]()
        self._bound: dict[Slot, int] = {}
        self._relations = Memo[Relation, Relation]()

    def of(self, part: Any) -> int:
        """Return the number of any part: of an expression, a statement, a tuple, a value."""
        if isinstance(part, Expression):
            return self._of_expression(part)
        if isinstance(part, Slot):
            place = self._bound.get(part)
            told = ("slot", part) if place is None else ("bound", place, part.type)
            return self._canon.number(told)
        if isinstance(part, tuple):
            return self._canon.number(("several", *map(self.of, part)))
        if isinstance(part, ForEach):
            return self._canon.number(self._loop(part))
        if is_dataclass(part):
            return self._canon.number(self._plain(part))
        return self._canon.number(("value", type(part).__name__, part))

    def _loop(self, loop: ForEach) -> Hashable:
        """Return the structure of a loop; one over sites may depend on their order."""
        domain = loop.domain
        is_single = isinstance(domain, SitesOf) and self._canon.is_single(domain.sites)
        if not (is_single or isinstance(domain, RangeOf)):
            raise _NotTold
        return ("loop", self.of(loop.slot), self.of(loop.domain), self.of(loop.body))

    def _plain(self, part: Any) -> Hashable:
        if not isinstance(part, _PLAIN):
            raise _NotTold
        names = [field.name for field in fields(part) if field.compare and field.init]
        told = (self.of(getattr(part, name)) for name in names if name not in ("span", "reads"))
        return (type(part).__name__, *told)

    def _of_expression(self, node: Expression) -> int:
        """Return the number of an expression, in which bound slots are called by their binders."""
        bound = frozenset((slot, self._bound[slot]) for slot in node.free if slot in self._bound)
        known = self._known.of(node, lambda _: {})
        if bound not in known:
            with self._within(node):
                known[bound] = self._canon.number(self._structure(node))
        return known[bound]

    @contextmanager
    def _within(self, node: Expression) -> Iterator[None]:
        """Call the slots that an expression binds by how many binders stand in it."""
        slots = node.binds()
        if not self._bound.keys().isdisjoint(slots):
            raise _NotTold
        self._bound |= {slot: 2 * node.height + place for place, slot in enumerate(slots)}
        yield
        for slot in slots:
            del self._bound[slot]

    def _structure(self, node: Expression) -> Hashable:
        match node:
            case Const(value, of):
                moved = self._moved(int(value)) if of == SITES else value
                return ("constant", of, moved)
            case Op("some", (inner,)):
                return self._connection(inner) or self._lines(inner) or ("some", self.of(inner))
            case Op(name, arguments, of, payload):
                return self._operation(name, arguments, of, payload)
            case Fold(domain=GroupsOf()) if not self._canon.begin_anywhere(node):
                raise _NotTold
            case Fold(combine, slot, domain, body, initial):
                first = self._moved(int(initial)) if node.type == SITES else initial
                return ("fold", combine, self.of(slot), self.of(domain), self.of(body), first)
            case GetAt(_, sites) if not self._canon.is_single(sites):
                raise _NotTold
        return self._plain(node)

    def _operation(
        self, name: str, arguments: Sequence[Expression], of: Type, payload: object
    ) -> Hashable:
        if name in _JOINING:
            return (name, of, *sorted(map(self.of, _joined(name, arguments))))
        numbers = [self.of(argument) for argument in arguments]
        if name in _SYMMETRIC:
            return (name, of, *sorted(numbers))
        if name in _ORDERED:
            relation = self._relation(payload) if isinstance(payload, Relation) else None
            return (name, of, relation, *numbers)
        if name not in _OF_ONE_SITE or not self._canon.is_single(arguments[0]):
            raise _NotTold
        if not isinstance(payload, tuple):
            return (name, of, payload, *numbers)
        table = list(payload)
        for site, target in enumerate(self._targets):
            table[target] = payload[site]
        return (name, of, tuple(table), *numbers)

    # ------------------------------------------------------------------- connections

    def _connection(self, node: Expression) -> Hashable:
        """Return the structure of a connection of two sets, either of which may be the first.

        That is `some(closure(A & S; f -> image[r](f & S) & S) & B)` where r is symmetric: there is
        a way from A to B within S. None if it is no such thing.
        """
        parts = list(_joined("intersection", (node,)))
        closures = [part for part in parts if isinstance(part, Closure)]
        if len(closures) != 1:
            return None
        (closure,) = closures
        with self._within(closure):
            return self._ends_of(closure, [part for part in parts if part is not closure])

    def _ends_of(self, closure: Closure, others: Sequence[Expression]) -> Hashable:
        """Return the structure of a way between what a closure begins with, and other sets."""
        step = list(_joined("intersection", (closure.step,)))
        images = [part for part in step if isinstance(part, Op) and part.name == "image"]
        if len(images) != 1 or not isinstance(images[0].payload, Relation):
            return None
        (image,) = images
        relation = self._relation(images[0].payload)
        if any(closure.frontier in part.free for part in step if part is not image):
            return None
        within = {self.of(part) for part in step if part is not image}
        frontier = self._canon.number(("Get", self.of(closure.frontier)))
        reached = {self.of(part) for part in _joined("intersection", image.arguments)}
        one = {self.of(part) for part in _joined("intersection", (closure.seed,))}
        other = set(map(self.of, others))
        is_within = reached in ({frontier}, within | {frontier}) and within <= one
        if not is_within or not relation.is_symmetric:
            return None
        ends = sorted(tuple(sorted(end - within)) for end in (one, other))
        return ("connected", relation, tuple(sorted(within)), *ends)

    # ------------------------------------------------------------------- lines

    def _lines(self, node: Expression) -> Hashable:
        """Return the structure of rows of sites, which may be gone along from either end.

        That is `some(A & image[r](B) & image[s](C))`, where r and s lead to a site from one at
        most: for one of the rows, its sites are in these sets. None if it is no such thing.
        """
        parts = list(self._steps(node, ()))
        if len(parts) < 2:
            return None
        rows = set()
        for site in range(len(self._targets)):
            row = [(part, _led(site, steps)) for part, steps in parts]
            if all(at is not None and _may_have(part, at) for part, at in row):
                rows.add(
                    frozenset(
                        (self.of(part), self._targets[at])
                        for part, at in row
                        if at is not None and not isinstance(part, Const)
                    )
                )
        return ("rows", frozenset(rows))

    def _steps(
        self, node: Expression, steps: tuple[dict[int, int], ...]
    ) -> Iterator[tuple[Expression, tuple[dict[int, int], ...]]]:
        """Yield what is joined, each with the steps back from a site to the one that is in it."""
        for part in _joined("intersection", (node,)):
            before = None
            if isinstance(part, Op) and part.name == "image" and isinstance(part.payload, Relation):
                before = self._canon.sites_before(part.payload)
            if before is None:
                yield part, steps
            else:
                assert isinstance(part, Op)
                yield from self._steps(part.arguments[0], (*steps, before))

    # ------------------------------------------------------------------- sites moved

    def _moved(self, sites: int) -> int:
        """Return where a set of sites is moved."""
        return site_set(self._targets[site] for site in bits(sites))

    def _relation(self, relation: Relation) -> Relation:
        return self._relations.of(relation, self._moved_relation)

    def _moved_relation(self, relation: Relation) -> Relation:
        pairs = ((self._targets[a], self._targets[b]) for a, b in relation.pairs())
        return Relation.from_pairs(relation.size, pairs)


def _joined(name: str, arguments: Sequence[Expression]) -> list[Expression]:
    """Return what an operation joins, with the arguments of those arguments that are the same."""
    found: list[Expression] = []
    for argument in arguments:
        if isinstance(argument, Op) and argument.name == name:
            found += _joined(name, argument.arguments)
        else:
            found.append(argument)
    return found


def _sites_before(relation: Relation) -> dict[int, int] | None:
    found: dict[int, int] = {}
    for begin, end in relation.pairs():
        if found.setdefault(end, begin) != begin:
            return None
    return found


def _led(site: int, steps: Sequence[dict[int, int]]) -> int | None:
    """Return the site that steps lead to; None if there is none."""
    at: int | None = site
    for step in steps:
        if at is None:
            return None
        at = step.get(at)
    return at


def _may_have(sites: Expression, site: int) -> bool:
    """Return whether a site may be in a set, which is known of a constant."""
    return not isinstance(sites, Const) or bool(int(sites.value) >> site & 1)
