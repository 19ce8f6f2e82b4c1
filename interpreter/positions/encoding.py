"""Values of positions as plain data and as text, and back.

In: a state, plain data read from JSON, or texts that a person wrote. Out: plain data, or a
state's values. What then holds: what was encoded decodes to an equal state of the same game;
data that is damaged is refused with a `GameError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from gdl.board.relation import bits, site_set
from gdl.core.nodes import Program, Slot
from gdl.core.types import FLAG, FRACTION, SITES, Type
from gdl.diagnostic import Diagnostic, GameError
from gdl.model import Game
from interpreter.evaluation.evaluator import Outcome, State
from interpreter.reference.history import History

_FLAGS = {"yes": True, "no": False, "true": True, "false": False}
_NUMBER = re.compile(r"-?[0-9]{1,1300}")
_FRACTION = re.compile(r"-?[0-9]{1,1300}/[0-9]{1,1300}")
_NOWHERE = "none"
_MOST_TIMES = 1_000_000


def slot_names(program: Program) -> dict[str, int]:
    """Return the place of each slot of the state by a name; equal names get a number."""
    names: dict[str, int] = {}
    for place, slot in enumerate(program.state):
        name, number = slot.name, 2
        while name in names:
            name, number = f"{slot.name} {number}", number + 1
        names[name] = place
    return names


# ------------------------------------------------------------------- plain data


def encode(game: Game, state: State) -> dict[str, Any]:
    """Return a state as plain data that JSON can hold."""
    program = game.program
    ended = state.ended
    return {
        "game": game.name,
        "digest": game.digest,
        "state": {
            name: _encoded_slot(game, program.state[place], state.values[place])
            for name, place in slot_names(program).items()
        },
        "outcome": None
        if ended is None
        else {"winners": list(ended.winners), "seats": list(ended.seats)},
    }


def decode(game: Game, data: object) -> State:
    """Return the state that `data` is; raises GameError (`damaged-position`, `other-rules`)."""
    if not isinstance(data, Mapping) or not isinstance(data.get("state"), Mapping):
        raise _damaged("A position has `state`, with a value for each part of it.")
    if data.get("digest", game.digest) != game.digest:
        raise GameError(
            [
                Diagnostic(
                    "other-rules",
                    f"The position belongs to other rules than those of {game.title} here.",
                    hint="Load the game with the same options and variants.",
                )
            ]
        )
    program = game.program
    given = data["state"]
    names = slot_names(program)
    for name in given:
        if name not in names and name not in game.state_slots:
            raise _damaged(f"`{name}` is no part of the state.")
    values = []
    for name, place in names.items():
        if name not in given:
            raise _damaged(f"`{name}` is missing from the state.")
        values.append(_decoded_slot(game, program.state[place], given[name]))
    _refuse_wrong_course(game, values)
    return State(tuple(values), _decoded_outcome(game, data.get("outcome")))


def _encoded_slot(game: Game, slot: Slot, value: Any) -> Any:
    types = _key_types(game.program, slot)
    if types is not None:
        return [
            [[_encoded(game, t, part) for t, part in zip(types, key, strict=True)], times]
            for key, times in value.items()
        ]
    if slot.per_site:
        return [_encoded(game, slot.type, item) for item in value]
    return _encoded(game, slot.type, value)


def _encoded(game: Game, type_: Type, value: Any) -> Any:
    if isinstance(value, tuple):
        return [_encoded(game, type_, item) for item in value]
    if type_ == SITES:
        return " ".join(game.board.sites[index].name for index in bits(value))
    if type_.is_choice:
        return type_.values[value] if value >= 0 else None
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    return value


def _decoded_slot(game: Game, slot: Slot, data: object) -> Any:
    types = _key_types(game.program, slot)
    if types is not None:
        return _decoded_history(game, types, data)
    if slot.per_site:
        if not isinstance(data, list) or len(data) != game.board.size:
            raise _damaged(f"`{slot.name}` has a value for each of {game.board.size} sites.")
        return tuple(_in_bounds(slot, _decoded(game, slot.type, item)) for item in data)
    return _in_bounds(slot, _decoded(game, slot.type, data))


def _decoded_history(game: Game, types: tuple[Type, ...], data: object) -> History:
    counts: dict[tuple[Any, ...], int] = {}
    if not isinstance(data, list):
        raise _damaged("Earlier positions are a list.")
    for entry in data:
        if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], list)):
            raise _damaged("An earlier position is a list of values, and how often it came.")
        key, times = entry
        if type(times) is not int or not 0 < times <= _MOST_TIMES or len(key) != len(types):
            raise _damaged("An earlier position has the wrong number of values.")
        parts = tuple(_decoded(game, t, part) for t, part in zip(types, key, strict=True))
        counts[parts] = times
    return History(counts)


def _decoded(game: Game, type_: Type, data: object) -> Any:
    if isinstance(data, list):
        return tuple(_decoded(game, type_, item) for item in data)
    if type_ == SITES and isinstance(data, str):
        return _sites(game, data)
    if type_.is_choice and (data is None or data in type_.values):
        return -1 if data is None else type_.values.index(str(data))
    if type_ == FLAG and isinstance(data, bool):
        return data
    if type_ == FRACTION and isinstance(data, str) and _FRACTION.fullmatch(data):
        numerator, denominator = data.split("/")
        if int(denominator):
            return Fraction(int(numerator), int(denominator))
    if not type_.is_choice and type_ not in (FLAG, SITES) and type(data) is int:
        return data
    raise _damaged(f"`{str(data)[:60]}` is not {type_}.")


def _decoded_outcome(game: Game, data: object) -> Outcome | None:
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise _damaged("The outcome has `winners` and `seats`.")
    winners, seats = data.get("winners"), data.get("seats")
    if (
        not isinstance(winners, list)
        or not isinstance(seats, list)
        or not all(winner in game.sides for winner in winners)
        or not all(type(seat) is int and 0 < seat <= len(game.sides) for seat in seats)
    ):
        raise _damaged("The outcome names sides and seats of the game.")
    return Outcome(tuple(winners), tuple(seats))


def _refuse_wrong_course(game: Game, values: list[Any]) -> None:
    """Refuse values with which play could not go on."""
    program = game.program
    system = program.system
    place = {slot: index for index, slot in enumerate(program.state)}
    limits = [(system.mover, len(game.sides)), *((slot, len(game.sides)) for slot in system.seats)]
    if system.phase is not None:
        limits.append((system.phase, len(program.phases)))
    for slot, limit in limits:
        if not 0 <= values[place[slot]] < limit:
            raise _damaged(f"`{slot.name}` is out of its bounds.")


def _in_bounds(slot: Slot, value: Any) -> Any:
    low, high = slot.low, slot.high
    if (low is not None and value < low) or (high is not None and value > high):
        raise _damaged(f"`{slot.name}` is out of its bounds: {value}.")
    return value


def _key_types(program: Program, slot: Slot) -> tuple[Type, ...] | None:
    """Return the types of a history's keys, or None for any other slot."""
    for memory in program.memories:
        if memory.slot is slot:
            return tuple(part.type for part in memory.key)
    return None


