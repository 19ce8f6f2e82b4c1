"""The second layer of checking: do the rules make sense as they are written?

In: the programs of a game, with each variant and option. Out: warnings: rules that can have no
effect, or not the one that was meant. What then holds: each is proved by the program, without play.

| module              | what it looks at                                            |
| ------------------- | ----------------------------------------------------------- |
| `clauses.py`        | how the game ends                                           |
| `contradictions.py` | clauses whose parts rule each other out                     |
| `disjoint.py`       | sets in which no site can be                                |
| `numbers.py`        | numbers that are out of bounds, or far off                  |
| `conditions.py`     | conditions that always have the same value                  |
| `pieces.py`         | what comes onto the board, and stays there                  |
| `variables.py`      | what is written and read                                    |
| `names.py`          | regions and relations that nothing names                    |
| `following.py`      | for all these: conditions that hold whenever others do      |
| `sides.py`          | whether what is said of one side mirrors what is of another |
| `lonely.py`         | whether a rule for one side has a mirror image              |
| `slides.py`         | ways that lead over pieces                                  |
| `one_direction.py`  | words for one direction that are given several              |
| `starts.py`         | set-ups, teams and payoffs that leave a side out            |
| `hands.py`          | hands that stay empty, differ by little, or are the enemy's |
| `stuck.py`          | sides that may have no legal move                           |
| `own_turn.py`       | goals that the turn before them can't bring about           |
| `passes.py`         | passes that stay in a phase, or that nobody counts          |
| `left_sites.py`     | sites that a piece has left, asked for as if it stood there |
| `lost_values.py`    | values that are taken back before anything asks for them    |
| `loops.py`          | loops and counters without progress                         |
| `tables.py`         | tables in which a number comes twice, and one is missing    |
| `turns.py`          | sides never on turn, or that exchange their own first move  |
| `options.py`        | options and variants                                        |
| `parameters.py`     | parameters that what they belong to does not depend on      |
| `undecided.py`      | games in which nothing is decided                           |
| `of_all_sides.py`   | ends that ask for the pieces of all sides                   |
| `winners.py`        | goals that are told by the pieces of the wrong side         |
| `captions.py`       | whether texts say what the rules say                        |
| `promotions.py`     | pieces that become what they are, or what there is one of   |
| `said_deeds.py`     | captures and sides that only a text speaks of               |
| `quantified.py`     | captions that speak of all where a rule asks for one        |
| `rows.py`           | rows and columns that the board does not have               |
| `option_values.py`  | what some value of an option leaves without effect          |
| `other_values.py`   | whether what is of no use is so with other values, too      |
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.finding import Finding, in_all_variants
from interpreter.check.rules.captions import check_captions
from interpreter.check.rules.clauses import check_clauses
from interpreter.check.rules.conditions import always_some, check_conditions
from interpreter.check.rules.contradictions import contradictions
from interpreter.check.rules.disjoint import disjoint_sets
from interpreter.check.rules.hands import hands_of_enemy, never_filled, uneven_hands
from interpreter.check.rules.left_sites import left_sites
from interpreter.check.rules.loops import counted_turns, endless_loops
from interpreter.check.rules.lost_values import lost_values
from interpreter.check.rules.names import unused_regions_and_relations
from interpreter.check.rules.numbers import check_numbers
from interpreter.check.rules.of_all_sides import pieces_of_all_sides
from interpreter.check.rules.one_direction import turning_ways
from interpreter.check.rules.option_values import check_values
from interpreter.check.rules.options import check_options, idle_variants, unused_options
from interpreter.check.rules.other_values import with_other_values
from interpreter.check.rules.own_turn import asked_too_late
from interpreter.check.rules.parameters import unused_parameters
from interpreter.check.rules.passes import free_passes, staying_passes
from interpreter.check.rules.pieces import EMPTY_BOARD, empty_board, never_placed, undone_at_once
from interpreter.check.rules.promotions import unlikely_kinds
from interpreter.check.rules.rows import NO_SUCH_ROW, rows_there_are_not
from interpreter.check.rules.sides import check_sides
from interpreter.check.rules.slides import slides_over_pieces
from interpreter.check.rules.starts import alone_in_team, losing_wins, uneven_setup
from interpreter.check.rules.stuck import may_be_stuck
from interpreter.check.rules.tables import uneven_tables
from interpreter.check.rules.turns import endless_turns, never_on_turn, swap_by_first
from interpreter.check.rules.undecided import nothing_decided
from interpreter.check.rules.variables import (
    never_read,
    never_written,
    unread_choices,
    unread_words,
)
from interpreter.check.rules.winners import won_by_enemy
from interpreter.check.subject import Subject

_NEVER = ("never-true", "always-empty")
_OF_NO_SITES = ("never-true", "always-true", "always-empty", "never-reached")
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
    found = [
        *with_other_values(
            subject, in_general, lambda other: chain(_found(other), _found_in_none([other]))
        ),
        *(Finding(one) for one in check_conditions(subject)),
        *(Finding(one) for one in always_some(subject)),
        *(Finding(one) for one in check_sides(game)),
        *(Finding(one) for one in won_by_enemy(game)),
        *(Finding(one) for one in unread_words(games)),
        *(Finding(one) for one in unused_regions_and_relations(game)),
        *(Finding(one) for one in check_captions(game)),
        *(Finding(one) for one in unused_parameters(game)),
        *options,
        *(Finding(one) for one in check_values(subject)),
        *idle_variants(subject),
    ]
    told = [one.diagnostic.span for one in found if one.diagnostic.code == "always-true"]
    never = [one.diagnostic.span for one in found if one.diagnostic.code in _NEVER]
    rows = [one.diagnostic.span for one in found if one.diagnostic.code == NO_SUCH_ROW]
    for one in found:
        follows = (
            _follows_from(one.diagnostic, told)
            or _is_told_by_part(one.diagnostic, never)
            or _is_of_rows(one.diagnostic, rows, game)
        )
        if subject.stands_here(one.diagnostic) and not follows:
            ends = one.diagnostic.code == EMPTY_BOARD or _is_of_setup(one.diagnostic, game)
            is_last = ends and one.variant is None
            yield replace(one, is_last=is_last and not subject.accepts(one.diagnostic))


def _follows_from(found: Diagnostic, always_true: Sequence[Span | None]) -> bool:
    """Return whether a clause is out of reach for a condition that is told to be always true."""
    return found.code == "never-reached" and any(
        first.holds(span) for _, first in found.related for span in always_true
    )


def _is_told_by_part(found: Diagnostic, never: Sequence[Span | None]) -> bool:
    """Return whether a condition is told to be never true of which a part is so, or is empty."""
    span = found.span if found.code == "never-true" else None
    return span is not None and any(span.holds(part) and part != span for part in never)


def _is_of_rows(found: Diagnostic, rows: Sequence[Span | None], game: Game) -> bool:
    """Return whether something is so because rows are asked for that the board does not have."""
    if found.code == "uneven-setup":
        setup = game.document.get("setup")
        return setup is not None and any(map(setup.span.holds, rows))
    if found.code not in _OF_NO_SITES or found.span is None:
        return False
    return any(map(found.span.holds, rows))


def _is_of_setup(found: Diagnostic, game: Game) -> bool:
    """Return whether a row is told that pieces are to stand in: the game is not the one meant."""
    setup = game.document.get("setup")
    return found.code == NO_SUCH_ROW and setup is not None and setup.span.holds(found.span)


def _as_sure_as_it_is(found: Finding) -> Finding:
    """Return a finding; of what may happen it is proved only that nothing rules it out."""
    is_possible = found.diagnostic.code == "may-be-stuck"
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
    yield from never_read(game)
    yield from undone_at_once(game)
    yield from unused_options(game)
    yield from endless_loops(game)
    yield from counted_turns(game)
    yield from never_on_turn(game)
    yield from swap_by_first(game)
    yield from may_be_stuck(game)
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
    yield from nothing_decided(game)
    yield from pieces_of_all_sides(game)
