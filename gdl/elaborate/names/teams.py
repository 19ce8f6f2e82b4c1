"""Teams: sides that win and lose together.

In: what is declared. Out: the sides of a team, and what the word for it stands for. What then
holds: a side is in its own team.
"""

from __future__ import annotations

from gdl.core.nodes import Const
from gdl.elaborate.names.scope import Declarations
from gdl.elaborate.names.values import ListValue

WORD = "team"
"""What the sides of a team are called in its own rules."""


def team_of(sides: tuple[int, ...], d: Declarations) -> tuple[int, ...]:
    """Return sides and all that are in a team with one of them, in order."""
    return tuple(sorted({one for side in sides for one in (d.teams[side] if d.teams else (side,))}))


def sides_of_team(own: int, d: Declarations) -> ListValue:
    """Return what `team` stands for: the sides of a side's team, itself among them."""
    return ListValue(tuple(Const(side, d.side_type) for side in team_of((own,), d)))
