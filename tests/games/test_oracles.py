"""The source games against their oracles: random games in lockstep, ply by ply."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import pytest
from library_games import deep_marks
from oracles.blocs import Blocs
from oracles.bridg_it import BridgIt
from oracles.catchup import Catchup
from oracles.dameo import Dameo
from oracles.fanorona import Fanorona
from oracles.fish import Fish
from oracles.gipf import Gipf
from oracles.gipf_pieces import GipfPieces
from oracles.gipf_project import Tzaar, Yinsh
from oracles.gobblet import Gobblet
from oracles.hunts import BaghChal, HareAndHounds
from oracles.lasca import Lasca
from oracles.last_mover import chomp, cram, domineering, kayles
from oracles.onitama import Onitama
from oracles.oracle import DRAW, Oracle
from oracles.quadrant_hex import QuadrantHex
from oracles.quarto import Quarto
from oracles.rows import Connect6, Qubic, Quixo, Yavalath
from oracles.santorini import Santorini
from oracles.sim import Sim
from oracles.solitaires import KnightsTour, PegSolitaire
from oracles.stratego import BARRAGE, DUEL, Stratego
from oracles.surakarta import Surakarta
from oracles.tafl import Hnefatafl, Tablut
from oracles.taifas import Taifas
from oracles.tak import Tak
from oracles.trellis import Trellis
from oracles.trellis_original import TrellisOriginal
from oracles.trichet import Trichet
from oracles.troll import Troll
from oracles.tumbleweed import Tumbleweed
from oracles.turkish_draughts import TurkishDraughts
from oracles.zertz import BOARDS, Zertz

from gdl.interpreter import Rules, load

MOST_PLIES = 400
SELDOM = {"pass": 0.05, "swap": 0.3}
"""How likely the turns that are single words are chosen where they are legal."""
SINGLE = 0.8
"""How likely a mirroring game drops one stone where it can't mirror."""


class Taste(Enum):
    """What random turns are chosen by."""

    NONE = "any"
    """Any turn, with a liking for swaps and, less, for passes."""
    KEEN = "keen"
    """A turn that ends the game, if there is one."""
    SHY = "shy"
    """A turn that does not end the game, if there is one."""
    MIRRORING = "mirroring"
    """A turn that mirrors the last one, if there is one; or else mostly a single stone."""


MOST_TRIED = 40
"""How many turns are tried when one is sought that ends the game or does not."""


@dataclass(frozen=True)
class Pairing:
    """A game with its options and variants, the oracle for them, and how many games to play.

    `quick` of the `games` are played in every run.
    """

    game: str
    oracle: Oracle[Any]
    quick: int
    games: int
    options: Mapping[str, str | int] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    taste: Taste = Taste.NONE
    longest: int = MOST_PLIES
    """How many turns a game may have."""

    @property
    def title(self) -> str:
        """The game, its options and its variants, for the name of a test."""
        options = [f"{name}={str(value).split()[0]}" for name, value in self.options.items()]
        return " ".join([self.game, *options, *self.variants, self.taste.value])


def taifas(quick: int, games: int, size: int, *variants: str) -> Pairing:
    oracle = Taifas(size, "fractional" in variants, "last-changed-zone" in variants)
    return Pairing("taifas", oracle, quick, games, {"size": size}, variants)


def blocs(quick: int, games: int, size: int, *variants: str) -> Pairing:
    oracle = Blocs(size, (), "opposite" in variants, "own-colour" in variants)
    return Pairing("blocs", oracle, quick, games, {"size": size}, variants)


def given_blocs(quick: int, games: int, rows: tuple[str, ...], *variants: str) -> Pairing:
    oracle = Blocs(len(rows), rows, "opposite" in variants)
    options: dict[str, str | int] = {"size": len(rows), "start": "\n".join(rows)}
    return Pairing("blocs", oracle, quick, games, options, ("given-start", *variants))


def troll(quick: int, games: int, *variants: str, taste: Taste = Taste.NONE) -> Pairing:
    oracle = Troll("no-capture-exception" not in variants, "stuck-loses" in variants)
    return Pairing("troll", oracle, quick, games, {}, variants, taste)


