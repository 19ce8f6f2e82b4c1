"""Set-ups, teams and payoffs that leave a side out, or turn against it.

In: a game. Out: notes and warnings. What then holds: no symmetry of the board turns the pieces of
one side, as they are set up, into those of the other.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.board.relation import bits
from gdl.board.symmetries import Permutation, moved_set, with_shifts
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping
from gdl.model import Game
from interpreter.check.places import key_span, note, warning
from interpreter.check.rules.numbers import range_in, ranges_of
from interpreter.check.rules.stuck import moves_pieces
from interpreter.words.english import does

_NEARLY = 0.2
"""Of the pieces of the larger side: where more are missing, the sides are meant to be unequal."""

_SEVERAL = 3
"""Of so many pieces, one that is missing may have been forgotten."""
_MIRRORED = 0.6
_MOST_NAMED = 3
"""Where so many pieces are mirrored, the others are meant to be."""


def uneven_setup(game: Game) -> Iterator[Diagnostic]:
    """Yield that two sides are set up nearly alike, but not quite, or that a side is not."""
    place = key_span(game, "setup")
    if place is None:
        return
    yield from _without_pieces(game, place)
    if len(game.sides) != 2:
        return
    first, second = (_standing(game, side) for side in (0, 1))
    numbers = [sum(map(int.bit_count, each.values())) for each in (first, second)]
    missing = abs(numbers[0] - numbers[1])
    there = with_shifts(game.board)
    if not all(numbers) or not there or any(mirrors_setup(game, found) for found in there):
        return
    is_near = missing <= max(_NEARLY * max(numbers), max(numbers) >= _SEVERAL)
    nearest = max(there, key=lambda found: _mirrored(first, second, found))
    mirrored = _mirrored(first, second, nearest)
    if not is_near and mirrored < _MIRRORED * max(numbers):
        return
    what = (
        f"{does(game.sides[:1], 'begins')} with {numbers[0]} pieces,"
        f" {game.sides[1]} with {numbers[1]}."
        if missing
        else f"No symmetry of the board turns the pieces of {game.sides[0]} into those of"
        f" {game.sides[1]}."
    )
    yield note(
        "uneven-setup",
        what + _alone(game, first, second, nearest),
        place,
        "See whether a site is missing, or a piece stands on another one than was meant.",
        [("Pieces are set up here.", span) for span in _said_of_setup(game)],
    )


def _alone(game: Game, first: dict[int, int], second: dict[int, int], symmetry: Permutation) -> str:
    """Return which pieces of both sides have no counterpart where nearly all have one."""
    told = []
    for side, (ones, others, turned) in enumerate(
        ((first, second, _inverse(symmetry)), (second, first, symmetry))
    ):
        sites = 0
        for kind, where in ones.items():
            sites |= where & ~moved_set(others.get(kind, 0), turned)
        names = [game.board.sites[index].name for index in bits(sites)]
        if len(names) > _MOST_NAMED:
            return ""
        told += [f"{game.sides[side]}'s on {' and '.join(names)}"] if names else []
    return f" The nearest leaves {' and '.join(told)} without a counterpart."


def _inverse(symmetry: Permutation) -> Permutation:
    back = [0] * len(symmetry)
    for index, image in enumerate(symmetry):
        back[image] = index
    return tuple(back)


def _said_of_setup(game: Game) -> Iterator[Span]:
    """Yield the entries by which pieces are set up."""
    section = game.document.get("setup")
    for key, value in section.entries if isinstance(section, Mapping) else ():
        yield key.span.to(value.span)


def _mirrored(first: dict[int, int], second: dict[int, int], symmetry: Permutation) -> int:
    """Return how many pieces of one side a symmetry turns into pieces of the other."""
    return sum(
        (moved_set(sites, symmetry) & second.get(kind, 0)).bit_count()
        for kind, sites in first.items()
    )


def _without_pieces(game: Game, place: Span) -> Iterator[Diagnostic]:
    """Yield the sides without a piece, where others have some and the first turn moves pieces."""
    standing = [_standing(game, side) for side in range(len(game.sides))]
    turns, layers = game.program.phases[0].turns, set(game.program.layers)
    for side, name in enumerate(game.sides):
        if any(standing) and not standing[side] and moves_pieces(turns[side], layers):
            yield note(
                "uneven-setup",
                f"{name} begins without a piece, and its turn begins with a choice among pieces.",
                place,
                "Set up its pieces, or let its turn place some.",
            )


def _standing(game: Game, side: int) -> dict[int, int]:
    """Return where the pieces of a side are set up, by their kinds."""
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    found: dict[int, int] = {}
    for layer in game.layers:
        sites = at_start[layer.slot]
        if layer.side == side and isinstance(sites, int) and sites:
            found[layer.kind] = sites
    return found


def has_setup(game: Game) -> bool:
    """Return whether pieces of two sides are set up."""
    return all(_standing(game, side) for side in (0, 1))


def mirrors_setup(game: Game, symmetry: Permutation) -> bool:
    """Return whether a symmetry turns the pieces of one side into those of the other."""
    first, second = (_standing(game, side) for side in (0, 1))
    return {kind: moved_set(sites, symmetry) for kind, sites in first.items()} == second


def alone_in_team(game: Game) -> Iterator[Diagnostic]:
    """Yield a side that is in no team, where all others have partners."""
    alone = [side for side, team in enumerate(game.program.teams) if len(team) == 1]
    if len(alone) == 1 and len(game.program.teams) > 1:
        name = game.sides[alone[0]]
        yield note(
            "no-team",
            f"{name} is in no team, and all others are.",
            key_span(game, "teams"),
            f"Name {name} there, or see whether it is to play alone.",
        )


def losing_wins(game: Game) -> Iterator[Diagnostic]:
    """Yield clauses that are worth less than nothing to the side that wins."""
    ranges = ranges_of(game)
    told: set[Span] = set()
    for turn in game.program.turns:
        for ending in turn.clauses:
            if ending.kind != "wins" or not ending.payoffs or ending.span in told:
                continue
            found = [range_in(ranges, ending.payoffs[side]) for side in ending.sides]
            if ending.span and all(one is not None and one.high < 0 for one in found):
                told.add(ending.span)
                yield warning(
                    "losing-win",
                    "Who wins here is paid less than nothing.",
                    ending.span,
                    "What stands after `by` is what the winner has; whoever loses has as much"
                    " less than nothing.",
                )
