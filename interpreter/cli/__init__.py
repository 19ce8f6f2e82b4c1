"""The command line: `gdl COMMAND …`.

registry (the table of commands), parameters (options that commands share), beginning (from them
to a position), output (what is printed where, and how), failures (what the user sees of errors),
exit_status (how a command ends), dialogue and prompt (play in the terminal), and a module a
command in `commands`. Results go to stdout, messages to stderr; the exit status is 0 if all is
well, 1 if something was found, 2 if the command was used wrongly, 130 after an interrupt.
"""

from __future__ import annotations

import contextlib
import io
import sys

from interpreter.cli.exit_status import INTERRUPTED


def main() -> None:
    """Run the command that the program's arguments name; exits with its status."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError, OSError):
                stream.reconfigure(errors="replace")
    try:
        from interpreter.cli.registry import make_app

        make_app()(prog_name="gdl")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
