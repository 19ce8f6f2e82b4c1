"""Files that are written as a whole or not at all, and saves that two processes write."""

from __future__ import annotations

import fcntl
import json
import os
import stat
from pathlib import Path

import pytest
from command_line import gdl

from gdl.diagnostic import GameError
from gdl.interpreter import files
from gdl.interpreter.files import Kind, refuse_other, write_file, write_result
from gdl.kept import UNFINISHED


def refused(*arguments: object, **named: object) -> str:
    """Return the code with which a file is not written."""
    with pytest.raises(GameError) as error:
        write_file(*arguments, **named)  # type: ignore[arg-type]
    return error.value.diagnostics[0].code


@pytest.fixture(params=["without a name", "with a name", "without a lock"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder in which files are written in each of the ways that systems know."""
    if request.param != "without a name":
        monkeypatch.setattr(files, "_without_a_name", lambda *arguments: False)
    if request.param == "without a lock":
        monkeypatch.setattr(files, "_is_locked", lambda *arguments: False)
    return tmp_path


def test_a_file_is_replaced_and_nothing_else_is_there(folder: Path) -> None:
    path = folder / "a"
    for text in ("one\n", "another ü\n"):
        write_file(path, text)
        assert path.read_text("utf-8") == text
        assert list(folder.iterdir()) == [path]


def test_a_new_file_takes_no_others_place(folder: Path) -> None:
    path = folder / "a"
    write_file(path, "one", is_new=True)
    assert refused(path, "two", is_new=True) == "file-exists"
    assert path.read_text() == "one" and list(folder.iterdir()) == [path]


@pytest.mark.parametrize("kind", Kind, ids=lambda kind: kind.name)
def test_a_result_takes_the_place_of_its_own_kind_alone(kind: Kind, tmp_path: Path) -> None:
    path = tmp_path / "a"
    for text in (b"one", b"two"):
        write_result(path, kind.value + text)
        refuse_other(path, kind)
    for other in (b"mine", *(one.value for one in Kind if one is not kind)):
        path.write_bytes(other)
        for attempt in (lambda: write_result(path, kind.value), lambda: refuse_other(path, kind)):
            with pytest.raises(GameError) as error:
                attempt()
            assert error.value.diagnostics[0].code == "file-exists"
        assert path.read_bytes() == other
    path.write_bytes(b"")
    write_result(path, kind.value)
    assert path.read_bytes() == kind.value and list(tmp_path.iterdir()) == [path]


def test_that_a_result_cannot_be_written_is_known_before(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none" / "a", "a\0b"):
        with pytest.raises(GameError) as error:
            refuse_other(path, Kind.SVG)
        assert error.value.diagnostics[0].code == "file-unwritable"
    refuse_other(os.devnull, Kind.SVG)


def test_what_a_check_raises_leaves_all_as_it_was(folder: Path) -> None:
    path = folder / "a"
    write_file(path, "one")

    def check() -> None:
        raise KeyError

    with pytest.raises(KeyError):
        write_file(path, "two", check=check)
    assert path.read_text() == "one" and list(folder.iterdir()) == [path]


def test_permissions_stay_and_new_files_have_the_usual_ones(folder: Path) -> None:
    path = folder / "a"
    before = os.umask(0o027)
    try:
        write_file(path, "one")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    path.chmod(0o604)
    write_file(path, "two")
    assert stat.S_IMODE(path.stat().st_mode) == 0o604


def test_a_link_stays_a_link(folder: Path) -> None:
    (folder / "inside").mkdir()
    path, link = folder / "inside" / "a", folder / "link"
    link.symlink_to(path)
    write_file(link, "one")
    assert link.is_symlink() and path.read_text() == "one"


def test_what_a_killed_process_left_is_gone_after_the_next(tmp_path: Path) -> None:
    (tmp_path / UNFINISHED).write_text("half of")
    write_file(tmp_path / "a", "one")
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


@pytest.mark.parametrize("name", ["", ".", "no/folder/a", "a\0b", "a" * 300])
def test_what_cant_be_written_is_told(folder: Path, name: str) -> None:
    path = f"{folder}/{name}" if name else ""
    assert refused(path, "one") == "file-unwritable"
    assert list(folder.iterdir()) == []


def test_a_full_disk_leaves_what_was_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "a"
    write_file(path, "one")

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "_fill", full)
    assert refused(path, "two") == "file-unwritable"
    assert path.read_text() == "one" and list(folder.iterdir()) == [path]


def test_a_device_and_a_pipe_are_written_to_as_they_are(tmp_path: Path) -> None:
    write_file(os.devnull, "one")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
    assert refused("/dev/full", "one") == "file-unwritable"
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    write_file(pipe, "one")
    assert os.read(reader, 10) == b"one"
    os.close(reader)


def test_who_writes_waits_for_another(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "_LONGEST_WAIT", 0.05)
    handle = os.open(tmp_path, os.O_RDONLY)
    fcntl.flock(handle, fcntl.LOCK_EX)
    assert refused(tmp_path / "a", "one") == "file-busy"
    os.close(handle)
    write_file(tmp_path / "a", "one")
    assert [item.name for item in tmp_path.iterdir()] == ["a"]


@pytest.mark.slow
def test_kills_and_races_lose_nothing() -> None:
    from tests.benchmarks.kills import results

    found = results(kills=12, races=6)
    assert sum(found.values()) == 18
    assert [what for what in found if "!" in what] == []


@pytest.mark.slow
def test_faults_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.benchmarks import kills

    def careless(path: Path, text: str, **named: object) -> None:
        path.write_text(text)

    monkeypatch.setattr(kills, "_write", careless)
    assert [what for what in kills.results(kills=0, races=4) if "!" in what]


# --------------------------------------------------------- commands that can't write

NOWHERE = "/dev/null"
"""A home in which nothing can be written, whoever the user is."""


@pytest.fixture
def homeless(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", NOWHERE)
    for name in ("XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "GDL_CODE", "GDL_GAMES"):
        monkeypatch.delenv(name, raising=False)
    for variable in [name for name in os.environ if name.startswith("GDL_")]:
        monkeypatch.delenv(variable)


ROW = ("tic-tac-toe",)
SHORT = (*ROW, "--after", "a1, b2, b1, c1")
NOT_WRITTEN = [
    (("solve", *SHORT, "--table"), "Draw."),
    (("analyse", *SHORT, "--iterations", 50, "--svg"), "iterations in"),
    (("analyse", *SHORT, "--iterations", 50, "--json", "--svg"), '"iterations"'),
    (("why", *SHORT, "a3", "--svg"), "legal"),
    (("show", *SHORT, "--json", "--svg"), '"to_move"'),
    (("report", *ROW, "--seconds", 1, "--json", "-o"), '"variants"'),
    (("tune", "minichess", "--seconds", 1, "-o"), "time to tell"),
    (("graph", *ROW, "-o"), ""),
    (("show", *SHORT, "--export"), ""),
]


@pytest.mark.at_night("time to tell", "variants")
@pytest.mark.parametrize(("asked", "told"), NOT_WRITTEN)
def test_results_are_told_where_a_file_can_not_be_written(
    asked: tuple[object, ...], told: str, tmp_path: Path
) -> None:
    full = tmp_path / ("full.svg" if asked[-1] in ("--svg", "--export") else "full")
    full.symlink_to("/dev/full")
    ran = gdl(*asked, full)
    assert ran.exit_code == 2
    assert told in ran.stdout
    assert "error[file-unwritable]" in ran.stderr and str(full) in ran.stderr
    if "--json" in asked:
        json.loads(ran.stdout)


@pytest.mark.slow
@pytest.mark.usefixtures("homeless")
def test_what_is_found_out_is_told_where_no_home_keeps_it() -> None:
    solved = gdl("solve", *SHORT)
    assert "Draw." in solved.stdout and not solved.exit_code
    assert "warning[file-unwritable]" in solved.stderr and NOWHERE in solved.stderr
    as_json = gdl("solve", *SHORT, "--json")
    assert json.loads(as_json.stdout)["table"] is None
    unsolved = gdl("solve", "hex", "--seconds", 0.2)
    assert "Not solved within" in unsolved.stdout and "goes on" not in unsolved.stdout
    assert unsolved.exit_code == 1 and NOWHERE in unsolved.stderr
    tuned = gdl("tune", "minichess", "--seconds", 1)
    assert "time to tell" in tuned.stdout
    played = gdl("play", "tic-tac-toe", "--seat", "2=random", typed="b2\nquit\n")
    assert "not kept" in played.stdout and NOWHERE in played.stdout and not played.exit_code
    for asked in (("analyse", *SHORT, "--iterations", 9), ("playout", *ROW, "-n", 9)):
        assert not gdl(*asked).exit_code


def test_a_match_goes_on_where_the_disk_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    ran = gdl("match", *ROW, "random", "random", "-n", 4, "-o", tmp_path / "games")
    assert ran.exit_code == 2 and "4 games in" in ran.stdout
    assert ran.stderr.count(f"`{tmp_path / 'games'}` can't be written: No space left") == 1


def test_findings_are_told_where_a_file_can_not_be_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "row.yaml"
    file.write_text(
        "game: Row\nplayers: X, O\nboard: square(3, 3)\nturn: |\n  choose s in empty\n"
        "  place Stone at s\nend:\n  - mover wins when in_a_row(own, 3)\n  - draw when ful\n"
    )

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files, "_fill", full)
    ran = gdl("check", "--fix", "--no-play", file)
    assert f"`{file}` can't be written" in ran.stderr and "unknown-name" in ran.stderr
    assert ran.exit_code == 2
