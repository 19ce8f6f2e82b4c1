"""Why a move is not legal, and which moves are like it.

In: a position and the text of a move that is not legal there. Out: an `Explanation`. What then
holds: the condition that is told to fail is one at which the reference interpreter can't go on,
with the values that it has there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from gdl.board.relation import bits
from gdl.core.evaluate import Frame
from gdl.core.nodes import Assign, Choose, Const, Decide, Get, Statement
from gdl.core.types import FLAG, SITES
from gdl.core.walk import program_statements
from gdl.elaborate.names.scope import Scope
from gdl.interpreter.english import does, in_words, listed
from gdl.interpreter.evaluation.moves import FORCED_PASS, PASS, Move, MoveError, word_places, words
from gdl.interpreter.explain.asking import phase_of, prompt_of
from gdl.interpreter.explain.endings import stuck
from gdl.interpreter.explain.explanation import Explanation, Ruling
from gdl.interpreter.explain.moment import Moment, rules_of
from gdl.interpreter.explain.reasons import Reason, Reasons, witness_of
from gdl.interpreter.explain.sources import choice_text, demanded, line_of, source_of, without
from gdl.interpreter.explain.turn import Attempt, Stop, Turns
from gdl.interpreter.explain.witness import NOTHING, Witness
from gdl.interpreter.positions.position import Position
from gdl.interpreter.reference.rules import ReferenceRules
from gdl.interpreter.words.refusals import refusal
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import condition_of

_MOST_STOPS = 4
_MOST_SEEN = 2  # pieces that are told to show why a condition fails


def shown_move(text: str) -> str:
    """Return the text of a move as a sentence quotes it."""
    return " ".join(text.split())[:80]


def illegal(position: Position, text: str, error: MoveError) -> Explanation:
    """Return where the words of a text lead to no legal move."""
    rules = rules_of(position)
    nearest = tuple(move.text for move in near(position, text))
    sentence = f"`{shown_move(text)}` is not a legal move of {position.decider}."
    if position.seat is None:
        sentence = f"`{shown_move(text)}` can't be played now: chance is to move."
    legal = position.moves()
    if legal == (FORCED_PASS,):
        found = stuck(position)
        told = f"{sentence} {does([position.mover], 'has')} no move but to pass."
        return Explanation("illegal", told, position, found.rulings, ("pass",), drawn=found.drawn)
    tried, attempt = text, Turns(rules).attempt(position.state, text)
    if any(
        stop.statement is not None and _is_one_of_several(stop.statement) for stop in attempt.stops
    ):
        tried = _in_board_order(position, text)
        attempt = Turns(rules).attempt(position.state, tried)
    elif not attempt.completed and all(
        stop.why == "word" and not stop.said for stop in attempt.stops
    ):
        tried, attempt = _with_label(rules, position, text) or (text, attempt)
    if attempt.completed:
        rulings: tuple[Ruling, ...] = tuple(_compared(rules, position, attempt.completed[0]))
    else:
        stops = sorted(attempt.stops, key=lambda stop: stop.why == "more")
        if position.seat is None and stops and stops[0].why == "more":
            sentence = f"`{shown_move(text)}` is only a part of what chance brings."
        rulings = tuple(_told(rules, position, stops[:_MOST_STOPS], tried))
    return Explanation(
        "illegal", sentence, position, rulings, nearest, str(error.hint) if not rulings else ""
    )


def _with_label(rules: ReferenceRules, position: Position, text: str) -> tuple[str, Attempt] | None:
    """Return the text with a label of the rules before it that it can't do without, if one is so.

    With it the words are understood up to a choice or a condition; where that leads is told, too.
    """
    labels = {
        way.token
        for statement in program_statements(rules.game.program)
        if isinstance(statement, Decide)
        and isinstance(source_of(statement)[0], t.Either | t.Optionally)
        for way in statement.alternatives
        if way.token is not None
    }
    for label in sorted(labels):
        attempt = Turns(rules).attempt(position.state, f"{label} {text}")
        if attempt.stops and all(stop.why in ("condition", "no-way") for stop in attempt.stops):
            return f"{label} {text}", attempt
    return None


def _told(
    rules: ReferenceRules, position: Position, stops: Sequence[Stop], text: str
) -> Iterator[Ruling]:
    """Yield why ways through the turn can't go on, each in words if there is anything to say."""
    wanted = [text[begin:end] for begin, end in word_places(text)]
    said_before: set[str] = set()
    for stop in stops:
        ruling = _stopped(rules, stop)
        if not ruling.words and position.seat is not None:
            number = len(words(stop.said)) - (stop.why == "condition")
            if 0 <= number < len(wanted):
                said = " ".join(wanted[:number])
                ruling = replace(ruling, words=comes_instead(position, said, wanted[number]))
        begun = begins_empty(position, wanted) if stop.choice is not None and not stop.said else ""
        ruling = replace(ruling, words=begun) if begun else ruling
        if ruling.words in said_before:
            ruling = replace(ruling, words="")
        said_before.add(ruling.words)
        yield ruling


