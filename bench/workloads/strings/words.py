"""Ten thousand words stripped, in capitals, joined with parts of others, and put into buckets."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT = 10_000


def words(count: int) -> list[bytes]:
    """Words of 3 to 19 letters behind a blank."""
    random = np.random.default_rng(0)
    sizes = random.integers(3, 20, count)
    return [b" " + random.integers(97, 123, size).astype(np.uint8).tobytes() for size in sizes]


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def buckets(some: Any, others: Any) -> Any:
        capitals = tf.strings.upper(tf.strings.strip(some))
        joined = tf.strings.join([capitals, tf.strings.substr(others, 1, 2)], "-")
        numbers = tf.strings.to_hash_bucket_fast(joined, 1000)
        return tf.reduce_sum(numbers * tf.cast(some != others, numbers.dtype))

    some = tf.constant(words(COUNT))
    others = tf.reverse(some, [0])
    return Timed(lambda: buckets(some, others), check=float(buckets(some, others)))


WORK = Work(
    title="10⁴ words: strip, upper, join, substr, `!=`, buckets",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
