"""Why a move is legal, and what it does, statement by statement.

In: a position and a legal move. Out: an `Explanation`. What then holds: the effects are those that
the reference interpreter has when it makes the move.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from gdl.board.board import Board
from gdl.board.relation import bits
from gdl.core.evaluate import Frame
from gdl.core.nodes import Assign, Choose, Decide, Require, Slot, Statement
from gdl.core.types import SITES
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.moves import FORCED_PASS, Move
from gdl.interpreter.explain.asking import phase_of, prompt_of
from gdl.interpreter.explain.endings import end_after, stuck
from gdl.interpreter.explain.explanation import Explanation, Ruling
from gdl.interpreter.explain.moment import Moment, rules_of
from gdl.interpreter.explain.reasons import Reasons, witness_of
from gdl.interpreter.explain.sources import choice_text, line_of, source_of, without
from gdl.interpreter.explain.turn import Turns
from gdl.interpreter.explain.witness import NOTHING, Line, Witness, Witnesses
from gdl.interpreter.positions.encoding import write_plain
from gdl.interpreter.positions.position import Position
from gdl.interpreter.reference.machine import Machine
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import condition_of

_ROUNDING = 1e-9


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


def way_of(position: Position, move: Move) -> tuple[int, ...]:
    """Return the sites that a piece passed on its way, from the first to the last of a legal move.

    They are those by which the last site came to be among those that may be chosen. It is nothing
    where that is a step, or a straight line: such a way is seen by its ends.
    """
    rules, chosen = rules_of(position), list[int]()
    found = NOTHING
    made = () if move == FORCED_PASS else Turns(rules).passages(position.state, move.decisions)
    for statement, before, after, _ in made:
        if isinstance(statement, Choose) and statement.slot.type == SITES:
            site = int(after[rules.machine.places[statement.slot]])
            node, scope = source_of(statement)
            if not isinstance(node, t.Choose) or scope is None or site.bit_count() != 1:
                return ()
            chosen.append(site)
            if len(chosen) == 2:
                moment = Moment(rules, before)
                inner = moment.scope(without(scope, node.variable.name))
                found = Witnesses(moment).of_member(node.domain, inner, site)
    if len(chosen) != 2:
        return ()
    way = _path(found.lines, *(site.bit_length() - 1 for site in chosen))
    return () if _is_straight(way, rules.game.board) else way


def _path(lines: Sequence[Line], start: int, end: int) -> tuple[int, ...]:
    """Return the way by steps between two sites; nothing if none leads there.

    A witness has them from the last back to the first; the way may pass its first site again.
    """
    way = [end]
    for before, after in lines:
        if after == way[-1]:
            way.append(before)
    while len(way) > 1 and way[-1] != start:
        way.pop()
    return tuple(reversed(way)) if way[-1] == start else ()


def _is_straight(way: Sequence[int], board: Board) -> bool:
    """Return whether sites lie on a line, in this order; a closed way is none."""
    places = [(board.sites[site].x, board.sites[site].y) for site in way]
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(places)]
    return all(
        math.isclose(one[0] * other[1], one[1] * other[0], abs_tol=_ROUNDING)
        and one[0] * other[0] + one[1] * other[1] > 0
        for one, other in pairwise(steps)
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


def _place(statement: Statement) -> t.Node | None:
    return source_of(statement)[0]


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


# ------------------------------------------------------ what a part of a turn has changed, in words

_MOST_NAMED = 12


class FrameChanges:
    """Tells what has changed between two frames of a game's turn."""

    def __init__(self, game: Game, machine: Machine) -> None:
        self._game = game
        self._places = machine.places
        self._layers = {self._places[layer.slot]: layer.name for layer in game.layers}

    def told(self, before: list[Any], after: list[Any], assigned: Slot | None) -> tuple[str, ...]:
        """Return what is different; `assigned` is a word of the turn that was given a value."""
        return (
            *self._pieces(before, after),
            *self._heights(before, after),
            *self._state(before, after),
            *self._system(before, after),
            *self._word(after, assigned),
        )

    def sites(self, before: list[Any], after: list[Any]) -> int:
        """Return the sites on which other pieces stand than before."""
        changed = 0
        for place in self._layers:
            changed |= before[place] ^ after[place]
        return changed

    def touched(self, before: list[Any], after: list[Any]) -> int:
        """Return the sites on which other pieces stand, or that have other numbers."""
        changed = self.sites(before, after)
        for slot in self._game.program.state:
            if slot.per_site:
                pairs = zip(before[self._places[slot]], after[self._places[slot]], strict=True)
                changed |= sum(1 << index for index, (old, new) in enumerate(pairs) if old != new)
        return changed

    def _pieces(self, before: list[Any], after: list[Any]) -> Iterator[str]:
        gone = {p: before[p] & ~after[p] for p in self._layers if before[p] & ~after[p]}
        come = {p: after[p] & ~before[p] for p in self._layers if after[p] & ~before[p]}
        yield from self._covered(gone, before, after, "is covered")
        yield from self._covered(come, after, before, "is uncovered")
        for place, name in self._layers.items():
            left = gone.get(place, 0)
            for other, sites in come.items():
                if other != place and left & sites:
                    there = left & sites
                    yield (
                        f"{name} on {self._named(there)} "
                        f"{'becomes' if there.bit_count() == 1 else 'become'} "
                        f"{self._layers[other]}"
                    )
                    left &= ~there
                    come[other] = sites & ~there
            new = come.get(place, 0)
            if left.bit_count() == 1 and new.bit_count() == 1:
                yield f"{name} goes from {self._named(left)} to {self._named(new)}"
                come[place] = 0
            elif left:
                yield f"{name} leaves {self._named(left)}"
        for place, sites in come.items():
            if sites:
                yield f"{self._layers[place]} comes to {self._named(sites)}"

    def _covered(
        self, changed: dict[int, int], lower: list[Any], higher: list[Any], what: str
    ) -> Iterator[str]:
        """Take the pieces out of `changed` that are uppermost in the lower frame alone.

        Yield what has become of them: in the higher frame others stand upon them.
        """
        piles = self._game.piles
        place = None if piles is None else self._places.get(piles.height)
        if piles is None or place is None:
            return
        beneath = {self._places[top]: slot for top, slot in piles.beneath.items()}
        for layer, sites in changed.items():
            slot = beneath.get(layer)
            known = self._places.get(slot) if slot is not None else None
            for index in bits(sites if known is None else sites & higher[known]):
                if 0 < lower[place][index] < higher[place][index]:
                    changed[layer] &= ~(1 << index)
                    yield f"{self._layers[layer]} on {self._named(1 << index)} {what}"

    def _heights(self, before: list[Any], after: list[Any]) -> Iterator[str]:
        """Yield how high piles are that were there already, and still are."""
        piles = self._game.piles
        place = None if piles is None else self._places.get(piles.height)
        if place is not None:
            still = [
                new if old and new else old
                for old, new in zip(before[place], after[place], strict=True)
            ]
            yield from self._numbers("height", before[place], still)

    def _state(self, before: list[Any], after: list[Any]) -> Iterator[str]:
        for name, slot in self._game.state_slots.items():
            place = self._places.get(slot)
            if place is None or before[place] == after[place]:
                continue
            if slot.per_site:
                yield from self._numbers(name, before[place], after[place])
            else:
                values = [write_plain(self._game, slot.type, f[place]) for f in (before, after)]
                yield f"{name}: {values[0]} becomes {values[1]}"

    def _numbers(self, name: str, before: Any, after: Any) -> Iterator[str]:
        changed = [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        for index in changed[:_MOST_NAMED]:
            site = self._game.board.sites[index].name
            yield f"{name}({site}): {before[index]} becomes {after[index]}"

    def _system(self, before: list[Any], after: list[Any]) -> Iterator[str]:
        system, game = self._game.program.system, self._game
        if system.phase is not None:
            place = self._places[system.phase]
            if before[place] != after[place]:
                yield f"the phase is now {game.program.phases[after[place]].name}"
        place = self._places[system.following]
        if before[place] != after[place] and after[place] >= 0:
            yield f"{does([game.sides[after[place]]], 'is')} on turn next"
        for side, slot in zip(game.sides, system.seats, strict=bool(system.seats)):
            place = self._places[slot]
            if before[place] != after[place]:
                yield f"{does([side], 'is')} played by seat {after[place] + 1}"

    def _word(self, after: list[Any], slot: Slot | None) -> Iterator[str]:
        if slot is None or slot.is_state or slot is self._game.program.system.following:
            return
        value = after[self._places[slot]]
        if value is not None:
            shown = self._named(value) if slot.type == SITES else None
            yield f"{slot.name} is {shown or write_plain(self._game, slot.type, value)}"

    def _named(self, sites: int) -> str:
        names = [self._game.board.sites[index].name for index in bits(sites)]
        more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
        return ", ".join(names[:_MOST_NAMED]) + more if names else "empty"
