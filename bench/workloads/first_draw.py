"""The first call of a loop that draws with a seed split in each turn, nothing cached."""

from __future__ import annotations

from typing import Any

from bench.work import Timed, TimeGoal, Work, tf2


def with_tf2(tf: Any) -> Timed:
    split = tf.random.experimental.stateless_split

    @tf.function
    def total(turns: Any, seed: Any) -> Any:
        found = tf.zeros([3])
        for turn in tf.range(turns):
            own = split(split(seed + turn, 2)[1], 2)[0]
            found += tf.random.stateless_gamma([3], own, alpha=2.0)
        return tf.reduce_sum(found)

    turns, seed = tf.constant(3), tf.constant([1, 2])
    return Timed(lambda: float(total(turns, seed)))


WORK = Work(
    title="first call of a loop that draws with split seeds",
    unit="call",
    programs=tf2(with_tf2),
    goals=(TimeGoal(0.5),),
    process="first call",
)
