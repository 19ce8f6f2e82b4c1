"""Moves as the field writes them, held against what others write: python-chess and pyffish.

In: random positions of shipped games. Out: nothing. What then holds: the texts of all legal moves
are those of the other program, and each is read as the move that it was written for.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.moves import AmbiguousMoveError, IllegalMoveError
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.load import find_game, load_game, shipped_names

chess = pytest.importorskip("chess")
variants = pytest.importorskip("chess.variant")
fish = pytest.importorskip("pyffish")

POSITIONS = pytest.mark.parametrize(
    "positions", [100, pytest.param(2000, marks=pytest.mark.slow)], ids=str
)
READ = 3


def rules_of(name: str) -> Rules:
    game = load_game(name)
    return Rules(game, NativeRules(game))


def rules_told(name: str) -> bool:
    """Return whether a shipped file, or the one it extends, has notations."""
    return any(f"\n{word}:" in find_game(name).text for word in ("notation", "extends"))


@POSITIONS
@pytest.mark.at_night("king-of-the-hill", "crazyhouse")
@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("chess", lambda: chess.Board()),
        ("crazyhouse", lambda: variants.CrazyhouseBoard()),
        ("antichess", lambda: variants.AntichessBoard()),
        ("king-of-the-hill", lambda: variants.KingOfTheHillBoard()),
    ],
)
def test_san_and_uci_are_those_of_python_chess(
    name: str, board: Callable[[], object], positions: int
) -> None:
    draw = random.Random(name)
    rules, left = rules_of(name), positions
    while left:
        here, there = rules.start(), board()
        while left and not here.over:
            ours = {here.notate(move, "uci"): move for move in here.moves()}
            theirs = {move.uci(): move for move in there.legal_moves}  # type: ignore[attr-defined]
            assert ours.keys() == theirs.keys()
            for uci in draw.sample(sorted(ours), min(READ, len(ours))):
                san = there.san(theirs[uci])  # type: ignore[attr-defined]
                assert here.notate(ours[uci], "san") == san
                assert here.parse(san) == here.parse(uci) == ours[uci]
            here = here.after(ours[uci])
            there.push(theirs[uci])  # type: ignore[attr-defined]
            left -= 1


@POSITIONS
@pytest.mark.at_night("king-of-the-hill", "[chess")
@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("chess", lambda: chess.Board()),
        ("crazyhouse", lambda: variants.CrazyhouseBoard()),
        ("antichess", lambda: variants.AntichessBoard()),
        ("king-of-the-hill", lambda: variants.KingOfTheHillBoard()),
    ],
)
def test_fen_is_that_of_python_chess(
    name: str, board: Callable[[], object], positions: int
) -> None:
    draw = random.Random(name)
    rules, left = rules_of(name), positions
    counts_drops = name == "crazyhouse"  # where no rule reads the count of quiet moves
    while left:
        here, there = rules.start(), board()
        while left and not here.over:
            fen = there.fen(en_passant="xfen")  # type: ignore[attr-defined]
            number = there.fullmove_number  # type: ignore[attr-defined]
            ours = here.fen(number)
            read = rules.from_fen(fen)
            assert [m.text for m in read.moves()] == [m.text for m in here.moves()]
            assert read.fen(number) == fen
            assert (
                ours.split()[: 4 if counts_drops else 6] == fen.split()[: 4 if counts_drops else 6]
            )
            move = draw.choice(here.moves())
            there.push(chess.Move.from_uci(here.notate(move, "uci")))  # type: ignore[attr-defined]
            here = here.after(move)
            left -= 1


@POSITIONS
@pytest.mark.at_night("shogi", "xiangqi")
@pytest.mark.parametrize("name", ["xiangqi", "makruk", "shogi"])
def test_positions_are_written_as_pyffish_writes_them(name: str, positions: int) -> None:
    draw = random.Random(name)
    rules, left, fen = rules_of(name), positions, fish.start_fen(name)
    while left:
        here, line = rules.start(), list[str]()
        while left and not here.over:
            ours = here.fen(len(line) // 2 + 1)
            theirs = fish.get_fen(name, fen, line).replace("[", " [").split()
            assert ours.split()[0] == theirs[0]
            read = rules.from_fen(ours)
            assert (read.fen(len(line) // 2 + 1), read.mover) == (ours, here.mover)
            assert [m.text for m in read.moves()] == [m.text for m in here.moves()]
            move = draw.choice(here.moves())
            line.append(here.notate(move, "uci"))
            here = here.after(move)
            left -= 1


@pytest.mark.parametrize(
    ("fen", "told"),
    [
        ("rubbish", "Of the board's 8 rows it has 1."),
        ("8/8/8/8/8/8/8/9 w - - 0 1", "The row `9` has 9 sites, not 8."),
        ("8/8/8/8/8/8/8/7x w - - 0 1", "`x` is no piece."),
        ("8/8/8/8/8/8/8/8 x - - 0 1", "`x` is no side."),
        ("8/8/8/8/8/8/8/8 w Z - 0 1", "`Z` is no site of `rights`."),
    ],
)
def test_a_position_that_is_none(fen: str, told: str) -> None:
    with pytest.raises(GameError, match=told):
        Rules(load_game("chess")).from_fen(fen)


def test_castling_by_columns_is_read() -> None:
    rules = Rules(load_game("chess"))
    read = rules.from_fen("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1")
    assert read.fen() == "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


def mating_drops(name: str, fen: str, line: list[str]) -> set[str]:
    """Return drops of pawns that mate, which pyffish does not always refuse."""
    return {
        move
        for move in fish.legal_moves(name, fen, line)
        if move.startswith("P@") and not fish.legal_moves(name, fen, [*line, move])
    }


@POSITIONS
@pytest.mark.at_night("shogi", "makruk")
@pytest.mark.parametrize("name", ["xiangqi", "makruk", "shogi"])
def test_uci_is_that_of_pyffish(name: str, positions: int) -> None:
    draw = random.Random(name)
    rules, left, fen = rules_of(name), positions, fish.start_fen(name)
    while left:
        here, line = rules.start(), list[str]()
        while left and not here.over:
            ours = {here.notate(move, "uci"): move for move in here.moves()}
            theirs = set(fish.legal_moves(name, fen, line))
            assert ours.keys() ^ theirs <= mating_drops(name, fen, line)
            line.append(draw.choice(sorted(ours)))
            assert here.parse(line[-1]) == ours[line[-1]]
            here = here.after(ours[line[-1]])
            left -= 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["makruk", "xiangqi"])
def test_moves_are_written_as_pyffish_writes_them(name: str) -> None:
    draw, here, fen = random.Random(3), rules_of(name).start(), fish.start_fen(name)
    line = list[str]()
    for _ in range(60):
        move = draw.choice(here.moves())
        uci = here.notate(move, "uci")
        written = here.notate(move, "san").rstrip("+#")
        assert written == fish.get_san(name, fish.get_fen(name, fen, line), uci).rstrip("+#")
        line.append(uci)
        here = here.after(move)


NUMBERS = """
b10 d10 f10 h10 j10 a9 c9 e9 g9 i9 b8 d8 f8 h8 j8 a7 c7 e7 g7 i7 b6 d6 f6 h6 j6
a5 c5 e5 g5 i5 b4 d4 f4 h4 j4 a3 c3 e3 g3 i3 b2 d2 f2 h2 j2 a1 c1 e1 g1 i1
"""
"""The squares of international draughts by their numbers (FMJD, Official rules, 1.4)."""


def test_draughts_numbers_are_those_of_the_table() -> None:
    rules = Rules(load_game("international-draughts"))
    names = rules.writings["pdn"].names
    sites = rules.game.board.sites
    assert {int(names[site.index]): site.name for site in sites} == dict(
        enumerate(NUMBERS.split(), 1)
    )


def played(name: str, moves: str) -> Position:
    here = Rules(load_game(name)).start()
    for text in moves.split():
        here = here.play(text)
    return here


def test_what_is_ambiguous_is_not_illegal() -> None:
    here = played("chess", "Nf3 a6 d3 a5")
    with pytest.raises(AmbiguousMoveError, match=r"b1-d2.*f3-d2|f3-d2.*b1-d2"):
        here.parse("Nd2")
    assert here.parse("Nbd2").text == "b1-d2"
    with pytest.raises(IllegalMoveError, match="`Nd4` is not a legal move") as refused:
        played("chess", "d4 d5").parse("Nd4")
    assert not isinstance(refused.value, AmbiguousMoveError)


def test_a_bare_square_is_of_the_piece_without_a_letter() -> None:
    here = played("chess", "Nf3 d5 g4 h6")
    assert here.parse("d4").text == "d2-d4"
    assert here.parse("Nd4").text == "f3-d4"


@pytest.mark.parametrize("typed", ["O-O", "0-0", "O-O+", "o-o!?", "e1g1", "Kg1", "e1-g1"])
def test_castling_is_read_however_it_is_written(typed: str) -> None:
    assert played("chess", "e4 e5 Nf3 Nf6 Bc4 Bc5").parse(typed).text == "e1-g1"


@pytest.mark.parametrize(
    ("game", "moves", "written"),
    [
        ("international-draughts", "31-26 18-22 34-30 20-25 30-24", "19x30"),
        ("draughts", "11-15", "23-19"),
        ("russian-draughts", "c3-d4 b6-c5", "d4:b6"),
        ("go", "E5", "pass"),
        ("othello", "F5 D6", "C3"),
        ("nine-mens-morris", "a1 b2 a4 b4", "a7xb2"),
        ("shogi", "7g7f", "3c3d"),
        ("xiangqi", "b3e3", "h10g8"),
        ("xiangqi", "H2-E2 Hg8 H0-G2", "i10h10"),
        ("hex", "", "A1"),
    ],
)
def test_a_game_is_read_in_its_own_notation(game: str, moves: str, written: str) -> None:
    options = {"pie": "yes"} if game == "hex" else {}
    here = Rules(load_game(game, options)).start()
    for text in moves.split():
        here = here.play(text)
    move = here.parse(written)
    assert here.notate(move).lower() == written.lower()


@pytest.mark.parametrize("name", [name for name in shipped_names() if rules_told(name)])
def test_what_is_written_is_read_as_the_same_move(name: str) -> None:
    rules, draw = Rules(load_game(name)), random.Random(7)
    here = rules.start()
    for _ in range(12):
        for notation in rules.writings:
            for move in draw.sample(here.moves(), min(READ, len(here.moves()))):
                read = here.parse(here.notate(move, notation))
                assert read == move or here.play(read) == here.play(move), (move, notation)
        here = here.play(draw.choice(here.moves()))
        if here.over:
            here = rules.start()


def test_capitals_without_a_letter_are_no_letters_of_our_own() -> None:
    here = Rules(load_game("gomoku")).start()
    assert [here.parse(text).text for text in ("J7", "K7", "j7", "i7")] == ["i7", "j7", "j7", "i7"]


def test_steps_are_told_in_any_order_by_numbers_of_ones_own() -> None:
    here = Rules(load_game("backgammon")).start().play("31")
    move = here.parse("8/5 6/5")
    assert (here.notate(move), move.text) == ("8/5 6/5", "e1-h1 g1-h1")
    assert here.parse("6/5 8/5") == move
    lead = here.parse("24/20")
    assert lead in (here.parse("24/21/20"), here.parse("24/23/20"))
    there = here.play(move).play("66")
    assert there.notate(there.parse("24/18(2) 13/7(2)")) == "24/18 24/18 13/7 13/7"
    for wrong in ("24/18", "24/17 13/7", "24/18(4)"):
        with pytest.raises(IllegalMoveError):
            there.parse(wrong)


def test_of_steps_with_the_same_ends_those_are_meant_that_take_as_often() -> None:
    men = {"l2": "X", "i2": "O", "a1": "O"}  # 24 for White, and 21, which is a man alone
    rows = " / ".join(
        " ".join(men.get(f"{column}{row}", ".") for column in "abcdefghijkl") for row in (2, 1)
    )
    here = Rules(load_game("backgammon")).from_rows(rows, mover="White").play("31")
    assert here.parse("24/20*").text == "l2-i2 i2-h2"
    assert here.parse("24/20").text == "l2-k2 k2-h2"
    assert here.notate(here.parse("24/21*/20")) == "24/21* 21/20"


def test_captures_are_told_apart_by_their_way() -> None:
    game = load_game("international-draughts")
    here = Rules(game).from_rows(
        """
        . . . . .
        . . . . .
        . m m . .
        . . . . .
        . m m . .
        . . M . .
        . . . . .
        . . . . .
        . . . . .
        . . . . .
        """
    )
    texts = [here.notate(move) for move in here.moves()]
    assert texts == ["28x17x8x19x28", "28x19x8x17x28"]
    assert here.parse("28x28") == here.moves()[0]  # both lead to the same position
    assert all(here.parse(text) == move for text, move in zip(texts, here.moves(), strict=True))


def test_a_notation_that_there_is_not() -> None:
    here = Rules(load_game("chess")).start()
    with pytest.raises(GameError, match="no notation `sna`"):
        here.notate("e4", "sna")
    there = Rules(load_game("amazons")).start()
    assert there.notate(there.moves()[0]) == there.moves()[0].text


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("a: '{frist}'", "`{frist}` is no part of a move."),
        ("a: {sites: letters}", "`letters` doesn't say how sites are called."),
        ("letters: {Pown: P}", "There is no kind `Pown`."),
        ("a: '{first} when frist in King'", "frist"),
    ],
)
def test_what_is_wrong_in_a_notation_is_told_at_its_place(
    said: str, told: str, tmp_path: Path
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        f"game: T\nplayers: A, B\npieces: Pawn, King\nboard: square(2, 2)\nstuck: draw\n"
        f"turn: |\n  choose s in empty\n  place King at s\nnotation:\n  {said}\n"
    )
    with pytest.raises(GameError) as found:
        load_game(str(path))
    (one,) = found.value.diagnostics
    assert told in one.message
    assert one.span is not None
    assert one.span.line == 10


def test_the_word_may_be_a_name(tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(
        "game: T\nplayers: A, B\nboard: square(2, 2)\nstuck: draw\nstate: {notation: number}\n"
        "turn: |\n  choose s in empty\n  place Stone at s\n  add 1 to notation\n"
        "end: draw when notation > 2\nnotation: {a: '({first})'}\n"
    )
    assert Rules(load_game(str(path))).start().play("(a1)").play("b2").notate("a2") == "(a2)"
