"""A thousand sentences made numbers of words: small letters, no punctuation, split, looked up."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT, KNOWN, LENGTH = 1000, 5000, 32


def sentences(count: int) -> list[str]:
    """Up to 39 words each, of which a sixth is not known."""
    random = np.random.default_rng(0)
    sizes = random.integers(1, 40, count)
    return [", ".join(f"W{k}" for k in random.integers(0, KNOWN * 6 // 5, size)) for size in sizes]


def with_tf2(tf: Any) -> Timed:
    words = tf.constant([f"w{k}" for k in range(KNOWN)])
    entries = tf.lookup.KeyValueTensorInitializer(words, tf.range(2, KNOWN + 2, dtype=tf.int64))
    table = tf.lookup.StaticHashTable(entries, 1)

    @tf.function
    def numbers(texts: Any) -> Any:
        plain = tf.strings.regex_replace(tf.strings.lower(texts), "[!-/:-@]", "")
        found = tf.ragged.map_flat_values(table.lookup, tf.strings.split(plain))
        return found.to_tensor(0, shape=[None, LENGTH])

    texts = tf.constant(sentences(COUNT))
    check = float(tf.reduce_sum(numbers(texts)))
    return Timed(lambda: numbers(texts), check=check)


WORK = Work(
    title="1000 sentences: lower, `regex_replace`, split, lookup, `to_tensor`",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
