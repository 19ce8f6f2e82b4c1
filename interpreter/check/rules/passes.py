"""Passes that stay in a phase which every turn leaves, and passes that nobody counts.

In: the program of a game. Out: notes. What then holds: whatever is played in the phase that is
told, its turn goes to another one, and who has no legal move, which may be, stays in it. Of passes
that nobody counts, all sides may make as many as they like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from gdl.core.nodes import Assign, Block, Branch, Const, Decide, ForEach, Repeat, Slot
from gdl.core.walk import blocks_of
from gdl.diagnostic import Diagnostic, Span
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import nodes_in
from interpreter.check.places import PROGRAMS, RULES, note, parsed_rules
from interpreter.check.rules.stuck import always_goes_through


def staying_passes(game: Game) -> Iterator[Diagnostic]:
    """Yield the clauses by which a side passes and the phase stays, where all turns leave it."""
    program, told = game.program, set[Span]()
    slot = program.system.phase
    for number, phase in enumerate(program.phases if slot is not None else ()):
        for turn in phase.turns:
            if always_goes_through(turn.program):
                continue
            assert slot is not None
            to = _phases_after(turn.program, slot, frozenset({number}), len(program.phases))
            for ending in turn.stuck if number not in to else ():
                if ending.kind != "passes" or ending.phase is not None or ending.span is None:
                    continue
                if ending.span not in told:
                    told.add(ending.span)
                    names = [program.phases[other].name for other in sorted(to)]
                    yield note(
                        "pass-stays",
                        f"A pass here stays in `{phase.name}`; all other ways of its turn go to"
                        f" {' or '.join(f'`{name}`' for name in names)}.",
                        ending.span,
                        f"Write `passes then go to {names[0]}`; where the next side is to go on in"
                        f" `{phase.name}`, `# fine: pass-stays` says so.",
                    )


def free_passes(game: Game) -> Iterator[Diagnostic]:
    """Yield the ways of a turn that only pass, where no rule and no text speaks of passes."""
    code = "\n".join(_code(game, *RULES))
    said = "\n".join(_code(game, "about", "rules"))
    if re.search(r"\b(?:passed|turns|seen)\b", code) or re.search(r"\bpass", said, re.IGNORECASE):
        return
    for rules in parsed_rules(game, PROGRAMS):
        for node in nodes_in(rules):
            match node:
                case t.Alternative(body=(t.Pass() as free,)):
                    yield note(
                        "free-pass",
                        "A side may pass here whenever it likes, and no rule counts passes: all"
                        " sides may pass for ever.",
                        free.span,
                        "Leave it out, say under `if` when one may, or let `passed >= 2` end the"
                        " game.",
                    )


def _code(game: Game, *sections: str) -> Iterator[str]:
    nodes = map(game.document.get, sections)
    yield from (node.span.text for node in nodes if node is not None)


def _phases_after(block: Block, slot: Slot, before: frozenset[int], number: int) -> frozenset[int]:
    """Return the phases in which a block may end, of those in which it may begin."""
    now = before
    for statement in block:
        match statement:
            case Assign(slot=assigned, value=Const(value=int() as to)) if assigned is slot:
                now = frozenset({to})
            case Assign(slot=assigned) if assigned is slot:
                now = frozenset(range(number))
            case Branch() | Decide():
                ways = (_phases_after(way, slot, now, number) for way in blocks_of(statement))
                now = frozenset[int]().union(*ways)
            case ForEach() | Repeat():
                now |= _phases_after(statement.body, slot, now, number)
    return now
