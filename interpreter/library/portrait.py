"""A game in words: what a person wants to know before playing.

In: a `Game`. Out: a `Portrait`, as data and as text. What then holds: rules are told in English, by
the author's captions where there are some; no sign of the language stands in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from textwrap import fill
from typing import Any

from gdl.board.board import Board
from gdl.core.nodes import Ending
from gdl.data_classes import dataclass
from gdl.interpreter.english import in_words, plural, sentence
from gdl.interpreter.evaluation.playout import teams_of
from gdl.interpreter.positions.view import notice_told
from gdl.interpreter.words.asker import Asker
from gdl.interpreter.words.clauses import clause_sentence
from gdl.interpreter.words.rules import Part, rules_in_words
from gdl.interpreter.words.turns import Step
from gdl.model import Game, OptionInfo

_WIDTH = 80
_INDENT = "  "
_CREDITS = ("author", "year", "source", "family")


@dataclass(frozen=True)
class Portrait:
    """What is told of a game.

    `rules` are the author's words, or else `turns` are told step by step, each line with how deep
    it stands. `ends` are all clauses in their order, those about a side without a move last;
    `kinds` say what each kind of piece does, by the author's captions;
    `meanings` are those of words of the file that turns and ends use by name, `sees` tells what a
    side sees where something is hidden, `notices` what is told in play while it is so.
    `goals` has, for each side, the clauses by which it wins; `draws` those that nobody wins by;
    `stuck` what holds for a side without a move. `phases` are names of phases with what players
    call them, `asks` what players are asked for in a turn. `variants` are names with what they are
    about.
    """

    name: str
    title: str
    other_names: tuple[str, ...]
    about: str
    credits: Mapping[str, str]
    sides: tuple[str, ...]
    teams: tuple[tuple[str, ...], ...]
    pieces: tuple[str, ...]
    board: str
    sites: int
    rules: str
    turns: tuple[tuple[int, str], ...]
    ends: tuple[str, ...]
    kinds: tuple[str, ...]
    meanings: tuple[str, ...]
    sees: tuple[str, ...]
    notices: tuple[str, ...]
    goals: Mapping[str, tuple[str, ...]]
    draws: tuple[str, ...]
    stuck: tuple[str, ...]
    options: tuple[OptionInfo, ...]
    variants: Mapping[str, str]
    chosen_variants: tuple[str, ...]
    phases: Mapping[str, str]
    asks: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return the portrait as plain data."""
        told = {"credits": dict(self.credits), "goals": dict(self.goals)}
        return asdict(self) | told


def portrait(game: Game) -> Portrait:
    """Return what there is to tell of a game."""
    asker, credits = Asker(game), dict(game.credits)
    words = rules_in_words(game)
    credits.pop("rules", None)
    return Portrait(
        name=game.name,
        title=game.title,
        other_names=game.other_names,
        about=credits.pop("about", ""),
        credits=credits,
        sides=game.sides,
        teams=teams_of(game),
        pieces=game.kinds,
        board=describe_board(game.board),
        sites=game.board.size,
        rules=words.text,
        turns=tuple(_numbered(words.turns)),
        ends=tuple(said.text for said in words.ends),
        kinds=tuple(
            f"{in_words(kind)}: {game.looks.captions[kind]}"
            for kind in game.kinds
            if game.looks.captions.get(kind)
        ),
        meanings=words.meanings,
        sees=words.sees,
        notices=tuple(
            dict.fromkeys(sentence(notice_told(one, "a side")) for one in game.looks.notices)
        ),
        goals={name: _texts(asker, _won_by(game, n), name) for n, name in enumerate(game.sides)},
        draws=_texts(asker, (e for e in _endings(game) if e.kind == "draw")),
        stuck=tuple(said.text for said in words.ends if said.is_stuck),
        options=game.options,
        variants=dict(game.all_variants),
        chosen_variants=game.variants,
        phases=dict(game.looks.phases),
        asks=tuple(dict.fromkeys(game.looks.prompts.values())),
    )


def describe_board(board: Board) -> str:
    """Return a board in words: its lattice, its extent, its kinds of sites."""
    counts: dict[str, int] = {}
    for site in board.sites:
        counts[site.kind] = counts.get(site.kind, 0) + 1
    sites = " and ".join(_of(number, kind) for kind, number in counts.items())
    if board.lattice == "graph":
        return f"{sites}, joined by lines"
    columns = len({site.column for site in board.sites})
    rows = len({site.row for site in board.sites})
    levels = max(board.numbers.get("level", (1,)))
    above = f" in each of {levels} levels" if levels > 1 else ""
    window = "endless, in a window of " if board.endless else ""
    extent = f"{_of(columns, 'column')} and {_of(rows, 'row')}"
    return f"{board.lattice}, {window}{extent}{above}: {sites}"


