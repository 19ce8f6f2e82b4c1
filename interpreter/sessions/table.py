"""A table that a game is played at, apart from how it is shown.

In: a session, who sits where, moves that are made, and what else a person wants: to go back or to
another position, to keep the game. Out: the position to show, what may be chosen next, and what
there is to say. What then holds: no event raises; what the rules fail in is said.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, pairwise

from gdl.core.memo import Memo
from gdl.data_classes import dataclass
from gdl.diagnostic import GameError
from gdl.visible import visible, visible_line
from interpreter.evaluation.evaluator import RuleError
from interpreter.evaluation.moves import Move, MoveError
from interpreter.explain.asking import asked_for
from interpreter.positions.meant import Meant
from interpreter.positions.position import Position
from interpreter.positions.position_text import (
    end_text,
    mover_does,
    mover_text,
    turn_text,
)
from interpreter.render.scene import Scene
from interpreter.search.analysis_text import curve, judgement_text
from interpreter.search.review import Judgement, moments
from interpreter.sessions.audience import NO_WAY_BACK, Audience
from interpreter.sessions.clock import clock_text
from interpreter.sessions.entry import Choosing, asked_text, named_choices
from interpreter.sessions.news import Course, chance_text, exchange_text, made_text, trouble
from interpreter.sessions.record import Record
from interpreter.sessions.saves import write_record
from interpreter.sessions.seats import Player, chance_here, people_at, play_chance, players_at
from interpreter.sessions.session import Session

CHOSEN, OFFERED, THREATENED = "*", "+", "x"
"""What marks a site that is chosen, one that can be chosen next, or one that is threatened."""

_AFTERWARDS = "F7 review, Ctrl+N new game, Ctrl+E exchange seats, save FILE"

Keep = Callable[[Record], None]


class Table:
    """One game on a screen; `message` is the last thing that was said.

    It `is_unkept` if people have made moves that are nowhere kept.
    """

    def __init__(
        self,
        session: Session,
        players: Mapping[int, Player],
        random: random.Random,
        keep: Keep | None = None,
        audience: Audience | None = None,
    ) -> None:
        """Play `session`; seats (from 1) that are not in `players` are people's.

        What the rules hide is shown as far as the `audience` may see it; without one, it is shown.
        `keep` is given the record of the game after each move; it may raise GameError.
        """
        self.session = session
        self.audience = audience or Audience(session)
        self._reason: tuple[Position, Scene | None] | None = None
        self.players = dict(players)
        self.random = random
        self.message = ""
        self.advice = Meant()
        self.threatened: frozenset[int] = frozenset()
        self.review = Reviewed()
        self.choosing = Choosing(())
        self._keep = keep
        self.is_unkept = False
        self._look()

    # ---------------------------------------------------------------- what is shown

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return self.session.position

    @property
    def people(self) -> frozenset[int]:
        """The seats that people sit at."""
        return people_at(self.players, self.position.rules)

    @property
    def over(self) -> bool:
        """Whether the game has ended, or can't go on since the rules fail."""
        return self.session.outcome is not None or not self.choosing.legal

    @property
    def looks_back(self) -> bool:
        """Whether an earlier position is shown than the last one of the line."""
        return bool(self.session.later)

    @property
    def player(self) -> Player | None:
        """The player that is to answer now; None if a person is, or nobody."""
        if self.over or self.looks_back:
            return None
        return self.players.get(self.position.seat or 0)

    @property
    def is_asked(self) -> bool:
        """Whether a person is to choose now, and looks."""
        return (
            not self.audience.must_change
            and not self.over
            and self.player is None
            and self.position.seat is not None
        )

    def status(self) -> str:
        """Return whose turn it is, or how the game has ended."""
        return visible_line(turn_text(self.position, self.session.outcome))

    def prompt(self) -> str:
        """Return what the person who is to choose is asked for."""
        if self.session.outcome is not None:
            return _AFTERWARDS
        if self.audience.must_change:
            return f"Hand over to {mover_text(self.position)}: Enter hides the board"
        if not self.is_asked and not self.looks_back:
            return mover_does(self.position, "thinks")
        return self.offers.prompt()

    @property
    def offers(self) -> Offers:
        """What may be chosen next."""
        return Offers(self.position, self.choosing, self.is_asked, self.looks_back)

    @property
    def is_new(self) -> bool:
        """Whether nobody but chance has made a move yet."""
        before = self.session.line_positions[:-1]
        return self.is_asked and all(position.seat is None for position in before)

    def standing(self) -> Standing:
        """Return how the game stands, for those who look."""
        session, position = self.session, self.position
        state = [*self.audience.state_lines()]
        phase = position.rules.game.looks.phases.get(position.phase, "")
        if phase and session.outcome is None:
            state.insert(0, phase)
        if self.looks_back:
            later = len(session.later)
            told = "1 more move was" if later == 1 else f"{later} more moves were"
            state.append(f"{told} played from here")
        return Standing(
            tuple(map(self._standing_of, position.rules.sides)),
            tuple(visible_line(told[:1].upper() + told[1:]) for told in state),
            tuple(self._listed()),
            len(session.moves),
            visible_line(" ".join(position.rules.game.credits.get("about", "").split())),
            self.is_new,
        )

    def _standing_of(self, side: str) -> SideStanding:
        session, seat = self.session, self._seat_at(side)
        clock = session.clock
        return SideStanding(
            visible_line(side),
            is_on_turn=side == self.position.mover and session.outcome is None,
            player="" if seat is None else visible_line(session.seats.get(seat, "")),
            score=self.audience.scores().get(side),
            left="" if clock is None or seat is None else clock_text(clock.left(seat)),
        )

    def _seat_at(self, side: str) -> int | None:
        """Return the seat that plays a side; None where nobody does now.

        A seat can be on turn for another side than its own, before sides are chosen.
        """
        position = self.position
        own = position.seat_of(side)
        if position.seat is None or self.session.outcome is not None:
            return own
        if side == position.mover:
            return position.seat
        return None if own == position.seat else own

    def _listed(self) -> Iterator[Listed]:
        """Yield the moves of the line, and after each place what was played instead."""
        session = self.session
        signs = Memo[Position, str]()
        for judged in self.review.judgements:
            signs.keep(judged.after, judged.sign)
        others: dict[int, list[Move]] = {}
        for number, move in () if self.audience.is_limited else session.branches:
            others.setdefault(number, []).append(move)
        lines = zip(
            session.line, self.audience.move_texts(), pairwise(session.line_positions), strict=True
        )
        for number, ((mover, _), text, (before, after)) in enumerate(lines):
            side = None if before.seat is None else visible_line(mover)
            yield Listed(visible_line(text), number + 1, side, signs.get(after) or "")
            for other in others.get(number, ()):
                yield Listed(visible_line(other.text), number, other=other)
        for other in others.get(len(session.line), ()):
            yield Listed(visible_line(other.text), len(session.line), other=other, is_last=True)

    def scene(self) -> Scene:
        """Return the position as it is to be drawn, with what is chosen and may be chosen next."""
        board = self.position.rules.game.board
        marks = dict.fromkeys(self.threatened, THREATENED)
        if self.choosing.chosen:
            marks.update(dict.fromkeys(self.offers.sites(), OFFERED))
        for word in self.choosing.chosen:
            site = board.index(word)
            if site is not None:
                marks[site] = CHOSEN
        reason = self._reason_scene()
        if reason is not None and not marks:
            return reason
        scene = self.advice.on(self.audience.scene())
        return replace(scene, highlights={**scene.highlights, **marks})

    # --------------------------------------------------------------------- moves made

    def make(self, move: Move) -> None:
        """Make a legal move, and what chance does then, unless its time is up."""
        self.message = ""
        if self.tick():
            return
        try:
            before, is_own = self.position, self.is_asked
            if is_own:
                self.audience.change()
            self.session.play(move)
            if not self.audience.is_limited:
                made = "" if is_own else made_text(before, move, self.position)
                told = f"{made} {exchange_text(before, self.position)}".strip()
                self.message = visible_line(told)
            self._chance()
        except RuleError as problem:
            self.message = trouble(problem)
        self.session.run_clock()
        self.message = self.message or self._newly_told()
        self._look()
        self._kept()

    def tick(self) -> bool:
        """Look at the clock; return whether it has ended the game now."""
        told = self.session.lose_on_time()
        if not told:
            return False
        self._look()
        self.message = visible_line(told)
        self._kept()
        return True

    def _chance(self) -> None:
        made = play_chance(self.session, chance_here(self.session, self.random))
        if made and not self.audience.is_limited:
            self.message = f"{self.message} {visible_line(chance_text(made))}.".strip()

    # ------------------------------------------------------------- back and forth

    def begin(self) -> None:
        """Have chance make its moves, if the game begins with some; say where a game goes on."""
        number = len(self.session.moves)
        try:
            if not self.looks_back:
                self._chance()
        except RuleError as problem:
            self.message = trouble(problem)
        self.session.run_clock()
        if number and not self.over and not self.looks_back:
            told = f"The game goes on after {number} move{'' if number == 1 else 's'}."
            self.message = f"{told} {self.status()} {self.message}".strip()
        self._look()
        if self.is_new:
            how = "" if self.offers.named() else "Point at a site, or type a move. "
            told = f"{how}? tells the keys."
            self.message = f"{self.message} {told}".strip()

    def sit(self, kinds: Mapping[int, str]) -> None:
        """Put players of these kinds at seats from now on, and people at the others."""
        if self.position.rules.game.hides and self.session.outcome is None:
            self.message = (
                "In a game that hides something, seats stay as they are until it is over."
            )
            return
        try:
            rules = self.position.rules
            self.players = players_at(kinds, rules, self.random, are_ready=False)
        except GameError as problem:
            self.message = trouble(problem)
            return
        self.session.seats = dict(kinds)
        self.message = ""
        self._look()
        self._kept()

    def undo(self) -> None:
        """Take the last move of a person back."""
        self._gone(Course.back(self.audience, self.people or frozenset(self.players)))

    def redo(self) -> None:
        """Do again what was taken back, to where a person chooses, or to the end of the line."""
        self._gone(Course.again(self.audience, self.people))

    def _gone(self, course: Course) -> None:
        """Tell how far the game has gone back or forward, and look at it there."""
        self.message = "" if course.moves > 0 else course.told("Ctrl+Y")
        if not course.is_closed:
            self.session.run_clock()
            self._look()
        if course.is_ended:
            self._kept()

    def step(self, number: int) -> None:
        """Go so many moves forward, or back if that is below nothing."""
        self.go_to(len(self.session.moves) + number)

    def go_to(self, number: int) -> None:
        """Go to the position after so many moves."""
        self.message = ""
        if not self._is_closed():
            self.session.go_to(number)
            self._look()

    def hand_over(self) -> None:
        """Let the person on turn look."""
        self.message = ""
        self.audience.change()
        self._look()

    def _is_closed(self) -> bool:
        """Say so where what is hidden keeps people from going back."""
        if self.audience.is_limited:
            self.message = NO_WAY_BACK
        return self.audience.is_limited

    def enter(self, number: int, move: Move) -> None:
        """Go to the variation that a move begins after so many moves."""
        self.message = ""
        self.session.go_to(number)
        self.session.play(move)
        self._look()

    def vary(self) -> None:
        """Go to the next move that was made instead of the last."""
        self.message = "" if self.session.vary() else "No other move was made instead of this one."
        self._look()

    def resign(self) -> None:
        """Give the game up, for the side on turn."""
        if self.over:
            self.message = "The game is over."
            return
        self.message = f"{mover_does(self.position, 'resigns')}."
        self.session.resign()
        self.session.run_clock()
        self._kept()

    def save(self, path: str, is_new: bool, standing: str | None) -> None:
        """Keep the game in a file: a new one, or instead of what is `standing` there."""
        try:
            record = self.session.record()
            write_record(record, path, is_new=is_new, instead_of=standing)
            self.is_unkept = False
            self.message = f"Kept in {visible_line(path)}."
        except GameError as problem:
            self.message = trouble(problem)

    def ended(self) -> str:
        """Return how the game has ended, and by what; empty if it goes on."""
        outcome = self.session.outcome
        if outcome is None:
            return ""
        return visible_line(end_text(self.position, outcome))

    def why(self, text: str) -> tuple[str, Scene | None]:
        """Return what the rules say of a move, a site, or the position, and what it is about."""
        from interpreter.explain.telling import explanation_scene, explanation_text

        try:
            found = self.audience.why(text)
        except (MoveError, RuleError, GameError) as problem:
            return visible(str(problem)), None
        if isinstance(found, str):
            return found, None
        scenes = [explanation_scene(told) for told in found if told.witness.sites]
        return visible("\n".join(map(explanation_text, found))), scenes[-1] if scenes else None

    # ------------------------------------------------------------------- inside

    def _reason_scene(self) -> Scene | None:
        """Return the position with what ended the game marked: the chain, the row, the group."""
        position = self.position
        if position.outcome is None:
            return None
        if self._reason is None or self._reason[0] is not position:
            self._reason = position, self.why("")[1]
        return self._reason[1]

    def _newly_told(self) -> str:
        """Return which moves others have made since, where only some are told; perhaps nothing."""
        told = self.audience.newly_told() if self.audience.is_limited else ()
        return visible_line(" ".join(f"{mover or 'Chance'}: {move}." for mover, move in told))

    def _look(self) -> None:
        """See what is legal in the position that is shown now, and what a review says of it."""
        self.advice, self.threatened = Meant(), frozenset()
        self.message = self.message or self.review.of(self.position)
        try:
            self.choosing = Choosing(self.position.moves() if self.session.outcome is None else ())
        except RuleError as problem:
            self.choosing = Choosing(())
            self.message = trouble(problem)
        if self.offers.named() and not self.looks_back:
            self._add(self.offers.told())
        if not self.looks_back:
            self._add(self.offers.only())

    def _add(self, told: str) -> None:
        """Say something besides, unless it is said already."""
        if told not in self.message:
            self.message = f"{self.message} {told}".strip()

    def _kept(self) -> None:
        if self._keep is None:
            self.is_unkept = bool(self.people)
            return
        try:
            self._keep(self.session.record())
            self.is_unkept = False
        except GameError as problem:
            self.is_unkept = True
            self.message = f"The game is not kept: {trouble(problem)}"


