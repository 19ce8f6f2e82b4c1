"""What arrays show: enough to tell a position by, or, where something is hidden, what is seen."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from library_games import FEWEST, deep_games, games_with, shipped

from gdl.core.types import FLAG, SITES
from gdl.interpreter import Rules
from gdl.interpreter.environment import Env
from gdl.interpreter.environment.observations import NOBODY
from gdl.interpreter.positions.position import Position
from gdl.load import shipped_names
from gdl.model import Game

HIDING = games_with("sees", "together")
OPEN = [name for name in shipped_names() if name not in HIDING]


def _sets(planes: np.ndarray[Any, Any]) -> int:
    return sum(1 << int(site) for site in np.flatnonzero(planes))


class Decoder:
    """Reads the values of a position's slots out of what is shown, not relative to a side."""

    def __init__(self, env: Env) -> None:
        self.env = env
        self.game: Game = env.game
        self.plane_of = {plane.name: number for number, plane in enumerate(env.planes)}

    def scalar(self, name: str, row: np.ndarray[Any, Any]) -> int:
        """Return the number that a scalar shows."""
        number = [scalar.name for scalar in self.env.scalars].index(name)
        scalar = self.env.scalars[number]
        value = float(row[number])
        if np.isfinite(scalar.low):
            value = scalar.low + value * (scalar.high - scalar.low)
        return round(value)

    def values(self, planes: np.ndarray[Any, Any], scalars: np.ndarray[Any, Any]) -> dict[Any, Any]:
        """Return what each slot holds, but for what is remembered."""
        game, program = self.game, self.game.program
        system = program.system
        found: dict[Any, Any] = {}
        for layer in game.layers:
            owner = NOBODY if layer.side is None else layer.side
            number = next(
                n
                for n, plane in enumerate(self.env.planes)
                if (plane.what, plane.kind, plane.owner) == ("piece", layer.kind, owner)
            )
            found[layer.slot] = _sets(planes[number])
        found[system.mover] = self.scalar("side on turn", scalars) if len(game.sides) > 1 else 0
        if system.phase is not None:
            found[system.phase] = self.scalar("phase", scalars)
        for side, slot in enumerate(system.seats):
            found[slot] = self.scalar(f"seat {side + 1}", scalars)
        if system.turns is not None:
            found[system.turns] = self.scalar("turns made", scalars)
        if system.passes is not None:
            found[system.passes] = self.scalar("passes in a row", scalars)
        names = {slot: name for name, slot in game.state_slots.items()}
        memories = {memory.slot for memory in program.memories}
        piles = set() if game.piles is None else set(game.piles.slots)
        for slot in program.state:
            if slot in found or slot in memories or slot in piles:
                continue
            name = names.get(slot, slot.name)
            if slot.per_site:
                found[slot] = self.numbers(name, slot, planes)
            elif slot.type == SITES:
                found[slot] = _sets(planes[self.plane_of[name]])
            else:
                value = self.scalar(name, scalars)
                found[slot] = bool(value) if slot.type == FLAG else value
        found.update(self.piles(planes))
        return found

    def numbers(self, name: str, slot: Any, planes: np.ndarray[Any, Any]) -> tuple[Any, ...]:
        """Return the numbers of all sites, which may have several bytes."""
        total = planes[self.plane_of[name]].astype(np.int64)
        further = 2
        while f"{name}, byte {further}" in self.plane_of:
            byte = planes[self.plane_of[f"{name}, byte {further}"]].astype(np.int64)
            total = total + (byte << 8 * (further - 1))
            further += 1
        low = -1 if slot.type.is_choice else slot.low or 0
        return tuple(int(number) + low for number in total)

    def piles(self, planes: np.ndarray[Any, Any]) -> dict[Any, Any]:
        """Return the heights of piles, and what lies under their uppermost pieces."""
        piles, state = self.game.piles, set(self.game.program.state)
        if piles is None or piles.height not in state:
            return {}
        heights = planes[self.plane_of["height"]].astype(int)
        found: dict[Any, Any] = {piles.height: tuple(map(int, heights))}
        layers = {layer.slot: layer for layer in self.game.layers}
        shown = [plane for plane in self.env.planes if plane.what == "pile"]
        for slot, own in piles.beneath.items():
            if own in state and piles.under not in state:
                name = next(p.name for p in shown if p.kind == layers[slot].kind)
                found[own] = _sets(planes[self.plane_of[name]])
        if piles.under in state:
            unders = [0] * len(heights)
            levels = [p for p in shown if p.name.endswith(" under")]
            rest = sorted(p.name for p in shown if p.name.startswith("below"))
            for plane in levels:
                level = int(plane.name.split()[-2])
                owner = None if plane.owner == NOBODY else plane.owner
                digit = next(
                    n
                    for n, slot in enumerate(piles.coverable)
                    if (layers[slot].side, layers[slot].kind) == (owner, plane.kind)
                )
                for site in np.flatnonzero(planes[self.plane_of[plane.name]]):
                    unders[site] |= digit << piles.width * (level - 1)
            most = max((int(p.name.split()[-2]) for p in levels), default=0)
            for number, name in enumerate(rest):
                for site in np.flatnonzero(planes[self.plane_of[name]]):
                    byte = int(planes[self.plane_of[name]][site])
                    unders[site] |= byte << most * piles.width + 8 * number
            found[piles.under] = tuple(unders)
            for slot, own in piles.beneath.items():
                if own in state:
                    found[own] = self._beneath(unders, heights, piles.coverable.index(slot))
        return found

    def _beneath(self, unders: list[int], heights: Any, digit: int) -> int:
        piles = self.game.piles
        assert piles is not None
        total, mask = 0, (1 << piles.width) - 1
        for site, under in enumerate(unders):
            digits = [under >> piles.width * n & mask for n in range(max(0, heights[site] - 1))]
            total |= int(digit in digits) << site
        return total


