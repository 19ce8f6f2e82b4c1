"""Clauses that end the game: is there one, can each be reached, do two say the same?

In: the program of a game. Out: warnings. What then holds: each is proved by the program.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from gdl.core.nodes import Const, Ending, Expression, Slot, Times
from gdl.core.sameness import equal_up_to_names
from gdl.core.walk import expressions_in
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.places import key_span, note, turn_span, warning
from interpreter.check.rules.following import follows


def check_clauses(game: Game) -> Iterator[Diagnostic]:
    """Yield what is wrong with the clauses of a game."""
    yield from _no_end(game)
    same_goals = list(_same_goals(game))
    yield from same_goals
    yield from _never_wins(game)
    yield from _out_of_reach(game, {found.span for found in same_goals})
    yield from _draws_first(game)


def _clauses(game: Game) -> list[Ending]:
    """Return the clauses of `end` and `stuck` of all turns."""
    return [ending for turn in game.program.turns for ending in turn.clauses]


def _no_end(game: Game) -> Iterator[Diagnostic]:
    """A game needs a clause that ends it: in `end`, or in `stuck` if a side can't move."""
    if all(ending.kind == "passes" for ending in _clauses(game)):
        yield warning(
            "no-end",
            "No rule ends the game.",
            turn_span(game),
            "Write under `end` who wins and when, or under `stuck` what happens to a side that"
            " can't move.",
        )


def _same_goals(game: Game) -> Iterator[Diagnostic]:
    """Two sides that win by different clauses on the same condition: one was copied."""
    told: set[Span] = set()
    for turn in game.program.turns:
        winning = [e for e in turn.endings if e.kind == "wins" and len(e.sides) == 1]
        for number, ending in enumerate(winning):
            state = game.program.state
            first = next((e for e in winning[:number] if _is_same_goal(e, ending, state)), None)
            if first is None or ending.span is None or ending.span in told:
                continue
            told.add(ending.span)
            one, other = (game.sides[e.sides[0]] for e in (first, ending))
            yield warning(
                "same-goal",
                f"{one} and {other} win on the same condition.",
                ending.span,
                "Give each its own, or let `mover` or `any` win if it is meant for all.",
                (("The other clause is here.", first.span),) if first.span else (),
            )


def _is_same_goal(one: Ending, other: Ending, state: tuple[Slot, ...]) -> bool:
    if isinstance(one.condition, Const) or one.sides == other.sides:
        return False
    return equal_up_to_names(one.condition, other.condition, state)


def _never_wins(game: Game) -> Iterator[Diagnostic]:
    """A side for which no clause is, where another has one."""
    sides = range(len(game.sides))
    clauses = _clauses(game)
    winning = {side for ending in clauses for side in _may_win(ending, sides)}
    for side in sides:
        if (winning or len(sides) == 1) and side not in winning:
            spans = dict.fromkeys(e.span for e in clauses if e.kind in ("wins", "loses") and e.span)
            first, *more = spans or (None,)
            yield warning(
                "never-wins",
                f"No rule lets {game.sides[side]} win.",
                first or key_span(game, "end"),
                f"Say when it does, as in `{game.sides[side]} wins when …`.",
                [("This one is for another side, too.", span) for span in more if span],
            )


def _may_win(ending: Ending, sides: Iterable[int]) -> set[int]:
    match ending.kind:
        case "wins":
            return set(ending.sides)
        case "loses":
            return set(sides) - set(ending.sides)
        case "highest" | "lowest":
            return set(sides)
    return set()


def _out_of_reach(game: Game, told: set[Span | None]) -> Iterator[Diagnostic]:
    """Clauses that come after one that always holds, or that holds whenever they do."""
    above: dict[Span, list[Ending | None]] = defaultdict(list)
    for turn in game.program.turns:
        for clauses in (turn.endings, turn.stuck):
            for number, ending in enumerate(clauses):
                if ending.span is not None:
                    one = _first_above(clauses[:number], ending, game.program.state)
                    above[ending.span].append(one)
    for span, found in above.items():
        first = found[0]
        if first is None or not all(found) or span in told or first.span is None:
            continue
        always = isinstance(first.condition, Const)
        yield warning(
            "never-reached",
            "This clause is never asked: the one above "
            + ("always holds." if always else "holds whenever this one would."),
            span,
            "Remove it, give it a condition of its own, or change the order.",
            (("This clause is first.", first.span),),
        )


def _first_above(
    clauses: tuple[Ending, ...], ending: Ending, state: tuple[Slot, ...]
) -> Ending | None:
    """Return the clause above that holds whenever an ending does, if there is one."""
    for one in clauses:
        if one.span == ending.span or one.kind in ("highest", "lowest"):
            continue
        is_always = isinstance(one.condition, Const) and bool(one.condition.value)
        if is_always or follows(one.condition, ending.condition, state):
            return one
    return None


def _draws_first(game: Game) -> Iterator[Diagnostic]:
    """Yield draws that are asked for before a win that the same move may bring about.

    A position that was there before, or a pass, wins nothing that it did not win then; a draw in
    which the win holds as well is meant to come first.
    """
    told: dict[Span, Span] = {}
    meant: set[Span] = set()
    for turn in game.program.turns:
        for number, draw in enumerate(turn.endings):
            if draw.kind != "draw" or draw.span is None:
                continue
            if _looks_back(game, draw.condition) or _is_of_one(game, draw.condition):
                continue
            for win in turn.endings[number + 1 :]:
                if win.kind not in ("wins", "loses") or win.span in (None, draw.span):
                    continue
                if follows(win.condition, draw.condition, game.program.state):
                    meant.add(draw.span)
                elif win.span is not None and not isinstance(win.condition, Const):
                    told.setdefault(draw.span, win.span)
    for span, win_span in told.items():
        if span not in meant:
            yield note(
                "draw-first",
                "A move after which both this and a clause below hold draws: this is asked first.",
                span,
                "Put it below, if a move that wins should win even then.",
                (("This one would win or lose.", win_span),),
            )


def _is_of_one(game: Game, condition: Expression) -> bool:
    """Return whether a condition asks for the pieces of some sides, and not of all."""
    sides = {layer.side for layer in game.layers if layer.slot in condition.free}
    return bool(sides) and not sides >= set(range(len(game.sides)))


def _looks_back(game: Game, condition: Expression) -> bool:
    """Return whether a condition is a constant, or asks for passes or earlier positions."""
    if isinstance(condition, Const):
        return True
    passes = game.program.system.passes
    if passes is not None and passes in condition.free:
        return True
    return any(isinstance(node, Times) for node in expressions_in(condition))
