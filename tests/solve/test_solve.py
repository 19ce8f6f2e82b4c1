"""Solving: published values, both methods against each other, tables, and what is refused."""

from __future__ import annotations

import json
import math
import os
import random
import subprocess
import sys
import time
from functools import partial
from itertools import takewhile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from click.testing import Result as ClickResult

from gdl.board.symmetries import moved_set
from gdl.diagnostic import GameError, Source
from gdl.interpreter import Engine, load
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.sessions.seats import RandomPlayer
from gdl.interpreter.solve import proof_table, store
from gdl.interpreter.solve.checking import replay_games
from gdl.interpreter.solve.clock import Clock, OutOfTime
from gdl.interpreter.solve.forced_wins import ForcedWins
from gdl.interpreter.solve.proof_table import ENTRIES_OF_BUCKET, STORED, WORDS_OF_ENTRY
from gdl.interpreter.solve.proving import ProofSearch, Unsettled
from gdl.interpreter.solve.retrograde import NoRoom, Retrograde
from gdl.interpreter.solve.solution import Result, Solution
from gdl.interpreter.solve.solver import (
    Solver,
    keep_retrograde,
    path_of,
    resume_proofs,
    resume_retrograde,
)
from gdl.interpreter.solve.store import SmallGame, Stored, engine_for, keep_table
from gdl.interpreter.solve.subject import Subject
from gdl.interpreter.solve.symmetries import symmetries
from gdl.interpreter.solve.tables import TableFile, usual_path
from gdl.interpreter.workers.run import Here
from gdl.load import load_source
from tests.benchmarks.tactics import by_processor


def rules_of(text: str) -> Rules:
    return Rules(load_source(Source("made-up.yaml", text)))


def solved(name: str, method: str = "auto", after: str = "", **options: object) -> Solution:
    rules = load(name, options=options)  # type: ignore[arg-type]
    return Solver(rules, method=method).solve(played(rules, after))


def played(rules: Rules, after: str) -> Position:
    position = rules.start()
    for move in filter(None, after.split(", ")):
        position = position.play(move)
    return position


# ---------------------------------------------------------------------- published values


@pytest.mark.parametrize("with_symmetries", (True, False))
def test_tic_tac_toe_has_5478_positions_and_is_a_draw(with_symmetries: bool) -> None:
    rules = load("tic-tac-toe")
    found = Solver(rules, with_symmetries=with_symmetries).solve(rules.start())
    assert (found.told, found.positions, found.result.plies) == ("draw", 5478, None)
    assert found.symmetries == (8 if with_symmetries else 1)
    assert len(found.best) == 9


def test_the_8_puzzle_takes_31_slides_at_most() -> None:
    # Half of the 9! positions can be reached; the distance is the greatest of all (Reinefeld,
    # "Complete solution of the eight-puzzle", 1993).
    found = solved("8-puzzle")
    assert (found.told, found.positions, found.result.plies) == ("Solver wins", 181_440, 31)


CONNECT_FOUR = {(4, 4): (161_029, "draw"), (5, 4): (3_945_711, "draw"), (4, 5): (1_706_255, "draw")}
"""By columns and rows: J. Tromp's numbers of positions and values,
https://tromp.github.io/c4/c4.html"""


@pytest.mark.parametrize(
    "columns, rows",
    [
        (4, 4),
        pytest.param(4, 5, marks=pytest.mark.slow),
        pytest.param(5, 4, marks=pytest.mark.slow),
    ],
)
def test_connect_four_has_the_positions_and_the_value_that_are_known(
    columns: int, rows: int
) -> None:
    found = solved("connect-four", columns_wide=columns, rows_high=rows)
    assert (found.positions, found.told) == CONNECT_FOUR[columns, rows]


@pytest.mark.slow
def test_connect_four_five_by_five_has_69763700_positions() -> None:
    rules = load("connect-four", options={"columns_wide": 5, "rows_high": 5})
    found = Solver(rules, memory=8 << 30).solve(rules.start())
    assert (found.positions, found.told) == (69_763_700, "draw")


WINNING_OPENINGS = {
    3: {"a2", "a3", "b2", "c1", "c2"},
    4: {"a4", "b3", "c2", "d1"},
    5: {*("e1", "b2", "c2", "d2", "e2", "b3", "c3", "d3", "a4", "b4", "c4", "d4", "a5")},
}
"""Of games of Hex: what both methods find, where both can be asked."""


def test_openings_of_hex_by_both_methods() -> None:
    rules = load("hex", options={"size": 3})
    by_all = Solver(rules).solve(rules.start())
    by_proof = Solver(rules, method="proof").solve(rules.start(), each_move=True)
    for found in (by_all, by_proof):
        assert found.told == "Red wins"
        assert winning(found) == WINNING_OPENINGS[3]
    assert (by_all.result.plies, [str(move) for move in by_all.best]) == (5, ["b2"])
    assert by_all.is_shortest and not by_proof.is_shortest
    shortest = {one.move.text: one.result.plies for one in by_all.moves}
    assert all((one.result.plies or 0) >= (shortest[one.move.text] or 0) for one in by_proof.moves)


