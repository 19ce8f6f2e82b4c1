"""What holds of all tests: none fails for being slow, none leaves or finds a user's own files."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# Before anything imports numpy: several threads wait for one another by spinning, and what is
# learnt here, by small matrices, then takes ten times the processor's time beside other tests.

if sys.dont_write_bytecode and "PYTHONPYCACHEPREFIX" not in os.environ:
    # Where nothing may be written beside the modules, each process that is begun from here, of
    # which there are hundreds, would translate the whole program first.
    _bytecode = os.environ["PYTHONPYCACHEPREFIX"] = tempfile.mkdtemp(prefix="gdl-bytecode-")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
else:
    _bytecode = None

from gdl.interpreter.native.runtime.machine_code import VARIABLE as CODE_VARIABLE
from gdl.interpreter.sessions.autosave import FOLDER_VARIABLE
from gdl.interpreter.sessions.signing.keys import FOLDER_VARIABLE as KEYS_VARIABLE
from gdl.resources.gc_pause import SELDOM

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell has what runs behind `&` ignore interrupts, and tests interrupt what they begin.
    signal.signal(signal.SIGINT, signal.default_int_handler)

gc.set_threshold(10 * SELDOM)
_numbers = count()
_tests_done = count(1)
_TESTS_BETWEEN = 100


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """Spare what tests leave alive, which is much, all further searches for garbage.

    To go through it again and again took a tenth of the time of all tests.
    """
    if next(_tests_done) % _TESTS_BETWEEN == 0:
        gc.collect()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_unconfigure() -> None:
    """Spare what is alive in the end the five searches for garbage that pytest makes then.

    They took each process some 20 seconds, looking for warnings of tests that are long over.
    """
    gc.freeze()
    if _bytecode is not None:
        shutil.rmtree(_bytecode, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark as slow the cases of a test that its `at_night` names."""
    for item in items:
        at_night = item.get_closest_marker("at_night")
        if at_night is not None and any(part in item.name for part in at_night.args):
            item.add_marker(pytest.mark.slow)


def shared_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes have in common which carry out this run's tests."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session", autouse=True)
def folder_of_games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    os.environ[FOLDER_VARIABLE] = str(tmp_path_factory.mktemp("games"))
    yield
    del os.environ[FOLDER_VARIABLE]


@pytest.fixture(scope="session", autouse=True)
def folder_of_code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Let machine code be kept as long as tests run, by all processes: many play the same games."""
    os.environ[CODE_VARIABLE] = str(shared_folder(tmp_path_factory) / "code")
    yield
    del os.environ[CODE_VARIABLE]


@pytest.fixture(autouse=True)
def folders_of_a_test(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let keys, and what is solved and tuned, be kept where no other test finds them.

    Folders are named here and made where something is kept: to make and remove some for each of
    thousands of tests takes longer than many of these.
    """
    folder = tmp_path_factory.getbasetemp() / f"kept-{next(_numbers)}"
    monkeypatch.setenv("GDL_TABLES", str(folder / "tables"))
    monkeypatch.setenv("GDL_TUNED", str(folder / "tuned"))
    monkeypatch.setenv(KEYS_VARIABLE, str(folder / "keys"))
