"""A record played again: the positions that its moves lead through.

In: a record. Out: positions and moves. What then holds: each move was legal where it was made; a
record that is damaged, or belongs to other rules, is told from one that is not.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import field
from pathlib import Path

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Span
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move, MoveError
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.sessions.judging import SignedState, check_signatures, judged
from gdl.interpreter.sessions.notation import unspelled
from gdl.interpreter.sessions.record import Record, digest_of
from gdl.interpreter.sessions.signing.protocol import NEWEST
from gdl.load import is_path, load_game


@dataclass(frozen=True)
class Replay:
    """A record played again: each position from the first to the last, and the moves between.

    `variations` are other lines from the first position on: moves, each with the position after it.
    `standing` is how a signed game stands between its players, `remarks` are what is said of the
    game, by how many moves come before, `asides` the same of each variation.
    """

    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    warnings: tuple[Diagnostic, ...] = ()
    record: Record | None = None
    variations: tuple[tuple[tuple[Move, Position], ...], ...] = ()
    standing: SignedState | None = None
    remarks: Mapping[int, str] = field(default_factory=dict)
    asides: tuple[Mapping[int, str], ...] = ()

    @property
    def last(self) -> Position:
        """The position that the game has come to."""
        return self.positions[-1]

    @property
    def is_secret(self) -> bool:
        """Whether it is a saved game that goes on and hides something.

        A signed one is not: its positions are what its reader knows.
        """
        is_kept = self.record is not None and not self.record.result and self.standing is None
        return is_kept and self.last.is_secret


def replay(record: Record, path: str | Path | None = None) -> Replay:
    """Play a record again; `path` is where it was read, for games that stand beside it.

    Raises GameError if a signed game is not in order (`edited-record` and the like), if the game
    can't be loaded, the start is damaged (`damaged-position`) or
    a move can't be made (`damaged-record`). Where the rules have changed since, but all moves
    can be made, `warnings` says so (`other-rules`), and where a game is signed by an old protocol.
    """
    if record.is_signed:
        check_signatures(record)
    rules = Rules(load_game(_found(record.game, path), record.options, record.variants))
    warnings = (*_changed_rules(record, rules), *_old_protocol(record), *record.warnings)
    try:
        return _replayed(record, rules, warnings)
    except GameError as error:
        raise GameError((*error.diagnostics, *warnings)) from None


def _replayed(record: Record, rules: Rules, warnings: tuple[Diagnostic, ...]) -> Replay:
    start = rules.start()
    if record.start is not None:
        told = record.with_digest(rules.game.digest) if _changed_rules(record, rules) else record
        start = rules.from_json(told.start)
    tree: dict[str, _Ply] = {}
    main = _line(start, tree, record.moves, record.spans, "Move {}")
    variations = []
    for number, texts in enumerate(record.variations):
        spans = record.variation_spans[number : number + 1] * len(texts)
        called = f"Move {{}} of variation {number + 1}"
        variations.append(_line(start, tree, texts, spans, called))
    positions = (start, *(position for _, position in main))
    moves = tuple(move for move, _ in main)
    standing = judged(record, positions, moves) if record.is_signed else None
    lines = tuple(variations)
    said = record.remarks, record.asides
    return Replay(positions, moves, warnings, record, lines, standing, *said)


@dataclass(frozen=True)
class _Ply:
    """A move, the position after it, and what was played from there, by text."""

    move: Move
    position: Position
    then: dict[str, _Ply] = field(default_factory=dict)


def _line(
    start: Position,
    tree: dict[str, _Ply],
    texts: Sequence[str],
    spans: Sequence[Span],
    called: str,
) -> tuple[tuple[Move, Position], ...]:
    """Return the moves of a line, each with the position after it; what is in the tree is known.

    Raises GameError.
    """
    made, position = [], start
    for index, text in enumerate(texts):
        if text not in tree:
            span = spans[index] if index < len(spans) else None
            tree[text] = _Ply(*_made(text, position, span, called.format(index + 1)))
        made.append((tree[text].move, tree[text].position))
        position, tree = tree[text].position, tree[text].then
    return tuple(made)


def _made(text: str, position: Position, span: Span | None, called: str) -> tuple[Move, Position]:
    """Return the move that a text means, and the position after it. Raises GameError."""
    try:
        move = unspelled(text, position)
        return move, position.play(move)
    except MoveError as error:
        message = f"{called} can't be made: {error.message}"
        raise GameError(
            [Diagnostic(Code.DAMAGED_RECORD, message, span).with_hint(error.hint)]
        ) from None
    except RuleError as error:
        raise GameError([error.diagnostic]) from None


def _found(game: str, path: str | Path | None) -> str:
    """Return a game's path as it is from here, if it stands beside the record."""
    if path is None or not is_path(game) or os.path.exists(game):
        return game
    beside = os.path.join(os.path.dirname(path), game)
    return beside if os.path.exists(beside) else game


def _changed_rules(record: Record, rules: Rules) -> tuple[Diagnostic, ...]:
    if record.digest == digest_of(record, rules.game) or not (record.digest or record.is_signed):
        return ()
    return (
        Diagnostic(
            Code.OTHER_RULES,
            f"The rules of {rules.game.title} are not those that this game was saved with.",
            hint="Get the file of the rules as it was then, if the moves do not fit.",
            severity="warning",
        ),
    )


def _old_protocol(record: Record) -> tuple[Diagnostic, ...]:
    if not record.is_signed or record.protocol == NEWEST:
        return ()
    return (
        Diagnostic(
            Code.OLD_PROTOCOL,
            f"This game is signed by protocol {record.protocol}, which is weaker than {NEWEST}:"
            " what players are committed to is bound to no game and no seat.",
            hint="End it with somebody you trust; `gdl new` begins one by the new protocol.",
            severity="warning",
        ),
    )
