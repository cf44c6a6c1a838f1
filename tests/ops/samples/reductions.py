"""Samples of reductions, scans, products, segments, gathering and scattering, order."""

from __future__ import annotations

from .sample import (
    INF,
    NAN,
    Table,
    array,
    bools,
    case,
    f32,
    f64,
    i32,
    i64,
    scalar,
    spread,
    unit,
    whole,
)

X, CUBE = spread((2, 3)), spread((2, 3, 4))
TEXTS = array("str", ["a", "b", "c"])
NOTHING = spread((0, 3))
WITH_NAN = f32([1, NAN, 2], [3, 1, -INF])
TIES = f64([1, 3, 3], [2, 2, 2])


def reduction(*more: object) -> list:
    return [
        case(CUBE, i32(0, 2), fixed=(1,)), case(CUBE, scalar(-1), keep_dims=True, fixed=(1,)),
        case(CUBE, i64(1), fixed=(1,)), case(CUBE, i32(), fixed=(1,)),
        case(CUBE, i32(0, 1, 2), fixed=(1,)),
        case(NOTHING, i32(0), fixed=(1,), smooth=False), case(NOTHING, i32(1), fixed=(1,)),
        case(scalar(2.5, "f64"), i32(), fixed=(1,)),
        case(whole((2, 3), -9, 9), i32(1), fixed=(1,)), *more,
    ]  # fmt: skip


HALF = case(array("f16", spread((3, 4))), i32(0), fixed=(1,))
BRAIN = case(array("bf16", spread((3, 4))), i32(0), fixed=(1,))
COMPLEX = case(unit((2, 3)), i32(0), fixed=(1,))
EXTREMES = (
    case(WITH_NAN, i32(1), fixed=(1,), smooth=False),
    case(whole((2, 3), 0, 9, "u8"), i32(0), fixed=(1,)),
    BRAIN,
)

MATRIX, OTHER = spread((3, 4)), spread((4, 5), seed=3)
BATCH, OTHER_BATCH = spread((2, 3, 4)), spread((2, 4, 2), seed=3)

ALIGNMENTS = ("LEFT_RIGHT", "RIGHT_LEFT", "LEFT_LEFT", "RIGHT_RIGHT")

