"""Functions that LLVM calls in code for WebAssembly, which has no library, as LLVM's own text.

In: nothing. Out: `SUPPORT`. What then holds: code that LLVM makes for this target finds all that
it calls. The text is made part of a module after the module was optimised: LLVM would see a product
of 128 bits in what works one out, and let it call itself.

Their names and what they give are those of the compiler's library (`libgcc`'s manual, "Integer
library routines"). Words of 64 bits are what the machine has; two of them make a number.
"""

from __future__ import annotations

_PRODUCT = """
define hidden i128 @__multi3(i128 %a, i128 %b) nounwind {
  %a.low = trunc i128 %a to i64
  %b.low = trunc i128 %b to i64
  %a.shifted = lshr i128 %a, 64
  %b.shifted = lshr i128 %b, 64
  %a.high = trunc i128 %a.shifted to i64
  %b.high = trunc i128 %b.shifted to i64
  %a0 = and i64 %a.low, 4294967295
  %a1 = lshr i64 %a.low, 32
  %b0 = and i64 %b.low, 4294967295
  %b1 = lshr i64 %b.low, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carried = lshr i64 %p00, 32
  %p01.low = and i64 %p01, 4294967295
  %middle.some = add i64 %carried, %p01.low
  %middle = add i64 %middle.some, %p10
  %middle.low = shl i64 %middle, 32
  %p00.low = and i64 %p00, 4294967295
  %low = or i64 %middle.low, %p00.low
  %middle.high = lshr i64 %middle, 32
  %p01.high = lshr i64 %p01, 32
  %high.0 = add i64 %p11, %middle.high
  %high.1 = add i64 %high.0, %p01.high
  %crossed.0 = mul i64 %a.low, %b.high
  %crossed.1 = mul i64 %a.high, %b.low
  %high.2 = add i64 %high.1, %crossed.0
  %high.3 = add i64 %high.2, %crossed.1
  %low.wide = zext i64 %low to i128
  %high.wide = zext i64 %high.3 to i128
  %high.shifted = shl i128 %high.wide, 64
  %product = or i128 %high.shifted, %low.wide
  ret i128 %product
}
"""


def _shift(name: str, instruction: str) -> str:
    """Return a function that shifts a number by less than 128 bits, a word at a time.

    Bits that leave a word come in at an end of the other one. They are shifted by one bit and then
    by the rest, so that shifting by nothing brings nothing.
    """
    is_left = instruction == "shl"
    out, across, back = ("low", "high", "lshr") if is_left else ("high", "low", "shl")
    filled = "ashr i64 %high, 63" if instruction == "ashr" else "or i64 0, 0"
    return f"""
define hidden i128 @{name}(i128 %a, i32 %count) nounwind {{
  %low = trunc i128 %a to i64
  %a.shifted = lshr i128 %a, 64
  %high = trunc i128 %a.shifted to i64
  %count.wide = zext i32 %count to i64
  %within = and i64 %count.wide, 63
  %rest = sub i64 63, %within
  %out.own = {instruction} i64 %{out}, %within
  %moved.one = {back} i64 %{out}, 1
  %moved = {back} i64 %moved.one, %rest
  %across.own = {"shl" if is_left else "lshr"} i64 %{across}, %within
  %across.both = or i64 %across.own, %moved
  %filled = {filled}
  %is.far = icmp ugt i64 %count.wide, 63
  %out.new = select i1 %is.far, i64 %filled, i64 %out.own
  %across.new = select i1 %is.far, i64 %out.own, i64 %across.both
  %low.wide = zext i64 %{"out" if is_left else "across"}.new to i128
  %high.wide = zext i64 %{"across" if is_left else "out"}.new to i128
  %high.shifted = shl i128 %high.wide, 64
  %shifted = or i128 %high.shifted, %low.wide
  ret i128 %shifted
}}
"""


_DIVISION = """
define internal i128 @__udivmod(i128 %a, i128 %b, ptr %rest.at) nounwind noinline {
entry:
  %both = or i128 %a, %b
  %both.high = lshr i128 %both, 64
  %are.words = icmp eq i128 %both.high, 0
  br i1 %are.words, label %words, label %loop
words:
  %a.word = trunc i128 %a to i64
  %b.word = trunc i128 %b to i64
  %quotient.word = udiv i64 %a.word, %b.word
  %rest.word = urem i64 %a.word, %b.word
  %rest.wide = zext i64 %rest.word to i128
  store i128 %rest.wide, ptr %rest.at, align 8
  %quotient.wide = zext i64 %quotient.word to i128
  ret i128 %quotient.wide
loop:
  %left = phi i32 [ 128, %entry ], [ %left.new, %loop ]
  %number = phi i128 [ %a, %entry ], [ %number.new, %loop ]
  %rest = phi i128 [ 0, %entry ], [ %rest.new, %loop ]
  %top = lshr i128 %number, 127
  %is.over = icmp slt i128 %rest, 0
  %rest.moved = shl i128 %rest, 1
  %rest.more = or i128 %rest.moved, %top
  %is.enough = icmp uge i128 %rest.more, %b
  %goes = or i1 %is.over, %is.enough
  %taken = select i1 %goes, i128 %b, i128 0
  %rest.new = sub i128 %rest.more, %taken
  %bit = zext i1 %goes to i128
  %number.moved = shl i128 %number, 1
  %number.new = or i128 %number.moved, %bit
  %left.new = sub i32 %left, 1
  %is.done = icmp eq i32 %left.new, 0
  br i1 %is.done, label %done, label %loop
done:
  store i128 %rest.new, ptr %rest.at, align 8
  ret i128 %number.new
}
"""