def test_openings_are_proven_one_by_one() -> None:
    rules = load("hex", options={"size": 3})
    together = Solver(rules, method="proof").solve(rules.start(), each_move=True)
    solver = Solver(rules, method="proof", run=Here())
    apart = solver.solve(rules.start(), each_move=True)
    assert (apart.told, winning(apart)) == (together.told, WINNING_OPENINGS[3])
    assert {one.move: one.result.value for one in apart.moves} == {
        one.move: one.result.value for one in together.moves
    }
    assert apart.result.plies is not None and apart.positions > 0 and solver.used is not None
    assert solver.used.table() is None


@pytest.mark.slow
def test_processes_prove_what_one_does() -> None:
    arguments = ("solve", "hex", "--option", "size=3", "--method", "proof", "--each-move", "--json")
    alone, shared = (json.loads(gdl(*arguments, *more).stdout) for more in ((), ("--workers", "2")))
    assert alone["result"] == shared["result"]
    values = [{one["move"]: one["value"] for one in told["moves"]} for told in (alone, shared)]
    assert values[0] == values[1]


def winning(found: Solution) -> set[str]:
    seat = found.position.seat or 1
    return {one.move.text for one in found.moves if one.result.for_seat(seat) == 1}


def test_openings_of_hex_four_by_four() -> None:
    rules = load("hex", options={"size": 4})
    found = Solver(rules, method="proof").solve(rules.start(), each_move=True)
    assert (found.told, winning(found)) == ("Red wins", WINNING_OPENINGS[4])
    assert len(found.moves) == 16


def test_every_opening_of_bridg_it_wins() -> None:
    for method in ("retrograde", "proof"):
        rules = load("bridg-it", options={"order": 3})
        found = Solver(rules, method=method).solve(rules.start(), each_move=True)
        assert len(winning(found)) == len(found.moves) == 13


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, options, openings",
    [("hex", {"size": 5}, WINNING_OPENINGS[5]), ("bridg-it", {"order": 4}, None)],
)
def test_openings_of_larger_boards(
    name: str, options: dict[str, int], openings: set[str] | None
) -> None:
    """Ten minutes each. Every opening wins where none is named."""
    rules = load(name, options=options)
    found = Solver(rules, method="proof").solve(rules.start(), each_move=True)
    assert len(found.moves) == 25
    assert winning(found) == (openings or {one.move.text for one in found.moves})


@pytest.mark.slow
@pytest.mark.parametrize(
    "name, options, winner",
    [("hex", {"size": 5}, "Red wins"), ("bridg-it", {"order": 4}, "Black wins")],
)
def test_larger_games_of_connection_are_won_by_the_first_player(
    name: str, options: dict[str, int], winner: str
) -> None:
    rules = load(name, options=options)
    assert Solver(rules, method="proof").solve(rules.start()).told == winner


@pytest.mark.slow
def test_blocs_is_a_win_for_the_first_player_on_all_but_4096_boards() -> None:
    """Full boards of 4×4: a sixteenth of them are lost for the side that is to flip first."""
    rules = load("blocs", variants=("given-start",))
    solver = Solver(rules)
    assert solver.solve(rules.start()).told == "Black wins"
    lost = {"Black": 0, "White": 0}
    work = solver.used
    assert isinstance(work, Retrograde)
    words = work.graph.words
    layout = solver.subject.native.code.written.layout
    mover = layout.fields[rules.game.program.system.mover].offset
    used = int(work.graph.state[0])
    data = work.graph.positions[: used * words].tobytes()
    for number in range(used):
        side = data[number * words * 8 + mover]
        if work.graph.results[number] % 4 == (0 if side == 0 else 2):
            lost[rules.sides[side]] += 1
    assert used == 2 * 65_536 - 2
    assert lost == {"Black": 4096, "White": 4096}


def test_the_moves_that_win_at_once_in_the_documented_position_of_troll() -> None:
    rules = load("troll")
    position = rules.from_rows(
        """\
        ...@....
        ...@....
        .XX@....
        X@X@XXX.
        .@XXXXXX
        .....@..
        ........
        ........
        """,
        mover="Black",
    )
    found = Solver(rules, method="proof").solve(position)
    assert (found.told, found.result.plies) == ("Black wins", 1)
    assert {move.text for move in found.best} == {"a3", "a5", "b6"}


# --------------------------------------------------------------- what the methods say


CHASE = """\
game: Chase
players: Fox, Hound
pieces: Stone
board: square(WIDTH, HEIGHT)
setup:
  Fox Stone: b1
  Hound Stone: LAST
turn: |
  choose a in own
  choose b in orthogonal(a) - own
  move a to b
stuck: loses
end: mover wins when no enemy
"""


def chase(width: int, height: int) -> Rules:
    last = f"{chr(ord('a') + width - 1)}{height}"
    sizes = CHASE.replace("WIDTH", str(width)).replace("HEIGHT", str(height))
    return rules_of(sizes.replace("LAST", last))


