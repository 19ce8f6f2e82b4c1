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

import os
from threading import Lock
from weakref import WeakValueDictionary

from gdl.data_classes import dataclass


@dataclass(frozen=True, eq=False)
class Type:
    """A type by its name; a choice (sides, kinds, directions, names) lists its `values`.

    Equal types are one object: they are compared all the time while a game is compiled.
    """

    name: str
    values: tuple[str, ...] = ()

    def __new__(cls, name: str, values: tuple[str, ...] = ()) -> Type:
        """Return the type of this name and these values, a new one if there is none yet."""
        with _lock:
            return _known.setdefault((name, values), object.__new__(cls))

    def __reduce__(self) -> tuple[type[Type], tuple[str, tuple[str, ...]]]:
        """Return how a type is made again that was written to a file."""
        return Type, (self.name, self.values)

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


_lock = Lock()


def _renew_lock() -> None:
    """Let no thread hold the lock, in a process that was forked: it has no other thread."""
    global _lock
    _lock = Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)

_known: WeakValueDictionary[tuple[str, tuple[str, ...]], Type] = WeakValueDictionary()

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
