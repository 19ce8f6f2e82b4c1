"""The engine for a host that isn't this process: code to be linked with a game's, and its memory.

In: a game, its code for a target, what was tuned of it. Out: a `HostedEngine`. What then holds: a
host that links the text with the game's code, lays out the images and calls the functions as this
package does finds for a seed and a number of iterations what one thread finds here. What needs
Python (positions that a side guesses, solved games, quick wins by every way) it does without.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from gdl.data_classes import dataclass
from gdl.interpreter.english import does
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.native.emit.target import Target
from gdl.interpreter.native.game_code import GameCode
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.races import Race
from gdl.interpreter.native.runtime.compiled import SIGNATURES, CompiledGame
from gdl.interpreter.native.runtime.exchange import (
    TRAIL_BYTES,
    TRAIL_ENTRIES,
    TRAIL_ENTRIES_A_KEY,
)
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.search import engine
from gdl.interpreter.search.alpha_beta import deepening
from gdl.interpreter.search.alpha_beta.arena import MOST_PLIES as MOST_PLIES_AHEAD
from gdl.interpreter.search.alpha_beta.arena import new_walk
from gdl.interpreter.search.alpha_beta.judging import new_judge
from gdl.interpreter.search.alpha_beta.transpositions import new_table
from gdl.interpreter.search.binding import Binding
from gdl.interpreter.search.evaluation.estimate import Estimate, no_estimate
from gdl.interpreter.search.evaluation.outlook import outlook, outlook_table
from gdl.interpreter.search.first_moves.amaf import new_tally
from gdl.interpreter.search.levels import LEVELS, on_board
from gdl.interpreter.search.long_games import guessed_estimate
from gdl.interpreter.search.machine.compiled import text_of
from gdl.interpreter.search.machine.elementary import exp, log
from gdl.interpreter.search.machine.image import Image
from gdl.interpreter.search.machine.instructions import WORD_BYTES, Record, address
from gdl.interpreter.search.tree_reuse import PART_OF_TALLY, new_pruning, with_lists_anew
from gdl.interpreter.search.tree_search.iterations import DEEPEST
from gdl.interpreter.search.worth import ALPHA_BETA, TREE, Worth
from gdl.model import Game

PREFIX = "engine_"
"""What the names of the search's functions begin with, in a module that has a game's as well."""
BY_ADDRESS = "engine_calls_"
"""What those of functions begin with that call one of the game's, for who has an address of it."""
MEMORY = 128 << 20
"""Bytes for a search, unless others are asked for: a telephone has room for that."""

_TREE_FIELDS = (
    *("state", "visits", "totals", "choosers", "known", "moves", "tried", "first_move", "stride"),
    *("begin", "low", "high", "plies", "is_ordered", "are_split", "runs", "places", "numbers"),
    *("apart", "positions", "keys"),
)
_DESK_FIELDS = ("position", "world", "remembered", "tables", "random")
_WALK_FIELDS = ("state", "seats", "values", "results", "history")
_TABLE_FIELDS = ("mask", "entries", "age", "filled")
"""The fields that a host asks for, of each record."""


@dataclass(frozen=True)
class HostedEngine:
    """What a host needs of an engine.

    The `texts` are to be linked with the game's code, whose functions they declare; `exports` are
    the names of functions that the host calls, or whose addresses it needs; `races` are those that
    the game's code is to count, and if it `has_outlook`, it is to tell what positions promise (see
    `complete`). All else is `data`: plain, to be written as JSON. It tells of the `search`, which
    is null where there is none, with the reason in `why`.
    """

    texts: Sequence[str]
    exports: Sequence[str]
    races: Sequence[Race]
    has_outlook: bool
    data: Mapping[str, Any]

    def complete(self, game: Game, code: GameCode) -> None:
        """Let the code of the game, as it is written for the host, have all that is called."""
        if self.races:
            code.reach(self.races)
        if self.has_outlook:
            code.outlook(outlook(game, code.shared.program, frozenset(code.layout.fields)))


