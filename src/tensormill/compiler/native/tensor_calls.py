"""Programs on devices are called with tensors that are there, and give such (device_calls.py).

    EagerTensor._away ──► (kind, array)

Where an operand is no tensor, of another kind, or not there, nothing has happened yet, and the call
is made otherwise. Python's lock is held but while the program runs.
"""

from __future__ import annotations

from typing import Final

from ..calling.object_layouts import ARRAY, OBJECT, TUPLE_ITEMS
from .lending import MAY_USE_WORD_BEFORE

_TYPE: Final = OBJECT.fields["type"].offset
_DATA: Final = ARRAY.fields["data"].offset

FUNCTIONS: Final = f"""
# Notes the arrays of operands; false where one is not as it should be.
function tm_take_tensors(context: ptr, args: ptr, taken: ptr) -> bool:
  bind facts: Direct at context
  let count: i64 = facts.operands[]
  let tensor_type: ptr = facts.tensor_type[]
  let tuple_type: ptr = facts.tuple_type[]
  let away_slot: i64 = facts.away_slot[]
  let none: ptr = facts.none[]
  bind operands: ptr[count] at args
  bind kinds: ptr[count] at facts.kinds[]
  bind arrays: ptr[count] at taken
  for k in count:
    let tensor: ptr = operands[k]
    bind type: ptr[1] at (tensor + {_TYPE})
    if (type[0] != tensor_type):
      return false
    bind slot: ptr[1] at (tensor + away_slot)
    let away: ptr = slot[0]
    if (away == 0ptr):
      return false
    bind pair_type: ptr[1] at (away + {_TYPE})
    if (pair_type[0] != tuple_type):
      return false
    bind pair: ptr[2] at (away + {TUPLE_ITEMS})
    if (pair[0] != kinds[k]):
      return false
    if (pair[1] == none):
      return false
    arrays[k] = pair[1]
  return true

# What the program is called with, in its order.
function tm_arrange_arrays(context: ptr, taken: ptr, given: ptr):
  bind facts: Direct at context
  let count: i64 = facts.arrays[]
  let operands: i64 = facts.operands[]
  bind sources: i64[count] at facts.sources[]
  bind constants: ptr[count] at facts.constants[]
  bind arrays: ptr[operands] at taken
  bind words: ptr[count] at given
  for k in count:
    if (sources[k] < 0):
      words[k] = constants[k]
    else:
      words[k] = arrays[sources[k]]

# A tensor of an array on a device, or null.
function tm_wrap_away(context: ptr, kind: ptr, array: ptr) -> ptr:
  bind facts: Direct at context
  call pair: ptr = PyTuple_New(2)
  if (pair == 0ptr):
    return 0ptr
  bind items: ptr[2] at (pair + {TUPLE_ITEMS})
  call Py_IncRef(kind)
  call Py_IncRef(array)
  items[0] = kind
  items[1] = array
  call tensor: ptr = PyType_GenericAlloc(facts.tensor_type[], 0)
  if (tensor == 0ptr):
    call Py_DecRef(pair)
    return 0ptr
  bind slot: ptr[1] at (tensor + facts.away_slot[])
  slot[0] = pair
  return tensor

# A tuple of tensors, or null.
function tm_wrap_results(context: ptr, results: ptr) -> ptr:
  bind facts: Direct at context
  let count: i64 = facts.given[]
  bind numbers: i64[count] at facts.results[]
  bind kinds: ptr[count] at facts.result_kinds[]
  call made: ptr = PyTuple_New(count)
  if (made == 0ptr):
    return 0ptr
  bind items: ptr[count] at (made + {TUPLE_ITEMS})
  for k in count:
    call array: ptr = PyList_GetItem(results, numbers[k])
    if (array == 0ptr):
      call Py_DecRef(made)
      return 0ptr
    call tensor: ptr = tm_wrap_away(context, kinds[k], array)
    if (tensor == 0ptr):
      call Py_DecRef(made)
      return 0ptr
    items[k] = tensor
  return made

# Python's function, as METH_FASTCALL has it.
function tm_call_with_tensors(self: ptr, args: ptr, count: i64) -> ptr:
  bind data: ptr[1] at (self + {_DATA})
  let context: ptr = data[0]
  bind facts: Direct at context
  let operands: i64 = facts.operands[]
  let arrays: i64 = facts.arrays[]
  if (count != operands):
    call refused: ptr = PyObject_Vectorcall(facts.otherwise[], args, count, 0ptr)
    return refused
  call memory: ptr = malloc((((arrays + operands) + 2) * 8))
  if (memory == 0ptr):
    call nothing: ptr = PyErr_NoMemory()
    return nothing
  let given: ptr = (memory + 8)
  let taken: ptr = (given + (arrays * 8))
  call are_there: bool = tm_take_tensors(context, args, taken)
  if (are_there == false):
    call free(memory)
    call found: ptr = PyObject_Vectorcall(facts.otherwise[], args, count, 0ptr)
    return found
  call tm_arrange_arrays(context, taken, given)
  call tm_hold_each(given, arrays)
  let count_and_mark: i64 = (arrays + {MAY_USE_WORD_BEFORE})
  call results: ptr = PyObject_Vectorcall(facts.call[], given, count_and_mark, 0ptr)
  call tm_drop_each(given, arrays)
  call free(memory)
  if (results == 0ptr):
    return 0ptr
  if (results == facts.none[]):
    call Py_DecRef(results)
    call Py_IncRef(facts.not_implemented[])
    return facts.not_implemented[]
  call wrapped: ptr = tm_wrap_results(context, results)
  call Py_DecRef(results)
  return wrapped
"""
