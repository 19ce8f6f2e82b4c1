"""Turns of two sides that are made one block; the conformance suite plays some: `sides-alike`."""

from __future__ import annotations

from pathlib import Path

from gdl.analysis.plan import Plan, plan_of
from gdl.analysis.side_symmetry import BothSides, exchanged_by_place, exchanged_by_side, for_both
from gdl.core.nodes import Get, If
from gdl.core.walk import expressions_in, expressions_of, statements_in
from gdl.diagnostic import Source
from gdl.load import load_game, load_source
from gdl.optimise import optimise

GAME = """\
game: Alike
players: White, Black
pieces: Man, King
board: square(4, 4)
relations:
  forward(White): north
  forward(Black): south
state: {{taken(players): number in 0..9}}
turn: |
{turn}
stuck: loses
"""


def both(turn: str) -> BothSides | None:
    lines = "\n".join(f"  {line}" for line in turn.split("\n"))
    game = load_source(Source("alike.yaml", GAME.format(turn=lines)))
    first, second = optimise(game.program, 16).phases[0].turns
    blocks = first.program, second.program
    return for_both(*blocks, exchanged_by_place(*blocks))


def choices_by_side(found: BothSides) -> int:
    """Return how many expressions of a block ask which side is on turn."""
    asked = Get(found.is_later)
    return sum(
        isinstance(part, If) and part.condition == asked
        for statement in statements_in(found.block)
        for node in expressions_of(statement)
        for part in expressions_in(node)
    )


def test_what_is_whose_is_exchanged() -> None:
    found = both("choose s in own\nchoose t in adjacent(s) & enemy\nmove s to t")
    assert found is not None and found.is_exact
    names = {slot.name: other.name for slot, other in found.exchanged.items()}
    assert names["White Man"] == "Black Man" and names["Black King"] == "White King"


def test_slots_of_sides_are_known_whatever_sides_are_called() -> None:
    text = GAME.replace("White", "seat").format(
        turn="  choose s in empty\n  place Man at s\n  add 1 to taken(mover)\n  swap"
    )
    found = exchanged_by_side(load_source(Source("alike.yaml", text)).program)
    assert {slot.name: other.name for slot, other in found.items() if "seat" in slot.name} == {
        "seat Man": "Black Man",
        "seat King": "Black King",
        "seat of seat": "seat of Black",
        "seat of Black": "seat of seat",
        "taken(seat)": "taken(Black)",
    }


def test_numbers_by_side_are_exchanged() -> None:
    found = both("choose s in empty\nplace Man at s\nadd count(enemy) to taken(mover)")
    assert found is not None and found.is_exact
    assert {"taken(White)", "taken(Black)"} <= {slot.name for slot in found.exchanged}


def test_what_else_differs_is_there_for_each_side() -> None:
    found = both("choose s in own\nchoose t in forward(mover)(s) & empty\nmove s to t")
    assert found is not None and not found.is_exact
    assert choices_by_side(found) == 1


def test_what_occurs_twice_for_one_side_is_paired_twice() -> None:
    found = both(
        "choose s in empty\nplace Man at s\nset taken(mover) = taken(mover) + taken(Black)"
    )
    assert found is not None and not found.is_exact
    assert choices_by_side(found) == 1


def test_each_decision_has_its_partner() -> None:
    found = both("choose s in own\neither as up\n  change s to King\nor as gone\n  remove s")
    assert found is not None
    assert len(found.decisions) == 2
    assert found.decisions.keys().isdisjoint(found.decisions.values())


def test_turns_of_other_decisions_stay_apart() -> None:
    placed, removed = "choose s in empty\n  place Man at s", "choose t in own\n  remove t"
    assert both(f"if mover = White\n  {placed}\nelse\n  {removed}") is None


def test_a_long_turn_is_planned_once() -> None:
    game = load_game(str(Path(__file__).parents[1] / "conformance" / "sides-alike.yaml"))
    plan: Plan = plan_of(game.program, optimise(game.program, 16), 16)
    first, second = plan.turns
    assert first.both is not None and first.both is second.both
    assert plan.blocks_for_both == (first.both.block,)


def test_pieces_change_places_with_pieces_only() -> None:
    """No two layers have a site in common; a set of the state may have one with any."""

    def chosen(own: str) -> str:
        asked = f"count(orthogonal(s) & {own} | diagonal(s) - {own}) < 4"
        more = f"count(diagonal(orthogonal(t) & {own}) & diagonal(diagonal(t) & {own})) < 9"
        lines = (
            f"choose s in {own} where {asked} and some adjacent(adjacent(s) & {own}) & {own}",
            f"choose t in adjacent(s & {own}) where {more} and count({own} - adjacent(t)) < 9",
            *(
                f"require count(adjacent(s) & {own}) * {n} < count(diagonal(t) & {own}) + {7 * n}"
                for n in range(2, 12)
            ),
        )
        return "".join(f"    {line}\n" for line in lines)

    text = GAME.format(turn=f"  if mover = White\n{chosen('man')}  else\n{chosen('held')}")
    text = text.replace("state: {", "state: {held: sites, ")
    text = text.replace("relations:", "define: {man: White & Man}\nrelations:", 1)
    game = load_source(Source("held.yaml", text))
    program = optimise(game.program, 16)
    blocks = [turn.program for turn in program.phases[0].turns]
    found = for_both(*blocks, exchanged_by_place(*blocks))
    assert found is not None and found.is_exact
    names = {slot.name: other.name for slot, other in found.exchanged.items()}
    assert names["White Man"] == "held"
    assert plan_of(game.program, program, 16).blocks_for_both == ()
