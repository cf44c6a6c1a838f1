"""Composites whose specs say what a batch of them is (outcomes compared with TensorFlow's)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

import tensormill as tf
from tensormill.core.tree import Composite
from tensormill.core.type_spec import BatchableTypeSpec, TypeSpec

Dataset = tf.data.Dataset


class Pair(Composite):
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    @property
    def _type_spec(self) -> PairSpec:
        return PairSpec(tf.type_spec_from_value(self.x), tf.type_spec_from_value(self.y))


class PairSpec(BatchableTypeSpec):
    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.y = x, y

    @property
    def value_type(self) -> type[Pair]:
        return Pair

    @property
    def _component_specs(self) -> tuple[Any, ...]:
        return self.x, self.y

    def _serialize(self) -> tuple[Any, ...]:
        return self.x, self.y

    def _to_components(self, value: Pair) -> tuple[Any, ...]:
        return value.x, value.y

    def _from_components(self, components: Any) -> Any:
        return Pair(*components)

    def _batch(self, batch_size: int | None) -> Any:
        return type(self)(self.x._batch(batch_size), self.y._batch(batch_size))

    def _unbatch(self) -> Any:
        return type(self)(self.x._unbatch(), self.y._unbatch())


class Listed(Pair):
    """A pair whose spec says which tensors stand for it: twice `x`, and `y` as its own spec."""

    @property
    def _type_spec(self) -> ListedSpec:
        return ListedSpec(tf.type_spec_from_value(self.x), tf.type_spec_from_value(self.y))


class ListedSpec(PairSpec):
    @property
    def value_type(self) -> type[Pair]:
        return Listed

    def _from_components(self, components: Any) -> Any:
        return Listed(*components)

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return [self.x, *self.y._flat_tensor_specs]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return [2 * value.x, *self.y._to_tensor_list(value.y)]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        return [2 * value.x, *self.y._to_batched_tensor_list(value.y)]

    def _from_compatible_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        twice, *rest = tensor_list
        return Listed(twice // 2, self.y._from_compatible_tensor_list(rest))


def pairs(kind: Callable[[Any, Any], Any]) -> tuple[Any, Any]:
    numbers = tf.constant([[1, 2], [3, 4], [5, 6]])
    return (
        kind(numbers, tf.ragged.constant([[1], [2, 3], []])),
        kind(numbers, tf.sparse.from_dense([[1, 0], [0, 2], [3, 3]])),
    )


def plain(value: Any) -> Any:
    if isinstance(value, Pair):
        return plain(value.x), plain(value.y)
    if isinstance(value, tf.RaggedTensor):
        return value.to_list()
    dense = tf.sparse.to_dense(value) if isinstance(value, tf.SparseTensor) else value
    return dense.numpy().tolist()


ROWS = (
    [([1, 2], [1]), ([3, 4], [2, 3]), ([5, 6], [])],
    [
        ([1, 2], [1, 0]),
        ([3, 4], [0, 2]),
        ([5, 6], [3, 3]),
    ],
)


@pytest.mark.parametrize("kind", [Pair, Listed])
@pytest.mark.parametrize("which", [0, 1])
def test_datasets_stack_them_and_take_them_apart(kind: Any, which: int) -> None:
    whole, rows = pairs(kind)[which], ROWS[which]
    slices = Dataset.from_tensor_slices(whole)
    first, last = ([list(one) for one in zip(*part, strict=True)] for part in (rows[:2], rows[2:]))

    assert rows == [plain(one) for one in slices]
    assert 3 == int(slices.cardinality())
    assert [tuple(first), tuple(last)] == [plain(one) for one in slices.batch(2)]
    assert [tuple(first)] == [plain(one) for one in slices.batch(2, drop_remainder=True)]
    assert rows == [plain(one) for one in slices.batch(2).unbatch()]
    assert [plain(whole)] == [plain(one) for one in slices.batch(2).rebatch(3)]
    assert [tuple(first), tuple(last)] == [plain(one) for one in slices.ragged_batch(2)]
    assert plain(whole) == plain(Dataset.from_tensors(whole).get_single_element())


@pytest.mark.parametrize("kind", [Pair, Listed])
@pytest.mark.parametrize("which", [0, 1])
def test_specs_of_batches_are_what_their_specs_say(kind: Any, which: int) -> None:
    whole = pairs(kind)[which]
    row, slices = whole._type_spec._unbatch(), Dataset.from_tensor_slices(whole)

    assert row == slices.element_spec == slices.batch(2).unbatch().element_spec
    assert row._batch(None) == slices.batch(2).element_spec
    assert row._batch(2) == slices.batch(2, drop_remainder=True).element_spec
    assert row._batch(None) == slices.batch(2).rebatch(3).element_spec


@pytest.mark.parametrize("kind", [Pair, Listed])
def test_they_stand_beside_other_elements_and_in_maps(kind: Any) -> None:
    whole, _ = pairs(kind)
    row = whole._type_spec._unbatch()

    both = Dataset.zip((Dataset.from_tensor_slices(whole), Dataset.range(3))).batch(3)
    ((pair, numbers),) = both
    assert (plain(whole), [0, 1, 2]) == (plain(pair), plain(numbers))

    sums = tf.map_fn(lambda one: tf.reduce_sum(one.y), whole, fn_output_signature=tf.int32)
    assert [1, 5, 0] == plain(sums)
    assert plain(whole) == plain(tf.map_fn(lambda one: one, whole, fn_output_signature=row))
    assert [3, 7, 11] == plain(tf.vectorized_map(lambda one: tf.reduce_sum(one.x), whole))


def test_folds_see_their_slices() -> None:
    rows = tf.ragged.constant([[1, 2], [], [3], [4]])  # as many values as splits
    pair = Pair(rows, rows)

    assert 20 == plain(tf.foldl(lambda total, one: total + tf.reduce_sum(one.x + one.y), pair, 0))


def test_a_part_may_itself_say_which_tensors_stand_for_it() -> None:
    inner, _ = pairs(Listed)
    slices = Dataset.from_tensor_slices(Pair(tf.constant([1, 2, 3]), inner))

    (batch,) = slices.batch(3)
    assert ([1, 2, 3], plain(inner)) == plain(batch)


@pytest.mark.parametrize("batched", [False, True])
@pytest.mark.parametrize(
    "value",
    [
        tf.ragged.constant([[1.5, 2.0], [], [3.0]]),
        tf.ragged.constant([[["a"], []], [], [["b", "c"]]]),
        tf.ragged.constant([[[1, 2]], [[3, 4], [5, 6]]], ragged_rank=1, row_splits_dtype=tf.int32),
        tf.sparse.from_dense([[1, 0], [0, 2]]),
        tf.constant([[1, 2], [3, 4]]),
    ],
    ids=repr,
)
def test_lists_of_tensors_stand_for_values(value: Any, batched: bool) -> None:
    spec: Any = tf.type_spec_from_value(value)

    @tf.function
    def there_and_back(value: Any) -> Any:
        tensors = spec._to_batched_tensor_list(value) if batched else spec._to_tensor_list(value)
        return spec._from_tensor_list(tensors)

    @tf.function
    def twice(value: Any) -> Any:
        tensors = [tf.stack([one, one]) for one in spec._to_tensor_list(value)]
        return spec._batch(2)._from_tensor_list(tensors)

    assert plain(value) == plain(there_and_back(value))
    assert spec == tf.type_spec_from_value(there_and_back(value))
    assert [plain(value)] * 2 == plain(twice(value))


def test_rows_of_nothing_keep_their_sizes() -> None:
    spec = tf.RaggedTensorSpec([None, None, 2], tf.float32, ragged_rank=1)

    found = spec._from_tensor_list([tf.zeros([0, 1], tf.string)])

    assert (0, [0, 2]) == (int(found.nrows()), found.flat_values.shape.as_list())


def test_operators_have_batches() -> None:
    operator = tf.linalg.LinearOperatorDiag([1.0, 2.0])

    (batch,) = Dataset.from_tensors(operator).repeat(2).batch(2)

    assert [[[1.0, 0.0], [0.0, 2.0]]] * 2 == plain(batch.to_dense())


@pytest.mark.parametrize("method", ["batch", "ragged_batch", "padded_batch", "rebatch"])
def test_specs_that_say_nothing_of_batches_are_refused(method: str) -> None:
    class Single(Composite):
        @property
        def _type_spec(self) -> SingleSpec:
            return SingleSpec()

    class SingleSpec(TypeSpec):
        @property
        def _component_specs(self) -> Any:
            return ()

        def _serialize(self) -> tuple[Any, ...]:
            return ()

        def _to_components(self, value: Any) -> Any:
            return ()

    dataset = Dataset.from_tensors(Single())
    refused = NotImplementedError if method == "padded_batch" else TypeError  # as in TensorFlow
    with pytest.raises(refused, match="SingleSpec"):
        getattr(dataset, method)(2)


def test_what_is_no_batch_is_refused() -> None:
    scalar = Pair(tf.constant(1), tf.constant([1]))

    for take_apart in (Dataset.from_tensor_slices, lambda one: Dataset.from_tensors(one).unbatch()):
        with pytest.raises(ValueError, match="scalar"):
            take_apart(scalar)
    with pytest.raises(ValueError, match="2 tensors, but 1 came"):
        scalar._type_spec._from_tensor_list([tf.constant(1)])
    spec = tf.RaggedTensorSpec([None, None], tf.int32)
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"not of shape \[3\]"):
        spec._from_tensor_list([tf.constant(["a", "b", "c"])])
    with pytest.raises(tf.errors.InvalidArgumentError, match="to be int32, but they are float32"):
        spec._from_tensor_list(
            tf.type_spec_from_value(tf.ragged.constant([[1.0]]))._to_tensor_list(
                tf.ragged.constant([[1.0]])
            )
        )
