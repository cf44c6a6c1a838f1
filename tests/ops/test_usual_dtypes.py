"""What NumPy's arrays become as operands: TensorFlow 2.21's answers, eagerly and in functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

IMAGES, BOXES = np.ones((1, 2, 2, 3)), np.array([[0.0, 0, 1, 1]])
HALF, WIDE, INTEGERS = "float16 float16", "float64 float64", "int32 int64"

# By the dtype of the array: what comes out eagerly, and in a function.
CALLS: dict[str, tuple[Callable[[Any], Any], dict[str, str]]] = {
    "max_pool2d": (
        lambda of: tf.nn.max_pool2d(of(IMAGES), 2, 2, "VALID"),
        {"float64": "float32 float64", "float16": "float32 float16", "int8": "float32 int8"},
    ),
    "max_pool1d": (
        lambda of: tf.nn.max_pool1d(of(IMAGES[0]), 2, 2, "VALID"),
        {"float64": WIDE, "float16": HALF},
    ),
    "pool": (lambda of: tf.nn.pool(of(IMAGES), [2, 2], "MAX"), {"float64": WIDE}),
    "rgb_to_hsv": (
        lambda of: tf.image.rgb_to_hsv(of(IMAGES)),
        {"float64": "float32 float64", "int64": "float32 float32"},
    ),
    "hsv_to_rgb": (lambda of: tf.image.hsv_to_rgb(of(IMAGES)), {"float64": "float32 float64"}),
    "lrn": (
        lambda of: tf.nn.lrn(of(IMAGES)), {"float64": "float32 float32", "float16": HALF},
    ),
    "draw_bounding_boxes": (
        lambda of: tf.image.draw_bounding_boxes(of(IMAGES), BOXES[None], [[1.0, 1, 1]]),
        {"float64": "float32 float32", "float16": "float32 float16", "int8": "float32 float32"},
    ),
    "scores of suppression": (
        lambda of: tf.image.non_max_suppression_with_scores(of(BOXES), of(np.ones(1)), 1)[1],
        {"float64": "float32 float32", "float16": "float32 float16"},
    ),
    "suppression": (
        lambda of: tf.image.non_max_suppression(of(BOXES), of(np.ones(1)), 1),
        {"float64": "int32 int32"},
    ),
    "nextafter": (
        lambda of: tf.math.nextafter(of(np.ones(2)), of(np.zeros(2))),
        {"float64": "float32 float64", "int64": "float32 float32"},
    ),
    "ctc_greedy_decoder": (
        lambda of: tf.nn.ctc_greedy_decoder(of(np.ones((2, 1, 3))), [2])[1],
        {"float64": WIDE, "float16": "float32 float32"},
    ),
    "invert_permutation": (
        lambda of: tf.math.invert_permutation(of(np.arange(3))), {"int64": INTEGERS},
    ),
    "broadcast_dynamic_shape": (
        lambda of: tf.broadcast_dynamic_shape(of(np.ones(2)), of(np.ones(2))), {"int64": INTEGERS},
    ),
    "fft": (
        lambda of: tf.signal.fft(of(np.ones(2))),
        {"complex128": "complex64 complex128", "float64": "complex64 complex64"},
    ),
    "dct": (lambda of: tf.signal.dct(of(np.ones(2))), {"float64": WIDE}),
    "stack": (
        lambda of: tf.stack([of(np.ones(2)), of(np.ones(2))]), {"int64": INTEGERS, "float64": WIDE},
    ),
    "required_space_to_batch_paddings": (
        lambda of: tf.required_space_to_batch_paddings(of(np.ones(2)), [2, 2])[0],
        {"int64": "int32 int32"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_arrays_become_what_they_become_in_tensorflow(name: str) -> None:
    call, results = CALLS[name]

    for dtype, expected in results.items():

        def of(array: Any, dtype: str = dtype) -> Any:
            return np.asarray(array).astype(dtype)

        traced = tf.function(lambda of=of: call(of), autograph=False).get_concrete_function()
        assert expected == f"{call(of).dtype.name} {traced.outputs[0].dtype.name}"


def test_a_fraction_is_no_size() -> None:
    with pytest.raises((TypeError, ValueError), match=r"float64|fraction"):
        tf.math.invert_permutation(np.array([0.5, 1.0]))
