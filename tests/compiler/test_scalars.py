"""Every scalar function of every type it takes: machine code beside NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler.loops.evaluate import evaluate, storage
from tensormill.compiler.loops.functions import (
    COMPLEX_OF,
    COMPUTED_IN,
    KIND,
    REAL_PART,
    SIGNATURES,
    SIZE,
    result_type,
)
from tensormill.compiler.loops.ir import (
    Apply,
    Buffer,
    Expression,
    For,
    Literal,
    Load,
    Local,
    Program,
    Store,
)
from tensormill.compiler.lowering.scalars import size_literal
from tests.compiler.running import Native

COUNT = 48
TYPES = [type_ for type_ in KIND if type_ != "ptr"]
# Relative to the largest of 1 and the value; vector_math has tests of its own.
TOLERANCE = {"f16": 2e-3, "bf16": 2e-2, "f32": 2e-6, "f64": 1e-12, "c64": 3e-5, "c128": 1e-11}
POSITIVE = {"log", "sqrt", "rsqrt", "pow", "lgamma", "digamma"}
INSIDE = {"asin", "acos", "atanh", "log1p", "sin", "cos", "tan"}


def samples(type_: str, seed: int) -> np.ndarray[Any, Any]:
    random = np.random.default_rng(seed)
    match KIND[type_]:
        case "b":
            values: Any = random.integers(0, 2, COUNT).astype(bool)
        case "i":
            info = np.iinfo(storage(type_))
            values = random.integers(-20, 20, COUNT)
            values[:6] = [info.min, info.max, -1, 0, 1, info.min]
        case "u":
            values = random.integers(0, 40, COUNT)
            values[:4] = [np.iinfo(storage(type_)).max & 0x7FFFFFFFFFFFFFFF, 0, 1, 200]
        case "c":
            values = random.normal(size=COUNT) + 1j * random.normal(size=COUNT)
            values[:3] = [0, 1, -1j]
        case _:
            values = 3 * random.normal(size=COUNT)
            values[:8] = [0.0, -0.0, np.inf, -np.inf, np.nan, 2.5, -2.5, 1.0]
    return np.asarray(values).astype(storage(type_))


def program_of(
    functions: list[tuple[str, str]], type_: str, inputs: int
) -> tuple[Program, list[Buffer]]:
    index, size = Local("i", "i64"), (Literal(COUNT, "i64"),)
    buffers = [Buffer(f"x{k}", type_, size, "input") for k in range(inputs)]
    outputs: list[Buffer] = []
    body: list[Any] = []
    for function, result in functions:
        out = Buffer(function, result, size, "output")
        arity = 1 if function in ("cast", "bitcast") else SIGNATURES[function].arity
        loads: list[Expression] = [Load(buffer, (index,)) for buffer in buffers[:arity]]
        outputs.append(out)
        body.append(Store(out, (index,), Apply(function, tuple(loads), result)))
    loop = For(index, size[0], tuple(body))
    return Program("main", (*buffers, *outputs), (loop,)), outputs


def run_both(
    functions: list[tuple[str, str]], type_: str, inputs: list[np.ndarray[Any, Any]]
) -> list[tuple[str, np.ndarray[Any, Any], np.ndarray[Any, Any]]]:
    program, outputs = program_of(functions, type_, len(inputs))
    expected = [np.zeros(COUNT, storage(out.type)) for out in outputs]
    found = [array.copy() for array in expected]
    assert evaluate(program, [*inputs, *expected]) is None
    assert Native(program)(*inputs, *found) is None
    return list(zip([name for name, _ in functions], expected, found, strict=True))


def functions_of(type_: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for function, signature in SIGNATURES.items():
        if KIND[type_] in signature.kinds and signature.result != "said":
            if function == "complex" and type_ not in COMPLEX_OF:
                continue
            result = result_type(function, [type_] * signature.arity)
            assert result is not None
            found.append((function, result))
    return found


def inputs_for(function: str, type_: str) -> list[np.ndarray[Any, Any]]:
    inputs = [samples(type_, seed) for seed in range(3)]
    if KIND[type_] == "f" and function in POSITIVE:
        inputs[0] = np.abs(inputs[0])
    if function == "zeta":
        inputs[1] = np.abs(inputs[1])
    if KIND[type_] in "f" and function in INSIDE:
        inputs[0] = np.tanh(inputs[0].astype(np.float64)).astype(inputs[0].dtype)
    if function == "pow" and KIND[type_] in "iu":
        inputs[1] = np.abs(inputs[1] % 7).astype(inputs[1].dtype)
    if function == "pow":
        inputs[0], inputs[1] = inputs[0][::-1].copy(), inputs[1][::-1].copy()
    return inputs


def assert_same(
    name: str, type_: str, expected: np.ndarray[Any, Any], found: np.ndarray[Any, Any]
) -> None:
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(found, expected, err_msg=f"{name} of {type_}")
        return
    tolerance = TOLERANCE[type_ if type_ in TOLERANCE else "f32"]
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    a, b = expected.astype(wide), found.astype(wide)
    np.testing.assert_allclose(
        b, a, rtol=tolerance, atol=tolerance, err_msg=f"{name} of {type_}", equal_nan=True
    )


@pytest.mark.sampled
@pytest.mark.parametrize("type_", TYPES)
def test_machine_code_agrees_with_numpy(type_: str) -> None:
    groups: dict[bytes, tuple[list[tuple[str, str]], list[np.ndarray[Any, Any]]]] = {}
    for function, result in functions_of(type_):
        inputs = inputs_for(function, type_)
        key = b"".join(array.tobytes() for array in inputs)
        groups.setdefault(key, ([], inputs))[0].append((function, result))

    for functions, inputs in groups.values():
        for name, expected, found in run_both(functions, type_, inputs):
            assert_same(name, type_, expected, found)


def conversion_samples(source: str) -> np.ndarray[Any, Any]:
    values = samples(source, 0)
    if KIND[source] == "f":
        limit = float(np.finfo(np.float32).max) if source == "f32" else 60000.0
        values[8:20] = np.array(
            [300, -1.5, 2**31, -(2**31) - 1, 2**32, 2**63, 2**64, -(2**63), 70000, -1, 0.5, limit]
        ).astype(np.float64).astype(values.dtype)  # fmt: skip
    return values


@pytest.mark.sampled
@pytest.mark.parametrize("source", TYPES)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_every_cast_is_that_of_numpy_on_x86(source: str) -> None:
    targets = [(f"cast to {target}", target) for target in TYPES]
    inputs = [conversion_samples(source)]
    index, size = Local("i", "i64"), (Literal(COUNT, "i64"),)
    x = Buffer("x", source, size, "input")
    outputs = [Buffer(name, target, size, "output") for name, target in targets]
    body = tuple(
        Store(out, (index,), Apply("cast", (Load(x, (index,)),), out.type)) for out in outputs
    )
    program = Program("main", (x, *outputs), (For(index, size[0], body),))
    expected = [np.zeros(COUNT, storage(out.type)) for out in outputs]
    found = [array.copy() for array in expected]

    assert evaluate(program, [*inputs, *expected]) is None
    assert Native(program)(*inputs, *found) is None

    for out, a, b in zip(outputs, expected, found, strict=True):
        assert_same(f"{out.name} from {source}", out.type, a, b)


@pytest.mark.parametrize(("source", "target"), [("f32", "i32"), ("f64", "i64"), ("u8", "i8")])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_integers_out_of_range_become_what_tensorflow_makes_of_them(
    source: str, target: str
) -> None:
    values = np.array([np.nan, 1e30, -1e30, 1.9]) if source != "u8" else np.array([255, 128, 0, 1])
    least = np.iinfo(storage(target)).min
    expected = [least, least, least, 1] if source != "u8" else [-1, -128, 0, 1]
    x = np.resize(values.astype(storage(source)), COUNT)
    results = run_both([("cast", target)], source, [x])

    assert results[0][2][:4].tolist() == expected


def test_bits_are_kept_by_bitcast() -> None:
    pairs = [
        (source, target) for source in TYPES for target in TYPES
        if SIZE[source] == SIZE[target] and target != "bool" and not {source, target} & {*REAL_PART}
    ]  # fmt: skip
    for source, target in pairs:
        results = run_both([("bitcast", target)], source, [samples(source, 1)])
        bits = [array.view(np.uint8).tolist() for array in results[0][1:]]
        assert bits[0] == bits[1], (source, target)


def test_half_floats_are_rounded_after_every_function() -> None:
    for type_ in COMPUTED_IN:
        x, y, z = (samples(type_, seed) for seed in range(3))
        index, size = Local("i", "i64"), (Literal(COUNT, "i64"),)
        buffers = [Buffer(name, type_, size, "input") for name in "xyz"]
        loads: list[Expression] = [Load(buffer, (index,)) for buffer in buffers]
        product = Apply("mul", (loads[0], loads[1]), type_)
        out = Buffer("out", type_, size, "output")
        store = Store(out, (index,), Apply("add", (product, loads[2]), type_))
        program = Program("main", (*buffers, out), (For(index, size[0], (store,)),))
        found = np.zeros(COUNT, storage(type_))

        Native(program)(x, y, z, found)

        with np.errstate(all="ignore"):
            expected = x * y + z
        assert_same("x * y + z", type_, expected, found)
        finite = np.isfinite(expected.astype(np.float32))
        assert (expected[finite] == found[finite]).all()


def test_complex_functions_do_not_cancel_on_the_left() -> None:
    z = np.array([-1e3 + 1j, -1e3 - 1j, -1e-3 + 2j, 1e3 - 1j], np.complex64)
    found = tf.function(tf.asinh)(tf.constant(z)).numpy()

    np.testing.assert_allclose(found, np.arcsinh(z.astype(np.complex128)), rtol=1e-5)


@pytest.mark.parametrize("a", [2**63 - 1, -(2**63), 7])
@pytest.mark.parametrize("b", [2**62, -2, 1])
def test_what_is_computed_while_compiling_wraps_as_the_processor_does(a: int, b: int) -> None:
    with np.errstate(over="ignore"):
        x, y = np.int64(a), np.int64(b)
        expected = [x + y, x - y, x * y]
    left, right = size_literal(a), size_literal(b)
    found = [left + right, left - right, left * right]

    assert [Literal(int(one), "i64") for one in expected] == [one.expression for one in found]


def test_shifts_by_all_bits_and_more_are_the_eager_ones() -> None:
    def shifted(*numbers: Any) -> Any:
        return [
            shift(x[:, None], by)
            for x, by in zip(numbers[::2], numbers[1::2], strict=True)
            for shift in (tf.bitwise.left_shift, tf.bitwise.right_shift)
        ]

    numbers: list[Any] = []
    for bits in (8, 16, 32, 64):
        for dtype in (f"int{bits}", f"uint{bits}"):
            counts = [0, 1, bits - 1, bits, bits + 1]
            numbers += [tf.constant([5, 100], dtype), tf.constant(counts, dtype)]

    eager, compiled = shifted(*numbers), tf.function(shifted)(*numbers)
    assert [one.numpy().tolist() for one in eager] == [one.numpy().tolist() for one in compiled]
