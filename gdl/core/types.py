"""The types of the core: what values a slot or an expression can have.

| type       | value in Python                                                   |
|------------|-------------------------------------------------------------------|
| `SITES`    | `int`, a set of sites as bits; a single site is a set of one      |
| `NUMBER`   | `int`                                                             |
| `FRACTION` | `int` or `fractions.Fraction`, exact                              |
| `FLAG`     | `bool`                                                            |
| a choice   | `int`, the place in `values`; -1 stands for none of them          |
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Type:
    """A type by its name; a choice (sides, kinds, directions, names) lists its `values`."""

    name: str
    values: tuple[str, ...] = ()

    def __hash__(self) -> int:
        """Return a number that equal types share, soon worked out."""
        return hash(self.name)

    @property
    def is_choice(self) -> bool:
        """Whether the type is a list of named values."""
        return bool(self.values)

    @property
    def is_numeric(self) -> bool:
        """Whether its values can be added."""
        return self in (NUMBER, FRACTION)

    def __str__(self) -> str:
        return _WORDS.get(self.name, self.name)


SITES = Type("sites")
NUMBER = Type("number")
FRACTION = Type("fraction")
FLAG = Type("flag")

_WORDS = {
    "sites": "a set of sites",
    "number": "a number",
    "fraction": "a fraction",
    "flag": "yes or no",
    "side": "a side",
    "kind": "a kind of piece",
    "name": "a name",
    "direction": "a direction",
}
