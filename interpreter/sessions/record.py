"""Whole games as readable text: saved, loaded and played again.

In: rules and the moves of a game. Out: a YAML file that a person can read and mend, and the
positions that it leads through. What then holds: a file is written as a whole or not at all, and
only if it can be read again; a file that is damaged, or belongs to other rules, is told from one
that is not.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from gdl.diagnostic import Diagnostic, GameError, Report, Source, Span
from gdl.document import read_document, read_source
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.document.nodes import Sequence as ListNode
from gdl.document.reader import Limits, has_setting
from gdl.document.shape import Code, Listing, Prose, Settings, Table, check
from gdl.load import games_folder, is_path, load_game
from gdl.model import Game
from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import IllegalMoveError, Move, MoveError, words
from interpreter.files import write_file
from interpreter.positions.position import Position, Rules
from interpreter.sessions.clock import TimeControl
from interpreter.sessions.seal import is_sealed, sealed, unsealed

_SHAPE = Settings(
    "a saved game",
    {
        "game": Prose("a game's name or path"),
        "digest": Code("the digest of the rules"),
        "options": Table(Prose("a value")),
        "variants": Listing(Prose("a name"), "a list of names"),
        "seed": Code("a number"),
        "seats": Table(Prose("a kind of player")),
        "clock": Prose("a time control"),
        "left": Table(Code("seconds")),
        "start": Prose("a position"),
        "moves": Listing(Prose("a move"), "a list of moves"),
        "variations": Listing(Prose("moves from the start, with `;` between"), "a list of lines"),
        "result": Prose(),
        "winners": Listing(Code("a seat"), "a list of seats"),
    },
    required=("game", "moves"),
)
_DECISIONS = " @"
_BETWEEN = "; "
_SECONDS = re.compile(r"\d{1,8}(\.\d{1,3})?")

SAVED_GAME = Limits(
    "a saved game", 1024 * 1024, 100_000, "Begin another game at the position that it has come to."
)


@dataclass(frozen=True)
class Record:
    """A game as it is kept.

    `game` is a name or a path, as `load_game` takes it; `digest` that of the rules with the
    `options` and `variants`. `start` is what `Position.to_json` gave, or None for the usual
    beginning. `moves` are texts; where two legal moves have one text, the decisions follow,
    as in `b2 @1,9`. `seats` says which kind of player sits at a seat, where it is no person;
    `clock` is a time control, `left` the seconds that seats have left.
    `result` is for readers: it may say that a side has resigned. In the file of a game that hides
    something, moves `are_sealed` until it is over, and no `variations` are kept: other lines that
    were played, each from the start. `text` is what the record was read from, if it was.
    """

    game: str
    moves: tuple[str, ...] = ()
    digest: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    variants: tuple[str, ...] = ()
    seed: int | None = None
    seats: Mapping[int, str] = field(default_factory=dict)
    clock: str = ""
    left: Mapping[int, float] = field(default_factory=dict)
    start: Mapping[str, Any] | None = None
    result: str = ""
    variations: tuple[tuple[str, ...], ...] = ()
    are_sealed: bool = field(default=False, compare=False)
    spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    variation_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    text: str = field(default="", compare=False, repr=False)

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
        texts = []
        position = start
        for move in moves:
            texts.append(spelled(move, position))
            position = position.play(move)
        return cls.told(start, texts, seed=seed, result=result)

    @classmethod
    def told(
        cls,
        start: Position,
        texts: Sequence[str],
        *,
        seed: int | None = None,
        result: str = "",
        seats: Mapping[int, str] | None = None,
        variations: Sequence[Sequence[str]] = (),
    ) -> Record:
        """Return the record of moves that `spelled` gave the texts of."""
        game = start.rules.game
        are_sealed = game.hides and not result
        return cls(
            game=game_reference(game),
            moves=tuple(texts),
            digest=game.digest,
            options={o.name: o.value for o in game.options if o.value != o.default},
            variants=game.variants,
            seed=seed,
            seats=dict(seats or {}),
            start=None if start == start.rules.start() else start.to_json(),
            result=result,
            variations=() if are_sealed else tuple(map(tuple, variations)),
            are_sealed=are_sealed,
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
        if self.seats:
            data["seats"] = dict(self.seats)
        if self.clock:
            data["clock"] = self.clock
            data["left"] = dict(self.left)
        if self.start is not None:
            data["start"] = json.dumps(self.start, ensure_ascii=False)
        if self.result:
            data["result"] = self.result
        keys = (_seal_key(self.digest, self.seed, number) for number in range(len(self.moves)))
        data["moves"] = [
            sealed(move, key) if self.are_sealed else move
            for move, key in zip(self.moves, keys, strict=True)
        ]
        if self.variations:
            data["variations"] = [_BETWEEN.join(line) for line in self.variations]
        text = _as_yaml(data, with_letters=True)
        is_seen = text.replace("\n", "").isprintable()
        return text if is_seen else _as_yaml(data, with_letters=False)

    def with_digest(self, digest: str) -> Record:
        """Return the record as one of the rules that have this digest."""
        start = None if self.start is None else {**self.start, "digest": digest}
        return replace(self, digest=digest, start=start)


@dataclass(frozen=True)
class Replay:
    """A record played again: each position from the first to the last, and the moves between.

    `variations` are other lines from the first position on: moves, each with the position after it.
    """

    positions: tuple[Position, ...]
    moves: tuple[Move, ...]
    warnings: tuple[Diagnostic, ...] = ()
    record: Record | None = None
    variations: tuple[tuple[tuple[Move, Position], ...], ...] = ()

    @property
    def last(self) -> Position:
        """The position that the game has come to."""
        return self.positions[-1]


def _seal_key(digest: str, seed: int | None, number: int) -> str:
    """Return the key under which a move is sealed, by its number from 0."""
    return f"{digest}:{seed}:{number}"


def _as_yaml(data: Mapping[str, Any], with_letters: bool) -> str:
    """Return data as YAML, with letters of all languages as they are or as `\\xfc`."""
    settings: dict[str, Any] = {"allow_unicode": with_letters, "width": 2**31 - 1}
    layout: dict[str, Any] = {"sort_keys": False, "default_flow_style": False}
    return str(yaml.dump(data, Dumper=yaml.CSafeDumper, **settings, **layout))


def game_reference(game: Game) -> str:
    """Return what a record calls a game: a shipped one by its name, others by their path."""
    name = game.document.span.source.name
    path = Path(name)
    if path.resolve().parent == games_folder().resolve():
        return path.stem
    return name if is_path(name) else os.path.join(os.curdir, name)


def from_anywhere(game: str) -> str:
    """Return what a record calls a game, with a path that does not depend on where one is."""
    return os.path.abspath(game) if is_path(game) else game


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
        told = record.with_digest(rules.game.digest) if warnings else record
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
    return Replay(positions, moves, warnings, record, tuple(variations))


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
        raise GameError([Diagnostic("damaged-record", message, span, error.hint)]) from None
    except RuleError as error:
        raise GameError([error.diagnostic]) from None


def _found(game: str, path: str | Path | None) -> str:
    """Return a game's path as it is from here, if it stands beside the record."""
    if path is None or not is_path(game) or os.path.exists(game):
        return game
    beside = os.path.join(os.path.dirname(path), game)
    return beside if os.path.exists(beside) else game


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


