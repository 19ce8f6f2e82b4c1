"""How fast WebAssembly plays random games, beside native code, and how large modules are.

In: names of games. Out: a line a game, and the geometric means. What then holds: of each game,
native code, wasmtime and node (if it is there) play the same random games in turn, several times,
in one run; times are of the processor, and of each the least counts. `bytes` is the size of the
module, `made` the seconds from the game to the module, with nothing kept.

Run it as `python -m tests.benchmarks.wasm [--times N] [GAME ...]`.
"""

from __future__ import annotations

import argparse
import ctypes
import json
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from statistics import fmean
from typing import Any
from unittest import mock

from gdl.interpreter.native.games.records import TALLY
from gdl.interpreter.native.runtime.machine_code import OFF, VARIABLE
from gdl.interpreter.native.runtime.rules import NativeRules
from gdl.interpreter.native.wasm.rules import WasmGame, WasmRules
from gdl.load import load_game, shipped_names

from . import measure

PLIES, SECONDS, WORK = 2000, 0.05, 1 << 40
HEADS = ("game", "bytes", "made", "games/s", "wasmtime", "V8")

_HOST = """
import fs from "node:fs";
import readline from "node:readline";
const [code, image, given] = process.argv.slice(2);
const told = JSON.parse(given);
const bytes = fs.readFileSync(image);
const wasm = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(code)), {}).exports;
wasm.memory.grow(bytes.length / 65536 - wasm.memory.buffer.byteLength / 65536);
readline.createInterface({ input: process.stdin }).on("line", (line) => {
  new Uint8Array(wasm.memory.buffer).set(bytes);
  const begun = process.cpuUsage();
  wasm.prepare(told.world, BigInt(told.work), BigInt(told.room));
  const played = wasm.playouts(told.position, told.world, 0n, BigInt(line), 1n,
    BigInt(told.plies), told.tally, 0);
  const used = process.cpuUsage(begun);
  const view = new DataView(wasm.memory.buffer);
  const moves = Number(view.getBigInt64(told.tally + 8, true));
  console.log(JSON.stringify([Number(played), moves, (used.user + used.system) / 1e6]));
});
"""


@dataclass(frozen=True)
class Measured:
    """What was measured of a game: seconds that a game takes by each, None without node."""

    game: str
    bytes: int
    made: float
    native: float
    wasmtime: float
    node: float | None


class Node:
    """A module in node, with the memory that a `WasmRules` has laid out for it."""

    def __init__(self, rules: WasmRules, folder: Path) -> None:
        exchange, memory = rules.code.memory, rules.code.memory
        exchange = rules._exchange
        world, position = exchange.world(), exchange.buffer()
        world.make_room(1 << 14)
        tally = memory.words(len(TALLY) + 3 * len(rules.game.sides))
        tally[TALLY.index("shortest")] = (1 << 63) - 1
        exchange.write(rules.start(), position, world)
        game = rules.code
        assert isinstance(game, WasmGame)
        (folder / "host.mjs").write_text(_HOST, "utf-8")
        (folder / "code").write_bytes(game.module.code)
        (folder / "image").write_bytes(ctypes.string_at(game.instance.origin, game.instance.end))
        given = {
            "world": memory.address(world.memory),
            "position": memory.address(position),
            "tally": memory.address(tally),
            "plies": PLIES,
            "work": WORK,
            "room": rules._caller.room,
        }
        command = ["node", "host.mjs", "code", "image", json.dumps(given)]
        self._process = subprocess.Popen(
            command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def play(self, games: int) -> tuple[int, int, float]:
        """Return how many games were played, of how many moves, in how many seconds."""
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        print(games, file=stdin, flush=True)
        played, moves, seconds = json.loads(stdout.readline())
        return played, moves, seconds

    def close(self) -> None:
        """End node."""
        self._process.kill()
        self._process.communicate()


def played(rules: NativeRules) -> Callable[[int], tuple[int, int, float]]:
    """Return what plays so many games, and tells how long that took."""
    start = rules.start()

    def play(games: int) -> tuple[int, int, float]:
        begun = time.process_time()
        found = rules.playouts(start, games, 1, PLIES)
        return found.playouts, found.moves, time.process_time() - begun

    return play


def measured(name: str, times: int) -> Measured:
    """Return what is measured of a game."""
    game = load_game(name)
    with mock.patch.dict(os.environ, {VARIABLE: OFF}):
        begun = time.process_time()
        code = WasmGame(game)
        size = len(code.module.code)
        made = time.process_time() - begun
    native, module = NativeRules(game), WasmRules(game)
    for rules in (native, module):
        rules.limit(work=WORK)
        rules.compile()
    ways: list[Callable[[int], tuple[int, int, float]]] = [played(native), played(module)]
    with tempfile.TemporaryDirectory() as folder:
        node = Node(module, Path(folder)) if shutil.which("node") else None
        if node is not None:
            ways.append(node.play)
        games = 1
        while ways[0](games)[2] < SECONDS:
            games *= 2
        best: list[Any] = [None] * len(ways)
        for _ in range(times):
            told = [way(games) for way in ways]
            assert len({one[:2] for one in told}) == 1, (name, told)
            for n, (_, _, seconds) in enumerate(told):
                best[n] = seconds if best[n] is None else min(best[n], seconds)
        if node is not None:
            node.close()
    each = [seconds / games for seconds in best]
    return Measured(name, size, made, each[0], each[1], each[2] if len(each) > 2 else None)


def line(one: Measured) -> tuple[str, ...]:
    """Return the line of a game; speeds of WebAssembly are told as fractions of native speed."""
    node = "" if one.node is None else f"{one.native / one.node:.2f}"
    speed, share = f"{1 / one.native:,.0f}", f"{one.native / one.wasmtime:.2f}"
    return one.game, f"{one.bytes:,}", f"{one.made:.2f}", speed, share, node


def main() -> None:
    """Measure the games that are asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=7)
    parser.add_argument("games", nargs="*")
    asked = parser.parse_args()
    found = []
    for name in asked.games or shipped_names():
        found.append(measured(name, asked.times))
        print("  ".join(line(found[-1])), flush=True)
    print(measure.text_table(HEADS, [line(one) for one in found]))
    for title, shares in (
        ("wasmtime", [one.native / one.wasmtime for one in found]),
        ("V8", [one.native / one.node for one in found if one.node is not None]),
    ):
        if shares:
            mean = exp(fmean(map(log, shares)))
            print(f"{title}: {mean:.2f} of native speed (geometric mean), least {min(shares):.2f}")


if __name__ == "__main__":
    main()
