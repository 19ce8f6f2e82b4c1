"""From a text to a tree of nodes with exact positions.

In: a `Source`. Out: the `Mapping` that the text is. What then holds: the text is the part of YAML
that a game needs (mappings, lists and text in one document, without anchors, aliases, tags,
directives and merge keys), no mapping has a key twice, and size, depth and number of nodes are
within limits, so that later passes may recurse. YAML's events are read one by one and nothing is
composed or constructed: no text can make the parser recurse, expand or run anything.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import field

import yaml

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Report, Source, Span
from gdl.document.files import BYTE_ORDER_MARK, GAME_FILE, Limits, too_large
from gdl.document.nodes import Mapping, Node, Scalar, Style, key_identity
from gdl.document.nodes import Sequence as Items

MAX_DEPTH = 20
_MAX_FINDINGS = 100

_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufdd0-\ufdef\ufeff\ufffe\uffff]"
    "|\r(?!\n)"
)
_ARGUMENTS = re.compile(r"\([^()\[\]{}\"'\n]*\)")
_MOST_LEVELS = 8
_HIDDEN = str.maketrans(",()", "\ufdd0\ufdd1\ufdd2")
_SHOWN = str.maketrans("\ufdd0\ufdd1\ufdd2", ",()")
"""What stands for commas and parentheses that hold together, while YAML is read: characters that
no text may have."""
_PROPERTIES = re.compile(r"(?:[&!]\S*\s*)+")
_STYLES: dict[str, Style] = {"'": "quoted", '"': "quoted", "|": "block", ">": "folded"}


def read_document(source: Source, report: Report, limits: Limits = GAME_FILE) -> Mapping | None:
    """Return the tree of a source, or None if the text has none; `report` gets what is wrong.

    A tree may come back although the report has failed: then what was wrong (a second key of the
    same name, an anchor, a line that YAML can't read) was left out of it.
    """
    if len(source.text) > limits.bytes:
        report.add(too_large(source.name, limits))
        return None
    if not _is_printable(source, report):
        return None
    try:
        root = _Builder(source, report, limits, source.text).build()
    except _TooMuchError as limit:
        report.add(limit.diagnostic)
        return None
    except yaml.MarkedYAMLError as error:
        found = explain(error, source, _first_offset(source))
        report.add(found)
        return _without_line(found, source, report, limits)
    return _as_document(root, source, report)


def _without_line(
    found: Diagnostic, source: Source, report: Report, limits: Limits
) -> Mapping | None:
    """Return the tree without the line that YAML can't read, or None if that has none either."""
    assert found.span is not None, "the parser marks every error"
    text = source.text
    start = text.rfind("\n", 0, found.span.start) + 1
    end = text.find("\n", start)
    line = Span(source, start, len(text) if end < 0 else end)
    others = Report()
    try:
        rest = text[: line.start] + " " * (line.end - line.start) + text[line.end :]
        root = _Builder(source, others, limits, rest).build()
    except (_TooMuchError, yaml.MarkedYAMLError):
        return None
    if others.failed or not isinstance(root, Mapping):
        return None
    # What is missing, or has another shape, may be so for want of the line: words may not.
    report.lose(line)
    report.lose(line, within=Span(source, 0, len(text)))
    return root


def _is_printable(source: Source, report: Report) -> bool:
    found = _CONTROL.search(source.text, _first_offset(source))
    if found is None:
        return True
    report.error(
        Code.CONTROL_CHARACTER,
        f"The character U+{ord(found.group()):04X} can't stand in a game file.",
        Span(source, found.start(), found.end()),
        "Remove it. It is often invisible: retype the line if you can't see it.",
    )
    return False


def _first_offset(source: Source) -> int:
    return 1 if source.text.startswith(BYTE_ORDER_MARK) else 0


def _as_document(root: Node | None, source: Source, report: Report) -> Mapping | None:
    if isinstance(root, Mapping):
        return root
    if root is None or (isinstance(root, Scalar) and not root.text):
        report.error(
            Code.EMPTY_FILE,
            "The file says nothing.",
            Span(source, 0, 0),
            "A game file begins with a line such as `game: Name`.",
        )
    else:
        report.error(
            Code.WRONG_SHAPE,
            "A game file should be a list of settings, each a name, a colon and a value.",
            root.span,
            "Begin with a line such as `game: Name`.",
        )
    return None


def _with_arguments_held(text: str) -> str:
    """Return the text, each character in its place, so that YAML divides no `hand(White, King)`.

    In `{…}` and `[…]`, a comma divides; not so between parentheses that open and close in a line,
    as deep as a person nests them.
    """
    for _ in range(_MOST_LEVELS):
        text = _ARGUMENTS.sub(lambda found: found.group().translate(_HIDDEN), text)
    return text


class _TooMuchError(Exception):
    """The text goes beyond a limit; reading stops."""

    def __init__(self, code: Code, message: str, span: Span, hint: str) -> None:
        self.diagnostic = Diagnostic(code, message, span, hint)
        super().__init__(message)


@dataclass
class _Open:
    """A collection whose end was not seen yet."""

    event: yaml.CollectionStartEvent
    nodes: list[Node] = field(default_factory=list)
    entries: list[tuple[Scalar, Node]] = field(default_factory=list)
    key: Node | None = None
    keys: dict[str, Scalar] = field(default_factory=dict)


class _Builder:
    """Makes nodes of events, with a stack of its own."""

    def __init__(self, source: Source, report: Report, limits: Limits, text: str) -> None:
        """Take a text as long as the source's, in whose place it is read."""
        self._limits = limits
        self._source = source
        self._text = text
        self._report = report
        self._offset = _first_offset(source)
        self._open: list[_Open] = []
        self._root: Node | None = None
        self._nodes = 0
        self._findings = 0

    def build(self) -> Node | None:
        """Return the first document's tree; None if there is no document."""
        loader = yaml.CSafeLoader(_with_arguments_held(self._text[self._offset :]))
        try:
            documents = 0
            while (event := loader.get_event()) and not isinstance(event, yaml.StreamEndEvent):
                if isinstance(event, yaml.DocumentStartEvent):
                    documents += 1
                    if documents > 1:
                        self._refuse_document(event)
                        break
                    self._check_directives(event)
                else:
                    self._take(event)
        finally:
            loader.dispose()
        return self._root

    def _take(self, event: yaml.Event) -> None:
        if isinstance(event, yaml.ScalarEvent):
            self._check_properties(event)
            self._add(self._scalar(event))
        elif isinstance(event, yaml.CollectionStartEvent):
            self._check_properties(event)
            self._open.append(_Open(event))
            if len(self._open) > MAX_DEPTH:
                raise _TooMuchError(
                    Code.NESTED_TOO_DEEP,
                    f"Lists and settings are nested deeper than {MAX_DEPTH} levels here.",
                    self._span(event),
                    "No part of a game needs as many.",
                )
        elif isinstance(event, yaml.CollectionEndEvent):
            self._add(self._close(self._open.pop(), event))
        elif isinstance(event, yaml.AliasEvent):
            self._refuse_alias(event)
            self._add(Scalar(f"*{event.anchor}", self._span(event)))

    def _add(self, node: Node) -> None:
        self._nodes += 1
        if self._nodes > self._limits.nodes:
            raise _TooMuchError(
                Code.TOO_MANY_NODES,
                f"The file has more than {self._limits.nodes} keys, values and list items.",
                node.span,
                self._limits.hint,
            )
        if not self._open:
            self._root = node
            return
        parent = self._open[-1]
        if isinstance(parent.event, yaml.SequenceStartEvent):
            parent.nodes.append(node)
        elif parent.key is None:
            parent.key = node
        else:
            key, parent.key = parent.key, None
            self._add_entry(parent, key, node)

    def _add_entry(self, parent: _Open, key: Node, value: Node) -> None:
        if not isinstance(key, Scalar) or key.style in ("block", "folded"):
            self._error(
                Code.YAML_KEY,
                "A key should be a text on one line.",
                key.span,
                "Write a name before the colon, without brackets, `|` or `>`.",
            )
            return
        if not key.text and key.style == "plain":
            self._error(
                Code.YAML_KEY,
                "There is no key before this colon.",
                key.span,
                "Write a name before the colon, or quote a text that begins with one.",
            )
            return
        if key.text == "<<" and key.style == "plain":
            self._error(
                Code.YAML_MERGE_KEY,
                "The merge key `<<` has no meaning in a game file.",
                key.span,
                "To build on another game, write `extends: other-game`.",
            )
            return
        first = parent.keys.setdefault(key_identity(key.text), key)
        if first is key:
            parent.entries.append((key, value))
            return
        self._error(
            Code.DUPLICATE_KEY,
            f"`{key.text}` stands here a second time.",
            key.span,
            "Keep one of the two, or join them.",
            ("It stands here first.", first.span),
        )

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        style = _STYLES.get(event.style or "", "plain")
        whole = self._span(event)
        text = event.value.translate(_SHOWN)
        if event.anchor is not None or event.tag is not None:  # told already: read what follows
            begin = _PROPERTIES.match(self._text, whole.start, whole.end)
            whole = Span(self._source, whole.start if begin is None else begin.end(), whole.end)
        span = whole
        if style == "quoted":
            span = Span(self._source, whole.start + 1, whole.end - 1)
        elif style != "plain":
            span = self._block_content(whole)
        return Scalar(text, span, style, span.text.split() == text.split())

    def _block_content(self, whole: Span) -> Span:
        text = self._text
        header_end = text.find("\n", whole.start, whole.end)
        start = whole.end if header_end < 0 else header_end + 1
        last = start + len(text[start : whole.end].rstrip())
        if last == start:
            return Span(self._source, start, start)
        line_end = text.find("\n", last, whole.end)
        return Span(self._source, start, whole.end if line_end < 0 else line_end + 1)

    def _close(self, done: _Open, end: yaml.Event) -> Node:
        is_sequence = isinstance(done.event, yaml.SequenceStartEvent)
        span = self._collection_span(done, end)
        if is_sequence:
            return Items(tuple(done.nodes), span)
        return Mapping(tuple(done.entries), span)

    def _collection_span(self, done: _Open, end: yaml.Event) -> Span:
        start = self._span(done.event).start
        if done.event.flow_style:
            return Span(self._source, start, self._span(end).end)
        # The parser ends a block collection only where the next token begins.
        last = done.nodes[-1] if done.nodes else done.entries[-1][1] if done.entries else None
        return Span(self._source, start, start if last is None else max(start, last.span.end))

    def _span(self, event: yaml.Event) -> Span:
        start, end = event.start_mark, event.end_mark
        assert start is not None and end is not None, "the parser marks every event"
        return Span(self._source, start.index + self._offset, end.index + self._offset)

    def _check_directives(self, event: yaml.DocumentStartEvent) -> None:
        if event.version is not None or event.tags:
            self._error(
                Code.YAML_DIRECTIVE,
                "A game file has no use for a YAML directive.",
                self._span(event),
                "Remove the lines that begin with `%`.",
            )

    def _refuse_document(self, event: yaml.DocumentStartEvent) -> None:
        self._error(
            Code.YAML_SEVERAL_DOCUMENTS,
            "A second document begins here; a file holds one game.",
            self._span(event),
            "Move it to a file of its own, or remove the line `---`.",
        )

    def _refuse_alias(self, event: yaml.AliasEvent) -> None:
        self._error(
            Code.YAML_ALIAS,
            "YAML takes a text that begins with `*` as a reference.",
            self._span(event),
            "Quote it if it is meant as text; game files have no references.",
        )

    def _check_properties(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        if event.anchor is not None:
            self._error(
                Code.YAML_ANCHOR,
                "YAML takes a word that begins with `&` as a mark for later reference.",
                self._span(event),
                "Quote it if it is meant as text; game files have no references.",
            )
        if event.tag is not None:
            self._error(
                Code.YAML_TAG,
                "YAML takes a word that begins with `!` as the type of a value.",
                self._span(event),
                "Quote it if it is meant as text; game files have no types of this kind.",
            )

    def _error(
        self, code: Code, message: str, span: Span, hint: str = "", *related: tuple[str, Span]
    ) -> None:
        self._findings += 1
        if self._findings <= _MAX_FINDINGS:
            self._report.error(code, message, span, hint, related)


# ---------------- from an error of the YAML parser to a diagnostic that a game's author understands

_QUOTE_IT = "Put the whole text in quotes if it is meant as text."
_SAME_COLUMN = "Lines that belong together begin in the same column."


def explain(error: yaml.MarkedYAMLError, source: Source, offset: int) -> Diagnostic:
    """Return what an error of the parser means; `offset` is where its text began in `source`."""
    problem = error.problem or "this can't be read"
    place = _place(error.problem_mark or error.context_mark, source, offset)
    context = _place(error.context_mark or error.problem_mark, source, offset)
    slip = _Slip(source, place, context)
    for pattern, advise in _ADVICE:
        if pattern in problem:
            found = advise(slip)
            if found is not None:
                return found
    return slip.at(
        place,
        f"YAML can't read this: {problem}.",
        "Look at colons, quotes, brackets and indentation here and in the line above.",
    )


def _place(mark: yaml.error.Mark | None, source: Source, offset: int) -> int:
    return min(len(source.text), offset + (mark.index if mark else 0))


@dataclass(frozen=True)
class _Slip:
    """Where the parser stopped (`place`) and where what it was reading began (`context`)."""

    source: Source
    place: int
    context: int

    def at(self, place: int, message: str, hint: str = "", width: int = 1) -> Diagnostic:
        span = Span(self.source, place, min(len(self.source.text), place + width))
        return Diagnostic(Code.YAML_SYNTAX, message, span, hint)

    @property
    def character(self) -> str:
        """The character at the place; empty at the end of the text."""
        return self.source.text[self.place : self.place + 1]

    @property
    def before(self) -> str:
        """The part of the line that lies before the place."""
        return self.source.text[self.source.text.rfind("\n", 0, self.place) + 1 : self.place]

    @property
    def lines_above(self) -> list[tuple[int, str]]:
        """The lines above that are not blank, each with its offset, the nearest first."""
        line_start = self.place - len(self.before)
        lines: list[tuple[int, str]] = []
        start = 0
        for line in self.source.text[:line_start].split("\n"):
            if line.strip():
                lines.append((start, line.rstrip("\r")))
            start += len(line) + 1
        return lines[::-1]


def _indentation(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _bad_start(slip: _Slip) -> Diagnostic | None:
    if slip.character == "\t":
        return _tab(slip)
    return slip.at(slip.place, "A text can't begin with this sign unless it is quoted.", _QUOTE_IT)


def _tab(slip: _Slip) -> Diagnostic | None:
    return slip.at(
        slip.place,
        "A tab stands where the indentation should be.",
        "Indent with spaces: YAML allows no tabs there.",
    )


_COLON_IN_LINE = re.compile(r":(?= |$)")
_COLON_WITHOUT_SPACE = re.compile(r"^\s*(?:- )?[^\s:'\"#]+(:)[^\s:/]")


_TURN = re.compile(r"\s*(turn:)\s*")


def _folded_turn(above: Sequence[tuple[int, str]]) -> int | None:
    """Return where `turn:` begins under which the lines right above stand, if it has no `|`."""
    depth = _indentation(above[0][1])
    for start, line in above:
        if _indentation(line) < depth:
            found = _TURN.fullmatch(line)
            return None if found is None else start + found.start(1)
    return None


def _second_colon(slip: _Slip) -> Diagnostic | None:
    if _COLON_IN_LINE.search(slip.before):
        key = slip.before.split(":")[0].strip()
        if key in ("end", "stuck"):
            return slip.at(
                slip.place,
                "A second colon with a space after it stands in this line.",
                f"A clause has no colon: `{key}: mover loses when C`.",
            )
        return slip.at(
            slip.place,
            "A second colon with a space after it stands in this line.",
            "A colon and a space begin a value. Put the text in quotes, or write `|` after the"
            " first colon and the text on the lines below it.",
        )
    above = slip.lines_above
    if not above:
        return None
    start, line = above[0]
    squeezed = _COLON_WITHOUT_SPACE.match(line)
    if squeezed:
        return slip.at(
            start + squeezed.start(1),
            "A space is missing after this colon.",
            "Write a key as `key: value`.",
        )
    folded = _folded_turn(above)
    if folded is not None:
        return slip.at(
            folded,
            "The steps below `turn:` can't be read as one text: a colon stands in them.",
            "Write `|` behind `turn:`, and the steps below it, one a line; no heading has a colon.",
            len("turn:"),
        )
    if not _COLON_IN_LINE.search(line) and not line.lstrip().startswith("- "):
        first = start + _indentation(line)
        return slip.at(
            first,
            "This line has no colon, but the next one begins a new setting.",
            "Write a key as `key: value`.",
            len(line.strip()),
        )
    indentation = _indentation(slip.before)
    return slip.at(
        slip.place - len(slip.before) + indentation,
        "This line is indented further than the one above, which has its value already.",
        _SAME_COLUMN,
        len(slip.before) - indentation,
    )


_BLOCK_HEADER = re.compile(r":\s+[|>][-+]?\s*(?:#.*)?$")


def _no_key(slip: _Slip) -> Diagnostic | None:
    before = slip.before.rstrip()
    if before.endswith(("'", '"')):
        return slip.at(
            slip.place,
            "Something stands after the closing quote.",
            "Quote the whole text or none of it. An earlier quote may lack its end.",
        )
    if slip.character == ":":
        return slip.at(slip.place, "There is no key before this colon.", _QUOTE_IT)
    if slip.character == "-":
        return slip.at(
            slip.place,
            "A list item stands among settings.",
            "Remove the dash, or move the list below the key to which it belongs.",
        )
    above = slip.lines_above
    if not before and above:
        picture = _picture_header(slip, above)
        if picture is not None:
            return picture
        if re.search(r"\s#", above[0][1]) and not _COLON_IN_LINE.search(_rest_of_line(slip)):
            return slip.at(
                slip.place,
                "A text of several lines ends where a comment begins.",
                "Remove the comment, or write `|` after the colon and the text below it.",
            )
    return slip.at(slip.place, "The indentation of this line fits no line above.", _SAME_COLUMN)


def _picture_header(slip: _Slip, above: list[tuple[int, str]]) -> Diagnostic | None:
    indentation = len(slip.before)
    header = next((line for _, line in above if _indentation(line) < indentation), "")
    if not _BLOCK_HEADER.search(header) or _key_column(header) >= indentation:
        return None
    step = indentation - _key_column(header)
    return slip.at(
        slip.place,
        "This line is indented less than the first line of the text to which it belongs.",
        "Where the first line begins with spaces of its own, say by how many spaces the whole text"
        f" is indented: `|{min(step, 9)}` instead of `|`.",
    )


def _key_column(line: str) -> int:
    """Return the column, from 0, in which a key begins behind any dashes."""
    return len(line) - len(line.lstrip(" -"))


def _rest_of_line(slip: _Slip) -> str:
    return slip.source.text[slip.place :].split("\n", 1)[0]


def _unclosed_quote(slip: _Slip) -> Diagnostic | None:
    return slip.at(
        slip.context,
        "This quote is never closed.",
        "Close it, or put the whole text in the other kind of quotes if it is an apostrophe.",
    )


def _unclosed_bracket(slip: _Slip) -> Diagnostic | None:
    bracket = slip.source.text[slip.context : slip.context + 1]
    return slip.at(
        slip.context,
        f"The list that this `{bracket}` begins breaks off.",
        f"Close it, or look for a missing comma. Quote a text that begins with `{bracket}`.",
    )


def _reference(slip: _Slip) -> Diagnostic | None:
    sign = slip.source.text[slip.context : slip.context + 1]
    return slip.at(
        slip.context, f"A text can't begin with `{sign}` unless it is quoted.", _QUOTE_IT
    )


def _dash_after_key(slip: _Slip) -> Diagnostic | None:
    return slip.at(
        slip.place,
        "A list can't begin on the line of its key.",
        "Write the first dash on the next line.",
    )


def _escape(slip: _Slip) -> Diagnostic | None:
    return slip.at(
        slip.place,
        "In double quotes a backslash begins an escape, and this is none.",
        "Use single quotes to mean the backslash itself.",
        2,
    )


def _text_after_header(slip: _Slip) -> Diagnostic | None:
    return slip.at(
        slip.place,
        "The text has to begin on the line after the `|` or `>`.",
        "Move it to the next line, and indent it.",
    )


def _no_content(slip: _Slip) -> Diagnostic | None:
    return slip.at(slip.place, f"A text can't begin with `{slip.character}`.", _QUOTE_IT)


def _no_dash(slip: _Slip) -> Diagnostic | None:
    return slip.at(
        slip.place,
        "This line stands among list items but doesn't begin with a dash.",
        f"Begin it with `- `, or check its indentation: {_SAME_COLUMN.lower()}",
    )


def _no_colon(slip: _Slip) -> Diagnostic | None:
    line = slip.source.text[slip.context :].split("\n", 1)[0]
    return slip.at(
        slip.context,
        "There is no colon after this.",
        "Write a key as `key: value`.",
        max(1, len(line.rstrip())),
    )


def _question_mark(slip: _Slip) -> Diagnostic | None:
    return slip.at(slip.place, "A text can't begin with `? ` unless it is quoted.", _QUOTE_IT)


def _percent(slip: _Slip) -> Diagnostic | None:
    if slip.source.text[slip.context : slip.context + 1] != "%":
        return None
    return slip.at(
        slip.context,
        "A line can't begin with `%`: YAML takes it as a directive.",
        "Remove the line, or quote the text.",
    )


_ADVICE: tuple[tuple[str, Callable[[_Slip], Diagnostic | None]], ...] = (
    ("found character that cannot start any token", _bad_start),
    ("found a tab character", _tab),
    ("mapping values are not allowed", _second_colon),
    ("mapping keys are not allowed", _question_mark),
    ("did not find expected key", _no_key),
    ("did not find expected '-' indicator", _no_dash),
    ("did not find expected ',' or", _unclosed_bracket),
    ("did not find expected alphabetic or numeric", _reference),
    ("did not find expected comment or line break", _text_after_header),
    ("did not find expected node content", _no_content),
    ("could not find expected ':'", _no_colon),
    ("block sequence entries are not allowed", _dash_after_key),
    ("found unexpected end of stream", _unclosed_quote),
    ("found unexpected document indicator", _unclosed_quote),
    ("found unknown escape character", _escape),
    ("did not find expected hexdecimal number", _escape),
    ("directive", _percent),
    ("found unexpected non-alphabetical character", _percent),
)
"""What the parser says, and who knows what it means; the first that does is heard."""
