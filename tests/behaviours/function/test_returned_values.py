"""What a function may return, and as what it arrives: statements F77 to F79."""

from __future__ import annotations

import asyncio
import collections
from typing import Any

import numpy as np
import pytest

from tests.behaviours.library import behaviour, differs, tf


def returned(value: Any) -> Any:
    """What a function gives that returns `value`."""
    return tf.function(lambda: value)()


@behaviour("F77")
@pytest.mark.parametrize(
    ("value", "dtype"),
    [
        (1, tf.int32),
        (1.5, tf.float32),
        (True, tf.bool),
        ("a", tf.string),
        (b"a", tf.string),
        (np.array([1, 2]), tf.int64),
        (np.array([1.5]), tf.float64),
        (np.int64(3), tf.int64),
        (np.float32(3), tf.float32),
    ],
)
def test_python_values_and_arrays_become_tensors(value: Any, dtype: Any) -> None:
    result = returned(value)
    expected = value.encode() if isinstance(value, str) else value

    assert tf.is_tensor(result)
    assert result.dtype == dtype
    assert np.array_equal(result.numpy(), expected)


Point = collections.namedtuple("Point", ["x", "y"])


@behaviour("F77")
def test_none_stays_none_anywhere() -> None:
    assert returned(None) is None
    assert returned((None, [None], {"a": None})) == (None, [None], {"a": None})
    assert returned([1, None])[1] is None


@behaviour("F77")
def test_containers_keep_their_types() -> None:
    pairs = collections.OrderedDict([("b", 1), ("a", 2)])
    given = {"t": (1,), "l": [2], "d": {"k": 3}, "o": pairs, "n": Point(4, 5)}
    result = returned(given)

    assert {key: type(part) for key, part in result.items()} == {
        key: type(part) for key, part in given.items()
    }
    assert list(result["o"]) == ["b", "a"]
    assert (result["n"].x.numpy(), result["n"].y.numpy()) == (4, 5)
    assert result["d"]["k"].numpy() == 3


@behaviour("F77")
def test_a_range_becomes_a_list_of_scalars() -> None:
    result = returned(range(3))

    assert type(result) is list
    assert [one.numpy() for one in result] == [0, 1, 2]


@behaviour("F77")
def test_a_known_shape_becomes_a_vector_of_int32() -> None:
    result = returned(tf.TensorShape([2, 3]))

    assert result.dtype == tf.int32
    assert result.numpy().tolist() == [2, 3]


@behaviour("F77")
def test_indexed_slices_pass_through() -> None:
    rows, size = tf.constant([0, 2]), tf.constant([5])
    result = tf.function(lambda x: tf.IndexedSlices(x, rows, size))(tf.constant([1.0, 2.0]))

    assert isinstance(result, tf.IndexedSlices)
    assert result.values.numpy().tolist() == [1.0, 2.0]
    assert result.indices.numpy().tolist() == [0, 2]


@behaviour("F77")
def test_ragged_and_sparse_tensors_pass_through() -> None:
    ragged = tf.ragged.constant([[1, 2], [3]])
    sparse = tf.sparse.from_dense([[0, 1], [2, 0]])
    first, second = tf.function(lambda a, b: (a * 2, b))(ragged, sparse)

    assert isinstance(first, tf.RaggedTensor)
    assert first.to_list() == [[2, 4], [6]]
    assert isinstance(second, tf.SparseTensor)
    assert second.values.numpy().tolist() == [1, 2]


@behaviour("F77")
def test_a_dataset_passes_through() -> None:
    result = tf.function(lambda: tf.data.Dataset.range(3))()

    assert isinstance(result, tf.data.Dataset)
    assert [int(one) for one in result] == [0, 1, 2]


@behaviour("F77")
def test_an_extension_type_passes_through() -> None:
    class Masked(tf.experimental.ExtensionType):
        values: tf.Tensor  # pyright: ignore[reportInvalidTypeForm]
        mask: tf.Tensor  # pyright: ignore[reportInvalidTypeForm]

    result = tf.function(lambda m: Masked(m.values * 2.0, m.mask))(
        Masked([1.0, 2.0], [True, False])
    )

    assert isinstance(result, Masked)
    assert result.values.numpy().tolist() == [2.0, 4.0]


