"""The menu of the shipped games: by family, searched by typing, each with a picture.

In: the catalogue. Out: the name of the game that was chosen, or None.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from gdl.diagnostic import GameError
from gdl.interpreter.library.catalogue import Entry, catalogue
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.render.text.text import render_rich
from gdl.interpreter.sessions.messages import trouble
from gdl.load import load_game
from gdl.visible import visible_line


class Menu(App[str]):
    """A list of games, and what the marked one looks like."""

    CSS_PATH = "screens.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [Binding("ctrl+c", "leave", show=False, priority=True)]

    def __init__(self, entries: Iterable[Entry], *, ascii: bool = False) -> None:
        """List these games."""
        super().__init__()
        self._entries = sorted(entries, key=lambda entry: (entry.family, entry.title))
        self._ascii = ascii
        self._games = OptionList(id="games")
        self._picture = Static(id="picture")
        self.bind("escape,ctrl+q", "leave", description="Leave")
        self.bind("down", "mark(1)", description="Next", show=False)
        self.bind("up", "mark(-1)", description="Previous", show=False)

    def compose(self) -> ComposeResult:
        """Give the parts."""
        yield Input(placeholder="Type a part of a name, a family, an author; Enter plays")
        with Horizontal():
            self._games.can_focus = False
            yield self._games
            with VerticalScroll(id="about"):
                yield self._picture
        yield Footer()

    def on_mount(self) -> None:
        """List all games."""
        self._list("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._list(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        if self._marked is not None:
            self.exit(self._marked)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        self.exit(event.option_id)

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        entry = next((one for one in self._entries if one.name == event.option_id), None)
        if entry is not None:
            self._draw(entry, max(20, self._picture.size.width or 40))

    @property
    def _marked(self) -> str | None:
        number = self._games.highlighted
        return None if number is None else self._games.get_option_at_index(number).id

    def action_mark(self, step: int) -> None:
        """Go to the next game, or the one before."""
        if step > 0:
            self._games.action_cursor_down()
        else:
            self._games.action_cursor_up()

    def action_leave(self) -> None:
        """Leave without a game."""
        self.exit()

    def _list(self, wanted: str) -> None:
        """List the games that have all the words that were typed."""
        parts = wanted.lower().split()
        options, family = [], ""
        for entry in self._entries:
            told = " ".join(
                (entry.name, entry.title, entry.family, entry.author, *entry.other_names)
            )
            if not all(part in told.lower() for part in parts):
                continue
            if entry.family != family:
                family = entry.family
                heading = Text(visible_line(family.capitalize()), "bold")
                options.append(Option(heading, disabled=True))
            options.append(Option(Text(f"  {visible_line(entry.title)}"), id=entry.name))
        self._games.clear_options()
        self._games.add_options(options or [Option("No game has all of this.", disabled=True)])
        self._games.highlighted = 1 if options else None
        if not options:
            self._picture.update("")

    @work(thread=True, exclusive=True)
    def _draw(self, entry: Entry, width: int) -> None:
        """Load a game and draw its first position, beside the screen."""
        told = Text(f"{visible_line(entry.title)}\n\n", "bold")
        told.append(f"{visible_line(entry.about)}\n\n", "not bold")
        credit = ", ".join(part for part in (entry.author, entry.year.lstrip("-")) if part)
        told.append(f"{visible_line(credit)}\n\n", "not bold dim")
        try:
            scene = Rules(load_game(entry.name)).start().scene()
            told.append_text(render_rich(scene, ascii=self._ascii, width=width))
        except GameError as problem:
            told.append(trouble(problem))
        self.call_from_thread(self._picture.update, told)


def choose_game(*, ascii: bool = False) -> str | None:
    """Return the name of the shipped game that a person chooses; None if that is none."""
    return Menu(catalogue(), ascii=ascii).run()
