"""The distinct ones of a hundred thousand integers, and how often each occurs."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT, DISTINCT = 100_000, 1000


def with_tf2(tf: Any) -> Timed:
    count = tf.function(lambda x: tf.unique_with_counts(x))
    x = tf.constant(np.random.default_rng(0).integers(0, DISTINCT, COUNT).astype(np.int32))
    return Timed(lambda: count(x), check=float(count(x).count[7]))


WORK = Work(
    title="`tf.unique_with_counts` of 10⁵ integers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
