"""Bridg-It as a part of a Trellis board, and the pairing that wins it for the first player.

Of the m² + (m - 1)² points of order m the first move takes a corner; the others form m(m - 1)
pairs, and the first player then always takes the other point of a pair. He wins, for no chain of
the second player joins two sides without both points of some pair: all chains are tried here.

"Directly adjacent", as the source calls the pairs, are (m - 1)² of them: diagonal neighbours in
Bridg-It, orthogonal ones on the Trellis board. There can't be more, for such a pair has one of
the (m - 1)² points in even rows. The other m - 1 pairs are two columns apart, one in each row
but the first, along the diagonal from the first move: diagonal neighbours on the Trellis board.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, product
from typing import TypeAlias

import networkx as nx
import pytest

from gdl.interpreter import Rules, load

Place = tuple[int, int]
"""A point of Bridg-It: row and column."""
Pair = tuple[Place, Place]
PointGraph: TypeAlias = "nx.Graph[Place]"
SIDES = ("top", "bottom", "left", "right")
LINKS = ("link(Black)", "link(White)")


@cache
def rules_of(name: str, **options: str | int) -> Rules:
    return load(name, options, ["diagonal-bridg-it"] if name == "trellis" else [])


def linked(rules: Rules, relation: str) -> Iterator[Pair]:
    """Yield the two places (row, column) of each link, both ways round."""
    places = [(site.row, site.column) for site in rules.game.board.sites]
    return ((places[a], places[b]) for a, b in rules.game.relations[relation].pairs())


def links(rules: Rules) -> dict[frozenset[Place], str]:
    """Return who may link two places: the names of the relations, joined."""
    found: dict[frozenset[Place], str] = {}
    for name in LINKS:
        for pair in {frozenset(pair) for pair in linked(rules, name)}:
            found[pair] = found.get(pair, "") + name
    return found


# --------------------------------------------------------- cut from a Trellis board


def in_trellis(place: Place) -> Place:
    """Return where a point lies after a turn by 45 degrees: two coordinates, counted from any."""
    row, column = place
    return (row + column) // 2, (row - column) // 2


@cache
def bridg_it(order: int) -> PointGraph:
    """Return the points of Bridg-It with the sides that they lie on and who may link them."""
    rules = rules_of("bridg-it", order=order)
    regions = rules.game.board.regions
    graph: PointGraph = nx.Graph()
    for site in rules.game.board.sites:
        on = frozenset(side for side in SIDES if regions[side] >> site.index & 1)
        graph.add_node((site.row, site.column), sides=on)
    for (a, b), by in links(rules).items():
        graph.add_edge(a, b, by=by)
    return graph


def diamond(order: int, corner: str, down: int, across: int) -> PointGraph:
    """Return the like of `bridg_it` on a diamond of a Trellis board that has room to move it."""
    board = links(rules_of("trellis", size=2 * order + 1, corner=corner))
    graph: PointGraph = nx.Graph()
    last = 2 * order - 1
    back = {}
    for row in range(1, last + 1):
        for column in range(2 - row % 2, last + 1, 2):
            edges = {"bottom": row == 1, "top": row == last}
            edges |= {"left": column == 1, "right": column == last}
            on = frozenset(side for side, lies in edges.items() if lies)
            graph.add_node((row, column), sides=on)
            turned = in_trellis((row, column))
            back[turned[0] + down, turned[1] + order + across] = (row, column)
    for (a, b), by in board.items():
        if a in back and b in back:
            graph.add_edge(back[a], back[b], by=by)
    return graph


def same(a: Mapping[str, object], b: Mapping[str, object]) -> bool:
    return a == b


@pytest.mark.parametrize("order", range(2, 7))
def test_bridg_it_is_a_diamond_of_trellis(order: int) -> None:
    original = bridg_it(order)
    assert original.number_of_nodes() == order**2 + (order - 1) ** 2
    for corner in ("dark", "light"):
        for down, across in product(range(3), repeat=2):
            cut = diamond(order, corner, down, across)
            # Moving the diamond by one point exchanges the colours, as does a larger order.
            fits = (order + down + across) % 2 == (corner == "light")
            equal = nx.utils.graphs_equal(original, cut)
            isomorphic = nx.is_isomorphic(original, cut, node_match=same, edge_match=same)
            assert (equal, isomorphic) == (fits, fits)


def test_a_square_board_of_trellis_is_no_bridg_it() -> None:
    points = {len(rules_of("bridg-it", order=order).game.board.sites) for order in range(2, 13)}
    assert min(points) < len(load("trellis").game.board.sites) < max(points)
    assert len(load("trellis").game.board.sites) not in points


# -------------------------------------------------------------------- the pairing

FIRST: Place = (1, 1)


@cache
def pairing(order: int) -> Sequence[Pair]:
    """Return the pairs of which the first player always takes the other point.

    The diagonal from the first move halves the board. A point in an even row goes with its
    neighbour to the upper left, where it lies above the diagonal, or else to the lower right.
    What remains goes along the diagonal.
    """
    even = range(2, 2 * order, 2)
    above = [((r, c), (r + 1, c - 1)) for r in even for c in even if r > c]
    below = [((r, c), (r - 1, c + 1)) for r in even for c in even if r <= c]
    along = [((n + 1, n - 1), (n + 1, n + 1)) for n in even]
    return [*above, *below, *along]


def adjacent(a: Place, b: Place) -> bool:
    """Tell whether two points are directly adjacent: next to each other on the Trellis board."""
    return steps(a, b) == 1


def steps(a: Place, b: Place) -> int:
    """Return how many steps there are from one point to another on the Trellis board."""
    (down, across), (low, far) = in_trellis(a), in_trellis(b)
    return abs(down - low) + abs(across - far)


@pytest.mark.parametrize("order", range(2, 13))
def test_the_pairs_cover_the_board_and_most_are_directly_adjacent(order: int) -> None:
    points = [FIRST, *(point for pair in pairing(order) for point in pair)]
    assert len(points) == len(set(points))
    assert set(points) == set(bridg_it(order))
    near = [pair for pair in pairing(order) if adjacent(*pair)]
    assert (len(near), len(pairing(order))) == ((order - 1) ** 2, order * (order - 1))
    # No pairing has more: the directly adjacent form a bipartite graph.
    every = nx.Graph(pair for pair in combinations(bridg_it(order), 2) if adjacent(*pair))
    assert len(nx.max_weight_matching(every)) == len(near)


def escapes(order: int, first: Place, pairs: Sequence[Pair]) -> bool:
    """Tell whether White can join his sides with at most one point of each pair.

    Tries every chain that has no shorter way between two of its points.
    """
    partner = {a: b for pair in pairs for a, b in (pair, pair[::-1])}
    neighbours: dict[Place, set[Place]] = {place: set() for place in bridg_it(order)}
    for a, b in linked(rules_of("bridg-it", order=order), "link(White)"):
        neighbours[a].add(b)

    def goes_on(place: Place, closed: frozenset[Place]) -> bool:
        if place[1] == 2 * order - 1:
            return True
        onward = neighbours[place] - closed - {partner[place]}
        closed |= neighbours[place] | {place, partner[place]}
        return any(goes_on(there, closed) for there in onward)

    left = {place for place in neighbours if place[1] == 1}
    return any(goes_on(place, frozenset(left | {first})) for place in left - {first})


@pytest.mark.parametrize("order", range(2, 8))
def test_no_chain_across_takes_one_point_of_each_pair_only(order: int) -> None:
    assert not escapes(order, FIRST, pairing(order))


@pytest.mark.parametrize("order", range(2, 8))
def test_the_same_pairs_on_the_other_side_of_the_diagonal_would_not_do(order: int) -> None:
    turned = [(a[::-1], b[::-1]) for a, b in pairing(order)]
    assert escapes(order, FIRST, turned)


@pytest.mark.parametrize("order", [2, 3, pytest.param(4, marks=pytest.mark.slow)])
def test_one_point_of_each_pair_is_enough(order: int) -> None:
    black: PointGraph = nx.Graph(linked(rules_of("bridg-it", order=order), "link(Black)"))
    for taken in product(*pairing(order)):
        chains = nx.connected_components(black.subgraph({FIRST, *taken}))
        assert any({1, 2 * order - 1} <= {row for row, _ in chain} for chain in chains)


def names(order: int) -> dict[Place, str]:
    """Return what each point is called."""
    sites = rules_of("bridg-it", order=order).game.board.sites
    return {(site.row, site.column): site.name for site in sites}


@pytest.mark.parametrize("order", range(2, 7))
@pytest.mark.parametrize("games", [10, pytest.param(200, marks=pytest.mark.slow)])
def test_the_pairing_beats_random_play(order: int, games: int) -> None:
    called = names(order)
    partner = {called[a]: called[b] for pair in pairing(order) for a, b in (pair, pair[::-1])}
    chance = random.Random(f"{order} {games}")
    for _ in range(games):
        position = rules_of("bridg-it", order=order).start().play(called[FIRST])
        while not position.over:
            reply = chance.choice(position.moves())
            position = position.play(reply)
            if not position.over:
                position = position.play(partner[reply.text])
        assert position.outcome is not None
        assert position.outcome.winners == ("Black",)


# -------------------------------------------------------- two stones, a gap apart


def halves(order: int) -> Iterator[dict[Place, Place]]:
    """Yield each point's partner, for the directly adjacent pairs of one half, then the other."""
    near = [pair for pair in pairing(order) if adjacent(*pair)]
    for upper in (True, False):
        pairs = [(a, b) for a, b in near if (a[0] > a[1]) == upper]
        yield {a: b for pair in pairs for a, b in (pair, pair[::-1])}


