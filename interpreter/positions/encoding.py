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
from gdl.codes import Code
from gdl.core.nodes import GREATEST, LEAST, Expression, Get, Program, Slot
from gdl.core.operations import WIDEST
from gdl.core.piles import Piles
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.diagnostic import Diagnostic, GameError, refused
from gdl.interpreter.evaluation.evaluator import Outcome, State
from gdl.interpreter.reference.history import History
from gdl.model import Game

_FLAGS = {"yes": True, "no": False, "true": True, "false": False}
_LARGEST_DECIMAL = 1e15  # what is below has its whole part in a float
_NUMBER = re.compile(r"-?[0-9]{1,1200}")
_FRACTION = re.compile(r"-?[0-9]{1,1200}/[0-9]{1,1200}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}[.][0-9]{1,15}")
_PAYOFF = re.compile(r"-?[0-9]{1,18}(/[0-9]{1,18})?")
_NOWHERE = "none"
_MOST_EARLIER = 10_000
_MOST_REMEMBERED = 20_000_000
"""How many earlier positions there may be, and how many sites all of them may have together, if
these are more."""


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
        else {
            "winners": list(ended.winners),
            "seats": list(ended.seats),
            **({"payoffs": [str(worth) for worth in ended.payoffs]} if ended.payoffs else {}),
        },
    }


def decode(game: Game, data: object) -> State:
    """Return the state that `data` is; raises GameError (`damaged-position`, `other-rules`)."""
    if not isinstance(data, Mapping) or not isinstance(data.get("state"), Mapping):
        raise _damaged("A position has `state`, with a value for each part of it.")
    if data.get("digest", game.digest) != game.digest:
        raise GameError(
            [
                Diagnostic(
                    Code.OTHER_RULES,
                    f"The position belongs to other rules than those of {game.title} here.",
                    hint="Load the game with the same options and variants.",
                )
            ]
        )
    program = game.program
    by_name = data["state"]
    names = slot_names(program)
    for name in by_name:
        if name not in names and name not in game.state_slots:
            raise _damaged(f"`{name}` is no part of the state.")
    values: list[Any] = []
    for name, place in names.items():
        if name not in by_name:
            raise _damaged(f"`{name}` is missing from the state.")
        values.append(_decoded_slot(game, program.state[place], by_name[name]))
    _refuse_wrong_course(game, values)
    _refuse_two_on_a_site(game, values)
    if game.piles is not None:
        _refuse_wrong_piles(game, game.piles, dict(zip(program.state, values, strict=True)))
    return State(tuple(values), _decoded_outcome(game, data.get("outcome")))


def _encoded_slot(game: Game, slot: Slot, value: Any) -> Any:
    keys = _keys(game.program, slot)
    if keys is not None:
        return [
            [[_encoded(game, k.type, part) for k, part in zip(keys, key, strict=True)], times]
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
    keys = _keys(game.program, slot)
    if keys is not None:
        return _decoded_history(game, keys, data)
    if slot.per_site:
        return tuple(_in_bounds(slot, item) for item in _decoded_per_site(game, slot, data))
    return _in_bounds(slot, _decoded(game, slot.type, data))


def _decoded_per_site(game: Game, slot: Slot, data: object) -> tuple[Any, ...]:
    if not isinstance(data, list) or len(data) != game.board.size:
        raise _damaged(f"`{slot.name}` has a value for each of {game.board.size} sites.")
    return tuple(_decoded(game, slot.type, item) for item in data)


def _decoded_history(game: Game, keys: tuple[Expression, ...], data: object) -> History:
    counts: dict[tuple[Any, ...], int] = {}
    left = max(_MOST_EARLIER, _MOST_REMEMBERED // game.board.size)
    if not isinstance(data, list):
        raise _damaged("Earlier positions are a list.")
    for entry in data:
        if not (isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], list)):
            raise _damaged("An earlier position is a list of values, and how often it came.")
        key, times = entry
        if type(times) is not int or times < 1 or len(key) != len(keys):
            raise _damaged("An earlier position has the wrong number of values.")
        left -= times
        if left < 0:
            raise _damaged("There are too many earlier positions.")
        parts = tuple(_decoded_key(game, k, part) for k, part in zip(keys, key, strict=True))
        if parts in counts:
            raise _damaged("An earlier position is listed twice.")
        counts[parts] = times
    return History(counts)


def _decoded_key(game: Game, key: Expression, data: object) -> Any:
    if isinstance(key, Get) and key.slot.per_site:
        return _decoded_per_site(game, key.slot, data)
    return _decoded(game, key.type, data)


def _decoded(game: Game, type_: Type, data: object) -> Any:
    if type_ == SITES and isinstance(data, str):
        return _sites(game, data)
    if type_.is_choice and data in type_.values:
        return type_.values.index(str(data))
    if type_.is_choice and type_.name != "name" and data is None:
        return -1
    if type_ == FLAG and isinstance(data, bool):
        return data
    if type_ == FRACTION and isinstance(data, str) and _FRACTION.fullmatch(data):
        numerator, denominator = data.split("/")
        if int(denominator):
            return Fraction(int(numerator), int(denominator))
    if type_.is_numeric and type(data) is int and data.bit_length() <= WIDEST:
        return data
    raise _damaged(f"`{str(data)[:60]}` is not {type_}.")


