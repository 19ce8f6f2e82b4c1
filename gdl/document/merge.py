"""From files that build on each other, and variants, to one tree.

In: a source and a way to find the file that another one extends; the names of variants. Out: one
`Mapping` with everything that holds. What then holds: each scalar still has the span, and so the
source, in which it was written; no two keys of a mapping are the same up to white space.

Merging goes one level deep: of two sections that are mappings, such as `define`, the entries are
joined, an entry of the later one taking the place of an earlier one with the same key; any other
section is replaced as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from collections.abc import Sequence as Names
from dataclasses import replace

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError, Report, Source, suggest
from gdl.document import parts
from gdl.document.nodes import Mapping, Node, Scalar, Sequence, key_identity
from gdl.document.parts import report_turns
from gdl.document.reader import read_document
from gdl.document.schema import check_shape, is_of_a_known_version
from gdl.resources.timing import reads

MAX_EXTENDS = 8
MAX_VARIANTS = 100

_NOT_INHERITED = frozenset({"language", "extends", "also", "rules", "examples", "fine"})
_NOT_RULES = frozenset({"about", "rules"})
_ALLOWED = " in "
"""What stands between an option's default and what is allowed."""

Find = Callable[[str, Source], Source]


@reads
def load_document(source: Source, report: Report, find: Find) -> Mapping | None:
    """Return a file's tree joined with those that it extends; None if one of them has no tree.

    `find(name, source)` returns the source that `source` calls `name` in its `extends`, or raises
    `GameError`. Each file is shape-checked by itself; all that is wrong goes to `report`. The
    result has no `extends`. The version (`language`), other names (`also`), `rules` in words,
    `examples` and what is accepted (`fine`) belong to one file alone and are not inherited.
    """
    trees: list[Mapping] = []
    chain = [source]
    while True:
        document = read_document(chain[-1], report)
        if document is None or not is_of_a_known_version(document, report):
            return None
        document = check_shape(document, report)
        trees.append(document)
        extends = document.get("extends")
        if not isinstance(extends, Scalar) or not extends.text.strip():
            break
        parent = _find_parent(extends, chain, report, find)
        if parent is None:
            return None
        chain.append(parent)
    merged = trees[-1]
    for child in reversed(trees[:-1]):
        merged = extend(child, merged, report)
    parts.remove(trees[-1].get(parts.REMOVES), {}, report)
    _check_variants(merged, report)
    report_turns(merged, report)
    return merged


def _check_variants(document: Mapping, report: Report) -> None:
    """Refuse more variants than a person reads: much is done with each, and with each two."""
    variants = document.get("variants")
    if isinstance(variants, Mapping) and len(variants.entries) > MAX_VARIANTS:
        report.error(
            Code.TOO_LARGE,
            f"There are {len(variants.entries):,} variants, and may be {MAX_VARIANTS}.",
            variants.entries[MAX_VARIANTS][0].span,
            "Say with an option what differs, or divide the file into several that extend it.",
        )


def _find_parent(extends: Scalar, chain: list[Source], report: Report, find: Find) -> Source | None:
    try:
        parent = find(extends.text.strip(), chain[-1])
    except GameError as error:
        for found in error.diagnostics:
            report.add(found.placed(extends.span))
        return None
    if any(parent.name == source.name or parent.text == source.text for source in chain):
        report.error(
            Code.EXTENDS_CYCLE,
            f"`{extends.text.strip()}` builds on this file again, so none of them has a beginning.",
            extends.span,
            "Remove one of the `extends`.",
        )
        return None
    if len(chain) > MAX_EXTENDS:
        report.error(
            Code.EXTENDS_TOO_LONG,
            f"More than {MAX_EXTENDS} files extend one another here.",
            extends.span,
            "Extend a file nearer to the beginning of the chain.",
        )
        return None
    return parent


def extend(child: Mapping, parent: Mapping, report: Report | None = None) -> Mapping:
    """Return `parent` with all that `child` says otherwise or adds.

    Entries keep the parent's order, new ones follow. `extends` is left out of the result, and of
    the parent's `also` and `examples` nothing is taken. What the child `removes` and the parent
    does not have goes to the report.
    """
    inherited = _without(parent, _NOT_INHERITED)
    return _joined(inherited, _without(child, frozenset({"extends"})), report)


def _without(document: Mapping, keys: frozenset[str]) -> Mapping:
    kept = tuple(entry for entry in document.entries if entry[0].text not in keys)
    return Mapping(kept, document.span)


def _joined(base: Mapping, change: Mapping, report: Report | None) -> Mapping:
    """Join two documents section by section; a `turn` takes the place of `phases`.

    What the change `removes` is taken away first.
    """
    sections = {key_identity(key.text): (key, value) for key, value in base.entries}
    parts.remove(change.get(parts.REMOVES), sections, report)
    change = _without(change, frozenset({parts.REMOVES}))
    if change.get("turn") is not None and change.get("phases") is None:
        sections.pop("phases", None)
    for key, value in change.entries:
        identity = key_identity(key.text)
        before = sections.get(identity)
        if before is not None and isinstance(value, Mapping) and parts.is_of_parts(identity, value):
            sections[identity] = (key, parts.with_parts(identity, before[1], value))
        elif before is not None and isinstance(before[1], Mapping) and isinstance(value, Mapping):
            if identity == "options":
                value = _with_bounds(before[1], value)
            if identity == "display":
                value = _with_captions(before[1], value)
            sections[identity] = (key, _with_entries(before[1], value))
        else:
            sections[identity] = (key, value)
    return Mapping(tuple(sections.values()), change.span)


