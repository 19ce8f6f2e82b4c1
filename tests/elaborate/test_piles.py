"""Piles of pieces as positions have them: told, drawn, written, read back; and counts of Tak."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from library_games import deep_marks

from gdl.diagnostic import GameError
from gdl.interpreter import Rules, load
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position
from gdl.interpreter.render.svg import render_svg
from gdl.load import load_game

PILED = "...../...../(fFfC)..w./...../....(FF)"

HIDDEN = """
game: Hidden piles
players: White, Black
pieces: Man, King
board: square(3, 1)
stacks: 5
sees: {pieces: own | left, kinds: own}
setup: {rows: (MkK) (Mm) (mK)}
turn: |
  choose s in own
  choose t in adjacent(s)
  move 1 of s onto t
stuck: draw
"""

# Positions in the notation of Tak (TPS), with the counts that several programs for Tak agree on:
# https://github.com/ViliamVadocz/tak, https://github.com/MortenLohne/tiltak.
POSITIONS: Sequence[tuple[str, str, Sequence[int]]] = [
    ("5x5", "x5/x5/2S,211C,2C,212S,x/x5/x5 1 7", [55, 3314, 175900]),
    (
        "6x6",
        "x,2,2,22S,2,111S/21S,22C,112,x,1112S,11S/x,2,112212,2,2S,2/x,2,121122,x,1112,211/"
        "21C,x,1,2S,21S,x/2S,x,212,1S,12S,1S 1 33",
        [56, 17322, 1419637],
    ),
    (
        "6x6",
        "x2,2,22,2C,1/21221S,1112,x,2211,1,2/x2,111S,x,11S,12S/11S,1S,2S,2,12S,1211C/"
        "x,12S,2,122S,x,212S/12,x2,1S,22222S,21121 2 31",
        [108, 11169, 991034],
    ),
    (
        "8x8",
        "x,1S,1C,1S,x4/1,11,11111C,2S,2C,2S,2S,2S/x8/x8/x2,2C,x5/x2,1S,x5/x2,1S,x5/x2,1S,x5 1 14",
        [148, 16516],
    ),
]


def start(game: str, rows: str) -> Position:
    return load(game).from_rows(rows, turns=2)


def drawn(board: str) -> str:
    """Return the rows of a board in TPS: pieces from the lowest up, 1 is White; S and C last."""

    def site(part: str) -> str:
        if part.startswith("x"):
            return "." * int(part[1:] or 1)
        kind = {"S": "w", "C": "c"}.get(part[-1], "f")
        men = ["fF"["12".index(side) ^ 1] for side in part.rstrip("SC")]
        men[-1] = kind.upper() if men[-1] == "F" else kind
        return f"({''.join(men)})" if len(men) > 1 else men[0]

    return "/".join("".join(map(site, row.split(","))) for row in board.split("/"))


@pytest.mark.parametrize(
    ("size", "tps", "counts"), [pytest.param(*row, marks=deep_marks("tak")) for row in POSITIONS]
)
def test_published_counts_of_positions_of_tak(size: str, tps: str, counts: Sequence[int]) -> None:
    game = load_game("tak", variants=() if size == "5x5" else (size,))
    rules = Rules(game, NativeRules(game))
    begun = rules.start().play("a1").play("b1")
    board, mover, _ = tps.split()
    left = {}
    for digit, side in (("1", "White"), ("2", "Black")):
        caps = board.count(f"{digit}C")
        stones = re.sub(r"x\d", "", board).count(digit) - caps
        values = dict(zip(rules.game.program.state, begun.state.values, strict=True))
        slots = rules.game.state_slots
        left[f"hand({side}, Flat)"] = values[slots[f"hand({side}, Flat)"]] + 1 - stones
        left[f"hand({side}, Capstone)"] = values[slots[f"hand({side}, Capstone)"]] - caps
    on_turn = "White" if mover == "1" else "Black"
    position = rules.from_rows(drawn(board), mover=on_turn, turns=2, state=left)
    found = [rules.evaluator.perft(position.state, depth + 1) for depth in range(len(counts))]
    assert found == counts


def test_all_that_stands_on_a_site_is_told() -> None:
    position = start("tak", PILED)
    assert position.piles()["a3"] == ("Black Flat", "White Flat", "Black Flat", "White Capstone")
    assert position.pieces() == {"a3": "White Capstone", "d3": "Black Wall", "e1": "White Flat"}


def test_rows_and_plain_data_have_piles() -> None:
    position = start("tak", PILED)
    assert "".join(position.rows().split()) == PILED.replace("/", "")
    assert position.rules.from_json(position.to_json()) == position


@pytest.mark.parametrize(
    ("slot", "value"), [("height", 0), ("height", 2), ("under", 9), ("under", 1 << 30)]
)
def test_data_of_no_piles_is_refused(slot: str, value: int) -> None:
    position = start("tak", PILED)
    data = position.to_json()
    a3 = position.rules.game.board.index("a3")
    assert a3 is not None
    data["state"][slot][a3] = value
    with pytest.raises(GameError) as failure:
        position.rules.from_json(data)
    assert failure.value.diagnostics[0].code == "damaged-position"


@pytest.mark.parametrize(
    ("game", "rows", "message"),
    [
        ("tak", "...../...../(fCF)..../...../.....", "Nothing can stand upon a White Capstone"),
        ("tak", "...../...../(?F)..../...../.....", "each piece of a pile has to be told"),
        ("tak", "...../...../(F?)..../...../.....", "No piece is drawn as `?`"),
        ("lasca", f"..../.../({'w' * 23}).../.../..../.../....", "has 23 pieces"),
        ("lasca", "..../.../(w.../.../..../.../....", "has 5 sites, but should have 4"),
    ],
)
def test_piles_that_can_not_be_are_refused(game: str, rows: str, message: str) -> None:
    with pytest.raises(GameError) as failure:
        start(game, rows)
    assert message in failure.value.diagnostics[0].message


def test_of_what_the_rules_never_ask_for_only_the_height_is_drawn() -> None:
    rules = load("dvonn")
    rows = "........./........../d(dOX)(XOO)......../........../........."
    position = rules.from_rows(rows, phase="stacking")
    assert position.piles()["b3"] == (None, "Dvonn", "White Stone")
    assert "(?dX)" in position.rows()
    assert rules.from_rows(position.rows(), phase="stacking") == position
    assert position.render(ascii=True).splitlines()[-1] == "piles, below the top: b3 d"


def test_a_picture_tells_the_height_and_the_order() -> None:
    position = start("tak", PILED)
    text = position.render(ascii=True)
    assert " C4 " in text
    assert text.endswith("piles, lowest first: e1 FF  a3 fFfC")
    svg = render_svg(position.scene())
    assert svg.count('class="under"') == 4
    assert "a3: White Capstone 4, upon Black Flat, White Flat, Black Flat" in svg


def test_many_piles_are_listed_in_lines_that_fit() -> None:
    rows = "/".join(["(fF)(Ff)(fF)(Ff)(fF)"] * 5)
    lines = start("tak", rows).render(ascii=True, width=60).splitlines()
    assert max(map(len, lines)) <= 60
    assert sum("fF" in line for line in lines) > 1


def test_a_side_sees_piles_where_it_sees_pieces(tmp_path: Path) -> None:
    game = tmp_path / "hidden.yaml"
    game.write_text(HIDDEN, "utf-8")
    position = load(str(game)).start()
    white, black = position.view("White"), position.view("Black")
    assert white.rows() == "(MkK) ? (mK)"
    assert dict(white.pieces)["a1"] == "White King on Black King on White Man"
    assert black.rows() == "(###) (Mm) ?"
    assert dict(black.pieces)["a1"] == "White on Black on White"
