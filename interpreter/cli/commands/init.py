"""`gdl init`: a commented game to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from interpreter.cli.failures import wrong_use
from interpreter.cli.output import print_message, write
from interpreter.library.template import new_game_text


def init(
    file: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to write, such as x.yaml.")
    ],
) -> None:
    """Write a small game to change into your own."""
    path = file if file.suffix in (".yaml", ".yml") else file.with_name(f"{file.name}.yaml")
    try:
        with path.open("x", encoding="utf-8") as stream:
            stream.write(new_game_text(path.stem))
    except FileExistsError:
        raise wrong_use(
            "file-exists", f"`{path}` is there already.", "Write to another file, or remove it."
        ) from None
    write(str(path))
    print_message(f"Now try `gdl play {path}`; after changes, `gdl check {path}`.")
