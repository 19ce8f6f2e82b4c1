"""Hands that stay empty, that differ by little, or that are asked for where one's own is meant.

In: the programs of a game and its variants. Out: notes and warnings. What then holds: of a hand
that is told to be empty, no rule ever puts a piece into it; a turn that is told to ask for the hand
of the enemy asks not for the same of its own, and takes pieces out of a hand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gdl.core.nodes import Assign, Get, Op, Slot
from gdl.core.walk import program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.definitions import definitions_behind
from interpreter.check.places import key_or_file_span, note, warning, without_comments
from interpreter.words.english import does

_NEARLY = 0.34
_TURNS = ("turn", "phases", "actions")
_LINE = re.compile(r"[^\n]+")
_OF_ENEMY = re.compile(r"(?<!to )\bhand\(enemy((?:,[^()]*)?)\)")
_OTHERWISE_MEANT = re.compile(r"\b(?:wins|loses|draw|go to)\b|^\s*(?:add|set|move)\b", re.MULTILINE)


def never_filled(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield that pieces are taken out of hands, and none ever is in any."""
    taken = False
    for game in games:
        hands = {slot for of_kinds in game.hands.values() for slot in of_kinds.values()}
        at_start = dict(zip(game.program.state, game.program.initial, strict=True))
        if any(at_start.get(slot) for slot in hands):
            return
        for statement in program_statements(game.program):
            if isinstance(statement, Assign) and statement.slot in hands:
                if not _is_taking(statement, statement.slot):
                    return
                taken = True
    if taken:
        yield warning(
            "never-written",
            "Pieces are to come out of hands, and no hand ever has one.",
            key_or_file_span(games[0], "hands"),
            "Say how many there are at the start, as in `hands: {Stone: 9}`, or let a turn"
            " `move s to hand(mover)`.",
        )


def _is_taking(statement: Assign, hand: Slot) -> bool:
    match statement.value:
        case Op("subtract", (Get(slot), _)):
            return slot is hand
    return False


def uneven_hands(game: Game) -> Iterator[Diagnostic]:
    """Yield that two sides begin with hands that are nearly alike, but not quite."""
    if len(game.sides) != 2:
        return
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    first, second = (
        {kind: _number(at_start.get(slot)) for kind, slot in game.hands.get(side, {}).items()}
        for side in game.sides
    )
    numbers = sum(first.values()), sum(second.values())
    missing = sum(abs(number - second.get(kind, 0)) for kind, number in first.items())
    if first.keys() == second.keys() and 0 < missing <= _NEARLY * max(numbers):
        yield note(
            "uneven-setup",
            f"{does(game.sides[:1], 'begins')} with {numbers[0]} pieces in its hand,"
            f" {game.sides[1]} with {numbers[1]}.",
            key_or_file_span(game, "hands", "setup"),
            "See whether both should have as many.",
        )


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def hands_of_enemy(game: Game) -> Iterator[Diagnostic]:
    """Yield where turns that take pieces out of a hand ask what the enemy has in its hand alone.

    Who goes on to another phase, or ends the game, when a hand is empty may well ask for it.
    """
    turns = [node.span for key in _TURNS if (node := game.document.get(key)) is not None]
    if not any("from hand" in span.text for span in turns):
        return
    rules = dict.fromkeys(rule for span in turns for rule in definitions_behind(game, span))
    for place in dict.fromkeys((*_lines(turns), *rules)):
        code = without_comments(place.text)
        for asked in _OF_ENEMY.finditer(code):
            of_own = re.compile(rf"\bhand\((?:mover|own){re.escape(asked[1])}\)")
            if of_own.search(code) or _OTHERWISE_MEANT.search(code):
                continue
            start = place.start + asked.start()
            yield note(
                "enemy-hand",
                "A turn asks for the enemy's hand here, and takes pieces out of that of the mover.",
                Span(place.source, start, start + len(asked[0])),
                "See whether `hand(mover)` is meant.",
            )


def _lines(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the lines of some texts, but those before a `go to`."""
    for span in spans:
        lines = list(_LINE.finditer(span.text))
        for line, after in zip(lines, [*lines[1:], None], strict=True):
            if after is None or "go to" not in after[0]:
                yield Span(span.source, span.start + line.start(), span.start + line.end())
