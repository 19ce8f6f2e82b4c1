"""Names of phases, after `go to` in a turn or a clause.

In: a name. Out: the number of its phase, from 0 in the order of the file.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.diagnostic import suggest
from gdl.elaborate.scope import Scope, problem
from gdl.syntax import tree as t


def phase_number(name: t.Name, scope: Scope) -> int:
    """Return the number of a phase. Raises Problem if there is none of that name."""
    phases = scope.declarations.phases
    if name.name not in phases:
        raise problem(
            "unknown-name",
            f"There is no phase `{name.name}`.",
            name.span,
            suggest(name.name, phases) or _there_are(phases),
        )
    return phases.index(name.name)


def _there_are(phases: Sequence[str]) -> str:
    """Return what phases there are, if they have names."""
    names = [f"`{name}`" for name in phases if name]
    return f"The phases are: {', '.join(names)}." if names else "Phases are listed under `phases`."
