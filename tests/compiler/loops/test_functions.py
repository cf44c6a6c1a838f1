"""Functions of the loop language: text, verification, evaluation, machine code."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.loops.evaluate import FailedCheck, call, evaluate
from tensormill.compiler.loops.externals import EXTERNALS, signature_of
from tensormill.compiler.loops.guards import guard
from tensormill.compiler.loops.ir import NativeFunction, Signature
from tensormill.compiler.loops.memory import Memory
from tensormill.compiler.loops.parse import parse, parse_function
from tensormill.compiler.loops.records import record
from tensormill.compiler.loops.text import function_text
from tensormill.compiler.loops.verify import verify, verify_function
from tensormill.compiler.machine.jit import compile_module
from tensormill.compiler.native.symbols import symbols_for
from tensormill.errors import InternalError
from tests.compiler.native.functions import callable_of, compiled
from tests.compiler.running import ENTRY, Native

# The first of `count` numbers that is not less than `least`; `count` if there is none.
SEARCH = """\
apart function search(numbers: ptr, count: i64, least: i64) -> i64:
  bind all: i64[count] at numbers
  for k in count:
    if (all[k] >= least):
      return k
  return count
"""
# Numbers from `first` down to 1, without those that 3 divides, and what they come to.
DOWN = """\
inline function down(frame: ptr, numbers: ptr, first: i64) -> f64:
  set k: i64 = first
  set total: i64 = 0
  bind all: i64[first] at numbers
  while (k > 0):
    set k = (k - 1)
    if ((k % 3) == 2):
      all[k] = 0
    else:
      all[k] = (k + 1)
      set total = (total + all[k])
  return cast:f64(total)
"""
# Threads take two numbers at once; the first `few` of each four are doubled.
DOUBLED = """\
function doubled(frame: ptr, numbers: ptr, count: i64, few: i64):
  bind all: i64[count, 4] at numbers
  allocate kept: i64[4]
  for m in 4:
    kept[m] = 2
  parfor k in count grain 2:
    for n in 4:
      if (n < few):
        all[k, n] = (all[k, n] * kept[n])
"""
POINT = record("Point", x="i64", label="ptr", tags="i32[3]", more="i32")
MOVE = """\
function move(point: ptr, by: i64) -> bool:
  bind it: Point at point
  # fields that nobody names are not bound
  it.x[] = (it.x[] + by)
  it.tags[1] = 7i32
  return (it.label[] != 0ptr)
"""
MOVED = """\
function move(point: ptr, by: i64) -> bool:
  bind it.x: i64[] at point
  bind it.tags: i32[3] at (point + 16)
  bind it.label: ptr[] at (point + 8)
  it.x[] = (it.x[] + by)
  it.tags[1] = 7i32
  return (it.label[] != 0ptr)
