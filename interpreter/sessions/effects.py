"""What a move did to the pieces on the board, in words for one who looks.

In: what is seen before a move and after it. Out: sentences: who took what, who fell to whom, what
was found on a site. What then holds: all of it follows from what is seen; where a part of the board
is not, nothing is told of what may have happened there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from gdl.data_classes import dataclass
from gdl.interpreter.english import a, is_ordinal, is_plural, listed, plural, sentence
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.drawing import numbers_drawn
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.position_text import mover_does
from gdl.interpreter.positions.view import OF_NOBODY, View
from gdl.visible import visible_line

_MOST_NAMED = 3  # sites, or sorts of pieces


def effect_text(
    before: Position, move: Move, shown: Position | View, after: Position | View
) -> str:
    """Return what a move of `before` did to the pieces, in sentences; perhaps nothing.

    `shown` and `after` are what is seen of that position and the next one by who looks: views of
    one side, or all.
    """
    told = _Effects(before, move, shown, after).told()
    return visible_line(" ".join(map(sentence, told)))


def losses_text(
    before: Position, move: Move, shown: Position | View, after: Position | View
) -> str:
    """Return which pieces a move took, and which of its side's own fell, in few words for a list.

    What is in, and what is seen of it, is as for `effect_text`.
    """
    return visible_line(_Effects(before, move, shown, after).losses())


@dataclass(frozen=True)
class _Seen:
    """The pieces on each site that is not `unseen`, the uppermost first, and those in hands."""

    pieces: Mapping[str, Sequence[str]]
    unseen: frozenset[str]
    held: Mapping[str, Mapping[str, int]]

    @classmethod
    def of(cls, shown: Position | View) -> _Seen:
        if isinstance(shown, View):
            seen = {site: text.split(" on ") for site, text in shown.pieces}
            return cls(seen, frozenset(shown.unseen), shown.held)
        piles = shown.piles().items()
        named = {site: [name or OF_NOBODY for name in reversed(pile)] for site, pile in piles}
        return cls(named, frozenset(), shown.hands())

    def on(self, site: str) -> str:
        """Return the uppermost piece on a site; empty if none is seen there."""
        return next(iter(self.pieces.get(site, ())), "")


@dataclass(frozen=True)
class _Fallen:
    """Pieces that have gone from the board: what they are called, and where they stood.

    Both are empty where that is not certain; `number` is how many there are.
    """

    number: int = 0
    names: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()


class _Effects:
    """What is seen to be different after a move."""

    def __init__(
        self, position: Position, move: Move, shown: Position | View, after: Position | View
    ) -> None:
        self._position = position
        self._mover = position.mover if position.seat is not None else ""
        self._sides = position.rules.sides
        named = (position.rules.game.board.index(word) for word in move.words)
        self._named = [position.rules.game.board.sites[i].name for i in named if i is not None]
        self._looks = shown.side if isinstance(shown, View) else ""
        self._goes_on = after.seat == position.seat and after.mover == position.mover
        self._before, self._after = _Seen.of(shown), _Seen.of(after)
        self._unseen = self._before.unseen | self._after.unseen
        self._fewer = Counter[str]()
        for seen, sign in ((self._before, 1), (self._after, -1)):
            for site, pile in seen.pieces.items():
                sides = [self._side_of(piece) for piece in pile]
                for side in sides:
                    self._fewer[side] += sign if self._is_known(site, side) else 0

    def _all_gone(self) -> tuple[_Fallen, list[_Fallen]]:
        """Return the pieces of who moved that have gone, and those of each of the others."""
        others = [self._gone(side) for side in (*self._sides, "") if side != self._mover]
        own = self._gone(self._mover) if self._mover and self._looks else self._lost()
        return own, [fallen for fallen in others if fallen.number]

    def _lost(self) -> _Fallen:
        """Return the mover's own pieces that have gone where nothing is hidden.

        A piece that has joined another one has not gone: there is nothing where that may be.
        """
        game, before, after = self._position.rules.game, self._before, self._after
        joins = [
            s for s in self._named if all(self._holds(n, s, self._mover) for n in (before, after))
        ]
        if not self._mover or self._looks or joins or game.piles is not None or numbers_drawn(game):
            return _Fallen()
        fallen = self._gone(self._mover)
        left = [site for site in self._left(self._mover) if site not in self._named]
        if fallen.sites or len(left) != fallen.number:
            sites = self._named[-1:] if fallen.number == 1 and not left else ()
            return replace(fallen, sites=tuple(sites))
        return self._fallen(self._mover, fallen.number, left)

    def losses(self) -> str:
        """Return which pieces have gone, without their sides; nothing where all have decided."""
        if self._position.is_undecided:
            return ""
        own, taken = self._all_gone()
        gone = ", ".join(dict.fromkeys(_kinds(fallen, self._sides) for fallen in taken))
        if own.number and taken:
            return (
                "both lost"
                if gone == _kinds(own, self._sides)
                else f"x {gone}, {_kinds(own, self._sides)} lost"
            )
        return f"x {gone}" if gone else f"{_kinds(own, self._sides)} lost" if own.number else ""

    def told(self) -> Iterator[str]:
        """Yield what has happened."""
        own, taken = self._all_gone()
        if self._position.is_undecided and (own.number or taken):
            gone = [self._gone(side) for side in (*self._sides, "")]
            is_one = sum(fallen.number for fallen in gone) == 1
            yield f"{_things(gone, self._sides)} {'is' if is_one else 'are'} gone"
        elif own.number and not self._looks:
            is_one = own.number + sum(one.number for one in taken) == 1
            what = f"{_things([own, *taken], self._sides)}{'' if taken else _where(own.sites)}"
            yield f"{what} {'is' if is_one else 'are'} gone"
        elif own.number:
            fallen = _things([own, *taken], self._sides)
            falls = "falls" if own.number + sum(one.number for one in taken) == 1 else "fall"
            at = self._named[-1:]
            winner = self._after.on(at[0]) if at and not taken else ""
            to = f" to {thing(winner, 1, self._sides)}" if self._side_of(winner) else ""
            yield f"{fallen} {falls}{to}{_where(at)}"
        elif taken:
            sites = [site for fallen in taken for site in fallen.sites]
            who = mover_does(self._position, "takes") if self._mover else "chance takes"
            winner = self._after.on(sites[0]) if self._looks and len(sites) == 1 else ""
            if self._side_of(winner) == self._mover and winner != self._mover:
                who = f"{thing(winner, 1, self._sides)} takes"
            yield f"{who} {_things(taken, self._sides)}{_where(sites)}"
        names, turned = self._turned()
        if turned:
            what = _things([_Fallen(len(turned), tuple(names))], self._sides)
            yield f"{mover_does(self._position, 'turns')} {what}{_where(turned)}"
        if self._looks == self._mover:
            yield from self._found()

    def _found(self) -> Iterator[str]:
        """Yield what who moves comes to see on a site that the move named."""
        for site in dict.fromkeys(self._named):
            piece, is_new = self._after.on(site), site in self._before.unseen - self._after.unseen
            stands = f"{thing(piece, 1, self._sides)} stands on {site}"
            if is_new and piece and self._side_of(piece) != self._mover:
                yield f"taken: {stands}" if self._goes_on else stands
            elif is_new and not piece:
                yield f"nothing stands on {site}"

    def _side_of(self, piece: str) -> str:
        """Return the side that a piece belongs to, by what it is called; empty if to nobody."""
        side = piece.partition(" ")[0]
        return side if side in self._sides else ""

    def _left(self, side: str) -> list[str]:
        """Return the sites that a side held and does not hold now, as far as they are seen."""
        held = (site for site in self._before.pieces if self._holds(self._before, site, side))
        return [
            site
            for site in held
            if not self._holds(self._after, site, side) and self._is_known(site, side)
        ]

    def _is_known(self, site: str, side: str) -> bool:
        """Return whether it is seen both times if a side holds a site; one's own pieces are."""
        return side == self._looks or site not in self._unseen

    def _holds(self, seen: _Seen, site: str, side: str) -> bool:
        return bool(seen.on(site)) and self._side_of(seen.on(site)) == side

    def _gone(self, side: str) -> _Fallen:
        """Return the pieces of a side that have gone from the board, as far as that is certain.

        One that has a piece of the mover's in its place is gone if that one came from somewhere;
        else it has changed sides.
        """
        left, most = self._left(side), self._fewer[side]
        if self._position.rules.game.piles is not None:
            most = min(most, self._fewer.total())  # not all in a pile need be known
        come = [site for site in self._after.pieces if self._holds(self._after, site, self._mover)]
        come = [site for site in come if not self._holds(self._before, site, self._mover)]
        if side == self._mover:
            certain = not self._unseen or side == self._looks
            number = min(most, len(left) - len(come)) if certain else 0
            return self._fallen(side, number, left)
        moved = self._moved(come)
        replaced = [site for site in left if site in come]
        cleared = [site for site in left if site not in self._after.pieces]
        if self._mover and self._looks != self._mover and self._unseen:
            moved = len(replaced)  # from where is not seen
        if self._unseen and side != self._looks:
            cleared = []
        sites = [*replaced[: max(0, moved)], *cleared]
        return self._fallen(side, min(most, len(sites)), sites)

    def _moved(self, come: Sequence[str]) -> int:
        """Return how many pieces of who moved went to a site that another piece held before.

        A site that another side holds now was not left: its piece has changed sides.
        """
        went = [s for s in self._left(self._mover) if not self._side_of(self._after.on(s))]
        return len(went) - sum(not self._before.on(site) for site in come)

    def _turned(self) -> tuple[Sequence[str], Sequence[str]]:
        """Return what pieces that belong to who moved now were called, and their sites.

        There are none where pieces stand upon each other, or a part of the board is not seen; where
        others were shifted there; and of one alone that the move names, which another may have been
        put on.
        """
        if self._position.rules.game.piles is not None or self._unseen or not self._mover:
            return (), ()
        before, after = self._before, self._after
        others = [site for site in before.pieces if self._side_of(before.on(site))]
        held = [site for site in others if not self._holds(before, site, self._mover)]
        come = [s for s in after.pieces if self._holds(after, s, self._mover)]
        come = [site for site in come if not self._holds(before, site, self._mover)]
        sites = [site for site in held if site in come]
        names = [before.on(site) for site in sites]
        lost = Counter(map(self._side_of, names))
        is_certain = all(self._fewer[side] == number for side, number in lost.items())
        is_put_on = len(sites) == 1 and sites[0] in self._named
        if self._moved(come) > 0 or is_put_on or not is_certain:
            return (), ()
        return names, sites

    def _fallen(self, side: str, number: int, sites: Sequence[str]) -> _Fallen:
        """Return so many pieces of a side, which stood on some of these sites."""
        if number <= 0:
            return _Fallen()
        held = self._after.held.get(side, {}), self._before.held.get(side, {})
        kinds = [kind for kind, now in held[0].items() for _ in range(now - held[1].get(kind, 0))]
        is_certain = number == len(sites)
        names = [self._before.on(site) for site in sites] if is_certain else [side] * number
        if side and len(kinds) == number:
            names = [f"{side} {kind}" for kind in kinds]
        return _Fallen(number, tuple(names), tuple(sites) if is_certain else ())


