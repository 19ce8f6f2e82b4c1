"""A recorded game, followed by the rules: their own moves for those of the record.

In: rules, and a game as it was recorded. Out: the moves, and where the rules say otherwise. What
then holds: up to there the rules allow every move. What a record leaves out is put in: passes that
are forced, moves without a choice, and turns that it says it skips.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import field, replace
from typing import Literal, TypeVar

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, refused
from gdl.elaborate.relations.pictures import write_picture
from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.evaluation.moves import (
    PASS,
    AmbiguousMoveError,
    IllegalMoveError,
    Move,
    MoveError,
    UnreadableMoveError,
    quoted,
    words,
)
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.positions.written_moves import Writing
from gdl.interpreter.records.headers import OPTIONS, headers_of
from gdl.interpreter.records.pgn import place_of_move
from gdl.interpreter.records.recorded import BLACK, DRAW, WHITE, Recorded
from gdl.load import load_game
from gdl.model import Game, Notation

_MOST_WORDS = 12  # of one move, where no commas stand between moves
_MOST_RUN_TOGETHER = 12  # characters of one move, where nothing stands between moves
_DECIMAL_COMMA = re.compile(r"^(-?\d+),(\d+)$")
_COLOURS = {"W": WHITE, "B": BLACK}
_MOST_PUT_IN = 4  # moves without a choice, one after the other

_T = TypeVar("_T")

Reader = Callable[[str, Position], Move]
"""Reads a text of our own. Raises MoveError."""


@dataclass(frozen=True)
class Refused:
    """Where a record and the rules say different things.

    `text` is the move of which they do, if it is a move, and `place` its line and column.
    """

    kind: Literal["move", "count", "result"]
    recorded: str
    ruled: str
    text: str = ""
    place: tuple[int, int] | None = None


@dataclass
class Followed:
    """A recorded game as far as the rules follow it.

    `held` is how many moves of the record were looked at, `put_in` how many the record leaves out,
    `skipped` how many turns it skips, which no rule allows. `early` says how a game was ended that
    goes on by the rules. `movers` made the moves, as numbers of sides. By the record, `winner` won,
    a side or `draw`; `headers` are as `headers_of` gives them.
    """

    positions: list[Position]
    moves: list[Move] = field(default_factory=list)
    movers: list[int] = field(default_factory=list)
    held: int = 0
    put_in: int = 0
    skipped: int = 0
    early: str = ""
    refused: Refused | None = None
    remarks: dict[int, str] = field(default_factory=dict)
    winner: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)

    def make(self, move: Move) -> None:
        """Add a legal move."""
        self.moves.append(move)
        self.movers.append(self.positions[-1].side)
        self.positions.append(self.positions[-1].play(move))


def follow(rules: Rules, game: Recorded, read: Reader) -> Followed:
    """Follow a recorded game; `read` reads our own texts.

    Raises RuleError, and GameError where the game can't begin as the record says.
    """
    told = headers_of(game, rules.sides, is_mirrored(rules, game))
    game = _without_effects(rules, _unmirrored(rules, game))
    done = Followed([start_of(rules, game)], winner=game.winner(rules.sides), headers=told)
    rest, remarks = list(game.moves), dict(game.remarks)
    number = 0
    while rest:
        if number in remarks:
            done.remarks.setdefault(len(done.moves), remarks[number])
        used = _follow_one(done, game, rest, number, read)
        if done.refused is not None:
            return done
        number += used
    if number in remarks:
        done.remarks.setdefault(len(done.moves), remarks[number])
    _end_turn(done, game)
    follow_end(done, game, rules.sides)
    return done


def _end_turn(done: Followed, game: Recorded) -> None:
    """Put in the word that ends the last turn, where that ends the game."""
    here = done.positions[-1]
    for move in _unsaid(here) if game.colours else ():
        if here.play(move).over:
            done.make(move)
            done.put_in += 1
            return


def _unsaid(here: Position) -> list[Move]:
    """Return the legal moves that records leave out where another side goes on."""
    words = {word for one in here.rules.writings.values() for word in one.notation.unsaid}
    return [move for move in here.moves() if move.text in words] if words else []


def _without_effects(rules: Rules, game: Recorded) -> Recorded:
    """Return a record without words that say only what a move does, and are none themselves."""
    writings = [one for one in rules.writings.values() if one.notation.effects]
    if not writings:
        return game
    kept = [n for n, text in enumerate(game.moves) if not any(w.is_effect(text) for w in writings)]
    before = {number: sum(one < number for one in kept) for number, _ in game.remarks}

    def chosen(values: Sequence[_T]) -> tuple[_T, ...]:
        return tuple(values[number] for number in kept if number < len(values))

    return replace(
        game,
        moves=chosen(game.moves),
        counts=chosen(game.counts),
        colours=chosen(game.colours),
        places=chosen(game.places),
        remarks=tuple((before[number], text) for number, text in game.remarks),
    )


def is_mirrored(rules: Rules, game: Recorded) -> bool:
    """Return whether a record has a swap after which its board is mirrored."""
    writing = rules.writings.get(game.format)
    return writing is not None and not set(writing.notation.mirrors).isdisjoint(game.moves)


def _unmirrored(rules: Rules, game: Recorded) -> Recorded:
    """Return a record as the rules have it, where the players of its swap keep their colours.

    What follows is by the other colour, with columns and rows exchanged.
    """
    if not is_mirrored(rules, game):
        return game
    writing, board = rules.writings[game.format], rules.game.board
    at = {(site.column, site.row): site.index for site in board.sites}
    mirror = [at.get((site.row, site.column), site.index) for site in board.sites]
    other = {
        name: one.names[mirror[site]]
        for one in rules.writings.values()
        for site, name in enumerate(one.names)
    }

    def turned(moves: Sequence[str]) -> tuple[str, ...]:
        places = (n for n, text in enumerate(moves, 1) if text in writing.notation.mirrors)
        swap = next(places, len(moves))
        return (*moves[:swap], *(other.get(text, text) for text in moves[swap:]))

    swap = next(n for n, text in enumerate(game.moves, 1) if text in writing.notation.mirrors)
    flipped = {WHITE: BLACK, BLACK: WHITE}
    return replace(
        game,
        moves=turned(game.moves),
        colours=(*game.colours[:swap], *(flipped[colour] for colour in game.colours[swap:])),
        result=flipped.get(game.result, game.result),
        variations=tuple(map(turned, game.variations)),
    )


def start_of(rules: Rules, game: Recorded) -> Position:
    """Return the position that a record begins with. Raises GameError."""
    setup = game.setup
    mover = game.side_of(setup.mover, rules.sides) if setup.mover else None
    if setup.text and game.format == "pdn":
        return _listed_start(rules, game)
    if setup.text:
        return rules.from_fen(setup.text)
    if not setup.pieces:
        return rules.start() if mover is None else rules.from_rows(mover=mover)
    standing = _Standing(rules, game)
    for colour, piece in setup.pieces:
        standing.put(colour, piece)
    return rules.from_rows(write_picture(rules.game.board, standing.drawn), mover=mover)


class _Standing:
    """What a record sets up, `drawn` as symbols: sites with the letter of a kind, if it has one."""

    def __init__(self, rules: Rules, game: Recorded) -> None:
        notation = notation_of(game, rules.game)
        writing = rules.writings.get(game.format)
        names = () if writing is None else writing.names
        self._sites = {name: site for site, name in enumerate(names)}
        self._letters = {} if notation is None else {v: k for k, v in notation.letters.items()}
        self._rules, self._game = rules, game
        self.drawn: dict[int, tuple[str, ...]] = {}

    def put(self, colour: str, piece: str) -> None:
        """Put a piece of a colour, or several on `12-15`. Raises GameError."""
        game, side = self._rules.game, self._game.side_of(colour, self._rules.sides)
        letter = next((one for one in self._letters if one and piece.startswith(one)), "")
        plain = [kind for kind in game.kinds if kind not in self._letters.values()]
        kind, place = self._letters.get(letter), piece[len(letter) :]
        if self._site(piece) is not None or kind is None:
            kind, place = plain[0] if plain else game.kinds[0], piece
        first, _, last = place.partition("-")
        numbered = first.isdecimal() and last.isdecimal()
        for one in map(str, range(int(first), int(last) + 1)) if numbered else (place,):
            site = self._site(one)
            symbols = [
                layer.symbol
                for layer in game.layers
                if layer.side is not None
                and (self._rules.sides[layer.side], game.kinds[layer.kind]) == (side, kind)
            ]
            if not symbols or site is None:
                raise _wrong_start(f"{colour} {piece}", self._rules)
            self.drawn[site] = (symbols[0],)

    def _site(self, name: str) -> int | None:
        return self._sites.get(name, self._rules.game.board.index(name))


def _listed_start(rules: Rules, game: Recorded) -> Position:
    """Return the position of a text such as `W:W18,K24:B12-15` (PDN 3.0). Raises GameError."""
    standing = _Standing(rules, game)
    mover, *lists = game.setup.text.strip().rstrip(".").split(":")
    for listed in lists:
        colour = _COLOURS.get(listed[:1].upper(), "")
        for piece in filter(None, (part.strip() for part in listed[1:].split(","))):
            standing.put(colour, piece)
    to_move = game.side_of(_COLOURS.get(mover.strip().upper(), ""), rules.sides)
    if to_move not in rules.sides:
        raise _wrong_start(mover, rules)
    return rules.from_rows(write_picture(rules.game.board, standing.drawn), mover=to_move)


def _wrong_start(told: str, rules: Rules) -> GameError:
    message = f"`{told[:40]}` is no piece on the board of {rules.name}, or no side."
    return refused(Code.WRONG_RECORDED_GAME, message)


# ---------------------------------------------------------------------------------------- one move


def _follow_one(done: Followed, game: Recorded, rest: list[str], number: int, read: Reader) -> int:
    """Follow the next move of a record; return how many of its words that took."""
    here = done.positions[-1]
    count = game.counts[number] if number < len(game.counts) else None
    done.held += 1
    if count is not None and count != len(here.moves()):
        ruled = f"{len(here.moves())} legal moves"
        done.refused = Refused("count", f"{count} legal moves", ruled)
        return 0
    colour = game.colours[number] if number < len(game.colours) else ""
    problem = _let_pass(done, game, colour)
    for _ in range(_MOST_PUT_IN):
        if problem is not None:
            break
        here = done.positions[-1]
        try:
            move, used, left = _next(rest, here, game, read)
        except MoveError as error:
            problem = error
        else:
            done.make(move)
            rest[:used] = [left] if left else []
            return used - bool(left)
        if _skips(rest[0], game, here):
            done.positions.append(_turn_left_out(here))
            done.moves.append(Move((), rest[0]))
            done.movers.append(here.side)
            done.skipped += 1
            del rest[0]
            return 1
        only = here.moves()
        if len(only) != 1:
            break
        done.make(only[0])
        done.put_in += 1
        problem = None
    told = problem or IllegalMoveError(f"`{quoted(rest[0])}` is not a legal move.")
    known = number < len(game.places)
    place = game.places[number] if known else place_of_move(game, number)
    ruled = str(told) if isinstance(told, AmbiguousMoveError) else told.message
    done.refused = Refused("move", quoted(rest[0]), ruled, rest[0], place)
    return 0


def writings_of(rules: Rules, game: Recorded) -> Sequence[Writing]:
    """Return the notations that go before our own way in a record of a format.

    That is the one with the format's name, or else those that call sites otherwise.
    """
    if game.format in rules.writings:
        return (rules.writings[game.format],)
    return [one for one in rules.writings.values() if game.format and one.renames]


def _let_pass(done: Followed, game: Recorded, colour: str) -> MoveError | None:
    """Put in a pass where the record has the other colour on turn; return why that can't be.

    So is a word that its notation leaves out where another side goes on.
    """
    here = done.positions[-1]
    sides = here.rules.sides
    if not colour or here.over or game.side_of(colour, sides) in (here.mover, colour + "?"):
        return None
    if game.side_of(colour, sides) not in sides:
        return None
    passes = [move for move in here.moves() if move.text == PASS] or _unsaid(here)
    if not passes:
        return IllegalMoveError(f"It is {here.mover}'s turn here, not {colour}'s.")
    done.make(passes[0])
    done.put_in += 1
    return None


def _next(
    rest: Sequence[str], here: Position, game: Recorded, read: Reader
) -> tuple[Move, int, str]:
    """Return the next move, how many words it takes, and what is left of the last one.

    Raises MoveError.
    """
    for writing in writings_of(here.rules, game):
        with suppress(IllegalMoveError):
            found = writing.read(rest[0], here)
            if found is not None:
                return found, 1, ""
    if game.running:
        for used in range(min(_MOST_WORDS, len(rest)), 1, -1):
            with suppress(MoveError):
                return read(" ".join(rest[:used]), here), used, ""
    try:
        return _read(rest[0], here, read), 1, ""
    except UnreadableMoveError:
        text = rest[0]
        for end in range(min(_MOST_RUN_TOGETHER, len(text) - 1), 0, -1) if game.running else ():
            with suppress(MoveError):
                return read(text[:end], here), 1, text[end:]
        raise


def _read(text: str, here: Position, read: Reader) -> Move:
    """Return the move of a text, in which sites may stand without anything between them.

    Raises MoveError.
    """
    try:
        return read(text, here)
    except UnreadableMoveError:
        if text.endswith("+"):
            with suppress(MoveError):
                return read(text.rstrip("+"), here)
        game = here.rules.game
        signs: dict[str, set[str]] = {}
        for layer in game.layers:
            signs.setdefault(game.kinds[layer.kind].lower(), set()).add(layer.symbol.lower())
        found = [move for move in here.moves() if _is_run_together(text, move, signs)]
        if len(found) != 1:
            raise
        return found[0]


def _is_run_together(text: str, move: Move, signs: Mapping[str, Collection[str]]) -> bool:
    """Return whether a text is the words of a move in one; a kind of piece may be its sign.

    >>> knight = Move((), "e7-e8 Knight")
    >>> [_is_run_together(text, knight, {"knight": "n"}) for text in ("e7e8Knight", "e7e8n", "e7")]
    [True, True, False]
    """
    *before, last = words(move.text)
    begun = "".join(before)
    return text.lower() in {begun + end for end in (last, *signs.get(last, ())) if before}


def _skips(text: str, game: Recorded, here: Position) -> bool:
    return any(writing.skips(text) for writing in here.rules.writings.values())


def _turn_left_out(here: Position) -> Position:
    """Return the position in which the next side is on turn, as nothing else changes."""
    sides = here.rules.sides
    slot = here.rules.places[here.rules.game.program.system.mover]
    values = list(here.state.values)
    values[slot] = (here.side + 1) % len(sides)
    return Position(here.rules, here.rules.evaluator.settle(values))


# ----------------------------------------------------------------------------------------- the end


def follow_end(done: Followed, game: Recorded, sides: Sequence[str]) -> None:
    """Hold the result of a record against that of the rules."""
    ended = done.positions[-1].outcome
    if ended is not None:
        if not game.result or _is_same(game, ended, sides):
            return
        if _is_agreed(done.positions[-1], game):
            early = _early(game, sides)
            done.early = early if "agreed" in early else f"{early}, as was agreed"
        else:
            done.refused = Refused("result", game.result, ended.text)
    elif not game.format:
        if game.result:
            done.refused = Refused("result", game.result, "the game goes on")
    elif game.claims_win:
        done.refused = Refused("result", f"{game.moves[-1]}# wins", "the game goes on")
    else:
        done.early = _early(game, sides)


def _is_agreed(last: Position, game: Recorded) -> bool:
    """Return whether it is for the players to say who has won a game that is over."""
    notation = notation_of(game, last.rules.game)
    return bool(notation and notation.agreed and last.value(notation.agreed[last.side]))


def _early(game: Recorded, sides: Sequence[str]) -> str:
    """Return how a game was ended that goes on by the rules."""
    winner = game.winner(sides)
    if winner == DRAW:
        return "a draw was agreed" if game.ending in ("", "agreed") else f"draw, {game.ending}"
    losers = [side for side in sides if side != winner]
    if not winner:
        return game.ending or "not finished"
    if len(losers) != 1:
        return f"{winner} won"
    match game.ending:
        case "resigned":
            return f"{losers[0]} resigned"
        case "on time":
            return f"{losers[0]} lost on time"
        case "":
            return f"{winner} won"
    return f"{winner} won, {game.ending}"


def _is_same(game: Recorded, ended: Outcome, sides: Sequence[str]) -> bool:
    winner = game.winner(sides)
    if winner in ("1-0", "0-1"):
        return False
    names = ", ".join(ended.winners).lower() or DRAW
    return ended.is_told_by(winner) or " ".join(winner.lower().split()) == names


# -------------------------------------------------------------------------------- what headers set


class RulesFor:
    """The rules of recorded games: those that were asked for, with the options of their headers."""

    def __init__(self, rules: Rules, given: Collection[str] = ()) -> None:
        """Take the rules that were asked for; `given` are options that nothing changes."""
        self._usual = rules
        self._given = frozenset(given)
        self._made: dict[tuple[tuple[str, str], ...], Rules] = {}

    def __call__(self, game: Recorded) -> Rules:
        """Return the rules of a game. Raises GameError for an option that can't be so."""
        wanted = tuple(
            (name, value)
            for name, value in options_of(game, self._usual.game).items()
            if name not in self._given
        )
        if not wanted:
            return self._usual
        if wanted not in self._made:
            usual = self._usual.game
            options = {o.name: o.value for o in usual.options if not o.is_usual} | dict(wanted)
            made = load_game(usual.document.span.source.name, options, usual.variants)
            self._made[wanted] = Rules(made, type(self._usual.evaluator)(made))  # type: ignore[call-arg]
        return self._made[wanted]


