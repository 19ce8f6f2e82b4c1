"""Values that a person gives to state variables: `hand(White): 3`, `seeds(a1 | b1): 2`.

In: texts, a variable with its indices and a value, both in the game's own words. Out: the slot
of the state that is meant, and what it then holds. What then holds: the variable is declared,
and the value is one that it may hold.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gdl.board.relation import bits
from gdl.codes import Code
from gdl.core.nodes import GREATEST, LEAST, Const, Get, GetAt, Slot
from gdl.core.types import FRACTION, NUMBER, SITES, Type
from gdl.data_classes import dataclass
from gdl.diagnostic import (
    Diagnostic,
    GameError,
    Hint,
    Report,
    Source,
    Span,
    refused,
    suggest,
    wanted,
)
from gdl.document.nodes import Mapping as Document
from gdl.elaborate.relations.pictures import read_picture, uppermost
from gdl.interpreter.positions.encoding import read_plain
from gdl.model import Game

_NOBODY = ("none", "nothing", "nobody")
_MOST_NAMED = 8


@dataclass(frozen=True)
class Setting:
    """A variable as a person names it, and the value that it is given."""

    name: Span
    value: Span


def settings_of(state: Mapping[str, object] | Iterable[Setting]) -> Iterator[Setting]:
    """Yield the settings of a mapping from variables to values, texts or plain ones.

    Settings may be given as such, too. Raises TypeError for what is neither.
    """
    if not isinstance(state, Mapping):
        wanted(state, Iterable, "for `state`, a mapping from variables to values")
        for setting in state:
            wanted(setting, Setting, "for `state`, a mapping from variables to values")
            yield setting
        return
    for name, value in state.items():
        wanted(name, str, "a variable's name")
        text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
        yield Setting(_whole("the state", name), _whole(f"the value of `{name}`", text))


def _whole(name: str, text: str) -> Span:
    return Span(Source(name, text), 0, len(text))


def new_value(game: Game, setting: Setting, now: Mapping[Slot, Any]) -> tuple[Slot, Any]:
    """Return the slot that a setting is about, and the value that it then has.

    `now` has the present values; a slot that is not in it counts as 0 everywhere. Raises
    GameError (`unknown-name`, `not-a-variable`, `wrong-number-of-arguments`, `wrong-value`,
    `not-constant`, and all that an expression can have).
    """
    slot, sites = _target(game, setting.name)
    text = setting.value.text
    if not slot.per_site:
        return slot, _value(game, slot, setting.value)
    if sites is None and "=" in text:
        return slot, _numbers_by_site(game, slot, setting.value)
    number = _value(game, slot, setting.value)
    if sites is None:
        return slot, (number,) * game.board.size
    numbers = list(now.get(slot, (0,) * game.board.size))
    for index in bits(sites):
        numbers[index] = number
    return slot, tuple(numbers)


# -------------------------------------------------------------------- the variable


def _target(game: Game, name: Span) -> tuple[Slot, int | None]:
    """Return the slot that a text names, and the sites if it names some of a slot per site."""
    slots = {_without_blanks(key): slot for key, slot in game.state_slots.items()}
    text = _without_blanks(name.text)
    if text in slots:
        return slots[text], None
    _refuse_strangers(game, name, text)
    for key, slot in slots.items():
        place = _last_argument(name, key) if slot.per_site else None
        if place is not None:
            return slot, _sites(game, place)
    match game.words.expression(name, None):
        case Get(slot) if slot in slots.values():
            return slot, None
        case GetAt(slot, Const(value=int(sites))) if slot in slots.values():
            return slot, sites
    raise _error(
        Code.NOT_A_VARIABLE,
        f"`{name.text}` names no variable that can be set here.",
        name,
        "Write its name, with the indices of its declaration as they are known before play.",
    )


def _last_argument(name: Span, key: str) -> Span | None:
    """Return the argument after those of `key`, or None if the name is not of that form."""
    before = re.escape(key.removesuffix(")")) + (re.escape(",") if key.endswith(")") else r"\(")
    pattern = r"\s*".join(re.findall(r"\\?.", before))
    found = re.fullmatch(rf"\s*{pattern}(.*)\)\s*", name.text, re.DOTALL)
    return None if found is None else _part(name, *found.span(1))


def _part(span: Span, start: int, end: int) -> Span:
    return Span(span.source, span.start + start, span.start + end)


def _sites(game: Game, span: Span) -> int:
    found = game.words.expression(span, None)
    if isinstance(found, Const) and found.type == SITES and isinstance(found.value, int):
        return found.value
    raise _error(
        Code.WRONG_VALUE,
        f"`{span.text.strip()[:60]}` are no sites that are known before play.",
        span,
        "Write for instance `a1`, `a1 | b1` or `top`.",
    )


def _refuse_strangers(game: Game, name: Span, text: str) -> None:
    """Raise GameError if a text names no variable, or one that needs an index, without it."""
    known = list(dict.fromkeys(key.partition("(")[0] for key in game.state_slots))
    head = text.partition("(")[0]
    if head not in known:
        hint = suggest(head, known) or (
            f"There are: {', '.join(known)}." if known else "The game has no `state`."
        )
        raise _error(Code.UNKNOWN_NAME, f"There is no state variable `{head[:60]}`.", name, hint)
    if head == text:
        each = [f"`{key}`" for key in game.state_slots if key.startswith(f"{head}(")]
        more = ", …" if len(each) > _MOST_NAMED else ""
        raise _error(
            Code.WRONG_NUMBER_OF_ARGUMENTS,
            f"`{head}` has a value for each of its indices.",
            name,
            f"Set each that differs from the start: {', '.join(each[:_MOST_NAMED])}{more}.",
        )


def _without_blanks(text: str) -> str:
    return "".join(text.split())


# ----------------------------------------------------------------------- the value


def _value(game: Game, slot: Slot, span: Span) -> Any:
    """Return the value that a text gives to a slot, or to one site of it."""
    text = span.text.strip()
    value = _spelled(game, slot.type, text)
    if value is None:
        value = _worked_out(game, slot, span)
    return _in_bounds(slot, value, span)


def _spelled(game: Game, type_: Type, text: str) -> Any | None:
    if type_.is_choice and type_.name != "name" and text in _NOBODY:
        return -1
    return read_plain(game, type_, text)


def _worked_out(game: Game, slot: Slot, span: Span) -> Any:
    try:
        found = game.words.expression(span, None)
    except GameError as error:
        if not re.fullmatch(r"\s*\w+\s*", span.text):
            raise
        hint = error.diagnostics[0].hint
        if slot.type.is_choice:
            hint = f"It can be: {', '.join(slot.type.values)}."
        raise _wrong_value(slot, span.text, span, hint) from None
    if found.type != slot.type and (found.type, slot.type) != (NUMBER, FRACTION):
        raise _wrong_value(slot, span.text, span, f"It is {found.type}.")
    if not isinstance(found, Const):
        raise _error(
            Code.NOT_CONSTANT,
            f"The value of `{slot.name}` must be known before play.",
            span,
            "Write it out: numbers, sides, regions and single sites are known.",
        )
    return found.value


def _numbers_by_site(game: Game, slot: Slot, span: Span) -> tuple[Any, ...]:
    """Return the numbers that pairs such as `a1=3` give, with 0 elsewhere."""
    numbers = [0] * game.board.size
    for word in re.split(r"[\s,{}]+", span.text.strip()):
        name, _, text = word.partition("=")
        index = game.board.index(name)
        value = None if index is None else read_plain(game, slot.type, text)
        if index is None or value is None:
            raise _wrong_value(slot, word, span, "Write for instance `a1=3`.")
        numbers[index] = _in_bounds(slot, value, span)
    return tuple(numbers)


def _in_bounds(slot: Slot, value: Any, span: Span) -> Any:
    low = LEAST if slot.low is None else slot.low
    high = GREATEST if slot.high is None else slot.high
    if slot.type == NUMBER and not low <= value <= high:
        raise _wrong_value(slot, span.text, span, f"It holds {low} to {high}.")
    return value


def _wrong_value(slot: Slot, text: str, span: Span, hint: str) -> GameError:
    message = f"`{text.strip()[:60]}` is no value for `{slot.name}`, which is {slot.type}."
    return _error(Code.WRONG_VALUE, message, span, hint)


def _error(code: Code, message: str, span: Span, hint: Hint) -> GameError:
    return GameError([Diagnostic(code, message, span).with_hint(hint)])


# ---------------------------------------------------------------- positions that are set up by hand


class SetUp:
    """A position while it is set up; `values` are those of its slots, at first as at the start."""

    def __init__(self, game: Game, places: Mapping[Slot, int]) -> None:
        """Begin with the start of a game, whose slots have these places."""
        self._game = game
        self._places = places
        self.values: list[Any] = list(game.program.initial)

    def arrange(self, section: Document) -> None:
        """Take the pieces and values of a section like `setup`. Raises GameError."""
        self._take(self._game.words.arrangement(section))

    def turn(self, mover: str | None, phase: str | None, turns: int, passed: int) -> None:
        """Say whose turn it is, in which phase, after how much play. Raises GameError."""
        system = self._game.program.system
        if mover is not None:
            self.values[self._places[system.mover]] = number_of(mover, self._game.sides, "side")
        if phase is not None:
            names = [known.name for known in self._game.program.phases]
            number = number_of(phase, names, "phase")
            if system.phase is not None:
                self.values[self._places[system.phase]] = number
        for slot, number in ((system.turns, turns), (system.passes, passed)):
            if number < 0:
                message = f"There can't have been {number} turns or passes."
                hint = "`turns` and `passed` are 0 or more."
                raise refused(Code.WRONG_VALUE, message, hint)
            if slot is not None:
                self.values[self._places[slot]] = number

    def place(self, rows: str, span: Span) -> None:
        """Put the pieces that rows of characters show in place of all others. Raises GameError."""
        report, piles, board = Report(), self._game.piles, self._game.board
        symbols = {layer.symbol: layer.slot for layer in self._game.layers}
        found = read_picture(rows, span, board, symbols, report, has_piles=piles is not None)
        report.raise_errors()
        tops = uppermost(found)
        for layer in self._game.layers:
            self.values[self._places[layer.slot]] = tops.get(layer.slot, 0)
        if piles is None:
            return
        is_told = piles.under in self._places
        for site, pile in found.items():
            if fault := piles.fault(pile, is_told=is_told):
                message = f"{fault.removesuffix('.')} ({board.sites[site].name})."
                raise GameError([Diagnostic(Code.WRONG_PILE, message, span)])
        self._take(piles.values(found, board.size))

    def give(self, setting: Setting) -> None:
        """Give a state variable a value. Raises GameError."""
        now = {slot: self.values[place] for slot, place in self._places.items()}
        slot, value = new_value(self._game, setting, now)
        self._take({slot: value})

    def seat(self, seats: Mapping[str, int]) -> None:
        """Let seats, from 1, play these sides. Raises GameError."""
        slots, sides = self._game.program.system.seats, self._game.sides
        for name, seat in seats.items():
            side = number_of(name, sides, "side")
            if not slots and seat != side + 1:
                message = f"The seats never change in this game: {sides[side]} is seat {side + 1}."
                raise refused(Code.WRONG_VALUE, message)
            if slots:
                self.values[self._places[slots[side]]] = seat - 1

    def _take(self, found: Mapping[Slot, Any]) -> None:
        """Take values, but for what the rules never read."""
        for slot, value in found.items():
            if slot in self._places:
                self.values[self._places[slot]] = value


def number_of(name: str, names: tuple[str, ...] | list[str], what: str) -> int:
    """Return the place of a name among others, in any case.

    Raises GameError if it is none of them, and TypeError if it is no text.
    """
    if not isinstance(name, str):
        raise TypeError(f"a {what} is called by its name, such as {names[0]!r}, not by {name!r}")
    for place, known in enumerate(names):
        if known.lower() == name.strip().lower():
            return place
    message = f"There is no {what} called `{name.strip()[:60]}`."
    hint = suggest(name, names) or f"There are: {', '.join(names)}."
    raise refused(Code.UNKNOWN_NAME, message, str(hint))
