"""`gdl compile`: what a game's rules become on the way to machine code."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

from gdl.analysis.plan import plan_for_code
from gdl.analysis.plan_in_words import plan_in_words
from gdl.codes import Code
from gdl.core.listing import Names, listing
from gdl.diagnostic import refused
from gdl.interpreter.cli.backend import module_of, native_rules
from gdl.interpreter.cli.beginning import load_requested
from gdl.interpreter.cli.declarations import option
from gdl.interpreter.cli.output import write
from gdl.interpreter.cli.parameters import Checked, GameRequest
from gdl.interpreter.files import write_result
from gdl.model import Game


class Form(StrEnum):
    """What can be had: the core, what is known of it, LLVM's code, the machine's, a module."""

    CORE = "core"
    PLAN = "plan"
    LLVM = "llvm"
    ASM = "asm"
    WASM = "wasm"


def compile_game(
    request: GameRequest,
    emit: Annotated[
        Form,
        option(
            help="What to print: the core, the plan, LLVM's code, or machine code; or `wasm`, a"
            " module to be written to a file."
        ),
    ] = Form.CORE,
    raw: Annotated[bool, option("--raw", help="Print it as it is before it is optimised.")] = False,
    checked: Checked = False,
    output: Annotated[
        Path | None,
        option("--output", "-o", metavar="FILE", help="Write a module here.", show_default=False),
    ] = None,
) -> None:
    """Print what a game's rules become.

    The core is the program that native code is written from; with `--raw`, it is the program as it
    was before the passes, which the reference interpreter plays. The plan says what is known
    before play: how random moves are drawn, what is kept, how large numbers can grow. A module
    of WebAssembly plays as native code does, wherever such modules run.
    """
    if raw and emit in (Form.ASM, Form.WASM):
        raise refused(
            Code.WRONG_OPTION, "Machine code is there only optimised.", "Leave `--raw` out."
        )
    if (emit is Form.WASM) != (output is not None):
        raise refused(
            Code.WRONG_OPTION,
            "A module is written to a file, and all else is printed.",
            "Give both `--emit wasm` and `-o FILE`, or neither.",
        )
    game = load_requested(request)
    if output is not None:
        write_result(output, module_of(game, checked=checked))
        return
    write(_text(game, emit, raw, checked).rstrip("\n"))


def _text(game: Game, emit: Form, raw: bool, checked: bool) -> str:
    if emit is Form.CORE:
        return _core(game, raw)
    if emit is Form.PLAN:
        return _plan(game)
    rules = native_rules(game, checked=checked)
    if emit is Form.ASM:
        return rules.code.assembly
    return rules.code.ir if raw else rules.code.optimised


def _plan(game: Game) -> str:
    from gdl.interpreter.native.game_code import form_of_sets  # this command alone needs it

    plan = plan_for_code(game.program, len(game.board.sites))
    return plan_in_words(plan, game.sides, form_of_sets(plan.size))


def _core(game: Game, raw: bool) -> str:
    sites = tuple(site.name for site in game.board.sites)
    program = game.program if raw else plan_for_code(game.program, len(sites)).program
    return listing(program, Names(sites, game.sides, game.relations, game.regions))
