"""What each diagnostic means: the entries of `docs/diagnostics.md`, by their codes.

In: a code. Out: its entry, as it is written there.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from textwrap import fill

import gdl

_ENTRY = re.compile(r"^### `([a-z0-9-]+)`\n+(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)
_WIDTH = 100
_ROW = re.compile(r"^\| ((?:`[a-z0-9-]+`(?:, )?)+) \| (.+) \|$", re.MULTILINE)


@cache
def _page() -> str:
    package = Path(gdl.__file__).parent
    inside = package / "diagnostics.md"
    page = inside if inside.is_file() else package.parent / "docs" / "diagnostics.md"
    return page.read_text("utf-8")


@cache
def _entries() -> dict[str, str]:
    return {code: text.strip() for code, text in _ENTRY.findall(_page())}


@cache
def _rows() -> dict[str, str]:
    """Return what the table says of codes that are not about a game's text."""
    return {
        code: fill(f"{text[0].upper()}{text[1:]}.", _WIDTH)
        for codes, text in _ROW.findall(_page())
        for code in re.findall(r"[a-z0-9-]+", codes)
    }


def entry_of(code: str) -> str | None:
    """Return what is said of a code, or None if there is none."""
    return _entries().get(code) or _rows().get(code)


def known_codes() -> tuple[str, ...]:
    """Return all codes of findings in a game's file, which it may accept."""
    return tuple(_entries())


def explained_codes() -> tuple[str, ...]:
    """Return all codes that are explained."""
    return (*known_codes(), *_rows())
