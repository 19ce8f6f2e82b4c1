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


def _without_statement(game: GameText, number: int, *also: str) -> Seeded:
    """Return the text without a line, and without the heads of blocks that have no other."""
    gone = {number}
    while (head := _lonely_head(game, gone)) is not None:
        gone.add(head)
    kept = [line for n, line in enumerate(game.lines) if n not in gone]
    shorter = GameText("\n".join(kept), game.sides)
    return Seeded(shorter.text, shorter.section_lines(*also))


def _lonely_head(game: GameText, gone: set[int]) -> int | None:
    """Return the line above those that are gone, if they were all that its block had."""
    margins = {n: len(line) - len(line.lstrip()) for n, line in enumerate(game.lines)}
    first, last = min(gone) - 1, max(gone) + 1
    is_head = re.match(r"^\s+(if|for each|repeat while)\b", game.code(first)) is not None
    if not is_head or margins[first] >= margins[first + 1]:
        return None
    following = game.code(last) if last < len(game.lines) else ""
    goes_on = margins.get(last, 0) > margins[first] or following.strip().startswith("else")
    return None if following and goes_on else first


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
            yield _without_statement(game, number, *_PROGRAMS, "state", "end")
            return


# -------------------------------------------------------------------------- statements


@_kind("`again` is forgotten")
def no_again(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        if re.match(r"^(\s+)again$", game.code(number)):
            yield _without_statement(game, number, *_PROGRAMS, "players")
            return


@_kind("what is captured stays")
def no_capture(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        if re.match(r"^(\s+)(remove|flip) [^;]+$", game.code(number)):
            yield _without_statement(game, number, *_PROGRAMS, "end", "define")
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


# ------------------------------------------------------------- slips of a new author


@_kind("a rule names a side where whoever moves was meant")
def named_for_mover(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(own|mover)\b", game.sides[0], *_PROGRAMS, also=(*_PROGRAMS, "players"), most=1
    )


@_kind("a definition names a side where its own was meant")
def named_in_definition(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(own|mover)\b", game.sides[-1], "define", also=("define", *_PROGRAMS), most=1
    )


@_kind("a direction is left out on one side only")
def one_direction_less(game: GameText) -> Iterator[Seeded]:
    pattern = rf"^(\s+\w+\((?:{'|'.join(game.sides)})\): *\w+) \| \w+$"
    yield from game.changed(pattern, r"\1", "define", "relations", also=_RULES, most=1)


@_kind("two arguments are exchanged")
def arguments_exchanged(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(\w+)\((\w+), (\w+)\)", r"\1(\3, \2)", *_RULES, "end", also=_PROGRAMS, most=1
    )


@_kind("a row is one shorter than the text says")
def row_one_shorter(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(in_a_row\(\w+), (\d+)\)", lambda m: f"{m[1]}, {int(m[2]) - 1})", "end", "define"
    )


@_kind("the pieces of one side stand a row too far ahead")
def set_up_too_far(game: GameText) -> Iterator[Seeded]:
    if len(game.sides) == 2:
        yield from game.changed(
            rf"^(\s+{game.sides[1]}\b[^:]*: .*\brows\()(\d+)(\b.*)$",
            lambda m: f"{m[1]}{int(m[2]) - 1}{m[3]}",
            "setup",
            also=("setup",),
            most=1,
        )


@_kind("a piece stands on a neighbouring site at the start")
def set_up_beside(game: GameText) -> Iterator[Seeded]:
    if len(game.sides) == 2:
        yield from game.changed(
            rf"^(\s+{game.sides[1]}\b[^:]*: .*\b[a-z])(\d)\b",
            lambda m: f"{m[1]}{max(1, int(m[2]) - 1)}",
            "setup",
            also=("setup",),
            most=1,
        )


@_kind("one side has one piece in hand too few")
def hand_too_small(game: GameText) -> Iterator[Seeded]:
    def uneven(found: re.Match[str]) -> str:
        one, other = game.sides
        return f"hands: {{{one} {found[1]}: {found[2]}, {other} {found[1]}: {int(found[2]) - 1}}}"

    if len(game.sides) == 2:
        yield from game.changed(r"^hands: \{(\w+): (\d+)\}$", uneven, "hands", most=1)


@_kind("the other side is on turn next, by name")
def named_next(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"^(\s+)(?:again|next \w+)$", rf"\1next {game.sides[0]}", *_PROGRAMS, also=_PROGRAMS, most=1
    )


@_kind("a stuck side wins where it should lose")
def stuck_wins(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bloses\b", "wins", "stuck", also=("stuck",), most=1)


@_kind("`no` is left out of a condition")
def no_left_out(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bnot ", "", *_RULES, "end", also=_PROGRAMS, most=1)


@_kind("a piece goes to sites that are taken")
def onto_occupied(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"(choose \w+ in [^\n]*)\bempty\b", r"\1occupied", *_PROGRAMS, also=_PROGRAMS, most=1
    )


@_kind("a kind of piece that can't move")
def kind_never_moves(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"^(\s+\w+\(\w+, [A-Z]\w+\): *)\S.*$",
        r"\1none",
        "define",
        also=("define", "pieces"),
        most=1,
    )


@_kind("a draw is left out")
def no_draw(game: GameText) -> Iterator[Seeded]:
    for number in game.at("end"):
        if re.match(r"^\s+- draw when [^#]*$", game.code(number)):
            yield _without_statement(game, number, "end", "stuck", "turn", "game")
            return


@_kind("`adjacent` where another relation was meant, or the other way round")
def other_relation(game: GameText) -> Iterator[Seeded]:
    others = {"orthogonal": "diagonal", "compass": "orthogonal", "diagonal": "orthogonal"}
    yield from game.changed(
        r"\b(orthogonal|compass|diagonal)\b",
        lambda m: others[m[1]],
        *_RULES,
        "relations",
        also=(*_PROGRAMS, "end"),
        most=1,
    )
