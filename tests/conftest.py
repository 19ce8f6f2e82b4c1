"""What holds of all tests: none fails for being slow, none leaves or finds a user's own files."""

from __future__ import annotations

import contextlib
import gc
import importlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterator, Mapping
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

from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.machine_code import VARIABLE as CODE_VARIABLE
from gdl.interpreter.sessions.autosave import FOLDER_VARIABLE
from gdl.interpreter.sessions.signing.keys import FOLDER_VARIABLE as KEYS_VARIABLE
from gdl.model import Game
from gdl.resources.gc_pause import SELDOM

load = importlib.import_module("gdl.load")  # the package has a function of this name
_SHIPPED = Path(load.games_folder()).resolve()

settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A shell has what runs behind `&` ignore interrupts, and tests interrupt what they begin.
    signal.signal(signal.SIGINT, signal.default_int_handler)

gc.set_threshold(10 * SELDOM)
_numbers = count()
_tests_done = count(1)
_TESTS_BETWEEN = 100


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Import the modules of tests in an order of each process's own, where all are to be run.

    What one has imported is translated for the others: pytest works long on a module's assertions,
    and processes that begin at once with the same one would each do all of it.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER", "")
    if not worker or session.config.args != session.config.getini("testpaths"):
        return
    files = sorted(Path(__file__).parent.glob("*/test_*.py"))
    modules = [file for file in files if not file.with_name("__init__.py").exists()]
    workers = int(os.environ["PYTEST_XDIST_WORKER_COUNT"])
    first = len(modules) * int(worker.removeprefix("gw")) // workers
    for module in modules[first:] + modules[:first]:
        sys.path.insert(0, str(module.parent))
        # What can't be imported, or is left out, is told when it is collected.
        with contextlib.suppress(Exception, pytest.skip.Exception):
            importlib.import_module(module.stem)
        sys.path.remove(str(module.parent))


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


_LOADED_ANEW = {"core", "elaborate"}
"""The rooms whose tests ask how games are loaded."""
_load_anew = load._loaded
_shipped_games: dict[object, Game] = {}


def _loaded_once(
    source: Source, options: Mapping[str, load.OptionValue], variants: tuple[str, ...]
) -> Game:
    if Path(source.name).resolve().parent != _SHIPPED:
        return _load_anew(source, options, variants)
    texts = tuple(sorted((name, load.option_text(value)) for name, value in options.items()))
    key = (source, texts, variants)
    if key not in _shipped_games:
        _shipped_games[key] = _load_anew(source, options, variants)
    return _shipped_games[key]


@pytest.fixture(autouse=True)
def shipped_games_are_loaded_once(
    request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Let a process load a shipped game once, with each set of options and variants.

    Hundreds of tests load the same ones; to do so again, and to find what they left of them, took a
    fifth of their time.
    """
    if request.path.parent.name not in _LOADED_ANEW:
        monkeypatch.setattr(load, "_loaded", _loaded_once)


@pytest.fixture
def games_loaded_anew(shipped_games_are_loaded_once: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each game be loaded again, for a test that asks how."""
    monkeypatch.setattr(load, "_loaded", _load_anew)


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
