"""Hurwitz's zeta function and polygamma of 10⁵ float32 numbers, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 100_000


def with_tf2(tf: Any) -> Timed:
    run = tf.function(lambda s, q: [tf.math.zeta(s, q), tf.math.polygamma(tf.floor(s), q)])
    random = np.random.default_rng(0)
    s = tf.constant(random.uniform(1.1, 8.0, COUNT).astype(np.float32))
    q = tf.constant(random.uniform(0.2, 10.0, COUNT).astype(np.float32))
    return Timed(lambda: run(s, q), check=float(run(s, q)[0][7]))


WORK = Work(
    title="`zeta` and `polygamma` of 10⁵ numbers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
