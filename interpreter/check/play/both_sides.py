"""Do the rules say the same of both sides, where both begin alike?

In: a game of two sides, and positions that were met. Out: notes, each with a position in which one
side can do what the other can't in its place. What then holds: no symmetry of the board that turns
the start of one side into that of the other does so with all that they can do.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

from gdl.board.symmetries import Permutation, moved_set, symmetries
from gdl.codes import Code
from gdl.core.nodes import Slot
from gdl.core.piles import Piles
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span
from gdl.interpreter.check.definitions import said_of_sides
from gdl.interpreter.check.effort import Part, Work
from gdl.interpreter.check.finding import Finding, WitnessGame
from gdl.interpreter.check.places import RULES, note, parsed_rules, turn_span
from gdl.interpreter.check.play.seen import Kept, Seen
from gdl.interpreter.check.rules.sides import goals_differ
from gdl.interpreter.evaluation.evaluator import Outcome, RuleError, State
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.explain.turn import Turns
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in

_MOST_MOVES = 150
"""Moves of a position that are made for both sides; of more, some."""
_SOME_MOVES = 40
_MOST_SHORTENED = 8
_NUMBERING = "following"


@dataclass(frozen=True)
class _Parting:
    """A `move` that can be made in `state`, and there is nothing like it in `other`.

    `image` is what it would read there; `exchange` leads from the one to the other. The position
    that was met is the `other` one if it `is_back`.
    """

    exchange: Exchange
    state: State
    move: Move
    after: State
    other: State
    image: str
    is_back: bool


class SideComparison:
    """Compares what both sides of a game can do."""

    def __init__(self, game: Game, work: Work) -> None:
        self._game = game
        self._work = work
        self._rules = ReferenceRules(game)
        self._rules.machine.tally = work.tally
        phase, state = game.program.system.phase, game.program.state
        self._phase = None if phase is None else state.index(phase)

    def found(self, seen: Seen, part: Part) -> Iterator[Finding]:
        """Yield where the sides part, if they do so under each symmetry."""
        left = list(self._exchanges())
        last: Exchange | None = None
        for kept in seen.kept:
            for exchange in tuple(left):
                if part.left <= 0:
                    return  # one that was not tried enough may be the one that holds
                if self._tried(exchange, kept) is not None:
                    last = exchange
                    left.remove(exchange)
            if last is not None and not left:
                yield self._shortest(last, seen, part)
                return

    def _shortest(self, exchange: Exchange, seen: Seen, part: Part) -> Finding:
        """Return what is told of a symmetry that fails, with one of the shorter games."""
        found: list[tuple[tuple[str, ...], _Parting]] = []
        for kept in seen.kept:
            parting = self._tried(exchange, kept)
            if parting is not None:
                found.append((kept.way(), parting))
            if len(found) == _MOST_SHORTENED or (found and part.left <= 0):
                break
        moves, parting = min(found, key=lambda way: len(way[0]))
        return Finding(self._told(parting), None, "witnessed", WitnessGame(seen.combination, moves))

    def _tried(self, exchange: Exchange, kept: Kept) -> _Parting | None:
        try:
            return self._parting(exchange, kept.state)
        except RuleError:
            return None

    def _exchanges(self) -> Iterator[Exchange]:
        """Yield the symmetries that turn the start of one side into that of the other."""
        if _tells_sides_apart(self._game) or goals_differ(self._game):
            return
        start = self._rules.start().values
        for symmetry in symmetries(self._game.board):
            try:
                exchange = Exchange(self._game, symmetry, start)
            except NotExchangeableError:
                return
            if exchange.is_start():
                yield exchange

    # --------------------------------------------------------------- two positions

    def _parting(self, exchange: Exchange, state: State) -> _Parting | None:
        """Return where the sides part in a position and its exchanged one; None if nowhere.

        A position in which the game is over has nothing to compare; nor has one in which chance
        decides: what it deals to each side in turn has no mirror image.
        """
        if state.ended is not None or self._is_by_chance(state):
            return None
        here = State(exchange.without_past(state.values))
        there = State(exchange.values(state.values))
        legal, others = self._rules.legal(here), self._rules.legal(there)
        if max(len(legal), len(others)) > _MOST_MOVES:
            return self._by_names(exchange, here, there, legal, others)
        made, answers = self._made(here, legal), self._made(there, others)
        if self._leaves_phase(here, made) or self._leaves_phase(there, answers):
            return None
        led = {exchange.led(a.values, a.ended): (m, a) for m, a in made}
        seen = {exchange.kept(a.values, a.ended): (m, a) for m, a in answers}
        for result, (move, after) in led.items():
            if result not in seen:
                return _Parting(exchange, here, move, after, there, exchange.text(move.text), False)
        for result, (move, after) in seen.items():
            if result not in led:
                back = exchange.inverse()
                return _Parting(back, there, move, after, here, back.text(move.text), True)
        return None

    def _by_names(
        self,
        exchange: Exchange,
        here: State,
        there: State,
        legal: Sequence[Move],
        others: Sequence[Move],
    ) -> _Parting | None:
        """Return where the sides part, as some of the moves show."""
        named = {move.text: move for move in others}
        some = Random(len(legal)).sample(legal, min(_SOME_MOVES, len(legal)))
        for move, after in self._made(here, some):
            image = exchange.text(move.text)
            parting = _Parting(exchange, here, move, after, there, image, False)
            if image not in named:
                if len(legal) != len(others):  # else the words stand in another order
                    return parting
                continue
            if any(self._game.board.index(word) is None for word in _WORD.findall(image)):
                continue  # a direction, say, leads elsewhere on the other side
            other = self._rules.apply(there, named[image])
            if exchange.led(after.values, after.ended) != exchange.kept(other.values, other.ended):
                return parting
        return None

    def _made(self, state: State, moves: Sequence[Move]) -> list[tuple[Move, State]]:
        return [(move, self._rules.apply(state, move)) for move in moves]

    def _is_by_chance(self, state: State) -> bool:
        """Return whether nobody is on turn in a position, and chance decides."""
        phases = self._game.program.phases
        return phases[0 if self._phase is None else int(state.values[self._phase])].by_chance

    def _leaves_phase(self, state: State, made: Sequence[tuple[Move, State]]) -> bool:
        """Return whether a move leads to another phase: which side begins one is often named."""
        place = self._phase
        if place is None:
            return False
        return any(after.values[place] != state.values[place] for _, after in made)

    # --------------------------------------------------------------------- telling

    def _told(self, parting: _Parting) -> Diagnostic:
        named = self._rules.named(parting.other, parting.image)
        mover, opponent = (self._mover(state) for state in (parting.state, parting.other))
        if not named:
            where = "there" if parting.is_back else "here"
            place = self._refused(parting)
            what = (
                f"With the sides exchanged, {opponent} can't play `{parting.image}`, as {mover}"
                f" can play `{parting.move}` {where}."
            )
        else:
            after = self._rules.apply(parting.other, named[0])
            place, what = self._differs(parting, named[0], after)
        place = place or turn_span(self._game)
        said = said_of_sides(self._game, place)
        return note(
            Code.SIDES_DIFFER,
            f"Both sides begin alike, and one can do what the other can't. {what}",
            place,
            self._hint,
            [("This says what each side has.", span) for span in said],
        )

    @property
    def _hint(self) -> str:
        hint = "See whether each side has the rule that is meant."
        layers = set(self._game.program.layers)
        if any(s.type == SITES and s not in layers for s in self._game.state_slots.values()):
            hint += " A variable that names sites by one of their corners has no mirror image."
        return hint

    def _mover(self, state: State) -> str:
        program = self._game.program
        side: int = state.values[program.state.index(program.system.mover)]
        return self._game.sides[side]

    def _refused(self, parting: _Parting) -> Span | None:
        """Return where a move can't go on."""
        attempt = Turns(self._rules).attempt(parting.other, parting.image)
        spans = (stop.statement.span for stop in attempt.stops if stop.statement is not None)
        return next((span for span in spans if span is not None), None)

    def _differs(self, parting: _Parting, image: Move, after: State) -> tuple[Span | None, str]:
        """Return where what two moves do differs, and how."""
        exchange = parting.exchange
        one = f"`{parting.move}` of {self._mover(parting.state)}"
        other = f"`{image}` of {self._mover(parting.other)} with the sides exchanged"
        if exchange.values(parting.after.values) != exchange.without_past(after.values):
            return self._effect(parting, image), f"{one} does what {other} does not."
        outcomes = parting.after.ended, after.ended
        ended = next((end for end in outcomes if end is not None and end.span), None)
        told = " and ".join(map(_ended, outcomes))
        return ended.span if ended else None, f"{one} and {other} end differently: {told}."

    def _effect(self, parting: _Parting, image: Move) -> Span | None:
        """Return the statement at which the ways of two moves part."""
        turns, number = Turns(self._rules), len(self._game.program.state)
        ways = zip(
            turns.passages(parting.state, parting.move.decisions),
            turns.passages(parting.other, image.decisions),
            strict=False,
        )
        last: Span | None = None
        for (statement, _, here, _), (other, _, there, _) in ways:
            last = statement.span or last
            if statement.span != other.span:
                return last
            led = parting.exchange.values(here[:number])
            if led != parting.exchange.without_past(there[:number]):
                return last
        return last


