"""A file that somebody works on: what its page shows after each time that it was saved.

In: the path of a game's file. Out: the game as a page has it, what is found in the file, its
examples with what came of them, and what its names mean in a position. What then holds: what is
shown is of the file as it was last looked at; where that is no game, the game before stays, and it
is said that it is old.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from gdl.analysis.ranges import Uncovered
from gdl.board.relation import bits
from gdl.core.nodes import Expression
from gdl.core.types import SITES
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Source, Span
from gdl.document.nodes import Mapping as Document
from gdl.interpreter.check import findings_of
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import MoveError
from gdl.interpreter.page.data import LARGEST_EXAMPLE
from gdl.interpreter.page.document import Held, game_data, packed
from gdl.interpreter.page.drawing import picture
from gdl.interpreter.positions.examples.run import run_examples
from gdl.interpreter.positions.position import Position, Rules
from gdl.load import load_game
from gdl.model import Game

_SECTIONS = ("regions", "relations", "define")
_MOST_PAIRS = 2000
_PATIENCE = 0.1
"""Seconds between two looks whether what is done is still wanted."""


@dataclass(frozen=True)
class Shown:
    """What the page of a file shows.

    `game` counts the games that were made of it, 0: none yet; with `is_old`, the file is none any
    more. `findings`, `examples` and `names` are plain data; while it `is_looking`, more may come.
    """

    version: int = 0
    game: int = 0
    is_old: bool = False
    is_looking: bool = True
    findings: tuple[Mapping[str, Any], ...] = ()
    examples: tuple[Mapping[str, Any], ...] = ()
    names: tuple[Mapping[str, Any], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "version": self.version,
            "game": self.game,
            "isOld": self.is_old,
            "isLooking": self.is_looking,
            "findings": list(self.findings),
            "examples": list(self.examples),
            "names": list(self.names),
        }


class Workshop:
    """A game's file, looked at each time that it was saved.

    `changed` is called whenever there is something else to show, in a thread that looks.
    """

    def __init__(self, path: str, changed: Callable[[], None] = lambda: None) -> None:
        self.path = path
        self._changed = changed
        self._shown = Shown()
        self._packed = ""
        self._game: Game | None = None
        self._saves = 0
        self._showing = threading.Lock()
        self._room = threading.Lock()

    @property
    def title(self) -> str:
        """What the game is called; its path as long as it is none."""
        return self.path if self._game is None else self._game.title

    @property
    def shown(self) -> Shown:
        """What there is to show now."""
        return self._shown

    @property
    def packed(self) -> str:
        """The last game that the file was, as a page unpacks it; empty if it never was one."""
        return self._packed

    def saved(self) -> None:
        """Say that the file was saved: what is looked at is of no use any more."""
        self._saves += 1

    def look(self) -> None:
        """Look at the file as it is; what is quick to find is shown first. Raises nothing.

        Returns soon when the file is saved again. Several threads may look: what is found in a file
        that was saved again is not shown, and one thread alone does what takes long.
        """
        save = self._saves
        self._show(save, is_looking=True)
        game = self._load(save)
        if game is not None and self._has_room(save):
            try:
                self._look_into(save, game)
            finally:
                self._room.release()
        self._show(save, is_looking=False)

    def _look_into(self, save: int, game: Game) -> None:
        """Look at a game: what is wrong with it is told before it is made, which takes longer."""
        is_sound = self._check(save)
        steps = (self._compile, self._try_examples, self._play)
        for step in steps if is_sound else steps[:1]:
            if save != self._saves or not step(save, game):
                break

    def _has_room(self, save: int) -> bool:
        """Wait until no other thread is at work; return whether the file is still the same then."""
        while not self._room.acquire(timeout=_PATIENCE):
            if save != self._saves:
                return False
        return True

    def _show(self, save: int, **changes: Any) -> None:
        """Show what was found, unless the file was saved again."""
        with self._showing:
            if save != self._saves:
                return
            self._shown = replace(self._shown, version=self._shown.version + 1, **changes)
        self._changed()

    # ------------------------------------------------------------------------- steps of a look

    def _load(self, save: int) -> Game | None:
        """Return the game that the file is; None if it is none, which is shown."""
        try:
            return load_game(self.path)
        except GameError as error:
            self._show(save, is_old=True, findings=tuple(map(_of_diagnostic, error.diagnostics)))
            return None

    def _compile(self, save: int, game: Game) -> bool:
        """Make a module of the game, and show it; return whether that could be done."""
        names = tuple(_names(game))
        try:
            data = packed(game_data(Held(game), has_examples=False))
        except (RuleError, Uncovered) as problem:
            self._show(save, is_old=True, findings=(_of_diagnostic(problem.diagnostic),))
            return False
        with self._showing:
            if save != self._saves:
                return False
            self._game, self._packed = game, data
        number = self._shown.game + 1
        self._show(save, game=number, names=names)
        return True

    def _check(self, save: int) -> bool:
        """Look for what is wrong in the text and the rules; return whether one may play them."""
        found = [one.to_json() for layer in findings_of(self.path) for one in layer]
        self._show(save, is_old=False, findings=tuple(map(_told, found)), examples=())
        return not any(one["severity"] == "error" for one in found)

    def _try_examples(self, save: int, game: Game) -> bool:
        """Run the examples of the file."""
        self._show(save, examples=tuple(_examples(game)))
        return True

    def _play(self, save: int, game: Game) -> bool:
        """Let `gdl check` play, in a process that is ended if the file is saved meanwhile."""
        command = [sys.executable, "-m", "gdl.interpreter.cli", "check", self.path, "--json"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL
        ) as process:
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    written, _ = process.communicate(timeout=_PATIENCE)
                    break
                if save != self._saves:
                    process.kill()
                    process.communicate()
                    return False
        with contextlib.suppress(ValueError, LookupError, TypeError):
            (found,) = json.loads(written)
            self._show(save, findings=tuple(_told(one) for one in found["findings"]))
        return True

    # ------------------------------------------------------------------------- what names mean

    def value(self, name: str, moves: Sequence[str]) -> dict[str, Any]:
        """Return what a name of the file means after these moves: sites, pairs, or a text.

        What has no value there is told in a text, too.
        """
        game = self._game
        if game is None:
            return {"text": "The file is not a game yet."}
        relation = game.relations.get(name)
        if relation is not None:
            if relation.pair_count > _MOST_PAIRS:
                return {"text": f"{name} has {relation.pair_count:,} pairs."}
            return {"pairs": [list(pair) for pair in relation.pairs()]}
        if name in game.regions:
            return {"sites": list(bits(game.regions[name]))}
        try:
            position = _after(game, moves)
            return _value(position, name)
        except GameError as error:
            return {"text": error.diagnostics[0].message}
        except (MoveError, RuleError) as error:
            return {"text": str(error)}


def _value(position: Position, name: str) -> dict[str, Any]:
    """Return what a name is worth: its sites, those of a side's or a kind's pieces, or a text."""
    try:
        found = _read(position, f"all & ({name})")
    except GameError:
        found = _read(position, name)
    value = position.rules.evaluator.value(position.state, found)
    if found.type == SITES:
        return {"sites": list(bits(int(value)))}
    return {"text": f"{name}: {str(value).lower()}"}


def _read(position: Position, text: str) -> Expression:
    span = Span(Source("the page", text), 0, len(text))
    return position.rules.game.words.expression(span, position.side)


def _after(game: Game, moves: Sequence[str]) -> Position:
    position = Rules(game).start()
    for move in moves:
        position = position.play(move)
    return position


def _names(game: Game) -> list[dict[str, Any]]:
    """Return what a game's file defines that can be drawn: its name, section and line."""
    found = []
    for section in _SECTIONS:
        node = game.document.get(section)
        for key, _ in node.entries if isinstance(node, Document) else ():
            name = key.text.strip()
            if name.isidentifier():
                found.append({"name": name, "section": section, "line": key.span.line})
    return found


def _examples(game: Game) -> list[dict[str, Any]]:
    """Return the examples of a game: name, line, what fails there, and a picture."""
    return [
        {
            "name": result.name,
            "line": result.span.line,
            "failures": [_of_diagnostic(one) for one in result.diagnostics],
            "picture": _picture(result.position),
        }
        for result in run_examples(game)
    ]


def _picture(position: Position | None) -> list[Any] | None:
    """Return the picture of an example, unless it is too large."""
    if position is None or position.rules.game.board.size > LARGEST_EXAMPLE:
        return None
    return picture(position.scene())


def _of_diagnostic(diagnostic: Diagnostic) -> dict[str, Any]:
    return _told(diagnostic.to_json())


def _told(found: Mapping[str, Any]) -> dict[str, Any]:
    """Return of a finding what a page shows: where it stands as the name of a file, not a path."""
    told = {
        key: found.get(key) for key in ("code", "severity", "message", "hint", "line", "column")
    }
    file = found.get("file")
    return {
        **told,
        "file": None if file is None else Path(str(file)).name,
        "variant": found.get("variant"),
    }
