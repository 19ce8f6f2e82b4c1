"""Speed comes from the shape of the rules: the same rules under other names make the same code.

In: copies of shipped games with all names changed and their parts in another order. Out: what
then holds: their machine code is that of the original, but for the addresses of tables.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import load_game
from gdl.model import Game

HEX = """
game: Weft
end:
  - Warp wins when joins(top, bottom, Warp)
  - Weft wins when joins(left, right, Weft)
turn: |
  choose here in empty
  place Thread at here
define:
  joins(a, b, mine): some connected(a, adjacent, mine) & b
pieces: Thread
board: hex rhombus(width, width) rows from top
options: {width: 11 in 2..25}
players: Warp, Weft
"""

OTHELLO = """
game: Tide
end: [highest count(own) wins when still, draw when still]
stuck: passes
turn: |
  choose spot in empty & compass(enemy) where some turned(spot, enemy, own)
  flip turned(spot, enemy, own)
  place Shell at spot
setup:
  Ebb Shell: site(half + 1, half) | site(half, half + 1)
  Flood Shell: site(half, half) | site(half + 1, half + 1)
define:
  half: width div 2
  still: not goes(enemy, own) and not goes(own, enemy)
  goes(them, us): some p in empty & compass(them) where some turned(p, them, us)
  turned(p, them, us): union way in compass of bracketed(p, way, them, us)
board: square(width, width) rows from top
pieces: Shell
options: {width: 8 in 4..16}
players: Ebb, Flood
"""


def code(game: Game) -> str:
    """Return a game's code without the addresses of its tables, and without comments."""
    rules = NativeRules(game)
    try:
        code = re.sub(r"^ *;.*\n", "", rules.code.ir, flags=re.MULTILINE)
        return re.sub(r"inttoptr \(i64 \d+ to ptr\)", "table", code)
    finally:
        rules.close()


@pytest.mark.parametrize(("name", "text"), [("hex", HEX), ("othello", OTHELLO)])
def test_names_and_order_do_not_matter(name: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "copy.yaml"
    path.write_text(text, "utf-8")
    assert code(load_game(str(path))) == code(load_game(name))


def test_other_rules_make_other_code(tmp_path: Path) -> None:
    path = tmp_path / "copy.yaml"
    path.write_text(HEX.replace("joins(left, right, Weft)", "joins(left, top, Weft)"), "utf-8")
    assert code(load_game(str(path))) != code(load_game("hex"))
