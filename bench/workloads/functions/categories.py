"""Classes drawn by their logits, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

SEED = [1, 2]


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def drawn(few: Any, many: Any, seed: Any) -> Any:
        return (
            tf.random.stateless_categorical(few, 100, seed),
            tf.random.stateless_categorical(many, 1, seed),
        )

    random = np.random.default_rng(0)
    few, many = (
        tf.constant(random.normal(size=(100, classes)).astype(np.float32))
        for classes in (1000, 10_000)
    )
    seed = tf.constant(SEED)
    check = float(tf.reduce_sum(drawn(few, many, seed)[0]))
    return Timed(lambda: drawn(few, many, seed), check=check)


WORK = Work(
    title="100 of 1000 classes and 1 of 10⁴ drawn, for 100 rows",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
