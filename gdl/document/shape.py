"""Kinds of shape that a part of a game file can have, and the check of a node against one.

In: a node, a shape, and what the node is called. Out: diagnostics (`wrong-shape`,
`missing-value`, `missing-key`, `unknown-key`, `wrong-value`, `escaped-text`), and the node without
what is wrong; a misspelt key is the one that is meant. What then holds: later passes can tell what
a node is from its key alone. The text of formulas and programs is not looked at here.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping as Fields
from dataclasses import field, replace
from typing import TypeAlias

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import NO_FACTS, Diagnostic, Facts, Hint, Report, Span, Suggestion, suggest
from gdl.document.nodes import Mapping, Node, Scalar, Sequence

_MAX_FINDINGS = 100
_LONGEST_QUOTED = 100


@dataclass(frozen=True)
class Prose:
    """A text for people: any escapes may stand in it."""

    expects: str = "a text"


@dataclass(frozen=True)
class Verbatim:
    """A text in the language, or names: read where it stands, so without escapes."""

    expects: str = "a text"
    may_be_empty: bool = False


@dataclass(frozen=True)
class Picture:
    """Rows of characters, whose line breaks count."""

    expects: str = "rows of characters"


@dataclass(frozen=True)
class Symbol:
    """One character that can be seen by itself."""

    expects: str = "one character that can be seen"

    def accepts(self, text: str) -> bool:
        """Return whether a text is one; marks that are written over another character are none."""
        is_one = len(text) == 1 and text.isprintable() and not text.isspace()
        return is_one and not unicodedata.category(text).startswith("M")


@dataclass(frozen=True)
class OneWord:
    """One of a few words."""

    words: tuple[str, ...]

    @property
    def expects(self) -> str:
        """The words, as a sentence lists them."""
        return " or ".join(f"`{word}`" for word in self.words)


@dataclass(frozen=True)
class Listing:
    """A list of items of one shape."""

    item: Shape
    expects: str = "a list"


@dataclass(frozen=True)
class Entries:
    """Keys that the author chooses, with values of one shape; `special` keys have their own.

    With `words`, each key is one word, so that a colon in a sentence is not taken for one.
    """

    value: Shape
    expects: str = "entries with a name, a colon and a value"
    special: Fields[str, Shape] = field(default_factory=dict)
    words: bool = False


@dataclass(frozen=True)
class Settings:
    """Keys that the language knows. `of` says what they are the settings of.

    `meant` are keys that others use, each with the one that is meant here. With a `sign`, a mapping
    is taken for these settings only if it has that key, or else what is required and at most keys
    that are meant for others of theirs.
    """

    of: str
    fields: Fields[str, Shape]
    expects: str = "settings with a name, a colon and a value"
    required: tuple[str, ...] = ()
    meant: Fields[str, str] = field(default_factory=dict)
    sign: str = ""


@dataclass(frozen=True)
class OneOf:
    """Any of several shapes, of which no two fit the same kind of node."""

    shapes: tuple[Shape, ...]

    @property
    def expects(self) -> str:
        """What the shapes expect, as a sentence lists it."""
        return " or ".join(shape.expects for shape in self.usual)

    @property
    def usual(self) -> tuple[Shape, ...]:
        """The shapes but those that only a key tells."""
        return tuple(s for s in self.shapes if not isinstance(s, Settings) or not s.sign)


SETTINGS, LIST = "a set of settings", "a list"
"""What is found, in the facts of a diagnostic, where something else should stand."""

Text: TypeAlias = Prose | Verbatim | Picture | Symbol | OneWord
Shape: TypeAlias = Text | Listing | Entries | Settings | OneOf


def check(node: Node, shape: Shape, subject: str, report: Report) -> Node | None:
    """Report how `node`, which a message calls `subject`, departs from `shape`.

    Returns the node without what is wrong in it, or None if nothing is left.
    """
    return _Checker(report, node).check(node, shape, subject)


class _Checker:
    """Holds where findings go; stops at a hundred, since more help nobody."""

    def __init__(self, report: Report, whole: Node) -> None:
        self._report = report
        self._whole = whole
        self._findings = 0

    def check(self, node: Node, shape: Shape, subject: str) -> Node | None:
        if self._findings >= _MAX_FINDINGS:
            return node
        fitting = _fitting(node, shape)
        if isinstance(node, Scalar) and not _may_be_absent(fitting) and _is_absent(node):
            self._missing(node, shape, subject)
        elif isinstance(node, Scalar) and isinstance(
            fitting, Prose | Verbatim | Picture | Symbol | OneWord
        ):
            return self._check_text(node, fitting, subject)
        elif isinstance(node, Sequence) and isinstance(fitting, Listing):
            items = [self._check_item(item, fitting, subject) for item in node.items]
            return replace(node, items=tuple(item for item in items if item is not None))
        elif isinstance(node, Mapping) and isinstance(fitting, Entries):
            return self._check_entries(node, fitting, shape, subject)
        elif isinstance(node, Mapping) and isinstance(fitting, Settings):
            kept = self._check_settings(node, fitting)
            return kept if self._has_required(kept, fitting) or node is self._whole else None
        else:
            self._wrong_shape(node, shape, subject)
        return None

    def _check_item(self, item: Node, listing: Listing, subject: str) -> Node | None:
        found = self.check(item, listing.item, f"An item of {_lower(subject)}")
        if found is None:
            self._report.lose(item.span)
        return found

    def _check_entries(
        self, node: Mapping, fitting: Entries, shape: Shape, subject: str
    ) -> Mapping | None:
        kept: list[tuple[Scalar, Node]] = []
        for key, value in node.entries:
            is_exact = self._check_escapes(key)
            if fitting.words and not key.text.isidentifier() and not key.text.isdigit():
                self._wrong_shape(node, shape, subject)
                return None
            found = self.check(value, fitting.special.get(key.text, fitting.value), _quote(key))
            if is_exact and found is not None:
                kept.append((key, found))
            else:
                self._report.lose(key.span.to(value.span))
        return replace(node, entries=tuple(kept))

    def _check_settings(self, node: Mapping, shape: Settings) -> Mapping:
        kept: list[tuple[Scalar, Node]] = []
        last_known = ""
        for key, value in node.entries:
            name: str | None = key.text
            if key.text in shape.fields:
                last_known = key.text
            else:
                name = self._unknown_key(key, value, node, last_known, shape)
            found = None if name is None else self.check(value, shape.fields[name], _quote(key))
            if name is None or found is None:
                self._report.lose(key.span.to(value.span))
            else:
                kept.append((key if name == key.text else _called(key, name), found))
        return replace(node, entries=tuple(kept))

    def _unknown_key(
        self, key: Scalar, value: Node, node: Mapping, last_known: str, shape: Settings
    ) -> str | None:
        """Report a key that is not known; return the one that is meant, if that is missing."""
        if self._findings >= _MAX_FINDINGS:
            return None
        meant = shape.meant.get(key.text.lower())
        hint = (
            (Suggestion(meant) if meant else suggest(key.text, shape.fields))
            or _cut_at_comma(node, value, last_known, shape)
            or f"Its settings are: {', '.join(sorted(shape.fields))}."
        )
        told = f"{_quote(key)} is not a setting of {shape.of}."
        facts = Facts(key.text, shape.of)
        found = Diagnostic(Code.UNKNOWN_KEY, told, key.span, facts=facts).with_hint(hint)
        known = meant or (None if found.edit is None else found.edit.replacement)
        is_mended = known is not None and node.entry(known) is None
        self._findings += 1
        self._report.add(found, is_mended=is_mended)
        return known if is_mended else None

    def _has_required(self, node: Mapping, shape: Settings) -> bool:
        """Report each key that is missing; return whether none is."""
        missing = [name for name in shape.required if node.entry(name) is None]
        for name in missing:
            start = node.span.start
            self._error(
                Code.MISSING_KEY,
                f"`{name}` is missing from {shape.of}.",
                Span(node.span.source, start, start),
                f"Add a line `{name}: …`.",
                Facts(name, shape.of),
            )
        return not missing

    def _check_text(self, node: Scalar, shape: Text, subject: str) -> Scalar | None:
        before = self._findings
        if isinstance(shape, Verbatim):
            self._check_escapes(node)
        elif isinstance(shape, Symbol):
            if not shape.accepts(node.text):
                self._error(
                    Code.WRONG_VALUE,
                    f"{subject} should be {shape.expects}.",
                    _visible(node.span),
                    "Write for instance `X`.",
                    _facts(subject, shape),
                )
        elif isinstance(shape, OneWord):
            if node.text not in shape.words:
                self._error(
                    Code.WRONG_VALUE,
                    f"{subject} should be {shape.expects}.",
                    _visible(node.span),
                    suggest(node.text, shape.words) or "Write one of these words, or no such line.",
                    _facts(subject, shape),
                )
        elif isinstance(shape, Picture):
            self._check_escapes(node)
            if node.style != "block" and "\n" in node.span.text:
                self._error(
                    Code.WRONG_SHAPE,
                    f"{subject} should be {shape.expects}, but its line breaks are lost.",
                    node.span,
                    "Write `|` after the colon and the rows on the lines below it.",
                    _facts(subject, shape),
                )
        return node if self._findings == before else None

    def _check_escapes(self, node: Scalar) -> bool:
        if not node.exact:
            self._error(
                Code.ESCAPED_TEXT,
                "This text is read just as it stands, and can't have escapes.",
                node.span,
                "Remove the quotes, or write `|` after the colon and the text on the line below.",
            )
        return node.exact

    def _missing(self, node: Scalar, shape: Shape, subject: str) -> None:
        line = node.span.source.text[node.span.end :].split("\n", 1)[0]
        hint = "Write it after the colon, or remove the key."
        if line.lstrip().startswith("#"):
            hint = "A `#` begins a comment. Quote it to mean the character."
        elif node.span.source.text[: node.span.start].rstrip()[-1:] not in (":", "-"):
            hint = (
                "Inside `{…}` a comma ends a value: put what has commas in quotes, or on a"
                " line of its own."
            )
        self._error(
            Code.MISSING_VALUE,
            f"{subject} should be {shape.expects}, but nothing stands here.",
            _visible(node.span),
            hint,
            _facts(subject, shape),
        )

    def _wrong_shape(self, node: Node, shape: Shape, subject: str) -> None:
        self._error(
            Code.WRONG_SHAPE,
            f"{subject} should be {shape.expects}, not {_kind(node)}.",
            _first_line(node.span),
            _way_out(node, shape),
            _facts(subject, shape, _kind(node)),
        )

    def _error(
        self, code: Code, message: str, span: Span, hint: Hint = "", facts: Facts = NO_FACTS
    ) -> None:
        self._findings += 1
        self._report.error(code, message, span, hint, facts=facts)


def _facts(subject: str, shape: Shape, found: str = "") -> Facts:
    """Return what should stand where something else is found; a key, without its quotes."""
    return Facts(subject.strip("`"), expected=shape.expects, found=found)


def _called(key: Scalar, name: str) -> Scalar:
    """Return a key by the name that is meant."""
    return replace(key, text=name, exact=False)


def _fitting(node: Node, shape: Shape) -> Shape:
    if not isinstance(shape, OneOf):
        return shape
    wanted: tuple[type, ...] = (Prose, Verbatim, Picture, Symbol, OneWord)
    if isinstance(node, Mapping):
        signed = [s for s in shape.shapes if isinstance(s, Settings) and _is_signed(node, s)]
        if signed:
            return signed[0]
        shape = OneOf(shape.usual)
        wanted = (Entries, Settings)
    elif isinstance(node, Sequence):
        wanted = (Listing,)
    return next((option for option in shape.shapes if isinstance(option, wanted)), shape)


def _is_signed(node: Mapping, settings: Settings) -> bool:
    """Return whether a mapping is taken for settings that have a sign."""
    if not settings.sign or settings.sign in node.keys:
        return bool(settings.sign)
    has_all = all(key in node.keys for key in settings.required)
    return has_all and all(k in settings.required or k in settings.meant for k in node.keys)


def _is_absent(node: Scalar) -> bool:
    return node.style != "quoted" and not node.text.strip()


def _may_be_absent(shape: Shape) -> bool:
    return isinstance(shape, Verbatim) and shape.may_be_empty


def _way_out(node: Node, shape: Shape) -> str:
    options = shape.usual if isinstance(shape, OneOf) else (shape,)
    takes_list = any(isinstance(option, Listing) for option in options)
    takes_entries = any(isinstance(option, Entries | Settings) for option in options)
    if isinstance(node, Mapping) and takes_list:
        return "Begin each item on a line of its own with `- `."
    if isinstance(node, Mapping) and node.span.text.startswith("{"):
        return "Write it as one text, without braces and names for its parts."
    if isinstance(node, Mapping):
        return "A colon and a space begin a value; put the text in quotes if it has a colon."
    if isinstance(node, Sequence) and (text := _in_one_text(node, options)):
        return f"Write it as one text: `{text}`."
    if isinstance(node, Sequence) and takes_entries:
        return "Write each entry as `name: value`, without a dash."
    if isinstance(node, Sequence):
        return "Write it as one text."
    if takes_list:
        return "Write the items on the lines below, each after `- `."
    return "Write the entries on the lines below, each as `name: value`."


def _in_one_text(node: Sequence, options: tuple[Shape, ...]) -> str:
    """Return the items of a list as the text that is wanted; nothing if none is, or it is long."""
    texts = [item.text.strip() for item in node.items if isinstance(item, Scalar)]
    wanted = next((one.expects for one in options if isinstance(one, Verbatim)), None)
    if wanted is None or len(texts) < len(node.items) or "\n" in "".join(texts):
        return ""
    text = (", " if "comma" in wanted else " | ").join(texts)
    return text if 0 < len(text) <= _LONGEST_QUOTED else ""


def _cut_at_comma(node: Mapping, value: Node, before: str, shape: Settings) -> str:
    """Return the way out where a text in braces was cut at its commas; nothing elsewhere.

    `value` is that of a key which is not known, `before` the last known key before it.
    """
    is_key_alone = isinstance(value, Scalar) and _is_absent(value)
    if not before or not is_key_alone or not node.span.text.startswith("{"):
        return ""
    of_one = shape.fields[before]
    shapes = of_one.shapes if isinstance(of_one, OneOf) else (of_one,)
    takes_list = any(isinstance(each, Listing) for each in shapes)
    ways = "in `[…]` or in quotes" if takes_list else "in quotes"
    return f"Inside `{{…}}` a comma ends the value of `{before}`: put several {ways}."


def _kind(node: Node) -> str:
    if isinstance(node, Mapping):
        return SETTINGS
    return LIST if isinstance(node, Sequence) else "a text"


def _quote(key: Scalar) -> str:
    text = " ".join(key.text.split())
    return f"`{text if len(text) <= 60 else text[:59] + '…'}`"


def _lower(subject: str) -> str:
    return subject[0].lower() + subject[1:]


def _visible(span: Span) -> Span:
    return _first_line(span) if span.end > span.start else Span(span.source, span.start, span.start)


def _first_line(span: Span) -> Span:
    first = span.text.split("\n", 1)[0]
    return Span(span.source, span.start, span.start + len(first))
