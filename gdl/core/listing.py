"""The core of a game as text, for people: one statement a line.

In: a program, and the names of its board. Out: text. What then holds: nothing of the program is
left out but positions in the file; a set of sites and a relation stand by a name if there is one,
a set else by its sites if they are few and by their number if not. The text is not read back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import indent

from gdl.board.relation import Relation, bits
from gdl.core.nodes import (
    Assign,
    AssignAt,
    Block,
    Branch,
    Can,
    Choose,
    Closure,
    Const,
    Decide,
    Domain,
    Ending,
    Expression,
    Fold,
    ForEach,
    Get,
    GetAt,
    GroupsOf,
    If,
    Let,
    Op,
    Program,
    RangeOf,
    Repeat,
    Require,
    Say,
    Select,
    Slot,
    Statement,
    Times,
)
from gdl.core.types import FLAG, SITES
from gdl.data_classes import dataclass

_MOST_NAMED = 4
_STEP = "  "


@dataclass(frozen=True)
class Names:
    """What things are called: sites by index, sides by number, relations and regions by name."""

    sites: Sequence[str]
    sides: Sequence[str]
    relations: Mapping[str, Relation]
    regions: Mapping[str, int]


def listing(program: Program, names: Names) -> str:
    """Return the whole program as text that ends with a line break."""
    return "\n".join(_Listing(program, names).lines()) + "\n"


class _Listing:
    def __init__(self, program: Program, names: Names) -> None:
        self._program = program
        self._names = names
        self._relations = {relation: name for name, relation in names.relations.items()}
        self._regions = {region: name for name, region in names.regions.items()}
        self._slots: dict[Slot, str] = {}
        self._taken: set[str] = set()

    def lines(self) -> Iterator[str]:
        """Yield the lines of the program."""
        program = self._program
        yield "state"
        for slot, value in zip(program.state, program.initial, strict=True):
            yield f"{_STEP}{self._declared(slot)} = {self._value(value, slot)}"
        for memory in program.memories:
            key = ", ".join(map(self.expression, memory.key))
            yield f"memory {self._slot(memory.slot)}: {key}"
        for phase in program.phases:
            seat = "" if phase.seat is None else f" seat {phase.seat + 1}"
            chance = " by chance" if phase.by_chance else ""
            for side, turn in zip(self._names.sides, phase.turns, strict=True):
                yield ""
                yield f"phase {phase.name}{seat}{chance}, turn of {side}"
                yield from _deeper(self._block(turn.program))
                yield from self._endings("stuck", turn.stuck)
                yield from self._endings("end", turn.endings)

    def _declared(self, slot: Slot) -> str:
        bounds = "" if slot.low is None and slot.high is None else f" in {slot.low}..{slot.high}"
        each = " at each site" if slot.per_site else ""
        return f"{self._slot(slot)}: {slot.type.name}{bounds}{each}"

    def _endings(self, word: str, endings: Sequence[Ending]) -> Iterator[str]:
        for ending in endings:
            sides = " ".join(self._names.sides[side] for side in ending.sides)
            values = ", ".join(map(self.expression, ending.values))
            every, inverted = ("every" * ending.is_shared), ("inverted" * ending.inverted)
            payoffs = ", ".join(map(self.expression, ending.payoffs))
            parts = [sides, every, ending.kind, values, inverted, f"by {payoffs}" * bool(payoffs)]
            told = " ".join(part for part in parts if part)
            late = "unless stuck " * ending.yields
            yield f"{_STEP}{word} {told} {late}when {self.expression(ending.condition)}"

    # ------------------------------------------------------------------- statements

    def _block(self, block: Block) -> Iterator[str]:
        for statement in block:
            yield from self._statement(statement)
        if not block:
            yield "pass"

    def _statement(self, statement: Statement) -> Iterator[str]:
        match statement:
            case Assign(_, slot, value):
                yield f"{self._slot(slot)} := {self.expression(value)}"
            case AssignAt(_, slot, sites, value):
                where = self.expression(sites)
                yield f"{self._slot(slot)}[{where}] := {self.expression(value)}"
            case Branch(_, condition, then, otherwise):
                yield f"if {self.expression(condition)}"
                yield from _deeper(self._block(then))
                if otherwise:
                    yield "else"
                    yield from _deeper(self._block(otherwise))
            case ForEach(_, slot, domain, body):
                yield f"for each {self._slot(slot)} in {self._domain(domain)}"
                yield from _deeper(self._block(body))
            case Repeat():
                bound = "" if statement.bound is None else f" {self.expression(statement.bound)}"
                yield f"repeat {statement.mode}{bound}, at most {statement.limit} rounds"
                yield from _deeper(self._block(statement.body))
            case Choose(_, slot, domain, separator, partner):
                told = "" if separator == " " else f" after {separator!r}"
                pair = "" if partner is None else f" unordered with {self._slot(partner)}"
                yield f"choose {self._slot(slot)} in {self._domain(domain)}{told}{pair}"
            case Decide(_, alternatives):
                for number, alternative in enumerate(alternatives):
                    token = "" if alternative.token is None else f" {alternative.token!r}"
                    yield f"{'or' if number else 'either'}{token}"
                    yield from _deeper(self._block(alternative.body))
            case Require(_, condition):
                yield f"require {self.expression(condition)}"
            case Say(_, token):
                yield f"say {token!r}"
            case _:
                raise TypeError(f"not a statement of the core: {statement}")

    # ------------------------------------------------------------------ expressions

    def expression(self, node: Expression) -> str:
        """Return an expression as text."""
        match node:
            case Const(value):
                if node.type == SITES and isinstance(value, int):
                    return self._sites(value)
                return self._plain(value, node)
            case Get(slot):
                return self._slot(slot)
            case GetAt(slot, sites):
                return f"{self._slot(slot)}[{self.expression(sites)}]"
            case Op(name, arguments, _, payload):
                told = ", ".join(map(self.expression, arguments))
                return f"{name}{self._payload(payload)}({told})"
            case If(condition, then, otherwise):
                first, second = self.expression(then), self.expression(otherwise)
                return f"({first} if {self.expression(condition)} else {second})"
            case Let(slot, value, body):
                binding = f"{self._slot(slot)} = {self.expression(value)}"
                return f"(let {binding} in {self.expression(body)})"
            case Fold(combine, slot, domain, body, initial):
                of = f"{self.expression(body)} for {self._slot(slot)} in {self._domain(domain)}"
                return f"{combine}({of}; {initial})"
            case Select(slot, sites, condition):
                of = f"{self._slot(slot)} in {self.expression(sites)}"
                return f"{{{of} where {self.expression(condition)}}}"
            case Closure(seed, frontier, step):
                leads = f"{self._slot(frontier)} -> {self.expression(step)}"
                return f"closure({self.expression(seed)}; {leads})"
            case Times(history, key):
                return f"times {self._slot(history)}({', '.join(map(self.expression, key))})"
            case Can(side, condition):
                return f"(can {self._names.sides[side]}: {self.expression(condition)})"
        raise TypeError(f"not an expression of the core: {node}")

    def _domain(self, domain: Domain) -> str:
        if isinstance(domain, RangeOf):
            return f"{self.expression(domain.low)}..{self.expression(domain.high)}"
        sites = self.expression(domain.sites)
        if isinstance(domain, GroupsOf):
            step = f"{self._slot(domain.frontier)} -> {self.expression(domain.step)}"
            return f"groups({sites}; {step})"
        return sites

    # ------------------------------------------------------------------------ names

    def _slot(self, slot: Slot) -> str:
        """Return the name of a slot: of several with one name, the later ones have a number."""
        known = self._slots.get(slot)
        if known is None:
            name = known = slot.name
            number = 2
            while known in self._taken:
                known, number = f"{name}'{number}", number + 1
            self._slots[slot] = known
            self._taken.add(known)
        return known

    def _payload(self, payload: object) -> str:
        if payload is None:
            return ""
        if not isinstance(payload, Relation):
            return f"[{len(payload)} numbers]" if isinstance(payload, tuple) else f"[{payload}]"
        name = self._relations.get(payload)
        return f"[{name or f'{sum(s.bit_count() for s in payload.successors)} pairs'}]"

    def _sites(self, sites: int) -> str:
        if sites in self._regions:
            return self._regions[sites]
        if sites == 0:
            return "nowhere"
        if sites == (1 << len(self._names.sites)) - 1:
            return "all"
        if sites.bit_count() > _MOST_NAMED:
            return f"<{sites.bit_count()} sites>"
        return f"<{' '.join(self._names.sites[index] for index in bits(sites))}>"

    def _plain(self, value: object, node: Expression) -> str:
        if node.type == FLAG:
            return "yes" if value else "no"
        if node.type.is_choice and isinstance(value, int):
            return node.type.values[value] if value >= 0 else "none"
        return str(value)

    def _value(self, value: object, slot: Slot) -> str:
        if isinstance(value, int) and slot.type == SITES:
            return self._sites(value)
        if isinstance(value, tuple):
            is_same = len(set(value)) == 1
            return f"{value[0]} at each site" if is_same else f"<{len(value)} values>"
        return self._plain(value, Get(slot)) if value is not None else "empty"


def _deeper(lines: Iterator[str]) -> Iterator[str]:
    return (indent(line, _STEP) for line in lines)
