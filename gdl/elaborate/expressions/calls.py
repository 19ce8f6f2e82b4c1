"""Names and calls: what a word stands for, and definitions put in place of their names.

In: a name, perhaps with arguments, and its scope. Out: a value. What then holds: no recursion,
and no text that grows beyond measure by being put in place again and again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace

from gdl.board.make import may_be_of_a_lattice
from gdl.codes import Code
from gdl.core import build
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Closure,
    Const,
    Domain,
    Expression,
    Fold,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    RangeOf,
    Select,
    SitesOf,
    Slot,
)
from gdl.core.types import NUMBER
from gdl.diagnostic import Diagnostic, Facts, Hint, Span, Suggestion, suggest
from gdl.elaborate.expressions import builtins, names
from gdl.elaborate.hints.foreign_words import known_elsewhere
from gdl.elaborate.names.elaboration import Made
from gdl.elaborate.names.limits import has_room, note_written_out, spend_call
from gdl.elaborate.names.scope import (
    TYPE_WORDS,
    Declarations,
    Definition,
    Problem,
    Scope,
    Silent,
    problem,
)
from gdl.elaborate.names.values import ListValue, RelationValue, Unkept, Value, is_known
from gdl.elaborate.pieces import piles
from gdl.elaborate.pieces.hand_words import HAND, read_hand
from gdl.elaborate.relations import cases, coerce, directions, relations
from gdl.elaborate.relations.coerce import Elaborate
from gdl.elaborate.relations.standing import knowing
from gdl.elaborate.relations.variables import read_variable
from gdl.syntax import tree as t

_DEEPEST = 40
_MOST_KINDS = 6
_SITE = re.compile(r"([a-z]+)([0-9]+)")


def find_name(node: t.Name, scope: Scope, elaborate: Elaborate) -> Value:
    """Return what a word without arguments stands for. Raises Problem."""
    name = node.name
    local = scope.local(name)
    if isinstance(local, Unkept):
        raise problem(
            Code.NOT_KEPT,
            f"`{name}` is a formula about the position as it was before, which can't be kept.",
            node.span,
            "Write the formula itself, or a definition of it, where it is asked.",
        )
    if local is not None:
        return local
    d = scope.declarations
    declared = None if names.is_in_prelude(node) else _declared(name, scope)
    if declared is not None:
        return declared
    found = call_definition(node, (), node.span, scope, elaborate)
    if found is not None:
        return found
    if d.board_is_asked_for and names.is_of_board(name, d.board):
        raise problem(
            Code.UNKNOWN_NAME,
            f"`{name}` has no meaning in the sizes of the board, which make it.",
            node.span,
            "Sizes are numbers known before play: written out, options, or made of them.",
        )
    word = builtins.word(name, scope)
    if word is not None:
        return word(node, scope)
    board = d.board
    if name in board.relations:
        return directions.board_relation(name, board)
    if name in board.regions:
        return build.sites(board.regions[name])
    index = board.index(name)
    if index is not None:
        return build.sites(1 << index)
    listed = cases.listed_name(name, d)
    if listed is not None:
        scope.elaboration.used.add(name)
        return listed
    if builtins.function(name, scope) is not None or name in (*board.numbers, *d.traits):
        raise problem(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            f"`{name}` needs arguments.",
            node.span,
            f"Write `{name}(…)`.",
        )
    if name in d.broken or (not d.board_is_known and _may_be_of_board(name, d)):
        raise Silent
    if name in d.read_later:
        raise problem(
            Code.UNKNOWN_NAME,
            f"`{name}` is a variable, and has no value yet where `board` and `state` are read.",
            node.span,
            "What stands there is known before play: numbers, options, and words made of them.",
        )
    if isinstance(node, t.BorrowedName):
        raise Problem(node.otherwise())
    known = (
        _advice_of_place(name)
        or _advice_of_site(name, scope)
        or known_elsewhere(name)
        or suggest(name, names.alike(name, scope))
    )
    sections = ("players", "pieces")[: 1 if known else 2] if name[:1].isupper() else ()
    raise problem(
        Code.UNKNOWN_NAME,
        f"Nothing here is called `{name}`.",
        node.span,
        known or _advice(name, scope),
        facts=Facts(name, expected="" if known else "a word", sections=sections),
    )


def _declared(name: str, scope: Scope) -> Value | None:
    """Return the option, side, kind or group of kinds of a name, or None if it is none of these."""
    d = scope.declarations
    if name in d.options:
        scope.elaboration.used.add(name)
        return d.options[name]
    if name in d.sides:
        return Const(d.sides.index(name), d.side_type)
    if name in d.kind_type.values:
        scope.elaboration.used.add(name)
        return Const(d.kind_type.values.index(name), d.kind_type)
    if name in d.groups_of_kinds:
        return build.union(*map(Get, d.layers_of_group(name)))
    return None


def _may_be_of_board(name: str, d: Declarations) -> bool:
    """Return whether a board that is not known may give such a name to something."""
    return d.sites_have_any_name or may_be_of_a_lattice(name)


def _advice_of_place(name: str) -> str:
    if name == HAND:
        return "`hand` is there in a game with hands: `hands: Pawn` says which pieces may be there."
    if name == "any":
        return "`any` stands only before `wins` or `loses`; in the condition write `own`."
    if name not in piles.FUNCTIONS:
        return ""
    return f"`{name}(…)` is there in a game with piles: `stacks: 12` says how high they may be."


def _advice_of_site(name: str, scope: Scope) -> Hint:
    """Say which sites are in the row or column of what looks like one, if no other word does."""
    looks, board = _SITE.fullmatch(name), scope.declarations.board
    if board.index(name.lower()) is not None:
        return Suggestion(name.lower())
    if looks is None:
        return ""
    others = [word for word in names.all_words(scope) if board.index(word) is None]
    named = [found for site in board.sites if (found := _SITE.fullmatch(site.name)) is not None]
    row = [found[0] for found in named if found[2] == looks[2]]
    is_foreign = bool(known_elsewhere(name))
    column = [found[0] for found in named if found[1] == looks[1] and not is_foreign]
    if not (row or column) or suggest(name, filter(_SITE.fullmatch, others)):
        return ""
    line, sites = (f"Row {looks[2]}", row) if row else (f"Column {looks[1]}", column)
    return f"{line} of the board goes from {sites[0]} to {sites[-1]}."


def _advice(name: str, scope: Scope) -> str:
    board = scope.declarations.board
    if name[:1].isalpha() and name[1:].isdigit():
        some = ", ".join(site.name for site in board.sites[:3])
        return f"The board's sites are {some} and so on; `gdl show` draws it with their names."
    if name[:1].isupper():
        example = _pieces(name, scope.declarations)
        return f"A kind of piece is declared under `pieces`{example}; a side under `players`."
    return "A word of your own is explained under `define`."


def _pieces(more: str, d: Declarations) -> str:
    """Write the section `pieces` with one more kind, if that is short and plain."""
    is_usual = [kind.name for kind in d.kinds] == ["Stone"]
    if is_usual or len(d.kinds) > _MOST_KINDS:
        return ""
    if any(kind.groups or len(kind.sides) not in (0, len(d.sides)) for kind in d.kinds):
        return ""
    kinds = [f"neutral {k.name}" if k.is_neutral else k.name for k in d.kinds]
    return f", as in `pieces: {', '.join([*kinds, more])}`"


def call_definition(
    name: t.Name, arguments: Sequence[t.Expression], span: Span, scope: Scope, elaborate: Elaborate
) -> Value | None:
    """Return the value of a definition or an indexed variable, or None if it is neither.

    None also where the arguments are meant for the value of a definition or variable without any.
    """
    d = scope.declarations
    variable = d.state.get(name.name)
    if variable is not None and not names.is_in_prelude(name):
        scope.elaboration.used.add(name.name)
        if arguments and not variable.indices and variable.type.name == "direction":
            return None
        if d.hands is not None and variable is d.hands.variable:
            return read_hand(d.hands, arguments, span, scope, elaborate)
        return read_variable(variable, arguments, span, scope, elaborate)
    candidates = d.definitions.get(name.name)
    if name.name in d.hidden and names.is_in_prelude(name):
        candidates = d.hidden[name.name]
    if candidates is None or (names.is_in_prelude(name) and not candidates[0].from_prelude):
        return None
    scope.elaboration.used.add(name.name)
    counts = {len(candidate.head.parameters) for candidate in candidates}
    if arguments and 0 in counts and len(arguments) not in counts:
        return None
    values = [elaborate(argument, scope) for argument in arguments]
    if len(values) not in counts:
        raise _wrong_number(name, candidates, values, scope)
    fitting = [c for c in candidates if len(c.head.parameters) == len(values)]
    return _defined(name, fitting, arguments, values, scope, elaborate)


def _defined(
    name: t.Name,
    candidates: list[Definition],
    arguments: Sequence[t.Expression],
    values: list[Value],
    scope: Scope,
    elaborate: Elaborate,
) -> Value:
    """Return the value of that one of several definitions that fits the arguments best."""
    place = cases.place_of_cases(candidates, values, scope)
    if place is not None:

        def defined(value: Value, among: list[Definition]) -> Value:
            changed = [*values[:place], value, *values[place + 1 :]]
            return _defined(name, among, arguments, changed, scope, elaborate)

        return cases.by_cases(name, candidates, values, place, scope, defined)
    chosen = cases.matching(name, candidates, values, scope)
    if not all(map(is_known, values)):
        return _put_in_place(chosen, name, arguments, values, scope, elaborate)
    key = (chosen.head.span, tuple(values), scope.mover, scope.own)
    elaboration = scope.elaboration
    if key in elaboration.worked_out:
        return elaboration.worked_out[key]
    known = elaboration.put_in_place.get(key)
    if known is not None and len(scope.calls) <= known.depth:
        return _put_in_place_again(known, scope, name.span)
    before = elaboration.spent.so_far()
    result = _put_in_place(chosen, name, arguments, values, scope, elaborate)
    if is_known(result):
        elaboration.worked_out[key] = result
    elif isinstance(result, Expression) and scope.mover is not None:
        more = elaboration.spent.since(before)
        elaboration.put_in_place[key] = Made(result, (), len(scope.calls), more)
    return result


def _put_in_place_again(found: Made, scope: Scope, span: Span) -> Expression:
    """Return what a call without unknown arguments stands for, as it has stood elsewhere.

    It counts as it did there: later passes find it here as well.
    """
    spent = scope.elaboration.spent
    spent.add(found.spent)
    spent.calls -= 1
    spend_call(scope, span)
    return found.value


def opened_call(
    name: t.Name, arguments: Sequence[t.Expression], values: list[Value], scope: Scope
) -> tuple[Definition, Scope] | None:
    """Return the definition that a call means, and the scope of its body with these arguments.

    None where the name is no definition, or the arguments are meant for its value. Raises Problem.
    """
    d = scope.declarations
    candidates = d.definitions.get(name.name)
    if names.is_in_prelude(name):
        candidates = d.hidden.get(name.name, candidates)
    if candidates is None or scope.local(name.name) is not None:
        return None
    counts = {len(candidate.head.parameters) for candidate in candidates}
    if len(arguments) not in counts:
        return None
    fitting = [c for c in candidates if len(c.head.parameters) == len(values)]
    chosen = cases.matching(name, fitting, values, scope)
    bound = {
        parameter.name: _as_declared(parameter, value, argument, name, scope)
        for parameter, argument, value in zip(
            chosen.head.parameters, arguments, values, strict=True
        )
    }
    return chosen, scope.only(bound, (chosen.head.span, name.span))


def _wrong_number(
    name: t.Name, candidates: Sequence[Definition], values: list[Value], scope: Scope
) -> Problem:
    counts = sorted({len(c.head.parameters) for c in candidates})
    wanted = " or ".join(map(str, counts))
    shape = ", ".join(p.name for p in candidates[0].head.parameters)
    hint = f"It is `{name.name}({shape})`." if shape else f"Write `{name.name}` alone."
    if cases.has_sides(candidates[0], scope):
        hint = f"It has a value for each side: `{name.name}(mover)` is that of the side on turn."
        if len(values) > counts[-1]:
            hint += f" Where that is a relation, it is applied: `{name.name}(mover)(s)`."
    return problem(
        Code.WRONG_NUMBER_OF_ARGUMENTS,
        f"`{name.name}` takes {wanted} argument{'s' * (counts != [1])}, not {len(values)}.",
        name.span,
        hint,
    )


def _put_in_place(
    definition: Definition,
    name: t.Name,
    arguments: Sequence[t.Expression],
    values: list[Value],
    scope: Scope,
    elaborate: Elaborate,
) -> Value:
    if any(called is definition.head.span for called, _ in scope.calls):
        raise problem(
            Code.RECURSIVE_DEFINITION,
            f"`{name.name}` is defined by itself.",
            name.span,
            "What goes on and on is said by `reach`, or by `repeat` in a program.",
        )
    spend_call(scope, name.span)
    if len(scope.calls) >= _DEEPEST:
        raise problem(
            Code.NESTED_TOO_DEEP,
            f"Definitions use each other more than {_DEEPEST} deep.",
            name.span,
            "Put some of the definitions together.",
        )
    bound: dict[str, Value] = {}
    lets: list[tuple[Slot, Expression]] = []
    for parameter, argument, value in zip(
        definition.head.parameters, arguments, values, strict=True
    ):
        leads = parameter.type == "relation" and directions.is_direction(value)
        if not leads:
            value = _as_declared(parameter, value, argument, name, scope)
        if isinstance(value, Expression):
            slot, use = coerce.named(value, parameter.name, parameter.span)
            if slot is not None:
                lets.append((slot, value))
                scope = knowing(slot, value, scope)
            value = use
        if leads:
            value = _as_declared(parameter, value, argument, name, scope)
        bound[parameter.name] = value
    inner = scope.only(bound, (definition.head.span, name.span))
    before = scope.elaboration.spent.work
    try:
        result = copied_or_made(
            definition, bound, inner, lambda: _body(definition, inner, elaborate)
        )
    except Problem as error:
        if not definition.from_prelude:
            raise _in_definition(error.diagnostic, definition, name) from None
        raise _in_prelude(error.diagnostic, name) from None
    finally:
        note_written_out(scope, definition.head.span, before)
    if isinstance(result, Expression):
        for slot, value in reversed(lets):
            result = build.let(slot, value, result)
        return result
    if lets:
        plain = {p.name: v for p, v in zip(definition.head.parameters, values, strict=True)}
        result = _body(definition, scope.only(plain, (definition.head.span, name.span)), elaborate)
    return result


_OF_ARGUMENTS = (Code.WRONG_TYPE, Code.NOT_APPLICABLE)
"""What may be wrong in a definition because of what it is given."""


def _in_definition(found: Diagnostic, definition: Definition, name: t.Name) -> Problem:
    """Return a problem in a definition, with the place that gives it what does not fit there."""
    is_of_arguments = bool(definition.head.parameters) and found.code in _OF_ARGUMENTS
    if not is_of_arguments or found.related or not definition.body.span.holds(found.span):
        return Problem(found)
    return Problem(replace(found, related=(("It is given its arguments here.", name.span),)))


def _in_prelude(found: Diagnostic, name: t.Name) -> Problem:
    """Return the problem at the name that the author wrote, not in the prelude's definition."""
    inside = (("This part of the prelude's definition says so.", found.span),)
    see = found.related or tuple((text, span) for text, span in inside if span is not None)
    return problem(found.code, found.message, name.span, found.hint, see=see)


