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

from collections.abc import Hashable, Sequence
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
    Turn,
)
from gdl.core.singles import is_single, single_slots
from gdl.core.types import SITES, Type
from gdl.model import Game
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.groups import begin_anywhere

_MOST_SITES = 400
"""On larger boards there is nothing to solve that way."""


def symmetries(game: Game) -> tuple[Permutation, ...]:
    """Return the symmetries of the board that the rules respect, without the identity."""
    has_sets_by_site = any(slot.per_site and slot.type == SITES for slot in game.program.state)
    if len(game.board.sites) > _MOST_SITES or has_sets_by_site:
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
_OF_ONE_SITE = frozenset({"lookup"})
_PLAIN = (
    *(Alternative, Assign, AssignAt, Branch, Can, Choose, Closure, Decide, Ending, Get, GetAt),
    *(GroupsOf, If, Let, Phase, RangeOf, Repeat, Require, Say, Select, SitesOf, Turn, Type),
)
"""What means the same of moved sites if its parts do; anything else is looked at, or refused."""
_BINDERS = (Let, Fold, Select, Closure)


class _NotTold(Exception):
    """The program has what depends on the order of sites."""


class Canon:
    """Gives numbers to a program, over a board of `size` sites, and to its images."""

    def __init__(self, program: Program, size: int) -> None:
        self._program = program
        self._terms = Terms(size)
        self._numbers: dict[Hashable, int] = {}
        self._heights = Memo[Expression, int]()
        self._groups = Memo[Fold, bool]()
        self._bound: dict[Slot, int] = {}
        self._singles: set[Slot] = set(single_slots(program))

    def of_program(self, targets: Sequence[int]) -> int | None:
        """Return the number of the program with its sites moved; None if that tells nothing."""
        try:
            return _Image(self, targets).of(self._program.phases)
        except _NotTold:
            return None

    # ------------------------------------------------------- what all images have in common

    def number(self, structure: Hashable) -> int:
        """Return the number of a structure."""
        return self._numbers.setdefault(structure, len(self._numbers))

    def height(self, node: Expression) -> int:
        """Return how many binders stand in one another in an expression, and note their slots."""
        known = self._heights.get(node)
        if known is None:
            known = max(map(self.height, node.parts()), default=0)
            if isinstance(node, _BINDERS):
                known += 1
                for place, slot in enumerate(node.binds()):
                    self._bound[slot] = 2 * known + place
                if isinstance(node, Select) or (
                    isinstance(node, Fold) and isinstance(node.domain, SitesOf)
                ):
                    self._singles.add(node.slot)
            self._heights.keep(node, known)
        return known

    def slot(self, slot: Slot) -> int:
        """Return the number of a slot; of a bound one, whatever it is called."""
        place = self._bound.get(slot)
        return self.number(("slot", slot) if place is None else ("bound", place, slot.type))

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
        self._known = Memo[Expression, int]()
        self._relations = Memo[Relation, Relation]()

    def of(self, part: Any) -> int:
        """Return the number of any part: of an expression, a statement, a tuple, a value."""
        if isinstance(part, Expression):
            return self._of_expression(part)
        if isinstance(part, Slot):
            return self._canon.slot(part)
        if isinstance(part, tuple):
            return self._canon.number(("several", *map(self.of, part)))
        if isinstance(part, ForEach):
            return self._canon.number(self._loop(part))
        if is_dataclass(part):
            return self._canon.number(self._plain(part))
        return self._canon.number(("value", type(part).__name__, part))

    def _loop(self, loop: ForEach) -> Hashable:
        """Return the structure of a loop; one over sites may depend on their order."""
        if not isinstance(loop.domain, RangeOf):
            raise _NotTold
        return ("loop", self.of(loop.slot), self.of(loop.domain), self.of(loop.body))

    def _plain(self, part: Any) -> Hashable:
        if not isinstance(part, _PLAIN):
            raise _NotTold
        names = [field.name for field in fields(part) if field.compare and field.init]
        told = (self.of(getattr(part, name)) for name in names if name not in ("span", "reads"))
        return (type(part).__name__, *told)

    def _of_expression(self, node: Expression) -> int:
        known = self._known.get(node)
        if known is None:
            self._canon.height(node)
            known = self._known.keep(node, self._canon.number(self._structure(node)))
        return known

    def _structure(self, node: Expression) -> Hashable:
        match node:
            case Const(value, of):
                moved = self._moved(int(value)) if of == SITES else value
                return ("constant", of, moved)
            case Op("some", (inner,)):
                return self._connection(inner) or ("some", self.of(inner))
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
        assert isinstance(payload, tuple)
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
        self._canon.height(closure)
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
        other = {self.of(part) for part in parts if part is not closure}
        is_within = reached in ({frontier}, within | {frontier}) and within <= one
        if not is_within or not relation.is_symmetric:
            return None
        ends = sorted(tuple(sorted(end - within)) for end in (one, other))
        return ("connected", relation, tuple(sorted(within)), *ends)

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
