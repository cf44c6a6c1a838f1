"""Blocks of memory that calls gave back, kept for the calls that come next.

libc gives large blocks back to the system at once. It gets them page by page when they are touched
again, each filled with zeros: that was a third of the time of a training step that needs 77 MB.

    bins     0       1       2       3       4       ...
    bytes    64 K    80 K    96 K    112 K   128 K   ...   four sizes from each power of two
             │               │
             block           block ── block                what was given back last is first

A block is as large as its bin says. What is smaller than the smallest of them is libc's to keep. A
process holds, in use and kept, at most twice what its calls needed at once in this period and the
last one: beyond that, what was not wanted for the longest time is freed. Threads take turns at it
(reserve_words.py, reserve_lock.py).

Very large blocks ask Linux for huge pages: their addresses are found with fewer looks at tables,
which was a seventh of the time of training steps of 50 to 80 MB.
"""

from __future__ import annotations

import sys
from typing import Final

from ..records import BINS, RESERVE, SPARE

LARGE: Final = 1 << 16  # bytes from which on a block is kept
_MOST: Final = 1 << 46
_LINE: Final = 64  # where blocks begin
_PERIOD: Final = 1024  # so many blocks are given back in it, a power of two
_NEVER: Final = (1 << 63) - 1
_HUGE_PAGE: Final = 1 << 21
_WANTS_HUGE_PAGES: Final = 14  # of Linux's madvise, which may refuse: then pages are small
# Bytes from which on blocks ask for them; other systems are never asked.
_VERY_LARGE: Final = 2 * _HUGE_PAGE if sys.platform == "linux" else 2 * _MOST


def _at(bin: str) -> str:
    """How far behind the reserve's beginning is what leads to the first block of a bin."""
    return f"({RESERVE.fields['kept'].offset} + ({bin} * {SPARE.fields['next'].bytes}))"


FUNCTIONS: Final = f"""
# The bytes of the blocks of a bin.
inline function tm_room(bin: i64) -> i64:
  return left_shift((4 + (bin & 3)), (right_shift(bin, 2) + 14))

# The bin of the smallest blocks that have so many bytes.
function tm_bin(bytes: i64) -> i64:
  set bin: i64 = 0
  call room: i64 = tm_room(bin)
  set found: i64 = room
  while (found < bytes):
    set bin = (bin + 1)
    call more: i64 = tm_room(bin)
    set found = more
  return bin

# Null where there is no memory.
function tm_take(bytes: i64) -> ptr:
  if (bytes < {LARGE}):
    call small: ptr = malloc(bytes)
    return small
  if (bytes > {_MOST}):
    return 0ptr
  call bin: i64 = tm_bin(bytes)
  call room: i64 = tm_room(bin)
  call reserve: ptr = tm_lock_reserve()
  bind it: Reserve at reserve
  let needed: i64 = (it.needed[] + room)
  it.needed[] = needed
  it.most[] = max(it.most[], needed)
  bind first: Spare at (reserve + {_at("bin")})
  let kept: ptr = first.next[]
  if (kept != 0ptr):
    bind spare: Spare at kept
    first.next[] = spare.next[]
  else:
    it.held[] = (it.held[] + room)
    it.made[] = (it.made[] + 1)
  call tm_unlock_reserve()
  if (kept != 0ptr):
    return kept
  call made: ptr = tm_make(room)
  return made

function tm_from_system(room: i64) -> ptr:
  let is_huge: bool = (room >= {_VERY_LARGE})
  call made: ptr = aligned_alloc(where(is_huge, {_HUGE_PAGE}, {_LINE}), room)
  if (is_huge & (made != 0ptr)):
    call refused: i32 = madvise(made, room, {_WANTS_HUGE_PAGES}i32)
  return made

# A block from the system, at last after all that is kept was freed.
function tm_make(room: i64) -> ptr:
  call made: ptr = tm_from_system(room)
  if (made != 0ptr):
    return made
  call tm_drop_reserve(0)
  call again: ptr = tm_from_system(room)
  if (again == 0ptr):
    call reserve: ptr = tm_lock_reserve()
    bind it: Reserve at reserve
    it.needed[] = (it.needed[] - room)
    # so much was never in use
    it.most[] = it.needed[]
    it.held[] = (it.held[] - room)
    call tm_unlock_reserve()
  return again

# Give back what was taken for so many bytes; null is nothing.
function tm_give(at: ptr, bytes: i64):
  if ((bytes < {LARGE}) | (at == 0ptr)):
    call free(at)
    return
  call bin: i64 = tm_bin(bytes)
  call room: i64 = tm_room(bin)
  call reserve: ptr = tm_lock_reserve()
  bind it: Reserve at reserve
  it.needed[] = (it.needed[] - room)
  it.given[] = (it.given[] + 1)
  if ((it.given[] & {_PERIOD - 1}) == 0):
    it.before[] = it.most[]
    it.most[] = it.needed[]
  bind first: Spare at (reserve + {_at("bin")})
  bind spare: Spare at at
  spare.next[] = first.next[]
  spare.given[] = it.given[]
  first.next[] = at
  let limit: i64 = (2 * max(it.most[], it.before[]))
  let too_much: bool = (it.held[] > limit)
  call tm_unlock_reserve()
  if too_much:
    call tm_drop_reserve(limit)

# Free kept blocks while more than `limit` bytes are held, first of the bins that were given nothing
# for the longest time.
function tm_drop_reserve(limit: i64):
  set goes_on: bool = true
  while goes_on:
    call reserve: ptr = tm_lock_reserve()
    bind it: Reserve at reserve
    set oldest: i64 = {_NEVER}
    set found: i64 = 0
    if (it.held[] > limit):
      for bin in {BINS}:
        bind first: Spare at (reserve + {_at("bin")})
        if (first.next[] != 0ptr):
          bind spare: Spare at first.next[]
          if (spare.given[] < oldest):
            set oldest = spare.given[]
            set found = bin
    set goes_on = (oldest != {_NEVER})
    set dropped: ptr = 0ptr
    if goes_on:
      bind chosen: Spare at (reserve + {_at("found")})
      set dropped = chosen.next[]
      bind gone: Spare at dropped
      chosen.next[] = gone.next[]
      call room: i64 = tm_room(found)
      it.held[] = (it.held[] - room)
    call tm_unlock_reserve()
    call free(dropped)
"""
