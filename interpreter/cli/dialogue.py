"""A game played in the terminal: people type moves and commands, players answer.

In: a session, and who sits at each seat. Out: the game, move by move, on stdout. What then
holds: nothing that is typed ends the game but `quit`, `resign` and the end of input. To add a
command, write a method and add a line to `_commands`.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from random import Random
from shlex import quote

from gdl.diagnostic import GameError
from gdl.visible import visible_line
from interpreter.cli.counsel import Counsel
from interpreter.cli.output import clear, wants_ascii, write, write_drawn
from interpreter.cli.picture import board_text, scene_text, write_turn
from interpreter.english import does
from interpreter.evaluation.moves import Move, MoveError, words
from interpreter.evaluation.playout import USUAL_MAX_PLIES
from interpreter.explain.asking import asked_for
from interpreter.library.portrait import portrait, portrait_text
from interpreter.positions.position import Position
from interpreter.positions.position_text import introduction, mover_does, mover_text
from interpreter.positions.view import View
from interpreter.render.scene import Scene
from interpreter.render.theme import LIGHT, Theme
from interpreter.sessions.audience import Audience
from interpreter.sessions.clock import clock_text
from interpreter.sessions.entry import (
    Choosing,
    asked_text,
    further_ways,
    moves_a_piece,
    next_words,
)
from interpreter.sessions.news import Course, chance_text
from interpreter.sessions.record import Record
from interpreter.sessions.replaying import replay
from interpreter.sessions.saves import (
    is_saved_game,
    named_file,
    read_record,
    saved_text,
    write_record,
)
from interpreter.sessions.seats import (
    Player,
    chance_here,
    chosen,
    exchanged,
    people_at,
    play_chance,
    players_at,
)
from interpreter.sessions.session import Session
from interpreter.sessions.spelling import unspelled
from interpreter.sessions.typed import refusal, typed_command, typed_move

_AFTERWARDS = "The game is over: review, save FILE, load FILE, new, exchange, undo, quit> "


class Dialogue:
    """One game at a terminal."""

    def __init__(
        self,
        session: Session,
        players: Mapping[int, Player],
        random: random.Random,
        ascii: bool = False,
        as_side: str | None = None,
        *,
        keep: Callable[[Record], None] | None = None,
        renew: Callable[[str], None] = lambda name: None,
        theme: Theme = LIGHT,
        delay: float = 0.0,
    ) -> None:
        """Play `session`; seats (from 1) that are not in `players` are people's.

        Where the rules hide something, a person sees what that side sees; `as_side` (a side's name)
        looks on instead, whoever is on turn. `keep` is given the record of the game after each
        move; it may raise GameError. `renew` is called when another game begins, with its name.
        Players wait for `delay` seconds before they move.
        """
        self._session = session
        self._players = players
        self._random = random
        self._ascii = ascii
        self._theme = theme
        self._keep = keep
        self._renew = renew
        self._delay = delay
        self._begun = ""
        self._over = False
        self._files = Files(self._agrees)
        self._as_side = as_side
        self._audience = Audience(session, self._people, as_side)
        self._counsel = Counsel(random, self._draw)
        self._prompt = Prompt(self._completions)
        told, counsel = self._asked, self._counsel
        self._commands: Mapping[str, tuple[Callable[[str], None], str, str]] = {
            "help": (self._help, "", "this list"),
            "moves": (
                told(counsel.moves),
                "[WORD]",
                "the legal moves, or those that begin with WORD",
            ),
            "why": (
                told(counsel.why),
                "[MOVE]",
                "why a move is legal or not; a site; or how the game stands",
            ),
            "rules": (self._rules, "", "the rules in words"),
            "board": (self._board, "", "the board again"),
            "undo": (self._undo, "", "take your last move back, or your resignation"),
            "redo": (self._redo, "", "do again what you took back"),
            "hint": (told(counsel.hint), "", "a good move, and why"),
            "threats": (told(counsel.threats), "", "what the others could win by or take at once"),
            "eval": (told(counsel.value), "", "what the position is worth for each side"),
            "analyse": (told(counsel.analyse), "", "the best moves, and what they are worth"),
            "review": (told(counsel.review), "", "the moves that changed the game's value most"),
            "save": (self._save, "FILE", "keep the game in a file"),
            "load": (self._load, "FILE", "go on with a game from a file"),
            "new": (self._new, "", "another game with the same seats"),
            "exchange": (self._exchange, "", "another game with the seats exchanged"),
            "resign": (self._resign, "", "give the game up"),
            "quit": (self._quit, "", "leave the game"),
        }

    def keeps(self, path: str, text: str) -> None:
        """Take note that a file keeps this game, and what stands there."""
        self._files.keeps(path, text)

    # ------------------------------------------------------------------ the course

    def run(self) -> None:
        """Play until the game is over, is left, or the input ends."""
        write(introduction(self._session.position, ascii=self._ascii or wants_ascii()))
        write("Type a move such as those that `moves` lists, or `help`.")
        self._board("")
        while not self._over:
            self._chance()
            self._session.run_clock()
            if self._session.outcome is not None:
                self._look_back()
                continue
            player = self._players.get(self._session.position.seat or 0)
            if player is None:
                self._hand_over()
                self._ask()
            else:
                self._answer(player)

    def _look_back(self) -> None:
        """Tell how the game has ended, and let people look back at it, or take moves back."""
        write_turn(self._session.position, self._session.outcome)
        if not self._people:
            self._over = True
        while not self._over and self._session.outcome is not None:
            line = self._prompt.read(_AFTERWARDS if self._prompt.is_terminal else "")
            typed = (line or "quit").strip()
            if not self._is_command(typed) and typed:
                last = "resignation" if self._session.is_given_up else "last move"
                write(f"The game is over. `undo` takes the {last} back, `help` lists the rest.")

    @property
    def _people(self) -> frozenset[int]:
        return people_at(self._players, self._session.position.rules)

    @property
    def _hides(self) -> bool:
        return self._session.position.rules.game.hides

    def _hand_over(self) -> None:
        """Let the next person look, and nobody see what is not for them."""
        if not self._audience.must_change:
            return
        mover = mover_text(self._session.position)
        if self._prompt.is_terminal:
            self._prompt.read(f"Hand over to {mover}: press Enter, and the board is hidden.")
            clear()
            self._prompt.read(f"{mover}, press Enter to see the board.")
        self._audience.change()
        self._board("")

    def _chance(self) -> None:
        before = self._audience.shown
        made = play_chance(self._session, chance_here(self._session, self._random))
        if self._hides and made:
            self._tell("Chance has decided.", before)
        elif made:
            write(chance_text(made))
            self._board("")
        if made:
            self._kept_as_it_goes()

    def _tell(self, otherwise: str, before: Position | View) -> None:
        """Tell which moves others have made, if they may be told, or something else.

        Where nothing can be seen of it, nothing is said: how often others try is hidden, too.
        """
        told = tuple(self._audience.newly_told())
        for mover, move in told:
            write(f"{does([mover], 'plays')} {move}" if mover else f"Chance: {move}")
        if self._audience.shown == before:
            return
        if not told and otherwise:
            write(otherwise)
        self._board("")

    def _answer(self, player: Player) -> None:
        position, before = self._session.position, self._audience.shown
        move = chosen(player, self._session.positions, self._session.moves)
        time.sleep(self._delay)
        told = self._session.lose_on_time()
        if told:
            write(told)
            return
        if not self._hides:
            write(f"{mover_does(position, 'plays')} {move}")
        self._session.play(move)
        self._kept_as_it_goes()
        if self._hides:
            self._tell(f"{mover_does(position, 'has')} played.", before)
        else:
            self._board("")
        if not self._people and len(self._session.moves) >= USUAL_MAX_PLIES:
            write(f"Unfinished after {USUAL_MAX_PLIES} moves.")
            self._over = True

    def _kept_as_it_goes(self) -> None:
        if self._keep is None:
            return
        try:
            self._keep(self._session.record())
        except GameError as error:
            write(f"The game is not kept: {error}")
            self._keep = None

    def _board(self, argument: str) -> None:
        shown = self._audience.shown
        write_drawn(board_text(shown, ascii=self._ascii, theme=self._theme))

    # ------------------------------------------------------------------ what is typed

    def _ask(self) -> None:
        """Read one line, and do what it says."""
        position = self._session.position
        line = self._prompt.read(question(self._session, self._begun))
        told = self._session.lose_on_time()
        if told:
            write(told)
            self._kept_as_it_goes()
            return
        if line is None:
            self._over = True
            return
        begun, self._begun = self._begun, ""
        typed = line.strip()
        if not typed:
            return
        for text in (f"{begun} {typed}", typed) if begun else (typed,):
            if self._is_done(text, is_alone=text == typed):
                return
        try:
            self._play(typed_move(f"{begun} {typed}".strip(), position))
        except MoveError as error:
            write(refusal(error, typed, position, self._audience.pieces(), self._commands))
            self._begun = begun

    def _is_done(self, text: str, is_alone: bool) -> bool:
        """Do what a text says if it is a move, a command, or begins a move."""
        position = self._session.position
        try:
            move = unspelled(text, position)
        except MoveError:
            if is_alone and self._is_command(text):
                return True
            if words(text) and next_words(text, position.moves()):
                self._begun = text
                return True
            return False
        self._play(move)
        return True

    def _is_command(self, text: str) -> bool:
        """Do what a text says if it is a command."""
        found = typed_command(text, self._commands)
        if found is None:
            return False
        name, argument = found
        self._commands[name][0](argument)
        return True

    def _play(self, move: Move) -> None:
        further = further_ways(move, self._session.position.moves())
        if further:
            back = "" if self._hides else " `undo` takes it back."
            write(f"Played as it is; it could go on: {', '.join(further)}.{back}")
        self._audience.change()
        before = self._audience.shown
        self._session.play(move)
        self._kept_as_it_goes()
        if self._hides:
            self._tell("", before)
        else:
            self._board("")

    def _completions(self, before: str) -> Iterable[str]:
        whole = f"{self._begun} {before}".strip()
        words = next_words(whole, self._session.position.moves())
        return (*words, *self._commands) if not whole else words

    # ------------------------------------------------------------------ commands

    def _help(self, argument: str) -> None:
        write("Type a move: its words with blanks, `-` or commas between. A move of several")
        write("words can be typed word by word. An empty line begins anew.")
        if self._session.position.numbering is not None:
            write(
                "Where the board shows numbers, `b3` is the second way to play at 3: see `moves`."
            )
        write("Or type:")
        for name, (_, argument_name, about) in self._commands.items():
            write(f"  {f'{name} {argument_name}':14}{about}")

    def _draw(self, scene: Scene) -> None:
        write_drawn(scene_text(scene, ascii=self._ascii, theme=self._theme))

    def _asked(self, answer: Callable[[Audience, str], None]) -> Callable[[str], None]:
        """Return a command that is answered for those who look then."""
        return lambda argument: answer(self._audience, argument)

    def _rules(self, argument: str) -> None:
        write(portrait_text(portrait(self._session.position.rules.game)))

    def _undo(self, argument: str) -> None:
        self._gone(Course.back(self._audience, self._people))

    def _redo(self, argument: str) -> None:
        self._gone(Course.again(self._audience, self._people))

    def _gone(self, course: Course) -> None:
        """Tell how far the game has gone back or forward, and show it there."""
        write(course.told("`redo`"))
        if course.is_ended:
            self._kept_as_it_goes()
        elif course.moves:
            self._board("")

    def _save(self, argument: str) -> None:
        self._files.save(self._session, argument)

    def _load(self, argument: str) -> None:
        at = self._session.seats
        loaded = self._files.load(argument, at, self._random, self._may_leave)
        if loaded is None:
            return
        self._session, self._players = loaded
        self._leave_for_another()

    def _resign(self, argument: str) -> None:
        if self._session.outcome is not None:
            write("The game is over.")
            return
        if self._prompt.is_terminal and not self._agrees("Resign? yes or no> "):
            return
        write(f"{mover_does(self._session.position, 'resigns')}.")
        self._session.resign()
        self._kept_as_it_goes()

    def _new(self, argument: str) -> None:
        self._begin(self._session.seats, self._players)

    def _exchange(self, argument: str) -> None:
        number = len(self._session.position.rules.sides)
        self._begin(exchanged(self._session.seats, number), exchanged(self._players, number))

    def _begin(self, seats: Mapping[int, str], players: Mapping[int, Player]) -> None:
        """Begin another game, with players at these seats."""
        if not self._may_leave():
            return
        self._session = self._session.again(seats, self._random.getrandbits(32))
        for player in players.values():
            player.begin(self._random)
        self._players = players
        self._files.forget()
        self._leave_for_another()

    def _may_leave(self) -> bool:
        """Return whether the game may be left; ask on a terminal, if it goes on."""
        is_left = self._session.moves and self._session.outcome is None
        asks = is_left and self._prompt.is_terminal
        return not asks or self._agrees("Leave this game? yes or no> ")

    def _leave_for_another(self) -> None:
        """Show the game that is played from now on, which is kept on its own."""
        self._audience = Audience(self._session, self._people, self._as_side)
        self._begun = ""
        self._renew(self._session.position.rules.game.name)
        self._board("")

    def _quit(self, argument: str) -> None:
        is_lost = self._keep is None and self._session.moves and self._session.outcome is None
        if is_lost and self._prompt.is_terminal:
            self._over = self._agrees("This game is not kept. Leave it? yes or no> ")
        else:
            self._over = True

    def _agrees(self, question: str) -> bool:
        return (self._prompt.read(question) or "").strip().lower() in ("y", "yes")


# -------------------------- lines that a person types, with completion where the terminal can do it

Completions = Callable[[str], Iterable[str]]
"""From what stands before the word that is being typed to the words it may be."""

_BETWEEN_WORDS = " \t,-:"


class Prompt:
    """Reads lines from stdin."""

    def __init__(self, completions: Completions) -> None:
        """Complete words by `completions` if stdin is a terminal."""
        self._completions = completions
        self._line_buffer: Callable[[], str] = str
        self._found: list[str] = []
        if sys.stdin.isatty():
            self._set_up()

    def _set_up(self) -> None:
        try:
            import readline
        except ImportError:
            return
        readline.set_completer_delims(_BETWEEN_WORDS)
        readline.set_completer(self._complete)
        # The editor that stands in for GNU's on some systems has its own spelling.
        is_other = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_other else "tab: complete")
        self._line_buffer = readline.get_line_buffer

    def _complete(self, word: str, number: int) -> str | None:
        if number == 0:
            before = self._line_buffer()
            before = before[: len(before) - len(word)] if word else before
            lower = word.lower()
            words = self._completions(before)
            self._found = [known for known in words if known.lower().startswith(lower)]
        return self._found[number] if number < len(self._found) else None

    @property
    def is_terminal(self) -> bool:
        """Whether a person sits at a terminal, whose screen can be cleared."""
        return sys.stdin.isatty() and sys.stdout.isatty()

    def read(self, question: str) -> str | None:
        """Return the line that is typed after `question`, or None at the end of input."""
        try:
            line = input(visible_line(question))
        except EOFError:
            if question:
                write()
            return None
        if not sys.stdin.isatty():
            write(line)
        return line


# ---------------------------------------- the files in which a game at the terminal is kept by hand


class Files:
    """What is known of the files that keep one game."""

    def __init__(self, agrees: Callable[[str], bool]) -> None:
        """Know of no file yet; `agrees` asks a person, and tells whether the answer is yes."""
        self._agrees = agrees
        self._kept: dict[str, str] = {}

    def keeps(self, path: str, text: str) -> None:
        """Take note that a file keeps this game, and what stands there."""
        self._kept[os.path.realpath(path)] = text

    def forget(self) -> None:
        """Take note that another game is played now, which is kept nowhere."""
        self._kept.clear()

    def save(self, session: Session, argument: str) -> None:
        """Keep the game in a file."""
        if not argument:
            write("Type `save FILE`.")
            return
        argument = named_file(argument)
        is_new, standing = not os.path.exists(argument), saved_text(argument)
        if not is_new and not self._may_replace(argument, standing):
            write("Nothing was written.")
            return
        record = session.record()
        try:
            write_record(record, argument, is_new=is_new, instead_of=standing)
        except GameError as error:
            write(str(error))
        else:
            self.keeps(argument, record.to_text())
            write(f"Kept in {argument}. `gdl play {quote(argument)}` goes on with it.")

    def load(
        self,
        argument: str,
        seats: Mapping[int, str],
        random: Random,
        may_leave: Callable[[], bool],
    ) -> tuple[Session, dict[int, Player]] | None:
        """Return the game that a file keeps, and its players; None, and why not, if it can't be.

        Where it does not say who sits at its seats, they are filled as those of the game before,
        which `may_leave` asks about.
        """
        if not argument:
            write("Type `load FILE`.")
            return None
        path = named_file(argument)
        try:
            record = read_record(path)
            played = replay(record, path)
            rules = played.last.rules
            known = {seat: kind for seat, kind in seats.items() if seat <= len(rules.sides)}
            kinds = record.seats or known
            players = players_at(kinds, rules, random)
        except GameError as error:
            write(str(error))
            return None
        for warning in played.warnings:
            write(warning.to_text())
        if not may_leave():
            return None
        self.forget()
        if not record.is_signed:
            self.keeps(path, record.text)
        return Session(played, record.seed, kinds), players

    def _may_replace(self, path: str, standing: str | None) -> bool:
        """Return whether a file may be written over; ask if it does not keep this game."""
        if standing is not None and standing == self._kept.get(os.path.realpath(path)):
            return True
        what = "another game, or other moves" if is_saved_game(path) else "something else"
        return self._agrees(f"{path} has {what}. Write over it? yes or no> ")


# ----------- what is asked of a person who types a move, and what is said to a text that is no move

_MOST_SHOWN = 24  # words that may come next


def question(session: Session, begun: str) -> str:
    """Return what stands before what a person types, who has begun a move or not."""
    position = session.position
    legal = position.moves()
    if not begun:
        clock, seat = session.clock, position.seat
        left = f" {clock_text(clock.left(seat))}" if clock is not None and seat else ""
        return f"{asked_text(position, legal, left)}> "
    chosen = words(begun)
    asked = asked_for(position, Choosing(legal, chosen).fitting, len(chosen))
    following = next_words(begun, legal)
    what = asked or ("to where" if moves_a_piece(begun, legal) else "and then")
    more = " …" if len(following) > _MOST_SHOWN else ""
    return f"{begun} - {what}? {' '.join(following[:_MOST_SHOWN])}{more}> "