def hosted_engine(
    game: Game,
    code: CompiledGame,
    start: State,
    target: Target,
    worth: Worth | None,
    memory: int = MEMORY,
) -> HostedEngine:
    """Return the engine of a game for a host.

    The layout of positions is that of the code, of which nothing is compiled. It plays by what was
    tuned of the rules, as an `Engine` does, with so many bytes of memory. `start` is any state.
    """
    if game.hides:
        why = "Some of the game is hidden, and what a side can't see is guessed by Python alone."
        return HostedEngine((), (), (), False, {"search": None, "why": why})
    binding = Binding(game, code, is_here=False)
    is_alpha_beta = worth is not None and worth.search == ALPHA_BETA
    is_alpha_beta = is_alpha_beta and deepening.serves(game, binding)
    write = _alpha_beta if is_alpha_beta else _tree_search
    functions: tuple[Callable[..., Any], ...]
    functions, images = write(game, binding, start, worth, memory)
    names = _named(images)
    own = [f"{PREFIX}{function.__name__}" for function in functions]
    data = {
        "search": ALPHA_BETA if is_alpha_beta else TREE,
        "seats": binding.seats,
        "teams": game.number_of_teams,
        "payoff_unit": binding.payoff_unit,
        "short_games": _short_games(code, worth),
        "levels": [
            list(level._replace(iterations=on_board(level.iterations, game.board.size)))
            for level in LEVELS.values()
        ],
        "wins": [does([side], "wins") for side in game.sides],
        "loses": [does([side], "loses") for side in game.sides],
        "images": images,
    }
    texts = (
        text_of(functions, target, PREFIX) + "".join(map(_by_address, names)),
        text_of((log, exp), target),
    )
    races = binding.territory.races if "reach" in names and binding.territory else ()
    exports = (*own, *(f"{BY_ADDRESS}{name}" for name in names))
    return HostedEngine(texts, exports, races, "outlook" in names, data)


def _short_games(code: CompiledGame, worth: Worth | None) -> dict[str, int] | None:
    """Return when several random games are played from a node, if time counts alone.

    That is where a `sample` of them has at least so many (`least`) plies as a mean, and at most so
    many (`most`): see `games_from_node` in `engine`.
    """
    plies = (
        0
        if worth is not None and worth.plies is not None
        else engine.most_plies_of_short_games(code)
    )
    if not plies:
        return None
    return {
        "games": engine.GAMES_IF_SHORT,
        "sample": engine.SAMPLE,
        "least": engine.FEWEST_PLIES,
        "most": plies,
    }


_Told = tuple[tuple[Callable[..., Any], ...], dict[str, Any]]
"""The functions of a search that are called from outside, and the images of its memory."""


def _tree_search(
    game: Game, binding: Binding, start: State, worth: Worth | None, memory: int
) -> _Told:
    plain = worth is None or worth.plies is None
    priors = binding.priors(worth)
    policy = engine.policy_for(binding)
    estimate = _guessed(game, binding) if plain else binding.estimate(worth)
    has_leans = priors.sites > 0
    tree = binding.new_tree(memory, is_shared=False, has_leans=has_leans)
    tally_memory = memory // PART_OF_TALLY if binding.is_of_two else 0
    tally = new_tally(binding.masks, tally_memory, priors)
    fixed = {"policy": policy, "estimate": estimate, "code": binding.code, "fields": binding.fields}
    kept: dict[str, Record] = {
        "tree": tree,
        "other": with_lists_anew(tree, has_leans=has_leans),
        "tally": tally,
        "pruning": new_pruning(0, tree.nodes),
    }
    return engine.FUNCTIONS, {
        "fixed": Image(fixed).data({"policy": ("games",), "code": ("stack",)}),
        "kept": Image(kept).data(
            {"tree": _TREE_FIELDS, "other": _TREE_FIELDS, "pruning": ("root",)}
        ),
        "seat": _seat(binding, start, engine.MOST_PLIES),
    }


def _guessed(game: Game, binding: Binding) -> Estimate:
    """Return what judges positions where random games are long; this processor plays some."""
    native = NativeRules(game)
    found = guessed_estimate(native, Binding(game, native.code))
    if found is None:
        return no_estimate()
    table = outlook_table(binding.outlook_address, found.outlook.worth.tolist())
    return found.replaced(outlook=table)


