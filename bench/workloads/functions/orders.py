"""Numbers in order, in a compiled function: sorted, their places, the largest, the largest one."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT, ROWS, LENGTH = 100_000, 100, 10_000


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def ordered(x: Any, whole: Any, rows: Any) -> Any:
        return (
            tf.sort(x), tf.argsort(whole), tf.math.top_k(rows, 100).indices,
            tf.math.top_k(rows, 1).values,
        )  # fmt: skip

    random = np.random.default_rng(0)
    x = tf.constant(random.normal(size=COUNT).astype(np.float32))
    whole = tf.constant(random.permutation(COUNT).astype(np.int32))
    rows = tf.constant(random.normal(size=(ROWS, LENGTH)).astype(np.float32))
    return Timed(lambda: ordered(x, whole, rows), check=float(ordered(x, whole, rows)[1][7]))


WORK = Work(
    title="`sort` and `argsort` of 10⁵ numbers, `top_k` of 100 rows of 10⁴",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 0.5),),
)
