"""Users' own composites: fields, checks, and their way through functions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

import tensormill as tf


class Masked(tf.experimental.ExtensionType):
    values: tf.Tensor
    mask: tf.Tensor
    name: str = "masked"

    def total(self) -> Any:
        return tf.reduce_sum(tf.where(self.mask, self.values, 0.0))


class Pair(tf.experimental.ExtensionType):
    parts: Mapping[str, tf.Tensor]
    rows: tf.RaggedTensor
    size: tuple[int, ...]

    def __init__(self, rows: Any, **parts: Any) -> None:
        self.rows = rows
        self.parts = parts
        self.size = (len(parts),)


class Positive(tf.experimental.ExtensionType):
    x: tf.TensorSpec([None], tf.float32)  # type: ignore[valid-type]

    def __validate__(self) -> None:
        if self.x.shape[0] == 0:
            raise ValueError("empty")


def masked() -> Masked:
    return Masked([1.0, 2.0, 3.0], [True, False, True])


def test_fields_are_converted_and_cannot_be_changed() -> None:
    value = masked()

    assert (value.values.dtype, value.name) == (tf.float32, "masked")
    with pytest.raises(AttributeError, match="Cannot mutate attribute `values`"):
        value.values = 3  # type: ignore[misc,assignment]


@pytest.mark.parametrize(
    ("words", "make"),
    [
        ("missing a required argument", lambda: Masked([1.0])),
        ("unexpected keyword", lambda: Masked([1.0], [True], colour=1)),
        ("expected a str", lambda: Masked([1.0], [True], 3)),
        ("expected a Tensor", lambda: Masked(object(), [True])),
        ("expected TensorSpec", lambda: Positive([[1.0]])),
    ],
)
def test_wrong_fields_are_an_error(words: str, make: Any) -> None:
    with pytest.raises(TypeError, match=words):
        make()


def test_new_values_are_validated() -> None:
    with pytest.raises(ValueError, match="empty"):
        Positive([])


def test_values_go_through_functions_and_loops() -> None:
    @tf.function
    def doubled(x: Masked, times: Any) -> Any:
        step = lambda k, m: (k + 1, Masked(m.values * 2.0, m.mask, m.name))  # noqa: E731
        return tf.while_loop(lambda k, m: k < times, step, (0, x))[1]

    found = doubled(masked(), tf.constant(2))

    assert isinstance(found, Masked)
    assert found.total().numpy() == 16.0
    assert doubled.experimental_get_tracing_count() == 1


def test_a_constructor_may_be_written() -> None:
    value = Pair(tf.ragged.constant([[1], [2, 3]]), a=[1.0], b=[2.0])
    same = tf.function(lambda x: x)(value)

    assert same == value
    assert (same.size, same.rows.to_list()) == ((2,), [[1], [2, 3]])
    assert len(tf.nest.flatten(value, expand_composites=True)) == 4


def test_specs_describe_them() -> None:
    spec = tf.type_spec_from_value(masked())
    wanted = Masked.Spec(tf.TensorSpec([3]), tf.TensorSpec([3], tf.bool), "masked")

    assert spec == wanted
    assert spec.values == tf.TensorSpec([3])
    assert not spec.is_compatible_with(Masked([1.0], [True]))
    assert tf.function(Masked.total, input_signature=[spec])(masked()).numpy() == 4.0