def _as_declared(
    parameter: t.Parameter, value: Value, argument: t.Expression, name: t.Name, scope: Scope
) -> Value:
    if parameter.type is None:
        return value
    try:
        return _convert(parameter, value, argument.span, scope)
    except Problem as error:
        d = error.diagnostic
        message = f"`{name.name}`, argument `{parameter.name}`: {d.message}"
        facts = replace(d.facts, subject=parameter.name, of=name.name)
        found = replace(d, message=message, span=argument.span, related=(), facts=facts)
        raise Problem(found) from None


def _convert(parameter: t.Parameter, value: Value, span: Span, scope: Scope) -> Value:
    d = scope.declarations
    word = parameter.type
    if word == "relation":
        if isinstance(value, ListValue):
            parts = tuple(coerce.to_relation(item, span, scope) for item in value.items)
            return RelationValue(relations.join([part.tree for part in parts]), parts)
        return coerce.to_relation(value, span, scope)
    if word == "side":
        return coerce.to_type(value, d.side_type, span, scope)
    if word == "kind":
        return coerce.to_type(value, d.kind_type, span, scope)
    if word == "direction":
        return coerce.to_direction(value, span, scope)
    if word == "list":
        return value
    wanted = TYPE_WORDS[word or ""]
    return (
        coerce.to_number(value, span)
        if wanted == NUMBER
        else coerce.to_type(value, wanted, span, scope)
    )


