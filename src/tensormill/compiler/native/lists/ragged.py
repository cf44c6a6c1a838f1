"""Lists whose elements differ in shape.

A list becomes ragged when an element is written that does not fit the others (`tm_list_loosen`),
and is one row again where that is wanted and all agree (`tm_list_tighten`). Instead of elements,
its data then are entries: an `Entry` each.
"""

from __future__ import annotations

from typing import Final

from ..records import ENTRY, MAXIMUM_RANK

FUNCTIONS: Final = f"""
inline function tm_list_is_uniform(frame: ptr, list: ptr) -> bool:
  bind it: List at list
  return (it.ragged[] == 0)

inline function tm_list_has_rank(frame: ptr, list: ptr, rank: i64) -> bool:
  bind it: List at list
  return ((it.ragged[] != 0) | ((it.shaped[] == 0) | (it.shaped[] == (rank + 1))))

function tm_list_is_written(frame: ptr, list: ptr, index: i64) -> bool:
  bind it: List at list
  if (it.shaped[] == 0):
    return false
  let capacity: i64 = it.capacity[]
  bind flags: u8[capacity] at (it.data[] + (it.bytes[] * capacity))
  return (flags[index] != 0u8)

function tm_list_has_size(frame: ptr, list: ptr, index: i64) -> bool:
  bind it: List at list
  if (it.ragged[] == 0):
    return (it.shaped[] != 0)
  call written: bool = tm_list_is_written(frame, list, index)
  return written

function tm_list_item_size(frame: ptr, list: ptr, index: i64, axis: i64) -> i64:
  bind it: List at list
  if (it.ragged[] == 0):
    return it.sizes[axis]
  call item: ptr = tm_list_item(frame, list, index)
  bind entry: Entry at item
  return entry.sizes[axis]

function tm_list_item_fits(frame: ptr, list: ptr, index: i64, axis: i64, size: i64) -> bool:
  call written: bool = tm_list_is_written(frame, list, index)
  if not(written):
    return true
  call own: i64 = tm_list_item_size(frame, list, index, axis)
  return (own == size)

function tm_list_item_has_rank(frame: ptr, list: ptr, index: i64, rank: i64) -> bool:
  call written: bool = tm_list_is_written(frame, list, index)
  if not(written):
    return true
  bind it: List at list
  if (it.ragged[] == 0):
    return (it.shaped[] == (rank + 1))
  call item: ptr = tm_list_item(frame, list, index)
  bind entry: Entry at item
  return (entry.rank[] == rank)

function tm_list_put_size(frame: ptr, list: ptr, index: i64, axis: i64, size: i64):
  bind it: List at list
  if (it.ragged[] != 0):
    call item: ptr = tm_list_item(frame, list, index)
    bind entry: Entry at item
    entry.sizes[axis] = size

function tm_list_room(frame: ptr, list: ptr, index: i64, count: i64, rank: i64) -> ptr:
  call item: ptr = tm_list_slot(frame, list, index)
  bind it: List at list
  if ((item == 0ptr) | (it.ragged[] == 0)):
    return item
  call data: ptr = tm_list_entry_memory(frame, item, (count * it.itemsize[]), rank)
  return data

function tm_list_entry_memory(frame: ptr, item: ptr, bytes: i64, rank: i64) -> ptr:
  bind entry: Entry at item
  let old: ptr = entry.data[]
  call data: ptr = tm_resize(frame, old, bytes)
  entry.data[] = data
  entry.rank[] = rank
  entry.bytes[] = bytes
  if ((old == 0ptr) & (data != 0ptr)):
    bind memory: u8[bytes] at data
    call memset(&memory, 0u8, bytes)
  return data

function tm_list_item_data(frame: ptr, list: ptr, index: i64) -> ptr:
  call item: ptr = tm_list_item(frame, list, index)
  bind it: List at list
  if (it.ragged[] == 0):
    return item
  bind entry: Entry at item
  return entry.data[]

function tm_list_loosen(frame: ptr, list: ptr) -> bool:
  bind it: List at list
  if (it.ragged[] != 0):
    return true
  let length: i64 = it.length[]
  let capacity: i64 = it.capacity[]
  let old: ptr = it.data[]
  let bytes: i64 = it.bytes[]
  let count: i64 = max(length, 4)
  let total: i64 = (count * {ENTRY.bytes + 1})
  call data: ptr = tm_resize(frame, 0ptr, total)
  if (data == 0ptr):
    return false
  bind entries: u8[total] at data
  call memset(&entries, 0u8, total)
  call tm_list_turn(frame, list, 1, data, count, {ENTRY.bytes})
  bind items: u8[(capacity * bytes)] at old
  bind flags: u8[capacity] at (old + (capacity * bytes))
  for k in length:
    if (flags[k] != 0u8):
      call item: ptr = tm_list_slot(frame, list, k)
      call memory: ptr = tm_list_entry_memory(frame, item, bytes, (it.shaped[] - 1))
      if (memory == 0ptr):
        return false
      bind own: u8[bytes] at memory
      call memcpy(&own, (&items + (k * bytes)), bytes)
      bind entry: Entry at item
      for axis in {MAXIMUM_RANK}:
        entry.sizes[axis] = it.sizes[axis]
  call tm_discard(frame, old)
  return true

function tm_list_turn(frame: ptr, list: ptr, ragged: i64, data: ptr, capacity: i64, bytes: i64):
  bind it: List at list
  it.ragged[] = ragged
  it.data[] = data
  it.capacity[] = capacity
  it.bytes[] = bytes

function tm_list_agree(frame: ptr, list: ptr) -> bool:
  bind it: List at list
  if (it.length[] == 0):
    return false
  bind first: Entry at it.data[]
  for k in it.length[]:
    call item: ptr = tm_list_item(frame, list, k)
    bind entry: Entry at item
    if ((entry.data[] == 0ptr) | (entry.rank[] != first.rank[])):
      return false
    for axis in first.rank[]:
      if (entry.sizes[axis] != first.sizes[axis]):
        return false
  return true

function tm_list_tighten(frame: ptr, list: ptr) -> bool:
  bind it: List at list
  if (it.ragged[] == 0):
    return true
  call agree: bool = tm_list_agree(frame, list)
  if not(agree):
    return true
  let length: i64 = it.length[]
  let entries: ptr = it.data[]
  bind first: Entry at entries
  let bytes: i64 = first.bytes[]
  let total: i64 = (length * (bytes + 1))
  call data: ptr = tm_resize(frame, 0ptr, total)
  if (data == 0ptr):
    return false
  bind items: u8[total] at data
  for k in length:
    call item: ptr = tm_list_item(frame, list, k)
    bind entry: Entry at item
    bind own: u8[bytes] at entry.data[]
    call memcpy((&items + (k * bytes)), &own, bytes)
  it.shaped[] = (first.rank[] + 1)
  for axis in {MAXIMUM_RANK}:
    it.sizes[axis] = first.sizes[axis]
  call tm_list_drop_entries(frame, list)
  call tm_list_turn(frame, list, 0, data, length, bytes)
  call tm_discard(frame, entries)
  call tm_list_all_written(frame, list)
  return true

function tm_list_copy_entries(frame: ptr, list: ptr) -> bool:
  bind it: List at list
  if (it.ragged[] == 0):
    return true
  for k in it.length[]:
    call item: ptr = tm_list_item(frame, list, k)
    bind entry: Entry at item
    let old: ptr = entry.data[]
    if (old != 0ptr):
      let bytes: i64 = entry.bytes[]
      call data: ptr = tm_resize(frame, 0ptr, bytes)
      entry.data[] = data
      if (data == 0ptr):
        return false
      bind from: u8[bytes] at old
      bind to: u8[bytes] at data
      call memcpy(&to, &from, bytes)
  return true

function tm_list_drop_entry(frame: ptr, list: ptr, index: i64):
  bind it: List at list
  if (it.ragged[] != 0):
    call item: ptr = tm_list_item(frame, list, index)
    bind entry: Entry at item
    if (entry.data[] != 0ptr):
      call tm_discard(frame, entry.data[])

function tm_list_drop_entries(frame: ptr, list: ptr):
  bind it: List at list
  if (it.ragged[] != 0):
    for k in it.length[]:
      call tm_list_drop_entry(frame, list, k)
"""
