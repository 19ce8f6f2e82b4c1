"""What is so, in words, instead of what the rules ask for.

In: conditions, each with whether it holds, the scope that they were read in, and local words with
what they stand for. Out: a sentence, or nothing. What then holds: no word of the file is in it that
stands for something unsaid.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from gdl.core.nodes import Const, Get, Slot
from gdl.core.types import SITES
from gdl.elaborate.names.scope import Scope
from gdl.elaborate.names.values import RelationValue
from gdl.interpreter.english import listed, sentence, single
from gdl.interpreter.words.asker import Asker
from gdl.interpreter.words.context import YOU, Spoken, context_of
from gdl.interpreter.words.phrases import Phrases
from gdl.interpreter.words.relations import direction
from gdl.syntax import tree as t

_SAY = Phrases()
_UNSAID = re.compile(
    r"“|related to|a part of the board|it is (never|always) so|as the rules say|that kind if"
    r"|\bthe [a-z]\b"
)
_ALWAYS = ("it is always so", "it is never so")
_LONGEST = 240


def refusal(
    parts: Iterable[tuple[t.Expression, bool]],
    scope: Scope,
    asker: Asker,
    named: Mapping[str, tuple[str, Const]],
    conditions: Mapping[str, t.Expression],
) -> str:
    """Return that each part holds, or does not, as it is said to the side on turn.

    `named` are local words that stand for a site, a side, a kind or another value that has a name,
    with its name and value; `conditions` those that stand for a condition. What is so in every
    position is left out where something else is said.
    """
    at = context_of(asker, scope, replace(YOU, is_known=True))
    for word, condition in conditions.items():
        at = at.defined_as(word, condition)
    for word, direct in scope.locals.items():
        if isinstance(direct, RelationValue) and direct.name:
            spoken = Spoken(direct.name, way=direction(direct.name))
            at = at.named(word, spoken, direct)
    for word, (name, value) in named.items():
        is_site = value.type == SITES
        spoken = Spoken(name, noun=single(name, "site") if is_site else None)
        # A site that is known would settle what is asked of it, and nothing would be told.
        at = at.named(word, spoken, Get(Slot(word, SITES)) if is_site else value)
    all_told = [_SAY.holds(part, at, is_so=is_so) for part, is_so in parts]
    parted = [one for one in all_told if one not in _ALWAYS] or all_told
    sites = {name for name, value in named.values() if value.type == SITES}
    # What a site is not to itself, as being next to it, is no news where more is told.
    parted = [one for one in parted if not _of_itself(one, sites)] or parted
    told = ", and ".join(parted) if "," in "".join(parted) else listed(parted, "and")
    if not told or len(told) > _LONGEST or _UNSAID.search(told):
        return ""
    return f"{told}." if told.split()[0] in sites else sentence(told)


def _of_itself(told: str, sites: Iterable[str]) -> bool:
    """Return whether a sentence tells of a site how it is to itself."""
    words = told.split()
    return any(words.count(site) > 1 for site in sites)
