"""Distinct rows and columns in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

ROWS = 10_000


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def distinct(rows: Any, columns: Any) -> Any:
        return (
            tf.raw_ops.UniqueV2(x=rows, axis=[0]),
            tf.raw_ops.UniqueWithCountsV2(x=columns, axis=[1]),
        )

    x = np.random.default_rng(0).integers(0, 10, (ROWS, 4)).astype(np.int32)
    given = tf.constant(x), tf.constant(x.T)
    return Timed(lambda: distinct(*given), check=float(distinct(*given)[1][1][7]))


WORK = Work(
    title="distinct ones of 10⁴ rows, and of 10⁴ columns, of 4 integers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 0.5),),
)
