"""Names: what a word of a game's file stands for already, and whether a new one is free.

In: a name and its scope. Out: its meaning in words, or all the words that there are. What then
holds: a word that a text makes hides no other, but of the prelude, and in it.
"""

from __future__ import annotations

from gdl.board.board import Board
from gdl.codes import Code
from gdl.diagnostic import Facts, Span
from gdl.elaborate.expressions import builtins
from gdl.elaborate.names import teams
from gdl.elaborate.names.scope import Scope, problem
from gdl.elaborate.pieces import piles
from gdl.syntax import tree as t

PRELUDE = "prelude.yaml"
OF_PRELUDE = "a word of the prelude"
"""What a word is that a file may use for something else: the prelude goes on to mean its own."""


def all_words(scope: Scope) -> list[str]:
    """Return every word that could have been meant."""
    d = scope.declarations
    return [
        *scope.locals,
        *d.declared(),
        *d.traits,
        *d.groups_of_kinds,
        *d.definitions,
        *builtins.WORDS,
        *((teams.WORD,) if d.teams else ()),
        *builtins.FUNCTIONS,
        *(() if d.piles is None else piles.FUNCTIONS),
        *d.board.relations,
        *d.board.regions,
        *d.board.numbers,
    ]


def alike(name: str, scope: Scope) -> list[str]:
    """Return the words that a name may be a slip of the pen for.

    A capital begins sides and kinds: the slip for any other word is then the capital alone.
    """
    words = all_words(scope)
    if not name[:1].isupper():
        return words
    plain = [
        word for word in words if word.lower() == name.lower() and not _has_parameters(word, scope)
    ]
    return [*plain, *(word for word in words if word[:1].isupper())]


def _has_parameters(word: str, scope: Scope) -> bool:
    """Return whether a word of the file or the prelude means nothing by itself."""
    candidates = scope.declarations.definitions.get(word, ())
    return bool(candidates) and all(candidate.head.parameters for candidate in candidates)


def meaning(name: str, scope: Scope) -> str:
    """Return what a name already stands for, apart from local words, or an empty text."""
    d = scope.declarations
    if (
        builtins.word(name, scope) is not None
        or builtins.function(name, scope) is not None
        or name == "board"
    ):
        return "a word of the language"
    if name in d.board.relations or name in d.board.regions or name in d.board.numbers:
        return "a word for this board"
    if d.board.index(name) is not None:
        return "a site"
    definition = d.definitions.get(name)
    if definition is not None and not definition[0].from_prelude:
        return "a definition"
    if name in d.options:
        return "an option"
    if name in d.sides:
        return "a side"
    if name in d.kind_type.values:
        return "a kind of piece"
    if name in d.traits or name in d.groups_of_kinds:
        return "a trait of pieces"
    if name in d.state:
        return "a variable"
    return "" if definition is None else OF_PRELUDE


def is_of_board(name: str, board: Board) -> bool:
    """Return whether a name means something because of the board alone."""
    if name in ("all", "empty", "occupied", "neutral", "identity"):
        return True
    is_site = board.index(name) is not None
    return is_site or name in board.relations or name in board.regions or name in board.numbers


def check_free(name: str, span: Span, scope: Scope) -> None:
    """Raise a Problem if a new local word has a meaning already."""
    what = "a word that already stands here" if name in scope.locals else meaning(name, scope)
    if what and what != OF_PRELUDE:
        raise problem(
            Code.NAME_TAKEN,
            f"`{name}` is {what}; a new word needs a name of its own.",
            span,
            "Choose another name.",
            facts=Facts(name, found="a local word" if name in scope.locals else what),
        )


def is_in_prelude(name: t.Name) -> bool:
    """Return whether a word stands in a definition of the prelude, where it means its own words."""
    return name.span.source.name == PRELUDE


def check_local(name: t.Name, scope: Scope) -> None:
    """Raise a Problem if a local word would hide something that has a name already."""
    if not is_in_prelude(name):
        check_free(name.name, name.span, scope)