def write_record(
    record: Record, path: str | Path, *, is_new: bool = False, instead_of: str | None = None
) -> None:
    """Write a record to a file, as a whole or not at all: what stood there before is kept.

    With `is_new` nothing may stand there; `instead_of` is the text of the record that must stand
    there still. Raises GameError (`file-exists`, `file-unwritable`, `file-too-large`,
    `save-changed`).
    """
    text = _readable_text(record, path)

    def check() -> None:
        if instead_of is not None and saved_text(path) != instead_of:
            raise GameError([_changed_meanwhile(path)])

    write_file(path, text, is_new=is_new, check=check)


def _readable_text(record: Record, path: str | Path) -> str:
    """Return a record's text. Raises GameError if it could not be read again.

    The game may be too long, or the file of its rules have a name that is no text.
    """
    try:
        text = record.to_text()
        if parse_record(Source(str(path), text)) == record:
            return text
    except UnicodeEncodeError:
        pass
    except GameError as error:
        if {found.code for found in error.diagnostics} & {"file-too-large", "too-many-nodes"}:
            message = f"The game is too long to save: {len(record.moves)} moves."
            hint = SAVED_GAME.hint
            raise GameError([Diagnostic("file-too-large", message, None, hint)]) from None
    message = f"The game can't be written down so that it can be read again: `{record.game}`."
    hint = "Give the file of the rules a plain name."
    raise GameError([Diagnostic("file-unwritable", message, None, hint)])


def _changed_meanwhile(path: str | Path) -> Diagnostic:
    return Diagnostic(
        "save-changed",
        f"`{path}` was changed meanwhile, by another program or person. Nothing was written.",
        None,
        f"Look at it with `gdl show {path}`, and move again.",
    )


