"""Piles: where the pieces are kept that stand upon each other on one site.

In: nothing. Out: `Piles`, which tells what a position's values say of a pile, and what values say
so. What then holds: the layers have the uppermost piece of each pile, as they have the only piece
of a site in any other game; a pile without anything under its uppermost piece has zeros elsewhere.

What lies under the uppermost piece is one number a site, made of digits of `width` bits: the
number of a layer in `coverable`, the last digit for the piece next to the uppermost one. Rules that
never ask for the order of pieces do without that number, and so with all other slots here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property

from gdl.core.nodes import Slot
from gdl.data_classes import dataclass

Pile = tuple[Slot | None, ...]
"""The pieces of a pile by their layers, the lowest first; None for one that nothing is known of."""


@dataclass(frozen=True, eq=False)
class Piles:
    """The slots of piles of at most `most` pieces.

    `height` has how many pieces are on each site, `under` the digits of all but the uppermost, and
    `beneath`, by layer, the sites with such a piece under another.
    """

    most: int
    coverable: tuple[Slot, ...]
    height: Slot
    under: Slot
    beneath: Mapping[Slot, Slot]

    @cached_property
    def width(self) -> int:
        """The bits of a digit."""
        return width_of_digits(len(self.coverable))

    @property
    def slots(self) -> tuple[Slot, ...]:
        """All slots."""
        return (self.height, self.under, *self.beneath.values())

    def values(self, piles: Mapping[int, Sequence[Slot | None]], size: int) -> dict[Slot, object]:
        """Return what all slots hold with piles on some of `size` sites, those of layers apart."""
        heights, unders = [0] * size, [0] * size
        beneath = dict.fromkeys(self.beneath, 0)
        for site, pile in piles.items():
            heights[site] = len(pile)
            for layer in pile[:-1]:
                unders[site] <<= self.width
                if layer is not None:
                    unders[site] |= self.coverable.index(layer)
                    beneath[layer] |= 1 << site
        return {
            self.height: tuple(heights),
            self.under: tuple(unders),
            **{self.beneath[layer]: sites for layer, sites in beneath.items()},
        }

    def fault(self, pile: Sequence[Slot | None], *, is_told: bool = True) -> str:
        """Return what is wrong with a pile, as a sentence, or an empty text.

        With `is_told`, each of its pieces has to be known.
        """
        if len(pile) > self.most:
            return f"This pile has {len(pile)} pieces, and {self.most} are the most."
        for layer in pile[:-1]:
            if layer is None and is_told:
                return "Here each piece of a pile has to be told."
            if layer is not None and layer not in self.coverable:
                return f"Nothing can stand upon a {layer.name}."
        return ""

    def pile(self, values: Mapping[Slot, object], site: int, top: Slot) -> Pile:
        """Return the pile on a site, as far as the slots that there are `values` of tell it.

        Where the order is not kept, what is known to lie under the uppermost piece comes last.
        """
        heights, unders = values.get(self.height), values.get(self.under)
        covered = max(0, heights[site] - 1) if isinstance(heights, tuple) else 0
        if isinstance(unders, tuple):
            digits = [unders[site] >> self.width * place for place in reversed(range(covered))]
            mask = (1 << self.width) - 1
            codes = (digit & mask for digit in digits)
            layers = dict(enumerate(self.coverable))
            return (*(layers.get(code) for code in codes), top)
        known = [layer for layer, slot in self.beneath.items() if _holds(values.get(slot), site)]
        unknown = [None] * (covered - len(known))
        return (*unknown, *known, top)


def width_of_digits(kinds: int) -> int:
    """Return how many bits tell one of so many kinds of piece from another."""
    return max(1, (kinds - 1).bit_length())


def _holds(sites: object, site: int) -> bool:
    return isinstance(sites, int) and bool(sites >> site & 1)
