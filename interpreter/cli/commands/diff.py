"""`gdl diff`: where do two sets of rules differ in play?"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

from click.exceptions import Exit

from gdl.codes import Code
from gdl.data_classes import dataclass
from gdl.diagnostic import Diagnostic, GameError, Span, refused
from gdl.interpreter.cli import completion
from gdl.interpreter.cli.backend import native_rules
from gdl.interpreter.cli.declarations import argument, option
from gdl.interpreter.cli.output import (
    FINDINGS,
    INTERRUPTED,
    TOO_LITTLE,
    print_diagnostics,
    timed,
    write,
    write_drawn,
    write_json,
)
from gdl.interpreter.cli.parameters import (
    Ascii,
    AsJson,
    GameName,
    Options,
    Variants,
    finite,
    option_values,
)
from gdl.interpreter.cli.picture import scene_text
from gdl.interpreter.compare.compare import Comparison, Limits, compare
from gdl.interpreter.compare.texts import TextDifference
from gdl.interpreter.evaluation.evaluator import RuleError
from gdl.interpreter.evaluation.moves import MoveError
from gdl.interpreter.explain.explanation import Explanation
from gdl.interpreter.explain.telling import explanation_json, explanation_text
from gdl.interpreter.explain.why_move import why_move
from gdl.interpreter.positions.position import Position, Rules
from gdl.interpreter.verify.deadline import stopped_by_interrupt
from gdl.interpreter.verify.lockstep import Difference
from gdl.load import load_game
from gdl.model import Game

_MOST_SHOWN = 12  # moves of one game alone
_USUAL = Limits()
_INTERRUPT = "interrupt"  # what ended the work, in place of a limit


@dataclass(frozen=True)
class _Side:
    """One of the two games: how it is called here, and its rules."""

    name: str
    rules: Rules


def differ(
    game: GameName,
    other: Annotated[
        str | None,
        argument("OTHER", help="The other game; without it, the same.", offers=completion.games),
    ] = None,
    options: Options = None,
    variants: Variants = None,
    other_options: Annotated[
        list[str] | None,
        option(
            "--other-option",
            metavar="NAME=VALUE",
            help="Set an option of the other game alone. Repeatable.",
            show_default=False,
            offers=completion.options,
        ),
    ] = None,
    other_variants: Annotated[
        list[str] | None,
        option(
            "--other-variant",
            metavar="NAME",
            help="Play a variant of the other game alone. Repeatable.",
            show_default=False,
            offers=completion.variants,
        ),
    ] = None,
    games: Annotated[
        int, option("--number", "-n", min=0, help="How many random games.")
    ] = _USUAL.games,
    positions: Annotated[
        int, option(min=0, help="How many positions of short games are compared at most.")
    ] = _USUAL.positions,
    seconds: Annotated[
        float,
        option(min=0, check=finite, help="The time after which nothing more is looked at."),
    ] = _USUAL.seconds,
    seed: Annotated[int, option(help="Where chance begins.")] = 0,
    ascii: Ascii = False,
    as_json: AsJson = False,
) -> None:
    """Tell the shortest game that shows where two sets of rules differ.

    Both are played move by move: all short games, random ones, and games that head for what only
    one of the two asks. Options and variants are those of both, but for the `--other-` ones. Exits
    with 1 where they differ, and with 3 where nothing was compared.
    """
    asked_options, chosen = option_values(options), list(variants or ())
    loaded = [
        load_game(game, asked_options, chosen),
        load_game(
            other or game,
            {**asked_options, **option_values(other_options)},
            [*chosen, *(other_variants or ())],
        ),
    ]
    if loaded[0].digest == loaded[1].digest:
        hint = "What the second alone has is said by `--other-variant` and `--other-option`."
        raise refused(Code.SAME_RULES, "Both are the same rules.", hint)
    sides = [_Side(name, _played(one)) for name, one in zip(_names(loaded), loaded, strict=True)]
    limits = Limits(positions, games, seconds=seconds)
    with stopped_by_interrupt() as is_stopped, timed(seconds, "comparing"):
        found = compare(sides[0].rules, sides[1].rules, limits, seed)
        was_stopped = is_stopped()
    if was_stopped:
        met = tuple(_INTERRUPT if one == "seconds" else one for one in found.stopped_by)
        found = replace(found, stopped_by=met)
    if as_json:
        write_json(_json(found, sides, limits))
    else:
        _tell(found, sides, limits, ascii)
    if was_stopped:
        raise Exit(INTERRUPTED)
    if found.difference is not None:
        raise Exit(FINDINGS)
    if not found.positions:
        raise Exit(TOO_LITTLE)


def _played(game: Game) -> Rules:
    """Return the rules of a game, played by native code where there is some."""
    try:
        return Rules(game, native_rules(game))
    except GameError:
        return Rules(game)


def _names(games: list[Game]) -> list[str]:
    """Return what the two games are called: by what they don't have in common."""
    parts = []
    for one, other in (games, games[::-1]):
        usual = {option.name: option.value for option in other.options}
        own = [f"{o.name}={_line(o.value)}" for o in one.options if usual.get(o.name) != o.value]
        own += [variant for variant in one.variants if variant not in other.variants]
        parts.append((one.name, ", ".join(own)))
    if parts[0][0] != parts[1][0]:
        return [f"{name} ({own})" if own else name for name, own in parts]
    return [own or f"{name} as it is" for name, own in parts]


# ------------------------------------------------------------------------------- text


