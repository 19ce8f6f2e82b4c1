"""Loops over the sites of sets in memory.

In: the address of a set, or a list of indices. Out: code around the body of a loop. What then
holds: the body is carried out once for each site, in the order of their indices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from interpreter.native.emit.ir import Function
from interpreter.native.emit.values import Sites
from interpreter.native.sets.set_code import SiteLoop
from interpreter.native.sets.word_arrays import WordSets


@contextmanager
def each_of_array(
    sets: WordSets, f: Function, address: str, within: int | None = None
) -> Iterator[SiteLoop]:
    """Add what is done for each site of the set at an address, which must stay as it is."""
    f.declare("i64 @llvm.cttz.i64(i64, i1)")
    place, rest = f.variable("i64"), f.variable("i64")
    f.put("i64", "-8", place)
    f.put("i64", "0", rest)
    head, body, after = f.new_label(), f.new_label(), f.new_label()
    advance, begins, fetch, empty = (f.new_label() for _ in range(4))
    f.most_rounds[advance] = 1
    f.label(head)
    word = f.get("i64", rest)
    f.branch(f.ins(f"icmp ne i64 {word}, 0"), body, advance)
    f.label(advance)
    offset = f.ins(f"add i64 {f.get('i64', place)}, 8")
    f.put("i64", offset, place)
    aligned = f.ins(f"icmp eq i64 {f.ins(f'and i64 {offset}, {sets.chunk_bytes - 1}')}, 0")
    f.branch(aligned, begins, fetch)
    f.label(begins)
    inside = f.new_label()
    f.branch(f.ins(f"icmp ult i64 {offset}, {sets.bytes}"), inside, after)
    f.label(inside)
    chunk = sets.chunk(f, address, offset)
    f.branch(sets.is_some(f, chunk), fetch, empty)
    f.label(empty)
    f.put("i64", f.ins(f"add i64 {offset}, {sets.chunk_bytes - 8}"), place)
    f.jump(advance)
    f.label(fetch)
    f.put("i64", f.get("i64", f.at(address, offset)), rest)
    f.jump(head)
    f.label(body)
    f.put("i64", f.ins(f"and i64 {word}, {f.ins(f'add i64 {word}, -1')}"), rest)
    lowest = f.ins(f"call i64 @llvm.cttz.i64(i64 {word}, i1 true)")
    base = f.ins(f"mul i64 {f.get('i64', place)}, 8")
    index = f.ins(f"add i64 {base}, {lowest}")
    yield SiteLoop(index, Sites(None, index, True, within=within), after)
    f.jump(head)
    f.label(after)


@contextmanager
def each_of_list(f: Function, indices: Sequence[str], within: int | None) -> Iterator[SiteLoop]:
    """Add what is done for each of some indices that is not -1."""
    kept, place = f.variable(f"[{max(1, len(indices))} x i64]"), f.variable("i64")
    for number, index in enumerate(indices):
        f.put("i64", index, f.at(kept, 8 * number))
    f.put("i64", "0", place)
    head, inside, body, after = (f.new_label() for _ in range(4))
    f.most_rounds[head] = len(indices)
    f.label(head)
    now = f.get("i64", place)
    f.branch(f.ins(f"icmp ult i64 {now}, {len(indices)}"), inside, after)
    f.label(inside)
    f.put("i64", f.ins(f"add i64 {now}, 1"), place)
    index = f.get("i64", f.ins(f"getelementptr i64, ptr {kept}, i64 {now}"))
    f.branch(f.ins(f"icmp sge i64 {index}, 0"), body, head)
    f.label(body)
    yield SiteLoop(index, Sites(None, index, True, within=within), after)
    f.jump(head)
    f.label(after)