def _body(definition: Definition, scope: Scope, elaborate: Elaborate) -> Value:
    result = elaborate(definition.body, scope)
    if definition.result == "sites":
        return coerce.to_sites(result, definition.body.span, scope)
    if definition.result == "relation":
        return coerce.to_relation(result, definition.body.span, scope)
    return result


# --------------------- what a definition becomes for arguments that differ by their variables alone


class _NotCopied(Exception):
    """A part of the expression has more to it than its own variables."""


def copied_or_made(
    definition: Definition,
    parameters: Mapping[str, Value],
    scope: Scope,
    make: Callable[[], Value],
) -> Value:
    """Return what a definition stands for, with what its parameters stand for, in a call's scope.

    It is a copy of what a call like this one became; what `make` returns, where there is none.
    """
    key = None if scope.mover is None else _key(definition, parameters, scope)
    if key is None:
        return make()
    told, variables = key
    elaboration = scope.elaboration
    found = elaboration.originals.get(told)
    if found is not None and _fits(found, scope):
        try:
            copy = _Copies(dict(zip(found.variables, variables, strict=True)), scope)
            value = copy.of(found.value)
        except _NotCopied:
            pass
        else:
            copy.note()
            elaboration.spent.add(found.spent)
            return value
    before = elaboration.spent.so_far()
    result = make()
    if isinstance(result, Expression) and found is None:
        more = elaboration.spent.since(before)
        elaboration.originals[told] = Made(result, variables, len(scope.calls), more)
    return result


