"""What never happened while games were watched: told as not seen, never as impossible.

In: the coverage of all games, and the conditions of the program. Out: notes. What then holds: of
parts of one condition only the smallest is told, and nothing that was hardly tried.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from gdl.codes import Code
from gdl.core.layers import layers_of
from gdl.core.nodes import Assign, Choose, Ending, Get, Op, Phase, SitesOf, Slot, Turn
from gdl.core.singles import is_single, single_slots
from gdl.core.walk import expressions_in, program_statements, statements_in
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping
from gdl.elaborate.names.origins import Origins
from gdl.interpreter.check.coverage import Coverage
from gdl.interpreter.check.definitions import definitions_behind, words_in
from gdl.interpreter.check.finding import Finding
from gdl.interpreter.check.places import (
    PROGRAMS,
    key_or_file_span,
    moves_on_board,
    note,
    parsed_rules,
    statements_by_place,
    turn_span,
    word_in,
)
from gdl.interpreter.check.play.regions import (
    occupied_at_start,
    own_regions_not_entered,
    regions_not_entered,
)
from gdl.interpreter.check.play.results import FEWEST_GAMES
from gdl.interpreter.check.play.seen import Seen, never_lasting
from gdl.interpreter.check.play.whose import check_whose
from gdl.interpreter.check.rules.ends import is_late_draw
from gdl.interpreter.check.rules.numbers import guards_of_bounds
from gdl.interpreter.check.rules.turns import sides_by_turns
from gdl.interpreter.english import does
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in

_FEWEST_MOVES = 100
_FEWEST_LOSSES = 20
_FEWEST_POSITIONS = 15
_FEW_POSITIONS, _SOME_POSITIONS, _MANY_POSITIONS = 50, 100, 200
_FEWEST_WHOLE, _LARGE = 20, 200
_FEWEST_FOR_PHASES = 10
"""How many games must have been played to their end before a phase is said never to come."""
_TAKING = (t.Remove, t.Flip)

_DEFINED = re.compile(r"\w+(?:\([\w, ]*\))?")

IsHere = Callable[[Span], bool]


def unseen(
    all_seen: Sequence[Seen], coverage: Coverage, origins: Origins, is_here: IsHere
) -> Iterator[Finding]:
    """Yield what never happened in any of the games, of what stands in the file that is checked."""
    games = [seen.game for seen in all_seen]
    if sum(seen.positions for seen in all_seen) < _FEWEST_POSITIONS:
        return
    clauses = list(clauses_of(games))
    played = sum(seen.watched for seen in all_seen)
    found = [
        *_clauses_unseen(clauses, all_seen, coverage),
        *(_pieces(all_seen) if played >= _FEWEST_FOR_PHASES else ()),
        *_phases(all_seen),
        *_phases_left(all_seen),
        *_moves(all_seen),
        *_movers(all_seen),
        *_losses(all_seen),
        *_only_others(all_seen),
        *only_taking(coverage, games),
        *pieces_seen(all_seen, is_here),
        *check_whose(all_seen, coverage),
    ]
    if sum(seen.positions for seen in all_seen) >= _SOME_POSITIONS:
        found += never_lasting([(seen.game, seen.lasting) for seen in all_seen], coverage)
    if sum(seen.positions for seen in all_seen) >= _MANY_POSITIONS:
        found += [
            *_conditions(all_seen, coverage, origins, clauses),
            *_notices(all_seen),
            *never_chosen(coverage),
            *one_way_only(coverage, all_seen[0]),
            *never_gone_through(coverage),
            *never_changing(coverage, games),
            *(idle_parts(coverage, origins, games[0]) if played >= _FEWEST_WHOLE else ()),
            *(
                all_seen[0].staying.found(all_seen[0].moved.keys())
                if played >= _FEWEST_WHOLE
                else ()
            ),
            *always_same(coverage, origins),
            *regions_not_entered(all_seen),
            *own_regions_not_entered(all_seen, coverage),
        ]
    for diagnostic in found:
        if diagnostic.span is not None and is_here(diagnostic.span):
            if played < _FEWEST_WHOLE:
                diagnostic = replace(diagnostic, hint=f"{diagnostic.hint} {_few(played)}")
            yield Finding(diagnostic, None, "not seen")


def _few(played: int) -> str:
    """Return that hardly any game was long enough to tell."""
    games = "game was" if played == 1 else "games were"
    return f"But {played or 'no'} whole {games} watched: `--effort 5` looks further."


def _turns(game: Game) -> Iterator[tuple[Phase, Turn]]:
    for phase in game.program.phases:
        for turn in phase.turns:
            yield phase, turn


def clauses_of(games: Iterable[Game]) -> Iterator[Ending]:
    """Yield the clauses of `end`, once each."""
    known: set[Span] = set()
    for game in games:
        for _, turn in _turns(game):
            for ending in turn.endings:
                if ending.span is not None and ending.span not in known:
                    known.add(ending.span)
                    yield ending


def _clauses_unseen(
    clauses: Sequence[Ending], all_seen: Sequence[Seen], coverage: Coverage
) -> Iterator[Diagnostic]:
    """Yield the clauses that ended none of the games in which they stand."""
    finished: Counter[Span] = Counter()
    for seen in all_seen:
        games = seen.statistics.playouts - seen.statistics.unfinished
        finished.update({e.span: games for e in clauses_of([seen.game]) if e.span is not None})
    for ending in clauses:
        span = ending.span
        if is_late_draw(ending) and span not in coverage.near:
            continue
        if _is_of_full_board(ending) and all_seen[0].game.board.size >= _LARGE:
            continue
        if _is_of_forced_passes(ending, all_seen[0].game):
            continue
        if span is not None and not coverage.endings[span] and finished[span] >= FEWEST_GAMES:
            yield note(
                Code.NEVER_HELD,
                f"This never ended a game, in {finished[span]:,} games.",
                span,
                "See whether it can hold at all, and whether a clause above it always holds first.",
            )


def _is_of_full_board(ending: Ending) -> bool:
    """Return whether a clause draws a game when the board is full: random games hardly fill one."""
    return (
        ending.kind == "draw" and ending.span is not None and "full" in words_in(ending.span.text)
    )


def _is_of_forced_passes(ending: Ending, game: Game) -> bool:
    """Return whether a clause asks for passes in a row, and only who can't move passes.

    That neither side can is rare in most games, and a clause for it is thought of in time.
    """
    asks = any(
        isinstance(node, Get) and node.slot is game.program.system.passes
        for node in expressions_in(ending.condition)
    )
    return asks and not any(
        isinstance(node, t.Pass)
        for rules in parsed_rules(game, PROGRAMS)
        for node in nodes_in(rules)
    )


def _conditions(
    all_seen: Sequence[Seen], coverage: Coverage, origins: Origins, clauses: Sequence[Ending]
) -> Iterator[Diagnostic]:
    """Yield conditions that were always or never true, without those of which a part tells why."""
    watched = sum(seen.watched for seen in all_seen)
    enough = MANY_TRIES if watched >= _SOME_GAMES else _TRIES_IN_FEW_GAMES
    told_already = [e.span for e in clauses if e.span and not coverage.endings[e.span]]
    constant: dict[Span, bool] = {}
    unwatched = list(_unwatched(all_seen[0].game, clauses, coverage))
    guards = guards_of_bounds(all_seen[0].game)
    for span, (failed, held) in coverage.conditions.items():
        known = origins.folded.get(span, set())
        values = known | ({False} if failed else set()) | ({True} if held else set())
        if len(values) == 1 and failed + held >= enough:
            constant[span] = values.pop()
    for span, value in constant.items():
        if value and span in guards:
            continue
        if any(span.holds(other) for other in constant if other != span):
            continue
        if _is_told_where_defined(all_seen[0].game, span, constant):
            continue
        if any(clause.holds(span) for clause in told_already):
            continue
        if not value and any(place.holds(span) for place in unwatched):
            continue
        times = sum(coverage.conditions[span])
        yield note(
            Code.ALWAYS_TRUE if value else Code.NEVER_TRUE,
            f"This was {'always' if value else 'never'} true, asked {times:,} times.",
            span,
            "See whether it says what was meant."
            if not value
            else "See whether it says what was meant; if it always holds, leave it out.",
        )


def _is_told_where_defined(game: Game, span: Span, constant: Collection[Span]) -> bool:
    """Return whether a condition is a defined one alone, of which a part is told to be constant."""
    if _DEFINED.fullmatch(span.text) is None:
        return False
    return any(of.holds(other) for of in definitions_behind(game, span) for other in constant)


def _notices(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    """Yield the conditions with captions that never held in positions that were looked at."""
    held = {span for seen in all_seen for span in seen.noticed}
    looked = Counter[Span]()
    for seen in all_seen:
        spans = {one.span for one in seen.game.looks.notices}
        looked.update(dict.fromkeys(spans - held, seen.looked_for_notices))
    for span, times in looked.items():
        if times >= _MANY_POSITIONS:
            yield note(
                Code.NEVER_TRUE,
                f"This was never true, in {times:,} positions: its caption was never told.",
                span,
                "See whether it says what was meant.",
            )


def _unwatched(game: Game, clauses: Sequence[Ending], coverage: Coverage) -> Iterator[Span]:
    """Yield the clauses that ended games of which no end was watched, and what they ask for."""
    for span in (ending.span for ending in clauses):
        if span is not None and coverage.endings[span]:
            whole = [c for c in coverage.conditions if span.holds(c) and c.end == span.end]
            if whole and not any(coverage.conditions[place][1] for place in whole):
                yield span
                yield from definitions_behind(game, span)


def _losses(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    """Yield that moves take pieces of the side that makes them, and never of another.

    Where they do anything else to another's pieces, such as move them, these were thought of; and
    pieces that are only ever moved to a hand are not lost, nor those of which to have none wins.
    """
    own, others = (sum(seen.lost[whose] for seen in all_seen) for whose in (0, 1))
    game = all_seen[0].game
    exchanged = any(seen.touched[1] for seen in all_seen)
    if (game.hands and _taking_span(game) is None) or _wins_without_own(game):
        return
    if len(game.sides) > 1 and own >= _FEWEST_LOSSES and not others and not exchanged:
        yield note(
            Code.ONLY_OWN_LOST,
            f"Moves took pieces of the side that made them, {own:,} times, and never others.",
            _taking_span(game) or turn_span(game),
            "See whether `own` should be `enemy`.",
        )


def _wins_without_own(game: Game) -> bool:
    """Return whether a side wins that has no pieces left."""
    rules = (rule for parts in parsed_rules(game, {"end": "clause"}) for rule in parts)
    return any(
        isinstance(node, t.Operation) and node.operator == "no" and _is_own(node.operands[0])
        for rule in rules
        if isinstance(rule, t.Outcome) and rule.outcome == "wins"
        for node in nodes_in([rule])
    )


def _is_own(node: t.Node) -> bool:
    return isinstance(node, t.Name) and node.name == "own"


def _only_others(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    """Yield that moves change where other sides' pieces stand, and never the mover's."""
    own, others = (sum(seen.touched[whose] for seen in all_seen) for whose in (0, 1))
    if others >= _FEWEST_MOVES and not own:
        game = all_seen[0].game
        yield note(
            Code.ONLY_OTHERS_MOVED,
            f"Moves placed, moved or took pieces of other sides, {others:,} times, and never of the"
            " side that made them.",
            _first_choice_span(game) or turn_span(game),
            "See whether `enemy` should be `own`.",
        )


def _first_choice_span(game: Game) -> Span | None:
    """Return where the first choice of a turn stands."""
    found = (s for s in program_statements(game.program) if isinstance(s, Choose))
    return next((one.span for one in found if one.span is not None), None)


def _taking_span(game: Game) -> Span | None:
    """Return where the first statement stands that takes pieces from the board."""
    written = statements_by_place(game)
    for statement in program_statements(game.program):
        if statement.span is not None and isinstance(written.get(statement.span), _TAKING):
            return statement.span
    return None


def _pieces(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    """Yield pieces of a side that never stood on the board, where those of another side did."""
    game = all_seen[0].game
    occupied: dict[tuple[int, int | None], int] = {}
    for seen in all_seen:
        for number, sites in seen.occupied.items():
            layer = seen.game.layers[number]
            key = layer.kind, layer.side
            occupied[key] = occupied.get(key, 0) | sites
    for layer in game.layers:
        others = [sites for (kind, _), sites in occupied.items() if kind == layer.kind]
        if not occupied.get((layer.kind, layer.side), 0) and any(others):
            kind = game.kinds[layer.kind]
            place = word_in(game, "pieces", kind) or key_or_file_span(game, "players")
            yield note(
                Code.NEVER_ON_BOARD,
                f"No {layer.name} was ever on the board.",
                place,
                "See whether it is set up or placed; a kind that one side alone has is written"
                " `SIDE KIND` under `pieces`.",
            )


def _phases(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    reached: set[str] = set()
    phases: dict[str, Span | None] = {}
    for seen in all_seen:
        for number, phase in enumerate(seen.game.program.phases):
            phases.setdefault(phase.name, phase.span)
            if number in seen.phases or len(seen.game.program.phases) == 1:
                reached.add(phase.name)
    positions = sum(seen.positions for seen in all_seen)
    played = sum(seen.watched for seen in all_seen)
    for name, span in phases.items():
        if name not in reached and positions >= _FEW_POSITIONS and played >= _FEWEST_FOR_PHASES:
            yield note(
                Code.PHASE_NEVER_REACHED,
                f"No game ever came to the phase `{name}`, in {played:,} games of which"
                f" {positions:,} positions were looked at.",
                span,
                f"See where a turn says `go to {name}`, and whether it comes to that.",
            )


def _phases_left(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    """Yield the phases that no game left, though a turn in them may, and those without a way out.

    A phase in which games end need not be left, unless its turn says that it may be; and where none
    has ended, the last one may be that in which they would.
    """
    phases: dict[str, tuple[Span | None, bool]] = {}
    left: set[str] = set()
    ended: set[str] = set()
    looked: Counter[str] = Counter()
    for seen in all_seen:
        system = seen.game.program.system
        for number, phase in enumerate(seen.game.program.phases):
            may_leave = any(
                statement.slot is system.phase
                for turn in phase.turns
                for statement in statements_in(turn.program)
                if isinstance(statement, Assign)
            ) or any(e.phase is not None for turn in phase.turns for e in turn.stuck)
            phases.setdefault(phase.name, (phase.span, may_leave))
            if number in seen.left:
                left.add(phase.name)
            if number in seen.ended_in:
                ended.add(phase.name)
            looked[phase.name] += seen.in_phase[number]
    for name, (span, may_leave) in phases.items():
        if looked[name] < FEWEST_TRIES or name in left or len(phases) < 2:
            continue
        if may_leave or (name not in ended and (ended or name != [*phases][-1])):
            yield note(
                Code.PHASE_NEVER_LEFT,
                f"No game ever left the phase `{name}`, in {looked[name]:,} positions.",
                span,
                "See where its turn says `go to`, and whether it comes to that.",
            )


def _moves(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    game, positions = all_seen[0].game, sum(seen.positions for seen in all_seen)
    if positions < _FEW_POSITIONS or max(seen.most_moves for seen in all_seen) != 1:
        return
    if any(isinstance(s, Choose) for s in program_statements(game.program)):
        yield note(
            Code.NO_CHOICE,
            f"There was never more than one legal move, in {positions:,} positions.",
            turn_span(game),
            "See whether the turn lets its player choose among what was meant.",
        )


def _movers(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    game, positions = all_seen[0].game, sum(seen.positions for seen in all_seen)
    on_turn = {number for seen in all_seen for number in seen.movers}
    # Those to whom no turn leads are told before play.
    for number in sorted(sides_by_turns(game) if positions >= _FEW_POSITIONS else ()):
        if number not in on_turn:
            yield note(
                Code.NEVER_ON_TURN,
                f"{does([game.sides[number]], 'was')} never on turn, in {positions:,} positions.",
                turn_span(game),
                "See where a turn says `again` or `next`.",
            )


# ----------------------------------------- what pieces never did, or did to those of their own side

_FEWEST, _SEVERAL, _MANY = 20, 100, 500
_MOST_DEFINITIONS = 4
_BEHIND = "That asks for this."
_CHANGED = "A piece becomes one of another kind here."
_EXPECTED = 12
"""How many pieces a kind would have taken, had it done so as often as the one that does least."""


def pieces_seen(all_seen: Sequence[Seen], is_here: Callable[[Span], bool]) -> Iterator[Diagnostic]:
    """Yield the kinds that never moved or took a piece, where others did.

    One that is gone by a move of its own side has taken part in an exchange.
    What is told of a kind stands in the file that is checked, if that says anything of it.
    """
    game = all_seen[0].game
    moved, taking = Counter[int](), Counter[int]()
    for seen in all_seen:
        moved.update(seen.moved)
        taking.update(seen.taking)
    owned = {layer.kind for layer in game.layers if layer.side is not None}
    for kind in sorted(owned):
        others = [other for other in owned if other != kind]
        if not moved[kind] and _stood(all_seen, kind) and sum(moved[o] for o in others) >= _MANY:
            yield _never(game, kind, "moved", sum(moved[o] for o in others), is_here)
        elif not taking[kind] and not any(seen.taken[None, kind, "own"] for seen in all_seen):
            rates = [taking[o] / moved[o] for o in others if moved[o] >= _SEVERAL]
            if len(rates) > 1 and moved[kind] * min(rates) >= _EXPECTED:
                yield _never(game, kind, "took another", moved[kind], is_here)


def _never(
    game: Game, kind: int, what: str, times: int, is_here: Callable[[Span], bool]
) -> Diagnostic:
    name = game.kinds[kind]
    said = sorted(_named(game, name), key=lambda span: not is_here(span))
    first, *more = said or [
        word_in(game, "pieces", name) or key_or_file_span(game, "pieces", "players")
    ]
    return note(
        Code.KIND_NEVER_ACTS,
        f"No {name} ever {what}, in {times:,} moves, and others did.",
        first,
        f"See what the rules say of {name}.",
        [
            *(("This is said of it, too.", span) for span in more),
            *((_BEHIND if said else _CHANGED, span) for span in _behind(game, said)),
        ],
    )


def _behind(game: Game, said: Sequence[Span]) -> list[Span]:
    """Return the definitions that those of a kind ask for; if none, what changes kinds."""
    of_others = {span.text.partition("(")[0] + "(" for span in said}
    behind = [
        found
        for span in said
        for found in definitions_behind(game, span)
        if not found.text.startswith(tuple(of_others))
    ]
    if not said:
        written = statements_by_place(game)
        statements = program_statements(game.program)
        spans = [one.span for one in statements if isinstance(one, Assign) and one.span is not None]
        behind = [span for span in spans if isinstance(written.get(span), t.Change)]
    return [span for span in dict.fromkeys(behind) if span not in said][:_MOST_DEFINITIONS]


def _named(game: Game, name: str) -> Iterator[Span]:
    """Yield the definitions of the game that are for a kind of piece."""
    for section in ("define", "relations", "regions"):
        node = game.document.get(section)
        for key, value in node.entries if isinstance(node, Mapping) else ():
            if name in key.text.partition("(")[2].rstrip(")").replace(",", " ").split():
                yield key.span.to(value.span)


def _stood(all_seen: Sequence[Seen], kind: int) -> bool:
    """Return whether a piece of a kind stood on the board where games begin."""
    seen = all_seen[0]
    at_start = dict(zip(seen.game.program.state, seen.game.program.initial, strict=True))
    return any(layer.kind == kind and at_start[layer.slot] for layer in seen.game.layers)


# -------------------------- statements that were carried out, and never did what they are there for

FEWEST_TRIES = 200
"""How often something must have been tried before it is said that it never happened."""
MANY_TRIES = 1000
_SOME_GAMES, _TRIES_IN_FEW_GAMES = 300, 20_000
"""Where fewer whole games were watched, positions are much alike, and tries tell less."""
_RARE_TRIES = 12_000
"""The same for what is rare in games that are right."""
_GIVING = (t.Assign, t.Add)


def never_chosen(coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the choices that never had anything to choose."""
    for span, (none, one, several) in coverage.choices.items():
        if none >= FEWEST_TRIES and not one + several:
            yield note(
                Code.NEVER_CHOSEN,
                f"There was never anything to choose here, in {none:,} tries.",
                span,
                "See whether the set can have a site, and the condition can hold.",
            )


