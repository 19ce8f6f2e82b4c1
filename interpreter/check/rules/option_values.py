"""What is never true, or has no site, for some values of the options alone.

In: the game, and the game with each option at its edges and inside its range, as far as they were
loaded. Out: notes. What then holds: with the value that is told, it is so whatever is played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from gdl.core.nodes import Const, Ending
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping as Document
from gdl.model import Game
from interpreter.check.places import note, warning
from interpreter.check.rules.contradictions import contradictions
from interpreter.check.subject import Subject
from interpreter.verify.combinations import Combination

_IS_OFF = ("0", "no", "yes")
"""Values by which an option takes a rule away on purpose."""


def check_values(subject: Subject) -> Iterator[Diagnostic]:
    """Yield clauses that can't hold with some value of an option, and regions without a site."""
    game = subject.game()
    assert game is not None
    others = [
        (combination, other)
        for combination in subject.option_combinations()
        if not combination.variants
        and subject.is_loaded(combination)
        and (other := subject.load(combination)[0]) is not None
    ]
    yield from _empty_regions(game, others)
    yield from _empty_relations(game, others)
    told: set[Span] = set()
    mine = _open_clauses(game).keys() - {found.span for found in contradictions(game)}
    for combination, other in others:
        if any(value in _IS_OFF for value in combination.options.values()):
            continue
        failing = {found.span for found in contradictions(other)}
        open_there = _open_clauses(other).keys() - failing
        for span in mine:
            if span not in open_there and span not in told:
                told.add(span)
                yield note(
                    "never-true",
                    f"With {_told(combination.options)}, which is allowed, this is never true.",
                    span,
                    "See whether the game makes sense with that value; or allow less under `in`.",
                )


def _open_clauses(game: Game) -> dict[Span, Ending]:
    """Return the clauses of `end` that may hold, by their places."""
    return {
        ending.span: ending
        for turn in game.program.turns
        for ending in turn.endings
        if ending.span is not None
        and not (isinstance(ending.condition, Const) and not ending.condition.value)
    }


def _empty_regions(game: Game, others: list[tuple[Combination, Game]]) -> Iterator[Diagnostic]:
    section = game.document.get("regions")
    for key, _ in section.entries if isinstance(section, Document) else ():
        if key.text not in game.regions:
            continue
        if not game.regions[key.text]:
            if not any(other.regions.get(key.text) for _, other in others):
                yield warning(
                    "empty-region",
                    f"`{key.text}` has no site.",
                    key.span,
                    "See whether it says what was meant.",
                )
            continue
        for combination, other in others:
            if other.regions.get(key.text) == 0:
                yield note(
                    "empty-region",
                    f"With {_told(combination.options)}, which is allowed, `{key.text}` has no"
                    " site.",
                    key.span,
                    "See whether the rules make sense without; or allow less under `in`.",
                )
                break


def _empty_relations(game: Game, others: list[tuple[Combination, Game]]) -> Iterator[Diagnostic]:
    """Yield the relations of the file that lead nowhere, whatever the options are."""
    section = game.document.get("relations")
    for key, _ in section.entries if isinstance(section, Document) else ():
        found = [one.relations.get(key.text) for one in (game, *(other for _, other in others))]
        if all(relation is not None and not relation.offset_classes for relation in found):
            yield warning(
                "empty-relation",
                f"`{key.text}` leads nowhere: no two sites of the board are so related.",
                key.span,
                "See whether it says what was meant: how far it leads, and which way.",
            )


def _told(options: Mapping[str, str]) -> str:
    return " and ".join(f"{name} {value}" for name, value in options.items())
