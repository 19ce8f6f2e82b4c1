"""The section `pieces`: kinds of piece, who has them, and their traits.

In: the document of a game. Out: kinds in the order of the file, and the type of each trait. What
then holds: a kind with traits stands for one kind a combination, named after its traits.
"""

from __future__ import annotations

import re
from dataclasses import field, replace
from itertools import product
from math import prod

from gdl.codes import Code
from gdl.core.nodes import Slot
from gdl.core.operations import WIDEST
from gdl.core.piles import Piles, width_of_digits
from gdl.core.types import NUMBER, Type
from gdl.data_classes import dataclass
from gdl.diagnostic import Facts, Report, first_names, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.expressions import expressions as ex
from gdl.elaborate.names.scope import Declarations, Kind, Problem, Scope, Silent, problem
from gdl.elaborate.pieces.piles import FUNCTIONS
from gdl.elaborate.relations import coerce
from gdl.elaborate.sections.sections import parsed
from gdl.syntax import tree as t

DEFAULT_KIND = "Stone"
_MOST_KINDS = 512


@dataclass
class Kinds:
    """The kinds of piece, the type of each trait by its name, and words that may be kinds.

    The last are in texts that can't be read, or are more than there may be.
    """

    listed: list[Kind] = field(default_factory=list)
    traits: dict[str, Type] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    are_too_many: bool = False


def read_kinds(document: Document, sides: Type, report: Report) -> Kinds:
    """Read the kinds of piece and who has them."""
    node = document.get("pieces")
    found = Kinds()
    entries = node.entries if isinstance(node, Document) else ()
    for text, value in ((node, None),) if isinstance(node, Scalar) else entries:
        traits = {} if value is None else _traits(value, report)
        listed = parsed(text, "piece_list", report)
        if listed is None:
            found.unread.update(re.findall(r"\w+", text.text))
        for entry in listed or ():
            _add(found, entry, traits, sides, report)
    if not found.listed:
        everyone = tuple(range(len(sides.values)))
        found.listed.append(Kind(DEFAULT_KIND, everyone, (node or document).span))
    return found


def _traits(node: Node, report: Report) -> dict[str, tuple[t.Name, ...]]:
    """Return the words of each trait of a kind."""
    if isinstance(node, Scalar) and node.text.strip():
        report.error(
            Code.WRONG_SHAPE,
            "What follows a kind of piece are its traits, each with its words.",
            node.span,
            "Write for instance `{size: (small, large)}`; symbols stand under `display`.",
            facts=Facts(sections=("pieces",)),
        )
    found: dict[str, tuple[t.Name, ...]] = {}
    for key, value in node.entries if isinstance(node, Document) else ():
        words = _words(value, report)
        if len(words) == 1:
            report.error(
                Code.WRONG_VALUE,
                "A trait has two words or more.",
                words[0].span,
                "What all pieces have tells none of them from another.",
            )
        if words:
            found[key.text] = words
    if len(found) == 1 and all(len(words) > 1 for words in found.values()):
        listed = ", ".join(word.name for words in found.values() for word in words)
        report.error(
            Code.WRONG_VALUE,
            "The words of a trait alone are kinds of piece of their own.",
            node.span,
            f"List them as kinds, `pieces: {listed}`; a definition has what they have in common.",
            facts=Facts(sections=("pieces",)),
        )
    return found


def _words(node: Node, report: Report) -> tuple[t.Name, ...]:
    """Return the words of a trait: with commas, perhaps in parentheses."""
    if isinstance(node, Scalar) and not node.text.startswith("("):
        return tuple(parsed(node, "names", report) or ())
    listed = parsed(node, "expression", report)
    words = listed.items if isinstance(listed, t.Listing) else (listed,)
    return tuple(word for word in words if isinstance(word, t.Name))


def _add(
    found: Kinds,
    entry: t.PieceEntry,
    traits: dict[str, tuple[t.Name, ...]],
    sides: Type,
    report: Report,
) -> None:
    *before, name = entry.words
    owners = _owners(before, sides, report)
    if len(found.listed) + prod(map(len, traits.values())) > _MOST_KINDS:
        found.unread.add(name.name)
        if not found.are_too_many:
            found.are_too_many = True
            report.error(
                Code.TOO_LARGE,
                f"These are more than {_MOST_KINDS} kinds of piece.",
                name.span,
                "Every combination of traits is a kind: give fewer traits."
                if traits
                else "Give fewer; pieces that differ in a number may be one kind with a variable.",
            )
        return
    for words in product(*traits.values()):
        names = tuple(word.name for word in words)
        words_of_several = names if len(names) > 1 else ()
        groups = (*words_of_several, name.name) if names else ()
        _add_one(found, Kind("_".join(names) or name.name, owners, name.span, groups), report)
    for trait, words in traits.items():
        found.traits[trait] = Type("name", tuple(word.name for word in words))