def _divided(name: str, *, signed: bool, rest: bool) -> str:
    """Return a function that divides two numbers, rounding towards 0, or gives what is left."""
    signs = """
  %a.sign = ashr i128 %a, 127
  %b.sign = ashr i128 %b, 127
  %a.turned = xor i128 %a, %a.sign
  %b.turned = xor i128 %b, %b.sign
  %a.size = sub i128 %a.turned, %a.sign
  %b.size = sub i128 %b.turned, %b.sign"""
    sizes = "%a.size, i128 %b.size" if signed else "%a, i128 %b"
    found = "%rest" if rest else "%quotient"
    sign = "or i128 %a.sign, 0" if rest else "xor i128 %a.sign, %b.sign"
    turned = f"""
  %sign = {sign}
  %turned = xor i128 {found}, %sign
  %signed = sub i128 %turned, %sign"""
    return f"""
define hidden i128 @{name}(i128 %a, i128 %b) nounwind {{
  %rest.at = alloca i128, align 16{signs if signed else ""}
  %quotient = call i128 @__udivmod(i128 {sizes}, ptr %rest.at)
  %rest = load i128, ptr %rest.at, align 16{turned if signed else ""}
  ret i128 {"%signed" if signed else found}
}}
"""


_COMPARISON = """
define hidden i32 @memcmp(ptr %a, ptr %b, i64 %size) nounwind {
entry:
  br label %words
words:
  %at = phi i64 [ 0, %entry ], [ %next, %same ]
  %next = add i64 %at, 8
  %is.whole = icmp ule i64 %next, %size
  br i1 %is.whole, label %word, label %bytes
word:
  %a.at = getelementptr i8, ptr %a, i64 %at
  %b.at = getelementptr i8, ptr %b, i64 %at
  %a.word = load i64, ptr %a.at, align 1
  %b.word = load i64, ptr %b.at, align 1
  %is.same = icmp eq i64 %a.word, %b.word
  br i1 %is.same, label %same, label %bytes
same:
  br label %words
bytes:
  %place = phi i64 [ %at, %words ], [ %at, %word ], [ %following, %equal ]
  %is.left = icmp ult i64 %place, %size
  br i1 %is.left, label %byte, label %all
byte:
  %a.place = getelementptr i8, ptr %a, i64 %place
  %b.place = getelementptr i8, ptr %b, i64 %place
  %a.byte = load i8, ptr %a.place, align 1
  %b.byte = load i8, ptr %b.place, align 1
  %following = add i64 %place, 1
  %is.equal = icmp eq i8 %a.byte, %b.byte
  br i1 %is.equal, label %equal, label %differs
equal:
  br label %bytes
differs:
  %a.wide = zext i8 %a.byte to i32
  %b.wide = zext i8 %b.byte to i32
  %difference = sub i32 %a.wide, %b.wide
  ret i32 %difference
all:
  ret i32 0
}
"""

_UNPACKING = """
define hidden void @__unpack(ptr %from, ptr %end, ptr %begin) nounwind null_pointer_is_valid {
entry:
  br label %token
token:
  %at = phi ptr [ %from, %entry ], [ %at.next, %gone ]
  %to = phi ptr [ %begin, %entry ], [ %to.here, %gone ]
  %is.done = icmp uge ptr %at, %end
  br i1 %is.done, label %done, label %read
read:
  %head = load i32, ptr %at, align 1
  %as.they.are = and i32 %head, 255
  %size = shl i32 %as.they.are, 1
  %head.shifted = lshr i32 %head, 8
  %stride = and i32 %head.shifted, 255
  %stride.size = shl i32 %stride, 1
  %going.on = lshr i32 %head, 16
  %at.data = getelementptr i8, ptr %at, i32 4
  call void @llvm.memcpy.p0.p0.i32(ptr %to, ptr %at.data, i32 %size, i1 false)
  %at.next = getelementptr i8, ptr %at.data, i32 %size
  %to.begin = getelementptr i8, ptr %to, i32 %size
  %back = sub i32 0, %stride.size
  %far.back = shl i32 %back, 1
  br label %go
go:
  %left = phi i32 [ %going.on, %read ], [ %left.new, %one ]
  %to.here = phi ptr [ %to.begin, %read ], [ %to.new, %one ]
  %is.left = icmp ne i32 %left, 0
  br i1 %is.left, label %one, label %gone
one:
  %before.at = getelementptr i8, ptr %to.here, i32 %back
  %earlier.at = getelementptr i8, ptr %to.here, i32 %far.back
  %before = load i16, ptr %before.at, align 1
  %earlier = load i16, ptr %earlier.at, align 1
  %twice = shl i16 %before, 1
  %new = sub i16 %twice, %earlier
  store i16 %new, ptr %to.here, align 1
  %to.new = getelementptr i8, ptr %to.here, i32 2
  %left.new = sub i32 %left, 1
  br label %go
gone:
  br label %token
done:
  ret void
}
declare void @llvm.memcpy.p0.p0.i32(ptr, ptr, i32, i1)
"""
"""What makes data of packed ones, at the beginning: see `packing`."""

SUPPORT = "".join(
    (
        _PRODUCT,
        _shift("__ashlti3", "shl"),
        _shift("__lshrti3", "lshr"),
        _shift("__ashrti3", "ashr"),
        _DIVISION,
        _divided("__udivti3", signed=False, rest=False),
        _divided("__umodti3", signed=False, rest=True),
        _divided("__divti3", signed=True, rest=False),
        _divided("__modti3", signed=True, rest=True),
        _COMPARISON,
        _UNPACKING,
    )
)
