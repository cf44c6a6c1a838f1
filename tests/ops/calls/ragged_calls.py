"""Calls with ragged tensors, written for TensorFlow and for us alike: `call(tf, *arrays)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call

VALUES = np.array([1.0, 2.0, 3.0, 4.0, 5.0], np.float32)
SPLITS = np.array([0, 2, 2, 5], np.int64)
OTHER = np.array([0, 1, 3, 5], np.int64)
WORDS = np.array([["c", "a"], ["d", ""]], object)
# Matrices of 1, 0 and 2 rows, and square ones.
MATRICES = [
    np.array([[1, 2], [3, 4], [5, 6]], np.float32), np.array([0, 1, 1, 3], np.int64),
    np.arange(12, dtype=np.float32).reshape(3, 2, 2),
]  # fmt: skip
PADDED = np.array([[1, 2, 0], [3, 0, 0], [0, 0, 0]], np.int32)


def r(function: Callable[..., Any]) -> Call:
    """A call with the rows [1, 2], [], [3, 4, 5]."""

    def call(tf: Any, values: Any, splits: Any) -> Any:
        return function(tf, tf.RaggedTensor.from_row_splits(values, splits))

    return call, [VALUES, SPLITS]


def both(function: Callable[..., Any]) -> Call:
    """A call with the same values in the rows of SPLITS and of OTHER."""

    def call(tf: Any, values: Any, one: Any, other: Any) -> Any:
        make = tf.RaggedTensor.from_row_splits
        return function(tf, make(values, one), make(values, other))

    return call, [VALUES, SPLITS, OTHER]


def nested(function: Callable[..., Any]) -> Call:
    """A call with the rows [[1, 2], []], [[3, 4, 5]]."""

    def call(tf: Any, values: Any, splits: Any) -> Any:
        rows = tf.RaggedTensor.from_row_splits(values, splits)
        return function(tf, tf.RaggedTensor.from_row_splits(rows, [0, 2, 3]))

    return call, [VALUES, SPLITS]


def wide(function: Callable[..., Any]) -> Call:
    """A call with rows of pairs: [[1, -1], [2, -2]], [], [[3, -3], [4, -4], [5, -5]]."""

    def call(tf: Any, values: Any, splits: Any) -> Any:
        pairs = tf.stack([values, -values], 1)
        return function(tf, tf.RaggedTensor.from_row_splits(pairs, splits))

    return call, [VALUES, SPLITS]


def unsorted_segments(tf: Any) -> list[Any]:
    names = ("sum", "max", "min", "prod", "mean", "sqrt_n")
    return [getattr(tf.math, f"unsorted_segment_{name}") for name in names]


BY_NAME: dict[str, Call] = {
    "stack_dynamic_partitions": r(
        lambda tf, x: tf.ragged.stack_dynamic_partitions(x, [2, 0, 2], 3)
    ),
    "stack_dynamic_partitions of a vector": r(
        lambda tf, x: tf.ragged.stack_dynamic_partitions(x.values, [1, 0, 1, 3, 0], 4)
    ),
    "stack_dynamic_partitions of a matrix": r(
        lambda tf, x: tf.ragged.stack_dynamic_partitions([[1, 2], [3, 4]], [[0, 1], [1, 0]], 2)
    ),
    "stack_dynamic_partitions by rows": r(
        lambda tf, x: tf.ragged.stack_dynamic_partitions(
            x, tf.ragged.constant([[1, 0], [], [1, 1, 0]]), 2
        )
    ),
    "stack_dynamic_partitions of one": r(
        lambda tf, x: tf.ragged.stack_dynamic_partitions(x.values, tf.constant(1, tf.int64), 3)
    ),
    "stack_dynamic_partitions beyond": r(
        lambda tf, x: tf.ragged.stack_dynamic_partitions(x.values[:2], [0, 5], 3)
    ),
    "lengths": r(lambda tf, x: (x.row_lengths(), x.row_starts(), x.row_limits(), x.nrows())),
    "value_rowids": r(lambda tf, x: x.value_rowids()),
    "bounding_shape": nested(lambda tf, x: (x.bounding_shape(), x.bounding_shape(axis=1))),
    "to_tensor": r(lambda tf, x: (x.to_tensor(), x.to_tensor(9.0), x.to_tensor(shape=[None, 2]))),
    "to_tensor, nested": nested(lambda tf, x: x.to_tensor()),
    "to_tensor, of a shape": r(
        lambda tf, x: [
            x.to_tensor(9.0, shape=shape)
            for shape in ([4, 5], [4, None], [2, 2], [1, None], [0, 2], (4, 1), [None, None])
        ]
    ),
    "to_tensor, of a shape that is a tensor": r(
        lambda tf, x: [x.to_tensor(shape=tf.constant(shape)) for shape in ([4, 2], [-1, 5])]
    ),
    "to_tensor, of a shape that a run tells": r(
        lambda tf, x: x.to_tensor(shape=[2, -1] * tf.cast(x.nrows() > 0, tf.int64))
    ),
    "bincount": r(
        lambda tf, x: [
            tf.math.bincount(tf.cast(x, tf.int32)),
            tf.math.bincount(tf.cast(x, tf.int32), axis=-1, maxlength=5),
            tf.math.bincount(tf.cast(x, tf.int32), axis=-1, binary_output=True, dtype=tf.int64),
        ]
    ),
    "to_tensor, nested, of a shape": nested(
        lambda tf, x: [
            x.to_tensor(shape=shape)
            for shape in ([4, 3, 5], [1, None, 1], [None, 1, None], [3, None, None])
        ]
    ),
    "to_tensor, filled up with rows": r(
        lambda tf, x: x.with_values(tf.stack([x.values, -x.values], 1)).to_tensor(
            [7.0, 8.0], shape=[4, 2, 2]
        )
    ),
    "map_fn of rows": r(lambda tf, x: [tf.map_fn(one, x) for one in (tf.square, lambda y: y[:1])]),
    "map_fn of rows, more axes": r(lambda tf, x: tf.map_fn(lambda y: tf.stack([y, -y], 1), x)),
    "map_fn of rows of one length": r(lambda tf, x: tf.map_fn(lambda y: tf.ones([2]), x)),
    "map_fn of rows and numbers": r(
        lambda tf, x: tf.map_fn(lambda y: (y[0] * y[1], y[1]), (x, tf.constant([1.0, 2.0, 3.0])))
    ),
    "map_fn of nested rows": nested(lambda tf, x: tf.map_fn(lambda y: -y, x)),
    "map_fn of no rows": r(lambda tf, x: tf.map_fn(tf.square, x[:0])),
    "to_sparse": r(lambda tf, x: x.to_sparse()),
    "from_sparse": r(lambda tf, x: tf.RaggedTensor.from_sparse(x.to_sparse())),
    "from_row_lengths": (
        lambda tf, x: tf.RaggedTensor.from_row_lengths(x, [2, 0, 3]), [VALUES],
    ),
    "from_row_starts": (lambda tf, x: tf.RaggedTensor.from_row_starts(x, [0, 2, 2]), [VALUES]),
    "from_row_limits": (lambda tf, x: tf.RaggedTensor.from_row_limits(x, [2, 2, 5]), [VALUES]),
    "from_value_rowids": (
        lambda tf, x: tf.RaggedTensor.from_value_rowids(x, [0, 0, 2, 2, 3], nrows=6), [VALUES],
    ),
    "from_nested_row_splits": (
        lambda tf, x: tf.RaggedTensor.from_nested_row_splits(x, [[0, 2, 3], [0, 2, 2, 5]]),
        [VALUES],
    ),
    "from_nested_row_lengths": (
        lambda tf, x: tf.RaggedTensor.from_nested_row_lengths(x, [[2, 1], [2, 0, 3]]), [VALUES],
    ),
    "from_tensor": (lambda tf, x: tf.RaggedTensor.from_tensor(x), [PADDED]),
    "from_tensor, lengths": (
        lambda tf, x: tf.RaggedTensor.from_tensor(x, lengths=[2, 0, 3]), [PADDED],
    ),
    "from_tensor, padding": (lambda tf, x: tf.RaggedTensor.from_tensor(x, padding=0), [PADDED]),
    "merge_dims": nested(lambda tf, x: (x.merge_dims(0, 1), x.merge_dims(1, 2))),
    "a row": r(lambda tf, x: (x[0], x[2], x[-1])),
    "some rows": r(lambda tf, x: x[1:]),
    "an element": r(lambda tf, x: x[2, 1]),
    "operators": r(lambda tf, x: (x + 1.0, 2.0 - x, x * x, x / 2.0, -x, abs(x), x**2)),
    "comparisons": r(lambda tf, x: (x > 2.0, x <= x, tf.equal(x, 3.0), x == x)),
    "elementwise functions": r(lambda tf, x: (tf.square(x), tf.exp(x), tf.add(x, x), tf.abs(x))),
    "a column": r(lambda tf, x: x * tf.constant([[1.0], [2.0], [3.0]])),
    "cast": r(lambda tf, x: tf.cast(x, tf.int32)),
    "map_flat_values": r(lambda tf, x: tf.ragged.map_flat_values(tf.multiply, x, 3.0)),
    "concat 0": both(lambda tf, x, y: tf.concat([x, y], 0)),
    "concat 1": both(lambda tf, x, y: tf.concat([x, y], 1)),
    "concat of a tensor": r(lambda tf, x: tf.concat([x, tf.ones([3, 2])], 1)),
    "stack": both(lambda tf, x, y: tf.stack([x, y])),
    "gather": r(lambda tf, x: tf.gather(x, [2, 0, 2])),
    "gather, ragged indices": r(lambda tf, x: tf.gather(tf.range(6.0), tf.cast(x, tf.int32))),
    "gather along later axes": r(
        lambda tf, x: [
            tf.gather(tf.reshape(tf.range(24), [2, 3, 4]), tf.cast(x, tf.int32) // 2, axis=axis)
            for axis in (1, 2, -1)
        ]
    ),
    "gather along a later axis, nested": nested(
        lambda tf, x: tf.gather(tf.reshape(tf.range(18), [3, 6]), tf.cast(x, tf.int32), axis=1)
    ),
    "gather row by row": r(
        lambda tf, x: (
            tf.gather(tf.reshape(tf.range(18.0), [3, 6]), tf.cast(x, tf.int32), batch_dims=1),
            tf.gather(x, tf.cast(x * 0.0, tf.int32), batch_dims=1),
        )
    ),
    "gather the same of each row": both(
        lambda tf, x, y: (tf.gather(y, [0], axis=1), tf.gather(y, 0, axis=1))
    ),
    "gather within rows": r(
        lambda tf, x: tf.gather(x.with_values(tf.stack([x.values, -x.values], 1)), [1, 0], axis=2)
    ),
    "gather_nd": both(
        lambda tf, x, y: (tf.gather_nd(y, [[0, 0], [2, 1]]), tf.gather_nd(x, [[2], [0]]))
    ),
    "gather_nd, nested": nested(lambda tf, x: tf.gather_nd(x, [[0, 0, 1], [1, 0, 2]])),
    "gather_nd, ragged indices": r(
        lambda tf, x: tf.gather_nd(
            tf.range(6.0), x.with_values(tf.cast(x.values, tf.int32)[:, None])
        )
    ),
    "one_hot": r(lambda tf, x: [tf.one_hot(tf.cast(x, tf.int32), 4, axis=k) for k in (-1, 2)]),
    "one_hot, nested": nested(lambda tf, x: tf.one_hot(tf.cast(x, tf.int64), 3, 5, 7)),
    "softmax": r(lambda tf, x: (tf.nn.softmax(x), tf.nn.softmax(x, -1))),
    "softmax, nested": nested(lambda tf, x: tf.nn.softmax(x)),
    "functions of numbers": r(
        lambda tf, x: [
            tf.round(x / 2.0), tf.clip_by_value(x, 2.0, 4.0), tf.saturate_cast(x * 100.0, tf.int8),
            tf.bitcast(x, tf.int32), tf.math.reciprocal_no_nan(x), tf.nn.gelu(x), tf.nn.silu(x),
            tf.debugging.check_numerics(x, "no"), tf.nn.dropout(x, 0.0), tf.add_n([x, x, -x]),
            tf.nn.sigmoid_cross_entropy_with_logits(labels=x, logits=x), tf.math.erfinv(x / 9.0),
            tf.math.bessel_i0(x), tf.math.special.fresnel_cos(x), tf.math.zeta(x + 1.0, x),
        ]
    ),
    "parts of complex numbers": r(
        lambda tf, x: [
            part(tf.complex(x, -x))
            for part in (tf.math.real, tf.math.imag, tf.math.angle, tf.math.conj)
        ]
    ),
    "boolean_mask of rows": r(lambda tf, x: tf.ragged.boolean_mask(x, [True, True, False])),
    "boolean_mask of elements": r(lambda tf, x: tf.ragged.boolean_mask(x, x > 1.5)),
    "where": r(lambda tf, x: tf.where(x > 2.0, x, -x)),
    "where, a list as condition": r(
        lambda tf, x: (tf.where([[True], [True], [False]], x, -x), tf.where(False, x, 0.0))
    ),
    "where, a number beside": r(
        lambda tf, x: (tf.where(x > 2.0, x, 0.0), tf.where(x > 2.0, 0.0, x))
    ),
    "where, indices": r(lambda tf, x: tf.where(x > 1.0)),
    "expand_dims": r(lambda tf, x: [tf.expand_dims(x, axis) for axis in (0, 1, 2)]),
    "reverse": r(lambda tf, x: (tf.reverse(x, [0]), tf.reverse(x, [1]))),
    "tile": r(lambda tf, x: tf.tile(x, [2, 1])),
    "reduce_sum": r(lambda tf, x: [tf.reduce_sum(x, axis) for axis in (None, 0, 1, -1)]),
    "reduce_sum, keepdims": r(lambda tf, x: tf.reduce_sum(x, 1, keepdims=True)),
    "reduce_sum, nested": nested(lambda tf, x: (tf.reduce_sum(x, 2), tf.reduce_sum(x, 1))),
    "reduce_mean": r(lambda tf, x: [tf.reduce_mean(x, axis) for axis in (None, 0)]),
    "reduce_max and reduce_min": r(lambda tf, x: (tf.reduce_max(x, 0), tf.reduce_min(x, 0))),
    "reduce_any and reduce_all": r(
        lambda tf, x: (tf.reduce_any(x > 4.0, 1), tf.reduce_all(x > 4.0, 1))
    ),
    "reduce_variance": r(lambda tf, x: [tf.math.reduce_variance(x, k) for k in (None, 0, 1, -1)]),
    "reduce_variance, nested": nested(
        lambda tf, x: [tf.math.reduce_variance(x, axis, keepdims=True) for axis in (None, 1, 2)]
    ),
    "reduce_std of integers": r(
        lambda tf, x: [tf.math.reduce_std(tf.cast(x, tf.int8), axis) for axis in (None, 0, 1)]
    ),
    "reductions to one element": nested(
        lambda tf, x: (
            tf.reduce_sum(x, keepdims=True), tf.reduce_max(x, keepdims=True),
            tf.reduce_any(x > 4.0, keepdims=True),
        )
    ),
    "zeros_like and ones_like": r(lambda tf, x: (tf.zeros_like(x), tf.ones_like(x))),
    "size and rank": r(lambda tf, x: (tf.size(x), tf.rank(x))),
    "identity": r(lambda tf, x: tf.identity(x)),
    "constant": (lambda tf, x: tf.ragged.constant([[1, 2], [], [3]]), [VALUES]),
    "constant, nested": (lambda tf, x: tf.ragged.constant([[[1.0], []], [[2.0, 3.0]]]), [VALUES]),
    "range of nearly all integers": (
        lambda tf, x: tf.ragged.range(x, [2**31 - 1, -(2**31)], [2**30, -(2**31) + 1]),
        [np.array([-(2**31), 2**31 - 1], np.int32)],
    ),
    "range": (lambda tf, x: tf.ragged.range([3, 5, 8], [6, 5, 0], [1, 1, -3]), [VALUES]),
    "splits and ids": (
        lambda tf, x: (
            tf.ragged.row_splits_to_segment_ids([0, 2, 2, 5]),
            tf.ragged.segment_ids_to_row_splits([0, 0, 2, 2, 2]),
        ),
        [VALUES],
    ),
    "reduce, several axes": nested(
        lambda tf, x: [
            reduce(x, axis)
            for reduce in (tf.reduce_sum, tf.reduce_mean, tf.reduce_max, tf.math.reduce_std)
            for axis in (0, [0, 1], [1, 2], [0, 2], [0, 1, 2], [])
        ]
    ),
    "reduce, several axes, keepdims": nested(
        lambda tf, x: [
            reduce(x, axis, keepdims=True)
            for reduce in (tf.reduce_sum, tf.reduce_min, tf.math.reduce_variance)
            for axis in (None, 0, 1, [0, 1], [1, 2])
        ]
    ),
    "reduce, axes within the values": wide(
        lambda tf, x: [
            reduce(x, axis)
            for reduce in (tf.reduce_prod, tf.reduce_mean, tf.math.reduce_variance)
            for axis in (0, 1, 2, [0, 1], [1, 2], [0, 2])
        ]
    ),
    "reduce_mean of integers": r(
        lambda tf, x: [
            tf.reduce_mean(tf.cast(x, dtype), axis)
            for dtype in (tf.int32, tf.int64, tf.uint8)
            for axis in (None, 1)
        ]
    ),
    "bincount of bools": r(
        lambda tf, x: [tf.math.bincount(x > 4.0), tf.math.bincount(x > 4.0, axis=-1)]
    ),
    "reduce_logsumexp of all": r(lambda tf, x: tf.reduce_logsumexp(x)),
    "reduce_logsumexp of rows": r(lambda tf, x: tf.reduce_logsumexp(x, 1)),
    "reduce_logsumexp of rows, kept": r(lambda tf, x: tf.reduce_logsumexp(x, -1, keepdims=True)),
    "moments": wide(lambda tf, x: tf.nn.moments(x, [1]) + tf.nn.moments(x, [0, 1])),
    "reduce_join, several axes": nested(
        lambda tf, x: tf.strings.reduce_join(tf.strings.as_string(x, 0), [1, 2], separator="-")
    ),
    "unsorted segments of elements": r(
        lambda tf, x: [
            segment(x, tf.cast(x, tf.int64) % 2, 3) for segment in unsorted_segments(tf)
        ]
    ),
    "unsorted segments of rows": nested(
        lambda tf, x: [segment(x, [1, 1], 3) for segment in unsorted_segments(tf)]
    ),
    "cumsum": r(
        lambda tf, x: [
            tf.cumsum(x, axis, exclusive, reverse)
            for axis in (0, 1, -1)
            for exclusive in (False, True)
            for reverse in (False, True)
        ]
    ),
    "cumsum, nested": nested(lambda tf, x: [tf.math.cumsum(x, axis) for axis in (0, 1, 2)]),
    "cumsum, within the values": wide(lambda tf, x: [tf.cumsum(x, axis) for axis in (1, 2)]),
    "split": r(
        lambda tf, x: [*tf.split(x, 3), *tf.split(x, [1, 2]), *tf.split(x, tf.constant([0, 3]))]
    ),
    "split, within the values": wide(lambda tf, x: tf.split(x, 2, axis=2)),
    "split, rows of one length": (
        lambda tf, x: tf.split(tf.RaggedTensor.from_tensor(x), [1, 2], 1), [PADDED],
    ),
    "dynamic_partition of rows": r(lambda tf, x: tf.dynamic_partition(x, [1, 0, 1], 3)),
    "dynamic_partition of elements": r(
        lambda tf, x: tf.dynamic_partition(x, tf.cast(x, tf.int32) % 2, 2)
    ),
    "tile, nested": nested(lambda tf, x: [tf.tile(x, k) for k in ([1, 2, 2], [2, 1, 0])]),
    "tile, within the values": wide(lambda tf, x: [tf.tile(x, k) for k in ([2, 1, 2], [1, 2, 1])]),
    "squeeze": nested(
        lambda tf, x: [
            tf.squeeze(tf.expand_dims(x, 2), [2]), tf.squeeze(x[None, None], [0, 1]),
            tf.squeeze(tf.expand_dims(x, 3), 3),
        ]
    ),
    "where, indices, nested": nested(lambda tf, x: tf.where(x > 1.0)),
    "where, indices, within the values": wide(lambda tf, x: tf.where(x > 2.0)),
    "where, a column as condition": r(
        lambda tf, x: tf.where(tf.constant([[1.0], [2.0], [3.0]]) > 1.5, x, 0.0)
    ),
    "operators, a tensor with fewer rows": nested(
        lambda tf, x: [
            tf.add(x, [[[10.0]], [[20.0]]]), x * [[[2.0]]], [7.0] - x, x < [[[2.5]], [[4.5]]]
        ]
    ),
    "operators, a tensor with more axes": r(
        lambda tf, x: [x + tf.ones([2, 1, 1]), tf.reshape(tf.range(6.0), [2, 3, 1]) - x]
    ),
    "operators, another ragged rank": nested(
        lambda tf, x: x * tf.ragged.constant([[[2.0], [3.0]], [[5.0]]], ragged_rank=1)
    ),
    "operators, a tensor of all elements": wide(
        lambda tf, x: [tf.add(x, [1.0, 2.0]), x * tf.reshape(tf.range(6.0), [3, 1, 2])]
    ),
    "operators, rows of one length": (
        lambda tf, x: [
            tf.RaggedTensor.from_tensor(x) + one for one in (x, x[:1], x[0], x[:, :1], x[None])
        ],
        [PADDED],
    ),
    "slices of rows of one length": (
        lambda tf, x: [
            tf.RaggedTensor.from_tensor(x)[key]
            for key in (
                (slice(None), 0), (slice(1, None), -1), (slice(None), slice(1, None)),
                (slice(None, None, -1), slice(None, None, 2)),
            )
        ],
        [PADDED],
    ),
    "from_tensor, several ragged axes": (
        lambda tf, x: [
            tf.RaggedTensor.from_tensor(tf.stack([x, x]), ragged_rank=2, **more)
            for more in ({}, {"padding": 0}, {"lengths": [1, 2, 3, 0, 2, 1]})
        ],
        [PADDED],
    ),
    "broadcast_to": r(
        lambda tf, x: [
            tf.broadcast_to(one, tf.shape(x)) for one in (3.0, [[1.0]], [[1.0], [2.0], [3.0]])
        ]
    ),
    "reshape": r(
        lambda tf, x: [
            tf.reshape(x, [-1, 1]), tf.reshape(tf.range(5), tf.shape(x)), tf.reshape(x, tf.shape(x))
        ]
    ),
    "bounding_shape, several axes": nested(lambda tf, x: x.bounding_shape(axis=[0, 2])),
    "reverse, nested": nested(lambda tf, x: [tf.reverse(x, axes) for axes in ([0, 1], [1], [2])]),
    "reverse, within the values": wide(lambda tf, x: tf.reverse(x, [1, 2])),
    "concat and stack within the values": wide(
        lambda tf, x: [tf.concat([x, x], 2), tf.stack([x, x], 2), tf.stack([x, x], -1)]
    ),
    "stack of rows": r(lambda tf, x: [tf.stack([x, x], axis) for axis in (1, 2, -1)]),
    "concat, nested": nested(lambda tf, x: [tf.concat([x, x], axis) for axis in (0, 1, 2)]),
    "ragged.stack": (
        lambda tf, x: [
            tf.ragged.stack([tf.range(3), tf.range(2)]), tf.ragged.stack([[1], [2, 3]]),
            tf.ragged.stack([1, 2]), tf.ragged.stack([x, x[:2]]),
        ],
        [PADDED],
    ),
    "boolean_mask within the values": wide(
        lambda tf, x: [tf.ragged.boolean_mask(x, one) for one in (x > 2.0, x[:, :, 0] > 2.0)]
    ),
    "gather, indices of several axes": r(lambda tf, x: tf.gather(x, [[2, 0], [1, 1]])),
    "gather, two batch axes": nested(
        lambda tf, x: tf.gather(x, tf.cast(x * 0.0, tf.int32), batch_dims=2)
    ),
    "gather_nd of rows": nested(lambda tf, x: tf.gather_nd(x, [[[1]], [[0]]])),
    "row_lengths of later axes": nested(
        lambda tf, x: [x.row_lengths(axis) for axis in (0, 1, 2, -1)]
    ),
    "row_lengths within the values": wide(lambda tf, x: x.row_lengths(2)),
    "to_sparse, nested": nested(lambda tf, x: x.to_sparse()),
    "to_sparse, within the values": wide(lambda tf, x: x.to_sparse()),
    "range of unlike vectors": (
        lambda tf, x: tf.ragged.range(x[:2], x[1:2], 1.0), [np.array([0.0, 3.0, 5.0])],
    ),
    "range of a matrix": (lambda tf, x: tf.ragged.range(x[None]), [np.array([0.0, 3.0])]),
    "range of scalars and floats": (
        lambda tf, x: [
            tf.ragged.range(3), tf.ragged.range([0.0, 1.0], [1.0, 1.25], 0.5),
            tf.ragged.range(0, [3, 0]),
        ],
        [VALUES],
    ),
    "embedding_lookup_sparse": r(
        lambda tf, x: [
            look_up(tf.reshape(tf.range(12.0), [6, 2]), tf.cast(x, tf.int32), weights, combiner)
            for look_up in (
                tf.nn.embedding_lookup_sparse, tf.nn.safe_embedding_lookup_sparse,
            )
            for weights in (None, x / 2.0)
            for combiner in ("mean", "sum", "sqrtn")
        ]
    ),
    "regex_replace, the input by its name": r(
        lambda tf, x: tf.strings.regex_replace(
            input=tf.strings.as_string(x, 0), pattern="[1-3]", rewrite="a"
        )
    ),
    "zeros, ones and fill": r(
        lambda tf, x: [tf.zeros(tf.shape(x)), tf.ones(tf.shape(x)), tf.fill(tf.shape(x), 7)]
    ),
    "assertions": r(
        lambda tf, x: [
            tf.debugging.assert_equal(x, x), tf.debugging.assert_less(x, 9.0),
            tf.debugging.assert_near(x, x), tf.debugging.assert_none_equal(x, -x, message="no"),
            tf.debugging.assert_greater_equal(x, tf.constant([[1.0], [2.0], [3.0]])),
        ]
    ),
    "images of any sizes": r(
        lambda tf, x: [
            tf.image.adjust_brightness(x, 0.5), tf.image.adjust_gamma(x, 2.0),
            tf.image.convert_image_dtype(x / 5.0, tf.uint8),
        ]
    ),
    "stateless_dropout": r(
        lambda tf, x: tf.nn.experimental.stateless_dropout(x, 0.5, seed=[1, 2])
    ),
    "cross": (
        lambda tf, x, n: [
            tf.ragged.cross(
                [tf.RaggedTensor.from_tensor(x, padding=b"a"), tf.sparse.from_dense(x), n]
            ),
            tf.ragged.cross([n, [["x"], ["y"]]]), tf.ragged.cross([]),
            tf.ragged.cross_hashed([x, tf.RaggedTensor.from_tensor(n, lengths=[1, 0])]),
            tf.ragged.cross_hashed([x, n], num_buckets=100, hash_key=0),
        ],
        [WORDS, PADDED[:2]],
    ),
    "matmul": (
        lambda tf, values, splits, x: [
            product
            for rows in [tf.RaggedTensor.from_row_splits(values, splits)]
            for product in (
                tf.matmul(rows, x), tf.matmul(rows, x, transpose_b=True),
                tf.matmul(rows, rows, transpose_a=True), tf.matmul(rows, rows, adjoint_b=True),
                tf.matmul(tf.RaggedTensor.from_tensor(x), x), tf.matmul(rows[1:], x[1:]),
                tf.matmul(tf.cast(rows, tf.int8), tf.cast(x, tf.int8), output_type=tf.int32),
                tf.matmul(tf.RaggedTensor.from_tensor(x[0]), x[1]),
                tf.matmul(x[0], tf.RaggedTensor.from_tensor(x[1], ragged_rank=1)),
            )
        ],
        MATRICES,
    ),
    "matmul, nested": (
        lambda tf, values, splits, x: [
            product
            for rows in [tf.RaggedTensor.from_row_splits(values, splits)]
            for turned in [tf.matmul(rows, rows, transpose_b=True)]
            for batches in [tf.RaggedTensor.from_row_splits(rows, [0, 1, 3])]
            for product in (
                tf.matmul(turned, rows), tf.matmul(turned, turned),
                tf.matmul(rows, turned, transpose_a=True), tf.matmul(batches, batches, False, True),
                tf.matmul(batches, tf.RaggedTensor.from_row_splits(x, [0, 1, 3])),
            )
        ],
        MATRICES,
    ),
    "gradient of matmul": (
        lambda tf, values, splits, x: gradients_of_product(tf, values, splits, x), MATRICES,
    ),
    "resize images": (
        lambda tf, values, widths, heights: [
            image
            for images in [tf.RaggedTensor.from_nested_row_lengths(values, [heights, widths])]
            for image in (
                tf.image.resize(images, [2, 3]), tf.image.resize(images, [4, 1], "nearest"),
                tf.image.resize(images, tf.constant([3, 3]), "bicubic", antialias=True),
                tf.image.resize(tf.cast(images * 9.0, tf.int32), [1, 2]),
            )
        ],
        [np.linspace(0, 1, 36, dtype=np.float32).reshape(12, 3), np.array([2, 2, 2, 2, 4]),
         np.array([1, 3, 1])],
    ),
}  # fmt: skip


def gradients_of_product(tf: Any, values: Any, splits: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch([values, x])
        product = tf.matmul(tf.RaggedTensor.from_row_splits(values, splits), x)
        total = tf.reduce_sum(product.flat_values**2)
    return tape.gradient(total, [values, x])


CALLS = {f"ragged: {name}": call for name, call in BY_NAME.items()}
# One of each kind: compiling all of them takes minutes.
COMPILED = [
    "ragged: stack_dynamic_partitions",
    "ragged: to_tensor",
    "ragged: concat 1",
    "ragged: operators",
    "ragged: from_tensor",
    "ragged: cumsum, nested",
    "ragged: split",
    "ragged: tile, nested",
    "ragged: squeeze",
    "ragged: unsorted segments of rows",
    "ragged: where, indices, nested",
    "ragged: operators, a tensor with more axes",
    "ragged: broadcast_to",
    "ragged: matmul",
    "ragged: matmul, nested",
    "ragged: resize images",
    "ragged: cross",
    "ragged: operators, rows of one length",
    "ragged: slices of rows of one length",
]
