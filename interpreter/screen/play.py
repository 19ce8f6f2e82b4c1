"""The screen that a game is played on: the board, what stands beside it, and a line to type in.

In: a table. Out: the game, as it goes on. What then holds: whatever is typed, clicked or found out
beside the screen, it shows the table as it is then. To add a command that can be typed, write a
method and add a line to `_commands`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from textwrap import shorten, wrap
from typing import Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Footer, Static

from gdl.interpreter.positions.position_text import mover_text
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.text.glyphs import ASCII, UNICODE
from gdl.interpreter.render.text.layout import PLAIN_SIGNS
from gdl.interpreter.render.theme import LIGHT, Theme
from gdl.interpreter.screen.advice import Advice
from gdl.interpreter.screen.board import Board
from gdl.interpreter.screen.lists import KEYS, Lists
from gdl.interpreter.screen.pages import Cover, Picker, Question
from gdl.interpreter.screen.panel import NARROWEST, Panel
from gdl.interpreter.screen.seating import Players
from gdl.interpreter.screen.thinking import Thinking
from gdl.interpreter.sessions.choosing import Choosing, completed
from gdl.interpreter.sessions.effects import thing
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.snapshot import Choices, Snapshot
from gdl.interpreter.sessions.table import OFFERED, Table, Wish
from gdl.interpreter.sessions.typed import typed_command
from gdl.interpreter.words.rules import told_of_kind
from gdl.visible import visible_line

_ARROWS = ("up", "down", "left", "right")
_ENTER = ("enter", "ctrl+j")
"""Enter; and what it was before the screen was there, when a terminal still gave whole lines."""
_AFTERWARDS = "F7 review, Ctrl+N new game, Ctrl+E exchange seats, save FILE"
_MOST_DIGITS = 9
_LINES_ASKED = 2  # of what is asked for, with what is typed
MOST_TOLD = 175  # letters of what the rules say of a piece
_MOST_FOUND = 12  # words that what is typed may be
_TICK = 0.25  # seconds
_HIGH = 20  # lines of a screen


class PlayScreen(Screen[None]):
    """One game on the screen."""

    BINDINGS: ClassVar = [*KEYS]

    def __init__(
        self,
        table: Table,
        *,
        ascii: bool = False,
        theme: Theme = LIGHT,
        delay: float = 0.0,
        asks_seats: bool = False,
    ) -> None:
        """Play at `table`; players wait for `delay` seconds before they move.

        It begins with the question who plays if it `asks_seats`.
        """
        super().__init__()
        self.HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (72, "-wide")]
        # Where there is room, the board keeps its size whatever is said below it.
        self.VERTICAL_BREAKPOINTS = [(0, "-low"), (_HIGH, "-high")]
        self.table = table
        self._asks_seats = asks_seats
        self._typed = ""
        self._of_the_board = ""
        self._told_of: dict[str, str] = {}
        self._refused = set[str]()
        self._session: Session | None = None
        self._said_first: tuple[str, ...] = ()
        self._said_before_cursor: tuple[str, ...] = ()
        self._ascii = ascii
        self._board = Board(ascii=ascii, theme=theme)
        self._panel = Panel(theme, ascii=ascii)
        self._now = table.snapshot()
        self._lists = Lists(self, table, self._show, self._draw, self._board.show, self._type_on)
        self._advice = Advice(self, table, self._draw, self._lists.review)
        self._players = Players(self, table, self._show, self._draw)
        self._thinking = Thinking(self, table, self._show, self._draw, delay)
        self._message = Static(id="message", markup=False)
        self._line = Static(id="line", markup=False)
        self._commands: Mapping[str, Callable[[str], Any]] = {
            "help": lambda _: self.action_help(),
            "board": lambda _: self._show(),
            "moves": self._lists.moves,
            "rules": lambda _: self.action_rules(),
            "said": lambda _: self._lists.said(),
            "why": self._lists.why,
            "undo": lambda _: self.action_undo(),
            "redo": lambda _: self.action_redo(),
            "hint": lambda _: self.action_hint(),
            "eval": lambda _: self.action_value(),
            "analyse": lambda _: self.action_analyse(),
            "threats": lambda _: self.action_threats(),
            "review": lambda _: self.action_review(),
            "go": self._go,
            "save": lambda typed: self._ask_for(table.saving(typed)),
            **({} if table.is_open else {"load": lambda path: self._ask_for(table.loading(path))}),
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
                with Vertical(id="below"):
                    yield self._message
                    yield self._line
            yield self._panel
        yield Footer()

    def on_mount(self) -> None:
        """Begin."""
        self.table.begin()
        self._show()
        self.set_interval(_TICK, self._tick)
        if self._asks_seats:
            self.action_seats()

    def _tick(self) -> None:
        """Look at the clock and at the file, if there are such."""
        if self.table.tick():
            self._show()
        elif self.table.session.clock is not None:
            standing = self._now.standing.ticked(self.table.session)
            if standing != self._now.standing:
                self._now = replace(self._now, standing=standing)
                self._panel.tick(self._now)
                self._draw_line()

    # ------------------------------------------------------------------ the course

    def _show(self) -> None:
        """Show the table as it is now, and have the player think who is on turn."""
        if self._session is not self.table.session:
            self._session, self._said_first = self.table.session, self.table.said
            self._told_of = {}
        self._players.look()
        self._advice.look()
        self._draw()
        refused, audience = set[str](), self.table.audience
        if audience.is_limited:
            refused = {"why", "threats", "analyse", *(() if audience.may_take_back else ("undo",))}
        if refused != self._refused:
            self._refused = refused
            self.refresh_bindings()
        self._thinking.look()

    def _draw(self) -> None:
        self._now = self.table.snapshot()
        self.title = self._now.title
        self._board.show(self._now.scene)
        self._panel.show(self._now, self._advice.analysis)
        self._draw_message()
        self._draw_line()

    def _draw_message(self) -> None:
        """Show what was said last, and which key does what may be done now."""
        self._now = replace(self._now, said=self.table.said)
        self._message.update(self.status() or " ")

    def status(self) -> str:
        """Return what is said in the line below the board."""
        now, told = self._now, [self._now.message, key_told(self._now, self._site_at_cursor())]
        is_begun = now.choices is not None and bool(now.choices.chosen)
        is_read = now.said in ((), self._said_before_cursor)
        piece = self._told_at_cursor() if is_read and not is_begun else ""
        if piece:
            told[0] = now.ended.partition(". ")[0].rstrip(".") + "." if now.ended else ""
        is_new = now.standing.is_new and not is_begun and now.said in ((), self._said_first)
        if is_new and not piece:
            is_pointed_at = now.choices is not None and not now.choices.names
            told.append("Point at a site, or type a move." if is_pointed_at else "")
            told += ["? tells the keys.", self._of_the_board]
        told.append(piece)
        return " ".join(filter(None, told))

    def _scene_at_cursor(self) -> Scene:
        """Return the board, with where the piece under the cursor may go marked."""
        choices, site = self._now.choices, self._site_at_cursor()
        if (
            choices is None
            or choices.chosen
            or site not in choices.sites
            or self._now.scene.highlights
        ):
            return self._now.scene
        begun = self.table.choosing.with_word(site) if self._now.pieces.get(site) else None
        offers = () if begun is None else begun.offers
        board = self._now.scene.board
        marks = {index: OFFERED for index in map(board.index, offers) if index is not None}
        return replace(self._now.scene, highlights=marks)

    def _told_at_cursor(self) -> str:
        """Return what stands under the cursor, and what the rules say of it."""
        site, game = self._site_at_cursor(), self.table.position.rules.game
        if site is None or self._now.is_covered:
            return ""
        standing, marks = (of.get(site, "") for of in (self._now.pieces, self._now.marks))
        if not standing:
            return f"{site}: {marks or self._told_of_bare()}."
        kind = next(
            (kind for kind in game.kinds if kind == standing.partition(" on ")[0].split(" ")[-1]),
            "",
        )
        named = standing.replace("_", " ") if kind else thing(standing, 1, game.sides)
        if kind and kind not in self._told_of:
            self._told_of[kind] = " ".join(told_of_kind(game, kind))
        told = shorten(
            visible_line(self._told_of.get(kind, "")), MOST_TOLD, placeholder=" … F9 tells more."
        )
        piece = ", ".join(filter(None, (visible_line(named), marks, self._sign_at_cursor())))
        return f"{site}: {piece}. {told}".strip()

    def _told_of_bare(self) -> str:
        """Return what is drawn under the cursor, where no piece stands: a number, or nothing."""
        mark = self._now.scene.marks.get(self._board.cursor or 0)
        number = None if mark is None else mark.count
        return self._sign_at_cursor() or "empty" if number is None else f"{number}"

    def _sign_at_cursor(self) -> str:
        """Return what the sign under the cursor says that the site is, such as a trap."""
        sign = self._now.scene.signs.get(self._board.cursor or 0, "")
        return sign if len(sign) > 1 and sign not in PLAIN_SIGNS else ""

    def _kinds_of_sites(self) -> set[str]:
        """Return of which kinds the sites are that may be chosen: cells, corners, sides."""
        choices, board = self._now.choices, self._now.scene.board
        indices = map(board.index, choices.sites if choices is not None else ())
        return {board.sites[index].kind for index in indices if index is not None}

    def _site_at_cursor(self) -> str | None:
        """Return the name of the site under the cursor, if there is one."""
        cursor, sites = self._board.cursor, self._now.scene.board.sites
        return sites[cursor].name if cursor is not None and cursor < len(sites) else None

    def _draw_line(self) -> None:
        """Show what is typed, behind what is asked for."""
        asked = self._now.prompt
        if self._now.is_covered:
            asked = f"{asked}: Enter hides the board"
        elif self._now.is_over:
            asked = _AFTERWARDS
        width = self._line.content_size.width
        ending = f"> {self._typed}█"
        while (
            width and len(wrap(asked + ending, width)) > _LINES_ASKED and " " in asked.rstrip("… ")
        ):
            asked = f"{asked.rstrip('… ').rpartition(' ')[0]} …"
        self._line.update(asked + ending)

    # ------------------------------------------------------------------ what is typed

    def on_board_reduced(self) -> None:
        """Tell who begins how to see all of the board's lines."""
        joined = lines_told(self._now.scene, ascii=self._ascii)
        self._of_the_board = f"Ctrl+L draws the board larger, with all its lines{joined}."
        self._draw_message()

    def on_board_cut(self, event: Board.Cut) -> None:
        """Give the board a few columns more, if that is enough; or tell how to see the rest."""
        if self._panel.display and 0 < event.columns <= self._panel.size.width - NARROWEST:
            self._panel.styles.width = self._panel.outer_size.width - event.columns
            self.call_after_refresh(self._tell_if_cut)
        else:
            self._tell_if_cut()

    def _tell_if_cut(self) -> None:
        """Tell who begins how to see the rest of the board, if not all of it is in sight."""
        if self._board.is_whole:
            return
        more = ", F2 gives it more room" if self._panel.display else ""
        self._of_the_board = f"The arrow keys show the rest of the board{more}."
        self._draw_message()

    def on_board_pointed(self, event: Board.Pointed) -> None:
        """Choose a site."""
        self.table.point(event.site)
        self._typed = ""
        self._show_if_moved()

    def on_click(self, event: events.Click) -> None:
        """List what may be chosen, where that is told in the line that was clicked."""
        if event.widget is self._message and self._now.choices and self._now.choices.names:
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
            self._board.move_cursor(event.key, self._kinds_of_sites())
            self._said_before_cursor = self.table.said
            self._board.show(self._scene_at_cursor())
            if self._now.choices is not None and self._now.choices.chosen:
                self.table.say()
            self._draw_message()
        elif event.key in _ENTER:
            self._enter()
        elif event.key == "escape":
            self._go_back()
        elif event.key == "backspace":
            self._typed = self._typed[:-1]
            self._draw_line()
        elif event.key in ("ctrl+u", "ctrl+w"):
            kept = self._typed.rstrip().rpartition(" ")
            self._typed = f"{kept[0]}{kept[1]}" if event.key == "ctrl+w" else ""
            self._draw_line()
        elif event.key == "tab":
            self._complete()
        elif event.key == "space" and not self._typed:
            self._agree()
        elif event.character == "?" and not self._typed:
            self.action_help()
        elif event.is_printable and event.character is not None:
            self._type_on(event.character)
        elif self._refuses(event.key):
            pass
        else:
            return
        event.stop()

    def _type_on(self, character: str) -> None:
        """Take one more character to what is typed."""
        self._typed += character
        self._draw_line()

    def _complete(self) -> None:
        """Go on with the word that is typed, as far as it is known; tell which there may be."""
        is_asked = self._now.choices is not None
        choosing = self.table.choosing if is_asked else Choosing(())
        self._typed, found = completed(self._typed, choosing, self._commands)
        if len(found) > 1:
            more = " …" if len(found) > _MOST_FOUND else ""
            self.table.say(f"Perhaps: {', '.join(found[:_MOST_FOUND])}{more}")
            self._draw_message()
        self._draw_line()

    def _enter(self) -> None:
        typed, self._typed = self._typed.strip(), ""
        if not typed and self._now.is_covered:
            self._hand_over()
            return
        if not typed:
            choices = self._now.choices
            is_meant = choices is not None and bool(choices.only and choices.chosen)
            if choices is not None and choices.names and not is_meant:
                self._choose_name()
            elif choices is None or is_meant or choices.is_forced or self._board.cursor is None:
                self._agree()
            else:
                self._board.point()
            return
        command = typed_command(typed, self._commands)
        if self.table.read(typed):
            if self.table.choosing.wholes and self.table.choosing.chosen:
                self._board.leave()
            self._show_if_moved()
        elif command is not None:
            name, argument = command
            self.table.say()
            self._commands[name](argument)
            if name == "why":
                self._draw_message()
                self._draw_line()
            else:
                self._draw()
        else:
            self.table.read_short(typed, self._commands)
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
        now, choosing = self._now, self.table.choosing
        names = now.choices.names if now.choices is not None else ()

        def chosen(number: int | None) -> None:
            if number is not None and choosing is self.table.choosing:
                self.table.read(names[number])
                self._show_if_moved()

        self.app.push_screen(Picker("Choose", now.prompt, names), chosen)

    def _agree(self) -> None:
        """Choose the site under the cursor, if it can follow; else make the move that is meant."""
        if not self.table.people and not self.table.over:
            self._thinking.pause()
            return
        choices = self._now.choices
        if choices is not None and choices.chosen and self._site_at_cursor() in choices.sites:
            self._board.point()
            return
        legal = 0 if choices is None else choices.legal
        how = "point at a site, or type one" if choices and choices.sites else "type one"
        is_told = choices is not None and (choices.chosen or choices.names)
        self.table.agree("" if is_told else f"There are {legal} legal moves: {how}.")
        self._show_if_moved()

    def _go_back(self) -> None:
        if self._typed:
            self._typed = ""
        elif not self._advice.stop_review():
            self.table.back()
        self._draw()

    def _show_if_moved(self) -> None:
        """Show the table; what depends on the position, only if that is another one now."""
        analysis = self._advice.analysis
        if analysis is None or analysis.position is not self.table.position:
            self._show()
        else:
            self._draw()

    # ------------------------------------------------------------------ commands

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a key does something now: those that don't aren't in the footer."""
        return action not in self._refused

    def _refuses(self, key: str) -> bool:
        """Return whether a key does nothing now that else does something; say why."""
        actions = {one.key: one.action for one in KEYS if one.action in self._refused}
        if key in actions:
            getattr(self, f"action_{actions[key]}")()
        return key in actions

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
            self.table.say("The board has this one size here.")
        elif self._board.is_whole:
            self.table.say()
        else:
            joined = lines_told(self._now.scene, ascii=self._ascii).removeprefix(": ")
            self.table.say(
                "The arrow keys show the rest; Ctrl+L goes back to the other size.",
                f"Lines: {joined}." if joined else "",
            )
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
        self._ask_for(self.table.resigning())

    def action_leave(self) -> None:
        """Leave the game; ask first if it would be lost."""
        self._ask_for(self.table.leaving(self.leave))

    def _ask_for(self, wish: Wish | None) -> None:
        """Do what a person wants, if that is meant."""

        def answered(is_meant: bool | None) -> None:
            before = self._stands()
            if wish is not None and is_meant:
                wish.do()
            elif wish is not None:
                self.table.say(wish.declined)
            if self._stands() == before:
                self._draw()
            else:
                self._show()

        if wish is None:
            self._draw()
        elif wish.question:
            self.app.push_screen(Question(wish.question), answered)
        else:
            answered(True)

    def leave(self) -> None:
        """Leave the screen; what players and the engine still think of is dropped."""
        self._thinking.drop()
        self._advice.drop()
        self.app.exit()

    def _stands(self) -> tuple[object, ...]:
        table = self.table
        return table.session, table.position, table.session.outcome, table.players

    def action_new(self) -> None:
        """Begin a new game with the same seats."""
        self._ask_for(self.table.beginning())

    def action_said(self) -> None:
        """Show what was said before."""
        self._lists.said()

    def action_exchange(self) -> None:
        """Begin a new game in which each seat's player sits at the next one."""
        self._ask_for(self.table.exchanging())

    def action_seats(self) -> None:
        """Ask who plays which side from now on."""
        self._players.ask()

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
        if self.table.review.judgements:
            self._lists.review()
        elif self.table.may_review():
            self._advice.review()
        self._draw()

    def _go(self, argument: str) -> None:
        """Go to the position after so many moves; with no number, have the player go on."""
        if argument.isdecimal():
            self.table.go_to_ply(int(argument[:_MOST_DIGITS]))
            self._show()
            return
        player = self.table.players.get(self.table.position.seat or 0)
        if player is None or self.table.over:
            self.table.say("No player is to move here.")
        else:
            self._thinking.begin(player)


