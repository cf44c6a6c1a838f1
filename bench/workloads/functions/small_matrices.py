"""Factors of 1000 matrices 3×3 and what is made of them, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2


def with_tf2(tf: Any) -> Timed:
    run = tf.function(
        lambda x, y: [
            tf.linalg.svd(x)[0], tf.linalg.pinv(x), tf.linalg.matrix_rank(x),
            tf.linalg.lstsq(x, y, fast=False),
        ]
    )  # fmt: skip
    random = np.random.default_rng(0)
    x, y = random.normal(0, 1, (1000, 3, 3)) + 2 * np.eye(3), random.normal(0, 1, (1000, 3, 2))
    operands = [tf.constant(one.astype(np.float32)) for one in (x, y)]
    return Timed(lambda: run(*operands), check=float(run(*operands)[0][7, 0]))


WORK = Work(
    title="`svd`, `pinv`, `matrix_rank`, `lstsq` of 1000 matrices 3×3",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
