"""Programs run three ways: evaluated, in machine code as they are, and after the passes."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from tensormill.compiler.llvm.emit import emit
from tensormill.compiler.llvm.types import literal
from tensormill.compiler.loops.evaluate import evaluate, storage
from tensormill.compiler.loops.ir import Allocate, Buffer, Literal, Program, Space
from tensormill.compiler.loops.matmul import matmul_nest
from tensormill.compiler.loops.parse import parse
from tensormill.compiler.loops.passes.order import optimise
from tests.compiler.loops.programs import assert_close, frame_of, programs
from tests.compiler.running import Native
from tests.fuzz.limits import EXAMPLES


def three_ways(program: Program, *many_sizes: dict[str, int]) -> None:
    """All three leave the same in the frame, or fail in the same way."""
    plain, passed = Native(program), Native(optimise(program, check=True))
    for sizes in many_sizes:
        expected = frame_of(program, sizes)
        answer = evaluate(program, expected)
        for native in (plain, passed):
            frame = frame_of(program, sizes)
            found = native(*frame)
            assert (found and found[0]) == (answer and answer[0])
            if answer is None:
                assert_close(expected, frame)


@pytest.mark.sampled(among="random programs")
@settings(max_examples=EXAMPLES or 6, deadline=None)
@given(programs())
def test_made_up_programs(source: str) -> None:
    three_ways(parse(source), {"n": 5, "m": 3}, {"n": 0, "m": 2}, {"n": 1, "m": 20})


WRITTEN = {
    "softmax": """
program main(x: input f32[n, 7], y: output f32[n, 7], n: i64):
  allocate top: f32[n]
  allocate total: f32[n]
  parfor i in n:
    set best: f32 = -inf
    for j in 7:
      set best = maximum(best, x[i, j])
    top[i] = best
  parfor i in n:
    set sum: f32 = 0.0
    for j in 7 reassociate:
      set sum = (sum + exp((x[i, j] - top[i])))
    total[i] = sum
  parfor i in n:
    for j in 7:
      y[i, j] = (exp((x[i, j] - top[i])) / total[i])
""",
    "columns": """
program main(x: input f32[n, m], y: output f32[m], n: i64, m: i64):
  parfor j in m:
    let first: f32 = x[0, j]
    set sum: f32 = 0.0
    for i in n reassociate:
      set sum = (sum + (x[i, j] - first))
    y[j] = (sum / cast:f32(n))
""",
    "running sum": """
program main(x: input f64[n], y: output f64[n], n: i64):
  set sum: f64 = 0.0f64
  for i in n:
    set sum = (sum + x[i])
    y[((n - 1) - i)] = sum
""",
    "while": """
