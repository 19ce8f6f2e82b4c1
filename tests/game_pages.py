"""The pages on the shipped games, `docs/games.md` and `docs/classics.md`, taken apart.

In: the pages. Out: what they claim, as data: commands with the output that is shown (blocks
`console`; a line `...` stands for output that is left out, `console slow` for what takes long),
parts of game files (blocks `yaml NAME`), and rows of figures (tables with the head `FIGURES`).

Run as `python tests/game_pages.py` in the project's folder, it draws the pictures of the pages
again and writes the rows of figures anew; with names of games, only the rows of these. In a new row
the name and the number of games are enough.
"""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from click.testing import CliRunner, Result
from doc_pages import DOCS, ROOT, blocks, matches

from gdl.diagnostic import Source
from gdl.interpreter.cli.registry import make_app
from gdl.interpreter.evaluation.evaluator import Evaluator
from gdl.interpreter.evaluation.playout import Statistics, playouts
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.render.svg import render_svg
from gdl.load import load_game, load_source

PAGES = (DOCS / "games.md", DOCS / "classics.md")
FIGURES = (
    "| game | first moves | two moves | games | moves a game | first side | second side "
    "| draws | unfinished |"
)
SEED = 1
MOST_PLIES = 2000
MOST_FIRST_MOVES = 400
"""Where there are more, the second moves are not counted."""

DISPLAY = DOCS / "images" / "display.svg"
DISPLAYED = "game: Ring and gate"
_COMMENT = re.compile(r"(^|\s+)#.*$")
_CLAUSE = re.compile(r"^(- |\w+: )clause: (.*)\nsays: .*\n", re.MULTILINE)
_CAPTION = re.compile(r"^(.+):\nis: (.*)\nsays: .*\n", re.MULTILINE)
_GAMES = 3
"""The cell of a row of figures in which the number of random games stands."""


@dataclass(frozen=True)
class Command:
    """A command of a page: its arguments, the output that is shown, where, and if it is slow."""

    arguments: tuple[str, ...]
    shown: str
    place: str
    slow: bool

    @property
    def picture(self) -> Path | None:
        """The picture that the command draws, if it draws one."""
        if "--svg" not in self.arguments:
            return None
        return ROOT / self.arguments[self.arguments.index("--svg") + 1]

    def run(self, picture: Path | None = None) -> Result:
        """Carry the command out in this process; a picture is drawn to `picture` instead."""
        arguments = list(self.arguments)
        if picture is not None:
            arguments[arguments.index("--svg") + 1] = str(picture)
        return CliRunner().invoke(make_app(), arguments, env={"COLUMNS": "80", "NO_COLOR": "1"})

    def agrees(self, output: str) -> bool:
        """Tell whether this was printed, where a shown line `...` stands for any lines."""
        return matches(self.shown, output)


@dataclass(frozen=True)
class Quotation:
    """A part of a shipped game's file as a page has it."""

    game: str
    text: str
    place: str


@dataclass(frozen=True)
class Row:
    """A row of figures: the line of the page, and its cells without spaces around."""

    line: str
    cells: tuple[str, ...]

    @property
    def game(self) -> str:
        """The shipped game's name."""
        return self.cells[0].split()[0].strip("`")

    @property
    def games(self) -> int:
        """How many random games were played."""
        return int(self.cells[_GAMES])


def commands() -> Iterator[Command]:
    """Yield the commands of the pages."""
    for page in PAGES:
        for block in blocks(page):
            if block.language == "console":
                for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
                    line, _, shown = part.partition("\n")
                    program, *arguments = shlex.split(line)
                    place = f"{page.name}:{block.line} {line}"
                    if program != "gdl":
                        raise ValueError(f"{place} is not a command of this project")
                    yield Command(tuple(arguments), shown, place, block.kind == "slow")


def quotations() -> Iterator[Quotation]:
    """Yield the parts of game files in the pages."""
    for page in PAGES:
        for block in blocks(page):
            if block.language == "yaml":
                yield Quotation(block.kind, block.text, f"{page.name}:{block.line}")


