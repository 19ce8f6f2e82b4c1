"""What stands beside the board: whose turn it is, state, what the engine says, and the moves.

In: a table, and perhaps an analysis. Out: texts in their places. What then holds: clicking a move
goes to the position after it, and into its variation if it is not of the line.
"""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import OptionList, Static

from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.render.theme import LIGHT, Theme
from gdl.interpreter.search.analysis import Analysis
from gdl.interpreter.search.analysis_text import line_text, values_text, worth
from gdl.interpreter.sessions.snapshot import Listed, SideStanding, Snapshot, Standing
from gdl.visible import visible_line

_BAR = 24  # columns
_MOST_ANALYSED = 5
_LINES_OF_MOVES, _LINES_WHEN_NEW, _FEWEST_LINES_OF_MOVES = 6, 4, 2
"""So many lines are left to the list of moves; fewer where there are none yet, or many pieces."""
NARROWEST = 20
"""So many columns are what stands beside the board at least."""
_COUNTED = 3  # columns for the number of pieces of a kind, at least


class _Moves(OptionList):
    """The list of moves; the one that was made last stays in sight where there is less room."""

    def on_resize(self) -> None:
        """Bring it in sight."""
        self.scroll_to_highlight()


class Panel(Vertical):
    """The column beside the board."""

    class Wanted(Message):
        """A position of the game was asked for."""

        def __init__(self, number: int, move: Move | None = None) -> None:
            """Take the number of moves that lead to it, and one more that begins a variation."""
            super().__init__()
            self.number = number
            self.move = move

    def __init__(self, theme: Theme = LIGHT, *, ascii: bool = False) -> None:
        """Begin empty."""
        super().__init__()
        self._theme = theme
        self._ascii = ascii
        self._state = Static(id="state")
        self._value = Static(id="value")
        self._moves = _Moves(id="moves")
        self._moves.can_focus = False
        self._shown: list[str] = []
        self._now: Snapshot | None = None
        self._goals: list[tuple[int, Move | None]] = []

    def compose(self) -> ComposeResult:
        """Give the parts from top to bottom."""
        yield self._state
        yield self._value
        yield self._moves

    def show(self, now: Snapshot, analysis: Analysis | None) -> None:
        """Show what there is to say beside the board."""
        self.tick(now)
        self._value.update(Text() if analysis is None else _value(analysis, self._theme))
        self._value.display = analysis is not None
        self._list(now.standing)

    def on_resize(self) -> None:
        """Show as much of the rules as there is room for now."""
        if self._now is not None:
            self.tick(self._now)

    def tick(self, now: Snapshot) -> None:
        """Show the clocks as they are now."""
        self._now, standing = now, now.standing
        state = _state(now, self._theme, ascii=self._ascii)
        width = max(NARROWEST, self._state.size.width)
        lines = sum(len(wrap(line, width)) or 1 for line in state.plain.splitlines())
        least = _LINES_WHEN_NEW if standing.is_new else _LINES_OF_MOVES
        rooms = [self.size.height - lines - left for left in (least, _FEWEST_LINES_OF_MOVES)]
        cells, short = (_cells(now, self._theme, self._ascii, is_short=n) for n in (False, True))
        rows = next(filter(None, (_in_columns(cells, width, room - 1) for room in rooms)), [])
        rows = rows or _in_a_row(cells, width, rooms[-1]) or _in_a_row(short, width, rooms[-1])
        if rows:
            state.append("\n").append_text(Text("\n").join(rows)).append("\n")
            lines += len(rows) + 1
        about = wrap(standing.about, width)
        room = self.size.height - lines - least
        if len(about) > room or (cells and not rows):
            is_cut = standing.is_new and room > 1 and (rows or not cells)
            about = [*about[: room - 1], "… F9 tells more."] if is_cut else []
        if about:
            state.append("\n{}\n".format("\n".join(about)))
        self._state.update(state)

    def _list(self, standing: Standing) -> None:
        """Show the moves of the line, with the last one made marked, and chance in brackets."""
        self._goals = [(move.number, move.other) for move in standing.moves]
        self._update([_listed(move, standing.sides) for move in standing.moves])
        made = standing.made
        here = (
            place
            for place, move in enumerate(standing.moves)
            if move.other is None and move.begun < made <= move.number
        )
        self._moves.highlighted = next(here, None)
        if not made:
            self._moves.scroll_home(animate=False)

    def _update(self, texts: list[str]) -> None:
        """List these texts; where they only become more, the rest stays as it is."""
        if texts[: len(self._shown)] == self._shown:
            self._moves.add_options([Text(text) for text in texts[len(self._shown) :]])
        else:
            self._moves.clear_options()
            self._moves.add_options([Text(text) for text in texts])
        self._shown = texts

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Ask for the position after the move that was clicked."""
        event.stop()
        self.post_message(self.Wanted(*self._goals[event.option_index]))


def _listed(move: Listed, sides: Sequence[SideStanding]) -> str:
    """Return a move as it is listed; a colon stands before one that begins with a side's name."""
    if move.other is not None:
        return f"    {'then' if move.is_last else 'or'} {move.text}"
    if move.side is None:
        return f"    ({move.text})"
    names = {side.name for side in sides}
    colon = ":" if names.intersection(move.text.split()[:1]) else ""
    return f"{move.ply:>3} {move.side}{colon} {move.text}{move.sign}"


