"""Where a command begins: from what was asked for to the position.

In: a game's name or path, or that of a saved game, and the options that commands share. Out: the
positions from the first to the one that was asked for, and the moves between them.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from gdl.codes import Code
from gdl.diagnostic import Span, refused
from gdl.document import read_source
from gdl.interpreter.cli.failures import WHERE_MOVES_ARE
from gdl.interpreter.cli.output import print_diagnostics
from gdl.interpreter.cli.parameters import GameRequest, StartRequest, option_values
from gdl.interpreter.evaluation.moves import MoveError, move_texts
from gdl.interpreter.positions.move_form import hint_in_list
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.sessions.failing import led_by
from gdl.interpreter.sessions.replaying import Replay, replay
from gdl.interpreter.sessions.saves import is_saved_game, read_record
from gdl.interpreter.sessions.typed import typed_move
from gdl.load import load_game
from gdl.model import Game


def begin(request: StartRequest, *, hides: bool = False) -> Replay:
    """Return the game as it was played up to the position that was asked for.

    Raises GameError, MoveError and RuleError: also of a saved game that goes on and hides something
    (`refuse_secret`), unless the command itself `hides` it.
    """
    played = _resumed(request) if is_saved_game(request.game) else _started(request)
    positions, moves = list(played.positions), list(played.moves)
    for text in move_texts(request.after or ""):
        try:
            moves.append(typed_move(text, positions[-1]))
        except MoveError as error:
            message = f"Move {len(moves) + 1} of the game can't be made: {error.message}"
            hint = hint_in_list(positions[-1].rules.game, error) or WHERE_MOVES_ARE
            raise refused(Code.WRONG_MOVE, message, hint) from None
        positions.append(positions[-1].play(moves[-1]))
    begun = dataclasses.replace(played, positions=tuple(positions), moves=tuple(moves))
    if not hides:
        refuse_secret(begun, f"`gdl show {request.game} --as SIDE` shows what a side sees.")
    return begun


def refuse_secret(played: Replay, hint: str) -> None:
    """Raise GameError, with what to do instead, of a saved game that goes on and hides something.

    What shows whole positions of it would show each side the secrets of the others.
    """
    if played.is_secret:
        raise refused(Code.WRONG_OPTION, "This game hides something, and it is not over.", hint)


def refuse_others(played: Replay, as_side: str | None) -> None:
    """Raise GameError where what the side on turn may do would be told to others.

    So it is in a saved game that goes on and hides something, unless `as_side` is on turn: what is
    legal can depend on what the others do not see.
    """
    position = played.last
    side = None if as_side is None else position.view(as_side).side
    if side is None:
        refuse_secret(played, f"Say who looks: `--as {position.mover}`.")
    elif side != position.mover:
        from gdl.interpreter.positions.position_text import turn_text

        refuse_secret(played, f"{turn_text(position)} What it may do is not for {side}.")


@contextmanager
def led_by_request(request: StartRequest, played: Replay) -> Iterator[None]:
    """Add to a RuleError behind the last position of a game the moves of its `--after`.

    So the moves begin where the request does: at the start, where a position was set up, or where
    a saved game has come to.
    """
    own = len(move_texts(request.after or ""))
    first = len(played.moves) - own
    with led_by(played.positions[first:], played.moves[first:]):
        yield


def load_requested(request: GameRequest) -> Game:
    """Return the game that was asked for, with its options and variants. Raises GameError."""
    return load_game(request.game, option_values(request.options), request.variants or ())


def _resumed(request: StartRequest) -> Replay:
    if request.options or request.variants or request.example or request.position:
        raise refused(
            Code.WRONG_OPTION,
            "A saved game has its options, variants and start already.",
            "Name the game itself instead, or leave them out.",
        )
    played = replay(read_record(request.game), request.game)
    print_diagnostics(played.warnings)
    return played


def _started(request: StartRequest) -> Replay:
    if request.example is not None and request.position is not None:
        raise refused(Code.WRONG_OPTION, "`--example` and `--position` exclude each other.")
    game = load_requested(request)
    if request.example is not None:
        return Replay((_example(game, request.example, request),), ())
    rules = Rules(game)
    if request.position is not None:
        return Replay((_read_position(rules, request.position),), ())
    return Replay((rules.start(),), ())


def _example(game: Game, name: str, request: StartRequest) -> Position:
    """Return an example's position; its options and variants are those given, and its own."""
    from gdl.interpreter.positions.examples import example_position

    asked_options = option_values(request.options)
    variants = request.variants or ()

    def reload(options: Mapping[str, str], own_variants: Sequence[str]) -> Game:
        return load_game(
            request.game,
            {**asked_options, **options},
            list(dict.fromkeys((*variants, *own_variants))),
        )

    return example_position(game, name, reload)


_TO_MOVE = re.compile(r"^[ \t]*(\w.*?) to move\.?\s*\Z", re.MULTILINE)


def _read_position(rules: Rules, path: Path) -> Position:
    """Return the position in a file, or in a line such as FEN that stands for the path itself.

    Rows in a file may be followed by a line such as `White to move`.
    """
    if not path.exists() and "/" in str(path) and any(n.position for n in rules.game.notations):
        return rules.from_fen(str(path))
    if is_saved_game(path):
        played = replay(read_record(path), path)
        refuse_secret(played, f"Name the saved game itself: `gdl show {path} --as SIDE`.")
        return rules.from_json(played.last.to_json())
    source = read_source(path)
    text = source.text
    if not text.lstrip().startswith("{"):
        told = _TO_MOVE.search(text)
        rows = text if told is None else text[: told.start()]
        mover = None if told is None else told[1]
        return rules.from_rows(rows, mover=mover, span=Span(source, 0, len(rows)))
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise refused(
            Code.DAMAGED_POSITION,
            f"`{path}` is not JSON: {error}.",
            "Write it with `gdl show --json`.",
        ) from None
    inside = data.get("position", data) if isinstance(data, dict) else data
    return rules.from_json(inside)
