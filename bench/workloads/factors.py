"""Small matrices in batches, factored in three ways by a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

MATRICES, SIDE = 32, 24


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def factor(x: Any) -> Any:
        values, _ = tf.linalg.eigh(x)
        _, upper = tf.linalg.qr(x)
        packed, _ = tf.linalg.lu(x)
        return values, upper, packed

    drawn = np.random.default_rng(0).normal(size=(MATRICES, SIDE, SIDE)).astype(np.float32)
    x = tf.constant(drawn + drawn.swapaxes(1, 2))
    return Timed(lambda: factor(x), check=float(factor(x)[0][0, -1]))


WORK = Work(
    title="`eigh`, `qr` and `lu` of 32 matrices 24×24",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
