"""The games of a match in a file, a line each: a saved game as JSON.

In: games, as they are played. Out: lines. What then holds: each line is a saved game of its own; a
match that was stopped goes on behind the last whole line.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import IO

from gdl.codes import Code
from gdl.diagnostic import GameError, refused
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.matches.plan import USUAL_OPENING, USUAL_PLIES, Match, Played, points
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.records.writing import FORMATS, text_of, told
from gdl.interpreter.sessions.notation import unspelled

_BEGINNING = b'{"game": '
_LONGEST = 1 << 24


class Keeper:
    """Writes the games of a match to a file, and reads those that are there already."""

    def __init__(self, path: Path, match: Match, digest: str) -> None:
        """Keep the games of `match`, whose rules have this digest."""
        self._path = path
        self._match = match
        self._digest = digest
        self._file: IO[bytes] | None = None

    def earlier(self) -> tuple[Played, ...]:
        """Return the games that the file has; a line that was not finished is taken away.

        Raises GameError (`other-match`, `file-unwritable`) where it is of another match.
        """
        if self._path.exists() and not self._path.is_file():
            raise self._unwritable("it is no plain file")
        try:
            self._file = open(self._path, "r+b" if self._path.exists() else "w+b")  # noqa: SIM115
            games: list[Played] = []
            length = 0
            while line := self._file.readline(_LONGEST):
                if not line.endswith(b"\n") and len(line) < _LONGEST and _is_begun(line):
                    break
                games.append(self._game(len(games), line))
                length += len(line)
            self._file.truncate(length)
            self._file.seek(length)
        except OSError as error:
            raise self._unwritable(error.strerror or str(error)) from None
        except GameError:
            self.close()
            raise
        return tuple(games)

    def keep(self, game: Played) -> None:
        """Write a game. Raises GameError (`file-unwritable`); nothing more is written then."""
        if self._file is None:
            return
        try:
            self._file.write(self._text(game).encode("utf-8") + b"\n")
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            self.close()
            raise self._unwritable(error.strerror or str(error)) from None

    def _text(self, game: Played) -> str:
        """Return a game as it is written."""
        return json.dumps(self._record(game), ensure_ascii=True)

    def close(self) -> None:
        """Close the file; what could not be written before is given up."""
        if self._file is not None:
            with suppress(OSError):
                self._file.close()
            self._file = None

    def _record(self, game: Played) -> dict[str, object]:
        match = self._match
        return {
            "game": match.game,
            "digest": self._digest,
            "options": dict(match.options),
            "variants": list(match.variants),
            "seed": match.seed,
            **({"match": unusual} if (unusual := _unusual(match)) else {}),
            "seats": {str(seat): match.players[who] for seat, who in enumerate(game.seats, 1)},
            "result": game.result,
            "winners": [
                str(seat) for seat, own in enumerate(game.points, 1) if own and not game.is_drawn
            ],
            "moves": list(game.moves),
            **({"payoffs": list(game.payoffs)} if game.payoffs else {}),
        }

    def _game(self, number: int, line: bytes) -> Played:
        """Return the game of a line. Raises GameError."""
        try:
            record = json.loads(line)
            winners = tuple(map(int, record["winners"]))
            game = Played(
                number,
                self._match.lineup(number),
                tuple(map(str, record["moves"])),
                str(record["result"]),
                points(winners, self._match.seats),
                tuple(map(float, record.get("payoffs", ()))),
            )
            is_own = record == json.loads(json.dumps(self._record(game)))
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
            is_own = False
        if not is_own:
            raise self._other(number + 1)
        return game

    def _unwritable(self, reason: str) -> GameError:
        message = f"`{self._path}` can't be written: {reason}."
        folder = self._path.parent
        return refused(
            Code.FILE_UNWRITABLE,
            message,
            "" if folder.is_dir() else f"There is no folder `{folder}`: make it first.",
        )

    def _other(self, line: int) -> GameError:
        message = f"Line {line} of `{self._path}` is no game of this match."
        hint = "Write to another file, or name the same game, players, seed, opening and limit."
        return refused(Code.OTHER_MATCH, message, hint)


class TextKeeper(Keeper):
    """Writes the games of a match as PGN, PDN or SGF, by the name of the file.

    Such a file is begun anew: it does not say by which players, so no match goes on with it.
    """

    def __init__(self, path: Path, match: Match, rules: Rules) -> None:
        """Keep the games of `match`, which are played by these rules."""
        super().__init__(path, match, rules.game.digest)
        self._rules = rules

    @staticmethod
    def is_for(path: Path) -> bool:
        """Return whether a file's name is that of such a format."""
        return path.suffix.lower()[1:] in FORMATS

    def earlier(self) -> tuple[Played, ...]:
        """Begin the file. Raises GameError (`file-unwritable`) where it has games already."""
        if self._path.exists() and self._path.stat().st_size:
            message = f"`{self._path}` has something in it already, and no match goes on with it."
            hint = (
                "Its games don't say of which match they are; one that goes on is kept in a file of"
                " another name, such as games.jsonl."
            )
            raise refused(Code.FILE_UNWRITABLE, message, hint)
        try:
            self._file = open(self._path, "wb")  # noqa: SIM115
        except OSError as error:
            raise self._unwritable(error.strerror or str(error)) from None
        return ()

    def _text(self, game: Played) -> str:
        positions, moves = [self._rules.start()], list[Move]()
        for text in game.moves:
            moves.append(unspelled(text, positions[-1]))
            positions.append(positions[-1].play(moves[-1]))
        players = {
            side: self._match.players[who]
            for side, who in zip(self._rules.sides, game.seats, strict=False)
        }
        return text_of(told(positions, moves, game.result, players), self._path.suffix.lower()[1:])


def _unusual(match: Match) -> dict[str, int]:
    """Return how games are begun and cut short, as far as that is not as usual."""
    how = {"opening": (match.opening, USUAL_OPENING), "plies": (match.plies, USUAL_PLIES)}
    return {name: number for name, (number, usual) in how.items() if number != usual}


def _is_begun(line: bytes) -> bool:
    """Return whether this is the beginning of a game's line."""
    return line.startswith(_BEGINNING) or _BEGINNING.startswith(line)
