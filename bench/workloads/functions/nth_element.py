"""The n-th element of rows in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

SHAPES = (1000, 100), (10, 10_000)


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def chosen(short: Any, long: Any) -> Any:
        return [tf.raw_ops.NthElement(input=rows, n=50) for rows in (short, long)]

    random = np.random.default_rng(0)
    given = [tf.constant(random.normal(size=shape).astype(np.float32)) for shape in SHAPES]
    return Timed(lambda: chosen(*given), check=float(chosen(*given)[0][7]))


WORK = Work(
    title="`NthElement` of 1000 rows of 100, and of 10 rows of 10⁴",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 0.5),),
)
