"""Pieces that never come onto the board, or leave it as soon as they do.

In: the programs of a game and its variants. Out: warnings. What then holds: each is proved.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.core.nodes import (
    Assign,
    Block,
    Choose,
    Const,
    Expression,
    ForEach,
    Get,
    If,
    Op,
    Select,
    SitesOf,
    Slot,
)
from gdl.core.walk import blocks_of, program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from gdl.shared_work import shared
from interpreter.check.places import warning, word_span

EMPTY_BOARD = "empty-board"


def never_placed(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the declared kinds that in none of the games are set up or brought onto the board."""
    game = games[0]
    if game.document.get("pieces") is None:
        return
    numbers = [_kinds_on_board(one) for one in games]
    if not numbers[0] and _chosen_in_vain(game) is not None:
        return
    there = {one.kinds[n] for one, found in zip(games, numbers, strict=True) for n in found}
    for kind in game.kinds:
        if kind not in there:
            yield warning(
                "never-placed",
                f"No piece of the kind `{kind}` ever stands on the board.",
                word_span(game, "pieces", kind),
                "Set one up under `setup`, let a turn place it or change another piece to it, or"
                " remove the kind.",
            )


def empty_board(game: Game) -> Iterator[Diagnostic]:
    """Yield that no piece ever stands on the board, if a turn begins with the choice of one."""
    chosen = None if _kinds_on_board(game) else _chosen_in_vain(game)
    if chosen is not None:
        yield warning(
            EMPTY_BOARD,
            "No piece ever stands on the board, so there is nothing to choose here.",
            chosen,
            "Say under `setup` where pieces stand at first, or let a turn place them.",
        )


def _chosen_in_vain(game: Game) -> Span | None:
    """Return the first choice that has no site if no piece ever is there, or None."""
    layers = set(game.program.layers)
    return next(
        (
            statement.span
            for statement in program_statements(game.program)
            if isinstance(statement, Choose)
            and isinstance(statement.domain, SitesOf)
            and not _may_be_some(statement.domain.sites, set(), layers)
        ),
        None,
    )


@shared
def _kinds_on_board(game: Game) -> frozenset[int]:
    """Return the kinds of which there may be a piece: found by going round until none is added."""
    program = game.program
    at_start = dict(zip(program.state, program.initial, strict=True))
    there = {layer.slot for layer in game.layers if at_start[layer.slot]}
    layers = set(program.layers)
    assigned = [
        s
        for s in program_statements(program)
        if isinstance(s, Assign) and (s.slot in layers or not s.slot.is_state)
    ]
    followed = layers | {s.slot for s in assigned}
    local: set[Slot] = set()
    while True:
        filled = there | local
        more = {
            s.slot
            for s in assigned
            if s.slot not in filled and _may_be_some(s.value, filled, followed)
        }
        if not more:
            return frozenset(layer.kind for layer in game.layers if layer.slot in there)
        there |= more & layers
        local |= more - layers


def _may_be_some(value: Expression, there: set[Slot], followed: set[Slot]) -> bool:
    """Return whether a set may have a site, where `there` are those of the `followed` that may."""
    match value:
        case Const():
            return bool(value.value)
        case Get(slot):
            return slot in there or slot not in followed
        case Op("union", parts):
            return any(_may_be_some(part, there, followed) for part in parts)
        case Op("intersection", parts):
            return all(_may_be_some(part, there, followed) for part in parts)
        case Op("difference", (first, _)) | Op("image", (first,)):
            return _may_be_some(first, there, followed)
        case Select(_, sites):
            return _may_be_some(sites, there, followed)
        case If(Op("some", (sites,)), _, otherwise) if not _may_be_some(sites, there, followed):
            return _may_be_some(otherwise, there, followed)
        case If(_, then, otherwise):
            return _may_be_some(then, there, followed) or _may_be_some(otherwise, there, followed)
    return True


def undone_at_once(game: Game) -> Iterator[Diagnostic]:
    """Yield statements that take away what the same block has just placed on the same sites."""
    told: set[Span] = set()
    for turn in game.program.turns:
        for first, then in _undone(turn.program, set(game.program.layers)):
            if then not in told:
                told.add(then)
                yield warning(
                    "undone-at-once",
                    "This takes away what has just been placed there.",
                    then,
                    "See whether other sites are meant.",
                    (("It is placed here.", first),),
                )


def _undone(block: Block, layers: set[Slot]) -> Iterator[tuple[Span, Span]]:
    placed: dict[Slot, tuple[Expression, Span]] = {}
    for statement in block:
        for inner in blocks_of(statement):
            yield from _undone(inner, layers)
        match statement:
            case Assign(span, slot, Op("union", (Get(of), sites))) if of is slot and span:
                if slot in layers and not isinstance(sites, Const):
                    placed[slot] = sites, span
                    continue
            case Assign(span, slot, Op("difference", (Get(of), sites))) if of is slot and span:
                first = placed.get(slot)
                if first is not None and first[0] == sites and first[1] != span:
                    yield first[1], span
                    placed = {}
                continue
        if isinstance(statement, Assign | Choose | ForEach):
            changed = statement.slot
            placed = {s: p for s, p in placed.items() if changed not in p[0].free and s != changed}
        else:
            placed = {}
