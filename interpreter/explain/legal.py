"""Why a move is legal, and what it does, statement by statement.

In: a position and a legal move. Out: an `Explanation`. What then holds: the effects are those that
the reference interpreter has when it makes the move.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.core.evaluate import Frame
from gdl.core.nodes import Assign, Choose, Decide, Require, Statement
from gdl.syntax import tree as t
from gdl.syntax.tree.parts import condition_of
from interpreter.evaluation.moves import FORCED_PASS, Move
from interpreter.explain.asking import phase_of, prompt_of
from interpreter.explain.changes import FrameChanges
from interpreter.explain.endings import end_after, stuck
from interpreter.explain.explanation import Explanation, Ruling
from interpreter.explain.moment import Moment, rules_of
from interpreter.explain.reasons import Reasons, witness_of
from interpreter.explain.sources import choice_text, line_of, source_of
from interpreter.explain.turn import Turns
from interpreter.explain.witness import Witness
from interpreter.positions.position import Position
from interpreter.reference.rules import ReferenceRules


def legal(position: Position, move: Move) -> Explanation:
    """Return what allows a legal move, and what it does."""
    rules = rules_of(position)
    if move == FORCED_PASS:
        found = stuck(position)
        return Explanation(
            "legal",
            f"{position.mover} passes, having no other move.",
            position,
            found.rulings,
            drawn=found.drawn,
        )
    made = [ruling for ruling, _ in _passages(rules, position, move)]
    rulings = [*made, *end_after(rules, position, move)]
    after = position.play(move)
    return Explanation(
        "legal", f"`{move}` is a legal move of {position.decider}.", after, tuple(rulings)
    )


def done_to(position: Position, move: Move, site: int) -> Iterator[Ruling]:
    """Yield what a legal move does to the piece or the numbers of a site, one time or more."""
    if move != FORCED_PASS:
        for ruling, touched in _passages(rules_of(position), position, move):
            if touched >> site & 1:
                yield ruling


def _passages(
    rules: ReferenceRules, position: Position, move: Move
) -> Iterator[tuple[Ruling, int]]:
    """Yield what each statement of the turn says, with the sites to which it does something.

    Those of one place in a row are one, and so are those that elaboration made of it.
    """
    changes = FrameChanges(rules.game, rules.machine)
    begun: tuple[Statement, Frame] | None = None
    last: Frame = []
    for statement, before, after, decision in Turns(rules).passages(position.state, move.decisions):
        if begun is not None and _place(statement) not in (None, _place(begun[0])):
            yield from _effect(rules, changes, begun[0], begun[1], last)
            begun = None
        if isinstance(statement, Choose | Decide | Require):
            for ruling in _decided(rules, statement, before, after, decision):
                yield ruling, 0
        elif begun is None:
            begun = (statement, before)
        last = after
    if begun is not None:
        yield from _effect(rules, changes, begun[0], begun[1], last)


def _place(statement: Statement) -> object:
    return None if statement.origin is None else statement.origin.node


def _effect(
    rules: ReferenceRules, changes: FrameChanges, statement: Statement, before: Frame, after: Frame
) -> Iterator[tuple[Ruling, int]]:
    node, scope = source_of(statement)
    if node is None or scope is None:
        return
    word = (
        statement.slot
        if isinstance(statement, Assign) and isinstance(node, t.LetStatement | t.Assign | t.Add)
        else None
    )
    told = changes.told(before, after, word)
    if told:
        moment = Moment(rules, before)
        text = Reasons(moment).written(node, moment.scope(scope))
        sites = changes.sites(before, after)
        ruling = Ruling("", node.span, text, changes=told, witness=Witness(sites))
        yield ruling, changes.touched(before, after)


def _decided(
    rules: ReferenceRules,
    statement: Statement,
    before: Frame,
    after: Frame,
    decision: int | None,
) -> Iterator[Ruling]:
    """Yield what allows a choice, with the condition that it meets."""
    node, scope = source_of(statement)
    if node is None or scope is None:
        return
    is_one_of_several = isinstance(statement, Choose) and isinstance(node, t.ChooseSet)
    condition = None if is_one_of_several else condition_of(node)
    moment = Moment(rules, after)
    reasons = Reasons(moment)
    reason = None if condition is None else reasons.of(condition, scope)
    shown = () if reason is None else (reason,)
    caption = prompt_of(rules, phase_of(rules, before), statement)
    if isinstance(statement, Choose):
        choice = choice_text(rules, statement, decision or 0)
        sentence = f"`{statement.slot.name}` is {choice}, which may be chosen"
    elif isinstance(statement, Require):
        if isinstance(node, t.Choose):
            return
        sentence = "what is required holds"
    else:
        return
    yield Ruling(
        sentence, node.span, line_of(node), shown, witness=witness_of(reason), caption=caption
    )
