"""What a Python generator yields, in batches."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.passes import timed_pass

COUNT, BATCH = 5_000, 32


def with_tf2(tf: Any) -> Timed:
    row = np.arange(8, dtype=np.float32)

    def rows() -> Any:
        for number in range(COUNT):
            yield row, number

    signature = tf.TensorSpec([8], tf.float32), tf.TensorSpec([], tf.int64)
    batches = tf.data.Dataset.from_generator(rows, output_signature=signature).batch(BATCH)
    return timed_pass(batches, lambda last: tf.reduce_sum(last[1]), COUNT)


WORK = Work(
    title="`from_generator(…).batch(32)`",
    unit="element",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1 / 5),),
)
