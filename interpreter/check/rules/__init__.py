"""The second layer of checking: do the rules make sense as they are written?

In: the programs of a game, with each variant and option. Out: warnings: rules that can have no
effect, or not the one that was meant. What then holds: each is proved by the program, without play.

| module          | what it looks at                                            |
|-----------------|-------------------------------------------------------------|
| `ends.py`       | how the game ends                                           |
| `sites.py`      | sets of sites, the ways that lead there, and directions     |
| `numbers.py`    | numbers that are out of bounds, or far off                  |
| `conditions.py` | conditions that always have the same value                  |
| `copies.py`     | parts that were made of one another                         |
| `pieces.py`     | what comes onto the board, changes there, or is in a hand   |
| `variables.py`  | what is written and read                                    |
| `sides.py`      | whether what is said of one side mirrors what is of another |
| `turns.py`      | who is on turn, what a turn decides, passes, stuck sides    |
| `options.py`    | options and variants                                        |
| `texts.py`      | whether texts say what the rules say                        |
| `opposites.py`  | whether what stands beside a rule says the opposite         |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Span
from gdl.interpreter.check.finding import Finding, in_all_variants
from gdl.interpreter.check.rules.conditions import always_some, check_conditions
from gdl.interpreter.check.rules.copies import check_copies
from gdl.interpreter.check.rules.ends import (
    asked_too_late,
    check_clauses,
    contradictions,
    pieces_of_all_sides,
    won_by_enemy,
)
from gdl.interpreter.check.rules.numbers import (
    check_numbers,
    rows_there_are_not,
    uneven_tables,
)
from gdl.interpreter.check.rules.opposites import check_opposites
from gdl.interpreter.check.rules.options import (
    check_options,
    check_values,
    idle_variants,
    unused_options,
    with_other_values,
)
from gdl.interpreter.check.rules.pieces import (
    empty_board,
    hands_of_enemy,
    never_filled,
    never_placed,
    undone_at_once,
    uneven_hands,
    unlikely_kinds,
)
from gdl.interpreter.check.rules.sides import alone_in_team, check_sides, losing_wins, uneven_setup
from gdl.interpreter.check.rules.sites import (
    disjoint_sets,
    missing_directions,
    slides_over_pieces,
    turning_lists,
    turning_ways,
    unused_regions_and_relations,
)
from gdl.interpreter.check.rules.texts import check_captions
from gdl.interpreter.check.rules.turns import (
    counted_turns,
    endless_loops,
    endless_turns,
    first_twice,
    free_passes,
    full_boards,
    left_sites,
    may_be_stuck,
    never_on_turn,
    nothing_decided,
    staying_passes,
    swap_by_first,
    uneven_phases,
)
from gdl.interpreter.check.rules.variables import (
    below_bounds,
    captions_without_value,
    equal_names,
    exchanged_arguments,
    exchanged_sizes,
    lost_values,
    never_read,
    never_repeating,
    never_spent,
    never_written,
    unread_choices,
    unread_words,
    unused_parameters,
)
from gdl.interpreter.check.subject import Subject
from gdl.model import Game

_NEVER = (Code.NEVER_TRUE, Code.ALWAYS_EMPTY)
_OF_NO_SITES = (Code.NEVER_TRUE, Code.ALWAYS_TRUE, Code.ALWAYS_EMPTY, Code.NEVER_REACHED)
"""What may be told of a set because no site is in it."""


def check_rules(subject: Subject) -> Iterator[Finding]:
    """Yield what the program of the game shows, then what that of a variant alone does."""
    game = subject.game()
    if game is None:
        return
    games = [game, *filter(None, map(subject.game, subject.variants))]
    in_each = map(_as_sure_as_it_is, in_all_variants(subject, _found))
    in_general = [*in_each, *map(Finding, _found_in_none(games))]
    options = list(check_options(subject))
    is_played = subject.work.effort.is_played
    found = [
        *(() if is_played else stuck_sides(subject)),
        *with_other_values(
            subject, in_general, lambda other: chain(_found(other), _found_in_none([other]))
        ),
        *(Finding(one) for one in check_conditions(subject)),
        *(Finding(one) for one in always_some(subject)),
        *(Finding(one) for one in check_sides(game)),
        *(Finding(one) for one in check_copies(game)),
        *(Finding(one) for one in won_by_enemy(game)),
        *(Finding(one) for one in unread_words(games)),
        *(Finding(one) for one in unused_regions_and_relations(game)),
        *(Finding(one) for one in check_captions(game)),
        *(Finding(one) for one in check_opposites(game)),
        *(Finding(one) for one in unused_parameters(game)),
        *(Finding(one) for one in never_spent(game)),
        *(Finding(one) for one in equal_names(game)),
        *(Finding(one) for one in below_bounds(game)),
        *(Finding(one) for one in exchanged_arguments(game)),
        *(Finding(one) for one in exchanged_sizes(game)),
        *(Finding(one) for one in missing_directions(game)),
        *options,
        *(Finding(one) for one in check_values(subject)),
        *idle_variants(subject),
    ]
    told = [one.diagnostic.span for one in found if one.diagnostic.code == Code.ALWAYS_TRUE]
    never = [one.diagnostic.span for one in found if one.diagnostic.code in _NEVER]
    rows = [one.diagnostic.span for one in found if one.diagnostic.code == Code.NO_SUCH_ROW]
    for one in found:
        follows = (
            _follows_from(one.diagnostic, told)
            or _is_told_by_part(one.diagnostic, never)
            or _is_of_rows(one.diagnostic, rows, game)
        )
        if subject.stands_here(one.diagnostic) and not follows:
            ends = one.diagnostic.code == Code.EMPTY_BOARD or _is_of_setup(one.diagnostic, game)
            is_last = ends and one.variant is None
            yield replace(one, is_last=is_last and not subject.accepts(one.diagnostic))


def stuck_sides(subject: Subject) -> Iterator[Finding]:
    """Yield the turns in which a side may have no legal move, which no clause speaks of.

    Where games are played, they show first whether that happens.
    """
    yield from map(_as_sure_as_it_is, in_all_variants(subject, may_be_stuck))


def _follows_from(found: Diagnostic, always_true: Sequence[Span | None]) -> bool:
    """Return whether a clause is out of reach for a condition that is told to be always true."""
    return found.code == Code.NEVER_REACHED and any(
        first.holds(span) for _, first in found.related for span in always_true
    )


def _is_told_by_part(found: Diagnostic, never: Sequence[Span | None]) -> bool:
    """Return whether a condition is told to be never true of which a part is so, or is empty."""
    span = found.span if found.code == Code.NEVER_TRUE else None
    return span is not None and any(span.holds(part) and part != span for part in never)


def _is_of_rows(found: Diagnostic, rows: Sequence[Span | None], game: Game) -> bool:
    """Return whether something is so because rows are asked for that the board does not have."""
    if found.code == Code.UNEVEN_SETUP:
        setup = game.document.get("setup")
        return setup is not None and any(map(setup.span.holds, rows))
    if found.code not in _OF_NO_SITES or found.span is None:
        return False
    return any(map(found.span.holds, rows))


def _is_of_setup(found: Diagnostic, game: Game) -> bool:
    """Return whether a row is told that pieces are to stand in: the game is not the one meant."""
    setup = game.document.get("setup")
    return found.code == Code.NO_SUCH_ROW and setup is not None and setup.span.holds(found.span)


def _as_sure_as_it_is(found: Finding) -> Finding:
    """Return a finding; of what may happen it is proved only that nothing rules it out."""
    is_possible = found.diagnostic.code == Code.MAY_BE_STUCK
    return replace(found, certainty="not seen") if is_possible else found


def _found_in_none(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield what none of some games does."""
    yield from never_placed(games)
    yield from never_written(games)
    yield from never_filled(games)
    yield from unread_choices(games)
    yield from rows_there_are_not(games)


def _found(game: Game) -> Iterator[Diagnostic]:
    yield from empty_board(game)
    yield from check_clauses(game)
    yield from contradictions(game)
    yield from asked_too_late(game)
    yield from disjoint_sets(game)
    yield from check_numbers(game)
    yield from captions_without_value(game)
    yield from never_read(game)
    yield from never_repeating(game)
    yield from undone_at_once(game)
    yield from unused_options(game)
    yield from endless_loops(game)
    yield from counted_turns(game)
    yield from never_on_turn(game)
    yield from swap_by_first(game)
    yield from first_twice(game)
    yield from uneven_phases(game)
    yield from full_boards(game)
    yield from staying_passes(game)
    yield from free_passes(game)
    yield from endless_turns(game)
    yield from uneven_setup(game)
    yield from uneven_hands(game)
    yield from hands_of_enemy(game)
    yield from alone_in_team(game)
    yield from losing_wins(game)
    yield from left_sites(game)
    yield from unlikely_kinds(game)
    yield from lost_values(game)
    yield from uneven_tables(game)
    yield from slides_over_pieces(game)
    yield from turning_ways(game)
    yield from turning_lists(game)
    yield from nothing_decided(game)
    yield from pieces_of_all_sides(game)
