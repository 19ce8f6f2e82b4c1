"""Loading: from a game's name or path to its model, through all the passes.

In: the name of a shipped game, or a path; options and variants. Out: a `Game`; or a
`GameError` with everything that is wrong.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from gdl.codes import Code
from gdl.diagnostic import (
    Diagnostic,
    GameError,
    Hint,
    LeftOut,
    Report,
    Source,
    Span,
    Suggestion,
    refused,
    suggest,
)
from gdl.document import apply_variants, load_document, read_document, read_source
from gdl.document.files import GAME_SETTINGS, RULES_SETTINGS, has_setting
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from gdl.document.nodes import Sequence as ListNode
from gdl.elaborate.game import elaborate_game
from gdl.elaborate.names.limits import within_limits
from gdl.model import Game
from gdl.resources.budget import loading
from gdl.resources.deep_recursion import with_room_for_calls
from gdl.resources.gc_pause import seldom_collected
from gdl.resources.scoped_cache import shared, work_shared
from gdl.syntax.parser import can_be_read

_ENDINGS = (".yaml", ".yml")
_OF_SAVES = (".json", ".jsonl")
_OTHER_NAMES = re.compile(r"^also *:.*(?:\n(?:[ \t-].*)?)*", re.MULTILINE)
_MOST_NAMED = 3  # games that may be meant

OptionValue = str | int | float | bool
GameName = str | os.PathLike[str]
"""What a game is called by: a name, or a path, which an object of a path always is."""


def games_folder() -> Path:
    """Return the folder of the shipped games: in the package, or beside it in a checkout."""
    package = Path(__file__).parent
    inside = package / "games"
    return inside if inside.is_dir() else package.parent / "games"


@cache
def shipped_names() -> tuple[str, ...]:
    """Return the names of the shipped games, in alphabetical order."""
    return tuple(sorted(path.stem for path in games_folder().glob("*.yaml")))


def other_names(document: Document) -> Iterator[str]:
    """Yield the other names under which a game is known."""
    node = document.get("also")
    if isinstance(node, Scalar):
        yield from (part.strip() for part in node.text.split(","))
    elif isinstance(node, ListNode):
        yield from (item.text.strip() for item in node.items if isinstance(item, Scalar))


def _other_names_in(text: str) -> Iterator[str]:
    """Yield the other names of a shipped game, without reading the rest of its file."""
    lines = _OTHER_NAMES.search(text)
    document = read_document(Source("", lines[0]), Report()) if lines is not None else None
    if document is not None:
        yield from other_names(document)


def is_path(name: str) -> bool:
    """Return whether a game is called by its file rather than by a name."""
    return name.endswith((*_ENDINGS, *_OF_SAVES)) or "/" in name or "\\" in name


def find_game(name: GameName) -> Source:
    """Return the source of a shipped game by any of its names, or of the file at a path.

    Raises GameError, and TypeError for what is neither a text nor a path.
    """
    if isinstance(name, os.PathLike):
        return _game_file(os.fspath(name), GAME_SETTINGS)
    if not isinstance(name, str):
        raise TypeError(f"a game is named by a text or a path, not by {name!r}")
    if is_path(name):
        return _game_file(name, GAME_SETTINGS)
    try:
        return _shipped(name)
    except GameError as error:
        if os.path.exists(name):
            return _game_file(name, GAME_SETTINGS)
        if hint := _with_ending(name):
            raise GameError([error.diagnostics[0].with_hint(hint)]) from None
        raise


def _game_file(path: str, settings: Sequence[str]) -> Source:
    """Return the source of a file that has one of some settings. Raises GameError."""
    try:
        source = read_source(path)
    except GameError as error:
        hint: Hint | None = _with_ending(path)
        name = Path(path).stem
        if not hint and name in shipped_names():
            hint = f"The shipped game is called `{name}`, without a folder or an ending."
        if error.diagnostics[0].code != Code.FILE_NOT_FOUND or not hint:
            raise
        raise GameError([error.diagnostics[0].with_hint(hint)]) from None
    if source.text.strip() and not has_setting(source.text, settings):
        message = f"`{path}` is not the file of a game: no line begins with `{settings[0]}:`."
        hint = (
            "A game's file begins with a line such as `game: Name`. `gdl init x.yaml` writes one."
        )
        if has_setting(source.text, [setting.title() for setting in settings]):
            hint = f"Keys are written in small letters: `{settings[0]}:`."
        raise refused(Code.NOT_A_GAME, message, hint)
    if has_setting(source.text, ("moves",)) and not has_setting(source.text, RULES_SETTINGS):
        message = f"`{path}` is a saved game, not the file of a game's rules."
        hint = "Name the game that its setting `game` names; `gdl show` shows where it stands."
        raise refused(Code.NOT_A_GAME, message, hint)
    return source


def _with_ending(path: str) -> Suggestion | None:
    """Return a hint that names the file whose ending was left out, or None."""
    found = (path + end for end in _ENDINGS if os.path.isfile(path + end))
    return next(map(Suggestion, found), None)


def _shipped(name: str) -> Source:
    """Return the source of a shipped game by any of its names. Raises GameError."""
    wanted = _plain(name)
    for shipped in shipped_names():
        if _plain(shipped) == wanted:
            return read_source(games_folder() / f"{shipped}.yaml")
    known: dict[str, str] = {}
    for shipped in shipped_names():
        source = read_source(games_folder() / f"{shipped}.yaml")
        for other in _other_names_in(source.text):
            known[other] = shipped
            if _plain(other) == wanted:
                return source
    hint = _with_word(wanted) or suggest(name, [*shipped_names(), *known])
    raise GameError(
        [
            Diagnostic(
                Code.UNKNOWN_GAME,
                f"There is no game called `{name[:60]}`.",
            ).with_hint(hint or "`gdl list` shows the shipped games; a file's name ends in .yaml.")
        ]
    )


def _with_word(word: str) -> Hint:
    """Return a hint that names the shipped games which have a word in their names, or nothing."""
    found = [name for name in shipped_names() if word in name.split("-")]
    if len(found) == 1:
        return Suggestion(found[0])
    named = " or ".join(f"`{name}`" for name in found[:_MOST_NAMED])
    return f"Did you mean {named}?" if found else ""


def _plain(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())


def _parent(name: str, child: Source) -> Source:
    """Return the source of what a file extends: a shipped game, or a file beside it."""
    if not is_path(name):
        return _shipped(name)
    path = os.path.join(os.path.dirname(child.name), os.path.normpath(name))
    if not _is_beside(path, name, child):
        message = f"`{name}` is neither a shipped game nor a file in this file's folder."
        hint = "Put it beside this file and write its name alone, or name a game of `gdl list`."
        raise refused(Code.EXTENDS_ELSEWHERE, message, hint)
    return _game_file(path, ("game", "extends"))


def _is_beside(path: str, name: str, child: Source) -> bool:
    """Return whether a path leads to a file in the folder of another one, or to a shipped game."""
    if "\0" in path or "\\" in name or os.path.basename(path) != os.path.normpath(name):
        return False
    folders = (
        os.path.realpath(os.path.dirname(child.name)),
        os.path.dirname(os.path.realpath(child.name)),
        os.path.realpath(games_folder()),
    )
    return os.path.dirname(os.path.realpath(path)) in folders


def option_text(value: OptionValue) -> str:
    """Return an option's value as it would be written in a file."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def load_game(
    name: GameName,
    options: Mapping[str, OptionValue] | None = None,
    variants: str | Sequence[str] = (),
) -> Game:
    """Load a game by its name or path, with options and variants. Raises GameError."""
    return load_source(find_game(name), options, variants)


