"""Options: what a user may set, with its default, its type and what it may be.

In: the `options` section, and values given from outside as text. Out: the value of each, as a
constant of its type; a position stays a picture.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from gdl.codes import Code
from gdl.core import build
from gdl.core.nodes import Const
from gdl.core.types import FLAG, FRACTION, NUMBER, Type
from gdl.data_classes import dataclass
from gdl.diagnostic import Report, Source, Span, suggest
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.names.scope import Problem, problem
from gdl.elaborate.names.values import Value
from gdl.elaborate.sections.sections import (
    document_keys,
    entries,
    parsed,
    parsed_span,
    readable_span,
)
from gdl.model import OptionInfo
from gdl.syntax import tree as t

_ROWS = re.compile(r"[^\s/]+(/[^\s/]+)+")


@dataclass(frozen=True)
class Option:
    """An option's value, what may be chosen, and its picture if it is a position."""

    value: Value
    info: OptionInfo
    picture: tuple[str, Span] | None = None


def read_options(
    document: Document, from_outside: Mapping[str, str], sides: Type, report: Report
) -> dict[str, Option]:
    """Read the options, with the values that the user gave as text."""
    found: dict[str, Option] = {}
    for key, node in entries(document, "options"):
        try:
            found[key.text] = _option(key, node, from_outside.get(key.text), sides, report)
        except Problem as error:
            report.add(error.diagnostic)
    for name, value in from_outside.items():
        if name not in document_keys(document, "options"):
            source = Source(f"--option {name}", value)
            report.error(
                Code.UNKNOWN_OPTION,
                f"There is no option `{name}`.",
                Span(source, 0, len(value)),
                suggest(name, found) or _listed("The options are", found),
            )
    return found


def _listed(start: str, names: Mapping[str, object]) -> str:
    return f"{start}: {', '.join(names)}." if names else "The game has no options."


def _option(
    key: Scalar, node: Node, from_outside: str | None, sides: Type, report: Report
) -> Option:
    about = ""
    if isinstance(node, Document):
        default_node, about_node = node.get("default"), node.get("about")
        about = about_node.text if isinstance(about_node, Scalar) else ""
        allowed_node = node.get("in")
    else:
        default_node, allowed_node = node, None
    assert isinstance(default_node, Scalar)
    if default_node.style == "block" or _ROWS.fullmatch(default_node.text.strip()):
        return _picture_option(key, default_node, from_outside, about)
    declared = parsed(default_node, "option", report)
    if declared is None:
        raise Problem(report.diagnostics[-1])
    allowed = declared.allowed or ()
    allowed_text = default_node.text.partition(" in ")[2].strip()
    if isinstance(allowed_node, Scalar):
        source = allowed_node.span
        listed = parsed_span(source, "allowed", report)
        if listed is not None:
            allowed, allowed_text = listed, allowed_node.text
    names = tuple(a.name for a in allowed if isinstance(a, t.Name))
    default = _option_value(declared.default, names, allowed, sides)
    chosen = default
    if from_outside is not None:
        chosen = _given_value(key.text, from_outside, names, allowed, default, sides, report)
    info = OptionInfo(
        key.text, value_text(chosen), value_text(default), allowed_text.strip("()"), about
    )
    return Option(chosen, info)


def _picture_option(key: Scalar, node: Scalar, from_outside: str | None, about: str) -> Option:
    text, span = node.text, node.span
    if from_outside is not None:
        source = Source(f"--option {key.text}", from_outside)
        text, span = from_outside, Span(source, 0, len(from_outside))
    info = OptionInfo(key.text, text, node.text, "a position in rows", about)
    return Option(build.NOWHERE, info, (text, span))


def value_text(value: Value) -> str:
    """Return an option's value as one would write it."""
    if not isinstance(value, Const):
        return ""
    if value.type == FLAG:
        return "yes" if value.value else "no"
    if value.type.is_choice:
        return value.type.values[int(value.value)]
    if isinstance(value.value, Fraction):
        return str(float(value.value))
    return str(value.value)