def test_positions_that_come_again_are_drawn_where_nobody_can_force_an_end() -> None:
    """Who comes to stand beside the other is taken; who need not walk does better to wait."""
    walk = "choose a in own\n  choose b in orthogonal(a) - own\n  move a to b"
    wait = "optionally\n    " + walk.replace("\n", "\n  ")
    text = CHASE.replace(walk, wait).replace("WIDTH", "4").replace("HEIGHT", "1")
    rules = rules_of(text.replace("LAST", "d1"))
    found = Solver(rules).solve(rules.start())
    by_hand = by_sweeps(rules)
    assert found.result == by_hand[rules.start()]
    assert found.endless == sum(1 for result in by_hand.values() if result.value == 0.5)
    with pytest.raises(Unsettled):
        Solver(rules, method="proof").solve(drawn_of(by_hand))


def drawn_of(values: dict[Position, Result]) -> Position:
    return next(position for position, result in values.items() if result.value == 0.5)


def by_sweeps(rules: Rules) -> dict[Position, Result]:
    """Return the result of each position that can be reached, worked out by the definition.

    Round after round, those get a result whose moves allow it; the reference interpreter plays.
    """
    waiting, after = [rules.start()], {}
    while waiting:
        position = waiting.pop()
        if position not in after:
            after[position] = [position.play(move) for move in position.moves()]
            waiting += after[position]
    results: dict[Position, Result] = {}
    for plies in range(len(after)):
        new = {}
        for position, children in after.items():
            if position in results:
                continue
            if position.over:
                winners = position.outcome.seats if position.outcome else ()
                if len(winners) == 1 and plies == 0:
                    new[position] = Result(float(winners[0] == 1), 0)
                continue
            wanted = 1.0 if position.seat == 1 else 0.0
            known = [results[child] for child in children if child in results]
            if any(one.value == wanted for one in known):
                new[position] = Result(wanted, plies)
            elif len(known) == len(children):
                new[position] = Result(1 - wanted, plies)
        if not new and plies > 0:
            break
        results |= new
    return {position: results.get(position, Result(0.5, None)) for position in after}


@pytest.mark.parametrize("width, height", [(4, 1), (5, 1), (6, 1), (2, 2), (3, 2), (4, 2)])
def test_results_are_those_of_the_definition(width: int, height: int) -> None:
    rules = chase(width, height)
    solver = Solver(rules)
    solver.solve(rules.start())
    for position, result in by_sweeps(rules).items():
        assert solver.value(position) == result, position.rows()


def test_methods_agree_in_random_positions() -> None:
    chance = random.Random(1)
    for name, options, variants in (
        ("connect-four", {"columns_wide": 4, "rows_high": 4}, ()),
        ("taifas", {"size": 2}, ()),
        ("bridg-it", {"order": 2}, ()),
        ("blocs", {"size": 2}, ()),
        ("clobber", {"width": 3, "height": 3}, ()),
    ):
        rules = load(name, options=options, variants=variants)
        by_all, by_proof = Solver(rules), Solver(rules, method="proof")
        by_all.solve(rules.start())
        for _ in range(3):
            position = rules.start()
            for _ in range(chance.randrange(4)):
                if not position.over:
                    position = position.play(chance.choice(position.moves()))
            shortest, proven = by_all.value(position), by_proof.solve(position).result
            assert shortest.value == proven.value, (name, position.rows())
            assert (shortest.plies or 0) <= (proven.plies or 0)


PUZZLE = """\
game: Walk
players: Walker
pieces: Foot
board: square(4, 4) without b2 | c3
setup: {Walker Foot: a1}
turn: |
  choose b in orthogonal(own)
  move own to b
end: Walker wins when some own & GOAL
"""


def test_the_shortest_solution_of_a_puzzle_is_found() -> None:
    rules = rules_of(PUZZLE.replace("GOAL", "d4"))
    found = Solver(rules).solve(rules.start())
    assert (found.told, found.result.plies, len(found.line)) == ("Walker wins", 6, 6)
    rules = rules_of(PUZZLE.replace("GOAL", "(a1 - a1)"))
    assert Solver(rules).solve(rules.start()).told == "no solution"


# -------------------------------------------------------------------------- symmetries


NUMBER_OF_SYMMETRIES = {
    "tic-tac-toe": 8,
    "hex": 2,
    "connect-four": 2,
    "y": 6,
    "havannah": 12,
    "taifas": 8,
    "breakthrough": 2,
    "kalah": 1,
    "minichess": 1,
    "othello": 8,
    "gomoku": 8,
    "go": 1,
    "chess": 1,
    "santorini": 8,
    "tzaar": 12,
}


def test_symmetries_are_those_that_the_rules_respect() -> None:
    assert {
        name: 1 + len(symmetries(load(name).game)) for name in NUMBER_OF_SYMMETRIES
    } == NUMBER_OF_SYMMETRIES
    assert 1 + len(symmetries(load("go").game, with_memory=True)) == 8


@pytest.mark.parametrize(
    "name",
    (
        "bridg-it",
        "ataxx",
        "pentago",
        "amazons",
        "clobber",
        "trellis",
        "go",
        "othello",
        "gomoku",
        "nine-mens-morris",
        "lines-of-action",
        "shogi",
        "santorini",
        "tzaar",
    ),
)
def test_images_of_positions_have_the_images_of_their_moves(name: str) -> None:
    """What is proved of the program is seen in play: each image has the same number of moves."""
    rules = load(name)
    found = symmetries(rules.game, with_memory=True)
    assert found
    chance = random.Random(2)
    position = rules.start()
    for _ in range(12):
        position = position.play(RandomPlayer(chance).choose(position))
        for symmetry in found:
            image = image_of(position, symmetry)
            assert len(image.moves()) == len(position.moves())
            assert image.over == position.over


