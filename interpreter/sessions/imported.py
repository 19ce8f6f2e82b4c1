"""Games in formats of others, as records of our own: `games.pgn:3` is the third of a file.

In: a path. Out: a record, with variations and remarks. What then holds: the game is the one that
the file says it is of, and all moves of the record are legal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from itertools import islice, zip_longest
from pathlib import Path

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, refused
from gdl.interpreter.evaluation.moves import MoveError
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.records.files import games_in, kind_of, named_game
from gdl.interpreter.records.following import Followed, RulesFor, follow
from gdl.interpreter.records.recorded import DRAW, Recorded
from gdl.interpreter.records.which import game_of_record, refuse_untold
from gdl.interpreter.sessions.notation import spelled, unspelled
from gdl.interpreter.sessions.record import Record
from gdl.load import load_game

_MOST_VARIATIONS = 1000


def is_foreign(path: str | Path) -> bool:
    """Return whether a path names a file of games in another's format, or one of its games."""
    named = named_game(path)
    return kind_of(path if named is None else named[0]) is not None


def foreign_record(path: str | Path) -> Record:
    """Return the record of a game in another's format.

    Raises GameError where it can't be read, is of no game that is known, or is none of its.
    """
    file = (named_game(path) or (str(path), 1))[0]
    game, *others = islice(games_in(path), 2)
    if others:
        message = f"`{file}` has several games: say which."
        raise refused(Code.SEVERAL_GAMES, message, f"`{file}:1` is the first.")
    name = game_of_record(game)
    if not name:
        refuse_untold(game, file)
    rules = RulesFor(Rules(load_game(name)))(game)
    done = follow(rules, game, unspelled)
    if done.refused is not None:
        told = done.refused
        where = f"Line {game.line}"
        if told.place is not None:
            where = "Line {}, column {}".format(*told.place)
        message = f"{where} of `{file}`: {told.recorded}; the rules say: {told.ruled}"
        if told.kind != "result":
            raise refused(Code.DAMAGED_RECORD, message, f"`gdl trace {name} {file}` tells why.")
    return _record(done, game)


def _record(done: Followed, game: Recorded) -> Record:
    """Return what was followed as a record, up to a turn that is left out."""
    texts: list[str] = []
    for move, at in zip(done.moves, done.positions, strict=False):
        if move not in at.moves():
            break  # a turn that the record leaves out, which no rule allows
        texts.append(spelled(move, at))
    start, sides = done.positions[0], done.positions[0].rules.sides
    winner = done.winner
    result = "draw" if winner == DRAW else f"{winner} wins" if winner in sides else ""
    if done.early and winner in sides:
        result = f"{result}: {done.early}" if not done.early.startswith(winner) else result
    tree = _Ply("", start)
    varied = zip_longest(game.variations[:_MOST_VARIATIONS], game.asides, fillvalue=())
    lines = [(line, dict(said)) for told, said in varied if (line := tree.line(told))]
    record = Record.told(start, texts, result=result, variations=[line for line, _ in lines])
    remarks = {number: said for number, said in done.remarks.items() if number <= len(texts)}
    if len(texts) < len(done.moves):
        skipped = f"The record leaves out a turn here, by `{done.moves[len(texts)]}`, and goes on."
        remarks[len(texts)] = f"{remarks.get(len(texts), '')} {skipped}".strip()
        rest = len(done.moves) - len(texts)
        record = replace(record, warnings=(_cut_off(skipped, rest - 1),))
    asides = tuple(said for _, said in lines) if record.variations else ()
    return replace(record, remarks=remarks, asides=asides, headers=done.headers)


def _cut_off(skipped: str, rest: int) -> Diagnostic:
    message = f"{skipped} No rule allows that, so the moves that follow are left out: {rest}."
    hint = "`gdl trace` holds them against the rules."
    return Diagnostic(Code.WRONG_RECORDED_GAME, message, None, hint, "warning")


@dataclass(frozen=True)
class _Ply:
    """A move in our own text, the position after it, and what was told from there, by its text."""

    text: str
    position: Position
    then: dict[str, _Ply] = field(default_factory=dict)

    def line(self, told: Sequence[str]) -> list[str]:
        """Return the moves of a variation in our own texts, as far as they are legal."""
        ply, texts = self, list[str]()
        for text in told:
            if text not in ply.then:
                try:
                    move = ply.position.parse(text)
                except (MoveError, GameError):
                    break
                own = spelled(move, ply.position)
                ply.then[text] = _Ply(own, ply.position.play(move))
            ply = ply.then[text]
            texts.append(ply.text)
        return texts
