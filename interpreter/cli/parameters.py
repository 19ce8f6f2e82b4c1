"""The options and arguments that commands share: as types of parameters, and in groups.

In: a command's function, one of whose parameters may be a group (`GameRequest` and its kin).
Out: the same function with a parameter for each field of the group, as the command line has it.
"""

from __future__ import annotations

import functools
import math
import os
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, fields, is_dataclass
from enum import StrEnum
from inspect import Parameter, Signature, signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from click.exceptions import BadParameter

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import refused
from gdl.document import read_source
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.process_limits import limited_by
from gdl.resources.budget import ENDLESS, USUAL, Budget, allowed

if TYPE_CHECKING:
    from gdl.interpreter.positions.position import Rules

_THREADS_A_CORE = 4


def most_threads() -> int:
    """Return how many threads there may be: more than some for each core only take memory."""
    return _THREADS_A_CORE * (os.cpu_count() or 1)


GameName = Annotated[
    str,
    argument(
        "GAME",
        help="The name of a shipped game, or the path of a game's file.",
        offers=completion.games,
    ),
]
GameOrSave = Annotated[
    str,
    argument(
        "GAME|SAVE",
        help="The name of a shipped game, or the path of a game's file or of a saved game;"
        " games.jsonl:3 is the third game of a file of `gdl match`.",
        offers=completion.games,
    ),
]
Options = Annotated[
    list[str] | None,
    option(
        "--option",
        metavar="NAME=VALUE",
        help="Set an option of the game; NAME=@FILE reads the value from a file. Repeatable.",
        show_default=False,
        offers=completion.options,
    ),
]
Variants = Annotated[
    list[str] | None,
    option(
        "--variant",
        metavar="NAME",
        help="Play a variant of the game. Repeatable.",
        show_default=False,
        offers=completion.variants,
    ),
]
Seed = Annotated[
    int | None,
    option(help="Where chance begins, so that it can be repeated.", show_default=False),
]
After = Annotated[
    str | None,
    option(
        metavar="MOVES", help="Play these moves first, with commas between.", show_default=False
    ),
]
Example = Annotated[
    str | None,
    option(
        metavar="NAME",
        help="Begin with an example of the game's file.",
        show_default=False,
        offers=completion.examples,
    ),
]
PositionFile = Annotated[
    Path | None,
    option(
        "--position",
        metavar="FILE|FEN",
        help="Begin with the position in a file: rows, JSON of `gdl show`, or a saved game; or with"
        " one in a line, as the game's file says.",
        show_default=False,
    ),
]


@dataclass(frozen=True)
class GameRequest:
    """A game that is asked for; `options` as `NAME=VALUE`."""

    game: GameName
    options: Options = None
    variants: Variants = None


@dataclass(frozen=True)
class StartRequest(GameRequest):
    """A position of a game that is asked for; `after` as moves with commas between."""

    after: After = None
    example: Example = None
    position: PositionFile = None


@dataclass(frozen=True)
class Request(StartRequest):
    """A position of a game, or of a saved game, that is asked for."""

    game: GameOrSave


@dataclass(frozen=True)
class OptionalRequest(Request):
    """A position of a game, or of a saved game; or no game, which stands for one to be chosen."""

    game: GameOrSave = ""


AsJson = Annotated[bool, option("--json", help="Print JSON.")]
AsMail = Annotated[
    bool,
    option("--mail", help="Print what can be mailed instead: what was played, and the whole game."),
]
AsSide = Annotated[
    str | None,
    option(
        "--as",
        metavar="SIDE",
        help="Show what this side sees, and no more.",
        show_default=False,
        offers=completion.sides,
    ),
]
Ascii = Annotated[bool, option("--ascii", help="Draw with ASCII characters only.")]


class Backend(StrEnum):
    """What plays the game: the interpreter that is the specification, or native code."""

    REFERENCE = "reference"
    NATIVE = "native"


BackendChoice = Annotated[
    Backend | None,
    option(
        "--backend",
        help="What plays the game. Native code is much faster.",
        show_default="native, where it can",
    ),
]
Threads = Annotated[
    int,
    option(min=1, max=most_threads(), help="How many threads share the work."),
]
Checked = Annotated[
    bool,
    option("--checked", help="Let native code look for faults of its own, more slowly."),
]

Processes = Annotated[
    int,
    option("--workers", min=1, max=most_threads(), help="How many processes share the work."),
]
Cluster = Annotated[
    str | None,
    option(metavar="ADDRESS", help="A scheduler of dask.distributed.", show_default=False),
]