def image_of(position: Position, symmetry: tuple[int, ...]) -> Position:
    rules = position.rules
    values = list(position.state.values)
    for slot, place in rules.places.items():
        if slot.type.name == "sites":
            values[place] = moved_set(values[place], symmetry)
        elif slot.per_site:
            old = values[place]
            new = list(old)
            for site, target in enumerate(symmetry):
                new[target] = old[site]
            values[place] = tuple(new)
    return Position(rules, type(position.state)(tuple(values), position.state.ended))


def test_a_rule_that_prefers_a_corner_leaves_no_symmetry() -> None:
    text = """\
game: Corner
players: A, B
board: square(3, 3)
turn: |
  choose s in empty RULE
  place Stone at s
end:
  - A wins when some own & (a1)
  - draw when full
"""
    assert not symmetries(rules_of(text.replace("RULE", "& (bottom | a1)")).game)
    loop = "\n  for each t in own\n    place Stone at t"
    looping = text.replace("RULE", "").replace("at s", f"at s{loop}").replace("(a1)", "(b2)")
    assert not symmetries(rules_of(looping).game)
    assert len(symmetries(rules_of(text.replace("RULE", "").replace("(a1)", "(b2)")).game)) == 7


def test_groups_by_steps_that_do_not_lead_back_leave_no_symmetry() -> None:
    """Where they begin depends on the order of sites: a1 leads to b1, but c1 is looked at first."""
    text = """\
game: Inward
players: A, B
board: square(4, 1)
relations: {inward: STEPS}
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when count own = 2 and count groups(own, inward) = 1
  - draw when full
"""
    inward = "(east from columns(1)) | (west from columns(4))"
    rules = rules_of(text.replace("STEPS", inward))
    assert not symmetries(rules.game)
    assert Solver(rules).value(rules.start().play("d1").play("b1")) == Result(0.5, None)
    both = text.replace("STEPS", f"{inward} | (west from columns(2)) | (east from columns(3))")
    assert len(symmetries(rules_of(both).game)) == 1


# ------------------------------------------------------------- interruptions and limits


def test_interrupted_work_is_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GDL_TABLES", str(tmp_path))
    rules = load("connect-four", options={"columns_wide": 4, "rows_high": 5})
    begun, kept = Solver(rules, is_kept=True), path_of(rules.start())
    for seconds in (0.3, 1.0, 3.0, 10.0, 30.0):  # on a busy machine, nothing is begun in the first
        if not kept.exists():
            with pytest.raises(OutOfTime):
                begun.solve(rules.start(), seconds=seconds)
    assert kept.exists()
    again = Solver(rules, is_kept=True)
    with pytest.raises(OutOfTime):
        again.solve(rules.start(), seconds=0.01)
    assert again.used is not None and again.looked_at >= begun.looked_at > 0 and kept.exists()
    small = load("connect-four", options={"columns_wide": 4, "rows_high": 4})
    begun = Solver(small, is_kept=True)
    work = Retrograde(begun.subject, small.start(), 64 << 20)
    work.work(Clock(), 1000)
    keep_retrograde(path_of(small.start()), work)
    resumed = Retrograde(begun.subject, small.start(), 64 << 20)
    assert resume_retrograde(path_of(small.start()), resumed)
    assert resumed.positions == work.positions > 1000
    assert begun.solve(small.start()).positions == 161_029
    assert not path_of(small.start()).exists()


