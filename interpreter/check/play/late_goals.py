"""Goals that held already before the turn after which they ended the game.

In: states before a move, and the clauses that ended games after it. Out: notes, each with a game.
What then holds: of all the times a goal was seen to end a game, none was brought about by the turn
before it, as far as it asks for the position and not for the past; and it is the goal of the side
that made this turn, or there was nothing that could have been done against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from gdl.codes import Code
from gdl.core.nodes import Ending
from gdl.diagnostic import Span
from gdl.interpreter.check.finding import Finding, WitnessGame
from gdl.interpreter.check.places import note
from gdl.interpreter.check.play.seen import Kept, Seen
from gdl.interpreter.check.rules.ends import looks_back
from gdl.interpreter.evaluation.evaluator import RuleError, State
from gdl.interpreter.reference.rules import ReferenceRules

_FEWEST = 30
"""How often a goal must have ended a game for it to be told."""
_MOST_COMPARED = 20
"""Games of which the shortest is shown."""


def note_goal(
    seen: Seen,
    rules: ReferenceRules,
    before: State,
    span: Span,
    way: Callable[[], tuple[str, ...]],
) -> None:
    """Take down whether a goal that has ended a game held before the last move, too.

    `way` gives all moves of the game: it is only asked if that is told.
    """
    times, early, kept = seen.held_before.get(span) or (0, 0, [])
    if early < times:
        return  # it was brought about once: nothing will be told of it
    held = _held_before(rules, before, span)
    if held is not None:
        if times < _MOST_COMPARED:
            kept.append(Kept(before, way))
        seen.held_before[span] = times + 1, early + held, kept


def _held_before(rules: ReferenceRules, state: State, span: Span) -> bool | None:
    """Return whether a goal would have ended the game had the side on turn just moved to a state.

    None where the clause at this place tells nobody who wins or loses, or asks for the past.
    """
    machine = rules.machine
    machine.begin_turn()
    frame = machine.frame(state.values)
    phase = machine.phase(frame)
    side = int(frame[machine.places[rules.game.program.system.mover]])
    endings = rules.game.program.phases[phase].turns[side].endings
    if not any(ending.span == span and _is_of_now(ending) for ending in endings):
        return None
    try:
        found = rules.ended_by(frame, phase, side)
    except RuleError:
        return None
    return found is not None and found[0].ending.span == span


def _is_to_last(rules: ReferenceRules, span: Span, kept: Sequence[Kept]) -> bool:
    """Return whether a goal is that of another side, and the last turn could have undone it.

    As where a piece wins on the last row if it is not taken at once.
    """
    is_undone = False
    mover = rules.machine.places[rules.game.program.system.mover]
    for state in (one.state for one in kept):
        for move in rules.legal(state):
            ended = rules.apply(state, move).ended
            if ended is None or ended.span != span:
                is_undone = True
            elif rules.game.sides[int(state.values[mover])] in ended.winners:
                return False
    return is_undone


def _is_of_now(ending: Ending) -> bool:
    return ending.kind in ("wins", "loses") and not looks_back(ending.condition)


def late_goals(seen: Seen) -> Iterator[Finding]:
    """Yield the goals that were never brought about by the turn after which they ended a game."""
    rules = ReferenceRules(seen.game)
    for span, (times, before, kept) in seen.held_before.items():
        if times >= _FEWEST and before == times and not _is_to_last(rules, span, kept):
            found = note(
                Code.ASKED_TOO_LATE,
                f"All of {times} times that this ended a game, it had held before the last turn: no"
                " turn of that side brought it about.",
                span,
                "See whether `own` and `enemy`, or `mover` and `enemy`, are exchanged.",
            )
            moves = min((one.way() for one in kept), key=len)
            witness = WitnessGame(seen.combination, moves)
            yield Finding(found, None, "witnessed", witness)
