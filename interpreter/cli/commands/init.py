"""`gdl init`: a commented game to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from gdl.codes import Code
from gdl.diagnostic import refused
from gdl.interpreter.cli.declarations import argument
from gdl.interpreter.cli.output import print_message, write
from gdl.interpreter.files import write_file
from gdl.interpreter.library.template import new_game_text


def init(
    file: Annotated[Path, argument("FILE", help="The file to write, such as x.yaml.")],
) -> None:
    """Write a small game to change into your own."""
    if file.name in ("", ".."):
        raise refused(Code.WRONG_OPTION, f"`{file}` is no file's name.", "Write `gdl init x.yaml`.")
    path = file if file.suffix in (".yaml", ".yml") else file.with_name(f"{file.name}.yaml")
    write_file(path, new_game_text(path.stem), is_new=True)
    write(str(path))
    print_message(f"Now try `gdl play {path}`; after changes, `gdl check {path}`.")
