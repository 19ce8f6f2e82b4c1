"""Sets of sites in machine code for large boards: arrays of words in memory.

In: sets (`Sites`). Out: code for what can be done with sets. What then holds: a set that is made
is an array of 64-bit words, rounded up to whole chunks, and no bit beyond the board is ever set;
an operation on whole sets is one loop over chunks, however many sets take part.

Most sets that rules speak of have few sites. So one site is kept as its index, what a relation
with few successors leads to from it as a list of indices, and an operation on lists only looks
at the bits of the sites in them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gdl.board.relation import Relation, bits
from interpreter.native.code import WORD, Function, Module, clear_bytes, copy_bytes
from interpreter.native.sets import RegisterSets
from interpreter.native.values import Sites

LANES = 8
CHUNK = f"<{LANES} x i64>"
CHUNK_BYTES = LANES * WORD // 8
MOST_FEW = 16
"""The longest list of indices that is kept in registers."""

_NO_BITS = "zeroinitializer"
_ALL_BITS = f"<{', '.join(['i64 -1'] * LANES)}>"
_WAYS = {"union": "or", "intersection": "and", "difference": "and", "unlike": "xor"}


class ArraySets(RegisterSets):
    """Code for sets on a board of `size` sites; the interface is that of `RegisterSets`."""

    floods_by_site = True

    def __init__(self, module: Module, size: int) -> None:
        super().__init__(module, size)
        chunk_bits = LANES * WORD
        self.bits = max(1, -(-size // chunk_bits)) * chunk_bits
        self.type = f"[{self.bits // WORD} x i64]"
        self.bytes = self.bits // 8
        self._lists: dict[Relation, tuple[tuple[int, ...], ...]] = {}
        self._images: dict[Relation, str] = {}

    # ------------------------------------------------------------ making and keeping

    def constant(self, sites: int) -> Sites:
        """Return a known set."""
        if sites.bit_count() == 1:
            return Sites(None, str(sites.bit_length() - 1), True, known=sites)
        return Sites(known=sites)

    def read(self, f: Function, address: str) -> Sites:
        """Return the set in a variable or a field, as it is when it is looked at."""
        return Sites(address)

    def settled(self, f: Function, sites: Sites) -> Sites:
        """Return a set that is worked out, so that it can be looked at many times."""
        return Sites(self.mask(f, sites)) if sites.joined is not None else sites

    def write(self, f: Function, sites: Sites, address: str) -> None:
        """Put a set into a variable or a field."""
        if sites.site is not None or sites.few is not None:
            clear_bytes(self.module, f, address, self.bytes)
            for index in self._listed(sites):
                self._add(f, address, index, is_there=sites.is_there)
        elif sites.known == 0:
            clear_bytes(self.module, f, address, self.bytes)
        elif sites.joined is not None:
            with self._chunks(f) as offset:
                f.put(CHUNK, self._part(f, sites, offset, CHUNK), f.at(address, offset))
        else:
            copy_bytes(self.module, f, self.mask(f, sites), address, self.bytes)

    def mask(self, f: Function, sites: Sites) -> str:
        """Return the address of a set, made if it is not."""
        if sites.mask is not None:
            return sites.mask
        if sites.known is not None:
            return self._known(sites.known)
        address = self.variable(f)
        self.write(f, sites, address)
        return address

    def _known(self, sites: int) -> str:
        return self._table("known", sites, [sites.to_bytes(self.bytes, "little")])

    def listed(self, sites: Sites) -> tuple[str, ...] | None:
        """Return the indices (i64; -1: none) of a set that is kept as a list of them."""
        return (sites.site,) if sites.site is not None else sites.few

    def _listed(self, sites: Sites) -> tuple[str, ...]:
        return self.listed(sites) or ()

    def index(self, f: Function, sites: Sites) -> str:
        """Return the index (i64) of the first site, -1 if there is none."""
        if sites.site is not None:
            return sites.site
        if sites.few is not None:
            return self._first_of_few(f, sites.few)
        if sites.known is not None:
            return str((sites.known & -sites.known).bit_length() - 1)
        return self._first(f, sites)

    def _first_of_few(self, f: Function, few: tuple[str, ...]) -> str:
        result = "-1"
        for index in reversed(few):
            there = f.ins(f"icmp sge i64 {index}, 0")
            result = f.ins(f"select i1 {there}, i64 {index}, i64 {result}")
        return result

    def _first(self, f: Function, sites: Sites) -> str:
        """Look for the first chunk with a site, and then for the word in it."""
        self.module.declare("i64 @llvm.cttz.i64(i64, i1)")
        sites = self._operand(f, sites)
        result = f.variable("i64")
        f.put("i64", "-1", result)
        after = f.new_label()
        with self._chunks(f) as offset:
            empty = f.new_label()
            found = f.new_label()
            f.branch(self._is_some(f, self._part(f, sites, offset, CHUNK)), found, empty)
            f.label(found)
            place = f.variable("i64")
            f.put("i64", offset, place)
            head, here, further = f.new_label(), f.new_label(), f.new_label()
            f.label(head)
            now = f.get("i64", place)
            word = self._part(f, sites, now, "i64")
            f.branch(f.ins(f"icmp ne i64 {word}, 0"), here, further)
            f.label(further)
            f.put("i64", f.ins(f"add i64 {now}, 8"), place)
            f.jump(head)
            f.label(here)
            lowest = f.ins(f"call i64 @llvm.cttz.i64(i64 {word}, i1 true)")
            f.put("i64", f.ins(f"add i64 {f.ins(f'mul i64 {now}, 8')}, {lowest}"), result)
            f.jump(after)
            f.label(empty)
        f.label(after)
        return f.get("i64", result)

    # ------------------------------------------------------------- parts of sets

    @contextmanager
    def _chunks(self, f: Function) -> Iterator[str]:
        """Write a loop over the offsets (i64) of a set's chunks."""
        if self.bytes == CHUNK_BYTES:
            yield "0"
            return
        place = f.variable("i64")
        f.put("i64", "0", place)
        head, done = f.new_label(), f.new_label()
        f.label(head)
        offset = f.get("i64", place)
        yield offset
        following = f.ins(f"add i64 {offset}, {CHUNK_BYTES}")
        f.put("i64", following, place)
        f.branch(f.ins(f"icmp ult i64 {following}, {self.bytes}"), head, done)
        f.label(done)

    def _operand(self, f: Function, sites: Sites) -> Sites:
        """Return a set of which parts can be read."""
        if sites.mask is not None or sites.joined is not None:
            return sites
        if sites.known is not None:
            return Sites(known=sites.known)
        return Sites(self.mask(f, sites))

    def _part(self, f: Function, sites: Sites, offset: str, type_: str) -> str:
        """Return a word or a chunk of a set, by its offset in bytes."""
        if sites.joined is None:
            return f.get(type_, f.at(self.mask(f, sites), offset))
        name, operands = sites.joined
        result = self._part(f, operands[0], offset, type_)
        for operand in operands[1:]:
            part = self._part(f, operand, offset, type_)
            if name == "difference":
                part = f.ins(f"xor {type_} {part}, {_ALL_BITS if type_ == CHUNK else '-1'}")
            result = f.ins(f"{_WAYS[name]} {type_} {result}, {part}")
        return result

    def _is_some(self, f: Function, chunk: str) -> str:
        """Return whether a chunk has a bit (i1)."""
        self.module.declare(f"i64 @llvm.vector.reduce.or.v{LANES}i64({CHUNK})")
        all_ = f.ins(f"call i64 @llvm.vector.reduce.or.v{LANES}i64({CHUNK} {chunk})")
        return f.ins(f"icmp ne i64 {all_}, 0")

    def _joined(self, f: Function, name: str, parts: Sequence[Sites]) -> Sites:
        return Sites(joined=(name, tuple(self._operand(f, part) for part in parts)))

    def _address(self, f: Function, address: str, index: str, *, is_there: bool) -> tuple[str, str]:
        """Return the address of the word that has a site's bit, and the bit's place in it."""
        if not is_there:
            there = f.ins(f"icmp sge i64 {index}, 0")
            index = f.ins(f"select i1 {there}, i64 {index}, i64 0")
        word = f.ins(f"lshr i64 {index}, 6")
        where = f.ins(f"getelementptr i64, ptr {address}, i64 {word}")
        return where, f.ins(f"and i64 {index}, 63")

    def _add(self, f: Function, address: str, index: str, *, is_there: bool) -> None:
        """Put a site into the set at an address."""
        where, place = self._address(f, address, index, is_there=is_there)
        one = "1"
        if not is_there:
            one = f.ins(f"zext i1 {f.ins(f'icmp sge i64 {index}, 0')} to i64")
        bit = f.ins(f"shl i64 {one}, {place}")
        f.put("i64", f.ins(f"or i64 {f.get('i64', where)}, {bit}"), where)

    def add_new(self, f: Function, address: str, index: str, *, is_there: bool) -> str:
        """Put a site into the set at an address; return whether it was not in it (i1)."""
        where, place = self._address(f, address, index, is_there=is_there)
        before = f.get("i64", where)
        is_new = f.ins(f"trunc i64 {f.ins(f'lshr i64 {before}, {place}')} to i1")
        is_new = f.ins(f"xor i1 {is_new}, true")
        if not is_there:
            there = f.ins(f"icmp sge i64 {index}, 0")
            is_new = f.ins(f"and i1 {is_new}, {there}")
        bit = f.ins(f"shl i64 {f.ins(f'zext i1 {is_new} to i64')}, {place}")
        f.put("i64", f.ins(f"or i64 {before}, {bit}"), where)
        return is_new

    # ------------------------------------------------------------------- algebra

    def union(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the union."""
        whole = [part for part in parts if not self._is_listed(part)]
        listed = [part for part in parts if self._is_listed(part)]
        if len(parts) == 1:
            return parts[0]
        if not listed:
            return self._joined(f, "union", parts)
        result = self.variable(f)
        if len(whole) > 1:
            self.write(f, self._joined(f, "union", whole), result)
        else:
            self.write(f, whole[0] if whole else Sites(known=0), result)
        for part in listed:
            for index in self._listed(part):
                self._add(f, result, index, is_there=part.is_there)
        return Sites(result)

    def _is_listed(self, sites: Sites) -> bool:
        return sites.site is not None or sites.few is not None

    def intersection(self, f: Function, parts: list[Sites]) -> Sites:
        """Return the intersection."""
        listed = next((part for part in parts if part.site is not None), None)
        listed = listed or next((part for part in parts if part.few is not None), None)
        if listed is None:
            return parts[0] if len(parts) == 1 else self._joined(f, "intersection", parts)
        for other in parts:
            if other is not listed:
                listed = self._filtered(f, listed, other, wanted=True)
        return listed

    def difference(self, f: Function, a: Sites, b: Sites) -> Sites:
        """Return the sites of `a` that are not in `b`."""
        if self._is_listed(a):
            return self._filtered(f, a, b, wanted=False)
        if not self._is_listed(b):
            return self._joined(f, "difference", [a, b])
        result = self.variable(f)
        self.write(f, a, result)
        for index in self._listed(b):
            where, place = self._address(f, result, index, is_there=b.is_there)
            one = "1"
            if not b.is_there:
                one = f.ins(f"zext i1 {f.ins(f'icmp sge i64 {index}, 0')} to i64")
            rest = f.ins(f"xor i64 {f.ins(f'shl i64 {one}, {place}')}, -1")
            f.put("i64", f.ins(f"and i64 {f.get('i64', where)}, {rest}"), where)
        return Sites(result)

    def _filtered(self, f: Function, listed: Sites, other: Sites, *, wanted: bool) -> Sites:
        """Return the sites of a list that are in another set, or those that are not."""
        kept = []
        for index in self._listed(listed):
            holds = self.holds(f, other, Sites(None, index, listed.is_there))
            first, second = (index, "-1") if wanted else ("-1", index)
            kept.append(f.ins(f"select i1 {holds}, i64 {first}, i64 {second}"))
        if listed.site is not None:
            return Sites(None, kept[0], False)
        return Sites(few=tuple(kept))

    def holds(self, f: Function, sites: Sites, single: Sites) -> str:
        """Return whether a set holds a single site; if that is none, the answer is no matter."""
        assert single.site is not None, "a single site"
        if self._is_listed(sites):
            result = "false"
            for index in self._listed(sites):
                same = f.ins(f"icmp eq i64 {index}, {single.site}")
                result = f.ins(f"or i1 {result}, {same}")
            return result
        if sites.joined is None:
            where, place = self._address(
                f, self.mask(f, sites), single.site, is_there=single.is_there
            )
            moved = f.ins(f"lshr i64 {f.get('i64', where)}, {place}")
            return f.ins(f"trunc i64 {moved} to i1")
        name, operands = sites.joined
        result = self.holds(f, operands[0], single)
        for operand in operands[1:]:
            here = self.holds(f, operand, single)
            if name == "difference":
                here = f.ins(f"xor i1 {here}, true")
            result = f.ins(f"{_WAYS[name]} i1 {result}, {here}")
        return result

    def some(self, f: Function, sites: Sites) -> str:
        """Return whether a set has a site."""
        if sites.is_there:
            return "true"
        if self._is_listed(sites):
            result = "false"
            for index in self._listed(sites):
                there = f.ins(f"icmp sge i64 {index}, 0")
                result = f.ins(f"or i1 {result}, {there}")
            return result
        if sites.known is not None:
            return "true" if sites.known else "false"
        so_far = f.variable(CHUNK)
        f.put(CHUNK, _NO_BITS, so_far)
        with self._chunks(f) as offset:
            part = self._part(f, sites, offset, CHUNK)
            f.put(CHUNK, f.ins(f"or {CHUNK} {f.get(CHUNK, so_far)}, {part}"), so_far)
        return self._is_some(f, f.get(CHUNK, so_far))

    def equal(self, f: Function, a: Sites, b: Sites) -> str:
        """Return whether two sets are the same."""
        if a.site is not None and b.site is not None:
            return f.ins(f"icmp eq i64 {a.site}, {b.site}")
        return f.ins(f"xor i1 {self.some(f, self._joined(f, 'unlike', [a, b]))}, true")

    def count(self, f: Function, sites: Sites) -> str:
        """Return the number (i64) of sites."""
        if sites.is_there:
            return "1"
        if self._is_listed(sites):
            result = "0"
            for index in self._listed(sites):
                there = f.ins(f"zext i1 {f.ins(f'icmp sge i64 {index}, 0')} to i64")
                result = f.ins(f"add i64 {result}, {there}")
            return result
        if sites.known is not None:
            return str(sites.known.bit_count())
        self.module.declare(f"{CHUNK} @llvm.ctpop.v{LANES}i64({CHUNK})")
        self.module.declare(f"i64 @llvm.vector.reduce.add.v{LANES}i64({CHUNK})")
        so_far = f.variable(CHUNK)
        f.put(CHUNK, _NO_BITS, so_far)
        with self._chunks(f) as offset:
            part = self._part(f, sites, offset, CHUNK)
            many = f.ins(f"call {CHUNK} @llvm.ctpop.v{LANES}i64({CHUNK} {part})")
            f.put(CHUNK, f.ins(f"add {CHUNK} {f.get(CHUNK, so_far)}, {many}"), so_far)
        total = f.get(CHUNK, so_far)
        return f.ins(f"call i64 @llvm.vector.reduce.add.v{LANES}i64({CHUNK} {total})")

    def choose(self, f: Function, condition: str, a: Sites, b: Sites) -> Sites:
        """Return one of two sets."""
        a, b = self._single_if_none(a, b), self._single_if_none(b, a)
        if a.site is not None and b.site is not None:
            picked = f.ins(f"select i1 {condition}, i64 {a.site}, i64 {b.site}")
            return Sites(None, picked, a.is_there and b.is_there)
        first, second = self.mask(f, a), self.mask(f, b)
        return Sites(f.ins(f"select i1 {condition}, ptr {first}, ptr {second}"))

    def _single_if_none(self, sites: Sites, other: Sites) -> Sites:
        if sites.known == 0 and other.site is not None:
            return Sites(None, "-1", False)
        return sites

    # ----------------------------------------------------------------- relations

    def image(self, f: Function, relation: Relation, sites: Sites) -> Sites:
        """Return what a relation leads to from a set."""
        if sites.known is not None:
            return self.constant(relation.image(sites.known))
        if sites.site is not None and self._most_targets(relation) <= MOST_FEW:
            return self._image_of_one(f, relation, sites)
        source = self.mask(f, sites)
        result = self.variable(f)
        f.do(f"call void @{self._image_function(relation)}(ptr {source}, ptr {result})")
        return Sites(result)

    def targets(self, relation: Relation) -> tuple[tuple[int, ...], ...]:
        """Return the indices that a relation leads to, for each site."""
        if relation not in self._lists:
            lists: list[list[int]] = [[] for _ in range(self.size)]
            for sources, shift in relation.offset_classes:
                for source in bits(sources):
                    lists[source].append(source + shift)
            self._lists[relation] = tuple(map(tuple, lists))
        return self._lists[relation]

    def _most_targets(self, relation: Relation) -> int:
        return max(map(len, self.targets(relation)))

    def _image_of_one(self, f: Function, relation: Relation, sites: Sites) -> Sites:
        assert sites.site is not None, "a single site"
        most = self._most_targets(relation)
        key = ("few", relation)
        if key not in self._tables:
            rows = [(), *self.targets(relation)]
            padded = [[*row, *[-1] * (most - len(row))] for row in rows]
            packed = [b"".join(t.to_bytes(2, "little", signed=True) for t in row) for row in padded]
            self._table(*key, packed)
        row = f.ins(f"mul i64 {sites.site}, {2 * most}")
        base = f.ins(f"getelementptr i8, ptr {self._tables[key]}, i64 {2 * most}")
        entry = f.at(base, row)
        found = [
            f.ins(f"sext i16 {f.get('i16', f.at(entry, 2 * place))} to i64")
            for place in range(most)
        ]
        if relation.is_function:
            return Sites(None, found[0] if found else "-1", False)
        return Sites(few=tuple(found))

    def _image_function(self, relation: Relation) -> str:
        """Return the name of the function that writes the image of a set at an address."""
        if relation in self._images:
            return self._images[relation]
        name = f"image_{len(self._images)}"
        self._images[relation] = name
        lists = self.targets(relation)
        begins = [0]
        for targets in lists:
            begins.append(begins[-1] + len(targets))
        starts = self._table("begins", relation, [b.to_bytes(4, "little") for b in begins])
        packed = [t.to_bytes(2, "little") for targets in lists for t in targets]
        table = self._table("targets", relation, packed)
        f = self.module.function(
            name, "internal void", ["ptr noalias %source", "ptr noalias %result"], "nounwind "
        )
        clear_bytes(self.module, f, "%result", self.bytes)
        loop = ArrayLoop(self, f, "%source")
        start = f.ins(f"getelementptr i32, ptr {starts}, i64 {loop.index}")
        place, end = f.variable("i64"), f.get("i32", f.at(start, 4))
        f.put("i64", f.ins(f"zext i32 {f.get('i32', start)} to i64"), place)
        last = f.ins(f"zext i32 {end} to i64")
        head, inside, done = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", place)
        f.branch(f.ins(f"icmp ult i64 {now}, {last}"), inside, done)
        f.label(inside)
        target = f.get("i16", f.ins(f"getelementptr i16, ptr {table}, i64 {now}"))
        self._add(f, "%result", f.ins(f"zext i16 {target} to i64"), is_there=True)
        f.put("i64", f.ins(f"add i64 {now}, 1"), place)
        f.jump(head)
        f.label(done)
        loop.end()
        f.give("void")
        return name

    # --------------------------------------------------------------------- loops

    def each(self, f: Function, sites: Sites) -> ArrayLoop | ListLoop:  # type: ignore[override]
        """Begin a loop over the sites of a set, in order; the code up to its `end` is its body."""
        if self._is_listed(sites):
            return ListLoop(f, self._listed(sites))
        if sites.known is not None:
            return ArrayLoop(self, f, self.mask(f, sites))
        rest = self.variable(f)
        self.write(f, sites, rest)
        return ArrayLoop(self, f, rest)

    def above(self, f: Function, single: Sites) -> Sites:
        """Return all sites with a greater index than a single site."""
        assert single.site is not None, "a single site"
        result = self.variable(f)
        place = f.variable("i64")
        f.put("i64", "0", place)
        head, done = f.new_label(), f.new_label()
        f.label(head)
        now = f.get("i64", place)
        first = f.ins(f"sub i64 {f.ins(f'add i64 {single.site}, 1')}, {f.ins(f'mul i64 {now}, 8')}")
        low = f.ins(f"icmp slt i64 {first}, 0")
        shift = f.ins(f"select i1 {low}, i64 0, i64 {first}")
        high = f.ins(f"icmp sge i64 {shift}, {WORD}")
        moved = f.ins(f"shl i64 -1, {f.ins(f'and i64 {shift}, 63')}")
        f.put("i64", f.ins(f"select i1 {high}, i64 0, i64 {moved}"), f.at(result, now))
        following = f.ins(f"add i64 {now}, 8")
        f.put("i64", following, place)
        f.branch(f.ins(f"icmp ult i64 {following}, {self.bytes}"), head, done)
        f.label(done)
        board = Sites(known=(1 << self.size) - 1)
        return self._joined(f, "intersection", [Sites(result), board])

    def nth(self, f: Function, sites: Sites, number: str) -> str:
        """Return the index of the site that `number` (i64) sites precede; there must be one."""
        self.module.declare("i64 @llvm.ctpop.i64(i64)")
        self.module.declare("i64 @llvm.cttz.i64(i64, i1)")
        sites = self._operand(f, sites)
        place, left = f.variable("i64"), f.variable("i64")
        f.put("i64", "0", place)
        f.put("i64", number, left)
        head, further, here = f.new_label(), f.new_label(), f.new_label()
        f.label(head)
        now, remaining = f.get("i64", place), f.get("i64", left)
        word = self._part(f, sites, now, "i64")
        many = f.ins(f"call i64 @llvm.ctpop.i64(i64 {word})")
        f.branch(f.ins(f"icmp ult i64 {remaining}, {many}"), here, further)
        f.label(further)
        f.put("i64", f.ins(f"sub i64 {remaining}, {many}"), left)
        f.put("i64", f.ins(f"add i64 {now}, 8"), place)
        f.jump(head)
        f.label(here)
        inside = self.nth_in_word(f, word, remaining)
        return f.ins(f"add i64 {f.ins(f'mul i64 {now}, 8')}, {inside}")


class ArrayLoop:
    """A loop over the sites of the set at an address, which must stay as it is.

    `index` is the register (i64) of the present site.
    """

    def __init__(self, sets: ArraySets, f: Function, address: str) -> None:
        sets.module.declare("i64 @llvm.cttz.i64(i64, i1)")
        self._f = f
        place, rest = f.variable("i64"), f.variable("i64")
        f.put("i64", "-8", place)
        f.put("i64", "0", rest)
        self._head, body, self.after = f.new_label(), f.new_label(), f.new_label()
        advance, begins, within, empty = (f.new_label() for _ in range(4))
        f.label(self._head)
        word = f.get("i64", rest)
        f.branch(f.ins(f"icmp ne i64 {word}, 0"), body, advance)
        f.label(advance)
        offset = f.ins(f"add i64 {f.get('i64', place)}, 8")
        f.put("i64", offset, place)
        aligned = f.ins(f"icmp eq i64 {f.ins(f'and i64 {offset}, {CHUNK_BYTES - 1}')}, 0")
        f.branch(aligned, begins, within)
        f.label(begins)
        inside = f.new_label()
        f.branch(f.ins(f"icmp ult i64 {offset}, {sets.bytes}"), inside, self.after)
        f.label(inside)
        chunk = f.get(CHUNK, f.at(address, offset))
        f.branch(sets._is_some(f, chunk), within, empty)
        f.label(empty)
        f.put("i64", f.ins(f"add i64 {offset}, {CHUNK_BYTES - 8}"), place)
        f.jump(advance)
        f.label(within)
        f.put("i64", f.get("i64", f.at(address, offset)), rest)
        f.jump(self._head)
        f.label(body)
        f.put("i64", f.ins(f"and i64 {word}, {f.ins(f'add i64 {word}, -1')}"), rest)
        lowest = f.ins(f"call i64 @llvm.cttz.i64(i64 {word}, i1 true)")
        base = f.ins(f"mul i64 {f.get('i64', place)}, 8")
        self.index = f.ins(f"add i64 {base}, {lowest}")

    def end(self) -> None:
        """End the body."""
        self._f.jump(self._head)
        self._f.label(self.after)


class ListLoop:
    """A loop over those of some indices that are not -1; `index` is the present one (i64)."""

    def __init__(self, f: Function, indices: Sequence[str]) -> None:
        self._f = f
        kept, place = f.variable(f"[{max(1, len(indices))} x i64]"), f.variable("i64")
        for number, index in enumerate(indices):
            f.put("i64", index, f.at(kept, 8 * number))
        f.put("i64", "0", place)
        self._head, inside, body, self.after = (f.new_label() for _ in range(4))
        f.label(self._head)
        now = f.get("i64", place)
        f.branch(f.ins(f"icmp ult i64 {now}, {len(indices)}"), inside, self.after)
        f.label(inside)
        f.put("i64", f.ins(f"add i64 {now}, 1"), place)
        self.index = f.get("i64", f.ins(f"getelementptr i64, ptr {kept}, i64 {now}"))
        f.branch(f.ins(f"icmp sge i64 {self.index}, 0"), body, self._head)
        f.label(body)

    def end(self) -> None:
        """End the body."""
        self._f.jump(self._head)
        self._f.label(self.after)
