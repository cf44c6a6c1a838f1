"""Memory that a call keeps until it ends, wherever in the program it was asked for.

Blocks are chained on word 1 of the frame, new ones first: {next, previous, size, kind}, then the
bytes. The kind tells what an iteration may leave behind: 0 stays, 1 is a list (lists.py), 2 is a
list that something still needs.
`tm_resize` returns null where there is no memory; the program checks that.
"""

from __future__ import annotations

from typing import Final

DEFINITIONS: Final = """
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal ptr @tm_resize(ptr %frame, ptr %old, i64 %bytes) {
entry:
  %bad = icmp slt i64 %bytes, 0
  br i1 %bad, label %fail, label %sane
sane:
  %none = icmp eq ptr %old, null
  br i1 %none, label %fresh, label %check
check:
  %size.at = getelementptr i8, ptr %old, i64 -16
  %size = load i64, ptr %size.at
  %enough = icmp uge i64 %size, %bytes
  br i1 %enough, label %keep, label %replace
keep:
  ret ptr %old
replace:
  call void @tm_discard(ptr %frame, ptr %old)
  br label %fresh
fresh:
  %half = lshr i64 %bytes, 1
  %more = add i64 %bytes, %half
  %room = add i64 %more, 64
  %total = add i64 %room, 32
  %block = call ptr @malloc(i64 %total)
  %failed = icmp eq ptr %block, null
  br i1 %failed, label %fail, label %link
link:
  %head.at = getelementptr i8, ptr %frame, i64 8
  %head = load ptr, ptr %head.at
  store ptr %head, ptr %block
  %previous.at = getelementptr i8, ptr %block, i64 8
  store ptr null, ptr %previous.at
  %new.size.at = getelementptr i8, ptr %block, i64 16
  store i64 %room, ptr %new.size.at
  %kind.at = getelementptr i8, ptr %block, i64 24
  store i64 0, ptr %kind.at
  store ptr %block, ptr %head.at
  %first = icmp eq ptr %head, null
  br i1 %first, label %done, label %back
back:
  %head.previous = getelementptr i8, ptr %head, i64 8
  store ptr %block, ptr %head.previous
  br label %done
done:
  %data = getelementptr i8, ptr %block, i64 32
  ret ptr %data
fail:
  ret ptr null
}

define internal void @tm_discard(ptr %frame, ptr %data) {
entry:
  %block = getelementptr i8, ptr %data, i64 -32
  %next = load ptr, ptr %block
  %previous.at = getelementptr i8, ptr %block, i64 8
  %previous = load ptr, ptr %previous.at
  %first = icmp eq ptr %previous, null
  %head.at = getelementptr i8, ptr %frame, i64 8
  %before = select i1 %first, ptr %head.at, ptr %previous
  store ptr %next, ptr %before
  %last = icmp eq ptr %next, null
  br i1 %last, label %done, label %relink
relink:
  %next.previous = getelementptr i8, ptr %next, i64 8
  store ptr %previous, ptr %next.previous
  br label %done
done:
  call void @free(ptr %block)
  ret void
}

define internal void @tm_release_kept(ptr %frame) {
entry:
  %head.at = getelementptr i8, ptr %frame, i64 8
  %head = load ptr, ptr %head.at
  br label %loop
loop:
  %block = phi ptr [ %head, %entry ], [ %next, %one ]
  %end = icmp eq ptr %block, null
  br i1 %end, label %done, label %one
one:
  %next = load ptr, ptr %block
  call void @free(ptr %block)
  br label %loop
done:
  store ptr null, ptr %head.at
  ret void
}

define internal void @tm_copy(ptr %target, ptr %source, i64 %bytes) alwaysinline {
  call void @llvm.memcpy.p0.p0.i64(ptr %target, ptr %source, i64 %bytes, i1 false)
  ret void
}
"""
