"""The game that an author starts from.

In: a name. Out: the text of a small game that is complete, with comments. What then holds: it
loads without a finding, and its examples hold.
"""

from __future__ import annotations

_TEXT = """\
# A game of your own. Lines after `#` are remarks; change anything, and look at it with
#   gdl play FILE      play it            gdl check FILE    what can't be understood
#   gdl show FILE      draw the board     gdl test FILE     do the examples below hold?
game: NAME
about: First to have a row of their own stones, straight or diagonal, wins.

players: Black, White                  # in the order in which they move

options:                               # what may be set by `--option size=7`
  size: 5 in 3..15                     # 5, unless told otherwise
  row_of: 3 in 2..5

board: square(size, size)              # also: hex rhombus(11, 11), square(8, 8) ...

pieces: Stone

turn: |                                # what a side does in its turn: decisions and effects
  choose s in empty                    # `where ...` would rule out some of the sites
  place Stone at s                     # of the side whose turn it is

end:                                   # tried in this order after each move
  - mover wins when in_a_row(own, row_of)
  - draw when full                     # no site is empty

variants:                              # changes that have a name: `--variant misere`
  misere:
    about: Who makes a row loses.
    end:
      - mover loses when in_a_row(own, row_of)
      - draw when full

examples:                              # what must hold; `gdl test` checks it
  - name: a stone may go to any empty site
    rows: |
      . . . . .
      . . . . .
      . . X . .
      . . . . .
      . . . . .
    mover: White
    legal: a1, e5
    illegal: c3
    count: 24
  - name: three in a row win
    rows: |
      . . . . .
      . O . O .
      . . X X .
      . . . . .
      . . . . .
    mover: Black
    play: e3
    winner: Black
"""


def new_game_text(name: str) -> str:
    """Return the text of a game to start from; `name` may be a file's name without its ending."""
    words = "".join(char if char.isalnum() else " " for char in name).split()
    return _TEXT.replace("NAME", " ".join(words).capitalize() or "My game", 1)
