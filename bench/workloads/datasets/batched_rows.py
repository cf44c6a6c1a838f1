"""Rows of a table, shuffled and batched, then mapped by the batch."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.passes import timed_pass

COUNT, BATCH = 20_000, 32


def with_tf2(tf: Any) -> Timed:
    x = np.arange(COUNT * 4, dtype=np.float32).reshape(COUNT, 4)
    rows = tf.data.Dataset.from_tensor_slices((x, np.arange(COUNT) % 10))
    batches = rows.shuffle(1000, seed=1).batch(BATCH).map(lambda x, y: (x * 0.5, y + 1))
    return timed_pass(batches.prefetch(1), lambda last: last[0].shape[0], COUNT)


WORK = Work(
    title="`shuffle(1000).batch(32).map(…)` of small rows",
    unit="element",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1 / 5),),
)
