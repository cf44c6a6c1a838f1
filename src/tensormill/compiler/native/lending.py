"""Programs on devices are called with variables and tensors that are there (device_calls.py).

    Storage.array ──► Away ──► array, place, lent_to: None

Nothing changes where one variable is not so, or is lent to somebody: the call is made otherwise.
Else what each has is given to the program, before the operands; those that it changes are lent to
this thread meanwhile, and get what the program gives. Python's lock is held but while the program
runs, so that other threads see all of that or nothing.

    EagerTensor._away ──► (kind, array)

The same for operands: where one is no tensor, of another kind, or not there, the call is made
otherwise; else results become such tensors.
"""

from __future__ import annotations

from typing import Final

from ..calling.object_layouts import ARRAY, OBJECT, TUPLE_ITEMS

_TYPE: Final = OBJECT.fields["type"].offset
_DATA: Final = ARRAY.fields["data"].offset
# CPython's PY_VECTORCALL_ARGUMENTS_OFFSET: who is called may use the word before the arguments.
_MAY_USE_WORD_BEFORE: Final = -(1 << 63)

FUNCTIONS: Final = f"""
# Notes what stands for each variable, and its array; false where one is not there.
function tm_note_lendable(context: ptr, given: ptr, held: ptr) -> bool:
  bind facts: Lending at context
  let count: i64 = facts.variables[]
  let storage_slot: i64 = facts.storage_slot[]
  let away_type: ptr = facts.away_type[]
  let array_slot: i64 = facts.array_slot[]
  let place_slot: i64 = facts.place_slot[]
  let lent_slot: i64 = facts.lent_slot[]
  let none: ptr = facts.none[]
  bind rows: ptr[count, 2] at facts.table[]
  bind arrays: ptr[count] at given
  bind aways: ptr[count] at held
  for k in count:
    bind storage: ptr[1] at (rows[k, 0] + storage_slot)
    let away: ptr = storage[0]
    bind type: ptr[1] at (away + {_TYPE})
    if (type[0] != away_type):
      return false
    bind place: ptr[1] at (away + place_slot)
    if (place[0] != rows[k, 1]):
      return false
    bind lent: ptr[1] at (away + lent_slot)
    if (lent[0] != none):
      return false
    bind array: ptr[1] at (away + array_slot)
    aways[k] = away
    arrays[k] = array[0]
  return true

# Lends to a thread what is noted, or puts something into the place of the thread that has it.
function tm_set_lent(context: ptr, held: ptr, lent_to: ptr):
  bind facts: Lending at context
  let count: i64 = facts.changed[]
  bind aways: ptr[count] at held
  let lent_slot: i64 = facts.lent_slot[]
  for k in count:
    bind lent: ptr[1] at (aways[k] + lent_slot)
    let before: ptr = lent[0]
    call Py_IncRef(lent_to)
    lent[0] = lent_to
    call Py_DecRef(before)

function tm_hold_each(objects: ptr, count: i64):
  bind each: ptr[count] at objects
  for k in count:
    call Py_IncRef(each[k])

function tm_drop_each(objects: ptr, count: i64):
  bind each: ptr[count] at objects
  for k in count:
    call Py_DecRef(each[k])

# What is in the variables changes places with what the program gives; it is dropped by `given`.
function tm_leave_results(context: ptr, given: ptr, held: ptr, results: ptr) -> bool:
  bind facts: Lending at context
  let count: i64 = facts.changed[]
  let after: i64 = facts.after[]
  let array_slot: i64 = facts.array_slot[]
  bind arrays: ptr[count] at given
  bind aways: ptr[count] at held
  for k in count:
    call made: ptr = PyList_GetItem(results, (after + k))
    if (made == 0ptr):
      return false
    bind array: ptr[1] at (aways[k] + array_slot)
    call Py_IncRef(made)
    array[0] = made
    call Py_DecRef(arrays[k])
  return true

# The error that is on its way, with its traceback; three words are for notes.
function tm_take_error(notes: ptr) -> ptr:
  bind type: ptr[1] at notes
  bind value: ptr[1] at (notes + 8)
  bind trace: ptr[1] at (notes + 16)
  call PyErr_Fetch(notes, (notes + 8), (notes + 16))
  call PyErr_NormalizeException(notes, (notes + 8), (notes + 16))
  if (trace[0] != 0ptr):
    call told: i32 = PyException_SetTraceback(value[0], trace[0])
  call Py_DecRef(type[0])
  call Py_DecRef(trace[0])
  return value[0]

# Python's function, as METH_FASTCALL has it.
function tm_call_lending(self: ptr, args: ptr, count: i64) -> ptr:
  bind data: ptr[1] at (self + {_DATA})
  let context: ptr = data[0]
  bind facts: Lending at context
  let variables: i64 = facts.variables[]
  let all: i64 = (variables + count)
  call memory: ptr = malloc((((all + variables) + 4) * 8))
  if (memory == 0ptr):
    call nothing: ptr = PyErr_NoMemory()
    return nothing
  let given: ptr = (memory + 8)
  let held: ptr = (given + (all * 8))
  let notes: ptr = (held + (variables * 8))
  call are_there: bool = tm_note_lendable(context, given, held)
  if (are_there == false):
    call free(memory)
    call found: ptr = PyObject_Vectorcall(facts.otherwise[], args, count, 0ptr)
    return found
  call number: i64 = PyThread_get_thread_ident()
  call thread: ptr = PyLong_FromUnsignedLong(number)
  if (thread == 0ptr):
    call free(memory)
    return 0ptr
  bind operands: ptr[count] at args
  bind words: ptr[count] at (given + (variables * 8))
  for k in count:
    words[k] = operands[k]
  call tm_hold_each(given, variables)
  call tm_hold_each(held, variables)
  call tm_set_lent(context, held, thread)
  call Py_DecRef(thread)
  let count_and_mark: i64 = (all + {_MAY_USE_WORD_BEFORE})
  call results: ptr = PyObject_Vectorcall(facts.program[], given, count_and_mark, 0ptr)
  set result: ptr = results
  if (results != 0ptr):
    call are_left: bool = tm_leave_results(context, given, held, results)
    call tm_set_lent(context, held, facts.none[])
    if (are_left == false):
      call Py_DecRef(results)
      set result = 0ptr
  else:
    call error: ptr = tm_take_error(notes)
    bind first: ptr[1] at memory
    first[0] = error
    let with_aways: i64 = ((all + variables) + 1)
    call again: ptr = PyObject_Vectorcall(facts.failed[], memory, with_aways, 0ptr)
    call Py_DecRef(error)
    set result = again
  call tm_drop_each(given, variables)
  call tm_drop_each(held, variables)
  call free(memory)
  return result

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
  let count_and_mark: i64 = (arrays + {_MAY_USE_WORD_BEFORE})
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
