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
    yield from (Finding(d) for d in found if not _is_used_somewhere(d, by_variant.values()))
    known = set(found)
    for variant, of_variant in by_variant.items():
        for diagnostic in of_variant:
            if diagnostic.code != _UNUSED and diagnostic not in known:
                known.add(diagnostic)
                yield Finding(diagnostic, variant)


def _is_used_somewhere(found: Diagnostic, others: Iterable[Sequence[Diagnostic]]) -> bool:
    """Return whether what is unused in the game itself is there for one of its variants."""
    return found.code == _UNUSED and any(found not in other for other in others)


def _load(
    source: Source, variants: Sequence[str]
) -> tuple[tuple[Diagnostic, ...], tuple[str, ...]]:
    """Return what loading finds, and the names of the game's variants."""
    try:
        game = load_source(source, None, variants)
    except GameError as error:
        return error.diagnostics, ()
    return game.warnings, tuple(game.all_variants)
