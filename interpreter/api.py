"""What `import gdl` offers as functions: games loaded, explained, checked, compared, measured.

In: what a program has, such as names of games, positions and moves. Out: what the rooms below find,
as frozen data. What then holds: a wrong call raises TypeError or ValueError that names what is
wrong, a faulty game GameError, and a failure of the rules in play RuleError.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from gdl.diagnostic import Source, wanted, whole_number
from gdl.interpreter.evaluation.evaluator import Evaluator
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position, Rules, rules_of
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import GameName, OptionValue, load_game, load_source
from gdl.model import Game

__all__ = ["check", "diff", "load", "report", "trace", "why"]

if TYPE_CHECKING:
    from gdl.interpreter.check import Finding
    from gdl.interpreter.compare.compare import Comparison
    from gdl.interpreter.compare.trace import Disagreement
    from gdl.interpreter.explain.explanation import Explanation
    from gdl.interpreter.records.recorded import Recorded
    from gdl.interpreter.report.measured import Report

Chosen = Literal["auto", "native", "reference"]
_OF_A_TEXT = "the text"
"""What the file is called in diagnostics, of which only the text is given."""


def load(
    game: GameName,
    /,
    options: Mapping[str, OptionValue] | None = None,
    variants: str | Sequence[str] = (),
    *,
    evaluator: Chosen = "auto",
    **more: OptionValue,
) -> Rules:
    """Return the rules of a game: a shipped one by its name, the file at a path, or a text.

    A text of several lines is a file's text; a path may be an object such as `pathlib.Path`.
    Options are given by their names, those that no parameter can be called by in `options`.
    `variants` are applied in the order given; a text is one of them.

    The rules are played by native code where there is some, else by the reference interpreter, or
    by what `evaluator` says; it is made when a position is first asked for. Both give the same
    moves in the same order.

    Raises GameError for a faulty file, a name that is unknown and a wrong option, and, where native
    code is asked for and there is none, `not-native`; TypeError for what names no game.

    >>> load("hex", size=5).start().mover
    'Red'
    """
    choices: dict[str, Callable[[Game], Evaluator]] = {
        "auto": _played,
        "native": _native,
        "reference": ReferenceRules,
    }
    if evaluator not in choices:
        raise ValueError(f"evaluator: {evaluator!r} is none of {', '.join(choices)}")
    asked: Mapping[str, OptionValue] | None = options
    if more and (options is None or isinstance(options, Mapping)):
        asked = {**(options or {}), **more}
    if isinstance(game, str) and "\n" in game:
        found = load_source(Source(_OF_A_TEXT, game), asked, variants)
    else:
        found = load_game(game, asked, variants)
    return Rules(found, choices[evaluator])


def _native(game: Game) -> Evaluator:
    """Return what plays a game by native code. Raises GameError where there is none."""
    from gdl.interpreter.native.runtime.rules import native_or_refused

    return native_or_refused(game, 'Load it with `evaluator="reference"`: the same, but slower.')


def _played(game: Game) -> Evaluator:
    """Return what plays a game: native code, where there is some and a compiler is installed."""
    try:
        from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
    except ImportError:
        return ReferenceRules(game)
    try:
        return NativeRules(game)
    except Uncovered:
        return ReferenceRules(game)


def why(
    position: Position, about: str = "", *, after: Iterable[Move | str] = ()
) -> list[Explanation]:
    """Return what the rules say of a move or a site, or, without a text, of the position itself.

    `after` are moves that are made from the position before the question is asked: then what has
    come to a site is told since the position, move by move. A text that is a site and may be a
    move is answered as both. Raises MoveError for what is neither, and for moves that are not
    legal; RuleError where the rules fail; TypeError for what is no position and no text.

    >>> position = load("hex", size=3).start().play("b2")
    >>> why(position, "b2")[-1].about
    'illegal'
    """
    from gdl.interpreter.explain.answers import why as answers

    wanted(position, Position, "a Position")
    positions, moves = [position], list[Move]()
    for given in after:
        move = positions[-1].parse(given) if isinstance(given, str) else given
        positions.append(positions[-1].play(move))
        moves.append(move)
    return answers(positions, moves, about)


def check(
    game: GameName, *, effort: float = 1.0, seconds: float | None = None
) -> tuple[Finding, ...]:
    """Return what is found in a file: what can't be understood, can hardly be meant, never happens.

    The game is named as for `load`. The `effort` is how many times as much is played as usual;
    for 0, nothing is played, and no examples are run. What is found depends on the file and the
    effort alone, but for a check that is cut off after so many `seconds` of the processor (60, if
    none are told), which says so. Each `Finding` has a `diagnostic` (`code`, `message`, `span`,
    `hint`, `severity`), and how sure it is (`certainty`, and moves as a `witness`).

    A file that can't be read is a finding, too. Raises TypeError for what names no game, and
    ValueError for an effort or seconds below 0.

    >>> (found,) = check("game: G\\nplayers: A, B\\nboard: square(3, 3)\\nturn: pss", effort=0)
    >>> str(found.diagnostic.code), found.diagnostic.span.line
    ('syntax', 4)
    """
    from gdl.interpreter.check import Effort, check_game
    from gdl.interpreter.check.effort import USUAL_SECONDS

    for name, number in (("effort", effort), ("seconds", seconds)):
        if number is not None and not number >= 0:
            raise ValueError(f"{name}: {number}, and 0 is the least")
    asked = Effort(effort, USUAL_SECONDS if seconds is None else seconds)
    if isinstance(game, str) and "\n" in game:
        return check_game(Source(_OF_A_TEXT, game), asked)
    if not isinstance(game, str | os.PathLike):
        raise TypeError(f"a game is named by a text or a path, not by {game!r}")
    return check_game(os.fspath(game), asked)


def diff(
    first: Rules | Game,
    second: Rules | Game,
    *,
    positions: int = 4_000,
    games: int = 3_000,
    max_plies: int = 600,
    seconds: float = 30.0,
    seed: int = 0,
) -> Comparison:
    """Return the shortest game that was found in which two sets of rules differ.

    All short games are compared, `positions` of them at most; then so many random `games` of
    `max_plies` moves at most, and games that head for what only one of the two asks. No more is
    looked at after so many `seconds` of the processor. The same `seed` draws the same games.

    The `Comparison` has the `difference` (None: none was found), whether it `is_shortest`, and how
    much was compared. Raises TypeError for what are no rules and no numbers.

    >>> found = diff(load("hex", size=3), load("hex", size=3, pie=True))
    >>> found.difference.only_second, found.is_shortest
    (('swap',), True)
    """
    from gdl.interpreter.compare.compare import Limits, compare

    limits = Limits(
        whole_number("positions", positions, 0),
        whole_number("games", games, 0),
        whole_number("max_plies", max_plies, 0),
        seconds,
    )
    return compare(first, second, limits, seed)


def trace(
    rules: Rules | Game, games: GameName | Iterable[Recorded | Sequence[str]]
) -> list[Disagreement | None]:
    """Return, for each recorded game, where the rules disagree with it; None where they don't.

    `games` are `Recorded` games, or the moves of each as texts; or the path of a file of such
    games: PGN, PDN, SGF, KIF, or a game a line, perhaps as JSON. What its headers say of options
    holds.

    A `Disagreement` says which `move`, `count` of legal moves or `result` was `recorded`, what the
    rules say (`ruled`), and why (`reasons`). Raises GameError for a file that can't be read,
    RuleError where the rules fail, TypeError for what are no games.

    >>> (found,) = trace(load("hex"), [["a1", "b2", "a1"]])
    >>> found.kind, found.played
    ('move', ('a1', 'b2'))
    """
    from gdl.interpreter.compare.trace import traced
    from gdl.interpreter.records.files import games_in
    from gdl.interpreter.records.following import RulesFor
    from gdl.interpreter.records.recorded import Recorded

    rules = rules_of(rules)
    recorded: Iterable[Recorded]
    if isinstance(games, str | os.PathLike):
        recorded = games_in(os.fspath(games))
    else:
        wanted(games, Iterable, "a list of games")
        recorded = [one if isinstance(one, Recorded) else Recorded(tuple(one)) for one in games]
    return list(traced(RulesFor(rules), recorded))


def report(
    rules: Rules | Game,
    *,
    seconds: float = 30.0,
    seed: int = 1,
    tell: Callable[[str], None] = lambda _: None,
) -> Report:
    """Return what is to be told of a game on a page, measured within so many seconds.

    How random games and those of the engine end, which clauses end them and how often, heat maps,
    the shortest and the longest game, the skill ladder, and what a check finds. `tell` is told what
    is being done. `report_json` makes plain data of it, `report_page` a page of HTML.

    Raises GameError for a faulty game, TypeError for what are no rules, ValueError for no time.
    """
    from gdl.interpreter.report.measured import measure

    rules = rules_of(rules)
    if not seconds > 0:
        raise ValueError(f"seconds: {seconds}, and they must be above 0")
    seed = whole_number("seed", seed)
    return measure(rules.game.document.span.source, rules.game, seconds, seed, tell)
