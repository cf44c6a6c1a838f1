"""Samples of operations that TensorFlow's files have in place of those that functions apply."""

from __future__ import annotations

from typing import Any

from .sample import Table, array, bools, case, f32, f64, i32, i64, scalar, spread, whole

X, Y = spread((2, 3)), spread((3, 4), seed=1)
BATCH = spread((2, 3, 4), seed=2)
NONE = f32()


def words(*values: str) -> Any:
    return array("str", list(values))


SPLITS, IDS = ("ROW_SPLITS",), ("FIRST_DIM_SIZE", "VALUE_ROWIDS")
ROWS, DEEP = i64(0, 2, 2, 5), i64(0, 1, 3)
NUMBERS = i32(1, 2, 3, 4, 5)
NINE = scalar(9)

ROWS_GRADIENT = [
    case(spread((2, 3)), i32(0, 2, 2), i32(0, 0, 1), scalar(3), fixed=(3,)),
    case(spread((3, 1)), i64(1, 0), i32(0, 2), scalar(4), fixed=(3,)),
]
CHOSEN_GRADIENT = [
    case(spread((2, 3)), i32(2, 0, 2), i32(0, 0, 1), scalar(3)),
    case(spread((3, 1)), i32(1, 0), i32(0, 2), scalar(4)),
]

