"""How random games end: never, always alike, or nearly always for one side.

In: what was seen, of the game itself above all. Out: findings; what games never did is told as not
seen in so many of them. What then holds: what is told of the game is told of no variant again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import reduce
from operator import or_

from gdl.codes import Code, Severity
from gdl.core.nodes import Slot
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping
from gdl.interpreter.check.finding import Certainty, Finding
from gdl.interpreter.check.places import key_or_file_span, note, turn_span, warning
from gdl.interpreter.check.play.games import MOST_PLIES
from gdl.interpreter.check.play.seen import Seen
from gdl.interpreter.check.play.strong import FEWEST_STRONG, Forced, Strong
from gdl.interpreter.check.rules.sides import begins_even, goals_differ
from gdl.interpreter.check.rules.texts import speaks_of_stuck
from gdl.interpreter.english import does
from gdl.interpreter.verify.combinations import edges_of
from gdl.model import Game

FEWEST_GAMES = 50
_MOVES_WITHOUT_END = 500
"""How many moves must have been watched for it to be told that no game has ended."""
_FEWEST_ENDLESS = 20
_ENDLESS = 0.9
"""The part of random games that go on and on for it to be told; where some end, of enough games."""
_FEWEST_DECIDED = 20
"""Games that were not drawn: of fewer, nothing is said of who won them."""
_ONE_SIDED = 0.8
_UNEQUAL = 0.9
_MOST_NAMED = 2
_FEWEST_FULL = 5
"""How many games must have ended at a full board for it to be told who wins them."""
_ROOMY, _SOON = 36, 6
"""Sites of a board on which games that are over after fewer moves on average are told."""
_WINNING = ("wins", "loses", "highest", "lowest")


def results(seen: Seen, endings: Counter[Span], shown: Collection[str] = ()) -> Iterator[Finding]:
    """Yield what is remarkable in how games of one combination end.

    `endings` counts the clauses that held: of those that end games, the ones that held most are
    named. Of the sides that examples have `shown` to win, it is not told that they never did.
    """
    statistics, game = seen.statistics, seen.game
    passing = {e.span for turn in game.program.turns for e in turn.stuck if e.kind == "passes"}
    endings = Counter({span: n for span, n in endings.items() if span not in passing})
    finished = statistics.playouts - statistics.unfinished
    ends = key_or_file_span(game, "end", "stuck", "phases", "game")
    if statistics.unfinished and seen.standstill is None:
        yield from _endless(seen, ends)
    elif not statistics.playouts and seen.moves >= _MOVES_WITHOUT_END:
        yield _finding(
            Code.NEVER_ENDS,
            f"No game came to its end in {seen.moves:,} moves that were watched.",
            ends,
            "See whether an end can be reached: `--effort 5` looks further.",
        )
    if finished < FEWEST_GAMES or len(game.sides) < 2:
        return
    yield from _over_soon(seen, finished, ends, endings)
    yield from _full_board(seen)
    if statistics.draws == finished:
        if _may_be_won(game) and not shown:
            yield _finding(
                Code.ALWAYS_DRAWN,
                f"All of {finished:,} random games were drawn.",
                ends,
                "See whether somebody can win before the game is drawn.",
                "witnessed",
                endings,
            )
        return
    yield from _one_sided(seen, finished, ends, endings, shown)


def _endless(seen: Seen, ends: Span) -> Iterator[Finding]:
    """Yield that hardly any random game has ended, with what may end them and is not there yet."""
    played, unfinished = seen.statistics.playouts, seen.statistics.unfinished
    if unfinished < _ENDLESS * played or (unfinished < played < _FEWEST_ENDLESS):
        return
    program = seen.game.program
    asked = frozenset[Slot]().union(
        *(e.condition.free for p in program.phases for turn in p.turns for e in turn.endings)
    )
    missing = [
        what
        for what, is_there in (
            ("a rule of repetition", bool(program.memories)),
            ("a bound on `turns`", program.system.turns in asked),
        )
        if not is_there
    ]
    more = f"; {' or '.join(missing)} ends games that go on and on" if missing else ""
    yield _finding(
        Code.NEVER_ENDS,
        f"Of {played:,} random games, {unfinished:,} had not ended after {MOST_PLIES:,} moves.",
        ends,
        f"See whether an end can be reached{more}.",
    )


def _over_soon(seen: Seen, finished: int, ends: Span, endings: Counter[Span]) -> Iterator[Finding]:
    """Yield that games are over after a few moves on average, on a board that has room for many.

    Where something is hidden, or chance decides, one may well guess or be dealt what ends a game.
    """
    game = seen.game
    guesses = game.hides or game.program.has_chance
    moves = sum(length * times for length, times in seen.lengths.items())
    if guesses or game.board.size < _ROOMY or moves >= _SOON * finished or not moves:
        return
    yield _finding(
        Code.OVER_SOON,
        f"Random games were over after {moves / finished:.1f} moves on average, in {finished:,}"
        " games.",
        endings.most_common(1)[0][0] if endings else ends,
        "See whether the goal, or what a turn may do, is what is meant.",
    )


def _full_board(seen: Seen) -> Iterator[Finding]:
    """Yield that a full board is won, or lost, by who is on turn, and no text says so.

    Where nothing else ends the game, or sides are stuck elsewhere, too, that is what is meant.
    """
    game, whole = seen.game, (1 << seen.game.board.size) - 1
    stuck = {e.span for turn in game.program.turns for e in turn.stuck if e.kind in _WINNING[:2]}
    ended = Counter({span: seen.ended_by_clause(span) for span in stuck if span is not None})
    layers = [game.program.state.index(layer.slot) for layer in game.layers]
    last = [after for _, after in seen.before_stuck]
    are_full = all(
        reduce(or_, (int(state.values[place]) for place in layers), 0) == whole for state in last
    )
    if not _winning_spans(game) or not last or not are_full or ended.total() < _FEWEST_FULL:
        return
    if speaks_of_stuck(game):
        return
    (span, times), *_ = ended.most_common(1)
    yield _finding(
        Code.FULL_BOARD,
        f"Of {seen.statistics.playouts:,} games, {times:,} ended by this with a full board, and no"
        " side was stuck otherwise.",
        span,
        "See whether a full board is a draw: `draw when full`, under `end`.",
    )


def seats(seen: Seen, strong: Strong | None) -> Iterator[Finding]:
    """Yield what games of the engine tell of the seats: one is far better, or needs but mirror.

    There are none where something is hidden: the engine sees it.
    """
    if strong is None:
        return
    if strong.forced is not None:
        yield _forced(seen.game, strong.forced)
    if not strong.games:
        return
    place = turn_span(seen.game)
    seat, won = strong.by_seat.most_common(1)[0]
    is_unequal = seat and strong.games >= FEWEST_STRONG and won >= _UNEQUAL * strong.games
    if is_unequal and not goals_differ(seen.game):
        found = note(
            Code.UNEQUAL_SEATS,
            f"Seat {seat} won {won} of {strong.games} games of the engine against itself.",
            place,
            "A `swap`, by which the second seat may take over the first move, or a handicap, makes"
            " up for that; or begin with less, such as one stone instead of two.",
        )
        yield Finding(found, None, "witnessed", strong.witness.get(seat))
    mirrored = strong.mirrored
    if mirrored is not None:
        found = note(
            Code.MIRROR_NEVER_LOSES,
            f"Seat {mirrored.seat} lost none of {mirrored.games} games against the engine, and won"
            f" {mirrored.won}, by answering each move with its mirror image.",
            place,
            "Break the symmetry: by another board, a site in the middle that is no site or that"
            " counts, or a rule against mirroring.",
        )
        yield Finding(found, None, "witnessed", mirrored.witness)


def _forced(game: Game, forced: Forced) -> Finding:
    """Return that the first side wins by force, so soon that most of the game is never played."""
    how = f"by force within {forced.plies} moves from the start, whatever the other side does"
    if forced.plies == 1:
        how = "with the first move"
    found = warning(
        Code.FORCED_WIN,
        f"{does([forced.side], 'wins')} {how}.",
        key_or_file_span(game, "setup", "turn", "phases", "game"),
        "See whether the pieces are set up as is meant, on the right sides of the board; and whose"
        " the goals are.",
        [("This ends the game.", span) for span in _winning_spans(game)],
    )
    return Finding(found, None, "proved", forced.witness)


def _winning_spans(game: Game) -> list[Span]:
    """Return the clauses by which somebody wins, each once."""
    clauses = (e for turn in game.program.turns for e in turn.endings if e.kind in _WINNING)
    return list(dict.fromkeys(one.span for one in clauses if one.span is not None))[:_MOST_NAMED]


def _one_sided(
    seen: Seen, finished: int, ends: Span, endings: Counter[Span], shown: Collection[str]
) -> Iterator[Finding]:
    statistics, game = seen.statistics, seen.game
    decided = finished - statistics.draws
    is_hunt = len(game.sides) == 2 and not begins_even(game)
    if decided < _FEWEST_DECIDED or is_hunt:
        return  # where one side hunts the other, chance plays both, and one of them worse
    best, wins = statistics.by_side.most_common(1)[0]
    losers = [s for s in game.sides if not statistics.by_side[s] and s not in shown]
    if len(losers) == len(game.sides) - 1:
        yield _finding(
            Code.ALWAYS_WINS,
            f"{best} won all of {decided:,} random games that were not drawn.",
            _clause_span(game, best, endings) or ends,
            "See whether the other sides can win at all.",
            "witnessed",
            endings,
        )
    elif wins > _ONE_SIDED * finished and wins > _ONE_SIDED * decided:
        if len(game.sides) == 2 and goals_differ(game):
            return
        yield _finding(
            Code.ONE_SIDED,
            f"{best} won {wins / finished:.1%} of {finished:,} random games.",
            _clause_span(game, best, endings) or ends,
            "See whether each side's goal is the one that is meant; a `swap`, or a handicap, may"
            " make up for what remains.",
            "witnessed",
            endings,
        )
    elif len(losers) > 0:
        yield _finding(
            Code.NEVER_WON,
            f"{' and '.join(losers)} won none of {decided:,} random games.",
            ends,
            "See whether that side can reach its goal.",
        )


def _may_be_won(game: Game) -> bool:
    return any(ending.kind in _WINNING for turn in game.program.turns for ending in turn.clauses)


def _clause_span(game: Game, side: str, endings: Counter[Span]) -> Span | None:
    """Return the only clause by which a side wins, if there is just one that names it alone.

    If that ended no game, it is not what is told of: the clause is returned that ended most.
    """
    number = game.sides.index(side)
    spans = {
        ending.span
        for turn in game.program.turns
        for ending in turn.endings
        if ending.kind == "wins" and ending.sides == (number,) and ending.span is not None
    }
    if len(spans) != 1:
        return None
    clause = spans.pop()
    return clause if endings[clause] or not endings else endings.most_common(1)[0][0]


def _finding(
    code: Code,
    message: str,
    span: Span,
    hint: str,
    certainty: Certainty = "not seen",
    endings: Counter[Span] | None = None,
) -> Finding:
    severity: Severity = "note" if certainty == "not seen" else "warning"
    most = (endings or Counter[Span]()).most_common(_MOST_NAMED)
    related = tuple(("This ended most games.", one) for one, _ in most[:1] if one != span)
    related += tuple(("This ended others.", one) for one, _ in most[1:] if one != span)
    return Finding(Diagnostic(code, message, span, hint, severity, related), None, certainty)


# ------------------------------------------------------------- options that never made a difference

_FEWEST_COMPARED = 200
_FEWEST_LENGTHS = 5


def idle_options(all_seen: Sequence[Seen]) -> Iterator[Finding]:
    """Yield the options with which all games went as they did without, move for move.

    The same numbers make the same random games where the same moves are legal.
    """
    first, game = all_seen[0], all_seen[0].game
    section = game.document.get("options")
    by_option: dict[str, list[int]] = {}
    for seen in all_seen[1:]:
        if seen.combination.variants or len(seen.combination.options) != 1:
            continue
        (name,) = seen.combination.options
        common = first.courses.keys() & seen.courses.keys()
        is_same = all(first.courses[number] == seen.courses[number] for number in common)
        by_option.setdefault(name, []).append(len(common) if is_same else 0)
    lengths = len(first.lengths)
    for name, numbers in by_option.items():
        entry = section.entry(name) if isinstance(section, Mapping) else None
        least = len(edges_of(next(o for o in game.options if o.name == name), game.sides))
        if entry is None or min(numbers) < _FEWEST_COMPARED or lengths < _FEWEST_LENGTHS:
            continue
        if len(numbers) >= least:
            found = note(
                Code.NEVER_MATTERS,
                f"With each value of `{name}` that was tried, {min(numbers):,} random games went"
                " the same way, move for move.",
                entry[0].span,
                "See whether another rule forces already what this is to decide.",
            )
            yield Finding(found, None, "not seen")
