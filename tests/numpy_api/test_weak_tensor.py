"""The modes "all" and "safe": numbers of Python's make weak tensors, which give way to others."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core.dtypes import as_dtype
from tensormill.numpy_api.weak_promotion import Promoted, joined, joined_safely

from .switching import put_back

tnp: Any = tf.experimental.numpy
RECORDED = Path(__file__).with_name("promotions.txt")


@pytest.fixture(autouse=True)
def switch() -> Iterator[None]:
    with put_back():
        yield


@pytest.fixture(name="everything")
def mode_all() -> None:
    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="all")


@pytest.fixture(name="safe")
def mode_safe() -> None:
    tnp.experimental_enable_numpy_behavior(dtype_conversion_mode="safe")


def recorded(mode: str) -> Iterator[tuple[str, str, str]]:
    """Two dtypes, and the one that TensorFlow gives them."""
    _, *tables = RECORDED.read_text().split("\n\n")
    for first, *rows in (table.splitlines() for table in tables):
        name, *columns = first.split()
        for row in rows if name == mode else ():
            one, *found = row.split()
            yield from ((one, other, both) for other, both in zip(columns, found, strict=True))


def promoted(text: str) -> Promoted:
    return Promoted(as_dtype(text.rstrip("*")), text.endswith("*"))


@pytest.mark.parametrize(("mode", "join"), [("all", joined), ("safe", joined_safely)])
def test_dtypes_are_joined_as_tensorflow_joins_them(mode: str, join: Any) -> None:
    count = 0
    for one, other, expected in recorded(mode):
        count += 1
        if expected == "-":
            with pytest.raises(TypeError, match="may lose values"):
                join(promoted(one), promoted(other))
        else:
            assert (one, other, promoted(expected)) == (
                one, other, join(promoted(one), promoted(other)),
            )  # fmt: skip
    assert 400 == count


def told(value: Any) -> str:
    """The dtype of a value, with a star where it is weak."""
    return value.dtype.name + ("*" if getattr(value, "is_weak_tensor", False) else "")


CONSTANTS: dict[str, list[Any]] = {
    "int32*": [5, [1, 2], [[1], [2]]],
    "float32*": [5.0, [1.0, 2], [1, 2.5]],
    "complex128*": [1j],
    "int32": [np.int32(5), np.array([1], np.int32), [np.int32(1)]],
    "bool": [True, [True]],
    "string": ["a"],
    "float64": [np.float64(1)],
}


@pytest.mark.usefixtures("everything")
@pytest.mark.parametrize("expected", CONSTANTS)
def test_constants_of_numbers_are_weak(expected: str) -> None:
    for value in CONSTANTS[expected]:
        assert expected == told(tf.constant(value))
        assert expected.rstrip("*") == told(tf.convert_to_tensor(value))
    assert "float16" == told(tf.constant(5, tf.float16))


CALLS = {
    "float32": lambda w, x: [x + w, w * x, x / 2, tf.add(x, 1.5), tf.maximum(x, w), tf.pow(x, 2)],
    "float32*": lambda w, x: [
        w + w, w + 1, 2 * w, -w, abs(w), tf.sin(w), tf.reduce_sum(w), tf.square(w),
        tf.reshape(w, [1]), tf.transpose(w), w.T, w.max(), tnp.sin(w), tnp.asarray(1.5), tnp.sum(w),
        tf.constant(w), tf.function(lambda y: y + 1)(w), tf.function(lambda: tf.constant(1.5))(),
    ],
    "float64*": lambda w, x: [tf.constant([1], tf.int32) + w, tf.add(tf.constant(1, tf.int8), 1.5)],
    "float64": lambda w, x: [x + np.array([1.0]), tf.add(x, np.float64(1)), tf.cast(w, tf.float64)],
    "bool": lambda w, x: [w < x, w == 2.5, x >= 1, tf.equal(w, 2), tf.constant([2]) < x],
    "int32": lambda w, x: [tf.shape(x) * 2, tf.constant([1], tf.int32) + 1, tf.Variable(5) + 1],
    "int64": lambda w, x: [tf.constant([1], tf.int64) + 1, np.int64(2) * tf.constant([1])],
}  # fmt: skip


@pytest.mark.usefixtures("everything")
@pytest.mark.parametrize("expected", CALLS)
def test_calls_promote_their_operands(expected: str) -> None:
    weak, strong = tf.constant([2.5]), tf.constant(np.array([1.5], np.float32))

    assert {expected} == {told(one) for one in CALLS[expected](weak, strong)}


@pytest.mark.usefixtures("everything")
def test_functions_promote_operands_of_which_none_is_weak() -> None:
    x, y = tf.constant([1, 2], tf.int32), tf.constant([0.5, 1.5], tf.float32)

    for function in (tf.add, tf.subtract, tf.multiply, tf.divide, tf.pow, tf.math.floormod):
        found = function(x, y)
        assert "float32" == told(found)
        np.testing.assert_allclose(function(tf.cast(x, tf.float32), y), found)
        assert "float32" == told(tf.function(function)(x, y))
    product = tf.matmul(tf.constant([[1.0, 2.0]], tf.float32), tf.constant([[1], [2]], tf.int64))
    assert ("float32", [[5.0]]) == (told(product), product.numpy().tolist())


@pytest.mark.usefixtures("everything")
def test_variables_keep_their_dtype() -> None:
    variable = tf.Variable([1.0, 2.0])
    variable.assign(tf.constant([3, 4], tf.int32))
    variable.assign_add(tf.constant([1, 1]))

    assert [4.0, 5.0] == variable.numpy().tolist()
    with pytest.raises(TypeError, match="a variable of dtype float32"):
        variable.assign_add(tf.constant([1.0], tf.float64))
    with pytest.raises(TypeError, match="a variable of dtype int32"):
        tf.Variable(1).assign_add(1.5)


@pytest.mark.usefixtures("everything")
def test_a_weak_tensor_is_a_value_like_others() -> None:
    weak: Any = tf.constant([1.0, 2.0])

    assert "<tf.Tensor: shape=(), dtype=int32, numpy=5, weak=True>" == repr(tf.constant(5))
    assert "tf.Tensor(5, shape=(), dtype=int32, weak=True)" == str(tf.constant(5))
    assert not isinstance(weak, tf.Tensor)
    assert tf.is_tensor(weak)
    assert ([1.0, 2.0], 2, 1) == (weak.tolist(), len(weak), weak.ndim)
    assert (5, 5.0, True, [0, 1][tf.constant(1)]) == (
        int(tf.constant(5)), float(tf.constant(5)), bool(tf.constant(5)), 1,
    )  # fmt: skip
    assert [1.0, 2.0] == [float(one) for one in weak]
    assert [2.0, 3.0] == (np.ones(2, np.float32) + weak).numpy().tolist()
    assert "float32" == np.asarray(weak).dtype.name
    assert "float32" == told(tf.concat([weak, weak], 0))
    assert "float32" == told(tf.Variable(weak))
    with pytest.raises(AttributeError, match="assign"):
        weak.assign(1)


@pytest.mark.usefixtures("everything")
def test_weak_tensors_are_places_sizes_and_axes() -> None:
    x, one, sizes = tf.reshape(tf.range(6.0), [2, 3]), tf.constant(1), tf.constant([3, 2])

    assert 4.0 == float(x[one, one])
    assert [[4.0, 5.0]] == x[one:, one:].numpy().tolist()
    assert [3.0, 4.0, 5.0] == tf.function(lambda k: x[k])(one).numpy().tolist()
    assert (3, 2) == tf.zeros(sizes).shape == tf.reshape(x, sizes).shape
    assert [3.0, 12.0] == tf.reduce_sum(x, axis=one).numpy().tolist()
    assert [[1.0], [4.0]] == tf.gather(x, [one], axis=one).numpy().tolist()


@pytest.mark.usefixtures("everything")
def test_gradients_flow_through_weak_tensors() -> None:
    x, variable = tf.constant(3.0), tf.Variable(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x * variable * 2
    dx, dv = tape.gradient(y, [x, variable])

    assert (24.0, 18.0) == (float(dx), float(dv))


@pytest.mark.usefixtures("everything")
def test_weak_tensors_go_through_control_flow() -> None:
    @tf.function
    def count(limit: Any) -> Any:
        total = tf.constant(0)
        for k in tf.range(limit):
            if k % 2 == 0:
                total = total + 1
        return total

    assert 3 == int(count(tf.constant(5)))
    doubled = tf.data.Dataset.from_tensor_slices(tf.constant([1, 2])).map(lambda n: n * 2)
    assert [2, 4] == [int(n) for n in doubled]
    assert 6 == int(tf.while_loop(lambda n: n < 5, lambda n: n * 2, [tf.constant(3)])[0])


@pytest.mark.usefixtures("everything")
def test_numbers_have_32_bits_by_themselves() -> None:
    assert ["int32*", "float32*", "float32", "int32*", "int32"] == [
        told(one)
        for one in (
            tnp.asarray(1), tnp.asarray(1.5), tnp.zeros(2), tnp.arange(3),
            tnp.sum(tf.constant([1], tf.int32)),
        )
    ]  # fmt: skip


@pytest.mark.usefixtures("safe")
def test_what_may_lose_values_is_refused() -> None:
    x = tf.constant([1, 2], tf.int32)

    for call in (
        lambda: x + 1.5,
        lambda: 1.5 * x,
        lambda: tf.add(x, tf.constant([1.0], tf.float32)),
        lambda: tf.constant(1) + tf.constant(1, tf.int32) * tf.constant(1.5),
        lambda: tf.Variable(1.0).assign(x[0]),
        lambda: tf.constant(1, tf.int8) + tf.constant(1, tf.uint8),
    ):
        with pytest.raises(TypeError, match="in the promotion mode 'safe'"):
            call()
    assert "float64" == told(x + tf.constant([1.0], tf.float64))
    assert "int32" == told(x + 1)
    assert "float16" == told(tf.constant([1.0], tf.float16) + 1.5)


@pytest.mark.usefixtures("everything")
def test_layers_of_narrow_floats_stay_narrow() -> None:
    x = tf.constant([[1.0, -2.0]], tf.bfloat16)

    for function in (tf.nn.softmax, tf.nn.gelu, tf.nn.silu, tf.math.reduce_std, tf.nn.leaky_relu):
        assert "bfloat16" == told(function(x))