@behaviour("F77")
@differs
def test_a_tensor_array_stays_one() -> None:
    result = tf.function(lambda: tf.TensorArray(tf.float32, 2).unstack([1.0, 2.0]))()

    assert isinstance(result, tf.TensorArray)
    assert result.read(1).numpy() == 2.0


# ---- what cannot be returned

REFUSED = "must return zero or more Tensors or ExtensionTypes or None values.*found return value"


class Plain:
    """Neither a tensor nor something that could become one."""


@behaviour("F78")
@pytest.mark.parametrize(
    "make",
    [
        object,
        Plain,
        lambda: Plain,
        lambda: len,
        lambda: test_none_stays_none_anywhere,
        lambda: tf.float32,
        lambda: {1, 2},
        lambda: (number for number in range(3)),
        lambda: ValueError("no"),
        lambda: 2**70,
    ],
)
@pytest.mark.parametrize("nested", [False, True])
def test_other_objects_cannot_be_returned(make: Any, nested: bool) -> None:
    @tf.function(autograph=False)
    def f() -> Any:
        return [1, make()] if nested else make()

    with pytest.raises(TypeError, match=f"(?s){REFUSED}"):
        f()


@behaviour("F78")
def test_the_type_is_named() -> None:
    with pytest.raises(TypeError, match=r"(?s)found return value of type.*Plain"):
        returned(Plain())


@behaviour("F78")
@pytest.mark.parametrize(
    "make",
    [
        tf.no_op,
        tf.group,
        lambda: tf.print("x"),
        lambda: tf.debugging.assert_equal(1, 1),
        lambda: tf.debugging.Assert(True, ["text"]),
        lambda: tf.py_function(lambda: None, [], []),
    ],
)
def test_an_operation_is_not_returned(make: Any) -> None:
    with pytest.raises(TypeError, match=r"(?s)found return value of type Operation"):
        tf.function(make)()
    assert int(tf.function(lambda: (make(), tf.constant(3))[1])()) == 3


@behaviour("B4")
def test_an_operation_in_a_branch_is_a_truth_value(capfd: pytest.CaptureFixture[str]) -> None:
    @tf.function
    def f(x: Any) -> Any:
        if x > 0:
            shown = tf.print("x is", x)
        else:
            shown = tf.no_op()
        return shown, tf.print("large") if x > 5 else tf.no_op()

    assert [one.dtype for one in f(tf.constant(7))] == [tf.bool, tf.bool]
    assert [one.dtype for one in f(tf.constant(-7))] == [tf.bool, tf.bool]
    assert capfd.readouterr().err == "x is 7\nlarge\n"


@behaviour("F79")
def test_a_generator_function_is_traced_but_returns_nothing_useful() -> None:
    runs: list[int] = []

    def body(x: Any) -> Any:
        runs.append(1)
        yield x

    with pytest.raises(TypeError, match=r"(?s)found return value of type.*generator"):
        tf.function(body)(tf.constant(1))


@behaviour("F79")
def test_a_coroutine_cannot_be_returned() -> None:
    kept: list[Any] = []

    async def wait(x: Any) -> Any:
        return x

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        kept.append(wait(x))
        return kept[0]

    with pytest.raises(TypeError, match=r"(?s)found return value of type.*coroutine"):
        f(tf.constant(1))
    assert asyncio.iscoroutine(kept[0])
    kept[0].close()


@behaviour("F79")
@pytest.mark.filterwarnings("ignore:coroutine .* was never awaited:RuntimeWarning")
def test_an_async_function_cannot_be_decorated_usefully() -> None:
    async def body(x: Any) -> Any:
        return x

    with pytest.raises(TypeError, match=r"(?s)found return value of type.*coroutine"):
        tf.function(body)(tf.constant(1))
