"""What the statements of a turn do, in words: pieces that are put, moved, removed, and values.

In: a statement that decides nothing, in its context. Out: a sentence without its full stop.
"""

from __future__ import annotations

from gdl.core.types import SITES
from gdl.syntax import tree as t
from interpreter.words.captions import called
from interpreter.words.context import Argument, Context, Spoken
from interpreter.words.english import (
    Noun,
    a,
    amount,
    in_words,
    number_word,
    plural,
    possessive,
    verb_of,
    verb_of_value,
)
from interpreter.words.numbers import side
from interpreter.words.phrases import Phrases

_SAY = Phrases()


def effect(node: t.PlainStatement, at: Context) -> str:
    """Return what a statement does; nothing of one that is told step by step."""
    match node:
        case t.Pass():
            return "pass"
        case t.Place(_, piece, source, way, sites):
            where = {"at": "on", "onto": "on top of", "under": "under"}[way]
            noun = _SAY.noun(sites, at)
            is_many = not noun.is_one
            place = noun.many if way == "at" else f"what is on {noun.many}"
            what = _piece(piece, at)
            if source is not None:
                what += f" from {_hand(source, at)}"
            if is_many:
                return (
                    f"put {what} {where} each of {place}"
                    if not noun.many.startswith("the rows")
                    else f"put {what} {where} {place}"
                )
            return f"put {what} {where} {place}"
        case t.Remove(_, count, sites):
            noun = _SAY.noun(sites, at)
            if count is not None:
                return f"take {_uppermost(count, 'off', noun.many, at)}"
            return f"remove {_what_stands(noun)}"
        case t.MovePiece(_, count, source, way, destination):
            what = _what_stands(_SAY.noun(source, at))
            if count is not None:
                what = _uppermost(count, "of", _SAY.noun(source, at).many, at)
            where = {"to": "to", "onto": "on top of", "under": "under"}[way]
            if _is_hand(destination):
                return f"take {what} into {_hand(destination, at)}"
            return f"move {what} {where} {_SAY.noun(destination, at).many}"
        case t.Flip(_, sites):
            return f"flip {_what_stands(_SAY.noun(sites, at))}"
        case t.Change(_, sites, piece):
            noun = _SAY.noun(sites, at)
            are_many = noun.kind == "piece" and not noun.is_one
            becomes, told = "becomes", _piece(piece, at)
            if are_many:
                becomes, told = "become", told.removeprefix("one of ")
            return f"{_what_stands(noun)} {becomes} {told}"
        case t.Shift(_, sites, relation):
            return f"shift {_SAY.noun(sites, at).many} {_SAY.way(relation, at).along}"
        case t.Assign(_, target, value):
            return _assigned(target, value, at)
        case t.Add(_, amount, target):
            return _added(amount, target, at)
        case t.Again():
            return f"{at.voice.own} {at.voice.has} another turn"
        case t.NextSide(_, who):
            name = side(who, at, _SAY)
            return f"{name} {verb_of([name], 'is')} on turn next"
        case t.Swap():
            return "the players exchange sides"
        case t.Take(_, who):
            return f"from now on, {at.voice.own} play {side(who, at, _SAY)}"
        case t.GoTo(_, phase):
            return f"the phase “{in_words(phase.name)}” begins"
    return ""


def _uppermost(count: t.Expression, off: str, pile: str, at: Context) -> str:
    """Return so many pieces from the top of a pile."""
    told = amount(_SAY.number(count, at), "piece")
    if told == "one piece":
        return f"the uppermost piece {off} {pile}"
    if told.startswith(("that ", "as ", "the ")):
        return f"{told} from the top of {pile}"
    return f"the uppermost {told} {off} {pile}"


def _is_hand(node: t.Expression) -> bool:
    function = node.function if isinstance(node, t.Call) else node
    return isinstance(function, t.Name) and function.name == "hand"


def _hand(node: t.Expression, at: Context) -> str:
    """Return whose hand pieces come from or go to."""
    arguments = node.arguments if isinstance(node, t.Call) else ()
    return called("hand", arguments, at, _SAY) if arguments else f"{at.voice.owns} hand"


