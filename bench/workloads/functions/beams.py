"""Beams of 20 paths through 50 steps of 30 classes, for 8 sequences, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def run(logits: Any, lengths: Any) -> Any:
        decoded, scores = tf.nn.ctc_beam_search_decoder(logits, lengths, 20)
        return decoded[0].values, scores

    logits = np.random.default_rng(0).normal(0, 2, (50, 8, 30)).astype(np.float32)
    operands = [tf.constant(logits), tf.constant(np.full(8, 50, np.int32))]
    return Timed(lambda: run(*operands), check=float(run(*operands)[1][0, 0]))


WORK = Work(
    title="`ctc_beam_search_decoder` of 8 sequences in 50 steps",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
