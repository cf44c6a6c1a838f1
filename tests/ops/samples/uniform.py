"""Samples of operations on levels that have scales and zero points."""

from __future__ import annotations

from typing import Any

import numpy as np

from .quantized import levels
from .sample import Table, case, f32, i32, scalar

SCALE, FINER = scalar(0.3, "f32"), scalar(0.07, "f32")
ZERO, THREE = scalar(0, "i32"), scalar(3, "i32")
SCALES, ZEROS = f32(0.5, 0.25, 2), i32(0, -7, 9)
X = f32([-1.25, 0.3, 7], [-90, 0.45, 1e30])
SMALL = levels("q8", [-128, -5, 0], [1, 60, 127])
WIDE = levels("q32", [-(2**31), -(2**24) - 1, 0], [1, 77777, 2**31 - 1])
# So large that float32, by way of which TensorFlow takes levels of 32 bits, does not hold them.
LARGE = levels("q32", [-(2**30) - 1, -(2**24) - 1, 0], [1, 77777, 2**30 + 1])
MATRIX = levels("q8", *(np.arange(12).reshape(3, 4) * 37 % 256 - 128).tolist())
IMAGE = levels("q8", *(np.arange(60).reshape(2, 2, 3, 5) * 37 % 256 - 128).tolist())
FILTER = levels("q8", *(np.arange(24).reshape(3, 2, 2, 2) * 29 % 256 - 128).tolist())
# Images and results with features last, filters with outputs last.
LAST = "\x10\x03\x1a\x02\x01\x02 \x02(\x032\x02\x00\x01@\x03J\x02\x01\x02"
LAST_IMAGE, LAST_FILTER = IMAGE.transpose(0, 2, 3, 1), FILTER.transpose(2, 3, 1, 0)


def said(word: str = "", bits: int = 8, axis: int = -1) -> dict[str, Any]:
    """How a tensor is quantized, as attributes."""
    half = 2 ** (bits - 1)
    ends = {f"{word}quantization_min_val": -half, f"{word}quantization_max_val": half - 1}
    return {**ends, f"{word}quantization_axis": axis}


PRODUCT: dict[str, Any] = {"Tout": "q32", **said("lhs_")}
WHOLE: dict[str, Any] = {**PRODUCT, **said("rhs_"), **said("output_", 32)}
BY_TENSOR = SCALE, THREE, FINER, ZERO, FINER, THREE
BY_CHANNEL = SCALE, THREE, SCALES, ZEROS, SCALES, ZEROS
HYBRID: dict[str, Any] = {"Tout": "f32", **said("rhs_")}

SAMPLES: Table = {
    "UniformQuantize": [
        *[case(X, SCALE, THREE, Tout=short, **said()) for short in ("q8", "qu8")],
        case(X, SCALES, ZEROS, Tout="q32", **said("", 32, 1)),
    ],
    "UniformDequantize": [
        case(SMALL, SCALE, THREE, Tout="f32", **said()),
        case(WIDE, SCALES, ZEROS, Tout="f32", **said("", 32, 1)),
    ],
    "UniformRequantize": [
        case(SMALL, SCALE, THREE, FINER, ZERO, Tout="q8", **said("input_"), **said("output_")),
        case(
            LARGE, SCALES, ZEROS, SCALES * 2**20, ZEROS, Tout="q8", **said("input_", 32, 1),
            **said("output_", 8, 1),
        ),
    ],
    "UniformQuantizedClipByValue": [
        case(WIDE, WIDE[0, 1].reshape(()), WIDE[1, 1].reshape(()), SCALE, ZERO, **said("", 32)),
        case(WIDE, WIDE[0], WIDE[1], SCALES, ZEROS, **said("", 32, 1)),
    ],
    "UniformQuantizedAdd": [
        case(
            WIDE, WIDE[1], SCALE, THREE, FINER, ZERO, SCALE, THREE, **said("lhs_", 32),
            **said("rhs_", 32), **said("output_", 32),
        ),
        case(
            WIDE, WIDE[1], *(SCALES, ZEROS) * 3, **said("lhs_", 32, 1), **said("rhs_", 32, 0),
            **said("output_", 32, 1),
        ),
    ],
    "UniformQuantizedDot": [
        case(SMALL, MATRIX, *BY_TENSOR, **WHOLE),
        case(
            MATRIX, SMALL[[0, 1, 0, 1]], *BY_CHANNEL, **PRODUCT, **said("rhs_", 8, 1),
            **said("output_", 32, 1),
        ),
    ],
    "UniformQuantizedDotHybrid": [
        case(X[:, :2], SMALL, SCALES, ZEROS, Tout="f32", **said("rhs_", 8, 1)),
        case(X[:, :2] * 0, SMALL, SCALE, THREE, **HYBRID),
    ],
    "UniformQuantizedConvolution": [
        case(IMAGE, FILTER, *BY_TENSOR, padding="SAME", window_strides=[1, 2], **WHOLE),
        case(
            IMAGE, FILTER, *BY_CHANNEL, padding="EXPLICIT", explicit_padding=[1, 0, 2, 1],
            lhs_dilation=[2, 1], rhs_dilation=[1, 2], **PRODUCT, **said("rhs_", 8, 0),
            **said("output_", 32, 1),
        ),
        case(
            LAST_IMAGE, LAST_FILTER, *BY_CHANNEL, padding="VALID", dimension_numbers=LAST,
            **PRODUCT, **said("rhs_", 8, 3), **said("output_", 32, 3),
        ),
        case(
            IMAGE[..., 0], FILTER[:2, :, :, 0], *BY_TENSOR, padding="VALID", window_strides=[1],
            batch_group_count=2, **WHOLE,
        ),
    ],
    "UniformQuantizedConvolutionHybrid": [
        case(
            f32(*np.arange(60).reshape(2, 2, 3, 5) - 20.0), FILTER, SCALE, THREE, padding="VALID",
            **HYBRID,
        ),
    ],
}  # fmt: skip
