"""The source games against their oracles: random games in lockstep, ply by ply."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from oracles.blocs import Blocs
from oracles.bridg_it import BridgIt
from oracles.oracle import DRAW, Oracle
from oracles.quadrant_hex import QuadrantHex
from oracles.taifas import Taifas
from oracles.trellis import Trellis
from oracles.trellis_original import TrellisOriginal
from oracles.trichet import Trichet
from oracles.troll import Troll

from interpreter import load

MOST_PLIES = 400


@dataclass(frozen=True)
class Pairing:
    """A game with its options and variants, the oracle for them, and how many games to play.

    `quick` of the `games` are played in every run. `mirroring` is how likely a turn is chosen among
    those that mirror the last one.
    """

    game: str
    oracle: Oracle[Any]
    quick: int
    games: int
    options: Mapping[str, object] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    mirroring: float = 0.0

    @property
    def title(self) -> str:
        """The game, its options and its variants, for the name of a test."""
        options = [f"{name}={str(value).split()[0]}" for name, value in self.options.items()]
        return " ".join([self.game, *options, *self.variants])


def taifas(quick: int, games: int, size: int, *variants: str) -> Pairing:
    oracle = Taifas(size, "fractional" in variants, "last-changed-zone" in variants)
    return Pairing("taifas", oracle, quick, games, {"size": size}, variants)


def blocs(quick: int, games: int, size: int, *variants: str) -> Pairing:
    oracle = Blocs(size, (), "opposite" in variants, "own-colour" in variants)
    return Pairing("blocs", oracle, quick, games, {"size": size}, variants)


def given_blocs(quick: int, games: int, rows: tuple[str, ...], *variants: str) -> Pairing:
    oracle = Blocs(len(rows), rows, "opposite" in variants)
    options = {"size": len(rows), "start": "\n".join(rows)}
    return Pairing("blocs", oracle, quick, games, options, ("given-start", *variants))


def troll(quick: int, games: int, *variants: str) -> Pairing:
    oracle = Troll("no-capture-exception" not in variants, "stuck-loses" in variants)
    return Pairing("troll", oracle, quick, games, {}, variants)


def trellis(
    quick: int,
    games: int,
    *variants: str,
    size: int = 7,
    mirroring: float = 0.0,
    **options: Any,
) -> Pairing:
    single = "diagonal-bridg-it" in variants
    pies = {"no-pie": "none", "diagonal-bridg-it": "none", "swap": "swap"}
    pie = next((pies[variant] for variant in variants if variant in pies), "choose")
    mirror = options.get("mirror", "half_turn")
    oracle = Trellis(
        size=size,
        gap=options.get("gap", 3),
        corner=options.get("corner", "dark"),
        pie=pie,
        mirror="none" if single or "no-mirror-rule" in variants else mirror,
        passes_end="pass-unlimited" not in variants,
        passing=not single,
    )
    settings = {"size": size, **options}
    return Pairing("trellis", oracle, quick, games, settings, variants, mirroring)


def bridg_it(quick: int, games: int, order: int) -> Pairing:
    return Pairing("bridg-it", BridgIt(order), quick, games, {"order": order})


def quadrant_hex(quick: int, games: int, half: int, *variants: str) -> Pairing:
    oracle = QuadrantHex(half, "no-pie" not in variants)
    return Pairing("quadrant-hex", oracle, quick, games, {"half": half}, variants)


def trellis_original(quick: int, games: int, half: int, corner: str = "dark") -> Pairing:
    oracle = TrellisOriginal(half, corner)
    return Pairing("trellis-original", oracle, quick, games, {"half": half, "corner": corner})


def trichet(quick: int, games: int, *variants: str, **options: int) -> Pairing:
    tiles, enough = (96, 10) if "official" in variants else (54, 1)
    oracle = Trichet(
        options.get("tiles", tiles), options.get("enough", enough), "corner-auto" in variants
    )
    return Pairing("trichet", oracle, quick, games, options, variants)


PAIRINGS = [
    taifas(10, 60, 4),
    taifas(10, 50, 5, "fractional"),
    taifas(10, 50, 5, "last-changed-zone"),
    taifas(5, 30, 3, "fractional", "last-changed-zone"),
    taifas(1, 10, 9),
    blocs(10, 60, 4),
    blocs(10, 40, 4, "own-colour"),
    blocs(10, 40, 3, "opposite"),
    given_blocs(4, 30, ("XXXX",) * 4),
    given_blocs(4, 30, ("XOX", "OXX", "XXO"), "opposite"),
    given_blocs(4, 30, ("XO", "OO"), "opposite"),
    troll(20, 80),
    troll(10, 60, "no-capture-exception"),
    troll(10, 60, "stuck-loses"),
    trellis(6, 30),
    trellis(4, 20, size=6, corner="light"),
    trellis(4, 20, "swap"),
    trellis(4, 20, "no-pie", gap=2),
    trellis(2, 10, "no-pie", size=8, gap=4),
    trellis(4, 20, "pass-unlimited", size=5),
    trellis(4, 20, "diagonal-bridg-it", size=9),
    trellis(4, 20, "no-pie", size=9, mirroring=0.97),
    trellis(4, 20, size=9, mirroring=0.97, mirror="quarter_turn"),
    trellis(4, 20, "swap", size=9, mirroring=0.97, mirror="any_symmetry"),
    trellis(2, 10, "no-pie", "no-mirror-rule", size=9, mirroring=0.97),
    trellis(1, 4, size=15),
    bridg_it(15, 70, 3),
    bridg_it(10, 60, 5),
    bridg_it(10, 60, 6),
    bridg_it(5, 10, 12),
    quadrant_hex(20, 90, 2),
    quadrant_hex(15, 80, 3, "no-pie"),
    quadrant_hex(2, 20, 5),
    quadrant_hex(1, 10, 7),
    trellis_original(20, 90, 2),
    trellis_original(15, 80, 3, "light"),
    trellis_original(3, 20, 5),
    trellis_original(1, 10, 8),
    trichet(10, 50),
    trichet(10, 50, tiles=24),
    trichet(6, 40, tiles=23, enough=7),
    trichet(6, 30, "corner-auto"),
    trichet(5, 20, "corner-auto", tiles=17),
    trichet(3, 10, "official"),
]


def chosen(pairing: Pairing, state: Any, keys: list[str], dice: random.Random) -> str:
    """Return the next turn: a random one, or of those that a mirroring game prefers.

    A mirroring game likes to mirror, and to drop single stones where it can't.
    """
    if pairing.mirroring and dice.random() < pairing.mirroring:
        oracle: Any = pairing.oracle
        mirrored = oracle.mirroring(state).intersection(keys)
        keys = sorted(mirrored) or [key for key in keys if " " not in key and key != "pass"] or keys
    return dice.choice(keys)


def play_in_lockstep(pairing: Pairing, seed: int) -> None:
    """Play a random game on both sides and compare all that can be seen at every ply."""
    oracle = pairing.oracle
    dice = random.Random(f"{pairing.title} {seed}")
    position = load(
        pairing.game, options=dict(pairing.options), variants=list(pairing.variants)
    ).start()
    state = oracle.start()
    played: list[str] = []
    while len(played) < MOST_PLIES:
        pieces = {name: piece.split()[0] for name, piece in position.pieces().items()}
        assert pieces == oracle.pieces(state), played
        winner = oracle.outcome(state)
        found = position.outcome
        assert (winner is None) == (found is None), (played, winner, found)
        if found is not None:
            assert found.winners == (() if winner == DRAW else (winner,)), played
            assert position.moves() == (), played
            return
        assert (position.mover, position.seat) == oracle.turn(state), played
        texts = {oracle.key(str(move)): str(move) for move in position.moves()}
        after = oracle.moves(state)
        assert len(texts) == len(position.moves()), played
        assert texts.keys() == after.keys(), (played, texts.keys() ^ after.keys())
        key = chosen(pairing, state, sorted(after), dice)
        played.append(texts[key])
        state = after[key]
        position = position.play(texts[key])


@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing.title)
def test_random_games_agree(pairing: Pairing) -> None:
    for seed in range(pairing.quick):
        play_in_lockstep(pairing, seed)


@pytest.mark.slow
@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing.title)
def test_many_random_games_agree(pairing: Pairing) -> None:
    for seed in range(pairing.quick, pairing.games):
        play_in_lockstep(pairing, seed)
