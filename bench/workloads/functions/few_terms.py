"""10⁵ rows of few numbers times small matrices, and colours of pictures in other primaries."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

ROWS = 100_000


def with_tf2(tf: Any) -> Timed:
    random = np.random.default_rng(0)

    def numbers(*shape: int) -> Any:
        return tf.constant(random.uniform(size=shape).astype(np.float32))

    @tf.function
    def products(points: Any, turned: Any, rows: Any, weights: Any, pictures: Any) -> Any:
        dense = tf.nn.relu(tf.matmul(rows, weights) - 1.0)
        return tf.matmul(points, turned), dense, tf.image.rgb_to_yiq(pictures)

    given = (
        numbers(ROWS, 3), numbers(3, 3), numbers(ROWS, 8), numbers(8, 16), numbers(8, 128, 128, 3)
    )  # fmt: skip
    return Timed(lambda: products(*given), check=float(products(*given)[1][7, 3]))


WORK = Work(
    title="10⁵ rows times 3×3 and 8×16, `rgb_to_yiq` of 8 pictures",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 0.5),),
)
