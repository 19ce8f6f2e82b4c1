"""What is printed where, and how; streams that are closed, full or not read; exit statuses.

In: results and messages. Out: results on stdout, messages on stderr; in colour on a terminal
(unless `NO_COLOR` is set), plain in a pipe. What then holds: what is piped has no terminal codes
and is never cut to a width; what a file says does nothing to a terminal; a result that can't be
printed is an `OutputError`, a message that can't be printed is none.
"""

from __future__ import annotations

import contextlib
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Event, Thread
from typing import IO, Literal, Protocol, TypeVar

from gdl.diagnostic import Diagnostic
from gdl.visible import visible, visible_line

_BEFORE_PROGRESS, _STEP_OF_PROGRESS = 0.5, 0.2  # seconds
_SEVERITY_STYLES = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}

Item = TypeVar("Item")


class OutputError(Exception):
    """A result can't be printed: the disk is full, or there is no stdout."""


def write(text: str = "") -> None:
    """Print a line, or several, of a result. Raises OutputError."""
    write_drawn(visible(text))


def write_drawn(text: str) -> None:
    """Print lines as they are: a drawing, which may have colours. Raises OutputError."""
    with _output():
        sys.stdout.write(f"{text}\n")


def clear() -> None:
    """Clear a terminal's screen, and what has scrolled away. Raises OutputError."""
    with _output():
        sys.stdout.write("\x1b[2J\x1b[3J\x1b[H")


def finish() -> None:
    """Have all results printed that were written. Raises OutputError."""
    with _output():
        sys.stdout.flush()


@contextlib.contextmanager
def _output() -> Iterator[None]:
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise OutputError(error.strerror or str(error)) from None


def write_json(data: object) -> None:
    """Print a result as JSON, with characters that can be seen as they are. Raises OutputError."""
    text = json.dumps(data, ensure_ascii=False, indent=2)
    write_drawn("\n".join(map(_plain_json, text.split("\n"))))


def _plain_json(line: str) -> str:
    """Return a line of JSON with its own escapes for characters that can't be seen."""
    if line.isprintable():
        return line
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in line)


def print_message(text: str) -> None:
    """Print a line that is no result."""
    _tell(f"{visible(text)}\n" if text else "")


def print_gap() -> None:
    """Print an empty line after a message."""
    _tell("\n")


def _tell(text: str) -> None:
    """Print messages, if somebody can be told."""
    with contextlib.suppress(OSError):
        sys.stderr.write(text)


@contextlib.contextmanager
def told_meanwhile(text: str) -> Iterator[None]:
    """Show a line on a terminal while something is done, and take it away afterwards."""
    if not wants_progress():
        yield
        return
    _tell(visible_line(text))
    with contextlib.suppress(OSError):
        sys.stderr.flush()
    try:
        yield
    finally:
        _tell("\r\x1b[2K")


def print_diagnostics(diagnostics: Iterable[Diagnostic]) -> None:
    """Print findings for a person, with a blank line between them."""
    for number, found in enumerate(diagnostics):
        if number:
            print_gap()
        _print_diagnostic(found)


def _print_diagnostic(found: Diagnostic) -> None:
    text = found.to_text()
    if not wants_colour(sys.stderr):
        _tell(f"{text}\n")
        return
    from rich.console import Console
    from rich.text import Text

    shown = Text(text)
    shown.stylize(_SEVERITY_STYLES[found.severity], 0, len(found.severity) + len(found.code) + 2)
    shown.highlight_regex(r"\^+$", "bold red")
    shown.highlight_regex(r"^  help:", "bold cyan")
    with contextlib.suppress(OSError):
        Console(file=sys.stderr).print(shown, soft_wrap=True)


def wants_colour(stream: IO[str] | None = None) -> bool:
    """Return whether a stream, by default stdout, shows colours and its user wants them."""
    shown = sys.stdout if stream is None else stream
    return (
        shown.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM", "") != "dumb"
    )


def colour_system() -> Literal["standard", "256", "truecolor"]:
    """Return how many colours the terminal says that it shows."""
    if os.environ.get("COLORTERM", "").strip().lower() in ("truecolor", "24bit"):
        return "truecolor"
    few = ("ansi", "linux", "vt100", "xterm-16color", "xterm-color")
    return "standard" if os.environ.get("TERM", "") in few else "256"


