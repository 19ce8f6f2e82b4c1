"""The report as a page of HTML, to be read in a browser and printed.

In: a `Report`. Out: one document, with its pictures in it. What then holds: it asks for nothing
from elsewhere, runs no script, and whatever a file says stands there as text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import PurePath

from gdl.diagnostic import Span
from gdl.interpreter.english import does, sentence
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import MoveError
from gdl.interpreter.evaluation.playout import moves_counted, winning_together
from gdl.interpreter.library.pieces import pieces_told
from gdl.interpreter.matches.ladder import doubts
from gdl.interpreter.positions.position import Position
from gdl.interpreter.render.scene import Scene
from gdl.interpreter.render.svg import render_svg
from gdl.interpreter.report.charts import FEWEST_GAMES, bars, histogram, use_map, win_map
from gdl.interpreter.report.guided import Tension
from gdl.interpreter.report.measured import ClauseHeld, Climb, Report
from gdl.interpreter.report.numbers import Mean, Share
from gdl.interpreter.report.sampled import MOST_PLIES, MOST_TOLD, Whole
from gdl.visible import visible_line

_MOST_PICTURES = 8
_MOST_MOVES = 60
_MOST_OPENINGS = 5
_MEAN_HEADS = (
    '<tr><th></th><th class="n">mean</th><th class="n">at 95 %</th>'
    '<th class="n">least</th><th class="n">median</th><th class="n">most</th></tr>'
)
_SIZES = re.compile(r'(<svg [^>]*?) width="[\d.]+" height="[\d.]+"')


def report_page(report: Report) -> str:
    """Return the page."""
    title = _shown(report.told.title)
    parts = [
        '<!DOCTYPE html><html lang="en"><head><meta name="generator" content="gdl">',
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}: a report</title><style>{STYLE}</style></head><body>",
        *_head(report),
        *_in_short(report),
        *_rules(report),
        *_pieces(report),
        *_statistics(report),
        *_played(report),
        *_tension(report),
        *_openings(report),
        *_maps(report),
        *_clauses(report),
        *_witnesses(report),
        *_ladder(report.climb),
        *_findings(report),
        *_method(report),
        "</body></html>",
    ]
    return "\n".join(parts) + "\n"


def _shown(text: object) -> str:
    return escape(visible_line(str(text)))


def _head(report: Report) -> Iterator[str]:
    told = report.told
    yield f"<h1>{_shown(told.title)}</h1>"
    chosen = [f"variant {name}" for name in told.chosen_variants]
    chosen += [
        f"{one.name} = {' / '.join(one.value.split())}"
        for one in told.options
        if one.value != one.default
    ]
    if chosen:
        yield f"<p><strong>{_shown(', '.join(chosen))}</strong></p>"
    credits = "; ".join(f"{key}: {value}" for key, value in told.credits.items() if value)
    if credits:
        yield f'<p class="faint">{_shown(credits)}</p>'
    if told.about:
        yield f"<p>{_shown(told.about)}</p>"


def _in_short(report: Report) -> Iterator[str]:
    yield '<h2>In short</h2><table class="short">'
    yield from (_row(*line) for line in in_short(report))
    yield "</table>"


def _rules(report: Report) -> Iterator[str]:
    told = report.told
    yield '<h2>Rules</h2><div class="two"><div>'
    if told.rules:
        yield f"<p>{_shown(told.rules)}</p>"
    else:
        yield "<h3>A turn</h3>"
        yield from _steps(told.turns)
    yield '<h3>The end</h3><ul class="steps">'
    yield from (f"<li>{_shown(end)}</li>" for end in told.ends)
    yield "</ul>"
    if told.meanings:
        yield '<h3>Words of the file</h3><ul class="steps">'
        yield from (f"<li>{_shown(meaning)}</li>" for meaning in told.meanings)
        yield "</ul>"
    yield "</div>"
    yield f'<figure class="board">{_picture(report.root)}'
    pieces = f"; pieces: {', '.join(told.pieces)}" if told.pieces else ""
    sides = f"sides: {', '.join(told.sides)}"
    yield f"<figcaption>{_shown(f'{told.board}; {sides}{pieces}')}</figcaption></figure></div>"
    if told.options or told.variants:
        yield "<h3>Options and variants</h3><table>"
        for option in told.options:
            value = " / ".join(option.value.split())
            allowed = f" (in {option.allowed})" if option.allowed else ""
            yield _row(option.name, f"{value}{allowed}", option.about)
        for name, about in told.variants.items():
            yield _row(name, "variant", about)
        yield "</table>"


def _pieces(report: Report) -> Iterator[str]:
    game = report.root.rules.game
    pieces = pieces_told(game)
    if not any(piece.scene is not None for piece in pieces) and len(pieces) < 2:
        return
    yield '<h2>Pieces</h2><div class="game">'
    for piece in pieces:
        told = f"{piece.kind.replace('_', ' ')}: {' '.join(piece.told)}"
        picture = "" if piece.scene is None else _drawn(piece.scene)
        yield f"<figure>{picture}<figcaption>{_shown(told)}</figcaption></figure>"
    yield "</div>"


def _steps(turns: Sequence[tuple[int, str]]) -> Iterator[str]:
    deep = -1
    for depth, text in turns:
        while deep < depth:
            yield '<ul class="steps">'
            deep += 1
        while deep > depth:
            yield "</ul>"
            deep -= 1
        yield f"<li>{_shown(text)}</li>"
    yield "</ul>" * (deep + 1)


def _row(*cells: str, numbers: int = 0) -> str:
    """Return a row of a table; the last cells are numbers."""
    first = len(cells) - numbers
    told = (
        f"<td{' class=n' if place >= first else ''}>{_shown(cell)}</td>"
        for place, cell in enumerate(cells)
    )
    return f"<tr>{''.join(told)}</tr>"


# -------------------------------------------------------------------------- statistics


def _statistics(report: Report) -> Iterator[str]:
    whole, game = report.whole, report.game
    yield "<h2>Random games</h2>"
    if report.failure is not None:
        failure = f"The rules fail in play: {report.failure.message}"
        yield f'<p class="finding error">{_shown(failure)}</p>'
    if not whole.games:
        yield "<p>None could be played.</p>"
        return
    yield f"<p>{whole.games:,} games, all moves equally likely. Lines on bars are intervals at"
    yield "95 %.</p>"
    if not whole.finished:
        yield f"<p>{none_ended(whole)}: nothing can be told of who wins, or of an advantage of the"
        yield f"first seat.</p><table>{_MEAN_HEADS}"
        yield _mean_row("moves to choose from (branching)", report.branching)
        yield "</table>"
        return
    ends = [
        (does(group, "wins"), Share(won, whole.finished))
        for group in winning_together(game, whole.by_side)
        for won in (whole.by_side[group[0]],)
    ]
    if game.program.system.seats:
        ends += [
            (f"seat {seat} wins", Share(whole.by_seat[seat], whole.finished))
            for seat in range(1, len(game.sides) + 1)
        ]
    ends.append(("draw" if len(game.sides) > 1 else "lost", Share(whole.draws, whole.finished)))
    left = "unfinished, of all" if whole.unfinished else "unfinished"
    ends.append((left, Share(whole.unfinished, whole.games)))
    yield f'<div class="two"><figure>{bars(ends, "How games end")}'
    which = f"the {whole.finished:,} games that have ended end" if whole.unfinished else "games end"
    yield f"<figcaption>How {which}</figcaption></figure>"
    yield f"<figure>{histogram(whole.lengths)}"
    yield "<figcaption>Length of games</figcaption></figure></div>"
    yield f"<table>{_MEAN_HEADS}"
    yield _mean_row(_length(report), whole.length)
    yield _mean_row("moves to choose from (branching)", report.branching)
    yield "</table>"
    if len(game.sides) == 2:
        share = whole.first
        low, high = share.interval
        yield (
            f"<p>First-move advantage: the first seat has {share.value:.1%} of the points"
            f" ({low:.1%} to {high:.1%}), {share.value - 0.5:+.1%} from even.</p>"
        )


def _mean_row(name: str, mean: Mean | None, form: str = ".1f") -> str:
    if mean is None:
        return _row(name, "not measured", "", "", "", "", numbers=5)
    low, high = mean.value - mean.half, mean.value + mean.half
    return _row(
        name,
        format(mean.value, form),
        f"{low:{form}} to {high:{form}}",
        *(f"{one:{form}}".removesuffix(".0") for one in (mean.least, mean.middle, mean.most)),
        numbers=5,
    )


def _length(report: Report) -> str:
    return f"length, in {moves_counted(report.game)}"


def _played(report: Report) -> Iterator[str]:
    found = report.records
    if found is None:
        return
    yield f"<h2>Recorded games</h2><p>{_shown(found.told)}</p>"
    if not found.games:
        return
    yield f'<div class="two"><figure>{bars(found.results, "How recorded games end")}'
    yield "<figcaption>How recorded games end</figcaption></figure>"
    yield f"<figure>{histogram(found.lengths)}"
    yield "<figcaption>Length of recorded games</figcaption></figure></div>"
    yield f"<table>{_MEAN_HEADS}{_mean_row(_length(report), found.length)}</table>"
    if found.endings:
        told = ", ".join(f"{how} ({count:,})" for how, count in found.endings)
        yield f"<p>Ended before the rules end them: {_shown(told)}.</p>"
    yield f"<table>{_row('opening', 'games', 'points of the first side')}"
    for opening in found.openings:
        yield _row(
            opening.moves,
            f"{opening.games.count:g}",
            f"{opening.points.value:.0%}" if opening.points.of else "–",
            numbers=2,
        )
    yield "</table>"
    used = use_map(
        report.game.board,
        found.heat.used,
        on_points=report.root.scene().on_points,
        title="Use of sites in recorded games",
    )
    yield f"<figure>{used}<figcaption>Of the moves of recorded games, the percentage that named"
    yield "the site</figcaption></figure>"


def _tension(report: Report) -> Iterator[str]:
    if report.tension is None:
        return
    tension = report.tension
    yield "<h2>Games of the engine</h2>"
    if not tension.games:
        yield "<p>There was no time for a game; allow more by <code>--seconds</code>.</p>"
        return
    few = " So few tell little." if tension.games < 20 else ""
    games = f"{tension.games} game{'' if tension.games == 1 else 's'}"
    yield f"<p>{games} of the engine against itself, {tension.iterations} iterations a move.{few}"
    yield "</p>"
    low, high = tension.first.interval
    yield f"<table>{_MEAN_HEADS}"
    yield _mean_row(_length(report), tension.length)
    yield _mean_row("drama: how far behind winners were", tension.drama, ".2f")
    yield _mean_row("lead changes: share of moves", tension.lead_changes, ".2f")
    yield _mean_row("decisiveness: 1 if over once decided", tension.decisiveness, ".2f")
    yield "</table>"
    yield (
        f"<p>The first seat has {tension.first.value:.1%} of the points ({low:.1%} to {high:.1%});"
        f" {tension.draws.value:.1%} are draws.</p>"
    )


def _openings(report: Report) -> Iterator[str]:
    found = report.openings
    if found is None:
        return
    move, share = found.fairest
    yield "<h2>First moves and the pie</h2>"
    yield (
        f"<p>Were the second player allowed to take over the first move, the fairest would be"
        f" <strong>{_shown(move)}</strong>: the first seat has {share.value:.1%} of the points"
        f" after it, in {share.of:,} random games each. {found.fair.count:.0f} of"
        f" {found.fair.of} first moves are within five hundredths of even.</p>"
    )
    best = list(found.values[:_MOST_OPENINGS])
    worst = [one for one in found.values[-_MOST_OPENINGS:] if one not in best]
    yield f"<figure>{bars([*best, *worst], 'What first moves are worth')}"
    yield "<figcaption>Points of the first seat after its best and its worst moves</figcaption>"
    yield "</figure>"


def _maps(report: Report) -> Iterator[str]:
    if not report.watched or not any(share.count for share in report.heat.used):
        return
    board = report.game.board
    on_points = report.root.scene().on_points
    used = use_map(board, report.heat.used, on_points=on_points, title="Use of sites")
    number = len(report.watched)
    games = f"{number} random game{'' if number == 1 else 's'}"
    yield f'<h2>Sites</h2><div class="two"><figure>{used}<figcaption>Use: of the moves of'
    yield f" {games}, the percentage that named the site; the darker, the oftener"
    yield "</figcaption></figure>"
    if any(share.of >= FEWEST_GAMES for share in report.heat.won):
        won = win_map(board, report.heat.won, on_points=on_points, title="Wins by site")
        yield f"<figure>{won}<figcaption>Win: the percentage won by those who moved there; blue is"
        yield f"below the mean, red above, white where fewer than {FEWEST_GAMES} games tell"
        yield "</figcaption></figure>"
    yield "</div>"


def _clauses(report: Report) -> Iterator[str]:
    if not report.clauses:
        return
    yield '<h2>Clauses</h2><table><tr><th>clause</th><th class="n">line</th>'
    yield '<th class="n">games ended</th><th class="n">share</th><th>else</th></tr>'
    for one in report.clauses:
        stuck = "stuck: " if one.is_stuck else ""
        numbers = (str(one.line), f"{one.held.count:,}", f"{one.held.value:.1%}")
        cells = "".join(f'<td class="n">{number}</td>' for number in numbers)
        written = f"<code>{_shown(stuck + one.text)}</code>"
        yield f"<tr><td>{_shown(one.words)}<br>{written}</td>{cells}<td>{_else(one)}</td></tr>"
    yield "</table>"


def _else(clause: ClauseHeld) -> str:
    """Return which other games ended by a clause that ended no random one."""
    if clause.held.count:
        return ""
    if clause.searched:
        return f"{clause.searched:,} of the engine"
    return "games headed for it, or begun near it" if clause.is_met else "no game"


# --------------------------------------------------------------------------- witnesses


def _witnesses(report: Report) -> Iterator[str]:
    told = (("The shortest", report.shortest), ("The longest", report.longest))
    if report.whole.finished:
        yield "<h2>Two games</h2>"
    for name, moves in told:
        if not moves and report.whole.finished:
            yield f"<p>{name} of {report.whole.games:,} games has more than {MOST_TOLD:,} moves:"
            yield "too many to be shown.</p>"
        if moves:
            number = len(moves)
            plural = "" if number == 1 else "s"
            yield f"<h3>{name} of {report.whole.games:,} games: {number} move{plural}</h3>"
            yield from _game(report.root, moves)


def _game(root: Position, moves: Sequence[str]) -> Iterator[str]:
    number = len(moves)
    shown = {round(number * place / _MOST_PICTURES) for place in range(1, _MOST_PICTURES + 1)}
    yield '<div class="game">'
    position = root
    try:
        for made, move in enumerate(moves, 1):
            mover, position = position.mover, position.play(move)
            if made in shown:
                told = _shown(f"{made}. {mover}: {move}")
                yield f"<figure>{_picture(position)}<figcaption>{told}</figcaption></figure>"
    except (MoveError, RuleError):
        yield "<p>The game can't be shown further.</p>"
    yield "</div>"
    outcome = position.outcome
    if outcome is not None:
        yield f"<p>{_shown(sentence(outcome.text))}</p>"
    more = f" and {number - _MOST_MOVES} more" if number > _MOST_MOVES else ""
    yield f'<p class="faint"><code>{_shown(", ".join(moves[:_MOST_MOVES]))}</code>{more}</p>'


def _picture(position: Position) -> str:
    """Return a position as a picture that takes the width it is given."""
    return _drawn(position.scene())


def _drawn(scene: Scene) -> str:
    return _SIZES.sub(r"\1", render_svg(scene), count=1)


# -------------------------------------------------------------------- ladder, findings


def _ladder(climb: Climb | None) -> Iterator[str]:
    if climb is None:
        return
    number = max(0, len(climb.rungs) - 1)
    if not number and not climb.is_whole:
        yield "<h2>Skill ladder</h2><p>There was no time for a rung; allow more by"
        yield " <code>--seconds</code>.</p>"
        return
    least = "" if climb.is_whole else "At least "
    rungs = f"{least}{number} rung{'' if number == 1 else 's'}"
    yield f"<h2>Skill ladder</h2><p>{rungs}: each player has "
    yield "three fifths of the points or more against the one below.</p><table>"
    yield '<tr><th>player</th><th class="n">points against the rung below</th></tr>'
    for rung in reversed(climb.rungs):
        yield _row(rung.player, rung.text, numbers=1)
    yield "</table>"
    games = next((rung.standing.games for rung in climb.rungs if rung.standing is not None), 0)
    if games:
        yield f'<p class="faint">In brackets, intervals at 95 %. {doubts(games)}</p>'
    if not climb.is_whole:
        yield '<p class="faint">Time was up before the top; --seconds allows more.</p>'


def _findings(report: Report) -> Iterator[str]:
    yield "<h2>Findings of gdl check</h2>"
    if not report.findings:
        yield "<p>None.</p>"
    for finding in report.findings:
        found = finding.diagnostic
        place = "" if found.span is None else f"{_place(found.span)}: "
        variant = "" if finding.variant is None else f" (in the variant {finding.variant})"
        yield (
            f'<div class="finding {found.severity}"><strong>{found.severity}: {_shown(found.code)}'
            f"</strong>{_shown(variant)} {_shown(place + found.message)} {_shown(found.hint)}"
        )
        if finding.witness is not None and finding.witness.arguments():
            shown = f"gdl show {report.game.name} {finding.witness.arguments()}"
            yield f"<br><code>{_shown(shown)}</code>"
        yield "</div>"


def _place(span: Span) -> str:
    """Return a place without the folder of its file, which is not that of the reader."""
    return f"{PurePath(span.source.name).name}:{span.line}:{span.column}"


def _method(report: Report) -> Iterator[str]:
    yield "<h2>How it was measured</h2>"
    notes = " ".join(report.notes)
    plays = "native code" if report.backend == "native" else "the reference interpreter"
    yield (
        f'<p class="faint">In {report.seconds:.0f} seconds by {plays}, seed {report.seed}.'
        f" {_shown(notes)} Intervals of shares are Wilson's, of means those of the normal"
        " distribution; a draw counts half. Drama, lead changes and decisiveness are those of C."
        " Browne and F. Maire, “Evolutionary Game Design” (2010), and Browne's thesis of 2008;"
        " advantage, length and branching those that Ludii has (Piette and others, 2020). The"
        " engine's own value of each position, between 0 and 1, is the lead that they ask for."
        " Drama is the mean square root of how far behind the eventual winner was, over the"
        " positions in which it was; a game is decided when its winner's lead is larger than any"
        " that was lost in these games. The skill ladder is that of Lantz and others, “Depth in"
        " Strategic Games” (2017).</p>"
    )


# ------------------------------------------------------------------- how the page of a report looks

STYLE = """
:root { color-scheme: light dark; }
body { font: 16px/1.45 Georgia, 'Times New Roman', serif; color: #222; background: #fff;
  max-width: 62rem; margin: 2rem auto; padding: 0 1.2rem; }
