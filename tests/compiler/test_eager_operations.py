"""Eager execution runs operations on large operands as compiled functions do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.compiler import eager_operations
from tensormill.config import settings
from tensormill.core.native_operations import MANY, SLOW, TEXTS
from tensormill.ops.op import REGISTRY

from .. import native_calls
from ..ops import rules
from ..ops.samples import SAMPLES

random = np.random.default_rng(0)
# But ranges, of which the results are many (tests/ops/array/test_many_numbers.py).
MARKED = [name for name in SAMPLES if REGISTRY[name].native_from is not None and name != "Range"]
Taken = list[str]


@pytest.fixture
def taken(monkeypatch: pytest.MonkeyPatch) -> Taken:
    """The names of the operations that native code ran, in order."""
    return native_calls.noted(monkeypatch)


def numbers(*shape: int) -> Any:
    return tf.constant(random.normal(size=shape).astype(np.float32))


@pytest.mark.sampled
@pytest.mark.parametrize("name", MARKED)
def test_native_code_of_an_operation_does_what_its_kernel_does(
    name: str, taken: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    op, sample = REGISTRY[name], SAMPLES[name][0]
    expected = rules.eager_outputs(op, sample)
    monkeypatch.setattr(op, "native_from", 0)
    monkeypatch.setattr(settings, "effort", 0)
    outputs = rules.eager_outputs(op, sample)

    assert taken[:1] == [name]
    for one, output in zip(expected, outputs, strict=True):
        rules.assert_close(one, output, rules.NATIVE_TOLERANCE.get(one.dtype.itemsize, 0.0), name)


def test_few_elements_are_numpys(taken: Taken) -> None:
    tf.sigmoid(numbers(SLOW - 1))
    assert taken == []

    tf.sigmoid(numbers(SLOW))
    assert taken == ["Sigmoid"]


def test_one_code_serves_every_shape(taken: Taken, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Any] = []
    compiled = eager_operations.compiled
    monkeypatch.setattr(
        eager_operations, "compiled", lambda *its: made.append(its) or compiled(*its)
    )
    for shape in ((MANY,), (4, MANY), (3, 5, MANY)):
        found = tf.math.erf(numbers(*shape))
        assert found.shape == shape

    assert len(taken) == 3
    assert len(made) == 1


SPECIAL = [np.nan, np.inf, -np.inf, 0.0, -0.0, 1e-45, -1e-38, 3e38, -3e38, 1.0]


@pytest.mark.sampled
@pytest.mark.parametrize("function", [
    tf.sigmoid, tf.math.erf, tf.math.erfc, tf.nn.elu, tf.nn.selu, tf.nn.leaky_relu, tf.nn.softsign,
])  # fmt: skip
def test_numbers_that_are_none_stay_none(function: Callable[[Any], Any], taken: Taken) -> None:
    few = np.array(SPECIAL, np.float32)
    expected = np.tile(function(tf.constant(few)).numpy(), MANY // 5)
    found = function(tf.constant(np.tile(few, MANY // 5))).numpy()
    is_signed = np.isfinite(expected)

    assert len(taken) == 1
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-45)
    np.testing.assert_array_equal(np.signbit(found)[is_signed], np.signbit(expected)[is_signed])


def test_mistakes_are_told_by_the_kernel(taken: Taken) -> None:
    images, filters = numbers(4, 64, 64, 8), numbers(3, 3, 7, 8)
    few = pytest.raises(tf.errors.InvalidArgumentError)
    with few as told:
        tf.nn.conv2d(images[:, :8, :8], filters, 1, "SAME")
    with pytest.raises(tf.errors.InvalidArgumentError) as found:
        tf.nn.conv2d(images, filters, 1, "SAME")

    assert str(told.value) == str(found.value)
    assert taken == []


def test_gradients_are_those_of_few_elements(taken: Taken) -> None:
    few = random.normal(size=10).astype(np.float32)
    expected = gradient(tf.nn.elu, few)
    found = gradient(tf.nn.elu, np.tile(few, MANY))

    assert taken == ["Elu", "EluGrad"]
    np.testing.assert_allclose(found, np.tile(expected, MANY), rtol=1e-6)


def gradient(function: Callable[[Any], Any], array: Any) -> Any:
    x = tf.constant(array)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = function(x)
    return tape.gradient(y, x).numpy()


def test_attributes_that_keep_changing_are_compiled_so_often(
    taken: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eager_operations, "MOST_VARIANTS", 2)
    x = numbers(MANY)
    expected = np.asarray(x)
    for slope in (0.5, 0.25, 0.125, 0.5):
        found = tf.nn.leaky_relu(x, slope).numpy()
        np.testing.assert_array_equal(found, np.where(expected > 0, expected, expected * slope))

    assert taken == ["LeakyRelu"] * 3  # not for 0.125


def test_attributes_that_compare_equal_are_different_ones() -> None:
    x = tf.fill([MANY], -1.0)

    signs = [np.signbit(tf.nn.leaky_relu(x, alpha).numpy()[0]) for alpha in (0.0, -0.0)]

    assert signs == [True, False]


def test_what_is_too_much_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    operations = eager_operations.Operations()
    monkeypatch.setattr(eager_operations, "MOST_VARIANTS", 1)
    array = np.ones(3, np.float32)

    for alpha in (0.5, float("nan"), float("nan")):
        operations.run(REGISTRY["LeakyRelu"], [array], {"alpha": alpha})

    assert len(operations._made) == 1


def test_sizes_that_keep_changing_are_known_to_so_many_variants(
    taken: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eager_operations, "MOST_VARIANTS", 1)

    for size in (3, 4, 2):
        rows = np.arange(MANY * size, dtype=np.float32).reshape(MANY, size)
        np.testing.assert_array_equal(np.max(rows, 1), tf.reduce_max(rows, 1).numpy())

    assert taken == ["Max"] * 3  # by code for rows of 3, and by code for any, twice


EXACT: dict[str, tuple[Callable[..., Any], Any]] = {
    "AddV2": (lambda x, y: x + y, np.add),
    "Sub": (lambda x, y: x - y, np.subtract),
    "Mul": (lambda x, y: x * y, np.multiply),
    "RealDiv": (tf.divide, np.true_divide),
    "FloorDiv": (tf.math.floordiv, lambda x, y: np.floor(x / y)),
    "TruncateDiv": (tf.truncatediv, lambda x, y: np.trunc(x / y)),
    "Less": (lambda x, y: x < y, np.less),
    "Sqrt": (lambda x, y: tf.sqrt(y), lambda x, y: np.sqrt(y)),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("dtype", [tf.float16, tf.bfloat16])
def test_many_narrow_floats_are_numpys_to_the_bit(name: str, dtype: tf.DType, taken: Taken) -> None:
    """Every number beside 16 others, subnormal and infinite ones among them."""
    ours, numpys = EXACT[name]
    every = np.arange(1 << 16, dtype=np.uint16)
    x = np.tile(every, 16).view(dtype.storage)
    y = random.permuted(np.tile(every, (16, 1)), axis=1).reshape(-1).view(dtype.storage)
    with np.errstate(all="ignore"):
        expected = numpys(x, y)
    found = ours(tf.constant(x), tf.constant(y)).numpy()

    assert [name] == taken
    assert expected.dtype == found.dtype
    are_same = expected.view(f"u{expected.itemsize}") == found.view(f"u{found.itemsize}")
    assert (are_same | ((expected != expected) & (found != found))).all()


def test_few_narrow_floats_are_numpys(taken: Taken) -> None:
    few = tf.ones([MANY // 2 - 1], tf.float16)
    many = tf.ones([2, MANY], tf.float16)
    assert few.shape == tf.multiply(few, few).shape
    assert many.shape == (many[0] * many).shape  # they broadcast
    assert [] == taken

    assert many.shape == tf.multiply(many, tf.constant(2.0, tf.float16)).shape
    assert many.shape == (many + many).shape
    assert ["Mul", "AddV2"] == taken


OF_COMPLEX: dict[str, Callable[..., Any]] = {
    "AddV2": lambda x, y: x + y,
    "Mul": lambda x, y: x * y,
    "RealDiv": lambda x, y: x / y,
    "Equal": tf.equal,
    "Exp": lambda x, _: tf.exp(x),
    "Sqrt": lambda x, _: tf.sqrt(x),
    "Log": lambda x, _: tf.math.log(x),
    "Tanh": lambda x, _: tf.tanh(x),
    "ComplexAbs": lambda x, _: tf.abs(x),
    "Angle": lambda x, _: tf.math.angle(x),
    "Conj": lambda x, _: tf.math.conj(x),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", OF_COMPLEX)
@pytest.mark.parametrize("dtype", ["complex64", "complex128"])
@pytest.mark.parametrize("calls", [1, 20])
def test_many_complex_numbers_are_what_few_are(
    name: str, dtype: str, calls: int, taken: Taken
) -> None:
    parts = random.normal(size=(2, 2, SLOW + 40)) * [[[1.0], [30.0]], [[3.0], [0.1]]]
    x, y = (tf.constant((part[0] + 1j * part[1]).astype(dtype)) for part in parts)
    function, step = OF_COMPLEX[name], SLOW // 2 - 1
    few = list[Any]()
    for _ in range(calls):
        few = [function(x[k : k + step], y[k : k + step]).numpy() for k in range(0, 296, step)]
    assert [] == taken

    many = function(x, y).numpy()

    assert [name] == taken
    tolerance = 2e-6 if dtype == "complex64" else 1e-14
    np.testing.assert_allclose(many, np.concatenate(few), tolerance)


def test_gradients_of_many_complex_numbers_are_the_same_at_each_call(taken: Taken) -> None:
    """They are replayed from some call on, which leaves to native code what is native's."""
    parts = random.normal(size=(2, 3 * SLOW))
    x = tf.constant(parts[0] + 1j * parts[1])

    def found() -> bytes:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.abs(tf.exp(x) / (x + 2.0))
        return tape.gradient(y, x).numpy().tobytes()

    assert 1 == len({found() for _ in range(12)})
    assert "RealDiv" in taken


