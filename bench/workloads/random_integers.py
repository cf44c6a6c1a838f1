"""A million random integers, drawn eagerly."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2

COUNT = 1_000_000


def with_tf2(tf: Any) -> Timed:
    tf.random.set_seed(1)
    check = float(tf.reduce_sum(tf.random.uniform([1000], 0, 10, tf.int32, seed=2)))
    return Timed(lambda: tf.random.uniform([COUNT], 0, 10, tf.int32), check=check)


WORK = Work(
    title="`tf.random.uniform` of 10⁶ int32, eager",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1.2),),
)
