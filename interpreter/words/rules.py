"""All that the rules of a game say, in words.

In: a `Game`. Out: the ends, what a stuck side does, and the turn of each phase. What then holds:
what is the same for all sides is told once; what differs is told of each by its name. A text of the
author, under `rules`, stands in place of turns that would be generated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product

from gdl.core.nodes import Ending, Expression, Get, Slot
from gdl.core.types import NUMBER, SITES, Type
from gdl.data_classes import dataclass
from gdl.diagnostic import Report, Span
from gdl.document.nodes import Mapping as Document
from gdl.document.nodes import Node, Scalar
from gdl.elaborate.names.scope import Definition, Scope, written_in
from gdl.elaborate.names.values import RelationValue, Value
from gdl.elaborate.sections.sections import parsed, readable, texts
from gdl.elaborate.sections.vocabulary import DeclaredWords
from gdl.interpreter.english import in_words, listed, plural, region, sentence, single
from gdl.interpreter.words.asker import Asker
from gdl.interpreter.words.captions import filled
from gdl.interpreter.words.clauses import clause_condition, clause_sentence
from gdl.interpreter.words.context import IT, ITS_KIND, YOU, Context, Spoken, Voice, context_of
from gdl.interpreter.words.elements import loses_variable
from gdl.interpreter.words.phrases import Phrases
from gdl.interpreter.words.turns import Step, steps_of
from gdl.model import Game, OfAGame, game_of
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import condition_of, nodes_in

_SAY = Phrases()
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

    `meanings` are those of words of the file that are used by name; `sees` tells what a side sees
    of a game that hides something.
    """

    text: str
    turns: tuple[Part, ...]
    ends: tuple[Said, ...]
    meanings: tuple[str, ...] = ()
    sees: tuple[str, ...] = ()

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
        yield from self.sees
        yield from self.meanings


def rules_in_words(given: Game | OfAGame, /) -> RulesInWords:
    """Return what the rules of a game say. Raises TypeError for what is no Game and no Rules."""
    game = game_of(given)
    text = " ".join(game.credits.get("rules", "").split())
    if text and game.variants:
        text += "".join(f" Variant {name}: {game.all_variants[name]}" for name in game.variants)
    tied = set(_after_a_tie(game))
    asker = Asker(game)
    told = [replace(one, text=_TIED) if one.span in tied else one for one in _ends(asker)]
    ends = {said.text: said for said in reversed(told)}
    rules = RulesInWords(
        text, () if text else tuple(_turns(asker)), tuple(reversed(list(ends.values())))
    )
    if not isinstance(game.words, DeclaredWords):
        return rules
    rules = replace(rules, sees=tuple(_sees(asker, game.words.document, game.words.scope)))
    in_turns = "\n".join(replace(rules, text="", ends=(), sees=()).lines())
    in_ends = "\n".join((*(said.text for said in rules.ends), *rules.sees))
    return replace(rules, meanings=_meanings(asker, game.words.scope, in_turns, in_ends))


def told_of_kind(game: Game, kind: str) -> tuple[str, ...]:
    """Return what the rules say of a kind of piece, above all how it moves, as sentences.

    It is its caption, if it has one. Else it is what words of the file mean that are defined for
    it, and what the author's text says where it names the kind. Where no word is defined for it, it
    is all of that text, and which ways a turn offers for what was chosen. Words that are used so
    are told, too.
    """
    credits, caption = game.credits, game.looks.captions.get(kind, "")
    if caption:
        return (sentence(caption),)
    asker, text = Asker(game), " ".join((credits.get("rules") or credits.get("about", "")).split())
    written = [one for one in re.split(r"(?<=\.) ", text) if one]
    if len(game.kinds) == 1 and written:
        return tuple(map(sentence, written))
    names = re.compile(
        rf"\b({re.escape(in_words(kind))}|{re.escape(plural(in_words(kind)))})\b", re.IGNORECASE
    )
    words = game.words if isinstance(game.words, DeclaredWords) else None
    told = [] if words is None else list(_of_kind(kind, asker, words.scope))
    said = [text for _, text in told] + [one for one in written if names.search(one)]
    ways: list[str] = []
    if not told:
        said += [one for one in written if not names.search(one)]
        if "rules" not in credits:
            steps = [step for part in _turns(asker) for top in part.steps for step in top.all()]
            ways += dict.fromkeys(step.text for step in steps if step.leads_on or not written)
    if words is not None:
        used = "\n".join([text for _, text in told] + ways)
        ways += _meanings(asker, words.scope, used, "", known=[name for name, _ in told])
    return tuple(map(sentence, (*said, *ways)))


