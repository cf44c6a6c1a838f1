"""Zeros and ones in the shape of sparse tensors are dense, where TensorFlow gives them at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

SPARSE = tf.SparseTensor([[0, 1], [1, 0]], [1.0, 2.0], [2, 3])
UNKNOWN = [tf.SparseTensorSpec([None, None])]


@pytest.mark.parametrize(("make", "number"), [(tf.zeros_like, 0), (tf.ones_like, 1)])
def test_of_a_known_shape_functions_make_dense_tensors(make: Any, number: int) -> None:
    found = tf.function(lambda x: (make(x), make(x, tf.int64)))(SPARSE)

    np.testing.assert_array_equal(
        found[0].numpy(), np.full((2, 3), number, np.float32), strict=True
    )
    np.testing.assert_array_equal(found[1].numpy(), np.full((2, 3), number), strict=True)


@pytest.mark.parametrize("make", [tf.zeros_like, tf.ones_like])
def test_another_dtype_asks_for_the_shape_alone(make: Any) -> None:
    number = int(make is tf.ones_like)

    def cast(x: Any) -> Any:
        return make(x, tf.int32)

    for found in (cast(SPARSE), tf.function(cast, input_signature=UNKNOWN)(SPARSE)):
        np.testing.assert_array_equal(found.numpy(), np.full((2, 3), number, np.int32), strict=True)


@pytest.mark.parametrize("make", [tf.zeros_like, tf.ones_like])
def test_elements_of_a_sparse_tensor_are_refused(make: Any) -> None:
    with pytest.raises(ValueError, match="SparseTensor"):
        make(SPARSE)
    with pytest.raises(TypeError):
        tf.function(make, input_signature=UNKNOWN)(SPARSE)
    with pytest.raises(TypeError):
        tf.function(lambda x: tf.compat.v1.ones_like(x))(SPARSE)
