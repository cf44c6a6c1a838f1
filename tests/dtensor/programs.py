"""Operations on tensors of a mesh of 2 × 2 devices, whose layouts are told by letters: "x."."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import tensormill as tf

dtensor = tf.experimental.dtensor
MESH = dtensor.create_mesh([("x", 2), ("y", 2)], devices=[f"CPU:{k}" for k in range(4)])


def layout(letters: str) -> Any:
    return dtensor.Layout([dtensor.UNSHARDED if one == "." else one for one in letters], MESH)


def laid_out(shape: tuple[int, ...], letters: str) -> Any:
    values = np.arange(np.prod(shape)).reshape(shape) % 7 + 1
    return dtensor.relayout(values.astype(np.float32), layout(letters))


def letters_of(tensor: Any) -> str:
    specs = dtensor.fetch_layout(tensor).sharding_specs
    return "".join("." if one == dtensor.UNSHARDED else one for one in specs)


def gradient(function: Callable[..., Any]) -> Callable[..., Any]:
    """By the first operand."""

    def differentiated(*operands: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(operands[0])
            loss = tf.reduce_sum(function(*operands) ** 2)
        return tape.gradient(loss, operands[0])

    return differentiated


def loss_of_mlp(w1: Any, w2: Any, b1: Any, x: Any, labels: Any) -> Any:
    logits = tf.matmul(tf.nn.relu(tf.matmul(x, w1) + b1), w2)
    found = tf.nn.sparse_softmax_cross_entropy_with_logits(tf.cast(labels, tf.int32) % 4, logits)
    return tf.reduce_mean(found)


def normalized(x: Any, scale: Any) -> Any:
    centered = x - tf.reduce_mean(x, -1, keepdims=True)
    return centered * tf.math.rsqrt(tf.math.reduce_variance(x, -1, keepdims=True) + 1e-5) * scale


M, V, C, I = (4, 4), (4,), (4, 4, 4), (4, 4, 4, 4)  # noqa: E741

Program = tuple[Callable[..., Any], tuple[tuple[int, ...], ...]]
PROGRAMS: dict[str, Program] = {
    "add": (tf.add, (M, M)),
    "add_bias": (tf.add, (M, V)),
    "matmul": (tf.matmul, (M, M)),
    "matmul_ta": (lambda a, b: tf.matmul(a, b, transpose_a=True), (M, M)),
    "matmul_tb": (lambda a, b: tf.matmul(a, b, transpose_b=True), (M, M)),
    "batch_matmul": (tf.matmul, (C, C)),
    "relu": (tf.nn.relu, (M,)),
    "cast": (lambda a: tf.cast(a, tf.int32), (M,)),
    "softmax": (tf.nn.softmax, (M,)),
    "sum0": (lambda a: tf.reduce_sum(a, 0), (M,)),
    "sum1_kept": (lambda a: tf.reduce_sum(a, 1, keepdims=True), (M,)),
    "mean": (tf.reduce_mean, (M,)),
    "transpose": (tf.transpose, (M,)),
    "argmax1": (lambda a: tf.argmax(a, 1), (M,)),
    "expand1": (lambda a: tf.expand_dims(a, 1), (M,)),
    "reshape_flat": (lambda a: tf.reshape(a, [-1]), (M,)),
    "reshape_split": (lambda a: tf.reshape(a, [2, 2, 4]), (M,)),
    "reshape_odd": (lambda a: tf.reshape(a, [3, 8]), ((6, 4),)),
    "reshape_ones": (lambda a: tf.reshape(a, [1, 16]), (M,)),
    "zeros_like": (tf.zeros_like, (M,)),
    "cumsum0": (lambda a: tf.cumsum(a, 0), (M,)),
    "slice0": (lambda a: a[:2], (M,)),
    "index0": (lambda a: a[0], (M,)),
    "index1": (lambda a: a[:, 1], (M,)),
    "step": (lambda a: a[::2], (M,)),
    "pad1": (lambda a: tf.pad(a, [[0, 0], [1, 1]]), (M,)),
    "tile0": (lambda a: tf.tile(a, [2, 1]), (M,)),
    "broadcast": (lambda a: tf.broadcast_to(a, [2, 4, 4]), (M,)),
    "shape": (tf.shape, (M,)),
    "split1": (lambda a: tf.split(a, 2, 1)[0], (M,)),
    "unstack0": (lambda a: tf.unstack(a, axis=0)[0], (M,)),
    "stack0": (lambda a: tf.stack([a, a]), (M,)),
    "stack1": (lambda a: tf.stack([a, a], 1), (M,)),
    "concat0": (lambda a, b: tf.concat([a, b], 0), (M, M)),
    "top": (lambda a: tf.nn.top_k(a, 2)[0], (M,)),
    "one_hot": (lambda a: tf.one_hot(tf.cast(a, tf.int32), 8), (V,)),
    "where": (lambda a, b: tf.where(a > b, a, b), (M, M)),
    "bias_add": (tf.nn.bias_add, (M, V)),
    "gather0": (lambda a, b: tf.gather(a, tf.cast(b, tf.int32) - 1), (M, V)),
    "gather1": (lambda a, b: tf.gather(a, tf.cast(b, tf.int32) - 1, axis=1), (M, V)),
    "cross_entropy": (
        lambda a, b: tf.nn.sparse_softmax_cross_entropy_with_logits(tf.cast(b, tf.int32) - 1, a),
        (M, V),
    ),
    "einsum": (lambda a, b: tf.einsum("bsd,dhk->bshk", a, b), (C, (4, 2, 2))),
    "segments": (
        lambda a, b: tf.math.unsorted_segment_sum(a, tf.cast(b, tf.int32) - 1, 4), (M, V),
    ),
    "l2_loss": (tf.nn.l2_loss, (M,)),
    "logsumexp": (lambda a: tf.reduce_logsumexp(a, 1), (M,)),
    "gelu": (tf.nn.gelu, (M,)),
    "variance": (tf.math.reduce_std, (M,)),
    "normalized": (normalized, (M, V)),
    "attention": (
        lambda q, k, v: tf.matmul(tf.nn.softmax(tf.matmul(q, k, transpose_b=True)), v), (C, C, C),
    ),
    "convolution": (lambda x, k: tf.nn.conv2d(x, k, 1, "SAME"), (I, (3, 3, 4, 4))),
    "mlp": (lambda x, w, b: tf.nn.relu(tf.matmul(x, w) + b), (M, M, V)),
    "cond": (
        lambda a: tf.cond(tf.reduce_sum(a) > 0, lambda: a * 2, lambda: a + 1), (M,),
    ),
    "while": (
        lambda a: tf.while_loop(lambda i, a: i < 3, lambda i, a: (i + 1, a * 2), [0, a])[1], (M,),
    ),
    "nested": (lambda a: tf.function(lambda z: tf.reduce_sum(z, 0))(a) * 2, (M,)),
    "grad_matmul": (gradient(tf.matmul), (M, M)),
    "grad_bias": (gradient(lambda b, a: a + b), (V, M)),
    "grad_max": (gradient(lambda a: tf.reduce_max(a, 1)), (M,)),
    "grad_slice": (gradient(lambda a: a[:, :2]), (M,)),
    "grad_mlp": (gradient(loss_of_mlp), (M, M, V, M, V)),
}  # fmt: skip
