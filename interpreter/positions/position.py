"""Games and positions as a program uses them: rules to start from, positions to play from.

In: a `Game`. Out: immutable positions that tell their legal moves and play them. What then
holds: two positions are equal if all that the rules can still read is equal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from gdl.board.board import Board, column_letters
from gdl.board.relation import bits
from gdl.codes import Code
from gdl.core.nodes import Decide, Expression, Say, Slot
from gdl.core.walk import program_statements
from gdl.diagnostic import Source, Span, refused, suggest, wanted, whole_number
from gdl.document.nodes import Mapping as Document
from gdl.elaborate.relations.pictures import write_picture
from gdl.interpreter.evaluation.evaluator import Evaluator, Outcome, State
from gdl.interpreter.evaluation.moves import (
    IllegalMoveError,
    Move,
    UnreadableMoveError,
    read_move,
)
from gdl.interpreter.positions.drawing import (
    NO_MOVE,
    LastMove,
    PositionDrawing,
    drawn_scene,
    held_pieces,
    last_move,
)
from gdl.interpreter.positions.encoding import decode, encode, write_plain
from gdl.interpreter.positions.fen import PositionWriting
from gdl.interpreter.positions.piece_numbers import PieceNumbers
from gdl.interpreter.positions.state_values import Setting, SetUp, number_of, settings_of
from gdl.interpreter.positions.view import ALL_SIDES, View, notices, notices_told, view_of
from gdl.interpreter.positions.written_moves import Writing, read_written
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.render.scene import Scene
from gdl.model import Game, Layer, Looks

if TYPE_CHECKING:
    from gdl.interpreter.positions.batch import Batch


_WORDS_OF_ANY_GAME = ("pass", "swap")


def rules_of(given: Rules | Game) -> Rules:
    """Return rules, or those of a game, by the reference interpreter.

    Raises TypeError for what is neither.
    """
    if isinstance(given, Game):
        return Rules(given)
    wanted(given, Rules, "Rules, as `load` gives them,")
    return given


class Rules:
    """The rules of one game, with its options settled: where positions come from.

    They can be pickled, and positions with them; the evaluator is then made anew, as usual for its
    kind.
    """

    def __init__(
        self, game: Game, evaluator: Evaluator | Callable[[Game], Evaluator] | None = None
    ) -> None:
        """Play `game` with an evaluator; by default with the reference interpreter.

        Instead of an evaluator, a function of a game may be given that makes one, such as a class:
        it is made when it is first needed. Raises TypeError for what is no game, ValueError for an
        evaluator of another one.
        """
        if not isinstance(game, Game):
            raise TypeError(f"rules are made of a Game, as `load_game` gives it, not of {game!r}")
        if evaluator is None:
            evaluator = ReferenceRules(game)
        elif not callable(evaluator):
            played = getattr(evaluator, "game", None)
            if not isinstance(played, Game):
                message = f"an Evaluator, such as `NativeRules(game)`, is wanted, not {evaluator!r}"
                raise TypeError(message)
            if played is not game and played.digest != game.digest:
                raise ValueError(f"an evaluator of {played!r}, and the rules are of {game!r}")
        self.game = game
        self._evaluator = evaluator
        self.places = {slot: place for place, slot in enumerate(game.program.state)}

    @cached_property
    def evaluator(self) -> Evaluator:
        """What plays the game."""
        return self._evaluator(self.game) if callable(self._evaluator) else self._evaluator

    @property
    def name(self) -> str:
        """The game's name."""
        return self.game.title

    @property
    def sides(self) -> tuple[str, ...]:
        """The names of the sides, in the order of play."""
        return self.game.sides

    def start(self) -> Position:
        """Return the position that the game begins with."""
        return Position(self, self.evaluator.start())

    def position(self, drawn: str | Mapping[str, Any]) -> Position:
        """Return a position from rows of characters, or from what `Position.to_json` gave.

        Raises GameError.
        """
        return self.from_rows(drawn) if isinstance(drawn, str) else self.from_json(drawn)

    def from_json(self, data: object) -> Position:
        """Return the position that `Position.to_json` gave; raises GameError if it is damaged."""
        return Position(self, decode(self.game, data))

    def from_rows(
        self,
        rows: str | None = None,
        *,
        mover: str | None = None,
        phase: str | None = None,
        state: Mapping[str, object] | Iterable[Setting] = (),
        seats: Mapping[str, int] | None = None,
        turns: int = 0,
        passed: int = 0,
        setup: Document | None = None,
        span: Span | None = None,
    ) -> Position:
        """Return the position that rows of characters show; what is not named is as at the start.

        `rows` are drawn with the uppermost first, `.` for an empty site and each piece's symbol
        (None: the pieces of the set-up). `mover` and `phase` are names, `state` values of state
        variables by name and indices (`hand(White)`), as text or plain values; `seats` the
        seat, from 1, of each side; `turns` and `passed` how many turns have been made, and how
        many of the last were passes. `setup` is a section like that of a game file, in place of
        the game's own. What the rules never read has no effect. `span` is where the rows stand,
        for messages. Raises GameError; TypeError for what is of another kind than it says here.
        """
        set_up = SetUp(self.game, self.places)
        if setup is not None:
            wanted(setup, Document, "for `setup`, a section of a file that was read")
            set_up.arrange(setup)
        if rows is not None:
            wanted(rows, str, "a text of rows")
            set_up.place(rows, span or Span(Source("the picture", rows), 0, len(rows)))
        numbers = whole_number("turns", turns), whole_number("passed", passed)
        set_up.turn(mover, phase, *numbers)
        for setting in settings_of(state):
            set_up.give(setting)
        wanted(seats or {}, Mapping, "for `seats`, a mapping from sides to numbers")
        set_up.seat(seats or {})
        return Position(self, self.evaluator.settle(set_up.values))

    def from_fen(self, text: str) -> Position:
        """Return the position of a line of text such as FEN, if the file says how one is written.

        Raises GameError, and TypeError for what is no text.
        """
        wanted(text, str, "a text such as FEN")
        read = self._writes_positions.read(text)
        drawn = {index: (layer.symbol,) for index, layer in read.standing.items()}
        rows = write_picture(self.game.board, drawn)
        turns = (read.move - 1) * len(self.sides)
        turns += 0 if read.mover is None else self.sides.index(read.mover)
        return self.from_rows(rows, mover=read.mover, state=read.state, turns=max(0, turns))

    @cached_property
    def _writes_positions(self) -> PositionWriting:
        """The first notation of positions. Raises GameError where there is none."""
        for notation in self.game.notations:
            if notation.position is not None:
                return PositionWriting(self.game, notation.position)
        raise refused(
            Code.WRONG_VALUE,
            f"{self.name} has no notation of positions.",
            "A file says how positions are written under `notation`, by `position`.",
        )

    def state_of(self, position: Position) -> State:
        """Return the state of a position of these rules.

        Raises ValueError for one of other rules, be it of the same game with another option:
        native code would read its values as what they are not. Raises TypeError for no position.
        """
        if not isinstance(position, Position):
            raise TypeError(f"a Position is wanted, not {position!r}")
        ours, theirs = self.game, position.rules.game
        if ours is not theirs and ours.digest != theirs.digest:
            other = ours.title if ours.title != theirs.title else "these rules of the same name"
            raise ValueError(f"this is a position of {theirs.title}, not of {other}")
        return position.state

    def native(self) -> Batch[Position]:
        """Return what plays many games, and steps of many positions, at once by native code.

        It is compiled when it is first used, and is the same object each time. Raises Uncovered
        where native code does not cover a construct.
        """
        return self._batch

    @cached_property
    def _batch(self) -> Batch[Position]:
        from gdl.interpreter.native.runtime.rules import NativeRules
        from gdl.interpreter.positions.batch import Batch

        playing = self.__dict__.get("evaluator", self._evaluator)
        native = playing if isinstance(playing, NativeRules) else NativeRules(self.game)
        return Batch(native, self.state_of, partial(Position, self))

    @cached_property
    def vocabulary(self) -> tuple[str, ...]:
        """The words that moves can be made of, besides numbers."""
        game = self.game
        return (
            *(site.name for site in game.board.sites),
            *_tokens(game),
            *game.sides,
            *game.kinds,
            *_WORDS_OF_ANY_GAME,
        )

    @cached_property
    def writings(self) -> Mapping[str, Writing]:
        """The notations that the file says moves are written in elsewhere, by name."""
        return {n.name: Writing(self.game, n) for n in self.game.notations}

    @cached_property
    def tells_numbers(self) -> bool:
        """Whether a notation tells pieces by the order in which they came."""
        return any(notation.tells_numbers for notation in self.game.notations)

    def __copy__(self) -> Rules:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Rules:
        # Nothing can be told from a copy: what changes here is only what was worked out once.
        return self

    def __reduce__(self) -> tuple[type[Rules], tuple[Game, Callable[[Game], Evaluator]]]:
        # What is made ready to play are functions and machine code, which go into no pickle.
        kept = self._evaluator
        return Rules, (self.game, kept if callable(kept) else type(kept))

    def __repr__(self) -> str:
        return f"<Rules of {self.game.title}>"


