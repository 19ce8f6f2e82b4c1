"""Words of the language as names: all but the reserved ones are names where no word can stand."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from gdl.diagnostic import GameError, Source
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game, load_source
from gdl.model import Game
from gdl.syntax.parser import _free_terminals, _machinery, keywords, reserved_words

FREE = sorted(keywords() - reserved_words())

NAMED = """
game: Named
players: White, Black
pieces: Man, King
board: square(3, 3)
options: {WORD_o: 1 in 1..2}
regions: {WORD_r: top | bottom}
relations: {WORD_n: north | south}
state:
  WORD: number in 0..9
  WORD_k(players): name in (plain, WORD_v) = plain
define:
  WORD_d(WORD_p): WORD_p & WORD_r | WORD_n(WORD_p & bottom)
actions:
  WORD_a(WORD_p): |
    add 1 to WORD
    set WORD_k(mover) = WORD_v
turn: |
  let WORD_l = empty
  choose WORD_s in WORD_l where WORD_s in all - WORD_d(a1) or WORD = 0
  for each WORD_i in own
    require WORD < 9
  place Man at WORD_s
  do WORD_a(WORD_s)
  either as WORD_w
    change WORD_s to King
  or as plain
    flip WORD_s
end: draw when WORD >= 2 * WORD_o
"""


def legal(loaded: Game) -> Sequence[Move]:
    rules = ReferenceRules(loaded)
    return rules.legal(rules.start())


def game(text: str) -> Game:
    return load_source(Source("named.yaml", text))


PLACES = ("", *(f"_{place}" for place in "ornkvdpalsiw"))


@pytest.mark.parametrize("first", range(len(FREE)))
def test_a_free_word_may_be_the_name_of_anything(first: int) -> None:
    """Each word comes to each place once."""
    text = NAMED
    for number, place in enumerate(PLACES):
        text = re.sub(rf"\bWORD{place}\b", FREE[(first + number) % len(FREE)], text)
    assert "WORD" not in text
    assert len(legal(game(text))) == len(legal(game(NAMED.replace("WORD", "plain_word"))))


@pytest.mark.parametrize("word", FREE)
def test_all_names_of_a_turn_may_be_one_word_after_another(word: str) -> None:
    turn = f"choose {word} in own | empty\n  if {word} in empty\n    place Stone at {word}\n  else"
    text = f"game: G\nplayers: A, B\nboard: square(2, 2)\nturn: |\n  {turn}\n    flip {word}\n"
    assert game(text)


def test_from_here_to_there() -> None:
    text = "game: G\nplayers: A, B\nboard: square(3, 3)\nsetup: {A Stone: top}\nturn: |\n"
    lines = ("choose at in own", "choose to in adjacent(at) & empty", "move at to to")
    assert game(text + "".join(f"  {line}\n" for line in lines))


def test_what_another_file_gives_is_a_name(tmp_path: Path) -> None:
    (tmp_path / "parent.yaml").write_text(NAMED.replace("WORD", "under"), "utf-8")
    end = "end: draw when under_d(a1) = none and under >= 2\n"
    child = f"game: Child\nextends: parent.yaml\n{end}"
    (tmp_path / "child.yaml").write_text(child, "utf-8")
    assert load_game(str(tmp_path / "child.yaml"))


def test_a_mistake_behind_such_a_name_is_told_where_it_is() -> None:
    text = NAMED.replace("WORD", "under").replace("flip under_s", "flip under under")
    with pytest.raises(GameError) as caught:
        game(text)
    (one, *_) = caught.value.diagnostics
    assert one.span is not None
    assert one.span.source.line(one.span.line).strip() == "flip under under"


def test_no_word_that_may_be_a_name_stands_where_a_name_could() -> None:
    """Where both are read, a part is whole, and the name belongs to what may follow it."""
    table = _machinery().lark.parser.parser._parse_table
    for actions in table.states.values():
        if "NAME" in actions and _free_terminals() & actions.keys():
            assert actions.keys() & {"$END", "_NL", "COMMA", "SEMICOLON", "EQUAL"}


HIDING = """
game: Hiding
players: White, Black
board: square(4, 4)
define: {slides(s): all, run: 3, opposite(n): 4 - n}
state: {jump: number in 0..9, ray: sites}
turn: |
  choose line in empty where between(line, a1) = none and opposite(1) = run
  place Stone at line
end: mover wins when in_a_row(own, 3) and some slides(a1)
"""


def test_a_word_of_the_prelude_may_be_another_thing_and_keeps_its_meaning_in_the_prelude() -> None:
    own = game(HIDING)
    assert [one.code for one in own.warnings if one.code == "name-taken"] == ["name-taken"] * 3
    names = "slides", "run", "opposite", "jump", "ray", "line"
    text = HIDING
    for name in names:
        text = re.sub(rf"\b{name}\b", f"my_{name}", text)
    assert [move.text for move in legal(own)] == [move.text for move in legal(game(text))]
