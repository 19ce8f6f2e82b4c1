"""A game played in the terminal: people type moves and commands, players answer.

In: a session, and who sits at each seat. Out: the game, move by move, on stdout. What then
holds: nothing that is typed ends the game but `quit`, `resign` and the end of input. To add a
command, write a method and add a line to `_commands`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from textwrap import fill

from gdl.diagnostic import GameError
from interpreter.cli.output import write
from interpreter.cli.picture import board_text, mover_text, turn_text
from interpreter.cli.prompt import Prompt
from interpreter.entry import moves_a_piece, next_words
from interpreter.moves import AmbiguousMoveError, Move, MoveError
from interpreter.playout import USUAL_MAX_PLIES
from interpreter.portrait import portrait, portrait_text
from interpreter.record import read_record, replay, spelled, unspelled, write_record
from interpreter.seats import GreedyPlayer, Player, play_chance
from interpreter.session import Session

_WIDTH = 80
_MOST_SHOWN = 60


class Dialogue:
    """One game at a terminal."""

    def __init__(
        self,
        session: Session,
        players: Mapping[int, Player],
        random: random.Random,
        ascii: bool = False,
    ) -> None:
        """Play `session`; seats (from 1) that are not in `players` are people's."""
        self._session = session
        self._players = players
        self._random = random
        self._ascii = ascii
        self._begun = ""
        self._over = False
        self._prompt = Prompt(self._completions)
        self._commands: Mapping[str, tuple[Callable[[str], None], str, str]] = {
            "help": (self._help, "", "this list"),
            "moves": (self._moves, "", "the legal moves"),
            "rules": (self._rules, "", "the rules in words"),
            "board": (self._board, "", "the board again"),
            "undo": (self._undo, "", "take your last move back"),
            "hint": (self._hint, "", "a move that a greedy player would make"),
            "save": (self._save, "FILE", "keep the game in a file"),
            "load": (self._load, "FILE", "go on with a game from a file"),
            "resign": (self._resign, "", "give the game up"),
            "quit": (self._quit, "", "leave the game"),
        }

    # ------------------------------------------------------------------ the course

    def run(self) -> None:
        """Play until the game is over, is left, or the input ends."""
        write("Type a move such as those that `moves` lists, or `help`.")
        self._board("")
        while not self._over:
            self._chance()
            if self._session.outcome is not None:
                break
            player = self._players.get(self._session.position.seat or 0)
            if player is None:
                self._ask()
            else:
                self._answer(player)
        if self._session.outcome is not None:
            write(turn_text(self._session.position, self._session.outcome))

    @property
    def _people(self) -> frozenset[int]:
        seats = range(1, len(self._session.position.rules.sides) + 1)
        return frozenset(seat for seat in seats if seat not in self._players)

    def _chance(self) -> None:
        for move in play_chance(self._session, self._random):
            write(f"Chance: {move}")
            self._board("")

    def _answer(self, player: Player) -> None:
        position = self._session.position
        move = player.choose(position)
        write(f"{mover_text(position)} plays {move}")
        self._session.play(move)
        self._board("")
        if not self._people and len(self._session.moves) >= USUAL_MAX_PLIES:
            write(f"Unfinished after {USUAL_MAX_PLIES} moves.")
            self._over = True

    def _board(self, argument: str) -> None:
        write(board_text(self._session.position, ascii=self._ascii))

    # ------------------------------------------------------------------ what is typed

    def _ask(self) -> None:
        """Read one line, and do what it says."""
        position = self._session.position
        line = self._prompt.read(self._question())
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
            self._play(unspelled(f"{begun} {typed}".strip(), position))
        except AmbiguousMoveError as error:
            same = (spelled(move, position) for move in position.moves())
            meant = typed.lower()
            ways = [text for text in same if " @" in text and text.lower().startswith(meant)]
            write(f"{error.message} Type one of: {'; '.join(ways)}" if ways else str(error))
            self._begun = begun
        except MoveError as error:
            write(str(error))
            self._begun = begun

    def _is_done(self, text: str, is_alone: bool) -> bool:
        """Do what a text says if it is a move, a command, or begins a move."""
        position = self._session.position
        try:
            move = unspelled(text, position)
        except MoveError:
            word, _, argument = text.partition(" ")
            command = self._commands.get(word.lower()) if is_alone else None
            if command is not None:
                command[0](argument.strip())
                return True
            if next_words(text, position.moves()):
                self._begun = text
                return True
            return False
        self._play(move)
        return True

    def _play(self, move: Move) -> None:
        self._session.play(move)
        self._board("")

    def _question(self) -> str:
        position = self._session.position
        if not self._begun:
            return f"{mover_text(position)}> "
        legal = position.moves()
        following = next_words(self._begun, legal)
        what = "to where" if moves_a_piece(self._begun, legal) else "and then"
        return f"{self._begun} - {what}? {_listed(following)}> "

    def _completions(self, before: str) -> Iterable[str]:
        whole = f"{self._begun} {before}".strip()
        words = next_words(whole, self._session.position.moves())
        return (*words, *self._commands) if not whole else words

    # ------------------------------------------------------------------ commands

    def _help(self, argument: str) -> None:
        write("Type a move: its words with blanks, `-` or commas between. A move of several")
        write("words can be typed word by word. An empty line begins anew. Or type:")
        for name, (_, argument_name, about) in self._commands.items():
            write(f"  {f'{name} {argument_name}':12}{about}")

    def _moves(self, argument: str) -> None:
        position = self._session.position
        texts = [spelled(move, position) for move in position.moves()]
        write(fill(", ".join(texts), _WIDTH, break_on_hyphens=False, break_long_words=False))

    def _rules(self, argument: str) -> None:
        write(portrait_text(portrait(self._session.position.rules.game)))

    def _undo(self, argument: str) -> None:
        taken = self._session.take_back(self._people)
        if not taken:
            write("There is no move to take back.")
            return
        write(f"Took back {taken} move{'' if taken == 1 else 's'}.")
        self._board("")

    def _hint(self, argument: str) -> None:
        write(f"Perhaps {GreedyPlayer(self._random).choose(self._session.position)}.")

    def _save(self, argument: str) -> None:
        if not argument:
            write("Type `save FILE`.")
            return
        try:
            write_record(self._session.record(), argument)
        except GameError as error:
            write(str(error))
        else:
            write(f"Kept in {argument}.")

    def _load(self, argument: str) -> None:
        if not argument:
            write("Type `load FILE`.")
            return
        try:
            record = read_record(argument)
            session = Session(replay(record, argument), record.seed)
        except GameError as error:
            write(str(error))
            return
        self._session = session
        self._board("")

    def _resign(self, argument: str) -> None:
        write(f"{mover_text(self._session.position)} resigns.")
        self._session.resign()

    def _quit(self, argument: str) -> None:
        self._over = True


def _listed(words: tuple[str, ...]) -> str:
    more = " …" if len(words) > _MOST_SHOWN else ""
    return " ".join(words[:_MOST_SHOWN]) + more
