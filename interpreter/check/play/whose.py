"""Whose pieces statements touch, where those of another side are hardly meant.

In: what statements did to layers of pieces, and what stood on the sites that were chosen. Out:
notes. What then holds: nothing is told of a statement that says itself whose pieces it means.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice

from gdl.codes import Code
from gdl.core.nodes import Assign, Choose, Get, Slot
from gdl.core.walk import program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.interpreter.check.coverage import Coverage
from gdl.interpreter.check.definitions import definitions_behind, words_in
from gdl.interpreter.check.places import (
    PROGRAMS,
    moves_on_board,
    note,
    parsed_rules,
    statements_by_place,
    turn_span,
)
from gdl.interpreter.check.play.seen import Seen
from gdl.interpreter.check.rules.texts import code_of
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in

_FEWEST = 20
_SURELY = 50
_MOST_DEFINITIONS = 4
_EITHER = re.compile(r"\bof either (?:side|colour|player)\b")
_WORD = re.compile(r"\w+")
_GIVEN = re.compile(r"(?<=\w)\([^()]*\)")
_LEFT_OUT = re.compile(r"(?:- |\bnot (?:in )?)\(?\w+")
_OF_PIECES = ("own", "enemy", "occupied")
_DOES = {"move": "moved", "remove": "took", "flip": "flipped", "change": "changed"}


def check_whose(all_seen: Sequence[Seen], coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the statements and choices that touch the pieces of a side that is hardly meant."""
    game = all_seen[0].game
    if game.piles is None:
        yield from _own_taken(all_seen, coverage)
        yield from _placed_over(all_seen, coverage)
        yield from _own_removed(all_seen, coverage)
    if not game.undecided:
        yield from _whose_pieces(game, coverage)  # of sides that decide together none is on turn


# ------------------------------------------------------------------- moves onto own pieces


def _own_taken(all_seen: Sequence[Seen], coverage: Coverage) -> Iterator[Diagnostic]:
    times, game = sum(seen.own_taken for seen in all_seen), all_seen[0].game
    by = list(_taking_own(game, coverage)) if times >= _FEWEST else []
    if by:
        place = _choice_of_own(game, coverage, by)
        behind = islice(definitions_behind(game, place), _MOST_DEFINITIONS)
        yield note(
            Code.OWN_TAKEN,
            f"A move onto a piece of one's own made that one vanish, {times:,} times.",
            place,
            _left_out_in_part(place.text)
            or "Leave `own` out of where a piece may go, or see whether that is meant.",
            [
                *(("It vanishes here.", span) for span in by if span != place),
                *(("It asks for this.", definition) for definition in behind),
            ],
        )


def _taking_own(game: Game, coverage: Coverage) -> Iterator[Span]:
    """Yield the statements by which own pieces can have vanished that another one moved onto.

    They are those that move a piece, and of which fewer own ones are left, and those that remove
    what was chosen, unless from `own`. Another one may do away with own pieces where none has come.
    """
    written, of_choices = statements_by_place(game), _at_chosen(game)
    alone = {span for block in parsed_rules(game, PROGRAMS) for span in _removed_alone(block)}
    for span, changes in coverage.layers.items():
        own = Counter[str]()
        for one, times in changes.items():
            own[one.what] += times if one.whose == "own" else 0
        statement, choice = written.get(span), of_choices.get(span, "")
        moves = moves_on_board(statement) or (choice and isinstance(statement, t.Shift))
        said = _WORD.findall(_LEFT_OUT.sub("", _GIVEN.sub("", choice)))
        removes = choice and isinstance(statement, t.Remove) and "own" not in said
        removes = removes and span not in alone
        if (moves and own["lost"] > own["gained"]) or (removes and own["lost"]):
            yield span


def _removed_alone(block: Sequence[t.Node]) -> Iterator[Span]:
    """Yield the statements that remove pieces in ways of a turn in which no piece moves."""
    moving = (t.MovePiece, t.Shift, t.Do)
    for one in block:
        others = [other for other in block if other is not one]
        if isinstance(one, t.Either) and not any(isinstance(n, moving) for n in nodes_in(others)):
            for way in one.alternatives:
                nodes = list(nodes_in(way.body))
                if not any(isinstance(node, moving) for node in nodes):
                    yield from (node.span for node in nodes if isinstance(node, t.Remove))


