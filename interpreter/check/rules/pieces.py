"""Pieces: whether they come onto the board and stay, what they become, and what is in hands.

In: the programs of a game and its variants. Out: warnings. What then holds: each is proved.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from gdl.codes import Code
from gdl.core.nodes import (
    Assign,
    Block,
    Choose,
    Const,
    Expression,
    ForEach,
    Get,
    If,
    Op,
    Select,
    SitesOf,
    Slot,
)
from gdl.core.walk import blocks_of, program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping as Entries
from gdl.document.nodes import Scalar
from gdl.elaborate.sections.sections import readable
from gdl.interpreter.check.definitions import definitions_behind
from gdl.interpreter.check.places import (
    key_or_file_span,
    note,
    parsed_rules,
    warning,
    without_comments,
    word_span,
)
from gdl.interpreter.english import does
from gdl.model import Game
from gdl.resources.scoped_cache import shared
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in


def never_placed(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the declared kinds that in none of the games are set up or brought onto the board."""
    game = games[0]
    if game.document.get("pieces") is None:
        return
    numbers = [_kinds_on_board(one) for one in games]
    if not numbers[0] and _chosen_in_vain(game) is not None:
        return
    there = {one.kinds[n] for one, found in zip(games, numbers, strict=True) for n in found}
    for kind in game.kinds:
        if kind not in there:
            yield warning(
                Code.NEVER_PLACED,
                f"No piece of the kind `{kind}` ever stands on the board.",
                word_span(game, "pieces", kind),
                "Set one up under `setup`, let a turn place it or change another piece to it, or"
                " remove the kind.",
            )


def empty_board(game: Game) -> Iterator[Diagnostic]:
    """Yield that no piece ever stands on the board, if a turn begins with the choice of one."""
    chosen = None if _kinds_on_board(game) else _chosen_in_vain(game)
    if chosen is not None:
        yield warning(
            Code.EMPTY_BOARD,
            "No piece ever stands on the board, so there is nothing to choose here.",
            chosen,
            "Say under `setup` where pieces stand at first, or let a turn place them.",
        )


def _chosen_in_vain(game: Game) -> Span | None:
    """Return the first choice that has no site if no piece ever is there, or None."""
    layers = set(game.program.layers)
    return next(
        (
            statement.span
            for statement in program_statements(game.program)
            if isinstance(statement, Choose)
            and isinstance(statement.domain, SitesOf)
            and not _may_be_some(statement.domain.sites, set(), layers)
        ),
        None,
    )


@shared
def _kinds_on_board(game: Game) -> frozenset[int]:
    """Return the kinds of which there may be a piece: found by going round until none is added."""
    program = game.program
    at_start = dict(zip(program.state, program.initial, strict=True))
    there = {layer.slot for layer in game.layers if at_start[layer.slot]}
    layers = set(program.layers)
    assigned = [
        s
        for s in program_statements(program)
        if isinstance(s, Assign) and (s.slot in layers or not s.slot.is_state)
    ]
    followed = layers | {s.slot for s in assigned}
    local: set[Slot] = set()
    while True:
        filled = there | local
        more = {
            s.slot
            for s in assigned
            if s.slot not in filled and _may_be_some(s.value, filled, followed)
        }
        if not more:
            return frozenset(layer.kind for layer in game.layers if layer.slot in there)
        there |= more & layers
        local |= more - layers


def _may_be_some(value: Expression, there: set[Slot], followed: set[Slot]) -> bool:
    """Return whether a set may have a site, where `there` are those of the `followed` that may."""
    match value:
        case Const():
            return bool(value.value)
        case Get(slot):
            return slot in there or slot not in followed
        case Op("union", parts):
            return any(_may_be_some(part, there, followed) for part in parts)
        case Op("intersection", parts):
            return all(_may_be_some(part, there, followed) for part in parts)
        case Op("difference", (first, _)) | Op("image", (first,)):
            return _may_be_some(first, there, followed)
        case Select(_, sites):
            return _may_be_some(sites, there, followed)
        case If(Op("some", (sites,)), _, otherwise) if not _may_be_some(sites, there, followed):
            return _may_be_some(otherwise, there, followed)
        case If(_, then, otherwise):
            return _may_be_some(then, there, followed) or _may_be_some(otherwise, there, followed)
    return True


