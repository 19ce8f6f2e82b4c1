"""Whether `gdl check` tells a mistake at the right place.

In: a game's text and a file with a mistake in it. Out: told there, told elsewhere, or not at all.
What then holds: what is told of the text without the mistake does not count.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from pathlib import Path

from gdl.interpreter.check import Effort, Finding, check_game
from gdl.interpreter.check.effort import WITHOUT_PLAY
from tests.mistakes.seeding import Seeded

Key = tuple[str, str]


def found_in(text: str, folder: Path, effort: Effort) -> tuple[Finding, ...]:
    """Check a text as a file in a folder."""
    path = folder / "game.yaml"
    path.write_text(text, "utf-8")
    return check_game(str(path), effort)


def keys_of(findings: tuple[Finding, ...]) -> set[Key]:
    """Return what findings are about: their codes, and the texts of the lines that they name."""
    return {(f.diagnostic.code, line) for f in findings for _, line in _lines(f)}


def judged(seeded: Seeded, known: Set[Key], folder: Path, effort: Effort) -> str:
    """Return `told`, `elsewhere` or `missed`; the game is played if nothing else tells it."""
    new: list[int] = []
    for one in (WITHOUT_PLAY, effort):
        new = [
            number
            for finding in found_in(seeded.text, folder, one)
            for number, line in _lines(finding)
            if (finding.diagnostic.code, line) not in known
        ]
        if any(number in seeded.lines for number in new):
            return "told"
    return "elsewhere" if new else "missed"


def _lines(finding: Finding) -> Iterator[tuple[int, str]]:
    """Yield the lines that a finding names, with their texts."""
    spans = [finding.diagnostic.span, *(span for _, span in finding.diagnostic.related)]
    for span in spans:
        if span is not None:
            yield span.line, span.source.line(span.line).strip()
