"""Arguments that are read without typer: always as typer reads them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer

from interpreter.cli.parameters import ungrouped
from interpreter.cli.plain_arguments import plain_arguments
from interpreter.cli.registry import COMMANDS, Command, run_plain
from tests.doc_pages import DOCS, ROOT, blocks, commands

VALUES = (
    *("x", "", " ", "0", "5", "-1", "1.5", "1e3", "1_000", " 5", "0x10", "+5", "nan", "٣", "5.0"),
    *("99999999999999999999", "light", "LIGHT", "reference", "none", "10x", "size=3", "-", "--"),
)
BY_NAME = {command.name: command for command in COMMANDS}


def whole(command: Command) -> Callable[..., None]:
    return ungrouped(command.load(), takes_budget=command.takes_budget)


def reader(command: Callable[..., None]) -> Callable[[Sequence[str]], dict[str, Any] | None]:
    """Return how typer reads what is typed: the arguments of its call, or None without one."""
    given: dict[str, Any] = {}

    def recorded(**arguments: Any) -> None:
        given.update(arguments)

    stand_in: Any = recorded
    stand_in.__signature__ = signature(command)
    stand_in.__annotations__ = command.__annotations__
    application = typer.Typer(add_completion=False)
    application.command()(stand_in)
    called = typer.main.get_command(application)

    def read(typed: Sequence[str]) -> dict[str, Any] | None:
        given.clear()
        try:
            called(list(typed), standalone_mode=False)
        except (Exception, SystemExit):
            return None
        return dict(given)

    return read


def options(command: Callable[..., None]) -> Iterator[str]:
    """Yield all names of the options of a command."""
    for name, parameter in signature(command).parameters.items():
        info = parameter.annotation.__metadata__[0]
        declared = [o for o in (info.default, *(info.param_decls or ())) if isinstance(o, str)]
        if isinstance(info, typer.models.OptionInfo):
            for one in declared or ["--" + name.replace("_", "-")]:
                yield from one.split("/")
                yield "--no-" + one.removeprefix("--")


def lines(command: Callable[..., None]) -> Iterator[list[str]]:
    """Yield what may be typed after a command's name, well or not."""
    yield from ([], ["hex"], ["hex", "3"], ["hex", "3", "x"], ["hex", "b2", "c2", "d2"])
    for option in options(command):
        for more in ([], ["hex"], ["hex", "3"]):
            yield [*more, option]
            yield [option, *more]
        for value in VALUES:
            yield ["hex", option, value]
            yield ["hex", "3", f"{option}={value}"]
        yield [option, "2", "hex", option, "3", "4"]
        yield ["hex", f"{option}3"]
        yield ["hex", "3", option[:-1], "3"]


@pytest.mark.parametrize("name", BY_NAME)
def test_what_is_read_is_what_typer_reads(name: str) -> None:
    command = whole(BY_NAME[name])
    by_typer = reader(command)
    read = 0
    for typed in lines(command):
        found = plain_arguments(command, typed)
        if found is not None:
            read += 1
            assert repr(found) == repr(by_typer(typed)), typed
    assert read


def shown() -> Iterator[list[str]]:
    """Yield the commands of all pages, up to where their output goes."""
    for page in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted(DOCS.glob("*.md"))):
        for block in blocks(page):
            for command in commands(block, page.name) if block.language == "console" else ():
                words = shlex.split(re.split(r" (?:\||2?>)", command.line)[0])
                if words[0] == "gdl" and len(words) > 1 and words[1] in BY_NAME:
                    yield words[1:]


def test_what_the_pages_show_is_read_without_typer() -> None:
    found = list(shown())
    assert len(found) > 50
    for name, *typed in found:
        command = whole(BY_NAME[name])
        read = plain_arguments(command, typed)
        assert read is not None, (name, typed)
        assert repr(read) == repr(reader(command)(typed)), (name, typed)


def test_typer_reads_what_is_unknown_here() -> None:
    def asks(size: Annotated[int, typer.Option(envvar="SIZE")] = 3) -> None: ...

    def counts(size: Annotated[int, typer.Option("-v", count=True)] = 0) -> None: ...

    def plain(size: Annotated[int, typer.Option("-v")] = 0) -> None: ...

    for function in (asks, counts, plain):
        function.__annotations__ = {"size": function.__annotations__["size"]}
    kinds = [ungrouped(one, takes_budget=False) for one in (asks, counts, plain)]
    assert [plain_arguments(kind, []) for kind in kinds] == [None, None, {"size": 0}]


@pytest.mark.parametrize(
    "typed", [[], ["--help"], ["--version"], ["nonsense"], ["check"], ["check", "--help"]]
)
def test_what_asks_for_help_is_left_to_typer(typed: list[str]) -> None:
    assert run_plain(typed) is None


def test_a_shell_that_completes_is_answered_by_typer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("_GDL_COMPLETE", "complete_bash")
    assert run_plain(["list"]) is None


def test_the_status_is_that_of_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "faulty.yaml"
    file.write_text("game: Faulty\nplayers: A, B\n")
    assert run_plain(["check", "--no-play", str(file)]) == 1
    assert run_plain(["check", "nowhere.yaml"]) == 2
    assert run_plain(["explain", "never-wins"]) == 0
    assert "never-wins" in capsys.readouterr().out
