"""What a definition becomes is copied for other variables: that makes no difference to a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from gdl.core.digest import program_digest
from gdl.core.listing import Names, listing
from gdl.diagnostic import GameError, Source
from gdl.elaborate.expressions import calls
from gdl.load import load_game, load_source
from gdl.model import Game


def _told(game: Game) -> tuple[str, str]:
    sites = tuple(site.name for site in game.board.sites)
    names = Names(sites, game.sides, game.relations, game.regions)
    return program_digest(game.program, sites, game.sides), listing(game.program, names)


def _anew(
    definition: Any, parameters: Mapping[str, Any], scope: Any, make: Callable[[], Any]
) -> Any:
    return make()


@pytest.mark.parametrize("name", ["chess", "hive", "shogi", "tak", "yinsh", "arimaa", "dvonn"])
def test_games_are_what_they_would_be_without_copies(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = _told(load_game(name))
    monkeypatch.setattr(calls, "copied_or_made", _anew)
    assert copied == _told(load_game(name))


def test_what_is_called_for_many_variables_is_worked_out_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made, copied_or_made = [], calls.copied_or_made

    def counted(definition: Any, parameters: Any, scope: Any, make: Callable[[], Any]) -> Any:
        def noted() -> Any:
            made.append(definition.head.name.name)
            return make()

        return copied_or_made(definition, parameters, scope, noted)

    monkeypatch.setattr(calls, "copied_or_made", counted)
    load_source(Source("many.yaml", _MANY.format(sets="")))
    assert made.count("near") == len(("White", "Black"))


_MANY = """\
game: Many
players: White, Black
board: square(4, 4)
define:
  near(s): some u in adjacent(s) where u in enemy
{sets}turn: |
  choose s in empty where near(s) or near(north(s)) or near(south(s))
  choose t in empty where near(t) or near(north(t))
  place Stone at s | t
stuck: draw
"""


def test_a_definition_that_comes_back_to_itself_is_still_told_of() -> None:
    """Although a copy of what it uses may be there by then."""
    text = _MANY.format(sets="  far(s): near(s) and back(s)\n  back(s): far(s)\n")
    with pytest.raises(GameError) as error:
        load_source(Source("again.yaml", text))
    assert "recursive-definition" in {found.code for found in error.value.diagnostics}
