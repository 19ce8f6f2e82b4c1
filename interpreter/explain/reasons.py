"""Reasons: an expression with its value, and its parts with theirs, in the words of the file.

In: a node of the syntax in its scope, at a moment. Out: a `Reason`, a tree. What then holds: each
value is what the reference interpreter works out for that part; of `and`, `or` and quantifiers only
the parts that decide them are there, of words that the file defines what they stand for.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from gdl.board.relation import bits
from gdl.core.nodes import Assign, Const, Expression, Get, Program, Slot
from gdl.core.types import FLAG, SITES, Type
from gdl.core.walk import statements_in
from gdl.data_classes import dataclass
from gdl.diagnostic import Span
from gdl.elaborate.names.scope import Scope
from gdl.elaborate.names.values import Known, RelationValue, Value
from gdl.interpreter.explain.moment import Moment
from gdl.interpreter.explain.sources import source_of
from gdl.interpreter.explain.witness import Line, Witness, Witnesses
from gdl.interpreter.positions.encoding import write_plain
from gdl.interpreter.words.clauses import options_in
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in

_DEEPEST = 8
_FEW = 3  # elements of a quantifier that are told one by one
_MOST_NAMED = 12  # sites


@dataclass(frozen=True)
class Reason:
    """A part of the rules and what it is worth.

    `text` is written as in the file, but with the values of words that stand for one thing in
    this place; `span` is where it stands. `value` is a value of the core of the `type`, `shown` the
    same in words. `sites` and `lines` are what to draw of it. `caption` is the author's own text.
    """

    text: str
    span: Span
    type: Type
    value: Any
    shown: str
    parts: tuple[Reason, ...] = ()
    sites: int = 0
    lines: tuple[Line, ...] = ()
    caption: str = ""


class Reasons:
    """Tells reasons at a moment; `before` is the one before what was done last, if it counts."""

    def __init__(self, moment: Moment, before: Moment | None = None) -> None:
        self.moment = moment
        self.witnesses = Witnesses(moment, before)

    def of(self, node: t.Expression, scope: Scope, depth: int = 0) -> Reason | None:
        """Return a node's value with those of its parts; None if it has none in a position."""
        scope = self.moment.scope(scope)
        value = self.moment.value(node, scope)
        if value is None:
            return None
        is_flag = value.type == FLAG
        witness = (
            self.witnesses.of_condition(node, scope)
            if is_flag
            else self.witnesses.of_value(node, scope)
        )
        parts = [] if depth >= _DEEPEST else list(filter(None, self._parts(node, scope, depth)))
        return Reason(
            self.written(node, scope),
            node.span,
            value.type,
            value.value,
            self.shown(value),
            tuple(part for part in dict.fromkeys(parts) if part.text != part.shown),
            witness.sites,
            witness.lines,
            self._caption(node, scope),
        )

    def as_sites(self, node: t.Expression, scope: Scope, depth: int = 0) -> Reason | None:
        """Return the same of a set, where a side or kind stands for its pieces.

        If it is empty, and was not before what was done last, what was in it is the reason.
        """
        found = self.of(node, scope, depth)
        lost = self.witnesses.lost(node, self.moment.scope(scope))
        if found is not None and lost:
            shown = f"empty now; before the last move it was {self.shown(Const(lost, SITES))}"
            return dataclasses.replace(
                found, type=SITES, value=0, shown=shown, parts=(), sites=lost, lines=()
            )
        if found is None or found.type == SITES:
            return found
        sites = self.moment.sites(node, self.moment.scope(scope)) or 0
        shown = self.shown(Const(sites, SITES))
        return dataclasses.replace(found, type=SITES, value=sites, shown=shown, sites=sites)

    def shown(self, value: Const) -> str:
        """Return a value in words."""
        game = self.moment.rules.game
        if value.type != SITES:
            return write_plain(game, value.type, value.value)
        names = [game.board.sites[index].name for index in bits(int(value.value))]
        if not names:
            return "empty"
        if len(names) == game.board.size:
            return "all sites"
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        return f"{', '.join(names[:_MOST_NAMED])}{more}"

    def _caption(self, node: t.Expression, scope: Scope) -> str:
        opened = self.moment.opened(node, scope)
        if opened is None or not opened[0].says:
            return ""
        definition, inner = opened
        words = {name: self._short(value) for name, value in inner.locals.items()}
        if isinstance(node, t.Call):
            arguments = zip(inner.locals, node.arguments, strict=False)
            for name, argument in arguments:
                words[name] = words[name] or self.written(argument, scope)
        return captioned(definition.says, {**_general_words(scope), **words})

    # --------------------------------------------------------------------- parts

    def _parts(self, node: t.Expression, scope: Scope, depth: int) -> Iterator[Reason | None]:
        deeper = depth + 1
        known = self.moment.elaborated(node, scope)
        if isinstance(known, Const) and known.type != FLAG and self.moment.is_fixed(node, scope):
            return
        opened = self.moment.opened(node, scope)
        if opened is not None:
            definition, inner = opened
            if not definition.from_prelude:
                yield self.of(definition.body, inner, deeper)
            return
        match node:
            case t.Name():
                yield self._formula(node, scope, deeper)
            case t.Operation(_, "and" | "or" as word, operands):
                yield from self._junction(word == "or", operands, scope, deeper)
            case t.Operation(_, "not" | "count" | "-", (operand,)):
                yield self.of(operand, scope, deeper)
            case t.Operation(_, "some" | "no", (operand,)):
                yield self.as_sites(operand, scope, deeper)
            case t.Operation(_, "in", (member, among)):
                yield from self._in(member, among, scope, deeper)
            case t.Operation(_, "when", (then, condition)):
                yield self.of(condition, scope, deeper)
                yield self.of(then, scope, deeper)
            case t.Operation(_, "|" | "&", operands):
                for operand in operands:
                    yield self.as_sites(operand, scope, deeper)
            case t.Operation(_, operator, operands):
                for operand in operands:
                    if not isinstance(operand, t.Number):
                        is_set = operator == "-" and self.moment.sites(operand, scope) is not None
                        yield (self.as_sites if is_set else self.of)(operand, scope, deeper)
            case t.Quantified(_, "some" | "no" | "every"):
                yield from self._quantified(node, scope, deeper)
            case t.Conditional(_, condition, then, otherwise):
                yield self.of(condition, scope, deeper)
                chosen = then if self.moment.holds(condition, scope) else otherwise
                yield self.of(chosen, scope, deeper)
            case t.LetIn(_, name, value, body):
                yield self.of(value, scope, deeper)
                known = self.moment.elaborated(value, scope)
                if known is not None:
                    inner = scope.bind(name.name, self.moment.settled(known))
                    yield self.of(body, inner, deeper)

    def _formula(self, node: t.Name, scope: Scope, depth: int) -> Reason | None:
        """Return what a `let` says that a condition is; nothing if it would be another now."""
        word = scope.locals.get(node.name)
        if not isinstance(word, Get) or word.type != FLAG:
            return None
        formula, inner = formulas(self.moment.rules.game.program).get(word.slot, (None, None))
        if formula is None or inner is None:
            return None
        reason = self.of(formula, inner, depth)
        now = self.moment.value(node, scope)
        return (
            reason if reason is not None and now is not None and reason.value == now.value else None
        )

    def _junction(
        self, is_or: bool, operands: Sequence[t.Expression], scope: Scope, depth: int
    ) -> Iterator[Reason | None]:
        for operand in operands:
            if self.moment.holds(operand, scope) is is_or:
                yield self.of(operand, scope, depth)
                return
        for operand in operands:
            yield self.of(operand, scope, depth)

    def _in(
        self, member: t.Expression, among: t.Expression, scope: Scope, depth: int
    ) -> Iterator[Reason | None]:
        site = self.moment.sites(member, scope)
        inside = self.moment.sites(among, scope)
        if site is None or inside is None:
            return
        if site.bit_count() != 1:
            yield self.as_sites(member, scope, depth)
            yield self.as_sites(among, scope, depth)
        elif not site & inside:
            yield from self._left_out(among, scope, site, depth)

    def _quantified(self, node: t.Quantified, scope: Scope, depth: int) -> Iterator[Reason | None]:
        element = self.witnesses.deciding(node, scope)
        name = node.variable.name
        if element is not None:
            yield self.of(node.body, scope.bind(name, element), depth)
            return
        elements = list(self.moment.elements(node.domain, scope))
        if len(elements) > _FEW or not elements:
            yield self.as_sites(node.domain, scope, depth)
            return
        for one in elements:
            yield self.of(node.body, scope.bind(name, one), depth)

    # ---------------------------------------------------------------- membership

    def membership(self, node: t.Expression, scope: Scope, site: int, depth: int = 0) -> Reason:
        """Return whether a site is in a set; if not, with the parts that leave it out.

        It is the counterpart of what `Witnesses.of_member` tells of a site that is there.
        """
        scope = self.moment.scope(scope)
        is_in = bool((self.moment.sites(node, scope) or 0) & site)
        name = self.moment.board.sites[site.bit_length() - 1].name
        text = f"{name} in {_bracketed(node, self.written(node, scope))}"
        parts: tuple[Reason, ...] = ()
        if not is_in and depth < _DEEPEST:
            parts = tuple(filter(None, self._left_out(node, scope, site, depth + 1)))
        return Reason(text, node.span, FLAG, is_in, "yes" if is_in else "no", parts, site)

    def _left_out(
        self, node: t.Expression, scope: Scope, site: int, depth: int
    ) -> Iterator[Reason | None]:
        opened = self.moment.opened(node, scope)
        if opened is not None:
            definition, inner = opened
            if not definition.from_prelude:
                yield self.membership(definition.body, inner, site, depth)
            return
        match node:
            case t.Operation(_, "&", operands):
                parts = [self.membership(one, scope, site, depth) for one in operands]
                yield from [part for part in parts if not part.value][:1]
            case t.Operation(_, "|", operands):
                for operand in operands:
                    yield self.membership(operand, scope, site, depth)
            case t.Operation(_, "-", (among, without)):
                first = self.membership(among, scope, site, depth)
                yield self.membership(without, scope, site, depth) if first.value else first
            case t.Operation(_, "when", (then, condition)):
                if self.moment.holds(condition, scope):
                    yield self.membership(then, scope, site, depth)
                else:
                    yield self.of(condition, scope, depth)
            case t.Conditional(_, condition, then, otherwise):
                yield self.of(condition, scope, depth)
                chosen = then if self.moment.holds(condition, scope) else otherwise
                yield self.membership(chosen, scope, site, depth)
            case t.Quantified(_, "sites", variable, domain, body):
                if (self.moment.sites(domain, scope) or 0) & site:
                    yield self.of(body, scope.bind(variable.name, Const(site, SITES)), depth)
                else:
                    yield self.membership(domain, scope, site, depth)
            case t.Name():
                pass
            case _:
                yield self.as_sites(node, scope, depth)

    # ---------------------------------------------------------------------- texts

    def written(self, node: t.Node, scope: Scope) -> str:
        """Return a node as the file has it, with short values in place of local words."""
        text, begin = node.span.text, node.span.start
        names = {name.span.start: name for name in _names_in(node)}
        if isinstance(node, t.Assign | t.Add):
            # What is given a value is named; its value before would read as what is changed.
            names.pop(node.target.name.span.start, None)
        for _, name in sorted(names.items(), reverse=True):
            value = scope.locals.get(name.name)
            short = "" if value is None else self._short(self.moment.settled(value))
            if short and not _is_condition(value):
                at = name.span.start - begin
                text = f"{text[:at]}{short}{text[name.span.end - begin :]}"
        return " ".join(text.split())

    def _short(self, value: Value) -> str:
        """Return a value that is short enough to stand in place of a word, or nothing."""
        game = self.moment.rules.game
        if not isinstance(value, Const):
            match value:
                case RelationValue(tree=Known(relation=known)):
                    relations = game.board.relations.items()
                    return next((name for name, relation in relations if relation == known), "")
            return ""
        if value.type != SITES:
            return write_plain(game, value.type, value.value)
        sites = int(value.value)
        if sites.bit_count() != 1:
            return ""
        return game.board.sites[sites.bit_length() - 1].name


