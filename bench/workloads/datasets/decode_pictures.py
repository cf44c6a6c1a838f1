"""JPEG files decoded and resized by two threads, as datasets of pictures are read."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2

COUNT, BATCH = 64, 16
random = np.random.default_rng(0)
rows, columns = np.mgrid[0:375, 0:500]
waves = [np.sin(columns / 17 + k) * np.cos(rows / (15 + k)) for k in range(3)]
NOISE = random.normal(0, 10, (375, 500, 3))
PICTURE = np.clip(127 + 80 * np.stack(waves, -1) + NOISE, 0, 255).astype(np.uint8)


def with_tf2(tf: Any) -> Timed:
    file = tf.io.encode_jpeg(PICTURE, quality=85)

    def decoded(data: Any) -> Any:
        return tf.image.resize(tf.io.decode_jpeg(data, 3), [224, 224])

    files = tf.data.Dataset.from_tensors(file).repeat(COUNT)
    batches = files.map(decoded, num_parallel_calls=2).batch(BATCH)

    def one_pass() -> Any:
        batch = None
        for batch in batches:  # noqa: B007
            pass
        return batch

    return Timed(one_pass, check=float(tf.reduce_mean(one_pass())), units=COUNT)


WORK = Work(
    title="JPEG files of 500×375 decoded and resized, two threads",
    unit="picture",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