_NUMBER = r"(\d{1,15}(?:\.\d{1,6})?)"
_BYTES = {"k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def finite(number: float | None) -> float | None:
    """Return a number that was given. Raises BadParameter for what is none, such as `nan`."""
    if number is not None and not math.isfinite(number):
        raise BadParameter(f"{number} is no number of seconds")
    return number


def read_budget(text: str) -> Budget:
    """Return the budget that the command line names, such as `10x,seconds=5,memory=2G`.

    A part is a number of times, or `none` for no limit of work, or a limit with its name.

    >>> read_budget("statements=1e6, memory=1.5G")
    Budget(times=1, statements=1000000, seconds=None, memory=1500000000)
    """
    told: dict[str, Any] = {}
    for part in text.lower().split(","):
        name, value = _limit(part.strip())
        if name in told:
            raise BadParameter(f"`{text}` says two things of the same")
        told[name] = value
    return Budget(**told)


def _limit(part: str) -> tuple[str, float | None]:
    """Return which limit of a budget a part of it sets, and to what."""
    if part == "none":
        return "times", None
    if (found := re.fullmatch(_NUMBER + "x", part)) and float(found[1]):
        return "times", float(found[1])
    if (found := re.fullmatch(f"seconds={_NUMBER}", part)) and float(found[1]):
        return "seconds", float(found[1])
    if (found := re.fullmatch(f"statements={_NUMBER}(?:e(\\d\\d?))?", part)) and float(found[1]):
        most = float(found[1]) * 10 ** int(found[2] or 0)
        return "statements", min(ENDLESS, int(most)) or 1
    if (found := re.fullmatch(f"memory={_NUMBER}([kmgt])b?", part)) and float(found[1]):
        return "memory", int(float(found[1]) * _BYTES[found[2]]) or 1
    raise BadParameter(
        f"`{part}` is none of 10x, none, statements=1e7, seconds=5, memory=2G, with commas between"
    )


BudgetChoice = Annotated[
    Budget,
    option(
        "--budget",
        metavar="LIMITS",
        parser=read_budget,
        help="How much work loading and each turn may take, such as 10x; and of the whole command "
        "seconds=5 and memory=2G. Or none for no limit.",
        show_default=False,
    ),
]


def ungrouped(command: Callable[..., None], *, takes_budget: bool) -> Callable[..., None]:
    """Return a command that takes the fields of its groups of parameters one by one.

    If it `takes_budget`, it has that option as well, and runs within that budget.
    """
    hints = get_type_hints(command, include_extras=True)
    groups: dict[str, Any] = {name: hint for name, hint in hints.items() if is_dataclass(hint)}
    taken: list[Parameter] = []
    for parameter in signature(command).parameters.values():
        if parameter.name in groups:
            taken.extend(_fields_taken(groups[parameter.name]))
        else:
            annotation = hints[parameter.name]
            taken.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=annotation))

    if takes_budget:
        taken.append(
            Parameter("budget", Parameter.KEYWORD_ONLY, default="1x", annotation=BudgetChoice)
        )

    def run(**arguments: Any) -> None:
        budget = arguments.pop("budget", USUAL)
        for name, group in groups.items():
            arguments[name] = group(
                **{field.name: arguments.pop(field.name) for field in fields(group)}
            )
        with allowed(budget), limited_by(budget):
            command(**arguments)

    described: Any = functools.update_wrapper(run, command)
    described.__signature__ = Signature(taken)
    described.__annotations__ = {parameter.name: parameter.annotation for parameter in taken}
    return run


def _fields_taken(group: Any) -> Iterator[Parameter]:
    hints = get_type_hints(group, include_extras=True)
    for field in fields(group):
        default = Parameter.empty if field.default is MISSING else field.default
        yield Parameter(
            field.name, Parameter.KEYWORD_ONLY, default=default, annotation=hints[field.name]
        )


def drawn_seed(asked: int | None) -> int:
    """Return where chance begins: as it was asked for, or anywhere."""
    return random.SystemRandom().getrandbits(32) if asked is None else asked


def seat_kinds(typed: Sequence[str], rules: Rules) -> dict[int, str]:
    """Return the kind of player at each seat, from 1, of texts such as `2=engine`."""
    kinds: dict[int, str] = {}
    seats = len(rules.sides)
    for text in typed:
        number, equals, kind = text.partition("=")
        if not equals or not number.strip().isdecimal():
            raise refused(Code.WRONG_OPTION, f"`{text}` fills no seat.", "Write `--seat 2=engine`.")
        seat = int(number)
        if not 1 <= seat <= seats:
            raise refused(Code.WRONG_OPTION, f"There is no seat {seat}.", f"There are {seats}.")
        kinds[seat] = kind.strip()
    return kinds


def option_values(typed: Sequence[str] | None) -> dict[str, str]:
    """Return the options that were given as `NAME=VALUE`. Raises GameError, OSError."""
    values = {}
    for text in typed or ():
        name, equals, value = text.partition("=")
        if not equals or not name.strip():
            raise refused(
                Code.WRONG_OPTION, f"`{text}` sets no option.", "Write `--option NAME=VALUE`."
            )
        values[name.strip()] = _from_file(value[1:]) if value.startswith("@") else value
    return values


def _from_file(path: str) -> str:
    return read_source(path).text
