"""Lines that a person types, with completion where the terminal can do it.

In: what may be typed. Out: lines, until the input ends.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable

from gdl.visible import visible_line
from interpreter.cli.output import write

Completions = Callable[[str], Iterable[str]]
"""From what stands before the word that is being typed to the words it may be."""

_BETWEEN_WORDS = " \t,-:"


class Prompt:
    """Reads lines from stdin."""

    def __init__(self, completions: Completions) -> None:
        """Complete words by `completions` if stdin is a terminal."""
        self._completions = completions
        self._line_buffer: Callable[[], str] = str
        self._found: list[str] = []
        if sys.stdin.isatty():
            self._set_up()

    def _set_up(self) -> None:
        try:
            import readline
        except ImportError:
            return
        readline.set_completer_delims(_BETWEEN_WORDS)
        readline.set_completer(self._complete)
        # The editor that stands in for GNU's on some systems has its own spelling.
        is_other = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_other else "tab: complete")
        self._line_buffer = readline.get_line_buffer

    def _complete(self, word: str, number: int) -> str | None:
        if number == 0:
            before = self._line_buffer()
            before = before[: len(before) - len(word)] if word else before
            lower = word.lower()
            words = self._completions(before)
            self._found = [known for known in words if known.lower().startswith(lower)]
        return self._found[number] if number < len(self._found) else None

    @property
    def is_terminal(self) -> bool:
        """Whether a person sits at a terminal, whose screen can be cleared."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def read(self, question: str) -> str | None:
        """Return the line that is typed after `question`, or None at the end of input."""
        try:
            line = input(visible_line(question))
        except EOFError:
            if question:
                write()
            return None
        if not sys.stdin.isatty():
            write(line)
        return line
