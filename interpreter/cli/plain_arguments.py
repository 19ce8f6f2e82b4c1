"""The arguments of a command where they are plain: read without typer, which takes longer to begin
than many commands take to answer.

In: a function with annotated parameters, and what was typed after its name. Out: its keyword
arguments, as typer would read them; None where anything else was typed than words, numbers and
options that the command has. What then holds: whatever is wrong, abbreviated or asks for help is
told by typer, in its words; this module has none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin

import typer
from typer.models import ArgumentInfo, OptionInfo

_KNOWN = {
    "default",
    "param_decls",
    "help",
    "metavar",
    "show_default",
    "autocompletion",
    "parser",
    "min",
    "max",
}
"""What may be said of a parameter that this module heeds, or that only help is made of."""
_WHOLE = re.compile(r"-?\d{1,15}", re.ASCII)
_DECIMAL = re.compile(r"\d{1,15}(\.\d{1,15})?", re.ASCII)


class _Unusual(Exception):
    """Something is to be read that this module leaves to typer."""


@dataclass(frozen=True)
class _Taken:
    """A parameter: its names if it is an option, `on` and `off` if it takes no value."""

    name: str
    info: OptionInfo | ArgumentInfo
    default: Any
    kind: Any
    is_list: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The options that set it, each with two dashes or one."""
        plain = "--" + self.name.replace("_", "-")
        declared = (self.info.default, *(self.info.param_decls or ()))
        names = tuple(name for name in declared if isinstance(name, str))
        return names or ((f"{plain}/--no-{plain[2:]}",) if self.kind is bool else (plain,))

    def read(self, text: str) -> Any:
        """Return the value that a text stands for. Raises _Unusual."""
        if self.info.parser is not None:
            try:
                return self.info.parser(text)
            except typer.BadParameter:
                raise _Unusual from None
        if self.kind is str:
            return text
        if self.kind is Path:
            return Path(text)
        if self.kind in (int, float):
            return self._number(text)
        if isinstance(self.kind, type) and issubclass(self.kind, Enum):
            found = [one for one in self.kind if one.value == text]
            if found:
                return found[0]
        raise _Unusual

    def _number(self, text: str) -> int | float:
        if not (_WHOLE if self.kind is int else _DECIMAL).fullmatch(text):
            raise _Unusual
        number: int | float = self.kind(text)
        low, high = self.info.min, self.info.max
        if (low is not None and number < low) or (high is not None and number > high):
            raise _Unusual
        return number


def plain_arguments(command: Callable[..., None], typed: Sequence[str]) -> Mapping[str, Any] | None:
    """Return the arguments with which typer would call a command; None where typer is needed.

    `typed` is what stands after the command's name. Each parameter of the command is annotated
    with a type and one `typer.Option` or `typer.Argument`.
    """
    try:
        return _read([_taken(one) for one in signature(command).parameters.values()], typed)
    except _Unusual:
        return None


def _taken(parameter: Parameter) -> _Taken:
    """Return what there is to know of a parameter. Raises _Unusual if there is more."""
    kind, info = get_args(parameter.annotation)
    usual = vars(typer.Option() if isinstance(info, OptionInfo) else typer.Argument())
    if any(told != usual[name] for name, told in vars(info).items() if name not in _KNOWN):
        raise _Unusual
    if NoneType in (parts := get_args(kind)):
        (kind,) = (part for part in parts if part is not NoneType)
    is_list = get_origin(kind) is list
    if is_list:
        (kind,) = get_args(kind)
    return _Taken(parameter.name, info, parameter.default, kind, is_list)


def _read(taken: Sequence[_Taken], typed: Sequence[str]) -> dict[str, Any]:
    """Return the values of all parameters by name. Raises _Unusual."""
    options, switches = _options(taken)
    found: dict[str, Any] = {}
    words: list[str] = []
    rest = iter(typed)
    for text in rest:
        if not text.startswith("-"):
            words.append(text)
        elif text in switches:
            _set(found, *switches[text])
        else:
            name, equals, value = text.partition("=") if text.startswith("--") else (text, "", "")
            if name not in options:
                raise _Unusual
            one = options[name]
            _set(found, one, one.read(value if equals else _value(rest)))
    positional = [one for one in taken if isinstance(one.info, ArgumentInfo)]
    for one, text in _placed(positional, words):
        _set(found, one, one.read(text))
    return {one.name: found[one.name] if one.name in found else _default(one) for one in taken}


def _options(taken: Sequence[_Taken]) -> tuple[dict[str, _Taken], dict[str, tuple[_Taken, bool]]]:
    """Return the options with a value by name, and those without, with what they say."""
    options: dict[str, _Taken] = {}
    switches: dict[str, tuple[_Taken, bool]] = {}
    for one in taken:
        for name in one.names if isinstance(one.info, OptionInfo) else ():
            if one.kind is bool:
                on, _, off = name.partition("/")
                switches[on] = one, True
                if off:
                    switches[off] = one, False
            else:
                options[name] = one
    return options, switches


def _value(rest: Iterator[str]) -> str:
    """Return the value after an option. Raises _Unusual if there is none, or another option."""
    text = next(rest, "-")
    if text.startswith("-"):
        raise _Unusual
    return text


def _set(found: dict[str, Any], one: _Taken, value: Any) -> None:
    """Note a value of a parameter. Raises _Unusual if it has one and takes no list."""
    if one.is_list:
        found.setdefault(one.name, []).append(value)
    elif one.name in found:
        raise _Unusual
    else:
        found[one.name] = value


def _placed(positional: Sequence[_Taken], words: Sequence[str]) -> Iterator[tuple[_Taken, str]]:
    """Yield the words with the parameters that they stand for, in order. Raises _Unusual."""
    left = list(words)
    for one in positional:
        number = len(left) if one.is_list else 1
        yield from ((one, text) for text in left[:number])
        del left[:number]
    if left or any(one.is_list for one in positional[:-1]):
        raise _Unusual


def _default(one: _Taken) -> Any:
    """Return what a parameter is that was not given. Raises _Unusual if it has to be."""
    if one.default is Parameter.empty:
        raise _Unusual
    return one.default if one.info.parser is None else one.read(one.default)
