"""What would do instead of a word that no legal move has there, and what stands in its way.

In: a position, and where the words of a move lead to no legal one. Out: sentences for a player, or
nothing. What then holds: what is said to come next does so in a legal move; were not there what is
said to be in the way, a site could be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gdl.board.relation import bits
from gdl.elaborate.scope import Scope
from gdl.syntax import tree as t
from interpreter.evaluation.moves import PASS, words
from interpreter.explain.moment import Moment
from interpreter.explain.sources import without
from interpreter.explain.turn import Stop
from interpreter.positions.position import Position
from interpreter.words.english import listed

_MOST_LISTED, _FEW = 6, 3


def comes_instead(position: Position, said: str, word: str) -> str:
    """Return what comes after some words of a move, or at its beginning, instead of a word.

    Nothing if legal moves have that word there, or if the word is missing.
    """
    begun = words(said)
    following = list(dict.fromkeys(_following(position, begun)))
    if not word or word.lower() in following:
        return ""
    if word.lower() == PASS and not begun:
        return "You have a move to make, and can't pass."
    if not following:
        is_whole = any(begun in move.forms for move in position.moves())
        return f"No legal move begins with `{said}`." if begun and not is_whole else ""
    offered = _offered(position, following)
    if begun:
        is_whole = any((word.lower(),) == form for move in position.moves() for form in move.forms)
        alone = f"; `{word}` alone is a move" if is_whole else ""
        return f"After `{said}` comes {offered}, not `{word}`{alone}."
    return f"A move begins here with {offered}, not with `{word}`."


def _following(position: Position, begun: tuple[str, ...]) -> Iterator[str]:
    number = len(begun)
    for move in position.moves():
        for form in move.forms:
            if len(form) > number and form[:number] == begun:
                yield form[number]


def _offered(position: Position, following: list[str]) -> str:
    """Return the words that may come next: all of them, or a few and what they are."""
    spelled = {word.lower(): word for word in position.rules.vocabulary}
    shown = [spelled.get(word, word) for word in following]
    if len(shown) <= _MOST_LISTED:
        return listed(shown, "or")
    board = position.rules.game.board
    are_sites = all(board.index(word) is not None for word in following)
    return f"a {'site' if are_sites else 'word'} {_such(shown)}"


def _such(words: Sequence[str]) -> str:
    return f"such as {listed(words[:_FEW], 'or')}"


def begins_empty(position: Position, wanted: Sequence[str]) -> str:
    """Return that moves begin with an empty site, of words that begin with a site that is not.

    Nothing unless a second site follows: then they were hardly meant to name where to place.
    """
    board, held = position.rules.game.board, {index for index, _ in position.occupied()}
    first, second = (board.index(word) for word in (*wanted, "", "")[:2])
    firsts = list(dict.fromkeys(_following(position, ())))
    begun = {board.index(word) for word in firsts}
    if second is None or first not in held or None in begun or begun & held:
        return ""
    return f"A move begins here with an empty site, {_such(firsts)}; {wanted[0]} is not empty."


def is_taken(stop: Stop, domain: int, moment: Moment) -> bool:
    """Return whether a site can't be chosen first that is not empty, as only empty ones can."""
    board, standing = moment.board, _standing(moment)
    names_sites = any(board.index(word) is not None for word in words(stop.said))
    if names_sites or stop.choice is None or not domain:
        return False
    return not domain & standing and bool(standing >> stop.choice & 1)


def in_the_way(stop: Stop, node: t.Choose, scope: Scope, moment: Moment) -> str:
    """Return which pieces keep a site from being chosen that is in line with the last one.

    They stand between the two, or on the site itself: if they were not there, it could be chosen.
    """
    game, said = moment.rules.game, words(stop.said)
    start = game.board.index(said[-1]) if said else None
    if start is None or stop.choice is None or game.piles is not None:
        return ""
    target, standing, places = 1 << stop.choice, _standing(moment), _places(moment)
    between = standing & _between(moment, 1 << start, target)
    on_target = target & standing
    for sites in dict.fromkeys((between, on_target, between | on_target)):
        frame = [
            value & ~sites if place in places else value for place, value in enumerate(moment.frame)
        ]
        if sites and _may_be_chosen(Moment(moment.rules, frame), node, scope, target):
            told = [
                f"{name} on {game.board.sites[index].name}"
                for index in bits(sites)
                for place, name in places.items()
                if moment.frame[place] >> index & 1
            ]
            return f"{listed(told, 'and')} {'is' if len(told) == 1 else 'are'} in the way."
    return ""


def _places(moment: Moment) -> dict[int, str]:
    """Return where the frame keeps each layer, with the layer's name."""
    places = moment.rules.machine.places
    return {places[layer.slot]: layer.name for layer in moment.rules.game.layers}


def _standing(moment: Moment) -> int:
    """Return the sites that are not empty."""
    standing = 0
    for place in _places(moment):
        standing |= moment.frame[place]
    return standing


def _between(moment: Moment, start: int, target: int) -> int:
    """Return the sites between two that are in line in one of the board's directions."""
    board = moment.board
    for direction in board.families.get("compass", ()):
        passed, here = 0, board.relations[direction].image(start)
        while here and not here & (passed | start):
            if here == target:
                return passed
            passed |= here
            here = board.relations[direction].image(here)
    return 0


def _may_be_chosen(moment: Moment, node: t.Choose, scope: Scope, site: int) -> bool:
    before = moment.scope(without(scope, node.variable.name))
    if not (moment.sites(node.domain, before) or 0) & site:
        return False
    return node.condition is None or bool(moment.holds(node.condition, moment.scope(scope)))
