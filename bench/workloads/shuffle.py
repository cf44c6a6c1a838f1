"""A million rows, shuffled eagerly."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2

COUNT = 1_000_000


def with_tf2(tf: Any) -> Timed:
    rows = tf.range(COUNT)
    tf.random.set_seed(1)
    check = float(tf.random.shuffle(rows, seed=2)[7])
    return Timed(lambda: tf.random.shuffle(rows), check=check)


WORK = Work(
    title="`tf.random.shuffle` of 10⁶ rows, eager",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 2),),
)
