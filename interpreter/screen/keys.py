"""The keys of the screen that a game is played on: what they do, and how that is told."""

from __future__ import annotations

from textual.binding import Binding

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
Arrows    from site to site
Enter     choose the site, or make the move that is typed or chosen
Space     make the only move, or the one that is chosen
Esc       take back what was typed or chosen last
letters   a move, as `moves` lists them, or a command; then Enter

F2 moves beside the board, or not   F5 a hint
F3 why the game is over             F6 what the engine thinks
F4 what is threatened: an x         F7 a review, when it is over
Ctrl+Z    take your last move back  Ctrl+Y    do it again
PageUp    a move before             PageDown  a move after
Home      the first position        End       the last one
F8        the next variation        go 12     after 12 moves
F9        the rules and the goal    Ctrl+N    a new game
Ctrl+R    resign                    Ctrl+E    exchange the seats
F10       who plays which side      Ctrl+L    a larger board, or all of it
Ctrl+Q    leave
"""
"""All keys, as a page tells them."""
