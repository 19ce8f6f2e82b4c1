"""Options and arguments as types of a command's parameters, and what click makes of them.

In: a function with parameters such as `seed: Annotated[int, option(help="…")] = 0`. Out: a command
of click. What then holds: what the command line says of a parameter has the parameter's type.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from functools import partial
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import click
from click.shell_completion import CompletionItem

from gdl.data_classes import dataclass
from gdl.interpreter.cli.output import wants_colour

Offers = Callable[[str], Mapping[str, str]]
"""From the game that is typed, or nothing, to what may be typed, each with what it is."""

_SHORT_NAMES = {"integer": "int", "integer range": "int range", "text": "str"}


@dataclass(frozen=True)
class Declaration:
    """What the command line says of a parameter, besides its name, its type and its default.

    `flags` are the names of an option: by default, that of the parameter with dashes. A number is
    from `least` to `most`. `parser` makes a value of what was typed; `check` returns the value, or
    another one, or raises `click.BadParameter`. It `offers` values where Tab is pressed.
    """

    is_argument: bool
    flags: tuple[str, ...]
    metavar: str | None
    help: str
    show_default: bool | str
    least: float | None
    most: float | None
    parser: Callable[[str], Any] | None
    check: Callable[[Any], Any] | None
    offers: Offers | None


def option(
    *flags: str,
    metavar: str | None = None,
    help: str = "",
    show_default: bool | str = True,
    min: float | None = None,
    max: float | None = None,
    parser: Callable[[str], Any] | None = None,
    check: Callable[[Any], Any] | None = None,
    offers: Offers | None = None,
) -> Declaration:
    """Declare an option. `Declaration` says what all this is."""
    return Declaration(False, flags, metavar, help, show_default, min, max, parser, check, offers)


def argument(
    metavar: str,
    *,
    help: str = "",
    min: float | None = None,
    offers: Offers | None = None,
) -> Declaration:
    """Declare an argument. `Declaration` says what all this is."""
    return Declaration(True, (), metavar, help, False, min, None, None, None, offers)


class _HelpFormatter(click.HelpFormatter):
    """Help whose headings and names are marked, on a terminal that shows it."""

    def write_heading(self, heading: str) -> None:
        super().write_heading(_styled(heading, bold=True))

    def write_dl(self, rows: Iterable[tuple[str, str]], *args: Any, **more: Any) -> None:
        super().write_dl([(_styled(name, fg="cyan"), told) for name, told in rows], *args, **more)


def _styled(text: str, **style: Any) -> str:
    return click.style(text, **style) if wants_colour() else text


class HelpContext(click.Context):
    """What click knows of a command as it runs; its help is written as all help of `gdl`."""

    formatter_class = _HelpFormatter


class _Command(click.Command):
    context_class = HelpContext


def command_of(function: Callable[..., None], name: str, epilog: str) -> click.Command:
    """Return a command that calls a function, whose parameters are declared and not as strings."""
    params = [_declared(parameter) for parameter in inspect.signature(function).parameters.values()]
    return _Command(
        name, params=params, callback=function, help=inspect.getdoc(function), epilog=epilog
    )


def _declared(parameter: inspect.Parameter) -> click.Parameter:
    hint, declaration = get_args(parameter.annotation)
    assert get_origin(parameter.annotation) is Annotated and isinstance(declaration, Declaration)
    taken = _without_none(hint)
    is_list = get_origin(taken) is list
    item = get_args(taken)[0] if is_list else taken
    required = parameter.default is inspect.Parameter.empty
    default = None if required else parameter.default
    more: dict[str, Any] = {
        "type": _type(item, declaration),
        "required": required,
        "metavar": declaration.metavar,
        "help": declaration.help,
        "callback": _callback(declaration, default, is_list),
    }
    if not is_list and default is not None:
        more["default"] = str(default) if isinstance(default, StrEnum) else default
    if offers := declaration.offers:
        more["shell_complete"] = partial(_completed, offers)
    if declaration.is_argument:
        return _Argument([parameter.name], nargs=-1 if is_list else 1, **more)
    dashed = parameter.name.replace("_", "-")
    if item is bool:
        more["is_flag"] = True
        flags = declaration.flags or (f"--{dashed}/--no-{dashed}",)
    else:
        flags = declaration.flags or (f"--{dashed}",)
        more["metavar"] = declaration.metavar or _metavar(more["type"])
    return click.Option(
        [parameter.name, *flags], multiple=is_list, show_default=declaration.show_default, **more
    )


def _completed(
    offers: Offers, context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem[str]]:
    """Return what is offered that begins so, for the game among the words that were typed."""
    game = next((str(word) for word in (context.params.get("game"), *context.args) if word), "")
    offered = offers(game).items()
    return [CompletionItem(value, help=told) for value, told in offered if value.startswith(begun)]


def _without_none(hint: Any) -> Any:
    if get_origin(hint) not in (Union, UnionType):
        return hint
    (one,) = (part for part in get_args(hint) if part is not NoneType)
    return one


def _type(item: Any, declaration: Declaration) -> click.ParamType[Any]:
    """Return the type of click that reads one value."""
    least, most = declaration.least, declaration.most
    has_bounds = least is not None or most is not None
    if declaration.parser is not None:
        return click.types.FuncParamType(declaration.parser)
    if item is int:
        return click.IntRange(_whole(least), _whole(most)) if has_bounds else click.INT
    if item is float:
        return click.FloatRange(least, most) if has_bounds else click.FLOAT
    if item is Path:
        return click.Path(path_type=Path)
    if issubclass(item, StrEnum):
        return _Choice(item)
    return {bool: click.BOOL, str: click.STRING}[item]


def _whole(bound: float | None) -> int | None:
    return None if bound is None else int(bound)


def _metavar(kind: click.ParamType[Any]) -> str:
    if isinstance(kind, _Choice):
        return f"<{'|'.join(kind.choices)}>"
    return f"<{_SHORT_NAMES.get(kind.name, kind.name)}>"


def _callback(declaration: Declaration, default: Any, is_list: bool) -> Callable[..., Any]:
    def called(context: click.Context, parameter: click.Parameter, value: Any) -> Any:
        if is_list:
            return list(value) if value else default
        return value if declaration.check is None else declaration.check(value)

    return called


class _Choice(click.Choice[StrEnum]):
    """One of the members of an enumeration, typed by its value."""

    def normalize_choice(self, choice: object, ctx: click.Context | None) -> str:
        return str(choice)


class _Argument(click.Argument):
    """An argument whose place in the command line says whether it is required."""

    def get_usage_pieces(self, ctx: click.Context) -> list[str]:
        name = self.make_metavar(ctx)
        if self.required:
            return [f"{{{name}}}"]
        return [name if name.startswith("[") else f"[{name}]"]

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        name, told = super().get_help_record(ctx)
        return name, f"{told}  [required]" if self.required else told
