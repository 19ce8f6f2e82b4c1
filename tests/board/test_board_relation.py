"""The algebra of relations against plain sets of pairs."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gdl.board.board import Board
from gdl.board.make import BoardSpec, make_board
from gdl.board.relation import Relation, bits, listed, site_set

Pairs = set[tuple[int, int]]


@st.composite
def pair_sets(draw: st.DrawFn, count: int = 1) -> tuple[int, list[Pairs]]:
    """Draw a size and sets of pairs, among them regular ones with few index offsets."""
    size = draw(st.integers(1, 40))
    index = st.integers(0, size - 1)
    irregular = st.sets(st.tuples(index, index), max_size=120)
    shifts = st.sets(st.integers(1 - size, size - 1), max_size=4)
    regular = shifts.map(
        lambda chosen: {(i, i + s) for s in chosen for i in range(size) if 0 <= i + s < size}
    )
    return size, [draw(irregular | regular) for _ in range(count)]


def pairs_of(relation: Relation) -> Pairs:
    found = list(relation.pairs())
    assert len(found) == len(set(found))
    return set(found)


def composed(first: Pairs, then: Pairs) -> Pairs:
    return {(i, k) for i, j in first for j2, k in then if j == j2}


@given(st.sets(st.integers(0, 300)))
def test_bits_and_site_set_are_inverse(indices: set[int]) -> None:
    assert list(bits(site_set(indices))) == sorted(indices)
    assert site_set(indices) == sum(1 << i for i in indices)


@given(pair_sets())
def test_both_representations_hold_exactly_the_pairs(drawn: tuple[int, list[Pairs]]) -> None:
    size, (pairs,) = drawn
    relation = Relation.from_pairs(size, pairs)
    assert pairs_of(relation) == pairs
    assert {(i, j) for i, s in enumerate(relation.successors) for j in bits(s)} == pairs
    shifts = [shift for _, shift in relation.offset_classes]
    assert shifts == sorted(set(shifts))
    assert all(mask for mask, _ in relation.offset_classes)
    again = Relation(size, relation.successors)
    assert again == relation
    assert hash(again) == hash(relation)
    assert again.offset_classes == relation.offset_classes


@given(pair_sets(), st.data())
def test_image_is_the_union_of_the_successors(
    drawn: tuple[int, list[Pairs]], data: st.DataObject
) -> None:
    size, (pairs,) = drawn
    relation = Relation.from_pairs(size, pairs)
    sites = data.draw(st.integers(0, (1 << size) - 1))
    for some in (sites, sites & -sites, 0, (1 << size) - 1):
        assert relation.image(some) == site_set(j for i, j in pairs if some >> i & 1)


@given(pair_sets(count=2))
def test_algebra(drawn: tuple[int, list[Pairs]]) -> None:
    size, (first, second) = drawn
    one, other = Relation.from_pairs(size, first), Relation.from_pairs(size, second)
    assert pairs_of(one.union(other)) == first | second
    assert pairs_of(one.intersection(other)) == first & second
    assert pairs_of(one.difference(other)) == first - second
    assert pairs_of(one.compose(other)) == composed(first, second)
    assert pairs_of(one.inverse()) == {(j, i) for i, j in first}
    assert one.inverse().inverse() == one
    assert one.compose(other).inverse() == other.inverse().compose(one.inverse())
    assert one.is_symmetric == (first == {(j, i) for i, j in first})
    assert one.is_function == (len({i for i, _ in first}) == len(first))
    assert (one == other) == (first == second)


@settings(max_examples=50)
@given(pair_sets(), st.integers(0, 7))
def test_power_is_repeated_composition(drawn: tuple[int, list[Pairs]], exponent: int) -> None:
    size, (pairs,) = drawn
    relation = Relation.from_pairs(size, pairs)
    expected = Relation.identity(size)
    for _ in range(exponent):
        expected = expected.compose(relation)
    assert relation.power(exponent) == expected


@given(pair_sets(), st.data())
def test_restriction(drawn: tuple[int, list[Pairs]], data: st.DataObject) -> None:
    size, (pairs,) = drawn
    masks = st.integers(0, (1 << size) - 1)
    sources, targets = data.draw(masks), data.draw(masks)
    restricted = Relation.from_pairs(size, pairs).restrict(sources, targets)
    assert pairs_of(restricted) == {
        (i, j) for i, j in pairs if sources >> i & 1 and targets >> j & 1
    }


def test_image_on_a_board_too_large_for_a_table() -> None:
    board: Board = make_board(BoardSpec("square", "rectangle", (70, 70)))
    compass = board.relations["compass"]
    for sites in (1, 1 << 2500, (1 << 70) - 1, board.all_sites):
        expected = site_set(j for i, j in compass.pairs() if sites >> i & 1)
        assert compass.image(sites) == expected


@pytest.mark.parametrize(
    ("size", "pairs"), [(2, [(0, 2)]), (2, [(-1, 0)]), (0, [(0, 0)])], ids=["high", "low", "none"]
)
def test_pairs_off_the_board_are_refused(size: int, pairs: Iterable[tuple[int, int]]) -> None:
    with pytest.raises(ValueError, match="not a pair of sites"):
        Relation.from_pairs(size, pairs)


def test_successors_off_the_board_are_refused() -> None:
    with pytest.raises(ValueError, match="expected 2 sets"):
        Relation(2, [0b100, 0])
    with pytest.raises(ValueError, match="expected 2 sets"):
        Relation(2, [0])


def test_relations_of_different_sizes_do_not_combine() -> None:
    with pytest.raises(ValueError, match="do not combine"):
        Relation.empty(2).union(Relation.empty(3))


def test_negative_powers_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        Relation.identity(2).power(-1)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30), st.integers(0, 9))))
def test_stretches_are_runs_of_pairs(stretches: list[tuple[int, int, int]]) -> None:
    pairs = {(i + k, j + k) for i, j, count in stretches for k in range(count)}
    assert pairs_of(Relation.from_stretches(40, stretches)) == pairs


@given(pair_sets(), st.integers(min_value=0))
def test_how_many_sites_one_is_related_to_is_counted_for_all_at_once(
    drawn: tuple[int, list[Pairs]], chosen: int
) -> None:
    size, (pairs,) = drawn
    sites = chosen & ((1 << size) - 1)
    counts = {sum(i == source for i, _ in pairs) for source in bits(sites)} or {0}
    assert Relation.from_pairs(size, pairs).least_and_most(sites) == (min(counts), max(counts))
    assert listed(sites) == list(bits(sites))
