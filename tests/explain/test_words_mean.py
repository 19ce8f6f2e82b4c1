"""Words held against meaning: what means something else is said in other words.

Small random conditions are changed in one place: an operator, a word or an argument. Where the two
have different values in some position, a reader must be able to tell their sentences apart: so no
operator and no part of an expression is lost.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

from gdl.diagnostic import Report, Source, Span
from gdl.elaborate.sections.sections import parsed_span
from gdl.elaborate.sections.vocabulary import DeclaredWords
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.words.asker import Asker
from gdl.interpreter.words.context import YOU, context_of
from gdl.interpreter.words.phrases import Phrases
from gdl.load import load_source

GAME = """\
game: Words
players: White, Black
pieces: Man, King
board: square(4, 4)
state: {quiet: number in 0..9, heat(players): number in 0..9, marked: sites, ready(players): flag,
        seeds: number per site in 0..9}
turn: |
  choose s in empty
  choose k in kinds
  choose n in 0..3
  place k at s
  set quiet = n
  set heat(mover) = n
  set seeds(s) = n
  if n > 1
    add s to marked
  set ready(mover) = n = 2
end:
  - draw when turns > 12 or seen(board) > 99
  - draw when seen(board, heat(own)) > 99 or seen(board, heat(following(own))) > 99
"""
Tree = tuple[object, ...]
"""A rule of the grammar below, with what stands for each of its parts; or one word."""

GRAMMAR: dict[str, tuple[str, ...]] = {
    "flag": (
        "some ({set})",
        "no ({set})",
        "({number}) > ({number})",
        "({number}) >= ({number})",
        "({number}) = ({number})",
        "({number}) < ({number})",
        "({flag}) and ({flag})",
        "({flag}) or ({flag})",
        "not ({flag})",
        "ready({side})",
        "(if {flag} then ({flag}) else ({flag}))",
        "(every t in {pieces} has ({of_one}))",
        "(some t in {pieces} where ({of_one}))",
        "seen(board, heat({side})) >= {small}",
        "seen(board) >= {small}",
    ),
    "of_one": (
        "some {relation}(t) & ({set})",
        "no {relation}(t) & ({set})",
        "seeds(t) > {small}",
        "t in {pieces}",
        "row(t) > {small}",
        "column(t) = {small}",
    ),
    "set": (
        "({set}) & ({set})",
        "({set}) | ({set})",
        "({set}) - ({set})",
        "{relation}({pieces})",
        "{pieces}",
        "{region}",
        "(sites t in {pieces} where ({of_one}))",
        "({set}) when ({flag})",
    ),
    "number": (
        "({number}) + ({number})",
        "({number}) - ({number})",
        "(({number}) * ({number}))",
        "max({number}, {number})",
        "min({number}, {number})",
        "count ({set})",
        "(if {flag} then ({number}) else ({number}))",
        "heat({side})",
        "quiet",
        "{small}",
        "(sum t in {pieces} of (seeds(t)))",
        "(sum t in {pieces} of (row(t)))",
    ),
    "pieces": ("own", "enemy", "Man", "King", "(own & King)", "(enemy & Man)", "marked"),
    "region": ("empty", "top", "corners", "rows(2)", "columns(3)", "dark", "b2"),
    "relation": ("orthogonal", "diagonal", "north", "(north^2)", "leaper(1, 2)", "opposite(west)"),
    "side": ("mover", "following(mover)"),
    "small": ("1", "2", "3"),
}
LEAVES = {"flag": 9, "set": 5, "number": 9}
"""The places in the grammar of ways to write these that go no deeper."""


def random_tree(sort: str, depth: int, random: Random) -> Tree:
    """Return a way to write something of a sort, with all its parts."""
    ways = GRAMMAR[sort]
    if depth <= 0 and sort in LEAVES:
        ways = ways[LEAVES[sort] - 1 : LEAVES[sort] + 1] if sort == "set" else ("ready({side})",)
        ways = ("quiet", "heat({side})", "{small}") if sort == "number" else ways
    return with_parts(random.choice(ways), sort, depth, random)


def with_parts(way: str, sort: str, depth: int, random: Random) -> Tree:
    return (sort, way, *(random_tree(part, depth - 1, random) for part in parts_of(way)))


def parts_of(way: str) -> list[str]:
    return [piece.partition("}")[0] for piece in way.split("{")[1:]]


def text_of(tree: Tree) -> str:
    _, way, *parts = tree
    assert isinstance(way, str)
    pieces = way.split("{")
    told = [pieces[0]]
    for piece, part in zip(pieces[1:], parts, strict=True):
        assert isinstance(part, tuple)
        told += [text_of(part), piece.partition("}")[2]]
    return "".join(told)


def changed(tree: Tree, random: Random) -> Iterator[Tree]:
    """Yield trees that differ in one way of writing, or in what belongs together."""
    sort, way, *parts = tree
    assert isinstance(sort, str) and isinstance(way, str)
    for other in GRAMMAR[sort]:
        if other != way and parts_of(other) == parts_of(way):
            yield (sort, other, *parts)
    if parts_of(way) == [sort, sort] and isinstance(parts[0], tuple):
        _, inner, *within = parts[0]
        if isinstance(inner, str) and parts_of(inner) == [sort, sort]:
            yield (sort, inner, within[0], (sort, way, within[1], parts[1]))
    for number, part in enumerate(parts):
        assert isinstance(part, tuple)
        for one in changed(part, random):
            yield (sort, way, *parts[:number], one, *parts[number + 1 :])


@cache
def rules() -> Rules:
    return Rules(load_source(Source("words.yaml", GAME)))


@cache
def positions() -> tuple[Position, ...]:
    """Return positions of random games."""
    random, found = Random(2), list[Position]()
    for _ in range(4):
        position = rules().start()
        while not position.over:
            position = position.play(random.choice(position.moves()))
            found.append(position)
    return tuple(found)


def span_of(text: str) -> Span:
    return Span(Source("asked", text), 0, len(text))


def said(text: str) -> str:
    """Return what is said of a condition where White is on turn."""
    game = rules().game
    assert isinstance(game.words, DeclaredWords)
    node = parsed_span(span_of(text), "expression", Report())
    return Phrases().holds(node, context_of(Asker(game), game.words.scope.turn_of(0), YOU))


def values(text: str) -> tuple[object, ...]:
    """Return what a condition is worth in all positions."""
    expression = rules().game.words.expression(span_of(text), 0)
    return tuple(position.value(expression) for position in positions())


@pytest.mark.parametrize("seed", range(60))
def test_what_means_something_else_is_said_in_other_words(seed: int) -> None:
    random = Random(seed)
    tree = random_tree("flag", random.choice((1, 2, 2, 3)), random)
    text = text_of(tree)
    others = [text_of(one) for one in changed(tree, random)]
    for other in random.sample(others, min(8, len(others))):
        if said(other) == said(text):
            assert values(other) == values(text), (text, other, said(text))
