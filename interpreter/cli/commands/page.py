"""`gdl page`: a game in one file that anybody can open and play."""

from __future__ import annotations

from functools import partial
from itertools import product
from pathlib import Path
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.backend import made_natively
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.output import tracked, write
from gdl.interpreter.cli.parameters import Options, Variants, option_values
from gdl.interpreter.files import Kind, refuse_other, write_result
from gdl.interpreter.page.document import Held
from gdl.interpreter.page.document import page as page_of
from gdl.interpreter.page.folder import INDEX, entry_of, index_page
from gdl.load import load_game, shipped_names

_MOST_GAMES = 24


def page(
    game: Annotated[
        str,
        argument(
            "[GAME]",
            help="The name of a shipped game, or the path of a game's file.",
            offers=completion.games,
        ),
    ] = "",
    output: Annotated[
        Path | None,
        option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the page, or pages, here.",
            show_default=False,
        ),
    ] = None,
    options: Options = None,
    variants: Variants = None,
    with_usual: Annotated[
        bool, option("--with-usual", help="The game by its usual rules, too.")
    ] = False,
    all_games: Annotated[
        bool, option("--all", help="Write pages of all shipped games, and an index, to a folder.")
    ] = False,
) -> None:
    """Write a game as a page that plays it.

    The page is one file with the rules, the board and an opponent in it, which any browser opens:
    from a disk, from any server, without a network. Several variants, or several values of an
    option, are several games in it, and one chooses there.
    """
    if output is None:
        raise refused(Code.WRONG_OPTION, "A page needs a file.", "Add `-o game.html`.")
    if all_games:
        if game or options or variants or with_usual:
            raise refused(
                Code.WRONG_OPTION,
                "`--all` writes all shipped games as they usually are.",
                "Leave out what names or changes one.",
            )
        _write_all(output)
        return
    if not game:
        raise refused(
            Code.WRONG_OPTION, "It is not said which game.", "`gdl list` lists the shipped ones."
        )
    refuse_other(output, Kind.PAGE)
    held = tuple(
        Held(load_game(game, dict(chosen), variant))
        for variant, chosen in _asked(options, variants, with_usual)
    )
    written = made_natively(held[0].game, partial(page_of, held))
    write_result(output, written)
    told = "" if len(held) == 1 else f" of {len(held)} games"
    write(f"{output}: a page{told}, {_kilobytes(written)} KB")


_Chosen = tuple[tuple[str, ...], tuple[tuple[str, str], ...]]
"""The variants and the options of a game."""


def _asked(
    options: list[str] | None, variants: list[str] | None, with_usual: bool
) -> list[_Chosen]:
    """Return the variants and options of each game that is asked for, the first to be opened first.

    What is named once holds in all of them. Raises GameError.
    """
    values: dict[str, list[str]] = {}
    for text in options or ():
        for name, value in option_values([text]).items():
            values.setdefault(name, []).append(value)
    chosen: list[tuple[str, ...]] = [(name,) for name in dict.fromkeys(variants or ())] or [()]
    each = (tuple((name, value) for value in dict.fromkeys(of)) for name, of in values.items())
    found: list[_Chosen] = list(product(chosen, product(*each)))
    if with_usual:
        found = list(dict.fromkeys([*found, ((), ())]))
    if len(found) > _MOST_GAMES:
        raise refused(
            Code.TOO_LARGE, f"These are {len(found)} games, more than {_MOST_GAMES} in one page."
        )
    return found


def _write_all(folder: Path) -> None:
    """Write the pages of all shipped games, and their index, to a folder."""
    entries, total = [], 0
    names = shipped_names()
    for name in tracked(names, len(names), "Games"):
        held = Held(load_game(name))
        written = made_natively(held.game, partial(page_of, (held,)))
        total += len(written.encode())
        write_result(folder / f"{name}.html", written, makes_folder=True)
        entries.append(entry_of(held.game))
    index = index_page(entries)
    total += len(index.encode())
    write_result(folder / INDEX, index, makes_folder=True)
    write(f"{folder / INDEX}: {len(entries)} games, {total / 1e6:.1f} MB")


def _kilobytes(text: str) -> int:
    return -(-len(text.encode()) // 1000)
