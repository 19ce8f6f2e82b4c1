"""What must be so of the games that were read from their authors' texts.

Counts of moves, who may choose sides, and what holds in every game of seeded random play: a few
games in each run, more than 200 of each kind in all.
"""

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise, permutations, product

import pytest

from gdl.board.board import Site
from gdl.diagnostic import Source, Span
from gdl.interpreter import Position, Rules, load

OPTIONS = Mapping[str, str | int | bool]
Place = tuple[int, int]
GAMES = [range(10), pytest.param(range(10, 210), marks=pytest.mark.slow)]
"""The seeds of the games that are played in each run, and of those that take longer."""
DIAGONAL = ["diagonal-bridg-it"]


def value(position: Position, text: str) -> object:
    span = Span(Source("test", text), 0, len(text))
    return position.value(position.rules.game.words.expression(span, None))


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


def full_boards(rules: Rules, seeds: range) -> Iterator[Position]:
    """Yield boards filled at random, from even to lopsided."""
    empty = rules.start().rows()
    for seed in seeds:
        chance = random.Random(seed)
        symbols = chance.choice(["XO", "XXO", "XOO"])
        drawn = "".join(chance.choice(symbols) if char == "." else char for char in empty)
        yield rules.from_rows(drawn, mover=chance.choice(rules.sides))


@pytest.mark.parametrize(
    ("name", "other"),
    [("taifas", "Divide and Rule"), ("blocs", "Turnablock"), ("bridg-it", "Gale")],
)
def test_is_found_by_its_other_name(name: str, other: str) -> None:
    assert load(other).game.name == name


# ---------------------------------------------------------------- move counts


COUNTS = [
    ("taifas", [], [162, 26082]),
    ("taifas", ["no-swap"], [162, 25920]),
    ("blocs", [], [32, 960]),
    ("trellis-original", [], [289, 289 * 288]),
    ("quadrant-hex", [], [196, 196 * 195 + 196]),
    ("quadrant-hex", ["no-pie"], [196, 196 * 195]),
    ("bridg-it", [], [41, 41 * 40]),
]


@pytest.mark.parametrize(("name", "variants", "counts"), COUNTS)
def test_perft(name: str, variants: list[str], counts: list[int]) -> None:
    start = load(name, variants=variants).start()
    evaluator = start.rules.evaluator
    assert [evaluator.perft(start.state, depth) for depth in (1, 2)] == counts


@pytest.mark.slow
def test_perft_of_trellis() -> None:
    start = load("trellis", variants=["no-pie"]).start()
    assert start.rules.evaluator.perft(start.state, 2) == 1700799


# ---------------------------------------------------------------- who sits where


@pytest.mark.parametrize(("side", "seat"), [("Black", 1), ("White", 2)])
def test_the_second_player_of_trellis_picks_a_side(side: str, seat: int) -> None:
    position = load("trellis", {"size": 4}).start()
    for mover, move in [("Black", "b2"), ("White", "pass"), ("Black", "pass")]:
        assert (position.mover, position.seat) == (mover, 1)
        position = position.play(move)
    assert position.seat == 2
    position = position.play(side)
    assert (position.mover, position.seat) == ("White", seat)
    assert (position.play("c3").mover, position.play("c3").seat) == ("Black", 3 - seat)


@pytest.mark.parametrize(
    ("name", "variants", "move"),
    [("trellis", ["swap"], "b2"), ("taifas", [], "White b2"), ("quadrant-hex", [], "b2")],
)
def test_after_a_swap_the_first_player_is_on_turn(
    name: str, variants: list[str], move: str
) -> None:
    position = load(name, variants=variants).start().play(move).play("swap")
    assert (position.mover, position.seat) == ("White", 1)
    assert "swap" not in [other.text for other in position.moves()]


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
FULL: Sequence[tuple[str, OPTIONS, list[str], tuple[str, str]]] = [
    *((*game, JOINED) for game in CONNECTION),
    ("bridg-it", {}, [], JOINED),
    ("trellis", {"size": 9}, [], JOINED),
    (
        "hex",
        {"size": 5},
        [],
        ("joined(top, bottom, adjacent, Red)", "joined(left, right, adjacent, Blue)"),
    ),
    (
        "y",
        {"size": 5},
        [],
        (
            "some g in groups(Black, adjacent) where spans(g)",
            "some g in groups(White, adjacent) where spans(g)",
        ),
    ),
]


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize(("name", "options", "variants", "goals"), FULL)
def test_on_a_full_board_exactly_one_side_has_its_goal(
    name: str, options: OPTIONS, variants: list[str], goals: tuple[str, str], seeds: range
) -> None:
    found = set()
    for position in full_boards(load(name, options, variants), seeds):
        reached = tuple(bool(value(position, text)) for text in goals)
        assert sum(reached) == 1
        found.add(reached)
    assert len(found) == 2


@pytest.mark.parametrize("seeds", GAMES)
def test_trellis_is_drawn_by_passing_only(seeds: range) -> None:
    rules = load("trellis", {"size": 4})
    for seed in seeds:
        *_, before, last = random_game(rules, seed)
        joined = [bool(value(last, text)) for text in JOINED]
        if winners(last):
            assert winners(last) == (rules.sides[joined.index(True)],)
        else:
            assert not any(joined)
            assert before.pieces() == last.pieces()
            assert value(last, "passed") == 2


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize(("name", "options", "variants"), CONNECTION)
def test_play_ends_with_one_winner(
    name: str, options: OPTIONS, variants: list[str], seeds: range
) -> None:
    rules = load(name, options, variants)
    for seed in seeds:
        *before, last = random_game(rules, seed)
        joined = [bool(value(last, text)) for text in JOINED]
        assert winners(last) == (rules.sides[joined.index(True)],)
        assert not any(value(before[-1], text) for text in JOINED)


