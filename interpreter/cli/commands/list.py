"""`gdl list`: the shipped games."""

from __future__ import annotations

from dataclasses import asdict

from interpreter.cli.output import write_json, write_table
from interpreter.cli.parameters import AsJson
from interpreter.library.catalogue import catalogue


def list_games(as_json: AsJson = False) -> None:
    """List the shipped games."""
    entries = list(catalogue())
    if as_json:
        write_json([asdict(entry) for entry in entries])
        return
    rows = [
        (entry.name, entry.family, entry.year, entry.author, ", ".join(entry.other_names))
        for entry in entries
    ]
    write_table(("name", "family", "year", "author", "also called"), rows)