def undone_at_once(game: Game) -> Iterator[Diagnostic]:
    """Yield statements that take away what the same block has just placed on the same sites."""
    told: set[Span] = set()
    for turn in game.program.turns:
        for first, then in _undone(turn.program, set(game.program.layers)):
            if then not in told:
                told.add(then)
                yield warning(
                    Code.UNDONE_AT_ONCE,
                    "This takes away what has just been placed there.",
                    then,
                    "See whether other sites are meant.",
                    (("It is placed here.", first),),
                )


def _undone(block: Block, layers: set[Slot]) -> Iterator[tuple[Span, Span]]:
    placed: dict[Slot, tuple[Expression, Span]] = {}
    for statement in block:
        for inner in blocks_of(statement):
            yield from _undone(inner, layers)
        match statement:
            case Assign(span, slot, Op("union", (Get(of), sites))) if of is slot and span:
                if slot in layers and not isinstance(sites, Const):
                    placed[slot] = sites, span
                    continue
            case Assign(span, slot, Op("difference", (Get(of), sites))) if of is slot and span:
                first = placed.get(slot)
                if first is not None and first[0] == sites and first[1] != span:
                    yield first[1], span
                    placed = {}
                continue
        if isinstance(statement, Assign | Choose | ForEach):
            changed = statement.slot
            placed = {s: p for s, p in placed.items() if changed not in p[0].free and s != changed}
        else:
            placed = {}


# --------- pieces that are changed to the kind that they have, or to one that there is to be one of

Statements = tuple[t.Node, ...]
Known = Mapping[str, frozenset[str]]

_TURNS = dict.fromkeys(("turn", "phases"), "program")
_CHANGE = re.compile(r"\bchange\b")
_SIGNATURE = re.compile(r"(\w+)\(([^)]*)\)")


def unlikely_kinds(game: Game) -> Iterator[Diagnostic]:
    """Yield changes of pieces to a kind that can hardly be meant."""
    programs = (game.document.get(key) for key in (*_TURNS, "actions"))
    if not any(node is not None and _CHANGE.search(node.span.text) for node in programs):
        return
    turns = list(parsed_rules(game, _TURNS))
    actions = dict(_actions(game))
    blocks = [*turns, *(block for _, block in actions.values())]
    finder = _Finder(game, actions, _royal(game, blocks))
    for block in turns:
        yield from finder.found(block, {}, {})
    for block in finder.not_asked():
        yield from finder.found(block, {}, {})


