"""The menu of the shipped games: by family, searched by typing, each with a picture.

In: the catalogue, and perhaps a game to go on with. Out: what was chosen, with the options and
variants of a new game, or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field, replace
from typing import ClassVar

from rich.text import Text
from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from gdl.data_classes import dataclass
from gdl.diagnostic import GameError
from gdl.interpreter.library.catalogue import Entry, catalogue
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.render.text.text import render_rich
from gdl.interpreter.screen.app import TerminalApp
from gdl.interpreter.sessions.messages import trouble
from gdl.load import load_game
from gdl.model import Game
from gdl.visible import visible_line

_MOST_VALUES = 100
_GOES_ON = ""
_HOW_ON = "Enter goes on with the game that was left. Down, or a name, shows the others."


@dataclass(frozen=True)
class Chosen:
    """A game that was chosen, with its options and variants; no name is the one to go on with."""

    game: str
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Line:
    """An option or a variant, what it may be, and which of these it is."""

    name: str
    about: str
    values: tuple[str, ...]
    number: int
    is_variant: bool = False

    def text(self) -> Text:
        """Return the line that shows it."""
        about = f"  {self.about}" if self.about else ""
        name = self.name.replace("_", " ")
        return Text(visible_line(f"{name}: {self.values[self.number]}{about}"))


def _lines_of(game: Game) -> Iterator[_Line]:
    """Yield the options and variants that can be chosen from lists."""
    for option in game.options:
        values = option.values(_MOST_VALUES)
        if len(values) > 1:
            yield _Line(option.name, option.about, values, values.index(option.value))
    for name, about in game.all_variants.items():
        yield _Line(name, about, ("no", "yes"), 0, is_variant=True)


class Ways(ModalScreen[Chosen]):
    """The options and variants of a game, each a line that keys change; the first line plays."""

    def __init__(
        self, name: str, lines: Iterable[_Line], show: Callable[[Chosen], None] = lambda _: None
    ) -> None:
        """Begin with the usual options, and no variant; `show` is called with each change."""
        super().__init__()
        self._preview = show
        self._game = name
        self._usual = [*lines]
        self._lines = [*self._usual]
        self._problem = Static(markup=False)
        self._list = OptionList()

    def compose(self) -> ComposeResult:
        """Give the lines in a frame."""
        with Vertical(classes="frame") as frame:
            frame.border_title = self._game
            frame.border_subtitle = "Enter, Left and Right change a line, Esc goes back"
            yield self._problem
            self._list.add_options([Text("Play", "bold"), *(line.text() for line in self._lines)])
            yield self._list

    def on_mount(self) -> None:
        """Begin where Enter plays the usual game."""
        self._problem.display = False
        self._list.highlighted = 0

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option_index:
            self._change(event.option_index, 1)
            return
        chosen = self._chosen()
        try:
            load_game(chosen.game, chosen.options, chosen.variants)
        except GameError as problem:
            self._problem.update(trouble(problem))
            self._problem.display = True
            return
        if self.is_current:
            self.dismiss(chosen)

    def _chosen(self) -> Chosen:
        both = zip(self._lines, self._usual, strict=True)
        changed = [line for line, usual in both if line.number != usual.number]
        options = {one.name: one.values[one.number] for one in changed if not one.is_variant}
        return Chosen(self._game, options, tuple(one.name for one in changed if one.is_variant))

    def _change(self, number: int, step: int) -> None:
        line = self._lines[number - 1]
        line = replace(line, number=(line.number + step) % len(line.values))
        self._lines[number - 1] = line
        self._list.replace_option_prompt_at_index(number, line.text())
        self._problem.display = False
        self._preview(self._chosen())

    def on_key(self, event: events.Key) -> None:
        """Change the marked line, or go back without an answer."""
        if event.key in ("left", "right") and self._list.highlighted:
            event.stop()
            self._change(self._list.highlighted, 1 if event.key == "right" else -1)
        elif event.key in ("escape", "q") and self.is_current:
            event.stop()
            self.dismiss(None)


class Menu(TerminalApp[Chosen]):
    """A list of games, and what the marked one looks like."""

    CSS_PATH = "screens.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar = [Binding("ctrl+c", "leave", show=False, priority=True)]

    def __init__(self, entries: Iterable[Entry], *, left: str = "", ascii: bool = False) -> None:
        """List these games, and first that which was `left`, if there is one to go on with."""
        super().__init__()
        self._left = left
        self._entries = sorted(entries, key=lambda entry: (entry.family, entry.title))
        self._ascii = ascii
        self._games = OptionList(id="games")
        self._told = Static(markup=False)
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
                yield self._told
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
            self._choose(self._marked)

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option_id is not None:
            self._choose(event.option_id)

    def _choose(self, name: str) -> None:
        """Play a game, after its options and variants were chosen if it has any."""
        try:
            lines = [] if name == _GOES_ON else [*_lines_of(load_game(name))]
        except GameError:
            lines = []  # who plays it is told what is wrong

        def begin(chosen: Chosen | None) -> None:
            if chosen is not None:
                self.exit(chosen)
            else:
                self._preview(Chosen(name))

        if lines:
            self.push_screen(Ways(name, lines, self._preview), begin)
        else:
            begin(Chosen(name))

    @on(OptionList.OptionHighlighted)
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id is not None:
            self._preview(Chosen(event.option_id))

    def _preview(self, chosen: Chosen) -> None:
        """Show what a game looks like with what was chosen, if it is one of the list."""
        entry = next((one for one in self._entries if one.name == chosen.game), None)
        if entry is not None:
            self._draw(entry, chosen, max(20, self._picture.size.width or 40))
        elif chosen.game == _GOES_ON:
            self._told.update(_HOW_ON)
            self._picture.update("")

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
        options, family = list[Option](), ""
        if self._left and not parts:
            options.append(Option(Text(visible_line(self._left), "bold"), id=_GOES_ON))
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
        shown = [n for n, one in enumerate(options) if not one.disabled]
        begun = (n for n in shown if (options[n].id or "").startswith("-".join(parts) or "\n"))
        self._games.highlighted = next(begun, shown[0] if shown else None)
        if not options:
            self._told.update("")
            self._picture.update("")

    @work(thread=True, exclusive=True)
    def _draw(self, entry: Entry, chosen: Chosen, width: int) -> None:
        """Load a game and draw its first position, beside the screen."""
        told = Text(f"{visible_line(entry.title)}\n\n", "bold")
        told.append(f"{visible_line(entry.about)}\n\n", "not bold")
        credit = ", ".join(part for part in (entry.author, entry.year.lstrip("-")) if part)
        told.append(f"{visible_line(credit)}\n", "not bold dim")
        try:
            game = load_game(entry.name, chosen.options, chosen.variants)
            scene = Rules(game).start().scene()
            drawn = render_rich(scene, ascii=self._ascii, width=width)
        except GameError as problem:
            drawn = Text(trouble(problem))
        self.call_from_thread(self._show, told, drawn)

    def _show(self, told: Text, drawn: Text) -> None:
        self._told.update(told)
        self._picture.update(drawn)


def choose_game(*, left: str = "", ascii: bool = False) -> Chosen | None:
    """Return the shipped game that a person chooses, or the one that was `left`; None for none."""
    return Menu(catalogue(), left=left, ascii=ascii).run()
