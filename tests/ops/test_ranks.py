"""Operands of another rank than an operation takes: NumPy would repeat, or take, what they hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf

ONE = np.ones([1], np.float32)
IMAGES = np.ones([1, 2, 2, 3], np.float32)

# A vector of one number where a scalar is wanted, or two shapes where one is.
WRONG: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "linspace": (lambda x: tf.raw_ops.LinSpace(start=x, stop=4.0, num=3), [ONE]),
    "one_hot": (
        lambda x: tf.raw_ops.OneHot(indices=[0, 1], depth=2, on_value=x, off_value=0.0), [ONE],
    ),
    "pad": (lambda x: tf.pad([1.0], [[1, 1]], constant_values=x), [ONE]),
    "adjust_contrast": (
        lambda x: tf.raw_ops.AdjustContrastv2(images=IMAGES, contrast_factor=x), [ONE],
    ),
    "fake_quant": (lambda x: tf.quantization.fake_quant_with_min_max_vars(IMAGES, x, 6.0), [ONE]),
    "approximate_equal": (lambda x: tf.raw_ops.ApproximateEqual(x=x, y=[1.0, 1.0]), [ONE]),
}  # fmt: skip

# One number as well in a vector, as TensorFlow's kernels take it.
TAKEN: dict[str, tuple[Callable[..., Any], list[Any], Any]] = {
    "fill": (lambda x: tf.fill([2, 3], x), [ONE], [[1.0] * 3] * 2),
    "diag_part": (
        lambda x: tf.linalg.diag_part(tf.eye(2), k=(0, 1), padding_value=x), [ONE * 7],
        [[7.0, 0.0], [1.0, 1.0]],
    ),
}  # fmt: skip


@pytest.mark.parametrize("known", ["eager", "sizes", "nothing"])
@pytest.mark.parametrize("name", WRONG)
def test_an_operand_of_another_rank_is_refused(name: str, known: str) -> None:
    call, arrays = WRONG[name]

    with pytest.raises((tf.errors.InvalidArgumentError, ValueError)):
        told(call, arrays, known)(*map(tf.constant, arrays))


@pytest.mark.parametrize("known", ["eager", "sizes", "nothing"])
@pytest.mark.parametrize("name", TAKEN)
def test_a_number_may_be_a_vector_of_one(name: str, known: str) -> None:
    call, arrays, expected = TAKEN[name]

    assert told(call, arrays, known)(*map(tf.constant, arrays)).numpy().tolist() == expected


def test_an_assertion_takes_a_vector_of_one_condition() -> None:
    check = tf.function(lambda x: tf.debugging.Assert(x, ["never"]), autograph=False)

    check(tf.constant([True]))
    with pytest.raises(tf.errors.InvalidArgumentError, match="never"):
        check(tf.constant([False]))


def told(call: Callable[..., Any], arrays: list[Any], known: str) -> Callable[..., Any]:
    """The call itself, or a function that knows the sizes, or nothing, of its arguments."""
    if known == "eager":
        return call
    specs = [tf.TensorSpec(None if known == "nothing" else a.shape, a.dtype) for a in arrays]
    return tf.function(call, specs, autograph=False)