def _option_value(
    node: t.Expression, names: tuple[str, ...], allowed: tuple[t.Expression, ...], sides: Type
) -> Const:
    value = _plain_value(node, names, sides)
    if value is None:
        raise problem(
            Code.WRONG_OPTION,
            "An option is a number, `yes` or `no`, a side, or one of the names listed.",
            node.span,
            "Write for instance `11 in 2..25`, `no`, or `dark in dark, light`.",
        )
    if not _is_allowed(value, allowed, names, sides):
        _refuse_empty_range(allowed, names, sides)
        raise problem(
            Code.OUT_OF_RANGE,
            f"{value_text(value)} is not among the allowed values.",
            node.span,
            "The allowed values follow `in`.",
        )
    return value


def _refuse_empty_range(
    allowed: tuple[t.Expression, ...], names: tuple[str, ...], sides: Type
) -> None:
    """Raise a Problem at a range that begins with its upper end, as it holds nothing."""
    for item in allowed:
        if isinstance(item, t.Range):
            low, high = (_plain_value(end, names, sides) for end in (item.low, item.high))
            if low is not None and high is not None and low.value > high.value:
                raise problem(
                    Code.OUT_OF_RANGE,
                    f"Nothing lies within these bounds: {value_text(low)} is more than"
                    f" {value_text(high)}.",
                    item.span,
                    "The lower bound comes first.",
                )


def _plain_value(node: t.Expression, names: tuple[str, ...], sides: Type) -> Const | None:
    if isinstance(node, t.Number):
        if len(node.text) > 18:
            return None
        if "." in node.text:
            return Const(Fraction(node.text), FRACTION)
        return build.number(int(node.text))
    if isinstance(node, t.Operation) and node.operator == "-" and len(node.operands) == 1:
        inner = _plain_value(node.operands[0], names, sides)
        return None if inner is None else Const(-inner.value, inner.type)
    if isinstance(node, t.Flag):
        return build.flag(node.value)
    if isinstance(node, t.Name):
        if node.name in names:
            return Const(names.index(node.name), Type("name", names))
        if node.name in sides.values:
            return Const(sides.values.index(node.name), sides)
    return None


def _is_allowed(
    value: Const, allowed: tuple[t.Expression, ...], names: tuple[str, ...], sides: Type
) -> bool:
    if not allowed:
        return True
    for item in allowed:
        if isinstance(item, t.Range):
            low, high = (_plain_value(end, names, sides) for end in (item.low, item.high))
            if low is None or high is None or not value.type.is_numeric:
                continue
            if low.value <= value.value <= high.value:
                return True
        elif _plain_value(item, names, sides) == value:
            return True
    return False


def _choices(default: Const, allowed: tuple[t.Expression, ...]) -> str:
    """Return a sentence that tells what an option can be, if that is limited."""
    texts = [item.span.text for item in allowed]
    if not texts:
        texts = ["yes", "no"] if default.type == FLAG else list(default.type.values)
    return f" It can be: {', '.join(texts)}." if texts else ""


def _given_value(
    name: str,
    text: str,
    names: tuple[str, ...],
    allowed: tuple[t.Expression, ...],
    default: Const,
    sides: Type,
    report: Report,
) -> Const:
    source = Source(f"--option {name}", text)
    span = Span(source, 0, len(text))
    node = readable_span(span, "expression") if text.strip() else None
    value = None if node is None else _plain_value(node, names, sides)
    if value is not None and value.type == NUMBER and default.type == FRACTION:
        value = Const(Fraction(int(value.value)), FRACTION)
    if value is None or value.type != default.type or not _is_allowed(value, allowed, names, sides):
        report.error(
            Code.WRONG_OPTION,
            f"`{text[:40]}` is no value for the option `{name}`.",
            span,
            f"Its default is {value_text(default)}." + _choices(default, allowed),
        )
        return default
    return value
