"""Directions as values: one that is known in play only can be kept, compared, and led along.

In: a direction of the board by its name, or an expression of a direction's type. Out: the other of
the two, or the relation that it leads along. What then holds: the type of a direction lists the
directions that it may be, clockwise, and those of one board can be compared.
"""

from __future__ import annotations

from gdl.board.board import Board
from gdl.core import build
from gdl.core.nodes import Const, Expression
from gdl.core.types import Type
from gdl.elaborate.names.values import Directed, Known, RelationValue, Value
from gdl.resources.scoped_cache import shared


def directions_of(board: Board) -> tuple[str, ...]:
    """Return the names of all directions of a board."""
    found = [name for family in ("compass", *board.families) for name in _members(family, board)]
    return tuple(dict.fromkeys(found))


def _members(family: str, board: Board) -> tuple[str, ...]:
    return board.families.get(family, ())


def direction_type(board: Board) -> Type:
    """Return the type of any direction of a board."""
    return Type("direction", directions_of(board))


def is_direction(value: Value) -> bool:
    """Return whether a value is a direction, known before play or not."""
    if isinstance(value, RelationValue):
        return bool(value.name)
    return isinstance(value, Expression) and value.type.name == "direction"


def names_of(value: Value) -> frozenset[str]:
    """Return the names of the directions that a value may be."""
    if isinstance(value, RelationValue):
        return frozenset((value.name,))
    return frozenset(value.type.values) if isinstance(value, Expression) else frozenset()


@shared
def board_relation(name: str, board: Board) -> RelationValue:
    """Return a relation of the board; a family of directions has its members."""
    family = board.families.get(name, ())
    members = tuple([board_relation(member, board) for member in family])
    is_one = not members and any(name in found for found in board.families.values())
    return RelationValue(Known(board.relations[name]), members, name if is_one else "")


def as_relation(value: Expression, board: Board) -> RelationValue:
    """Return the relation of a direction that is known in play only."""
    if isinstance(value, Const) and int(value.value) >= 0:
        return board_relation(value.type.values[int(value.value)], board)
    choices = tuple(board.relations[name] for name in value.type.values)
    return RelationValue(Directed(value, choices))


def led_along(value: Value, board: Board) -> Value:
    """Return the relation of a direction that is known in play only; another value as it is."""
    if isinstance(value, Expression) and is_direction(value):
        return as_relation(value, board)
    return value


def as_value(value: Value, wanted: Type) -> Expression | None:
    """Return a direction as a value of a direction's type, or None if it is none of that type."""
    if isinstance(value, RelationValue):
        if value.name not in wanted.values:
            return None
        return Const(wanted.values.index(value.name), wanted)
    if not isinstance(value, Expression) or value.type.name != "direction":
        return None
    if value.type == wanted:
        return value
    places = {name: place for place, name in enumerate(wanted.values)}
    return build.entry(value, (*(places.get(name, -1) for name in value.type.values), -1), wanted)


def opposite(value: Expression, board: Board) -> Expression:
    """Return the direction that leads the other way, of a direction known in play only.

    Its type is that of all directions of the board.
    """
    wanted = direction_type(board)
    turned = [opposite_name(name, board) for name in value.type.values]
    places = tuple(-1 if name is None else wanted.values.index(name) for name in turned)
    return build.entry(value, (*places, -1), wanted)


def opposite_name(name: str, board: Board) -> str | None:
    """Return the name of the direction that leads the other way, if there is one."""
    back = board.relations[name].inverse()
    names = directions_of(board)
    across = names[(names.index(name) + len(names) // 2) % len(names)]
    by_place = [across, *names]
    return next((other for other in by_place if board.relations[other] == back), None)