def _what_stands(noun: Noun) -> str:
    if noun.kind == "piece":
        return noun.many
    return f"what stands on {noun.many}"


def _piece(piece: t.Piece, at: Context) -> str:
    """Return what a piece is called that a statement names."""
    d = at.scope.declarations
    owner, kind = "", ""
    for word in piece.words:
        of = at.type_of(word)
        if of is not None and of.name == "side":
            owner = side(word, at, _SAY)
        elif isinstance(word, t.Name) and word.name in d.kind_type.values:
            kind = in_words(word.name) if len(d.kinds) > 1 else at.kind_word()
        else:
            kind = _kind(word, at)
    if piece.owner is not None:
        owner = side(piece.owner, at, _SAY)
    if not kind:
        return (
            f"{possessive(owner)} piece"
            if owner and owner != at.voice.own
            else "one of your pieces"
        )
    if kind.startswith("the "):
        kind = f"piece of {kind}" if "kind" in kind else kind
    if kind.startswith("the "):
        return kind
    neutral = any(one.name == kind and one.is_neutral for one in d.kinds)
    if neutral or len(d.sides) == 1:
        return a(kind)
    if not owner or owner == at.voice.own:
        return (
            f"{at.voice.owns} {kind}"
            if kind.startswith("piece of")
            else f"one of {at.voice.owns} {plural(kind)}"
        )
    return f"{a(kind)} of {owner}"


def _kind(word: t.Expression, at: Context) -> str:
    if (
        isinstance(word, t.Call)
        and isinstance(word.function, t.Name)
        and word.function.name == "kind"
    ):
        return f"piece like that of {_SAY.noun(word.arguments[0], at).one}"
    if isinstance(word, t.Name):
        spoken = at.words.get(word.name)
        if isinstance(spoken, Argument):
            return _kind(spoken.node, spoken.at)
        if spoken is not None:
            return "piece of that kind"
    if isinstance(word, t.Name) and word.name in at.scope.declarations.state:
        return f"the {in_words(word.name)} piece"
    return "piece of the kind it says" if not isinstance(word, t.Name) else in_words(word.name)


def _target(target: t.Target, at: Context) -> str:
    name = target.name.name
    spoken = at.words.get(name)
    if isinstance(spoken, Spoken) and not target.arguments:
        return spoken.text
    if not target.arguments:
        return f"“{in_words(name)}”"
    return called(name, target.arguments, at, _SAY)


def _assigned(target: t.Target, value: t.Expression, at: Context) -> str:
    told = _target(target, at)
    of = at.type_of(value)
    if of is not None and of.name == "flag":
        settled = at.settled(value)
        words = told.removeprefix("the ").strip("“”")
        if settled is None:
            return f"“{words}” holds from now on just if {_SAY.holds(value, at)}"
        return f"“{words}” {'holds from now on' if settled else 'no longer holds'}"
    becomes = verb_of_value(told, "becomes")
    if isinstance(value, t.Name) and value.name == "none":
        return f"{told} {becomes} nothing"
    return f"{told} {becomes} {_SAY.thing(value, at)}"


def _added(amount: t.Expression, target: t.Target, at: Context) -> str:
    told = _target(target, at)
    goes = verb_of_value(told, "goes")
    of = at.type_of(amount)
    known = at.settled(amount)
    if (of is not None and of.is_numeric) or (
        isinstance(known, int) and of is not None and of != SITES
    ):
        if isinstance(known, int) and known < 0:
            return f"{told} {goes} down by {number_word(-known)}"
        return f"{told} {goes} up by {_SAY.number(amount, at)}"
    if of is None and isinstance(amount, t.Operation) and amount.operator in ("count", "-", "+"):
        return f"{told} {goes} up by {_SAY.number(amount, at)}"
    what = _SAY.noun(amount, at).many
    sites = "" if told.endswith("sites") else " sites"
    return f"{told}{sites} now include {what}"