def _owners(before: list[t.Name], sides: Type, report: Report) -> tuple[int, ...]:
    owners = tuple(range(len(sides.values)))
    for word in before:
        if word.name == "neutral":
            owners = ()
        elif word.name in sides.values:
            owners = (sides.values.index(word.name),)
        else:
            report.error(
                Code.UNKNOWN_NAME,
                f"`{word.name}` is no player.",
                word.span,
                suggest(word.name, [*sides.values, "neutral"])
                or f"Before a kind stands `neutral` or one of: {', '.join(sides.values)}.",
                facts=Facts(word.name, sections=("players",)),
            )
    return owners


def _add_one(found: Kinds, kind: Kind, report: Report) -> None:
    if any(other.name == kind.name for other in found.listed):
        report.error(
            Code.DUPLICATE_NAME,
            f"There is a piece `{kind.name}` already.",
            kind.span,
            "Name each kind of piece once.",
            facts=Facts(kind.name, sections=("players",)),
        )
    else:
        found.listed.append(kind)


# ----------------------------------------------------------------------------- the section `stacks`

_MOST_BITS = WIDEST // 8


def read_stacks(document: Document, scope: Scope) -> Declarations:
    """Read `stacks`: return the declarations with the slots of a game's piles, if it has any."""
    d = scope.declarations
    if document.get("stacks") is None:
        return d
    declared = parsed(document.get("stacks"), "stacks", scope.report)
    try:
        if declared is not None:
            return replace(d, piles=_piles(declared, scope))
    except Problem as error:
        scope.report.add(error.diagnostic)
    except Silent:
        pass
    return d.without("stacks", *FUNCTIONS)


def _piles(declared: t.Stacks, scope: Scope) -> Piles:
    d = scope.declarations
    most = coerce.constant_number(ex.whole(declared.most, scope), declared.most.span)
    if most < 2:
        raise problem(
            Code.OUT_OF_RANGE,
            f"A pile of {most} is none: the most pieces of a pile are 2 or more.",
            declared.most.span,
            "Leave `stacks` out where a site has one piece at most.",
        )
    kinds = _coverable(declared, scope)
    coverable = tuple(slot for (kind, _), slot in d.layers.items() if kind in kinds)
    width = width_of_digits(len(coverable))
    if width * (most - 1) > _MOST_BITS:
        raise problem(
            Code.TOO_LARGE,
            f"Piles of {most} pieces of {len(coverable)} different ones are too large to keep.",
            declared.span,
            "Give a lower bound, or name the kinds that may have others upon them: "
            "`stacks: 50 of Man`.",
        )
    text = declared.span.text.strip()
    advice = f"`stacks: {text}` says how high a pile may be"
    advice += "." if declared.kinds is None else ", and which kinds may have others upon them."
    refused = f"A pile becomes higher than {most} pieces here"
    if declared.kinds is not None:
        refused += ", or a piece comes upon one that may have none upon it"
    span = declared.span
    return Piles(
        most,
        coverable,
        Slot("height", NUMBER, True, True, 0, most, span, advice, refused=f"{refused}."),
        Slot("under", NUMBER, True, True, 0, (1 << width * (most - 1)) - 1, span),
        {
            layer: replace(
                layer, name=f"{layer.name} beneath", span=span, family=("beneath", *layer.family)
            )
            for layer in coverable
        },
    )


def _coverable(declared: t.Stacks, scope: Scope) -> set[int]:
    """Return the kinds that may have others upon them, by number."""
    names = [kind.name for kind in scope.declarations.kinds]
    for name in declared.kinds or ():
        if name.name not in names:
            raise problem(
                Code.UNKNOWN_NAME,
                f"There is no kind `{name.name}`.",
                name.span,
                suggest(name.name, names) or f"The kinds are: {first_names(names)}.",
                facts=Facts(name.name, sections=("pieces",)),
            )
        scope.elaboration.used.add(name.name)
    listed = names if declared.kinds is None else [name.name for name in declared.kinds]
    return {names.index(name) for name in listed}
