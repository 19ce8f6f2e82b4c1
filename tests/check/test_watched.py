"""Native code that counts, held against the reference's watch over the same games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from gdl.diagnostic import Source, Span
from gdl.elaborate.names.origins import Origins, origins_noted
from gdl.interpreter.check.coverage import Coverage, CoverageWatch
from gdl.interpreter.check.effort import Effort, Work
from gdl.interpreter.check.play.endgames import EndGames
from gdl.interpreter.check.play.games import Games
from gdl.interpreter.check.play.seen import Seen
from gdl.interpreter.check.play.watched import NativeWatch, watched_of
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.moves import FORCED_PASS
from gdl.interpreter.evaluation.playout import Statistics
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.runtime.watched import Moment
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify.combinations import Combination
from gdl.load import find_game, load_source
from gdl.model import Game

SEED, GAMES, PLIES = 1, 2, 30

FAMILIES = (
    *("tic-tac-toe", "chess", "go", "othello", "hex", "amazons", "backgammon", "stratego"),
    *("lasca", "abalone", "arimaa", "tak", "yinsh", "oware", "tablut", "dark-chess"),
    *("trichet", "goofspiel", "quoridor", "onitama", "crazyhouse", "8-puzzle", "royal-game-of-ur"),
)
"""Games of each family: of placing, moving, taking, dropping, of dice, of what is hidden, …"""

UNORDERED = {"santorini", "connect6", "trellis"}
"""Games with choices in any order: the reference carries all ways out to compare them."""


def loaded(name: str) -> tuple[Game, Origins]:
    """Return a game, with where its conditions stand."""
    origins = Origins()
    with origins_noted(origins):
        return load_source(find_game(name), {}, ()), origins


def native_watch(game: Game, origins: Origins, tries: int = 0) -> NativeWatch:
    """Return native code that is watched, for games with so many tries in each position."""
    watch = NativeWatch(game, origins, Coverage(), Work(), SEED)
    watch.tries = tries
    return watch


def watched_by_reference(
    game: Game, origins: Origins, tries: int
) -> tuple[Coverage, list[tuple[int, State]]]:
    """Return what the reference's watch counts over the games, and where each ends."""
    coverage = Coverage()
    rules = ReferenceRules(game, CoverageWatch(coverage, origins, game))
    start = ReferenceRules(game).start()
    ends = []
    for number in range(GAMES):
        state, chance, plies = start, Chance(SEED, number), 0
        other = Chance(SEED + 1, number)
        while state.ended is None and plies < PLIES:
            legal = rules.legal(state)
            if not legal:
                break
            forced = legal == (FORCED_PASS,)
            for _ in range(0 if forced else tries):
                rules.apply(state, legal[other.below(len(legal))])
            state = rules.apply(state, legal[0 if forced else chance.below(len(legal))])
            plies += 1
        ends.append((plies, state))
    return coverage, ends


def counts_of(coverage: Coverage) -> Iterator[tuple[str, Mapping[Span, Any]]]:
    """Yield what is counted the same by both."""
    for what in ("conditions", "choices", "loops", "effects", "touched"):
        found: dict[Span, list[int]] = getattr(coverage, what)
        yield what, {span: counts for span, counts in found.items() if any(counts)}
    for what in ("layers", "chosen"):
        yield what, {span: dict(of) for span, of in getattr(coverage, what).items() if of}
    yield "endings", dict(coverage.endings)
    yield "named", {span: (n.times, n.has_varied) for span, n in coverage.named.items()}


@pytest.mark.at_night(
    "chess",
    "quoridor",
    "stratego",
    "crazyhouse",
    "onitama",
    "trichet",
    "yinsh",
    "tak-0",
    "arimaa",
    "backgammon",
    "abalone",
)
@pytest.mark.parametrize(
    ("name", "tries"), [*((name, 0) for name in FAMILIES), ("chess", 2), ("go", 3), ("tak", 1)]
)
def test_native_code_counts_what_the_reference_does(name: str, tries: int) -> None:
    game, origins = loaded(name)
    expected, ends = watched_by_reference(game, origins, tries)
    watch = native_watch(game, origins, tries)
    games = watch.play(watch.rules.start(), range(GAMES), PLIES)
    assert [(one.playout.moves, one.playout.state.values) for one in games] == [
        (plies, state.values) for plies, state in ends
    ]
    found, seen = Coverage(), Seen(Combination(), game, Statistics(game.sides, len(game.sides)))
    watch.include(found, seen)
    for (what, one), (_, other) in zip(counts_of(expected), counts_of(found), strict=True):
        if what == "named":
            assert {span: times for span, (times, _) in one.items()} == {
                span: times for span, (times, _) in other.items()
            }
        else:
            assert one == other, what


