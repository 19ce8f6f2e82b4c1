"""What a player is asked for: the author's text for the decision that is to be made next.

In: a position, the legal moves that are still meant, and how many of their words are chosen. Out: a
text such as "remove an enemy man", or nothing where the file has none.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.core.evaluate import Frame
from gdl.core.nodes import Choose, Decide, Say, Statement
from gdl.elaborate.sections.looks import variable_chosen
from gdl.interpreter.evaluation.moves import Move, words
from gdl.interpreter.explain.moment import Moment, rules_of
from gdl.interpreter.explain.reasons import captioned
from gdl.interpreter.explain.sources import choice_text, source_of
from gdl.interpreter.explain.turn import Turns
from gdl.interpreter.positions.position import Position
from gdl.interpreter.reference.rules import ReferenceRules


def asked_for(position: Position, meant: Sequence[Move], chosen: int) -> str:
    """Return what the first and the last of the moves ask for, if they ask for the same.

    One that asks for nothing, a pass or a move that is complete, does not count.
    """
    if not position.rules.game.looks.prompts:
        return ""
    asked = {_asked(position, move, chosen) for move in (*meant[:1], *meant[-1:])} - {""}
    return asked.pop() if len(asked) == 1 else ""


def prompt_of(rules: ReferenceRules, phase: str, statement: Statement | None) -> str:
    """Return the author's text for a decision; empty for other statements."""
    name = "" if statement is None else variable_chosen(statement)
    return rules.game.looks.prompt(phase, name) if name else ""


def phase_of(rules: ReferenceRules, frame: Frame) -> str:
    """Return the name of the phase in which a frame is."""
    return rules.game.program.phases[rules.machine.phase(frame)].name


def _asked(position: Position, move: Move, chosen: int) -> str:
    """Return what the word of a move asks for that follows so many others."""
    if any(decision < 0 for decision in move.decisions):
        return ""
    rules, text = rules_of(position), ""
    for statement, frame, _, decision in Turns(rules).passages(position.state, move.decisions):
        said = ""
        if isinstance(statement, Choose) and decision is not None:
            said = choice_text(rules, statement, decision)
        elif isinstance(statement, Decide) and decision is not None:
            said = statement.alternatives[decision].token or ""
        elif isinstance(statement, Say):
            said = statement.token
        text = f"{text} {said}"
        if len(words(text)) > chosen:
            return _filled(prompt_of(rules, position.phase, statement), rules, statement, frame)
    return ""


def _filled(prompt: str, rules: ReferenceRules, statement: Statement, frame: Frame) -> str:
    """Return a prompt with what its words in braces, such as `{v}`, stand for at the moment."""
    _, scope = source_of(statement) if "{" in prompt else (None, None)
    if scope is None:
        return prompt
    named = Moment(rules, list(frame)).named(scope)
    return captioned(prompt, {word: told for word, (told, _) in named.items()})
