"""Machine code for images, runs along lines and rows of sites, against plain loops."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Iterator, Sequence

import pytest

from gdl.analysis.rows import Lines, lines_of, rows_of
from gdl.board.make import BoardSpec, make_board
from gdl.board.relation import Relation, bits, site_set
from gdl.core import build
from gdl.core.evaluate import ExpressionEvaluator
from gdl.core.nodes import Closure, Expression, Get, Op, Slot
from gdl.core.types import FLAG, SITES
from gdl.interpreter.native.emit.ir import Function, Module
from gdl.interpreter.native.emit.values import Sites
from gdl.interpreter.native.expressions.closures import Floods, direction_of, origin
from gdl.interpreter.native.memory.work_checks import text_of
from gdl.interpreter.native.runtime.machine_code import MachineCode, this_machine
from gdl.interpreter.native.sets.registers import RegisterSets
from gdl.interpreter.native.views.views import bytes_of, write_add

SHAPES = [(3, 3), (8, 8), (7, 6), (11, 11), (15, 15)]
STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)]
LAYER, FRONTIER, SITE = Slot("layer", SITES, True), Slot("frontier", SITES), Slot("s", SITES)
WITHIN = Slot("within", SITES, True)
ROUNDS = 40


def direction(shape: tuple[int, int], step: tuple[int, int]) -> Relation:
    """Return one step over a board of some columns and rows."""
    columns, rows = shape
    pairs = [
        (row * columns + column, (row + step[1]) * columns + column + step[0])
        for row in range(rows)
        for column in range(columns)
        if 0 <= row + step[1] < rows and 0 <= column + step[0] < columns
    ]
    return Relation.from_pairs(columns * rows, pairs)


def image(relation: Relation, of: Expression) -> Op:
    return Op("image", (of,), SITES, relation)


def both(*parts: Expression) -> Op:
    return Op("intersection", parts, SITES)


def run(relation: Relation, seed: Expression) -> Closure:
    """Return what is reached from a set through a layer."""
    return Closure(seed, FRONTIER, both(image(relation, Get(FRONTIER)), Get(LAYER)))


def sparse(chance: random.Random, size: int) -> int:
    return chance.getrandbits(size) | chance.getrandbits(size) if chance.random() < 0.8 else 0


def evaluate(node: Expression, values: dict[Slot, int]) -> int:
    """Return the set that an expression stands for."""
    places = {slot: place for place, slot in enumerate((*values, FRONTIER))}
    found = ExpressionEvaluator(places).function(node)([*values.values(), None])
    assert isinstance(found, int)
    return found


class Code:
    """A function of two sets in memory and a site, that puts a set into memory."""

    def __init__(
        self, size: int, write: Callable[[RegisterSets, Function, Sites, Sites, Sites], Sites]
    ) -> None:
        self.module = Module(this_machine())
        self.sets = RegisterSets(self.module, size)
        f = self.module.function("code", "void", ["ptr %a", "ptr %b", "i64 %site", "ptr %out"])
        a, b = self.sets.read(f, "%a"), self.sets.read(f, "%b")
        site = self.sets.one("%site", is_there=False)
        self.sets.write(f, write(self.sets, f, a, b, site), "%out")
        f.give("void")
        self._machine_code = MachineCode(
            text_of(self.module, ("code",), 16, 1), self.module.tables.addresses
        )
        pointer = ctypes.c_void_p
        self._call = self._machine_code.function(
            "code", None, pointer, pointer, ctypes.c_int64, pointer
        )

    def __call__(self, a: int, b: int = 0, site: int = -1) -> int:
        size = self.sets.bytes
        sets = [ctypes.create_string_buffer(x.to_bytes(size, "little"), size) for x in (a, b)]
        out = ctypes.create_string_buffer(size)
        self._call(*sets, site, out)
        return int.from_bytes(out.raw, "little")


@pytest.mark.at_night("shape4")
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("step", STEPS)
def test_a_flood_in_one_direction_is_that_of_the_loop(
    shape: tuple[int, int], step: tuple[int, int]
) -> None:
    size = shape[0] * shape[1]
    closure = run(direction(shape, step), Get(SITE))
    along = direction_of(closure)
    assert along is not None

    def doubled(sets: RegisterSets, f: Function, seed: Sites, layer: Sites, _: Sites) -> Sites:
        floods = Floods(sets)
        path = floods.path(f, along, [], [layer])
        return floods.by_doubling(f, seed, along, path)

    def ray(sets: RegisterSets, f: Function, _: Sites, layer: Sites, site: Sites) -> Sites:
        floods = Floods(sets)
        path = floods.path(f, along, [], [layer])
        return floods.ray(f, site, along, path)

    by_doubling, by_ray = Code(size, doubled), Code(size, ray)
    chance = random.Random(size)
    for _ in range(ROUNDS):
        seed, layer = sparse(chance, size) & sparse(chance, size), sparse(chance, size)
        values = {SITE: seed, LAYER: layer}
        assert by_doubling(seed, layer) == evaluate(closure, values)
        site = chance.randrange(size)
        reached = evaluate(closure, {SITE: 1 << site, LAYER: layer})
        assert by_ray(0, layer, site) | 1 << site == reached
    assert by_ray(0, (1 << size) - 1, -1) == 0


def test_bounds_before_and_after_the_step_are_kept_apart() -> None:
    east = direction((3, 3), (1, 0))
    step = Op(
        "difference",
        (image(east, both(Get(FRONTIER), Get(LAYER))), build.sites(0b100_100_100)),
        SITES,
    )
    along = direction_of(Closure(Get(SITE), FRONTIER, step))
    assert along is not None
    assert [bound.sites for bound in along.before] == [Get(LAYER)]
    assert along.after == ()
    assert along.shifts == ((0b001_001_001, 1),)
    assert along.relation.longest == 1


@pytest.mark.parametrize("bounds", ["none", "after", "before and after"])
@pytest.mark.parametrize("way", ["east", "northeast", "southeast", "northwest"])
def test_a_run_from_one_site_of_a_hexagon_is_that_of_the_loop(way: str, bounds: str) -> None:
    board = make_board(BoardSpec("hexagonal", "hexagon", (5,)))
    size, step = len(board.sites), board.relations[way]
    closure = Closure(Get(SITE), FRONTIER, image(step, Get(FRONTIER)))
    if bounds == "after":
        closure = run(step, Get(SITE))
    elif bounds == "before and after":
        onward = image(step, both(Get(FRONTIER), Get(WITHIN)))
        closure = Closure(Get(SITE), FRONTIER, Op("difference", (onward, Get(LAYER)), SITES))
    along = direction_of(closure)
    assert along is not None

    def ray(sets: RegisterSets, f: Function, layer: Sites, within: Sites, site: Sites) -> Sites:
        floods = Floods(sets)
        before = [within] if along.before else []
        after = [layer] if along.after else []
        return floods.ray(f, site, along, floods.path(f, along, before, after))

    code = Code(size, ray)
    chance = random.Random(size)
    for _ in range(ROUNDS):
        layer, within = sparse(chance, size), sparse(chance, size) | sparse(chance, size)
        site = chance.randrange(size)
        values = {SITE: 1 << site, LAYER: layer, WITHIN: within}
        assert code(layer, within, site) | 1 << site == evaluate(closure, values)


@pytest.mark.parametrize(
    "step",
    [
        pytest.param(
            image(direction((3, 3), (1, 0)).union(direction((3, 3), (0, 1))), Get(FRONTIER)),
            id="two directions",
        ),
        pytest.param(
            image(direction((3, 3), (1, 0)), image(direction((3, 3), (1, 0)), Get(FRONTIER))),
            id="two steps",
        ),
        pytest.param(
            Op("difference", (Get(LAYER), image(direction((3, 3), (1, 0)), Get(FRONTIER))), SITES),
            id="what a step does not lead to",
        ),
    ],
)
def test_other_floods_are_left_to_the_loop(step: Expression) -> None:
    assert direction_of(Closure(Get(SITE), FRONTIER, step)) is None


def test_the_origin_of_a_seed_that_is_one_step_already() -> None:
    east, north = direction((3, 3), (1, 0)), direction((3, 3), (0, 1))
    begun = run(east, both(image(east, Get(SITE)), Get(LAYER)))
    assert origin(begun.seed, begun) == Get(SITE)
    other = run(east, both(image(north, Get(SITE)), Get(LAYER)))
    assert origin(other.seed, other) is None


# ---------------------------------------------------------------------------- images


@pytest.mark.parametrize("shape", SHAPES)
def test_images_by_shifts(shape: tuple[int, int]) -> None:
    size = shape[0] * shape[1]
    steps = [direction(shape, step) for step in STEPS]
    every = steps[0]
    for step in steps[1:]:
        every = every.union(step)
    hexagonal = steps[0].union(steps[1]).union(steps[2]).union(steps[6]).union(steps[7])
    chance = random.Random(size)
    some = every.restrict(chance.getrandbits(size), chance.getrandbits(size))
    for relation in (*steps, every, hexagonal, some):

        def write(
            sets: RegisterSets,
            f: Function,
            a: Sites,
            b: Sites,
            site: Sites,
            relation: Relation = relation,
        ) -> Sites:
            return sets.image(f, relation, a)

        code = Code(size, write)
        for _ in range(ROUNDS // 4):
            sites = chance.getrandbits(size)
            assert code(sites) == relation.image(sites)
        assert code((1 << size) - 1) == relation.image((1 << size) - 1)


# ------------------------------------------------------------------------------ rows


def row_condition(
    shape: tuple[int, int], length: int, steps: Sequence[tuple[int, int]]
) -> Expression:
    """Return the condition that a layer has so many in a row, in one of some directions."""

    def row(step: tuple[int, int]) -> Expression:
        relation = direction(shape, step)
        images = [image(relation.power(n), Get(LAYER)) for n in range(1, length)]
        return Op("some", (both(Get(LAYER), *images),), FLAG)

    return Op("or", tuple(map(row, steps)), FLAG)


def full_rows(shape: tuple[int, int], length: int) -> Iterator[int]:
    columns, rows = shape
    for column in range(columns):
        for row in range(rows):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                places = [(column + n * dx, row + n * dy) for n in range(length)]
                if all(0 <= x < columns and 0 <= y < rows for x, y in places):
                    yield sum(1 << y * columns + x for x, y in places)


@pytest.mark.parametrize(
    ("shape", "length", "width"),
    [
        ((3, 3), 3, 16),
        ((7, 6), 4, 16),
        ((9, 9), 5, 16),
        ((15, 15), 5, 16),
        ((20, 20), 6, 32),
        ((33, 3), 3, 64),
        ((9, 9), 2, 16),
    ],
)
def test_lines_tell_when_a_row_is_full(shape: tuple[int, int], length: int, width: int) -> None:
    """Layers are filled site by site until a row is full; many sites are on no line of a family."""
    found = rows_of(row_condition(shape, length, STEPS))
    assert found is not None and not found.may_end and found.layers == (LAYER,)
    assert len(found.families) == 4
    lines = lines_of(found.families, shape[0] * shape[1])
    assert lines is not None
    assert (lines.width, lines.length) == (width, length)
    assert_full_rows(lines, list(full_rows(shape, length)))


@pytest.mark.parametrize("shape", [(3, 3), (5, 5), (12, 4)])
def test_rows_that_are_no_runs_have_lines_of_their_own(shape: tuple[int, int]) -> None:
    """Squares of four sites, and four in a row along files."""
    columns, rows = shape
    size = columns * rows
    corners = [y * columns + x for x in range(columns - 1) for y in range(rows - 1)]
    squares = [1 << s | 1 << s + 1 | 1 << s + columns | 1 << s + columns + 1 for s in corners]
    found = rows_of(row_condition(shape, 4, [(0, 1)]))
    families = found.families if found is not None else ()
    squared = frozenset(tuple(bits(square)) for square in squares)
    lines = lines_of((squared, *(family for family in families if family)), size)
    assert lines is not None
    assert lines.length == 4
    files = [site_set(row) for family in families for row in family]
    assert_full_rows(lines, [*squares, *files])


@pytest.mark.parametrize("shape", [(3, 3), (7, 6), (15, 15)])
@pytest.mark.parametrize("step", STEPS[1:6])
def test_a_row_of_steps_is_never_longer_than_its_bound(
    shape: tuple[int, int], step: tuple[int, int]
) -> None:
    size, along = shape[0] * shape[1], direction(shape, step)

    def longest(sets: RegisterSets, f: Function, a: Sites, *_: Sites) -> Sites:
        return sets.one(sets.most_in_line(f, a, along), is_there=True)

    code, chance = Code(size, longest), random.Random(size)
    for layer in (0, 1, (1 << size) - 1, *(sparse(chance, size) for _ in range(ROUNDS))):
        steps, reached = 0, layer
        while reached := along.image(reached) & layer:
            steps += 1
        assert steps <= code(layer).bit_length() - 1 <= 2 * steps


def test_rows_of_two_lengths_have_no_lines() -> None:
    assert lines_of((frozenset(((0, 1, 2),)), frozenset(((3, 4),))), 9) is None
    assert lines_of((frozenset(((0,), (1,))),), 9) is None


def assert_full_rows(lines: Lines, rows: Sequence[int]) -> None:
    """Fail where the lines do not tell that one of these rows is full."""
    size = len(lines.places[0])
    module = Module(this_machine())
    f = module.function("add", "i1", ["ptr %words", "i64 %site"])
    f.give(f"i1 {write_add(module, f, lines, '%words')}")
    machine_code = MachineCode(text_of(module, ("add",), 16, 1), module.tables.addresses)
    add = machine_code.function("add", ctypes.c_bool, ctypes.c_void_p, ctypes.c_int64)
    through: list[list[int]] = [[] for _ in range(size)]
    for row in rows:
        for site in bits(row):
            through[site].append(row)
    chance = random.Random(size)
    answers = set()
    for _ in range(ROUNDS):
        words, layer = ctypes.create_string_buffer(bytes_of(lines)), 0
        for site in chance.sample(range(size), size):
            layer |= 1 << site
            expected = any(row & ~layer == 0 for row in through[site])
            answers.add(expected)
            assert add(words, site) == expected
            if expected:
                break
    assert answers == {True, False}


@pytest.mark.parametrize(
    "condition",
    [
        pytest.param(Op("some", (Get(LAYER),), FLAG), id="a layer alone"),
        pytest.param(
            Op("some", (both(Get(LAYER), image(direction((3, 3), (1, 0)), Get(SITE))),), FLAG),
            id="two sets",
        ),
        pytest.param(
            Op(
                "some",
                (
                    both(
                        Get(LAYER),
                        image(
                            direction((3, 3), (1, 0)).union(direction((3, 3), (-1, 0))),
                            Get(LAYER),
                        ),
                    ),
                ),
                FLAG,
            ),
            id="any of two neighbours",
        ),
    ],
)
def test_conditions_that_are_no_rows(condition: Expression) -> None:
    assert rows_of(condition) is None