def _with_entries(base: Mapping, change: Mapping) -> Mapping:
    entries = {key_identity(key.text): (key, value) for key, value in base.entries}
    entries |= {key_identity(key.text): (key, value) for key, value in change.entries}
    return Mapping(tuple(entries.values()), change.span)


def _with_captions(base: Mapping, change: Mapping) -> Mapping:
    """Return a display whose captions are added to those that there were."""
    before, made = base.get("captions"), list(change.entries)
    for index, (key, value) in enumerate(made):
        if key.text == "captions" and isinstance(before, Mapping) and isinstance(value, Mapping):
            made[index] = key, _with_entries(before, value)
    return Mapping(tuple(made), change.span)


def _with_bounds(base: Mapping, change: Mapping) -> Mapping:
    """Return options of which only the default is said with the rest of what they were."""
    made: list[tuple[Scalar, Node]] = []
    for key, value in change.entries:
        before = base.get(key.text)
        if isinstance(value, Scalar) and before is not None:
            entries = tuple(
                entry
                for entry in _option_entries(before)
                if entry[0].text != "in" or _ALLOWED not in value.text
            )
            if entries:
                default = Scalar("default", key.span), value
                made.append((key, Mapping((default, *entries), value.span)))
                continue
        made.append((key, value))
    return Mapping(tuple(made), change.span)


def _option_entries(option: Node) -> list[tuple[Scalar, Node]]:
    """Return what an option says besides its default."""
    default = option
    said: list[tuple[Scalar, Node]] = []
    if isinstance(option, Mapping):
        said = [entry for entry in option.entries if entry[0].text != "default"]
        default = option.get("default") or option
    if isinstance(default, Scalar) and default.exact and default.style != "block":
        before, found, _ = default.span.text.partition(_ALLOWED)
        if found and all(key.text != "in" for key, _ in said):
            start = default.span.start + len(before) + len(found)
            span = replace(default.span, start=start)
            said.append((Scalar("in", span), Scalar(span.text, span)))
    return said


@dataclass(frozen=True)
class _Change:
    """What a variant says about one part of the game, and where."""

    variant: str
    section: str
    part: str
    key: Scalar
    value: Node


_WHOLE = ""
"""The part that stands for all the entries of a section at once."""


@reads
def apply_variants(document: Mapping, names: Names[str], report: Report) -> Mapping:
    """Return the document as the variants of these names change it, one after the other.

    The result has no `variants`; a variant's `about` describes the variant and changes nothing.
    A name that no variant has is an `unknown-variant`; two variants that say different things
    about the same key are `variants-conflict`.
    """
    result = _without(document, frozenset({"variants"}))
    changed: dict[str, dict[str, _Change]] = {}
    for name in dict.fromkeys(names):
        rules = _variant(document, name, report)
        if rules is None:
            continue
        for change in _changes(name, rules):
            _report_conflict(change, changed.get(change.section, {}), report)
        for change in _changes(name, rules):
            changed.setdefault(change.section, {})[change.part] = change
        result = Mapping(_joined(result, rules, report).entries, document.span)
    return result


def _variant(document: Mapping, name: str, report: Report) -> Mapping | None:
    """Return what the variant of this name changes."""
    entry = document.entry("variants")
    variants = None if entry is None else entry[1]
    if entry is None or not isinstance(variants, Mapping):
        report.error(
            Code.UNKNOWN_VARIANT,
            f"There is no variant `{name}`: the game has none.",
            hint="Leave it out, or write it under `variants`.",
        )
        return None
    rules = variants.get(name)
    if isinstance(rules, Mapping):
        return _without(rules, _NOT_RULES)
    report.error(
        Code.UNKNOWN_VARIANT,
        f"There is no variant `{name}`.",
        entry[0].span,
        suggest(name, variants.keys) or f"The variants are: {', '.join(variants.keys)}.",
    )
    return None


def _changes(variant: str, rules: Mapping) -> Iterator[_Change]:
    for text, section, part in parts.removals(rules.get(parts.REMOVES)):
        yield _Change(variant, section, part or _WHOLE, text, Sequence((), text.span))
    for key, value in _without(rules, frozenset({parts.REMOVES})).entries:
        if isinstance(value, Mapping):
            for inner_key, inner_value in value.entries:
                part = key_identity(inner_key.text)
                yield _Change(variant, key.text, part, inner_key, inner_value)
        else:
            yield _Change(variant, key.text, _WHOLE, key, value)


def _report_conflict(change: _Change, earlier: dict[str, _Change], report: Report) -> None:
    """Report if `change` departs from an earlier variant's changes of the same section."""
    same = earlier.get(change.part)
    if same is not None and _content(same.value) == _content(change.value):
        return
    if same is None:
        same = earlier.get(_WHOLE)
    if same is None and change.part == _WHOLE:
        same = next(iter(earlier.values()), None)
    if same is None:
        return
    report.error(
        Code.VARIANTS_CONFLICT,
        f"The variants `{same.variant}` and `{change.variant}` both change"
        f" `{' '.join(change.key.text.split())}`, and differently.",
        change.key.span,
        "Choose one of them.",
        [(f"`{same.variant}` changes it here.", same.key.span)],
    )


def _content(node: Node) -> object:
    """Return what a node says, without where it says it."""
    if isinstance(node, Scalar):
        return [line.rstrip() for line in node.text.rstrip().splitlines()]
    if isinstance(node, Sequence):
        return [_content(item) for item in node.items]
    return {key_identity(key.text): _content(value) for key, value in node.entries}
