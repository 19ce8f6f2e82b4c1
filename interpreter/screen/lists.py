"""What is laid over a board to be read: keys, legal moves, rules, reasons, moments of a review.

In: the table that is played at, and what a person asks for. Out: pages on the screen; a position
that was chosen from a list is gone to. What then holds: moves are listed to whom they are for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from textual.binding import Binding
from textual.screen import Screen

from gdl.interpreter.render.scene import Scene
from gdl.interpreter.screen.pages import Page, Picker, page_columns
from gdl.interpreter.sessions.notation import all_spelled
from gdl.interpreter.sessions.table import Table
from gdl.visible import visible, visible_line


class Lists:
    """What can be read at a screen."""

    def __init__(
        self,
        screen: Screen[None],
        table: Table,
        show: Callable[[], None],
        draw: Callable[[], None],
        draw_scene: Callable[[Scene], None],
        type_on: Callable[[str], None],
    ) -> None:
        """Tell of the game that is played at a table then.

        `show` is called when another position is to be shown, `draw` when there is something new to
        say, `draw_scene` with a board on which a reason is marked, `type_on` with a character that
        is typed over a page.
        """
        self._screen = screen
        self._table = table
        self._show = show
        self._draw = draw
        self._draw_scene = draw_scene
        self._type_on = type_on

    def keys(self, commands: Iterable[str]) -> None:
        """Show the keys, and the commands that can be typed."""
        self._open("Keys", f"{KEYS_TEXT}\nCommands: {', '.join(commands)}.")

    def moves(self, beginning: str) -> None:
        """List the legal moves that begin with a text."""
        table = self._table
        if not table.may_list():
            return
        texts = [
            visible_line(text)
            for text in all_spelled(table.position)
            if text.lower().startswith(beginning.lower())
        ]
        if texts:
            self._open("Legal moves", shown_moves(texts, self._columns))
        else:
            table.say(f"No legal move begins with `{beginning}`.")

    def why(self, text: str) -> None:
        """Tell why a move is legal or not, what a site is, or how the game stands."""
        found = self._table.audience.reasons(text)
        scenes = [scene for _, scene in found if scene is not None]
        if scenes and not self._table.position.over:
            self._table.say("The board shows what the reason tells of. Enter shows the game again.")
            self._draw()
        self._open(f"Why {visible_line(text)}".strip(), "\n".join(told for told, _ in found))
        if scenes:
            self._draw_scene(scenes[-1])

    def rules(self) -> None:
        """Show the rules in words."""
        from gdl.interpreter.library.portrait import portrait, portrait_text

        game = self._table.position.rules.game
        text = visible(portrait_text(portrait(game), self._columns))
        self._open(visible_line(game.title), text)

    def said(self) -> None:
        """Show what was said before, the last first."""
        heard = self._table.audience.heard()
        self._open("What was said", "\n".join(heard) or "Nothing was said yet.")

    def review(self) -> None:
        """List the moments that mattered; the one that is chosen is shown."""
        review = self._table.review

        def chosen(number: int | None) -> None:
            if number is not None:
                self._table.go_to(review.moments[number].number)
                self._show()

        self._draw()
        if self._screen.app.screen is self._screen:
            page = Picker("Review", review.heading(), review.lines())
            self._screen.app.push_screen(page, chosen)

    @property
    def _columns(self) -> int:
        return page_columns(self._screen.size.width)

    def _open(self, title: str, text: str) -> None:
        self._screen.app.push_screen(Page(title, text, self._type_on))


def shown_moves(texts: Sequence[str], columns: int) -> str:
    """Return texts in as many columns as fit, read downwards.

    >>> print(shown_moves(["a1", "b1", "c1"], 8))
    a1  c1
    b1
    """
    width = max(map(len, texts), default=0) + 2
    across = max(1, columns // width)
    down = -(-len(texts) // across)
    rows = [texts[row::down] for row in range(down)]
    return "\n".join("".join(text.ljust(width) for text in row).rstrip() for row in rows)


# -------------------------------------------------- the keys of the screen that a game is played on

KEYS = [
    Binding("f1", "help", "Help"),
    Binding("f9", "rules", "Rules"),
    Binding("f2", "panel", "Panel", show=False),
    Binding("ctrl+l", "enlarge", "Larger", show=False),
    Binding("f3", "why", "Why"),
    Binding("f4", "threats", "Threats"),
    Binding("f5", "hint", "Hint"),
    Binding("f6", "analyse", "Analyse"),
    Binding("f7", "review", "Review", show=False),
    Binding("ctrl+z", "undo", "Undo"),
    Binding("ctrl+y", "redo", "Redo", show=False),
    Binding("f8", "vary", "Variation", show=False),
    Binding("ctrl+t", "said", "Said", show=False),
    Binding("ctrl+r", "resign", "Resign", show=False),
    Binding("ctrl+n", "new", "New", show=False),
    Binding("f10", "seats", "Seats", show=False),
    Binding("ctrl+e", "exchange", "Exchange", show=False),
    Binding("pageup", "step(-1)", "Before", show=False, priority=True),
    Binding("pagedown", "step(1)", "After", show=False, priority=True),
    Binding("home", "first", "First", show=False, priority=True),
    Binding("end", "last", "Last", show=False, priority=True),
]
"""The keys that do something by themselves, and the names of what they do."""

KEYS_TEXT = """\
Mouse     click a site, again to take it back, a move to go there
Arrows    from site to site; what stands there, and what it does, is told
Enter     choose the site, or make the move that is typed or chosen
Space     make the only move, or the one that is chosen; pause where you watch
Esc       take back what was typed or chosen last
letters   moves, as `moves` lists them, commas between, or a command; Enter
Ctrl+U    take away all that is typed (Ctrl+W: a word of it; Tab goes on)

F2 moves beside the board, or not   F5 a hint
F3 why it stands so, or has ended   F6 what the engine thinks
F4 what is threatened: an x         F7 a review, when it is over
Ctrl+Z    take your last move back  Ctrl+Y    do it again
PageUp    a move before             PageDown  a move after
Home      the first position        End       the last one
F8        the next variation        go 12     after 12 moves
F9        the rules and the goal    Ctrl+N    a new game
Ctrl+R    resign                    Ctrl+E    exchange the seats
F10       who plays which side      Ctrl+L    a larger board, or all of it
Ctrl+T    what was said before      Ctrl+Q    leave
"""
"""All keys, as a page tells them."""
