"""The parser: a text inside a game's file, by its entry point, to a syntax tree.

In: a `Span` that covers the text exactly, and the name of an entry point of grammar.lark.
Out: a tree (`tree`) whose spans are positions in the whole file; or a `SyntaxProblem`, which
carries the diagnostic.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark, TextSlice, Token, Transformer, Tree, v_args
from lark.ast_utils import create_transformer
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken, VisitError
from lark.lark import PostLex
from lark.tree import Meta

from gdl.codes import Code
from gdl.diagnostic import NO_FACTS, Diagnostic, Edit, Facts, Hint, Source, Span, suggest
from gdl.resources.budget import meter_of_loading
from gdl.resources.scoped_cache import shared
from gdl.resources.timing import reads
from gdl.syntax import advice
from gdl.syntax import tree as t
from gdl.syntax.tables import parser_of

ENTRY_POINTS = (
    "expression",
    "program",
    "clause",
    "stuck_clause",
    "head",
    "state_head",
    "state_type",
    "option",
    "allowed",
    "stacks",
    "piece_list",
    "names",
    "teams",
    "arguments",
    "board",
)
_RESERVED = frozenset(
    {
        *("SOME", "NO", "COUNT", "SITES", "EVERY", "FOLD", "MAX", "MIN", "PAIRS", "IF", "LET"),
        *("CAN", "YES", "NOT", "AND", "OR", "IN", "MULTIPLY", "WHEN", "WHERE", "OF", "HAS"),
        *("THEN", "ELSE", "FROM", "RESTRICT", "NOTHING", "WHILE", "RANK", "OUTCOME", "DRAW"),
        *("PASSES", "PASS", "SWAP"),
    }
)
"""The words that are never names: what begins a formula, what divides one, what may stand in place
of one or of a side, what a move is called. Where any other word can stand, no name can.
"""
_DEEPEST = 60
_LONGEST_REWRITTEN = 20_000
"""How long a text may be for which it is tried what else it may mean."""
_UNITS_A_HINT = 5000
UNITS_A_CHARACTER = 35
"""What reading a text once more takes from the budget of loading, for each character."""
_GIVEN = (
    r"(?:^|[{,-])\s*WORD\s*(?:\([^()\n]*\))?\s*:(?=\s|$)"  # a key, perhaps with parameters
    r"|\w\((?:[^()\n]*[\s,])?WORD\s*(?:,[^()\n]*)?\)\s*:(?=\s|$)"  # a parameter in a key
    r"|(?:[a-z,]|\d)\s+WORD\s+(?:in\s|=)|\sas\s+WORD\b"  # a variable, or an alternative
    r"|(?:\bin|:)\s*['\"]?[\w \t]*(?:\(|,|\sin\s)[\w, \t]*\bWORD\b"  # a value in a list
)
"""Where a file gives a name."""
_CHOICE = re.compile(r"\((?:\?:)?([^()]+)\)(?:\\b)?")
_WORDS = re.compile(r"(?<![\\\[A-Za-z])[a-z]{2,}(?![A-Za-z-])")

_at_work = threading.Lock()
"""Held while a text is parsed: indentation and builder belong to one text at a time."""


def _renew_lock() -> None:
    """Let no thread hold the lock, in a process that was forked: it has no other thread."""
    global _at_work
    _at_work = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_renew_lock)


class SyntaxProblem(Exception):
    """The text does not follow the grammar; `diagnostic` says where and what to do.

    It takes much longer than reading, so it is worked out when it is asked for.
    """

    def __init__(self, tell: Callable[[], Diagnostic]) -> None:
        super().__init__("The text does not follow the grammar.")
        self._tell = tell

    @cached_property
    def diagnostic(self) -> Diagnostic:
        """What is wrong."""
        return self._tell()


class _Machinery(NamedTuple):
    lark: Lark
    indentation: Indentation
    builder: TreeBuilder


@cache
def _machinery() -> _Machinery:
    grammar = Path(__file__).with_name("grammar.lark").read_text("utf-8")
    indentation = Indentation()
    lark = parser_of(
        grammar,
        parser="lalr",
        lexer="basic",
        start=list(ENTRY_POINTS),
        propagate_positions=True,
        maybe_placeholders=True,
        postlex=indentation,
    )
    return _Machinery(lark, indentation, TreeBuilder())


@cache
def keywords() -> frozenset[str]:
    """Return the words of the grammar, of which some are reserved."""
    return reserved_words() | _words_of(_free_terminals())


@cache
def reserved_words() -> frozenset[str]:
    """Return the words of the grammar that can't be names."""
    return _words_of(_RESERVED)


