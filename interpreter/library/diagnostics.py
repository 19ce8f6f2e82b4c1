"""What each diagnostic means: the entries of `docs/diagnostics.md`, by their codes.

In: a code. Out: its entry, as it is written there.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from pathlib import Path

_ENTRY = re.compile(r"^### `([a-z0-9-]+)`\n+(.*?)(?=^##|\Z)", re.MULTILINE | re.DOTALL)


@cache
def _entries() -> dict[str, str]:
    package = Path(str(resources.files("gdl")))
    inside = package / "diagnostics.md"
    page = inside if inside.is_file() else package.parent / "docs" / "diagnostics.md"
    return {code: text.strip() for code, text in _ENTRY.findall(page.read_text("utf-8"))}


def entry_of(code: str) -> str | None:
    """Return what is said of a code, or None if there is none."""
    return _entries().get(code)


def known_codes() -> tuple[str, ...]:
    """Return all codes that are explained."""
    return tuple(_entries())
