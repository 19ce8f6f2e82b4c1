"""Does what is proved of a game hold with other values of its options, too?

In: what was found in a game as its options stand. Out: the findings, without those that another
value makes pointless: what one value leaves out may be what another is there for. What then holds:
what is told of no use is of none with each option at its edges, one at a time; of a condition that
some value lets hold, it is said with which values it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import islice

from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.finding import Finding
from interpreter.check.rules.rows import NO_SUCH_ROW
from interpreter.check.subject import Subject
from interpreter.verify.combinations import Combination

_MOST_TRIED = 16
_OF_NO_USE = frozenset(
    ("never-written", "never-read", "never-placed", "never-reached", "unread-choice", NO_SUCH_ROW)
)
"""What is told of a part that does nothing: one value of an option that uses it is enough."""
_NEVER = frozenset(("never-true", "always-empty"))
"""What is worth telling of the game as its options stand."""

_Key = tuple[str, Span | None]


def with_other_values(
    subject: Subject, found: Iterable[Finding], look: Callable[[Game], Iterator[Diagnostic]]
) -> Iterator[Finding]:
    """Yield findings; `look` yields what would be found in a game with other values."""
    findings = list(found)
    asked = {
        _key(one.diagnostic)
        for one in findings
        if one.variant is None and one.diagnostic.code in _OF_NO_USE | _NEVER
    }
    changed: dict[_Key, Combination] = {}
    for combination in islice(subject.option_combinations() if asked else (), _MOST_TRIED):
        left = asked - changed.keys()
        game = subject.load(combination)[0] if left else None
        if game is not None:
            there = set(map(_key, look(game)))
            changed.update((key, combination) for key in left if key not in there)
    for one in findings:
        other = changed.get(_key(one.diagnostic)) if one.variant is None else None
        if other is None:
            yield one
        elif one.diagnostic.code in _NEVER:
            yield replace(one, diagnostic=_as_options_stand(subject, one.diagnostic, other))


def _key(found: Diagnostic) -> _Key:
    return found.code, found.span


def _as_options_stand(subject: Subject, found: Diagnostic, other: Combination) -> Diagnostic:
    """Return a finding that says that it depends on the value of an option."""
    (name,) = other.options
    game = subject.game()
    value = next((o.value for o in game.options if o.name == name), "") if game else ""
    told = f"With {name} {value}, as it stands:" if value else "As the options stand:"
    return replace(found, message=f"{told} {found.message}", severity="note")