def _state(now: Snapshot, theme: Theme, *, ascii: bool) -> Text:
    """Return whose turn it is, the scores, and the state that is not drawn on the board."""
    standing, text = now.standing, Text()
    colours = theme.in_terminal(now.scene.sides)
    for side, colour in zip(standing.sides, colours, strict=True):
        text.append("▶ " if side.is_on_turn else "  ", Style(bold=True))
        sign = side.letter_in_ascii if ascii else side.letter
        text.append(f"{sign} ", Style(color=colour.hex, bgcolor=theme.wood.hex))
        text.append(f" {side.name}", Style(bold=side.is_on_turn))
        text.append(f" score {side.score}" if side.score is not None else "")
        text.append(f" {side.player}" if side.player else "", Style(dim=True))
        text.append(f"  {side.left}" if side.left else "")
        text.append("\n")
    # What is told of each side, such as what is in its hand, is on a line of its own.
    text.append("".join(f"{told}\n".replace("; ", "\n  ") for told in standing.state))
    return text


def _cells(now: Snapshot, theme: Theme, ascii: bool, *, is_short: bool) -> list[Text]:
    """Return the legend: the pieces by kind, each with its letter, and its number unless short."""
    pieces, colours = now.standing.pieces, theme.in_terminal(now.scene.sides)
    counted = max((len(piece.count) for piece in pieces), default=0) + 1
    cells: dict[str, Text] = {}
    for piece in pieces:
        cell = cells.setdefault(piece.kind, Text())
        colour = None if piece.side is None else colours[piece.side].hex
        letter = piece.letter_in_ascii if ascii else piece.letter
        cell.append(letter, Style(color=colour, bgcolor=theme.wood.hex))
        cell.append("" if is_short else piece.count.ljust(max(_COUNTED, counted)))
    return [cell.append(f"{' ' * is_short}{kind}") for kind, cell in cells.items()]


def _in_columns(cells: Sequence[Text], width: int, most: int) -> list[Text]:
    """Return the legend, a line for each kind, or several in each; none if `most` aren't enough."""
    widest = max((cell.cell_len for cell in cells), default=0) + 2
    across = max(1, width // widest) if len(cells) > most else 1
    down = -(-len(cells) // across)
    padded = [cell.copy() for cell in cells]
    for cell in padded:
        cell.pad_right(widest - cell.cell_len)
    return [Text().join(padded[row::down]) for row in range(down)] if down <= most else []


def _in_a_row(cells: Sequence[Text], width: int, most: int) -> list[Text]:
    """Return the legend as a text that goes on from line to line, as many as there is room for."""
    rows: list[Text] = []
    for cell in cells:
        if rows and rows[-1].cell_len + 2 + cell.cell_len <= width:
            rows[-1].append("  ").append_text(cell)
        else:
            rows.append(cell.copy())
    return rows if len(rows) <= most else []


def _value(analysis: Analysis, theme: Theme) -> Text:
    """Return a bar with each side's share of the value, and the best moves."""
    sides = list(analysis.value)
    total = sum(analysis.value.values()) or 1.0
    text = Text()
    left = _BAR
    for number, (side, colour) in enumerate(zip(sides, theme.in_terminal(sides), strict=True)):
        share = round(_BAR * analysis.value[side] / total)
        width = left if number == len(sides) - 1 else min(left, share)
        left -= width
        text.append(" " * width, Style(bgcolor=colour.hex))
    text.append(f"\n{visible_line(values_text(analysis))}\n")
    for move in analysis.moves[:_MOST_ANALYSED]:
        text.append(f"{visible_line(move.move.text)} ", Style(bold=True))
        text.append(f"{worth(move, bool(analysis.payoffs))} ")
        text.append(f"{visible_line(line_text(move.line[1:4]))}\n", Style(dim=True))
    return text
