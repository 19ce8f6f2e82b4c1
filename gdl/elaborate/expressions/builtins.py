"""The built-in words: what every game can speak of without defining it.

Words without arguments are in `WORDS`, functions in `FUNCTIONS`; to add one, write a function
and a line in its table, and explain it in docs/language.md. What can be said in the language
itself belongs in the prelude instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gdl.board.relation import Relation
from gdl.codes import Code
from gdl.core import build
from gdl.core.memo import Met
from gdl.core.merging import equal_up_to_names
from gdl.core.nodes import Can, Const, Expression, Get, GetAt, If, Memory, Slot, Times
from gdl.core.types import NUMBER, SITES, Type
from gdl.diagnostic import Facts, Span
from gdl.elaborate.names import teams
from gdl.elaborate.names.scope import Declarations, Scope, problem
from gdl.elaborate.names.values import GroupsValue, Known, ListValue, RelationValue, Value, describe
from gdl.elaborate.pieces import piles
from gdl.elaborate.relations import coerce, directions, domains, relations
from gdl.elaborate.relations.coerce import Elaborate
from gdl.elaborate.relations.variables import whole_variable
from gdl.syntax import tree as t

# ---------------------------------------------------------------------------------- the word `seen`

_POSITION = "position"
_MOST_COMPARED = 2000


def seen(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    """Return how often the values of the arguments were the same after earlier turns."""
    if not node.arguments:
        raise problem(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            "`seen` needs to know what must have been the same.",
            node.span,
            "Write `seen(board)`, or `seen(board, mover)`.",
        )
    d = scope.declarations
    key: list[Expression] = []
    for argument in node.arguments:
        if isinstance(argument, t.Name) and argument.name == "board":
            key += _board(d)
        elif isinstance(argument, t.Name) and _is_the_position(argument, scope):
            key += _position(argument.span, scope)
        elif isinstance(argument, t.Name) and argument.name == "mover":
            key.append(Get(d.system.mover))
        elif (slots := whole_variable(argument, scope, elaborate)) is not None:
            key += _all_of(slots, argument.span, scope)
        else:
            value = elaborate(argument, scope)
            if not isinstance(value, Expression):
                raise problem(
                    Code.WRONG_TYPE,
                    f"This should be a value of the position, but it is {describe(value)}.",
                    argument.span,
                    "Write for instance `seen(board)`, or `seen(board, mover)`.",
                    facts=Facts(found=describe(value)),
                )
            if isinstance(value, Const) and value.type in (d.side_type, d.kind_type):
                value = coerce.to_sites(value, argument.span, scope)
            _check_remembered(value, argument.span)
            key.append(value)
    memories = scope.elaboration.asked_for.memories
    for memory in memories:
        state = {slot for part in (*memory.key, *key) for slot in part.free}
        if equal_up_to_names(memory.key, tuple(key), state):
            return Times(memory.slot, memory.key)
    slot = Slot(f"history {len(memories) + 1}", NUMBER, is_state=True)
    memories.append(Memory(slot, tuple(key), node.span))
    return Times(slot, tuple(key))


def _board(d: Declarations) -> list[Expression]:
    """Return what the arrangement of pieces is made of."""
    marks = [Get(slot) for mark in d.marks() for slot in mark.slots.values()]
    piles = [] if d.piles is None else [Get(d.piles.under)]
    return [*map(Get, d.layers.values()), *marks, *piles]


def _is_the_position(name: t.Name, scope: Scope) -> bool:
    """Return whether a name is the word for all of the position, and no word of the file."""
    own = (*scope.locals, *scope.declarations.declared())
    return name.name == _POSITION and name.name not in own


def _position(span: Span, scope: Scope) -> list[Expression]:
    """Return all that a position is made of: pieces, variables, the mover and the phase."""
    d = scope.declarations
    variables = [variable for variable in d.state.values() if not variable.is_mark]
    scope.elaboration.used.update(variable.name for variable in variables)
    slots = [tuple(variable.slots.values()) for variable in variables]
    values = [value for of_one in slots for value in _all_of(of_one, span, scope)]
    phase = [] if d.system.phase is None else [Get(d.system.phase)]
    return [*_board(d), Get(d.system.mover), *phase, *values]


def _check_remembered(value: Expression, span: Span) -> None:
    """Raise a Problem if a value can't be asked of every position alike."""
    words = sorted(slot.name for slot in value.free if not slot.is_state)
    if words:
        raise problem(
            Code.WRONG_TYPE,
            f"This depends on `{words[0]}`, a word of this place that no earlier position knows.",
            span,
            "Write what can be asked of any position, for instance `seen(board, mover)`.",
        )
    pending, met = [value], Met[Expression]()
    while pending:
        part = pending.pop()
        if isinstance(part, Can | Times):
            raise problem(
                Code.WRONG_TYPE,
                "What was seen is compared as it stood, without a look at its past or future.",
                span,
                "Write no `seen` and no `can` in a `seen`.",
            )
        pending += filter(met.add, part.parts())