def wants_ascii() -> bool:
    """Return whether stdout can't show the characters that boards are drawn with."""
    try:
        "─●○⬡△".encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def terminal_width() -> int | None:
    """Return the number of columns of the terminal, or None if stdout is none."""
    if not sys.stdout.isatty():
        return None
    import shutil

    return shutil.get_terminal_size().columns


def wants_progress() -> bool:
    """Return whether somebody can be shown how far the work has come."""
    return sys.stderr.isatty() and os.environ.get("TERM", "") != "dumb"


def write_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows of cells: a table on a terminal, lines of columns in a pipe."""
    rows = [[visible_line(cell) for cell in row] for row in rows]
    if sys.stdout.isatty():
        _write_rich_table(heads, rows)
        return
    lines = [heads, *rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(heads))]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        write_drawn("  ".join(cells).rstrip())


def _write_rich_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich.box import ASCII2, SIMPLE
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=ASCII2 if wants_ascii() else SIMPLE)
    for number, head in enumerate(heads):
        table.add_column(head, style="bold" if number == 0 else "", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    with _output():
        Console(file=sys.stdout, no_color=not wants_colour()).print(table)


def tracked(
    items: Iterable[Item], total: int, label: str, weight: Callable[[Item], int] = lambda _: 1
) -> Iterator[Item]:
    """Yield the items, with a progress bar on stderr if that is a terminal and it takes long.

    The weights of all items together make the total.
    """
    if not sys.stderr.isatty():
        yield from items
        return
    from rich.console import Console
    from rich.progress import Progress

    progress = Progress(console=Console(file=sys.stderr), transient=True)
    task = progress.add_task(label, total=total)
    begin, shown = time.perf_counter(), False
    try:
        for item in items:
            yield item
            if not shown and time.perf_counter() - begin > _BEFORE_PROGRESS:
                progress.start()
                shown = True
            progress.advance(task, weight(item))
    finally:
        if shown:
            progress.stop()


class Tell(Protocol):
    """Takes what work is at now, and perhaps how many of how many parts are done."""

    def __call__(self, label: str, done: int = 0, of: int | None = None) -> None:
        """Take note of it."""


@contextlib.contextmanager
def timed(seconds: float | None, label: str) -> Iterator[Tell]:
    """Show on a terminal how much of the time of some work has passed, with what is done then.

    Gives what takes another label. Without a number of seconds, it shows how many parts are done,
    as far as that is told, and how much time they are likely to take still.
    """
    if not wants_progress():
        yield lambda label, done=0, of=None: None
        return
    from rich.console import Console
    from rich.progress import Progress

    progress, ended = Progress(console=Console(file=sys.stderr), transient=True), Event()
    task = progress.add_task(label, total=seconds)
    begin = time.perf_counter()

    def follow() -> None:
        if ended.wait(_BEFORE_PROGRESS):
            return
        progress.start()
        while not ended.wait(_STEP_OF_PROGRESS):
            if seconds is not None:
                progress.update(task, completed=min(time.perf_counter() - begin, seconds))
        progress.stop()

    def tell(label: str, done: int = 0, of: int | None = None) -> None:
        completed = None if of is None else done
        progress.update(task, description=visible_line(label), completed=completed, total=of)

    follower = Thread(target=follow, daemon=True)
    follower.start()
    try:
        yield tell
    finally:
        ended.set()
        follower.join()


# ------------------------------ the statuses that a command exits with, besides 0 where all is well

FINDINGS = 1
"""Something was found."""

WRONG_USE = 2
"""The command was used wrongly."""

TOO_LITTLE = 3
"""All that was looked at is well, but it was too little to say so of the whole."""

INTERNAL = 70
"""The program itself is at fault: `EX_SOFTWARE` of `sysexits.h`."""

INTERRUPTED = 130
"""It was interrupted."""


# ------------------------------------- standard streams that are closed, full, or not read any more


def open_closed() -> None:
    """Open the standard streams that are closed, so that no other file takes their numbers.

    There is nothing to read from them, and writing to them fails.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDONLY)
    if sys.stdin is None:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115


def discard() -> None:
    """Stop writing where nothing can be written, without a complaint at exit."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)
