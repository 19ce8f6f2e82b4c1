"""The commands, each run in this process on shipped games and small files."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import pytest
from board_graphs import read_graph
from command_line import gdl

from gdl.interpreter.cli import _status
from gdl.interpreter.cli.registry import COMMANDS, make_app
from gdl.interpreter.files import Kind, refuse_other
from gdl.load import find_game, load_game, shipped_names

FAULTY = "game: Faulty\nplayers: A, B\nboard: square(2, 2)\nturn: frobnicate\nend: draw when full\n"

STRANDED = """\
game: Stranded
players: A, B
board: square(1, 2)
turn: |
  choose s in empty
  place Stone at s
end: A wins when count(own) = 2
"""

TWO_STEPS = """\
game: Two steps
players: A, B
board: square(3, 3)
turn: |
  choose a in empty
  choose b in empty - a
  place Stone at a
  place Stone at b
stuck: loses
end: draw when full
"""

ONLY_IN_A_VARIANT = """\
game: Partly used
players: A, B
board: square(2, 2)
define: {rare: top}
turn: |
  choose s in empty
  place Stone at s
end: draw when full
variants:
  uses: {end: mover wins when some own & rare}
  broken: {end: mover wins when some nonsense}
"""


def data(*arguments: object) -> Any:
    result = gdl(*arguments)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def written(folder: Path, text: str) -> Path:
    path = folder / "game.yaml"
    path.write_text(text, encoding="utf-8")
    return path


# ------------------------------------------------------------------------ the commands


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help_has_an_example_and_names_no_game(command: Any) -> None:
    result = gdl(command.name, "--help")
    assert result.exit_code == 0
    text = " ".join(result.stdout.split())
    assert f"Example: {command.example}" in text
    assert command.example.split()[:2] == ["gdl", command.name]
    words = set(text.lower().replace("-", " ").split())
    assert not [name for name in shipped_names() if name in words]


def test_the_list_of_commands_says_of_each_what_its_help_does() -> None:
    listed = gdl("--help").stdout
    for command in COMMANDS:
        paragraph = (command.load().__doc__ or "").split("\n\n")[0]
        assert command.summary == " ".join(paragraph.split())
        assert f"\n  {command.name} " in listed and command.summary.split(". ")[0] in listed


def test_the_list_of_commands_is_not_cut_off_in_80_columns() -> None:
    asked = [sys.executable, "-m", "gdl.interpreter.cli", "--help"]
    environment = {**os.environ, "COLUMNS": "80"}
    told = subprocess.run(asked, capture_output=True, text=True, check=True, env=environment).stdout
    assert "..." not in told.partition("Commands:")[2]
    assert all(len(line) <= 80 for line in told.splitlines())


def test_groups_of_parameters_are_taken_apart() -> None:
    arguments = ("hex", "--option", "size=2", "--after", "a1", "--variant", "nix")
    assert "unknown-variant" in gdl("show", *arguments).stderr
    for command in ("play", "show", "moves", "perft", "playout"):
        text = gdl(command, "--help").stdout
        assert "GAME|SAVE" in text and "request" not in text.lower()
        assert all(f"--{name} " in text for name in ("option", "variant", "after", "example"))
    assert "GAME|SAVE" not in gdl("new", "--help").stdout


def test_no_number_of_seconds_is_nan() -> None:
    group: Any = make_app()
    asked = 0
    for command in COMMANDS:
        _, called, _ = group.resolve_command(click.Context(group), [command.name])
        for option in called.params:
            if option.type.name.startswith("float"):
                asked += 1
                with pytest.raises(click.BadParameter, match="nan is no number of seconds"):
                    option.process_value(click.Context(called), "nan")
    assert asked > 8


def test_list() -> None:
    entries = {entry["name"]: entry for entry in data("list", "--json")}
    assert tuple(entries) == shipped_names()
    assert entries["othello"]["other_names"] == ["Reversi"]
    for name, entry in entries.items():
        for other in entry["other_names"]:
            assert Path(find_game(other).name).stem == name, other
    assert entries["hex"]["title"] == "Hex" and entries["hex"]["family"] == "connection"
    assert set(entries["hex"]) == {
        "name",
        "title",
        "other_names",
        "author",
        "year",
        "about",
        "family",
        "source",
    }
    lines = gdl("list").stdout.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    families = [line for line in lines if line and not line.startswith(" ")]
    assert sorted(listed) == sorted(entries) and max(map(len, lines)) <= 80
    assert families == sorted({entry["family"].capitalize() for entry in entries.values()})


def test_about_tells_rules_in_words() -> None:
    told = data("about", "hex", "--option", "size=5", "--json")
    joined = "an unbroken chain of its stones joins the top side and the bottom side"
    assert told["goals"]["Red"] == [f"Red wins when {joined}."]
    assert told["turns"][0] == [0, "Choose an empty site."]
    assert told["sites"] == 25
    size = next(option for option in told["options"] if option["name"] == "size")
    assert (size["value"], size["default"], size["allowed"]) == ("5", "11", "2..25")
    text = gdl("about", "troll").stdout
    assert "stuck-loses" in text and "A side without a legal move passes." in text


def test_init_writes_a_game_that_is_fine(tmp_path: Path) -> None:
    path = tmp_path / "my-game.yaml"
    assert gdl("init", path).exit_code == 0
    assert re.search(
        r": fine: watched [\d,]+ games?, [\d,]+ moves(, and played [\d,]+ more)?;"
        r" \d+ clauses?, (all|\d+) met$",
        gdl("check", path).stdout.strip(),
    )
    tested = data("test", path, "--json")
    assert len(tested[0]["examples"]) == 2
    assert load_game(str(path)).title == "My game"
    before = path.read_text()
    refused = gdl("init", path)
    assert refused.exit_code == 2 and "file-exists" in refused.stderr
    assert path.read_text() == before


def test_show() -> None:
    shown = data("show", "hex", "--option", "size=3", "--after", "b2, a1", "--json")
    assert shown["rows"] == ["O . .", ". X .", ". . ."]
    assert shown["to_move"] == {"side": "Red", "seat": 1} and shown["outcome"] is None
    over = data("show", "hex", "--option", "size=2", "--after", "a1,b1,a2", "--json")
    assert over["to_move"] is None
    assert over["outcome"] == {"text": "Red wins", "winners": ["Red"], "seats": [1]}
    drawn = gdl("show", "hex", "--option", "size=2", "--after", "a1,b1,a2", "--ascii").stdout
    assert drawn.isascii() and drawn.endswith("Red wins.\n") and "\x1b" not in drawn


def test_show_tells_the_state_that_is_not_drawn() -> None:
    shown = gdl("show", "nine-mens-morris", "--after", "a1").stdout
    assert "White has 8 men to place, Black has 9 men to place" in shown


def test_show_draws_svg(tmp_path: Path) -> None:
    path = tmp_path / "board.svg"
    assert gdl("show", "hex", "--option", "size=3", "--svg", path).exit_code == 0
    assert ElementTree.fromstring(path.read_text(encoding="utf-8")).tag.endswith("svg")


def test_moves() -> None:
    listed = data("moves", "hex", "--option", "size=2", "--after", "b1", "--json")
    assert listed == {"to_move": {"side": "Blue", "seat": 2}, "moves": ["a1", "a2", "b2"]}
    assert gdl("moves", "hex", "--option", "size=2", "--after", "b1").stdout == "a1\na2\nb2\n"


def test_beginnings(tmp_path: Path) -> None:
    example = "a chain from top to bottom wins"
    over = data("show", "hex", "--example", example, "--json")
    assert over["outcome"]["winners"] == ["Red"]
    rows = tmp_path / "rows"
    rows.write_text("X O\n. .\nRed to move\n")
    listed = data("moves", "hex", "--option", "size=2", "--position", rows, "--json")
    assert listed == {"to_move": {"side": "Red", "seat": 1}, "moves": ["a2", "b2"]}
    saved = tmp_path / "position.json"
    shown = gdl("show", "hex", "--option", "size=2", "--after", "b1", "--json").stdout
    saved.write_text(shown)
    again = data("show", "hex", "--option", "size=2", "--position", saved, "--json")
    assert again == json.loads(shown)
    other = gdl("show", "hex", "--option", "size=3", "--position", saved)
    assert other.exit_code == 2 and "other-rules" in other.stderr


def test_an_option_is_read_from_a_file(tmp_path: Path) -> None:
    value = tmp_path / "size"
    value.write_text("3")
    assert len(data("moves", "hex", "--option", f"size=@{value}", "--json")["moves"]) == 9


def test_perft() -> None:
    counted = data("perft", "troll", 2, "--json")
    assert (counted["depth"], counted["nodes"]) == (2, 2268)
    assert counted["seconds"] > 0 and counted["compile_seconds"] > 0
    assert gdl("perft", "troll", 0).stdout == "1\n"
    assert gdl("perft", "troll", 1).stdout == "48\n"
    divided = data("perft", "hex", 2, "--option", "size=2", "--divide", "--json")["divide"]
    assert divided == {"a1": 3, "b1": 3, "a2": 3, "b2": 3}


def test_perft_counts_no_game_that_is_over_before() -> None:
    over = ("hex", "--option", "size=2", "--after", "a1,b1,a2")
    assert gdl("perft", over[0], 1, *over[1:]).stdout == "0\n"


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("graph tic-tac-toe -o", "a.xml"),
        ("graph tic-tac-toe --format dot -o", "a.dot"),
        ("graph tic-tac-toe --format json -o", "a.json"),
        ("show tic-tac-toe --svg", "a.svg"),
        ("show tic-tac-toe --png", "a.png"),
        ("show tic-tac-toe --after b2 --export", "a.svg"),
        ("show tic-tac-toe --after b2 --export", "a.gif"),
        ("show tic-tac-toe --after b2 --export", "a.html"),
        ("report tic-tac-toe --seconds 1 -o", "a.html"),
    ],
)
def test_results_take_the_place_of_nothing_else(arguments: str, named: str, tmp_path: Path) -> None:
    command = (*arguments.split(), tmp_path / named)
    again = 1 if arguments.startswith("report") else 2
    assert all(gdl(*command).exit_code == 0 for _ in range(again))
    written = (tmp_path / named).read_bytes()
    refuse_other(tmp_path / named, next(one for one in Kind if written.startswith(one.value)))
    (tmp_path / named).write_text("a letter")
    refused = gdl(*command)
    assert refused.exit_code == 2 and "file-exists" in refused.stderr
    assert (tmp_path / named).read_text() == "a letter"


@pytest.mark.parametrize(
    "arguments",
    [
        "graph tic-tac-toe -o",
        "report tic-tac-toe -o",
        "tune tic-tac-toe -o",
        "show tic-tac-toe --svg",
        "show tic-tac-toe --png",
        "show tic-tac-toe --export",
        "why tic-tac-toe b2 --svg",
        "new tic-tac-toe -o",
        "init",
        "match tic-tac-toe random random -n 1 -o",
        "solve tic-tac-toe --table",
    ],
)
def test_a_file_that_cannot_be_written_is_told(arguments: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    refused = gdl(*arguments.split(), tmp_path / "file" / "a.svg")
    assert refused.exit_code == 2 and "file-unwritable" in refused.stderr
    assert (tmp_path / "file").read_text() == "mine"


def test_playouts_of_teams_tell_who_wins_together(tmp_path: Path) -> None:
    path = tmp_path / "teams.yaml"
    path.write_text("""\
