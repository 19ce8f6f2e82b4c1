"""Kinds of mistakes that were made up after the checks: most leave a game that can be played.

In: a game's text. Out: `Seeded` texts, as from `kinds.py`. What then holds: nothing general tells
all of them; `docs/mistakes.md` says how many are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tests.mistakes.kinds import Seeder
from tests.mistakes.seeding import GameText, Seeded

UNFORESEEN: dict[str, Seeder] = {}

_PROGRAMS = ("turn", "actions", "phases")
_RULES = (*_PROGRAMS, "define")


def _kind(name: str) -> Callable[[Seeder], Seeder]:
    """Register a kind of mistake by its name in words."""

    def register(seeder: Seeder) -> Seeder:
        UNFORESEEN[name] = seeder
        return seeder

    return register


def _also(game: GameText, *sections: str) -> frozenset[int]:
    return game.section_lines(*sections)


# ------------------------------------------------------------------ sides and pieces


@_kind("`own` where `enemy` was meant")
def own_for_enemy(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\benemy\b", "own", *_RULES, also=_PROGRAMS, most=1)


@_kind("`enemy` where `own` was meant")
def enemy_for_own(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"(choose \w+ in) own\b", r"\1 enemy", *_PROGRAMS, also=(*_PROGRAMS, "stuck"), most=1
    )


@_kind("own pieces may be captured")
def own_captured(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"^(\s+)(remove|flip) (.*)\benemy\b", r"\1\2 \3own", *_RULES, most=1)


@_kind("the end of a side is told by the pieces of the other")
def end_of_other(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"^(.*wins when .*)\bown\b", r"\1enemy", "end", most=1)


@_kind("winner and loser are exchanged")
def wins_for_loses(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\b(mover|any|\w+) wins when", r"\1 loses when", "end", most=1)


@_kind("`highest` and `lowest` are exchanged")
def lowest_wins(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bhighest\b", "lowest", "end", most=1)


# ------------------------------------------------------------ directions and regions


@_kind("the directions, or homes, of the sides are exchanged")
def exchanged_heads(game: GameText) -> Iterator[Seeded]:
    heads: dict[str, tuple[int, str, str]] = {}
    for number in game.at("define", "regions", "relations"):
        match = re.match(rf"^(\s+)(\w+)\(({'|'.join(game.sides)})\): *(.+)$", game.code(number))
        if match is None:
            continue
        if match[2] in heads and heads[match[2]][1] != match[4]:
            first, body, first_side = heads[match[2]]
            lines = list(game.lines)
            lines[first] = f"{match[1]}{match[2]}({first_side}): {match[4]}"
            lines[number] = f"{match[1]}{match[2]}({match[3]}): {body}"
            also = _also(game, *_PROGRAMS, "end", "stuck", "game")
            yield Seeded("\n".join(lines) + "\n", also | {first + 1, number + 1})
            return
        heads[match[2]] = number, match[4], match[3]


@_kind("the direction of one side leads aside")
def one_aside(game: GameText) -> Iterator[Seeded]:
    pattern = rf"^(\s+\w+\((?:{'|'.join(game.sides)})\): *)(north|south)\b"
    yield from game.changed(pattern, r"\1east", "define", "relations", also=_RULES, most=1)


@_kind("another region than was meant, in an end")
def wrong_region(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\btop\b", "corners", "end", also=("end",), most=1)


@_kind("a piece is promoted at home")
def promoted_at_home(game: GameText) -> Iterator[Seeded]:
    for sections in (("regions",), ("define",)):
        yield from game.changed(
            rf"^(\s+\w*(?:last|far|goal|home)\w*\((?:{'|'.join(game.sides)})\): *)(top|bottom)\b",
            lambda m: m[1] + {"top": "bottom", "bottom": "top"}[m[2]],
            *sections,
            also=(*_RULES, "regions"),
            most=1,
        )


# --------------------------------------------------------------- numbers, conditions


@_kind("`and` where `or` was meant, or the other way round, in an end")
def and_for_or(game: GameText) -> Iterator[Seeded]:
    exchanged = {"and": "or", "or": "and"}
    yield from game.changed(r"\b(and|or)\b", lambda m: exchanged[m[1]], "end", most=1)


@_kind("a condition of a turn is the wrong way round")
def negated(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(require|if) (?!not\b)([^;]+)$",
        r"\1 not (\2)",
        *_PROGRAMS,
        also=(*_PROGRAMS, "stuck"),
        most=1,
    )


@_kind("a limit of turns is too short")
def limit_too_short(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\b(turns|quiet) (>=|>|=) (\d{2,})", r"\1 \2 3", "end", most=1)


@_kind("a counter is never set back")
def never_reset(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        code = game.code(number)
        match = re.match(r"^(\s+)set (\w+) = 0$", code)
        if match and any(f"add 1 to {match[2]}" in line for line in game.lines):
            yield game.with_line(
                number, f"{match[1]}let unused_word = 0", also=_also(game, "state", "end")
            )
            return


# -------------------------------------------------------------------------- statements


def _without_line(game: GameText, number: int, also: frozenset[int]) -> Seeded:
    shorter = GameText("\n".join([*game.lines[:number], *game.lines[number + 1 :]]), game.sides)
    kept = frozenset(n for n in also if n <= len(shorter.lines))
    return Seeded(shorter.text, kept | shorter.section_lines(*_PROGRAMS))


@_kind("`again` is forgotten")
def no_again(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        if match := re.match(r"^(\s+)again$", game.code(number)):
            yield game.with_line(number, f"{match[1]}let unused_word = 1")
            return


@_kind("what is captured stays")
def no_capture(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        if match := re.match(r"^(\s+)(remove|flip) [^;]+$", game.code(number)):
            also = _also(game, *_PROGRAMS, "end", "define")
            yield game.with_line(number, f"{match[1]}let unused_word = 1", also=also)
            return


@_kind("a move from where the piece goes to where it stands")
def moved_backwards(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\bmove (\w+) to (\w+)$", r"move \2 to \1", *_PROGRAMS, also=_PROGRAMS, most=1
    )


@_kind("a move that leaves the piece where it stands")
def moved_nowhere(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\bmove (\w+) to (\w+)$", r"move \1 to \1", *_PROGRAMS, also=_PROGRAMS, most=1
    )


@_kind("a hand that is not filled")
def hand_not_filled(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"^(\s+)move ([^;]+) to hand\b.*$",
        r"\1remove \2",
        *_PROGRAMS,
        also=("hands", *_PROGRAMS),
        most=1,
    )


@_kind("a piece is placed, though it should come out of the hand")
def not_from_hand(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(place [\w ]+?) from hand\b", r"\1", *_PROGRAMS, also=("hands", *_PROGRAMS), most=1
    )


# --------------------------------------------------------------- set-up, teams, sight


@_kind("a site is missing in the set-up of one side")
def uneven_setup(game: GameText) -> Iterator[Seeded]:
    also = ("setup",)
    if len(game.sides) != 2:
        return
    yield from game.changed(
        rf"^(\s+{game.sides[1]}\b[^:]*: .*) \| [a-z]\d+\s*$", r"\1", *also, also=also, most=1
    )
    yield from game.changed(
        rf"^(\s+{game.sides[1]}\b[^:]*: )(rows\(\d+(?:, ?\d+)*\)|top|bottom)$",
        r"\1\2 - a1 - b2 - a7 - b8",
        *also,
        also=also,
        most=1,
    )
    yield from game.changed(r"^(\s+)([A-Z])([ .]+)$", r"\1.\3", *also, also=also, most=1)


@_kind("a side is in no team")
def no_team(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"(teams: .*) and \w+\b", r"\1", "teams", "variants", most=1)


@_kind("a payoff with the wrong sign")
def wrong_payoff(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bwins by (?=[\w(])", "wins by 0 - ", "end", most=1)