class _Finder:
    """Looks for changes, with what is known of the pieces that names stand for."""

    def __init__(
        self, game: Game, actions: Mapping[str, tuple[list[str], Statements]], royal: frozenset[str]
    ) -> None:
        self._kinds = frozenset(game.kinds)
        self._actions = actions
        self._royal = royal
        self._done: set[str] = set()

    def not_asked(self) -> Iterator[Statements]:
        """Yield the actions that were not come to so far."""
        for name, (_, block) in self._actions.items():
            if name not in self._done:
                yield block

    def found(
        self, block: Statements, known: Known, choices: Mapping[str, tuple[t.Name, ...]]
    ) -> Iterator[Diagnostic]:
        """Yield what is told of a block, and of the actions that it does."""
        choices = dict(choices)
        for statement in block:
            match statement:
                case t.Choose(variable=variable, domain=t.Listing(items=items)):
                    names = tuple(item for item in items if isinstance(item, t.Name))
                    choices[variable.name] = names
                case t.Change(sites=sites, piece=t.Piece(words=(*_, t.Name() as word))):
                    has = known.get(sites.span.text, frozenset())
                    for kind in choices.get(word.name, (word,)):
                        if has == {kind.name} or not self._changes_back(kind, sites, block, known):
                            yield from self._told(kind, has)
                case t.Do(name=name, arguments=arguments) if (
                    name.name in self._actions and name.name not in self._done
                ):
                    self._done.add(name.name)
                    parameters, inner = self._actions[name.name]
                    passed_on = {
                        parameter: known[argument.name]
                        for parameter, argument in zip(parameters, arguments, strict=False)
                        if isinstance(argument, t.Name) and argument.name in known
                    }
                    yield from self.found(inner, passed_on, {})
                case t.If(condition=condition, then=then, otherwise=otherwise):
                    yield from self.found(then, {**known, **self._facts(condition)}, choices)
                    yield from self.found(otherwise, known, choices)
                    continue
            for inner in blocks_inside(statement):
                yield from self.found(inner, known, choices)

    def _changes_back(
        self, kind: t.Name, sites: t.Expression, block: Statements, known: Known
    ) -> bool:
        """Return whether a piece that may be of a kind becomes one of another in a block."""
        stood = {
            one.variable.name: kinds
            for one in block
            if isinstance(one, t.Choose) and (kinds := self._kinds_of(one.domain))
        }
        others = (one for one in block if isinstance(one, t.Change) and one.piece.words)
        return any(
            other.sites.span.text != sites.span.text
            and other.piece.words[-1].span.text != kind.name
            and kind.name in {**known, **stood}.get(other.sites.span.text, (kind.name,))
            for other in others
        )

    def _told(self, kind: t.Name, has: frozenset[str]) -> Iterator[Diagnostic]:
        if has == {kind.name}:
            message = f"What is changed to `{kind.name}` here is one already."
        elif kind.name in self._royal:
            message = (
                f"This makes another `{kind.name}`, of which each side begins with one, and which"
                " the goal or a `require` asks for."
            )
        else:
            return
        yield note(Code.UNLIKELY_KIND, message, kind.span, "See whether another kind was meant.")

    def _facts(self, condition: t.Expression) -> dict[str, frozenset[str]]:
        """Return the kinds that names have if a condition holds."""
        match condition:
            case t.Operation(operator="and", operands=operands):
                return {n: kinds for part in operands for n, kinds in self._facts(part).items()}
            case t.Operation(operator="in", operands=(t.Name(name=name), among)):
                kinds = self._kinds_of(among)
                return {name: kinds} if kinds else {}
        return {}

    def _kinds_of(self, among: t.Expression) -> frozenset[str]:
        match among:
            case t.Name(name=name):
                return frozenset({name}) & self._kinds
            case t.Operation(operator="&", operands=operands):
                return next(filter(None, map(self._kinds_of, operands)), frozenset())
        return frozenset()


def _actions(game: Game) -> Iterator[tuple[str, tuple[list[str], Statements]]]:
    """Yield the actions that have a name and one text, with their parameters."""
    section = game.document.get("actions")
    for key, body in section.entries if isinstance(section, Entries) else ():
        if isinstance(body, Scalar):
            found = _SIGNATURE.match(key.text)
            name, inside = (found[1], found[2]) if found else (key.text, "")
            program = readable(body, "program")
            if isinstance(program, tuple):
                parameters = [word.split()[-1] for word in inside.split(",") if word.strip()]
                yield name, (parameters, tuple(p for p in program if isinstance(p, t.Node)))


def _royal(game: Game, blocks: list[Statements]) -> frozenset[str]:
    """Return the kinds of which each side begins with one, and which a goal or demand names."""
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    single: dict[int, int] = {}
    for layer in game.layers:
        sites = at_start.get(layer.slot)
        if layer.side is not None and isinstance(sites, int) and sites.bit_count() == 1:
            single[layer.kind] = single.get(layer.kind, 0) + 1
    names = [game.kinds[kind] for kind, sides in single.items() if sides == len(game.sides)]
    if not names:
        return frozenset()
    places = [node.span for key in ("end", "stuck") if (node := game.document.get(key))]
    demands = (node for block in blocks for node in nodes_in(block))
    places += [node.span for node in demands if isinstance(node, t.Require)]
    texts = [place.text for place in places]
    texts += [span.text for place in places for span in definitions_behind(game, place)]
    return frozenset(name for name in names if any(_names_own(text, name) for text in texts))


def _names_own(text: str, kind: str) -> bool:
    whose = r"(?:own|enemy|mover)"
    return bool(re.search(rf"\b{whose} & {kind}\b|\b{kind} & {whose}\b", text))


# ----- hands that stay empty, that differ by little, or that are asked for where one's own is meant