@pytest.mark.parametrize("name", deep_games(OPEN, FEWEST))
def test_planes_and_scalars_tell_the_position(name: str) -> None:
    game = shipped(name)
    with Env(game, 4, seed=2, relative=False) as env:
        decoder, checked = Decoder(env), 0
        for _ in range(40):
            step = env.step(env.sample())
            for row in np.flatnonzero(env.decided == 0):
                position = env.positions([row])[0]
                found = decoder.values(step.observation[row], step.scalars[row])
                for slot, value in zip(game.program.state, position.state.values, strict=True):
                    if slot in found:
                        assert found[slot] == value, slot.name
                checked += 1
        assert checked


@pytest.mark.parametrize("name", deep_games(OPEN, FEWEST))
def test_what_is_relative_is_the_same_from_either_side(name: str) -> None:
    """Own pieces come first, whoever looks."""
    game = shipped(name)
    with Env(game, 3, seed=4) as env, Env(game, 3, seed=4, relative=False) as plain:
        for _ in range(12):
            a, b = env.step(env.sample()), plain.step(plain.sample())
            for row, position in enumerate(env.positions()):
                for number, plane in enumerate(env.planes):
                    if plane.what != "piece" or plane.owner == NOBODY:
                        continue
                    side = (position.side + plane.owner) % len(game.sides)
                    same = [
                        n
                        for n, other in enumerate(plain.planes)
                        if (other.what, other.kind, other.owner) == ("piece", plane.kind, side)
                    ]
                    wanted = b.observation[row, same[0]] if same else 0
                    assert (a.observation[row, number] == wanted).all()


@pytest.mark.at_night("battleship", "dark-chess", "stratego")
@pytest.mark.parametrize("name", HIDING)
def test_what_looks_alike_is_shown_alike(name: str) -> None:
    """Positions that one side can't tell apart give it the same bytes, in all orders of rows."""
    game = shipped(name)
    rules = Rules(game)
    met: dict[tuple[int, object], bytes] = {}
    shown = 0
    with Env(game, 16, seed=1) as env:
        for _ in range(60):
            env.step(env.sample())
            positions = env.positions()
            env_states = env.save()
            begun = np.flatnonzero(env.decided == 0)
            env.put(begun, [positions[row] for row in begun])
            for seat in range(env.seats):
                planes, scalars = env.observe(seat)
                for row in begun:
                    shown += _note(met, positions[row], rules, seat, planes[row], scalars[row])
            env.load(np.arange(env.n), env_states)
    assert shown, "some looked alike"


def _note(
    met: dict[tuple[int, object], bytes],
    position: Position,
    rules: Rules,
    seat: int,
    planes: np.ndarray[Any, Any],
    scalars: np.ndarray[Any, Any],
) -> bool:
    """Hold what a seat is shown against what it was shown of what looked alike, if it was."""
    side = next(s for s in rules.sides if position.seat_of(s) == seat + 1)
    view = position.view(side)
    seen = (view.mover, view.phase, view.pieces, view.unseen, view.values)
    data = planes.tobytes() + scalars.tobytes()
    known = met.setdefault((seat, seen), data)
    assert known == data
    return known is not data
