"""Data classes of the project, made later than the standard library makes its own, do the same."""

from __future__ import annotations

import copy
import dataclasses
import importlib
import pickle
import pkgutil
import re
import subprocess
import sys
from dataclasses import FrozenInstanceError, field
from pathlib import Path
from typing import Any

import pytest

import gdl
from gdl import interpreter
from gdl.data_classes import dataclass

ROOT = Path(__file__).parents[2]


def _made(by: Any) -> dict[str, Any]:
    """Return classes that use all there is, made by a decorator."""

    @by(frozen=True)
    class Place:
        name: str
        hidden: int = field(default=7, repr=False, compare=False)
        parts: list[int] = field(default_factory=list, kw_only=True, hash=False)

    @by(frozen=True)
    class Corner(Place):
        angle: float = 0.5
        twice: float = field(init=False)

        def __post_init__(self) -> None:
            self.__dict__["twice"] = 2 * self.angle

    @by
    class Open:
        value: int
        also: list[int] = field(default_factory=list)
        made: list[int] = field(default_factory=lambda: [1], init=False)
        name: str = field(default="none", init=False)

    @by(frozen=True, eq=False)
    class Alone:
        value: int

    @by(frozen=True)
    class Own:
        value: int

        def __hash__(self) -> int:
            return 3

        def __repr__(self) -> str:
            return "mine"

    @by(frozen=True)
    class Nothing:
        pass

    return {one.__name__: one for one in (Place, Corner, Open, Alone, Own, Nothing)}


@pytest.mark.parametrize(
    "text",
    [
        "Place('a')",
        "Place('a', 3, parts=[1])",
        "Place(name='a', parts=[2]).parts",
        "Place('a') == Place('a', 8)",
        "Place('a') == Place('b')",
        "Place('a') == Corner('a')",
        "Place('a') != 3",
        "hash(Place('a', 1, parts=[1])) == hash(Place('a', 2))",
        "Corner('a', 4, 0.25).twice",
        "Corner('a', angle=0.25)",
        "Corner('a') == replace(Corner('b', angle=0.5), name='a')",
        "replace(Place('a'), hidden=9).hidden",
        "[one.name for one in fields(Corner)]",
        "Corner.__match_args__",
        "Open(1)",
        "Open(1).also is Open(1).also",
        "Open(1) == Open(1)",
        "Open.__hash__",
        "Open(2, [3]).made",
        "asdict(Open(2, [3]))",
        "len({Alone(1), Alone(1)})",
        "hash(Own(1))",
        "Own(1) == Own(1)",
        "[Own(1)]",
        "Nothing() == Nothing()",
        "{Nothing()}",
        "copy.copy(Place('a')) == Place('a')",
        "copy.deepcopy(Corner('a', parts=[1]))",
        "object.__new__(Place).hidden",
        "is_dataclass(Place('a'))",
    ],
)
def test_they_do_what_those_of_the_standard_library_do(text: str) -> None:
    told = [
        repr(eval(text, {**vars(dataclasses), "copy": copy, **_made(by)}))
        for by in (dataclass, dataclasses.dataclass)
    ]
    assert told[0] == told[1]


@pytest.mark.parametrize(
    "text", ["Place()", "Place('a', 1, [2])", "Open(1, made=[2])", "Nothing(1)"]
)
def test_they_refuse_what_those_do(text: str) -> None:
    said = []
    for by in (dataclass, dataclasses.dataclass):
        with pytest.raises(TypeError) as error:
            eval(text, _made(by))
        said.append(str(error.value))
    assert said[0] == said[1]


def test_what_is_frozen_stays_as_it_is() -> None:
    place = _made(dataclass)["Place"]("a")
    with pytest.raises(FrozenInstanceError, match="cannot assign to field 'name'"):
        place.name = "b"
    with pytest.raises(FrozenInstanceError, match="cannot delete field 'name'"):
        del place.name
    assert place.name == "a"


@dataclass(frozen=True)
class Sent:
    """Can be sent to another process."""

    value: int
    again: str = "x"


def test_what_comes_out_of_a_pickle_is_equal_though_none_was_made() -> None:
    data = pickle.dumps(Sent(3))
    asked = f"import pickle; a, b = (pickle.loads({data!r}) for _ in '12'); print(a == b, {{a, b}})"
    done = subprocess.run(
        [sys.executable, "-c", asked],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout == "True {Sent(value=3, again='x')}\n"


def test_each_of_the_project_can_be_made() -> None:
    """A field without a default after one that has some would be found out only when called."""
    found = 0
    for package in (gdl, interpreter):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith("__main__"):
                continue
            for one in vars(importlib.import_module(module.name)).values():
                if dataclasses.is_dataclass(one) and one.__module__ == module.name:
                    make: Any = one
                    with pytest.raises(TypeError):
                        make(no_such_field=1)
                    found += 1
    assert found > 300


def test_no_module_takes_the_slower_ones() -> None:
    """But for those with slots."""
    slower = [
        path
        for package in ("gdl", "interpreter")
        for path in (ROOT / package).rglob("*.py")
        if re.search(r"^from dataclasses import .*\bdataclass\b", text := path.read_text(), re.M)
        and "slots=True" not in text
    ]
    assert slower == []