class Position:
    """A position of a game; immutable. Make one with `Rules.start` and go on with `play`.

    It can be pickled, with its rules; positions that are pickled together share them.
    """

    def __init__(
        self,
        rules: Rules,
        state: State,
        last: LastMove = NO_MOVE,
        before: Position | None = None,
    ) -> None:
        """Wrap a state; `last` is what the last move did, for drawing.

        `before` is the position that it was made in, by which pieces have numbers.
        """
        self._before = before
        self.rules = rules
        self.state = state
        self.last = last
        self._read: Move | None = None

    @property
    def last_sites(self) -> frozenset[int]:
        """The sites of the last move, by index."""
        return self.last.sites

    # --------------------------------------------------------------------- play

    @cached_property
    def _moves(self) -> tuple[Move, ...]:
        return tuple(self.rules.evaluator.legal(self.state))

    def moves(self) -> tuple[Move, ...]:
        """Return the legal moves in their order; none when the game is over."""
        return self._moves

    def parse(self, text: str) -> Move:
        """Return the legal move that a text names.

        It may be written in a notation that the game's file describes, or be a letter and a
        number. Where a text means one move in our own way and another one in a notation that calls
        sites otherwise, it is the one that is written so to the letter.

        Raises UnreadableMoveError, AmbiguousMoveError or IllegalMoveError; TypeError for
        no text.
        """
        wanted(text, str, "a move's text")
        if "_moves" not in self.__dict__:
            exact = self.rules.evaluator.named(self.state, text.strip())
            if len(exact) == 1:
                (self._read,) = exact
                return exact[0]
        others = [one for one in self.rules.writings.values() if one.renames]
        if others and all(move.text != text for move in self._moves):
            for writing in others:
                exact_there = writing.read_exactly(text.strip(), self)
                if exact_there is not None:
                    return exact_there
        try:
            return read_move(text, self._moves, self.rules.vocabulary)
        except (UnreadableMoveError, IllegalMoveError) as error:
            found = self._read_elsewhere(text, error)
            if found is None:
                raise
            return found

    def _read_elsewhere(
        self, text: str, error: UnreadableMoveError | IllegalMoveError
    ) -> Move | None:
        """Return the move of a text that is none of our own, in a notation or by a number.

        Raises MoveError where the text has such a form, and its own words say less.
        """
        try:
            found = read_written(text, self, self.rules.writings.values())
        except IllegalMoveError:
            if isinstance(error, UnreadableMoveError):
                raise
            found = None
        if found is not None or self.numbering is None:
            return found
        return self.numbering.read(text)

    def notate(self, move: Move | str, notation: str = "") -> str:
        """Return a legal move as it is written elsewhere, or its own text where nothing is said.

        `notation` is the name of one that the game's file describes; by default it is the first.
        Raises as `parse` does, and GameError for a notation that there is not.
        """
        if isinstance(move, str):
            move = self.parse(move)
        writings = self.rules.writings
        if notation and notation not in writings:
            known = ", ".join(writings) or "none"
            raise refused(
                Code.UNKNOWN_NAME,
                f"{self.rules.name} has no notation `{notation}`.",
                suggest(notation, writings) or f"The notations are: {known}.",
            )
        writing = writings.get(notation or next(iter(writings), ""))
        return (writing and writing.text(move, self)) or move.text

    @cached_property
    def numbering(self) -> Numbering | None:
        """The short texts of the legal moves; None where the game has none."""
        game = self.rules.game
        return Numbering(game.board, self._moves) if game.numbered else None

    def short(self, move: Move) -> str:
        """Return a letter and a number that stand for a legal move, or an empty text."""
        return "" if self.numbering is None else self.numbering.short(move)

    def play(self, move: Move | str) -> Position:
        """Return the position after a legal move. Raises as `parse` does.

        Raises TypeError for what is no move.
        """
        if isinstance(move, str):
            move = self.parse(move)
        elif not isinstance(move, Move):
            raise TypeError(f"a move is a text or a Move, not {move!r}")
        elif move is not self._read and move not in self._moves:
            raise IllegalMoveError(f"`{move}` is not a legal move.")
        after = self.rules.evaluator.apply(self.state, move)
        last = last_move(self.rules.game, self._named(move), self.state, after)
        return Position(self.rules, after, last, self if self.rules.tells_numbers else None)

    def after(self, move: Move) -> Position:
        """Return the position after a move that is known to be legal, without looking for it.

        Raises TypeError for what is no Move.
        """
        if not isinstance(move, Move):
            raise TypeError(f"`after` takes one of `moves()`, not {move!r}; `play` reads texts")
        return Position(self.rules, self.rules.evaluator.apply(self.state, move))

    def sites_of(self, move: Move) -> frozenset[int]:
        """Return the sites that a move names, by index. Raises TypeError for what is no Move."""
        wanted(move, Move, "one of `moves()`")
        return frozenset(self._named(move))

    def _named(self, move: Move) -> tuple[int, ...]:
        """Return the sites that a move names, in its order."""
        indices = (self.rules.game.board.index(word) for word in move.words)
        return tuple(index for index in indices if index is not None)

    @cached_property
    def outcome(self) -> Outcome | None:
        """How the game has ended; None if it goes on."""
        return self.rules.evaluator.outcome(self.state)

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.outcome is not None

    @property
    def is_secret(self) -> bool:
        """Whether sides see different parts of it: what a game hides, all see when it is over."""
        return self.rules.game.hides and not self.over

    # -------------------------------------------------------------- who is on turn

    @property
    def side(self) -> int:
        """The number of the side on turn, from 0."""
        return int(self._slot_value(self.rules.game.program.system.mover))

    @property
    def mover(self) -> str:
        """The name of the side on turn."""
        return self.rules.sides[self.side]

    @property
    def decider(self) -> str:
        """Who makes the next move, as a sentence names it: the side on turn, or chance."""
        return "chance" if self.seat is None else self.mover

    @property
    def phase(self) -> str:
        """The name of the phase."""
        return self.rules.game.program.phases[self._phase].name

    @property
    def seat(self) -> int | None:
        """The seat on turn, from 1; None where chance decides."""
        phase = self.rules.game.program.phases[self._phase]
        if phase.by_chance:
            return None
        return phase.seat + 1 if phase.seat is not None else self._seat_of(self.side)

    def seat_of(self, side: str) -> int:
        """Return the seat, from 1, that plays a side. Raises GameError for an unknown side."""
        return self._seat_of(number_of(side, self.rules.sides, "side"))

    def _seat_of(self, number: int) -> int:
        """Return the seat, from 1, that plays a side, by its number from 0."""
        slots = self.rules.game.program.system.seats
        return int(self._slot_value(slots[number])) + 1 if slots else number + 1

    @property
    def _phase(self) -> int:
        slot = self.rules.game.program.system.phase
        return 0 if slot is None else int(self._slot_value(slot))

    def _slot_value(self, slot: Any) -> Any:
        return self.state.values[self.rules.places[slot]]

    def value(self, expression: Expression) -> Any:
        """Return what an expression that `Game.expression` made is worth here."""
        return self.rules.evaluator.value(self.state, expression)

    def scores(self) -> dict[str, str]:
        """Return the number that the game shows for each side, as text; empty if it has none.

        A fraction is decimal if it is exact so: `7.5`.
        """
        game = self.rules.game
        return {
            side: write_plain(game, score.type, self.value(score))
            for side, score in zip(game.sides, game.scores, strict=bool(game.scores))
        }

    def notices(self) -> tuple[str, ...]:
        """Return what captions of conditions tell that hold now, where nothing is hidden."""
        game = self.rules.game
        return notices_told(game, notices(self, game, None, None))

    # -------------------------------------------------------------- what sides see

    def view(self, side: str) -> View:
        """Return what a side sees of the position, or what all see, for `ALL_SIDES`.

        Raises GameError for an unknown side.
        """
        return view_of(self, self.rules.game, self._looking(side))

    def _looking(self, side: str) -> int | None:
        """Return the number of a side, None for `ALL_SIDES`. Raises GameError."""
        return None if side == ALL_SIDES else number_of(side, self.rules.sides, "side")

    @property
    def is_undecided(self) -> bool:
        """Whether some sides have decided in a round, and others have not yet."""
        return any(self._slot_value(slot) for slot in self.rules.game.undecided)

    def tells_moves(self, side: str) -> bool:
        """Return whether a side is told the moves of others that have led here.

        For `ALL_SIDES`, it is whether all are. Raises GameError for an unknown side.
        """
        sight = self.rules.game.sight(self._looking(side))
        return sight is None or bool(self.value(sight.moves))

    # ------------------------------------------------------------------- pictures

    def in_layers(self) -> Iterator[int]:
        """Yield the sites of each layer, in the order of the game's layers."""
        return (self._slot_value(layer.slot) for layer in self.rules.game.layers)

    def occupied(self) -> Iterator[tuple[int, Layer]]:
        """Yield each site, by index, on which a piece stands, with the layer of the piece."""
        for layer in self.rules.game.layers:
            for index in bits(self._slot_value(layer.slot)):
                yield index, layer

    def kind_on(self, index: int) -> str:
        """Return the kind of the uppermost piece on a site, by index, or an empty text."""
        game, values, places = self.rules.game, self.state.values, self.rules.places
        for layer in game.layers:
            if values[places[layer.slot]] >> index & 1:
                return game.kinds[layer.kind]
        return ""

    def standing(self) -> Iterator[tuple[int, tuple[Layer | None, ...]]]:
        """Yield each occupied site, by index, with the layers of its pieces, the lowest first.

        None stands for a piece that the rules never ask for.
        """
        game = self.rules.game
        if game.piles is None:
            yield from ((index, (layer,)) for index, layer in self.occupied())
            return
        values = dict(zip(game.program.state, self.state.values, strict=True))
        layers = {layer.slot: layer for layer in game.layers}
        for index, top in self.occupied():
            pile = game.piles.pile(values, index, top.slot)
            yield index, tuple(None if slot is None else layers[slot] for slot in pile)

    @cached_property
    def piece_numbers(self) -> PieceNumbers:
        """What stands on each site, with numbers in the order in which pieces of a kind came.

        They are known as far back as positions were made by `play`; before, they go by sites.
        """
        line = [self]
        while (earlier := line[-1]._before) is not None:
            line.append(earlier)
            if "piece_numbers" in earlier.__dict__:
                break
        numbers = PieceNumbers()
        for position in reversed(line):
            numbers = position.__dict__.get("piece_numbers") or numbers.then(position.standing())
            position.__dict__["piece_numbers"] = numbers
        return numbers

    def pieces(self) -> dict[str, str]:
        """Return what stands on each occupied site: side and kind, or the kind if neutral.

        Of a pile, it is what stands uppermost.
        """
        return {name: pile[-1] or "" for name, pile in self.piles().items()}

    def piles(self) -> dict[str, tuple[str | None, ...]]:
        """Return all that stands on each occupied site, the lowest first.

        A piece of a pile that the rules never ask for is None.
        """
        sites = self.rules.game.board.sites
        return {
            sites[index].name: tuple(None if layer is None else layer.name for layer in pile)
            for index, pile in sorted(self.standing(), key=lambda item: item[0])
        }

    def rows(self) -> str:
        """Return the position as rows of characters, as `Rules.from_rows` reads them."""
        drawn = {
            index: tuple(None if layer is None else layer.symbol for layer in pile)
            for index, pile in self.standing()
        }
        return write_picture(self.rules.game.board, drawn)

    def fen(self, move: int = 1) -> str:
        """Return the position in a line of text such as FEN; raises GameError where none is said.

        `move` is the number of the move that comes next, which positions do not keep.
        """
        standing = {index: pile[-1] for index, pile in self.standing()}
        tops = {index: layer for index, layer in standing.items() if layer is not None}
        return self.rules._writes_positions.text(tops, self._values, self.side, move)

    def scene(
        self, highlights: Mapping[int, str] | None = None, looks: Looks | None = None
    ) -> Scene:
        """Return what is to be drawn; `highlights` are small characters by site index.

        Where none are given, a game with numbered moves has its numbers there. The board has the
        `looks` that are given, or else those of the game.
        """
        if highlights is None and self.numbering is not None:
            highlights = {site: str(n) for site, n in self.numbering.numbers.items()}
        return drawn_scene(self._drawing, highlights, looks)

    @property
    def _drawing(self) -> PositionDrawing:
        standing = dict(self.standing())
        return PositionDrawing(self.rules.game, self._values, self.value, standing, self.last)

    @property
    def _values(self) -> dict[Slot, Any]:
        return dict(zip(self.rules.places, self.state.values, strict=True))

    def _repr_svg_(self) -> str:
        """Draw the position as an SVG document: so a notebook shows it."""
        from gdl.interpreter.render.svg import render_svg

        return render_svg(self.scene())

    def render(self, *, colour: bool = False, ascii: bool = False, width: int | None = None) -> str:
        """Draw the position as text; see `gdl.interpreter.render.text.text.render_text`."""
        from gdl.interpreter.render.text.text import render_text

        return render_text(self.scene(), colour=colour, ascii=ascii, width=width)

    def hands(self) -> dict[str, dict[str, int]]:
        """Return how many pieces are off the board, by side (or `neutral`) and kind, but no 0."""
        return held_pieces(self.rules.game, self._values)

    def to_json(self) -> dict[str, Any]:
        """Return the position as plain data, from which `Rules.from_json` makes an equal one."""
        return encode(self.rules.game, self.state)

    # ------------------------------------------------------------------- identity

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self.rules.game.digest == other.rules.game.digest
            and self.state == other.state
        )

    def __hash__(self) -> int:
        return hash((self.rules.game.digest, self.state))

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self

    def __reduce__(self) -> tuple[type[Position], tuple[Rules, State, LastMove]]:
        return Position, (self.rules, self.state, self.last)

    def __str__(self) -> str:
        return self.render()

    def __repr__(self) -> str:
        turn = str(self.outcome) if self.over else f"{self.mover} to move"
        return f"<{self.rules.game.title}: {turn}>"


