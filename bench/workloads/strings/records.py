"""Ten thousand records of commas read, one column made buckets, and numbers written out again."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

from .words import words

COUNT = 10_000


def records(count: int) -> list[bytes]:
    """A number, a word and two floats each."""
    random = np.random.default_rng(1)
    numbers, floats = random.integers(0, 10**6, count), random.normal(size=(count, 2)) * 100
    columns = zip(numbers, words(count), floats, strict=True)
    return [b"%d,%s,%.4f,%.6g" % (number, word, *pair) for number, word, pair in columns]


def with_tf2(tf: Any) -> Timed:
    @tf.function
    def read(texts: Any) -> Any:
        number, word, x, y = tf.io.decode_csv(texts, [[0], [""], [0.0], [0.0]])
        buckets = tf.strings.to_hash_bucket_strong(word, 100, [1, 2])
        written = tf.strings.length(tf.as_string(x * y, precision=3))
        distinct = tf.unique(word)[1]
        return tf.reduce_sum(number + written + distinct + tf.cast(buckets, tf.int32))

    texts = tf.constant(records(COUNT))
    return Timed(lambda: read(texts), check=float(read(texts)))


WORK = Work(
    title="10⁴ records: `decode_csv`, `to_hash_bucket_strong`, `as_string`, `unique`",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
