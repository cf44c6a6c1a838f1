"""A PNG file decoded outside any compiled function."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.decode_pictures import PICTURE


def with_tf2(tf: Any) -> Timed:
    file = tf.io.encode_png(PICTURE)
    check = float(tf.reduce_mean(tf.cast(tf.io.decode_png(file), tf.float32)))
    return Timed(lambda: tf.io.decode_png(file), check=check)


WORK = Work(
    title="a PNG file of 500×375 decoded, eager",
    unit="call",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1.5),),
)
