"""Whole games as readable text.

In: rules, and the texts of the moves of a game. Out: a YAML text that a person can read and mend.
"""

from __future__ import annotations

import json
import os
from base64 import b32decode, b32encode
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from hashlib import shake_256
from pathlib import Path
from typing import Any

import yaml

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Span
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.position import Position
from gdl.interpreter.sessions.notation import spelled
from gdl.interpreter.sessions.signing.entries import Entry
from gdl.interpreter.sessions.signing.protocol import UNBOUND
from gdl.load import games_folder, is_path
from gdl.model import Game

BETWEEN_MOVES = "; "
"""What stands between the moves of a variation."""


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
    were played, each from the start. A signed game has an identity, `game_id`, and `entries` that
    its players have signed, by a version of the `protocol`; `reserved` are keys that seats are kept
    for. `remarks` are texts, by how many moves come before, of a game that was read in another's
    format, `asides` those of each variation, `headers` what stood above the game, `warnings` what
    could not be taken in; `text` is what the record was read from, if it was.
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
    game_id: str = ""
    protocol: int = UNBOUND
    reserved: Mapping[int, str] = field(default_factory=dict)
    entries: tuple[Entry, ...] = ()
    are_sealed: bool = field(default=False, compare=False)
    remarks: Mapping[int, str] = field(default_factory=dict, compare=False)
    asides: tuple[Mapping[int, str], ...] = field(default=(), compare=False)
    headers: Mapping[str, str] = field(default_factory=dict, compare=False)
    warnings: tuple[Diagnostic, ...] = field(default=(), compare=False)
    spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    variation_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    entry_spans: tuple[Span, ...] = field(default=(), compare=False, repr=False)
    text: str = field(default="", compare=False, repr=False)

    @property
    def is_signed(self) -> bool:
        """Whether its players sign what they add."""
        return bool(self.game_id or self.entries or self.reserved or self.protocol != UNBOUND)

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
            options={o.name: o.value for o in game.options if not o.is_usual},
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
        if self.game_id:
            data["id"] = self.game_id
        if self.protocol != UNBOUND:
            data["protocol"] = self.protocol
        if self.reserved:
            data["reserved"] = dict(self.reserved)
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
        keys = (seal_key(self.digest, self.seed, number) for number in range(len(self.moves)))
        data["moves"] = [
            sealed(move, key) if self.are_sealed else move
            for move, key in zip(self.moves, keys, strict=True)
        ]
        if self.variations:
            data["variations"] = [BETWEEN_MOVES.join(line) for line in self.variations]
        if self.entries:
            data["signed"] = [entry.line for entry in self.entries]
        text = _as_yaml(data, with_letters=True)
        is_seen = text.replace("\n", "").isprintable()
        return text if is_seen else _as_yaml(data, with_letters=False)

    def with_digest(self, digest: str) -> Record:
        """Return the record as one of the rules that have this digest."""
        start = None if self.start is None else {**self.start, "digest": digest}
        return replace(self, digest=digest, start=start)


def digest_of(record: Record, game: Game) -> str:
    """Return the digest that a record of a game has to name."""
    return game.digest if record.protocol == UNBOUND else game.whole_digest


def seal_key(digest: str, seed: int | None, number: int) -> str:
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


# ---------------------------------------------------------- moves that nobody should read by chance

_MARK = "~"
_BLOCK = 15
"""Texts are filled up to a multiple of so many bytes: base 32 has no padding then."""
_CHECKED = 2


def sealed(text: str, key: str) -> str:
    """Return a text sealed under a key, another one for each move of each game.

    >>> sealed("c3", "game:1"), unsealed(sealed("c3", "game:1"), "game:1")
    ('~K4QFX3XFU6DLROPCQM5DUTA5', 'c3')
    """
    plain = text.encode()
    filled = plain + bytes(-(len(plain) + _CHECKED) % _BLOCK)
    checked = _checksum(filled, key) + filled
    return _MARK + b32encode(_mixed(checked, key)).decode()


def is_sealed(text: str) -> bool:
    """Return whether a text is one that `sealed` has made."""
    return text.startswith(_MARK)


def unsealed(text: str, key: str) -> str | None:
    """Return the text that was sealed under this key; None if it is damaged or of another key."""
    try:
        checked = _mixed(b32decode(text.removeprefix(_MARK)), key)
        filled = checked[_CHECKED:]
        return (
            filled.rstrip(b"\0").decode() if _checksum(filled, key) == checked[:_CHECKED] else None
        )
    except ValueError:
        return None


def _checksum(filled: bytes, key: str) -> bytes:
    return shake_256(key.encode() + filled).digest(_CHECKED)


def _mixed(data: bytes, key: str) -> bytes:
    stream = shake_256(key.encode()).digest(len(data))
    return bytes(a ^ b for a, b in zip(data, stream, strict=True))
