"""Operators: what stands between or before operands, on conditions, sets, numbers and relations.

In: an operation of the syntax tree and its scope. Out: its value. What then holds: the operands are
elaborated in the order in which they are asked for, each as the operator wants it, and a Problem
has been raised at the one that is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import and_
from typing import assert_never

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Expression, Get, Slot
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.data_classes import dataclass
from gdl.elaborate.hints.missing_parentheses import around_counted, around_power
from gdl.elaborate.names.origins import JoinedSets
from gdl.elaborate.names.scope import Problem, Scope, Silent, problem
from gdl.elaborate.names.values import (
    Chosen,
    GroupsValue,
    Known,
    ListValue,
    RelationValue,
    Value,
    describe,
)
from gdl.elaborate.relations import coerce, directions, domains, formula, powers, relations
from gdl.elaborate.relations.coerce import Elaborate
from gdl.elaborate.relations.domains import fold_over, unrolled
from gdl.syntax import tree as t

_ARITHMETIC = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "fraction",
    "div": "divide",
    "mod": "modulo",
}


_SETS_OF_SITES = ("own", "enemy", "team", "empty", "occupied")


def _is_sites(value: Value | None) -> bool:
    return isinstance(value, Get) and value.type == SITES and not value.slot.is_state


@dataclass(frozen=True)
class Operator:
    """An operator and its operands."""

    node: t.Operation
    scope: Scope
    elaborate: Elaborate

    def value(self) -> Value:
        """Return the value of the operation. Raises Problem."""
        node = self.node
        match node.operator:
            case "and":
                return build.conjunction(*self._flags())
            case "or":
                return build.disjunction(*self._flags())
            case "not":
                return build.negation(self._flags()[0])
            case "some":
                return build.some(self._sites(node.operands[0]))
            case "no":
                return build.negation(build.some(self._sites(node.operands[0])))
            case "count":
                return self._count()
            case "when":
                return self._when()
            case "in":
                return self._in()
            case "=" | "!=" | "<" | "<=" | ">" | ">=":
                return self._compare()
            case "|" | "&":
                return self._joined()
            case "-" if len(node.operands) == 1:
                return build.numeric("subtract", build.number(0), self._number(node.operands[0]))
            case "+" | "-" | "*" | "/" | "div" | "mod":
                return self._arithmetic()
            case "^":
                return self._power()
            case "from" | "into" | "within":
                return self._restrict()
            case "max" | "min":
                return self._extreme()
            case _:
                assert_never(node.operator)

    # ---------------------------------------------------------------------- operands

    def _sites(self, operand: t.Expression) -> Expression:
        return coerce.to_sites(self.elaborate(operand, self.scope), operand.span, self.scope)

    def _number(self, operand: t.Expression) -> Expression:
        return coerce.to_number(self.elaborate(operand, self.scope), operand.span)

    def _flag(self, operand: t.Expression) -> Expression:
        return coerce.to_flag(self.elaborate(operand, self.scope), operand.span)

    def _flags(self) -> list[Expression]:
        """Return the operands as conditions. Raises Problem: sets are joined by other signs."""
        values = []
        for operand in self.node.operands:
            value = self.elaborate(operand, self.scope)
            try:
                values.append(coerce.to_flag(value, operand.span))
            except Problem as error:
                sets = joined_sets(self.node, self.scope, self.elaborate)
                if not sets:
                    raise
                hint = f"`and`, `or` and `not` are for conditions. Here it is `{sets}`."
                raise Problem(error.diagnostic.with_hint(hint)) from None
        return values

    def _led(self, value: Value) -> Value:
        """Return a direction that is known in play only as its relation; other values as are."""
        return directions.led_along(value, self.scope.declarations.board)

    # --------------------------------------------------------------------- operators

    def _count(self) -> Value:
        (operand,) = self.node.operands
        value = self.elaborate(operand, self.scope)
        if isinstance(value, GroupsValue):
            slot = Slot("group", SITES)
            return fold_over("sum", slot, value, build.number(1), self.node.span, self.scope)
        if isinstance(value, ListValue):
            return build.number(len(value.items))
        sites = coerce.to_sites(value, operand.span, self.scope)
        result: Expression = build.op("count", (sites,), NUMBER)
        return result

    def _when(self) -> Value:
        operand, told = self.node.operands
        condition = self._flag(told)
        value = self._led(self.elaborate(operand, self.scope))
        if _is_number(value):
            raise problem(
                Code.WRONG_TYPE,
                f"Before `when` stands a set of sites; this is {describe(value)}.",
                operand.span,
                "A `when` behind `if … then … else …` belongs to its last part: write parentheses"
                " around the others, `(if … then … else …) when …`.",
            )
        if not isinstance(value, RelationValue):
            sites = coerce.to_sites(value, operand.span, self.scope)
            return build.conditional(condition, sites, build.NOWHERE)
        nothing = coerce.leading_nowhere(self.scope)
        if isinstance(condition, Const):
            return value if condition.value else nothing
        board = self.scope.declarations.board
        return domains.cut(value, lambda tree: Chosen(condition, tree, nothing.tree), board)

    def _compare(self) -> Value:
        node, scope = self.node, self.scope
        left, right = coerce.compared(node.operands, scope, self.elaborate)
        if node.operator in ("=", "!="):
            self._note_whole_set()
            same = build.equal(left, right)
            return same if node.operator == "=" else build.negation(same)
        for operand, part in zip(node.operands, (left, right), strict=True):
            if not part.type.is_numeric:
                raise problem(
                    Code.WRONG_TYPE,
                    f"Only numbers have an order; this is {part.type}.",
                    operand.span,
                    "How many sites a set has is `count(S)`.",
                )
        if node.operator in (">", ">="):
            left, right = right, left
        name = "less" if node.operator in ("<", ">") else "not_more"
        result: Expression = build.op(name, (left, right), FLAG)
        return result

    def _note_whole_set(self) -> None:
        """Warn where a word for a site is compared with all pieces of a side or kind, or such."""
        first, second = self.node.operands
        for one, other in ((first, second), (second, first)):
            if not isinstance(one, t.Name) or not isinstance(other, t.Name):
                continue
            word, whole = self.scope.local(one.name), other.name
            d = self.scope.declarations
            is_set = whole in (*d.sides, *d.kind_type.values, *_SETS_OF_SITES)
            if is_set and whole not in self.scope.locals and _is_sites(word):
                told = f"`{one.name} in {whole}`"
                self.scope.report.warning(
                    Code.SITE_AND_SET,
                    f"This asks whether `{one.name}` is all of `{whole}`, not one of it.",
                    self.node.span,
                    f"Whether it is one is {told if self.node.operator == '=' else f'not {told}'}.",
                )

    def _in(self) -> Value:
        node, scope = self.node, self.scope
        member, container = node.operands
        among = self.elaborate(container, scope)
        if isinstance(among, ListValue | RelationValue):
            value = self.elaborate(member, scope)
            items = unrolled(among, container.span) or ()
            return build.disjunction(
                *(build.equal(*coerce.same_type(value, item, node.span, scope)) for item in items)
            )
        sets = (self._sites(member), coerce.to_sites(among, container.span, scope))
        result: Expression = build.op("subset", sets, FLAG)
        return result

    def _joined(self) -> Value:
        node, scope = self.node, self.scope
        values = [self._led(self.elaborate(operand, scope)) for operand in node.operands]
        spans = [operand.span for operand in node.operands]
        if any(isinstance(value, RelationValue) for value in values):
            board = scope.declarations.board
            self._refuse_unapplied(values)
            parts = [coerce.to_relation(v, s, scope) for v, s in zip(values, spans, strict=True)]
            if node.operator == "|":
                self._note_relations(parts)
                return domains.union(parts, board)
            known = [formula.known(p.tree, s) for p, s in zip(parts, spans, strict=True)]
            result, both = parts[0], known[0]
            for other, also in zip(parts[1:], known[1:], strict=True):
                both = both.intersection(also)
                result = domains.intersection(result, other, both, board)
            return result
        for value, span in zip(values, spans, strict=True):
            if isinstance(value, Expression) and value.type == FLAG:
                raise problem(
                    Code.WRONG_TYPE,
                    f"`{node.operator}` joins sets, and this is a condition.",
                    span,
                    f"Conditions are joined by `{'or' if node.operator == '|' else 'and'}`.",
                )
        try:
            sets = [coerce.to_sites(v, s, scope) for v, s in zip(values, spans, strict=True)]
        except Problem as error:
            raise self._told_of_count(error) from None
        joined = build.union(*sets) if node.operator == "|" else build.intersection(*sets)
        return self._noted(sets, joined)

    def _refuse_unapplied(self, values: Sequence[Value]) -> None:
        """Raise a Problem at a relation that stands among sets, as it is most likely not applied.

        One that is cut may have taken in less of the sets behind it than was meant.
        """
        operands = self.node.operands
        are_sets = any(
            isinstance(v, Expression) and v.type.name != "direction" and v != build.NOWHERE
            for v in values
        )
        if not are_sets or any(_is_cut(operand) for operand in operands):
            return
        for value, operand in zip(values, operands, strict=True):
            if isinstance(value, RelationValue):
                coerce.to_sites(value, operand.span, self.scope)

    def _told_of_count(self, error: Problem) -> Problem:
        """Return a problem with the hint that parentheses are missing, if they are."""
        hint = around_counted(self.node)
        return Problem(error.diagnostic.with_hint(hint)) if hint else error

    def _told_of_sets(self, error: Problem, left: Value, right: Value) -> Problem:
        """Return a problem with the hint how sets, and steps, are added, if such are."""
        if self.node.operator == "-":
            return self._told_of_count(error)
        if self.node.operator != "+" or (_is_number(left) and _is_number(right)):
            return error
        hint = "Two sets are joined by `|`; the site n steps away in a direction is `(d^n)(s)`."
        for number, other, part in ((right, left, 0), (left, right, 1)):
            if _is_number(number) and not isinstance(other, RelationValue):
                hint = self._counted(self.node.operands[part]) or hint
        return Problem(error.diagnostic.with_hint(hint))

    def _counted(self, operand: t.Expression) -> str:
        """Return a hint that counts a set to which a number is added; nothing of a single site."""
        is_word = isinstance(operand, t.Name) and self.scope.local(operand.name) is None
        if not is_word or self.scope.declarations.board.index(operand.span.text) is not None:
            return ""
        whole, part = self.node.span, operand.span
        text = self.node.span.source.text
        sum_of = f"{text[whole.start : part.start]}count {part.text}{text[part.end : whole.end]}"
        return f"How many sites a set has is `count S`. Write `{' '.join(sum_of.split())}`."

    def _noted(self, parts: Sequence[Expression], result: Expression) -> Expression:
        """Return the result, and let it be known what it was made of, if somebody listens."""
        if (origins := self.scope.elaboration.origins) is not None:
            spans = (operand.span for operand in self.node.operands)
            joined = JoinedSets(self.node.operator, tuple(zip(spans, parts, strict=True)))
            origins.note_joined(joined, result)
        return result

    def _note_relations(self, parts: Sequence[RelationValue]) -> None:
        """Let it be known, if somebody listens, which relations lead where no other one does."""
        if (origins := self.scope.elaboration.origins) is None:
            return
        trees = [part.tree for part in parts]
        known = [tree.relation for tree in trees if isinstance(tree, Known)]
        for number, operand in enumerate(self.node.operands):
            rest = None
            if len(known) == len(trees):
                rest = known[number]
                for other in (*known[:number], *known[number + 1 :]):
                    rest = rest.difference(other)
            origins.note_telling(operand.span, rest is None or bool(rest.offset_classes))

    def _arithmetic(self) -> Value:
        node, scope = self.node, self.scope
        left, right = (self._led(self.elaborate(operand, scope)) for operand in node.operands)
        spans = [operand.span for operand in node.operands]
        if node.operator == "-" and not _is_number(left):
            if isinstance(left, RelationValue):
                other = coerce.to_relation(right, spans[1], scope)
                first = formula.known(left.tree, spans[0])
                rest = first.difference(formula.known(other.tree, spans[1]))
                return domains.difference(left, other, rest, scope.declarations.board)
            sets = [coerce.to_sites(v, s, scope) for v, s in zip((left, right), spans, strict=True)]
            return self._noted(sets, build.difference(*sets))
        try:
            a, b = coerce.to_number(left, spans[0]), coerce.to_number(right, spans[1])
        except Problem as error:
            raise self._told_of_sets(error, left, right) from None
        if node.operator in ("div", "mod"):
            for part, span in ((a, spans[0]), (b, spans[1])):
                if part.type != NUMBER:
                    raise problem(
                        Code.WRONG_TYPE,
                        f"`{node.operator}` is for whole numbers.",
                        span,
                        "Use `/`.",
                    )
        return build.numeric(_ARITHMETIC[node.operator], a, b)

    def _power(self) -> Value:
        node, scope = self.node, self.scope
        base = self._led(self.elaborate(node.operands[0], scope))
        if base == build.NOWHERE:
            base = coerce.to_relation(base, node.span, scope)
        try:
            exponent = self._number(node.operands[1])
        except Problem as error:
            hint = around_power(node, error.diagnostic) if isinstance(base, RelationValue) else ""
            raise (Problem(error.diagnostic.with_hint(hint)) if hint else error) from None
        return powers.power(node, base, exponent, scope)

    def _restrict(self) -> Value:
        node, scope = self.node, self.scope
        cut, ends = node.operands
        base = coerce.to_relation(self.elaborate(cut, scope), cut.span, scope)
        among = self._sites(ends)
        source = among if node.operator in ("from", "within") else None
        target = among if node.operator in ("into", "within") else None
        board = scope.declarations.board
        return domains.cut(base, lambda tree: relations.cut(tree, source, target), board)

    def _extreme(self) -> Value:
        node = self.node
        name = "maximum" if node.operator == "max" else "minimum"
        result = self._number(node.operands[0])
        for operand in node.operands[1:]:
            result = build.numeric(name, result, self._number(operand))
        return result


def _is_cut(node: t.Expression) -> bool:
    return isinstance(node, t.Operation) and node.operator in ("from", "into", "within")


def _is_number(value: Value) -> bool:
    return isinstance(value, Expression) and value.type.is_numeric


# -------------------------------------------------------------------------------------- joined sets

_WORDS = ("and", "or", "not")
_LOOSE = ("|", "+", "-", "if", "when")
_LONGEST = 120


def joined_sets(node: t.Expression, scope: Scope, elaborate: Elaborate) -> str:
    """Return the text of an operation as one of sets; nothing if something in it is no set."""
    try:
        text = _text(node, scope, elaborate)
    except (Problem, Silent):
        return ""
    return "" if len(text) > _LONGEST else text


def _text(node: t.Expression, scope: Scope, elaborate: Elaborate) -> str:
    """Write a set, joined by signs. Raises Silent for what is none."""
    if isinstance(node, t.Operation) and node.operator == "not":
        return f"all - {_tight(node.operands[0], scope, elaborate)}"
    if isinstance(node, t.Operation) and node.operator == "or":
        return " | ".join(_text(operand, scope, elaborate) for operand in node.operands)
    if isinstance(node, t.Operation) and node.operator == "and":
        first, *others = node.operands
        if _are_apart(node.operands, scope, elaborate):
            return " | ".join(_text(operand, scope, elaborate) for operand in node.operands)
        text = _tight(first, scope, elaborate)
        for other in others:
            is_not = isinstance(other, t.Operation) and other.operator == "not"
            if is_not and isinstance(other, t.Operation):
                text = f"{text} - {_tight(other.operands[0], scope, elaborate)}"
            else:
                text = f"({text})" if " - " in text else text
                text = f"{text} & {_tight(other, scope, elaborate)}"
        return text
    value = elaborate(node, scope)
    types = (SITES, scope.declarations.side_type, scope.declarations.kind_type)
    is_set = isinstance(value, Expression) and value.type in types
    if not is_set and not isinstance(value, RelationValue):
        raise Silent
    return " ".join(node.span.text.split())


def _are_apart(operands: tuple[t.Expression, ...], scope: Scope, elaborate: Elaborate) -> bool:
    """Whether sets have no site in common, so that `and` must mean the sites of all of them."""
    if any(isinstance(one, t.Operation) and one.operator in _WORDS for one in operands):
        return False
    values = [elaborate(operand, scope) for operand in operands]
    known = [value for value in values if isinstance(value, Const)]
    if len(known) < len(values) or len({value.type for value in known}) > 1:
        return False
    if known[0].type == SITES:
        return not reduce(and_, (int(value.value) for value in known))
    return len({value.value for value in known}) > 1


def _tight(node: t.Expression, scope: Scope, elaborate: Elaborate) -> str:
    """Write a set, in parentheses if it is no single term."""
    text = _text(node, scope, elaborate)
    loose = not isinstance(node, t.Name | t.Call) and (
        not isinstance(node, t.Operation) or node.operator in (*_LOOSE, *_WORDS)
    )
    return f"({text})" if loose else text
