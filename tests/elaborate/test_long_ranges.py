"""What a word over a range of numbers becomes: a copy for each number, or a loop."""

from __future__ import annotations

import pytest

from gdl.core.nodes import Fold, RangeOf
from gdl.core.walk import expressions_in
from gdl.diagnostic import Source
from gdl.load import load_source

GAME = """\
game: Ranges
players: White, Black
board: square(8, 8)
turn: |
  choose s in empty
  place Stone at s
end: draw when {} > 3
"""


@pytest.mark.parametrize(
    ("text", "loops"),
    [
        ("(max n in 1..60 of count g in groups(own, adjacent) where count g = n)", 1),
        ("(max n in 1..8 of count g in groups(own, adjacent) where count g = n)", 0),
        ("(max n in 1..60 of if count own = n then 1 else 0)", 0),
        ("(max n in 1..12 of count g in groups(own, adjacent) where some (adjacent^n)(g))", 0),
        ("(max n in 1..12 of count g in groups(own, adjacent) where count g + n > 2 * n)", 0),
    ],
    ids=["dear", "few", "cheap", "not of a number in play", "numbers worked out"],
)
def test_much_work_for_each_of_many_numbers_is_a_loop(text: str, loops: int) -> None:
    game = load_source(Source("ranges.yaml", GAME.format(text)))
    (ending,) = game.program.turns[0].endings
    found = {
        id(part)
        for whole in ending.expressions
        for part in expressions_in(whole)
        if isinstance(part, Fold) and isinstance(part.domain, RangeOf)
    }
    assert len(found) == loops