def _alpha_beta(_: Game, binding: Binding, start: State, worth: Worth | None, memory: int) -> _Told:
    arena = memory // deepening.ARENA_PART
    judge = new_judge(binding.estimate(worth), binding.told_apart, binding.kinds)
    walk = new_walk(arena, binding.frame_bytes, binding.follower_bytes, prunes=True)
    table = new_table(memory - arena)
    fixed = {"judge": judge, "code": binding.code, "fields": binding.fields}
    kept = {"walk": walk, "table": table}
    return deepening.FUNCTIONS, {
        "fixed": Image(fixed).data({"code": ("stack",)}),
        "kept": Image(kept).data({"walk": _WALK_FIELDS, "table": _TABLE_FIELDS}),
        "seat": _seat(binding, start, MOST_PLIES_AHEAD),
    }


def _seat(binding: Binding, start: State, plies: int) -> dict[str, Any]:
    """Return the image of a thread's place, whose position is a state, with its world.

    `pasts` tells of each memory how long a key is, and where its fields are in the world; there is
    `room` for so many keys, of which a search may need so many more than there are (`ahead`).
    """
    seat = binding.seat(start, 0, 0, plies)
    image = Image({"desk": seat.desk})
    begin = ctypes.addressof(seat.world.memory)
    for offset, buffer in seat.world.buffers.items():
        image.add(ctypes.addressof(buffer), len(buffer))
        image.link(begin + offset, ctypes.addressof(buffer))
    if seat.world.trail is not None:
        trail = ctypes.addressof(seat.world.trail)
        image.link(begin + w.TRAIL_END, trail, len(seat.world.trail))
    tables = address(seat.desk.tables)
    for number, table in enumerate(seat.world.pasts):
        image.link(tables + number * WORD_BYTES, ctypes.addressof(table))
    return {
        **image.data({"desk": _DESK_FIELDS}),
        "key_bytes": binding.fields.key_bytes,
        "room": seat.world.room,
        "ahead": plies + DEEPEST,
        "pasts": [
            {"key_bytes": size, "at": w.PAST + w.PAST_BYTES * number, "count": count}
            for number, (size, count) in enumerate(binding.memories)
        ],
        "offsets": _WORLD_OFFSETS,
        "trail": None if seat.world.trail is None else _TRAIL,
    }


_WORLD_OFFSETS = {
    "error": w.ERROR,
    "stop": w.STOP,
    "room": w.PAST_ROOM,
    "digests": w.PAST_DIGESTS,
    "digested": w.PAST_DIGESTED,
    "compared": w.DIGESTS_COMPARED,
}

_TRAIL = {
    "at": w.TRAIL,
    "end": w.TRAIL_END,
    "entry_bytes": TRAIL_BYTES,
    "entries": TRAIL_ENTRIES,
    "a_key": TRAIL_ENTRIES_A_KEY,
}
"""Where the world has its trail, and how long that is: more for each key that there is room for."""


# ------------------------------------------------------- the game's functions, called by an address

_TYPES: Mapping[Any, str] = {
    ctypes.c_int64: "i64",
    ctypes.c_int32: "i32",
    ctypes.c_void_p: "ptr",
    None: "void",
}


def _named(images: Mapping[str, Any]) -> list[str]:
    """Return the names of the game's functions that words of images have the addresses of."""
    found = (name for image in images.values() for *_, name in image["functions"])
    return list(dict.fromkeys(found))


def _by_address(name: str) -> str:
    """Return the text of a function that calls one of the game's: it takes and gives words."""
    result, *types = (_TYPES[kind] for kind in SIGNATURES[name])
    words = ", ".join(f"i64 %w{n}" for n in range(len(types)))
    lines = [f"declare {result} @{name}({', '.join(types)})", ""]
    lines += [f"define i64 @{BY_ADDRESS}{name}({words}) nounwind {{"]
    given = []
    for n, type_ in enumerate(types):
        if type_ == "ptr":
            lines.append(f"  %p{n} = inttoptr i64 %w{n} to ptr")
        given.append(f"ptr %p{n}" if type_ == "ptr" else f"i64 %w{n}")
    called = f"call {result} @{name}({', '.join(given)})"
    match result:
        case "void":
            lines += [f"  {called}", "  ret i64 0"]
        case "i32":
            lines += [f"  %r = {called}", "  %s = sext i32 %r to i64", "  ret i64 %s"]
        case _:
            lines += [f"  %r = {called}", f"  ret {result} %r"]
    return "\n".join((*lines, "}", ""))
