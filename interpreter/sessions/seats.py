"""Who plays: the kinds of players that can sit at a seat, apart from people.

In: a position. Out: the move that the player makes. To add a kind of player, write its class
and add a line to `PLAYERS`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from threading import Lock
from typing import TYPE_CHECKING, Protocol, TypeVar

from gdl.codes import Code
from gdl.diagnostic import refused, suggest
from gdl.interpreter.evaluation.moves import Move
from gdl.interpreter.positions.information import Information, information
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.hidden.guesses import guess
from gdl.interpreter.sessions.failing import led_by
from gdl.interpreter.sessions.session import Session

if TYPE_CHECKING:
    from gdl.interpreter.search.engine import Engine
    from gdl.interpreter.search.levels import Strength
    from gdl.interpreter.search.pondering import Pondering

_GUESS_STEPS = 500
HUMAN = "human"
ENGINE = "engine"
PONDERS = "ponder"


At = TypeVar("At")


def exchanged(at: Mapping[int, At], number: int) -> dict[int, At]:
    """Return what is at each of so many seats, from 1, moved on to the next seat.

    >>> exchanged({2: "engine"}, 2)
    {1: 'engine'}
    """
    return {seat % number + 1: one for seat, one in at.items()}


class Player(Protocol):
    """One that chooses moves."""

    def prepare(self) -> None:
        """Get ready to choose, where that takes long; otherwise it is done for the first move.

        Raises GameError where it can't be.
        """
        ...

    def begin(self, random: random.Random) -> None:
        """Forget all that was, and draw by `random` from now on."""
        ...

    def choose(self, position: Position, known: Information | None = None) -> Move:
        """Return one of the legal moves of a position that has some.

        With what its side has `known`, it looks at nothing else of the position but these.
        """
        ...


def chosen(player: Player, positions: Sequence[Position], moves: Sequence[Move]) -> Move:
    """Return the move of a player who is on turn after the moves that led through positions.

    In a game that hides something, the player learns what its side knows, and no more. Raises
    RuleError, with the moves from the first position, where the rules fail in a game that is tried.
    """
    position = positions[-1]
    with led_by(positions, moves):
        if not position.rules.game.hides:
            return player.choose(position)
        return player.choose(position, information(positions, moves, position.mover))


class RandomPlayer:
    """Makes each legal move with the same chance."""

    def __init__(self, random: random.Random) -> None:
        """Draw moves with `random`."""
        self._random = random

    def prepare(self) -> None:
        """Do nothing: it is ready."""

    def begin(self, random: random.Random) -> None:
        """Draw by `random` from now on."""
        self._random = random

    def choose(self, position: Position, known: Information | None = None) -> Move:
        """Return a legal move."""
        return self._random.choice(position.moves())


class GreedyPlayer:
    """Wins at once if that can be; else lets nobody else win at once if that can be avoided.

    Among the moves that are left, each has the same chance.
    """

    def __init__(self, random: random.Random) -> None:
        """Draw moves with `random`."""
        self._random = random

    def prepare(self) -> None:
        """Do nothing: it is ready."""

    def begin(self, random: random.Random) -> None:
        """Draw by `random` from now on."""
        self._random = random

    def choose(self, position: Position, known: Information | None = None) -> Move:
        """Return a legal move; of what is hidden, a guess."""
        if known is not None:
            found = guess(position.rules, known, self._random, _GUESS_STEPS)
            move = None if found is None else self.choose(found.position)
            return _same(position, move) or self._random.choice(position.moves())
        seat = position.seat
        moves = list(position.moves())
        self._random.shuffle(moves)
        not_lost = []
        for move in moves:
            after = position.after(move)
            outcome = after.outcome
            if outcome is not None and seat in outcome.seats:
                return move
            if outcome is None or not outcome.winners:
                not_lost.append((move, after))
        answer: Move | None = None
        for move, after in not_lost:
            # The answer that won against the last move often wins against this one, too.
            answer = winning_move(after, answer) if after.seat not in (seat, None) else None
            if answer is None:
                return move
        return not_lost[0][0] if not_lost else moves[0]


def winning_move(position: Position, guess: Move | None = None) -> Move | None:
    """Return a move by which the seat on turn wins at once, or None; `guess` is tried first."""
    moves = position.moves()
    if guess is not None and guess in moves:
        moves = (guess, *moves)
    for move in moves:
        outcome = position.after(move).outcome
        if outcome is not None and position.seat in outcome.seats:
            return move
    return None


def _same(position: Position, move: Move | None) -> Move | None:
    """Return the legal move that has the text of another, which was found in a guess; or None."""
    if move is None:
        return None
    return next((own for own in position.moves() if own.text == move.text), None)


class EnginePlayer:
    """Searches for a good move; how long, says its strength.

    If it `ponders`, it goes on with that while others are on turn; `pondering` is what does so. If
    a `search` is named, it plays by that, else by the one that was found to be the better; if an
    `engine` is given, by that one.
    """

    def __init__(
        self,
        random: random.Random,
        strength: Strength,
        rules: Rules,
        *,
        ponders: bool = False,
        search: str | None = None,
        engine: Engine | None = None,
    ) -> None:
        """Play by these rules; the game is compiled when it is first needed."""
        self._random = random
        self._seed = random.getrandbits(32)
        self._strength = strength
        self._ponders = ponders
        self._search = search
        self._rules = rules
        self._made: Engine | None = engine
        self._making = Lock()
        self.pondering: Pondering | None = None

    def prepare(self) -> None:
        """Compile the game. Raises GameError where it has no native code, or not for the search."""
        with self._making:
            if self._made is None or self._made.rules.game.digest != self._rules.game.digest:
                from gdl.interpreter.solve.store import engine_for

                self._made = engine_for(self._rules, seed=self._seed, search=self._search)
                if not self._strength.looks_up:
                    self._made.known = None

    @property
    def _engine(self) -> Engine:
        self.prepare()
        assert self._made is not None
        return self._made

    def begin(self, random: random.Random) -> None:
        """Forget what was searched, and draw by `random` from now on."""
        self._stop_pondering()
        self._random, self._seed = random, random.getrandbits(32)
        if self._made is not None:
            self._made.begin(self._seed)

    def choose(self, position: Position, known: Information | None = None) -> Move:
        """Return a legal move; any, where nothing is found that agrees with what is known."""
        self._stop_pondering()
        self._rules = position.rules
        engine = self._engine
        sites = position.rules.game.board.size
        seconds, iterations = self._strength.seconds, self._strength.budget(engine.search, sites)
        if known is not None:
            found = engine.analyse_known(known, seconds=seconds, iterations=iterations)
            guessed = None if found is None else self._strength.choose(found, self._random)
            return _same(position, guessed) or self._random.choice(position.moves())
        analysis = engine.analyse(
            position, seconds=seconds, iterations=iterations, lines=0, slack=self._strength.slack
        )
        move = self._strength.choose(analysis, self._random) or position.moves()[0]
        if self._ponders:
            from gdl.interpreter.search.pondering import Pondering

            self.pondering = Pondering(engine)
            self.pondering.begin(position.after(move))
        return move

    def _stop_pondering(self) -> None:
        if self.pondering is not None:
            self.pondering.end()
            self.pondering = None


PLAYERS: Mapping[str, Callable[[random.Random], Player]] = {
    "random": RandomPlayer,
    "greedy": GreedyPlayer,
}


def make_player(kind: str, random: random.Random, rules: Rules) -> Player | None:
    """Return a player of a kind, None for `human`. Raises GameError for an unknown kind."""
    if kind == HUMAN:
        return None
    make = PLAYERS.get(kind)
    if make is not None:
        return make(random)
    asked, *ways = kind.split("+")
    name, colon, text = asked.partition(":")
    if name != ENGINE:
        kinds = [HUMAN, *PLAYERS, ENGINE]
        hint = suggest(name, kinds) or f"There are: {', '.join(kinds)}."
        raise refused(Code.UNKNOWN_PLAYER, f"`{kind}` is no kind of player.", str(hint))
    from gdl.interpreter.search.levels import Strength
    from gdl.interpreter.search.worth import SEARCHES

    strength = Strength.of(text) if colon else Strength()
    searches = [way for way in ways if way in SEARCHES]
    others = [way for way in ways if way not in (*SEARCHES, PONDERS)]
    if strength is None or others or len(searches) > 1:
        message = f"`{kind.removeprefix(name + colon)}` is no strength of the engine."
        hint = (
            "Levels are 1 to 10: `engine:3`. Seconds are written `engine:2s`; iterations,"
            f" `engine:{text if text.isdecimal() and int(text) else 500}i`;"
            f" and behind it `+{PONDERS}` if it may think while others are on turn, or one of"
            f" {' and '.join(f'`+{search}`' for search in SEARCHES)} if it is to search so."
        )
        raise refused(Code.UNKNOWN_PLAYER, message, hint)
    search = searches[0] if searches else None
    return EnginePlayer(random, strength, rules, ponders=PONDERS in ways, search=search)


def players_at(
    kinds: Mapping[int, str], rules: Rules, random: random.Random, *, are_ready: bool = True
) -> dict[int, Player]:
    """Return the players that sit at seats, from 1; people sit at the others.

    Unless they `are_ready`, they prepare themselves later. Raises GameError as `make_player` and
    `prepare` do.
    """
    made = {seat: make_player(kind, random, rules) for seat, kind in kinds.items()}
    players = {seat: player for seat, player in made.items() if player is not None}
    for player in players.values() if are_ready else ():
        player.prepare()
    return players


def people_at(players: Mapping[int, Player], rules: Rules) -> frozenset[int]:
    """Return the seats that no player sits at."""
    return frozenset(range(1, len(rules.sides) + 1)) - players.keys()


def chance_of(seed: int, moves: int) -> random.Random:
    """Return where chance begins after a number of moves of a game with this seed."""
    return random.Random(f"{seed}:{moves}")


def chance_here(session: Session, random: random.Random) -> random.Random:
    """Return where chance goes on in a session that has no other seed than one drawn by `random`.

    It is the same after the same number of moves, so who takes moves back meets the same chance.
    """
    if session.seed is None:
        session.seed = random.getrandbits(32)
    return chance_of(session.seed, len(session.moves))


def play_chance(session: Session, random: random.Random) -> Sequence[Move]:
    """Make the moves that nobody chooses, until a seat is on turn; return them."""
    made = []
    while session.outcome is None and session.position.seat is None:
        made.append(random.choice(session.position.moves()))
        session.play(made[-1])
    return made
