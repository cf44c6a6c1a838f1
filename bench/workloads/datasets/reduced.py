"""Small elements of a dataset, mapped and added up by `reduce` in a function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 10_000


def with_tf2(tf: Any) -> Timed:
    numbers = tf.data.Dataset.range(COUNT).map(lambda n: n * 3)

    @tf.function
    def total() -> Any:
        return numbers.reduce(np.int64(0), lambda so_far, n: so_far + n)

    return Timed(total, check=float(total()), units=COUNT)


WORK = Work(
    title="`range(10⁴).map(…).reduce(…)` in a function",
    unit="element",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1 / 5),),
)