def _all_of(slots: Sequence[Slot], span: Span, scope: Scope) -> list[Expression]:
    """Return all values of a variable's slots: on each site, if they are kept per site."""
    if not slots[0].per_site:
        return [Get(slot) for slot in slots]
    size = scope.declarations.board.size
    if size * len(slots) > _MOST_COMPARED:
        raise problem(
            Code.TOO_LARGE,
            f"These are more than {_MOST_COMPARED:,} numbers to be remembered of each turn.",
            span,
            "Ask for a value that is made of them, such as a sum.",
        )
    return [GetAt(slot, build.sites(1 << site)) for slot in slots for site in range(size)]


# ------------------------------------------------------- words without arguments


def _side(which: str) -> Callable[[t.Name, Scope], Value]:
    def word(node: t.Name, scope: Scope) -> Value:
        side = scope.mover if which == "mover" else scope.own
        if side is None:
            raise problem(
                Code.NO_SIDE_HERE,
                f"`{node.name}` has no meaning here, where no side is on turn.",
                node.span,
                f"Name a side: {', '.join(scope.declarations.sides)}.",
            )
        return Const(side, scope.declarations.side_type)

    return word


def _enemy(node: t.Name, scope: Scope) -> Value:
    own = _side("own")(node, scope)
    assert isinstance(own, Const)
    with_it = teams.team_of((int(own.value),), scope.declarations)
    others = [i for i in range(len(scope.declarations.sides)) if i not in with_it]
    if len(others) == 1:
        return Const(others[0], scope.declarations.side_type)
    slots = [slot for side in others for slot in scope.declarations.layers_of(side)]
    return build.union(*map(Get, slots))


def _team(node: t.Name, scope: Scope) -> Value:
    own = _side("own")(node, scope)
    assert isinstance(own, Const)
    return teams.sides_of_team(int(own.value), scope.declarations)


def _empty(node: t.Name, scope: Scope) -> Value:
    everything = build.sites(scope.declarations.board.all_sites)
    return build.difference(everything, scope.pieces())


def _neutral(node: t.Name, scope: Scope) -> Value:
    layers = scope.declarations.layers.items()
    return build.union(*(Get(slot) for (_, side), slot in layers if side is None))


def _turns(node: t.Name, scope: Scope) -> Value:
    asked_for = scope.elaboration.asked_for
    if asked_for.turns is None:
        asked_for.turns = Slot("turns", NUMBER, is_state=True)
    return Get(asked_for.turns)


def _passed(node: t.Name, scope: Scope) -> Value:
    asked_for = scope.elaboration.asked_for
    if asked_for.passes is None:
        asked_for.passes = Slot("passes", NUMBER, is_state=True)
    return Get(asked_for.passes)


def _choices(type_of: Callable[[Scope], Type]) -> Callable[[t.Name, Scope], Value]:
    def word(node: t.Name, scope: Scope) -> Value:
        wanted = type_of(scope)
        return ListValue(tuple(Const(i, wanted) for i in range(len(wanted.values))))

    return word


def _traits(node: t.Name, scope: Scope) -> Value:
    d = scope.declarations
    words = [word for of in d.traits.values() for word in of.values]
    return ListValue(tuple(build.union(*map(Get, d.layers_of_group(word))) for word in words))


WORDS: dict[str, Callable[[t.Name, Scope], Value]] = {
    "all": lambda node, scope: build.sites(scope.declarations.board.all_sites),
    "none": lambda node, scope: build.NOWHERE,
    "own": _side("own"),
    "enemy": _enemy,
    "mover": _side("mover"),
    "empty": _empty,
    "occupied": lambda node, scope: scope.pieces(),
    "neutral": _neutral,
    "players": _choices(lambda scope: scope.declarations.side_type),
    "kinds": _choices(lambda scope: scope.declarations.kind_type),
    "traits": _traits,
    "turns": _turns,
    "passed": _passed,
    "identity": lambda node, scope: RelationValue(
        Known(Relation.identity(scope.declarations.board.size))
    ),
}


