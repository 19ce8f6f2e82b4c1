"""What went wrong in play: each with the game that shows it.

In: what was seen, and moves of one position. Out: findings, all of them witnessed, and which moves
read alike.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from gdl.codes import Code
from gdl.core.nodes import Block, Choose, Expression, Op, Slot
from gdl.core.walk import blocks_of, program_statements, statements_in
from gdl.diagnostic import Diagnostic, Span
from gdl.interpreter.check.coverage import Coverage
from gdl.interpreter.check.definitions import definitions_behind
from gdl.interpreter.check.finding import Finding, WitnessGame
from gdl.interpreter.check.places import key_or_file_span, note, turn_span, warning
from gdl.interpreter.check.play.seen import Seen
from gdl.interpreter.evaluation.evaluator import RuleError, State, is_about_work
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.model import Game

_FEWEST_IDLE = 3
"""How often a statement must have found no piece before that is told."""
_MOST_DEFINITIONS = 2
_SHORT = 0.5
"""The part of games that are over after one move for it to be told, whoever wins them."""


def mishaps(all_seen: Sequence[Seen], coverage: Coverage) -> Iterator[Finding]:
    """Yield where the rules fail, games end at once, moves read alike, or one changes nothing.

    Also statements that move a piece from where none stands, and two choices in either order of
    which only one order is legal.
    """
    told: set[tuple[str, Span | None]] = set()
    for seen in all_seen:
        for found, witness in _of_one(seen, coverage):
            key = (found.code, found.span)
            if key not in told:
                told.add(key)
                yield Finding(found, None, "witnessed", witness)


def _of_one(seen: Seen, coverage: Coverage) -> Iterator[tuple[Diagnostic, WitnessGame]]:
    shortest = sorted(seen.failures.items(), key=lambda failure: len(failure[1].moves))
    for problem, witness in shortest:
        yield (
            Diagnostic(
                Code.FAILS_IN_PLAY,
                f"The rules fail in play. {problem.message}",
                problem.span or key_or_file_span(seen.game, "game"),
                _hint(seen.game, problem),
                "warning",
                problem.related,
            ),
            witness,
        )
    if not seen.combination.options:
        for span, witness in _too_short(seen):
            hint = "See whether the goal is the one that is meant."
            yield (
                warning(
                    Code.OVER_AFTER_A_MOVE,
                    "A game is over here after one move.",
                    span,
                    hint,
                    _asked_by(seen.game, span),
                ),
                witness,
            )
    if seen.same_text is not None:
        text, witness = seen.same_text
        yield (
            warning(
                Code.MOVES_READ_ALIKE,
                f"Two legal moves read `{text}`, so that nobody can say which is meant.",
                turn_span(seen.game),
                "Give alternatives that begin alike a word each: `either as NAME`, `or as NAME`.",
            ),
            witness,
        )
    if seen.other_order is not None:
        pair, witness = seen.other_order
        blocks = [p.turns[0].program for p in seen.game.program.phases if not p.by_chance]
        beside = next(filter(None, map(_second_choice_span, blocks)), None)
        hint = "If nobody is to tell them apart, let one of them fail, as by `require`."
        if beside is not None:
            hint = (
                "Write `choose … unordered with` the other choice, if its order says nothing; or"
                " `choose 2 s in …`."
            )
        yield (
            note(
                Code.ORDERS_ALIKE,
                f"{pair} are two moves, and lead to the same position.",
                beside or turn_span(seen.game),
                hint,
            ),
            witness,
        )
    if seen.apart is not None:
        pair, witness = seen.apart
        yield (
            note(
                Code.ONE_ORDER_ONLY,
                f"Nobody can choose {pair}: of two choices in either order, one is not legal here,"
                " or leads elsewhere.",
                _unordered_span(seen.game) or turn_span(seen.game),
                "Ask nothing of the second choice that depends on which was first; or leave out"
                " `unordered with`.",
            ),
            witness,
        )
    for span, (times, text, witness) in seen.nothing.items():
        if times >= _FEWEST_IDLE and coverage.effects[span][1]:  # else `never-changes`
            yield (
                note(
                    Code.MOVES_NOTHING,
                    f"After `{text}`, this did nothing: no piece stood where it looks for one.",
                    span,
                    "See whether the piece is still there, or has moved before; and whether the"
                    " first site is the one that is meant.",
                ),
                witness,
            )
    for form, (times, text, witness) in seen.idle.items():
        if form is not None and (form in seen.forms or times < _FEWEST_IDLE):
            continue  # taken back by chance
        yield (
            warning(
                Code.CHANGES_NOTHING,
                f"The move `{text}` leaves the position as it was.",
                turn_span(seen.game),
                "Look whether the turn places, moves or removes what was meant; what does nothing"
                " may be said by `pass`.",
            ),
            witness,
        )


def _hint(game: Game, problem: Diagnostic) -> str:
    """Return what helps against a failure: where chance draws too much, to draw it by turns."""
    by_chance = (turn for p in game.program.phases if p.by_chance for turn in p.turns)
    drawn = {s.span for turn in by_chance for s in statements_in(turn.program)}
    if not is_about_work(problem) or problem.span not in drawn:
        return problem.hint
    return (
        "Let chance draw in several turns, a die or a card in each: the phase stays until all are"
        " drawn, as `turns` or a variable counts, and goes to the next one then."
    )


def _too_short(seen: Seen) -> Iterator[tuple[Span, WitnessGame]]:
    """Yield the clauses that end games after one move, where that is hardly meant.

    That a first move may lose is, and that one side alone may reach its goal by it, or one that
    guesses what it can't see; but not that half of the games are over.
    """
    game, played = seen.game, seen.statistics.playouts
    guesses = game.hides or game.program.has_chance
    for span, short in seen.short.items():
        is_duel = len(game.sides) > 1 and not guesses
        if short.times >= _SHORT * played or (is_duel and short.won):
            yield span, short.witness


def _asked_by(game: Game, span: Span) -> list[tuple[str, Span]]:
    """Return the first definitions that a clause asks for."""
    behind = islice(definitions_behind(game, span), _MOST_DEFINITIONS)
    return [("It asks for this.", definition) for definition in behind]


def _second_choice_span(block: Block) -> Span | None:
    """Return where a choice stands that is made on every way with another, and is free of it.

    That it leaves out the site of the other one is no matter.
    """
    before: list[Choose] = []
    for statement in block:
        for within in blocks_of(statement):
            if (found := _second_choice_span(within)) is not None:
                return found
        if isinstance(statement, Choose):
            asked = frozenset[Slot]().union(
                *(_from(part).free for part in statement.domain.parts())
            )
            if any(one.slot not in asked for one in before) and statement.span is not None:
                return statement.span
            before.append(statement)
    return None


def _from(sites: Expression) -> Expression:
    """Return what sites are taken from, without those that are left out."""
    match sites:
        case Op("difference", (of, _)):
            return _from(of)
    return sites


def _unordered_span(game: Game) -> Span | None:
    """Return where the first choice stands that may change places with another."""
    for statement in program_statements(game.program):
        if isinstance(statement, Choose) and statement.unordered_with is not None:
            return statement.span
    return None


# ------------------ moves of one position that read the same, or that are the same in another order

_MOST = 400
_WORD = re.compile(r"\w+")


def read_alike(legal: Sequence[Move]) -> str | None:
    """Return a text that two moves have."""
    if len(legal) < 2:
        return None
    text, count = Counter(move.text for move in legal).most_common(1)[0]
    return text if count > 1 else None


def in_two_orders(rules: ReferenceRules, state: State, legal: Sequence[Move]) -> str | None:
    """Return two moves that name the same sites, in another order, and lead to one position."""
    board = rules.game.board
    by_sites: dict[tuple[int, ...], Move] = {}
    for move in legal[:_MOST]:
        sites = [board.index(word) for word in _WORD.findall(move.text)]
        known = tuple(sorted(index for index in sites if index is not None))
        if len(known) != len(set(known)):
            continue  # a way that comes back to a site: where it turns off first is a choice
        other = by_sites.setdefault(known, move) if len(known) == len(sites) else move
        if other.text == move.text:
            continue
        try:
            one, two = (rules.apply(state, each) for each in (other, move))
        except RuleError:
            return None
        return f"`{other.text}` and `{move.text}`" if one.values == two.values else None
    return None
