"""What is said of a thing that is in a set: `empty`, `on the top side`, `one of your pieces`.

In: a node that stands for a set, in its context. Out: a `Trait`. What then holds: as for nouns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gdl.core.types import SITES
from gdl.interpreter.english import (
    Trait,
    a,
    in_words,
    listed,
    owned,
    possessive,
)
from gdl.interpreter.words.context import Argument, Context, Say
from gdl.interpreter.words.sets import REGIONS, SORTS, kind_of
from gdl.syntax import tree as t

_LONGEST = 90
_CLAUSES = ("that ", "for which ")


def trait(node: t.Expression, at: Context, say: Say, of_piece: bool) -> Trait:
    """Return what is said of a thing that is in a set."""
    if isinstance(node, t.Name):
        spoken = at.words.get(node.name)
        if isinstance(spoken, Argument):
            return say.trait(spoken.node, spoken.at, of_piece=of_piece)
        if spoken is None:
            known = _known_trait(node.name, at, of_piece)
            if known is not None:
                return known
    body = _short_body(node, at)
    if body is not None:
        told_body = say.trait(*body, of_piece=of_piece)
        if len(told_body.text) <= _LONGEST:
            return told_body
    if isinstance(node, t.Operation):
        match node.operator:
            case "|" | "&" as operator:
                operands: Sequence[t.Expression] = node.operands
                if operator == "&":
                    operands = _with_kind_of_side(node, at)
                if len(operands) == 1:
                    told = say.noun(operands[0], at)
                    return Trait(told.one if of_piece else f"held by {told.one}", not of_piece)
                parts = [say.trait(one, at, of_piece=of_piece) for one in operands]
                return _joined(parts, "or" if operator == "|" else "and")
            case "-" if len(node.operands) == 2:
                among, without = (say.trait(one, at, of_piece=of_piece) for one in node.operands)
                if at.is_everything(node.operands[0]):
                    return without.negated
                return _joined([among, without.negated], "and")
            case "when":
                settled = at.settled(node.operands[1])
                one = say.trait(node.operands[0], at, of_piece=of_piece)
                if settled is True:
                    return one
                return Trait(f"{one.text} if {say.holds(node.operands[1], at)}", one.is_place)
    if isinstance(node, t.Conditional) and (known := at.settled(node.condition)) is not None:
        return say.trait(node.then if known else node.otherwise, at, of_piece=of_piece)
    if isinstance(node, t.Call) and at.is_relation(node.function) and len(node.arguments) == 1:
        way, start = say.way(node.function, at), say.noun(node.arguments[0], at)
        return Trait(way.of(start.one), True)
    kind = kind_of(node, at)
    if kind:
        told_kind = a(in_words(kind))
        return Trait(told_kind) if of_piece else Trait(f"held by {told_kind}", True)
    told = say.noun(node, at)
    if told.is_one:
        is_site = told.kind == "site" and of_piece
        return Trait(f"on {told.one}", True) if is_site else Trait(told.one)
    if told.many.startswith(("row ", "column ", "rows ", "columns ")):
        return Trait(f"in {told.many}", True)
    if re.fullmatch("the (?!.* and ).* side", told.many):
        return Trait(f"on {told.many}", True)
    if told.kind == "piece" and not of_piece and told.one.startswith("one of"):
        return Trait(f"held by {told.one}", True)
    if told.one.startswith("a site of "):
        return Trait(f"in {told.many}", True)
    if told.is_part and told.one.startswith("one of "):
        return Trait(f"on {told.one}", True)
    rest = told.one.removeprefix("a piece " if of_piece else "a site ").removeprefix("a site ")
    if rest != told.one:
        return Trait(told.one, clause=rest) if rest.startswith(_CLAUSES) else Trait(rest, True)
    return Trait(told.one)


def _with_kind_of_side(node: t.Operation, at: Context) -> Sequence[t.Expression]:
    """Return the parts of an intersection; a side and a kind in it are one: its pieces of it."""
    sides = [one for one in node.operands if (of := at.type_of(one)) and of.name == "side"]
    kinds = [one for one in node.operands if kind_of(one, at)]
    if not (sides and kinds):
        return node.operands
    pair = sides[0], kinds[0]
    if len(node.operands) == len(pair):
        return (node,)
    return (t.Operation(node.span, "&", pair), *(x for x in node.operands if x not in pair))


def _joined(parts: Sequence[Trait], joint: str) -> Trait:
    """Return the trait of what is all that is said, or one of it, by the joint."""
    told, other = [one.text for one in parts], [one.negated.text for one in parts]
    if joint == "or" and len(parts) == 2 and not any(one.otherwise for one in parts):
        otherwise = f"neither {told[0]} nor {told[1]}"
    else:
        otherwise = listed(other, "and" if joint == "or" else "or")
    return Trait(listed(told, joint), all(one.is_place for one in parts), otherwise=otherwise)


def _short_body(node: t.Expression, at: Context) -> tuple[t.Expression, Context] | None:
    """Return what a definition without a caption stands for, if that is made of sets; else None."""
    arguments: tuple[t.Expression, ...] = ()
    if isinstance(node, t.Call) and isinstance(node.function, t.Name):
        name, arguments = node.function.name, node.arguments
    elif isinstance(node, t.Name):
        name = node.name
    else:
        return None
    found = at.opened(name, arguments)
    if found is None or found[0].says or found[0].from_prelude:
        return None
    if found[0].result == "sites" and not arguments:
        return None
    if at.differs_by_side(name, len(arguments)):
        return None
    is_made = isinstance(found[0].body, t.Operation | t.Conditional)
    return (found[0].body, found[1]) if is_made else None


def _known_trait(name: str, at: Context, of_piece: bool) -> Trait | None:
    d, voice = at.scope.declarations, at.voice
    if name in ("own", "mover") and (name == "own" or at.scope.mover == at.scope.own):
        return (
            Trait(f"one of {owned(voice.owns, at.kind_word()).many}")
            if of_piece
            else Trait(f"held by {voice.own}", True)
        )
    if name == "enemy":
        told = owned(voice.enemies, at.kind_word())
        return Trait(told.one) if of_piece else Trait(f"held by {voice.enemy}", True)
    if name in d.sides:
        return Trait(f"one of {possessive(name)}") if of_piece else Trait(f"held by {name}", True)
    match name:
        case "empty":
            return Trait("empty")
        case "occupied":
            return Trait("occupied")
        case "all":
            return Trait("on the board", True)
        case "none":
            return Trait("nowhere")
    if name in d.board.regions and name in SORTS:
        return SORTS[name][1]
    if name in d.board.regions:
        return Trait(
            f"{'in' if name == 'interior' else 'on'} {REGIONS.get(name, f'the {in_words(name)}')}",
            True,
        )
    if name in d.state and d.state[name].type == SITES:
        words = in_words(name)
        return Trait(words if " " not in words else f"one of the {words} sites")
    return None
