"""Playing games that are files: load rules, start, play, and see who has won.

Programs import `gdl`, which has all of this and more. What stands here is what they imported before
it did, and stays for one release: `load` has the reference interpreter play.

>>> rules = load("hex", options={"size": 3})
>>> position = rules.start()
>>> position.mover, position.seat, len(position.moves())
('Red', 1, 9)
>>> for move in ("b2", "a2", "b3", "a3", "b1"):
...     position = position.play(move)
>>> position.over, str(position.outcome), position.outcome.winners
(True, 'Red wins', ('Red',))
>>> print(position.rows())
. X .
O X .
O X .

The names are imported when first used: what needs none of them (the command line's help) does
not wait for the whole language.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gdl.diagnostic import Diagnostic, GameError
    from gdl.interpreter.evaluation.evaluator import Evaluator, Outcome, Playout, RuleError, State
    from gdl.interpreter.evaluation.moves import (
        AmbiguousMoveError,
        IllegalMoveError,
        Move,
        MoveError,
        UnreadableMoveError,
    )
    from gdl.interpreter.positions.position import Position, Rules
    from gdl.interpreter.search.engine import Engine
    from gdl.interpreter.solve.clock import OutOfTime
    from gdl.interpreter.solve.forced_wins import ForcedWins
    from gdl.interpreter.solve.proving import Unsettled
    from gdl.interpreter.solve.solver import Solver
    from gdl.load import GameName

__all__ = [
    "AmbiguousMoveError",
    "Diagnostic",
    "Engine",
    "Evaluator",
    "ForcedWins",
    "GameError",
    "IllegalMoveError",
    "Move",
    "MoveError",
    "OutOfTime",
    "Outcome",
    "Playout",
    "Position",
    "RuleError",
    "Rules",
    "Solver",
    "State",
    "UnreadableMoveError",
    "Unsettled",
    "load",
]


def __dir__() -> list[str]:
    """Return all names, those that were not imported yet among them."""
    return sorted({*globals(), *__all__})


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("gdl"), name)


def load(
    name: GameName,
    options: Mapping[str, str | int | bool] | None = None,
    variants: str | Sequence[str] = (),
) -> Rules:
    """Return the rules of a shipped game by its name, or of the file at a path.

    A path may be a text or an object such as `pathlib.Path`. `options` override defaults;
    `variants` are applied in the order given; a text is one of them. Raises GameError.
    """
    from gdl.interpreter.positions.position import Rules
    from gdl.load import load_game

    return Rules(load_game(name, options, variants))