def _decoded_outcome(game: Game, data: object) -> Outcome | None:
    if data is None:
        return None
    if not isinstance(data, Mapping):
        raise _damaged("The outcome has `winners` and `seats`.")
    winners, seats, paid = data.get("winners"), data.get("seats"), data.get("payoffs", [])
    wanted = len(game.sides) if game.program.has_payoffs else 0
    if (
        not isinstance(winners, list)
        or not isinstance(seats, list)
        or not all(winner in game.sides for winner in winners)
        or not all(type(seat) is int and 0 < seat <= len(game.sides) for seat in seats)
        or not isinstance(paid, list)
        or len(paid) != wanted
    ):
        raise _damaged("The outcome names sides and seats of the game.")
    payoffs = tuple(_payoff(worth) for worth in paid)
    return Outcome(tuple(winners), tuple(seats), payoffs, is_puzzle=len(game.sides) == 1)


def _payoff(data: object) -> int | Fraction:
    """Return what a game was worth to a side."""
    numerator, slash, denominator = str(data).partition("/")
    if not _PAYOFF.fullmatch(str(data)) or (slash and not int(denominator)):
        raise _damaged("What the game was worth is a number for each side.")
    return Fraction(int(numerator), int(denominator)) if slash else int(numerator)


def _refuse_wrong_course(game: Game, values: list[Any]) -> None:
    """Refuse values with which play could not go on."""
    program = game.program
    system = program.system
    place = {slot: index for index, slot in enumerate(program.state)}
    limits = [(system.mover, len(game.sides)), (system.phase, len(program.phases))]
    limits += [(counter, GREATEST) for counter in (system.turns, system.passes)]
    for slot, limit in limits:
        if slot is not None and not 0 <= values[place[slot]] < limit:
            raise _damaged(f"`{slot.name}` is out of its bounds.")
    if sorted(values[place[slot]] for slot in system.seats) != list(range(len(system.seats))):
        raise _damaged("Each side has a seat of its own.")


def _refuse_two_on_a_site(game: Game, values: list[Any]) -> None:
    place = {slot: index for index, slot in enumerate(game.program.state)}
    occupied = 0
    for layer in game.layers:
        sites = values[place[layer.slot]]
        if sites & occupied:
            name = game.board.sites[next(bits(sites & occupied))].name
            raise _damaged(f"Two pieces stand on {name}.")
        occupied |= sites


def _refuse_wrong_piles(game: Game, piles: Piles, values: dict[Slot, Any]) -> None:
    """Refuse heights and digits that no piles have."""
    found = {
        index: piles.pile(values, index, layer.slot)
        for layer in game.layers
        for index in bits(values[layer.slot])
    }
    wanted = piles.values(found, game.board.size)
    for slot in piles.slots:
        if slot in values and values[slot] != wanted[slot]:
            raise _damaged(f"`{slot.name}` is that of no piles.")


def _in_bounds(slot: Slot, value: Any) -> Any:
    low = LEAST if slot.low is None else slot.low
    high = GREATEST if slot.high is None else slot.high
    if slot.type == NUMBER and not low <= value <= high:
        raise _damaged(f"`{slot.name}` holds {low} to {high}, and not {str(value)[:60]}.")
    return value


def _keys(program: Program, slot: Slot) -> tuple[Expression, ...] | None:
    """Return what a history remembers of each position, or None for any other slot."""
    for memory in program.memories:
        if memory.slot is slot:
            return memory.key
    return None


def _damaged(message: str) -> GameError:
    return refused(Code.DAMAGED_POSITION, message)


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
    if type_ == FRACTION and _DECIMAL.fullmatch(text):
        return Fraction(text)
    return None


def write_plain(game: Game, type_: Type, value: Any) -> str:
    """Return a value of an expression as a person writes it.

    A set of sites is their names, or `none`; a condition is `yes` or `no`; a fraction is a decimal,
    if a short one is just that.
    """
    if isinstance(value, tuple):
        return " ".join(write_plain(game, type_, item) for item in value)
    if type_ == FLAG:
        return "yes" if value else "no"
    if isinstance(value, Fraction) and abs(value) < _LARGEST_DECIMAL:
        decimal = str(float(value))
        if _DECIMAL.fullmatch(decimal) and Fraction(decimal) == value:
            return decimal
    encoded = _encoded(game, type_, value)
    return "none" if encoded in (None, "") else str(encoded)


def write_for_people(game: Game, type_: Type, value: Any) -> str:
    """Return a value as `write_plain`, but of numbers per site where each stands that is not 0."""
    if not isinstance(value, tuple):
        return write_plain(game, type_, value)
    found: dict[Any, list[str]] = {}
    for site, item in zip(game.board.sites, value, strict=True):
        found.setdefault(item, []).append(site.name)
    if len(found) == 1:
        found = {item: ["everywhere"] for item in found}
    told = (
        f"{write_plain(game, type_, item)} {'on ' * (names != ['everywhere'])}{', '.join(names)}"
        for item, names in sorted(found.items())
        if item
    )
    return "; ".join(told) or "none"


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
