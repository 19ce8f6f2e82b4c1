"""Captures that the text speaks of and no rule makes, and captions that speak of the wrong side.

In: the text of a game, its clauses with their captions, and its turns. Out: notes. What then holds:
of captures, that no turn has a word that takes pieces, and pieces come to empty sites alone; of a
side, that the caption names it alone, and the clause the other alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from interpreter.check.places import note, turn_span, without_comments
from interpreter.check.rules.quantified import captioned

_PROGRAMS = ("turn", "phases", "actions", "together")
_CAPTURED = re.compile(
    r"(?<!to )\b(?:captur(?:e[sd]?|ing)|(?:is|are) (?:removed|taken(?: off)?))\b", re.IGNORECASE
)
_NEGATED = re.compile(r"\b(?:no|not|never|nothing|without|cannot|can't|nobody)\b", re.IGNORECASE)
_TAKES = re.compile(r"\b(?:remove|flip|change|hand|shift|swap|take|keep)\b")
_PUTS = re.compile(r"\b(?:place|move)\b")
_CHOICE = re.compile(r"\bchoose\s+(?:\w+\s+)*?in\b([^\n]*)")
_FROM = re.compile(r"^\s*own\b")
_SIDES = {"own": "own", "mover": "own", "enemy": "enemy"}
_OTHER_SIDES = re.compile(r"\b(?:following|preceding)\b")
_ENEMY_HAS = re.compile(r"the enemy (?:has|owns|holds)\b", re.IGNORECASE)
_OWN_HAS = re.compile(r"\{own\} (?:has|owns|holds)\b")
_CLAUSE = re.compile(r"^\s*(?:mover|any)\s+(?:wins|loses)\b.*?\bwhen\b(.*)", re.DOTALL)


def unmade_captures(game: Game, about: Span) -> Iterator[Diagnostic]:
    """Yield that a text speaks of captures, where turns only bring pieces to empty sites."""
    said = next(filter(_is_capture, re.split(r"[.;:]", about.text)), None)
    code = "\n".join(
        without_comments(node.span.text)
        for node in map(game.document.get, _PROGRAMS)
        if node is not None
    )
    if said is None or not _PUTS.search(code) or _TAKES.search(code):
        return
    choices = [choice for choice in _CHOICE.findall(code) if not _FROM.search(choice)]
    if choices and all(re.search(r"\bempty\b", one) and "|" not in one for one in choices):
        yield note(
            "text-differs",
            "The text speaks of what is captured, and no turn takes a piece.",
            turn_span(game),
            "Mend the rule, or the text.",
            (("The text says so here.", about),),
        )


def _is_capture(sentence: str) -> bool:
    return bool(_CAPTURED.search(sentence)) and not _NEGATED.search(sentence)


def told_of_the_other(game: Game) -> Iterator[Diagnostic]:
    """Yield clauses that ask for what one side has where their captions say that the other has it.

    Who has taken all leaves the enemy none: so `own` is only held against what is kept of a side.
    """
    kept = {name.partition("(")[0] for name in game.state_slots}
    for key in ("end", "stuck"):
        for clause, says in captioned(game.document.get(key)):
            found = _CLAUSE.match(without_comments(clause.text))
            if found is None or _OTHER_SIDES.search(found[1]):
                continue
            asked = {_SIDES[word] for word in re.findall(r"\b(own|mover|enemy)\b", found[1])}
            is_kept = any(name in kept for name in re.findall(r"(\w+)\(enemy\b", found[1]))
            said = says.text.strip("\"'")
            if asked == {"own"} and _ENEMY_HAS.match(said):
                told = "has, and its caption says that the enemy has it"
            elif asked == {"enemy"} and is_kept and _OWN_HAS.match(said):
                told = "has, and its caption says that `own` has it"
            else:
                continue
            yield note(
                "text-differs",
                f"This asks for what `{asked.pop()}` {told}.",
                clause,
                "Mend the rule, or the text.",
                (("The text says so here.", says),),
            )