def _choice_of_own(game: Game, coverage: Coverage, by: Sequence[Span]) -> Span:
    """Return the choice of where a piece goes to by which own pieces were taken.

    That is one of sites with own pieces as well as others: one of own pieces alone says which piece
    moves. Where no choice or several are so, the last is meant. Where all statements `by` which
    they vanish move pieces to where nobody has chosen, it is the first of these.
    """
    choices, of = _chosen(game), statements_by_place(game)
    names = {slot.name for slot in choices}
    moves = [one for span in by if isinstance(one := of[span], t.MovePiece)]
    is_chosen = any(isinstance(to := one.destination, t.Name) and to.name in names for one in moves)
    if not is_chosen and len(moves) == len(by):
        return by[0]
    places = list(dict.fromkeys(one.span for one in choices.values() if one.span is not None))
    mixed = [span for span in places if 0 < _own(coverage, span) < coverage.chosen[span].total()]
    return next(reversed(mixed or places), turn_span(game))


def _own(coverage: Coverage, span: Span) -> int:
    return sum(times for stood, times in coverage.chosen[span].items() if stood.whose == "own")


def _left_out_in_part(choice: str) -> str:
    """Return a hint where `- own & S` leaves out less than it seems to; nothing elsewhere.

    >>> _left_out_in_part("choose t in all - own & top")
    '`&` binds more closely than `-`: `own & top` is left out. All of `own`: `(… - own) & top`.'
    """
    found = re.search(r"(?<=- )own & (\w+(?:\([^()]*\))?)", choice)
    if found is None:
        return ""
    left_out = f"`&` binds more closely than `-`: `{found[0]}` is left out."
    return f"{left_out} All of `own`: `(… - own) & {found[1]}`."


# ------------------------------------------------------------------- statements and their pieces


