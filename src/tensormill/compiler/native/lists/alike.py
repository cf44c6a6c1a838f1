"""Native lists (TensorArrays).

A list is a `List` in memory. Its elements lie in a row; those never written are zeros. Behind them
lies a byte for each, which is 1 where it was written. Behind the end of a list lies anything, but
zeros where it is ragged: what lists of elements of several shapes need is in ragged.py. A
loop that knows how many elements will come says so (`tm_list_expect`). Memory is kept for the call
(memory/call_memory.py); in a loop, what an iteration leaves behind is given back by
`tm_list_sweep`. A failed allocation gives null or false, which programs check.
"""

from __future__ import annotations

from typing import Final

from ..records import BLOCK, LIST

LEAST_CAPACITY: Final = 4
# So much room is made at most for elements that are only expected.
MOST_WANTED_BYTES: Final = 1 << 24
_MOST_BYTES: Final = 2**63 - 1

FUNCTIONS: Final = f"""
function tm_list_new(frame: ptr, length: i64, itemsize: i64) -> ptr:
  call list: ptr = tm_resize(frame, 0ptr, {LIST.bytes})
  if (list == 0ptr):
    return 0ptr
  bind all: u8[{LIST.bytes}] at list
  call memset(&all, 0u8, {LIST.bytes})
  bind it: List at list
  it.length[] = length
  it.itemsize[] = itemsize
  call tm_list_mark(frame, list, 1i32)
  return list

inline function tm_list_mark(frame: ptr, list: ptr, kind: i32):
  bind block: Block at (list + -{BLOCK.bytes})
  block.kind[] = kind

function tm_list_begin(frame: ptr) -> ptr:
  call mark: ptr = tm_resize(frame, 0ptr, 0)
  return mark

inline function tm_list_need(frame: ptr, list: ptr):
  call tm_list_mark(frame, list, 2i32)

function tm_list_sweep(frame: ptr, mark: ptr):
  let last: ptr = (mark + -{BLOCK.bytes})
  bind chain: Frame at frame
  set block: ptr = chain.kept[]
  while (block != last):
    bind here: Block at block
    if (here.kind[] == 1i32):
      call left: ptr = tm_list_drop(frame, block)
      set block = left
    else:
      if (here.kind[] == 2i32):
        here.kind[] = 1i32
      set block = here.next[]

function tm_list_drop(frame: ptr, block: ptr) -> ptr:
  let list: ptr = (block + {BLOCK.bytes})
  bind it: List at list
  let data: ptr = it.data[]
  if (data != 0ptr):
    call tm_list_drop_entries(frame, list)
    call tm_discard(frame, data)
  # what follows now: the elements may have been next
  bind here: Block at block
  let next: ptr = here.next[]
  call tm_discard(frame, list)
  return next

function tm_list_end(frame: ptr, mark: ptr):
  call tm_discard(frame, mark)

inline function tm_list_length(frame: ptr, list: ptr) -> i64:
  bind it: List at list
  return it.length[]

inline function tm_list_data(frame: ptr, list: ptr) -> ptr:
  bind it: List at list
  return it.data[]

inline function tm_list_rank_known(frame: ptr, list: ptr) -> bool:
  bind it: List at list
  return (it.shaped[] != 0)

inline function tm_list_size(frame: ptr, list: ptr, axis: i64) -> i64:
  bind it: List at list
  return it.sizes[axis]

inline function tm_list_item(frame: ptr, list: ptr, index: i64) -> ptr:
  bind it: List at list
  let bytes: i64 = it.bytes[]
  let capacity: i64 = it.capacity[]
  bind items: u8[(capacity * bytes)] at it.data[]
  bind item: u8[bytes] at (&items + (index * bytes))
  return &item

inline function tm_list_flag(frame: ptr, list: ptr, index: i64, written: u8):
  bind it: List at list
  let capacity: i64 = it.capacity[]
  bind flags: u8[capacity] at (it.data[] + (it.bytes[] * capacity))
  flags[index] = written

function tm_list_all_written(frame: ptr, list: ptr):
  bind it: List at list
  let capacity: i64 = it.capacity[]
  bind flags: u8[capacity] at (it.data[] + (it.bytes[] * capacity))
  call memset(&flags, 1u8, it.length[])

function tm_list_fits(frame: ptr, list: ptr, axis: i64, size: i64) -> bool:
  bind it: List at list
  if (it.ragged[] != 0):
    return true
  if (it.shaped[] != 0):
    return (it.sizes[axis] == size)
  it.sizes[axis] = size
  return true

function tm_list_shaped(frame: ptr, list: ptr, count: i64, rank: i64) -> bool:
  bind it: List at list
  if (it.shaped[] != 0):
    return true
  if (count < 0):
    return true
  it.shaped[] = (rank + 1)
  it.bytes[] = (count * it.itemsize[])
  let length: i64 = it.length[]
  call wanted: i64 = tm_list_wanted(frame, list)
  call made: bool = tm_list_grow(frame, list, max(max(length, wanted), {LEAST_CAPACITY}))
  if made:
    call tm_list_clear(frame, list, 0, length)
  return made

function tm_list_wanted(frame: ptr, list: ptr) -> i64:
  bind it: List at list
  return min(it.wanted[], truncate_divide({MOST_WANTED_BYTES}, (it.bytes[] + 1)))

function tm_list_expect(frame: ptr, list: ptr, more: i64):
  bind it: List at list
  it.wanted[] = (it.length[] + max(0, min(more, {MOST_WANTED_BYTES})))
  if ((it.shaped[] == 0) | (it.ragged[] != 0)):
    return
  call wanted: i64 = tm_list_wanted(frame, list)
  if (wanted > it.capacity[]):
    # where there is no room for so many, it grows when they come
    call made: bool = tm_list_grow(frame, list, wanted)

function tm_list_grow(frame: ptr, list: ptr, least: i64) -> bool:
  bind it: List at list
  let bytes: i64 = it.bytes[]
  if (bytes >= truncate_divide({_MOST_BYTES}, least)):
    return false
  call data: ptr = tm_resize(frame, 0ptr, ((bytes + 1) * least))
  if (data == 0ptr):
    return false
  bind block: Block at (data + -{BLOCK.bytes})
  let capacity: i64 = truncate_divide(block.size[], (bytes + 1))
  let old: ptr = it.data[]
  let few: i64 = it.capacity[]
  let length: i64 = min(it.length[], few)
  let used: i64 = (length * bytes)
  bind made: u8[((bytes + 1) * capacity)] at data
  it.data[] = data
  it.capacity[] = capacity
  if (old != 0ptr):
    bind before: u8[((bytes + 1) * few)] at old
    call memcpy(&made, &before, used)
    call memcpy((&made + (capacity * bytes)), (&before + (few * bytes)), length)
    call tm_discard(frame, old)
  if (it.ragged[] != 0):
    call tm_list_clear(frame, list, length, capacity)
  return true

function tm_list_clear(frame: ptr, list: ptr, start: i64, end: i64):
  bind it: List at list
  let bytes: i64 = it.bytes[]
  let capacity: i64 = it.capacity[]
  bind all: u8[((bytes + 1) * capacity)] at it.data[]
  call memset((&all + (start * bytes)), 0u8, ((end - start) * bytes))
  call memset((&all + ((capacity * bytes) + start)), 0u8, (end - start))

function tm_list_lengthen(frame: ptr, list: ptr, count: i64) -> bool:
  bind it: List at list
  let capacity: i64 = it.capacity[]
  if (count > capacity):
    call made: bool = tm_list_grow(frame, list, max((capacity * 2), count))
    if not(made):
      return false
  it.length[] = count
  return true

function tm_list_slot(frame: ptr, list: ptr, index: i64) -> ptr:
  bind it: List at list
  let length: i64 = it.length[]
  if (index >= length):
    call made: bool = tm_list_lengthen(frame, list, (index + 1))
    if not(made):
      return 0ptr
    if (index > length):
      call tm_list_clear(frame, list, length, index)
  call tm_list_flag(frame, list, index, 1u8)
  call item: ptr = tm_list_item(frame, list, index)
  return item

function tm_list_resize(frame: ptr, list: ptr, count: i64) -> bool:
  bind it: List at list
  set length: i64 = it.length[]
  while (length > count):
    set length = (length - 1)
    call tm_list_truncate(frame, list, length)
  if ((it.shaped[] != 0) & (count > length)):
    call made: bool = tm_list_lengthen(frame, list, count)
    if made:
      call tm_list_clear(frame, list, length, count)
    return made
  it.length[] = count
  return true

function tm_list_truncate(frame: ptr, list: ptr, length: i64):
  bind it: List at list
  it.length[] = length
  if (it.ragged[] != 0):
    call tm_list_drop_entry(frame, list, length)
    call tm_list_clear(frame, list, length, (length + 1))

function tm_list_copy(frame: ptr, list: ptr) -> ptr:
  call copy: ptr = tm_resize(frame, 0ptr, {LIST.bytes})
  if (copy == 0ptr):
    return 0ptr
  bind from: u8[{LIST.bytes}] at list
  bind to: u8[{LIST.bytes}] at copy
  call memcpy(&to, &from, {LIST.bytes})
  call tm_list_mark(frame, copy, 1i32)
  bind it: List at copy
  let old: ptr = it.data[]
  if (old == 0ptr):
    return copy
  # of what is behind the end nothing is known, but for entries
  it.data[] = 0ptr
  let few: i64 = it.capacity[]
  it.capacity[] = 0
  let length: i64 = it.length[]
  call made: bool = tm_list_grow(frame, copy, max(length, {LEAST_CAPACITY}))
  if not(made):
    return 0ptr
  let bytes: i64 = it.bytes[]
  let capacity: i64 = it.capacity[]
  bind items: u8[((bytes + 1) * few)] at old
  bind copies: u8[((bytes + 1) * capacity)] at it.data[]
  call memcpy(&copies, &items, (length * bytes))
  call memcpy((&copies + (capacity * bytes)), (&items + (few * bytes)), length)
  call copied: bool = tm_list_copy_entries(frame, copy)
  if not(copied):
    return 0ptr
  return copy
"""
