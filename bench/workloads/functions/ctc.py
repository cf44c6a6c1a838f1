"""Losses of 32 label sequences in 100 steps of 30 classes and their gradient, and greedy decoding,
in a compiled function.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

STEPS, BATCH, CLASSES, LABELS = 100, 32, 30, 20


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def run(logits: Any, labels: Any, counts: Any, steps: Any) -> Any:
        with tf.GradientTape() as tape:
            tape.watch(logits)
            loss = tf.nn.ctc_loss(labels, logits, counts, steps, blank_index=0)
        decoded, _ = tf.nn.ctc_greedy_decoder(logits, steps)
        return loss, tape.gradient(loss, logits), decoded[0].values

    random = np.random.default_rng(0)
    operands = [
        tf.constant(random.normal(0, 2, (STEPS, BATCH, CLASSES)).astype(np.float32)),
        *(tf.constant(random.integers(low, high, shape).astype(np.int32)) for low, high, shape in
          ((1, CLASSES, (BATCH, LABELS)), (5, LABELS, BATCH), (60, STEPS, BATCH))),
    ]  # fmt: skip
    return Timed(lambda: run(*operands), check=float(run(*operands)[0][7]))


WORK = Work(
    title="`ctc_loss` of 32 sequences, its gradient, `ctc_greedy_decoder`",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
