"""Many variables are checked in a loop: LLVM takes 2 ms for each one that has code of its own."""

from __future__ import annotations

from typing import NamedTuple

from . import object_layouts


class CheckedVariable(NamedTuple):
    """A variable: where its storage and dtype stand in the context, and its array in the frame (in
    words); its sizes; whether it is written.
    """

    storage: int
    dtype: int
    word: int
    sizes: tuple[int, ...]
    written: bool


class StateTable:
    """The variables of one program, those that are written first."""

    def __init__(self, states: list[CheckedVariable]) -> None:
        self.states = sorted(states, key=lambda one: not one.written)
        self.written = sum(one.written for one in states)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.states)

    def text(self, array_type: int, holds: bool) -> str:
        """`tm_check_states`, which puts the arrays into the frame; False: something is different.

        With `holds` it also notes arrays and slots, which `tm_hold_states` takes out of the
        variables and `tm_release_states` puts back. `array_type`: the word of ndarray's type.
        """
        check = _CHECK.format(
            array_type=8 * array_type, count=self.count, written=self.written,
            data=object_layouts.ARRAY_DATA, dtype=object_layouts.ARRAY_DTYPE,
            rank=object_layouts.ARRAY_RANK, sizes=object_layouts.ARRAY_SIZES,
            note=_NOTE if holds else "",
        )  # fmt: skip
        hold = _HOLD.format(count=self.count, written=self.written) if holds else ""
        return self._tables() + check + hold

    def _tables(self) -> str:
        sizes, rows = list[int](), list[str]()
        for one in self.states:
            row = 8 * one.storage, 8 * one.dtype, 8 * one.word, len(one.sizes), len(sizes)
            rows.append(f"[5 x i64] [{', '.join(f'i64 {number}' for number in row)}]")
            sizes += one.sizes
        numbers = ", ".join(f"i64 {size}" for size in (*sizes, 0))  # one at least
        return (
            f"@tm.states = internal constant [{self.count} x [5 x i64]] [{', '.join(rows)}]\n"
            f"@tm.sizes = internal constant [{len(sizes) + 1} x i64] [{numbers}]\n"
        )


_CHECK = """
define internal i1 @tm_check_states(ptr %context, ptr %frame, i64 %slot, ptr %held) nounwind {{
entry:
  %wanted.at = getelementptr i8, ptr %context, i64 {array_type}
  %wanted = load ptr, ptr %wanted.at
  br label %state
state:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %row = getelementptr [5 x i64], ptr @tm.states, i64 %k
  %storage.offset = load i64, ptr %row
  %storage.at = getelementptr i8, ptr %context, i64 %storage.offset
  %storage = load ptr, ptr %storage.at
  %slot.at = getelementptr i8, ptr %storage, i64 %slot
  %array = load ptr, ptr %slot.at
  %type.at = getelementptr i8, ptr %array, i64 8
  %type = load ptr, ptr %type.at
  %is.array = icmp eq ptr %type, %wanted
  br i1 %is.array, label %header, label %refuse
header:
  %dtype.at = getelementptr i8, ptr %array, i64 {dtype}
  %dtype = load ptr, ptr %dtype.at
  %dtype.offset.at = getelementptr i64, ptr %row, i64 1
  %dtype.offset = load i64, ptr %dtype.offset.at
  %dtype.wanted.at = getelementptr i8, ptr %context, i64 %dtype.offset
  %dtype.wanted = load ptr, ptr %dtype.wanted.at
  %same.dtype = icmp eq ptr %dtype, %dtype.wanted
  %rank.at = getelementptr i8, ptr %array, i64 {rank}
  %rank.short = load i32, ptr %rank.at
  %rank = sext i32 %rank.short to i64
  %rank.wanted.at = getelementptr i64, ptr %row, i64 3
  %rank.wanted = load i64, ptr %rank.wanted.at
  %same.rank = icmp eq i64 %rank, %rank.wanted
  %references = load i32, ptr %array
  %only.here = icmp eq i32 %references, 1
  %is.read = icmp sge i64 %k, {written}
  %may.write = or i1 %only.here, %is.read
  %same = and i1 %same.dtype, %same.rank
  %good = and i1 %same, %may.write
  br i1 %good, label %data, label %refuse
data:
  %data.at = getelementptr i8, ptr %array, i64 {data}
  %data.pointer = load ptr, ptr %data.at
  %word.offset.at = getelementptr i64, ptr %row, i64 2
  %word.offset = load i64, ptr %word.offset.at
  %word.at = getelementptr i8, ptr %frame, i64 %word.offset
  store ptr %data.pointer, ptr %word.at
{note}
  %sizes.at = getelementptr i8, ptr %array, i64 {sizes}
  %sizes = load ptr, ptr %sizes.at
  %first.at = getelementptr i64, ptr %row, i64 4
  %first = load i64, ptr %first.at
  br label %axis
axis:
  %j = phi i64 [ 0, %data ], [ %j.next, %size ]
  %more = icmp slt i64 %j, %rank.wanted
  br i1 %more, label %size, label %next
size:
  %size.at = getelementptr i64, ptr %sizes, i64 %j
  %size.here = load i64, ptr %size.at
  %place = add i64 %first, %j
  %size.wanted.at = getelementptr i64, ptr @tm.sizes, i64 %place
  %size.wanted = load i64, ptr %size.wanted.at
  %j.next = add i64 %j, 1
  %same.size = icmp eq i64 %size.here, %size.wanted
  br i1 %same.size, label %axis, label %refuse
next:
  %k.next = add i64 %k, 1
  %again = icmp slt i64 %k.next, {count}
  br i1 %again, label %state, label %done
done:
  ret i1 true
refuse:
  ret i1 false
}}
"""
_NOTE = """  %held.at = getelementptr [2 x ptr], ptr %held, i64 %k
  store ptr %array, ptr %held.at
  %held.slot.at = getelementptr ptr, ptr %held.at, i64 1
  store ptr %slot.at, ptr %held.slot.at"""
_HOLD = """
define internal void @tm_hold_states(ptr %held, ptr %lent) {{
entry:
  br label %hold
hold:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %array.at = getelementptr [2 x ptr], ptr %held, i64 %k
  %array = load ptr, ptr %array.at
  call void @Py_IncRef(ptr %array)
  %is.written = icmp slt i64 %k, {written}
  br i1 %is.written, label %lend, label %next
lend:
  call void @Py_IncRef(ptr %lent)
  %slot.at = getelementptr ptr, ptr %array.at, i64 1
  %slot = load ptr, ptr %slot.at
  store ptr %lent, ptr %slot
  br label %next
next:
  %k.next = add i64 %k, 1
  %again = icmp slt i64 %k.next, {count}
  br i1 %again, label %hold, label %done
done:
  ret void
}}

define internal void @tm_release_states(ptr %held) {{
entry:
  br label %release
release:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %array.at = getelementptr [2 x ptr], ptr %held, i64 %k
  %array = load ptr, ptr %array.at
  %is.written = icmp slt i64 %k, {written}
  br i1 %is.written, label %give.back, label %next
give.back:
  %slot.at = getelementptr ptr, ptr %array.at, i64 1
  %slot = load ptr, ptr %slot.at
  %stand.in = load ptr, ptr %slot
  store ptr %array, ptr %slot
  call void @Py_DecRef(ptr %stand.in)
  br label %next
next:
  call void @Py_DecRef(ptr %array)
  %k.next = add i64 %k, 1
  %again = icmp slt i64 %k.next, {count}
  br i1 %again, label %release, label %done
done:
  ret void
}}
"""
