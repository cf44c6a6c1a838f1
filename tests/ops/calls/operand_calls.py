"""Operations by their own names with operands at the edges of what they take: none, zeros, other
shapes and dtypes. Found by random calls of `tf.raw_ops`, side by side with TensorFlow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .call import Call
from .raw_calls import raw

NONE = np.zeros(0, np.int64)
TEXT = np.array(["Ab"], object)
NO_TEXT = np.zeros(0, object)
EDGES = np.array([-1, 0, 0.5, 2, np.nan], np.float32)[:, None]
SAMPLES = np.array([0, -1, 0.5, np.nan], np.float32)[None]
SQUARE = np.array([[2.0, 1.0], [4.0, 3.0]])
COUNT = "values weights"


def counted(values: Any, weights: Any, **told: Any) -> Call:
    return raw("DenseCountSparseOutput", COUNT, **{"binary_output": False, **told}), [
        np.array(values, np.int64), np.array(weights, np.float32),
    ]  # fmt: skip


def halves(matrix: Any) -> Any:
    return np.array(matrix, np.float16)


def partitions(kinds: list[str]) -> Call:
    call = raw(
        "RaggedTensorToTensor", "shape values default_value", row_partition_tensors=[[0, 2]],
        row_partition_types=kinds,
    )  # fmt: skip
    return call, [np.array([-1, -1]), np.array([1, 2]), np.array(0)]


CALLS: dict[str, Call] = {
    "RandomGammaGrad at edges": (
        raw("RandomGammaGrad", "alpha sample"), [np.broadcast_to(EDGES, (5, 4)).copy(), SAMPLES],
    ),
    "IgammaGradA at edges": (raw("IgammaGradA", "a x"), [EDGES, SAMPLES]),
    "IgammaGradA of infinity at 0": (
        raw("IgammaGradA", "a x"),
        [np.array([np.inf, 1e30], np.float32), np.zeros(2, np.float32)],
    ),
    "CholeskyGrad of what is no triangle": (
        raw("CholeskyGrad", "l grad"), [np.array([[1.0, 5.0], [2.0, 3.0]]), SQUARE],
    ),
    "MatrixInverse of halves": (raw("MatrixInverse", "input"), [halves(SQUARE)]),
    "MatrixInverse of halves, adjoint": (
        raw("MatrixInverse", "input", adjoint=True), [halves([SQUARE, SQUARE.T])],
    ),
    "MatrixInverse of halves, singular": (
        raw("MatrixInverse", "input"), [halves([[1, 1], [1, 1]])],
    ),
    "Qr of halves": (raw("Qr", "input"), [halves([[0, 2], [3, 1]])]),
    "FusedPadConv2D of narrow numbers": (
        lambda tf: tf.cast(tf.raw_ops.FusedPadConv2D(
            input=tf.ones([1, 2, 2, 1], tf.bfloat16), paddings=[[0, 0], [1, 1], [1, 1], [0, 0]],
            filter=tf.ones([2, 2, 1, 1], tf.bfloat16), mode="REFLECT", strides=[1, 1, 1, 1],
            padding="VALID"), tf.float32),
        [],
    ),
    "StridedSlice by int16": (
        raw("StridedSlice", "input begin end strides"),
        [np.arange(5), np.array([1], np.int16), np.array([-1], np.int16), np.array([2], np.int16)],
    ),
    **{
        f"Eig of {kind} as {wanted}": (
            lambda tf, x, wanted=wanted: tf.raw_ops.Eig(
                input=x, Tout=getattr(tf, wanted), compute_v=False)[0],
            [np.eye(2, dtype=kind)],
        )
        for kind, wanted in (
            ("float32", "complex64"), ("float32", "complex128"), ("float64", "complex64"),
        )
    },
    **{
        f"SparseMatMul of {a} and {b}": (
            raw("SparseMatMul", "a b", transpose_a=a == "columns", transpose_b=b == "columns"),
            [
                np.ones((2, 3) if a == "rows" else (3, 2), np.float32),
                np.ones((3, 4) if b == "rows" else (4, 3), np.float32),
            ],
        )
        for a in ("rows", "columns")
        for b in ("rows", "columns")
    },
    "SparseMatMul of other sizes": (
        raw("SparseMatMul", "a b", transpose_b=True),
        [np.ones((2, 3), np.float32), np.ones((3, 4), np.float32)],
    ),
    **{
        f"{name} in limits {low} to {high}": (
            lambda tf, name=name, low=low, high=high: getattr(tf.raw_ops, name)(
                x=tf.bitcast(tf.constant([7], tf.uint8), tf.quint8),
                y=tf.bitcast(tf.constant([3], tf.uint8), tf.quint8),
                min_x=0.0, max_x=1.0, min_y=low, max_y=high)[1],
            [],
        )
        for name in ("QuantizedAdd", "QuantizedMul")
        for low, high in ((0.0, 1.0), (1.0, 0.0), (1.0, 1.0))
    },
    "Cross of scalars": (raw("Cross", "a b"), [np.float32(1), np.float32(2)]),
    "UnravelIndex of a matrix": (
        raw("UnravelIndex", "indices dims"), [np.array([[1, 2]]), np.array([2, 2])],
    ),
    "RaggedRange by 0": (
        raw("RaggedRange", "starts limits deltas"),
        [np.array([1], np.float32), np.array([0], np.float32), np.array([0], np.float32)],
    ),
    "RaggedRange of nothing by 0": (
        raw("RaggedRange", "starts limits deltas"),
        [np.array([1], np.int32), np.array([1], np.int32), np.array([0], np.int32)],
    ),
    **{
        f"Reverse told {len(told)} axes": (
            raw("Reverse", "tensor dims"), [np.array([[1, 2]]), np.array(told, bool)],
        )
        for told in ([], [True], [False, True], [True] * 3)
    },
    **{
        f"ResizeNearestNeighborGrad of {size}": (
            raw("ResizeNearestNeighborGrad", "grads size"),
            [np.ones((1, 2, 2, 1), np.float32), np.array(size, np.int32)],
        )
        for size in ([0, 0], [0, 1], [-1, 1], [1, 4])
    },
    **{
        f"{name} of {len(text)} in {encoding!r}": (
            raw(name, "input", encoding=encoding), [text],
        )
        for name in ("StringLower", "StringUpper")
        for text in (TEXT, NO_TEXT)
        for encoding in ("", "utf-8", "UTF-8", "a")
    },
    **{
        f"UnicodeTranscode of none in {encoding}": (
            raw("UnicodeTranscode", "input", input_encoding=encoding, output_encoding="UTF-8"),
            [NO_TEXT],
        )
        for encoding in ("UTF-16", "a")
    },
    "StringNGrams without splits": (
        raw(
            "StringNGrams", "data data_splits", separator="a", ngram_widths=[1], left_pad="",
            right_pad="", pad_width=0, preserve_short_sequences=False,
        ),
        [NO_TEXT, NONE],
    ),
    "MergeSummary of what is none": (
        lambda tf: tf.raw_ops.MergeSummary(inputs=[b"\xff"]), [],
    ),
    "DenseCountSparseOutput of none": counted([], []),
    "DenseCountSparseOutput of none in rows": counted(np.zeros((2, 0)), []),
    "DenseCountSparseOutput of none, two at least": counted([], [], minlength=2),
    "DenseCountSparseOutput of other weights": counted([1], [1, 1]),
    "DenseCountSparseOutput of weights in rows": counted([1], [[1]]),
    "DenseCountSparseOutput, binary, of other weights": counted([1], [1, 1], binary_output=True),
    "SparseCountSparseOutput of other weights": (
        raw(
            "SparseCountSparseOutput", "indices values dense_shape weights", binary_output=True,
        ),
        [np.array([[0]]), np.array([1]), np.array([3]), np.array([[1]], np.float32)],
    ),
    "RaggedCountSparseOutput without rows": (
        raw("RaggedCountSparseOutput", "splits values weights", binary_output=False),
        [np.array([0]), NONE, NONE],
    ),
    "RaggedCountSparseOutput of other weights": (
        raw("RaggedCountSparseOutput", "splits values weights", binary_output=False),
        [np.array([0, 1]), np.array([1]), np.array([1, 2])],
    ),
    "bincount of none": (
        lambda tf, x: tf.sparse.bincount(x).dense_shape, [np.zeros(0, np.int32)],
    ),
    "RaggedTensorToTensor of no types": partitions([]),
    "RaggedTensorToTensor of an unknown type": partitions(["a"]),
    "RaggedTensorToTensor of more types": partitions(["ROW_SPLITS", "ROW_SPLITS"]),
    "ParallelConcat of no shape": (
        lambda tf, x: tf.raw_ops.ParallelConcat(values=[x, x], shape=None), [np.ones((1, 2))],
    ),
}  # fmt: skip
COMPILED = [
    "StridedSlice by int16", "RandomGammaGrad at edges", "IgammaGradA at edges", "Qr of halves",
    "MatrixInverse of halves", "CholeskyGrad of what is no triangle",
]  # fmt: skip
