"""The table of commands.

In: a line a command. Out: the application. What then holds: the module of a command, and with it
the language, is loaded when the command is called, and not for a list of commands. To add a
command, write its module in `commands` and add one line here.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import click

from gdl.data_classes import dataclass
from gdl.interpreter.cli.completion import install_script, show_script
from gdl.interpreter.cli.declarations import HelpContext, command_of
from gdl.interpreter.cli.output import INTERRUPTED
from gdl.visible import visible_line


@dataclass(frozen=True)
class Command:
    """A command: its name, what it does, an example of its use, and its function.

    `summary` is the first paragraph of the function's docstring. The function has the command's
    name, or that in `function`, and stands in the module of the command's name. A command that
    neither loads nor plays a game has no budget.
    """

    name: str
    summary: str
    example: str
    function: str = ""
    takes_budget: bool = True

    def load(self) -> Callable[..., None]:
        """Return the function, imported now."""
        module = import_module(f"gdl.interpreter.cli.commands.{self.name}")
        loaded: Callable[..., None] = getattr(module, self.function or self.name)
        return loaded


COMMANDS = (
    Command("list", "List the shipped games.", "gdl list --json", "list_games", takes_budget=False),
    Command(
        "about",
        "Tell a game in words: rules, goals, options, variants.",
        "gdl about GAME --variant NAME",
    ),
    Command(
        "init",
        "Write a small game to change into your own.",
        "gdl init my-game.yaml",
        takes_budget=False,
    ),
    Command(
        "play",
        "Play in the terminal. Type `help` there for what else can be typed.",
        "gdl play GAME --seat 2=engine:3 --option size=9",
    ),
    Command("watch", "Watch sides that play by themselves.", "gdl watch GAME --seat 1=engine:8"),
    Command(
        "replay",
        "Step through a saved game; moves there begin variations.",
        "gdl replay SAVE",
    ),
    Command("new", "Begin a game by correspondence.", "gdl new GAME -o SAVE --seat 1=me"),
    Command("move", "Make a move in a game by correspondence.", "gdl move SAVE b2"),
    Command(
        "key",
        "Make or show the key that signs your moves by correspondence.",
        "gdl key --name Ann",
        takes_budget=False,
    ),
    Command("show", "Draw a position.", 'gdl show GAME --after "b2, c3"'),
    Command("moves", "List the legal moves, one a line.", 'gdl moves GAME --after "b2, c3" --json'),
    Command(
        "why",
        "Tell why a move is legal or not, or how the game stands.",
        'gdl why GAME --after "b2, c3" c3',
    ),
    Command(
        "diff",
        "Tell the shortest game that shows where two sets of rules differ.",
        "gdl diff GAME --other-variant NAME",
        "differ",
    ),
    Command(
        "trace",
        "Play recorded games, and tell where the rules disagree.",
        "gdl trace GAME games.txt",
    ),
    Command("check", "Check files of games.", "gdl check my-game.yaml"),
    Command(
        "explain",
        "Explain the code of a diagnostic.",
        "gdl explain never-wins",
        takes_budget=False,
    ),
    Command(
        "report",
        "Write a report of a game, to be read or printed.",
        "gdl report GAME -o report.html",
    ),
    Command(
        "page",
        "Write a game as a page that plays it.",
        "gdl page GAME -o game.html",
    ),
    Command(
        "serve",
        "Serve pages of games that follow their files.",
        "gdl serve my-game.yaml",
    ),
    Command("test", "Run the examples of games.", "gdl test my-game.yaml"),
    Command(
        "verify",
        "Hold native code, or WebAssembly, against the reference.",
        "gdl verify my-game.yaml -n 50",
    ),
    Command(
        "analyse",
        "Search for the best moves of a position.",
        'gdl analyse GAME --after "b2, c3" --seconds 5',
    ),
    Command(
        "solve",
        "Solve a position: who wins if both play perfectly.",
        "gdl solve GAME --option size=3",
    ),
    Command(
        "tune",
        "Learn by play what is worth something, for the engine.",
        "gdl tune my-game.yaml --seconds 600",
    ),
    Command(
        "match",
        "Play a match: seats are exchanged, openings vary with the seed.",
        "gdl match GAME engine:3 greedy -n 200",
    ),
    Command("perft", "Count the sequences of moves.", "gdl perft GAME 3"),
    Command("playout", "Play random games.", "gdl playout GAME -n 100 --seed 1"),
    Command(
        "compile",
        "Print what a game's rules become.",
        "gdl compile GAME --emit llvm",
        "compile_game",
    ),
    Command("graph", "Write the board as a graph.", "gdl graph GAME --format dot"),
)


def _show_version(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if not asked or context.resilient_parsing:
        return
    from importlib.metadata import PackageNotFoundError, version

    try:
        told = version("gdl")
    except PackageNotFoundError:
        told = "unknown"
    click.echo(f"gdl {told}")
    context.exit()


class _Commands(click.Group):
    """The commands: each stands there by its name and summary until it is called."""

    context_class = HelpContext

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)

    def make_context(self, *args: Any, **more: Any) -> click.Context:
        with _visible_mistakes():
            return super().make_context(*args, **more)

    def invoke(self, ctx: click.Context) -> Any:
        with _visible_mistakes():
            return super().invoke(ctx)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name, _, rest = super().resolve_command(ctx, args)
        for command in COMMANDS:
            if command.name == name:
                return name, _called(command), rest
        raise click.UsageError("No such command.", ctx)  # only where Tab is pressed after it


@contextlib.contextmanager
def _visible_mistakes() -> Iterator[None]:
    """Let the message of a wrong command line show all characters of what was typed.

    An interrupt while a command is loaded ends it as one of its own.
    """
    try:
        yield
    except click.exceptions.NoArgsIsHelpError:
        raise  # the whole help comes of it, in which nothing is that was typed
    except click.UsageError as error:
        found: Any = error  # click takes its message for final
        found.message = visible_line(error.message)
        raise
    except KeyboardInterrupt:
        raise click.exceptions.Exit(INTERRUPTED) from None


def _called(command: Command) -> click.Command:
    """Return a command with its parameters, as click runs it."""
    from gdl.interpreter.cli.failures import guarded
    from gdl.interpreter.cli.parameters import ungrouped

    whole = guarded(ungrouped(command.load(), takes_budget=command.takes_budget))
    return command_of(whole, command.name, f"Example: {command.example}")


def make_app() -> click.Group:
    """Return the application with all commands."""

    def asks(name: str, does: Callable[..., None], told: str) -> click.Option:
        return click.Option(
            [name], is_flag=True, expose_value=False, is_eager=True, callback=does, help=told
        )

    return _Commands(
        "gdl",
        help="""Play, examine and check board games that are written as YAML files.

        A GAME is the name of a shipped game (see `gdl list`) or the path of a file.
        """,
        params=[
            asks("--version", _show_version, "Print the version."),
            asks(
                "--install-completion",
                install_script,
                "Install completion for the current shell.",
            ),
            asks(
                "--show-completion",
                show_script,
                "Show completion for the current shell, to copy it or customize the installation.",
            ),
        ],
        epilog="Exit status: 0 if all is well, 1 if something was found, 2 after wrong use or if"
        " nothing could be printed, 3 if too little was looked at, 70 if the program itself is at"
        " fault, 130 after an interrupt.",
        commands=[click.Command(command.name, help=command.summary) for command in COMMANDS],
        context_settings={"help_option_names": ["-h", "--help"]},
    )
