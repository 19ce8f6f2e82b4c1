"""Whether a text has the form of a move that a game could have in any position.

In: a game and a text. Out: yes or no. What then holds: a text that is a move in some position has
such a form. The other way round it need not be so: sets and conditions are not looked at.
"""

from __future__ import annotations

from itertools import pairwise

from gdl.board.board import Board
from gdl.core.nodes import (
    Block,
    Branch,
    Choose,
    Decide,
    ForEach,
    Repeat,
    Say,
    SitesOf,
    Statement,
)
from gdl.data_classes import dataclass
from gdl.interpreter.evaluation.moves import (
    PASS,
    MoveError,
    SeveralMovesError,
    quoted,
    word_places,
    words,
)
from gdl.model import Game

_MOST_TRIED = 8


def has_form_of_move(game: Game, text: str) -> bool:
    """Return whether the words of a text, and hyphens where it has any, are those of some move."""
    form = _Form(game.board, words(text), _joined(text))
    if form.words == (PASS,):
        return True
    turns, begin = game.program.turns, frozenset({0})
    return any(len(form.words) in form.after(turn.program, begin) for turn in turns)


def are_several_moves(game: Game, text: str, error: MoveError) -> bool:
    """Return whether a text that was refused is two moves or more, and not one that is illegal.

    It is one if some position could have it, or if it has a word too many: where the words of a
    move have spaces between them, a further one is as near as a comma that was forgotten.
    """
    if not isinstance(error, SeveralMovesError) or has_form_of_move(game, text):
        return False
    is_listed = " " in error.move.text and not any(_joined(text))
    return not is_listed or len(words(error.rest)) >= len(words(error.move.text))


def hint_in_list(game: Game, error: MoveError) -> str:
    """Return the way out of an error where several moves may stand with commas between them."""
    if not isinstance(error, SeveralMovesError) or error.has_comma:
        return str(error.hint)
    parts = error.rest.split()[:_MOST_TRIED]
    begins = (" ".join(parts[:number]) for number in range(1, len(parts) + 1))
    if not any(has_form_of_move(game, begin) for begin in begins):
        return str(error.hint)
    return f"`{error.move}` is a whole move; put a comma before `{quoted(error.rest)}`."


def _joined(text: str) -> tuple[bool, ...]:
    """Return which words hang on the one before by a sign; nothing where no word does."""
    places = list(word_places(text))
    between = [text[end:start].strip() for (_, end), (start, _) in pairwise(places)]
    return (False, *map(bool, between)) if any(between) else ()


_Places = frozenset[int]


@dataclass(frozen=True)
class _Form:
    """The words of a text, which are read along the program of a turn."""

    board: Board
    words: tuple[str, ...]
    joined: tuple[bool, ...]

    def after(self, block: Block, places: _Places) -> _Places:
        """Return how many words may have been read after a block, from those read before it."""
        for statement in block:
            places = self._after_statement(statement, places)
        return places

    def _after_statement(self, statement: Statement, places: _Places) -> _Places:
        match statement:
            case Choose():
                return frozenset(place + 1 for place in places if self._is_chosen(statement, place))
            case Say(_, token=token):
                return self._after_token(token, places)
            case Decide(_, alternatives):
                return frozenset().union(
                    *(
                        self.after(way.body, self._after_token(way.token, places))
                        for way in alternatives
                    )
                )
            case Branch(_, _, then, otherwise):
                return self.after(then, places) | self.after(otherwise, places)
            case ForEach(body=body) | Repeat(body=body):
                return self._after_rounds(body, places)
            case _:
                return places

    def _after_rounds(self, body: Block, places: _Places) -> _Places:
        found, new = set(places), places
        while new:
            new = self.after(body, new) - found
            found |= new
        return frozenset(found)

    def _after_token(self, token: str | None, places: _Places) -> _Places:
        after = set()
        for place in places:
            # Behind other words, an `x` is read as a joint.
            said = words(f"{'a' * bool(place)} {token or ''}")[bool(place) :]
            if self.words[place : place + len(said)] == said:
                after.add(place + len(said))
        return frozenset(after)

    def _is_chosen(self, choice: Choose, place: int) -> bool:
        if place >= len(self.words):
            return False
        if place and self.joined and choice.separator == "-" and not self.joined[place]:
            return False
        word = self.words[place]
        if isinstance(choice.domain, SitesOf):
            return self.board.index(word) is not None
        return word.isdigit()
