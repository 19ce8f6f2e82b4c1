"""The one file of a page: its games as data, and the player's scripts and styles joined.

In: games. Out: a document of HTML. What then holds: the policy in it allows its own script and its
own style by what they hash to, WebAssembly, and a worker of that script; nothing else. All that
comes from a game's file is packed, so that no reader of HTML ever looks into it.
"""

from __future__ import annotations

import json
import re
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from gdl.data_classes import dataclass
from gdl.interpreter.native.runtime.compiled import CompiledGame
from gdl.interpreter.native.wasm.module import wasm_code, wasm_module
from gdl.interpreter.native.wasm.target import wasm32
from gdl.interpreter.page.data import GameData
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.search.hosted import hosted_engine
from gdl.interpreter.search.worth import kept_worth
from gdl.interpreter.sessions.record import Record
from gdl.model import Game
from gdl.visible import visible_line

_ENTRY, _SERVED = "main.js", "workshop.js"
_SKELETON = "page.html"
_STYLE = "style.css"
_POLICY = (
    "default-src 'none'; script-src '{script}' 'wasm-unsafe-eval'; style-src '{style}';"
    " worker-src blob:; img-src data: blob:; base-uri 'none'; form-action 'none'"
)
_POLICY_SERVED = f"{_POLICY}; connect-src 'self'"
_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./([\w.-]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export ((?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_REMARK = re.compile(r"^[ \t]*(?://.*|/\*\*(?s:.*?)\*/[ \t]*)\n", re.MULTILINE)
_INDENT = re.compile(r"^[ \t]+|\n(?=\n)", re.MULTILINE)
_ABOUT = 300
_USUAL = "usual"


@dataclass(frozen=True)
class Held:
    """A game in a page: its rules with options settled, and where it begins if not as usual."""

    game: Game
    start: Position | None = field(default=None)

    @property
    def told(self) -> dict[str, Any]:
        """What a page tells of the game before it is opened."""
        game = self.game
        chosen = [option for option in game.options if not option.is_usual]
        label = [*game.variants, *(f"{one.name} {' '.join(one.value.split())}" for one in chosen)]
        return {
            "key": ", ".join(label) or _USUAL,
            "name": game.name,
            "title": ": ".join(filter(None, (game.title, ", ".join(label)))),
            "options": {option.name: option.value for option in chosen},
            "variants": list(game.variants),
            "digest": game.digest,
        }


def page(held: Sequence[Held], played: Record | None = None, heading: str = "") -> str:
    """Return the page of games, the first of which is opened, perhaps with moves that were played.

    A `heading` is its title instead of the game's.

    Raises Uncovered where native code does not cover a construct.
    """
    game = held[0].game
    elements = [_packed("held-games", [one.told for one in held])]
    for number, one in enumerate(held):
        data = game_data(one)
        code = b64decode(data["module"].pop("code"))
        elements += [_packed(f"held-{number}", data), _packed(f"code-{number}", code)]
    if played is not None:
        elements.append(_packed("held-played", _told(played)))
    about = " ".join(game.credits.get("about", "").split())
    return _document(heading or game.title, about, "\n".join(elements), player_script(), _POLICY)


def served_page(title: str) -> str:
    """Return a page that asks whoever serves it for its game, and for what is found in the file."""
    return _document(title, "", "", player_script(_SERVED), _POLICY_SERVED)


def _document(title: str, about: str, data: str, script: str, allowed: str) -> str:
    style = read(_STYLE)
    parts = {
        "csp": policy(script, style, allowed),
        "title": _shown(title),
        "about": _shown(about if len(about) <= _ABOUT else f"{about[:_ABOUT]}…"),
        "style": style,
        "data": data,
        "script": script,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], read(_SKELETON))


def policy(script: str, style: str, allowed: str = _POLICY) -> str:
    """Return what a page with this script and this style may do: run these, and no more."""
    return allowed.format(script=_hashed(script), style=_hashed(style))


def game_data(held: Held, *, has_examples: bool = True) -> dict[str, Any]:
    """Return all that a page has of a game, its module too. Raises Uncovered.

    Without its examples, if whoever shows the page shows these by itself.
    """
    game = held.game
    start = Rules(game).start() if held.start is None else held.start
    data, code = GameData(game, start, has_examples=has_examples), wasm_code(game)
    answers = code.ask(data.questions.asked)
    engine = hosted_engine(game, CompiledGame(game), start.state, wasm32(), kept_worth(game))
    engine.complete(game, code)
    module = wasm_module(code, engine.texts, engine.exports)
    return {**data.to_json(code, answers, module), "engine": dict(engine.data)}


@cache
def player_script(entry: str = _ENTRY) -> str:
    """Return the player's modules joined into one script, each behind those that it imports.

    Each is a function that returns what it exports. Remarks and indentation are left out: no text
    in the modules has several lines.
    """
    body = "".join(_as_function(name) for name in modules_of(entry))
    script = f'"use strict";\n(() => {{\n{body}}})();\n'
    assert "</script" not in script.lower() and "<!--" not in script, "a script ends where it ends"
    return script


def modules_of(entry: str = _ENTRY) -> tuple[str, ...]:
    """Return the names of a module and of all that it imports, each behind those it imports.

    Raises ValueError where modules import one another in a circle.
    """
    found: dict[str, None] = {}

    def visit(name: str, begun: tuple[str, ...]) -> None:
        if name in begun:
            raise ValueError(f"modules in a circle: {', '.join(begun)}")
        if name not in found:
            for _, imported in _IMPORT.findall(read(name)):
                visit(imported, (*begun, name))
            found[name] = None

    visit(entry, ())
    return tuple(found)


def _as_function(name: str) -> str:
    """Return a module as a function that returns what the module exports."""
    written = _INDENT.sub("", _REMARK.sub("", read(name)))
    exported = ", ".join(found for _, found in _EXPORT.findall(written))
    imports = (
        f"const {{ {names} }} = {_variable(of)};\n" for names, of in _IMPORT.findall(written)
    )
    body = _EXPORT.sub(r"\1", _IMPORT.sub("", written))
    inner = f"{''.join(imports)}{body}return {{ {exported} }};"
    return f"const {_variable(name)} = (() => {{\n{inner}\n}})();\n"


def _variable(name: str) -> str:
    return f"module_{name.removesuffix('.js').replace('-', '_')}"


@cache
def read(name: str) -> str:
    """Return the text of one of the player's files."""
    return files(__package__).joinpath("player", name).read_text(encoding="utf-8")


def _hashed(text: str) -> str:
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _shown(text: str) -> str:
    return escape(visible_line(text))


def packed(data: Any) -> str:
    """Return data, or bytes, as a text that the player unpacks."""
    if not isinstance(data, bytes):
        data = json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
    return b64encode(zlib.compress(data, 9)).decode()


def _packed(name: str, data: Any) -> str:
    """Return an element that has data, or bytes."""
    return f'<script type="application/octet-stream" id="{name}">{packed(data)}</script>'


def _told(record: Record) -> Mapping[str, Any]:
    """Return what a page has of a game that was played."""
    return {
        "game": record.game,
        "digest": record.digest,
        "options": dict(record.options),
        "variants": list(record.variants),
        "seed": record.seed,
        "seats": {str(seat): kind for seat, kind in record.seats.items()},
        "result": record.result,
        "moves": list(record.moves),
        "variations": [list(line) for line in record.variations],
    }
