"""Samples of segments, partitions, sequences and bins."""

from __future__ import annotations

import math

import numpy as np

from .sample import Table, array, case, f32, f64, i32, i64, scalar, spread, unit, whole

X = spread((4, 2))
IDS = i32(0, 0, 2, 3)
SEGMENTS = [
    case(X, IDS), case(spread(3), i64(1, 1, 1)), case(spread((0, 2)), i32(), smooth=False),
    case(whole(4, -9, 9), IDS), case(np.float32(X), IDS),
]  # fmt: skip

QUANTIZED = f32(-10, -1, 0.3, 2, 7)

CHOSEN = case(X, i32(3, 0, 0, 2), i32(0, 0, 2, 3))
COUNTED = [case(X, i64(3, 0, 0, 2), i32(0, 0, 2, 3), scalar(5)), case(X, i32(), i32(), scalar(2))]

SAMPLES: Table = {
    "SparseSegmentSum": [CHOSEN, case(whole(4, -9, 9), i32(3, 0, 0), i64(0, 0, 2))],
    "SparseSegmentMean": [CHOSEN], "SparseSegmentSqrtN": [CHOSEN],
    "SparseSegmentSumWithNumSegments": COUNTED, "SparseSegmentMeanWithNumSegments": COUNTED,
    "SparseSegmentSqrtNWithNumSegments": COUNTED,
    "SegmentSum": [*SEGMENTS, case(unit(4), IDS)], "SegmentMean": SEGMENTS,
    "SegmentProd": SEGMENTS, "SegmentMax": SEGMENTS, "SegmentMin": SEGMENTS,
    "DynamicPartition": [
        case(X, i32(1, 0, 1, 2), num_partitions=3), case(X, i32(0, 0, 0, 0), num_partitions=2),
        case(X, i32([1, 0], [0, 1], [1, 1], [0, 0]), num_partitions=2),
        case(array("str", ["a", "b", "c"]), i32(1, 0, 1), num_partitions=2),
    ],
    "DynamicStitch": [
        case((i32(0, 3), i32(1, 2)), (X[:2], X[2:])),
        case((i32(0, 5), i32(1, 4)), (X[:2], X[2:])),
        case((scalar(0), i32(1, 2)), (X[0], X[2:])),
        case((i32(0, 3), i32(1, 3)), (X[:2], X[2:]), smooth=False),
        case(
            (scalar(2), scalar(0)), (scalar("x", "str"), scalar("y", "str")),
            expected=array("str", ["y", "", "x"]),
        ),
    ],
    "ReverseSequence": [
        case(spread((3, 4)), i32(1, 2, 4), seq_dim=1),
        case(spread((3, 4, 2)), i64(1, 2, 3, 0), seq_dim=0, batch_dim=1),
        case(whole((2, 3), 0, 9), i32(3, 2), seq_dim=1),
    ],
    "HistogramFixedWidth": [
        case(f32(-1, 0, 1.5, 2, 5, 15), f32(0, 5), scalar(5), fixed=(1,)),
        case(spread((3, 4)), f64(-1, 1), scalar(4), dtype="i64", fixed=(1,)),
        case(i32(1, 2, 9), i32(0, 10), scalar(5), fixed=(1,)),
    ],
    "Bucketize": [
        case(f32(0.5, 1, 10, -3), boundaries=[1.0, 5.0]), case(X, boundaries=[-1.0, 0.0, 1.0]),
        case(i32(3, 9, 1), boundaries=[1.0, 5.0]), case(f64(1, 2), boundaries=[]),
        case(f64(math.nan, -math.inf), boundaries=[1.0, 5.0], expected=i32(2, 0)),
    ],
    "RandomIndexShuffle": [
        case(i64(0, 50_000, 99_999), i32(1, 2, 3), scalar(99_999, "i64"), rounds=10),
        case(scalar(3), i64([7, 77, 1 << 40], [-1, 0, 1]), scalar(9)),
        case(i32(0, 2, 4), i32(5, 6, 7), i32(4, 3, 4)),
        case(scalar(1), i32(1, 2, 3), scalar(1)),
    ],
    "UniqueV2": [
        case(i32([1, 2], [1, 2], [0, 1]), i64(0)), case(i32([1, 2, 1], [1, 2, 1]), i64(1)),
        case(f32(2, 1, 2), i64(), out_idx="i64"),
    ],
    "UniqueWithCountsV2": [
        case(i32([1, 2], [1, 2], [0, 1]), i64(0)), case(i32([1, 2, 1], [1, 2, 1]), i64(1)),
        case(array("str", ["b", "a", "b"]), i64(0)),
    ],
    "FakeQuantWithMinMaxVars": [
        case(QUANTIZED, scalar(-6, "f32"), scalar(6, "f32")),
        case(QUANTIZED, scalar(-6, "f32"), scalar(6, "f32"), num_bits=4, narrow_range=True),
        case(QUANTIZED, scalar(1, "f32"), scalar(6, "f32")),
        case(QUANTIZED, scalar(0, "f32"), scalar(0, "f32")),
    ],
    "FakeQuantWithMinMaxVarsPerChannel": [
        case(f32([-10, -1, 0.3], [0.5, 2, 7]), f32(-6, -1, 0), f32(6, 1, 5)),
        case(f32([-10, -1, 0.3], [0.5, 2, 7]), f32(0, -1, 0), f32(0, 1, 5)),
    ],
    "FakeQuantWithMinMaxArgs": [
        case(QUANTIZED), case(QUANTIZED, min=-1.0, max=5.0, num_bits=4, narrow_range=True),
        case(f32(-2, 0.1, 0.33, 9), min=2.0, max=3.0),
    ],
    "FakeQuantWithMinMaxArgsGradient": [
        case(f32(1, 2, 3, 4, 5), QUANTIZED), case(f32(1, 2, 3, 4, 5), QUANTIZED, min=0.5, max=3.0),
    ],
    "FakeQuantWithMinMaxVarsGradient": [
        case(f32(1, 2, 3, 4, 5), QUANTIZED, scalar(-0.5, "f32"), scalar(6, "f32")),
        case(
            f32(1, 2, 3, 4, 5), QUANTIZED, scalar(1, "f32"), scalar(6, "f32"),
            num_bits=4, narrow_range=True,
        ),
        case(f32(1, 2, 3, 4, 5), QUANTIZED, scalar(0, "f32"), scalar(0, "f32")),
    ],
    "FakeQuantWithMinMaxVarsPerChannelGradient": [
        case(
            f32([1, 2, 3], [4, 5, 6]), f32([-10, -1, 0.3], [0.5, 2, 7]),
            f32(-6, -1, 0), f32(6, 1, 5),
        ),
        case(f32(1, 2, 3), f32(-10, -1, 0.3), f32(0, -1, 0), f32(0, 1, 5)),
    ],
}  # fmt: skip