def _endings(game: Game) -> Iterator[Ending]:
    for turn in game.program.turns:
        yield from turn.endings


def _won_by(game: Game, side: int) -> Iterator[Ending]:
    for ending in _endings(game):
        wins = {
            "highest": True,
            "lowest": True,
            "wins": side in game.program.together(ending.sides),
            "loses": side not in game.program.together(ending.sides),
        }
        if wins.get(ending.kind, False):
            yield ending


def _texts(asker: Asker, endings: Iterable[Ending], side: str = "") -> tuple[str, ...]:
    """Return what clauses say, each once; of one side, if its name is given."""
    return tuple(dict.fromkeys(clause_sentence(one, asker, side=side) for one in endings))


def _numbered(parts: Sequence[Part]) -> Iterator[tuple[int, str]]:
    """Yield the lines of turns, each with how deep it stands."""
    for part in parts:
        if part.heading:
            yield 0, f"{part.heading}:"
        for step in part.steps:
            yield from _lines_of(step, 1 if part.heading else 0)


def _lines_of(step: Step, depth: int) -> Iterator[tuple[int, str]]:
    yield depth, step.text
    for inner in step.inner:
        yield from _lines_of(inner, depth + 1)


def portrait_text(told: Portrait, width: int = _WIDTH) -> str:
    """Return a portrait as lines for a person, of at most so many characters."""
    return "\n".join(_lines(told, width))


def _lines(told: Portrait, width: int) -> Iterator[str]:
    others = f" ({', '.join(told.other_names)})" if told.other_names else ""
    yield f"{told.title}{others}"
    if told.chosen_variants:
        yield f"{_INDENT}variant {', '.join(told.chosen_variants)}"
    for key in _CREDITS:
        if told.credits.get(key):
            yield _wrapped(f"{key}: {told.credits[key]}", width)
    if told.about:
        yield ""
        yield fill(told.about, width)
    yield ""
    yield f"Board: {told.board}"
    yield f"Sides: {', '.join(told.sides)}"
    if told.teams:
        yield f"Teams: {', '.join(' and '.join(team) for team in told.teams)}"
    if told.kinds:
        yield from ("", "Pieces", *(_wrapped(line, width) for line in told.kinds))
    elif told.pieces:
        yield f"Pieces: {', '.join(told.pieces)}"
    yield ""
    if told.rules:
        yield "Rules"
        yield _wrapped(told.rules, width)
    else:
        yield "Turn"
        for depth, line in told.turns:
            indent = _INDENT * (depth + 1)
            yield fill(line, width, initial_indent=indent, subsequent_indent=f"{indent}  ")
    yield ""
    yield "End"
    for end in told.ends:
        yield _wrapped(end, width)
    for title, lines in (
        ("What a side sees", told.sees),
        ("Told while it is so", told.notices),
        ("Words of the file", told.meanings),
        ("Phases", told.phases.values()),
        ("What is asked", told.asks),
    ):
        if lines:
            yield ""
            yield title
            yield from (_wrapped(line, width) for line in lines)
    yield from _option_lines(told.options, width)
    if told.variants:
        yield ""
        yield "Variants"
        for name, about in told.variants.items():
            yield _wrapped(f"{name}: {about}" if about else name, width)


def _option_lines(options: Iterable[OptionInfo], width: int) -> Iterator[str]:
    for number, option in enumerate(options):
        if number == 0:
            yield ""
            yield "Options"
        value = _short(option.value)
        usual = "" if option.is_usual else f" (usually {_short(option.default)})"
        among = ", " if option.allowed.startswith("a ") else ", in "
        allowed = f"{among}{option.allowed}" if option.allowed else ""
        about = f": {option.about}" if option.about else ""
        yield _wrapped(f"{option.name} = {value}{usual}{allowed}{about}", width)


def _short(value: str) -> str:
    """Return an option's value in one line; rows are joined by bars."""
    return " / ".join(line.strip() for line in value.strip().splitlines())


def _wrapped(text: str, width: int) -> str:
    return fill(text, width, initial_indent=_INDENT, subsequent_indent=_INDENT * 2)


def _of(number: int, word: str) -> str:
    return f"{number} {word if number == 1 else plural(word)}"
