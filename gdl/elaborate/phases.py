"""Names of phases, after `go to` in a turn or a clause.

In: a name. Out: the number of its phase, from 0 in the order of the file.
"""

from __future__ import annotations

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
            suggest(name.name, phases) or "Phases are listed under `phases`.",
        )
    return phases.index(name.name)
