"""`gdl moves`: the legal moves of a position."""

from __future__ import annotations

from interpreter.cli.beginning import Request, begin
from interpreter.cli.output import print_message, write, write_json
from interpreter.cli.parameters import (
    After,
    AsJson,
    Example,
    GameOrSave,
    Options,
    PositionFile,
    Variants,
)
from interpreter.cli.picture import to_move_json, turn_text


def moves(
    game: GameOrSave,
    options: Options = None,
    variants: Variants = None,
    after: After = None,
    example: Example = None,
    position: PositionFile = None,
    as_json: AsJson = False,
) -> None:
    """List the legal moves, one a line."""
    shown = begin(Request(game, options, variants, after, example, position)).last
    texts = [move.text for move in shown.moves()]
    if as_json:
        write_json({"to_move": to_move_json(shown), "moves": texts})
        return
    for text in texts:
        write(text)
    told = f" {len(texts)} legal move{'' if len(texts) == 1 else 's'}." if texts else ""
    print_message(f"{turn_text(shown)}{told}")
