"""The screen that a game is played on: the board, what stands beside it, and a line to type in.

In: a table. Out: the game, as it goes on. What then holds: whatever is typed, clicked or found out
beside the screen, it shows the table as it is then. To add a command that can be typed, write a
method and add a line to `_commands`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Static

from gdl.visible import visible_line
from interpreter.evaluation.moves import MoveError
from interpreter.positions.position_text import mover_does, mover_text
from interpreter.render.theme import LIGHT, Theme
from interpreter.screen.advice import Advice
from interpreter.screen.beginnings import Again, Beginnings, Load
from interpreter.screen.board import Board
from interpreter.screen.lists import KEYS, Lists
from interpreter.screen.pages import Cover, Picker, Question
from interpreter.screen.panel import Panel
from interpreter.screen.thinking import Thinking
from interpreter.sessions.entry import Choosing
from interpreter.sessions.saves import named_file, saved_text
from interpreter.sessions.spelling import unspelled
from interpreter.sessions.table import Table
from interpreter.sessions.typed import refusal, typed_command, typed_move

_ARROWS = ("up", "down", "left", "right")
_ENTER = ("enter", "ctrl+j")
"""Enter; and what it was before the screen was there, when a terminal still gave whole lines."""
_MOST_DIGITS = 9
_TICK = 0.25  # seconds


class PlayScreen(Screen[None]):
    """One game on the screen."""

    BINDINGS: ClassVar = [*KEYS]

    def __init__(
        self,
        table: Table,
        *,
        again: Again,
        load: Load | None = None,
        ascii: bool = False,
        theme: Theme = LIGHT,
        delay: float = 0.0,
        asks_seats: bool = False,
    ) -> None:
        """Play at `table`; `again` makes the table of a new game from the kinds of its seats.

        `load` makes that of a saved game from the name of its file; None where none is loaded.
        Players wait for `delay` seconds before they move. It begins with the question who plays
        if it `asks_seats`.
        """
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]
        self.table = table
        self._asks_seats = asks_seats
        self._typed = ""
        self._board = Board(ascii=ascii, theme=theme)
        self._panel = Panel(theme, ascii=ascii)
        self._lists = Lists(self, self._at, self._show, self._draw, self._board.show, self._type_on)
        self._advice = Advice(self, self._at, self._draw, self._lists.review)
        self._beginnings = Beginnings(self, self._at, again, load, self._sit_at, self._draw)
        self._leaving = Leaving(self, self._at, self._show, self._draw, self.leave)
        self._entry = Entry(self._at)
        self._thinking = Thinking(self, self._at, self._show, self._draw, delay)
        self._message = Static(id="message", markup=False)
        self._line = Static(id="line", markup=False)
        self._commands: Mapping[str, Callable[[str], Any]] = {
            "help": lambda _: self.action_help(),
            "board": lambda _: self._show(),
            "moves": self._lists.moves,
            "rules": lambda _: self.action_rules(),
            "why": self._lists.why,
            "undo": lambda _: self.action_undo(),
            "redo": lambda _: self.action_redo(),
            "hint": lambda _: self.action_hint(),
            "eval": lambda _: self.action_value(),
            "analyse": lambda _: self.action_analyse(),
            "threats": lambda _: self.action_threats(),
            "review": lambda _: self.action_review(),
            "go": self._go,
            "save": self._leaving.save,
            **({} if load is None else {"load": self._beginnings.load}),
            "resign": lambda _: self.action_resign(),
            "new": lambda _: self.action_new(),
            "seats": lambda _: self.action_seats(),
            "exchange": lambda _: self.action_exchange(),
            "quit": lambda _: self.action_leave(),
        }

    def compose(self) -> ComposeResult:
        """Give the parts of the screen."""
        with Horizontal():
            with Vertical(id="middle"):
                yield self._board
                yield self._message
                yield self._line
            yield self._panel
        yield Footer()

    def on_mount(self) -> None:
        """Begin."""
        self.table.begin()
        self._beginnings.prepare(self.table)
        self._show()
        self.set_interval(_TICK, self._tick)
        if self._asks_seats:
            self.action_seats()

    def _at(self) -> Table:
        """Return the table that is played at now."""
        return self.table

    def _sit_at(self, table: Table) -> None:
        """Play at a table from now on, or with other players at the same."""
        self.table = table
        self._beginnings.prepare(table)
        self._show()

    def _tick(self) -> None:
        """Look at the clock, if there is one."""
        if self.table.session.clock is None:
            return
        if self.table.tick():
            self._show()
        else:
            self._panel.tick(self.table)

    # ------------------------------------------------------------------ the course

    def _show(self) -> None:
        """Show the table as it is now, and have the player think who is on turn."""
        self._advice.look()
        self._draw()
        self._thinking.look()

    def _draw(self) -> None:
        table = self.table
        self.title = visible_line(table.position.rules.name)
        self._board.show(table.scene())
        self._panel.show(table, self._advice.analysis)
        self._draw_message()
        self._draw_line()

    def _draw_message(self) -> None:
        self._message.update(self.table.message or self.table.ended() or " ")

    def _draw_line(self) -> None:
        """Show what is typed."""
        self._line.update(f"{visible_line(self.table.prompt())}> {self._typed}█")

    # ------------------------------------------------------------------ what is typed

    def on_board_reduced(self) -> None:
        """Tell who begins how to see all of the board's lines."""
        if self.table.is_new:
            self.table.message = f"{self.table.message} Ctrl+L draws the board larger."
            self._draw_message()

    def on_board_cut(self) -> None:
        """Tell who begins how to see the rest of the board."""
        if self.table.is_new:
            more = ", F2 gives it more room" if self._panel.display else ""
            told = f"The arrow keys show the rest of the board{more}."
            self.table.message = f"{self.table.message} {told}"
            self._draw_message()

    def on_board_pointed(self, event: Board.Pointed) -> None:
        """Choose a site."""
        self._entry.point(event.site)
        self._typed = ""
        self._show_if_moved()

    def on_click(self, event: events.Click) -> None:
        """List what may be chosen, where that is told in the line that was clicked."""
        if event.widget is self._message and self.table.offers.named():
            self._choose_name()

    def on_panel_wanted(self, event: Panel.Wanted) -> None:
        """Go to a position of the game."""
        if event.move is None:
            self.table.go_to(event.number)
        else:
            self.table.enter(event.number, event.move)
        self._show()

    def on_key(self, event: events.Key) -> None:
        """Take what is typed: moves and commands, a site under the cursor, a way back."""
        if event.key in _ARROWS:
            self._board.move_cursor(event.key)
            self._entry.look_at(self._board.cursor)
            self._draw_message()
        elif event.key in _ENTER:
            self._enter()
        elif event.key == "escape":
            self._go_back()
        elif event.key == "backspace":
            self._typed = self._typed[:-1]
            self._draw_line()
        elif event.key == "space" and not self._typed:
            self._agree()
        elif event.character == "?" and not self._typed:
            self.action_help()
        elif event.is_printable and event.character is not None:
            self._type_on(event.character)
        else:
            return
        event.stop()

    def _type_on(self, character: str) -> None:
        """Take one more character to what is typed."""
        self._typed += character
        self._draw_line()

    def _enter(self) -> None:
        typed, self._typed = self._typed.strip(), ""
        if not typed and self.table.audience.must_change:
            self._hand_over()
            return
        if not typed:
            choosing = self.table.choosing
            is_meant = choosing.only is not None and choosing.chosen
            if self.table.offers.named() and not is_meant:
                self._choose_name()
            elif is_meant or self.table.offers.is_forced or self._board.cursor is None:
                self._agree()
            else:
                self._board.point()
            return
        command = typed_command(typed, self._commands)
        if self._entry.read(typed):
            self._show_if_moved()
        elif command is not None:
            name, argument = command
            self.table.message = ""
            self._commands[name](argument)
            if name == "why":
                self._draw_message()
                self._draw_line()
            else:
                self._draw()
        else:
            self._entry.read_short(typed)
            self._show_if_moved()

    def _hand_over(self) -> None:
        """Hide the board until the person on turn has come to look."""

        def seen(_: None) -> None:
            self.table.hand_over()
            self._show()

        who = visible_line(mover_text(self.table.position))
        self.app.push_screen(Cover(who), seen)

    def _choose_name(self) -> None:
        """List what may be chosen, where that is no site."""
        table, names = self.table, self.table.offers.named()

        def chosen(number: int | None) -> None:
            if number is not None and table is self.table:
                self._entry.read(names[number])
                self._show_if_moved()

        self.app.push_screen(Picker("Choose", table.prompt(), names), chosen)

    def _agree(self) -> None:
        """Choose the site under the cursor, if it can follow; else make the move that is meant."""
        if self.table.offers.can_follow(self._board.cursor):
            self._board.point()
            return
        self._entry.agree()
        self._show_if_moved()

    def _go_back(self) -> None:
        if self._typed:
            self._typed = ""
        else:
            self._entry.back()
        self._draw()

    def _show_if_moved(self) -> None:
        """Show the table; what depends on the position, only if that is another one now."""
        analysis = self._advice.analysis
        if analysis is None or analysis.position is not self.table.position:
            self._show()
        else:
            self._draw()

    # ------------------------------------------------------------------ commands

    def action_help(self) -> None:
        """Show the keys."""
        self._lists.keys(self._commands)

    def action_why(self) -> None:
        """Tell why the game is over, or how it stands."""
        self._lists.why("")

    def action_rules(self) -> None:
        """Show the rules in words."""
        self._lists.rules()

    def action_panel(self) -> None:
        """Show what stands beside the board, or give the board its room."""
        self._panel.toggle_class("-hidden")
        self._panel.toggle_class("-shown")

    def action_enlarge(self) -> None:
        """Draw the board larger than the screen, or all of it again."""
        if not self._board.enlarge():
            self.table.message = "The board has this one size here."
        elif self._board.is_whole:
            self.table.message = ""
        else:
            self.table.message = "The arrow keys show the rest; Ctrl+L goes back to the other size."
        self._draw_message()

    def action_undo(self) -> None:
        """Take a move back."""
        self.table.undo()
        self._show()

    def action_redo(self) -> None:
        """Go forward again."""
        self.table.redo()
        self._show()

    def action_step(self, number: int) -> None:
        """Go to a position before or after."""
        self.table.step(number)
        self._show()

    def action_first(self) -> None:
        """Go to the first position."""
        self.table.go_to(0)
        self._show()

    def action_last(self) -> None:
        """Go to the last position of the line."""
        self.table.go_to(len(self.table.session.line))
        self._show()

    def action_vary(self) -> None:
        """Go to the next variation."""
        self.table.vary()
        self._show()

    def action_resign(self) -> None:
        """Give up, if that is meant."""
        self._leaving.resign()

    def action_leave(self) -> None:
        """Leave the game; ask first if it would be lost."""
        self._leaving.leave()

    def leave(self) -> None:
        """Leave the screen; what players and the engine still think of is dropped."""
        self._thinking.drop()
        self._advice.drop()
        self.app.exit()

    def action_new(self) -> None:
        """Begin a new game with the same seats."""
        self._beginnings.anew()

    def action_exchange(self) -> None:
        """Begin a new game in which each seat's player sits at the next one."""
        self._beginnings.exchanged()

    def action_seats(self) -> None:
        """Ask who plays which side from now on."""
        self._beginnings.ask_seats()

    def action_hint(self) -> None:
        """Ask the engine for a good move."""
        self._advice.hint()
        self._draw()

    def action_value(self) -> None:
        """Ask the engine what the position is worth."""
        self._advice.value()
        self._draw()

    def action_threats(self) -> None:
        """Mark what the others threaten."""
        self._advice.threats()
        self._draw()

    def action_analyse(self) -> None:
        """Have the engine say what it thinks of the position, as it thinks, or no more.

        It stands in the panel, which is shown for that.
        """
        self._advice.toggle_analysis()
        if self._advice.is_analysing and not self._panel.display:
            self.action_panel()
        self._draw()

    def action_review(self) -> None:
        """Have the engine tell which moves of the game changed its value most."""
        if self.table.session.outcome is None and not self.table.looks_back:
            self.table.message = "A game is reviewed when it is over."
        elif self.table.review.judgements:
            self._lists.review()
        else:
            self._advice.review()
        self._draw()

    def _go(self, argument: str) -> None:
        """Go to the position after so many moves; with no number, have the player go on."""
        if argument.isdecimal():
            self.table.go_to(int(argument[:_MOST_DIGITS]))
            self._show()
            return
        player = self.table.players.get(self.table.position.seat or 0)
        if player is None or self.table.over:
            self.table.message = "No player is to move here."
        else:
            self._thinking.begin(player)


