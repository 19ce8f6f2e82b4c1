"""`gdl trace`: recorded games held against rules."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from click.exceptions import Exit

from gdl.codes import Code
from gdl.diagnostic import GameError, refused
from gdl.interpreter.cli.beginning import load_requested
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.output import FINDINGS, write, write_json
from gdl.interpreter.cli.parameters import AsJson, GameRequest, option_values
from gdl.interpreter.compare.trace import Disagreement, Held, traced
from gdl.interpreter.evaluation.moves import quoted
from gdl.interpreter.explain.telling import explanation_json, explanation_text
from gdl.interpreter.positions.position import Rules
from gdl.interpreter.records.files import games_in, head_of, kind_of, named_game
from gdl.interpreter.records.following import RulesFor, follow
from gdl.interpreter.records.plain import is_json_line
from gdl.interpreter.records.recorded import Recorded
from gdl.interpreter.records.which import (
    game_of_file,
    game_of_record,
    games_of_record,
    variant_of,
)
from gdl.interpreter.sessions.notation import unspelled
from gdl.interpreter.sessions.saves import is_saved_game, read_record
from gdl.load import load_game
from gdl.model import Game

_MANY = 10_000  # bytes
_PARTS = 3  # of a game, behind each of which is an example


def trace(
    request: GameRequest,
    file: Annotated[Path | None, argument("FILE", help="Recorded games, or a saved game.")] = None,
    as_json: AsJson = False,
    examples: Annotated[
        bool,
        option("--examples", help="Write positions of the games as examples of a game's file."),
    ] = False,
) -> None:
    """Play recorded games, and tell where the rules disagree.

    A file has a game a line: its moves with commas or blanks between, or JSON such as
    {"moves": ["a1", "b2"], "counts": [9, 8], "result": "draw"}; counts are those of legal moves
    before each. Headers, numbers and remarks may stand there as in portable game notation, where
    moves are written as the game's file says. SGF is read as well. It may also be a saved game, or
    several. Without a game, it is the one that the headers of FILE name, or those of each game.
    """
    is_told = file is None
    if file is None:
        file = Path(request.game)
        request = replace(request, game=game_of_file(file))
        if not as_json and not examples:
            write(f"By its headers this is {request.game}.")
    rules = _rules(load_requested(request), file)
    rules_of = _RulesByHeaders(file, request.game, RulesFor(rules, option_values(request.options)))
    games = _read(file, rules)
    if is_told:
        games = rules_of.known(games)
    if examples:
        _write_examples(games, rules_of)
        return
    held, found = Held(), list[Disagreement]()
    seen = list[Recorded]()
    for one in traced(rules_of, _noted(games, seen), held):
        if one is not None:
            found.append(one)
            if not as_json:
                _tell(one, len(found) == 1)
    if as_json:
        write_json(
            {
                "games": held.games,
                "moves": held.moves,
                "finished": held.finished,
                "early": dict(held.early),
                "ended": dict(held.ended),
                "results": [
                    {"game": number, "result": how} for number, how in enumerate(held.results, 1)
                ],
                "of": dict(rules_of.numbers),
                "left_out": dict(rules_of.left_out),
                "put_in": held.put_in,
                "skipped": held.skipped,
                "disagreements": [_json(one) for one in found],
            }
        )
    else:
        names = games_of_record(seen[0]) if found and seen and seen[0].tags else []
        if names and rules.game.name not in names:
            write(f"By its headers this is no record of {rules.name}, but of {names[0]}.")
        agreed, number = held.games - len(found), held.games
        ending = "game agrees" if number == 1 else "games agree"
        told = f"{held.moves:,} move{'' if held.moves == 1 else 's'}"
        write(f"{agreed} of {number} {ending} with the rules, of {told} in all.")
        if len(rules_of.numbers) > 1:
            told_of = (f"{count:,} of {name}" for name, count in rules_of.numbers.most_common())
            write(f"By their headers these are games of several kinds: {', '.join(told_of)}.")
        for said, count in rules_of.left_out.most_common():
            these = f"{count:,} game{' is' if count == 1 else 's are'}"
            write(f"Left out: {these} of `{quoted(said)}`, by the headers, which no game here is.")
        write(f"Played to the end: {held.finished} of {number}.")
        for how, count in held.ended.most_common():
            write(f"Ended by the rules: {how}{'' if number == 1 else f' ({count})'}.")
        for how, count in held.early.most_common():
            write(f"Ended early: {how}{'' if number == 1 else f' ({count})'}.")
        if held.put_in:
            write(f"Moves without a choice that the record leaves out: {held.put_in}.")
        if held.skipped:
            write(f"Turns that the record skips, as no rule allows: {held.skipped}.")
    if found or rules_of.left_out:
        raise Exit(FINDINGS)


class _RulesByHeaders:
    """The rules of each game of a file: those of the game that its own headers name.

    `numbers` counts the games of each, `left_out` those of games that are not known, by what their
    headers say.
    """

    def __init__(self, file: Path, name: str, rules_of: RulesFor) -> None:
        self.numbers, self.left_out = Counter[str](), Counter[str]()
        self._file, self._name = file, name
        self._made = {name: rules_of}

    def __call__(self, game: Recorded) -> Rules:
        """Return the rules of a game. Raises GameError for an option that can't be so."""
        return self._made[game.of or self._name](game)

    def known(self, games: Iterable[Recorded]) -> Iterator[Recorded]:
        """Yield the games whose headers name a game that is known, or none, with its name."""
        for game in games:
            names = games_of_record(game)
            said = variant_of(game)
            if not names and said:
                self.left_out[said] += 1
                continue
            is_such = self._name in names or not game.tags
            name = self._name if is_such else game_of_record(game) or self._name
            if name not in self._made:
                self._made[name] = RulesFor(_rules(load_game(name), self._file))
            self.numbers[name] += 1
            yield replace(game, of=name)


