"""The builder: from lark's trees to the classes of `tree`.

lark's `create_transformer` pairs each class with the rule of its name. Left here are where a node
stands, words and numbers, rules that are lists, and rules whose parts are not the fields of a
class: each says why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lark import Token, Transformer, Tree, v_args
from lark.ast_utils import create_transformer
from lark.exceptions import VisitError
from lark.tree import Meta

from gdl.diagnostic import Span
from gdl.syntax import tree as t


class TreeBuilder(Transformer[Token, Any]):
    """Builds the tree of one text after another."""

    def __init__(self) -> None:
        super().__init__()
        self._text: Span
        create_transformer(t, self, self._places)

    def build(self, parsed: Tree[Token], text: Span) -> Any:
        """Return the node, or the tuple of nodes, for lark's tree of `text`.

        Raises RecursionError for a tree that is too deep.
        """
        self._text = text
        try:
            return self.transform(parsed)
        except VisitError as wrapped:
            raise wrapped.orig_exc from None

    def _places(self, inline: bool, meta: bool) -> Callable[..., Any]:
        """Return what makes of a class a function of lark's: it gets its span before its parts."""

        def placed(make: Any, rule: str, parts: list[Any], meta: Meta) -> Any:
            span = self._span(meta)
            return make(span, *parts) if inline else make(span, tuple(parts))

        return v_args(wrapper=placed)

    def _span(self, meta: Meta) -> Span:
        text = self._text
        if meta.empty:
            return text
        return Span(text.source, meta.start_pos, meta.end_pos)

    def NAME(self, token: Token) -> t.Name:  # noqa: N802
        """Return a word."""
        return t.Name(self._span_of(token), str(token))

    def NUMBER(self, token: Token) -> t.Number:  # noqa: N802
        """Return a number."""
        return t.Number(self._span_of(token), str(token))

    def __default_token__(self, token: Token) -> str:
        return str(token)

    def _span_of(self, token: Token) -> Span:
        start = token.start_pos or 0
        return Span(self._text.source, start, start + len(token))

    def _list(self, parts: list[Any]) -> tuple[Any, ...]:
        return tuple(parts)

    program = block = names = teams = team = site_kinds = board_changes = piece_list = (
        piece_words
    ) = _list
    arguments = optional_arguments = parameters = indices = allowed = nobody = _list

    @v_args(inline=True)
    def group(self, inner: t.Expression) -> t.Expression:
        """Return what parentheses enclose; they belong to the span of what is around them."""
        return inner

    @v_args(meta=True)
    def combination(self, meta: Meta, parts: list[Any]) -> t.Operation:
        """Return an operation: its operator stands before, between or among its operands."""
        operator: Any = next(part for part in parts if isinstance(part, str))
        operands = tuple(part for part in parts if not isinstance(part, str))
        return t.Operation(self._span(meta), operator, operands)

    @v_args(meta=True)
    def constant(self, meta: Meta, parts: list[Any]) -> t.Parameter:
        """Return a parameter that is a number; other parameters may have a type before them."""
        return t.Parameter(self._span(meta), None, *parts)
