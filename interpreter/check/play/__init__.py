"""The fourth layer of checking: what happens when the game is played?

In: a game, with its variants and options, and work to be done. Out: what went wrong in play, with
the game that shows it; and what never happened in so many games, which need not be wrong. What then
holds: every rule error that is told can be played; the more work, the less is told as not seen.

| module          | what it does                                                |
|-----------------|-------------------------------------------------------------|
| `games.py`      | plays at random, and looks at positions                     |
| `counted.py`    | native code whose work is counted                           |
| `both_sides.py` | compares what both sides can do                             |
| `watched.py`    | native games, whose counts are added to what was seen      |
| `endgames.py`   | plays from late positions, and from those of examples       |
| `guided.py`     | plays towards what was not met                              |
| `strong.py`     | plays by the engine: against itself, and one who mirrors it |
| `opponent.py`   | whether the engine makes few tries                          |
| `mishaps.py`    | what went wrong: errors of the rules, moves that read alike |
| `results.py`    | how games end                                               |
| `late_goals.py` | goals that held already before the turn that ended the game |
| `before_stuck.py` | ends that come before a side without a move               |
| `standstill.py` | games in which nobody can do anything but pass any more     |
| `said.py`       | whether games go as the text says                           |
| `unseen.py`     | what never happened                                         |
| `regions.py`    | regions to which no piece came                              |
| `whose.py`      | whose pieces statements touch                               |
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from gdl.codes import Code
from gdl.diagnostic import Span
from gdl.interpreter.check.effort import Part
from gdl.interpreter.check.finding import Finding
from gdl.interpreter.check.play.before_stuck import ends_before_stuck
from gdl.interpreter.check.play.both_sides import SideComparison
from gdl.interpreter.check.play.endgames import EndGames
from gdl.interpreter.check.play.games import Games
from gdl.interpreter.check.play.guided import GuidedGames
from gdl.interpreter.check.play.late_goals import late_goals
from gdl.interpreter.check.play.mishaps import mishaps
from gdl.interpreter.check.play.opponent import MOST_UNITS, weak_opponent
from gdl.interpreter.check.play.results import idle_options, results, seats
from gdl.interpreter.check.play.said import said_otherwise
from gdl.interpreter.check.play.seen import Seen
from gdl.interpreter.check.play.standstill import endless_passes
from gdl.interpreter.check.play.strong import Strong, StrongGames, units_of_engine
from gdl.interpreter.check.play.unseen import clauses_of, unseen
from gdl.interpreter.check.rules import stuck_sides
from gdl.interpreter.check.rules.options import option_fails
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.verify.combinations import Combination

_SHARE_OF_GAME = 0.7
_SHARE_OF_CHANCE = 0.35
_SHARE_OF_GAMES = 0.6
_SHARE_OF_LOOKS = 0.25
_SHARE_OF_GOALS = 0.5
_SHARE_OF_NEWS = 0.15
_SHARE_OF_SIDES = 0.2
_SHARE_OF_ENDS = 0.15
_SHARE_OF_WHOLE_GAMES = 0.15
_MOST_OF_WHOLE_GAMES = 1.1
_ENOUGH_GAMES = 1000
"""Games in which no side was stuck, so that nobody need say what happens then."""
_FEWEST_GUIDED = 1_500_000
_FEWEST_PLAYED = 50_000
"""Units of work for which games are guided, and for which one more game of a file is played.

