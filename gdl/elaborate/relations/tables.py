"""Tables and drawings: values by kinds, sides, directions, names, numbers or regions.

In: a table of the syntax tree, or a drawing, and the value for which it is asked. Out: the value of
the entry that fits. What then holds: of values of one type each is looked up in one step where all
entries are numbers; of several sites the first is asked for, and the first region that has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from gdl.board.board import Board
from gdl.board.relation import Relation, bits, site_set
from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const, Expression
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.diagnostic import Span, suggest
from gdl.elaborate.names.scope import Scope, problem
from gdl.elaborate.names.values import Known, RelationValue, Value, describe
from gdl.elaborate.relations import cases, coerce, directions
from gdl.elaborate.relations.coerce import Elaborate
from gdl.elaborate.relations.pictures import EMPTY, drawn_rows
from gdl.syntax import tree as t

_NUMBER = re.compile(r"-?[0-9]{1,18}")


def look_up(node: t.TableOf, scope: Scope, elaborate: Elaborate) -> Value:
    """Return what a table has for the value of its parameter. Raises Problem."""
    asked = scope.local(node.asked.name)
    assert asked is not None, "a table is a definition's body"
    if isinstance(asked, RelationValue) and asked.name:
        every = directions.direction_type(scope.declarations.board)
        asked = coerce.to_type(asked, every, node.span, scope)
    if isinstance(asked, Expression):
        if asked.type == SITES or _is_by_region(node, asked, scope, elaborate):
            sites = coerce.to_sites(asked, node.span, scope)
            return _by_region(node, sites, scope, elaborate)
        if asked.type.is_choice or asked.type == NUMBER:
            return _by_value(node, asked, scope, elaborate)
    raise problem(
        Code.WRONG_TYPE,
        f"A table can't be asked for {describe(asked)}.",
        scope.calls[-1][1],
        "It is asked for a side, a kind, a direction, a name, a whole number, or a site.",
        see=[("This is the table.", node.span)],
    )


def _is_by_region(node: t.TableOf, asked: Expression, scope: Scope, elaborate: Elaborate) -> bool:
    """Return whether a table of regions is asked for a side or kind: for its pieces."""
    first = next((entry.key for entry in node.entries if entry.key is not None), None)
    if first is None or (isinstance(first, t.Name) and first.name in asked.type.values):
        return False
    value = elaborate(first, scope)
    return isinstance(value, Expression) and value.type == SITES


def _by_value(node: t.TableOf, asked: Expression, scope: Scope, elaborate: Elaborate) -> Value:
    values: dict[int, t.Expression] = {}
    for entry in node.entries:
        if entry.key is not None:
            values.setdefault(_place(entry.key, asked, scope, elaborate), entry.value)
    otherwise = _otherwise(node)
    missing = cases.missing_cases(asked, values, scope)
    if isinstance(asked, Const):
        known = values.get(int(asked.value), otherwise)
        if known is not None:
            return elaborate(known, scope)
        if int(asked.value) in range(len(asked.type.values)):
            missing = [asked.type.values[int(asked.value)]]
        elif asked.type == NUMBER:
            missing = [str(asked.value)]
    if not values or (missing and otherwise is None):
        raise problem(
            Code.NO_CASE,
            f"The table has no entry for {', '.join(missing[:3])}, which is asked for here."
            if missing
            else "The table has no entry.",
            scope.calls[-1][1],
            cases.more_entries("Add one, or an entry `else` for all others.", asked),
            see=[("This is the table.", node.span), *cases.declared_kinds(missing, scope)],
        )
    found = {place: elaborate(value, scope) for place, value in values.items()}
    example = next(iter(found.values()))
    rest = cases.nothing_like(example, scope) if otherwise is None else elaborate(otherwise, scope)
    return cases.combined(asked, found, rest, node.span, scope)


def _otherwise(node: t.TableOf) -> t.Expression | None:
    return next((entry.value for entry in node.entries if entry.key is None), None)


def _place(key: t.Expression, asked: Expression, scope: Scope, elaborate: Elaborate) -> int:
    """Return the number of a key among the values of the type of what is asked for."""
    if isinstance(key, t.Name) and key.name in asked.type.values:
        return asked.type.values.index(key.name)
    value = coerce.to_type(elaborate(key, scope), asked.type, key.span, scope)
    if isinstance(value, Const):
        return int(value.value)
    raise problem(
        Code.NOT_CONSTANT,
        "The keys of a table are known before play.",
        key.span,
        "What depends on the position is asked by `if … then … else …`.",
    )


def _by_region(node: t.TableOf, asked: Expression, scope: Scope, elaborate: Elaborate) -> Value:
    regions: list[tuple[Expression, Value]] = []
    for entry in node.entries:
        if entry.key is not None:
            region = coerce.to_sites(elaborate(entry.key, scope), entry.key.span, scope)
            regions.append((region, elaborate(entry.value, scope)))
    otherwise = _otherwise(node)
    if not regions:
        raise problem(Code.NO_CASE, "The table has no region.", node.span, "Write `REGION: VALUE`.")
    rest = (
        cases.nothing_like(regions[0][1], scope)
        if otherwise is None
        else elaborate(otherwise, scope)
    )
    numbers = _numbers_of(regions, rest, scope.declarations.board)
    if numbers is not None:
        return build.op("lookup", (asked,), NUMBER, numbers)
    first = build.op("first", (asked,), SITES)
    slot, site = coerce.named(first, "site")
    chosen = _first_that_has(site, regions, rest, node.span, scope)
    if slot is None:
        return chosen
    if isinstance(chosen, Expression):
        return build.let(slot, first, chosen)
    return _first_that_has(first, regions, rest, node.span, scope)


def _numbers_of(
    regions: list[tuple[Expression, Value]], rest: Value, board: Board
) -> tuple[int, ...] | None:
    """Return the number for each site, if all regions and numbers are known before play."""
    known = [part for region in regions for part in region] + [rest]
    if not all(isinstance(part, Const) and part.type in (SITES, NUMBER) for part in known):
        return None
    assert isinstance(rest, Const), "it is one of them"
    if rest.type != NUMBER:
        return None
    numbers = [int(rest.value)] * board.size
    for region, value in reversed(regions):
        assert isinstance(region, Const) and isinstance(value, Const), "they are among them"
        if value.type != NUMBER:
            return None
        for site in bits(int(region.value)):
            numbers[site] = int(value.value)
    return tuple(numbers)


def _first_that_has(
    site: Expression,
    regions: list[tuple[Expression, Value]],
    rest: Value,
    span: Span,
    scope: Scope,
) -> Value:
    def is_in(among: Sequence[Expression]) -> Expression:
        return build.disjunction(*(build.op("subset", (site, region), FLAG) for region in among))

    def chosen(is_here: Expression, then: Value, otherwise: Value) -> Value:
        return cases.one_of_two(is_here, then, otherwise, span, scope)

    return build.by_cases(regions, rest, is_in, chosen)


# ---------------------------------------------------------------- drawings


def drawn(node: t.DrawingOf, scope: Scope) -> Expression:
    """Return a drawn set of sites, or the number that is drawn for the site asked for."""
    board = scope.declarations.board
    if node.asked is None:
        marked = (site for site, text in _cells(node, board) if text != EMPTY)
        return build.sites(site_set(marked))
    asked = scope.local(node.asked.name)
    if not isinstance(asked, Expression):
        raise problem(
            Code.WRONG_TYPE, "A drawing is asked for a site.", node.span, "Name one site."
        )
    numbers = [0] * board.size
    for site, text in _cells(node, board):
        if text != EMPTY and _NUMBER.fullmatch(text) is None:
            raise problem(
                Code.PICTURE,
                f"`{text[:20]}` is no number ({board.sites[site].name}).",
                node.span,
                "Draw a digit for each site, or numbers with blanks between them; `.` is 0.",
            )
        numbers[site] = 0 if text == EMPTY else int(text)
    at = coerce.to_sites(asked, node.span, scope)
    return build.op("lookup", (at,), NUMBER, tuple(numbers))


def path(node: t.PathOf, scope: Scope) -> RelationValue:
    """Return the relation that leads from each site of a list to the next one."""
    board = scope.declarations.board
    pairs: list[tuple[int, int]] = []
    for span in node.lists:
        names = span.text.replace(",", " ").split()
        pairs += pairwise([_site(name, span, board) for name in names])
    return RelationValue(Known(Relation.from_pairs(board.size, pairs)))


def _site(name: str, span: Span, board: Board) -> int:
    index = board.index(name)
    if index is None:
        raise problem(
            Code.UNKNOWN_NAME,
            f"There is no site `{name[:20]}` on this board.",
            span,
            suggest(name, [site.name for site in board.sites])
            or "A path is made of names of sites, with blanks between them.",
        )
    return index


def _cells(node: t.DrawingOf, board: Board) -> Iterator[tuple[int, str]]:
    """Yield each site of the board, by index, with what is drawn for it."""
    lines = [line for line in node.span.text.replace("/", "\n").splitlines() if line.strip()]
    rows = drawn_rows(board)
    if len(lines) != len(rows):
        has = f"{len(lines)} row{'' if len(lines) == 1 else 's'}"
        raise problem(
            Code.PICTURE,
            f"The drawing has {has}, but the board has {len(rows)}.",
            node.span,
            "Draw each row of the board as a line, the uppermost first.",
        )
    for number, (line, row) in enumerate(zip(lines, rows, strict=True), start=1):
        cells = line.split()
        if len(cells) != len(row):
            cells = list("".join(cells))
        if len(cells) != len(row):
            raise problem(
                Code.PICTURE,
                f"Row {number} of the drawing has {len(cells)} sites, but should have {len(row)}.",
                node.span,
                "Draw something for each site, `.` where nothing is.",
            )
        yield from ((site.index, text) for site, text in zip(row, cells, strict=True))
