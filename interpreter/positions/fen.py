"""Positions in a line of text, such as FEN: read and written by what a game's file says.

In: a notation of positions, and a position or a text. Out: the text, or what `Rules.from_rows`
takes. What then holds: a text that was written is read as a position with the same pieces, side on
turn and variables that it names.

Rows stand with the uppermost first and `/` between, and numbers for empty sites in a row (S. J.
Edwards, "Portable Game Notation Specification", 16.1).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import groupby
from typing import Any

from gdl.board.board import Board
from gdl.board.relation import bits
from gdl.codes import Code
from gdl.core.nodes import Slot
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, refused
from gdl.model import Game, Layer, PositionNotation

_NAME = re.compile(r"\{([^{}]*)\}")
_NOTHING = "-"
_ROWS, _MOVER, _HANDS, _COUNTS, _MOVE = "rows", "mover", "hands", "counts", "move"
_COUNTED = re.compile(r"(\d*)(\D)")


@dataclass(frozen=True)
class ReadPosition:
    """What a text says: the layer on each site, the side on turn, and variables by name."""

    standing: Mapping[int, Layer]
    mover: str | None
    state: Mapping[str, object]
    move: int


class PositionWriting:
    """A notation of positions of a game, made ready."""

    def __init__(self, game: Game, notation: PositionNotation) -> None:
        """Make a notation ready for the game that has it."""
        self._game = game
        self._notation = notation
        self._letters = {
            layer.name: self._letter(layer)
            for layer in game.layers
            if game.kinds[layer.kind] in notation.letters
        }
        self._layers = {self._letters.get(layer.name, ""): layer for layer in game.layers}
        self._rows = _rows_of(game.board)
        self._pattern = re.compile(self._whole_pattern())

    def _letter(self, layer: Layer) -> str:
        letter = self._notation.letters[self._game.kinds[layer.kind]]
        return letter.upper() if layer.side in (0, None) else letter.lower()

    # ----------------------------------------------------------------------- writing

    def text(
        self, standing: Mapping[int, Layer], values: Mapping[Slot, Any], mover: int, move: int
    ) -> str:
        """Return the text of a position; `move` is the number of the move that comes next."""

        def part(found: re.Match[str]) -> str:
            match found[1]:
                case "rows":
                    return self._written_rows(standing, values)
                case "mover":
                    return self._notation.movers[mover]
                case "hands" | "counts":
                    return self._written_hands(values, has_counts=found[1] == _COUNTS)
                case "move":
                    return str(move)
            return self._written_value(found[1], values)

        return " ".join(_NAME.sub(part, field) for field in self._notation.fields)

    def _written_rows(self, standing: Mapping[int, Layer], values: Mapping[Slot, Any]) -> str:
        marks = [
            (values[slot], form)
            for name, form in self._notation.marks.items()
            if (slot := self._game.state_slots.get(name)) is not None and slot in values
        ]

        def written(index: int) -> str:
            layer = standing.get(index)
            letter = "" if layer is None else self._letters.get(layer.name, "?")
            for sites, form in marks:
                if letter and sites >> index & 1:
                    letter = form.replace("{}", letter)
            return letter

        rows = []
        for row in self._rows:
            parts = groupby(map(written, row), key=bool)
            rows.append(
                "".join("".join(group) if full else str(len(list(group))) for full, group in parts)
            )
        return "/".join(rows)

    def _written_hands(self, values: Mapping[Slot, Any], *, has_counts: bool) -> str:
        found = ""
        for number, side in enumerate(self._game.sides):
            held = self._game.hands.get(side, {})
            for kind, letter in self._notation.letters.items():
                count = values.get(held[kind], 0) if kind in held else 0
                sign = letter.lower() if number else letter.upper()
                found += (
                    (str(count) if count > 1 else "") + sign * bool(count)
                    if has_counts
                    else sign * count
                )
        return found or (_NOTHING if has_counts else "")

    def _written_value(self, name: str, values: Mapping[Slot, Any]) -> str:
        slot = self._game.state_slots[name]
        value = values.get(slot, 0)
        if slot.type != SITES:
            return str(value)
        names = [self._game.board.sites[index].name for index in bits(value)]
        signs = self._notation.signs.get(name)
        if signs is not None:
            names = [sign for site, sign in signs.items() if site in names]
        return "".join(names) or _NOTHING

    # ----------------------------------------------------------------------- reading

    def read(self, text: str) -> ReadPosition:
        """Return what a text says. Raises GameError."""
        found = self._pattern.fullmatch(" ".join(text.split()))
        if found is None:
            raise self._wrong(text)
        told = {name: part for name, part in found.groupdict().items() if part is not None}
        standing, marked = self._read_rows(told["rows"], text)
        state: dict[str, object] = {
            name: self._sites(sites) for name, sites in marked.items() if name in self._kept
        }
        mover = None
        if _MOVER in told:
            if told[_MOVER] not in self._notation.movers:
                raise self._wrong(text, f"`{told[_MOVER]}` is no side.")
            mover = self._game.sides[self._notation.movers.index(told[_MOVER])]
        for name, part in told.items():
            if name in (_HANDS, _COUNTS):
                state |= self._read_hands(part, text)
            elif name.startswith("v_"):
                variable = self._variables[int(name[2:])]
                if variable in self._kept:
                    state[variable] = self._read_value(variable, part, text)
        move = told.get(_MOVE, "1")
        return ReadPosition(standing, mover, state, int(move) if move.isdecimal() else 1)

    def _read_rows(self, rows: str, text: str) -> tuple[dict[int, Layer], dict[str, int]]:
        standing: dict[int, Layer] = {}
        marked: dict[str, int] = dict.fromkeys(self._notation.marks, 0)
        forms = {
            form.replace("{}", letter): (layer, name)
            for name, form in self._notation.marks.items()
            for letter, layer in self._layers.items()
            if letter
        }
        lines = rows.split("/")
        if len(lines) != len(self._rows):
            raise self._wrong(text, f"Of the board's {len(self._rows)} rows it has {len(lines)}.")
        known = sorted((*forms, *filter(None, self._layers)), key=len, reverse=True)
        token = re.compile("|".join((*map(re.escape, known), r"\d+", ".")))
        for line, row in zip(lines, self._rows, strict=True):
            place = 0
            for word in token.findall(line):
                if word.isdecimal():
                    place += int(word)
                    continue
                layer, mark = forms.get(word, (self._layers.get(word), ""))
                if layer is None:
                    raise self._wrong(text, f"`{word}` is no piece.")
                if place < len(row):
                    standing[row[place]] = layer
                    if mark:
                        marked[mark] |= 1 << row[place]
                place += 1
            if place != len(row):
                raise self._wrong(text, f"The row `{line[:40]}` has {place} sites, not {len(row)}.")
        return standing, marked

    def _read_hands(self, part: str, text: str) -> dict[str, object]:
        held = {slot.name: 0 for slots in self._game.hands.values() for slot in slots.values()}
        for count, letter in _COUNTED.findall(part.replace(_NOTHING, "")):
            layer = self._layers.get(letter)
            side = None if layer is None or layer.side is None else self._game.sides[layer.side]
            slot = None
            if layer is not None and side is not None:
                slot = self._game.hands.get(side, {}).get(self._game.kinds[layer.kind])
            if slot is None:
                raise self._wrong(text, f"`{letter}` is no piece in a hand.")
            held[slot.name] += int(count or 1)
        return dict(held)

    def _read_value(self, name: str, part: str, text: str) -> object:
        slot = self._game.state_slots[name]
        if slot.type != SITES:
            return part
        if part == _NOTHING:
            return "none"
        sites, rest = 0, part
        signs = self._notation.signs.get(name, {})
        names = {sign: self._game.board.index(site) for site, sign in signs.items()}
        if not signs:
            names = {site.name: site.index for site in self._game.board.sites}
        while rest:
            sign = next(
                (s for s in sorted(names, key=len, reverse=True) if rest.startswith(s)), None
            )
            index = names[sign] if sign is not None else self._by_column(rest[0], signs)
            if index is None:
                raise self._wrong(text, f"`{rest[:20]}` is no site of `{name}`.")
            sites |= 1 << index
            rest = rest[len(sign or rest[0]) :]
        return self._sites(sites)

    def _by_column(self, letter: str, signs: Mapping[str, str]) -> int | None:
        """Return the site in a column, and in the row of the signs in the same case (X-FEN)."""
        sites = self._game.board.sites
        for name, sign in signs.items():
            index = self._game.board.index(name)
            if index is not None and sign.isupper() == letter.isupper():
                return self._game.board.index(letter.lower() + str(sites[index].row))
        return None

    def _sites(self, sites: int) -> str:
        names = [self._game.board.sites[index].name for index in bits(sites)]
        return " | ".join(names) or "none"

    @property
    def _kept(self) -> frozenset[str]:
        """The variables that positions have a value of."""
        kept = frozenset(self._game.program.state)
        return frozenset(name for name, slot in self._game.state_slots.items() if slot in kept)

    @property
    def _variables(self) -> list[str]:
        """The variables that the fields name, in their order."""
        named = [name for field in self._notation.fields for name in _NAME.findall(field)]
        return [name for name in named if name in self._game.state_slots]

    def _whole_pattern(self) -> str:
        """Return the pattern of a text, of which fields at the end may be missing."""
        number = 0

        def part(name: str) -> str:
            nonlocal number
            if name not in self._game.state_slots:
                return rf"(?P<{name}>[^\s[\]]{'*' if name == _HANDS else '+'})"
            number += 1
            return rf"(?P<v_{number - 1}>\S+)"

        fields = list[str]()
        for field in self._notation.fields:
            pattern, done = "", 0
            for found in _NAME.finditer(field):
                pattern += re.escape(field[done : found.start()]) + part(found[1])
                done = found.end()
            literal = re.escape(field[done:])
            fields.append(pattern + literal if done else r"\S+")
        whole = ""
        for place, pattern in reversed(list(enumerate(fields))):
            if place == 0 and "\\[" in pattern:
                head, _, tail = pattern.partition("\\[")
                pattern = rf"{head}(?:\[{tail})?"
            whole = (
                f"{' ' if place else ''}{pattern}(?:{whole})?"
                if whole
                else f"{' ' * bool(place)}{pattern}"
            )
        return whole

    def _wrong(self, text: str, more: str = "") -> GameError:
        fields, said = " ".join(self._notation.fields), " ".join(text.split())[:80]
        return refused(
            Code.WRONG_VALUE,
            f"`{said}` is no position of {self._game.title}. {more}".rstrip(),
            f"It is written `{fields}`.",
        )


def _rows_of(board: Board) -> list[list[int]]:
    """Return the sites of each row, the uppermost first, from left to right."""
    rows: dict[int, list[int]] = {}
    for site in board.sites:
        rows.setdefault(site.row, []).append(site.index)
    ordered = sorted(rows, reverse=not board.top_first)
    return [sorted(rows[row], key=lambda index: board.sites[index].column) for row in ordered]
