"""Serialized examples of a table with 40 columns, parsed in batches by a compiled function."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT, NUMBERS, WORDS = 256, 13, 26


def serialized(tf: Any) -> list[bytes]:
    random = np.random.default_rng(0)
    found: list[bytes] = []
    for _ in range(COUNT):
        example = tf.train.Example()
        feature = example.features.feature
        for k in range(NUMBERS):
            feature[f"I{k}"].int64_list.value.append(int(random.integers(0, 10**6)))
        for k in range(WORDS):
            feature[f"C{k}"].bytes_list.value.append(b"%08x" % random.integers(0, 2**32))
        feature["label"].float_list.value.append(0.5)
        found.append(example.SerializeToString())
    return found


def with_tf2(tf: Any) -> Timed:
    batch = tf.constant(np.array(serialized(tf), object))
    features = {
        **{f"I{k}": tf.io.FixedLenFeature([], tf.int64) for k in range(NUMBERS)},
        **{f"C{k}": tf.io.FixedLenFeature([], tf.string) for k in range(WORDS)},
        "label": tf.io.FixedLenFeature([], tf.float32),
    }
    parse = tf.function(lambda texts: tf.io.parse_example(texts, features))
    check = float(tf.reduce_sum(parse(batch)["I0"]))
    return Timed(lambda: parse(batch), check=check, units=COUNT)


WORK = Work(
    title="examples of 40 features, 256 in a batch, parsed",
    unit="example",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