@pytest.mark.at_night("chess")
@pytest.mark.parametrize("name", ["chess", "othello", "tak", "royal-game-of-ur"])
def test_moves_are_seen_alike(name: str) -> None:
    """What becomes of pieces in each move is the same, whoever has watched."""
    subject = Subject(name)
    game = subject.game()
    assert game is not None
    games = Games(subject, Combination(), game)
    state = games.rules.start()
    watch = native_watch(game, subject.origins)
    watch.play(state, [0], PLIES)
    seen = Seen(Combination(), game, Statistics(game.sides, len(game.sides)))
    watch.include(Coverage(), seen)
    chance = Chance(SEED, 0)
    for _ in range(PLIES):
        legal = games.rules.legal(state)
        if not legal:
            break
        move = legal[0 if legal == (FORCED_PASS,) else chance.below(len(legal))]
        after = games.made(state, move, tuple)
        assert after is not None
        state = after
        if state.ended is not None:
            break
    for what in ("lost", "touched", "moved", "taking", "own_taken", "taken", "again", "passes"):
        assert getattr(games.seen, what) == getattr(seen, what), what
    assert games.seen.entered == seen.entered
    assert games.seen.left == seen.left


def test_what_happens_first_can_be_played_again() -> None:
    game, origins = loaded("othello")
    watch = native_watch(game, origins)
    start = watch.rules.start()
    watch.play(start, range(20), 200)
    coverage, seen = Coverage(), Seen(Combination(), game, Statistics(game.sides, 2))
    watch.include(coverage, seen)
    moment = min(
        (m for (what, _, _), m in coverage.first.items() if what == "endings"),
        key=lambda moment: moment.number,
    )
    state, rules = start, ReferenceRules(game)
    for text in watch.way_to(start, Moment(moment.number, moment.ply + 1)):
        (move,) = (one for one in rules.legal(state) if one.text == text)
        state = rules.apply(state, move)
    assert rules.outcome(state) is not None
    assert watch.state_at(start, moment) != state


@pytest.mark.parametrize("name", ["othello", "tak"])
def test_the_way_of_a_game_is_kept(name: str) -> None:
    """Passes that are forced are kept, too."""
    game, origins = loaded(name)
    watch = native_watch(game, origins)
    watch.compile()
    start = watch.rules.start()
    for one in watch.play(start, range(3), 100):
        moment = Moment(one.number, one.playout.moves)
        assert watch.rules.kept_way(moment) == watch.rules.way_to(start, moment, SEED)
    assert watch.rules.kept_way(Moment(3, 1)) is None


def test_a_game_is_left_where_the_work_is_done_that_it_is_for() -> None:
    game, origins = loaded("othello")
    watch = native_watch(game, origins)
    start = watch.rules.start()
    (left,) = watch.play(start, range(3), 100, part=Work().part(0))
    assert left.is_left and 0 < left.playout.moves < 50 and left.playout.outcome is None
    (_, whole) = watch.play(start, range(2), 100, part=Work().part(1_000_000))
    assert not whole.is_left and whole.playout.outcome is not None


def test_work_is_what_is_carried_out() -> None:
    """It is twice as much for the same games again, and none is counted for nothing."""
    game, origins = loaded("tic-tac-toe")
    watch = native_watch(game, origins)
    watch.play(watch.rules.start(), range(5), 100)
    once = watch.rules.work
    watch.play(watch.rules.start(), range(5), 100)
    assert once > 0 and watch.rules.work == 2 * once


def test_playing_again_counts_nothing() -> None:
    game, origins = loaded("tic-tac-toe")
    watch = native_watch(game, origins)
    start = watch.rules.start()
    watch.play(start, range(5), 100)
    before = [counts for _, _, counts, _ in watch.rules.counts()]
    watch.state_at(start, Moment(3, 4))
    assert [counts for _, _, counts, _ in watch.rules.counts()] == before


@pytest.mark.slow
def test_counters_are_only_where_somebody_asks_for_them() -> None:
    game, origins = loaded("chess")
    usual = NativeRules(game).code.written
    assert "watched" not in usual.whole
    watched = native_watch(game, origins).rules.code.written
    assert "@counted(" in watched.calls
    assert watched_of(game, origins, Coverage()).layers.keys() == {
        layer.slot for layer in game.layers
    }


@pytest.mark.parametrize(("taken", "finds_none"), [("none", False), ("a", True)])
def test_a_piece_that_stays_where_it_is_was_found(taken: str, finds_none: bool) -> None:
    text = f"""
game: Stays
players: White, Black
pieces: Stone, Man
board: square(3, 3)
setup: {{White Stone: rows(1), Black Stone: rows(3)}}
turn: |
  choose a in own
  choose b in a | adjacent(a) & empty
  remove {taken}
  move a to b
  change b to Man
stuck: loses
end: draw when turns > 20
"""
    origins = Origins()
    with origins_noted(origins):
        game = load_source(Source("stays.yaml", text), {}, ())
    watch = native_watch(game, origins)
    watch.play(watch.rules.start(), range(20), 100)
    seen = Seen(Combination(), game, Statistics(game.sides, 2))
    watch.include(Coverage(), seen)
    by_reference = CoverageWatch(Coverage(), origins, game)
    rules = ReferenceRules(game, by_reference)
    start = rules.start()
    for move in rules.legal(start):
        rules.apply(start, move)
    assert {span.text for span in seen.found_nothing} == ({"move a to b"} if finds_none else set())
    assert by_reference.idle == seen.found_nothing.keys()


