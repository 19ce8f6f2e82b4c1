"""A file that is changed while its game is played: the game goes on by what the file now says.

In: the path of a game's file, and how a game is made of it. Out: the game, once, each time that the
file was saved; and a course of play that has the moves which are still legal.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gdl.diagnostic import GameError
from gdl.interpreter.evaluation.moves import MoveError
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.sessions.notation import unspelled
from gdl.interpreter.sessions.replaying import Replay
from gdl.interpreter.sessions.session import Session
from gdl.model import Game

_KINDS = ("*.yaml", "*.yml")


class Followed:
    """The file of a game, and those beside it, which it may extend."""

    def __init__(self, path: str, load: Callable[[], Game]) -> None:
        """Follow a file; `load` makes a game of it, and raises GameError where it is none."""
        self._folder = Path(path).resolve().parent
        self._load = load
        self._known = self._stamps()

    def news(self) -> Game | GameError | None:
        """Return the game if a file was saved since it was asked last, or why it is none now."""
        stamps = self._stamps()
        if stamps == self._known:
            return None
        self._known = stamps
        try:
            return self._load()
        except GameError as problem:
            return problem

    def _stamps(self) -> dict[str, tuple[int, int]]:
        found = {}
        for kind in _KINDS:
            for path in self._folder.glob(kind):
                try:
                    status = path.stat()
                except OSError:
                    continue
                found[path.name] = status.st_mtime_ns, status.st_size
        return found


def gone_on(session: Session, game: Game) -> tuple[Session, int]:
    """Return a session of a game with the moves of another that are legal, and how many are not.

    It begins where the other began, if there is such a position by these rules. Raises RuleError.
    """
    rules, record = Rules(game), session.record()
    position = rules.start()
    if record.start is not None:
        try:
            position = rules.from_json(record.with_digest(game.digest).start)
        except GameError:
            position = rules.start()
    positions, moves = [position], []
    for text in record.moves:
        try:
            moves.append(unspelled(text, positions[-1]))
        except MoveError:
            break
        positions.append(positions[-1].play(moves[-1]))
    begun = Replay(tuple(positions), tuple(moves))
    left = len(record.moves) - len(moves)
    return Session(begun, session.seed, session.seats, session.clock), left