program main(x: input i64[], y: output i64[], n: i64):
  set value: i64 = (x[] + 27)
  set steps: i64 = 0
  while:
    let going: bool = (value != 1)
  holds going:
    set value = where(((value % 2) == 0), (value // 2), ((3 * value) + 1))
    set steps = (steps + 1)
  y[] = steps
""",
    "padded": """
program main(x: input f32[n, m], y: output f32[9, 8], n: i64, m: i64):
  parfor i in 9:
    for j in 8:
      y[i, j] = where(((i < n) & (j < m)), x[i, j], -1.0)
""",
    "branches": """
program main(x: input f32[n], y: output f32[n], n: i64):
  for i in n:
    if (x[i] > 0.0):
      y[i] = sqrt(x[i])
    else:
      if (x[i] < -1.0):
        y[i] = 0.0
      else:
        y[i] = (x[i] * x[i])
""",
    "memory of run-time sizes": """
program main(x: input f32[n], y: output f32[n], n: i64):
  for i in n:
    allocate a: f32[n]
    allocate b: f32[(n * 2)]
    for j in n:
      a[j] = (x[j] + x[i])
      b[(j + n)] = a[j]
    set best: f32 = -inf
    for j in n:
      set best = maximum(best, b[((n + n) - (j + 1))])
    y[i] = best
""",
    "more and more memory": """
program main(x: input f32[n], y: output f32[n], n: i64):
  for i in n:
    let k: i64 = ((((i * 7) % 11) * 9000) + 1)
    allocate a: f32[k]
    allocate b: f32[k, 2]
    a[(k - 1)] = x[i]
    b[(k - 1), 1] = (a[(k - 1)] + 1.0)
    for j in 2:
      allocate c: f64[k]
      c[(k - 1)] = cast:f64(x[i])
      y[i] = (b[(k - 1), 1] + cast:f32(c[(k - 1)]))
""",
    "large temporaries": """
program main(x: input f32[n], y: output f32[n], n: i64):
  allocate a: f32[5000]
  allocate b: f32[5000]
  allocate c: f32[5000]
  for i in 5000:
    a[i] = x[(i % n)]
  for i in 5000:
    b[i] = (a[(4999 - i)] * 2.0)
  for i in 5000:
    c[i] = (b[(4999 - i)] + 1.0)
  for i in n:
    y[i] = c[(4998 - i)]
""",
    "complex": """
program main(x: input c64[n], y: output c128[n], s: state c64[], n: i64):
  set sum: c64 = (0.0, 0.0)c64
  for i in n reassociate:
    set sum = (sum + (x[i] * conj(x[i])))
    y[i] = cast:c128((exp(x[i]) / x[i]))
  s[] = where((real(sum) > 1.0), sum, s[])
""",
    "half floats": """
program main(x: input f16[n, m], y: output f16[n], z: output bf16[n, m], n: i64, m: i64):
  for i in n:
    set sum: f32 = 0.0
    for j in m reassociate:
      set sum = (sum + cast:f32(x[i, j]))
      z[i, j] = (cast:bf16(x[i, j]) * 3.0bf16)
    y[i] = cast:f16(sum)
""",
    "flags": """
program main(x: input bool[n], y: output bool[n], z: output i32[], n: i64):
  set any: bool = false
  set count: i32 = 0i32
  for i in n:
    set any = (any | x[i])
    y[i] = (not(x[i]) ^ any)
    set count = (count + cast:i32(y[i]))
  z[] = count
""",
    "pointers": """
program main(x: input f32[n], s: state f32[n], n: i64):
  allocate t: f32[n]
  for i in n:
    t[i] = (x[i] * 2.0)
  set at: ptr = &t
  for k in 3:
    bind p: f32[n] at at
    for i in n:
      p[i] = (p[i] + 1.0)
    set at = where((k == 1), &t, at)
  for i in n:
    s[i] = t[i]
""",
    "state in place": """
program main(w: state f32[n, 4], g: input f32[n, 4], r: input f32[], n: i64):
  for i in n:
    for j in 4:
      w[i, j] = (w[i, j] - (r[] * g[i, j]))
""",
    "transpose": """
program main(x: input f32[n, 40], y: output f32[40, n], n: i64):
  parfor i in 40:
    for j in n:
      y[i, j] = (x[j, i] + 1.0)
""",
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", WRITTEN)
def test_written_programs(name: str) -> None:
    sizes = [{"n": 5, "m": 3}, {"n": 1, "m": 1}, {"n": 90, "m": 70}]
    if name == "padded":
        sizes[-1] = {"n": 9, "m": 8}
    if name not in ("columns", "while", "large temporaries"):  # these divide, or read, by n
        sizes.append({"n": 0, "m": 0})
    three_ways(parse(WRITTEN[name]), *sizes)


# ---------------------------------------------------------------- matrix products


PRODUCTS = [
    *(("f32", a, b) for a in (False, True) for b in (False, True)),
    *((type_, False, True) for type_ in ("f64", "bf16", "c64", "u8")),
    *((type_, True, False) for type_ in ("f16", "i32", "c64")),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("type_", "transpose_a", "transpose_b"), PRODUCTS)
def test_matrix_products(type_: str, transpose_a: bool, transpose_b: bool) -> None:
    random = np.random.default_rng(1)
    buffers: list[Buffer] = []
    arrays: list[np.ndarray[Any, Any]] = []
    body: list[Any] = []
    shapes = [(1, 3, 5), (6, 7, 9), (5, 40, 37), (9, 2, 1), (1, 4, 1)]
    batched = [((2,), (3, 4, 5)), ((2,), (6, 3, 1))]
    for batch, (m, k, n) in [*(((), shape) for shape in shapes), *batched]:
        a = _matrix(random, (*batch, m, k), type_)
        b = _matrix(random, (*batch, k, n), type_)
        product = _product(a, b, type_)
        x = np.ascontiguousarray(a.swapaxes(-1, -2)) if transpose_a else a
        y = np.ascontiguousarray(b.swapaxes(-1, -2)) if transpose_b else b
        left, right = _buffer(x, type_, "input"), _buffer(y, type_, "input")
        out = _buffer(product, type_, "output")
        buffers += [left, right, out]
        arrays += [x, y, product]
        body += matmul_nest(left, right, out, transpose_a, transpose_b)
    program = Program("main", tuple(buffers), tuple(body))

    for one in (program, optimise(program, check=True)):
        found = [
            np.zeros_like(array) if buffer.space == "output" else array
            for buffer, array in zip(buffers, arrays, strict=True)
        ]
        assert Native(one)(*found) is None
        assert_close(arrays, found)


def _buffer(array: np.ndarray[Any, Any], type_: str, space: Space) -> Buffer:
    return Buffer(space, type_, tuple(Literal(size, "i64") for size in array.shape), space)


def _matrix(random: Any, shape: tuple[int, ...], type_: str) -> np.ndarray[Any, Any]:
    if type_[0] in "iu":
        return random.integers(0, 4, shape).astype(storage(type_))
    return np.round(random.normal(size=shape) * 4).astype(storage(type_))


def _product(a: np.ndarray[Any, Any], b: np.ndarray[Any, Any], type_: str) -> np.ndarray[Any, Any]:
    wide = np.float32 if type_ in ("f16", "bf16") else a.dtype
    return (a.astype(wide) @ b.astype(wide)).astype(a.dtype)


# ---------------------------------------------------------------- leaving, calling, naming


def test_zeros_keep_their_signs() -> None:
    zeros = (0.0, -0.0, 0.0)

    assert [literal(value, "f32") for value in zeros] == [
        "0x0000000000000000", "0x8000000000000000", "0x0000000000000000"
    ]  # fmt: skip
    assert Literal(0.0, "f32") == Literal(0.0, "f32") != Literal(-0.0, "f32")


def test_a_failed_check_gives_number_and_values_and_keeps_later_state() -> None:
    program = parse(
        "program main(x: input i32[n], s: state f64[n], n: i64):\n"
        "  for i in n:\n"
        "    allocate t: f64[n]\n"
        "    t[0] = cast:f64(x[i])\n"
        "    check (x[i] >= 0i32) else 12(i, x[i], t[0], true)\n"
        "    s[i] = t[0]\n"
    )
    x, s = np.array([3, 4, -5, 6], np.int32), np.zeros(4)

    for one in (program, optimise(program, check=True)):
        number, shown = Native(one)(x, s, 4) or (0, [])
        assert (number, shown[:5]) == (12, [2, -5, _word(-5.0), 1, 0])
        assert s.tolist() == [3, 4, 0, 0]


def _word(value: float) -> int:
    return int(np.array([value]).view(np.int64)[0])


@pytest.mark.parametrize("size", [2**45, 2**62, -1])
def test_too_much_memory_is_an_error(size: int) -> None:
    program = parse(
        "program main(y: output f32[1], n: i64):\n"
        "  allocate t: f32[n, 8]\n"
        "  t[0, 0] = 1.0\n"
        "  y[0] = t[0, 0]\n"
    )

    answer = Native(program)(np.zeros(1, np.float32), size)

    assert answer is not None
    assert answer[0] == -1


def test_calls_reach_native_functions() -> None:
    seen: list[tuple[int, float]] = []

    @ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64, ctypes.c_float)
    def record(address: int, count: int, value: float) -> int:
        seen.append((count, value))
        ctypes.c_float.from_address(address + 4).value = 8.5
        return 3 * count

    program = parse(
        "program main(s: state f32[n], n: i64):\n"
        "  call r: i64 = record(&s, n, s[0]) reads s writes s\n"
        "  s[0] = (s[1] + cast:f32(r))\n"
    )
    address = ctypes.cast(record, ctypes.c_void_p).value
    s = np.array([1.5, 2.5], np.float32)

    for one in (program, optimise(program, check=True)):
        s[:] = 1.5, 2.5
        assert Native(one, {"record": address or 0})(s, 2) is None
        assert seen.pop() == (2, 1.5)
        assert s.tolist() == [14.5, 8.5]


def test_the_same_program_gives_the_same_text() -> None:
    program = optimise(parse(WRITTEN["softmax"]))

    assert emit(program, "main") == emit(program, "main")


def test_what_the_caller_defines_is_not_declared() -> None:
    program = parse("program main():\n  call tm_one()\n  call tm_two()\n")

    text = emit(program, "main", defined=["tm_one"])

    assert "declare void @tm_two()" in text
    assert "declare void @tm_one()" not in text


# ---------------------------------------------------------------- threads and equal nests

REDUCTIONS = """
program main(x: input f32[n, m], k: input i32[n, m], y: state f32[4], z: state i32[2], n: i64, \
m: i64):
  set sum: f32 = 0.5
  for i in n reassociate:
    for j in m reassociate:
      set sum = (sum + exp((x[i, j] * 0.1)))
  y[0] = sum
  set best: f32 = -inf
  for i in n:
    for j in m:
      set best = maximum(best, x[i, j])
  y[1] = best
  set dot: f32 = 0.0
  for i in n reassociate:
    set row: f32 = 0.0
    for j in m reassociate:
      set row = fma(x[i, j], x[i, j], row)
    set dot = (dot + sqrt(row))
  y[2] = dot
  set last: f32 = 0.0
  for i in n:
    set last = ((last * 0.5) + x[i, 0])
  y[3] = last
  set low: i32 = 2147483647i32
  for i in n:
    for j in m:
      set low = minimum(low, k[i, j])
  z[0] = low
  set flag: bool = false
  for i in n:
    set flag = (flag | (k[i, 0] == 3i32))
  z[1] = cast:i32(flag)
"""


def test_long_reductions_are_divided_into_blocks() -> None:
    program = optimise(parse(REDUCTIONS), check=True)
    assert emit(program, "main").count("call void @tm_divided_for") == 2
    native = Native(program)

    for sizes in ({"n": 30, "m": 4}, {"n": 300_000, "m": 3}):
        x, k, y, z, n, m = frame_of(parse(REDUCTIONS), sizes)
        native(x, k, y, z, n, m)
        wide = x.astype(np.float64)
        last = sum(0.5**place * value for place, value in enumerate(wide[::-1, 0][:60]))
        expected = [
            0.5 + np.exp(0.1 * wide).sum(), wide.max(), np.sqrt((wide * wide).sum(1)).sum(), last,
        ]  # fmt: skip
        np.testing.assert_allclose(y, expected, rtol=1e-4)
        assert z.tolist() == [int(k.min()), int((k[:, 0] == 3).any())]


LONG = """
program main(x: input f32[n], y: output f32[n], s: input f32[], n: i64):
  let half: f32 = (s[] * 0.5)
  parfor i in n:
    allocate t: f32[3]
    for k in 3:
      t[k] = (x[i] * cast:f32(k))
    set sum: f32 = half
    for k in 3 reassociate:
      set sum = (sum + tanh(t[k]))
    y[i] = sum
"""


def test_long_loops_are_divided_among_threads() -> None:
    program = parse(LONG)
    native = Native(program)
    assert "tm_divided_for" in native.text

    for size in (3, 200_000):
        x = np.linspace(-1, 1, size).astype(np.float32)
        found, expected = np.zeros_like(x), np.zeros_like(x)
        assert native(x, found, np.array(0.25, np.float32), size) is None
        for k in range(3):
            expected += np.tanh(x * np.float32(k))
        np.testing.assert_allclose(found, expected + np.float32(0.125), rtol=1e-5, atol=1e-6)


CALLING = """
program main(y: output f64[n], n: i64):
  parfor i in n:
    call drawn: f64 = tm_shared__random__compiled_rejection__gamma_number(1u32, 2u32, 3u32, 4u32, i, 2.5) pure takes 20000
    y[i] = drawn
"""  # noqa: E501


def test_loops_that_call_functions_of_numbers_are_divided() -> None:
    assert "tm_divided_for" in emit(parse(CALLING), "main")


def test_loops_that_call_what_does_more_are_not_divided() -> None:
    assert "tm_divided_for" not in emit(parse(CALLING.replace(" pure", "")), "main")


def test_short_loops_stay_where_they_are() -> None:
    text = emit(parse(LONG.replace("parfor i in n", "parfor i in 100")), "main")

    assert "tm_divided_for" not in text


def test_threads_that_run_out_of_memory_end_the_program() -> None:
    program = parse(
        "program main(y: output f32[n], n: i64, m: i64):\n"
        "  parfor i in n:\n"
        "    allocate t: f32[m]\n"
        "    for k in 8:\n"
        "      t[k] = exp(cast:f32(i))\n"
        "    y[i] = t[7]\n"
    )
    native = Native(program)
    y = np.zeros(100_000, np.float32)

    assert native(y, y.size, 8) is None
    answer = native(y, y.size, 2**60)
    assert answer is not None
    assert answer[0] == -1


def chain(count: int) -> Program:
    """Products one after another: the same nest, other buffers."""
    shape = (Literal(10, "i64"), Literal(10, "i64"))
    a = Buffer("a", "i32", shape, "input")
    b = a
    body: list[Any] = []
    for number in range(count):
        space = "output" if number == count - 1 else "temporary"
        out = Buffer(f"b{number}", "i32", shape, space)
        body += [] if space == "output" else [Allocate(out)]
        body += matmul_nest(a, b, out)
        b = out
    return Program("main", (a, b), tuple(body))


def test_equal_nests_are_written_once() -> None:
    program = optimise(chain(30), check=True)
    native = Native(program)

    assert native.text.count("define internal void @main.kernel") == 1
    assert native.text.count("call void @main.kernel") == 29  # the first is a by itself


def test_equal_nests_give_what_they_give_apart() -> None:
    a = np.random.default_rng(0).integers(-2, 3, (10, 10)).astype(np.int32)
    expected = a
    for _ in range(30):
        expected = a @ expected
    found = np.zeros_like(a)

    assert Native(optimise(chain(30)))(a, found) is None
    assert found.tolist() == expected.tolist()


def test_nests_alike_but_for_variables_share_a_function() -> None:
    lines = ["program main(x: input f64[n], y: state f64[n], a: f64, b: f64, n: i64):"]
    for name in "abab":
        lines += [
            "  for i in n:",
            f"    let t: f64 = ((x[i] * {name}) + (y[(n - (i + 1))] / {name}))",
            "    if (t > 0.0f64):",
            "      y[i] = (sqrt(t) + where((t > 2.0f64), x[(i // 2)], t))",
            "    else:",
            "      y[i] = (t * t)",
        ]
    program = parse("\n".join(lines) + "\n")
    x, y, expected = np.arange(1.0, 8.0), np.ones(7), np.ones(7)
    evaluate(program, [x, expected, 0.5, -1.5, 7])
    native = Native(program)

    assert native.text.count("define internal void @main.kernel") == 1
    assert native(x, y, 0.5, -1.5, 7) is None
    np.testing.assert_allclose(y, expected)


def test_what_divides_a_loop_between_threads_is_no_code_of_the_program() -> None:
    """It has a call for each loop, and no branch; tables of what loops get share their memory."""
    lines = ["program main(x: input f64[n], n: i64, y: output f64[n], z: output f64[n]):"]
    for name in "yz":
        lines += ["  parfor i in n:", f"    {name}[i] = tanh(x[i])"]
    program = parse("\n".join(lines) + "\n")
    native = Native(program)
    main = native.text[native.text.index("i32 @main(") :]
    main = main[: main.index("\n}")]

    assert native.text.count("call void @tm_divided_for(") == 2
    assert (main.count("br i1"), main.count("alloca")) == (0, 1)
    assert native.text.count("define internal") == 4  # the program, tanh, the kernel, its range
    for count in (5, 300_000):
        x, y, z = np.linspace(-1.0, 1.0, count), np.zeros(count), np.zeros(count)
        assert native(x, count, y, z) is None
        np.testing.assert_allclose(np.tanh(x), y)
        np.testing.assert_allclose(np.tanh(x), z)
