"""What the user sees of errors, and the exit status that they lead to.

In: a command's function. Out: the same function, which prints what goes wrong and exits. What
then holds: no traceback reaches the user; with `--json` findings are printed as JSON, on stdout,
and on stderr only that stdout takes nothing.
Programmers get the traceback of an unforeseen error by setting `GDL_TRACEBACK`.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import ParamSpec, TypeVar

from click.exceptions import Abort, BadParameter, Exit

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError
from gdl.interpreter.cli.output import (
    FINDINGS,
    INTERNAL,
    INTERRUPTED,
    WRONG_USE,
    OutputError,
    discard,
    finish,
    print_diagnostics,
    write_json,
)
from gdl.interpreter.cli.process_limits import Overspent, out_of_memory
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import MoveError

_CODES_OF_WRONG_USE = frozenset({Code.UNKNOWN_VARIANT, Code.UNKNOWN_OPTION})

WHERE_MOVES_ARE = "`gdl moves` lists the legal ones, `gdl show` names the sites."
"""The way out of a move that can't be made, where there is no better one."""

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")


def guarded(command: Callable[Parameters, None]) -> Callable[Parameters, None]:
    """Return the command with every error turned into a message and an exit status."""

    @functools.wraps(command)
    def run(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        ended: Exit | None = None
        try:
            try:
                told(*args, **kwargs)
            except Exit as found:
                ended = found
            finish()
        except OutputError as error:
            print_diagnostics([output_lost(error)])
            discard()
            raise Exit(WRONG_USE) from None
        except BrokenPipeError:
            discard()
        if ended is not None:
            raise ended

    def told(*args: Parameters.args, **kwargs: Parameters.kwargs) -> None:
        as_json = bool(kwargs.get("as_json"))
        try:
            command(*args, **kwargs)
        except (Exit, Abort, BadParameter):
            raise
        except KeyboardInterrupt:
            raise Exit(INTERRUPTED) from None
        except (OutputError, BrokenPipeError):
            raise
        except Overspent as error:
            _show((error.diagnostic,), as_json)
            raise Exit(WRONG_USE) from None
        except MemoryError:
            _show((out_of_memory(None),), as_json)
            raise Exit(WRONG_USE) from None
        except GameError as error:
            _show(error.diagnostics, as_json)
            raise Exit(status(error.diagnostics)) from None
        except RuleError as error:
            _show((_with_moves(error),), as_json)
            raise Exit(FINDINGS) from None
        except MoveError as error:
            _show((move_diagnostic(error),), as_json)
            raise Exit(WRONG_USE) from None
        except OSError as error:
            _show((_file_diagnostic(error),), as_json)
            raise Exit(WRONG_USE) from None
        except Exception as error:
            raise Exit(tell_unforeseen(error, as_json=as_json)) from None

    return run


@contextmanager
def results_first() -> Iterator[Callable[[Callable[[], Result]], Result | None]]:
    """Let a command tell its results where a file can't be written, and then why, and exit.

    Gives what does a thing and returns its result; None where that can't be done. What is wrong
    goes to stderr, also with `--json`: stdout has one result.
    """
    failed: list[Diagnostic] = []

    def tried(do: Callable[[], Result]) -> Result | None:
        try:
            return do()
        except GameError as error:
            failed.extend(error.diagnostics)
        return None

    yield tried
    if failed:
        print_diagnostics(failed)
        raise Exit(status(failed))


class Stoppable:
    """Work that an interrupt ends: the command tells what was found by then, and exits so."""

    def __init__(self) -> None:
        self.is_stopped = False

    def __enter__(self) -> Stoppable:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, _: object
    ) -> bool:
        self.is_stopped |= isinstance(error, KeyboardInterrupt)
        return isinstance(error, KeyboardInterrupt)

    def end(self) -> None:
        """Exit with the status of an interrupt, if there was one."""
        if self.is_stopped:
            raise Exit(INTERRUPTED)


def status(diagnostics: Iterable[Diagnostic]) -> int:
    """Return the exit status for findings: whether a file is wrong, or how it was asked for."""
    return FINDINGS if any(not _is_wrong_use(found) for found in diagnostics) else WRONG_USE


def _with_moves(error: RuleError) -> Diagnostic:
    """Return what went wrong with the rules, and the moves of the game in which it did."""
    found = error.diagnostic
    if error.moves is None:
        return found
    if error.moves:
        within = "" if error.move is None else f", in `{error.move}`"
        told = f'See it by `--after "{", ".join(error.moves)}"`.'
        number = len(error.moves)
        where = f"It happens after {number} move{'' if number == 1 else 's'}{within}. {told}"
    elif error.move is not None:
        where = f"It happens in the first move, `{error.move}`."
    else:
        where = "It happens at once."
    return replace(found, hint=f"{found.hint} {where}".strip())


def move_diagnostic(error: MoveError) -> Diagnostic:
    """Return a move that can't be made as a finding."""
    return Diagnostic(Code.WRONG_MOVE, error.message, None, str(error.hint or WHERE_MOVES_ARE))


def _is_wrong_use(found: Diagnostic) -> bool:
    span = found.span
    return span is None or span.source.name.startswith("--") or found.code in _CODES_OF_WRONG_USE


def _show(diagnostics: Iterable[Diagnostic], as_json: bool) -> None:
    if as_json:
        write_json({"diagnostics": [found.to_json() for found in diagnostics]})
    else:
        print_diagnostics(diagnostics)


def _file_diagnostic(error: OSError) -> Diagnostic:
    name = f"`{error.filename}`: " if error.filename is not None else ""
    return Diagnostic(Code.FILE_ERROR, f"{name}{error.strerror or error}.")


def tell_unforeseen(error: Exception, *, as_json: bool = False) -> int:
    """Print that the program is at fault, and return the exit status.

    Raises the error itself if `GDL_TRACEBACK` is set.
    """
    if os.environ.get("GDL_TRACEBACK"):
        raise error
    _show((_unforeseen(error),), as_json)
    return INTERNAL


def _unforeseen(error: Exception) -> Diagnostic:
    told = " ".join(str(error).split())[:200]
    return Diagnostic(
        Code.INTERNAL_ERROR,
        f"The program is at fault here ({type(error).__name__}: {told}).",
        None,
        "Please report it, with the command and the file.",
    )


def output_lost(error: Exception) -> Diagnostic:
    """Return that a result could not be printed as a finding."""
    return Diagnostic(
        Code.OUTPUT_LOST,
        f"What was to be printed could not be: {error}.",
        None,
        "Files that the command writes are there nevertheless.",
    )
