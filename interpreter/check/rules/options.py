"""Options and variants that change nothing, or that allow what the rules can't do.

In: the game with each variant, and with each option at its edges and inside its range. Out:
warnings. What then holds: what fails was tried; what has no effect was tried with several values.
"""

from __future__ import annotations

import re
import time
from collections import defaultdict
from collections.abc import Iterator

from gdl.core.sameness import equal_up_to_names
from gdl.diagnostic import Diagnostic
from gdl.document.nodes import Mapping
from gdl.model import Game
from interpreter.check.finding import Finding, WitnessGame
from interpreter.check.places import warning
from interpreter.check.subject import Subject
from interpreter.verify.combinations import Combination, edges_of


def unused_options(game: Game) -> Iterator[Diagnostic]:
    """Yield the options whose names stand nowhere else in the file."""
    section = game.document.get("options")
    if not isinstance(section, Mapping):
        return
    others = [node.span.text for key, node in game.document.entries if key.text != "options"]
    others += [node.span.text for _, node in section.entries]
    words = set(re.findall(r"\w+", "\n".join(others)))
    for key, _ in section.entries:
        if key.text not in words:
            yield warning(
                "unused",
                f"The option `{key.text}` is declared, but nothing uses it.",
                key.span,
                "Remove it, or use it.",
            )


def idle_variants(subject: Subject) -> Iterator[Finding]:
    """Yield a warning for each variant that plays by the rules of the game itself."""
    game = subject.game()
    for name in subject.variants:
        variant = subject.game(name)
        assert game is not None
        if variant is not None and _is_same(game, variant):
            section = game.document.get("variants")
            entry = section.entry(name) if isinstance(section, Mapping) else None
            yield Finding(
                warning(
                    "no-effect",
                    f"The variant `{name}` has the same rules as the game itself.",
                    None if entry is None else entry[0].span,
                    "Look whether it says what was meant, or remove it.",
                )
            )


def check_options(subject: Subject) -> Iterator[Finding]:
    """Yield options with which the rules can't be read, and such as change nothing.

    Values are tried as long as that takes little time; the layer that plays tries the others.
    """
    game = subject.game()
    section = None if game is None else game.document.get("options")
    if game is None or not isinstance(section, Mapping):
        return
    unused = {found.message for found in unused_options(game)}
    failed: set[str] = set()
    same: dict[str, list[bool]] = defaultdict(list)
    end = time.process_time() + subject.seconds_for_options
    for combination in subject.option_combinations():
        if time.process_time() > end or not subject.may_load_more:
            break
        (name,) = combination.options
        other = subject.load(combination)[0]
        if other is not None:
            same[name].append(_is_same(game, other))
        elif name not in failed:
            failed.add(name)
            yield from option_fails(subject, combination)
    edges = {option.name: edges_of(option, game.sides) for option in game.options}
    for name, results in same.items():
        entry = section.entry(name)
        message = f"The option `{name}` is declared, but nothing uses it."
        if entry is None or name in failed or message in unused:
            continue
        if all(results) and len(results) >= len(edges[name]):
            yield Finding(
                warning(
                    "no-effect",
                    f"The option `{name}` changes nothing: the rules are the same with each value"
                    " that was tried.",
                    entry[0].span,
                    "Look whether it says what was meant, or remove it.",
                )
            )


def option_fails(subject: Subject, combination: Combination) -> Iterator[Finding]:
    """Yield that the rules can't be read with options that are allowed."""
    game = subject.game()
    section = None if game is None else game.document.get("options")
    name = next(iter(combination.options))
    entry = section.entry(name) if isinstance(section, Mapping) else None
    problem = next(d for d in subject.load(combination)[1] if d.severity == "error")
    values = " and ".join(f"{name} {value}" for name, value in combination.options.items())
    found = warning(
        "option-fails",
        f"With {values}, which is allowed, the rules can't be read: {problem.message}",
        None if entry is None else entry[0].span,
        problem.hint or "Allow less under `in`.",
        () if problem.span is None else (("It fails here.", problem.span),),
    )
    yield Finding(found, None, "witnessed", WitnessGame(combination, ()))


def _is_same(one: Game, other: Game) -> bool:
    """Return whether two games have the same rules, however they are written."""
    boards = [[(site.name, site.x, site.y) for site in game.board.sites] for game in (one, other)]
    first, second = ((game.program, game.sights) for game in (one, other))
    return boards[0] == boards[1] and equal_up_to_names(first, second, ())
