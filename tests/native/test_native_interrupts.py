"""Interrupts may come between any two steps of Python's: nothing waits for ever afterwards."""

from __future__ import annotations

import random
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

import pytest

from gdl.interpreter.evaluation.chance import Chance
from gdl.interpreter.native.runtime import threads
from gdl.interpreter.native.runtime.compiled import Users
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.verify.deadline import TimeUp, limited
from gdl.load import load_game

pytestmark = pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")


class Interrupt(BaseException):
    """What a signal brings about here."""


@pytest.fixture
def interrupts() -> Iterator[random.Random]:
    """Let a signal be an interrupt; gives what draws when it comes."""

    def interrupt(number: int, frame: FrameType | None) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    yield random.Random(1)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


class NoWorld:
    """A world in which nothing is native."""

    def __init__(self) -> None:
        self.is_stopped = threading.Event()

    def stop(self) -> None:
        """Note that what runs is to end."""
        self.is_stopped.set()

    def go_on(self) -> None:
        """Do nothing: it is used once."""


def within(seconds: float, function: Callable[[], None]) -> bool:
    """Return whether a function ends within some seconds, in a thread of its own."""
    thread = threading.Thread(target=function, daemon=True)
    thread.start()
    thread.join(seconds)
    return not thread.is_alive()


def test_code_can_be_freed_after_an_interrupt_in_a_call(interrupts: random.Random) -> None:
    for _ in range(500):
        users = Users()
        with pytest.raises(Interrupt):
            signal.setitimer(signal.ITIMER_REAL, interrupts.uniform(1e-6, 3e-5))
            while True:
                users.call(int)
        assert within(60, users.end)
        with pytest.raises(RuntimeError, match="freed"):
            users.call(int)


def test_no_task_goes_on_after_an_interrupt(interrupts: random.Random) -> None:
    for _ in range(500):
        world, at_work = NoWorld(), list[int]()

        def task(world: NoWorld, at_work: list[int] = at_work) -> None:
            at_work.append(1)
            world.is_stopped.wait(60)
            at_work.pop()

        with pytest.raises(Interrupt):
            signal.setitimer(signal.ITIMER_REAL, interrupts.uniform(1e-6, 3e-4))
            threads.run([(world, task)], 1 << 20)  # type: ignore[list-item]
        assert not at_work


@pytest.mark.at_night("connect-four")
@pytest.mark.parametrize("name", ["tic-tac-toe", "connect-four"])
def test_rules_are_the_same_after_interrupts(name: str) -> None:
    """Such as come while native code is compiled, called in threads or without, or freed."""
    chance, game = random.Random(1), load_game(name)
    usual = NativeRules(game)
    start = usual.start()
    moves, played = usual.legal(start), usual.playout(start, Chance(5), 100)
    for _ in range(3):
        rules = NativeRules(game)
        for _ in range(100):
            with pytest.raises(TimeUp), limited(chance.uniform(2e-5, 3e-3)):
                while True:
                    rules.legal(rules.apply(start, moves[0]))
                    rules.playout(start, Chance(chance.randrange(99)), 100)
                    rules.playouts(start, 20, 1, 100)
            assert rules.legal(start) == moves
            assert rules.playout(start, Chance(5), 100) == played
            assert rules.playouts(start, 20, 1, 100).playouts == 20
        rules.close()
