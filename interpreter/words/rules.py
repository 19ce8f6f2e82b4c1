"""All that the rules of a game say, in words.

In: a `Game`. Out: the ends, what a stuck side does, and the turn of each phase. What then holds:
what is the same for all sides is told once; what differs is told of each by its name. A text of the
author, under `rules`, stands in place of turns that would be generated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from gdl.core.nodes import Ending
from gdl.data_classes import dataclass
from gdl.diagnostic import Report, Span
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.scope import Declarations, Scope
from gdl.elaborate.sections import parsed, readable
from gdl.elaborate.vocabulary import DeclaredWords
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.parts import condition_of
from interpreter.words.clauses import clause_sentence
from interpreter.words.context import YOU, context_of
from interpreter.words.english import in_words, sentence
from interpreter.words.meanings import meanings
from interpreter.words.phrases import Phrases
from interpreter.words.turns import Step, steps_of

_TIED = "In a tie, the game is a draw."


@dataclass(frozen=True)
class Said:
    """A clause in words: where it stands in the file, and what it says.

    `winners` are the sides that win by it, where it says something else of each side.
    """

    span: Span
    text: str
    is_stuck: bool = False
    winners: tuple[str, ...] = ()


@dataclass(frozen=True)
class Part:
    """The turn of a phase, or of one side in it: steps, and a heading if there are several."""

    heading: str
    steps: tuple[Step, ...]


@dataclass(frozen=True)
class RulesInWords:
    """The rules of a game: `text` of the author, or turns step by step; ends, in their order.

    `meanings` are those of words of the file that are used by name.
    """

    text: str
    turns: tuple[Part, ...]
    ends: tuple[Said, ...]
    meanings: tuple[str, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield the rules as lines, deeper steps further in."""
        if self.text:
            yield self.text
        for part in self.turns:
            if part.heading:
                yield f"{part.heading}:"
            for step in part.steps:
                yield from step.lines("  " if part.heading else "")
        for said in self.ends:
            yield said.text
        yield from self.meanings


def rules_in_words(game: Game) -> RulesInWords:
    """Return what the rules of a game say."""
    text = " ".join(game.credits.get("rules", "").split())
    if text and game.variants:
        text += "".join(f" Variant {name}: {game.all_variants[name]}" for name in game.variants)
    tied = set(_after_a_tie(game))
    told = [replace(one, text=_TIED) if one.span in tied else one for one in _ends(game)]
    ends = {said.text: said for said in reversed(told)}
    rules = RulesInWords(
        text, () if text else tuple(_turns(game)), tuple(reversed(list(ends.values())))
    )
    if not isinstance(game.words, DeclaredWords):
        return rules
    in_turns = "\n".join(replace(rules, text="", ends=()).lines())
    in_ends = "\n".join(said.text for said in rules.ends)
    return replace(rules, meanings=meanings(game.words.declarations, in_turns, in_ends))


# ------------------------------------------------------------------------------ ends


def _after_a_tie(game: Game) -> Iterator[Span]:
    """Yield the clauses by which a game is drawn that would be won if one side had the most."""
    for turn in (turn for phase in game.program.phases for turn in phase.turns):
        ranked: set[str] = set()
        for ending in turn.endings:
            node = None if ending.origin is None else ending.origin.node
            condition = condition_of(node) if isinstance(node, t.Ranking | t.Draw) else None
            when = "" if condition is None else " ".join(condition.span.text.split())
            if isinstance(node, t.Ranking) and not node.every:
                ranked.add(when)
            elif isinstance(node, t.Draw) and when in ranked and ending.span and not ending.says:
                yield ending.span


def all_ends(game: Game) -> tuple[Said, ...]:
    """Return the ends clause by clause, those that several phases say alike each time."""
    return tuple(_ends(game))


def _ends(game: Game) -> Iterator[Said]:
    phases = game.program.phases
    for yields in (False, True):
        for phase in phases:
            endings = [[e for e in turn.endings if e.yields is yields] for turn in phase.turns]
            yield from _of_phase(game, endings, is_stuck=False)
        for phase in phases if not yields else ():
            yield from _of_phase(game, [turn.stuck for turn in phase.turns], is_stuck=True)


