"""Data classes that are quick to define: the functions of each are made when it is first used.

In: classes with annotated fields, as `dataclasses.dataclass` takes them. Out: the same classes.
What then holds: they are data classes of the standard library's and do what those do, but one is
defined in a small part of the time. Of some hundreds that are loaded, few are used in a run.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable, Iterable, Iterator
from reprlib import recursive_repr
from threading import RLock
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, init=True, eq=True, frozen=False):
        """Return a class as a data class, or what makes a class one.

        >>> @dataclass(frozen=True)
        ... class Point:
        ...     x: int
        ...     y: int = 0
        >>> Point(1), Point(1) == Point(1, 0), len({Point(1), Point(1)})
        (Point(x=1, y=0), True, 1)
        """

        def decorate(decorated):
            return _with_functions(decorated, init=init, eq=eq, frozen=frozen)

        return decorate if cls is None else decorate(cls)


Known = dict[str, Any]
"""What a function that is written knows by name."""

_NAMES = ("__init__", "__eq__", "__hash__")
_at_work = RLock()
"""Held while fields are noted: those of a class and of what it derives from."""


def _renew_lock() -> None:
    """Let no thread hold the lock, in a process that was forked: it has no other thread."""
    global _at_work
    _at_work = RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


class _NotGiven:
    """What a parameter has if its value is to be made."""

    def __repr__(self) -> str:
        return "<made anew>"


_NOT_GIVEN: Any = _NotGiven()


def _with_functions(cls: type, *, init: bool, eq: bool, frozen: bool) -> type:
    """Return a class that notes its fields, and writes its functions, when it is asked for them."""
    own = dict(vars(cls))
    is_hashed = own.get("__hash__") is not None or ("__hash__" in own and "__eq__" not in own)
    functions: dict[str, Any] = {"__repr__": _shown, "__match_args__": _Places(cls)}
    if init:
        functions["__init__"] = _written_when_called(cls, _filled if frozen else _assigned)
    if eq:
        functions["__eq__"] = _written_when_called(cls, _compared)
    if frozen:
        functions |= {"__setattr__": _not_set, "__delattr__": _not_deleted}
    functions = {name: function for name, function in functions.items() if name not in own}
    if eq and not is_hashed:
        functions["__hash__"] = _written_when_called(cls, _hashed) if frozen else None
    functions["__dataclass_fields__"] = _Noted(cls)
    for name, function in functions.items():
        setattr(cls, name, function)
    if any(isinstance(value, dataclasses.Field) for value in own.values()):
        dataclasses.fields(cls)  # What stands for a default has to leave its place.
    return cls


class _Noted:
    """The fields of a class, which the standard library notes when they are first asked for."""

    def __init__(self, cls: type) -> None:
        self._cls = cls

    def __get__(self, instance: object, owner: type) -> Any:
        cls = self._cls
        with _at_work:
            if vars(cls)["__dataclass_fields__"] is self:
                dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False)(cls)
            return vars(cls)["__dataclass_fields__"]


class _Places:
    """The names of the fields that a pattern may give by their places, worked out once."""

    def __init__(self, cls: type) -> None:
        self._cls = cls

    def __get__(self, instance: object, owner: type) -> tuple[str, ...]:
        fields = dataclasses.fields(self._cls)
        names = tuple(field.name for field in fields if field.init and not field.kw_only)
        type.__setattr__(self._cls, "__match_args__", names)
        return names


def _written_when_called(cls: type, write: Callable[[type, Known], Iterator[str]]) -> Any:
    """Return a function of a class that puts another in its place, and then does what that does."""

    def first(*arguments: Any, **named: Any) -> Any:
        known: Known = {}
        exec("\n ".join(write(cls, known)), known)
        ((name, function),) = ((name, known[name]) for name in _NAMES if name in known)
        function.__qualname__ = f"{cls.__qualname__}.{name}"
        setattr(cls, name, function)
        return function(*arguments, **named)

    return first


def _assigned(cls: type, known: Known) -> Iterator[str]:
    """Yield the lines of the function that fills a new object."""
    yield _head(cls, known)
    for name, value in _values(cls):
        yield f"self.{name} = {value}"
    yield _end(cls)


def _filled(cls: type, known: Known) -> Iterator[str]:
    """Yield the lines of the function that fills a new object which is frozen."""
    yield _head(cls, known)
    # Its dictionary is filled in half the time of that many calls which pass the freezing by.
    yield f"self.__dict__.update({', '.join(f'{name}={value}' for name, value in _values(cls))})"
    yield _end(cls)


def _head(cls: type, known: Known) -> str:
    """Return the line with the parameters; let their defaults be known."""
    known["not_given"] = _NOT_GIVEN
    places: list[str] = ["self"]
    by_name: list[str] = []
    for field in dataclasses.fields(cls):
        default = ""
        if field.default_factory is not dataclasses.MISSING:
            known[f"new_{field.name}"] = field.default_factory
            default = "=not_given"
        elif field.default is not dataclasses.MISSING:
            known[f"usual_{field.name}"] = field.default
            default = f"=usual_{field.name}"
        if field.init:
            (by_name if field.kw_only else places).append(field.name + default)
    return f"def __init__({', '.join((*places, *(['*', *by_name] if by_name else ())))}):"


def _values(cls: type) -> Iterator[tuple[str, str]]:
    """Yield the fields that are given a value when an object is made, and that value."""
    for field in dataclasses.fields(cls):
        name = field.name
        if field.default_factory is dataclasses.MISSING:
            if field.init:
                yield name, name
        elif field.init:
            yield name, f"new_{name}() if {name} is not_given else {name}"
        else:
            yield name, f"new_{name}()"


def _end(cls: type) -> str:
    return "self.__post_init__()" if hasattr(cls, "__post_init__") else "pass"


def _compared(cls: type, known: Known) -> Iterator[str]:
    """Yield the lines of the function that tells whether two objects are equal."""
    compared = [field.name for field in dataclasses.fields(cls) if field.compare]
    yield "def __eq__(self, other):"
    yield "if self is other: return True"
    yield "if other.__class__ is not self.__class__: return NotImplemented"
    yield f"return {_tuple_of('self', compared)} == {_tuple_of('other', compared)}"


def _hashed(cls: type, known: Known) -> Iterator[str]:
    """Yield the lines of the function that gives the hash of an object."""
    compared = [
        field.name
        for field in dataclasses.fields(cls)
        if (field.compare if field.hash is None else field.hash)
    ]
    yield "def __hash__(self):"
    yield f"return hash({_tuple_of('self', compared)})"


def _tuple_of(whole: str, names: Iterable[str]) -> str:
    return f"({''.join(f'{whole}.{name}, ' for name in names)})"


@recursive_repr()
def _shown(self: Any) -> str:
    shown = (f"{f.name}={getattr(self, f.name)!r}" for f in dataclasses.fields(self) if f.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _not_set(self: Any, name: str, value: Any) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _not_deleted(self: Any, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")
