"""Relatives of the gamma function of many numbers, outside any compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 10_000


def with_tf2(tf: Any) -> Timed:
    drawn = np.random.default_rng(0).uniform(0.1, 10, (2, COUNT)).astype(np.float32)
    a, b, order = tf.constant(drawn[0]), tf.constant(drawn[1]), tf.constant(2.0)
    part = tf.constant((drawn[0] / 10.01).astype(np.float32))

    def functions() -> Any:
        return tf.math.polygamma(order, a), tf.math.betainc(a, b, part), tf.math.lgamma(a)

    return Timed(functions, check=float(functions()[1][7]))


WORK = Work(
    title="eager `polygamma`, `betainc` and `lgamma` of 10⁴ numbers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
