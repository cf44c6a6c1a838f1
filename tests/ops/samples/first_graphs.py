"""Samples of operations of the first graphs, which TensorFlow runs where a graph is that old."""

from __future__ import annotations

from typing import Any

import numpy as np

from .pictures import WAVE
from .sample import Table, array, case, f32, f64, i32, i64, scalar, spread

IMAGES, ROW = spread((2, 3, 2, 4)), f64(0.5, 1, 2, 3)
VOLUMES, KERNELS = spread((2, 3, 4, 3, 2)), spread((2, 1, 2, 2, 3))
CUBES: dict[str, Any] = {"strides": [1, 1, 2, 1, 1], "padding": "SAME"}
INNER: dict[str, Any] = {"strides": [1, 1, 1, 1, 1], "padding": "VALID"}
SAME, VALID = spread((2, 3, 2, 3, 3)), spread((2, 2, 4, 2, 3))
SYMMETRIC = f64([2, 1, 0], [1, 3, -1], [0, -1, 5])
SHOWN = array("u8", spread((2, 3, 2, 3), 0, 255))


def scaled(operands: Any) -> list[Any]:
    """With scales, and without."""
    said: dict[str, Any] = {"variance_epsilon": 0.5}
    return [case(*operands, scale_after_normalization=one, **said) for one in (True, False)]


SAMPLES: Table = {
    "BatchNormWithGlobalNormalization": [
        *scaled((IMAGES, ROW, ROW * 2, ROW * 3, ROW * 5)),
        *scaled([one.astype(np.float32) for one in (IMAGES, ROW, ROW * 2, ROW * 3, ROW * 5)]),
    ],
    "BatchNormWithGlobalNormalizationGrad": scaled(
        (IMAGES, ROW, ROW * 2, ROW * 5, spread((2, 3, 2, 4), seed=3))
    ),
    "SelfAdjointEig": [case(SYMMETRIC), case(np.stack([SYMMETRIC, SYMMETRIC * 2])), case(f32([4]))],
    "BatchSelfAdjointEig": [case(SYMMETRIC[None]), case(np.stack([SYMMETRIC, SYMMETRIC / 2]))],
    "Conv3DBackpropInput": [
        case(VOLUMES, KERNELS, SAME, **CUBES), case(VOLUMES, KERNELS, VALID, **INNER),
    ],
    "Conv3DBackpropFilter": [
        case(VOLUMES, KERNELS, SAME, **CUBES), case(VOLUMES, KERNELS, VALID, **INNER),
    ],
    "AdjustContrast": [
        case(SHOWN, scalar(2.5, "f32"), scalar(5, "f32"), scalar(200, "f32")),
        case(SHOWN[0].astype(np.float64), scalar(0.5, "f32"), scalar(0, "f32"), scalar(99, "f32")),
    ],
    "QuantizeAndDequantize": [
        case(spread((2, 3)), num_bits=3, range_given=True, input_min=-1.0, input_max=1.0),
        case(spread(5), num_bits=4), case(spread(5, 0.0, 3.0), signed_input=False),
    ],
    "AccumulateNV2": [
        case((spread(3), spread(3, seed=1), spread(3, seed=2)), shape=[3]),
        case((i32(1, 2),), shape=[2]),
    ],
    "AudioSummary": [
        case(array("str", b"a/b"), WAVE.reshape(2, 20, 2), sample_rate=800.5),
        case(array("str", b"a"), WAVE.reshape(4, 20), sample_rate=800.0, max_outputs=1),
    ],
    # How often nothing happens that never does: all else is drawn by chance.
    "RandomPoisson": [
        case(i32(2, 1), f32(0, 0, 0), fixed=(0,)), case(i64(2), scalar(0.0, "f64"), fixed=(0,)),
    ],
}  # fmt: skip
