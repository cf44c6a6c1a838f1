"""Calls of special functions, written for TensorFlow and for us alike."""

from __future__ import annotations

import numpy as np

from .call import Call, gradient

X = np.array([0.5, 1.5, 2.0])
N, P = np.array([1.0, 2.0, 0.0]), np.array([0.2, 0.4, 0.9])
QUANTIZED = np.array([-10, -1, 0.3, 0.5, 2, 7], np.float32)

CALLS: dict[str, Call] = {
    "erfcinv": (lambda tf, x: tf.math.erfcinv(x), [P]),
    "lbeta": (lambda tf, x: tf.math.lbeta(x), [X]),
    "polyval": (lambda tf, x: tf.math.polyval([x, 2 * x, x + 1], x), [X]),
    "dawsn": (lambda tf, x: tf.math.special.dawsn(x), [X]),
}
CALLS |= {
    f"quantize_and_dequantize_v2, {title}": (
        lambda tf, x, more=more, low=low: tf.quantization.quantize_and_dequantize_v2(
            x, low, 6.0, **more
        ),
        [QUANTIZED],
    )
    for title, low, more in (
        ("own range", 0.0, {}),
        ("own range, unsigned", 0.0, {"signed_input": False}),
        ("range", -1.0, {"range_given": True}),
        ("range, unsigned", -2.0, {"range_given": True, "signed_input": False}),
        ("narrow", -1.0, {"range_given": True, "narrow_range": True, "num_bits": 4}),
        ("up", -3.0, {"range_given": True, "round_mode": "HALF_UP", "num_bits": 3}),
        ("even", -3.0, {"range_given": True, "num_bits": 3}),
        ("wrong order", 7.0, {"range_given": True}),
        ("no bits", 0.0, {"num_bits": 0}),
    )
}
CALLS |= {
    "quantize_and_dequantize along an axis": (
        lambda tf, x: [
            tf.quantization.quantize_and_dequantize_v2(x, 0.0, 0.0, axis=axis, num_bits=5)
            for axis in (0, 1, -1)
        ],
        [QUANTIZED.reshape(2, 3)],
    ),
    "quantize_and_dequantize to levels that the range has not": (
        lambda tf, x: tf.quantization.quantize_and_dequantize_v2(
            x, -3.0, -0.5, signed_input=False, range_given=True
        ),
        [QUANTIZED],
    ),
    "quantize_and_dequantize beyond its axes": (
        lambda tf, x: tf.quantization.quantize_and_dequantize_v2(x, 0.0, 0.0, axis=2),
        [QUANTIZED],
    ),
    "gradient of quantize_and_dequantize_v2": (
        gradient(
            lambda tf, x, a, b: tf.quantization.quantize_and_dequantize_v2(
                x, a, b, range_given=True
            )
        ),
        [QUANTIZED, np.float32(-1), np.float32(6)],
    ),
    "gradient of quantize_and_dequantize_v2 along axes": (
        lambda tf, x, a, b: [
            gradient(
                lambda tf, x, low, high, axis=axis: tf.quantization.quantize_and_dequantize_v2(
                    x, low, high, axis=axis
                )
            )(tf, x, a[:size], b[:size])
            for axis, size in ((0, 2), (1, 3))
        ],
        [QUANTIZED.reshape(2, 3), -np.ones(3, np.float32), np.array([0.4, 1, 2], np.float32)],
    ),
    "gradient of quantize_and_dequantize": (
        gradient(lambda tf, x: tf.quantization.quantize_and_dequantize(x, -1, 6, range_given=True)),
        [QUANTIZED],
    ),
}
CALLS |= {
    "gradient of fake_quant": (
        gradient(lambda tf, x, a, b: tf.quantization.fake_quant_with_min_max_vars(x, a, b)),
        [QUANTIZED, np.float32(-6), np.float32(6)],
    ),
    "gradient of fake_quant, positive": (
        gradient(lambda tf, x, a, b: tf.quantization.fake_quant_with_min_max_vars(x, a, b)),
        [QUANTIZED, np.float32(1), np.float32(6)],
    ),
    "gradient of fake_quant by channels": (
        gradient(
            lambda tf, x, a, b: tf.quantization.fake_quant_with_min_max_vars_per_channel(x, a, b)
        ),
        [QUANTIZED.reshape(2, 3), np.array([-6, -1, 0], "f"), np.array([6, 1, 5], "f")],
    ),
    "gradient of zeta": (gradient(lambda tf, x, q: tf.math.zeta(x, q)), [X + 1.5, X]),
    "gradient of polygamma": (gradient(lambda tf, n, x: tf.math.polygamma(n, x)), [N, X]),
    "gradient of betainc": (gradient(lambda tf, a, b, x: tf.math.betainc(a, b, x)), [X, N + 1, P]),
    "gradient of cumulative_logsumexp": (
        gradient(lambda tf, x: tf.math.cumulative_logsumexp(x) * [1.0, -2.0, 0.0]), [X],
    ),
    "second gradient of lgamma": (
        gradient(lambda tf, x: gradient(lambda tf, x: tf.math.lgamma(x))(tf, x)[0]), [X],
    ),
    "gradient of stateless_gamma": (
        gradient(lambda tf, a: tf.random.stateless_gamma([3, 3], [1, 2], a)), [X.astype("f")],
    ),
    "gradient of igamma": (gradient(lambda tf, a, x: tf.math.igamma(a, x)), [X[:1], X]),
    "normal numbers between bounds, drawn in three ways": (
        lambda tf, low, high: tf.random.stateless_parameterized_truncated_normal(
            [5, 4], [3, 4], [0.0, 1.0, 0.0, 2.0], 1.5, low, high
        ),
        [np.array([-4, 0.9, 5, -np.inf], "f"), np.array([9, 1.2, 9, -1.5], "f")],
    ),
    "gradient of normal numbers between bounds": (
        gradient(
            lambda tf, *parameters: tf.random.stateless_parameterized_truncated_normal(
                [3, 2], [1, 2], *parameters
            )
        ),
        [np.array(x) for x in ([0.3, -1.0], [1.5, 0.7], [-0.2, 0.1], [2.0, 3.0])],
    ),
    "bounds that leave nothing": (
        lambda tf: tf.random.stateless_parameterized_truncated_normal(
            [3], [1, 2], 0.0, 1.0, 2.0, 1.0
        ),
        [],
    ),
    "a shape that does not end with that of the bounds": (
        lambda tf: tf.random.stateless_parameterized_truncated_normal(
            [3], [1, 2], [0.0, 1.0], 1.0, 2.0, 3.0
        ),
        [],
    ),
}  # fmt: skip
