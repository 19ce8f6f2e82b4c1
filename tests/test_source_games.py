"""What must be so of the games that were read from their authors' texts.

Counts of moves, the equivalence of two connection games as graphs, a strategy that never loses,
and what holds in every game of seeded random play.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise, product
from typing import TypeAlias

import networkx as nx
import pytest

from gdl.board.board import Site
from gdl.diagnostic import Source, Span
from interpreter import Position, Rules, load

OPTIONS = Mapping[str, str | int | bool]
GAMES = 20
DIAGONAL = ["diagonal-bridg-it"]


def value(position: Position, text: str) -> object:
    span = Span(Source("test", text), 0, len(text))
    return position.value(position.rules.game.expression(span, None))


def random_game(rules: Rules, seed: int) -> list[Position]:
    """Play random moves until the game ends."""
    chance = random.Random(seed)
    positions = [rules.start()]
    while not positions[-1].over:
        positions.append(positions[-1].play(chance.choice(positions[-1].moves())))
    return positions


def winners(position: Position) -> tuple[str, ...]:
    assert position.outcome is not None
    return position.outcome.winners


def full_boards(rules: Rules, count: int) -> Iterator[Position]:
    """Yield boards filled at random, from even to lopsided."""
    chance = random.Random(count)
    empty = rules.start().rows()
    for _ in range(count):
        symbols = chance.choice(["XO", "XXO", "XOO"])
        drawn = "".join(chance.choice(symbols) if char == "." else char for char in empty)
        yield rules.from_rows(drawn, mover=chance.choice(rules.sides))


# ---------------------------------------------------------------- move counts


@pytest.mark.parametrize(("name", "counts"), [("taifas", [162, 26082]), ("blocs", [32, 960])])
def test_perft(name: str, counts: list[int]) -> None:
    start = load(name).start()
    evaluator = start.rules.evaluator
    assert [evaluator.perft(start.state, depth) for depth in (1, 2)] == counts


@pytest.mark.slow
def test_perft_of_trellis() -> None:
    start = load("trellis", variants=["no-pie"]).start()
    assert start.rules.evaluator.perft(start.state, 2) == 1700799


# -------------------------------------------- Bridg-It, cut from a Trellis board

Place = tuple[int, int]
PointGraph: TypeAlias = "nx.Graph[Place]"
SIDES = ("top", "bottom", "left", "right")
LINKS = ("link(Black)", "link(White)")


@cache
def rules_of(name: str, **options: str | int) -> Rules:
    return load(name, options=options, variants=DIAGONAL if name == "trellis" else [])


def links(rules: Rules) -> dict[frozenset[Place], str]:
    """Return who may link two places (row, column): the names of the relations, joined."""
    places = [(site.row, site.column) for site in rules.game.board.sites]
    found: dict[frozenset[Place], str] = {}
    for name in LINKS:
        pairs = {frozenset((places[a], places[b])) for a, b in rules.game.relations[name].pairs()}
        for pair in pairs:
            found[pair] = found.get(pair, "") + name
    return found


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
            turned = ((row + column) // 2 + down, (row - column) // 2 + order + across)
            back[turned] = (row, column)
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
        for down in range(3):
            for across in range(3):
                cut = diamond(order, corner, down, across)
                # Moving the diamond by one point exchanges the colours, as does a larger order.
                fits = (order + down + across) % 2 == (corner == "light")
                equal = nx.utils.graphs_equal(original, cut)
                isomorphic = nx.is_isomorphic(original, cut, node_match=same, edge_match=same)
                assert (equal, isomorphic) == (fits, fits)


# The first player takes the middle of order 3, and then always the other point of a pair: two
# that are neighbours on the Trellis board, or next to each other on the first player's own side.
MIDDLE = (3, 3)
PAIRS: Sequence[tuple[Place, Place]] = [
    ((1, 1), (2, 2)),
    ((1, 3), (1, 5)),
    ((2, 4), (3, 5)),
    ((3, 1), (4, 2)),
    ((4, 4), (5, 5)),
    ((5, 1), (5, 3)),
]


def test_the_pairs_are_close_and_cover_the_board() -> None:
    points = [MIDDLE, *(point for pair in PAIRS for point in pair)]
    assert len(points) == 13
    assert set(points) == set(bridg_it(3))
    for a, b in PAIRS:
        neighbours = abs(a[0] - b[0]) == abs(a[1] - b[1]) == 1
        assert neighbours or (a[0] == b[0] in {1, 5} and abs(a[1] - b[1]) == 2)


def test_one_point_of_each_pair_is_enough() -> None:
    rows = {
        site.index: (site.row, site.column)
        for site in rules_of("bridg-it", order=3).game.board.sites
    }
    black = rules_of("bridg-it", order=3).game.relations["link(Black)"]
    for taken in product(*PAIRS):
        own = {MIDDLE, *taken}
        chains = nx.Graph([(rows[a], rows[b]) for a, b in black.pairs()]).subgraph(own)
        assert any({1, 5} <= {row for row, _ in chain} for chain in nx.connected_components(chains))


@pytest.mark.parametrize("games", [60, pytest.param(1000, marks=pytest.mark.slow)])
def test_the_pairing_beats_random_play(games: int) -> None:
    rules = rules_of("bridg-it", order=3)
    names = {(site.row, site.column): site.name for site in rules.game.board.sites}
    partner = {names[a]: names[b] for pair in PAIRS for a, b in (pair, pair[::-1])}
    chance = random.Random(games)
    for _ in range(games):
        position = rules.start().play(names[MIDDLE])
        while not position.over:
            reply = chance.choice(position.moves())
            position = position.play(reply)
            if not position.over:
                answer = partner[reply.text]
                position = position.play(answer)
        assert winners(position) == ("Black",)


# ------------------------------------------------------- connection on full boards

CONNECTION: Sequence[tuple[str, OPTIONS, list[str]]] = [
    ("bridg-it", {"order": 3}, []),
    ("bridg-it", {"order": 4}, []),
    ("trellis", {"size": 5}, DIAGONAL),
    ("trellis", {"size": 6, "corner": "light"}, DIAGONAL),
]
JOINED = (
    "joined(top, bottom, link(Black), Black)",
    "joined(left, right, link(White), White)",
)


@pytest.mark.parametrize(("name", "options", "variants"), CONNECTION)
def test_a_full_board_joins_exactly_one_pair_of_sides(
    name: str, options: OPTIONS, variants: list[str]
) -> None:
    found = set()
    for position in full_boards(load(name, options, variants), GAMES):
        joined = tuple(bool(value(position, text)) for text in JOINED)
        assert sum(joined) == 1
        found.add(joined)
    assert len(found) == 2


@pytest.mark.parametrize(("name", "options", "variants"), CONNECTION)
def test_play_ends_with_one_winner(name: str, options: OPTIONS, variants: list[str]) -> None:
    rules = load(name, options, variants)
    for seed in range(GAMES):
        *before, last = random_game(rules, seed)
        joined = [bool(value(last, text)) for text in JOINED]
        assert winners(last) == (rules.sides[joined.index(True)],)
        assert not any(value(before[-1], text) for text in JOINED)


FIVE: Sequence[tuple[str, OPTIONS]] = [
    ("trellis-original", {"half": 3}),
    ("trellis-original", {"half": 2, "corner": "light"}),
    ("quadrant-hex", {"half": 3}),
]


@pytest.mark.parametrize(("name", "options"), FIVE)
def test_each_of_five_games_has_one_winner(name: str, options: OPTIONS) -> None:
    shares = set()
    for position in full_boards(load(name, options), GAMES):
        black, white = value(position, "games(Black)"), value(position, "games(White)")
        assert isinstance(black, int)
        assert isinstance(white, int)
        assert black + white == 5
        shares.add(black)
    assert len(shares) > 2


@pytest.mark.parametrize(("name", "options"), FIVE)
def test_play_ends_when_three_of_five_are_won(name: str, options: OPTIONS) -> None:
    rules = load(name, options)
    for seed in range(GAMES // 4):
        *before, last = random_game(rules, seed)
        (winner,) = winners(last)
        counts = [value(position, f"games({winner})") for position in (before[-1], last)]
        assert isinstance(counts[0], int)
        assert isinstance(counts[1], int)
        assert counts[0] < 3 <= counts[1]


# --------------------------------------------------------------------- Troll


def caught(pieces: Mapping[Place, str], place: Place, mover: str) -> set[Place]:
    """Return the enemies in straight lines between `place` and a disc of the mover."""
    found: set[Place] = set()
    steps = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
    for dx, dy in steps:
        line = []
        x, y = place[0] + dx, place[1] + dy
        while pieces.get((x, y), mover) != mover:
            line.append((x, y))
            x, y = x + dx, y + dy
        if (x, y) in pieces:
            found.update(line)
    return found


def discs(position: Position) -> dict[Place, str]:
    """Return who owns the disc at each place (column, row)."""
    sites = {site.name: (site.column, site.row) for site in position.rules.game.board.sites}
    return {sites[name]: piece.split()[0] for name, piece in position.pieces().items()}


def test_a_drop_of_troll_flips_just_what_it_catches() -> None:
    rules = load("troll")
    flipped = 0
    for seed in range(GAMES):
        positions = random_game(rules, seed)
        for before, after in pairwise(positions):
            old, new = discs(before), discs(after)
            dropped = new.keys() - old.keys()
            assert old.keys() <= new.keys()
            assert len(dropped) == 1 or new == old
            for place in dropped:
                expected = caught(old, place, before.mover)
                assert {p for p in old if old[p] != new[p]} == expected
                assert not caught(new, place, before.mover)
                flipped += len(expected)
    assert flipped > GAMES


# --------------------------------------------------------------------- Blocs

BLOCS: Sequence[tuple[OPTIONS, list[str]]] = [
    ({"size": 3}, []),
    ({"size": 3}, ["own-colour"]),
    ({"size": 3, "start": "XXX/XXX/XXX"}, ["given-start"]),
]


def as_number(position: Position) -> int:
    """Return the board as a binary number: lower rows are higher digits, then right columns."""
    owners = discs(position)
    order = sorted(owners, key=lambda place: (-place[1], place[0]))
    return sum((owners[place] == "Black") << digit for digit, place in enumerate(order))


@pytest.mark.parametrize(("options", "variants"), BLOCS)
def test_flipping_counts_down_to_the_end(options: OPTIONS, variants: list[str]) -> None:
    rules = load("blocs", options, variants)
    flips = 0
    for seed in range(GAMES):
        positions = random_game(rules, seed)
        full = [position for position in positions if len(position.pieces()) == 9]
        numbers = [as_number(position) for position in full]
        assert all(a > b for a, b in pairwise(numbers))
        assert numbers[-1] == 0
        assert winners(positions[-1]) == (positions[-2].mover,)
        flips += len(numbers) - 1
    assert flips > GAMES


# -------------------------------------------------------------------- Taifas


@pytest.mark.parametrize("variants", [[], ["fractional"], ["last-changed-zone"]])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_no_game_of_taifas_is_drawn(size: int, variants: list[str]) -> None:
    rules = load("taifas", {"size": size}, variants)
    for seed in range(GAMES):
        assert len(winners(random_game(rules, seed)[-1])) == 1


def test_no_game_of_taifas_on_the_smallest_board_is_drawn() -> None:
    waiting = [load("taifas", {"size": 2}).start()]
    ended = 0
    while waiting:
        position = waiting.pop()
        if position.over:
            assert len(winners(position)) == 1
            ended += 1
        else:
            waiting += [position.play(move) for move in position.moves()]
    assert ended == 2 * 384  # Four squares in any order and colours, each with and without a swap.


# ------------------------------------------------------------------- Trichet


def neighbourhood(rules: Rules) -> dict[str, tuple[Site, ...]]:
    """Return the three corners of each position of a tile."""
    sites = rules.game.board.sites
    found: dict[str, tuple[Site, ...]] = {}
    for a, b in rules.game.relations["incident"].pairs():
        if sites[a].kind == "cell":
            found[sites[a].name] = (*found.get(sites[a].name, ()), sites[b])
    return found


def reach(position: Position, corners: Mapping[str, tuple[Site, ...]]) -> tuple[set[int], set[int]]:
    """Return the columns and the rows in which corners of tiles lie."""
    tiles = [name for name, piece in position.pieces().items() if piece == "Tile"]
    reached = {corner for tile in tiles for corner in corners[tile]}
    return {site.column for site in reached}, {site.row for site in reached}


def check_tiles(position: Position, corners: Mapping[str, tuple[Site, ...]], tiles: int) -> None:
    """Check that tiles have both colours, and do not go round the torus either way."""
    pieces = position.pieces()
    placed = [name for name, piece in pieces.items() if piece == "Tile"]
    assert 2 <= len(placed) <= tiles
    for tile in placed:
        colours = [pieces[corner.name] for corner in corners[tile]]
        assert len(colours) == 3
        assert set(colours) == {"Dot Corner", "Oh Corner"}
    # The lattice repeats after tiles + 2 corners: an unreached line keeps the images apart.
    assert all(len(lines) < tiles + 2 for lines in reach(position, corners))


@pytest.mark.parametrize("variants", [[], ["corner-auto"]])
def test_tiles_have_two_colours_and_do_not_meet_their_images(variants: list[str]) -> None:
    rules = load("trichet", {"tiles": 10}, variants)
    corners = neighbourhood(rules)
    for seed in range(GAMES):
        for position in random_game(rules, seed):
            check_tiles(position, corners, 10)


@pytest.mark.parametrize("line", [0, 1])
def test_tiles_that_stretch_do_not_meet_their_images(line: int) -> None:
    rules = load("trichet", {"tiles": 12})
    corners = neighbourhood(rules)
    chance = random.Random(line)
    widest = 0
    for _ in range(GAMES // 4):
        position = rules.start()
        while not position.over:
            moves = chance.sample(position.moves(), min(20, len(position.moves())))
            after = [position.play(move) for move in moves]
            position = max(after, key=lambda child: len(reach(child, corners)[line]))
            check_tiles(position, corners, 12)
        widest = max(widest, len(reach(position, corners)[line]))
    assert widest >= 8
