"""Checking game files, in layers: the text, the rules as they are written, the first moves,
examples, play.

In: a game's name or path, and how much is to be done. Out: findings. To add a layer, write its
module and add it to `LAYERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from gdl.codes import Code
from gdl.diagnostic import Source, Span
from gdl.interpreter.check.effort import WITHOUT_PLAY, Effort, Work
from gdl.interpreter.check.examples import check_examples
from gdl.interpreter.check.finding import Finding
from gdl.interpreter.check.first_moves import check_first_moves
from gdl.interpreter.check.native import check_native
from gdl.interpreter.check.places import key_or_file_span, note
from gdl.interpreter.check.rules import check_rules
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.check.text import check_text
from gdl.interpreter.verify.deadline import is_interrupted
from gdl.resources.scoped_cache import work_shared

__all__ = ["Effort", "Finding", "Work", "check_game", "findings_of"]

Layer = Callable[[Subject], Iterable[Finding]]

LAYERS: Sequence[Layer] = (check_rules, check_native, check_first_moves, check_examples)
"""What follows the text, and comes before play."""


def check_game(game: str | Source, effort: Effort = WITHOUT_PLAY) -> tuple[Finding, ...]:
    """Return what is found in a game, by its name or path, or in the text of a file.

    A layer is looked at only if those before it leave something to see. With an effort, examples
    are run and the game is played, after a look at what moves give away.
    """
    return tuple(finding for layer in findings_of(game, Work(effort)) for finding in layer)


def findings_of(game: str | Source, work: Work | None = None) -> Iterator[tuple[Finding, ...]]:
    """Yield what each layer finds, as soon as it is known, without what the file accepts.

    What is done is counted as `work`, and that it was cut is told at last; nothing is played if
    there is none.
    """
    work = work or Work()
    subject = Subject(game, work)
    layers: list[Layer] = [check_text, *(partial(_in_time, layer) for layer in LAYERS)]
    if work.effort.is_played:
        from gdl.interpreter.check.leaks import check_leaks
        from gdl.interpreter.check.play import check_play

        layers += partial(_in_time, check_leaks), check_play
    told = set[tuple[str, Span | None]]()
    with work_shared():
        for layer in layers:
            found = tuple(one for one in layer(subject) if _key(one) not in told)
            told.update(map(_key, found))
            yield tuple(one for one in found if not subject.accepts(one.diagnostic))
            if work.was_cut:
                yield (_stopped(subject),)
            if work.was_cut or any(_is_last(one) for one in found):
                break


def _in_time(layer: Layer, subject: Subject) -> list[Finding]:
    """Return what a layer finds before the seconds are over."""
    found: list[Finding] = []
    with subject.work.in_time():
        for one in layer(subject):
            found.append(one)
    return found


def _stopped(subject: Subject) -> Finding:
    """Return that the seconds were over before all was done."""
    work, game = subject.work, subject.game()
    by, more = f"stopped after {work.effort.seconds:g} s", "give it more `--seconds`"
    if is_interrupted():
        by, more = "interrupted", "let it go on"
    told = note(
        Code.CHECK_STOPPED,
        f"The check was {by}: {work.so_far}.",
        None if game is None else key_or_file_span(game, "game"),
        f"What it finds is sure, but there may be more: {more}.",
    )
    return Finding(told, certainty="not seen")


def _key(found: Finding) -> tuple[str, Span | None]:
    """Return what is found, and where: what one layer proves, another may see as well."""
    return found.diagnostic.code, found.diagnostic.span


def _is_last(found: Finding) -> bool:
    """Return whether nothing can be looked at after a finding, as after an error in the text."""
    is_error = found.diagnostic.severity == "error" and found.certainty == "proved"
    return found.is_last or is_error
