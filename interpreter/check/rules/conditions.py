"""Conditions that are known before play, whatever the options are.

In: the conditions of the game with all its variants and options. Out: warnings. What then holds:
nothing is told of a condition that depends on an option, on the side, or on an argument.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from gdl.codes import Code
from gdl.core.nodes import Const, Expression
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping
from gdl.elaborate.names.origins import JoinedSets
from gdl.interpreter.check.places import RULES, parsed_rules, warning
from gdl.interpreter.check.subject import Subject
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in

_WORD = re.compile(r"\w+")
_LITERAL = ("yes", "no")
_OF_SITES = (
    r"(?:not )?(?:some|no|(?P<count>count)) (?P<sites>(?!\w+ in\b)(?!.*\b(?:where|and|or)\b)"
    r"(?(count)[^=<>!]+?|.+))(?P<after>(?(count) (?:=|!=|<|>|<=|>=) \w+))"
)
_OF_PIECES = {"own", "enemy", "all", "empty", "team"}
_IN_PARENTHESES = r"\([^()]*\)"
_ONE_TERM = r"\w+(?:\([^()]*\))?(?: & \w+(?:\([^()]*\))?)*"
"""Sites that can stand behind `own &` as they are. Patterns are read where something is told."""


def check_conditions(subject: Subject) -> Iterator[Diagnostic]:
    """Yield the conditions that always have the same value, the smallest that say why."""
    game = subject.game()
    assert game is not None
    origins = subject.origins
    games = (game, *filter(None, map(subject.game, subject.variants)))
    by_option = frozenset().union(*map(_words_of_options, games))
    constant = {
        span: next(iter(values))
        for span, values in origins.folded.items()
        if len(values) == 1
        and span not in origins.open
        and span.source.name == subject.source.name
        and span.text not in _LITERAL
        and not by_option & set(_WORD.findall(span.text))
        and not _is_asked_by_can(span)
        and not _mentions_parameter(span, game)
    }
    for span, value in constant.items():
        if not any(other != span and span.holds(other) for other in constant):
            yield warning(
                Code.ALWAYS_TRUE if value else Code.NEVER_TRUE,
                f"This is {'always' if value else 'never'} true, as is known before play.",
                span,
                _who_stands_there(span.text)
                or "See whether it says what was meant."
                + (" If it always holds, leave it out." if value else ""),
            )


def always_some(subject: Subject) -> Iterator[Diagnostic]:
    """Yield where `some` or `no` asks for sets joined by `|` of which one always has sites."""
    game = subject.game()
    assert game is not None
    joined = subject.origins.joined_at()
    by_option = _words_of_options(game)
    for rules in parsed_rules(game, RULES):
        for node in nodes_in(rules):
            match node:
                case t.Operation(
                    operator="some" | "no" as word,
                    operands=(t.Operation(operator="|", operands=parts) as union,),
                ):
                    meanings = joined.get(tuple(part.span for part in parts), ())
                    known = [
                        set(map(_has_sites, each))
                        for each in zip(*map(_values, meanings), strict=True)
                    ]
                    place = next((n for n, has in enumerate(known) if has == {True}), None)
                    if place is None or by_option & set(_WORD.findall(union.span.text)):
                        continue
                    if not _is_asked_by_can(node.span) and not _mentions_parameter(node.span, game):
                        yield _always_some(word, node.span, parts, place)


def _values(joined: JoinedSets) -> Iterator[Expression]:
    return (part for _, part in joined.parts)


def _has_sites(sites: Expression) -> bool:
    return isinstance(sites, Const) and bool(sites.value)


def _always_some(word: str, span: Span, parts: Sequence[t.Expression], place: int) -> Diagnostic:
    always = parts[place].span.text
    hint = f"`{always}` has sites whatever is played, and `|` joins them to all others."
    meet = next(
        (one for one in parts if isinstance(one, t.Operation) and one.operator == "&"), None
    )
    if meet is not None:
        hint = f"`&` binds more closely than `|`: this asks for `({meet.span.text}) | {always}`."
        last = meet.operands[-1].span
        if meet is parts[0] and not parts[2:] and isinstance(meet.operands[-1], t.Name | t.Call):
            first = span.source.text[meet.span.start : last.start]
            hint += f" Write `{word} {first}({last.text} | {always})`."
    told = "always" if word == "some" else "never"
    code = Code.ALWAYS_TRUE if word == "some" else Code.NEVER_TRUE
    return warning(code, f"This is {told} true, as is known before play.", span, hint)


def _who_stands_there(text: str) -> str:
    """Return the way out where a condition asks for sites of the board; nothing elsewhere.

    >>> _who_stands_there("some (d4 | e4)")
    '`d4 | e4` are the same sites whatever is played. For the pieces there: `some own & (d4 | e4)`.'
    >>> _who_stands_there("count top >= 8")
    '`top` are the same sites whatever is played. For the pieces there: `count (own & top) >= 8`.'
    """
    found = re.fullmatch(_OF_SITES, text)
    if found is None or _OF_PIECES & set(_WORD.findall(found["sites"])):
        return ""
    sites, before = found["sites"], text[: found.start("sites")]
    bare = sites[1:-1] if re.fullmatch(_IN_PARENTHESES, sites) else sites
    is_one = re.fullmatch(_ONE_TERM, sites) or bare != sites
    there = f"own & {sites if is_one else f'({sites})'}"
    condition = f"{before}({there}){found['after']}" if found["count"] else f"{before}{there}"
    return f"`{bare}` are the same sites whatever is played. For the pieces there: `{condition}`."


def _is_asked_by_can(span: Span) -> bool:
    """Return whether it is all that a `can` asks: one that always holds asks for a move."""
    return span.source.text[: span.start].rstrip().endswith("make")


def _words_of_options(game: Game) -> set[str]:
    """Return the names of options, and of all definitions whose values depend on one."""
    words = {option.name for option in game.options}
    bodies = [(key.split("(")[0].strip(), text) for key, text, _ in _definitions(game)]
    while True:
        more = {
            name for name, text in bodies if name not in words and words & set(_WORD.findall(text))
        }
        if not more:
            return words
        words |= more


def _mentions_parameter(span: Span, game: Game) -> bool:
    """Return whether a condition stands in a definition and depends on what that is given."""
    return any(
        body.holds(span)
        and set(_WORD.findall(key.partition("(")[2])) & set(_WORD.findall(span.text))
        for key, _, body in _definitions(game)
    )


def _definitions(game: Game) -> Iterator[tuple[str, str, Span]]:
    for section in ("define", "regions", "relations", "actions"):
        node = game.document.get(section)
        for key, value in node.entries if isinstance(node, Mapping) else ():
            yield key.text, value.span.text, value.span
