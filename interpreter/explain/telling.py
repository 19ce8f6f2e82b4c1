"""Explanations as lines of text, as plain data, and as scenes to be drawn.

In: an `Explanation`. Out: text for a person, data for JSON, a `Scene`. What then holds: all three
have the same reasons, places and sites.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gdl.board.relation import bits
from gdl.core.types import FLAG, NUMBER, SITES
from gdl.diagnostic import Span
from gdl.interpreter.english import listed
from gdl.interpreter.explain.explanation import Explanation, Ruling
from gdl.interpreter.explain.reasons import Reason
from gdl.interpreter.explain.witness import Witness
from gdl.interpreter.render.scene import Scene
from gdl.load import games_folder
from gdl.model import Game

_INDENT = "  "
_BRIEFLY, _IN_FULL = 2, 20  # how deep parts are told of what holds as it should, and of the rest


def explanation_text(told: Explanation, *, for_players: bool = False) -> str:
    """Return an explanation as lines for a person.

    Who plays is not told how the file says what is told in words.
    """
    return "\n".join(_lines(told, for_players))


def _lines(told: Explanation, for_players: bool) -> Iterator[str]:
    yield f"{told.sentence} {told.hint}".strip()
    deepest = _BRIEFLY if told.about == "legal" else _IN_FULL
    is_of_ends = told.about in ("over", "open")
    for ruling in told.rulings:
        if for_players and ruling.words:
            yield f"{_INDENT}{ruling.words}"
        elif for_players and is_of_ends and ruling.caption:
            clause = ruling.sentence.removesuffix(" by this clause")
            yield f"{_INDENT}{_heading(replace(ruling, sentence=clause))}"
            lost = [name for one in _with_parts(ruling.reasons) for name in _lost(told, one)]
            if lost:
                yield f"{_INDENT}The last move has brought it about on {listed(lost, 'and')}."
        else:
            yield from _ruling_lines(ruling, deepest)
    if told.nearest:
        yield f"Legal moves like it: {', '.join(told.nearest)}"


def _with_parts(reasons: Iterable[Reason]) -> Iterator[Reason]:
    for reason in reasons:
        yield reason
        yield from _with_parts(reason.parts)


def _lost(told: Explanation, reason: Reason) -> list[str]:
    """Return the sites of a set that is empty by the last move."""
    is_lost = reason.type == SITES and not reason.value
    return _names(told.position.rules.game, reason.sites) if is_lost else []


def _heading(ruling: Ruling) -> str:
    """Return what a ruling says, and the author's text for it."""
    return ": ".join(
        filter(None, (ruling.sentence[:1].upper() + ruling.sentence[1:], ruling.caption))
    )


def _ruling_lines(ruling: Ruling, deepest: int) -> Iterator[str]:
    head = _heading(ruling)
    if ruling.words:
        yield f"{_INDENT}{ruling.words}"
    if head:
        yield f"{_INDENT}{head}"
    if ruling.span is not None:
        yield f"{_INDENT}--> {_place(ruling.span)}  {ruling.text}"
    for change in ruling.changes:
        yield f"{_INDENT * 2}{change}"
    for reason in ruling.reasons:
        yield from _reason_lines(reason, 2, deepest + 2)


def _place(span: Span) -> str:
    """Return where a span stands; of a shipped game, only the file's name: nobody looks for it."""
    path = Path(span.source.name)
    return str(span) if path.parent != games_folder() else f"{path.name}:{span.line}:{span.column}"


def _reason_lines(reason: Reason, depth: int, deepest: int) -> Iterator[str]:
    caption = f" ({reason.caption})" if reason.caption else ""
    shown = reason.shown
    if reason.type == FLAG:
        shown = "holds" if reason.value else "does not hold"
    separator = " is " if reason.type == SITES else ": "
    yield f"{_INDENT * depth}{reason.text}{caption}{separator}{shown}"
    for part in reason.parts if depth < deepest else ():
        yield from _reason_lines(part, depth + 1, deepest)


# -------------------------------------------------------------------------- plain data


def explanation_json(told: Explanation) -> dict[str, Any]:
    """Return an explanation as plain data."""
    game = told.position.rules.game
    return {
        "about": told.about,
        "sentence": told.sentence,
        "hint": told.hint,
        "rulings": [_ruling_json(game, ruling) for ruling in told.rulings],
        "nearest": list(told.nearest),
        **_witness_json(game, told.witness),
    }


def _ruling_json(game: Game, ruling: Ruling) -> dict[str, Any]:
    return {
        "sentence": ruling.sentence,
        "caption": ruling.caption,
        "words": ruling.words,
        "text": ruling.text,
        **_place_json(ruling.span),
        "changes": list(ruling.changes),
        "reasons": [_reason_json(game, reason) for reason in ruling.reasons],
        **_witness_json(game, ruling.witness),
    }


def _reason_json(game: Game, reason: Reason) -> dict[str, Any]:
    return {
        "text": reason.text,
        "caption": reason.caption,
        **_place_json(reason.span),
        "value": _value_json(game, reason),
        "shown": reason.shown,
        "parts": [_reason_json(game, part) for part in reason.parts],
        **_witness_json(game, Witness(reason.sites, reason.lines)),
    }


def _value_json(game: Game, reason: Reason) -> Any:
    if reason.type == SITES:
        return _names(game, reason.value)
    return reason.value if reason.type in (FLAG, NUMBER) else reason.shown


def _place_json(span: Span | None) -> dict[str, Any]:
    return {} if span is None else span.to_json()


def _witness_json(game: Game, witness: Witness) -> dict[str, Any]:
    sites = game.board.sites
    lines = [[sites[start].name, sites[end].name] for start, end in witness.lines]
    return {"sites": _names(game, witness.sites), "lines": lines}


def _names(game: Game, sites: int) -> list[str]:
    return [game.board.sites[index].name for index in bits(sites)]


# ----------------------------------------------------------------------------- pictures


def explanation_scene(told: Explanation) -> Scene:
    """Return the position to be drawn, with the sites marked that the explanation is about."""
    scene, witness = told.position.scene(), told.witness
    if not witness.sites:
        return scene
    about = frozenset(bits(witness.sites))
    return replace(scene, last=about, changed=frozenset(), way=(), lines=witness.lines)
