"""Chess with its full rules, held against published counts and against python-chess."""

from __future__ import annotations

from random import Random

import chess
import pytest

from gdl.diagnostic import Source
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.load import find_game, load_game, load_source

BY_LOOKING_AHEAD = "require not can enemy make no own & King"
KIWIPETE = "r...k..r/p.ppqpb./bn..pnp./...PN.../.p..P.../..N..Q.p/PPPBBPPP/R...K..R"
COUNTS = (("", (20, 400, 8902, 197_281)), (KIWIPETE, (48, 2039, 97_862)))
"""Sequences of moves from the start, and from a position of Peter McKenzie's: see
https://www.chessprogramming.org/Perft_Results."""
KINDS = {"Queen": "q", "Rook": "r", "Bishop": "b", "Knight": "n"}


@pytest.mark.at_night("Kiwipete-by looking", "start-by attacks")
@pytest.mark.parametrize("looks_ahead", [False, True], ids=["by attacks", "by looking ahead"])
@pytest.mark.parametrize(("rows", "counts"), COUNTS, ids=["start", "Kiwipete"])
def test_counts_are_the_published_ones(
    rows: str, counts: tuple[int, ...], looks_ahead: bool
) -> None:
    text = find_game("chess").text
    if looks_ahead:
        text = text.replace("require safe(own & King)", BY_LOOKING_AHEAD)
        assert BY_LOOKING_AHEAD in text
    game = load_source(Source("chess.yaml", text), {"start": rows} if rows else {})
    rules = NativeRules(game)
    start = rules.start()
    assert tuple(rules.perft(start, depth + 1) for depth in range(len(counts))) == counts


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "depth", "count"), [("", 5, 4_865_609), (KIWIPETE, 4, 4_085_603)])
def test_large_counts_are_the_published_ones(rows: str, depth: int, count: int) -> None:
    rules = NativeRules(load_game("chess", {"start": rows} if rows else {}))
    assert rules.perft(rules.start(), depth) == count


@pytest.mark.parametrize("seed", range(2))
def test_random_games_have_the_moves_of_python_chess(seed: int) -> None:
    rules, board = NativeRules(load_game("chess")), chess.Board()
    state, random = rules.start(), Random(seed)
    for _ in range(250):
        if rules.outcome(state) is not None:
            break
        moves = {as_uci(move.text): move for move in rules.legal(state)}
        assert sorted(moves) == sorted(move.uci() for move in board.legal_moves)
        chosen = random.choice(sorted(moves))
        state = rules.apply(state, moves[chosen])
        board.push_uci(chosen)
    outcome = rules.outcome(state)
    if board.is_checkmate():
        assert outcome is not None
        assert outcome.winners == ("White" if board.turn == chess.BLACK else "Black",)
    elif board.is_stalemate():
        assert outcome is not None
        assert not outcome.winners


def as_uci(text: str) -> str:
    """Return a move as python-chess writes it."""
    move, _, kind = text.partition(" ")
    return move.replace("-", "") + KINDS.get(kind, "")
