"""Special functions of 10⁵ float32 numbers each, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 100_000


def with_tf2(tf: Any) -> Timed:
    special = tf.math.special
    functions = [
        tf.math.bessel_i0e, special.bessel_j1, special.bessel_y0, special.bessel_k0,
        special.dawsn, special.expint, special.fresnel_sin, special.spence,
        tf.math.lgamma, tf.math.digamma,
    ]  # fmt: skip
    run = tf.function(lambda x: [function(x) for function in functions])
    x = tf.constant(np.random.default_rng(0).uniform(0.1, 12.0, COUNT).astype(np.float32))
    return Timed(lambda: run(x), check=float(run(x)[1][7]))


WORK = Work(
    title="Bessel functions, `dawsn`, `expint`, `spence`, … of 10⁵ numbers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 0.5),),
)
