"""Options and variants that change nothing, or that allow what the rules can't do.

In: the game with each variant, and with each option at its edges and inside its range. Out:
warnings. What then holds: what fails was tried; what has no effect was tried with several values.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gdl.codes import Code
from gdl.core.merging import equal_up_to_names
from gdl.core.nodes import Const, Ending
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping as Document
from gdl.interpreter.check.effort import Part
from gdl.interpreter.check.finding import Finding, WitnessGame
from gdl.interpreter.check.places import RULES, note, parsed_rules, warning
from gdl.interpreter.check.rules.ends import contradictions
from gdl.interpreter.check.subject import Subject
from gdl.interpreter.verify.combinations import Combination, edges_of
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in


def unused_options(game: Game) -> Iterator[Diagnostic]:
    """Yield the options whose names stand nowhere else in the file."""
    section = game.document.get("options")
    if not isinstance(section, Document):
        return
    others = [node.span.text for key, node in game.document.entries if key.text != "options"]
    others += [node.span.text for _, node in section.entries]
    words = set(re.findall(r"\w+", "\n".join(others)))
    for key, _ in section.entries:
        if key.text not in words:
            yield warning(
                Code.UNUSED,
                f"The option `{key.text}` is declared, but nothing uses it.",
                key.span,
                "Remove it, or use it.",
            )


def idle_variants(subject: Subject) -> Iterator[Finding]:
    """Yield a warning for each variant that plays by the rules of the game itself."""
    game = subject.game()
    for name in subject.variants:
        variant = subject.game(name)
        assert game is not None
        if variant is not None and _is_same(game, variant):
            section = game.document.get("variants")
            entry = section.entry(name) if isinstance(section, Document) else None
            yield Finding(
                warning(
                    Code.NO_EFFECT,
                    f"The variant `{name}` has the same rules as the game itself.",
                    None if entry is None else entry[0].span,
                    "Look whether it says what was meant, or remove it.",
                )
            )


def check_options(subject: Subject) -> Iterator[Finding]:
    """Yield options with which the rules can't be read, and such as change nothing.

    Values are tried as long as that is little work; the layer that plays tries the others.
    """
    game = subject.game()
    section = None if game is None else game.document.get("options")
    if game is None or not isinstance(section, Document):
        return
    unused = {found.span for found in unused_options(game)}
    failed: set[str] = set()
    same: dict[str, list[bool]] = defaultdict(list)
    part = subject.for_options()
    for combination in subject.option_combinations():
        if part.left <= 0 or not subject.may_load_more:
            break
        (name,) = combination.options
        other = subject.load(combination)[0]
        if other is not None:
            same[name].append(_is_same(game, other))
        elif name not in failed:
            failed.add(name)
            yield from option_fails(subject, combination)
    edges = {option.name: edges_of(option, game.sides) for option in game.options}
    for name, results in same.items():
        entry = section.entry(name)
        if entry is None or name in failed or entry[0].span in unused:
            continue
        if all(results) and len(results) >= len(edges[name]):
            if _matters_with_another(subject, name, part):
                continue
            yield Finding(
                warning(
                    Code.NO_EFFECT,
                    f"The option `{name}` changes nothing: the rules are the same with each value"
                    " that was tried.",
                    entry[0].span,
                    "Look whether it says what was meant, or remove it.",
                )
            )


def _matters_with_another(subject: Subject, name: str, part: Part) -> bool:
    """Return whether an option changes the rules where another one is switched on, or off.

    Where there is no more work to find out, it may.
    """
    game = subject.game()
    assert game is not None
    (values,) = (edges_of(one, game.sides) for one in game.options if one.name == name)
    for other in game.options:
        switched = [value for value in edges_of(other, game.sides) if value in _SWITCHED]
        if other.name == name or not switched:
            continue
        if part.left <= 0:
            return True
        for value in switched:
            alone = subject.load(Combination((), {other.name: value}))[0]
            for mine in values:
                both = subject.load(Combination((), {other.name: value, name: mine}))[0]
                if alone is not None and both is not None and not _is_same(alone, both):
                    return True
    return False


def option_fails(subject: Subject, combination: Combination) -> Iterator[Finding]:
    """Yield that the rules can't be read with options that are allowed."""
    game = subject.game()
    section = None if game is None else game.document.get("options")
    name = next(iter(combination.options))
    entry = section.entry(name) if isinstance(section, Document) else None
    problem = next(d for d in subject.load(combination)[1] if d.severity == "error")
    values = " and ".join(f"{name} {value}" for name, value in combination.options.items())
    found = warning(
        Code.OPTION_FAILS,
        f"With {values}, which is allowed, the rules can't be read: {problem.message}",
        None if entry is None else entry[0].span,
        problem.hint or "Allow less under `in`.",
        () if problem.span is None else (("It fails here.", problem.span),),
    )
    yield Finding(found, None, "witnessed", WitnessGame(combination, ()))


def _is_same(one: Game, other: Game) -> bool:
    """Return whether two games have the same rules, however they are written."""
    boards = [[(site.name, site.x, site.y) for site in game.board.sites] for game in (one, other)]
    first, second = ((game.program, game.sights) for game in (one, other))
    return boards[0] == boards[1] and equal_up_to_names(first, second, ())


# ------------------------- what is never true, or has no site, for some values of the options alone

_IS_OFF = ("0", "no", "yes")
"""Values by which an option takes a rule away on purpose."""