h1 { font-size: 2.1rem; margin: 0 0 .2rem; }
h2 { font-size: 1.3rem; margin: 2.2rem 0 .6rem; border-bottom: 1px solid #bbb; }
h3 { font-size: 1.02rem; margin: 1.1rem 0 .3rem; }
p { margin: .4rem 0; } .faint { color: #666; font-size: .88rem; }
ul.steps, ul.steps ul { margin: .1rem 0 .1rem; padding-left: 1.2rem; list-style: disc; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0;
  border-bottom: 1px solid #e2e2e2; }
td.n, th.n { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
code { font: .82rem/1.3 ui-monospace, Menlo, Consolas, monospace; color: #444;
  overflow-wrap: anywhere; }
svg { width: 100%; height: auto; display: block; font-family: Helvetica, Arial, sans-serif; }
.two { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: 1.4rem; }
.board { max-width: 26rem; } .board svg { max-height: 30rem; }
.game { display: grid; grid-template-columns: repeat(4, 1fr); gap: .8rem; }
figure { margin: 0; break-inside: avoid; } figcaption { font-size: .85rem; color: #444; }
table.short { width: auto; } table.short td { border: 0; padding: .12rem 1.6rem .12rem 0; }
.finding { margin: .5rem 0; padding-left: .8rem; border-left: 3px solid #bbb; break-inside: avoid; }
.finding.error { border-color: #b33; } .finding.warning { border-color: #c80; }
@media (max-width: 40rem) {
  body { margin: 1rem auto; padding: 0 .8rem; }
  table { font-size: .8rem; } th, td { padding-right: .35rem; overflow-wrap: break-word; }
  .two { grid-template-columns: minmax(0, 1fr); } .game { grid-template-columns: 1fr 1fr; }
}
@media screen and (prefers-color-scheme: dark) {
  body { color: #ddd; background: #161616; }
  .faint, figcaption, code { color: #aaa; }
  h2, .finding { border-color: #555; } th, td { border-color: #333; }
}
@media print {
  :root { color-scheme: light; }
  body { margin: 0; padding: 0; max-width: none; font-size: 10.5pt; }
  h2, h3 { break-after: avoid; } tr { break-inside: avoid; }
  tr:first-child { break-after: avoid; } p.faint { break-inside: avoid; }
  .two { grid-template-columns: 1fr 1fr; } .board svg { max-height: 85mm; }
}
@page { margin: 16mm; }
"""


# -------------------------------------------------------------------------------- a report in short


def in_short(report: Report) -> Iterator[tuple[str, str]]:
    """Yield what a line is about, and what it says."""
    whole, tension = report.whole, report.tension
    engine = tension if tension is not None and tension.games else None
    if whole.games and not whole.finished:
        yield "random games", f"{none_ended(whole)}: they tell nothing of who wins"
    if len(report.game.sides) == 2 and whole.finished:
        yield (
            "first seat's share of the points",
            _both(whole.first, engine.first if engine else None),
        )
    if len(report.game.sides) > 1 and whole.finished:
        drawn = Share(whole.draws, whole.finished)
        yield "draws", _both(drawn, engine.draws if engine else None)
    if whole.length is not None and whole.finished:
        random = f"{whole.length.value:.0f} moves in random games"
        guided = engine.length if engine else None
        yield "length", random + (f", {guided.value:.0f} in those of the engine" if guided else "")
    if report.branching is not None:
        told = report.branching
        yield "moves to choose from", f"{told.value:.0f}; at most {told.most:.0f}"
    if engine is not None and engine.drama is not None:
        yield "course", _run_of_play(engine, engine.drama)
    if report.climb is not None and len(report.climb.rungs) > 1:
        yield "skill ladder", _rungs(report.climb)
    idle = sum(not clause.held.count for clause in report.clauses)
    if report.clauses and whole.games:
        number = len(report.clauses)
        more = sum(
            not one.held.count and (one.is_met or one.searched > 0) for one in report.clauses
        )
        others = f"; {more} more ended others" if more else ""
        yield "clauses that ended a random game", f"{number - idle} of {number}{others}"
    kinds = Counter(found.diagnostic.severity for found in report.findings)
    told_kinds = [f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in sorted(kinds.items())]
    yield "findings of gdl check", ", ".join(told_kinds) or "none"


def none_ended(whole: Whole) -> str:
    """Return that no random game has come to an end."""
    games = "The only one" if whole.games == 1 else f"None of {whole.games:,}"
    return f"{games} had {'not ' * (whole.games == 1)}ended after {MOST_PLIES:,} moves"


def _both(random: Share, engine: Share | None) -> str:
    told = f"{_interval(random)} in random games"
    return told + (f", {_interval(engine)} in those of the engine" if engine is not None else "")


def _interval(share: Share) -> str:
    low, high = share.interval
    return f"{share.value:.0%} ({low:.0%} to {high:.0%})"


def _run_of_play(tension: Tension, drama: Mean) -> str:
    told = [f"drama {drama.value:.2f}"]
    if tension.lead_changes is not None:
        told.append(f"the lead changes with {tension.lead_changes.value:.0%} of the moves")
    if tension.decisiveness is not None:
        told.append(f"decided after {tension.decisiveness.value:.0%} of a game")
    return ", ".join(told)


def _rungs(climb: Climb) -> str:
    number = len(climb.rungs) - 1
    least = "" if climb.is_whole else "at least "
    return f"{least}{number} rung{'' if number == 1 else 's'}"
