"""What is said of a position in words: whose turn it is, state that is not drawn, how it ended.

In: a position, and an outcome where the position alone does not tell it. Out: texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import cycle
from pathlib import Path
from textwrap import fill

from gdl.board.relation import Relation
from gdl.core.types import SITES
from gdl.interpreter.english import in_words, listed, verb_of
from gdl.interpreter.evaluation.evaluator import Outcome
from gdl.interpreter.positions.drawing import card_steps, flags_drawn, held_text, stock
from gdl.interpreter.positions.encoding import write_for_people
from gdl.interpreter.positions.position import Position
from gdl.interpreter.positions.view import View
from gdl.interpreter.render.scene import farthest_neighbour
from gdl.interpreter.render.text.glyphs import ASCII, UNICODE, flag_text, lettering
from gdl.model import Steps

_WIDTH = 80
_NOTHING = ("0", "no", "none")
_DIE = "die"
_MARKS, _MARKS_IN_ASCII = "○●◇◆□■△▲", "O@+#x*-="
"""What stands for sides whose pieces have no character of their own."""


def introduction(position: Position, *, ascii: bool = False) -> str:
    """Return what a player wants to know first: the game, its aim, how its pieces are drawn."""
    game = position.rules.game
    told = (game.title, game.credits.get("about", ""), legend(position, ascii=ascii))
    return "\n".join(fill(line, _WIDTH) for line in told if line)


def legend(position: Position, *, ascii: bool = False) -> str:
    """Return which character stands for which piece, and for which line.

    Pieces that are drawn otherwise are left out, and lines that all have one colour.
    """
    texts = _characters(position, ascii=ascii)
    if not texts:
        return ""
    sides = [side for _, side in texts]
    is_one_each = len(set(sides)) == len(sides) and "" not in sides
    told = [
        f"{side if is_one_each else name.replace('_', ' ')} {text}"
        for (name, side), text in texts.items()
    ]
    characters = ASCII if ascii else UNICODE
    for slot, flag in flags_drawn(position.rules.game).items():
        told.append(f"{in_words(slot.name)} {flag_text(flag, characters)}")
    colours, crossings = position.scene().colours_of_bonds, characters.crossings
    if len(colours) == len(crossings):
        told += [f"lines of {c} {x}" for c, x in zip(colours, crossings, strict=True)]
    return ", ".join(told)


def piece_characters(position: Position, *, ascii: bool = False) -> dict[str, str]:
    """Return which character stands for which piece, by its name; none where only numbers do."""
    return {name: text for (name, _), text in _characters(position, ascii=ascii).items()}


def side_characters(position: Position, *, ascii: bool = False) -> dict[str, str]:
    """Return a character for each side: that of its pieces, the first kind of them, or a mark."""
    texts = _characters(position, ascii=ascii)
    marks = cycle(_MARKS_IN_ASCII if ascii else _MARKS)
    first = {side: text for (_, side), text in reversed(texts.items()) if side}
    return {
        side: first.get(side) or mark
        for side, mark in zip(position.rules.sides, marks, strict=False)
    }


def _characters(position: Position, *, ascii: bool) -> dict[tuple[str, str], str]:
    """Return the characters that stand for pieces, by the piece's name and its side's."""
    game, scene = position.rules.game, position.scene()
    tiles = {scene.marks[site].kind for site in scene.tiles}
    glyphs = lettering(scene, ASCII if ascii else UNICODE).glyphs
    layers = [layer for layer in game.layers if game.kinds[layer.kind] not in tiles]
    layers = [one for one in layers if glyphs.get((one.side, game.kinds[one.kind])) != ""]
    pieces = dict(zip(game.layers, stock(game), strict=True))
    marks = {n: pieces[layer] for n, layer in enumerate(layers)}
    seen = [glyphs[mark.side, mark.kind] for mark in scene.marks.values() if mark.kind]
    if len(marks) > len(game.board.sites) or (seen and not any(seen)):
        return {}
    kinds = tuple(kind for kind in scene.kinds if kind not in tiles)
    known = tuple(marks.values())
    scene = replace(scene, marks=marks, kinds=kinds, stock=known, tiles={}, highlights={})
    texts = lettering(scene, ASCII if ascii else UNICODE).texts
    sides = [game.sides[layer.side] if layer.side is not None else "" for layer in layers]
    return {
        (layer.name, side): texts[n]
        for n, (layer, side) in enumerate(zip(layers, sides, strict=True))
    }


def state_text(position: Position) -> str:
    """Return what `state_lines` tells, in a line."""
    return ", ".join(state_lines(position))


def state_lines(position: Position) -> Sequence[str]:
    """Return what captions of conditions tell, and the state that is not drawn, but in hands.

    Empty sets and hands are left out, what is nothing as yet (a number that began with 0 and still
    is, unless it has its place beside the board), and dice when the game is over. Lines that text
    can't draw come last.
    """
    game, rules = position.rules.game, position.rules
    told = [*position.notices()]
    in_hands = {slot for kinds in game.hands.values() for slot in kinds.values()}
    for name, slot in game.state_slots.items():
        if slot not in rules.places or (slot in in_hands and name not in game.looks.captions):
            continue
        if game.looks.figures.get(name, ("", ""))[0] == _DIE and position.over:
            continue
        value = position.state.values[rules.places[slot]]
        text = write_for_people(game, slot.type, value)
        if slot.type.name == "kind":
            text = text.replace("_", " ")
        is_new = value == game.program.initial[rules.places[slot]]
        is_new &= name not in game.looks.places
        is_left_out = text in _NOTHING and (is_new or slot.type == SITES or slot in in_hands)
        caption = game.looks.captions.get(name)
        if caption is not None:
            steps = _steps_text(card_steps(game, slot, text))
            told += [caption.replace("{}", text) + steps] if caption and not is_left_out else []
        elif not slot.per_site and not is_left_out:
            told.append(f"{name} {text}")
    return [*told, *_far_lines(position)]


def _steps_text(steps: Steps) -> str:
    """Return where steps lead by the letters of directions: NN is two rows up, SW one aslant."""
    ways = ("NS"[up < 0] * abs(up) + "EW"[across < 0] * abs(across) for across, up in steps)
    return f" ({', '.join(ways)})" if steps else ""


def _far_lines(position: Position) -> Iterator[str]:
    """Yield which sites the lines join that come in play and are too long to be drawn by text."""
    board, looks = position.rules.game.board, position.rules.game.looks
    lines = (*looks.lines, *looks.bridges)
    names = {name for name, link in lines if not isinstance(link, Relation)}
    most = farthest_neighbour(board) if names else 0.0
    scene = position.scene()
    slanting = (
        (a, b, name)
        for a, b, name in scene.bridges
        if a < b and board.sites[a].x != board.sites[b].x and board.sites[a].y != board.sites[b].y
    )
    far = [
        f"{one.name}-{other.name}"
        for first, second, name in ((*scene.bonds, *slanting) if names else ())
        for one, other in [(board.sites[first], board.sites[second])]
        if name in names and math.dist((one.x, one.y), (other.x, other.y)) > most
    ]
    if far:
        yield f"lines join {listed(far, 'and')}"


def hands_text(position: Position) -> str:
    """Return the pieces off the board by side and kind; what has a caption is left to it."""
    return held_text(position.rules.game, position.hands())


def seen_text(view: View) -> str:
    """Return the values that a side sees, each with its caption or what asks for it."""
    return ", ".join((*view.notices, *view.told))


def clause_text(position: Position, outcome: Outcome | None) -> str:
    """Return the clause of the rules by which a game has ended, and where it stands.

    It is empty if the game goes on, or somebody has resigned.
    """
    if outcome is None or outcome.span is None:
        return ""
    from gdl.interpreter.words.rules import said_of

    span, is_stuck = outcome.span, position.state.ended is None
    reason = f", since {mover_does(position, 'has')} no move" if is_stuck else ""
    clause = said_of(position.rules.game, span, outcome.winners)
    return fill(f"By line {span.line} of {Path(span.source.name).name}{reason}: {clause}", _WIDTH)


def end_text(position: Position, outcome: Outcome) -> str:
    """Return how a game has ended and by what, without the place of the rule that says so."""
    told = turn_text(position, outcome)
    if outcome.span is None:
        return told
    from gdl.interpreter.words.rules import held_of, said_of

    game = position.rules.game
    clause = said_of(game, outcome.span, outcome.winners)
    if position.state.ended is None:
        return f"{told} {mover_does(position, 'has')} no move. {clause}".strip()
    for start in (f"{outcome.text} when ", "the game is a draw when "):
        if clause.lower().startswith(start.lower()):
            return f"{told.removesuffix('.')}: {clause[len(start) :]}"
    held = held_of(game, outcome.span, outcome.winners)
    return f"{told.removesuffix('.')}: {held}." if held else f"{told} {clause}".strip()


def turn_text(position: Position, outcome: Outcome | None = None) -> str:
    """Return whose turn it is, or how the game has ended, as a sentence.

    `outcome` is how it has ended if the position alone does not tell.
    """
    ended = outcome or position.outcome
    if ended is not None:
        told = ended_text(position, ended)
        return f"{told[0].upper()}{told[1:]}."
    if position.seat is None:
        phase = position.rules.game.looks.phases.get(position.phase, "")
        return f"Chance is to move{f': {phase}' if phase else ''}."
    phase = position.rules.game.looks.phases.get(position.phase, "")
    return f"{mover_text(position)} to move{f': {phase}' if phase else ''}."


def mover_text(position: Position) -> str:
    """Return who is on turn: the side, and the seat where another one could play it."""
    return position.mover + _seat_text(position, position.seat)


def mover_does(position: Position, verb: str) -> str:
    """Return that who is on turn does something: `Red resigns`, `Tigers (seat 1) have`."""
    return f"{mover_text(position)} {verb_of([position.mover], verb)}"


def ended_text(position: Position, outcome: Outcome) -> str:
    """Return an outcome in words, with the seats where they could be others."""
    seats = " and ".join(str(seat) for seat in outcome.seats)
    if not seats or not position.rules.game.program.system.seats:
        return outcome.text
    return f"{outcome.text} (seat {seats})"


def _seat_text(position: Position, seat: int | None) -> str:
    changeable = position.rules.game.program.system.seats
    return f" (seat {seat})" if changeable and seat is not None else ""
