"""Room for calls: deep calls do not ask for memory again and again, and nothing else differs."""

from __future__ import annotations

import resource
from collections.abc import Callable

import pytest

from gdl.resources.deep_recursion import with_room_for_calls

_DEEPEST = 300
_CALLS = 50


def _to_and_fro(left: int = _DEEPEST) -> int:
    """Go some calls deeper many times at each depth, and so often over the end of any piece."""
    for _ in range(_CALLS):
        _deeper(10)
    return 1 + _to_and_fro(left - 1) if left else 0


def _deeper(left: int) -> int:
    return 1 + _deeper(left - 1) if left else 0


def _faults(function: Callable[[], object]) -> int:
    """Return how many pages of memory the process got for the first time in a call."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    function()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


def test_deep_calls_do_not_ask_for_memory_again_and_again() -> None:
    with_room = with_room_for_calls(_to_and_fro)
    with_room()
    _to_and_fro()
    assert _faults(with_room) * 2 < _faults(_to_and_fro)


def test_such_a_call_within_another_has_room_too() -> None:
    within = with_room_for_calls(_to_and_fro)
    outside = with_room_for_calls(within)
    outside()
    assert _faults(outside) * 2 < _faults(_to_and_fro)


def test_what_a_function_takes_gives_and_raises_is_as_it_was() -> None:
    @with_room_for_calls
    def halved(number: int, *, of: int = 0) -> float:
        """Halve a number."""
        return number / of

    assert halved(4, of=2) == 2
    assert halved.__doc__ == "Halve a number."
    with pytest.raises(ZeroDivisionError):
        halved(1)