def _tokens(game: Game) -> Iterator[str]:
    """Yield the words that the program adds to moves."""
    for statement in program_statements(game.program):
        if isinstance(statement, Say):
            yield statement.token
        elif isinstance(statement, Decide):
            yield from (a.token for a in statement.alternatives if a.token is not None)


# ----------------------------------------------------------------------------- short texts of moves

_SHORT = re.compile(r"\s*(?:([a-z]{1,4})([0-9]{1,6})|([0-9]{1,6})([a-z]{1,4}))\s*")


class Numbering:
    """The short texts of the legal moves of one position.

    The sites that moves name first have the numbers 1, 2, … in the order of the board; the moves
    that begin with one site have the letters a, b, … in the order of the moves. A move that names
    no site has no short text.
    """

    def __init__(self, board: Board, moves: Sequence[Move]) -> None:
        """Number the legal moves of a position on a board."""
        self._board = board
        found: dict[int, list[Move]] = {}
        for move in moves:
            site = _first_site(board, move)
            if site is not None:
                found.setdefault(site, []).append(move)
        self._ways = [found[site] for site in sorted(found)]
        self._kinds = {board.sites[site].kind for site in found}
        self._texts = {
            move.decisions: f"{column_letters(way)}{number}"
            for number, ways in enumerate(self._ways, start=1)
            for way, move in enumerate(ways, start=1)
        }
        self.numbers: Mapping[int, int] = {
            site: number for number, site in enumerate(sorted(found), start=1)
        }

    def short(self, move: Move) -> str:
        """Return the short text of a legal move, or an empty one.

        Where `d3` is a site that could be meant, the text is `3d`.
        """
        text = self._texts.get(move.decisions, "")
        return _turned(text) if self._names_a_site(text) else text

    def read(self, text: str) -> Move | None:
        """Return the legal move that a short text stands for, or None if it is none.

        The number may also come first. Legal moves' own texts are to be tried before. Raises
        IllegalMoveError if there is no such number or letter.
        """
        match = _SHORT.fullmatch(text.lower())
        if match is None or self._names_a_site(text.strip().lower()):
            return None
        if not self._ways:
            raise IllegalMoveError(f"`{text.strip()}` is not a legal move.", "None has a number.")
        letter, number = match[1] or match[4], int(match[2] or match[3])
        if not 1 <= number <= len(self._ways):
            raise IllegalMoveError(
                f"`{text.strip()}` is not a legal move.",
                f"The numbers on the board are 1 to {len(self._ways)}.",
            )
        ways = self._ways[number - 1]
        for way, move in enumerate(ways, start=1):
            if column_letters(way) == letter:
                return move
        last = column_letters(len(ways))
        raise IllegalMoveError(
            f"`{text.strip()}` is not a legal move.",
            f"At {number} there {'is a' if len(ways) == 1 else f'are a to {last}'}.",
        )

    def _names_a_site(self, text: str) -> bool:
        index = self._board.index(text)
        return index is not None and self._board.sites[index].kind in self._kinds


def _first_site(board: Board, move: Move) -> int | None:
    return next((i for i in map(board.index, move.words) if i is not None), None)


def _turned(text: str) -> str:
    letter = text.rstrip("0123456789")
    return text[len(letter) :] + letter


def plies(positions: Iterable[Position]) -> list[int]:
    """Return how many moves were made before each position of a game; chance makes none."""
    made = accumulate((position.seat is not None for position in positions), initial=0)
    return [*made][:-1]
