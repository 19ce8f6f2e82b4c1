"""Words out of reach: a word that a turn makes, used where it is not known.

In: the program of a turn, and a finding. Out: the finding, with a hint that says where the word is
known. What then holds: only what is told of a word that the program makes was changed.
"""

from __future__ import annotations

from collections.abc import Sequence

from gdl.codes import Code
from gdl.diagnostic import Diagnostic, Span
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in

_PlainMaker = t.Choose | t.ChooseSet | t.LetStatement
_Maker = _PlainMaker | t.ForEach | t.Quantified


def told_of_reach(
    found: Diagnostic, program: Sequence[t.Statement], clauses: Sequence[tuple[t.Clause, str]]
) -> Diagnostic:
    """Return a finding with a better hint, if it is of a word that the program makes elsewhere.

    `clauses` say how the game may end, each with its caption.
    """
    if found.code != Code.UNKNOWN_NAME or found.span is None:
        return found
    makers = [
        node
        for node in nodes_in(program)
        if isinstance(node, _Maker) and _name(node).name == found.span.text
    ]
    if not makers:
        return found
    hint = ""
    around = next((maker for maker in makers if _taken_from(maker).holds(found.span)), None)
    if around is not None:
        hint = _in_its_own_set(found.span.text, around)
    elif any(statement.span.holds(found.span) for statement in program):
        hint = _below(found.span, program) or _in_another_block(found.span, makers)
    elif any(clause.span.holds(found.span) for clause, _ in clauses):
        hint = (
            f"`{found.span.text}` is known in the turn alone. What an ending asks for is kept in a"
            f" variable under `state`, to which the turn gives a value: `set last = …`."
        )
    return found.with_hint(hint) if hint else found


def _in_its_own_set(name: str, maker: _Maker) -> str:
    if isinstance(maker, t.LetStatement):
        return f"`{name}` is not known in its own value; `set` changes a variable of `state`."
    word = "choose" if isinstance(maker, t.Choose | t.ChooseSet) else "for each"
    if isinstance(maker, t.Quantified):
        word = maker.word
    return (
        f"`{name}` is not known in the set that it is taken from. What must hold of it follows"
        f" the set: `{word} {name} in S {'has' if word == 'every' else 'where'} C`."
    )


def _below(place: Span, block: Sequence[t.Statement]) -> str:
    """Return a hint for a word that is made further down in the block in which it is used."""
    around = next((one for one in block if one.span.holds(place)), None)
    if around is None:
        return ""
    for inner in blocks_inside(around):
        if hint := _below(place, inner):
            return hint
    for later in block[block.index(around) + 1 :]:
        if isinstance(later, _PlainMaker) and _name(later).name == place.text:
            return f"`{place.text}` is known below line {later.span.line}, where it is made."
    return ""


def _in_another_block(place: Span, makers: Sequence[_Maker]) -> str:
    before = [maker for maker in makers if maker.span.start < place.start]
    if not before:
        return f"`{place.text}` is known below line {makers[0].span.line}, where it is made."
    maker = before[-1]
    if isinstance(maker, t.Quantified):
        return f"`{place.text}` is known inside `{maker.word} {place.text} in …` alone."
    if isinstance(maker, t.ForEach):
        return f"`{place.text}` is known in the loop of line {maker.span.line} alone."
    return (
        f"`{place.text}` is made in line {maker.span.line}, and known in that block alone. Make it"
        f" before the block, or in each of the ways that lead here."
    )


def _name(maker: _Maker) -> t.Name:
    return maker.name if isinstance(maker, t.LetStatement) else maker.variable


def _taken_from(maker: _Maker) -> Span:
    return maker.value.span if isinstance(maker, t.LetStatement) else maker.domain.span
