"""What a player is asked for: the author's text for the decision that is to be made next.

In: a position, the legal moves that are still meant, and how many of their words are chosen. Out: a
text such as "remove an enemy man", the sites that it is about, and the board as it stands by then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gdl.core.evaluate import Frame
from gdl.core.nodes import Choose, Decide, ForEach, Get, Say, Statement
from gdl.core.types import SITES
from gdl.core.walk import program_statements
from gdl.data_classes import dataclass
from gdl.elaborate.sections.looks import variable_chosen
from gdl.interpreter.evaluation.evaluator import State
from gdl.interpreter.evaluation.moves import Move, words
from gdl.interpreter.explain.moment import Moment, rules_of
from gdl.interpreter.explain.reasons import captioned
from gdl.interpreter.explain.sources import choice_text, source_of
from gdl.interpreter.explain.turn import Turns
from gdl.interpreter.positions.position import Position
from gdl.interpreter.reference.rules import ReferenceRules


@dataclass(frozen=True)
class Asked:
    """What a player is asked for next: the author's `text`, and the sites that it is `about`.

    `position` is how the board stands when what is chosen so far is done.
    """

    text: str
    about: frozenset[int]
    position: Position


def asked_for(position: Position, meant: Sequence[Move], chosen: int) -> Asked:
    """Return what the first and the last of the moves ask for, as far as they ask for the same.

    One that asks for nothing, a pass or a move that is complete, does not count. Without a text of
    the author it is said for which site a choice is made that is not one of sites.
    """
    nothing = Asked("", frozenset(), position)
    if not chosen and not position.rules.game.looks.prompts:
        return nothing
    rules = rules_of(position)
    moves = dict.fromkeys((*meant[:1], *meant[-1:]))
    moments = [found for move in moves if (found := _moment(rules, position, move, chosen))]
    asked = {_text(rules, position.phase, *moment) for moment in moments}
    told = {text: about for text, about in asked if text}
    text, about = next(iter(told.items())) if len(told) == 1 else ("", frozenset[int]())
    values = {tuple(frame[: len(position.state.values)]) for _, frame, _ in moments}
    if chosen and len(values) == 1 and (now := State(values.pop())) != position.state:
        return Asked(text, about, Position(position.rules, now))
    return replace(nothing, text=text, about=about)


def prompt_of(rules: ReferenceRules, phase: str, statement: Statement | None) -> str:
    """Return the author's text for a decision; empty for other statements."""
    name = "" if statement is None else variable_chosen(statement)
    return rules.game.looks.prompt(phase, name) if name else ""


def phase_of(rules: ReferenceRules, frame: Frame) -> str:
    """Return the name of the phase in which a frame is."""
    return rules.game.program.phases[rules.machine.phase(frame)].name


_Moment = tuple[Statement, Frame, str]
"""A statement, the frame before it, and what was said until then."""


def _moment(rules: ReferenceRules, position: Position, move: Move, chosen: int) -> _Moment | None:
    """Return where the word of a move is chosen that follows so many others; None if none is."""
    if any(decision < 0 for decision in move.decisions):
        return None
    text = ""
    for statement, frame, _, decision in Turns(rules).passages(position.state, move.decisions):
        said = ""
        if isinstance(statement, Choose) and decision is not None:
            said = choice_text(rules, statement, decision)
        elif isinstance(statement, Decide) and decision is not None:
            said = statement.alternatives[decision].token or ""
        elif isinstance(statement, Say):
            said = statement.token
        if len(words(f"{text} {said}")) > chosen:
            return statement, frame, text
        text = f"{text} {said}"
    return None


def _text(
    rules: ReferenceRules, phase: str, statement: Statement, frame: Frame, said: str
) -> tuple[str, frozenset[int]]:
    """Return the author's text, with what its words in braces stand for, and these sites.

    Without one, a choice that is none of sites is for the one site that the variable of a loop
    stands for, and no word of the move names.
    """
    prompt, (_, scope) = prompt_of(rules, phase, statement), source_of(statement)
    is_site = isinstance(statement, Choose) and statement.slot.type == SITES
    if scope is None or ("{" not in prompt if prompt else is_site):
        return prompt, frozenset()
    named = Moment(rules, list(frame)).named(scope)
    sites = {word: told for word, (told, value) in named.items() if value.type == SITES}
    if prompt:
        sites = {word: told for word, told in sites.items() if f"{{{word}}}" in prompt}
        prompt = captioned(prompt, {word: told for word, (told, _) in named.items()})
    else:
        every = program_statements(rules.game.program)
        loops = {Get(statement.slot) for statement in every if isinstance(statement, ForEach)}
        sites = {
            word: told
            for word, told in sites.items()
            if scope.locals[word] in loops and told.lower() not in words(said)
        }
        prompt = f"for {next(iter(sites.values()))}" if len(sites) == 1 else ""
    indices = map(rules.game.board.index, sites.values() if prompt else ())
    return prompt, frozenset(index for index in indices if index is not None)
