"""float8, int4 and their like: kept, moved and cast, eagerly and in functions."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tensormill as tf
from tensormill.core.dtypes import NARROW, QUANTIZED

F8 = tf.dtypes.experimental.float8_e4m3fn
X = np.array([0, 1, 3, -1, 1.0625, 500, np.nan, np.inf], np.float32)

WIDE = (
    tf.float64, tf.float32, tf.float16, tf.bfloat16, tf.int8, tf.int32, tf.int64, tf.uint8,
    tf.uint64, tf.bool, tf.complex64, tf.complex128,
)  # fmt: skip

each = pytest.mark.parametrize("dtype", NARROW, ids=str)


@pytest.mark.parametrize("dtype", [F8, tf.dtypes.experimental.float8_e5m2], ids=str)
@pytest.mark.parametrize("source", [tf.float32, tf.bfloat16, tf.float16, tf.float64])
def test_floats_are_rounded_as_ml_dtypes_rounds_them(dtype: Any, source: Any) -> None:
    wide = X.astype(source.storage)

    for cast in (tf.cast, tf.function(tf.cast)):
        found = cast(tf.constant(wide), dtype)
        assert dtype is found.dtype
        expected = wide.astype(dtype.storage)
        assert expected.astype("f").tobytes() == found.numpy().astype("f").tobytes()


def every(dtype: Any) -> Any:
    """All numbers of a dtype, once each byte that a cast makes."""
    bits = (ml_dtypes.iinfo if dtype.is_integer else ml_dtypes.finfo)(dtype.storage).bits
    return tf.constant(np.arange(1 << bits, dtype=np.uint8).view(dtype.as_numpy_dtype))


def around(dtype: Any) -> Any:
    """What is rounded with most care: the middle of each two numbers, and what is beside it."""
    numbers = np.asarray(every(dtype)).astype(np.float64)
    numbers = np.unique(numbers[np.isfinite(numbers)])
    numbers = np.concatenate([numbers, 2 * numbers[[0, -1]] - numbers[[1, -2]]])
    middle = np.sort(numbers)[:-1] / 2 + np.sort(numbers)[1:] / 2
    beside = [np.nextafter(middle, to) for to in (-np.inf, np.inf)]
    special = [-0.0, 1e300, -1e300, 1e-300, -1e-310, 2.0**31, -(2.0**33) - 5]
    return np.concatenate([numbers, middle, *beside, special])


def assert_same(one: Any, other: Any) -> None:
    """NaN has many forms."""
    assert one.dtype is other.dtype
    with np.errstate(invalid="ignore"):
        wide, other_wide = (each.numpy().astype(np.complex128) for each in (one, other))
    np.testing.assert_array_equal(wide, other_wide)
    numbers = ~np.isnan(wide)
    for part in (np.real, np.imag):
        signs = (np.signbit(part(each)[numbers]) for each in (wide, other_wide))
        np.testing.assert_array_equal(*signs)


def native(function: Any) -> Any:
    """Refuses what would stay in Python."""
    return tf.function(function, jit_compile=True, reduce_retracing=True)


@pytest.mark.sampled
@pytest.mark.parametrize("other", [*WIDE, *NARROW], ids=str)
@each
def test_machine_code_casts_as_eager_code_does(dtype: Any, other: Any) -> None:
    numbers = every(dtype)
    if "float4" in other.name:  # has no NaN: each machine makes another number of it
        numbers = tf.boolean_mask(numbers, np.isfinite(numbers.numpy().astype("f4")))

    assert_same(tf.cast(numbers, other), native(lambda x: tf.cast(x, other))(numbers))
    if other in WIDE:
        wide = around(dtype)
        with np.errstate(all="ignore"):
            given = np.rint(wide[np.abs(wide) < 1e5]) if other.is_integer else wide
            given = tf.constant(given.astype(np.int64 if other.is_integer else other.storage))
        given = tf.cast(given, other)
        assert_same(tf.cast(given, dtype), native(lambda x: tf.cast(x, dtype))(given))


@pytest.mark.parametrize("dtype", [one for one in NARROW if one.is_floating], ids=str)
def test_a_float64_is_rounded_once(dtype: Any) -> None:
    numbers = np.unique(np.asarray(every(dtype)).astype(np.float64))
    numbers = numbers[np.isfinite(numbers)]
    middle = numbers[:-1] / 2 + numbers[1:] / 2
    wide = np.concatenate([np.nextafter(middle, to) for to in (-np.inf, np.inf)])
    nearest = numbers[np.abs(wide[:, np.newaxis] - numbers).argmin(axis=1)]

    for cast in (tf.cast, native(tf.cast)):
        np.testing.assert_array_equal(nearest, cast(tf.constant(wide), dtype).numpy().astype("f8"))


def test_integers_of_a_few_bits_wrap_around() -> None:
    experimental = tf.dtypes.experimental
    given = tf.cast([-3, 5, 7, 1], experimental.int4)

    for cast in (tf.cast, native(tf.cast)):
        assert [13, 5, 7, 1] == cast(given, experimental.uint4).numpy().astype(int).tolist()
        assert [1, 1, -1, 1] == cast(given, experimental.int2).numpy().astype(int).tolist()


@each
def test_numbers_are_equal_by_value(dtype: Any) -> None:
    x = every(dtype)
    expected = x.numpy()[:, np.newaxis] == x.numpy()
    for equal in (tf.equal, native(tf.equal)):
        np.testing.assert_array_equal(expected, equal(x[:, tf.newaxis], x).numpy())


def test_these_are_the_numbers_of_tensorflow() -> None:
    numbers = tf.constant([1e6, np.nan, np.inf, 0.1, -1e6, 1.06, 3.3, 100])

    e4m3 = tf.cast(tf.cast(numbers, F8), tf.float32).numpy()
    e5m2 = tf.cast(tf.cast(numbers, tf.dtypes.experimental.float8_e5m2), tf.float32).numpy()

    nan, inf = np.nan, np.inf
    np.testing.assert_array_equal([nan, nan, nan, 0.1015625, nan, 1, 3.25, 96], e4m3)
    np.testing.assert_array_equal([inf, nan, inf, 0.09375, -inf, 1, 3.5, 96], e5m2)
    assert [0, 1, 3, 7, 4, -1] == (
        tf.cast([0, 1, 3, 7, 100, -1], tf.dtypes.experimental.int4).numpy().astype(int).tolist()
    )


@pytest.mark.sampled
@each
def test_values_are_moved(dtype: Any) -> None:
    x = tf.cast(tf.constant([0, 1, 1]), dtype)

    @native
    def moved(x: Any) -> Any:
        rows = tf.stack([x, x[::-1]])
        return tf.concat([tf.reshape(rows, [-1]), tf.gather(x, [0, 2])], 0), rows

    for run in (moved, moved.python_function):
        flat, rows = run(x)
        assert [0, 1, 1, 1, 1, 0, 0, 1] == flat.numpy().astype(int).tolist()
        assert (dtype, (2, 3)) == (rows.dtype, tuple(rows.shape))


@each
def test_nothing_is_computed_with_them(dtype: Any) -> None:
    x = tf.cast(tf.constant([0, 1, 1]), dtype)

    for compute in (lambda: x + x, lambda: x < x, lambda: x * x, lambda: tf.reduce_sum(x)):
        with pytest.raises(
            tf.errors.InvalidArgumentError, match=f"{dtype.name} is not in the list"
        ):
            compute()


@each
def test_protos_keep_them(dtype: Any) -> None:
    for value in (1, [1, 0, 1]):
        x = tf.cast(tf.constant(value), dtype)
        back = tf.make_ndarray(tf.make_tensor_proto(x))
        assert dtype.storage == back.dtype
        assert x.numpy().astype(int).tolist() == back.astype(int).tolist()


def test_loops_branches_variables_and_datasets_carry_them() -> None:
    v = tf.Variable(tf.cast([1.5, 2.0], F8))

    @tf.function
    def grown(x: Any) -> Any:
        y = tf.cast(x, F8)
        for _ in tf.range(2):
            y = tf.cast(tf.cast(y, tf.float32) * 1.5, F8)
        v.assign(y)
        return tf.cond(tf.reduce_sum(x) > 0, lambda: v.read_value(), lambda: tf.cast(x, F8))

    expected = np.array([1, 2], np.float32).astype(F8.storage)
    for _ in range(2):
        expected = (expected.astype("f") * np.float32(1.5)).astype(F8.storage)
    assert expected.tolist() == grown(tf.constant([1.0, 2.0])).numpy().tolist()
    assert expected.tolist() == v.numpy().tolist()
    data = tf.data.Dataset.from_tensor_slices(v.read_value()).map(lambda one: one).batch(2)
    assert [expected.tolist()] == [batch.numpy().tolist() for batch in data]


def test_gradients_go_around_them() -> None:
    @tf.custom_gradient
    def rounded(x: Any) -> Any:
        return tf.cast(tf.cast(x, F8), tf.float32), lambda dy: dy

    x = tf.constant([1.5, 2.06])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = rounded(x) ** 2, tf.cast(tf.cast(x, F8), tf.float32)

    assert [3.0, 4.0] == tape.gradient(y, x).numpy().tolist()
    assert None is tape.gradient(z, x)


def test_numbers_of_python_are_rounded_too() -> None:
    assert [0.5, 1.75, 96, -3] == tf.constant([0.5, 1.7, 100.0, -3.0], F8).numpy().tolist()
    assert F8 is tf.as_dtype(ml_dtypes.float8_e4m3fn)
    with pytest.raises(TypeError):
        tf.constant(8, tf.dtypes.experimental.int4)


@pytest.mark.parametrize("dtype", QUANTIZED, ids=str)
def test_quantized_types_are_kept_as_structures_and_shown_as_integers(dtype: Any) -> None:
    x = tf.constant([1, 2, 3], dtype)
    v = tf.Variable(x)
    moved = tf.function(lambda x: tf.concat([x[::-1], tf.gather(x, [0])], 0))
    kept = (
        x, v, tf.cast([1, 2, 3], dtype), tf.bitcast(tf.constant([1, 2, 3], dtype.plain), dtype),
        tf.constant(np.array([1, 2, 3]).astype(dtype.plain).view(dtype.storage)),
        tf.io.parse_tensor(tf.io.serialize_tensor(x), dtype),
        *tf.data.Dataset.from_tensor_slices(x).batch(3),
        tf.constant(tf.make_ndarray(tf.make_tensor_proto([1, 2, 3], dtype))),
    )  # fmt: skip
    for one in kept:
        assert (dtype, dtype.plain) == (one.dtype, one.numpy().dtype)
        assert [1, 2, 3] == one.numpy().tolist() == np.asarray(one).tolist()
    assert [3, 2, 1, 1] == moved(x).numpy().tolist() == moved.python_function(x).numpy().tolist()
    assert repr(tf.constant([1], dtype.plain)).replace(dtype.name[1:], dtype.name, 1) == repr(x[:1])
    assert (2, 2.0, 3) == (int(x[1]), float(x[1]), len(x))
    with pytest.raises(TypeError, match=dtype.name):
        tf.constant(1.5, dtype)
    with pytest.raises(tf.errors.InvalidArgumentError, match=f"{dtype.name} is not in the list"):
        _ = x + x
