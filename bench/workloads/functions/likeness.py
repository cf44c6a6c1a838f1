"""How alike pictures are, and their edges: filters of single channels, in a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2


def with_tf2(tf: Any) -> Timed:
    run = tf.function(
        lambda x, y: [
            tf.image.ssim(x, y, 1.0), tf.image.sobel_edges(x),
            tf.image.ssim_multiscale(x, y, 1.0, filter_size=9),
        ]
    )  # fmt: skip
    random = np.random.default_rng(0)
    x = random.uniform(0, 1, (2, 160, 160, 3))
    operands = [tf.constant(one.astype(np.float32)) for one in (x, x * 0.9 + 0.05)]
    return Timed(lambda: run(*operands), check=float(run(*operands)[0][1]))


WORK = Work(
    title="`ssim`, `ssim_multiscale`, `sobel_edges` of 2 pictures 160×160",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
