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
RAW: Any = tf.raw_ops
POOL: dict[str, Any] = {"ksize": [1] * 5, "strides": [1] * 5, "padding": "SAME"}
ONES, PLACES = np.ones(2), np.array([0, 1])
# Operations as `tf.raw_ops` calls them, of arrays that no function has looked at before.
RAW_CALLS: dict[str, tuple[Callable[[Any], Any], dict[str, str]]] = {
    "Conj": (
        lambda of: RAW.Conj(input=of(ONES)),
        {"float64": "complex64 complex64", "complex128": "complex64 complex128"},
    ),
    "Real": (lambda of: RAW.Real(input=of(ONES)), {"float64": "float32 float32"}),
    "Angle": (lambda of: RAW.Angle(input=of(ONES)), {"int32": "float32 float32"}),
    "ComplexAbs": (lambda of: RAW.ComplexAbs(x=of(ONES)), {"float64": "float32 float32"}),
    "Complex": (
        lambda of: RAW.Complex(real=of(ONES), imag=of(ONES)), {"int32": "complex64 complex64"},
    ),
    "LeakyRelu": (
        lambda of: RAW.LeakyRelu(features=of(ONES)),
        {"float64": "float32 float64", "int32": "float32 float32", "float16": "float32 float16"},
    ),
    "LeakyReluGrad": (
        lambda of: RAW.LeakyReluGrad(gradients=of(ONES), features=of(ONES)),
        {"float64": "float32 float64", "int32": "float32 float32"},
    ),
    "LRN": (lambda of: RAW.LRN(input=of(IMAGES)), {"float64": "float32 float32"}),
    "MaxPool of lists": (
        lambda of: RAW.MaxPool(
            input=of(IMAGES).tolist(), ksize=[1] * 4, strides=[1] * 4, padding="SAME"),
        {"float64": "float32 float32", "int32": "int32 int32"},
    ),
    "MaxPool3DGrad": (
        lambda of: RAW.MaxPool3DGrad(
            orig_input=of(IMAGES[None]), orig_output=of(IMAGES[None]), grad=of(IMAGES[None]),
            **POOL),
        {"float64": "float32 float32", "float16": "float32 float16"},
    ),
    "FFT of lists": (
        lambda of: RAW.FFT(input=of(ONES).tolist()),
        {"float64": "complex64 complex64", "complex128": "complex128 complex128"},
    ),
    "RFFT": (
        lambda of: RAW.RFFT(input=of(ONES), fft_length=[2]), {"int32": "complex64 complex64"},
    ),
    "IRFFT": (
        lambda of: RAW.IRFFT(input=of(ONES), fft_length=[2]), {"float64": "float32 float32"},
    ),
    "RaggedRange": (
        lambda of: RAW.RaggedRange(starts=of(ONES), limits=of(ONES), deltas=of(ONES))[1],
        {"float64": "int32 float64"},
    ),
    "RaggedRange beside lists": (
        lambda of: RAW.RaggedRange(starts=of(ONES), limits=[3, 4], deltas=[1, 1])[1],
        {"float64": "float64 float64"},
    ),
    "RaggedGather": (
        lambda of: RAW.RaggedGather(
            params_nested_splits=[of(PLACES)], params_dense_values=np.ones(1, np.float32),
            indices=np.zeros(1, np.int32), OUTPUT_RAGGED_RANK=1)[0][0],
        {"int32": "int64 int64"},
    ),
    "ConcatOffset": (
        lambda of: RAW.ConcatOffset(concat_dim=0, shape=[of(ONES), of(ONES)])[0],
        {"int64": "int32 int32"},
    ),
    "UnravelIndex": (
        lambda of: RAW.UnravelIndex(indices=of(ONES), dims=of([2, 2])), {"int64": INTEGERS},
    ),
    "UnravelIndex beside lists": (
        lambda of: RAW.UnravelIndex(indices=of(ONES), dims=[2, 2]), {"int64": "int64 int64"},
    ),
    **{
        f"SparseSegment{name}GradV2": (
            lambda of, name=name: getattr(RAW, f"SparseSegment{name}GradV2")(
                grad=np.ones((2, 1), np.float32), indices=of(PLACES), segment_ids=of(PLACES),
                dense_output_dim0=2)[1],
            {"int64": INTEGERS},
        )
        for name in ("Sum", "Mean", "SqrtN")
    },
}  # fmt: skip
CALLS |= RAW_CALLS


def test_other_precisions_have_no_kernel() -> None:
    with pytest.raises(tf.errors.NotFoundError, match="the result is float64, not float32"):
        RAW.Real(input=tf.constant([1j]))
    with pytest.raises(tf.errors.NotFoundError, match="the result is complex128"):
        tf.function(lambda x: RAW.Complex(real=x, imag=x))(tf.constant(1.0, tf.float64))


@pytest.mark.sampled
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