def _noted(games: Iterable[Recorded], seen: list[Recorded]) -> Iterator[Recorded]:
    """Yield games, the first of which is put into a list as well."""
    for game in games:
        seen += [game][len(seen) :]
        yield game


def _write_examples(games: Iterable[Recorded], rules_of: Callable[[Recorded], Rules]) -> None:
    """Write positions of games, some from within each and the last one, as a section of a file.

    A game that does not begin as usual, or that the rules don't follow, has none.
    """
    write("examples:")
    for number, game in enumerate(games, 1):
        try:
            rules = rules_of(game)
            done = follow(rules, game, unspelled)
        except GameError:
            continue
        if done.refused is not None or done.skipped or done.positions[0] != rules.start():
            continue
        options = {o.name: o.value for o in rules.game.options if not o.is_usual}
        for plies in sorted({len(done.moves) * part // _PARTS for part in range(1, _PARTS + 1)}):
            position = done.positions[plies]
            write(f"  - name: game {number} of a record, after {plies} moves")
            if options:
                told = ", ".join(f"{name}: {value}" for name, value in options.items())
                write(f"    options: {{{told}}}")
            moves = "".join(f"\n      - {json.dumps(move.text)}" for move in done.moves[:plies])
            write(f"    play:{moves}" if moves else "    play: []")
            ended = position.outcome
            if ended is None:
                write(f"    to_move: {position.mover}\n    count: {len(position.moves())}")
                write("    winner: nobody")
            elif len(ended.winners) < 2:
                write(f"    winner: {ended.winners[0] if ended.winners else 'draw'}")


def _rules(game: Game, file: Path) -> Rules:
    """Return rules that play the games of a file: natively, if there are so many that it pays."""
    if file.is_file() and file.stat().st_size > _MANY:
        # Machine code takes a second to make; the reference plays a few games in that time.
        from gdl.interpreter.native.runtime.rules import NativeRules, Uncovered

        with suppress(Uncovered):
            return Rules(game, NativeRules(game))
    return Rules(game)


def _read(file: Path, rules: Rules) -> Iterable[Recorded]:
    """Return the games in a file. Raises GameError, also of one whose moves are secret as yet."""
    named = named_game(file)
    is_foreign = kind_of(file if named is None else named[0]) is not None
    is_of_games = is_foreign or is_json_line(head_of(file))
    if is_foreign or (named is None and (is_of_games or not is_saved_game(file))):
        return games_in(file)
    record = read_record(file)
    if rules.game.hides and not record.result and not record.is_signed:
        raise refused(
            Code.WRONG_OPTION,
            "This game hides something, and it is not over.",
            "Trace it when it has ended.",
        )
    return [Recorded(record.moves)]


def _tell(found: Disagreement, is_first: bool) -> None:
    """Tell a disagreement, the first one with all reasons."""
    after = f"after {', '.join(found.played)}" if found.played else "at the start"
    place = f"line {found.line}" + (f", column {found.column}" if found.column else "")
    write(f"Game {found.game}, {place}, {after}:")
    if found.kind == "text":
        write(f"  {found.ruled}")
        return
    write(f"  the record says: {found.recorded}")
    write(f"  the rules say: {found.ruled}")
    for told in found.reasons if is_first else ():
        write(explanation_text(told))


def _json(found: Disagreement) -> dict[str, Any]:
    return {
        "game": found.game,
        "line": found.line,
        "column": found.column,
        "played": list(found.played),
        "kind": found.kind,
        "recorded": found.recorded,
        "ruled": found.ruled,
        "why": [explanation_json(told) for told in found.reasons],
    }
