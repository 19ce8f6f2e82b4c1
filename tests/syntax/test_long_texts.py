"""Texts of very many words are refused after work that grows no faster than they do."""

from __future__ import annotations

from collections.abc import Set
from typing import Any, SupportsIndex

import pytest

from gdl.core.nodes import Block
from gdl.diagnostic import Source
from gdl.interpreter.evaluation import moves
from gdl.interpreter.evaluation.moves import IllegalMoveError, Move, read_move
from gdl.interpreter.positions import move_form
from gdl.interpreter.positions.examples import run_examples
from gdl.load import load_source

_GAME = """\
game: Long texts
players: White, Black
board: square(3, 3)
turn: |
  let n = 0
  repeat
    repeat
      choose s in empty
      place Stone at s
      add 1 to n
    until n mod 2 = 0
  until n > 3
stuck: draw
end: draw when full
"""


class _Words(tuple[str, ...]):
    """Words that count how many of them were copied."""

    copied = 0

    def __getitem__(self, place: SupportsIndex | slice) -> Any:
        found = super().__getitem__(place)
        if not isinstance(place, slice):
            return found
        _Words.copied += len(found)
        return _Words(found)


@pytest.mark.parametrize("legal", ["b2", "b2-c1", "a1"])
def test_a_move_is_refused_after_work_in_proportion_to_its_words(
    monkeypatch: pytest.MonkeyPatch, legal: str
) -> None:
    words = moves.words
    monkeypatch.setattr(moves, "words", lambda text: _Words(words(text)))
    spent = []
    for count in (1000, 2000):
        _Words.copied = 0
        with pytest.raises(IllegalMoveError) as refused:
            read_move(
                "b2 " * count, (Move((0,), legal), Move((1,), "c3")), ("a1", "b2", "c1", "c3")
            )
        spent.append(_Words.copied)
        assert len(str(refused.value)) < 1000
    assert spent[1] <= 2 * spent[0] + 10


def test_the_form_of_a_move_is_read_in_work_in_proportion_to_its_words(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, after, spent = load_source(Source("long.yaml", _GAME)), move_form._Form.after, [0]

    def counted(self: move_form._Form, block: Block, places: Set[int]) -> frozenset[int]:
        spent[0] += len(places)
        return after(self, block, frozenset(places))

    monkeypatch.setattr(move_form._Form, "after", counted)
    counts = []
    for count in (100, 200):
        spent[0] = 0
        assert move_form.has_form_of_move(game, "b2 " * count)
        counts.append(spent[0])
    assert counts[1] <= 2 * counts[0]


def test_an_example_of_very_many_words_is_told_in_few() -> None:
    example = f"examples: [{{play: {'b2 ' * 20_000}}}]\n"
    (result,) = run_examples(load_source(Source("long.yaml", _GAME + example)))
    (found,) = result.diagnostics
    assert (found.code, len(found.message + found.hint) < 1000) == ("example-failed", True)
