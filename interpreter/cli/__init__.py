"""The command line: `gdl COMMAND …`.

registry (the table of commands), declarations (of options and arguments), parameters (those that
commands share), completion (what Tab offers in a shell), beginning (from parameters to a position),
backend (what plays it), output (what is printed where, and how; streams that are closed or full;
exit statuses), picture and drawing (positions, in the terminal and in files), failures (what the
user sees of errors, how a command ends), process_limits (what a command may take), dialogue and
advice (play in the terminal), passphrase (of the key for signed games), and a module a command in
`commands`.

Results go to stdout, messages to stderr; the exit status is 0 if all is well, 1 if something was
found, 2 if the command was used wrongly or what it prints goes nowhere, 3 if too little was looked
at, 70 if the program is at fault, 130 after an interrupt.
"""

from __future__ import annotations

import contextlib
import gc
import io
import os
import sys

from gdl.interpreter.cli.output import INTERRUPTED, WRONG_USE, discard, open_closed
from gdl.resources.deep_recursion import with_room_for_calls
from gdl.resources.gc_pause import SELDOM


def main() -> None:
    """Run the command that the program's arguments name; exits with its status."""
    gc.set_threshold(SELDOM)
    open_closed()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            with contextlib.suppress(ValueError, OSError):
                stream.reconfigure(errors="replace")
    status = _status()
    if status == INTERRUPTED:
        from gdl.interpreter.native.runtime.uninterruptible import is_working

        if is_working():
            os._exit(INTERRUPTED)
    # Python looks for garbage as it ends; what is left goes with the process as it is.
    gc.freeze()
    sys.exit(status)


@with_room_for_calls
def _status() -> int | str | None:
    """Run the command; return its status when all that it printed has gone where it belongs."""
    status: int | str | None = 0
    try:
        try:
            from gdl.interpreter.cli.completion import VARIABLE, answer
            from gdl.interpreter.cli.registry import make_app

            if asked := os.environ.get(VARIABLE):
                status = answer(make_app(), asked)
            else:
                make_app()(prog_name="gdl")
        except SystemExit as ended:
            status = ended.code
        except KeyboardInterrupt:
            status = INTERRUPTED
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    except OSError as error:
        # A command tells this by itself; here is what came of a list of commands or options.
        with contextlib.suppress(OSError):
            sys.stderr.write(f"What was to be printed could not be: {error.strerror}.\n")
        status = WRONG_USE
    except Exception as error:
        from gdl.interpreter.cli.failures import tell_unforeseen

        status = tell_unforeseen(error)
    discard()
    return status