def _of_kind(kind: str, asker: Asker, whole: Scope) -> Iterator[tuple[str, str]]:
    """Yield words of the file, and what they mean of a kind of piece that they are defined for."""
    kinds = whole.declarations.kind_type.values
    for name, cases in whole.declarations.definitions.items():
        for case in cases if not cases[0].from_prelude else ():
            words = [parameter.word for parameter in case.head.parameters]
            named = [one for one in words if isinstance(one, t.Name) and one.name in kinds]
            if [one.name for one in named] != [kind] or isinstance(case.body, t.TableOf):
                continue
            others = [p for p in case.head.parameters if p.word is not named[0]]
            tell = partial(_of_one_kind, name, kind, case, others)
            said = _of_each_side(tell, asker, whole, YOU)
            if said:
                yield name, said


def _of_one_kind(
    name: str, kind: str, case: Definition, others: Sequence[t.Parameter], at: Context
) -> str:
    """Return what a word means that is defined for a kind and other parameters."""
    value = _of_types(others, case, at)[0]
    of_what = f" of {', '.join(p.name for p in others)}" if others else ""
    if len(others) == 1 and of_what != " of a" and f"{others[0].name}'s" not in value:
        its = rf"(?<![\w'“]){re.escape(others[0].name)}(?![\w'”])"
        of_what, value = "", re.sub(its, f"the {in_words(kind)}", value)
    return f"“{in_words(name)}”{of_what}: {value}" if value else ""


# ------------------------------------------------------------------------------ ends


def _after_a_tie(game: Game) -> Iterator[Span]:
    """Yield the clauses by which a game is drawn that would be won if one side had the most."""
    turns = (turn for phase in game.program.phases for turn in phase.turns)
    for endings in (each for turn in turns for each in (turn.endings, turn.stuck)):
        ranked = dict[str, str]()
        for ending in endings:
            node, _ = written_in(ending.origin)
            condition = condition_of(node) if isinstance(node, t.Ranking | t.Draw) else None
            when = "" if condition is None else " ".join(condition.span.text.split())
            if isinstance(node, t.Ranking) and not node.every:
                ranked[when] = ending.says
            elif isinstance(node, t.Draw) and ending.span and when in ranked:
                yield from [ending.span] if ending.says in ("", ranked[when]) else []


def all_ends(game: Game) -> tuple[Said, ...]:
    """Return the ends clause by clause, those that several phases say alike each time."""
    return tuple(_ends(Asker(game)))


def _ends(asker: Asker) -> Iterator[Said]:
    phases = asker.game.program.phases
    for yields in (False, True):
        for phase in phases:
            endings = [[e for e in turn.endings if e.yields is yields] for turn in phase.turns]
            yield from _of_phase(asker, endings, is_stuck=False)
        for phase in phases if not yields else ():
            yield from _of_phase(asker, [turn.stuck for turn in phase.turns], is_stuck=True)


def _of_phase(asker: Asker, turns: Sequence[Sequence[Ending]], *, is_stuck: bool) -> Iterator[Said]:
    game, said = asker.game, partial(clause_sentence, asker=asker, is_stuck=is_stuck)
    places: dict[Span, list[tuple[int, Ending]]] = {}
    movers: dict[Span, set[int]] = {}
    for side, endings in enumerate(turns):
        for ending in endings:
            if ending.span is not None:
                about = ending.sides[0] if len(ending.sides) == 1 else side
                places.setdefault(ending.span, []).append((about, ending))
                movers.setdefault(ending.span, set()).add(side)
    for span, found in places.items():
        texts = dict.fromkeys(said(one) for _, one in found)
        told: dict[str, tuple[str, ...]] = dict.fromkeys(texts, ())
        if len(texts) > 1 or len(movers[span]) < len(turns):
            by_side = sorted(found, key=lambda one: one[0])
            told = {said(one, side=game.sides[n]): _winners(game, one) for n, one in by_side}
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
    found = [said for said in _ends(Asker(game)) if said.span == span]
    of_these = [said for said in found if said.winners and set(said.winners) == set(winners)]
    return " ".join(dict.fromkeys(said.text for said in of_these or found))


