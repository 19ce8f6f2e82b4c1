"""What pieces never did, or did to those of their own side.

In: what was seen. Out: notes. What then holds: of a kind that is told to do nothing, others did so
many times, and it stood on the board.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from gdl.core.nodes import Assign, Choose
from gdl.core.walk import program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping
from gdl.model import Game
from interpreter.check.definitions import definitions_behind
from interpreter.check.places import key_or_file_span, note, turn_span, word_in
from interpreter.check.play.seen import Seen

_FEWEST = 20
_SEVERAL = 100
_MANY = 500
_MOST_DEFINITIONS = 4
_BEHIND = "That asks for this."
_CHANGED = "A piece becomes one of another kind here."
_EXPECTED = 12
"""How many pieces a kind would have taken, had it done so as often as the one that does least."""


def pieces_seen(all_seen: Sequence[Seen], is_here: Callable[[Span], bool]) -> Iterator[Diagnostic]:
    """Yield the kinds that never moved or took a piece, where others did; own pieces taken.

    What is told of a kind stands in the file that is checked, if that says anything of it.
    """
    game = all_seen[0].game
    if game.piles is None:
        yield from _own_taken(all_seen)
    moved, taking = Counter[int](), Counter[int]()
    for seen in all_seen:
        moved.update(seen.moved)
        taking.update(seen.taking)
    owned = {layer.kind for layer in game.layers if layer.side is not None}
    for kind in sorted(owned):
        others = [other for other in owned if other != kind]
        if not moved[kind] and _stood(all_seen, kind) and sum(moved[o] for o in others) >= _MANY:
            yield _never(game, kind, "moved", sum(moved[o] for o in others), is_here)
        elif not taking[kind]:
            rates = [taking[o] / moved[o] for o in others if moved[o] >= _SEVERAL]
            if len(rates) > 1 and moved[kind] * min(rates) >= _EXPECTED:
                yield _never(game, kind, "took another", moved[kind], is_here)


def _never(
    game: Game, kind: int, what: str, times: int, is_here: Callable[[Span], bool]
) -> Diagnostic:
    name = game.kinds[kind]
    said = sorted(_named(game, name), key=lambda span: not is_here(span))
    first, *more = said or [
        word_in(game, "pieces", name) or key_or_file_span(game, "pieces", "players")
    ]
    return note(
        "kind-never-acts",
        f"No {name} ever {what}, in {times:,} moves, and others did.",
        first,
        f"See what the rules say of {name}.",
        [
            *(("This is said of it, too.", span) for span in more),
            *((_BEHIND if said else _CHANGED, span) for span in _behind(game, said)),
        ],
    )


def _behind(game: Game, said: Sequence[Span]) -> list[Span]:
    """Return the definitions that those of a kind ask for; if none, what changes kinds."""
    behind = [found for span in said for found in definitions_behind(game, span)]
    if not said:
        statements = program_statements(game.program)
        spans = (one.span for one in statements if isinstance(one, Assign))
        behind = [span for span in spans if span is not None and span.text.startswith("change ")]
    return [span for span in dict.fromkeys(behind) if span not in said][:_MOST_DEFINITIONS]


def _named(game: Game, name: str) -> Iterator[Span]:
    """Yield the definitions of the game that are for a kind of piece."""
    for section in ("define", "relations", "regions"):
        node = game.document.get(section)
        for key, value in node.entries if isinstance(node, Mapping) else ():
            if name in key.text.partition("(")[2].rstrip(")").replace(",", " ").split():
                yield key.span.to(value.span)


def _stood(all_seen: Sequence[Seen], kind: int) -> bool:
    """Return whether a piece of a kind stood on the board where games begin."""
    seen = all_seen[0]
    at_start = dict(zip(seen.game.program.state, seen.game.program.initial, strict=True))
    return any(layer.kind == kind and at_start[layer.slot] for layer in seen.game.layers)


def _left_out_in_part(choice: str) -> str:
    """Return a hint where `- own & S` leaves out less than it seems to; nothing elsewhere.

    >>> _left_out_in_part("choose t in all - own & top")
    '`&` binds more closely than `-`: `own & top` is left out. All of `own`: `(… - own) & top`.'
    """
    found = re.search(r"(?<=- )own & (\w+(?:\([^()]*\))?)", choice)
    if found is None:
        return ""
    left_out = f"`&` binds more closely than `-`: `{found[0]}` is left out."
    return f"{left_out} All of `own`: `(… - own) & {found[1]}`."


def _own_taken(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    times = sum(seen.own_taken for seen in all_seen)
    if times >= _FEWEST:
        game = all_seen[0].game
        choices = [s.span for s in program_statements(game.program) if isinstance(s, Choose)]
        places = dict.fromkeys(span for span in choices if span is not None)
        place = list(places)[-1] if places else turn_span(game)
        behind = islice(definitions_behind(game, place), _MOST_DEFINITIONS)
        yield note(
            "own-taken",
            f"A move onto a piece of one's own made that one vanish, {times:,} times.",
            place,
            _left_out_in_part(place.text)
            or "Leave `own` out of where a piece may go, or see whether that is meant.",
            [("It asks for this.", definition) for definition in behind],
        )