def test_a_choice_tells_what_stood_there() -> None:
    text = """
game: Takes anything
players: White, Black
board: square(3, 3)
setup: {White Stone: rows(1), Black Stone: rows(3)}
turn: |
  choose a in own
  choose b in adjacent(a)
  move a to b
stuck: loses
end: draw when turns > 20
"""
    origins = Origins()
    with origins_noted(origins):
        game = load_source(Source("takes.yaml", text), {}, ())
    watch = native_watch(game, origins)
    watch.play(watch.rules.start(), range(50), 100)
    coverage, seen = Coverage(), Seen(Combination(), game, Statistics(game.sides, 2))
    watch.include(coverage, seen)
    second = next(of for span, of in coverage.chosen.items() if "adjacent" in span.text)
    assert {stood.whose for stood in second} == {"own", "other", "empty"}
    assert seen.own_taken == sum(times for stood, times in second.items() if stood.whose == "own")


def test_late_games_meet_what_random_ones_never_do() -> None:
    """A draw after quiet moves, and one by repetition, are met; a counter that stays is not."""
    text = """
game: Long
players: White, Black
board: square(4, 4)
setup: {White Stone: rows(1), Black Stone: rows(4)}
state: {quiet: number, still: number}
turn: |
  choose s in own
  choose t in adjacent(s) & empty
  move s to t
  add 1 to quiet
stuck: loses
end:
  - draw when quiet >= 5000
  - draw when still >= 5000
  - draw when seen(board, mover) >= 200
"""
    origins = Origins()
    with origins_noted(origins):
        game = load_source(Source("long.yaml", text), {}, ())
    subject = Subject("tic-tac-toe", Work(Effort(0.1)))
    subject.origins.include(origins)
    games = Games(subject, Combination(), game)
    games.play(125_000, lambda: False)
    assert games.watching is not None and not games.coverage.endings
    EndGames(games, games.watching).play(400_000)
    ended = {span.text for span in games.coverage.endings}
    assert ended == {"draw when quiet >= 5000", "draw when seen(board, mover) >= 200"}
    assert not games.seen.ended_by


def test_parts_of_sets_are_looked_at_that_made_no_difference_yet() -> None:
    text = """
game: Parts
players: White, Black
board: square(3, 3)
turn: |
  choose s in empty | (own & enemy) | (rows(1) & empty)
  place Stone at s
stuck: draw
"""
    origins, known = Origins(), Coverage()
    with origins_noted(origins):
        game = load_source(Source("parts.yaml", text), {}, ())
    rules = ReferenceRules(game, CoverageWatch(known, origins, game))
    rules.legal(rules.start())
    idle = {span for span, (_, told) in known.parts.items() if not told}
    watch = NativeWatch(game, origins, known, Work(), SEED)
    watch.play(rules.start(), range(20), 20)
    found, seen = Coverage(), Seen(Combination(), game, Statistics(game.sides, 2))
    watch.include(found, seen)
    assert found.parts.keys() <= idle
    told = {span.text for span, (_, told) in found.parts.items() if told}
    still = {span.text for span, (tried, told) in found.parts.items() if tried and not told}
    assert "rows(1) & empty" in still and told.isdisjoint(still)
    assert any(tried > 20 for tried, _ in found.parts.values())


def test_games_that_nobody_watches_can_be_played_again() -> None:
    """Where few games were watched, more are played for how they end."""
    subject = Subject("breakthrough", Work(Effort()))
    game = subject.game()
    assert game is not None
    games = Games(subject, Combination(), game)
    games.play(400_000, lambda: False)
    seen, before = games.seen, set(games.seen.courses)
    games.play_unwatched(50_000)
    new = sorted(seen.courses.keys() - before)
    assert len(new) > 10
    assert games.native is not None
    plies, result = seen.courses[new[0]]
    state, rules = games.begin, ReferenceRules(game)
    for text in games.native.way_to(state, Moment(new[0], plies)):
        state = rules.apply(state, next(one for one in rules.legal(state) if one.text == text))
    assert state == games.native.state_at(games.begin, Moment(new[0], plies))
    outcome = rules.outcome(state)
    assert outcome is not None and outcome.text == result


@pytest.mark.parametrize("is_enough", [True, False])
def test_all_games_that_are_wanted_are_played_if_the_work_that_is_left_is_enough(
    is_enough: bool,
) -> None:
    """Where it is not, no more work than usual is given to them."""
    subject = Subject("breakthrough", Work(Effort(0.25)))
    game = subject.game()
    assert game is not None
    games = Games(subject, Combination(), game)
    games.play(130_000, lambda: False)
    before = games.seen.statistics.playouts
    assert before < 500
    games.play_unwatched(5_000, 2_000_000 if is_enough else 6_000)
    played = games.seen.statistics.playouts
    assert played == 500 if is_enough else before < played < 500
