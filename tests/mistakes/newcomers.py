"""Kinds of mistakes that authors of new games made, and some that are like them.

In: a game's text. Out: `Seeded` texts, as from `kinds.py`. What then holds: one file a game at most
of each kind; `docs/mistakes.md` says how many are told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tests.mistakes.kinds import Seeder
from tests.mistakes.seeding import GameText, Seeded

NEWCOMERS: dict[str, Seeder] = {}
SHOWN_BY_PLAY: set[str] = set()
"""The kinds that the rules as they are written don't show."""

_PROGRAMS = ("turn", "actions", "phases")
_RULES = (*_PROGRAMS, "define")


def _kind(name: str, *, is_played: bool = False) -> Callable[[Seeder], Seeder]:
    """Register a kind of mistake by its name in words."""

    def register(seeder: Seeder) -> Seeder:
        NEWCOMERS[name] = seeder
        SHOWN_BY_PLAY.update([name] if is_played else [])
        return seeder

    return register


def _about(game: GameText) -> str:
    """Return the text that tells of the game."""
    return " ".join(" ".join(game.code(number).split()) for number in game.at("about", "rules"))


def _exchanged(game: GameText, text: str) -> str:
    """Return a text with the names of two sides exchanged."""
    one, other = game.sides
    names = {one: other, other: one}
    return re.sub(rf"\b(?:{one}|{other})\b", lambda found: names[found[0]], text)


# ------------------------------------------------------------------------------- ends and texts


@_kind("the text says that who can't move loses, and that side wins")
def stuck_against_text(game: GameText) -> Iterator[Seeded]:
    if re.search(r"can't move,? loses", _about(game)):
        yield from game.changed(r"\bloses\b", "wins", "stuck", most=1)


@_kind("the text says that who can't move loses, and that is a draw")
def stuck_draws_against_text(game: GameText) -> Iterator[Seeded]:
    if re.search(r"can't move,? loses", _about(game)):
        yield from game.changed(r"\bloses\b", "draw", "stuck", most=1)


@_kind("the text says that who can't move wins")
def text_against_stuck(game: GameText) -> Iterator[Seeded]:
    if any("loses" in game.code(number) for number in game.at("stuck")):
        yield from game.changed(
            r"\bcan't move,? loses\b", "can't move wins", "about", also=("stuck",), most=1
        )


@_kind("a loss stands above a win that the same move may bring")
def loss_above_win(game: GameText) -> Iterator[Seeded]:
    for number in game.at("end"):
        if match := re.match(r"^(\s*- )mover wins when", game.code(number)):
            yield game.with_line(
                number, f"{match[1]}mover loses when turns = 40", game.lines[number]
            )
            return


def _turned(game: GameText, rank: str, payoff: str) -> Iterator[Seeded]:
    """Yield a ranking with a payoff, made of `{own}` and `{enemy}`: what each side has."""
    for number in game.at("end"):
        found = re.match(
            r"^(\s*- )highest (\S.*?) wins(?: by .*?)?((?: when .*)?)$", game.code(number)
        )
        if found and "own" in found[2] and len(game.sides) == 2:
            by = payoff.format(own=found[2], enemy=re.sub(r"\bown\b", "enemy", found[2]))
            yield game.with_line(number, f"{found[1]}{rank} {found[2]} wins by {by}{found[3]}")
            return


@_kind("the lowest wins, and is paid by how much more it has")
def lowest_is_paid(game: GameText) -> Iterator[Seeded]:
    yield from _turned(game, "lowest", "({own}) - ({enemy})")


@_kind("the highest wins, and is paid by how much more the other has")
def payoff_turned(game: GameText) -> Iterator[Seeded]:
    yield from _turned(game, "highest", "({enemy}) - ({own})")


def _own_goals(game: GameText) -> list[int]:
    pattern = rf"^\s*- (?:{'|'.join(game.sides)}) wins when"
    return [number for number in game.at("end") if re.match(pattern, game.code(number))]


