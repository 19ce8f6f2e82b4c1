"""`gdl moves`: the legal moves of a position."""

from __future__ import annotations

from gdl.interpreter.cli.beginning import begin, refuse_others
from gdl.interpreter.cli.output import print_message, write, write_json
from gdl.interpreter.cli.parameters import AsJson, AsSide, Request
from gdl.interpreter.cli.picture import to_move_json
from gdl.interpreter.positions.position_text import turn_text


def moves(request: Request, as_side: AsSide = None, as_json: AsJson = False) -> None:
    """List the legal moves, one a line.

    Beside them stand short texts, where the game has them. Of a saved game that hides something,
    they are listed for the side on turn alone (`--as`) until it is over.
    """
    played = begin(request, hides=True)
    refuse_others(played, as_side)
    shown = played.last
    texts = [move.text for move in shown.moves()]
    short = [shown.short(move) for move in shown.moves()]
    if as_json:
        numbered = {"short": short} if shown.numbering is not None else {}
        write_json({"to_move": to_move_json(shown), "moves": texts, **numbered})
        return
    width = max(map(len, texts), default=0)
    for text, beside in zip(texts, short, strict=True):
        write(f"{text:{width}}  {beside}" if beside else text)
    told = f" {len(texts)} legal move{'' if len(texts) == 1 else 's'}." if texts else ""
    print_message(f"{turn_text(shown)}{told}")