def held_of(game: Game, span: Span, winners: Sequence[str]) -> str:
    """Return what held when a clause at a place ended a game, of the side that won or lost by it.

    Nothing where that is told of several, or of all.
    """
    asker, told = Asker(game), dict[str, None]()
    for turn in (turn for phase in game.program.phases for turn in phase.turns):
        for ending in turn.endings:
            if ending.span == span and ending.kind in ("wins", "loses") and len(ending.sides) == 1:
                side = game.sides[ending.sides[0]]
                others = [name for name in game.sides if name != side]
                enemy = others[0] if len(others) == 1 else "the enemy"
                if (side in winners) == (ending.kind == "wins"):
                    told[clause_condition(ending, asker, side, enemy)] = None
    return next(iter(told)) if len(told) == 1 else ""


# ------------------------------------------------------------------------------ turns


def _turns(asker: Asker) -> Iterator[Part]:
    words = asker.game.words
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
                yield from _of_sides(asker, words.scope, f"{heading}{after}", program)
        swap = _swap(parts.get("swap"), asker, words.scope)
        if swap:
            yield Part(heading, (Step(swap),))
    swap = _swap(document.get("swap"), asker, words.scope)
    if swap:
        yield Part("", (Step(swap),))


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
    asker: Asker, whole: Scope, heading: str, program: tuple[t.Statement, ...]
) -> Iterator[Part]:
    told: dict[tuple[Step, ...], list[str]] = {}
    for side, name in enumerate(asker.game.sides):
        at = context_of(asker, whole.turn_of(side), YOU)
        told.setdefault(steps_of(program, at), []).append(name)
    for steps, names in told.items():
        who = "" if len(told) == 1 else ", ".join(names)
        yield Part(": ".join(filter(None, (heading.lstrip(", "), who))), steps)


def _swap(node: Node | None, asker: Asker, whole: Scope) -> str:
    condition = readable(node, "expression")
    if condition is None:
        return ""
    at = context_of(asker, whole.turn_of(0), YOU)
    settled = at.settled(condition)
    if settled is False:
        return ""
    when = "" if settled else f", if {Phrases().holds(condition, at)}"
    return sentence(f"instead of a turn, the players may exchange sides{when}")


# ------------------------------------------------------------------ what a side sees


def _sees(asker: Asker, document: Document, whole: Scope) -> Iterator[str]:
    """Yield what a side sees, as sentences; nothing where nothing is hidden."""
    section = document.get("sees")
    if not isinstance(section, Document) or not asker.game.hides_by_sight:
        return
    at = context_of(asker, whole.turn_of(0), Voice("it", "its", "the enemy"))
    pieces = readable(section.get("pieces"), "expression")
    kinds = readable(section.get("kinds"), "expression")
    moves = readable(section.get("moves"), "expression")
    seen = "no pieces" if pieces is None else _seen(pieces, at)
    limit = "" if kinds is None or at.is_everything(kinds) else f"{_seen(kinds, at)} alone"
    if limit and pieces is not None and at.is_everything(pieces):
        yield sentence(f"a side sees where all pieces stand, but the kinds of {limit}")
    else:
        yield sentence(f"a side sees {seen}")
        if limit:
            yield sentence(f"it sees the kinds of {limit}")
    values = [
        one
        for text in texts(section.get("values"))
        for one in parsed(text, "arguments", Report()) or ()
    ]
    captions = asker.game.looks.captions
    told = dict.fromkeys(filter(None, (_told_value(one, at, captions) for one in values)))
    if told:
        yield sentence(f"it also sees {listed(told, 'and')}")
    if moves is None or at.settled(moves) is False:
        yield sentence("it is not told what others play")
    else:
        when = "" if at.settled(moves) else f" when {_SAY.holds(moves, at)}"
        yield sentence(f"it is told what others play{when}")


