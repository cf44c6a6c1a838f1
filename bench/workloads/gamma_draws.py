"""A hundred thousand gamma distributed numbers, drawn in a compiled function."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2

COUNT = 100_000


def with_tf2(tf: Any) -> Timed:
    draw = tf.function(lambda seed: tf.random.stateless_gamma([COUNT], seed, 2.5))
    seed = tf.constant([1, 2])
    return Timed(lambda: draw(seed), check=float(draw(seed)[7]))


WORK = Work(
    title="10⁵ gamma distributed numbers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
