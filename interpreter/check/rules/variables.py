"""Variables that turns write and nothing reads, or that are read and never change.

In: the programs of a game and its variants. Out: warnings. What then holds: each is proved.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from gdl.codes import Code
from gdl.core.memo import Memo
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Choose,
    Const,
    Decide,
    Expression,
    ForEach,
    Get,
    Op,
    Program,
    RangeOf,
    Repeat,
    Slot,
    Statement,
    Times,
)
from gdl.core.types import NUMBER
from gdl.core.walk import (
    assigned_slots,
    blocks_of,
    expressions_of,
    program_statements,
    slots_read_outside_turns,
    statements_in,
)
from gdl.diagnostic import Diagnostic, Span
from gdl.document.nodes import Mapping, Node, Scalar
from gdl.elaborate.pieces.hand_words import HAND, OUT_OF_HAND
from gdl.elaborate.sections.sections import readable
from gdl.interpreter.check.definitions import definitions_behind, variable_names, words_in
from gdl.interpreter.check.places import (
    PROGRAMS,
    RULES,
    note,
    parsed_rules,
    warning,
    without_comments,
)
from gdl.model import Game
from gdl.syntax import tree as t
from gdl.syntax.tree.walk import blocks_inside, nodes_in

_TEXTS = ("turn", "phases", "actions", "define", "end", "stuck", "display", "sees", "variants")
_LET = re.compile(r"\blet (\w+) =")
_NAME = re.compile(r"[A-Za-z_]\w*")


def never_read(game: Game) -> Iterator[Diagnostic]:
    """Yield the variables that turns write and nothing reads, nor the display draws.

    One that no turn writes may be there for the names that it lists. One that has a caption may be
    there to be shown.
    """
    state = game.program.state
    shown = {layer.slot for layer in game.layers} | set(game.marks)
    variables = {s: s.span for s in state if s.span is not None and s not in shown}
    looks, shown_values = game.looks, (*game.scores, *game.sights)
    drawn = {*looks.figures, *looks.places, *looks.numbers, *looks.cards}
    read: AbstractSet[Slot] = looks.free.union(*(value.free for value in shown_values))
    for statement in program_statements(game.program):
        own = {statement.slot} if isinstance(statement, Assign | AssignAt) else set()
        for expression in expressions_of(statement):
            read |= expression.free - own
    read |= slots_read_outside_turns(game.program)
    written = set[Slot]().union(*(assigned_slots(turn.program) for turn in game.program.turns))
    read |= {slot for slot in variables if slot.type.name == "name" and slot not in written}
    examples = game.document.get("examples")
    mentioned = set(re.findall(r"\w+", "" if examples is None else examples.span.text))
    by_span: dict[Span, list[Slot]] = {}
    for slot, span in variables.items():
        by_span.setdefault(span, []).append(slot)
    for span, slots in by_span.items():
        name = slots[0].name.partition("(")[0]
        if any(slot in read for slot in slots) or name in mentioned or name in drawn:
            continue
        if name in looks.captions:
            yield note(
                Code.NEVER_READ,
                f"`{name}` is shown with its caption, but no rule depends on it.",
                span,
                "See whether a turn or an end should ask for it.",
            )
            continue
        yield warning(
            Code.NEVER_READ,
            f"`{name}` is kept, but no rule depends on it.",
            span,
            "Remove it, or ask for it in a turn or an end. To show it with the position, name it in"
            " `scores` or `captions` under `display`.",
        )


def unread_choices(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the choices of which in none of the games anything depends on what is chosen.

    Among as many numbers as there are of something, chance chooses to make that so much likelier.
    """
    never_read: dict[Span, str] = {}
    read: set[Span] = set()
    for game in games:
        for turn in (turn for p in game.program.phases if p.by_chance for turn in p.turns):
            read |= {s.span for s in statements_in(turn.program) if s.span and _is_weight(s)}
        statements = list(program_statements(game.program))
        used = frozenset[Slot]().union(*(e.free for s in statements for e in expressions_of(s)))
        for choice in statements:
            if isinstance(choice, Choose) and choice.span is not None:
                if choice.slot in used or choice.unordered_with is not None:
                    read.add(choice.span)
                else:
                    never_read[choice.span] = choice.slot.name
    for span, name in never_read.items():
        if span not in read:
            yield warning(
                Code.UNREAD_CHOICE,
                f"Nothing depends on which `{name}` is chosen.",
                span,
                "Use it in what follows: place, move or remove something there.",
            )


