"""Whole games as readable text: saved, loaded and played again.

In: rules and the moves of a game. Out: a YAML file that a person can read and mend, and the
positions that it leads through. What then holds: a file is written as a whole or not at all; a
file that is damaged, or belongs to other rules, is told from one that is not.
"""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from gdl.diagnostic import Diagnostic, GameError, Report, Source, Span
from gdl.document import read_document, read_source
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.nodes import Sequence as ListNode
from gdl.document.reader import MAX_BYTES
from gdl.document.shape import Code, Listing, Prose, Settings, Table, check
from gdl.load import games_folder, load_game
from gdl.model import Game
from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import IllegalMoveError, Move, MoveError, words
from interpreter.positions.position import Position, Rules

_SHAPE = Settings(
    "a saved game",
    {
        "game": Prose("a game's name or path"),
        "digest": Code("the digest of the rules"),
        "options": Table(Prose("a value")),
        "variants": Listing(Prose("a name"), "a list of names"),
        "seed": Code("a number"),
        "start": Prose("a position"),
        "moves": Listing(Prose("a move"), "a list of moves"),
        "result": Prose(),
    },
    required=("game", "moves"),
)
_DECISIONS = " @"


@dataclass(frozen=True)
class Record:
    """A game as it is kept.

    `game` is a name or a path, as `load_game` takes it; `digest` that of the rules with the
    `options` and `variants`. `start` is what `Position.to_json` gave, or None for the usual
    beginning. `moves` are texts; where two legal moves have one text, the decisions follow,
    as in `b2 @1,9`. `result` is for readers: it may say that a side has resigned.
    """

    game: str
    moves: tuple[str, ...] = ()
    digest: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    seed: int | None = None
    start: Mapping[str, Any] | None = None
    result: str = ""
    spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)

    @classmethod
    def of(
        cls,
        start: Position,
        moves: Sequence[Move],
        *,
        seed: int | None = None,
        result: str = "",
    ) -> Record:
        """Return the record of legal moves made from a position. Raises MoveError."""
        game = start.rules.game
        texts = []
        position = start
        for move in moves:
            texts.append(spelled(move, position))
            position = position.play(move)
        return cls(
            game=game_reference(game),
            moves=tuple(texts),
            digest=game.digest,
            options={o.name: o.value for o in game.options if o.value != o.default},
            variants=game.variants,
            seed=seed,
            start=None if start == start.rules.start() else start.to_json(),
            result=result,
        )

    def to_text(self) -> str:
        """Return the record as YAML."""
        data: dict[str, Any] = {"game": self.game}
        if self.digest:
            data["digest"] = self.digest
        if self.options:
            data["options"] = dict(self.options)
        if self.variants:
            data["variants"] = list(self.variants)
        if self.seed is not None:
            data["seed"] = self.seed
        if self.start is not None:
            data["start"] = json.dumps(self.start, ensure_ascii=False)
        if self.result:
            data["result"] = self.result
        data["moves"] = list(self.moves)
        return yaml.safe_dump(data, sort_keys=False, allow_unicode=True, width=2**31)


@dataclass(frozen=True)
class Replay:
    """A record played again: each position from the first to the last, and the moves between."""

    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    warnings: tuple[Diagnostic, ...] = ()

    @property
    def last(self) -> Position:
        """The position that the game has come to."""
        return self.positions[-1]


def game_reference(game: Game) -> str:
    """Return what a record calls a game: a shipped one by its name, others by their path."""
    path = Path(game.document.span.source.name)
    shipped = games_folder().resolve()
    return path.stem if path.resolve().parent == shipped else str(path)


def spelled(move: Move, position: Position) -> str:
    """Return a text that means this move alone among the legal ones."""
    same = [m for m in position.moves() if words(m.text) == words(move.text)]
    return move.text if len(same) < 2 else _with_decisions(move)


def all_spelled(position: Position) -> tuple[str, ...]:
    """Return, for each legal move in order, a text that means it alone."""
    legal = position.moves()
    number = Counter(words(move.text) for move in legal)
    return tuple(
        move.text if number[words(move.text)] < 2 else _with_decisions(move) for move in legal
    )


def _with_decisions(move: Move) -> str:
    return f"{move.text}{_DECISIONS}{','.join(map(str, move.decisions))}"


def unspelled(text: str, position: Position) -> Move:
    """Return the legal move that `spelled` gave the text of. Raises MoveError."""
    words_alone, marker, decisions = text.rpartition(_DECISIONS)
    if not marker:
        return position.parse(text)
    for move in position.moves():
        if ",".join(map(str, move.decisions)) == decisions.strip():
            return move
    raise IllegalMoveError(f"`{words_alone}` with the decisions {decisions} is not a legal move.")


