"""The file that is checked, and the games that are in it.

In: a game's name or path. Out: its text, and the game with each of its variants and options, loaded
once for all layers.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, islice, product

from gdl.diagnostic import Diagnostic, GameError, Source
from gdl.elaborate.origins import Origins, origins_noted
from gdl.load import find_game, load_source
from gdl.model import Game, OptionInfo
from interpreter.check.accepted import Accepted
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
