"""A product of matrices outside any compiled function, as layers called eagerly make it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

random = np.random.default_rng(0)
A, B = (random.normal(size=size).astype(np.float32) for size in ((50, 256), (256, 1024)))


def with_tf2(tf: Any) -> Timed:
    a, b = tf.constant(A), tf.constant(B)
    return Timed(lambda: tf.matmul(a, b), check=float(tf.reduce_sum(tf.matmul(a, b))))


def with_torch() -> Timed:
    torch = import_module("torch")
    a, b = torch.from_numpy(A), torch.from_numpy(B)
    return Timed(lambda: a @ b, check=float((a @ b).sum()))


WORK = Work(
    title="eager product, 50×256 by 256×1024",
    unit="call",
    programs=tf2(with_tf2) | {"torch": with_torch},
    goals=(Goal("tensorflow", 1.5),),
)
