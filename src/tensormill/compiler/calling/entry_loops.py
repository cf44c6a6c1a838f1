"""Many arguments are checked, and many outputs made tensors, in loops over tables: LLVM takes a
millisecond for each one that an entry (calling/entry.py) has code of its own for.

A table begins with a row for each. Of an argument: which one it is, where the context has its dtype
and the frame its words (in bytes), its rank, and where in the table its sizes begin; -1 is a size
that the frame gets, behind the address of the data. Of an output: where the frame has its array (in
bytes), and which one of the tuple it is. Whoever calls has Python's lock.
"""

from __future__ import annotations

from typing import Final

from ..loops.records import Record, record
from .entry_context import CONTEXT
from .object_layouts import ARRAY, OBJECT

ARGUMENT: Final = record("Argument", number="i64", dtype="i64", word="i64", rank="i64", sizes="i64")
OUTPUT: Final = record("Output", word="i64", number="i64")
ANY_SIZE: Final = -1


def _field(name: str, type_: str, base: str, of: Record, field: str) -> str:
    """A statement that binds a field."""
    return f"bind {name}: {type_}[1] at ({base} + {of.fields[field].offset})"


FUNCTIONS: Final = f"""
# False where something is different; the arrays are noted.
function tm_take_arguments(context: ptr, given: ptr, frame: ptr, table: ptr, count: i64, \
notes: ptr) -> bool:
  bind arguments: ptr[count] at given
  bind rows: i64[count, {len(ARGUMENT.fields)}] at table
  bind noted: ptr[count] at notes
  {_field("tensors", "ptr", "context", CONTEXT, "tensor_type")}
  {_field("slot", "i64", "context", CONTEXT, "tensor_slot")}
  let tensor_type: ptr = tensors[0]
  let tensor_slot: i64 = slot[0]
  for k in count:
    let tensor: ptr = arguments[rows[k, 0]]
    {_field("type", "ptr", "tensor", OBJECT, "type")}
    if (type[0] != tensor_type):
      return false
    bind held: ptr[1] at (tensor + tensor_slot)
    let array: ptr = held[0]
    if (array == 0ptr):
      return false
    {_field("dtype", "ptr", "array", ARRAY, "dtype")}
    {_field("rank", "i32", "array", ARRAY, "rank")}
    {_field("data", "ptr", "array", ARRAY, "data")}
    {_field("lies", "ptr", "array", ARRAY, "sizes")}
    bind wanted: ptr[1] at (context + rows[k, 1])
    let axes: i64 = rows[k, 3]
    if (dtype[0] != wanted[0]):
      return false
    if (cast:i64(rank[0]) != axes):
      return false
    bind words: ptr[1] at (frame + rows[k, 2])
    words[0] = data[0]
    noted[k] = array
    bind sizes: i64[axes] at lies[0]
    bind known: i64[axes] at (table + rows[k, 4])
    set unknown: i64 = 0
    for axis in axes:
      if (known[axis] == {ANY_SIZE}):
        set unknown = (unknown + 1)
        bind size: i64[1] at ((frame + rows[k, 2]) + (unknown * 8))
        size[0] = sizes[axis]
      else:
        if (known[axis] != sizes[axis]):
          return false
  return true

function tm_hold_arrays(notes: ptr, count: i64):
  bind noted: ptr[count] at notes
  for k in count:
    call Py_IncRef(noted[k])

function tm_drop_arrays(notes: ptr, count: i64):
  bind noted: ptr[count] at notes
  for k in count:
    call Py_DecRef(noted[k])

function tm_clear_outputs(frame: ptr, table: ptr, count: i64):
  bind rows: i64[count, {len(OUTPUT.fields)}] at table
  for k in count:
    bind array: ptr[1] at (frame + rows[k, 0])
    array[0] = 0ptr

# Null is allowed: outputs that were not made.
function tm_drop_outputs(frame: ptr, table: ptr, count: i64):
  bind rows: i64[count, {len(OUTPUT.fields)}] at table
  for k in count:
    bind array: ptr[1] at (frame + rows[k, 0])
    call Py_DecRef(array[0])

# False where there is no memory, and Python has been told.
function tm_wrap_outputs(context: ptr, frame: ptr, items: ptr, table: ptr, count: i64) -> bool:
  bind rows: i64[count, {len(OUTPUT.fields)}] at table
  {_field("tensors", "ptr", "context", CONTEXT, "tensor_type")}
  {_field("slot", "i64", "context", CONTEXT, "tensor_slot")}
  for k in count:
    bind array: ptr[1] at (frame + rows[k, 0])
    call tensor: ptr = PyType_GenericAlloc(tensors[0], 0)
    if (tensor == 0ptr):
      return false
    bind held: ptr[1] at (tensor + slot[0])
    held[0] = array[0]
    bind item: ptr[1] at (items + (rows[k, 1] * 8))
    item[0] = tensor
  return true
"""
