"""Moves as people type them: run together, cut short, or by the letter of a piece; commands.

In: a text, and a position. Out: the one legal move that it means, or the command. What then holds:
a text that reads as a move by itself is that move; a shorter one is a move only if no other can be
meant.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from string import ascii_lowercase

from gdl.diagnostic import suggest
from gdl.interpreter.english import sentence
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import (
    AmbiguousMoveError,
    Move,
    MoveError,
    words,
    words_of_all,
)
from gdl.interpreter.positions.position import Position
from gdl.interpreter.sessions.notation import all_spelled, unspelled

_MOST_SHOWN = 8
_OTHER_NAMES = {"?": "help", "exit": "quit", "back": "undo"}
_QUESTION = "why"
_ROUND, _COLUMNS = ("o", "0"), 2
_PIECE = re.compile(r"([a-z])([a-wyz]?)([0-9]*?)x?([a-z]+[0-9]+)([a-z]*)")
_COLUMN = re.compile(r"(?:([a-z]+)x)?([a-z]+[0-9]+)([a-z]*)")


def typed_command(text: str, known: Container[str]) -> tuple[str, str] | None:
    """Return the name of the command that a text is, and what follows it; None if it is none.

    There are other names for some, and what asks may end so.

    >>> typed_command("Back", ["undo"]), typed_command("why not b2?", ["why"])
    (('undo', ''), ('why', 'b2'))
    """
    word, _, rest = text.strip().partition(" ")
    name = word.lower().rstrip("?") or word
    name = _OTHER_NAMES.get(name, name)
    argument = rest.strip()
    if name == _QUESTION:
        argument = argument.rstrip("? ").removeprefix("not ")
    return (name, argument) if name in known else None


def typed_move(text: str, position: Position) -> Move:
    """Return the legal move that a text means, as `unspelled` does, or in a shorter spelling.

    `c3d4` is c3-d4; `d` is d4 where that alone begins so; `Nb1` is the only move of a piece drawn
    as N to b1, `Ngf3` that of the one in column g; `e4` the only move there, `exd5` that to d5 from
    column e, `e8=Q` that to e8 which goes on with Queen. `O-O` is the move by which a piece
    goes two columns to the side and another one as many as there are Os. Raises MoveError.
    """
    try:
        return unspelled(text, position)
    except AmbiguousMoveError:
        raise
    except MoveError as problem:
        for read in _READINGS:
            found = tuple(dict.fromkeys(read(text, position)))
            if len(found) == 1:
                return found[0]
            if found and read in (_run_together, _by_piece):
                shown = ", ".join(move.text for move in found[:_MOST_SHOWN])
                message = f"`{text.strip()}` can mean {len(found)} moves."
                raise AmbiguousMoveError(message, f"They are: {shown}.") from None
        raise problem from None


def _with_blanks(text: str, position: Position) -> Iterator[Move]:
    """Yield the move that a text means if words of moves such as `tall_red` have blanks in it."""
    joined = " ".join(text.split()).lower()
    for name in sorted(position.rules.vocabulary, key=len, reverse=True):
        if "_" in name:
            joined = joined.replace(name.lower().replace("_", " "), name)
    if joined != " ".join(text.split()).lower():
        with suppress(MoveError):
            yield unspelled(joined, position)


def _run_together(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves whose words are these letters, without anything between them."""
    typed = _joined(words(text))
    for move in position.moves():
        if typed and any(_joined(form) == typed for form in move.forms):
            yield move