@cache
def _free_terminals() -> frozenset[str]:
    """Return the kinds of token of words that may be names where no such word can stand."""
    return frozenset(
        terminal.name
        for terminal in _machinery().lark.terminals
        if terminal.name not in _RESERVED and _WORDS.search(str(terminal.pattern.value))
    )


def _words_of(terminals: frozenset[str]) -> frozenset[str]:
    """Return how the tokens of some kinds are spelled."""
    patterns = (one.pattern.value for one in _machinery().lark.terminals if one.name in terminals)
    return frozenset(word for pattern in patterns for word in _WORDS.findall(pattern))


@cache
def _spellings() -> dict[str, tuple[str, ...]]:
    """Return how each kind of token is spelled of which there are but some spellings."""
    found: dict[str, tuple[str, ...]] = {}
    for one in _machinery().lark.terminals:
        value = str(one.pattern.value)
        if one.pattern.type == "str":
            found[one.name] = (value,)
        elif (words := _CHOICE.fullmatch(value)) is not None:
            found[one.name] = tuple(words[1].split("|"))
    return found


@reads
@shared
def parse(span: Span, entry: str) -> Any:
    """Parse the characters of `span` from the entry point `entry`.

    Returns the node of the tree that belongs to it (a tuple of nodes for `program`, `names`,
    `arguments` and `piece_list`). Raises SyntaxProblem.
    """
    if not span.text.split("#")[0].strip() and not _words(span):
        raise SyntaxProblem(partial(_empty, span))
    _check_depth(span)
    try:
        with _at_work:
            return _machinery().builder.build(_read_as_meant(span, entry), span)
    except WrongIndentation as problem:
        raise SyntaxProblem(partial(_wrongly_indented, problem, span)) from None
    except UnexpectedInput as problem:
        raise SyntaxProblem(partial(_explain, problem, span, entry)) from None


def _read_as_meant(span: Span, entry: str) -> Tree[Token]:
    """Return lark's tree of a text, in which any word may be a name that can't be another thing.

    Where the file gives no such name, another file may; else what is told is what would be of it.
    """
    try:
        return _read(span, entry)
    except UnexpectedToken as problem:
        if problem.token.type not in _free_terminals():
            raise
        try:
            return _read_with_names(span, entry, partial(_explain, problem, span, entry))
        except (UnexpectedInput, WrongIndentation):
            raise problem from None


def parse_instead(span: Span, text: str) -> Any:
    """Parse a program that has other characters in some of its places.

    `text` is as long as that of the source. All spans are those of the source. Raises
    SyntaxProblem, whose place is one in a source of its own.
    """
    other = Span(Source(span.source.name, text), span.start, span.end)
    parse(other, "program")
    with _at_work:
        return _machinery().builder.build(_read_as_meant(other, "program"), span)


def _read(span: Span, entry: str) -> Tree[Token]:
    """Return what the grammar makes of a text; the caller is the only one at work.

    A word of the language that can't stand where it does is a name if the file gives it as one.
    """
    machinery = _machinery()
    machinery.indentation.active = entry == "program"
    machinery.indentation.text = span.source.text
    text = TextSlice(span.source.text, span.start, span.end)
    try:
        return machinery.lark.parse(text, start=entry)
    except UnexpectedToken as problem:
        if problem.token.type not in _free_terminals():
            raise
    return _read_with_names(span, entry)


def _read_with_names(
    span: Span, entry: str, otherwise: Callable[[], Diagnostic] | None = None
) -> Tree[Token]:
    """Return what the grammar makes of a text in which words of the language may be names.

    One is a name where the grammar has no place for the word, but for a name. Behind what is whole
    without it, it is none: there a word is missing, or there is one too many. Names that the file
    does not give are read only if there is something to be told `otherwise`.
    """
    text = span.source.text
    reading = _machinery().lark.parse_interactive(TextSlice(text, span.start, span.end), entry)
    free = _free_terminals()
    last: Token | None = None
    try:
        for token in reading.lexer_thread.lex(reading.parser_state):  # type: ignore[no-untyped-call]
            try:
                reading.feed_token(token)
                last = token
            except UnexpectedToken:
                is_whole = last is not None and last.type in ("NAME", "NUMBER", "RPAR")
                if token.type not in free or (is_whole and entry != "head"):
                    raise
                is_given = _is_given(text, str(token))
                accepted = reading.accepts()  # type: ignore[no-untyped-call]
                if "NAME" not in accepted or not (is_given or otherwise):
                    raise
                last = (Token if is_given else _Borrowed).new_borrow_pos("NAME", str(token), token)
                if isinstance(last, _Borrowed):
                    last.otherwise = otherwise
                reading.feed_token(last)
        tree: Tree[Token] = reading.feed_eof(last)  # type: ignore[no-untyped-call]
    except UnexpectedToken as problem:
        problem.interactive_parser = reading
        raise
    return tree


