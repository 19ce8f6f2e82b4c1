"""Values while code is written for them: where they are, and what is known of them.

In: names of registers. Out: `Sites`, `Number`, `Flag`. What then holds: a number lies in its
range, so its register is wide enough for it; nothing ever overflows on the way.
"""

from __future__ import annotations

from gdl.analysis.ranges import Range
from gdl.data_classes import dataclass
from gdl.interpreter.native.emit.kinds import Address, Bit, Integer, Mask, Word


@dataclass
class Sites:
    """A set of sites.

    `mask` is the register (or, on large boards, the address) of the set, if it is made; `site`
    the register (i64) of the index of its one site, -1 if there is none, where the set is known
    to have one site at most. `is_there` tells that it is known to have one.

    On large boards, a set may also be `few`: registers of indices of sites (i64), ascending, each
    with that of whether it is in the set (i1); `known`: a constant; or `joined`: an operation on
    sets that is only carried out for the parts of the set that are looked at. It lies `within` a
    known set, unless that is None.
    """

    mask: Mask | Address | None = None
    site: Word | None = None
    is_there: bool = False
    few: tuple[tuple[Word, Bit], ...] | None = None
    known: int | None = None
    joined: tuple[str, tuple[Sites, ...]] | None = None
    within: int | None = None


@dataclass(frozen=True)
class Number:
    """A number: the register of its numerator, whose bounds and denominator are in `range`."""

    register: Integer
    range: Range


@dataclass(frozen=True)
class Flag:
    """A condition, in a register i1."""

    register: Bit


def known_number(value: int) -> Number:
    """Return a known number."""
    return Number(Integer(str(value)), Range(value, value))


Value = Sites | Number | Flag
