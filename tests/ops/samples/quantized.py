"""Samples of operations on quantized types, whose arrays are structures of one field."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import STORAGE, Table, case, f32, i32, scalar

X = f32([-1.2, -1, -0.3, 0], [0.1, 0.3, 1.9, 7])


def levels(short: str, *values: Any) -> Any:
    """Levels of a quantized type."""
    storage: Any = STORAGE[short]
    return np.array(values, storage[0]).view(storage)


def number(value: float) -> Any:
    return scalar(value, "f32")


LOW, HIGH = number(-1.0), number(2.0)
SOME = levels("q8", -128, -5, 0, 1, 127)

WIDE = levels("q32", -(2**31), -(2**20), 2**24 + 1, 2**31 - 1)
ROWS = levels("qu8", [0, 1, 100], [200, 85, 255])
IMAGE = levels("qu8", *(np.arange(48).reshape(1, 4, 6, 2) * 37 % 256).tolist())
PAIR = levels("qu8", 100, 201)
CHANNELS = levels(
    "q32", [[[999 - 2**31, 5], [70000, -3]], [[2**30, 2**29], [12345678, 2**31 - 999]]]
)
FILTER = levels("qu8", *(np.arange(16).reshape(2, 2, 2, 2) * 29 % 256).tolist())

SAMPLES: Table = {
    "QuantizeV2": [
        *[case(X, LOW, HIGH, T=short) for short in ("q8", "qu8", "q16", "qu16", "q32")],
        *[case(X, LOW, HIGH, T=short, mode="MIN_FIRST") for short in ("q8", "qu8", "q16", "q32")],
        *[case(X, LOW, HIGH, T=short, mode="SCALED") for short in ("q8", "qu8", "q16", "qu16")],
        case(X, LOW, HIGH, T="q8", mode="SCALED", narrow_range=True, round_mode="HALF_TO_EVEN"),
        case(X, LOW, HIGH, T="qu8", mode="MIN_FIRST", narrow_range=True),
        case(X, f32(-1, 0.5), f32(-0.5, 2), T="q8", axis=0),
        case(X, f32(-1, 0, -3, 0), f32(1, 2, 3, 4), T="qu8", axis=1, mode="SCALED"),
        case(X, number(1.0), number(1.0), T="qu8", ensure_minimum_range=0.5),
        case(
            number(0.25), LOW, number(1.0), T="q8",
            expected=(levels("q8", 31).reshape(()), number(-1.0), number(1.0)),
        ),
        case(
            f32().reshape(0), LOW, number(1.0), T="qu8",
            expected=(levels("qu8"), number(-1.0), number(1.0)),
        ),
    ],
    "Dequantize": [
        *[case(SOME, LOW, HIGH, mode=mode) for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED")],
        case(SOME, LOW, HIGH, mode="SCALED", narrow_range=True),
        case(levels("qu8", 0, 1, 255), LOW, HIGH), case(levels("q32", -(2**31), 5), LOW, HIGH),
        case(levels("qu16", 0, 1, 65535), LOW, HIGH, mode="MIN_FIRST"),
        case(levels("q16", [0, 1], [2, 3]), f32(-1, 0), f32(1, 2), axis=1, dtype="bf16"),
    ],
    "RequantizationRange": [case(WIDE, LOW, HIGH), case(WIDE[1:3], LOW, HIGH)],
    "Requantize": [
        case(WIDE, LOW, HIGH, LOW, HIGH, out_type="q8"),
        case(WIDE, LOW, HIGH, number(-0.1), number(0.7), out_type="qu8"),
    ],
    "QuantizeDownAndShrinkRange": [case(WIDE, LOW, HIGH, out_type="qu8")],
    "QuantizedMatMul": [
        case(ROWS, ROWS, LOW, HIGH, number(-0.5), number(0.25), transpose_b=True),
        case(ROWS, ROWS, LOW, HIGH, number(0.0), number(0.25), transpose_a=True),
    ],
    "QuantizedConv2D": [
        case(IMAGE, FILTER, LOW, HIGH, LOW, HIGH, strides=[1, 1, 1, 1], padding="VALID"),
        case(IMAGE, FILTER, LOW, HIGH, LOW, HIGH, strides=[1, 2, 2, 1], padding="SAME"),
    ],
    "QuantizedMul": [case(ROWS, ROWS[0], LOW, HIGH, number(-0.5), number(0.25))],
    "QuantizedAdd": [
        case(ROWS, ROWS[0], LOW, HIGH, number(-0.5), number(0.25)),
        case(ROWS[1], ROWS, number(0.0), number(6.0), number(-3.0), number(0.1)),
        case(ROWS, ROWS[1, 2].reshape(()), LOW, HIGH, number(-3.0), number(0.1)),
    ],
    "QuantizedResizeBilinear": [
        case(IMAGE, i32(5, 4), LOW, HIGH),
        case(IMAGE, i32(3, 13), LOW, HIGH, align_corners=True),
        case(IMAGE, i32(9, 2), LOW, HIGH, half_pixel_centers=True),
        case(f32([[[1], [2]], [[4], [8]]]), i32(3, 3), LOW, HIGH),
    ],
    "RequantizationRangePerChannel": [
        case(CHANNELS, f32(-1, -0.5), f32(2, 0.25), clip_value_max=1e5),
        case(CHANNELS, f32(-1, -0.5), f32(2, 0.25), clip_value_max=0.5),
        case(CHANNELS[:, 1:], f32(-1, -0.5), f32(2, 0.25), clip_value_max=10.0),
    ],
    "RequantizePerChannel": [
        case(CHANNELS, f32(-1, -0.5), f32(2, 0.25), LOW, HIGH, out_type="q8"),
        case(CHANNELS, f32(-1, -0.5), f32(2, 0.25), number(0.0), number(1.5), out_type="qu8"),
        case(CHANNELS, f32(-1), f32(2), number(-0.3), number(0.1), out_type="q8"),
    ],
    "QuantizedInstanceNorm": [
        case(IMAGE, LOW, HIGH),
        case(IMAGE, LOW, HIGH, output_range_given=True, given_y_min=-2.0, given_y_max=3.0),
        case(IMAGE[:, :1, :1], LOW, HIGH, variance_epsilon=0.1, min_separation=10.0),
    ],
    "QuantizedBatchNormWithGlobalNormalization": [
        case(
            IMAGE, LOW, HIGH, PAIR, LOW, HIGH, PAIR, number(0.0), HIGH, PAIR, LOW, HIGH, PAIR, LOW,
            HIGH, out_type="q32", variance_epsilon=0.001, scale_after_normalization=scaled,
        )
        for scaled in (True, False)
    ],
    "QuantizedBiasAdd": [
        case(ROWS, ROWS[0], LOW, HIGH, number(-0.5), number(0.25), out_type="q32"),
        case(SOME[None], SOME, LOW, HIGH, LOW, HIGH, out_type="q32"),
    ],
    "QuantizedReshape": [case(ROWS, i32(3, -1), LOW, HIGH), case(WIDE, i32(2, 2), LOW, HIGH)],
    "QuantizedRelu": [
        case(ROWS, LOW, HIGH, out_type="qu8"), case(WIDE, LOW, HIGH, out_type="q32"),
    ],
    "QuantizedRelu6": [case(ROWS, number(-9.0), number(9.0), out_type="qu8")],
    "QuantizedMaxPool": [
        case(IMAGE, LOW, HIGH, ksize=[1, 2, 2, 1], strides=[1, 2, 1, 1], padding="VALID"),
    ],
    "QuantizedAvgPool": [
        case(IMAGE, LOW, HIGH, ksize=[1, 2, 2, 1], strides=[1, 2, 1, 1], padding="VALID"),
        case(IMAGE, LOW, HIGH, ksize=[1, 3, 3, 1], strides=[1, 2, 2, 1], padding="SAME"),
    ],
    "QuantizedConcat": [
        case(scalar(0), (ROWS, ROWS), (LOW, number(-0.5)), (HIGH, number(0.3))),
        case(scalar(1), (ROWS, ROWS), (LOW, LOW), (HIGH, HIGH)),
    ],
}  # fmt: skip
