"""Incomplete gamma and beta functions of 10⁵ float32 numbers, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 100_000


def with_tf2(tf: Any) -> Timed:
    run = tf.function(
        lambda a, b, x, part: [
            tf.math.igamma(a, x), tf.math.igammac(a, x), tf.math.betainc(a, b, part),
            tf.math.erfinv(part), tf.math.ndtri(part),
            tf.raw_ops.IgammaGradA(a=a, x=x),
        ]
    )  # fmt: skip
    random = np.random.default_rng(0)
    a, b = random.uniform(0.1, 20.0, (2, COUNT))
    x, part = a * random.uniform(0.2, 2.5, COUNT), random.uniform(0.001, 0.999, COUNT)
    operands = [tf.constant(one.astype(np.float32)) for one in (a, b, x, part)]
    return Timed(lambda: run(*operands), check=float(run(*operands)[0][7]))


WORK = Work(
    title="`igamma`, `igammac`, `betainc`, `ndtri`, … of 10⁵ numbers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
