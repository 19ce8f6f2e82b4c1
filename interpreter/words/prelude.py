"""The words of the language and of its prelude that stand for sets, as nouns.

In: the arguments of a word, in their context. Out: a `Noun`. What then holds: every word of
`BUILT_IN` is told by what it means, not by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from gdl.syntax import tree as t
from interpreter.words.context import Context, Say
from interpreter.words.english import (
    Noun,
    common,
    owned,
    plural,
    possessive,
    region,
    single,
)


def _reach(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way = say.noun(arguments[0], at), say.way(arguments[1], at)
    told = common("site").after(f"that can be reached from {start.many} {way.along}")
    return replace(told, many=f"all that can be reached from {start.many} {way.along}")


def _groups(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return common("group").after(f"of {say.noun(arguments[0], at).many}")


def _run(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way, through = arguments
    where = f"from {say.noun(start, at).one} {say.way(way, at).along}"
    sites = say.noun(through, at)
    told = f"in the unbroken row of {sites.bare} {where}"
    return replace(
        common("piece" if sites.kind == "piece" else "site", sites.kind).after(told),
        many=f"the unbroken row of {sites.bare} {where}",
    )


def _ray(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return _run(arguments, at, say).after("or right behind it")


def _bracketed(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way, through, close = arguments
    caught = say.noun(through, at)
    where = (
        f"{say.way(way, at).along} between {say.noun(start, at).one} and {say.noun(close, at).one}"
    )
    told = common("piece" if caught.kind == "piece" else "site", caught.kind)
    return replace(
        told.after(f"in a row of {caught.bare} {where}"),
        many=f"the rows of {caught.bare} {where}",
        none=f"no row of {caught.bare} {where}",
    )


def _slides(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way, through = (
        say.noun(arguments[0], at),
        say.way(arguments[1], at),
        say.noun(arguments[2], at),
    )
    is_usual = through.one == "an empty site"
    over = "" if is_usual else f" over {through.bare}"
    told = common("empty site" if is_usual else "site")
    return told.after(f"that {start.one} can slide to {way.along}{over}")


def _between(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    one, other = (say.noun(argument, at).one for argument in arguments)
    return common("site").after(f"between {one} and {other}")


def _jump(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, way, over, landing = arguments
    told = f"behind {say.noun(over, at).one} that is next to {say.noun(start, at).one}"
    return say.noun(landing, at).after(f"{told}, {say.way(way, at).along}")


def _connected(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    start, _, among = arguments
    sites = say.noun(among, at)
    told = f"of {sites.bare} from {say.noun(start, at).many}"
    return replace(
        common(sites.kind, sites.kind).after(f"in the chain {told}"), many=f"the chain {told}"
    )


def _liberties(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return common("empty site").after(f"next to {say.noun(arguments[0], at).many}")


def _lines(what: str) -> Callable[[Sequence[t.Expression], Context, Say], Noun]:
    def told(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
        ends = [_digits(argument, at, say) for argument in arguments]
        numbers = ends[0] if len(ends) == 1 else f"{ends[0]} to {ends[1]}"
        return region(f"{what if len(ends) == 1 else plural(what)} {numbers}")

    return told


def _digits(node: t.Expression, at: Context, say: Say) -> str:
    known = at.settled(node)
    return str(known) if isinstance(known, int) else say.number(node, at)


def _site(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    column, row = (say.number(argument, at) for argument in arguments)
    return single(f"the site in column {column} and row {row}")


def _first(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return single(f"the first of {say.noun(arguments[0], at).many}")


def _holding(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    told = say.noun(arguments[0], at)
    return common("pile", "piece").after(f"that holds {told.one}")


def _owner(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return owned(f"the owner of {say.noun(arguments[0], at).one}'s", at.kind_word())


def _following(arguments: Sequence[t.Expression], at: Context, say: Say) -> Noun:
    return owned(
        possessive(
            say.thing(
                t.Call(arguments[0].span, t.Name(arguments[0].span, "following"), tuple(arguments)),
                at,
            )
        ),
        at.kind_word(),
    )


BUILT_IN: dict[tuple[str, int], Callable[[Sequence[t.Expression], Context, Say], Noun]] = {
    ("reach", 2): _reach,
    ("groups", 2): _groups,
    ("run", 3): _run,
    ("ray", 3): _ray,
    ("bracketed", 4): _bracketed,
    ("slides", 3): _slides,
    ("between", 2): _between,
    ("jump", 4): _jump,
    ("connected", 3): _connected,
    ("liberties", 1): _liberties,
    ("rows", 1): _lines("row"),
    ("rows", 2): _lines("row"),
    ("columns", 1): _lines("column"),
    ("columns", 2): _lines("column"),
    ("site", 2): _site,
    ("first", 1): _first,
    ("holding", 1): _holding,
    ("owner", 1): _owner,
    ("following", 1): _following,
}