def _compared(
    rules: ReferenceRules, position: Position, decisions: tuple[int, ...]
) -> Iterator[Ruling]:
    """Yield why a turn that can be completed is still no move: others are better, or the order."""
    best = rules.game.program.system.best
    place = None if best is None else rules.machine.places[best]
    for statement, _, after, _ in Turns(rules).passages(position.state, decisions):
        if isinstance(statement, Assign) and statement.slot is best and place is not None:
            node, scope = source_of(statement)
            if isinstance(node, t.Keep) and scope is not None:
                reason = Reasons(Moment(rules, after)).of(node.value, scope)
                shown = () if reason is None else (reason,)
                sentence = "other moves are better by this, and only the best are legal"
                yield Ruling(sentence, node.span, line_of(node), shown, witness=witness_of(reason))
                return
    for statement, _, _, _ in Turns(rules).passages(position.state, decisions):
        if isinstance(statement, Choose) and statement.unordered_with is not None:
            node, _ = source_of(statement)
            span = statement.span if node is None else node.span
            text = "" if node is None else line_of(node)
            yield Ruling(
                "the two are chosen in any order, and the other order is not legal, or leads to "
                "another position",
                span,
                text,
            )
            return


def _stopped(rules: ReferenceRules, stop: Stop) -> Ruling:
    """Return why a way through the turn can't go on."""
    said = f"after `{stop.said}` " if stop.said else ""
    if stop.statement is None:
        return Ruling(f"the turn is complete with `{stop.said or 'pass'}`, and nothing may follow")
    node, scope = source_of(stop.statement)
    span = stop.statement.span
    if node is None or scope is None:
        return Ruling(f"{said}the turn can't go on here", span)
    moment = Moment(rules, stop.frame)
    reasons = Reasons(moment)
    if stop.why == "condition":
        condition = condition_of(node)
        reason = None if condition is None else reasons.of(condition, scope)
        because, found = _within(rules, stop)
        sentence = f"{said}{demanded(node)}{because}"
        shown = (*(() if reason is None else (reason,)), *found)
        witness = witness_of(reason)
        words = _words(condition, moment, scope) or _hand_lacks(node, reasons, scope)
        words = f"{words} {_seen_at(witness.sites, stop.frame, moment)}".strip() if words else ""
        return Ruling(sentence, node.span, line_of(node), shown, witness=witness, words=words)
    is_choice = isinstance(node, t.Choose | t.ChooseSet)
    if stop.why == "no-way" and isinstance(stop.statement, Choose) and is_choice:
        assert isinstance(node, t.Choose | t.ChooseSet)
        return _not_among(rules, stop, stop.statement, node, scope)
    if stop.why == "more":
        sentence = f"{said}the turn goes on: this is to be chosen, too"
        caption = prompt_of(rules, phase_of(rules, stop.frame), stop.statement)
        return Ruling(sentence, node.span, line_of(node), caption=caption)
    because, found = _within(rules, stop)
    sentence = f"{said}a choice is to be made that these words don't make{because}"
    asked = prompt_of(rules, phase_of(rules, stop.frame), stop.statement)
    return Ruling(sentence, node.span, line_of(node), found, caption=asked)


def _seen_at(sites: int, frame: Frame, moment: Moment) -> str:
    """Return which pieces of others show that a condition fails, where these are few."""
    mover = frame[moment.rules.machine.places[moment.rules.game.program.system.mover]]
    game, places = moment.rules.game, moment.rules.machine.places
    others = (layer for layer in game.layers if layer.side not in (None, mover))
    found = [
        f"the {layer.name.replace('_', ' ')} on {game.board.sites[index].name}"
        for layer in others
        for index in bits(frame[places[layer.slot]] & sites)
    ]
    return f"See {listed(found, 'and')}." if 0 < len(found) <= _MOST_SEEN else ""


