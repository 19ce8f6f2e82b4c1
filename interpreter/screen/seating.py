"""Who may sit where: what a person at the screen is offered, people and engines of some levels.

In: the names of sides. Out: a line of text for each seating, with the kinds of players by seat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gdl.visible import visible_line
from interpreter.sessions.seats import ENGINE

_LEVELS = (1, 3, 6, 10)


def seatings(sides: Sequence[str]) -> Iterator[tuple[str, Mapping[int, str]]]:
    """Yield what can be chosen: people alone, or one person against the engine, from each seat.

    >>> found = list(seatings(["White", "Black"]))
    >>> found[2], len(found)
    (('You play White, engine level 3 plays Black', {2: 'engine:3'}), 9)
    """
    names = [visible_line(side) for side in sides]
    yield "People play all sides", {}
    for own in range(len(names)):
        others = [seat for seat in range(len(names)) if seat != own]
        for level in _LEVELS if others else ():
            text = f"engine level {level} plays {', '.join(names[seat] for seat in others)}"
            kinds = {seat + 1: f"{ENGINE}:{level}" for seat in others}
            yield f"You play {names[own]}, {text}", kinds
