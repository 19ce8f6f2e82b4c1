"""The file that is checked, and the games that are in it.

In: a game's name or path. Out: its text, and the game with each of its variants and options, loaded
once for all layers.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, islice, product

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, GameError, Report, Source, Span, suggest
from gdl.document.nodes import Scalar
from gdl.document.nodes import Sequence as Items
from gdl.document.reader import read_document
from gdl.elaborate.names.origins import Origins, origins_noted
from gdl.load import find_game, load_source
from gdl.model import Game, OptionInfo
from interpreter.library.diagnostics import known_codes
from interpreter.verify.combinations import Combination, added_options, edges_of, inner_values_of

_MOST_PAIRS = 10
_SECONDS_FOR_OPTIONS, _IF_PLAYED = 0.03, 0.5
"""Seconds of the processor for which a layer may try values of options: more if there is play."""
_NO_MORE_AFTER = 0.05
"""Seconds of looking at what is loaded first, after which, without play, nothing is loaded for
options and examples alone."""

Loaded = tuple[Game | None, tuple[Diagnostic, ...]]


class Subject:
    """A file as the layers of checking see it. `origins` knows the conditions of all its games.

    If it `is_played`, there is time for what takes long.
    """

    def __init__(self, name: str, *, is_played: bool = False) -> None:
        self._name = name
        self.is_played = is_played
        self._loaded: dict[str, Loaded] = {}
        self.origins = Origins()
        self._begun = time.process_time()

    @cached_property
    def source(self) -> Source:
        """The text of the file. Raises GameError."""
        return find_game(self._name)

    def game(self, variant: str | None = None) -> Game | None:
        """Return the game with a variant, or with none; None if it can't be loaded."""
        return self.load(_of_variant(variant))[0]

    def diagnostics(self, variant: str | None = None) -> tuple[Diagnostic, ...]:
        """Return what loading finds in the game with a variant, or with none."""
        return self.load(_of_variant(variant))[1]

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants; none if the game itself can't be loaded."""
        game = self.game()
        return () if game is None else tuple(game.all_variants)

    def option_combinations(self) -> Iterator[Combination]:
        """Yield the game with each option at its edges, then at values inside its range.

        An option that a variant adds is tried with that variant.
        """
        game = self.game()
        if game is None:
            return
        offered: list[tuple[tuple[str, ...], OptionInfo]] = [
            ((), option) for option in game.options
        ]
        for variant in self.variants:
            varied = self.game(variant)
            if varied is not None:
                offered += [((variant,), option) for option in added_options(game, varied)]
        for values_of in (edges_of, inner_values_of):
            for among, option in offered:
                for value in values_of(option, game.sides):
                    yield Combination(among, {option.name: value})

    def option_pairs(self) -> Iterator[Combination]:
        """Yield the game with two of its options at their edges, some of all there are."""
        game = self.game()
        options = () if game is None else game.options
        for one, other in islice(combinations(options, 2), _MOST_PAIRS):
            sides = () if game is None else game.sides
            for values in product(edges_of(one, sides)[:1], edges_of(other, sides)[-1:]):
                yield Combination((), dict(zip((one.name, other.name), values, strict=True)))

    @property
    def seconds_for_options(self) -> float:
        """How many seconds of the processor a layer may take to try values of options."""
        return _IF_PLAYED if self.is_played else _SECONDS_FOR_OPTIONS

    @property
    def may_load_more(self) -> bool:
        """Whether there is time for games that are neither the file's own nor a variant of it."""
        return self.is_played or time.process_time() < self._begun + _NO_MORE_AFTER

    def is_loaded(self, combination: Combination) -> bool:
        """Return whether a combination was asked for already."""
        return combination.arguments in self._loaded

    @cached_property
    def accepted(self) -> Accepted:
        """What the file accepts. Raises GameError."""
        return Accepted(self.source)

    def accepts(self, diagnostic: Diagnostic) -> bool:
        """Return whether the author of the file accepts a finding."""
        try:
            return self.accepted.accepts(diagnostic)
        except GameError:
            return False

    def stands_here(self, diagnostic: Diagnostic) -> bool:
        """Return whether the place of a diagnostic is in this file, not in one that it extends."""
        return diagnostic.span is not None and diagnostic.span.source.name == self.source.name

    def load(self, combination: Combination) -> Loaded:
        """Return the game of a combination, or None, and what loading it finds."""
        key = combination.arguments
        if key not in self._loaded:
            own = Origins()
            with origins_noted(own):
                try:
                    game = load_source(self.source, combination.options, combination.variants)
                    self._loaded[key] = game, game.warnings
                except GameError as error:
                    self._loaded[key] = None, error.diagnostics
            self.origins.include(own)
            if len(self._loaded) == 1:
                self._begun = time.process_time()
        return self._loaded[key]


def _of_variant(variant: str | None) -> Combination:
    return Combination(() if variant is None else (variant,))


# ------------------------------------------------------- findings that the author of a file accepts

_FINE = re.compile(r"(?:^|(?<=\s))#\s*fine:\s*([a-z-]+(?:\s*,\s*[a-z-]+)*)", re.MULTILINE)
_KEY = re.compile(r"^fine:", re.MULTILINE)
_CODE = re.compile(r"[a-z-]+")
_MOST_TOLD = 1000


class Accepted:
    """What a file accepts, by line and as a whole."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._by_line: dict[int, set[str]] = defaultdict(set)
        self._places: list[Span] = []
        self._everywhere: set[str] = set()
        for span in _spans_of_key(source):
            for code in _CODE.finditer(source.text, span.start, span.end):
                self._everywhere.add(code.group())
                self._places.append(Span(source, code.start(), code.end()))
        for found in _FINE.finditer(source.text):
            line, column = source.position(found.start())
            is_alone = not source.line(line)[: column - 1].strip()
            for code in _CODE.finditer(source.text, found.start(1), found.end(1)):
                self._by_line[line + is_alone].add(code.group())
                self._places.append(Span(source, code.start(), code.end()))

    def accepts(self, found: Diagnostic) -> bool:
        """Return whether the author says that a finding is meant so."""
        span = found.span
        if found.severity == "error" or span is None or span.source.name != self._source.name:
            return False
        if found.code in self._everywhere:
            return True
        last = span.source.position(max(span.start, span.end - 1))[0]
        return any(found.code in self._by_line.get(line, ()) for line in range(span.line, last + 1))

    def unknown(self) -> Iterator[Diagnostic]:
        """Yield a warning for each code that there is none of."""
        for span in islice(self._places, _MOST_TOLD):
            if span.text not in known_codes():
                yield Diagnostic(
                    Code.UNKNOWN_CODE,
                    f"There is no finding `{span.text}` that could be accepted.",
                    span,
                    severity="warning",
                ).with_hint(
                    suggest(span.text, known_codes()) or "`gdl check` tells the codes of findings."
                )


def _spans_of_key(source: Source) -> Iterator[Span]:
    """Yield where the key `fine` of a file has codes."""
    if _KEY.search(source.text) is None:
        return
    document = read_document(source, Report())
    value = None if document is None else document.get("fine")
    if isinstance(value, Scalar):
        yield value.span
    elif isinstance(value, Items):
        yield from (item.span for item in value.items if isinstance(item, Scalar))