def _hand_lacks(node: t.Node, reasons: Reasons, scope: Scope) -> str:
    """Return that the side on turn has no such piece in hand, where a statement takes one of it."""
    if not isinstance(node, t.Place) or not isinstance(node.source, t.Name) or node.piece.owner:
        return ""
    asked, game = reasons.moment.scope(scope), reasons.moment.rules.game
    named = [reasons.written(word, asked) for word in node.piece.words]
    if len(named) != 1 or named[0] not in game.kinds:
        return ""
    return f"You have no {in_words(named[0])} in hand."


def _within(rules: ReferenceRules, stop: Stop) -> tuple[str, tuple[Reason, ...]]:
    """Return the conditions by which a statement is come to: in a sentence, and as reasons."""
    told, found = [], []
    for branch, frame in stop.within:
        node, scope = source_of(branch)
        reasons = Reasons(Moment(rules, frame))
        reason = (
            reasons.of(node.condition, scope)
            if isinstance(node, t.If) and scope is not None
            else None
        )
        if isinstance(node, t.If) and reason is not None:
            verb = "because of" if reason.value else "in the `else` of"
            told.append(f"{verb} `if {reason.text}`, line {node.span.line}")
            found.append(reason)
    return f", {' and '.join(told)}" if told else "", tuple(found)


def _words(condition: t.Expression | None, moment: Moment, scope: Scope) -> str:
    """Return in words what is so because a condition does not hold; nothing without one."""
    asked = moment.scope(scope)
    if condition is None or moment.holds(condition, asked) is not False:
        return ""
    parts = lacking(condition, moment, asked)
    return refusal(parts, scope, moment, moment.named(scope), _conditions_named(moment, asked))


def _conditions_named(moment: Moment, scope: Scope) -> dict[str, t.Expression]:
    """Return the conditions by the local words that a `let` gave them, if they are as then."""
    slots = {
        value.slot: word
        for word, value in scope.locals.items()
        if isinstance(value, Get) and value.type == FLAG
    }
    found: dict[str, t.Expression] = {}
    for statement in program_statements(moment.rules.game.program) if slots else ():
        if isinstance(statement, Assign) and statement.slot in slots:
            word, (node, before) = slots[statement.slot], source_of(statement)
            if not isinstance(node, t.LetStatement) or before is None:
                continue
            if moment.holds(node.value, moment.scope(before)) is moment.holds(node.name, scope):
                found[word] = node.value
    return found


def _is_one_of_several(statement: Statement) -> bool:
    return isinstance(statement, Choose) and statement.rank > 0


def _in_board_order(position: Position, text: str) -> str:
    """Return the words of a move with each row of sites in it as the board orders them."""
    board = position.rules.game.board
    found: list[str] = []
    for is_site, group in groupby(words(text), lambda word: board.index(word) is not None):
        row = list(group)
        found += sorted(row, key=lambda word: board.index(word) or 0) if is_site else row
    return " ".join(found)


def _not_among(
    rules: ReferenceRules, stop: Stop, statement: Choose, node: t.Choose | t.ChooseSet, scope: Scope
) -> Ruling:
    """Return why something can't be chosen: it is not among what there is, or a condition fails."""
    said = f"after `{stop.said}` " if stop.said else ""
    frame = list(stop.frame)
    name = node.variable.name
    before = without(scope, name)
    moment = Moment(rules, frame)
    if stop.choice is None:
        reason = Reasons(moment).as_sites(node.domain, before)
        shown = () if reason is None else (reason,)
        return Ruling(f"{said}there is nothing to choose", node.span, line_of(node), shown)
    choice = choice_text(rules, statement, stop.choice)
    of_sites = statement.slot.type == SITES
    value = 1 << stop.choice if of_sites else stop.choice
    frame[rules.machine.places[statement.slot]] = value
    if of_sites:
        domain = moment.sites(node.domain, moment.scope(before)) or 0
        if not domain & value:
            reason = Reasons(moment).membership(node.domain, before, value)
            inside = t.Operation(node.span, "in", (node.variable, node.domain))
            verb = "have" if isinstance(node, t.ChooseSet) else "be"
            sentence = f"{said}`{name}` can't {verb} {choice}, which is not one of these"
            told = _words(inside, Moment(rules, frame), scope)
            if is_taken(stop, domain, moment):
                told = f"{choice} is not empty."
            elif isinstance(node, t.Choose):
                told = f"{told} {in_the_way(stop, node, scope, Moment(rules, frame))}".strip()
            return Ruling(
                sentence,
                node.span,
                line_of(node),
                (reason,),
                witness=Witness(value) | witness_of(reason),
                words=told,
            )
    elif not any(
        isinstance(one, Const) and one.value == value
        for one in moment.elements(node.domain, moment.scope(before))
    ):
        reason = Reasons(moment).of(node.domain, before)
        shown = () if reason is None else (reason,)
        return Ruling(f"{said}`{name}` can't be {choice}", node.span, line_of(node), shown)
    if isinstance(node, t.ChooseSet):
        sentence = f"{said}`{name}` can't have {choice} twice"
        return Ruling(sentence, node.span, line_of(node), witness=Witness(value))
    sentence = f"{said}`{name}` can't be {choice}: this does not hold"
    chosen = Moment(rules, frame)
    found = None if node.condition is None else Reasons(chosen).of(node.condition, scope)
    marks = Witness(value) if of_sites else NOTHING
    return Ruling(
        sentence,
        node.span,
        line_of(node),
        () if found is None else (found,),
        witness=marks | witness_of(found),
        words=_words(node.condition, chosen, scope),
    )


