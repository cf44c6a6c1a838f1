"""A picture of unknown size resized in four ways that read many of its pixels, compiled."""

from __future__ import annotations

from typing import Any

from bench.work import Goal, Timed, Work, tf2
from bench.workloads.datasets.decode_pictures import PICTURE

METHODS = "bicubic", "area", "lanczos3", "mitchellcubic"


def with_tf2(tf: Any) -> Timed:
    @tf.function(input_signature=[tf.TensorSpec([None, None, 3], tf.uint8)])
    def resized(picture: Any) -> Any:
        return [tf.image.resize(picture, [224, 224], method) for method in METHODS]

    picture = tf.constant(PICTURE)
    check = float(tf.add_n([tf.reduce_mean(one) for one in resized(picture)]))
    return Timed(lambda: resized(picture), check=check, units=len(METHODS))


WORK = Work(
    title="a picture of 500×375 resized: bicubic, area, lanczos3, mitchellcubic",
    unit="picture",
    programs=tf2(with_tf2),
    goals=(Goal("tensorflow", 1),),
)
