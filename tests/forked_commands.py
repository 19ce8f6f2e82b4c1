"""A command with standard streams that are full or closed, in a process that is forked for it.

In: what the command line names, a folder, what each stream is, and how much memory there may be.
Out: the exit status and what was written to the streams that are files. What then holds: everything
is loaded before, so that a process costs little.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
import sys
from dataclasses import dataclass
from pathlib import Path

from interpreter.cli import main
from interpreter.cli.registry import COMMANDS

FULL, CLOSED = "/dev/full", ""
_PATIENCE = 300
_STREAMS = ("stdin", "stdout", "stderr")

_BEFORE = (
    *(f"interpreter.cli.commands.{command.name}" for command in COMMANDS),
    *("interpreter.native.runtime.rules", "numpy", "networkx"),
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
) -> Done:
    """Run a command in a folder; its streams are files there, or what they are said to be.

    `memory` is how many bytes of addresses it may have.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(_BEFORE))
    process = context.Process(target=_be, args=(arguments, folder, (typed, output, errors), memory))
    process.start()
    process.join(_PATIENCE)
    process.kill()
    told = [folder / name for name in (output, errors)]
    texts = [
        path.read_text("utf-8") if name and path.is_file() else ""
        for path, name in zip(told, (output, errors), strict=True)
    ]
    return Done(process.exitcode, *texts)


def _be(
    arguments: tuple[str, ...], folder: Path, streams: tuple[str, str, str], memory: int
) -> None:
    """Be the command, with these standard streams, as a process begins with them."""
    os.chdir(folder)
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    modes = (os.O_RDONLY,) + (os.O_WRONLY | os.O_CREAT | os.O_TRUNC,) * 2
    for number, (name, mode) in enumerate(zip(streams, modes, strict=True)):
        if name == CLOSED:
            os.close(number)
        else:
            handle = os.open(name, mode, 0o600)
            os.dup2(handle, number)
            os.close(handle)
    for number, (attribute, name) in enumerate(zip(_STREAMS, streams, strict=True)):
        opened = None if name == CLOSED else os.fdopen(number, "rw"[number > 0], closefd=False)
        setattr(sys, attribute, opened)
    sys.argv = ["gdl", *arguments]
    main()
