"""What the player of a page has to find, made by Python: positions as plain data."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.positions.view import ALL_SIDES
from gdl.interpreter.render.scene import Mark
from gdl.interpreter.sessions.notation import spelled
from gdl.interpreter.words.rules import said_of


def mark_json(mark: Mark | None) -> dict[str, Any] | None:
    if mark is None:
        return None
    return {
        "side": mark.side,
        "kind": mark.kind,
        "symbol": mark.symbol,
        "count": mark.count,
        "under": [mark_json(part) for part in mark.under],
        "figure": mark.figure,
        "letters": mark.letters,
    }


def _by_site(found: Mapping[int, Any]) -> dict[str, Any]:
    return {str(site): value for site, value in sorted(found.items())}


def scene_json(position: Position, side: str | None = None) -> dict[str, Any]:
    """Return what is drawn of a position, as a side sees it; None: as it is."""
    view = None if side is None else position.view(side)
    scene = position.scene({}) if view is None else view.scene
    return {
        "marks": _by_site({site: mark_json(mark) for site, mark in scene.marks.items()}),
        "bases": _by_site({site: mark_json(mark) for site, mark in scene.bases.items()}),
        "beside": [
            {
                "text": one.text,
                "marks": [mark_json(mark) for mark in one.marks],
                "place": one.place,
            }
            for one in scene.beside
        ],
        "areas": _by_site({site: list(names) for site, names in scene.areas.items()}),
        "signs": _by_site(scene.signs),
        "bonds": sorted(map(list, scene.bonds)),
        "tracks": sorted(map(list, scene.tracks)),
        "borders": sorted(map(list, scene.borders)),
        "bridges": sorted(map(list, scene.bridges)),
        "tiles": _by_site({site: list(sides) for site, sides in scene.tiles.items()}),
        "last": sorted(scene.last),
        "changed": sorted(scene.changed),
        "way": list(scene.way),
        **(
            {}
            if view is None
            else {
                "told": list(view.told),
                "notices": list(view.notices),
                "scores": dict(view.scores),
                "unseen": sorted(
                    site.index for site in scene.board.sites if site.name in set(view.unseen)
                ),
            }
        ),
    }


def walk_json(
    rules: Rules, seed: int, *, plies: int, texts: int, looks_every: int, listed: int
) -> list[dict[str, Any]]:
    """Return a random game: of each position its moves, who decides, how it ended, how it looks.

    The texts of moves are told where there are so many at most. The game is left when so many
    moves have been listed.
    """
    game, chance = rules.game, random.Random(seed)
    position, steps = rules.start(), list[dict[str, Any]]()
    viewers = [ALL_SIDES, *game.sides]
    for ply in range(plies + 1):
        moves, outcome = position.moves(), position.outcome
        listed -= len(moves)
        is_last = outcome is not None or ply == plies or listed < 0
        pick = None if is_last else chance.randrange(len(moves))
        is_told = len(moves) <= texts
        sees = ply % looks_every == 0 or outcome is not None
        scenes = [scene_json(position), *(scene_json(position, one) for one in viewers)]
        steps.append(
            {
                "number": len(moves),
                "texts": [move.text for move in moves] if is_told else None,
                "also": [list(move.also) for move in moves] if is_told else None,
                "seat": position.seat,
                "mover": position.side,
                "phase": position.phase,
                "outcome": None if outcome is None else outcome.text,
                "seats": [] if outcome is None else list(outcome.seats),
                "clause": "" if outcome is None else said_of(game, outcome.span, outcome.winners),
                "scenes": scenes if sees else [],
                "pick": pick,
                "spelled": "" if pick is None else spelled(moves[pick], position),
            }
        )
        if pick is None:
            break
        position = position.play(moves[pick])
    return steps


def walks_json(rules: Rules, native: NativeRules, games: int, **how: int) -> dict[str, Any]:
    """Return random games, perft and how many random games ended."""
    start = rules.evaluator.start()
    plies, most = 2000, how.pop("perft")
    perft: list[str] = []
    while len(perft) < 3 and (not perft or int(perft[-1]) < most):
        perft.append(str(native.perft(start, len(perft) + 1)))
    number = how.pop("playouts")
    told = native.playouts(start, number, 1, plies)
    return {
        "perft": perft,
        "plies": plies,
        "playouts": {
            "playouts": told.playouts,
            "moves": told.moves,
            "draws": told.draws,
            "unfinished": told.unfinished,
            "bySide": [told.by_side[side] for side in rules.sides],
            "bySeat": [told.by_seat[seat] for seat in range(1, len(rules.sides) + 1)],
        },
        "games": [walk_json(rules, seed, **how) for seed in range(games)],
    }
