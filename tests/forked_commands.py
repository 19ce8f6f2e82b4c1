"""A command, or a text of Python, in a process of its own that is forked for it.

In: what the command line names, a folder, what each standard stream is, what the environment has
besides, and how much memory there may be. Out: the exit status and what was written to the streams
that are files. What then holds: everything is loaded before, so that a process costs little.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gdl.interpreter.cli import main
from gdl.interpreter.cli.registry import COMMANDS

FULL, CLOSED = "/dev/full", ""
_PATIENCE = 300
_BY_LINES = 1
_STREAMS = ("stdin", "stdout", "stderr")

_BEFORE = (
    *(f"gdl.interpreter.cli.commands.{command.name}" for command in COMMANDS),
    *("gdl.interpreter.native.runtime.rules", "numpy", "networkx"),
)
"""What is loaded before; the modules of tests are not found there."""


@dataclass(frozen=True)
class Done:
    """How a command has ended: its exit status, and what it has written."""

    status: int | None
    output: str
    errors: str


def run(
    arguments: tuple[str, ...],
    folder: Path,
    output: str = "output",
    errors: str = "errors",
    typed: str = os.devnull,
    memory: int = resource.RLIM_INFINITY,
    environment: Mapping[str, str] | None = None,
) -> Done:
    """Run a command in a folder; its streams are files there, or what they are said to be.

    `memory` is how many bytes of addresses it may have. Where `errors` is no other file than
    `output`, messages stand there among all else.
    """
    told = ("gdl", *arguments)
    return _done(_be_command, told, folder, (typed, output, errors), memory, environment)


def run_python(program: str, folder: Path, typed: str) -> Done:
    """Run a text of Python in a folder, with a text to read from its standard input."""
    (folder / "typed").write_text(typed, "utf-8")
    streams = ("typed", "output", "errors")
    return _done(_be_program, (program,), folder, streams, resource.RLIM_INFINITY, None)


def _done(
    act: Callable[..., None],
    told: tuple[str, ...],
    folder: Path,
    streams: tuple[str, str, str],
    memory: int,
    environment: Mapping[str, str] | None,
) -> Done:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_BEFORE))
    parts = (folder, streams, memory, dict(environment or {}))
    process = context.Process(target=_be, args=(act, told, *parts))
    process.start()
    process.join(_PATIENCE)
    process.kill()
    texts = [
        path.read_text("utf-8") if name and path.is_file() else ""
        for name in streams[1:]
        for path in (folder / name,)
    ]
    return Done(process.exitcode, *texts)


def _be(
    act: Callable[..., None],
    told: tuple[str, ...],
    folder: Path,
    streams: tuple[str, str, str],
    memory: int,
    environment: Mapping[str, str],
) -> None:
    """Act with these standard streams, as a process begins with them."""
    os.chdir(folder)
    os.environ.update(environment)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    is_one = streams[1] == streams[2] != CLOSED
    modes = (os.O_RDONLY,) + (os.O_WRONLY | os.O_CREAT | os.O_TRUNC,) * 2
    for number, (name, mode) in enumerate(zip(streams, modes, strict=True)):
        if name == CLOSED:
            os.close(number)
        elif number == 2 and is_one:
            os.dup2(1, 2)
        else:
            handle = os.open(name, mode, 0o600)
            os.dup2(handle, number)
            os.close(handle)
    for number, (attribute, name) in enumerate(zip(_STREAMS, streams, strict=True)):
        opened = None
        if name != CLOSED:
            opened = os.fdopen(number, "rw"[number > 0], _BY_LINES if is_one else -1, closefd=False)
        setattr(sys, attribute, opened)
    act(*told)


def _be_command(*told: str) -> None:
    sys.argv = list(told)
    main()


def _be_program(program: str) -> None:
    exec(program, {"__name__": "__main__"})