def one_way_only(coverage: Coverage, seen: Seen) -> Iterator[Diagnostic]:
    """Yield the choices that always had one way at most, where a game has others.

    Nothing is told of the one site to which a direction leads, nor of a piece of which there is
    only one, nor where one site alone is ever empty: that it is one is plain to see.
    """
    if any(several for _, _, several in coverage.choices.values()):
        led_to = set(_choices_of_one_site(seen))
        for span, (_, one, several) in coverage.choices.items():
            if one >= _RARE_TRIES and not several and span not in led_to:
                yield note(
                    Code.ONE_WAY_ONLY,
                    f"There was never more than one way to choose here, in {one:,} times.",
                    span,
                    "See whether the set is the one that is meant; where nobody chooses, `let` or"
                    " `for each` says so.",
                )


def _choices_of_one_site(seen: Seen) -> Iterator[Span | None]:
    """Yield the choices among sites of which there is one, as of pieces that begin alone."""
    game = seen.game
    singles, pieces = single_slots(game.program).keys(), _pieces_at_start(game)
    # Where nothing is ever lost, one site at most stays empty.
    is_full = occupied_at_start(game).bit_count() >= game.board.size - 1 and not any(seen.lost)
    for one in program_statements(game.program):
        if isinstance(one, Choose) and isinstance(one.domain, SitesOf):
            sites = one.domain.sites
            is_first = any(isinstance(n, Op) and n.name == "first" for n in expressions_in(sites))
            among = layers_of(sites, pieces.keys()) or ()
            is_led_to = is_single(sites, singles) and not is_first
            is_the_rest = is_full and pieces.keys() <= sites.free
            if is_led_to or is_the_rest or sum(pieces[slot] for slot in among) == 1:
                yield one.span


