"""Images that are read from tables, byte by byte, on small boards."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.sets.registers import RegisterSets
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_source

GAME = """\
game: Images
players: First, Second
board: square({columns}, {rows})
relations:
  leads: pairs a, b where (5 * row(a) + 3 * column(a) + row(b) * column(b)) mod 7 < {many}
state:
  marks: sites
turn: |
  choose s in all
  set marks = leads(marks - s)
end: draw when turns > 9
"""


@pytest.mark.parametrize("shape", [(3, 2), (3, 3), (4, 6), (5, 5), (4, 8), (3, 11)])
@pytest.mark.parametrize("many", [1, 4])
def test_images_of_irregular_relations(shape: tuple[int, int], many: int) -> None:
    columns, rows = shape
    text = GAME.format(columns=columns, rows=rows, many=many)
    game = load_source(Source("images.yaml", text))
    native, reference = NativeRules(game), ReferenceRules(game)
    size = columns * rows
    place = next(n for n, slot in enumerate(game.program.state) if slot.name == "marks")
    chance, start = random.Random(size), native.start()
    for _ in range(60):
        values = list(start.values)
        values[place] = chance.getrandbits(size)
        state = replace(start, values=tuple(values))
        move = chance.choice(reference.legal(state))
        assert native.apply(state, move) == reference.apply(state, move)


def test_such_images_are_read_from_tables_where_shifts_are_many() -> None:
    game = load_source(Source("images.yaml", GAME.format(columns=5, rows=5, many=4)))
    code = NativeRules(game).code.written.shared.sets
    assert isinstance(code, RegisterSets)
    assert code.is_tabulated(game.relations["leads"])
    assert not code.is_tabulated(game.relations["north"])
