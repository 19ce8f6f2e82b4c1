"""What a shell offers where Tab is pressed, and the script that makes it ask.

In: what a shell says in its variables. Out: names to go on with, as that shell takes them.
Where there are none, the shell offers files. The shells' scripts, and what they say and are
answered, are those that typer installs (MIT licence), so that scripts installed earlier still work.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem, ShellComplete, split_arg_string

from gdl.diagnostic import GameError

if TYPE_CHECKING:
    from gdl.model import Game

VARIABLE = "_GDL_COMPLETE"
"""The variable of a shell that asks: `complete_bash`, or `source_bash` for the script itself."""
_LINE, _WORD, _ACTION = (
    f"_TYPER_COMPLETE_{name}" for name in ("ARGS", "WORD_TO_COMPLETE", "FISH_ACTION")
)

_BASH = """\
_gdl_completion() {
    local IFS=$'\\n'
    COMPREPLY=( $( env COMP_WORDS="${COMP_WORDS[*]}" \\
                   COMP_CWORD=$COMP_CWORD \\
                   _GDL_COMPLETE=complete_bash $1 ) )
    return 0
}

complete -o default -F _gdl_completion gdl"""

_ZSH = """\
#compdef gdl

_gdl_completion() {
  eval $(env _TYPER_COMPLETE_ARGS="${words[1,$CURRENT]}" _GDL_COMPLETE=complete_zsh gdl)
}

