"""Requirements that are tested as early as they are known, and not where they are known already."""

from __future__ import annotations

from gdl.core import build
from gdl.core.nodes import (
    Assign,
    Branch,
    Choose,
    Expression,
    Get,
    Phase,
    Program,
    Require,
    SitesOf,
    Slot,
    Statement,
    SystemSlots,
    Turn,
)
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.optimise.early_requirements import require_early

MOVER = Slot("mover", NUMBER)
COUNT, OTHER = Slot("count", NUMBER, True), Slot("other", NUMBER, True)
BLACK, S, T = Slot("Black", SITES, True), Slot("s", SITES), Slot("t", SITES)


def more(slot: Slot, than: int = 0) -> Expression:
    return build.op("less", (build.number(than), Get(slot)), FLAG)


def early(*block: Statement) -> tuple[Statement, ...]:
    system = SystemSlots(MOVER, Slot("following", NUMBER), None, (), None, None, None)
    program = Program((), (), system, (Phase("play", (Turn(block, (), ()),)),), ())
    return require_early(program).phases[0].turns[0].program


FIRST, SECOND = Choose(None, S, SitesOf(Get(BLACK))), Choose(None, T, SitesOf(Get(BLACK)))
REQUIRED = Require(None, more(COUNT))


def test_a_requirement_comes_before_choices_that_do_not_bear_upon_it() -> None:
    assert early(FIRST, SECOND, REQUIRED) == (REQUIRED, FIRST, SECOND)


def test_a_requirement_of_a_chosen_site_stays() -> None:
    block = (FIRST, Require(None, build.equal(Get(S), Get(BLACK))))
    assert early(*block) == block


def test_a_requirement_does_not_pass_changes_and_what_may_fail() -> None:
    changed = (FIRST, Assign(None, COUNT, Get(OTHER)), REQUIRED)
    assert early(*changed) == changed
    grown = build.numeric("multiply", Get(OTHER), Get(OTHER))
    large = build.equal(grown, build.number(9))
    among = SitesOf(build.conditional(large, Get(BLACK), build.NOWHERE))
    block = (Choose(None, S, among), REQUIRED)
    assert early(*block) == block


def test_what_is_known_is_not_required() -> None:
    below = Branch(
        None, build.conjunction(more(COUNT), more(OTHER)), (FIRST, REQUIRED), (REQUIRED,)
    )
    known = Branch(None, below.condition, (FIRST,), (REQUIRED,))
    assert early(below) == (known,)
    assert early(REQUIRED, FIRST, REQUIRED) == (REQUIRED, FIRST)


def test_what_has_changed_is_not_known() -> None:
    less = Assign(None, COUNT, Get(OTHER))
    below = Branch(None, more(COUNT), (less, REQUIRED), ())
    assert early(below) == (below,)
    assert early(REQUIRED, less, REQUIRED) == (REQUIRED, less, REQUIRED)
    maybe = Branch(None, more(OTHER), (less,), ())
    assert early(REQUIRED, maybe, REQUIRED) == (REQUIRED, maybe, REQUIRED)