"""


@pytest.mark.parametrize("source", [SEARCH, DOWN, DOUBLED, MOVED])
def test_functions_are_printed_and_read_back(source: str) -> None:
    function = verify_function(parse_function(source), {})

    assert function_text(function) == source


def test_records_are_notation_for_buffers() -> None:
    function = parse_function(MOVE, {"Point": POINT})

    assert function_text(function) == MOVED


def test_a_record_says_where_its_fields_lie() -> None:
    memory = np.zeros((), POINT.dtype)
    memory["x"], memory["label"], memory["tags"] = -5, 2**63 + 1, [1, 2, 3]

    assert POINT.bytes == 32
    found = POINT.at(memory.ctypes.data)
    assert found == {"x": -5, "label": 2**63 + 1, "tags": [1, 2, 3], "more": 0}


def test_fields_lie_where_their_type_may() -> None:
    with pytest.raises(ValueError, match=r"Odd\.b is i64 at byte 4"):
        record("Odd", a="i32", b="i64")


WRONG = {
    "function f(a: i64) -> i64:\n  pass\n": "without a result",
    "function f(a: i64) -> i64:\n  if (a > 0):\n    return a\n": "without a result",
    "function f(a: i64) -> i64:\n  return a\n  return a\n": "never reached",
    "function f(a: i64) -> i64:\n  return true\n": "gives i64, not bool",
    "function f(a: i64) -> i64:\n  return\n": "gives i64, not None",
    "function f(a: i64):\n  return a\n": "gives None, not i64",
    "function f(a: i64):\n  call g(a)\n": "there is no function g",
    "function f(a: i64):\n  call free(a)\n": r"free takes \(ptr\), not \(i64\)",
    "function f(a: i64):\n  call p: i64 = malloc(a)\n": "malloc gives ptr",
    "function f(a: i64):\n  call p: i64 = free(0ptr)\n": "free gives None",
    "function f(a: i64):\n  allocate t: f32[a]\n": "must be known",
    "function f(a: i64):\n  parfor k in a:\n    pass\n": "a grain is what functions",
    "function f(a: i64):\n  parfor k in a grain 1.0:\n    pass\n": "i64 is wanted, not f32",
    "function f(a: i64):\n  parfor k in a grain 1:\n    return\n": "left at its end",
}


@pytest.mark.parametrize("source", WRONG)
def test_nonsense_is_refused(source: str) -> None:
    with pytest.raises(InternalError, match=WRONG[source]):
        verify_function(parse_function(source), EXTERNALS)


def test_programs_are_held_to_the_signatures_of_what_they_call() -> None:
    program = parse("program main(n: i64):\n  call r: i64 = f(n, 1.0)\n")

    verify(program, {"f": Signature(("i64", "f32"), "i64")})
    with pytest.raises(InternalError, match=r"f takes \(i64\), not \(i64, f32\)"):
        verify(program, {"f": Signature(("i64",), "i64")})
    with pytest.raises(InternalError, match="a program returns nothing"):
        verify(parse("program main(n: i64):\n  return n\n"))


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("rapid function f():\n  pass\n", "rapid is not said"),
        ("function f(p: ptr):\n  bind it: Point at p\n  it.z[] = 1\n", "a Point has no field z"),
        ("function f(p: ptr):\n  it.x[] = 1\n", "no buffer it.x"),
    ],
)
def test_what_is_no_function_is_not_read(source: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_function(source, {"Point": POINT})


# ---------------------------------------------------------------- what they mean


FUNCTIONS = [parse_function(one) for one in (SEARCH, DOWN, DOUBLED)]


def both(function: NativeFunction, array: np.ndarray[Any, Any], *arguments: int) -> list[Any]:
    """What a function gives, evaluated and native, and what it leaves in the array."""
    frame = np.zeros(2, np.int64)
    found: list[Any] = []
    for native in (False, True):
        memory, mine = Memory(), array.copy()
        first = [memory.address(mine)]
        if function.parameters[0].name == "frame":
            first.insert(0, memory.address(frame))
        given = [*first, *arguments]
        run = callable_of(compiled((function,)), function) if native else None
        result = run(*given) if run else call(function, given, {}, memory)
        found.append((result, mine.tolist()))
    return found


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(-9, 9), max_size=9), st.integers(-10, 10))
def test_a_return_leaves_from_within_loops(numbers: list[int], least: int) -> None:
    array = np.array([*numbers, 99], np.int64)
    evaluated, native = both(FUNCTIONS[0], array, len(numbers), least)

    place = next((k for k, one in enumerate(numbers) if one >= least), len(numbers))
    assert evaluated == native == (place, array.tolist())


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 20))
def test_loops_and_memory_are_the_same_evaluated_and_native(first: int) -> None:
    evaluated, native = both(FUNCTIONS[1], np.full(20, -1), first)

    left = [0 if k % 3 == 2 else k + 1 for k in range(first)]
    assert evaluated == native == (sum(left), left + [-1] * (20 - first))


@pytest.mark.parametrize("few", [0, 3, 4, 9])
def test_threads_and_vectors_do_what_loops_do(few: int):
    evaluated, native = both(FUNCTIONS[2], np.arange(20), 5, few)

    expected = [2 * k if k % 4 < few else k for k in range(20)]
    assert evaluated == native == (None, expected)


# ---------------------------------------------------------------- memory


def test_memory_knows_what_may_be_touched() -> None:
    memory = Memory()
    block = memory.allocate(8)
    memory.fill(block, 3, 8)

    assert memory.bytes_at(block + 6, 2).tolist() == [3, 3]
    with pytest.raises(IndexError):
        memory.bytes_at(block + 6, 3)
    memory.free(block)
    with pytest.raises(IndexError):
        memory.bytes_at(block, 1)
    with pytest.raises(IndexError):
        memory.free(block)


# ---------------------------------------------------------------- checks

PLACE = """\
function place(frame: ptr, numbers: ptr, k: i64) -> i64:
  bind all: i64[4] at numbers
  return all[k]
"""
OUTER = """\
function outer(frame: ptr, numbers: ptr, k: i64) -> i64:
  call found: i64 = place(frame, numbers, (k - 1))
  return (found + 1)
"""
CALLER = """\
program main(x: input i64[4], y: output i64[1], k: i64):
  call found: i64 = outer(frame, &x, k)
  y[0] = found
"""


@pytest.mark.parametrize(("k", "fails"), [(0, True), (1, False), (4, False), (5, True)])
def test_a_failed_check_leaves_functions_and_program(k: int, fails: bool) -> None:
    functions = [parse_function(PLACE), parse_function(OUTER)]
    known = {one.name: signature_of(one) for one in functions}
    guarded = guard(verify(parse(CALLER), known), functions, first_error=3)
    frame: list[Any] = [np.array([10, 20, 30, 40]), np.zeros(1, np.int64), k]

    native = Native(guarded.program, functions=guarded.functions)(*frame)
    left = frame[1].tolist()
    found = evaluate(guarded.program, frame, {one.name: one for one in guarded.functions})

    assert left == frame[1].tolist() == [0 if fails else 10 * k + 1]
    assert (native is None, found is None) == (not fails, not fails)
    if native is not None and found is not None:
        assert (native[0], native[1][:2]) == (found[0], list(found[1])) == (3, [k - 1, 4])
        message = guarded.messages[0].format(*found[1])
        assert message.endswith(f"place loads from all at [{k - 1} of 4]")


def test_a_check_without_a_frame_cannot_be_told() -> None:
    function = parse_function("function f(k: i64):\n  check (k > 0) else 1()\n")

    with pytest.raises(FailedCheck):
        call(function, [0], {}, Memory())
    with pytest.raises(InternalError, match="no frame"):
        emit(parse("program main():\n  pass\n"), "main", functions=[function])


def test_what_nobody_calls_is_left_out() -> None:
    """A function of the library is written where something needs it, and once; shared ones are
    declared.
    """
    text = emit(parse("program main(n: i64):\n  allocate t: f32[n]\n  t[0] = 1.0\n"), "main")
    module = compile_module(text + ENTRY, name="main", symbols=symbols_for(text))

    assert text.count("define internal ptr @tm_allocate(") == 1
    assert text.count("declare i64 @tm_chunk(") == 1
    assert "tm_resize" not in text
    assert module.address("entry") != ctypes.c_void_p().value