compdef _gdl_completion gdl"""

_ASK_OF_FISH = (
    "env _GDL_COMPLETE=complete_fish _TYPER_COMPLETE_FISH_ACTION={}"
    " _TYPER_COMPLETE_ARGS=(commandline -cp) gdl"
)
_FISH = (
    f'complete --command gdl --no-files --arguments "({_ASK_OF_FISH.format("get-args")})"'
    f' --condition "{_ASK_OF_FISH.format("is-args")}"'
)

_POWERSHELL = """\
Import-Module PSReadLine
Set-PSReadLineKeyHandler -Chord Tab -Function MenuComplete
$scriptblock = {
    param($wordToComplete, $commandAst, $cursorPosition)
    $Env:_GDL_COMPLETE = "complete_powershell"
    $Env:_TYPER_COMPLETE_ARGS = $commandAst.ToString()
    $Env:_TYPER_COMPLETE_WORD_TO_COMPLETE = $wordToComplete
    gdl | ForEach-Object {
        $commandArray = $_ -Split ":::"
        $command = $commandArray[0]
        $helpString = $commandArray[1]
        [System.Management.Automation.CompletionResult]::new(
            $command, $command, 'ParameterValue', $helpString)
    }
    $Env:_GDL_COMPLETE = ""
    $Env:_TYPER_COMPLETE_ARGS = ""
    $Env:_TYPER_COMPLETE_WORD_TO_COMPLETE = ""
}
Register-ArgumentCompleter -Native -CommandName gdl -ScriptBlock $scriptblock"""

_SCRIPTS = {
    "bash": _BASH,
    "zsh": _ZSH,
    "fish": _FISH,
    "powershell": _POWERSHELL,
    "pwsh": _POWERSHELL,
}


def answer(commands: click.Group, asked: str) -> int:
    """Print what a shell asks for by `VARIABLE`; return the exit status."""
    what, underscore, shell = asked.partition("_")
    if not underscore:
        told = "Invalid completion instruction."
    elif shell not in _SCRIPTS:
        told = f"Shell {shell} not supported."
    elif what == "source":
        click.echo(_SCRIPTS[shell])
        return 0
    elif what == "complete":
        return _answer_line(commands, shell)
    else:
        told = f'Completion instruction "{what}" not supported.'
    click.echo(told, err=True)
    return 1


def _answer_line(commands: click.Group, shell: str) -> int:
    try:
        typed, begun = _typed(shell)
        found = ShellComplete(commands, {}, "gdl", VARIABLE).get_completions(typed, begun)
    except (click.ClickException, GameError, OSError):
        found, begun = [], ""  # what is wrong is told when the line is entered
    named = [item for item in found if item.type == "plain"]
    option = re.match("--[^=]*=", begun)
    before = option[0] if option else ""
    known = len(re.sub("[^=:]*$", "", begun)) if shell == "bash" else 0
    for item in named:
        item.value = f"{before}{item.value}"[known:]
    if shell == "fish" and os.environ.get(_ACTION) == "is-args":
        return 0 if named else 1
    shown = "\n".join(_shown(item, shell) for item in named)
    if shell == "zsh":
        shown = f"_arguments '*: :(({shown}))'" if shown else "_files"
    click.echo(shown)
    return 0


def _typed(shell: str) -> tuple[list[str], str]:
    """Return the words before the one that Tab is pressed in, and that word."""
    if shell == "bash":
        words = split_arg_string(os.environ.get("COMP_WORDS", ""))
        number = int(os.environ.get("COMP_CWORD") or len(words))
        *before, begun = _joined([*words[1:number], *(words[number : number + 1] or [""])])
        return before, begun
    line = os.environ.get(_LINE, "")
    words = split_arg_string(line)[1:]
    if shell in ("powershell", "pwsh"):
        begun = os.environ.get(_WORD, "")
        return words[:-1] if begun else words, begun
    if words and not line.endswith(" "):
        return words[:-1], words[-1]
    return words, ""


def _joined(words: list[str]) -> list[str]:
    """Return the words of a line of which bash has made `=` and `:` words of their own.

    >>> _joined(["play", "--seat", "2", "=", "engine", ":", "3", ""])
    ['play', '--seat', '2=engine:3', '']
    """
    found: list[str] = []
    for word in words:
        if found and word and (word.strip("=:") == "" or found[-1][-1] in "=:"):
            found[-1] += word
        else:
            found.append(word)
    return found


def _shown(item: CompletionItem[str], shell: str) -> str:
    told = " ".join((item.help or "").split())
    if shell == "zsh":
        name = f'"{_escaped(item.value)}"'
        return f'{name}:"{_escaped(told)}"' if told else name
    if shell == "fish":
        return f"{item.value}\t{told}" if told else item.value
    if shell == "bash":
        return re.sub(r"([^\w@%+=:,./-])", r"\\\1", item.value)
    return f"{item.value}:::{told or ' '}"


def _escaped(text: str) -> str:
    """Return a text as it stands in quotation marks in a specification of zsh."""
    for char, written in (
        ('"', '""'),
        ("'", "''"),
        ("$", "\\$"),
        ("`", "\\`"),
        (":", r"\\:"),
    ):
        text = text.replace(char, written)
    return text


# -------------------------------------------------- values that are offered, for a game if need be

_MOST_VALUES = 25
_STRENGTHS = ("engine", *(f"engine:{level}" for level in range(1, 11)))
_PLAYERS = {"human": "", "random": "", "greedy": "", **dict.fromkeys(_STRENGTHS, "")}


def games(game: str) -> Mapping[str, str]:
    """Return the names of the shipped games."""
    from gdl.load import shipped_names

    return dict.fromkeys(shipped_names(), "")


def families(game: str) -> Mapping[str, str]:
    """Return the families of the shipped games."""
    from gdl.interpreter.library.catalogue import catalogue

    return dict.fromkeys(sorted({entry.family for entry in catalogue()}), "")


def codes(game: str) -> Mapping[str, str]:
    """Return the codes of diagnostics."""
    from gdl.interpreter.library.diagnostics import explained_codes

    return dict.fromkeys(explained_codes(), "")


def variants(game: str) -> Mapping[str, str]:
    """Return the variants of a game. Raises GameError, OSError."""
    return _loaded(game).all_variants if game else {}


def options(game: str) -> Mapping[str, str]:
    """Return the options of a game with their values, or alone where these are very many.

    Raises GameError, OSError.
    """
    offered: dict[str, str] = {}
    for option in _loaded(game).options if game else ():
        values = option.values(_MOST_VALUES)
        offered |= {f"{option.name}={value}": option.about for value in values or ("",)}
    return offered


def examples(game: str) -> Mapping[str, str]:
    """Return the names of a game's examples. Raises GameError, OSError."""
    from gdl.document.nodes import Scalar

    names = [one.get("name") for one in _loaded(game).examples] if game else []
    return {name.text: "" for name in names if isinstance(name, Scalar)}


