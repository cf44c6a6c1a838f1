"""JPEG files decoded by as many threads as the library thinks right."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.decode_pictures import COUNT, PICTURE
from bench.workloads.datasets.passes import timed_pass


def with_tf2(tf: Any) -> Timed:
    file = tf.io.encode_jpeg(PICTURE, quality=85)
    files = tf.data.Dataset.from_tensors(file).repeat(COUNT)
    pictures = files.map(tf.io.decode_jpeg, num_parallel_calls=tf.data.AUTOTUNE)
    batches = pictures.batch(16).prefetch(tf.data.AUTOTUNE)
    return timed_pass(batches, lambda last: tf.reduce_mean(tf.cast(last, tf.float32)), COUNT)


WORK = Work(
    title="`map(decode_jpeg, AUTOTUNE).batch(16)`, 500×375",
    unit="picture",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