# ---------------------------------------------- what a person may choose next, and how that is told

_MOST_OTHERS = 3  # words that are told with what is asked for
_MOST_NAMED = 99  # choices in a list
_MOST_LETTERS = 90  # of choices that are told in a line


@dataclass(frozen=True)
class Offers:
    """What may be chosen after what is chosen already.

    A person `is_asked` now, or a position is shown from which another move could be made
    (`is_open`).
    """

    position: Position
    choosing: Choosing
    is_asked: bool
    is_open: bool

    def sites(self) -> Iterator[int]:
        """Yield the sites that may be chosen next."""
        if not self.is_asked and not self.is_open:
            return
        board = self.position.rules.game.board
        for word in self.choosing.offers:
            site = board.index(word)
            if site is not None:
                yield site

    def words(self) -> tuple[str, ...]:
        """Return the words that may be chosen next and are no sites."""
        board = self.position.rules.game.board
        return tuple(word for word in self.choosing.offers if board.index(word) is None)

    def named(self) -> tuple[str, ...]:
        """Return what may be chosen next where that is no site: a side, a piece, yes or no."""
        if not self.is_asked:
            return ()
        return named_choices(self.position, self.choosing, _MOST_NAMED)

    @property
    def is_forced(self) -> bool:
        """Whether there is one legal move alone, and it can't be pointed at."""
        legal = self.choosing.legal
        return self.is_asked and len(legal) == 1 and not self.position.sites_of(legal[0])

    def can_follow(self, site: int | None) -> bool:
        """Whether a site can be chosen after what is chosen already."""
        return bool(self.choosing.chosen) and site in tuple(self.sites())

    def prompt(self) -> str:
        """Return who is on turn, what is chosen, and what is asked for."""
        choosing, others = self.choosing, self.words()
        if not choosing.chosen:
            return asked_text(self.position, choosing.legal)
        asked = asked_for(self.position, choosing.fitting, len(choosing.chosen))
        if asked and 0 < len(others) <= _MOST_OTHERS:
            asked = f"{asked}, or {' or '.join(others)}"
        return f"{mover_text(self.position)}: {choosing.text} … {asked}".rstrip()

    def only(self) -> str:
        """Return the only move and how it is made, if there is one alone; else nothing."""
        if not self.is_asked or len(self.choosing.legal) != 1:
            return ""
        key = "Enter" if self.is_forced else "Space"
        return f"The only move is {self.choosing.legal[0]}: press {key}."

    def told(self, at: int | None = None) -> str:
        """Return what may be chosen next, in a line; the cursor is `at` a site."""
        choosing, legal, names = self.choosing, len(self.choosing.legal), self.named()
        if names and not choosing.wholes:
            listed = _listed([f"{n} {name}" for n, name in enumerate(names, start=1)])
            return f"Choose: {visible_line(listed)} Type it or its number; Enter lists them."
        if not choosing.chosen:
            if legal == 1:
                return f"Enter makes the only move: {choosing.legal[0]}."
            how = "point at a site, or type one" if any(self.sites()) else "type one"
            return f"There are {legal} legal moves: {how}."
        if len(choosing.wholes) > 1:
            return f"{len(choosing.wholes)} moves read so: type one as `moves` lists them."
        if at is not None and self.can_follow(at):
            return f"Enter chooses {self.position.rules.game.board.sites[at].name}."
        if choosing.only is not None:
            more = ", or chooses a marked site" if any(self.sites()) else ""
            return f"Enter makes the move {choosing.only}{more}."
        others = self.words()
        return f"Then: {visible_line(_listed(others))}" if others else "Then a marked site."

    def why_not(self, name: str, pieces: Mapping[str, str]) -> str:
        """Return that a site can't be chosen, and which of the `pieces` by site stands there."""
        piece = pieces.get(name)
        stands = f" There stands: {piece}." if piece is not None else ""
        begins = f" after {self.choosing.text}" if self.choosing.chosen else ""
        return f"{name} can't be chosen{begins} now.{stands}"


