"""`gdl compile`: what a game's rules become on the way to machine code."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from gdl.analysis.plan import plan_for_code
from gdl.analysis.plan_in_words import plan_in_words
from gdl.codes import Code
from gdl.core.listing import Names, listing
from gdl.diagnostic import refused
from gdl.model import Game
from interpreter.cli.backend import native_rules
from interpreter.cli.beginning import load_requested
from interpreter.cli.declarations import option
from interpreter.cli.output import write
from interpreter.cli.parameters import Checked, GameRequest


class Form(StrEnum):
    """What can be printed: the core, what is known of it, LLVM's code, the machine's."""

    CORE = "core"
    PLAN = "plan"
    LLVM = "llvm"
    ASM = "asm"


def compile_game(
    request: GameRequest,
    emit: Annotated[
        Form, option(help="What to print: the core, the plan, LLVM's code, or machine code.")
    ] = Form.CORE,
    raw: Annotated[bool, option("--raw", help="Print it as it is before it is optimised.")] = False,
    checked: Checked = False,
) -> None:
    """Print what a game's rules become.

    The core is the program that native code is written from; with `--raw`, it is the program as it
    was before the passes, which the reference interpreter plays. The plan says what is known
    before play: how random moves are drawn, what is kept, how large numbers can grow.
    """
    if raw and emit is Form.ASM:
        raise refused(
            Code.WRONG_OPTION, "Machine code is there only optimised.", "Leave `--raw` out."
        )
    game = load_requested(request)
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
    return plan_in_words(plan_for_code(game.program, len(game.board.sites)), game.sides)


def _core(game: Game, raw: bool) -> str:
    sites = tuple(site.name for site in game.board.sites)
    program = game.program if raw else plan_for_code(game.program, len(sites)).program
    return listing(program, Names(sites, game.sides, game.relations, game.regions))