SAMPLES: Table = {
    "Einsum": [
        case((X, Y), equation="ij,jk->ik"), case((X,), equation="ij->ji"),
        case((BATCH, Y), equation="bij,ij->bj"), case((X, X), equation="ij,ij->"),
        case((BATCH, BATCH), equation="...ij,...kj->...ik"), case((BATCH,), equation="bij->j"),
        case((whole((2, 2), 0, 9), whole((2, 2), 0, 9)), equation="ab,bc->ca"),
        case((spread((3, 3)),), equation="ii->i"), case((X,), equation="ij->jjij"),
        case((spread(2), Y), equation="b,ij->iibb"),
    ],
    "Select": [
        case(bools(True, False), X, -X), case(bools([True, False, True], [False] * 3), X, -X),
        case(scalar(True, "bool"), X, -X), case(bools(True, False), BATCH, -BATCH),
        case(scalar(False, "bool"), words("a"), words("b")),
    ],
    "ShapeN": [
        case((X, BATCH, scalar(1.0, "f64")), smooth=False),
        case((words("a", "b"),), out_type="i64"),
    ],
    "ConcatOffset": [
        case(scalar(1), (i32(2, 2), i32(2, 3), i32(2, 4))),
        case(scalar(-2), (i32(2, 2), i32(5, 2))),
        case(scalar(0), (i64(2, 0), i64(4, 0))),
    ],
    "BroadcastGradientArgs": [
        case(i32(2, 3), i32(3)), case(i32(2, 1), i32(2, 3)), case(i32(1, 1), i32(1, 1)),
        case(i64(1), i64(3, 1)), case(i32(), i32(2)), case(i32(1, 3), i32(2, 1)),
        case(i32(0, 1), i32(1, 1)), case(i32(1, 2), i32(2)), case(i32(), i32()),
    ],
    "Bincount": [
        case(i32([1, 2], [2, 9]), scalar(4), NONE), case(i32(1, 2), scalar(3), f64(0.5, 0.25)),
    ],
    "DenseBincount": [
        case(i32([1, 2, 9], [0, 0, 1]), scalar(5), NONE), case(i64(1, 1), scalar(3, "i64"), i32()),
        case(i32(1, 1), scalar(4), f32(2.0, -2.0), binary_output=True),
        case(i32([1, 1], [0, 2]), scalar(3), f64([1, 2], [3, 4])),
        case(scalar(1), scalar(3), NONE), case(i32([], []), scalar(2), NONE),
    ],
    "RaggedBincount": [
        case(i64(0, 2, 2, 3), i32(1, 1, 2), scalar(4), f32(1, 2, 3)),
        case(i64(0, 2, 3), i64(7, 1, 0), scalar(2, "i64"), i64(), binary_output=True),
    ],
    "SparseBincount": [
        case(i64([0, 0], [1, 1]), i32(1, 2), i64(2, 2), scalar(4), NONE),
        case(i64([0], [3], [4]), i32(1, 2, 1), i64(5), scalar(2), f64(0.5, 2, 4)),
        case(i64([0, 0], [0, 1]), i32(1, 1), i64(2, 2), scalar(2), i32(), binary_output=True),
    ],
    "SparseToDense": [
        case(i64([0, 1], [1, 0]), i64(2, 2), i32(5, 7), scalar(0)),
        case(i32(1, 3), i32(5), f32(5, 7), scalar(-1.0, "f32")),
        case(i32(1, 3), i32(5), scalar(9), scalar(-1)),
        case(scalar(2), i32(5), scalar(9), scalar(-1)),
        case(i32(3, 1), i32(5), i32(1, 2), scalar(0), validate_indices=False),
        case(i32(0), i32(2), words("x"), scalar("", "str")),
    ],
    "RaggedTensorToTensor": [
        case(scalar(-1, "i64"), NUMBERS, NINE, (ROWS,), row_partition_types=SPLITS),
        case(i64(-1, -1), NUMBERS, NINE, (ROWS,), row_partition_types=SPLITS),
        case(i64(2, 2), NUMBERS, NINE, (ROWS,), row_partition_types=SPLITS),
        case(i64(5, -1), NUMBERS, NINE, (ROWS,), row_partition_types=SPLITS),
        case(
            i64(-1, -1), i32(1, 2, 3), NINE, (scalar(4, "i64"), i64(0, 0, 2)),
            row_partition_types=IDS,
        ),
        case(
            i64(-1, -1, -1), NUMBERS, NINE, (DEEP, ROWS), row_partition_types=SPLITS * 2,
        ),
        case(
            i64(-1, -1, 2), spread((5, 2)), scalar(0.5, "f64"), (ROWS,), row_partition_types=SPLITS,
        ),
    ],
    "RaggedRange": [
        case(i32(0, 5, 8), i32(3, 5, 12), i32(1, 1, 2)),
        case(scalar(0), i32(3, 5, 12), scalar(2), Tsplits="i32"),
        case(f32(0, 1), f32(1, 0), f32(0.4, -0.4)),
    ],
    "RaggedGather": [
        case((ROWS,), NUMBERS, i32(2, 0, 2), OUTPUT_RAGGED_RANK=1),
        case((ROWS,), NUMBERS, i64([2, 0], [2, 1]), OUTPUT_RAGGED_RANK=2),
        case((DEEP, ROWS), spread((5, 2)), i32(1), OUTPUT_RAGGED_RANK=2),
    ],
    "RaggedTensorToSparse": [
        case((ROWS,), NUMBERS), case((DEEP, ROWS), spread((5, 1))),
    ],
    "ListDiff": [
        case(i32(1, 2, 3, 4, 2), i32(2, 4)), case(words("a", "b"), words("b"), out_idx="i64"),
        case(f64(), f64(1)),
    ],
    "ParallelDynamicStitch": [
        case((i32(0, 3), i32(1, 2)), (X, X + 1)), case((scalar(0), i32(1)), (X[0], X[1:])),
    ],
    "Concat": [case(scalar(1), (X, X[:, :1])), case(scalar(0), (i32(1), i32(2, 3)))],
    "Gather": [case(X, i32(1, 0, 1)), case(X, i64([0], [1]))],
    "Reverse": [case(X, bools(False, True)), case(i32(1, 2, 3), bools(True))],
    "Mod": [
        case(i32(7, -7, 7), i32(3, 3, -3)), case(f64(7.5, -7.5), f64(2, 2)),
        case(f64([1.5], [2.5]), f64(1, 2)),
    ],
    "ToBool": [
        case(scalar(3.0, "f32")), case(scalar(0)), case(f64()), case(f64(0)),
        case(words("", "")), case(array("str", b"False")), case(array("str", b"")),
    ],
    "Empty": [case(i32(2, 3), fixed=(0,), dtype="f32", init=True, expected=f32([0] * 3, [0] * 3))],
    "SparseSegmentSumGrad": ROWS_GRADIENT, "SparseSegmentMeanGrad": ROWS_GRADIENT,
    "SparseSegmentSqrtNGrad": ROWS_GRADIENT, "SparseSegmentSumGradV2": CHOSEN_GRADIENT,
    "SparseSegmentMeanGradV2": CHOSEN_GRADIENT, "SparseSegmentSqrtNGradV2": CHOSEN_GRADIENT,
    "StatelessRandomGetKeyCounter": [case(i32(1, 2)), case(i64(-1, 1 << 40))],
    "StatelessRandomGetKeyCounterAlg": [case(i32(1, 2))],
    "StatelessRandomGetAlg": [case()],
}  # fmt: skip
