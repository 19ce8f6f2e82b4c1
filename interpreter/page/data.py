"""A game as plain data: all that the player's scripts know of it.

In: a game. Out: data that JSON can hold. What then holds: with the module in it, the scripts list
the same moves, make the same positions and draw the same pictures as Python does.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import Any

from gdl.board.relation import Relation, bits
from gdl.core.nodes import Choose, Const, Decide, Expression, Get, Say, SitesOf, Slot
from gdl.core.types import FLAG, FRACTION, NUMBER, SITES, Type
from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.library.pieces import pieces_told
from gdl.interpreter.library.portrait import portrait
from gdl.interpreter.native.asked import Answer, Question, bytes_of
from gdl.interpreter.native.game_code import GameCode
from gdl.interpreter.native.games.records import TALLY
from gdl.interpreter.native.memory import world as w
from gdl.interpreter.native.runtime.exchange import Exchange
from gdl.interpreter.native.wasm.linking import WasmModule
from gdl.interpreter.page.drawing import drawing_data, picture, side_between
from gdl.interpreter.page.witnesses import steps_of, witnesses_of
from gdl.interpreter.positions.drawing import numbers_drawn, stock
from gdl.interpreter.positions.encoding import slot_names
from gdl.interpreter.positions.examples.entries import items
from gdl.interpreter.positions.examples.run import set_up_examples
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.view import is_known, known_looks, notice_told
from gdl.interpreter.sessions.record import game_reference
from gdl.interpreter.words.rules import all_ends
from gdl.model import Game, Leading, Links, Notice, Sight

_MOST_SIDES_TOLD = 8
_STACK_LEFT = 1 << 14
"""Bytes of the stack that are left where code tests that there are enough."""
_MOST_KINDS = 24  # whose moves are shown in pictures
_MOST_EXAMPLES = 8
LARGEST_EXAMPLE = 130
"""How many sites the board of an example has at most that is drawn."""
_SAID = ("play", "legal", "illegal", "only", "stuck", "winner")
FORMAT = 1
"""The number of the form that data have; another form has another number."""


class Questions:
    """What is asked of positions by code; `asked` has each question once."""

    def __init__(self) -> None:
        self.asked: list[Question] = []

    def number(self, question: Question) -> int:
        """Return the number of a question; the same one for equal questions."""
        if question not in self.asked:
            self.asked.append(question)
        return self.asked.index(question)


class GameData:
    """Makes the data of a game.

    First `questions` are gathered: the module has to be made with code that answers them.
    """

    def __init__(self, game: Game, start: Position, *, has_examples: bool = True) -> None:
        """Gather the questions about a game, which begins so; its examples belong to it or not."""
        self._game = game
        self._start = start
        self._places = {slot: place for place, slot in enumerate(game.program.state)}
        self.questions = Questions()
        self._told = {
            **self._words(),
            **self._looks(),
            **self._seen(),
            "examples": list(_examples(game)) if has_examples else [],
        }

    def to_json(
        self, code: GameCode, answers: Sequence[Answer], module: WasmModule
    ) -> dict[str, Any]:
        """Return the data of the game, with its code, and where that puts its answers."""
        return {
            **self._told,
            **_memory(self._game, code, self._start),
            "asked": {
                "bytes": bytes_of(answers),
                "answers": [[one.offset, one.bits, one.unit, one.count] for one in answers],
            },
            "statements": [self._statement(one) for one in code.searches.words.statements],
            "module": {
                "code": b64encode(module.code).decode(),
                "heapBase": module.heap_base,
                "stackBytes": module.stack_bytes,
                "stackRoom": module.stack_bytes - code.stack.below - _STACK_LEFT,
                "functions": dict(module.functions),
            },
        }

    # ------------------------------------------------------------------------------ words

    def _words(self) -> dict[str, Any]:
        """Return what is told of the game."""
        game, told = self._game, portrait(self._game)
        phases = game.program.phases
        return {
            "format": FORMAT,
            "name": game.name,
            "title": game.title,
            "reference": _reference(game),
            "digest": game.digest,
            "otherNames": list(told.other_names),
            "about": told.about,
            "credits": {key: str(value) for key, value in told.credits.items() if value},
            "rules": {
                "text": told.rules,
                "turns": [list(line) for line in told.turns],
                "ends": list(told.ends),
                "stuck": list(told.stuck),
                "meanings": list(told.meanings),
                "goals": {side: list(texts) for side, texts in told.goals.items()},
            },
            "pieces": [
                {
                    "kind": piece.kind,
                    "told": list(piece.told),
                    "picture": None if piece.scene is None else picture(piece.scene),
                }
                for piece in (pieces_told(game) if len(game.kinds) <= _MOST_KINDS else ())
            ],
            "board": told.board,
            "options": [
                {
                    "name": one.name,
                    "value": one.value,
                    "default": one.default,
                    "allowed": one.allowed,
                    "about": one.about,
                }
                for one in game.options
            ],
            "variants": list(game.variants),
            "allVariants": dict(game.all_variants),
            "sides": list(game.sides),
            "teams": [list(team) for team in dict.fromkeys(game.program.teams)],
            "kinds": list(game.kinds),
            "wins": _outcomes(game),
            "puzzle": len(game.sides) == 1,
            "hidden": game.hides,
            "chance": game.program.has_chance,
            "numbered": game.numbered,
            "phases": [
                {
                    "name": phase.name,
                    "shown": game.looks.phases.get(phase.name, ""),
                    "seat": phase.seat,
                    "byChance": phase.by_chance,
                }
                for phase in phases
            ],
            "sites": [site.name for site in game.board.sites],
        }

    def _statement(self, statement: Choose | Decide | Say) -> dict[str, Any]:
        """Return what is told of a step of moves."""
        match statement:
            case Say(token=token):
                return {"what": "say", "token": token}
            case Decide(alternatives=alternatives):
                return {"what": "decide", "alternatives": [one.token for one in alternatives]}
            case Choose() as choice:
                slots, partner = self._chosen, choice.unordered_with
                return {
                    "what": "choose",
                    "sites": isinstance(choice.domain, SitesOf),
                    "separator": choice.separator,
                    "slot": slots.setdefault(choice.slot, len(slots)),
                    "with": None if partner is None else slots.setdefault(partner, len(slots)),
                    "rank": choice.rank,
                    "variable": choice.slot.name,
                }

    @property
    def _chosen(self) -> dict[Slot, int]:
        """The numbers of the variables that choices fill."""
        found: dict[Slot, int] = self.__dict__.setdefault("_numbers", {})
        return found

    # ------------------------------------------------------------------------------ looks

    def _looks(self) -> dict[str, Any]:
        """Return how positions are drawn."""
        game = self._game
        looks, scene = game.looks, self._start.scene()
        return {
            "scene": drawing_data(game, scene),
            "layers": [
                {
                    "slot": self._places[layer.slot],
                    "side": layer.side,
                    "kind": game.kinds[layer.kind],
                    "name": layer.name,
                    "symbol": mark.symbol,
                    "figure": mark.figure,
                    "letters": mark.letters,
                }
                for layer, mark in zip(game.layers, stock(game), strict=True)
            ],
            "piles": self._piles(),
            "hands": [
                [name, [[kind, self._places.get(slot), slot.name] for kind, slot in slots.items()]]
                for name, slots in game.hands.items()
            ],
            "lastHands": sorted(game.last_hands),
            "numbers": [
                {"slot": self._places[slot], "ofPieces": slot in game.marks, "name": slot.name}
                for slot in numbers_drawn(game)
            ],
            "colours": [[name, self._asked(sites)] for name, sites in looks.colours],
            "signs": [[text, self._asked(sites)] for text, sites in looks.signs],
            "bonds": self._links(looks.lines),
            "tracks": self._links(looks.arrows),
            "borders": self._borders(looks.borders),
            "bridges": self._links(looks.bridges),
            "places": dict(looks.places),
            "pieceNumbers": {name: list(of) for name, of in looks.numbers.items()},
            "figures": [[name, *figure] for name, figure in looks.figures.items()],
            "captions": dict(looks.captions),
            "prompts": dict(looks.prompts),
            "variables": {
                name: self._places[slot]
                for name, slot in game.state_slots.items()
                if slot in self._places
            },
        }

    def _piles(self) -> dict[str, Any] | None:
        piles = self._game.piles
        if piles is None:
            return None
        layers = {layer.slot: number for number, layer in enumerate(self._game.layers)}
        return {
            "width": piles.width,
            "coverable": [layers[slot] for slot in piles.coverable],
            "height": self._places.get(piles.height),
            "under": self._places.get(piles.under),
            "beneath": [
                [layers[layer], self._places.get(slot)] for layer, slot in piles.beneath.items()
            ],
        }

    def _links(self, links: Links) -> list[Any]:
        return [
            [name, list(map(list, link.pairs())) if isinstance(link, Relation) else self._led(link)]
            for name, link in links
        ]

    def _borders(self, links: Links) -> list[Any]:
        """Return borders with where each is drawn, of those that depend on the position all."""
        scene = self._start.scene()
        found = []
        for name, link in links:
            adjacent = self._game.board.relations.get("adjacent")
            pairs = link if isinstance(link, Relation) else adjacent
            lines = (
                [a, b, side_between(scene, a, b)]
                for a, b in (() if pairs is None else pairs.pairs())
            )
            known = [line for line in lines if line[2] is not None]
            led = None if isinstance(link, Relation) else self._led(link)
            found.append([name, led, known])
        return found

    def _led(self, link: Leading) -> dict[str, int]:
        return {"asked": self.questions.number(link)}

    # --------------------------------------------------------------------- what is seen

    def _seen(self) -> dict[str, Any]:
        """Return what sides see of a position, and the scores of sides."""
        game = self._game
        return {
            "sights": [self._sight(side) for side in range(len(game.sides))],
            "common": self._sight(None),
            "listed": [
                [[text, self._asked(value)] for text, value in sight.values]
                for sight in game.sights
            ],
            "notices": [self._notice(notice) for notice in game.looks.notices],
            "undecided": [self._places[slot] for slot in game.undecided],
            "scores": [self._asked(score) for score in game.scores],
        }

    def _notice(self, notice: Notice) -> dict[str, Any]:
        """Return what is told while a condition holds, and to whom: each side, all of them."""
        game, sides = self._game, range(len(self._game.sides))
        return {
            "text": notice_told(notice, game.sides[notice.side]),
            "holds": self._asked(notice.condition),
            "known": [is_known(notice, game, side, game.sight(side)) for side in sides],
            "knownToAll": is_known(notice, game, None, game.sight(None)),
        }

    def _known_looks(self, side: int | None, sight: Sight) -> dict[str, list[bool]]:
        """Return which of the looks of the board a side may see, by their names in a page."""
        looks, known = self._game.looks, known_looks(self._game, side, sight)
        parts: dict[str, tuple[Sequence[object], Sequence[object]]] = {
            "colours": (looks.colours, known.colours),
            "signs": (looks.signs, known.signs),
            "bonds": (looks.lines, known.lines),
            "tracks": (looks.arrows, known.arrows),
            "borders": (looks.borders, known.borders),
            "bridges": (looks.bridges, known.bridges),
        }
        return {name: [one in shown for one in of] for name, (of, shown) in parts.items()}

    def _sight(self, side: int | None) -> dict[str, Any] | None:
        sight = self._game.sight(side)
        if sight is None:
            return None
        return {
            "looks": self._known_looks(side, sight) if self._game.looks.free else None,
            "pieces": self._asked(sight.pieces),
            "kinds": self._asked(sight.kinds),
            "values": [[text, self._asked(value)] for text, value in sight.values],
            "moves": self._asked(sight.moves),
        }

    def _asked(self, expression: Expression) -> dict[str, Any]:
        """Return how the value of an expression is found."""
        type_ = _type(expression.type)
        match expression:
            case Const(value) if expression.type == SITES:
                return {"type": type_, "value": list(bits(int(value)))}
            case Const(value):
                return {"type": type_, "value": _number(value)}
            case Get(slot) if slot in self._places:
                return {"type": type_, "slot": self._places[slot]}
        return {"type": type_, "asked": self.questions.number(expression)}


def _examples(game: Game) -> Iterator[dict[str, Any]]:
    """Yield the examples of a game's file: a name, what is said there, and a picture."""
    shown = 0
    for name, document, position in set_up_examples(game):
        if position.rules.game.board.size > LARGEST_EXAMPLE or position.rules.game.hides:
            continue
        said = (
            f"{key} {', '.join(one.text for one in items(document.get(key)))}"
            for key in _SAID
            if document.get(key) is not None
        )
        yield {
            "title": name if not name.isdecimal() else "",
            "note": "; ".join(" ".join(text.split()) for text in said),
            "picture": picture(position.scene()),
        }
        shown += 1
        if shown == _MOST_EXAMPLES:
            break