# --------- what would do instead of a word that no legal move has there, and what stands in its way

_MOST_LISTED, _FEW = 6, 3


def comes_instead(position: Position, said: str, word: str) -> str:
    """Return what comes after some words of a move, or at its beginning, instead of a word.

    Nothing if legal moves have that word there, or if the word is missing.
    """
    begun = words(said)
    following = list(dict.fromkeys(_following(position, begun)))
    if not word or word.lower() in following:
        return ""
    if word.lower() == PASS and not begun:
        return "You have a move to make, and can't pass."
    if not following:
        is_whole = any(begun in move.forms for move in position.moves())
        return f"No legal move begins with `{said}`." if begun and not is_whole else ""
    offered = _offered(position, following)
    if begun:
        is_whole = any((word.lower(),) == form for move in position.moves() for form in move.forms)
        alone = f"; `{word}` alone is a move" if is_whole else ""
        return f"After `{said}` comes {offered}, not `{word}`{alone}."
    return f"A move begins here with {offered}, not with `{word}`."


def _following(position: Position, begun: tuple[str, ...]) -> Iterator[str]:
    number = len(begun)
    for move in position.moves():
        for form in move.forms:
            if len(form) > number and form[:number] == begun:
                yield form[number]


def _offered(position: Position, following: list[str]) -> str:
    """Return the words that may come next: all of them, or a few and what they are."""
    spelled = {word.lower(): word for word in position.rules.vocabulary}
    shown = [spelled.get(word, word) for word in following]
    if len(shown) <= _MOST_LISTED:
        return listed(shown, "or")
    board = position.rules.game.board
    are_sites = all(board.index(word) is not None for word in following)
    return f"a {'site' if are_sites else 'word'} {_such(shown)}"


def _such(words: Sequence[str]) -> str:
    return f"such as {listed(words[:_FEW], 'or')}"


def begins_empty(position: Position, wanted: Sequence[str]) -> str:
    """Return that moves begin with an empty site, of words that begin with a site that is not.

    Nothing unless a second site follows: then they were hardly meant to name where to place.
    """
    board, held = position.rules.game.board, {index for index, _ in position.occupied()}
    first, second = (board.index(word) for word in (*wanted, "", "")[:2])
    firsts = list(dict.fromkeys(_following(position, ())))
    begun = {board.index(word) for word in firsts}
    if second is None or first not in held or None in begun or begun & held:
        return ""
    return f"A move begins here with an empty site, {_such(firsts)}; {wanted[0]} is not empty."


def is_taken(stop: Stop, domain: int, moment: Moment) -> bool:
    """Return whether a site can't be chosen first that is not empty, as only empty ones can."""
    board, standing = moment.board, _standing(moment)
    names_sites = any(board.index(word) is not None for word in words(stop.said))
    if names_sites or stop.choice is None or not domain:
        return False
    return not domain & standing and bool(standing >> stop.choice & 1)


