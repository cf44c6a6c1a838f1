"""Calls with sparse tensors, written for TensorFlow and for us alike: `call(tf, *arrays)`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call

# Indices and values of sparse tensors: of shape [3, 4], [3, 4] and [2, 3] (out of order).
S = [np.array([[0, 1], [1, 0], [2, 2]], np.int64), np.array([1.0, 2.0, -3.0], np.float32)]
OTHER = [np.array([[0, 1], [2, 0]], np.int64), np.array([5.0, -7.0], np.float32)]
U = [np.array([[1, 0], [0, 1]], np.int64), np.array([1.0, 2.0], np.float32)]
COUNTS = [np.array([[0, 1], [1, 0], [1, 2]], np.int64), np.array([1, 2, 2], np.int32)]
WORDS = np.array([["c", "a", "b", "a"], ["d", "", "d", "b"]], object)
DENSE = np.array([[0.5, 0.0], [1.0, -2.0], [0.0, 3.0], [4.0, 1.0]], np.float32)


def on(shape: list[int], function: Callable[..., Any]) -> Callable[..., Any]:
    """A call that gets a sparse tensor of `shape`, then the rest of the arrays."""

    def call(tf: Any, indices: Any, values: Any, *rest: Any) -> Any:
        return function(tf, tf.SparseTensor(indices, values, shape), *rest)

    return call


def s34(function: Callable[..., Any]) -> Call:
    return on([3, 4], function), S


def both(function: Callable[..., Any]) -> Call:
    def call(tf: Any, i: Any, v: Any, j: Any, w: Any) -> Any:
        return function(tf, tf.SparseTensor(i, v, [3, 4]), tf.SparseTensor(j, w, [3, 4]))

    return call, [*S, *OTHER]


def gradient(function: Callable[..., Any]) -> Call:
    def call(tf: Any, sparse: Any, *rest: Any) -> Any:
        with tf.GradientTape() as tape:
            values = sparse.values
            tape.watch(values)
            result = function(
                tf, tf.SparseTensor(sparse.indices, values, sparse.dense_shape), *rest
            )
        return tf.convert_to_tensor(tape.gradient(result, values))

    return on([3, 4], call), S


BY_NAME: dict[str, Call] = {
    "to_dense": s34(lambda tf, s: tf.sparse.to_dense(s)),
    "to_dense, default": s34(lambda tf, s: tf.sparse.to_dense(s, 9.0)),
    "to_dense, unordered": (
        on([2, 3], lambda tf, s: tf.sparse.to_dense(s, validate_indices=False)), U,
    ),
    "divide": s34(
        lambda tf, s: [tf.divide(s, 2.0), tf.divide(s, tf.constant([[1.0], [2.0], [4.0]]))]
    ),
    "divide something by it": s34(lambda tf, s: tf.divide(2.0, s)),
    "from_dense": (lambda tf, x: tf.sparse.from_dense(x), [DENSE]),
    "to_indicator": (on([2, 3], lambda tf, s: tf.sparse.to_indicator(s, 4)), COUNTS),
    "eye": (lambda tf, n: tf.sparse.eye(2, n), [np.array(3)]),
    "times a dense tensor": s34(lambda tf, s: s * tf.constant([1.0, 2.0, 3.0, 4.0])),
    "divided by a number": s34(lambda tf, s: s / 2.0),
    "abs": s34(lambda tf, s: tf.abs(s)),
    "negative": s34(lambda tf, s: tf.negative(s)),
    "cast": s34(lambda tf, s: tf.cast(s, tf.int32)),
    "shape": s34(lambda tf, s: tf.shape(s)),
    "size and rank": s34(lambda tf, s: (tf.size(s), tf.rank(s))),
    "identity": s34(lambda tf, s: tf.identity(s)),
    "add": both(lambda tf, s, o: tf.sparse.add(s, o)),
    "add, dense": s34(lambda tf, s: tf.sparse.add(s, tf.ones([3, 4]))),
    "add, threshold": s34(lambda tf, s: tf.sparse.add(s, s, threshold=4)),
    "maximum": both(lambda tf, s, o: tf.sparse.maximum(s, o)),
    "minimum": both(lambda tf, s, o: tf.sparse.minimum(s, o)),
    "concat 0": both(lambda tf, s, o: tf.sparse.concat(0, [s, o])),
    "concat 1": both(lambda tf, s, o: tf.sparse.concat(-1, [s, o])),
    "concat, expanding": s34(
        lambda tf, s: tf.sparse.concat(1, [s, tf.sparse.eye(2)], expand_nonconcat_dims=True)
    ),
    "expand_dims": s34(lambda tf, s: [tf.sparse.expand_dims(s, axis) for axis in (None, 0, 1)]),
    "fill_empty_rows": (on([4, 4], lambda tf, s: tf.sparse.fill_empty_rows(s, 9.0)), OTHER),
    "map_values": s34(lambda tf, s: tf.sparse.map_values(tf.add, s, s)),
    "mask": (
        lambda tf, x: tf.sparse.mask(tf.IndexedSlices(x, tf.range(4), tf.shape(x)), [1, 2]),
        [DENSE],
    ),
    "reduce_max": s34(lambda tf, s: [tf.sparse.reduce_max(s, a) for a in (None, 0, 1)]),
    "reduce_sum": s34(lambda tf, s: [tf.sparse.reduce_sum(s, a) for a in (None, [0], [-1])]),
    "reduce_sum, keepdims": s34(lambda tf, s: tf.sparse.reduce_sum(s, 0, keepdims=True)),
    "reduce_sum, sparse": s34(lambda tf, s: tf.sparse.reduce_sum(s, 0, output_is_sparse=True)),
    "reorder": (on([2, 3], lambda tf, s: tf.sparse.reorder(s)), U),
    "reset_shape": s34(lambda tf, s: tf.sparse.reset_shape(s)),
    "reset_shape, larger": s34(lambda tf, s: tf.sparse.reset_shape(s, [4, 5])),
    "reshape": s34(lambda tf, s: tf.sparse.reshape(s, [2, 6])),
    "reshape, -1": s34(lambda tf, s: tf.sparse.reshape(s, [-1])),
    "retain": s34(lambda tf, s: tf.sparse.retain(s, [True, False, True])),
    "slice": s34(lambda tf, s: tf.sparse.slice(s, [1, 0], [2, 3])),
    "slice, cut off": s34(lambda tf, s: tf.sparse.slice(s, [1, 0], [9, 9])),
    "softmax": s34(lambda tf, s: tf.sparse.softmax(tf.sparse.concat(1, [s, s]))),
    "split": s34(lambda tf, s: tf.sparse.split(sp_input=s, num_split=3, axis=1)),
    "transpose": s34(lambda tf, s: tf.sparse.transpose(s)),
    "matmul": (on([3, 4], lambda tf, s, x: tf.sparse.sparse_dense_matmul(s, x)), [*S, DENSE]),
    "matmul, dense first": (
        on([3, 4], lambda tf, s, x: tf.sparse.sparse_dense_matmul(tf.transpose(x)[:, :3], s)),
        [*S, DENSE],
    ),
    "matmul, adjoints": (
        on([3, 4], lambda tf, s, x: tf.sparse.sparse_dense_matmul(
            s, tf.transpose(x[:3]), adjoint_a=True, adjoint_b=True)),
        [*S, DENSE],
    ),
    "bincount": (lambda tf, x: tf.sparse.bincount(x), [np.array([1, 1, 2])]),
    "bincount of rows": (
        lambda tf, x: tf.sparse.bincount(x, axis=-1), [np.array([[1, 1, 2], [0, 0, 5]])],
    ),
    "bincount, sparse, dense counts": (
        on([2, 3], lambda tf, s: [
            tf.math.bincount(s, axis=-1, maxlength=2), tf.math.bincount(s, minlength=4),
        ]),
        COUNTS,
    ),
    "bincount, binary": (
        lambda tf, x: tf.sparse.bincount(x, axis=-1, binary_output=True, minlength=8),
        [np.array([[1, 1, 2], [0, 0, 5]])],
    ),
    "bincount, maxlength": (
        lambda tf, x: tf.sparse.bincount(x, maxlength=2, minlength=6), [np.array([1, 1, 2])],
    ),
    "bincount, sparse and weights": (
        on([2, 3], lambda tf, s: tf.sparse.bincount(
            s, axis=-1, weights=s.with_values([1.0, 2.0, 2.5]))),
        COUNTS,
    ),
    "segments": (
        lambda tf, x: [
            tf.sparse.segment_sum(x, [0, 1, 3], [0, 0, 2]),
            tf.sparse.segment_mean(x, [0, 1, 3], [0, 0, 2], num_segments=4),
            tf.sparse.segment_sqrt_n(x, [0, 1, 3], [0, 0, 2]),
        ],
        [DENSE],
    ),
    "sets": (
        lambda tf, x, y: (
            tf.sets.intersection(x, y), tf.sets.union(x, y), tf.sets.difference(x, y),
        ),
        [np.array([[3, 1, 1], [5, 0, 2]]), np.array([[1, 9], [2, 5]])],
    ),
    "sets of strings": (
        lambda tf, x, y: [
            combine(one, other)
            for combine in (tf.sets.intersection, tf.sets.union, tf.sets.difference)
            for one, other in (
                (x, y), (x, tf.sparse.from_dense(y)),
                (tf.sparse.from_dense(x), tf.sparse.from_dense(y)), (x[:, :0], y), (x[:0], y[:0]),
            )
        ],
        [WORDS, np.array([["b", "z"], ["d", ""]], object)],
    ),
    "size of sets of strings": (
        lambda tf, x: tf.sets.size(tf.sparse.from_dense(x)), [WORDS],
    ),
    "sets of far integers": (
        lambda tf, x, y: [tf.sets.union(x, y), tf.sets.difference(x, y, aminusb=False)],
        [np.array([[1, 5, -1]]), np.array([[2**62, 5, -(2**62)]])],
    ),
    "gradient of to_dense": gradient(lambda tf, s: tf.sparse.to_dense(s) ** 2),
    "gradient of matmul": gradient(
        lambda tf, s: tf.sparse.sparse_dense_matmul(s, tf.constant(DENSE)) ** 2
    ),
    "cross": (
        lambda tf, x, n: [
            tf.sparse.cross([tf.sparse.from_dense(x), n]), tf.sparse.cross([n, x], separator="-"),
            tf.sparse.cross([x, tf.cast(n, tf.float32)], "name"), tf.sparse.cross([]),
        ],
        [WORDS[:, :2], np.array([[1, -2], [3, 4]], np.int32)],
    ),
    "cross_hashed": (
        lambda tf, x, n: [
            tf.sparse.cross_hashed([tf.sparse.from_dense(x), n]),
            tf.sparse.cross_hashed([x, n], 100), tf.sparse.cross_hashed([n], 7, hash_key=-5),
            tf.sparse.cross_hashed([x, tf.equal(n, 3)], num_buckets=1000, hash_key=0),
        ],
        [WORDS[:, :2], np.array([[1, -2], [3, 4]], np.int32)],
    ),
    "sampled_addmm": (
        lambda tf, x, y: [
            tf.sparse.sampled_addmm([[0, 1], [2, 0]], [0.5, 0.25], [3, 3], x, y, beta, 2.0, x.dtype)
            for beta in (1.0, 0.5)
        ],
        [np.arange(6.0).reshape(3, 2), np.arange(6.0).reshape(2, 3) / 4],
    ),
    "sampled_addmm of several": (
        lambda tf, x, y: tf.sparse.sampled_addmm(
            [[[0, 1]], [[2, 0]]], [[0.5], [0.25]], [3, 3], x, y),
        [np.arange(12, dtype=np.float32).reshape(2, 3, 2), np.ones((2, 2, 3), np.float32)],
    ),
    "sampled_addmm of a shape that the function is told": (
        lambda tf, x: tf.function(
            lambda shape: tf.sparse.sampled_addmm([[0, 1]], [0.5], shape, x, tf.transpose(x))
        )(tf.constant([3, 4])),
        [np.ones((3, 2), np.float32)],
    ),
    "sampled_addmm of another shape": (
        lambda tf, x: tf.sparse.sampled_addmm([[0, 1]], [0.5], [3, 4], x, tf.transpose(x)),
        [np.ones((3, 2), np.float32)],
    ),
    "gradient of a product": gradient(lambda tf, s: (s * tf.range(4.0)).values),
    "gradient of reduce_sum": gradient(lambda tf, s: tf.sparse.reduce_sum(s, 1) ** 2),
    "gradient of reorder": gradient(lambda tf, s: tf.sparse.transpose(s).values * [1.0, 2.0, 3.0]),
    "gradients that are dense": (
        lambda tf: [is_dense(tf, f) for f in (
            tf.sparse.reorder, lambda s: tf.sparse.softmax(tf.sparse.reorder(s)),
            lambda s: tf.sparse.reshape(tf.sparse.reorder(s), [4]),
            lambda s: tf.sparse.add(tf.sparse.reorder(s), tf.sparse.reorder(s)),
        )], [],
    ),
    "gradient of a dense factor": (
        on([3, 4], lambda tf, s, x: dense_gradient(tf, s, x)), [*S, DENSE],
    ),
}  # fmt: skip


def is_dense(tf: Any, function: Callable[[Any], Any]) -> Any:
    """Whether the gradient of a sparse tensor's values is a tensor, and no IndexedSlices."""
    values = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(values)
        result = function(tf.SparseTensor([[1, 0], [0, 1]], values, (2, 2)))
    return tf.constant(isinstance(tape.gradient(result.values, values), tf.Tensor))