def _seen(node: t.Expression, at: Context) -> str:
    """Return what pieces are seen where a set of sites is."""
    if at.is_everything(node):
        return "all pieces"
    if isinstance(node, t.Operation) and node.operator == "|":
        return listed((_seen(one, at) for one in node.operands), "and")
    noun = _SAY.noun(node, at)
    return noun.many if noun.kind == "piece" else f"what stands on {noun.many}"


def _told_value(node: t.Expression, at: Context, captions: Mapping[str, str]) -> str:
    """Return what a value is called that a side sees; by its caption, if one names it.

    It is nothing where the caption is empty: that is seen on the board, or said by the author.
    """
    caption = captions.get(" ".join(node.span.text.split()))
    if caption == "":
        return ""
    if caption is not None and caption.endswith(": {}"):
        return caption.removesuffix(": {}")
    if isinstance(node, t.Name) and node.name == "hand":
        return "what is off the board" if at.asker.game.last_hands else "what is in the hands"
    if isinstance(node, t.Name) and node.name in at.scope.declarations.state:
        return f"“{in_words(node.name)}”"
    return _SAY.thing(node, at)


# --------------------------------------------- what words of a file mean that sentences use by name

_LONGEST = 600
_MOST_TRIED = 27
_FEWEST_KINDS = 2
_UNTOLD = re.compile(
    r"a part of the board|related to|as the file says|\bthe value\b|\ba number\b"
    r"|that (is|are) (not )?an? (site|piece) (that|in)\b"
)


def _meanings(
    asker: Asker, whole: Scope, turns: str, ends: str, known: Collection[str] | None = None
) -> tuple[str, ...]:
    """Return what the words mean, unless they are `known`, that turns and ends use by name.

    Of whole rules, of which nothing is said to be known, words that have sites for several kinds of
    pieces are told anyway, for that is how these move, unless captions of pieces say it; and so are
    captions of what is shown.
    """
    is_whole, told = known is None, dict.fromkeys(known or (), "")
    shown = asker.game.looks.captions if is_whole else {}
    tells_ways = is_whole and not any(shown.get(kind) for kind in asker.game.kinds)
    definitions = whole.declarations.definitions
    pending = [(turns, YOU), (ends, IT)]
    while pending:
        text, voice = pending.pop(0)
        for name, cases in definitions.items():
            if name in told or cases[0].from_prelude:
                continue
            if _is_used(name, cases, text) or (tells_ways and _tells_ways(cases, asker, whole)):
                tell = partial(_meaning, name, cases)
                told[name] = _of_each_side(tell, asker, whole, voice)
                pending.append((told[name], voice))
        for name in whole.declarations.state:
            words = in_words(name)
            if shown.get(name) and re.search(rf"“{words}”|\bthe {words} sites\b", text):
                caption = shown[name].removesuffix(": {}").replace("{}", "…")
                told[name] = f"“{words}”: {caption}."
    return tuple(told[name] for name in (*definitions, *whole.declarations.state) if told.get(name))


def _tells_ways(cases: Sequence[Definition], asker: Asker, whole: Scope) -> bool:
    """Return whether a word has sites for several kinds of pieces."""
    of_kinds = _of_kinds(cases, whole)
    if of_kinds is None:
        return False
    at, one = context_of(asker, whole.turn_of(0), YOU), of_kinds[0]
    others = [p for p in one.head.parameters if not _is_case(p.word, at)]
    return _of_types(others, one, at)[1].type_of(one.body) == SITES