def _for_each_side(game: GameText, pattern: str, other: str) -> Iterator[Seeded]:
    """Yield a goal of whoever moves as two goals, one of which differs."""
    for number in game.at("end") if len(game.sides) == 2 else ():
        found = re.match(r"^(\s*- )mover( wins when .*)$", game.code(number))
        if found is None or not re.search(pattern, found[2]):
            continue
        goals = [found[2], re.sub(pattern, other, found[2], count=1)]
        lines = [f"{found[1]}{side}{goal}" for side, goal in zip(game.sides, goals, strict=True)]
        yield game.with_line(number, *lines)
        return


@_kind("the goal of one side goes along other lines")
def goal_by_relation(game: GameText) -> Iterator[Seeded]:
    yield from _for_each_side(game, r"\b(?:orthogonal|adjacent)\b", "diagonal")
    goals = _own_goals(game)
    if len(goals) == len(game.sides) == 2 and "square" in "".join(game.lines):
        changed = re.sub(r"\badjacent\b", "compass", game.code(goals[1]))
        if changed != game.code(goals[1]):
            yield game.with_line(goals[1], changed, also=frozenset({goals[0] + 1}))


@_kind("the row of one side is shorter")
def row_of_one_shorter(game: GameText) -> Iterator[Seeded]:
    yield from _for_each_side(game, r"\bin_a_row\(own, \w+\)", "in_a_row(own, 2)")


@_kind("the goals are exchanged against the text")
def goals_exchanged(game: GameText) -> Iterator[Seeded]:
    goals = _own_goals(game)
    edges = r"\b(?:top|bottom|left|right|north|south|west|east)\b"
    named = [re.search(rf"\b{side}\b[^.;,]*{edges}", _about(game)) for side in game.sides]
    if len(goals) == len(game.sides) == 2 and all(named):
        lines = list(game.lines)
        for number in goals:
            lines[number] = re.sub(
                r"^(\s*- )(\w+)", lambda m: m[1] + _exchanged(game, m[2]), lines[number]
            )
            lines[number] = re.sub(
                r"\b(Black|White|Red|Blue)\)", lambda m: _exchanged(game, m[1]) + ")", lines[number]
            )
        yield Seeded("\n".join(lines) + "\n", frozenset(number + 1 for number in goals))


# --------------------------------------------------------------------------- arguments, directions


@_kind("a definition is given its parameters in another order")
def parameters_exchanged(game: GameText) -> Iterator[Seeded]:
    for number in game.at("define", "actions"):
        head = re.match(r"^\s+(\w+)\((\w+), (\w+)\):", game.code(number))
        if head is None or head[2][0].isupper() or head[3][0].isupper():
            continue
        call = rf"\b{head[1]}\({head[2]}, {head[3]}\)(?!:)"
        found = list(game.changed(call, f"{head[1]}({head[3]}, {head[2]})", *_RULES, "end", most=1))
        if found:
            yield found[0]
            return


@_kind("a row does not count along one line")
def line_left_out(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(some d in \(north, northeast, east), southeast\)", r"\1)", *_RULES, "end", most=1
    )


@_kind("a row does not count along another line")
def other_line_left_out(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(some d in \()north, (northeast, east, southeast\))", r"\1\2", *_RULES, "end", most=1
    )


@_kind("width and height are exchanged")
def size_exchanged(game: GameText) -> Iterator[Seeded]:
    def turned(found: re.Match[str]) -> str:
        return f"{found[1]}({found[3]}, {found[2]})" if found[2] != found[3] else found[0]

    also = ("setup", "regions", "define", "end", "display", "about")
    yield from game.changed(r"\b(square)\((\w+), (\w+)\)", turned, "board", also=also, most=1)


def _saying(game: GameText, sentence: str, *sections: str) -> Iterator[Seeded]:
    """Yield a text that says something more, which contradicts some sections."""
    for number in game.at("about"):
        if head := re.match(r"^(about:) ([^\s>|\"'][^#]*)$", game.code(number)):
            last = number + 1
            while last < len(game.lines) and game.lines[last].startswith(" "):
                last += 1
            lines = [*game.lines]
            lines[number] = f"{head[1]} {sentence} {head[2]}"
            where = game.section_lines("about", *sections)
            yield Seeded("\n".join(lines) + "\n", where)
        elif re.match(r"^about: [>|]-?$", game.code(number)):
            lines = [*game.lines[: number + 1], f"  {sentence}", *game.lines[number + 1 :]]
            longer = GameText("\n".join(lines), game.sides)
            yield Seeded(longer.text, longer.section_lines("about", *sections))
        return


