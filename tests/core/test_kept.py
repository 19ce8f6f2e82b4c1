"""What is kept so that it need not be made again: found whole, and never taken from anybody else.

Each test is made of all that is kept by `gdl.kept`: compiled code, and the grammar's tables.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

import gdl
from gdl import interpreter
from gdl.diagnostic import Source, Span
from gdl.interpreter.native.runtime.machine_code import VARIABLE, MachineCode
from gdl.kept import cache_folder, keep_file, kept_file
from gdl.syntax import parser
from gdl.syntax.parser import parse

MOST_BYTES = 1 << 20
READS_OBJECTS = re.compile(
    r"\b(?:pickle|marshal|shelve|dill|cloudpickle|joblib|runpy)\b|\.unsafe_load\(|\bLark\([^)]*cache="
)


def answer() -> object:
    made = MachineCode("define i64 @answer() {\n  ret i64 42\n}\n")
    try:
        return made.function("answer", ctypes.c_int64)()
    finally:
        made.close()


def tree() -> object:
    parser._machinery.cache_clear()
    text = "own & (top | a1)"
    return parse(Span(Source("a text", text), 0, len(text)), "expression")


@dataclass(frozen=True)
class Kind:
    """Something that is kept: where, and what asks for it, which makes it anew if it has to."""

    folder: str
    use: Callable[[], object]


CODE, TABLES = Kind("code", answer), Kind("grammar", tree)


@pytest.fixture(params=[CODE, TABLES], ids=lambda kind: kind.folder)
def kind(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Kind]:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv(VARIABLE)
    yield request.param
    parser._machinery.cache_clear()


def the_file(kind: Kind) -> Path:
    (path,) = cache_folder(kind.folder).iterdir()
    return path


def test_what_is_damaged_or_torn_is_made_anew(kind: Kind) -> None:
    expected = kind.use()
    path = the_file(kind)
    whole = path.read_bytes()
    for data in (flipped(whole, 0), flipped(whole, len(whole) - 1), whole[:-1]):
        path.write_bytes(data)
        assert kind.use() == expected
        assert path.read_bytes() != data


def flipped(whole: bytes, place: int) -> bytes:
    """Return bytes of which one bit is another one."""
    return whole[:place] + bytes([whole[place] ^ 1 << place % 8]) + whole[place + 1 :]


def test_nothing_is_found_where_any_byte_is_another_one(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "kept"
    keep_file(path, "name", b"some data")
    whole = path.read_bytes()
    damaged = [flipped(whole, place) for place in range(len(whole))]
    torn = [whole[:length] for length in range(len(whole))]
    for data in (*damaged, *torn, whole + b"\0"):
        path.write_bytes(data)
        assert kept_file(path, "name", MOST_BYTES) is None
    path.write_bytes(whole)
    assert kept_file(path, "name", MOST_BYTES) == b"some data"


def test_what_is_whole_is_not_made_again(kind: Kind) -> None:
    expected = kind.use()
    written = os.stat(the_file(kind)).st_ino
    assert kind.use() == expected
    assert os.stat(the_file(kind)).st_ino == written


@pytest.mark.parametrize("of", ["folder", "file"])
@pytest.mark.parametrize("mode", [0o722, 0o720, 0o702])
def test_what_others_can_have_written_is_not_found(tmp_path: Path, of: str, mode: int) -> None:
    path = tmp_path / "folder" / "kept"
    keep_file(path, "name", b"data")
    (path if of == "file" else path.parent).chmod(mode)
    assert kept_file(path, "name", MOST_BYTES) is None


@pytest.mark.parametrize(("of", "mode"), [("folder", 0o720), ("file", 0o702)])
def test_what_others_can_have_written_is_made_anew(kind: Kind, of: str, mode: int) -> None:
    expected = kind.use()
    path = the_file(kind)
    before = os.stat(path).st_ino
    (path if of == "file" else path.parent).chmod(mode)
    assert kind.use() == expected
    assert (os.stat(path).st_ino == before) == (of == "folder"), "a folder is left as it is"
    assert of == "folder" or path.stat().st_mode & 0o777 == 0o600


def test_what_is_another_users_is_not_taken(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = kind.use()
    before = os.stat(the_file(kind)).st_ino
    own = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: own + 1)
    assert kind.use() == expected
    assert os.stat(the_file(kind)).st_ino == before


def test_a_pipe_is_not_waited_for(kind: Kind) -> None:
    expected = kind.use()
    path = the_file(kind)
    path.unlink()
    os.mkfifo(path)
    assert kind.use() == expected


def test_a_folder_that_cannot_be_used_is_no_trouble(
    kind: Kind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = kind.use()
    (tmp_path / "file").touch()
    for place in (tmp_path / "file", tmp_path / "file" / "in it", "/proc", "/dev/null"):
        monkeypatch.setenv("XDG_CACHE_HOME", str(place))
        assert kind.use() == expected


def test_a_new_folder_is_the_users_alone(kind: Kind) -> None:
    before = os.umask(0)
    try:
        kind.use()
    finally:
        os.umask(before)
    assert the_file(kind).stat().st_mode & 0o777 == 0o600
    assert the_file(kind).parent.stat().st_mode & 0o777 == 0o700


def test_what_is_kept_is_known_by_what_it_was_made_of(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "kept"
    keep_file(path, "one", b"data")
    assert kept_file(path, "one", MOST_BYTES) == b"data"
    assert kept_file(path, "oned", MOST_BYTES) is None
    keep_file(path, "two", b"other")
    assert kept_file(path, "one", MOST_BYTES) is None
    assert kept_file(path, "two", MOST_BYTES) == b"other"
    assert [one.name for one in path.parent.iterdir()] == ["kept"]
    keep_file(Path("/\0/kept"), "one", b"data")
    assert kept_file(Path("/\0/kept"), "one", MOST_BYTES) is None


def test_tables_are_plain_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    tree()
    assert json.loads(the_file(TABLES).read_bytes()[32:]).keys() == {"data", "memo"}


def test_no_objects_are_read_from_disk() -> None:
    """What can run code when it is read comes from processes of one's own alone."""
    roots = [Path(package.__file__).parent for package in (gdl, interpreter)]
    found = {
        path.relative_to(root.parent).as_posix()
        for root in roots
        for path in root.rglob("*.py")
        if READS_OBJECTS.search(re.sub(r'"""[\s\S]*?"""|#.*', "", path.read_text("utf-8")))
    }
    assert found == {"interpreter/workers/packed.py"}