def _outcomes(game: Game) -> dict[str, str]:
    """Return how a game ends in words, by the sides that win: a bit for each, by number."""
    sides = range(len(game.sides))
    every = (1 << len(sides)) if len(sides) <= _MOST_SIDES_TOLD else 0
    winners = (tuple(side for side in sides if mask >> side & 1) for mask in range(every))
    return {
        str(mask): Outcome(tuple(game.sides[s] for s in won), (), is_puzzle=len(sides) == 1).text
        for mask, won in enumerate(winners)
    }


def _type(type_: Type) -> Any:
    """Return the name of a type, or the values of a choice."""
    names = {SITES: "sites", NUMBER: "number", FRACTION: "fraction", FLAG: "flag"}
    return list(type_.values) if type_.is_choice else names.get(type_, type_.name)


def _number(value: Any) -> Any:
    """Return a number, or a condition, as plain data: a fraction as its two parts."""
    if isinstance(value, bool | int):
        return value
    return [value.numerator, value.denominator]


def _reference(game: Game) -> str:
    """Return what a saved game calls the game: of a file only its name, not where it was."""
    reference = game_reference(game)
    name = PurePath(reference).name
    return reference if name == reference else f"./{name}"


# ----------------------------------------------------------------- where a position lies in memory


def _memory(game: Game, code: GameCode, start: Position) -> dict[str, Any]:
    """Return where the parts of positions and of worlds lie, and the first position."""
    layout, program = code.layout, code.shared.program
    exchange = Exchange(game, code)
    world, position = exchange.world(), exchange.buffer()
    exchange.write(start.state, position, world)
    system, places = program.system, {slot: n for n, slot in enumerate(program.state)}

    def place(slot: Slot | None) -> int | None:
        return None if slot is None else places.get(slot)

    return {
        "frame": {
            "bytes": layout.frame_bytes,
            "stateBytes": layout.state_bytes,
            "setBits": code.shared.sets.bits,
            "slots": [
                {"key": key, **_slot(code, program.state[place])}
                for key, place in slot_names(program).items()
            ],
            "ended": layout.ended.offset,
            "winners": [layout.winners.offset, layout.winners.bits],
            "payoffs": [field.offset for field in layout.payoffs],
            "payoffUnit": layout.payoff_unit,
            "memories": [
                {
                    "count": layout.fields[memory.slot].offset,
                    "bytes": size,
                    "parts": [
                        {
                            "type": _type(part.node.type),
                            "perSite": part.per_site,
                            "offset": part.field.offset,
                            "bits": part.field.bits,
                            "unit": 1 if part.field.range is None else part.field.range.denominator,
                        }
                        for part in parts
                    ],
                }
                for memory, size, parts in zip(
                    program.memories, exchange.key_bytes, code.past.parts, strict=True
                )
            ],
            "trail": code.shared.sets.are_arrays,
            "tally": list(TALLY),
        },
        "system": {
            "mover": place(system.mover),
            "phase": place(system.phase),
            "turns": place(system.turns),
            "passes": place(system.passes),
            "seats": [place(slot) for slot in system.seats],
        },
        "world": {
            "bytes": w.PAST + w.PAST_BYTES * len(exchange.key_bytes),
            "stop": w.STOP,
            "error": w.ERROR,
            "place": w.PLACE,
            "trail": w.TRAIL,
            "trailEnd": w.TRAIL_END,
            "past": w.PAST,
            "pastBytes": w.PAST_BYTES,
            "pastRoom": w.PAST_ROOM,
            "pastDigests": w.PAST_DIGESTS,
            "pastDigested": w.PAST_DIGESTED,
            "digestsCompared": w.DIGESTS_COMPARED,
        },
        **_clauses(game, code, places),
        "hasPayoffs": game.program.has_payoffs,
        "start": b64encode(bytes(position)).decode(),
        "startTold": None if start == start.rules.start() else start.to_json(),
        "pasts": [
            b64encode(exchange.keys_of(number, position, world)).decode()
            for number in range(len(exchange.key_bytes))
        ],
    }


