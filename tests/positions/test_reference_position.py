"""Positions of games from files: pictures, plain data, equality."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from gdl.diagnostic import GameError, Source
from gdl.interpreter import IllegalMoveError, Move, Position, Rules, load
from gdl.interpreter.positions.position_text import state_text
from gdl.load import load_source

GAME = """
game: Islands
players: Red, Blue
board: square(3, 2)
pieces: Stone, neutral Rock
state:
  drops: number in 0..9 = 0
  heights: number per site in 0..5 = 0
  calm: flag = yes
  unread: number = 0
setup:
  Rock: b1
turn: |
  choose s in empty
  place Stone at s
  set drops = drops + 1
  set heights(s) = heights(s) + 2
end:
  - draw when full and calm
  - draw when drops = 9
"""


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Rules:
    path: Path = tmp_path_factory.mktemp("games") / "islands.yaml"
    path.write_text(GAME, "utf-8")
    return load(str(path))


def code(error: pytest.ExceptionInfo[GameError]) -> str:
    return error.value.diagnostics[0].code


def test_what_a_position_tells(rules: Rules) -> None:
    position = rules.start().play("a1").play("c2")
    assert position.pieces() == {"a1": "Red Stone", "b1": "Rock", "c2": "Blue Stone"}
    assert position.rows() == ". . O\nX r ."
    assert (position.mover, position.seat, position.over) == ("Red", 1, False)
    assert [str(move) for move in position.moves()] == ["c1", "a2", "b2"]
    assert position.last_sites == {5}
    assert "a" in position.render(ascii=True)


def test_a_game_played_to_its_end(rules: Rules) -> None:
    position = rules.start()
    for move in ("a1", "c1", "a2", "b2", "c2"):
        position = position.play(move)
    assert position.over
    assert str(position.outcome) == "draw"
    with pytest.raises(IllegalMoveError):
        position.play("b1")


def test_a_move_of_another_position_is_refused(rules: Rules) -> None:
    start = rules.start()
    move = start.parse("a1")
    with pytest.raises(IllegalMoveError):
        start.play(move).play(move)
    with pytest.raises(IllegalMoveError):
        start.play(Move((77,), "a1"))


def test_positions_are_equal_by_what_the_rules_can_read(rules: Rules) -> None:
    left = rules.start().play("a1").play("c1").play("a2")
    right = rules.start().play("a2").play("c1").play("a1")
    assert left == right
    assert hash(left) == hash(right)
    assert left != rules.start().play("a1").play("c1").play("b2")


# ------------------------------------------------------------------------ pictures


def test_rows_show_a_position(rules: Rules) -> None:
    position = rules.from_rows("..O\nXr.", mover="blue", state={"drops": "7", "calm": False})
    assert position.pieces() == {"a1": "Red Stone", "b1": "Rock", "c2": "Blue Stone"}
    assert position.mover == "Blue"
    data = position.to_json()["state"]
    assert (data["drops"], data["calm"], data["heights"]) == (7, False, [0] * 6)
    assert rules.position(position.rows()).rows() == position.rows()


def test_a_variable_that_no_rule_reads_may_be_set_to_what_it_can_be(rules: Rules) -> None:
    assert rules.from_rows(state={"unread": 5}) == rules.start()
    with pytest.raises(GameError):
        rules.from_rows(state={"unread": "five"})


def test_numbers_for_sites_are_given_one_by_one_or_all_alike(rules: Rules) -> None:
    def heights(text: str) -> Any:
        return rules.from_rows(state={"heights": text}).to_json()["state"]["heights"]

    assert heights("a1=3 c2=1") == [3, 0, 0, 0, 0, 1]
    assert heights("2") == [2] * 6


@pytest.mark.parametrize(
    ("described", "expected"),
    [
        ({"rows": "..\n.."}, "picture"),
        ({"rows": "..O"}, "picture"),
        ({"rows": "..O\nX?."}, "unknown-symbol"),
        ({"mover": "Green"}, "unknown-name"),
        ({"phase": "later"}, "unknown-name"),
        ({"state": {"drop": "1"}}, "unknown-name"),
        ({"state": {"drops": "many"}}, "wrong-value"),
        ({"state": {"drops": "10"}}, "wrong-value"),
        ({"state": {"heights": "a9=1"}}, "wrong-value"),
        ({"seats": {"Red": 2}}, "wrong-value"),
    ],
)
def test_what_is_no_position_is_told(
    rules: Rules, described: dict[str, Any], expected: str
) -> None:
    with pytest.raises(GameError) as error:
        rules.from_rows(described.pop("rows", None), **described)
    assert code(error) == expected


# ---------------------------------------------------------------------- plain data


def test_plain_data_gives_an_equal_position(rules: Rules) -> None:
    position = rules.start()
    while not position.over:
        data = json.loads(json.dumps(position.to_json()))
        assert rules.position(data) == position
        position = position.play(position.moves()[-1])
    restored = rules.from_json(position.to_json())
    assert (restored.over, restored.outcome, restored.moves()) == (True, position.outcome, ())


def damaged(position: Position) -> list[tuple[str, Any]]:
    def changed(name: str, value: Any) -> Any:
        data = copy.deepcopy(position.to_json())
        data["state"][name] = value
        return data

    without = position.to_json()
    del without["state"]["drops"]
    return [
        ("no mapping", [1]),
        ("no state", {"state": 3}),
        ("a part missing", without),
        ("a part too many", changed("extra", 1)),
        ("no such site", changed("Red Stone", "a1 z9")),
        ("sites as a number", changed("Red Stone", 3)),
        ("no such side", changed("mover", "Green")),
        ("no side", changed("mover", None)),
        ("a number beyond its bounds", changed("drops", 10)),
        ("a flag for a number", changed("drops", True)),
        ("a number for a flag", changed("calm", 1)),
        ("too few numbers", changed("heights", [0])),
        ("a wrong outcome", {**position.to_json(), "outcome": {"winners": ["Green"], "seats": []}}),
    ]


@pytest.mark.parametrize("index", range(13))
def test_damaged_data_is_refused(rules: Rules, index: int) -> None:
    _, data = damaged(rules.start())[index]
    with pytest.raises(GameError) as error:
        rules.from_json(data)
    assert code(error) == "damaged-position"


REMEMBERING = """\
game: Remembering
players: Red, Blue
board: square(2, 2)
state:
  n: number
  f: fraction
  mode: name in (calm, wild)
  seeds: mark in 0..5
