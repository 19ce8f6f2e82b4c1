"""The table of commands.

In: a module a command. Out: the application. To add a command, write its module in `commands`
and add one line here.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

import typer

from interpreter.cli.commands.about import about
from interpreter.cli.commands.check import check
from interpreter.cli.commands.graph import graph
from interpreter.cli.commands.init import init
from interpreter.cli.commands.list import list_games
from interpreter.cli.commands.move import move
from interpreter.cli.commands.moves import moves
from interpreter.cli.commands.new import new
from interpreter.cli.commands.perft import perft
from interpreter.cli.commands.play import play
from interpreter.cli.commands.playout import playout
from interpreter.cli.commands.show import show
from interpreter.cli.commands.test import test
from interpreter.cli.failures import guarded


@dataclass(frozen=True)
class Command:
    """A command: its name, its function, an example of its use."""

    name: str
    function: Callable[..., Any]
    example: str


COMMANDS = (
    Command("list", list_games, "gdl list --json"),
    Command("about", about, "gdl about GAME --variant NAME"),
    Command("init", init, "gdl init my-game.yaml"),
    Command("play", play, "gdl play GAME --seat 2=greedy --option size=9"),
    Command("new", new, "gdl new GAME -o SAVE"),
    Command("move", move, "gdl move SAVE b2"),
    Command("show", show, 'gdl show GAME --after "b2, c3"'),
    Command("moves", moves, 'gdl moves GAME --after "b2, c3" --json'),
    Command("check", check, "gdl check my-game.yaml"),
    Command("test", test, "gdl test my-game.yaml"),
    Command("perft", perft, "gdl perft GAME 3"),
    Command("playout", playout, "gdl playout GAME -n 100 --seed 1"),
    Command("graph", graph, "gdl graph GAME --format dot"),
)


def _version() -> str:
    try:
        return version("gdl")
    except PackageNotFoundError:
        return "unknown"


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"gdl {_version()}")
        raise typer.Exit


def _begin(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Play, examine and check board games that are written as YAML files.

    A GAME is the name of a shipped game (see `gdl list`) or the path of a file.
    """


def make_app() -> typer.Typer:
    """Return the application with all commands; help is plain text unless on a terminal."""
    app = typer.Typer(
        name="gdl",
        no_args_is_help=True,
        rich_markup_mode="rich" if sys.stdout.isatty() else None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_begin)
    for command in COMMANDS:
        app.command(command.name, epilog=f"Example: {command.example}")(guarded(command.function))
    return app