def trellis(
    quick: int,
    games: int,
    *variants: str,
    size: int = 7,
    taste: Taste = Taste.NONE,
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
    return Pairing("trellis", oracle, quick, games, settings, variants, taste)


def bridg_it(quick: int, games: int, order: int) -> Pairing:
    return Pairing("bridg-it", BridgIt(order), quick, games, {"order": order})


def quadrant_hex(quick: int, games: int, half: int, *variants: str) -> Pairing:
    oracle = QuadrantHex(half, "no-pie" not in variants)
    return Pairing("quadrant-hex", oracle, quick, games, {"half": half}, variants)


def trellis_original(quick: int, games: int, half: int, corner: str = "dark") -> Pairing:
    oracle = TrellisOriginal(half, corner)
    return Pairing("trellis-original", oracle, quick, games, {"half": half, "corner": corner})


def trichet(
    quick: int, games: int, *variants: str, taste: Taste = Taste.NONE, **options: int
) -> Pairing:
    tiles, enough = (96, 10) if "official" in variants else (54, 1)
    oracle = Trichet(
        options.get("tiles", tiles), options.get("enough", enough), "corner-auto" in variants
    )
    return Pairing("trichet", oracle, quick, games, options, variants, taste)


def tak(quick: int, games: int, size: int, komi: int = 0) -> Pairing:
    variants = () if size == 5 else (f"{size}x{size}",)
    return Pairing("tak", Tak(size, komi), quick, games, {"komi": komi}, variants)


PAIRINGS = [
    taifas(10, 60, 4),
    taifas(10, 50, 5, "fractional"),
    taifas(10, 50, 5, "last-changed-zone"),
    taifas(9, 40, 3, "fractional", "last-changed-zone"),
    taifas(1, 10, 9),
    blocs(10, 60, 4),
    blocs(10, 50, 4, "own-colour"),
    blocs(10, 50, 3, "opposite"),
    given_blocs(5, 30, ("XXXX",) * 4),
    given_blocs(5, 30, ("XOX", "OXX", "XXO"), "opposite"),
    troll(10, 60),
    troll(8, 40, "no-capture-exception"),
    troll(8, 40, "stuck-loses"),
    troll(5, 20, taste=Taste.SHY),
    troll(5, 20, "no-capture-exception", taste=Taste.SHY),
    troll(5, 20, "stuck-loses", taste=Taste.SHY),
    trellis(5, 30),
    trellis(4, 20, size=6, corner="light"),
    trellis(4, 20, "swap"),
    trellis(4, 20, "no-pie", gap=2),
    trellis(2, 10, "no-pie", size=8, gap=4),
    trellis(4, 20, "pass-unlimited", size=5),
    trellis(4, 20, size=5, taste=Taste.SHY),
    trellis(4, 20, "diagonal-bridg-it", size=9),
    trellis(3, 30, "no-pie", size=9, taste=Taste.MIRRORING),
    trellis(3, 20, size=9, mirror="quarter_turn", taste=Taste.MIRRORING),
    trellis(3, 20, "swap", size=9, mirror="any_symmetry", taste=Taste.MIRRORING),
    trellis(1, 10, "no-pie", "no-mirror-rule", size=9, taste=Taste.MIRRORING),
    trellis(1, 4, size=15),
    bridg_it(20, 70, 3),
    bridg_it(10, 60, 5),
    bridg_it(10, 60, 6),
    bridg_it(1, 10, 12),
    quadrant_hex(20, 90, 2),
    quadrant_hex(18, 80, 3, "no-pie"),
    quadrant_hex(2, 20, 5),
    quadrant_hex(1, 10, 7),
    trellis_original(25, 90, 2),
    trellis_original(14, 80, 3, "light"),
    trellis_original(2, 20, 5),
    trellis_original(1, 10, 8),
    trichet(4, 30),
    trichet(10, 40, tiles=24),
    trichet(5, 20, tiles=23, enough=7),
    trichet(5, 30, taste=Taste.KEEN),
    trichet(5, 20, tiles=40, enough=9, taste=Taste.KEEN),
    trichet(4, 20, "corner-auto", taste=Taste.KEEN),
    trichet(5, 30, "corner-auto", tiles=17),
    trichet(1, 10, "official", taste=Taste.KEEN),
    Pairing("domineering", domineering(8, 8), 4, 30),
    Pairing("domineering", domineering(3, 4), 4, 30, {"width": 3, "height": 4}),
    Pairing("cram", cram(6, 6), 4, 30),
    Pairing("cram", cram(5, 1), 4, 30, {"width": 5, "height": 1}),
    Pairing("kayles", kayles(13), 10, 50),
    Pairing("chomp", chomp(7, 4), 10, 50),
    Pairing("yavalath", Yavalath(), 4, 30),
    Pairing("yavalath", Yavalath(3), 10, 50, {"size": 3}),
    Pairing("qubic", Qubic(), 4, 30),
    Pairing("quixo", Quixo(), 6, 40),
    Pairing("sim", Sim(), 20, 200),
    Pairing("connect6", Connect6(5, 4), 6, 60, {"size": 5, "length": 4}),
    Pairing("connect6", Connect6(7, 6), 2, 20, {"size": 7}),
    Pairing("bagh-chal", BaghChal(), 4, 30),
    Pairing("bagh-chal", BaghChal(8), 4, 30, {"goats": 8}),
    Pairing("hare-and-hounds", HareAndHounds(), 20, 200),
    Pairing("peg-solitaire", PegSolitaire(), 5, 50),
    Pairing("knights-tour", KnightsTour(), 10, 50),
    Pairing("knights-tour", KnightsTour(5, True), 10, 50, {"size": 5, "closed": "yes"}),
    Pairing("santorini", Santorini(), 3, 20),
    Pairing("onitama", Onitama(), 10, 100),
    Pairing("lasca", Lasca(), 12, 100),
    tak(8, 60, 3),
    tak(3, 30, 4, komi=2),
    tak(1, 20, 5),
    Pairing("quarto", Quarto(), 3, 30),
    Pairing("quarto", Quarto(True), 3, 30, {"squares": "yes"}),
    Pairing("fanorona", Fanorona(), 6, 60),
    Pairing("hey-thats-my-fish", Fish(), 3, 60, variants=("drawn",)),
    Pairing("hey-thats-my-fish", Fish(3), 2, 40, variants=("drawn", "three")),
    Pairing("hey-thats-my-fish", Fish(4), 2, 40, variants=("drawn", "four")),
    Pairing("stratego", Stratego(), 1, 6, longest=3000),
    Pairing("stratego", Stratego(BARRAGE), 2, 20, variants=("barrage",), longest=2000),
    Pairing(
        "stratego",
        Stratego(BARRAGE, repeats=3, patience=30),
        3,
        60,
        {"repeats": 3, "patience": 30},
        ("barrage",),
    ),
    Pairing("stratego", Stratego(DUEL, 3), 1, 12, variants=("duel",), longest=2000),
    Pairing("surakarta", Surakarta(), 3, 60),
    Pairing("surakarta", Surakarta(5), 3, 60, {"patience": 5}),
    Pairing("hnefatafl", Hnefatafl(), 1, 4, taste=Taste.KEEN, longest=4000),
    Pairing("tablut", Tablut(), 4, 40, longest=4000),
    Pairing("tablut", Tablut(), 4, 40, taste=Taste.KEEN),
    Pairing("dameo", Dameo(), 4, 40),
    Pairing("turkish-draughts", TurkishDraughts(), 4, 40),
    Pairing("yinsh", Yinsh(), 2, 20),
    Pairing("yinsh", Yinsh(), 2, 20, taste=Taste.KEEN),
    Pairing("yinsh", Yinsh(1), 2, 20, {"goal": 1}, taste=Taste.KEEN),
    Pairing("tzaar", Tzaar(), 1, 6),
    Pairing("tzaar", Tzaar(placing=True), 1, 6, variants=("placing",)),
    Pairing("zertz", Zertz(BOARDS[37]), 1, 10, taste=Taste.SHY),
    Pairing("zertz", Zertz(BOARDS[37], (5, 7, 9), (3, 4, 5), 2), 1, 10, variants=("blitz",)),
    Pairing("zertz", Zertz(BOARDS[48]), 1, 10, variants=("tournament",)),
    Pairing("gipf", Gipf(), 1, 10),
    Pairing("gipf", Gipf(4), 2, 20, {"reserve": 4}),
    Pairing("gipf", GipfPieces(), 1, 10, variants=("standard",), taste=Taste.SHY),
    Pairing("gipf", GipfPieces(True), 1, 10, {"tournament": "yes"}, ("standard",), Taste.SHY),
    Pairing("gobblet", Gobblet(), 4, 40),
    Pairing("gobblet", Gobblet(), 4, 40, taste=Taste.KEEN),
    Pairing("catchup", Catchup(2), 6, 30, {"size": 2}),
    Pairing("catchup", Catchup(3), 1, 20, {"size": 3}),
    Pairing("catchup", Catchup(3, True), 2, 20, {"size": 3}, ("alternative",)),
    Pairing("tumbleweed", Tumbleweed(3), 6, 60, {"size": 3}),
    Pairing("tumbleweed", Tumbleweed(4), 2, 20, {"size": 4}),
]


def preferred(
    pairing: Pairing, state: Any, after: Mapping[str, Any], dice: random.Random
) -> set[str]:
    """Return turns that suit a pairing's taste, none if none is found."""
    if pairing.taste in (Taste.KEEN, Taste.SHY):
        ends = pairing.taste is Taste.KEEN
        tried = dice.sample(sorted(after), min(len(after), MOST_TRIED))
        found = (key for key in tried if ends == (pairing.oracle.outcome(after[key]) is not None))
        return {key for key in (next(found, None),) if key is not None}
    if pairing.taste is Taste.MIRRORING:
        oracle: Any = pairing.oracle
        singles = {key for key in after if " " not in key and key not in SELDOM}
        mirrored: set[str] = oracle.mirroring(state) & after.keys()
        return mirrored or (singles if dice.random() < SINGLE else set())
    return {key for key in after if dice.random() < SELDOM.get(key, 0)}


def chosen(pairing: Pairing, state: Any, after: Mapping[str, Any], dice: random.Random) -> str:
    """Return the next turn: a random one of those that suit the pairing's taste."""
    return dice.choice(sorted(preferred(pairing, state, after, dice) or after))


def play_in_lockstep(pairing: Pairing, rules: Rules, seed: int) -> None:
    """Play a random game on both sides and compare all that can be seen at every ply."""
    oracle = pairing.oracle
    dice = random.Random(f"{pairing.title} {seed}")
    position = rules.start()
    state = oracle.start()
    played: list[str] = []
    while len(played) < pairing.longest:
        pieces = {name: piece.split()[0] for name, piece in position.pieces().items()}
        assert pieces == oracle.pieces(state), played
        piles = getattr(oracle, "piles", None)
        assert piles is None or position.piles() == piles(state), played
        seen = getattr(oracle, "seen", None)
        for side in rules.sides if seen is not None else ():
            view = position.view(side)
            sight = dict(view.pieces), dict(view.values), position.tells_moves(side)
            assert sight == seen(state, side), (side, played)
        winner = oracle.outcome(state)
        found = position.outcome
        assert (winner is None) == (found is None), (played, winner, found)
        if found is not None:
            assert found.winners == (() if winner == DRAW else tuple(winner.split())), played
            assert position.moves() == (), played
            return
        assert (position.mover, position.seat) == oracle.turn(state), played
        texts = {oracle.key(str(move)): move for move in position.moves()}
        after = oracle.moves(state)
        assert len(texts) == len(position.moves()), played
        assert texts.keys() == after.keys(), (played, texts.keys() ^ after.keys())
        key = chosen(pairing, state, after, dice)
        played.append(str(texts[key]))
        state = after[key]
        position = position.play(texts[key])
    raise AssertionError(f"the game does not end: {played}")


def play_all(pairing: Pairing, seeds: range) -> None:
    """Play the games of some seeds in lockstep."""
    rules = load(pairing.game, options=dict(pairing.options), variants=list(pairing.variants))
    for seed in seeds:
        play_in_lockstep(pairing, rules, seed)


def count_lines(oracle: Oracle[Any], state: Any, plies: int) -> int:
    """Return how many sequences of turns there are."""
    after = oracle.moves(state)
    if plies == 1:
        return len(after)
    return sum(count_lines(oracle, after[key], plies - 1) for key in after)


@pytest.mark.parametrize(
    ("oracle", "plies", "count"),
    [
        (Taifas(), 1, 162),
        (Blocs(), 2, 960),
        (Blocs(4, ("XXXX",) * 4), 1, 100),
        (Troll(), 2, 2268),
        (Trellis(), 1, 1314),
        (Trellis(passing=False, size=9), 2, 81 * 80),
        (BridgIt(6), 1, 61),
        (TrellisOriginal(), 1, 289),
        (QuadrantHex(), 1, 196),
        (Trichet(), 1, 38),
        (Lasca(), 7, 846),
        (Tak(3), 4, 17792),
    ],
    ids=repr,
)
def test_an_oracle_counts_what_is_known(oracle: Oracle[Any], plies: int, count: int) -> None:
    assert count_lines(oracle, oracle.start(), plies) == count


def test_the_move_that_is_shown_for_trichet() -> None:
    oracle = Trichet()
    after = oracle.moves(oracle.start())["ac28u Oh Oh"]
    assert {(1, 0, "u"), (0, 0, "d"), (1, 0, "d"), (0, 1, "u")} < after.tiles
    assert len(after.tiles) == 6
    assert after.colours[2, 1] == after.colours[0, 2] == "Dot"
    assert oracle.outcome(after) is None


@pytest.mark.parametrize(
    "pairing",
    [pytest.param(one, id=one.title, marks=deep_marks(one.game)) for one in PAIRINGS],
)
def test_random_games_agree(pairing: Pairing) -> None:
    play_all(pairing, range(pairing.quick))


@pytest.mark.slow
@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing.title)
def test_many_random_games_agree(pairing: Pairing) -> None:
    play_all(pairing, range(pairing.quick, pairing.games))
