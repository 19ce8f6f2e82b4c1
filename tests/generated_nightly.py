"""Random games by the thousand: native code held against the reference interpreter.

Run as `python tests/generated_nightly.py -n 10000 --processes 2` in the project's folder. Each
program is `game_text(Random(seed))` of a seed of its own. It is played as `gdl verify` plays a
file; some with sets as arrays in memory, some by checked code, some as WebAssembly. Programs are
played by the dozen in processes of their own, so that a crash is a finding, and is told by its
seed; so is a program that keeps its process busy for minutes.

Prints each finding with its seed, and how much was compared. `python tests/generated_nightly.py
--show SEED` prints a program. Ends with status 1 if there are findings.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from random import Random

from generated import game_text
from nightly import Found, Script, main

from gdl.diagnostic import GameError, Source
from gdl.interpreter.native.runtime.compiled import Options
from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered
from gdl.interpreter.native.wasm.rules import WasmRules
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.verify import Limits, Verdict, verify
from gdl.load import load_source
from gdl.model import Game

LIMITS = Limits(games=2, max_plies=8, seconds=2)
MANNERS: tuple[tuple[type[NativeRules], Options], ...] = (
    *3 * ((NativeRules, Options()),),
    (NativeRules, Options(most_register_sites=0)),
    (NativeRules, Options(checked=True)),
    (WasmRules, Options()),
    (WasmRules, Options(most_register_sites=0)),
)
"""How a program is played, by its seed: sets in registers, in arrays, by checked code; by modules
of WebAssembly."""


def rules_of(game: Game, seed: int) -> NativeRules:
    """Return the native code of a program, made in the manner of its seed. Raises Uncovered."""
    kind, options = MANNERS[seed % len(MANNERS)]
    return kind(game, **options)


def script(text_of: Callable[[Random], str], what: str) -> Script:
    """Return what plays the programs that a function makes of a source of chance."""

    def text(seed: int) -> str:
        return text_of(Random(seed))

    return Script(
        lambda seed: played(text(seed), seed),
        text,
        ("different", "fault"),
        what,
        lambda: load_source(Source("0.yaml", text(0))),
    )


def played(text: str, seed: int) -> Found:
    """Return what came of a program: its `result`, how much was compared, the finding if any."""
    try:
        game = load_source(Source(f"{seed}.yaml", text))
        rules = rules_of(game, seed)
    except GameError:
        return {"result": "refused"}
    except Uncovered:
        return {"result": "not native"}
    except Exception:
        return {"result": "fault", "finding": traceback.format_exc(limit=-4)}
    try:
        verdict = verify(ReferenceRules(rules.game), rules, seed, LIMITS)
        return told(verdict)
    except Exception:
        return {"result": "fault", "finding": traceback.format_exc(limit=-4)}
    finally:
        rules.close()


def told(verdict: Verdict) -> Found:
    """Return a verdict as plain data."""
    found: Found = {"result": "same"} | verdict.compared.to_json()
    if verdict.difference is not None:
        difference = verdict.difference
        after = ", ".join(move.text for move in difference.moves)
        finding = f"{difference.kind} after [{after}]: {difference.first} / {difference.second}"
        return found | {"result": "different", "finding": finding}
    if verdict.failures:
        return found | {"result": "rules fail"}
    return found if verdict.compared.positions else {"result": "nothing compared"}


SCRIPT = script(game_text, "programs")

if __name__ == "__main__":
    sys.exit(main(SCRIPT, __doc__, 10_000))
