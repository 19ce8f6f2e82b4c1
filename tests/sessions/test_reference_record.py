"""Games saved and loaded."""

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from gdl.diagnostic import GameError, Source
from gdl.interpreter import Move, Position, Rules, load
from gdl.interpreter.sessions.record import Record
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import parse_record, read_record, write_record

GAME = """
game: Islands
players: Red, Blue
board: square(size, 2)
options:
  size: {default: 3, in: 2..5}
turn: |
  choose s in empty
  either
    place Stone at s
  or
    place Stone at s
    again
end:
  - draw when full
variants:
  loss:
    end: [mover loses when full]
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    game = tmp_path / "islands.yaml"
    game.write_text(GAME, "utf-8")
    return game


def game_of(rules: Rules, seed: int) -> tuple[Position, list[Move]]:
    """Play a random game; the first position and the moves."""
    random = Random(seed)
    start = position = rules.start()
    moves = []
    while not position.over:
        moves.append(random.choice(position.moves()))
        position = position.play(moves[-1])
    return start, moves


def test_a_saved_game_is_played_again(path: Path) -> None:
    for seed in range(10):
        start, moves = game_of(load(str(path), {"size": 4}, ["loss"]), seed)
        record = Record.of(start, moves, seed=seed, result="it's over: really")
        save = path.parent / "game.save"
        write_record(record, save)
        read = read_record(save)
        assert read == record
        again = replay(read, save)
        assert list(again.moves) == moves
        assert (again.last.over, again.warnings) == (True, ())
        assert [o.value for o in again.last.rules.game.options] == ["4"]


def test_texts_that_mean_two_moves_are_saved_with_their_decisions(path: Path) -> None:
    start = load(str(path)).start()
    again = next(m for m in start.moves() if m.decisions == (0, 1))
    assert Record.of(start, [again]).moves == ("a1 @0,1",)


def test_a_game_may_begin_elsewhere(path: Path) -> None:
    start = load(str(path)).from_rows("X..\nO..", mover="Blue")
    move = start.moves()[0]
    read = parse_record(Source("save", Record.of(start, [move]).to_text()))
    assert replay(read).positions == (start, start.play(move))


def test_a_start_of_other_rules_is_refused_if_the_record_does_not_say_so(path: Path) -> None:
    start = load(str(path)).from_rows("X..\nO..", mover="Blue")
    record = Record.of(start, [])
    path.write_text(GAME.replace("draw when full", "Red wins when full"), "utf-8")
    assert [found.code for found in replay(record).warnings] == ["other-rules"]
    with pytest.raises(GameError) as error:
        replay(replace(record, digest=""))
    assert [found.code for found in error.value.diagnostics] == ["other-rules"]


def test_shipped_games_go_by_their_names() -> None:
    assert Record.of(load("tic-tac-toe").start(), []).game == "tic-tac-toe"


def test_a_game_is_found_beside_its_save(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    save = path.parent / "game.save"
    write_record(Record(path.name), save)
    monkeypatch.chdir("/")
    assert replay(read_record(save), save).last.rules.game.title == "Islands"


def test_changed_rules_are_a_warning_as_long_as_the_moves_fit(path: Path) -> None:
    start, moves = game_of(load(str(path)), 1)
    record = Record.of(start, moves)
    path.write_text(GAME.replace("draw when full", "Red wins when full"), "utf-8")
    again = replay(record)
    assert [w.code for w in again.warnings] == ["other-rules"]
    path.write_text(GAME.replace("default: 3", "default: 2"), "utf-8")
    with pytest.raises(GameError) as error:
        replay(record)
    assert [d.code for d in error.value.diagnostics] == ["damaged-record", "other-rules"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "empty-file"),
        ("game: hex\nmoves: [a1\n", "unclosed"),
        ("game: hex\n", "missing-key"),
        ("game: hex\nmoves: [a1]\ncolour: red\n", "unknown-key"),
        ("game: hex\nmoves: []\nseed: many\n", "wrong-value"),
        ("game: hex\nmoves: []\nstart: nowhere\n", "damaged-record"),
        (f"game: hex\nmoves: []\nstart: '{'[' * 5000}'\n", "damaged-record"),
    ],
)
def test_a_damaged_save_is_told(text: str, code: str) -> None:
    with pytest.raises(GameError) as error:
        parse_record(Source("save", text))
    if code != "unclosed":
        assert error.value.diagnostics[0].code == code


def test_a_move_that_cannot_be_made_is_told_with_its_line() -> None:
    read = parse_record(Source("save", "game: tic-tac-toe\nmoves:\n- a1\n- b2\n- a1\n"))
    with pytest.raises(GameError) as error:
        replay(read)
    (diagnostic,) = error.value.diagnostics
    assert diagnostic.code == "damaged-record"
    assert diagnostic.span is not None
    assert diagnostic.span.line == 5


def test_what_cannot_be_written_leaves_what_was_there(path: Path) -> None:
    save = path.parent / "game.save"
    write_record(Record(path.name, ("a1",)), save)
    before = save.read_bytes()
    for record, target, code in (
        (Record(path.name, ("a1",) * 100_000), save, "file-too-large"),
        (Record(path.name, ("a1 b2 c3 d4 e5",) * 70_000), save, "file-too-large"),
        (Record("\udcff.yaml"), save, "file-unwritable"),
        (Record(path.name), path.parent / "none" / "game.save", "file-unwritable"),
        (Record(path.name), path.parent, "file-unwritable"),
    ):
        with pytest.raises(GameError) as error:
            write_record(record, target)
        assert error.value.diagnostics[0].code == code
    assert save.read_bytes() == before
    assert sorted(p.name for p in path.parent.iterdir()) == ["game.save", "islands.yaml"]


def test_a_long_game_that_can_be_written_can_be_read(path: Path) -> None:
    record = Record(path.name, ("a1 b12-c3",) * 50_000)
    save = path.parent / "game.save"
    write_record(record, save)
    assert read_record(save) == record


NAMES = ("a b", " a", "a ", "null", "1", "ü", "\u202e", "a: b", "- a", "'", '"', "#a", "a\nb", "~")


@pytest.mark.parametrize("name", [*NAMES, "\x1b[31m", "a\\b", "%", "\u2028", "\x85", "go", "yes"])
@pytest.mark.parametrize("ending", [".yaml", ""])
def test_a_game_with_any_file_name_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, ending: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(f"{name}{ending}").write_text(GAME)
    record = Record.of(load(f"./{name}{ending}").start(), [])
    write_record(record, name)
    if ending:
        assert replay(read_record(name), name).last.rules.game.title == "Islands"
        monkeypatch.chdir("/")
        save = tmp_path / name
        assert replay(read_record(save), save).last.rules.game.title == "Islands"
    else:
        assert record.game == f"./{name}"


def test_who_moves_when_another_has_moved_is_told(path: Path) -> None:
    save = path.parent / "game.save"
    start = load(str(path)).start()
    write_record(Record.of(start, []), save)
    read = read_record(save)
    others = [Record.of(start, [move]) for move in start.moves()[:2]]
    write_record(others[0], save, instead_of=read.text)
    for target in (save, path.parent / "removed"):
        with pytest.raises(GameError) as error:
            write_record(others[1], target, instead_of=read.text)
        assert [found.code for found in error.value.diagnostics] == ["save-changed"]
    assert read_record(save) == others[0]
    save.write_bytes(save.read_bytes().replace(b"\n", b"\r\n"))
    write_record(others[1], save, instead_of=read_record(save).text)