def _cut_short(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves of which these are the letters but for the end of the last word."""
    typed = _joined(words(text))
    for move in position.moves():
        for form in move.forms:
            whole = _joined(form)
            is_begun = len(_joined(form[:-1])) < len(typed) < len(whole)
            is_cut_in_number = typed[-1:].isdigit() and whole[len(typed) :][:1].isdigit()
            if is_begun and whole.startswith(typed) and not is_cut_in_number:
                yield move


def _by_column(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves from a column to a site, or all that go on there with what follows `=`."""
    told = _COLUMN.fullmatch(_bare(text))
    if told is None or not ("=" in text or told[1]) or text.strip()[:1].isupper():
        return
    column, target, rest = told[1] or "", told[2], told[3]
    game = position.rules.game
    kinds = {game.kinds[layer.kind].lower(): layer.symbol.lower() for layer in game.layers}
    for move in position.moves():
        for form in move.forms:
            is_from = not column or form[0].rstrip("0123456789") == column
            is_there = _goes_on(form, rest) or kinds.get(_joined(form[2:])) == rest
            if is_from and form[1:2] == (target,) and is_there:
                yield move


def _by_piece(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves by which a piece, told by the letter it is drawn as, comes to a site."""
    told = _PIECE.fullmatch(_bare(text))
    if told is None:
        return
    letter, column, row, target, rest = told.groups()
    symbols = {
        position.rules.game.board.sites[index].name: layer.symbol.lower()
        for index, layer in position.occupied()
    }
    for move in position.moves():
        for form in move.forms:
            begins = symbols.get(form[0]) == letter and form[0].startswith(column)
            is_there = form[1:2] == (target,) and _goes_on(form, rest)
            if begins and is_there and form[0].endswith(row):
                yield move


def _by_goal(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves that lead to a site, if none begins there.

    Words with two sites are a move of their own, legal or not: they name where it begins.
    """
    typed, legal, board = words(text), position.moves(), position.rules.game.board
    if sum(board.index(word) is not None for word in typed) > 1:
        return
    if not any(form[:1] == typed for move in legal for form in move.forms):
        yield from (move for move in legal if any(form[1:] == typed for form in move.forms))


def _of_two_pieces(text: str, position: Position) -> Iterator[Move]:
    """Yield the moves of two own pieces in a row: the first goes two columns, the other so many."""
    typed = words(text.strip().rstrip("+#"))
    if len(typed) < _COLUMNS or any(word not in _ROUND for word in typed):
        return
    board, before = position.rules.game.board, dict(position.occupied())

    def columns(start: int, end: int) -> int:
        """How many columns apart two sites of one row are; 0 if they are not that."""
        if board.sites[start].row != board.sites[end].row:
            return 0
        return abs(board.sites[start].column - board.sites[end].column)

    for move in position.moves():
        ends = [site for site in map(board.index, move.words) if site is not None]
        if not len(ends) == len(move.words) == 2 or columns(*ends) != _COLUMNS:
            continue
        with suppress(RuleError):
            after = dict(position.play(move).occupied())
            gone = {site: piece for site, piece in before.items() if after.get(site) != piece}
            come = {site: piece for site, piece in after.items() if before.get(site) != piece}
            first = gone.pop(ends[0], None)
            if first is None or come.pop(ends[1], None) != first or len(gone) != 1:
                continue
            ((origin, other),) = gone.items()
            is_own = first.side == other.side == position.side
            if is_own and [*come.values()] == [other] and columns(origin, *come) == len(typed):
                yield move


_READINGS = (
    _with_blanks,
    _run_together,
    _cut_short,
    _by_column,
    _by_piece,
    _by_goal,
    _of_two_pieces,
)
"""Ways to read a text that is no move by itself, one after the other."""


def _bare(text: str) -> str:
    """Return a text without blanks and without what tells no place: `=`, `+` and `#` at its end."""
    return _joined(text.lower().replace("=", "").rstrip("+#").split())


def _goes_on(form: tuple[str, ...], rest: str) -> bool:
    return _joined(form[2:]).startswith(rest)


def _joined(parts: Iterable[str]) -> str:
    return "".join(parts)


# ------------------------------ what may be wrong with a text that was typed for a move and is none

_MOST_MEANT = 3  # moves that have the words that were typed
_MOST_NUMBERED = 6


def refusal(
    error: MoveError,
    typed: str,
    position: Position,
    pieces: Mapping[str, str],
    other: Iterable[str] = (),
) -> str:
    """Return what is wrong with a text that is no move, and what may have been meant.

    `pieces` are what the person sees, by site; `other` words are understood besides moves.
    """
    if isinstance(error, AmbiguousMoveError):
        spelled = (text for text in all_spelled(position) if " @" in text)
        ways = [text for text in spelled if text.lower().startswith(typed.lower())]
        return f"{error.message} Type one of: {'; '.join(ways)}" if ways else str(error)
    hint = error.hint or _way_out(position, typed, pieces)
    if not hint and not words_of_all(position.rules.vocabulary) & set(words(typed)):
        hint = str(suggest(typed.split()[0], other) or "")
    return f"{error.message} {hint}".rstrip()


def _standing(position: Position, site: str, pieces: Mapping[str, str]) -> str:
    """Return what stands on a site; of who is on turn, with what the author says of such pieces."""
    side, _, kind = pieces[site].partition(" on ")[0].rpartition(" ")
    caption = position.rules.game.looks.captions.get(kind, "") if side == position.mover else ""
    return f"On {site} stands: {pieces[site]}. {sentence(caption) if caption else ''}".rstrip()


def _way_out(position: Position, typed: str, pieces: Mapping[str, str]) -> str:
    """Return what stands on a site that was named, which moves may be meant, or what to ask.

    It is the site from which nothing can move, else the last one. It is empty if a word of the
    text is no word of any move.
    """
    typed_words, legal = words(typed), position.moves()
    beginnings = {move.words[0] for move in legal if move.words}
    if len(typed_words) > 1 and beginnings <= pieces.keys() and typed_words[0] not in beginnings:
        first = typed_words[0]
        if first in pieces:
            return f"{_standing(position, first, pieces)} {_more(position, typed)}".rstrip()
        if position.rules.game.board.index(first) is not None:
            return f"{first} is empty."
    piece = pieces.get(typed_words[-1]) if typed_words else None
    if piece is not None:
        return _standing(position, typed_words[-1], pieces)
    numbered = [
        short for short in map(position.short, legal) if short.strip(ascii_lowercase) == typed
    ]
    if numbered:
        more = " …" if len(numbered) > _MOST_NUMBERED else ""
        there = f"{', '.join(numbered[:_MOST_NUMBERED])}{more}"
        return f"At {typed} there {'is' if len(numbered) == 1 else 'are'}: {there}."
    meant = [move.text for move in legal if set(typed_words) <= set(move.words)]
    if typed_words and 0 < len(meant) <= _MOST_MEANT:
        return f"Did you mean {' or '.join(f'`{text}`' for text in meant)}?"
    known = words_of_all(position.rules.vocabulary)
    is_read = typed_words and known.issuperset(typed_words)
    return _more(position, typed) if is_read else ""


def _more(position: Position, typed: str) -> str:
    """Return what tells why a move is not legal: nothing where that would tell what is hidden."""
    return "" if position.rules.game.hides else f"`why {' '.join(typed.split())}` tells more."
