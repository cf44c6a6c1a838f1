"""A `for` over a dataset in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 10_000


def with_tf2(tf: Any) -> Timed:
    x = np.arange(COUNT * 2, dtype=np.float32).reshape(COUNT, 2) / COUNT
    rows = tf.data.Dataset.from_tensor_slices((x, np.arange(COUNT)))
    mapped = rows.map(lambda x, n: (x * 2.0, n % 7)).repeat(2)

    @tf.function
    def total() -> Any:
        found = tf.constant(0.0)
        for x, n in mapped:
            found += x[0] * tf.cast(n, tf.float32)
        return found

    return Timed(total, check=round(float(total()), -1), units=2 * COUNT)


WORK = Work(
    title="`for x, n in rows.map(…).repeat(2)` in a function",
    unit="element",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1 / 5),),
)
