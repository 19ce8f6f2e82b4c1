"""What a file says in words, held against what was played.

In: what was seen of the game. Out: notes, with a game that shows it, but for what was not seen.
What then holds: the text says so in plain English, and the game that is told does otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.codes import Code
from gdl.core.nodes import Choose, Slot
from gdl.core.types import NUMBER
from gdl.core.walk import program_statements
from gdl.document.nodes import Mapping, Scalar
from gdl.interpreter.check.finding import Finding
from gdl.interpreter.check.places import note, turn_span
from gdl.interpreter.check.play.seen import Seen
from gdl.interpreter.check.rules.texts import SIZE, size_of
from gdl.model import Game

_MUST_TAKE = re.compile(
    r"\b(?:can (?:take|capture|jump),? must\b|must (?:take|capture|jump)\b"
    r"|(?:taking|capturing|captures?|jumps?|jumping) (?:is|are) (?:compulsory|mandatory|forced))",
    re.IGNORECASE,
)
_QUIET = re.compile(
    r"\b(?:without(?: a| any)? (?:capture|capturing|taking)|since the last capture)(?! or\b)",
    re.IGNORECASE,
)
_HIGH = re.compile(
    rf"\b(?:no \w+ may|never|not?|can't|cannot)\b[^,]*\bmore than {SIZE} (?:pieces|men|stones)\b"
    rf"|\bat most {SIZE} (?:high|pieces high)\b",
    re.IGNORECASE,
)
_PILE = re.compile(r"\b(?:towers?|stacks?|piles?|columns?)\b", re.IGNORECASE)
_FEWEST, _MANY_PILES = 5, 60


def text_on_taking(game: Game) -> Scalar | None:
    """Return the text of a game that says of a side that it must take, if one does.

    In piles, what is taken may lie upon another piece of its side: nothing is told of them.
    """
    if game.piles is None:
        for key in ("about", "rules"):
            text = game.document.get(key)
            if isinstance(text, Scalar) and _MUST_TAKE.search(" ".join(text.text.split())):
                return text
    return None


def counter_of_quiet(game: Game) -> tuple[Slot, Scalar] | None:
    """Return the number that counts since when nothing was taken, as its caption says; and that."""
    display = game.document.get("display")
    captions = display.get("captions") if isinstance(display, Mapping) else None
    for key, text in captions.entries if isinstance(captions, Mapping) else ():
        slot = game.state_slots.get(key.text)
        if slot is None or slot.type != NUMBER or not isinstance(text, Scalar):
            continue
        if _QUIET.search(" ".join(text.text.split())):
            return slot, text
    return None


def said_otherwise(seen: Seen) -> Iterator[Finding]:
    """Yield what is otherwise in play than the text says."""
    yield from _need_not_take(seen)
    yield from _counts_on(seen)
    yield from _too_high(seen)


def _counts_on(seen: Seen) -> Iterator[Finding]:
    """Yield that a counter of moves without a capture goes on where something is taken."""
    counter, (times, places, witness) = counter_of_quiet(seen.game), seen.counted_on
    if counter is not None and times >= _FEWEST:
        slot, text = counter
        told = note(
            Code.TEXT_DIFFERS,
            f"`{slot.name}` went on counting where a move took a piece of the other side,"
            f" {times:,} times.",
            next(iter(places), turn_span(seen.game)),
            f"Set `{slot.name}` back there, or mend the text.",
            (
                ("The text says since when it counts.", text.span),
                *(("This took a piece, too.", span) for span in places[1:]),
            ),
        )
        yield Finding(told, None, "witnessed", witness)


def _too_high(seen: Seen) -> Iterator[Finding]:
    """Yield that piles were higher than the text says, or none as high."""
    game = seen.game
    said = height_said(game)
    if said is None:
        return
    number, text = said
    highest, witness = seen.highest
    is_less = highest == number - 1 and seen.heights[highest] >= _MANY_PILES
    if not (highest > number or is_less):
        return
    told = note(
        Code.TEXT_DIFFERS,
        f"The text lets {number} pieces stand upon each other at most, and"
        + (f" {highest} did." if highest > number else f" no more than {highest} ever did."),
        turn_span(game),
        "See where pieces come upon others, and what is done with those that are too many.",
        (("The text says so here.", text.span),),
    )
    shown = witness if highest > number else None
    yield Finding(told, None, "witnessed" if shown else "not seen", shown)


def height_said(game: Game) -> tuple[int, Scalar] | None:
    """Return how many pieces may stand upon each other as a text says, if one does; and that."""
    for key in ("about", "rules") if game.piles is not None else ():
        text = game.document.get(key)
        if isinstance(text, Scalar):
            for sentence in re.split(r"[.;:]", " ".join(text.text.split())):
                found = _HIGH.search(sentence)
                if found is not None and _PILE.search(sentence):
                    return size_of(found[1] or found[2]), text
    return None


def _need_not_take(seen: Seen) -> Iterator[Finding]:
    """Yield that a side need not take, though the text says that it must."""
    times, witness = seen.spared
    text = text_on_taking(seen.game)
    if text is not None and times >= _FEWEST:
        choices = (s.span for s in program_statements(seen.game.program) if isinstance(s, Choose))
        told = note(
            Code.TEXT_DIFFERS,
            "The text says that who can take must; a move that takes nothing was legal where"
            f" others took, in {times:,} positions.",
            next((span for span in choices if span is not None), turn_span(seen.game)),
            "Mend the rule, or the text.",
            (("The text says so here.", text.span),),
        )
        yield Finding(told, None, "witnessed", witness)