def _of_kinds(cases: Sequence[Definition], whole: Scope) -> Sequence[Definition] | None:
    """Return those of the cases of a word that say something of each kind; None of other words."""
    kinds = whole.declarations.kind_type.values
    keyed = [
        case
        for case in cases
        for parameter in case.head.parameters
        if isinstance(parameter.word, t.Name) and parameter.word.name in kinds
    ]
    if len(keyed) < _FEWEST_KINDS:
        return None
    number = len(keyed[0].head.parameters)
    return [case for case in cases if len(case.head.parameters) == number]


def _is_used(name: str, cases: Sequence[Definition], text: str) -> bool:
    """Return whether a text has a word by its name: those that are no nouns are quoted there."""
    if len(cases) == 1 and cases[0].says:
        return False
    words = re.escape(in_words(name).removesuffix(" of"))
    if f"“{words}”" in text:
        return True
    if cases[0].result == "relation":
        return re.search(rf"\b{words} steps?\b", text) is not None
    is_noun = cases[0].result is not None or isinstance(cases[0].body, t.TableOf)
    return (is_noun or len(cases) > 1) and re.search(rf"\b{words}\b", text) is not None


def _of_each_side(tell: Callable[[Context], str], asker: Asker, whole: Scope, voice: Voice) -> str:
    """Return what is told of a word, after its name and a colon; of each side, where it differs."""
    told: dict[str, list[str]] = {}
    for side, name in enumerate(asker.game.sides):
        said = tell(context_of(asker, whole.turn_of(side), voice))
        told.setdefault(said, []).append(name)
    if len(told) == 1 or not all(told):
        return next(iter(told)) if len(told) == 1 else ""
    parts = [(listed(sides, "and"), *said.split(": ", 1)) for said, sides in told.items()]
    values = (f"for {sides} {value.removesuffix('.')}" for sides, _, value in parts)
    return f"{parts[0][1]}: {'; '.join(values)}."


def _meaning(name: str, cases: Sequence[Definition], at: Context) -> str:
    """Return what a word means; nothing if that can't be told."""
    words = in_words(name).removesuffix(" of")
    cases = _of_kinds(cases, at.scope) or cases
    if len({len(case.head.parameters) for case in cases}) > 1:
        return ""
    first = cases[0]
    if isinstance(first.body, t.TableOf) and len(cases) == 1:
        of = [p.name for p in first.head.parameters if p.name != first.body.asked.name]
        told = None if of else list(_entries(first.body.entries, at))
    elif len(cases) > 1:
        return _of_cases(words, cases, at)
    else:
        return _of_parameters(words, first, at)
    if told is None or not all(told):
        return ""
    return _checked(f"“{words}”{_steps(first, at)}: {'; '.join(told)}.")


def _entries(entries: Iterable[t.Entry], at: Context) -> Iterator[str]:
    """Yield what a table has for each of its keys; nothing where that can't be told."""
    for entry in entries:
        value = _value(entry.value, at)
        if entry.key is None:
            yield value and f"otherwise {value}"
        elif at.value(entry.key) is None:
            yield ""
        else:
            key = entry.key
            told = in_words(key.name) if isinstance(key, t.Name) else _SAY.thing(key, at)
            yield value and f"for {told} {value}"


def _of_cases(words: str, cases: Sequence[Definition], at: Context) -> str:
    """Return what a word means that is defined for some words each, such as kinds of pieces.

    The other parameters are called by their names, which are the same in all cases.
    """
    if any(isinstance(case.body, t.TableOf | t.DrawingOf) for case in cases):
        return ""
    rows = [case.head.parameters for case in cases]
    told, named = list[str](), set[tuple[str, ...]]()
    for case, row in zip(cases, rows, strict=True):
        keys = [p.word for p in row if p.type is None and _is_case(p.word, at)]
        others, here = [p for p in row if p.word not in keys], at
        if not keys and _of_kinds(cases, at.scope) is not None:
            kinds = [p for p in others if p.type == "kind"]
            if len(kinds) == 1:
                others.remove(kinds[0])
                slot = Get(Slot(kinds[0].name, at.scope.declarations.kind_type))
                here = at.named(kinds[0].name, ITS_KIND, slot)
        named.add(tuple(p.name for p in others))
        value = _checked(_of_types(others, case, here)[0])
        if not value:
            return ""
        keyed = [in_words(key.name) if isinstance(key, t.Name) else key.text for key in keys]
        told.append(f"for {listed(keyed, 'and')} {value}" if keys else f"otherwise {value}")
    if len(named) > 1 or (len(told) > 1 and any(one.startswith("otherwise") for one in told[:-1])):
        return ""
    of_what = f" of {', '.join(*named)}" if any(named) else ""
    return f"“{words}”{_steps(cases[0], at)}{of_what}: {'; '.join(told)}."


