"""Optimisation: core to core, a function a pass, none of which changes what a game means.

In: a program, and the number of sites of its board. Out: a program of the same kind that costs
less. The plan is made of it, and native code written from it; the reference interpreter plays the
program as it was before all passes. What then holds: whoever plays either of them plays the same
game (tests let the reference play both). The slots of the state are the same objects in the same
order; statements decide and say the same in the same order; errors come where they came; and every
expression has the value that it had. (A number that grows beyond all use is an error still where it
was worked out before, unless nothing needs it.)

| pass                    | what it does                                                        |
|-------------------------|---------------------------------------------------------------------|
| `words`                 | words that only stand for something else are replaced by it         |
| `look-ahead`            | what a side can bring about is a condition, not a search            |
| `requirements`          | what is required of a chosen site is a condition of its choice      |
| `counts`                | what is counted only to know if there is one is asked just that     |
| `set-at-a-time`         | what is asked of each site of a set is worked out for all at once   |
| `groups-at-a-time`      | what is asked of each group of a set is worked out for all at once  |
| `best-choices`          | where only the best ways are legal, only these are chosen           |
| `narrow`                | a site is only chosen if the choice after it has a site as well     |
| `disjoint-layers`       | layers that have nothing on a chosen site are not asked for it      |
| `unroll-closure`        | two steps that a flood takes one after the other become one         |
| `one-by-one`            | floods from a layer of one site are made from a single site         |
| `common-subexpressions` | what occurs twice, or is the same in each round, is worked out once |

Before these, and always, a few rounds with decisions are written out (rounds.py), requirements are
tested as early as can be (early_requirements.py), and alternatives that are alike become one
(alternatives.py). gdl/analysis/plan.py puts that in order.

A pass is a module with one function, and one line in `PASSES`. The modules have the names of the
passes (look_ahead.py, best_choices.py, disjoint_layers.py, unroll_closure.py, one_by_one.py,
common_subexpressions.py), but for sets.py (`set-at-a-time`) and groups.py (`groups-at-a-time`).
What they stand on is in `algebra`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from gdl.core.nodes import Program
from gdl.data_classes import dataclass
from gdl.optimise.algebra.terms import Terms
from gdl.optimise.best_choices import choose_the_best
from gdl.optimise.common_subexpressions import hoist
from gdl.optimise.counts import ask_for_some
from gdl.optimise.disjoint_layers import leave_out_disjoint
from gdl.optimise.groups import groups_at_a_time
from gdl.optimise.look_ahead import look_at_once
from gdl.optimise.narrow import narrow
from gdl.optimise.one_by_one import ask_one_by_one
from gdl.optimise.requirements import require_at_once
from gdl.optimise.sets import set_at_a_time
from gdl.optimise.unroll_closure import lengthen_strides
from gdl.optimise.words import replace_words

__all__ = ["PASSES", "Pass", "optimise"]


@dataclass(frozen=True)
class Pass:
    """A change of programs: its name, what it does, and the function.

    The function takes a program and the `Terms` that its expressions are kept in.
    """

    name: str
    about: str
    function: Callable[[Program, Terms], Program]


_ALL = (
    Pass(
        "words",
        "Words that only stand for something else are replaced by it.",
        replace_words,
    ),
    Pass(
        "look-ahead",
        "Whether a side can bring something about is a condition, not a search.",
        look_at_once,
    ),
    Pass(
        "requirements",
        "What is required of a chosen site is a condition of its choice.",
        require_at_once,
    ),
    Pass(
        "counts",
        "What is counted only to know whether there is one is asked just that.",
        ask_for_some,
    ),
    Pass(
        "set-at-a-time",
        "What is asked of each site of a set is worked out for all at once.",
        set_at_a_time,
    ),
    Pass(
        "groups-at-a-time",
        "What is asked of each group of a set is worked out for all at once.",
        groups_at_a_time,
    ),
    Pass(
        "best-choices",
        "Where only the best ways are legal, these alone are chosen, if choices tell which.",
        choose_the_best,
    ),
    Pass(
        "narrow",
        "A site is only chosen if the choice after it has a site as well.",
        narrow,
    ),
    Pass(
        "disjoint-layers",
        "Layers that have nothing on a chosen site are not asked for it.",
        leave_out_disjoint,
    ),
    Pass(
        "unroll-closure",
        "Two steps that a flood takes one after the other become one.",
        lengthen_strides,
    ),
    Pass(
        "one-by-one",
        "Floods from a layer that begins with one site are made from each site by itself.",
        ask_one_by_one,
    ),
    Pass(
        "common-subexpressions",
        "What occurs twice, or is the same in each round of a loop, is worked out once.",
        hoist,
    ),
)

PASSES: Mapping[str, Pass] = MappingProxyType({each.name: each for each in _ALL})
"""The passes by name, in the order in which they run."""


def optimise(program: Program, size: int, names: Iterable[str] | None = None) -> Program:
    """Return the program after the passes of these names (None: all), in their own order.

    `size` is the number of the board's sites. Raises `ValueError` for a name of no pass.
    """
    wanted = set(PASSES if names is None else names)
    unknown = sorted(wanted - set(PASSES))
    if unknown:
        raise ValueError(f"no optimisation is called {', '.join(unknown)}")
    terms = Terms(size, frozenset(program.layers))
    for each in PASSES.values():
        if each.name in wanted:
            program = each.function(program, terms)
    return program
