"""Lists whose elements differ in shape, in LLVM IR.

A list becomes ragged when an element is written that does not fit the others (`tm_list_loosen`),
and is one row again where that is wanted and all agree (`tm_list_tighten`). Instead of elements,
its data then are entries of 96 bytes: the element's memory (null: never written), its eight sizes,
its rank, its bytes.
"""

from __future__ import annotations

from typing import Final

ENTRY_BYTES: Final = 96
RANK_AT: Final = 72
BYTES_AT: Final = 80

DEFINITIONS: Final = f"""
define internal i1 @tm_list_is_ragged(ptr %list) alwaysinline {{
  %word = call i64 @tm_list_ragged_word(ptr %list)
  %ragged = icmp ne i64 %word, 0
  ret i1 %ragged
}}

define internal i1 @tm_list_is_uniform(ptr %list) {{
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  %uniform = xor i1 %ragged, true
  ret i1 %uniform
}}

define internal i1 @tm_list_has_rank(ptr %list, i64 %rank) {{
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  %word = call i64 @tm_list_shaped_word(ptr %list)
  %unshaped = icmp eq i64 %word, 0
  %wanted = add i64 %rank, 1
  %same = icmp eq i64 %word, %wanted
  %either = or i1 %ragged, %unshaped
  %fits = or i1 %either, %same
  ret i1 %fits
}}

define internal i1 @tm_list_is_written(ptr %list, i64 %index) {{
entry:
  %shaped = call i1 @tm_list_rank_known(ptr %list)
  br i1 %shaped, label %look, label %no
look:
  %flag.at = call ptr @tm_list_flag(ptr %list, i64 %index)
  %flag = load i8, ptr %flag.at
  %written = icmp ne i8 %flag, 0
  ret i1 %written
no:
  ret i1 false
}}

define internal i1 @tm_list_has_size(ptr %list, i64 %index) {{
entry:
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %one, label %all
one:
  %written = call i1 @tm_list_is_written(ptr %list, i64 %index)
  ret i1 %written
all:
  %shaped = call i1 @tm_list_rank_known(ptr %list)
  ret i1 %shaped
}}

define internal i64 @tm_list_item_size(ptr %list, i64 %index, i64 %axis) {{
entry:
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %one, label %all
one:
  %item = call ptr @tm_list_item(ptr %list, i64 %index)
  %word = add i64 %axis, 1
  %at = getelementptr i64, ptr %item, i64 %word
  %own = load i64, ptr %at
  ret i64 %own
all:
  %size = call i64 @tm_list_size(ptr %list, i64 %axis)
  ret i64 %size
}}

define internal i1 @tm_list_item_fits(ptr %list, i64 %index, i64 %axis, i64 %size) {{
entry:
  %written = call i1 @tm_list_is_written(ptr %list, i64 %index)
  br i1 %written, label %compare, label %free
compare:
  %own = call i64 @tm_list_item_size(ptr %list, i64 %index, i64 %axis)
  %same = icmp eq i64 %own, %size
  ret i1 %same
free:
  ret i1 true
}}

define internal i1 @tm_list_item_has_rank(ptr %list, i64 %index, i64 %rank) {{
entry:
  %written = call i1 @tm_list_is_written(ptr %list, i64 %index)
  br i1 %written, label %compare, label %free
compare:
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %one, label %all
one:
  %item = call ptr @tm_list_item(ptr %list, i64 %index)
  %at = getelementptr i8, ptr %item, i64 {RANK_AT}
  %own = load i64, ptr %at
  %same = icmp eq i64 %own, %rank
  ret i1 %same
all:
  %fits = call i1 @tm_list_has_rank(ptr %list, i64 %rank)
  ret i1 %fits
free:
  ret i1 true
}}

define internal void @tm_list_put_size(ptr %list, i64 %index, i64 %axis, i64 %size) {{
entry:
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %put, label %done
put:
  %item = call ptr @tm_list_item(ptr %list, i64 %index)
  %word = add i64 %axis, 1
  %at = getelementptr i64, ptr %item, i64 %word
  store i64 %size, ptr %at
  br label %done
done:
  ret void
}}

define internal ptr @tm_list_room(ptr %frame, ptr %list, i64 %index, i64 %count, i64 %rank) {{
entry:
  %item = call ptr @tm_list_slot(ptr %frame, ptr %list, i64 %index)
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  %made = icmp ne ptr %item, null
  %look = and i1 %ragged, %made
  br i1 %look, label %one, label %plain
plain:
  ret ptr %item
one:
  %itemsize.at = getelementptr i8, ptr %list, i64 16
  %itemsize = load i64, ptr %itemsize.at
  %bytes = mul i64 %count, %itemsize
  %data = call ptr @tm_list_entry_memory(ptr %frame, ptr %item, i64 %bytes, i64 %rank)
  ret ptr %data
}}

define internal ptr @tm_list_entry_memory(ptr %frame, ptr %item, i64 %bytes, i64 %rank) {{
entry:
  %old = load ptr, ptr %item
  %data = call ptr @tm_resize(ptr %frame, ptr %old, i64 %bytes)
  store ptr %data, ptr %item
  %rank.at = getelementptr i8, ptr %item, i64 {RANK_AT}
  store i64 %rank, ptr %rank.at
  %bytes.at = getelementptr i8, ptr %item, i64 {BYTES_AT}
  store i64 %bytes, ptr %bytes.at
  %made = icmp ne ptr %data, null
  %unwritten = icmp eq ptr %old, null
  %clear = and i1 %made, %unwritten
  br i1 %clear, label %zeros, label %done
zeros:
  call void @llvm.memset.p0.i64(ptr %data, i8 0, i64 %bytes, i1 false)
  br label %done
done:
  ret ptr %data
}}

define internal ptr @tm_list_item_data(ptr %list, i64 %index) {{
entry:
  %item = call ptr @tm_list_item(ptr %list, i64 %index)
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %one, label %plain
plain:
  ret ptr %item
one:
  %data = load ptr, ptr %item
  ret ptr %data
}}

define internal i1 @tm_list_loosen(ptr %frame, ptr %list) {{
entry:
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %good, label %begin
begin:
  %length = call i64 @tm_list_length(ptr %list)
  %capacity = call i64 @tm_list_capacity(ptr %list)
  %old = call ptr @tm_list_data(ptr %list)
  %bytes = call i64 @tm_list_bytes(ptr %list)
  %word = call i64 @tm_list_shaped_word(ptr %list)
  %rank = sub i64 %word, 1
  %few = icmp slt i64 %length, 4
  %entries = select i1 %few, i64 4, i64 %length
  %total = mul i64 %entries, {ENTRY_BYTES + 1}
  %data = call ptr @tm_resize(ptr %frame, ptr null, i64 %total)
  %failed = icmp eq ptr %data, null
  br i1 %failed, label %fail, label %turn
turn:
  call void @llvm.memset.p0.i64(ptr %data, i8 0, i64 %total, i1 false)
  call void @tm_list_turn(ptr %list, i64 1, ptr %data, i64 %entries, i64 {ENTRY_BYTES})
  %used = mul i64 %bytes, %capacity
  %old.flags = getelementptr i8, ptr %old, i64 %used
  %sizes = getelementptr i8, ptr %list, i64 48
  br label %loop
loop:
  %k = phi i64 [ 0, %turn ], [ %next, %step ]
  %more = icmp slt i64 %k, %length
  br i1 %more, label %look, label %drop
look:
  %flag.at = getelementptr i8, ptr %old.flags, i64 %k
  %flag = load i8, ptr %flag.at
  %written = icmp ne i8 %flag, 0
  br i1 %written, label %move, label %step
move:
  %item = call ptr @tm_list_slot(ptr %frame, ptr %list, i64 %k)
  %memory = call ptr @tm_list_entry_memory(ptr %frame, ptr %item, i64 %bytes, i64 %rank)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %fail, label %fill
fill:
  %offset = mul i64 %k, %bytes
  %from = getelementptr i8, ptr %old, i64 %offset
  call void @llvm.memcpy.p0.p0.i64(ptr %memory, ptr %from, i64 %bytes, i1 false)
  %item.sizes = getelementptr i8, ptr %item, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %item.sizes, ptr %sizes, i64 64, i1 false)
  br label %step
step:
  %next = add i64 %k, 1
  br label %loop
drop:
  call void @tm_discard(ptr %frame, ptr %old)
  br label %good
good:
  ret i1 true
fail:
  ret i1 false
}}

define internal void @tm_list_turn(ptr %list, i64 %ragged, ptr %data, i64 %capacity, i64 %bytes) {{
  %ragged.at = getelementptr i8, ptr %list, i64 112
  store i64 %ragged, ptr %ragged.at
  %data.at = getelementptr i8, ptr %list, i64 32
  store ptr %data, ptr %data.at
  %capacity.at = getelementptr i8, ptr %list, i64 8
  store i64 %capacity, ptr %capacity.at
  %bytes.at = getelementptr i8, ptr %list, i64 40
  store i64 %bytes, ptr %bytes.at
  ret void
}}

define internal i1 @tm_list_agree(ptr %list) {{
entry:
  %length = call i64 @tm_list_length(ptr %list)
  %first = call ptr @tm_list_data(ptr %list)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %sizes ]
  %all = phi i1 [ true, %entry ], [ %now, %sizes ]
  %more = icmp slt i64 %k, %length
  br i1 %more, label %one, label %done
one:
  %item = call ptr @tm_list_item(ptr %list, i64 %k)
  %memory = load ptr, ptr %item
  %written = icmp ne ptr %memory, null
  br label %compare
compare:
  %word = phi i64 [ 1, %one ], [ %word.next, %compare ]
  %same = phi i1 [ %written, %one ], [ %same.now, %compare ]
  %mine.at = getelementptr i64, ptr %item, i64 %word
  %mine = load i64, ptr %mine.at
  %theirs.at = getelementptr i64, ptr %first, i64 %word
  %theirs = load i64, ptr %theirs.at
  %equal = icmp eq i64 %mine, %theirs
  %rank.at = getelementptr i8, ptr %first, i64 {RANK_AT}
  %rank = load i64, ptr %rank.at
  %beyond = icmp sgt i64 %word, %rank
  %is.rank = icmp eq i64 %word, {RANK_AT // 8}
  %unused = xor i1 %is.rank, true
  %ignored = and i1 %beyond, %unused
  %fine = or i1 %equal, %ignored
  %same.now = and i1 %same, %fine
  %word.next = add i64 %word, 1
  %again = icmp sle i64 %word.next, {RANK_AT // 8}
  br i1 %again, label %compare, label %sizes
sizes:
  %now = and i1 %all, %same.now
  %next = add i64 %k, 1
  br label %loop
done:
  %some = icmp sgt i64 %length, 0
  %agree = and i1 %all, %some
  ret i1 %agree
}}

define internal i1 @tm_list_tighten(ptr %frame, ptr %list) {{
entry:
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %look, label %good
look:
  %agree = call i1 @tm_list_agree(ptr %list)
  br i1 %agree, label %begin, label %good
begin:
  %length = call i64 @tm_list_length(ptr %list)
  %entries = call ptr @tm_list_data(ptr %list)
  %bytes.at = getelementptr i8, ptr %entries, i64 {BYTES_AT}
  %bytes = load i64, ptr %bytes.at
  %with.flag = add i64 %bytes, 1
  %total = mul i64 %length, %with.flag
  %data = call ptr @tm_resize(ptr %frame, ptr null, i64 %total)
  %failed = icmp eq ptr %data, null
  br i1 %failed, label %fail, label %loop
loop:
  %k = phi i64 [ 0, %begin ], [ %next, %move ]
  %more = icmp slt i64 %k, %length
  br i1 %more, label %move, label %turn
move:
  %item = call ptr @tm_list_item(ptr %list, i64 %k)
  %from = load ptr, ptr %item
  %offset = mul i64 %k, %bytes
  %to = getelementptr i8, ptr %data, i64 %offset
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %bytes, i1 false)
  %next = add i64 %k, 1
  br label %loop
turn:
  %rank.at = getelementptr i8, ptr %entries, i64 {RANK_AT}
  %rank = load i64, ptr %rank.at
  %word = add i64 %rank, 1
  %shaped.at = getelementptr i8, ptr %list, i64 24
  store i64 %word, ptr %shaped.at
  %sizes = getelementptr i8, ptr %list, i64 48
  %first.sizes = getelementptr i8, ptr %entries, i64 8
  call void @llvm.memcpy.p0.p0.i64(ptr %sizes, ptr %first.sizes, i64 64, i1 false)
  call void @tm_list_drop_entries(ptr %frame, ptr %list)
  call void @tm_list_turn(ptr %list, i64 0, ptr %data, i64 %length, i64 %bytes)
  call void @tm_discard(ptr %frame, ptr %entries)
  call void @tm_list_all_written(ptr %list)
  br label %good
good:
  ret i1 true
fail:
  ret i1 false
}}

define internal i1 @tm_list_copy_entries(ptr %frame, ptr %list) {{
entry:
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %begin, label %good
begin:
  %length = call i64 @tm_list_length(ptr %list)
  br label %loop
loop:
  %k = phi i64 [ 0, %begin ], [ %next, %step ]
  %more = icmp slt i64 %k, %length
  br i1 %more, label %one, label %good
one:
  %item = call ptr @tm_list_item(ptr %list, i64 %k)
  %memory = load ptr, ptr %item
  %unwritten = icmp eq ptr %memory, null
  br i1 %unwritten, label %step, label %copy
copy:
  %bytes.at = getelementptr i8, ptr %item, i64 {BYTES_AT}
  %bytes = load i64, ptr %bytes.at
  %new = call ptr @tm_resize(ptr %frame, ptr null, i64 %bytes)
  store ptr %new, ptr %item
  %none = icmp eq ptr %new, null
  br i1 %none, label %fail, label %fill
fill:
  call void @llvm.memcpy.p0.p0.i64(ptr %new, ptr %memory, i64 %bytes, i1 false)
  br label %step
step:
  %next = add i64 %k, 1
  br label %loop
good:
  ret i1 true
fail:
  ret i1 false
}}

define internal void @tm_list_drop_entry(ptr %frame, ptr %list, i64 %index) {{
entry:
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %look, label %done
look:
  %item = call ptr @tm_list_item(ptr %list, i64 %index)
  %memory = load ptr, ptr %item
  %unwritten = icmp eq ptr %memory, null
  br i1 %unwritten, label %done, label %drop
drop:
  call void @tm_discard(ptr %frame, ptr %memory)
  br label %done
done:
  ret void
}}

define internal void @tm_list_drop_entries(ptr %frame, ptr %list) {{
entry:
  %length = call i64 @tm_list_length(ptr %list)
  %ragged = call i1 @tm_list_is_ragged(ptr %list)
  br i1 %ragged, label %loop, label %done
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %one ]
  %more = icmp slt i64 %k, %length
  br i1 %more, label %one, label %done
one:
  call void @tm_list_drop_entry(ptr %frame, ptr %list, i64 %k)
  %next = add i64 %k, 1
  br label %loop
done:
  ret void
}}
"""
