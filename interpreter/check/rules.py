"""The second layer of checking: do the rules make sense as they are written?

In: the program of a game, of each variant as well. Out: warnings: rules that can have no effect, or
not the one that was meant. What then holds: each is proved by the program, without play.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gdl.core.nodes import Assign, AssignAt, Const, Ending, Get, Op, Slot
from gdl.core.sameness import are_alike
from gdl.core.walk import expressions_of, program_statements, slots_read_outside_turns
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping
from gdl.model import Game
from interpreter.check.finding import Finding, in_all_variants
from interpreter.check.subject import Subject


def check_rules(subject: Subject) -> Iterator[Finding]:
    """Yield what the program of the game shows, then what that of a variant alone does."""
    yield from in_all_variants(subject, _found)
    yield from _idle_variants(subject)


def _found(game: Game) -> Iterator[Diagnostic]:
    yield from _no_end(game)
    yield from _same_goals(game)
    yield from _never_placed(game)
    yield from _never_read(game)
    yield from _never_wins(game)
    yield from _unused_options(game)


def _warning(code: str, message: str, span: Span | None, hint: str) -> Diagnostic:
    return Diagnostic(code, message, span, hint, "warning")


def _clauses(game: Game) -> list[Ending]:
    """Return the clauses of `end` and `stuck` of all turns."""
    turns = (turn for phase in game.program.phases for turn in phase.turns)
    return [ending for turn in turns for ending in (*turn.endings, *turn.stuck)]


def _no_end(game: Game) -> Iterator[Diagnostic]:
    """A game needs a clause that ends it: in `end`, or in `stuck` if a side can't move."""
    if all(ending.kind == "passes" for ending in _clauses(game)):
        yield _warning(
            "no-end",
            "No rule ends the game.",
            _key_span(game, "turn") or _key_span(game, "game"),
            "Write under `end` who wins and when, or under `stuck` what happens to a side that"
            " can't move.",
        )


def _same_goals(game: Game) -> Iterator[Diagnostic]:
    """Two sides that win by different clauses on the same condition: one was copied."""
    told: set[Span] = set()
    for phase in game.program.phases:
        for turn in phase.turns:
            winning = [e for e in turn.endings if e.kind == "wins" and len(e.sides) == 1]
            for number, ending in enumerate(winning):
                state = game.program.state
                first = next((e for e in winning[:number] if _is_same_goal(e, ending, state)), None)
                if first is None or ending.span is None or ending.span in told:
                    continue
                told.add(ending.span)
                one, other = (game.sides[e.sides[0]] for e in (first, ending))
                related = (("The other clause is here.", first.span),) if first.span else ()
                yield Diagnostic(
                    "same-goal",
                    f"{one} and {other} win on the same condition.",
                    ending.span,
                    "Give each its own, or let `mover` or `any` win if it is meant for all.",
                    "warning",
                    related,
                )


def _is_same_goal(one: Ending, other: Ending, state: tuple[Slot, ...]) -> bool:
    if isinstance(one.condition, Const) or one.sides == other.sides:
        return False
    return are_alike(one.condition, other.condition, state)


def _never_wins(game: Game) -> Iterator[Diagnostic]:
    """A side for which no clause is, where another has one."""
    sides = range(len(game.sides))
    clauses = _clauses(game)
    winning = {side for ending in clauses for side in _may_win(ending, sides)}
    for side in sides:
        if winning and side not in winning:
            first = next((e.span for e in clauses if e.kind == "wins" and e.span), None)
            yield _warning(
                "never-wins",
                f"No rule lets {game.sides[side]} win.",
                first or _key_span(game, "end"),
                f"Say when it does, as in `{game.sides[side]} wins when …`.",
            )


def _may_win(ending: Ending, sides: Iterable[int]) -> set[int]:
    match ending.kind:
        case "wins":
            return set(ending.sides)
        case "loses":
            return set(sides) - set(ending.sides)
        case "highest" | "lowest":
            return set(sides)
    return set()