CASTS = [
    (one, other)
    for one in ("bool", "int8", "uint16", "int32", "int64", "uint64", "half", "bfloat16", "float64")
    for other in ("bool", "uint8", "int16", "int32", "uint32", "uint64", "half", "bfloat16")
]
EDGES = (
    -0.0, np.inf, -np.inf, np.nan, 2.0**31, -(2.0**31) - 1, 2.0**63, -(2.0**63), 2.0**64, 1e-45,
    5e-324, 6e-8, 65504.0, 65520.0, 255.9, -0.9, 32768.0, 0.5, 2.5, 3e38, 1e308,
)  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("source", "target"), CASTS)
def test_large_casts_are_casts_of_their_parts(source: str, target: str, taken: Taken) -> None:
    spread = random.normal(size=5000) * 10.0 ** random.integers(-20, 20, 5000)
    with np.errstate(all="ignore"):
        x = tf.cast(tf.constant(np.concatenate([spread, EDGES]))[:, None], source)[:, 0]
    taken.clear()

    large, parts = tf.cast(x, target), [tf.cast(one, target) for one in (x[:3000], x[3000:])]

    assert taken == (["Cast"] if source != target else [])
    found, expected = large.numpy(), tf.concat(parts, 0).numpy()
    same = (found == expected) | ((found != found) & (expected != expected))
    assert same.all()


