"""Samples of operations on the components of sparse and ragged tensors."""

from __future__ import annotations

from typing import Any

from .sample import Table, array, case, f32, f64, i32, i64, scalar, spread

PLACES, SIZES = i64([0, 0], [0, 2], [1, 1]), i64(2, 3)
OTHERS = i64([0, 1], [0, 2])
X, Y = f64(7, -7.5, 3), f64(1.5, 8)
WHOLE = i32(7, -7, 3)
NONE = f32()


def zero(short: str = "f64") -> Any:
    return scalar(0, short)


def set_cases(*operands: Any) -> list[Any]:
    return [case(*operands, set_operation=one) for one in ("a-b", "b-a", "union", "intersection")]


def cwise() -> list[Any]:
    return [
        case(PLACES, X, SIZES, spread((2, 3), 1, 3)), case(PLACES, X, SIZES, f64(1, 2, 4)),
        case(PLACES, WHOLE, SIZES, i32([2], [4])), case(PLACES, WHOLE, SIZES, scalar(2)),
    ]  # fmt: skip


def reduced(*, real: bool) -> list[Any]:
    return [
        case(PLACES, X, SIZES, i32(1), fixed=(2, 3), smooth=real),
        case(PLACES, X, SIZES, i32(0, -1), fixed=(2, 3), keep_dims=True, smooth=real),
        case(PLACES, WHOLE, SIZES, scalar(0), fixed=(2, 3)),
        case(PLACES, WHOLE, SIZES, i32(-1), fixed=(2, 3), keep_dims=True),
    ]


PAIR = (PLACES, X, SIZES, OTHERS, Y, SIZES)

SAMPLES: Table = {
    "SparseReorder": [
        case(PLACES[::-1].copy(), X, SIZES), case(i64([3], [1]), array("str", ["b", "a"]), i64(4)),
    ],
    "SparseReshape": [
        case(PLACES, SIZES, i64(3, 2)), case(PLACES, SIZES, i64(-1)),
        case(PLACES, SIZES, i64(1, -1, 3)),
    ],
    "SparseSlice": [
        case(PLACES, X, SIZES, i64(0, 1), i64(2, 2)),
        case(PLACES, WHOLE, SIZES, i64(1, 0), i64(9, 9)),
    ],
    "SparseSplit": [
        case(scalar(1, "i64"), PLACES, X, SIZES, fixed=(0, 3), num_split=2),
        case(scalar(0, "i64"), PLACES, WHOLE, SIZES, fixed=(0, 3), num_split=2),
    ],
    "SparseConcat": [
        case((PLACES, OTHERS), (X, Y), (SIZES, SIZES), concat_dim=0, fixed=(2,)),
        case((PLACES, OTHERS), (X, Y), (SIZES, i64(2, 5)), concat_dim=-1, fixed=(2,)),
    ],
    "SparseFillEmptyRows": [
        case(i64([0, 1], [3, 0], [3, 2]), f64(1, 2, 3), i64(5, 3), scalar(-1.0, "f64")),
        case(i64([0, 1]), array("str", ["a"]), i64(2, 2), scalar("", "str")),
    ],
    "RaggedFillEmptyRowsGrad": [case(i64(0, 2, 3), f64(1, 2, 3, 4)), case(i64(), f64(1, 2)),
                                case(i64(1, 1), i32(1, 2))],
    "SparseFillEmptyRowsGrad": [case(i64(2, 0), f64(1, 2, 4)), case(i64(0), i32(7)),
                                case(i64(0, 1), f64(1, 2))],
    "RaggedFillEmptyRows": [
        case(i64(0, 0, 2), f64(5, 6, 7), scalar(4, "i64"), scalar(-1.0, "f64")),
        case(i64(1), i32(5), scalar(2, "i64"), scalar(0)),
    ],
    "SparseReduceSum": reduced(real=True), "SparseReduceSumSparse": reduced(real=True),
    "SparseReduceMax": reduced(real=True), "SparseReduceMaxSparse": reduced(real=True),
    "SparseSoftmax": [case(PLACES, X, SIZES), case(PLACES, f32(1, 2, 3), SIZES)],
    "SparseAdd": [
        case(*PAIR, zero()), case(*PAIR, scalar(2.0, "f64")),
        case(PLACES, WHOLE, SIZES, OTHERS, i32(4, 7), SIZES, scalar(1)),
    ],
    "SparseSparseMaximum": [case(*PAIR), case(PLACES, WHOLE, SIZES, OTHERS, i32(4, 7), SIZES)],
    "SparseSparseMinimum": [case(*PAIR), case(PLACES, WHOLE, SIZES, OTHERS, i32(4, 7), SIZES)],
    "SparseTensorDenseAdd": [
        case(PLACES, X, SIZES, spread((2, 3))), case(i32([0, 1]), i32(4), i32(1, 2), i32([5, 6])),
    ],
    "SparseTensorDenseMatMul": [
        case(PLACES, X, SIZES, spread((3, 2))),
        case(PLACES, X, SIZES, spread((2, 2)), adjoint_a=True),
        case(PLACES, WHOLE, SIZES, i32([1, 2, 3]), adjoint_b=True),
    ],
    "SparseMatMul": [
        case(f32([1, 0], [2, 3]), f32([1, 2], [0, 4]), a_is_sparse=True),
        case(f32([1, 0], [2, 3]), f32([1, 2], [0, 4]), transpose_a=True, transpose_b=True),
    ],
    "SparseDenseCwiseAdd": cwise(), "SparseDenseCwiseMul": cwise(), "SparseDenseCwiseDiv": cwise(),
    "DenseToDenseSetOperation": set_cases(i32([1, 2, 2], [3, 4, 5]), i32([2, 9], [5, 3])),
    "DenseToSparseSetOperation": set_cases(i64([1, 2], [3, 4]), OTHERS, i64(2, 9), SIZES),
    "SparseToSparseSetOperation": set_cases(
        PLACES, array("str", ["a", "b", "c"]), SIZES, OTHERS, array("str", ["b", "x"]), SIZES
    ),
    "SetSize": [case(PLACES, i32(1, 1, 2), SIZES)],
    "DenseCountSparseOutput": [
        case(i32([1, 1, 4], [0, 2, 0]), i64(), binary_output=False),
        case(i32(1, 1, 4), f32(1, 2, 3), maxlength=3, binary_output=False),
        case(i64(1, 1, 4), f64(), minlength=9, binary_output=True),
    ],
    "SparseCountSparseOutput": [
        case(PLACES, i32(1, 1, 0), SIZES, f32(1, 2, 4), binary_output=False),
        case(PLACES, i64(1, 1, 0), SIZES, i32(), binary_output=True),
    ],
    "RaggedCountSparseOutput": [
        case(i64(0, 2, 3), i32(1, 1, 4), f32(1, 2, 3), minlength=9, binary_output=False),
        case(i64(0, 2, 3), i32(1, 1, 4), NONE, binary_output=False),
    ],
}  # fmt: skip
