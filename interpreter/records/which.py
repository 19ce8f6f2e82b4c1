"""Which game a record is of: by its headers, and what the shipped files say of them.

In: a recorded game. Out: the names of the games that it may be of, the likeliest first. What then
holds: files are elaborated only where the headers fit several.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import NoReturn

from gdl.codes import Code
from gdl.diagnostic import GameError, Report, refused
from gdl.document import read_document
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Scalar
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import quoted
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.records.files import foreign_kind, games_in
from gdl.interpreter.records.following import RulesFor, follow
from gdl.interpreter.records.recorded import FORMATS_BY_NAME, Recorded
from gdl.load import find_game, load_game, shipped_names

_NOT_THERE = "none"
_MOST_LOOKED_AT = 100  # games, for one of a game that is known

_Tags = Mapping[str, tuple[str, ...]]


def games_of_record(game: Recorded) -> list[str]:
    """Return the names of the shipped games that a record may be of by its headers."""
    named = [name for name in shipped_names() if _plain(name) == _plain(variant_of(game))]
    found = [
        name
        for name, format, tags in _known()
        if (
            format == game.format
            if game.format in FORMATS_BY_NAME
            else format not in FORMATS_BY_NAME
        )
        and all(_fits(game.tags.get(tag), values) for tag, values in tags.items())
    ]
    return list(dict.fromkeys((*named, *found)))


def game_of_record(game: Recorded) -> str:
    """Return the name of the game that a record is of; empty where nothing in it says so.

    Where the headers fit several games, it is the first whose rules follow the record.
    """
    names = games_of_record(game) if game.format or "Variant" in game.tags else []
    usual = names[0] if names else ""
    return next((name for name in names if names[1:] and _is_followed(game, name)), usual)


def _is_followed(game: Recorded, name: str) -> bool:
    try:
        rules = RulesFor(Rules(load_game(name)))(game)
        return follow(rules, game, lambda text, at: at.parse(text)).refused is None
    except (GameError, RuleError):
        return False


def game_of_file(path: str | Path) -> str:
    """Return the name of the game that a file of records is of, by the first that is known.

    Raises GameError where nothing in it says so.
    """
    games = islice(games_in(path), _MOST_LOOKED_AT)
    first = next(games)
    names = (game_of_record(game) for game in chain((first,), games))
    return next(filter(None, names), "") or refuse_untold(first, path)


def refuse_untold(game: Recorded, path: str | Path) -> NoReturn:
    """Raise GameError for a record in a file that is of no game that is known.

    It says what is wrong with a record none of whose moves could be read.
    """
    if game.problem is not None and not game.moves:
        raise GameError([game.problem])
    said = variant_of(game)
    told = f"Nothing in `{path}` says which game it is of: it has {foreign_kind(path) or 'moves'}."
    if said:
        told = f"`{path}` is of `{quoted(said)}`, by its headers, and no game here is called that."
    hint = f"Name the game before the file, as in `gdl trace GAME {path}`."
    raise refused(Code.WRONG_RECORDED_GAME, told, hint)


def variant_of(game: Recorded) -> str:
    """Return what a record says of its game; servers begin the name of an event with it."""
    event = game.tags.get("EV", "").partition(".")[0]
    return game.tags.get("Variant", game.tags.get("Game", event))


def _plain(name: str) -> str:
    return "".join(sign for sign in name.lower() if sign.isalnum())


def _fits(said: str | None, values: tuple[str, ...]) -> bool:
    if said is None:
        return _NOT_THERE in values
    return _plain(said.partition(",")[0]) in map(_plain, values)


@cache
def _known() -> tuple[tuple[str, str, _Tags], ...]:
    """Return each notation of a shipped file that has tags: the game, its name, the tags."""
    return tuple(_notations())


def _notations() -> Iterator[tuple[str, str, _Tags]]:
    for name in shipped_names():
        source = find_game(name)
        if "\nnotation:" not in source.text:
            continue
        document = read_document(source, Report())
        section = None if document is None else document.get("notation")
        for key, node in section.entries if isinstance(section, Document) else ():
            tags = node.get("tags") if isinstance(node, Document) else None
            if isinstance(tags, Document):
                yield (
                    name,
                    key.text,
                    {
                        tag.text: tuple(map(str.strip, said.text.split(",")))
                        for tag, said in tags.entries
                        if isinstance(said, Scalar)
                    },
                )