RECORDS = [f"{k},{k / 8},a{k % 5},{k % 7}" for k in range(TEXTS)]
ODD = ['1,"2",x,', ",,,", "7,1e3,é,9", '5,2,"a,b",0']
STRINGS = {
    "decode_csv": lambda x: tf.io.decode_csv(x, [[3], [0.5], ["none"], tf.constant([5], tf.int64)]),
    "some columns": lambda x: tf.io.decode_csv(x, [[0.5], ["none"]], select_cols=[1, 2]),
    "split": lambda x: tf.strings.split(x, ","),
    "split at white space": lambda x: tf.strings.split(x),
    "split, two parts": lambda x: tf.strings.split(x, ",", maxsplit=1),
    "split at any": lambda x: tf.raw_ops.StringSplit(input=x, delimiter=",.", skip_empty=False),
    "bytes_split": lambda x: tf.strings.bytes_split(x),
}


@pytest.mark.parametrize("name", STRINGS)
@pytest.mark.parametrize("odd", [[], ODD[:1], ODD[2:3], ODD])
def test_many_strings_are_what_few_are(
    name: str, odd: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    x = tf.constant(RECORDS + odd)
    run = STRINGS[name]
    found = tf.nest.flatten(run(x), expand_composites=True)
    native_calls.end(monkeypatch)
    expected = tf.nest.flatten(run(x), expand_composites=True)

    for one, other in zip(expected, found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_code_for_strings_knows_its_separator(taken: Taken) -> None:
    x = tf.constant(RECORDS)

    by_commas, by_points = tf.strings.split(x, ","), tf.strings.split(x, ".")

    assert 4 == by_commas.bounding_shape()[1]
    assert 2 == by_points.bounding_shape()[1]
    assert 2 == taken.count("StringSplitV2")
