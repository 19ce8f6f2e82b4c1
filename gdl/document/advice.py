"""From an error of the YAML parser to a diagnostic that a game's author understands.

In: the parser's error and the source. Out: one `Diagnostic` with the code `yaml-syntax`, at the
place where the author has something to mend, with a way out for the usual slips. The parser's
own words serve where no slip is recognised.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

import yaml

from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, Source, Span

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
        return Diagnostic("yaml-syntax", message, span, hint)

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