def dense_gradient(tf: Any, sparse: Any, x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        product = tf.sparse.sparse_dense_matmul(sparse, x)
    return tf.convert_to_tensor(tape.gradient(product, x))


def as_values(function: Callable[..., Any]) -> Call:
    """What sessions return for sparse tensors are taken for such."""

    def call(tf: Any, i: Any, v: Any, j: Any, w: Any) -> Any:
        made = tf.compat.v1.SparseTensorValue
        whole = [np.asarray(one).astype(np.int64) for one in (v, w)]
        return function(tf, made(i.numpy(), whole[0], [3, 4]), made(j.numpy(), whole[1], [3, 4]))

    return call, [*S, *OTHER]


BY_NAME |= {
    "edit_distance of values": as_values(lambda tf, a, b: tf.edit_distance(a, b)),
    "sets of values": as_values(lambda tf, a, b: [tf.sets.union(a, b), tf.sets.size(a)]),
    "datasets of values": as_values(
        lambda tf, a, b: [
            *tf.data.Dataset.from_tensors({"a": a, "b": b}),
            *tf.data.Dataset.from_tensor_slices((a, b)),
        ]
    ),
    "merge of values": as_values(
        lambda tf, a, b: tf.compat.v1.sparse.merge(
            a._replace(values=abs(a.values)), a, 9, already_sorted=True
        )
    ),
}
CALLS = {f"sparse: {name}": call for name, call in BY_NAME.items()}
# One of each kind: compiling all of them takes minutes.
COMPILED = [
    "sparse: to_dense",
    "sparse: transpose",
    "sparse: matmul",
    "sparse: concat 0",
    "sparse: cross",
    "sparse: cross_hashed",
]
