"""Memory for temporaries whose size only run time knows.

An `Arena` says where the next byte comes from, where the chunk ends, which chunk that is, and which
one is spare. A chunk begins with a `Chunk`; its bytes follow at 64. What is asked for after a mark
is given back by releasing the mark. Null means: no memory.
"""

from __future__ import annotations

from typing import Final

from ..records import ARENA
from .reserve import LARGE

# What programs with such temporaries have copies of: a loop may take and give back in each turn,
# where a call of another module is 2 ns of 15. What these call is shared.
COPIED: Final = ("tm_arena_begin", "tm_mark", "tm_allocate", "tm_release")
_MOST: Final = 2**46
_LINE: Final = 64  # where chunks begin, and the bytes in them

FUNCTIONS: Final = f"""
inline function tm_arena_begin(arena: ptr):
  bind all: u8[{ARENA.bytes}] at arena
  call memset(&all, 0u8, {ARENA.bytes})

inline function tm_mark(arena: ptr) -> i64:
  bind it: Arena at arena
  return it.next[]

function tm_allocate(arena: ptr, bytes: i64) -> ptr:
  if ((bytes < 0) | (bytes >= {_MOST})):
    return 0ptr
  let size: i64 = ((bytes + {_LINE - 1}) & -{_LINE})
  bind it: Arena at arena
  let next: i64 = it.next[]
  if (((next + size) <= it.end[]) & (next != 0)):
    it.next[] = (next + size)
    return bitcast:ptr(next)
  call begin: i64 = tm_chunk(arena, size)
  if (begin == 0):
    return 0ptr
  it.next[] = (begin + size)
  return bitcast:ptr(begin)

# A chunk with room for `size` bytes, the spare one or a fresh one; where its bytes begin.
apart function tm_chunk(arena: ptr, size: i64) -> i64:
  bind it: Arena at arena
  set chunk: ptr = it.spare[]
  if (chunk != 0ptr):
    it.spare[] = 0ptr
    bind spare: Chunk at chunk
    if ((spare.end[] - bitcast:i64(chunk)) < (size + {_LINE})):
      call tm_free_chunk(chunk)
      set chunk = 0ptr
  if (chunk == 0ptr):
    let bytes: i64 = max((size + {_LINE}), {LARGE})
    call made: ptr = tm_take(bytes)
    if (made == 0ptr):
      return 0
    bind fresh: Chunk at made
    fresh.end[] = (bitcast:i64(made) + bytes)
    set chunk = made
  bind here: Chunk at chunk
  here.before[] = it.chunk[]
  it.chunk[] = chunk
  it.end[] = here.end[]
  return (bitcast:i64(chunk) + {_LINE})

function tm_release(arena: ptr, mark: i64):
  bind it: Arena at arena
  if ((mark > bitcast:i64(it.chunk[])) & (mark <= it.end[])):
    it.next[] = mark
    return
  call tm_back_to(arena, mark)

# The same for a mark in another chunk; or before there was one, and then the first stays.
function tm_back_to(arena: ptr, mark: i64):
  bind it: Arena at arena
  while (it.chunk[] != 0ptr):
    let chunk: ptr = it.chunk[]
    if ((mark > bitcast:i64(chunk)) & (mark <= it.end[])):
      it.next[] = mark
      return
    bind here: Chunk at chunk
    let before: ptr = here.before[]
    if ((before == 0ptr) & (mark == 0)):
      it.next[] = (bitcast:i64(chunk) + {_LINE})
      return
    it.chunk[] = before
    call tm_free_chunk(it.spare[])
    it.spare[] = chunk
    it.end[] = 0
    if (before != 0ptr):
      bind last: Chunk at before
      it.end[] = last.end[]
  it.next[] = mark

function tm_arena_end(arena: ptr):
  bind it: Arena at arena
  set chunk: ptr = it.chunk[]
  while (chunk != 0ptr):
    bind here: Chunk at chunk
    let before: ptr = here.before[]
    call tm_free_chunk(chunk)
    set chunk = before
  call tm_free_chunk(it.spare[])

function tm_free_chunk(chunk: ptr):
  if (chunk != 0ptr):
    bind here: Chunk at chunk
    call tm_give(chunk, (here.end[] - bitcast:i64(chunk)))
"""
