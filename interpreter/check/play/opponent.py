"""Whether the engine will be a weak opponent: how much work each of its tries is.

In: what games of the engine were made for. Out: a finding, or none. What then holds: it is told by
units of work, and by no clock.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.codes import Code
from gdl.interpreter.check.finding import Finding
from gdl.interpreter.check.places import note, turn_span
from gdl.interpreter.check.play.seen import Seen
from gdl.interpreter.check.play.strong import Strong

MOST_UNITS = 10_000
"""What a try of the engine may be: of more, there are less than some hundred a second.

Moves that are searched for are taken to be tried one by one, though some are counted at once: so a
third of it may be much faster than it seems.
"""


def weak_opponent(seen: Seen, strong: Strong | None) -> Iterator[Finding]:
    """Yield that the engine makes few tries, if each of them is much work."""
    if strong is None or strong.units <= MOST_UNITS:
        return
    found = note(
        Code.WEAK_OPPONENT,
        f"The engine will be a weak opponent: each of its tries, of about {strong.plies:.0f} random"
        f" moves, is {strong.units:,.0f} units of work, and {MOST_UNITS:,} are much already.",
        turn_span(seen.game),
        "It helps if what rules a move out stands right behind the choice that it is about, if"
        " fewer choices are left to be ruled out, or if games are shorter.",
    )
    yield Finding(found, None, "witnessed")
