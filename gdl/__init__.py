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
    from gdl.interpreter.api import check as check
    from gdl.interpreter.api import diff as diff
    from gdl.interpreter.api import load as load
    from gdl.interpreter.api import report as report
    from gdl.interpreter.api import trace as trace
    from gdl.interpreter.api import why as why
    from gdl.interpreter.check import Finding as Finding
    from gdl.interpreter.compare.compare import Comparison as Comparison
    from gdl.interpreter.compare.trace import Disagreement as Disagreement
    from gdl.interpreter.environment import Actions as Actions
    from gdl.interpreter.environment import Env as Env
    from gdl.interpreter.environment import GraphArrays as GraphArrays
    from gdl.interpreter.environment import Group as Group
    from gdl.interpreter.environment import Plane as Plane
    from gdl.interpreter.environment import Scalar as Scalar
    from gdl.interpreter.environment import Step as Step
    from gdl.interpreter.environment import Symmetries as Symmetries
    from gdl.interpreter.environment import actions_of as actions_of
    from gdl.interpreter.environment import arrays_of as arrays_of
    from gdl.interpreter.environment import symmetries_of as symmetries_of
    from gdl.interpreter.evaluation.chance import Chance as Chance
    from gdl.interpreter.evaluation.evaluator import Evaluator as Evaluator
    from gdl.interpreter.evaluation.evaluator import Outcome as Outcome
    from gdl.interpreter.evaluation.evaluator import Playout as Playout
    from gdl.interpreter.evaluation.evaluator import RuleError as RuleError
    from gdl.interpreter.evaluation.evaluator import State as State
    from gdl.interpreter.evaluation.moves import AmbiguousMoveError as AmbiguousMoveError
    from gdl.interpreter.evaluation.moves import IllegalMoveError as IllegalMoveError
    from gdl.interpreter.evaluation.moves import Move as Move
    from gdl.interpreter.evaluation.moves import MoveError as MoveError
    from gdl.interpreter.evaluation.moves import UnreadableMoveError as UnreadableMoveError
    from gdl.interpreter.evaluation.playout import Statistics as Statistics
    from gdl.interpreter.explain.explanation import Explanation as Explanation
    from gdl.interpreter.explain.telling import explanation_json as explanation_json
    from gdl.interpreter.explain.telling import explanation_scene as explanation_scene
    from gdl.interpreter.explain.telling import explanation_text as explanation_text
    from gdl.interpreter.learning import gymnasium as gymnasium
    from gdl.interpreter.learning import openspiel as openspiel
    from gdl.interpreter.learning import pettingzoo as pettingzoo
    from gdl.interpreter.learning.network_search import NetworkSearch as NetworkSearch
    from gdl.interpreter.learning.recorded import RecordedGames as RecordedGames
    from gdl.interpreter.learning.recorded import random_games as random_games
    from gdl.interpreter.native.runtime.rules import NativeRules as NativeRules
    from gdl.interpreter.native.runtime.rules import Uncovered as Uncovered
    from gdl.interpreter.positions.batch import Batch as Batch
    from gdl.interpreter.positions.batch import Games as Games
    from gdl.interpreter.positions.information import Information as Information
    from gdl.interpreter.positions.information import information as information
    from gdl.interpreter.positions.position import Position as Position
    from gdl.interpreter.positions.position import Rules as Rules
    from gdl.interpreter.positions.view import ALL_SIDES as ALL_SIDES
    from gdl.interpreter.positions.view import View as View
    from gdl.interpreter.records.files import games_in as games_in
    from gdl.interpreter.records.recorded import Recorded as Recorded
    from gdl.interpreter.reference.rules import ReferenceRules as ReferenceRules
    from gdl.interpreter.render.svg import render_svg as render_svg
    from gdl.interpreter.report.measured import Report as Report
    from gdl.interpreter.report.measured import report_json as report_json
    from gdl.interpreter.report.page import report_page as report_page
    from gdl.interpreter.search.analysis import Analysis as Analysis
    from gdl.interpreter.search.analysis import MoveAnalysis as MoveAnalysis
    from gdl.interpreter.search.engine import Engine as Engine
    from gdl.interpreter.search.worth import Worth as Worth
    from gdl.interpreter.solve.clock import OutOfTime as OutOfTime
    from gdl.interpreter.solve.forced_wins import ForcedWins as ForcedWins
    from gdl.interpreter.solve.proving import Unsettled as Unsettled
    from gdl.interpreter.solve.solution import Result as Result
    from gdl.interpreter.solve.solution import Solution as Solution
    from gdl.interpreter.solve.solver import Solver as Solver
    from gdl.interpreter.solve.store import engine_for as engine_for
    from gdl.interpreter.solve.store import keep_table as keep_table
    from gdl.interpreter.tune import Tuned as Tuned
    from gdl.interpreter.tune import tune as tune
    from gdl.interpreter.words.rules import rules_in_words as rules_in_words
    from gdl.model import Game as Game

