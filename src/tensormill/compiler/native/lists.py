"""Native lists (TensorArrays), in LLVM IR.

A list is 128 bytes: length, capacity, bytes per number, 1 + rank of an element (0: not known),
data, bytes per element, up to eight sizes of an element, and whether it is ragged
(ragged_lists.py). Elements lie in a row; those never written are zeros. Behind them lies a byte for
each, which is 1 where it was written. Memory is kept for the call (call_memory.py); in a loop, what
an iteration leaves behind is given back by `tm_list_sweep`. A failed allocation gives null or
false, which programs check.
"""

from __future__ import annotations

from typing import Final

from . import ragged_lists

MAXIMUM_RANK: Final = 8


def _field(name: str, offset: int, type_: str) -> str:
    return f"""
define internal {type_} @tm_list_{name}(ptr %list) alwaysinline {{
  %at = getelementptr i8, ptr %list, i64 {offset}
  %value = load {type_}, ptr %at
  ret {type_} %value
}}
"""


DEFINITIONS: Final = (
    _field("length", 0, "i64")
    + _field("capacity", 8, "i64")
    + _field("shaped_word", 24, "i64")
    + _field("data", 32, "ptr")
    + _field("bytes", 40, "i64")
    + _field("ragged_word", 112, "i64")
    + """
define internal ptr @tm_list_new(ptr %frame, i64 %length, i64 %itemsize) {
entry:
  %list = call ptr @tm_resize(ptr %frame, ptr null, i64 128)
  %failed = icmp eq ptr %list, null
  br i1 %failed, label %done, label %fill
fill:
  call void @llvm.memset.p0.i64(ptr %list, i8 0, i64 128, i1 false)
  call void @tm_list_mark(ptr %list, i64 1)
  store i64 %length, ptr %list
  %itemsize.at = getelementptr i8, ptr %list, i64 16
  store i64 %itemsize, ptr %itemsize.at
  br label %done
done:
  ret ptr %list
}

define internal void @tm_list_mark(ptr %list, i64 %kind) alwaysinline {
  %kind.at = getelementptr i8, ptr %list, i64 -8
  store i64 %kind, ptr %kind.at
  ret void
}

define internal ptr @tm_list_begin(ptr %frame) {
  %mark = call ptr @tm_resize(ptr %frame, ptr null, i64 0)
  ret ptr %mark
}

define internal void @tm_list_need(ptr %list) alwaysinline {
  call void @tm_list_mark(ptr %list, i64 2)
  ret void
}

define internal void @tm_list_sweep(ptr %frame, ptr %mark) {
entry:
  %last = getelementptr i8, ptr %mark, i64 -32
  %head.at = getelementptr i8, ptr %frame, i64 8
  %head = load ptr, ptr %head.at
  br label %loop
loop:
  %block = phi ptr [ %head, %entry ], [ %following, %step ], [ %left, %drop ]
  %end = icmp eq ptr %block, %last
  br i1 %end, label %done, label %look
look:
  %kind.at = getelementptr i8, ptr %block, i64 24
  %kind = load i64, ptr %kind.at
  switch i64 %kind, label %step [ i64 1, label %drop
                                  i64 2, label %needed ]
needed:
  store i64 1, ptr %kind.at
  br label %step
step:
  %following = load ptr, ptr %block
  br label %loop
drop:
  %left = call ptr @tm_list_drop(ptr %frame, ptr %block)
  br label %loop
done:
  ret void
}

define internal ptr @tm_list_drop(ptr %frame, ptr %block) {
entry:
  %list = getelementptr i8, ptr %block, i64 32
  %data = call ptr @tm_list_data(ptr %list)
  %none = icmp eq ptr %data, null
  br i1 %none, label %header, label %elements
elements:
  call void @tm_list_drop_entries(ptr %frame, ptr %list)
  call void @tm_discard(ptr %frame, ptr %data)
  br label %header
header:
  %next = load ptr, ptr %block
  call void @tm_discard(ptr %frame, ptr %list)
  ret ptr %next
}

define internal void @tm_list_end(ptr %frame, ptr %mark) {
  call void @tm_discard(ptr %frame, ptr %mark)
  ret void
}

define internal ptr @tm_list_flag(ptr %list, i64 %index) alwaysinline {
  %data = call ptr @tm_list_data(ptr %list)
  %bytes = call i64 @tm_list_bytes(ptr %list)
  %capacity = call i64 @tm_list_capacity(ptr %list)
  %used = mul i64 %bytes, %capacity
  %offset = add i64 %used, %index
  %flag = getelementptr i8, ptr %data, i64 %offset
  ret ptr %flag
}

define internal void @tm_list_all_written(ptr %list) {
  %flags = call ptr @tm_list_flag(ptr %list, i64 0)
  %length = call i64 @tm_list_length(ptr %list)
  call void @llvm.memset.p0.i64(ptr %flags, i8 1, i64 %length, i1 false)
  ret void
}

define internal i1 @tm_list_rank_known(ptr %list) alwaysinline {
  %word = call i64 @tm_list_shaped_word(ptr %list)
  %known = icmp ne i64 %word, 0
  ret i1 %known
}

define internal i64 @tm_list_size(ptr %list, i64 %axis) alwaysinline {
  %sizes = getelementptr i8, ptr %list, i64 48
  %at = getelementptr i64, ptr %sizes, i64 %axis
  %size = load i64, ptr %at
  ret i64 %size
}

define internal i1 @tm_list_fits(ptr %list, i64 %axis, i64 %size) {
entry:
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %any, label %uniform
any:
  ret i1 true
uniform:
  %shaped = call i1 @tm_list_rank_known(ptr %list)
  br i1 %shaped, label %compare, label %fix
compare:
  %before = call i64 @tm_list_size(ptr %list, i64 %axis)
  %same = icmp eq i64 %before, %size
  ret i1 %same
fix:
  %sizes = getelementptr i8, ptr %list, i64 48
  %at = getelementptr i64, ptr %sizes, i64 %axis
  store i64 %size, ptr %at
  ret i1 true
}

define internal i1 @tm_list_shaped(ptr %frame, ptr %list, i64 %count, i64 %rank) {
entry:
  %already = call i1 @tm_list_rank_known(ptr %list)
  br i1 %already, label %good, label %shape
shape:
  %shaped.at = getelementptr i8, ptr %list, i64 24
  %shaped.word = add i64 %rank, 1
  store i64 %shaped.word, ptr %shaped.at
  %itemsize.at = getelementptr i8, ptr %list, i64 16
  %itemsize = load i64, ptr %itemsize.at
  %bytes = mul i64 %count, %itemsize
  %bytes.at = getelementptr i8, ptr %list, i64 40
  store i64 %bytes, ptr %bytes.at
  %length = load i64, ptr %list
  %few = icmp slt i64 %length, 4
  %capacity = select i1 %few, i64 4, i64 %length
  %made = call i1 @tm_list_grow(ptr %frame, ptr %list, i64 %capacity)
  ret i1 %made
good:
  ret i1 true
}

define internal i1 @tm_list_grow(ptr %frame, ptr %list, i64 %capacity) {
entry:
  %bytes = call i64 @tm_list_bytes(ptr %list)
  %with.flag = add i64 %bytes, 1
  %product = call { i64, i1 } @llvm.smul.with.overflow.i64(i64 %with.flag, i64 %capacity)
  %total = extractvalue { i64, i1 } %product, 0
  %overflow = extractvalue { i64, i1 } %product, 1
  br i1 %overflow, label %fail, label %ask
ask:
  %data = call ptr @tm_resize(ptr %frame, ptr null, i64 %total)
  %failed = icmp eq ptr %data, null
  br i1 %failed, label %fail, label %move
move:
  %old = call ptr @tm_list_data(ptr %list)
  %old.capacity = call i64 @tm_list_capacity(ptr %list)
  %used = mul i64 %old.capacity, %bytes
  %rest.at = getelementptr i8, ptr %data, i64 %used
  %rest = sub i64 %total, %used
  call void @llvm.memset.p0.i64(ptr %rest.at, i8 0, i64 %rest, i1 false)
  %data.at = getelementptr i8, ptr %list, i64 32
  store ptr %data, ptr %data.at
  %capacity.at = getelementptr i8, ptr %list, i64 8
  store i64 %capacity, ptr %capacity.at
  %none = icmp eq ptr %old, null
  br i1 %none, label %good, label %copy
copy:
  call void @llvm.memcpy.p0.p0.i64(ptr %data, ptr %old, i64 %used, i1 false)
  %old.flags = getelementptr i8, ptr %old, i64 %used
  %flags = call ptr @tm_list_flag(ptr %list, i64 0)
  call void @llvm.memcpy.p0.p0.i64(ptr %flags, ptr %old.flags, i64 %old.capacity, i1 false)
  call void @tm_discard(ptr %frame, ptr %old)
  br label %good
good:
  ret i1 true
fail:
  ret i1 false
}

declare { i64, i1 } @llvm.smul.with.overflow.i64(i64, i64)

define internal ptr @tm_list_item(ptr %list, i64 %index) alwaysinline {
  %data = call ptr @tm_list_data(ptr %list)
  %bytes = call i64 @tm_list_bytes(ptr %list)
  %offset = mul i64 %index, %bytes
  %item = getelementptr i8, ptr %data, i64 %offset
  ret ptr %item
}

define internal ptr @tm_list_slot(ptr %frame, ptr %list, i64 %index) {
entry:
  %length = load i64, ptr %list
  %inside = icmp slt i64 %index, %length
  br i1 %inside, label %good, label %longer
longer:
  %new.length = add i64 %index, 1
  %capacity = call i64 @tm_list_capacity(ptr %list)
  %room = icmp sle i64 %new.length, %capacity
  br i1 %room, label %extend, label %grow
grow:
  %double = shl i64 %capacity, 1
  %small = icmp slt i64 %double, %new.length
  %wanted = select i1 %small, i64 %new.length, i64 %double
  %made = call i1 @tm_list_grow(ptr %frame, ptr %list, i64 %wanted)
  br i1 %made, label %extend, label %fail
extend:
  store i64 %new.length, ptr %list
  br label %good
good:
  %flag = call ptr @tm_list_flag(ptr %list, i64 %index)
  store i8 1, ptr %flag
  %item = call ptr @tm_list_item(ptr %list, i64 %index)
  ret ptr %item
fail:
  ret ptr null
}

define internal i1 @tm_list_resize(ptr %frame, ptr %list, i64 %count) {
entry:
  %length = load i64, ptr %list
  br label %shorten
shorten:
  %at = phi i64 [ %length, %entry ], [ %last, %drop ]
  %over = icmp sgt i64 %at, %count
  br i1 %over, label %drop, label %fits
drop:
  %last = sub i64 %at, 1
  call void @tm_list_truncate(ptr %frame, ptr %list, i64 %last)
  br label %shorten
fits:
  %shaped = call i1 @tm_list_rank_known(ptr %list)
  %grows = icmp sgt i64 %count, %at
  %must = and i1 %shaped, %grows
  br i1 %must, label %extend, label %plain
extend:
  %last.index = sub i64 %count, 1
  %slot = call ptr @tm_list_slot(ptr %frame, ptr %list, i64 %last.index)
  %made = icmp ne ptr %slot, null
  br i1 %made, label %unwritten, label %fail
unwritten:
  %flag = call ptr @tm_list_flag(ptr %list, i64 %last.index)
  store i8 0, ptr %flag
  ret i1 true
fail:
  ret i1 false
plain:
  store i64 %count, ptr %list
  ret i1 true
}

define internal void @tm_list_truncate(ptr %frame, ptr %list, i64 %length) {
entry:
  store i64 %length, ptr %list
  %shaped = call i1 @tm_list_rank_known(ptr %list)
  br i1 %shaped, label %clear, label %done
clear:
  call void @tm_list_drop_entry(ptr %frame, ptr %list, i64 %length)
  %flag = call ptr @tm_list_flag(ptr %list, i64 %length)
  store i8 0, ptr %flag
  %end = call ptr @tm_list_item(ptr %list, i64 %length)
  %bytes = call i64 @tm_list_bytes(ptr %list)
  call void @llvm.memset.p0.i64(ptr %end, i8 0, i64 %bytes, i1 false)
  br label %done
done:
  ret void
}

define internal ptr @tm_list_copy(ptr %frame, ptr %list) {
entry:
  %copy = call ptr @tm_resize(ptr %frame, ptr null, i64 128)
  %failed = icmp eq ptr %copy, null
  br i1 %failed, label %fail, label %header
header:
  call void @llvm.memcpy.p0.p0.i64(ptr %copy, ptr %list, i64 128, i1 false)
  call void @tm_list_mark(ptr %copy, i64 1)
  %old = call ptr @tm_list_data(ptr %list)
  %none = icmp eq ptr %old, null
  br i1 %none, label %done, label %data
data:
  %capacity = call i64 @tm_list_capacity(ptr %list)
  %bytes = call i64 @tm_list_bytes(ptr %list)
  %with.flag = add i64 %bytes, 1
  %total = mul i64 %capacity, %with.flag
  %new = call ptr @tm_resize(ptr %frame, ptr null, i64 %total)
  %no.room = icmp eq ptr %new, null
  br i1 %no.room, label %fail, label %move
move:
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %old, i64 %total, i1 false)
  %data.at = getelementptr i8, ptr %copy, i64 32
  store ptr %new, ptr %data.at
  %copied = call i1 @tm_list_copy_entries(ptr %frame, ptr %copy)
  br i1 %copied, label %done, label %fail
done:
  ret ptr %copy
fail:
  ret ptr null
}
"""
    + ragged_lists.DEFINITIONS
)