def _is_case(word: t.Name | t.Number, at: Context) -> bool:
    """Return whether a parameter stands for one value, which the file or the language names."""
    return isinstance(word, t.Number) or at.value(word) is not None


def _of_parameters(words: str, one: Definition, at: Context) -> str:
    """Return what a word means of its parameters, which are called by their names."""
    value, inner = _of_types(one.head.parameters, one, at)
    if not value:
        return ""
    names = [parameter.name for parameter in one.head.parameters]
    of_what = f" of {', '.join(names)}" if names else ""
    return _checked(f"“{words}”{_steps(one, inner)}{of_what}: {value}.")


def _of_types(
    parameters: Sequence[t.Parameter], of_what: Definition, at: Context
) -> tuple[str, Context]:
    """Return what a definition stands for, nothing if that can't be told, and in which context.

    Where its rules can't be told, or not without other words of the file, the author's words stand
    in their place. Parameters have the types that the file says, or the first with which the body
    has a value.
    """
    d = at.scope.declarations
    known = {"sites": SITES, "side": d.side_type, "kind": d.kind_type, "number": NUMBER}
    usual = (SITES, d.side_type, NUMBER, d.kind_type)
    sorts = [usual if p.type is None else (known.get(p.type, SITES),) for p in parameters]
    for types in list(product(*sorts))[:_MOST_TRIED]:
        inner = at
        for parameter, of in zip(parameters, types, strict=True):
            spoken = _parameter(parameter, of, of_what.body)
            inner = inner.named(parameter.name, spoken, Get(Slot(parameter.name, of)))
        value = _value(of_what.body, inner)
        if of_what.says and (not value or "“" in value):
            value = filled(of_what.says, inner, _SAY)
        if value:
            return value, inner
    return "", at


def _parameter(parameter: t.Parameter, of: Type, body: t.Expression) -> Spoken:
    """Return how a parameter is called: as several sites where it is used as such, else as one."""
    name = parameter.name
    if of != SITES:
        return Spoken(name)
    direct = (
        one.operator
        for one in nodes_in([body])
        if isinstance(one, t.Operation)
        and any(isinstance(part, t.Name) and part.name == name for part in one.operands)
    )
    is_many = parameter.type == "sites" or any(word in ("count", "some", "no") for word in direct)
    counted = (
        part
        for one in nodes_in([body])
        if isinstance(one, t.Operation) and one.operator == "count"
        for part in nodes_in(one.operands)
        if isinstance(part, t.Operation) and part.operator == "&"
    )
    is_many |= any(
        isinstance(x, t.Name) and x.name == name for one in counted for x in one.operands
    )
    return Spoken(name, noun=region(name) if is_many else single(name))


def _steps(one: Definition, at: Context) -> str:
    """Return the word for what a relation leads along."""
    body = one.body.entries[0].value if isinstance(one.body, t.TableOf) else one.body
    return " step" if one.result == "relation" or at.is_relation(body) else ""


def _value(node: t.Expression, at: Context) -> str:
    """Return what something stands for; nothing if its value can't be worked out."""
    value: Value | None = at.value(node)
    if loses_variable(node):
        return ""
    if isinstance(value, RelationValue):
        return _SAY.way(node, at).along
    if not isinstance(value, Expression):
        return ""
    if value.type.name == "flag":
        return f"that {_SAY.holds(node, at)}"
    return _SAY.thing(node, at)


def _checked(text: str) -> str:
    """Return a sentence if it tells all that it should."""
    return "" if len(text) > _LONGEST or _UNTOLD.search(text) else text