game: Teams
players: N, E, S, W
teams: N and S, E and W
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when in_a_row(own, 2)
  - draw when full
""")
    told = gdl("playout", path, "-n", 20).stdout.splitlines()
    shares = [line.partition(":") for line in told[:3]]
    assert [what for what, _, _ in shares] == ["N and S win", "E and W win", "draw"]
    assert sum(int(number.split()[0]) for _, _, number in shares) == 20


def test_playout() -> None:
    def played(*more: str) -> dict[str, Any]:
        result: dict[str, Any] = data("playout", "tic-tac-toe", "-n", 30, "--json", *more)
        return result

    first = played("--seed", "7")
    assert first["playouts"] == 30 and first["seed"] == 7
    assert set(first) >= {
        "seconds",
        "playouts_per_second",
        "moves_per_second",
        "mean_length",
        "compile_seconds",
    }
    outcomes = first["outcomes"]
    assert sum(outcomes["by_side"].values()) + outcomes["draw"] + outcomes["unfinished"] == 30
    assert list(outcomes["by_side"].values()) == list(outcomes["by_seat"].values())
    assert played("--seed", "7")["outcomes"] == outcomes
    assert played("--max-plies", "4")["outcomes"]["unfinished"] == 30
    text = gdl("playout", "tic-tac-toe", "-n", 10, "--seed", 1).stdout
    assert "X wins" in text and "seed 1" in text


@pytest.mark.parametrize("backend", ["reference", "native"])
def test_playout_ends_when_the_time_is_over(backend: str) -> None:
    arguments = ("playout", "amazons", "--backend", backend, "--seconds")
    played = data(*arguments, 0.2, "-n", 10**9, "--json")
    assert not played["in_time"] and played["playouts"] < 10**9
    outcomes = played["outcomes"]
    counted = sum(outcomes["by_side"].values()) + outcomes["draw"] + outcomes["unfinished"]
    assert counted == played["playouts"]
    none = gdl(*arguments, 0, "-n", 10**9, "--threads", 1)
    assert none.exit_code == 0 and "games had ended" in none.stderr


def test_playout_plays_as_many_games_as_there_is_time_for() -> None:
    played = data("playout", "tic-tac-toe", "--seconds", 0.5, "--threads", 2, "--json")
    assert played["in_time"] and played["playouts"] > 100


def test_graph() -> None:
    text = gdl("graph", "hex", "--option", "size=2", "--format", "graphml").stdout
    graph = read_graph(text, "graphml")
    assert set(graph.nodes) == {"a1", "a2", "b1", "b2"}
    assert data("graph", "hex", "--option", "size=2", "--json")["multigraph"] is True


# -------------------------------------------------------------------- checking, examples


def test_check_tells_what_is_wrong_and_where(tmp_path: Path) -> None:
    path = written(tmp_path, FAULTY)
    result = gdl("check", path)
    assert result.exit_code == 1
    assert f"{path}:4:" in result.stderr and "1 error" in result.stdout
    told = json.loads(gdl("check", path, "--json").stdout)
    assert told[0]["file"] == str(path) and told[0]["findings"][0]["line"] == 4


def test_check_reads_stdin() -> None:
    text = "game: T\nplayers: A, B\nboard: square(3, 3)\nturn: choose s in emty\nstuck: draw\n"
    told = gdl("check", "-", "--no-play", typed=text)
    assert "unknown-name" in told.stderr and " --> stdin:4:19" in told.stderr
    assert gdl("check", "-", "--no-play", typed=text.replace("emty", "empty")).exit_code == 0
    assert "stdin is none" in gdl("check", "-", "--fix", typed=text).stderr


def test_check_looks_at_each_variant(tmp_path: Path) -> None:
    found = json.loads(gdl("check", written(tmp_path, ONLY_IN_A_VARIANT), "--json").stdout)
    assert [(f["variant"], f["line"]) for f in found[0]["findings"]] == [("broken", 11)]


def test_check_writes_some_findings_of_a_code_and_counts_the_others(tmp_path: Path) -> None:
    unused = "".join(f"  word_{number}: a1\n" for number in range(20))
    file = tmp_path / "many.yaml"
    file.write_text(f"{TWO_STEPS}define:\n{unused}", "utf-8")
    some, all_of_them = gdl("check", "--no-play", file), gdl("check", "--no-play", "--all", file)
    assert some.exit_code == all_of_them.exit_code == 0
    assert some.output.count("nothing uses it") == 8
    assert "… and 12 more of unused; --all writes them." in some.output
    assert all_of_them.output.count("nothing uses it") == 20
    assert "more of unused" not in all_of_them.output
    told = json.loads(gdl("check", "--no-play", "--json", file).stdout)
    assert sum(one["code"] == "unused" for one in told[0]["findings"]) == 20


def test_check_tells_how_sure_a_finding_is(tmp_path: Path) -> None:
    game = "game: Wide\nplayers: A, B\nboard: square(3, 1)\n"
    turn = "turn: |\n  choose s in empty\n  place Stone at s\nend: draw when full\n"
    path = written(tmp_path, f"{game}options: {{idle: 1 in 1..2}}\n{turn}")
    assert "  proved: whatever is played" in gdl("check", path, "--no-play").stderr
    rare = "game: Rare\n" + game.split("\n", 1)[1] + turn.replace("full", "turns > 2")
    rare = rare.replace("choose s in empty", "choose s in empty where turns < 9")
    assert "  not seen: no proof" in gdl("check", written(tmp_path, rare)).stderr


def test_check_of_no_file_is_wrong_use() -> None:
    assert gdl("check", "nowhere.yaml").exit_code == 2


def test_test_tells_a_false_example(tmp_path: Path) -> None:
    path = written(
        tmp_path, TWO_STEPS + "examples:\n  - {name: wrong, count: 7}\n  - {name: r, count: 72}\n"
    )
    result = gdl("test", path)
    assert result.exit_code == 1
    assert "wrong: FAILS" in result.stdout and "1 of 2 examples hold" in result.stdout
    assert "example-failed" in result.stderr
    told = json.loads(gdl("test", path, "--json").stdout)[0]["examples"]
    assert [one["passed"] for one in told] == [False, True]


# ------------------------------------------------------------------------ what goes wrong


def test_a_word_of_a_game_s_name_leads_to_it() -> None:
    assert "Did you mean `royal-game-of-ur`?" in gdl("show", "Ur").stderr
    assert "Did you mean `dark-hex` or" not in gdl("show", "hexx").stderr


def test_without_a_command_the_help_is_told_in_lines() -> None:
    result = gdl()
    assert result.exit_code == 2 and "\\n" not in result.stderr
    assert "\n  list     List the shipped games.\n" in result.stderr


def test_what_typed_characters_do_to_a_terminal_is_not_done() -> None:
    assert "\x1b" not in gdl("nix\x1b[31m").stderr


def test_saved_games_folders_and_games_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("save").write_text("game: hex\nmoves: [a1]\n")
    Path("games.jsonl").write_text('{"game": "hex", "moves": ["a1"]}\n' * 2)
    Path("folder").mkdir()
    for name in ("save", "games.jsonl"):
        for command in ("about", "check"):
            assert f"`{name}` is a saved game, not the file" in gdl(command, name).stderr
    for command in ("show", "check", "replay"):
        assert "`folder` is a folder, not a file." in gdl(command, "folder").stderr
    for arguments in (("replay", "hex"), ("move", "hex", "a1")):
        assert "that is a game, and not a saved one" in gdl(*arguments).stderr


def test_a_move_that_is_none_is_told_with_where_moves_are() -> None:
    assert "`gdl moves` lists the legal ones" in gdl("why", "hex", "zz").stderr


def test_an_unknown_example_is_told_with_those_that_there_are(tmp_path: Path) -> None:
    text = "game: Mine\nplayers: A, B\nboard: square(2, 2)\nturn: pass\nstuck: draw\n"
    path = written(tmp_path, text)
    assert "There are none" in gdl("show", path, "--example", "nix").stderr
    path = written(tmp_path, text + "examples:\n  - name: a corner\n  - play: pass\n")
    assert "There are: `a corner`, `2`." in gdl("show", path, "--example", "nix").stderr
    assert "Did you mean `a corner`?" in gdl("show", path, "--example", "a croner").stderr
    path = written(tmp_path, text + "examples:\n" + "  - play: pass\n" * 20)
    assert "`12`, and 8 others." in gdl("show", path, "--example", "nix").stderr


@pytest.mark.parametrize(
    ("arguments", "status", "code"),
    [
        (("show", "no-such-game"), 2, "unknown-game"),
        (("show", "hex", "--option", "size"), 2, "wrong-option"),
        (("show", "hex", "--option", "sise=3"), 2, "unknown-option"),
        (("show", "hex", "--option", "size=99"), 2, "wrong-option"),
        (("show", "hex", "--option", "size=@nowhere"), 2, "file-not-found"),
        (("show", "troll", "--variant", "nix"), 2, "unknown-variant"),
        (("show", "hex", "--example", "nix"), 2, "unknown-example"),
        (("show", "hex", "--position", "nowhere"), 2, "file-not-found"),
        (("show", "hex", "--after", "a1, a1"), 2, "wrong-move"),
        (("moves", "hex", "--after", "zz"), 2, "wrong-move"),
        (("playout", "hex", "--threads", "2", "--backend", "reference"), 2, "wrong-option"),
        (("perft", "hex", "1", "--checked", "--backend", "reference"), 2, "wrong-option"),
        (("play", "hex", "--seat", "3=random"), 2, "wrong-option"),
        (("play", "hex", "--seat", "1=genius"), 2, "unknown-player"),
        (("move", "nowhere", "a1"), 2, "file-not-found"),
        (("show", "hex", "--svg", "/no/such/folder/x.svg"), 2, "file-unwritable"),
        (("graph", "hex", "-o", "/no/such/folder/x.dot"), 2, "file-unwritable"),
        (("init", ""), 2, "wrong-option"),
        (("init", "."), 2, "wrong-option"),
        (("init", ".."), 2, "wrong-option"),
        (("init", "/"), 2, "wrong-option"),
        (("show", "a\0b"), 2, "unknown-game"),
        (("show", "a\0b.yaml"), 2, "file-not-found"),
        (("show", "a" * 5000 + ".yaml"), 2, "file-unreadable"),
        (("show", "a" * 5000), 2, "unknown-game"),
    ],
)
def test_wrong_use(arguments: tuple[str, ...], status: int, code: str) -> None:
    result = gdl(*arguments)
    assert result.exit_code == status
    assert code in result.stderr and result.stdout == ""


def test_findings_are_json_if_asked(tmp_path: Path) -> None:
    result = gdl("show", written(tmp_path, FAULTY), "--json")
    assert result.exit_code == 1
    assert json.loads(result.stdout)["diagnostics"][0]["line"] == 4


def test_rules_that_fail_are_a_finding(tmp_path: Path) -> None:
    result = gdl("playout", written(tmp_path, STRANDED), "-n", 1)
    assert result.exit_code == 1 and "no-move-no-stuck" in result.stderr


@pytest.mark.parametrize("as_json", [False, True])
def test_what_was_not_foreseen_is_one_line(monkeypatch: pytest.MonkeyPatch, as_json: bool) -> None:
    def fail(*arguments: object, **named: object) -> None:
        raise RuntimeError("deep inside")

    monkeypatch.setattr("gdl.interpreter.cli.commands.show.begin", fail)
    result = gdl("show", "hex", *(["--json"] if as_json else []))
    assert result.exit_code == 70 and " 70 " in gdl("--help").stdout
    told = result.stdout if as_json else result.stderr
    assert "deep inside" in told and "internal-error" in told
    assert "Traceback" not in result.output


def test_what_was_not_foreseen_outside_of_a_command_is_told_as_well(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("gdl.interpreter.cli.registry.make_app", lambda: None)
    assert _status() == 70
    assert "internal-error" in capfd.readouterr().err


def test_an_interrupt_has_its_own_status(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: object, **named: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("gdl.interpreter.cli.commands.show.begin", interrupt)
    result = gdl("show", "hex")
    assert result.exit_code == 130 and "Traceback" not in result.output