def _tells_sides_apart(game: Game) -> bool:
    """Return whether a rule asks who is on turn by name, as it is meant for one side alone.

    Nor has a number an image that counts the sides, beginning with one.
    """
    return any(
        _is_numbering(node, game.sides) or _asks_for_mover(node, game.sides)
        for rules in parsed_rules(game, RULES)
        for node in nodes_in(rules)
    )


def _is_numbering(node: t.Node, sides: Sequence[str]) -> bool:
    return (
        isinstance(node, t.Call)
        and isinstance(node.function, t.Name)
        and node.function.name == _NUMBERING
        and isinstance(node.arguments[0], t.Name)
        and node.arguments[0].name in sides
        and not all(isinstance(one, t.Number) for one in node.arguments[1:])
    )


def _asks_for_mover(node: t.Node, sides: Sequence[str]) -> bool:
    if not isinstance(node, t.Operation) or node.operator not in ("=", "!="):
        return False
    names = {part.name for part in node.operands if isinstance(part, t.Name)}
    return "mover" in names and not names.isdisjoint(sides)


def _ended(outcome: Outcome | None) -> str:
    return "the game goes on" if outcome is None else outcome.text


# --------------------------------------------------------------- positions with the sides exchanged

_WORD = re.compile(r"\w+")


class NotExchangeableError(Exception):
    """A position has something of which nobody knows what the other side's is."""