def _key(
    definition: Definition, parameters: Mapping[str, Value], scope: Scope
) -> tuple[Hashable, tuple[Slot, ...]] | None:
    """Return what calls that are alike have in common, and the variables in which they differ."""
    variables: dict[Slot, int] = {}
    told: list[Hashable] = []
    for value in parameters.values():
        if isinstance(value, Get):
            slot = value.slot
            if slot.is_state:
                told.append(value)
            else:
                place = variables.setdefault(slot, len(variables))
                stands = scope.standing.get(slot)
                told.append((place, slot.type, slot.low, slot.high, slot.among, stands))
        elif is_known(value):
            told.append(value)
        else:
            return None
    return (definition.head.span, tuple(told), scope.mover, scope.own), tuple(variables)


def _fits(found: Made, scope: Scope) -> bool:
    """Return whether the call could not end in an error that the one before did not."""
    return (
        len(scope.calls) <= found.depth
        and has_room(scope, found.spent)
        and not any(head in found.spent.written_out for head, _ in scope.calls)
    )


class _Copies:
    """Copies of expressions, with other variables: `variables` are those that are known."""

    def __init__(self, variables: dict[Slot, Slot], scope: Scope) -> None:
        self._variables = variables
        self._origins = scope.elaboration.origins
        self._made = Memo[Expression, Expression]()

    def of(self, node: Expression) -> Expression:
        """Return a copy of an expression, or the expression where no variable stands in it."""
        if not node.height and self._variables.keys().isdisjoint(node.free):
            if node.looks_ahead:
                raise _NotCopied
            return node
        return self._made.get(node) or self._made.keep(node, self._copied(node))

    def _copied(self, node: Expression) -> Expression:
        match node:
            case Op(name, arguments, of, payload):
                return Op(name, tuple(map(self.of, arguments)), of, payload)
            case Get(slot):
                return Get(self._variables.get(slot, slot))
            case GetAt(slot, sites):
                return GetAt(slot, self.of(sites))
            case If(condition, then, otherwise):
                return If(self.of(condition), self.of(then), self.of(otherwise))
            case Let(slot, value, body):
                return Let(self._own(slot), self.of(value), self.of(body))
            case Fold(combine, slot, domain, body, initial):
                own = self._own(slot)
                return Fold(combine, own, self._domain(domain), self.of(body), initial)
            case Select(slot, sites, condition):
                return Select(self._own(slot), self.of(sites), self.of(condition))
            case Closure(seed, frontier, step):
                return Closure(self.of(seed), self._own(frontier), self.of(step))
            case Const():
                return node
            case _:
                raise _NotCopied

    def _domain(self, domain: Domain) -> Domain:
        match domain:
            case SitesOf(sites):
                return SitesOf(self.of(sites))
            case RangeOf(low, high):
                return RangeOf(self.of(low), self.of(high))
            case GroupsOf(sites, frontier, step):
                return GroupsOf(self.of(sites), self._own(frontier), self.of(step))

    def _own(self, slot: Slot) -> Slot:
        """Return what stands for a variable that the expression itself binds."""
        if slot not in self._variables:
            self._variables[slot] = replace(slot)
        return self._variables[slot]

    def note(self) -> None:
        """Let it be known where the copies come from, if somebody listens."""
        if self._origins is not None:
            for node, copy in list(self._made.items()):
                self._origins.note_copy(node, copy, self._where_it_can_be)

    def _where_it_can_be(self, node: Expression) -> Expression:
        try:
            return self.of(node)
        except _NotCopied:
            return node
