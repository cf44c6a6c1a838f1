"""Places of 10⁵ numbers in rows and bins, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 100_000


def with_tf2(tf: Any) -> Timed:
    random = np.random.default_rng(0)
    bounds = np.linspace(-0.9, 0.9, 50).tolist()
    run = tf.function(
        lambda row, x: [
            tf.searchsorted(row, x), tf.raw_ops.Bucketize(input=x, boundaries=bounds),
            tf.histogram_fixed_width(x, [-1.0, 1.0], 64),
        ]
    )  # fmt: skip
    row, x = np.sort(random.uniform(-1, 1, 1000)), random.uniform(-1, 1, COUNT)
    operands = [tf.constant(one.astype(np.float32)) for one in (row, x)]
    return Timed(lambda: run(*operands), check=float(run(*operands)[2][7]))


WORK = Work(
    title="`searchsorted`, 50 buckets, `histogram_fixed_width` of 10⁵ numbers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
