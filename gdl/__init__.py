"""The language of board games, and what is done with its files: one import for programs.

>>> import gdl
>>> rules = gdl.load("hex", size=3)
>>> position = rules.start()
>>> for move in ("b2", "a2", "b3", "a3", "b1"):
...     position = position.play(move)
>>> position.over, str(position.outcome)
(True, 'Red wins')

The modules in here make a game's model from its text, and know nothing of what is done with it.
The names below are those of the program that plays games, which are imported when they are first
used: to import the package takes no longer for them.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False  # as in `typing`, whose import would take longer than all the rest here
if TYPE_CHECKING:
    from gdl.diagnostic import Diagnostic as Diagnostic
    from gdl.diagnostic import GameError as GameError
    from gdl.model import Game as Game
    from interpreter.api import check as check
    from interpreter.api import diff as diff
    from interpreter.api import load as load
    from interpreter.api import report as report
    from interpreter.api import trace as trace
    from interpreter.api import why as why
    from interpreter.check import Finding as Finding
    from interpreter.compare.compare import Comparison as Comparison
    from interpreter.compare.trace import Disagreement as Disagreement
    from interpreter.environment import Actions as Actions
    from interpreter.environment import Env as Env
    from interpreter.environment import GraphArrays as GraphArrays
    from interpreter.environment import Group as Group
    from interpreter.environment import Plane as Plane
    from interpreter.environment import Scalar as Scalar
    from interpreter.environment import Step as Step
    from interpreter.environment import Symmetries as Symmetries
    from interpreter.environment import actions_of as actions_of
    from interpreter.environment import arrays_of as arrays_of
    from interpreter.environment import symmetries_of as symmetries_of
    from interpreter.evaluation.chance import Chance as Chance
    from interpreter.evaluation.evaluator import Evaluator as Evaluator
    from interpreter.evaluation.evaluator import Outcome as Outcome
    from interpreter.evaluation.evaluator import Playout as Playout
    from interpreter.evaluation.evaluator import RuleError as RuleError
    from interpreter.evaluation.evaluator import State as State
    from interpreter.evaluation.moves import AmbiguousMoveError as AmbiguousMoveError
    from interpreter.evaluation.moves import IllegalMoveError as IllegalMoveError
    from interpreter.evaluation.moves import Move as Move
    from interpreter.evaluation.moves import MoveError as MoveError
    from interpreter.evaluation.moves import UnreadableMoveError as UnreadableMoveError
    from interpreter.evaluation.playout import Statistics as Statistics
    from interpreter.explain.explanation import Explanation as Explanation
    from interpreter.explain.telling import explanation_json as explanation_json
    from interpreter.explain.telling import explanation_scene as explanation_scene
    from interpreter.explain.telling import explanation_text as explanation_text
    from interpreter.learning import gymnasium as gymnasium
    from interpreter.learning import openspiel as openspiel
    from interpreter.learning import pettingzoo as pettingzoo
    from interpreter.learning.network_search import NetworkSearch as NetworkSearch
    from interpreter.learning.recorded import RecordedGames as RecordedGames
    from interpreter.learning.recorded import random_games as random_games
    from interpreter.native.runtime.rules import NativeRules as NativeRules
    from interpreter.native.runtime.rules import Uncovered as Uncovered
    from interpreter.positions.batch import Batch as Batch
    from interpreter.positions.batch import Games as Games
    from interpreter.positions.information import Information as Information
    from interpreter.positions.information import information as information
    from interpreter.positions.position import Position as Position
    from interpreter.positions.position import Rules as Rules
    from interpreter.positions.view import ALL_SIDES as ALL_SIDES
    from interpreter.positions.view import View as View
    from interpreter.records.recorded import Recorded as Recorded
    from interpreter.reference.rules import ReferenceRules as ReferenceRules
    from interpreter.render.svg import render_svg as render_svg
    from interpreter.report.measured import Report as Report
    from interpreter.report.measured import report_json as report_json
    from interpreter.report.page import report_page as report_page
    from interpreter.search.analysis import Analysis as Analysis
    from interpreter.search.analysis import MoveAnalysis as MoveAnalysis
    from interpreter.search.engine import Engine as Engine
    from interpreter.search.worth import Worth as Worth
    from interpreter.solve.clock import OutOfTime as OutOfTime
    from interpreter.solve.forced_wins import ForcedWins as ForcedWins
    from interpreter.solve.proving import Unsettled as Unsettled
    from interpreter.solve.solution import Result as Result
    from interpreter.solve.solution import Solution as Solution
    from interpreter.solve.solver import Solver as Solver
    from interpreter.solve.store import engine_for as engine_for
    from interpreter.solve.store import keep_table as keep_table
    from interpreter.tune import Tuned as Tuned
    from interpreter.tune import tune as tune
    from interpreter.words.rules import rules_in_words as rules_in_words

_NAMES_OF_MODULES = {
    "gdl.diagnostic": ("Diagnostic", "GameError"),
    "gdl.model": ("Game",),
    "interpreter.api": ("check", "diff", "load", "report", "trace", "why"),
    "interpreter.check": ("Finding",),
    "interpreter.compare.compare": ("Comparison",),
    "interpreter.records.recorded": ("Recorded",),
    "interpreter.compare.trace": ("Disagreement",),
    "interpreter.environment": (
        *("Actions", "Env", "GraphArrays", "Group", "Plane", "Scalar", "Step", "Symmetries"),
        *("actions_of", "arrays_of", "symmetries_of"),
    ),
    "interpreter.evaluation.chance": ("Chance",),
    "interpreter.evaluation.evaluator": ("Evaluator", "Outcome", "Playout", "RuleError", "State"),
    "interpreter.evaluation.moves": (
        "AmbiguousMoveError",
        "IllegalMoveError",
        "Move",
        "MoveError",
        "UnreadableMoveError",
    ),
    "interpreter.evaluation.playout": ("Statistics",),
    "interpreter.explain.explanation": ("Explanation",),
    "interpreter.explain.telling": ("explanation_json", "explanation_scene", "explanation_text"),
    "interpreter.learning.network_search": ("NetworkSearch",),
    "interpreter.learning.recorded": ("RecordedGames", "random_games"),
    "interpreter.native.runtime.rules": ("NativeRules", "Uncovered"),
    "interpreter.positions.batch": ("Batch", "Games"),
    "interpreter.positions.information": ("Information", "information"),
    "interpreter.positions.position": ("Position", "Rules"),
    "interpreter.positions.view": ("ALL_SIDES", "View"),
    "interpreter.reference.rules": ("ReferenceRules",),
    "interpreter.render.svg": ("render_svg",),
    "interpreter.report.measured": ("Report", "report_json"),
    "interpreter.report.page": ("report_page",),
    "interpreter.search.analysis": ("Analysis", "MoveAnalysis"),
    "interpreter.search.engine": ("Engine",),
    "interpreter.search.worth": ("Worth",),
    "interpreter.solve.clock": ("OutOfTime",),
    "interpreter.solve.forced_wins": ("ForcedWins",),
    "interpreter.solve.proving": ("Unsettled",),
    "interpreter.solve.solution": ("Result", "Solution"),
    "interpreter.solve.solver": ("Solver",),
    "interpreter.solve.store": ("engine_for", "keep_table"),
    "interpreter.tune": ("Tuned", "tune"),
    "interpreter.words.rules": ("rules_in_words",),
}
_INTERFACES = ("gymnasium", "openspiel", "pettingzoo")
"""Modules that need what the extra `rl` installs."""
_MODULES = {name: module for module, names in _NAMES_OF_MODULES.items() for name in names}

__all__ = sorted(_MODULES)


def __dir__() -> list[str]:
    """Return all names, those that were not imported yet among them."""
    return sorted({*globals(), *__all__, *_INTERFACES})


def __getattr__(name: str) -> object:
    if name in _INTERFACES:
        return _interface(name)
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(module), name)


def _interface(name: str) -> object:
    """Return the module of an interface. Raises ImportError where what it needs is missing."""
    try:
        return import_module(f"interpreter.learning.{name}")
    except ModuleNotFoundError as error:
        message = f"gdl.{name} needs {error.name}, which an extra installs: pip install 'gdl[rl]'"
        raise ImportError(message) from error


class _Package(ModuleType):
    """The package, in which `load` is the function, and not the module of that name.

    That module is imported by its path, and would take the name in the package otherwise.
    """

    @property
    def load(self) -> object:
        """What loads rules."""
        return __getattr__("load")

    @load.setter
    def load(self, module: ModuleType) -> None:
        """Leave the module to who imports it by its path."""


sys.modules[__name__].__class__ = _Package