def saved_text(path: str | Path) -> str | None:
    """Return what stands in a file, whatever it is; None if nothing of that can be read."""
    try:
        return read_source(path, SAVED_GAME).text
    except GameError:
        return None


def is_saved_game(path: str | Path) -> bool:
    """Return whether a path is that of a saved game rather than of a game."""
    text = saved_text(path)
    if text is None:
        return False
    document = read_document(Source(str(path), text), Report(), SAVED_GAME)
    return document is not None and document.get("moves") is not None


def read_record(path: str | Path) -> Record:
    """Return the record in a file. Raises GameError with all that is wrong."""
    source = read_source(path, SAVED_GAME)
    if source.text.strip() and not has_setting(source.text, _SHAPE.required):
        message = f"`{path}` is not a saved game: no line begins with `game:`."
        hint = "`gdl new` begins one."
        raise GameError([Diagnostic("damaged-record", message, None, hint)])
    return parse_record(source)


def parse_record(source: Source) -> Record:
    """Return the record that a text is. Raises GameError with all that is wrong."""
    report = Report()
    document = read_document(source, report, SAVED_GAME)
    if document is None:
        raise GameError(report.diagnostics)
    check(document, _SHAPE, "A saved game", report)
    report.raise_errors()
    moves = _scalars(document.get("moves"))
    variations = _scalars(document.get("variations"))
    options = document.get("options")
    digest, seed = _text(document, "digest"), _seed(document, report)
    record = Record(
        game=_text(document, "game"),
        moves=_moves(moves, digest, seed, report),
        digest=digest,
        options={
            key.text: value.text
            for key, value in (options.entries if isinstance(options, Document) else ())
            if isinstance(value, Scalar)
        },
        variants=tuple(scalar.text for scalar in _scalars(document.get("variants"))),
        seed=seed,
        seats=_seats(document.get("seats"), report),
        clock=_clock(document, report),
        left=_left(document.get("left"), report),
        start=_start(document, report),
        result=_text(document, "result"),
        variations=tuple(tuple(line.text.split(_BETWEEN)) for line in variations),
        spans=tuple(scalar.span for scalar in moves),
        variation_spans=tuple(line.span for line in variations),
        text=source.text,
    )
    report.raise_errors()
    return record


def _moves(
    scalars: Sequence[Scalar], digest: str, seed: int | None, report: Report
) -> tuple[str, ...]:
    """Return the texts of moves, those that are sealed opened."""
    texts = []
    for number, scalar in enumerate(scalars):
        text: str | None = scalar.text
        if is_sealed(scalar.text):
            text = unsealed(scalar.text, _seal_key(digest, seed, number))
        if text is None:
            report.error(
                "damaged-record",
                f"Move {number + 1} is sealed, and its seal is broken.",
                scalar.span,
                "Sealed moves belong to the game's digest, seed and order: take an older copy.",
            )
        texts.append(text or "")
    return tuple(texts)


def _seed(document: Document, report: Report) -> int | None:
    node = document.get("seed")
    if not isinstance(node, Scalar):
        return None
    if not node.text.removeprefix("-").isdecimal() or len(node.text) > 40:
        report.error("wrong-value", "The seed is a number.", node.span)
        return None
    return int(node.text)


def _seats(node: Node | None, report: Report) -> Mapping[int, str]:
    seats = {}
    for key, value in node.entries if isinstance(node, Document) else ():
        if isinstance(value, Scalar) and key.text.isdecimal() and int(key.text) > 0:
            seats[int(key.text)] = value.text.strip()
        else:
            report.error("damaged-record", f"`{key.text}` is no seat's number.", key.span)
    return seats


def _clock(document: Document, report: Report) -> str:
    node, text = document.get("clock"), _text(document, "clock")
    if node is not None and TimeControl.of(text) is None:
        report.error("wrong-value", "The clock is a time such as `10m+5s`.", node.span)
        return ""
    return text


def _left(node: Node | None, report: Report) -> Mapping[int, float]:
    left = {}
    for key, value in node.entries if isinstance(node, Document) else ():
        text = value.text.strip() if isinstance(value, Scalar) else ""
        if key.text.isdecimal() and int(key.text) > 0 and _SECONDS.fullmatch(text):
            left[int(key.text)] = float(text)
        else:
            report.error("damaged-record", f"`{key.text}` has no number of seconds.", key.span)
    return left


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
    if not isinstance(node, Scalar):
        return ""
    return node.text if node.style == "quoted" else node.text.strip()
