"""One position for all that are alike: the least of its images under the symmetries of the rules.

In: the position in front of a thread. Out: the least of its images, and keys of it. What then
holds: positions that a symmetry makes of one another have the same least image; without any
symmetry, it is the position itself.
"""

from __future__ import annotations

from gdl.interpreter.search.machine.instructions import address, copy, native
from gdl.interpreter.search.machine.random_numbers import mixed
from gdl.interpreter.search.memory.positions import Desk
from gdl.interpreter.solve.workspace import WORD_BYTES, Bench

KEY_OF_GRAPHS, KEY_OF_TABLES, SECOND_KEY = 0, 1, 2
"""Seeds of keys."""
_BYTE_VALUES = 256
_EMPTY_KEY = 1
"""What a key is that would be 0, which stands for no key."""


@native
def take_least(desk: Desk, bench: Bench) -> int:
    """Put the least image of the position in front of a thread into `least`.

    Return how many different images there are, the position itself among them.
    """
    size = bench.words * WORD_BYTES
    copy(address(bench.least), address(desk.position), size)
    if bench.images == 0:
        return 1
    copy(address(bench.source_bytes), address(desk.position), size)
    same = 1
    for number in range(bench.images):
        _make_image(number, bench)
        order = _compared(bench)
        if order == 0:
            same += 1
        elif order < 0:
            same = 1
            copy(address(bench.least), address(bench.image), size)
    return (bench.images + 1) // same


@native
def _make_image(number: int, bench: Bench) -> None:
    """Put an image of the position in `source_bytes` into `image`."""
    copy(address(bench.image), address(bench.source_bytes), bench.words * WORD_BYTES)
    wide = bench.set_bytes
    for n in range(bench.number_of_sets):
        begin = bench.sets[n]
        for place in range(wide):
            bench.image_bytes[begin + place] = 0
        for place in range(wide):
            value = bench.source_bytes[begin + place]
            if value != 0:
                row = ((number * wide + place) * _BYTE_VALUES + value) * wide
                for target in range(wide):
                    bench.image_bytes[begin + target] |= bench.tables[row + target]
    for n in range(bench.number_of_numbers):
        begin, entry = bench.numbers[n], bench.number_sizes[n]
        for site in range(bench.size):
            target = bench.targets[number * bench.size + site]
            for place in range(entry):
                value = bench.source_bytes[begin + site * entry + place]
                bench.image_bytes[begin + target * entry + place] = value


@native
def _compared(bench: Bench) -> int:
    """Return whether the image stands before the least one (-1), is the same (0) or neither."""
    for n in range(bench.words):
        if bench.image[n] != bench.least[n]:
            return -1 if bench.image[n] < bench.least[n] else 1
    return 0


@native
def key(bench: Bench, seed: int) -> int:
    """Return 64 bits of the least image, which are never 0; a seed gives keys of its own."""
    found = mixed(seed)
    for n in range(bench.words):
        found = mixed(found ^ bench.least[n]) + n
    return found if found != 0 else _EMPTY_KEY


@native
def images_at(desk: Desk, bench: Bench) -> int:
    """Return how many different images the position in front of a thread has."""
    return take_least(desk, bench)


@native
def key_at(desk: Desk, bench: Bench) -> int:
    """Put the key of the position in front of a thread into `found`; return its images."""
    images = take_least(desk, bench)
    bench.found[0] = key(bench, KEY_OF_TABLES)
    return images
