"""`gdl list`: the shipped games, by family."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby
from textwrap import wrap
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.declarations import argument
from gdl.interpreter.cli.output import write, write_json
from gdl.interpreter.cli.parameters import AsJson
from gdl.interpreter.library.catalogue import Entry, catalogue

_WIDTH = 80
_INDENT = "  "


def list_games(
    wanted: Annotated[
        str,
        argument("FAMILY", help="A family of games; by default, all.", offers=completion.families),
    ] = "",
    as_json: AsJson = False,
) -> None:
    """List the shipped games."""
    entries = list(catalogue())
    if wanted:
        known = sorted({entry.family for entry in entries})
        entries = [entry for entry in entries if entry.family == wanted.strip().lower()]
        if not entries:
            told = f"No game is of the family `{wanted[:60]}`."
            raise refused(Code.WRONG_OPTION, told, f"There are: {', '.join(known)}.")
    if as_json:
        write_json([asdict(entry) for entry in entries])
        return
    widest = max((len(entry.name) for entry in entries), default=0)
    families = groupby(sorted(entries, key=lambda entry: entry.family), lambda one: one.family)
    for number, (family, members) in enumerate(families):
        if number > 0:
            write()
        write(family.capitalize())
        for entry in members:
            for line in _lines(entry, widest):
                write(line)


def _lines(entry: Entry, widest: int) -> Iterator[str]:
    """Yield the lines of a game: the name to call it by, its title, other names and year."""
    others = f" ({', '.join(entry.other_names)})" if entry.other_names else ""
    year = f", {_year(entry.year)}" if entry.year else ""
    name = f"{_INDENT}{entry.name:{widest}}{_INDENT}"
    text = f"{entry.title}{others}{year}"
    yield from wrap(text, _WIDTH, initial_indent=name, subsequent_indent=" " * len(name))


def _year(year: str) -> str:
    """Return a year as people write it."""
    return f"{year[1:]} BC" if year.startswith("-") else year
