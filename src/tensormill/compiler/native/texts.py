"""Strings between Python's objects and a row of bytes (compiler/eager_texts.py calls these).

Whoever calls has Python's lock. `size_at` and `header`: how far from its beginning an object of
bytes has its size, and its bytes.
"""

from __future__ import annotations

from typing import Final

from ..calling.object_layouts import OBJECT

_TYPE: Final = OBJECT.fields["type"].offset

FUNCTIONS: Final = f"""
# Where the strings begin and end if they lie one after the other; the bytes of all, or -1 where an
# object is not of this type.
function tm_texts_measure(objects: ptr, count: i64, type: i64, size_at: i64, starts: ptr, \
stops: ptr) -> i64:
  bind items: ptr[count] at objects
  bind first: i64[count] at starts
  bind last: i64[count] at stops
  set total: i64 = 0
  for k in count:
    let object: ptr = items[k]
    if (object == 0ptr):
      return -1
    bind kind: i64[1] at (object + {_TYPE})
    if (kind[0] != type):
      return -1
    bind size: i64[1] at (object + size_at)
    first[k] = total
    set total = (total + size[0])
    last[k] = total
  return total

function tm_texts_take(objects: ptr, count: i64, header: i64, starts: ptr, stops: ptr, out: ptr):
  bind items: ptr[count] at objects
  bind first: i64[count] at starts
  bind last: i64[count] at stops
  for k in count:
    let size: i64 = (last[k] - first[k])
    bind from: u8[size] at (items[k] + header)
    bind to: u8[size] at (out + first[k])
    call memcpy(&to, &from, size)

# New objects in the place of those that are there; -1 where there is no memory.
function tm_texts_new(starts: ptr, stops: ptr, count: i64, row: ptr, out: ptr) -> i64:
  bind first: i64[count] at starts
  bind last: i64[count] at stops
  bind objects: ptr[count] at out
  for k in count:
    call made: ptr = PyBytes_FromStringAndSize((row + first[k]), (last[k] - first[k]))
    if (made == 0ptr):
      return -1
    let old: ptr = objects[k]
    objects[k] = made
    call Py_DecRef(old)
  return 0
"""
