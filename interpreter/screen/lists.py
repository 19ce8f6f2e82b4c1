"""Pages that list what there is to know at a table: the legal moves, the rules.

In: a table. Out: pages.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.visible import visible, visible_line
from interpreter.screen.pages import Page
from interpreter.screen.table import Table
from interpreter.sessions.spelling import all_spelled


def moves_page(table: Table, beginning: str, columns: int) -> Page | None:
    """Return the legal moves that begin with a text; None if there are none."""
    texts = [
        visible_line(text)
        for text in all_spelled(table.position)
        if text.lower().startswith(beginning.lower())
    ]
    return Page("Legal moves", shown_moves(texts, columns)) if texts else None


def rules_page(table: Table, columns: int) -> Page:
    """Return the rules in words, in so many columns."""
    from interpreter.library.portrait import portrait, portrait_text

    game = table.position.rules.game
    return Page(visible_line(game.title), visible(portrait_text(portrait(game), columns)))


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
