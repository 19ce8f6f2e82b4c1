"""`--budget`: what a turn, and a whole command, may take."""

import json
import resource
import signal
from pathlib import Path

import click
import pytest
from click.testing import Result
from command_line import gdl

from gdl.interpreter.cli.parameters import read_budget
from gdl.interpreter.cli.process_limits import Overspent, limited_by
from gdl.resources.budget import Budget

ENDLESS = ("playout", "hex", "-n", 100_000_000)


def code_of(ran: Result) -> str:
    code: str = json.loads(ran.stdout)["diagnostics"][0]["code"]
    return code


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("10x", Budget(10)),
        ("None", Budget(None)),
        ("0.5X, seconds=5", Budget(0.5, seconds=5)),
        ("statements=1e7", Budget(statements=10_000_000)),
        ("memory=2G,none", Budget(None, memory=2_000_000_000)),
        ("memory=512MB", Budget(memory=512_000_000)),
    ],
)
def test_limits_are_read(text: str, meant: Budget) -> None:
    assert read_budget(text) == meant


@pytest.mark.parametrize(
    "text", ["", "0x", "x", "seconds", "seconds=0", "memory=2", "2x,3x", "2x,"]
)
def test_what_is_no_limit_is_refused(text: str) -> None:
    with pytest.raises(click.BadParameter):
        read_budget(text)


@pytest.mark.parametrize("backend", ["reference", "native"])
def test_a_command_ends_when_its_seconds_are_over(backend: str) -> None:
    ran = gdl(*ENDLESS, "--backend", backend, "--json", "--budget", "seconds=0.3")
    assert ran.exit_code == 2 and code_of(ran) == "out-of-time"


def test_a_command_ends_when_its_memory_is_used_up() -> None:
    ran = gdl(*ENDLESS, "--json", "--budget", "memory=1M")
    assert ran.exit_code == 2 and code_of(ran) == "out-of-memory"
    assert "`--budget memory=2M`" in json.loads(ran.stdout)["diagnostics"][0]["hint"]


def test_memory_that_is_asked_for_at_once_is_refused() -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    with pytest.raises(Overspent, match="out-of-memory"), limited_by(Budget(memory=1_000_000_000)):
        bytearray(50_000_000_000)
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


def test_nothing_is_watched_behind_it() -> None:
    before = signal.getsignal(signal.SIGPROF)
    with limited_by(Budget(seconds=100)):
        assert signal.getitimer(signal.ITIMER_PROF)[0] > 0
    assert signal.getitimer(signal.ITIMER_PROF)[0] == 0
    assert signal.getsignal(signal.SIGPROF) is before


@pytest.mark.parametrize("backend", ["reference", "native"])
def test_a_turn_ends_after_so_many_statements(backend: str, tmp_path: Path) -> None:
    file = tmp_path / "rounds.yaml"
    file.write_text(
        "game: Rounds\nplayers: A, B\nboard: square(3, 3)\nstate: {n: number, z: number = 700}\n"
        "turn: |\n  choose s in empty\n  for each i in 1..z\n    for each j in 1..z\n"
        "      set n = j\n  require n > 0\n  place Stone at s\nend: draw when full\n"
    )
    command = ("playout", file, "-n", 1, "--max-plies", 1, "--backend", backend, "--json")
    ran = gdl(*command, "--budget", "statements=1e5")
    assert ran.exit_code == 1 and code_of(ran) == "too-much-work"
    assert gdl(*command, "--budget", "statements=1e7").exit_code == 0