def _tell(found: Comparison, sides: list[_Side], limits: Limits, ascii: bool) -> None:
    difference = found.difference
    if difference is None:
        write(_nothing(found, limits))
        print_diagnostics(_nothing_compared(found, limits))
    else:
        after = ", ".join(difference.texts)
        number = len(difference.moves)
        moves = f"{number} move{'' if number == 1 else 's'}"
        write(f"They differ after {moves}: {after}" if after else "They differ at once.")
        if not found.is_shortest:
            write(_shorter(found))
        position = _position(sides[0].rules, difference)
        if position is not None:
            write_drawn(scene_text(position.scene(), ascii=ascii))
        for line in _lines(difference, sides):
            write(line)
        for refusing, reason in _reasons(difference, sides):
            write(f"{refusing.name}: {explanation_text(reason)}")
    if found.texts:
        write("Texts that differ:")
    for text in found.texts:
        for side, told, span in (
            (sides[0], text.first, text.first_span),
            (sides[1], text.second, text.second_span),
        ):
            place = "" if span is None else f"{span}  "
            write(f"  {side.name}: {place}{text.part}: {told or 'nothing'}")


def _shorter(found: Comparison) -> str:
    """Return what is known of games that are shorter than the one that was found."""
    depth = found.depth
    sure = f"; no game of up to {depth} move{'' if depth == 1 else 's'} does" if depth > 0 else ""
    return f"A shorter game may differ, but none was found{sure}."


def _nothing_compared(found: Comparison, limits: Limits) -> list[Diagnostic]:
    """Return what there is to say where not even the first positions were compared."""
    if found.difference is not None or found.positions:
        return []
    message = "Nothing of the two games was compared: a limit was met, or the rules of both fail."
    hints = {
        "positions": f"Allow more than `--positions {limits.positions}`.",
        "seconds": f"Give more time than `--seconds {limits.seconds:g}`.",
    }
    hint = " ".join(hints[limit] for limit in found.stopped_by if limit in hints)
    return [Diagnostic(Code.NOTHING_COMPARED, message, hint=hint)]


def _nothing(found: Comparison, limits: Limits) -> str:
    if found.is_all:
        return f"No difference in all {found.positions:,} positions: the games are the same."
    if not found.positions:
        return "Nothing was compared."
    depth = f"all positions to depth {found.depth}" if found.depth >= 0 else "no position"
    met = {
        "max_plies": f"games of {limits.max_plies:,} moves were left unfinished",
        "positions": f"no more short games than `--positions {limits.positions}` were looked at",
        "seconds": f"the share of `--seconds {limits.seconds:g}` that these have was over",
        _INTERRUPT: "it was interrupted",
    }
    limit = "; ".join(met[one] for one in found.stopped_by)
    return (
        f"No difference in {depth}, in {found.positions:,} positions of short games in all, "
        f"nor in {found.games:,} random games of {found.moves:,} moves together, of which "
        f"{found.finished:,} came to their ends ({limit})."
    )


def _lines(difference: Difference, sides: list[_Side]) -> list[str]:
    lines = [
        f"  {side.name}: {told}"
        for side, told in zip(sides, (difference.first, difference.second), strict=True)
    ]
    for side, only in zip(sides, (difference.only_first, difference.only_second), strict=True):
        if only:
            more = f" and {len(only) - _MOST_SHOWN} more" if len(only) > _MOST_SHOWN else ""
            lines.append(f"  only {side.name}: {', '.join(only[:_MOST_SHOWN])}{more}")
    return lines


def _position(rules: Rules, difference: Difference) -> Position | None:
    position = Rules(rules.game).start()
    try:
        for text in difference.texts:
            position = position.play(text)
    except (MoveError, RuleError):
        return None
    return position


def _reasons(difference: Difference, sides: list[_Side]) -> list[tuple[_Side, Explanation]]:
    """Return why the game that does not have a move refuses it."""
    only = difference.only_first or difference.only_second
    if not only:
        return []
    refusing = sides[1] if difference.only_first else sides[0]
    position = _position(refusing.rules, difference)
    return [] if position is None else [(refusing, why_move(position, only[0]))]


# ------------------------------------------------------------------------------- JSON


def _json(found: Comparison, sides: list[_Side], limits: Limits) -> dict[str, Any]:
    difference = found.difference
    diagnostics = [one.to_json() for one in _nothing_compared(found, limits)]
    return ({"diagnostics": diagnostics} if diagnostics else {}) | {
        "first": sides[0].name,
        "second": sides[1].name,
        "differs": difference is not None,
        "is_shortest": found.is_shortest if difference is not None else None,
        "difference": None if difference is None else _difference_json(difference, sides),
        "positions": found.positions,
        "depth": found.depth,
        "is_all": found.is_all,
        "games": found.games,
        "moves": found.moves,
        "finished": found.finished,
        "stopped_by": list(found.stopped_by),
        "texts": [_text_json(text) for text in found.texts],
    }


def _difference_json(difference: Difference, sides: list[_Side]) -> dict[str, Any]:
    return {
        "kind": difference.kind,
        "moves": list(difference.texts),
        "first": difference.first,
        "second": difference.second,
        "only_first": list(difference.only_first),
        "only_second": list(difference.only_second),
        "why": [explanation_json(told) for _, told in _reasons(difference, sides)],
    }


def _text_json(text: TextDifference) -> dict[str, Any]:
    return {
        "part": text.part,
        "first": {"text": text.first, **_place(text.first_span)},
        "second": {"text": text.second, **_place(text.second_span)},
    }


def _place(span: Span | None) -> dict[str, Any]:
    if span is None:
        return {}
    return {"file": span.source.name, "line": span.line, "column": span.column}


def _line(value: str) -> str:
    return " / ".join(line.strip() for line in value.strip().splitlines())