class _Borrowed(Token):
    """A word of the language that is a name if another file gives it."""

    otherwise: Callable[[], Diagnostic] | None = None


def _is_given(text: str, word: str) -> bool:
    """Whether a file gives a name that is a word of the language: by a key, or a variable."""
    return re.search(_GIVEN.replace("WORD", word), text, re.MULTILINE) is not None


def _words(span: Span) -> bool:
    return any(line.split("#")[0].strip() for line in span.text.splitlines())


def _empty(span: Span) -> Diagnostic:
    return Diagnostic(
        Code.EMPTY_TEXT,
        "There is nothing here, where a rule should be.",
        _first_words(span),
        "Write the rule, or remove its key. A `#` begins a comment.",
    )


def _check_depth(span: Span) -> None:
    depth = 0
    for offset, char in enumerate(span.text):
        depth += (char == "(") - (char == ")")
        if depth > _DEEPEST:
            place = Span(span.source, span.start + offset, span.start + offset + 1)
            raise SyntaxProblem(partial(_nested_too_deep, place))


def _nested_too_deep(place: Span) -> Diagnostic:
    return Diagnostic(
        Code.NESTED_TOO_DEEP,
        f"Parentheses are nested more than {_DEEPEST} deep.",
        place,
        "Name a part of it under `define`.",
    )


def _token_span(span: Span, token: Token) -> Span:
    start = token.start_pos if token.start_pos is not None else span.end
    end = token.end_pos if token.end_pos is not None else start
    return Span(span.source, start, max(end, start))


def _wrongly_indented(problem: WrongIndentation, span: Span) -> Diagnostic:
    return Diagnostic(
        Code.INDENTATION,
        problem.message,
        _token_span(span, problem.token),
        "Lines of one block begin in the same column; a block is deeper than its heading.",
    )


def _explain(problem: UnexpectedInput, span: Span, entry: str) -> Diagnostic:
    if isinstance(problem, UnexpectedCharacters):
        start = problem.pos_in_stream if problem.pos_in_stream is not None else span.start
        place = Span(span.source, start, start + 1)
        char = span.source.text[start]
        return Diagnostic(
            Code.UNKNOWN_CHARACTER,
            f"The character {char!r} has no meaning here.",
            place,
            _rewritten(span, start, entry).hint
            or advice.for_character(char, span.source.text[start : start + 2])
            or "Formulas have names, numbers, parentheses and operators such as `+ & | =`.",
        )
    if isinstance(problem, UnexpectedToken):
        token = problem.token
        is_end = token.type in ("$END", "_NL", "_DEDENT")
        if is_end:
            end = _end_of_words(span) if token.type == "$END" else (token.end_pos or span.end)
            place = Span(span.source, max(end - 1, span.start), end)
            message = "The text ends here too early."
        elif token.type == "_INDENT":
            place = _token_span(span, token)
            return Diagnostic(
                Code.INDENTATION,
                "This line is deeper than the one above, which is complete as it stands.",
                place,
                "Give both lines the same column, or the upper one no statement of its own.",
            )
        else:
            place = _token_span(span, token)
            message = f"`{token}` can't stand here."
        expected = problem.accepts or set(problem.expected or ())
        spelled = advice.spellings(expected, _spellings())
        text = span.source.text
        hint: Hint = (
            advice.for_pair(text[max(place.start - 1, span.start) : place.end])
            or advice.for_head(str(token), text[span.start : place.start].rstrip()[-1:])
            or advice.for_place(
                _statement_before(span, place.start, entry),
                str(token),
                text[place.end : span.end].partition("\n")[0],
                entry,
            )
            or advice.for_token(str(token), expected, entry)
        )
        if not hint and "NAME" in expected and _is_meant_as_name(span, place, entry):
            hint = advice.as_name(place.text)
        if not hint and token.type == "NAME":
            words = [word for word in spelled if word.isalpha() and word.islower()]
            hint = suggest(str(token), words) or ""
        found = Diagnostic(
            Code.SYNTAX,
            message,
            place,
            expected=tuple(spelled),
            facts=Facts(found=advice.RESERVED) if hint == advice.as_name(str(token)) else NO_FACTS,
        ).with_hint(
            hint or advice.expectation(expected, entry, text[span.start : place.start], place.line)
        )
        instead = advice.replacement(text[max(place.start - 1, span.start) : place.end])
        if instead is not None:
            found = replace(found, edit=Edit(place, instead))
        if len(span.text) > _LONGEST_REWRITTEN:
            return found
        edit = found.edit
        if edit and _can_be_read(span, entry, edit.span, edit.replacement, True):
            return found
        rewritten = _rewritten(span, place.start, entry, expected >= {"CHOOSE", "PLACE"})
        if not rewritten.hint:
            return found
        found = replace(found.with_hint(rewritten.hint), facts=NO_FACTS)
        if not is_end or (wrong := rewritten.wrong) is None:
            return found
        told = f"`{wrong.text}` can't stand here."
        return replace(found, message=told, span=wrong, expected=())
    return Diagnostic(Code.SYNTAX, "This text can't be read.", span, "Write it in simpler parts.")