setup: {Red Stone: a1}
turn: |
  either
    choose s in empty where seeds(s) < 4 and n < 4 and f < 4 and mode = calm
    place Stone at s
    require seen(board, n) = 0 and turns < 9
  or
    swap
stuck: draw
"""


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("n", 2**63),
        ("n", -(2**64)),
        ("n", "1/2"),
        ("n", [1]),
        ("f", "1" * 1300 + "/2"),
        ("f", 1 << 4096),
        ("f", [1]),
        ("f", 0.5),
        ("mode", None),
        ("seeds", [1, 2, 3, [4]]),
        ("seeds", [1, 2, 3, 2**63]),
        ("turns", -1),
        ("seat of Red", 1),
        ("Red Stone", ["a1"]),
        ("Blue Stone", "b1 a1"),
        ("history 1", [[["a1", "", [0, 0, 0, 0], 0], 10**7]]),
        ("history 1", [[["a1", "", [0, 0, 0, 0], 0], 9**6]] * 2),
        ("history 1", [[["a1", "", [0, 0, 0, 0], 0], 1], [["a1", "", [0, 0, 0, 0], 0], 1]]),
        ("history 1", [[["a1", "", [0, 0, 0], 0], 1]]),
        ("history 1", [[["a1", [], [0, 0, 0, 0], 0], 1]]),
        ("history 1", [[["a1", "", 0, 0], 1]]),
    ],
    ids=lambda value: str(value)[:30],
)
def test_each_part_of_a_position_is_one_that_play_can_have(name: str, value: Any) -> None:
    rules = Rules(load_source(Source("remembering.yaml", REMEMBERING)))
    data = rules.start().to_json()
    assert rules.from_json(data) == rules.start()
    assert name in data["state"]
    data["state"][name] = value
    with pytest.raises(GameError) as error:
        rules.from_json(data)
    assert code(error) == "damaged-position"


def test_a_position_of_other_rules_is_refused(rules: Rules) -> None:
    with pytest.raises(GameError) as error:
        rules.from_json({**rules.start().to_json(), "digest": "0000"})
    assert code(error) == "other-rules"


def test_looks_are_told_of_the_position() -> None:
    text = """\
