"""`nce_loss` over 256 candidates of 100 000 classes, and two samplers, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

CLASSES, BATCH, SAMPLED, UNITS = 100_000, 64, 256, 32


def with_tf2(tf: Any) -> Timed:
    random = np.random.RandomState(0)
    weights, inputs = (
        tf.constant(random.randn(*shape), tf.float32)
        for shape in ((CLASSES, UNITS), (BATCH, UNITS))
    )
    biases = tf.zeros([CLASSES])
    labels = tf.constant(random.randint(0, CLASSES, (BATCH, 1)), tf.int64)

    @tf.function
    def sampled(weights: Any, labels: Any, inputs: Any) -> Any:
        zipf = tf.random.log_uniform_candidate_sampler(labels, 1, SAMPLED, True, CLASSES, seed=1)
        even = tf.random.uniform_candidate_sampler(labels, 1, SAMPLED, False, CLASSES, seed=1)
        loss = tf.nn.nce_loss(
            weights, biases, labels, inputs, SAMPLED, CLASSES, sampled_values=zipf
        )
        return tf.reduce_mean(loss), even.sampled_candidates

    first = sampled(weights, labels, inputs)
    return Timed(lambda: sampled(weights, labels, inputs), check=float(first[0]))


WORK = Work(
    title="`nce_loss` over 256 of 100 000 classes, two samplers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
