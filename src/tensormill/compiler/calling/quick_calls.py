"""The shortest way from a call of a function to the entry of its program (function_calls.py).

    Function._state ──► FunctionState.quick ──► (entry, pack, reader, counter)

What is called looks like the call before, where there is such a tuple, operations have their usual
meaning, and functions are not to run eagerly. Its arguments are the entry's operands, unless a
reader finds these in them. The entry may refuse them, which is the same as no such tuple: the call
is made otherwise. What it gives is counted, and becomes the result.

Of a call that is 0.09 µs, where the same in Python is 0.28, and 1 where much was done since the one
before: a program of XLA leaves little in the processor's caches. So this looks at few places.
"""

from __future__ import annotations

from typing import Final

from .object_layouts import ARRAY, OBJECT, TUPLE_ITEMS

_TYPE: Final = OBJECT.fields["type"].offset
_DATA: Final = ARRAY.fields["data"].offset

FUNCTIONS: Final = f"""
# How calls like the last one are made, held; null where there are none, or this is no function.
function tm_quick_way(context: ptr, args: ptr, count: i64) -> ptr:
  bind facts: Calls at context
  if (count == 0):
    return 0ptr
  bind first: ptr[1] at args
  let called: ptr = first[0]
  bind type: ptr[1] at (called + {_TYPE})
  if (type[0] != facts.function_type[]):
    call is_one: i32 = PyType_IsSubtype(type[0], facts.function_type[])
    if (is_one == 0i32):
      return 0ptr
  bind state: ptr[1] at (called + facts.state_slot[])
  if (state[0] == 0ptr):
    return 0ptr
  bind quick: ptr[1] at (state[0] + facts.quick_slot[])
  let way: ptr = quick[0]
  if (way == facts.none[]):
    return 0ptr
  call Py_IncRef(way)
  return way

# 1 where operations mean what they usually do, and functions run compiled; -1 after an error.
function tm_is_usual(context: ptr) -> i32:
  bind facts: Calls at context
  allocate held: ptr[1]
  call told: i32 = PyContextVar_Get(facts.meaning[], facts.none[], &held)
  if (told < 0i32):
    return told
  let meaning: ptr = held[0]
  call Py_DecRef(meaning)
  if (meaning != facts.none[]):
    return 0i32
  bind eagerly: ptr[1] at facts.eagerly[]
  if (eagerly[0] != facts.false[]):
    return 0i32
  return 1i32

# What the entry gives; the context where it is not for this call; null after an error.
function tm_enter(context: ptr, way: ptr, args: ptr, count: i64, names: ptr) -> ptr:
  bind facts: Calls at context
  bind parts: ptr[4] at (way + {TUPLE_ITEMS})
  set found: ptr = 0ptr
  if (parts[2] == facts.none[]):
    if (names != 0ptr):
      return context
    call given: ptr = PyObject_Vectorcall(parts[0], args, count, 0ptr)
    set found = given
  else:
    call tensors: ptr = PyObject_Vectorcall(parts[2], args, count, names)
    if (tensors == 0ptr):
      return 0ptr
    if (tensors == facts.none[]):
      call Py_DecRef(tensors)
      return context
    call many: i64 = PyTuple_Size(tensors)
    call read: ptr = PyObject_Vectorcall(parts[0], (tensors + {TUPLE_ITEMS}), many, 0ptr)
    call Py_DecRef(tensors)
    set found = read
  if (found == facts.not_implemented[]):
    call Py_DecRef(found)
    return context
  return found

# The result, of what the entry gave, which is counted; null after an error.
function tm_packed(context: ptr, way: ptr, given: ptr) -> ptr:
  bind facts: Calls at context
  bind parts: ptr[4] at (way + {TUPLE_ITEMS})
  bind counter: ptr[1] at (parts[3] + {_DATA})
  bind calls: i64[1] at counter[0]
  calls[0] = (calls[0] + 1)
  if (parts[1] == facts.none[]):
    call only: ptr = PySequence_GetItem(given, 0)
    return only
  allocate argument: ptr[1]
  argument[0] = given
  call packed: ptr = PyObject_Vectorcall(parts[1], &argument, 1, 0ptr)
  return packed

# What a call gives that is like the last one; the context where it is another one.
function tm_call_quickly(context: ptr, args: ptr, count: i64, names: ptr) -> ptr:
  call way: ptr = tm_quick_way(context, args, count)
  if (way == 0ptr):
    return context
  call is_usual: i32 = tm_is_usual(context)
  if (is_usual != 1i32):
    call Py_DecRef(way)
    if (is_usual == 0i32):
      return context
    return 0ptr
  call found: ptr = tm_enter(context, way, (args + 8), (count - 1), names)
  set result: ptr = found
  if (found != 0ptr):
    if (found != context):
      call packed: ptr = tm_packed(context, way, found)
      set result = packed
      call Py_DecRef(found)
  call Py_DecRef(way)
  return result

# Lets Python see the error that is on its way, and take frames out of its traceback.
function tm_show_error(context: ptr):
  bind facts: Calls at context
  allocate notes: ptr[3]
  call error: ptr = tm_take_error(&notes)
  allocate argument: ptr[1]
  argument[0] = error
  call shown: ptr = PyObject_Vectorcall(facts.shown[], &argument, 1, 0ptr)
  if (shown == 0ptr):
    call Py_DecRef(error)
  else:
    call Py_DecRef(shown)
    bind type: ptr[1] at (error + {_TYPE})
    call Py_IncRef(type[0])
    call trace: ptr = PyException_GetTraceback(error)
    call PyErr_Restore(type[0], error, trace)

# Python's function, as METH_FASTCALL | METH_KEYWORDS has it; the first argument is called.
function tm_call_function(self: ptr, args: ptr, count: i64, names: ptr) -> ptr:
  bind data: ptr[1] at (self + {_DATA})
  let context: ptr = data[0]
  bind facts: Calls at context
  call found: ptr = tm_call_quickly(context, args, count, names)
  if (found == context):
    call other: ptr = PyObject_Vectorcall(facts.otherwise[], args, count, names)
    return other
  if (found == 0ptr):
    call tm_show_error(context)
  return found
"""
