"""What holds of all tests: none fails for being slow, none leaves or finds a user's own files."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from interpreter.native.runtime.kept_code import VARIABLE as CODE_VARIABLE
from interpreter.sessions.keeping import FOLDER_VARIABLE
from interpreter.sessions.signing.keys import FOLDER_VARIABLE as KEYS_VARIABLE

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")


@pytest.fixture(scope="session", autouse=True)
def folder_of_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    os.environ[FOLDER_VARIABLE] = str(tmp_path_factory.mktemp("games"))
    yield
    del os.environ[FOLDER_VARIABLE]


@pytest.fixture(scope="session", autouse=True)
def folder_of_code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let machine code be kept as long as tests run, by all processes: many play the same games."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    os.environ[CODE_VARIABLE] = str(shared / "code")
    yield
    del os.environ[CODE_VARIABLE]


@pytest.fixture(autouse=True)
def folders_of_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let what is solved and tuned be kept where no other test finds it."""
    monkeypatch.setenv("GDL_TABLES", str(tmp_path / "tables"))
    monkeypatch.setenv("GDL_TUNED", str(tmp_path / "tuned"))


@pytest.fixture(autouse=True)
def folder_of_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEYS_VARIABLE, str(tmp_path / "keys"))