def _is_condition(value: Value | None) -> bool:
    return isinstance(value, Expression) and value.type == FLAG


def _general_words(scope: Scope) -> dict[str, str]:
    """Return what a caption may name besides parameters: the side it is about, options."""
    d = scope.declarations
    own = {} if scope.own is None else {"own": d.sides[scope.own]}
    return {**options_in(scope), **own}


def captioned(caption: str, words: dict[str, str]) -> str:
    """Return an author's text with `{parameter}` replaced by what it stands for.

    >>> captioned("what a disc on {s} encloses", {"s": "c4"})
    'what a disc on c4 encloses'
    """
    for name, value in words.items():
        caption = caption.replace(f"{{{name}}}", value or name)
    return caption


def _bracketed(node: t.Expression, text: str) -> str:
    return f"({text})" if isinstance(node, t.Operation | t.Quantified | t.Conditional) else text


def leaves_of(reason: Reason) -> Iterator[Reason]:
    """Yield a reason and all its parts, at any depth."""
    yield reason
    for part in reason.parts:
        yield from leaves_of(part)


def witness_of(reason: Reason | None) -> Witness:
    """Return what is to be drawn of a reason."""
    return Witness() if reason is None else Witness(reason.sites, reason.lines)


def _names_in(node: t.Node) -> Iterator[t.Name]:
    """Yield the names that are written in a node's text; a table's parameter is not."""
    for name in nodes_in([node]):
        if isinstance(name, t.Name) and name.span.source == node.span.source:
            inside = node.span.start <= name.span.start and name.span.end <= node.span.end
            if inside and name.span.text == name.name:
                yield name


# ------------------------------------------------------------------- what words of a turn stand for


@lru_cache(maxsize=8)
def formulas(program: Program) -> Mapping[Slot, tuple[t.Expression, Scope]]:
    """Return the formula of each word that a `let` names, with the scope of the formula."""
    found: dict[Slot, tuple[t.Expression, Scope]] = {}
    changed: set[Slot] = set()
    for turn in program.turns:
        for statement in statements_in(turn.program):
            if not isinstance(statement, Assign):
                continue
            node, scope = source_of(statement)
            if isinstance(node, t.LetStatement) and scope is not None:
                found[statement.slot] = node.value, scope
            else:
                changed.add(statement.slot)
    return {slot: formula for slot, formula in found.items() if slot not in changed}