def options_of(game: Recorded, rules: Game) -> dict[str, str]:
    """Return the options that the headers of a record set, where they are not as they are.

    `Options` names them, as in `size=13, komi=0.5`, which goes before other tags. A tag of two
    sizes, `9:13`, sets the options that it has one after the other. A move of that name says `yes`;
    a tag with a value, `GameType 26`, sets what is said, where it has that value. Raises GameError
    where a tag has more sizes than the game.
    """
    notation = notation_of(game, rules)
    values = {option.name: option.value for option in rules.options}
    found: dict[str, str] = {}
    for tag, (names, usual) in () if notation is None else notation.options.items():
        key, _, wanted = tag.partition(" ")
        if wanted and game.tags.get(key, "").partition(",")[0].strip() != wanted:
            continue
        said = usual if wanted else game.tags.get(tag, usual).strip()
        said = "yes" if tag in game.moves else said
        said = _DECIMAL_COMMA.sub(r"\1.\2", said)
        parts = [part.strip() for part in said.replace("x", ":").split(":") if part.strip()]
        if len(set(parts)) > len(names):
            told = f"{rules.title} has one size, and the record, by its `{tag}`, is of {said}."
            raise refused(Code.WRONG_RECORDED_GAME, told)
        for place, name in enumerate(names):
            value = parts[min(place, len(parts) - 1)] if parts else ""
            if name in values and value and not _is_equal(value, values[name]):
                found[name] = value
    for part in game.tags.get(OPTIONS, "").split(","):
        name, _, value = (word.strip() for word in part.partition("="))
        if name in values and value:
            found[name] = value
    return {name: value for name, value in found.items() if not _is_equal(value, values[name])}


def notation_of(game: Recorded, rules: Game) -> Notation | None:
    """Return the notation of a game that is that of a record's format."""
    return next((n for n in rules.notations if n.name == game.format), None)


def _is_equal(one: str, other: str) -> bool:
    try:
        return float(one) == float(other)
    except ValueError:
        return one == other


__all__ = ["Followed", "GameError", "Refused", "RulesFor", "follow", "start_of"]
