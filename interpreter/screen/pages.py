"""What comes before the board for a while: a page of text, a question, a list to choose from.

In: texts. Out: nothing, or the answer. What then holds: any of the usual keys leads back, and
nothing in a text is taken for a style or does anything to the terminal.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from textwrap import fill
from typing import TypeVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import OptionList, Static

from gdl.visible import visible, visible_line

_WIDEST = 76  # columns of a page's frame, which `screens.tcss` says, too
_FRAME = 6  # columns of its border, its padding and a bar to scroll it
_NARROWEST = 20
_INDENT = "  "

_Answer = TypeVar("_Answer")


def page_columns(width: int) -> int:
    """Return how many columns a page's text has, on a screen of so many."""
    return max(_NARROWEST, min(_WIDEST, width * 95 // 100) - _FRAME)


def folded(text: str, columns: int) -> str:
    """Return a text whose lines are no longer than that; what they go on with is indented.

    >>> print(folded("  a hound is caught", 12))
      a hound
        is
        caught
    """
    lines = text.split("\n")
    return "\n".join(line if len(line) <= columns else _fold(line, columns) for line in lines)


def _fold(line: str, columns: int) -> str:
    indent = line[: len(line) - len(line.lstrip())][: columns // 2]
    return fill(
        line.strip(), columns, initial_indent=indent, subsequent_indent=f"{indent}{_INDENT}"
    )


class _Frame(VerticalScroll):
    """What a text stands in; it says how to see the rest where not all of it fits."""

    def on_resize(self) -> None:
        """Tell the keys."""
        more = "Down shows more, " if self.max_scroll_y > 0 else ""
        self.border_subtitle = f"{more}Esc goes back"


class Page(ModalScreen[None]):
    """A text that can be scrolled; Esc, Enter, q, a click outside and what is typed close it."""

    def __init__(self, title: str, text: str, type_on: Callable[[str], None]) -> None:
        """Show a text under a title; `type_on` is given a character that is typed over it."""
        super().__init__()
        self._heading = title
        self.text = text
        self._type_on = type_on

    def compose(self) -> ComposeResult:
        """Give the text in a frame."""
        with _Frame(classes="frame") as frame:
            frame.border_title = _title(self._heading)
            text = folded(visible(self.text), page_columns(self.app.size.width))
            yield Static(text, markup=False)

    def on_key(self, event: events.Key) -> None:
        """Close the page."""
        closes = event.key in ("escape", "enter", "q", "space", "question_mark")
        if not closes and event.is_printable and event.character is not None:
            self._type_on(event.character)
            closes = True
        if closes:
            event.stop()
            _leave(self, None)

    def on_click(self, event: events.Click) -> None:
        """Close the page where a click is outside of its frame."""
        if event.widget is self:
            _leave(self, None)


class Question(ModalScreen[bool]):
    """A question that is answered by yes or no."""

    def __init__(self, text: str) -> None:
        """Ask this."""
        super().__init__()
        self._text = text

    def compose(self) -> ComposeResult:
        """Give the question in a frame."""
        text = f"{visible(self._text)}\n\ny: yes    n: no"
        yield Static(text, classes="frame", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Answer."""
        if event.key in ("y", "Y"):
            _leave(self, True)
        elif event.key in ("n", "N", "escape", "enter", "q"):
            _leave(self, False)
        event.stop()


class Cover(Screen[None]):
    """A page that hides the board until the person who may look presses Enter."""

    def __init__(self, who: str) -> None:
        """Wait for this person."""
        super().__init__()
        self._who = who

    def compose(self) -> ComposeResult:
        """Give the text."""
        yield Static(f"{self._who}, press Enter to see the board.", classes="frame", markup=False)

    def on_key(self, event: events.Key) -> None:
        """Show the board to the person who presses Enter."""
        event.stop()
        if event.key == "enter":
            _leave(self, None)


class Picker(ModalScreen[int]):
    """Lines of which one can be chosen, by its number from 0; Esc, q and a click outside: none."""

    def __init__(self, title: str, heading: str, lines: Sequence[str], first: int = 0) -> None:
        """Show lines under a title and a heading; the `first` is marked at the beginning."""
        super().__init__()
        self._title = title
        self._heading = heading
        self._first = first
        self.lines = tuple(lines)

    def on_mount(self) -> None:
        """Mark the line that is chosen by Enter at once."""
        if self.lines:
            self.query_one(OptionList).highlighted = self._first

    def compose(self) -> ComposeResult:
        """Give the lines in a frame."""
        with Vertical(classes="frame") as frame:
            frame.border_title = _title(self._title)
            frame.border_subtitle = "Enter chooses, Esc goes back"
            yield Static(visible(self._heading), markup=False)
            yield OptionList(*(Text(visible_line(line)) for line in self.lines))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer by the line that was chosen."""
        event.stop()
        _leave(self, event.option_index)

    def on_key(self, event: events.Key) -> None:
        """Go back without an answer."""
        if event.key in ("escape", "q"):
            event.stop()
            _leave(self, None)

    def on_click(self, event: events.Click) -> None:
        """Go back where a click is outside of the frame."""
        if event.widget is self:
            _leave(self, None)


def _leave(page: Screen[_Answer], answer: _Answer | None) -> None:
    """Leave a page with an answer, unless it is left already: a key may come twice at once."""
    if page.is_current:
        page.dismiss(answer)


def _title(text: str) -> Text:
    """Return a frame's title; a plain text would be read as one with marks of style."""
    return Text(visible_line(text))
