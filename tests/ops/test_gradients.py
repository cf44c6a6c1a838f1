"""Gradients: rules agree with finite differences, eagerly and compiled with unknown sizes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.backends import cpu
from tensormill.graph.builder import trace_graph
from tensormill.ops.families import Unary, ValueGradient
from tensormill.ops.op import REGISTRY
from tensormill.ops.underivable import no_derivative

from . import rules
from .rules import SAMPLES
from .samples import Sample

STEP = 1e-6
Arrays = list[np.ndarray[Any, Any]]

# Gradients that are not derivatives, on purpose.
BY_DEFINITION = {
    "StopGradient",
    "PreventGradient",
    "Sign",
    "Floor",
    "Ceil",
    "Rint",
    "Round",
    "FloorDiv",
    "TruncateDiv",
    "Cholesky",  # for symmetric matrices, of which it reads one half
    "Zeta",  # by one operand only, as the next two
    "Polygamma",
    "Betainc",
    "MaxPoolGrad",  # by the last operand only: the others say where it goes
    "MaxPoolGradGrad",
    "QuantizeAndDequantize",  # as if it rounded nothing
}
# Of float32 only: see test_narrow_gradients.py. ImageProjectiveTransforms have, as in
# TensorFlow, the inverse transform for a gradient, which is no derivative at the borders.
NARROW = {
    "AdjustContrastv2", "AdjustHue", "AdjustSaturation", "ImageProjectiveTransformV2",
    "ImageProjectiveTransformV3", "ApproxTopK", "AudioSpectrogram", "CropAndResize",
    "CropAndResizeGradImage", "DrawBoundingBoxes", "DrawBoundingBoxesV2", "ExtractGlimpse",
    "ExtractGlimpseV2", "ScaleAndTranslateGrad", "SparseMatMul",
    "ResizeArea", "ResizeBicubic", "ResizeBilinear", "ResizeBilinearGrad",
    "ResizeNearestNeighbor", "ResizeNearestNeighborGrad", "ScaleAndTranslate",
    "AvgPool3D", "AvgPool3DGrad", "MaxPool3D", "MaxPool3DGrad", "MaxPool3DGradGrad",
}  # fmt: skip
NORMALISED = {"FusedBatchNormV3", "FusedBatchNormGradV3", "LRN", "LRNGrad"}
# Operations whose gradient is not differentiable any further.
ONCE_ONLY = {
    "Igamma": "TensorFlow has no derivative of IgammaGradA",
    "Igammac": "TensorFlow has no derivative of IgammaGradA",
    "Prod": "by running products, which divide",
}


def has_gradient(name: str) -> bool:
    op = REGISTRY[name]
    if op.vjp is no_derivative:
        return False
    return op.differentiable and (op.vjp is not None or op.expand is not None)


def is_tried(sample: Sample) -> bool:
    return sample.smooth and any(array.dtype == np.float64 for array in floats(sample))


def floats(sample: Sample) -> Arrays:
    """The operands that are differentiated by, in order; lists flattened."""
    return [array for array in rules.flat(sample.operands) if array.dtype == np.float64]


def with_floats(sample: Sample, replaced: Sequence[Any]) -> list[Any]:
    """The operands, with the float64 ones replaced."""
    remaining = iter(replaced)

    def exchange(array: Any) -> Any:
        return next(remaining) if array.dtype == np.float64 else array

    return [
        tuple(map(exchange, operand)) if type(operand) is tuple else exchange(operand)
        for operand in sample.operands
    ]


def direction(array: Any, number: int) -> Any:
    """Different numbers, none of them special, in the shape of an array."""
    count = np.arange(array.size) + 1.0
    return np.cos(count * (1.7 + number)).reshape(array.shape)


def weighted(name: str, sample: Sample, operands: Sequence[Any]) -> Any:
    """One number that depends on every float64 result."""
    total: Any = tf.constant(0.0, tf.float64)
    for number, output in enumerate(
        rules.applied(REGISTRY[name], with_floats(sample, operands), sample)
    ):
        if output.dtype is tf.float64:
            weights = direction(np.zeros(weight_shape(name, sample, number)), number)
            total = total + tf.reduce_sum(output * weights)
    return total


def weight_shape(name: str, sample: Sample, number: int) -> Any:
    with tf.init_scope():
        return rules.eager_outputs(REGISTRY[name], sample)[number].shape


def slope(name: str, sample: Sample, operands: Sequence[Any]) -> Any:
    """The gradient of `weighted` times fixed directions: another number."""
    with tf.GradientTape() as tape:
        for operand in operands:
            tape.watch(operand)
        value = weighted(name, sample, operands)
    found = tape.gradient(value, list(operands))
    total: Any = tf.constant(0.0, tf.float64)
    for number, (gradient, array) in enumerate(zip(found, floats(sample), strict=True)):
        if gradient is not None:
            total = total + tf.reduce_sum(tf.convert_to_tensor(gradient) * direction(array, number))
    return total


def difference(function: Any, name: str, sample: Sample) -> float:
    """How a number changes along the directions."""
    arrays = floats(sample)
    moved = [STEP * direction(array, number) for number, array in enumerate(arrays)]
    up = function(name, sample, [tf.constant(a + d) for a, d in zip(arrays, moved, strict=True)])
    down = function(name, sample, [tf.constant(a - d) for a, d in zip(arrays, moved, strict=True)])
    return float((up - down) / (2 * STEP))


GRADIENTS = [name for name in SAMPLES if has_gradient(name) and any(map(is_tried, SAMPLES[name]))]
DERIVATIVES = [name for name in GRADIENTS if name not in BY_DEFINITION]


def test_every_gradient_is_tried() -> None:
    real = {name for name in SAMPLES if has_gradient(name) and "FFT" not in name}
    exact = {
        "Complex",
        "Conj",
        "Real",
        "Imag",
        "Angle",
        "ComplexAbs",
        "Eig",
    }  # tried on complex numbers
    # in test_diagonals: none by the padding
    padded = {"MatrixDiagV3", "MatrixDiagPartV3", "MatrixDiagV2", "MatrixDiagPartV2"}
    # Of float32 only: gradients are recorded among the calls.
    rounded = {name for name in real if name.startswith("FakeQuant")}
    rounded |= {"Print", "SparseMatMul"}
    rounded |= {"SumWindows", "SpreadWindows"}  # in image/test_resize_windows: transposes

    narrow = NARROW | NORMALISED
    tried = set(GRADIENTS) | exact | padded | rounded | narrow
    assert sorted(real - tried) == ["PreventGradient"]


@pytest.mark.sampled
@pytest.mark.parametrize("name", DERIVATIVES)
def test_gradients_agree_with_finite_differences(name: str) -> None:
    for sample in filter(is_tried, SAMPLES[name]):
        expected = difference(weighted, name, sample)
        found = float(slope(name, sample, [tf.constant(array) for array in floats(sample)]))

        assert found == pytest.approx(expected, rel=1e-5, abs=1e-6)


@pytest.mark.sampled
@pytest.mark.parametrize("name", [name for name in DERIVATIVES if name not in ONCE_ONLY])
def test_second_derivatives_agree_with_finite_differences(name: str) -> None:
    for sample in filter(is_tried, SAMPLES[name]):
        operands = [tf.constant(array) for array in floats(sample)]
        with tf.GradientTape() as tape:
            for operand in operands:
                tape.watch(operand)
            value = slope(name, sample, operands)
        found = tape.gradient(value, operands, unconnected_gradients="zero")
        along = sum(
            float(tf.reduce_sum(tf.convert_to_tensor(gradient) * direction(array, number)))
            for number, (gradient, array) in enumerate(zip(found, floats(sample), strict=True))
        )

        assert along == pytest.approx(difference(slope, name, sample), rel=1e-4, abs=1e-5)


# Operations that run in Python share a program: each of them costs little in one.
CALLED_BACK = [name for name in GRADIENTS if rules.is_called_back(name)]
TOGETHER = [[name] for name in GRADIENTS if name not in CALLED_BACK]
TOGETHER += [CALLED_BACK[start : start + 12] for start in range(0, len(CALLED_BACK), 12)]


@pytest.mark.sampled
@pytest.mark.parametrize("names", TOGETHER, ids=[names[0] for names in TOGETHER])
def test_compiled_gradients_of_unknown_sizes_are_the_eager_ones(names: list[str]) -> None:
    applied = [(name, sample) for name in names for sample in few_samples(name)]
    specs = [
        tf.TensorSpec([None] * array.ndim, array.dtype)
        for _, one in applied
        for array in floats(one)
    ]

    def body(*parameters: Any) -> list[Any]:
        remaining = iter(parameters)
        return [slope(name, one, [next(remaining) for _ in floats(one)]) for name, one in applied]

    trace = trace_graph(body, specs, "slopes")
    operands = [tf.constant(array) for _, one in applied for array in floats(one)]
    compiled = cpu.compile(trace.graph).bind(trace.captured)(*operands)

    for (name, sample), output in zip(applied, compiled, strict=True):
        expected = slope(name, sample, [tf.constant(array) for array in floats(sample)])
        rules.assert_close(rules.array_of(expected), rules.array_of(output), 1e-9, name)


def few_samples(name: str) -> list[Sample]:
    """Where no operand broadcasts, one sample shows it."""
    alone = issubclass(REGISTRY[name], Unary | ValueGradient) or rules.is_called_back(name)
    return [sample for sample in SAMPLES[name] if is_tried(sample)][: 1 if alone else 2]


DECOMPOSITIONS: dict[str, Callable[[Any], Any]] = {
    "qr": lambda x: sum(tf.reduce_sum(one**3) for one in tf.linalg.qr(x)),
    "svd": lambda x: sum(tf.reduce_sum(tf.abs(one) ** 3) for one in tf.linalg.svd(x)),
    "pinv": lambda x: tf.reduce_sum(tf.linalg.pinv(x) ** 3),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", DECOMPOSITIONS)
def test_decompositions_of_unknown_rank_have_gradients(name: str) -> None:
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = DECOMPOSITIONS[name](x)
        return tape.gradient(total, x)

    compiled = tf.function(gradient, [tf.TensorSpec(None, tf.float64)], autograph=False)
    for shape in ([2, 2], [2, 4, 3], [1, 2, 3, 5]):
        x = np.random.default_rng(0).normal(size=shape)
        np.testing.assert_allclose(gradient(tf.constant(x)), compiled(x), 1e-6, 1e-6)


@pytest.mark.parametrize("sizes", [None, [None, None], [3, 5]])
def test_vectors_that_are_not_unique_have_no_gradient(sizes: list[int | None] | None) -> None:
    @tf.function(input_signature=[tf.TensorSpec(sizes)], autograph=False)
    def gradient(x: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            total = tf.reduce_sum(tf.linalg.svd(x, full_matrices=True)[2] ** 3)
        return tape.gradient(total, x)

    with pytest.raises((ValueError, tf.errors.InvalidArgumentError), match="not unique"):
        gradient(tf.reshape(tf.range(15.0), [3, 5]))


@pytest.mark.parametrize("known", [True, False])
def test_axes_of_a_transposition_count_from_the_end(known: bool) -> None:
    x, perm, weights = np.ones((2, 3), np.float32), np.array([-1, 0]), np.arange(6.0).reshape(3, 2)

    def gradient(x: Any, perm: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.transpose(x, perm) * tf.constant(weights, tf.float32)
        return tape.gradient(y, x)

    staged = tf.function(lambda x: gradient(x, perm)) if known else tf.function(gradient)
    found = staged(tf.constant(x)) if known else staged(tf.constant(x), tf.constant(perm))

    assert weights.T.tolist() == found.numpy().tolist()