def _whose_pieces(game: Game, coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the statements that touched pieces of the side on turn as well as of another one.

    Where a statement names both, or what is `occupied`, it means both; so does one about several
    sets that are joined, and so do all where a rule asks whose pieces lie below others, or a text
    speaks of either side. Also those that only ever flipped the pieces of the side on turn.
    """
    blocks = list(parsed_rules(game, PROGRAMS))
    nodes = [node for block in blocks for node in nodes_in(block)]
    joined = {n.name.name for n in nodes if isinstance(n, t.LetStatement) and _is_joined(n.value)}
    if game.piles is not None and any(map(_asks_below, nodes)):
        return
    if _EITHER.search(code_of(game, "about", "rules")):
        return
    written = statements_by_place(game)
    for span, (others, own) in coverage.touched.items():
        sites = getattr(written.get(span), "sites", None)
        is_of_several = _is_joined(sites) or (isinstance(sites, t.Name) and sites.name in joined)
        words = {*_WORD.findall(span.text)}
        if {"own", "enemy"} <= words or "occupied" in words or is_of_several:
            continue
        verb = span.text.split(maxsplit=1)[0]
        if own >= _FEWEST and others >= _FEWEST:
            yield note(
                Code.OWN_AND_ENEMY,
                f"This {_DOES[verb]} pieces of the side on turn {own:,} times, and of another side"
                f" {others:,} times.",
                span,
                "See whether it should be the pieces of one side alone: `own`, or `enemy`.",
            )
        elif verb == "flip" and own >= _FEWEST and not others:
            yield note(
                Code.ONLY_OWN_LOST,
                f"This flipped pieces of the side on turn, {own:,} times, and never others.",
                span,
                "See whether `own` should be `enemy`.",
            )


def _is_joined(sites: object) -> bool:
    return isinstance(sites, t.Operation) and sites.operator == "|"


def _asks_below(node: t.Node) -> bool:
    """Return whether an expression is whose piece lies under others, as `owner(s, 1)` is."""
    match node:
        case t.Call(function=t.Name(name="owner"), arguments=(_, _)):
            return True
    return False


def _own_removed(all_seen: Sequence[Seen], coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the statements that took own pieces alone, where others take those of the enemy.

    A statement that names `own`, or a `let` that does, or takes what was chosen, says what it
    means; where pieces are placed after it, they may have moved.
    """
    game = all_seen[0].game
    if not any(seen.lost[1] for seen in all_seen):
        return  # told of the game as a whole
    written, of_choices = statements_by_place(game), _at_chosen(game)
    blocks = list(parsed_rules(game, PROGRAMS))
    moving = set(_placed_again(blocks))
    nodes = (node for block in blocks for node in nodes_in(block))
    says_own = {"own"} | {
        node.name.name
        for node in nodes
        if isinstance(node, t.LetStatement) and "own" in words_in(node.value.span.text)
    }
    for span, changes in coverage.layers.items():
        if not isinstance(written.get(span), t.Remove) or span in of_choices or span in moving:
            continue
        own = sum(n for one, n in changes.items() if (one.whose, one.what) == ("own", "lost"))
        others = sum(n for one, n in changes.items() if one.what == "lost") - own
        if own >= _SURELY and not others and says_own.isdisjoint(words_in(span.text)):
            behind = islice(definitions_behind(game, span), _MOST_DEFINITIONS)
            yield note(
                Code.ONLY_OWN_LOST,
                f"This took pieces of the side on turn, {own:,} times, and never others.",
                span,
                "See whether `own` should be `enemy`, here or in what it asks for.",
                [("It asks for this.", definition) for definition in behind],
            )


def _placed_again(blocks: Iterable[Iterable[t.Node]]) -> Iterator[Span]:
    """Yield the statements that remove pieces, where the same block places some afterwards."""
    for block in map(tuple, blocks):
        for number, one in enumerate(block):
            if isinstance(one, t.Remove) and any(
                isinstance(node, t.Place) for node in nodes_in(block[number + 1 :])
            ):
                yield one.span
            yield from _placed_again(blocks_inside(one))


def _at_chosen(game: Game) -> dict[Span, str]:
    """Return the statements at sites that were chosen, each with the words of the choice."""
    chosen, found = _chosen(game), dict[Span, str]()
    for statement in program_statements(game.program):
        if isinstance(statement, Assign) and statement.span is not None:
            for part in statement.value.parts():
                choice = chosen.get(part.slot) if isinstance(part, Get) else None
                if choice is not None and choice.span is not None:
                    found[statement.span] = choice.span.text
    return found


def _chosen(game: Game) -> dict[Slot, Choose]:
    """Return the choices by what they fill, and by what that is called in an action."""
    statements = list(program_statements(game.program))
    chosen = {s.slot: s for s in statements if isinstance(s, Choose)}
    named = (s for s in statements if isinstance(s, Assign) and not s.slot.is_state)
    for one in named:
        if isinstance(one.value, Get) and one.value.slot in chosen:
            chosen.setdefault(one.slot, chosen[one.value.slot])
    return chosen


def _sites_of(statement: t.Node) -> str:
    """Return the words for where a statement places a piece."""
    return statement.sites.span.text if isinstance(statement, t.Place) else ""


def _where_to(choice: str) -> str:
    """Return what a choice says of the sites themselves, and of nothing else.

    >>> _where_to("choose s in all where some occupied and (s in top or turns > 1)")
    'choose s in all where  s in top'
    """
    sites, where, condition = choice.partition(" where ")
    name = re.match(r"choose (\w+) ", sites)
    asked = (
        [] if name is None else re.findall(rf"\b{name[1]} in [^()]*?(?= and | or |\)|$)", condition)
    )
    return " ".join([sites + where, *asked])


def _placed_over(all_seen: Sequence[Seen], coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the statements that place a piece where another one stands, which is gone then.

    What names the pieces that may stand there means it: a choice of sites, a `let`, a loop or a
    condition; so does a choice of all sites for which something holds. One that leaves some out
    does not say that the others may be lost.
    """
    game = all_seen[0].game
    written, of_choices = statements_by_place(game), _at_chosen(game)
    of_pieces = {*_OF_PIECES, *game.sides, *game.kinds}
    meant = {
        span
        for block in parsed_rules(game, PROGRAMS)
        for span, said in _said_where_placed(block, {})
        if any(_names_one(game, sites, of_pieces) for sites in said)
    }
    for span, changes in coverage.layers.items():
        if not isinstance(written.get(span), t.Place) or span in meant:
            continue
        words = f"{_where_to(of_choices.get(span, ''))} {_sites_of(written[span])}"
        if of_pieces & {*_WORD.findall(_LEFT_OUT.sub("", words))} or " in all where " in words:
            continue
        times = sum(n for one, n in changes.items() if one.what == "lost")
        if times >= _FEWEST:
            yield note(
                Code.PLACED_OVER,
                f"This placed a piece where another one stood, which was gone then, {times:,}"
                " times.",
                span,
                "Leave out sites that are occupied; or `remove` what stands there before, which"
                " says that it is meant.",
            )


Said = Mapping[str, tuple[t.Node, ...]]
"""By words for sites, the sets that they are from or in."""


def _said_where_placed(
    block: Iterable[t.Node], said: Said
) -> Iterator[tuple[Span, tuple[t.Node, ...]]]:
    """Yield where a block places pieces, with what is said there of their sites."""
    now = dict(said)
    for statement in block:
        match statement:
            case t.Place(sites=t.Name(name=name)):
                yield statement.span, now.get(name, ())
            case t.Choose(variable=made, domain=sites) | t.ForEach(variable=made, domain=sites):
                now[made.name] = (sites,)
            case t.LetStatement(name=made, value=sites):
                now[made.name] = (sites,)
            case t.Require(condition=condition):
                now = _where(condition, now)
            case t.If(condition=condition):
                yield from _said_where_placed(statement.then, _where(condition, now))
                yield from _said_where_placed(statement.otherwise, now)
                continue
        for inner in blocks_inside(statement):
            yield from _said_where_placed(inner, now)


def _where(condition: t.Node, said: Said) -> dict[str, tuple[t.Node, ...]]:
    """Return what is said of sites where a condition holds as well: `s in S`, or `some s & S`."""
    found = dict(said)
    match condition:
        case t.Operation(operator="and", operands=parts):
            for part in parts:
                found = _where(part, found)
        case t.Operation(operator="in", operands=(t.Name(name=name), sites)):
            found[name] = *found.get(name, ()), sites
        case t.Operation(operator="some", operands=(t.Operation(operator="&", operands=parts),)):
            for name in (part.name for part in parts if isinstance(part, t.Name)):
                found[name] = *found.get(name, ()), *parts
    return found


def _names_one(game: Game, sites: t.Node, of_pieces: set[str]) -> bool:
    """Return whether a set, or a definition in it, names pieces, and not to leave them out."""
    names = list(_names_of_set(sites))
    behind = (span.text for name in names for span in definitions_behind(game, name.span))
    said = (_WORD.findall(_LEFT_OUT.sub("", _GIVEN.sub("", text))) for text in behind)
    return not of_pieces.isdisjoint((*(name.name for name in names), *chain(*said)))


def _names_of_set(sites: t.Node) -> Iterator[t.Name]:
    """Yield the names that say which sites are in a set: not what is left out, or led from."""
    match sites:
        case t.Name():
            yield sites
        case t.Call(function=function):
            yield from _names_of_set(function)
        case t.Operation(operator="-", operands=(of, *_)):
            yield from _names_of_set(of)
        case t.Operation(operator="&" | "|", operands=parts):
            for part in parts:
                yield from _names_of_set(part)
        case t.Conditional(then=then, otherwise=otherwise):
            yield from _names_of_set(then)
            yield from _names_of_set(otherwise)
        case t.LetIn(body=of) | t.Quantified(word="sites", domain=of):
            yield from _names_of_set(of)
