"""Spectra of 64 frames of 256 numbers and back, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

FRAMES, LENGTH = 64, 256


def with_tf2(tf: Any) -> Timed:
    smoothed = tf.function(lambda x: tf.signal.irfft(tf.signal.rfft(x) * 0.5))
    x = tf.constant(np.random.default_rng(0).normal(size=(FRAMES, LENGTH)).astype(np.float32))
    return Timed(lambda: smoothed(x), check=float(smoothed(x)[3, 7]))


WORK = Work(
    title="`rfft` and `irfft` of 64×256 numbers",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
