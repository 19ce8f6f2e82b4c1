"""What is kept beside a position while random games are played, however a site comes to a layer."""

from __future__ import annotations

from itertools import count

import pytest

from gdl.diagnostic import Source
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.views.view import KeptView
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_source

GAME = """
game: Views
players: Black, White
pieces: Stone, Cross
board: square({size}, {size})
turn: |
  {turn}
end:
  - mover wins when in_a_row(own, 4)
  - mover wins when joined(top, bottom, adjacent, own)
  - mover loses when some g in groups(own, adjacent) where count(g & corners) > 1
  - draw when full
stuck: draw
"""
TURNS = {
    "one of two kinds": """
        choose s in empty
        either as stone
          place Stone at s
        or as cross
          place Cross at s""",
    "one of three ways": """
        choose s in empty
        either as stone
          place Stone at s
        or as cross
          place Cross at s
        or as gift
          place White Stone at s""",
    "a way that fails": """
        choose s in empty
        require turns < 3 or not some adjacent(s) & Cross
        either as stone
          place Stone at s
        or as cross
          place Cross at s""",
    "another name": """
        choose s in empty
        let here = s
        place Stone at here""",
    "a name that goes on": """
        choose s in empty
        let spot = s
        place Stone at spot
        set spot = s""",
    "a name that goes on before": """
        choose s in empty
        let spot = s
        if some north(s) & empty
          set spot = north(s)
        place Stone at spot""",
    "a set of sites": """
        choose s in empty
        let more = (s | north(s) | east(s)) & empty
        place Stone at more""",
    "by number": """
        choose c in 1..{size}
        let s = first(columns(c) & empty)
        require some s
        place Stone at s""",
    "a set, and one of two kinds": """
        choose s in empty
        let more = (north(s) | south(s)) & empty
        either as stone
          place Stone at more
        or as cross
          place Cross at s
          place Stone at more""",
    "another name of a set": """
        choose n in 1..{size}
        let more = rows(n) & empty & columns(1, 2)
        let here = more
        require some here
        place Stone at here""",
    "both kinds": """
        choose s in empty
        choose t in empty
        place Stone at s
        place Cross at t""",
    "a site of each": """
        choose s in empty
        choose t in adjacent(s)
        place Stone at s
        if t in empty
          place Cross at t""",
    "nothing to choose from": """
        choose s in empty
        choose t in empty - all
        place Stone at s
        place Cross at t""",
    "by turns": """
        choose s in empty
        if turns mod 2 = 0
          place Stone at s
        else
          place Cross at s""",
}


def source(turn: str, size: int) -> Source:
    lines = [line.removeprefix(" " * 8) for line in TURNS[turn].strip("\n").split("\n")]
    return Source("views.yaml", GAME.format(size=size, turn="\n  ".join(lines).format(size=size)))


@pytest.mark.at_night("-6]", "-8]", "another name-13", "of two kinds-13", "by turns-13")
@pytest.mark.parametrize("size", [3, 6, 8, 13])
@pytest.mark.parametrize("turn", TURNS)
def test_games_end_as_their_endings_say(turn: str, size: int) -> None:
    end_as_they_should(NativeRules(load_source(source(turn, size))))


@pytest.mark.at_night("of two kinds", "by turns", "goes on before")
@pytest.mark.parametrize("turn", TURNS)
def test_games_on_arrays_end_as_their_endings_say(turn: str) -> None:
    end_as_they_should(NativeRules(load_source(source(turn, 8)), most_register_sites=0))


def end_as_they_should(rules: NativeRules) -> None:
    """Play random games, and ask the reference on the way whether they should have ended."""
    reference = ReferenceRules(rules.game)
    for number in range(4):
        for plies in count(1, 3):
            state = rules.playout(rules.start(), Chance(number), plies).state
            assert reference.settle(state.values).ended == state.ended
            if state.ended is not None or not rules.perft(state, 1):
                break


@pytest.mark.parametrize("length", [4, 29, 30])
def test_rows_on_lines_of_more_sites_than_a_word_has_bits(length: int) -> None:
    """Games end when there is a row, wherever it lies; so they do where no rows are kept."""
    text = f"""game: Long
players: Black, White
board: square(130, 2)
turn: |
  choose s in empty
  place Stone at s
  place Stone at (north(s) | south(s)) & empty
end: [mover wins when in_a_row(own, {length}), draw when full]
stuck: draw
"""
    game = load_source(Source("long.yaml", text))
    rules, plain = NativeRules(game), NativeRules(game, passes=())
    reference = ReferenceRules(game)
    for number in range(8):
        found = rules.playout(rules.start(), Chance(number), 2000)
        assert reference.settle(found.state.values).ended == found.state.ended is not None
        before = rules.playout(rules.start(), Chance(number), found.moves - 1)
        assert reference.settle(before.state.values).ended is None
    lengths = [rules_.playouts(rules_.start(), 200, 1, 2000).moves for rules_ in (rules, plain)]
    assert lengths[0] == lengths[1]


@pytest.mark.parametrize("turn", ["one of two kinds", "another name", "by turns"])
def test_layers_that_gain_chosen_sites_are_followed(turn: str) -> None:
    views = NativeRules(load_source(source(turn, 13))).code.written.games_in_place.views.all
    kept = [view for view in views if isinstance(view, KeptView)]
    assert len(kept) >= 4
    assert {len(view.layers) for view in kept} == {2}


@pytest.mark.parametrize("turn", ["a set of sites", "by number", "another name of a set"])
def test_layers_that_gain_sets_are_followed(turn: str) -> None:
    views = NativeRules(load_source(source(turn, 13))).code.written.games_in_place.views.all
    assert any(isinstance(view, KeptView) for view in views)


@pytest.mark.parametrize("turn", ["a name that goes on before", "a site of each"])
def test_other_layers_are_not(turn: str) -> None:
    views = NativeRules(load_source(source(turn, 13))).code.written.games_in_place.views.all
    assert views == ()