def _unused_options(game: Game) -> Iterator[Diagnostic]:
    """An option whose name stands nowhere else in the file."""
    section = game.document.get("options")
    if not isinstance(section, Mapping):
        return
    others = [node.span.text for key, node in game.document.entries if key.text != "options"]
    others += [node.span.text for _, node in section.entries]
    words = set(re.findall(r"\w+", "\n".join(others)))
    for key, _ in section.entries:
        if key.text not in words:
            yield _warning(
                "unused",
                f"The option `{key.text}` is declared, but nothing uses it.",
                key.span,
                "Remove it, or use it.",
            )


def _idle_variants(subject: Subject) -> Iterator[Finding]:
    """Yield a warning for each variant that plays by the rules of the game itself."""
    game = subject.game()
    for name in subject.variants:
        variant = subject.game(name)
        assert game is not None
        if variant is not None and _is_same(game, variant):
            section = game.document.get("variants")
            entry = section.entry(name) if isinstance(section, Mapping) else None
            found = _warning(
                "no-effect",
                f"The variant `{name}` has the same rules as the game itself.",
                None if entry is None else entry[0].span,
                "Look whether it says what was meant, or remove it.",
            )
            if subject.stands_here(found):
                yield Finding(found)


def _is_same(one: Game, other: Game) -> bool:
    """Return whether two games have the same rules, however they are written."""
    boards = [[(site.name, site.x, site.y) for site in game.board.sites] for game in (one, other)]
    first, second = ((game.program, game.sights) for game in (one, other))
    return boards[0] == boards[1] and are_alike(first, second, ())


def _never_placed(game: Game) -> Iterator[Diagnostic]:
    """A declared kind that is not set up and that no rule brings onto the board."""
    if game.document.get("pieces") is None:
        return
    at_start = dict(zip(game.program.state, game.program.initial, strict=True))
    growing = {
        statement.slot
        for statement in program_statements(game.program)
        if isinstance(statement, Assign) and not _only_shrinks(statement)
    }
    for number, kind in enumerate(game.kinds):
        slots = [layer.slot for layer in game.layers if layer.kind == number]
        if not any(at_start[slot] or slot in growing for slot in slots):
            yield _warning(
                "never-placed",
                f"No piece of the kind `{kind}` ever stands on the board.",
                _word_span(game, "pieces", kind),
                "Set one up under `setup`, let a turn place it or change another piece to it, or"
                " remove the kind.",
            )


def _only_shrinks(statement: Assign) -> bool:
    match statement.value:
        case Op("difference", (Get(slot), *_)):
            return slot is statement.slot
    return False


def _never_read(game: Game) -> Iterator[Diagnostic]:
    """A variable that turns write and nothing reads."""
    state = game.program.state
    shown = {layer.slot for layer in game.layers} | set(game.marks)
    variables = {s: s.span for s in state if s.span is not None and s not in shown}
    shown_values = (*game.scores, *game.sights)
    read: set[Slot] = set().union(*(value.free for value in shown_values))
    for statement in program_statements(game.program):
        own = {statement.slot} if isinstance(statement, Assign | AssignAt) else set()
        for expression in expressions_of(statement):
            read |= expression.free - own
    read |= slots_read_outside_turns(game.program)
    examples = game.document.get("examples")
    mentioned = set(re.findall(r"\w+", "" if examples is None else examples.span.text))
    by_span: dict[Span, list[Slot]] = {}
    for slot, span in variables.items():
        by_span.setdefault(span, []).append(slot)
    for span, slots in by_span.items():
        name = slots[0].name.partition("(")[0]
        if any(slot in read for slot in slots) or name in mentioned:
            continue
        yield _warning(
            "never-read",
            f"`{name}` is kept, but no rule depends on it.",
            span,
            "Remove it, or ask for it in a turn or an end. To show it with the position, name it in"
            " `scores` under `display`.",
        )


def _key_span(game: Game, key: str) -> Span | None:
    """Return where a key stands in the file."""
    entry = game.document.entry(key)
    return None if entry is None else entry[0].span


def _word_span(game: Game, key: str, word: str) -> Span | None:
    """Return where a word stands in the value of a key, else that of the key."""
    entry = game.document.entry(key)
    if entry is None:
        return None
    whole = entry[1].span
    found = re.search(rf"\b{re.escape(word)}\b", whole.text)
    if found is None:
        return entry[0].span
    return Span(whole.source, whole.start + found.start(), whole.start + found.end())