def check_values(subject: Subject) -> Iterator[Diagnostic]:
    """Yield clauses that can't hold with some value of an option, and regions without a site."""
    game = subject.game()
    assert game is not None
    others = [
        (combination, other)
        for combination in subject.option_combinations()
        if not combination.variants
        and subject.is_loaded(combination)
        and (other := subject.load(combination)[0]) is not None
    ]
    yield from _empty_regions(game, others)
    variants = filter(None, map(subject.game, subject.variants))
    yield from _empty_relations([game, *(other for _, other in others), *variants])
    told: set[Span] = set()
    mine = _open_clauses(game).keys() - {found.span for found in contradictions(game)}
    for combination, other in others:
        if any(value in _IS_OFF for value in combination.options.values()):
            continue
        failing = {found.span for found in contradictions(other)}
        open_there = _open_clauses(other).keys() - failing
        for span in mine:
            if span not in open_there and span not in told:
                told.add(span)
                yield note(
                    Code.NEVER_TRUE,
                    f"With {_told(combination.options)}, which is allowed, this is never true.",
                    span,
                    "See whether the game makes sense with that value; or allow less under `in`.",
                )


def _open_clauses(game: Game) -> dict[Span, Ending]:
    """Return the clauses of `end` that may hold, by their places."""
    return {
        ending.span: ending
        for turn in game.program.turns
        for ending in turn.endings
        if ending.span is not None
        and not (isinstance(ending.condition, Const) and not ending.condition.value)
    }


def _empty_regions(game: Game, others: list[tuple[Combination, Game]]) -> Iterator[Diagnostic]:
    section = game.document.get("regions")
    for key, _ in section.entries if isinstance(section, Document) else ():
        if key.text not in game.regions:
            continue
        if not game.regions[key.text]:
            if not any(other.regions.get(key.text) for _, other in others):
                yield warning(
                    Code.EMPTY_REGION,
                    f"`{key.text}` has no site.",
                    key.span,
                    "See whether it says what was meant.",
                )
            continue
        for combination, other in others:
            if other.regions.get(key.text) == 0:
                yield note(
                    Code.EMPTY_REGION,
                    f"With {_told(combination.options)}, which is allowed, `{key.text}` has no"
                    " site.",
                    key.span,
                    "See whether the rules make sense without; or allow less under `in`.",
                )
                break


def _empty_relations(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the relations of the file that lead nowhere in any of some games.

    Also the first uses of those of the board, such as `north` where no line leads up.
    """
    section = games[0].document.get("relations")
    own = section.entries if isinstance(section, Document) else ()
    places = {key.text: key.span for key, _ in own if key.text in games[0].relations}
    for rules in parsed_rules(games[0], {**RULES, "relations": "expression"}):
        for node in nodes_in(rules):
            if isinstance(node, t.Name) and node.name in games[0].board.relations:
                places.setdefault(node.name, node.span)
    for name, place in places.items():
        found = [one.relations.get(name, one.board.relations.get(name)) for one in games]
        if all(relation is not None and not relation.offset_classes for relation in found):
            yield warning(
                Code.EMPTY_RELATION,
                f"`{name}` leads nowhere: no two sites of the board are so related.",
                place,
                "See whether it says what was meant: how far it leads, and which way.",
            )


def _told(options: Mapping[str, str]) -> str:
    return " and ".join(f"{name} {value}" for name, value in options.items())


# ------------------------ does what is proved of a game hold with other values of its options, too?

_MOST_TRIED = 16
_SWITCHED = ("yes", "no")
_OF_NO_USE = frozenset(
    (
        Code.NEVER_WRITTEN,
        Code.NEVER_READ,
        Code.NEVER_PLACED,
        Code.NEVER_REACHED,
        Code.UNREAD_CHOICE,
        Code.NO_SUCH_ROW,
    )
)
"""What is told of a part that does nothing: one value of an option that uses it is enough."""
_NEVER = frozenset((Code.NEVER_TRUE, Code.ALWAYS_EMPTY))
"""What is worth telling of the game as its options stand."""

_Key = tuple[str, Span | None]


def with_other_values(
    subject: Subject, found: Iterable[Finding], look: Callable[[Game], Iterator[Diagnostic]]
) -> Iterator[Finding]:
    """Yield findings; `look` yields what would be found in a game with other values."""
    findings = list(found)
    asked = {
        _key(one.diagnostic)
        for one in findings
        if one.variant is None and one.diagnostic.code in _OF_NO_USE | _NEVER
    }
    changed: dict[_Key, Combination] = {}
    of_variants = [Combination((variant,)) for variant in subject.variants]
    for combination in (*of_variants, *_switches_first(subject)) if asked else ():
        left = asked - changed.keys()
        if combination.variants:  # another set of rules, of which only use says something
            left = {key for key in left if key[0] in _OF_NO_USE}
        game = subject.load(combination)[0] if left else None
        if game is not None:
            there = set(map(_key, look(game)))
            changed.update((key, combination) for key in left if key not in there)
    for one in findings:
        other = changed.get(_key(one.diagnostic)) if one.variant is None else None
        if other is None:
            yield one
        elif one.diagnostic.code in _NEVER:
            yield replace(one, diagnostic=_as_options_stand(subject, one.diagnostic, other))


def _switches_first(subject: Subject) -> list[Combination]:
    """Return some combinations of options, those first that switch a part of the rules."""
    found = sorted(
        subject.option_combinations(),
        key=lambda one: any(value not in _SWITCHED for value in one.options.values()),
    )
    return found[:_MOST_TRIED]


def _key(found: Diagnostic) -> _Key:
    return found.code, found.span


def _as_options_stand(subject: Subject, found: Diagnostic, other: Combination) -> Diagnostic:
    """Return a finding that says that it depends on the value of an option."""
    (name,) = other.options
    game = subject.game()
    value = next((o.value for o in game.options if o.name == name), "") if game else ""
    told = f"With {name} {value}, as it stands:" if value else "As the options stand:"
    return replace(found, message=f"{told} {found.message}", severity="note")
