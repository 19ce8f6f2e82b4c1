"""The program as a process: pipes, terminals, interrupts, encodings."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from gdl import interpreter

ROOT = Path(__file__).parents[2]
COMMAND = (sys.executable, "-m", "gdl.interpreter.cli")


def environment(**more: str) -> dict[str, str]:
    usual = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    return usual | {"PYTHONPATH": str(ROOT), "TERM": "xterm-256color"} | more


def on_a_terminal(*arguments: str, status: int = 0, **more: str) -> str:
    """Return what the program writes to a terminal that is its stdin, stdout and stderr.

    It ends with this exit status; `more` are variables of its environment.
    """
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        (*COMMAND, *arguments), stdin=theirs, stdout=theirs, stderr=theirs, env=environment(**more)
    )
    os.close(theirs)
    found = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:
            break
        if not part:
            break
        found += part
    os.close(ours)
    assert process.wait(60) == status
    return found.decode()


def test_colours_are_for_terminals() -> None:
    arguments = ("show", "hex", "--option", "size=3", "--after", "b2")
    assert "48;2;" in on_a_terminal(*arguments, COLORTERM="truecolor")
    assert "48;5;" in on_a_terminal(*arguments, COLORTERM="")
    assert "\x1b[" not in on_a_terminal(*arguments, NO_COLOR="1")
    piped = subprocess.run((*COMMAND, *arguments), env=environment(), capture_output=True)
    assert piped.returncode == 0 and b"\x1b" not in piped.stdout and piped.stderr == b""


def test_an_interrupt_ends_cleanly() -> None:
    process = subprocess.Popen(
        (*COMMAND, "play", "hex"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(PYTHONUNBUFFERED="1"),
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"Traceback" not in errors


def test_a_pipe_that_is_closed_early_is_no_error() -> None:
    process = subprocess.Popen(
        (*COMMAND, "graph", "hex"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    assert process.stderr.read() == b""
    assert process.wait(60) == 0


def test_a_stream_without_unicode_gets_ascii() -> None:
    shown = subprocess.run(
        (*COMMAND, "show", "hex", "--option", "size=3"),
        env=environment(PYTHONIOENCODING="ascii"),
        capture_output=True,
    )
    assert shown.returncode == 0 and shown.stdout.isascii() and b"?" not in shown.stdout


# --------------------------------------------------------------- what is loaded, and when

HEAVY = (
    "gdl.elaborate",
    "gdl.syntax",
    "gdl.interpreter.positions.position",
    "lark",
    "llvmlite",
    "networkx",
    "rich",
    "yaml",
)


def loaded_by(*arguments: str) -> set[str]:
    """Return which of the heavy modules a command loads, besides those that click does."""
    program = (
        "import sys, click; before = set(sys.modules); from gdl.interpreter.cli import main\n"
        "try:\n    main()\nfinally:\n    print(*set(sys.modules) - before, file=sys.stderr)"
    )
    done = subprocess.run(
        (sys.executable, "-c", program, *arguments),
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    names = done.stderr.split()
    assert "gdl.interpreter.cli.registry" in names
    return {heavy for heavy in HEAVY if any(f"{name}.".startswith(f"{heavy}.") for name in names)}


def test_what_is_typed_in_another_encoding_is_told() -> None:
    done = subprocess.run(
        (*COMMAND, "play", "tic-tac-toe"),
        input=b"\xff\na1\nquit\n",
        capture_output=True,
        env=environment(PYTHONIOENCODING="utf-8:strict"),
    )
    assert done.returncode == 0 and b"internal-error" not in done.stderr
    assert "`\ufffd` is neither a site" in (done.stdout + done.stderr).decode()


def test_a_list_of_commands_does_not_load_the_language() -> None:
    assert loaded_by("--help") == set()
    assert loaded_by("--version") == set()


def test_the_names_of_the_package_are_there_when_asked_for() -> None:
    assert all(getattr(interpreter, name).__name__ == name for name in interpreter.__all__)
    assert not hasattr(interpreter, "nonsense")


def test_a_count_of_moves_does_not_load_what_draws_and_exports() -> None:
    assert loaded_by("perft", "tic-tac-toe", "1") == set(HEAVY) - {"networkx", "rich"}
    by_reference = loaded_by("perft", "tic-tac-toe", "1", "--backend", "reference")
    assert by_reference == set(HEAVY) - {"llvmlite", "networkx", "rich"}


# ------------------------------------------- streams that are full, closed, or not read


def in_a_shell(folder: Path, command: str) -> subprocess.CompletedProcess[bytes]:
    """Run a line of a shell in which `gdl` is the program."""
    begin = (
        f'gdl() {{ {sys.executable} -m gdl.interpreter.cli "$@"; }}; set -o pipefail; cd {folder}; '
    )
    return subprocess.run(
        ("bash", "-c", begin + command), env=environment(), capture_output=True, timeout=120
    )


FULL, CLOSED = b"No space left on device.", b"Bad file descriptor."


@pytest.mark.at_night("head", "play hex")
@pytest.mark.parametrize(
    ("command", "status", "told"),
    [
        ("gdl show hex --json >/dev/full", 2, FULL),
        ("gdl list >/dev/full", 2, FULL),
        ("gdl --help >/dev/full", 2, FULL),
        ("gdl show --help >/dev/full", 2, FULL),
        ("gdl --version >/dev/full", 2, FULL),
        ("gdl show no-such-game --json >/dev/full", 2, FULL),
        ("echo quit | gdl play hex >/dev/full", 2, FULL),
        ("gdl show hex >&-", 2, CLOSED),
        ("gdl show hex >&- 2>&-", 2, b""),
        ("gdl moves hex >&- 2>/dev/full", 2, b""),
        ("gdl moves hex --option size=2 2>/dev/full", 0, b""),
        ("gdl moves hex --option size=2 2>&-", 0, b""),
        ("gdl show no-such-game 2>/dev/full", 2, b""),
        ("gdl show no-such-game 2>&-", 2, b""),
        ("gdl show --no-such-option 2>/dev/full", 2, b""),
        ("gdl graph hex | head -1", 0, b""),
        ("gdl moves hex 2>/dev/null | head -1", 0, b""),
        ("gdl play hex <&-", 0, b""),
    ],
)
def test_a_stream_that_takes_nothing_is_told(
    tmp_path: Path, command: str, status: int, told: bytes
) -> None:
    done = in_a_shell(tmp_path, command)
    assert done.returncode == status, done.stderr
    assert told in done.stderr if told else done.stderr == b""
    assert b"Traceback" not in done.stderr and b"Exception ignored" not in done.stderr
    assert b"internal-error" not in done.stderr


def test_a_move_is_kept_though_nothing_can_be_printed(tmp_path: Path) -> None:
    begun = in_a_shell(tmp_path, "gdl new hex --option size=2 -o save >/dev/full")
    assert begun.returncode == 2 and b"output-lost" in begun.stderr
    for number, text in enumerate(("a1", "b1"), 1):
        in_a_shell(tmp_path, f"gdl move save {text} >&- 2>&-")
        assert (tmp_path / "save").read_text().count("\n- ") == number


def test_a_wrong_command_line_is_shown_with_all_its_characters(tmp_path: Path) -> None:
    for command in (r"gdl show $'--\e[2J'", r"gdl $'sh\e[2J'"):
        done = in_a_shell(tmp_path, command)
        assert done.returncode == 2 and b"\x1b" not in done.stderr and rb"\x1b[2J" in done.stderr


SLOW_TO_IMPORT = (
    *("cryptography", "llvmlite", "networkx", "numpy", "rich.console", "textual"),
    *(
        "gdl.interpreter.native",
        "gdl.interpreter.search",
        "gdl.interpreter.screen",
        "gdl.interpreter.matches",
    ),
)
"""What takes long to import, and commands that only read rules do without."""
READING = """\
import sys
from gdl.interpreter.cli.registry import make_app
make_app()(standalone_mode=False)
print(*sys.modules, file=sys.stderr)
"""


@pytest.mark.parametrize(
    "typed",
    [
        ("check", "--no-play", "hex"),
        ("about", "hex"),
        ("moves", "hex"),
        ("list",),
        ("explain", "never-wins"),
    ],
    ids=" ".join,
)
def test_what_only_reads_rules_imports_nothing_slow(typed: tuple[str, ...]) -> None:
    done = subprocess.run(
        (sys.executable, "-c", READING, *typed), env=environment(), capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    imported = set(done.stderr.split())
    assert "gdl.interpreter.cli.registry" in imported
    assert imported.isdisjoint(SLOW_TO_IMPORT)


# ----------------------------------------------------------------- what Tab offers in a shell


def offered(shell: str, line: str, **more: str) -> str:
    """Return what the program answers a shell in which Tab is pressed at the end of a line."""
    number = len(re.findall(r"(?<!\\) ", line))
    words = {"COMP_WORDS": line, "COMP_CWORD": str(number), "_TYPER_COMPLETE_ARGS": line}
    asked = environment(_GDL_COMPLETE=f"complete_{shell}", **words, **more)
    done = subprocess.run(COMMAND, env=asked, capture_output=True, text=True)
    assert done.stderr == "" and done.returncode == 0
    return done.stdout.rstrip("\n")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "powershell"])
def test_nothing_is_offered_after_a_mistyped_command(shell: str) -> None:
    assert offered(shell, "gdl plya tr") == ("_files" if shell == "zsh" else "")


def test_what_is_offered_goes_on_with_what_is_typed() -> None:
    assert offered("bash", "gdl playo") == "playout"
    assert offered("bash", "gdl show tic-t") == "tic-tac-toe"
    assert offered("bash", "gdl show hex --theme ") == "light\ndark\npaper"
    assert offered("bash", "gdl show hex --position ") == ""
    assert offered("fish", "gdl playo") == "playout\tPlay random games."
    assert offered("zsh", "gdl playo") == '_arguments \'*: :(("playout":"Play random games."))\''
    word = {"_TYPER_COMPLETE_WORD_TO_COMPLETE": "playo"}
    assert offered("powershell", "gdl playo", **word) == "playout:::Play random games."


@pytest.mark.parametrize(
    "line, expected",
    [
        ("gdl explain never-h", ["never-held"]),
        ("gdl list last", ["last\\ move"]),
        ("gdl check tab", ["tablut"]),
        ("gdl match hex engine : 1", ["1", "10"]),
        ("gdl play hex --option pie =", ["yes", "no"]),
        ("gdl play hex --option=pie = y", ["yes"]),
        ("gdl play taifas --variant no", ["no-swap"]),
        ("gdl play hex --variant nothing", []),
        ("gdl play hex --seat 2 = engine : 1", ["1", "10"]),
        ("gdl show chess --as ", ["White", "Black"]),
        ("gdl show hex --example the\\ f", ["the\\ first\\ move"]),
        ("gdl show no-such-game --option ", []),
    ],
)
def test_values_are_offered_for_the_game_that_is_typed(line: str, expected: list[str]) -> None:
    assert offered("bash", line).split("\n") == (expected or [""])


def test_shells_that_keep_words_whole_are_offered_whole_words() -> None:
    assert offered("fish", "gdl play hex --seat 2=g") == "2=greedy\tBlue"
    assert offered("fish", "gdl play hex --option=pie=y") == "--option=pie=yes"
    assert offered("zsh", "gdl play hex --seat 2=engine:1").count("engine") == 2


def test_completion_is_installed_once(tmp_path: Path) -> None:
    typed = f"{sys.executable} -m gdl.interpreter.cli --install-completion; true"
    for _ in range(2):
        asked = environment(HOME=str(tmp_path))
        done = subprocess.run(("bash", "-c", typed), env=asked, capture_output=True, text=True)
        assert "bash completion installed in" in done.stdout, done
    assert (tmp_path / ".bashrc").read_text().count("gdl.sh") == 1
    assert "complete -o default -F _gdl_completion gdl" in (
        tmp_path / ".bash_completions" / "gdl.sh"
    ).read_text("utf-8")
