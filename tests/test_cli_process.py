"""The program as a process: pipes, terminals, interrupts, encodings."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import interpreter

ROOT = Path(__file__).parent.parent
COMMAND = (sys.executable, "-m", "interpreter.cli")


def environment(**more: str) -> dict[str, str]:
    usual = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    return usual | {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color"} | more


def on_a_terminal(*arguments: str, **more: str) -> str:
    """Return what the program writes to a terminal that is its stdin, stdout and stderr."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        (*COMMAND, *arguments), stdin=theirs, stdout=theirs, stderr=theirs, env=environment(**more)
    )
    os.close(theirs)
    found = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        found += part
    os.close(ours)
    assert process.wait(60) == 0
    return found.decode()


def test_colours_are_for_terminals() -> None:
    arguments = ("show", "hex", "--option", "size=3", "--after", "b2")
    assert "\x1b[" in on_a_terminal(*arguments)
    assert "\x1b[" not in on_a_terminal(*arguments, NO_COLOR="1")
    piped = subprocess.run((*COMMAND, *arguments), env=environment(), capture_output=True)
    assert piped.returncode == 0 and b"\x1b" not in piped.stdout and piped.stderr == b""


def test_an_interrupt_ends_cleanly() -> None:
    process = subprocess.Popen(
        (*COMMAND, "play", "hex"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


def test_a_pipe_that_is_closed_early_is_no_error() -> None:
    process = subprocess.Popen(
        (*COMMAND, "graph", "hex"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(60) == 0


def test_a_stream_without_unicode_gets_ascii() -> None:
    shown = subprocess.run(
        (*COMMAND, "show", "hex", "--option", "size=3"),
        env=environment(PYTHONIOENCODING="ascii"),
        capture_output=True,
    )
    assert shown.returncode == 0 and shown.stdout.isascii() and b"?" not in shown.stdout


# --------------------------------------------------------------- what is loaded, and when

HEAVY = (
    "gdl.elaborate",
    "gdl.syntax",
    "interpreter.positions.position",
    "lark",
    "llvmlite",
    "networkx",
    "rich",
    "yaml",
)


def loaded_by(*arguments: str) -> set[str]:
    """Return which of the heavy modules a command loads, besides those that typer does."""
    program = (
        "import sys, typer; before = set(sys.modules); from interpreter.cli import main\n"
        "try:\n    main()\nfinally:\n    print(*set(sys.modules) - before, file=sys.stderr)"
    )
    done = subprocess.run(
        (sys.executable, "-c", program, *arguments),
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    names = done.stderr.split()
    assert "interpreter.cli.registry" in names
    return {heavy for heavy in HEAVY if any(f"{name}.".startswith(f"{heavy}.") for name in names)}


def test_a_list_of_commands_does_not_load_the_language() -> None:
    assert loaded_by("--help") == set()
    assert loaded_by("--version") == set()


def test_the_names_of_the_package_are_there_when_asked_for() -> None:
    assert all(getattr(interpreter, name).__name__ == name for name in interpreter.__all__)
    assert not hasattr(interpreter, "nonsense")


def test_a_count_of_moves_does_not_load_what_draws_and_exports() -> None:
    assert loaded_by("perft", "tic-tac-toe", "1") == set(HEAVY) - {"networkx", "rich"}
    by_reference = loaded_by("perft", "tic-tac-toe", "1", "--backend", "reference")
    assert by_reference == set(HEAVY) - {"llvmlite", "networkx", "rich"}