def _is_weight(statement: Statement) -> bool:
    """Return whether a statement chooses among numbers of which there are not always as many."""
    domain = statement.domain if isinstance(statement, Choose) else None
    return isinstance(domain, RangeOf) and any(part.free for part in domain.parts())


def unread_words(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the words that turns `let` be something, and that stand nowhere else."""
    found: dict[str, Span] = {}
    used: Counter[str] = Counter()
    for game in games:
        for key in _TEXTS:
            node = game.document.get(key)
            if node is None:
                continue
            code = without_comments(node.span.text)
            used.update(set(_NAME.findall(_LET.sub("", code))))
            for let in _LET.finditer(code):
                start = node.span.start + let.start(1)
                found.setdefault(let[1], Span(node.span.source, start, start + len(let[1])))
    for name, span in found.items():
        if not used[name]:
            yield warning(
                Code.UNUSED,
                f"`{name}` is given a value here, but nothing uses it.",
                span,
                "Remove it, or use it.",
            )


def never_written(games: Sequence[Game]) -> Iterator[Diagnostic]:
    """Yield the variables that rules read, and that no turn changes in any of the games."""
    read: dict[Span, str] = {}
    written: set[Span] = set()
    for game in games:
        marks = set(game.marks)
        for slot in game.program.state:
            if slot.span is not None and slot in game.state_slots.values() and slot not in marks:
                read[slot.span] = slot.name.partition("(")[0]
        for turn in game.program.turns:
            written |= {s.span for s in assigned_slots(turn.program) if s.span is not None}
    for span, name in read.items():
        if span not in written:
            yield warning(
                Code.NEVER_WRITTEN,
                f"`{name}` is asked for, but no turn ever changes it.",
                span,
                OUT_OF_HAND
                if name == HAND
                else "Let a turn set it or add to it; a value that stays the same may be an option"
                " or a definition.",
            )


def captions_without_value(game: Game) -> Iterator[Diagnostic]:
    """Yield the captions of numbers, and of hands, in which the number itself does not come."""
    display = game.document.get("display")
    section = display.get("captions") if isinstance(display, Mapping) else None
    numbers = {s.name.partition("(")[0] for s in game.state_slots.values() if s.type == NUMBER}
    if game.hands:
        numbers.add("hand")
    for key, text in section.entries if isinstance(section, Mapping) else ():
        name, _, rest = key.text.partition("(")
        is_number = name in numbers and not rest.partition(")")[2]
        if is_number and isinstance(text, Scalar) and text.text and "{" not in text.text:
            yield note(
                Code.CAPTION_WITHOUT_VALUE,
                f"This caption does not say where the value of `{name}` comes, which is not shown.",
                text.span,
                f'Write `{{}}` where it is to stand, between quotes: `"{text.text}: {{}}"`.',
            )


# -------------------------- positions that never come again, since a variable in them counts on

_How = Literal["kept", "grown", "set", "other"]
"""What a way through a turn does to a number: nothing, add to it, set it to a constant, or else."""


def never_repeating(game: Game) -> Iterator[Diagnostic]:
    """Yield where `seen` compares a number that each turn adds to, or sets back to a constant.

    Until it is set back, nothing that it is a part of comes again. A number that turns ask for, as
    one that counts the steps of a move, may be meant; and so may one that only some turns change.
    """
    program = game.program
    variables = [slot for slot in game.state_slots.values() if slot not in game.marks]
    for memory in program.memories:
        compared = [p.slot for p in memory.key if isinstance(p, Get) and p.slot in variables]
        counting = [slot for slot in compared if _counts_on(program, slot)]
        if not counting or counting[0] in _asked(program):
            continue
        names = [slot.name.partition("(")[0] for slot in compared if slot not in counting]
        yield note(
            Code.NEVER_REPEATS,
            f"Each turn adds to `{counting[0].name.partition('(')[0]}`, which is compared here, or"
            " sets it back: until it is set back, nothing is the same twice.",
            memory.span,
            "Say what is to be the same without it:"
            f" `seen({', '.join(dict.fromkeys(('board', 'mover', *names)))})`.",
            [("It is kept here.", slot.span) for slot in counting[:1] if slot.span is not None],
        )


def _asked(program: Program) -> set[Slot]:
    """Return what turns ask for: not what `seen` compares, nor a number to which they add."""
    pending = [
        expression
        for statement in program_statements(program)
        for expression in expressions_of(statement)
        if not (isinstance(statement, Assign) and _how(statement) == "grown")
    ]
    found, known = set[Slot](), Memo[Expression, bool]()
    while pending:
        one = pending.pop()
        if isinstance(one, Get):
            found.add(one.slot)
        elif one not in known and not isinstance(one, Times):
            known.keep(one, True)
            pending += one.parts()
    return found


def _counts_on(program: Program, slot: Slot) -> bool:
    """Return whether all ways through the turns that change a number add to it, or set it back.

    Each of these turns must have a way that adds, and none may lead to a phase without such turns.
    """
    counting, led_to = set[object](), set[object]()
    for number, phase in enumerate(program.phases):
        for turn in phase.turns:
            if any(ending.kind == "passes" for ending in turn.clauses):
                return False
            ways = _ways(turn.program, slot, {"kept"})
            if ways == {"kept"}:
                continue
            if "grown" not in ways or not ways <= {"grown", "set"}:
                return False
            counting.add(number)
            led_to |= {
                s.value.value if isinstance(s.value, Const) else None
                for s in statements_in(turn.program)
                if isinstance(s, Assign) and s.slot is program.system.phase
            }
    return bool(counting) and led_to <= counting


def _ways(block: Block, slot: Slot, before: AbstractSet[_How]) -> AbstractSet[_How]:
    """Return what the ways through a block do to a number, after what was done before."""
    for statement in block:
        match statement:
            case Assign() if statement.slot == slot:
                how = _how(statement)
                before = {"set"} if how == "set" else {_added(one, how) for one in before}
            case AssignAt() if statement.slot == slot:
                before = {"other"}
            case ForEach() | Repeat():
                before = before | _ways(statement.body, slot, before)
            case Branch() | Decide():
                before = {
                    how for inner in blocks_of(statement) for how in _ways(inner, slot, before)
                }
    return before


def _added(before: _How, how: _How) -> _How:
    """Return what is done to a number by two statements, of which the second does not set it."""
    return before if how == "grown" and before in ("set", "other") else how


def _how(statement: Assign) -> _How:
    match statement.value:
        case Const():
            return "set"
        case Op("add", (Get(slot), Const(value=int() as number))) if slot == statement.slot:
            return "grown" if number > 0 else "other"
    return "other"


# -------------- values that a turn gives to a variable and takes back before anything asks for them


def lost_values(game: Game) -> Iterator[Diagnostic]:
    """Yield values that are lost at once, and variables that are set to what they are."""
    for block in parsed_rules(game, PROGRAMS):
        yield from _in_block(game, block)


def _in_block(game: Game, block: tuple[t.Node, ...]) -> Iterator[Diagnostic]:
    set_at: dict[str, Span] = {}
    for statement in block:
        for inner in blocks_inside(statement):
            yield from _in_block(game, inner)
        if not isinstance(statement, t.Assign | t.Add):
            if isinstance(statement, t.If):
                for target in tuple(set_at):
                    if again := _setting(game, (statement,), target):
                        yield _lost(target, set_at.pop(target), again)
            for name in _words(game, statement):
                set_at.pop(name, None)
            if isinstance(statement, t.Do):
                set_at.clear()
            continue
        name, target = statement.target.name.name, " ".join(statement.target.span.text.split())
        value = statement.value if isinstance(statement, t.Assign) else statement.amount
        asked = _words(game, value) | (_words(game, statement.target) - {name})
        if isinstance(statement, t.Assign):
            if " ".join(value.span.text.split()) == target:
                yield warning(
                    Code.NEVER_CHANGES,
                    f"This sets `{target}` to what it is already.",
                    statement.span,
                    "See which value was meant; or leave it out.",
                )
            elif name not in asked and target in set_at:
                yield _lost(target, set_at[target], [statement.span])
        for word in (name, *asked):
            for kept in [kept for kept in set_at if kept.partition("(")[0] == word]:
                if word in asked or isinstance(statement, t.Assign):
                    del set_at[kept]
        set_at[target] = statement.span


def _lost(target: str, span: Span, again: list[Span]) -> Diagnostic:
    return warning(
        Code.LOST_VALUE,
        f"What `{target}` is given here is lost: it is set again before anything asks for it.",
        span,
        "See whether the other statement should stand above, or under an `if`.",
        [("It is set again here.", place) for place in again],
    )


def _setting(game: Game, block: tuple[t.Node, ...], target: str) -> list[Span]:
    """Return where a block sets a variable before it asks for it, if it does so on each way."""
    name = target.partition("(")[0]
    for statement in block:
        match statement:
            case t.Assign(target=changed, value=value):
                if " ".join(changed.span.text.split()) == target:
                    return [] if name in _words(game, value) else [statement.span]
            case t.If(condition=condition, then=then, otherwise=otherwise):
                if name not in _words(game, condition):
                    ways = [_setting(game, way, target) for way in (then, otherwise)]
                    if all(ways):
                        return [span for way in ways for span in way]
            case t.Do():
                return []
        if name in _words(game, statement):
            return []
    return []


def _words(game: Game, node: t.Node) -> set[str]:
    """Return the names in a part of a turn, and in the definitions that these stand for."""
    words = {inner.name for inner in nodes_in((node,)) if isinstance(inner, t.Name)}
    for definition in definitions_behind(game, node.span):
        words.update(words_in(definition.text))
    return words


# ------------------------------------------- parameters that what they belong to does not depend on

_SECTIONS = ("define", "regions", "relations", "actions")
_WORD = re.compile(r"[A-Za-z_]\w*")


def never_spent(game: Game) -> Iterator[Diagnostic]:
    """Yield what is given to another variable, or to an action, and never becomes less.

    It begins at 0, and is only added to, a number or one that is chosen among numbers from 0 on:
    what begins higher may be a price.
    """
    begins = dict(zip(game.program.state, game.program.initial, strict=True))
    begun = {name.partition("(")[0] for name, slot in game.state_slots.items() if begins.get(slot)}
    variables = variable_names(game) - begun
    growing, changed, given = set[str](), set[str](), dict[str, Span]()
    for rules in parsed_rules(game, PROGRAMS):
        nodes = list(nodes_in(rules))
        ranges = {
            n.variable.name for n in nodes if isinstance(n, t.Choose) and _from_zero(n.domain)
        }
        same = {
            n.name.name: names
            for n in nodes
            if isinstance(n, t.LetStatement)
            if (names := _names(n.value))
        }
        for node in nodes:
            asked, name = set[str](), ""
            match node:
                case t.Add(amount=amount, target=t.Target(name=t.Name(name=name))):
                    asked = _names(amount)
                    grows = isinstance(amount, t.Number) or _name_of(amount) in ranges
                    (growing if grows else changed).add(name)
                case t.Assign(value=value, target=t.Target(name=t.Name(name=name))):
                    changed.add(name)
                    asked = _names(value) if name in _names(value) else set()
                case t.Do(arguments=arguments):
                    asked = {one.name for one in arguments if isinstance(one, t.Name)}
            for word in asked:
                for one in {word, *same.get(word, ())} & variables - {name}:
                    given.setdefault(one, node.span)
    for name in sorted(growing & given.keys() - changed):
        yield note(
            Code.NEVER_SPENT,
            f"`{name}` is given away here, and nothing ever takes from it.",
            given[name],
            "See whether it should be set back, or become less, when it is given.",
        )


def _names(node: t.Node) -> set[str]:
    return {one.name for one in nodes_in([node]) if isinstance(one, t.Name)}


def _name_of(node: t.Node) -> str:
    """Return the variable that is asked, if nothing else is."""
    asked = node.function if isinstance(node, t.Call) else node
    return asked.name if isinstance(asked, t.Name) else ""


def _from_zero(domain: t.Node) -> bool:
    return isinstance(domain, t.Range) and isinstance(domain.low, t.Number)


def equal_names(game: Game) -> Iterator[Diagnostic]:
    """Yield statements that name both of what is the same: `if p = giver do pay(giver, n(p))`."""
    for rules in parsed_rules(game, PROGRAMS):
        for node in nodes_in(rules):
            match node:
                case t.If(
                    condition=t.Operation(
                        operator="=", operands=(t.Name(name=one), t.Name(name=other))
                    ) as condition,
                    then=then,
                ):
                    for statement in then:
                        if {one, other} <= _names(statement):
                            yield note(
                                Code.EQUAL_NAMES,
                                f"`{one}` and `{other}` are the same here, and both are named.",
                                statement.span,
                                "See whether `!=` is meant, or name one of them alone.",
                                (("They are the same by this.", condition.span),),
                            )


def below_bounds(game: Game) -> Iterator[Diagnostic]:
    """Yield what is compared with the number before the last that it may be, and never with that.

    Such as `steps = 7` of `steps: number in 0..8`, which one after the other is added to.
    """
    rules = [node for rules in parsed_rules(game, RULES) for node in nodes_in(rules)]
    added = {
        n.target.name.name for n in rules if isinstance(n, t.Add) and n.amount.span.text == "1"
    }
    changed = {n.target.name.name for n in rules if isinstance(n, t.Assign)} | {
        n.target.name.name for n in rules if isinstance(n, t.Add) and n.amount.span.text != "1"
    }
    compared: dict[str, dict[int, Span]] = {}
    for node in rules:
        match node:
            case t.Operation(operator="=" | ">=", operands=(asked, t.Number(text=text))):
                compared.setdefault(_name_of(asked), {})[int(text)] = node.span
    section = game.document.get("state")
    for key, body in section.entries if isinstance(section, Mapping) else ():
        name, bound = key.text.partition("(")[0].strip(), _BOUND.match(body.span.text)
        numbers = compared.get(name, {})
        if bound is None or name in changed or name not in added or max(numbers, default=0) < 2:
            continue
        if max(numbers) == int(bound[1]) - 1:
            yield note(
                Code.BELOW_BOUND,
                f"`{name}` may be {bound[1]}, and is compared with one less.",
                numbers[max(numbers)],
                "See whether the last of them is meant; else, let it end with this number.",
                (("What it may be is said here.", body.span),),
            )


_BOUND = re.compile(r"number in \d+\.\.(\d+)\b")


def unused_parameters(game: Game) -> Iterator[Diagnostic]:
    """Yield the parameters without which what they belong to would be the same in all variants."""
    same: dict[tuple[str, int], list[tuple[t.Head, Node]]] = defaultdict(list)
    variants = game.document.get("variants")
    changed = variants.entries if isinstance(variants, Mapping) else ()
    for part in (game.document, *(one for _, one in changed)):
        for head, body in _definitions(part):
            same[head.name.name, len(head.parameters)].append((head, body))
    constants = _constants(game)
    for (name, number), found in same.items():
        for place in range(number):
            words = [head.parameters[place].name for head, _ in found]
            if any(word in constants or not word.isidentifier() for word in words):
                continue
            if any(
                word in _words_of_texts(body) for word, (_, body) in zip(words, found, strict=True)
            ):
                continue
            yield warning(
                Code.UNUSED_PARAMETER,
                f"`{name}` does not depend on its parameter `{words[0]}`.",
                found[0][0].parameters[place].span,
                f"Use `{words[0]}` in it, or leave it out here and where `{name}` is asked for.",
            )


def exchanged_arguments(game: Game) -> Iterator[Diagnostic]:
    """Yield where a definition is given the names of its own parameters, in another order.

    Where it is joined with the same in order, as in `near(s, t) or near(t, s)`, both are meant.
    """
    heads = {
        head.name.name: ([one.name for one in head.parameters], head.span)
        for head, _ in _definitions(game.document)
        if len(head.parameters) > 1
    }
    for rules in parsed_rules(game, RULES) if heads else ():
        meant: set[Span] = set()
        for node in nodes_in(rules):
            if isinstance(node, t.Operation):
                calls = [one for one in node.operands if isinstance(one, t.Call)]
                straight = {
                    _word(one) for one in calls if _given(one) == heads.get(_word(one), ((),))[0]
                }
                meant.update(one.span for one in calls if _word(one) in straight)
            if not isinstance(node, t.Call) or _word(node) not in heads or node.span in meant:
                continue
            (names, head), given = heads[_word(node)], _given(node)
            if given != names and sorted(given) == sorted(names) and len(set(given)) == len(given):
                yield note(
                    Code.ARGUMENTS_EXCHANGED,
                    f"`{_word(node)}` is given {_listed(given)} here, and its parameters are"
                    f" {_listed(names)}, in this order.",
                    node.span,
                    f"See whether `{_word(node)}({', '.join(names)})` is meant.",
                    (("It is defined here.", head),),
                )


_OF_WIDTH = re.compile(r"(?:^|_)(?:width|wide|columns?|files)(?:_|$)")
_OF_HEIGHT = re.compile(r"(?:^|_)(?:height|high|rows?|ranks)(?:_|$)")
_TWO_NAMES = re.compile(r"square\(\s*(\w+),\s*(\w+)\s*\)")


def exchanged_sizes(game: Game) -> Iterator[Diagnostic]:
    """Yield that a board of squares is as wide as an option says that is named after its height."""
    board = game.document.get("board")
    found = None if board is None else _TWO_NAMES.search(without_comments(board.span.text))
    if board is None or found is None:
        return
    if _OF_HEIGHT.search(found[1]) and _OF_WIDTH.search(found[2]):
        place = Span(board.span.source, *(board.span.start + end for end in found.span()))
        yield note(
            Code.ARGUMENTS_EXCHANGED,
            f"`square` is given {_listed(found.groups())} here, and it takes the width first, then"
            " the height.",
            place,
            f"See whether `square({found[2]}, {found[1]})` is meant.",
        )


def _word(call: t.Call) -> str:
    return call.function.name if isinstance(call.function, t.Name) else ""


def _given(call: t.Call) -> list[str]:
    """Return the names that are all the arguments of a call; none if there are others."""
    names = [one.name for one in call.arguments if isinstance(one, t.Name)]
    return names if len(names) == len(call.arguments) else []


def _listed(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _definitions(sections: Node) -> Iterator[tuple[t.Head, Node]]:
    for section in _SECTIONS:
        entries = sections.get(section) if isinstance(sections, Mapping) else None
        for key, body in entries.entries if isinstance(entries, Mapping) else ():
            head = readable(key, "head")
            if isinstance(head, t.Head):
                yield head, body


def _constants(game: Game) -> set[str]:
    """Return names that are a value where they stand for a parameter: cases are told apart."""
    named = game.document.get("state")
    values = set(_WORD.findall(named.span.text)) if named is not None else set[str]()
    words = {"neutral", "none", "yes", "no"}
    return words.union(game.sides, game.kinds, game.board.relations, values)


def _words_of_texts(body: Node) -> set[str]:
    return set(_WORD.findall(without_comments(body.span.text)))
