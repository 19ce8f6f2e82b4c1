"""The file that is checked, and the games that are in it.

In: a game's name or path. Out: its text, and the game with each of its variants and options, loaded
once for all layers.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, islice, product
from typing import TYPE_CHECKING

from gdl.codes import Code
from gdl.core.memo import Memo
from gdl.core.walk import program_statements
from gdl.diagnostic import Diagnostic, GameError, Report, Source, Span, suggest
from gdl.document.nodes import Scalar
from gdl.document.nodes import Sequence as Items
from gdl.document.reader import read_document
from gdl.elaborate.names.origins import Origins, origins_noted
from gdl.interpreter.check.effort import Part, Work
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.library.diagnostics import known_codes
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify.combinations import (
    Combination,
    added_options,
    edges_of,
    inner_values_of,
)
from gdl.load import find_game, load_source
from gdl.model import Game, OptionInfo

if TYPE_CHECKING:
    # It brings native code along, which a check without play does not need.
    from gdl.interpreter.check.coverage import Coverage, CoverageWatch

_MOST_PAIRS = 10
_A_LETTER_LOADED, _A_STATEMENT_LOADED, _A_SITE_LOADED = 4, 50, 5
"""Units of work for what is loaded: by the letters of its file, statements of its program, sites.

The passes before the elaboration keep what they share with games that are loaded already."""

Loaded = tuple[Game | None, tuple[Diagnostic, ...]]


class Subject:
    """A file as the layers of checking see it. `origins` knows the conditions of all its games.

    What is done with it is counted as `work`. `shown` are the states of the game itself to which
    examples lead.
    """

    def __init__(self, game: str | Source, work: Work | None = None) -> None:
        """Look at a game by its name or path, or at the text of a file."""
        self._asked = game
        self.work = work or Work()
        self._loaded: dict[str, Loaded] = {}
        self.origins = Origins()
        self.shown: list[State] = []
        self._watched = Memo[Game, tuple["CoverageWatch", ReferenceRules]]()

    @cached_property
    def source(self) -> Source:
        """The text of the file. Raises GameError."""
        return self._asked if isinstance(self._asked, Source) else find_game(self._asked)

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

    @cached_property
    def coverage(self) -> Coverage:
        """What of the rules was seen at work, in examples and in play."""
        from gdl.interpreter.check.coverage import Coverage

        return Coverage()

    def watched(self, game: Game) -> tuple[CoverageWatch, ReferenceRules]:
        """Return the reference's rules of a game whose work is counted and watched."""
        return self._watched.of(game, self._watching)

    def _watching(self, game: Game) -> tuple[CoverageWatch, ReferenceRules]:
        from gdl.interpreter.check.coverage import CoverageWatch

        watch = CoverageWatch(self.coverage, self.origins, game)
        rules = ReferenceRules(game, watch)
        rules.machine.tally = self.work.tally
        return watch, rules

    def for_options(self) -> Part:
        """Return a part of the work for a layer that tries values of options."""
        return self.work.part(self.work.effort.options)

    @property
    def may_load_more(self) -> bool:
        """Whether games are loaded that are neither the file's own nor a variant of it."""
        effort = self.work.effort
        return effort.is_played or self.work.done <= effort.loading

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
            self._count_loading(self._loaded[key][0])
        return self._loaded[key]

    def _count_loading(self, game: Game | None) -> None:
        """Count how much work it was to load a game, or to find out that it can't be."""
        self.work.count(_A_LETTER_LOADED * len(self.source.text))
        if game is not None:
            statements = sum(1 for _ in program_statements(game.program))
            self.work.count(_A_STATEMENT_LOADED * statements + _A_SITE_LOADED * game.board.size)


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