@_kind("the text speaks of a board of another size")
def size_against_text(game: GameText) -> Iterator[Seeded]:
    for number in game.at("board"):
        if found := re.match(r"^board: square\((\d+), (\d+)\)", game.code(number)):
            wide, high = int(found[1]), int(found[2]) + 1
            yield from _saying(game, f"The board has {wide} by {high} squares.", "board")
            return


@_kind("the text gives each side more pieces than it has")
def pieces_against_text(game: GameText) -> Iterator[Seeded]:
    if list(game.at("setup")) and not list(game.at("piles")):
        yield from _saying(game, "Each side has 99 pieces.", "setup", "hands", "pieces")


# -------------------------------------------------------------------------------- who is on turn


@_kind("sides may be exchanged at every turn")
def swap_each_turn(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bturns = 1\b", "turns >= 1", "swap", most=1)


@_kind("sides may be exchanged a turn too late")
def swap_too_late(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bturns = 1\b", "turns = 2", "swap", most=1)


@_kind("sides may be exchanged before anything was played")
def swap_too_early(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bturns = 1\b", "turns = 0", "swap", most=1)


@_kind("the first side moves twice")
def first_twice(game: GameText) -> Iterator[Seeded]:
    for number in game.at("turn") if len(game.sides) == 2 else ():
        if match := re.match(r"^(\s+)(place|move) [^;]*$", game.code(number)):
            if "again" not in "\n".join(game.lines) and "next " not in "\n".join(game.lines):
                new = game.lines[number], f"{match[1]}if turns = 0", f"{match[1]}  again"
                yield game.with_line(number, *new)
            return


# ------------------------------------------------------------------------------------ the set-up


@_kind("the set-up is upside down", is_played=True)
def setup_upside_down(game: GameText) -> Iterator[Seeded]:
    rows = [
        n
        for n in game.at("setup")
        if re.match(r"^\s+(?:\S ?)+$", game.code(n)) and ":" not in game.code(n)
    ]
    letters = {c for n in rows for c in game.code(n) if c.isalpha()}
    if len(rows) > 3 and any(c.islower() for c in letters) and any(c.isupper() for c in letters):
        lines = list(game.lines)
        for number in rows:
            lines[number] = lines[number].swapcase()
        yield Seeded("\n".join(lines) + "\n", game.section_lines("setup", *_PROGRAMS, "define"))


@_kind("the pieces of both sides stand in each other's places", is_played=True)
def setup_exchanged(game: GameText) -> Iterator[Seeded]:
    heads = [
        n
        for n in game.at("setup")
        if re.match(rf"^\s+(?:{'|'.join(game.sides)})\b[^:]*:", game.code(n))
    ]
    named = rf"\b(?:{'|'.join(game.sides)})\b"
    ways = r"\b(?:north|south|top|bottom)\b"
    codes = [game.code(number) for number in game.at("define", "relations", "regions", "end")]
    leads = any(re.search(named, code) and re.search(ways, code) for code in codes)
    if len(game.sides) == 2 and len(heads) > 1 and leads:
        lines = list(game.lines)
        for number in heads:
            head, colon, rest = lines[number].partition(":")
            lines[number] = _exchanged(game, head) + colon + rest
        yield Seeded("\n".join(lines) + "\n", game.section_lines("setup", *_PROGRAMS, "define"))


@_kind("a definition is named after the enemy, and asks for own pieces")
def named_after_enemy(game: GameText) -> Iterator[Seeded]:
    """A definition of enemies next to a site is added, which asks for own ones."""
    lines = [*game.lines]
    for number in game.at("define") if not list(game.at("phases")) else ():
        if re.match(r"^define:$", game.code(number)):
            lines.insert(number + 1, "  near_enemy(s): some adjacent(s) & own")
            yield Seeded("\n".join(lines) + "\n", frozenset({number + 2}))
            return


# ----------------------------------------------------------------- what is caught, and full boards


def _without(
    game: GameText, pattern: str, *sections: str, also: tuple[str, ...]
) -> Iterator[Seeded]:
    """Yield a text without the only line of some sections that is so."""
    found = [n for n in game.at(*sections) if re.match(pattern, game.code(n))]
    if len(found) == 1:
        lines = [line for n, line in enumerate(game.lines) if n not in found]
        shorter = GameText("\n".join(lines), game.sides)
        yield Seeded(shorter.text, shorter.section_lines(*sections, *also))


@_kind("what is caught is not turned")
def not_turned(game: GameText) -> Iterator[Seeded]:
    yield from _without(game, r"^\s+flip [^;]*$", "turn", also=("about",))


@_kind("what is caught is taken where it should be turned")
def taken_not_turned(game: GameText) -> Iterator[Seeded]:
    if sum("flip " in game.code(number) for number in game.at("turn")) == 1:
        yield from game.changed(r"\bflip\b", "remove", "turn", also=("turn", "about"), most=1)


@_kind("what is captured stays, against the text", is_played=True)
def not_captured(game: GameText) -> Iterator[Seeded]:
    if re.search(r"\bcaptur", _about(game)):
        yield from _without(game, r"^\s+remove [^;]*$", "turn", also=("about", "define"))


@_kind("a capture looks where the piece stood", is_played=True)
def capture_elsewhere(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(remove .*\w+)\((\w+), (\w+)\)", r"\1(\2, \2)", *_PROGRAMS, also=_RULES, most=1
    )


@_kind("a capture looks for sites that are empty", is_played=True)
def capture_of_nothing(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\b(remove .*)\benemy\b", r"\1empty", *_PROGRAMS, also=_RULES, most=1)


@_kind("a full board without a winner has no clause")
def full_board(game: GameText) -> Iterator[Seeded]:
    yield from _without(game, r"^\s*- draw when full$", "end", also=("turn", "stuck", "game"))


@_kind("who is on turn at a full board loses", is_played=True)
def full_board_loses(game: GameText) -> Iterator[Seeded]:
    yield from _at_full_board(game, "loses")


@_kind("who is on turn at a full board passes", is_played=True)
def full_board_passes(game: GameText) -> Iterator[Seeded]:
    yield from _at_full_board(game, "passes")


def _at_full_board(game: GameText, what: str) -> Iterator[Seeded]:
    for seeded in () if list(game.at("stuck")) else full_board(game):
        text = GameText(seeded.text + f"stuck: {what}", game.sides)
        yield Seeded(text.text, text.section_lines("stuck", "turn", "end", "about"))


# --------------------------------------------------------------------------- what play alone shows


@_kind("a piece is placed where another one may stand", is_played=True)
def placed_over(game: GameText) -> Iterator[Seeded]:
    if any(re.match(r"^\s+place [^;]* at \w+", game.code(number)) for number in game.at("turn")):
        yield from game.changed(
            r"(choose \w+ in) (?:empty & (\S+)|(\S+) & empty)(?= |$)",
            lambda found: f"{found[1]} {found[2] or found[3]}",
            *_PROGRAMS,
            also=_PROGRAMS,
            most=1,
        )


@_kind("a piece may be put on one of the enemy's", is_played=True)
def placed_over_enemy(game: GameText) -> Iterator[Seeded]:
    yield from _placed_elsewhere(game, "all - own")


@_kind("a piece may be put anywhere", is_played=True)
def placed_anywhere(game: GameText) -> Iterator[Seeded]:
    yield from _placed_elsewhere(game, "all")


def _placed_elsewhere(game: GameText, where: str) -> Iterator[Seeded]:
    """Yield a choice of other sites than the empty ones for a piece that is placed there."""
    text = "\n".join(game.code(number) for number in game.at("turn"))
    if found := re.search(r"\bplace [^;\n]* at (\w+)", text):
        yield from game.changed(
            rf"(choose {found[1]} in )empty(?= |;|$)", rf"\1{where}", "turn", also=("turn",), most=1
        )


@_kind("own pieces may be taken where a piece goes", is_played=True)
def own_taken(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"(choose \w+ in .*?) - own\b", r"\1", "turn", also=("turn",), most=1)


@_kind("a row of two wins", is_played=True)
def row_of_two(game: GameText) -> Iterator[Seeded]:
    if any("in_a_row(" in game.code(number) for number in game.at("end")):
        yield from game.changed(
            r"\b(wins when.* in_a_row\(\w+), \w+\)", r"\1, 2)", "end", also=("end", "about"), most=1
        )


@_kind("a side without a move comes after the clauses that count", is_played=True)
def stuck_comes_last(game: GameText) -> Iterator[Seeded]:
    for number in game.at("end"):
        if re.match(r"^\s*- stuck$", game.code(number)):
            lines = [line for n, line in enumerate(game.lines) if n != number]
            shorter = GameText("\n".join(lines), game.sides)
            yield Seeded(shorter.text, shorter.section_lines("end", "stuck"))
            return


@_kind("an option that another rule forces already", is_played=True)
def idle_option(game: GameText) -> Iterator[Seeded]:
    for number in game.at("turn") if not list(game.at("options")) else ():
        if match := re.match(r"^(\s+choose (\w+) in empty)$", game.code(number)):
            lines = list(game.lines)
            lines[number] = f"{match[1]} where not strict or {match[2]} in empty"
            lines += ["options:", "  strict: {default: no, about: Whether a site must be empty.}"]
            yield Seeded("\n".join(lines) + "\n", frozenset((number + 1, len(lines))))
            return


@_kind("passes for ever, beside a right to exchange the sides", is_played=True)
def endless_beside_swap(game: GameText) -> Iterator[Seeded]:
    is_filled = any("choose s in empty" in game.code(number) for number in game.at("turn"))
    if is_filled and len(game.sides) == 2 and not list(game.at("swap", "phases")):
        ends = [n for n in game.at("end") if not re.match(r"^\s*- draw when full", game.code(n))]
        if len(ends) < len(list(game.at("end"))) and not list(game.at("stuck")):
            kept = [
                line for n, line in enumerate(game.lines) if n in ends or n not in game.at("end")
            ]
            text = GameText("\n".join([*kept, "stuck: passes", "swap: turns = 1"]), game.sides)
            yield Seeded(text.text, text.section_lines("stuck", "end", "turn"))


# ---------------------------------------------------------------- opposites, against what texts say

_OPPOSITES = {
    **{"own": "enemy", "enemy": "own", "highest": "lowest", "lowest": "highest"},
    **{"max": "min", "min": "max", "top": "bottom", "bottom": "top", "left": "right"},
    **{"right": "left", "orthogonal": "diagonal", "diagonal": "orthogonal"},
}
_AN_OPPOSITE = re.compile(rf"\b(?:{'|'.join(_OPPOSITES)})\b(?!\()")


def _turned_words(line: str) -> str:
    """Return a line with the first word that has an opposite turned into this."""
    return _AN_OPPOSITE.sub(lambda found: _OPPOSITES[found[0]], line, count=1)


@_kind("a rule has the opposite of what the text says", is_played=True)
def opposite_of_text(game: GameText) -> Iterator[Seeded]:
    for number in game.at("turn", "phases", "actions", "end"):
        found = _AN_OPPOSITE.search(game.code(number))
        if (
            found
            and re.search(rf"\b{found[0]}\b", _about(game))
            and "says:" not in game.code(number)
        ):
            yield game.with_line(number, _turned_words(game.lines[number]))
            return


@_kind("what is taken comes back into the hand of the side on turn", is_played=True)
def back_to_the_taker(game: GameText) -> Iterator[Seeded]:
    if re.search(r"\b(?:back|return)", _about(game)):
        yield from game.changed(r"(move .* to hand)$", r"\1(mover)", *_PROGRAMS, most=1)
