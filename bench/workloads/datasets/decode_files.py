"""JPEG files of three sizes, read and decoded by two threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.passes import folder, timed_pass

# Height, width, and how many: each size is about as much work as the others.
SIZES = (64, 64, 128), (224, 224, 32), (768, 1024, 4)
UNITS = sum(count for *_, count in SIZES)


def picture(height: int, width: int) -> Any:
    rows, columns = np.mgrid[0:height, 0:width]
    waves = [np.sin(columns / 17 + k) * np.cos(rows / (15 + k)) for k in range(3)]
    noise = np.random.default_rng(0).normal(0, 10, (height, width, 3))
    return np.clip(127 + 80 * np.stack(waves, -1) + noise, 0, 255).astype(np.uint8)


def with_tf2(tf: Any) -> Timed:
    names, place = [], folder()
    for height, width, count in SIZES:
        data = tf.io.encode_jpeg(picture(height, width), quality=85)
        for number in range(count):
            names.append(str(place / f"{width}_{number}.jpg"))
            tf.io.write_file(names[-1], data)
    files = tf.data.Dataset.from_tensor_slices(names)
    pictures = files.map(
        lambda name: tf.io.decode_jpeg(tf.io.read_file(name), 3), num_parallel_calls=2
    )
    return timed_pass(pictures, lambda last: tf.reduce_mean(tf.cast(last, tf.float32)), UNITS)


WORK = Work(
    title="JPEG files of 64×64, 224×224 and 1024×768 read and decoded, two threads",
    unit="picture",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
