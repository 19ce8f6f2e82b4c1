"""What a review said of a game that is looked back at.

In: judgements of its moves. Out: texts, the moments that mattered, what is said of one position.
"""

from __future__ import annotations

from gdl.data_classes import dataclass
from gdl.visible import visible_line
from interpreter.positions.position import Position
from interpreter.search.analysis_text import curve, judgement_text
from interpreter.search.review import Judgement, moments

_MOST_MOMENTS = 12


@dataclass(frozen=True)
class Reviewed:
    """The judgements of all moves, none before the review; `side` is the one it is told for."""

    judgements: tuple[Judgement, ...] = ()
    side: str = ""

    @property
    def moments(self) -> tuple[Judgement, ...]:
        """The moves that changed the value of the game most."""
        return moments(self.judgements, _MOST_MOMENTS)

    def heading(self) -> str:
        """Return what the game was worth for the side, move by move."""
        heading = f"{visible_line(self.side)} {curve(self.judgements)}"
        return heading if self.moments else f"{heading}\n\nNo move changed the value much."

    def lines(self) -> tuple[str, ...]:
        """Return what is to say of the moments that mattered, a line each."""
        return tuple(visible_line(judgement_text(one)) for one in self.moments)

    def of(self, position: Position) -> str:
        """Return what is said of the move that led to a position of the game; perhaps nothing."""
        found = next((one for one in self.judgements if one.after is position), None)
        return "" if found is None else visible_line(judgement_text(found))