# --------------------------------------- what is asked at a screen before something ends or is lost


class Leaving:
    """What ends at a screen."""

    def __init__(
        self,
        screen: Screen[None],
        table: Callable[[], Table],
        show: Callable[[], None],
        draw: Callable[[], None],
        leave: Callable[[], None],
    ) -> None:
        """End the game of the table that is played at now.

        `show` is called when the game stands otherwise, `draw` when there is something new to say,
        `leave` when the screen is left.
        """
        self._screen = screen
        self._table = table
        self._show = show
        self._draw = draw
        self._leave = leave

    def resign(self) -> None:
        """Give up, if that is meant."""
        table = self._table()
        if table.over:
            table.message = "The game is over."
            self._draw()
            return

        def answered(yes: bool | None) -> None:
            if yes:
                table.resign()
                self._show()

        self._ask(f"Resign as {table.position.mover}?", answered)

    def leave(self) -> None:
        """Leave the game; ask first if it would be lost."""

        def answered(yes: bool | None) -> None:
            if yes:
                self._leave()

        if self._table().is_unkept:
            self._ask("These moves are not kept. Leave them?", answered)
        else:
            answered(True)

    def save(self, path: str) -> None:
        """Keep the game in a file; ask first if there is one already."""
        table = self._table()
        if not path:
            table.message = "Type save and the name of a file."
            return
        path = named_file(path)
        is_new, standing = not os.path.exists(path), saved_text(path)

        def answered(yes: bool | None) -> None:
            if yes:
                table.save(path, is_new, standing)
                self._draw()

        if is_new:
            answered(True)
        else:
            self._ask(f"{visible_line(path)} is there already. Write over it?", answered)

    def _ask(self, text: str, answered: Callable[[bool | None], None]) -> None:
        self._screen.app.push_screen(Question(text), answered)


