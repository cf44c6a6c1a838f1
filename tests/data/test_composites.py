"""Ragged and sparse elements, and types made of tensors; as recorded from TensorFlow."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf

Dataset = tf.data.Dataset
ROWS = [[1, 2], [], [3, 4, 5], [6]]
DEEP = [[[1, 2], [3]], [], [[4]], [[], [5, 6]]]
MATRIX = [[1, 0, 2], [0, 0, 0], [0, 3, 0]]


def slices(values: Any) -> Any:
    return Dataset.from_tensor_slices(tf.ragged.constant(values))


def sparse_slices() -> Any:
    return Dataset.from_tensor_slices(tf.sparse.from_dense(MATRIX))


def listed(element: Any) -> Any:
    if isinstance(element, tf.RaggedTensor):
        return element.to_list()
    dense = tf.sparse.to_dense(element) if isinstance(element, tf.SparseTensor) else element
    return dense.numpy().tolist()


def contents(dataset: Any) -> list[Any]:
    return [listed(element) for element in dataset]


@pytest.mark.parametrize("values", [ROWS, DEEP])
def test_rows_are_elements_and_elements_are_rows(values: Any) -> None:
    dataset = slices(values)

    assert values == contents(dataset)
    assert [values[:3], values[3:]] == contents(dataset.batch(3))
    assert [values[:3]] == contents(dataset.batch(3, drop_remainder=True))
    assert values == contents(dataset.batch(3).unbatch())
    assert [4, 2] == [int(one.cardinality()) for one in (dataset, dataset.batch(2))]


def test_specs_of_rows_count_their_ragged_axes() -> None:
    spec = tf.RaggedTensorSpec

    assert spec([None], tf.int32, 0) == slices(ROWS).element_spec
    assert spec([3, None], tf.int32) == slices(ROWS).batch(3, drop_remainder=True).element_spec
    assert spec([None, None, None], tf.int32) == slices(DEEP).batch(3).element_spec
    assert tf.SparseTensorSpec([3], tf.int32) == sparse_slices().element_spec


def test_rows_of_composite_tensors_are_printed_as_slices() -> None:
    spec = "SparseTensorSpec(TensorShape([3]), tf.int32)"

    assert f"<_TensorSliceDataset element_spec={spec}>" == repr(sparse_slices())
    assert f"<_UnbatchDataset element_spec={spec}>" == repr(sparse_slices().batch(2).unbatch())


def test_rows_of_a_sparse_tensor() -> None:
    assert MATRIX == contents(sparse_slices())
    assert [MATRIX[:2], MATRIX[2:]] == contents(sparse_slices().batch(2))
    assert MATRIX == contents(sparse_slices().batch(2).unbatch())
    with pytest.raises(ValueError, match="only supported for rank >= 1"):
        sparse_slices().unbatch().unbatch()


def test_functions_of_elements_get_the_places_of_sparse_rows() -> None:
    sparse = tf.SparseTensor([[0, 1], [0, 2], [1, 0], [1, 2]], [5, 6, 7, 8], [2, 3])
    rows = Dataset.from_tensor_slices(sparse).map(lambda row: row.indices[:, 0])
    assert [[1, 2], [0, 2]] == contents(rows)

    batch = Dataset.from_tensors([3, 4]).repeat(2).sparse_batch(2, [2])
    assert [[[0, 0], [0, 1], [1, 0], [1, 1]]] == contents(batch.map(lambda both: both.indices))


def test_rows_go_through_other_transformations() -> None:
    tensors = {"a": tf.ragged.constant(ROWS), "b": tf.range(4)}
    pairs = Dataset.from_tensor_slices(tensors).shuffle(4, seed=1).repeat(2).batch(2)

    found = [(listed(one["a"]), listed(one["b"])) for one in pairs]
    assert all([ROWS[k] for k in numbers] == rows for rows, numbers in found)
    assert [3, 0, 12, 6] == contents(slices(ROWS).map(tf.reduce_sum))


def test_a_function_goes_through_rows() -> None:
    @tf.function
    def total(dataset: Any) -> Any:
        found = 0
        for rows in dataset:
            found += tf.reduce_sum(rows)
        return found

    assert 21 == total(slices(ROWS)) == total(slices(ROWS).batch(2))


@pytest.mark.parametrize(
    ("element", "rank"),
    [
        (lambda n: tf.range(n), 1),
        (lambda n: tf.ones([n, 2]), 1),
        (lambda n: tf.ones([2, n]), 2),
        (lambda n: tf.ones([n, n + 1]), 2),
    ],
)
def test_tensors_of_different_sizes_become_rows(element: Callable[..., Any], rank: int) -> None:
    dataset = Dataset.range(4).map(element)
    expected = [listed(element(n)) for n in range(4)]

    for batched in (
        dataset.ragged_batch(3),
        dataset.apply(tf.data.experimental.dense_to_ragged_batch(3)),
    ):
        assert rank == batched.element_spec.ragged_rank
        assert [expected[:3], expected[3:]] == contents(batched)


def test_tensors_of_one_size_stay_tensors() -> None:
    dataset = Dataset.range(3).ragged_batch(2)

    assert tf.TensorSpec([None], tf.int64) == dataset.element_spec
    assert [[0, 1], [2]] == contents(dataset)


class Measured(tf.experimental.BatchableExtensionType):
    shape: tf.TensorShape
    values: tf.Tensor
    rows: tf.RaggedTensor
    unit: str = "m"


def test_types_that_can_be_batched_are() -> None:
    whole = Measured(tf.TensorShape([4]), np.arange(8.0).reshape(4, 2), tf.ragged.constant(ROWS))
    first, second = Dataset.from_tensor_slices(whole).batch(3)
    one = next(iter(Dataset.from_tensor_slices(whole)))

    assert (ROWS[:3], ROWS[3:]) == (first.rows.to_list(), second.rows.to_list())
    assert [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]] == first.values.numpy().tolist()
    assert ([], [2], [1, 2], "m") == (
        one.shape.as_list(), one.values.shape.as_list(), one.rows.numpy().tolist(), one.unit
    )  # fmt: skip


def test_other_types_and_different_sizes_are_refused() -> None:
    class Plain(tf.experimental.ExtensionType):
        x: tf.Tensor

    with pytest.raises(TypeError, match="cannot be sliced"):
        Dataset.from_tensor_slices(Plain([1, 2]))
    with pytest.raises(TypeError, match="cannot be batched"):
        Dataset.from_tensors(Plain([1, 2])).batch(2)
    both = tf.ragged.constant(ROWS), tf.sparse.from_dense(MATRIX)
    with pytest.raises(ValueError, match="different first sizes"):
        list(Dataset.from_tensor_slices(both))


def test_rebatching_regroups_the_rows_of_ragged_and_sparse_elements() -> None:
    rows = tf.ragged.constant([[1], [], [2, 3], [4], [5, 6]])
    sparse = tf.sparse.from_dense([[0, 1], [2, 0], [0, 3], [4, 0], [0, 5]])
    dataset = Dataset.from_tensor_slices((rows, sparse)).batch(3)

    found = [(a.to_list(), tf.sparse.to_dense(b).numpy().tolist()) for a, b in dataset.rebatch(2)]

    assert [
        ([[1], []], [[0, 1], [2, 0]]),
        ([[2, 3], [4]], [[0, 3], [4, 0]]),
        ([[5, 6]], [[0, 5]]),
    ] == found
    assert [1, 2, 1, 1] == [a.nrows() for a, _ in dataset.rebatch([1, 2])]


def rows_of_ragged() -> Any:
    """Elements whose spec is ragged without a ragged axis."""
    rows = tf.ragged.constant([[0, 1], [], [2]], tf.int32, ragged_rank=1)
    return tf.data.Dataset.from_tensor_slices((rows, [1, 2, 3]))


def test_rows_of_a_ragged_tensor_are_saved_and_read_again(tmp_path: Path) -> None:
    rows = rows_of_ragged()
    rows.save(str(tmp_path / "saved"))
    kept = rows.snapshot(str(tmp_path / "snapshot"))

    for again in (tf.data.Dataset.load(str(tmp_path / "saved")), kept, kept):
        assert [[0, 1], [], [2]] == [row.numpy().tolist() for row, _ in again]


def test_rows_of_a_ragged_tensor_are_unbatched_as_tensors() -> None:
    numbers = rows_of_ragged().map(lambda row, _: row).unbatch()
    ragged = rows_of_ragged().map(lambda row, _: (row, row)).take(1)
    values = tf.data.Dataset.from_tensor_slices(tf.ragged.constant([[0, 1], [], [2]])).unbatch()

    assert tf.TensorSpec((), tf.int32) == values.element_spec == numbers.element_spec
    assert [0, 1, 2] == [int(one) for one in values] == [int(one) for one in numbers]
    assert [(0, 0), (1, 1)] == [(int(a), int(b)) for a, b in ragged.unbatch()]


def test_rows_of_a_ragged_tensor_are_resampled() -> None:
    found = rows_of_ragged().rejection_resample(lambda _, n: n % 2, [0.5, 0.5], seed=5)

    assert [[0, 1], [], [2]] == [row.numpy().tolist() for _, (row, _) in found]


def test_how_many_are_left_of_unknown_many_is_unknown() -> None:
    unknown = tf.data.Dataset.range(3).filter(lambda n: n > 0)

    assert (tf.data.UNKNOWN_CARDINALITY, 0) == (
        int(unknown.skip(-1).cardinality()),
        int(tf.data.Dataset.range(3).skip(-1).cardinality()),
    )
    assert [] == list(unknown.skip(-1))


def test_functions_take_windows_of_sparse_and_ragged_elements() -> None:
    sparse = tf.SparseTensor([[0, 1], [2, 0]], [5, 7], [3, 3])
    ragged = tf.ragged.constant([[[1], []], [], [[2, 3]]])
    windows = Dataset.from_tensor_slices((sparse, {"r": ragged, "n": [1, 2, 3]})).window(2)

    def whole(one: Any, named: Any) -> Any:
        return Dataset.zip((one, named["r"], named["n"])).batch(2)

    batches = list(windows.flat_map(whole))

    assert [[[0, 5, 0], [0, 0, 0]], [[7, 0, 0]]] == [
        tf.sparse.to_dense(one).numpy().tolist() for one, _, _ in batches
    ]
    assert [[[[1], []], []], [[[2, 3]]]] == [one.to_list() for _, one, _ in batches]
    assert [[1, 2], [3]] == [one.numpy().tolist() for _, _, one in batches]
    assert windows.reduce(0, lambda count, *_: count + 1) == 2
