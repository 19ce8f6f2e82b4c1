"""Variables that turns write and nothing reads, or that are read and never change.

In: the programs of a game and its variants. Out: warnings. What then holds: each is proved.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from gdl.core.nodes import Assign, AssignAt, Choose, Slot
from gdl.core.walk import (
    assigned_slots,
    expressions_of,
    program_statements,
    slots_read_outside_turns,
)
from gdl.diagnostic import Diagnostic, Span
from gdl.elaborate.hand_words import HAND, OUT_OF_HAND
from gdl.model import Game
from interpreter.check.places import warning, without_comments

_TEXTS = ("turn", "phases", "actions", "define", "end", "stuck", "display", "sees", "variants")
_LET = re.compile(r"\blet (\w+) =")
_NAME = re.compile(r"[A-Za-z_]\w*")


def never_read(game: Game) -> Iterator[Diagnostic]:
    """Yield the variables that turns write and nothing reads."""
    state = game.program.state
    shown = {layer.slot for layer in game.layers} | set(game.marks)
    variables = {s: s.span for s in state if s.span is not None and s not in shown}
    shown_values = (*game.scores, *game.sights)
    read: set[Slot] = set().union(*(value.free for value in shown_values))
    for statement in program_statements(game.program):
        own = {statement.slot} if isinstance(statement, Assign | AssignAt) else set()
        for expression in expressions_of(statement):
            read |= expression.free - own
    read |= slots_read_outside_turns(game.program)
    examples = game.document.get("examples")
    mentioned = set(re.findall(r"\w+", "" if examples is None else examples.span.text))
    by_span: dict[Span, list[Slot]] = {}
    for slot, span in variables.items():
        by_span.setdefault(span, []).append(slot)
    for span, slots in by_span.items():
        name = slots[0].name.partition("(")[0]
        if any(slot in read for slot in slots) or name in mentioned:
            continue
        yield warning(
            "never-read",
            f"`{name}` is kept, but no rule depends on it.",
            span,
            "Remove it, or ask for it in a turn or an end. To show it with the position, name it in"
            " `scores` under `display`.",
        )


def unread_choices(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the choices of which in none of the games anything depends on what is chosen."""
    never_read: dict[Span, str] = {}
    read: set[Span] = set()
    for game in games:
        statements = list(program_statements(game.program))
        used = frozenset[Slot]().union(*(e.free for s in statements for e in expressions_of(s)))
        for choice in statements:
            if isinstance(choice, Choose) and choice.span is not None:
                if choice.slot in used or choice.unordered_with is not None:
                    read.add(choice.span)
                else:
                    never_read[choice.span] = choice.slot.name
    for span, name in never_read.items():
        if span not in read:
            yield warning(
                "unread-choice",
                f"Nothing depends on which `{name}` is chosen.",
                span,
                "Use it in what follows: place, move or remove something there.",
            )


def unread_words(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the words that turns `let` be something, and that stand nowhere else."""
    found: dict[str, Span] = {}
    used: Counter[str] = Counter()
    for game in games:
        for key in _TEXTS:
            node = game.document.get(key)
            if node is None:
                continue
            code = without_comments(node.span.text)
            used.update(set(_NAME.findall(_LET.sub("", code))))
            for let in _LET.finditer(code):
                start = node.span.start + let.start(1)
                found.setdefault(let[1], Span(node.span.source, start, start + len(let[1])))
    for name, span in found.items():
        if not used[name]:
            yield warning(
                "unused",
                f"`{name}` is given a value here, but nothing uses it.",
                span,
                "Remove it, or use it.",
            )


def never_written(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the variables that rules read, and that no turn changes in any of the games."""
    read: dict[Span, str] = {}
    written: set[Span] = set()
    for game in games:
        marks = set(game.marks)
        for slot in game.program.state:
            if slot.span is not None and slot in game.state_slots.values() and slot not in marks:
                read[slot.span] = slot.name.partition("(")[0]
        for turn in game.program.turns:
            written |= {s.span for s in assigned_slots(turn.program) if s.span is not None}
    for span, name in read.items():
        if span not in written:
            yield warning(
                "never-written",
                f"`{name}` is asked for, but no turn ever changes it.",
                span,
                OUT_OF_HAND
                if name == HAND
                else "Let a turn set it or add to it; a value that stays the same may be an option"
                " or a definition.",
            )