def lines_told(scene: Scene, *, ascii: bool) -> str:
    """Return which character crosses the lines of which colour; empty where all have one colour."""
    names, crossings = scene.colours_of_bonds, (ASCII if ascii else UNICODE).crossings
    told = (f"{crossings[n % 2]} {name}" for n, name in enumerate(names))
    return f": {', '.join(told)}" if len(names) > 1 else ""


# ------------------------------------------------------ which keys do what may be done, in a line

_MOST_LETTERS = 90  # of choices that are told in a line


def key_told(now: Snapshot, at: str | None) -> str:
    """Return which key does what, while a move is chosen; the cursor is `at` a site, or nowhere."""
    choices = now.choices
    if choices is None:
        return ""
    if choices.legal == 1:
        key = "Enter" if choices.is_forced else "Space"
        return f"The only move is {choices.only}: press {key}."
    if choices.names and not choices.whole:
        listed = _listed([f"{n} {name}" for n, name in enumerate(choices.names, start=1)])
        return f"Choose: {listed} Type it; Enter lists them."
    return "" if not choices.chosen or now.said else _following(choices, at)


def _following(choices: Choices, at: str | None) -> str:
    """Return what may be chosen after what is chosen already."""
    if choices.whole > 1:
        return f"{choices.whole} moves read so: type one as `moves` lists them."
    if at in choices.sites:
        return f"Enter chooses {at}."
    if choices.only:
        more = ", or chooses a marked site" if choices.sites else ""
        return f"Enter {'again plays' if choices.sites else 'makes the move'} {choices.only}{more}."
    return f"Then: {_listed(choices.words)}" if choices.words else "Then a marked site."


def _listed(texts: Sequence[str]) -> str:
    """Return texts as the end of a sentence, as many as there is room for.

    >>> _listed(["1 no", "2 yes"]), _listed(["x" * 60, "y" * 60, "z"])[58:]
    ('1 no, 2 yes.', 'xx, …')
    """
    ends = accumulate(len(text) + len(", ") for text in texts)
    shown = max(1, sum(end <= _MOST_LETTERS for end in ends))
    return ", ".join([*texts[:shown], "…"]) if shown < len(texts) else f"{', '.join(texts)}."