def replay(record: Record, path: str | Path | None = None) -> Replay:
    """Play a record again; `path` is where it was read, for games that stand beside it.

    Raises GameError if the game can't be loaded, the start is damaged (`damaged-position`) or
    a move can't be made (`damaged-record`). Where the rules have changed since, but all moves
    can be made, `warnings` says so (`other-rules`).
    """
    rules = Rules(load_game(_found(record.game, path), record.options, record.variants))
    warnings = _changed_rules(record, rules)
    try:
        return _replayed(record, rules, warnings)
    except GameError as error:
        raise GameError((*error.diagnostics, *warnings)) from None


def _replayed(record: Record, rules: Rules, warnings: tuple[Diagnostic, ...]) -> Replay:
    start = rules.start()
    if record.start is not None:
        data = {**record.start, "digest": rules.game.digest} if warnings else record.start
        start = rules.from_json(data)
    positions = [start]
    moves = []
    for index, text in enumerate(record.moves):
        span = record.spans[index] if index < len(record.spans) else None
        try:
            moves.append(unspelled(text, positions[-1]))
            positions.append(positions[-1].play(moves[-1]))
        except MoveError as error:
            message = f"Move {index + 1} can't be made: {error.message}"
            raise GameError([Diagnostic("damaged-record", message, span, error.hint)]) from None
        except RuleError as error:
            raise GameError([error.diagnostic]) from None
    return Replay(tuple(positions), tuple(moves), warnings)


def _found(game: str, path: str | Path | None) -> str:
    """Return a game's path as it is from here, if it stands beside the record."""
    if path is None or not game.endswith((".yaml", ".yml")) or Path(game).exists():
        return game
    beside = Path(path).parent / game
    return str(beside) if beside.exists() else game


def _changed_rules(record: Record, rules: Rules) -> tuple[Diagnostic, ...]:
    if record.digest in ("", rules.game.digest):
        return ()
    return (
        Diagnostic(
            "other-rules",
            f"The rules of {rules.game.title} are not those that this game was saved with.",
            hint="Get the file of the rules as it was then, if the moves do not fit.",
            severity="warning",
        ),
    )


# ------------------------------------------------------------------------- files


def write_record(record: Record, path: str | Path) -> None:
    """Write a record to a file, as a whole or not at all: what stood there before is kept.

    Raises GameError (`file-unwritable`, `file-too-large`).
    """
    data = record.to_text().encode("utf-8")
    if len(data) > MAX_BYTES:
        message = f"The game is too long to save: more than {MAX_BYTES // 1024} KiB."
        raise GameError([Diagnostic("file-too-large", message)])
    try:
        _replace(Path(os.path.realpath(path)), data)
    except OSError as error:
        message = f"`{path}` can't be written: {error.strerror or error}."
        raise GameError(
            [Diagnostic("file-unwritable", message, hint="Save it under another name.")]
        ) from None


def _replace(target: Path, data: bytes) -> None:
    if target.is_dir():
        raise IsADirectoryError(0, "it is a folder")
    handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, _mode(target))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def _mode(target: Path) -> int:
    """Return the permissions that the file has, or that a new one would get."""
    if target.exists():
        return target.stat().st_mode & 0o777
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def read_record(path: str | Path) -> Record:
    """Return the record in a file. Raises GameError with all that is wrong."""
    return parse_record(read_source(path))


def parse_record(source: Source) -> Record:
    """Return the record that a text is. Raises GameError with all that is wrong."""
    report = Report()
    document = read_document(source, report)
    if document is None:
        raise GameError(report.diagnostics)
    check(document, _SHAPE, "A saved game", report)
    report.raise_errors()
    moves = _scalars(document.get("moves"))
    options = document.get("options")
    record = Record(
        game=_text(document, "game"),
        moves=tuple(scalar.text for scalar in moves),
        digest=_text(document, "digest"),
        options={
            key.text: value.text
            for key, value in (options.entries if isinstance(options, Document) else ())
            if isinstance(value, Scalar)
        },
        variants=tuple(scalar.text for scalar in _scalars(document.get("variants"))),
        seed=_seed(document, report),
        start=_start(document, report),
        result=_text(document, "result"),
        spans=tuple(scalar.span for scalar in moves),
    )
    report.raise_errors()
    return record


def _seed(document: Document, report: Report) -> int | None:
    node = document.get("seed")
    if not isinstance(node, Scalar):
        return None
    if not node.text.removeprefix("-").isdecimal() or len(node.text) > 40:
        report.error("wrong-value", "The seed is a number.", node.span)
        return None
    return int(node.text)


def _start(document: Document, report: Report) -> Mapping[str, Any] | None:
    node = document.get("start")
    if not isinstance(node, Scalar):
        return None
    try:
        data = json.loads(node.text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        report.error("damaged-record", "The start is not a position.", node.span)
        return None
    return data


def _scalars(node: Node | None) -> list[Scalar]:
    items = node.items if isinstance(node, ListNode) else ()
    return [item for item in items if isinstance(item, Scalar)]


def _text(document: Document, key: str) -> str:
    node = document.get(key)
    return node.text.strip() if isinstance(node, Scalar) else ""