@with_room_for_calls
def load_source(
    source: Source,
    options: Mapping[str, OptionValue] | None = None,
    variants: str | Sequence[str] = (),
) -> Game:
    """Load a game from its text; a single text is one variant. Raises GameError."""
    named = (variants,) if isinstance(variants, str) else variants
    if not isinstance(named, Sequence) or not all(isinstance(name, str) for name in named):
        raise TypeError(f"variants are named by texts, not by {variants!r}")
    is_named = isinstance(options, Mapping) and all(isinstance(name, str) for name in options)
    if options is not None and not is_named:
        message = f"Options are named one by one, not all in `{options}`."
        hint = 'Name each with its value: `options={"size": 5}`.'
        raise refused(Code.WRONG_OPTION, message, hint)
    with work_shared(), seldom_collected():
        try:
            return _loaded(source, options or {}, tuple(named))
        except GameError as error:
            # What has no mistake should not wait for patterns of mistakes.
            from gdl.syntax.slips.meanings import looked_at_again

            raise GameError(looked_at_again(error.diagnostics, can_be_read)) from None


def _loaded(source: Source, options: Mapping[str, OptionValue], variants: tuple[str, ...]) -> Game:
    """Return the game of a text. Raises GameError with all that is wrong in it."""
    report = Report()
    whole, found, gaps = _read(source)
    for diagnostic in found:
        report.add(diagnostic)
    if whole is None:
        raise GameError(report.diagnostics)
    further = Report() if report.failed else report
    try:
        game = _elaborated(source, whole, options, variants, further)
    except GameError as error:
        if further is report:
            raise
        for one in error.diagnostics:
            is_told = any(_are_of_the_same_words(one, other) for other in found)
            if not is_told and not _may_come_of(gaps, one):
                report.add(one)
    report.raise_errors()
    return game


def _may_come_of(gaps: tuple[LeftOut, ...] | None, one: Diagnostic) -> bool:
    """Return whether a finding may come of parts that are missing; None if these are not known."""
    if gaps is None:
        return one.code != Code.SYNTAX
    return any(gap.may_cause(one) for gap in gaps)


def _are_of_the_same_words(one: Diagnostic, other: Diagnostic) -> bool:
    """Return whether one finding begins among the words that another one is about."""
    span, around = one.span, other.span
    if span is None or around is None or span.source != around.source:
        return False
    return around.start <= span.start <= around.end


def _elaborated(
    source: Source,
    whole: Document,
    options: Mapping[str, OptionValue],
    variants: tuple[str, ...],
    report: Report,
) -> Game:
    """Return the game that a document is with options and variants. Raises GameError."""
    document = apply_variants(whole, list(variants), report)
    report.raise_errors()
    option_texts = {key: option_text(value) for key, value in options.items()}
    with loading(), within_limits(report, Span(source, 0, len(source.text))):
        return elaborate_game(
            document,
            whole,
            report,
            name=Path(source.name).stem,
            option_texts=option_texts,
            variants=variants,
        )


@shared
def _read(
    source: Source,
) -> tuple[Document | None, tuple[Diagnostic, ...], tuple[LeftOut, ...] | None]:
    """Return the document of a game's text, its variants not applied, and what is wrong in it.

    At last, the parts that could not be read and are missing from it; None if these are not known.
    """
    report = Report()
    document = load_document(source, report, _parent)
    return document, report.diagnostics, report.left_out