def sides(game: str) -> Mapping[str, str]:
    """Return the sides of a game. Raises GameError, OSError."""
    return dict.fromkeys(_loaded(game).sides if game else (), "")


def players(game: str) -> Mapping[str, str]:
    """Return the kinds of players."""
    return _PLAYERS


def seats(game: str) -> Mapping[str, str]:
    """Return the seats of a game, each with the kinds of players. Raises GameError, OSError."""
    numbered = enumerate(_loaded(game).sides if game else (), start=1)
    return {f"{seat}={kind}": side for seat, side in numbered for kind in _PLAYERS}


def _loaded(game: str) -> Game:
    from gdl.interpreter.sessions.saves import is_saved_game, read_record
    from gdl.load import load_game

    return load_game(read_record(game).game if is_saved_game(game) else game)


# ----------------------------------------------------------------- the scripts that make shells ask


def show_script(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    """Print the script of the shell that the program was called from, and exit, if asked to."""
    if not asked or context.resilient_parsing:
        return
    shell = _own_shell()
    if shell not in _SCRIPTS:
        click.echo(f"Shell {shell} not supported.", err=True)
        context.exit(1)
    click.echo(_SCRIPTS[shell])
    context.exit()


def install_script(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    """Have the shell that the program was called from read its script, and exit, if asked to."""
    if not asked or context.resilient_parsing:
        return
    shell = _own_shell()
    installed = {"bash": _for_bash, "zsh": _for_zsh, "fish": _for_fish}
    if shell not in _SCRIPTS:
        click.echo(f"Shell {shell} is not supported.")
        context.exit(1)
    path = installed[shell]() if shell in installed else _for_powershell(shell)
    click.secho(f"{shell} completion installed in {path}", fg="green")
    click.echo("Completion will take effect once you restart the terminal")
    context.exit()


def _own_shell() -> str:
    """Return the name of the shell that called the program; nothing if there is none."""
    import shellingham

    try:
        name: str = shellingham.detect_shell()[0]
    except shellingham.ShellDetectionFailure:
        return ""
    return name


def _for_bash() -> Path:
    path = Path.home() / ".bash_completions" / "gdl.sh"
    _add_line(Path.home() / ".bashrc", f"source '{path}'")
    return _written(path, _BASH)


def _for_zsh() -> Path:
    start = Path.home() / ".zshrc"
    _add_line(start, "fpath+=~/.zfunc; autoload -Uz compinit; compinit")
    if "zstyle" not in start.read_text():
        _add_line(start, "zstyle ':completion:*' menu select")
    return _written(Path.home() / ".zfunc" / "_gdl", _ZSH)


def _for_fish() -> Path:
    return _written(Path.home() / ".config" / "fish" / "completions" / "gdl.fish", f"{_FISH}\n")


def _for_powershell(shell: str) -> Path:
    import subprocess

    policy = "Set-ExecutionPolicy Unrestricted -Scope CurrentUser"
    subprocess.run([shell, "-Command", *policy.split()])
    asked = [shell, "-NoProfile", "-Command", "echo", "$profile"]
    told = subprocess.run(asked, check=True, stdout=subprocess.PIPE).stdout
    path = Path(told.decode(sys.stdout.encoding or "utf-8", "replace").strip())
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as profile:
        profile.write(f"{_POWERSHELL}\n")
    return path


def _add_line(path: Path, line: str) -> None:
    """Add a line to a file of a shell, unless it stands there already."""
    text = path.read_text() if path.is_file() else ""
    if line not in text:
        path.write_text(f"{text.rstrip()}\n{line}\n".lstrip("\n"))


def _written(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path
