"""Kinds of mistakes: each function yields files in which one was made, if the game has a place.

In: a game's text. Out: `Seeded` texts, each with the lines at which telling it helps the author.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from tests.mistakes.seeding import GameText, Seeded

Seeder = Callable[[GameText], Iterator[Seeded]]
KINDS: dict[str, Seeder] = {}

_WINS = re.compile(r"^(\s*(?:- )?)(\w+) wins when (.*)$")
_EXPRESSIONS = ("turn", "actions", "phases", "define", "regions", "relations", "end")
_PROGRAMS = ("turn", "actions", "phases")


def kind(name: str) -> Callable[[Seeder], Seeder]:
    """Register a kind of mistake by its name in words."""

    def register(seeder: Seeder) -> Seeder:
        KINDS[name] = seeder
        return seeder

    return register


# ------------------------------------------------------------------------- ends


@kind("the section `end` is missing")
def no_end(game: GameText) -> Iterator[Seeded]:
    here = list(game.at("end"))
    if here and not list(game.at("stuck")):
        lines = [line for number, line in enumerate(game.lines) if number not in here]
        shorter = GameText("\n".join(lines))
        yield Seeded(shorter.text, shorter.section_lines("turn", "phases", "game"))


def _goals(game: GameText) -> list[tuple[int, re.Match[str]]]:
    found = [(n, m) for n in game.at("end") if (m := _WINS.match(game.code(n)))]
    return [(number, match) for number, match in found if match[2] in game.sides]


@kind("two sides have the same goal")
def same_goal(game: GameText) -> Iterator[Seeded]:
    goals = _goals(game)
    if len(goals) > 1 and goals[0][1][2] != goals[1][1][2]:
        (_, one), (number, other) = goals[:2]
        condition = one[3].replace("own", one[2])
        yield game.with_line(number, f"{other[1]}{other[2]} wins when {condition}")


@kind("both goals are given to one side")
def one_winner(game: GameText) -> Iterator[Seeded]:
    goals = _goals(game)
    if len(goals) > 1 and goals[0][1][2] != goals[1][1][2]:
        (first, one), (number, other) = goals[:2]
        lines = frozenset((first + 1,))
        yield game.with_line(number, f"{other[1]}{one[2]} wins when {other[3]}", also=lines)


@kind("a goal is for one side where it was for the mover")
def named_winner(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\b(mover|any) wins\b", f"{game.sides[0]} wins", "end", most=1)


@kind("a number in an end is out of reach")
def out_of_reach(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"(>=?) \d+\b", r"\1 9999", "end")


@kind("a row is longer than the board")
def row_too_long(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"in_a_row\((\w+), \w+\)", r"in_a_row(\1, 40)", *_EXPRESSIONS)


@kind("a number in an end is reached at once")
def reached_at_once(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"(>=) \d+\b", r"\1 0", "end")


@kind("a draw that can't be")
def impossible_draw(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"draw when (.*?)(\]?)$", r"draw when full and no occupied\2", "end")


@kind("a goal joins two sides that meet")
def adjacent_edges(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\btop, bottom\b", "top, left", "end")
    yield from game.changed(r"\bleft, right\b", "left, top", "end")


@kind("a clause stands twice, with another result")
def clause_twice(game: GameText) -> Iterator[Seeded]:
    for number in game.at("end"):
        match = re.match(r"^(\s*- )\w+ wins when (.*)$", game.code(number))
        if match and "own" not in match[2] and "enemy" not in match[2]:
            yield game.with_line(number, game.lines[number], f"{match[1]}draw when {match[2]}")
            return


@kind("an end that holds from the first")
def over_at_once(game: GameText) -> Iterator[Seeded]:
    for number in game.at("end"):
        if match := re.match(r"^(\s*- )", game.lines[number]):
            yield game.with_line(number, f"{match[1]}draw when turns >= 0", game.lines[number])
            return


@kind("`some` and `no` exchanged in an end")
def some_or_no(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bwhen no (?=enemy|own|\w+$)", "when some ", "end", most=1)


# ------------------------------------------------------------------------ turns


@kind("a stone is placed on an occupied site")
def on_occupied(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"(choose \w+ in) empty\b",
        r"\1 occupied",
        "turn",
        also=("turn", "stuck", "game"),
        most=1,
    )


@kind("the statement that places a piece is missing")
def not_placed(game: GameText) -> Iterator[Seeded]:
    for number in game.at("turn"):
        if re.match(r"^\s+(place|move) [^;]*$", game.code(number)):
            shorter = [*game.lines[:number], *game.lines[number + 1 :]]
            text = GameText("\n".join(shorter))
            yield Seeded(text.text, text.section_lines("turn", "players", "pieces", "end"))
            return


@kind("a piece is removed as soon as it is placed")
def removed_at_once(game: GameText) -> Iterator[Seeded]:
    for number in game.at(*_PROGRAMS):
        match = re.match(r"^(\s+)place [\w ]+ at (\w+)$", game.code(number))
        if match:
            yield game.with_line(number, game.lines[number], f"{match[1]}remove {match[2]}")
            return


@kind("both sides place the pieces of one")
def one_side_places(game: GameText) -> Iterator[Seeded]:
    also = ("players", "pieces", "end")
    first = game.sides[0]
    if len(game.sides) < 2 or any("neutral" in game.code(number) for number in game.at("pieces")):
        return
    yield from game.changed(
        r"\bplace ([A-Z]\w+) at", rf"place {first} \1 at", "turn", also=also, most=1
    )


@kind("what is captured is never there")
def captures_nothing(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(remove|flip) (?!.*\bs\b)(.+?)(?=;|$)", r"\1 (\2) & none", *_PROGRAMS, most=1
    )


@kind("a condition that never holds")
def never_if(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bif (?!.*\bthen\b)[^;]+$", "if no all", *_PROGRAMS, most=1)


@kind("a demand that nothing meets")
def impossible_demand(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\brequire (.+?)(?=;|$)",
        r"require (\1) and turns < 0",
        *_PROGRAMS,
        also=("turn", "stuck"),
        most=1,
    )


@kind("a `go to` is missing")
def no_go_to(game: GameText) -> Iterator[Seeded]:
    for number in game.at("phases", "actions", "turn"):
        code = game.code(number)
        if re.match(r"^\s+go to \w+$", code):
            phases = game.section_lines("phases", "turn", "actions")
            name = code.split()[-1]
            others = [n for n in game.at("phases", "actions") if f"go to {name}" in game.code(n)]
            if len(others) == 1:
                other = code.replace(f"go to {name}", "let unused_word = 1")
                yield game.with_line(number, other, also=phases)
                return


@kind("the same side is always on turn")
def always_again(game: GameText) -> Iterator[Seeded]:
    for number in game.at("turn") if len(game.sides) > 1 else ():
        if match := re.match(r"^(\s+)(place|move) [^;]*$", game.code(number)):
            also = game.section_lines("turn", "players")
            yield game.with_line(number, game.lines[number], f"{match[1]}again", also=also)
            return


@kind("a loop without progress")
def endless_loop(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\brepeat while .+$", "repeat while some all", *_PROGRAMS, most=1)
    yield from game.changed(r"\buntil .+$", "until no all", *_PROGRAMS, most=1)


@kind("alternatives without their labels")
def no_labels(game: GameText) -> Iterator[Seeded]:
    labelled = [n for n in game.at(*_PROGRAMS) if re.match(r"^\s+(either|or) as \w+", game.code(n))]
    if len(labelled) > 1:
        lines = [
            re.sub(r"^(\s+)(either|or) as \w+", r"\1\2", line) if n in labelled else line
            for n, line in enumerate(game.lines)
        ]
        text = GameText("\n".join(lines))
        yield Seeded(text.text, text.section_lines(*_PROGRAMS))


# ------------------------------------------------------------------------ state


@kind("a variable that nothing changes")
def never_written(game: GameText) -> Iterator[Seeded]:
    for number in game.at("state"):
        match = re.match(r"^\s+(\w+)[^:]*: *number", game.code(number))
        if match is None:
            continue
        name = match[1]
        pattern = rf"\b(add [^;]+ to|set) {name}\b[^;]*"
        if not any(re.search(pattern, line) for line in game.lines):
            continue
        lines = [
            re.sub(pattern, f"let unused_{n} = 1", line) if game.sections[n] in _PROGRAMS else line
            for n, line in enumerate(game.lines)
        ]
        yield Seeded("\n".join(lines) + "\n", frozenset((number + 1,)))
        return


@kind("a variable that nothing asks for")
def never_read(game: GameText) -> Iterator[Seeded]:
    program = [n for n in game.at("turn") if re.match(r"^\s+(place|move) [^;]*$", game.code(n))]
    if program and not list(game.at("state")):
        number = program[0]
        indent = re.match(r"^\s*", game.lines[number])
        assert indent is not None
        lines = list(game.lines)
        lines.insert(number + 1, f"{indent[0]}add 1 to counted")
        lines.append("state: {counted: number}")
        yield Seeded("\n".join(lines) + "\n", frozenset((len(lines), number + 2)))


@kind("bounds that a number outgrows")
def bounds_too_small(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"(: (?:number|mark)(?: per site)? in) (\d+)\.\.\d+",
        r"\1 \2..\2",
        "state",
        also=(*_PROGRAMS, "setup"),
        most=1,
    )


# ------------------------------------------------------- set-up, board, pieces


@kind("one side is not set up")
def no_setup(game: GameText) -> Iterator[Seeded]:
    for number in game.at("setup"):
        code = game.code(number)
        if len(game.sides) > 1 and re.match(rf"^\s+{game.sides[1]}\b.*: ", code):
            shorter = [*game.lines[:number], *game.lines[number + 1 :]]
            text = GameText("\n".join(shorter))
            yield Seeded(
                text.text,
                text.section_lines("setup", "players", "pieces", "turn", "stuck", "end"),
            )
            return


@kind("two pieces are set up on one site")
def taken_twice(game: GameText) -> Iterator[Seeded]:
    keys = [
        (n, m)
        for n in game.at("setup")
        if (m := re.match(r"^(\s+[A-Z][\w ]*): *(.+)$", game.code(n)))
    ]
    if len(keys) > 1:
        yield game.with_line(
            keys[1][0], f"{keys[1][1][1]}: {keys[0][1][2]}", also=frozenset((keys[0][0] + 1,))
        )


@kind("both sides have the same direction or home")
def same_for_sides(game: GameText) -> Iterator[Seeded]:
    heads: dict[str, tuple[int, str]] = {}
    for number in game.at("define", "regions", "relations"):
        match = re.match(rf"^(\s+)(\w+)\(({'|'.join(game.sides)})\): *(.+)$", game.code(number))
        if match is None:
            continue
        if match[2] in heads and heads[match[2]][1] != match[4]:
            first, body = heads[match[2]]
            yield game.with_line(
                number, f"{match[1]}{match[2]}({match[3]}): {body}", also=frozenset((first + 1,))
            )
            return
        heads[match[2]] = number, match[4]


@kind("a kind that never enters")
def never_placed(game: GameText) -> Iterator[Seeded]:
    for number in game.at("pieces"):
        code = game.code(number)
        if re.match(r"^pieces: *\w", code):
            yield game.with_line(number, f"{code}, Envoy")


@kind("the board is too small")
def small_board(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(square|rhombus|rectangle)\([^()]*\)",
        r"\1(1, 1)",
        "board",
        also=(
            "end",
            "turn",
            "setup",
            "stuck",
            "phases",
            "define",
            "regions",
            "state",
            "options",
            "relations",
            "actions",
            "players",
        ),
    )


# ------------------------------------------------------------ options, variants


@kind("an option that nothing reads")
def unread_option(game: GameText) -> Iterator[Seeded]:
    text = GameText("\n".join([*game.lines]))
    here = [n for n in text.at("options") if re.match(r"^options:\s*$", text.code(n))]
    if here:
        yield game.with_line(here[0], game.lines[here[0]], "  bonus: 3 in 1..9")
    elif not list(text.at("options")):
        lines = [*game.lines, "options: {bonus: 3 in 1..9}"]
        yield Seeded("\n".join(lines) + "\n", frozenset((len(lines),)))


@kind("an option whose values do nothing")
def option_without_effect(game: GameText) -> Iterator[Seeded]:
    if not list(game.at("options")):
        for number in game.at("end"):
            if match := re.match(r"^(\s*- draw when )(.*)$", game.code(number)):
                lines = list(game.lines)
                lines[number] = f"{match[1]}{match[2]} and (strict or not strict)"
                lines.append("options: {strict: yes}")
                yield Seeded("\n".join(lines) + "\n", frozenset((len(lines), number + 1)))
                return


@kind("an option whose default is not allowed")
def wrong_default(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"(\d+) in (\d+)\.\.(\d+)", r"999\3 in \2..\3", "options", most=1)


@kind("an option that allows what the board can't be")
def option_too_small(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(size: \d+ in) \d+\.\.", r"\1 0..", "options", also=("board",), most=1
    )


@kind("a variant that changes nothing")
def idle_variant(game: GameText) -> Iterator[Seeded]:
    for key in ("end", "stuck"):
        here = list(game.at(key))
        if here and not list(game.at("variants")):
            own = [f"    {game.lines[n]}" for n in here if game.code(n)]
            lines = [*game.lines, "variants:", "  other:", *own]
            first = len(game.lines) + 2
            yield Seeded("\n".join(lines) + "\n", frozenset(range(first, first + len(own) + 1)))
            return


# ------------------------------------------------------------------------ stuck


@kind("`stuck` is missing")
def no_stuck(game: GameText) -> Iterator[Seeded]:
    here = list(game.at("stuck"))
    if here:
        lines = [line for number, line in enumerate(game.lines) if number not in here]
        text = GameText("\n".join(lines))
        yield Seeded(text.text, text.section_lines("turn", "phases", "end", "game"))


@kind("a stuck side passes, and nothing ends the game")
def passes_for_ever(game: GameText) -> Iterator[Seeded]:
    here = list(game.at("stuck"))
    if here and not list(game.at("end")):
        lines = [line for number, line in enumerate(game.lines) if number not in here]
        text = GameText("\n".join([*lines, "stuck: passes"]))
        yield Seeded(text.text, text.section_lines("stuck", "turn", "end", "game", "phases"))


# ----------------------------------------------------------------------- typing


@kind("a word is misspelt")
def misspelt(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\b(emp)(ty)\b", r"\1yt", *_PROGRAMS, most=1)
    yield from game.changed(r"\b(own|enemy)\b", r"\1s", "end", most=1)


@kind("a parenthesis is missing")
def unclosed(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\)(?=[^)]*$)", "", "define", "end", also=(), most=1)


@kind("a set is compared with a number")
def set_and_number(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\bcount (own|enemy|occupied) (=|>=|<|>)", r"\1 \2", *_EXPRESSIONS, most=1
    )


@kind("a site that the board does not have")
def no_such_site(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r": *([a-h])(\d)\b", r": \g<1>99", "setup", "define", "regions", most=1)


@kind("a piece that is not declared")
def no_such_piece(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"\bplace (\w+) at", "place Wizard at", *_PROGRAMS, most=1)


@kind("a key stands twice")
def key_twice(game: GameText) -> Iterator[Seeded]:
    if not list(game.at("players")):
        return
    lines = [*game.lines, "players: North, South"]
    yield Seeded("\n".join(lines) + "\n", frozenset((len(lines),)))


@kind("a line is not indented")
def not_indented(game: GameText) -> Iterator[Seeded]:
    for number in game.at("turn"):
        if re.match(r"^\s+(place|move|remove) ", game.code(number)):
            yield game.with_line(number, game.lines[number].strip())
            return


@kind("a section is misspelt")
def misspelt_section(game: GameText) -> Iterator[Seeded]:
    for number, line in enumerate(game.lines):
        if line.startswith("end:"):
            yield game.with_line(number, line.replace("end:", "ends:"), also=frozenset((1,)))


@kind("`=` where `set` was meant")
def assigned_plainly(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(r"^(\s+)set (\w+\b.*) =", r"\1\2 =", *_PROGRAMS, most=1)


@kind("an argument is missing")
def argument_missing(game: GameText) -> Iterator[Seeded]:
    yield from game.changed(
        r"\b(joined|in_a_row|slides|bracketed|groups)\((\w+), [^()]*\)",
        r"\1(\2)",
        *_EXPRESSIONS,
        most=1,
    )