def _of_phase(game: Game, turns: Sequence[Sequence[Ending]], *, is_stuck: bool) -> Iterator[Said]:
    places: dict[Span, list[tuple[int, Ending]]] = {}
    for side, endings in enumerate(turns):
        for ending in endings:
            if ending.span is not None:
                about = ending.sides[0] if len(ending.sides) == 1 else side
                places.setdefault(ending.span, []).append((about, ending))
    for span, found in places.items():
        texts = dict.fromkeys(clause_sentence(one, is_stuck=is_stuck) for _, one in found)
        told: dict[str, tuple[str, ...]] = dict.fromkeys(texts, ())
        if len(texts) > 1:
            told = {
                clause_sentence(one, is_stuck=is_stuck, side=game.sides[side]): _winners(game, one)
                for side, one in sorted(found, key=lambda one: one[0])
            }
        for text, winners in told.items():
            if text:
                yield Said(span, text, is_stuck, winners)


def _winners(game: Game, ending: Ending) -> tuple[str, ...]:
    """Return the sides that win by an ending; none where that is known at the end alone."""
    if ending.kind not in ("wins", "loses"):
        return ()
    wins = ending.kind == "wins"
    return tuple(name for n, name in enumerate(game.sides) if (n in ending.sides) == wins)


def said_of(game: Game, span: Span | None, winners: Sequence[str] = ()) -> str:
    """Return what the clause at a place says; nothing if there is none.

    If it says something else of each side, only what is said of those who win by it, if that is
    told.
    """
    found = [said for said in _ends(game) if said.span == span]
    of_these = [said for said in found if said.winners and set(said.winners) == set(winners)]
    return " ".join(dict.fromkeys(said.text for said in of_these or found))


# ------------------------------------------------------------------------------ turns


def _turns(game: Game) -> Iterator[Part]:
    words = game.words
    if not isinstance(words, DeclaredWords):
        return
    document, phases = words.document, _phases(words.document)
    for name, parts in phases:
        heading = f"Phase “{in_words(name)}”" if len(phases) > 1 else ""
        seat = parts.get("seat")
        if isinstance(seat, Scalar):
            who = seat.text.strip()
            heading += ", left to chance" if who == "nobody" else f", played by seat {who}"
        for key, before in (("together", ", all decide at the same time"), ("turn", "")):
            program = _program(parts.get(key) or (document.get(key) if key not in parts else None))
            if program:
                together = (
                    key == "turn" and parts.get("together", document.get("together")) is not None
                )
                after = ", then" if together else before
                yield from _of_sides(game, words.declarations, f"{heading}{after}", program)
        swap = _swap(parts.get("swap"), words.declarations)
        if swap:
            yield Part(heading, (Step(swap),))
    swap = _swap(document.get("swap"), words.declarations)
    if swap:
        yield Part("", (Step(swap, is_decision=True),))


def _phases(document: Document) -> list[tuple[str, dict[str, Node]]]:
    section = document.get("phases")
    if not isinstance(section, Document):
        return [("play", {})]
    found: list[tuple[str, dict[str, Node]]] = []
    for key, node in section.entries:
        if isinstance(node, Document):
            found.append((key.text, {entry.text: value for entry, value in node.entries}))
        else:
            found.append((key.text, {"turn": node}))
    return found


def _program(node: Node | None) -> tuple[t.Statement, ...]:
    report = Report()
    if isinstance(node, Document):
        ways = [parsed(way, "program", report) or () for _, way in node.entries]
        found = tuple(t.Alternative(node.span, None, tuple(way)) for way in ways)
        return (t.Either(node.span, found),) if len(found) > 1 else tuple(ways[0]) if ways else ()
    return tuple(parsed(node, "program", report) or ())


def _of_sides(
    game: Game, declarations: Declarations, heading: str, program: tuple[t.Statement, ...]
) -> Iterator[Part]:
    told: dict[tuple[Step, ...], list[str]] = {}
    for side, name in enumerate(game.sides):
        at = context_of(Scope(declarations, side, side), YOU)
        told.setdefault(steps_of(program, at), []).append(name)
    for steps, names in told.items():
        who = "" if len(told) == 1 else ", ".join(names)
        yield Part(": ".join(filter(None, (heading.lstrip(", "), who))), steps)


def _swap(node: Node | None, declarations: Declarations) -> str:
    condition = readable(node, "expression")
    if condition is None:
        return ""
    at = context_of(Scope(declarations, 0, 0), YOU)
    settled = at.settled(condition)
    if settled is False:
        return ""
    when = "" if settled else f", if {Phrases().holds(condition, at)}"
    return sentence(f"instead of a turn, the players may exchange sides{when}")
