"""Fourier transforms along any axes are NumPy's: TensorFlow has no kernels for them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf

REAL = np.cos(np.arange(24.0) * 1.3).reshape(2, 3, 4)
COMPLEX = REAL + 1j * np.sin(np.arange(24.0) ** 1.1).reshape(2, 3, 4)
PAIRS = [("fftnd", "fftn", COMPLEX), ("ifftnd", "ifftn", COMPLEX), ("rfftnd", "rfftn", REAL),
         ("irfftnd", "irfftn", COMPLEX)]  # fmt: skip
WAYS: list[dict[str, Any]] = [
    {}, {"axes": [0, 2]}, {"axes": [-1]}, {"axes": [2, 0]}, {"fft_length": [2, 5, 3]},
    {"fft_length": [3, 2], "axes": [0, 1]}, {"fft_length": [4, 6]}, {"norm": "ortho"},
    {"norm": "forward", "axes": [1, 2]}, {"norm": "backward"}, {"norm": "ortho", "fft_length": [5]},
]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "of_numpy", "operand"), PAIRS)
def test_transforms_are_those_of_numpy(name: str, of_numpy: str, operand: Any) -> None:
    function = getattr(tf.signal, name)
    for options in WAYS:
        sizes = options.get("fft_length")
        axes = options.get("axes", None if sizes is None else list(range(-len(sizes), 0)))
        expected = getattr(np.fft, of_numpy)(operand, sizes, axes, options.get("norm"))
        spec = tf.TensorSpec([None] * 3, operand.dtype)
        compiled = tf.function(lambda x, options=options: function(x, **options), [spec])

        np.testing.assert_allclose(expected, function(operand, **options), atol=1e-12)
        np.testing.assert_allclose(expected, compiled(operand), atol=1e-12)


@pytest.mark.parametrize(("name", "of_numpy", "operand"), PAIRS)
def test_gradients_are_those_of_transforms_one_by_one(
    name: str, of_numpy: str, operand: Any
) -> None:
    x = tf.constant(operand)
    step = 1e-6 * np.cos(np.arange(24.0)).reshape(2, 3, 4)

    def size(x: Any) -> Any:
        found = getattr(tf.signal, name)(x, fft_length=[2, 6], axes=[0, 2], norm="ortho")
        return tf.reduce_sum(tf.abs(found) ** 3)

    with tf.GradientTape() as tape:
        tape.watch(x)
        value = size(x)
    slope = tape.gradient(value, x).numpy()

    expected = (size(operand + step) - size(operand - step)) / 2
    np.testing.assert_allclose(expected, np.sum(np.real(slope) * step), rtol=1e-5)


@pytest.mark.parametrize(
    ("words", "options"),
    [
        ("norm must be", {"norm": "other"}),
        ("axes must be some", {"axes": [1, 1]}),
        ("1 lengths for 2 axes", {"axes": [0, 1], "fft_length": [2]}),
        ("expected a value in", {"axes": [5]}),
    ],
)
def test_what_cannot_be(words: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=words):
        tf.signal.fftnd(COMPLEX, **options)