def _listed(texts: Sequence[str]) -> str:
    """Return texts as the end of a sentence, as many as there is room for.

    >>> _listed(["1 no", "2 yes"]), _listed(["x" * 60, "y" * 60, "z"])[58:]
    ('1 no, 2 yes.', 'xx, …')
    """
    ends = accumulate(len(text) + len(", ") for text in texts)
    shown = max(1, sum(end <= _MOST_LETTERS for end in ends))
    return ", ".join([*texts[:shown], "…"]) if shown < len(texts) else f"{', '.join(texts)}."


# ------------------------------------------------ how a game stands, as it is told beside the board


@dataclass(frozen=True)
class SideStanding:
    """How a side stands: which player has it now, its score as it is seen, and its time."""

    name: str
    is_on_turn: bool
    player: str
    score: str | None
    left: str


@dataclass(frozen=True)
class Listed:
    """A move in a list: `side` has made it (None: chance), and after `number` moves it is shown.

    Or an `other` one that was made instead, after so many moves; `is_last`: instead of none. `sign`
    is what a review says of it.
    """

    text: str
    number: int
    side: str | None = None
    sign: str = ""
    other: Move | None = None
    is_last: bool = False


@dataclass(frozen=True)
class Standing:
    """How a game stands: its sides, the `state` in lines, its moves, of which `made` are made.

    `about` is what the game is about; it `is_new` if nobody has moved yet.
    """

    sides: tuple[SideStanding, ...]
    state: tuple[str, ...]
    moves: tuple[Listed, ...]
    made: int
    about: str
    is_new: bool


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
        return moments(self.judgements, _MOST_MOMENTS)

    def heading(self) -> str:
        """Return what the game was worth for the side, move by move."""
        heading = f"{visible_line(self.side)} {curve(self.judgements)}"
        return heading if self.moments else f"{heading}\n\nNo move changed the value much."

    def lines(self) -> tuple[str, ...]:
        """Return what is to say of the moments that mattered, a line each."""
        return tuple(visible_line(judgement_text(one)) for one in self.moments)

    def of(self, position: Position) -> str:
        """Return what is said of the move that led to a position of the game; perhaps nothing."""
        found = next((one for one in self.judgements if one.after is position), None)
        return "" if found is None else visible_line(judgement_text(found))