def answers(order: int, gap: int) -> Iterator[bool]:
    """Yield, for each two stones of one half a gap apart, whether their partners are that, too.

    The two stones are a turn of Trellis with this gap, and no pair. Their partners are the
    pairing's answer; it is a turn, too, if they are as far apart.
    """
    board = rules_of("trellis", size=2 * order + 1, gap=gap)
    apart = set(linked(board, "apart"))

    def far(a: Place, b: Place) -> bool:
        (down, across), (low, side) = in_trellis(a), in_trellis(b)
        return ((down, across + order), (low, side + order)) in apart

    for half in halves(order):
        for a, b in combinations(half, 2):
            if far(a, b):
                assert half[a] != b
                yield far(half[a], half[b])


@pytest.mark.parametrize("gap", [2, 4, 6])
def test_an_even_gap_lets_the_pairing_answer_both_stones_at_once(gap: int) -> None:
    """Stones an even gap apart lie alike in their pairs, so their partners are as far apart.

    Two points an even number of steps apart have the same parity, and within a half the parity
    tells to which side the partner lies. This is what is true of the reason that the author gives
    for the gap of three: an even gap does not separate what answers two stones. It holds for
    directly adjacent pairs of one half; of the pairs along the diagonal, a gap of two takes both
    points in one turn.
    """
    replies = list(answers(7, gap))
    assert len(replies) > 100
    assert all(replies)


@pytest.mark.parametrize("gap", [3, 5])
def test_an_odd_gap_mostly_does_not(gap: int) -> None:
    replies = list(answers(7, gap))
    assert 0 < sum(replies) < len(replies) / 4


@pytest.mark.parametrize("order", range(2, 7))
def test_a_gap_of_two_takes_both_points_of_a_pair_along_the_diagonal(order: int) -> None:
    apart = [steps(*pair) for pair in pairing(order) if not adjacent(*pair)]
    assert apart == [2] * (order - 1)