def _things(fallen: Iterable[_Fallen], sides: Sequence[str]) -> str:
    """Return what pieces are called; how many there are, where they are of many sorts."""
    names = Counter(name for one in fallen for name in one.names)
    if len(names) > _MOST_NAMED:
        return f"{names.total()} pieces"
    return listed([thing(name, number, sides) for name, number in names.items()], "and")


def _kinds(fallen: _Fallen, sides: Sequence[str]) -> str:
    """Return the kinds of pieces, or how many there are where that is shorter or all one knows."""
    names = Counter(fallen.names)
    side, _, kind = next(iter(names), "").partition(" ")
    kind = kind.replace("_", " ") if side in sides else ""
    if len(names) != 1 or not kind:
        return "a piece" if fallen.number == 1 else f"{fallen.number} pieces"
    return kind if fallen.number == 1 else f"{fallen.number} {plural(kind)}"


def thing(name: str, number: int, sides: Sequence[str]) -> str:
    """Return so many pieces of a name; of a side, where no more than that is known.

    What stands upon each other is told as it is.

    >>> thing("Red Scout", 2, ("Red",)), thing("Red", 1, ("Red",)), thing("a piece", 1, ())
    ('2 Red Scouts', 'a piece of Red', 'a piece')
    >>> thing("Geese Stone", 1, ("Geese",)), thing("Goats", 2, ("Goats",))
    ('a Stone of the Geese', '2 pieces of the Goats')
    >>> thing("Second Ship", 1, ("First", "Second"))
    'a Ship of Second'
    """
    if " on " in name:
        return name.replace("_", " ")
    if name in (OF_NOBODY, ""):
        return OF_NOBODY if number == 1 else f"{number} pieces"
    side, _, kind = name.partition(" ")
    if name in sides or (side in sides and (is_plural(side) or is_ordinal(side))):
        whose = f"the {side}" if is_plural(side) else name if name in sides else side
        word = kind.replace("_", " ") or "piece"
        return f"{a(word) if number == 1 else f'{number} {plural(word)}'} of {whose}"
    word = name.replace("_", " ")
    return a(word) if number == 1 else f"{number} {plural(word)}"


def _where(sites: Sequence[str]) -> str:
    return f" on {listed(sites, 'and')}" if 0 < len(sites) <= _MOST_NAMED else ""
