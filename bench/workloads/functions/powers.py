"""Sums of powers by numbers that the program knows, of a million float32 numbers each."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 1_000_000
EXPONENTS = (-1.0, -0.5, 0.5, 2.0, 3.0)


def with_tf2(tf: Any) -> Timed:
    run = tf.function(lambda x: [tf.reduce_sum(x**exponent) for exponent in EXPONENTS])
    x = tf.constant(np.random.default_rng(0).uniform(0.1, 3.0, COUNT).astype(np.float32))
    return Timed(lambda: run(x), check=float(run(x)[4]))


WORK = Work(
    title="sums of powers by -1, ±½, 2 and 3 of 10⁶ numbers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
