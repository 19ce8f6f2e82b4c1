"""Memory that compiled games leave behind, and engines in processes that were forked."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Event, Thread

import pytest

from gdl.interpreter import Engine, load

_LOADS = """\
import gc
from gdl.load import load_game
from gdl.interpreter.native.runtime.rules import NativeRules

def resident():
    pages = int(open("/proc/self/statm").read().split()[1])
    return pages * 4096

game = load_game("tic-tac-toe")
for number in range(36):
    if number == 6:
        before = resident()
    rules = NativeRules(game)
    rules.playouts(rules.start(), 5, 1, 9)
    rules.compile()
    del rules
    gc.collect()
print(resident() - before)
"""
_MOST_GROWTH = 6 << 20
"""What 30 compilations may leave; it was 21 MB where each had a thread of its own."""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs Linux")
def test_compiling_again_and_again_takes_no_more_memory() -> None:
    environment = {**os.environ, "GDL_CODE": "off"}
    asked = [sys.executable, "-c", _LOADS]
    ran = subprocess.run(asked, env=environment, capture_output=True, text=True, check=True)
    assert int(ran.stdout) < _MOST_GROWTH


_MOST_SECONDS = 120.0


@pytest.mark.at_night("compile")
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs to fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("does", ["analyse", "compile"])
def test_an_engine_answers_in_a_process_forked_while_a_thread_used_it(does: str) -> None:
    """Threads are not forked: what they held is free there, and what they were at is forgotten."""
    rules = load("connect-four")
    position, engine = rules.start(), Engine(rules, seed=1)
    engine.analyse(position, iterations=100)
    begun, is_over = Event(), Event()

    def use() -> None:
        while not is_over.is_set():
            begun.set()
            if does == "analyse":
                engine.analyse(position, seconds=0.2)
            else:
                again = load("connect-four")
                Engine(again).analyse(again.start(), iterations=10)

    thread = Thread(target=use)
    thread.start()
    begun.wait()
    try:
        for _ in range(3):
            time.sleep(0.03)
            child = os.fork()
            if not child:
                status = 1
                try:
                    found = engine.analyse(position, iterations=200)
                    other = Engine(rules, seed=2).analyse(position, iterations=200)
                    status = 0 if found.best_move and other.best_move else 1
                finally:
                    os._exit(status)
            assert _status(child) == 0
    finally:
        is_over.set()
        thread.join()


def _status(child: int) -> int | None:
    """Return the status with which a process ends; None, if it has to be ended."""
    end = time.monotonic() + _MOST_SECONDS
    while time.monotonic() < end:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.05)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return None