def test_what_an_engine_has_compiled_is_not_written_again_to_refuse(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("gdl.interpreter.solve.subject.native_or_refused", None)
    for name in ("phantom-tic-tac-toe", "backgammon"):
        assert engine_for(load(name)).small_games is None


def test_damaged_work_is_not_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GDL_TABLES", str(tmp_path))
    rules = load("connect-four", options={"columns_wide": 4, "rows_high": 4})
    solver = Solver(rules)
    file = path_of(rules.start())

    def is_gone_on_with() -> bool:
        return resume_retrograde(file, Retrograde(solver.subject, rules.start(), 64 << 20))

    work = Retrograde(solver.subject, rules.start(), 64 << 20)
    work.work(Clock(), 1000)
    keep_retrograde(file, work)
    whole = file.read_bytes()
    assert is_gone_on_with()
    for place in (0, 40, *range(1000, len(whole), len(whole) // 20), len(whole) - 1):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert not is_gone_on_with()
    for data in (b"", whole[:20], whole[:-1], whole + b"\0"):
        file.write_bytes(data)
        assert not is_gone_on_with()
    file.write_bytes(whole)
    assert is_gone_on_with()
    file.chmod(0o622)
    assert not is_gone_on_with()
    file.unlink()
    os.mkfifo(file)
    assert not is_gone_on_with()


def test_interrupted_proofs_are_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDL_TABLES", str(tmp_path))
    rules = load("hex", options={"size": 5})
    begun = Solver(rules, method="proof", is_kept=True, memory=64 << 20)
    with pytest.raises(OutOfTime):
        begun.solve(rules.start(), seconds=0.3)
    before = begun._proofs.positions if begun._proofs else 0
    again = Solver(rules, method="proof", is_kept=True, memory=64 << 20)
    with pytest.raises(OutOfTime):
        again.solve(rules.start(), seconds=0.1)
    assert again._proofs is not None and again._proofs.positions > before > 0


def test_a_proof_takes_more_memory_as_it_needs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof_table, "_FIRST_BUCKETS", 16)
    rules = load("hex", options={"size": 4})
    solver = Solver(rules, method="proof", memory=64 << 20)
    assert solver.solve(rules.start()).told == "Red wins"
    assert solver._proofs is not None
    (proof,) = solver._proofs.proofs.values()
    buckets = len(proof.entries) // (ENTRIES_OF_BUCKET * WORDS_OF_ENTRY)
    assert 16 < proof.mask + 1 < buckets
    entries = np.asarray(proof.entries).reshape(-1, ENTRIES_OF_BUCKET, WORDS_OF_ENTRY)
    used = entries[:, :, 3] != 0
    assert used.sum() == proof.state[STORED] > 1000
    places = np.broadcast_to(np.arange(buckets)[:, None], used.shape)
    assert (entries[:, :, 0][used] & proof.mask == places[used]).all()


@pytest.mark.slow
def test_a_proof_that_is_gone_on_with_does_not_look_anew_whether_all_positions_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDL_TABLES", str(tmp_path))
    rules = load("hex", options={"size": 5})

    def looked_at(seconds: float) -> int:
        solver = Solver(rules, is_kept=True, memory=16 << 20)
        with pytest.raises(OutOfTime), by_processor():
            solver.solve(rules.start(), seconds=seconds)
        assert solver.used is not None and solver.used.name == "proof"
        return solver.looked_at

    first = looked_at(2)
    monkeypatch.setattr(Retrograde, "work", None)
    assert looked_at(0.1) > first > 100_000


_KEPT_OFTEN = """
from gdl.interpreter import Solver, load
from gdl.interpreter.solve import clock
clock.KEPT_EVERY = 0.02
rules = load("hex", options={"size": 5})
Solver(rules, method=METHOD, is_kept=True, memory=1 << 28).solve(rules.start())
"""


@pytest.mark.parametrize("method", ["retrograde", "proof"])
def test_work_that_is_killed_is_gone_on_with(
    method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GDL_TABLES", str(tmp_path))
    rules = load("hex", options={"size": 5})
    file = path_of(rules.start())
    program = _KEPT_OFTEN.replace("METHOD", repr(method))
    with subprocess.Popen([sys.executable, "-c", program]) as process:
        while not file.exists() and process.poll() is None:
            time.sleep(0.01)
        process.kill()
    subject = Solver(rules).subject
    if method == "proof":
        proofs = ProofSearch(subject, 1 << 28)
        assert resume_proofs(file, proofs) and proofs.positions > 0
    else:
        work = Retrograde(subject, rules.start(), 1 << 28)
        assert resume_retrograde(file, work) and work.positions > 100_000


def test_too_many_positions_are_refused_or_left_to_a_proof() -> None:
    rules = load("hex", options={"size": 4})
    with pytest.raises(NoRoom):
        Solver(rules, method="retrograde", memory=16 << 20).solve(rules.start())
    assert Solver(rules, memory=16 << 20).solve(rules.start()).method == "proof"


@pytest.mark.parametrize(
    "name, reason",
    [
        ("go", "earlier positions"),
        ("royal-game-of-ur", "chance decides"),
        ("phantom-tic-tac-toe", "don't see all"),
    ],
)
def test_what_cannot_be_solved_exactly_is_refused_with_the_reason(name: str, reason: str) -> None:
    with pytest.raises(GameError) as caught:
        Solver(load(name))
    (found,) = caught.value.diagnostics
    assert found.code == "not-solvable" and reason in found.message and found.span is not None


def test_what_a_refusal_names_instead_is_accepted() -> None:
    text = """
game: Dice
players: A, B
board: square(3, 1)
state: {die: number in 0..2}
phases:
  roll:
    seat: nobody
    turn: |
      choose n in 1..2
      set die = n
      go to walk
  walk: |
    choose s in empty
    place A Stone at s
    go to roll
stuck: draw
"""
    two, three = rules_of(text), rules_of(text.replace("A, B", "A, B, C"))
    with pytest.raises(GameError, match="--plies 5"):
        Solver(two)
    assert ForcedWins(two).solve(two.start(), 5) is None, "a draw is not looked for"
    with pytest.raises(GameError) as caught:
        Solver(three)
    assert "3 sides" in str(caught.value) and "--plies" not in str(caught.value)
    walk = "  walk: |\n    let past = turns\n    require 2 ^ past > 0\n"
    endless = rules_of(text.replace("  walk: |\n", walk))
    with pytest.raises(GameError) as caught:
        Solver(endless)
    assert "chance decides" in str(caught.value) and not caught.value.diagnostics[0].hint


def test_three_sides_are_refused() -> None:
    text = "game: Three\nplayers: A, B, C\nboard: square(2, 2)\nturn: pass\nstuck: draw\n"
    with pytest.raises(GameError, match="3 sides"):
        Solver(rules_of(text))


# ------------------------------------------------------------------------------ tables


def test_a_table_knows_every_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GDL_TABLES", str(tmp_path))
    rules = load("tic-tac-toe")
    solver = Solver(rules)
    solver.solve(rules.start())
    path = keep_table(solver)
    assert path == usual_path(rules.game)
    stored = Stored(rules, TableFile(path))
    assert stored.fits and not Stored(load("tic-tac-toe", {"size": 4}), TableFile(path)).fits
    chance = random.Random(3)
    for _ in range(30):
        position = rules.start()
        while not position.over:
            assert stored.result(position) == solver.value(position)
            position = position.play(chance.choice(position.moves()))


@pytest.mark.parametrize("tables", [20, pytest.param(60, marks=pytest.mark.slow)])
def test_what_was_changed_in_a_table_is_not_told_for_a_result(tables: int, tmp_path: Path) -> None:
    rules = load("tic-tac-toe")
    solver = Solver(rules)
    solver.solve(rules.start())
    path = keep_table(solver, tmp_path / "whole")
    assert path is not None
    whole = path.read_bytes()
    positions, position = [], rules.start()
    while not position.over:
        positions.append(position)
        position = position.play(position.moves()[0])
    chance = random.Random(5)
    unknown = wrong = 0
    for _ in range(tables):
        bit = chance.randrange(8 * len(whole))
        changed = bytearray(whole)
        changed[bit // 8] ^= 1 << bit % 8
        path.write_bytes(changed)
        try:
            stored = Stored(rules, TableFile(path))
        except GameError:
            unknown += 1
            continue
        told = [stored.result(one) for one in positions]
        unknown += None in told
        right = map(solver.value, positions)
        wrong += any(one not in (None, known) for one, known in zip(told, right, strict=True))
    assert not wrong and unknown > tables // 6


def test_a_table_of_another_version_is_told_so(tmp_path: Path) -> None:
    path = tmp_path / "old"
    path.write_text('{"format": "gdl solved positions 1"}\n')
    with pytest.raises(GameError, match="another version"):
        TableFile(path)


def test_a_table_is_replaced_by_one_that_knows_more() -> None:
    rules = load("hex", options={"size": 3})
    every, proven, later = Solver(rules), Solver(rules, method="proof"), Solver(rules)
    for solver in (every, proven):
        solver.solve(rules.start())
    later.solve(played(rules, "b2, a1"))
    for solver, is_exact, many in (
        (proven, False, None),
        (later, True, None),
        (every, True, 2781),
        (proven, True, 2781),
        (later, True, 2781),
    ):
        path = keep_table(solver)
        assert path is not None
        head = TableFile(path).head
        assert head.is_exact == is_exact and (many is None or head.positions == many)


def test_an_engine_plays_by_a_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GDL_TABLES", str(tmp_path))
    rules = load("hex", options={"size": 3})
    assert engine_for(rules).known is None
    solver = Solver(rules)
    solver.solve(rules.start())
    keep_table(solver)
    engine = engine_for(rules)
    found = engine.analyse(rules.start())
    assert found.iterations == 0
    assert found.verdict == "Red wins in 5 moves at most" and str(found.best_move) == "b2"
    assert all(move.is_proven for move in found.moves)
    usual_path(rules.game).write_bytes(b"{}\n")
    assert engine_for(rules).known is None
    with pytest.raises(GameError, match="no table"):
        TableFile(usual_path(rules.game))


def test_solutions_hold_against_the_reference() -> None:
    for name, method, options in (
        ("tic-tac-toe", "retrograde", {}),
        ("hex", "proof", {"size": 3}),
        ("bridg-it", "proof", {"order": 3}),
    ):
        rules = load(name, options=options)
        solver = Solver(rules, method=method)
        assert replay_games(solver, solver.solve(rules.start())) == 21


def test_a_solution_as_data() -> None:
    found = solved("hex", size=3).to_json()
    assert json.loads(json.dumps(found)) == found
    assert (found["result"], found["plies"], found["best"]) == ("Red wins", 5, ["b2"])
    assert found["method"] == "retrograde" and found["positions"] == 5514


def test_a_game_that_is_over_is_solved_already() -> None:
    found = solved("tic-tac-toe", after="a1, b1, a2, b2, a3")
    assert (found.told, found.result.plies, found.moves) == ("X wins", 0, ())


# ------------------------------------------------------------------------- the command


def gdl(*arguments: object) -> ClickResult:
    return CliRunner().invoke(make_app(), [str(argument) for argument in arguments])


def test_the_command_tells_the_result_and_keeps_a_table() -> None:
    told = gdl("solve", "hex", "--option", "size=3", "--verify")
    assert told.exit_code == 0, told.output
    lines = told.stdout.splitlines()
    assert lines[0] == "Red wins in 5 moves."
    assert lines[2].split() == ["b2", "wins", "5"] and "5,514 positions" in told.stdout
    assert lines[-1] == "verified: 21 games by the reference interpreter"
    analysed = gdl("analyse", "hex", "--option", "size=3", "--after", "b2, a1")
    assert analysed.stdout.splitlines()[-1] == "from the table of solved positions"


def test_the_command_says_once_that_a_game_is_over() -> None:
    asked = ("solve", "tic-tac-toe", "--after", "a1, a2, b1, b2, c1")
    for more in ((), ("--plies", "2")):
        told = gdl(*asked, *more)
        assert told.stdout.splitlines()[0] == "X wins; the game is over." and not told.stderr
        assert "move" not in told.stdout
    assert gdl(*asked).stdout.splitlines()[1].startswith("1 position: ")


def test_the_command_tells_what_was_done_when_it_does_not_come_to_an_end() -> None:
    asked = ("solve", "connect-four", "--option", "columns_wide=5", "--option", "rows_high=5")
    few = ("--seconds", "0.3", "--memory", "16M", "--no-keep")
    arguments = (*asked, *few, "--method", "proof")
    told = json.loads(gdl(*arguments, "--json").stdout)
    assert (told["game"], told["result"], told["method"]) == ("connect-four", "unknown", "proof")
    assert told["positions"] > 10
    assert gdl(*arguments).stdout.splitlines()[1].endswith(" positions looked at by proof")
    solved = json.loads(gdl("solve", "tic-tac-toe", "--no-keep", "--json").stdout)
    assert told.keys() == solved.keys() and solved["reason"] is None and told["moves"] == []
    told = json.loads(gdl(*asked, *few, "--method", "retrograde", "--json").stdout)
    assert told["method"] == "retrograde" and told["positions"] > 10


def test_the_command_as_json(tmp_path: Path) -> None:
    table = tmp_path / "own.table"
    arguments = ("--method", "proof", "--each-move", "--table", table, "--json")
    found = json.loads(gdl("solve", "bridg-it", "--option", "order=2", *arguments).stdout)
    assert (found["result"], found["method"], found["game"]) == ("Black wins", "proof", "bridg-it")
    assert found["plies"] <= 5 and len(found["moves"]) == 5 and found["seconds"] >= 0
    assert found["to_move"] == {"side": "Black", "seat": 1}
    assert set(found["best"]) <= {move["move"] for move in found["moves"]}
    assert Path(found["table"]) == table and table.exists()


def test_a_table_takes_the_place_of_a_table_alone(tmp_path: Path) -> None:
    table = tmp_path / "own.table"
    for _ in range(2):
        assert gdl("solve", "nim", "--table", table, "--no-keep").exit_code == 0
    table.write_text("game: Mine\n")
    told = gdl("solve", "nim", "--table", table, "--no-keep")
    assert told.exit_code == 2 and "is there already" in told.stderr
    assert table.read_text() == "game: Mine\n"


@pytest.mark.parametrize(
    "arguments, status, message",
    [
        (("hex", "--option", "size=9", "--seconds", "0.2", "--no-keep"), 1, "Not solved within"),
        (("hex", "--memory", "much"), 2, "no size of memory"),
        (("hex", "--workers", "2"), 2, "not shared among workers"),
        (("go",), 1, "earlier positions"),
        (("hex", "--option", "size=4", "--memory", "16M", "--method", "retrograde"), 1, "more pos"),
    ],
)
def test_the_command_says_why_it_can_not(
    arguments: tuple[str, ...], status: int, message: str
) -> None:
    told = gdl("solve", *arguments)
    assert told.exit_code == status and message in told.output
    assert "Traceback" not in told.output


# --------------------------------------------------------------- the games of the sources


HEAD = "| solved | positions | result | plies | openings that win |"


def rows_of_the_page() -> list[tuple[str, ...]]:
    page = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")
    lines = page[page.index(HEAD) :].splitlines()[2:]
    rows = [line.strip("| ").split(" | ") for line in takewhile(str.strip, lines)]
    return [(row[0].strip("`"), *row[1:]) for row in rows]


def rules_of_row(told: str) -> Rules:
    name, option = told.split()
    game, *variants = name.split("+")
    key, value = option.split("=")
    return load(game, {key: value}, variants)


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id=row[0], marks=[pytest.mark.slow] if "," in row[1] else [])
        for row in rows_of_the_page()
    ],
)
def test_the_games_of_the_sources_have_the_values_of_the_page(row: tuple[str, ...]) -> None:
    """By both methods, of each first move; and the reference plays by them."""
    rules = rules_of_row(row[0])
    by_all, by_proof = Solver(rules, method="retrograde"), Solver(rules, method="proof")
    found = by_all.solve(rules.start())
    proven = by_proof.solve(rules.start(), each_move=True)
    openings = f"{len(winning(found))} of {len(found.moves)}"
    told = (f"{found.positions:,}", found.told, str(found.result.plies), openings)
    assert told == row[1:]
    assert proven.told == found.told and winning(proven) == winning(found)
    assert len(proven.moves) == len(found.moves)
    replay_games(by_all, found)


def test_rules_that_fail_two_moves_on_are_told_by_every_method() -> None:
    text = """game: Without a word for who is stuck
players: A, B
board: square(3, 1)
turn: |
  choose s in empty where no orthogonal(s) & own
  place Stone at s
end: draw when full
"""
    rules = Rules(load_source(Source("stuck.yaml", text)))
    for method in ("retrograde", "proof"):
        with pytest.raises(RuleError, match="no legal move"):
            Solver(rules, method=method).solve(rules.start())


@pytest.mark.parametrize("seconds", [0, -1, math.nan])
def test_no_time_is_refused(seconds: float) -> None:
    rules = load("tic-tac-toe")
    for solve in (Solver(rules).solve, partial(ForcedWins(rules).solve, plies=3)):
        with pytest.raises(ValueError, match="above 0"):
            solve(rules.start(), seconds=seconds)


def test_a_position_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="position"):
        ForcedWins(load("tic-tac-toe")).solve(load("hex", {"size": 3}).start(), 3)


