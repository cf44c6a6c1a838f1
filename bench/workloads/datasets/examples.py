"""Serialized examples parsed one by one in a dataset, then batched."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT, BATCH = 4096, 64


def serialized(tf: Any, number: int) -> bytes:
    example = tf.train.Example()
    feature = example.features.feature
    feature["x"].float_list.value.extend(np.arange(8.0) + number)
    feature["y"].int64_list.value.append(number)
    feature["s"].bytes_list.value.append(b"text %d" % number)
    return example.SerializeToString()


def with_tf2(tf: Any) -> Timed:
    features = {
        "x": tf.io.FixedLenFeature([8], tf.float32),
        "y": tf.io.FixedLenFeature([], tf.int64),
        "s": tf.io.FixedLenFeature([], tf.string),
    }
    texts = np.array([serialized(tf, number) for number in range(COUNT)], object)
    examples = tf.data.Dataset.from_tensor_slices(texts)
    batches = examples.map(lambda one: tf.io.parse_single_example(one, features)).batch(BATCH)

    def one_pass() -> Any:
        total = 0
        for batch in batches:
            total += int(batch["y"][0])
        return total

    return Timed(one_pass, check=float(one_pass()), units=COUNT)


WORK = Work(
    title="`map(parse_single_example).batch(64)`",
    unit="example",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
