"""The section `hands`: pieces off the board, by side and kind.

In: the document of a game, and its pieces. Out: a variable `hand` with a number for each side and
kind that a hand may hold. What then holds: it may be set as any variable.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gdl.codes import Code
from gdl.core.nodes import Const, Slot
from gdl.core.types import NUMBER
from gdl.diagnostic import Facts, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import (
    Declarations,
    Hands,
    Problem,
    Scope,
    Silent,
    StateVariable,
    problem,
)
from gdl.elaborate.names.values import Value
from gdl.elaborate.pieces.hand_words import HAND
from gdl.elaborate.relations import coerce
from gdl.elaborate.sections.sections import parsed
from gdl.syntax import tree as t

_NOBODY = "neutral"
_MOST = 1000
"""How many pieces of a kind a hand can hold."""

_Entry = tuple[int | None, int]


def read_hands(document: Document, scope: Scope) -> Declarations:
    """Read `hands`; return the declarations with them and what they hold at the start."""
    entry, d = document.entry("hands"), scope.declarations
    if entry is None:
        return d
    counts: dict[_Entry, int] = {}
    spans: dict[_Entry, Span] = {}
    try:
        for name, count in _listed(entry[1], scope):
            for one in _entries(name, scope):
                if one in counts:
                    raise problem(
                        Code.DUPLICATE_NAME,
                        f"`{name.span.text}` is in the hands already.",
                        name.span,
                        "Name each kind once, or once for each side.",
                    )
                counts[one], spans[one] = count, name.span
    except Silent:
        counts = {}
    except Problem as error:
        scope.report.add(error.diagnostic)
        counts = {}
    if not counts:
        return d.without(HAND)
    hands = _hands(counts, spans, entry[0].span, d)
    if HAND in d.state:
        scope.report.error(
            Code.DUPLICATE_NAME,
            "`hand` has a meaning already: what is in the hands.",
            d.state[HAND].span,
            "Choose another name.",
            [("They are declared here.", entry[0].span)],
        )
    at_start = {slot: counts[one] for one, slot in hands.slots.items()}
    state = {**d.state, HAND: hands.variable}
    return replace(d, hands=hands, state=state, initial={**d.initial, **at_start})


def _listed(node: object, scope: Scope) -> Iterator[tuple[t.PieceEntry, int]]:
    """Yield the kinds, each as it is written, with how many of it a hand has at the start."""
    if isinstance(node, Scalar):
        for name in parsed(node, "piece_list", scope.report) or ():
            yield name, 0
    for key, value in node.entries if isinstance(node, Document) else ():
        count = parsed(value, "expression", scope.report)
        names = parsed(key, "piece_list", scope.report)
        if count is None or names is None:
            raise Silent
        number = coerce.constant_number(ex.whole(count, scope), count.span)
        if not 0 <= number <= _MOST:
            raise problem(
                Code.OUT_OF_RANGE,
                f"A hand holds 0 to {_MOST:,} pieces of a kind, not {number:,}.",
                count.span,
                "Give a number between these.",
            )
        yield from ((name, number) for name in names)


def _entries(entry: t.PieceEntry, scope: Scope) -> Iterator[_Entry]:
    """Yield the sides (None: nobody) and kinds that an entry such as `White King` stands for."""
    *before, name = entry.words
    d = scope.declarations
    if len(before) > 1:
        raise problem(
            Code.WRONG_VALUE,
            "Before a kind stands one side at most.",
            entry.span,
            "Write an entry for each side.",
        )
    kinds = [n for n, kind in enumerate(d.kinds) if name.name in (kind.name, *kind.groups)]
    if not kinds:
        names = [*d.kind_type.values, *d.groups_of_kinds]
        raise problem(
            Code.UNKNOWN_NAME,
            f"There is no kind `{name.name}`.",
            name.span,
            suggest(name.name, names)
            or f"The kinds are: {', '.join(names[:12])}. Another kind is declared under"
            f" `pieces`, as in `pieces: {name.name}`.",
            facts=Facts(name.name, sections=("pieces",)),
        )
    scope.elaboration.used.add(name.name)
    holders: Sequence[int | None] = range(len(d.sides))
    for word in before:
        if word.name not in (*d.sides, "neutral"):
            raise problem(
                Code.UNKNOWN_NAME,
                f"`{word.name}` is no player.",
                word.span,
                suggest(word.name, [*d.sides, "neutral"])
                or f"Before a kind stands `neutral` or one of: {', '.join(d.sides)}.",
                facts=Facts(word.name, sections=("players",)),
            )
        holders = [None if word.name == "neutral" else d.sides.index(word.name)]
    yield from ((holder, kind) for holder in holders for kind in kinds)


def _hands(
    counts: dict[_Entry, int], spans: dict[_Entry, Span], span: Span, d: Declarations
) -> Hands:
    kinds = tuple(sorted({kind for _, kind in counts}))
    holders = [*range(len(d.sides)), None]
    slots: dict[_Entry, Slot] = {}
    indexed: dict[tuple[Value, ...], Slot] = {}
    for kind in kinds:
        for holder in holders:
            if (holder, kind) not in counts:
                continue
            name = _NOBODY if holder is None else d.sides[holder]
            of = f", {d.kind_type.values[kind]}" if len(kinds) > 1 else ""
            slot = Slot(
                *(f"{HAND}({name}{of})", NUMBER, True, False, 0, _MOST, spans[holder, kind]),
                family=(HAND, kind),
                sides=() if holder is None else (holder,),
            )
            slots[holder, kind] = slot
            indexed[_key(holder, kind, kinds, d)] = slot
    sides = tuple(dict.fromkeys(key[0] for key in indexed))
    several = tuple(Const(kind, d.kind_type) for kind in kinds)
    indices = (sides, several) if len(kinds) > 1 else (sides,)
    variable = StateVariable(HAND, NUMBER, indices, indexed, False, False, span)
    return Hands(variable, kinds, slots)


def _key(
    holder: int | None, kind: int, kinds: tuple[int, ...], d: Declarations
) -> tuple[Value, ...]:
    side = Const(-1 if holder is None else holder, d.side_type)
    return (side, Const(kind, d.kind_type)) if len(kinds) > 1 else (side,)


def hands_by_name(hands: Hands, d: Declarations) -> dict[str, dict[str, Slot]]:
    """Return the slots of hands by the names of side and kind; nobody is `neutral`."""
    named: dict[str, dict[str, Slot]] = {}
    for (holder, kind), slot in hands.slots.items():
        name = _NOBODY if holder is None else d.sides[holder]
        named.setdefault(name, {})[d.kind_type.values[kind]] = slot
    return named
