"""Answers to `why`: of a move, of a site, or of the position as it is.

In: the course of a game, and what was asked. Out: explanations. What then holds: a text that is a
site and may be a move is answered as both, if there is anything to tell of the site.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from gdl.diagnostic import wanted
from gdl.elaborate.names.scope import written_in
from gdl.interpreter.english import sentence
from gdl.interpreter.evaluation.moves import Move, MoveError
from gdl.interpreter.explain.endings import Made, needs, over, stuck
from gdl.interpreter.explain.explanation import Explanation, Ruling
from gdl.interpreter.explain.legal import done_to
from gdl.interpreter.explain.moment import Moment, rules_of
from gdl.interpreter.explain.reasons import Reasons, witness_of
from gdl.interpreter.explain.why_move import Reader, plainly_read, why_move
from gdl.interpreter.explain.witness import NOTHING, Witness
from gdl.interpreter.positions.position import Position, plies
from gdl.interpreter.positions.view import notice_told, notices
from gdl.model import Layer
from gdl.syntax import tree as t


def why(
    positions: Sequence[Position],
    moves: Sequence[Move],
    text: str = "",
    read: Reader = plainly_read,
) -> list[Explanation]:
    """Return what the rules say of a text in the last position, or of that position itself.

    `moves` lead from each position to the next; `read` tells the legal move that a text means.
    Raises MoveError of a text that is neither a move nor a site, RuleError where the rules fail,
    TypeError for what is no list of positions and no text.
    """
    wanted(positions, Sequence, "a list of positions")
    for one in positions[-1:]:
        wanted(one, Position, "a Position")
    wanted(text, str, "a text")
    position = positions[-1]
    if not text.strip():
        return [_of_position(positions, moves)]
    site = position.rules.game.board.index(text.strip().lower())
    if site is None:
        return [why_move(position, text, read)]
    told = why_site(positions, moves, site)
    try:
        of_move = why_move(position, text, read)
    except MoveError:
        return [told]
    is_known = told.rulings or text.strip().lower() in position.pieces()
    return [told, of_move] if is_known else [of_move]


def _of_position(positions: Sequence[Position], moves: Sequence[Move]) -> Explanation:
    position = positions[-1]
    made = Made(positions[-2], moves[-1]) if moves else None
    if position.over:
        return over(position, made)
    rules = rules_of(position)
    frame = rules.machine.frame(position.state.values)
    turn = rules.machine.turn(rules.machine.phase(frame), position.side)
    if not rules.machine.ways.has_move(frame, turn):
        return stuck(position)
    found = needs(position, made)
    return replace(found, rulings=(*_noticed(position), *found.rulings))


# ----------------------------------------- what stands on a site, since when, and what put it there


def noticed(position: Position) -> Explanation:
    """Return what captions of conditions tell of a position, each with what makes it so."""
    return Explanation("open", "", position, tuple(_noticed(position)))


def _noticed(position: Position) -> Iterator[Ruling]:
    game = position.rules.game
    for notice in notices(position, game, None, None):
        node, scope = written_in(notice.origin)
        told = sentence(notice_told(notice, game.sides[notice.side]))
        if isinstance(node, t.Expression) and scope is not None:
            rules = rules_of(position)
            reasons = Reasons(Moment(rules, rules.machine.frame(position.state.values)))
            found = reasons.of(node, scope)
            drawn, text = witness_of(found), " ".join(notice.span.text.split())
            shown = () if found is None else (found,)
            yield Ruling("", notice.span, text, shown, witness=drawn, words=told)


def why_site(positions: Sequence[Position], moves: Sequence[Move], site: int) -> Explanation:
    """Return what stands on a site, by index, since which move, and what was there before."""
    counted = _counted(positions, site)
    is_for_pieces = not counted or any(
        index == site for position in positions for index, _ in position.occupied()
    )
    standing = [_standing(one, site, counted, is_for_pieces=is_for_pieces) for one in positions]
    now, name = positions[-1], now_name(positions[-1], site)
    changed = [n for n in range(1, len(standing)) if standing[n] != standing[n - 1]]
    rulings: list[Ruling] = []
    for number in reversed(changed):
        rulings += _change(positions, moves, number, site, standing[number])
    since = _made(positions, moves, changed[-1]) if changed else "the beginning"
    sentence = f"{name}: {standing[-1]}, since {since}."
    return Explanation("site", sentence, now, tuple(rulings), drawn=Witness(1 << site))


def now_name(position: Position, site: int) -> str:
    """Return the name of a site."""
    return position.rules.game.board.sites[site].name


def _counted(positions: Sequence[Position], site: int) -> dict[str, int]:
    """Return the numbers that a site has had, by name, with the place of each."""
    game, places = positions[-1].rules.game, positions[-1].rules.places
    slots = {name: slot for name, slot in game.state_slots.items() if slot.per_site}
    return {
        name: places[slot]
        for name, slot in slots.items()
        if slot in places and any(one.state.values[places[slot]][site] for one in positions)
    }


def _standing(
    position: Position, site: int, counted: Mapping[str, int], *, is_for_pieces: bool
) -> str:
    """Return what is on a site: the pieces, and the numbers that the site has or had."""
    values = position.state.values
    pile = dict(position.standing()).get(site, ())
    told = [_piled(pile)] if pile else ["no piece"] if is_for_pieces else []
    told += [f"{name} {values[place][site]}" for name, place in counted.items()]
    return ", ".join(told)


def _piled(pile: Sequence[Layer | None]) -> str:
    """Return the uppermost piece of a pile, and those under it as far as they are known."""
    *under, top = [None if layer is None else layer.name for layer in pile]
    known = [name for name in reversed(under) if name is not None]
    others = len(under) - len(known)
    if others:
        known.append(
            f"{others} more" if known else "a piece" if others == 1 else f"{others} pieces"
        )
    if not known:
        return str(top)
    *first, last = known
    return f"{top} upon {', '.join(first)} and {last}" if first else f"{top} upon {last}"


def _made(positions: Sequence[Position], moves: Sequence[Move], number: int) -> str:
    """Return a move of a game, with its number among those that chance did not make."""
    told = "" if positions[number - 1].seat is None else f"move {plies(positions)[number]}, "
    return f"{told}`{moves[number - 1]}`"


def _change(
    positions: Sequence[Position], moves: Sequence[Move], number: int, site: int, standing: str
) -> Iterator[Ruling]:
    """Yield what a move has done to a site, by the statements that did it."""
    before, move = positions[number - 1], moves[number - 1]
    sentence = f"{_made(positions, moves, number)} of {before.decider}: {standing}"
    done = list(done_to(before, move, site)) or [Ruling("")]
    yield replace(done[0], sentence=sentence, witness=NOTHING)
    yield from (replace(ruling, witness=NOTHING) for ruling in done[1:])
