"""Clauses of `end` and `stuck` as sentences.

In: endings of the core, which know what they were made from. Out: sentences. What then holds: an
author's caption stands in place of what would be generated.
"""

from __future__ import annotations

import re
from dataclasses import replace

from gdl.core.nodes import Const, Ending
from gdl.elaborate.names.scope import Scope, written_in
from gdl.interpreter.english import does, in_words, possessive, sentence
from gdl.interpreter.words.asker import Asker
from gdl.interpreter.words.captions import filled, write_option
from gdl.interpreter.words.context import IT, MOVER, Voice, context_of
from gdl.interpreter.words.phrases import Phrases
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import condition_of

_SAY = Phrases()
_ITSELF = ("mover", "own")
_TELLS_RESULT = re.compile(r"\b(wins?|won|los(es?|t)|draw[ns]?|defeated)\b")


def clause_sentence(ending: Ending, asker: Asker, *, is_stuck: bool = False, side: str = "") -> str:
    """Return what a clause of the game that is asked says.

    Of one `side` if its name is given, else of any it is about.
    """
    node, scope = written_in(ending.origin)
    if node is None or scope is None:
        return ""
    who = (side,) if side else _subject(node, scope, is_stuck)
    own = ending.sides[0] if len(ending.sides) == 1 else scope.mover
    voice = _voice(node, is_stuck)
    at = context_of(asker, replace(scope, own=own), voice)
    condition = condition_of(node)
    if ending.says and condition is None:
        told = filled(ending.says, at, _SAY)
        if not is_stuck or _TELLS_RESULT.search(told) or not isinstance(node, t.Outcome):
            return sentence(told)
        return sentence(f"{does(who, node.outcome)}: {told}")
    said = ""
    if ending.says:
        said = filled(ending.says, at, _SAY)
    elif condition is not None and at.settled(condition) is not True:
        said = _SAY.holds(condition, at)
    said = f", {said}" if said.startswith("for ") else f" {said}" if said else ""
    when = f" when{said}" if said else ""
    if is_stuck:
        when = f" if{said}" if said else ""
    where_stuck = "where a side has no legal move, " if is_stuck else ""
    match node:
        case t.Outcome(_, _, outcome, payoff):
            by = f" by {_SAY.number(payoff, at)}" if payoff is not None else ""
            of_others = where_stuck if _is_of_others(node) and not side else ""
            return sentence(f"{of_others}{does(who, outcome)}{by}{when}")
        case t.Ranking(_, every, rank, value, outcome, payoff):
            which = "every side" if every else "the side"
            number = _SAY.number(value, at)
            degree = "most" if rank == "highest" else "fewest"
            if number.startswith("its "):
                told = f"{which} with the {rank} {number.removeprefix('its ')}"
            elif number.startswith("the number of ") and number.split()[3] in ("its", "the"):
                counted = number.removeprefix("the number of ").removeprefix("its ")
                told = f"{which} with the {degree} {counted}"
            else:
                told = f"{which} for which {number} is {rank}"
            worth = "" if payoff is None else _SAY.number(payoff, at)
            worth = f"; to each side the game is worth {worth}" if worth else ""
            return sentence(f"{where_stuck}{told} {outcome}{when}{worth}")
        case t.Draw():
            if is_stuck and when:
                told = when.strip().partition(" ")[2]
                return sentence(f"the game is a draw when a side can't move and {told}")
            stuck = " for a side without a legal move" if is_stuck else ""
            return sentence(f"the game is a draw{stuck}{when}")
        case t.Passes(phase=phase):
            then = "" if phase is None else f", and the phase “{in_words(phase.name)}” begins"
            return sentence(f"{does(who, 'passes')}{when}{then}")
    return ""


def clause_condition(ending: Ending, asker: Asker, side: str, enemy: str = "the enemy") -> str:
    """Return when a clause holds, in words, of a side by its name; nothing if it always does."""
    node, scope = written_in(ending.origin)
    if node is None or scope is None:
        return ""
    own = ending.sides[0] if len(ending.sides) == 1 else scope.mover
    at = context_of(asker, replace(scope, own=own), Voice(side, possessive(side), enemy))
    if ending.says:
        return filled(ending.says, at, _SAY)
    condition = condition_of(node)
    return "" if condition is None else _SAY.holds(condition, at)


def options_in(scope: Scope) -> dict[str, str]:
    """Return the values of options as captions have them, by name."""
    options = scope.declarations.options.items()
    return {name: write_option(value) for name, value in options if isinstance(value, Const)}


def _voice(node: t.Node, is_stuck: bool) -> Voice:
    if isinstance(node, t.Outcome | t.Ranking) or is_stuck:
        return IT
    return MOVER


def _is_of_others(node: t.Outcome) -> bool:
    """Return whether a clause is about other sides than the one that has moved, or is stuck."""
    return any(side.name not in _ITSELF for side in node.sides)


def _subject(node: t.Node, scope: Scope, is_stuck: bool) -> tuple[str, ...]:
    """Return how those are called of whom a clause says something."""
    if not isinstance(node, t.Outcome) or not node.sides:
        return ("a side without a legal move" if is_stuck else "the side that has just moved",)
    names = [side.name for side in node.sides]
    if names == ["any"]:
        return ("a side",)
    if not _is_of_others(node):
        return ("a side that is stuck" if is_stuck else "the side that has just moved",)
    if names == ["enemy"]:
        return ("the other side",)
    sides = scope.declarations.sides
    return tuple(name if name in sides else f"the {name}" for name in names)
