"""Statements that were carried out, and never did what they are there for.

In: the coverage of all games that were watched. Out: notes, each at its statement. What then holds:
nothing that was hardly tried is told.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.diagnostic import Diagnostic, Span
from gdl.elaborate.origins import Origins
from gdl.model import Game
from interpreter.check.places import note
from interpreter.check.play.coverage import Coverage

FEWEST_TRIES = 200
"""How often something must have been tried before it is said that it never happened."""
_FEWEST_MOVES = 100
MANY_TRIES = 1000
_NEVER_DID = {
    "|": "added a site to those that it is joined with",
    "&": "ruled out a site of those that it is joined with",
    "-": "took away a site",
}
_GIVING = ("set ", "add ")
_BRINGING = ("place ", "move ")
_INTO_HAND = " to hand"


def never_chosen(coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the choices that never had anything to choose."""
    for span, (none, one, several) in coverage.choices.items():
        if none >= FEWEST_TRIES and not one + several:
            yield note(
                "never-chosen",
                f"There was never anything to choose here, in {none:,} tries.",
                span,
                "See whether the set can have a site, and the condition can hold.",
            )


def one_way_only(coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the choices that always had one way at most, where a game has others."""
    if any(several for _, _, several in coverage.choices.values()):
        for span, (_, one, several) in coverage.choices.items():
            if one >= MANY_TRIES and not several:
                yield note(
                    "one-way-only",
                    f"There was never more than one way to choose here, in {one:,} times.",
                    span,
                    "See whether the set is the one that is meant; where nobody chooses, `let` or"
                    " `for each` says so.",
                )


def never_gone_through(coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the loops that never had anything to go through."""
    for span, (without, with_some) in coverage.loops.items():
        if without >= FEWEST_TRIES and not with_some:
            yield note(
                "never-gone-through",
                f"There was never anything to go through here, in {without:,} times.",
                _first_line(span),
                "See whether what is gone through is what is meant.",
            )


def _first_line(span: Span) -> Span:
    return Span(span.source, span.start, span.start + len(span.text.split("\n")[0].rstrip()))


def never_changing(coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the statements that were done and never changed anything."""
    for span, (done, changed, _) in coverage.effects.items():
        if done >= FEWEST_TRIES and not changed:
            yield note(
                "never-changes",
                f"This never changed anything, in {done:,} times that it was done.",
                span,
                "See whether the value is the one that is meant, and is set in time."
                if span.text.startswith(_GIVING)
                else "See whether the set of sites is the one that is meant.",
            )


def idle_parts(coverage: Coverage, origins: Origins) -> Iterator[Diagnostic]:
    """Yield the parts of joined sets that never added a site, or never took one away."""
    for span, (tried, told) in coverage.parts.items():
        if told or tried < MANY_TRIES or origins.telling.get(span):
            continue
        yield note(
            "idle-part",
            f"This never {_NEVER_DID[coverage.operators[span]]}, in {tried:,} times.",
            span,
            "See whether it says what was meant; if it does, leave it out.",
        )


def only_taking(coverage: Coverage, game: Game) -> Iterator[Diagnostic]:
    """Yield statements that place or move pieces, and only ever take some away."""
    for span, (done, changed, brought) in coverage.effects.items():
        is_bringing = span.text.startswith(_BRINGING) and _INTO_HAND not in span.text
        is_bringing = is_bringing and game.piles is None
        if is_bringing and done >= _FEWEST_MOVES and changed and not brought:
            yield note(
                "only-takes-away",
                f"This only took pieces away, in {done:,} times that it was done, and brought none"
                " anywhere.",
                span,
                "See whether the sites are in the right order: `move FROM to TO`.",
            )
