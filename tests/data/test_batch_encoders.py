"""Types that say themselves which tensors stand for them in batches (compared with TensorFlow)."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf


class SumEncoder(tf.experimental.ExtensionTypeBatchEncoder):
    """Keeps the terms alone: a batch of sums is not made of sums of single values."""

    def batch(self, spec: Any, batch_size: Any) -> Any:
        return Summed.Spec.of(tf.TensorShape([batch_size]).concatenate(spec.terms.shape))

    def unbatch(self, spec: Any) -> Any:
        return Summed.Spec.of(spec.terms.shape[1:])

    def encoding_specs(self, spec: Any) -> Any:
        return (spec.terms,)

    def encode(self, spec: Any, value: Any, minimum_rank: int = 0) -> Any:
        return (value.terms,)

    def decode(self, spec: Any, encoded_value: Any) -> Any:
        return Summed.of(encoded_value[0])


class Summed(tf.experimental.BatchableExtensionType):
    terms: tf.Tensor
    total: tf.Tensor  # of all terms, also of a batch: a scalar
    __batch_encoder__ = SumEncoder()

    @classmethod
    def of(cls, terms: Any) -> Summed:
        return cls(terms, tf.reduce_sum(terms))

    class Spec:
        @classmethod
        def of(cls, shape: Any) -> Any:
            spec: Any = cls
            return spec(tf.TensorSpec(shape), tf.TensorSpec([]))


ALL = Summed.of(tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]))
ROW = Summed.Spec.of([2])


def test_datasets_take_values_apart_and_join_them_by_their_encoder() -> None:
    rows = tf.data.Dataset.from_tensor_slices((ALL, {"k": [1, 2, 3]}))
    batches = rows.batch(2)

    assert [3.0, 7.0, 11.0] == [row.total.numpy() for row, _ in rows]
    assert [(10.0, [1, 2]), (11.0, [3])] == [
        (batch.total.numpy(), more["k"].numpy().tolist()) for batch, more in batches
    ]
    assert [3.0, 7.0, 11.0] == [row.total.numpy() for row, _ in batches.unbatch()]
    assert ROW == rows.element_spec[0] == batches.unbatch().element_spec[0]
    assert Summed.Spec.of([None, 2]) == batches.element_spec[0]
    assert Summed.Spec.of([2, 2]) == rows.batch(2, drop_remainder=True).element_spec[0]


def test_ragged_values_beside_them_stay_ragged() -> None:
    ragged = tf.ragged.constant([[1], [], [2]])
    rows = tf.data.Dataset.from_tensor_slices((ragged, ALL))
    both = tf.data.Dataset.from_tensors((ragged, ALL)).unbatch()

    assert tf.RaggedTensorSpec([None], tf.int32, 0) == rows.element_spec[0]
    for batches in rows.batch(2), both.batch(2), rows.batch(3).rebatch(2):
        assert [[[1], []], [[2]]] == [batch.to_list() for batch, _ in batches]
    assert [[1], [], [2]] == [row.numpy().tolist() for row, _ in rows.batch(2).unbatch()]


def test_ragged_rows_of_one_length_beside_them_stay_ragged() -> None:
    rows = tf.data.Dataset.from_tensor_slices((tf.ragged.constant([[1], [2], [3]]), ALL))
    first = next(iter(rows.batch(2)))[0]

    assert isinstance(first, tf.RaggedTensor)
    assert [[1], [2]] == first.to_list()


@pytest.mark.parametrize("stage", [lambda function: function, tf.function])
def test_map_fn_maps_them(stage: Any) -> None:
    def doubled(values: Any) -> Any:
        return tf.map_fn(lambda row: Summed.of(2 * row.terms), values, fn_output_signature=ROW)

    totals = stage(lambda values: tf.map_fn(lambda row: row.total, values, tf.float32))

    assert [3.0, 7.0, 11.0] == totals(ALL).numpy().tolist()
    assert 42.0 == stage(doubled)(ALL).total.numpy()


class Named(tf.experimental.BatchableExtensionType):
    x: tf.Tensor
    shape: tf.TensorShape
    name: str = "a"


class Bag(tf.experimental.BatchableExtensionType):
    weight: tf.Tensor
    items: tf.RaggedTensor
    named: Named


@pytest.mark.parametrize("stage", [lambda function: function, tf.function])
def test_map_fn_maps_fields_that_are_ragged_or_types(stage: Any) -> None:
    named = Named(tf.constant([[1], [2]]), tf.TensorShape([1]))
    bags = Bag([10, 20], tf.ragged.constant([[3], [4, 5]]), named)

    def weighed(bag: Any) -> Any:
        return bag.weight + tf.reduce_sum(bag.items) + bag.named.x[0]

    found = stage(lambda values: tf.map_fn(weighed, values, fn_output_signature=tf.int32))(bags)
    assert [14, 31] == found.numpy().tolist()
    same = stage(lambda values: tf.map_fn(lambda one: one, values, Named.Spec(
        tf.TensorSpec([1], tf.int32), tf.TensorShape([]), "a"
    )))(named)  # fmt: skip
    assert named.x.numpy().tolist() == same.x.numpy().tolist()


def test_vectorized_map_maps_them() -> None:
    named = Named(tf.constant([[1, 2], [3, 4]]), tf.TensorShape([2]))

    assert [3.0, 7.0, 11.0] == tf.vectorized_map(lambda row: row.total, ALL).numpy().tolist()
    found = tf.vectorized_map(lambda row: Named(row.x * 2, row.shape), named)
    assert ([[2, 4], [6, 8]], [2]) == (found.x.numpy().tolist(), found.shape)


def test_the_encoder_of_fields_adds_an_axis_to_each() -> None:
    encoder = tf.experimental.ExtensionTypeBatchEncoder()
    spec = Named.Spec(tf.TensorSpec([2, 3]), tf.TensorShape([2]), "a")
    value = Named(tf.ones([2, 3]), tf.TensorShape([2]), "b")

    batch = Named.Spec(tf.TensorSpec([7, 2, 3]), tf.TensorShape([7, 2]), "a")
    assert batch == encoder.batch(spec, 7)
    assert Named.Spec(tf.TensorSpec([3]), tf.TensorShape([]), "a") == encoder.unbatch(spec)
    assert (tf.TensorSpec([2, 3]),) == encoder.encoding_specs(spec)
    kept = encoder.decode(value._type_spec, encoder.encode(value._type_spec, value))
    assert value == kept
    with pytest.raises(ValueError, match="without a first axis"):
        encoder.unbatch(encoder.unbatch(spec))


def test_other_batches_are_made_by_their_encoder_too() -> None:
    rows = tf.data.Dataset.from_tensor_slices(ALL)

    assert [21.0] == [batch.total.numpy() for batch in rows.batch(2).rebatch(3)]
    assert [10.0, 11.0] == [batch.total.numpy() for batch in rows.ragged_batch(2)]


def test_what_knows_no_encoders_says_so() -> None:
    with pytest.raises(TypeError, match="__batch_encoder__ of its own"):
        tf.foldl(lambda total, row: total + row.total, ALL, 0.0)
