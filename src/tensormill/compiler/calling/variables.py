"""Many variables are checked in a loop: LLVM takes 2 ms for each one that has code of its own."""

from __future__ import annotations

from typing import Final, NamedTuple

from ..loops.records import record
from . import object_layouts

# A row of the table: where the storage and the dtype stand in the context, where the array does in
# the frame, its rank, and where its sizes begin in the table of sizes.
STATE: Final = record("State", storage="i64", dtype="i64", word="i64", rank="i64", first="i64")
# What is noted while a program runs: an array, and the slot that it was in.
HELD: Final = record("Held", array="ptr", slot="ptr")


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

    @property
    def held_bytes(self) -> int:
        """How much memory the notes of all of them take."""
        return HELD.bytes * self.count

    def text(self, array_type: int, holds: bool) -> str:
        """`tm_check_states`, which puts the arrays into the frame; False: something is different.

        With `holds` it also notes arrays and slots, which `tm_hold_states` takes out of the
        variables and `tm_release_states` puts back. `array_type`: the word of ndarray's type.
        """
        check = _CHECK.format(
            array_type=8 * array_type, count=self.count, written=self.written,
            type=object_layouts.OBJECT_TYPE,
            data=object_layouts.ARRAY_DATA, dtype=object_layouts.ARRAY_DTYPE,
            rank=object_layouts.ARRAY_RANK, sizes=object_layouts.ARRAY_SIZES,
            note=_NOTE.format(held=HELD) if holds else "", row=STATE,
        )  # fmt: skip
        hold = _HOLD.format(count=self.count, written=self.written, held=HELD) if holds else ""
        return self._tables() + check + hold

    def _tables(self) -> str:
        sizes, rows = list[int](), list[str]()
        for one in self.states:
            row = 8 * one.storage, 8 * one.dtype, 8 * one.word, len(one.sizes), len(sizes)
            rows += [f"i64 {number}" for number in row]
            sizes += one.sizes
        numbers = ", ".join(f"i64 {size}" for size in (*sizes, 0))  # one at least
        return (
            f"@tm.states = internal constant [{len(rows)} x i64] [{', '.join(rows)}]\n"
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
  %row = getelementptr [{row.bytes} x i8], ptr @tm.states, i64 %k
  %storage.offset.at = getelementptr i8, ptr %row, i64 {row.fields[storage].offset}
  %storage.offset = load i64, ptr %storage.offset.at
  %storage.at = getelementptr i8, ptr %context, i64 %storage.offset
  %storage = load ptr, ptr %storage.at
  %slot.at = getelementptr i8, ptr %storage, i64 %slot
  %array = load ptr, ptr %slot.at
  %type.at = getelementptr i8, ptr %array, i64 {type}
  %type = load ptr, ptr %type.at
  %is.array = icmp eq ptr %type, %wanted
  br i1 %is.array, label %header, label %refuse
header:
  %dtype.at = getelementptr i8, ptr %array, i64 {dtype}
  %dtype = load ptr, ptr %dtype.at
  %dtype.offset.at = getelementptr i8, ptr %row, i64 {row.fields[dtype].offset}
  %dtype.offset = load i64, ptr %dtype.offset.at
  %dtype.wanted.at = getelementptr i8, ptr %context, i64 %dtype.offset
  %dtype.wanted = load ptr, ptr %dtype.wanted.at
  %same.dtype = icmp eq ptr %dtype, %dtype.wanted
  %rank.at = getelementptr i8, ptr %array, i64 {rank}
  %rank.short = load i32, ptr %rank.at
  %rank = sext i32 %rank.short to i64
  %rank.wanted.at = getelementptr i8, ptr %row, i64 {row.fields[rank].offset}
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
  %word.offset.at = getelementptr i8, ptr %row, i64 {row.fields[word].offset}
  %word.offset = load i64, ptr %word.offset.at
  %word.at = getelementptr i8, ptr %frame, i64 %word.offset
  store ptr %data.pointer, ptr %word.at
{note}
  %sizes.at = getelementptr i8, ptr %array, i64 {sizes}
  %sizes = load ptr, ptr %sizes.at
  %first.at = getelementptr i8, ptr %row, i64 {row.fields[first].offset}
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
_NOTE = """  %held.at = getelementptr [{held.bytes} x i8], ptr %held, i64 %k
  %held.array.at = getelementptr i8, ptr %held.at, i64 {held.fields[array].offset}
  store ptr %array, ptr %held.array.at
  %held.slot.at = getelementptr i8, ptr %held.at, i64 {held.fields[slot].offset}
  store ptr %slot.at, ptr %held.slot.at"""
_HOLD = """
define internal void @tm_hold_states(ptr %held, ptr %lent) {{
entry:
  br label %hold
hold:
  %k = phi i64 [ 0, %entry ], [ %k.next, %next ]
  %held.at = getelementptr [{held.bytes} x i8], ptr %held, i64 %k
  %array.at = getelementptr i8, ptr %held.at, i64 {held.fields[array].offset}
  %array = load ptr, ptr %array.at
  call void @Py_IncRef(ptr %array)
  %is.written = icmp slt i64 %k, {written}
  br i1 %is.written, label %lend, label %next
lend:
  call void @Py_IncRef(ptr %lent)
  %slot.at = getelementptr i8, ptr %held.at, i64 {held.fields[slot].offset}
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
  %held.at = getelementptr [{held.bytes} x i8], ptr %held, i64 %k
  %array.at = getelementptr i8, ptr %held.at, i64 {held.fields[array].offset}
  %array = load ptr, ptr %array.at
  %is.written = icmp slt i64 %k, {written}
  br i1 %is.written, label %give.back, label %next
give.back:
  %slot.at = getelementptr i8, ptr %held.at, i64 {held.fields[slot].offset}
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