def in_the_way(stop: Stop, node: t.Choose, scope: Scope, moment: Moment) -> str:
    """Return which pieces keep a site from being chosen that is in line with the last one.

    They stand between the two, or on the site itself: if they were not there, it could be chosen.
    """
    game, said = moment.rules.game, words(stop.said)
    start = game.board.index(said[-1]) if said else None
    if start is None or stop.choice is None or game.piles is not None:
        return ""
    target, standing, places = 1 << stop.choice, _standing(moment), _places(moment)
    between = standing & _between(moment, 1 << start, target)
    on_target = target & standing
    for sites in dict.fromkeys((between, on_target, between | on_target)):
        frame = [
            value & ~sites if place in places else value for place, value in enumerate(moment.frame)
        ]
        if sites and _may_be_chosen(Moment(moment.rules, frame), node, scope, target):
            told = [
                f"{name} on {game.board.sites[index].name}"
                for index in bits(sites)
                for place, name in places.items()
                if moment.frame[place] >> index & 1
            ]
            return f"{listed(told, 'and')} {'is' if len(told) == 1 else 'are'} in the way."
    return ""


def _places(moment: Moment) -> dict[int, str]:
    """Return where the frame keeps each layer, with the layer's name."""
    places = moment.rules.machine.places
    return {places[layer.slot]: layer.name for layer in moment.rules.game.layers}


def _standing(moment: Moment) -> int:
    """Return the sites that are not empty."""
    standing = 0
    for place in _places(moment):
        standing |= moment.frame[place]
    return standing


def _between(moment: Moment, start: int, target: int) -> int:
    """Return the sites between two that are in line in one of the board's directions."""
    board = moment.board
    for direction in board.families.get("compass", ()):
        passed, here = 0, board.relations[direction].image(start)
        while here and not here & (passed | start):
            if here == target:
                return passed
            passed |= here
            here = board.relations[direction].image(here)
    return 0


def _may_be_chosen(moment: Moment, node: t.Choose, scope: Scope, site: int) -> bool:
    before = moment.scope(without(scope, node.variable.name))
    if not (moment.sites(node.domain, before) or 0) & site:
        return False
    return node.condition is None or bool(moment.holds(node.condition, moment.scope(scope)))


# --------------------------------------------------------------------------- what a condition lacks

Part = tuple[t.Expression, bool]


def lacking(
    node: t.Expression, moment: Moment, scope: Scope, *, wanted: bool = True
) -> Iterator[Part]:
    """Yield the parts of a condition that is not as it is `wanted`, and how each of them is."""
    parts: Sequence[t.Expression]
    match node:
        case t.Operation(_, "not", (operand,)):
            yield from lacking(operand, moment, scope, wanted=not wanted)
            return
        case t.Operation(_, "and" | "or", operands):
            parts = operands
        case t.Operation(span, "in", (member, t.Operation(_, "&" | "|" as word, sets))) if (
            word == "&" or _is_one(member, moment, scope)
        ):
            parts = [t.Operation(span, "in", (member, one)) for one in sets]
        case t.Operation(span, "in", (member, t.Operation(_, "-", (whole, less)))) if _is_one(
            member, moment, scope
        ):
            inside = t.Operation(span, "in", (member, less))
            parts = [t.Operation(span, "in", (member, whole)), t.Operation(span, "not", (inside,))]
        case _:
            yield node, not wanted
            return
    for part in parts:
        if moment.holds(part, scope) is not wanted:
            yield from lacking(part, moment, scope, wanted=wanted)


def _is_one(member: t.Expression, moment: Moment, scope: Scope) -> bool:
    """Return whether a member is one site: of several, some may be in one set, some in another."""
    sites = moment.sites(member, scope)
    return sites is not None and sites.bit_count() == 1


# ---------------------------------------------------- legal moves that are like a text that is none

_MOST_NEAR = 6
_MOST_COMPARED = 20_000


def near(position: Position, text: str) -> list[Move]:
    """Return the legal moves most like a text: by the words they share, then by distance."""
    wanted = words(text)
    known = frozenset(wanted)
    board = position.rules.game.board
    asked = [board.index(word) for word in wanted]
    spots = [board.sites[index] for index in asked if index is not None]

    def distance(move: Move) -> tuple[int, float]:
        said = move.words
        shared = len(known.intersection(said))
        there = [board.index(word) for word in said]
        sites = [board.sites[index] for index in there if index is not None]
        apart = sum(math.dist((a.x, a.y), (b.x, b.y)) for a, b in zip(spots, sites, strict=False))
        return (-shared + abs(len(said) - len(wanted)), apart)

    return sorted(position.moves()[:_MOST_COMPARED], key=distance)[:_MOST_NEAR]
