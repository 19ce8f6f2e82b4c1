"""The programs of `docs/examples` learn: a few seconds of each, of a user's file."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np
import pytest

import gdl

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
MINE = """\
game: Pairs
players: Black, White
board: square(3, 3)
turn: |
  choose s in empty
  place Stone at s
end:
  - mover wins when in_a_row(own, 3)
  - draw when full
"""


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return a file of one's own; the examples can be imported, as they import one another."""
    monkeypatch.syspath_prepend(str(EXAMPLES))
    path = tmp_path / "mine.yaml"
    path.write_text(MINE, "utf-8")
    return str(path)


def test_self_play(mine: str) -> None:
    assert import_module("self_play").train(mine, games=16, rounds=3, iterations=24) > 0.5


def test_actor_critic(mine: str) -> None:
    assert import_module("actor_critic").train(mine, games=64, rounds=500) > 0.5


def test_temporal_differences(mine: str) -> None:
    assert import_module("td_values").train(mine, games=32, rounds=150) > 0.5


def test_a_network_of_torch(mine: str) -> None:
    torch = pytest.importorskip("torch", reason="PyTorch is not installed")
    torch.set_num_threads(1)
    made = import_module("torch_network").TorchNetwork
    train = import_module("self_play").train
    assert train(mine, games=16, rounds=3, iterations=24, make=made) > 0.5


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["self_play.py", "no-such"], "There is no game called `no-such`."),
        (["self_play.py", "backgammon"], "Backgammon has chance"),
        (["self_play.py", "phantom-tic-tac-toe"], "hides something"),
        (["self_play.py", "hex", "--games", "0"], "--games: 0 is no whole number from 1"),
        (["td_values.py", "8-puzzle"], "8-puzzle is no game of two sides"),
        (["actor_critic.py", "no-such"], "There is no game called `no-such`."),
        (["torch_network.py"], "PyTorch is not installed"),
    ],
)
def test_a_program_that_cannot_learn_ends_in_a_sentence(
    arguments: list[str],
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.syspath_prepend(str(EXAMPLES))
    monkeypatch.setattr("sys.argv", arguments)
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(SystemExit) as ended:
        run_path(str(EXAMPLES / arguments[0]), run_name="__main__")
    assert told in f"{ended.value}{capsys.readouterr().err}"


def test_self_play_takes_smaller_runs(
    mine: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    small = ["--games", "4", "--rounds", "2", "--iterations", "4", "--seed", "3"]
    monkeypatch.setattr("sys.argv", ["self_play.py", mine, *small])
    run_path(str(EXAMPLES / "self_play.py"), run_name="__main__")
    assert capsys.readouterr().out.startswith("round 1: ")


@pytest.mark.slow
@pytest.mark.usefixtures("mine")
def test_self_play_learns_to_win_nearly_always() -> None:
    """In half a minute of a processor, a file that is no shipped game: at .9, 95 of 100 are won."""
    assert import_module("self_play").train(str(EXAMPLES / "crowding.yaml")) > 0.9


@pytest.mark.slow
def test_self_play_by_workers_of_dask(mine: str) -> None:
    """Actors play where dask has its workers, and what they played is learnt from here."""
    distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")
    train = run_path(str(EXAMPLES / "self_play.py"))["train"]
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as made,
        distributed.Client(made) as client,
    ):
        given: dict[str, Any] = {"games": 16, "rounds": 3, "iterations": 24}
        assert train(mine, workers=2, client=client, **given) > 0.5


@pytest.mark.parametrize("library", ["torch", "jax.numpy"])
def test_arrays_are_other_libraries_without_a_copy(library: str) -> None:
    """By DLPack: what a step changes is changed there, too."""
    other = pytest.importorskip(library, reason=f"{library} is not installed")
    with gdl.Env(gdl.load("tic-tac-toe"), 64) as env:
        taken = {
            name: other.from_dlpack(array)
            for name, array in env.arrays.items()
            if array.dtype != np.bool_
        }
        env.step(np.full(64, 5, np.int32))
        for name, array in taken.items():
            assert np.array_equal(np.asarray(array), env.arrays[name]), name
