"""Checking game files, in layers: the text, the rules as they are written, the first moves,
examples, play.

In: a game's name or path. Out: findings. To add a layer, write its module and add it to `LAYERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from gdl.diagnostic import Span
from gdl.resources.scoped_cache import work_shared
from interpreter.check.examples import check_examples
from interpreter.check.finding import Finding
from interpreter.check.first_moves import check_first_moves
from interpreter.check.native import check_native
from interpreter.check.rules import check_rules
from interpreter.check.subject import Subject
from interpreter.check.text import check_text

__all__ = ["Finding", "check_game", "findings_of"]

LAYERS: Sequence[Callable[[Subject], Iterator[Finding]]] = (
    check_text,
    check_rules,
    check_native,
    check_first_moves,
)


def check_game(name: str, play_seconds: float = 0) -> tuple[Finding, ...]:
    """Return what is found; a layer is looked at only if those before it leave something to see.

    With `play_seconds`, examples are run and the game is played for so long, after a look at what
    moves give away.
    """
    return tuple(finding for layer in findings_of(name, play_seconds) for finding in layer)


def findings_of(name: str, play_seconds: float = 0) -> Iterator[tuple[Finding, ...]]:
    """Yield what each layer finds, as soon as it is known, without what the file accepts."""
    subject = Subject(name, is_played=bool(play_seconds))
    layers = [*LAYERS]
    layers.append(partial(check_examples, seconds=play_seconds))
    if play_seconds:
        from interpreter.check.leaks import check_leaks
        from interpreter.check.play import check_play

        layers += check_leaks, partial(check_play, seconds=play_seconds)
    told = set[tuple[str, Span | None]]()
    with work_shared():
        for layer in layers:
            found = tuple(one for one in layer(subject) if _key(one) not in told)
            told.update(map(_key, found))
            yield tuple(one for one in found if not subject.accepts(one.diagnostic))
            if any(_is_last(one) for one in found):
                break


def _key(found: Finding) -> tuple[str, Span | None]:
    """Return what is found, and where: what one layer proves, another may see as well."""
    return found.diagnostic.code, found.diagnostic.span


def _is_last(found: Finding) -> bool:
    """Return whether nothing can be looked at after a finding, as after an error in the text."""
    is_error = found.diagnostic.severity == "error" and found.certainty == "proved"
    return found.is_last or is_error
