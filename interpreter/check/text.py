"""The first layer of checking: can the text be understood, with each variant as well?

In: a game's name or path. Out: the diagnostics of loading it, and those that only a variant
brings up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gdl.diagnostic import Diagnostic, GameError, Source
from gdl.load import find_game, load_source
from gdl.shared_work import work_shared
from interpreter.check.finding import Finding

_UNUSED = "unused"


def check_text(name: str) -> Iterator[Finding]:
    """Yield what is found in the game itself, then what each variant alone adds to it."""
    try:
        source = find_game(name)
    except GameError as error:
        yield from map(Finding, error.diagnostics)
        return
    with work_shared():
        found, variants = _load(source, ())
        by_variant = {variant: _load(source, (variant,))[0] for variant in variants}
    for diagnostic in found:
        if diagnostic.code != _UNUSED or _is_unused(diagnostic, source, by_variant.values()):
            yield Finding(diagnostic)
    known = set(found)
    for variant, of_variant in by_variant.items():
        for diagnostic in of_variant:
            if diagnostic.code != _UNUSED and diagnostic not in known:
                known.add(diagnostic)
                yield Finding(diagnostic, variant)


def _is_unused(found: Diagnostic, source: Source, others: Iterable[Sequence[Diagnostic]]) -> bool:
    """Return whether it stands in this file, not in one that is extended, and is never used."""
    stands_here = found.span is not None and found.span.source.name == source.name
    return stands_here and all(found in other for other in others)


def _load(
    source: Source, variants: Sequence[str]
) -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
    """Return what loading finds, and the names of the game's variants."""
    try:
        game = load_source(source, None, variants)
    except GameError as error:
        return error.diagnostics, ()
    return game.warnings, tuple(game.all_variants)