def figures(page: Path) -> Iterator[Row]:
    """Yield the rows of figures of a page."""
    inside = False
    for line in page.read_text("utf-8").splitlines():
        if line == FIGURES:
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("|---"):
            yield Row(line, tuple(cell.strip() for cell in line.strip("|").split("|")))


def plain(text: str) -> str:
    """Return the lines of a file without comments, captions, indentation and empty lines."""
    lines = (_COMMENT.sub("", line).strip() for line in text.splitlines())
    told = "\n" + "\n".join(line for line in lines if line) + "\n"
    return _CLAUSE.sub(r"\1\2\n", _CAPTION.sub(r"\1: \2\n", told))


def section(game: str) -> str:
    """Return the part of the pages, from its heading to the next, that links to a game's file."""
    for page, heading in zip(PAGES, (r"^## ", r"^###? "), strict=True):
        for part in re.split(heading, page.read_text("utf-8"), flags=re.MULTILINE)[1:]:
            if f"](../games/{game}.yaml)" in part:
                return part
    return ""


def counted(row: Row) -> tuple[str, str]:
    """Count the first moves, and those with a second one; say so as a row does."""
    evaluator = _evaluator(row)
    first = evaluator.perft(evaluator.start(), 1)
    two = evaluator.perft(evaluator.start(), 2) if first <= MOST_FIRST_MOVES else None
    return f"{first:,}", "–" if two is None else f"{two:,}"


def played(row: Row) -> tuple[str, ...]:
    """Play as many random games as the row tells of; say what came of them as a row does."""
    evaluator = _evaluator(row)
    statistics = Statistics(tuple(_sides(row)), len(_sides(row)))
    for one in playouts(evaluator, evaluator.start(), row.games, SEED, MOST_PLIES):
        statistics.add(one)
    first, *others = (str(statistics.by_side[side]) for side in _sides(row))
    length = f"{statistics.mean_length:.1f} ({statistics.shortest}–{statistics.longest})"
    second = others[0] if others else "–"
    return (length, first, second, str(statistics.draws), str(statistics.unfinished))


def _evaluator(row: Row) -> Evaluator:
    return ReferenceRules(load_game(row.game, *_setting(row)))


def _sides(row: Row) -> tuple[str, ...]:
    return load_game(row.game, *_setting(row)).sides


def _setting(row: Row) -> tuple[dict[str, int], list[str]]:
    """Return the options and the variants of a row whose first cell is `NAME size=5 +variant`."""
    words = row.cells[0].strip("`").split()[1:]
    options = dict(word.split("=") for word in words if "=" in word)
    return (
        {name: int(value) for name, value in options.items()},
        [word.removeprefix("+") for word in words if word.startswith("+")],
    )


def redraw() -> None:
    """Draw the pictures of the pages again."""
    for command in commands():
        if command.picture is not None:
            command.run(command.picture)
            print(command.picture.relative_to(ROOT))
    DISPLAY.write_text(display_picture(), "utf-8")


def display_picture() -> str:
    """Draw the game of the language's section on the display after its first move."""
    text = next(b.text for b in blocks(DOCS / "language.md") if b.text.startswith(DISPLAYED))
    rules = Rules(load_source(Source("display.yaml", text)))
    return render_svg(rules.start().play("c1").scene())


def rewrite(games: Sequence[str] = ()) -> None:
    """Write the rows of figures anew, of all games if none is named."""
    for page in PAGES:
        text = page.read_text("utf-8")
        for row in figures(page):
            if games and row.game not in games:
                continue
            cells = (row.cells[0], *counted(row), row.cells[_GAMES], *played(row))
            text = text.replace(row.line, f"| {' | '.join(cells)} |")
            print(" | ".join(cells))
        page.write_text(text, "utf-8")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        redraw()
    rewrite(sys.argv[1:])