def _slot(code: GameCode, slot: Slot) -> dict[str, Any]:
    field = code.layout.fields[slot]
    return {
        "name": slot.name,
        "type": _type(slot.type),
        "perSite": slot.per_site,
        "offset": field.offset,
        "bits": field.bits,
        "unit": 1 if field.range is None else field.range.denominator,
        "isKind": slot.type.name == "kind",
        "memory": code.layout.histories.get(slot),
    }


def _clauses(game: Game, code: GameCode, places: Mapping[Slot, int]) -> dict[str, Any]:
    """Return the clauses by which the game may end, in the order in which code counts them.

    With them goes what shows that they hold, and the relations that this speaks of.
    """
    said, relations = all_ends(game), list[Relation]()
    clauses = [
        {
            "number": ending.number,
            "kind": ending.kind,
            "line": None if ending.span is None else ending.span.line,
            "text": "" if ending.span is None else " ".join(ending.span.text.split()),
            "words": [
                {"text": one.text, "winners": list(one.winners)}
                for one in said
                if one.span == ending.span and ending.span is not None
            ],
            "stuck": any(one.span == ending.span and one.is_stuck for one in said),
            "witnesses": witnesses_of(ending.condition, places, relations),
        }
        for ending in code.endings.clauses
    ]
    return {"clauses": clauses, "relations": [steps_of(relation) for relation in relations]}
