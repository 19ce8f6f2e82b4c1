"""Who looks at a game, and what may be shown and told there.

In: a session, and the seats at which people sit. Out: what is drawn, said and listed for who looks.
What then holds: where the rules hide something, no more is shown than every person who looks may
know, until the game is over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise

from gdl.board.relation import bits
from gdl.core.memo import Memo
from gdl.core.nodes import Const, Expression, Get, Op
from gdl.core.types import SITES
from gdl.diagnostic import GameError
from gdl.interpreter.english import amount, does, in_words, is_plural, listed, number_word, sentence
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move, MoveError
from gdl.interpreter.explain.explanation import Explanation
from gdl.interpreter.explain.witness import Witness
from gdl.interpreter.positions.information import Information, information, told_moves
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.position_text import hands_text, state_lines
from gdl.interpreter.positions.view import ALL_SIDES, OF_NOBODY, View, known_slots
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.sessions.effects import effect_text, losses_text
from gdl.interpreter.sessions.messages import begun
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.typed import typed_move
from gdl.model import Game
from gdl.visible import visible

_LONG_WAY = 4
"""A way of so many sites is told."""
WITHHELD = "?"
"""What stands for a move that is not told."""
NO_REASON = "In this game a reason could tell what you are not to see."
NO_ADVICE = "In this game that would tell what you are not to see."
NO_WAY_BACK = "In a game that hides something, nobody goes back until it is over."
"""But for a slip that nobody else has come to know."""


ALL_SEEN = "The game is over and all has been seen: nothing is taken back. Page Up looks back."


class Audience:
    """The people at one screen; one of them looks at a time."""

    def __init__(
        self, session: Session, people: frozenset[int] = frozenset(), as_side: str | None = None
    ) -> None:
        """Show `session` to the people at these seats (from 1); all is shown if there are none.

        `as_side` looks on, whoever is on turn, if the game has such a side. Of several people,
        nobody looks yet where a game goes on that was left: they see what all sides see.
        """
        self.session = session
        self._people = people
        self._as_side = as_side if as_side in session.position.rules.sides else None
        self._looking = ALL_SIDES if len(people) > 1 and session.moves else None
        self._begun = len(session.moves)
        self._told: dict[str, int] = {}
        self._losses: dict[str | None, Memo[Position, str]] = {}
        self._noticed = Memo[Position, Witness]()
        self._signs = Memo[Position, str]()
        self._ways = Memo[Position, tuple[int, ...]]()
        self._heard: dict[str | None, list[tuple[int, Sequence[str]]]] = {}
        self._is_open = not session.position.rules.game.hides

    # ------------------------------------------------------------------- who looks

    @property
    def side(self) -> str | None:
        """The side whose view is shown; None if everything may be seen.

        That is so for good when the game has been over once: who goes back then has seen all.
        """
        self._is_open = self._is_open or self.session.outcome is not None
        if self._is_open or (self._as_side is None and not self._people):
            return None
        return self._as_side or self._looking or self._first(self.session.position)

    @property
    def has_seen_all(self) -> bool:
        """Whether people have seen all of what a game hides, because it has been over."""
        return self.session.position.rules.game.hides and bool(self._people) and self.side is None

    def _first(self, position: Position) -> str:
        if position.seat in self._people:
            return position.mover
        return next(s for s in position.rules.sides if position.seat_of(s) in self._people)

    @property
    def is_limited(self) -> bool:
        """Whether something may be hidden."""
        return self.side is not None

    @property
    def is_on_turn(self) -> bool:
        """Whether who looks may know what can be done now."""
        return self.side in (None, self.session.position.mover)

    @property
    def must_change(self) -> bool:
        """Whether another person than the one who looks is on turn."""
        is_person = self.session.position.seat in self._people
        return is_person and self._as_side is None and not self.is_on_turn

    def change(self) -> None:
        """Let the person on turn look."""
        self._looking = self.session.position.mover

    # --------------------------------------------------------------- what is shown

    @property
    def view(self) -> View | None:
        """What the side that looks sees; None if everything may be seen."""
        side = self.side
        return None if side is None else self.session.position.view(side)

    @property
    def shown(self) -> Position | View:
        """What is drawn: the position, or what a side sees of it."""
        return self.view or self.session.position

    def known(self) -> Information | None:
        """Return what the side knows that looks; None if everything may be seen."""
        side, session = self.side, self.session
        return None if side is None else information(session.positions, session.moves, side)

    def scene(self, begun: Position | None = None) -> Scene:
        """Return the drawing of the position, with the last move marked that a seat has made.

        What makes true what is told of the position is marked as well. Where nothing is hidden it
        is the drawing of a position in a turn that is `begun`.
        """
        view, position = self.view, self.session.position
        if view is not None:
            return view.scene
        if begun is not None and begun is not position:
            return begun.scene(position.scene().highlights)
        scene = self._with_last(position.scene())
        if not position.notices():
            return scene
        from gdl.interpreter.explain.answers import noticed

        shown = self._noticed.of(position, lambda _: noticed(position).witness)
        return replace(scene, last=scene.last | set(bits(shown.sites)), lines=shown.lines)

    def _with_last(self, scene: Scene) -> Scene:
        """Return the drawing of the position with what a seat has made last: a move, or several."""
        positions = self.session.positions
        number = len(positions) - 2
        while number >= 0 and positions[number].seat is None:
            number -= 1
        if number < 0:
            return scene
        made = [each.last for each in positions[begun(positions, number) + 1 : number + 2]]
        sites = frozenset[int]().union(*(one.sites for one in made))
        changed = frozenset[int]().union(*(one.changed for one in made)) - sites
        way = self._way_to(number)
        return replace(
            scene, last=sites, changed=changed | set(way) - sites, way=way or made[-1].way
        )

    def _way_to(self, number: int) -> tuple[int, ...]:
        """Return the sites that a piece passed in a move of the game, where that is not straight.

        It is nothing where something is hidden.
        """
        if self.is_limited or self.session.position.rules.game.hides:
            return ()
        from gdl.interpreter.explain.legal import way_of

        before, after = self.session.positions[number : number + 2]
        move = self.session.moves[number]
        return self._ways.of(after, lambda _: way_of(before, move))

    def way_told(self) -> str:
        """Return which way the last move took a piece, where that is long and not straight."""
        way = self._way_to(len(self.session.moves) - 1)
        sites = self.session.position.rules.game.board.sites
        if len(way) < _LONG_WAY:
            return ""
        return f"The way: {', '.join(sites[site].name for site in way)}."

    def pieces(self, begun: Position | None = None) -> Mapping[str, str]:
        """Return what is seen to stand on sites, by name; in a turn that is `begun`, as above."""
        view = self.view
        return (begun or self.session.position).pieces() if view is None else dict(view.pieces)

    def marks(self) -> Mapping[str, str]:
        """Return what is said of sites: that pieces are `promoted`; what is known of them, and not.

        Of one's own pieces that is what the others see of them, where one can know that; of a pile
        how high it is, and what lies in it.
        """
        position, told, view = self.session.position, dict[str, str](), self.view
        if view is not None:
            told |= dict.fromkeys(view.unseen, "you don't see what stands here")
            unknown = (site for site, text in view.pieces if _is_of_unknown_kind(text, position))
            return (
                told
                | dict.fromkeys(unknown, "whose kind you don't know")
                | _seen_of(position, view)
            )
        game = position.rules.game
        for name, pile in position.piles().items():
            if len(pile) > 1:
                below = Counter(each for each in reversed(pile[:-1]) if each is not None)
                lies = [amount(number_word(n), each) for each, n in below.items()]
                told[name] = f"{len(pile)} high" + (
                    f", above {listed(lies, 'and')}" if lies else ""
                )
        for slot in (slot for slot in game.marks if slot.type == SITES):
            for site in bits(position.value(Get(slot))):
                name = game.board.sites[site].name
                told[name] = ", ".join(filter(None, (told.get(name, ""), in_words(slot.name))))
        return told

    def numbers(self) -> Mapping[str, int]:
        """Return how many pieces of each name are seen to be on the board."""
        view = self.view
        if view is not None:
            return Counter(name for _, text in view.pieces for name in text.split(" on "))
        piles = self.session.position.piles().values()
        return Counter(name for pile in piles for name in pile if name is not None)

    def scores(self) -> Mapping[str, str]:
        """Return the scores that are seen."""
        view = self.view
        return self.session.position.scores() if view is None else dict(view.scores)

    def state_lines(self) -> Sequence[str]:
        """Return what is to be said of hands and state that are not drawn; what matters first."""
        view, position = self.view, self.session.position
        if view is not None:
            return (*view.notices, *view.told)
        told, noticed = state_lines(position), len(position.notices())
        return tuple(filter(None, (*told[:noticed], hands_text(position), *told[noticed:])))

    def notices(self) -> tuple[str, ...]:
        """Return what captions of conditions tell that hold, as far as it is known to who looks."""
        view = self.view
        return self.session.position.notices() if view is None else view.notices

    # ---------------------------------------------------------------- what is told

    def why(self, text: str) -> str | Sequence[Explanation]:
        """Return what the rules say of a move, a site or the position; or why nothing is told.

        Raises MoveError, RuleError and GameError.
        """
        if self.is_limited:
            return NO_REASON
        if self.session.ended_early and not text.strip():
            return self.session.ended_early
        from gdl.interpreter.explain.answers import why

        return why(self.session.positions, self.session.moves, text, typed_move)

    def reasons(self, text: str) -> tuple[tuple[str, Scene | None], ...]:
        """Return what the rules say as texts, each with its drawing: a reason, or what is wrong."""
        from gdl.interpreter.explain.telling import explanation_scene, explanation_text

        try:
            found = self.why(text)
        except (MoveError, RuleError, GameError) as problem:
            return ((visible(str(problem)), None),)
        if isinstance(found, str):
            return ((found, None),)
        return tuple(
            (
                visible(explanation_text(told, for_players=True)),
                explanation_scene(told) if told.witness.sites else None,
            )
            for told in found
        )

    def move_texts(self) -> Sequence[str]:
        """Return the moves of the line as they may be told.

        Where the rules hide something, each is told with what it took; else with the sign of check
        that the game's notation has.
        """
        session, side = self.session, self.side
        if not session.position.rules.game.hides:
            signs = (self._signs.of(one, _check_sign) for one in session.line_positions[1:])
            return [f"{m.text}{sign}" for (_, m), sign in zip(session.line, signs, strict=True)]
        told: Sequence[str | None] = [move.text for _, move in session.line]
        if side is not None:
            told = told_moves(session.positions, session.moves, side)
        lost = self._losses.setdefault(side, Memo())
        steps = zip(told, session.line, pairwise(session.line_positions), strict=True)
        return [
            f"{WITHHELD if text is None else text} "
            f"{lost.of(after, partial(_losses, before, move, side))}".rstrip()
            for text, (_, move), (before, after) in steps
        ]

    def news(self) -> Iterator[str]:
        """Yield what has happened that who looks was not told of yet, and may know.

        These are the moves of others, if they are told, what is seen to have come of any move, and
        a new score.
        Where that is nothing, they are the captions of what has another value now. In a round that
        is not over, it waits until all have decided.
        """
        side, session = self.side, self.session
        positions, moves = session.positions, session.moves
        if side is None:
            return
        told, shares = told_moves(positions, moves, side), len(self._people) > 1
        number = self._told.get(side, self._own_last(side) if shares else self._begun)
        known = len(moves)
        while known and positions[known].is_undecided:
            known -= 1
        while number < known:
            before, after, move = positions[number], positions[number + 1], moves[number]
            is_own = before.seat is not None and before.mover == side
            if told[number] is not None and not is_own:
                who = does([before.mover], "plays") if before.seat is not None else "Chance:"
                yield f"{who} {move}."
            seen, now = before.view(side), after.view(side)
            # What all have decided at the same time was not done by who is the last of them.
            effect = "" if before.is_undecided else effect_text(before, move, seen, now)
            yield effect
            if not effect and told[number] is None and not is_own and now.told != seen.told:
                decides = before.mover if before.seat is not None else "Chance"
                news = (sentence(line) for line in now.told if line not in seen.told)
                yield " ".join((f"{does([decides], 'has')} played.", *news))
            yield from (sentence(one) for one in now.notices if one not in seen.notices)
            if now.scores != seen.scores:
                yield f"Score: {', '.join(map(' '.join, now.scores))}."
            number += 1
        self._told[side] = number

    def hear(self, said: tuple[str, ...]) -> tuple[str, ...]:
        """Keep what is said to who looks, so that it can be read again; return it.

        What goes on with what was said last stands in its place.
        """
        heard = self._heard.setdefault(self.side, [])
        if heard and said[:1] == tuple(heard[-1][1][:1]):
            heard.pop()
        if said:
            heard.append((self.session.ply, said))
        return said

    def heard(self) -> Sequence[str]:
        """Return what was said to who looks, after how many moves of sides, the last first."""
        heard = reversed(self._heard.get(self.side, []))
        return [f"{ply:>3} {' '.join(said)}" for ply, said in heard]

    def _own_last(self, side: str) -> int:
        """Return how many moves were made when a side had made its last one."""
        positions = self.session.positions
        made = range(len(positions) - 1, 0, -1)
        own = (n for n in made if positions[n - 1].seat and positions[n - 1].mover == side)
        return next(own, 0)

    # ---------------------------------------------------------- what may be taken back

    @property
    def may_take_back(self) -> bool:
        """Whether the last move is a slip of who looks, which may be taken back.

        So it is if nobody else has looked or moved since, or learns of it while all decide at once,
        and if it told who made it nothing: it leads to the same where all that its side does not
        see is as when the game began.
        """
        side, session = self.side, self.session
        if side is None or not session.moves:
            return False
        before, after = session.positions[-2:]
        is_own = before.seat in self._people and before.mover == side
        has_seen = after.seat not in self._people and not after.is_undecided
        if not is_own or has_seen or before.is_undecided:
            return False
        return _tells_nothing(before, session.moves[-1], after, side)

    def take_back(self) -> bool:
        """Take the last move back if it is a slip of who looks; return whether it was."""
        side, session = self.side, self.session
        if side is None or not self.may_take_back:
            return False
        session.forget_last()
        self._told[side] = min(self._told.get(side, 0), len(session.moves))
        return True


def _check_sign(after: Position) -> str:
    """Return the sign of check of the first notation that has one, if the move gave it."""
    writings = after.rules.writings.values()
    return next((one.check_sign(after) for one in writings if one.notation.checks), "")


def _losses(before: Position, move: Move, side: str | None, after: Position) -> str:
    """Return what a move took, as a side sees it; None is who sees all."""
    seen = (before, after) if side is None else (before.view(side), after.view(side))
    return losses_text(before, move, *seen)


def _is_of_unknown_kind(piece: str, position: Position) -> bool:
    return piece.partition(" on ")[0] in (*position.rules.sides, OF_NOBODY)


def _seen_of(position: Position, view: View) -> dict[str, str]:
    """Return what the other sides see of the own pieces of who looks, by site.

    It is left out where it depends on what who looks does not know.
    """
    rules, told = position.rules, dict[str, str]()
    game, sides = rules.game, rules.sides
    if view.side not in sides or game.piles is not None:
        return told
    own = sides.index(view.side)
    for other, name in enumerate(sides):
        sight = game.sight(other)
        if other == own or sight is None:
            continue
        pieces, kinds = (_on_own(of, game, own) for of in (sight.pieces, sight.kinds))
        if pieces is None or kinds is None:
            continue
        seen, known = position.value(pieces), position.value(kinds)
        has_kinds = len(game.kinds) > 1 and not isinstance(kinds, Const)
        for layer in (layer for layer in game.layers if layer.side == own):
            for index in bits(position.value(Get(layer.slot))):
                is_seen = bool((seen & known if has_kinds else seen) >> index & 1)
                how = "known to" if has_kinds else "seen by"
                whom = f"the {name}" if is_plural(name) else name
                said = f"{'' if is_seen else 'un'}{how} {whom}"
                site = game.board.sites[index].name
                told[site] = ", ".join(filter(None, (told.get(site, ""), said)))
    return told


def _on_own(sites: Expression, game: Game, own: int) -> Expression | None:
    """Return a set that has the same of the sites of a side's pieces, and asks only what it knows.

    There is None if that is not certain. What other pieces stand on is none of these sites.
    """
    sight = game.sight(own)
    if not sites.looks_ahead and (sight is None or sites.free <= known_slots(game, own, sight)):
        return sites
    if isinstance(sites, Get) and sites.slot in {layer.slot for layer in game.layers}:
        return Const(0, SITES)
    if isinstance(sites, Op) and sites.name in ("union", "intersection", "difference"):
        parts = [_on_own(part, game, own) for part in sites.arguments]
        certain = tuple(part for part in parts if part is not None)
        return replace(sites, arguments=certain) if len(certain) == len(parts) else None
    return None


def _tells_nothing(before: Position, move: Move, after: Position, side: str) -> bool:
    """Return whether who makes a move knows before what its side sees after it."""
    rules, old, new = before.rules, before.view(side), after.view(side)
    game, number = rules.game, rules.sides.index(side)
    sight = game.sight(number)
    sites = {game.board.sites[site].name for site in before.sites_of(move)}
    if sight is None or game.piles is not None or sites & {*old.unseen} or old.unseen != new.unseen:
        return sight is None
    seen = before.value(sight.pieces) & before.value(sight.kinds)
    known = {value.slot for _, value in sight.values if isinstance(value, Get)}
    values = list(before.state.values)
    for slot in {*game.state_slots.values()} & rules.places.keys() - known:
        values[rules.places[slot]] = game.program.initial[rules.places[slot]]
    for layer in game.layers:
        if layer.side != number:
            values[rules.places[layer.slot]] &= seen
    asked: list[Expression] = [Get(layer.slot) for layer in game.layers if layer.side == number]
    asked += [value for _, value in sight.values]
    try:
        alike = Position(rules, rules.evaluator.settle(values)).play(move)
        return all(alike.value(one) == after.value(one) for one in asked)
    except (MoveError, RuleError):
        return False
