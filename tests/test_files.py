"""Files that are written as a whole or not at all, and saves that two processes write."""

from __future__ import annotations

import fcntl
import os
import stat
from pathlib import Path

import pytest

from gdl.diagnostic import GameError
from gdl.kept import UNFINISHED
from interpreter import files
from interpreter.files import Kind, refuse_other, write_file, write_result


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


def test_kills_and_races_lose_nothing() -> None:
    from tests.benchmarks.kills import results

    found = results(kills=12, races=6)
    assert sum(found.values()) == 18
    assert [what for what in found if "!" in what] == []


def test_faults_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.benchmarks import kills

    def careless(path: Path, text: str, **named: object) -> None:
        path.write_text(text)

    monkeypatch.setattr(kills, "_write", careless)
    assert [what for what in kills.results(kills=0, races=4) if "!" in what]
