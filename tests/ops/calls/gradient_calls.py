"""Gradients at special places and of complex numbers, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call, gradient

V = np.array([-1.5, 0.0, 2.0], np.float32)
TIES = np.array([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]], np.float32)
W = np.array([0.5, 1.5], np.float32)
ZERO, HALF = np.float32(0), np.array([0.5, -0.25], np.float32)
Z = np.array([1 + 2j, -0.5 + 0.25j, 2 - 1j])


def by_real_part(name: str) -> Callable[..., Any]:
    return gradient(lambda tf, z: tf.math.real(getattr(tf.math, name)(z)))


def both_parts(function: Callable[..., Any]) -> Callable[..., Any]:
    """The gradient of a real number that depends on both parts of a complex result."""

    def value(tf: Any, *operands: Any) -> Any:
        result = function(tf, *operands)
        return tf.math.real(result) + 2.0 * tf.math.imag(result)

    return gradient(value)


# TensorFlow has no gradients of these, which is an error rather than no gradient.
UNDERIVABLE: dict[str, Callable[..., Any]] = {
    "bitcast": lambda tf, x: tf.bitcast(x, tf.complex64),
    "unique": lambda tf, x: tf.unique(x)[0],
    "UniqueV2": lambda tf, x: tf.raw_ops.UniqueV2(x=x, axis=[0])[0],
    "logm": lambda tf, x: tf.math.real(tf.linalg.logm(tf.cast(x[:1, None], tf.complex64))),
    "poisson": lambda tf, x: tf.random.poisson([1], x),
    "stateless_shuffle": lambda tf, x: tf.random.experimental.stateless_shuffle(x, [1, 2]),
    "guarantee_const": lambda tf, x: tf.raw_ops.GuaranteeConst(input=x),
    "suppressed scores": lambda tf, x: tf.image.non_max_suppression_with_scores(
        tf.zeros([2, 4]), x, 2, soft_nms_sigma=0.5
    )[1],
    "combined suppression": lambda tf, x: tf.image.combined_non_max_suppression(
        tf.zeros([1, 2, 1, 4]), x[None, :, None], 2, 2
    )[1],
    "Mfcc": lambda tf, x: tf.raw_ops.Mfcc(spectrogram=x[None, None], sample_rate=16000),
    "defaults of examples": lambda tf, x: tf.io.parse_single_example(
        b"", {"a": tf.io.FixedLenFeature([2], tf.float32, default_value=x)}
    )["a"],
    "the gradient of igamma": lambda tf, x: gradient(lambda tf, x: tf.math.igamma(x, x))(tf, x),
    "the gradient of gamma": lambda tf, x: gradient(lambda tf, x: tf.random.gamma([1], x, seed=1))(
        tf, x
    ),
}

CALLS: dict[str, Call] = {
    "sqrt at 0": (gradient(lambda tf, x: tf.sqrt(x)), [ZERO]),
    "sqrt that nobody wants at 0": (
        gradient(lambda tf, x: tf.where(x > 0, tf.sqrt(abs(x)), 0.0)), [ZERO],
    ),
    "abs": (gradient(lambda tf, x: tf.abs(x)), [V]),
    "sign": (gradient(lambda tf, x: tf.sign(x)), [V]),
    "relu": (gradient(lambda tf, x: tf.nn.relu(x)), [V]),
    "relu6": (gradient(lambda tf, x: tf.nn.relu6(x)), [V * 4]),
    "elu": (gradient(lambda tf, x: tf.nn.elu(x)), [V]),
    "selu": (gradient(lambda tf, x: tf.nn.selu(x)), [V]),
    "leaky_relu": (gradient(lambda tf, x: tf.nn.leaky_relu(x)), [V]),
    "maximum at a tie": (gradient(lambda tf, x, y: tf.maximum(x, y)), [V, V]),
    "minimum with a constant": (gradient(lambda tf, x: tf.minimum(x, 0.0)), [V]),
    "reduce_max with ties": (gradient(lambda tf, x: tf.reduce_max(x, 1)), [TIES]),
    "reduce_min with ties": (gradient(lambda tf, x: tf.reduce_min(x)), [TIES]),
    "reduce_prod with zeros": (gradient(lambda tf, x: tf.reduce_prod(x)), [V]),
    "segment max with ties": (
        gradient(lambda tf, x: tf.math.unsorted_segment_max(x, [0, 0, 1], 2)), [TIES[1]],
    ),
    "segment prod with zeros": (
        gradient(lambda tf, x: tf.math.unsorted_segment_prod(x, [0, 0, 1], 2)), [V],
    ),
    "norm at 0": (gradient(lambda tf, x: tf.norm(x)), [V * 0]),
    "clip_by_value at its limits": (gradient(lambda tf, x: tf.clip_by_value(x, -1.5, 2.0)), [V]),
    "clip_by_norm at 0": (gradient(lambda tf, x: tf.clip_by_norm(x, 1.0)), [V * 0]),
    "power 0 at 0": (gradient(lambda tf, x: x**0.0), [ZERO]),
    "power": (gradient(lambda tf, x, y: x**y), [V, V]),
    "divide_no_nan": (gradient(lambda tf, x, y: tf.math.divide_no_nan(x, y)), [V, V]),
    "xlogy at 0": (gradient(lambda tf, x, y: tf.math.xlogy(x, y)), [V * 0, abs(V)]),
    "floormod": (gradient(lambda tf, x: tf.math.floormod(x, 1.25)), [V]),
    "floor": (gradient(lambda tf, x: tf.floor(x)), [V]),
    "stop_gradient": (gradient(lambda tf, x: x * tf.stop_gradient(x)), [V]),
    "broadcasting": (gradient(lambda tf, x, y: x[:, None] * y), [V, HALF]),
    "gather twice": (gradient(lambda tf, x: tf.gather(x, [0, 0, 2])), [V]),
    "gradient of top_k": (gradient(lambda tf, x: tf.math.top_k(x, 2).values), [TIES]),
    "gradient of sort": (gradient(lambda tf, x: tf.sort(x) * [1.0, 2.0, 3.0]), [V]),
    "cumprod": (gradient(lambda tf, x: tf.math.cumprod(x)), [V + 1]),
    "cast there and back": (
        gradient(lambda tf, x: tf.cast(tf.cast(x, tf.float64) ** 2, tf.float32)), [V],
    ),
    "logsumexp": (gradient(lambda tf, x: tf.reduce_logsumexp(x)), [V]),
    "softmax": (gradient(lambda tf, x: tf.nn.softmax(x) * x), [TIES]),
    "cross entropy": (
        gradient(lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 2], x)), [TIES],
    ),
    "sigmoid cross entropy": (
        gradient(lambda tf, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=x * 0 + 1, logits=x)),
        [V],
    ),
    "square of the absolute value": (
        gradient(lambda tf, z: tf.math.real(z * tf.math.conj(z))), [Z],
    ),
    "complex product": (both_parts(lambda tf, z: z * z), [Z]),
    "complex quotient": (both_parts(lambda tf, z: 1.0 / z), [Z]),
    "complex power": (both_parts(lambda tf, z: z**2.5), [Z]),
    "complex abs": (gradient(lambda tf, z: tf.abs(z)), [Z]),
    "complex angle": (gradient(lambda tf, z: tf.math.angle(z)), [Z]),
    "complex from parts": (both_parts(lambda tf, x: tf.complex(x, x * x) ** 2), [V]),
    "complex matmul": (both_parts(lambda tf, z: tf.matmul(z[None], z[:, None])), [Z]),
    "complex reduce_prod": (both_parts(lambda tf, z: tf.reduce_prod(z)), [Z]),
    **{f"complex {name}": (by_real_part(name), [Z]) for name in (
        "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "sqrt", "rsqrt", "sigmoid",
        "square", "reciprocal", "asin", "acos", "atan", "asinh", "acosh", "atanh", "log1p", "expm1",
    )},
    "linspace by its ends": (
        gradient(lambda tf, x, y: tf.linspace(x, y, 4) * [1.0, 2.0, 3.0, 5.0]), [ZERO, V[2]],
    ),
    "linspace of one by its ends": (gradient(lambda tf, x, y: tf.linspace(x, y, 1)), [ZERO, V[2]]),
    **{f"no gradient of {name}": (gradient(call), [W]) for name, call in UNDERIVABLE.items()},
}  # fmt: skip
