"""The builder: lark's trees to the classes of tree.py, one method a rule of the grammar."""

from __future__ import annotations

from typing import Any

from lark import Token, Tree

from gdl.diagnostic import Span
from gdl.syntax import tree as t


class TreeBuilder:
    """Builds the tree of one text; `text` is where the text stands."""

    def __init__(self, text: Span) -> None:
        self._text = text

    def build(self, node: Tree[Token] | Token | None) -> Any:
        """Return the node, or the tuple of nodes, for a lark tree."""
        if node is None:
            return None
        if isinstance(node, Token):
            return self._token(node)
        method = getattr(self, f"_{node.data}")
        return method(self._span(node), list(node.children))

    def _span(self, node: Tree[Token]) -> Span:
        meta = node.meta
        if meta.empty:
            return Span(self._text.source, self._text.start, self._text.end)
        return Span(self._text.source, meta.start_pos, meta.end_pos)

    def _token(self, token: Token) -> t.Name:
        start = token.start_pos or 0
        return t.Name(Span(self._text.source, start, start + len(token)), str(token))

    def _all(self, children: list[Any]) -> tuple[Any, ...]:
        return tuple(self.build(child) for child in children if child is not None)

    # -------------------------------------------------------------- expressions

    def _operation(self, operator: str, span: Span, children: list[Any]) -> t.Operation:
        return t.Operation(span, operator, self._all(children))

    def _infix(self, span: Span, c: list[Any]) -> t.Operation:
        return t.Operation(span, str(c[1]), (self.build(c[0]), self.build(c[2])))

    def _when(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("when", span, c)

    def _any_of(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("or", span, c)

    def _all_of(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("and", span, c)

    def _not_so(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("not", span, c)

    def _some(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("some", span, c)

    def _empty(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("no", span, c)

    def _membership(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("in", span, c)

    def _union(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("|", span, c)

    def _intersection(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("&", span, c)

    def _negative(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("negative", span, c)

    def _raised(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("^", span, c)

    def _count(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("count", span, c)

    def _maximum(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("max", span, c)

    def _minimum(self, span: Span, c: list[Any]) -> t.Operation:
        return self._operation("min", span, c)

    _compare = _infix
    _arithmetic = _infix
    _restrict = _infix

    def _call(self, span: Span, c: list[Any]) -> t.Call:
        return t.Call(span, self.build(c[0]), self._all(c[1:]))

    def _name(self, span: Span, c: list[Any]) -> t.Name:
        return t.Name(span, str(c[0]))

    def _number(self, span: Span, c: list[Any]) -> t.Number:
        return t.Number(span, str(c[0]))

    def _yes(self, span: Span, c: list[Any]) -> t.Flag:
        return t.Flag(span, True)

    def _false(self, span: Span, c: list[Any]) -> t.Flag:
        return t.Flag(span, False)

    def _group(self, span: Span, c: list[Any]) -> t.Expression:
        inner: t.Expression = self.build(c[0])
        return inner

    def _listing(self, span: Span, c: list[Any]) -> t.Listing:
        return t.Listing(span, self._all(c))

    def _range(self, span: Span, c: list[Any]) -> t.Range:
        return t.Range(span, self.build(c[0]), self.build(c[1]))

    def _quantified(self, word: str, span: Span, c: list[Any]) -> t.Quantified:
        return t.Quantified(span, word, self.build(c[0]), self.build(c[1]), self.build(c[2]))

    def _exists(self, span: Span, c: list[Any]) -> t.Quantified:
        return self._quantified("some", span, c)

    def _never(self, span: Span, c: list[Any]) -> t.Quantified:
        return self._quantified("no", span, c)

    def _every(self, span: Span, c: list[Any]) -> t.Quantified:
        return self._quantified("every", span, c)

    def _how_many(self, span: Span, c: list[Any]) -> t.Quantified:
        return self._quantified("count", span, c)

    def _such_that(self, span: Span, c: list[Any]) -> t.Quantified:
        return self._quantified("sites", span, c[1:])

    def _fold(self, span: Span, c: list[Any]) -> t.Quantified:
        return self._quantified(str(c[0]), span, c[1:])

    def _fold_max(self, span: Span, c: list[Any]) -> t.Quantified:
        return self._quantified("max", span, c)

    def _fold_min(self, span: Span, c: list[Any]) -> t.Quantified:
        return self._quantified("min", span, c)

    def _pairs(self, span: Span, c: list[Any]) -> t.Pairs:
        return t.Pairs(span, *(self.build(child) for child in c))

    def _conditional(self, span: Span, c: list[Any]) -> t.Conditional:
        return t.Conditional(span, *(self.build(child) for child in c))

    def _let_in(self, span: Span, c: list[Any]) -> t.LetIn:
        return t.LetIn(span, *(self.build(child) for child in c))

    def _can_reach(self, span: Span, c: list[Any]) -> t.Can:
        return t.Can(span, *(self.build(child) for child in c))

    # --------------------------------------------------------------- statements

    def _program(self, span: Span, c: list[Any]) -> tuple[t.Statement, ...]:
        statements: tuple[t.Statement, ...] = self.build(c[0])
        return statements

    def _statements(self, span: Span, c: list[Any]) -> tuple[t.Statement, ...]:
        """Build a block; a line of several simple statements adds each of them."""
        statements: list[t.Statement] = []
        for child in c:
            built = self.build(child)
            statements += built if isinstance(built, tuple) else (built,)
        return tuple(statements)

    def _simple_line(self, span: Span, c: list[Any]) -> tuple[t.Statement, ...]:
        return self._all(c)

    def _body(self, child: Any) -> tuple[t.Statement, ...]:
        """Build a block, which may be one statement on the line of its heading."""
        built = self.build(child)
        return built if isinstance(built, tuple) else (built,)

    def _if_statement(self, span: Span, c: list[Any]) -> t.If:
        otherwise = self.build(c[2]) if c[2] is not None else ()
        return t.If(span, self.build(c[0]), self._body(c[1]), otherwise)

    def _else_part(self, span: Span, c: list[Any]) -> tuple[t.Statement, ...]:
        return self._body(c[0])

    def _else_if(self, span: Span, c: list[Any]) -> tuple[t.Statement, ...]:
        return (self._if_statement(span, c),)

    def _for_each(self, span: Span, c: list[Any]) -> t.ForEach:
        return t.ForEach(
            span, self.build(c[0]), self.build(c[1]), self.build(c[2]), self._body(c[3])
        )

    def _repeat_until(self, span: Span, c: list[Any]) -> t.Repeat:
        return t.Repeat(span, "until", self.build(c[1]), self._body(c[0]))

    def _repeat_settled(self, span: Span, c: list[Any]) -> t.Repeat:
        return t.Repeat(span, "settled", None, self._body(c[0]))

    def _repeat_while(self, span: Span, c: list[Any]) -> t.Repeat:
        return t.Repeat(span, "while", self.build(c[0]), self._body(c[1]))

    def _repeat_times(self, span: Span, c: list[Any]) -> t.Repeat:
        return t.Repeat(span, "times", self.build(c[0]), self._body(c[1]))

    def _either(self, span: Span, c: list[Any]) -> t.Either:
        first = (self.build(c[0]), self._body(c[1]))
        return t.Either(span, (first, *(self.build(part) for part in c[2:])))

    def _or_part(self, span: Span, c: list[Any]) -> tuple[t.Name | None, tuple[t.Statement, ...]]:
        return (self.build(c[0]), self._body(c[1]))

    def _optionally(self, span: Span, c: list[Any]) -> t.Either:
        return t.Either(span, ((self.build(c[0]), self._body(c[1])),), optional=True)

    def _label(self, span: Span, c: list[Any]) -> t.Name:
        return self._token(c[0])

    def _choose(self, span: Span, c: list[Any]) -> t.Choose:
        return t.Choose(span, *(self.build(child) for child in c))

    def _place(self, span: Span, c: list[Any]) -> t.Place:
        return t.Place(span, self.build(c[0]), self.build(c[1]))

    def _remove(self, span: Span, c: list[Any]) -> t.Remove:
        return t.Remove(span, self.build(c[0]))

    def _move(self, span: Span, c: list[Any]) -> t.MovePiece:
        return t.MovePiece(span, self.build(c[0]), self.build(c[1]))

    def _flip(self, span: Span, c: list[Any]) -> t.Flip:
        return t.Flip(span, self.build(c[0]))

    def _change(self, span: Span, c: list[Any]) -> t.Change:
        return t.Change(span, self.build(c[0]), self.build(c[1]))

    def _shift(self, span: Span, c: list[Any]) -> t.Shift:
        return t.Shift(span, self.build(c[0]), self.build(c[1]))

    def _assign(self, span: Span, c: list[Any]) -> t.Assign:
        return t.Assign(span, self.build(c[0]), self.build(c[1]))

    def _add(self, span: Span, c: list[Any]) -> t.Add:
        return t.Add(span, self.build(c[0]), self.build(c[1]))

    def _let(self, span: Span, c: list[Any]) -> t.LetStatement:
        return t.LetStatement(span, self.build(c[0]), self.build(c[1]))

    def _require(self, span: Span, c: list[Any]) -> t.Require:
        return t.Require(span, self.build(c[0]))

    def _keep(self, span: Span, c: list[Any]) -> t.Keep:
        return t.Keep(span, str(c[0]), self.build(c[1]))

    def _do(self, span: Span, c: list[Any]) -> t.Do:
        return t.Do(span, self.build(c[0]), self._all(c[1:]))

    def _pass_turn(self, span: Span, c: list[Any]) -> t.Simple:
        return t.Simple(self._token(c[0]).span, "pass")

    def _again(self, span: Span, c: list[Any]) -> t.Simple:
        return t.Simple(self._token(c[0]).span, "again")

    def _swap(self, span: Span, c: list[Any]) -> t.Simple:
        return t.Simple(self._token(c[0]).span, "swap")

    def _next_side(self, span: Span, c: list[Any]) -> t.NextSide:
        return t.NextSide(span, self.build(c[0]))

    def _take(self, span: Span, c: list[Any]) -> t.Take:
        return t.Take(span, self.build(c[0]))

    def _go_to(self, span: Span, c: list[Any]) -> t.GoTo:
        return t.GoTo(span, self.build(c[0]))

    def _target(self, span: Span, c: list[Any]) -> t.Target:
        return t.Target(span, self.build(c[0]), self._all(c[1:]))

    def _piece(self, span: Span, c: list[Any]) -> t.Piece:
        return t.Piece(span, self._all(c[:-1]), self.build(c[-1]))

    # ------------------------------------------------ clauses, heads, declarations

    def _names(self, span: Span, c: list[Any]) -> tuple[t.Name, ...]:
        return self._all(c)

    def _outcome_clause(self, span: Span, c: list[Any]) -> t.Clause:
        return t.Clause(span, str(c[1]), self.build(c[0]), None, self.build(c[2]))

    def _draw_clause(self, span: Span, c: list[Any]) -> t.Clause:
        return t.Clause(span, "draw", (), None, self.build(c[0]))

    def _rank_clause(self, span: Span, c: list[Any]) -> t.Clause:
        return t.Clause(span, str(c[0]), (), self.build(c[1]), self.build(c[3]), str(c[2]))

    def _stuck_outcome(self, span: Span, c: list[Any]) -> t.Clause:
        return t.Clause(span, str(c[0]), (), None, self.build(c[1]))

    def _stuck_passes(self, span: Span, c: list[Any]) -> t.Clause:
        return t.Clause(span, "passes", (), None, self.build(c[0]))

    def _stuck_end(self, span: Span, c: list[Any]) -> t.Clause:
        clause: t.Clause = self.build(c[0])
        return clause

    def _head(self, span: Span, c: list[Any]) -> t.Head:
        return t.Head(span, self.build(c[0]), self._all(c[1:]))

    def _parameter(self, span: Span, c: list[Any]) -> t.Parameter:
        return t.Parameter(span, str(c[0]), None)

    def _typed_parameter(self, span: Span, c: list[Any]) -> t.Parameter:
        return t.Parameter(span, str(c[1]), str(c[0]))

    _number_parameter = _parameter

    def _state_head(self, span: Span, c: list[Any]) -> t.StateHead:
        return t.StateHead(span, self.build(c[0]), self._all(c[1:]))

    def _state_type(self, span: Span, c: list[Any]) -> t.StateType:
        return t.StateType(span, *(self.build(child) for child in c))

    def _option(self, span: Span, c: list[Any]) -> t.OptionType:
        allowed = self.build(c[1]) if c[1] is not None else ()
        return t.OptionType(span, self.build(c[0]), allowed)

    def _allowed(self, span: Span, c: list[Any]) -> tuple[t.Expression, ...]:
        return self._all(c)

    def _piece_list(self, span: Span, c: list[Any]) -> tuple[t.PieceEntry, ...]:
        return self._all(c)

    def _piece_entry(self, span: Span, c: list[Any]) -> t.PieceEntry:
        return t.PieceEntry(span, self._all(c))

    def _board(self, span: Span, c: list[Any]) -> t.BoardText:
        kinds = self.build(c[0]) or ()
        shape = self.build(c[2])
        rest = [self.build(child) for child in c[3:] if child is not None]
        changes = tuple(part for part in rest if isinstance(part, t.BoardChange))
        sizes = tuple(part for part in rest if not isinstance(part, t.BoardChange))
        return t.BoardText(span, kinds, self.build(c[1]), shape, sizes, changes)

    def _site_kinds(self, span: Span, c: list[Any]) -> tuple[t.Name, ...]:
        return self._all(c)

    def _wrapping(self, span: Span, c: list[Any]) -> t.BoardChange:
        return t.BoardChange(span, "wrapping", self._all(c), None)

    def _without(self, span: Span, c: list[Any]) -> t.BoardChange:
        return t.BoardChange(span, "without", (), self.build(c[0]))

    def _rows_from(self, span: Span, c: list[Any]) -> t.BoardChange:
        return t.BoardChange(span, "rows", self._all(c), None)
