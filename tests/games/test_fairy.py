"""Relatives of chess, held against Fairy-Stockfish (by pyffish): random games, ply by ply."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import pyffish  # type: ignore[import-not-found]
import pytest
from library_games import deep_marks

from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.load import load_game

MOST_PLIES = 150


@dataclass(frozen=True)
class Pairing:
    """A game of ours, the other program's name for it, and how it writes a move of ours.

    What it writes besides, `heard` leaves out. Moves that it lists though they lose at once, since
    they are not allowed, are told by `is_refused`, from its name, a position and the move.
    """

    game: str
    other: str
    spelled: Callable[[str], str]
    heard: Callable[[str], str] = str
    is_refused: Callable[[str, str, str], bool] = lambda variant, fen, move: False
    quick: int = 2
    games: int = 30


def chess_move(text: str) -> str:
    """Return a move as the Universal Chess Interface has it: `e7e8q`, `N@c3`."""
    letters = {"Knight": "n"}
    words = [
        letters.get(word, word[0].lower()) if word.isalpha() else word for word in text.split()
    ]
    if text.startswith("put "):
        return f"{words[1].upper()}@{words[2]}"
    return "".join(words).replace("-", "")


def shogi_move(text: str) -> str:
    """Return a move as the Universal Shogi Interface has it, but for its squares: `c7c8+`."""
    words = text.split()
    if words[0] == "drop":
        return f"{'N' if words[1] == 'Knight' else words[1][0]}@{words[2]}"
    return words[0].replace("-", "") + ("+" if len(words) > 1 else "")


def without_met(text: str) -> str:
    """Return the other program's move without the piece that a pawn becomes: it has no choice."""
    return text.removesuffix("m")


def mates_by_a_pawn(variant: str, fen: str, move: str) -> bool:
    """Return whether a move drops a pawn that mates, which the other program takes for lost."""
    if not move.startswith("P@") or not pyffish.gives_check(variant, fen, [move]):
        return False
    return not pyffish.legal_moves(variant, fen, [move])


PAIRINGS = [
    Pairing("chess", "chess", chess_move),
    Pairing("antichess", "antichess", chess_move),
    Pairing("crazyhouse", "crazyhouse", chess_move),
    Pairing("king-of-the-hill", "kingofthehill", chess_move),
    Pairing("makruk", "makruk", chess_move, without_met),
    Pairing("xiangqi", "xiangqi", chess_move),
    Pairing("shogi", "shogi", shogi_move, is_refused=mates_by_a_pawn),
]


def end_of(variant: str, fen: str, played: list[str]) -> int | None:
    """Return the other program's result for the side on turn (more than 0: won), if it is over.

    `fen` is the position; only what depends on the past is asked with all moves, as that is slow.
    """
    over, result = pyffish.is_immediate_game_end(variant, fen, [])
    if not over:
        start = pyffish.start_fen(variant)
        over, result = pyffish.is_optional_game_end(variant, start, played)
    if not over and all(pyffish.has_insufficient_material(variant, fen, [])):
        return 0
    if not over and not pyffish.legal_moves(variant, fen, []):
        return int(pyffish.game_result(variant, fen, []))
    return int(result) if over else None


def ours(outcome: Outcome | None, mover: str) -> int | None:
    """Return our result in the same way."""
    if outcome is None:
        return None
    return 0 if not outcome.winners else 1 if outcome.winners == (mover,) else -1


def play_in_lockstep(pairing: Pairing, rules: ReferenceRules, seed: int) -> None:
    """Play a random game in both, and compare moves and the end."""
    state, random = rules.start(), Random(f"{pairing.game} {seed}")
    played: list[str] = []
    fen = pyffish.start_fen(pairing.other)
    while len(played) < MOST_PLIES:
        theirs = end_of(pairing.other, fen, played)
        found = ours(rules.outcome(state), rules.game.sides[len(played) % 2])
        if theirs is not None or found is not None:
            assert theirs is not None and found is not None, (played, theirs, found)
            assert (theirs > 0) - (theirs < 0) == found, (played, theirs, found)
            return
        moves = {pairing.spelled(move.text): move for move in rules.legal(state)}
        legal = {
            pairing.heard(move): move
            for move in pyffish.legal_moves(pairing.other, fen, [])
            if not pairing.is_refused(pairing.other, fen, move)
        }
        assert sorted(moves) == sorted(legal), played
        chosen = random.choice(sorted(moves))
        played.append(legal[chosen])
        state = rules.apply(state, moves[chosen])
        fen = pyffish.get_fen(pairing.other, fen, played[-1:])


def test_a_pawn_that_is_dropped_and_mates_is_told() -> None:
    fen = (
        "4s2nk/1n+Sgg4/2+B4g+P/lp2Pp3/PP1p1P1p1/2pb2l2/+p2P2pPN/1S1RK1RS1/1G1+n4L[LPppp] w - - 1 62"
    )
    drops = [move for move in pyffish.legal_moves("shogi", fen, []) if move.startswith("P@")]
    assert [move for move in drops if mates_by_a_pawn("shogi", fen, move)] == ["P@i8"]
    assert len(drops) > 1


@pytest.mark.parametrize(
    "pairing", [pytest.param(one, id=one.game, marks=deep_marks(one.game)) for one in PAIRINGS]
)
def test_random_games_agree(pairing: Pairing) -> None:
    rules = ReferenceRules(load_game(pairing.game))
    for seed in range(pairing.quick):
        play_in_lockstep(pairing, rules, seed)


@pytest.mark.slow
@pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing.game)
def test_many_random_games_agree(pairing: Pairing) -> None:
    rules = ReferenceRules(load_game(pairing.game))
    for seed in range(pairing.quick, pairing.games):
        play_in_lockstep(pairing, rules, seed)
