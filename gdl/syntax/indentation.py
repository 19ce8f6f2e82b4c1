"""Indentation: the lines of a program and their blocks, made into tokens.

In: the tokens of a program, which know their line and column. Out: the same with `_NL` at the
end of each line, and `_INDENT` and `_DEDENT` around blocks. What then holds: a deeper line
opens a block if the line before it can have one, else it continues that line; a line inside
parentheses continues; any other indentation is a `WrongIndentation`.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex

_BLOCK_OPENERS = frozenset({"IF", "FOR", "REPEAT", "EITHER", "OPTIONALLY", "ELSE", "OR"})


class WrongIndentation(Exception):
    """A line stands in a column that belongs to no block; `token` begins it."""

    def __init__(self, token: Token, message: str) -> None:
        super().__init__(message)
        self.token = token
        self.message = message


class Indentation(PostLex):
    """The post-lexer: for programs it adds those tokens, for other texts it does nothing.

    `text` is the whole file whose slice is being read.
    """

    always_accept = ()

    def __init__(self) -> None:
        self.active = False
        self.text = ""

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """Yield the tokens of `stream` with those of lines and blocks among them."""
        return self._with_blocks(stream) if self.active else stream

    def _with_blocks(self, stream: Iterator[Token]) -> Iterator[Token]:
        columns: list[int] = []
        depth = 0
        line = -1
        opener = False
        last: Token | None = None
        for token in stream:
            if last is None:
                columns.append(self._column(token))
                line, opener = _line(token), token.type in _BLOCK_OPENERS
            elif _line(token) != line and depth == 0:
                line = _line(token)
                column = self._column(token)
                if column <= columns[-1] or opener:
                    yield from self._new_line(token, last, columns, column, opener)
                    opener = token.type in _BLOCK_OPENERS
            depth += (token.type == "LPAR") - (token.type == "RPAR")
            depth = max(depth, 0)
            last = token
            yield token
        if last is not None:
            yield Token.new_borrow_pos("_NL", "", last)
            for _ in columns[1:]:
                yield Token.new_borrow_pos("_DEDENT", "", last)

    def _new_line(
        self, token: Token, last: Token, columns: list[int], column: int, opener: bool
    ) -> Iterator[Token]:
        yield Token.new_borrow_pos("_NL", "", last)
        if column > columns[-1]:
            columns.append(column)
            yield Token.new_borrow_pos("_INDENT", "", token)
            return
        if column not in columns:
            raise WrongIndentation(token, "This line is indented like none of the lines above it.")
        while column < columns[-1]:
            columns.pop()
            yield Token.new_borrow_pos("_DEDENT", "", last)

    def _column(self, token: Token) -> int:
        """Count from the line's start in the whole file: a slice's own columns begin anew."""
        start = token.start_pos or 0
        return start - self.text.rfind("\n", 0, start)


def _line(token: Token) -> int:
    return token.line if token.line is not None else 0