_NAMES_OF_MODULES = {
    "gdl.diagnostic": ("Diagnostic", "GameError"),
    "gdl.model": ("Game",),
    "gdl.interpreter.api": ("check", "diff", "load", "report", "trace", "why"),
    "gdl.interpreter.check": ("Finding",),
    "gdl.interpreter.compare.compare": ("Comparison",),
    "gdl.interpreter.records.files": ("games_in",),
    "gdl.interpreter.records.recorded": ("Recorded",),
    "gdl.interpreter.compare.trace": ("Disagreement",),
    "gdl.interpreter.environment": (
        *("Actions", "Env", "GraphArrays", "Group", "Plane", "Scalar", "Step", "Symmetries"),
        *("actions_of", "arrays_of", "symmetries_of"),
    ),
    "gdl.interpreter.evaluation.chance": ("Chance",),
    "gdl.interpreter.evaluation.evaluator": (
        "Evaluator",
        "Outcome",
        "Playout",
        "RuleError",
        "State",
    ),
    "gdl.interpreter.evaluation.moves": (
        "AmbiguousMoveError",
        "IllegalMoveError",
        "Move",
        "MoveError",
        "UnreadableMoveError",
    ),
    "gdl.interpreter.evaluation.playout": ("Statistics",),
    "gdl.interpreter.explain.explanation": ("Explanation",),
    "gdl.interpreter.explain.telling": (
        "explanation_json",
        "explanation_scene",
        "explanation_text",
    ),
    "gdl.interpreter.learning.network_search": ("NetworkSearch",),
    "gdl.interpreter.learning.recorded": ("RecordedGames", "random_games"),
    "gdl.interpreter.native.runtime.rules": ("NativeRules", "Uncovered"),
    "gdl.interpreter.positions.batch": ("Batch", "Games"),
    "gdl.interpreter.positions.information": ("Information", "information"),
    "gdl.interpreter.positions.position": ("Position", "Rules"),
    "gdl.interpreter.positions.view": ("ALL_SIDES", "View"),
    "gdl.interpreter.reference.rules": ("ReferenceRules",),
    "gdl.interpreter.render.svg": ("render_svg",),
    "gdl.interpreter.report.measured": ("Report", "report_json"),
    "gdl.interpreter.report.page": ("report_page",),
    "gdl.interpreter.search.analysis": ("Analysis", "MoveAnalysis"),
    "gdl.interpreter.search.engine": ("Engine",),
    "gdl.interpreter.search.worth": ("Worth",),
    "gdl.interpreter.solve.clock": ("OutOfTime",),
    "gdl.interpreter.solve.forced_wins": ("ForcedWins",),
    "gdl.interpreter.solve.proving": ("Unsettled",),
    "gdl.interpreter.solve.solution": ("Result", "Solution"),
    "gdl.interpreter.solve.solver": ("Solver",),
    "gdl.interpreter.solve.store": ("engine_for", "keep_table"),
    "gdl.interpreter.tune": ("Tuned", "tune"),
    "gdl.interpreter.words.rules": ("rules_in_words",),
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
        return import_module(f"gdl.interpreter.learning.{name}")
    except ModuleNotFoundError as error:
        extra = "an extra installs, in gdl's folder: pip install '.[rl]'"
        message = f"gdl.{name} needs {error.name}, which {extra}"
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

    def __reduce__(self) -> tuple[object, ...]:
        """Return how it is sent to other processes, as a plain module is: by its name."""
        return import_module, (self.__name__,)


sys.modules[__name__].__class__ = _Package
