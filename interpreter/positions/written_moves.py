"""Moves as the field writes them: read and written by what a game's file says under `notation`.

In: a notation of a game, a position, and a move or a text. Out: the text of the move, or the one
legal move that a text means. What then holds: a text that was written for a legal move is read as
that move, or as one that leads to an equal position.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any, Protocol

from gdl.core.memo import Memo
from gdl.core.nodes import Const, Expression, Let
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.evaluator import Outcome, State
from gdl.interpreter.evaluation.moves import AmbiguousMoveError, IllegalMoveError, Move, quoted
from gdl.interpreter.positions.piece_numbers import PieceNumbers
from gdl.model import HERE, NUMBER, Form, Game, Layer, Notation

_AFTER = re.compile(r"(?:\s*e\.?p\.?)?[+#!?]*$")
_SITES = ("site", "needed", "last", "via", "beside")
_SMALL = "small"
_TIMES = re.compile(r"[(](\d+)[)]")
_SITE, _AT, _BETWEEN = re.compile(r"s\d+"), re.compile(r"p\d+"), re.compile(r"d\d+_\d+")
_MOST_SHOWN = 8
_MOST_KEPT = 1 << 14


class Position(Protocol):
    """What is asked of a position in which moves are read and written."""

    @property
    def state(self) -> State:
        """The state."""

    @property
    def side(self) -> int:
        """The number of the side on turn."""

    @property
    def outcome(self) -> Outcome | None:
        """How the game has ended."""

    def moves(self) -> Sequence[Move]:
        """Return the legal moves."""

    def after(self, move: Move, /) -> Position:
        """Return the position after a legal move."""

    def value(self, expression: Expression, /) -> Any:
        """Return what an expression is worth."""

    def kind_on(self, index: int, /) -> str:
        """Return the kind of the uppermost piece on a site."""

    @property
    def piece_numbers(self) -> PieceNumbers:
        """What stands on each site, with numbers in the order in which pieces came."""

    def occupied(self) -> Iterator[tuple[int, Layer]]:
        """Yield each site with a piece, and its layer."""


@dataclass(frozen=True)
class Named:
    """What the words of a move name: sites by index, kinds, and other words; `told` is all."""

    sites: tuple[int, ...]
    kinds: tuple[str, ...]
    words: tuple[str, ...]
    last: int
    told: tuple[int | str, ...]


@dataclass(frozen=True)
class _Steps:
    """Steps in any order: how many more pieces come to each place than leave it.

    `places` are all that are named, and `taking` is how many steps take something.
    """

    come: Counter[int | str]
    places: frozenset[int | str]
    taking: int


@dataclass(frozen=True)
class _Wanted:
    """What a text says of a move in one form; what it leaves open is None.

    `pieces` are those on other sites than the first, by place, `ways` signs of directions between
    two places, and `beside` tells the last site by a piece and a sign. `numbers` are run together.
    """

    piece: str | None = None
    first: frozenset[int] | None = None
    sites: tuple[tuple[int, int], ...] = ()
    between: tuple[int, ...] = ()
    kind: str | None = None
    words: str | None = None
    pieces: tuple[tuple[int, str], ...] = ()
    ways: tuple[tuple[int, int, str], ...] = ()
    beside: str | None = None
    numbers: str | None = None
    steps: _Steps | None = None


class WrittenForm:
    """One form of a notation, made ready: which moves it fits, and how its texts read."""

    def __init__(self, form: Form, notation: Notation) -> None:
        """Make a form of a notation ready."""
        self.parts = form.parts
        self.word = form.word.lower()
        self.conditions = form.conditions
        whats = [what for what, _ in form.parts]
        self._names_sites = any(what in _SITES for what in whats)
        self._has_via = "via" in whats
        numbers = [int(sign) for what, sign in form.parts if what in ("site", "needed")]
        for what, sign in form.parts:
            if what == "way":
                numbers.extend(map(int, sign.split(">")))
            elif what == "piece" and "beside" in whats:
                numbers.append(int(sign))
        self.sites = max(numbers, default=0) + ("last" in whats or "beside" in whats)
        has_kind = "kind" in whats or "capital" in whats
        self.has_kind = has_kind
        self._kinds = (int(has_kind), int(has_kind or "choice" in whats))
        self._signs = notation.words if {"words", "steps"}.intersection(whats) else {}
        self._has_numbers = "number" in whats
        self.steps = next((sign for what, sign in form.parts if what == "steps"), "")
        self.has_taken = "taken" in whats
        self.needed = "needed" in whats
        self.via = self._has_via

    def fits(self, named: Named) -> bool:
        """Return whether a move is of this form, whatever the position."""
        if self.word and self.word not in named.words:
            return False
        if self._has_numbers:
            return bool(named.words) and all(map(str.isdecimal, map(str, named.told)))
        if self.steps:
            has_ends = len(named.told) % 2 == 0 and not named.kinds
            return has_ends and all(word in self._signs for word in named.words)
        if not self._names_sites:
            return True
        number = len(named.sites)
        has_sites = number >= self.sites if self._has_via else number == self.sites
        return (
            has_sites
            and self._kinds[0] <= len(named.kinds) <= self._kinds[1]
            and all(word == self.word or word in self._signs for word in named.words)
        )


class Writing:
    """A notation of a game, made ready to read and to write moves."""

    def __init__(self, game: Game, notation: Notation) -> None:
        """Make a notation ready for a game that has it."""
        self.game = game
        self.notation = notation
        self.name = notation.name
        self.names = tuple(map("".join, zip(notation.columns, notation.rows, strict=True)))
        self.forms = tuple(WrittenForm(form, notation) for form in notation.forms)
        self._tells_pieces = notation.tells_numbers or bool(notation.sides)
        self._relations = [
            (sign if "{}" in sign else "{}" + sign, way)
            for way, sign in notation.directions.items()
            if way != HERE
        ]
        self._here = tuple(notation.directions.get(HERE, "{}").split())
        self._kind_of = {kind.lower(): kind for kind in game.kinds}
        self._known = Memo[Move, Named]()
        self._number_known = 0
        self._by_side: dict[int, Writing] = {}
        self.condition = lru_cache(_MOST_KEPT)(self._condition)
        self.meanings = lru_cache(_MOST_KEPT)(self._meanings)

    def at(self, position: Position) -> Writing:
        """Return how the side on turn writes, which may have numbers of its own for sites."""
        if not self.notation.numbers:
            return self
        if position.side not in self._by_side:
            number, slot = self.notation.numbers[position.side], self.notation.site
            sites = range(self.game.board.size)
            numbers = (position.value(Let(slot, Const(1 << site, SITES), number)) for site in sites)
            notation = replace(
                self.notation, columns=tuple(map(str, numbers)), rows=("",) * len(sites), numbers=()
            )
            self._by_side[position.side] = Writing(self.game, notation)
        return self._by_side[position.side]

    def named(self, move: Move) -> Named:
        """Return what a move names, as it was worked out before if it is the same object."""
        return self._known.of(move, self._named)

    def _named(self, move: Move) -> Named:
        self._number_known += 1
        if self._number_known > _MOST_KEPT:
            self._known, self._number_known = Memo(), 0
        sites, kinds, others = list[int](), list[str](), list[str]()
        told = list[int | str]()
        for word in move.words:
            index = self.game.board.index(word)
            told.append(word if index is None else index)
            if index is not None:
                sites.append(index)
            elif word in self._kind_of:
                kinds.append(self._kind_of[word])
            else:
                others.append(word)
        last = sites[-1] if sites else -1
        return Named(tuple(sites), tuple(kinds), tuple(others), last, tuple(told))

    # ----------------------------------------------------------------------- writing

    def text(self, move: Move, position: Position) -> str | None:
        """Return how a legal move is written here; None if no form fits it."""
        if self.notation.numbers:
            return self.at(position).text(move, position)
        named = self.named(move)
        form = self._form(named, position)
        if form is None:
            return None
        tells_taken = form.has_taken or len(form.steps) > 1
        after = position.after(move) if tells_taken or self.notation.checks else position
        taken = _taken(position, after) if tells_taken else frozenset()
        rivals = self._rivals(form, move, named, position) if form.needed or form.via else []
        via = form.via and any(
            (r.sites[0], r.sites[-1]) == (named.sites[0], named.sites[-1]) for r in rivals
        )
        written, joint = list[str](), ""
        for what, sign in form.parts:
            if what == "text":
                written.append(sign)
            elif what == "taken":
                joint = (sign[-1] if taken else "") if len(sign) < 2 else sign[bool(taken)]
                written.append(joint)
            elif what == "needed":
                written.append(self._needed(named, rivals, position, bool(taken)))
            elif what == "via":
                between = named.sites[1:-1] if via else ()
                written.extend(self.names[site] + joint for site in between)
            elif what == "steps":
                written.append(self._steps_of(named, sign, taken))
            else:
                written.append(self._part(what, sign, named, position))
        return "".join(written) + self.check_sign(after)

    def _form(self, named: Named, position: Position) -> WrittenForm | None:
        for form in self.forms:
            if form.fits(named) and self._holds(form, named, position):
                return form
        return None

    def _holds(self, form: WrittenForm, named: Named, position: Position) -> bool:
        if not form.conditions:
            return True
        ends = named.sites[:1] + named.sites[-1:]
        return bool(position.value(self.condition(form, position.side, ends)))

    def _condition(self, form: WrittenForm, side: int, ends: tuple[int, ...]) -> Expression:
        """Return a form's condition for a side, of a move with these first and last sites.

        The same object each time, so that it is made ready once.
        """
        condition: Expression = form.conditions[side]
        for slot, place in ((self.notation.first, 0), (self.notation.last, -1)):
            value = 1 << ends[place] if ends else 0
            condition = Let(slot, Const(value, SITES), condition)
        return condition

    def _part(self, what: str, sign: str, named: Named, position: Position) -> str:
        match what:
            case "site":
                return self.names[named.sites[int(sign) - 1]]
            case "last":
                return self.names[named.sites[-1]]
            case "piece":
                return self._letter_on(named.sites[int(sign) - 1], position)
            case "way":
                return self._way(sign, named)
            case "beside":
                return self._beside(named, position)
            case "number":
                return "".join(named.words)
            case "kind":
                return self._kinds(named, position)
            case "capital":
                return self.notation.letters.get(named.kinds[0], "").upper()
            case "choice":
                kinds = [self.notation.letters.get(kind, "") for kind in named.kinds]
                return sign + kinds[0] if kinds else ""
            case _:
                return "".join(self.notation.words.get(word, "") for word in named.words)

    def _steps_of(self, named: Named, signs: str, taken: frozenset[int]) -> str:
        """Return all steps of a move; the first that comes to a taken site has the sign of that."""
        written, told = list[str](), [iter(named.told)] * 2
        rest = set(taken)
        for ends in zip(*told, strict=True):
            text = signs[0].join(self._end_of(end) for end in ends)
            written.append(text + signs[1:] * (ends[-1] in rest))
            rest.discard(ends[-1])
        return " ".join(written)

    def _end_of(self, end: int | str) -> str:
        return self.notation.words[end] if isinstance(end, str) else self.names[end]

    def _letter_on(self, site: int, position: Position) -> str:
        if not self._tells_pieces:
            return self.notation.letters.get(position.kind_on(site), "")
        pile = position.piece_numbers.piles.get(site)
        return self._piece(*pile[-1]) if pile else ""

    def _piece(self, layer: Layer | None, number: int) -> str:
        """Return how a piece of a layer with a number is called."""
        if layer is None:
            return ""
        side = None if layer.side is None else self.game.sides[layer.side]
        letter = self.notation.letters.get(self.game.kinds[layer.kind], "")
        letter = letter.replace(NUMBER, str(number))
        by = self.notation.sides.get(side or "", "{}")
        return letter.lower() if by == _SMALL else by.replace("{}", letter)

    def _kinds(self, named: Named, position: Position) -> str:
        """Return the letters of the kinds that a move names, of pieces that it brings."""
        if not self._tells_pieces:
            return "".join(self.notation.letters.get(kind, "") for kind in named.kinds)
        counted = position.piece_numbers.counted
        told = ""
        for kind in named.kinds:
            layer = self._layer_of(kind, position.side)
            told += self._piece(layer, counted.get(layer, 0) + 1)
        return told

    def _layer_of(self, kind: str, side: int) -> Layer | None:
        found = (
            layer
            for layer in self.game.layers
            if self.game.kinds[layer.kind] == kind and layer.side in (side, None)
        )
        return next(found, None)

    def _way(self, places: str, named: Named) -> str:
        """Return the sign of the direction between two sites of a move, such as `1>2`."""
        start, end = (named.sites[int(place) - 1] for place in places.split(">"))
        return next(
            (
                sign.replace("{}", "")
                for sign, way in self._relations
                if self._leads(start, way, end)
            ),
            "",
        )

    def _leads(self, start: int, way: str, end: int) -> bool:
        return bool(self.game.board.relations[way].image(1 << start) >> end & 1)

    def _beside(self, named: Named, position: Position) -> str:
        """Return the last site of a move, as it is told by a piece; empty if there is none."""
        text = next(self._told_beside(named, position), "")
        return text and f" {text}"

    def _told_beside(self, named: Named, position: Position) -> Iterator[str]:
        """Yield how the last site of a move is told by pieces, the moved one left out.

        Those that stand there come first, then those beside it, the uppermost first.
        """
        piles = position.piece_numbers.piles
        last = named.sites[-1]
        for piece in reversed(piles.get(last, ())):
            yield from (here.replace("{}", self._piece(*piece)) for here in self._here)
        for sign, way in self._relations:
            for site, pile in piles.items():
                if self._leads(site, way, last):
                    moved = len(named.sites) > 1 and site == named.sites[0]
                    for piece in reversed(pile[: len(pile) - moved]):
                        yield sign.replace("{}", self._piece(*piece))

    def _rivals(
        self, form: WrittenForm, move: Move, named: Named, position: Position
    ) -> list[Named]:
        """Return what other legal moves name that differ in how they begin, or on their way."""
        letter = self._letter_on(named.sites[0], position)
        found = []
        for other in position.moves():
            theirs = self.named(other)
            if (
                other.decisions != move.decisions
                and theirs.sites[-1:] == named.sites[-1:]
                and (theirs.kinds, theirs.words) == (named.kinds, named.words)
                and form.fits(theirs)
                and self._letter_on(theirs.sites[0], position) == letter
            ):
                found.append(theirs)
        return found

    def _needed(
        self, named: Named, rivals: Sequence[Named], position: Position, takes: bool
    ) -> str:
        """Return as much of the first site as is needed.

        A piece without a letter that takes is always told by its column (PGN standard, 8.2.3.3).
        """
        first = named.sites[0]
        column, row = self.notation.columns[first], self.notation.rows[first]
        others = {other.sites[0] for other in rivals} - {first}
        if not others:
            return column if takes and not self._letter_on(first, position) else ""
        if all(self.notation.columns[site] != column for site in others):
            return column
        return row if all(self.notation.rows[site] != row for site in others) else column + row

    def check_sign(self, after: Position) -> str:
        """Return what stands behind a move that gives check or mate; nothing behind others."""
        if not self.notation.checks:
            return ""
        if after.outcome is not None and after.outcome.winners:
            return "#"
        return "+" if after.value(self.notation.checks[after.side]) else ""

    # ----------------------------------------------------------------------- reading

    def is_effect(self, text: str) -> bool:
        """Return whether a text of a record says only what the move before it does."""
        return any(pattern.fullmatch(text) for pattern in self._effects)

    def skips(self, text: str) -> bool:
        """Return whether a text stands for a turn that a record leaves out."""
        return text in self.notation.skips

    def read(self, text: str, position: Position) -> Move | None:
        """Return the legal move that a text means; None if it has no form of this notation.

        Raises IllegalMoveError where it has and no legal move is meant, AmbiguousMoveError where
        several are that lead to different positions.
        """
        if self.notation.numbers:
            return self.at(position).read(text, position)
        is_written = False
        for form, wanted in self.meanings(text):
            is_written = True
            found = self._meant(form, wanted, position)
            if len(found) == 1 or (found and _lead_alike(found, position)):
                return found[0]
            if found:
                shown = ", ".join(move.text for move in found[:_MOST_SHOWN])
                raise AmbiguousMoveError(
                    f"`{quoted(text)}` can mean {len(found)} moves.", f"They are: {shown}."
                )
        if is_written:
            hint = "" if position.moves() else "The game is over."
            raise IllegalMoveError(f"`{quoted(text)}` is not a legal move.", hint)
        return None

    def read_exactly(self, text: str, position: Position) -> Move | None:
        """Return the legal move that is written as a text, to the letter; None if none is."""
        try:
            found = self.read(text, position)
        except (AmbiguousMoveError, IllegalMoveError):
            return None
        return found if found is not None and self.text(found, position) == text else None

    def own_words(self, text: str, position: Position) -> str:
        """Return the words of the rules that a text stands for, whether or not it is legal.

        They are empty where it has no form of this notation, or may begin at several sites.
        """
        board = self.game.board
        for form, wanted in self.meanings(text):
            at = dict(wanted.sites)
            if wanted.first is not None or wanted.piece is not None:
                begins = [
                    site
                    for site, layer in position.occupied()
                    if layer.side == position.side
                    and site in (wanted.first or (site,))
                    and (
                        wanted.piece is None or _says(wanted.piece, self._letter_on(site, position))
                    )
                ]
                at |= {0: begins[0]} if len(begins) == 1 else {}
            last = at.pop(-1, None)
            sites = [at[place] for place in sorted(at)] + ([] if last is None else [last])
            kinds = [k for k, letter in self.notation.letters.items() if letter == wanted.kind]
            if len(sites) == form.sites:
                names = [board.sites[site].name for site in sites]
                told = [form.word, *kinds[: form.has_kind], *names, *kinds[form.has_kind :]]
                return " ".join(word for word in told if word)
        return ""

    def _meant(self, form: WrittenForm, wanted: _Wanted, position: Position) -> list[Move]:
        legal = position.moves()
        last = next((site for place, site in wanted.sites if place == -1), None)
        if last is not None:
            legal = [move for move in legal if self.named(move).last == last]
        found = [
            move
            for move in legal
            if form.fits(named := self.named(move)) and self._is(named, wanted, position)
        ]
        if form.conditions:
            found = [m for m in found if self._holds(form, self.named(m), position)]
        if wanted.steps is not None and len(found) > 1:
            number = wanted.steps.taking
            found = [
                m for m in found if len(_taken(position, position.after(m))) == number
            ] or found
        return found

    def _is(self, named: Named, wanted: _Wanted, position: Position) -> bool:
        if any(named.sites[place : place + 1 or None] != (site,) for place, site in wanted.sites):
            return False
        if wanted.first is not None and named.sites[0] not in wanted.first:
            return False
        if wanted.between and named.sites[1:-1] != wanted.between:
            return False
        if wanted.kind is not None and not _says(wanted.kind, self._kinds(named, position)):
            return False
        if wanted.pieces and any(
            not _says(letter, self._letter_on(named.sites[place - 1], position))
            for place, letter in wanted.pieces
        ):
            return False
        if wanted.ways and any(
            not _says(sign, self._way(f"{a}>{b}", named)) for a, b, sign in wanted.ways
        ):
            return False
        if wanted.beside is not None and not any(
            _says(wanted.beside, text) for text in self._told_beside(named, position)
        ):
            return False
        if wanted.numbers is not None and wanted.numbers != "".join(named.words):
            return False
        if wanted.steps is not None and not (
            wanted.steps.places.issubset(named.told) and wanted.steps.come == _come(named.told)
        ):
            return False
        signs = (self.notation.words.get(word, "") for word in named.words)
        if wanted.words is not None and wanted.words != "".join(signs):
            return False
        if wanted.piece is None:
            return True
        return _says(wanted.piece, self._letter_on(named.sites[0], position))

    def _meanings(self, text: str) -> tuple[tuple[WrittenForm, _Wanted], ...]:
        """Return what a text says in each form that it may have, as it is or else in any case."""
        return tuple(self._each_meaning(text))

    def _each_meaning(self, text: str) -> Iterator[tuple[WrittenForm, _Wanted]]:
        bare = text.strip()
        texts = dict.fromkeys((bare, _AFTER.sub("", bare)))
        is_read = False
        for exact in (True, False):
            for form, pattern in self._patterns if exact else self._loose_patterns:
                for one in texts:
                    found = pattern.fullmatch(one if exact else one.lower())
                    wanted = None if found is None else self._wanted(form, found, exact)
                    if wanted is not None:
                        is_read = True
                        yield form, wanted
                        break
            if is_read:
                return

    def _wanted(self, form: WrittenForm, found: re.Match[str], exact: bool) -> _Wanted | None:
        """Return what a text says that has a form; None if it names a site that there is not."""
        told = {name: text for name, text in found.groupdict().items() if text is not None}
        names = self._index if exact else self._loose_index
        sites = list[tuple[int, int]]()
        for name, text in told.items():
            if name == "slast" or _SITE.fullmatch(name):
                place = -1 if name == "slast" else int(name[1:]) - 1
                index = names.get(text)
                if index is None:
                    return None
                sites.append((place, index))
        column, row = told.get("column", ""), told.get("row", "")
        first = None
        if column or row:
            first = self._beginning(column, row, exact)
        fold: Callable[[str], str] = str if exact else str.lower
        between = re.findall(self._site_pattern(fold)[2], told.get("via", ""))
        letters = {fold(letter): letter for letter in self.notation.letters.values()}
        if self._tells_pieces:
            letters = {told[part]: told[part] for part in ("piece", "kind") if part in told}
        return _Wanted(
            letters.get(told["piece"], "") if "piece" in told else None,
            first,
            tuple(sites),
            tuple(names.get(name, -1) for name in between),
            self._kind(found, letters),
            told.get("words"),
            tuple((int(name[1:]), text) for name, text in told.items() if _AT.fullmatch(name)),
            tuple(
                (*map(int, name[1:].split("_")), text)  # type: ignore[misc]
                for name, text in told.items()
                if _BETWEEN.fullmatch(name)
            ),
            told["beside"].strip() if told.get("beside") else None,
            told.get("number"),
            self._steps(told["steps"], form.steps, names, fold) if form.steps else None,
        )

    def _steps(
        self, text: str, signs: str, names: Mapping[str, int], fold: Callable[[str], str]
    ) -> _Steps:
        """Return what a text says of steps: `8/5*/2(2)` are four, of which one takes."""
        ends: dict[str, int | str] = {
            fold(sign): word for word, sign in self.notation.words.items()
        }
        ends |= names
        come, places = Counter[int | str](), set[int | str]()
        for step in text.split():
            times = _TIMES.search(step)
            bare = step if times is None else step.replace(times[0], "")
            path = [ends[end.rstrip(signs[1:])] for end in bare.split(signs[0])]
            come[path[0]] -= 1 if times is None else int(times[1])
            come[path[-1]] += 1 if times is None else int(times[1])
            places.update(path)
        return _Steps(come, frozenset(places), text.count(signs[1]) if signs[1:] else 0)

    @staticmethod
    def _kind(found: re.Match[str], letters: Mapping[str, str]) -> str | None:
        """Return the letter that a text has of a kind; None of a form that has no place for it."""
        told = found.groupdict().get("kind") or ""
        if "kind" not in found.groupdict():
            return None
        return letters.get(told) or letters.get(told.swapcase(), "")

    def _beginning(self, column: str, row: str, exact: bool) -> frozenset[int]:
        """Return the sites whose names have such halves."""
        columns, rows = self.notation.columns, self.notation.rows
        fold: Callable[[str], str] = str if exact else str.lower
        return frozenset(
            site
            for site in range(len(columns))
            if (not column or fold(columns[site]) == column) and (not row or rows[site] == row)
        )

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: site for site, name in enumerate(self.names)}

    @cached_property
    def renames(self) -> bool:
        """Whether sites are called otherwise than on the board."""
        return self.names != tuple(site.name for site in self.game.board.sites)

    @cached_property
    def _loose_index(self) -> dict[str, int]:
        return {name.lower(): site for name, site in self._index.items()}

    @cached_property
    def _patterns(self) -> list[tuple[WrittenForm, re.Pattern[str]]]:
        return [(form, re.compile(self._pattern(form, str))) for form in self.forms]

    @cached_property
    def _loose_patterns(self) -> list[tuple[WrittenForm, re.Pattern[str]]]:
        return [(form, re.compile(self._pattern(form, str.lower))) for form in self.forms]

    @cached_property
    def _effects(self) -> list[re.Pattern[str]]:
        forms = (WrittenForm(form, self.notation) for form in self.notation.effects)
        return [re.compile(self._pattern(form, str)) for form in forms]

    def _site_pattern(self, fold: Callable[[str], str]) -> tuple[str, str, str]:
        """Return the patterns of columns, of rows, and of whole names of sites."""
        column = _one_of(map(fold, self.notation.columns))
        row = _one_of(map(fold, self.notation.rows))
        return column, row, column + row

    def _letter_pattern(self, fold: Callable[[str], str]) -> str:
        """Return the pattern of the letters of pieces, for all sides, perhaps with numbers."""
        letters = [*self.notation.letters.values()]
        if self._tells_pieces:
            ways = [self.notation.sides.get(side, "{}") for side in self.game.sides]
            letters = [
                letter.lower() if way == _SMALL else way.replace("{}", letter)
                for way in ways
                for letter in letters
            ]
        return (_one_of(map(fold, letters)) or "(?!)").replace(re.escape(NUMBER), "[0-9]+")

    def _pattern(self, form: WrittenForm, fold: Callable[[str], str]) -> str:
        """Return the regular expression of the texts of a form."""
        column, row, site = self._site_pattern(fold)
        letters = self._letter_pattern(fold)
        sign = r"[^\w\s]?x?"
        parts = []
        for what, text in form.parts:
            match what:
                case "text":
                    parts.append(re.escape(fold(text)).replace(fold("O"), f"[{fold('O')}0]"))
                case "site":
                    parts.append(f"(?P<s{text}>{site})")
                case "last":
                    parts.append(f"(?P<slast>{site})")
                case "needed":
                    parts.append(f"(?P<column>{column})?(?P<row>{row or '(?!)'})?")
                case "via":
                    parts.append(rf"(?P<via>(?:{site}(?:[^\w\s]x?|x))*)")
                case "taken":
                    parts.append(f"(?:{sign})")
                case "piece":
                    group = "piece" if text == "1" else f"p{text}"
                    parts.append(f"(?P<{group}>{letters}|)")
                case "way":
                    signs = _one_of(fold(way.replace("{}", "")) for way, _ in self._relations)
                    parts.append(f"(?P<d{text.replace('>', '_')}>{signs or '(?!)'})")
                case "beside":
                    ways = (*(way for way, _ in self._relations), *self._here)
                    told = (re.escape(fold(way)).replace(r"\{\}", letters) for way in ways)
                    parts.append(rf"(?P<beside>\s*(?:{'|'.join(told)}))?")
                case "number":
                    parts.append("(?P<number>[0-9]+)")
                case "steps":
                    ends = _one_of(map(fold, (*self.notation.words.values(), *self.names)))
                    takes = f"(?:{re.escape(text[1:])})?"
                    step = f"{ends}(?:{takes}{re.escape(text[0])}{ends})+{takes}"
                    step += f"(?:[(][1-9][0-9]*[)]{takes})?"
                    parts.append(rf"(?P<steps>{step}(?:\s+{step})*)")
                case "kind":
                    parts.append(f"(?P<kind>{letters}|)")
                case "capital":
                    parts.append(f"(?P<kind>(?i:{letters})|)")
                case "choice":
                    parts.append(rf"(?:[{re.escape(text)}(]*(?P<kind>{letters})\)?)?")
                case _:
                    signs = _one_of(map(fold, self.notation.words.values()))
                    parts.append(f"(?P<words>(?:{signs or '(?!)'})*)")
        return "".join(parts)


def _says(text: str, name: str) -> bool:
    """Return whether a text is a name, as it is or in small letters."""
    return text == name or text == name.lower()


def _one_of(names: Iterable[str]) -> str:
    """Return a pattern for one of some names, the longest first; empty if there is none.

    >>> _one_of({"a", "b", ""}), _one_of({"1", "12"}), _one_of({""})
    ('(?:a|b)', '(?:12|1)', '')
    """
    kept = sorted({name for name in names if name}, key=lambda name: (-len(name), name))
    return f"(?:{'|'.join(map(re.escape, kept))})" if kept else ""


def _come(told: Sequence[int | str]) -> Counter[int | str]:
    """Return how many more steps lead to each place than from it, of ends one after the other."""
    come = Counter(told[1::2])
    come.subtract(told[::2])
    return come


def _taken(position: Position, after: Position) -> frozenset[int]:
    """Return where pieces of other sides stood that the side on turn has taken."""
    before, then = (
        frozenset(site for site, layer in one.occupied() if layer.side != position.side)
        for one in (position, after)
    )
    return before - then if len(then) < len(before) else frozenset()


def _lead_alike(moves: Sequence[Move], position: Position) -> bool:
    """Return whether moves lead to equal positions: a record need not tell these apart."""
    first = position.after(moves[0])
    return all(position.after(move).state == first.state for move in moves[1:])


def read_written(text: str, position: Position, writings: Iterable[Writing]) -> Move | None:
    """Return the legal move that a text means in one of several notations, None if it has no form.

    Raises AmbiguousMoveError, and IllegalMoveError of the first notation that has such a form.
    """
    refused: IllegalMoveError | None = None
    for writing in writings:
        try:
            found = writing.read(text, position)
        except IllegalMoveError as error:
            refused = refused or error
        else:
            if found is not None:
                return found
    if refused is not None:
        raise refused
    return None