_NEARLY = 0.34
_SECTIONS_WITH_HANDS = ("turn", "phases", "actions")
_LINE = re.compile(r"[^\n]+")
_OF_ENEMY = re.compile(r"(?<!to )\bhand\(enemy((?:,[^()]*)?)\)")
_OTHERWISE_MEANT = re.compile(r"\b(?:wins|loses|draw|go to)\b|^\s*(?:add|set|move)\b", re.MULTILINE)


def never_filled(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield that pieces are taken out of hands, and none ever is in any."""
    taken = False
    for game in games:
        hands = {slot for of_kinds in game.hands.values() for slot in of_kinds.values()}
        at_start = dict(zip(game.program.state, game.program.initial, strict=True))
        if any(at_start.get(slot) for slot in hands):
            return
        for statement in program_statements(game.program):
            if isinstance(statement, Assign) and statement.slot in hands:
                if not _is_taking(statement, statement.slot):
                    return
                taken = True
    if taken:
        yield warning(
            Code.NEVER_WRITTEN,
            "Pieces are to come out of hands, and no hand ever has one.",
            key_or_file_span(games[0], "hands"),
            "Say how many there are at the start, as in `hands: {Stone: 9}`, or let a turn"
            " `move s to hand(mover)`.",
        )


def _is_taking(statement: Assign, hand: Slot) -> bool:
    match statement.value:
        case Op("subtract", (Get(slot), _)):
            return slot is hand
    return False


def uneven_hands(game: Game) -> Iterator[Diagnostic]:
    """Yield that two sides begin with hands that are nearly alike, but not quite."""
    if len(game.sides) != 2:
        return
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    first, second = (
        {kind: _number(at_start.get(slot)) for kind, slot in game.hands.get(side, {}).items()}
        for side in game.sides
    )
    numbers = sum(first.values()), sum(second.values())
    missing = sum(abs(number - second.get(kind, 0)) for kind, number in first.items())
    if first.keys() == second.keys() and 0 < missing <= _NEARLY * max(numbers):
        yield note(
            Code.UNEVEN_SETUP,
            f"{does(game.sides[:1], 'begins')} with {numbers[0]} pieces in its hand,"
            f" {game.sides[1]} with {numbers[1]}.",
            key_or_file_span(game, "hands", "setup"),
            "See whether both should have as many.",
        )


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def hands_of_enemy(game: Game) -> Iterator[Diagnostic]:
    """Yield where turns that take pieces out of a hand ask what the enemy has in its hand alone.

    Who goes on to another phase, or ends the game, when a hand is empty may well ask for it, and
    who asks for the mover's below, where that holds.
    """
    turns = [
        node.span for key in _SECTIONS_WITH_HANDS if (node := game.document.get(key)) is not None
    ]
    if not any("from hand" in span.text for span in turns):
        return
    rules = dict.fromkeys(rule for span in turns for rule in definitions_behind(game, span))
    for place in dict.fromkeys((*_lines(turns), *rules)):
        code = without_comments(place.text)
        for asked in _OF_ENEMY.finditer(code):
            of_own = re.compile(rf"\bhand\((?:mover|own){re.escape(asked[1])}\)")
            if of_own.search(code + _below(place)) or _OTHERWISE_MEANT.search(code):
                continue
            start = place.start + asked.start()
            yield note(
                Code.ENEMY_HAND,
                "A turn asks for the enemy's hand here, and takes pieces out of that of the mover.",
                Span(place.source, start, start + len(asked[0])),
                "See whether `hand(mover)` is meant.",
            )


def _below(line: Span) -> str:
    """Return the lines of a file that are below one, and deeper."""
    text = line.source.text
    begun = text.rfind("\n", 0, line.start + len(line.text) - len(line.text.lstrip())) + 1
    depth = re.match(r" *", text[begun:])
    after = text[line.end :]
    found = re.match(rf"(?:\n {{{len(depth[0]) + 1},}}[^\n]*)*", after) if depth else None
    return found[0] if found else ""


def _lines(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield the lines of some texts, but those before a `go to`."""
    for span in spans:
        lines = list(_LINE.finditer(span.text))
        for line, after in zip(lines, [*lines[1:], None], strict=True):
            if after is None or "go to" not in after[0]:
                yield Span(span.source, span.start + line.start(), span.start + line.end())
