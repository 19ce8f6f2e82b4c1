"""The games that a file holds: itself, with its variants, with its options at their edges.

In: a game's name or path, and the variants and options that are asked for. Out: combinations,
each with its game. What then holds: no two of them are the same; variants that exclude each
other are left out.
"""

from __future__ import annotations

import itertools
import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from gdl.data_classes import dataclass
from gdl.diagnostic import GameError
from gdl.load import load_game
from gdl.model import Game, OptionInfo


@dataclass(frozen=True)
class Combination:
    """Variants and options of a game, as a user would ask for them."""

    variants: tuple[str, ...] = ()
    options: Mapping[str, str] = field(default_factory=dict)

    @property
    def arguments(self) -> str:
        """What to write on a command line behind the name of the game.

        >>> Combination(("misere",), {"size": "4"}).arguments
        '--variant misere --option size=4'
        """
        variants = [f"--variant {shlex.quote(name)}" for name in self.variants]
        options = [
            f"--option {shlex.quote(f'{name}={value}')}" for name, value in self.options.items()
        ]
        return " ".join(variants + options)


def combinations_of(
    name: str,
    variants: Sequence[str] = (),
    options: Mapping[str, str] | None = None,
    *,
    edges: bool = False,
) -> Iterator[tuple[Combination, Game]]:
    """Yield each combination with its game, loaded.

    With `variants`, only these together; else none, each alone, and each two that can be had
    together. `options` hold for all. With `edges`, there follow the game with each option at
    the ends of its range or at each of its names; an option that a variant adds, with that variant.
    Raises GameError if the game, or a variant alone, can't be loaded; what else can't be loaded is
    left out.
    """
    common = dict(options or {})
    plain = Combination(tuple(variants), common)
    game = load_game(name, common, plain.variants)
    yield plain, game
    offered = [(plain.variants, option) for option in game.options]
    if not variants:
        for variant in game.all_variants:
            varied = load_game(name, common, (variant,))
            yield Combination((variant,), common), varied
            offered += [((variant,), option) for option in added_options(game, varied)]
        for pair in itertools.combinations(game.all_variants, 2):
            yield from _loaded(name, Combination(pair, common))
    if edges:
        for among, option in offered:
            if option.name in common:
                continue
            for value in edges_of(option, game.sides):
                yield from _loaded(name, Combination(among, {**common, option.name: value}))


def _loaded(name: str, combination: Combination) -> Iterator[tuple[Combination, Game]]:
    try:
        yield combination, load_game(name, combination.options, combination.variants)
    except GameError:
        return


def added_options(game: Game, varied: Game) -> tuple[OptionInfo, ...]:
    """Return the options that a game has in a variant alone."""
    known = {option.name for option in game.options}
    return tuple(option for option in varied.options if option.name not in known)


def edges_of(option: OptionInfo, sides: Sequence[str]) -> tuple[str, ...]:
    """Return the values of an option that are worth a try besides its value.

    These are the least and the greatest of a number, and each side, name, `yes` and `no`.

    >>> edges_of(OptionInfo("size", "5", "5", "2..9"), ())
    ('2', '9')
    >>> edges_of(OptionInfo("goal", "lines", "lines", "lines, corners"), ())
    ('corners',)
    """
    parts = [part.strip() for part in option.allowed.split(",") if part.strip()]
    ends = [end.strip() for part in parts for end in part.split("..")]
    if _is_whole(option.default):
        numbers = sorted(int(end) for end in ends if _is_whole(end))
        tried = [str(numbers[0]), str(numbers[-1])] if numbers else []
    elif option.default in ("yes", "no"):
        tried = ["yes", "no"]
    elif option.default in sides:
        tried = ends or list(sides)
    else:
        tried = parts if option.default in parts else []
    return tuple(value for value in dict.fromkeys(tried) if value != option.value)


def inner_values_of(option: OptionInfo, sides: Sequence[str]) -> tuple[str, ...]:
    """Return some values inside the range of an option that is a number.

    They are those next to its default, and one half way to each end: even and odd ones.

    >>> inner_values_of(OptionInfo("size", "5", "5", "2..9"), ())
    ('4', '6', '3', '7')
    >>> inner_values_of(OptionInfo("goal", "lines", "lines", "lines, corners"), ())
    ()
    """
    edges = edges_of(option, sides)
    if not _is_whole(option.default) or len(edges) < 2 or ".." not in option.allowed:
        return ()
    default, low, high = int(option.default), int(edges[0]), int(edges[-1])
    tried = [default - 1, default + 1, (low + default) // 2, (default + high) // 2]
    return tuple(str(value) for value in dict.fromkeys(tried) if low < value < high)


def _is_whole(text: str) -> bool:
    return text.removeprefix("-").isdigit()
