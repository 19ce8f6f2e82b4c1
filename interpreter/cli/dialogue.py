"""A game played in the terminal: people type moves and commands, players answer.

In: a table. Out: the game, move by move, on stdout. What then holds: nothing that is typed ends the
game but `quit`, `resign` and the end of input. To add a command, write a method and add a line to
`_commands`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Mapping

from gdl.interpreter.cli.advice import Advice
from gdl.interpreter.cli.output import clear, wants_ascii, write, write_drawn
from gdl.interpreter.cli.picture import board_text, scene_text, write_turn
from gdl.interpreter.library.portrait import portrait, portrait_text
from gdl.interpreter.positions.position_text import introduction, mover_text
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.theme import LIGHT, Theme
from gdl.interpreter.sessions.choosing import may_follow
from gdl.interpreter.sessions.seats import Player, chosen
from gdl.interpreter.sessions.snapshot import Snapshot
from gdl.interpreter.sessions.table import Table, Wish
from gdl.interpreter.sessions.typed import typed_command
from gdl.visible import visible_line

_AFTERWARDS = "The game is over: review, save FILE, load FILE, new, exchange, undo, quit> "
_MOST_SHOWN, _MOST_NAMED = 24, 9  # words that may come next; choices that are named


class Dialogue:
    """The games at a table, at a terminal."""

    def __init__(
        self, table: Table, *, ascii: bool = False, theme: Theme = LIGHT, delay: float = 0.0
    ) -> None:
        """Play at `table`; players wait for `delay` seconds before they move."""
        self._table = table
        self._ascii = ascii
        self._theme = theme
        self._delay = delay
        self._is_left = False
        self._shown: tuple[object, ...] = ()
        self._prompt = Prompt(self._completions)
        advice = Advice(table, self._draw)
        self._commands: Mapping[str, tuple[Callable[[str], None], str, str]] = {
            "help": (lambda _: self._help(), "", "this list"),
            "moves": (
                advice.moves,
                "[WORD]",
                "the legal moves, or those that begin with WORD",
            ),
            "why": (
                advice.why,
                "[MOVE]",
                "why a move is legal or not; a site; or how the game stands",
            ),
            "rules": (lambda _: self._rules(), "", "the rules in words"),
            "board": (lambda _: self._draw_board(), "", "the board again"),
            "undo": (lambda _: table.undo(), "", "take your last move back, or your resignation"),
            "redo": (lambda _: table.redo(), "", "do again what you took back"),
            "hint": (advice.hint, "", "a good move, and why"),
            "threats": (advice.threats, "", "what the others could win by or take at once"),
            "eval": (advice.value, "", "what the position is worth for each side"),
            "analyse": (advice.analyse, "", "the best moves, and what they are worth"),
            "review": (advice.review, "", "the moves that changed the game's value most"),
            "save": (
                lambda typed: self._ask_for(table.saving(typed)),
                "FILE",
                "keep the game in a file",
            ),
            "load": (
                lambda typed: self._ask_for(table.loading(typed)),
                "FILE",
                "go on with a game from a file",
            ),
            "new": (
                lambda _: self._ask_for(table.beginning()),
                "",
                "another game with the same seats",
            ),
            "exchange": (
                lambda _: self._ask_for(table.exchanging()),
                "",
                "another game with the seats exchanged",
            ),
            "resign": (lambda _: self._ask_for(table.resigning()), "", "give the game up"),
            "quit": (lambda _: self._ask_for(table.leaving(self._leave)), "", "leave the game"),
        }

    # ------------------------------------------------------------------ the course

    def run(self) -> None:
        """Play until the game is over, is left, or the input ends."""
        table = self._table
        write(introduction(table.position, ascii=self._ascii or wants_ascii()))
        write("Type a move such as those that `moves` lists, or `help`.")
        self._draw_board()
        self._shown = (*self._what_is_shown()[:2], None)
        table.begin()
        while not self._is_left:
            self._show()
            if table.failure is not None:
                raise table.failure
            player = table.player
            if player is not None:
                self._answer(player)
            elif not table.people and (table.over or table.is_endless):
                self._leave()
            elif table.audience.must_change:
                self._hand_over()
            else:
                self._ask()

    def _leave(self) -> None:
        self._is_left = True

    def _what_is_shown(self) -> tuple[object, ...]:
        session = self._table.session
        return session, self._table.audience.shown, session.outcome

    def _show(self) -> None:
        """Tell what is new: what is said, the board, how the game has ended."""
        table, shown = self._table, self._what_is_shown()
        for told in table.snapshot().said:
            write(told)
        table.say()
        if shown[:2] != self._shown[:2]:
            self._draw_board()
        if shown != self._shown and table.session.outcome is not None:
            write_turn(table.position, table.session.outcome)
        self._shown = shown

    def _hand_over(self) -> None:
        """Let the next person look, and nobody see what is not for them."""
        if self._prompt.is_terminal:
            now = self._table.snapshot()
            self._prompt.read(f"{now.mover}: press Enter, and the board is hidden.")
            clear()
            who = mover_text(self._table.position)
            self._prompt.read(f"{who}, press Enter to see the board.")
        self._table.hand_over()
        self._shown = ()

    def _answer(self, player: Player) -> None:
        """Make the move of a player."""
        session = self._table.session
        move = chosen(player, session.positions, session.moves)
        time.sleep(self._delay)
        self._table.make(move)

    # ------------------------------------------------------------------ what is typed

    def _ask(self) -> None:
        """Read one line, and do what it says."""
        table, is_over = self._table, self._table.over
        now = table.snapshot()
        line = self._prompt.read(question(now) if not is_over or self._prompt.is_terminal else "")
        if line is None or table.tick():
            self._is_left = line is None
            return
        typed = line.strip()
        if not typed:
            table.enter_again()
        elif not table.read(typed) and not self._is_command(typed):
            table.read_short(typed, self._commands)
            if is_over:
                table.add("`help` lists the rest.")

    def _is_command(self, text: str) -> bool:
        """Do what a text says if it is a command."""
        found = typed_command(text, self._commands)
        if found is None:
            return False
        name, argument = found
        self._table.say()
        self._commands[name][0](argument)
        return True

    def _ask_for(self, wish: Wish | None) -> None:
        """Do what a person wants, if that is meant."""
        if wish is None:
            return
        asks = wish.question and (wish.is_final or self._prompt.is_terminal)
        if not asks or self._agrees(wish.question):
            wish.do()
        else:
            self._table.say(wish.declined)

    def _agrees(self, question: str) -> bool:
        answer = self._prompt.read(f"{question} yes or no> ")
        return (answer or "").strip().lower() in ("y", "yes")

    def _completions(self, before: str) -> Iterable[str]:
        return may_follow(before, self._table.choosing, self._commands)

    # ------------------------------------------------------------------ commands

    def _help(self) -> None:
        write("Type a move: its words with blanks, `-` or commas between. A move of several")
        write("words can be typed word by word. An empty line makes the move that is typed so,")
        write("if it is one already, and else begins anew.")
        if self._table.position.numbering is not None:
            write(
                "Where the board shows numbers, `b3` is the second way to play at 3: see `moves`."
            )
        write("Or type:")
        for name, (_, argument_name, about) in self._commands.items():
            write(f"  {f'{name} {argument_name}':14}{about}")

    def _draw(self, scene: Scene) -> None:
        write_drawn(scene_text(scene, ascii=self._ascii, theme=self._theme))

    def _draw_board(self) -> None:
        shown = self._table.audience.shown
        write_drawn(board_text(shown, ascii=self._ascii, theme=self._theme))

    def _rules(self) -> None:
        write(portrait_text(portrait(self._table.position.rules.game)))


def question(now: Snapshot) -> str:
    """Return what stands before what a person types, with the time that is left."""
    if now.is_over:
        return _AFTERWARDS
    if now.choices is None or not now.choices.chosen:
        names = () if now.choices is None else now.choices.names
        named = f" ({', '.join(names)})" if 0 < len(names) <= _MOST_NAMED else ""
        return f"{now.prompt}{named}> "
    following = (*now.choices.sites, *now.choices.words)
    more = " …" if len(following) > _MOST_SHOWN else ""
    return f"{now.prompt}? {' '.join(following[:_MOST_SHOWN])}{more}> "


# -------------------------- lines that a person types, with completion where the terminal can do it

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