# -------------------------------------------------------------------- functions


def _arguments(node: t.Call, scope: Scope, elaborate: Elaborate, *wanted: str) -> list[Value]:
    """Elaborate the arguments, each as `wanted` says: `sites`, `relation` or any `value`."""
    if len(node.arguments) != len(wanted):
        name = node.function.name if isinstance(node.function, t.Name) else "this"
        raise problem(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            f"`{name}` takes {len(wanted)} argument{'s' * (len(wanted) != 1)}, "
            f"not {len(node.arguments)}.",
            node.span,
            f"Write `{name}({', '.join(wanted).replace('value', 'relation')})`.",
        )
    values: list[Value] = []
    for argument, what in zip(node.arguments, wanted, strict=True):
        value = elaborate(argument, scope)
        if what == "sites":
            values.append(coerce.to_sites(value, argument.span, scope))
        elif what == "value":
            values.append(value)
        else:
            values.append(coerce.to_relation(value, argument.span, scope))
    return values


def _reach(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    seed, relation = _arguments(node, scope, elaborate, "sites", "relation")
    assert isinstance(seed, Expression) and isinstance(relation, RelationValue)
    return relations.reach(seed, relation.tree)


def _groups(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    among, relation = _arguments(node, scope, elaborate, "sites", "relation")
    assert isinstance(among, Expression) and isinstance(relation, RelationValue)
    return GroupsValue(among, relation.tree)


def _inverse(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    (relation,) = _arguments(node, scope, elaborate, "value")
    board = scope.declarations.board
    if isinstance(relation, Expression) and directions.is_direction(relation):
        return directions.opposite(relation, board)
    relation = coerce.to_relation(relation, node.arguments[0].span, scope)
    back = directions.opposite_name(relation.name, board) if relation.name else None
    if back is not None:
        return directions.board_relation(back, board)
    return domains.inverse(relation, board)


def _direction(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    """Return the direction in which one site lies from another, on a line of any length."""
    begin, end = _arguments(node, scope, elaborate, "sites", "sites")
    assert isinstance(begin, Expression) and isinstance(end, Expression)
    board = scope.declarations.board
    of = directions.direction_type(board)
    first, start = coerce.named(build.op("first", (begin,), SITES), "begin")
    second, goal = coerce.named(build.op("first", (end,), SITES), "end")
    result: Expression = Const(-1, of)
    for index, name in reversed(list(enumerate(of.values))):
        step = Known(board.relations[name])
        line = relations.reach(relations.image(step, start), step)
        here = build.some(build.intersection(line, goal))
        result = build.conditional(here, Const(index, of), result)
    for slot, value in ((second, end), (first, begin)):
        if slot is not None:
            result = build.let(slot, build.op("first", (value,), SITES), result)
    return result


def _chain(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    first, second = _arguments(node, scope, elaborate, "relation", "relation")
    assert isinstance(first, RelationValue) and isinstance(second, RelationValue)
    return RelationValue(relations.chain(first.tree, second.tree))


def _first(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    (among,) = _arguments(node, scope, elaborate, "sites")
    result: Value = build.op("first", (among,), SITES)  # type: ignore[arg-type]
    return result


def _owner(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    d = scope.declarations
    if len(node.arguments) == 2:
        return piles.at_depth(node, d.side_type, scope, elaborate)
    return _which(node, d.side_type, d.layers_of, scope, elaborate)


def _kind(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    d = scope.declarations
    if len(node.arguments) == 2:
        return piles.at_depth(node, d.kind_type, scope, elaborate)
    return _which(node, d.kind_type, d.layers_of_kind, scope, elaborate)


def _which(
    node: t.Call,
    of: Type,
    layers: Callable[[int], list[Slot]],
    scope: Scope,
    elaborate: Elaborate,
) -> Value:
    (site,) = _arguments(node, scope, elaborate, "sites")
    assert isinstance(site, Expression)
    slot, use = coerce.named(build.op("first", (site,), SITES), "site")

    def is_there(numbers: Sequence[int]) -> Expression:
        gets = (Get(layer) for number in numbers for layer in layers(number))
        return build.some(build.intersection(use, build.union(*gets)))

    found: list[tuple[int, Expression]] = [
        (number, Const(number, of)) for number in range(len(of.values))
    ]
    result = build.by_cases(found, Const(-1, of), is_there, build.conditional)
    if slot is None or not isinstance(result, If):
        return result
    return build.let(slot, build.op("first", (site,), SITES), result)


def trait(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    """Return the word of a trait that a kind has, or the kind of piece that stands on a site."""
    assert isinstance(node.function, t.Name)
    d = scope.declarations
    of = d.traits[node.function.name]
    (kind,) = _arguments(node, scope, elaborate, "value")
    if not (isinstance(kind, Expression) and kind.type == d.kind_type):
        kind = _kind(node, scope, elaborate)
    assert isinstance(kind, Expression), "it is a kind"
    words = [next((w for w in k.groups if w in of.values), None) for k in d.kinds]
    places = tuple(-1 if word is None else of.values.index(word) for word in words)
    return build.entry(kind, (*places, -1), of)


def board_number(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    """Return a number that the board has for each site, such as its row."""
    assert isinstance(node.function, t.Name)
    name, d = node.function.name, scope.declarations
    value = elaborate(node.arguments[0], scope) if len(node.arguments) == 1 else None
    if isinstance(value, Expression) and value.type.is_numeric and f"{name}s" in d.definitions:
        raise problem(
            Code.WRONG_TYPE,
            f"`{name}` gives the number of a site, and this is a number.",
            node.arguments[0].span,
            f"The sites with a number are `{name}s({node.arguments[0].span.text})`.",
        )
    (site,) = _arguments(node, scope, elaborate, "sites")
    assert isinstance(site, Expression)
    table = d.board.numbers[name]
    result: Value = build.op("lookup", (site,), NUMBER, tuple(table))
    return result


def _following(node: t.Call, scope: Scope, elaborate: Elaborate) -> Value:
    """The side that plays a number of places after another one, in the order of play."""
    if len(node.arguments) not in (1, 2):
        raise problem(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            f"`following` takes a side, and perhaps a number, not {len(node.arguments)} arguments.",
            node.span,
            "Write for instance `following(mover)` or `following(White, 2)`.",
        )
    type_ = scope.declarations.side_type
    count = len(type_.values)
    side = coerce.to_type(elaborate(node.arguments[0], scope), type_, node.arguments[0].span, scope)
    places: Expression = build.number(1)
    if len(node.arguments) == 2:
        span = node.arguments[1].span
        places = coerce.to_whole(coerce.to_number(elaborate(node.arguments[1], scope), span), span)
    if isinstance(side, Const) and side.value >= 0 and isinstance(places, Const):
        return Const((int(side.value) + int(places.value)) % count, type_)
    slot, far = Slot("side", type_), Slot("places", NUMBER)
    found: Expression = Get(slot)
    for place in range(1, count):
        here = build.equal(Get(far), build.number(place))
        found = build.conditional(here, _moved_on(Get(slot), place, type_), found)
    rest = build.numeric("modulo", places, build.number(count))
    return build.let(slot, side, build.let(far, rest, found))


def _moved_on(side: Expression, places: int, type_: Type) -> Expression:
    """Return the side that many places on; no side where there is none."""
    count = len(type_.values)
    found = side
    for number in range(count):
        here = build.equal(side, Const(number, type_))
        found = build.conditional(here, Const((number + places) % count, type_), found)
    return found


FUNCTIONS: dict[str, Callable[[t.Call, Scope, Elaborate], Value]] = {
    "reach": _reach,
    "groups": _groups,
    "inverse": _inverse,
    "chain": _chain,
    "first": _first,
    "following": _following,
    "direction": _direction,
    "owner": _owner,
    "kind": _kind,
    "seen": seen,
}


def word(name: str, scope: Scope) -> Callable[[t.Name, Scope], Value] | None:
    """Return the function of a built-in word without arguments; None if there is none."""
    if scope.declarations.teams and name == teams.WORD:
        return _team
    return WORDS.get(name)


def function(name: str, scope: Scope) -> Callable[[t.Call, Scope, Elaborate], Value] | None:
    """Return the function of a built-in word that takes arguments; None if there is none."""
    if scope.declarations.piles is not None and name in piles.FUNCTIONS:
        return piles.FUNCTIONS[name]
    return FUNCTIONS.get(name)
