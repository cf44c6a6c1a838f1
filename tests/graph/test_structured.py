"""Structures of specs and values as protos."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.core.specs import VariableSpec
from tensormill.graph.proto.structured import NotEncodableError, decoded, encoded

Point = collections.namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "value",
    [
        None, True, False, 0, -(2**62), 1.5, "text", "", [], (), {}, [1, (2, [None])],
        {"b": 1, "a": [2.0]}, tf.float32, tf.TensorShape([1, None]), tf.TensorShape(None),
        tf.TensorSpec([None, 2], tf.int64, name="x"), tf.TensorSpec(None, tf.string),
        VariableSpec(tf.TensorShape([2]), tf.float32, False, 3),
        tf.IndexedSlicesSpec([3, 2], tf.float32, tf.int32),
    ],
    ids=repr,
)  # fmt: skip
def test_it_comes_back(value: Any) -> None:
    again = decoded(type(encoded(value)).FromString(encoded(value).SerializeToString()))

    assert value == again
    assert type(value) is type(again)


def test_named_tuples_keep_their_name_and_fields() -> None:
    again = decoded(encoded(Point(1, [2])))

    assert ("Point", ("x", "y"), 1, [2]) == (type(again).__name__, again._fields, *again)


def test_tensors_and_arrays_keep_their_kind() -> None:
    assert [1.0, 2.0] == decoded(encoded(tf.constant([1.0, 2.0]))).numpy().tolist()
    array = decoded(encoded(np.array([[True]])))
    assert isinstance(array, np.ndarray)
    assert [[True]] == array.tolist()


@pytest.mark.parametrize(
    "value", [object(), {1: 2}, 2**70, b"bytes", 1j, abs], ids=lambda value: type(value).__name__
)
def test_what_cannot_be_written_is_named(value: Any) -> None:
    with pytest.raises(NotEncodableError):
        encoded([value])


def test_an_unknown_spec_is_named() -> None:
    proto = encoded(tf.IndexedSlicesSpec([3], tf.float32))
    proto.type_spec_value.type_spec_class = 12
    proto.type_spec_value.type_spec_class_name = "their.Spec"

    with pytest.raises(NotEncodableError, match=r"their\.Spec"):
        decoded(proto)


def test_classes_of_specs_have_the_numbers_of_their_protocol() -> None:
    ragged = encoded(tf.RaggedTensorSpec([2, None])).type_spec_value
    sparse = encoded(tf.SparseTensorSpec([2, 3])).type_spec_value

    assert (3, 1) == (ragged.type_spec_class, sparse.type_spec_class)