def _pieces_at_start(game: Game) -> dict[Slot, int]:
    """Return how many pieces of each layer games begin with, on the board and in hands."""
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    found: dict[Slot, int] = {}
    for layer in game.layers:
        holder = "neutral" if layer.side is None else game.sides[layer.side]
        hand = game.hands.get(holder, {}).get(game.kinds[layer.kind])
        sites, held = at_start[layer.slot], 0 if hand is None else at_start[hand]
        assert isinstance(sites, int) and isinstance(held, int), "a set, and a number"
        found[layer.slot] = sites.bit_count() + held
    return found


def never_gone_through(coverage: Coverage) -> Iterator[Diagnostic]:
    """Yield the loops that never had anything to go through."""
    for span, (without, with_some) in coverage.loops.items():
        if without >= FEWEST_TRIES and not with_some:
            yield note(
                Code.NEVER_GONE_THROUGH,
                f"There was never anything to go through here, in {without:,} times.",
                _first_line(span),
                "See whether what is gone through is what is meant.",
            )


def _first_line(span: Span) -> Span:
    return Span(span.source, span.start, span.start + len(span.text.split("\n")[0].rstrip()))


def never_changing(coverage: Coverage, games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the statements that were done and never changed anything."""
    written = statements_by_place(*games)
    for span, (done, changed, _) in coverage.effects.items():
        if done >= MANY_TRIES and not changed:
            yield note(
                Code.NEVER_CHANGES,
                f"This never changed anything, in {done:,} times that it was done.",
                span,
                "See whether the value is the one that is meant, and is set in time."
                if isinstance(written.get(span), _GIVING)
                else "See whether another phase is meant; the turn is in this one already."
                if isinstance(written.get(span), t.GoTo)
                else "See whether the set of sites is the one that is meant.",
            )


def idle_parts(coverage: Coverage, origins: Origins, game: Game) -> Iterator[Diagnostic]:
    """Yield the sets that `|` joins with others, and that never added a site.

    One that names an option may do so where that has another value.
    """
    options = {option.name for option in game.options}
    for span, (tried, told) in coverage.parts.items():
        if told or tried < _RARE_TRIES or origins.telling.get(span):
            continue
        if not options.isdisjoint(words_in(span.text)):
            continue
        yield note(
            Code.IDLE_PART,
            f"This never added a site to those that it is joined with, in {tried:,} times.",
            span,
            "See whether it says what was meant; if it does, leave it out.",
        )


def only_taking(coverage: Coverage, games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield statements that place or move pieces, and only ever take some away."""
    written, has_piles = statements_by_place(*games), games[0].piles is not None
    for span, (done, changed, brought) in coverage.effects.items():
        statement = written.get(span)
        is_bringing = isinstance(statement, t.Place) or moves_on_board(statement)
        if is_bringing and not has_piles and done >= _FEWEST_MOVES and changed and not brought:
            yield note(
                Code.ONLY_TAKES_AWAY,
                f"This only took pieces away, in {done:,} times that it was done, and brought none"
                " anywhere.",
                span,
                "See whether the sites are in the right order: `move FROM to TO`.",
            )


# ------------------------------------------------------------- what single statements did each time

_MANY_TIMES = 1000


def always_same(coverage: Coverage, origins: Origins) -> Iterator[Diagnostic]:
    """Yield the words of turns that stood for the same each time, where nothing says so plainly.

    Where a condition in one was never true, that is told.
    """
    never = [s for s, (no, yes) in coverage.conditions.items() if no >= _MANY_TIMES and not yes]
    for span, named in coverage.named.items():
        if named.times >= _MANY_TIMES and not named.has_varied and named.value in (0, False):
            if span in origins.folded or any(map(span.holds, never)):
                continue
            yield note(
                Code.ALWAYS_NOTHING,
                f"This was {'no' if named.value is False else 'nothing'} each time, {named.times:,}"
                " times.",
                span,
                "See whether it is asked for in time, and whether it says what was meant.",
            )
