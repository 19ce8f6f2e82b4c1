"""From a text to a tree of nodes with exact positions.

In: a `Source`. Out: the `Mapping` that the text is. What then holds: the text is the part of YAML
that a game needs (mappings, lists and text in one document, without anchors, aliases, tags,
directives and merge keys), no mapping has a key twice, and size, depth and number of nodes are
within limits, so that later passes may recurse. YAML's events are read one by one and nothing is
composed or constructed: no text can make the parser recurse, expand or run anything.
"""

from __future__ import annotations

import re
from dataclasses import field

import yaml

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Report, Source, Span
from gdl.document.advice import explain
from gdl.document.files import BYTE_ORDER_MARK, GAME_FILE, Limits, too_large
from gdl.document.nodes import Mapping, Node, Scalar, Sequence, Style, key_identity

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
        "control-character",
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
            "empty-file",
            "The file says nothing.",
            Span(source, 0, 0),
            "A game file begins with a line such as `game: Name`.",
        )
    else:
        report.error(
            "wrong-shape",
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

    def __init__(self, code: str, message: str, span: Span, hint: str) -> None:
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
                    "nested-too-deep",
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
                "too-many-nodes",
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
                "yaml-key",
                "A key should be a text on one line.",
                key.span,
                "Write a name before the colon, without brackets, `|` or `>`.",
            )
            return
        if not key.text and key.style == "plain":
            self._error(
                "yaml-key",
                "There is no key before this colon.",
                key.span,
                "Write a name before the colon, or quote a text that begins with one.",
            )
            return
        if key.text == "<<" and key.style == "plain":
            self._error(
                "yaml-merge-key",
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
            "duplicate-key",
            f"`{key.text}` stands here a second time.",
            key.span,
            "Keep one of the two, or join them.",
            ("It stands here first.", first.span),
        )

    def _scalar(self, event: yaml.ScalarEvent) -> Scalar:
        style = _STYLES.get(event.style or "", "plain")
        whole = self._span(event)
        text = event.value.translate(_SHOWN)
        if event.anchor is not None or event.tag is not None:
            return Scalar(text, whole, style, exact=False)
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
            return Sequence(tuple(done.nodes), span)
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
                "yaml-directive",
                "A game file has no use for a YAML directive.",
                self._span(event),
                "Remove the lines that begin with `%`.",
            )

    def _refuse_document(self, event: yaml.DocumentStartEvent) -> None:
        self._error(
            "yaml-several-documents",
            "A second document begins here; a file holds one game.",
            self._span(event),
            "Move it to a file of its own, or remove the line `---`.",
        )

    def _refuse_alias(self, event: yaml.AliasEvent) -> None:
        self._error(
            "yaml-alias",
            "YAML takes a text that begins with `*` as a reference.",
            self._span(event),
            "Quote it if it is meant as text; game files have no references.",
        )

    def _check_properties(self, event: yaml.ScalarEvent | yaml.CollectionStartEvent) -> None:
        if event.anchor is not None:
            self._error(
                "yaml-anchor",
                "YAML takes a word that begins with `&` as a mark for later reference.",
                self._span(event),
                "Quote it if it is meant as text; game files have no references.",
            )
        if event.tag is not None:
            self._error(
                "yaml-tag",
                "YAML takes a word that begins with `!` as the type of a value.",
                self._span(event),
                "Quote it if it is meant as text; game files have no types of this kind.",
            )

    def _error(
        self, code: str, message: str, span: Span, hint: str = "", *related: tuple[str, Span]
    ) -> None:
        self._findings += 1
        if self._findings <= _MAX_FINDINGS:
            self._report.error(code, message, span, hint, related)
