"""Memory for temporaries whose size only run time knows, in LLVM IR.

An arena is four words: where the next byte comes from, the end of the chunk, the chunk, and a
spare chunk. A chunk begins with {the chunk before, its end}; its bytes follow at 64.
What is asked for after a mark is given back by releasing the mark. Null means: no memory.
"""

from __future__ import annotations

from typing import Final

ARENA_WORDS: Final = 4
_FIRST_CHUNK: Final = 65536

DECLARATIONS: Final = {
    "aligned_alloc": "declare noalias ptr @aligned_alloc(i64, i64)",
    "free": "declare void @free(ptr)",
}

ARENA: Final = f"""
define internal void @tm_arena_begin(ptr %arena) alwaysinline {{
  call void @llvm.memset.p0.i64(ptr %arena, i8 0, i64 {8 * ARENA_WORDS}, i1 false)
  ret void
}}

define internal i64 @tm_mark(ptr %arena) alwaysinline {{
  %next = load i64, ptr %arena
  ret i64 %next
}}

define internal ptr @tm_allocate(ptr %arena, i64 %bytes) {{
entry:
  %sane = icmp ult i64 %bytes, {2**46}
  br i1 %sane, label %round, label %fail
round:
  %more = add i64 %bytes, 63
  %size = and i64 %more, -64
  %next = load i64, ptr %arena
  %after = add i64 %next, %size
  %end.at = getelementptr i64, ptr %arena, i64 1
  %end = load i64, ptr %end.at
  %fits = icmp ule i64 %after, %end
  %some = icmp ne i64 %next, 0
  %good = and i1 %fits, %some
  br i1 %good, label %take, label %chunk
take:
  store i64 %after, ptr %arena
  %result = inttoptr i64 %next to ptr
  ret ptr %result
chunk:
  %begin = call i64 @tm_chunk(ptr %arena, i64 %size)
  %none = icmp eq i64 %begin, 0
  br i1 %none, label %fail, label %first
first:
  %left = add i64 %begin, %size
  store i64 %left, ptr %arena
  %start = inttoptr i64 %begin to ptr
  ret ptr %start
fail:
  ret ptr null
}}

define internal i64 @tm_chunk(ptr %arena, i64 %size) noinline {{
entry:
  %spare.at = getelementptr i64, ptr %arena, i64 3
  %spare = load ptr, ptr %spare.at
  %none = icmp eq ptr %spare, null
  br i1 %none, label %fresh, label %look
look:
  %spare.end.at = getelementptr i64, ptr %spare, i64 1
  %spare.end = load i64, ptr %spare.end.at
  %spare.begin = ptrtoint ptr %spare to i64
  %spare.room = sub i64 %spare.end, %spare.begin
  %wanted = add i64 %size, 64
  %enough = icmp uge i64 %spare.room, %wanted
  store ptr null, ptr %spare.at
  br i1 %enough, label %link, label %drop
drop:
  call void @free(ptr %spare)
  br label %fresh
fresh:
  %least = call i64 @llvm.umax.i64(i64 %size, i64 {_FIRST_CHUNK})
  %bytes = add i64 %least, 64
  %made = call ptr @aligned_alloc(i64 64, i64 %bytes)
  %failed = icmp eq ptr %made, null
  br i1 %failed, label %fail, label %new
new:
  %made.begin = ptrtoint ptr %made to i64
  %made.end = add i64 %made.begin, %bytes
  %made.end.at = getelementptr i64, ptr %made, i64 1
  store i64 %made.end, ptr %made.end.at
  br label %link
link:
  %chunk = phi ptr [ %spare, %look ], [ %made, %new ]
  %chunk.at = getelementptr i64, ptr %arena, i64 2
  %before = load ptr, ptr %chunk.at
  store ptr %before, ptr %chunk
  store ptr %chunk, ptr %chunk.at
  %end.at = getelementptr i64, ptr %chunk, i64 1
  %end = load i64, ptr %end.at
  %arena.end.at = getelementptr i64, ptr %arena, i64 1
  store i64 %end, ptr %arena.end.at
  %begin = ptrtoint ptr %chunk to i64
  %data = add i64 %begin, 64
  store i64 %data, ptr %arena
  ret i64 %data
fail:
  ret i64 0
}}

define internal void @tm_release(ptr %arena, i64 %mark) {{
entry:
  %chunk.at = getelementptr i64, ptr %arena, i64 2
  %end.at = getelementptr i64, ptr %arena, i64 1
  %spare.at = getelementptr i64, ptr %arena, i64 3
  br label %loop
loop:
  %chunk = load ptr, ptr %chunk.at
  %none = icmp eq ptr %chunk, null
  br i1 %none, label %done, label %look
look:
  %begin = ptrtoint ptr %chunk to i64
  %end = load i64, ptr %end.at
  %above = icmp ugt i64 %mark, %begin
  %below = icmp ule i64 %mark, %end
  %here = and i1 %above, %below
  br i1 %here, label %done, label %leave
leave:
  %before = load ptr, ptr %chunk
  store ptr %before, ptr %chunk.at
  %spare = load ptr, ptr %spare.at
  call void @free(ptr %spare)
  store ptr %chunk, ptr %spare.at
  %last = icmp eq ptr %before, null
  br i1 %last, label %empty, label %back
empty:
  store i64 0, ptr %end.at
  br label %loop
back:
  %before.end.at = getelementptr i64, ptr %before, i64 1
  %before.end = load i64, ptr %before.end.at
  store i64 %before.end, ptr %end.at
  br label %loop
done:
  store i64 %mark, ptr %arena
  ret void
}}

define internal void @tm_arena_end(ptr %arena) {{
  call void @tm_release(ptr %arena, i64 0)
  %spare.at = getelementptr i64, ptr %arena, i64 3
  %spare = load ptr, ptr %spare.at
  call void @free(ptr %spare)
  ret void
}}
"""
