"""What checking finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Literal

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Edit
from gdl.document import read_source
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.verify.combinations import Combination
from gdl.model import Game

Certainty = Literal["proved", "witnessed", "not seen"]


@dataclass(frozen=True)
class WitnessGame:
    """Moves of a game, with its variants and options, after which a finding can be seen."""

    combination: Combination
    moves: tuple[str, ...]

    def arguments(self) -> str:
        """Return what to write behind `gdl show GAME` to see it."""
        after = f'--after "{", ".join(self.moves)}"' if self.moves else ""
        return " ".join(filter(None, (self.combination.arguments, after)))


@dataclass(frozen=True)
class Finding:
    """A diagnostic, the variant with which alone it comes up (None: with none), how sure it is.

    After one that `is_last`, nothing else can be looked at.
    """

    diagnostic: Diagnostic
    variant: str | None = None
    certainty: Certainty = "proved"
    witness: WitnessGame | None = None
    is_last: bool = False

    def to_json(self) -> dict[str, object]:
        """Return the finding as plain data."""
        data = self.diagnostic.to_json() | {"variant": self.variant, "certainty": self.certainty}
        if self.witness is not None:
            data["witness"] = {
                "variants": list(self.witness.combination.variants),
                "options": dict(self.witness.combination.options),
                "moves": list(self.witness.moves),
            }
        return data


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


# ----------------------------------------------------------------------------------- mending a file


def with_edits(file: str, edits: Sequence[Edit]) -> tuple[str, int]:
    """Return the text of a file with edits, and how many were made. Raises GameError."""
    source = read_source(file)
    text, made, begin = source.text, 0, len(source.text)
    here = {edit.span.start: edit for edit in edits if edit.span.source == source}
    for start in sorted(here, reverse=True):
        edit = here[start]
        if edit.span.end <= begin and edit.span.text != edit.replacement:
            text = text[:start] + edit.replacement + text[edit.span.end :]
            begin, made = start, made + 1
    return text, made
