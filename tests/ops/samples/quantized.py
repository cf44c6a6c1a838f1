"""Samples of operations on quantized types, whose arrays are structures of one field."""

from __future__ import annotations

from typing import Any

import numpy as np

from .sample import STORAGE, Table, case, f32, scalar

X = f32([-1.2, -1, -0.3, 0], [0.1, 0.3, 1.9, 7])


def levels(short: str, *values: Any) -> Any:
    """Levels of a quantized type."""
    storage: Any = STORAGE[short]
    return np.array(values, storage[0]).view(storage)


def number(value: float) -> Any:
    return scalar(value, "f32")


LOW, HIGH = number(-1.0), number(2.0)
SOME = levels("q8", -128, -5, 0, 1, 127)

SAMPLES: Table = {
    "QuantizeV2": [
        *[case(X, LOW, HIGH, T=short) for short in ("q8", "qu8", "q16", "qu16", "q32")],
        *[case(X, LOW, HIGH, T=short, mode="MIN_FIRST") for short in ("q8", "qu8", "q16", "q32")],
        *[case(X, LOW, HIGH, T=short, mode="SCALED") for short in ("q8", "qu8", "q16", "qu16")],
        case(X, LOW, HIGH, T="q8", mode="SCALED", narrow_range=True, round_mode="HALF_TO_EVEN"),
        case(X, f32(-1, 0.5), f32(-0.5, 2), T="q8", axis=0),
        case(X, f32(-1, 0, -3, 0), f32(1, 2, 3, 4), T="qu8", axis=1, mode="SCALED"),
        case(X, number(1.0), number(1.0), T="qu8", ensure_minimum_range=0.5),
    ],
    "Dequantize": [
        *[case(SOME, LOW, HIGH, mode=mode) for mode in ("MIN_COMBINED", "MIN_FIRST", "SCALED")],
        case(SOME, LOW, HIGH, mode="SCALED", narrow_range=True),
        case(levels("qu8", 0, 1, 255), LOW, HIGH), case(levels("q32", -(2**31), 5), LOW, HIGH),
        case(levels("qu16", 0, 1, 65535), LOW, HIGH, mode="MIN_FIRST"),
        case(levels("q16", [0, 1], [2, 3]), f32(-1, 0), f32(1, 2), axis=1, dtype="bf16"),
    ],
}  # fmt: skip
