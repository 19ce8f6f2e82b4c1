"""Changes of sets in memory that are taken back: a trail of the words as they were.

In: addresses of sets in a frame, and what they become. Out: code. What then holds: when a trail
is undone down to a mark, every set of the frame is what it was when the mark was made. So a
frame need not be copied for each way of going on; what changes is little (D. H. D. Warren, "An
abstract Prolog instruction set", 1983).

An entry is an address and the word that was there. The trail belongs to the world. What is changed
for good, in random games and at the end of a turn, leaves no entry.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from interpreter.native.emit.ir import WORLD, Function
from interpreter.native.emit.kinds import I64, PTR, Address, Word
from interpreter.native.emit.values import Sites
from interpreter.native.memory import world as w
from interpreter.native.sets.word_arrays import CHUNK, CHUNK_BYTES, WordSets

_MARK, _ADDRESS, _SOURCE = Address("%mark"), Address("%address"), Address("%source")


class Trails:
    """Writes stores into frames that keep what was there."""

    def __init__(self, sets: WordSets) -> None:
        self._module = sets.module
        self._sets = sets
        self._written: set[str] = set()

    def mark(self, f: Function, world: Address) -> Address:
        """Return a mark: where the trail ends now."""
        return f.get(PTR, f.at(world, w.TRAIL))

    def forget(self, f: Function, world: Address, mark: Address) -> None:
        """Leave out all entries after a mark; nothing is put back."""
        f.put(PTR, mark, f.at(world, w.TRAIL))

    def undo(self, f: Function, world: Address, mark: Address) -> None:
        """Put back all that was changed since a mark."""
        self._need("trail_undo", self._write_undo)
        f.do(f"call void @trail_undo(ptr {world}, ptr {mark})")

    def store(self, f: Function, world: Address, sites: Sites, address: Address) -> None:
        """Put a set in place of another."""
        self._need("trail_store", self._write_store)
        source = self._sets.mask(f, sites)
        f.do(f"call void @trail_store(ptr {world}, ptr {address}, ptr {source})")

    def add(
        self, f: Function, world: Address, address: Address, index: Word, *, takes_back: bool
    ) -> None:
        """Put a site (i64; -1: none) into a set, so that it can be taken back or for good."""
        self._change(f, world, address, index, is_there=False, takes_back=takes_back)

    def drop(
        self, f: Function, world: Address, address: Address, index: Word, *, takes_back: bool
    ) -> None:
        """Take a site (i64; -1: none) out of a set, so that it can be put back or for good."""
        self._change(f, world, address, index, is_there=True, takes_back=takes_back)

    def _change(
        self,
        f: Function,
        world: Address,
        address: Address,
        index: Word,
        *,
        is_there: bool,
        takes_back: bool,
    ) -> None:
        name = f"{'trail' if takes_back else 'set'}_{'drop' if is_there else 'add'}"
        self._need(name, partial(self._write_change, is_there=is_there, takes_back=takes_back))
        f.do(f"call void @{name}(ptr {world}, ptr {address}, i64 {index})")

    def _need(self, name: str, write: Callable[[str], None]) -> None:
        """Write a function the first time that it is called."""
        if name not in self._written:
            self._written.add(name)
            write(name)

    # ------------------------------------------------------------- the functions

    def _push(self, f: Function, where: Address, word: Word) -> None:
        """Write an entry; where the trail is full, there is an error in the world."""
        end = f.get(PTR, f.at(WORLD, w.TRAIL))
        last = f.get(PTR, f.at(WORLD, w.TRAIL_END))
        for is_full in f.either(f.compare("uge", PTR, end, last), True, False):
            if is_full:
                w.fail(f, WORLD, w.NO_ROOM)
                continue
            f.put(PTR, where, end)
            f.put(I64, word, f.at(end, 8))
            f.put(PTR, f.at(end, 16), f.at(WORLD, w.TRAIL))

    def _write_undo(self, name: str) -> None:
        with self._module.procedure(name, "ptr %world", "ptr %mark") as f:
            now = f.variable(PTR, self.mark(f, WORLD))
            with f.loop() as loop:
                end = f.get(PTR, now)
                f.need(f.compare("ugt", PTR, end, _MARK), loop.done)
                entry = f.at(end, -16)
                f.put(PTR, entry, now)
                f.put(I64, f.get(I64, f.at(entry, 8)), f.get(PTR, entry))
            self.forget(f, WORLD, _MARK)

    def _write_store(self, name: str) -> None:
        """Keep and write the words that differ, chunk by chunk."""
        sets, parameters = self._sets, ("ptr %world", "ptr %address", "ptr %source")
        with (
            self._module.procedure(name, *parameters) as f,
            sets.chunks(f) as offset,
        ):
            old, new = (f.get(CHUNK, f.at(one, offset)) for one in (_ADDRESS, _SOURCE))
            with f.when(sets.is_some(f, f.binary("xor", CHUNK, old, new))):
                end = f.binary("add", I64, offset, CHUNK_BYTES)
                with f.strides(offset, end, 8, CHUNK_BYTES // 8) as now:
                    where = f.at(_ADDRESS, now)
                    before, after = f.get(I64, where), f.get(I64, f.at(_SOURCE, now))
                    with f.when(f.compare("ne", I64, before, after)):
                        self._push(f, where, before)
                        f.put(I64, after, where)

    def _write_change(self, name: str, *, is_there: bool, takes_back: bool) -> None:
        """Write the function that changes the bit of a site that is there, or that is not."""
        with self._module.procedure(name, "ptr %world", "ptr %address", "i64 %index") as f:
            with f.when(f.compare("slt", I64, Word("%index"), 0)):
                f.give("void")
            where, place = self._sets.address(f, _ADDRESS, Word("%index"))
            before = f.get(I64, where)
            bit = f.has_bit(I64, before, place)
            with f.when(bit if is_there else f.is_not(bit)):
                if takes_back:
                    self._push(f, where, before)
                f.put(I64, f.binary("xor", I64, before, f.binary("shl", I64, 1, place)), where)
