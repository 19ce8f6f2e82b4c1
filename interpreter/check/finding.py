"""What checking finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gdl.diagnostic import Diagnostic
from gdl.model import Game
from interpreter.check.subject import Subject


@dataclass(frozen=True)
class Finding:
    """A diagnostic, and the variant with which alone it comes up (None: with none)."""

    diagnostic: Diagnostic
    variant: str | None = None

    def to_json(self) -> dict[str, object]:
        """Return the finding as plain data."""
        return self.diagnostic.to_json() | {"variant": self.variant}


def in_all_variants(
    subject: Subject, look: Callable[[Game], Iterator[Diagnostic]]
) -> Iterator[Finding]:
    """Yield what a look at the game finds, then what a look at each variant adds to it.

    What stands in a file that this one extends is its author's to mend, and is left out.
    """
    known: set[Diagnostic] = set()
    for variant in (None, *subject.variants):
        game = subject.game(variant)
        for diagnostic in () if game is None else look(game):
            if diagnostic not in known and subject.stands_here(diagnostic):
                known.add(diagnostic)
                yield Finding(diagnostic, variant)