SAMPLES: Table = {
    "Sum": reduction(HALF, BRAIN, COMPLEX, case(whole(3, 100, 120, "i8"), i32(0), fixed=(1,))),
    "Mean": reduction(HALF, BRAIN, COMPLEX, case(i32(-3, 0), i32(0), fixed=(1,)),
    case(i32(), i32(0), fixed=(1,))),
    "Prod": reduction(
        HALF, COMPLEX, case(f64([0, 2, 3], [1, 0, 0]), i32(1), fixed=(1,), smooth=False),
    ),
    "Max": reduction(*EXTREMES), "Min": reduction(*EXTREMES),
    "EuclideanNorm": reduction(case(unit((2, 3)), i32(0), fixed=(1,))),
    "Any": [
        case(bools([True, False], [False, False]), i32(1), fixed=(1,)),
        case(bools(), i32(0), fixed=(1,)),
    ],
    "All": [
        case(bools([True, False], [True, True]), i32(1), fixed=(1,)),
        case(bools(), i32(0), fixed=(1,)),
    ],
    "ArgMax": [
        case(CUBE, scalar(1), fixed=(1,)), case(TIES, scalar(-1), output_type="i32", fixed=(1,)),
        case(WITH_NAN, scalar(1), fixed=(1,)),
        case(bools(False, True, True), scalar(0), fixed=(1,)),
    ],
    "ArgMin": [
        case(CUBE, scalar(2), fixed=(1,)), case(TIES, scalar(-1), output_type="i32", fixed=(1,)),
        case(WITH_NAN, scalar(1), fixed=(1,)),
    ],
    "Cumsum": [
        case(CUBE, scalar(1), fixed=(1,)), case(CUBE, scalar(-1), exclusive=True, fixed=(1,)),
        case(X, scalar(0), reverse=True, fixed=(1,)),
        case(X, scalar(1), reverse=True, exclusive=True, fixed=(1,)),
        case(whole(4, -9, 9), scalar(0), fixed=(1,)), case(NOTHING, scalar(0), fixed=(1,)),
    ],
    "Cumprod": [
        case(CUBE, scalar(1), fixed=(1,)), case(CUBE, scalar(-1), exclusive=True, fixed=(1,)),
        case(X, scalar(0), reverse=True, fixed=(1,)),
        case(X, scalar(1), reverse=True, exclusive=True, fixed=(1,)),
        case(whole(4, 1, 9), scalar(0), fixed=(1,)),
    ],
    "MatMul": [
        case(MATRIX, OTHER), case(MATRIX.T.copy(), OTHER, transpose_a=True),
        case(MATRIX, OTHER.T.copy(), transpose_b=True),
        case(MATRIX.T.copy(), OTHER.T.copy(), transpose_a=True, transpose_b=True),
        case(unit((2, 3)), unit((3, 2), 5)),
        case(whole((2, 3), -9, 9), whole((3, 2), -9, 9, seed=2)),
        case(array("bf16", MATRIX), array("bf16", OTHER), tolerance=0.05),
        case(spread((0, 4)), OTHER), case(spread((3, 0)), spread((0, 2))),
    ],
    "BatchMatMulV2": [
        case(BATCH, OTHER_BATCH), case(BATCH, spread((4, 2))),
        case(spread((2, 1, 4, 3)), spread((5, 4, 2), seed=2), adj_x=True),
        case(BATCH, spread((2, 2, 4), seed=4), adj_y=True),
        case(unit((2, 3, 2)), unit((2, 3, 2), 5), adj_x=True),
        case(whole((2, 2, 3), -9, 9), whole((3, 2), -9, 9)),
        case(spread((2, 4, 3)), spread((2, 2, 4), seed=4), adj_x=True, adj_y=True),
    ],
    "UnsortedSegmentSum": [
        case(X, i32(1, 0), scalar(3), fixed=(2,)),
        case(CUBE, i32([0, 1, -1], [1, 1, 0]), scalar(2), fixed=(2,)),
        case(f32(1, 2, 3), i64(0, 0, -1), scalar(2, "i64")),
        case(whole(3, 0, 9), i32(2, 2, 0), scalar(3)),
    ],
    "UnsortedSegmentMax": [
        case(X, i32(1, 0), scalar(2), fixed=(2,)), case(f32(1, 2), i32(1, -1), scalar(2)),
        case(CUBE, i32([0, 1, -1], [1, 1, 0]), scalar(2)),
        case(whole(3, 0, 9), i32(2, 2, 0), scalar(3)),
    ],
    "UnsortedSegmentMin": [
        case(X, i32(1, 0), scalar(2), fixed=(2,)), case(f32(1, 2), i32(1, -1), scalar(2)),
        case(CUBE, i32([0, 1, -1], [1, 1, 0]), scalar(2)),
        case(whole(3, 0, 9, "u8"), i32(2, 2, 0), scalar(3)),
    ],
    "UnsortedSegmentProd": [
        case(X, i32(1, 1), scalar(3), fixed=(2,)),
        case(CUBE, i32([0, 1, -1], [1, 1, 0]), scalar(2)),
        case(whole(3, 1, 9), i32(2, 2, 0), scalar(3)),
    ],
    "GatherV2": [
        case(X, i32(1, 0, 1), scalar(0), fixed=(2,)),
        case(X, i32([2, 0], [1, 1]), scalar(1), fixed=(2,)),
        case(CUBE, i64([1, 0], [2, 2]), scalar(1), batch_dims=1, fixed=(2,)),
        case(CUBE, scalar(2), scalar(-1), fixed=(2,)),
        case(CUBE, i32([0, 3], [1, 2]), scalar(2), batch_dims=1, fixed=(2,)),
        case(X, i32(), scalar(0), fixed=(2,)),
        case(array("str", ["a", "b"]), i32(1, 1), scalar(0), fixed=(2,)),
        case(whole(4, 0, 9), i32(3), scalar(0, "i64"), fixed=(2,)),
    ],
    "GatherGrad": [
        case(f64([1, 2], [3, 4]), i32(2, 0), scalar(1), i32(2, 3), fixed=(2, 3), expected=[[2.0,
             0.0, 1.0], [4.0, 0.0, 3.0]]),
        case(f64([1, 2], [3, 4]), i32([1, 1], [0, 2]), scalar(1), i32(2, 3), batch_dims=1,
             fixed=(2, 3),
             expected=[[0.0, 3.0, 0.0], [3.0, 0.0, 4.0]]),
    ],
    "GatherNd": [
        case(CUBE, i32([0, 1], [1, 2])), case(CUBE, i64([[1], [0]])), case(X, i32(1, 2)),
        case(X, i32([0, 0], [1, 1], [0, 0])),
        case(spread(4), i32([3], [3])), case(whole((2, 2), 0, 9), i32([0, 1])),
        case(X, i32([], []).reshape(2, 0)),
    ],
    "ScatterNd": [
        case(i32([1], [1], [0]), spread((3, 2)), i32(3, 2), fixed=(2,)),
        case(i32([0, 1], [1, 1]), f64(1, 2), i32(2, 2), fixed=(2,)),
        case(i64([2]), i64(5), i64(4), fixed=(2,)),
        case(i32([1], [1], [3]), bools(True, False, False), i32(4), fixed=(2,)),
        case(i32([[0], [2]]), spread((1, 2, 3)), i32(4, 3)),
    ],
    "TensorScatterUpdate": [
        case(X, i32([0, 1], [1, 2]), f64(7, 8)), case(X, i64([1]), spread((1, 3), seed=5)),
        case(whole(3, 0, 9), i32([2], [0]), i32(5, 6)),
        case(TEXTS, i32(1), scalar("x", "str"), expected=array("str", ["a", "x", "c"])),
    ],
    "TensorScatterAdd": [
        case(X, i32([0, 1], [0, 1]), f64(7, 8)), case(X, i64([1]), spread((1, 3), seed=5)),
        case(whole(3, 0, 9), i32([2], [2]), i32(5, 6)),
    ],
    "TensorScatterSub": [
        case(X, i32([0, 1], [0, 1]), f64(7, 8)), case(whole(3, 0, 9), i32([2], [2]), i32(5, 6)),
    ],
    "TensorScatterMax": [
        case(X, i32([0, 1], [1, 2]), f64(7, -8)), case(whole(3, 0, 9), i32([2], [2]), i32(5, 60)),
    ],
    "TensorScatterMin": [
        case(X, i32([0, 1], [1, 2]), f64(7, -8)), case(whole(3, 0, 9), i32([2], [2]), i32(5, -6)),
    ],
    "TopKV2": [
        case(X, scalar(2)), case(CUBE, scalar(4)), case(i32(1, 3, 2, 3), scalar(3)),
        case(X, scalar(0)),
        case(f32([3, 1, 2], [5, 6, 4]), scalar(1), index_type="i64"),
    ],
    "Unique": [
        case(i32(1, 2, 1, 5, 2)), case(array("str", ["b", "a", "b"]), out_idx="i64"), case(f32()),
    ],
    "UniqueWithCounts": [case(i32(1, 2, 1, 5, 2)), case(f32(3, 3), out_idx="i64")],
    "LowerBound": [
        case(i32([1, 3, 5]), i32([2, 3, 9])),
        case(f32([1, 2], [3, 4]), f32([0, 2], [3, 5]), out_type="i64"),
        case(f32([1, NAN], [3, 4]), f32([NAN, 2], [NAN, 3]), out_type="i64"),
    ],
    "UpperBound": [
        case(i32([1, 3, 5]), i32([2, 3, 9])),
        case(f32([1, 2], [3, 4]), f32([0, 2], [3, 5]), out_type="i64"),
        case(f32([1, NAN], [3, 4]), f32([NAN, 2], [NAN, 3]), out_type="i64"),
    ],
    "MatrixBandPart": [
        case(MATRIX, scalar(1), scalar(0)),
        case(BATCH, scalar(-1, "i64"), scalar(1, "i64"), fixed=(1, 2)),
        case(MATRIX, scalar(0), scalar(-1), fixed=(1, 2)),
        case(whole((3, 3), 1, 9), scalar(-1), scalar(-1)),
    ],
    # The padding gets no gradient; tests/ops/linalg/test_diagonals.py tries the others.
    "MatrixDiagV3": [
        case(X, scalar(0), scalar(-1), scalar(-1), f64(0)[0], fixed=(1, 2, 3), smooth=False),
        case(spread(2), i32(-1), scalar(3), scalar(5), f64(9)[0], fixed=(1, 2, 3), smooth=False),
        case(
            spread((4, 3)), i32(-1, 2), scalar(-1), scalar(4), f64(7)[0],
            fixed=(1, 2, 3), smooth=False,
        ),
        case(
            spread((2, 2, 3)), i32(1, 2), scalar(-1), scalar(-1), f64(0)[0],
            fixed=(1, 2, 3), smooth=False, align="LEFT_RIGHT",
        ),
        case(whole(2, 1, 9), scalar(0), scalar(-1), scalar(-1), scalar(5)),
    ],
    "MatrixDiagPartV3": [
        case(MATRIX, scalar(0), f64(0)[0], fixed=(1,), smooth=False),
        case(BATCH, scalar(-1), f64(0)[0], fixed=(1,), smooth=False),
        *(
            case(spread((3, 4)), i32(-1, 2), f64(7)[0], fixed=(1,), smooth=False, align=align)
            for align in ALIGNMENTS
        ),
        case(whole((2, 3), 1, 9), i32(1, 1), scalar(0)),
    ],
    "MatrixSetDiagV3": [
        case(spread((3, 2)), spread(2, seed=4), scalar(0), fixed=(2,)),
        case(BATCH[:, :2, :2], spread((len(BATCH), 1), seed=4), scalar(1), fixed=(2,)),
        *(
            case(spread((3, 4)), spread((4, 3), seed=2), i32(-1, 2), fixed=(2,), align=align)
            for align in ALIGNMENTS
        ),
        case(whole((2, 2), 1, 9), i32(8, 9), scalar(0)),
    ],
}  # fmt: skip
