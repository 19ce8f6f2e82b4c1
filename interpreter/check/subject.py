"""The file that is checked, and the games that are in it.

In: a game's name or path. Out: its text, and the game with each of its variants, loaded once for
all layers.
"""

from __future__ import annotations

from functools import cached_property

from gdl.diagnostic import Diagnostic, GameError, Source
from gdl.load import find_game, load_source
from gdl.model import Game


class Subject:
    """A file as the layers of checking see it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._loaded: dict[str | None, tuple[Game | None, tuple[Diagnostic, ...]]] = {}

    @cached_property
    def source(self) -> Source:
        """The text of the file. Raises GameError."""
        return find_game(self._name)

    def game(self, variant: str | None = None) -> Game | None:
        """Return the game with a variant, or with none; None if it can't be loaded."""
        return self._load(variant)[0]

    def diagnostics(self, variant: str | None = None) -> tuple[Diagnostic, ...]:
        """Return what loading finds in the game with a variant, or with none."""
        return self._load(variant)[1]

    @property
    def variants(self) -> tuple[str, ...]:
        """The names of the variants; none if the game itself can't be loaded."""
        game = self.game()
        return () if game is None else tuple(game.all_variants)

    def stands_here(self, diagnostic: Diagnostic) -> bool:
        """Return whether the place of a diagnostic is in this file, not in one that it extends."""
        return diagnostic.span is not None and diagnostic.span.source.name == self.source.name

    def _load(self, variant: str | None) -> tuple[Game | None, tuple[Diagnostic, ...]]:
        if variant not in self._loaded:
            try:
                game = load_source(self.source, None, () if variant is None else (variant,))
                self._loaded[variant] = game, game.warnings
            except GameError as error:
                self._loaded[variant] = None, error.diagnostics
        return self._loaded[variant]