def _is_meant_as_name(span: Span, place: Span, entry: str) -> bool:
    """Whether a reserved word stands where a name would: alone in a list, or all else is right."""
    if place.text not in keywords():
        return False
    before = span.source.text[span.start : place.start].rstrip()[-1:]
    after = span.source.text[place.end : span.end].lstrip()[:1]
    if before in ("(", ",") and after in (",", ")", ""):
        return True
    line = span.source.text[place.start : span.end].partition("\n")[0]
    part = Span(span.source, place.start, place.start + len(line))
    return _can_be_read(span, entry, part, re.sub(rf"\b{place.text}\b", f"{place.text}_", line))


def _rewritten(span: Span, place: int, entry: str, begins: bool = False) -> advice.Meant:
    """Return a hint that quotes the text around a place as it is meant, if that is known.

    `begins` is whether a statement could begin at the place.
    """
    if len(span.text) > _LONGEST_REWRITTEN or not meter_of_loading().affords(_UNITS_A_HINT):
        return advice.Meant()
    # What has no mistake should not wait for patterns of mistakes.
    from gdl.syntax import rewriting

    def reads(part: Span, by: str) -> bool:
        units = UNITS_A_CHARACTER * (part.end - span.start)
        return meter_of_loading().affords(units) and _can_be_read(span, entry, part, by)

    return rewriting.meant(span, place, entry, reads, begins)


def meant_instead(span: Span, entry: str) -> str:
    """Return a hint for a text that can be read, but has no meaning as it stands; or nothing."""
    return _rewritten(span, span.start, entry).hint


def can_be_read(text: str, entry: str) -> bool:
    """Return whether a whole text can be read from an entry point of the grammar."""
    try:
        with _at_work:
            _read(Span(Source("", text), 0, len(text)), entry)
    except (WrongIndentation, UnexpectedInput):
        return False
    return True


def _can_be_read(span: Span, entry: str, part: Span, by: str, with_its_line: bool = False) -> bool:
    """Whether a text can be read to behind a part of it, if that is replaced by another text.

    `with_its_line`: to behind the line in which that part ends.
    """
    text = span.source.text[: part.start] + by + span.source.text[part.end : span.end]
    behind = part.start + len(by)
    if with_its_line:
        end = text.find("\n", behind)
        behind = len(text) if end < 0 else end
    try:
        with _at_work:
            _read(Span(Source(span.source.name, text), span.start, len(text)), entry)
    except WrongIndentation as problem:
        return (problem.token.start_pos or 0) > behind
    except UnexpectedCharacters as problem:
        return (problem.pos_in_stream or 0) > behind
    except UnexpectedToken as problem:
        # What ends a line or a text is where its last word is.
        return (problem.token.start_pos or 0) > behind
    except UnexpectedInput:
        return False
    return True


def _statement_before(span: Span, end: int, entry: str) -> str:
    """Return the text of a statement up to a place in it; of any other text, from its beginning."""
    before = span.source.text[span.start : end]
    if entry != "program":
        return before
    begin = max(before.rfind(";"), before.rfind("\n"))
    while begin >= 0 and before[begin] == "\n" and _goes_on(before, begin):
        begin = max(before.rfind(";", 0, begin), before.rfind("\n", 0, begin))
    return before[begin + 1 :]


def _goes_on(text: str, end_of_line: int) -> bool:
    """Whether the line after is deeper than the one before it, or the two stand in parentheses."""
    line = text[text.rfind("\n", 0, end_of_line) + 1 : end_of_line]
    following = text[end_of_line + 1 :].partition("\n")[0]
    return bool(line.strip()) and _depth(following) > _depth(line)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _first_words(span: Span) -> Span:
    """Return the first line of a span that is not blank, without the blanks around it."""
    start = span.start + len(span.text) - len(span.text.lstrip())
    if start == span.end:
        return Span(span.source, span.start, span.start)
    line = span.source.text[start : span.end].split("\n", 1)[0].rstrip()
    return Span(span.source, start, start + len(line))


def _end_of_words(span: Span) -> int:
    return span.start + len(span.text.rstrip())


# -------------------------------------------------------------------------------------- the builder


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
        if isinstance(token, _Borrowed) and token.otherwise is not None:
            return t.BorrowedName(self._span_of(token), str(token), token.otherwise)
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


# -------------------------------------------------------------------------------------- indentation

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