FIVE: Sequence[tuple[str, OPTIONS]] = [
    ("trellis-original", {"half": 3}),
    ("trellis-original", {"half": 2, "corner": "light"}),
    ("quadrant-hex", {"half": 3}),
]


@pytest.mark.at_night("trellis-original")
@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize(("name", "options"), FIVE)
def test_each_of_five_games_has_one_winner(name: str, options: OPTIONS, seeds: range) -> None:
    shares = set()
    for position in full_boards(load(name, options), seeds):
        black, white = value(position, "games(Black)"), value(position, "games(White)")
        assert isinstance(black, int)
        assert isinstance(white, int)
        assert black + white == 5
        shares.add(black)
    assert len(shares) > 2


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize(("name", "options"), FIVE)
def test_play_ends_when_three_of_five_are_won(name: str, options: OPTIONS, seeds: range) -> None:
    rules = load(name, options)
    for seed in seeds:
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


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize("variants", [[], ["no-capture-exception"]])
def test_a_drop_of_troll_flips_just_what_it_catches(variants: list[str], seeds: range) -> None:
    rules = load("troll", variants=variants)
    flipped = 0
    for seed in seeds:
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
    assert flipped > len(seeds)


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


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize(("options", "variants"), BLOCS)
def test_flipping_counts_down_to_the_end(
    options: OPTIONS, variants: list[str], seeds: range
) -> None:
    rules = load("blocs", options, variants)
    flips = 0
    for seed in seeds:
        positions = random_game(rules, seed)
        full = [position for position in positions if len(position.pieces()) == 9]
        numbers = [as_number(position) for position in full]
        assert all(a > b for a, b in pairwise(numbers))
        assert numbers[-1] == 0
        assert winners(positions[-1]) == (positions[-2].mover,)
        flips += len(numbers) - 1
    assert flips > len(seeds)


@pytest.mark.parametrize("seeds", GAMES)
def test_flipping_from_opposite_sides_does_not_count_down(seeds: range) -> None:
    rules = load("blocs", {"size": 2}, ["opposite"])
    up = drawn = 0
    for seed in seeds:
        positions = random_game(rules, seed)
        numbers = [as_number(position) for position in positions if len(position.pieces()) == 4]
        up += sum(a < b for a, b in pairwise(numbers))
        if not winners(positions[-1]):
            drawn += 1
            last = positions[-1].pieces(), positions[-1].mover
            assert [(p.pieces(), p.mover) for p in positions].count(last) == 3
    assert up > 0
    assert drawn > 0


# -------------------------------------------------------------------- Taifas


def zones(pieces: Mapping[Place, str], side: str, size: int) -> list[frozenset[Place]]:
    """Return the zones of a side: what a flood that its stones stop reaches, square by square."""
    if side not in pieces.values():
        return []
    free = {(x, y) for x, y in product(range(1, size + 1), repeat=2) if pieces.get((x, y)) != side}
    found: list[frozenset[Place]] = []
    while free:
        zone = waiting = {min(free)}
        while waiting:
            waiting = {place for place in free - zone if near(place, waiting)}
            zone = zone | waiting
        found.append(frozenset(zone))
        free -= zone
    return found


def near(place: Place, others: Iterable[Place]) -> bool:
    """Tell whether one of the others is orthogonally next to a place."""
    return any(abs(place[0] - x) + abs(place[1] - y) == 1 for x, y in others)


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_zones_of_taifas_part_the_squares_without_a_sides_stones(
    size: int, seeds: range
) -> None:
    rules = load("taifas", {"size": size})
    most = 0
    for seed in seeds:
        positions = random_game(rules, seed)
        for position in {positions[len(positions) // 2], positions[-2], positions[-1]}:
            owners = discs(position)
            for side in rules.sides:
                found = zones(owners, side, size)
                covered = [place for zone in found for place in zone]
                free = size**2 - list(owners.values()).count(side)
                assert len(covered) == len(set(covered)) == (free if found else 0)
                assert not any(near(place, b) for a, b in permutations(found, 2) for place in a)
                assert value(position, f"zones({side})") == len(found)
                most = max(most, len(found))
    assert most >= size


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize("variants", [[], ["no-swap"], ["fractional"], ["last-changed-zone"]])
@pytest.mark.parametrize("size", [2, 3, 4])
def test_no_game_of_taifas_is_drawn(size: int, variants: list[str], seeds: range) -> None:
    rules = load("taifas", {"size": size}, variants)
    for seed in seeds:
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


@pytest.mark.parametrize("seeds", GAMES)
@pytest.mark.parametrize("variants", [[], ["corner-auto"]])
def test_tiles_have_two_colours_and_do_not_meet_their_images(
    variants: list[str], seeds: range
) -> None:
    rules = load("trichet", {"tiles": 10}, variants)
    corners = neighbourhood(rules)
    for seed in seeds:
        for position in random_game(rules, seed):
            check_tiles(position, corners, 10)


@pytest.mark.parametrize("line", [0, 1])
def test_tiles_that_stretch_do_not_meet_their_images(line: int) -> None:
    rules = load("trichet", {"tiles": 12})
    corners = neighbourhood(rules)
    chance = random.Random(line)
    widest = 0
    for _ in range(5):
        position = rules.start()
        while not position.over:
            moves = chance.sample(position.moves(), min(20, len(position.moves())))
            after = [position.play(move) for move in moves]
            position = max(after, key=lambda child: len(reach(child, corners)[line]))
            check_tiles(position, corners, 12)
        widest = max(widest, len(reach(position, corners)[line]))
    assert widest >= 8
