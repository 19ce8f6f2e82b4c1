"""The code of random moves of turns whose ways are counted in place before one is made.

In: a counted turn (`gdl.analysis.drawing`). Out: code that counts its ways, each as it comes, draws
one of them and makes it. What then holds: each way is as likely; no frame was copied, but the
slots that a way changes are put back after it.

Ways are kept in a table as they are counted: what was chosen before the last choice, the set that
can be chosen from last, and how many ways there are up to there. Of the sites after which nothing
more is decided (`further`), none is tried. Where the table is full, or a loop goes on for another
round, the moves are left to a search.
"""

from __future__ import annotations

from collections.abc import Callable

from gdl.analysis.drawing import Counted
from gdl.core.nodes import Block, Branch, Choose, Decision, Repeat, Require, Slot, Statement
from gdl.core.walk import assigned_slots, is_effect, statements_in
from interpreter.native.emit.ir import Function, Module, copy_bytes
from interpreter.native.emit.values import Sites
from interpreter.native.expressions.expressions import Expressions
from interpreter.native.expressions.places import Place
from interpreter.native.games.candidates import CandidateCode
from interpreter.native.memory.frame import FrameLayout

_MOST_ENTRIES = 128
_WORD_BYTES = 8


class CountedCode:
    """Writes the moves of one counted turn.

    `effect` writes a statement without decisions; `give_up` is the label where the search begins.
    """

    def __init__(
        self,
        module: Module,
        expressions: Expressions,
        layout: FrameLayout,
        candidates: CandidateCode,
        effect: Callable[[Place, Statement], None],
    ) -> None:
        self._module = module
        self._expressions = expressions
        self._sets = expressions.sets
        self._layout = layout
        self._candidates = candidates
        self._effect = effect
        self._give_up = ""
        self._further: dict[Decision, str] = {}

    def write(self, p: Place, turn: Counted, give_up: str) -> None:
        """Write that a way is drawn and made, if there is one; else the function gives false.

        `give_up` is a label for where there are too many ways.
        """
        f = p.f
        self._give_up = give_up
        choices = sum(isinstance(s, Choose) for s in statements_in(turn.block))
        self._set_at = (choices + 3) * _WORD_BYTES
        self._entry_bytes = self._set_at + -(-self._sets.bytes // _WORD_BYTES) * _WORD_BYTES
        self._table = f.variable(f"[{_MOST_ENTRIES * self._entry_bytes} x i8]")
        self._next, self._total = f.variable("ptr"), f.variable("i64")
        f.put("ptr", self._table, self._next)
        f.put("i64", "0", self._total)
        counted = f.new_label()
        self._further = {}
        for decision, sites in turn.further.items():
            self._further[decision] = self._sets.variable(f)
            self._sets.write(f, self._expressions.sites(p, sites), self._further[decision])
        self._count(p, turn.block, (), (), counted)
        f.label(counted)
        total = f.get("i64", self._total)
        with f.when(f.ins(f"icmp eq i64 {total}, 0")):
            f.give("i1 false")
        number = f.ins(f"call i64 @next_below(ptr %random, i64 {total})")
        chosen = f.variable("ptr")
        f.put("ptr", self._drawn(f, number), chosen)
        self._follow(p, turn.block, chosen)

    # ----------------------------------------------------------------------- counting

    def _count(
        self, p: Place, block: Block, rest: tuple[Block, ...], values: tuple[str, ...], done: str
    ) -> None:
        """Write that the ways through a block and the rest are counted, and a jump to `done`.

        `values` are the indices of what was chosen before.
        """
        f = p.f
        for place, statement in enumerate(block):
            after = (block[place + 1 :], *rest)
            match statement:
                case Require(_, condition):
                    go_on = f.new_label()
                    f.branch(self._expressions.flag(p, condition), go_on, done)
                    f.label(go_on)
                case Choose():
                    self._count_choice(p, statement, after, values, done)
                    return
                case Branch(_, condition, then, otherwise) if not is_effect(statement):
                    first, second = f.new_label(), f.new_label()
                    f.branch(self._expressions.flag(p, condition), first, second)
                    f.label(first)
                    self._count(p, then, after, values, done)
                    f.label(second)
                    self._count(p, otherwise, after, values, done)
                    return
                case Repeat() if not is_effect(statement):
                    assert statement.bound is not None, "the loop has a condition"
                    go_on = f.new_label()
                    f.branch(self._expressions.flag(p, statement.bound), self._give_up, go_on)
                    f.label(go_on)
                case _:
                    self._effect(p, statement)
        if rest:
            self._count(p, rest[0], rest[1:], values, done)
            return
        self._enter(p, values, None, "1")
        f.jump(done)

    def _count_choice(
        self,
        p: Place,
        choice: Choose,
        after: tuple[Block, ...],
        values: tuple[str, ...],
        done: str,
    ) -> None:
        f, sets = p.f, self._sets
        found = self._candidates.of(p, choice)
        assert found.sites is not None, "the choice is of a site"
        if all(is_effect(statement) for block in after for statement in block):
            self._enter(p, values, found.sites, found.count)
            f.jump(done)
            return
        tried = found.sites
        if choice.decision in self._further:
            few = sets.read(f, self._further[choice.decision])
            last = sets.difference(f, tried, few)
            self._enter(p, values, last, sets.count(f, last))
            tried = sets.intersection(f, [tried, few])
        changed = {slot for block in after for slot in assigned_slots(block)}
        saved = {slot: save(self._module, self._layout, p, slot) for slot in changed}
        loop = sets.each(f, tried)
        next_ = f.new_label()
        inner = self._chosen(p, choice, loop.index, changed)
        self._count(inner, after[0], after[1:], (*values, loop.index), next_)
        f.label(next_)
        for slot, copy in saved.items():
            put_back(self._module, self._layout, p, slot, copy)
        loop.end()
        f.jump(done)

    def _chosen(self, p: Place, choice: Choose, index: str, changed: set[Slot]) -> Place:
        """Write the value of a choice; return the place where it is known."""
        value = self._sets.one(index, is_there=True)
        self._expressions.write(p, choice.slot, value)
        return p if choice.slot in changed else p.binding(choice.slot, value)

    def _enter(self, p: Place, values: tuple[str, ...], sites: Sites | None, count: str) -> None:
        """Write an entry of the table: some ways, if there are any."""
        f = p.f
        entry = f.get("ptr", self._next)
        end = f.at(self._table, (_MOST_ENTRIES - 1) * self._entry_bytes)
        fits = f.new_label()
        f.branch(f.ins(f"icmp ugt ptr {entry}, {end}"), self._give_up, fits)
        f.label(fits)
        total = f.ins(f"add i64 {f.get('i64', self._total)}, {count}")
        f.put("i64", total, self._total)
        f.put("i64", total, entry)
        f.put("i64", str(len(values)), f.at(entry, _WORD_BYTES))
        for place, value in enumerate(values):
            f.put("i64", value, f.at(entry, (2 + place) * _WORD_BYTES))
        last = self._sets.constant(1) if sites is None else sites
        self._sets.write(f, last, f.at(entry, self._set_at))
        next_ = f.at(entry, self._entry_bytes)
        some = f.ins(f"icmp ne i64 {count}, 0")
        f.put("ptr", f.ins(f"select i1 {some}, ptr {next_}, ptr {entry}"), self._next)

    # ------------------------------------------------------------------------- making

    def _drawn(self, f: Function, number: str) -> str:
        """Return the address of the choices of the way with a number, the last one among them."""
        place, before = f.variable("ptr"), f.variable("i64")
        f.put("ptr", self._table, place)
        f.put("i64", "0", before)
        head, further, found = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        entry = f.get("ptr", place)
        end = f.get("i64", entry)
        f.branch(f.ins(f"icmp uge i64 {number}, {end}"), further, found)
        f.label(further)
        f.put("i64", end, before)
        f.put("ptr", f.at(entry, self._entry_bytes), place)
        f.jump(head)
        f.label(found)
        left = f.ins(f"sub i64 {number}, {f.get('i64', before)}")
        last = self._sets.nth(f, self._sets.read(f, f.at(entry, self._set_at)), left)
        values = f.at(entry, 2 * _WORD_BYTES)
        chosen = f.get("i64", f.at(entry, _WORD_BYTES))
        f.put("i64", last, f.ins(f"getelementptr i64, ptr {values}, i64 {chosen}"))
        return values

    def _follow(self, p: Place, block: Block, chosen: str) -> None:
        """Write the statements of a block, with the choices that the variable points to."""
        f = p.f
        for place, statement in enumerate(block):
            match statement:
                case Require():
                    continue
                case Repeat() if not is_effect(statement):
                    continue
                case Choose():
                    here = f.get("ptr", chosen)
                    f.put("ptr", f.at(here, _WORD_BYTES), chosen)
                    changed = set(assigned_slots(block[place + 1 :]))
                    p = self._chosen(p, statement, f.get("i64", here), changed)
                case Branch(_, condition, then, otherwise) if not is_effect(statement):
                    first, second, after = (f.new_label() for _ in range(3))
                    f.branch(self._expressions.flag(p, condition), first, second)
                    f.label(first)
                    self._follow(p, then, chosen)
                    f.jump(after)
                    f.label(second)
                    self._follow(p, otherwise, chosen)
                    f.label(after)
                case _:
                    self._effect(p, statement)


def save(module: Module, layout: FrameLayout, p: Place, slot: Slot) -> str:
    """Write that a slot is copied; return the address of the copy."""
    field = layout.fields[slot]
    copy = p.f.variable(f"[{field.bytes} x i8]")
    copy_bytes(module, p.f, p.f.at(p.frame, field.offset), copy, field.bytes)
    return copy


def put_back(module: Module, layout: FrameLayout, p: Place, slot: Slot, copy: str) -> None:
    """Write that a slot is what its copy is."""
    field = layout.fields[slot]
    copy_bytes(module, p.f, copy, p.f.at(p.frame, field.offset), field.bytes)
