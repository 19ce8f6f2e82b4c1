"""What there is to show of a game at a moment, as plain data: for a screen, lines, or a page.

In: a session, and who looks at it. Out: frozen data that needs the game no more. What then holds: a
snapshot has nothing that the rules hide from whom it was made for, and is complete: no face asks
the game itself what stands where, whose turn it is, or what may be chosen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from gdl.core.memo import Memo
from gdl.data_classes import dataclass
from gdl.interpreter.english import in_words
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.drawing import flags_drawn
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.position_text import piece_characters, side_characters
from gdl.interpreter.positions.view import OF_NOBODY, OF_UNKNOWN_KIND, UNSEEN, View
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.text.glyphs import ASCII, UNICODE, flag_text
from gdl.interpreter.sessions.audience import Audience
from gdl.interpreter.sessions.choosing import Choosing, named_choices
from gdl.interpreter.sessions.clock import clock_text
from gdl.interpreter.sessions.messages import MOST_TOLD, begun, dealt_text
from gdl.interpreter.sessions.session import Session
from gdl.visible import visible_line

if TYPE_CHECKING:
    from gdl.interpreter.search.review import Judgement

_MOST_NAMED = 99  # choices in a list
_MOST_DIGITS = 9


@dataclass(frozen=True)
class SideStanding:
    """How a side stands: which player has it now, its score as it is seen, and its time.

    In lists it has a `letter`, that of its pieces, and another `letter_in_ascii`.
    """

    name: str
    is_on_turn: bool
    player: str
    score: str | None
    left: str
    letter: str
    letter_in_ascii: str


@dataclass(frozen=True)
class PieceStanding:
    """A piece in the legend: its kind and side (by number; None: nobody's), and its letter.

    There is another `letter_in_ascii`; `number` of them are seen to be on the board, and there
    `may_be_more`. Of a kind that is not seen, it is one that no game has.
    """

    kind: str
    side: int | None
    letter: str
    letter_in_ascii: str
    number: int
    may_be_more: bool = False

    @property
    def count(self) -> str:
        """The number as it is told: with a `+` if there may be more, `?` if none is seen then."""
        seen = f"{self.number}{'+' * self.may_be_more}"
        return "?" if seen == "0+" else seen


@dataclass(frozen=True)
class Listed:
    """An entry in a list of moves: `side` has made it (None: chance).

    After `number` moves it is shown, and `begun` of them were made before it. It is the `ply`th
    that sides have made; some that a side makes running are one entry, and so are many that chance
    makes first. Or an `other` one that was made instead, after so many moves; `is_last`: instead of
    none. `sign` is what a review says of it.
    """

    text: str
    number: int
    begun: int
    side: str | None = None
    ply: int = 0
    sign: str = ""
    other: Move | None = None
    is_last: bool = False


@dataclass(frozen=True)
class Standing:
    """How a game stands: its sides, the `state` in lines, its moves, of which `made` are made.

    `about` is what the game is about; it `is_new` if nobody has moved yet. `pieces` are those that
    the game has, a kind after the other, if characters stand for them.
    """

    sides: tuple[SideStanding, ...]
    pieces: tuple[PieceStanding, ...]
    state: tuple[str, ...]
    moves: tuple[Listed, ...]
    made: int
    about: str
    is_new: bool

    @classmethod
    def of(
        cls, session: Session, audience: Audience, review: Reviewed, *, is_new: bool
    ) -> Standing:
        """Return how a session stands, for an audience."""
        position = session.position
        state = [*audience.state_lines()]
        phase = position.rules.game.looks.phases.get(position.phase, "")
        if phase and session.outcome is None:
            state.insert(0, phase)
        if session.later:
            later = session.plies[-1] - session.ply or len(session.later)
            told = "1 more move was" if later == 1 else f"{later} more moves were"
            state.append(f"{told} played from here")
        if session.remark:
            state.append(session.remark)
        return cls(
            tuple(_side(side, session, audience) for side in position.rules.sides),
            tuple(_pieces(session, audience)),
            tuple(visible_line(told[:1].upper() + told[1:]) for told in state),
            tuple(_listed(session, audience, review)),
            len(session.moves),
            visible_line(" ".join(position.rules.game.credits.get("about", "").split())),
            is_new,
        )

    def ticked(self, session: Session) -> Standing:
        """Return the same, of the same position, with the clocks as they are now."""
        names = session.position.rules.sides
        now = (
            replace(side, left=_left(name, session))
            for side, name in zip(self.sides, names, strict=True)
        )
        return replace(self, sides=tuple(now))


def _side(side: str, session: Session, audience: Audience) -> SideStanding:
    seat = _seat_at(side, session)
    return SideStanding(
        visible_line(side),
        is_on_turn=side == session.position.mover and session.outcome is None,
        player="" if seat is None else visible_line(session.seats.get(seat, "")),
        score=audience.scores().get(side),
        left=_left(side, session),
        letter=side_characters(session.position).get(side, ""),
        letter_in_ascii=side_characters(session.position, ascii=True).get(side, ""),
    )


def _left(side: str, session: Session) -> str:
    """Return the time that a side has left; empty without a clock."""
    clock, seat = session.clock, _seat_at(side, session)
    return "" if clock is None or seat is None else clock_text(clock.left(seat))


def _pieces(session: Session, audience: Audience) -> Iterator[PieceStanding]:
    """Yield the pieces that the game has, by kind; then flags of them, and what is not seen."""
    position, numbers = session.position, audience.numbers()
    game, shown = position.rules.game, audience.shown
    is_open = not isinstance(shown, View) or (
        not shown.unseen and not any(piece in game.sides for _, piece in shown.pieces)
    )
    own = shown.side if isinstance(shown, View) else ""
    letters, in_ascii = (piece_characters(position, ascii=ascii) for ascii in (False, True))
    for layer in sorted(game.layers, key=lambda layer: layer.kind):
        if layer.name in letters:
            yield PieceStanding(
                visible_line(game.kinds[layer.kind].replace("_", " ")),
                layer.side,
                letters[layer.name],
                in_ascii[layer.name],
                numbers.get(layer.name, 0),
                not is_open and (layer.side is None or game.sides[layer.side] != own),
            )
    flagged = Counter((m.flag, m.side) for m in audience.scene().marks.values() if m.flag)
    for slot, flag in flags_drawn(game).items() if audience.view is None else ():
        for side in sorted({layer.side for layer in game.layers if layer.side is not None}):
            sign, in_ascii_sign = (flag_text(flag, characters) for characters in (UNICODE, ASCII))
            named = in_words(slot.name)
            yield PieceStanding(named, side, sign, in_ascii_sign, flagged[flag, side])
    for number, whose in (*enumerate(position.rules.sides), (None, OF_NOBODY)):
        if whose in numbers:
            unknown = OF_UNKNOWN_KIND
            yield PieceStanding("kind unknown", number, unknown, unknown, numbers[whose])
    unseen = () if audience.view is None else audience.view.unseen
    if unseen:
        yield PieceStanding("not seen", None, UNSEEN, UNSEEN, len(unseen))


def _seat_at(side: str, session: Session) -> int | None:
    """Return the seat that plays a side; None where nobody does now.

    A seat can be on turn for another side than its own, before sides are chosen.
    """
    position = session.position
    own = position.seat_of(side)
    if position.seat is None or session.outcome is not None:
        return own
    if side == position.mover:
        return position.seat
    return None if own == position.seat else own


def _listed(session: Session, audience: Audience, review: Reviewed) -> Iterator[Listed]:
    """Yield the moves of the line, and after each place what was played instead."""
    signs = Memo[Position, str]()
    for judged in review.judgements:
        signs.keep(judged.after, judged.sign)
    others: dict[int, list[Move]] = {}
    for number, move in () if audience.is_limited else session.branches:
        others.setdefault(number, []).append(move)
    lines = zip(session.line, audience.move_texts(), pairwise(session.line_positions), strict=True)
    positions, ply = session.line_positions, session.plies
    first = next((n for n, each in enumerate(positions) if each.seat is not None), 0)
    if first > MOST_TOLD:
        yield Listed(dealt_text(first, positions[0], positions[first]), first, 0)
    else:
        first = 0
    whole: list[Listed] = []
    for number, ((mover, _), text, (before, after)) in enumerate(lines):
        if number < first:
            continue
        side, sign = None if before.seat is None else visible_line(mover), signs.get(after) or ""
        step = Listed(visible_line(text), number + 1, number, side, ply[number + 1], sign)
        if whole and begun(positions, number) == number:
            yield _as_one(whole)
            whole.clear()
        whole.append(step)
        if number in others:
            yield _as_one(whole)
            whole.clear()
        for other in others.get(number, ()):
            yield Listed(visible_line(other.text), number, number, other=other)
    if whole:
        yield _as_one(whole)
    last = len(session.line)
    for other in others.get(last, ()):
        yield Listed(visible_line(other.text), last, last, other=other, is_last=True)


def _as_one(steps: Sequence[Listed]) -> Listed:
    """Return moves that a side makes running as one entry."""
    text = ", ".join(f"{step.text}{step.sign}" for step in steps)
    return replace(steps[0], text=text, number=steps[-1].number, sign="")


@dataclass(frozen=True)
class Choices:
    """What the person on turn may choose next, after the words that are `chosen` already.

    `sites` may be chosen, or other `words`; `names` are these as moves have them, where they are
    all there is. `legal` moves there are in all, and `whole` of them are chosen in all their words.
    `only` is the text of the one move that is left, empty if there are more; it `is_forced` if it
    is the one legal move, and no site can be pointed at for it.
    """

    chosen: str
    sites: tuple[str, ...]
    words: tuple[str, ...]
    names: tuple[str, ...]
    legal: int
    whole: int
    only: str
    is_forced: bool

    @classmethod
    def of(cls, position: Position, choosing: Choosing) -> Choices:
        """Return what may be chosen next in a position."""
        board, legal, only = position.rules.game.board, choosing.legal, choosing.only
        return cls(
            choosing.text,
            tuple(word for word in choosing.offers if board.index(word) is not None),
            tuple(word for word in choosing.offers if board.index(word) is None),
            named_choices(position, choosing, _MOST_NAMED),
            len(legal),
            len(choosing.wholes) if choosing.chosen else 0,
            "" if only is None else only.text,
            is_forced=len(legal) == 1 and not position.sites_of(legal[0]),
        )

    def numbered(self, number: str, scene: Scene) -> str:
        """Return what a number stands for: one of the `names`, or the site that is drawn with it.

        Empty if it is neither.
        """
        at = int(number[:_MOST_DIGITS]) if number.isdecimal() else 0
        if 0 < at <= len(self.names):
            return self.names[at - 1]
        found = (site for site, text in scene.highlights.items() if text == number)
        return next((scene.board.sites[site].name for site in found), "") if at else ""


@dataclass(frozen=True)
class Snapshot:
    """A game as it is shown at a moment to one who looks.

    `title` is the game's; `scene` the board, with what is chosen, may follow, is advised or
    threatened marked; `pieces` what is seen to stand on sites, by name, and `marks` what is said of
    it; `standing` what is told beside it. `said` is what was said last, `ended` how the game has
    ended and by what. The `mover` is asked for what `asked` says, in one line with that name;
    `choices` are None where who looks is not to choose. The game `is_over` where it has ended or
    its rules fail; an earlier position is shown if it `looks_back`; another person is to look first
    if it `is_covered`.
    """

    title: str
    scene: Scene
    pieces: Mapping[str, str]
    marks: Mapping[str, str]
    standing: Standing
    said: tuple[str, ...]
    ended: str
    mover: str
    asked: str
    choices: Choices | None
    is_over: bool
    looks_back: bool
    is_covered: bool

    @property
    def message(self) -> str:
        """What was said last, and how the game has ended, in a line."""
        said = " ".join(self.said)
        return said if self.ended in said else f"{said} {self.ended}".lstrip()

    @property
    def prompt(self) -> str:
        """What is asked for, of whom, and how much time is left; or who is waited for."""
        left = [side.left for side in self.standing.sides if side.is_on_turn and side.left]
        return f"{' '.join((self.mover, *left))}{self.asked}"


# ---------------------------------------------- what a review said of a game that is looked back at

_MOST_MOMENTS = 12


@dataclass(frozen=True)
class Reviewed:
    """The judgements of all moves, none before the review; `side` is the one it is told for."""

    judgements: tuple[Judgement, ...] = ()
    side: str = ""

    @property
    def moments(self) -> tuple[Judgement, ...]:
        """The moves that changed the value of the game most."""
        from gdl.interpreter.search.review import moments

        return moments(self.judgements, _MOST_MOMENTS)

    def heading(self) -> str:
        """Return what the game was worth for the side, move by move."""
        from gdl.interpreter.search.analysis_text import curve

        heading = f"{visible_line(self.side)} {curve(self.judgements)}"
        return heading if self.moments else f"{heading}\n\nNo move changed the value much."

    def lines(self) -> tuple[str, ...]:
        """Return what is to say of the moments that mattered, a line each."""
        from gdl.interpreter.search.analysis_text import judgement_text

        return tuple(visible_line(judgement_text(one)) for one in self.moments)

    def of(self, position: Position) -> str:
        """Return what is said of the move that led to a position of the game; perhaps nothing."""
        found = [one for one in self.judgements if one.after is position]
        if not found:
            return ""
        from gdl.interpreter.search.analysis_text import judgement_text

        return visible_line(judgement_text(found[0]))