class Exchange:
    """Turns positions of a game into those in which the sides are exchanged."""

    def __init__(self, game: Game, symmetry: Permutation, start: Sequence[Any]) -> None:
        """Raises NotExchangeableError where slots have no partner."""
        self._game = game
        self._start = start
        self._symmetry = symmetry
        program = game.program
        places = {slot: place for place, slot in enumerate(program.state)}
        by_name = {slot.name: place for slot, place in places.items()}
        self._layers = {layer.slot: layer for layer in game.layers}
        self._forgotten = {memory.slot for memory in program.memories}
        self._exchanging: list[Callable[[Sequence[Any]], Any]] = []
        for place, slot in enumerate(program.state):
            if slot in self._layers:
                source = places[self._partner(slot)]
            else:
                source = by_name.get(self.text(slot.name, sites=False), place)
            self._exchanging.append(self._value_of(slot, place, source))

    def _value_of(self, slot: Slot, place: int, source: int) -> Callable[[Sequence[Any]], Any]:
        """Return what gives a slot its value in an exchanged position."""
        program, symmetry, piles = self._game.program, self._symmetry, self._game.piles
        if piles is not None and slot is piles.under:
            return self._under(piles, place, program.state.index(piles.height))
        if slot in self._forgotten:
            initial = self._start[place]
            return lambda values: initial
        if slot in program.system.seats:
            return lambda values: values[place]
        if slot.type == SITES and not slot.per_site:
            return lambda values: moved_set(values[source], symmetry)
        is_side = slot is program.system.mover or slot.type.name == "side"
        if slot.type.name == "direction":
            raise NotExchangeableError

        def one(value: Any) -> Any:
            return 1 - value if is_side and value in (0, 1) else value

        if not slot.per_site:
            return lambda values: one(values[source])

        def each(values: Sequence[Any]) -> tuple[Any, ...]:
            before = values[source]
            after = list(before)
            for index, value in enumerate(before):
                after[symmetry[index]] = one(value)
            return tuple(after)

        return each

    def _under(
        self, piles: Piles, place: int, height: int
    ) -> Callable[[Sequence[Any]], tuple[int, ...]]:
        """Return what gives the slot of what lies under the uppermost pieces its value."""
        counterparts = [piles.coverable.index(self._partner(slot)) for slot in piles.coverable]
        width, mask = piles.width, (1 << piles.width) - 1

        def under(values: Sequence[Any]) -> tuple[int, ...]:
            found = [0] * len(self._symmetry)
            for index, digits in enumerate(values[place]):
                shifts = range(0, width * max(0, values[height][index] - 1), width)
                found[self._symmetry[index]] = sum(
                    counterparts[digits >> shift & mask] << shift for shift in shifts
                )
            return tuple(found)

        return under

    def _partner(self, slot: Slot) -> Slot:
        """Return the layer that has the pieces of the other side of the same kind."""
        layer = self._layers[slot]
        whose = None if layer.side is None else 1 - layer.side
        for other in self._game.layers:
            if (other.kind, other.side) == (layer.kind, whose):
                return other.slot
        raise NotExchangeableError

    def values(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the values of a position with the sides exchanged."""
        return tuple(exchanged(values) for exchanged in self._exchanging)

    def without_past(self, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the values of a position of which the rules remember nothing earlier."""
        program = self._game.program
        return tuple(
            start if slot in self._forgotten else value
            for slot, value, start in zip(program.state, values, self._start, strict=True)
        )

    def is_start(self) -> bool:
        """Return whether the position that games begin with is its own, but for who is on turn."""
        program = self._game.program
        mover = program.state.index(program.system.mover)
        first = tuple(self._start)
        other = self.values(first)
        return first[:mover] == other[:mover] and first[mover + 1 :] == other[mover + 1 :]

    def text(self, text: str, *, sites: bool = True) -> str:
        """Return a text with the names of the sides, and of sites, exchanged."""
        one, other = self._game.sides

        def exchanged(found: re.Match[str]) -> str:
            word = found[0]
            if word in (one, other):
                return other if word == one else one
            index = self._game.board.index(word) if sites else None
            if index is None:
                return word
            return self._game.board.sites[self._symmetry[index]].name

        return _WORD.sub(exchanged, text)

    def led(self, values: Sequence[Any], outcome: Outcome | None) -> object:
        """Return a position and how the game ended in it, both with the sides exchanged."""
        return self.values(values), None if outcome is None else self._result(outcome)

    def kept(self, values: Sequence[Any], outcome: Outcome | None) -> object:
        """Return a position and how the game ended in it, to be compared with what `led` gives."""
        result = None if outcome is None else (tuple(sorted(outcome.winners)), outcome.payoffs)
        return self.without_past(values), result

    def _result(self, outcome: Outcome) -> object:
        winners = sorted(self.text(winner, sites=False) for winner in outcome.winners)
        return tuple(winners), tuple(reversed(outcome.payoffs))

    def inverse(self) -> Exchange:
        """Return what leads back. Raises NotExchangeableError."""
        back = [0] * len(self._symmetry)
        for index, image in enumerate(self._symmetry):
            back[image] = index
        return Exchange(self._game, tuple(back), self._start)