def _damaged(message: str) -> GameError:
    return GameError([Diagnostic("damaged-position", message)])


# ------------------------------------------------------------------------- text


def read_plain(game: Game, type_: Type, text: str) -> Any | None:
    """Return the value of a type that a text spells out, or None if it spells none."""
    text = text.strip()
    if type_ == SITES:
        words = [] if text == _NOWHERE else _words(text)
        indices = [game.board.index(word) for word in words]
        known = [index for index in indices if index is not None]
        return site_set(known) if len(known) == len(words) else None
    if type_ == FLAG:
        return _FLAGS.get(text)
    if type_.is_choice:
        return type_.values.index(text) if text in type_.values else None
    if _NUMBER.fullmatch(text):
        return int(text)
    if type_ == FRACTION and _FRACTION.fullmatch(text) and int(text.split("/")[1]):
        return Fraction(text)
    return None


def write_plain(game: Game, type_: Type, value: Any) -> str:
    """Return a value of an expression as a person writes it.

    A set of sites is their names, or `none`; a condition is `yes` or `no`.
    """
    if isinstance(value, tuple):
        return " ".join(write_plain(game, type_, item) for item in value)
    if type_ == FLAG:
        return "yes" if value else "no"
    encoded = _encoded(game, type_, value)
    return "none" if encoded in (None, "") else str(encoded)


def _words(text: str) -> list[str]:
    return list(_split(text))


def _split(text: str) -> Iterator[str]:
    for part in re.split(r"[\s,{}]+", text):
        if part:
            yield part


def _sites(game: Game, text: str) -> int:
    found = read_plain(game, SITES, text)
    if found is None:
        raise _damaged(f"`{text[:60]}` are not sites of the board.")
    return int(found)