game: Looks
players: Black, White
board: square(3, 3)
state: {hand(players): number = 3}
turn: |
  choose s in empty
  place Stone at s
  set hand(mover) = hand(mover) - 1
stuck: draw
display:
  colours: {Black: top, White: left, gold: White}
  signs: {"*": b2}
  lines: {White: north from bottom}
  captions: {hand(Black): "Black has {} stones", hand(White): ""}
"""
    position = Rules(load_source(Source("looks.yaml", text))).start().play("c3")
    scene = position.scene()
    names = {position.rules.game.board.sites[i].name: n for i, n in scene.areas.items()}
    assert names["a3"] == ("Black", "White") and names["b3"] == ("Black",)
    assert names["a1"] == ("White",) and "c1" not in names
    assert [position.rules.game.board.sites[i].name for i in scene.signs] == ["b2"]
    ends = {(position.rules.game.board.sites[a].name, name) for a, _, name in scene.bonds}
    assert ends == {("a1", "White"), ("b1", "White"), ("c1", "White")}
    assert state_text(position) == "Black has 2 stones"


def test_a_caption_is_of_a_variable_at_all_indices_or_at_one() -> None:
    text = """\
game: Captions
players: A, B, C
board: square(2, 2)
state: {hand(players): number = 3}
turn: |
  choose s in empty
  place Stone at s
  add -1 to hand(mover)
stuck: draw
display:
  captions:
    hand(B): B has {}
    hand: ""
"""
    position = Rules(load_source(Source("captions.yaml", text))).start().play("a1")
    assert state_text(position) == "B has 3"


NUMBERED = """\
game: Numbers on sites
players: White, Black
board: square(2, 2)
state: {weight: number per site in 0..9, power: number per site in 0..9}
turn: |
  choose s in empty
  place Stone at s
  set weight(s | b2) = 3
  set power(a1) = turns + 2
end: draw when full and weight(a1) + power(a1) > 0
"""


def _numbered(more: str = "") -> Position:
    return Rules(load_source(Source("numbers.yaml", NUMBERED + more))).start()


def test_numbers_on_sites_that_a_caption_hides_are_not_drawn() -> None:
    shown = _numbered().play("a1").scene()
    assert {site: mark.count for site, mark in shown.marks.items()} == {0: None, 3: 3}
    other = _numbered('display: {captions: {weight: ""}}\n').play("b1").scene()
    assert {site: mark.count for site, mark in other.marks.items()} == {0: 2, 1: None}
    assert other.changed == {0}
    hidden = _numbered('display: {captions: {weight: "", power: ""}}\n').play("b1").scene()
    assert hidden.marks.keys() == {1}
    assert hidden.changed == frozenset()


def test_numbers_on_sites_are_told_by_where_they_stand() -> None:
    captions = "display:\n  captions:\n    power: strong are {}\n"
    assert state_text(_numbered(captions).play("b1")) == "strong are 2 on a1"
    seen = "sees: {pieces: top, values: [weight, power]}\n"
    view = _numbered(seen).play("b1").view("White")
    assert dict(view.values)["weight"] == "0 3 0 3"
    assert view.told == ("weight 3 on b1", "power 2 on a1")
    everywhere = "sees: {pieces: none, values: weight}\n"
    told = _numbered(everywhere).play("a1").play("b1").play("a2").view("White").told
    assert told == ("weight 3 everywhere",)
