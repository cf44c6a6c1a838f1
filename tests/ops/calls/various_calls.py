"""Calls of public functions that need no table of their own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call

X = np.array([[1.0, -2.0, 3.5], [0.5, 4.0, -1.5]])
V, W = np.array([3.0, 4.0, 0.0], np.float32), np.array([1.0, 0.5, 2.0], np.float32)
N, M = np.array([3, 1, 2, 1], np.int32), np.array([[1, 2, 0], [0, 3, 1]], np.int32)
BATCH = np.arange(24.0).reshape(2, 3, 4) / 7 - 1
WEIRD = np.array([1.0, np.nan, np.inf, -np.inf, 0.0], np.float32)


def in_any_rank(tf: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """`function`, traced for tensors of which nothing but the dtype is known."""

    def call(*tensors: Any) -> Any:
        specs = [tf.TensorSpec(None, one.dtype) for one in tensors]
        return tf.function(function, input_signature=specs)(*tensors)

    return call


CALLS: dict[str, Call] = {
    "add": (lambda tf, x: tf.add(x, 1), [V]),
    "add, strings": (lambda tf, x: tf.add(tf.strings.as_string(x), "!"), [N]),
    "divide integers": (lambda tf, x: x / 2, [N]),
    "truediv bytes": (lambda tf, x: tf.math.truediv(x, x), [N.astype(np.uint8)]),
    "floordiv floats": (lambda tf, x: 1.0 // x, [W * 0.1]),
    "divide_no_nan integers": (lambda tf, x: tf.math.divide_no_nan(x, x - 1), [N]),
    "scalar_mul": (lambda tf, x: tf.scalar_mul(2, x), [V]),
    "add_n": (lambda tf, x: tf.add_n([x, x, x]), [X]),
    "abs of complex": (lambda tf, x: tf.abs(tf.complex(x, x)), [V]),
    "angle": (lambda tf, x: tf.math.angle(x), [X]),
    "round": (lambda tf, x: tf.round(x), [X]),
    "log_sigmoid": (lambda tf, x: tf.math.log_sigmoid(x), [X]),
    "logical_xor": (lambda tf, x: tf.math.logical_xor(x > 0, x > 1), [X]),
    "equal": (lambda tf, x: x == [3, 1, 0, 0], [N]),
    "reduce_logsumexp": (lambda tf, x: tf.reduce_logsumexp(x, 1), [X]),
    "reduce_logsumexp of infinities": (lambda tf, x: tf.reduce_logsumexp(x), [WEIRD[3:4]]),
    "reduce_variance": (lambda tf, x: tf.math.reduce_variance(x, 0, keepdims=True), [X]),
    "reduce_std": (lambda tf, x: tf.math.reduce_std(x), [X]),
    "reduce_mean of integers": (lambda tf, x: tf.reduce_mean(x - 3), [N]),
    "count_nonzero": (lambda tf, x: tf.math.count_nonzero(x, 0), [M]),
    "zero_fraction": (lambda tf, x: tf.math.zero_fraction(x), [V]),
    "moments": (lambda tf, x: tf.nn.moments(x, [0]), [X]),
    "moments of complex numbers": (
        lambda tf, x: tf.nn.moments(tf.complex(x, x * x - 1.0), [0]), [X],
    ),
    "moments of integers": (lambda tf, x: tf.nn.moments(x, [0, 1], keepdims=True), [M]),
    "batch_normalization": (
        lambda tf, x: tf.nn.batch_normalization(x, 1.0, 2.0, 0.5, 3.0, 0.001), [V],
    ),
    "norm": (lambda tf, x: tf.norm(x), [V]),
    "norm 1 of matrices": (lambda tf, x: tf.norm(x, 1, [0, 1]), [X]),
    "norm inf": (lambda tf, x: tf.norm(x, np.inf, 1, keepdims=True), [X]),
    "norm 3": (lambda tf, x: tf.norm(x, 3), [V]),
    "l2_normalize": (lambda tf, x: tf.nn.l2_normalize(x, 1), [X]),
    "normalize": (lambda tf, x: tf.linalg.normalize(x, axis=0), [X]),
    "clip_by_value": (lambda tf, x: tf.clip_by_value(x, -1, 1), [X]),
    "clip_by_norm": (lambda tf, x: tf.clip_by_norm(x, 1.0, axes=1), [X]),
    "clip_by_global_norm": (lambda tf, x, y: tf.clip_by_global_norm([x, y], 2.0), [V, W]),
    "global_norm": (lambda tf, x, y: tf.linalg.global_norm([x, None, y]), [V, W]),
    "matmul": (lambda tf, x: tf.matmul(x, x, transpose_b=True), [X]),
    "matmul, batched": (lambda tf, x: tf.matmul(x, x, transpose_a=True), [BATCH]),
    "matvec": (lambda tf, x, y: tf.linalg.matvec(x, y), [X.astype(np.float32), V]),
    "einsum of any rank": (
        lambda tf, x, y: in_any_rank(tf, lambda a, b: tf.einsum("...ij,j...->i...", a, b))(x, y),
        [BATCH, BATCH.transpose(2, 0, 1)[:, :, 0]],
    ),
    "einsum of any rank, without an output": (
        lambda tf, x, y: in_any_rank(tf, lambda a, b: tf.einsum("...ij,...jk", a, b))(x, y),
        [BATCH[0], BATCH[1].T],
    ),
    "einsum of any rank, summed": (
        lambda tf, x, y: in_any_rank(tf, lambda a, b: tf.einsum("i...j,j->...", a, b))(x, y),
        [BATCH, BATCH[0, 0]],
    ),
    "fill a vector": (lambda tf, n: tf.fill(n[0], 2.0), [N]),
    "fill a vector, any rank": (
        lambda tf, n: in_any_rank(tf, lambda size: tf.fill(size, 2.0))(n[0]), [N],
    ),
    "tensor_diag_part of a scalar": (lambda tf, x: tf.linalg.tensor_diag_part(x[0, 0]), [X]),
    "confusion_matrix of a column": (
        lambda tf, n: tf.math.confusion_matrix(n[:, None], n), [N],
    ),
    "confusion_matrix of predictions in a column": (
        lambda tf, n: tf.math.confusion_matrix(n, n[:, None]), [N],
    ),
    "tensordot": (lambda tf, x: tf.tensordot(x, x, [[0, 2], [0, 2]]), [BATCH]),
    "tensordot of one axis": (lambda tf, x, y: tf.tensordot(x, y, 1), [X.astype(np.float32), V]),
    "outer product": (lambda tf, x, y: tf.tensordot(x, y, 0), [V, W]),
    "einsum ij,jk": (lambda tf, x: tf.einsum("ij,kj->ik", x, x), [X]),
    "einsum batch": (lambda tf, x: tf.einsum("bij,bkj->bik", x, x), [BATCH]),
    "einsum trace": (lambda tf, x: tf.einsum("ii->i", x @ tf.transpose(x)), [X]),
    "einsum sum": (lambda tf, x: tf.einsum("bij->j", x), [BATCH]),
    "einsum dots": (
        lambda tf, x: tf.einsum("...ij,...jk->...ik", x, tf.transpose(x, [0, 2, 1])), [BATCH],
    ),
    "einsum spread": (lambda tf, x, y: tf.einsum("i,j->ji", x, y), [V, W]),
    "trace": (lambda tf, x: tf.linalg.trace(x), [BATCH]),
    "band_part": (lambda tf, x: tf.linalg.band_part(x, 0, -1), [BATCH]),
    "diag": (lambda tf, x: tf.linalg.diag(x), [V]),
    "diag_part": (lambda tf, x: tf.linalg.diag_part(x), [BATCH]),
    "transpose": (lambda tf, x: tf.transpose(x), [BATCH]),
    "matrix_transpose": (lambda tf, x: tf.linalg.matrix_transpose(x), [BATCH]),
    "repeat": (lambda tf, x: tf.repeat(x, 2, axis=1), [X]),
    "repeat differently": (lambda tf, x: tf.repeat(x, [1, 0, 2, 1]), [N]),
    "boolean_mask": (lambda tf, x: tf.boolean_mask(x, x > 0), [X]),
    "boolean_mask of an axis": (
        lambda tf, x: tf.boolean_mask(x, [True, False, True], axis=1), [X],
    ),
    "where": (lambda tf, x: tf.where(x > 0, x, 0.0), [X]),
    "where indices": (lambda tf, x: tf.where(x > 0), [X]),
    "one_hot": (lambda tf, x: tf.one_hot(x, 3), [N]),
    "eye": (lambda tf, x: tf.eye(2, 3, [2]) + x, [V]),
    "range": (lambda tf, x: tf.range(x, 10, 2), [np.int32(1)]),
    "linspace": (lambda tf, x: tf.linspace(x, 1.0, 5), [np.float32(0)]),
    "lists of tensors as another dtype": (
        lambda tf, x, n: [
            tf.convert_to_tensor(values, kind) for values, kind in (
                ([n, n], tf.int64), ([n, n], tf.float32), ([n, n], tf.bool), ([2, x], tf.int32),
                ([[n, 2], [x, n]], tf.float64),
            )
        ],
        [np.float32(1.75), np.int32(6)],
    ),
    "lists of unlike tensors": (
        lambda tf, x, n: tf.convert_to_tensor([x, n], tf.float32), [np.float32(1), np.int32(6)],
    ),
    "linspace without end": (
        lambda tf, x: [tf.linspace(x, x + np.inf, n) for n in (1, 2, 4)]
        + [tf.linspace([x, -np.inf], [np.inf, x], 3), tf.linspace(3e38, -3e38, 3)],
        [np.float32(0)],
    ),
    "linspace of integers": (lambda tf, x: tf.linspace(x, 9, 5), [np.int32(0)]),
    "linspace of bytes": (
        lambda tf, x: [tf.linspace(tf.cast(x, kind), 9, 5) for kind in (tf.int8, tf.uint16)],
        [np.int32(0)],
    ),
    "linspace of vectors": (lambda tf, x: tf.linspace(x, x + 1, 3, axis=-1), [V]),
    "meshgrid": (lambda tf, x, y: tf.meshgrid(x, y), [V, W[:2]]),
    "meshgrid ij": (lambda tf, x, y: tf.meshgrid(x, y, indexing="ij"), [V, W[:2]]),
    "sequence_mask": (lambda tf, x: tf.sequence_mask(x, 4), [N]),
    "unravel_index of no axes": (
        lambda tf, x: tf.unravel_index(x * 0, tf.zeros([0], x.dtype)), [N],
    ),
    "unravel_index": (lambda tf, x: tf.unravel_index(x, [2, 3]), [N]),
    "bincount": (lambda tf, x: tf.math.bincount(x), [N]),
    "bincount of rows": (
        lambda tf, x: tf.math.bincount(x, axis=-1, minlength=5, maxlength=9), [M],
    ),
    "bincount of rows of any rank": (
        lambda tf, x: in_any_rank(tf, lambda a: tf.math.bincount(a, axis=-1, maxlength=3))(x),
        [M],
    ),
    "bincount of one row of any rank": (
        lambda tf, x: in_any_rank(tf, lambda a: tf.math.bincount(a, axis=-1))(x), [N],
    ),
    "bincount of a number": (lambda tf, x: tf.math.bincount(x[0], axis=-1), [N]),
    "bincount of a number of any rank": (
        lambda tf, x: in_any_rank(tf, lambda a: tf.math.bincount(a, axis=-1))(x[0]), [N],
    ),
    "bincount weighted": (
        lambda tf, x: tf.math.bincount(x, [0.5, 1.0, 2.0, 3.0], minlength=6), [N],
    ),
    "bincount of floats": (lambda tf, x: tf.math.bincount(x, minlength=6), [N.astype("f") + 0.5]),
    "bincount of booleans": (lambda tf, x: tf.math.bincount(x), [N > 1]),
    "confusion_matrix": (lambda tf, x: tf.math.confusion_matrix(x, x[::-1], 4), [N]),
    "unsorted_segment_mean": (lambda tf, x: tf.math.unsorted_segment_mean(x, [0, 0], 2), [X]),
    "unsorted_segment_sqrt_n": (lambda tf, x: tf.math.unsorted_segment_sqrt_n(x, [1, 1], 2), [X]),
    "top_k": (lambda tf, x: tf.math.top_k(x, 2), [X]),
    "sort": (lambda tf, x: tf.sort(x, 0), [X]),
    "sort integers": (lambda tf, x: tf.sort(x), [N]),
    "sort descending": (lambda tf, x: tf.sort(x, direction="DESCENDING"), [X]),
    "sort bytes": (lambda tf, x: tf.sort(x), [N.astype(np.uint8)]),
    "argsort": (lambda tf, x: tf.argsort(x), [N]),
    "unique": (lambda tf, x: tf.unique(x), [N]),
    "unique_with_counts": (lambda tf, x: tf.unique_with_counts(x), [N]),
    "index_shuffle": (lambda tf, x: tf.random.experimental.index_shuffle(x, [5, 8], 9), [N]),
    "index_shuffle of large indices": (
        lambda tf, x: tf.random.experimental.index_shuffle(tf.cast(x, tf.int64), [1, 2], 1 << 40),
        [N],
    ),
    "index_shuffle beyond the last index": (
        lambda tf, x: tf.random.experimental.index_shuffle(x, [5, 8], 2), [N],
    ),
    "searchsorted": (lambda tf, x: tf.searchsorted([1, 2, 4], x, "right"), [N]),
    "gather along an axis": (lambda tf, x: tf.gather(x, [2, 0], axis=1), [X]),
    "gather in batches": (lambda tf, x: tf.gather(x, [[1], [0]], axis=1, batch_dims=1), [X]),
    "gather_nd in batches": (lambda tf, x: tf.gather_nd(x, [[[1]], [[0]]], batch_dims=1), [BATCH]),
    "split": (lambda tf, x: tf.split(x, [1, -1], axis=1), [X]),
    "unstack": (lambda tf, x: tf.unstack(x, 3, axis=1), [X]),
    "stack": (lambda tf, x: tf.stack([x, x], axis=-1), [X]),
    "concat": (lambda tf, x: tf.concat([x, x[:, :1]], -1), [X]),
    "pad": (lambda tf, x: tf.pad(x, [[0, 1], [1, 0]], constant_values=7), [X]),
    "roll": (lambda tf, x: tf.roll(x, [1, -1], [0, 1]), [X]),
    "broadcast_dynamic_shape": (lambda tf, x: tf.broadcast_dynamic_shape([2, 1], x), [N[:1]]),
    "saturate_cast": (lambda tf, x: tf.saturate_cast(x * 200, tf.uint8), [X]),
    "softmax of an axis": (lambda tf, x: tf.nn.softmax(x, axis=0), [X]),
    "log_softmax": (lambda tf, x: tf.nn.log_softmax(x), [X]),
    "sigmoid_cross_entropy": (
        lambda tf, x: tf.nn.sigmoid_cross_entropy_with_logits(labels=x * 0 + 0.5, logits=x), [X],
    ),
    "weighted_cross_entropy": (
        lambda tf, x: tf.nn.weighted_cross_entropy_with_logits(x * 0 + 0.5, x, 2.0), [X],
    ),
    "log_poisson_loss": (lambda tf, x: tf.nn.log_poisson_loss(abs(x), x, True), [X]),
    "sparse cross entropy": (
        lambda tf, x: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 2], x), [X],
    ),
    "gelu": (lambda tf, x: tf.nn.gelu(x), [X]),
    "silu": (lambda tf, x: tf.nn.silu(x), [X]),
    "crelu": (lambda tf, x: tf.nn.crelu(x), [X]),
    "l2_loss": (lambda tf, x: tf.nn.l2_loss(x), [X]),
    "embedding_lookup of parts": (
        lambda tf, x: tf.nn.embedding_lookup([x, x[:1]], [[0, 2], [1, 0]]), [X]
    ),
    "embedding_lookup of a part that lacks a row": (
        lambda tf, x: tf.nn.embedding_lookup([x, x[:1]], [5]), [X]
    ),
    "embedding_lookup": (lambda tf, x: tf.nn.embedding_lookup(x, [1, 0], max_norm=2.0), [X]),
    "strings.join": (lambda tf, x: tf.strings.join([tf.strings.as_string(x), "b"], "-"), [N]),
    "strings.format": (lambda tf, x: tf.strings.format("{} {}", (x, x[0])), [X]),
    "strings.reduce_join": (lambda tf, x: tf.strings.reduce_join(tf.strings.as_string(x)), [M]),
    "strings.regex_replace": (
        lambda tf, x: tf.strings.regex_replace(tf.strings.as_string(x), "1", "one"), [N],
    ),
    "strings.to_number": (
        lambda tf, x: tf.strings.to_number(tf.strings.as_string(x), tf.int64), [N],
    ),
    "slices": (lambda tf, x: (x[0], x[..., ::-2], x[:, tf.newaxis, 1:], x[-1, 0]), [X]),
    "broadcast_to": (lambda tf, x: tf.broadcast_to(x, [2, 3]), [V]),
    "is_strictly_increasing": (lambda tf, x: tf.math.is_strictly_increasing(x), [N]),
    "is_non_decreasing": (lambda tf, x: tf.math.is_non_decreasing(x), [N[1:3]]),
}  # fmt: skip
