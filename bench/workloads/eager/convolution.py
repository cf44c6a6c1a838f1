"""The gradient of a convolution outside any compiled function, forward and both ways back."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

random = np.random.default_rng(0)
IMAGES = random.normal(size=(8, 32, 32, 16)).astype(np.float32)
FILTER = random.normal(size=(3, 3, 16, 32)).astype(np.float32)
ABOVE = random.normal(size=(8, 32, 32, 32)).astype(np.float32)


def with_tf2(tf: Any) -> Timed:
    images, kernel, above = tf.constant(IMAGES), tf.constant(FILTER), tf.constant(ABOVE)

    def gradients() -> Any:
        with tf.GradientTape() as tape:
            tape.watch([images, kernel])
            y = tf.nn.conv2d(images, kernel, 1, "SAME")
        return tape.gradient(y, [images, kernel], above)

    return Timed(gradients, check=float(tf.reduce_sum(gradients()[1] ** 2)))


WORK = Work(
    title="eager gradient of a convolution",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1.2),),
)
