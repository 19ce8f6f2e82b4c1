"""What never happened while games were watched: told as not seen, never as impossible.

In: the coverage of all games, and the conditions of the program. Out: notes. What then holds: of
parts of one condition only the smallest is told, and nothing that was hardly tried.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from gdl.core.nodes import Choose, Ending, Phase, Turn
from gdl.core.walk import program_statements
from gdl.diagnostic import Diagnostic, Span
from gdl.elaborate.origins import Origins
from gdl.model import Game
from interpreter.check.finding import Finding
from interpreter.check.places import key_or_file_span, note, turn_span, word_in
from interpreter.check.play.coverage import Coverage
from interpreter.check.play.games import Seen
from interpreter.check.play.results import FEWEST_GAMES

_FEWEST = 200
"""How often something must have been tried before it is said that it never happened."""
_FEWEST_POSITIONS = 15
_FEW_POSITIONS = 50
_MANY_POSITIONS = 100

IsHere = Callable[[Span], bool]


def unseen(
    all_seen: Sequence[Seen], coverage: Coverage, origins: Origins, is_here: IsHere
) -> Iterator[Finding]:
    """Yield what never happened in any of the games, of what stands in the file that is checked."""
    games = [seen.game for seen in all_seen]
    if sum(seen.positions for seen in all_seen) < _FEWEST_POSITIONS:
        return
    clauses = list(_clauses(games))
    found = [
        *_clauses_unseen(clauses, all_seen, coverage),
        *_pieces(all_seen),
        *_phases(all_seen),
        *_moves(all_seen),
        *_movers(all_seen),
    ]
    if sum(seen.positions for seen in all_seen) >= _MANY_POSITIONS:
        found += [
            *_conditions(coverage, origins, clauses),
            *_choices(coverage),
            *_effects(coverage),
        ]
    for diagnostic in found:
        if diagnostic.span is not None and is_here(diagnostic.span):
            yield Finding(diagnostic, None, "not seen")


def _turns(game: Game) -> Iterator[tuple[Phase, Turn]]:
    for phase in game.program.phases:
        for turn in phase.turns:
            yield phase, turn


def _clauses(games: Iterable[Game]) -> Iterator[Ending]:
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
        finished.update({e.span: games for e in _clauses([seen.game]) if e.span is not None})
    for ending in clauses:
        span = ending.span
        if span is not None and not coverage.endings[span] and finished[span] >= FEWEST_GAMES:
            yield note(
                "never-held",
                f"This never ended a game, in {finished[span]:,} random games.",
                span,
                "See whether it can hold at all, and whether a clause above it always holds first.",
            )


def _conditions(
    coverage: Coverage, origins: Origins, clauses: Sequence[Ending]
) -> Iterator[Diagnostic]:
    """Yield conditions that were always or never true, without those of which a part tells why."""
    told_already = [e.span for e in clauses if e.span and not coverage.endings[e.span]]
    constant: dict[Span, bool] = {}
    for span, (failed, held) in coverage.conditions.items():
        known = origins.folded.get(span, set())
        values = known | ({False} if failed else set()) | ({True} if held else set())
        if len(values) == 1 and failed + held >= _FEWEST:
            constant[span] = values.pop()
    for span, value in constant.items():
        if any(_is_within(other, span) for other in constant if other != span):
            continue
        if any(_is_within(span, clause) for clause in told_already):
            continue
        times = sum(coverage.conditions[span])
        yield note(
            "always-true" if value else "never-true",
            f"This was {'always' if value else 'never'} true, asked {times:,} times.",
            span,
            "See whether it says what was meant."
            if not value
            else "See whether it says what was meant; if it always holds, leave it out.",
        )


def _choices(coverage: Coverage) -> Iterator[Diagnostic]:
    for span, (none, one, several) in coverage.choices.items():
        if none >= _FEWEST and not one + several:
            yield note(
                "never-chosen",
                f"There was never anything to choose here, in {none:,} tries.",
                span,
                "See whether the set can have a site, and the condition can hold.",
            )


def _effects(coverage: Coverage) -> Iterator[Diagnostic]:
    for span, (done, changed) in coverage.effects.items():
        if done >= _FEWEST and not changed:
            yield note(
                "never-changes",
                f"This never changed anything, in {done:,} times that it was done.",
                span,
                "See whether the set of sites is the one that is meant.",
            )


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
                "never-on-board",
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
    for name, span in phases.items():
        if name not in reached and positions >= _FEW_POSITIONS:
            yield note(
                "phase-never-reached",
                f"No game ever came to the phase `{name}`, in {positions:,} positions.",
                span,
                f"See where a turn says `go to {name}`, and whether it comes to that.",
            )


def _moves(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    game, positions = all_seen[0].game, sum(seen.positions for seen in all_seen)
    if positions < _FEW_POSITIONS or max(seen.most_moves for seen in all_seen) != 1:
        return
    if any(isinstance(s, Choose) for s in program_statements(game.program)):
        yield note(
            "no-choice",
            f"There was never more than one legal move, in {positions:,} positions.",
            turn_span(game),
            "See whether the turn lets its player choose among what was meant.",
        )


def _movers(all_seen: Sequence[Seen]) -> Iterator[Diagnostic]:
    game, positions = all_seen[0].game, sum(seen.positions for seen in all_seen)
    on_turn = {number for seen in all_seen for number in seen.movers}
    for number, side in enumerate(game.sides if positions >= _FEW_POSITIONS else ()):
        if number not in on_turn:
            yield note(
                "never-on-turn",
                f"{side} was never on turn, in {positions:,} positions.",
                turn_span(game),
                "See where a turn says `again` or `next`.",
            )


def _is_within(inner: Span, outer: Span) -> bool:
    return inner.source is outer.source and outer.start <= inner.start and inner.end <= outer.end