@pytest.mark.parametrize(("name", "verdict"), [("chomp", "First wins"), ("tic-tac-toe", "a draw")])
def test_a_small_game_is_solved_while_somebody_waits(name: str, verdict: str) -> None:
    rules = load(name)
    engine = engine_for(rules)
    analysis = engine.analyse(rules.start(), seconds=30)
    assert analysis.verdict.startswith(verdict) and not analysis.iterations
    assert analysis.best_move in Solver(rules).solve(rules.start()).best
    assert engine.analyse(rules.start(), iterations=100).iterations == 100


def test_the_end_of_a_larger_game_is_solved_too() -> None:
    rules = load("connect-four")
    engine, chance = engine_for(rules), random.Random(4)
    position = rules.start()
    assert not engine.analyse(position, seconds=0.2).verdict
    for _ in range(26):
        after = [position.play(move) for move in position.moves()]
        position = chance.choice([one for one in after if not one.over])
    found = engine_for(rules).analyse(position, seconds=30)
    assert found.verdict and not found.iterations


def test_where_there_are_too_many_positions_it_is_tried_again_later(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = load("hex", {"size": 5})
    small = SmallGame(rules, Engine(rules))
    tried: list[Position] = []

    def begun(subject: Subject, position: Position, memory: int) -> Full:
        tried.append(position)
        return Full()

    monkeypatch.setattr(store, "Retrograde", begun)
    position = rules.start()
    for move in ("a1", "b1", "c1", "d1", "e1", "a2"):
        assert small.solved(position, 1, 1.0) is None
        assert small.solved(position, 1, 1.0) is None
        position = position.play(move)
    assert len(tried) == 2


class Full:
    """What has no room for any position."""

    def work(self, clock: Clock, most: int | None = None) -> None:
        """Do nothing."""
        raise NoRoom


def test_where_seats_exchange_sides_the_seat_is_told_that_wins() -> None:
    rules = load("hex", {"size": 3, "pie": True})
    solution = Solver(rules).solve(rules.start())
    assert (solution.seat, solution.told) == (2, "Blue wins")
    position = solution.position
    for move in solution.line:
        position = position.play(move.text)
    assert position.outcome is not None and position.outcome.seats == (2,)
    options = ["--option", "size=3", "--option", "pie=yes", "--no-keep"]
    told = gdl("solve", "hex", *options).output
    assert f"Seat 2, which plays Blue now, wins in {solution.result.plies} moves." in told


# ---------------------------------------------------------------------------- failing rules

STUCK = """\
game: Stuck
players: White, Black
board: square(2, 2)
turn: |
  choose s in empty
  place Stone at s
stuck: highest count own wins
"""


@pytest.mark.parametrize(
    "command", [("solve", "--no-keep"), ("solve", "--plies", "5"), ("perft", "5")]
)
def test_where_rules_fail_the_moves_are_told(tmp_path: Path, command: tuple[str, ...]) -> None:
    path = tmp_path / "stuck.yaml"
    path.write_text(STUCK)
    name, *rest = command
    told = CliRunner().invoke(make_app(), [name, str(path), *rest, "--after", "b2"])
    assert told.exit_code == 1 and "no-move-no-stuck" in told.stderr
    assert 'after 4 moves. See it by `--after "b2, ' in " ".join(told.stderr.split())


LOOPS = """\
game: Loopers
players: White, Black
pieces: Stone, King
board: square(3, 3) wrapping columns
state: {moved: mark}
setup: {White King: a1, White Stone: b1, Black King: c3, Black Stone: b3}
turn: |
  choose s in own
  choose t in adjacent(s) - own
  require not (s in Stone and s in moved and row(t) = row(s))
  move s to t
  add t to moved
stuck: loses
end: mover wins when no enemy & King
"""


def test_a_move_that_cannot_be_settled_takes_no_proof_away() -> None:
    rules = Rules(load_source(Source("loops.yaml", LOOPS)))
    found = Solver(rules, method="proof").solve(rules.start(), each_move=True)
    assert found.winner == "White"
    assert 0 < len(found.moves) < len(rules.start().moves())


DEAD_END = """\
game: Dead End
players: Me
pieces: Man
board: square(3, 1)
setup: {Me Man: a1}
turn: |
  choose s in own
  choose t in east(s)
  move s to t
stuck: draw
end: Me wins when count own = 2
"""


def test_a_puzzle_without_a_solution_is_lost() -> None:
    rules = Rules(load_source(Source("dead.yaml", DEAD_END)))
    found = Solver(rules).solve(rules.start())
    assert found.told == "no solution" and found.result == Result(0.0, None)
    assert found.to_json()["moves"] == [{"move": "a1-b1", "value": 0.0, "plies": None}]
    analysis = engine_for(rules).analyse(rules.start(), seconds=1)
    assert analysis.value == {"Me": 0.0} and analysis.verdict == "there is no solution"