Whole games may be all that is left, and a little more, if that is enough for as many as are wanted.
"""

_OF_SEATS = Code.UNEQUAL_SEATS, Code.MIRROR_NEVER_LOSES
_ECHOES: Mapping[str, Sequence[str]] = {
    Code.OVER_AFTER_A_MOVE: (Code.FORCED_WIN, *_OF_SEATS),
    Code.FORCED_WIN: _OF_SEATS,
}
"""What need not be told where something else is: it comes of the same, and is gone with that."""


def check_play(subject: Subject) -> Iterator[Finding]:
    """Play the game, then its variants and options; yield what was found."""
    play = _Play(subject)
    with subject.work.in_time():
        play.play()
    subject.work.games = sum(seen.watched for seen in play.all_seen)
    subject.work.unwatched = sum(seen.unwatched for seen in play.all_seen)
    subject.work.moves = sum(seen.moves for seen in play.all_seen)
    clauses = [clause.span for clause in clauses_of([seen.game for seen in play.all_seen])]
    subject.work.clauses = len(clauses)
    subject.work.met = sum(play.has_met(span) for span in clauses)
    subject.work.ended = frozenset(play.ended())
    subject.work.has_no_native = play.has_no_native
    yield from play.found()


class _Play:
    """Plays the games of a file. `all_seen` has what was seen, the game itself first."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._coverage = subject.coverage
        self.all_seen: list[Seen] = []
        self._strong: Strong | None = None
        self._unlike: list[Finding] = []
        self._failing: list[Finding] = []
        self.has_no_native = False

    def has_met(self, clause: Span | None) -> bool:
        """Return whether a clause has ended a game."""
        return clause is not None and bool(self._coverage.endings[clause])

    def ended(self) -> Iterator[Span]:
        """Yield the clauses by which a game ended, of `end` and of `stuck`."""
        yield from (span for span, times in self._coverage.endings.items() if times)
        for seen in self.all_seen:
            yield from (span for span, _ in seen.ended_by if span is not None)

    def play(self) -> None:
        """Play the game, then its variants and options, as long as work is left."""
        subject, work = self._subject, self._subject.work
        part = work.for_play()
        combinations = [
            Combination(),
            *(Combination((variant,)) for variant in subject.variants),
            *subject.option_combinations(),
            *subject.option_pairs(),
        ]
        making = 0.0
        for number, combination in enumerate(combinations):
            of_all = f"{number} of {len(combinations)}"
            work.so_far = f"{of_all} games that the file holds were played in full"
            is_new = not subject.is_loaded(combination)
            game = subject.load(combination)[0]
            share = 1 / (len(combinations) - number)
            if number == 0:
                share = max(share, _SHARE_OF_GAME)
            if number and part.left < _FEWEST_PLAYED:
                break
            if game is None and is_new and len(combination.options) == 1:
                self._failing += option_fails(subject, combination)
            if game is not None:
                games = Games(subject, combination, game, making)
                self.all_seen.append(games.seen)
                self._play_one(games, work.part(part.left * share), is_first=number == 0)
                making = games.making
                if games.is_slow:
                    break

    def _play_one(self, games: Games, part: Part, *, is_first: bool) -> None:
        """Play one of the games for a part of the work: of the first, more is looked at."""
        work, game = games.work, games.rules.game
        is_guided = is_first and work.effort.play >= _FEWEST_GUIDED
        units = part.left
        if is_guided:
            games.play(units * _SHARE_OF_CHANCE, self._coverage.is_complete)
            shares = _SHARE_OF_WHOLE_GAMES, _MOST_OF_WHOLE_GAMES
            games.play_unwatched(*(part.left * share for share in shares))
            of_looks = part.left * _SHARE_OF_LOOKS
        else:
            units *= 1 - _SHARE_OF_SIDES * is_first
            games.play(units * _SHARE_OF_GAMES, self._coverage.is_complete)
            of_looks = units * (1 - _SHARE_OF_GAMES)
        games.jump(of_looks, self._coverage.is_complete, is_watched=not is_guided)
        self.has_no_native |= is_first and games.has_no_native
        if is_first and len(game.sides) == 2 and games.is_begun and not games.is_slow:
            of_sides = work.part(part.left * (_SHARE_OF_SIDES if is_guided else 1))
            if of_sides.left > games.a_look:
                self._unlike = list(SideComparison(game, work).found(games.seen, of_sides))
        if is_guided:
            self._strong = _guided(games, self._subject.shown, part)
        games.shorten(part)

    def found(self) -> Iterator[Finding]:
        """Yield what was found."""
        yield from self._failing
        if not self.all_seen:
            return
        subject, coverage = self._subject, self._coverage
        first = self.all_seen[0]
        may_be_stuck = first.statistics.playouts < _ENOUGH_GAMES or first.failures
        found = [
            *(stuck_sides(subject) if may_be_stuck else ()),
            *mishaps(self.all_seen, coverage),
            *said_otherwise(first),
            *self._unlike,
            *results(first, coverage.endings, _winners(subject.shown)),
            *late_goals(first),
            *ends_before_stuck(first, subject.work),
            *endless_passes(first),
            *seats(first, self._strong),
            *weak_opponent(first, self._strong),
            *idle_options(self.all_seen),
        ]
        codes = {one.diagnostic.code for one in found}
        echoes = {code for told in codes for code in _ECHOES.get(told, ())}
        for one in found:
            if one.diagnostic.code not in echoes and subject.stands_here(one.diagnostic):
                yield one
        yield from unseen(
            self.all_seen,
            coverage,
            subject.origins,
            lambda span: span.source.name == subject.source.name,
        )


def _winners(shown: Sequence[State]) -> set[str]:
    """Return the sides that win in one of some states."""
    return {side for one in shown if one.ended is not None for side in one.ended.winners}


def _guided(games: Games, shown: Sequence[State], part: Part) -> Strong | None:
    """Play games that are not left to chance; return what those of the engine showed.

    Its games look at whole positions, so there are none where something is hidden.
    """
    if games.is_slow or not games.is_begun:
        return None
    if games.watching is not None:
        late, units = EndGames(games, games.watching), part.left * _SHARE_OF_ENDS
        late.play_shown(shown, units)
        late.play(units)
    is_met = games.coverage.is_met
    GuidedGames(games).play(part.left * (_SHARE_OF_NEWS if is_met else _SHARE_OF_GOALS))
    game = games.rules.game
    native = games.native
    if native is None or len(game.sides) != 2 or game.hides or games.seen.failures:
        return None
    tries = native.units_of_iteration(games.seen.statistics.mean_length)
    if part.left < units_of_engine(native) and tries <= MOST_UNITS:
        return None
    strong = StrongGames(games, native)
    strong.play(part.left)
    return strong.found
