"""From a program as the rules have it to the plan that native code is written from.

In: a program, the size of its board, and which passes to use. Out: its `Plan`. What then holds:
the program of the plan is the one that code is written from, so that whoever shows either of them
shows what becomes of the rules.

Three changes come before the passes and can't be left out: rounds are written out, requirements
are tested early, and alternatives that are alike become one. Of two turns that are one but for
names, only the first goes through the passes; the second is made from it.
"""

from __future__ import annotations

from collections.abc import Iterable

from gdl.analysis.mirrored import mirrors_of, without_later
from gdl.analysis.plan import Plan, plan_of
from gdl.core.nodes import Program
from gdl.optimise import optimise
from gdl.optimise.alternatives import merge_alternatives
from gdl.optimise.early_requirements import require_early
from gdl.optimise.rounds import write_out_rounds


def plan_for_code(program: Program, size: int, passes: Iterable[str] | None = None) -> Plan:
    """Return the plan of a program, after the passes of these names (None: all).

    `size` is the number of the board's sites. Raises `ValueError` for a name of no pass.
    """
    original = merge_alternatives(require_early(write_out_rounds(program)))
    mirrors = mirrors_of(original)
    original = without_later(original, mirrors)
    return plan_of(original, optimise(original, size, passes), size, mirrors)
