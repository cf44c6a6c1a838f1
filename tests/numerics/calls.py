"""What is called: names of functions under `tf`, and what of them takes more than a name.

TensorFlow's interpreter imports this file, and has neither mpmath nor tensormill in it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any, Final


def _slope(tf: Any, x: Any, y: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        total = tf.reduce_sum(tf.tanh(x @ y))
    return tf.concat([tf.reshape(one, [-1]) for one in tape.gradient(total, [x, y])], 0)


def _lbeta(tf: Any, x: Any, y: Any) -> Any:
    return tf.math.lbeta(tf.stack([x, y], axis=-1))


SPELLED: Final[dict[str, Callable[..., Any]]] = {
    "nn.gelu, approximate": lambda tf, x: tf.nn.gelu(x, approximate=True),
    "math.lbeta": _lbeta,
    "fact: x * y + z": lambda tf, x, y, z: x * y + z,
    "fact: reduce_sum(x * y, 1)": lambda tf, x, y: tf.reduce_sum(x * y, 1),
    "fact: x / 2": lambda tf, x: x / 2,
    "fact: to float32": lambda tf, x: tf.cast(x, tf.float32),
    "fact: to float16": lambda tf, x: tf.cast(x, tf.float16),
    "fact: to bfloat16": lambda tf, x: tf.cast(x, tf.bfloat16),
    "fact: to int32": lambda tf, x: tf.cast(x, tf.int32),
    "fact: softmax": lambda tf, x: tf.nn.softmax(x),
    "fact: gradient": _slope,
    "reduce_sum, signed": lambda tf, x: tf.reduce_sum(x),
    "reduce_sum, rows": lambda tf, x: tf.reduce_sum(x, 1),
    "reduce_sum, columns": lambda tf, x: tf.reduce_sum(x, 0),
    "matmul, small": lambda tf, a, b: tf.matmul(a, b),
    "matmul, vector": lambda tf, a, b: tf.matmul(a, b),
    "nn.conv2d": lambda tf, x, f: tf.nn.conv2d(x[None], f, 1, "VALID"),
    "math.reduce_euclidean_norm": lambda tf, x: tf.math.reduce_euclidean_norm(x, 1),
    "math.reduce_variance": lambda tf, x: tf.math.reduce_variance(x, 1),
    "math.reduce_logsumexp": lambda tf, x: tf.math.reduce_logsumexp(x, 1),
}


def call(tf: Any, name: str, *operands: Any) -> Any:
    """The function of a library applied to tensors."""
    if (spelled := SPELLED.get(name)) is not None:
        return spelled(tf, *operands)
    return reduce(getattr, name.split("."), tf)(*operands)
