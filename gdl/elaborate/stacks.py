"""The section `stacks`: whether pieces may stand upon each other, and how high.

In: the document of a game, and its pieces. Out: the slots of piles. What then holds: a pile of the
greatest height fits into them.
"""

from __future__ import annotations

from gdl.core.nodes import Slot
from gdl.core.operations import WIDEST
from gdl.core.piles import Piles, width_of_digits
from gdl.core.types import NUMBER, SITES
from gdl.diagnostic import first_names, suggest
from gdl.document.nodes import Mapping as Document
from gdl.elaborate import coerce
from gdl.elaborate import expressions as ex
from gdl.elaborate.piles import FUNCTIONS
from gdl.elaborate.scope import Declarations, Problem, Scope, Silent, problem
from gdl.elaborate.sections import parsed
from gdl.syntax import tree as t

_MOST_BITS = WIDEST // 8


def read_stacks(document: Document, d: Declarations) -> Piles | None:
    """Return the slots of a game's piles; None where it has none, or after an error."""
    if document.get("stacks") is None:
        return None
    declared = parsed(document.get("stacks"), "stacks", d.report)
    try:
        if declared is not None:
            return _piles(declared, d)
    except Problem as error:
        d.report.add(error.diagnostic)
    except Silent:
        pass
    d.broken |= {"stacks", *FUNCTIONS}
    return None


def _piles(declared: t.Stacks, d: Declarations) -> Piles:
    most = coerce.constant_number(ex.whole(declared.most, Scope(d, None, None)), declared.most.span)
    if most < 2:
        raise problem(
            "out-of-range",
            f"A pile of {most} is none: the most pieces of a pile are 2 or more.",
            declared.most.span,
            "Leave `stacks` out where a site has one piece at most.",
        )
    kinds = _coverable(declared, d)
    coverable = tuple(slot for (kind, _), slot in d.layers.items() if kind in kinds)
    width = width_of_digits(len(coverable))
    if width * (most - 1) > _MOST_BITS:
        raise problem(
            "too-large",
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
        {layer: Slot(f"{layer.name} beneath", SITES, True, span=span) for layer in coverable},
    )


def _coverable(declared: t.Stacks, d: Declarations) -> set[int]:
    """Return the kinds that may have others upon them, by number."""
    names = [kind.name for kind in d.kinds]
    for name in declared.kinds or ():
        if name.name not in names:
            raise problem(
                "unknown-name",
                f"There is no kind `{name.name}`.",
                name.span,
                suggest(name.name, names) or f"The kinds are: {first_names(names)}.",
            )
        d.used.add(name.name)
    listed = names if declared.kinds is None else [name.name for name in declared.kinds]
    return {names.index(name) for name in listed}
