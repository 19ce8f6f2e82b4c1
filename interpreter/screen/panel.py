"""What stands beside the board: whose turn it is, state, what the engine says, and the moves.

In: a table, and perhaps an analysis. Out: texts in their places. What then holds: clicking a move
goes to the position after it, and into its variation if it is not of the line.
"""

from __future__ import annotations

from textwrap import wrap

from rich.style import Style
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import OptionList, Static

from gdl.core.memo import Memo
from gdl.visible import visible_line
from interpreter.evaluation.moves import Move
from interpreter.positions.position import Position
from interpreter.positions.position_text import side_characters
from interpreter.render.theme import LIGHT, Theme
from interpreter.search.analysis import Analysis
from interpreter.search.analysis_text import line_text, values_text, worth
from interpreter.sessions.clock import clock_text
from interpreter.sessions.table import Table

_BAR = 24  # columns
_MOST_ANALYSED = 5
_LINES_OF_MOVES, _LINES_WHEN_NEW = 6, 4
"""So many lines are left to the list of moves; fewer where there are none yet."""
_NARROWEST = 20  # columns


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
        self._table: Table | None = None
        self._goals: list[tuple[int, Move | None]] = []

    def compose(self) -> ComposeResult:
        """Give the parts from top to bottom."""
        yield self._state
        yield self._value
        yield self._moves

    def show(self, table: Table, analysis: Analysis | None) -> None:
        """Show what there is to say of a table."""
        self._table = table
        self.tick(table)
        self._value.update(Text() if analysis is None else _value(analysis, self._theme))
        self._value.display = analysis is not None
        self._list(table)

    def on_resize(self) -> None:
        """Show as much of the rules as there is room for now."""
        if self._table is not None:
            self.tick(self._table)

    def tick(self, table: Table) -> None:
        """Show the clocks as they are now."""
        state = _state(table, self._theme, ascii=self._ascii)
        width = max(_NARROWEST, self._state.size.width)
        lines = sum(len(wrap(line, width)) or 1 for line in state.plain.splitlines())
        about = wrap(table.about(), width)
        room = self.size.height - lines - (_LINES_WHEN_NEW if table.is_new else _LINES_OF_MOVES)
        if len(about) > room:
            about = [*about[: room - 1], "… F9 tells more."] if table.is_new and room > 1 else []
        if about:
            state.append("\n{}\n".format("\n".join(about)))
        self._state.update(state)

    def _list(self, table: Table) -> None:
        """Show the moves of the line, with the last one made marked, and chance in brackets."""
        session = table.session
        signs = Memo[Position, str]()
        for judged in table.review.judgements:
            signs.keep(judged.after, judged.sign)
        others: dict[int, list[Move]] = {}
        for number, move in session.branches:
            others.setdefault(number, []).append(move)
        texts: list[str] = []
        self._goals = []
        after = session.line_positions[1:]
        moves = table.audience.move_texts()
        before = session.line_positions
        lines = zip(session.line, moves, after, strict=True)
        for number, ((mover, _), text, position) in enumerate(lines):
            if before[number].seat is None:
                texts.append(f"    ({visible_line(text)})")
            else:
                made = f"{visible_line(mover)} {visible_line(text)}"
                texts.append(f"{number + 1:>3} {made}{signs.get(position) or ''}")
            self._goals.append((number + 1, None))
            for other in others.get(number, ()):
                texts.append(f"    or {visible_line(other.text)}")
                self._goals.append((number, other))
        for other in others.get(len(session.line), ()):
            texts.append(f"    then {visible_line(other.text)}")
            self._goals.append((len(session.line), other))
        self._update(texts)
        made_here = (len(session.moves), None)
        self._moves.highlighted = self._goals.index(made_here) if made_here in self._goals else None

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


def _state(table: Table, theme: Theme, *, ascii: bool) -> Text:
    """Return whose turn it is, the scores, and the state that is not drawn on the board."""
    position = table.position
    names = position.rules.sides
    scores = table.audience.scores()
    signs = side_characters(position, ascii=ascii)
    text = Text()
    for name, colour in zip(names, theme.in_terminal(names), strict=True):
        is_on_turn = name == position.mover and table.session.outcome is None
        seat = table.seat_at(name)
        kind = "" if seat is None else table.session.seats.get(seat, "")
        text.append("▶ " if is_on_turn else "  ", Style(bold=True))
        sign = signs.get(name, "@" if ascii else "●")
        text.append(f"{sign} ", Style(color=colour.hex, bgcolor=theme.wood.hex))
        text.append(f" {visible_line(name)}", Style(bold=is_on_turn))
        score = scores.get(name)
        text.append(f" score {score}" if score is not None else "")
        text.append(f" {visible_line(kind)}" if kind else "", Style(dim=True))
        clock = table.session.clock
        if clock is not None and seat is not None:
            text.append(f"  {clock_text(clock.left(seat))}")
        text.append("\n")
    phase = position.rules.game.looks.phases.get(position.phase, "")
    told_phase = (phase,) if phase and table.session.outcome is None else ()
    for told in (*told_phase, *table.audience.state_lines()):
        text.append(f"{visible_line(told[:1].upper() + told[1:])}\n")
    if table.looks_back:
        later = len(table.session.later)
        told = "1 more move was" if later == 1 else f"{later} more moves were"
        text.append(f"{told} played from here\n")
    return text


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
