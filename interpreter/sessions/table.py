"""A table that games are played at, apart from how that is shown.

In: a session, who sits where, moves that are made, and what else a person wants: to go back or to
another position, to keep the game, to play another one. Out: a snapshot of what there is to show.
What then holds: no event raises; what the rules fail in is said. A screen and a game line by line
are faces of the same table: what may be done, what it leads to and what is said of it is the same.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from shlex import quote
from typing import TYPE_CHECKING

from gdl.data_classes import dataclass
from gdl.diagnostic import GameError
from gdl.interpreter.english import sentence
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import Move, MoveError, words
from gdl.interpreter.evaluation.playout import USUAL_MAX_PLIES
from gdl.interpreter.positions.meant import Meant
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.position_text import (
    end_text,
    ended_text,
    mover_does,
    mover_text,
    turn_text,
)
from gdl.interpreter.positions.view import View
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.sessions import messages
from gdl.interpreter.sessions.audience import ALL_SEEN, NO_ADVICE, NO_WAY_BACK, Audience
from gdl.interpreter.sessions.choosing import Choosing, asked_next, asked_text
from gdl.interpreter.sessions.effects import thing
from gdl.interpreter.sessions.following import Followed, gone_on
from gdl.interpreter.sessions.notation import is_spelled, unspelled
from gdl.interpreter.sessions.replaying import replay
from gdl.interpreter.sessions.saves import (
    is_saved_game,
    named_file,
    read_record,
    saved_text,
    write_record,
)
from gdl.interpreter.sessions.seats import (
    Player,
    chance_here,
    exchanged,
    people_at,
    play_chance,
    players_at,
)
from gdl.interpreter.sessions.session import Session
from gdl.interpreter.sessions.snapshot import Choices, Reviewed, Snapshot, Standing
from gdl.interpreter.sessions.typed import refusal, typed_move
from gdl.visible import visible_line

if TYPE_CHECKING:
    from gdl.interpreter.sessions.autosave import Keeper

CHOSEN, OFFERED, THREATENED, ASKED = "*", "+", "x", "?"
"""What marks a site that is chosen, one that can be next, is threatened, or is asked about."""


@dataclass(frozen=True)
class Wish:
    """What a person wants to be done; a face asks the `question` first, if there is one.

    If it is declined, that `declined` is said. It `is_final` if what is lost by it can't be had
    again: then it is asked even where nobody seems to sit at a terminal.
    """

    do: Callable[[], None]
    question: str = ""
    declined: str = ""
    is_final: bool = False


class Table:
    """Where one game is played at a time.

    It `is_unkept` if people have made moves that are nowhere kept. `failure` is what the rules have
    failed in, where they have.
    """

    def __init__(
        self,
        session: Session,
        players: Mapping[int, Player],
        random: random.Random,
        *,
        keeper: Keeper | None = None,
        as_side: str | None = None,
        is_open: bool = False,
        are_ready: bool = False,
        followed: Followed | None = None,
    ) -> None:
        """Play `session`; seats (from 1) that are not in `players` are people's.

        Where the rules hide something, people see what their side does, or all what `as_side`
        does; unless it `is_open` and all is shown. A `keeper` keeps the game after each move, and
        games that are begun then in files of their own; without one, none is kept. Players of games
        that are begun later get ready by themselves, unless they must be so (`are_ready`). If its
        file is `followed`, the game goes on by new rules when that was saved.
        """
        self.session = session
        self.players = dict(players)
        self.random = random
        self._keeper = keeper
        self._as_side = as_side
        self.is_open = is_open
        self._are_ready = are_ready
        self._followed = followed
        self._show_from_now_on()

    def _show_from_now_on(self) -> None:
        """Begin to look at the session, with nothing known of a game before."""
        people = frozenset() if self.is_open else self.people
        self.audience = Audience(self.session, people, self._as_side)
        self._reason: tuple[Position, Scene | None] | None = None
        self._files: dict[str, str] = {}
        self._said: dict[str, None] = {}
        self._said_since_own: tuple[str, ...] = ()
        self._happened: tuple[str, ...] = ()
        self.failure: RuleError | None = None
        self.advice = Meant()
        self.threatened: frozenset[int] = frozenset()
        self.review = Reviewed()
        self.choosing = Choosing(())
        self.is_unkept = False
        self._look()

    # ------------------------------------------------------------------- what is said

    @property
    def said(self) -> tuple[str, ...]:
        """The sentences that were said last."""
        return tuple(self._said)

    def say(self, *told: str) -> None:
        """Say these sentences, and nothing that was said before."""
        self._said = {}
        self.add(*told)

    def add(self, *told: str) -> None:
        """Say these sentences besides, each once."""
        self._said.update(dict.fromkeys(filter(None, map(visible_line, told))))

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
        if self.over or self.looks_back or self.is_endless:
            return None
        return self.players.get(self.position.seat or 0)

    @property
    def is_endless(self) -> bool:
        """Whether players have gone on among themselves for long enough."""
        return not self.people and not self.over and len(self.session.moves) >= USUAL_MAX_PLIES

    @property
    def is_asked(self) -> bool:
        """Whether a person is to choose now, and looks."""
        is_seat = self.position.seat is not None
        return self._awaits_choice and is_seat and not self.audience.must_change

    @property
    def _awaits_choice(self) -> bool:
        """Whether a person is to choose now, or could make another move of an earlier position."""
        return not self.over and (self.looks_back or self.position.seat in self.people)

    def snapshot(self, viewer: str | None = None) -> Snapshot:
        """Return what there is to show now to who looks here, or to the side of a `viewer`.

        Raises GameError where no side is called so.
        """
        audience, position, side = self.audience, self.position, None
        if viewer is not None:
            side = position.view(viewer).side
            audience = Audience(self.session, self.people, side)
        is_meant = viewer is None or audience.side in (None, self.audience.side)
        is_covered = viewer is None and audience.must_change
        may_choose = self._awaits_choice and (
            not is_covered if viewer is None else side == position.mover
        )
        mover, asked = mover_text(position), ""
        if self.over:
            mover = "The game is over" if self.session.outcome else "The game can't go on"
        elif is_covered:
            mover = f"Hand over to {mover}"
        elif may_choose:
            asked = asked_text(position, self.choosing)
        else:
            mover = mover_does(position, "thinks")
        return Snapshot(
            title=visible_line(position.rules.name),
            scene=self.scene(audience),
            pieces=audience.pieces(asked_next(position, self.choosing).position),
            marks=audience.marks(),
            standing=Standing.of(self.session, audience, self.review, is_new=self.is_new),
            said=self.said if is_meant else (),
            ended=self.ended(),
            mover=visible_line(mover),
            asked=visible_line(asked),
            choices=Choices.of(position, self.choosing) if may_choose else None,
            is_over=self.over,
            looks_back=self.looks_back,
            is_covered=is_covered,
        )

    @property
    def is_new(self) -> bool:
        """Whether nobody but chance has made a move yet."""
        before = self.session.line_positions[:-1]
        return self.is_asked and all(position.seat is None for position in before)

    def scene(self, audience: Audience | None = None) -> Scene:
        """Return the position as it is to be drawn, with what is chosen and may be chosen next.

        What is chosen, advised or threatened is marked for those who may know what can be done now.
        """
        audience = audience or self.audience
        if not audience.is_on_turn:
            return audience.scene()
        board = self.position.rules.game.board
        marks = dict.fromkeys(self.threatened, THREATENED)
        for chosen, mark in ((self.choosing.offers, OFFERED), (self.choosing.chosen, CHOSEN)):
            sites = (board.index(word) for word in chosen if self.choosing.chosen)
            marks.update({site: mark for site in sites if site is not None})
        now = asked_next(self.position, self.choosing)
        marks.update(dict.fromkeys(now.about - marks.keys() if self.choosing.chosen else (), ASKED))
        reason = self._reason_scene()
        if reason is not None and not marks:
            return reason
        scene = self.advice.on(audience.scene(now.position))
        return replace(scene, highlights={**scene.highlights, **marks})

    # --------------------------------------------------------------------- moves made

    def make(self, move: Move, told: str = "") -> None:
        """Make a legal move, and what chance does then, unless its time is up; say what is told.

        What a person's move has come to stays said while players answer.
        """
        is_own, since_own = self.is_asked, self._said_since_own
        is_answer = not is_own and bool(self.people) and self.said[: len(since_own)] == since_own
        self.say(*(since_own if is_answer else ()), told)
        if self.tick():
            return
        before = self.position
        if is_own:
            self.audience.change()
        shown, noticed = self.audience.shown, self.audience.notices()
        try:
            self.session.play(move)
            if not self.audience.is_limited:
                told = messages.made_text(before, move, self.position, is_own=is_own)
                positions, moves = self.session.positions, self.session.moves
                self.say(*messages.told_on(self.said, told, positions, moves))
                way = "" if self.position.over else self.audience.way_told()  # how it ended is said
                self.add(way, messages.exchange_text(before, self.position))
            else:
                after = self.position
                goes_on = (after.seat, after.mover) == (before.seat, before.mover)
                told = f"{mover_does(before, 'has')} played{', and goes on' if goes_on else ''}."
                self._tell_others(shown, "" if is_own else told)
            self._chance()
            if not self.audience.is_limited:
                self.add(*(sentence(n) for n in self.position.notices() if n not in noticed))
        except RuleError as problem:
            self._fail(problem)
        self._said_since_own = self.said if is_own or is_answer else ()
        self.session.run_clock()
        self._look()
        self._happened = self.audience.hear(self.said)
        self._keep()

    def tick(self) -> bool:
        """Look at the clock, and at the file; return whether something is different now."""
        if self._follows():
            return True
        told = self.session.lose_on_time()
        if told:
            self.say(told)
            self._look()
            self._keep()
        return bool(told)

    def _follows(self) -> bool:
        """Go on by what the file now says, if it was saved; return whether it was."""
        news = None if self._followed is None else self._followed.news()
        if news is None:
            return False
        if isinstance(news, GameError):
            why = messages.trouble(news)
            self.say(f"The rules are as before, for the file is no game now: {why}")
            return True
        try:
            session, left = gone_on(self.session, news)
            rules = session.position.rules
            players = players_at(session.seats, rules, self.random, are_ready=self._are_ready)
        except (GameError, RuleError) as problem:
            self.say(f"The rules are as before: by the new ones, {messages.trouble(problem)}")
            return True
        self.session, self.players = session, players
        self._show_from_now_on()
        self.begin()
        lost = f" {left} move{' is' if left == 1 else 's are'} not legal any more." if left else ""
        self.say(f"The file was saved: its rules hold now.{lost}", *self._said)
        return True

    def _chance(self) -> None:
        """Have chance make its moves, if it is on turn."""
        before, shown = self.position, self.audience.shown
        made = play_chance(self.session, chance_here(self.session, self.random))
        if made and self.audience.is_limited:
            self._tell_others(shown, "Chance has decided.")
        elif made:
            self.add(f"{messages.chance_text(made, before, self.position)}.")

    def _tell_others(self, shown: Position | View, otherwise: str) -> None:
        """Tell what others have done and what came of it, if it may be told, or something else.

        Where nothing can be seen of it, nothing is said: how often others try is hidden, too.
        """
        told = tuple(filter(None, self.audience.news()))
        self.add(*told)
        if not told and self.audience.shown != shown:
            self.add(otherwise)

    # ------------------------------------------------------ moves entered by a person

    def point(self, site: int) -> None:
        """Choose a site: the next word of a move, or a new beginning of one.

        The site that was chosen last is taken back, unless a move goes on with it once more.
        """
        name = self.position.rules.game.board.sites[site].name
        if not self._may_choose():
            return
        longer = self.choosing.with_word(name)
        if longer is None and name.lower() == (self.choosing.chosen[-1:] or ("",))[0]:
            self.back()
            return
        if longer is None and self.choosing.chosen:
            longer = Choosing(self.choosing.legal).with_word(name)
        if longer is not None:
            self._choose(longer)
            return
        piece = self.audience.pieces().get(name)
        begins = f" after {self.choosing.text}" if self.choosing.chosen else ""
        stands = (
            "" if piece is None else f" There stands {thing(piece, 1, self.position.rules.sides)}."
        )
        self.say(*self._happened, f"{name} can't be chosen{begins} now.{stands}")

    def agree(self, otherwise: str) -> None:
        """Make the move that is meant: the one of which all is chosen, or the only one there is.

        Say something else where none is.
        """
        if not self._may_choose():
            return
        only = self.choosing.only
        if only is None:
            self.say(*self._happened, otherwise)
        elif self.choosing.chosen or len(self.choosing.legal) == 1:
            self.make(only)

    def read(self, text: str) -> bool:
        """Make the move that a text names, or choose its words; return whether it was either.

        Several words at once are those of a move in its own order.
        """
        if not words(text) or not self._may_choose():
            return False
        for wanted in dict.fromkeys((f"{self.choosing.text} {text}".strip(), text)):
            try:
                move = unspelled(wanted, self.position)
            except MoveError:
                continue
            if is_spelled(wanted):
                self.make(move)
            else:
                self._make_typed(move)
            return True
        for beginning in (self.choosing, Choosing(self.choosing.legal)):
            longer = beginning.with_word(text)
            if longer is not None and (len(words(text)) == 1 or longer.is_beginning):
                self._choose(longer)
                return True
        return False

    def read_short(self, text: str, other: Iterable[str]) -> None:
        """Make the move that a text means in a shorter spelling, or say why it is none.

        `other` words are understood besides moves. Several moves have commas between them.
        """
        if not self._may_choose():
            return
        first, _, rest = (part.strip() for part in text.partition(","))
        before, choosing = self.position, self.choosing
        if rest and self.read(first) and self.position is not before:
            if self.player is not None or self.audience.must_change:
                self.add(f"The rest was not played: {rest}.")
            elif not self.over and not self.read(rest):
                self.read_short(rest, other)
            return
        self.choosing = choosing
        number, _, rest = text.partition(" ")
        shown = Choices.of(self.position, self.choosing).numbered(number, self.scene())
        if shown and self.read(f"{shown} {rest}".strip()):
            return
        try:
            self._make_typed(typed_move(f"{self.choosing.text} {text}".strip(), self.position))
        except MoveError as problem:
            self.say(refusal(problem, text, self.position, self.audience.pieces(), other))

    def back(self) -> None:
        """Take the word back that was chosen last; say again what has happened, if none was."""
        self.say(*(() if self.choosing.chosen else self._happened))
        self.choosing = self.choosing.without_last()

    def enter_again(self) -> None:
        """Make the move that is chosen in all its words; else take all words back."""
        wholes = self.choosing.wholes if self.choosing.chosen else ()
        if len(wholes) == 1 and self._may_choose():
            self.make(wholes[0])
        else:
            self.choosing = Choosing(self.choosing.legal)

    def _may_choose(self) -> bool:
        """Return whether a move may be entered now; say why not."""
        self.say()
        if self.session.outcome is not None:
            last = "resignation" if self.session.is_given_up else "last move"
            undo = "" if self.audience.has_seen_all else f" `undo` takes the {last} back."
            self.say(f"The game is over.{undo}")
        elif self.failure is not None and self.over:
            self.say(messages.trouble(self.failure))
        elif self.player is not None:
            self.say(*self._happened, f"{mover_does(self.position, 'thinks')}.")
        elif self.audience.must_change:
            self.say(f"Hand over to {mover_text(self.position)}.")
        else:
            return not self.over
        return False

    def _choose(self, longer: Choosing) -> None:
        if longer.chosen[: len(self.choosing.chosen)] != self.choosing.chosen:
            self.say(f"{longer.text} is chosen instead of {self.choosing.text}.")
        self.choosing = longer
        if longer.move is not None:
            self.make(longer.move)

    def _make_typed(self, move: Move) -> None:
        """Make a move; where it could go on, only choose it, unless it was chosen before."""
        begun = Choosing(self.choosing.legal, move.words)
        if begun.offers and self.choosing.chosen != begun.chosen:
            self.choosing = begun
        else:
            self.make(move)

    # ------------------------------------------------------------- back and forth

    def begin(self) -> None:
        """Have chance make its moves, if the game begins with some; say where a game goes on."""
        number, said = len(self.session.moves), tuple(self._said)
        try:
            if not self.looks_back:
                self._chance()
        except RuleError as problem:
            self._fail(problem)
        self.session.run_clock()
        self._look()
        if number and not self.over and not self.looks_back:
            number = self.session.ply
            told = f"The game goes on after {number} move{'' if number == 1 else 's'}."
            self.say(*said, told, turn_text(self.position), *self._said)

    def undo(self) -> None:
        """Take a resignation back, else the moves since a person was on turn before.

        What is hidden has been seen where the game has been over: then nobody plays on.
        """
        if self.audience.take_back():
            self._go("Took back your last move, which nobody else has seen.", is_ended=True)
            return
        if self._is_closed():
            return
        if self.audience.has_seen_all:
            self.say(ALL_SEEN)
            return
        if self.session.withdraw():
            self._go(f"Took back the resignation. {messages.DOES_IT_AGAIN}", is_ended=True)
            return
        taken = self.session.take_back(self.people or frozenset(self.players))
        told = messages.taken_back_text(taken, self.session.positions)
        self._go(told if taken else "There is no move to take back.")

    def redo(self) -> None:
        """Do again what was taken back, to where a person chooses, or to the end of the line."""
        if self._is_closed():
            return
        if self.session.resign_again():
            self._go(f"{mover_does(self.position, 'resigns')}.", is_ended=True)
            return
        made = self.session.redo(self.people)
        told = f"Made {made} move{'' if made == 1 else 's'} again."
        self._go(told if made else "There is nothing to do again.")

    def _go(self, told: str = "", *, is_ended: bool = False) -> None:
        """Look at the position that the session has come to, and say something of it."""
        self.say(told)
        self.session.run_clock()
        self._look()
        if is_ended:
            self._keep()

    def step(self, number: int) -> None:
        """Go so many moves forward, or back if that is below nothing."""
        self.go_to(len(self.session.moves) + number)

    def go_to(self, number: int) -> None:
        """Go to the position after so many moves."""
        if not self._is_closed():
            self.session.go_to(number)
            self.say()
            self._look()

    def go_to_ply(self, ply: int) -> None:
        """Go to the position after so many moves of sides, and what chance did then."""
        made = [number for number, plies in enumerate(self.session.plies) if plies <= ply]
        self.go_to(made[-1] if ply else 0)

    def hand_over(self) -> None:
        """Let the person on turn look."""
        self.say()
        self.audience.change()
        self.add(*self.audience.news())
        self._look()
        self._happened = self.audience.hear(self.said)

    def _is_closed(self) -> bool:
        """Say so where what is hidden keeps people from going back."""
        if self.audience.is_limited:
            self.say(NO_WAY_BACK)
        return self.audience.is_limited

    def enter(self, number: int, move: Move) -> None:
        """Go to the variation that a move begins after so many moves."""
        self.say()
        self.session.go_to(number)
        self.session.play(move)
        self._look()

    def vary(self) -> None:
        """Go to the next move that was made instead of the last."""
        self.say("" if self.session.vary() else "No other move was made instead of this one.")
        self._look()

    # --------------------------------- what a person wants, and may be asked about first

    def resigning(self) -> Wish | None:
        """Return the wish to give the game up, for the side on turn; None, and why not, if over."""
        if self.over:
            self.say("The game is over.")
            return None
        return Wish(self.resign, f"Resign as {self.position.mover}?")

    def resign(self) -> None:
        """Give the game up, for the side on turn."""
        self.say(f"{mover_does(self.position, 'resigns')}.")
        self.session.resign()
        self.session.run_clock()
        self._look()
        self._keep()

    def leaving(self, leave: Callable[[], None]) -> Wish:
        """Return the wish to leave, by which moves may be lost."""
        return Wish(leave, "These moves are not kept. Leave them?" if self.is_unkept else "")

    def keeps(self, path: str, text: str) -> None:
        """Take note that a file keeps this game, and what stands there."""
        self._files[os.path.realpath(path)] = text

    def saving(self, typed: str) -> Wish | None:
        """Return the wish to keep the game in a file; None, and what to type, if none is named.

        What stands there is asked about, unless it is this game as it was kept before.
        """
        if not typed:
            self.say("Type `save FILE`.")
            return None
        path = named_file(typed)
        is_new, standing = not os.path.exists(path), saved_text(path)

        def save() -> None:
            try:
                record = self.session.record()
                write_record(record, path, is_new=is_new, instead_of=standing)
            except GameError as problem:
                self.say(messages.trouble(problem))
                return
            self.is_unkept = False
            self.keeps(path, record.to_text())
            self.say(f"Kept in {path}. `gdl play {quote(path)}` goes on with it.")

        known = self._files.get(os.path.realpath(path))
        if is_new or (standing is not None and standing == known):
            return Wish(save)
        what = "another game, or other moves" if is_saved_game(path) else "something else"
        question = f"{visible_line(path)} has {what}. Write over it?"
        return Wish(save, question, "Nothing was written.", is_final=True)

    def loading(self, typed: str) -> Wish | None:
        """Return the wish to go on with the game that a file keeps; None, and why not.

        Where it does not say who sits at its seats, they are filled as those of the game before.
        """
        if not typed:
            self.say("Type `load FILE`.")
            return None
        path = named_file(typed)
        try:
            record = read_record(path)
            found = replay(record, path)
        except GameError as problem:
            self.say(messages.trouble(problem))
            return None
        number = len(found.last.rules.sides)
        known = {seat: kind for seat, kind in self.session.seats.items() if seat <= number}
        loaded = Session(found, record.seed, record.seats or known)

        def load() -> None:
            if self._play_another(loaded):
                self.say(*(" ".join(one.message.split()) for one in found.warnings))
                if not record.is_signed:
                    self.keeps(path, record.text)
                self.begin()

        return self._instead(load, "and go on with that one")

    def beginning(self, seats: Mapping[int, str] | None = None) -> Wish:
        """Return the wish to begin another game with players of these kinds, or the same ones."""

        def again() -> None:
            kinds = self.session.seats if seats is None else seats
            if self._play_another(self.session.again(kinds, self.random.getrandbits(32))):
                self.begin()

        return self._instead(again, "and begin a new one")

    def exchanging(self) -> Wish:
        """Return the wish to begin another game in which each seat's player sits at the next."""
        return self.beginning(exchanged(self.session.seats, len(self.position.rules.sides)))

    def _instead(self, do: Callable[[], None], what: str) -> Wish:
        is_left = self.session.moves and not self.over
        return Wish(do, f"Leave this game, {what}?" if is_left else "")

    def _play_another(self, session: Session) -> bool:
        """Play another game from now on, which is kept on its own; return whether that can be."""
        rules = session.position.rules
        try:
            players = players_at(session.seats, rules, self.random, are_ready=self._are_ready)
        except GameError as problem:
            self.say(messages.trouble(problem))
            return False
        if self._keeper is not None:
            self._keeper.renew(rules.game.name)
        self.session, self.players = session, players
        self._show_from_now_on()
        return True

    def sit(self, kinds: Mapping[int, str]) -> None:
        """Put players of these kinds at seats from now on, and people at the others."""
        rules = self.position.rules
        if rules.game.hides and self.session.outcome is None:
            self.say("In a game that hides something, seats stay as they are until it is over.")
            return
        try:
            self.players = players_at(kinds, rules, self.random, are_ready=self._are_ready)
        except GameError as problem:
            self.say(messages.trouble(problem))
            return
        self.session.seats = dict(kinds)
        self.say()
        self._look()
        self._keep()

    # ------------------------------------------------------------ what may be asked about the game

    def ended(self) -> str:
        """Return how the game has ended, and by what; empty if it goes on."""
        outcome = self.session.outcome
        return "" if outcome is None else visible_line(end_text(self.position, outcome))

    def may_ask(self, *, of_threats: bool = False) -> bool:
        """Return whether what comes may be told to who looks; say why not.

        What the others threaten is told to nobody where something is hidden; the rest to who is on
        turn.
        """
        outcome, audience = self.session.outcome, self.audience
        if outcome is not None:
            self.say(f"The game is over: {ended_text(self.position, outcome)}.")
        elif self.over:
            self.say("The game can't go on.")
        elif audience.is_limited and (of_threats or not audience.is_on_turn):
            self.say(NO_ADVICE)
        else:
            return True
        return False

    def may_list(self) -> bool:
        """Return whether the legal moves may be listed to who looks; say why not."""
        if not self.audience.is_on_turn:
            self.say("These moves are for another person.")
            return False
        return self.may_ask()

    def may_review(self) -> bool:
        """Return whether the moves of the game may be looked through; say why not."""
        if self.session.outcome is None and not self.looks_back:
            self.say("A game is reviewed when it is over; `analyse` tells of this position.")
        elif not self.session.line:
            self.say("There is no move to review.")
        else:
            return True
        return False

    # ------------------------------------------------------------------- inside

    def _reason_scene(self) -> Scene | None:
        """Return the position with what ended the game marked: the chain, the row, the group."""
        position = self.position
        if position.outcome is None:
            return None
        if self._reason is None or self._reason[0] is not position:
            scenes = [scene for _, scene in self.audience.reasons("") if scene is not None]
            self._reason = position, scenes[-1] if scenes else None
        return self._reason[1]

    def _look(self) -> None:
        """See what is legal in the position that is shown now, and what a review says of it."""
        self.advice, self.threatened, self._happened = Meant(), frozenset(), ()
        if not self._said:
            self.say(self.review.of(self.position))
        try:
            self.choosing = Choosing(self.position.moves() if self.session.outcome is None else ())
        except RuleError as problem:
            self.choosing = Choosing(())
            self._fail(problem)
        if self.is_endless:
            self.add(f"Unfinished after {USUAL_MAX_PLIES} moves.")

    def _fail(self, problem: RuleError) -> None:
        """Say what the rules fail in."""
        self.failure = problem
        self.say(messages.trouble(problem))

    def _keep(self) -> None:
        """Keep the game as it is now; where that fails, say so once."""
        was_unkept, self.is_unkept = self.is_unkept, bool(self.people)
        if self._keeper is None:
            return
        try:
            self._keeper.keep(self.session.record())
            self.is_unkept = False
        except GameError as problem:
            if not was_unkept:
                self.add(f"The game is not kept: {messages.trouble(problem)}")
