"""Samples of operations of matrices under older names."""

from __future__ import annotations

from .sample import Table, bools, case, f32, f64, i32, scalar, spread

A = f64([4, 1, -0.5], [0.5, 3, 1], [-1, 0.25, 5])
WIDE, ROWS = spread((2, 2, 3)), spread((2, 3))
K = i32(-1, 1)

SAMPLES: Table = {
    "MatrixDiag": [case(ROWS), case(i32(1, 2)), case(bools(True, False))],
    "MatrixDiagV2": [
        case(spread((3, 3)), K, scalar(-1), scalar(-1), scalar(0.5, "f64"), fixed=(1, 2, 3),
             smooth=False),
        case(i32(1, 2), scalar(1), scalar(4), scalar(3), scalar(9), fixed=(1, 2, 3)),
    ],
    "MatrixDiagPart": [case(WIDE), case(i32([1, 2], [3, 4]))],
    "MatrixDiagPartV2": [
        case(WIDE, K, scalar(0.5, "f64"), fixed=(1,), smooth=False),
        case(A, scalar(-1), scalar(0.0, "f64"), fixed=(1,), smooth=False),
    ],
    "MatrixSetDiag": [case(WIDE, spread((2, 2))), case(i32([1, 2], [3, 4]), i32(7, 8))],
    "MatrixSetDiagV2": [
        case(A, spread((3, 3)), K, fixed=(2,)), case(A, f64(7, 8), scalar(1), fixed=(2,)),
    ],
    "BatchMatMul": [
        case(WIDE, spread((2, 3, 2))), case(WIDE, WIDE, adj_y=True),
        case(i32([1, 2]), i32([3], [4])),
    ],
    "BatchMatMulV3": [
        case(f32([1, 2]), f32([3], [4]), Tout="f32"),
        case(i32([1, 2]), i32([3, 4]), adj_x=True, Tout="i32"),
        case(WIDE, spread((2, 3, 2)), Tout="f64"),
    ],
}  # fmt: skip
