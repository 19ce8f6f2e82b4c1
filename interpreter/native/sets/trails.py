"""Changes of sets in memory that are taken back: a trail of the words as they were.

In: addresses of sets in a frame, and what they become. Out: code. What then holds: when a trail
is undone down to a mark, every set of the frame is what it was when the mark was made. So a
frame need not be copied for each way of going on; what changes is little (D. H. D. Warren, "An
abstract Prolog instruction set", 1983).

An entry is an address and the word that was there. The trail belongs to the world.
"""

from __future__ import annotations

from collections.abc import Callable

from interpreter.native.emit.ir import Function
from interpreter.native.emit.values import Sites
from interpreter.native.memory import context as c
from interpreter.native.sets.word_arrays import CHUNK_BYTES, WordSets


class Trails:
    """Writes stores into frames that keep what was there."""

    def __init__(self, sets: WordSets) -> None:
        self._module = sets.module
        self._sets = sets
        self._written: set[str] = set()

    def mark(self, f: Function, world: str) -> str:
        """Return a mark: where the trail ends now."""
        return f.get("ptr", f.at(world, c.TRAIL))

    def forget(self, f: Function, world: str, mark: str) -> None:
        """Leave out all entries after a mark; nothing is put back."""
        f.put("ptr", mark, f.at(world, c.TRAIL))

    def undo(self, f: Function, world: str, mark: str) -> None:
        """Put back all that was changed since a mark."""
        self._need("trail_undo", self._write_undo)
        f.do(f"call void @trail_undo(ptr {world}, ptr {mark})")

    def store(self, f: Function, world: str, sites: Sites, address: str) -> None:
        """Put a set in place of another."""
        self._need("trail_store", self._write_store)
        source = self._sets.mask(f, sites)
        f.do(f"call void @trail_store(ptr {world}, ptr {address}, ptr {source})")

    def add(self, f: Function, world: str, address: str, index: str) -> None:
        """Put a site (i64; -1: none) into a set."""
        self._need("trail_add", lambda: self._write_change("trail_add", is_there=False))
        f.do(f"call void @trail_add(ptr {world}, ptr {address}, i64 {index})")

    def drop(self, f: Function, world: str, address: str, index: str) -> None:
        """Take a site (i64; -1: none) out of a set."""
        self._need("trail_drop", lambda: self._write_change("trail_drop", is_there=True))
        f.do(f"call void @trail_drop(ptr {world}, ptr {address}, i64 {index})")

    # ------------------------------------------------------------- the functions

    def _need(self, name: str, write: Callable[[], None]) -> None:
        if name not in self._written:
            self._written.add(name)
            write()

    def _push(self, f: Function, where: str, word: str) -> None:
        """Write an entry; where the trail is full, there is an error in the world."""
        end = f.get("ptr", f.at("%world", c.TRAIL))
        last = f.get("ptr", f.at("%world", c.TRAIL_END))
        for is_full in f.either(f.ins(f"icmp uge ptr {end}, {last}"), True, False):
            if is_full:
                c.fail(f, "%world", c.PAST_IS_FULL)
                continue
            f.put("ptr", where, end)
            f.put("i64", word, f.at(end, 8))
            f.put("ptr", f.at(end, 16), f.at("%world", c.TRAIL))

    def _write_undo(self) -> None:
        f = self._module.function(
            "trail_undo", "internal void", ["ptr %world", "ptr %mark"], "noinline "
        )
        now = f.variable("ptr", self.mark(f, "%world"))
        with f.loop() as loop:
            end = f.get("ptr", now)
            f.need(f.ins(f"icmp ugt ptr {end}, %mark"), loop.done)
            entry = f.at(end, -16)
            f.put("ptr", entry, now)
            f.put("i64", f.get("i64", f.at(entry, 8)), f.get("ptr", entry))
        self.forget(f, "%world", "%mark")
        f.give("void")

    def _write_store(self) -> None:
        """Keep and write the words that differ, chunk by chunk."""
        f = self._module.function(
            "trail_store",
            "internal void",
            ["ptr %world", "ptr %address", "ptr %source"],
            "noinline ",
        )
        sets = self._sets
        with (
            sets.chunks(f) as offset,
            f.when(sets.differs(f, "%address", "%source", offset)),
        ):
            end = f.ins(f"add i64 {offset}, {CHUNK_BYTES}")
            with f.strides(offset, end, 8, CHUNK_BYTES // 8) as now:
                where = f.at("%address", now)
                before, after = f.get("i64", where), f.get("i64", f.at("%source", now))
                with f.when(f.ins(f"icmp ne i64 {before}, {after}")):
                    self._push(f, where, before)
                    f.put("i64", after, where)
        f.give("void")

    def _write_change(self, name: str, *, is_there: bool) -> None:
        """Write the function that changes the bit of a site that is there, or that is not."""
        f = self._module.function(
            name,
            "internal void",
            ["ptr %world", "ptr %address", "i64 %index"],
            "noinline ",
        )
        with f.when(f.ins("icmp slt i64 %index, 0")):
            f.give("void")
        where, place = self._sets.address(f, "%address", "%index")
        before = f.get("i64", where)
        bit = f.has_bit("i64", before, place)
        with f.when(bit if is_there else f.is_not(bit)):
            self._push(f, where, before)
            after = f.ins(f"xor i64 {before}, {f.ins(f'shl i64 1, {place}')}")
            f.put("i64", after, where)
        f.give("void")
