"""Kinds of mistakes that were made up last, after those of `unforeseen.py` had been looked at.

In: a game's text. Out: `Seeded` texts, as from `kinds.py`. What then holds: one file a game at most
of each kind; `docs/mistakes.md` says how many are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tests.mistakes.kinds import Seeder
from tests.mistakes.seeding import GameText, Seeded

LATER: dict[str, Seeder] = {}

_PROGRAMS = ("turn", "actions", "phases")
_RULES = (*_PROGRAMS, "define")


def _kind(name: str) -> Callable[[Seeder], Seeder]:
    """Register a kind of mistake by its name in words."""

    def register(seeder: Seeder) -> Seeder:
        LATER[name] = seeder
        return seeder

    return register


def _margin(line: str) -> int:
    return len(line) - len(line.lstrip())


def _with_lines(game: GameText, first: int, last: int, new: list[str]) -> Seeded:
    """Return the text with new lines in the place of some, at all of which it may be told."""
    lines = [*game.lines[:first], *new, *game.lines[last + 1 :]]
    return Seeded("\n".join(lines) + "\n", frozenset(range(first + 1, first + 1 + len(new))))


@_kind("a piece slides over others")
def slides_over(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b((?:slides|ray)\(.*), empty\)", r"\1, all)", *_RULES, also=("turn",), most=1
    )


@_kind("any piece may be moved")
def any_piece(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"(choose \w+ in) own\b", r"\1 occupied", *_PROGRAMS, also=_PROGRAMS, most=1
    )


@_kind("a draw is asked for before a win")
def draw_before_win(game: GameText) -> Iterator[Seeded]:
    for number in game.at("end"):
        if number + 1 < len(game.lines):
            one, two = game.code(number), game.code(number + 1)
            if re.match(r"^\s+- mover wins when", one) and re.match(r"^\s+- draw when", two):
                yield _with_lines(game, number, number + 1, [two, one])
                return


@_kind("two clauses of `end` change places")
def clauses_exchanged(game: GameText) -> Iterator[Seeded]:
    for number in game.at("end"):
        if number + 1 < len(game.lines):
            one, two = game.code(number), game.code(number + 1)
            if all(re.match(r"^  - (?!clause)\S", line) for line in (one, two)):
                yield _with_lines(game, number, number + 1, [two, one])
                return


@_kind("a side may always pass")
def free_pass(game: GameText) -> Iterator[Seeded]:
    inside = [n for n in game.at("turn") if game.lines[n].startswith("  ")]
    if inside and re.match(r"^turn: \|", game.lines[inside[0] - 1]):
        body = [f"  {game.lines[n]}" if game.lines[n].strip() else "" for n in inside]
        new = ["  either", *body, "  or", "    pass"]
        yield _with_lines(game, inside[0], inside[-1], new)


@_kind("an `if` is forgotten, so that its statement always happens")
def always_done(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        if number + 2 >= len(game.lines):
            return
        head, body, after = (game.code(n) for n in (number, number + 1, number + 2))
        alone = _margin(after) <= _margin(head) and not after.strip().startswith("else")
        is_one = re.match(r"^\s+if ", head) and _margin(body) > _margin(head) and alone
        if is_one and re.match(r"^\s+(?:set|add|change|remove|flip) ", body):
            yield _with_lines(game, number, number + 1, [" " * _margin(head) + body.strip()])
            return


@_kind("where the piece stood is asked for, where it has gone was meant")
def asks_where_it_stood(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        moved = re.match(r"^\s+move (\w+) to (\w+)$", game.code(number))
        if moved is None or number + 1 >= len(game.lines):
            continue
        code = game.code(number + 1)
        if re.search(rf"\b{moved[2]}\b", code) and _margin(code) == _margin(game.lines[number]):
            yield game.with_line(number + 1, re.sub(rf"\b{moved[2]}\b", moved[1], code))
            return


@_kind("a number in a table comes twice")
def number_twice(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"^(\s+\w+: \{\w+: 1, \w+: 2, \w+: )3, ", r"\g<1>4, ", "define", also=("define",), most=1
    )


@_kind("a limit in a clause with a caption is one too small")
def limit_too_small(game: GameText) -> Iterator[Seeded]:
    for number in game.at("end"):
        code = game.code(number)
        if re.match(r"^\s+- clause: .*< \d+$", code):
            smaller = re.sub(r"\d+$", lambda m: str(int(m[0]) - 1), code)
            yield game.with_line(number, smaller, also=frozenset({number + 2}))
            return


@_kind("`some` where `every` was meant, or the other way round")
def some_for_every(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\bevery (\w+ in .+?) has\b", r"some \1 where", *_RULES, "end", also=("end",), most=1
    )


@_kind("the highest of what the enemy has wins")
def highest_of_enemy(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(highest [^\n]*?)\bown\b", r"\1enemy", "end", "stuck", also=("end",), most=1
    )


@_kind("`unordered with` is left out")
def ordered(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r" unordered with \w+", "", *_PROGRAMS, also=_PROGRAMS, most=1)


def _is_asked_by(one: str, other: str) -> bool:
    """Return whether a statement names what another one gives a value to, or moves away."""
    changed = re.match(r"^\s+(?:set|let|move) (\w+)|^\s+add .* to (\w+)", one)
    return changed is not None and bool(re.search(rf"\b{changed[1] or changed[2]}\b", other))


@_kind("two statements change places")
def statements_exchanged(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        if number + 1 >= len(game.lines):
            return
        one, two = game.code(number), game.code(number + 1)
        plain = r"^\s+(?:move|set|let|add|place|remove|flip) "
        both = _margin(one) == _margin(two) and re.match(plain, one) and re.match(plain, two)
        if both and (_is_asked_by(one, two) or _is_asked_by(two, one)):
            yield _with_lines(game, number, number + 1, [two, one])
            return


@_kind("a relation leads too far")
def too_far(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(\w+)\^(\d)\b",
        lambda m: f"{m[1]}^{int(m[2]) + 1}",
        *_RULES,
        "relations",
        also=(*_PROGRAMS, "end"),
        most=1,
    )


@_kind("a piece is promoted to what it is")
def promoted_to_itself(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        asked = re.match(r"^\s+if (\w+) in (\w+) & ", game.code(number - 1)) if number else None
        if asked is not None:
            mended = re.sub(
                rf"^(\s+change {asked[1]} to )\w+$", rf"\g<1>{asked[2]}", game.code(number)
            )
            if mended != game.code(number):
                yield game.with_line(number, mended)
                return


@_kind("the hand of the enemy is asked for")
def hand_of_enemy(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"(?<!to )\bhand\(mover", "hand(enemy", *_RULES, most=1)


@_kind("what one takes counts for the enemy")
def counts_for_enemy(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"(\badd .* to (?!hand)\w+)\(mover\)", r"\1(enemy)", *_PROGRAMS, also=("end",), most=1
    )