# ----------------------------------------------------------- moves that a person enters at a screen


class Entry:
    """What is entered at a screen."""

    def __init__(self, table: Callable[[], Table]) -> None:
        """Enter moves at the table that is played at now."""
        self._table = table

    def point(self, site: int) -> None:
        """Choose a site: the next word of a move, or a new beginning of one.

        The site that was chosen last is taken back, unless a move goes on with it once more.
        """
        table = self._table()
        name = table.position.rules.game.board.sites[site].name
        if not self._may_choose():
            return
        longer = table.choosing.with_word(name)
        if longer is None and name.lower() == (table.choosing.chosen[-1:] or ("",))[0]:
            self.back()
            return
        if longer is None and table.choosing.chosen:
            longer = Choosing(table.choosing.legal).with_word(name)
        if longer is None:
            table.message = table.offers.why_not(name, table.audience.pieces())
            return
        self._choose(longer)

    def look_at(self, site: int | None) -> None:
        """Say what Enter does at a site, while a move is being chosen."""
        table = self._table()
        if table.is_asked and table.choosing.chosen:
            table.message = table.offers.told(site)

    def agree(self) -> None:
        """Make the move that is meant: the one of which all is chosen, or the only one there is."""
        table = self._table()
        if not self._may_choose():
            return
        only = table.choosing.only
        if only is None:
            table.message = table.offers.told()
        elif table.choosing.chosen or len(table.choosing.legal) == 1:
            table.make(only)

    def read(self, text: str) -> bool:
        """Make the move that a text names, or choose its words; return whether it was either."""
        table = self._table()
        if not self._may_choose():
            return False
        whole = f"{table.choosing.text} {text}".strip()
        for wanted in dict.fromkeys((whole, text)):
            try:
                move = unspelled(wanted, table.position)
            except MoveError as problem:
                table.message = visible_line(str(problem))
            else:
                table.make(move)
                return True
        for beginning in (table.choosing, Choosing(table.choosing.legal)):
            longer = beginning.with_word(text)
            if longer is not None:
                self._choose(longer)
                return True
        return False

    def read_short(self, text: str) -> None:
        """Make the move that a text means in a shorter spelling, or say why it is none."""
        table = self._table()
        if not self._may_choose():
            return
        names = table.offers.named()
        if text.isdecimal() and 0 < int(text[:_MOST_DIGITS]) <= len(names):
            self.read(names[int(text) - 1])
            return
        try:
            table.make(typed_move(f"{table.choosing.text} {text}".strip(), table.position))
        except MoveError as problem:
            told = f"{problem} {table.offers.told()}"
            if not names:
                told = refusal(problem, text, table.position, table.audience.pieces())
            table.message = visible_line(told)

    def back(self) -> None:
        """Take the word back that was chosen last."""
        table = self._table()
        table.message = ""
        table.choosing = table.choosing.without_last()

    def _may_choose(self) -> bool:
        table = self._table()
        table.message = ""
        if table.over:
            table.message = table.ended() or table.message
            return False
        if table.player is not None:
            table.message = f"{mover_does(table.position, 'thinks')}."
            return False
        if table.audience.must_change:
            table.message = f"Hand over to {mover_text(table.position)}."
            return False
        return True

    def _choose(self, longer: Choosing) -> None:
        table = self._table()
        table.message = ""
        table.choosing = longer
        if longer.move is not None:
            table.make(longer.move)
        else:
            table.message = table.offers.told()
