"""Pieces told by numbers: the first, the second of a kind and side, wherever they have gone.

In: what stands on each site, position by position. Out: `PieceNumbers`. What then holds: a piece
that moved is the same piece as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field

from gdl.data_classes import dataclass
from gdl.model import Layer

_Layers = tuple[Layer | None, ...]
_Pile = tuple[tuple[Layer | None, int], ...]


@dataclass(frozen=True)
class PieceNumbers:
    """What stands on each site, the lowest first, each with its number, from 1.

    Pieces of one layer are counted in the order in which they came; `counted` is how many did.
    """

    piles: Mapping[int, _Pile] = field(default_factory=dict)
    counted: Mapping[Layer | None, int] = field(default_factory=dict)

    def then(self, standing: Iterable[tuple[int, _Layers]]) -> PieceNumbers:
        """Return the numbers in the next position, of which is given what stands where.

        What is gone from one site and has come to another, of the same layer, is the same piece.
        """
        now = dict(sorted(standing))
        piles, gone = dict[int, _Pile](), list[tuple[Layer | None, int]]()
        for site, pile in self.piles.items():
            kept = _common(pile, now.get(site, ()))
            gone.extend(pile[kept:])
            piles[site] = pile[:kept]
        counted = dict(self.counted)
        for site, layers in now.items():
            for layer in layers[len(piles.get(site, ())) :]:
                piece = next((one for one in gone if one[0] is layer), None)
                if piece is None:
                    counted[layer] = counted.get(layer, 0) + 1
                    piece = layer, counted[layer]
                else:
                    gone.remove(piece)
                piles[site] = (*piles.get(site, ()), piece)
        return PieceNumbers({site: pile for site, pile in piles.items() if pile}, counted)


def _common(pile: _Pile, layers: _Layers) -> int:
    """Return how many pieces at the bottom of a pile are as they were."""
    pairs = enumerate(zip(pile, layers, strict=False))
    least = min(len(pile), len(layers))
    return next((n for n, (piece, layer) in pairs if piece[0] is not layer), least)
